// Welding (D4): what becomes one vertex and what must not, and the source map through splits, welds and reordering.
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/build/remap.h"
#include "tests/support/mt_build.h"
#include "tests/support/mt_scene.h"

// Two triangles over the diagonal of a square, unshared: corners 0-2 and 3-5, where 3 repeats 2 and 4 repeats 1.
static const float square_positions[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}};
static const uint32_t square_indices[6] = {0, 1, 2, 3, 4, 5};

/// All streams a primitive can have, the same at every vertex; targets 0 and 1 with all their deltas.
static cook_scene *square(cook_job *job) {
  cook_scene *scene = mt_one_primitive(job, square_positions, 6, square_indices, 6);
  mt_add_targets(job, scene, 2);
  cook_primitive *primitive = mt_primitive(scene);
  primitive->influence_count = 4;
  primitive->colour_format = MPAK_FORMAT_UNORM8X4;
  for (uint32_t s = REMAP_NORMALS; s < remap_stream_count(primitive); s++) {
    const uint32_t bytes = remap_stream_bytes(primitive, s);
    uint8_t *data = job_alloc(job, 6, bytes);
    for (uint32_t v = 0; v < 6; v++)
      for (uint32_t i = 0; i < bytes; i += 4) memcpy(data + v * bytes + i, &(float){0.25f}, 4);
    remap_stream_set(primitive, s, data);
  }
  for (uint32_t v = 0; v < 6; v++) {
    primitive->normals[v][0] = primitive->normals[v][1] = 0;
    primitive->normals[v][2] = 1;
  }
  return scene;
}

static void check_square(const cook_primitive *primitive, uint32_t vertex_count) {
  assert_int_equal(primitive->vertex_count, vertex_count);
  assert_int_equal(primitive->index_count, 6);
  for (uint32_t c = 0; c < 6; c++) {
    assert_memory_equal(primitive->positions[primitive->indices[c]], square_positions[c], 12);
    assert_int_equal(primitive->vertex_of_source[c], primitive->indices[c]);
  }
}

static void step_seamless(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = square(job);
  build_weld(job, scene, &(cook_options){0});
  const cook_primitive *primitive = mt_primitive(scene);
  check_square(primitive, 4);
  const uint32_t indices[6] = {0, 1, 2, 2, 1, 3}, sources[4] = {0, 1, 2, 5}, vertices[6] = {0, 1, 2, 2, 1, 3};
  assert_memory_equal(primitive->indices, indices, sizeof indices);
  assert_memory_equal(primitive->source_of_vertex, sources, sizeof sources);
  assert_memory_equal(primitive->vertex_of_source, vertices, sizeof vertices);
  assert_int_equal(job_issue_count(job), 0);
}

static void test_weld_joins_what_agrees(void **state) {
  (void)state;
  mt_in_job(step_seamless, NULL, 0);
}

/// One bit of one element of any stream (the weld trap: deltas too) keeps vertex 3 apart from vertex 2.
static void step_any_bit_parts(cook_job *job, void *user) {
  (void)user;
  const uint32_t stream_count = remap_stream_count(mt_primitive(square(job)));
  uint32_t checked = 0;
  for (uint32_t s = 0; s < stream_count; s++) {
    const uint32_t bytes = remap_stream_bytes(mt_primitive(square(job)), s);
    for (uint32_t i = 0; i < bytes; i++) {
      const cook_mark mark = job_mark(job);
      cook_scene *scene = square(job);
      cook_primitive *primitive = mt_primitive(scene);
      ((uint8_t *)remap_stream_get(primitive, s))[3 * bytes + i] ^= 1;
      build_weld(job, scene, &(cook_options){0});
      assert_int_equal(primitive->vertex_count, 5);
      assert_int_equal(primitive->vertex_of_source[3], 3);
      assert_int_equal(primitive->source_of_vertex[3], 3);
      job_release(job, mark);
      checked++;
    }
  }
  assert_int_equal(checked, 12 + 12 + 16 + 4 * 8 + 4 + 8 + 16 + 2 * 36);
}

static void test_weld_any_difference_parts(void **state) {
  (void)state;
  mt_in_job(step_any_bit_parts, NULL, 0);
}

