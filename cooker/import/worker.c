#include "cooker/import/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cooker/import/import.h"
#include "cooker/import/sandbox.h"
#include "cooker/import/worker_start.h"

#define WATCH_MS           20    ///< how often memory and clock are looked at
#define LOG_BYTES          16384 ///< kept of the worker's free text
#define RESULT_BYTES_FIRST ((uint64_t)1 << 20)

/// Why the parent ended the worker.
typedef enum worker_kill { KILLED_NOT, KILLED_FOR_TIME, KILLED_FOR_MEMORY, KILLED_FOR_RESULT } worker_kill;

/// A worker as the parent sees it.
typedef struct worker_watch {
  cook_job *job;
  worker_limits limits;
  worker_process process;
  int pid_fd;      ///< readable when the process has ended; -1 where the kernel has none
  uint8_t *result; ///< grows with what arrives; from malloc, since an arena would keep each smaller copy
  uint64_t result_bytes;
  uint64_t result_capacity;
  char log[LOG_BYTES + 1];
  size_t log_bytes;
  uint64_t peak_bytes; ///< resident memory, as sampled
  bool was_near_limit; ///< of memory, when it was last looked at
  worker_kill kill;
  bool has_status; ///< false where the embedding program does not let us wait
  int status;
  struct rusage usage;
} worker_watch;

worker_limits worker_limits_for(uint64_t file_bytes) {
  const uint64_t least = (uint64_t)4 << 30;
  const uint64_t scaled = file_bytes > UINT64_MAX / 64 ? UINT64_MAX : file_bytes * 64;
  return (worker_limits){.memory_bytes = scaled > least ? scaled : least, .cpu_s = 60, .wall_ms = 120000};
}

/// Defaults for what is 0, and nothing beyond what this process itself may use (ulimit, containers). Of its CPU time a
/// second less: at its own limit the worker would be killed without a word, as by anybody.
static worker_limits worker_limits_settled(worker_limits limits) {
  const worker_limits defaults = worker_limits_for(0);
  if (limits.memory_bytes == 0) limits.memory_bytes = defaults.memory_bytes;
  if (limits.cpu_s == 0) limits.cpu_s = defaults.cpu_s;
  if (limits.wall_ms == 0) limits.wall_ms = defaults.wall_ms;
  struct rlimit own;
  if (getrlimit(RLIMIT_CPU, &own) == 0 && own.rlim_max <= limits.cpu_s)
    limits.cpu_s = own.rlim_max > 1 ? (uint32_t)own.rlim_max - 1 : 1;
  if (getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_max < limits.memory_bytes) limits.memory_bytes = own.rlim_max;
  return limits;
}

// -- End --------------------------------------------------------------------------------------------------------------

