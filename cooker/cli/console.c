#include "cooker/cli/console.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cooker/base/io.h"

void console_guard_descriptors(void) {
  int descriptor;
  do descriptor = open("/dev/null", O_RDWR);
  while (descriptor >= 0 && descriptor <= 2);
  if (descriptor > 2) close(descriptor);
}

static void console_on_signal(int number) {
  io_cleanup_temporary();
  _exit(128 + number);
}

void console_install_signals(void) {
  static const int numbers[2] = {SIGINT, SIGTERM};
  struct sigaction action = {.sa_handler = console_on_signal};
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGINT);
  sigaddset(&action.sa_mask, SIGTERM);
  for (int i = 0; i < 2; i++) {
    struct sigaction old;
    // a shell starts background jobs with SIGINT ignored: keep that
    if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) sigaction(numbers[i], &action, NULL);
  }
}

// -- Messages --------------------------------------------------------------------------------------------------------

report_style console_message_style(bool is_quiet) {
  const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
  const bool is_dumb = terminal == NULL || strcmp(terminal, "dumb") == 0;
  const bool has_colour = isatty(STDERR_FILENO) && (no_colour == NULL || no_colour[0] == 0) && !is_dumb;
  return (report_style){has_colour, is_quiet};
}

void console_print_issues(cook_job *scratch, const cook_job *job, report_style style) {
  text_out text;
  text_begin(&text, scratch);
  report_issues_text(&text, job, style);
  if (text.used != 0) fwrite(text.bytes, 1, (size_t)text.used, stderr);
}

void console_progress(const char *text) {
  const char *terminal = getenv("TERM");
  if (!isatty(STDERR_FILENO) || terminal == NULL || strcmp(terminal, "dumb") == 0) return;
  fprintf(stderr, "\r\x1b[K%s", text);
  fflush(stderr);
}

// -- Results ---------------------------------------------------------------------------------------------------------

void console_write(cook_job *job, const void *bytes, uint64_t byte_count) {
  errno = 0;
  if (byte_count == 0 || (fwrite(bytes, 1, (size_t)byte_count, stdout) == byte_count && fflush(stdout) == 0)) return;
  cook_where where = COOK_WHERE;
  where.value = errno != 0 ? strerror(errno) : "unknown reason";
  job_fail(job, MPAK_O013, where);
}

bool console_is_stdout(const char *path) { return path == NULL || strcmp(path, "-") == 0; }

void console_check_output(cook_job *job, const char *path) {
  if (!console_is_stdout(path)) io_check_output(job, path);
}

void console_write_output(cook_job *job, const char *path, const void *bytes, uint64_t byte_count) {
  if (console_is_stdout(path))
    console_write(job, bytes, byte_count);
  else
    io_replace_file(job, path, bytes, byte_count);
}
