// SceneMorphPose, MorphState and the two version layers between them, by their counters.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/mt_pose.h"

/// Two heads (nodes 0 and 1) that draw one mesh of two parts and three controls: "open" [0, 1], "frown" [-1, 1] and
/// "blink" [0, 1] with default 0.5; and a stone (node 2) without controls. The second part has shapes for "blink" and
/// "open" only, in that order.
typedef struct state_bench {
  mt_pose_scene *scene;
  mpak_scene_morph_pose pose;
  mpak_morph_states states;
  void *memory[2];
  uint32_t updated[16]; ///< numbers of the states that update was called for
  uint32_t updated_count;
} state_bench;

enum { OPEN, FROWN, BLINK };

static mt_pose_scene *heads_scene(void) {
  const float positions[1][3] = {{0, 0, 0}};
  mt_pose_scene *scene = mt_pose_make();
  mt_pose_add_node(scene, "head A", MPAK_NONE, NULL, NULL, NULL);
  mt_pose_add_node(scene, "head B", MPAK_NONE, NULL, NULL, NULL);
  mt_pose_add_node(scene, "stone", MPAK_NONE, NULL, NULL, NULL);
  mt_pose_add_node(scene, "empty", MPAK_NONE, NULL, NULL, NULL);
  mt_pose_add_mesh(scene, "head");
  mt_pose_add_control(scene, "open", 0, 0, 1);
  mt_pose_add_control(scene, "frown", 0, -1, 1);
  mt_pose_add_control(scene, "blink", 0.5f, 0, 1);
  mt_pose_add_part(scene, 1, positions);
  mt_pose_add_part(scene, 1, positions);
  scene->parts[1].shape_count = 2;
  scene->shapes[scene->parts[1].first_shape].control = BLINK;
  scene->shapes[scene->parts[1].first_shape + 1].control = OPEN;
  mt_pose_add_mesh(scene, "stone");
  mt_pose_add_part(scene, 1, positions);
  mt_pose_add_instance(scene, 0, 0, MPAK_NONE);
  mt_pose_add_instance(scene, 1, 0, MPAK_NONE);
  mt_pose_add_instance(scene, 2, 1, MPAK_NONE);
  return scene;
}

static void bench_begin(state_bench *bench) {
  memset(bench, 0, sizeof *bench);
  bench->scene = heads_scene();
  const mpak_pack *pack = &bench->scene->pack;
  uint64_t pose_bytes = mpak_scene_morph_pose_bytes(pack), states_bytes = mpak_morph_states_bytes(pack);
  bench->memory[0] = mt_pose_memory(pose_bytes);
  bench->memory[1] = mt_pose_memory(states_bytes);
  assert_int_equal(mpak_scene_morph_pose_init(pack, bench->memory[0], pose_bytes, &bench->pose), MPAK_OK);
  assert_int_equal(mpak_morph_states_init(pack, bench->memory[1], states_bytes, &bench->states), MPAK_OK);
}

static void bench_end(state_bench *bench) {
  free(bench->memory[0]);
  free(bench->memory[1]);
  free(bench->scene);
}

static void note_update(void *user, const mpak_morph_state *state) {
  state_bench *bench = user;
  bench->updated[bench->updated_count++] = (uint32_t)(state - bench->states.states);
}

/// One frame; the number of states that were updated.
static uint32_t frame(state_bench *bench) {
  bench->updated_count = 0;
  mpak_morph_states_apply(&bench->states, &bench->pose);
  uint32_t count = mpak_morph_states_flush(&bench->states, note_update, bench);
  assert_int_equal(count, bench->updated_count);
  return count;
}

// -- SceneMorphPose --------------------------------------------------------------------------------------------------

