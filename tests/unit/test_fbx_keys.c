// Keys for moving things: straight lines between them stay within the bound, jumps and rests need few keys.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "cooker/import/fbx_curve.h"
#include "cooker/import/fbx_keys.h"

#define SECOND FBX_TICKS_PER_SECOND

static void straight(const void *user, double ticks, bool is_before, double *value) {
  (void)user, (void)is_before;
  value[0] = 3 * ticks / SECOND;
}

static void parabola(const void *user, double ticks, bool is_before, double *value) {
  (void)user, (void)is_before;
  value[0] = ticks / SECOND * (ticks / SECOND);
}

/// 0, from one second on 5.
static void jump(const void *user, double ticks, bool is_before, double *value) {
  (void)user;
  value[0] = ticks < SECOND || (is_before && ticks == SECOND) ? 0 : 5;
}

/// Straight, with a jump of 5 at one second.
static void saw(const void *user, double ticks, bool is_before, double *value) {
  jump(user, ticks, is_before, value);
  value[0] += ticks / SECOND;
}

static void rest(const void *user, double ticks, bool is_before, double *value) {
  (void)user, (void)ticks, (void)is_before;
  value[0] = 7;
}

/// A turn about z at a growing rate: half a turn in one second.
static void spin(const void *user, double ticks, bool is_before, double *value) {
  (void)user, (void)is_before;
  const double half_angle = acos(-1) / 2 * (ticks / SECOND) * (ticks / SECOND);
  value[0] = value[1] = 0;
  value[2] = sin(half_angle);
  value[3] = cos(half_angle);
}

typedef void keys_at(const void *user, double ticks, bool is_before, double *value);

static fbx_motion motion_of_seconds(cook_job *job, keys_at *at, double *corners, uint32_t count) {
  static uint32_t keys_left;
  keys_left = 1u << 20;
  return (fbx_motion){.job = job,
                      .at = at,
                      .width = 1,
                      .bound = 1e-4,
                      .corners = corners,
                      .corner_count = count,
                      .keys_left = &keys_left};
}

static void test_fbx_keys_straight_lines_keep_their_keys(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  double corners[] = {2 * SECOND, 0, SECOND, 0};
  fbx_motion motion = motion_of_seconds(job, straight, corners, 4);
  cook_track track;
  assert_true(fbx_keys_make(&motion, &track));
  assert_int_equal(track.key_count, 3);
  assert_int_equal(track.interpolation, MPAK_LINEAR);
  for (uint32_t k = 0; k < 3; k++) assert_true(track.times[k] == (float)k && track.values[k] == 3.0f * (float)k);
  job_end(job);
}

static void test_fbx_keys_bends_are_followed_within_the_bound(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  double corners[] = {0, 2 * SECOND};
  fbx_motion motion = motion_of_seconds(job, parabola, corners, 2);
  cook_track track;
  assert_true(fbx_keys_make(&motion, &track));
  // a chord of length h is off by h^2 / 4: h = 0.02 would do; halves of 2 are at most twice as fine
  assert_true(track.key_count > 100 && track.key_count < 300);
  for (uint32_t k = 0; k + 1 < track.key_count; k++) {
    const double middle = ((double)track.times[k] + (double)track.times[k + 1]) / 2;
    const double line = ((double)track.values[k] + (double)track.values[k + 1]) / 2;
    assert_true(fabs(line - middle * middle) <= 1.01e-4);
  }
  job_end(job);
}

static void test_fbx_keys_jumps_alone_make_a_stepped_track(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  double corners[] = {0, SECOND, 2 * SECOND};
  fbx_motion motion = motion_of_seconds(job, jump, corners, 3);
  cook_track track;
  assert_true(fbx_keys_make(&motion, &track));
  assert_int_equal(track.interpolation, MPAK_STEP);
  assert_int_equal(track.key_count, 3);
  assert_true(track.values[0] == 0 && track.values[1] == 5 && track.values[2] == 5);
  job_end(job);
}

static void test_fbx_keys_a_jump_among_lines_is_two_keys(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  double corners[] = {0, SECOND, 2 * SECOND};
  fbx_motion motion = motion_of_seconds(job, saw, corners, 3);
  cook_track track;
  assert_true(fbx_keys_make(&motion, &track));
  assert_int_equal(track.interpolation, MPAK_LINEAR);
  assert_int_equal(track.key_count, 4);
  assert_true(track.times[1] == nextafterf(1, 0) && track.values[1] == 1);
  assert_true(track.times[2] == 1 && track.values[2] == 6);
  assert_true(track.values[3] == 7);
  job_end(job);
}

