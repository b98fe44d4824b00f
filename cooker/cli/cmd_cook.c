// mpak cook FILE… [-o OUT.mpak] [options]: turn models into packs.
//
// Each FILE is imported in a process of its own, checked, cooked, and written to OUT, or to its own name with the
// suffix .mpak. Outputs are checked before any work and replaced as a whole or not at all. Issues go to standard error,
// a summary to standard output, a depfile (-MD) and a report (--report) to files.
//
// Exit status: the largest over all inputs; see `mpak --help`.
#include <sys/stat.h>

#include "cooker/base/io.h"
#include "cooker/cli/batch.h"
#include "cooker/cli/commands.h"
#include "cooker/cli/console.h"
#include "cooker/cli/depfile.h"
#include "cooker/cli/summary.h"
#include "cooker/cli/written.h"

// -- Paths -----------------------------------------------------------------------------------------------------------

static const char *cook_depfile_path(cook_job *job, const cli_arguments *arguments, const char *output) {
  if (!arguments->depfile) return NULL;
  return arguments->depfile_path != NULL ? arguments->depfile_path : written_with_suffix(job, output, ".d");
}

/// Packs, depfiles and the report must be files of their own.
static void cook_check_written(cook_job *job, const cli_arguments *arguments, const char *const *outputs) {
  const uint32_t input_count = arguments->inputs.count;
  written_file *files = JOB_ARRAY(job, written_file, 2ull * input_count + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < input_count; i++) {
    const char *depfile = cook_depfile_path(job, arguments, outputs[i]), *input = arguments->inputs.items[i];
    files[count++] = (written_file){outputs[i], NULL, input};
    files[count++] = (written_file){depfile, "the depfile", input};
  }
  files[count++] = (written_file){arguments->report, "the report", NULL};
  const cli_list inputs = written_inputs(job, arguments);
  written_check(job, &inputs, files, count);
}

static const char *const *cook_outputs(cook_job *job, const cli_arguments *arguments) {
  const char **outputs = JOB_ARRAY(job, const char *, arguments->inputs.count);
  for (uint32_t i = 0; i < arguments->inputs.count; i++) {
    const bool is_named = arguments->output != NULL;
    outputs[i] = is_named ? arguments->output : written_with_suffix(job, arguments->inputs.items[i], ".mpak");
  }
  cook_check_written(job, arguments, outputs);
  return outputs;
}

// -- Options that belong together ------------------------------------------------------------------------------------

static void cook_check_single(cook_job *job, const cli_arguments *arguments, const char *name, bool is_given) {
  const uint32_t count = arguments->inputs.count;
  if (is_given && count > 1) cli_fail(job, MPAK_U009, name, job_format(job, "%u", count));
}

static void cook_check_options(cook_job *job, const cli_arguments *arguments) {
  cook_check_single(job, arguments, "-o", arguments->output != NULL);
  cook_check_single(job, arguments, "-MF", arguments->depfile_path != NULL);
  cook_check_single(job, arguments, "-MT", arguments->depfile_targets.count != 0);
  if (!arguments->depfile) {
    if (arguments->depfile_path != NULL) cli_fail(job, MPAK_U011, "-MF", "-MD");
    if (arguments->depfile_targets.count != 0) cli_fail(job, MPAK_U011, "-MT", "-MD");
    if (arguments->depfile_phony) cli_fail(job, MPAK_U011, "-MP", "-MD");
  } else if (arguments->output != NULL && console_is_stdout(arguments->output)) {
    if (arguments->depfile_path == NULL) cli_fail(job, MPAK_U011, "-MD with -o -", "-MF");
    if (arguments->depfile_targets.count == 0) cli_fail(job, MPAK_U011, "-MD with -o -", "-MT");
  }
}

// -- One input -------------------------------------------------------------------------------------------------------

static void cook_write(cook_job *job, batch_item *item) {
  const cook_product *product = &item->product;
  const char *depfile = cook_depfile_path(job, item->arguments, item->output);
  written_check_dependencies(job, product->scene, (const char *[]){item->output, depfile}, 2);
  text_out rule;
  text_begin(&rule, job);
  if (depfile != NULL) // made first: a path that no depfile can name leaves no pack without one
    depfile_put(&rule, item->output, &item->arguments->depfile_targets, product->scene->dependencies,
                product->scene->dependency_count, item->arguments->depfile_phony);
  if (console_is_stdout(item->output))
    console_write(job, product->file, product->file_bytes);
  else
    item->is_unchanged = !io_replace_file(job, item->output, product->file, product->file_bytes);
  if (depfile != NULL) io_replace_file(job, depfile, rule.bytes, rule.used);
}

/// Bytes of all files that were read.
static uint64_t cook_source_bytes(const cook_scene *scene) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < scene->dependency_count; i++) {
    struct stat status;
    if (stat(scene->dependencies[i], &status) == 0 && status.st_size > 0) sum += (uint64_t)status.st_size;
  }
  return sum;
}

static void cook_step(cook_job *job, void *user) {
  batch_item *item = user;
  console_check_output(job, item->output);
  console_check_output(job, cook_depfile_path(job, item->arguments, item->output));
  const cook_options options = cli_resolve_cook_options(job, item->arguments);
  cook_file(job, item->file, &options, &item->product);
  item->is_cooked = true;
  if (item->product.stats.source_bytes == 0) item->product.stats.source_bytes = cook_source_bytes(item->product.scene);
  cook_write(job, item);
}

int cmd_cook(cook_job *job, const cli_arguments *arguments) {
  cook_check_options(job, arguments);
  written_refuse_clip_packs(job, arguments);
  const batch_plan plan = {arguments, cook_outputs(job, arguments), cook_step, summary_put_cook};
  return batch_run(job, &plan);
}
