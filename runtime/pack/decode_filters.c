// decode_filters.c: byte planes back to records and words. Plain loops do everything; where SSE2 is there, it takes the
// bulk 16 records at a time and leaves the rest to them.
#include "runtime/pack/pack_internal.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// Byte planes of words: byte b of word i is at at[b * stride + i].
typedef struct filter_planes {
  const uint8_t *at;
  size_t stride;
  uint32_t count; ///< 1 … 4; bytes that have no plane are 0
} filter_planes;

// -- 16 records at a time --------------------------------------------------------------------------------------------

#if defined(__SSE2__)

static inline __m128i filter_load(const uint8_t *at) { return _mm_loadu_si128((const __m128i *)(const void *)at); }
static inline void filter_store(void *at, __m128i value) { _mm_storeu_si128((__m128i *)at, value); }

/// 16 planes of 16 bytes become 16 records of 16 bytes: four rounds of a perfect shuffle.
static void filter_transpose_16(const uint8_t *planes, size_t plane_stride, uint8_t *records, size_t record_stride) {
  __m128i a[16], b[16];
  for (int i = 0; i < 16; i++) a[i] = filter_load(planes + (size_t)i * plane_stride);
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 8; i++)
      b[2 * i] = _mm_unpacklo_epi8(a[i], a[i + 8]), b[2 * i + 1] = _mm_unpackhi_epi8(a[i], a[i + 8]);
    for (int i = 0; i < 8; i++)
      a[2 * i] = _mm_unpacklo_epi8(b[i], b[i + 8]), a[2 * i + 1] = _mm_unpackhi_epi8(b[i], b[i + 8]);
  }
  for (int i = 0; i < 16; i++) filter_store(records + (size_t)i * record_stride, a[i]);
}

/// Up to four planes of 16 bytes become 16 words.
static inline void filter_words_16(const uint8_t *planes, size_t plane_stride, uint32_t plane_count, __m128i words[4]) {
  const __m128i zero = _mm_setzero_si128();
  __m128i p0 = filter_load(planes), p1 = plane_count > 1 ? filter_load(planes + plane_stride) : zero;
  __m128i p2 = plane_count > 2 ? filter_load(planes + 2 * plane_stride) : zero;
  __m128i p3 = plane_count > 3 ? filter_load(planes + 3 * plane_stride) : zero;
  __m128i low01 = _mm_unpacklo_epi8(p0, p1), low23 = _mm_unpacklo_epi8(p2, p3);
  __m128i high01 = _mm_unpackhi_epi8(p0, p1), high23 = _mm_unpackhi_epi8(p2, p3);
  words[0] = _mm_unpacklo_epi16(low01, low23);
  words[1] = _mm_unpackhi_epi16(low01, low23);
  words[2] = _mm_unpacklo_epi16(high01, high23);
  words[3] = _mm_unpackhi_epi16(high01, high23);
}

/// One group of 16 records whose stride is a multiple of 4.
static void filter_unplane_16(uint8_t *records, const uint8_t *planes, size_t count, size_t stride) {
  size_t byte = 0;
  for (; byte + 16 <= stride; byte += 16) filter_transpose_16(planes + byte * count, count, records + byte, stride);
  for (; byte < stride; byte += 4) {
    uint32_t words[16];
    __m128i four[4];
    filter_words_16(planes + byte * count, count, 4, four);
    for (int i = 0; i < 4; i++) filter_store(words + 4 * i, four[i]);
    for (size_t i = 0; i < 16; i++) bytes_store_u32(records + i * stride + byte, words[i]);
  }
}

/// The records of whole groups of 16. Returns how many.
static size_t filter_unplane_bulk(uint8_t *records, const uint8_t *planes, size_t count, size_t stride) {
  size_t bulk = count & ~(size_t)15;
  if (stride % 4 != 0) return 0;
  for (size_t i = 0; i < bulk; i += 16) filter_unplane_16(records + i * stride, planes + i, count, stride);
  return bulk;
}

#define FILTER_LOW_HALVES _mm_set1_epi32(0xFFFF)

/// (mask & a) | (~mask & b)
static inline __m128i filter_select(__m128i mask, __m128i a, __m128i b) {
  return _mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b));
}

