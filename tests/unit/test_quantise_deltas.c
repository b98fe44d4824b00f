// Deltas on the grids of --quality: numbers by hand, values far apart in one mesh, and whole packs of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/build/delta_grid.h"
#include "cooker/build/quantise_deltas.h"
#include "cooker/pack/pack.h"
#include "format/morph_payload.h"
#include "runtime/mpak.h"
#include "tests/support/mt_build.h"
#include "tests/support/mt_scene.h"

static const cook_quality qualities[3] = {COOK_QUALITY_COMPACT, COOK_QUALITY_DEFAULT, COOK_QUALITY_HIGH};

// -- One triangle, whose box is as large as asked ---------------------------------------------------------------------

static cook_scene *triangle(cook_job *job, float size, uint32_t target_count) {
  const float positions[3][3] = {{0, 0, 0}, {size, 0, 0}, {0, size / 2, 0}};
  cook_scene *scene = mt_one_primitive(job, positions, 3, (const uint32_t[3]){0, 1, 2}, 3);
  mt_add_targets(job, scene, target_count);
  for (uint32_t t = 0; t < target_count; ++t) {
    cook_target *target = &mt_primitive(scene)->targets[t];
    target->position_deltas = job_alloc(job, 3, sizeof *target->position_deltas);
    target->normal_deltas = job_alloc(job, 3, sizeof *target->normal_deltas);
    target->tangent_deltas = job_alloc(job, 3, sizeof *target->tangent_deltas);
  }
  return scene;
}

static void quantise(cook_job *job, cook_scene *scene, cook_quality quality) {
  quantise_deltas(job, &scene->meshes[0], cook_precision_of(quality));
}

/// 0.3 of a box of 1: 0.3 * 2^12 = 1228.8, 0.3 * 2^15 = 9830.4, 0.3 * 2^16 = 19660.8.
static void test_quantise_positions_by_hand(void **state) {
  (void)state;
  static const float expected[3] = {1229.0f / 4096, 9830.0f / 32768, 19661.0f / 65536};
  for (int q = 0; q < 3; ++q) {
    cook_job *job = mt_job(NULL);
    cook_scene *scene = triangle(job, 1, 1);
    cook_primitive *primitive = mt_primitive(scene);
    float(*deltas)[3] = primitive->targets[0].position_deltas;
    deltas[0][0] = 0.3f;
    deltas[0][1] = -0.3f;
    deltas[1][2] = 1.5f; // more than the largest number of default and high: exponents of 1 and 2
    deltas[2][0] = 1e-6f;
    quantise(job, scene, qualities[q]);
    assert_true(primitive->grid.step == ldexpf(1, q == 0 ? -12 : q == 1 ? -15 : -16));
    assert_true(deltas[0][0] == expected[q] && deltas[0][1] == -expected[q] && deltas[0][2] == 0);
    assert_true(deltas[1][2] == 1.5f);
    assert_true(deltas[2][0] == 0 && !signbit(deltas[2][0])); // a thirtieth of a step
    assert_int_equal(primitive->targets[0].position_floor, 0);
    const cook_error *error = &primitive->errors[MPAK_STREAM_DELTA_POSITION];
    assert_int_equal(error->count, 4);
    double most = fmax(fabs((double)expected[q] - (double)0.3f), (double)1e-6f);
    assert_true(error->largest == most);
    job_end(job);
  }
}

/// Eight steps of default: four halvings make 128 of them, and thirty-two steps of compact take 2.
static void test_quantise_lowers_the_step_of_low_targets(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  cook_scene *scene = triangle(job, 1, 2);
  cook_target *targets = mt_primitive(scene)->targets;
  targets[0].position_deltas[0][0] = 8.0f / 32768;
  targets[0].position_deltas[1][0] = 0.3f / 32768; // 4.8 of the lower steps
  targets[1].position_deltas[0][0] = 0.25f;
  quantise(job, scene, COOK_QUALITY_DEFAULT);
  assert_int_equal(targets[0].position_floor, -4);
  assert_int_equal(targets[1].position_floor, 0);
  assert_true(targets[0].position_deltas[1][0] == 5.0f / 16 / 32768);
  job_end(job);
}

/// P12: 0.31 * 127 = 39.4; with a component of 2 steps are twice as long. P16: 0.31 * 255 = 79.05, 2 * 255 = 510.
static void test_quantise_normals_up_to_2(void **state) {
  (void)state;
  for (int q = 1; q < 3; ++q) {
    cook_job *job = mt_job(NULL);
    cook_scene *scene = triangle(job, 1, 1);
    float(*deltas)[3] = mt_primitive(scene)->targets[0].normal_deltas;
    deltas[0][0] = 0.31f;
    deltas[1][0] = 0.31f;
    deltas[1][2] = -2;
    quantise(job, scene, qualities[q]);
    const float step = q == 1 ? 1.0f / 127 : 1.0f / 255;
    assert_true(deltas[0][0] == (q == 1 ? 39 * step : 79 * step));
    assert_true(deltas[1][0] == (q == 1 ? 20 * (2 * step) : 79 * step));
    assert_true(fabsf(deltas[1][2] + 2) < 1e-6f);
    job_end(job);
  }
}

