// Clips: the interpolation modes at, between and beyond keys, in the float sampler and in the double reference alike.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/reference/mpak_reference.h"
#include "tests/support/mt_pose.h"

#define HALF 0.70710678f

/// A scene with one node "head" that draws a mesh with one control, and both samplers over it.
typedef struct clip_bench {
  mt_pose_scene *scene;
  mpak_pose pose;
  mpak_ref_pose reference;
  void *memory[2];
} clip_bench;

static void bench_begin(clip_bench *bench, uint32_t control_count) {
  const float rest_t[3] = {5, 6, 7}, rest_s[3] = {2, 3, 4};
  bench->scene = mt_pose_make();
  mt_pose_add_node(bench->scene, "head", MPAK_NONE, rest_t, NULL, rest_s);
  mt_pose_add_mesh(bench->scene, "face");
  for (uint32_t c = 0; c < control_count; ++c) mt_pose_add_control(bench->scene, "MouthOpen", 0.125f, -10, 10);
  mt_pose_add_instance(bench->scene, 0, 0, MPAK_NONE);
}

/// The scene is complete: makes the poses.
static void bench_ready(clip_bench *bench) {
  const mpak_pack *pack = &bench->scene->pack;
  uint64_t pose_bytes = mpak_pose_bytes(pack), reference_bytes = mpak_ref_pose_bytes(pack);
  bench->memory[0] = mt_pose_memory(pose_bytes);
  bench->memory[1] = mt_pose_memory(reference_bytes);
  assert_int_equal(mpak_pose_init(pack, bench->memory[0], pose_bytes, &bench->pose), MPAK_OK);
  assert_int_equal(mpak_ref_pose_init(pack, bench->memory[1], reference_bytes, &bench->reference), MPAK_OK);
}

static void bench_sample(clip_bench *bench, uint32_t clip, double time_s) {
  mpak_pose_sample(&bench->pose, &bench->scene->clips, clip, time_s);
  mpak_ref_sample(&bench->reference, &bench->scene->clips, clip, time_s);
}

static void bench_end(clip_bench *bench) {
  free(bench->memory[0]);
  free(bench->memory[1]);
  free(bench->scene);
}

static void expect_weight(clip_bench *bench, double time_s, double expected) {
  bench_sample(bench, 0, time_s);
  MT_POSE_NEAR(bench->pose.weights[0], expected, 1e-6);
  MT_POSE_NEAR(bench->reference.weights[0], expected, 1e-12);
}

static void expect_translation(clip_bench *bench, double time_s, double x, double y, double z) {
  const double expected[3] = {x, y, z};
  bench_sample(bench, 0, time_s);
  for (int i = 0; i < 3; ++i) MT_POSE_NEAR(bench->pose.locals[0].translation[i], expected[i], 2e-6);
  for (int i = 0; i < 3; ++i) MT_POSE_NEAR(bench->reference.translation[0][i], expected[i], 1e-6);
}

static void expect_rotation(clip_bench *bench, double time_s, double x, double y, double z, double w) {
  const double expected[4] = {x, y, z, w};
  bench_sample(bench, 0, time_s);
  for (int i = 0; i < 4; ++i) MT_POSE_NEAR(bench->pose.locals[0].rotation[i], expected[i], 5e-7);
  for (int i = 0; i < 4; ++i) MT_POSE_NEAR(bench->reference.rotation[0][i], expected[i], 1e-7);
}

static void test_linear_weights_mouth_open(void **state) {
  (void)state;
  // the morph document's own example: MouthOpen, times 0, 0.5, 1, weights 0, 1, 0
  const float times[3] = {0, 0.5f, 1}, values[3] = {0, 1, 0};
  clip_bench bench;
  bench_begin(&bench, 1);
  mt_pose_add_clip(bench.scene, "talk", 0, 1);
  mt_pose_add_track(bench.scene, 0, MPAK_PATH_WEIGHTS, MPAK_LINEAR, 3, times, values);
  bench_ready(&bench);
  expect_weight(&bench, 0.25, 0.5);
  expect_weight(&bench, 0.5, 1);
  expect_weight(&bench, 0.625, 0.75);
  expect_weight(&bench, 0, 0);
  expect_weight(&bench, 1, 0);
  expect_weight(&bench, 0.9, 0.2);
  bench_end(&bench);
}

