#include "cooker/base/job.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/base/job_private.h"

#define BLOCK_ALIGNMENT ((size_t)16)

// -- Default memory --------------------------------------------------------------------------------------------------

static void *heap_allocate(void *user, size_t byte_count) {
  (void)user;
  return calloc(1, byte_count); // large blocks come from the kernel as zeros, and take memory where they are written
}

static void heap_release(void *user, void *pointer, size_t byte_count) {
  (void)user;
  (void)byte_count;
  free(pointer);
}

static const mpak_allocator heap_allocator = {heap_allocate, heap_release, NULL};

static void limits_fill(cook_limits *to, const cook_limits *from) {
  const cook_limits defaults = {.memory_bytes = (uint64_t)16 << 30,
                                .block_bytes = (uint64_t)1 << 18,
                                .file_bytes = (uint64_t)4 << 30,
                                .issues = 1000,
                                .targets = MPAK_MAX_TARGETS,
                                .nodes = MPAK_MAX_NODES,
                                .joints = MPAK_MAX_JOINTS,
                                .clips = MPAK_MAX_CLIPS,
                                .depth = MPAK_MAX_DEPTH,
                                .json_depth = 64,
                                .name_bytes = MPAK_MAX_NAME_BYTES,
                                .vertices = (uint64_t)1 << 28,
                                .dense_bytes = (uint64_t)8 << 30};
  *to = defaults;
  if (from == NULL) return;
#define TAKE(member)                                                                                                   \
  if (from->member != 0 && from->member < defaults.member) to->member = from->member
  TAKE(file_bytes);
  TAKE(targets);
  TAKE(nodes);
  TAKE(joints);
  TAKE(clips);
  TAKE(depth);
  TAKE(json_depth);
  TAKE(name_bytes);
#undef TAKE
  if (from->memory_bytes != 0) to->memory_bytes = from->memory_bytes;
  if (from->block_bytes != 0) to->block_bytes = from->block_bytes;
  if (from->issues != 0) to->issues = from->issues;
  if (from->vertices != 0) to->vertices = from->vertices;
  if (from->dense_bytes != 0) to->dense_bytes = from->dense_bytes;
}

// -- Life ------------------------------------------------------------------------------------------------------------

cook_job *job_begin(const mpak_allocator *allocator, const cook_limits *limits) {
  if (allocator == NULL) allocator = &heap_allocator;
  cook_job *job = allocator->allocate(allocator->user, sizeof *job);
  if (job == NULL) return NULL;
  memset(job, 0, sizeof *job);
  job->allocator = *allocator;
  limits_fill(&job->limits, limits);
  for (int i = 0; i < MPAK_ISSUE_COUNT; i++) job->severities[i] = (uint8_t)mpak_issue_get((mpak_issue_id)i)->severity;
  job->file = "";
  return job;
}

bool job_run(cook_job *job, void (*step)(cook_job *job, void *user), void *user) {
  cook_way_out here = {.outer = job->way_out};
  job->way_out = &here;
  const bool returned = setjmp(here.place) == 0;
  if (returned) step(job, user);
  job->way_out = here.outer;
  return returned;
}

_Noreturn void job_leave(cook_job *job) {
  if (job->way_out == NULL) abort(); // a stage was called outside job_run: a bug of the caller
  longjmp(job->way_out->place, 1);
}

void job_end(cook_job *job) {
  if (job == NULL) return;
  while (job->deferred != NULL) {
    cook_deferred *newest = job->deferred;
    job->deferred = newest->older;
    newest->action(newest->user);
  }
  job_forget_issues(job);
  for (size_t i = job->block_count; i-- > 0;)
    job->allocator.release(job->allocator.user, job->blocks[i].bytes, job->blocks[i].byte_count);
  if (job->blocks != NULL)
    job->allocator.release(job->allocator.user, job->blocks, job->block_capacity * sizeof *job->blocks);
  const mpak_allocator allocator = job->allocator;
  allocator.release(allocator.user, job, sizeof *job);
}

const cook_limits *job_limits(const cook_job *job) { return &job->limits; }

// -- Memory ----------------------------------------------------------------------------------------------------------

_Noreturn static void job_out_of_memory(cook_job *job) {
  job->is_out_of_memory = true;
  job_leave(job);
}

