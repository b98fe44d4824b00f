/// issue_report.h: issues for people (text) and for programs (JSON, cooker/report/schema/issues.v1.json).
///
/// Both are made from the same records of a job, so they cannot tell different stories.
#ifndef COOK_ISSUE_REPORT_H
#define COOK_ISSUE_REPORT_H

#include "cooker/cook.h"
#include "cooker/report/json_out.h"

// -- Text ------------------------------------------------------------------------------------------------------------

typedef struct report_style {
  bool has_colour; ///< ANSI colours
  bool is_quiet;   ///< infos are left out
} report_style;

/// All issues of a job, each as
///
///     hero.fbx: error: mesh "Body" primitive 0 target "Smile": position delta of vertex 1203 is not finite [MPAK-M012]
///     hint: …
///
/// and a last line when more were found than the job keeps. A job that ran out of memory gets the issue that says so.
void report_issues_text(text_out *text, const cook_job *job, report_style style);

/// One message of that form without a job: of the command line itself.
void report_message_text(text_out *text, mpak_issue_id id, const char *file, const char *message, report_style style);

/// "error", "warning" or "info".
const char *report_severity_name(mpak_severity severity);

// -- JSON ------------------------------------------------------------------------------------------------------------

/// What a report says about one input.
typedef struct report_input {
  const char *file;
  const char *output;      ///< the pack that was written, or NULL
  const cook_job *job;     ///< its issues
  int exit_code;           ///< of this input
  const cook_stats *stats; ///< or NULL when nothing was cooked
  uint64_t source_hash;    ///< with stats
} report_input;

/// Opens the document; command is the verb.
void report_json_begin(json_out *json, const char *command);
void report_json_input(json_out *json, const report_input *input);
void report_json_end(json_out *json, int exit_code);

#endif
