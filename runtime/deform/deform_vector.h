/// deform_vector.h: three-component vectors of the CPU deformers. Private to runtime/deform.
#ifndef MPAK_DEFORM_VECTOR_H
#define MPAK_DEFORM_VECTOR_H

#include <math.h>

#include "format/bytes.h"

static inline bool deform_is_finite(const float v[3]) {
  return bytes_float_is_finite(v[0]) && bytes_float_is_finite(v[1]) && bytes_float_is_finite(v[2]);
}

static inline float deform_dot(const float a[3], const float b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Unit length for v where it is longer than shortest, and finite; false, and v unchanged, otherwise.
static inline bool deform_normalise(float v[3], float shortest) {
  float length_squared = deform_dot(v, v);
  if (!(length_squared > shortest * shortest) || !bytes_float_is_finite(length_squared)) return false;
  float factor = 1.0f / sqrtf(length_squared);
  for (int i = 0; i < 3; ++i) v[i] *= factor;
  return true;
}

/// Squares of lengths between these have lost no digits.
#define DEFORM_LEAST_SQUARE    1e-24f
#define DEFORM_GREATEST_SQUARE 1e24f

/// The same for vectors of any magnitude, also where the square leaves a float's range; false only for zero and what is
/// not finite.
static inline bool deform_normalise_any(float v[3]) {
  float length_squared = deform_dot(v, v);
  if (length_squared >= DEFORM_LEAST_SQUARE && length_squared <= DEFORM_GREATEST_SQUARE) {
    float factor = 1.0f / sqrtf(length_squared);
    for (int i = 0; i < 3; ++i) v[i] *= factor;
    return true;
  }
  float largest = fabsf(v[0]);
  if (fabsf(v[1]) > largest) largest = fabsf(v[1]);
  if (fabsf(v[2]) > largest) largest = fabsf(v[2]);
  if (!(largest > 0) || !deform_is_finite(v)) return false;
  float scaled[3] = {v[0] / largest, v[1] / largest, v[2] / largest};
  float length = sqrtf(deform_dot(scaled, scaled));
  for (int i = 0; i < 3; ++i) v[i] = scaled[i] / length;
  return true;
}

#endif