static void test_before_and_after_the_keys_the_ends_hold(void **state) {
  (void)state;
  const float times[2] = {1, 2}, values[2] = {0.25f, 0.75f};
  clip_bench bench;
  bench_begin(&bench, 1);
  mt_pose_add_clip(bench.scene, "late", 1, 2);
  mt_pose_add_track(bench.scene, 0, MPAK_PATH_WEIGHTS, MPAK_LINEAR, 2, times, values);
  bench_ready(&bench);
  expect_weight(&bench, 0, 0.25);
  expect_weight(&bench, -1e30, 0.25);
  expect_weight(&bench, 1, 0.25);
  expect_weight(&bench, 2, 0.75);
  expect_weight(&bench, 3, 0.75);
  expect_weight(&bench, INFINITY, 0.75);
  mpak_pose_sample(&bench.pose, &bench.scene->clips, 0, NAN);
  assert_float_equal(bench.pose.weights[0], 0.25, 0); // NaN is the clip's start
  bench_end(&bench);
}

static void test_step_holds_until_the_next_key(void **state) {
  (void)state;
  const float times[3] = {0, 1, 2}, values[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  clip_bench bench;
  bench_begin(&bench, 0);
  mt_pose_add_clip(bench.scene, "hop", 0, 2);
  mt_pose_add_track(bench.scene, 0, MPAK_PATH_TRANSLATION, MPAK_STEP, 3, times, values);
  bench_ready(&bench);
  expect_translation(&bench, 0.999999, 1, 2, 3);
  expect_translation(&bench, 1, 4, 5, 6);
  expect_translation(&bench, 1.5, 4, 5, 6);
  expect_translation(&bench, 2, 7, 8, 9);
  expect_translation(&bench, 9, 7, 8, 9);
  bench_end(&bench);
}

static void test_linear_translation_and_scale_many_keys(void **state) {
  (void)state;
  float times[33], values[99];
  clip_bench bench;
  for (int k = 0; k < 33; ++k) {
    times[k] = (float)k * 0.25f;
    for (int i = 0; i < 3; ++i) values[k * 3 + i] = (float)((k * 7 + i * 3) % 11);
  }
  bench_begin(&bench, 0);
  mt_pose_add_clip(bench.scene, "many", 0, 8);
  mt_pose_add_track(bench.scene, 0, MPAK_PATH_TRANSLATION, MPAK_LINEAR, 33, times, values);
  mt_pose_add_track(bench.scene, 0, MPAK_PATH_SCALE, MPAK_LINEAR, 33, times, values);
  bench_ready(&bench);
  for (int k = 0; k < 32; ++k) {
    const float *a = values + k * 3, *b = a + 3;
    expect_translation(&bench, times[k], a[0], a[1], a[2]); // exactly on a key: that key
    expect_translation(&bench, times[k] + 0.1875, a[0] + 0.75 * (b[0] - a[0]), a[1] + 0.75 * (b[1] - a[1]),
                       a[2] + 0.75 * (b[2] - a[2]));
    for (int i = 0; i < 3; ++i) MT_POSE_NEAR(bench.pose.locals[0].scale[i], a[i] + 0.75 * (b[i] - a[i]), 2e-6);
    for (int i = 0; i < 3; ++i) MT_POSE_NEAR(bench.reference.scale[0][i], a[i] + 0.75 * (b[i] - a[i]), 1e-12);
  }
  bench_end(&bench);
}

static void test_linear_rotation_is_slerp_on_the_shorter_arc(void **state) {
  (void)state;
  // 0, then 90 degrees about z with the other sign, then 90.5 degrees: an arc that the sampler takes as a chord
  const float times[3] = {0, 1, 2};
  const float values[12] = {0, 0, 0, 1, 0, 0, -HALF, -HALF, 0, 0, 0.71018568f, 0.70401480f};
  clip_bench bench;
  bench_begin(&bench, 0);
  mt_pose_add_clip(bench.scene, "turn", 0, 2);
  mt_pose_add_track(bench.scene, 0, MPAK_PATH_ROTATION, MPAK_LINEAR, 3, times, values);
  bench_ready(&bench);
  const double radians = 3.14159265358979323846 / 180;
  for (int i = 1; i < 8; ++i) {
    double half_angle = 45 * radians * i / 8;
    expect_rotation(&bench, i / 8.0, 0, 0, sin(half_angle), cos(half_angle));
  }
  expect_rotation(&bench, 1, 0, 0, -HALF, -HALF); // the key's own sign
  expect_rotation(&bench, 1.5, 0, 0, -sin(45.125 * radians), -cos(45.125 * radians));
  bench_end(&bench);
}

static void test_step_and_clamped_rotations_are_normalised(void **state) {
  (void)state;
  const float times[2] = {0, 1}, values[8] = {0, 0, 3, 4, 0, 2, 0, 0};
  clip_bench bench;
  bench_begin(&bench, 0);
  mt_pose_add_clip(bench.scene, "long", 0, 1);
  mt_pose_add_track(bench.scene, 0, MPAK_PATH_ROTATION, MPAK_STEP, 2, times, values);
  bench_ready(&bench);
  expect_rotation(&bench, 0.5, 0, 0, 0.6, 0.8);
  expect_rotation(&bench, 1, 0, 1, 0, 0);
  bench_end(&bench);
}

/// p(t) = 2t³ - 3t² + t + 0.5 and its derivative: a Hermite spline with true tangents must give back the polynomial.
static double polynomial(double t) { return ((2 * t - 3) * t + 1) * t + 0.5; }
static double polynomial_slope(double t) { return (6 * t - 6) * t + 1; }

static void test_cubicspline_reproduces_a_cubic(void **state) {
  (void)state;
  const float times[4] = {0, 0.5f, 1.25f, 3}; // distances that are not 1: tangents must be scaled by them
  float values[36];
  clip_bench bench;
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < 3; ++i) {
      values[k * 9 + i] = values[k * 9 + 6 + i] = (float)((i + 1) * polynomial_slope(times[k]));
      values[k * 9 + 3 + i] = (float)((i + 1) * polynomial(times[k]));
    }
  }
  bench_begin(&bench, 0);
  mt_pose_add_clip(bench.scene, "cubic", 0, 3);
  mt_pose_add_track(bench.scene, 0, MPAK_PATH_TRANSLATION, MPAK_CUBICSPLINE, 4, times, values);
  bench_ready(&bench);
  for (int i = 0; i <= 60; ++i) {
    double t = i / 20.0, p = polynomial(t);
    bench_sample(&bench, 0, t);
    for (int c = 0; c < 3; ++c) MT_POSE_NEAR(bench.pose.locals[0].translation[c], (c + 1) * p, 2e-5);
    for (int c = 0; c < 3; ++c) MT_POSE_NEAR(bench.reference.translation[0][c], (c + 1) * p, 1e-6);
  }
  expect_translation(&bench, -1, 0.5, 1, 1.5);                                        // the first value, not a tangent
  expect_translation(&bench, 4, polynomial(3), 2 * polynomial(3), 3 * polynomial(3)); // the last value
  bench_end(&bench);
}

