// buildGpuMorphData and sections (F36-F46, D5). Expected numbers come from the source document's oracle, from extreme
// weight vectors evaluated in double precision, and from the dense deltas themselves.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/build/build.h"
#include "format/bytes.h"
#include "tests/support/mt_morph.h"
#include "tests/support/mt_scene.h"

#define FIXTURE_VERTICES 64u
#define FIXTURE_TARGETS  12u
#define ALL_STREAMS      (MT_MORPH_POSITIONS | MT_MORPH_NORMALS | MT_MORPH_TANGENTS)

static const float zeros[64] = {0}, ones[4] = {1, 1, 1, 1};

// -- Order and content -----------------------------------------------------------------------------------------------

/// Three vertices and three targets that move vertex 0 twice, vertex 1 never, vertex 2 three times.
static cook_primitive *make_oracle_primitive(cook_job *job) {
  cook_primitive *primitive = mt_morph_primitive(job, 3, 3, ALL_STREAMS, 0, 1);
  primitive->targets[0].position_deltas[0][1] = 1;
  primitive->targets[2].tangent_deltas[0][0] = 2;
  for (int t = 0; t < 3; ++t) primitive->targets[t].normal_deltas[2][2] = (float)(3 + t);
  return primitive;
}

static void test_gpu_morph_document_oracle_offsets_0_2_2_5(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  cook_gpu_morph morph;
  build_gpu_morph(job, make_oracle_primitive(job), zeros, ones, &morph);
  const uint32_t offsets[4] = {0, 2, 2, 5}, shapes[5] = {0, 2, 0, 1, 2};
  assert_int_equal(morph.delta_count, 5);
  assert_memory_equal(morph.vertex_offsets, offsets, sizeof offsets);
  for (int d = 0; d < 5; ++d) {
    const uint32_t metadata[4] = {shapes[d], 0, 0, 0};
    assert_memory_equal(morph.deltas[d].metadata, metadata, sizeof metadata);
  }
  assert_true(morph.deltas[0].position[1] == 1 && morph.deltas[1].tangent[0] == 2);
  for (int t = 0; t < 3; ++t) assert_true(morph.deltas[2 + t].normal[2] == (float)(3 + t));
  const uint32_t counts[3] = {2, 1, 2};
  assert_memory_equal(morph.shape_delta_counts, counts, sizeof counts);
  job_end(job);
}

static void test_gpu_morph_any_component_of_any_stream_counts_as_change(void **state) {
  (void)state;
  for (int component = 0; component < 9; ++component) {
    cook_job *job = mt_job(NULL);
    cook_primitive *primitive = mt_morph_primitive(job, 2, 1, ALL_STREAMS, 0, 1);
    cook_target *target = &primitive->targets[0];
    float(*streams[3])[3] = {target->position_deltas, target->normal_deltas, target->tangent_deltas};
    streams[component / 3][1][component % 3] = 0x1p-149f; // the smallest float
    cook_gpu_morph morph;
    build_gpu_morph(job, primitive, zeros, ones, &morph);
    const uint32_t offsets[3] = {0, 0, 1};
    assert_memory_equal(morph.vertex_offsets, offsets, sizeof offsets);
    const float *stored[3] = {morph.deltas[0].position, morph.deltas[0].normal, morph.deltas[0].tangent};
    for (int c = 0; c < 9; ++c) assert_true(stored[c / 3][c % 3] == (c == component ? 0x1p-149f : 0.0f));
    assert_int_equal(morph.changes_normals, component / 3 == 1);
    assert_int_equal(morph.changes_tangents, component / 3 == 2);
    job_end(job);
  }
}

static void test_gpu_morph_minus_zero_is_no_change_and_written_as_plus_zero(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  cook_primitive *primitive = mt_morph_primitive(job, 2, 1, ALL_STREAMS, 0, 1);
  for (int axis = 0; axis < 3; ++axis) {
    primitive->targets[0].position_deltas[0][axis] = -0.0f;
    primitive->targets[0].normal_deltas[1][axis] = -0.0f;
  }
  primitive->targets[0].position_deltas[1][0] = 5;
  primitive->targets[0].position_deltas[1][1] = -0.0f;
  cook_gpu_morph morph;
  build_gpu_morph(job, primitive, zeros, ones, &morph);
  assert_int_equal(morph.delta_count, 1);
  mpak_csr_delta expected = {.position = {5, 0, 0, 0}};
  assert_memory_equal(&morph.deltas[0], &expected, sizeof expected); // bits: no -0 anywhere
  assert_false(morph.changes_normals);
  job_end(job);
}

