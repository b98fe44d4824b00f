// Normal deltas of targets that move positions but no normals, on surfaces whose normals are known.
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/build/remap.h"
#include "cooker/import/import.h"
#include "tests/support/mt_build.h"
#include "tests/support/mt_cook.h"

// -- Shapes -----------------------------------------------------------------------------------------------------------

#define CUBE_VERTICES 24
#define CUBE_INDICES  36

/// A cube with hard edges: face f looks along axis f / 2, upwards for even f; four vertices and two triangles a face.
static cook_scene *cube(cook_job *job) {
  float positions[CUBE_VERTICES][3], normals[CUBE_VERTICES][3] = {{0}};
  uint32_t indices[CUBE_INDICES];
  for (uint32_t f = 0; f < 6; f++) {
    const uint32_t axis = f / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const float side = f % 2 == 0 ? 1 : -1;
    for (uint32_t k = 0; k < 4; k++) {
      float *position = positions[4 * f + k];
      position[axis] = side;
      position[u] = (k == 1 || k == 2) == (f % 2 == 0) ? 1 : -1; // counter-clockwise seen from outside
      position[v] = k >= 2 ? 1 : -1;
      normals[4 * f + k][axis] = side;
    }
    const uint32_t corners[6] = {4 * f, 4 * f + 1, 4 * f + 2, 4 * f, 4 * f + 2, 4 * f + 3};
    memcpy(indices + 6 * f, corners, sizeof corners);
  }
  cook_scene *scene = mt_one_primitive(job, (const float(*)[3])positions, CUBE_VERTICES, indices, CUBE_INDICES);
  mt_primitive(scene)->normals = MT_COPY(job, normals, CUBE_VERTICES);
  return scene;
}

#define SHEET 9

/// A smooth sheet of SHEET x SHEET vertices over x, y in [0, 1], with the normals of z = 0.
static cook_scene *sheet(cook_job *job) {
  float positions[SHEET * SHEET][3] = {{0}}, normals[SHEET * SHEET][3] = {{0}};
  uint32_t indices[6 * (SHEET - 1) * (SHEET - 1)];
  uint32_t *at = indices;
  for (uint32_t v = 0; v < SHEET * SHEET; v++) {
    positions[v][0] = (float)(v % SHEET) / (SHEET - 1);
    positions[v][1] = (float)(v / SHEET) / (SHEET - 1);
    normals[v][2] = 1;
    if (v % SHEET == SHEET - 1 || v / SHEET == SHEET - 1) continue;
    const uint32_t corners[6] = {v, v + 1, v + SHEET, v + SHEET, v + 1, v + SHEET + 1};
    memcpy(at, corners, sizeof corners);
    at += 6;
  }
  cook_scene *scene =
      mt_one_primitive(job, (const float(*)[3])positions, SHEET * SHEET, indices, (uint32_t)(at - indices));
  mt_primitive(scene)->normals = MT_COPY(job, normals, SHEET * SHEET);
  return scene;
}

static float (*add_moving_target(cook_job *job, cook_scene *scene))[3] {
  mt_add_targets(job, scene, 1);
  cook_primitive *primitive = mt_primitive(scene);
  primitive->targets[0].position_deltas = job_alloc(job, primitive->vertex_count, 12);
  return primitive->targets[0].position_deltas;
}

/// A rotation by 90 degrees about the main diagonal and another about X: no axis stays, and floats hold it exactly.
static void turn(const float *v, float *turned) {
  turned[0] = v[2];
  turned[1] = -v[0];
  turned[2] = -v[1];
}

static void turn_all(const cook_primitive *primitive, float (*deltas)[3]) {
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    float turned[3];
    turn(primitive->positions[v], turned);
    for (int k = 0; k < 3; k++) deltas[v][k] = turned[k] - primitive->positions[v][k];
  }
}

static void moved_normal(const cook_primitive *primitive, uint32_t v, float *normal) {
  for (int k = 0; k < 3; k++) {
    const cook_target *target = &primitive->targets[0];
    normal[k] = primitive->normals[v][k] + (target->normal_deltas == NULL ? 0 : target->normal_deltas[v][k]);
  }
}

static void assert_moved_normal(const cook_primitive *primitive, uint32_t v, const float *expected, double tolerance) {
  float normal[3];
  moved_normal(primitive, v, normal);
  if (mt_angle(normal, expected) <= tolerance) return;
  fail_msg("vertex %u: %g %g %g, expected %g %g %g", v, normal[0], normal[1], normal[2], expected[0], expected[1],
           expected[2]);
}

static void run(cook_job *job, cook_scene *scene) { build_morph_normals(job, scene, &(cook_options){0}); }