/// Zigzag undone in parts of 16 bits: (c >> 1) ^ -(c & 1).
static inline __m128i filter_unzigzag_16(__m128i coded) {
  __m128i sign = _mm_sub_epi16(_mm_setzero_si128(), _mm_and_si128(coded, _mm_set1_epi16(1)));
  return _mm_xor_si128(_mm_srli_epi16(coded, 1), sign);
}

static inline __m128i filter_unzigzag_32(__m128i coded) {
  __m128i sign = _mm_sub_epi32(_mm_setzero_si128(), _mm_and_si128(coded, _mm_set1_epi32(1)));
  return _mm_xor_si128(_mm_srli_epi32(coded, 1), sign);
}

/// Differences of words from their codes.
static inline __m128i filter_unzigzag(mpak_stream_code code, __m128i coded) {
  switch (code) {
  case MPAK_CODE_16: return filter_unzigzag_16(coded);
  case MPAK_CODE_32: return filter_unzigzag_32(coded);
  case MPAK_CODE_16_8_8: return filter_select(FILTER_LOW_HALVES, filter_unzigzag_16(coded), coded);
  default: return coded;
  }
}

/// Sums of words, part by part.
static inline __m128i filter_add(mpak_stream_code code, __m128i a, __m128i b) {
  switch (code) {
  case MPAK_CODE_8: return _mm_add_epi8(a, b);
  case MPAK_CODE_16: return _mm_add_epi16(a, b);
  case MPAK_CODE_16_8_8: return filter_select(FILTER_LOW_HALVES, _mm_add_epi16(a, b), _mm_add_epi8(a, b));
  default: return _mm_add_epi32(a, b);
  }
}

/// Sums along four words, starting from last, which all its words hold; the new last.
static inline __m128i filter_sum_4(mpak_stream_code code, __m128i *words, __m128i last) {
  __m128i sum = filter_unzigzag(code, *words);
  sum = filter_add(code, sum, _mm_slli_si128(sum, 4));
  sum = filter_add(code, sum, _mm_slli_si128(sum, 8));
  sum = filter_add(code, sum, last);
  *words = sum;
  return _mm_shuffle_epi32(sum, 0xFF);
}

/// The words of whole groups of 16 after `last`; returns the last one. The code is a constant where this is called.
static inline __attribute__((always_inline)) uint32_t
filter_words_of_code(uint32_t *words, const filter_planes *planes, size_t count, mpak_stream_code code, uint32_t last) {
  __m128i before = _mm_set1_epi32((int)last), four[4];
  for (size_t i = 0; i + 16 <= count; i += 16) {
    filter_words_16(planes->at + i, planes->stride, planes->count, four);
    for (int k = 0; k < 4 && code != MPAK_CODE_RAW; k++) before = filter_sum_4(code, &four[k], before);
    for (int k = 0; k < 4; k++) filter_store(words + i + 4 * k, four[k]);
  }
  return (uint32_t)_mm_cvtsi128_si32(before);
}

/// The words of whole groups of 16. Returns how many; last is the word before the next one.
static size_t filter_words_bulk(uint32_t *words, const filter_planes *planes, size_t count, mpak_stream_code code,
                                uint32_t *last) {
  switch (code) {
  case MPAK_CODE_8: *last = filter_words_of_code(words, planes, count, MPAK_CODE_8, *last); break;
  case MPAK_CODE_16: *last = filter_words_of_code(words, planes, count, MPAK_CODE_16, *last); break;
  case MPAK_CODE_32: *last = filter_words_of_code(words, planes, count, MPAK_CODE_32, *last); break;
  case MPAK_CODE_16_8_8: *last = filter_words_of_code(words, planes, count, MPAK_CODE_16_8_8, *last); break;
  default: *last = filter_words_of_code(words, planes, count, MPAK_CODE_RAW, *last); break;
  }
  return count & ~(size_t)15;
}

#else

static size_t filter_unplane_bulk(uint8_t *records, const uint8_t *planes, size_t count, size_t stride) {
  (void)records, (void)planes, (void)count, (void)stride;
  return 0;
}

