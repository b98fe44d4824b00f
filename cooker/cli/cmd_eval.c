// mpak eval FILE [--clip NAME]… [--time S] [--weight [NODE/]NAME=V]… [options]: the vertices at a time.
//
// FILE is a pack, or a model, which is cooked in memory with cook's options and read back as a game reads it. Files of
// --clips give clips by node name: clip packs as the runtime plays them on another pack, models as cook adds them.
// Clips are applied in order, later ones win; then weights are set; then vertices are morphed and skinned: in double
// precision, or by the runtime's own code, as a game would see them: on the CPU (--backend cpu), or on a GPU and read
// back (--backend gl). Without a clip: rest pose and default weights. Results are in metres, right-handed, +Y up.
//
// Exit status: 0; 3 with --backend gl without OpenGL; 2 for an unknown clip or morph target or a missing source map;
// else as cook (models) or 5 (packs).
#include "cooker/cli/commands.h"
#include "cooker/cli/console.h"
#include "cooker/cli/eval.h"
#include "cooker/cli/written.h"

static void eval_check_options(cook_job *job, const cli_arguments *arguments, bool is_pack) {
  if (arguments->attributes == 1 && arguments->format != EVAL_FORMAT_JSON)
    cli_fail(job, MPAK_U011, "--attributes all", "--format json");
  if (arguments->order == 1 && arguments->format == EVAL_FORMAT_GLB)
    cli_fail(job, MPAK_U011, "--order source", "another format than glb");
  if (arguments->technique != 0 && arguments->backend != EVAL_BACKEND_GL)
    cli_fail(job, MPAK_U011, "--technique", "--backend gl");
  if (!is_pack) return;
  if (arguments->unit == COOK_UNIT_SOURCE) cli_fail(job, MPAK_U019, "--unit source", NULL);
  if (arguments->up == COOK_UP_SOURCE) cli_fail(job, MPAK_U019, "--up source", NULL);
  if (arguments->name_encoding != NULL) cli_fail(job, MPAK_U019, "--name-encoding", NULL);
}

static void eval_open(eval_scene *scene, const char *path, bool is_pack) {
  if (is_pack) {
    pack_file_open(scene->job, path, &scene->file);
    return;
  }
  cook_options options = cli_resolve_cook_options(scene->job, scene->arguments);
  const cli_list clip_models = eval_clip_models(scene->job, scene->arguments);
  options.clip_files = clip_models.items;
  options.clip_file_count = clip_models.count;
  if (scene->arguments->order == 1 || scene->arguments->attributes == 1) options.source_map = true;
  cook_product product;
  cook_file(scene->job, path, &options, &product);
  written_check_dependencies(scene->job, product.scene, &scene->arguments->output, 1);
  pack_file_open_bytes(scene->job, product.bytes, product.byte_count, &scene->file);
}

static void eval_put(text_out *text, const eval_scene *scene, const eval_mesh *meshes, uint32_t count) {
  switch (scene->arguments->format) {
  case EVAL_FORMAT_JSON: eval_put_json(text, scene, meshes, count); break;
  case EVAL_FORMAT_PLY: eval_put_ply(text, scene, meshes, count); break;
  case EVAL_FORMAT_OBJ: eval_put_obj(text, scene, meshes, count); break;
  default: eval_put_glb(text, scene, meshes, count); break;
  }
}

int cmd_eval(cook_job *job, const cli_arguments *arguments) {
  const char *path = arguments->inputs.items[0];
  const bool is_pack = pack_file_is_pack(path);
  cli_apply_severities(job, job, arguments);
  eval_check_options(job, arguments, is_pack);
  const cli_list inputs = written_inputs(job, arguments);
  written_check(job, &inputs, &(written_file){arguments->output, "the result", path}, 1);
  console_check_output(job, arguments->output);
  job_set_file(job, path);
  eval_scene scene = {.job = job, .arguments = arguments};
  eval_open(&scene, path, is_pack);
  eval_open_sets(&scene, is_pack);
  eval_select_clips(&scene);
  uint32_t count = 0;
  const eval_mesh *meshes = eval_run(&scene, &count);
  text_out text;
  text_begin(&text, job);
  eval_put(&text, &scene, meshes, count);
  job_stop_on_errors(job); // --werror: nothing is written
  console_write_output(job, arguments->output, text.bytes, text.used);
  return 0;
}
