/// carve.h: cuts one block of the caller's memory into arrays. Private to the runtime.
///
/// A layout function takes every array in order from a carve; run over a null block it measures, run over real memory
/// it hands out pointers. So `_bytes` and `_init` of an object can never disagree.
#ifndef MPAK_CARVE_H
#define MPAK_CARVE_H

#include "format/bytes.h"

#define CARVE_ALIGNMENT 16u

/// A block that is being cut. {NULL} measures.
typedef struct carve {
  uint8_t *memory;    ///< CARVE_ALIGNMENT-aligned, or NULL
  uint64_t used;      ///< bytes taken so far, a multiple of CARVE_ALIGNMENT
  bool is_overflowed; ///< the sizes do not fit 64 bits; used is then UINT64_MAX
} carve;

/// Adds count * stride bytes to what a measured block takes.
static inline void carve_measure(carve *block, uint64_t count, uint64_t stride) {
  uint64_t bytes, end;
  if (block->is_overflowed || !bytes_mul(count, stride, &bytes) || !bytes_add(block->used, bytes, &end) ||
      end > UINT64_MAX - CARVE_ALIGNMENT) {
    block->is_overflowed = true;
    block->used = UINT64_MAX;
  } else {
    block->used = bytes_align(end, CARVE_ALIGNMENT);
  }
}

/// The next count * stride bytes, zeroed; NULL while measuring. Real memory must be as long as the measured block: the
/// same sizes then cannot overflow.
static inline void *carve_take(carve *block, uint64_t count, uint64_t stride) {
  if (!block->memory) {
    carve_measure(block, count, stride);
    return NULL;
  }
  uint8_t *taken = block->memory + block->used;
  memset(taken, 0, (size_t)(count * stride));
  block->used = bytes_align(block->used + count * stride, CARVE_ALIGNMENT);
  return taken;
}

#endif
