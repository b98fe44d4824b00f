/// posed_poses.h: which poses are compared.
#ifndef COOK_MEASURE_POSED_POSES_H
#define COOK_MEASURE_POSED_POSES_H

#include "cooker/base/job.h"
#include "runtime/mpak.h"

/// One pose: a moment of a clip, one control at weight 1, or (both MPAK_NONE) the rest.
typedef struct posed_pose {
  uint32_t clip;
  double time_s;
  uint32_t control; ///< into the pack's controls
} posed_pose;

typedef struct posed_poses {
  posed_pose *poses;
  uint32_t count;
} posed_poses;

/// The rest, at least one frame of each clip, at least one control: evenly chosen, as many as most_vertices allows when
/// each pose moves vertex_count of them.
posed_poses posed_choose(cook_job *job, const mpak_pack *pack, uint64_t vertex_count, uint64_t most_vertices);

#endif
