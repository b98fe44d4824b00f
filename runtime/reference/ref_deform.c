/// ref_deform.c: morph and skin of the double-precision reference, vertex by vertex.
///
/// Morph: P = P0 + sum w·dP, N = N0 + sum w·dN, T = T0 + sum w·dT. Skin: M = sum w·palette[BoneMap[joint]] with
/// palette = component(joint) * inverse_bind (glTF 2.0, 3.7.3.3). Normals go by the inverse transpose of M, written as
/// sign(det M) * cofactors(M), which also exists for flat matrices. Deltas are what the payload says as floats: number
/// * scale, rounded once, since that is the number that was cooked.
#include "runtime/reference/mpak_reference.h"

#include <string.h>

#include "format/morph_payload.h"
#include "runtime/reference/ref_math.h"

/// A sum shorter than this has no direction left.
#define REF_SHORTEST_SUM 1e-12

/// What one call of mpak_ref_deform works on.
typedef struct ref_job {
  const mpak_ref_pose *pose;
  const mpak_part *part;
  const mpak_part_data *data;
  const double *shape_weights;
  bool is_skinned;
  uint32_t block; ///< blk64: the block of the vertex at hand
} ref_job;

typedef struct ref_vertex {
  double position[3];
  double normal[3];
  double tangent[4];
} ref_vertex;

static void ref_add_csr_deltas(const ref_job *job, uint32_t vertex, ref_vertex *sum) {
  const mpak_morph *morph = &job->data->morph;
  for (uint32_t d = morph->vertex_offsets[vertex]; d < morph->vertex_offsets[vertex + 1]; ++d) {
    const mpak_csr_delta *delta = &morph->deltas[d];
    double weight = job->shape_weights[delta->metadata[0]];
    for (int i = 0; i < 3; ++i) {
      sum->position[i] += weight * delta->position[i];
      sum->normal[i] += weight * delta->normal[i];
      sum->tangent[i] += weight * delta->tangent[i];
    }
  }
}

static void ref_add_entry(const mpak_morph *morph, const mpak_morph_entry *entry, uint32_t lane, double weight,
                          ref_vertex *sum) {
  uint64_t lanes = entry->lanes_low | (uint64_t)entry->lanes_high << 32;
  if (!(lanes >> lane & 1)) return;
  uint32_t lane_count = (uint32_t)__builtin_popcountll(lanes);
  uint32_t rank = (uint32_t)__builtin_popcountll(lanes & (((uint64_t)1 << lane) - 1));
  double *targets[3] = {sum->position, sum->normal, sum->tangent};
  float delta[9];
  mpak_lane_delta(morph->payload, morph->components, entry, morph->payload_words + entry->payload_offset, lane_count,
                  rank, delta);
  for (uint32_t c = 0; c < morph->components; ++c) targets[c / 3][c % 3] += weight * (double)delta[c];
}

static void ref_add_block_deltas(ref_job *job, uint32_t vertex, ref_vertex *sum) {
  const mpak_morph *morph = &job->data->morph;
  while (vertex >= morph->blocks[job->block + 1].first_vertex) ++job->block;
  const mpak_morph_block *block = &morph->blocks[job->block];
  for (uint32_t e = block[0].first_entry; e < block[1].first_entry; ++e) {
    const mpak_morph_entry *entry = &morph->entries[e];
    ref_add_entry(morph, entry, vertex - block->first_vertex, job->shape_weights[entry->shape], sum);
  }
}

static bool ref_is_moved(const double sum[3], const float base[3]) {
  return sum[0] != (double)base[0] || sum[1] != (double)base[1] || sum[2] != (double)base[2];
}

/// Unit length for a sum, or the base where nothing is left of it.
static bool ref_finish_direction(const float base[3], double sum[3]) {
  if (ref_normalise(sum, 3, REF_SHORTEST_SUM)) return true;
  for (int c = 0; c < 3; ++c) sum[c] = base[c];
  return false;
}

/// SPEC.md section 10: t - n (n . t).
static void ref_make_square(const double normal[3], double tangent[3]) {
  double along = ref_dot3(normal, tangent);
  for (int c = 0; c < 3; ++c) tangent[c] -= along * normal[c];
}

static void ref_morph_vertex(ref_job *job, uint32_t vertex, ref_vertex *out) {
  const mpak_base_vertex *base = &job->data->base[vertex];
  for (int i = 0; i < 4; ++i) {
    if (i < 3) out->position[i] = base->position[i];
    if (i < 3) out->normal[i] = base->normal[i];
    out->tangent[i] = base->tangent[i];
  }
  if (job->data->morph.payload == MPAK_PAYLOAD_CSR64) ref_add_csr_deltas(job, vertex, out);
  if (mpak_payload_is_blk64(job->data->morph.payload)) ref_add_block_deltas(job, vertex, out);
  bool is_turned = ref_is_moved(out->normal, base->normal) && job->part->flags & MPAK_PART_REORTHOGONALISE;
  if (ref_finish_direction(base->normal, out->normal) && is_turned) ref_make_square(out->normal, out->tangent);
  ref_finish_direction(base->tangent, out->tangent);
}

