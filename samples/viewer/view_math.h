/// view_math.h: the little arithmetic of a camera. Vectors are float[3]; matrices are column-major, as GL takes them.
#ifndef VIEW_MATH_H
#define VIEW_MATH_H

#include <math.h>
#include <stdbool.h>

typedef struct view_matrix {
  float m[16];
} view_matrix;

/// A box; empty while min is above max.
typedef struct view_box {
  float min[3], max[3];
} view_box;

static inline float vec_dot(const float a[3], const float b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline void vec_cross(const float a[3], const float b[3], float out[3]) {
  const float x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  out[0] = x, out[1] = y, out[2] = z;
}

static inline void vec_normalise(float v[3]) {
  const float length = sqrtf(vec_dot(v, v));
  for (int i = 0; i < 3 && length > 0; i++) v[i] /= length;
}

static inline float vec_distance(const float a[3], const float b[3]) {
  const float d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return sqrtf(vec_dot(d, d));
}

static inline view_box box_empty(void) {
  return (view_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static inline bool box_is_empty(const view_box *box) { return !(box->min[0] <= box->max[0]); }

static inline void box_add(view_box *box, const float point[3]) {
  for (int i = 0; i < 3; i++) {
    if (point[i] < box->min[i]) box->min[i] = point[i];
    if (point[i] > box->max[i]) box->max[i] = point[i];
  }
}

/// Grows box by all of other; an empty one adds nothing.
static inline void box_join(view_box *box, const view_box *other) {
  if (box_is_empty(other)) return;
  box_add(box, other->min);
  box_add(box, other->max);
}

static inline float box_largest_side(const view_box *box) {
  float side = 0;
  for (int i = 0; i < 3; i++)
    if (box->max[i] - box->min[i] > side) side = box->max[i] - box->min[i];
  return side;
}

/// Half the diagonal.
static inline float box_radius(const view_box *box) { return 0.5f * vec_distance(box->min, box->max); }

static inline void box_centre(const view_box *box, float out[3]) {
  for (int i = 0; i < 3; i++) out[i] = 0.5f * (box->min[i] + box->max[i]);
}

/// Three unit vectors, square to one another: a camera's right, up and backward.
typedef struct view_axes {
  float rows[3][3];
} view_axes;

/// A point of the world along the axes.
static inline void axes_from_world(const view_axes *axes, const float point[3], float out[3]) {
  const float x = vec_dot(axes->rows[0], point), y = vec_dot(axes->rows[1], point), z = vec_dot(axes->rows[2], point);
  out[0] = x, out[1] = y, out[2] = z;
}

/// The way back.
static inline void axes_to_world(const view_axes *axes, const float point[3], float out[3]) {
  const float along[3] = {point[0], point[1], point[2]};
  for (int i = 0; i < 3; i++)
    out[i] = along[0] * axes->rows[0][i] + along[1] * axes->rows[1][i] + along[2] * axes->rows[2][i];
}

/// a * b. out may be neither.
static inline void matrix_multiply(const view_matrix *a, const view_matrix *b, view_matrix *out) {
  for (int c = 0; c < 4; c++)
    for (int r = 0; r < 4; r++) {
      float sum = 0;
      for (int k = 0; k < 4; k++) sum += a->m[k * 4 + r] * b->m[c * 4 + k];
      out->m[c * 4 + r] = sum;
    }
}

/// View space from world space: eye looks along forward (unit), up is not parallel to it.
static inline view_matrix matrix_look(const float eye[3], const float forward[3], const float up[3]) {
  float side[3], top[3];
  vec_cross(forward, up, side);
  vec_normalise(side);
  vec_cross(side, forward, top);
  view_matrix out = {{side[0], top[0], -forward[0], 0, side[1], top[1], -forward[1], 0, side[2], top[2], -forward[2], 0,
                      -vec_dot(side, eye), -vec_dot(top, eye), vec_dot(forward, eye), 1}};
  return out;
}

static inline view_matrix matrix_perspective(float tan_half_fov_y, float aspect, float near_m, float far_m) {
  view_matrix out = {{0}};
  out.m[0] = 1 / (tan_half_fov_y * aspect);
  out.m[5] = 1 / tan_half_fov_y;
  out.m[10] = (far_m + near_m) / (near_m - far_m);
  out.m[11] = -1;
  out.m[14] = 2 * far_m * near_m / (near_m - far_m);
  return out;
}

/// Half sizes in metres; depth from near_m to far_m.
static inline view_matrix matrix_orthographic(float half_width, float half_height, float near_m, float far_m) {
  view_matrix out = {{0}};
  out.m[0] = 1 / half_width;
  out.m[5] = 1 / half_height;
  out.m[10] = 2 / (near_m - far_m);
  out.m[14] = (far_m + near_m) / (near_m - far_m);
  out.m[15] = 1;
  return out;
}

#endif
