/// pose_avx2.h: eight quaternions at a time, by component. Private to the files of runtime/pose that end in _avx2.c. No
/// operation is fused or approximate: the same bits as one at a time.
#ifndef MPAK_POSE_AVX2_H
#define MPAK_POSE_AVX2_H

#include <immintrin.h>

#include "format/anim_block.h"

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
  out[0] = avx2_mix(left, a[0], right, b[0]);
  out[1] = avx2_mix(left, a[1], right, b[1]);
  out[2] = avx2_mix(left, a[2], right, b[2]);
  out[3] = avx2_mix(left, a[3], right, b[3]);
  __m256 scale = _mm256_div_ps(one, _mm256_sqrt_ps(avx2_dot(out, out)));
  out[0] = _mm256_mul_ps(out[0], scale);
  out[1] = _mm256_mul_ps(out[1], scale);
  out[2] = _mm256_mul_ps(out[2], scale);
  out[3] = _mm256_mul_ps(out[3], scale);
}

#endif
