#include <string.h>

#include "cooker/import/assimp_private.h"

/// Lines that mean that something a character needs was left out (found by comparing results with other readers).
static const char *const losses[] = {
    "did not find required element",
    "failed to read source object for incoming",
    "does not match the vertex count",
    "out-of-range indices",
    "Missing sampler",
};

/// "Warn,  T0: text" and "Error, T0: text" begin like this; other levels are of no interest.
static const char *line_text(const char *message) {
  if (strncmp(message, "Warn", 4) != 0 && strncmp(message, "Error", 5) != 0) return NULL;
  const char *colon = strchr(message, ':');
  return colon == NULL ? message : colon + 1 + strspn(colon + 1, " ");
}

static bool log_knows(const assimp_log *log, const char *line) {
  for (uint32_t i = 0; i < log->line_count; i++)
    if (strcmp(log->lines[i], line) == 0) return true;
  return false;
}

static void log_take(const char *message, char *user) {
  assimp_log *log = (assimp_log *)(void *)user;
  const char *text = line_text(message);
  if (text == NULL || log->line_count == ASSIMP_LOG_LINES) return;
  char line[ASSIMP_LOG_LINE_BYTES];
  size_t length = strcspn(text, "\r\n");
  if (length >= sizeof line) length = sizeof line - 1;
  for (size_t i = 0; i < length; i++) line[i] = text[i] < ' ' || text[i] > '~' ? '?' : text[i];
  line[length] = 0;
  if (!log_knows(log, line)) memcpy(log->lines[log->line_count++], line, length + 1);
}

void assimp_log_begin(assimp_log *log) {
  log->line_count = 0;
  log->stream = (struct aiLogStream){log_take, (char *)log};
  aiAttachLogStream(&log->stream);
}

void assimp_log_end(assimp_log *log) { aiDetachLogStream(&log->stream); }

static bool means_loss(const char *line) {
  for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
    if (strstr(line, losses[i]) != NULL) return true;
  return false;
}

void assimp_log_report(const assimp_log *log, cook_job *job) {
  for (uint32_t i = 0; i < log->line_count; i++) {
    cook_where where = COOK_WHERE;
    where.value = log->lines[i];
    job_issue(job, means_loss(log->lines[i]) ? MPAK_I011 : MPAK_I012, where);
  }
}
