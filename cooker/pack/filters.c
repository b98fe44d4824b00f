// filters.c: see filters.h and SPEC.md.
#include "cooker/pack/filters.h"

#include <string.h>

#include "format/bytes.h"
#include "format/layout.h"
#include "format/morph_payload.h"
#include "format/triangles.h"

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

/// The words of one lane of the streams, from its words in memory: P8 and P16 have numbers of 16 bits there.
static void filter_lane_streams(const filter_morph *morph, const uint32_t *words, uint32_t lane_count,
                                uint32_t streams[MPAK_MAX_STREAMS]) {
  uint32_t stream_count = mpak_payload_streams(morph->payload, morph->components);
  if (morph->payload == MPAK_PAYLOAD_P36 || morph->payload == MPAK_PAYLOAD_P12) {
    for (uint32_t s = 0; s < stream_count; ++s) streams[s] = words[s * lane_count];
    return;
  }
  int32_t numbers[10] = {0};
  mpak_lane_unpack(morph->payload, morph->components, words, lane_count, numbers);
  for (uint32_t s = 0; s < stream_count; ++s) {
    streams[s] = ((uint32_t)numbers[2 * s] & 0xFFFF) | (uint32_t)numbers[2 * s + 1] << 16;
  }
}

/// Gathers the lanes of all entries into streams, entries of a shape together.
static void filter_gather_streams(const filter_morph *morph, const mpak_morph_frame *frame, uint32_t *cursors,
                                  uint32_t *streams) {
  uint32_t stream_count = mpak_payload_streams(morph->payload, morph->components);
  mpak_morph_frame_cursors(morph->entries, frame, morph->shape_count, cursors);
  for (uint32_t e = frame->first_entry; e < frame->entry_end; ++e) {
    uint32_t lanes = mpak_entry_lanes(&morph->entries[e]), *cursor = &cursors[morph->entries[e].shape];
    const uint32_t *words = morph->words + morph->entries[e].payload_offset;
    for (uint32_t i = 0; i < lanes; ++i, ++*cursor) {
      uint32_t lane[MPAK_MAX_STREAMS] = {0};
      filter_lane_streams(morph, words + i, lanes, lane);
      for (uint32_t s = 0; s < stream_count; ++s) streams[(uint64_t)s * frame->delta_count + *cursor] = lane[s];
    }
  }
}

/// The parts of a word: where each starts, how long it is.
typedef struct filter_parts {
  uint32_t count;
  uint8_t first[4], bits[4];
} filter_parts;

static const filter_parts filter_parts_of_code[] = {
    [MPAK_CODE_8] = {4, {0, 8, 16, 24}, {8, 8, 8, 8}},
    [MPAK_CODE_16] = {2, {0, 16}, {16, 16}},
    [MPAK_CODE_32] = {1, {0}, {32}},
    [MPAK_CODE_16_8_8] = {3, {0, 16, 24}, {16, 8, 8}},
};

/// The difference to the part of the word before; parts of 16 and 32 bits with zigzag: small changes of either sign
/// become small numbers.
static uint32_t filter_part_difference(uint32_t word, uint32_t previous, uint32_t first, uint32_t bits) {
  uint32_t mask = UINT32_MAX >> (32 - bits);
  uint32_t difference = ((word >> first) - (previous >> first)) & mask;
  if (bits > 8) difference = (difference << 1 ^ (0u - (difference >> (bits - 1)))) & mask;
  return difference << first;
}

static uint32_t filter_word_difference(const filter_parts *parts, uint32_t word, uint32_t previous) {
  uint32_t difference = 0;
  for (uint32_t p = 0; p < parts->count; ++p)
    difference |= filter_part_difference(word, previous, parts->first[p], parts->bits[p]);
  return difference;
}

static void filter_difference(mpak_stream_code code, uint32_t *stream, uint32_t count) {
  const filter_parts *parts = &filter_parts_of_code[code];
  uint32_t previous = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t word = stream[i];
    stream[i] = filter_word_difference(parts, word, previous);
    previous = word;
  }
}

void filter_morph_frame(const filter_morph *morph, const mpak_morph_frame *frame, uint32_t *cursors, uint32_t *streams,
                        uint8_t *dst) {
  filter_gather_streams(morph, frame, cursors, streams);
  const uint32_t count = frame->delta_count, stream_count = mpak_payload_streams(morph->payload, morph->components);
  for (uint32_t s = 0; s < stream_count; ++s) {
    uint32_t *stream = streams + (uint64_t)s * count;
    const mpak_stream_code code = mpak_payload_stream_code(morph->payload, s, morph->lane_modes);
    if (code != MPAK_CODE_RAW) filter_difference(code, stream, count);
    for (uint32_t b = 0; b < mpak_payload_stream_bytes(morph->payload, morph->components, s); ++b) {
      for (uint32_t i = 0; i < count; ++i) *dst++ = (uint8_t)(stream[i] >> (8 * b));
    }
  }
}