static void test_gpu_morph_base_vertices_have_1_0_and_the_sign_as_w(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  cook_primitive *primitive = mt_morph_primitive(job, 70, 0, 0, 0, 3);
  cook_gpu_morph morph;
  build_gpu_morph(job, primitive, zeros, ones, &morph);
  for (uint32_t v = 0; v < 70; ++v) {
    const mpak_base_vertex *base = &morph.base_vertices[v];
    assert_memory_equal(base->position, primitive->positions[v], 12);
    assert_memory_equal(base->normal, primitive->normals[v], 12);
    assert_memory_equal(base->tangent, primitive->tangents[v], 16);
    assert_true(base->position[3] == 1 && base->normal[3] == 0);
  }
  primitive->tangents = NULL;
  build_gpu_morph(job, primitive, zeros, ones, &morph);
  for (uint32_t v = 0; v < 70; ++v) assert_memory_equal(morph.base_vertices[v].tangent, zeros, 16);
  job_end(job);
}

static void test_gpu_morph_without_targets_is_empty_with_base_bounds(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  cook_primitive *primitive = mt_morph_primitive(job, 100, 0, 0, 0, 4);
  cook_gpu_morph morph;
  build_gpu_morph(job, primitive, NULL, NULL, &morph);
  assert_int_equal(morph.delta_count, 0);
  for (uint32_t v = 0; v <= 100; ++v) assert_int_equal(morph.vertex_offsets[v], 0);
  for (int axis = 0; axis < 3; ++axis) {
    float low = INFINITY, high = -INFINITY;
    for (uint32_t v = 0; v < 100; ++v) {
      low = fminf(low, primitive->positions[v][axis]);
      high = fmaxf(high, primitive->positions[v][axis]);
    }
    assert_true(morph.bounds.min[axis] == low && morph.bounds.max[axis] == high);
    assert_true(morph.conservative_bounds.min[axis] == low && morph.conservative_bounds.max[axis] == high);
  }
  assert_true(morph.maximum_position_delta == 0);
  job_end(job);
}

/// Dense deltas made from the sparse form; every value is overwritten once at most.
static float *rebuild_dense(const cook_gpu_morph *morph, uint32_t target_count) {
  float *dense = calloc((size_t)morph->vertex_count * target_count * 9, sizeof *dense);
  assert_non_null(dense);
  for (uint32_t v = 0; v < morph->vertex_count; ++v) {
    for (uint32_t d = morph->vertex_offsets[v]; d < morph->vertex_offsets[v + 1]; ++d) {
      const mpak_csr_delta *delta = &morph->deltas[d];
      assert_true(d == morph->vertex_offsets[v] || delta[-1].metadata[0] < delta->metadata[0]);
      float *to = dense + ((size_t)delta->metadata[0] * morph->vertex_count + v) * 9;
      memcpy(to, delta->position, 12);
      memcpy(to + 3, delta->normal, 12);
      memcpy(to + 6, delta->tangent, 12);
    }
  }
  return dense;
}

static void check_rebuild(int streams, uint32_t vertex_count, uint32_t moved_percent) {
  cook_job *job = mt_job(NULL);
  cook_primitive *primitive = mt_morph_primitive(job, vertex_count, 7, streams, moved_percent, 11 + vertex_count);
  float ranges[2][7] = {{0}, {1, 1, 1, 1, 1, 1, 1}};
  cook_gpu_morph morph;
  build_gpu_morph(job, primitive, ranges[0], ranges[1], &morph);
  float *dense = rebuild_dense(&morph, 7);
  for (uint32_t t = 0; t < 7; ++t) {
    for (uint32_t v = 0; v < vertex_count; ++v) {
      for (uint32_t s = 0; s < 3; ++s) {
        assert_memory_equal(dense + ((size_t)t * vertex_count + v) * 9 + 3 * s, mt_morph_delta(primitive, t, s, v), 12);
      }
    }
  }
  free(dense);
  job_end(job);
}

