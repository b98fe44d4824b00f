// decode_lanes.c: numbers of 16 bits, as frames have them, to the bits of P8 and P16 in memory; and what no payload
// has. Where SSE2 is there, it takes four lanes at a time.
#include "format/morph_blocks.h"
#include "runtime/pack/pack_internal.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// Not 0 when a number of 16 bits, in the low half, needs more than `bits`.
static inline uint32_t lanes_excess(uint32_t number, uint32_t bits) {
  return ((number + (1u << (bits - 1))) & 0xFFFF) >> bits;
}

/// Three numbers of 10 bits: x in the low half of a, y and z in b.
static inline uint32_t lanes_direction(uint32_t x, uint32_t y, uint32_t z, uint32_t *excess) {
  *excess |= lanes_excess(x, 10) | lanes_excess(y, 10) | lanes_excess(z, 10);
  return (x & 1023) | (y & 1023) << 10 | (z & 1023) << 20;
}

#if defined(__SSE2__)

static inline __m128i lanes_load(const uint32_t *at) { return _mm_loadu_si128((const __m128i *)(const void *)at); }
static inline void lanes_store(uint32_t *at, __m128i value) { _mm_storeu_si128((__m128i *)(void *)at, value); }

/// lanes_excess of both halves of each word.
static inline __m128i lanes_excess_4(__m128i numbers, int bits) {
  return _mm_srli_epi16(_mm_add_epi16(numbers, _mm_set1_epi16((int16_t)(1 << (bits - 1)))), bits);
}

/// (words >> shift) & mask, moved up to bit `to`.
static inline __m128i lanes_field(__m128i words, int shift, int mask, int to) {
  return _mm_slli_epi32(_mm_and_si128(_mm_srli_epi32(words, shift), _mm_set1_epi32(mask)), to);
}

/// x in the low half of a, y and z in b, as lanes_direction.
static inline __m128i lanes_direction_4(__m128i a, __m128i b, __m128i *excess) {
  *excess = _mm_or_si128(*excess, _mm_or_si128(lanes_excess_4(b, 10), lanes_excess_4(_mm_slli_epi32(a, 16), 10)));
  return _mm_or_si128(lanes_field(a, 0, 1023, 0),
                      _mm_or_si128(lanes_field(b, 0, 1023, 10), lanes_field(b, 16, 1023, 20)));
}

static uint32_t lanes_any(__m128i bits) {
  return _mm_movemask_epi8(_mm_cmpeq_epi8(bits, _mm_setzero_si128())) == 0xFFFF ? 0 : 1;
}

/// The first of lanes_join_p16's loops for whole groups of four. Returns how many lanes.
static uint32_t lanes_join_p16_bulk(uint32_t *s1, uint32_t *s2, uint32_t count, uint32_t *excess) {
  __m128i any = _mm_setzero_si128();
  uint32_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const __m128i a = lanes_load(s1 + i), b = lanes_load(s2 + i);
    lanes_store(s1 + i, _mm_and_si128(a, _mm_set1_epi32(0xFFFF)));
    lanes_store(s2 + i, lanes_direction_4(_mm_srli_epi32(a, 16), b, &any));
  }
  *excess |= lanes_any(any);
  return i;
}

/// lanes_join_p8's loop for whole groups of four; s2: the third stream, with normals.
static uint32_t lanes_join_p8_bulk(uint32_t *s, uint32_t *s1, const uint32_t *s2, uint32_t count, uint32_t *excess) {
  __m128i any = _mm_setzero_si128();
  uint32_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const __m128i p = lanes_load(s + i), q = lanes_load(s1 + i), n = s2 ? lanes_load(s2 + i) : _mm_setzero_si128();
    const __m128i nx = s2 ? _mm_srli_epi32(q, 16) : _mm_setzero_si128();
    any = _mm_or_si128(any, _mm_or_si128(lanes_excess_4(p, 12), lanes_excess_4(_mm_slli_epi32(q, 16), 12)));
    any = _mm_or_si128(any, _mm_or_si128(lanes_excess_4(n, 9), lanes_excess_4(nx, 9)));
    lanes_store(s + i, _mm_or_si128(_mm_or_si128(lanes_field(p, 0, 4095, 0), lanes_field(p, 16, 4095, 12)),
                                    lanes_field(n, 17, 255, 24)));
    lanes_store(s1 + i, _mm_or_si128(_mm_or_si128(lanes_field(q, 0, 4095, 0), lanes_field(nx, 0, 511, 12)),
                                     _mm_or_si128(lanes_field(n, 0, 511, 21), lanes_field(n, 16, 1, 31))));
  }
  *excess |= lanes_any(any);
  return i;
}

#else

static uint32_t lanes_join_p16_bulk(uint32_t *s1, uint32_t *s2, uint32_t count, uint32_t *excess) {
  (void)s1, (void)s2, (void)count, (void)excess;
  return 0;
}

static uint32_t lanes_join_p8_bulk(uint32_t *s, uint32_t *s1, const uint32_t *s2, uint32_t count, uint32_t *excess) {
  (void)s, (void)s1, (void)s2, (void)count, (void)excess;
  return 0;
}

#endif

/// {px py} {pz nx} {ny nz} {tx ty} {tz 0} to {px py} {pz 0} {n} {t}.
static uint32_t lanes_join_p16(uint32_t components, uint32_t *s, uint32_t count) {
  uint32_t excess = 0, *s1 = s + count;
  if (components < 6) return 0;
  uint32_t *s2 = s1 + count, *s3 = s2 + count;
  for (uint32_t i = lanes_join_p16_bulk(s1, s2, count, &excess); i < count; i++) {
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
  const uint32_t *s2 = components == 6 ? s1 + count : NULL;
  for (uint32_t i = lanes_join_p8_bulk(s, s1, s2, count, &excess); i < count; i++) {
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
