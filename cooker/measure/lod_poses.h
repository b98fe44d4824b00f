/// lod_poses.h: where the vertices of all levels of a scene's meshes are in many poses, for generated levels of detail
/// to be compared with what they stand for.
#ifndef COOK_MEASURE_LOD_POSES_H
#define COOK_MEASURE_LOD_POSES_H

#include "cooker/cook.h"

/// Positions of one mesh in scene space, metres. A pose counts once for each of the first instances that draw the mesh.
typedef struct lod_poses {
  uint32_t pose_count;     ///< the first is the rest
  uint32_t *vertex_counts; ///< by level: of its primitives together
  float (**positions)[3];  ///< by level: pose_count * vertex_count, primitives one behind the other
} lod_poses;

/// Moves the scene, as it is, by the runtime: at rest, with each control at weight 1, and in frames of each clip, as
/// many as a fixed number of vertices allows. Returns an array by mesh.
lod_poses *measure_lod_poses(cook_job *job, cook_scene *scene, const cook_options *options);

#endif
