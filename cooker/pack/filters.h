/// filters.h: the reversible orders of bytes that make frames smaller (SPEC.md, "Filters"). Encoding side.
#ifndef COOK_PACK_FILTERS_H
#define COOK_PACK_FILTERS_H

#include <stdint.h>

#include "format/morph_blocks.h"

/// Filter 1: within each block, byte 0 of every record, then byte 1, and so on.
///
/// src, dst  byte_count bytes each, a multiple of stride; they must not overlap
void filter_planes(const uint8_t *src, uint64_t byte_count, uint32_t stride, uint8_t *dst);

/// Filter 2: within each block, each 4 bytes of every record as differences to the record before by lane mode, then as
/// filter 1. stride: a multiple of 4, at most LAYOUT_MAX_LANE_STRIDE.
void filter_lanes(const uint8_t *src, uint64_t byte_count, uint32_t stride, uint32_t lane_modes, uint8_t *dst);

/// The lane modes that should do best, group by group, from the bytes' entropies in the first records.
uint32_t filter_choose_lane_modes(const uint8_t *src, uint64_t byte_count, uint32_t stride);

/// Encoding 2: the stream of one frame. dst: mpak_triangles_bound bytes. Returns its bytes.
uint32_t filter_triangles(const uint32_t *indices, uint32_t index_count, uint8_t *dst);

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
