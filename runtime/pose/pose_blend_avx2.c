/// pose_blend_avx2.c: blends eight transforms at a time, with the same bits as pose_blend_transform.
#include "runtime/pose/pose_block.h"

#if defined(POSE_HAS_AVX2_PATH)

#include "runtime/pose/pose_avx2.h"

/// Rotations of eight transforms, by component.
AVX2_INLINE void avx2_load_rotations(const mpak_transform *from, __m256 out[4]) {
  __m256 r04 =
      _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from[0].rotation)), _mm_loadu_ps(from[4].rotation), 1);
  __m256 r15 =
      _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from[1].rotation)), _mm_loadu_ps(from[5].rotation), 1);
  __m256 r26 =
      _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from[2].rotation)), _mm_loadu_ps(from[6].rotation), 1);
  __m256 r37 =
      _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from[3].rotation)), _mm_loadu_ps(from[7].rotation), 1);
  __m256 low = _mm256_unpacklo_ps(r04, r15), high = _mm256_unpackhi_ps(r04, r15);
  __m256 low2 = _mm256_unpacklo_ps(r26, r37), high2 = _mm256_unpackhi_ps(r26, r37);
  out[0] = _mm256_shuffle_ps(low, low2, 0x44);
  out[1] = _mm256_shuffle_ps(low, low2, 0xEE);
  out[2] = _mm256_shuffle_ps(high, high2, 0x44);
  out[3] = _mm256_shuffle_ps(high, high2, 0xEE);
}

AVX2_INLINE void avx2_store_rotations(const __m256 in[4], mpak_transform *out) {
  __m256 low = _mm256_unpacklo_ps(in[0], in[1]), high = _mm256_unpackhi_ps(in[0], in[1]);
  __m256 low2 = _mm256_unpacklo_ps(in[2], in[3]), high2 = _mm256_unpackhi_ps(in[2], in[3]);
  __m256 r04 = _mm256_shuffle_ps(low, low2, 0x44), r15 = _mm256_shuffle_ps(low, low2, 0xEE);
  __m256 r26 = _mm256_shuffle_ps(high, high2, 0x44), r37 = _mm256_shuffle_ps(high, high2, 0xEE);
  _mm_storeu_ps(out[0].rotation, _mm256_castps256_ps128(r04));
  _mm_storeu_ps(out[1].rotation, _mm256_castps256_ps128(r15));
  _mm_storeu_ps(out[2].rotation, _mm256_castps256_ps128(r26));
  _mm_storeu_ps(out[3].rotation, _mm256_castps256_ps128(r37));
  _mm_storeu_ps(out[4].rotation, _mm256_extractf128_ps(r04, 1));
  _mm_storeu_ps(out[5].rotation, _mm256_extractf128_ps(r15, 1));
  _mm_storeu_ps(out[6].rotation, _mm256_extractf128_ps(r26, 1));
  _mm_storeu_ps(out[7].rotation, _mm256_extractf128_ps(r37, 1));
}

AVX2 void pose_blend_eight_avx2(const mpak_transform *from, const mpak_transform *to, const anim_slerp *slerp,
                                mpak_transform *out) {
  __m256 a[4], b[4], rotations[4];
  const __m256 right = _mm256_set1_ps(slerp->fraction), left = _mm256_set1_ps(1 - slerp->fraction);
  avx2_load_rotations(from, a);
  avx2_load_rotations(to, b);
  avx2_slerp(slerp, a, b, rotations);
  for (int i = 0; i < 8; ++i) { // translation and scale stand together
    __m256 mixed = avx2_mix(left, _mm256_loadu_ps(from[i].translation), right, _mm256_loadu_ps(to[i].translation));
    _mm256_storeu_ps(out[i].translation, mixed);
  }
  avx2_store_rotations(rotations, out);
}

#endif