static void step_signed_zero(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = square(job);
  cook_primitive *primitive = mt_primitive(scene);
  primitive->positions[3][2] = -0.0f;
  primitive->normals[4][1] = -0.0f;
  for (uint32_t v = 0; v < 6; v++) primitive->targets[1].position_deltas[v][0] = v == 3 ? -0.0f : 0.0f;
  for (uint32_t v = 0; v < 6; v++) primitive->targets[0].tangent_deltas[v][2] = v == 2 ? -0.0f : 0.0f;
  build_weld(job, scene, &(cook_options){0});
  assert_int_equal(primitive->vertex_count, 4);
  assert_true(signbit(primitive->targets[0].tangent_deltas[2][2])); // the lowest vertex wins, bits and all
}

static void test_weld_zero_has_no_sign(void **state) {
  (void)state;
  mt_in_job(step_signed_zero, NULL, 0);
}

/// 0, 0, 0, 128 as bytes is the pattern of -0, and still another colour than 0, 0, 0, 0.
static void step_colour_bytes(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = square(job);
  cook_primitive *primitive = mt_primitive(scene);
  memset(primitive->colours, 0, 24);
  primitive->colours[4 * 3 + 3] = 128;
  build_weld(job, scene, &(cook_options){0});
  assert_int_equal(primitive->vertex_count, 5);
}

static void test_weld_integers_are_no_floats(void **state) {
  (void)state;
  mt_in_job(step_colour_bytes, NULL, 0);
}

// -- Triangles and unused vertices ------------------------------------------------------------------------------------

static void step_degenerate(cook_job *job, void *user) {
  (void)user;
  static const uint32_t indices[12] = {0, 1, 2, 1, 4, 5, 2, 2, 0, 4, 5, 3}; // the second and third repeat a vertex
  cook_scene *scene = square(job);
  cook_primitive *primitive = mt_primitive(scene);
  primitive->indices = MT_COPY(job, indices, 12);
  primitive->index_count = 12;
  build_weld(job, scene, &(cook_options){0});
  const uint32_t expected[6] = {0, 1, 2, 1, 3, 2};
  assert_int_equal(primitive->index_count, 6);
  assert_memory_equal(primitive->indices, expected, sizeof expected);
  assert_int_equal(job_issue_count(job), 1);
  const cook_issue *issue = mt_find_issue(job, "MPAK-C010");
  assert_non_null(issue);
  assert_string_equal(issue->message, "triangles with two corners at one vertex were dropped: triangle 1 and 1 more");
}

static void test_weld_drops_triangles_that_repeat_a_vertex(void **state) {
  (void)state;
  mt_in_job(step_degenerate, NULL, 0);
}

typedef struct unused_case {
  cook_options options;
  uint32_t vertex_count;
  uint32_t vertex_of_source[6];
} unused_case;

/// Only the second triangle is drawn: vertices 0 to 2 are unused, but 1 and 2 equal 4 and 3.
static const unused_case unused_cases[] = {
    {{0}, 3, {MPAK_NONE, 0, 1, 1, 0, 2}},
    {{.vertex_order = COOK_ORDER_SOURCE}, 3, {MPAK_NONE, 0, 1, 1, 0, 2}},
    {{.no_weld = true}, 3, {MPAK_NONE, MPAK_NONE, MPAK_NONE, 0, 1, 2}},
    {{.no_weld = true, .vertex_order = COOK_ORDER_SOURCE}, 6, {MPAK_NONE, MPAK_NONE, MPAK_NONE, 3, 4, 5}},
};

static void step_unused(cook_job *job, void *user) {
  const unused_case *c = user;
  cook_scene *scene = square(job);
  cook_primitive *primitive = mt_primitive(scene);
  primitive->indices = MT_COPY(job, square_indices + 3, 3);
  primitive->index_count = 3;
  build_weld(job, scene, &c->options);
  assert_int_equal(primitive->vertex_count, c->vertex_count);
  assert_memory_equal(primitive->vertex_of_source, c->vertex_of_source, sizeof c->vertex_of_source);
  for (uint32_t k = 0; k < 3; k++)
    assert_memory_equal(primitive->positions[primitive->indices[k]], square_positions[3 + k], 12);
}

static void test_weld_unused_vertices(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof unused_cases / sizeof *unused_cases; i++)
    mt_in_job(step_unused, (void *)&unused_cases[i], 0);
}

static void step_no_weld(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = square(job);
  build_weld(job, scene, &(cook_options){.no_weld = true});
  check_square(mt_primitive(scene), 6);
  assert_memory_equal(mt_primitive(scene)->indices, square_indices, sizeof square_indices);
}

static void test_weld_none_keeps_all(void **state) {
  (void)state;
  mt_in_job(step_no_weld, NULL, 0);
}

