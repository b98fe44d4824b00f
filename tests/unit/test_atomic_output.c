// The output path holds the old pack or the new one, whole, whatever happens while a cook writes: SIGKILL before and
// after every call of the I/O wrapper, every call failing, short writes, a file size limit.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cooker/base/io.h"
#include "tests/support/mt_cook.h"

#define POINTS_AT_LEAST 40

static char output_path[512];
static uint8_t *old_pack, *new_pack;
static uint64_t old_bytes, new_bytes;

/// Packs of two characters; the new one is large enough for many writes.
static int cook_both(void **state) {
  (void)state;
  snprintf(output_path, sizeof output_path, "%s/hero あ.mpak", mt_scratch());
  const char *sources[] = {"samples/assets/face_anim.glb", "samples/assets/face60.glb"};
  for (int i = 0; i < 2; i++) {
    cook_job *job = job_begin(NULL, NULL);
    const cook_options options = {.layout = COOK_LAYOUT_CSR64, .compress = COOK_COMPRESS_LOAD};
    cook_product product;
    if (mt_cook_file(job, mt_path(sources[i]), &options, &product) != 0) return -1;
    uint8_t *copy = malloc(product.byte_count);
    memcpy(copy, product.bytes, product.byte_count);
    *(i == 0 ? &old_pack : &new_pack) = copy;
    *(i == 0 ? &old_bytes : &new_bytes) = product.byte_count;
    job_end(job);
  }
  return 0;
}

static int free_both(void **state) {
  (void)state;
  free(old_pack);
  free(new_pack);
  return 0;
}

// -- The writing half of a cook --------------------------------------------------------------------------------------

static void step_writes(cook_job *job, void *user) {
  (void)user;
  io_check_output(job, output_path);
  io_replace_file(job, output_path, new_pack, new_bytes);
}

/// Exit code of writing the new pack, with every open resource given back.
static int write_new_pack(void) {
  cook_job *job = job_begin(NULL, NULL);
  job_run(job, step_writes, NULL);
  const int code = job_exit_code(job);
  job_end(job);
  return code;
}

static bool file_is(const uint8_t *bytes, uint64_t byte_count) {
  uint64_t found_bytes = 0;
  uint8_t *found = mt_read(output_path, &found_bytes);
  const bool equal = found != NULL && found_bytes == byte_count && memcmp(found, bytes, byte_count) == 0;
  free(found);
  return equal;
}

static int count_temporaries(void) {
  int count = 0;
  DIR *folder = opendir(mt_scratch());
  for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
    if (strstr(entry->d_name, "mpak-tmp") != NULL) count++;
  closedir(folder);
  return count;
}

// -- Killed ----------------------------------------------------------------------------------------------------------

typedef struct kill_point {
  int calls;
  int kill_at;
} kill_point;

static int hook_kills(void *user, cook_io_call call, bool after, const char *path) {
  (void)call;
  (void)after;
  (void)path;
  kill_point *point = user;
  if (++point->calls == point->kill_at) kill(getpid(), SIGKILL);
  return 0;
}

