// CPU skinning: hand-computed blends, bone maps, all influence counts, mirrors, flat matrices, bounds.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/mt_pose.h"

static mpak_matrix moved_by(float x, float y, float z) { return (mpak_matrix){{1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z}}; }

static const mpak_matrix quarter_turn_about_z = {{0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0}};

/// Two vertices at (1, 0, 0) and (0, 2, 0) in sections of their own: BoneMap {2, 0} and {1}.
static mt_pose_scene *skin_scene(uint32_t influence_count) {
  const float positions[2][3] = {{1, 0, 0}, {0, 2, 0}};
  const uint32_t vertex_counts[2] = {1, 1}, first_map[2] = {2, 0}, second_map[1] = {1};
  mt_pose_scene *scene = mt_pose_make();
  mt_pose_add_mesh(scene, "mesh");
  mt_pose_add_part(scene, 2, positions);
  scene->parts[0].influence_count = influence_count;
  mt_pose_set_sections(scene, 0, vertex_counts, 2);
  mt_pose_set_bones(scene, 0, 0, first_map, 2);
  mt_pose_set_bones(scene, 0, 1, second_map, 1);
  return scene;
}

static void skin(const mt_pose_scene *scene, const mpak_matrix *palette, mpak_base_vertex *out) {
  mpak_skin_vertices(&scene->pack, 0, &scene->data[0], palette, scene->data[0].base, out);
}

static void assert_vector(const float *actual, double x, double y, double z) {
  const double expected[3] = {x, y, z};
  for (int i = 0; i < 3; ++i) MT_POSE_NEAR(actual[i], expected[i], 1e-6);
}

static void test_skin_blends_through_the_bone_map(void **state) {
  (void)state;
  for (uint32_t influence_count = 4; influence_count <= 12; influence_count += 4) {
    mt_pose_scene *scene = skin_scene(influence_count);
    // section-local joints 0 and 1 of the first section are the skin's joints 2 and 0
    mt_pose_set_influences(scene, 0, 0, (const uint16_t[2]){0, 1}, (const float[2]){0.75f, 0.25f}, 2);
    mt_pose_set_influences(scene, 0, 1, (const uint16_t[1]){0}, (const float[1]){1}, 1);
    const mpak_matrix palette[3] = {moved_by(4, 0, 0), quarter_turn_about_z, moved_by(0, 8, 0)};
    mpak_base_vertex out[2];
    skin(scene, palette, out);
    assert_vector(out[0].position, 1 + 0.25 * 4, 0.75 * 8, 0);
    assert_vector(out[0].normal, 0, 0, 1);
    assert_vector(out[1].position, -2, 0, 0); // (0, 2, 0) turned
    assert_vector(out[1].normal, 0, 0, 1);
    assert_vector(out[1].tangent, 0, 1, 0); // (1, 0, 0) turned
    assert_true(out[1].position[3] == 1 && out[1].normal[3] == 0 && out[1].tangent[3] == 1);
    free(scene);
  }
}

static void test_skin_uses_every_influence(void **state) {
  (void)state;
  for (uint32_t influence_count = 4; influence_count <= 12; influence_count += 4) {
    uint32_t map[12];
    uint16_t joints[12];
    float weights[12];
    mpak_matrix palette[12];
    const float positions[1][3] = {{0, 0, 0}};
    mt_pose_scene *scene = mt_pose_make();
    mt_pose_add_mesh(scene, "mesh");
    mt_pose_add_part(scene, 1, positions);
    scene->parts[0].influence_count = influence_count;
    double expected = 0;
    for (uint32_t k = 0; k < influence_count; ++k) {
      map[k] = k;
      joints[k] = (uint16_t)k;
      weights[k] = (float)(influence_count - k) / (float)(influence_count * (influence_count + 1) / 2);
      palette[k] = moved_by((float)(1 << k), 0, 0); // each joint leaves its own mark in the sum
      expected += (double)weights[k] * (1 << k);
    }
    mt_pose_set_bones(scene, 0, 0, map, influence_count);
    mt_pose_set_influences(scene, 0, 0, joints, weights, influence_count);
    mpak_base_vertex out;
    skin(scene, palette, &out);
    MT_POSE_NEAR(out.position[0], expected, expected * 1e-6);
    free(scene);
  }
}

