/// fbx_keys.h: keys for something that moves, as few as stay close to it.
///
/// What moves is known as a function of time and the times at which it may bend or jump. From each key the next one
/// stands as far away as a line, or a cubic, still follows; where not even the way to the next bend can be followed,
/// the way is halved until it can. Whichever of lines and cubics takes fewer numbers is kept. What is straight itself
/// keeps the keys at which it bends. A jump becomes two keys, the first one at the last time before the second that a
/// float can say; something that only jumps becomes a stepped track.
#ifndef COOK_FBX_KEYS_H
#define COOK_FBX_KEYS_H

#include "cooker/base/job.h"
#include "cooker/scene/scene.h"

#define FBX_KEYS_PER_SECOND_MAX 30720.0
#define FBX_KEYS_BETWEEN_MAX    (1u << 22) ///< keys between the corners of all tracks of a file
#define FBX_STRAIGHT_SHARE      0.01       ///< of the bound: how far keys may be off where the motion is straight

typedef struct fbx_motion {
  cook_job *job;
  void (*at)(const void *user, double ticks, bool is_before, double *value);
  const void *user;
  uint32_t width;
  bool is_turn;     ///< values are unit quaternions
  bool is_straight; ///< between corners: lines, or turns about one axis at one rate
  double bound;     ///< how far keys may be off: in the value's unit, or radians for turns
  double *corners;  ///< ticks at which it may bend or jump, in any order, repeats allowed; is sorted
  uint32_t corner_count;
  double start_ticks; ///< what becomes 0 seconds
  bool is_cut;        ///< nothing before start_ticks and behind stop_ticks is wanted
  double stop_ticks;
  uint32_t *keys_left; ///< how many keys between corners may still be made; shared by many motions, counted down
} fbx_motion;

/// Makes the times, values and interpolation of the track; its node, path and width are the caller's. Returns false
/// when keys at FBX_KEYS_PER_SECOND_MAX do not suffice, or none are left.
bool fbx_keys_make(fbx_motion *motion, cook_track *track);

/// Spherical interpolation of unit quaternions, the short way. weight 0 to 1.
void fbx_keys_slerp(const double a[4], const double b[4], double weight, double result[4]);

#endif
