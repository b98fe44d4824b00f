/// pose_block_avx2.c: compressed tracks, eight at a time. Every operation has its twin in pose_block_plain.c; none is
/// fused or approximate, so the two give the same bits.
#include "runtime/pose/pose_block.h"

#if defined(POSE_HAS_AVX2_PATH)

#include "runtime/pose/pose_avx2.h"

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

/// The values of one component of eight tracks in both rows. bit: where its fields start, in all lanes; moved behind
/// them.
AVX2_INLINE void avx2_unpack(const pose_rows *rows, const uint32_t *column, __m256i mask, __m256 steps, __m256i *bit,
                             __m256 *a, __m256 *b) {
  const __m256i seven = _mm256_set1_epi32(7), one = _mm256_set1_epi32(1);
  __m256i component = _mm256_maskload_epi32((const int *)column, mask);
  __m256i widths = _mm256_and_si256(component, _mm256_set1_epi32(31));
  __m256i ends = avx2_running_sums(widths);
  __m256i bits = _mm256_add_epi32(_mm256_sub_epi32(ends, widths), *bit);
  __m256i places = _mm256_srli_epi32(bits, 3), shifts = _mm256_and_si256(bits, seven);
  __m256i masks = _mm256_sub_epi32(_mm256_sllv_epi32(one, widths), one);
  __m256i bases = _mm256_srai_epi32(component, 5);
  __m256i left = _mm256_i32gather_epi32((const int *)rows->row, places, 1);
  __m256i right = _mm256_i32gather_epi32((const int *)rows->next_row, places, 1);
  left = _mm256_add_epi32(bases, _mm256_and_si256(_mm256_srlv_epi32(left, shifts), masks));
  right = _mm256_add_epi32(bases, _mm256_and_si256(_mm256_srlv_epi32(right, shifts), masks));
  *a = _mm256_mul_ps(_mm256_cvtepi32_ps(left), steps);
  *b = _mm256_mul_ps(_mm256_cvtepi32_ps(right), steps);
  *bit = _mm256_add_epi32(*bit, _mm256_permutevar8x32_epi32(ends, seven));
}

AVX2_INLINE __m256 avx2_root(__m256 x, __m256 y, __m256 z) {
  __m256 sum = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(x, x), _mm256_mul_ps(y, y)), _mm256_mul_ps(z, z));
  return _mm256_sqrt_ps(_mm256_max_ps(_mm256_sub_ps(_mm256_set1_ps(1), sum), _mm256_setzero_ps()));
}

AVX2_INLINE __m256 avx2_lerp(__m256 fraction, __m256 a, __m256 b) {
  return _mm256_add_ps(a, _mm256_mul_ps(fraction, _mm256_sub_ps(b, a)));
}

/// From (kept, kept, kept, dropped) to xyzw, by the dropped component.
static const int32_t avx2_places[4][4]
    __attribute__((aligned(16))) = {{3, 0, 1, 2}, {0, 3, 1, 2}, {0, 1, 3, 2}, {0, 1, 2, 3}};

AVX2_INLINE void avx2_put(const pose_rows *rows, uint32_t info, anim_list_kind kind, __m128 value) {
  uint32_t node = pose_rows_node(rows, anim_node_of(info));
  if (node == MPAK_NONE) return;
  mpak_transform *local = &rows->locals[node];
  if (kind == ANIM_ROTATIONS) {
    value = _mm_permutevar_ps(value, _mm_load_si128((const __m128i *)avx2_places[anim_dropped_of(info)]));
  }
  _mm_storeu_ps(kind == ANIM_SCALES         ? local->scale
                : kind == ANIM_TRANSLATIONS ? local->translation
                                            : local->rotation,
                value);
}

