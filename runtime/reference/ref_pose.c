/// ref_pose.c: memory, rest pose and component space of the double-precision reference.
#include "runtime/reference/mpak_reference.h"

#include "runtime/pose/carve.h"
#include "runtime/reference/ref_math.h"

static uint32_t ref_most_joints(const mpak_pack *pack) {
  uint32_t most = 0;
  for (uint32_t s = 0; s < pack->skin_count; ++s) {
    if (pack->skins[s].joint_count > most) most = pack->skins[s].joint_count;
  }
  return most;
}

static uint32_t ref_most_shapes(const mpak_pack *pack) {
  uint32_t most = 0;
  for (uint32_t p = 0; p < pack->part_count; ++p) {
    if (pack->parts[p].shape_count > most) most = pack->parts[p].shape_count;
  }
  return most;
}

static uint64_t ref_weight_total(const mpak_pack *pack) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < pack->instance_count; ++i) {
    total += pack->meshes[pack->instances[i].mesh].control_count;
  }
  return total;
}

/// Cuts the arrays of a pose; returns the bytes they take, UINT64_MAX when that does not fit.
static uint64_t ref_pose_layout(const mpak_pack *pack, void *memory, mpak_ref_pose *pose) {
  carve block = {.memory = memory};
  *pose = (mpak_ref_pose){.pack = pack};
  pose->translation = carve_take(&block, pack->node_count, sizeof *pose->translation);
  pose->rotation = carve_take(&block, pack->node_count, sizeof *pose->rotation);
  pose->scale = carve_take(&block, pack->node_count, sizeof *pose->scale);
  pose->component = carve_take(&block, pack->node_count, sizeof *pose->component);
  pose->weights = carve_take(&block, ref_weight_total(pack), sizeof *pose->weights);
  pose->first_weight = carve_take(&block, pack->instance_count, sizeof *pose->first_weight);
  pose->palette = carve_take(&block, ref_most_joints(pack), sizeof *pose->palette);
  pose->work = carve_take(&block, ref_most_shapes(pack), sizeof *pose->work);
  return block.used;
}

uint64_t mpak_ref_pose_bytes(const mpak_pack *pack) {
  mpak_ref_pose unused;
  return ref_pose_layout(pack, NULL, &unused);
}

static void ref_rest_node(mpak_ref_pose *pose, uint32_t node) {
  const mpak_node *record = &pose->pack->nodes[node];
  const double identity[4] = {0, 0, 0, 1};
  bool is_matrix = (record->flags & MPAK_NODE_MATRIX) != 0;
  for (int i = 0; i < 3; ++i) {
    pose->translation[node][i] = is_matrix ? 0 : record->rest[i];
    pose->scale[node][i] = is_matrix ? 1 : record->rest[7 + i];
  }
  for (int i = 0; i < 4; ++i) pose->rotation[node][i] = is_matrix ? identity[i] : record->rest[3 + i];
  if (!ref_normalise(pose->rotation[node], 4, 0)) memcpy(pose->rotation[node], identity, sizeof identity);
}

static void ref_rest_weights(mpak_ref_pose *pose, uint32_t instance, uint32_t first_weight) {
  const mpak_instance *record = &pose->pack->instances[instance];
  const mpak_mesh *mesh = &pose->pack->meshes[record->mesh];
  pose->first_weight[instance] = first_weight;
  for (uint32_t c = 0; c < mesh->control_count; ++c) {
    pose->weights[first_weight + c] = record->first_weight != MPAK_NONE
                                          ? pose->pack->instance_weights[record->first_weight + c]
                                          : pose->pack->controls[mesh->first_control + c].default_weight;
  }
}

mpak_result mpak_ref_pose_init(const mpak_pack *pack, void *memory, uint64_t memory_bytes, mpak_ref_pose *pose) {
  *pose = (mpak_ref_pose){0};
  if (ref_weight_total(pack) > UINT32_MAX) return MPAK_ERROR_LIMIT;
  if (!memory || memory_bytes < mpak_ref_pose_bytes(pack)) return MPAK_ERROR_BUFFER_TOO_SMALL;
  if (!bytes_is_aligned(memory, CARVE_ALIGNMENT)) return MPAK_ERROR_ALIGNMENT;
  ref_pose_layout(pack, memory, pose);
  for (uint32_t n = 0; n < pack->node_count; ++n) ref_rest_node(pose, n);
  uint32_t first_weight = 0;
  for (uint32_t i = 0; i < pack->instance_count; ++i) {
    ref_rest_weights(pose, i, first_weight);
    first_weight += pack->meshes[pack->instances[i].mesh].control_count;
  }
  mpak_ref_component(pose);
  return MPAK_OK;
}

static void ref_local_matrix(const mpak_ref_pose *pose, uint32_t node, double local[12]) {
  const mpak_node *record = &pose->pack->nodes[node];
  if (record->flags & MPAK_NODE_MATRIX) {
    for (int i = 0; i < 12; ++i) local[i] = record->rest[i];
  } else {
    ref_matrix_of_trs(local, pose->translation[node], pose->rotation[node], pose->scale[node]);
  }
}

void mpak_ref_component(mpak_ref_pose *pose) {
  for (uint32_t n = 0; n < pose->pack->node_count; ++n) {
    uint32_t parent = pose->pack->nodes[n].parent;
    double local[12];
    ref_local_matrix(pose, n, local);
    if (parent == MPAK_NONE) {
      memcpy(pose->component[n], local, sizeof local);
    } else {
      ref_multiply(pose->component[n], pose->component[parent], local);
    }
  }
}