// -- Lanes -----------------------------------------------------------------------------------------------------------

/// The code of 4 bytes of record r. records: where those bytes are in record 0. The lane modes are codes of words.
static uint32_t filter_lane_code(const uint8_t *records, uint32_t r, uint32_t stride, uint32_t mode) {
  const uint8_t *at = records + (uint64_t)r * stride;
  const uint32_t word = bytes_load_u32(at);
  if (mode == MPAK_LANE_RAW) return word;
  return filter_word_difference(&filter_parts_of_code[mode], word, r == 0 ? 0 : bytes_load_u32(at - stride));
}

static void filter_lanes_of_block(const uint8_t *src, uint32_t records, uint32_t stride, uint32_t lane_modes,
                                  uint8_t *dst) {
  for (uint32_t g = 0; g < stride / 4; ++g, dst += 4 * (uint64_t)records) {
    for (uint32_t r = 0; r < records; ++r) {
      const uint32_t code = filter_lane_code(src + 4 * (uint64_t)g, r, stride, lane_modes >> (2 * g) & 3);
      for (uint32_t b = 0; b < 4; ++b) dst[(uint64_t)b * records + r] = (uint8_t)(code >> (8 * b));
    }
  }
}

void filter_lanes(const uint8_t *src, uint64_t byte_count, uint32_t stride, uint32_t lane_modes, uint8_t *dst) {
  const uint64_t block_bytes = (uint64_t)layout_block_records(stride) * stride;
  for (uint64_t done = 0; done < byte_count; done += block_bytes) {
    const uint64_t bytes = byte_count - done < block_bytes ? byte_count - done : block_bytes;
    filter_lanes_of_block(src + done, (uint32_t)(bytes / stride), stride, lane_modes, dst + done);
  }
}

#define FILTER_SAMPLE_RECORDS 8192u

/// log2 of a number from 1 on, in 1/256, by squaring: whole numbers alone, so that it is the same everywhere.
static uint64_t filter_log2(uint64_t number) {
  uint32_t whole = 63 - (uint32_t)__builtin_clzll(number);
  uint64_t mantissa = number << (63 - whole) >> 32, result = whole; // 1 … 2 in 1/2^31
  for (int i = 0; i < 8; ++i) {
    mantissa = mantissa * mantissa >> 31;
    const uint64_t bit = mantissa >> 32;
    mantissa >>= bit;
    result = result << 1 | bit;
  }
  return result;
}

/// Bits (in 1/256) that the four bytes of a group take in a mode, each by its own entropy.
static uint64_t filter_lane_cost(const uint8_t *records, uint32_t count, uint32_t stride, uint32_t mode) {
  uint32_t counts[4][256] = {{0}};
  for (uint32_t r = 0; r < count; ++r) {
    const uint32_t code = filter_lane_code(records, r, stride, mode);
    for (uint32_t b = 0; b < 4; ++b) counts[b][code >> (8 * b) & 255]++;
  }
  uint64_t cost = 0;
  for (uint32_t i = 0; i < 4 * 256; ++i) {
    const uint64_t n = counts[i / 256][i % 256];
    if (n != 0) cost += n * (filter_log2(count) - filter_log2(n));
  }
  return cost;
}

uint32_t filter_choose_lane_modes(const uint8_t *src, uint64_t byte_count, uint32_t stride) {
  const uint64_t records = byte_count / stride;
  const uint32_t count = records < FILTER_SAMPLE_RECORDS ? (uint32_t)records : FILTER_SAMPLE_RECORDS;
  uint32_t modes = 0;
  for (uint32_t g = 0; g < stride / 4; ++g) {
    uint64_t costs[4];
    uint32_t best = MPAK_LANE_RAW;
    for (uint32_t mode = 0; mode < 4; ++mode) {
      costs[mode] = filter_lane_cost(src + 4 * (uint64_t)g, count, stride, mode);
      if (costs[mode] < costs[best]) best = mode;
    }
    modes |= best << (2 * g);
  }
  return modes;
}

// -- Triangles -------------------------------------------------------------------------------------------------------

uint32_t filter_triangles(const uint32_t *indices, uint32_t index_count, uint8_t *dst) {
  mpak_triangle_state state = {.next = mpak_triangles_first(indices, index_count)};
  uint8_t *codes = dst + mpak_triangle_write_number(state.next, dst), *data = codes + index_count / 3;
  for (uint32_t i = 0; i < index_count; i += 3) {
    const mpak_triangle_code code = mpak_triangle_encode(&state, indices + i);
    *codes++ = code.code;
    memcpy(data, code.bytes, code.byte_count);
    data += code.byte_count;
  }
  return (uint32_t)(data - dst);
}
