#include "cooker/cli/view_source.h"

#include "cooker/cli/console.h"
#include "cooker/cli/written.h"

void view_source_check(cook_job *job, const cli_arguments *arguments, const char *output) {
  const char *path = arguments->inputs.items[0];
  cli_apply_severities(job, job, arguments);
  written_refuse_clip_packs(job, arguments);
  const cli_list inputs = written_inputs(job, arguments);
  written_check(job, &inputs, &(written_file){output, "the picture", path}, output != NULL);
  if (output != NULL) console_check_output(job, output);
  if (!pack_file_is_pack(path)) return;
  if (arguments->unit == COOK_UNIT_SOURCE) cli_fail(job, MPAK_U019, "--unit source", NULL);
  if (arguments->up == COOK_UP_SOURCE) cli_fail(job, MPAK_U019, "--up source", NULL);
  if (arguments->name_encoding != NULL) cli_fail(job, MPAK_U019, "--name-encoding", NULL);
}

static void source_check_lod(cook_job *job, const cli_arguments *arguments, const mpak_pack *pack) {
  uint32_t most = 1;
  for (uint32_t m = 0; m < pack->mesh_count; m++)
    if (pack->meshes[m].lod_count > most) most = pack->meshes[m].lod_count;
  if (cli_lod(arguments) >= most) cli_fail(job, MPAK_U024, arguments->lod, job_format(job, "%u", most));
}

view_source view_source_open(cook_job *job, const cli_arguments *arguments, const char *path) {
  view_source source = {0};
  job_set_file(job, path);
  if (pack_file_is_pack(path)) {
    pack_file_open(job, path, &source.file);
    pack_file_check_all(job, &source.file);
  } else {
    const cook_options options = cli_resolve_cook_options(job, arguments);
    cook_product product;
    cook_file(job, path, &options, &product);
    written_check_dependencies(job, product.scene, &arguments->output, arguments->output != NULL);
    pack_file_open_bytes(job, product.bytes, product.byte_count, &source.file);
  }
  source.bytes = source.file.pack.bytes; // unwrapped
  source.byte_count = source.file.pack.byte_count;
  source_check_lod(job, arguments, &source.file.pack);
  return source;
}

void view_source_fail(cook_job *job, const viewer_outcome *outcome) {
  cook_where where = COOK_WHERE;
  where.value = job_copy(job, outcome->text, sizeof outcome->text);
  switch (outcome->result) {
  case VIEWER_OK: return;
  case VIEWER_NO_GL: job_fail(job, MPAK_O015, where);
  case VIEWER_NO_WINDOW: job_fail(job, MPAK_O016, where);
  case VIEWER_NO_MEMORY: job_fail(job, MPAK_O010, where);
  default: job_fail(job, MPAK_P009, where);
  }
}

void view_source_warn(cook_job *job, const viewer_outcome *outcome) {
  cook_where where = COOK_WHERE;
  where.value = outcome->lacks_font ? "there is no font file" : "the font has not all of them";
  if (outcome->lacks_glyphs) job_issue(job, MPAK_O017, where);
}
