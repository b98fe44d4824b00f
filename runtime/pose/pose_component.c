/// pose_component.c: component space, sockets, palettes and bounds of a pose.
#include "runtime/pose/pose_private.h"

static void component_local_matrix(const mpak_pose *pose, uint32_t node, mpak_matrix *out) {
  const mpak_node *record = &pose->pack->nodes[node];
  if (record->flags & MPAK_NODE_MATRIX) {
    memcpy(out->m, record->rest, sizeof out->m);
  } else {
    mpak_matrix_of_transform(&pose->locals[node], out);
  }
}

static void component_compute_node(mpak_pose *pose, uint32_t node) {
  uint32_t parent = pose->pack->nodes[node].parent;
  mpak_matrix local;
  component_local_matrix(pose, node, &local);
  if (parent == MPAK_NONE) {
    pose->components[node] = local;
  } else {
    mpak_matrix_multiply(&pose->components[parent], &local, &pose->components[node]);
  }
}

void mpak_pose_compute_components(mpak_pose *pose, const uint32_t *required, uint32_t required_count) {
  uint32_t count = required ? required_count : pose->pack->node_count;
  for (uint32_t i = 0; i < count; ++i) component_compute_node(pose, required ? required[i] : i);
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

/// Grows a box by another one that a matrix has moved. Each axis of the result sums the smaller of the two products.
static void component_add_box(const mpak_matrix *matrix, const float box_min[3], const float box_max[3], float min[3],
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
    component_add_box(&skin_palette[bone->joint], bone->box_min, bone->box_max, min, max);
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
    component_add_box(&pose->components[drawn->node], record->conservative_min, record->conservative_max, min, max);
    return;
  }
  for (uint32_t s = 0; s < record->section_count; ++s) {
    component_add_section_boxes(pack, &pack->sections[record->first_section + s], skin_palette, min, max);
  }
}
