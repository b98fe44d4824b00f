/// mt_scene.h: test support: a small sound scene, built in a job, that tests spoil or cook.
///
/// With default knobs it holds
///   nodes      0 Root, 1 Hips (under Root), 2 Spine (under Hips), 3 Body (under Root), 4 Hat (under Spine),
///              5 Offstage (a root that is not cooked)
///   meshes     0 Body: two primitives, targets Smile and Blink, default weights; drawn by node 3 with skin 0
///              1 Hat: one primitive without targets and influences; drawn by node 4
///   skins      0 Rig: joints Hips and Spine
///   materials  0 Skin, 1 Felt
///   clips      0 Idle: translation of Hips, rotation and scale of Spine, weights of Body; 1 Wave: rotation of Hips
/// check_scene has nothing to say about it. All arrays are separate and may be changed in place.
#ifndef MT_SCENE_H
#define MT_SCENE_H

#include "cooker/scene/scene.h"
#include "cooker/base/job.h"

enum { MT_ROOT, MT_HIPS, MT_SPINE, MT_BODY, MT_HAT, MT_OFFSTAGE, MT_NODE_COUNT };

/// All zero is the default scene.
typedef struct mt_scene_knobs {
  uint32_t cells;           ///< squares along each side of a primitive; vertices (cells + 1)^2; 0 = 2
  uint32_t primitive_count; ///< of Body; 0 = 2
  uint32_t target_count;    ///< of Body; 0 = 2; names from the third on are "Shape 2", ...
  uint32_t joint_sets;      ///< 1 to 3; 0 = 1
  bool no_targets, no_skin, no_normals, no_tangents, no_clips;
} mt_scene_knobs;

/// knobs NULL: the default scene.
cook_scene *mt_scene_make(cook_job *job, const mt_scene_knobs *knobs);

/// A job whose limits are limits (NULL: the defaults); fails the test when there is none.
cook_job *mt_job(const cook_limits *limits);

#endif
