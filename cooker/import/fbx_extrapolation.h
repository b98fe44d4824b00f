/// fbx_extrapolation.h: what the curves of an FBX file do before their first key and behind their last one.
///
/// They hold, unless the records Pre-Extrapolation and Post-Extrapolation say otherwise: all keys again and again, as
/// they are, forwards and backwards in turn, or each time from where the last time ended; or on along a straight line.
/// What repeats may do so a stated number of times, and holds then.
#ifndef COOK_FBX_EXTRAPOLATION_H
#define COOK_FBX_EXTRAPOLATION_H

#include "cooker/import/fbx_curve.h"

#define FBX_REPEATED_KEYS_MAX (1u << 20) ///< of one curve; bends behind them are not listed

/// Reads the two records of a curve whose keys are known. What is not known, or damaged, holds.
void fbx_extrapolation_read(const fbx_facts *facts, uint32_t object, fbx_curve *curve);

/// Where a curve's value is found among its keys.
typedef struct fbx_place {
  double ticks;
  bool is_before;
  double offset; ///< is added to the value there
} fbx_place;

/// The place for a time beyond the keys; for other times, and where the curve holds, the time itself. Behind the last
/// key the first repeat begins one tick late: the last key's time still has the last key's value.
fbx_place fbx_extrapolation_place(const fbx_curve *curve, double ticks, bool is_before);

/// Times beyond the keys, from `from` to `to`, at which the curve may bend or jump, these two included; ticks NULL only
/// counts. Returns how many.
uint32_t fbx_extrapolation_corners(const fbx_curve *curve, double from, double to, double *ticks);

#endif
