/// ref_sample.c: clips of the double-precision reference.
///
/// Formulas: glTF 2.0 specification, section 3.11 and appendix C ("Animation Sampler Interpolation Modes"): STEP,
/// LINEAR (C.3, slerp for rotations C.4) and CUBICSPLINE (C.5, Hermite with tangents scaled by the keys' distance).
#include "runtime/reference/mpak_reference.h"

#include <math.h>
#include <string.h>

#include "runtime/reference/ref_block.h"
#include "runtime/reference/ref_math.h"

/// Above this cosine the chord is as good as the arc and its quotient no longer ill-conditioned.
#define REF_SLERP_LINEAR_ABOVE 0.9995

/// One track at one time: the keys around it and how far between them.
typedef struct ref_span {
  const float *key;      ///< value (not tangents) of the left key
  const float *next_key; ///< value of the right key; NULL: exactly the left key
  const float *out_tangent;
  const float *in_tangent;
  double fraction;
  double length_s;
} ref_span;

/// The last key whose time is not after time_s; the caller knows that the first one is not.
static uint32_t ref_key_before(const float *times, uint32_t key_count, double time_s) {
  uint32_t low = 0, high = key_count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (times[middle] <= time_s) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

static ref_span ref_find_span(const mpak_track *track, const mpak_clips *clips, double time_s) {
  const float *times = clips->times + track->first_time, *values = clips->values + track->first_value;
  bool is_cubic = track->interpolation == MPAK_CUBICSPLINE;
  uint64_t stride = (uint64_t)track->width * (is_cubic ? 3 : 1), value_at = is_cubic ? track->width : 0;
  uint32_t last = track->key_count - 1;
  uint32_t left = time_s >= times[last] ? last : ref_key_before(times, track->key_count, time_s);
  ref_span span = {.key = values + left * stride + value_at};
  if (left == last || !(time_s > times[left]) || track->interpolation == MPAK_STEP) return span;
  span.next_key = values + (left + 1) * stride + value_at;
  span.out_tangent = span.key + track->width;
  span.in_tangent = span.next_key - track->width;
  span.length_s = (double)times[left + 1] - times[left];
  span.fraction = (time_s - times[left]) / span.length_s;
  return span;
}

static double ref_sample_cubic(const ref_span *span, uint32_t i) {
  double u = span->fraction, u2 = u * u, u3 = u2 * u;
  return (2 * u3 - 3 * u2 + 1) * span->key[i] + (u3 - 2 * u2 + u) * span->length_s * span->out_tangent[i] +
         (3 * u2 - 2 * u3) * span->next_key[i] + (u3 - u2) * span->length_s * span->in_tangent[i];
}

static double ref_sample_component(const mpak_track *track, const ref_span *span, uint32_t i) {
  if (!span->next_key) return span->key[i];
  if (track->interpolation == MPAK_CUBICSPLINE) return ref_sample_cubic(span, i);
  return span->key[i] + ((double)span->next_key[i] - span->key[i]) * span->fraction;
}

static void ref_slerp(double out[4], const ref_span *span) {
  double cosine = 0, sign = 1, left = 1 - span->fraction, right = span->fraction;
  for (int i = 0; i < 4; ++i) cosine += (double)span->key[i] * span->next_key[i];
  if (cosine < 0) {
    cosine = -cosine;
    sign = -1;
  }
  if (cosine <= REF_SLERP_LINEAR_ABOVE) {
    double angle = acos(cosine);
    left = sin(left * angle) / sin(angle);
    right = sin(right * angle) / sin(angle);
  }
  for (int i = 0; i < 4; ++i) out[i] = left * span->key[i] + right * sign * span->next_key[i];
}

static void ref_sample_rotation(const mpak_track *track, const ref_span *span, double out[4]) {
  if (span->next_key && track->interpolation == MPAK_LINEAR) {
    ref_slerp(out, span);
  } else {
    for (uint32_t i = 0; i < 4; ++i) out[i] = ref_sample_component(track, span, i);
  }
  if (!ref_normalise(out, 4, 0)) memcpy(out, (const double[4]){0, 0, 0, 1}, 4 * sizeof *out);
}

/// Where the values of a track go: a node, and for weights an instance and the control of each value.
typedef struct ref_target {
  uint32_t node;
  uint32_t instance;
  const uint32_t *control_of; ///< NULL: value i is control i's
} ref_target;

static void ref_sample_weights(mpak_ref_pose *pose, const mpak_track *track, const ref_span *span,
                               const ref_target *target) {
  if (target->instance == MPAK_NONE) return;
  double *weights = pose->weights + pose->first_weight[target->instance];
  uint32_t control_count = pose->pack->meshes[pose->pack->instances[target->instance].mesh].control_count;
  for (uint32_t i = 0; i < track->width; ++i) {
    uint32_t control = target->control_of ? target->control_of[i] : i;
    if (control < control_count) weights[control] = ref_sample_component(track, span, i);
  }
}

static void ref_sample_track(mpak_ref_pose *pose, const mpak_clips *clips, const mpak_track *track, double time_s,
                             const ref_target *target) {
  const ref_span span = ref_find_span(track, clips, time_s);
  if (track->path == MPAK_PATH_WEIGHTS) {
    ref_sample_weights(pose, track, &span, target);
  } else if (track->path == MPAK_PATH_ROTATION) {
    ref_sample_rotation(track, &span, pose->rotation[target->node]);
  } else {
    double *vector = track->path == MPAK_PATH_SCALE ? pose->scale[target->node] : pose->translation[target->node];
    for (uint32_t i = 0; i < 3; ++i) vector[i] = ref_sample_component(track, &span, i);
  }
}

void mpak_ref_sample(mpak_ref_pose *pose, const mpak_clips *clips, uint32_t clip, double time_s) {
  const mpak_clip *record = &pose->pack->clips[clip];
  const mpak_ref_clip_source own = {.pack = pose->pack, .clips = clips};
  ref_sample_block(pose, &own, record, time_s);
  for (uint32_t t = 0; t < record->track_count; ++t) {
    const mpak_track *track = &pose->pack->tracks[record->first_track + t];
    const ref_target target = {track->node, mpak_find_instance(pose->pack, track->node), NULL};
    ref_sample_track(pose, clips, track, time_s, &target);
  }
}

void mpak_ref_sample_mapped(mpak_ref_pose *pose, const mpak_ref_clip_source *source, uint32_t clip, double time_s) {
  const mpak_clip *record = &source->pack->clips[clip];
  ref_sample_block(pose, source, record, time_s);
  for (uint32_t t = 0; t < record->track_count; ++t) {
    const mpak_track *track = &source->pack->tracks[record->first_track + t];
    const uint32_t instance = mpak_find_instance(source->pack, track->node);
    ref_target target = {source->node_of[track->node], MPAK_NONE, NULL};
    if (target.node == MPAK_NONE) continue;
    if (track->path == MPAK_PATH_WEIGHTS && instance != MPAK_NONE) {
      target.instance = source->instance_of[instance];
      target.control_of = source->control_of + source->first_control[instance];
    }
    ref_sample_track(pose, source->clips, track, time_s, &target);
  }
}
