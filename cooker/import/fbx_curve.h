/// fbx_curve.h: the curves of an FBX file between their keys, as the programs that write them draw them.
///
/// A curve is a row of keys in time; each key says how the curve goes on to the next one: it holds, holds the next
/// value, runs straight, or follows a cubic whose slopes the key states or leaves to a rule. What it does before the
/// first key and behind the last one is fbx_extrapolation.h's part. Plain IEEE operations: the same bits on every
/// machine.
#ifndef COOK_FBX_CURVE_H
#define COOK_FBX_CURVE_H

#include "cooker/import/fbx_facts.h"

#define FBX_TICKS_PER_SECOND 46186158000.0

typedef enum fbx_way {
  FBX_WAY_CONSTANT,      ///< holds
  FBX_WAY_CONSTANT_NEXT, ///< has the next key's value at once
  FBX_WAY_LINEAR,
  FBX_WAY_CUBIC, ///< a Bezier curve in time and value
} fbx_way;

/// A key, and the way from it to the next one.
typedef struct fbx_key {
  double ticks; ///< FBX time; whole, and exact in a double for 54 hours
  double value;
  fbx_way way;
  double right_slope;      ///< cubic: in units per second, where the way begins
  double next_left_slope;  ///< and where it ends
  double right_weight;     ///< cubic: how far the inner point of the Bezier curve lies, of the way; 1/3 is plain
  double next_left_weight; ///< the same for the other inner point, from the end
} fbx_key;

typedef enum fbx_beyond_mode {
  FBX_BEYOND_HOLD,
  FBX_BEYOND_REPEAT,
  FBX_BEYOND_MIRROR,    ///< backwards and forwards in turn
  FBX_BEYOND_REPEAT_ON, ///< each time from where the last time ended
  FBX_BEYOND_SLOPE,     ///< on along a straight line
} fbx_beyond_mode;

/// What a curve does beyond its keys, on one side.
typedef struct fbx_beyond {
  fbx_beyond_mode mode;
  double count; ///< of repeats; infinite
  double slope; ///< in units per second
} fbx_beyond;

typedef struct fbx_curve {
  uint32_t key_count; ///< 0: there is no curve
  fbx_key *keys;      ///< times ascend, or are equal
  fbx_beyond before, after;
  bool
      is_guessed; ///< some key has a velocity, or a bias of an automatic slope: left out, no document says what they do
} fbx_curve;

/// Reads an AnimationCurve. Returns false when its arrays do not fit together, a number is not finite or times do not
/// ascend.
bool fbx_curve_read(const fbx_facts *facts, uint32_t object, fbx_curve *curve);

/// The curve's value at a time. is_before: what it comes to just before that time, where it may jump.
double fbx_curve_at(const fbx_curve *curve, double ticks, bool is_before);

/// Does the curve run straight, or hold, from key to key?
bool fbx_curve_is_straight(const fbx_curve *curve);

/// Has the curve one value all the time?
bool fbx_curve_is_constant(const fbx_curve *curve);

#endif
