#include <stdio.h>
#include <string.h>

#include "cooker/base/job.h"
#include "cooker/base/job_private.h"

// -- Messages --------------------------------------------------------------------------------------------------------

/// Text being put together: first counted with bytes NULL, then written.
typedef struct text_sink {
  char *bytes;
  size_t length;
} text_sink;

static void sink_put(text_sink *sink, const char *text, size_t length) {
  if (sink->bytes != NULL) memcpy(sink->bytes + sink->length, text, length);
  sink->length += length;
}

static void sink_put_text(text_sink *sink, const char *text) { sink_put(sink, text, strlen(text)); }

/// "vertex 1203", or "vertex 1203 and 4 more".
static void sink_put_element(text_sink *sink, const cook_where *where) {
  char number[64];
  sink_put_text(sink, where->element != NULL ? where->element : "element");
  snprintf(number, sizeof number, " %llu", (unsigned long long)where->index);
  sink_put_text(sink, number);
  if (where->more == 0) return;
  snprintf(number, sizeof number, " and %llu more", (unsigned long long)where->more);
  sink_put_text(sink, number);
}

/// The table's message with {e}, {v} and {l} filled in.
static void sink_put_message(text_sink *sink, const char *pattern, const cook_where *where) {
  for (const char *c = pattern; *c != 0; c++) {
    if (strncmp(c, "{e}", 3) == 0)
      sink_put_element(sink, where);
    else if (strncmp(c, "{v}", 3) == 0)
      sink_put_text(sink, where->value != NULL ? where->value : "?");
    else if (strncmp(c, "{l}", 3) == 0)
      sink_put_text(sink, where->limit != NULL ? where->limit : "?");
    else {
      sink_put(sink, c, 1);
      continue;
    }
    c += 2;
  }
}

// -- Keeping issues --------------------------------------------------------------------------------------------------

#define ISSUE_TEXTS 10

/// All text members of an issue, so that they can be copied in one loop.
static void issue_texts(cook_issue *issue, const char **texts[ISSUE_TEXTS]) {
  cook_where *where = &issue->where;
  const char **all[ISSUE_TEXTS] = {&issue->file, &where->node,     &where->mesh,   &where->target, &where->skin,
                                   &where->clip, &where->material, &where->stream, &where->value,  &where->limit};
  memcpy(texts, all, sizeof all);
}

/// Moves a text behind the node; at is the next free byte.
static const char *issue_keep_text(const char *text, char **at) {
  if (text == NULL) return NULL;
  const size_t length = strlen(text) + 1;
  memcpy(*at, text, length);
  *at += length;
  return *at - length;
}

static size_t issue_text_bytes(cook_issue *issue) {
  const char **texts[ISSUE_TEXTS];
  issue_texts(issue, texts);
  size_t total = strlen(issue->message) + 1 + (issue->where.element != NULL ? strlen(issue->where.element) + 1 : 0);
  for (int i = 0; i < ISSUE_TEXTS; i++)
    if (*texts[i] != NULL) total += strlen(*texts[i]) + 1;
  return total;
}

static void job_keep_issue(cook_job *job, cook_issue issue) {
  const size_t byte_count = sizeof(cook_issue_node) + issue_text_bytes(&issue);
  cook_issue_node *node = job->allocator.allocate(job->allocator.user, byte_count);
  if (node == NULL) {
    job->is_out_of_memory = true;
    job_leave(job);
  }
  *node = (cook_issue_node){.issue = issue, .byte_count = byte_count};
  char *at = (char *)(node + 1);
  const char **texts[ISSUE_TEXTS];
  issue_texts(&node->issue, texts);
  for (int i = 0; i < ISSUE_TEXTS; i++) *texts[i] = issue_keep_text(*texts[i], &at);
  node->issue.message = issue_keep_text(issue.message, &at);
  node->issue.where.element = issue_keep_text(issue.where.element, &at);
  if (job->last_issue == NULL) job->last_issue = &job->first_issue;
  *job->last_issue = node;
  job->last_issue = &node->next;
  job->issue_count++;
}

