// Poses: component space, required bones, sockets, palettes, blends and bounds, against values worked out by hand.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/mt_pose.h"

#define HALF 0.70710678f ///< sin 45 degrees: the half angle of a quarter turn

static const float quarter_about_z[4] = {0, 0, HALF, HALF};

/// root (moved by 1 0 0, turned a quarter about z, scaled by 2) → arm (moved by 0 3 0) → hand (moved by 0 0 1);
/// other: a root of its own.
static mt_pose_scene *arm_scene(void) {
  const float root_t[3] = {1, 0, 0}, root_s[3] = {2, 2, 2}, arm_t[3] = {0, 3, 0}, hand_t[3] = {0, 0, 1};
  mt_pose_scene *scene = mt_pose_make();
  mt_pose_add_node(scene, "root", MPAK_NONE, root_t, quarter_about_z, root_s);
  mt_pose_add_node(scene, "other", MPAK_NONE, hand_t, NULL, NULL);
  mt_pose_add_node(scene, "arm", 0, arm_t, NULL, NULL);
  mt_pose_add_node(scene, "hand", 2, hand_t, NULL, NULL);
  return scene;
}

/// A pose whose memory the test frees.
static void *pose_make(const mt_pose_scene *scene, mpak_pose *pose) {
  uint64_t byte_count = mpak_pose_bytes(&scene->pack);
  void *memory = mt_pose_memory(byte_count);
  assert_int_equal(mpak_pose_init(&scene->pack, memory, byte_count, pose), MPAK_OK);
  return memory;
}

static void assert_position(const mpak_matrix *matrix, double x, double y, double z) {
  MT_POSE_NEAR(matrix->m[3], x, 1e-6);
  MT_POSE_NEAR(matrix->m[7], y, 1e-6);
  MT_POSE_NEAR(matrix->m[11], z, 1e-6);
}

static void test_components_follow_parents(void **state) {
  (void)state;
  mt_pose_scene *scene = arm_scene();
  mpak_pose pose;
  void *memory = pose_make(scene, &pose);
  mpak_pose_compute_components(&pose, NULL, 0);
  assert_position(&pose.components[0], 1, 0, 0);
  // (0 3 0) scaled to (0 6 0), turned to (-6 0 0), moved by (1 0 0)
  assert_position(&pose.components[2], -5, 0, 0);
  assert_position(&pose.components[3], -5, 0, 2);
  assert_position(&pose.components[1], 0, 0, 1);
  // the x axis of the hand points along y, twice as long
  MT_POSE_NEAR(pose.components[3].m[0], 0, 1e-6);
  MT_POSE_NEAR(pose.components[3].m[4], 2, 1e-6);
  assert_true(pose.component_version == pose.version);
  free(memory);
  free(scene);
}

static void test_components_of_required_bones_only(void **state) {
  (void)state;
  mt_pose_scene *scene = arm_scene();
  const uint32_t required[3] = {0, 2, 3}; // not 0 … n-1
  mpak_pose pose;
  void *memory = pose_make(scene, &pose);
  memset(pose.components, 0, 4 * sizeof *pose.components);
  mpak_pose_compute_components(&pose, required, 3);
  assert_position(&pose.components[2], -5, 0, 0);
  assert_position(&pose.components[3], -5, 0, 2);
  for (int i = 0; i < 12; ++i) assert_float_equal(pose.components[1].m[i], 0, 0); // not required: untouched
  free(memory);
  free(scene);
}

static void test_components_shear_under_non_uniform_scale(void **state) {
  (void)state;
  // A child turned by 45 degrees under a parent stretched along x: its axes are no longer at right angles.
  const float stretch[3] = {3, 1, 1}, eighth_about_z[4] = {0, 0, 0.38268343f, 0.92387953f};
  mt_pose_scene *scene = mt_pose_make();
  mt_pose_add_node(scene, "parent", MPAK_NONE, NULL, NULL, stretch);
  mt_pose_add_node(scene, "child", 0, NULL, eighth_about_z, NULL);
  mpak_pose pose;
  void *memory = pose_make(scene, &pose);
  mpak_pose_compute_components(&pose, NULL, 0);
  const double expected[12] = {3 * HALF, -3 * HALF, 0, 0, HALF, HALF, 0, 0, 0, 0, 1, 0};
  for (int i = 0; i < 12; ++i) MT_POSE_NEAR(pose.components[1].m[i], expected[i], 1e-6);
  free(memory);
  free(scene);
}

