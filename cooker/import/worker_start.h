/// worker_start.h: private to the worker: starting the process with its descriptors and limits.
#ifndef COOK_WORKER_START_H
#define COOK_WORKER_START_H

#include <sys/types.h>

#include "cooker/import/worker.h"

#if defined(__SANITIZE_ADDRESS__)
#define WORKER_HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WORKER_HAS_ASAN 1
#endif
#endif
#ifndef WORKER_HAS_ASAN
#define WORKER_HAS_ASAN 0 ///< AddressSanitizer reserves terabytes of address space, so RLIMIT_AS must not be set
#endif

/// Set in the worker's environment, so that a program which is no worker but was started as one stops at once instead
/// of starting workers of its own.
#define WORKER_ENVIRONMENT_MARK "MPAK_IMPORT_WORKER"

/// A started process and the parent's ends of its pipes; -1 where closed.
typedef struct worker_process {
  pid_t pid; ///< 0: not started, or already waited for
  int result_fd;
  int log_fd;
} worker_process;

/// What worker_start returns in a process that is itself a worker.
#define WORKER_IN_WORKER (-1)

/// Starts the program. Returns 0, WORKER_IN_WORKER, or the errno of what went wrong.
int worker_start(cook_job *job, char **arguments, const worker_limits *limits, worker_process *process);

#endif
