// FBX curves between their keys. Expected values are reckoned by hand from what the modes mean: Hermite and Bezier
// cubics of text books, and the line between the neighbours for automatic slopes.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "cooker/import/fbx_extrapolation.h"

#define LONGEST_FILE 4096

/// Time of a key in whole thousandths of a second.
static double ticks_of(double seconds) { return seconds * FBX_TICKS_PER_SECOND; }

/// A file with one curve: its arrays as text.
typedef struct curve_text {
  const char *times, *values, *flags, *data, *runs; ///< "*COUNT { a: … }"
} curve_text;

static bool read_text(cook_job *job, const curve_text *text, int version, fbx_curve *curve) {
  static char file[LONGEST_FILE];
  const int length = snprintf(file, sizeof file,
                              "; FBX 7\nFBXHeaderExtension: {\n FBXVersion: %d\n}\nObjects: {\n"
                              " AnimationCurve: 7, \"AnimCurve::\", \"\" {\n  KeyTime: %s\n  KeyValueFloat: %s\n"
                              "  KeyAttrFlags: %s\n  KeyAttrDataFloat: %s\n  KeyAttrRefCount: %s\n }\n}\n",
                              version, text->times, text->values, text->flags, text->data, text->runs);
  assert_true(length > 0 && length < LONGEST_FILE);
  const fbx_facts *facts = fbx_facts_make(fbx_text_read(job, (const uint8_t *)file, (uint64_t)length));
  assert_int_equal(facts->object_count, 1);
  return fbx_curve_read(facts, 0, curve);
}

#define T0_T1    "*2 { a: 0,46186158000 }"
#define T0_T1_T2 "*3 { a: 0,46186158000,92372316000 }"
#define T0_T1_T3 "*3 { a: 0,46186158000,138558474000 }"

typedef struct curve_case {
  curve_text text;
  double seconds;
  bool is_before;
  double expected;
} curve_case;

#define LINEAR                                                                                                         \
  { T0_T1, "*2 { a: 10,20 }", "*1 { a: 4 }", "*4 { a: 0,0,0,0 }", "*1 { a: 2 }" }
#define CONSTANT                                                                                                       \
  { T0_T1_T2, "*3 { a: 10,20,40 }", "*1 { a: 2 }", "*4 { a: 0,0,0,0 }", "*1 { a: 3 }" }
#define NEXT                                                                                                           \
  { T0_T1, "*2 { a: 10,20 }", "*1 { a: 258 }", "*4 { a: 0,0,0,0 }", "*1 { a: 2 }" }
#define FLAT                                                                                                           \
  { T0_T1, "*2 { a: 0,1 }", "*1 { a: 1032 }", "*4 { a: 0,0,0,0 }", "*1 { a: 2 }" }
// slopes 3 and 3; in text, 1077936128 is how 3.0f looks as an integer
#define STEEP                                                                                                          \
  { T0_T1, "*2 { a: 0,1 }", "*1 { a: 1032 }", "*4 { a: 1077936128,1077936128,218434821,0 }", "*1 { a: 2 }" }
// broken: 0 to the right of the first key, 3 to the left of the second
#define BROKEN                                                                                                         \
  { T0_T1, "*2 { a: 0,1 }", "*1 { a: 3080 }", "*4 { a: 0,1077936128,218434821,0 }", "*1 { a: 2 }" }
// weights 0.5 and 0.5: 5000 + 65536 * 5000
#define WEIGHTED                                                                                                       \
  { T0_T1, "*2 { a: 0,1 }", "*1 { a: 50332680 }", "*4 { a: 0,0,327685000,0 }", "*1 { a: 2 }" }
// only the right one is stated to count
#define RIGHT                                                                                                          \
  { T0_T1, "*2 { a: 0,1 }", "*1 { a: 16778248 }", "*4 { a: 0,0,327685000,0 }", "*1 { a: 2 }" }
#define AUTO(times, values, flags)                                                                                     \
  { times, values, "*1 { a: " flags " }", "*4 { a: 0,0,218434821,0 }", "*1 { a: 3 }" }
#define MIXED                                                                                                          \
  { T0_T1_T2, "*3 { a: 0,4,8 }", "*2 { a: 2,4 }", "*8 { a: 0,0,0,0,0,0,0,0 }", "*2 { a: 1,2 }" }

