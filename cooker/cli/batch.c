#include "cooker/cli/batch.h"

#include <string.h>

#include "cooker/cli/console.h"
#include "cooker/cli/written.h"

// -- The report ------------------------------------------------------------------------------------------------------

static const char *batch_suffix(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot != NULL && strchr(dot, '/') == NULL ? dot : "";
}

/// Says whether a report was asked for, and that its name means something that this version can write.
static bool batch_check_report(cook_job *job, const char *report) {
  static const char *const later[3] = {".sarif", ".xml", ".html"};
  if (report == NULL) return false;
  const char *suffix = batch_suffix(report);
  for (int i = 0; i < 3; i++)
    if (strcmp(suffix, later[i]) == 0) cli_fail(job, MPAK_U005, job_format(job, "--report %s", report), NULL);
  if (strcmp(report, "-") != 0 && strcmp(suffix, ".json") != 0)
    cli_fail(job, MPAK_U004, report, "--report, which takes a name that ends with .json");
  console_check_output(job, report);
  return true;
}

static void batch_report_item(json_out *report, const batch_item *item, const cook_job *job, int exit_code) {
  const bool has_scene = item->is_cooked && item->product.scene != NULL;
  const bool is_written = item->output != NULL && exit_code == 0;
  const report_input input = {
      .file = item->file,
      .output = is_written ? item->output : NULL,
      .job = job,
      .exit_code = exit_code,
      .stats = item->is_cooked ? &item->product.stats : NULL,
      .source_hash = has_scene ? item->product.scene->source_hash : 0,
  };
  report_json_input(report, &input);
}

// -- One input -------------------------------------------------------------------------------------------------------

static void batch_end_job(void *user) { job_end(user); }

static void batch_print(cook_job *job, const batch_plan *plan, const batch_item *item, const cook_job *input_job,
                        bool is_done) {
  const cli_arguments *arguments = plan->arguments;
  const cook_mark mark = job_mark(job);
  console_print_issues(job, input_job, console_message_style(arguments->is_quiet));
  const bool has_room = !arguments->is_quiet && !(item->output != NULL && console_is_stdout(item->output));
  const bool report_is_stdout = arguments->report != NULL && console_is_stdout(arguments->report);
  if (has_room && !report_is_stdout && (is_done || item->output == NULL)) {
    text_out text;
    text_begin(&text, job);
    plan->put_summary(&text, item, input_job);
    console_write(job, text.bytes, text.used);
  }
  job_release(job, mark);
}

static void batch_show_progress(cook_job *job, const batch_item *item, uint32_t number, uint32_t count) {
  const cook_mark mark = job_mark(job);
  text_out text;
  text_begin(&text, job);
  text_printf(&text, "[%u/%u] ", number + 1, count);
  text_put_escaped(&text, item->file, false);
  console_progress(text.bytes);
  job_release(job, mark);
}

/// Returns the exit code of one input.
static int batch_run_item(cook_job *job, const batch_plan *plan, uint32_t number, json_out *report) {
  batch_item item = {.arguments = plan->arguments, .file = plan->arguments->inputs.items[number]};
  if (plan->outputs != NULL) item.output = plan->outputs[number];
  cook_job *input_job = job_begin(NULL, NULL);
  if (input_job == NULL) cli_fail(job, MPAK_O010, NULL, NULL);
  job_defer(job, batch_end_job, input_job);
  job_set_file(input_job, item.file);
  cli_apply_severities(job, input_job, plan->arguments);
  if (!plan->arguments->is_quiet) batch_show_progress(job, &item, number, plan->arguments->inputs.count);
  const bool is_done = job_run(input_job, plan->step, &item);
  console_progress("");
  int exit_code = job_exit_code(input_job);
  if (!is_done && exit_code == 0) exit_code = 7; // a stage left without a reason
  batch_print(job, plan, &item, input_job, is_done && exit_code == 0);
  if (report != NULL) {
    if (item.is_cooked) written_check_dependencies(job, item.product.scene, &plan->arguments->report, 1);
    batch_report_item(report, &item, input_job, exit_code);
  }
  job_undefer(job, batch_end_job, input_job);
  return exit_code;
}

int batch_run(cook_job *job, const batch_plan *plan) {
  const cli_arguments *arguments = plan->arguments;
  cli_apply_severities(job, job, arguments); // misuse shows before any work
  const bool has_report = batch_check_report(job, arguments->report);
  text_out text;
  json_out report;
  text_begin(&text, job);
  write_json_begin(&report, &text);
  if (has_report) report_json_begin(&report, arguments->verb->name);
  int largest = 0;
  for (uint32_t i = 0; i < arguments->inputs.count; i++) {
    const int exit_code = batch_run_item(job, plan, i, has_report ? &report : NULL);
    if (exit_code > largest) largest = exit_code;
  }
  if (has_report) {
    report_json_end(&report, largest);
    console_write_output(job, arguments->report, text.bytes, text.used);
  }
  return largest;
}
