/// worker.h: the importer's own process: started, watched, listened to, and ended (design D2).
///
/// The parent never touches the source file. It starts a program as `PROGRAM --import-worker …` with limits on memory,
/// time and stack, reads the scene from a pipe, and turns every way in which a process can die into one coded issue.
/// The protocol, which test importers speak too:
///   argv     PROGRAM --import-worker PATH LIMITS OPTIONS SEVERITIES ENCODING, the last four made and read by
///            worker_argv.c
///   fd 3     the result: a worker_head, then the stream of scene_write
///   fd 1, 2  free text; its last lines go into the issue when the worker dies
///   exit     0; the result says whether there is a scene
#ifndef COOK_WORKER_H
#define COOK_WORKER_H

#include "cooker/cook.h"

#define WORKER_VERB           "--import-worker"
#define WORKER_ARGUMENT_COUNT 7
#define WORKER_RESULT_FD      3
#define WORKER_MAGIC          0x4B524F5741504DFFu

/// What stands before the stream.
typedef struct worker_head {
  uint64_t magic;
  uint64_t stream_bytes; ///< that follow
  uint64_t peak_bytes;   ///< the worker's largest resident memory, by its own account
} worker_head;

/// Limits of one worker. 0 takes the default.
typedef struct worker_limits {
  uint64_t
      memory_bytes; ///< address space; under AddressSanitizer resident memory. Default: the larger of 4 GiB, 64 files
  uint32_t cpu_s;   ///< default 60
  uint32_t wall_ms; ///< default 120,000
} worker_limits;

/// Limits for a source file of this size.
worker_limits worker_limits_for(uint64_t file_bytes);

/// Imports path in a worker process. Leaves the job with one I issue when the worker dies, hangs, eats too much or
/// answers nonsense; otherwise with the worker's own issues. peak_bytes may be NULL.
cook_scene *worker_import(cook_job *job, const char *path, const cook_options *options, worker_limits limits,
                          uint64_t *peak_bytes);

/// What a worker does with a file.
typedef cook_scene *(*worker_importer)(cook_job *job, const char *path, const cook_options *options);

/// The worker's main: reads argv, closes itself in, imports, answers. Returns the exit code.
int worker_main(int argc, char **argv, worker_importer importer);

// -- worker_argv.c ----------------------------------------------------------------------------------------------------

/// Fills arguments with the command line, NULL at its end.
void worker_argv_write(cook_job *job, const char *program, const char *path, const cook_options *options,
                       char *arguments[WORKER_ARGUMENT_COUNT + 1]);

/// Reads limits, options and severities; false when the texts are not ours. job is NULL for a first look at limits.
bool worker_argv_read_limits(char **argv, cook_limits *limits);
bool worker_argv_read_options(char **argv, cook_options *options);
bool worker_argv_read_severities(char **argv, cook_job *job);

#endif
