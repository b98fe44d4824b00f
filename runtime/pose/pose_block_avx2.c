/// pose_block_avx2.c: compressed tracks, eight at a time. Every operation has its twin in pose_block_plain.c; none is
/// fused or approximate, so the two give the same bits.
#include "runtime/pose/pose_block.h"

#if defined(POSE_HAS_AVX2_PATH)

#include <immintrin.h>

#define AVX2        __attribute__((target("avx2")))
#define AVX2_INLINE static inline __attribute__((target("avx2"), always_inline))

/// Lanes below count.
AVX2_INLINE __m256i avx2_mask(uint32_t count) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/// Steps of eight infos; exactly anim_step_of.
AVX2_INLINE __m256 avx2_steps(__m256i infos) {
  const __m256i eighths =
      _mm256_setr_epi32(0x3F800000, 0x3F6AC0C7, 0x3F5744FD, 0x3F45672A, 0x3F3504F3, 0x3F25FED7, 0x3F1837F0, 0x3F0B95C2);
  __m256i codes = _mm256_srli_epi32(infos, 22);
  __m256i mantissas = _mm256_permutevar8x32_epi32(eighths, _mm256_and_si256(codes, _mm256_set1_epi32(7)));
  __m256i octaves = _mm256_slli_epi32(_mm256_sub_epi32(_mm256_set1_epi32(24), _mm256_srli_epi32(codes, 3)), 23);
  return _mm256_castsi256_ps(_mm256_add_epi32(mantissas, octaves));
}

/// Sums of all lanes up to each one, it included.
AVX2_INLINE __m256i avx2_running_sums(__m256i x) {
  x = _mm256_add_epi32(x, _mm256_slli_si256(x, 4));
  x = _mm256_add_epi32(x, _mm256_slli_si256(x, 8));
  __m256i low = _mm256_permutevar8x32_epi32(x, _mm256_set1_epi32(3)); // the lower half's sum
  return _mm256_add_epi32(x, _mm256_blend_epi32(_mm256_setzero_si256(), low, 0xF0));
}

/// The values of one component of eight tracks in both rows. bit: moved behind them.
AVX2_INLINE void avx2_unpack(const pose_rows *rows, __m256i component, __m256 steps, uint32_t *bit, __m256 *a,
                             __m256 *b) {
  const __m256i seven = _mm256_set1_epi32(7), one = _mm256_set1_epi32(1);
  __m256i widths = _mm256_and_si256(component, _mm256_set1_epi32(31));
  __m256i ends = avx2_running_sums(widths);
  __m256i bits = _mm256_add_epi32(_mm256_sub_epi32(ends, widths), _mm256_set1_epi32((int)*bit));
  __m256i places = _mm256_srli_epi32(bits, 3), shifts = _mm256_and_si256(bits, seven);
  __m256i masks = _mm256_sub_epi32(_mm256_sllv_epi32(one, widths), one);
  __m256i bases = _mm256_srai_epi32(component, 5);
  __m256i left = _mm256_i32gather_epi32((const int *)rows->row, places, 1);
  __m256i right = _mm256_i32gather_epi32((const int *)rows->next_row, places, 1);
  left = _mm256_add_epi32(bases, _mm256_and_si256(_mm256_srlv_epi32(left, shifts), masks));
  right = _mm256_add_epi32(bases, _mm256_and_si256(_mm256_srlv_epi32(right, shifts), masks));
  *a = _mm256_mul_ps(_mm256_cvtepi32_ps(left), steps);
  *b = _mm256_mul_ps(_mm256_cvtepi32_ps(right), steps);
  *bit += (uint32_t)_mm256_extract_epi32(ends, 7);
}

AVX2_INLINE __m256 avx2_root(__m256 x, __m256 y, __m256 z) {
  __m256 sum = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(x, x), _mm256_mul_ps(y, y)), _mm256_mul_ps(z, z));
  return _mm256_sqrt_ps(_mm256_max_ps(_mm256_sub_ps(_mm256_set1_ps(1), sum), _mm256_setzero_ps()));
}

AVX2_INLINE __m256 avx2_dot(const __m256 a[4], const __m256 b[4]) {
  __m256 low = _mm256_add_ps(_mm256_mul_ps(a[0], b[0]), _mm256_mul_ps(a[1], b[1]));
  return _mm256_add_ps(low, _mm256_add_ps(_mm256_mul_ps(a[2], b[2]), _mm256_mul_ps(a[3], b[3])));
}

AVX2_INLINE void avx2_slerp(const anim_slerp *slerp, const __m256 a[4], const __m256 b[4], __m256 out[4]) {
  const __m256 one = _mm256_set1_ps(1), zero = _mm256_setzero_ps(), sign_bit = _mm256_set1_ps(-0.0f);
  __m256 cosine = avx2_dot(a, b);
  __m256 sign = _mm256_and_ps(_mm256_cmp_ps(cosine, zero, _CMP_LT_OQ), sign_bit);
  __m256 size = _mm256_xor_ps(cosine, sign);
  __m256 right = _mm256_set1_ps(slerp->terms[ANIM_SLERP_TERMS - 1]);
  for (int i = ANIM_SLERP_TERMS - 2; i >= 0; --i) {
    right = _mm256_add_ps(_mm256_mul_ps(right, size), _mm256_set1_ps(slerp->terms[i]));
  }
  right = _mm256_add_ps(right, _mm256_set1_ps(slerp->fraction));
  __m256 left = _mm256_sub_ps(one, right);
  right = _mm256_xor_ps(right, sign);
  for (int c = 0; c < 4; ++c) out[c] = _mm256_add_ps(_mm256_mul_ps(left, a[c]), _mm256_mul_ps(right, b[c]));
  __m256 scale = _mm256_div_ps(one, _mm256_sqrt_ps(avx2_dot(out, out)));
  for (int c = 0; c < 4; ++c) out[c] = _mm256_mul_ps(out[c], scale);
}

