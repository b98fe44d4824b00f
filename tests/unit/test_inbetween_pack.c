// In-between shapes through the whole line: a scene with rules becomes a pack, opens, and moves its vertices as worked
// out by hand, by the double reference and as a game does it, in both layouts.
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/cook.h"
#include "runtime/mpak_pose.h"
#include "runtime/reference/mpak_reference.h"
#include "tests/support/mt_build.h"
#include "tests/support/mt_inbetween.h"
#include "tests/support/mt_morph.h"
#include "tests/support/mt_pose.h"
#include "tests/support/mt_scene.h"

// -- The line ---------------------------------------------------------------------------------------------------------

typedef struct line {
  cook_job *job;
  cook_options options;
  cook_scene *(*make)(cook_job *job);
  cook_product product;
  mpak_pack pack;
  mpak_part_data parts[2]; ///< of Body
  mpak_clips clips;
  mpak_ref_pose reference;
  mpak_scene_morph_pose morph_pose;
  mpak_morph_states states;
} line;

static void step_cook(cook_job *job, void *user) {
  line *l = user;
  cook_scene_to_pack(job, l->make(job), &l->options, &l->product);
}

static void *line_memory(const line *l, uint64_t byte_count) { return job_alloc(l->job, byte_count + 1, 1); }

static void line_open(line *l) {
  const mpak_open_options options = {.decoder = mpak_zstd_decoder()};
  mpak_fault fault = {0};
  if (mpak_open(l->product.bytes, l->product.byte_count, &options, &l->pack, &fault) != MPAK_OK)
    fail_msg("%s", fault.rule);
  const uint64_t scratch_bytes = mpak_scratch_bytes(&l->pack), clip_bytes = mpak_clips_bytes(&l->pack);
  void *scratch = line_memory(l, scratch_bytes);
  for (uint32_t p = 0; p < 2; p++) {
    const uint64_t byte_count = mpak_part_bytes(&l->pack, p);
    assert_int_equal(mpak_load_part(&l->pack, p, line_memory(l, byte_count), byte_count, scratch, scratch_bytes,
                                    &l->parts[p], &fault),
                     MPAK_OK);
  }
  assert_int_equal(
      mpak_load_clips(&l->pack, line_memory(l, clip_bytes), clip_bytes, scratch, scratch_bytes, &l->clips, &fault),
      MPAK_OK);
}

static void line_begin(line *l, cook_layout layout, cook_scene *(*make)(cook_job *job)) {
  *l = (line){.job = mt_job(NULL), .options = {.layout = layout}, .make = make};
  if (!job_run(l->job, step_cook, l)) fail_msg("%s", job_issue_at(l->job, 0)->message);
  line_open(l);
  const uint64_t pose_bytes = mpak_ref_pose_bytes(&l->pack), morph_bytes = mpak_scene_morph_pose_bytes(&l->pack);
  const uint64_t state_bytes = mpak_morph_states_bytes(&l->pack);
  assert_int_equal(mpak_ref_pose_init(&l->pack, line_memory(l, pose_bytes), pose_bytes, &l->reference), MPAK_OK);
  assert_int_equal(mpak_scene_morph_pose_init(&l->pack, line_memory(l, morph_bytes), morph_bytes, &l->morph_pose),
                   MPAK_OK);
  assert_int_equal(mpak_morph_states_init(&l->pack, line_memory(l, state_bytes), state_bytes, &l->states), MPAK_OK);
}

static void line_end(line *l) { job_end(l->job); }

// -- Vertices ---------------------------------------------------------------------------------------------------------

/// The primitive as it was packed: its deltas are the scene's own.
static const cook_primitive *line_primitive(const line *l, uint32_t part) {
  return &l->product.scene->meshes[0].primitives[part];
}