static void test_fbx_keys_what_rests_has_one_key(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  double corners[] = {SECOND, 2 * SECOND};
  fbx_motion motion = motion_of_seconds(job, rest, corners, 2);
  cook_track track;
  assert_true(fbx_keys_make(&motion, &track));
  assert_int_equal(track.key_count, 1);
  assert_true(track.times[0] == 1 && track.values[0] == 7);
  motion = motion_of_seconds(job, rest, corners, 0);
  assert_true(fbx_keys_make(&motion, &track));
  assert_int_equal(track.key_count, 0);
  job_end(job);
}

static void test_fbx_keys_the_range_cuts(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  double corners[] = {-SECOND, 0, 2 * SECOND, 5 * SECOND};
  fbx_motion motion = motion_of_seconds(job, straight, corners, 4);
  motion.is_cut = true;
  motion.start_ticks = SECOND;
  motion.stop_ticks = 4 * SECOND;
  cook_track track;
  assert_true(fbx_keys_make(&motion, &track));
  assert_int_equal(track.key_count, 3);
  assert_true(track.times[0] == 0 && track.values[0] == 3); // one second of the file is 0 of the clip
  assert_true(track.times[1] == 1 && track.values[1] == 6);
  assert_true(track.times[2] == 3 && track.values[2] == 12);
  job_end(job);
}

static void test_fbx_keys_turns_go_the_short_way(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  double corners[] = {0, 2 * SECOND}; // two whole turns
  fbx_motion motion = motion_of_seconds(job, spin, corners, 2);
  motion.width = 4;
  motion.is_turn = true;
  cook_track track;
  assert_true(fbx_keys_make(&motion, &track));
  assert_true(track.key_count > 100);
  for (uint32_t k = 0; k + 1 < track.key_count; k++) {
    const float *a = track.values + 4 * (size_t)k, *b = a + 4;
    assert_true(a[2] * b[2] + a[3] * b[3] > 0.99f); // of one sign, and close
    const double angle = 2 * atan2((double)a[2], (double)a[3]);
    const double seconds = (double)track.times[k];
    const double error = remainder(angle - acos(-1) * seconds * seconds, 2 * acos(-1));
    assert_true(fabs(error) < 1e-5);
  }
  job_end(job);
}

/// Far too fast to be followed.
static void frenzy(const void *user, double ticks, bool is_before, double *value) {
  parabola(user, ticks * 1e6, is_before, value);
}

static void test_fbx_keys_too_fast_is_said(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  double corners[] = {0, SECOND / 64};
  fbx_motion motion = motion_of_seconds(job, frenzy, corners, 2);
  cook_track track;
  assert_false(fbx_keys_make(&motion, &track));
  assert_true(track.key_count > 100 && track.key_count < 2000);
  job_end(job);
}

static void test_fbx_keys_are_not_endless(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  double corners[] = {0, 100000 * SECOND};
  fbx_motion motion = motion_of_seconds(job, frenzy, corners, 2);
  uint32_t keys_left = 1000;
  motion.keys_left = &keys_left;
  cook_track track;
  assert_false(fbx_keys_make(&motion, &track));
  assert_int_equal(keys_left, 0);
  assert_int_equal(track.key_count, 1002);
  job_end(job);
}

static void test_fbx_keys_slerp(void **state) {
  (void)state;
  const double a[4] = {0, 0, 0, 1}, b[4] = {0, 0, -sin(0.5), -cos(0.5)}; // one radian about z, the other sign
  for (int i = 0; i <= 10; i++) {
    double turned[4];
    fbx_keys_slerp(a, b, i / 10.0, turned);
    assert_true(fabs(turned[2] - sin(0.05 * i)) < 1e-11 && fabs(turned[3] - cos(0.05 * i)) < 1e-11);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fbx_keys_straight_lines_keep_their_keys),
      cmocka_unit_test(test_fbx_keys_bends_are_followed_within_the_bound),
      cmocka_unit_test(test_fbx_keys_jumps_alone_make_a_stepped_track),
      cmocka_unit_test(test_fbx_keys_a_jump_among_lines_is_two_keys),
      cmocka_unit_test(test_fbx_keys_what_rests_has_one_key),
      cmocka_unit_test(test_fbx_keys_the_range_cuts),
      cmocka_unit_test(test_fbx_keys_turns_go_the_short_way),
      cmocka_unit_test(test_fbx_keys_too_fast_is_said),
      cmocka_unit_test(test_fbx_keys_are_not_endless),
      cmocka_unit_test(test_fbx_keys_slerp),
  };
  return cmocka_run_group_tests_name("fbx_keys", tests, NULL, NULL);
}
