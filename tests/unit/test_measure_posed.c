// The measure of posed vertices: a scene that is moved by known amounts between reference and pack is found to be off
// by just these. Body of mt_scene stands under the unscaled Root; its second vertex in each row is untouched by weld.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "cooker/build/build.h"
#include "cooker/measure/posed.h"
#include "cooker/pack/pack.h"
#include "runtime/mpak.h"
#include "tests/support/mt_scene.h"

/// What is changed between the reference and the pack.
typedef void (*posed_change)(cook_scene *scene);

typedef struct posed_case {
  posed_change change;
  bool weld;
  measure_posed posed;
  float largest_stored, rms_stored; ///< ERRS of the first part, positions
} posed_case;

static void posed_read_stored(cook_job *job, const cook_product *product, posed_case *result) {
  mpak_pack pack;
  (void)job;
  assert_int_equal(
      mpak_open(product->bytes, product->byte_count, &(mpak_open_options){.decoder = mpak_zstd_decoder()}, &pack, NULL),
      MPAK_OK);
  for (uint32_t e = 0; e < pack.error_count; e++) {
    if (pack.errors[e].part != 0 || pack.errors[e].stream != MPAK_STREAM_POSED_POSITION) continue;
    result->largest_stored = pack.errors[e].largest;
    result->rms_stored = pack.errors[e].rms;
  }
}

static void posed_step(cook_job *job, void *user) {
  posed_case *result = user;
  const cook_options options = {.quality = COOK_QUALITY_DEFAULT};
  cook_scene *scene = mt_scene_make(job, &(mt_scene_knobs){.no_skin = true, .primitive_count = 1, .no_clips = true});
  cook_product product = {0};
  build_nodes(job, scene);
  build_ranges(job, scene, &options);
  const measure_reference *reference = measure_reference_make(job, scene, &options);
  cook_scene *copy = build_copy(job, scene);
  if (result->change != NULL) result->change(copy);
  if (result->weld) build_weld(job, copy, &options);
  if (result->weld) build_order(job, copy, &options);
  pack_scene(job, copy, &options, &product);
  measure_posed_errors(job, reference, copy, &options, &product, &result->posed);
  pack_store_errors(product.bytes, result->posed.records, result->posed.record_count);
  posed_read_stored(job, &product, result);
}

static posed_case posed_run(posed_change change, bool weld) {
  posed_case result = {.change = change, .weld = weld};
  cook_job *job = mt_job(NULL);
  assert_true(job_run(job, posed_step, &result));
  const bool misses = result.posed.mesh_misses[0] || result.posed.playing_misses[0] || result.posed.normal_misses[0];
  job_end(job);
  static bool kept;
  kept = misses;
  result.posed.mesh_misses = &kept;
  return result;
}

static void test_measure_posed_finds_nothing_where_nothing_changed(void **state) {
  (void)state;
  for (int weld = 0; weld < 2; weld++) {
    const posed_case result = posed_run(NULL, weld);
    assert_true(result.posed.pose_count >= 3);
    assert_true(result.posed.largest_m == 0 && result.posed.largest_normal_rad == 0);
    assert_true(result.largest_stored == 0 && result.rms_stored == 0);
    assert_false(result.posed.mesh_misses[0]);
  }
}

static void move_a_vertex(cook_scene *scene) { scene->meshes[0].primitives[0].positions[1][2] += 0.25f; }

static void test_measure_posed_finds_a_moved_vertex(void **state) {
  (void)state;
  for (int weld = 0; weld < 2; weld++) {
    const posed_case result = posed_run(move_a_vertex, weld);
    assert_true(fabs(result.posed.largest_m - 0.25) < 1e-6);
    assert_true(fabs((double)result.largest_stored - 0.25) < 1e-6);
    assert_true(fabs((double)result.rms_stored - 0.25 / 3) < 1e-6); // one of nine vertices: 0.25 / sqrt(9)
    assert_true(result.posed.mesh_misses[0]);
  }
}

static void bend_a_target(cook_scene *scene) {
  cook_target *target = &scene->meshes[0].primitives[0].targets[0];
  assert_non_null(target->position_deltas);
  target->position_deltas[4][0] += 0.5f;
}

static void test_measure_posed_finds_a_bent_target(void **state) {
  (void)state;
  const posed_case result = posed_run(bend_a_target, true);
  assert_true(fabs(result.posed.largest_m - 0.5) < 1e-6); // its weight is 1 in one of the poses
  assert_true(result.posed.mesh_misses[0]);
}

static void turn_a_normal(cook_scene *scene) {
  float *normal = scene->meshes[0].primitives[0].normals[0];
  const float x = normal[0], y = normal[1], z = normal[2];
  normal[0] = y;
  normal[1] = z;
  normal[2] = x;
}

