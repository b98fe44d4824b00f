/// deform_avx2.c: the kernels for eight lanes, AVX2.
#include "runtime/deform/deform_private.h"

#if DEFORM_HAS_VECTORS
#include <immintrin.h>

#include "runtime/deform/deform_pick.h"

#define LANES         8
#define LANES_KERNELS deform_kernels_avx2
#define LANES_TARGET  __attribute__((target("avx2,popcnt,bmi")))
#define AVX2_INLINE   LANES_TARGET static inline __attribute__((always_inline))

typedef float lanes_f __attribute__((vector_size(32)));
typedef int32_t lanes_i __attribute__((vector_size(32)));
typedef uint32_t lanes_u __attribute__((vector_size(32)));

AVX2_INLINE lanes_f lanes_load(const float *at) { return (lanes_f)_mm256_loadu_ps(at); }
AVX2_INLINE void lanes_store(float *at, lanes_f v) { _mm256_storeu_ps(at, (__m256)v); }
AVX2_INLINE lanes_f lanes_set(float value) { return (lanes_f)_mm256_set1_ps(value); }
AVX2_INLINE lanes_f lanes_sqrt(lanes_f v) { return (lanes_f)_mm256_sqrt_ps((__m256)v); }
AVX2_INLINE lanes_u lanes_up(lanes_u words, int bits) { return (lanes_u)_mm256_slli_epi32((__m256i)words, bits); }
AVX2_INLINE lanes_i lanes_down(lanes_u words, int bits) { return (lanes_i)_mm256_srai_epi32((__m256i)words, bits); }
AVX2_INLINE bool lanes_all(lanes_i mask) { return _mm256_movemask_ps((__m256)mask) == 0xFF; }
AVX2_INLINE uint32_t lanes_count(uint64_t bits) { return (uint32_t)__builtin_popcountll(bits); }
AVX2_INLINE lanes_f lanes_select(lanes_i mask, lanes_f a, lanes_f b) {
  return (lanes_f)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)mask);
}
AVX2_INLINE lanes_i lanes_mask(uint32_t bits) {
  const lanes_i lanes = {1, 2, 4, 8, 16, 32, 64, 128};
  return ((lanes_i)_mm256_set1_epi32((int)bits) & lanes) != 0;
}

/// Lane l of a group takes word avx2_ranks[group][l] of the group's words.
static const uint8_t avx2_ranks[256][8] = {DEFORM_RANKS_64(0u), DEFORM_RANKS_64(64u), DEFORM_RANKS_64(128u),
                                           DEFORM_RANKS_64(192u)};

typedef struct lanes_picker {
  __m256i ranks, mask;
} lanes_picker;

AVX2_INLINE lanes_picker lanes_pick(uint32_t group) {
  const __m256i ranks = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)avx2_ranks[group]));
  return (lanes_picker){ranks, (__m256i)lanes_mask(group)};
}

AVX2_INLINE lanes_u lanes_words(const uint32_t *at, lanes_picker picker) {
  const __m256i words = _mm256_loadu_si256((const __m256i *)at);
  return (lanes_u)_mm256_and_si256(_mm256_permutevar8x32_epi32(words, picker.ranks), picker.mask);
}

/// In each half, four rows of four become four columns. Shuffles run on two ports, unpacks on one.
AVX2_INLINE void avx2_transpose(const __m256 rows[4], lanes_f columns[4]) {
  const __m256 a = _mm256_shuffle_ps(rows[0], rows[1], 0x44), b = _mm256_shuffle_ps(rows[2], rows[3], 0x44);
  const __m256 c = _mm256_shuffle_ps(rows[0], rows[1], 0xEE), d = _mm256_shuffle_ps(rows[2], rows[3], 0xEE);
  columns[0] = (lanes_f)_mm256_shuffle_ps(a, b, 0x88);
  columns[1] = (lanes_f)_mm256_shuffle_ps(a, b, 0xDD);
  columns[2] = (lanes_f)_mm256_shuffle_ps(c, d, 0x88);
  columns[3] = (lanes_f)_mm256_shuffle_ps(c, d, 0xDD);
}

