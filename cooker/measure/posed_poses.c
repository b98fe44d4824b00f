#include "cooker/measure/posed_poses.h"

#define POSES_OF_A_CLIP 64u ///< more say nothing new

static uint32_t poses_least(uint64_t a, uint64_t b) { return (uint32_t)(a < b ? a : b); }

static void poses_add(posed_poses *poses, posed_pose pose) { poses->poses[poses->count++] = pose; }

/// count moments from a clip's first to its last; a single one stands a third into it, where hardly any key does.
static void poses_add_clip(posed_poses *poses, const mpak_clip *clip, uint32_t number, uint32_t count) {
  const double start_s = (double)clip->start_s, length_s = (double)clip->end_s - start_s;
  for (uint32_t i = 0; i < count; i++) {
    const double share = count == 1 ? 1.0 / 3 : (double)i / (count - 1);
    poses_add(poses, (posed_pose){number, start_s + share * length_s, MPAK_NONE});
  }
}

posed_poses posed_choose(cook_job *job, const mpak_pack *pack, uint64_t vertex_count, uint64_t most_vertices) {
  const uint64_t affordable = most_vertices / (vertex_count == 0 ? 1 : vertex_count);
  const uint64_t for_controls = pack->clip_count == 0 ? affordable : affordable / 3;
  uint32_t control_count = poses_least(pack->control_count, for_controls == 0 ? 1 : for_controls);
  uint32_t clip_poses = 0;
  if (pack->clip_count != 0) {
    const uint64_t left = affordable > control_count ? affordable - control_count : 0;
    clip_poses = poses_least(POSES_OF_A_CLIP, left / pack->clip_count);
    if (clip_poses == 0) clip_poses = 1;
  }
  posed_poses poses = {0};
  poses.poses = JOB_ARRAY(job, posed_pose, 1 + (uint64_t)clip_poses * pack->clip_count + control_count);
  poses_add(&poses, (posed_pose){MPAK_NONE, 0, MPAK_NONE});
  for (uint32_t c = 0; c < pack->clip_count; c++) poses_add_clip(&poses, &pack->clips[c], c, clip_poses);
  for (uint32_t i = 0; i < control_count; i++) {
    const uint64_t control = (uint64_t)i * pack->control_count / control_count;
    poses_add(&poses, (posed_pose){MPAK_NONE, 0, (uint32_t)control});
  }
  return poses;
}
