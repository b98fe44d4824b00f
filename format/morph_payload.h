/// morph_payload.h: how a delta is written in a blk64 payload: the bits of P8, P12, P16 and P36 in memory, and the
/// streams of their frames in a file (SPEC.md, sections 7 and 10). Cooker, decoder, deformers and tests share it.
///
/// In memory a lane (one vertex of one entry) takes a few 32-bit words; an entry of n lanes has that many planes of n
/// words. What stands in them are whole numbers (P36: floats) in the order px py pz nx ny nz tx ty tz; the first
/// `components` of them exist. A delta is number * scale, with the entry's scale of positions, normals or tangents.
///
///     P12  {px 0-15, py 16-31} {pz 0-15, nx 16-23, ny 24-31} {nz 0-7, tx 8-15, ty 16-23, tz 24-31}
///     P16  {px 0-15, py 16-31} {pz 0-15} {nx 0-9, ny 10-19, nz 20-29} {tx 0-9, ty 10-19, tz 20-29}
///     P8   {px 0-11, py 12-23, nz bits 1-8 in 24-31} {pz 0-11, nx 12-20, ny 21-29, nz bit 0 in 31}
///     P36  one float in each word
///
/// Numbers are two's complement. Bits that are not named are 0.
#ifndef MPAK_MORPH_PAYLOAD_H
#define MPAK_MORPH_PAYLOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "format/mpak_format.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MPAK_LANE_MAX_WORDS 9u

// -- Sizes -----------------------------------------------------------------------------------------------------------

/// Is this a payload of blk64?
static inline bool mpak_payload_is_blk64(uint32_t payload) {
  return payload >= MPAK_PAYLOAD_P8 && payload <= MPAK_PAYLOAD_P36;
}

/// Words of a lane in memory; 0 for a payload and components (3, 6 or 9) that do not go together.
uint32_t mpak_payload_words(uint32_t payload, uint32_t components);

/// Bits of word w of a lane that hold nothing and are 0.
uint32_t mpak_payload_unused_bits(uint32_t payload, uint32_t components, uint32_t w);

/// The element format of MPAY; MPAK_FORMAT_NONE for other payloads.
uint32_t mpak_payload_format(uint32_t payload);

// -- Numbers ---------------------------------------------------------------------------------------------------------

/// The largest number of a component; the smallest that the cooker writes is its negative. P36: 0.
int32_t mpak_payload_largest(uint32_t payload, uint32_t component);

/// Words of a lane from its numbers, which must fit. Not for P36.
void mpak_lane_pack(uint32_t payload, uint32_t components, const int32_t numbers[9], uint32_t words[4]);

/// step * 2^exponent, exactly; infinite or 0 where a float does not reach.
float mpak_payload_scale(float step, int32_t exponent);

/// `bits` bits of a word from bit `first` on as a signed number.
static inline int32_t mpak_lane_bits(uint32_t word, uint32_t first, uint32_t bits) {
  return (int32_t)(word << (32 - bits - first)) >> (32 - bits);
}

static inline void mpak_lane_unpack_p8(uint32_t components, const uint32_t *words, uint32_t stride,
                                       int32_t numbers[9]) {
  uint32_t a = words[0], b = words[stride];
  numbers[0] = mpak_lane_bits(a, 0, 12);
  numbers[1] = mpak_lane_bits(a, 12, 12);
  numbers[2] = mpak_lane_bits(b, 0, 12);
  if (components < 6) return;
  numbers[3] = mpak_lane_bits(b, 12, 9);
  numbers[4] = mpak_lane_bits(b, 21, 9);
  numbers[5] = 2 * mpak_lane_bits(a, 24, 8) + (int32_t)(b >> 31);
}