#define TCB                                                                                                            \
  { T0_T1_T3, "*3 { a: 0,1,5 }", "*1 { a: 520 }", "*4 { a: 1056964608,1056964608,1048576000,0 }", "*1 { a: 3 }" }
#define NEXT_OF_THREE                                                                                                  \
  { T0_T1_T2, "*3 { a: 10,20,40 }", "*1 { a: 258 }", "*4 { a: 0,0,0,0 }", "*1 { a: 3 }" }

static const curve_case cases[] = {
    {LINEAR, -1, false, 10},
    {LINEAR, 0, false, 10},
    {LINEAR, 0.25, false, 12.5},
    {LINEAR, 1, true, 20},
    {LINEAR, 1, false, 20},
    {LINEAR, 9, false, 20},
    {CONSTANT, 0.999, false, 10},
    {CONSTANT, 1, true, 10},
    {CONSTANT, 1, false, 20},
    {CONSTANT, 1.5, false, 20},
    {CONSTANT, 2, false, 40},
    {NEXT, -0.5, false, 10},
    {NEXT, 0.25, false, 20},
    {NEXT, 1, false, 20},
    {FLAT, 0.25, false, 0.15625}, // 3 t^2 - 2 t^3
    {FLAT, 0.5, false, 0.5},
    {STEEP, 0.25, false, 0.4375}, // 0.140625 * 3 + 0.15625 - 0.046875 * 3
    {STEEP, 1, false, 1},
    {BROKEN, 0.25, false, 0.015625},      // 0.15625 - 0.046875 * 3: t^3
    {WEIGHTED, 0.296875, false, 0.15625}, // the Bezier curve's point at t = 0.25
    {WEIGHTED, 0.5, false, 0.5},
    // inner points in time 1/2 and 2/3: at t = 1/2, 3/8 * 1/2 + 3/8 * 2/3 + 1/8 = 9/16
    {RIGHT, 0.5625, false, 0.5},
    // automatic: the slope at the second key is 5/3; the way before it is 0.5 - slope / 8 at its middle
    {AUTO(T0_T1_T3, "*3 { a: 0,1,5 }", "8456"), 0.5, false, 0.5 - 5.0 / 24},
    {AUTO(T0_T1_T3, "*3 { a: 0,1,5 }", "24840"), 0.5, false, 0.5 - 5.0 / 24}, // does not overshoot: not clamped
    {AUTO(T0_T1_T3, "*3 { a: 0,1,5 }", "264"), 0.5, false, 0.5 - 4.0 / 24},   // the mean: 2/3 * 1 + 1/3 * 2
    {AUTO(T0_T1_T2, "*3 { a: 0,1,1 }", "24840"), 0.5, false, 0.5},            // clamped to 0
    {AUTO(T0_T1_T2, "*3 { a: 0,0.1,5 }", "24840"), 0.5, false, 0.0125},       // clamped to 0.1 / (1/3): 0.05 - 0.3 / 8
    {AUTO(T0_T1_T2, "*3 { a: 0,-0.1,-5 }", "24840"), 0.5, false, -0.0125},
    {AUTO(T0_T1_T2, "*3 { a: 0,1,0 }", "24840"), 0.25, false, 0.15625}, // a peak: 0
    {AUTO(T0_T1_T2, "*3 { a: 0,0,1 }", "12552"), 1.5, false, 0.5},      // clamp: equal neighbours make it 0
    {AUTO(T0_T1_T2, "*3 { a: 0,0,1 }", "8456"), 1.5, false, 0.5625},    // without: 0.5 + (1/2) / 8
    {AUTO(T0_T1_T3, "*3 { a: 0,1,5 }", "520"), 0.5, false, 0.3125},     // TCB without any: (1 + 2) / 2
    // TCB of tension 1/2, continuity 1/2, bias 1/4 (1056964608, 1048576000) at ways of slopes 1 and 2, before: the
    // slope to the left is (1/2 * 5/4 * 1/2 * 1 + 1/2 * 3/4 * 3/2 * 2) / 2 = 0.71875; 0.5 - 0.71875 / 8
    {TCB, 0.5, false, 0.41015625},
    // behind: (1/2 * 5/4 * 3/2 * 1 + 1/2 * 3/4 * 1/2 * 2) / 2 = 0.65625, over 2 s: (1 + 5) / 2 + 2 * 0.65625 / 8
    {TCB, 2, false, 3.1640625},
    // broken automatic keys are automatic; a velocity changes nothing here (218434821 is 0.3333 twice)
    {AUTO(T0_T1_T3, "*3 { a: 0,1,5 }", "10504"), 0.5, false, 0.5 - 5.0 / 24},
    {NEXT_OF_THREE, 0, false, 20},
    {NEXT_OF_THREE, 0.999, false, 20},
    {NEXT_OF_THREE, 1, true, 20},
    {NEXT_OF_THREE, 1, false, 40},
    {NEXT_OF_THREE, 2, false, 40},
    {MIXED, 0.5, false, 0},
    {MIXED, 1, true, 0},
    {MIXED, 1.5, false, 6},
};

