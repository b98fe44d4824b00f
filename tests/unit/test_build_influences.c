// Influences: merged, ordered, cut and normalised as D7 and D11 say, case by case.
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "tests/support/mt_build.h"

#define WIDTH 12

/// One vertex: what goes in and what must come out.
typedef struct influence_case {
  const char *name;
  uint32_t most;
  uint16_t joints[WIDTH];
  float weights[WIDTH];
  uint32_t stored;
  uint16_t expected_joints[WIDTH];
  float expected_weights[WIDTH];
} influence_case;

// 0.1f + 0.2f + 0.7f is 1 to within 1e-6, so the bits stay; 2 + 1 + 1 does not, so it is divided.
static const influence_case influence_cases[] = {
    {"bits are kept when the sum is 1 within 1e-6",
     12,
     {5, 6, 7},
     {0.1f, 0.2f, 0.7f},
     4,
     {7, 6, 5},
     {0.7f, 0.2f, 0.1f}},
    {"nor are they changed where dividing would show",
     12,
     {5, 6, 7},
     {0.5f, 0.25f, 0.2499995f},
     4,
     {5, 6, 7},
     {0.5f, 0.25f, 0.2499995f}},
    {"a larger difference is divided away", 12, {1, 2, 3}, {2, 1, 1}, 4, {1, 2, 3}, {0.5f, 0.25f, 0.25f}},
    {"equal joints are summed", 12, {4, 3, 4, 3}, {0.25f, 0.125f, 0.5f, 0.125f}, 4, {4, 3}, {0.75f, 0.25f}},
    {"equal weights are ordered by joint",
     12,
     {9, 2, 5, 1},
     {0.25f, 0.25f, 0.25f, 0.25f},
     4,
     {1, 2, 5, 9},
     {0.25f, 0.25f, 0.25f, 0.25f}},
    {"zero weights go, wherever they stand", 12, {0, 8, 0, 7}, {0, 0.5f, -0.0f, 0.5f}, 4, {7, 8}, {0.5f, 0.5f}},
    {"nothing moves it: joint 0", 12, {3, 4, 5}, {0, 0, 0}, 4, {0}, {1}},
    {"five need eight slots",
     12,
     {1, 2, 3, 4, 5},
     {0.5f, 0.125f, 0.125f, 0.125f, 0.125f},
     8,
     {1, 2, 3, 4, 5},
     {0.5f, 0.125f, 0.125f, 0.125f, 0.125f}},
    {"nine need twelve",
     12,
     {1, 2, 3, 4, 5, 6, 7, 8, 9},
     {0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.0625f, 0.0625f},
     12,
     {1, 2, 3, 4, 5, 6, 7, 8, 9},
     {0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.0625f, 0.0625f}},
    {"the smallest are cut and the rest fills 1",
     4,
     {1, 2, 3, 4, 5},
     {0.125f, 0.375f, 0.25f, 0.125f, 0.125f},
     4,
     {2, 3, 1, 4},
     {0.375f / 0.875f, 0.25f / 0.875f, 0.125f / 0.875f, 0.125f / 0.875f}},
};

static cook_scene *influence_scene(cook_job *job, const influence_case *c) {
  static const float positions[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  static const uint32_t indices[3] = {0, 1, 2};
  cook_scene *scene = mt_one_primitive(job, positions, 3, indices, 3);
  mt_add_skin(job, scene, 16);
  cook_primitive *primitive = mt_primitive(scene);
  primitive->influence_count = WIDTH;
  primitive->joints = JOB_ARRAY(job, uint16_t, 3 * WIDTH);
  primitive->weights = JOB_ARRAY(job, float, 3 * WIDTH);
  for (int v = 0; v < 3; v++) {
    memcpy(primitive->joints + v * WIDTH, c->joints, sizeof c->joints);
    memcpy(primitive->weights + v * WIDTH, c->weights, sizeof c->weights);
  }
  return scene;
}

static void step_influence_case(cook_job *job, void *user) {
  const influence_case *c = user;
  print_message("%s\n", c->name);
  cook_scene *scene = influence_scene(job, c);
  build_influences(job, scene, &(cook_options){.max_influences = c->most});
  const cook_primitive *primitive = mt_primitive(scene);
  assert_int_equal(primitive->influence_count, c->stored);
  for (uint32_t v = 0; v < 3; v++) {
    for (uint32_t i = 0; i < c->stored; i++) {
      assert_int_equal(primitive->joints[v * c->stored + i], c->expected_joints[i]);
      assert_memory_equal(&primitive->weights[v * c->stored + i], &c->expected_weights[i], sizeof(float));
    }
  }
}

static void test_influences_table(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof influence_cases / sizeof *influence_cases; i++)
    mt_in_job(step_influence_case, (void *)&influence_cases[i], 0);
}

