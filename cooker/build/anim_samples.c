// anim_samples.c: what becomes of each track: a bit (rest), one value (constant), samples, or keys as they are. And how
// many samples the clip gets: so many that the curves between them stay close, at the least bytes.
#include <math.h>

#include "cooker/build/anim.h"

#define SAMPLES_CONSTANT_SHARE  0.01 ///< of the bound: what a constant may differ from its curve, at the full reach
#define SAMPLES_BETWEEN_SHARE   0.1  ///< of the bound: the same between samples
#define SAMPLES_GRID_TOLERANCE  0.01 ///< of the samples' distance: keys that are so near a sample stand on it
#define SAMPLES_USUAL_RATE_HZ   30.0
#define SAMPLES_MOST            (1u << 20)
#define SAMPLES_USUAL_BITS      10.0
#define SAMPLES_ROOM            ((uint64_t)1 << 28) ///< components of all samples of a clip
#define SAMPLES_LEAST_DROPPED   0.25 ///< a dropped rotation component must stay so large, else its root is too rough
#define SAMPLES_FINEST_WEIGHT   (1.0 / 65536)
#define SAMPLES_ROUGHEST_WEIGHT (1.0 / 256)

double anim_sample_time(const anim_clip *clip, double row) {
  const double start_s = (double)clip->source->start_s, end_s = (double)clip->source->end_s;
  if (clip->sample_count < 2) return start_s;
  return start_s + (end_s - start_s) * (row / (clip->sample_count - 1));
}

// -- Tolerances ------------------------------------------------------------------------------------------------------

static double samples_longest_delta(const cook_mesh *mesh, uint32_t control) {
  double longest = 0;
  for (uint32_t p = 0; p < mesh->primitive_count; p++) {
    const cook_primitive *primitive = &mesh->primitives[p];
    for (uint32_t t = 0; t < primitive->target_count; t++) {
      const cook_target *target = &primitive->targets[t];
      if (cook_control_of_target(mesh, t) != control || target->position_deltas == NULL) continue;
      for (uint32_t v = 0; v < primitive->vertex_count; v++) {
        const float *d = target->position_deltas[v];
        const double square = (double)d[0] * (double)d[0] + (double)d[1] * (double)d[1] + (double)d[2] * (double)d[2];
        if (square > longest) longest = square;
      }
    }
  }
  return sqrt(longest);
}

/// Half a step moves no vertex by more than half the bound; a power of two between 2^-16 and 2^-8.
static float samples_weight_step(const anim_clip *clip, uint32_t node, const cook_mesh *mesh, uint32_t control) {
  const double longest = samples_longest_delta(mesh, control) * clip->skeleton->mesh_scale[node];
  double step = SAMPLES_ROUGHEST_WEIGHT;
  while (step > SAMPLES_FINEST_WEIGHT && step * longest > clip->bound_m) step /= 2;
  return (float)step;
}

static void samples_set_tolerance(const anim_clip *clip, anim_track *track) {
  const cook_skeleton *skeleton = clip->skeleton;
  const uint32_t node = track->source->node;
  const double bound = SAMPLES_CONSTANT_SHARE * clip->bound_m;
  switch (track->source->path) {
  case MPAK_PATH_TRANSLATION:
    track->tolerance = skeleton->parent_scale[node] > 0 ? bound / skeleton->parent_scale[node] : bound;
    break;
  case MPAK_PATH_ROTATION: track->tolerance = bound / (2 * skeleton->subtree_reach_m[node]); break;
  case MPAK_PATH_SCALE: track->tolerance = bound / skeleton->subtree_reach_m[node]; break;
  default: track->tolerance = 1e-6; break;
  }
}

// -- Constants -------------------------------------------------------------------------------------------------------

/// The largest difference of two values of a track; quaternions of either sign are the same.
static double samples_distance(const cook_track *track, const double *a, const double *b) {
  double sign = 1, largest = 0;
  if (track->path == MPAK_PATH_ROTATION && a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0) sign = -1;
  for (uint32_t i = 0; i < track->width; i++) {
    const double difference = fabs(a[i] - sign * b[i]);
    if (difference > largest) largest = difference;
  }
  return largest;
}

/// Do the tangents of a spline stay so flat that it leaves its keys by no more than a tolerance?
static bool samples_is_flat(const cook_track *track, double tolerance) {
  if (track->interpolation != MPAK_CUBICSPLINE) return true;
  for (uint32_t k = 0; k + 1 < track->key_count; k++) {
    const double length_s = (double)track->times[k + 1] - (double)track->times[k];
    const float *out = track->values + ((uint64_t)k * 3 + 2) * track->width;
    const float *in = out + track->width;
    for (uint32_t i = 0; i < track->width; i++)
      if ((fabs((double)out[i]) + fabs((double)in[i])) * length_s > tolerance) return false;
  }
  return true;
}

