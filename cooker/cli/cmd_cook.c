// mpak cook FILE… [-o OUT.mpak] [options]: turn models into packs.
//
// Each FILE is imported in a process of its own, checked, cooked, and written to OUT, or to its own name with the
// suffix .mpak. Outputs are checked before any work and replaced as a whole or not at all. Issues go to standard error,
// a summary to standard output, a depfile (-MD) and a report (--report) to files.
//
// Exit status: the largest over all inputs; see `mpak --help`.
#include <string.h>
#include <sys/stat.h>

#include "cooker/base/io.h"
#include "cooker/cli/batch.h"
#include "cooker/cli/commands.h"
#include "cooker/cli/console.h"
#include "cooker/cli/depfile.h"
#include "cooker/cli/summary.h"

// -- Paths -----------------------------------------------------------------------------------------------------------

/// path with the suffix of its last part replaced.
static const char *cook_with_suffix(cook_job *job, const char *path, const char *suffix) {
  const char *slash = strrchr(path, '/');
  const char *name = slash != NULL ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  const size_t length = dot != NULL && dot != name ? (size_t)(dot - path) : strlen(path);
  return job_format(job, "%s%s", (char *)job_copy(job, path, length), suffix);
}

/// Do both paths name the same file? Two that do not exist yet: the same text.
static bool cook_is_same_file(const char *a, const char *b) {
  struct stat first, second;
  if (strcmp(a, b) == 0) return true;
  if (stat(a, &first) != 0 || stat(b, &second) != 0) return false;
  return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

static void cook_check_collisions(cook_job *job, const cli_arguments *arguments, const char *const *outputs) {
  for (uint32_t i = 0; i < arguments->inputs.count; i++) {
    if (console_is_stdout(outputs[i])) continue;
    for (uint32_t j = 0; j < arguments->inputs.count; j++) {
      if (cook_is_same_file(outputs[i], arguments->inputs.items[j])) cli_fail(job, MPAK_U010, outputs[i], "an input");
      if (j < i && cook_is_same_file(outputs[i], outputs[j]))
        cli_fail(job, MPAK_U010, outputs[i], job_format(job, "also the pack of \"%s\"", arguments->inputs.items[j]));
    }
  }
}

static const char *const *cook_outputs(cook_job *job, const cli_arguments *arguments) {
  const char **outputs = JOB_ARRAY(job, const char *, arguments->inputs.count);
  for (uint32_t i = 0; i < arguments->inputs.count; i++) {
    const bool is_named = arguments->output != NULL;
    outputs[i] = is_named ? arguments->output : cook_with_suffix(job, arguments->inputs.items[i], ".mpak");
  }
  cook_check_collisions(job, arguments, outputs);
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

static const char *cook_depfile_path(cook_job *job, const batch_item *item) {
  const char *path = item->arguments->depfile_path;
  return path != NULL ? path : cook_with_suffix(job, item->output, ".d");
}

static void cook_write(cook_job *job, batch_item *item) {
  const cook_product *product = &item->product;
  text_out rule;
  text_begin(&rule, job);
  if (item->arguments->depfile) // made first: a path that no depfile can name leaves no pack without one
    depfile_put(&rule, item->output, &item->arguments->depfile_targets, product->scene->dependencies,
                product->scene->dependency_count, item->arguments->depfile_phony);
  if (console_is_stdout(item->output))
    console_write(job, product->bytes, product->byte_count);
  else
    item->is_unchanged = !io_replace_file(job, item->output, product->bytes, product->byte_count);
  if (item->arguments->depfile) io_replace_file(job, cook_depfile_path(job, item), rule.bytes, rule.used);
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
  if (item->arguments->depfile) io_check_output(job, cook_depfile_path(job, item));
  const cook_options options = cli_cook_options_of(item->arguments);
  cook_file(job, item->file, &options, &item->product);
  item->is_cooked = true;
  if (item->product.stats.source_bytes == 0) item->product.stats.source_bytes = cook_source_bytes(item->product.scene);
  cook_write(job, item);
}

int cmd_cook(cook_job *job, const cli_arguments *arguments) {
  cook_check_options(job, arguments);
  const batch_plan plan = {arguments, cook_outputs(job, arguments), cook_step, summary_put_cook};
  return batch_run(job, &plan);
}
