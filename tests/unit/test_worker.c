// The importer's process: whatever it does, the parent gets a scene or one coded issue, and no process stays behind.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cooker/import/worker.h"
#include "cooker/import/worker_start.h"
#include "tests/support/mt_cook.h"
#include "tests/support/mt_import.h"
#include "tests/support/mt_importers.h"

// -- One import in a worker -------------------------------------------------------------------------------------------

/// What is asked for and what came of it.
typedef struct attempt {
  const char *name;
  cook_options options;
  worker_limits limits;
  uint64_t peak_bytes;
  cook_scene *scene;
} attempt;

static void attempt_step(cook_job *job, void *user) {
  attempt *asked = user;
  asked->scene = worker_import(job, asked->name, &asked->options, asked->limits, &asked->peak_bytes);
}

static cook_scene *run(cook_job *job, attempt *asked) {
  if (asked->options.worker_program == NULL) asked->options.worker_program = "/proc/self/exe";
  if (!job_run(job, attempt_step, asked)) asked->scene = NULL;
  return asked->scene;
}

/// No child of this process is left, dead or alive.
static void assert_no_children(void) {
  errno = 0;
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  assert_int_equal(errno, ECHILD);
}

static int count_open_files(void) {
  int count = 0;
  DIR *folder = opendir("/proc/self/fd");
  assert_non_null(folder);
  while (readdir(folder) != NULL) count++;
  closedir(folder);
  return count;
}

// -- Good workers -----------------------------------------------------------------------------------------------------

static void test_worker_brings_the_scene_and_its_memory(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  attempt asked = {.name = "good"};
  const cook_scene *scene = run(job, &asked);
  assert_non_null(scene);
  assert_string_equal(mt_codes(job, true), "");
  uint64_t there, here;
  const uint8_t *received = scene_write(job, scene, &there);
  const uint8_t *expected = scene_write(job, mt_importer_scene(job), &here);
  assert_int_equal(there, here);
  assert_memory_equal(received, expected, here);
  assert_true(asked.peak_bytes > 256 * 1024);
  assert_true(asked.peak_bytes < 1ull << 32);
  assert_no_children();
  job_end(job);
}

/// Its figure is its own: memory that the parent held before does not count.
static void test_worker_memory_is_not_the_parents(void **state) {
  (void)state;
  if (WORKER_HAS_ASAN) return; // its shadow memory is counted too
  const size_t byte_count = 512 << 20;
  char *ballast = malloc(byte_count);
  assert_non_null(ballast);
  memset(ballast, 1, byte_count);
  cook_job *job = job_begin(NULL, NULL);
  attempt asked = {.name = "good"};
  assert_non_null(run(job, &asked));
  assert_true(asked.peak_bytes < byte_count / 4);
  job_end(job);
  free(ballast);
}

static void test_worker_may_read_files_and_talk(void **state) {
  (void)state;
  static const char *const names[] = {"allowed", "talk"};
  for (int i = 0; i < 2; i++) {
    cook_job *job = job_begin(NULL, NULL);
    attempt asked = {.name = names[i]};
    assert_non_null(run(job, &asked));
    assert_string_equal(mt_codes(job, true), "");
    job_end(job);
  }
}

static void test_worker_issues_and_refusals_arrive(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  attempt warned = {.name = "issues"}, refused = {.name = "refuse"};
  assert_non_null(run(job, &warned));
  assert_string_equal(mt_codes(job, true), "I028");
  assert_null(run(job, &refused));
  assert_string_equal(mt_codes(job, true), "F007 I028");
  assert_int_equal(job_exit_code(job), 4);
  job_end(job);
}

static void test_worker_knows_options_limits_and_severities(void **state) {
  (void)state;
  const cook_limits limits = {.nodes = 123, .issues = 45};
  cook_job *job = job_begin(NULL, &limits);
  attempt asked = {
      .name = "options",
      .options = {
          .importer = COOK_IMPORTER_ASSIMP, .up = COOK_UP_SOURCE, .unit = COOK_UNIT_SOURCE, .name_encoding = "cp932"}};
  assert_non_null(run(job, &asked));
  assert_string_equal(job_issue_at(job, 0)->where.value, "importer 1 up 1 unit 1 nodes 123 issues 45 names cp932");
  job_end(job);
  job = job_begin(NULL, &limits);
  job_set_severity(job, MPAK_I012, MPAK_ERROR);
  assert_non_null(run(job, &asked));
  assert_int_equal(job_issue_at(job, 0)->severity, MPAK_ERROR);
  job_end(job);
}

