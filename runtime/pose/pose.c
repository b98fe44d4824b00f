/// pose.c: memory, rest, copies and blends of a pose.
#include <math.h>

#include "runtime/pose/pose_ways.h"
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

/// The shorter arc by its chord (anim_block.h); unit quaternions, so that what is normalised has a length.
static void pose_blend_rotation(const float a[4], const float b[4], const anim_slerp *slerp, float out[4]) {
  float cosine = (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
  float sign = cosine < 0 ? -1.0f : 1.0f, value[4];
  float right = anim_slerp_fraction(slerp, cosine * sign), left = 1 - right;
  right = right * sign;
  for (int i = 0; i < 4; ++i) value[i] = left * a[i] + right * b[i];
  float scale = 1 / sqrtf((value[0] * value[0] + value[1] * value[1]) + (value[2] * value[2] + value[3] * value[3]));
  for (int i = 0; i < 4; ++i) out[i] = value[i] * scale;
}

static void pose_blend_transform(const mpak_transform *a, const mpak_transform *b, const anim_slerp *slerp,
                                 mpak_transform *out) {
  pose_blend_rotation(a->rotation, b->rotation, slerp, out->rotation);
  for (int i = 0; i < 3; ++i) {
    out->translation[i] = pose_lerp(a->translation[i], b->translation[i], slerp->fraction);
    out->scale[i] = pose_lerp(a->scale[i], b->scale[i], slerp->fraction);
  }
}

void pose_blend_plain(const mpak_transform *from, const mpak_transform *to, uint32_t count, const anim_slerp *slerp,
                      mpak_transform *out) {
  for (uint32_t n = 0; n < count; ++n) pose_blend_transform(&from[n], &to[n], slerp, &out[n]);
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
  const anim_slerp slerp = anim_slerp_of(alpha);
  pose_ways_of_processor().blend(from->locals, to->locals, from->pack->node_count, &slerp, out->locals);
  uint64_t weight_count = pose_weight_total(from->pack);
  for (uint64_t w = 0; w < weight_count; ++w) out->weights[w] = pose_lerp(from->weights[w], to->weights[w], alpha);
  mpak_pose_changed(out);
}
