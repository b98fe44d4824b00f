/// ref_math.h: double-precision vectors and 3x4 matrices of the reference. Private to runtime/reference.
///
/// Matrices are 3 rows of 4, row-major, for column vectors; the fourth row is 0 0 0 1.
#ifndef MPAK_REF_MATH_H
#define MPAK_REF_MATH_H

#include <math.h>
#include <stdint.h>

static inline double ref_dot3(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Makes the first count components of v unit length; false, and v unchanged, when they are shorter than shortest.
static inline int ref_normalise(double *v, int count, double shortest) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += v[i] * v[i];
  double length = sqrt(sum);
  if (!(length > shortest)) return 0;
  for (int i = 0; i < count; ++i) v[i] /= length;
  return 1;
}

/// out = a * b: first b, then a. out may be neither a nor b.
static inline void ref_multiply(double out[12], const double a[12], const double b[12]) {
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c) {
      double sum = c == 3 ? a[r * 4 + 3] : 0;
      for (int k = 0; k < 3; ++k) sum += a[r * 4 + k] * b[k * 4 + c];
      out[r * 4 + c] = sum;
    }
  }
}

static inline void ref_transform_direction(double out[3], const double m[12], const double v[3]) {
  for (int r = 0; r < 3; ++r) out[r] = ref_dot3(m + r * 4, v);
}

static inline void ref_transform_point(double out[3], const double m[12], const double p[3]) {
  for (int r = 0; r < 3; ++r) out[r] = ref_dot3(m + r * 4, p) + m[r * 4 + 3];
}

/// The cofactors of the 3x3 part: its determinant times its inverse transpose, and exists where the inverse does not.
/// Returns the determinant.
static inline double ref_cofactors(double out[3][3], const double m[12]) {
  for (int r = 0; r < 3; ++r) {
    const double *a = m + (r + 1) % 3 * 4, *b = m + (r + 2) % 3 * 4;
    out[r][0] = a[1] * b[2] - a[2] * b[1];
    out[r][1] = a[2] * b[0] - a[0] * b[2];
    out[r][2] = a[0] * b[1] - a[1] * b[0];
  }
  return ref_dot3(m, out[0]);
}

/// Translation * rotation * scale; rotation is a unit quaternion xyzw.
static inline void ref_matrix_of_trs(double m[12], const double t[3], const double q[4], const double s[3]) {
  double x = q[0], y = q[1], z = q[2], w = q[3];
  const double rotation[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                              2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                              2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) m[r * 4 + c] = rotation[r * 3 + c] * s[c];
    m[r * 4 + 3] = t[r];
  }
}

#endif