static void test_cubicspline_rotation_is_normalised(void **state) {
  (void)state;
  // no tangents, halfway: the mean of the two keys, which is shorter than 1
  const float times[2] = {0, 2};
  const float values[24] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, HALF, HALF, 0, 0, 0, 0};
  const double x = HALF / 2, w = (1 + HALF) / 2, length = sqrt(x * x + w * w);
  clip_bench bench;
  bench_begin(&bench, 0);
  mt_pose_add_clip(bench.scene, "cubic", 0, 2);
  mt_pose_add_track(bench.scene, 0, MPAK_PATH_ROTATION, MPAK_CUBICSPLINE, 2, times, values);
  bench_ready(&bench);
  expect_rotation(&bench, 1, 0, 0, x / length, w / length);
  bench_end(&bench);
}

static void test_cubicspline_weights_of_two_controls(void **state) {
  (void)state;
  // key: in-tangents of both, values of both, out-tangents of both
  const float times[2] = {0, 1}, values[12] = {9, 9, 0, 1, 1, -1, 1, -1, 1, 0, 9, 9};
  clip_bench bench;
  bench_begin(&bench, 2);
  mt_pose_add_clip(bench.scene, "cubic", 0, 1);
  mt_pose_add_track(bench.scene, 0, MPAK_PATH_WEIGHTS, MPAK_CUBICSPLINE, 2, times, values);
  bench_ready(&bench);
  // values 0 → 1 with slopes 1 and 1 is the straight line; the other control runs the other way
  expect_weight(&bench, 0.3, 0.3);
  MT_POSE_NEAR(bench.pose.weights[1], 0.7, 1e-6);
  MT_POSE_NEAR(bench.reference.weights[1], 0.7, 1e-6);
  bench_end(&bench);
}