// -- Bad workers ------------------------------------------------------------------------------------------------------

/// A misbehaviour and the only issue that comes of it.
typedef struct misdeed {
  const char *name;
  const char *codes;
  const char *part; ///< of the message
} misdeed;

#define SMALL_MEMORY ((uint64_t)(WORKER_HAS_ASAN ? 600 : 256) << 20)

static void check_misdeed(const misdeed *expected) {
  cook_job *job = job_begin(NULL, NULL);
  attempt asked = {.name = expected->name, .limits = {.memory_bytes = SMALL_MEMORY, .cpu_s = 2, .wall_ms = 300000}};
  if (strcmp(expected->name, "hang") == 0 || strcmp(expected->name, "and_hang") == 0) asked.limits.wall_ms = 300;
  if (strcmp(expected->name, "overflow") == 0) asked.limits.memory_bytes = 0; // more than the stack may grow to
  const int open_before = count_open_files();
  assert_null(run(job, &asked));
  const char *codes = mt_codes(job, true);
  const char *message = job_issue_count(job) == 0 ? "" : job_issue_at(job, 0)->message;
  if (strcmp(codes, expected->codes) != 0 || strstr(message, expected->part) == NULL)
    print_error("%s: %s \"%s\"\n", expected->name, codes, message);
  assert_string_equal(codes, expected->codes);
  assert_int_equal(job_issue_count(job), 1);
  assert_non_null(strstr(message, expected->part));
  assert_int_equal(job_exit_code(job), 4);
  assert_no_children();
  job_end(job);
  assert_int_equal(count_open_files(), open_before);
}

static void test_worker_misdeeds_are_one_issue_each(void **state) {
  (void)state;
  static const misdeed misdeeds[] = {
      // importer_crashes
      {"crash", "I001", WORKER_HAS_ASAN ? "SEGV" : "SIGSEGV"},
      {"abort", "I001", WORKER_HAS_ASAN ? "ai_assert failure" : "SIGABRT: ai_assert failure"},
      {"overflow", "I001", WORKER_HAS_ASAN ? "stack-overflow" : "SIGSEGV"},
      {"exit", "I001", "exit code 3"},
      {"interrupt", "I001", "SIGTERM"},
      // importer_hangs
      {"hang", "I002", "300 ms"},
      {"and_hang", "I002", "300 ms"},
      {"spin", "I002", "2 s of CPU time"},
      // importer_eats_memory
      {"eat", "I003", "MiB"},
      {"bad_alloc", "I003", "MiB"},
      {"memory", "I003", "memory"},
      // importer_answers_nonsense
      {"nothing", "I004", "empty"},
      {"garbage", "I004", "does not begin"},
      {"short_head", "I004", "too short"},
      {"wrong_length", "I004", "length"},
      {"wrong_hash", "I004", "hash"},
      // importer_does_forbidden_things
      {"socket", "I007", "socket (system call"},
      {"write", "I007", "openat"},
      {"truncate", "I007", "openat"},
      {"unlink", "I007", "unlink"},
      {"rename", "I007", "rename"},
      {"exec", "I007", "execve"},
      {"fork", "I007", "clone"},
      {"kill_parent", "I007", "kill"},
  };
  for (size_t i = 0; i < sizeof misdeeds / sizeof *misdeeds; i++) check_misdeed(&misdeeds[i]);
  assert_int_equal(access("/tmp/mpak-worker-was-here", F_OK), -1);
}

static void test_worker_that_never_stops_answering_is_stopped(void **state) {
  (void)state;
  const cook_limits limits = {.memory_bytes = 32 << 20};
  cook_job *job = job_begin(NULL, &limits);
  attempt asked = {.name = "without_end"};
  assert_null(run(job, &asked));
  assert_string_equal(mt_codes(job, true), "I004");
  assert_non_null(strstr(job_issue_at(job, 0)->message, "memory limit"));
  assert_no_children();
  job_end(job);
}

