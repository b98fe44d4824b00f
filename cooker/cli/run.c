#include "cooker/cli/run.h"

#include <stdio.h>
#include <string.h>

#include "cooker/cli/commands.h"
#include "cooker/cli/console.h"
#include "cooker/cli/options.h"

typedef struct run_line {
  int argument_count;
  const char *const *arguments;
  int exit_code;
  bool is_quiet;
} run_line;

/// --help, -h and --version in the place of a verb.
static const cli_verb *run_find_verb(cook_job *job, const char *word) {
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) word = "help";
  if (strcmp(word, "--version") == 0) word = "version";
  return cli_require_verb(job, word);
}

static void run_put_page(cook_job *job, const cli_verb *verb) {
  text_out text;
  text_begin(&text, job);
  cli_put_help(&text, verb);
  console_write(job, text.bytes, text.used);
}

static void run_without_verb(cook_job *job) {
  text_out text;
  text_begin(&text, job);
  cli_put_overview(&text);
  fwrite(text.bytes, 1, (size_t)text.used, stderr);
}

static void run_step(cook_job *job, void *user) {
  run_line *line = user;
  if (line->argument_count < 2) {
    run_without_verb(job);
    line->exit_code = 2;
    return;
  }
  const cli_verb *verb = run_find_verb(job, line->arguments[1]);
  job_set_file(job, job_format(job, "mpak %s", verb->name));
  cli_arguments arguments;
  cli_parse(job, verb, line->argument_count - 2, line->arguments + 2, &arguments);
  line->is_quiet = arguments.is_quiet;
  if (arguments.wants_help && verb->run != cmd_help)
    run_put_page(job, verb);
  else
    line->exit_code = verb->run(job, &arguments);
}

/// Printing needs memory too: it runs as a step of its own, and may fail.
static void run_print_step(cook_job *job, void *user) {
  const run_line *line = user;
  console_print_issues(job, job, console_message_style(line->is_quiet));
}

static int run_out_of_memory(void) {
  fputs("mpak: error: out of memory [MPAK-O010]\n", stderr);
  return 6;
}

int cli_main(int argument_count, char **arguments) {
  console_guard_descriptors();
  console_install_signals();
  cook_job *job = job_begin(NULL, NULL);
  if (job == NULL) return run_out_of_memory();
  job_set_file(job, "mpak");
  run_line line = {.argument_count = argument_count, .arguments = (const char *const *)arguments};
  const bool has_returned = job_run(job, run_step, &line);
  int exit_code = line.exit_code;
  if (!has_returned) exit_code = job_exit_code(job) != 0 ? job_exit_code(job) : 7;
  if (!job_run(job, run_print_step, &line)) exit_code = run_out_of_memory();
  job_end(job);
  return exit_code;
}
