#include "cooker/import/assimp_fbx_motion.h"

#define WEIGHT_BOUND 3e-6

/// A clip's work on the controls of one mesh.
typedef struct weight_motion {
  const fbx_take *take;
  uint32_t count;
  const uint32_t *channels; ///< by control
  const double *defaults;   ///< by control, in percent
  const fbx_take_property **properties;
} weight_motion;

static const char weight_property[] = "DeformPercent";

static void weight_value(const void *user, double ticks, bool is_before, double *value) {
  const weight_motion *motion = user;
  for (uint32_t c = 0; c < motion->count; c++) {
    const double base[FBX_COMPONENTS] = {motion->defaults[c], 0, 0};
    double found[FBX_COMPONENTS];
    fbx_take_vector(motion->take, motion->properties[c], base, ticks, is_before, found);
    value[c] = found[0] / 100;
  }
}

static bool is_listed(const uint32_t *channels, uint32_t count, uint32_t channel) {
  for (uint32_t c = 0; c < count; c++)
    if (channels[c] == channel) return true;
  return false;
}

/// Channels of the controls of a mesh, in the order of their first shapes; NULL when they are not as many.
static uint32_t *channels_of(const assimp_maker *maker, const assimp_group *group, uint32_t control_count) {
  uint32_t *channels = JOB_ARRAY(maker->job, uint32_t, control_count), count = 0;
  for (uint32_t s = 0; s < group->shape_count; s++) {
    if (is_listed(channels, count, group->shapes[s].channel)) continue;
    if (count == control_count) return NULL;
    channels[count++] = group->shapes[s].channel;
  }
  return count == control_count ? channels : NULL;
}

bool assimp_rig_add_weights(const assimp_maker *maker, const assimp_rig *rig, const assimp_fbx_clip *facts,
                            const fbx_take *take, cook_clip *clip, uint32_t node, uint32_t *coarse_count) {
  const cook_mesh *mesh = &maker->scene->meshes[maker->scene->nodes[node].mesh];
  const uint32_t count = mesh->control_count;
  weight_motion motion = {.take = take, .count = count};
  motion.channels = channels_of(maker, &maker->groups[maker->group_of_node[node]], count);
  if (motion.channels == NULL || count == 0) return false;
  double *defaults = JOB_ARRAY(maker->job, double, count);
  motion.defaults = defaults;
  motion.properties = JOB_ARRAY(maker->job, const fbx_take_property *, count);
  assimp_fbx_corners corners = assimp_fbx_no_corners(facts);
  bool is_straight = true;
  for (uint32_t c = 0; c < count; c++) {
    fbx_number(maker->facts, motion.channels[c], weight_property, &defaults[c]);
    motion.properties[c] = fbx_take_find(take, motion.channels[c], weight_property);
    assimp_fbx_add_corners(take, motion.properties[c], &corners);
    is_straight =
        is_straight && (motion.properties[c] == NULL || assimp_fbx_is_straight_property(motion.properties[c]));
  }
  if (corners.count == 0) return true;
  assimp_fbx_make_room(maker, &corners);
  for (uint32_t c = 0; c < count; c++) assimp_fbx_add_corners(take, motion.properties[c], &corners);
  fbx_motion keys = assimp_fbx_motion_of(maker, rig, facts, &corners);
  keys.at = weight_value;
  keys.user = &motion;
  keys.width = count;
  keys.is_straight = is_straight;
  keys.bound = WEIGHT_BOUND;
  cook_track *track = &clip->tracks[clip->track_count++];
  *track = (cook_track){.node = node, .path = MPAK_PATH_WEIGHTS, .width = count};
  *coarse_count += !fbx_keys_make(&keys, track);
  return true;
}
