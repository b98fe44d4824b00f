/// pose_component.c: component space, sockets, palettes and bounds of a pose.
#include "runtime/pose/pose_ways.h"

static void component_local_matrix(const mpak_pose *pose, uint32_t node, mpak_matrix *out) {
  const mpak_node *record = &pose->pack->nodes[node];
  if (record->flags & MPAK_NODE_MATRIX) {
    memcpy(out->m, record->rest, sizeof out->m);
  } else {
    mpak_matrix_of_transform(&pose->locals[node], out);
  }
}

#if defined(__SSE2__)
/// mpak_matrix_of_transform with four lanes; the same operations, so the same bits.
static void component_local_rows(const mpak_transform *local, __m128 rows[3]) {
  const __m128 q = _mm_loadu_ps(local->rotation), two = _mm_set1_ps(2), one = _mm_set1_ps(1);
  const __m128 yxx = _mm_shuffle_ps(q, q, _MM_SHUFFLE(3, 0, 0, 1)), zzy = _mm_shuffle_ps(q, q, _MM_SHUFFLE(3, 1, 2, 2));
  const __m128 yzz = _mm_shuffle_ps(q, q, _MM_SHUFFLE(3, 2, 2, 1)), www = _mm_shuffle_ps(q, q, _MM_SHUFFLE(3, 3, 3, 3));
  const __m128 xxy = _mm_shuffle_ps(q, q, _MM_SHUFFLE(3, 1, 0, 0)), zyx = _mm_shuffle_ps(q, q, _MM_SHUFFLE(3, 0, 1, 2));
  const __m128 squares = _mm_add_ps(_mm_mul_ps(yxx, yxx), _mm_mul_ps(zzy, zzy));
  const __m128 diagonal = _mm_sub_ps(one, _mm_mul_ps(two, squares));          // of rows 0, 1, 2
  const __m128 products = _mm_mul_ps(xxy, yzz), turns = _mm_mul_ps(zyx, www); // xy xz yz, zw yw xw
  const __m128 plus = _mm_mul_ps(two, _mm_add_ps(products, turns));           // 10, 02, 21
  const __m128 minus = _mm_mul_ps(two, _mm_sub_ps(products, turns));          // 01, 20, 12
  const __m128 scale = _mm_loadu_ps(local->scale), place = _mm_loadu_ps(local->translation);
  const __m128 d0m0 = _mm_unpacklo_ps(diagonal, minus), p0d0 = _mm_unpacklo_ps(plus, diagonal);
  const __m128 row0 = _mm_shuffle_ps(d0m0, plus, _MM_SHUFFLE(3, 1, 1, 0));     // d0 m0 p1
  const __m128 p0d1 = _mm_shuffle_ps(p0d0, p0d0, _MM_SHUFFLE(3, 3, 3, 0));     // p0 d1
  const __m128 row1 = _mm_shuffle_ps(p0d1, minus, _MM_SHUFFLE(3, 2, 1, 0));    // p0 d1 m2
  const __m128 m1p2 = _mm_shuffle_ps(minus, plus, _MM_SHUFFLE(2, 2, 1, 1));    // m1 m1 p2 p2
  const __m128 row2 = _mm_shuffle_ps(m1p2, diagonal, _MM_SHUFFLE(3, 2, 2, 0)); // m1 p2 d2
  const __m128 xyz = _mm_castsi128_ps(_mm_setr_epi32(-1, -1, -1, 0));
  const __m128 t0 = _mm_shuffle_ps(place, place, _MM_SHUFFLE(0, 0, 0, 0));
  const __m128 t1 = _mm_shuffle_ps(place, place, _MM_SHUFFLE(1, 1, 1, 1));
  const __m128 t2 = _mm_shuffle_ps(place, place, _MM_SHUFFLE(2, 2, 2, 2));
  rows[0] = _mm_or_ps(_mm_and_ps(xyz, _mm_mul_ps(row0, scale)), _mm_andnot_ps(xyz, t0));
  rows[1] = _mm_or_ps(_mm_and_ps(xyz, _mm_mul_ps(row1, scale)), _mm_andnot_ps(xyz, t1));
  rows[2] = _mm_or_ps(_mm_and_ps(xyz, _mm_mul_ps(row2, scale)), _mm_andnot_ps(xyz, t2));
}

/// One row of a product: mpak_matrix_multiply's order of sums.
static inline __m128 component_product_row(const float *row, const __m128 rows[3], __m128 last) {
  __m128 sum = _mm_add_ps(_mm_mul_ps(_mm_set1_ps(row[0]), rows[0]), _mm_mul_ps(_mm_set1_ps(row[1]), rows[1]));
  sum = _mm_add_ps(sum, _mm_mul_ps(_mm_set1_ps(row[2]), rows[2]));
  return _mm_add_ps(sum, _mm_and_ps(last, _mm_loadu_ps(row)));
}

