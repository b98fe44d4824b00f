/// pose_avx2.h: eight quaternions at a time, by component. Private to the files of runtime/pose that end in _avx2.c. No
/// operation is fused or approximate: the same bits as one at a time.
#ifndef MPAK_POSE_AVX2_H
#define MPAK_POSE_AVX2_H

#include <immintrin.h>

#include "format/anim_block.h"
#include "runtime/mpak_pose.h"

#define AVX2        __attribute__((target("avx2")))
#define AVX2_INLINE static inline __attribute__((target("avx2"), always_inline))

AVX2_INLINE __m256 avx2_dot(const __m256 a[4], const __m256 b[4]) {
  __m256 low = _mm256_add_ps(_mm256_mul_ps(a[0], b[0]), _mm256_mul_ps(a[1], b[1]));
  return _mm256_add_ps(low, _mm256_add_ps(_mm256_mul_ps(a[2], b[2]), _mm256_mul_ps(a[3], b[3])));
}

AVX2_INLINE __m256 avx2_mix(__m256 left, __m256 a, __m256 right, __m256 b) {
  return _mm256_add_ps(_mm256_mul_ps(left, a), _mm256_mul_ps(right, b));
}

AVX2_INLINE __m256 avx2_term(const anim_slerp *slerp, int i, __m256 size) {
  return _mm256_add_ps(_mm256_set1_ps(slerp->terms[i]), _mm256_mul_ps(_mm256_set1_ps(slerp->terms[i + 1]), size));
}

/// out may be a or b.
AVX2_INLINE void avx2_slerp(const anim_slerp *slerp, const __m256 a[4], const __m256 b[4], __m256 out[4]) {
  const __m256 one = _mm256_set1_ps(1), zero = _mm256_setzero_ps(), sign_bit = _mm256_set1_ps(-0.0f);
  __m256 cosine = avx2_dot(a, b);
  __m256 sign = _mm256_and_ps(_mm256_cmp_ps(cosine, zero, _CMP_LT_OQ), sign_bit);
  __m256 size = _mm256_xor_ps(cosine, sign), square = _mm256_mul_ps(size, size);
  __m256 high = _mm256_add_ps(avx2_term(slerp, 2, size), _mm256_mul_ps(avx2_term(slerp, 4, size), square));
  __m256 right = _mm256_add_ps(avx2_term(slerp, 0, size), _mm256_mul_ps(high, square));
  right = _mm256_add_ps(right, _mm256_set1_ps(slerp->fraction));
  __m256 left = _mm256_sub_ps(one, right);
  right = _mm256_xor_ps(right, sign);
  __m256 x = avx2_mix(left, a[0], right, b[0]), y = avx2_mix(left, a[1], right, b[1]);
  __m256 z = avx2_mix(left, a[2], right, b[2]), w = avx2_mix(left, a[3], right, b[3]);
  __m256 low = _mm256_add_ps(_mm256_mul_ps(x, x), _mm256_mul_ps(y, y));
  __m256 length_square = _mm256_add_ps(low, _mm256_add_ps(_mm256_mul_ps(z, z), _mm256_mul_ps(w, w)));
  __m256 scale = _mm256_div_ps(one, _mm256_sqrt_ps(length_square));
  out[0] = _mm256_mul_ps(x, scale);
  out[1] = _mm256_mul_ps(y, scale);
  out[2] = _mm256_mul_ps(z, scale);
  out[3] = _mm256_mul_ps(w, scale);
}

/// Eight transforms, as the floats of each. Lanes past the end take the last one.
typedef struct avx2_eight {
  const float *lanes[8];
} avx2_eight;

AVX2_INLINE avx2_eight avx2_eight_of(const mpak_transform *first, uint32_t count) {
  avx2_eight eight;
  if (count == 8) {
    return (avx2_eight){{first[0].rotation, first[1].rotation, first[2].rotation, first[3].rotation, first[4].rotation,
                         first[5].rotation, first[6].rotation, first[7].rotation}};
  }
  for (uint32_t k = 0; k < 8; ++k) eight.lanes[k] = first[k < count ? k : count - 1].rotation;
  return eight;
}

/// Where in a transform's floats they stand.
#define AVX2_ROTATION    0
#define AVX2_TRANSLATION 4
#define AVX2_SCALE       8

/// Four floats of each, by column. Loads are no wider than the stores of whoever wrote them just before: only so are
/// they forwarded.
AVX2_INLINE void avx2_transpose(const avx2_eight *eight, int at, __m256 out[4]) {
  const float *const *rows = eight->lanes;
  __m256 r04 = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(rows[0] + at)), _mm_loadu_ps(rows[4] + at), 1);
  __m256 r15 = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(rows[1] + at)), _mm_loadu_ps(rows[5] + at), 1);
  __m256 r26 = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(rows[2] + at)), _mm_loadu_ps(rows[6] + at), 1);
  __m256 r37 = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(rows[3] + at)), _mm_loadu_ps(rows[7] + at), 1);
  __m256 low = _mm256_unpacklo_ps(r04, r15), high = _mm256_unpackhi_ps(r04, r15);
  __m256 low2 = _mm256_unpacklo_ps(r26, r37), high2 = _mm256_unpackhi_ps(r26, r37);
  out[0] = _mm256_shuffle_ps(low, low2, 0x44);
  out[1] = _mm256_shuffle_ps(low, low2, 0xEE);
  out[2] = _mm256_shuffle_ps(high, high2, 0x44);
  out[3] = _mm256_shuffle_ps(high, high2, 0xEE);
}

/// out: rows 0 and 4, 1 and 5, 2 and 6, 3 and 7.
AVX2_INLINE void avx2_transpose_back(const __m256 columns[4], __m256 out[4]) {
  __m256 low = _mm256_unpacklo_ps(columns[0], columns[1]), high = _mm256_unpackhi_ps(columns[0], columns[1]);
  __m256 low2 = _mm256_unpacklo_ps(columns[2], columns[3]), high2 = _mm256_unpackhi_ps(columns[2], columns[3]);
  out[0] = _mm256_shuffle_ps(low, low2, 0x44);
  out[1] = _mm256_shuffle_ps(low, low2, 0xEE);
  out[2] = _mm256_shuffle_ps(high, high2, 0x44);
  out[3] = _mm256_shuffle_ps(high, high2, 0xEE);
}

#endif
