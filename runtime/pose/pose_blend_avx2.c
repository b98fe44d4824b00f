/// pose_blend_avx2.c: blends transforms, eight at a time, with the same bits as pose_blend_transform.
#include "runtime/pose/pose_ways.h"

#if defined(POSE_HAS_AVX2_PATH)

#include "runtime/pose/pose_avx2.h"

/// The first count of eight. Loads are as wide as the stores of a sample just before: only then do they see them at
/// once.
AVX2_INLINE void avx2_blend(const mpak_transform *from, const mpak_transform *to, const anim_slerp *slerp,
                            mpak_transform *out, uint32_t count) {
  __m256 a[4], b[4], pairs[4];
  const __m128 right = _mm_set1_ps(slerp->fraction), left = _mm_set1_ps(1 - slerp->fraction);
  const float *from_rows[8], *to_rows[8];
  for (uint32_t k = 0; k < 8; ++k) { // lanes past the end take the last one
    from_rows[k] = from[k < count ? k : count - 1].rotation;
    to_rows[k] = to[k < count ? k : count - 1].rotation;
  }
  avx2_transpose(from_rows, a);
  avx2_transpose(to_rows, b);
  avx2_slerp(slerp, a, b, a);
  avx2_transpose_back(a, pairs);
  for (uint32_t k = 0; k < count; ++k) {
    __m128 translation = _mm_add_ps(_mm_mul_ps(left, _mm_loadu_ps(from[k].translation)),
                                    _mm_mul_ps(right, _mm_loadu_ps(to[k].translation)));
    __m128 scale =
        _mm_add_ps(_mm_mul_ps(left, _mm_loadu_ps(from[k].scale)), _mm_mul_ps(right, _mm_loadu_ps(to[k].scale)));
    __m256 pair = pairs[k & 3];
    _mm_storeu_ps(out[k].rotation, k < 4 ? _mm256_castps256_ps128(pair) : _mm256_extractf128_ps(pair, 1));
    _mm_storeu_ps(out[k].translation, translation);
    _mm_storeu_ps(out[k].scale, scale);
  }
}

AVX2 void pose_blend_avx2(const mpak_transform *from, const mpak_transform *to, uint32_t count, const anim_slerp *slerp,
                          mpak_transform *out) {
  uint32_t n = 0;
  for (; n + 8 <= count; n += 8) avx2_blend(from + n, to + n, slerp, out + n, 8);
  if (n < count) avx2_blend(from + n, to + n, slerp, out + n, count - n);
}

#endif
