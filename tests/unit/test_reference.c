// The double-precision reference by hand-worked values, and the float deformers against it on random scenes.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/reference/mpak_reference.h"
#include "tests/support/mt_pose.h"

#define MOST_VERTICES 100

typedef struct reference_result {
  double positions[MOST_VERTICES][3];
  double normals[MOST_VERTICES][3];
  double tangents[MOST_VERTICES][4];
} reference_result;

static void *reference_make(const mt_pose_scene *scene, mpak_ref_pose *pose) {
  uint64_t byte_count = mpak_ref_pose_bytes(&scene->pack);
  void *memory = mt_pose_memory(byte_count);
  assert_int_equal(mpak_ref_pose_init(&scene->pack, memory, byte_count, pose), MPAK_OK);
  return memory;
}

static void reference_deform(const mt_pose_scene *scene, const mpak_ref_pose *pose, bool mesh_space,
                             reference_result *out) {
  const mpak_ref_vertices vertices = {out->positions, out->normals, out->tangents};
  mpak_ref_deform(pose, 0, 0, &scene->data[0], mesh_space, &vertices);
}

static void assert_vector(const double *actual, double x, double y, double z) {
  const double expected[3] = {x, y, z};
  for (int i = 0; i < 3; ++i) MT_POSE_NEAR(actual[i], expected[i], 1e-7);
}

typedef void (*set_deltas)(mt_pose_scene *scene, uint32_t part, const mt_pose_delta *deltas, uint32_t count);
static const set_deltas layouts[2] = {mt_pose_set_csr, mt_pose_set_blocks};

/// Two vertices at (1, 0, 0) and (0, 2, 0); node 0 "joint" moved by (0, 0, 5) and turned a quarter about z; node 1
/// "body", moved by (100, 0, 0), draws them.
static mt_pose_scene *two_vertices(void) {
  const float positions[2][3] = {{1, 0, 0}, {0, 2, 0}}, joint_t[3] = {0, 0, 5}, body_t[3] = {100, 0, 0};
  const float quarter[4] = {0, 0, 0.70710678f, 0.70710678f};
  mt_pose_scene *scene = mt_pose_make();
  mt_pose_add_node(scene, "joint", MPAK_NONE, joint_t, quarter, NULL);
  mt_pose_add_node(scene, "body", MPAK_NONE, body_t, NULL, NULL);
  mt_pose_add_mesh(scene, "mesh");
  mt_pose_add_control(scene, "up", 0.5f, -1, 1);
  mt_pose_add_part(scene, 2, positions);
  return scene;
}

static const mt_pose_delta up_delta = {.vertex = 0, .position = {0, 0, 4}, .normal = {2, 0, 0}, .tangent = {-1, 1, 0}};

static void test_reference_morphs_both_layouts(void **state) {
  (void)state;
  for (int layout = 0; layout < 2; ++layout) {
    mt_pose_scene *scene = two_vertices();
    mt_pose_add_instance(scene, 1, 0, MPAK_NONE);
    layouts[layout](scene, 0, &up_delta, 1);
    mpak_ref_pose pose;
    reference_result out;
    void *memory = reference_make(scene, &pose);
    reference_deform(scene, &pose, true, &out); // default weight 0.5
    assert_vector(out.positions[0], 1, 0, 2);
    assert_vector(out.normals[0], sqrt(0.5), 0, sqrt(0.5));
    assert_vector(out.tangents[0], sqrt(0.5), sqrt(0.5), 0);
    assert_vector(out.positions[1], 0, 2, 0);
    pose.weights[0] = 1; // the tangent's sum is (0, 1, 0)
    reference_deform(scene, &pose, true, &out);
    assert_vector(out.positions[0], 1, 0, 4);
    assert_vector(out.tangents[0], 0, 1, 0);
    reference_deform(scene, &pose, false, &out); // not skinned: moved by its node
    assert_vector(out.positions[0], 101, 0, 4);
    free(memory);
    free(scene);
  }
}

static void test_reference_falls_back_where_a_normal_vanishes(void **state) {
  (void)state;
  const mt_pose_delta flip = {.vertex = 0, .normal = {0, 0, -1}};
  mt_pose_scene *scene = two_vertices();
  mt_pose_add_instance(scene, 1, 0, MPAK_NONE);
  mt_pose_set_csr(scene, 0, &flip, 1);
  mpak_ref_pose pose;
  reference_result out;
  void *memory = reference_make(scene, &pose);
  pose.weights[0] = 1;
  reference_deform(scene, &pose, true, &out);
  assert_vector(out.normals[0], 0, 0, 1);
  free(memory);
  free(scene);
}