static void test_fbx_curve_attributes_of_older_text_are_floats(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  const curve_text text = {T0_T1, "*2 { a: 0,1 }", "*1 { a: 1032 }", "*4 { a: 3,3,0,0 }", "*1 { a: 2 }"};
  fbx_curve curve;
  assert_true(read_text(job, &text, 7100, &curve));
  assert_true(curve.keys[0].right_slope == 3 && curve.keys[0].next_left_slope == 3);
  assert_true(read_text(job, &text, 7700, &curve)); // the bits 3 are almost 0
  assert_true(curve.keys[0].right_slope < 1e-30);
  job_end(job);
}

// -- Beyond the keys --------------------------------------------------------------------------------------------------

/// What stands behind the arrays: how a curve goes on beyond its keys.
#define BEYOND(which, letter, count)                                                                                   \
  "*1 { a: 3 }\n " which "-Extrapolation: {\n Type: " letter "\n Repetition: " count "\n }"
/// 10 at 0 s, 20 at 1 s, 40 at 2 s, straight.
#define GOES_ON(which, letter, count)                                                                                  \
  { T0_T1_T2, "*3 { a: 10,20,40 }", "*1 { a: 4 }", "*4 { a: 0,0,0,0 }", BEYOND(which, letter, count) }
/// A cubic of slopes 3 and 3, as STEEP; the last key is one of its own.
#define GOES_ON_STEEP(which)                                                                                           \
  {                                                                                                                    \
    T0_T1, "*2 { a: 0,1 }", "*1 { a: 1032 }", "*4 { a: 1077936128,1077936128,218434821,0 }",                           \
        "*1 { a: 2 }\n " which "-Extrapolation: {\n Type: K\n Repetition: -1\n }"                                      \
  }

static const curve_case beyond_cases[] = {
    {GOES_ON("Post", "C", "-1"), 2.5, false, 40},
    {GOES_ON("Pre", "C", "-1"), -0.5, false, 10},
    {GOES_ON("Post", "R", "-1"), -0.5, false, 10}, // says nothing about the other side
    // all keys again
    {GOES_ON("Post", "R", "-1"), 2, false, 40}, // the last key is still itself
    {GOES_ON("Post", "R", "-1"), 2.5, false, 15},
    {GOES_ON("Post", "R", "-1"), 3.5, false, 30},
    {GOES_ON("Post", "R", "-1"), 4, true, 40},
    {GOES_ON("Post", "R", "-1"), 4, false, 10},
    {GOES_ON("Post", "R", "-1"), 40.5, false, 15},
    {GOES_ON("Pre", "R", "-1"), 0, true, 40},
    {GOES_ON("Pre", "R", "-1"), 0, false, 10},
    {GOES_ON("Pre", "R", "-1"), -0.5, false, 30},
    {GOES_ON("Pre", "R", "-1"), -2, true, 40},
    {GOES_ON("Pre", "R", "-1"), -2, false, 10},
    // backwards and forwards
    {GOES_ON("Post", "M", "-1"), 2.5, false, 30},
    {GOES_ON("Post", "M", "-1"), 4, true, 10},
    {GOES_ON("Post", "M", "-1"), 4.5, false, 15},
    {GOES_ON("Pre", "M", "-1"), -0.5, false, 15},
    {GOES_ON("Pre", "M", "-1"), -2.5, false, 30},
    // on from where the last time ended: 30 further each time
    {GOES_ON("Post", "A", "-1"), 2.5, false, 45},
    {GOES_ON("Post", "A", "-1"), 5.5, false, 90},
    {GOES_ON("Pre", "A", "-1"), -0.5, false, 0},
    {GOES_ON("Pre", "A", "-1"), -2.5, false, -30},
    // on along the slope
    {GOES_ON("Post", "K", "-1"), 3.5, false, 70},
    {GOES_ON("Pre", "K", "-1"), -1.5, false, -5},
    {GOES_ON_STEEP("Post"), 3, false, 7},
    {GOES_ON_STEEP("Pre"), -2, false, -6},
    // so often, and then it holds
    {GOES_ON("Post", "R", "1"), 3.5, false, 30},
    {GOES_ON("Post", "R", "1"), 5, false, 40},
    {GOES_ON("Post", "M", "1"), 5, false, 10},
    {GOES_ON("Post", "A", "2"), 9, false, 100},
    {GOES_ON("Pre", "R", "1"), -5, false, 10},
    {GOES_ON("Pre", "M", "1"), -5, false, 40},
    {GOES_ON("Post", "R", "0"), 3.5, false, 40},
    {GOES_ON("Post", "Z", "-1"), 3.5, false, 40}, // a letter that nobody knows
};

