/// deform_sse2.c: the kernels for four lanes, SSE2, which every x86-64 has.
#include "runtime/deform/deform_private.h"

#if DEFORM_HAS_VECTORS
#include <emmintrin.h>

#include "runtime/deform/deform_pick.h"

#define LANES         4
#define LANES_KERNELS deform_kernels_sse2
#define LANES_TARGET
#define SSE2_INLINE static inline __attribute__((always_inline))

typedef float lanes_f __attribute__((vector_size(16)));
typedef int32_t lanes_i __attribute__((vector_size(16)));
typedef uint32_t lanes_u __attribute__((vector_size(16)));

SSE2_INLINE lanes_f lanes_load(const float *at) { return (lanes_f)_mm_loadu_ps(at); }
SSE2_INLINE void lanes_store(float *at, lanes_f v) { _mm_storeu_ps(at, (__m128)v); }
SSE2_INLINE lanes_f lanes_set(float value) { return (lanes_f)_mm_set1_ps(value); }
SSE2_INLINE lanes_f lanes_sqrt(lanes_f v) { return (lanes_f)_mm_sqrt_ps((__m128)v); }
SSE2_INLINE lanes_u lanes_up(lanes_u words, int bits) { return (lanes_u)_mm_slli_epi32((__m128i)words, bits); }
SSE2_INLINE lanes_i lanes_down(lanes_u words, int bits) { return (lanes_i)_mm_srai_epi32((__m128i)words, bits); }
SSE2_INLINE bool lanes_all(lanes_i mask) { return _mm_movemask_ps((__m128)mask) == 0xF; }
SSE2_INLINE lanes_f lanes_select(lanes_i mask, lanes_f a, lanes_f b) {
  return (lanes_f)((mask & (lanes_i)a) | (~mask & (lanes_i)b));
}
SSE2_INLINE lanes_i lanes_mask(uint32_t bits) {
  const lanes_i lanes = {1, 2, 4, 8};
  return ((lanes_i)_mm_set1_epi32((int)bits) & lanes) != 0;
}

/// Without an instruction for it.
SSE2_INLINE uint32_t lanes_count(uint64_t bits) {
  bits -= bits >> 1 & UINT64_C(0x5555555555555555);
  bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
  bits = (bits + (bits >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
  return (uint32_t)(bits * UINT64_C(0x0101010101010101) >> 56);
}

/// Lane l of a group takes word sse2_ranks[group][l] of the group's words.
static const uint8_t sse2_ranks[16][8] = {DEFORM_RANKS_16(0u)};

typedef struct lanes_picker {
  size_t ranks[4];
  lanes_i mask;
  bool is_whole;
} lanes_picker;

SSE2_INLINE lanes_picker lanes_pick(uint32_t group) {
  const uint8_t *ranks = sse2_ranks[group];
  return (lanes_picker){{ranks[0], ranks[1], ranks[2], ranks[3]}, lanes_mask(group), group == 0xF};
}

SSE2_INLINE lanes_u lanes_words(const uint32_t *at, lanes_picker picker) {
  if (picker.is_whole) return (lanes_u)_mm_loadu_si128((const __m128i *)at);
  const lanes_u words = {at[picker.ranks[0]], at[picker.ranks[1]], at[picker.ranks[2]], at[picker.ranks[3]]};
  return words & (lanes_u)picker.mask;
}

SSE2_INLINE void sse2_transpose(const __m128 rows[4], lanes_f columns[4]) {
  const __m128 a = _mm_unpacklo_ps(rows[0], rows[1]), b = _mm_unpacklo_ps(rows[2], rows[3]);
  const __m128 c = _mm_unpackhi_ps(rows[0], rows[1]), d = _mm_unpackhi_ps(rows[2], rows[3]);
  columns[0] = (lanes_f)_mm_movelh_ps(a, b);
  columns[1] = (lanes_f)_mm_movehl_ps(b, a);
  columns[2] = (lanes_f)_mm_movelh_ps(c, d);
  columns[3] = (lanes_f)_mm_movehl_ps(d, c);
}

#define SSE2_ROW_STRIDE (sizeof(mpak_base_vertex) / sizeof(float))

SSE2_INLINE void lanes_load_rows(const float *at, lanes_f planes[4]) {
  __m128 rows[4];
  DEFORM_UNROLL
  for (size_t i = 0; i < 4; ++i) rows[i] = _mm_loadu_ps(at + i * SSE2_ROW_STRIDE);
  sse2_transpose(rows, planes);
}

SSE2_INLINE void lanes_store_rows(const lanes_f planes[4], float *at) {
  lanes_f rows[4];
  sse2_transpose((const __m128 *)planes, rows);
  DEFORM_UNROLL
  for (size_t i = 0; i < 4; ++i) _mm_storeu_ps(at + i * SSE2_ROW_STRIDE, (__m128)rows[i]);
}

/// The three rows of a vertex's matrix.
SSE2_INLINE void sse2_blend(lanes_influence influence, size_t vertex, __m128 rows[3]) {
  const uint16_t *joints = influence.joints + vertex * influence.stride;
  const float *weights = influence.weights + vertex * influence.stride;
  rows[0] = rows[1] = rows[2] = _mm_setzero_ps();
  for (uint32_t first = 0; first < influence.count; first += 4) {
    DEFORM_UNROLL
    for (uint32_t k = first; k < first + 4; ++k) {
      const float *matrix = deform_bone_matrix(influence.own, influence.palette, influence.bones, joints[k])->m;
      const __m128 weight = _mm_set1_ps(weights[k]);
      rows[0] = _mm_add_ps(rows[0], _mm_mul_ps(weight, _mm_loadu_ps(matrix)));
      rows[1] = _mm_add_ps(rows[1], _mm_mul_ps(weight, _mm_loadu_ps(matrix + 4)));
      rows[2] = _mm_add_ps(rows[2], _mm_mul_ps(weight, _mm_loadu_ps(matrix + 8)));
    }
  }
}

SSE2_INLINE void lanes_blend(lanes_influence influence, lanes_f m[12]) {
  __m128 rows[3][4];
  DEFORM_UNROLL
  for (size_t i = 0; i < 4; ++i) {
    __m128 own[3];
    sse2_blend(influence, i, own);
    rows[0][i] = own[0];
    rows[1][i] = own[1];
    rows[2][i] = own[2];
  }
  DEFORM_UNROLL
  for (int r = 0; r < 3; ++r) sse2_transpose(rows[r], m + 4 * r);
}

#include "runtime/deform/deform_lanes.h"
#endif
