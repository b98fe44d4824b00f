/// filters.h: the reversible orders of bytes that make frames smaller (SPEC.md, "Filters"). Encoding side.
#ifndef COOK_PACK_FILTERS_H
#define COOK_PACK_FILTERS_H

#include <stdint.h>

#include "format/morph_blocks.h"

/// Filter 1: within each block, byte 0 of every record, then byte 1, and so on.
///
/// src, dst  byte_count bytes each, a multiple of stride; they must not overlap
void filter_planes(const uint8_t *src, uint64_t byte_count, uint32_t stride, uint8_t *dst);

/// Filter 4: one frame of MPAY.
///
/// payload  the part's payload in memory order
/// cursors  work space, shape_count + 1 numbers
/// streams  work space, frame->word_count dwords
/// dst      frame->word_count * 4 bytes
void filter_morph_frame(const uint32_t *payload, const mpak_morph_entry *entries, const mpak_morph_frame *frame,
                        uint32_t components, uint32_t shape_count, uint32_t lane_modes, uint32_t *cursors,
                        uint32_t *streams, uint8_t *dst);

#endif