/// The first count of eight tracks.
AVX2_INLINE void avx2_store(const pose_rows *rows, const uint32_t *infos, uint32_t count, anim_list_kind kind,
                            const __m256 values[4]) {
  __m256 xy_low = _mm256_unpacklo_ps(values[0], values[1]), xy_high = _mm256_unpackhi_ps(values[0], values[1]);
  __m256 zw_low = _mm256_unpacklo_ps(values[2], values[3]), zw_high = _mm256_unpackhi_ps(values[2], values[3]);
  __m256 t04 = _mm256_shuffle_ps(xy_low, zw_low, 0x44), t15 = _mm256_shuffle_ps(xy_low, zw_low, 0xEE);
  __m256 t26 = _mm256_shuffle_ps(xy_high, zw_high, 0x44), t37 = _mm256_shuffle_ps(xy_high, zw_high, 0xEE);
  avx2_put(rows, infos[0], kind, _mm256_castps256_ps128(t04));
  if (count > 1) avx2_put(rows, infos[1], kind, _mm256_castps256_ps128(t15));
  if (count > 2) avx2_put(rows, infos[2], kind, _mm256_castps256_ps128(t26));
  if (count > 3) avx2_put(rows, infos[3], kind, _mm256_castps256_ps128(t37));
  if (count > 4) avx2_put(rows, infos[4], kind, _mm256_extractf128_ps(t04, 1));
  if (count > 5) avx2_put(rows, infos[5], kind, _mm256_extractf128_ps(t15, 1));
  if (count > 6) avx2_put(rows, infos[6], kind, _mm256_extractf128_ps(t26, 1));
  if (count > 7) avx2_put(rows, infos[7], kind, _mm256_extractf128_ps(t37, 1));
}

/// One group; bit as in avx2_unpack.
AVX2_INLINE void avx2_group(const pose_rows *rows, const anim_list *list, anim_list_kind kind, uint32_t first,
                            uint32_t count, __m256i *bit) {
  const __m256i mask = avx2_mask(count);
  const __m256 fraction = _mm256_set1_ps(rows->slerp.fraction);
  const uint32_t *infos = list->words + first;
  const size_t next = list->count; // from column to column
  __m256 a[4], b[4], out[4], steps = avx2_steps(_mm256_maskload_epi32((const int *)infos, mask));
  avx2_unpack(rows, infos + next, mask, steps, bit, &a[0], &b[0]);
  avx2_unpack(rows, infos + 2 * next, mask, steps, bit, &a[1], &b[1]);
  avx2_unpack(rows, infos + 3 * next, mask, steps, bit, &a[2], &b[2]);
  if (kind == ANIM_FULL_ROTATIONS) avx2_unpack(rows, infos + 4 * next, mask, steps, bit, &a[3], &b[3]);
  if (kind == ANIM_ROTATIONS) {
    a[3] = avx2_root(a[0], a[1], a[2]);
    b[3] = avx2_root(b[0], b[1], b[2]);
  }
  if (kind == ANIM_ROTATIONS || kind == ANIM_FULL_ROTATIONS) {
    avx2_slerp(&rows->slerp, a, b, out);
  } else {
    out[0] = avx2_lerp(fraction, a[0], b[0]);
    out[1] = avx2_lerp(fraction, a[1], b[1]);
    out[2] = avx2_lerp(fraction, a[2], b[2]);
    out[3] = _mm256_setzero_ps();
  }
  avx2_store(rows, infos, count, kind, out);
}

AVX2_INLINE uint32_t avx2_list(const pose_rows *rows, const anim_list *list, anim_list_kind kind, uint32_t bit) {
  __m256i bits = _mm256_set1_epi32((int)bit);
  uint32_t first = 0;
  for (; list->count - first >= ANIM_GROUP; first += ANIM_GROUP) avx2_group(rows, list, kind, first, ANIM_GROUP, &bits);
  if (first < list->count) avx2_group(rows, list, kind, first, list->count - first, &bits);
  return (uint32_t)_mm256_cvtsi256_si32(bits);
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