static void test_pose_version_grows_only_when_a_weight_differs(void **state) {
  (void)state;
  state_bench bench;
  bench_begin(&bench);
  const float weights[3] = {0.25f, -0.5f, 0.5f};
  assert_true(bench.pose.version == 1);
  assert_int_equal(mpak_scene_morph_pose_set_weights(&bench.pose, 1, weights, 3), MPAK_OK);
  assert_true(bench.pose.version == 2); // by one, though two weights differ
  assert_int_equal(mpak_scene_morph_pose_set_weights(&bench.pose, 1, weights, 3), MPAK_OK);
  assert_true(bench.pose.version == 2);
  assert_int_equal(mpak_scene_morph_pose_set_weight(&bench.pose, 1, FROWN, -0.5f), MPAK_OK);
  assert_true(bench.pose.version == 2);
  assert_int_equal(mpak_scene_morph_pose_set_weight(&bench.pose, 1, FROWN, 0.5f), MPAK_OK);
  assert_true(bench.pose.version == 3);
  assert_int_equal(mpak_scene_morph_pose_set_weight(&bench.pose, 1, OPEN, 0.25f), MPAK_OK);
  assert_true(bench.pose.version == 3);
  const float *stored = mpak_scene_morph_pose_weights(&bench.pose, 1);
  assert_true(stored[OPEN] == 0.25f && stored[FROWN] == 0.5f && stored[BLINK] == 0.5f);
  stored = mpak_scene_morph_pose_weights(&bench.pose, 0);
  assert_true(stored[OPEN] == 0 && stored[FROWN] == 0 && stored[BLINK] == 0.5f); // the other head keeps its own
  bench_end(&bench);
}

static void test_pose_clamps_and_treats_nan_as_zero(void **state) {
  (void)state;
  state_bench bench;
  bench_begin(&bench);
  const float wild[3] = {7, -7, NAN};
  mpak_scene_morph_pose_set_weights(&bench.pose, 0, wild, 3);
  const float *stored = mpak_scene_morph_pose_weights(&bench.pose, 0);
  assert_true(stored[OPEN] == 1 && stored[FROWN] == -1 && stored[BLINK] == 0);
  uint64_t version = bench.pose.version;
  for (int i = 0; i < 5; ++i) mpak_scene_morph_pose_set_weights(&bench.pose, 0, wild, 3);
  assert_true(bench.pose.version == version); // NaN does not differ for ever
  mpak_scene_morph_pose_set_weight(&bench.pose, 0, OPEN, -INFINITY);
  assert_true(stored[OPEN] == 0);
  mpak_scene_morph_pose_set_weight(&bench.pose, 0, OPEN, INFINITY);
  assert_true(stored[OPEN] == 1);
  bench_end(&bench);
}

static void test_pose_refuses_wrong_nodes_and_counts(void **state) {
  (void)state;
  state_bench bench;
  bench_begin(&bench);
  const float weights[3] = {1, 1, 1};
  assert_int_equal(mpak_scene_morph_pose_set_weights(&bench.pose, 3, weights, 3), MPAK_ERROR_NOT_FOUND);
  assert_int_equal(mpak_scene_morph_pose_set_weights(&bench.pose, MPAK_NONE, weights, 3), MPAK_ERROR_NOT_FOUND);
  assert_int_equal(mpak_scene_morph_pose_set_weights(&bench.pose, 0, weights, 2), MPAK_ERROR_ARGUMENT);
  assert_int_equal(mpak_scene_morph_pose_set_weight(&bench.pose, 0, 3, 1), MPAK_ERROR_ARGUMENT);
  assert_int_equal(mpak_scene_morph_pose_set_weight(&bench.pose, 3, 0, 1), MPAK_ERROR_NOT_FOUND);
  assert_null(mpak_scene_morph_pose_weights(&bench.pose, 3));
  assert_true(bench.pose.version == 1);
  bench_end(&bench);
}

// -- MorphState ------------------------------------------------------------------------------------------------------

static void test_state_starts_with_defaults(void **state) {
  (void)state;
  state_bench bench;
  bench_begin(&bench);
  assert_int_equal(bench.states.state_count, 5); // 2 parts for each head, 1 for the stone
  const mpak_morph_state *second = &bench.states.states[1];
  assert_int_equal(second->part, 1);
  assert_true(second->version == 1 && second->applied_version == 0);
  assert_int_equal(second->active_shape_count, 1);
  assert_true(second->shape_weights[0] == 0.5f && second->shape_weights[1] == 0); // blink, open
  assert_int_equal(bench.states.states[4].shape_count, 0);
  bench_end(&bench);
}

