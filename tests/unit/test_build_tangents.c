// Tangents: by hand where texture space is plain, and against the tangents that Blender's MikkTSpace wrote into
// samples/assets/custom_normals.glb.
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/build/remap.h"
#include "cooker/build/tangents_space.h"
#include "cooker/import/import.h"
#include "tests/support/mt_build.h"
#include "tests/support/mt_cook.h"

static const cook_options automatic = {0}, generate = {.tangents = COOK_TANGENTS_GENERATE},
                          none = {.tangents = COOK_TANGENTS_NONE};

// -- By hand ----------------------------------------------------------------------------------------------------------

// A square in the XY plane that faces +Z, seen from +Z: 0 1 below, 2 3 above. V of glTF points down.
static const float square_positions[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
static const uint32_t square_indices[6] = {0, 1, 2, 2, 1, 3};

static cook_scene *square(cook_job *job, bool has_normal_texture) {
  cook_scene *scene = mt_one_primitive(job, square_positions, 4, square_indices, 6);
  cook_primitive *primitive = mt_primitive(scene);
  primitive->normals = job_alloc(job, 4, 12);
  primitive->texcoords[0] = job_alloc(job, 4, 8);
  for (uint32_t v = 0; v < 4; v++) {
    primitive->normals[v][2] = 1;
    primitive->texcoords[0][v][0] = square_positions[v][0];
    primitive->texcoords[0][v][1] = 1 - square_positions[v][1];
  }
  scene->material_count = 1;
  scene->materials = JOB_ARRAY(job, cook_material, 1);
  scene->materials[0].has_normal_texture = has_normal_texture;
  primitive->material = 0;
  return scene;
}

static void assert_tangent(const float *tangent, float x, float y, float z, float w) {
  const float expected[3] = {x, y, z};
  assert_true(mt_angle(tangent, expected) < 1e-6);
  assert_true(fabsf(tangent[0] * tangent[0] + tangent[1] * tangent[1] + tangent[2] * tangent[2] - 1) < 1e-6f);
  assert_true(tangent[3] == w);
}

/// U along +X, texture upright: the bitangent w * cross(normal, tangent) points up the picture, +Y.
static void step_upright(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = square(job, true);
  build_tangents(job, scene, &automatic);
  const cook_primitive *primitive = mt_primitive(scene);
  assert_int_equal(primitive->vertex_count, 4);
  for (uint32_t v = 0; v < 4; v++) assert_tangent(primitive->tangents[v], 1, 0, 0, 1);
  assert_int_equal(job_issue_count(job), 1);
  assert_non_null(mt_find_issue(job, "MPAK-C007"));
}

static void test_tangents_of_an_upright_texture(void **state) {
  (void)state;
  mt_in_job(step_upright, NULL, 0);
}

/// The picture mirrored, and turned by a quarter.
static void step_mirrored(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = square(job, true);
  cook_primitive *primitive = mt_primitive(scene);
  for (uint32_t v = 0; v < 4; v++) primitive->texcoords[0][v][0] = -square_positions[v][0];
  build_tangents(job, scene, &automatic);
  for (uint32_t v = 0; v < 4; v++) assert_tangent(primitive->tangents[v], -1, 0, 0, -1);
  cook_scene *turned = square(job, true);
  primitive = mt_primitive(turned);
  for (uint32_t v = 0; v < 4; v++) {
    primitive->texcoords[0][v][0] = square_positions[v][1]; // U up, so up the picture is -X
    primitive->texcoords[0][v][1] = square_positions[v][0];
  }
  build_tangents(job, turned, &automatic);
  for (uint32_t v = 0; v < 4; v++) assert_tangent(primitive->tangents[v], 0, 1, 0, 1);
}

static void test_tangents_of_a_mirrored_and_a_turned_texture(void **state) {
  (void)state;
  mt_in_job(step_mirrored, NULL, 0);
}

/// The second triangle's picture is mirrored over the shared edge: both corners of the edge are split, and all else
/// (targets, source map) goes with them.
static void step_split(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = square(job, true);
  cook_primitive *primitive = mt_primitive(scene);
  primitive->texcoords[0][3][0] = 0; // 3 falls on 0: the mirror image of the first triangle in texture space
  primitive->texcoords[0][3][1] = 1;
  mt_add_targets(job, scene, 1);
  primitive->targets[0].position_deltas = job_alloc(job, 4, 12);
  for (uint32_t v = 0; v < 4; v++) primitive->targets[0].position_deltas[v][2] = (float)v;
  build_tangents(job, scene, &automatic);
  assert_int_equal(primitive->vertex_count, 6);
  for (uint32_t c = 0; c < 6; c++) {
    const uint32_t vertex = primitive->indices[c];
    assert_tangent(primitive->tangents[vertex], c < 3 ? 1 : 0, c < 3 ? 0 : -1, 0, c < 3 ? 1 : -1);
    assert_int_equal(primitive->source_of_vertex[vertex], square_indices[c]);
    assert_memory_equal(primitive->positions[vertex], square_positions[square_indices[c]], 12);
    assert_true(primitive->targets[0].position_deltas[vertex][2] == (float)square_indices[c]);
  }
}

static void test_tangents_split_where_texture_space_is_mirrored(void **state) {
  (void)state;
  mt_in_job(step_split, NULL, 0);
}

/// Triangles without area in texture space or in space still get unit tangents at a right angle to the normal.
static void step_degenerate(cook_job *job, void *user) {
  const bool is_in_space = *(const bool *)user;
  cook_scene *scene = square(job, true);
  cook_primitive *primitive = mt_primitive(scene);
  for (uint32_t v = 0; v < 4; v++) {
    primitive->normals[v][0] = v < 2 ? 1 : 0; // along the usual default tangent
    primitive->normals[v][2] = v < 2 ? 0 : 1;
    if (is_in_space)
      memset(primitive->positions[v], 0, 12);
    else
      primitive->texcoords[0][v][1] = primitive->texcoords[0][v][0];
  }
  build_tangents(job, scene, &automatic);
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    assert_true(fabs(mt_angle(primitive->tangents[v], primitive->normals[v]) - acos(0)) < 1e-6);
    assert_true(primitive->tangents[v][3] == 1);
  }
}

