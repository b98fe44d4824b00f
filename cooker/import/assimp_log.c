#include <string.h>

#include "cooker/import/assimp_private.h"

/// Lines that mean that something a character needs was left out (found by comparing results with other readers).
static const char *const losses[] = {
    "did not find required element",
    "failed to read source object for incoming",
    "does not match the vertex count",
    "out-of-range indices",
    "Missing sampler",
    "length of input data unexpected for", // normals, texture coordinates, colours, materials: the whole layer
    "access type not implemented",         // likewise
};

/// Lines that look like those and are not: what hangs on a node is often a light, a camera or a display setting. That
/// no mesh was among them is checked by itself (assimp_fbx_check_meshes).
static const char *const no_losses[] = {"incoming Model link"};

/// Remarks about weights, which check/ looks at itself.
static const char *const noise[] = {"bone weight sum", "mWeights["};

/// "Warn,  T0: text" and "Error, T0: text" begin like this; other levels are of no interest.
static const char *line_text(const char *message) {
  if (strncmp(message, "Warn", 4) != 0 && strncmp(message, "Error", 5) != 0) return NULL;
  const char *colon = strchr(message, ':');
  return colon == NULL ? message : colon + 1 + strspn(colon + 1, " ");
}

/// Are two lines alike but for their numbers (offsets, vertices)?
static bool is_same_kind(const char *a, const char *b) {
  static const char digits[] = "0123456789abcdefx.";
  while (*a != 0 && *b != 0) {
    const bool is_number = *a >= '0' && *a <= '9' && *b >= '0' && *b <= '9';
    if (!is_number && *a != *b) return false;
    a += is_number ? strspn(a, digits) : 1;
    b += is_number ? strspn(b, digits) : 1;
  }
  return *a == *b;
}

static assimp_log_line *log_find(assimp_log *log, const char *text) {
  for (uint32_t i = 0; i < log->line_count; i++)
    if (is_same_kind(log->lines[i].text, text)) return &log->lines[i];
  return NULL;
}

static void log_take(const char *message, char *user) {
  assimp_log *log = (assimp_log *)(void *)user;
  const char *text = line_text(message);
  if (text == NULL) return;
  char line[ASSIMP_LOG_LINE_BYTES];
  size_t length = strcspn(text, "\r\n");
  if (length >= sizeof line) length = sizeof line - 1;
  for (size_t i = 0; i < length; i++) line[i] = text[i] < ' ' || text[i] > '~' ? '?' : text[i];
  line[length] = 0;
  assimp_log_line *known = log_find(log, line);
  if (known != NULL) known->repeats++;
  if (known != NULL || log->line_count == ASSIMP_LOG_LINES) return;
  assimp_log_line *added = &log->lines[log->line_count++];
  memcpy(added->text, line, length + 1);
  added->repeats = 0;
}

void assimp_log_begin(assimp_log *log) {
  log->line_count = 0;
  log->stream = (struct aiLogStream){log_take, (char *)log};
  aiAttachLogStream(&log->stream);
}

void assimp_log_end(assimp_log *log) { aiDetachLogStream(&log->stream); }

static bool has_any(const char *line, const char *const *texts, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strstr(line, texts[i]) != NULL) return true;
  return false;
}

static bool means_loss(const char *line) {
  return has_any(line, losses, sizeof losses / sizeof *losses) &&
         !has_any(line, no_losses, sizeof no_losses / sizeof *no_losses);
}

void assimp_log_report(const assimp_log *log, cook_job *job, bool with_remarks) {
  for (uint32_t i = 0; i < log->line_count; i++) {
    const assimp_log_line *line = &log->lines[i];
    const bool is_loss = means_loss(line->text);
    if (!is_loss && (!with_remarks || has_any(line->text, noise, sizeof noise / sizeof *noise))) continue;
    cook_where where = COOK_WHERE;
    where.value =
        line->repeats == 0 ? line->text : job_format(job, "%s (and %u more like it)", line->text, line->repeats);
    job_issue(job, is_loss ? MPAK_I011 : MPAK_I012, where);
  }
}
