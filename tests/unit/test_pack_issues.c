// What users are told of a pack that cannot be read: one P issue for each kind of refusal. The names of the cases are
// the fixtures of issues.def.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "cooker/cli/pack_file.h"
#include "format/checksum.h"
#include "tests/support/mt_cook.h"

/// A golden pack that is spoiled at one place.
typedef struct pack_case {
  const char *fixture;
  const char *code;
  int exit_code;
  size_t at;      ///< byte to change
  uint8_t value;  ///< its new value
  bool rehash;    ///< so that only the changed rule is broken
  int64_t longer; ///< bytes to add or to take away at the end
} pack_case;

static const pack_case pack_cases[] = {
    {"not_a_pack", "MPAK-P001", 5, 1, 'Q', true, 0},
    {"pack_version", "MPAK-P002", 5, offsetof(mpak_header, format_major), 9, true, 0},
    {"pack_feature", "MPAK-P003", 5, offsetof(mpak_header, features_required), 0x80, true, 0},
    {"pack_endianness", "MPAK-P004", 5, offsetof(mpak_header, endian_tag), 0x01, true, 0},
    {"pack_truncated", "MPAK-P005", 5, 0, 0x89, true, -1},
    {"pack_truncated", "MPAK-P005", 5, 0, 0x89, true, 1},
    {"pack_checksum", "MPAK-P006", 5, 4096, 0xA5, false, 0},
    {"pack_corrupt", "MPAK-P007", 5, offsetof(mpak_header, header_bytes) + 1, 0x55, true, 0},
    {"pack_limit", "MPAK-P008", 6, offsetof(mpak_header, decoded_bytes) + 6, 0x55, true, 0},
};

typedef struct open_step {
  const uint8_t *bytes;
  uint64_t byte_count;
} open_step;

static void step_opens(cook_job *job, void *user) {
  const open_step *step = user;
  pack_file file;
  pack_file_open_bytes(job, step->bytes, step->byte_count, &file);
}

static void expect_issue(const uint8_t *bytes, uint64_t byte_count, const pack_case *wanted) {
  cook_job *job = job_begin(NULL, NULL);
  open_step step = {bytes, byte_count};
  assert_false(job_run(job, step_opens, &step));
  assert_int_equal(job_issue_count(job), 1);
  assert_string_equal(mpak_issue_get(job_issue_at(job, 0)->id)->code, wanted->code);
  assert_int_equal(job_exit_code(job), wanted->exit_code);
  job_end(job);
}

static void check_case(const pack_case *wanted, const uint8_t *golden, uint64_t golden_bytes) {
  const uint64_t byte_count = golden_bytes + (uint64_t)wanted->longer;
  uint8_t *bytes = calloc(1, golden_bytes + 1);
  memcpy(bytes, golden, golden_bytes);
  bytes[wanted->at] = wanted->value;
  const uint64_t hash = checksum_of(bytes, offsetof(mpak_header, header_hash));
  if (wanted->rehash) memcpy(bytes + offsetof(mpak_header, header_hash), &hash, sizeof hash);
  expect_issue(bytes, byte_count, wanted);
  free(bytes);
}

static void test_pack_issues_each_refusal_has_its_code(void **state) {
  (void)state;
  uint64_t golden_bytes = 0;
  uint8_t *golden = mt_read(mt_path("tests/golden/v1.0/custom_normals.blk64.mpak"), &golden_bytes);
  assert_non_null(golden);
  for (size_t i = 0; i < sizeof pack_cases / sizeof pack_cases[0]; i++)
    check_case(&pack_cases[i], golden, golden_bytes);
  free(golden);
}

/// The same refusals of a wrapped pack: its hash covers all behind it.
static const pack_case wrapped_cases[] = {
    {"pack_version", "MPAK-P002", 5, offsetof(mpak_wrapped_header, format_major), 9, true, 0},
    {"pack_truncated", "MPAK-P005", 5, 0, 0x89, true, -1},
    {"pack_truncated", "MPAK-P005", 5, 0, 0x89, true, 1},
    {"pack_checksum", "MPAK-P006", 5, 4096, 0xA5, false, 0},
    {"pack_corrupt", "MPAK-P007", 5, offsetof(mpak_wrapped_header, stream_bytes) + 3, 0x55, true, 0},
    {"pack_limit", "MPAK-P008", 6, offsetof(mpak_wrapped_header, pack_bytes) + 6, 0x55, true, 0},
};

static void check_wrapped_case(const pack_case *wanted, const uint8_t *golden, uint64_t golden_bytes) {
  uint8_t *bytes = calloc(1, golden_bytes + 1);
  memcpy(bytes, golden, golden_bytes);
  bytes[wanted->at] = wanted->value;
  const uint64_t hash = checksum_of(bytes + 16, golden_bytes - 16);
  if (wanted->rehash) memcpy(bytes + offsetof(mpak_wrapped_header, hash), &hash, sizeof hash);
  expect_issue(bytes, golden_bytes + (uint64_t)wanted->longer, wanted);
  free(bytes);
}

static void test_pack_issues_of_a_wrapped_pack(void **state) {
  (void)state;
  uint64_t golden_bytes = 0;
  uint8_t *golden = mt_read(mt_path("tests/golden/v1.0/japanese_names.blk64.mpak"), &golden_bytes);
  assert_non_null(golden);
  cook_job *job = job_begin(NULL, NULL);
  assert_true(job_run(job, step_opens, &(open_step){golden, golden_bytes}));
  job_end(job);
  for (size_t i = 0; i < sizeof wrapped_cases / sizeof wrapped_cases[0]; i++)
    check_wrapped_case(&wrapped_cases[i], golden, golden_bytes);
  free(golden);
}

/// A wrapped pack in a wrapped pack is no pack.
static void test_pack_issues_wrapped_twice_is_corrupt(void **state) {
  (void)state;
  const mpak_issue_info *info = mpak_issue_get(pack_file_issue(MPAK_ERROR_WRAPPED));
  assert_string_equal(info->code, "MPAK-P007");
}

/// The fixture pack_reader_bug: results that only a mistake of the caller can bring.
static void test_pack_issues_a_wrong_call_is_a_bug_and_exits_7(void **state) {
  (void)state;
  const mpak_result mistakes[] = {MPAK_ERROR_ARGUMENT, MPAK_ERROR_BUFFER_TOO_SMALL, MPAK_ERROR_ALIGNMENT,
                                  MPAK_ERROR_NO_DECODER};
  for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
    const mpak_issue_info *info = mpak_issue_get(pack_file_issue(mistakes[i]));
    assert_string_equal(info->code, "MPAK-P009");
    assert_int_equal(info->exit_code, 7);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pack_issues_each_refusal_has_its_code),
      cmocka_unit_test(test_pack_issues_of_a_wrapped_pack),
      cmocka_unit_test(test_pack_issues_wrapped_twice_is_corrupt),
      cmocka_unit_test(test_pack_issues_a_wrong_call_is_a_bug_and_exits_7),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