static void test_gpu_morph_rebuilds_dense_deltas_losslessly(void **state) {
  (void)state;
  const uint32_t counts[] = {1, 2, 63, 64, 65, 128, 1000};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
    check_rebuild(ALL_STREAMS, counts[i], 30);
    check_rebuild(MT_MORPH_POSITIONS, counts[i], 100);
    check_rebuild(MT_MORPH_NORMALS | MT_MORPH_TANGENTS, counts[i], 5);
  }
}

// -- Bounds ----------------------------------------------------------------------------------------------------------

typedef struct bounds_fixture {
  cook_job *job;
  cook_primitive *primitive;
  float low[FIXTURE_TARGETS], high[FIXTURE_TARGETS];
  cook_gpu_morph morph;
} bounds_fixture;

/// Ranges as real files have them: [0, 1], wider, negative, and one that does not hold 0.
static void make_bounds_fixture(bounds_fixture *fixture, uint64_t seed) {
  static const float lows[4] = {0, -1.5f, 0, 0.25f}, highs[4] = {1, 2.5f, 3.7f, 0.75f};
  fixture->job = mt_job(NULL);
  fixture->primitive = mt_morph_primitive(fixture->job, FIXTURE_VERTICES, FIXTURE_TARGETS, ALL_STREAMS, 60, seed);
  for (uint32_t t = 0; t < FIXTURE_TARGETS; ++t) {
    fixture->low[t] = lows[t % 4];
    fixture->high[t] = highs[t % 4];
  }
  build_gpu_morph(fixture->job, fixture->primitive, fixture->low, fixture->high, &fixture->morph);
}

static void displace(const cook_primitive *primitive, const double *weights, uint32_t vertex, double offset[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    offset[axis] = 0;
    for (uint32_t t = 0; t < primitive->target_count; ++t) {
      offset[axis] += weights[t] * (double)primitive->targets[t].position_deltas[vertex][axis];
    }
  }
}

/// The weights that push a vertex furthest along an axis, up or down.
static void choose_extreme_weights(const bounds_fixture *fixture, uint32_t vertex, int axis, bool up, double *weights) {
  for (uint32_t t = 0; t < FIXTURE_TARGETS; ++t) {
    bool is_positive = fixture->primitive->targets[t].position_deltas[vertex][axis] > 0;
    weights[t] = (double)(is_positive == up ? fixture->high[t] : fixture->low[t]);
  }
}

/// Outwards rounding: the bound holds the value, and the next float inwards would not.
static void assert_is_rounded_outwards(float bound, double value, bool up) {
  float inwards = nextafterf(bound, up ? -INFINITY : INFINITY);
  if (up)
    assert_true((double)bound >= value && (double)inwards < value);
  else
    assert_true((double)bound <= value && (double)inwards > value);
}

static void check_faces(const bounds_fixture *fixture) {
  double weights[FIXTURE_TARGETS], offset[3],
      farthest[2][3] = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (uint32_t v = 0; v < FIXTURE_VERTICES; ++v) {
    for (int face = 0; face < 6; ++face) {
      int axis = face % 3;
      bool up = face >= 3;
      choose_extreme_weights(fixture, v, axis, up, weights);
      displace(fixture->primitive, weights, v, offset);
      double reached = (double)fixture->primitive->positions[v][axis] + offset[axis];
      const cook_box *box = &fixture->morph.vertex_boxes[v];
      assert_is_rounded_outwards(up ? box->max[axis] : box->min[axis], reached, up);
      if (up ? reached > farthest[1][axis] : reached < farthest[0][axis]) farthest[up][axis] = reached;
    }
  }
  for (int axis = 0; axis < 3; ++axis) { // equality at the extreme corner
    assert_is_rounded_outwards(fixture->morph.conservative_bounds.min[axis], farthest[0][axis], false);
    assert_is_rounded_outwards(fixture->morph.conservative_bounds.max[axis], farthest[1][axis], true);
  }
}

static void test_gpu_morph_bounds_touch_the_extremes_of_64_vertices_and_6_faces(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    bounds_fixture fixture;
    make_bounds_fixture(&fixture, seed);
    check_faces(&fixture);
    job_end(fixture.job);
  }
}

