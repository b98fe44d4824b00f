#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cooker/import/import.h"
#include "cooker/import/sandbox.h"
#include "cooker/import/worker.h"

#define EXIT_USAGE  2
#define EXIT_MEMORY 6
#define EXIT_BUG    7

/// What the steps of a worker share.
typedef struct worker_task {
  const char *path;
  cook_options options;
  worker_importer importer;
  cook_scene *scene; ///< NULL: the importer left its job
  bool has_answered;
} worker_task;

// -- Steps ------------------------------------------------------------------------------------------------------------

static void worker_step_import(cook_job *job, void *user) {
  worker_task *task = user;
  if (!sandbox_enter()) job_issue(job, MPAK_I006, COOK_WHERE);
  task->scene = task->importer(job, task->path, &task->options);
}

/// This process's largest resident memory. getrusage is of no use: its figure includes the parent's memory from before
/// exec.
static uint64_t resident_peak_bytes(void) {
  FILE *file = fopen("/proc/self/status", "r");
  if (file == NULL) return 0;
  char line[256];
  unsigned long long peak_kib = 0;
  while (fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, "VmHWM: %llu kB", &peak_kib) == 1) break;
  fclose(file);
  return (uint64_t)peak_kib * 1024;
}

static bool write_whole(const void *bytes, uint64_t byte_count) {
  const uint8_t *at = bytes;
  while (byte_count != 0) {
    const ssize_t written = write(WORKER_RESULT_FD, at, byte_count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += written;
    byte_count -= (uint64_t)written;
  }
  return true;
}

static void worker_step_answer(cook_job *job, void *user) {
  worker_task *task = user;
  worker_head head = {.magic = WORKER_MAGIC};
  const uint8_t *stream = scene_write(job, task->scene, &head.stream_bytes);
  head.peak_bytes = resident_peak_bytes();
  task->has_answered = true;
  if (!write_whole(&head, sizeof head) || !write_whole(stream, head.stream_bytes)) task->has_answered = false;
}

// -- Main -------------------------------------------------------------------------------------------------------------

static int worker_run_task(cook_job *job, worker_task *task) {
  job_set_file(job, task->path);
  if (!job_run(job, worker_step_import, task)) task->scene = NULL;
  if (job_run(job, worker_step_answer, task)) return task->has_answered ? 0 : EXIT_BUG;
  return EXIT_MEMORY; // not even the answer fits
}

int worker_main(int argc, char **argv, worker_importer importer) {
  cook_limits limits;
  worker_task task = {.importer = importer};
  if (argc != WORKER_ARGUMENT_COUNT || strcmp(argv[1], WORKER_VERB) != 0 || !worker_argv_read_limits(argv, &limits) ||
      !worker_argv_read_options(argv, &task.options)) {
    fprintf(stderr, "mpak: %s is for mpak itself; see mpak help\n", WORKER_VERB);
    return EXIT_USAGE;
  }
  cook_job *job = job_begin(NULL, &limits);
  if (job == NULL) return EXIT_MEMORY;
  task.path = argv[2];
  const int exit_code = worker_argv_read_severities(argv, job) ? worker_run_task(job, &task) : EXIT_USAGE;
  job_end(job);
  return exit_code;
}