/// Gives back the issues from a link of the list on.
static void job_release_issues(cook_job *job, cook_issue_node **link) {
  while (*link != NULL) {
    cook_issue_node *node = *link;
    *link = node->next;
    job->allocator.release(job->allocator.user, node, node->byte_count);
  }
  job->last_issue = link;
}

void job_forget_issues(cook_job *job) { job_release_issues(job, &job->first_issue); }

cook_issue_mark job_issue_mark(const cook_job *job) {
  cook_issue_mark mark = {.issue_count = job->issue_count, .exit_code = job->exit_code};
  memcpy(mark.severity_counts, job->severity_counts, sizeof mark.severity_counts);
  return mark;
}

void job_forget(cook_job *job, cook_issue_mark mark) {
  cook_issue_node **link = &job->first_issue;
  for (uint32_t i = 0; i < mark.issue_count; i++) link = &(*link)->next;
  job_release_issues(job, link);
  job->issue_count = mark.issue_count;
  job->exit_code = mark.exit_code;
  memcpy(job->severity_counts, mark.severity_counts, sizeof mark.severity_counts);
}

#define SEVERITY_OFF 3

static int job_severity_of(const cook_job *job, mpak_issue_id id) {
  const int severity = job->severities[id];
  return severity == MPAK_WARNING && job->werror ? MPAK_ERROR : severity;
}

static void job_count_issue(cook_job *job, mpak_issue_id id, mpak_severity severity) {
  job->severity_counts[severity]++;
  if (severity != MPAK_ERROR) return;
  const mpak_issue_info *info = mpak_issue_get(id);
  const int code = info->severity == MPAK_ERROR ? info->exit_code : 1;
  if (code > job->exit_code) job->exit_code = code;
}

void job_issue(cook_job *job, mpak_issue_id id, cook_where where) {
  const int severity = job_severity_of(job, id);
  if (severity == SEVERITY_OFF) return;
  job_count_issue(job, id, (mpak_severity)severity);
  if (job->issue_count >= job->limits.issues) return;
  const char *pattern = mpak_issue_get(id)->message;
  text_sink counted = {0};
  sink_put_message(&counted, pattern, &where);
  const cook_mark mark = job_mark(job);
  text_sink written = {job_alloc(job, counted.length + 1, 1), 0};
  sink_put_message(&written, pattern, &where);
  job_keep_issue(job, (cook_issue){id, (mpak_severity)severity, job->file, where, written.bytes});
  job_release(job, mark);
}

void job_adopt_issue(cook_job *job, const cook_issue *issue) {
  const int severity = job_severity_of(job, issue->id);
  if (severity == SEVERITY_OFF) return;
  job_count_issue(job, issue->id, (mpak_severity)severity);
  if (job->issue_count >= job->limits.issues) return;
  cook_issue kept = *issue;
  kept.severity = (mpak_severity)severity;
  kept.file = job->file;
  job_keep_issue(job, kept);
}

_Noreturn void job_fail(cook_job *job, mpak_issue_id id, cook_where where) {
  if (job->severities[id] != MPAK_ERROR)
    job->severities[id] = MPAK_ERROR; // what ends a job is an error, whatever -W says
  job_issue(job, id, where);
  job_leave(job);
}

void job_stop_on_errors(cook_job *job) {
  if (job->severity_counts[MPAK_ERROR] != 0) job_leave(job);
}

// -- Settings and results --------------------------------------------------------------------------------------------

void job_set_file(cook_job *job, const char *file) { job->file = file; }
const char *job_file(const cook_job *job) { return job->file; }
void job_set_severity(cook_job *job, mpak_issue_id id, int level) { job->severities[id] = (uint8_t)level; }
void job_set_werror(cook_job *job, bool werror) { job->werror = werror; }
uint32_t job_issue_count(const cook_job *job) { return job->issue_count; }

const cook_issue *job_issue_at(const cook_job *job, uint32_t i) {
  const cook_issue_node *node = job->first_issue;
  while (i-- > 0 && node != NULL) node = node->next;
  return node != NULL ? &node->issue : NULL;
}

uint64_t job_severity_count(const cook_job *job, mpak_severity severity) { return job->severity_counts[severity]; }

int job_exit_code(const cook_job *job) { return job->is_out_of_memory && job->exit_code < 6 ? 6 : job->exit_code; }
