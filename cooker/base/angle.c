#include "cooker/base/angle.h"

#include <math.h>

#define ANGLE_PI 3.14159265358979323846

/// Abramowitz and Stegun, Handbook of Mathematical Functions, 4.4.46: acos x = sqrt(1 - x) * polynomial for 0 <= x <=
/// 1, error at most 2e-8.
static double angle_acos_positive(double x) {
  static const double coefficients[8] = {1.5707963050, -0.2145988016, 0.0889789874, -0.0501743046,
                                         0.0308918810, -0.0170881256, 0.0066700901, -0.0012624911};
  double sum = coefficients[7];
  for (int i = 6; i >= 0; i--) sum = sum * x + coefficients[i];
  return sqrt(1 - x) * sum;
}

double angle_acos(double x) {
  if (x >= 1) return 0;
  if (x <= -1) return ANGLE_PI;
  return x >= 0 ? angle_acos_positive(x) : ANGLE_PI - angle_acos_positive(-x);
}

/// Taylor's series, for |x| up to pi / 4: what comes behind is below 1e-18.
static double angle_series(double x, double first, int first_number) {
  double term = first, sum = first;
  for (int n = first_number; n <= first_number + 16; n += 2) {
    term *= -x * x / ((n + 1) * (n + 2));
    sum += term;
  }
  return sum;
}

void angle_sin_cos(double degrees, double *sine, double *cosine) {
  *sine = 0;
  *cosine = 1;
  if (!isfinite(degrees)) return;
  const double turns = floor(degrees / 360);
  const double rest = degrees - 360 * turns; // in [0, 360]; an angle beyond 2^53 turns has no meaning any more
  const double quarter = floor(rest / 90 + 0.5);
  const double x = (rest - 90 * quarter) * (ANGLE_PI / 180);
  const double s = angle_series(x, x, 1), c = angle_series(x, 1, 0);
  const int side = (int)quarter & 3;
  *sine = side == 0 ? s : side == 1 ? c : side == 2 ? -s : -c;
  *cosine = side == 0 ? c : side == 1 ? -s : side == 2 ? -c : s;
}