static void test_state_set_weight_clamps_compares_and_counts(void **state) {
  (void)state;
  state_bench bench;
  bench_begin(&bench);
  mpak_morph_state *first = &bench.states.states[0];
  assert_int_equal(mpak_morph_state_set_weight(first, OPEN, 2), MPAK_OK);
  assert_true(first->weights[OPEN] == 1 && first->shape_weights[OPEN] == 1);
  assert_int_equal(first->active_shape_count, 2);
  assert_true(first->version == 2);
  assert_int_equal(mpak_morph_state_set_weight(first, OPEN, 1), MPAK_OK);
  assert_int_equal(mpak_morph_state_set_weight(first, OPEN, 99), MPAK_OK); // clamps to the same 1
  assert_true(first->version == 2);
  assert_int_equal(mpak_morph_state_set_weight(first, FROWN, -0.25f), MPAK_OK);
  assert_int_equal(first->active_shape_count, 3); // negative is active too
  assert_int_equal(mpak_morph_state_set_weight(first, BLINK, 0), MPAK_OK);
  assert_int_equal(mpak_morph_state_set_weight(first, OPEN, NAN), MPAK_OK);
  assert_int_equal(first->active_shape_count, 1);
  assert_true(first->weights[OPEN] == 0 && first->version == 5);
  assert_int_equal(mpak_morph_state_set_weight(first, OPEN, -0.0f), MPAK_OK); // -0 is 0
  assert_int_equal(mpak_morph_state_set_weight(first, OPEN, NAN), MPAK_OK);
  assert_true(first->version == 5);
  assert_int_equal(mpak_morph_state_set_weight(first, 3, 1), MPAK_ERROR_ARGUMENT);
  assert_true(bench.states.states[1].version == 1 && bench.states.states[2].version == 1);
  bench_end(&bench);
}

static void test_state_maps_controls_to_the_parts_own_shapes(void **state) {
  (void)state;
  state_bench bench;
  bench_begin(&bench);
  mpak_morph_state *second = &bench.states.states[1];
  mpak_morph_state_set_weight(second, OPEN, 0.75f);
  assert_true(second->shape_weights[1] == 0.75f && second->shape_weights[0] == 0.5f);
  mpak_morph_state_set_weight(second, FROWN, 1); // this part has no such shape
  assert_int_equal(second->active_shape_count, 2);
  bench_end(&bench);
}

// -- Rules -----------------------------------------------------------------------------------------------------------

/// "frown" [-1, 1] becomes [-2, 2] and moves both shapes of part 1: one that is reached at 0.5, one at 1.
static mpak_morph_state *make_in_between(state_bench *bench) {
  static const float half[3][2] = {{0, 0}, {0.5f, 1}, {1, 0}}, whole[3][2] = {{0, 0}, {0.5f, 0}, {1, 1}};
  mt_pose_scene *scene = bench->scene;
  const uint32_t first = scene->parts[1].first_shape;
  scene->controls[FROWN].range_min = -2;
  scene->controls[FROWN].range_max = 2;
  scene->shapes[first].control = scene->shapes[first + 1].control = FROWN;
  mt_pose_set_rule(scene, first, half, 3);
  mt_pose_set_rule(scene, first + 1, whole, 3);
  const uint64_t byte_count = mpak_morph_states_bytes(&scene->pack);
  assert_int_equal(mpak_morph_states_init(&scene->pack, bench->memory[1], byte_count, &bench->states), MPAK_OK);
  return &bench->states.states[1];
}

/// Worked out by hand: weight of the control, of the two shapes, shapes that are on.
static const struct {
  float control, half, whole;
  uint32_t active_count;
} in_between_table[] = {{0.25f, 0.5f, 0, 1}, {0.5f, 1, 0, 1}, {0.75f, 0.5f, 0.5f, 2}, {1, 0, 1, 1}, {1.5f, -1, 2, 2},
                        {-0.5f, -1, 0, 1},   {-2, -4, 0, 1},  {0, 0, 0, 0},           {2, -2, 3, 2}};

static void assert_in_between(const mpak_morph_state *second, size_t row) {
  assert_true(second->weights[FROWN] == in_between_table[row].control);
  assert_true(second->shape_weights[0] == in_between_table[row].half);
  assert_true(second->shape_weights[1] == in_between_table[row].whole);
  assert_int_equal(second->active_shape_count, in_between_table[row].active_count);
}

