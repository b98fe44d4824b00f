// mpak version: versions of mpak, of the format it writes, and of the libraries it runs with.
//
// Exit status: 0.
#include "cooker/cli/commands.h"
#include "cooker/cli/console.h"
#include "cooker/cli/libraries.h"
#include "cooker/report/version.h"
#include "format/mpak_format.h"

int cmd_version(cook_job *job, const cli_arguments *arguments) {
  (void)arguments;
  text_out text;
  text_begin(&text, job);
  text_printf(&text, "mpak %s\n", MPAK_VERSION);
  text_printf(&text, "format %u.%u\n", MPAK_FORMAT_MAJOR, MPAK_FORMAT_MINOR);
  libraries_put(&text);
  console_write(job, text.bytes, text.used);
  return 0;
}
