// CPU morph: both delta layouts against sums on paper, fallbacks, exact bases, and random weights that stay finite and
// in bounds.
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

typedef void (*set_deltas)(mt_pose_scene *scene, uint32_t part, const mt_pose_delta *deltas, uint32_t count);
static const set_deltas layouts[2] = {mt_pose_set_csr, mt_pose_set_blocks};

/// vertex_count vertices at (v, 0, 0), control_count controls in [-2, 2].
static mt_pose_scene *row_scene(uint32_t vertex_count, uint32_t control_count) {
  float positions[MT_POSE_MOST_VERTICES][3] = {{0}};
  for (uint32_t v = 0; v < vertex_count; ++v) positions[v][0] = (float)v;
  mt_pose_scene *scene = mt_pose_make();
  mt_pose_add_mesh(scene, "row");
  for (uint32_t c = 0; c < control_count; ++c) mt_pose_add_control(scene, "c", 0, -2, 2);
  mt_pose_add_part(scene, vertex_count, (const float(*)[3])positions);
  return scene;
}

static void morph(const mt_pose_scene *scene, const float *weights, mpak_base_vertex *out) {
  mpak_morph_vertices(&scene->pack, 0, &scene->data[0], weights, out);
}

/// The document's oracle [0, 2, 2, 5]: vertex 0 has two deltas, vertex 1 none, vertex 2 three.
static const mt_pose_delta oracle_deltas[5] = {
    {.vertex = 0, .shape = 0, .position = {1, 0, 0}, .normal = {1, 0, 0}},
    {.vertex = 0, .shape = 2, .position = {0, 2, 0}, .tangent = {-1, 1, 0}},
    {.vertex = 2, .shape = 0, .position = {0, 0, 4}},
    {.vertex = 2, .shape = 1, .position = {8, 0, 0}, .normal = {0, 0, -1}},
    {.vertex = 2, .shape = 2, .position = {0, 16, 0}, .normal = {0, 0, -1}},
};

static void test_morph_sums_weighted_deltas(void **state) {
  (void)state;
  for (int layout = 0; layout < 2; ++layout) {
    mt_pose_scene *scene = row_scene(3, 3);
    mpak_base_vertex out[3];
    const float weights[3] = {1, 0.5f, -0.25f};
    layouts[layout](scene, 0, oracle_deltas, 5);
    morph(scene, weights, out);
    const double positions[3][3] = {{1, -0.5, 0}, {1, 0, 0}, {2 + 4, -4, 4}};
    for (int v = 0; v < 3; ++v) {
      for (int i = 0; i < 3; ++i) MT_POSE_NEAR(out[v].position[i], positions[v][i], 0);
    }
    // normal (1, 0, 1) / sqrt 2; tangent (1, 0, 0) - 0.25 (-1, 1, 0) = (1.25, -0.25, 0)
    MT_POSE_NEAR(out[0].normal[0], sqrt(0.5), 1e-7);
    MT_POSE_NEAR(out[0].normal[2], sqrt(0.5), 1e-7);
    MT_POSE_NEAR(out[0].tangent[0], 1.25 / sqrt(1.625), 1e-7);
    MT_POSE_NEAR(out[0].tangent[1], -0.25 / sqrt(1.625), 1e-7);
    // (0, 0, 1) - 0.5 + 0.25: shorter, but still up
    MT_POSE_NEAR(out[2].normal[2], 1, 1e-7);
    for (int v = 0; v < 3; ++v) assert_true(out[v].position[3] == 1 && out[v].normal[3] == 0 && out[v].tangent[3] == 1);
    free(scene);
  }
}

static void test_morph_weight_zero_one_and_half(void **state) {
  (void)state;
  for (int layout = 0; layout < 2; ++layout) {
    mt_pose_scene *scene = row_scene(3, 3);
    mpak_base_vertex out[3];
    layouts[layout](scene, 0, oracle_deltas, 5);
    morph(scene, (const float[3]){0, 0, 0}, out);
    assert_memory_equal(out, scene->storage[0].base, sizeof out); // exactly the base
    morph(scene, (const float[3]){1, 0, 0}, out);
    assert_float_equal(out[0].position[0], 1, 0);
    assert_float_equal(out[2].position[2], 4, 0);
    morph(scene, (const float[3]){0.5f, 0, 0}, out);
    assert_float_equal(out[0].position[0], 0.5, 0);
    assert_float_equal(out[2].position[2], 2, 0);
    free(scene);
  }
}

