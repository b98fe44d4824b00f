/// deform_skin.c: skinning on the CPU, single precision, 4, 8 or 12 influences.
///
/// Source: glTF 2.0 section 3.7.3.3 for the blended matrix; skeletal document 7.2 for the bone maps: matrix =
/// ReferenceToLocal[BoneMap[joint]]. Normals: K. Turkowski, "Properties of surface-normal transformations", Graphics
/// Gems, 1990: the cofactors are the determinant times the inverse transpose.
#include "runtime/deform/deform_vector.h"
#include "runtime/mpak_pose.h"

/// Row r of the cofactors is the cross product of the other two rows. Returns the determinant.
static float deform_cofactors(const mpak_matrix *matrix, float out[3][3]) {
  for (int r = 0; r < 3; ++r) {
    const float *a = matrix->m + (r + 1) % 3 * 4, *b = matrix->m + (r + 2) % 3 * 4;
    out[r][0] = a[1] * b[2] - a[2] * b[1];
    out[r][1] = a[2] * b[0] - a[0] * b[2];
    out[r][2] = a[0] * b[1] - a[1] * b[0];
  }
  return deform_dot(matrix->m, out[0]);
}

/// Moves a normal; returns -1 where the matrix mirrors, else 1.
static float deform_move_normal(const mpak_matrix *matrix, float normal[3]) {
  float cofactors[3][3];
  float sign = deform_cofactors(matrix, cofactors) < 0 ? -1.0f : 1.0f;
  float moved[3];
  for (int r = 0; r < 3; ++r) moved[r] = sign * deform_dot(cofactors[r], normal);
  if (deform_normalise_any(moved)) memcpy(normal, moved, sizeof moved);
  return sign;
}

/// out = in moved by the matrix; what overflows or loses its direction stays as it was.
static void deform_move_vertex(const mpak_matrix *matrix, const mpak_base_vertex *in, mpak_base_vertex *out) {
  float position[3], tangent[3];
  mpak_base_vertex moved = *in;
  mpak_matrix_transform_point(matrix, in->position, position);
  if (deform_is_finite(position)) memcpy(moved.position, position, sizeof position);
  float sign = deform_move_normal(matrix, moved.normal);
  for (int r = 0; r < 3; ++r) tangent[r] = deform_dot(matrix->m + r * 4, in->tangent);
  if (deform_normalise_any(tangent)) {
    memcpy(moved.tangent, tangent, sizeof tangent);
    moved.tangent[3] *= sign;
  }
  *out = moved;
}

/// Sum of weight * palette[BoneMap[joint]]. Weights fall along a vertex, so the first zero ends it.
static void deform_blend_matrix(const mpak_bone *bones, const uint16_t *joints, const float *weights,
                                uint32_t influence_count, const mpak_matrix *palette, mpak_matrix *out) {
  memset(out, 0, sizeof *out);
  for (uint32_t k = 0; k < influence_count && weights[k] != 0; ++k) {
    const float *bone = palette[bones[joints[k]].joint].m;
    for (int i = 0; i < 12; ++i) out->m[i] += weights[k] * bone[i];
  }
}

static void deform_skin_section(const mpak_section *section, const mpak_bone *bones, uint32_t influence_count,
                                const mpak_part_data *data, const mpak_matrix *palette, const mpak_base_vertex *in,
                                mpak_base_vertex *out) {
  for (uint32_t v = section->first_vertex; v < section->first_vertex + section->vertex_count; ++v) {
    size_t first = (size_t)v * influence_count;
    mpak_matrix blend;
    deform_blend_matrix(bones, data->joints + first, data->weights + first, influence_count, palette, &blend);
    deform_move_vertex(&blend, &in[v], &out[v]);
  }
}

void mpak_skin_vertices(const mpak_pack *pack, uint32_t part, const mpak_part_data *data,
                        const mpak_matrix *skin_palette, const mpak_base_vertex *in, mpak_base_vertex *out) {
  const mpak_part *record = &pack->parts[part];
  for (uint32_t s = 0; s < record->section_count; ++s) {
    const mpak_section *section = &pack->sections[record->first_section + s];
    deform_skin_section(section, pack->bones + section->first_bone, record->influence_count, data, skin_palette, in,
                        out);
  }
}

void mpak_move_vertices(const mpak_matrix *component_from_mesh, uint32_t vertex_count, const mpak_base_vertex *in,
                        mpak_base_vertex *out) {
  for (uint32_t v = 0; v < vertex_count; ++v) deform_move_vertex(component_from_mesh, &in[v], &out[v]);
}