static void test_matrix_node_keeps_its_matrix(void **state) {
  (void)state;
  const float shear[12] = {1, 0.5f, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3}, child_t[3] = {0, 2, 0};
  mt_pose_scene *scene = mt_pose_make();
  mt_pose_add_matrix_node(scene, "sheared", MPAK_NONE, shear);
  mt_pose_add_node(scene, "child", 0, child_t, NULL, NULL);
  mpak_pose pose;
  void *memory = pose_make(scene, &pose);
  mpak_pose_compute_components(&pose, NULL, 0);
  for (int i = 0; i < 12; ++i) assert_float_equal(pose.components[0].m[i], shear[i], 0);
  assert_position(&pose.components[1], 2, 4, 3);
  free(memory);
  free(scene);
}

static void test_socket_is_right_without_components(void **state) {
  (void)state;
  mt_pose_scene *scene = arm_scene();
  mpak_pose pose;
  mpak_matrix socket;
  void *memory = pose_make(scene, &pose);
  memset(pose.components, 0, 4 * sizeof *pose.components);
  assert_int_equal(mpak_pose_socket(&pose, mpak_find_node(&scene->pack, "hand"), &socket), MPAK_OK);
  assert_position(&socket, -5, 0, 2);
  pose.locals[2].translation[1] = 1; // the arm is shorter now
  assert_int_equal(mpak_pose_socket(&pose, 3, &socket), MPAK_OK);
  assert_position(&socket, -1, 0, 2);
  assert_int_equal(mpak_pose_socket(&pose, mpak_find_node(&scene->pack, "no such"), &socket), MPAK_ERROR_NOT_FOUND);
  assert_int_equal(mpak_pose_socket(&pose, 4, &socket), MPAK_ERROR_NOT_FOUND);
  free(memory);
  free(scene);
}

/// The inverse of an affine matrix whose 3x3 part is s times a rotation: transpose / s².
static void invert_similarity(const mpak_matrix *matrix, float scale, float out[12]) {
  for (int r = 0; r < 3; ++r) {
    out[r * 4 + 3] = 0;
    for (int c = 0; c < 3; ++c) out[r * 4 + c] = matrix->m[c * 4 + r] / (scale * scale);
    for (int c = 0; c < 3; ++c) out[r * 4 + 3] -= out[r * 4 + c] * matrix->m[c * 4 + 3];
  }
}

static void test_palette_is_identity_at_the_bind_pose_and_by_hand_elsewhere(void **state) {
  (void)state;
  mt_pose_scene *scene = arm_scene();
  mpak_pose pose;
  void *memory = pose_make(scene, &pose);
  mpak_pose_compute_components(&pose, NULL, 0);
  mt_pose_add_skin(scene, "skin");
  for (uint32_t node = 0; node < 4; ++node) {
    float inverse_bind[12];
    invert_similarity(&pose.components[node], node == 1 ? 1 : 2, inverse_bind);
    mt_pose_add_joint(scene, node, inverse_bind);
  }
  mpak_matrix palette[4];
  mpak_pose_skin_palette(&pose, 0, palette);
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i < 12; ++i) MT_POSE_NEAR(palette[j].m[i], i % 5 == 0, 1e-6);
  }
  pose.locals[2].translation[2] = 4; // the arm moves by (0 0 4) in a space that is scaled by 2
  mpak_pose_changed(&pose);
  mpak_pose_compute_components(&pose, NULL, 0);
  mpak_pose_skin_palette(&pose, 0, palette);
  for (int i = 0; i < 12; ++i) MT_POSE_NEAR(palette[0].m[i], i % 5 == 0, 1e-6);
  for (int j = 2; j < 4; ++j) assert_position(&palette[j], 0, 0, 8);
  free(memory);
  free(scene);
}

