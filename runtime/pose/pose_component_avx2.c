/// pose_component_avx2.c: component space, with the same bits as pose_component.c: local matrices of eight nodes at a
/// time, then one product after the other, since each may need the one before.
#include "runtime/pose/pose_ways.h"

#if defined(POSE_HAS_AVX2_PATH)

#include "runtime/pose/pose_avx2.h"

/// Local rows of eight nodes: of row r and pair p the nodes p and p + 4.
typedef struct avx2_locals {
  __m256 pairs[3][4];
} avx2_locals;
#define AVX2_ROW_STRIDE 32 ///< floats from row to row

/// 1 - 2 * (a * a + b * b) and 2 * (a + b), times a scale, as mpak_matrix_of_transform has them.
AVX2_INLINE __m256 avx2_diagonal(__m256 aa, __m256 bb, __m256 scale) {
  __m256 twice = _mm256_mul_ps(_mm256_set1_ps(2), _mm256_add_ps(aa, bb));
  return _mm256_mul_ps(_mm256_sub_ps(_mm256_set1_ps(1), twice), scale);
}
AVX2_INLINE __m256 avx2_plus(__m256 a, __m256 b, __m256 scale) {
  return _mm256_mul_ps(_mm256_mul_ps(_mm256_set1_ps(2), _mm256_add_ps(a, b)), scale);
}
AVX2_INLINE __m256 avx2_minus(__m256 a, __m256 b, __m256 scale) {
  return _mm256_mul_ps(_mm256_mul_ps(_mm256_set1_ps(2), _mm256_sub_ps(a, b)), scale);
}

AVX2_INLINE void avx2_local_matrices(const avx2_eight *eight, avx2_locals *out) {
  __m256 q[4], t[4], s[4];
  avx2_transpose(eight, AVX2_ROTATION, q);
  avx2_transpose(eight, AVX2_TRANSLATION, t);
  avx2_transpose(eight, AVX2_SCALE, s);
  __m256 xx = _mm256_mul_ps(q[0], q[0]), yy = _mm256_mul_ps(q[1], q[1]), zz = _mm256_mul_ps(q[2], q[2]);
  __m256 xy = _mm256_mul_ps(q[0], q[1]), xz = _mm256_mul_ps(q[0], q[2]), yz = _mm256_mul_ps(q[1], q[2]);
  __m256 xw = _mm256_mul_ps(q[0], q[3]), yw = _mm256_mul_ps(q[1], q[3]), zw = _mm256_mul_ps(q[2], q[3]);
  const __m256 row0[4] = {avx2_diagonal(yy, zz, s[0]), avx2_minus(xy, zw, s[1]), avx2_plus(xz, yw, s[2]), t[0]};
  const __m256 row1[4] = {avx2_plus(xy, zw, s[0]), avx2_diagonal(xx, zz, s[1]), avx2_minus(yz, xw, s[2]), t[1]};
  const __m256 row2[4] = {avx2_minus(xz, yw, s[0]), avx2_plus(yz, xw, s[1]), avx2_diagonal(xx, yy, s[2]), t[2]};
  avx2_transpose_back(row0, out->pairs[0]);
  avx2_transpose_back(row1, out->pairs[1]);
  avx2_transpose_back(row2, out->pairs[2]);
}

/// One or two rows of a product: mpak_matrix_multiply's order of sums. above: the rows of the parent.
AVX2_INLINE __m256 avx2_product_rows(__m256 above, __m256 row0, __m256 row1, __m256 row2) {
  const __m256 last = _mm256_castsi256_ps(_mm256_setr_epi32(0, 0, 0, -1, 0, 0, 0, -1));
  __m256 sum = _mm256_add_ps(_mm256_mul_ps(_mm256_permute_ps(above, 0x00), row0),
                             _mm256_mul_ps(_mm256_permute_ps(above, 0x55), row1));
  sum = _mm256_add_ps(sum, _mm256_mul_ps(_mm256_permute_ps(above, 0xAA), row2));
  return _mm256_add_ps(sum, _mm256_and_ps(last, above));
}
AVX2_INLINE __m128 avx2_product_row(const float *above, __m128 row0, __m128 row1, __m128 row2) {
  const __m128 last = _mm_castsi128_ps(_mm_setr_epi32(0, 0, 0, -1));
  __m128 sum = _mm_add_ps(_mm_mul_ps(_mm_broadcast_ss(above), row0), _mm_mul_ps(_mm_broadcast_ss(above + 1), row1));
  sum = _mm_add_ps(sum, _mm_mul_ps(_mm_broadcast_ss(above + 2), row2));
  return _mm_add_ps(sum, _mm_and_ps(last, _mm_loadu_ps(above)));
}

/// rows: those of a local matrix, one every stride floats.
AVX2_INLINE void avx2_component(mpak_pose *pose, uint32_t node, const float *rows, size_t stride) {
  const uint32_t parent = pose->pack->nodes[node].parent;
  __m256 row0 = _mm256_broadcast_ps((const __m128 *)(const void *)rows);
  __m256 row1 = _mm256_broadcast_ps((const __m128 *)(const void *)(rows + stride));
  __m256 row2 = _mm256_broadcast_ps((const __m128 *)(const void *)(rows + 2 * stride));
  float *out = pose->components[node].m;
  if (parent == MPAK_NONE) {
    _mm256_storeu_ps(out, _mm256_blend_ps(row0, row1, 0xF0));
    _mm_storeu_ps(out + 8, _mm256_castps256_ps128(row2));
    return;
  }
  const float *above = pose->components[parent].m;
  __m256 two = avx2_product_rows(_mm256_loadu_ps(above), row0, row1, row2);
  __m128 third = avx2_product_row(above + 8, _mm256_castps256_ps128(row0), _mm256_castps256_ps128(row1),
                                  _mm256_castps256_ps128(row2));
  _mm256_storeu_ps(out, two);
  _mm_storeu_ps(out + 8, third);
}

/// Node k of the eight.
AVX2_INLINE void avx2_component_of(mpak_pose *pose, uint32_t node, const avx2_locals *locals, uint32_t k) {
  const mpak_node *record = &pose->pack->nodes[node];
  if (record->flags & MPAK_NODE_MATRIX) {
    avx2_component(pose, node, record->rest, 4);
  } else {
    avx2_component(pose, node, (const float *)&locals->pairs[0][k & 3] + (k & 4), AVX2_ROW_STRIDE);
  }
}

AVX2 void pose_components_avx2(mpak_pose *pose, const uint32_t *required, uint32_t count) {
  avx2_locals locals;
  for (uint32_t n = 0; n < count; n += 8) {
    const uint32_t left = count - n < 8 ? count - n : 8;
    if (required) {
      avx2_eight eight;
      for (uint32_t k = 0; k < 8; ++k) eight.lanes[k] = pose->locals[required[n + (k < left ? k : left - 1)]].rotation;
      avx2_local_matrices(&eight, &locals);
      for (uint32_t k = 0; k < left; ++k) avx2_component_of(pose, required[n + k], &locals, k);
    } else {
      const avx2_eight eight = avx2_eight_of(pose->locals + n, left);
      avx2_local_matrices(&eight, &locals);
      for (uint32_t k = 0; k < left; ++k) avx2_component_of(pose, n + k, &locals, k);
    }
  }
}

#endif