static bool samples_is_constant(const anim_track *track, double first[4]) {
  const cook_track *source = track->source;
  anim_curve_at(source, (double)source->times[0], first);
  for (uint32_t k = 1; k < source->key_count; k++) {
    double value[4];
    anim_curve_at(source, (double)source->times[k], value);
    if (!(samples_distance(source, first, value) <= track->tolerance)) return false;
  }
  return samples_is_flat(source, track->tolerance);
}

static bool samples_is_rest(const anim_clip *clip, const anim_track *track) {
  const anim_local *rest = &clip->skeleton->rests[track->source->node];
  const double *value = track->source->path == MPAK_PATH_ROTATION ? rest->rotation
                        : track->source->path == MPAK_PATH_SCALE  ? rest->scale
                                                                  : rest->translation;
  return samples_distance(track->source, track->constant, value) <= track->tolerance;
}

/// All weights of one control are the same?
static bool samples_is_constant_weight(const cook_track *source, uint32_t control, double tolerance) {
  const uint64_t stride = (uint64_t)source->width * (source->interpolation == MPAK_CUBICSPLINE ? 3 : 1);
  const float *value = source->values + (source->interpolation == MPAK_CUBICSPLINE ? source->width : 0) + control;
  for (uint32_t k = 0; k < source->key_count; k++) {
    if (!(fabs((double)value[k * stride] - (double)value[0]) <= tolerance)) return false;
    if (source->interpolation != MPAK_CUBICSPLINE || k + 1 == source->key_count) continue;
    const double length_s = (double)source->times[k + 1] - (double)source->times[k];
    const double slopes =
        fabs((double)value[k * stride + source->width]) + fabs((double)value[(k + 1) * stride - source->width]);
    if (!(slopes * length_s <= tolerance)) return false;
  }
  return true;
}

static void samples_classify_weights(const anim_clip *clip, anim_track *track) {
  const cook_track *source = track->source;
  const cook_scene *scene = clip->skeleton->scene;
  const cook_mesh *mesh = &scene->meshes[scene->nodes[source->node].mesh];
  track->weight_steps = JOB_ARRAY(clip->job, float, source->width);
  track->constant_weights = JOB_ARRAY(clip->job, float, source->width);
  track->form = ANIM_FORM_CONSTANT;
  for (uint32_t c = 0; c < source->width; c++) {
    track->constant_weights[c] = (float)anim_curve_value_at(source, c, (double)source->times[0]);
    if (samples_is_constant_weight(source, c, track->tolerance)) continue;
    track->weight_steps[c] = samples_weight_step(clip, source->node, mesh, c);
    track->form = source->interpolation == MPAK_STEP ? ANIM_FORM_KEYS : ANIM_FORM_SAMPLES;
  }
}

static void samples_classify(const anim_clip *clip, anim_track *track) {
  const cook_track *source = track->source;
  samples_set_tolerance(clip, track);
  if (source->path == MPAK_PATH_WEIGHTS) {
    samples_classify_weights(clip, track);
  } else if (clip->skeleton->scene->nodes[source->node].is_matrix) {
    track->form = ANIM_FORM_KEYS;
  } else if (samples_is_constant(track, track->constant)) {
    track->form = samples_is_rest(clip, track) ? ANIM_FORM_REST : ANIM_FORM_CONSTANT;
  } else {
    track->form = source->interpolation == MPAK_STEP ? ANIM_FORM_KEYS : ANIM_FORM_SAMPLES;
  }
}

// -- How many samples ------------------------------------------------------------------------------------------------

static bool samples_are_inside(const anim_clip *clip, double time_s) {
  return time_s > (double)clip->source->start_s && time_s < (double)clip->source->end_s;
}

/// Intervals of the shortest distance of two keys; 0: no track has two keys.
static double samples_natural_count(const anim_clip *clip) {
  const double length_s = (double)clip->source->end_s - (double)clip->source->start_s;
  double shortest_s = length_s;
  for (uint32_t t = 0; t < clip->track_count; t++) {
    const cook_track *source = clip->tracks[t].source;
    if (clip->tracks[t].form != ANIM_FORM_SAMPLES) continue;
    for (uint32_t k = 1; k < source->key_count; k++) {
      const double distance_s = (double)source->times[k] - (double)source->times[k - 1];
      if (distance_s < shortest_s) shortest_s = distance_s;
    }
  }
  return shortest_s > 0 ? floor(length_s / shortest_s + 0.5) : 0;
}

