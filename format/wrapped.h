/// wrapped.h: wrapped packs (SPEC.md, section 14): how reader and writer take a pack apart.
///
/// A wrapped pack is smaller than its pack: header, chunk table, tables and small chunks are one compressed stream; the
/// other chunks, which are compressed already, stand behind it as they are.
#ifndef MPAK_WRAPPED_H
#define MPAK_WRAPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/mpak_format.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where a chunk stands: in the stream, in the byte `zero` of its line in the chunk table.
typedef enum wrapped_place {
  WRAPPED_IN_STREAM = 0,
  WRAPPED_BEHIND = 1, ///< as it is in the pack, behind the frames
} wrapped_place;

/// Do the bytes begin like a wrapped pack?
bool wrapped_is(const void *bytes, uint64_t byte_count);

/// Frames of a stream of so many bytes: each but the last expands to MPAK_MAX_FRAME_BYTES.
uint32_t wrapped_frame_count(uint32_t stream_bytes);

/// The record size of the byte planes (filter 1) that a chunk is in the stream; 0: it is there as it is.
uint32_t wrapped_plane_stride(const mpak_chunk_entry *chunk);

/// What a reader makes anew, and is 0 in the stream: hashes of a chunk.
///
/// stored  the chunk's stored_bytes; NULL: 0 instead of the hashes
void wrapped_set_hashes(mpak_chunk_entry *chunk, const void *stored);

#ifdef __cplusplus
}
#endif
#endif
