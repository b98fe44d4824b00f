// morph_payload.c: see morph_payload.h.
#include "format/morph_payload.h"

// -- Sizes -----------------------------------------------------------------------------------------------------------

/// By payload, and components / 3.
static const uint8_t payload_words[5][4] = {
    [MPAK_PAYLOAD_P8] = {0, 2, 2, 0},
    [MPAK_PAYLOAD_P12] = {0, 2, 3, 3},
    [MPAK_PAYLOAD_P16] = {0, 2, 3, 4},
    [MPAK_PAYLOAD_P36] = {0, 3, 6, 9},
};

uint32_t mpak_payload_words(uint32_t payload, uint32_t components) {
  if (payload > MPAK_PAYLOAD_P36 || components > 9 || components % 3 != 0) return 0;
  return payload_words[payload][components / 3];
}

uint32_t mpak_payload_unused_bits(uint32_t payload, uint32_t components, uint32_t w) {
  static const uint32_t p8[4][2] = {[1] = {0xFF000000u, 0xFFFFF000u}, [2] = {0, 0x40000000u}};
  static const uint32_t p12[4][3] = {[1] = {0, 0xFFFF0000u}, [2] = {0, 0, 0xFFFFFF00u}};
  static const uint32_t p16[4] = {0, 0xFFFF0000u, 0xC0000000u, 0xC0000000u};
  if (w >= mpak_payload_words(payload, components)) return 0;
  switch (payload) {
  case MPAK_PAYLOAD_P8: return p8[components / 3][w];
  case MPAK_PAYLOAD_P12: return p12[components / 3][w];
  case MPAK_PAYLOAD_P16: return p16[w];
  default: return 0;
  }
}

uint32_t mpak_payload_format(uint32_t payload) {
  static const uint8_t formats[] = {MPAK_FORMAT_NONE, MPAK_FORMAT_P8, MPAK_FORMAT_P12, MPAK_FORMAT_P16,
                                    MPAK_FORMAT_F32};
  return payload < sizeof formats ? formats[payload] : MPAK_FORMAT_NONE;
}

// -- Numbers ---------------------------------------------------------------------------------------------------------

int32_t mpak_payload_largest(uint32_t payload, uint32_t component) {
  static const int16_t largest[5][2] = {
      [MPAK_PAYLOAD_P8] = {2047, 255}, [MPAK_PAYLOAD_P12] = {32767, 127}, [MPAK_PAYLOAD_P16] = {32767, 511}};
  return payload <= MPAK_PAYLOAD_P36 ? largest[payload][component >= 3] : 0;
}

/// The low bits of a number, from bit `first` on.
static uint32_t lane_put(int32_t number, uint32_t bits, uint32_t first) {
  return ((uint32_t)number & (UINT32_MAX >> (32 - bits))) << first;
}

static void lane_pack_p8(uint32_t components, const int32_t n[9], uint32_t words[4]) {
  words[0] = lane_put(n[0], 12, 0) | lane_put(n[1], 12, 12);
  words[1] = lane_put(n[2], 12, 0);
  if (components < 6) return;
  words[0] |= lane_put(n[5], 9, 0) >> 1 << 24;
  words[1] |= lane_put(n[3], 9, 12) | lane_put(n[4], 9, 21) | lane_put(n[5], 1, 31);
}

static void lane_pack_p12(uint32_t components, const int32_t n[9], uint32_t words[4]) {
  words[0] = lane_put(n[0], 16, 0) | lane_put(n[1], 16, 16);
  words[1] = lane_put(n[2], 16, 0);
  if (components < 6) return;
  words[1] |= lane_put(n[3], 8, 16) | lane_put(n[4], 8, 24);
  words[2] = lane_put(n[5], 8, 0);
  if (components == 9) words[2] |= lane_put(n[6], 8, 8) | lane_put(n[7], 8, 16) | lane_put(n[8], 8, 24);
}

static void lane_pack_p16(uint32_t components, const int32_t n[9], uint32_t words[4]) {
  words[0] = lane_put(n[0], 16, 0) | lane_put(n[1], 16, 16);
  words[1] = lane_put(n[2], 16, 0);
  for (uint32_t c = 3; c < components; c += 3)
    words[1 + c / 3] = lane_put(n[c], 10, 0) | lane_put(n[c + 1], 10, 10) | lane_put(n[c + 2], 10, 20);
}

void mpak_lane_pack(uint32_t payload, uint32_t components, const int32_t numbers[9], uint32_t words[4]) {
  if (payload == MPAK_PAYLOAD_P8) lane_pack_p8(components, numbers, words);
  if (payload == MPAK_PAYLOAD_P12) lane_pack_p12(components, numbers, words);
  if (payload == MPAK_PAYLOAD_P16) lane_pack_p16(components, numbers, words);
}

float mpak_payload_scale(float step, int32_t exponent) {
  uint64_t bits = (uint64_t)(1023 + exponent) << 52; // exponents are far inside a double's
  double power;
  memcpy(&power, &bits, sizeof power);
  return (float)((double)step * power);
}

// -- Streams of a frame ----------------------------------------------------------------------------------------------

uint32_t mpak_payload_streams(uint32_t payload, uint32_t components) {
  if (payload == MPAK_PAYLOAD_P36 || payload == MPAK_PAYLOAD_P12) return mpak_payload_words(payload, components);
  return mpak_payload_words(payload, components) ? (components + 1) / 2 : 0;
}

uint32_t mpak_payload_stream_bytes(uint32_t payload, uint32_t components, uint32_t s) {
  if (s + 1 < mpak_payload_streams(payload, components)) return 4;
  if (payload == MPAK_PAYLOAD_P36) return 4;
  if (payload == MPAK_PAYLOAD_P12) return components == 3 ? 2 : components == 6 ? 1 : 4;
  return components % 2 ? 2 : 4;
}

mpak_stream_code mpak_payload_stream_code(uint32_t payload, uint32_t s, uint32_t lane_modes) {
  static const mpak_stream_code p12[3] = {MPAK_CODE_16, MPAK_CODE_16_8_8, MPAK_CODE_8};
  if (payload == MPAK_PAYLOAD_P36)
    return (lane_modes >> (2 * s) & 3) == MPAK_LANE_DELTA32 ? MPAK_CODE_32 : MPAK_CODE_RAW;
  return payload == MPAK_PAYLOAD_P12 && s < 3 ? p12[s] : MPAK_CODE_16;
}

uint32_t mpak_payload_frame_bytes(uint32_t payload, uint32_t components) {
  uint32_t bytes = 0;
  for (uint32_t s = 0; s < mpak_payload_streams(payload, components); s++)
    bytes += mpak_payload_stream_bytes(payload, components, s);
  return bytes;
}
