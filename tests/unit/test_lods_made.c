// Levels of detail that are made: the measure by hand, what the simplifier may not touch, and what a profile drops.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "cooker/build/lods_corners.h"
#include "cooker/build/lods_drop.h"
#include "cooker/build/lods_simplify.h"
#include "cooker/profile.h"
#include "tests/support/mt_build.h"
#include "tests/support/mt_scene.h"

// -- Surfaces ---------------------------------------------------------------------------------------------------------

/// Sheets of cells x cells squares in the plane z = 0, side by side along x, each a part of its own; they meet at the
/// lines x = cells, 2 cells, ….
typedef struct sheets {
  lods_surface surface;
  float (*positions)[3];
  uint32_t cells, side;
} sheets;

static void sheet_add(sheets *made, uint32_t part, uint32_t *indices) {
  const uint32_t cells = made->cells, side = made->side, base = part * side * side;
  for (uint32_t v = 0; v < side * side; v++) {
    made->positions[base + v][0] = (float)(v % side + part * cells);
    made->positions[base + v][1] = (float)(v / side);
  }
  for (uint32_t cell = 0; cell < cells * cells; cell++) {
    const uint32_t corner = base + cell / cells * side + cell % cells;
    const uint32_t six[6] = {corner, corner + 1, corner + side, corner + 1, corner + side + 1, corner + side};
    memcpy(indices + 6 * ((size_t)part * cells * cells + cell), six, sizeof six);
  }
}

static sheets sheets_make(cook_job *job, uint32_t part_count, uint32_t cells) {
  sheets made = {.cells = cells, .side = cells + 1};
  const uint32_t vertices = made.side * made.side, corners = 6 * cells * cells;
  uint32_t *first_vertex = JOB_ARRAY(job, uint32_t, part_count + 1);
  uint32_t *first_index = JOB_ARRAY(job, uint32_t, part_count + 1);
  uint32_t *indices = JOB_ARRAY(job, uint32_t, part_count * corners);
  made.positions = job_alloc(job, (uint64_t)part_count * vertices, sizeof *made.positions);
  for (uint32_t part = 0; part < part_count; part++) {
    first_vertex[part + 1] = (part + 1) * vertices;
    first_index[part + 1] = (part + 1) * corners;
    sheet_add(&made, part, indices);
  }
  made.surface = (lods_surface){.part_count = part_count,
                                .first_vertex = first_vertex,
                                .first_index = first_index,
                                .rest = (const float(*)[3])made.positions,
                                .indices = indices,
                                .pose_count = 1,
                                .before = (const float(*)[3])made.positions,
                                .after = (const float(*)[3])made.positions};
  lods_surface_join(job, &made.surface);
  return made;
}

/// The square of corners 0, 2, 6, 8 without the vertices between; the one in the middle is raised in the second pose.
static void step_measure(cook_job *job, void *user) {
  (void)user;
  sheets made = sheets_make(job, 1, 2);
  float(*poses)[3] = job_alloc(job, 18, sizeof *poses);
  memcpy(poses, made.positions, 9 * sizeof *poses);
  memcpy(poses + 9, made.positions, 9 * sizeof *poses);
  poses[9 + 4][2] = 0.75f;
  poses[9 + 1][1] = -0.25f;
  made.surface.pose_count = 2;
  made.surface.before = made.surface.after = (const float(*)[3])poses;
  const uint32_t square[6] = {0, 2, 6, 2, 8, 6};
  float errors[9];
  uint32_t where[9];
  lods_surface_measure(job, &made.surface, square, 6, errors, where);
  for (uint32_t v = 0; v < 9; v++) assert_true(errors[v] == (v == 4 ? 0.75f : v == 1 ? 0.25f : 0));
  assert_int_equal(made.surface.place_count, 9);
  assert_int_equal(where[made.surface.place[0]], MPAK_NONE);
  assert_int_equal(where[made.surface.place[1]], 0);
}

static void test_lods_measure_by_hand(void **state) {
  (void)state;
  mt_in_job(step_measure, NULL, 0);
}

static void step_nothing_left(cook_job *job, void *user) {
  (void)user;
  const sheets made = sheets_make(job, 1, 2);
  float errors[9];
  lods_surface_measure(job, &made.surface, NULL, 0, errors, NULL);
  for (uint32_t v = 0; v < 9; v++) assert_true(isinf(errors[v]));
}

static void test_lods_nothing_left_is_infinitely_far(void **state) {
  (void)state;
  mt_in_job(step_nothing_left, NULL, 0);
}

static bool uses(const lods_surface *surface, const lods_triangles *triangles, uint32_t part, uint32_t vertex) {
  (void)surface;
  for (uint32_t i = triangles->first_index[part]; i < triangles->first_index[part + 1]; i++)
    if (triangles->indices[i] == vertex) return true;
  return false;
}

