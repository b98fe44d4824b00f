// strings.c: see strings.h.
#include "cooker/pack/strings.h"

#include <stdlib.h>
#include <string.h>

#include "format/mpak_format.h"

void pack_strings_add(pack_strings *strings, const char *text) {
  if (text == NULL || text[0] == 0) return; // "" is there anyway
  if (strings->count == strings->capacity) {
    uint64_t capacity = strings->capacity ? strings->capacity * 2 : 256;
    const char **texts = JOB_ARRAY(strings->job, const char *, capacity);
    if (strings->count) memcpy(texts, strings->texts, strings->count * sizeof *texts);
    strings->texts = texts;
    strings->capacity = capacity;
  }
  strings->texts[strings->count++] = text;
}

static int strings_compare(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b); // by bytes, whatever the locale
}

static void strings_check_length(pack_strings *strings, uint64_t length, uint64_t limit, const char *what) {
  if (length <= limit) return;
  cook_where where = COOK_WHERE;
  where.value = job_format(strings->job, "%s of %llu bytes", what, (unsigned long long)length);
  where.limit = job_format(strings->job, "%llu", (unsigned long long)limit);
  job_fail(strings->job, MPAK_C052, where);
}

static void strings_drop_repeats(pack_strings *strings) {
  uint64_t kept = 0;
  for (uint64_t i = 0; i < strings->count; ++i) {
    if (kept == 0 || strcmp(strings->texts[i], strings->texts[kept - 1]) != 0)
      strings->texts[kept++] = strings->texts[i];
  }
  strings->count = kept;
}

void pack_strings_seal(pack_strings *strings) {
  if (strings->count) qsort(strings->texts, strings->count, sizeof *strings->texts, strings_compare);
  strings_drop_repeats(strings);
  uint64_t byte_count = 1;
  for (uint64_t i = 0; i < strings->count; ++i) {
    uint64_t length = strlen(strings->texts[i]);
    strings_check_length(strings, length, MPAK_MAX_NAME_BYTES, "a name or key");
    byte_count += length + 1;
  }
  strings_check_length(strings, byte_count, UINT32_MAX, "names");
  strings->bytes = job_alloc(strings->job, byte_count, 1);
  strings->offsets = JOB_ARRAY(strings->job, uint32_t, strings->count);
  strings->byte_count = 1;
  for (uint64_t i = 0; i < strings->count; ++i) {
    size_t bytes = strlen(strings->texts[i]) + 1;
    memcpy(strings->bytes + strings->byte_count, strings->texts[i], bytes);
    strings->offsets[i] = strings->byte_count;
    strings->byte_count += (uint32_t)bytes;
  }
}

uint32_t pack_strings_offset(const pack_strings *strings, const char *text) {
  if (text == NULL || text[0] == 0) return 0;
  const char **found = bsearch(&text, strings->texts, strings->count, sizeof *strings->texts, strings_compare);
  return found ? strings->offsets[found - strings->texts] : 0;
}
