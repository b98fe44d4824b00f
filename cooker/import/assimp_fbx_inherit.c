#include <math.h>

#include "cooker/import/assimp_fbx_motion.h"

// Rest poses of nodes whose model is known, from the model's own properties: Assimp knows no InheritType. RSrs is a
// plain tree; Rrs takes back the parent's own scale. With RrSs all scales from the root down come before all turns: a
// node below S, turned by R, is R S s in its parent's axes and S^-1 R S s to its parent, as long as the nodes above
// hand down a scale along their own axes, which those with RrSs always do. That is exact at rest, where a node may be
// any matrix; a clip's translation, rotation and scale are the nearest (I041). Not followed, and said so (I042): a
// scale handed down along skewed axes, and one that a clip changes.

#define UNEVEN 1e-5 ///< scales that differ by more are not the same

static bool is_even(const double scale[3]) {
  return fabs(scale[0] - scale[1]) <= UNEVEN * fabs(scale[0]) && fabs(scale[0] - scale[2]) <= UNEVEN * fabs(scale[0]);
}

static bool turns(const fbx_transform *rest) {
  fbx_transform turn = *rest;
  for (int i = 0; i < 3; i++) {
    turn.parts[FBX_TRANSLATION][i] = 0.0;
    turn.parts[FBX_SCALING][i] = 1.0;
  }
  const affine local = fbx_transform_local(&turn, NULL);
  bool does = false;
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++) does = does || (row != column && fabs(local.m[row][column]) > UNEVEN);
  return does;
}

static void report_order_of_scales(const assimp_maker *maker, const cook_clip *clip, uint32_t node) {
  cook_where where = COOK_WHERE;
  where.node = maker->scene->nodes[node].name;
  if (clip != NULL) where.clip = clip->name;
  job_issue(maker->job, MPAK_I042, where);
}

// -- Handing down -----------------------------------------------------------------------------------------------------

/// What a node hands down to its children, from what it gets and its own scale.
static assimp_fbx_scale hand_down(const assimp_fbx_scale *given, const fbx_transform *rest,
                                  const double parent_own[3]) {
  assimp_fbx_scale handed = *given;
  // a turned node of a plain tree skews what it gets, unless that is the same along all axes
  if (rest->inherit == FBX_INHERIT_RSRS && !is_even(given->scale) && turns(rest)) handed.is_skewed = true;
  for (int i = 0; i < 3; i++) {
    if (rest->inherit == FBX_INHERIT_RRS && parent_own != NULL && parent_own[i] != 0.0)
      handed.scale[i] /= parent_own[i];
    handed.scale[i] *= rest->parts[FBX_SCALING][i];
  }
  return handed;
}

const double *assimp_fbx_scale_above(const fbx_transform *rest, const double parent_own[3],
                                     const assimp_fbx_scale *given) {
  if (rest->inherit == FBX_INHERIT_RRS) return parent_own;
  const bool has_order = rest->inherit == FBX_INHERIT_RRSS && !given->is_skewed && !is_even(given->scale);
  return has_order ? given->scale : NULL;
}

assimp_fbx_scale *assimp_fbx_scales(const assimp_maker *maker, const fbx_transform *rests) {
  const uint32_t count = maker->scene->node_count;
  assimp_fbx_scale *given = JOB_ARRAY(maker->job, assimp_fbx_scale, count),
                   *handed = JOB_ARRAY(maker->job, assimp_fbx_scale, count);
  for (uint32_t i = 0; i < count; i++) { // parents come before their children
    const uint32_t parent = maker->scene->nodes[i].parent;
    const bool has_parent = assimp_fbx_model(maker, parent) != FBX_NONE;
    given[i] = handed[i] = has_parent ? handed[parent] : (assimp_fbx_scale){.scale = {1, 1, 1}};
    if (assimp_fbx_model(maker, i) != FBX_NONE)
      handed[i] = hand_down(&given[i], &rests[i], has_parent ? rests[parent].parts[FBX_SCALING] : NULL);
  }
  return given;
}

void assimp_fbx_rest_poses(const assimp_maker *maker) {
  if (maker->facts == NULL) return;
  const fbx_transform *rests = assimp_fbx_rests(maker);
  const assimp_fbx_scale *given = assimp_fbx_scales(maker, rests);
  for (uint32_t i = 0; i < maker->scene->node_count; i++) {
    if (assimp_fbx_model(maker, i) == FBX_NONE) continue;
    const uint32_t parent = maker->scene->nodes[i].parent;
    const double *own = assimp_fbx_model(maker, parent) == FBX_NONE ? NULL : rests[parent].parts[FBX_SCALING];
    const affine local = fbx_transform_local(&rests[i], assimp_fbx_scale_above(&rests[i], own, &given[i]));
    const affine ours = assimp_convert_transform(maker, local);
    assimp_store_rest(&ours, &maker->scene->nodes[i]);
    if (rests[i].inherit == FBX_INHERIT_RRSS && given[i].is_skewed && turns(&rests[i]))
      report_order_of_scales(maker, NULL, i);
  }
}

// -- Clips ------------------------------------------------------------------------------------------------------------

/// Does a clip give the model a scale that is not the same along all axes, and not the one at rest?
static bool is_scaled_unevenly(const fbx_take *take, uint32_t model, const double rest[3]) {
  const fbx_take_property *property = model == FBX_NONE ? NULL : fbx_take_find(take, model, fbx_part_name(FBX_SCALING));
  for (uint32_t v = 0; property != NULL && v < property->value_count; v++)
    for (int i = 0; i < FBX_COMPONENTS; i++)
      for (uint32_t k = 0; k < property->values[v].curves[i].key_count; k++) {
        double scale[3];
        fbx_take_vector(take, property, rest, property->values[v].curves[i].keys[k].ticks, false, scale);
        const bool is_rest = fabs(scale[0] - rest[0]) + fabs(scale[1] - rest[1]) + fabs(scale[2] - rest[2]) <= UNEVEN;
        if (!is_rest && !is_even(scale)) return true;
      }
  return false;
}

void assimp_fbx_check_scale_order(const assimp_maker *maker, const assimp_rig *rig, const fbx_take *take,
                                  const cook_clip *clip) {
  if (rig == NULL || take == NULL) return;
  const uint32_t count = maker->scene->node_count;
  bool *is_below = JOB_ARRAY(maker->job, bool, count); // an uneven scale, the node's own included
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t parent = maker->scene->nodes[i].parent, model = assimp_fbx_model(maker, i);
    const bool has_scale_above = parent != MPAK_NONE && is_below[parent];
    is_below[i] = has_scale_above || is_scaled_unevenly(take, model, rig->rests[i].parts[FBX_SCALING]);
    if (!has_scale_above || model == FBX_NONE || rig->rests[i].inherit != FBX_INHERIT_RRSS) continue;
    if (turns(&rig->rests[i]) || fbx_take_find(take, model, fbx_part_name(FBX_ROTATION)) != NULL)
      report_order_of_scales(maker, clip, i);
  }
}
