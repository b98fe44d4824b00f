/// depfile.h: which files a pack was made from, in make's syntax with gcc's escapes; ninja reads it too.
#ifndef CLI_DEPFILE_H
#define CLI_DEPFILE_H

#include "cooker/cli/options.h"
#include "cooker/report/text_out.h"

/// One rule: targets (or output when there are none) from all dependencies; with is_phony an empty rule for each but
/// the first. Fails the job with O011 when a path has a line break, which the syntax cannot hold.
void depfile_put(text_out *text, const char *output, const cli_list *targets, const char *const *dependencies,
                 uint32_t dependency_count, bool is_phony);

#endif
