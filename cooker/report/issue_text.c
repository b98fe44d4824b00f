#include "cooker/report/issue_report.h"

#define COLOUR_OFF  "\x1b[0m"
#define COLOUR_BOLD "\x1b[1m"

const char *report_severity_name(mpak_severity severity) {
  return severity == MPAK_ERROR ? "error" : severity == MPAK_WARNING ? "warning" : "info";
}

static const char *severity_colour(mpak_severity severity) {
  return severity == MPAK_ERROR ? "\x1b[1;31m" : severity == MPAK_WARNING ? "\x1b[1;35m" : "\x1b[1;36m";
}

/// "hero.fbx: error: "
static void issue_put_head(text_out *text, const char *file, mpak_severity severity, report_style style) {
  if (style.has_colour) text_put(text, COLOUR_BOLD);
  text_put_escaped(text, file, false);
  text_put(text, ": ");
  if (style.has_colour) text_put(text, severity_colour(severity));
  text_put(text, report_severity_name(severity));
  text_put_char(text, ':');
  if (style.has_colour) text_put(text, COLOUR_OFF);
  text_put_char(text, ' ');
}

static void issue_put_named(text_out *text, bool *is_first, const char *kind, const char *name) {
  if (name == NULL) return;
  if (!*is_first) text_put_char(text, ' ');
  *is_first = false;
  text_printf(text, "%s \"", kind);
  text_put_escaped(text, name, true);
  text_put_char(text, '"');
}

/// `mesh "Body" primitive 0 target "Smile": `, or nothing when the place is not known.
static void issue_put_place(text_out *text, const cook_where *where) {
  bool is_first = true;
  issue_put_named(text, &is_first, "node", where->node);
  issue_put_named(text, &is_first, "mesh", where->mesh);
  if (where->primitive != MPAK_NONE) {
    text_printf(text, "%sprimitive %u", is_first ? "" : " ", where->primitive);
    is_first = false;
  }
  issue_put_named(text, &is_first, "target", where->target);
  issue_put_named(text, &is_first, "skin", where->skin);
  issue_put_named(text, &is_first, "clip", where->clip);
  issue_put_named(text, &is_first, "material", where->material);
  if (where->stream != NULL) {
    if (!is_first) text_put_char(text, ' ');
    is_first = false;
    text_put_escaped(text, where->stream, false);
  }
  if (!is_first) text_put(text, ": ");
}

static void issue_put_tail(text_out *text, const mpak_issue_info *info) {
  text_printf(text, " [%s]\n", info->code);
  if (info->hint != NULL && info->hint[0] != 0) text_printf(text, "hint: %s\n", info->hint);
}

static void issue_put_text(text_out *text, const cook_issue *issue, report_style style) {
  issue_put_head(text, issue->file, issue->severity, style);
  issue_put_place(text, &issue->where);
  text_put_escaped(text, issue->message, false);
  issue_put_tail(text, mpak_issue_get(issue->id));
}

void report_message_text(text_out *text, mpak_issue_id id, const char *file, const char *message, report_style style) {
  const mpak_issue_info *info = mpak_issue_get(id);
  issue_put_head(text, file, info->severity, style);
  text_put_escaped(text, message, false);
  issue_put_tail(text, info);
}

static uint64_t job_all_issues(const cook_job *job) {
  return job_severity_count(job, MPAK_ERROR) + job_severity_count(job, MPAK_WARNING) +
         job_severity_count(job, MPAK_INFO);
}

void report_issues_text(text_out *text, const cook_job *job, report_style style) {
  const uint32_t kept = job_issue_count(job);
  for (uint32_t i = 0; i < kept; i++) {
    const cook_issue *issue = job_issue_at(job, i);
    if (!style.is_quiet || issue->severity != MPAK_INFO) issue_put_text(text, issue, style);
  }
  const uint64_t all = job_all_issues(job);
  if (all > kept) {
    text_put_escaped(text, job_file(job), false);
    text_printf(text, ": %llu more issues are not shown\n", (unsigned long long)(all - kept));
  }
  if (job_exit_code(job) != 0 && job_severity_count(job, MPAK_ERROR) == 0)
    report_message_text(text, MPAK_O010, job_file(job), mpak_issue_get(MPAK_O010)->message, style);
}
