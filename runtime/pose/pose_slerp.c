/// pose_slerp.c: spherical interpolation of quaternions without libm's acos and sin.
#include "runtime/pose/pose_slerp.h"

#include <math.h>

#include "runtime/mpak_pose.h"

/// Above this cosine (1.8 degrees of arc) the chord is as good as the arc, and sin(angle) no safe divisor.
#define POSE_SLERP_LINEAR_ABOVE 0.9995

/// Abramowitz and Stegun, "Handbook of Mathematical Functions", 4.4.46: acos(x) = sqrt(1 - x) * P7(x).
double pose_acos(double x) {
  static const double coefficients[8] = {1.5707963050, -0.2145988016, 0.0889789874, -0.0501743046,
                                         0.0308918810, -0.0170881256, 0.0066700901, -0.0012624911};
  double sum = coefficients[7];
  for (int i = 6; i >= 0; --i) sum = sum * x + coefficients[i];
  return sqrt(1 - x) * sum;
}

/// The Taylor series up to x^15 / 15!; the next term is below 1e-11 for x up to pi / 2.
double pose_sin(double x) {
  double square = x * x, term = x, sum = x;
  for (int n = 2; n <= 14; n += 2) {
    term = -term * square / (n * (n + 1));
    sum += term;
  }
  return sum;
}

void pose_normalise_quaternion(float v[4]) {
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += (double)v[i] * v[i];
  double length = sqrt(sum);
  for (int i = 0; i < 4; ++i) v[i] = length > 0 ? (float)(v[i] / length) : (i == 3 ? 1.0f : 0.0f);
}

void mpak_quaternion_slerp(const float a[4], const float b[4], float t, float out[4]) {
  double cosine = 0, left = 1 - (double)t, right = t;
  for (int i = 0; i < 4; ++i) cosine += (double)a[i] * b[i];
  double sign = cosine < 0 ? -1 : 1;
  if (cosine * sign <= POSE_SLERP_LINEAR_ABOVE) {
    double angle = pose_acos(cosine * sign), sine = pose_sin(angle);
    left = pose_sin(left * angle) / sine;
    right = pose_sin(right * angle) / sine;
  }
  for (int i = 0; i < 4; ++i) out[i] = (float)(left * a[i] + right * sign * b[i]);
  pose_normalise_quaternion(out);
}
