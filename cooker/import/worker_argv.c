#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/base/job_private.h"
#include "cooker/import/worker.h"

// Limits, options and severities travel as lists of numbers, each list described once by a table below.

#define NUMBER_TEXT_BYTES 24

// -- Lists of numbers -------------------------------------------------------------------------------------------------

static char *numbers_to_text(cook_job *job, const uint64_t *numbers, size_t count) {
  char *text = job_alloc(job, count * NUMBER_TEXT_BYTES + 1, 1);
  size_t length = 0;
  for (size_t i = 0; i < count; i++)
    length += (size_t)snprintf(text + length, NUMBER_TEXT_BYTES, i == 0 ? "%" PRIu64 : ",%" PRIu64, numbers[i]);
  return text;
}

/// Exactly count numbers.
static bool numbers_from_text(const char *text, uint64_t *numbers, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (*text < '0' || *text > '9') return false;
    char *end;
    numbers[i] = strtoull(text, &end, 10);
    text = end;
    if (i + 1 < count && *text++ != ',') return false;
  }
  return *text == 0;
}

// -- Limits -----------------------------------------------------------------------------------------------------------

// clang-format off
#define LIMIT_LIST(LIMIT)                                                          \
  LIMIT(memory_bytes) LIMIT(file_bytes) LIMIT(issues) LIMIT(targets) LIMIT(nodes) \
  LIMIT(joints) LIMIT(clips) LIMIT(depth) LIMIT(json_depth) LIMIT(name_bytes)     \
  LIMIT(vertices) LIMIT(dense_bytes)
// clang-format on
#define COUNT_ONE(member) +1
enum { LIMIT_COUNT = 0 LIMIT_LIST(COUNT_ONE) };

static char *limits_to_text(cook_job *job) {
  const cook_limits *limits = job_limits(job);
#define GIVE(member) limits->member,
  const uint64_t numbers[] = {LIMIT_LIST(GIVE)};
#undef GIVE
  return numbers_to_text(job, numbers, LIMIT_COUNT);
}

bool worker_argv_read_limits(char **argv, cook_limits *limits) {
  uint64_t numbers[LIMIT_COUNT];
  if (!numbers_from_text(argv[3], numbers, LIMIT_COUNT)) return false;
  const uint64_t *next = numbers;
#define TAKE(member)                                                                                                   \
  limits->member = *next;                                                                                              \
  if (limits->member != *next++) return false;
  LIMIT_LIST(TAKE)
#undef TAKE
  return true;
}

// -- Options that importers look at -----------------------------------------------------------------------------------

#define OPTION_LIST(OPTION)                                                                                            \
  OPTION(importer, COOK_IMPORTER_ASSIMP) OPTION(up, COOK_UP_SOURCE) OPTION(unit, COOK_UNIT_SOURCE) OPTION(clips_only, 1)
enum {
  OPTION_COUNT = 0
#define COUNT_OPTION(member, most) +1
  OPTION_LIST(COUNT_OPTION)
#undef COUNT_OPTION
};

static char *options_to_text(cook_job *job, const cook_options *options) {
#define GIVE(member, most) (uint64_t) options->member,
  const uint64_t numbers[] = {OPTION_LIST(GIVE)};
#undef GIVE
  return numbers_to_text(job, numbers, OPTION_COUNT);
}

bool worker_argv_read_options(char **argv, cook_options *options) {
  uint64_t numbers[OPTION_COUNT];
  if (!numbers_from_text(argv[4], numbers, OPTION_COUNT)) return false;
  const uint64_t *next = numbers;
#define TAKE(member, most)                                                                                             \
  if (*next > (most)) return false;                                                                                    \
  options->member = *next++;
  OPTION_LIST(TAKE)
#undef TAKE
  options->name_encoding = argv[6][0] != 0 ? argv[6] : NULL;
  return true;
}

// -- Severities -------------------------------------------------------------------------------------------------------

// An importer stops at errors; which issues are errors is the user's choice (-W), so the worker must know it. One digit
// for each issue of the table. --werror is not passed on: the parent applies it to the warnings that it adopts.
#define SEVERITY_LEVELS 4

static char *severities_to_text(cook_job *job) {
  char *text = job_alloc(job, MPAK_ISSUE_COUNT + 1, 1);
  for (size_t i = 0; i < MPAK_ISSUE_COUNT; i++) text[i] = (char)('0' + job->severities[i]);
  return text;
}

bool worker_argv_read_severities(char **argv, cook_job *job) {
  const char *text = argv[5];
  if (strlen(text) != MPAK_ISSUE_COUNT) return false;
  for (size_t i = 0; i < MPAK_ISSUE_COUNT; i++) {
    if (text[i] < '0' || text[i] >= '0' + SEVERITY_LEVELS) return false;
    job_set_severity(job, (mpak_issue_id)i, text[i] - '0');
  }
  return true;
}

void worker_argv_write(cook_job *job, const char *program, const char *path, const cook_options *options,
                       char *arguments[WORKER_ARGUMENT_COUNT + 1]) {
  arguments[0] = job_copy(job, program, strlen(program));
  arguments[1] = job_format(job, "%s", WORKER_VERB);
  arguments[2] = job_copy(job, path, strlen(path));
  arguments[3] = limits_to_text(job);
  arguments[4] = options_to_text(job, options);
  arguments[5] = severities_to_text(job);
  arguments[6] = job_format(job, "%s", options->name_encoding != NULL ? options->name_encoding : "");
  arguments[7] = NULL;
}
