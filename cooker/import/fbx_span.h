/// fbx_span.h: one piece of a motion, drawn as a straight line or as a cubic between its two ends.
///
/// The cubic is the one that meets the motion at its ends and at both thirds between them: exact where the motion is a
/// cubic itself, and a few times closer elsewhere than one with the motion's slopes at the ends would be.
#ifndef COOK_FBX_SPAN_H
#define COOK_FBX_SPAN_H

#include "cooker/import/fbx_keys.h"

typedef struct fbx_span {
  const fbx_motion *motion;
  bool is_cubic;
  double from, to; ///< ticks
  double *first;   ///< value at from; given
  double *last;    ///< value just before to; of the same sign as first for turns
  double *leave;   ///< cubic: slope at from, times the span's length
  double *arrive;  ///< and at to
  double *found, *drawn;
} fbx_span;

/// Room for the values of spans of a motion.
fbx_span fbx_span_make(const fbx_motion *motion, bool is_cubic);

/// Puts a span between two times; first is there already.
void fbx_span_put(fbx_span *span, double from, double to);

/// Is the span as close to the motion as it must be? pieces: times at which the motion may bend, from and to included;
/// piece_count + 1 of them. Looks at these times and at some in every piece.
bool fbx_span_fits(const fbx_span *span, const double *pieces, uint32_t piece_count);

/// How far two values are apart: the largest component, or the angle between two turns.
double fbx_span_distance(const fbx_motion *motion, const double *a, const double *b);

/// How far keys of the motion may be off.
double fbx_span_bound(const fbx_motion *motion);

#endif
