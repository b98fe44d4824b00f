/// job_private.h: what job.c (memory, ways out) and job_issues.c (issues) share.
#ifndef COOK_JOB_PRIVATE_H
#define COOK_JOB_PRIVATE_H

#include <setjmp.h>

#include "cooker/base/job.h"
#include "format/mpak_format.h"

typedef struct cook_block {
  uint8_t *bytes;
  size_t byte_count;
  size_t used;
  size_t dirty; ///< bytes that may not be zero any more; what lies behind was never handed out
} cook_block;

typedef struct cook_way_out {
  jmp_buf place;
  struct cook_way_out *outer;
} cook_way_out;

typedef struct cook_deferred {
  void (*action)(void *user);
  void *user;
  struct cook_deferred *older;
} cook_deferred;

/// Kept issues form a list of nodes, so that a mark taken before an issue never frees it: they live in memory of their
/// own.
typedef struct cook_issue_node {
  cook_issue issue;
  struct cook_issue_node *next;
  size_t byte_count; ///< of the whole allocation, strings included
} cook_issue_node;

struct cook_job {
  mpak_allocator allocator;
  cook_limits limits;
  cook_block *blocks;
  size_t block_count;
  size_t block_capacity;
  uint64_t bytes_held;
  uint64_t bytes_peak;
  cook_way_out *way_out;
  cook_deferred *deferred;
  bool is_out_of_memory;
  const char *file;
  bool werror;
  uint8_t severities[MPAK_ISSUE_COUNT];
  cook_issue_node *first_issue;
  cook_issue_node **last_issue;
  uint32_t issue_count;
  uint64_t severity_counts[3];
  int exit_code;
};

/// Gives the memory of kept issues back; job_end calls it.
void job_forget_issues(cook_job *job);

/// Leaves the job; job_run returns false.
_Noreturn void job_leave(cook_job *job);

#endif