/// Eight tracks of four components each, as rows: track k's is half k / 4 of rows[k % 4].
AVX2_INLINE void avx2_transpose(const __m256 in[4], __m256 rows[4]) {
  __m256 xy_low = _mm256_unpacklo_ps(in[0], in[1]), xy_high = _mm256_unpackhi_ps(in[0], in[1]);
  __m256 zw_low = _mm256_unpacklo_ps(in[2], in[3]), zw_high = _mm256_unpackhi_ps(in[2], in[3]);
  rows[0] = _mm256_shuffle_ps(xy_low, zw_low, 0x44);
  rows[1] = _mm256_shuffle_ps(xy_low, zw_low, 0xEE);
  rows[2] = _mm256_shuffle_ps(xy_high, zw_high, 0x44);
  rows[3] = _mm256_shuffle_ps(xy_high, zw_high, 0xEE);
}

/// From (kept, kept, kept, dropped) to xyzw, by the dropped component.
static const int32_t avx2_places[4][4]
    __attribute__((aligned(16))) = {{3, 0, 1, 2}, {0, 3, 1, 2}, {0, 1, 3, 2}, {0, 1, 2, 3}};

AVX2_INLINE void avx2_store(const pose_rows *rows, const uint32_t *infos, uint32_t count, anim_list_kind kind,
                            const __m256 values[4]) {
  __m256 transposed[4];
  avx2_transpose(values, transposed);
  for (uint32_t k = 0; k < count; ++k) {
    uint32_t node = pose_rows_node(rows, anim_node_of(infos[k]));
    if (node == MPAK_NONE) continue;
    __m128 value = k < 4 ? _mm256_castps256_ps128(transposed[k]) : _mm256_extractf128_ps(transposed[k - 4], 1);
    mpak_transform *local = &rows->locals[node];
    if (kind == ANIM_ROTATIONS) {
      const __m128i order = _mm_load_si128((const __m128i *)avx2_places[anim_dropped_of(infos[k])]);
      value = _mm_permutevar_ps(value, order);
    }
    _mm_storeu_ps(kind == ANIM_SCALES         ? local->scale
                  : kind == ANIM_TRANSLATIONS ? local->translation
                                              : local->rotation,
                  value);
  }
}

AVX2_INLINE uint32_t avx2_list(const pose_rows *rows, const anim_list *list, anim_list_kind kind, uint32_t bit) {
  const uint32_t components = kind == ANIM_FULL_ROTATIONS ? 4 : 3;
  const bool is_rotation = kind == ANIM_FULL_ROTATIONS || kind == ANIM_ROTATIONS;
  const __m256 fraction = _mm256_set1_ps(rows->slerp.fraction);
  for (uint32_t first = 0; first < list->count; first += ANIM_GROUP) {
    uint32_t count = list->count - first < ANIM_GROUP ? list->count - first : ANIM_GROUP;
    const __m256i mask = avx2_mask(count);
    const uint32_t *infos = list->words + first;
    __m256 a[4], b[4], out[4], steps = avx2_steps(_mm256_maskload_epi32((const int *)infos, mask));
    for (uint32_t c = 0; c < components; ++c) {
      const int *column = (const int *)(infos + (uint64_t)(c + 1) * list->count);
      avx2_unpack(rows, _mm256_maskload_epi32(column, mask), steps, &bit, &a[c], &b[c]);
    }
    if (is_rotation) {
      if (components == 3) {
        a[3] = avx2_root(a[0], a[1], a[2]);
        b[3] = avx2_root(b[0], b[1], b[2]);
      }
      avx2_slerp(&rows->slerp, a, b, out);
    } else {
      for (int c = 0; c < 3; ++c) {
        out[c] = _mm256_add_ps(a[c], _mm256_mul_ps(fraction, _mm256_sub_ps(b[c], a[c])));
      }
      out[3] = _mm256_setzero_ps();
    }
    avx2_store(rows, infos, count, kind, out);
  }
  return bit;
}

AVX2 uint32_t pose_sample_list_avx2(const pose_rows *rows, const anim_list *list, anim_list_kind kind, uint32_t bit) {
  switch (kind) { // each with its kind as a constant
  case ANIM_ROTATIONS: return avx2_list(rows, list, ANIM_ROTATIONS, bit);
  case ANIM_FULL_ROTATIONS: return avx2_list(rows, list, ANIM_FULL_ROTATIONS, bit);
  case ANIM_TRANSLATIONS: return avx2_list(rows, list, ANIM_TRANSLATIONS, bit);
  default: return avx2_list(rows, list, ANIM_SCALES, bit);
  }
}

#endif