static void line_expect(const line *l, uint32_t part, const double *controls, uint32_t vertex, double position[3]) {
  const cook_primitive *primitive = line_primitive(l, part);
  for (int axis = 0; axis < 3; axis++) {
    position[axis] = primitive->positions[vertex][axis];
    for (uint32_t s = 0; s < MT_INBETWEEN_SHAPES; s++)
      position[axis] += mt_inbetween_weight(s, controls) * (double)mt_morph_delta(primitive, s, 0, vertex)[axis];
  }
}

static void line_check_part(line *l, uint32_t part, const double *controls) {
  const uint32_t count = l->pack.parts[part].vertex_count;
  double(*exact)[3] = job_alloc(l->job, count, sizeof *exact), expected[3];
  mpak_base_vertex *vertices = JOB_ARRAY(l->job, mpak_base_vertex, count);
  const mpak_ref_vertices out = {.positions = exact};
  mpak_ref_deform(&l->reference, 0, part, &l->parts[part], true, &out);
  mpak_morph_vertices(&l->pack, part, &l->parts[part], l->states.states[part].shape_weights, vertices);
  for (uint32_t v = 0; v < count; v++) {
    line_expect(l, part, controls, v, expected);
    for (int axis = 0; axis < 3; axis++) {
      MT_POSE_NEAR(exact[v][axis], expected[axis], 1e-12);
      MT_POSE_NEAR((double)vertices[v].position[axis], expected[axis], 2e-6);
    }
  }
}

/// Sets the four controls in the reference and as a game does, and compares both parts.
static void line_check(line *l, const double *controls) {
  const cook_mark mark = job_mark(l->job);
  float weights[MT_INBETWEEN_CONTROLS];
  for (uint32_t c = 0; c < MT_INBETWEEN_CONTROLS; c++) {
    l->reference.weights[l->reference.first_weight[0] + c] = controls[c];
    weights[c] = (float)controls[c];
  }
  assert_int_equal(mpak_scene_morph_pose_set_weights(&l->morph_pose, l->pack.instances[0].node, weights, 4), MPAK_OK);
  mpak_morph_states_apply(&l->states, &l->morph_pose);
  for (uint32_t part = 0; part < 2; part++) line_check_part(l, part, controls);
  job_release(l->job, mark);
}

static void test_inbetween_pack_moves_vertices_as_by_hand(void **state) {
  (void)state;
  static const double controls[][MT_INBETWEEN_CONTROLS] = {
      {0, 0, 0, 0},    {0.25, 0, 0, 0}, {0.5, 0, 0, 0},   {0.75, 0, 0, 0}, {1, 0, 0, 0},       {1.5, 0, 0, 0},
      {-0.5, 0, 0, 0}, {0, 0, 0.5, 0},  {0, 0, -0.75, 0}, {0, 1, 0, 0.5},  {1.25, 0.5, -1, 1},
  };
  for (int layout = 0; layout < 2; layout++) {
    line l;
    line_begin(&l, (cook_layout)layout, mt_inbetween_scene);
    for (size_t i = 0; i < sizeof controls / sizeof controls[0]; i++) line_check(&l, controls[i]);
    line_end(&l);
  }
}

static void test_inbetween_pack_starts_and_plays_with_controls(void **state) {
  (void)state;
  line l;
  line_begin(&l, COOK_LAYOUT_BLK64, mt_inbetween_scene);
  const mpak_morph_state *body = &l.states.states[0];
  assert_true(body->weights[0] == 0.25f && body->shape_weights[2] == 0.5f && body->shape_weights[0] == 0);
  assert_int_equal(body->active_shape_count, 1);
  mpak_ref_sample(&l.reference, &l.clips, 0, 0.25); // half way to 1.5, 0.5, -1, 1
  const double *weights = l.reference.weights + l.reference.first_weight[0];
  const double expected[4] = {0.75, 0.25, -0.5, 0.5};
  for (int c = 0; c < 4; c++) MT_POSE_NEAR(weights[c], expected[c], 1e-12);
  line_check(&l, expected);
  line_end(&l);
}

// -- Tables -----------------------------------------------------------------------------------------------------------