static void test_tangents_of_degenerate_triangles(void **state) {
  (void)state;
  bool in_space = true, in_texture = false;
  mt_in_job(step_degenerate, &in_space, 0);
  mt_in_job(step_degenerate, &in_texture, 0);
}

/// The turned square, whose tangents are +Y, with a second triangle that has no area in space or in texture space: at
/// the vertices it shares with the first one it takes that one's tangents, so nothing is split.
static void step_beside_degenerate(cook_job *job, void *user) {
  const bool is_in_space = *(const bool *)user;
  cook_scene *scene = square(job, true);
  cook_primitive *primitive = mt_primitive(scene);
  for (uint32_t v = 0; v < 4; v++) {
    primitive->texcoords[0][v][0] = square_positions[v][1];
    primitive->texcoords[0][v][1] = square_positions[v][0];
  }
  if (is_in_space)
    primitive->indices[5] = 1;
  else
    memcpy(primitive->texcoords[0][3], primitive->texcoords[0][1], 8);
  build_tangents(job, scene, &automatic);
  assert_int_equal(primitive->vertex_count, 4);
  for (uint32_t v = 0; v < 3; v++) assert_tangent(primitive->tangents[v], 0, 1, 0, 1);
}

static void test_tangents_beside_degenerate_triangles(void **state) {
  (void)state;
  bool in_space = true, in_texture = false;
  mt_in_job(step_beside_degenerate, &in_space, 0);
  mt_in_job(step_beside_degenerate, &in_texture, 0);
}