/// Default, refined: 16 bits for the numbers, steps of 1/127 as before, and of 1/508 where a normal missed; 1/254 where
/// 511 of those do not reach. 0.3 is 38.1 of 1/127; 0.301 is 152.9 of 1/508 and 76.5 of 1/254; 1.5 is 381 of 1/254.
static void test_quantise_normals_that_missed_are_finer(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  cook_scene *scene = triangle(job, 1, 2);
  cook_primitive *primitive = mt_primitive(scene);
  bool has_missed[3] = {false, true, false};
  uint32_t sources[3] = {2, 0, 1}; // vertex 2 is the source's 1, which missed
  primitive->has_missed_normal = has_missed;
  primitive->source_of_vertex = sources;
  float(*near)[3] = primitive->targets[0].normal_deltas, (*far)[3] = primitive->targets[1].normal_deltas;
  near[0][0] = near[1][0] = 0.3f;
  near[2][0] = 0.301f;
  far[2][0] = 0.302f;
  far[2][1] = 1.5f;
  const cook_precision precision = cook_precision_finer(COOK_QUALITY_DEFAULT, 0, 1);
  assert_int_equal(precision.payload, MPAK_PAYLOAD_P16);
  quantise_deltas(job, &scene->meshes[0], &precision);
  const float step = 1.0f / 127;
  assert_true(near[0][0] == 38 * step && near[1][0] == 38 * step);
  assert_true(near[2][0] == 153 * (step / 4));
  assert_true(far[2][0] == 77 * (step / 2) && far[2][1] == 381 * (step / 2));
  const cook_grid *grid = &primitive->grid;
  assert_int_equal(delta_grid_exponents_of_numbers(grid, &primitive->targets[0], 0).of[1], 0);
  assert_int_equal(delta_grid_exponents_of_numbers(grid, &primitive->targets[0], 2).of[1], -2);
  assert_int_equal(delta_grid_exponents_of_numbers(grid, &primitive->targets[1], 2).of[1], -1);
  assert_int_equal(cook_precision_finer(COOK_QUALITY_DEFAULT, 0, 2).fine_exponent, -3);
  assert_int_equal(cook_precision_finer(COOK_QUALITY_DEFAULT, 0, 3).fine_exponent, 0); // then all vertices are finer
  assert_true(cook_precision_finer(COOK_QUALITY_DEFAULT, 0, 3).normal_delta_step == step / 8);
  job_end(job);
}

static void test_quantise_tangents_go_where_the_quality_says(void **state) {
  (void)state;
  for (int q = 0; q < 3; ++q) {
    cook_job *job = mt_job(NULL);
    cook_scene *scene = triangle(job, 1, 2);
    cook_primitive *primitive = mt_primitive(scene);
    float tangents[3][4] = {{1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}};
    primitive->tangents = MT_COPY(job, tangents, 3);
    quantise(job, scene, qualities[q]);
    assert_false(primitive->grid.reorthogonalises); // all deltas of tangents are zero
    primitive->targets[1].tangent_deltas = job_alloc(job, 3, sizeof *primitive->targets[1].tangent_deltas);
    primitive->targets[1].tangent_deltas[2][1] = 0.5f;
    quantise(job, scene, qualities[q]);
    assert_int_equal(primitive->grid.reorthogonalises, q < 2);
    assert_int_equal(primitive->targets[1].tangent_deltas == NULL, q < 2);
    job_end(job);
  }
}

/// All primitives share steps and floors, so that equal vertices become equal numbers.
static void test_quantise_parts_of_a_mesh_alike(void **state) {
  (void)state;
  for (int q = 0; q < 3; ++q) {
    cook_job *job = mt_job(NULL);
    cook_scene *scene = mt_scene_make(job, NULL);
    cook_primitive *primitives = scene->meshes[0].primitives;
    primitives[0].positions[0][0] = 77; // only one of the two is large
    primitives[0].targets[0].position_deltas[1][0] = 1e9f;
    for (int p = 0; p < 2; ++p) {
      primitives[p].targets[1].position_deltas[0][0] = 0.1234567f;
      primitives[p].targets[0].position_deltas[0][1] = 0.7654321f;
    }
    quantise(job, scene, qualities[q]);
    assert_true(primitives[0].grid.step == primitives[1].grid.step);
    for (int t = 0; t < 2; ++t)
      assert_memory_equal(primitives[0].targets[t].position_deltas[0], primitives[1].targets[t].position_deltas[0], 12);
    job_end(job);
  }
}