static void check_cases(const curve_case *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    cook_job *job = job_begin(NULL, NULL);
    fbx_curve curve;
    assert_true(read_text(job, &list[i].text, 7700, &curve));
    const double found = fbx_curve_at(&curve, ticks_of(list[i].seconds), list[i].is_before);
    if (!(fabs(found - list[i].expected) < 2e-7)) print_error("case %zu: %.9g, not %.9g\n", i, found, list[i].expected);
    assert_true(fabs(found - list[i].expected) < 2e-7);
    job_end(job);
  }
}

static void test_fbx_curve_between_keys(void **state) {
  (void)state;
  check_cases(cases, sizeof cases / sizeof *cases);
}

static void test_fbx_curve_goes_on_beyond_its_keys(void **state) {
  (void)state;
  check_cases(beyond_cases, sizeof beyond_cases / sizeof *beyond_cases);
}

/// Corners from -3 s to 5 s, in tenths of a second.
static void check_corners(const curve_text *text, const double *expected, uint32_t count) {
  cook_job *job = job_begin(NULL, NULL);
  fbx_curve curve;
  double corners[64];
  assert_true(read_text(job, text, 7700, &curve));
  assert_int_equal(fbx_extrapolation_corners(&curve, ticks_of(-3), ticks_of(5), NULL), count);
  assert_int_equal(fbx_extrapolation_corners(&curve, ticks_of(-3), ticks_of(5), corners), count);
  for (uint32_t i = 0; i < count; i++) {
    bool is_there = false;
    for (uint32_t c = 0; c < count; c++) is_there = is_there || fabs(corners[c] - ticks_of(expected[i])) <= 1;
    if (!is_there) print_error("no corner at %g s\n", expected[i]);
    assert_true(is_there);
  }
  job_end(job);
}

static void test_fbx_curve_bends_beyond_its_keys(void **state) {
  (void)state;
  static const curve_text holds = GOES_ON("Post", "C", "-1"), slopes = GOES_ON("Post", "K", "-1");
  static const curve_text again = GOES_ON("Post", "R", "-1"), mirrored = GOES_ON("Pre", "M", "-1");
  static const curve_text once = GOES_ON("Post", "R", "1");
  check_corners(&holds, NULL, 0);
  check_corners(&slopes, (double[]){2, 5}, 2); // where it begins, and where nothing more is wanted
  check_corners(&again, (double[]){2, 2, 3, 4, 4, 5, 5}, 7);
  check_corners(&mirrored, (double[]){0, -1, -2, -2, -3, -3}, 6);
  check_corners(&once, (double[]){2, 2, 3, 4, 5}, 5);
}

static void test_fbx_curve_repeats_without_end_are_not_listed_without_end(void **state) {
  (void)state;
  static const curve_text fast = {"*2 { a: 0,1 }", "*2 { a: 0,1 }", "*1 { a: 4 }", "*4 { a: 0,0,0,0 }",
                                  "*1 { a: 2 }\n Post-Extrapolation: {\n Type: R\n Repetition: -1\n }"};
  cook_job *job = job_begin(NULL, NULL);
  fbx_curve curve;
  assert_true(read_text(job, &fast, 7700, &curve));
  assert_true(fbx_extrapolation_corners(&curve, 0, ticks_of(3600), NULL) <= FBX_REPEATED_KEYS_MAX + 2);
  job_end(job);
}