/// A fan of 30,000 triangles around one vertex, and an edge that 30,000 triangles share: done in no time, or not at
/// all.
static void step_large(cook_job *job, void *user) {
  (void)user;
  enum { COUNT = 30000 };
  const bool is_fan = *(const bool *)user;
  float(*positions)[3] = job_alloc(job, COUNT + 2, 12);
  uint32_t *indices = JOB_ARRAY(job, uint32_t, 3 * COUNT);
  positions[1][0] = 1;
  for (uint32_t i = 0; i < COUNT; i++) {
    positions[i + 2][0] = (float)cos(i * 1e-4);
    positions[i + 2][1] = (float)sin(i * 1e-4);
    indices[3 * i + 1] = is_fan ? i + 1 : 1;
    indices[3 * i + 2] = i + 2;
  }
  cook_scene *scene = mt_one_primitive(job, (const float(*)[3])positions, COUNT + 2, indices, 3 * COUNT);
  cook_primitive *primitive = mt_primitive(scene);
  primitive->normals = job_alloc(job, COUNT + 2, 12);
  primitive->texcoords[0] = job_alloc(job, COUNT + 2, 8);
  for (uint32_t v = 0; v < COUNT + 2; v++) {
    primitive->normals[v][2] = 1;
    primitive->texcoords[0][v][0] = positions[v][0];
    primitive->texcoords[0][v][1] = -positions[v][1];
  }
  build_tangents(job, scene, &generate);
  for (uint32_t c = 0; c < primitive->index_count; c++) {
    const float *tangent = primitive->tangents[primitive->indices[c]];
    assert_true(fabsf(tangent[2]) < 1e-6f);
    assert_true(tangent[3] == 1 || !is_fan);
    assert_true(tangent[0] > 0.999f || !is_fan);
  }
}

static void test_tangents_of_a_large_fan_and_a_crowded_edge(void **state) {
  (void)state;
  bool fan = true, edge = false;
  mt_in_job(step_large, &fan, 0);
  mt_in_job(step_large, &edge, 0);
}

// -- Choices ----------------------------------------------------------------------------------------------------------

typedef enum found_tangents { FOUND_NONE, FOUND_FILE, FOUND_MADE } found_tangents;

typedef struct choice_case {
  const cook_options *options;
  bool has_tangents, has_normal_texture, has_texcoords;
  found_tangents expected;
  const char *issue;
} choice_case;

static const choice_case choices[] = {
    {&automatic, true, true, true, FOUND_FILE, NULL},
    {&automatic, true, false, false, FOUND_FILE, NULL},
    {&automatic, false, true, true, FOUND_MADE, "MPAK-C007"},
    {&automatic, false, false, true, FOUND_NONE, NULL},
    {&automatic, false, true, false, FOUND_NONE, "MPAK-C008"},
    {&generate, true, false, true, FOUND_MADE, "MPAK-C007"},
    {&generate, false, false, true, FOUND_MADE, "MPAK-C007"},
    {&generate, true, true, false, FOUND_FILE, "MPAK-C008"},
    {&none, true, true, true, FOUND_NONE, NULL},
    {&none, false, true, false, FOUND_NONE, NULL},
};

static void step_choice(cook_job *job, void *user) {
  const choice_case *c = user;
  static const float tangents[4][4] = {{0, 1, 0, -1}, {0, 1, 0, -1}, {0, 1, 0, -1}, {0, 1, 0, -1}};
  cook_scene *scene = square(job, c->has_normal_texture);
  mt_add_targets(job, scene, 1);
  cook_primitive *primitive = mt_primitive(scene);
  primitive->targets[0].tangent_deltas = job_alloc(job, 4, 12);
  if (c->has_tangents) primitive->tangents = MT_COPY(job, tangents, 4);
  if (!c->has_texcoords) primitive->texcoords[0] = NULL;
  build_tangents(job, scene, c->options);
  const found_tangents found = primitive->tangents == NULL      ? FOUND_NONE
                               : primitive->tangents[0][1] == 1 ? FOUND_FILE
                                                                : FOUND_MADE;
  assert_int_equal(found, c->expected);
  assert_int_equal(primitive->targets[0].tangent_deltas != NULL, found == FOUND_FILE);
  assert_int_equal(job_issue_count(job), c->issue != NULL ? 1 : 0);
  if (c->issue != NULL) assert_non_null(mt_find_issue(job, c->issue));
}

static void test_tangents_choices(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) mt_in_job(step_choice, (void *)&choices[i], 0);
}