static void watch_close(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

/// Takes the exit status if there is one. Where SIGCHLD is ignored the kernel keeps none.
static bool watch_reap(worker_watch *watch, int flags) {
  if (watch->process.pid == 0) return true;
  pid_t reaped;
  do reaped = wait4(watch->process.pid, &watch->status, flags, &watch->usage);
  while (reaped < 0 && errno == EINTR);
  if (reaped == 0) return false;
  watch->has_status = reaped == watch->process.pid;
  watch->process.pid = 0;
  return true;
}

static void watch_kill(worker_watch *watch, worker_kill reason) {
  if (watch->kill == KILLED_NOT) watch->kill = reason;
  if (watch->process.pid != 0) kill(watch->process.pid, SIGKILL);
}

static void watch_end(void *user) {
  worker_watch *watch = user;
  if (watch->process.pid != 0) {
    kill(watch->process.pid, SIGKILL);
    watch_reap(watch, 0);
  }
  watch_close(&watch->process.result_fd);
  watch_close(&watch->process.log_fd);
  watch_close(&watch->pid_fd);
  free(watch->result);
  watch->result = NULL;
}

// -- Listening --------------------------------------------------------------------------------------------------------

/// Room for more of the result; false when it is larger than a job may be.
static bool result_grow(worker_watch *watch) {
  if (watch->result_bytes < watch->result_capacity) return true;
  const uint64_t capacity = watch->result == NULL ? RESULT_BYTES_FIRST : watch->result_capacity * 2;
  if (watch->result_bytes >= job_limits(watch->job)->memory_bytes) return false;
  uint8_t *grown = realloc(watch->result, capacity);
  if (grown == NULL) return false;
  watch->result = grown;
  watch->result_capacity = capacity;
  return true;
}

static void result_read(worker_watch *watch) {
  while (watch->process.result_fd >= 0) {
    if (!result_grow(watch)) {
      watch_kill(watch, KILLED_FOR_RESULT);
      watch_close(&watch->process.result_fd);
      return;
    }
    const ssize_t got = read(watch->process.result_fd, watch->result + watch->result_bytes,
                             watch->result_capacity - watch->result_bytes);
    if (got > 0)
      watch->result_bytes += (uint64_t)got;
    else if (got == 0 || (errno != EINTR && errno != EAGAIN))
      watch_close(&watch->process.result_fd);
    else if (errno == EAGAIN)
      return;
  }
}

/// Keeps the first LOG_BYTES / 2 bytes, where a sanitizer names the fault, and the last as many.
static void log_keep(worker_watch *watch, const char *bytes, size_t byte_count) {
  const size_t fixed = LOG_BYTES / 2;
  if (byte_count > LOG_BYTES - watch->log_bytes) {
    const size_t surplus = byte_count - (LOG_BYTES - watch->log_bytes);
    memmove(watch->log + fixed, watch->log + fixed + surplus, watch->log_bytes - fixed - surplus);
    watch->log_bytes -= surplus;
  }
  memcpy(watch->log + watch->log_bytes, bytes, byte_count);
  watch->log_bytes += byte_count;
  watch->log[watch->log_bytes] = 0;
}

static void log_read(worker_watch *watch) {
  char bytes[LOG_BYTES / 4];
  while (watch->process.log_fd >= 0) {
    const ssize_t got = read(watch->process.log_fd, bytes, sizeof bytes);
    if (got > 0)
      log_keep(watch, bytes, (size_t)got);
    else if (got == 0 || (errno != EINTR && errno != EAGAIN))
      watch_close(&watch->process.log_fd);
    else if (errno == EAGAIN)
      return;
  }
}

// -- Watching ---------------------------------------------------------------------------------------------------------

static uint64_t clock_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/// Address space and resident memory of the worker. The kernel enforces the first in normal builds; the second is
/// enforced here, since nothing else does under AddressSanitizer.
static void watch_memory(worker_watch *watch) {
  char path[64], text[128] = "";
  snprintf(path, sizeof path, "/proc/%d/statm", (int)watch->process.pid);
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  const ssize_t got = read(fd, text, sizeof text - 1);
  close(fd);
  unsigned long long address_pages = 0, resident_pages = 0;
  if (got <= 0 || sscanf(text, "%llu %llu", &address_pages, &resident_pages) != 2) return;
  if (address_pages == 0) return; // it has just ended
  const uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
  const uint64_t resident_bytes = resident_pages * page_bytes;
  const uint64_t limited_bytes = WORKER_HAS_ASAN ? resident_bytes : address_pages * page_bytes;
  if (resident_bytes > watch->peak_bytes) watch->peak_bytes = resident_bytes;
  watch->was_near_limit = limited_bytes > watch->limits.memory_bytes / 8 * 7;
  if (resident_bytes > watch->limits.memory_bytes) watch_kill(watch, KILLED_FOR_MEMORY);
}

static void watch_wait(worker_watch *watch) {
  struct pollfd polled[3];
  nfds_t count = 0;
  const int fds[3] = {watch->process.result_fd, watch->process.log_fd, watch->pid_fd};
  for (int i = 0; i < 3; i++)
    if (fds[i] >= 0) polled[count++] = (struct pollfd){.fd = fds[i], .events = POLLIN};
  // without a process descriptor nothing wakes us when it ends after its last word
  const bool may_end_unseen = watch->pid_fd < 0 && watch->process.result_fd < 0;
  poll(polled, count, may_end_unseen ? 1 : WATCH_MS);
}

/// Until the worker has ended, by itself or by us.
static void watch_run(worker_watch *watch) {
  const uint64_t deadline = clock_ms() + watch->limits.wall_ms;
  uint64_t next_look = 0;
  while (!watch_reap(watch, WNOHANG)) {
    watch_wait(watch);
    result_read(watch);
    log_read(watch);
    const uint64_t now = clock_ms();
    if (now >= next_look) {
      watch_memory(watch);
      next_look = now + WATCH_MS;
    }
    if (now >= deadline) watch_kill(watch, KILLED_FOR_TIME);
  }
  result_read(watch); // what was in the pipes when it ended
  log_read(watch);
}

// -- Judging ----------------------------------------------------------------------------------------------------------

_Noreturn static void worker_fail(worker_watch *watch, mpak_issue_id id, const char *value, const char *limit) {
  cook_where where = COOK_WHERE;
  where.value = value;
  where.limit = limit;
  job_fail(watch->job, id, where);
}

/// One line of the log, fit for a message: printable ASCII, not too long.
static char *log_line(worker_watch *watch, const char *at) {
  while (at > watch->log && at[-1] != '\n') at--;
  size_t length = strcspn(at, "\n");
  if (length > 300) length = 300;
  char *line = job_copy(watch->job, at, length);
  for (size_t i = 0; i < length; i++)
    if (line[i] < ' ' || line[i] > '~') line[i] = '?';
  return line;
}

/// The line that says most about the end: a sanitizer's, an assertion's, or else the last one. NULL when there is none.
static char *log_last_words(worker_watch *watch) {
  static const char *const telling[] = {"ERROR: AddressSanitizer", "runtime error", "assert", "what()"};
  for (size_t i = 0; i < sizeof telling / sizeof *telling; i++) {
    const char *at = strstr(watch->log, telling[i]);
    if (at != NULL) return log_line(watch, at);
  }
  const char *last = watch->log + watch->log_bytes;
  while (last > watch->log && (last[-1] == '\n' || last[-1] == 0)) last--;
  return last == watch->log ? NULL : log_line(watch, last - 1);
}

static bool log_has(const worker_watch *watch, const char *text) { return strstr(watch->log, text) != NULL; }

static bool ran_out_of_memory(const worker_watch *watch) {
  return watch->kill == KILLED_FOR_MEMORY || watch->was_near_limit || log_has(watch, "bad_alloc") ||
         log_has(watch, "hard rss limit exhausted") || log_has(watch, "out of memory") ||
         (watch->has_status && WIFEXITED(watch->status) && WEXITSTATUS(watch->status) == 6);
}

static bool ran_out_of_time(const worker_watch *watch) {
  if (watch->kill == KILLED_FOR_TIME) return true;
  if (!watch->has_status || !WIFSIGNALED(watch->status)) return false;
  const uint64_t cpu_s = (uint64_t)watch->usage.ru_utime.tv_sec + (uint64_t)watch->usage.ru_stime.tv_sec;
  return WTERMSIG(watch->status) == SIGXCPU || (WTERMSIG(watch->status) == SIGKILL && cpu_s >= watch->limits.cpu_s);
}

_Noreturn static void worker_fail_blocked(worker_watch *watch) {
  const char *at = strstr(watch->log, SANDBOX_BLOCKED_TEXT) + strlen(SANDBOX_BLOCKED_TEXT);
  const int number = atoi(at);
  char *name = sandbox_call_name(number);
  char *value = job_format(watch->job, "%s (system call %d)", name == NULL ? "?" : name, number);
  free(name);
  worker_fail(watch, MPAK_I007, value, NULL);
}

_Noreturn static void worker_fail_crashed(worker_watch *watch) {
  char *words = log_last_words(watch);
  const char *signal_name = "an unknown end";
  if (watch->has_status && WIFSIGNALED(watch->status)) {
    const char *short_name = sigabbrev_np(WTERMSIG(watch->status));
    signal_name = job_format(watch->job, "SIG%s", short_name == NULL ? "?" : short_name);
  } else if (watch->has_status) {
    signal_name = job_format(watch->job, "exit code %d", WEXITSTATUS(watch->status));
  }
  worker_fail(watch, MPAK_I001, words == NULL ? signal_name : job_format(watch->job, "%s: %s", signal_name, words),
              NULL);
}

static char *memory_text(const worker_watch *watch) {
  return job_format(watch->job, "%llu MiB", (unsigned long long)(watch->limits.memory_bytes >> 20));
}

static char *time_text(const worker_watch *watch) {
  if (watch->kill == KILLED_FOR_TIME) return job_format(watch->job, "%u ms", watch->limits.wall_ms);
  return job_format(watch->job, "%u s of CPU time", watch->limits.cpu_s);
}

/// Leaves the job unless the worker ended as it should. Where the kernel keeps no status, the result must tell.
static void worker_judge_end(worker_watch *watch) {
  const bool ended_well = watch->has_status && WIFEXITED(watch->status) && WEXITSTATUS(watch->status) == 0;
  if (watch->kill == KILLED_FOR_RESULT) worker_fail(watch, MPAK_I004, "it is larger than the memory limit", NULL);
  if (ended_well || (!watch->has_status && watch->kill == KILLED_NOT)) return;
  if (log_has(watch, SANDBOX_BLOCKED_TEXT)) worker_fail_blocked(watch);
  if (ran_out_of_memory(watch)) worker_fail(watch, MPAK_I003, memory_text(watch), NULL);
  if (ran_out_of_time(watch)) worker_fail(watch, MPAK_I002, "too long", time_text(watch));
  worker_fail_crashed(watch);
}

static cook_scene *worker_take_result(worker_watch *watch, uint64_t *peak_bytes) {
  worker_head head;
  if (watch->result_bytes == 0) worker_fail(watch, MPAK_I004, "it is empty", NULL);
  if (watch->result_bytes < sizeof head) worker_fail(watch, MPAK_I004, "it is too short", NULL);
  memcpy(&head, watch->result, sizeof head);
  if (head.magic != WORKER_MAGIC) worker_fail(watch, MPAK_I004, "it does not begin as a result", NULL);
  if (head.stream_bytes != watch->result_bytes - sizeof head)
    worker_fail(watch, MPAK_I004, "its length is not the stated one", NULL);
  if (peak_bytes != NULL) *peak_bytes = head.peak_bytes > watch->peak_bytes ? head.peak_bytes : watch->peak_bytes;
  return scene_read(watch->job, watch->result + sizeof head, head.stream_bytes);
}

cook_scene *worker_import(cook_job *job, const char *path, const cook_options *options, worker_limits limits,
                          uint64_t *peak_bytes) {
  worker_watch *watch = JOB_ARRAY(job, worker_watch, 1);
  limits = worker_limits_settled(limits);
  *watch = (worker_watch){.job = job, .limits = limits, .process = {0, -1, -1}, .pid_fd = -1};
  job_defer(job, watch_end, watch);
  char *arguments[WORKER_ARGUMENT_COUNT + 1];
  const char *program = options->worker_program != NULL ? options->worker_program : "/proc/self/exe";
  worker_argv_write(job, program, path, options, arguments);
  const int error = worker_start(job, arguments, &limits, &watch->process);
  if (error != 0) watch_end(watch);
  if (error != 0)
    worker_fail(watch, MPAK_I005, error == WORKER_IN_WORKER ? "this process is an importer itself" : strerror(error),
                program);
  watch->pid_fd = (int)syscall(SYS_pidfd_open, watch->process.pid, 0);
  watch_run(watch);
  worker_judge_end(watch);
  cook_scene *scene = worker_take_result(watch, peak_bytes);
  job_undefer(job, watch_end, watch);
  return scene;
}
