// What check lets pass, the rest of the cook can carry: every scene without errors becomes a pack that opens, decodes
// and poses to finite vertices; every scene with an error becomes none.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/cook.h"
#include "format/bytes.h"
#include "runtime/mpak_pose.h"
#include "tests/support/mt_scene.h"
#include "tests/support/mt_spoil.h"

typedef void (*scene_change)(cook_job *job, cook_scene *scene);

typedef struct cooked_case {
  scene_change change;
  cook_options options;
  cook_product product;
} cooked_case;

static void step_cook(cook_job *job, void *user) {
  cooked_case *cooked = user;
  cook_scene *scene = mt_scene_make(job, NULL);
  if (cooked->change != NULL) cooked->change(job, scene);
  cook_scene_to_pack(job, scene, &cooked->options, &cooked->product);
}

static void print_all(const cook_job *job) {
  for (uint32_t i = 0; i < job_issue_count(job); i++)
    print_message("  %s %s\n", mpak_issue_get(job_issue_at(job, i)->id)->code, job_issue_at(job, i)->message);
}

static void assert_vertices_are_finite(const mpak_character *hero) {
  for (uint32_t i = 0; i < hero->output_count; i++) {
    const mpak_character_output *output = &hero->outputs[i];
    const float *floats = output->vertices[0].position;
    const uint64_t float_count = (uint64_t)hero->model->pack->parts[output->part].vertex_count * 12;
    for (uint64_t k = 0; k < float_count; k++)
      if (!bytes_float_is_finite(floats[k]))
        fail_msg("vertex %llu of part %u", (unsigned long long)k / 12, (unsigned)output->part);
  }
}

/// Rest pose, then each clip from before its first key to behind its last one.
static void assert_pack_poses(const mpak_pack *pack) {
  mpak_model *model = NULL;
  mpak_character *hero = NULL;
  assert_int_equal(mpak_model_create(pack, NULL, &model, NULL), MPAK_OK);
  assert_int_equal(mpak_character_create(model, NULL, &hero), MPAK_OK);
  mpak_character_update(hero, 0);
  assert_vertices_are_finite(hero);
  for (uint32_t c = 0; c < pack->clip_count; c++) {
    mpak_animation_player_play(&hero->player, c, MPAK_PLAY_CLAMP);
    for (int step = 0; step < 5; step++) {
      mpak_character_update(hero, step == 0 ? 0 : 0.3);
      assert_vertices_are_finite(hero);
    }
  }
  mpak_character_destroy(hero);
  mpak_model_destroy(model);
}

static void assert_pack_opens(const cooked_case *cooked) {
  const mpak_open_options options = {.decoder = mpak_zstd_decoder()};
  mpak_pack pack;
  mpak_fault fault = {0};
  const mpak_result result = mpak_open(cooked->product.bytes, cooked->product.byte_count, &options, &pack, &fault);
  if (result != MPAK_OK) fail_msg("%s: %s", mpak_result_name(result), fault.rule);
  assert_pack_poses(&pack);
}

/// Cooks with both layouts. has_error: then no pack may come out, and the exit code is not that of a bug.
static void assert_cook(const char *name, scene_change change, const cook_limits *limits, bool has_error) {
  for (int layout = 0; layout < 2; layout++) {
    print_message("%s, layout %d\n", name, layout);
    cooked_case cooked = {.change = change, .options = {.layout = (cook_layout)layout, .thread_count = 1}};
    cook_job *job = mt_job(limits);
    const bool returned = job_run(job, step_cook, &cooked);
    if (returned == has_error || job_exit_code(job) == 7) print_all(job);
    assert_int_equal(returned, !has_error);
    assert_int_equal(job_exit_code(job) != 0, has_error);
    assert_int_not_equal(job_exit_code(job), 7);
    if (returned) assert_pack_opens(&cooked);
    job_end(job);
  }
}

static void test_check_cook_every_spoiled_scene_ends_as_its_severity_says(void **state) {
  (void)state;
  for (uint32_t i = 0; i < MT_SPOIL_LIST_COUNT; i++) {
    const mt_spoil_list list = mt_spoil_list_at(i);
    for (uint32_t k = 0; k < list.count; k++)
      assert_cook(list.cases[k].name, list.cases[k].spoil, &list.cases[k].limits, list.cases[k].severity == MPAK_ERROR);
  }
}

// -- The largest values that pass -------------------------------------------------------------------------------------

#define LARGEST        1e12f
#define LARGEST_WEIGHT 1e6f

static void change_largest_base(cook_job *job, cook_scene *scene) {
  (void)job;
  cook_primitive *primitive = &scene->meshes[0].primitives[0];
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    for (int axis = 0; axis < 3; axis++) {
      primitive->positions[v][axis] = v % 2 == 0 ? LARGEST : -LARGEST;
      primitive->normals[v][axis] = LARGEST;
      primitive->tangents[v][axis] = v % 2 == 0 ? LARGEST : -LARGEST;
    }
  }
}