static size_t filter_words_bulk(uint32_t *words, const filter_planes *planes, size_t count, mpak_stream_code code,
                                uint32_t *last) {
  (void)words, (void)planes, (void)count, (void)code, (void)last;
  return 0;
}

#endif

// -- Any number ------------------------------------------------------------------------------------------------------

/// The word after `last` from its code: parts of 8 bits are differences, those of 16 and 32 bits with zigzag.
static uint32_t filter_next_word(mpak_stream_code code, uint32_t coded, uint32_t last) {
  const uint32_t low = 0xFFFF, low8 = 0x00FF00FF;
  uint32_t halves = (coded >> 1 & 0x7FFF7FFF) ^ (coded & 0x00010001) * 0xFFFF;
  uint32_t sum16 = ((halves + last) & low) | ((halves & ~low) + (last & ~low));
  uint32_t sum8 = (((coded & low8) + (last & low8)) & low8) | (((coded & ~low8) + (last & ~low8)) & ~low8);
  switch (code) {
  case MPAK_CODE_8: return sum8;
  case MPAK_CODE_16: return sum16;
  case MPAK_CODE_32: return last + ((coded >> 1) ^ (0u - (coded & 1)));
  case MPAK_CODE_16_8_8: return (sum16 & low) | (sum8 & ~low);
  default: return coded;
  }
}

/// Words from their codes; last is the word before them, and then the last of them.
static void filter_words(uint32_t *words, const filter_planes *planes, size_t count, mpak_stream_code code,
                         uint32_t *last) {
  for (size_t i = filter_words_bulk(words, planes, count, code, last); i < count; i++) {
    uint32_t coded = 0;
    for (uint32_t b = 0; b < planes->count; b++) coded |= (uint32_t)planes->at[b * planes->stride + i] << (8 * b);
    words[i] = *last = filter_next_word(code, coded, *last);
  }
}

void pack_unplane_words(uint32_t *words, const uint8_t *planes, uint32_t count, uint32_t plane_count,
                        mpak_stream_code code) {
  uint32_t last = 0;
  filter_words(words, &(filter_planes){planes, count, plane_count}, count, code, &last);
}

// -- Records ----------------------------------------------------------------------------------------------------------

/// A block of filter 1.
static void filter_unplane_block(uint8_t *records, const uint8_t *planes, size_t count, size_t stride) {
  for (size_t i = filter_unplane_bulk(records, planes, count, stride); i < count; i++)
    for (size_t byte = 0; byte < stride; byte++) records[i * stride + byte] = planes[byte * count + i];
}

#define FILTER_WORDS 256u ///< of a group, on the stack

/// One group of 4 bytes of all records of a block of filter 2. The lane modes are the codes of its words.
static void filter_undo_group(uint8_t *records, const uint8_t *planes, size_t count, size_t stride,
                              mpak_lane_mode mode) {
  uint32_t words[FILTER_WORDS], last = 0;
  for (size_t done = 0; done < count; done += FILTER_WORDS) {
    const size_t some = count - done < FILTER_WORDS ? count - done : FILTER_WORDS;
    filter_words(words, &(filter_planes){planes + done, count, 4}, some, (mpak_stream_code)mode, &last);
    for (size_t i = 0; i < some; i++) bytes_store_u32(records + (done + i) * stride, words[i]);
  }
}

static void filter_undo_block(uint8_t *records, const uint8_t *planes, size_t count, size_t stride,
                              uint32_t lane_modes) {
  for (size_t byte = 0; byte < stride; byte += 4, lane_modes >>= 2)
    filter_undo_group(records + byte, planes + byte * count, count, stride, (mpak_lane_mode)(lane_modes & 3));
}

void pack_unplane(uint8_t *records, const uint8_t *planes, uint64_t byte_count, uint32_t stride, uint32_t lane_modes) {
  size_t left = (size_t)byte_count / stride, block = layout_block_records(stride);
  while (left > 0) {
    size_t count = left < block ? left : block;
    if (lane_modes == 0) filter_unplane_block(records, planes, count, stride);
    if (lane_modes != 0) filter_undo_block(records, planes, count, stride, lane_modes);
    records += count * stride;
    planes += count * stride;
    left -= count;
  }
}
