// The job: memory that unwinds, deferred actions, issues with their texts and exit codes.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/base/job.h"

/// An allocator that counts and refuses from the nth call on.
typedef struct counted_memory {
  int calls;
  int refuse_from; ///< 0: never
  long held;
} counted_memory;

static void *counted_allocate(void *user, size_t byte_count) {
  counted_memory *memory = user;
  memory->calls++;
  if (memory->refuse_from != 0 && memory->calls >= memory->refuse_from) return NULL;
  memory->held++;
  return malloc(byte_count);
}

static void counted_release(void *user, void *pointer, size_t byte_count) {
  (void)byte_count;
  ((counted_memory *)user)->held--;
  free(pointer);
}

static void count_up(void *user) { ++*(int *)user; }

static void step_allocates(cook_job *job, void *user) {
  job_defer(job, count_up, user);
  for (int i = 0; i < 40; i++) memset(job_alloc(job, 100000, 1), 1, 100000);
}

static void test_job_every_refused_allocation_unwinds_and_leaks_nothing(void **state) {
  (void)state;
  int refused = 0;
  for (int n = 1; n < 200; n++) {
    counted_memory memory = {.refuse_from = n};
    const mpak_allocator allocator = {counted_allocate, counted_release, &memory};
    int deferred = 0;
    cook_job *job = job_begin(&allocator, NULL);
    if (job == NULL) {
      assert_int_equal(n, 1);
      continue;
    }
    const bool returned = job_run(job, step_allocates, &deferred);
    const int code = job_exit_code(job);
    job_end(job);
    assert_int_equal(memory.held, 0);
    if (returned) {
      assert_int_equal(deferred, 1);
      assert_int_equal(code, 0);
      assert_true(refused > 5);
      return;
    }
    assert_int_equal(code, 6);
    refused++;
  }
  fail_msg("never succeeded");
}

static void step_asks_too_much(cook_job *job, void *user) {
  const uint64_t *count = user;
  job_alloc(job, *count, 16);
}

static void test_job_memory_limit_at_and_above(void **state) {
  (void)state;
  const cook_limits limits = {.memory_bytes = 1 << 20};
  const uint64_t counts[] = {(1 << 16), (1 << 16) + 1, UINT64_MAX, UINT64_MAX / 16 + 1};
  for (int i = 0; i < 4; i++) {
    cook_job *job = job_begin(NULL, &limits);
    uint64_t count = counts[i];
    assert_int_equal(job_run(job, step_asks_too_much, &count), i == 0);
    assert_int_equal(job_exit_code(job), i == 0 ? 0 : 6);
    job_end(job);
  }
}

static void test_job_release_gives_back_to_the_mark(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  char *first = job_copy(job, "kept", 4);
  const cook_mark mark = job_mark(job);
  const uint64_t before = job_bytes_in_use(job);
  for (int i = 0; i < 10; i++) job_alloc(job, 300000, 1);
  assert_true(job_bytes_in_use(job) >= before + 3000000);
  job_release(job, mark);
  assert_int_equal(job_bytes_in_use(job), before);
  assert_true(job_bytes_peak(job) >= before + 3000000);
  assert_string_equal(first, "kept");
  job_end(job);
}

static void dirty_allocate_fill(cook_job *job, size_t byte_count) {
  uint8_t *bytes = job_alloc(job, byte_count, 1);
  for (size_t i = 0; i < byte_count; i++) assert_int_equal(bytes[i], 0);
  memset(bytes, 0xAB, byte_count);
}

static void *dirty_allocate(void *user, size_t byte_count) {
  (void)user;
  void *bytes = malloc(byte_count);
  return bytes == NULL ? NULL : memset(bytes, 0xCD, byte_count);
}

static void dirty_release(void *user, void *pointer, size_t byte_count) { (void)user, (void)byte_count, free(pointer); }

/// Fresh, behind a mark that was gone back to, partly old and partly new; from malloc's zeros and from a foreign
/// allocator's dirt.
static void test_job_memory_is_zero_however_often_it_was_used(void **state) {
  (void)state;
  const mpak_allocator dirty = {dirty_allocate, dirty_release, NULL};
  for (int foreign = 0; foreign < 2; foreign++) {
    cook_job *job = job_begin(foreign ? &dirty : NULL, NULL);
    assert_non_null(job);
    dirty_allocate_fill(job, 100);
    const cook_mark mark = job_mark(job);
    for (size_t round = 0; round < 6; round++) {
      dirty_allocate_fill(job, 1000 * (round % 3 + 1));
      dirty_allocate_fill(job, 5000);
      dirty_allocate_fill(job, 300000);
      job_release(job, mark);
    }
    job_end(job);
  }
}

static void test_issue_text_names_value_and_elements(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  job_set_file(job, "hero.fbx");
  cook_where where = COOK_WHERE;
  where.value = "No space left on device";
  job_issue(job, MPAK_O002, where);
  const cook_issue *issue = job_issue_at(job, 0);
  assert_string_equal(issue->message, "writing the output failed: No space left on device");
  assert_string_equal(issue->file, "hero.fbx");
  assert_int_equal(issue->severity, MPAK_ERROR);
  assert_int_equal(job_exit_code(job), 3);
  job_end(job);
}

static void test_issue_limit_keeps_the_first_and_counts_the_rest(void **state) {
  (void)state;
  const cook_limits limits = {.issues = 3};
  for (uint32_t reported = 2; reported <= 4; reported++) {
    cook_job *job = job_begin(NULL, &limits);
    for (uint32_t i = 0; i < reported; i++) job_issue(job, MPAK_O003, COOK_WHERE);
    assert_int_equal(job_issue_count(job), reported < 3 ? reported : 3);
    assert_int_equal(job_severity_count(job, MPAK_WARNING), reported);
    assert_int_equal(job_exit_code(job), 0);
    job_end(job);
  }
}

static void test_issue_werror_and_overrides_change_the_exit_code(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  job_set_werror(job, true);
  job_issue(job, MPAK_O003, COOK_WHERE);
  assert_int_equal(job_exit_code(job), 1); // a warning made an error is content
  job_end(job);
  job = job_begin(NULL, NULL);
  job_set_severity(job, MPAK_O003, 3);
  job_issue(job, MPAK_O003, COOK_WHERE);
  assert_int_equal(job_issue_count(job), 0);
  job_end(job);
}

static void step_fails_softened(cook_job *job, void *user) {
  (void)user;
  job_set_severity(job, MPAK_F001, MPAK_INFO);
  job_fail(job, MPAK_F001, COOK_WHERE);
}

static void test_fail_is_an_error_whatever_the_override_says(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  assert_false(job_run(job, step_fails_softened, NULL));
  assert_int_equal(job_exit_code(job), 3);
  job_end(job);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_job_every_refused_allocation_unwinds_and_leaks_nothing),
      cmocka_unit_test(test_job_memory_limit_at_and_above),
      cmocka_unit_test(test_job_release_gives_back_to_the_mark),
      cmocka_unit_test(test_job_memory_is_zero_however_often_it_was_used),
      cmocka_unit_test(test_issue_text_names_value_and_elements),
      cmocka_unit_test(test_issue_limit_keeps_the_first_and_counts_the_rest),
      cmocka_unit_test(test_issue_werror_and_overrides_change_the_exit_code),
      cmocka_unit_test(test_fail_is_an_error_whatever_the_override_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