static void change_largest_deltas(cook_job *job, cook_scene *scene) {
  (void)job;
  cook_primitive *primitive = &scene->meshes[0].primitives[0];
  for (uint32_t t = 0; t < primitive->target_count; t++)
    for (uint32_t v = 0; v < primitive->vertex_count; v++)
      for (int axis = 0; axis < 3; axis++) {
        primitive->targets[t].position_deltas[v][axis] = t == 0 ? LARGEST : -LARGEST;
        primitive->targets[t].normal_deltas[v][axis] = t == 0 ? LARGEST : -LARGEST;
        primitive->targets[t].tangent_deltas[v][axis] = LARGEST;
      }
  for (uint32_t t = 0; t < primitive->target_count; t++) scene->meshes[0].default_weights[t] = LARGEST_WEIGHT;
}

static void change_largest_weights(cook_job *job, cook_scene *scene) {
  change_largest_deltas(job, scene);
  cook_track *track = &scene->clips[0].tracks[3];
  for (uint64_t i = 0; i < track->value_count; i++) track->values[i] = i % 2 == 0 ? LARGEST_WEIGHT : -LARGEST_WEIGHT;
}

static void change_largest_nodes(cook_job *job, cook_scene *scene) {
  (void)job;
  for (uint32_t n = 0; n < scene->node_count; n++) {
    for (int axis = 0; axis < 3; axis++) scene->nodes[n].translation[axis] = LARGEST;
    scene->nodes[n].rotation[3] = 1e6f;
    scene->nodes[n].scale[0] = 1e-30f;
  }
  for (uint32_t j = 0; j < 2; j++)
    for (int i = 0; i < 12; i++) scene->skins[0].inverse_binds[j][i] = LARGEST;
}

static void change_shortest_rotations(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->nodes[MT_SPINE].rotation[3] = 1.001e-6f;
  for (int i = 0; i < 12; i++) scene->clips[0].tracks[1].values[i] *= 1.001e-6f;
}

static void change_smallest_numbers(cook_job *job, cook_scene *scene) {
  (void)job;
  cook_primitive *primitive = &scene->meshes[0].primitives[0];
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    primitive->normals[v][0] = primitive->normals[v][1] = 0;
    primitive->normals[v][2] = 1e-45f;
    primitive->targets[0].position_deltas[v][0] = 1e-45f;
    primitive->weights[4 * v] = 1e-45f;
    primitive->weights[4 * v + 1] = 0;
  }
}

static void change_largest_times(cook_job *job, cook_scene *scene) {
  (void)job;
  cook_track *track = &scene->clips[0].tracks[0];
  track->times[0] = -1e9f;
  track->times[2] = 1e9f;
  scene->clips[0].start_s = -1e9f;
  scene->clips[0].end_s = 1e9f;
}

static void test_check_cook_carries_the_largest_values_that_pass(void **state) {
  (void)state;
  assert_cook("base", change_largest_base, NULL, false);
  assert_cook("deltas", change_largest_deltas, NULL, false);
  assert_cook("weights", change_largest_weights, NULL, false);
  assert_cook("nodes", change_largest_nodes, NULL, false);
  assert_cook("rotations", change_shortest_rotations, NULL, false);
  assert_cook("small numbers", change_smallest_numbers, NULL, false);
  assert_cook("times", change_largest_times, NULL, false);
}

/// All targets that a mesh may have, each at its largest: the bounds still are numbers.
static void change_most_targets(cook_job *job, cook_scene *scene) {
  cook_mesh *mesh = &scene->meshes[0];
  mesh->primitive_count = 1;
  cook_primitive *primitive = &mesh->primitives[0];
  const cook_target largest = {.position_deltas = primitive->targets[0].position_deltas};
  for (uint32_t v = 0; v < primitive->vertex_count; v++)
    for (int axis = 0; axis < 3; axis++) largest.position_deltas[v][axis] = v == 0 ? LARGEST : 0;
  mesh->control_count = mesh->target_count = primitive->target_count = 3000;
  mesh->control_names = JOB_ARRAY(job, const char *, 3000);
  mesh->default_weights = JOB_ARRAY(job, float, 3000);
  primitive->targets = JOB_ARRAY(job, cook_target, 3000);
  for (uint32_t t = 0; t < 3000; t++) {
    primitive->targets[t] = largest;
    mesh->default_weights[t] = LARGEST_WEIGHT;
    mesh->control_names[t] = job_format(job, "target %u", (unsigned)t);
  }
  scene->clips[0].track_count = 3;
}

static void test_check_cook_carries_many_largest_targets(void **state) {
  (void)state;
  assert_cook("many targets", change_most_targets, NULL, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_check_cook_every_spoiled_scene_ends_as_its_severity_says),
      cmocka_unit_test(test_check_cook_carries_the_largest_values_that_pass),
      cmocka_unit_test(test_check_cook_carries_many_largest_targets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
