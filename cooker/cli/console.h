/// console.h: standard output and standard error, signals, and files that may be either.
#ifndef CLI_CONSOLE_H
#define CLI_CONSOLE_H

#include "cooker/report/issue_report.h"

/// Makes sure that descriptors 0 to 2 are open, so that no file of ours gets one of their numbers.
void console_guard_descriptors(void);

/// SIGINT and SIGTERM remove the temporary file under way and exit with 130 and 143.
void console_install_signals(void);

/// How messages on standard error look: colours on a terminal without NO_COLOR.
report_style console_message_style(bool is_quiet);

/// Prints the issues of a job on standard error. Never fails.
void console_print_issues(cook_job *scratch, const cook_job *job, report_style style);

/// Writes a text to standard output. Fails the job with O013 when it cannot be written.
void console_write(cook_job *job, const void *bytes, uint64_t byte_count);

/// A line on standard error that the next one replaces, when it is a terminal; an empty text wipes it.
void console_progress(const char *text);

/// Does the path mean standard output? NULL and "-" do.
bool console_is_stdout(const char *path);

/// Checks an output before any work: nothing for standard output, else io_check_output.
void console_check_output(cook_job *job, const char *path);

/// Writes a result to a file, all or nothing, or to standard output.
void console_write_output(cook_job *job, const char *path, const void *bytes, uint64_t byte_count);

#endif
