// mpak info PACK [--json] [-o FILE]: what is in a pack.
//
// The pack is opened as a game opens it, so its tables are checked; its data is not decoded (mpak validate does that).
//
// Exit status: 0; 3 when the file cannot be read; 5 when it is no sound pack.
#include "cooker/cli/commands.h"
#include "cooker/cli/console.h"
#include "cooker/cli/info.h"
#include "cooker/cli/written.h"

int cmd_info(cook_job *job, const cli_arguments *arguments) {
  const char *path = arguments->inputs.items[0];
  written_check(job, &arguments->inputs, &(written_file){arguments->output, "the result", path}, 1);
  console_check_output(job, arguments->output);
  job_set_file(job, path);
  pack_file file;
  pack_file_open(job, path, &file);
  text_out text;
  text_begin(&text, job);
  if (arguments->json) {
    json_out json;
    write_json_begin(&json, &text);
    info_put_json(&json, &file);
  } else {
    info_put_text(&text, &file);
  }
  console_write_output(job, arguments->output, text.bytes, text.used);
  return 0;
}
