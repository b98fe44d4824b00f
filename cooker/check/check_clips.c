#include <math.h>

#include "cooker/check/check_internal.h"

/// One track under check.
typedef struct check_track_at {
  const cook_track *track;
  check_place place;
  uint32_t key_stride; ///< floats from key to key
  uint32_t key_value;  ///< floats before a key's value: past the in-tangent of a cubic spline
} check_track_at;

static const char *check_path_name(mpak_track_path path) {
  static const char *const names[] = {"translation", "rotation", "scale", "weights"};
  return names[path];
}

static check_track_at check_track_at_make(const check_context *context, uint32_t c, uint32_t t) {
  const cook_track *track = &context->scene->clips[c].tracks[t];
  const bool is_cubic = track->interpolation == MPAK_CUBICSPLINE;
  check_track_at at = {track, CHECK_NOWHERE, is_cubic ? 3 * track->width : track->width, is_cubic ? track->width : 0};
  at.place.clip = c;
  at.place.node = track->node;
  at.place.stream = check_path_name(track->path);
  return at;
}

static uint32_t check_control_count_of_node(const cook_scene *scene, uint32_t node) {
  const uint32_t mesh = scene->nodes[node].mesh;
  return mesh != MPAK_NONE ? scene->meshes[mesh].control_count : 0;
}

// -- Shape of a track -------------------------------------------------------------------------------------------------

static bool check_track_has_targets(const check_context *context, const check_track_at *at) {
  if (at->track->path != MPAK_PATH_WEIGHTS) return true;
  if (check_control_count_of_node(context->scene, at->track->node) != 0) return true;
  check_report_object(context, MPAK_A012, &at->place, NULL, NULL);
  return false;
}

static bool check_track_width(const check_context *context, const check_track_at *at) {
  const cook_track *track = at->track;
  uint32_t expected = track->path == MPAK_PATH_ROTATION ? 4 : 3;
  if (track->path == MPAK_PATH_WEIGHTS) expected = check_control_count_of_node(context->scene, track->node);
  if (track->width == expected) return true;
  const cook_mark mark = job_mark(context->job);
  check_report_object(context, MPAK_A018, &at->place, check_count_text(context->job, track->width),
                      check_count_text(context->job, expected));
  job_release(context->job, mark);
  return false;
}

static bool check_track_has_keys(const check_context *context, const check_track_at *at) {
  if (at->track->key_count != 0) return true;
  check_report_object(context, MPAK_A003, &at->place, "0", "at least 1");
  return false;
}

static bool check_track_value_count(const check_context *context, const check_track_at *at) {
  // both factors are below 2^32, and the tripled width was computed in 32 bits: compare by division
  const uint64_t stride = (uint64_t)at->track->width * (at->track->interpolation == MPAK_CUBICSPLINE ? 3 : 1);
  uint64_t expected = 0;
  const bool fits = bytes_mul(at->track->key_count, stride, &expected);
  if (fits && at->track->value_count == expected) return true;
  const cook_mark mark = job_mark(context->job);
  check_report_object(context, MPAK_A009, &at->place, check_count_text(context->job, at->track->value_count),
                      check_count_text(context->job, expected));
  job_release(context->job, mark);
  return false;
}

// -- Times ------------------------------------------------------------------------------------------------------------

static void check_track_times_ascend(const check_context *context, const check_track_at *at) {
  const float *times = at->track->times;
  check_tally tally = {.element = "key"};
  for (uint32_t k = 1; k < at->track->key_count; k++)
    if (times[k] <= times[k - 1]) check_tally_add(&tally, k, times[k]);
  if (tally.count == 0) return;
  const cook_mark mark = job_mark(context->job);
  tally.limit = job_format(context->job, "more than %s", check_number_text(context->job, times[tally.first - 1]));
  check_report(context, MPAK_A005, &at->place, &tally);
  job_release(context->job, mark);
}

static void check_track_times_positive(const check_context *context, const check_track_at *at) {
  check_tally tally = {.element = "key", .limit = "0 or more"};
  for (uint32_t k = 0; k < at->track->key_count; k++)
    if (at->track->times[k] < 0) check_tally_add(&tally, k, at->track->times[k]);
  check_report(context, MPAK_A007, &at->place, &tally);
}

/// Returns whether the times can be reckoned with.
static bool check_track_times(const check_context *context, const check_track_at *at) {
  const cook_track *track = at->track;
  if (!check_all_finite(context, MPAK_A004, &at->place, "key", track->times, track->key_count, 1)) return false;
  if (!check_none_beyond(context, MPAK_A006, &at->place, "key", track->times, track->key_count, 1, CHECK_LARGEST_TIME))
    return false;
  check_track_times_ascend(context, at);
  check_track_times_positive(context, at);
  return true;
}

// -- Values -----------------------------------------------------------------------------------------------------------

/// Keys whose rotation is none, and those off length 1. Tangents of splines are no rotations.
static void check_track_rotations(const check_context *context, const check_track_at *at) {
  check_tally none = {.element = "key", .limit = "1"};
  check_tally off = {.element = "key", .limit = "1"};
  for (uint32_t k = 0; k < at->track->key_count; k++) {
    const double length = check_length(at->track->values + (uint64_t)k * at->key_stride + at->key_value, 4);
    if (!check_is_rotation_length(length))
      check_tally_add(&none, k, length);
    else if (fabs(length - 1) > CHECK_UNIT_TOLERANCE)
      check_tally_add(&off, k, length);
  }
  check_report(context, MPAK_A010, &at->place, &none);
  check_report(context, MPAK_A011, &at->place, &off);
}