static void test_fbx_curve_knows_what_is_straight_and_what_rests(void **state) {
  (void)state;
  static const curve_text straight = LINEAR, stepped = CONSTANT, bent = FLAT, on = GOES_ON_STEEP("Post");
  static const curve_text level = {T0_T1, "*2 { a: 5,5 }", "*1 { a: 1032 }", "*4 { a: 0,0,0,0 }", "*1 { a: 2 }"};
  static const curve_text swing = {T0_T1, "*2 { a: 5,5 }", "*1 { a: 1032 }",
                                   "*4 { a: 1077936128,1077936128,218434821,0 }", "*1 { a: 2 }"};
  const struct {
    const curve_text *text;
    bool is_straight, is_constant;
  } known[] = {{&straight, true, false}, {&stepped, true, false}, {&bent, false, false},
               {&on, false, false},      {&level, true, true},    {&swing, false, false}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    cook_job *job = job_begin(NULL, NULL);
    fbx_curve curve;
    assert_true(read_text(job, known[i].text, 7700, &curve));
    assert_int_equal(fbx_curve_is_straight(&curve), known[i].is_straight);
    assert_int_equal(fbx_curve_is_constant(&curve), known[i].is_constant);
    job_end(job);
  }
}

static void test_fbx_curve_damaged_ones_are_refused(void **state) {
  (void)state;
  static const curve_text damaged[] = {
      {T0_T1, "*3 { a: 0,1,2 }", "*1 { a: 4 }", "*4 { a: 0,0,0,0 }", "*1 { a: 2 }"},         // more values than times
      {T0_T1, "*2 { a: 0,1 }", "*2 { a: 4,4 }", "*4 { a: 0,0,0,0 }", "*1 { a: 2 }"},         // flags and runs differ
      {T0_T1, "*2 { a: 0,1 }", "*1 { a: 4 }", "*4 { a: 0,0,0,0 }", "*1 { a: 1 }"},           // a key without attributes
      {"*2 { a: 5,4 }", "*2 { a: 0,1 }", "*1 { a: 4 }", "*4 { a: 0,0,0,0 }", "*1 { a: 2 }"}, // back in time
      {T0_T1, "*2 { a: 0,1 }", "*1 { a: 4 }", "*4 { a: 0,0,0,0 }", "*1 { a: -2 }"},
      {T0_T1, "*2 { a: 0,1 }", "*1 { a: 1e30 }", "*4 { a: 0,0,0,0 }", "*1 { a: 2 }"},
      {T0_T1, "*2 { a: 0,1e999 }", "*1 { a: 4 }", "*4 { a: 0,0,0,0 }", "*1 { a: 2 }"},
      {T0_T1, "*2 { a: 0,1 }", "*1 { a: 1032 }", "*4 { a: 2139095040,0,0,0 }", "*1 { a: 2 }"}, // an infinite slope
      {T0_T1, "*2 { a: 0,1 }", "*1 { a: 16778248 }", "*4 { a: 0,0,65535,0 }", "*1 { a: 2 }"},  // turns back in time
  };
  for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
    cook_job *job = job_begin(NULL, NULL);
    fbx_curve curve;
    if (read_text(job, &damaged[i], 7700, &curve)) print_error("damaged curve %zu is read\n", i);
    assert_false(read_text(job, &damaged[i], 7700, &curve));
    job_end(job);
  }
}

static void test_fbx_curve_without_keys_is_zero(void **state) {
  (void)state;
  const fbx_curve curve = {0};
  assert_true(fbx_curve_at(&curve, 5, false) == 0);
  assert_true(fbx_curve_is_constant(&curve));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fbx_curve_between_keys),
      cmocka_unit_test(test_fbx_curve_attributes_of_older_text_are_floats),
      cmocka_unit_test(test_fbx_curve_goes_on_beyond_its_keys),
      cmocka_unit_test(test_fbx_curve_bends_beyond_its_keys),
      cmocka_unit_test(test_fbx_curve_repeats_without_end_are_not_listed_without_end),
      cmocka_unit_test(test_fbx_curve_knows_what_is_straight_and_what_rests),
      cmocka_unit_test(test_fbx_curve_damaged_ones_are_refused),
      cmocka_unit_test(test_fbx_curve_without_keys_is_zero),
  };
  return cmocka_run_group_tests_name("fbx_curve", tests, NULL, NULL);
}