static void check_inside(const bounds_fixture *fixture, const double *weights, double *longest) {
  for (uint32_t v = 0; v < FIXTURE_VERTICES; ++v) {
    double offset[3];
    displace(fixture->primitive, weights, v, offset);
    for (int axis = 0; axis < 3; ++axis) {
      double reached = (double)fixture->primitive->positions[v][axis] + offset[axis];
      const cook_box *box = &fixture->morph.conservative_bounds;
      assert_true(reached >= (double)box->min[axis] && reached <= (double)box->max[axis]);
    }
    double length = sqrt(offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2]);
    if (length > *longest) *longest = length;
  }
}

static void test_gpu_morph_10000_random_weights_stay_inside(void **state) {
  (void)state;
  bounds_fixture fixture;
  make_bounds_fixture(&fixture, 99);
  mt_random random = {77};
  double longest = 0, weights[FIXTURE_TARGETS];
  for (int i = 0; i < 10000; ++i) {
    for (uint32_t t = 0; t < FIXTURE_TARGETS; ++t) {
      weights[t] = (double)mt_random_float(&random, fixture.low[t], fixture.high[t]);
      if (mt_random_below(&random, 4) == 0)
        weights[t] = (double)(mt_random_below(&random, 2) ? fixture.high[t] : fixture.low[t]);
    }
    check_inside(&fixture, weights, &longest);
  }
  assert_true(longest > 0 && longest <= (double)fixture.morph.maximum_position_delta);
  job_end(fixture.job);
}

static void test_gpu_morph_maximum_delta_is_the_length_of_the_worst_case_per_axis(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  cook_primitive *primitive = mt_morph_primitive(job, 2, 3, MT_MORPH_POSITIONS, 0, 1);
  cook_gpu_morph morph;
  primitive->targets[0].position_deltas[0][0] = 1; // opposite directions: 3 is worse than 1
  primitive->targets[1].position_deltas[0][0] = -3;
  primitive->targets[2].position_deltas[0][1] = 4;
  build_gpu_morph(job, primitive, zeros, ones, &morph);
  assert_true(morph.maximum_position_delta == 5); // 3-4-5
  const float low[3] = {-2, 0, 0};                // now -2 - 3 = -5 on x
  build_gpu_morph(job, primitive, low, ones, &morph);
  assert_true(morph.maximum_position_delta >= sqrtf(41) && morph.maximum_position_delta <= nextafterf(sqrtf(41), 7));
  job_end(job);
}

static void test_gpu_morph_shape_boxes_hold_zero_and_the_deltas(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  cook_primitive *primitive = mt_morph_primitive(job, 3, 2, MT_MORPH_POSITIONS, 0, 1);
  const float deltas[2][3] = {{1, -2, 3}, {0.5f, -4, 7}};
  memcpy(primitive->targets[0].position_deltas[0], deltas[0], 12);
  memcpy(primitive->targets[0].position_deltas[2], deltas[1], 12);
  cook_gpu_morph morph;
  build_morph_facts(job, primitive, zeros, ones, &morph);
  const cook_box expected[2] = {{{0, -4, 0}, {1, 0, 7}}, {{0, 0, 0}, {0, 0, 0}}};
  assert_memory_equal(morph.shape_boxes, expected, sizeof expected);
  assert_null(morph.vertex_offsets);
  job_end(job);
}

static void test_gpu_morph_huge_deltas_give_finite_bounds(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  cook_primitive *primitive = mt_morph_primitive(job, 1, 2, MT_MORPH_POSITIONS, 0, 1);
  primitive->targets[0].position_deltas[0][0] = primitive->targets[1].position_deltas[0][0] = 3e38f;
  primitive->targets[0].position_deltas[0][1] = primitive->targets[1].position_deltas[0][1] = -3e38f;
  cook_gpu_morph morph;
  build_morph_facts(job, primitive, zeros, ones, &morph);
  for (int axis = 0; axis < 3; ++axis) {
    assert_true(bytes_float_is_finite(morph.conservative_bounds.min[axis]));
    assert_true(bytes_float_is_finite(morph.conservative_bounds.max[axis]));
  }
  assert_true(bytes_float_is_finite(morph.maximum_position_delta));
  job_end(job);
}

// -- Sections --------------------------------------------------------------------------------------------------------

