// mpak export PACK [-o OUT.glb]: a pack as glTF 2.0, for other programs.
//
// The pack is opened and decoded as a game does it. The result goes to OUT, or to the pack's own name with the suffix
// .glb; it is replaced as a whole or not at all. What glTF says in another way is told in infos (O014).
//
// Exit status: 0; 3 when a file cannot be read or written; 5 when it is no sound pack.
#include "cooker/cli/commands.h"
#include "cooker/cli/console.h"
#include "cooker/cli/pack_file.h"
#include "cooker/cli/written.h"
#include "cooker/export/export.h"

int cmd_export(cook_job *job, const cli_arguments *arguments) {
  const char *path = arguments->inputs.items[0];
  const char *output = arguments->output != NULL ? arguments->output : written_with_suffix(job, path, ".glb");
  cli_apply_severities(job, job, arguments);
  written_check(job, &arguments->inputs, &(written_file){output, "the result", path}, 1);
  console_check_output(job, output);
  job_set_file(job, path);
  pack_file file;
  mpak_clips clips;
  pack_file_open(job, path, &file);
  pack_file_load_clips(job, &file, &clips);
  mpak_part_data *parts = JOB_ARRAY(job, mpak_part_data, file.pack.part_count);
  for (uint32_t p = 0; p < file.pack.part_count; p++) pack_file_load_part(job, &file, p, &parts[p]);
  const export_file result = export_scene(job, &(export_model){&file.pack, parts, &clips});
  job_stop_on_errors(job); // --werror: nothing is written
  console_write_output(job, output, result.bytes, result.byte_count);
  return 0;
}
