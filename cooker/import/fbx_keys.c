#include "cooker/import/fbx_keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/import/fbx_curve.h"
#include "cooker/import/fbx_span.h"
#include "format/bytes.h"

#define WAITING_MAX 64 ///< halvings of a double
#define SAME        1e-9

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

/// What is known of a motion before keys are made.
typedef struct keys_facts {
  bool moves;            ///< between corners
  bool jumps;            ///< at a corner
  bool is_still;         ///< stays within the bound all the time
  bool *is_jump;         ///< by corner
  double *first, *a, *b; ///< the first value, and work space
} keys_facts;

/// Are two values the same, up to rounding?
static bool is_same_value(const fbx_motion *motion, const double *a, const double *b) {
  double size = 1.0;
  for (uint32_t i = 0; i < motion->width; i++)
    if (fabs(a[i]) > size) size = fabs(a[i]);
  return fbx_span_distance(motion, a, b) <= SAME * size;
}

/// Notes what happens between two corners. Looks at places where no whole number of turns looks like rest.
static void look_between(const fbx_motion *motion, double from, double to, keys_facts *facts) {
  static const double places[] = {0.5, 49.0 / 128, 1.0};
  motion->at(motion->user, from, false, facts->a);
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    motion->at(motion->user, places[i] == 1.0 ? to : from + places[i] * (to - from), true, facts->b);
    if (!is_same_value(motion, facts->a, facts->b)) facts->moves = true;
    if (fbx_span_distance(motion, facts->first, facts->b) > fbx_span_bound(motion)) facts->is_still = false;
  }
}

static keys_facts find_facts(const fbx_motion *motion) {
  keys_facts facts = {.is_still = true, .is_jump = JOB_ARRAY(motion->job, bool, motion->corner_count)};
  facts.first = JOB_ARRAY(motion->job, double, 3ull * motion->width);
  facts.a = facts.first + motion->width;
  facts.b = facts.a + motion->width;
  if (motion->corner_count != 0) motion->at(motion->user, motion->corners[0], false, facts.first);
  for (uint32_t c = 1; c < motion->corner_count; c++) {
    look_between(motion, motion->corners[c - 1], motion->corners[c], &facts);
    motion->at(motion->user, motion->corners[c], true, facts.a);
    motion->at(motion->user, motion->corners[c], false, facts.b);
    facts.is_jump[c] = !is_same_value(motion, facts.a, facts.b);
    facts.jumps = facts.jumps || facts.is_jump[c];
    if (fbx_span_distance(motion, facts.first, facts.b) > fbx_span_bound(motion)) facts.is_still = false;
  }
  return facts;
}

// -- A growing row of keys --------------------------------------------------------------------------------------------

typedef struct keys_row {
  const fbx_motion *motion;
  bool is_cubic;
  uint32_t stride; ///< numbers of a key: in-tangent, value, out-tangent for cubics
  uint32_t count, capacity;
  uint64_t most; ///< numbers that are of use; the row is given up beyond
  bool is_fine;  ///< no way had to be left too coarse
  uint32_t keys_left;
  float *times;
  double *values;
  fbx_span span;
} keys_row;

static float keys_seconds(const fbx_motion *motion, double ticks) {
  return (float)((ticks - motion->start_ticks) / FBX_TICKS_PER_SECOND);
}

static keys_row make_row(const fbx_motion *motion, bool is_cubic, uint64_t most) {
  return (keys_row){.motion = motion,
                    .is_cubic = is_cubic,
                    .stride = motion->width * (is_cubic ? 3 : 1),
                    .most = most,
                    .is_fine = true,
                    .keys_left = *motion->keys_left,
                    .span = fbx_span_make(motion, is_cubic)};
}

static uint64_t row_size(const keys_row *row) { return (1ull + row->stride) * row->count; }

static bool is_given_up(const keys_row *row) { return row_size(row) > row->most; }