static void job_grow_block_table(cook_job *job) {
  const size_t capacity = job->block_capacity == 0 ? 64 : job->block_capacity * 2;
  cook_block *blocks = job->allocator.allocate(job->allocator.user, capacity * sizeof *blocks);
  if (blocks == NULL) job_out_of_memory(job);
  if (job->blocks != NULL) {
    memcpy(blocks, job->blocks, job->block_count * sizeof *blocks);
    job->allocator.release(job->allocator.user, job->blocks, job->block_capacity * sizeof *blocks);
  }
  job->blocks = blocks;
  job->block_capacity = capacity;
}

/// A new block that holds at least byte_count bytes.
static void job_add_block(cook_job *job, size_t byte_count) {
  if (job->block_count == job->block_capacity) job_grow_block_table(job);
  const size_t smallest = (size_t)job->limits.block_bytes, wanted = byte_count < smallest ? smallest : byte_count;
  if (wanted > job->limits.memory_bytes || job->bytes_held > job->limits.memory_bytes - wanted) job_out_of_memory(job);
  uint8_t *bytes = job->allocator.allocate(job->allocator.user, wanted);
  if (bytes == NULL) job_out_of_memory(job);
  const bool is_zeroed = job->allocator.allocate == heap_allocate;
  job->blocks[job->block_count++] = (cook_block){bytes, wanted, 0, is_zeroed ? 0 : wanted};
  job->bytes_held += wanted;
  if (job->bytes_held > job->bytes_peak) job->bytes_peak = job->bytes_held;
}

void *job_alloc(cook_job *job, uint64_t count, size_t size) {
  uint64_t byte_count;
  if (__builtin_mul_overflow(count, size, &byte_count) || byte_count > SIZE_MAX - 64) job_out_of_memory(job);
  const size_t rounded = ((size_t)byte_count + BLOCK_ALIGNMENT - 1) & ~(BLOCK_ALIGNMENT - 1);
  if (job->block_count == 0 ||
      job->blocks[job->block_count - 1].byte_count - job->blocks[job->block_count - 1].used < rounded)
    job_add_block(job, rounded);
  cook_block *block = &job->blocks[job->block_count - 1];
  uint8_t *bytes = block->bytes + block->used;
  const size_t dirty = block->dirty > block->used ? block->dirty - block->used : 0;
  memset(bytes, 0, dirty < rounded ? dirty : rounded);
  block->used += rounded;
  if (block->dirty < block->used) block->dirty = block->used;
  return bytes;
}

void *job_copy(cook_job *job, const void *bytes, uint64_t byte_count) {
  if (byte_count == UINT64_MAX) job_out_of_memory(job);
  uint8_t *copy = job_alloc(job, byte_count + 1, 1);
  if (byte_count != 0) memcpy(copy, bytes, (size_t)byte_count);
  return copy;
}

char *job_format(cook_job *job, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *text = job_alloc(job, length < 0 ? 1 : (uint64_t)length + 1, 1);
  if (length <= 0) return text;
  va_start(arguments, format);
  vsnprintf(text, (size_t)length + 1, format, arguments);
  va_end(arguments);
  return text;
}

cook_mark job_mark(const cook_job *job) {
  if (job->block_count == 0) return (cook_mark){0, 0};
  return (cook_mark){job->block_count, job->blocks[job->block_count - 1].used};
}

void job_release(cook_job *job, cook_mark mark) {
  while (job->block_count > mark.block) {
    cook_block *block = &job->blocks[--job->block_count];
    job->bytes_held -= block->byte_count;
    job->allocator.release(job->allocator.user, block->bytes, block->byte_count);
  }
  if (job->block_count != 0) job->blocks[job->block_count - 1].used = mark.used;
}

uint64_t job_bytes_in_use(const cook_job *job) { return job->bytes_held; }
uint64_t job_bytes_peak(const cook_job *job) { return job->bytes_peak; }

void job_defer(cook_job *job, void (*action)(void *user), void *user) {
  cook_deferred *entry = job_alloc(job, 1, sizeof *entry);
  *entry = (cook_deferred){action, user, job->deferred};
  job->deferred = entry;
}

void job_undefer(cook_job *job, void (*action)(void *user), void *user) {
  cook_deferred *newest = job->deferred;
  if (newest == NULL || newest->action != action || newest->user != user)
    abort(); // not the newest: a bug of the caller
  job->deferred = newest->older;
  action(user);
}
