/// pose_blend_avx2.c: blends transforms, eight at a time, with the same bits as pose_blend_transform.
#include "runtime/pose/pose_ways.h"

#if defined(POSE_HAS_AVX2_PATH)

#include "runtime/pose/pose_avx2.h"

AVX2_INLINE void avx2_blend_one(const mpak_transform *from, const mpak_transform *to, __m256 left, __m256 right,
                                __m128 rotation, mpak_transform *out) {
  // translation and scale stand together
  __m256 mixed = avx2_mix(left, _mm256_loadu_ps(from->translation), right, _mm256_loadu_ps(to->translation));
  _mm_storeu_ps(out->rotation, rotation);
  _mm256_storeu_ps(out->translation, mixed);
}

/// The first count of eight.
AVX2_INLINE void avx2_blend(const mpak_transform *from, const mpak_transform *to, const anim_slerp *slerp,
                            mpak_transform *out, uint32_t count) {
  __m256 a[4], b[4], pairs[4];
  const __m256 right = _mm256_set1_ps(slerp->fraction), left = _mm256_set1_ps(1 - slerp->fraction);
  const avx2_eight from_eight = avx2_eight_of(from, count), to_eight = avx2_eight_of(to, count);
  avx2_transpose(&from_eight, AVX2_ROTATION, a);
  avx2_transpose(&to_eight, AVX2_ROTATION, b);
  avx2_slerp(slerp, a, b, a);
  avx2_transpose_back(a, pairs);
  const uint32_t low = count < 4 ? count : 4;
  for (uint32_t k = 0; k < low; ++k) {
    avx2_blend_one(&from[k], &to[k], left, right, _mm256_castps256_ps128(pairs[k]), &out[k]);
  }
  for (uint32_t k = 4; k < count; ++k) {
    avx2_blend_one(&from[k], &to[k], left, right, _mm256_extractf128_ps(pairs[k - 4], 1), &out[k]);
  }
}

AVX2 void pose_blend_avx2(const mpak_transform *from, const mpak_transform *to, uint32_t count, const anim_slerp *slerp,
                          mpak_transform *out) {
  uint32_t n = 0;
  for (; n + 8 <= count; n += 8) avx2_blend(from + n, to + n, slerp, out + n, 8);
  if (n < count) avx2_blend(from + n, to + n, slerp, out + n, count - n);
}

#endif