static void keys_grow(keys_row *row) {
  cook_job *job = row->motion->job;
  const uint32_t capacity = row->capacity == 0 ? 64 : row->capacity * 2;
  float *times = JOB_ARRAY(job, float, capacity);
  double *values = JOB_ARRAY(job, double, (uint64_t)capacity * row->stride);
  if (row->count != 0) {
    memcpy(times, row->times, row->count * sizeof *times);
    memcpy(values, row->values, (size_t)row->count * row->stride * sizeof *values);
  }
  row->times = times;
  row->values = values;
  row->capacity = capacity;
}

/// Appends a key without tangents; one at the same time as the last one takes its value's place.
static void keys_append(keys_row *row, float time, const double *value) {
  const uint32_t width = row->motion->width;
  const bool is_new = row->count == 0 || time > row->times[row->count - 1];
  if (is_new && row->count == row->capacity) keys_grow(row);
  if (is_new) row->count++;
  double *stored = row->values + (size_t)(row->count - 1) * row->stride;
  memcpy(stored + (row->is_cubic ? width : 0), value, width * sizeof *value);
  if (is_new) row->times[row->count - 1] = time;
}

/// Appends the key at the end of the span, which begins at the last key; from there the next span goes on.
static void keys_append_span(keys_row *row) {
  const uint32_t width = row->motion->width, before = row->count - 1;
  keys_append(row, keys_seconds(row->motion, row->span.to), row->span.last);
  if (row->is_cubic && row->count - 1 != before) {
    const double seconds = (double)row->times[row->count - 1] - (double)row->times[before];
    double *left = row->values + (size_t)before * row->stride, *right = left + row->stride;
    for (uint32_t i = 0; i < width; i++) {
      left[2 * width + i] = row->span.leave[i] / seconds;
      right[i] = row->span.arrive[i] / seconds;
    }
  }
  memcpy(row->span.first, row->span.last, width * sizeof *row->span.first);
}

/// The largest float below this one.
static float float_before(float time) {
  const uint32_t bits = bytes_bits_of_float(time);
  if (time > 0.0f) return bytes_float_of_bits(bits - 1);
  return time < 0.0f ? bytes_float_of_bits(bits + 1) : bytes_float_of_bits(0x80000001u);
}

/// The last key is where the motion jumps: moves it to just before, and appends the one that is jumped to.
static void keys_append_jump(keys_row *row, double ticks) {
  const fbx_motion *motion = row->motion;
  const uint32_t last = row->count - 1;
  const float time = keys_seconds(motion, ticks), just_before = float_before(time);
  if (last == 0 || just_before > row->times[last - 1]) row->times[last] = just_before;
  motion->at(motion->user, ticks, false, row->span.first);
  keys_append(row, time, row->span.first);
}

// -- From key to key --------------------------------------------------------------------------------------------------

/// Keys from one corner to the next by halving. Ends of parts of the way wait in a row, the next one last.
static void fill_way(keys_row *row, double from, double to) {
  const double shortest = FBX_TICKS_PER_SECOND / FBX_KEYS_PER_SECOND_MAX;
  const uint32_t cost = 1 + row->stride / 8; // a key of many weights takes the room of many keys
  double ends[WAITING_MAX] = {to};
  uint32_t waiting = 1;
  while (waiting != 0 && !is_given_up(row)) {
    const double piece[2] = {from, ends[waiting - 1]};
    fbx_span_put(&row->span, piece[0], piece[1]);
    const bool fits = fbx_span_fits(&row->span, piece, 1);
    if (!fits && piece[1] - piece[0] > shortest && waiting < WAITING_MAX && row->keys_left >= cost) {
      row->keys_left -= cost;
      ends[waiting++] = piece[0] + 0.5 * (piece[1] - piece[0]);
      continue;
    }
    row->is_fine = row->is_fine && fits;
    keys_append_span(row);
    from = ends[--waiting];
  }
}

static bool reaches(keys_row *row, uint32_t corner, uint32_t next) {
  const double *corners = row->motion->corners;
  fbx_span_put(&row->span, corners[corner], corners[next]);
  return fbx_span_fits(&row->span, corners + corner, next - corner);
}