static void step_cut_reports(cook_job *job, void *user) {
  const float small = *(const float *)user;
  influence_case c = {.most = 4, .joints = {1, 2, 3, 4, 5}};
  for (int i = 0; i < 4; i++) c.weights[i] = (1 - small) / 4;
  c.weights[4] = small;
  cook_scene *scene = influence_scene(job, &c);
  build_influences(job, scene, &(cook_options){.max_influences = c.most});
  const char *expected = small <= 0.01f ? "MPAK-C002" : "MPAK-C003";
  assert_int_equal(job_issue_count(job), 1);
  const cook_issue *issue = mt_find_issue(job, expected);
  assert_non_null(issue);
  assert_string_equal(issue->where.mesh, "Mesh");
  assert_int_equal(issue->where.primitive, 0);
  assert_int_equal(issue->where.index, 0);
  assert_int_equal(issue->where.more, 2);
  assert_string_equal(issue->where.limit, "4");
  assert_string_equal(issue->where.value,
                      small <= 0.01f ? "0.005, the largest movement 0 mm" : "0.2, the largest movement 0 mm");
}

static void test_influences_cut_little_is_an_info(void **state) {
  (void)state;
  float small = 0.005f;
  mt_in_job(step_cut_reports, &small, 0);
}

static void test_influences_cut_much_is_a_warning(void **state) {
  (void)state;
  float small = 0.2f;
  mt_in_job(step_cut_reports, &small, 0);
}

static void step_no_skin(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = influence_scene(job, &influence_cases[0]);
  scene->nodes[0].skin = MPAK_NONE;
  build_influences(job, scene, &(cook_options){0});
  assert_int_equal(mt_primitive(scene)->influence_count, 0);
  assert_null(mt_primitive(scene)->joints);
  assert_null(mt_primitive(scene)->weights);
}

static void test_influences_without_a_skin_are_removed(void **state) {
  (void)state;
  mt_in_job(step_no_skin, NULL, 0);
}

static void step_no_influences(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = influence_scene(job, &influence_cases[0]);
  cook_primitive *primitive = mt_primitive(scene);
  primitive->influence_count = 0;
  primitive->joints = NULL;
  primitive->weights = NULL;
  build_influences(job, scene, &(cook_options){0});
  assert_int_equal(primitive->influence_count, 0);
}

static void test_influences_zero_stays_zero(void **state) {
  (void)state;
  mt_in_job(step_no_influences, NULL, 0);
}

/// Vertices with different needs share one stride, the largest.
static void step_mixed(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = influence_scene(job, &influence_cases[0]);
  cook_primitive *primitive = mt_primitive(scene);
  for (uint16_t i = 0; i < 6; i++) {
    primitive->joints[WIDTH + i] = (uint16_t)(10 - i);
    primitive->weights[WIDTH + i] = i < 2 ? 0.25f : 0.125f;
  }
  build_influences(job, scene, &(cook_options){0});
  assert_int_equal(primitive->influence_count, 8);
  const uint16_t expected_joints[8] = {9, 10, 5, 6, 7, 8, 0, 0};
  const float expected_weights[8] = {0.25f, 0.25f, 0.125f, 0.125f, 0.125f, 0.125f, 0, 0};
  assert_memory_equal(primitive->joints + 8, expected_joints, sizeof expected_joints);
  assert_memory_equal(primitive->weights + 8, expected_weights, sizeof expected_weights);
  assert_int_equal(primitive->joints[0], 7);
  assert_int_equal(primitive->joints[16], 7);
  assert_int_equal(primitive->joints[16 + 4], 0);
}