// -- Rigid motion -----------------------------------------------------------------------------------------------------

static void step_turned_cube(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = cube(job);
  cook_primitive *primitive = mt_primitive(scene);
  turn_all(primitive, add_moving_target(job, scene));
  run(job, scene);
  for (uint32_t v = 0; v < CUBE_VERTICES; v++) {
    float expected[3];
    turn(primitive->normals[v], expected);
    assert_moved_normal(primitive, v, expected, 1e-6);
  }
  const cook_issue *issue = mt_find_issue(job, "MPAK-C016");
  assert_non_null(issue);
  assert_string_equal(issue->message, "normals of 1 of 1 targets were recomputed");
  assert_string_equal(issue->where.target, "T0");
  assert_string_equal(issue->where.mesh, "Mesh");
}

static void test_morph_normals_of_a_turned_cube(void **state) {
  (void)state;
  mt_in_job(step_turned_cube, NULL, 0);
}

/// Authored normals that are far from the surface's own, and not of unit length, turn with it all the same.
static void step_turned_authored(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = sheet(job);
  cook_primitive *primitive = mt_primitive(scene);
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    primitive->normals[v][0] = 0.05f * (float)(v % 7);
    primitive->normals[v][1] = -0.04f * (float)(v % 5);
  }
  turn_all(primitive, add_moving_target(job, scene));
  run(job, scene);
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    float expected[3], normal[3];
    turn(primitive->normals[v], expected);
    assert_moved_normal(primitive, v, expected, 1e-6);
    moved_normal(primitive, v, normal);
    for (int k = 0; k < 3; k++) assert_true(fabsf(normal[k] - expected[k]) < 1e-6f);
  }
}

static void test_morph_normals_authored_turn_too(void **state) {
  (void)state;
  mt_in_job(step_turned_authored, NULL, 0);
}

/// Turned by half a circle the shortest rotation is not unique; the edges decide.
static void step_half_circle(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = sheet(job);
  cook_primitive *primitive = mt_primitive(scene);
  float(*deltas)[3] = add_moving_target(job, scene);
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    primitive->normals[v][0] = 0.5f;
    deltas[v][1] = -2 * primitive->positions[v][1]; // about X: y and z change sign
  }
  run(job, scene);
  const float expected[3] = {0.5f, 0, -1};
  for (uint32_t v = 0; v < primitive->vertex_count; v++) assert_moved_normal(primitive, v, expected, 1e-6);
}

static void test_morph_normals_turned_by_half_a_circle(void **state) {
  (void)state;
  mt_in_job(step_half_circle, NULL, 0);
}

/// Moved as a whole, by numbers that rounding makes uneven: no normal moves.
static void step_shifted(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = cube(job);
  cook_primitive *primitive = mt_primitive(scene);
  float(*deltas)[3] = add_moving_target(job, scene);
  for (uint32_t v = 0; v < CUBE_VERTICES; v++) {
    deltas[v][0] = (primitive->positions[v][0] + 3.3f) - primitive->positions[v][0];
    deltas[v][1] = (primitive->positions[v][1] + 0.1f) - primitive->positions[v][1];
  }
  run(job, scene);
  for (uint32_t v = 0; v < CUBE_VERTICES; v++)
    for (int k = 0; k < 3; k++) assert_true(primitive->targets[0].normal_deltas[v][k] == 0);
}

static void test_morph_normals_of_a_shifted_cube_do_not_move(void **state) {
  (void)state;
  mt_in_job(step_shifted, NULL, 0);
}

// -- Hard edges and smooth surfaces -----------------------------------------------------------------------------------

