// filters.c: see filters.h and SPEC.md.
#include "cooker/pack/filters.h"

#include <string.h>

#include "format/layout.h"

static void filter_planes_of_block(const uint8_t *src, uint32_t records, uint32_t stride, uint8_t *dst) {
  for (uint32_t b = 0; b < stride; ++b) {
    for (uint32_t r = 0; r < records; ++r) *dst++ = src[(uint64_t)r * stride + b];
  }
}

void filter_planes(const uint8_t *src, uint64_t byte_count, uint32_t stride, uint8_t *dst) {
  uint64_t block_bytes = (uint64_t)layout_block_records(stride) * stride;
  for (uint64_t done = 0; done < byte_count; done += block_bytes) {
    uint64_t bytes = byte_count - done < block_bytes ? byte_count - done : block_bytes;
    filter_planes_of_block(src + done, (uint32_t)(bytes / stride), stride, dst + done);
  }
}

/// Gathers the planes of all entries into streams, entries of a shape together.
static void filter_gather_streams(const uint32_t *payload, const mpak_morph_entry *entries,
                                  const mpak_morph_frame *frame, uint32_t components, uint32_t shape_count,
                                  uint32_t *cursors, uint32_t *streams) {
  mpak_morph_frame_cursors(entries, frame, shape_count, cursors);
  for (uint32_t e = frame->first_entry; e < frame->entry_end; ++e) {
    uint32_t lanes = mpak_entry_lanes(&entries[e]);
    const uint32_t *plane = payload + entries[e].payload_offset;
    for (uint32_t s = 0; s < components; ++s, plane += lanes) {
      memcpy(streams + (uint64_t)s * frame->delta_count + cursors[entries[e].shape], plane, lanes * sizeof *plane);
    }
    cursors[entries[e].shape] += lanes;
  }
}

/// Difference to the previous dword, then zigzag: small changes of either sign become small numbers.
static void filter_delta32(uint32_t *stream, uint32_t count) {
  uint32_t previous = 0;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t difference = stream[i] - previous;
    previous = stream[i];
    stream[i] = difference << 1 ^ (0u - (difference >> 31));
  }
}

static void filter_dword_planes(const uint32_t *stream, uint32_t count, uint8_t *dst) {
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t word = stream[i];
    dst[i] = (uint8_t)word;
    dst[(uint64_t)count + i] = (uint8_t)(word >> 8);
    dst[(uint64_t)2 * count + i] = (uint8_t)(word >> 16);
    dst[(uint64_t)3 * count + i] = (uint8_t)(word >> 24);
  }
}

void filter_morph_frame(const uint32_t *payload, const mpak_morph_entry *entries, const mpak_morph_frame *frame,
                        uint32_t components, uint32_t shape_count, uint32_t lane_modes, uint32_t *cursors,
                        uint32_t *streams, uint8_t *dst) {
  filter_gather_streams(payload, entries, frame, components, shape_count, cursors, streams);
  uint32_t count = frame->delta_count;
  for (uint32_t s = 0; s < components; ++s) {
    uint32_t *stream = streams + (uint64_t)s * count;
    if ((lane_modes >> (2 * s) & 3) == MPAK_LANE_DELTA32) filter_delta32(stream, count);
    filter_dword_planes(stream, count, dst + (uint64_t)s * count * 4);
  }
}
