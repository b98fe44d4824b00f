#include <math.h>

#include "cooker/import/assimp_fbx_tracks.h"

// Rest poses of nodes with an InheritType that plain trees of transforms do not have.

#define UNEVEN 1e-5 ///< scales that differ by more are not the same

static bool is_one(const double scale[3]) { return scale[0] == 1.0 && scale[1] == 1.0 && scale[2] == 1.0; }

/// A node that does not take its parent's scale, which Assimp does not know of.
static void compensate_rest(const assimp_maker *maker, const fbx_transform *rest, const double scale[3],
                            cook_node *node) {
  const affine local = assimp_convert_transform(maker, fbx_transform_local(rest, scale));
  assimp_store_rest(&local, node);
}

static bool is_even(const double scale[3]) {
  return fabs(scale[0] - scale[1]) <= UNEVEN * fabs(scale[0]) && fabs(scale[0] - scale[2]) <= UNEVEN * fabs(scale[0]);
}

/// RrSs: scales come before rotations all the way down. A plain tree does the same unless a node is turned below a
/// scale that is not the same along all axes.
static void report_order_of_scales(const assimp_maker *maker, const fbx_transform *rest, const double scale[3],
                                   uint32_t node) {
  fbx_transform turn = *rest;
  for (int i = 0; i < 3; i++) {
    turn.parts[FBX_TRANSLATION][i] = 0.0;
    turn.parts[FBX_SCALING][i] = 1.0;
  }
  const affine local = fbx_transform_local(&turn, NULL);
  bool turns = false;
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++) turns = turns || (row != column && fabs(local.m[row][column]) > UNEVEN);
  if (!turns || is_even(scale)) return;
  cook_where where = COOK_WHERE;
  where.node = maker->scene->nodes[node].name;
  job_issue(maker->job, MPAK_I042, where);
}

void assimp_fbx_compensate_rests(const assimp_maker *maker) {
  for (uint32_t i = 0; maker->facts != NULL && i < maker->scene->node_count; i++) {
    const uint32_t model = assimp_fbx_model(maker, i), parent = assimp_fbx_model(maker, maker->scene->nodes[i].parent);
    if (model == FBX_NONE || parent == FBX_NONE) continue;
    double scale[3] = {1, 1, 1};
    fbx_property_vector(maker->facts, parent, fbx_part_name(FBX_SCALING), scale);
    if (is_one(scale)) continue;
    const fbx_transform rest = fbx_transform_read(maker->facts, model);
    if (rest.inherit == FBX_INHERIT_RRSS) report_order_of_scales(maker, &rest, scale, i);
    if (rest.inherit == FBX_INHERIT_RRS) compensate_rest(maker, &rest, scale, &maker->scene->nodes[i]);
  }
}