/// A primitive whose triangles all collapse goes; a mesh with nothing left goes, with its node's reference.
static void step_collapsed_primitive(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = mt_scene_make(job, NULL);
  cook_primitive *hat = &scene->meshes[1].primitives[0];
  for (uint32_t i = 0; i < hat->index_count; i++) hat->indices[i] = i % 3 == 2 ? 1 : 0;
  for (uint32_t i = 0; i < hat->index_count; i += 3) hat->indices[i] = 1;
  build_weld(job, scene, &(cook_options){0});
  assert_int_equal(scene->mesh_count, 1);
  assert_int_equal(scene->nodes[MT_HAT].mesh, MPAK_NONE);
  assert_int_equal(mt_count_issues(job, "MPAK-C014"), 1);
  assert_int_equal(mt_count_issues(job, "MPAK-C010"), 0);
}

static void test_weld_collapsed_primitive_goes(void **state) {
  (void)state;
  mt_in_job(step_collapsed_primitive, NULL, 0);
}

static void step_collapsed_scene(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = square(job);
  mt_primitive(scene)->indices[0] = mt_primitive(scene)->indices[3] = 1;
  build_weld(job, scene, &(cook_options){0});
  fail_msg("build_weld returned");
}

static void test_weld_nothing_left_is_nothing_to_cook(void **state) {
  (void)state;
  mt_in_job(step_collapsed_scene, NULL, 1);
}

// -- FBX normals ------------------------------------------------------------------------------------------------------

typedef struct rough_case {
  cook_source_kind kind;
  double angle_rad;
  uint32_t vertex_count;
  bool is_reported;
} rough_case;

static const rough_case rough_cases[] = {
    {COOK_SOURCE_FBX, 0.9e-4, 4, true},   {COOK_SOURCE_FBX, 1.1e-4, 5, false}, {COOK_SOURCE_FBX, 0, 4, false},
    {COOK_SOURCE_GLTF, 0.9e-4, 5, false}, {COOK_SOURCE_FBX, 3.14, 5, false},
};

static void step_rough(cook_job *job, void *user) {
  const rough_case *c = user;
  cook_scene *scene = square(job);
  scene->source_kind = c->kind;
  cook_primitive *primitive = mt_primitive(scene);
  primitive->normals[3][0] = (float)sin(c->angle_rad);
  primitive->normals[3][2] = (float)cos(c->angle_rad);
  build_weld(job, scene, &(cook_options){0});
  assert_int_equal(primitive->vertex_count, c->vertex_count);
  assert_true(primitive->normals[2][0] == 0); // the lowest vertex keeps its own
  const cook_issue *issue = mt_find_issue(job, "MPAK-C011");
  assert_int_equal(issue != NULL, c->is_reported);
  if (c->is_reported) assert_string_equal(issue->where.value, "9e-05 rad");
}

static void test_weld_fbx_normals_within_a_tenth_of_a_milliradian(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rough_cases / sizeof *rough_cases; i++)
    mt_in_job(step_rough, (void *)&rough_cases[i], 0);
}

/// 100 normals in a fan of 0.4e-4 rad steps: each group spans what its first one reaches, so two steps.
static void step_rough_chain(cook_job *job, void *user) {
  (void)user;
  enum { COUNT = 300 };
  float positions[COUNT][3] = {{0}};
  uint32_t indices[COUNT];
  for (uint32_t v = 0; v < COUNT; v++) {
    positions[v][0] = (float)(v % 3);
    positions[v][1] = v % 3 == 1 ? 1 : 0;
    indices[v] = v;
  }
  cook_scene *scene = mt_one_primitive(job, (const float(*)[3])positions, COUNT, indices, COUNT);
  scene->source_kind = COOK_SOURCE_FBX;
  cook_primitive *primitive = mt_primitive(scene);
  primitive->normals = job_alloc(job, COUNT, 12);
  for (uint32_t v = 0; v < COUNT; v++) {
    primitive->normals[v][0] = (float)sin(0.4e-4 * (v / 3));
    primitive->normals[v][2] = (float)cos(0.4e-4 * (v / 3));
  }
  build_weld(job, scene, &(cook_options){0});
  assert_int_equal(primitive->vertex_count, 3 * 34);
  for (uint32_t v = 0; v < COUNT; v++) assert_int_equal(primitive->vertex_of_source[v], v / 9 * 3 + v % 3);
}

