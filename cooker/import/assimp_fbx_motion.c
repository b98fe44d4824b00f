#include "cooker/import/assimp_fbx_motion.h"

#include <math.h>
#include <string.h>

assimp_fbx_motion assimp_fbx_motion_make(const assimp_maker *maker, const assimp_rig *rig, const fbx_take *take,
                                         uint32_t node, bool *is_sheared) {
  assimp_fbx_motion motion = {.maker = maker, .rig = rig, .take = take, .node = node, .is_sheared = is_sheared};
  motion.parts = fbx_take_find_parts(take, assimp_fbx_model(maker, node));
  const uint32_t parent = assimp_fbx_model(maker, maker->scene->nodes[node].parent);
  if (parent != FBX_NONE && rig->rests[node].inherit == FBX_INHERIT_RRS)
    motion.parent_scale = fbx_take_find(take, parent, fbx_part_name(FBX_SCALING));
  return motion;
}

/// What fbx_transform_local must know of the scales above; scale is room for the parent's own.
static const double *scale_above(const assimp_fbx_motion *motion, double ticks, bool is_before, double scale[3]) {
  const fbx_transform *rests = motion->rig->rests, *rest = &rests[motion->node];
  const uint32_t parent = motion->maker->scene->nodes[motion->node].parent;
  if (assimp_fbx_model(motion->maker, parent) == FBX_NONE) return NULL;
  if (rest->inherit == FBX_INHERIT_RRS)
    fbx_take_vector(motion->take, motion->parent_scale, rests[parent].parts[FBX_SCALING], ticks, is_before, scale);
  return assimp_fbx_scale_above(rest, scale, &motion->rig->given[motion->node]);
}

/// The turn of a sheared transform: its axes made upright one after the other, which never jumps.
static void upright_turn(const affine *sheared, affine_parts *parts) {
  double turn[3][3];
  for (int column = 0; column < 3; column++) {
    double axis[3], length = 0.0;
    for (int row = 0; row < 3; row++)
      axis[row] = sheared->m[row][column] * (column == 0 && parts->scale[0] < 0.0 ? -1.0 : 1.0);
    for (int before = 0; before < column; before++) {
      double dot = 0.0;
      for (int row = 0; row < 3; row++) dot += axis[row] * turn[row][before];
      for (int row = 0; row < 3; row++) axis[row] -= dot * turn[row][before];
    }
    for (int row = 0; row < 3; row++) length += axis[row] * axis[row];
    length = sqrt(length);
    for (int row = 0; row < 3; row++)
      turn[row][column] = length > 0.0 ? axis[row] / length : (row == column ? 1.0 : 0.0);
  }
  affine_quaternion_of((const double(*)[3])turn, parts->rotation);
}

static void node_parts(const assimp_fbx_motion *motion, double ticks, bool is_before, affine_parts *parts) {
  const fbx_transform transform =
      fbx_take_transform(motion->take, &motion->parts, &motion->rig->rests[motion->node], ticks, is_before);
  double scale[3];
  const affine local = fbx_transform_local(&transform, scale_above(motion, ticks, is_before, scale));
  const affine ours = assimp_convert_transform(motion->maker, local);
  if (affine_to_parts(ours, parts)) return;
  *motion->is_sheared = true;
  upright_turn(&ours, parts);
}

void assimp_fbx_motion_at(const void *user, double ticks, bool is_before, double *value) {
  const assimp_fbx_motion *motion = user;
  affine_parts parts;
  node_parts(motion, ticks, is_before, &parts);
  const double *found = motion->path == MPAK_PATH_TRANSLATION ? parts.translation
                        : motion->path == MPAK_PATH_ROTATION  ? parts.rotation
                                                              : parts.scale;
  memcpy(value, found, (motion->path == MPAK_PATH_ROTATION ? 4 : 3) * sizeof *value);
}
