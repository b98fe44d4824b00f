/// frames.h: chunks become compressed frames. Every way of coding a chunk is tried; the smallest wins, the first of
/// equals. Frames are independent jobs, so the result does not depend on the number of threads.
#ifndef COOK_PACK_FRAMES_H
#define COOK_PACK_FRAMES_H

#include "cooker/pack/pack.h"

/// How a chunk is stored.
typedef struct pack_encoded {
  uint16_t encoding; ///< mpak_encoding; STORE: the chunk's own bytes, and the members below are 0
  uint8_t filter;
  uint32_t lane_modes;
  uint32_t frame_bytes;
  uint32_t frame_count;
  uint32_t max_frame_decoded; ///< layout_frame_decoded
  uint64_t stored_bytes;      ///< with the table of frame sizes
  uint32_t *frame_sizes;      ///< frame_count
  uint32_t *stream_sizes;     ///< frame_count: bytes of each frame's stream; encoding 2 alone stores them
  uint8_t **frames;           ///< frame_count
} pack_encoded;

/// Encodes all chunks. Tables, and everything with COOK_COMPRESS_LOAD, are stored.
void pack_encode(cook_job *job, const pack_chunk *chunks, uint32_t chunk_count, cook_compress compress,
                 uint32_t thread_count, pack_encoded *encoded);

#endif
