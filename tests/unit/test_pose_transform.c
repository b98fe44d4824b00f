// Transforms: Multiply and its two paths against 4x4 matrices in double, slerp against libm, and the library's own acos
// and sin.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "runtime/pose/pose_slerp.h"
#include "tests/support/mt_pose.h"

#define PI 3.14159265358979323846

/// A 4x4 matrix, [row][column], by the textbook: translate * rotate * scale.
typedef struct matrix4 {
  double m[4][4];
} matrix4;

/// The rotation matrix from the quaternion's axis and angle by Rodrigues' formula: R = I + sin a K + (1 - cos a) K².
static void rodrigues(const float q[4], double out[3][3]) {
  double length = sqrt((double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2]);
  double angle = 2 * atan2(length, q[3]);
  double k[3] = {0, 0, 0};
  for (int i = 0; i < 3 && length > 0; ++i) k[i] = q[i] / length;
  const double cross[3][3] = {{0, -k[2], k[1]}, {k[2], 0, -k[0]}, {-k[1], k[0], 0}};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      double squared = 0;
      for (int i = 0; i < 3; ++i) squared += cross[r][i] * cross[i][c];
      out[r][c] = (r == c) + sin(angle) * cross[r][c] + (1 - cos(angle)) * squared;
    }
  }
}

static matrix4 matrix4_of(const mpak_transform *transform) {
  matrix4 out = {{{0}}};
  double rotation[3][3];
  rodrigues(transform->rotation, rotation);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) out.m[r][c] = rotation[r][c] * transform->scale[c];
    out.m[r][3] = transform->translation[r];
  }
  out.m[3][3] = 1;
  return out;
}

static matrix4 matrix4_multiply(const matrix4 *a, const matrix4 *b) {
  matrix4 out = {{{0}}};
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) {
      for (int k = 0; k < 4; ++k) out.m[r][c] += a->m[r][k] * b->m[k][c];
    }
  }
  return out;
}

static void assert_same_matrix(const matrix4 *expected, const mpak_transform *actual) {
  matrix4 got = matrix4_of(actual);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c) MT_POSE_NEAR(got.m[r][c], expected->m[r][c], 2e-5);
  }
}

static void random_rotation(uint64_t *seed, float q[4]) {
  double sum = 0;
  do {
    sum = 0;
    for (int i = 0; i < 4; ++i) {
      q[i] = mt_pose_random(seed, -1, 1);
      sum += (double)q[i] * q[i];
    }
  } while (sum < 0.01 || sum > 1);
  for (int i = 0; i < 4; ++i) q[i] = (float)(q[i] / sqrt(sum));
}

/// signs: bit i makes scale i negative; is_uniform: equal magnitudes.
static mpak_transform random_transform(uint64_t *seed, unsigned signs, bool is_uniform) {
  mpak_transform out = mpak_transform_identity();
  random_rotation(seed, out.rotation);
  float magnitude = mt_pose_random(seed, 0.25f, 2);
  for (int i = 0; i < 3; ++i) {
    out.translation[i] = mt_pose_random(seed, -2, 2);
    out.scale[i] = is_uniform ? magnitude : mt_pose_random(seed, 0.25f, 2);
    if (signs >> i & 1) out.scale[i] = -out.scale[i];
  }
  return out;
}

static void test_transform_multiply_agrees_with_4x4_where_second_is_uniform(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (int i = 0; i < 20000; ++i) {
    mpak_transform first = random_transform(&seed, (unsigned)i & 7, false);
    mpak_transform second = random_transform(&seed, (unsigned)i >> 3 & 7, true);
    matrix4 a = matrix4_of(&second), b = matrix4_of(&first), expected = matrix4_multiply(&a, &b);
    mpak_transform product;
    mpak_transform_multiply(&first, &second, &product);
    assert_same_matrix(&expected, &product);
    mpak_transform_multiply(&first, &second, &first);
    assert_memory_equal(&first, &product, sizeof product); // out may be an input
  }
}

static void test_transform_multiply_agrees_with_4x4_where_first_does_not_rotate(void **state) {
  (void)state;
  uint64_t seed = 2;
  for (int i = 0; i < 5000; ++i) {
    mpak_transform first = random_transform(&seed, (unsigned)i & 7, false);
    mpak_transform second = random_transform(&seed, (unsigned)i >> 3 & 7, false);
    memcpy(first.rotation, (const float[4]){0, 0, 0, 1}, sizeof first.rotation);
    matrix4 a = matrix4_of(&second), b = matrix4_of(&first), expected = matrix4_multiply(&a, &b);
    mpak_transform product;
    mpak_transform_multiply(&first, &second, &product);
    assert_same_matrix(&expected, &product);
  }
}

static void test_transform_fast_path_is_wrong_for_negative_scale(void **state) {
  (void)state;
  // a mirror along x, applied after a quarter turn about z: x goes to y, and is not mirrored
  const float half = 0.70710678f;
  mpak_transform first = mpak_transform_identity(), second = mpak_transform_identity(), fast, right;
  first.rotation[2] = first.rotation[3] = half;
  second.scale[0] = -1;
  mpak_transform_multiply_fast(&first, &second, &fast);
  mpak_transform_multiply(&first, &second, &right);
  matrix4 fast_matrix = matrix4_of(&fast), right_matrix = matrix4_of(&right);
  // x axis → (0, 1, 0), y axis → (-1, 0, 0) → mirrored (1, 0, 0)
  MT_POSE_NEAR(right_matrix.m[1][0], 1, 1e-6);
  MT_POSE_NEAR(right_matrix.m[0][1], 1, 1e-6);
  assert_true(fabs(fast_matrix.m[0][1] - 1) > 1);
}