static void test_section_palette_follows_the_bone_map(void **state) {
  (void)state;
  const float positions[2][3] = {{0, 0, 0}, {1, 0, 0}};
  const uint32_t vertex_counts[2] = {1, 1}, first_map[2] = {2, 0}, second_map[1] = {3};
  mt_pose_scene *scene = mt_pose_make();
  mt_pose_add_mesh(scene, "mesh");
  mt_pose_add_part(scene, 2, positions);
  mt_pose_set_sections(scene, 0, vertex_counts, 2);
  mt_pose_set_bones(scene, 0, 0, first_map, 2);
  mt_pose_set_bones(scene, 0, 1, second_map, 1);
  mpak_matrix palette[4], out[2];
  for (int j = 0; j < 4; ++j) palette[j] = (mpak_matrix){{(float)j}};
  mpak_section_palette(&scene->pack, scene->parts[0].first_section, palette, out);
  assert_float_equal(out[0].m[0], 2, 0);
  assert_float_equal(out[1].m[0], 0, 0);
  mpak_section_palette(&scene->pack, scene->parts[0].first_section + 1, palette, out);
  assert_float_equal(out[0].m[0], 3, 0);
  free(scene);
}

static void test_blend_of_two_poses(void **state) {
  (void)state;
  mt_pose_scene *scene = arm_scene();
  mt_pose_add_mesh(scene, "mesh");
  mt_pose_add_control(scene, "smile", 0.25f, 0, 1);
  mt_pose_add_instance(scene, 1, 0, MPAK_NONE);
  mpak_pose from, to, out;
  void *memory[3] = {pose_make(scene, &from), pose_make(scene, &to), pose_make(scene, &out)};
  memcpy(from.locals[0].rotation, (const float[4]){0, 0, 0, 1}, sizeof from.locals[0].rotation);
  to.locals[2].translation[0] = 8;
  to.locals[2].scale[1] = 3;
  to.weights[0] = 1.25f;
  mpak_pose_blend(&from, &to, 0.25f, &out);
  // a quarter of 90 degrees is 22.5, its half angle 11.25
  MT_POSE_NEAR(out.locals[0].rotation[2], 0.195090322, 1e-6);
  MT_POSE_NEAR(out.locals[0].rotation[3], 0.980785280, 1e-6);
  assert_float_equal(out.locals[2].translation[0], 2, 0);
  assert_float_equal(out.locals[2].scale[1], 1.5, 0);
  assert_float_equal(out.weights[0], 0.5, 0);
  mpak_pose_blend(&from, &to, NAN, &out);
  assert_memory_equal(out.locals, from.locals, 4 * sizeof *out.locals);
  mpak_pose_blend(&from, &to, 7, &out);
  assert_memory_equal(out.locals, to.locals, 4 * sizeof *out.locals);
  assert_float_equal(out.weights[0], 1.25, 0);
  uint64_t version = from.version;
  mpak_pose_blend(&from, &to, 0.5f, &from); // in place
  assert_float_equal(from.locals[2].translation[0], 4, 0);
  assert_true(from.version > version);
  for (int i = 0; i < 3; ++i) free(memory[i]);
  free(scene);
}