/// component space from the vertex's space: the blend of its bones.
static void ref_blend_matrix(const ref_job *job, const mpak_section *section, uint32_t vertex, double blend[12]) {
  uint32_t influence_count = job->part->influence_count;
  uint64_t first = (uint64_t)vertex * influence_count;
  memset(blend, 0, 12 * sizeof *blend);
  for (uint32_t k = 0; k < influence_count; ++k) {
    double weight = job->data->weights[first + k];
    if (weight == 0) continue;
    uint32_t bone = section->first_bone + job->data->joints[first + k];
    const double *palette = job->pose->palette[job->pose->pack->bones[bone].joint];
    for (int i = 0; i < 12; ++i) blend[i] += weight * palette[i];
  }
}

/// Moves a unit normal by the inverse transpose; the old one stays where the matrix leaves no direction.
static double ref_move_normal(const double matrix[12], double normal[3]) {
  double cofactors[3][3], moved[3];
  double determinant = ref_cofactors(cofactors, matrix);
  double sign = determinant < 0 ? -1 : 1;
  for (int r = 0; r < 3; ++r) moved[r] = sign * ref_dot3(cofactors[r], normal);
  if (ref_normalise(moved, 3, 0)) memcpy(normal, moved, sizeof moved);
  return sign;
}

static void ref_move_vertex(const double matrix[12], ref_vertex *vertex) {
  double position[3], tangent[3];
  ref_transform_point(position, matrix, vertex->position);
  memcpy(vertex->position, position, sizeof position);
  vertex->tangent[3] *= ref_move_normal(matrix, vertex->normal);
  ref_transform_direction(tangent, matrix, vertex->tangent);
  if (ref_normalise(tangent, 3, 0)) memcpy(vertex->tangent, tangent, sizeof tangent);
}

static void ref_fill_palette(const mpak_ref_pose *pose, uint32_t skin) {
  const mpak_skin *record = &pose->pack->skins[skin];
  for (uint32_t j = 0; j < record->joint_count; ++j) {
    const mpak_joint *joint = &pose->pack->joints[record->first_joint + j];
    double inverse_bind[12];
    for (int i = 0; i < 12; ++i) inverse_bind[i] = joint->inverse_bind[i];
    ref_multiply(pose->palette[j], pose->component[joint->node], inverse_bind);
  }
}

/// SPEC.md section 10: the line through the two points around a weight; the first and the last go on without an end.
static double ref_polyline(const mpak_rule_point *points, uint32_t point_count, double weight) {
  uint32_t i = point_count - 2;
  while (i > 0 && points[i].control_weight > weight) --i;
  double x = points[i].control_weight, y = points[i].shape_weight;
  return y + (weight - x) / (points[i + 1].control_weight - x) * (points[i + 1].shape_weight - y);
}

static void ref_fill_shape_weights(const mpak_ref_pose *pose, uint32_t instance, const mpak_part *part) {
  const double *weights = pose->weights + pose->first_weight[instance];
  uint32_t first_control = pose->pack->meshes[part->mesh].first_control;
  for (uint32_t s = 0; s < part->shape_count; ++s) {
    const mpak_shape *shape = &pose->pack->shapes[part->first_shape + s];
    double weight = weights[shape->control - first_control];
    const mpak_rule *rule = shape->rule == MPAK_NONE ? NULL : &pose->pack->rules[shape->rule];
    pose->work[s] =
        rule ? ref_polyline(pose->pack->rule_points + rule->first_point, rule->point_count, weight) : weight;
  }
}

static void ref_store_vertex(const mpak_ref_vertices *out, uint32_t vertex, const ref_vertex *value) {
  if (out->positions) memcpy(out->positions[vertex], value->position, sizeof value->position);
  if (out->normals) memcpy(out->normals[vertex], value->normal, sizeof value->normal);
  if (out->tangents) memcpy(out->tangents[vertex], value->tangent, sizeof value->tangent);
}

static void ref_deform_section(ref_job *job, const mpak_section *section, const double *node_matrix,
                               const mpak_ref_vertices *out) {
  for (uint32_t v = section->first_vertex; v < section->first_vertex + section->vertex_count; ++v) {
    ref_vertex vertex;
    double blend[12];
    ref_morph_vertex(job, v, &vertex);
    if (job->is_skinned) {
      ref_blend_matrix(job, section, v, blend);
      ref_move_vertex(blend, &vertex);
    } else if (node_matrix) {
      ref_move_vertex(node_matrix, &vertex);
    }
    ref_store_vertex(out, v, &vertex);
  }
}

void mpak_ref_deform(const mpak_ref_pose *pose, uint32_t instance, uint32_t part, const mpak_part_data *data,
                     bool mesh_space, const mpak_ref_vertices *out) {
  const mpak_instance *record = &pose->pack->instances[instance];
  ref_job job = {.pose = pose, .part = &pose->pack->parts[part], .data = data, .shape_weights = pose->work};
  job.is_skinned = !mesh_space && record->skin != MPAK_NONE && job.part->influence_count > 0;
  ref_fill_shape_weights(pose, instance, job.part);
  if (job.is_skinned) ref_fill_palette(pose, record->skin);
  const double *node_matrix = mesh_space || job.is_skinned ? NULL : pose->component[record->node];
  for (uint32_t s = 0; s < job.part->section_count; ++s) {
    ref_deform_section(&job, &pose->pack->sections[job.part->first_section + s], node_matrix, out);
  }
}