static void test_measure_posed_finds_a_turned_normal(void **state) {
  (void)state;
  const posed_case result = posed_run(turn_a_normal, false);
  assert_true(result.posed.largest_normal_rad > 1); // axes change places: a right angle
  assert_true(result.posed.largest_m == 0);
  assert_true(result.posed.mesh_misses[0]);
}

// -- The promise ------------------------------------------------------------------------------------------------------

static void posed_cook_far(cook_job *job, void *user) {
  cook_product *product = user;
  cook_scene *scene = mt_scene_make(job, &(mt_scene_knobs){.no_skin = true, .primitive_count = 1});
  cook_scene_to_pack(job, scene, &(cook_options){.quality = COOK_QUALITY_DEFAULT}, product);
}

static void test_measure_posed_is_told_by_the_cook(void **state) {
  (void)state;
  cook_product product = {0};
  cook_job *job = mt_job(NULL);
  const bool is_cooked = job_run(job, posed_cook_far, &product);
  for (uint32_t i = 0; i < job_issue_count(job); i++) print_message("%s\n", job_issue_at(job, i)->message);
  assert_true(is_cooked);
  assert_true(product.stats.is_posed && product.stats.pose_count >= 3);
  assert_true(product.stats.posed_share <= 1e-4);
  job_end(job);
}

/// A target that a clip drives to 100,000 times its height, which the mesh's size follows only at the clip's end.
static void far_weights(cook_job *job, void *user) {
  cook_product *product = user;
  cook_scene *scene = mt_scene_make(job, &(mt_scene_knobs){.no_skin = true, .primitive_count = 1, .no_clips = true});
  cook_mesh *mesh = &scene->meshes[0];
  cook_target *target = &mesh->primitives[0].targets[0];
  for (uint32_t v = 0; v < mesh->primitives[0].vertex_count; v++) {
    for (int axis = 0; axis < 3; axis++) target->position_deltas[v][axis] = axis == 0 ? 1e-3f * (float)(v % 3) : 0;
    target->position_deltas[v][1] = 1.0f / 3; // moves all alike: the box stays small, and the rounding grows
  }
  mesh->default_weights[0] = 1e5f;
  cook_scene_to_pack(job, scene, &(cook_options){.quality = COOK_QUALITY_DEFAULT}, product);
}

static void test_cook_quality_needs_floats(void **state) {
  (void)state;
  cook_product product = {0};
  cook_job *job = mt_job(NULL);
  assert_true(job_run(job, far_weights, &product));
  uint32_t told = 0;
  for (uint32_t i = 0; i < job_issue_count(job); i++) told += job_issue_at(job, i)->id == MPAK_C057;
  assert_int_equal(told, 1);
  assert_int_equal(product.stats.fineness, 4);
  assert_true(product.stats.posed_share <= 1e-4);
  job_end(job);
}

/// A base normal that is far from unit length, and deltas that turn it: on the grid it would be unit.
static void long_normal(cook_job *job, void *user) {
  cook_product *product = user;
  cook_scene *scene = mt_scene_make(job, &(mt_scene_knobs){.no_skin = true, .primitive_count = 1, .no_clips = true});
  cook_primitive *primitive = &scene->meshes[0].primitives[0];
  cook_target *target = &primitive->targets[0];
  if (target->normal_deltas == NULL)
    target->normal_deltas = job_alloc(job, primitive->vertex_count, sizeof *target->normal_deltas);
  for (int axis = 0; axis < 3; axis++) primitive->normals[4][axis] *= 3;
  for (int axis = 0; axis < 3; axis++) target->normal_deltas[4][axis] = axis == 0 ? 1.0f : 0;
  cook_scene_to_pack(job, scene, &(cook_options){.quality = COOK_QUALITY_HIGH}, product);
}

static void test_measure_posed_keeps_normals_that_are_not_unit(void **state) {
  (void)state;
  cook_product product = {0};
  cook_job *job = mt_job(NULL);
  assert_true(job_run(job, long_normal, &product));
  assert_true(product.stats.posed_normal_rad * 57.3 <= 0.25);
  assert_int_equal(product.stats.fineness, 4);
  job_end(job);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_measure_posed_finds_nothing_where_nothing_changed),
      cmocka_unit_test(test_measure_posed_finds_a_moved_vertex),
      cmocka_unit_test(test_measure_posed_finds_a_bent_target),
      cmocka_unit_test(test_measure_posed_finds_a_turned_normal),
      cmocka_unit_test(test_measure_posed_is_told_by_the_cook),
      cmocka_unit_test(test_cook_quality_needs_floats),
      cmocka_unit_test(test_measure_posed_keeps_normals_that_are_not_unit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