static void test_skin_at_the_bind_pose_changes_nothing(void **state) {
  (void)state;
  mt_pose_scene *scene = skin_scene(4);
  mt_pose_set_influences(scene, 0, 0, (const uint16_t[2]){0, 1}, (const float[2]){0.5f, 0.5f}, 2);
  mt_pose_set_influences(scene, 0, 1, (const uint16_t[1]){0}, (const float[1]){1}, 1);
  const mpak_matrix palette[3] = {moved_by(0, 0, 0), moved_by(0, 0, 0), moved_by(0, 0, 0)};
  mpak_base_vertex out[2];
  skin(scene, palette, out);
  assert_memory_equal(out, scene->storage[0].base, sizeof out);
  free(scene);
}

static void test_skin_in_place_gives_the_same(void **state) {
  (void)state;
  mt_pose_scene *scene = skin_scene(4);
  mt_pose_set_influences(scene, 0, 0, (const uint16_t[2]){0, 1}, (const float[2]){0.5f, 0.5f}, 2);
  mt_pose_set_influences(scene, 0, 1, (const uint16_t[1]){0}, (const float[1]){1}, 1);
  const mpak_matrix palette[3] = {moved_by(1, 2, 3), quarter_turn_about_z, moved_by(3, 2, 1)};
  mpak_base_vertex apart[2], in_place[2];
  memcpy(in_place, scene->storage[0].base, sizeof in_place);
  skin(scene, palette, apart);
  mpak_skin_vertices(&scene->pack, 0, &scene->data[0], palette, in_place, in_place);
  assert_memory_equal(apart, in_place, sizeof apart);
  free(scene);
}

/// A vertex at (1, 2, 3) with a slanted normal, and its tangent in the surface.
static mpak_base_vertex slanted_vertex(void) {
  return (mpak_base_vertex){{1, 2, 3, 1}, {0.6f, 0, 0.8f, 0}, {0.8f, 0, -0.6f, 1}};
}

