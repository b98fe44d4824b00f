#include "cooker/build/optimiser_memory.h"

#include <meshoptimizer.h>
#include <pthread.h>
#include <stdlib.h>

// The library takes its memory from a process-wide function and does not bear a refusal. So a job allots what it needs
// beforehand, where running out is a clean error, and the function hands that out to the thread at work.

typedef struct optimiser_memory {
  uint8_t *bytes;
  size_t byte_count;
  size_t used;
} optimiser_memory;

static _Thread_local optimiser_memory optimiser_scratch;
static pthread_once_t optimiser_once = PTHREAD_ONCE_INIT;

static void *optimiser_allocate(size_t byte_count) {
  const size_t rounded = (byte_count + 15) & ~(size_t)15;
  if (rounded >= byte_count && rounded <= optimiser_scratch.byte_count - optimiser_scratch.used) {
    optimiser_scratch.used += rounded;
    return optimiser_scratch.bytes + optimiser_scratch.used - rounded;
  }
  void *bytes = malloc(byte_count == 0 ? 1 : byte_count);
  if (bytes == NULL) abort();
  return bytes;
}

static void optimiser_release(void *pointer) {
  const uintptr_t at = (uintptr_t)pointer, first = (uintptr_t)optimiser_scratch.bytes;
  if (at >= first && at - first < optimiser_scratch.byte_count) return; // goes back with the job's memory
  free(pointer);
}

static void optimiser_set_allocator(void) { meshopt_setAllocator(optimiser_allocate, optimiser_release); }

void optimiser_begin(cook_job *job, uint64_t byte_count) {
  pthread_once(&optimiser_once, optimiser_set_allocator);
  optimiser_scratch = (optimiser_memory){job_alloc(job, byte_count, 1), (size_t)byte_count, 0};
}

void optimiser_end(void) { optimiser_scratch = (optimiser_memory){0}; }
