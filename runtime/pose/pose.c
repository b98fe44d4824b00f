/// pose.c: memory, rest, copies and blends of a pose.
#include "runtime/pose/pose_private.h"
#include "runtime/pose/pose_slerp.h"

/// Cuts the arrays of a pose; returns the bytes they take.
static uint64_t pose_layout(const mpak_pack *pack, void *memory, mpak_pose *pose) {
  carve block = {.memory = memory};
  pose->pack = pack;
  pose->locals = carve_take(&block, pack->node_count, sizeof *pose->locals);
  pose->components = carve_take(&block, pack->node_count, sizeof *pose->components);
  pose_take_weights(pack, &block, &pose->weights, &pose->first_weight);
  return block.used;
}

uint64_t mpak_pose_bytes(const mpak_pack *pack) {
  mpak_pose unused = {0};
  return pose_layout(pack, NULL, &unused);
}

mpak_result mpak_pose_init(const mpak_pack *pack, void *memory, uint64_t memory_bytes, mpak_pose *pose) {
  *pose = (mpak_pose){0};
  mpak_result result = pose_check_memory(pack, memory, memory_bytes, mpak_pose_bytes(pack));
  if (result != MPAK_OK) return result;
  pose_layout(pack, memory, pose);
  mpak_pose_rest(pose);
  return MPAK_OK;
}

/// Length 1 to within a float's rounding.
static void pose_rest_rotation(const float rest[4], float out[4]) {
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    out[i] = rest[i];
    sum += (double)rest[i] * rest[i];
  }
  if (!(sum - 1 < 1e-7 && sum - 1 > -1e-7)) pose_normalise_quaternion(out);
}

void pose_rest_path(const mpak_node *node, uint32_t path, mpak_transform *local) {
  static const float identity[10] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
  const float *rest = node->flags & MPAK_NODE_MATRIX ? identity : node->rest;
  if (path == MPAK_PATH_ROTATION) {
    pose_rest_rotation(rest + 3, local->rotation);
  } else {
    memcpy(path == MPAK_PATH_SCALE ? local->scale : local->translation, rest + (path == MPAK_PATH_SCALE ? 7 : 0),
           3 * sizeof *rest);
  }
}

static mpak_transform pose_rest_of_node(const mpak_node *node) {
  mpak_transform rest = {{0}, {0}, {0}};
  for (uint32_t path = MPAK_PATH_TRANSLATION; path <= MPAK_PATH_SCALE; ++path) pose_rest_path(node, path, &rest);
  return rest;
}

void mpak_pose_rest(mpak_pose *pose) {
  const mpak_pack *pack = pose->pack;
  for (uint32_t n = 0; n < pack->node_count; ++n) pose->locals[n] = pose_rest_of_node(&pack->nodes[n]);
  for (uint32_t i = 0; i < pack->instance_count; ++i) {
    float *weights = pose->weights + pose->first_weight[i];
    for (uint32_t c = 0; c < pose_mesh_of(pack, i)->control_count; ++c) weights[c] = pose_default_weight(pack, i, c);
  }
  mpak_pose_changed(pose);
}

void mpak_pose_copy(const mpak_pose *from, mpak_pose *out) {
  if (from == out) return;
  size_t node_count = from->pack->node_count, weight_count = (size_t)pose_weight_total(from->pack);
  if (node_count > 0) memcpy(out->locals, from->locals, node_count * sizeof *out->locals);
  if (weight_count > 0) memcpy(out->weights, from->weights, weight_count * sizeof *out->weights);
  mpak_pose_changed(out);
}

static float pose_lerp(float a, float b, float t) { return (1 - t) * a + t * b; }

static void pose_blend_transform(const mpak_transform *a, const mpak_transform *b, float alpha, mpak_transform *out) {
  mpak_quaternion_slerp(a->rotation, b->rotation, alpha, out->rotation);
  for (int i = 0; i < 3; ++i) {
    out->translation[i] = pose_lerp(a->translation[i], b->translation[i], alpha);
    out->scale[i] = pose_lerp(a->scale[i], b->scale[i], alpha);
  }
}

void mpak_pose_blend(const mpak_pose *from, const mpak_pose *to, float alpha, mpak_pose *out) {
  if (!(alpha > 0)) {
    mpak_pose_copy(from, out);
    return;
  }
  if (alpha >= 1) {
    mpak_pose_copy(to, out);
    return;
  }
  for (uint32_t n = 0; n < from->pack->node_count; ++n) {
    pose_blend_transform(&from->locals[n], &to->locals[n], alpha, &out->locals[n]);
  }
  uint64_t weight_count = pose_weight_total(from->pack);
  for (uint64_t w = 0; w < weight_count; ++w) out->weights[w] = pose_lerp(from->weights[w], to->weights[w], alpha);
  mpak_pose_changed(out);
}