static double area_of(const sheets *made, const lods_triangles *triangles) {
  double area = 0;
  for (uint32_t i = 0; i < triangles->first_index[made->surface.part_count]; i += 3) {
    const float *a = made->positions[triangles->indices[i]], *b = made->positions[triangles->indices[i + 1]],
                *c = made->positions[triangles->indices[i + 2]];
    area += ((double)b[0] - (double)a[0]) * ((double)c[1] - (double)a[1]) -
            ((double)b[1] - (double)a[1]) * ((double)c[0] - (double)a[0]);
  }
  return area / 2;
}

/// Two flat sheets: what is inside goes, all border vertices stay on both sides, and nothing is covered twice.
static void step_borders(cook_job *job, void *user) {
  (void)user;
  const sheets made = sheets_make(job, 2, 8);
  lods_triangles result;
  lods_simplify(job, &made.surface, NULL, 0.001, &result);
  assert_true(result.first_index[2] < lods_index_count(&made.surface) / 2);
  assert_true((double)result.error_m <= 0.001);
  assert_true(fabs(area_of(&made, &result) - 128) < 1e-9);
  for (uint32_t v = 0; v < 2 * 81; v++) {
    const uint32_t x = v % 81 % 9, y = v % 81 / 9;
    if (x % 8 == 0 || y % 8 == 0) assert_true(uses(&made.surface, &result, v / 81, v));
  }
}

static void test_lods_borders_stay(void **state) {
  (void)state;
  mt_in_job(step_borders, NULL, 0);
}

/// Flat at rest; in the second pose two vertices are pulled out by 1. With a bound below that both must stay, above it
/// one of them goes: the last vertex inside has no neighbour to go to, all sides are straight.
static void step_poses(cook_job *job, void *user) {
  (void)user;
  sheets made = sheets_make(job, 1, 8);
  float(*poses)[3] = job_alloc(job, 162, sizeof *poses);
  memcpy(poses, made.positions, 81 * sizeof *poses);
  memcpy(poses + 81, made.positions, 81 * sizeof *poses);
  poses[81 + 30][2] = poses[81 + 50][2] = 1;
  made.surface.pose_count = 2;
  made.surface.before = made.surface.after = (const float(*)[3])poses;
  lods_triangles tight, loose;
  lods_simplify(job, &made.surface, NULL, 0.01, &tight);
  lods_simplify(job, &made.surface, &tight, 1.5, &loose);
  assert_true(uses(&made.surface, &tight, 0, 30) && uses(&made.surface, &tight, 0, 50));
  assert_true((double)tight.error_m <= 0.01);
  assert_true(tight.first_index[1] < lods_index_count(&made.surface));
  assert_false(uses(&made.surface, &loose, 0, 30) && uses(&made.surface, &loose, 0, 50));
  assert_true(loose.error_m >= 0.99f && (double)loose.error_m <= 1.5);
}

static void test_lods_poses_count(void **state) {
  (void)state;
  mt_in_job(step_poses, NULL, 0);
}

// -- Hard edges -------------------------------------------------------------------------------------------------------

/// Three vertices at one place with three normals: each triangle takes the one that looks as it does.
static void step_corners(cook_job *job, void *user) {
  (void)user;
  static const float positions[5][3] = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const uint32_t given[6] = {0, 2, 3, 0, 3, 4};
  static float normals[5][3] = {{1, 0, 0}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {1, 0, 0}};
  cook_scene *scene = mt_one_primitive(job, positions, 5, given, 6);
  cook_primitive *primitive = mt_primitive(scene);
  primitive->normals = normals;
  uint32_t *lowest = lods_corners_join(job, primitive);
  const uint32_t expected_lowest[5] = {0, 0, 2, 3, 4}, expected[6] = {1, 2, 3, 0, 3, 4};
  assert_memory_equal(lowest, expected_lowest, sizeof expected_lowest);
  lods_corners_part(job, primitive, lowest, primitive->indices, 6);
  assert_memory_equal(primitive->indices, expected, sizeof expected);
}

static void test_lods_corners_take_the_nearest_normal(void **state) {
  (void)state;
  mt_in_job(step_corners, NULL, 0);
}

// -- Dropping ---------------------------------------------------------------------------------------------------------

static void step_nodes(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = mt_scene_make(job, NULL);
  build_nodes(job, scene); // Root, Hips, Spine, Body, Hat (under Spine)
  static const char *const spine[] = {"?pin*"}, *const none[] = {"Spi", "pine", "S?ne"};
  const bool *drops = lods_dropped_nodes(job, scene, spine, 1, MPAK_NONE, NULL);
  const bool below_spine[5] = {false, false, true, false, true};
  assert_memory_equal(drops, below_spine, sizeof below_spine);
  assert_null(lods_dropped_nodes(job, scene, none, 3, MPAK_NONE, NULL));
  const bool deep[5] = {false, false, true, false, true};
  assert_memory_equal(lods_dropped_nodes(job, scene, NULL, 0, 1, NULL), deep, sizeof deep);
  assert_memory_equal(lods_dropped_nodes(job, scene, NULL, 0, MPAK_NONE, drops), below_spine, sizeof below_spine);
}