static void test_reference_skins_through_bone_maps_and_ignores_the_mesh_node(void **state) {
  (void)state;
  const float inverse_bind[12] = {1, 0, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0}; // the joint was bound at (1, 0, 0)
  const uint32_t map[2] = {1, 0};
  mt_pose_scene *scene = two_vertices();
  mt_pose_add_skin(scene, "skin");
  mt_pose_add_joint(scene, 0, inverse_bind);
  mt_pose_add_joint(scene, 1, NULL);
  mt_pose_add_instance(scene, 1, 0, 0);
  scene->parts[0].influence_count = 4;
  mt_pose_set_bones(scene, 0, 0, map, 2);
  mt_pose_set_influences(scene, 0, 0, (const uint16_t[1]){1}, (const float[1]){1}, 1);
  mt_pose_set_influences(scene, 0, 1, (const uint16_t[2]){1, 0}, (const float[2]){0.75f, 0.25f}, 2);
  mt_pose_set_csr(scene, 0, &up_delta, 1);
  mpak_ref_pose pose;
  reference_result out;
  void *memory = reference_make(scene, &pose);
  pose.weights[0] = 0;
  reference_deform(scene, &pose, false, &out);
  assert_vector(out.positions[0], 0, 0, 5); // it stands on the joint
  assert_vector(out.normals[0], 0, 0, 1);
  assert_vector(out.tangents[0], 0, 1, 0);
  // joint 0: (0,2,0) → (-1,2,0) → turned (-2,-1,0) → (-2,-1,5); joint 1: (100,2,0)
  assert_vector(out.positions[1], 0.75 * -2 + 0.25 * 100, 0.75 * -1 + 0.25 * 2, 0.75 * 5);
  free(memory);
  free(scene);
}

static void test_reference_mirrors(void **state) {
  (void)state;
  mt_pose_scene *scene = two_vertices();
  mt_pose_add_instance(scene, 1, 0, MPAK_NONE);
  scene->nodes[1].rest[0] = 0;
  scene->nodes[1].rest[7] = -2; // mirrored and stretched along x
  memcpy(scene->storage[0].base[0].normal, (const float[3]){0.6f, 0, 0.8f}, 3 * sizeof(float));
  memcpy(scene->storage[0].base[0].tangent, (const float[3]){0.8f, 0, -0.6f}, 3 * sizeof(float));
  mpak_ref_pose pose;
  reference_result out;
  void *memory = reference_make(scene, &pose);
  reference_deform(scene, &pose, false, &out);
  double normal = sqrt(0.3 * 0.3 + 0.8 * 0.8), tangent = sqrt(1.6 * 1.6 + 0.6 * 0.6);
  assert_vector(out.positions[0], -2, 0, 0);
  assert_vector(out.normals[0], -0.3 / normal, 0, 0.8 / normal);
  assert_vector(out.tangents[0], -1.6 / tangent, 0, -0.6 / tangent);
  assert_true(out.tangents[0][3] == -1);
  free(memory);
  free(scene);
}

static void test_reference_component_space_and_matrix_nodes(void **state) {
  (void)state;
  const float shear[12] = {1, 0.5f, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3}, child_t[3] = {0, 2, 0};
  mt_pose_scene *scene = mt_pose_make();
  mt_pose_add_matrix_node(scene, "sheared", MPAK_NONE, shear);
  mt_pose_add_node(scene, "child", 0, child_t, NULL, NULL);
  mpak_ref_pose pose;
  void *memory = reference_make(scene, &pose);
  assert_true(pose.component[0][1] == 0.5 && pose.component[0][11] == 3);
  assert_true(pose.component[1][3] == 2 && pose.component[1][7] == 4 && pose.component[1][11] == 3);
  pose.translation[1][0] = 10;
  mpak_ref_component(&pose);
  assert_true(pose.component[1][3] == 12);
  free(memory);
  free(scene);
}

static void test_reference_init_refuses_bad_memory(void **state) {
  (void)state;
  mt_pose_scene *scene = two_vertices();
  uint64_t byte_count = mpak_ref_pose_bytes(&scene->pack);
  uint8_t *memory = mt_pose_memory(byte_count + 16);
  mpak_ref_pose pose;
  assert_int_equal(mpak_ref_pose_init(&scene->pack, memory, byte_count - 1, &pose), MPAK_ERROR_BUFFER_TOO_SMALL);
  assert_int_equal(mpak_ref_pose_init(&scene->pack, memory + 8, byte_count, &pose), MPAK_ERROR_ALIGNMENT);
  assert_null(pose.component);
  free(memory);
  free(scene);
}

// -- Float against double --------------------------------------------------------------------------------------------

