/// deform_skin.c: skinning on the CPU, single precision, 4, 8 or 12 influences.
///
/// Source: glTF 2.0 section 3.7.3.3 for the blended matrix; skeletal document 7.2 for the bone maps: matrix =
/// ReferenceToLocal[BoneMap[joint]]. Normals: K. Turkowski, "Properties of surface-normal transformations", Graphics
/// Gems, 1990: the cofactors are the determinant times the inverse transpose.
#include "runtime/deform/deform_private.h"
#include "runtime/deform/deform_vector.h"

/// Bones of a section whose matrices are brought together in its order, on the stack.
#define DEFORM_MOST_OWN_BONES 192u

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

/// Sum of weight * matrix of the joint. Weights fall along a vertex, so the first zero ends it.
static void deform_blend_matrix(const deform_skinning *skinning, uint32_t vertex, mpak_matrix *out) {
  const uint16_t *joints = skinning->joints + (size_t)vertex * skinning->influence_count;
  const float *weights = skinning->weights + (size_t)vertex * skinning->influence_count;
  memset(out, 0, sizeof *out);
  for (uint32_t k = 0; k < skinning->influence_count && weights[k] != 0; ++k) {
    const float *bone = deform_bone_matrix(skinning->own, skinning->palette, skinning->bones, joints[k])->m;
    for (int i = 0; i < 12; ++i) out->m[i] += weights[k] * bone[i];
  }
}

void deform_skin_plain(const deform_skinning *skinning, uint32_t first_vertex, uint32_t vertex_count,
                       const mpak_base_vertex *in, mpak_base_vertex *out) {
  for (uint32_t v = first_vertex; v < first_vertex + vertex_count; ++v) {
    mpak_matrix blend;
    deform_blend_matrix(skinning, v, &blend);
    deform_move_vertex(&blend, &in[v], &out[v]);
  }
}

void deform_move_plain(const mpak_matrix *matrix, uint32_t vertex_count, const mpak_base_vertex *in,
                       mpak_base_vertex *out) {
  for (uint32_t v = 0; v < vertex_count; ++v) deform_move_vertex(matrix, &in[v], &out[v]);
}

// -- Sections --------------------------------------------------------------------------------------------------------

/// A matrix that is not finite, times a weight of 0, gives a position that is not finite, in vector code alone, which
/// does not stop at such weights: it leaves these vertices to the plain code.
static void deform_skin_section(const deform_kernels *kernels, const mpak_section *section, const mpak_bone *bones,
                                deform_skinning skinning, const mpak_base_vertex *in, mpak_base_vertex *out) {
  deform_bone own[DEFORM_MOST_OWN_BONES];
  if (section->bone_count <= DEFORM_MOST_OWN_BONES) {
    for (uint32_t b = 0; b < section->bone_count; ++b) own[b].matrix = skinning.palette[bones[b].joint];
    skinning.own = own;
  }
  skinning.bones = bones;
  kernels->skin(&skinning, section->first_vertex, section->vertex_count, in, out);
}

void deform_skin_vertices(const deform_kernels *kernels, const mpak_pack *pack, uint32_t part,
                          const mpak_part_data *data, const mpak_matrix *skin_palette, const mpak_base_vertex *in,
                          mpak_base_vertex *out) {
  const mpak_part *record = &pack->parts[part];
  const deform_skinning skinning = {.palette = skin_palette,
                                    .joints = data->joints,
                                    .weights = data->weights,
                                    .influence_count = record->influence_count};
  for (uint32_t s = 0; s < record->section_count; ++s) {
    const mpak_section *section = &pack->sections[record->first_section + s];
    deform_skin_section(kernels, section, pack->bones + section->first_bone, skinning, in, out);
  }
}

void mpak_skin_vertices(const mpak_pack *pack, uint32_t part, const mpak_part_data *data,
                        const mpak_matrix *skin_palette, const mpak_base_vertex *in, mpak_base_vertex *out) {
  deform_skin_vertices(deform_kernels_of(deform_best_level()), pack, part, data, skin_palette, in, out);
}

void mpak_move_vertices(const mpak_matrix *component_from_mesh, uint32_t vertex_count, const mpak_base_vertex *in,
                        mpak_base_vertex *out) {
  deform_kernels_of(deform_best_level())->move(component_from_mesh, vertex_count, in, out);
}