/// The top (+Z, face 4) is sheared in X: it keeps its normal, so do the sides +Y and -Y; the sides +X and -X lean.
static void step_sheared_cube(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = cube(job);
  cook_primitive *primitive = mt_primitive(scene);
  float(*deltas)[3] = add_moving_target(job, scene);
  for (uint32_t v = 0; v < CUBE_VERTICES; v++)
    deltas[v][0] = primitive->positions[v][2] > 0 ? 1 : 0; // 1 over a height of 2
  run(job, scene);
  const float expected[6][3] = {{2, 0, -1}, {-2, 0, 1}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  for (uint32_t v = 0; v < CUBE_VERTICES; v++) assert_moved_normal(primitive, v, expected[v / 4], 1e-6);
  const float zero[3] = {0, 0, 0};
  for (uint32_t v = 20; v < 24; v++)
    assert_memory_equal(primitive->targets[0].normal_deltas[v], zero, 12); // -Z: untouched
}

static void test_morph_normals_keep_hard_edges(void **state) {
  (void)state;
  mt_in_job(step_sheared_cube, NULL, 0);
}

/// A flat sheet becomes z = x^2: the recomputed normals come close to the parabola's, and stay smooth.
static void step_bent_sheet(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = sheet(job);
  cook_primitive *primitive = mt_primitive(scene);
  float(*deltas)[3] = add_moving_target(job, scene);
  for (uint32_t v = 0; v < SHEET * SHEET; v++) deltas[v][2] = primitive->positions[v][0] * primitive->positions[v][0];
  run(job, scene);
  for (uint32_t v = 0; v < SHEET * SHEET; v++) {
    const bool is_border = v % SHEET == 0 || v % SHEET == SHEET - 1;
    const float expected[3] = {-2 * primitive->positions[v][0], 0, 1};
    assert_moved_normal(primitive, v, expected,
                        is_border ? 0.13 : 0.03); // a border sees one side only: half a cell off
  }
}

static void test_morph_normals_of_a_bent_sheet(void **state) {
  (void)state;
  mt_in_job(step_bent_sheet, NULL, 0);
}

/// One corner of the sheet moves: only vertices around moved triangles get a delta, all others exactly none. And the
/// same sheet with unshared corners gives the same normals, since corners that agree are one smooth point.
static void step_local(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = sheet(job);
  cook_primitive *primitive = mt_primitive(scene);
  add_moving_target(job, scene)[0][2] = 0.1f;
  cook_scene *unshared = sheet(job);
  cook_primitive *corners = mt_primitive(unshared);
  add_moving_target(job, unshared)[0][2] = 0.1f;
  const uint32_t *shared = MT_COPY(job, corners->indices, corners->index_count);
  remap_vertices(job, corners, shared, corners->index_count);
  for (uint32_t c = 0; c < corners->index_count; c++) corners->indices[c] = c;
  run(job, scene);
  run(job, unshared);
  const float zero[3] = {0, 0, 0};
  const float *moved[3] = {primitive->targets[0].normal_deltas[0], primitive->targets[0].normal_deltas[1],
                           primitive->targets[0].normal_deltas[SHEET]};
  for (uint32_t v = 0; v < SHEET * SHEET; v++) {
    const float *delta = primitive->targets[0].normal_deltas[v];
    const bool is_around = delta == moved[0] || delta == moved[1] || delta == moved[2];
    assert_int_equal(memcmp(delta, zero, 12) != 0, is_around);
  }
  for (uint32_t c = 0; c < corners->index_count; c++)
    assert_memory_equal(corners->targets[0].normal_deltas[c], primitive->targets[0].normal_deltas[shared[c]], 12);
}

static void test_morph_normals_are_local_and_see_through_seams(void **state) {
  (void)state;
  mt_in_job(step_local, NULL, 0);
}

/// All triangles collapse to a point: there is nothing to take a normal from.
static void step_collapse(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = cube(job);
  cook_primitive *primitive = mt_primitive(scene);
  float(*deltas)[3] = add_moving_target(job, scene);
  for (uint32_t v = 0; v < CUBE_VERTICES; v++)
    for (int k = 0; k < 3; k++) deltas[v][k] = -primitive->positions[v][k];
  run(job, scene);
  for (uint32_t v = 0; v < CUBE_VERTICES; v++)
    for (int k = 0; k < 3; k++) assert_true(primitive->targets[0].normal_deltas[v][k] == 0);
}

static void test_morph_normals_stay_where_triangles_collapse(void **state) {
  (void)state;
  mt_in_job(step_collapse, NULL, 0);
}

// -- Choices ----------------------------------------------------------------------------------------------------------

// T0 moves positions only, T1 positions and one normal, T2 normals only, T3 nothing.
typedef enum delta_state { ABSENT, FROM_FILE, RECOMPUTED } delta_state;

typedef struct choice_case {
  cook_morph_normals choice;
  delta_state expected[4];
  const char *message;
} choice_case;

static const choice_case choices[] = {
    {COOK_MORPH_NORMALS_AUTO, {RECOMPUTED, FROM_FILE, FROM_FILE, ABSENT}, "normals of 1 of 4 targets were recomputed"},
    {COOK_MORPH_NORMALS_IMPORT, {ABSENT, FROM_FILE, FROM_FILE, ABSENT}, NULL},
    {COOK_MORPH_NORMALS_RECOMPUTE,
     {RECOMPUTED, RECOMPUTED, FROM_FILE, ABSENT},
     "normals of 2 of 4 targets were recomputed"},
    {COOK_MORPH_NORMALS_NONE, {ABSENT, ABSENT, ABSENT, ABSENT}, NULL},
};

static void step_choice(cook_job *job, void *user) {
  const choice_case *c = user;
  cook_scene *scene = cube(job);
  cook_primitive *primitive = mt_primitive(scene);
  mt_add_targets(job, scene, 4);
  for (uint32_t t = 0; t < 2; t++) {
    primitive->targets[t].position_deltas = job_alloc(job, CUBE_VERTICES, 12);
    turn_all(primitive, primitive->targets[t].position_deltas);
  }
  for (uint32_t t = 1; t < 3; t++) {
    primitive->targets[t].normal_deltas = job_alloc(job, CUBE_VERTICES, 12);
    primitive->targets[t].normal_deltas[7][1] = 0.125f;
  }
  primitive->targets[0].normal_deltas = c->choice == COOK_MORPH_NORMALS_AUTO ? job_alloc(job, CUBE_VERTICES, 12) : NULL;
  build_morph_normals(job, scene, &(cook_options){.morph_normals = c->choice});
  for (uint32_t t = 0; t < 4; t++) {
    const float(*deltas)[3] = (const float(*)[3])primitive->targets[t].normal_deltas;
    const delta_state found = deltas == NULL ? ABSENT : deltas[7][1] == 0.125f ? FROM_FILE : RECOMPUTED;
    assert_int_equal(found, c->expected[t]);
  }
  const cook_issue *issue = mt_find_issue(job, "MPAK-C016");
  assert_int_equal(issue != NULL, c->message != NULL);
  if (issue != NULL) assert_string_equal(issue->message, c->message);
}

static void test_morph_normals_choices(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) mt_in_job(step_choice, (void *)&choices[i], 0);
}