/// A chain of four joints with random rest transforms, 100 vertices with four influences each, three controls.
static mt_pose_scene *random_scene(uint64_t *seed) {
  float positions[MOST_VERTICES][3];
  const uint32_t map[4] = {0, 1, 2, 3}, vertex_counts[1] = {MOST_VERTICES};
  mt_pose_scene *scene = mt_pose_make();
  for (uint32_t n = 0; n < 4; ++n) {
    float t[3], q[4], s[3];
    for (int i = 0; i < 3; ++i) t[i] = mt_pose_random(seed, -1, 1);
    for (int i = 0; i < 4; ++i) q[i] = mt_pose_random(seed, -1, 1);
    for (int i = 0; i < 3; ++i) s[i] = mt_pose_random(seed, 0.5f, 1.5f);
    mt_pose_add_node(scene, "joint", n == 0 ? MPAK_NONE : n - 1, t, q, s);
  }
  mt_pose_add_skin(scene, "skin");
  for (uint32_t n = 0; n < 4; ++n) mt_pose_add_joint(scene, n, NULL);
  mt_pose_add_mesh(scene, "mesh");
  for (int c = 0; c < 3; ++c) mt_pose_add_control(scene, "control", 0, -1, 1);
  for (int v = 0; v < MOST_VERTICES; ++v) {
    for (int i = 0; i < 3; ++i) positions[v][i] = mt_pose_random(seed, -1, 1);
  }
  mt_pose_add_part(scene, MOST_VERTICES, (const float(*)[3])positions);
  mt_pose_add_instance(scene, 3, 0, 0);
  mt_pose_set_sections(scene, 0, vertex_counts, 1);
  scene->parts[0].influence_count = 4;
  mt_pose_set_bones(scene, 0, 0, map, 4);
  for (uint32_t v = 0; v < MOST_VERTICES; ++v) {
    float a = mt_pose_random(seed, 0.5f, 1);
    const uint16_t joints[2] = {(uint16_t)(v % 4), (uint16_t)((v + 1) % 4)};
    mt_pose_set_influences(scene, 0, v, joints, (const float[2]){a, 1 - a}, 2);
  }
  return scene;
}

static uint32_t random_deltas(uint64_t *seed, mt_pose_delta *deltas) {
  uint32_t count = 0;
  for (uint32_t v = 0; v < MOST_VERTICES; ++v) {
    for (uint32_t s = 0; s < 3; ++s) {
      if (mt_pose_random(seed, 0, 1) < 0.4f) continue;
      mt_pose_delta *delta = &deltas[count++];
      *delta = (mt_pose_delta){.vertex = v, .shape = s};
      for (int i = 0; i < 3; ++i) delta->position[i] = mt_pose_random(seed, -0.5f, 0.5f);
      for (int i = 0; i < 3; ++i) delta->normal[i] = mt_pose_random(seed, -0.25f, 0.25f);
      for (int i = 0; i < 3; ++i) delta->tangent[i] = mt_pose_random(seed, -0.25f, 0.25f);
    }
  }
  return count;
}

/// The runtime's whole way from weights and rest pose to vertices.
static void float_deform(const mt_pose_scene *scene, const float weights[3], mpak_base_vertex *out) {
  uint64_t byte_count = mpak_pose_bytes(&scene->pack);
  void *memory = mt_pose_memory(byte_count);
  mpak_pose pose;
  mpak_matrix palette[4];
  assert_int_equal(mpak_pose_init(&scene->pack, memory, byte_count, &pose), MPAK_OK);
  mpak_pose_compute_components(&pose, NULL, 0);
  mpak_pose_skin_palette(&pose, 0, palette);
  mpak_morph_vertices(&scene->pack, 0, &scene->data[0], weights, out);
  mpak_skin_vertices(&scene->pack, 0, &scene->data[0], palette, out, out);
  free(memory);
}

static void compare(const reference_result *expected, const mpak_base_vertex *actual) {
  for (uint32_t v = 0; v < MOST_VERTICES; ++v) {
    double normal = 0, tangent = 0;
    for (int i = 0; i < 3; ++i) {
      MT_POSE_NEAR(actual[v].position[i], expected->positions[v][i], 2e-5);
      normal += actual[v].normal[i] * expected->normals[v][i];
      tangent += actual[v].tangent[i] * expected->tangents[v][i];
    }
    assert_true(normal > 0.999 && tangent > 0.999);
    assert_true(actual[v].tangent[3] == expected->tangents[v][3]);
  }
}

static void test_float_deformers_agree_with_the_reference(void **state) {
  (void)state;
  static mt_pose_delta deltas[3 * MOST_VERTICES];
  static reference_result expected;
  static mpak_base_vertex actual[MOST_VERTICES];
  uint64_t seed = 8;
  for (int round = 0; round < 200; ++round) {
    mt_pose_scene *scene = random_scene(&seed);
    layouts[round & 1](scene, 0, deltas, random_deltas(&seed, deltas));
    mpak_ref_pose pose;
    void *memory = reference_make(scene, &pose);
    float weights[3];
    for (int c = 0; c < 3; ++c) pose.weights[c] = weights[c] = mt_pose_random(&seed, -1, 1);
    reference_deform(scene, &pose, false, &expected);
    float_deform(scene, weights, actual);
    compare(&expected, actual);
    free(memory);
    free(scene);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reference_morphs_both_layouts),
      cmocka_unit_test(test_reference_falls_back_where_a_normal_vanishes),
      cmocka_unit_test(test_reference_skins_through_bone_maps_and_ignores_the_mesh_node),
      cmocka_unit_test(test_reference_mirrors),
      cmocka_unit_test(test_reference_component_space_and_matrix_nodes),
      cmocka_unit_test(test_reference_init_refuses_bad_memory),
      cmocka_unit_test(test_float_deformers_agree_with_the_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