#define AVX2_ROW_STRIDE (sizeof(mpak_base_vertex) / sizeof(float))

AVX2_INLINE void lanes_load_rows(const float *at, lanes_f planes[4]) {
  __m256 rows[4];
  DEFORM_UNROLL
  for (size_t i = 0; i < 4; ++i) {
    const __m256 low = _mm256_castps128_ps256(_mm_loadu_ps(at + i * AVX2_ROW_STRIDE));
    rows[i] = _mm256_insertf128_ps(low, _mm_loadu_ps(at + (i + 4) * AVX2_ROW_STRIDE), 1);
  }
  avx2_transpose(rows, planes);
}

AVX2_INLINE void lanes_store_rows(const lanes_f planes[4], float *at) {
  lanes_f rows[4];
  avx2_transpose((const __m256 *)planes, rows);
  DEFORM_UNROLL
  for (size_t i = 0; i < 4; ++i) {
    _mm_storeu_ps(at + i * AVX2_ROW_STRIDE, _mm256_castps256_ps128((__m256)rows[i]));
    _mm_storeu_ps(at + (i + 4) * AVX2_ROW_STRIDE, _mm256_extractf128_ps((__m256)rows[i], 1));
  }
}

/// Rows 0 and 1 of a vertex's matrix, and row 2.
AVX2_INLINE void avx2_blend(lanes_influence influence, size_t vertex, __m256 *rows01, __m128 *row2) {
  const uint16_t *joints = influence.joints + vertex * influence.stride;
  const float *weights = influence.weights + vertex * influence.stride;
  __m256 sum01 = _mm256_setzero_ps();
  __m128 sum2 = _mm_setzero_ps();
  for (uint32_t first = 0; first < influence.count; first += 4) {
    DEFORM_UNROLL
    for (uint32_t k = first; k < first + 4; ++k) {
      const float *matrix = deform_bone_matrix(influence.own, influence.palette, influence.bones, joints[k])->m;
      const __m256 weight = _mm256_broadcast_ss(&weights[k]);
      sum01 = _mm256_add_ps(sum01, _mm256_mul_ps(weight, _mm256_loadu_ps(matrix)));
      sum2 = _mm_add_ps(sum2, _mm_mul_ps(_mm256_castps256_ps128(weight), _mm_loadu_ps(matrix + 8)));
    }
  }
  *rows01 = sum01;
  *row2 = sum2;
}

/// Four vertices: in the halves of rows01 the columns of rows 0 and 1; and their rows 2.
AVX2_INLINE void avx2_blend_four(lanes_influence influence, size_t first, lanes_f rows01[4], __m128 row2[4]) {
  __m256 rows[4];
  DEFORM_UNROLL
  for (size_t i = 0; i < 4; ++i) avx2_blend(influence, first + i, &rows[i], &row2[i]);
  avx2_transpose(rows, rows01);
}

AVX2_INLINE void lanes_blend(lanes_influence influence, lanes_f m[12]) {
  lanes_f low[4], high[4];
  __m128 low2[4], high2[4];
  __m256 rows2[4];
  avx2_blend_four(influence, 0, low, low2);
  avx2_blend_four(influence, 4, high, high2);
  DEFORM_UNROLL
  for (int i = 0; i < 4; ++i) {
    m[i] = (lanes_f)_mm256_permute2f128_ps((__m256)low[i], (__m256)high[i], 0x20);
    m[4 + i] = (lanes_f)_mm256_permute2f128_ps((__m256)low[i], (__m256)high[i], 0x31);
    rows2[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(low2[i]), high2[i], 1);
  }
  avx2_transpose(rows2, m + 8);
}

#include "runtime/deform/deform_lanes.h"
#endif
