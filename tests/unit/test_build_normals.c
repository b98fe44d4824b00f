// Flat normals as glTF 2.0 asks (section 3.7.2.1 and, for morph targets, 3.7.2.2), on shapes whose normals are known.
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "tests/support/mt_build.h"

// A roof: two triangles over the ridge 0-1, falling to both sides at 45 degrees.
static const float roof_positions[4][3] = {{0, 1, 0}, {0, 1, -2}, {-1, 0, -1}, {1, 0, -1}};
static const uint32_t roof_indices[6] = {0, 1, 2, 1, 0, 3};
#define HALF_ROOT 0.70710678f
static const float roof_left[3] = {-HALF_ROOT, HALF_ROOT, 0}, roof_right[3] = {HALF_ROOT, HALF_ROOT, 0};

static void assert_near(const float *actual, const float *expected) {
  for (int k = 0; k < 3; k++) assert_true(fabsf(actual[k] - expected[k]) <= 1e-6f);
}

static cook_scene *roof(cook_job *job) { return mt_one_primitive(job, roof_positions, 4, roof_indices, 6); }

static void step_flat(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = roof(job);
  build_normals(job, scene, &(cook_options){0});
  const cook_primitive *primitive = mt_primitive(scene);
  assert_int_equal(primitive->vertex_count, 6);
  assert_int_equal(primitive->index_count, 6);
  assert_true(primitive->has_flat_normals);
  for (uint32_t c = 0; c < 6; c++) {
    const uint32_t vertex = primitive->indices[c];
    for (uint32_t d = 0; d < c; d++) assert_int_not_equal(primitive->indices[d], vertex);
    assert_memory_equal(primitive->positions[vertex], roof_positions[roof_indices[c]], 12);
    assert_int_equal(primitive->source_of_vertex[vertex], roof_indices[c]);
    assert_near(primitive->normals[vertex], c < 3 ? roof_left : roof_right);
  }
  for (uint32_t v = 0; v < 4; v++)
    assert_int_equal(primitive->source_of_vertex[v], v); // the source's order stays in front
  assert_int_equal(job_issue_count(job), 1);
  assert_non_null(mt_find_issue(job, "MPAK-C004"));
}

static void test_normals_missing_become_flat(void **state) {
  (void)state;
  mt_in_job(step_flat, NULL, 0);
}

/// T0 lays the left side flat (its eave rises by 1), T1 shifts everything, T2 moves nothing, T3 opens a wall upright.
static void step_flat_targets(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = roof(job);
  mt_add_targets(job, scene, 4);
  cook_primitive *primitive = mt_primitive(scene);
  for (uint32_t t = 0; t < 4; t++)
    if (t != 2) primitive->targets[t].position_deltas = job_alloc(job, 4, 12);
  primitive->targets[0].position_deltas[2][1] = 1;
  primitive->targets[0].normal_deltas = job_alloc(job, 4, 12);
  primitive->targets[0].normal_deltas[3][0] = 5; // relative to normals that do not exist: must not survive
  for (uint32_t v = 0; v < 4; v++) primitive->targets[1].position_deltas[v][0] = 3;
  primitive->targets[3].position_deltas[3][0] = -1; // the right eave moves below the ridge: a wall that faces +X
  build_normals(job, scene, &(cook_options){0});
  const float left_moves[3] = {HALF_ROOT, 1 - HALF_ROOT, 0}, right_moves[3] = {1 - HALF_ROOT, -HALF_ROOT, 0};
  const float still[3] = {0, 0, 0};
  for (uint32_t c = 0; c < 6; c++) {
    const uint32_t vertex = primitive->indices[c];
    assert_near(primitive->targets[0].normal_deltas[vertex], c < 3 ? left_moves : still);
    assert_near(primitive->targets[3].normal_deltas[vertex], c < 3 ? still : right_moves);
    assert_true(primitive->targets[0].position_deltas[vertex][1] == (roof_indices[c] == 2 ? 1 : 0));
  }
  assert_memory_equal(primitive->targets[0].normal_deltas[primitive->indices[4]], still, 12); // exactly zero
  assert_null(primitive->targets[1].normal_deltas);
  assert_null(primitive->targets[2].normal_deltas);
}

static void test_normals_flat_follow_the_targets(void **state) {
  (void)state;
  mt_in_job(step_flat_targets, NULL, 0);
}

static void step_tangents_ignored(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = roof(job);
  mt_add_targets(job, scene, 1);
  cook_primitive *primitive = mt_primitive(scene);
  primitive->tangents = job_alloc(job, 4, sizeof *primitive->tangents);
  primitive->targets[0].tangent_deltas = job_alloc(job, 4, 12);
  build_normals(job, scene, &(cook_options){0});
  assert_null(primitive->tangents);
  assert_null(primitive->targets[0].tangent_deltas);
  assert_non_null(mt_find_issue(job, "MPAK-C005"));
  assert_int_equal(job_issue_count(job), 2);
}

static void test_normals_missing_make_tangents_meaningless(void **state) {
  (void)state;
  mt_in_job(step_tangents_ignored, NULL, 0);
}