static void step_repair(cook_job *job, void *user) {
  (void)user;
  static const float tangents[4][4] = {{1, 0, 0, 1}, {0, 0, 0, -1}, {1, 0, 0, 0}, {1, 0, 0, -0.5f}};
  cook_scene *scene = square(job, false);
  cook_primitive *primitive = mt_primitive(scene);
  primitive->tangents = MT_COPY(job, tangents, 4);
  build_tangents(job, scene, &automatic);
  assert_memory_equal(primitive->tangents[0], tangents[0], 16);
  assert_true(fabs(mt_angle(primitive->tangents[1], primitive->normals[1]) - acos(0)) < 1e-6);
  assert_true(primitive->tangents[1][3] == -1);
  assert_tangent(primitive->tangents[2], 1, 0, 0, 1);
  assert_tangent(primitive->tangents[3], 1, 0, 0, -1);
  const cook_issue *issue = mt_find_issue(job, "MPAK-C009");
  assert_non_null(issue);
  assert_int_equal(issue->where.index, 1);
  assert_int_equal(issue->where.more, 2);
}

static void test_tangents_of_the_file_are_made_usable(void **state) {
  (void)state;
  mt_in_job(step_repair, NULL, 0);
}

// -- Against Blender's MikkTSpace -------------------------------------------------------------------------------------

typedef struct agreement {
  uint32_t corner_count, agreeing, same_sign;
  double largest_rad;
} agreement;

/// What regenerated tangents of corners are, against the file's.
static agreement compare_corners(const cook_primitive *file, const uint32_t *indices, const float (*tangents)[4]) {
  agreement result = {.corner_count = file->index_count};
  for (uint32_t c = 0; c < file->index_count; c++) {
    const float *expected = file->tangents[file->indices[c]], *actual = tangents[indices[c]];
    const double angle = mt_angle(expected, actual);
    result.same_sign += actual[3] == expected[3];
    result.agreeing += angle <= acos(-1) / 180 && actual[3] == expected[3];
    if (angle > result.largest_rad) result.largest_rad = angle;
  }
  return result;
}

/// user: 1 to give every corner a vertex of its own before, as an importer of polygons does.
static void step_blender(cook_job *job, void *user) {
  const char *path = mt_path("samples/assets/custom_normals.glb");
  uint64_t byte_count = 0;
  uint8_t *bytes = mt_read(path, &byte_count);
  assert_non_null(bytes);
  cook_scene *scene = gltf_import(job, path, bytes, byte_count, &generate);
  cook_primitive *primitive = mt_primitive(scene);
  cook_primitive file = *primitive;
  file.indices = MT_COPY(job, primitive->indices, primitive->index_count);
  primitive->tangents = NULL; // stripped, and regenerated
  if (*(const bool *)user) remap_split_corners(job, primitive, NULL);
  build_tangents(job, scene, &generate);
  const agreement found = compare_corners(&file, primitive->indices, (const float(*)[4])primitive->tangents);
  print_message("print: %u of %u corners within 1 degree and of the same sign, the largest angle %.4f degrees\n",
                found.agreeing, found.corner_count, found.largest_rad * 180 / acos(-1));
  assert_int_equal(found.corner_count, 192);
  assert_true(found.agreeing >= 0.995 * found.corner_count);
  free(bytes);
}

static void test_tangents_agree_with_mikktspace(void **state) {
  (void)state;
  bool is_split = false;
  mt_in_job(step_blender, &is_split, 0);
  is_split = true;
  mt_in_job(step_blender, &is_split, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tangents_of_an_upright_texture),
      cmocka_unit_test(test_tangents_of_a_mirrored_and_a_turned_texture),
      cmocka_unit_test(test_tangents_split_where_texture_space_is_mirrored),
      cmocka_unit_test(test_tangents_of_degenerate_triangles),
      cmocka_unit_test(test_tangents_beside_degenerate_triangles),
      cmocka_unit_test(test_tangents_of_a_large_fan_and_a_crowded_edge),
      cmocka_unit_test(test_tangents_choices),
      cmocka_unit_test(test_tangents_of_the_file_are_made_usable),
      cmocka_unit_test(test_tangents_agree_with_mikktspace),
  };
  return cmocka_run_group_tests_name("build_tangents", tests, NULL, NULL);
}
