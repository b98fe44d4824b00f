// Ranges of controls (D5). The extremes of splines are found by sampling glTF's formula densely in the test.
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "tests/support/mt_build.h"

static const float positions[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static const uint32_t indices[3] = {0, 1, 2};

static cook_scene *range_scene(cook_job *job, uint32_t target_count) {
  cook_scene *scene = mt_one_primitive(job, positions, 3, indices, 3);
  mt_add_targets(job, scene, target_count);
  return scene;
}

static void range_add_track(cook_job *job, cook_scene *scene, mpak_interpolation interpolation, uint32_t key_count,
                            const float *times, const float *values) {
  const uint32_t width = scene->meshes[0].control_count;
  scene->clip_count = 1;
  scene->clips = JOB_ARRAY(job, cook_clip, 1);
  scene->clips[0] = (cook_clip){.name = "Clip", .track_count = 1, .tracks = JOB_ARRAY(job, cook_track, 1)};
  cook_track *track = &scene->clips[0].tracks[0];
  *track = (cook_track){
      .node = 0, .path = MPAK_PATH_WEIGHTS, .interpolation = interpolation, .width = width, .key_count = key_count};
  track->value_count = (uint64_t)key_count * width * (interpolation == MPAK_CUBICSPLINE ? 3 : 1);
  track->times = MT_COPY(job, times, key_count);
  track->values = MT_COPY(job, values, track->value_count);
}

static void assert_range(const cook_scene *scene, uint32_t target, float low, float high) {
  assert_true(scene->meshes[0].range_min[target] == low);
  assert_true(scene->meshes[0].range_max[target] == high);
}

static void step_plain(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = range_scene(job, 5);
  static float defaults[5] = {0.5f, -0.25f, 1.5f, 0, 0}, of_node[5] = {0, 0, 0, -2, 3};
  scene->meshes[0].has_default_weights = true;
  scene->meshes[0].default_weights = defaults;
  scene->nodes[0].weights = of_node;
  scene->nodes[0].weight_count = 5;
  build_ranges(job, scene, &(cook_options){0});
  assert_range(scene, 0, 0, 1);
  assert_range(scene, 1, -0.25f, 1);
  assert_range(scene, 2, 0, 1.5f);
  assert_range(scene, 3, -2, 1);
  assert_range(scene, 4, 0, 3);
}

static void test_ranges_hold_defaults_of_mesh_and_node(void **state) {
  (void)state;
  mt_in_job(step_plain, NULL, 0);
}

static void step_keys(cook_job *job, void *user) {
  cook_scene *scene = range_scene(job, 2);
  static const float times[3] = {0, 1, 2}, values[6] = {0, 2.5f, -1.5f, 0.5f, 0.25f, 0};
  range_add_track(job, scene, *(const mpak_interpolation *)user, 3, times, values);
  build_ranges(job, scene, &(cook_options){0});
  assert_range(scene, 0, -1.5f, 1);
  assert_range(scene, 1, 0, 2.5f);
}

static void test_ranges_hold_keys(void **state) {
  (void)state;
  mpak_interpolation linear = MPAK_LINEAR, step = MPAK_STEP;
  mt_in_job(step_keys, &linear, 0);
  mt_in_job(step_keys, &step, 0);
}

static void step_option(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = range_scene(job, 2);
  static float defaults[2] = {-3, 0};
  scene->meshes[0].has_default_weights = true;
  scene->meshes[0].default_weights = defaults;
  build_ranges(job, scene, &(cook_options){.has_weight_range = true, .weight_range = {-1, 2}});
  assert_range(scene, 0, -3, 2);
  assert_range(scene, 1, -1, 2);
}

static void test_ranges_are_widened_by_the_option(void **state) {
  (void)state;
  mt_in_job(step_option, NULL, 0);
}

// -- Splines ----------------------------------------------------------------------------------------------------------

/// glTF 2.0, appendix C.5: in long double, at 2^20 places.
static void sample_spline(const float *times, const float *values, uint32_t key_count, double *low, double *high) {
  *low = *high = values[1];
  for (uint32_t k = 0; k + 1 < key_count; k++) {
    const long double duration = (long double)times[k + 1] - times[k];
    const long double v0 = values[3 * k + 1], b0 = duration * values[3 * k + 2];
    const long double a1 = duration * values[3 * k + 3], v1 = values[3 * k + 4];
    for (int i = 0; i <= 1 << 20; i++) {
      const long double t = (long double)i / (1 << 20), t2 = t * t, t3 = t2 * t;
      const long double p =
          (2 * t3 - 3 * t2 + 1) * v0 + (t3 - 2 * t2 + t) * b0 + (-2 * t3 + 3 * t2) * v1 + (t3 - t2) * a1;
      if (p < *low) *low = (double)p;
      if (p > *high) *high = (double)p;
    }
  }
}

typedef struct spline_case {
  uint32_t key_count;
  float times[3];
  float values[9]; ///< in-tangent, value, out-tangent of each key
} spline_case;

static const spline_case splines[] = {
    {2, {0, 1}, {0, 0, 8, -8, 0, 0}},           // rises to 2 in the middle
    {2, {0, 0.5f}, {0, 0, 8, -8, 0, 0}},        // half the duration: rises to 1
    {2, {1, 3}, {99, 0.5f, -6, -5, 0.25f, 99}}, // both below and above; outer tangents do not count
    {2, {0, 1}, {0, 0, 0, 0, 1, 0}},            // monotonic: stays in [0, 1]
    {2, {0, 1}, {0, 0, 1, 1, 1, 0}},            // a straight line: the square and the cube vanish
    {2, {0, 1}, {0, 0, 4, -4, 0, 0}},           // a parabola: the cube vanishes, top at 1
    {2, {0, 1}, {0, 0, 12, -12, 0, 0}},
    {3, {0, 1, 4}, {0, 0, -20, 5, 1, 7, 7, -0.5f, 0}},
    {2, {0, 1e-3f}, {0, 0, 3e4f, 1e4f, 0.5f, 0}},
    {1, {2}, {9, 1.25f, 9}}, // one key: a constant
};

static void step_spline(cook_job *job, void *user) {
  const spline_case *c = user;
  cook_scene *scene = range_scene(job, 1);
  range_add_track(job, scene, MPAK_CUBICSPLINE, c->key_count, c->times, c->values);
  build_ranges(job, scene, &(cook_options){0});
  double low, high;
  sample_spline(c->times, c->values, c->key_count, &low, &high);
  const float range_min = scene->meshes[0].range_min[0], range_max = scene->meshes[0].range_max[0];
  assert_true(range_min <= low && range_max >= high); // holds all of the curve
  assert_true(range_min >= fmin(low, 0) - 1e-6 * (1 + fabs(low)));
  assert_true(range_max <= fmax(high, 1) + 1e-6 * (1 + fabs(high))); // and no more
}

static void test_ranges_hold_splines_and_no_more(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof splines / sizeof *splines; i++) mt_in_job(step_spline, (void *)&splines[i], 0);
}

