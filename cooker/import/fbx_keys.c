#include "cooker/import/fbx_keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/import/fbx_curve.h"
#include "format/bytes.h"

#define SLERP_HALVINGS 40 ///< bits of the weight that are used; beyond them a float sees no difference
#define SPANS_MAX      64 ///< halvings of a double
#define SAME           1e-9
#define PROBE_COUNT    3

// -- Interpolation ----------------------------------------------------------------------------------------------------

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

/// How far two values are apart: the largest component, or the angle between two turns.
static double keys_distance(const fbx_motion *motion, const double *a, const double *b) {
  double dot = 0.0, sum = 0.0, largest = 0.0;
  for (uint32_t i = 0; motion->is_turn && i < motion->width; i++) dot += a[i] * b[i];
  for (uint32_t i = 0; i < motion->width; i++) {
    const double difference = fabs(dot < 0.0 ? a[i] + b[i] : a[i] - b[i]);
    sum += difference * difference;
    if (!(difference <= largest)) largest = difference;
  }
  return motion->is_turn ? 2.0 * sqrt(sum) : largest;
}

// -- A growing row of keys --------------------------------------------------------------------------------------------

typedef struct keys_work {
  const fbx_motion *motion;
  uint32_t count, capacity;
  float *times;
  double *values;
  bool moves;   ///< between corners
  bool jumps;   ///< at a corner
  bool is_fine; ///< no way had to be left too coarse
  double *room; ///< values of SPANS_MAX parts of a way
  double *here, *middle, *probe, *line;
} keys_work;

static float keys_seconds(const fbx_motion *motion, double ticks) {
  return (float)((ticks - motion->start_ticks) / FBX_TICKS_PER_SECOND);
}

static void keys_grow(keys_work *work) {
  cook_job *job = work->motion->job;
  const uint32_t capacity = work->capacity == 0 ? 64 : work->capacity * 2, width = work->motion->width;
  float *times = JOB_ARRAY(job, float, capacity);
  double *values = JOB_ARRAY(job, double, (uint64_t)capacity *width);
  if (work->count != 0) {
    memcpy(times, work->times, work->count * sizeof *times);
    memcpy(values, work->values, (size_t)work->count * width * sizeof *values);
  }
  work->times = times;
  work->values = values;
  work->capacity = capacity;
}

/// Appends a key; one at the same time as the last one takes its place.
static void keys_append(keys_work *work, float time, const double *value) {
  const uint32_t width = work->motion->width;
  if (work->count != 0 && time <= work->times[work->count - 1]) work->count--;
  if (work->count == work->capacity) keys_grow(work);
  double *stored = work->values + (size_t)work->count * width;
  memcpy(stored, value, width * sizeof *value);
  double dot = 0.0;
  for (uint32_t i = 0; work->motion->is_turn && work->count != 0 && i < width; i++)
    dot += stored[i] * stored[(int64_t)i - width];
  for (uint32_t i = 0; dot < 0.0 && i < width; i++) stored[i] = -stored[i]; // the short way between the two
  work->times[work->count++] = time;
}

// -- Ways between corners ---------------------------------------------------------------------------------------------

/// A part of a way, with the values at its ends.
typedef struct keys_span {
  double from, to;
  const double *first, *last;
} keys_span;

/// Does a straight line follow the motion? Looks in the middle (which is returned) and at both quarters.
static bool keys_fit(const keys_work *work, const keys_span *span, double *middle, double *probe, double *line) {
  static const double places[PROBE_COUNT] = {0.5, 0.25, 0.75};
  const fbx_motion *motion = work->motion;
  for (int p = 0; p < PROBE_COUNT; p++) {
    double *found = p == 0 ? middle : probe;
    motion->at(motion->user, span->from + places[p] * (span->to - span->from), false, found);
    if (motion->is_turn)
      fbx_keys_slerp(span->first, span->last, places[p], line);
    else
      for (uint32_t i = 0; i < motion->width; i++)
        line[i] = span->first[i] + places[p] * (span->last[i] - span->first[i]);
    if (keys_distance(motion, found, line) > motion->bound) return false;
  }
  return true;
}

/// Keys between two corners, the ends left out. Parts of the way wait in a row, the next one last.
static void fill_way(keys_work *work, double from, double to, const double *first, const double *last) {
  const fbx_motion *motion = work->motion;
  const uint32_t width = motion->width;
  const double shortest = FBX_TICKS_PER_SECOND / FBX_KEYS_PER_SECOND_MAX;
  double ends[SPANS_MAX]; // where the parts end; their values stand in room
  uint32_t waiting = 1;
  const uint32_t cost = 1 + width / 8; // a key of many weights takes the room of many keys
  ends[0] = to;
  memcpy(work->room, last, width * sizeof *last);
  memcpy(work->here, first, width * sizeof *first);
  while (waiting != 0) {
    const keys_span span = {from, ends[waiting - 1], work->here, work->room + (size_t)(waiting - 1) * width};
    const bool fits = keys_fit(work, &span, work->middle, work->probe, work->line);
    if (!fits && span.to - span.from > shortest && waiting < SPANS_MAX && *motion->keys_left >= cost) {
      *motion->keys_left -= cost;
      ends[waiting] = span.from + 0.5 * (span.to - span.from);
      memcpy(work->room + (size_t)waiting * width, work->middle, width * sizeof *work->middle);
      waiting++;
      continue;
    }
    work->is_fine = work->is_fine && fits;
    from = span.to;
    memcpy(work->here, span.last, width * sizeof *work->here);
    if (--waiting != 0) keys_append(work, keys_seconds(motion, from), work->here);
  }
}

