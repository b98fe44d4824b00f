/// view_source.h: any file as a pack for the viewer: packs as they are, models cooked in memory.
#ifndef CLI_VIEW_SOURCE_H
#define CLI_VIEW_SOURCE_H

#include "cooker/cli/options.h"
#include "cooker/cli/pack_file.h"
#include "samples/viewer/viewer.h"

/// A pack's bytes in the job's arena, and the opened pack.
typedef struct view_source {
  pack_file file;
  const void *bytes;
  uint64_t byte_count;
} view_source;

/// Checks the command line of a verb that writes one picture of its input.
void view_source_check(cook_job *job, const cli_arguments *arguments, const char *output);

/// Reads and checks a pack, or cooks a model with the options of the command line. Fails the job as cook and info do,
/// and with U024 when no mesh has the level of --lod.
view_source view_source_open(cook_job *job, const cli_arguments *arguments, const char *path);

/// Fails the job with the issue of an outcome that is not VIEWER_OK.
void view_source_fail(cook_job *job, const viewer_outcome *outcome);

/// Warns when names could not be written.
void view_source_warn(cook_job *job, const viewer_outcome *outcome);

#endif