static void check_rule(const mpak_pack *pack, uint32_t shape, uint32_t control, uint32_t rule, const float (*points)[2],
                       uint32_t point_count) {
  assert_int_equal(pack->shapes[shape].control, control);
  assert_int_equal(pack->shapes[shape].rule, rule);
  if (rule == MPAK_NONE) return;
  assert_int_equal(pack->rules[rule].control, control);
  assert_int_equal(pack->rules[rule].kind, MPAK_RULE_POLYLINE);
  assert_int_equal(pack->rules[rule].point_count, point_count);
  assert_memory_equal(&pack->rule_points[pack->rules[rule].first_point], points, point_count * sizeof *points);
}

static void test_inbetween_pack_has_rules_once_for_all_parts(void **state) {
  (void)state;
  static const float whole[3][2] = {{0, 0}, {0.5f, 0}, {1, 1}}, half[3][2] = {{0, 0}, {0.5f, 1}, {1, 0}};
  static const float closed[3][2] = {{-1, 0}, {0, 0}, {1, 1}}, wide[3][2] = {{-1, 1}, {0, 0}, {1, 0}};
  line l;
  line_begin(&l, COOK_LAYOUT_CSR64, mt_inbetween_scene);
  const mpak_pack *pack = &l.pack;
  assert_int_equal(pack->control_count, 4);
  assert_int_equal(pack->shape_count, 10);
  assert_int_equal(pack->rule_count, 4);
  assert_int_equal(pack->rule_point_count, 12);
  for (uint32_t first = 0; first < 10; first += 5) {
    check_rule(pack, first + 0, 0, 0, whole, 3);
    check_rule(pack, first + 1, 2, 1, closed, 3);
    check_rule(pack, first + 2, 0, 2, half, 3);
    check_rule(pack, first + 3, 2, 3, wide, 3);
    check_rule(pack, first + 4, 3, MPAK_NONE, NULL, 0);
  }
  const char *names[4] = {"Smile", "Brow", "Blink", "Jaw"};
  const float ranges[4][2] = {{-0.5f, 1.5f}, {0, 1}, {-1, 1}, {0, 1}};
  for (uint32_t c = 0; c < 4; c++) {
    assert_string_equal(mpak_string(pack, pack->controls[c].key), names[c]);
    assert_true(pack->controls[c].range_min == ranges[c][0] && pack->controls[c].range_max == ranges[c][1]);
  }
  for (uint32_t s = 0; s < 5; s++) assert_true(pack->shapes[s].source_moved_count > 0); // check/ fills them by shape
  line_end(&l);
}

static cook_scene *plain_scene(cook_job *job) { return mt_scene_make(job, NULL); }

/// The same scene with rules that say what holds without them: nothing of it gets into the pack.
static cook_scene *plain_scene_with_rules(cook_job *job) {
  cook_scene *scene = mt_scene_make(job, NULL);
  scene->meshes[0].rules = JOB_ARRAY(job, cook_shape_rule, 2);
  scene->meshes[0].rules[1].control = 1;
  return scene;
}

static void test_inbetween_pack_without_rules_is_as_ever(void **state) {
  (void)state;
  line plain, ruled;
  line_begin(&plain, COOK_LAYOUT_BLK64, plain_scene);
  line_begin(&ruled, COOK_LAYOUT_BLK64, plain_scene_with_rules);
  assert_int_equal(plain.pack.rule_count, 0);
  assert_int_equal(plain.product.byte_count, ruled.product.byte_count);
  assert_memory_equal(plain.product.bytes, ruled.product.bytes, plain.product.byte_count);
  line_end(&plain);
  line_end(&ruled);
}

// -- Bounds -----------------------------------------------------------------------------------------------------------

/// The weights that each shape reaches within the controls' ranges, from the list in mt_inbetween.h.
static const double reach[MT_INBETWEEN_SHAPES][2] = {{0, 2}, {0, 1}, {-1, 1}, {0, 1}, {0, 1}};

