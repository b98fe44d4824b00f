/// normals_math.h: three-component vectors in double precision, as the stages on normals and tangents use them.
#ifndef COOK_NORMALS_MATH_H
#define COOK_NORMALS_MATH_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct vec3 {
  double x, y, z;
} vec3;

static inline vec3 vec3_of(const float *v) { return (vec3){v[0], v[1], v[2]}; }
static inline vec3 vec3_add(vec3 a, vec3 b) { return (vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec3 vec3_sub(vec3 a, vec3 b) { return (vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline vec3 vec3_scale(vec3 a, double s) { return (vec3){a.x * s, a.y * s, a.z * s}; }
static inline double vec3_dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vec3 vec3_cross(vec3 a, vec3 b) {
  return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double vec3_length(vec3 a) { return sqrt(vec3_dot(a, a)); }
static inline void vec3_store(float *to, vec3 a) {
  to[0] = (float)a.x;
  to[1] = (float)a.y;
  to[2] = (float)a.z;
}

/// A vector shorter than this is no direction. Products of float positions stay far above it unless they are 0.
#define VEC3_SHORTEST 1e-150

/// a at length 1, or zero when a is no direction.
static inline vec3 vec3_unit(vec3 a) {
  const double length = vec3_length(a);
  return length > VEC3_SHORTEST ? vec3_scale(a, 1 / length) : (vec3){0, 0, 0};
}
static inline bool vec3_is_zero(vec3 a) { return a.x == 0 && a.y == 0 && a.z == 0; }

/// Some unit vector at a right angle to the unit vector n: the axis it is furthest from, made perpendicular.
static inline vec3 vec3_perpendicular(vec3 n) {
  const double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
  const vec3 axis = x <= y && x <= z ? (vec3){1, 0, 0} : y <= z ? (vec3){0, 1, 0} : (vec3){0, 0, 1};
  return vec3_unit(vec3_sub(axis, vec3_scale(n, vec3_dot(n, axis))));
}

/// A change of a normal shorter than this is rounding of positions, not movement: it is stored as exactly 0.
#define NORMAL_DELTA_SHORTEST 1.52587890625e-05 // 2^-16, below a thousandth of a degree

#endif