static void test_morph_untouched_vertices_are_the_bases_bytes(void **state) {
  (void)state;
  for (int layout = 0; layout < 2; ++layout) {
    mt_pose_scene *scene = row_scene(3, 3);
    mpak_base_vertex out[3];
    // a base normal that normalising again would change
    memcpy(scene->storage[0].base[1].normal, (const float[3]){0.6f, 0.8000001f, 0}, 3 * sizeof(float));
    memcpy(scene->storage[0].base[2].normal, (const float[3]){0.6f, 0.8000001f, 0}, 3 * sizeof(float));
    layouts[layout](scene, 0, oracle_deltas, 2); // vertex 0 only
    morph(scene, (const float[3]){1, 1, 1}, out);
    assert_memory_equal(&out[1], &scene->storage[0].base[1], 2 * sizeof *out);
    free(scene);
  }
}

static void test_morph_falls_back_to_the_base_where_a_direction_vanishes(void **state) {
  (void)state;
  const mt_pose_delta delta = {.normal = {0, 0, -1}, .tangent = {-1, 0, 0}};
  for (int layout = 0; layout < 2; ++layout) {
    mt_pose_scene *scene = row_scene(1, 1);
    mpak_base_vertex out;
    scene->storage[0].base[0].tangent[3] = -1;
    layouts[layout](scene, 0, &delta, 1);
    const float near_one[3] = {1, 1 - 5e-7f, 1 + 5e-7f}; // sums of 0 and of half the threshold
    for (int i = 0; i < 3; ++i) {
      morph(scene, &near_one[i], &out);
      assert_memory_equal(&out, &scene->storage[0].base[0], sizeof out);
    }
    const float above = 1 - 4e-6f; // longer than the threshold: has a direction
    morph(scene, &above, &out);
    MT_POSE_NEAR(out.normal[2], 1, 1e-6);
    const float beyond = 1.5f; // turned over
    morph(scene, &beyond, &out);
    MT_POSE_NEAR(out.normal[2], -1, 1e-6);
    MT_POSE_NEAR(out.tangent[0], -1, 1e-6);
    assert_float_equal(out.tangent[3], -1, 0); // the sign is the base's
    free(scene);
  }
}

static void test_morph_keeps_absent_tangents_zero(void **state) {
  (void)state;
  const mt_pose_delta delta = {.position = {1, 1, 1}, .normal = {1, 0, 0}};
  for (int layout = 0; layout < 2; ++layout) {
    mt_pose_scene *scene = row_scene(1, 1);
    mpak_base_vertex out;
    memset(scene->storage[0].base[0].tangent, 0, 4 * sizeof(float));
    layouts[layout](scene, 0, &delta, 1);
    morph(scene, (const float[1]){1}, &out);
    for (int i = 0; i < 4; ++i) assert_float_equal(out.tangent[i], 0, 0);
    free(scene);
  }
}

static void test_morph_without_shapes_copies(void **state) {
  (void)state;
  mt_pose_scene *scene = row_scene(7, 0);
  mpak_base_vertex out[7];
  morph(scene, NULL, out);
  assert_memory_equal(out, scene->storage[0].base, sizeof out);
  free(scene);
}

/// Every third vertex, every second shape: deltas that fill blocks unevenly.
static uint32_t scattered_deltas(uint32_t vertex_count, uint32_t shape_count, uint64_t *seed, mt_pose_delta *deltas) {
  uint32_t count = 0;
  for (uint32_t v = 0; v < vertex_count; ++v) {
    for (uint32_t s = 0; s < shape_count; ++s) {
      if ((v * 5 + s * 3) % 7 > 2 || count == MT_POSE_MOST_DELTAS) continue;
      mt_pose_delta *delta = &deltas[count++];
      *delta = (mt_pose_delta){.vertex = v, .shape = s};
      for (int i = 0; i < 3; ++i) {
        delta->position[i] = mt_pose_random(seed, -1, 1);
        delta->normal[i] = mt_pose_random(seed, -2, 2);
        delta->tangent[i] = mt_pose_random(seed, -2, 2);
      }
    }
  }
  return count;
}

static void test_layouts_give_the_same_bits(void **state) {
  (void)state;
  static mt_pose_delta deltas[MT_POSE_MOST_DELTAS];
  const uint32_t counts[6] = {1, 63, 64, 65, 129, 200};
  uint64_t seed = 4;
  for (int i = 0; i < 6; ++i) {
    const uint32_t sections[2] = {counts[i] - counts[i] / 3, counts[i] / 3}; // blocks that end within
    mt_pose_scene *scene = row_scene(counts[i], 5);
    uint32_t count = scattered_deltas(counts[i], 5, &seed, deltas);
    mpak_base_vertex csr[MT_POSE_MOST_VERTICES], blocks[MT_POSE_MOST_VERTICES];
    float weights[5];
    if (counts[i] > 2) mt_pose_set_sections(scene, 0, sections, 2);
    for (int c = 0; c < 5; ++c) weights[c] = c == 2 ? 0 : mt_pose_random(&seed, -2, 2);
    mt_pose_set_csr(scene, 0, deltas, count);
    morph(scene, weights, csr);
    mt_pose_set_blocks(scene, 0, deltas, count);
    morph(scene, weights, blocks);
    assert_memory_equal(csr, blocks, counts[i] * sizeof *csr); // shapes ascend in both, so the sums round alike
    free(scene);
  }
}