static void test_one_key_is_always_that_key(void **state) {
  (void)state;
  const float time = 3, value = 0.5f;
  for (int mode = MPAK_STEP; mode <= MPAK_LINEAR; ++mode) {
    clip_bench bench;
    bench_begin(&bench, 1);
    mt_pose_add_clip(bench.scene, "pose", 3, 3);
    mt_pose_add_track(bench.scene, 0, MPAK_PATH_WEIGHTS, (mpak_interpolation)mode, 1, &time, &value);
    bench_ready(&bench);
    expect_weight(&bench, 0, 0.5);
    expect_weight(&bench, 3, 0.5);
    expect_weight(&bench, 4, 0.5);
    bench_end(&bench);
  }
}

static void test_paths_without_tracks_keep_what_they_have(void **state) {
  (void)state;
  const float times[1] = {0}, value[3] = {1, 1, 1};
  clip_bench bench;
  bench_begin(&bench, 1);
  mt_pose_add_clip(bench.scene, "first", 0, 0);
  mt_pose_add_track(bench.scene, 0, MPAK_PATH_TRANSLATION, MPAK_LINEAR, 1, times, value);
  mt_pose_add_clip(bench.scene, "second", 0, 0);
  mt_pose_add_track(bench.scene, 0, MPAK_PATH_SCALE, MPAK_LINEAR, 1, times, value);
  bench_ready(&bench);
  bench_sample(&bench, 0, 0);
  assert_float_equal(bench.pose.locals[0].scale[2], 4, 0); // the rest value, not 1
  assert_float_equal(bench.pose.weights[0], 0.125, 0);     // the default weight
  assert_true(bench.reference.scale[0][2] == 4 && bench.reference.weights[0] == 0.125);
  bench_sample(&bench, 1, 0); // clips in order: the second one keeps the first one's translation
  assert_float_equal(bench.pose.locals[0].translation[0], 1, 0);
  assert_float_equal(bench.pose.locals[0].scale[2], 1, 0);
  assert_true(bench.reference.translation[0][0] == 1 && bench.reference.scale[0][2] == 1);
  mpak_pose_rest(&bench.pose);
  assert_float_equal(bench.pose.locals[0].translation[0], 5, 0);
  bench_end(&bench);
}

static void test_sampling_raises_the_version(void **state) {
  (void)state;
  const float times[1] = {0}, value[3] = {1, 1, 1};
  clip_bench bench;
  bench_begin(&bench, 0);
  mt_pose_add_clip(bench.scene, "clip", 0, 0);
  mt_pose_add_track(bench.scene, 0, MPAK_PATH_TRANSLATION, MPAK_LINEAR, 1, times, value);
  bench_ready(&bench);
  uint64_t version = bench.pose.version;
  bench_sample(&bench, 0, 0);
  assert_true(bench.pose.version > version);
  bench_end(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_linear_weights_mouth_open),
      cmocka_unit_test(test_before_and_after_the_keys_the_ends_hold),
      cmocka_unit_test(test_step_holds_until_the_next_key),
      cmocka_unit_test(test_linear_translation_and_scale_many_keys),
      cmocka_unit_test(test_linear_rotation_is_slerp_on_the_shorter_arc),
      cmocka_unit_test(test_step_and_clamped_rotations_are_normalised),
      cmocka_unit_test(test_cubicspline_reproduces_a_cubic),
      cmocka_unit_test(test_cubicspline_rotation_is_normalised),
      cmocka_unit_test(test_cubicspline_weights_of_two_controls),
      cmocka_unit_test(test_one_key_is_always_that_key),
      cmocka_unit_test(test_paths_without_tracks_keep_what_they_have),
      cmocka_unit_test(test_sampling_raises_the_version),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