static void test_matrix_multiply_and_point_by_hand(void **state) {
  (void)state;
  const mpak_matrix a = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}, b = {{2, 0, 1, 3, 0, 1, 0, -1, 1, 0, 2, 5}};
  // row 1: 1*2+2*0+3*1, 1*0+2*1+3*0, 1*1+2*0+3*2, 1*3+2*-1+3*5+4 …
  const float expected[12] = {5, 2, 7, 20, 17, 6, 19, 52, 29, 10, 31, 84};
  mpak_matrix product = a;
  mpak_matrix_multiply(&product, &b, &product);
  for (int i = 0; i < 12; ++i) assert_float_equal(product.m[i], expected[i], 0);
  float point[3] = {1, -1, 2};
  mpak_matrix_transform_point(&a, point, point);
  assert_float_equal(point[0], 1 - 2 + 6 + 4, 0);
  assert_float_equal(point[1], 5 - 6 + 14 + 8, 0);
  assert_float_equal(point[2], 9 - 10 + 22 + 12, 0);
}

static void test_slerp_functions_agree_with_libm(void **state) {
  (void)state;
  for (int i = 0; i <= 100000; ++i) {
    double x = i / 100000.0;
    MT_POSE_NEAR(pose_acos(x), acos(x), 3e-8);
    MT_POSE_NEAR(pose_sin(x * PI / 2), sin(x * PI / 2), 1e-10);
  }
}

static void test_slerp_agrees_with_the_formula(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (int i = 0; i < 100000; ++i) {
    float a[4], b[4], out[4], t = mt_pose_random(&seed, 0, 1);
    random_rotation(&seed, a);
    random_rotation(&seed, b);
    if (i % 4 == 0) { // nearby keys, as most are
      for (int c = 0; c < 4; ++c) b[c] = a[c] + mt_pose_random(&seed, -0.05f, 0.05f);
    }
    double dot = 0, length_a = 0, length_b = 0;
    for (int c = 0; c < 4; ++c) {
      dot += (double)a[c] * b[c];
      length_a += (double)a[c] * a[c];
      length_b += (double)b[c] * b[c];
    }
    for (int c = 0; c < 4; ++c) b[c] = (float)(b[c] / sqrt(length_b));
    dot /= sqrt(length_a * length_b);
    double sign = dot < 0 ? -1 : 1, angle = acos(fmin(1, fabs(dot)));
    mpak_quaternion_slerp(a, b, t, out);
    for (int c = 0; c < 4; ++c) {
      double expected = angle < 1e-6 ? a[c] : (sin((1 - t) * angle) * a[c] + sin(t * angle) * sign * b[c]) / sin(angle);
      MT_POSE_NEAR(out[c], expected, 2e-6);
    }
  }
}

static void test_slerp_takes_the_shorter_arc_and_keeps_its_ends(void **state) {
  (void)state;
  const float identity[4] = {0, 0, 0, 1}, quarter[4] = {0, 0, 0.70710678f, 0.70710678f};
  const float same_quarter[4] = {0, 0, -0.70710678f, -0.70710678f}; // the same rotation, other sign
  float out[4], other[4];
  mpak_quaternion_slerp(identity, quarter, 0.5f, out);
  MT_POSE_NEAR(out[2], sin(PI / 8), 1e-7); // half of 90 degrees is 45, its half angle 22.5
  MT_POSE_NEAR(out[3], cos(PI / 8), 1e-7);
  mpak_quaternion_slerp(identity, same_quarter, 0.5f, other);
  for (int i = 0; i < 4; ++i) MT_POSE_NEAR(other[i], out[i], 1e-7);
  mpak_quaternion_slerp(identity, quarter, 0, out);
  for (int i = 0; i < 4; ++i) MT_POSE_NEAR(out[i], identity[i], 1e-7);
  mpak_quaternion_slerp(identity, quarter, 1, out);
  for (int i = 0; i < 4; ++i) MT_POSE_NEAR(out[i], quarter[i], 1e-7);
}

static void test_normalise_quaternion_survives_every_length(void **state) {
  (void)state;
  float zero[4] = {0, 0, 0, 0}, small[4] = {0, 1e-30f, 0, 0}, large[4] = {3e38f, 0, 0, 3e38f};
  pose_normalise_quaternion(zero);
  pose_normalise_quaternion(small);
  pose_normalise_quaternion(large);
  assert_float_equal(zero[3], 1, 0);
  assert_float_equal(small[1], 1, 0);
  MT_POSE_NEAR(large[0], sqrt(0.5), 1e-7);
  MT_POSE_NEAR(large[3], sqrt(0.5), 1e-7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_transform_multiply_agrees_with_4x4_where_second_is_uniform),
      cmocka_unit_test(test_transform_multiply_agrees_with_4x4_where_first_does_not_rotate),
      cmocka_unit_test(test_transform_fast_path_is_wrong_for_negative_scale),
      cmocka_unit_test(test_matrix_multiply_and_point_by_hand),
      cmocka_unit_test(test_slerp_functions_agree_with_libm),
      cmocka_unit_test(test_slerp_agrees_with_the_formula),
      cmocka_unit_test(test_slerp_takes_the_shorter_arc_and_keeps_its_ends),
      cmocka_unit_test(test_normalise_quaternion_survives_every_length),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