static void test_pose_rest_normalises_and_takes_instance_weights(void **state) {
  (void)state;
  const float long_rotation[4] = {0, 0, 3, 4}, no_rotation[4] = {0, 0, 0, 0};
  mt_pose_scene *scene = mt_pose_make();
  mt_pose_add_node(scene, "a", MPAK_NONE, NULL, long_rotation, NULL);
  mt_pose_add_node(scene, "b", MPAK_NONE, NULL, no_rotation, NULL);
  mt_pose_add_mesh(scene, "mesh");
  mt_pose_add_control(scene, "x", 0.5f, 0, 1);
  mt_pose_add_control(scene, "y", 0.75f, 0, 1);
  mt_pose_add_instance(scene, 0, 0, MPAK_NONE);
  mt_pose_add_instance(scene, 1, 0, MPAK_NONE);
  scene->instances[1].first_weight = 3;
  scene->instance_weights[3] = 0.1f;
  scene->instance_weights[4] = 0.2f;
  mpak_pose pose;
  void *memory = pose_make(scene, &pose);
  MT_POSE_NEAR(pose.locals[0].rotation[2], 0.6, 1e-7);
  MT_POSE_NEAR(pose.locals[0].rotation[3], 0.8, 1e-7);
  assert_float_equal(pose.locals[1].rotation[3], 1, 0);
  const float expected[4] = {0.5f, 0.75f, 0.1f, 0.2f};
  for (int i = 0; i < 4; ++i) assert_float_equal(pose.weights[i], expected[i], 0);
  assert_int_equal(pose.first_weight[1], 2);
  free(memory);
  free(scene);
}

static void test_pose_init_refuses_bad_memory(void **state) {
  (void)state;
  mt_pose_scene *scene = arm_scene();
  uint64_t byte_count = mpak_pose_bytes(&scene->pack);
  uint8_t *memory = mt_pose_memory(byte_count + 16);
  mpak_pose pose;
  assert_int_equal(mpak_pose_init(&scene->pack, memory, byte_count - 1, &pose), MPAK_ERROR_BUFFER_TOO_SMALL);
  assert_null(pose.locals);
  assert_int_equal(mpak_pose_init(&scene->pack, memory + 4, byte_count, &pose), MPAK_ERROR_ALIGNMENT);
  assert_int_equal(mpak_pose_init(&scene->pack, NULL, byte_count, &pose), MPAK_ERROR_BUFFER_TOO_SMALL);
  assert_int_equal(mpak_pose_init(&scene->pack, memory, byte_count, &pose), MPAK_OK);
  free(memory);
  free(scene);
}

static void test_part_bounds_hold_moved_corners(void **state) {
  (void)state;
  // an unskinned part with a box of 1 x 2 x 4 at the origin, drawn by the hand: turned by 90 degrees, scaled by 2
  const float positions[1][3] = {{0, 0, 0}};
  mt_pose_scene *scene = arm_scene();
  mt_pose_add_mesh(scene, "mesh");
  mt_pose_add_part(scene, 1, positions);
  mt_pose_add_instance(scene, 3, 0, MPAK_NONE);
  memcpy(scene->parts[0].conservative_max, (const float[3]){1, 2, 4}, 3 * sizeof(float));
  mpak_pose pose;
  float min[3], max[3];
  void *memory = pose_make(scene, &pose);
  mpak_pose_compute_components(&pose, NULL, 0);
  mpak_pose_part_bounds(&pose, 0, 0, NULL, min, max);
  const double expected_min[3] = {-5 - 4, 0, 2}, expected_max[3] = {-5, 2, 2 + 8};
  for (int i = 0; i < 3; ++i) MT_POSE_NEAR(min[i], expected_min[i], 1e-5);
  for (int i = 0; i < 3; ++i) MT_POSE_NEAR(max[i], expected_max[i], 1e-5);
  free(memory);
  free(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_components_follow_parents),
      cmocka_unit_test(test_components_of_required_bones_only),
      cmocka_unit_test(test_components_shear_under_non_uniform_scale),
      cmocka_unit_test(test_matrix_node_keeps_its_matrix),
      cmocka_unit_test(test_socket_is_right_without_components),
      cmocka_unit_test(test_palette_is_identity_at_the_bind_pose_and_by_hand_elsewhere),
      cmocka_unit_test(test_section_palette_follows_the_bone_map),
      cmocka_unit_test(test_blend_of_two_poses),
      cmocka_unit_test(test_pose_rest_normalises_and_takes_instance_weights),
      cmocka_unit_test(test_pose_init_refuses_bad_memory),
      cmocka_unit_test(test_part_bounds_hold_moved_corners),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