static inline void mpak_lane_unpack_p12(uint32_t components, const uint32_t *words, uint32_t stride,
                                        int32_t numbers[9]) {
  uint32_t a = words[0], b = words[stride];
  numbers[0] = mpak_lane_bits(a, 0, 16);
  numbers[1] = mpak_lane_bits(a, 16, 16);
  numbers[2] = mpak_lane_bits(b, 0, 16);
  if (components < 6) return;
  uint32_t c = words[2 * stride];
  numbers[3] = mpak_lane_bits(b, 16, 8);
  numbers[4] = mpak_lane_bits(b, 24, 8);
  numbers[5] = mpak_lane_bits(c, 0, 8);
  for (uint32_t i = 0; i < 3; i++) numbers[6 + i] = mpak_lane_bits(c, 8 + 8 * i, 8); // 0 with 6 components
}

static inline void mpak_lane_unpack_p16(uint32_t components, const uint32_t *words, uint32_t stride,
                                        int32_t numbers[9]) {
  numbers[0] = mpak_lane_bits(words[0], 0, 16);
  numbers[1] = mpak_lane_bits(words[0], 16, 16);
  numbers[2] = mpak_lane_bits(words[stride], 0, 16);
  for (uint32_t c = 3; c < components; c++) numbers[c] = mpak_lane_bits(words[(1 + c / 3) * stride], 10 * (c % 3), 10);
}

/// The numbers of a lane; those that it has not are 0. words: its first word; the next stands `stride` words further.
/// Not for P36.
static inline void mpak_lane_unpack(uint32_t payload, uint32_t components, const uint32_t *words, uint32_t stride,
                                    int32_t numbers[9]) {
  memset(numbers, 0, 9 * sizeof *numbers);
  if (payload == MPAK_PAYLOAD_P12)
    mpak_lane_unpack_p12(components, words, stride, numbers);
  else if (payload == MPAK_PAYLOAD_P16)
    mpak_lane_unpack_p16(components, words, stride, numbers);
  else
    mpak_lane_unpack_p8(components, words, stride, numbers);
}

/// The delta of a lane of an entry, any payload: position, normal, tangent. `rank` lanes of the entry stand below it;
/// words: the entry's payload. What the payload does not have is 0.
static inline void mpak_lane_delta(uint32_t payload, uint32_t components, const mpak_morph_entry *entry,
                                   const uint32_t *words, uint32_t lane_count, uint32_t rank, float delta[9]) {
  const float scales[3] = {entry->position_scale, entry->normal_scale, entry->tangent_scale};
  int32_t numbers[9];
  if (payload == MPAK_PAYLOAD_P36) {
    memset(delta, 0, 9 * sizeof *delta);
    for (uint32_t c = 0; c < components; c++) memcpy(&delta[c], &words[c * lane_count + rank], sizeof *delta);
    return;
  }
  mpak_lane_unpack(payload, components, words + rank, lane_count, numbers);
  for (uint32_t c = 0; c < 9; c++) delta[c] = (float)numbers[c] * scales[c / 3];
}

// -- Streams of a frame ----------------------------------------------------------------------------------------------

/// How the words of a stream are coded: as the difference to the word before, part by part.
typedef enum mpak_stream_code {
  MPAK_CODE_RAW = 0,    ///< as it is (P36, by lane mode)
  MPAK_CODE_8 = 1,      ///< four parts of 8 bits
  MPAK_CODE_16 = 2,     ///< two parts of 16 bits, zigzag
  MPAK_CODE_32 = 3,     ///< one part, zigzag (P36, by lane mode)
  MPAK_CODE_16_8_8 = 4, ///< low 16 bits with zigzag, two parts of 8 bits
} mpak_stream_code;

#define MPAK_MAX_STREAMS 9u

/// Streams of a frame.
uint32_t mpak_payload_streams(uint32_t payload, uint32_t components);

/// Byte planes of stream s that stand in a frame, the lowest first: 1 … 4. The others are 0.
uint32_t mpak_payload_stream_bytes(uint32_t payload, uint32_t components, uint32_t s);

/// How stream s is coded. lane_modes: of the chunk, P36 only.
mpak_stream_code mpak_payload_stream_code(uint32_t payload, uint32_t s, uint32_t lane_modes);

/// Bytes of a lane in a frame: all streams together.
uint32_t mpak_payload_frame_bytes(uint32_t payload, uint32_t components);

#ifdef __cplusplus
}
#endif
#endif
