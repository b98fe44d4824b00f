/// quantised.h: from the numbers of a quantised stream to floats (SPEC.md section 9). Cooker and runtime share it, so
/// that what the cooker measured is what a game gets, bit by bit: only + - * / and square roots, each rounded by
/// itself.
#ifndef MPAK_QUANTISED_H
#define MPAK_QUANTISED_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "format/mpak_format.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MPAK_NO_NORMAL (-32768) ///< first octahedral number of a vertex without a normal

/// Number of the record of QUAN for texture coordinates of a slot; 0 … 2 are mpak_error_stream's.
#define MPAK_QUANTISED_TEXCOORD(slot) (3u + (slot))

/// A number of a grid: two roundings, that of the product and that of the sum.
static inline float mpak_grid_value(float origin, float step, uint32_t number) {
  const float product = step * (float)number;
  return origin + product;
}

/// The unit vector of two octahedral numbers between -largest and largest (Meyer et al., "On floating-point normal
/// vectors", 2010). Folding is done on whole numbers, so that all numbers of one direction give the same floats.
/// Numbers beyond the largest give some vector that is finite.
static inline void mpak_octahedral_value(int32_t a, int32_t b, int32_t largest, float normal[3]) {
  const int32_t z = largest - (a < 0 ? -a : a) - (b < 0 ? -b : b), fold = z < 0 ? z : 0;
  const float x = (float)(a < 0 ? a - fold : a + fold), y = (float)(b < 0 ? b - fold : b + fold);
  const float xx = x * x, yy = y * y, zz = (float)z * (float)z, sum = xx + yy;
  const float length = sqrtf(sum + zz);
  normal[0] = x / length;
  normal[1] = y / length;
  normal[2] = (float)z / length;
}

/// Two unit vectors square to a unit normal and to each other, without a branch that a small change could take (Duff et
/// al., "Building an orthonormal basis, revisited", 2017).
static inline void mpak_tangent_frame(const float normal[3], float first[3], float second[3]) {
  const float sign = normal[2] < 0 ? -1.0f : 1.0f, a = -1.0f / (sign + normal[2]);
  const float b = (normal[0] * normal[1]) * a;
  const float xx = (normal[0] * normal[0]) * a, yy = (normal[1] * normal[1]) * a;
  first[0] = 1.0f + sign * xx;
  first[1] = sign * b;
  first[2] = -(sign * normal[0]);
  second[0] = b;
  second[1] = sign + yy;
  second[2] = -normal[1];
}

/// The unit vector at a place of the circle around the normal. The circle is walked along the square |c| + |s| = 1: the
/// place is s for c >= 0, and 2 - s for c < 0, counted from -1 in steps of 4 / count.
static inline void mpak_tangent_value(const float normal[3], uint32_t number, uint32_t count, float tangent[3]) {
  float first[3], second[3], sum[3];
  const float place = (float)number * (4.0f / (float)count) - 1.0f; // exact: count is a power of two
  const float s = place > 1 ? 2.0f - place : place, c = place > 1 ? fabsf(s) - 1.0f : 1.0f - fabsf(s);
  mpak_tangent_frame(normal, first, second);
  for (int i = 0; i < 3; i++) {
    const float along = c * first[i], across = s * second[i];
    sum[i] = along + across;
  }
  const float xx = sum[0] * sum[0], yy = sum[1] * sum[1], zz = sum[2] * sum[2], xy = xx + yy;
  const float length = sqrtf(xy + zz);
  for (int i = 0; i < 3; i++) tangent[i] = sum[i] / length;
}

/// The record of a stream of a part; NULL: it is not quantised. Records are ordered by (part, stream).
const mpak_quantisation *mpak_quantisation_find(const mpak_quantisation *records, uint32_t count, uint32_t part,
                                                uint32_t stream);

/// A vertex from its numbers. tangent NULL: the part has none.
void mpak_quantised_vertex_value(const mpak_quantised_vertex *vertex, const mpak_quantisation *position,
                                 const mpak_quantisation *normal, const mpak_quantisation *tangent,
                                 mpak_base_vertex *out);

/// What QUAN's step[0] says of a direction: the largest octahedral number, 2^7 - 1 … 2^15 - 1, or (is_tangent) how many
/// places the circle has, 2^6 … 2^15. 0: neither.
int32_t mpak_quantised_direction(float step, bool is_tangent);

static inline int32_t mpak_octahedral_largest(uint32_t bits) { return (int32_t)(1u << (bits - 1)) - 1; }

#ifdef __cplusplus
}
#endif
#endif
