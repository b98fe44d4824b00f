/// loosen.h: a pack whose small chunks are easy to compress once more, together.
///
/// A zstd frame of its own costs a small chunk its headers, its code tables, and all that its neighbours would have
/// taught. A loose pack is the same pack with the frames of small chunks as zstd frames of raw blocks: what wraps it
/// (wrap.h) then compresses their bytes in one stream with the tables.
#ifndef COOK_PACK_LOOSEN_H
#define COOK_PACK_LOOSEN_H

#include "cooker/pack/pack.h"

/// Chunks that are stored in fewer bytes are loosened; the others win nothing by company. Of 0, 256 … 65,536 and all,
/// this one made the packs of `make bench-size` smallest (geometric mean; nothing loosened: 3 % larger).
#define LOOSEN_BELOW_BYTES 4096u

/// A copy of a finished pack, loose, 64-byte aligned in the job's arena.
///
/// is_loose  receives for each chunk whether it has raw frames
uint8_t *pack_loosen(cook_job *job, const uint8_t *bytes, bool *is_loose, uint64_t *byte_count);

#endif