static void test_lods_nodes_are_dropped_with_all_below(void **state) {
  (void)state;
  mt_in_job(step_nodes, NULL, 0);
}

/// Spine goes: its weight is the Hips'.
static void step_bones(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = mt_scene_make(job, NULL);
  build_nodes(job, scene);
  build_influences(job, scene, &(cook_options){0});
  cook_mesh *body = &scene->meshes[0];
  const uint32_t hips = scene->skins[0].joints[0] == 1 ? 0 : 1;
  bool drops[5] = {true, true, true, false, true}; // Hips has no joint above it, so it stays
  assert_int_equal(lods_drop_bones(job, scene, body, body->primitives, body->primitive_count, 1, drops), 1);
  assert_false(drops[1]);
  assert_true(drops[2]);
  for (uint32_t p = 0; p < body->primitive_count; p++) {
    const cook_primitive *primitive = &body->primitives[p];
    for (uint32_t v = 0; v < primitive->vertex_count; v++) {
      assert_int_equal(primitive->joints[v * primitive->influence_count], hips);
      assert_true(fabsf(primitive->weights[v * primitive->influence_count] - 1) < 1e-6f);
    }
  }
  assert_non_null(strstr(mt_find_issue(job, "MPAK-C043")->message, "level 1 does without 1 joints"));
}

static void test_lods_dropped_bones_are_issue_c043(void **state) {
  (void)state;
  mt_in_job(step_bones, NULL, 0);
}

/// A target goes when no primitive moves by as much.
static void step_targets(cook_job *job, void *user) {
  (void)user;
  static const float positions[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  static const uint32_t indices[3] = {0, 1, 2};
  static float small[3][3] = {{0, 0.003f, 0.004f}}, large[3][3] = {{0}, {0.006f, 0, 0}};
  cook_scene *scene = mt_one_primitive(job, positions, 3, indices, 3);
  mt_add_targets(job, scene, 2);
  cook_primitive *primitive = mt_primitive(scene);
  primitive->targets[0].position_deltas = small; // 5 mm
  primitive->targets[0].normal_deltas = large;
  primitive->targets[1].position_deltas = large; // 6 mm
  const cook_target *old = primitive->targets;
  assert_int_equal(lods_drop_targets(job, primitive, 1, 0.0049), 0);
  assert_int_equal(lods_drop_targets(job, primitive, 1, 0.0055), 1);
  assert_int_equal(primitive->target_count, 2);
  assert_null(primitive->targets[0].position_deltas);
  assert_null(primitive->targets[0].normal_deltas);
  assert_ptr_equal(primitive->targets[1].position_deltas, large);
  assert_ptr_equal(old[0].position_deltas, small);
}

static void test_lods_small_targets_are_dropped(void **state) {
  (void)state;
  mt_in_job(step_targets, NULL, 0);
}

/// A bound that the dropped bone alone breaks.
static void step_missed(cook_job *job, void *user) {
  (void)user;
  static const char *bones[] = {"Spine"};
  cook_profile_lod lods[2] = {{.screen_size = 1, .max_bone_depth = MPAK_NONE},
                              {.screen_size = 0.5f,
                               .error_mm = 0.001f,
                               .dropped_bones = bones,
                               .dropped_bone_count = 1,
                               .max_bone_depth = MPAK_NONE}};
  const cook_profile profile = {.name = "test", .lod_count = 2, .lods = lods};
  cook_product product = {0};
  cook_scene_to_pack(job, mt_scene_make(job, &(mt_scene_knobs){.cells = 4}), &(cook_options){.profile = &profile},
                     &product);
  const cook_mesh *body = &product.scene->meshes[0];
  assert_string_equal(body->name, "Body");
  assert_int_equal(body->lod_count, 2);
  assert_true(body->lods[1].error_m > 1e-6f);
  assert_true(body->lods[1].screen_size == 0.5f);
  assert_non_null(body->lods[1].drops_node);
  assert_non_null(strstr(mt_find_issue(job, "MPAK-C044")->message, "at level 1"));
}

static void test_lods_missed_bound_is_issue_c044(void **state) {
  (void)state;
  mt_in_job(step_missed, NULL, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lods_measure_by_hand),
      cmocka_unit_test(test_lods_nothing_left_is_infinitely_far),
      cmocka_unit_test(test_lods_borders_stay),
      cmocka_unit_test(test_lods_poses_count),
      cmocka_unit_test(test_lods_corners_take_the_nearest_normal),
      cmocka_unit_test(test_lods_nodes_are_dropped_with_all_below),
      cmocka_unit_test(test_lods_dropped_bones_are_issue_c043),
      cmocka_unit_test(test_lods_small_targets_are_dropped),
      cmocka_unit_test(test_lods_missed_bound_is_issue_c044),
  };
  return cmocka_run_group_tests_name("lods_made", tests, NULL, NULL);
}
