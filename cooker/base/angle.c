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
