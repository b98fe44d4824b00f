// anim_curve.c: curves of the source in double precision: STEP, LINEAR and CUBICSPLINE of glTF 2.0, appendix C.
#include <math.h>

#include "cooker/base/angle.h"
#include "cooker/build/anim.h"

#define CURVE_DEGREES_PER_RAD 57.295779513082320877
#define CURVE_STRAIGHT_ABOVE  0.999999 // cosine: there the chord is as good as the arc

/// The keys around a time.
typedef struct curve_span {
  const float *left, *right; ///< values, not tangents; right NULL: exactly left
  double fraction, length_s;
} curve_span;

bool anim_normalise(double q[4]) {
  double sum = 0;
  for (int i = 0; i < 4; i++) sum += q[i] * q[i];
  const double length = sqrt(sum);
  if (!(length > 0)) return false;
  for (int i = 0; i < 4; i++) q[i] /= length;
  return true;
}

void anim_slerp_double(const double a[4], const double b[4], double fraction, double out[4]) {
  double cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3], left = 1 - fraction, right = fraction;
  const double sign = cosine < 0 ? -1 : 1;
  cosine *= sign;
  if (fraction == 0.5) { // half of an arc is half of its chord
    left = right = 1;
  } else if (cosine < CURVE_STRAIGHT_ABOVE) {
    double unused;
    const double degrees = angle_acos(cosine) * CURVE_DEGREES_PER_RAD;
    angle_sin_cos(left * degrees, &left, &unused);
    angle_sin_cos(right * degrees, &right, &unused);
  }
  for (int i = 0; i < 4; i++) out[i] = left * a[i] + right * sign * b[i];
  if (!anim_normalise(out)) out[3] = 1;
}

static uint32_t curve_key_before(const cook_track *track, double time_s) {
  uint32_t low = 0, high = track->key_count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if ((double)track->times[middle] <= time_s)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static curve_span curve_find(const cook_track *track, double time_s) {
  const bool is_cubic = track->interpolation == MPAK_CUBICSPLINE;
  const uint64_t stride = (uint64_t)track->width * (is_cubic ? 3 : 1), value_at = is_cubic ? track->width : 0;
  const uint32_t last = track->key_count - 1;
  const uint32_t left = time_s >= (double)track->times[last] ? last : curve_key_before(track, time_s);
  curve_span span = {.left = track->values + left * stride + value_at};
  const double from_s = (double)track->times[left];
  if (left == last || !(time_s > from_s) || track->interpolation == MPAK_STEP) return span;
  span.right = track->values + (left + 1) * stride + value_at;
  span.length_s = (double)track->times[left + 1] - from_s;
  span.fraction = (time_s - from_s) / span.length_s;
  return span;
}

static double curve_value(const cook_track *track, const curve_span *span, uint32_t i) {
  const double a = (double)span->left[i];
  if (span->right == NULL) return a;
  const double b = (double)span->right[i], u = span->fraction;
  if (track->interpolation != MPAK_CUBICSPLINE) return a + (b - a) * u;
  const double out = (double)span->left[track->width + i], in = (double)(span->right - track->width)[i];
  const double u2 = u * u, u3 = u2 * u;
  return (2 * u3 - 3 * u2 + 1) * a + (u3 - 2 * u2 + u) * span->length_s * out + (3 * u2 - 2 * u3) * b +
         (u3 - u2) * span->length_s * in;
}

static void curve_rotation(const cook_track *track, const curve_span *span, double q[4]) {
  for (uint32_t i = 0; i < 4; i++) q[i] = (double)span->left[i];
  if (span->right != NULL && track->interpolation == MPAK_LINEAR) {
    double right[4];
    for (uint32_t i = 0; i < 4; i++) right[i] = (double)span->right[i];
    anim_normalise(q);
    anim_normalise(right);
    anim_slerp_double(q, right, span->fraction, q);
    return;
  }
  for (uint32_t i = 0; i < 4; i++) q[i] = curve_value(track, span, i);
  if (!anim_normalise(q)) q[3] = 1;
}

void anim_curve_at(const cook_track *track, double time_s, double *values) {
  const curve_span span = curve_find(track, time_s);
  if (track->path == MPAK_PATH_ROTATION) {
    curve_rotation(track, &span, values);
    return;
  }
  for (uint32_t i = 0; i < track->width; i++) values[i] = curve_value(track, &span, i);
}

double anim_curve_value_at(const cook_track *track, uint32_t value, double time_s) {
  const curve_span span = curve_find(track, time_s);
  return curve_value(track, &span, value);
}