/// Are two values the same, up to rounding?
static bool is_same_value(const fbx_motion *motion, const double *a, const double *b) {
  double size = 1.0;
  for (uint32_t i = 0; i < motion->width; i++)
    if (fabs(a[i]) > size) size = fabs(a[i]);
  return keys_distance(motion, a, b) <= SAME * size;
}

// -- Corners ----------------------------------------------------------------------------------------------------------

static int compare_ticks(const void *a, const void *b) {
  const double left = *(const double *)a, right = *(const double *)b;
  return left < right ? -1 : left > right;
}

/// Sorts the corners, drops repeats and those that are not wanted. Where some were dropped, the cut is a corner.
static void tidy_corners(fbx_motion *motion) {
  double *corners = motion->corners;
  uint32_t kept = 0;
  qsort(corners, motion->corner_count, sizeof *corners, compare_ticks);
  const bool has_stop = motion->is_cut && motion->stop_ticks > motion->start_ticks;
  for (uint32_t c = 0; c < motion->corner_count; c++) {
    double ticks = corners[c];
    if (motion->is_cut && ticks < motion->start_ticks) ticks = motion->start_ticks;
    if (has_stop && ticks > motion->stop_ticks) ticks = motion->stop_ticks;
    if (kept == 0 || ticks > corners[kept - 1]) corners[kept++] = ticks;
  }
  motion->corner_count = kept;
}

/// The largest float below this one.
static float float_before(float time) {
  const uint32_t bits = bytes_bits_of_float(time);
  if (time > 0.0f) return bytes_float_of_bits(bits - 1);
  return time < 0.0f ? bytes_float_of_bits(bits + 1) : bytes_float_of_bits(0x80000001u);
}

/// From one corner to the next: keys between, then the corner, which may be a jump.
static void keys_go_on(keys_work *work, double from, double to, double *value, double *arrived, double *next) {
  const fbx_motion *motion = work->motion;
  motion->at(motion->user, to, true, arrived);
  motion->at(motion->user, to, false, next);
  fill_way(work, from, to, value, arrived);
  motion->at(motion->user, from + 0.5 * (to - from), false, work->middle);
  if (!is_same_value(motion, value, arrived) || !is_same_value(motion, value, work->middle)) work->moves = true;
  const float time = keys_seconds(motion, to), just_before = float_before(time);
  if (!is_same_value(motion, arrived, next)) {
    work->jumps = true;
    if (just_before > work->times[work->count - 1]) keys_append(work, just_before, arrived);
  }
  keys_append(work, time, next);
}

/// What only jumps: a key at each corner.
static void make_stepped(keys_work *work) {
  const fbx_motion *motion = work->motion;
  work->count = 0;
  for (uint32_t c = 0; c < motion->corner_count; c++) {
    motion->at(motion->user, motion->corners[c], false, work->middle);
    keys_append(work, keys_seconds(motion, motion->corners[c]), work->middle);
  }
}

static void keys_store(const keys_work *work, cook_track *track) {
  track->interpolation = work->jumps && !work->moves ? MPAK_STEP : MPAK_LINEAR;
  track->key_count = work->jumps || work->moves || work->count == 0 ? work->count : 1; // what stays needs one key
  track->value_count = (uint64_t)track->key_count * work->motion->width;
  track->times = work->times;
  track->values = JOB_ARRAY(work->motion->job, float, track->value_count);
  for (uint64_t i = 0; i < track->value_count; i++) track->values[i] = (float)work->values[i];
}

bool fbx_keys_make(fbx_motion *motion, cook_track *track) {
  keys_work work = {.motion = motion, .is_fine = true};
  const uint32_t width = motion->width;
  tidy_corners(motion);
  double *room = JOB_ARRAY(motion->job, double, (SPANS_MAX + 7ull) * width);
  work.room = room;
  work.here = room + (size_t)SPANS_MAX * width;
  work.middle = work.here + width;
  work.probe = work.middle + width;
  work.line = work.probe + width;
  double *value = work.line + width, *arrived = value + width, *next = arrived + width;
  for (uint32_t c = 0; c < motion->corner_count; c++) {
    if (c == 0) {
      motion->at(motion->user, motion->corners[0], false, next);
      keys_append(&work, keys_seconds(motion, motion->corners[0]), next);
    } else {
      keys_go_on(&work, motion->corners[c - 1], motion->corners[c], value, arrived, next);
    }
    memcpy(value, next, width * sizeof *value);
  }
  if (work.jumps && !work.moves) make_stepped(&work);
  keys_store(&work, track);
  return work.is_fine;
}