static void test_state_follows_rules_from_controls_to_shapes(void **state) {
  (void)state;
  state_bench bench;
  bench_begin(&bench);
  mpak_morph_state *second = make_in_between(&bench);
  assert_int_equal(second->active_shape_count, 0);
  for (size_t i = 0; i < sizeof in_between_table / sizeof in_between_table[0]; ++i) {
    const uint64_t version = second->version;
    mpak_morph_state_set_weight(second, FROWN, in_between_table[i].control);
    assert_in_between(second, i);
    assert_true(second->version == version + 1);
  }
  mpak_morph_state_set_weight(second, FROWN, 9); // clamped to 2 before the rule sees it, which is the same
  assert_in_between(second, sizeof in_between_table / sizeof in_between_table[0] - 1);
  mpak_morph_state_set_weight(second, FROWN, NAN);
  assert_true(second->shape_weights[0] == 0 && second->shape_weights[1] == 0);
  bench_end(&bench);
}

static void test_apply_follows_rules_too(void **state) {
  (void)state;
  state_bench bench;
  bench_begin(&bench);
  mpak_morph_state *second = make_in_between(&bench);
  for (size_t i = 0; i < sizeof in_between_table / sizeof in_between_table[0]; ++i) {
    mpak_scene_morph_pose_set_weight(&bench.pose, 0, FROWN, in_between_table[i].control);
    mpak_morph_states_apply(&bench.states, &bench.pose);
    assert_in_between(second, i);
  }
  bench_end(&bench);
}

/// Slopes of a hostile pack: the weight stays a number.
static void test_state_keeps_steep_rules_inside_float(void **state) {
  (void)state;
  static const float steep[2][2] = {{0, -3e38f}, {1e-45f, 3e38f}}, wide[2][2] = {{-3e38f, 3e38f}, {3e38f, -3e38f}};
  state_bench bench;
  bench_begin(&bench);
  mt_pose_scene *scene = bench.scene;
  mt_pose_set_rule(scene, scene->parts[1].first_shape, steep, 2);    // of BLINK
  mt_pose_set_rule(scene, scene->parts[1].first_shape + 1, wide, 2); // of OPEN
  scene->controls[OPEN].range_max = scene->controls[BLINK].range_max = 3e38f;
  scene->controls[OPEN].range_min = scene->controls[BLINK].range_min = -3e38f;
  mpak_morph_state *second = &bench.states.states[1];
  const float weights[5] = {0.5f, 3e38f, -3e38f, 0, 1e-45f};
  for (int i = 0; i < 5; ++i) {
    mpak_morph_state_set_weight(second, OPEN, weights[i]);
    mpak_morph_state_set_weight(second, BLINK, weights[i]);
    assert_true(isfinite(second->shape_weights[0]) && isfinite(second->shape_weights[1]));
  }
  bench_end(&bench);
}

// -- Layers ----------------------------------------------------------------------------------------------------------

static void test_first_frame_updates_every_state_with_shapes(void **state) {
  (void)state;
  state_bench bench;
  bench_begin(&bench);
  assert_int_equal(frame(&bench), 4); // the stone has nothing to morph
  for (uint32_t i = 0; i < 4; ++i) assert_int_equal(bench.updated[i], i);
  const mpak_morph_counters *counters = &bench.states.counters;
  assert_true(counters->weight_uploads == 4 && counters->dispatches == 4);
  bench_end(&bench);
}

static void test_same_expression_over_many_frames_costs_nothing(void **state) {
  (void)state;
  state_bench bench;
  bench_begin(&bench);
  const float weights[3] = {0.5f, 0.5f, NAN};
  mpak_scene_morph_pose_set_weights(&bench.pose, 0, weights, 3);
  frame(&bench);
  mpak_morph_counters before = bench.states.counters;
  for (int i = 0; i < 1000; ++i) {
    mpak_scene_morph_pose_set_weights(&bench.pose, 0, weights, 3);
    assert_int_equal(frame(&bench), 0);
  }
  const mpak_morph_counters *after = &bench.states.counters;
  assert_true(after->pose_checks == before.pose_checks + 1000);
  assert_true(after->nodes_visited == before.nodes_visited);
  assert_true(after->primitives_visited == before.primitives_visited);
  assert_true(after->weight_uploads == before.weight_uploads && after->dispatches == before.dispatches);
  bench_end(&bench);
}