static void test_influences_of_mixed_vertices(void **state) {
  (void)state;
  mt_in_job(step_mixed, NULL, 0);
}

// -- How far a cut moves --------------------------------------------------------------------------------------------

/// A vertex at (1, 0, 0) with five joints, of which the fifth (1/16) is cut. All joints stand at the origin but that
/// one: it stands at z = 1, or with a clip at z = 1, 3, 2. Before the cut the vertex follows it by a sixteenth.
static cook_scene *movement_scene(cook_job *job, bool has_clip) {
  static const float positions[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const uint32_t indices[3] = {0, 1, 2};
  static const float weights[5] = {0.5f, 0.25f, 0.125f, 0.0625f, 0.0625f};
  cook_scene *scene = mt_one_primitive(job, positions, 3, indices, 3);
  mt_add_skin(job, scene, 5);
  cook_node *nodes = JOB_ARRAY(job, cook_node, 6);
  for (uint32_t n = 0; n < 6; n++) nodes[n] = scene->nodes[0];
  for (uint32_t j = 0; j < 5; j++) {
    nodes[j + 1].mesh = nodes[j + 1].skin = MPAK_NONE;
    nodes[j + 1].parent = 0;
    scene->skins[0].joints[j] = j + 1;
  }
  nodes[5].translation[2] = 1;
  scene->nodes = nodes;
  scene->node_count = 6;
  cook_primitive *primitive = mt_primitive(scene);
  primitive->influence_count = 8;
  primitive->joints = JOB_ARRAY(job, uint16_t, 24);
  primitive->weights = JOB_ARRAY(job, float, 24);
  primitive->weights[8] = primitive->weights[16] = 1;
  for (uint32_t i = 0; i < 5; i++) {
    primitive->joints[i] = (uint16_t)i;
    primitive->weights[i] = weights[i];
  }
  if (!has_clip) return scene;
  static const float times[3] = {0, 1, 2}, values[9] = {0, 0, 1, 0, 0, 3, 0, 0, 2};
  const cook_track track = {.node = 5,
                            .path = MPAK_PATH_TRANSLATION,
                            .interpolation = MPAK_LINEAR,
                            .width = 3,
                            .key_count = 3,
                            .times = MT_COPY(job, times, 3),
                            .value_count = 9,
                            .values = MT_COPY(job, values, 9)};
  const cook_clip clip = {.name = "Clip", .end_s = 2, .track_count = 1, .tracks = MT_COPY(job, &track, 1)};
  scene->clip_count = 1;
  scene->clips = MT_COPY(job, &clip, 1);
  return scene;
}

/// 1/16 of 1 m at rest, 1/16 of 3 m at the clip's second key.
static void step_movement(cook_job *job, void *user) {
  const bool has_clip = user != NULL;
  build_influences(job, movement_scene(job, has_clip), &(cook_options){.max_influences = 4});
  assert_int_equal(job_issue_count(job), 1);
  assert_string_equal(mt_find_issue(job, "MPAK-C003")->where.value,
                      has_clip ? "0.0625, the largest movement 188 mm" : "0.0625, the largest movement 62.5 mm");
}

static void test_influences_cut_says_how_far_vertices_move(void **state) {
  (void)state;
  mt_in_job(step_movement, NULL, 0);
  mt_in_job(step_movement, &(bool){true}, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_influences_table),
      cmocka_unit_test(test_influences_cut_little_is_an_info),
      cmocka_unit_test(test_influences_cut_much_is_a_warning),
      cmocka_unit_test(test_influences_cut_says_how_far_vertices_move),
      cmocka_unit_test(test_influences_without_a_skin_are_removed),
      cmocka_unit_test(test_influences_zero_stays_zero),
      cmocka_unit_test(test_influences_of_mixed_vertices),
  };
  return cmocka_run_group_tests_name("build_influences", tests, NULL, NULL);
}
