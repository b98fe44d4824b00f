/// pose_sample.c: clips into poses, in single precision.
///
/// Formulas: glTF 2.0 specification, section 3.11 and appendix C: STEP (C.2), LINEAR (C.3, slerp C.4), CUBICSPLINE
/// (C.5). Times are doubles, so that a long clip does not jitter; the fraction between two keys and the values are
/// floats.
#include "runtime/pose/pose_private.h"
#include "runtime/pose/pose_slerp.h"

/// One track at one time: the keys around it and how far between them.
typedef struct sample_span {
  const float *key;      ///< value (not the tangents) of the left key
  const float *next_key; ///< of the right key; NULL: exactly the left key
  const float *out_tangent;
  const float *in_tangent;
  float fraction; ///< 0 … 1
  float length_s;
} sample_span;

/// The last key that is not after time_s; the caller knows that the first is not.
static uint32_t sample_key_before(const float *times, uint32_t key_count, double time_s) {
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

static sample_span sample_find_span(const mpak_track *track, const mpak_clips *clips, double time_s) {
  const float *times = clips->times + track->first_time, *values = clips->values + track->first_value;
  bool is_cubic = track->interpolation == MPAK_CUBICSPLINE;
  uint64_t stride = (uint64_t)track->width * (is_cubic ? 3 : 1), value_at = is_cubic ? track->width : 0;
  uint32_t last = track->key_count - 1;
  uint32_t left = time_s >= times[last] ? last : sample_key_before(times, track->key_count, time_s);
  sample_span span = {.key = values + left * stride + value_at};
  if (left == last || !(time_s > times[left]) || track->interpolation == MPAK_STEP) return span;
  double length_s = (double)times[left + 1] - times[left];
  span.next_key = values + (left + 1) * stride + value_at;
  span.out_tangent = span.key + track->width;
  span.in_tangent = span.next_key - track->width;
  span.length_s = (float)length_s;
  span.fraction = (float)((time_s - times[left]) / length_s);
  return span;
}

static float sample_cubic(const sample_span *span, uint32_t i) {
  float u = span->fraction, u2 = u * u, u3 = u2 * u;
  return (2 * u3 - 3 * u2 + 1) * span->key[i] + (u3 - 2 * u2 + u) * span->length_s * span->out_tangent[i] +
         (3 * u2 - 2 * u3) * span->next_key[i] + (u3 - u2) * span->length_s * span->in_tangent[i];
}

static float sample_value(const mpak_track *track, const sample_span *span, uint32_t i) {
  if (!span->next_key) return span->key[i];
  if (track->interpolation == MPAK_CUBICSPLINE) return sample_cubic(span, i);
  return (1 - span->fraction) * span->key[i] + span->fraction * span->next_key[i];
}

static void sample_rotation(const mpak_track *track, const sample_span *span, float out[4]) {
  if (span->next_key && track->interpolation == MPAK_LINEAR) {
    mpak_quaternion_slerp(span->key, span->next_key, span->fraction, out);
  } else {
    for (uint32_t i = 0; i < 4; ++i) out[i] = sample_value(track, span, i);
    pose_normalise_quaternion(out);
  }
}

static void sample_weights(mpak_pose *pose, const mpak_track *track, const sample_span *span,
                           const pose_track_target *target) {
  if (target->instance == MPAK_NONE) return;
  float *weights = pose->weights + pose->first_weight[target->instance];
  uint32_t control_count = pose_mesh_of(pose->pack, target->instance)->control_count;
  for (uint32_t i = 0; i < track->width; ++i) {
    uint32_t control = target->control_of ? target->control_of[i] : i;
    if (control < control_count) weights[control] = sample_value(track, span, i); // MPAK_NONE is no control
  }
}

void pose_sample_track(mpak_pose *pose, const mpak_clips *clips, const mpak_track *track, double time_s,
                       const pose_track_target *target) {
  sample_span span = sample_find_span(track, clips, time_s);
  mpak_transform *local = &pose->locals[target->node];
  if (track->path == MPAK_PATH_WEIGHTS) {
    sample_weights(pose, track, &span, target);
  } else if (track->path == MPAK_PATH_ROTATION) {
    sample_rotation(track, &span, local->rotation);
  } else {
    float *vector = track->path == MPAK_PATH_SCALE ? local->scale : local->translation;
    for (uint32_t i = 0; i < 3; ++i) vector[i] = sample_value(track, &span, i);
  }
}

void mpak_pose_sample(mpak_pose *pose, const mpak_clips *clips, uint32_t clip, double time_s) {
  const mpak_clip *record = &pose->pack->clips[clip];
  double time = time_s == time_s ? time_s : record->start_s;
  pose_sample_block(pose, NULL, pose->pack, clips, record, time);
  for (uint32_t t = 0; t < record->track_count; ++t) {
    const mpak_track *track = &pose->pack->tracks[record->first_track + t];
    pose_track_target target = {.node = track->node, .instance = MPAK_NONE};
    if (track->path == MPAK_PATH_WEIGHTS) target.instance = mpak_find_instance(pose->pack, track->node);
    pose_sample_track(pose, clips, track, time, &target);
  }
  mpak_pose_changed(pose);
}
