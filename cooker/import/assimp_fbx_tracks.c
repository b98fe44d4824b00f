#include "cooker/import/assimp_fbx_motion.h"

// Tracks of FBX clips, from the file's own curves: Assimp gives values at keys only, and mixes up layers. A node whose
// model is known gets its tracks here; what Assimp says of it is left alone.

uint32_t assimp_fbx_model(const assimp_maker *maker, uint32_t node) {
  return node == MPAK_NONE ? FBX_NONE : maker->nodes[node].model;
}

fbx_transform *assimp_fbx_rests(const assimp_maker *maker) {
  fbx_transform *rests = JOB_ARRAY(maker->job, fbx_transform, maker->scene->node_count);
  for (uint32_t i = 0; i < maker->scene->node_count; i++)
    if (assimp_fbx_model(maker, i) != FBX_NONE) rests[i] = fbx_transform_read(maker->facts, assimp_fbx_model(maker, i));
  return rests;
}

const assimp_rig *assimp_rig_make(const assimp_maker *maker) {
  if (maker->facts == NULL) return NULL;
  assimp_rig *rig = JOB_ARRAY(maker->job, assimp_rig, 1);
  rig->rests = assimp_fbx_rests(maker);
  rig->given = assimp_fbx_scales(maker, rig->rests);
  rig->keys_left = JOB_ARRAY(maker->job, uint32_t, 1);
  *rig->keys_left = FBX_KEYS_BETWEEN_MAX;
  assimp_fbx_set_bounds(maker, &rig->bounds);
  return rig;
}

// -- Tracks -----------------------------------------------------------------------------------------------------------

fbx_motion assimp_fbx_motion_of(const assimp_maker *maker, const assimp_rig *rig, const assimp_fbx_clip *facts,
                                const assimp_fbx_corners *corners) {
  const double start_s = facts->has_range ? facts->start_s : facts->earliest_key_s - facts->first_key_s;
  return (fbx_motion){.job = maker->job,
                      .corners = corners->ticks,
                      .corner_count = corners->count,
                      .start_ticks = start_s * FBX_TICKS_PER_SECOND,
                      .is_cut = facts->has_range,
                      .stop_ticks = facts->stop_s * FBX_TICKS_PER_SECOND,
                      .keys_left = rig->keys_left};
}

bool assimp_rig_moves(const assimp_maker *maker, const assimp_rig *rig, const fbx_take *take, uint32_t node) {
  if (rig == NULL || take == NULL || assimp_fbx_model(maker, node) == FBX_NONE) return false;
  assimp_fbx_motion motion = assimp_fbx_motion_make(maker, rig, take, node, NULL);
  assimp_fbx_corners corners = {0};
  for (int path = 0; path < 3; path++) {
    motion.path = (mpak_track_path)path;
    assimp_fbx_list_corners(&motion, &corners);
  }
  return corners.count != 0;
}

static void add_path_track(const assimp_fbx_motion *motion, const assimp_fbx_clip *facts, cook_clip *clip,
                           uint32_t *coarse_count) {
  assimp_fbx_corners corners = assimp_fbx_no_corners(facts);
  assimp_fbx_list_corners(motion, &corners);
  if (corners.count == 0) return;
  assimp_fbx_make_room(motion->maker, &corners);
  assimp_fbx_list_corners(motion, &corners);
  fbx_motion keys = assimp_fbx_motion_of(motion->maker, motion->rig, facts, &corners);
  const assimp_fbx_bounds *bounds = &motion->rig->bounds;
  keys.at = assimp_fbx_motion_at;
  keys.user = motion;
  keys.is_turn = motion->path == MPAK_PATH_ROTATION;
  keys.is_straight = assimp_fbx_is_straight(motion);
  keys.width = keys.is_turn ? 4 : 3;
  keys.bound = motion->path == MPAK_PATH_TRANSLATION ? bounds->moves[motion->node] : bounds->turns[motion->node];
  cook_track *track = &clip->tracks[clip->track_count++];
  *track = (cook_track){.node = motion->node, .path = motion->path, .width = keys.width};
  *coarse_count += !fbx_keys_make(&keys, track);
}

void assimp_rig_add_tracks(const assimp_maker *maker, const assimp_rig *rig, const assimp_fbx_clip *facts,
                           const fbx_take *take, cook_clip *clip, uint32_t node, uint32_t *coarse_count) {
  // a node that a clip moves is translation, rotation and scale from the rest pose on
  bool is_sheared = maker->scene->nodes[node].is_matrix;
  maker->scene->nodes[node].is_matrix = false;
  assimp_fbx_motion motion = assimp_fbx_motion_make(maker, rig, take, node, &is_sheared);
  for (int path = 0; path < 3; path++) {
    motion.path = (mpak_track_path)path;
    add_path_track(&motion, facts, clip, coarse_count);
  }
  if (!is_sheared) return;
  cook_where where = COOK_WHERE;
  where.clip = clip->name;
  where.node = maker->scene->nodes[node].name;
  job_issue(maker->job, MPAK_I041, where);
}
