// Keys for moving things: lines and cubics between them stay within the bound, and as few as that takes are made.
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

/// A track between its keys, as glTF 2.0 appendix C says.
static void sample(const cook_track *track, double seconds, double *value) {
  uint32_t k = 0;
  while (k + 2 < track->key_count && (double)track->times[k + 1] <= seconds) k++;
  const bool is_cubic = track->interpolation == MPAK_CUBICSPLINE;
  const uint32_t width = track->width, stride = is_cubic ? 3 * width : width;
  const float *a = track->values + (size_t)k * stride + (is_cubic ? width : 0), *b = a + stride;
  const double length = (double)track->times[k + 1] - (double)track->times[k];
  const double s = (seconds - (double)track->times[k]) / length;
  double from[4] = {0}, to[4] = {0}, squares = 0;
  for (uint32_t i = 0; i < width; i++) {
    from[i] = (double)a[i];
    to[i] = (double)b[i];
    value[i] = from[i] + s * (to[i] - from[i]);
    if (is_cubic)
      value[i] = (2 * s * s * s - 3 * s * s + 1) * from[i] +
                 (s * s * s - 2 * s * s + s) * length * (double)a[width + i] + (3 * s * s - 2 * s * s * s) * to[i] +
                 (s * s * s - s * s) * length * (double)b[(int64_t)i - width];
    squares += value[i] * value[i];
  }
  if (width == 4 && !is_cubic) fbx_keys_slerp(from, to, s, value);
  for (uint32_t i = 0; width == 4 && is_cubic && i < 4; i++) value[i] /= sqrt(squares);
}

/// 3 a second, from one second on 8.
static void bent(const void *user, double ticks, bool is_before, double *value) {
  straight(user, ticks, is_before, value);
  if (ticks > SECOND) value[0] += 5 * (ticks / SECOND - 1);
}

static void test_fbx_keys_straight_lines_need_their_bends(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  double corners[] = {2 * SECOND, 0, SECOND, 0, 0.5 * SECOND};
  fbx_motion motion = motion_of_seconds(job, bent, corners, 5);
  motion.is_straight = true;
  cook_track track;
  assert_true(fbx_keys_make(&motion, &track));
  assert_int_equal(track.interpolation, MPAK_LINEAR);
  assert_int_equal(track.key_count, 3); // half a second is on the way
  assert_true(track.times[0] == 0 && track.times[1] == 1 && track.times[2] == 2);
  assert_true(track.values[0] == 0 && track.values[1] == 3 && track.values[2] == 11);
  assert_int_equal(*motion.keys_left, 1u << 20);
  job_end(job);
}

/// 0, in the middle a peak that is lower than the bound, but not than what straight lines may be off.
static void bump(const void *user, double ticks, bool is_before, double *value) {
  (void)user, (void)is_before;
  const double seconds = ticks / SECOND;
  value[0] = seconds * 5 + (seconds < 1 ? seconds : 2 - seconds) * 0.9e-4;
}

static void test_fbx_keys_straight_lines_are_kept_closer(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  double corners[] = {0, SECOND, 2 * SECOND};
  fbx_motion motion = motion_of_seconds(job, bump, corners, 3);
  cook_track track;
  assert_true(fbx_keys_make(&motion, &track));
  assert_int_equal(track.key_count, 2);
  motion.is_straight = true;
  assert_true(fbx_keys_make(&motion, &track));
  assert_int_equal(track.key_count, 3);
  job_end(job);
}

static void test_fbx_keys_cubics_are_kept_whole(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  double corners[] = {0, SECOND, 2 * SECOND};
  fbx_motion motion = motion_of_seconds(job, parabola, corners, 3);
  cook_track track;
  assert_true(fbx_keys_make(&motion, &track));
  assert_int_equal(track.interpolation, MPAK_CUBICSPLINE);
  assert_int_equal(track.key_count, 2);
  const float expected[] = {0, 0, 0, 4, 4, 0}; // slope 2 t
  for (int i = 0; i < 6; i++) assert_true(fabsf(track.values[i] - expected[i]) < 1e-6f);
  assert_int_equal(track.value_count, 6);
  job_end(job);
}

/// sin 5t, which no cubic is.
static void wave(const void *user, double ticks, bool is_before, double *value) {
  (void)user, (void)is_before;
  value[0] = sin(5 * ticks / SECOND);
}

