/// filters.h: the reversible orders of bytes that make frames smaller (SPEC.md, "Filters"). Encoding side.
#ifndef COOK_PACK_FILTERS_H
#define COOK_PACK_FILTERS_H

#include <stdint.h>

#include "format/morph_blocks.h"

/// Filter 1: within each block, byte 0 of every record, then byte 1, and so on.
///
/// src, dst  byte_count bytes each, a multiple of stride; they must not overlap
void filter_planes(const uint8_t *src, uint64_t byte_count, uint32_t stride, uint8_t *dst);

/// A blk64 payload, and how its frames are coded.
typedef struct filter_morph {
  uint32_t payload; ///< mpak_payload
  uint32_t components;
  uint32_t lane_modes; ///< P36
  uint32_t shape_count;
  const uint32_t *words; ///< the part's payload in memory order
  const mpak_morph_entry *entries;
} filter_morph;

/// Filter 4: one frame of MPAY.
///
/// cursors  work space, shape_count + 1 numbers
/// streams  work space, frame->delta_count * mpak_payload_streams words
/// dst      frame->delta_count * mpak_payload_frame_bytes bytes
void filter_morph_frame(const filter_morph *morph, const mpak_morph_frame *frame, uint32_t *cursors, uint32_t *streams,
                        uint8_t *dst);

#endif
