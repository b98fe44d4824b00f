#include "cooker/import/worker_start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STACK_BYTES   ((rlim_t)512 << 20) ///< Assimp recurses over node trees
#define OPEN_FILES    64
#define FIRST_FREE_FD 10 ///< our own descriptors start here, so that none is in the way of 0 to 3

extern char **environ;

// -- Environment ------------------------------------------------------------------------------------------------------

static bool environment_is(const char *entry, const char *name) {
  const size_t length = strlen(name);
  return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

static const char *environment_of(const char *name) {
  for (char **entry = environ; *entry != NULL; entry++)
    if (environment_is(*entry, name)) return *entry + strlen(name) + 1;
  return NULL;
}

/// What AddressSanitizer needs to know in a process that may neither fork nor take a fixed address space.
static char *environment_sanitizer(cook_job *job, const worker_limits *limits) {
  const char *given = environment_of("ASAN_OPTIONS");
  return job_format(job,
                    "ASAN_OPTIONS=%s:detect_leaks=0:symbolize=0:allocator_may_return_null=1:hard_rss_limit_mb=%llu",
                    given == NULL ? "" : given, (unsigned long long)(limits->memory_bytes >> 20));
}

/// The parent's environment with our mark.
static char **environment_for_worker(cook_job *job, const worker_limits *limits) {
  size_t count = 0;
  while (environ[count] != NULL) count++;
  char **entries = JOB_ARRAY(job, char *, count + 3);
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (!environment_is(environ[i], "ASAN_OPTIONS") || !WORKER_HAS_ASAN) entries[kept++] = environ[i];
  entries[kept++] = job_format(job, "%s=1", WORKER_ENVIRONMENT_MARK);
  if (WORKER_HAS_ASAN) entries[kept++] = environment_sanitizer(job, limits);
  return entries;
}

// -- The child, between fork and exec: only async-signal-safe calls ---------------------------------------------------

/// All that the child needs, made before the fork.
typedef struct worker_plan {
  char **arguments;
  char **environment;
  worker_limits limits;
  pid_t parent;
  int null_fd, result_fd, log_fd; ///< become 0; 3; 1 and 2
  int start_fd;                   ///< takes the errno of a failed exec; closed by a successful one
} worker_plan;

static void set_limit(__rlimit_resource_t resource, rlim_t wanted, rlim_t wanted_hard) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return;
  if (wanted_hard > limit.rlim_max) wanted_hard = limit.rlim_max;
  limit.rlim_max = wanted_hard;
  limit.rlim_cur = wanted < wanted_hard ? wanted : wanted_hard;
  setrlimit(resource, &limit);
}

/// All limits of the worker. The stack's counts only when it is set before exec.
static void worker_set_limits(const worker_limits *limits) {
  if (!WORKER_HAS_ASAN) set_limit(RLIMIT_AS, limits->memory_bytes, limits->memory_bytes);
  set_limit(RLIMIT_CPU, limits->cpu_s, (rlim_t)limits->cpu_s + 1);
  set_limit(RLIMIT_STACK, STACK_BYTES, STACK_BYTES);
  set_limit(RLIMIT_CORE, 0, 0);
  set_limit(RLIMIT_FSIZE, 0, 0);
  set_limit(RLIMIT_NOFILE, OPEN_FILES, OPEN_FILES);
}

/// Descriptors of the embedding program are not the importer's business.
static void close_the_rest(void) {
#if defined(SYS_close_range)
  if (syscall(SYS_close_range, WORKER_RESULT_FD + 1, ~0u, 4u /* CLOSE_RANGE_CLOEXEC */) == 0) return;
#endif
  for (int fd = WORKER_RESULT_FD + 1; fd < 4096; fd++) fcntl(fd, F_SETFD, FD_CLOEXEC);
}

_Noreturn static void worker_give_up(const worker_plan *plan) {
  const int error = errno;
  const ssize_t ignored = write(plan->start_fd, &error, sizeof error);
  (void)ignored;
  _exit(127);
}