/// Runs the writing half in a child that is killed at point n. Returns whether it was killed.
static bool killed_at(int n) {
  const pid_t child = fork();
  if (child == 0) {
    kill_point point = {0, n};
    io_set_hook(hook_kills, &point);
    _exit(write_new_pack());
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (WIFSIGNALED(status)) {
    assert_int_equal(WTERMSIG(status), SIGKILL);
    return true;
  }
  assert_int_equal(WEXITSTATUS(status), 0);
  return false;
}

static void test_output_killed_at_every_call_holds_old_or_new_pack(void **state) {
  (void)state;
  int points = 0, saw_old = 0, saw_new = 0, leftovers = 0;
  for (int n = 1;; n++) {
    assert_true(mt_write(output_path, old_pack, old_bytes));
    if (!killed_at(n)) break;
    points++;
    const bool is_old = file_is(old_pack, old_bytes), is_new = file_is(new_pack, new_bytes);
    assert_true(is_old || is_new);
    saw_old += is_old;
    saw_new += is_new;
    leftovers += count_temporaries();
    assert_int_equal(write_new_pack(), 0);
    assert_true(file_is(new_pack, new_bytes));
    assert_int_equal(count_temporaries(), 0);
  }
  printf("print: %d kill points: %d left the old pack, %d the new one, %d temporary files were cleaned up by the next "
         "run\n",
         points, saw_old, saw_new, leftovers);
  assert_true(points >= POINTS_AT_LEAST);
  assert_true(saw_old > 0 && saw_new > 0 && leftovers > 0);
}

// -- Failing ---------------------------------------------------------------------------------------------------------

typedef struct failing_call {
  cook_io_call call;
  int fail_at; ///< which of this kind
  int error;   ///< errno, or -n: at most n bytes are written
  bool is_first_only;
  int seen;
  bool was_temporary; ///< the call that failed was about the new file
} failing_call;

static int hook_fails(void *user, cook_io_call call, bool after, const char *path) {
  failing_call *failing = user;
  if (after || call != failing->call) return 0;
  if (++failing->seen < failing->fail_at || (failing->is_first_only && failing->seen > failing->fail_at)) return 0;
  failing->was_temporary = strstr(path, "mpak-tmp") != NULL || call == IO_RENAME;
  return failing->error;
}

static void test_output_each_failing_call_exits_3_and_keeps_the_old_pack(void **state) {
  (void)state;
  const int errors[] = {ENOSPC, EIO, EDQUOT, EFBIG};
  int failures = 0;
  for (int call = 0; call < IO_CALL_COUNT; call++) {
    for (int n = 1;; n++) {
      assert_true(mt_write(output_path, old_pack, old_bytes));
      failing_call failing = {
          .call = (cook_io_call)call, .fail_at = n, .error = errors[n % 4], .is_first_only = n % 2 == 0};
      io_set_hook(hook_fails, &failing);
      const int code = write_new_pack();
      io_set_hook(NULL, NULL);
      if (failing.seen < n) break;
      failures++;
      assert_int_equal(count_temporaries(), 0);
      if (failing.was_temporary && call != IO_UNLINK) assert_int_equal(code, 3);
      if (code == 0)
        assert_true(file_is(new_pack, new_bytes));
      else {
        assert_int_equal(code, 3);
        assert_true(file_is(old_pack, old_bytes));
      }
    }
  }
  printf("print: %d single failures of the I/O wrapper\n", failures);
  assert_true(failures >= 20);
}

static void test_output_short_writes_lose_nothing(void **state) {
  (void)state;
  const int sizes[] = {1000, 4096, 65535};
  for (int i = 0; i < 3; i++) {
    assert_true(mt_write(output_path, old_pack, old_bytes));
    failing_call failing = {.call = IO_WRITE, .fail_at = 1, .error = -sizes[i]};
    io_set_hook(hook_fails, &failing);
    const int code = write_new_pack();
    io_set_hook(NULL, NULL);
    assert_int_equal(code, 0);
    assert_true(failing.seen > (int)(new_bytes / 65536));
    assert_true(file_is(new_pack, new_bytes));
  }
}

static void test_output_file_size_limit_exits_3_and_keeps_the_old_pack(void **state) {
  (void)state;
  assert_true(mt_write(output_path, old_pack, old_bytes));
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const struct rlimit limit = {100000, 100000};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(write_new_pack());
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 3);
  assert_true(file_is(old_pack, old_bytes));
  assert_int_equal(count_temporaries(), 0);
}

static void test_output_equal_bytes_leave_the_file_alone(void **state) {
  (void)state;
  assert_true(mt_write(output_path, new_pack, new_bytes));
  failing_call failing = {.call = IO_WRITE, .fail_at = 1, .error = EIO};
  io_set_hook(hook_fails, &failing);
  assert_int_equal(write_new_pack(), 0);
  io_set_hook(NULL, NULL);
  assert_int_equal(failing.seen, 0);
}

// -- Issues: the fixtures of issues.def ------------------------------------------------------------------------------

typedef struct output_case {
  const char *fixture;
  const char *code;
  const char *path;     ///< NULL: the ordinary one
  failing_call failing; ///< error 0: nothing fails
  int exit_code;
} output_case;

static const output_case output_cases[] = {
    {"output_not_writable", "MPAK-O001", "/no such folder/hero.mpak", {.error = 0}, 3},
    {"output_write_failed", "MPAK-O002", NULL, {.call = IO_WRITE, .fail_at = 2, .error = ENOSPC}, 3},
    {"output_folder_not_synced", "MPAK-O003", NULL, {.call = IO_FSYNC, .fail_at = 2, .error = EIO}, 0},
};

static void test_output_each_issue_is_reported(void **state) {
  (void)state;
  char usual_path[sizeof output_path];
  memcpy(usual_path, output_path, sizeof usual_path);
  for (size_t i = 0; i < sizeof output_cases / sizeof output_cases[0]; i++) {
    const output_case *wanted = &output_cases[i];
    if (wanted->path != NULL)
      snprintf(output_path, sizeof output_path, "%s", wanted->path);
    else
      assert_true(mt_write(output_path, old_pack, old_bytes));
    failing_call failing = wanted->failing;
    if (failing.error != 0) io_set_hook(hook_fails, &failing);
    cook_job *job = job_begin(NULL, NULL);
    job_run(job, step_writes, NULL);
    io_set_hook(NULL, NULL);
    assert_int_equal(job_issue_count(job), 1);
    assert_string_equal(mpak_issue_get(job_issue_at(job, 0)->id)->code, wanted->code);
    assert_int_equal(job_exit_code(job), wanted->exit_code);
    job_end(job);
    memcpy(output_path, usual_path, sizeof usual_path);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_output_each_issue_is_reported),
      cmocka_unit_test(test_output_killed_at_every_call_holds_old_or_new_pack),
      cmocka_unit_test(test_output_each_failing_call_exits_3_and_keeps_the_old_pack),
      cmocka_unit_test(test_output_short_writes_lose_nothing),
      cmocka_unit_test(test_output_file_size_limit_exits_3_and_keeps_the_old_pack),
      cmocka_unit_test(test_output_equal_bytes_leave_the_file_alone),
  };
  return cmocka_run_group_tests(tests, cook_both, free_both);
}