static void test_normals_go_by_the_inverse_transpose(void **state) {
  (void)state;
  // squeezed to half along x: the inverse transpose stretches the normal's x by 2
  const mpak_matrix squeeze = {{0.5f, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
  mpak_base_vertex in = slanted_vertex(), out;
  mpak_move_vertices(&squeeze, 1, &in, &out);
  double length = sqrt(1.2 * 1.2 + 0.8 * 0.8);
  assert_vector(out.position, 0.5, 2, 3);
  assert_vector(out.normal, 1.2 / length, 0, 0.8 / length);
  length = sqrt(0.4 * 0.4 + 0.6 * 0.6);
  assert_vector(out.tangent, 0.4 / length, 0, -0.6 / length);
  double dot = 0; // still at right angles
  for (int i = 0; i < 3; ++i) dot += (double)out.normal[i] * out.tangent[i];
  MT_POSE_NEAR(dot, 0, 1e-6);
}

static void test_mirror_turns_the_tangents_sign_and_keeps_normals_outside(void **state) {
  (void)state;
  const mpak_matrix mirror = {{-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
  mpak_base_vertex in = slanted_vertex(), out;
  mpak_move_vertices(&mirror, 1, &in, &out);
  assert_vector(out.position, -1, 2, 3);
  assert_vector(out.normal, -0.6, 0, 0.8); // the mirror image, not its opposite
  assert_vector(out.tangent, -0.8, 0, -0.6);
  assert_float_equal(out.tangent[3], -1, 0);
  // the bitangent w * (n x t) must be the mirror image of the old one, (0, 1, 0): unchanged by a mirror along x
  double bitangent_y =
      out.tangent[3] * ((double)out.normal[2] * out.tangent[0] - (double)out.normal[0] * out.tangent[2]);
  double old_y = (double)in.normal[2] * in.tangent[0] - (double)in.normal[0] * in.tangent[2];
  MT_POSE_NEAR(bitangent_y, old_y, 1e-6);
}

static void test_flat_and_zero_matrices_keep_directions_finite(void **state) {
  (void)state;
  const mpak_matrix flat = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}}, zero = {{0}};
  mpak_base_vertex in = slanted_vertex(), out;
  mpak_move_vertices(&flat, 1, &in, &out);
  assert_vector(out.normal, 0, 0, 1); // everything lies in the plane z = 0
  assert_vector(out.tangent, 1, 0, 0);
  mpak_move_vertices(&zero, 1, &in, &out);
  assert_vector(out.position, 0, 0, 0);
  assert_vector(out.normal, 0.6, 0, 0.8); // no direction is left: the old one stays
  assert_vector(out.tangent, 0.8, 0, -0.6);
  assert_float_equal(out.tangent[3], 1, 0);
}

static void test_tiny_and_huge_scales_keep_directions(void **state) {
  (void)state;
  const float scales[4] = {1e-18f, 1e-6f, 1e6f, 1e17f};
  for (int s = 0; s < 4; ++s) {
    const float f = scales[s];
    const mpak_matrix matrix = {{0, -f, 0, 0, f, 0, 0, 0, 0, 0, f, 0}};
    mpak_base_vertex in = slanted_vertex(), out;
    mpak_move_vertices(&matrix, 1, &in, &out);
    assert_vector(out.normal, 0, 0.6, 0.8);
    assert_vector(out.tangent, 0, 0.8, -0.6);
  }
}

static void test_overflowing_matrices_leave_nothing_that_is_not_finite(void **state) {
  (void)state;
  const float wild[6] = {FLT_MAX, -FLT_MAX, INFINITY, NAN, 1e30f, 0};
  uint64_t seed = 6;
  mpak_base_vertex in = slanted_vertex(), out;
  for (int round = 0; round < 100000; ++round) {
    mpak_matrix matrix;
    for (int i = 0; i < 12; ++i) {
      int pick = (int)mt_pose_random(&seed, 0, 12);
      matrix.m[i] = pick < 6 ? wild[pick] : mt_pose_random(&seed, -2, 2);
    }
    mpak_move_vertices(&matrix, 1, &in, &out);
    assert_true(mt_pose_all_finite(out.position, 12));
  }
}

/// Random rotations, scales and places for three joints; every skinned vertex stays in the part's bounds.
static void test_part_bounds_hold_every_skinned_vertex(void **state) {
  (void)state;
  uint64_t seed = 7;
  const float positions[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                 {0, 0, 2}, {1, 0, 2}, {0, 1, 2}, {1, 1, 2}};
  const uint32_t map[3] = {0, 1, 2};
  mt_pose_scene *scene = mt_pose_make();
  for (int n = 0; n < 3; ++n) mt_pose_add_node(scene, "joint", n == 0 ? MPAK_NONE : (uint32_t)n - 1, NULL, NULL, NULL);
  mt_pose_add_node(scene, "body", MPAK_NONE, NULL, NULL, NULL);
  mt_pose_add_skin(scene, "skin");
  for (uint32_t n = 0; n < 3; ++n) mt_pose_add_joint(scene, n, NULL);
  mt_pose_add_mesh(scene, "mesh");
  mt_pose_add_part(scene, 8, positions);
  mt_pose_add_instance(scene, 3, 0, 0);
  scene->parts[0].influence_count = 4;
  mt_pose_set_bones(scene, 0, 0, map, 3);
  for (uint32_t v = 0; v < 8; ++v) {
    mt_pose_set_influences(scene, 0, v, (const uint16_t[3]){0, 1, 2}, (const float[3]){0.5f, 0.25f, 0.25f}, 3);
  }
  for (uint32_t b = 0; b < 3; ++b) { // each bone moves all eight corners
    memcpy(scene->bones[b].box_min, positions[0], 3 * sizeof(float));
    memcpy(scene->bones[b].box_max, positions[7], 3 * sizeof(float));
  }
  uint64_t byte_count = mpak_pose_bytes(&scene->pack);
  void *memory = mt_pose_memory(byte_count);
  mpak_pose pose;
  assert_int_equal(mpak_pose_init(&scene->pack, memory, byte_count, &pose), MPAK_OK);
  for (int round = 0; round < 100000; ++round) {
    mpak_matrix palette[3];
    mpak_base_vertex out[8];
    float min[3], max[3];
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 12; ++i) palette[j].m[i] = mt_pose_random(&seed, -2, 2);
    }
    skin(scene, palette, out);
    mpak_pose_part_bounds(&pose, 0, 0, palette, min, max);
    for (int v = 0; v < 8; ++v) {
      for (int i = 0; i < 3; ++i) {
        assert_true(out[v].position[i] >= min[i] - 1e-5f && out[v].position[i] <= max[i] + 1e-5f);
      }
    }
  }
  free(memory);
  free(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_skin_blends_through_the_bone_map),
      cmocka_unit_test(test_skin_uses_every_influence),
      cmocka_unit_test(test_skin_at_the_bind_pose_changes_nothing),
      cmocka_unit_test(test_skin_in_place_gives_the_same),
      cmocka_unit_test(test_normals_go_by_the_inverse_transpose),
      cmocka_unit_test(test_mirror_turns_the_tangents_sign_and_keeps_normals_outside),
      cmocka_unit_test(test_flat_and_zero_matrices_keep_directions_finite),
      cmocka_unit_test(test_tiny_and_huge_scales_keep_directions),
      cmocka_unit_test(test_overflowing_matrices_leave_nothing_that_is_not_finite),
      cmocka_unit_test(test_part_bounds_hold_every_skinned_vertex),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