/// Top of a parabola through 0 with slopes 8 and -8: 8 * 1/4 = 2, by hand.
static void step_spline_by_hand(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = range_scene(job, 1);
  range_add_track(job, scene, MPAK_CUBICSPLINE, 2, splines[0].times, splines[0].values);
  build_ranges(job, scene, &(cook_options){0});
  assert_range(scene, 0, 0, 2);
}

static void test_ranges_of_a_parabola(void **state) {
  (void)state;
  mt_in_job(step_spline_by_hand, NULL, 0);
}

/// Values of several controls stand side by side; tangents of one must not leak into the other.
static void step_interleaved(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = range_scene(job, 2);
  static const float times[2] = {0, 1};
  static const float values[12] = {50, 0, /**/ 0, 0.5f, /**/ 8, 0, /**/ -8, 0, /**/ 0, 0.5f, /**/ 50, 0};
  range_add_track(job, scene, MPAK_CUBICSPLINE, 2, times, values);
  build_ranges(job, scene, &(cook_options){0});
  assert_range(scene, 0, 0, 2);
  assert_range(scene, 1, 0, 1);
}

static void test_ranges_of_interleaved_splines(void **state) {
  (void)state;
  mt_in_job(step_interleaved, NULL, 0);
}

// -- Shapes -----------------------------------------------------------------------------------------------------------

