// Morphing with whole numbers, on the CPU and in the reference: one block of four vertices, all results on paper.
// Base: vertex v at (v, 0, 0), normal (0, 0, 1), tangent (1, 0, 0). One shape moves vertices 0, 2 and 3.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "runtime/reference/mpak_reference.h"
#include "tests/support/mt_pack_morph.h"
#include "tests/support/mt_pose.h"

/// Position scale 0.5, normal scale 0.25, tangent scale 2.
static const int32_t lane_numbers[3][9] = {
    {4, -2, 6, 4, 0, 0, 0, 1, 0},  // (2, -1, 3), (1, 0, 0), (0, 2, 0)
    {0, 0, 1, 0, 0, 0, 0, 0, 0},   // (0, 0, 0.5): nothing else
    {0, -7, 0, 4, 0, -4, 0, 0, 0}, // (0, -3.5, 0), (1, 0, -1)
};

static mt_pose_scene *payload_scene(mpak_payload payload, uint32_t components, uint32_t flags) {
  const float positions[4][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
  mt_pose_scene *scene = mt_pose_make();
  mt_pose_add_node(scene, "n", MPAK_NONE, NULL, NULL, NULL);
  mt_pose_add_mesh(scene, "m");
  mt_pose_add_control(scene, "c", 1, -2, 2);
  mt_pose_add_part(scene, 4, positions);
  mt_pose_add_instance(scene, 0, 0, MPAK_NONE);
  mt_pose_part *storage = &scene->storage[0];
  storage->blocks[0] = (mpak_morph_block){.vertex_count = 4};
  storage->blocks[1] = (mpak_morph_block){.first_vertex = 4, .first_entry = 1};
  storage->entries[0] =
      (mpak_morph_entry){.lanes_low = 0xD, .position_scale = 0.5f, .normal_scale = 0.25f, .tangent_scale = 2};
  for (uint32_t lane = 0; lane < 3; ++lane)
    for (uint32_t k = 0; k < components; ++k)
      mt_lane_put(payload, storage->payload + lane, 3, k, (uint32_t)lane_numbers[lane][k]);
  scene->parts[0].payload = payload;
  scene->parts[0].flags |= flags;
  scene->data[0].morph = (mpak_morph){.payload = payload,
                                      .vertex_count = 4,
                                      .shape_count = 1,
                                      .components = components,
                                      .delta_count = 3,
                                      .blocks = storage->blocks,
                                      .block_count = 1,
                                      .entries = storage->entries,
                                      .entry_count = 1,
                                      .payload_words = storage->payload};
  return scene;
}

/// Position, normal and tangent of the four vertices.
typedef struct payload_result {
  double positions[4][3], normals[4][3], tangents[4][4];
} payload_result;

static void payload_morph_cpu(const mt_pose_scene *scene, payload_result *result) {
  mpak_base_vertex out[4];
  const float weight = 1;
  mpak_morph_vertices(&scene->pack, 0, &scene->data[0], &weight, out);
  assert_memory_equal(&out[1], &scene->storage[0].base[1], sizeof out[1]); // not moved: exactly the base
  for (int v = 0; v < 4; ++v) {
    for (int i = 0; i < 4; ++i) {
      if (i < 3) result->positions[v][i] = (double)out[v].position[i];
      if (i < 3) result->normals[v][i] = (double)out[v].normal[i];
      result->tangents[v][i] = (double)out[v].tangent[i];
    }
  }
}

static void payload_morph_reference(const mt_pose_scene *scene, payload_result *result) {
  mpak_ref_pose pose;
  void *memory = mt_pose_memory(mpak_ref_pose_bytes(&scene->pack));
  assert_int_equal(mpak_ref_pose_init(&scene->pack, memory, mpak_ref_pose_bytes(&scene->pack), &pose), MPAK_OK);
  mpak_ref_component(&pose);
  const mpak_ref_vertices vertices = {result->positions, result->normals, result->tangents};
  mpak_ref_deform(&pose, 0, 0, &scene->data[0], true, &vertices);
  free(memory);
}

static void assert_vector(const double *actual, double x, double y, double z) {
  const double expected[3] = {x, y, z};
  for (int i = 0; i < 3; ++i) MT_POSE_NEAR(actual[i], expected[i], 1e-7);
}

/// (0, 0, 1) + (1, 0, 0) and (0, 0, 1) + (1, 0, -1).
static void assert_positions_and_normals(const payload_result *result, bool has_normals) {
  const double half = sqrt(0.5);
  assert_vector(result->positions[0], 2, -1, 3);
  assert_vector(result->positions[1], 1, 0, 0);
  assert_vector(result->positions[2], 2, 0, 0.5);
  assert_vector(result->positions[3], 3, -3.5, 0);
  assert_vector(result->normals[0], has_normals ? half : 0, 0, has_normals ? half : 1);
  assert_vector(result->normals[1], 0, 0, 1);
  assert_vector(result->normals[2], 0, 0, 1);
  assert_vector(result->normals[3], has_normals ? 1 : 0, 0, has_normals ? 0 : 1);
  for (int v = 0; v < 4; ++v) assert_true(result->tangents[v][3] == 1);
}

typedef void (*payload_morph)(const mt_pose_scene *scene, payload_result *result);
static const payload_morph ways[2] = {payload_morph_cpu, payload_morph_reference};

static void test_deform_payloads_move_by_number_times_scale(void **state) {
  (void)state;
  for (uint32_t payload = MPAK_PAYLOAD_P8; payload <= MPAK_PAYLOAD_P16; ++payload) {
    for (uint32_t components = 3; components <= (payload == MPAK_PAYLOAD_P8 ? 6 : 9); components += 3) {
      for (int way = 0; way < 2; ++way) {
        mt_pose_scene *scene = payload_scene((mpak_payload)payload, components, 0);
        payload_result result;
        ways[way](scene, &result);
        assert_positions_and_normals(&result, components > 3);
        // (1, 0, 0) + (0, 2, 0)
        assert_vector(result.tangents[0], components == 9 ? 1 / sqrt(5) : 1, components == 9 ? 2 / sqrt(5) : 0, 0);
        for (int v = 1; v < 4; ++v) assert_vector(result.tangents[v], 1, 0, 0);
        free(scene);
      }
    }
  }
}

/// t - n (n . t): with n = (1, 0, 1) / sqrt 2 it is (1, 0, -1) / 2; along the normal nothing is left of it.
static void test_deform_payloads_make_tangents_square(void **state) {
  (void)state;
  for (uint32_t payload = MPAK_PAYLOAD_P8; payload <= MPAK_PAYLOAD_P16; ++payload) {
    for (int way = 0; way < 2; ++way) {
      mt_pose_scene *scene = payload_scene((mpak_payload)payload, 6, MPAK_PART_REORTHOGONALISE);
      for (int v = 1; v < 3; ++v) scene->storage[0].base[v].tangent[2] = 0.75f; // not square, and not touched
      payload_result result;
      ways[way](scene, &result);
      assert_positions_and_normals(&result, true);
      assert_vector(result.tangents[0], sqrt(0.5), 0, -sqrt(0.5));
      assert_vector(result.tangents[3], 1, 0, 0);
      for (int v = 1; v < 3; ++v) MT_POSE_NEAR(result.tangents[v][2] / result.tangents[v][0], 0.75, 1e-7);
      free(scene);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_deform_payloads_move_by_number_times_scale),
      cmocka_unit_test(test_deform_payloads_make_tangents_square),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