static void test_fbx_keys_bends_are_followed_within_the_bound(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  double corners[] = {0, 2 * SECOND};
  fbx_motion motion = motion_of_seconds(job, wave, corners, 2);
  cook_track track = {.width = 1};
  assert_true(fbx_keys_make(&motion, &track));
  assert_int_equal(track.interpolation, MPAK_CUBICSPLINE);
  // a cubic through four points of a way h is off by (5 h)^4 / 1944: h = 0.133 would do; halves of 2 are at most twice
  // as fine
  assert_in_range(track.key_count, 9, 32);
  for (int i = 0; i <= 1000; i++) {
    double value;
    sample(&track, i * 0.002, &value);
    assert_true(fabs(value - sin(0.01 * i)) <= 1.05e-4);
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
  assert_int_equal(track.key_count, 2);
  assert_true(track.times[0] == 0 && track.values[0] == 3); // one second of the file is 0 of the clip
  assert_true(track.times[1] == 3 && track.values[1] == 12);
  job_end(job);
}

static void test_fbx_keys_turns_go_the_short_way(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  double corners[] = {0, 2 * SECOND}; // two whole turns
  fbx_motion motion = motion_of_seconds(job, spin, corners, 2);
  motion.width = 4;
  motion.is_turn = true;
  cook_track track = {.width = 4};
  assert_true(fbx_keys_make(&motion, &track));
  assert_true(track.key_count > 4);
  for (int i = 0; i <= 1000; i++) {
    double turned[4];
    const double seconds = i * 0.002;
    sample(&track, seconds, turned);
    const double angle = 2 * atan2(turned[2], turned[3]);
    assert_true(fabs(remainder(angle - acos(-1) * seconds * seconds, 2 * acos(-1))) < 1.05e-4);
  }
  job_end(job);
}

/// Four whole turns about z in one second: at rest, by its ends, its middle and its quarters.
static void wheel(const void *user, double ticks, bool is_before, double *value) {
  (void)user, (void)is_before;
  const double half_angle = 4 * acos(-1) * (ticks / SECOND);
  value[0] = value[1] = 0;
  value[2] = sin(half_angle);
  value[3] = cos(half_angle);
}

static void test_fbx_keys_whole_turns_are_no_rest(void **state) {
  (void)state;
  for (int is_straight = 0; is_straight < 2; is_straight++) {
    cook_job *job = job_begin(NULL, NULL);
    double corners[] = {0, SECOND};
    fbx_motion motion = motion_of_seconds(job, wheel, corners, 2);
    motion.width = 4;
    motion.is_turn = true;
    motion.is_straight = is_straight != 0;
    cook_track track = {.width = 4};
    assert_true(fbx_keys_make(&motion, &track));
    for (int i = 0; i <= 100; i++) {
      double turned[4];
      sample(&track, i * 0.01, turned);
      const double angle = 2 * atan2(turned[2], turned[3]);
      assert_true(fabs(remainder(angle - 0.08 * i * acos(-1), 2 * acos(-1))) < 1.05e-4);
    }
    if (motion.is_straight) assert_in_range(track.key_count, 9, 17); // fewer than half a turn each
    job_end(job);
  }
}

/// Within the bound of its first value all the time.
static void breath(const void *user, double ticks, bool is_before, double *value) {
  wave(user, ticks, is_before, value);
  value[0] = 7 + value[0] * 0.9e-4;
}

static void test_fbx_keys_what_almost_rests_has_one_key(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  double corners[] = {0, SECOND, 2 * SECOND};
  fbx_motion motion = motion_of_seconds(job, breath, corners, 3);
  cook_track track;
  assert_true(fbx_keys_make(&motion, &track));
  assert_int_equal(track.key_count, 1);
  assert_true(track.values[0] == 7);
  job_end(job);
}

/// Far too fast to be followed.
static void frenzy(const void *user, double ticks, bool is_before, double *value) {
  wave(user, ticks * 1e6, is_before, value);
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
      cmocka_unit_test(test_fbx_keys_straight_lines_need_their_bends),
      cmocka_unit_test(test_fbx_keys_straight_lines_are_kept_closer),
      cmocka_unit_test(test_fbx_keys_cubics_are_kept_whole),
      cmocka_unit_test(test_fbx_keys_whole_turns_are_no_rest),
      cmocka_unit_test(test_fbx_keys_what_almost_rests_has_one_key),
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
