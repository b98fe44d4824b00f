#include "format/wrapped.h"

#include "format/bytes.h"
#include "format/checksum.h"
#include "format/layout.h"

bool wrapped_is(const void *bytes, uint64_t byte_count) {
  return byte_count >= 8 && memcmp(bytes, MPAK_WRAPPED_MAGIC, 8) == 0;
}

uint32_t wrapped_frame_count(uint32_t stream_bytes) {
  return (uint32_t)(((uint64_t)stream_bytes + MPAK_MAX_FRAME_BYTES - 1) / MPAK_MAX_FRAME_BYTES);
}

uint32_t wrapped_plane_stride(const mpak_chunk_entry *chunk) {
  const bool has_planes =
      chunk->encoding == MPAK_ENCODING_STORE && chunk->stride > 1 && chunk->stride <= LAYOUT_MAX_FILTER_STRIDE;
  return has_planes ? chunk->stride : 0;
}

void wrapped_set_hashes(mpak_chunk_entry *chunk, const void *stored) {
  chunk->hash_stored = stored ? checksum_of(stored, (size_t)chunk->stored_bytes) : 0;
  if (chunk->encoding == MPAK_ENCODING_STORE) chunk->hash_decoded = (uint32_t)chunk->hash_stored;
}