static bool samples_keys_fit(const anim_clip *clip, double intervals) {
  const double start_s = (double)clip->source->start_s, length_s = (double)clip->source->end_s - start_s;
  for (uint32_t t = 0; t < clip->track_count; t++) {
    const cook_track *source = clip->tracks[t].source;
    if (clip->tracks[t].form != ANIM_FORM_SAMPLES) continue;
    for (uint32_t k = 0; k < source->key_count; k++) {
      if (!samples_are_inside(clip, (double)source->times[k])) continue;
      const double at = ((double)source->times[k] - start_s) / length_s * intervals;
      if (fabs(at - floor(at + 0.5)) > SAMPLES_GRID_TOLERANCE) return false;
    }
  }
  return true;
}

/// A track at a time, from its own curve at the samples around.
static double samples_between_error(const anim_clip *clip, const cook_track *source, double time_s) {
  const double start_s = (double)clip->source->start_s, length_s = (double)clip->source->end_s - start_s;
  const double at = (time_s - start_s) / length_s * (clip->sample_count - 1);
  double row = floor(at), left[4], right[4], truth[4], value[4] = {0, 0, 0, 0};
  if (row > clip->sample_count - 2) row = clip->sample_count - 2;
  anim_curve_at(source, anim_sample_time(clip, row), left);
  anim_curve_at(source, anim_sample_time(clip, row + 1), right);
  anim_curve_at(source, time_s, truth);
  if (source->path == MPAK_PATH_ROTATION) {
    anim_slerp_double(left, right, at - row, value);
  } else {
    for (uint32_t i = 0; i < 3; i++) value[i] = left[i] + (right[i] - left[i]) * (at - row);
  }
  return samples_distance(source, truth, value);
}

static double samples_weight_between_error(const anim_clip *clip, const anim_track *track, double time_s) {
  const double start_s = (double)clip->source->start_s, length_s = (double)clip->source->end_s - start_s;
  const double at = (time_s - start_s) / length_s * (clip->sample_count - 1);
  double row = floor(at), largest = 0;
  if (row > clip->sample_count - 2) row = clip->sample_count - 2;
  for (uint32_t c = 0; c < track->source->width; c++) {
    if (track->weight_steps[c] == 0) continue;
    const double left = anim_curve_value_at(track->source, c, anim_sample_time(clip, row));
    const double right = anim_curve_value_at(track->source, c, anim_sample_time(clip, row + 1));
    const double truth = anim_curve_value_at(track->source, c, time_s);
    const double error = fabs(left + (right - left) * (at - row) - truth) / (double)track->weight_steps[c];
    if (error > largest) largest = error;
  }
  return largest; // in steps
}

/// Do samples stand for the curve: at its keys, and, where it bends, at the quarters between samples? (Half way alone,
/// an easing curve agrees with a straight line.)
static bool samples_serve(const anim_clip *clip, const anim_track *track) {
  const bool is_weights = track->source->path == MPAK_PATH_WEIGHTS;
  const double limit = is_weights ? 0.5 : track->tolerance * (SAMPLES_BETWEEN_SHARE / SAMPLES_CONSTANT_SHARE);
  for (uint32_t k = 0; k < track->source->key_count; k++) {
    const double time_s = (double)track->source->times[k];
    if (!samples_are_inside(clip, time_s)) continue;
    const double error = is_weights ? samples_weight_between_error(clip, track, time_s)
                                    : samples_between_error(clip, track->source, time_s);
    if (!(error <= limit)) return false;
  }
  if (track->source->interpolation == MPAK_LINEAR) return true; // straight between its keys
  for (uint64_t i = 0; i < 4 * ((uint64_t)clip->sample_count - 1); i++) {
    if (i % 4 == 0) continue;
    const double time_s = anim_sample_time(clip, (double)i / 4);
    const double error = is_weights ? samples_weight_between_error(clip, track, time_s)
                                    : samples_between_error(clip, track->source, time_s);
    if (!(error <= limit)) return false;
  }
  return true;
}

static double samples_key_bytes(const cook_track *source) {
  const double values = (double)source->key_count * source->width * (source->interpolation == MPAK_CUBICSPLINE ? 3 : 1);
  return (double)sizeof(mpak_track) + 4 * values;
}

static double samples_row_bytes(const anim_clip *clip, const anim_track *track) {
  double components = 3;
  if (track->source->path == MPAK_PATH_WEIGHTS) {
    components = 0;
    for (uint32_t c = 0; c < track->source->width; c++) components += track->weight_steps[c] > 0;
  }
  return 4 * (components + 1) + components * clip->sample_count * SAMPLES_USUAL_BITS / 8;
}

/// Bytes of all tracks with a number of samples; keeps: by track, is it better off as keys? May be NULL.
static double samples_cost(anim_clip *clip, double intervals, bool *keeps) {
  double bytes = 0;
  clip->sample_count = (uint32_t)intervals + 1;
  for (uint32_t t = 0; t < clip->track_count; t++) {
    const anim_track *track = &clip->tracks[t];
    if (track->form != ANIM_FORM_SAMPLES) continue;
    const double key_bytes = samples_key_bytes(track->source), row_bytes = samples_row_bytes(clip, track);
    const bool is_kept = key_bytes < row_bytes || !samples_serve(clip, track);
    bytes += is_kept ? key_bytes : row_bytes;
    if (keeps != NULL) keeps[t] = is_kept;
  }
  return bytes;
}

