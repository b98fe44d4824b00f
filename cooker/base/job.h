/// job.h: one cook of one file: its memory, its issues, and the one way out when it cannot go on.
///
/// Memory. A job owns an arena made of blocks from the caller's allocator. job_alloc never returns null: when the
/// allocator or the byte limit refuses, the job unwinds to job_run with exit code 6, and job_end gives everything back.
/// So stages are written without a check after each allocation, and nothing leaks whichever allocation fails.
/// Whatever is not memory (file descriptors, child processes, library objects) is registered with job_defer first.
///
/// Threads: a job belongs to one thread. Worker threads inside a stage get memory that the stage allotted before.
#ifndef COOK_JOB_H
#define COOK_JOB_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/mpak_alloc.h"
#include "format/mpak_issue.h"

typedef struct cook_job cook_job;

// -- Life ------------------------------------------------------------------------------------------------------------

/// Limits of a job; 0 takes the default.
typedef struct cook_limits {
  uint64_t memory_bytes; ///< arena; default 16 GiB
  uint64_t block_bytes;  ///< smallest arena block; default 256 KiB. 1 gives every allocation a block of its own (tests)
  uint64_t file_bytes;   ///< of one source file; default 4 GiB
  uint32_t issues;       ///< kept and printed, the rest is counted; default 1,000
  uint32_t targets;      ///< of a mesh; default and most 65,535
  uint32_t nodes;        ///< default and most 65,535
  uint32_t joints;       ///< of a skin; default and most 65,535
  uint32_t clips;        ///< default and most 65,535
  uint32_t depth;        ///< of the node tree; default and most 1,024
  uint32_t json_depth;   ///< default and most 64
  uint32_t name_bytes;   ///< default and most 65,535
  uint64_t vertices;     ///< of all primitives together; default 1 << 28
  uint64_t dense_bytes;  ///< of all decoded streams together; default 8 GiB
} cook_limits;

/// Opens a job. allocator NULL: malloc and free. Returns NULL when even the job itself cannot be allotted.
cook_job *job_begin(const mpak_allocator *allocator, const cook_limits *limits);

/// Runs step(job, user). Returns true when it returned, false when it left through job_fail or out of memory; the exit
/// code then is job_exit_code. May be nested; the innermost one catches.
bool job_run(cook_job *job, void (*step)(cook_job *job, void *user), void *user);

/// Runs the deferred actions, last first, and gives all memory back.
void job_end(cook_job *job);

/// The job's limits with defaults filled in.
const cook_limits *job_limits(const cook_job *job);

// -- Memory ----------------------------------------------------------------------------------------------------------

/// count * size zeroed bytes, 16-byte aligned, living until job_end (or job_release). Never null; count 0 gives a
/// pointer that may not be read.
void *job_alloc(cook_job *job, uint64_t count, size_t size);

/// An array of count zeroed elements of a type.
#define JOB_ARRAY(job, type, count) ((type *)job_alloc((job), (count), sizeof(type)))

/// A copy of byte_count bytes, followed by one zero byte.
void *job_copy(cook_job *job, const void *bytes, uint64_t byte_count);

/// printf into the arena.
char *job_format(cook_job *job, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// A place in the arena; job_release gives back all that was allotted after it.
typedef struct cook_mark {
  size_t block;
  size_t used;
} cook_mark;
cook_mark job_mark(const cook_job *job);
void job_release(cook_job *job, cook_mark mark);

/// Bytes in use now, and the most that were in use.
uint64_t job_bytes_in_use(const cook_job *job);
uint64_t job_bytes_peak(const cook_job *job);

/// Runs action(user) at job_end, or when job_undefer removes the newest one. Survives job_fail.
void job_defer(cook_job *job, void (*action)(void *user), void *user);
/// Runs and removes the newest deferred action, which must be this one.
void job_undefer(cook_job *job, void (*action)(void *user), void *user);

// -- Issues ----------------------------------------------------------------------------------------------------------

/// Where something is wrong. Absent members are NULL or MPAK_NONE (see COOK_WHERE).
typedef struct cook_where {
  const char *node;   ///< path of the node, "Root/Hips/Spine"
  const char *mesh;   ///< name of the mesh
  uint32_t primitive; ///< MPAK_NONE: the mesh as a whole
  const char *target; ///< morph target's name
  const char *skin;
  const char *clip;
  const char *material;
  const char *stream;  ///< accessor, attribute or JSON pointer: "POSITION", "/accessors/4"
  const char *element; ///< kind of element: "vertex", "index", "key", "joint", "triangle"
  uint64_t index;      ///< number of the first such element
  uint64_t more;       ///< how many more elements of the same object have the same fault
  const char *value;   ///< what was found
  const char *limit;   ///< what was expected or allowed
} cook_where;

/// A cook_where with nothing in it. Use: cook_where at = COOK_WHERE; at.mesh = mesh->name; …
#define COOK_WHERE ((cook_where){.primitive = 0xFFFFFFFFu})

/// One reported issue. All strings live in the job.
typedef struct cook_issue {
  mpak_issue_id id;
  mpak_severity severity; ///< after -W and --werror
  const char *file;       ///< as the user named it
  cook_where where;
  const char *message; ///< the table's message with its places filled in
} cook_issue;

/// Reports an issue. It is counted in any case, and kept while the limit on issues allows.
void job_issue(cook_job *job, mpak_issue_id id, cook_where where);

/// Reports an issue and leaves the job (never returns).
_Noreturn void job_fail(cook_job *job, mpak_issue_id id, cook_where where);

/// Leaves the job with the exit code of the errors reported so far. A caller uses it after a stage that reported
/// errors.
void job_stop_on_errors(cook_job *job);

/// The file that issues are about from now on.
void job_set_file(cook_job *job, const char *file);
const char *job_file(const cook_job *job);

/// Severity overrides: -W CODE=LEVEL and --werror. level 3 = off.
void job_set_severity(cook_job *job, mpak_issue_id id, int level);
void job_set_werror(cook_job *job, bool werror);

/// A place in the list of issues; job_forget takes back all that was reported after it, for a step that is done again.
typedef struct cook_issue_mark {
  uint32_t issue_count;
  uint64_t severity_counts[3];
  int exit_code;
} cook_issue_mark;
cook_issue_mark job_issue_mark(const cook_job *job);
void job_forget(cook_job *job, cook_issue_mark mark);

uint32_t job_issue_count(const cook_job *job); ///< kept issues
const cook_issue *job_issue_at(const cook_job *job, uint32_t i);
uint64_t job_severity_count(const cook_job *job, mpak_severity severity); ///< all, kept or not
/// 0 without errors; else the largest exit code of the errors.
int job_exit_code(const cook_job *job);

/// Adds an issue that another process already made (worker -> parent); message and strings are copied.
void job_adopt_issue(cook_job *job, const cook_issue *issue);

#endif