// -- The promise, on whole packs -------------------------------------------------------------------------------------

/// A scene whose deltas are far apart, packed and decoded.
typedef struct promise {
  cook_job *job;
  cook_options options;
  cook_scene *scene;
  float *given; ///< by target, vertex: nine floats, before quantising
  cook_product product;
  uint32_t group_count;
} promise;

/// A number for a component: tiny and huge ones, denormals, -0.
static float promise_value(uint32_t t, uint32_t v, uint32_t c) {
  static const float values[16] = {0.25f, -0.125f, 1e-6f,  1e-42f, -0.0f, 1000, 1e-3f,  0,
                                   -1e9f, 3e-5f,   -0.75f, 1e-30f, 1e12f, 0.5f, -1e-6f, 1};
  return t == 2 ? 1e-6f * (float)(v + c) : t == 3 ? 1e-44f : values[(5 * v + 3 * c + 7 * t) % 16];
}

#define PROMISE_SIDE    17u
#define PROMISE_TARGETS 4u

static void promise_fill(promise *p) {
  cook_primitive *primitive = &p->scene->meshes[0].primitives[0];
  uint32_t vertices = primitive->vertex_count;
  p->given = JOB_ARRAY(p->job, float, (uint64_t)9 * vertices * PROMISE_TARGETS);
  for (uint32_t t = 0; t < PROMISE_TARGETS; ++t) {
    cook_target *target = &primitive->targets[t];
    target->position_deltas = job_alloc(p->job, vertices, 12);
    target->normal_deltas = job_alloc(p->job, vertices, 12);
    target->tangent_deltas = job_alloc(p->job, vertices, 12);
    for (uint32_t i = 0; i < 9 * vertices; ++i) {
      uint32_t v = i / 9, c = i % 9;
      float value = c < 3 ? promise_value(t, v, c) : (float)((5 * v + c + t) % 17) * 0.25f - 2;
      if ((v + t) % 5 == 0) value = 0; // so that there are runs
      float(*const streams[3])[3] = {target->position_deltas, target->normal_deltas, target->tangent_deltas};
      p->given[(t * vertices + v) * 9 + c] = streams[c / 3][v][c % 3] = value;
    }
  }
}

static void promise_cook(cook_job *job, void *user) {
  promise *p = user;
  p->scene = mt_scene_make(
      job, &(mt_scene_knobs){.cells = PROMISE_SIDE - 1, .primitive_count = 1, .target_count = 4, .no_clips = true});
  promise_fill(p);
  build_nodes(job, p->scene);
  build_influences(job, p->scene, &p->options);
  build_ranges(job, p->scene, &p->options);
  build_quantise(job, p->scene, &p->options);
  pack_scene(job, p->scene, &p->options, &p->product); // and its proof
}

/// Error of a component: half a step, or a share of its lane's largest one; low targets by their height.
static double promise_bound(const promise *p, uint32_t stream, double step, const float *lane, double height) {
  double numbers = p->options.quality == COOK_QUALITY_COMPACT ? 2048 : 32768, largest = 0;
  if (stream > 0)
    numbers = p->options.quality == COOK_QUALITY_HIGH ? 512 : p->options.quality == COOK_QUALITY_DEFAULT ? 128 : 256;
  for (int axis = 0; axis < 3; ++axis) largest = fmax(largest, fabs((double)lane[axis]));
  double half = fmin(step / 2, stream == 0 ? fmax(height / 64, step * 0x1p-41) : step / 2);
  return fmax(half, largest / numbers) * 1.000001;
}

static void promise_check_entry(const promise *p, const mpak_morph *morph, const mpak_part *part,
                                const mpak_morph_block *block, const mpak_morph_entry *entry, float *decoded) {
  uint64_t lanes = entry->lanes_low | (uint64_t)entry->lanes_high << 32;
  uint32_t count = (uint32_t)__builtin_popcountll(lanes);
  (void)p;
  for (uint32_t i = 0; i < count; ++i, lanes &= lanes - 1) {
    uint32_t vertex = block->first_vertex + (uint32_t)__builtin_ctzll(lanes);
    mpak_lane_delta(morph->payload, morph->components, entry, morph->payload_words + entry->payload_offset, count, i,
                    decoded + (entry->shape * part->vertex_count + vertex) * 9);
  }
}