static bool samples_has_any(const anim_clip *clip) {
  for (uint32_t t = 0; t < clip->track_count; t++)
    if (clip->tracks[t].form == ANIM_FORM_SAMPLES) return true;
  return false;
}

/// Tries the keys' own rate, halves and multiples of it; where keys follow none, multiples of 30 Hz.
static void samples_choose_count(anim_clip *clip) {
  static const double factors[] = {1, 0.5, 1.0 / 3, 0.25, 2, 4, 8};
  const double length_s = (double)clip->source->end_s - (double)clip->source->start_s;
  double best = 0, least = INFINITY, natural = samples_natural_count(clip);
  clip->sample_count = 1;
  if (!samples_has_any(clip)) return;
  if (natural < 1 || natural > SAMPLES_MOST || !samples_keys_fit(clip, natural))
    natural = ceil(length_s * SAMPLES_USUAL_RATE_HZ);
  for (uint32_t f = 0; length_s > 0 && f < sizeof factors / sizeof factors[0]; f++) {
    const double intervals = floor(natural * factors[f] + 0.5);
    if (intervals < 1 || intervals > SAMPLES_MOST || (intervals + 1) * clip->track_count * 4 > SAMPLES_ROOM) continue;
    const double bytes = samples_cost(clip, intervals, NULL);
    if (!(bytes < least)) continue;
    least = bytes;
    best = intervals;
  }
  bool *keeps = JOB_ARRAY(clip->job, bool, clip->track_count);
  if (best > 0) samples_cost(clip, best, keeps);
  for (uint32_t t = 0; t < clip->track_count; t++) {
    if (clip->tracks[t].form == ANIM_FORM_SAMPLES && (best == 0 || keeps[t])) clip->tracks[t].form = ANIM_FORM_KEYS;
  }
  if (!samples_has_any(clip)) clip->sample_count = 1;
  clip->keys_fall_on_samples = samples_keys_fit(clip, clip->sample_count - 1.0);
}

// -- Samples ---------------------------------------------------------------------------------------------------------

/// The component that stays largest is dropped, if it stays large enough, and all samples get its sign.
static void samples_choose_dropped(const anim_clip *clip, anim_track *track) {
  double best = 0;
  for (uint32_t c = 0; c < 4; c++) {
    double least = 1;
    for (uint32_t i = 0; i < clip->sample_count; i++) {
      const double size = fabs((double)track->samples[i][c]);
      if (size < least) least = size;
    }
    if (least <= best) continue;
    best = least;
    track->dropped = c;
  }
  track->is_full_rotation = best < SAMPLES_LEAST_DROPPED;
  for (uint32_t i = 0; i < clip->sample_count; i++) {
    float *q = track->samples[i], dot = 0;
    for (int c = 0; c < 4 && i > 0; c++) dot += q[c] * track->samples[i - 1][c];
    if (track->is_full_rotation ? dot < 0 : q[track->dropped] < 0)
      for (int c = 0; c < 4; c++) q[c] = -q[c];
  }
}

static void samples_take(const anim_clip *clip, anim_track *track) {
  const cook_track *source = track->source;
  if (source->path == MPAK_PATH_WEIGHTS) {
    track->weight_samples = JOB_ARRAY(clip->job, float, (uint64_t)source->width * clip->sample_count);
    for (uint32_t c = 0; c < source->width; c++) {
      for (uint32_t i = 0; i < clip->sample_count && track->weight_steps[c] > 0; i++)
        track->weight_samples[(uint64_t)c * clip->sample_count + i] =
            (float)anim_curve_value_at(source, c, anim_sample_time(clip, i));
    }
    return;
  }
  track->samples = job_alloc(clip->job, clip->sample_count, sizeof *track->samples);
  for (uint32_t i = 0; i < clip->sample_count; i++) {
    double value[4] = {0, 0, 0, 0};
    anim_curve_at(source, anim_sample_time(clip, i), value);
    for (int c = 0; c < 4; c++) track->samples[i][c] = (float)value[c];
  }
  if (source->path == MPAK_PATH_ROTATION) samples_choose_dropped(clip, track);
}

void anim_choose_forms(anim_clip *clip) {
  for (uint32_t t = 0; t < clip->track_count; t++) samples_classify(clip, &clip->tracks[t]);
  samples_choose_count(clip);
  for (uint32_t t = 0; t < clip->track_count; t++)
    if (clip->tracks[t].form == ANIM_FORM_SAMPLES) samples_take(clip, &clip->tracks[t]);
}
