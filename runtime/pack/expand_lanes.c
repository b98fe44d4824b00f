// expand_lanes.c: quantised vertices and weights four at a time by SSE2, joints sixteen. Every operation is rounded as
// its single form is, so the results are the same bits (format/quantised.h).
#include "format/quantised.h"
#include "runtime/pack/pack_internal.h"

#if defined(__SSE2__)
#include <emmintrin.h>

/// -a where the mask is all ones, a where it is 0.
static inline __m128i expand_negate_where(__m128i mask, __m128i a) {
  return _mm_sub_epi32(_mm_xor_si128(a, mask), mask);
}

/// The same member of four vertices.
#define EXPAND_FOUR(v, member) _mm_set_epi32((v)[3].member, (v)[2].member, (v)[1].member, (v)[0].member)

/// mpak_octahedral_value of four vertices, and 0, 0, 0 where there is no normal.
static inline void expand_normals(const mpak_quantised_vertex *v, __m128i largest, __m128 normal[3]) {
  const __m128i a = EXPAND_FOUR(v, normal[0]), b = EXPAND_FOUR(v, normal[1]);
  const __m128i a_falls = _mm_srai_epi32(a, 31), b_falls = _mm_srai_epi32(b, 31);
  const __m128i height = _mm_sub_epi32(largest, expand_negate_where(a_falls, a));
  const __m128i z = _mm_sub_epi32(height, expand_negate_where(b_falls, b));
  const __m128i fold = _mm_and_si128(z, _mm_srai_epi32(z, 31));
  const __m128 x = _mm_cvtepi32_ps(_mm_add_epi32(a, expand_negate_where(a_falls, fold)));
  const __m128 y = _mm_cvtepi32_ps(_mm_add_epi32(b, expand_negate_where(b_falls, fold))), up = _mm_cvtepi32_ps(z);
  const __m128 sum = _mm_add_ps(_mm_mul_ps(x, x), _mm_mul_ps(y, y));
  const __m128 length = _mm_sqrt_ps(_mm_add_ps(sum, _mm_mul_ps(up, up)));
  const __m128 none = _mm_castsi128_ps(_mm_cmpeq_epi32(a, _mm_set1_epi32(MPAK_NO_NORMAL)));
  normal[0] = _mm_andnot_ps(none, _mm_div_ps(x, length));
  normal[1] = _mm_andnot_ps(none, _mm_div_ps(y, length));
  normal[2] = _mm_andnot_ps(none, _mm_div_ps(up, length));
}

/// One axis of four positions.
static inline __m128 expand_axis(const mpak_quantisation *grid, int axis, __m128i numbers) {
  const __m128 product = _mm_mul_ps(_mm_set1_ps(grid->step[axis]), _mm_cvtepi32_ps(numbers));
  return _mm_add_ps(_mm_set1_ps(grid->origin[axis]), product);
}

uint32_t pack_expand_vertices_bulk(const mpak_quantised_vertex *numbers, uint32_t count,
                                   const mpak_quantisation *position, float largest_normal, mpak_base_vertex *out) {
  const __m128i largest = _mm_set1_epi32((int32_t)largest_normal);
  uint32_t v = 0;
  for (; v + 4 <= count; v += 4) {
    const mpak_quantised_vertex *four = numbers + v; // out may lie over them: all are read first
    __m128 x = expand_axis(position, 0, EXPAND_FOUR(four, position[0]));
    __m128 y = expand_axis(position, 1, EXPAND_FOUR(four, position[1]));
    __m128 z = expand_axis(position, 2, EXPAND_FOUR(four, position[2]));
    __m128 n[3], w = _mm_set1_ps(1), zero = _mm_setzero_ps();
    expand_normals(four, largest, n);
    _MM_TRANSPOSE4_PS(x, y, z, w);
    _MM_TRANSPOSE4_PS(n[0], n[1], n[2], zero);
    const __m128 positions[4] = {x, y, z, w}, normals[4] = {n[0], n[1], n[2], zero};
    for (int i = 0; i < 4; i++) {
      _mm_storeu_ps(out[v + (uint32_t)i].position, positions[i]);
      _mm_storeu_ps(out[v + (uint32_t)i].normal, normals[i]);
      _mm_storeu_ps(out[v + (uint32_t)i].tangent, _mm_setzero_ps());
    }
  }
  return v;
}

uint64_t pack_expand_weights_bulk(const void *numbers, bool is_small, uint64_t count, float *out) {
  const __m128 whole = _mm_set1_ps(is_small ? 255.0f : 65535.0f);
  const __m128i zero = _mm_setzero_si128();
  uint64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const uint8_t *at = (const uint8_t *)numbers + (is_small ? i : 2 * i);
    __m128i words = is_small ? _mm_unpacklo_epi8(_mm_cvtsi32_si128((int)bytes_load_u32(at)), zero)
                             : _mm_loadl_epi64((const __m128i *)(const void *)at);
    words = _mm_unpacklo_epi16(words, zero);
    _mm_storeu_ps(out + i, _mm_div_ps(_mm_cvtepi32_ps(words), whole));
  }
  return i;
}

uint64_t pack_expand_joints_bulk(const uint8_t *numbers, uint64_t count, uint16_t *out) {
  uint64_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(numbers + i)), zero = _mm_setzero_si128();
    _mm_storeu_si128((__m128i *)(void *)(out + i), _mm_unpacklo_epi8(bytes, zero));
    _mm_storeu_si128((__m128i *)(void *)(out + i + 8), _mm_unpackhi_epi8(bytes, zero));
  }
  return i;
}

#else

uint64_t pack_expand_joints_bulk(const uint8_t *numbers, uint64_t count, uint16_t *out) {
  (void)numbers, (void)count, (void)out;
  return 0;
}

uint32_t pack_expand_vertices_bulk(const mpak_quantised_vertex *numbers, uint32_t count,
                                   const mpak_quantisation *position, float largest_normal, mpak_base_vertex *out) {
  (void)numbers, (void)count, (void)position, (void)largest_normal, (void)out;
  return 0;
}

uint64_t pack_expand_weights_bulk(const void *numbers, bool is_small, uint64_t count, float *out) {
  (void)numbers, (void)is_small, (void)count, (void)out;
  return 0;
}

#endif
