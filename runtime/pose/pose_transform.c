/// pose_transform.c: VQS transforms and 3x4 matrices.
///
/// Multiply and its two paths are those of Unreal Engine's FTransform as the skeletal document describes them (9.3).
/// Quaternion to matrix and back: Shoemake, "Animating rotation with quaternion curves", SIGGRAPH 1985, with the
/// branch on the largest diagonal element for the way back.
#include "runtime/mpak_pose.h"

#include <math.h>
#include <string.h>

mpak_transform mpak_transform_identity(void) {
  return (mpak_transform){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1, 0}};
}

void mpak_matrix_of_transform(const mpak_transform *transform, mpak_matrix *out) {
  const float *s = transform->scale, *t = transform->translation;
  float x = transform->rotation[0], y = transform->rotation[1], z = transform->rotation[2], w = transform->rotation[3];
  const float rotation[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                             2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                             2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) out->m[r * 4 + c] = rotation[r * 3 + c] * s[c];
    out->m[r * 4 + 3] = t[r];
  }
}

void mpak_matrix_multiply(const mpak_matrix *a, const mpak_matrix *b, mpak_matrix *out) {
  mpak_matrix product;
  for (int r = 0; r < 3; ++r) {
    const float *row = a->m + r * 4;
    for (int c = 0; c < 4; ++c) {
      product.m[r * 4 + c] = row[0] * b->m[c] + row[1] * b->m[4 + c] + row[2] * b->m[8 + c] + (c == 3 ? row[3] : 0.0f);
    }
  }
  *out = product;
}

void mpak_matrix_transform_point(const mpak_matrix *matrix, const float point[3], float out[3]) {
  float x = point[0], y = point[1], z = point[2];
  for (int r = 0; r < 3; ++r) {
    const float *row = matrix->m + r * 4;
    out[r] = row[0] * x + row[1] * y + row[2] * z + row[3];
  }
}

/// a * b: first b, then a. out is neither.
static void transform_quaternion_multiply(const float a[4], const float b[4], float out[4]) {
  out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
  out[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
  out[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
  out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

/// v turned by a unit quaternion: v + 2w(u x v) + 2u x (u x v).
static void transform_rotate(const float q[4], const float v[3], float out[3]) {
  float c[3] = {q[1] * v[2] - q[2] * v[1], q[2] * v[0] - q[0] * v[2], q[0] * v[1] - q[1] * v[0]};
  float d[3] = {q[1] * c[2] - q[2] * c[1], q[2] * c[0] - q[0] * c[2], q[0] * c[1] - q[1] * c[0]};
  for (int i = 0; i < 3; ++i) out[i] = v[i] + 2 * (q[3] * c[i] + d[i]);
}

void mpak_transform_multiply_fast(const mpak_transform *first, const mpak_transform *second, mpak_transform *out) {
  mpak_transform product = {{0}, {0}, {0}};
  float scaled[3], rotated[3];
  transform_quaternion_multiply(second->rotation, first->rotation, product.rotation);
  for (int i = 0; i < 3; ++i) scaled[i] = second->scale[i] * first->translation[i];
  transform_rotate(second->rotation, scaled, rotated);
  for (int i = 0; i < 3; ++i) {
    product.translation[i] = second->translation[i] + rotated[i];
    product.scale[i] = first->scale[i] * second->scale[i];
  }
  *out = product;
}

/// The quaternion of a rotation matrix whose columns are axes[0], axes[1], axes[2].
static void transform_quaternion_of_axes(float axes[3][3], float out[4]) {
  float trace = axes[0][0] + axes[1][1] + axes[2][2];
  if (trace > 0) {
    float s = sqrtf(trace + 1) * 2;
    out[3] = s / 4;
    out[0] = (axes[1][2] - axes[2][1]) / s;
    out[1] = (axes[2][0] - axes[0][2]) / s;
    out[2] = (axes[0][1] - axes[1][0]) / s;
    return;
  }
  int i = axes[1][1] > axes[0][0] ? 1 : 0;
  if (axes[2][2] > axes[i][i]) i = 2;
  int j = (i + 1) % 3, k = (i + 2) % 3;
  float s = sqrtf(1 + axes[i][i] - axes[j][j] - axes[k][k]) * 2;
  out[i] = s / 4;
  out[j] = (axes[j][i] + axes[i][j]) / s;
  out[k] = (axes[k][i] + axes[i][k]) / s;
  out[3] = (axes[j][k] - axes[k][j]) / s;
}

/// Column c of the matrix, of unit length, with the wished sign; the unit axis where there is none.
static void transform_axis(const mpak_matrix *matrix, int c, float sign, float out[3]) {
  float x = matrix->m[c], y = matrix->m[4 + c], z = matrix->m[8 + c];
  float length = sqrtf(x * x + y * y + z * z);
  bool has_length = length > 0 && length <= 3.0e38f;
  out[0] = has_length ? sign * x / length : (c == 0 ? 1.0f : 0.0f);
  out[1] = has_length ? sign * y / length : (c == 1 ? 1.0f : 0.0f);
  out[2] = has_length ? sign * z / length : (c == 2 ? 1.0f : 0.0f);
}

void mpak_transform_multiply_by_matrix(const mpak_transform *first, const mpak_transform *second, mpak_transform *out) {
  mpak_matrix a, b, matrix;
  float axes[3][3];
  mpak_transform product = {{0}, {0}, {0}};
  mpak_matrix_of_transform(first, &b);
  mpak_matrix_of_transform(second, &a);
  mpak_matrix_multiply(&a, &b, &matrix);
  for (int i = 0; i < 3; ++i) {
    product.scale[i] = first->scale[i] * second->scale[i];
    product.translation[i] = matrix.m[i * 4 + 3];
    transform_axis(&matrix, i, product.scale[i] < 0 ? -1.0f : 1.0f, axes[i]);
  }
  transform_quaternion_of_axes(axes, product.rotation);
  *out = product;
}

static bool transform_has_negative_scale(const mpak_transform *transform) {
  return transform->scale[0] < 0 || transform->scale[1] < 0 || transform->scale[2] < 0;
}

void mpak_transform_multiply(const mpak_transform *first, const mpak_transform *second, mpak_transform *out) {
  if (transform_has_negative_scale(first) || transform_has_negative_scale(second)) {
    mpak_transform_multiply_by_matrix(first, second, out);
  } else {
    mpak_transform_multiply_fast(first, second, out);
  }
}