static void test_weld_fbx_groups_do_not_creep(void **state) {
  (void)state;
  mt_in_job(step_rough_chain, NULL, 0);
}

/// A direction of unit length from a counter, and one at right angles to it.
static void rough_direction(uint32_t number, double direction[3], double side[3]) {
  const double angle = 2.399963229728653 * number, z = 1 - (2.0 * number + 1) / 401.7, r = sqrt(1 - z * z);
  const double other[3] = {cos(angle), sin(angle), 0};
  for (int axis = 0; axis < 3; axis++) direction[axis] = axis == 2 ? z : r * other[axis];
  const double turn = 1.7 * number, up[3] = {-z * other[0], -z * other[1], r}, across[3] = {-other[1], other[0], 0};
  for (int axis = 0; axis < 3; axis++) side[axis] = cos(turn) * up[axis] + sin(turn) * across[axis];
}

/// 400 corners all over the sphere, each with a twin 0.9e-4 rad beside it to some side: wherever the borders of a
/// search grid may lie, twins meet.
static void step_rough_sphere(cook_job *job, void *user) {
  (void)user;
  enum { COUNT = 400 * 6 };
  float(*positions)[3] = job_alloc(job, COUNT, sizeof *positions);
  uint32_t *indices = JOB_ARRAY(job, uint32_t, COUNT);
  for (uint32_t v = 0; v < COUNT; v++) {
    positions[v][0] = (float)(v % 3 + v / 6 * 3);
    positions[v][1] = v % 3 == 1 ? 1 : 0;
    indices[v] = v;
  }
  cook_scene *scene = mt_one_primitive(job, (const float(*)[3])positions, COUNT, indices, COUNT);
  scene->source_kind = COOK_SOURCE_FBX;
  cook_primitive *primitive = mt_primitive(scene);
  primitive->normals = job_alloc(job, COUNT, 12);
  for (uint32_t v = 0; v < COUNT; v++) {
    double direction[3], side[3];
    rough_direction(v / 6, direction, side);
    const double angle_rad = v % 6 < 3 ? 0 : 0.9e-4;
    for (int axis = 0; axis < 3; axis++)
      primitive->normals[v][axis] = (float)(cos(angle_rad) * direction[axis] + sin(angle_rad) * side[axis]);
  }
  build_weld(job, scene, &(cook_options){0});
  assert_int_equal(primitive->vertex_count, COUNT / 2);
}

static void test_weld_fbx_normals_meet_in_every_direction(void **state) {
  (void)state;
  mt_in_job(step_rough_sphere, NULL, 0);
}

/// Normals of no unit length are compared by bits.
static void step_rough_lengths(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = square(job);
  scene->source_kind = COOK_SOURCE_FBX;
  cook_primitive *primitive = mt_primitive(scene);
  for (uint32_t v = 0; v < 6; v++) primitive->normals[v][2] = 0.5f;
  primitive->normals[3][0] = 1e-6f;
  build_weld(job, scene, &(cook_options){0});
  assert_int_equal(primitive->vertex_count, 5);
}

static void test_weld_fbx_normals_without_unit_length_need_equal_bits(void **state) {
  (void)state;
  mt_in_job(step_rough_lengths, NULL, 0);
}

// -- Source map and order ---------------------------------------------------------------------------------------------

/// What every vertex was: a colour that counts up, so that any vertex can say which one it came from.
static void number_vertices(cook_job *job, cook_primitive *primitive, uint32_t stream_slot) {
  primitive->texcoords[stream_slot] = job_alloc(job, primitive->vertex_count, 8);
  for (uint32_t v = 0; v < primitive->vertex_count; v++) primitive->texcoords[stream_slot][v][0] = (float)v;
}

