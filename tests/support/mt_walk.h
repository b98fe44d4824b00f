/// mt_walk.h: test support: does with a pack all that a program can do with it, under the sanitizers' eyes.
#ifndef MT_WALK_H
#define MT_WALK_H

#include "runtime/mpak.h"

/// What a walk found.
typedef struct mt_walk {
  mpak_result open_result;   ///< of mpak_open; of mpak_unwrap where that refuses a wrapped pack
  mpak_result decode_result; ///< the first that is not MPAK_OK of all decode calls, or MPAK_OK
  mpak_fault fault;          ///< of the first refusal
  bool is_finite;            ///< no infinity and no NaN among the vertices that characters showed
  uint64_t digest;           ///< of all that was read
} mt_walk;

/// Opens the bytes, reads every field and string, decodes every chunk and part, follows every index, and moves all
/// vertices with two sets of weights. Memory for decoding is allotted to the exact size; packs that decode to more than
/// max_bytes are refused. A wrapped pack is unwrapped first, once. bytes need no alignment.
mt_walk mt_walk_bytes(const uint8_t *bytes, uint64_t byte_count, uint64_t max_bytes);

/// The same for bytes that are 64-byte aligned, without a copy.
mt_walk mt_walk_aligned(const uint8_t *bytes, uint64_t byte_count, uint64_t max_bytes);

/// The part of it that moves: characters play all clips and set all weights. Returns mt_walk's is_finite.
bool mt_walk_deform(const mpak_pack *pack);

#endif