/// The farthest corner up to last that one span reaches from a corner; corner itself when there is none. By steps that
/// double, then by halving.
static uint32_t farthest(keys_row *row, uint32_t corner, uint32_t last) {
  uint32_t good = corner, bad = last + 1;
  for (uint32_t step = 1; good < last; step *= 2) {
    const uint32_t next = last - corner < step ? last : corner + step;
    if (!reaches(row, corner, next)) {
      bad = next;
      break;
    }
    good = next;
  }
  while (bad - good > 1) {
    const uint32_t middle = good + (bad - good) / 2;
    *(reaches(row, corner, middle) ? &good : &bad) = middle;
  }
  return good;
}

/// Fills a row with keys for the whole motion.
static void fill_row(keys_row *row, const keys_facts *facts) {
  const fbx_motion *motion = row->motion;
  const double *corners = motion->corners;
  motion->at(motion->user, corners[0], false, row->span.first);
  keys_append(row, keys_seconds(motion, corners[0]), row->span.first);
  for (uint32_t corner = 0, last = 0; corner + 1 < motion->corner_count && !is_given_up(row);) {
    if (last <= corner)
      for (last = corner + 1; last + 1 < motion->corner_count && !facts->is_jump[last];) last++;
    const uint32_t next = farthest(row, corner, last);
    if (next == corner) {
      fill_way(row, corners[corner], corners[corner + 1]);
      corner++;
    } else {
      fbx_span_put(&row->span, corners[corner], corners[next]);
      keys_append_span(row);
      corner = next;
    }
    if (facts->is_jump[corner]) keys_append_jump(row, corners[corner]);
  }
}

// -- Tracks -----------------------------------------------------------------------------------------------------------

/// What only jumps has a key at each jump, and one at the end; what rests has one.
static void fill_steps(keys_row *row, const keys_facts *facts) {
  const fbx_motion *motion = row->motion;
  for (uint32_t c = 0; c < motion->corner_count; c++) {
    const bool is_end = c + 1 == motion->corner_count;
    if (c != 0 && (facts->is_still || (!facts->is_jump[c] && !is_end))) continue;
    motion->at(motion->user, motion->corners[c], false, row->span.first);
    keys_append(row, keys_seconds(motion, motion->corners[c]), row->span.first);
  }
}

static void keys_store(const keys_row *row, mpak_interpolation interpolation, cook_track *track) {
  track->interpolation = interpolation;
  track->key_count = row->count;
  track->value_count = (uint64_t)row->count * row->stride;
  track->times = row->times;
  track->values = JOB_ARRAY(row->motion->job, float, track->value_count);
  for (uint64_t i = 0; i < track->value_count; i++) track->values[i] = (float)row->values[i];
  *row->motion->keys_left = row->keys_left;
}

/// Lines and cubics: the better row. What is straight needs no cubics.
static keys_row fill_better_row(const fbx_motion *motion, const keys_facts *facts) {
  keys_row cubics = make_row(motion, true, UINT64_MAX), lines = make_row(motion, false, UINT64_MAX);
  if (!motion->is_straight) {
    fill_row(&cubics, facts);
    if (cubics.is_fine) lines.most = row_size(&cubics);
  }
  fill_row(&lines, facts);
  const bool is_worse = is_given_up(&lines) || (!lines.is_fine && cubics.is_fine);
  return !motion->is_straight && is_worse ? cubics : lines;
}

bool fbx_keys_make(fbx_motion *motion, cook_track *track) {
  tidy_corners(motion);
  const keys_facts facts = find_facts(motion);
  const bool is_stepped = facts.jumps && !facts.moves && !facts.is_still;
  keys_row row = make_row(motion, false, UINT64_MAX);
  if (motion->corner_count == 0 || facts.is_still || is_stepped)
    fill_steps(&row, &facts);
  else
    row = fill_better_row(motion, &facts);
  keys_store(&row, row.is_cubic ? MPAK_CUBICSPLINE : is_stepped ? MPAK_STEP : MPAK_LINEAR, track);
  return row.is_fine;
}