_Noreturn static void worker_become(const worker_plan *plan) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != plan->parent) _exit(127); // the parent died before the line above
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (dup2(plan->null_fd, 0) < 0 || dup2(plan->log_fd, 1) < 0 || dup2(plan->log_fd, 2) < 0 ||
      dup2(plan->result_fd, WORKER_RESULT_FD) < 0)
    worker_give_up(plan);
  close_the_rest();
  worker_set_limits(&plan->limits);
  execve(plan->arguments[0], plan->arguments, plan->environment);
  worker_give_up(plan);
}

// -- The parent -------------------------------------------------------------------------------------------------------

/// Descriptors of a start; -1 where closed.
typedef struct worker_pipes {
  int null_fd;
  int result[2], log[2], start[2]; ///< read end, write end
} worker_pipes;

static void close_fd(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

static void pipes_close(worker_pipes *pipes) {
  close_fd(&pipes->null_fd);
  for (int end = 0; end < 2; end++) {
    close_fd(&pipes->result[end]);
    close_fd(&pipes->log[end]);
    close_fd(&pipes->start[end]);
  }
}

/// The descriptor moved out of the way of 0 to 3.
static int move_fd(int fd) {
  if (fd < 0) return -1;
  const int moved = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FREE_FD);
  const int error = errno;
  close(fd);
  errno = error;
  return moved;
}

static bool pipe_open(int ends[2]) {
  int low[2];
  if (pipe2(low, O_CLOEXEC) != 0) return false;
  ends[0] = move_fd(low[0]);
  ends[1] = move_fd(low[1]);
  return ends[0] >= 0 && ends[1] >= 0;
}

static bool pipes_open(worker_pipes *pipes) {
  *pipes = (worker_pipes){-1, {-1, -1}, {-1, -1}, {-1, -1}};
  pipes->null_fd = move_fd(open("/dev/null", O_RDONLY | O_CLOEXEC));
  return pipes->null_fd >= 0 && pipe_open(pipes->result) && pipe_open(pipes->log) && pipe_open(pipes->start);
}

/// Waits until the child has become the program. Returns 0, or the errno that it could not.
static int wait_for_exec(worker_pipes *pipes) {
  close_fd(&pipes->start[1]);
  int error = 0;
  ssize_t got;
  do got = read(pipes->start[0], &error, sizeof error);
  while (got < 0 && errno == EINTR);
  return got == (ssize_t)sizeof error ? error : 0;
}

static int start_with_pipes(worker_plan *plan, worker_pipes *pipes, worker_process *process) {
  plan->null_fd = pipes->null_fd;
  plan->result_fd = pipes->result[1];
  plan->log_fd = pipes->log[1];
  plan->start_fd = pipes->start[1];
  process->pid = fork();
  if (process->pid < 0) {
    process->pid = 0;
    return errno;
  }
  if (process->pid == 0) worker_become(plan);
  const int error = wait_for_exec(pipes);
  fcntl(pipes->result[0], F_SETFL, O_NONBLOCK);
  fcntl(pipes->log[0], F_SETFL, O_NONBLOCK);
  process->result_fd = pipes->result[0];
  process->log_fd = pipes->log[0];
  pipes->result[0] = pipes->log[0] = -1; // they are the process's now
  return error;
}

int worker_start(cook_job *job, char **arguments, const worker_limits *limits, worker_process *process) {
  if (environment_of(WORKER_ENVIRONMENT_MARK) != NULL) return WORKER_IN_WORKER;
  worker_plan plan = {.arguments = arguments,
                      .environment = environment_for_worker(job, limits),
                      .limits = *limits,
                      .parent = getpid()};
  worker_pipes pipes;
  const int error = pipes_open(&pipes) ? start_with_pipes(&plan, &pipes, process) : errno;
  pipes_close(&pipes);
  return error;
}