/// Imports where no process may use more than two seconds; 0 when the worker's end is put down to that.
static int spin_below_limit(void) {
  setrlimit(RLIMIT_CPU, &(struct rlimit){2, 2});
  cook_job *job = job_begin(NULL, NULL);
  attempt asked = {.name = "spin", .limits = {.cpu_s = 60, .wall_ms = 300000}};
  if (run(job, &asked) != NULL) return 1;
  if (strcmp(mt_codes(job, true), "I002") != 0) return 2;
  return strstr(job_issue_at(job, 0)->message, "1 s of CPU time") == NULL ? 3 : 0;
}

/// ulimit -t, a container: their limit is not ours, and not a crash.
static void test_worker_limits_of_the_parent_are_named(void **state) {
  (void)state;
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) _exit(spin_below_limit());
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}

// -- Starting ---------------------------------------------------------------------------------------------------------

/// importer_does_not_start
static void test_worker_that_cannot_start_is_said(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  attempt asked = {.name = "good", .options = {.worker_program = "/no/such/program"}};
  assert_null(run(job, &asked));
  assert_string_equal(mt_codes(job, true), "I005");
  assert_non_null(strstr(job_issue_at(job, 0)->message, "No such file or directory (/no/such/program)"));
  assert_no_children();
  job_end(job);
}

/// A program that is no importer, started as one, must not start importers of its own.
static void test_worker_in_a_worker_is_refused(void **state) {
  (void)state;
  setenv(WORKER_ENVIRONMENT_MARK, "1", 1);
  cook_job *job = job_begin(NULL, NULL);
  attempt asked = {.name = "good"};
  assert_null(run(job, &asked));
  assert_string_equal(mt_codes(job, true), "I005");
  job_end(job);
  unsetenv(WORKER_ENVIRONMENT_MARK);
}

static void test_worker_program_that_is_no_importer_answers_nonsense(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  attempt asked = {.name = "good", .options = {.worker_program = "/bin/true"}};
  assert_null(run(job, &asked));
  assert_string_equal(mt_codes(job, true), "I004");
  job_end(job);
}

static void test_worker_main_refuses_other_command_lines(void **state) {
  (void)state;
  const char *const lines[][8] = {{"mpak", WORKER_VERB, "path", NULL},
                                  {"mpak", WORKER_VERB, "path", "1,2,3", "0,0,0", "0", "", NULL},
                                  {"mpak", WORKER_VERB, "path", "x", "0,0,0", "0", "", NULL},
                                  {"mpak", "cook", "path", "1", "0,0,0", "0", "", NULL}};
  const int saved = dup(2), null = open("/dev/null", O_WRONLY);
  dup2(null, 2);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    int count = 0;
    while (lines[i][count] != NULL) count++;
    char *argv[8];
    for (int a = 0; a < 8; a++) argv[a] = (char *)(uintptr_t)lines[i][a];
    assert_int_equal(worker_main(count, argv, NULL), 2);
  }
  dup2(saved, 2);
  close(saved);
  close(null);
}

/// Where SIGCHLD is ignored the kernel keeps no exit status; the result speaks for itself.
static void test_worker_works_where_children_are_ignored(void **state) {
  (void)state;
  signal(SIGCHLD, SIG_IGN);
  cook_job *job = job_begin(NULL, NULL);
  attempt good = {.name = "good"}, bad = {.name = "crash"};
  assert_non_null(run(job, &good));
  assert_null(run(job, &bad));
  assert_int_equal(job_exit_code(job), 4);
  signal(SIGCHLD, SIG_DFL);
  job_end(job);
}

// -- The parent's end -------------------------------------------------------------------------------------------------

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL); }

