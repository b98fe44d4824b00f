#include "cooker/import/fbx_span.h"

#include <math.h>
#include <string.h>

#define SLERP_HALVINGS 40 ///< bits of the weight that are used; beyond them a float sees no difference
#define PROBE_COUNT    4

/// Halving the arc is exact (the sum of two unit quaternions, normalised), and the weight's bits say which half to go
/// on with.
void fbx_keys_slerp(const double a[4], const double b[4], double weight, double result[4]) {
  double low[4], high[4], dot = 0.0;
  for (int i = 0; i < 4; i++) dot += a[i] * b[i];
  for (int i = 0; i < 4; i++) {
    low[i] = a[i];
    high[i] = dot < 0.0 ? -b[i] : b[i];
  }
  double from = 0.0, to = 1.0;
  for (int step = 0; step < SLERP_HALVINGS && weight > from && weight < to; step++) {
    double middle[4], length = 0.0;
    for (int i = 0; i < 4; i++) {
      middle[i] = low[i] + high[i];
      length += middle[i] * middle[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 4 && length > 0.0; i++) middle[i] /= length;
    const double half = (from + to) / 2;
    const bool is_upper = weight >= half;
    memcpy(is_upper ? low : high, middle, sizeof middle);
    *(is_upper ? &from : &to) = half;
  }
  memcpy(result, weight >= to ? high : low, sizeof low);
}

double fbx_span_distance(const fbx_motion *motion, const double *a, const double *b) {
  double dot = 0.0, sum = 0.0, largest = 0.0;
  for (uint32_t i = 0; motion->is_turn && i < motion->width; i++) dot += a[i] * b[i];
  for (uint32_t i = 0; i < motion->width; i++) {
    const double difference = fabs(dot < 0.0 ? a[i] + b[i] : a[i] - b[i]);
    sum += difference * difference;
    if (!(difference <= largest)) largest = difference;
  }
  return motion->is_turn ? 2.0 * sqrt(sum) : largest;
}

double fbx_span_bound(const fbx_motion *motion) {
  return (motion->is_straight ? FBX_STRAIGHT_SHARE : 1.0) * motion->bound;
}

fbx_span fbx_span_make(const fbx_motion *motion, bool is_cubic) {
  const uint32_t width = motion->width;
  double *room = JOB_ARRAY(motion->job, double, 6ull * width);
  fbx_span span = {.motion = motion, .is_cubic = is_cubic, .first = room};
  span.last = span.first + width;
  span.leave = span.last + width;
  span.arrive = span.leave + width;
  span.found = span.arrive + width;
  span.drawn = span.found + width;
  return span;
}

/// A quaternion and its negative are one turn: takes the one that is closer to another.
static void take_sign(const fbx_motion *motion, const double *of, double *value) {
  double dot = 0.0;
  for (uint32_t i = 0; motion->is_turn && i < motion->width; i++) dot += of[i] * value[i];
  for (uint32_t i = 0; dot < 0.0 && i < motion->width; i++) value[i] = -value[i];
}

void fbx_span_put(fbx_span *span, double from, double to) {
  const fbx_motion *motion = span->motion;
  span->from = from;
  span->to = to;
  motion->at(motion->user, to, true, span->last);
  if (!span->is_cubic) {
    take_sign(motion, span->first, span->last);
    return;
  }
  double *third = span->found, *two_thirds = span->drawn;
  motion->at(motion->user, from + (to - from) / 3.0, false, third);
  motion->at(motion->user, from + (to - from) * 2.0 / 3.0, false, two_thirds);
  take_sign(motion, span->first, third);
  take_sign(motion, third, two_thirds);
  take_sign(motion, two_thirds, span->last);
  for (uint32_t i = 0; i < motion->width; i++) {
    const double a = span->first[i], b = third[i], c = two_thirds[i], d = span->last[i];
    span->leave[i] = (-11.0 * a + 18.0 * b - 9.0 * c + 2.0 * d) / 2.0;
    span->arrive[i] = (-2.0 * a + 9.0 * b - 18.0 * c + 11.0 * d) / 2.0;
  }
}

/// The span's own value at a share of its length, as glTF's CUBICSPLINE and LINEAR have it.
static void span_draw(const fbx_span *span, double s, double *drawn) {
  const fbx_motion *motion = span->motion;
  if (!span->is_cubic && motion->is_turn) {
    fbx_keys_slerp(span->first, span->last, s, drawn);
    return;
  }
  double sum = 0.0;
  for (uint32_t i = 0; i < motion->width; i++) {
    const double a = span->first[i], d = span->last[i];
    drawn[i] = a + s * (d - a);
    if (!span->is_cubic) continue;
    drawn[i] = (2 * s - 3) * s * s * (a - d) + a + (s - 1) * s * ((s - 1) * span->leave[i] + s * span->arrive[i]);
    sum += drawn[i] * drawn[i];
  }
  for (uint32_t i = 0; motion->is_turn && sum > 0.0 && i < motion->width; i++) drawn[i] /= sqrt(sum);
}

static bool fits_at(const fbx_span *span, double ticks) {
  const fbx_motion *motion = span->motion;
  motion->at(motion->user, ticks, false, span->found);
  span_draw(span, (ticks - span->from) / (span->to - span->from), span->drawn);
  return fbx_span_distance(motion, span->found, span->drawn) <= fbx_span_bound(motion);
}

bool fbx_span_fits(const fbx_span *span, const double *pieces, uint32_t piece_count) {
  // where lines and cubics are farthest off; and one place where no whole number of turns looks like rest
  static const double line_places[PROBE_COUNT] = {0.5, 0.25, 0.75, 49.0 / 128};
  static const double cubic_places[PROBE_COUNT] = {0.5, 0.125, 0.875, 49.0 / 128};
  const double *places = span->is_cubic ? cubic_places : line_places;
  for (uint32_t p = 0; p < piece_count; p++) {
    if (p > 0 && !fits_at(span, pieces[p])) return false;
    for (int i = 0; i < PROBE_COUNT; i++)
      if (!fits_at(span, pieces[p] + places[i] * (pieces[p + 1] - pieces[p]))) return false;
  }
  return true;
}