/// component[node] = component[parent] * local, for a node that is no bare matrix.
static void component_compute_transform(mpak_pose *pose, uint32_t node, uint32_t parent) {
  __m128 rows[3];
  float *out = pose->components[node].m;
  component_local_rows(&pose->locals[node], rows);
  if (parent != MPAK_NONE) {
    const float *above = pose->components[parent].m;
    const __m128 last = _mm_castsi128_ps(_mm_setr_epi32(0, 0, 0, -1));
    const __m128 local[3] = {rows[0], rows[1], rows[2]};
    rows[0] = component_product_row(above, local, last);
    rows[1] = component_product_row(above + 4, local, last);
    rows[2] = component_product_row(above + 8, local, last);
  }
  _mm_storeu_ps(out, rows[0]);
  _mm_storeu_ps(out + 4, rows[1]);
  _mm_storeu_ps(out + 8, rows[2]);
}
#endif

static void component_compute_node(mpak_pose *pose, uint32_t node) {
  uint32_t parent = pose->pack->nodes[node].parent;
  mpak_matrix local;
#if defined(__SSE2__)
  if (!(pose->pack->nodes[node].flags & MPAK_NODE_MATRIX)) {
    component_compute_transform(pose, node, parent);
    return;
  }
#endif
  component_local_matrix(pose, node, &local);
  if (parent == MPAK_NONE) {
    pose->components[node] = local;
  } else {
    mpak_matrix_multiply(&pose->components[parent], &local, &pose->components[node]);
  }
}

void pose_components_plain(mpak_pose *pose, const uint32_t *required, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) component_compute_node(pose, required ? required[i] : i);
}

void mpak_pose_compute_components(mpak_pose *pose, const uint32_t *required, uint32_t required_count) {
  pose_ways_of_processor().components(pose, required, required ? required_count : pose->pack->node_count);
  pose->component_version = pose->version;
}

mpak_result mpak_pose_socket(const mpak_pose *pose, uint32_t node, mpak_matrix *component_from_node) {
  memset(component_from_node, 0, sizeof *component_from_node);
  if (node >= pose->pack->node_count) return MPAK_ERROR_NOT_FOUND;
  component_local_matrix(pose, node, component_from_node);
  for (uint32_t n = pose->pack->nodes[node].parent; n != MPAK_NONE; n = pose->pack->nodes[n].parent) {
    mpak_matrix local;
    component_local_matrix(pose, n, &local);
    mpak_matrix_multiply(&local, component_from_node, component_from_node);
  }
  return MPAK_OK;
}

void mpak_pose_skin_palette(const mpak_pose *pose, uint32_t skin, mpak_matrix *palette) {
  const mpak_skin *record = &pose->pack->skins[skin];
  for (uint32_t j = 0; j < record->joint_count; ++j) {
    const mpak_joint *joint = &pose->pack->joints[record->first_joint + j];
    mpak_matrix inverse_bind;
    memcpy(inverse_bind.m, joint->inverse_bind, sizeof inverse_bind.m);
    mpak_matrix_multiply(&pose->components[joint->node], &inverse_bind, &palette[j]);
  }
}

void mpak_section_palette(const mpak_pack *pack, uint32_t section, const mpak_matrix *skin_palette, mpak_matrix *out) {
  const mpak_section *record = &pack->sections[section];
  for (uint32_t b = 0; b < record->bone_count; ++b) out[b] = skin_palette[pack->bones[record->first_bone + b].joint];
}

/// Each axis of the result sums the smaller of the two products.
void mpak_matrix_add_box(const mpak_matrix *matrix, const float box_min[3], const float box_max[3], float min[3],
                         float max[3]) {
  for (int r = 0; r < 3; ++r) {
    float low = matrix->m[r * 4 + 3], high = low;
    for (int c = 0; c < 3; ++c) {
      float a = matrix->m[r * 4 + c] * box_min[c], b = matrix->m[r * 4 + c] * box_max[c];
      low += a < b ? a : b;
      high += a < b ? b : a;
    }
    if (low < min[r]) min[r] = low;
    if (high > max[r]) max[r] = high;
  }
}

static void component_add_section_boxes(const mpak_pack *pack, const mpak_section *section,
                                        const mpak_matrix *skin_palette, float min[3], float max[3]) {
  for (uint32_t b = 0; b < section->bone_count; ++b) {
    const mpak_bone *bone = &pack->bones[section->first_bone + b];
    if (bone->box_min[0] > bone->box_max[0]) continue; // moves no vertex
    mpak_matrix_add_box(&skin_palette[bone->joint], bone->box_min, bone->box_max, min, max);
  }
}

void mpak_pose_part_bounds(const mpak_pose *pose, uint32_t instance, uint32_t part, const mpak_matrix *skin_palette,
                           float min[3], float max[3]) {
  const mpak_pack *pack = pose->pack;
  const mpak_instance *drawn = &pack->instances[instance];
  const mpak_part *record = &pack->parts[part];
  for (int i = 0; i < 3; ++i) {
    min[i] = 3.402823466e38f;
    max[i] = -3.402823466e38f;
  }
  if (drawn->skin == MPAK_NONE || record->influence_count == 0) {
    mpak_matrix_add_box(&pose->components[drawn->node], record->conservative_min, record->conservative_max, min, max);
    return;
  }
  for (uint32_t s = 0; s < record->section_count; ++s) {
    component_add_section_boxes(pack, &pack->sections[record->first_section + s], skin_palette, min, max);
  }
}