/// Vertex v: joint 900 - 100 * (v % 3) with weight 0.75 and joint 7 with 0.25; the last vertex has one influence only.
static void add_influences(cook_job *job, cook_primitive *primitive) {
  primitive->influence_count = 4;
  primitive->joints = JOB_ARRAY(job, uint16_t, 4 * primitive->vertex_count);
  primitive->weights = JOB_ARRAY(job, float, 4 * primitive->vertex_count);
  for (uint32_t v = 0; v < primitive->vertex_count; ++v) {
    primitive->joints[4 * v] = (uint16_t)(900 - 100 * (v % 3));
    primitive->weights[4 * v] = 0.75f;
    primitive->joints[4 * v + 1] = 7;
    primitive->weights[4 * v + 1] = v + 1 == primitive->vertex_count ? 0.0f : 0.25f;
    primitive->joints[4 * v + 2] = 5; // unused: its weight is 0
  }
}

static void test_sections_map_used_joints_ascending_with_boxes(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  cook_primitive *primitive = mt_morph_primitive(job, 10, 3, MT_MORPH_POSITIONS, 50, 5);
  primitive->material = 3;
  add_influences(job, primitive);
  cook_gpu_morph morph;
  cook_sections sections;
  build_morph_facts(job, primitive, zeros, ones, &morph);
  build_sections(job, primitive, &morph, &sections);
  const uint32_t joints[4] = {7, 700, 800, 900};
  assert_int_equal(sections.section_count, 1);
  assert_int_equal(sections.bone_count, 4);
  for (int b = 0; b < 4; ++b) assert_int_equal(sections.bones[b].joint, joints[b]);
  const mpak_section expected = {
      .material = 3, .index_count = 30, .vertex_count = 10, .bone_count = 4, .max_influences = 2, .cloth = MPAK_NONE};
  assert_memory_equal(&sections.sections[0], &expected, sizeof expected);
  for (uint32_t v = 0; v < 10; ++v) {
    assert_int_equal(joints[sections.local_joints[4 * v]], primitive->joints[4 * v]);
    assert_int_equal(sections.local_joints[4 * v + 1], 0); // joint 7, or an unused slot
    assert_int_equal(sections.local_joints[4 * v + 2], 0);
  }
  for (int axis = 0; axis < 3; ++axis) { // bone 1 is joint 700: vertices 2, 5, 8
    float low = INFINITY, high = -INFINITY;
    for (uint32_t v = 2; v < 10; v += 3) {
      low = fminf(low, morph.vertex_boxes[v].min[axis]);
      high = fmaxf(high, morph.vertex_boxes[v].max[axis]);
    }
    assert_true(sections.bones[1].box_min[axis] == low && sections.bones[1].box_max[axis] == high);
  }
  job_end(job);
}

static void test_sections_without_skin_have_no_bones(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  cook_primitive *primitive = mt_morph_primitive(job, 5, 0, 0, 0, 5);
  cook_gpu_morph morph;
  cook_sections sections;
  build_morph_facts(job, primitive, NULL, NULL, &morph);
  build_sections(job, primitive, &morph, &sections);
  assert_int_equal(sections.bone_count, 0);
  assert_int_equal(sections.sections[0].max_influences, 0);
  assert_null(sections.local_joints);
  job_end(job);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gpu_morph_document_oracle_offsets_0_2_2_5),
      cmocka_unit_test(test_gpu_morph_any_component_of_any_stream_counts_as_change),
      cmocka_unit_test(test_gpu_morph_minus_zero_is_no_change_and_written_as_plus_zero),
      cmocka_unit_test(test_gpu_morph_base_vertices_have_1_0_and_the_sign_as_w),
      cmocka_unit_test(test_gpu_morph_without_targets_is_empty_with_base_bounds),
      cmocka_unit_test(test_gpu_morph_rebuilds_dense_deltas_losslessly),
      cmocka_unit_test(test_gpu_morph_bounds_touch_the_extremes_of_64_vertices_and_6_faces),
      cmocka_unit_test(test_gpu_morph_10000_random_weights_stay_inside),
      cmocka_unit_test(test_gpu_morph_maximum_delta_is_the_length_of_the_worst_case_per_axis),
      cmocka_unit_test(test_gpu_morph_shape_boxes_hold_zero_and_the_deltas),
      cmocka_unit_test(test_gpu_morph_huge_deltas_give_finite_bounds),
      cmocka_unit_test(test_sections_map_used_joints_ascending_with_boxes),
      cmocka_unit_test(test_sections_without_skin_have_no_bones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