/// Skins, texture coordinates and colours go with their corners.
static void step_flat_carries_all(cook_job *job, void *user) {
  (void)user;
  static const uint8_t colours[4][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}};
  static const float texcoords[4][2] = {{0, 0.5f}, {1, 0.5f}, {0.5f, 0}, {0.5f, 1}};
  cook_scene *scene = roof(job);
  cook_primitive *primitive = mt_primitive(scene);
  primitive->colours = MT_COPY(job, colours, 4);
  primitive->colour_format = MPAK_FORMAT_UNORM8X4;
  primitive->texcoords[2] = MT_COPY(job, texcoords, 4);
  primitive->influence_count = 4;
  primitive->joints = JOB_ARRAY(job, uint16_t, 16);
  primitive->weights = JOB_ARRAY(job, float, 16);
  for (uint16_t i = 0; i < 16; i++) primitive->joints[i] = i, primitive->weights[i] = (float)i;
  build_normals(job, scene, &(cook_options){0});
  for (uint32_t c = 0; c < 6; c++) {
    const uint32_t vertex = primitive->indices[c], source = roof_indices[c];
    assert_memory_equal(primitive->colours + 4 * vertex, colours[source], 4);
    assert_memory_equal(primitive->texcoords[2][vertex], texcoords[source], 8);
    for (uint32_t i = 0; i < 4; i++) {
      assert_int_equal(primitive->joints[4 * vertex + i], 4 * source + i);
      assert_true(primitive->weights[4 * vertex + i] == (float)(4 * source + i));
    }
  }
}

static void test_normals_flat_corners_keep_their_attributes(void **state) {
  (void)state;
  mt_in_job(step_flat_carries_all, NULL, 0);
}

/// A triangle on a line faces nowhere, but its normal is still a unit vector; when a target opens it, the sum is right.
static void step_degenerate(cook_job *job, void *user) {
  (void)user;
  static const float positions[3][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  static const uint32_t indices[3] = {0, 1, 2};
  cook_scene *scene = mt_one_primitive(job, positions, 3, indices, 3);
  mt_add_targets(job, scene, 1);
  cook_primitive *primitive = mt_primitive(scene);
  primitive->targets[0].position_deltas = job_alloc(job, 3, 12);
  primitive->targets[0].position_deltas[2][2] = 1; // now it faces -Y
  build_normals(job, scene, &(cook_options){0});
  for (uint32_t v = 0; v < 3; v++) {
    const float *normal = primitive->normals[v], *delta = primitive->targets[0].normal_deltas[v];
    assert_true(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2] == 1);
    const float sum[3] = {normal[0] + delta[0], normal[1] + delta[1], normal[2] + delta[2]};
    assert_near(sum, (const float[3]){0, -1, 0});
  }
}

static void test_normals_of_a_triangle_without_area(void **state) {
  (void)state;
  mt_in_job(step_degenerate, NULL, 0);
}

// -- Normals that are there -------------------------------------------------------------------------------------------

static void step_kept(cook_job *job, void *user) {
  (void)user;
  static const float normals[4][3] = {{0, 1, 0}, {0, 0.5f, 0}, {-0.1f, 0.2f, 0.3f}, {0, -7, 0}};
  cook_scene *scene = roof(job);
  cook_primitive *primitive = mt_primitive(scene);
  primitive->normals = MT_COPY(job, normals, 4);
  build_normals(job, scene, &(cook_options){0});
  assert_int_equal(primitive->vertex_count, 4);
  assert_memory_equal(primitive->normals, normals, sizeof normals);
  assert_false(primitive->has_flat_normals);
  assert_int_equal(job_issue_count(job), 0);
}

static void test_normals_keep_their_bits(void **state) {
  (void)state;
  mt_in_job(step_kept, NULL, 0);
}

/// The ridge sees both sides equally, so its normal points up; the left eave sees the left side alone.
static void step_zero(cook_job *job, void *user) {
  (void)user;
  static const float normals[4][3] = {{0, 0, 0}, {0, 1, 0}, {-0.0f, 0, 0}, {0, 1, 0}};
  cook_scene *scene = roof(job);
  cook_primitive *primitive = mt_primitive(scene);
  primitive->normals = MT_COPY(job, normals, 4);
  build_normals(job, scene, &(cook_options){0});
  assert_near(primitive->normals[0], (const float[3]){0, 1, 0});
  assert_near(primitive->normals[2], roof_left);
  assert_memory_equal(primitive->normals[1], normals[1], 12);
  assert_int_equal(job_issue_count(job), 1);
  const cook_issue *issue = mt_find_issue(job, "MPAK-C006");
  assert_non_null(issue);
  assert_int_equal(issue->where.index, 0);
  assert_int_equal(issue->where.more, 1);
}

static void test_normals_of_length_zero_are_made_anew(void **state) {
  (void)state;
  mt_in_job(step_zero, NULL, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_normals_missing_become_flat),
      cmocka_unit_test(test_normals_flat_follow_the_targets),
      cmocka_unit_test(test_normals_missing_make_tangents_meaningless),
      cmocka_unit_test(test_normals_flat_corners_keep_their_attributes),
      cmocka_unit_test(test_normals_of_a_triangle_without_area),
      cmocka_unit_test(test_normals_keep_their_bits),
      cmocka_unit_test(test_normals_of_length_zero_are_made_anew),
  };
  return cmocka_run_group_tests_name("build_normals", tests, NULL, NULL);
}