/// A grid cut into single triangles in a shuffled order, with targets: after flat normals, weld and order all corners
/// still hold what they held, and both maps say what brute force says.
static void step_whole_line(cook_job *job, void *user) {
  const cook_options *options = user;
  cook_scene *scene = mt_scene_make(job, &(mt_scene_knobs){.cells = 9, .primitive_count = 1, .no_normals = true});
  cook_primitive *primitive = mt_primitive(scene);
  number_vertices(job, primitive, 3);
  const uint32_t source_count = primitive->vertex_count, index_count = primitive->index_count;
  uint32_t *source_indices = MT_COPY(job, primitive->indices, index_count);
  float(*deltas)[3] = MT_COPY(job, primitive->targets[1].position_deltas, source_count);
  build_nodes(job, scene);
  build_normals(job, scene, options);
  build_weld(job, scene, options);
  build_order(job, scene, options);
  assert_int_equal(primitive->index_count, index_count);
  for (uint32_t s = 0; s < source_count; s++) {
    uint32_t lowest = MPAK_NONE;
    for (uint32_t i = 0; i < index_count; i++) {
      const uint32_t vertex = primitive->indices[i];
      if ((uint32_t)primitive->texcoords[3][vertex][0] == s && vertex < lowest) lowest = vertex;
    }
    assert_int_equal(primitive->vertex_of_source[s], lowest);
  }
  uint32_t *seen = JOB_ARRAY(job, uint32_t, source_count);
  for (uint32_t i = 0; i < index_count; i++) {
    const uint32_t vertex = primitive->indices[i], source = (uint32_t)primitive->texcoords[3][vertex][0];
    assert_int_equal(primitive->source_of_vertex[vertex], source);
    assert_memory_equal(primitive->targets[1].position_deltas[vertex], deltas[source], 12);
    seen[source]++;
  }
  for (uint32_t i = 0; i < index_count; i++) seen[source_indices[i]]--;
  for (uint32_t s = 0; s < source_count; s++) assert_int_equal(seen[s], 0);
}

static void test_weld_and_order_keep_the_source_map(void **state) {
  (void)state;
  cook_options plain = {0}, source = {.vertex_order = COOK_ORDER_SOURCE}, none = {.no_weld = true},
               all = {.no_weld = true, .vertex_order = COOK_ORDER_SOURCE};
  mt_in_job(step_whole_line, &plain, 0);
  mt_in_job(step_whole_line, &source, 0);
  mt_in_job(step_whole_line, &none, 0);
  mt_in_job(step_whole_line, &all, 0);
}

/// Source vertices 0 and 1 are alike; 1 is split in two, and one half joins 0. Whatever the order, vertex_of_source[1]
/// is the lower of the two vertices that 1 became.
static void step_split_and_weld(cook_job *job, void *user) {
  (void)user;
  static const float positions[6][3] = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}, {2, 2, 0}};
  static const uint32_t indices[9] = {0, 2, 3, 1, 4, 5, 1, 2, 5};
  cook_scene *scene = mt_one_primitive(job, positions, 6, indices, 9);
  cook_primitive *primitive = mt_primitive(scene);
  const uint32_t classes[9] = {0, 0, 0, 0, 0, 0, 7, 0, 0};
  remap_split_corners(job, primitive, classes);
  assert_int_equal(primitive->vertex_count, 7);
  assert_int_equal(primitive->indices[6], 6);
  assert_int_equal(primitive->source_of_vertex[6], 1);
  primitive->normals = job_alloc(job, 7, 12);
  primitive->normals[6][0] = 1; // parts the second half from 0
  build_weld(job, scene, &(cook_options){0});
  assert_int_equal(primitive->vertex_count, 6);
  const uint32_t welded[6] = {0, 0, 1, 2, 3, 4}, sources[6] = {0, 2, 3, 4, 5, 1};
  assert_memory_equal(primitive->vertex_of_source, welded, sizeof welded);
  assert_memory_equal(primitive->source_of_vertex, sources, sizeof sources);
  const uint32_t backwards[6] = {5, 4, 3, 2, 1, 0};
  remap_vertices(job, primitive, backwards, 6);
  for (uint32_t i = 0; i < 9; i++) primitive->indices[i] = 5 - primitive->indices[i];
  remap_finish_source_map(job, primitive);
  const uint32_t turned[6] = {5, 0, 4, 3, 2, 1};
  assert_memory_equal(primitive->vertex_of_source, turned, sizeof turned);
}

static void test_remap_source_map_of_split_and_welded_vertices(void **state) {
  (void)state;
  mt_in_job(step_split_and_weld, NULL, 0);
}

/// A copy split off from source vertex 1 joins vertex 3: the joint vertex is 1's too, and 1 is the lower source.
static void step_lower_source(cook_job *job, void *user) {
  (void)user;
  static const float positions[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}};
  static const uint32_t indices[9] = {0, 1, 2, 2, 1, 0, 0, 3, 2};
  cook_scene *scene = mt_one_primitive(job, positions, 4, indices, 9);
  cook_primitive *primitive = mt_primitive(scene);
  const uint32_t classes[9] = {0, 0, 0, 0, 7, 0, 0, 0, 0};
  remap_split_corners(job, primitive, classes);
  primitive->normals = job_alloc(job, 5, 12);
  primitive->normals[1][0] = 1; // parts vertex 1 from 3 and from its own copy, vertex 4
  build_weld(job, scene, &(cook_options){0});
  const uint32_t sources[4] = {0, 1, 2, 1}, vertices[4] = {0, 1, 2, 3};
  assert_int_equal(primitive->vertex_count, 4);
  assert_memory_equal(primitive->source_of_vertex, sources, sizeof sources);
  assert_memory_equal(primitive->vertex_of_source, vertices, sizeof vertices);
}