/// Three shapes of one control, reached at 0.5, 1 and -1, and a plain one: what they reach in a range, by hand.
static void step_shapes(cook_job *job, void *user) {
  (void)user;
  static float half[4][2] = {{-1, 0}, {0, 0}, {0.5f, 1}, {1, 0}}, whole[4][2] = {{-1, 0}, {0, 0}, {0.5f, 0}, {1, 1}};
  static float back[3][2] = {{-1, 1}, {0, 0}, {1, 0}};
  static cook_shape_rule rules[4] = {{NULL, 1, 4, half}, {NULL, 1, 4, whole}, {NULL, 1, 3, back}, {NULL, 0, 0, NULL}};
  static const struct {
    float control[2], half[2], whole[2], back[2];
  } table[] = {{{0, 1}, {0, 1}, {0, 1}, {0, 0}},
               {{-0.5f, 1.5f}, {-1, 1}, {0, 2}, {0, 0.5f}},
               {{-2, 3}, {-4, 1}, {0, 5}, {0, 2}},
               {{0.25f, 0.375f}, {0.5f, 0.75f}, {0, 0}, {0, 0}},
               {{0.75f, 0.75f}, {0.5f, 0.5f}, {0.5f, 0.5f}, {0, 0}},
               {{2, 4}, {-6, -2}, {3, 7}, {0, 0}}};
  cook_scene *scene = range_scene(job, 4);
  cook_mesh *mesh = &scene->meshes[0];
  mesh->control_count = 2;
  mesh->rules = rules;
  float low[2] = {-7, 0}, high[2] = {8, 0}, *found[2];
  mesh->range_min = low;
  mesh->range_max = high;
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    low[1] = table[i].control[0];
    high[1] = table[i].control[1];
    build_shape_ranges(job, mesh, &found[0], &found[1]);
    for (int end = 0; end < 2; end++) {
      assert_true(found[end][0] == table[i].half[end]);
      assert_true(found[end][1] == table[i].whole[end]);
      assert_true(found[end][2] == table[i].back[end]);
    }
    assert_true(found[0][3] == -7 && found[1][3] == 8); // no rule: the control's
  }
}

/// Whatever the runtime may make of a weight inside the range, as a float, is inside the shape's.
static void step_shapes_outwards(cook_job *job, void *user) {
  (void)user;
  static float points[3][2] = {{0, 0}, {0.3f, 1}, {0.7f, -0.1f}};
  static cook_shape_rule rule = {NULL, 0, 3, points};
  cook_mesh *mesh = &range_scene(job, 1)->meshes[0];
  mesh->rules = &rule;
  float low, high, *found[2];
  mesh->range_min = &low;
  mesh->range_max = &high;
  uint64_t seed = 5;
  for (int i = 0; i < 2000; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    low = (float)(seed >> 40) / 16777216.0f - 0.5f;
    high = low + (float)(seed >> 16 & 0xFFFF) / 65536.0f;
    build_shape_ranges(job, mesh, &found[0], &found[1]);
    for (int k = 0; k <= 8; k++) {
      const double x = (double)low + ((double)high - (double)low) * k / 8;
      const int s = x > (double)points[1][0];
      const double x0 = points[s][0], y0 = points[s][1], x1 = points[s + 1][0], y1 = points[s + 1][1];
      const double exact = y0 + (y1 - y0) * ((x - x0) / (x1 - x0));
      assert_true((float)exact >= found[0][0] && (float)exact <= found[1][0]);
    }
    assert_true(found[1][0] - found[0][0] <= 1.1f / 0.3f * (high - low) + 1e-5f); // and not much more
  }
}

static void test_shape_ranges_by_hand(void **state) {
  (void)state;
  mt_in_job(step_shapes, NULL, 0);
}

static void test_shape_ranges_are_rounded_outwards(void **state) {
  (void)state;
  mt_in_job(step_shapes_outwards, NULL, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ranges_hold_defaults_of_mesh_and_node),
      cmocka_unit_test(test_ranges_hold_keys),
      cmocka_unit_test(test_ranges_are_widened_by_the_option),
      cmocka_unit_test(test_ranges_hold_splines_and_no_more),
      cmocka_unit_test(test_ranges_of_a_parabola),
      cmocka_unit_test(test_ranges_of_interleaved_splines),
      cmocka_unit_test(test_shape_ranges_by_hand),
      cmocka_unit_test(test_shape_ranges_are_rounded_outwards),
  };
  return cmocka_run_group_tests_name("build_ranges", tests, NULL, NULL);
}