static void test_one_changed_primitive_is_one_upload_and_one_dispatch(void **state) {
  (void)state;
  state_bench bench;
  bench_begin(&bench);
  frame(&bench);
  mpak_morph_counters before = bench.states.counters;
  // a state of its own: only that one
  mpak_morph_state_set_weight(&bench.states.states[3], OPEN, 0.5f);
  assert_int_equal(frame(&bench), 1);
  assert_int_equal(bench.updated[0], 3);
  assert_true(bench.states.counters.weight_uploads == before.weight_uploads + 1);
  assert_true(bench.states.counters.dispatches == before.dispatches + 1);
  assert_true(bench.states.counters.nodes_visited == before.nodes_visited); // the pose did not change
  bench_end(&bench);
}

static void test_changed_node_updates_its_own_primitives_only(void **state) {
  (void)state;
  state_bench bench;
  bench_begin(&bench);
  frame(&bench);
  mpak_morph_counters before = bench.states.counters;
  mpak_scene_morph_pose_set_weight(&bench.pose, 1, OPEN, 0.5f);
  assert_int_equal(frame(&bench), 2);
  assert_int_equal(bench.updated[0], 2);
  assert_int_equal(bench.updated[1], 3);
  assert_true(bench.states.counters.nodes_visited == before.nodes_visited + 3);
  assert_true(bench.states.counters.primitives_visited == before.primitives_visited + 5);
  assert_int_equal(frame(&bench), 0);
  bench_end(&bench);
}

static void test_flush_one_updates_only_that_state(void **state) {
  (void)state;
  state_bench bench;
  bench_begin(&bench);
  assert_true(mpak_morph_states_flush_one(&bench.states, 2, note_update, &bench));
  assert_false(mpak_morph_states_flush_one(&bench.states, 2, note_update, &bench));
  assert_false(mpak_morph_states_flush_one(&bench.states, 4, note_update, &bench)); // no shapes
  assert_int_equal(mpak_morph_states_flush(&bench.states, note_update, &bench), 3);
  bench_end(&bench);
}

static void test_init_refuses_bad_memory(void **state) {
  (void)state;
  mt_pose_scene *scene = heads_scene();
  uint64_t pose_bytes = mpak_scene_morph_pose_bytes(&scene->pack), states_bytes = mpak_morph_states_bytes(&scene->pack);
  uint8_t *memory = mt_pose_memory(states_bytes + pose_bytes);
  mpak_scene_morph_pose pose;
  mpak_morph_states states;
  assert_int_equal(mpak_scene_morph_pose_init(&scene->pack, memory, pose_bytes - 1, &pose),
                   MPAK_ERROR_BUFFER_TOO_SMALL);
  assert_int_equal(mpak_scene_morph_pose_init(&scene->pack, memory + 8, pose_bytes, &pose), MPAK_ERROR_ALIGNMENT);
  assert_int_equal(mpak_morph_states_init(&scene->pack, memory, states_bytes - 1, &states),
                   MPAK_ERROR_BUFFER_TOO_SMALL);
  assert_int_equal(mpak_morph_states_init(&scene->pack, memory + 8, states_bytes, &states), MPAK_ERROR_ALIGNMENT);
  assert_int_equal(mpak_morph_states_init(&scene->pack, memory, states_bytes, &states), MPAK_OK);
  free(memory);
  free(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pose_version_grows_only_when_a_weight_differs),
      cmocka_unit_test(test_pose_clamps_and_treats_nan_as_zero),
      cmocka_unit_test(test_pose_refuses_wrong_nodes_and_counts),
      cmocka_unit_test(test_state_starts_with_defaults),
      cmocka_unit_test(test_state_set_weight_clamps_compares_and_counts),
      cmocka_unit_test(test_state_maps_controls_to_the_parts_own_shapes),
      cmocka_unit_test(test_state_follows_rules_from_controls_to_shapes),
      cmocka_unit_test(test_apply_follows_rules_too),
      cmocka_unit_test(test_state_keeps_steep_rules_inside_float),
      cmocka_unit_test(test_first_frame_updates_every_state_with_shapes),
      cmocka_unit_test(test_same_expression_over_many_frames_costs_nothing),
      cmocka_unit_test(test_one_changed_primitive_is_one_upload_and_one_dispatch),
      cmocka_unit_test(test_changed_node_updates_its_own_primitives_only),
      cmocka_unit_test(test_flush_one_updates_only_that_state),
      cmocka_unit_test(test_init_refuses_bad_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