static void test_remap_lowest_source_of_a_joint_vertex(void **state) {
  (void)state;
  mt_in_job(step_lower_source, NULL, 0);
}

/// Triangles stay the same ones with the same facing, and vertices stand in the order of their first use.
static void step_order(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = mt_scene_make(job, &(mt_scene_knobs){.cells = 12, .primitive_count = 1});
  cook_primitive *primitive = mt_primitive(scene);
  number_vertices(job, primitive, 2);
  const uint32_t index_count = primitive->index_count;
  uint32_t *before = MT_COPY(job, primitive->indices, index_count);
  bool *is_found = JOB_ARRAY(job, bool, index_count / 3);
  build_order(job, scene, &(cook_options){0});
  uint32_t next = 0;
  bool is_changed = false;
  for (uint32_t i = 0; i < index_count; i++) {
    assert_true(primitive->indices[i] <= next);
    if (primitive->indices[i] == next) next++;
  }
  for (uint32_t i = 0; i < index_count; i += 3) {
    uint32_t triangle[3];
    for (int k = 0; k < 3; k++) triangle[k] = (uint32_t)primitive->texcoords[2][primitive->indices[i + k]][0];
    bool is_there = false;
    for (uint32_t j = 0; j < index_count && !is_there; j += 3)
      for (uint32_t turn = 0; turn < 3 && !is_there && !is_found[j / 3]; turn++)
        is_there = is_found[j / 3] = triangle[turn] == before[j] && triangle[(turn + 1) % 3] == before[j + 1] &&
                                     triangle[(turn + 2) % 3] == before[j + 2];
    assert_true(is_there);
    is_changed = is_changed || memcmp(triangle, before + i, sizeof triangle) != 0;
  }
  assert_true(is_changed);
}

static void test_order_keeps_triangles_and_facing(void **state) {
  (void)state;
  mt_in_job(step_order, NULL, 0);
}

static void step_order_kept(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = mt_scene_make(job, NULL);
  cook_primitive *primitive = mt_primitive(scene);
  uint32_t *before = MT_COPY(job, primitive->indices, primitive->index_count);
  build_order(job, scene, &(cook_options){.vertex_order = COOK_ORDER_SOURCE});
  assert_memory_equal(primitive->indices, before, 4 * primitive->index_count);
  assert_null(primitive->source_of_vertex);
}

static void test_order_of_the_source_is_kept_on_request(void **state) {
  (void)state;
  mt_in_job(step_order_kept, NULL, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_weld_joins_what_agrees),
      cmocka_unit_test(test_weld_any_difference_parts),
      cmocka_unit_test(test_weld_zero_has_no_sign),
      cmocka_unit_test(test_weld_integers_are_no_floats),
      cmocka_unit_test(test_weld_drops_triangles_that_repeat_a_vertex),
      cmocka_unit_test(test_weld_unused_vertices),
      cmocka_unit_test(test_weld_none_keeps_all),
      cmocka_unit_test(test_weld_collapsed_primitive_goes),
      cmocka_unit_test(test_weld_nothing_left_is_nothing_to_cook),
      cmocka_unit_test(test_weld_fbx_normals_within_a_tenth_of_a_milliradian),
      cmocka_unit_test(test_weld_fbx_groups_do_not_creep),
      cmocka_unit_test(test_weld_fbx_normals_meet_in_every_direction),
      cmocka_unit_test(test_weld_fbx_normals_without_unit_length_need_equal_bits),
      cmocka_unit_test(test_weld_and_order_keep_the_source_map),
      cmocka_unit_test(test_remap_source_map_of_split_and_welded_vertices),
      cmocka_unit_test(test_remap_lowest_source_of_a_joint_vertex),
      cmocka_unit_test(test_order_keeps_triangles_and_facing),
      cmocka_unit_test(test_order_of_the_source_is_kept_on_request),
  };
  return cmocka_run_group_tests_name("build_weld", tests, NULL, NULL);
}
