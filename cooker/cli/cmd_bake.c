// mpak bake FILE [--weight [NODE/]NAME=V]… [--clip NAME]… [--time S] [-o OUT.glb]: a plain mesh of one moment.
//
// What `mpak eval --format glb` gives: the vertices, morphed and skinned, in metres and scene space, with texture
// coordinates, colours and materials; no targets, skins or clips. The result goes to OUT, or to the file's own name
// with the suffix .baked.glb.
//
// Exit status: as eval.
#include "cooker/cli/commands.h"
#include "cooker/cli/eval.h"
#include "cooker/cli/written.h"

int cmd_bake(cook_job *job, const cli_arguments *arguments) {
  cli_arguments copy = *arguments;
  copy.format = EVAL_FORMAT_GLB;
  if (copy.output == NULL) copy.output = written_with_suffix(job, arguments->inputs.items[0], ".baked.glb");
  return cmd_eval(job, &copy);
}
