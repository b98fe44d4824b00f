#include <string.h>

#include "cooker/import/assimp_private.h"

/// What Assimp 5.2 leaves out of a format without a word, found by comparing with the formats' documents.
static const struct {
  const char *suffix, *is_read, *is_lost;
} poor_formats[] = {
    {"pmx", "meshes, joints and skin weights", "morph targets, physics and display frames"},
    {"blend", "meshes and materials", "armatures, shape keys, animation and most modifiers"},
    {"iqm", "meshes", "joints, skin weights and animation"},
    {"md2", "meshes", "all frames but the first"},
    {"md3", "meshes", "all frames but the first"},
    {"mdc", "meshes", "all frames but the first"},
};

void assimp_report_format(cook_job *job, const char *suffix) {
  for (size_t i = 0; i < sizeof poor_formats / sizeof *poor_formats; i++) {
    if (strcmp(poor_formats[i].suffix, suffix) != 0) continue;
    cook_where where = COOK_WHERE;
    where.value = poor_formats[i].is_read;
    where.limit = poor_formats[i].is_lost;
    job_issue(job, MPAK_I052, where);
  }
}

static bool has_word(const uint8_t *bytes, uint64_t byte_count, const char *word) {
  return memmem(bytes, byte_count, word, strlen(word)) != NULL;
}

/// Does the text end in this word, blanks aside?
static bool ends_in_word(const uint8_t *bytes, uint64_t byte_count, const char *word) {
  const size_t length = strlen(word);
  while (byte_count != 0 && bytes[byte_count - 1] <= ' ') byte_count--;
  return byte_count >= length && memcmp(bytes + byte_count - length, word, length) == 0;
}

static bool has_balanced_braces(const uint8_t *bytes, uint64_t byte_count) {
  uint64_t opened = 0, closed = 0;
  for (uint64_t i = 0; i < byte_count; i++) {
    opened += bytes[i] == '{';
    closed += bytes[i] == '}';
  }
  return opened == closed;
}

void assimp_check_format(cook_job *job, const char *suffix, const uint8_t *bytes, uint64_t byte_count) {
  cook_where where = COOK_WHERE;
  if (strcmp(suffix, "ply") == 0 && !has_word(bytes, byte_count, "end_header"))
    where.value = "the header does not end";
  else if ((strcmp(suffix, "smd") == 0 || strcmp(suffix, "vta") == 0) && !ends_in_word(bytes, byte_count, "end"))
    where.value = "the last block does not end";
  else if (strncmp(suffix, "md5", 3) == 0 && !has_balanced_braces(bytes, byte_count))
    where.value = "a block does not end";
  if (where.value != NULL) job_fail(job, MPAK_I010, where);
}

bool assimp_draws_joints(const char *suffix) { return strcmp(suffix, "md5anim") == 0; }

/// Assimp's reader of MD5 takes the word behind a value for the value where no empty line stands between them, and so
/// loses counts and the frame rate. With every line end doubled it reads what the file says.
static void show_spread(cook_job *job, assimp_file *file) {
  uint64_t line_count = 0;
  for (uint64_t i = 0; i < file->byte_count; i++) line_count += file->bytes[i] == '\n';
  uint8_t *spread = job_alloc(job, file->byte_count + line_count, 1);
  uint64_t at = 0;
  for (uint64_t i = 0; i < file->byte_count; i++) {
    spread[at++] = file->bytes[i];
    if (file->bytes[i] == '\n') spread[at++] = '\n';
  }
  file->shown_bytes = spread;
  file->shown_byte_count = at;
}

void assimp_show_format(cook_job *job, assimp_file *file) {
  file->shown_bytes = file->bytes;
  file->shown_byte_count = file->byte_count;
  if (strncmp(sniff_suffix(job, file->path), "md5", 3) == 0) show_spread(job, file);
}
