/// anim_stream.h: the block of a compressed clip as the bytes of ANIM (SPEC.md, "Compressed clips"). Encoding side.
#ifndef COOK_PACK_ANIM_STREAM_H
#define COOK_PACK_ANIM_STREAM_H

#include <stdint.h>

/// Bytes that a block takes in ANIM.
uint64_t anim_stream_bytes(const uint32_t *words, uint32_t node_count);

/// Writes them.
void anim_stream_write(const uint32_t *words, uint32_t node_count, uint8_t *out);

#endif