static void check_extremes(const line *l, uint32_t part) {
  const cook_primitive *primitive = line_primitive(l, part);
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    for (int axis = 0; axis < 3; axis++) {
      double bottom = primitive->positions[v][axis], top = bottom;
      for (uint32_t s = 0; s < MT_INBETWEEN_SHAPES; s++) {
        const double delta = mt_morph_delta(primitive, s, 0, v)[axis];
        bottom += fmin(reach[s][0] * delta, reach[s][1] * delta);
        top += fmax(reach[s][0] * delta, reach[s][1] * delta);
      }
      low[axis] = fmin(low[axis], bottom);
      high[axis] = fmax(high[axis], top);
    }
  }
  for (int axis = 0; axis < 3; axis++) {
    MT_POSE_NEAR((double)l->pack.parts[part].conservative_min[axis], low[axis], 1e-6);
    MT_POSE_NEAR((double)l->pack.parts[part].conservative_max[axis], high[axis], 1e-6);
  }
}

static void check_pose_inside(line *l, uint32_t part, const double *controls) {
  const mpak_part *record = &l->pack.parts[part];
  const cook_primitive *primitive = line_primitive(l, part);
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    double position[3], square = 0;
    line_expect(l, part, controls, v, position);
    for (int axis = 0; axis < 3; axis++) {
      assert_true(position[axis] >= (double)record->conservative_min[axis]);
      assert_true(position[axis] <= (double)record->conservative_max[axis]);
      const double moved = position[axis] - (double)primitive->positions[v][axis];
      square += moved * moved;
    }
    assert_true(sqrt(square) <= (double)record->max_position_delta * (1 + 1e-12));
  }
}

static void test_inbetween_pack_bounds_hold_every_pose(void **state) {
  (void)state;
  line l;
  line_begin(&l, COOK_LAYOUT_BLK64, mt_inbetween_scene);
  for (uint32_t part = 0; part < 2; part++) check_extremes(&l, part);
  mt_random random = {2024};
  for (int i = 0; i < 10000; i++) {
    double controls[MT_INBETWEEN_CONTROLS];
    for (uint32_t c = 0; c < MT_INBETWEEN_CONTROLS; c++) {
      const mpak_control *control = &l.pack.controls[c];
      controls[c] = (double)mt_random_float(&random, control->range_min, control->range_max);
      if (mt_random_below(&random, 4) == 0)
        controls[c] = (double)(mt_random_below(&random, 2) ? control->range_max : control->range_min);
    }
    check_pose_inside(&l, (uint32_t)i % 2, controls);
  }
  line_end(&l);
}

// -- Messages ---------------------------------------------------------------------------------------------------------

static void step_spoilt(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = mt_inbetween_scene(job);
  cook_product product = {0};
  scene->meshes[0].primitives[0].targets[2].position_deltas[1][0] = NAN;
  scene->meshes[0].primitives[0].targets[3].position_deltas[1][0] = NAN;
  cook_scene_to_pack(job, scene, &(cook_options){0}, &product);
}

/// An artist knows the control; the shape's own name says which of its shapes it is.
static void test_inbetween_issue_names_control_and_shape(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  assert_false(job_run(job, step_spoilt, NULL));
  assert_int_equal(mt_count_issues(job, "MPAK-M012"), 2);
  assert_string_equal(job_issue_at(job, 0)->where.target, "Smile (Smile_half)");
  assert_string_equal(job_issue_at(job, 1)->where.target, "Blink");
  job_end(job);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_inbetween_pack_moves_vertices_as_by_hand),
      cmocka_unit_test(test_inbetween_pack_starts_and_plays_with_controls),
      cmocka_unit_test(test_inbetween_pack_has_rules_once_for_all_parts),
      cmocka_unit_test(test_inbetween_pack_without_rules_is_as_ever),
      cmocka_unit_test(test_inbetween_pack_bounds_hold_every_pose),
      cmocka_unit_test(test_inbetween_issue_names_control_and_shape),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