// -- Against Blender --------------------------------------------------------------------------------------------------

typedef struct agreement {
  uint32_t count,
      within; ///< normals that the file's target moves by more than a degree; of those within a degree of it
} agreement;

static void compare_target(const cook_primitive *primitive, float (*file)[3], float (*made)[3], agreement *found) {
  const double degree = acos(-1) / 180;
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    float expected[3], actual[3];
    for (int k = 0; k < 3; k++) {
      expected[k] = primitive->normals[v][k] + file[v][k];
      actual[k] = primitive->normals[v][k] + made[v][k];
    }
    if (mt_angle(expected, primitive->normals[v]) <= degree) continue;
    found->count++;
    found->within += mt_angle(expected, actual) <= degree;
  }
}

/// face60.glb is smooth all over and has the normals that Blender computed for each of its 60 shape keys. Blender has
/// quads where the file has triangles, so a few of the steepest differ a little.
static void step_blender(cook_job *job, void *user) {
  (void)user;
  uint64_t byte_count = 0;
  const char *path = mt_path("samples/assets/face60.glb");
  uint8_t *bytes = mt_read(path, &byte_count);
  assert_non_null(bytes);
  const cook_options options = {.morph_normals = COOK_MORPH_NORMALS_RECOMPUTE};
  cook_scene *made = gltf_import(job, path, bytes, byte_count, &options);
  cook_scene *file = gltf_import(job, path, bytes, byte_count, &options);
  build_nodes(job, made); // gives each target arrays of its own
  build_morph_normals(job, made, &options);
  agreement found = {0};
  assert_int_equal(made->meshes[0].target_count, 60);
  for (uint32_t t = 0; t < 60; t++) {
    const cook_target *target = &mt_primitive(made)->targets[t], *source = &mt_primitive(file)->targets[t];
    if (target->normal_deltas != NULL && source->normal_deltas != NULL)
      compare_target(mt_primitive(file), source->normal_deltas, target->normal_deltas, &found);
  }
  print_message("print: of %u normals that Blender moves by more than 1 degree %u are within 1 degree of it\n",
                found.count, found.within);
  assert_true(found.count >= 3000);
  assert_true(found.within >= 0.9 * found.count);
  free(bytes);
}

static void test_morph_normals_agree_with_blender(void **state) {
  (void)state;
  mt_in_job(step_blender, NULL, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_morph_normals_of_a_turned_cube),
      cmocka_unit_test(test_morph_normals_authored_turn_too),
      cmocka_unit_test(test_morph_normals_turned_by_half_a_circle),
      cmocka_unit_test(test_morph_normals_of_a_shifted_cube_do_not_move),
      cmocka_unit_test(test_morph_normals_keep_hard_edges),
      cmocka_unit_test(test_morph_normals_of_a_bent_sheet),
      cmocka_unit_test(test_morph_normals_are_local_and_see_through_seams),
      cmocka_unit_test(test_morph_normals_stay_where_triangles_collapse),
      cmocka_unit_test(test_morph_normals_choices),
      cmocka_unit_test(test_morph_normals_agree_with_blender),
  };
  return cmocka_run_group_tests_name("build_morph_normals", tests, NULL, NULL);
}
