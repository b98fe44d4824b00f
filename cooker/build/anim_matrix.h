/// anim_matrix.h: 3 rows of 4, column vectors, in double precision. Private to clip compression.
#ifndef COOK_ANIM_MATRIX_H
#define COOK_ANIM_MATRIX_H

#include <math.h>

#include "cooker/build/anim.h"

static inline void anim_matrix_of_local(const anim_local *local, double m[12]) {
  const double x = local->rotation[0], y = local->rotation[1], z = local->rotation[2], w = local->rotation[3];
  const double r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                       2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                       2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
  for (int row = 0; row < 3; row++) {
    for (int c = 0; c < 3; c++) m[4 * row + c] = r[3 * row + c] * local->scale[c];
    m[4 * row + 3] = local->translation[row];
  }
}

/// out = a * b; out is neither.
static inline void anim_matrix_multiply(const double *restrict a, const double *restrict b, double *restrict out) {
  for (int row = 0; row < 3; row++) {
    const double *r = a + 4 * row;
    for (int c = 0; c < 4; c++) out[4 * row + c] = r[0] * b[c] + r[1] * b[4 + c] + r[2] * b[8 + c];
    out[4 * row + 3] += r[3];
  }
}

static inline double anim_column_length(const double m[12], int c) {
  return sqrt(m[c] * m[c] + m[4 + c] * m[4 + c] + m[8 + c] * m[8 + c]);
}

#endif