/// The largest weight, or step that a spline's tangents make, around key k.
static double check_largest_weight(const check_track_at *at, uint32_t k) {
  const cook_track *track = at->track;
  const float *key = track->values + (uint64_t)k * at->key_stride;
  const bool is_cubic = track->interpolation == MPAK_CUBICSPLINE;
  const double before_s = k > 0 ? (double)track->times[k] - track->times[k - 1] : 0;
  const double after_s = k + 1 < track->key_count ? (double)track->times[k + 1] - track->times[k] : 0;
  double largest = 0;
  for (uint32_t t = 0; t < track->width; t++) {
    const double weight = fabs((double)key[at->key_value + t]);
    const double in_step = is_cubic ? fabs(key[t] * before_s) : 0;
    const double out_step = is_cubic ? fabs(key[2 * (uint64_t)track->width + t] * after_s) : 0;
    if (weight > largest) largest = weight;
    if (in_step > largest) largest = in_step;
    if (out_step > largest) largest = out_step;
  }
  return largest;
}

static void check_track_weights(const check_context *context, const check_track_at *at) {
  check_tally outside = {.element = "key", .limit = "0 to 1"};
  check_tally huge = {.element = "key", .limit = "1e+06"};
  for (uint32_t k = 0; k < at->track->key_count; k++) {
    const double largest = check_largest_weight(at, k);
    if (largest > CHECK_LARGEST_WEIGHT) check_tally_add(&huge, k, largest);
    const float *weights = at->track->values + (uint64_t)k * at->key_stride + at->key_value;
    for (uint32_t t = 0; t < at->track->width; t++) {
      if (weights[t] >= 0 && weights[t] <= 1) continue;
      check_tally_add(&outside, k, weights[t]);
      break;
    }
  }
  check_report(context, MPAK_A017, &at->place, &huge);
  if (huge.count == 0) check_report(context, MPAK_A015, &at->place, &outside);
}

static void check_track_values(const check_context *context, const check_track_at *at) {
  const cook_track *track = at->track;
  if (!check_all_finite(context, MPAK_A008, &at->place, "key", track->values, track->key_count, at->key_stride)) return;
  if (track->path == MPAK_PATH_WEIGHTS)
    check_track_weights(context, at);
  else if (track->path == MPAK_PATH_ROTATION)
    check_track_rotations(context, at);
  else
    check_none_beyond(context, MPAK_A017, &at->place, "key", track->values, track->key_count, at->key_stride,
                      CHECK_LARGEST_VALUE);
}

// -- Tracks and clips -------------------------------------------------------------------------------------------------

/// A rest pose that is no translation, rotation and scale cannot be animated in parts (glTF forbids it).
static void check_track_node_is_trs(const check_context *context, const check_track_at *at) {
  if (at->track->path == MPAK_PATH_WEIGHTS || !context->scene->nodes[at->track->node].is_matrix) return;
  check_report_object(context, MPAK_A016, &at->place, "a matrix", "translation, rotation and scale");
}

static void check_track(const check_context *context, uint32_t c, uint32_t t) {
  const check_track_at at = check_track_at_make(context, c, t);
  check_track_node_is_trs(context, &at);
  if (!check_track_has_targets(context, &at) || !check_track_width(context, &at)) return;
  if (!check_track_has_keys(context, &at)) return;
  const bool has_times = check_track_times(context, &at);
  if (check_track_value_count(context, &at) && has_times) check_track_values(context, &at);
}

/// last_clip: by node and path, the last clip that animated it, plus 1.
static void check_tracks_differ(const check_context *context, uint32_t c, uint32_t *last_clip) {
  const cook_clip *clip = &context->scene->clips[c];
  for (uint32_t t = 0; t < clip->track_count; t++) {
    const check_track_at at = check_track_at_make(context, c, t);
    uint32_t *last = &last_clip[4 * (uint64_t)at.track->node + at.track->path];
    if (*last == c + 1) check_report_object(context, MPAK_A014, &at.place, "a second track", "one track");
    *last = c + 1;
  }
}

static void check_clip_has_tracks(const check_context *context, uint32_t c) {
  if (context->scene->clips[c].track_count != 0) return;
  check_place place = CHECK_NOWHERE;
  place.clip = c;
  check_report_object(context, MPAK_A002, &place, "0", "at least 1");
}

static void check_clip_count(const check_context *context) {
  const uint32_t limit = job_limits(context->job)->clips;
  if (context->scene->clip_count <= limit) return;
  const cook_mark mark = job_mark(context->job);
  check_report_object(context, MPAK_A001, &CHECK_NOWHERE, check_count_text(context->job, context->scene->clip_count),
                      check_count_text(context->job, limit));
  job_release(context->job, mark);
}

void check_clips(const check_context *context) {
  const cook_mark mark = job_mark(context->job);
  uint32_t *last_clip = JOB_ARRAY(context->job, uint32_t, 4 * (uint64_t)context->scene->node_count);
  check_clip_count(context);
  for (uint32_t c = 0; c < context->scene->clip_count; c++) {
    check_clip_has_tracks(context, c);
    check_tracks_differ(context, c, last_clip);
    for (uint32_t t = 0; t < context->scene->clips[c].track_count; t++) check_track(context, c, t);
  }
  job_release(context->job, mark);
}
