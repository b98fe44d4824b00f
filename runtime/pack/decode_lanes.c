// decode_lanes.c: numbers of 16 bits, as frames have them, to the bits of P8 and P16 in memory; and what no payload
// has.
#include "format/morph_blocks.h"
#include "runtime/pack/pack_internal.h"

/// Not 0 when a number of 16 bits, in the low half, needs more than `bits`.
static inline uint32_t lanes_excess(uint32_t number, uint32_t bits) {
  return ((number + (1u << (bits - 1))) & 0xFFFF) >> bits;
}

/// Three numbers of 10 bits: x in the low half of a, y and z in b.
static inline uint32_t lanes_direction(uint32_t x, uint32_t y, uint32_t z, uint32_t *excess) {
  *excess |= lanes_excess(x, 10) | lanes_excess(y, 10) | lanes_excess(z, 10);
  return (x & 1023) | (y & 1023) << 10 | (z & 1023) << 20;
}

/// {px py} {pz nx} {ny nz} {tx ty} {tz 0} to {px py} {pz 0} {n} {t}.
static uint32_t lanes_join_p16(uint32_t components, uint32_t *s, uint32_t count) {
  uint32_t excess = 0, *s1 = s + count;
  if (components < 6) return 0;
  uint32_t *s2 = s1 + count, *s3 = s2 + count;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t a = s1[i], b = s2[i];
    s1[i] = a & 0xFFFF;
    s2[i] = lanes_direction(a >> 16, b & 0xFFFF, b >> 16, &excess);
  }
  for (uint32_t i = 0; i < count && components == 9; i++)
    s3[i] = lanes_direction(s3[i] & 0xFFFF, s3[i] >> 16, s3[i + count], &excess);
  return excess;
}

/// {px py} {pz nx} {ny nz} to two words.
static uint32_t lanes_join_p8(uint32_t components, uint32_t *s, uint32_t count) {
  uint32_t excess = 0, *s1 = s + count;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t px = s[i] & 0xFFFF, py = s[i] >> 16, pz = s1[i] & 0xFFFF;
    excess |= lanes_excess(px, 12) | lanes_excess(py, 12) | lanes_excess(pz, 12);
    uint32_t a = (px & 4095) | (py & 4095) << 12, b = pz & 4095;
    if (components == 6) {
      uint32_t nx = s1[i] >> 16, ny = s1[i + count] & 0xFFFF, nz = s1[i + count] >> 16;
      excess |= lanes_excess(nx, 9) | lanes_excess(ny, 9) | lanes_excess(nz, 9);
      a |= (nz & 510) << 23;
      b |= (nx & 511) << 12 | (ny & 511) << 21 | (nz & 1) << 31;
    }
    s[i] = a;
    s1[i] = b;
  }
  return excess;
}

bool pack_join_streams(uint32_t payload, uint32_t components, uint32_t *streams, uint32_t count) {
  if (payload == MPAK_PAYLOAD_P16) return lanes_join_p16(components, streams, count) == 0;
  if (payload == MPAK_PAYLOAD_P8) return lanes_join_p8(components, streams, count) == 0;
  return true;
}

bool pack_unused_bits_are_zero(const mpak_morph *morph, const mpak_morph_entry *entry) {
  const uint32_t *words = morph->payload_words + entry->payload_offset;
  uint32_t lanes = mpak_entry_lanes(entry), set = 0;
  for (uint32_t w = 0; w < mpak_payload_words(morph->payload, morph->components); w++, words += lanes) {
    uint32_t mask = mpak_payload_unused_bits(morph->payload, morph->components, w);
    for (uint32_t i = 0; i < lanes; i++) set |= words[i] & mask;
  }
  return set == 0;
}
