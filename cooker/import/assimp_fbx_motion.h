/// assimp_fbx_motion.h: what a clip of an FBX file does to one node, as a function of time.
#ifndef COOK_ASSIMP_FBX_MOTION_H
#define COOK_ASSIMP_FBX_MOTION_H

#include "cooker/import/assimp_fbx_tracks.h"
#include "cooker/import/fbx_keys.h"

/// How far tracks may be off, by node: 3e-6 of the size of the model, wherever the node stands in it.
typedef struct assimp_fbx_bounds {
  double *moves; ///< of translations, in the unit of the node's parent
  double *turns; ///< of rotations, in radians, and of scales
} assimp_fbx_bounds;

/// assimp_fbx_bounds.c: measures the scene at rest.
void assimp_fbx_set_bounds(const assimp_maker *maker, assimp_fbx_bounds *bounds);

/// The scale that a node gets from those above it, along its parent's axes.
typedef struct assimp_fbx_scale {
  double scale[3];
  bool is_skewed; ///< along other axes than the parent's: scale is not all of it
} assimp_fbx_scale;

/// What the models' properties say, by node.
fbx_transform *assimp_fbx_rests(const assimp_maker *maker);
/// assimp_fbx_inherit.c: what each node gets at rest.
assimp_fbx_scale *assimp_fbx_scales(const assimp_maker *maker, const fbx_transform *rests);
/// What fbx_transform_local must know of the scales above a node; parent_own may be NULL.
const double *assimp_fbx_scale_above(const fbx_transform *rest, const double parent_own[3],
                                     const assimp_fbx_scale *given);

/// What is known of the nodes before any clip.
struct assimp_rig {
  fbx_transform *rests;    ///< by node; only where the model is known
  assimp_fbx_scale *given; ///< by node
  assimp_fbx_bounds bounds;
  uint32_t *keys_left;
};

/// A clip's work on one path of one node.
typedef struct assimp_fbx_motion {
  const assimp_maker *maker;
  const assimp_rig *rig;
  const fbx_take *take;
  uint32_t node;
  fbx_take_parts parts;                  ///< what the clip animates of the node
  const fbx_take_property *parent_scale; ///< and of its parent, where the node takes that back
  mpak_track_path path;
  bool *is_sheared; ///< set when a transform was no translation, rotation and scale
} assimp_fbx_motion;

/// For the node's translation; is_sheared may be NULL where no values are asked for.
assimp_fbx_motion assimp_fbx_motion_make(const assimp_maker *maker, const assimp_rig *rig, const fbx_take *take,
                                         uint32_t node, bool *is_sheared);

/// The value of the path; user is the motion. For fbx_motion.
void assimp_fbx_motion_at(const void *user, double ticks, bool is_before, double *value);

/// Times at which curves may bend or jump, growing; ticks NULL only counts.
typedef struct assimp_fbx_corners {
  double from, to; ///< what is wanted of what lies beyond a curve's keys
  uint32_t count;
  double *ticks;
} assimp_fbx_corners;

/// None yet, for the time that a clip takes.
assimp_fbx_corners assimp_fbx_no_corners(const assimp_fbx_clip *facts);
/// Room for as many as were counted; they are listed anew.
void assimp_fbx_make_room(const assimp_maker *maker, assimp_fbx_corners *corners);

/// assimp_fbx_corners.c: the corners of all curves of a property, and of the weights of their layers.
void assimp_fbx_add_corners(const fbx_take *take, const fbx_take_property *property, assimp_fbx_corners *corners);
/// Those of all curves that move the path of a node.
void assimp_fbx_list_corners(const assimp_fbx_motion *motion, assimp_fbx_corners *corners);
/// Does the path run straight from corner to corner?
bool assimp_fbx_is_straight(const assimp_fbx_motion *motion);
/// Do the numbers of a property run straight from key to key?
bool assimp_fbx_is_straight_property(const fbx_take_property *property);

/// The time line of a clip, for the corners.
fbx_motion assimp_fbx_motion_of(const assimp_maker *maker, const assimp_rig *rig, const assimp_fbx_clip *facts,
                                const assimp_fbx_corners *corners);

#endif