/// Dense deltas out of the pack.
static float *promise_decode(const promise *p, mpak_pack *pack) {
  mpak_open_options options = {.decoder = mpak_zstd_decoder()};
  mpak_morph morph;
  mpak_fault fault;
  assert_int_equal(mpak_open(p->product.bytes, p->product.byte_count, &options, pack, &fault), MPAK_OK);
  uint64_t bytes = mpak_morph_bytes(pack, 0), scratch_bytes = mpak_scratch_bytes(pack);
  void *memory = job_alloc(p->job, bytes, 1), *scratch = job_alloc(p->job, scratch_bytes, 1);
  assert_int_equal(mpak_decode_morph(pack, 0, memory, bytes, scratch, scratch_bytes, &morph, &fault), MPAK_OK);
  float *decoded = JOB_ARRAY(p->job, float, (uint64_t)9 * pack->parts[0].vertex_count * PROMISE_TARGETS);
  for (uint32_t b = 0; b < morph.block_count; ++b)
    for (uint32_t e = morph.blocks[b].first_entry; e < morph.blocks[b + 1].first_entry; ++e)
      promise_check_entry(p, &morph, &pack->parts[0], &morph.blocks[b], &morph.entries[e], decoded);
  return decoded;
}

static double promise_height(const promise *p, uint32_t vertices, uint32_t target) {
  double height = 0;
  for (uint32_t v = 0; v < vertices; ++v)
    for (int c = 0; c < 3; ++c)
      height = fmax(height, fabs((double)p->given[(target * vertices + v) * 9 + (uint32_t)c]));
  return height;
}

static void promise_check(const promise *p) {
  mpak_pack pack;
  const float *decoded = promise_decode(p, &pack);
  const mpak_part *part = &pack.parts[0];
  uint32_t vertices = part->vertex_count, wrong = 0;
  assert_int_equal(part->flags & MPAK_PART_REORTHOGONALISE, p->options.quality == COOK_QUALITY_HIGH ? 0 : 16);
  for (uint32_t t = 0; t < PROMISE_TARGETS; ++t) {
    double height = promise_height(p, vertices, t);
    for (uint32_t i = 0; i < vertices * 9; ++i) {
      uint32_t at = t * vertices * 9 + i, stream = i % 9 / 3;
      if (stream == 2 && p->options.quality != COOK_QUALITY_HIGH) continue;
      double step = (double)(stream == 0 ? part->step : part->normal_step);
      double error = fabs((double)decoded[at] - (double)p->given[at]);
      if (error <= promise_bound(p, stream, step, &p->given[at - i % 3], height)) continue;
      if (wrong++ < 5)
        print_error("target %u vertex %u component %u: %g became %g\n", t, i / 9, i % 9, (double)p->given[at],
                    (double)decoded[at]);
    }
  }
  assert_int_equal(wrong, 0);
}

static void test_quantise_keeps_its_promise_with_values_far_apart(void **state) {
  (void)state;
  for (int q = 0; q < 3; ++q) {
    promise p = {.job = mt_job(NULL), .options = {.quality = qualities[q]}};
    if (!job_run(p.job, promise_cook, &p)) fail_msg("%s", job_issue_at(p.job, job_issue_count(p.job) - 1)->message);
    promise_check(&p);
    job_end(p.job);
  }
}

/// csr64 is floats whatever the quality.
static void test_quantise_leaves_csr64_alone(void **state) {
  (void)state;
  promise p = {.job = mt_job(NULL), .options = {.quality = COOK_QUALITY_COMPACT, .layout = COOK_LAYOUT_CSR64}};
  assert_true(job_run(p.job, promise_cook, &p));
  const cook_primitive *primitive = &p.scene->meshes[0].primitives[0];
  for (uint32_t t = 0; t < PROMISE_TARGETS; ++t)
    for (uint32_t v = 0; v < primitive->vertex_count; ++v) {
      const float *given = p.given + (t * primitive->vertex_count + v) * 9;
      assert_memory_equal(primitive->targets[t].position_deltas[v], given, 12);
      assert_memory_equal(primitive->targets[t].tangent_deltas[v], given + 6, 12);
    }
  assert_int_equal(primitive->grid.payload, MPAK_PAYLOAD_NONE);
  job_end(p.job);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_quantise_positions_by_hand),
      cmocka_unit_test(test_quantise_lowers_the_step_of_low_targets),
      cmocka_unit_test(test_quantise_normals_up_to_2),
      cmocka_unit_test(test_quantise_normals_that_missed_are_finer),
      cmocka_unit_test(test_quantise_tangents_go_where_the_quality_says),
      cmocka_unit_test(test_quantise_parts_of_a_mesh_alike),
      cmocka_unit_test(test_quantise_keeps_its_promise_with_values_far_apart),
      cmocka_unit_test(test_quantise_leaves_csr64_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
