#include <string.h>

#include "cooker/cli/options.h"
#include "cooker/report/text_out.h"

#define SUGGEST_BYTES_MAX 64u ///< longer words are compared by their beginnings

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static uint32_t capped_length(const char *text) {
  const size_t length = strlen(text);
  return length < SUGGEST_BYTES_MAX ? (uint32_t)length : SUGGEST_BYTES_MAX;
}

/// Optimal string alignment with three rows (Damerau and Levenshtein).
uint32_t cli_edit_distance(const char *a, const char *b, uint32_t limit) {
  const uint32_t a_length = capped_length(a), b_length = capped_length(b);
  uint32_t rows[3][SUGGEST_BYTES_MAX + 1];
  for (uint32_t j = 0; j <= b_length; j++) rows[0][j] = j;
  for (uint32_t i = 1; i <= a_length; i++) {
    uint32_t *now = rows[i % 3];
    const uint32_t *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
    now[0] = i;
    for (uint32_t j = 1; j <= b_length; j++) {
      now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = least(now[j], before[j - 2] + 1);
    }
  }
  return least(rows[a_length % 3][b_length], limit + 1);
}

const char *cli_suggest(cook_job *job, const char *word, const char *const *names, uint32_t count) {
  const uint32_t limit = 1 + capped_length(word) / 4;
  const char *nearest = NULL;
  uint32_t smallest = limit + 1;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t distance = cli_edit_distance(word, names[i], limit);
    if (distance < smallest && distance < capped_length(names[i])) {
      nearest = names[i];
      smallest = distance;
    }
  }
  return nearest == NULL ? "" : job_format(job, "; did you mean \"%s\"?", nearest);
}

_Noreturn void cli_fail(cook_job *job, mpak_issue_id id, const char *value, const char *limit) {
  cook_where where = COOK_WHERE;
  where.value = value;
  where.limit = limit;
  job_fail(job, id, where);
}
