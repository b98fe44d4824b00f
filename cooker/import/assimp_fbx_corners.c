#include "cooker/import/assimp_fbx_motion.h"
#include "cooker/import/fbx_extrapolation.h"

// -- What bends a path ------------------------------------------------------------------------------------------------

assimp_fbx_corners assimp_fbx_no_corners(const assimp_fbx_clip *facts) {
  const bool has_stop = facts->has_range && facts->stop_s > facts->start_s;
  return (assimp_fbx_corners){.from =
                                  (facts->has_range ? facts->start_s : facts->earliest_key_s) * FBX_TICKS_PER_SECOND,
                              .to = (has_stop ? facts->stop_s : facts->latest_key_s) * FBX_TICKS_PER_SECOND};
}

void assimp_fbx_make_room(const assimp_maker *maker, assimp_fbx_corners *corners) {
  corners->ticks = JOB_ARRAY(maker->job, double, corners->count);
  corners->count = 0;
}

static void add_curve_corners(const fbx_curve *curve, assimp_fbx_corners *corners) {
  for (uint32_t k = 0; k < curve->key_count; k++, corners->count++)
    if (corners->ticks != NULL) corners->ticks[corners->count] = curve->keys[k].ticks;
  double *ticks = corners->ticks == NULL ? NULL : corners->ticks + corners->count;
  corners->count += fbx_extrapolation_corners(curve, corners->from, corners->to, ticks);
}

void assimp_fbx_add_corners(const fbx_take *take, const fbx_take_property *property, assimp_fbx_corners *corners) {
  for (uint32_t v = 0; property != NULL && v < property->value_count; v++) {
    for (int i = 0; i < FBX_COMPONENTS; i++) add_curve_corners(&property->values[v].curves[i], corners);
    add_curve_corners(&take->layers[property->values[v].layer].weight_curve, corners);
  }
}

static bool is_part_used(const assimp_fbx_motion *motion, fbx_part part) {
  const double *rest = motion->rig->rests[motion->node].parts[part];
  return rest[0] != 0.0 || rest[1] != 0.0 || rest[2] != 0.0 || motion->parts.properties[part] != NULL;
}

static bool has_pivot(const assimp_fbx_motion *motion) {
  return is_part_used(motion, FBX_ROTATION_PIVOT) || is_part_used(motion, FBX_SCALING_PIVOT) ||
         is_part_used(motion, FBX_SCALING_OFFSET);
}

/// Do scales above the node mix its turns with its scale in this clip?
static bool is_compensated(const assimp_fbx_motion *motion) {
  const uint32_t parent = motion->maker->scene->nodes[motion->node].parent;
  if (assimp_fbx_model(motion->maker, parent) == FBX_NONE) return false;
  const fbx_transform *rest = &motion->rig->rests[motion->node];
  const double *own = motion->rig->rests[parent].parts[FBX_SCALING];
  const double *scale = assimp_fbx_scale_above(rest, own, &motion->rig->given[motion->node]);
  return scale != NULL && (scale[0] != 1.0 || scale[1] != 1.0 || scale[2] != 1.0 || motion->parent_scale != NULL);
}

/// Which parts move a path of the node's transform. Pivots let rotation and scale move the translation.
static bool moves_path(const assimp_fbx_motion *motion, fbx_part part) {
  const bool turns = part == FBX_ROTATION || part == FBX_PRE_ROTATION || part == FBX_POST_ROTATION;
  const bool scales = part == FBX_SCALING;
  switch (motion->path) {
  case MPAK_PATH_TRANSLATION: return has_pivot(motion) || (!turns && !scales);
  case MPAK_PATH_ROTATION: return turns || (scales && is_compensated(motion));
  default: return scales || (turns && is_compensated(motion));
  }
}

void assimp_fbx_list_corners(const assimp_fbx_motion *motion, assimp_fbx_corners *corners) {
  for (int part = 0; part < FBX_PART_COUNT; part++)
    if (motion->parts.properties[part] != NULL && moves_path(motion, (fbx_part)part))
      assimp_fbx_add_corners(motion->take, motion->parts.properties[part], corners);
  if (motion->parent_scale != NULL && (motion->path != MPAK_PATH_TRANSLATION || has_pivot(motion)))
    assimp_fbx_add_corners(motion->take, motion->parent_scale, corners);
}

// -- What does not ----------------------------------------------------------------------------------------------------

bool assimp_fbx_is_straight_property(const fbx_take_property *property) {
  if (property->value_count != 1 || property->values[0].layer != 0) return false;
  for (int i = 0; i < FBX_COMPONENTS; i++)
    if (!fbx_curve_is_straight(&property->values[0].curves[i])) return false;
  return true;
}

/// How many of the three numbers of a property change.
static int changing_count(const fbx_take_property *property) {
  int count = 0;
  for (int i = 0; i < FBX_COMPONENTS; i++) count += !fbx_curve_is_constant(&property->values[0].curves[i]);
  return count;
}

/// Of the parts that move the path, only its own may be animated, by one layer, along lines; of a rotation's three
/// angles only one may change.
bool assimp_fbx_is_straight(const assimp_fbx_motion *motion) {
  const fbx_part own = motion->path == MPAK_PATH_TRANSLATION ? FBX_TRANSLATION
                       : motion->path == MPAK_PATH_ROTATION  ? FBX_ROTATION
                                                             : FBX_SCALING;
  if (motion->parent_scale != NULL) return false;
  for (int part = 0; part < FBX_PART_COUNT; part++) {
    const fbx_take_property *property = motion->parts.properties[part];
    if (property == NULL || !moves_path(motion, (fbx_part)part)) continue;
    if ((fbx_part)part != own || !assimp_fbx_is_straight_property(property)) return false;
    if (own == FBX_ROTATION && changing_count(property) > 1) return false;
  }
  return true;
}