/// The parent of a process, 0 when it is gone.
static pid_t parent_of(pid_t pid) {
  char path[64], text[512];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  FILE *file = fopen(path, "r");
  if (file == NULL) return 0;
  const size_t length = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[length] = 0;
  const char *after_name = strrchr(text, ')');
  int parent = 0;
  char process_state = 0;
  if (after_name == NULL || sscanf(after_name + 1, " %c %d", &process_state, &parent) != 2) return 0;
  return process_state == 'Z' ? 0 : (pid_t)parent;
}

static pid_t child_of(pid_t parent) {
  pid_t found = 0;
  DIR *folder = opendir("/proc");
  for (const struct dirent *entry = readdir(folder); entry != NULL && found == 0; entry = readdir(folder)) {
    const pid_t pid = (pid_t)atoi(entry->d_name);
    if (pid > 0 && parent_of(pid) == parent) found = pid;
  }
  closedir(folder);
  return found;
}

/// Kills a parent by this signal while its worker hangs; the worker must be gone soon.
static void kill_parent_by(int signal_number) {
  const pid_t parent = fork();
  assert_true(parent >= 0);
  if (parent == 0) {
    signal(signal_number, SIG_DFL); // a shell ignores SIGINT for what it starts in the background
    cook_job *job = job_begin(NULL, NULL);
    attempt asked = {.name = "hang"};
    run(job, &asked);
    _exit(0);
  }
  pid_t worker = 0;
  for (int i = 0; i < 6000 && worker == 0; i++) {
    nap();
    worker = child_of(parent);
  }
  assert_true(worker > 0);
  for (int i = 0; i < 20; i++) nap(); // let it become the program
  kill(parent, signal_number);
  int status;
  assert_int_equal(waitpid(parent, &status, 0), parent);
  assert_true(WIFSIGNALED(status));
  for (int i = 0; i < 6000 && kill(worker, 0) == 0 && parent_of(worker) != 0; i++) nap();
  assert_int_equal(parent_of(worker), 0);
}

static void test_worker_dies_with_its_parent(void **state) {
  (void)state;
  kill_parent_by(SIGKILL);
  kill_parent_by(SIGTERM);
  kill_parent_by(SIGINT);
}

// -- Memory of the parent ---------------------------------------------------------------------------------------------

/// Each allocation of the parent refused in turn: a clean end, no leak, no process left.
static void test_worker_parent_without_memory_ends_cleanly(void **state) {
  (void)state;
  uint64_t points = 0;
  for (uint64_t n = 1;; n++) {
    mt_memory memory = {.refuse_at = n};
    const mpak_allocator allocator = mt_allocator(&memory);
    cook_job *job = job_begin(&allocator, NULL);
    if (job == NULL) continue; // the first one
    attempt asked = {.name = "good"};
    const bool worked = run(job, &asked) != NULL;
    assert_int_equal(worked ? 0 : 6, job_exit_code(job));
    job_end(job);
    assert_int_equal(memory.held, 0);
    assert_no_children(); // the job has taken them along
    if (worked) break;
    points++;
  }
  assert_true(points >= 2);
}

int main(int argc, char **argv) {
  if (mt_is_importer(argc, argv)) return mt_importer_main(argc, argv);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_worker_brings_the_scene_and_its_memory),
      cmocka_unit_test(test_worker_memory_is_not_the_parents),
      cmocka_unit_test(test_worker_may_read_files_and_talk),
      cmocka_unit_test(test_worker_issues_and_refusals_arrive),
      cmocka_unit_test(test_worker_knows_options_limits_and_severities),
      cmocka_unit_test(test_worker_misdeeds_are_one_issue_each),
      cmocka_unit_test(test_worker_that_never_stops_answering_is_stopped),
      cmocka_unit_test(test_worker_limits_of_the_parent_are_named),
      cmocka_unit_test(test_worker_that_cannot_start_is_said),
      cmocka_unit_test(test_worker_in_a_worker_is_refused),
      cmocka_unit_test(test_worker_program_that_is_no_importer_answers_nonsense),
      cmocka_unit_test(test_worker_main_refuses_other_command_lines),
      cmocka_unit_test(test_worker_works_where_children_are_ignored),
      cmocka_unit_test(test_worker_dies_with_its_parent),
      cmocka_unit_test(test_worker_parent_without_memory_ends_cleanly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