/// The box that design D5 asks for: per axis and shape the least and the greatest of lo·d and hi·d, summed.
static void conservative_box(const mt_pose_delta *deltas, uint32_t count, uint32_t vertex, double min[3],
                             double max[3]) {
  for (uint32_t d = 0; d < count; ++d) {
    if (deltas[d].vertex != vertex) continue;
    for (int i = 0; i < 3; ++i) {
      double a = -2.0 * deltas[d].position[i], b = 2.0 * deltas[d].position[i];
      min[i] += a < b ? a : b;
      max[i] += a < b ? b : a;
    }
  }
}

static void check_random_morph(const mt_pose_scene *scene, const mpak_base_vertex *out, const double (*min)[3],
                               const double (*max)[3]) {
  for (uint32_t v = 0; v < scene->parts[0].vertex_count; ++v) {
    for (int i = 0; i < 3; ++i) {
      double moved = (double)out[v].position[i] - (i == 0 ? v : 0);
      assert_true(moved >= min[v][i] - 1e-4 && moved <= max[v][i] + 1e-4);
    }
    double normal = 0, tangent = 0;
    for (int i = 0; i < 3; ++i) normal += (double)out[v].normal[i] * out[v].normal[i];
    for (int i = 0; i < 3; ++i) tangent += (double)out[v].tangent[i] * out[v].tangent[i];
    assert_true(fabs(normal - 1) < 1e-5 && fabs(tangent - 1) < 1e-5);
  }
}

static void test_random_weights_stay_unit_and_in_bounds(void **state) {
  (void)state;
  static mt_pose_delta deltas[MT_POSE_MOST_DELTAS];
  double min[20][3] = {{0}}, max[20][3] = {{0}};
  uint64_t seed = 5;
  mt_pose_scene *scene = row_scene(20, 6);
  uint32_t count = scattered_deltas(20, 6, &seed, deltas);
  for (uint32_t v = 0; v < 20; ++v) conservative_box(deltas, count, v, min[v], max[v]);
  mpak_base_vertex out[20];
  for (int layout = 0; layout < 2; ++layout) {
    layouts[layout](scene, 0, deltas, count);
    for (int i = 0; i < 50000; ++i) {
      float weights[6];
      for (int c = 0; c < 6; ++c) weights[c] = mt_pose_random(&seed, -2, 2);
      morph(scene, weights, out);
      check_random_morph(scene, out, (const double(*)[3])min, (const double(*)[3])max);
    }
  }
  free(scene);
}

static void test_overflowing_sums_fall_back_to_the_base(void **state) {
  (void)state;
  const mt_pose_delta deltas[2] = {
      {.shape = 0, .position = {FLT_MAX, 0, 0}, .normal = {FLT_MAX, 0, 0}, .tangent = {0, FLT_MAX, 0}},
      {.shape = 1, .position = {FLT_MAX, 1, 0}, .normal = {-FLT_MAX, 0, 0}, .tangent = {0, FLT_MAX, 0}}};
  const float extremes[5] = {0, 2, -2, 1, FLT_MAX};
  for (int layout = 0; layout < 2; ++layout) {
    mt_pose_scene *scene = row_scene(1, 2);
    mpak_base_vertex out;
    layouts[layout](scene, 0, deltas, 2);
    for (int a = 0; a < 5; ++a) {
      for (int b = 0; b < 5; ++b) {
        morph(scene, (const float[2]){extremes[a], extremes[b]}, &out);
        assert_true(mt_pose_all_finite(out.position, 12));
      }
    }
    morph(scene, (const float[2]){2, 2}, &out);
    assert_memory_equal(&out, &scene->storage[0].base[0], sizeof out);
    free(scene);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_morph_sums_weighted_deltas),
      cmocka_unit_test(test_morph_weight_zero_one_and_half),
      cmocka_unit_test(test_morph_untouched_vertices_are_the_bases_bytes),
      cmocka_unit_test(test_morph_falls_back_to_the_base_where_a_direction_vanishes),
      cmocka_unit_test(test_morph_keeps_absent_tangents_zero),
      cmocka_unit_test(test_morph_without_shapes_copies),
      cmocka_unit_test(test_layouts_give_the_same_bits),
      cmocka_unit_test(test_random_weights_stay_unit_and_in_bounds),
      cmocka_unit_test(test_overflowing_sums_fall_back_to_the_base),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
