// Clips of other files in this process: what the job says, where it stops, and what stays of the model.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "cooker/build/build.h"
#include "tests/support/mt_build.h"
#include "tests/support/mt_cook.h"
#include "tests/support/mt_scene.h"

#define FACE "samples/assets/face_anim.glb" // two clips

static int clip_files_cook(cook_job *job, const cook_options *options, cook_product *product) {
  *product = (cook_product){0};
  return mt_cook_file(job, mt_path(FACE), options, product);
}

/// The pack as a whole holds no more clips than the limit, whatever file they come from.
static void test_clip_files_count_against_the_limit_of_clips(void **state) {
  (void)state;
  const char *files[2] = {mt_path(FACE), mt_path(FACE)};
  for (uint32_t count = 0; count <= 2; count++) {
    const cook_limits limits = {.clips = 4};
    cook_job *job = job_begin(NULL, &limits);
    cook_product product;
    const cook_options options = {.clip_files = files, .clip_file_count = count};
    assert_int_equal(clip_files_cook(job, &options, &product), count == 2 ? 6 : 0);
    const cook_issue *issue = mt_find_issue(job, "MPAK-A001");
    assert_true((issue != NULL) == (count == 2));
    if (issue != NULL) {
      assert_string_equal(issue->where.value, "6");
      assert_string_equal(issue->where.limit, "4");
      assert_string_equal(issue->file, files[1]);
    }
    job_end(job);
  }
}

static void test_clip_files_leave_the_jobs_file_and_join_the_dependencies(void **state) {
  (void)state;
  const char *files[1] = {mt_path(FACE)};
  cook_job *job = job_begin(NULL, NULL);
  cook_product plain, added;
  assert_int_equal(clip_files_cook(job, &(cook_options){0}, &plain), 0);
  assert_int_equal(clip_files_cook(job, &(cook_options){.clip_files = files, .clip_file_count = 1}, &added), 0);
  assert_string_equal(job_file(job), mt_path(FACE));
  assert_int_equal(plain.scene->dependency_count, 1);
  assert_int_equal(added.scene->dependency_count, 2);
  assert_string_equal(added.scene->dependencies[1], files[0]);
  assert_true(plain.scene->source_hash != added.scene->source_hash);
  assert_int_equal(plain.scene->clip_count, 2);
  assert_int_equal(added.scene->clip_count, 4);
  assert_string_equal(added.scene->clips[0].name, plain.scene->clips[0].name); // the model's own keep their names
  assert_string_equal(added.scene->clips[2].name, "face_anim");
  job_end(job);
}

// -- The stage by itself ----------------------------------------------------------------------------------------------

/// Nodes that are not cooked take no clip: the pack would not hold them.
static void step_uncooked(cook_job *job, void *user) {
  (void)user;
  cook_scene *model = mt_scene_make(job, &(mt_scene_knobs){.no_clips = true}), *source = mt_scene_make(job, NULL);
  model->nodes[MT_OFFSTAGE].name = "Hips"; // the only cooked one of the name is meant
  const uint32_t track_count = source->clips[0].track_count;
  build_clips(job, model, source);
  assert_int_equal(model->clip_count, 2);
  assert_int_equal(model->clips[0].track_count, track_count);
  for (uint32_t t = 0; t < track_count; t++)
    assert_int_equal(model->clips[0].tracks[t].node, source->clips[0].tracks[t].node);
  assert_int_equal(job_issue_count(job), 0);
  model->nodes[MT_HIPS].is_cooked = false;
  model->nodes[MT_OFFSTAGE].name = "Offstage";
  build_clips(job, model, source);
  assert_non_null(mt_find_issue(job, "MPAK-A020"));
}

static void test_clips_go_to_cooked_nodes(void **state) {
  (void)state;
  mt_in_job(step_uncooked, NULL, 0);
}

/// The keys of the source are copied, not shared, where they are put into another order.
static void step_weights(cook_job *job, void *user) {
  (void)user;
  cook_scene *model = mt_scene_make(job, &(mt_scene_knobs){.no_clips = true}), *source = mt_scene_make(job, NULL);
  const char *first = model->meshes[0].control_names[0];
  model->meshes[0].control_names[0] = model->meshes[0].control_names[1];
  model->meshes[0].control_names[1] = first;
  build_clips(job, model, source);
  const cook_track *track = NULL, *own = NULL;
  for (uint32_t t = 0; t < model->clips[0].track_count; t++) {
    if (model->clips[0].tracks[t].path != MPAK_PATH_WEIGHTS) continue;
    track = &model->clips[0].tracks[t];
    own = &source->clips[0].tracks[t];
  }
  assert_non_null(track);
  assert_int_equal(track->value_count, own->value_count);
  for (uint64_t i = 0; i < track->value_count; i += 2) {
    assert_true(track->values[i] == own->values[i + 1] && track->values[i + 1] == own->values[i]);
  }
}

static void test_clips_weights_follow_the_names_of_controls(void **state) {
  (void)state;
  mt_in_job(step_weights, NULL, 0);
}

typedef struct rest_case {
  float move_m;
  float turn[4]; ///< of the spine's rest in the clip file
  const char *value;
} rest_case;

/// 1 mm and 1 degree are the limits: cos and sin of 0.45 and 0.55 degrees (half of 0.9 and 1.1).
static const rest_case rest_cases[] = {
    {0.0009f, {0, 0, 0, 1}, NULL},
    {0.0011f, {0, 0, 0, 1}, "1.1 mm and 0 degrees"},
    {0, {0.00785390f, 0, 0, 0.99996916f}, NULL},
    {0, {0.00959916f, 0, 0, 0.99995393f}, "0 mm and 1.1 degrees"},
    {0, {0, 0, 0, -1}, NULL}, // the same rotation
    {0, {0, 0, 1, 0}, "0 mm and 180 degrees"},
    {0.5f, {0, 0, 0, 2}, "500 mm and 0 degrees"}, // lengths of quaternions do not matter
};

static void step_rest(cook_job *job, void *user) {
  const rest_case *rest = user;
  cook_scene *model = mt_scene_make(job, &(mt_scene_knobs){.no_clips = true}), *source = mt_scene_make(job, NULL);
  memcpy(source->nodes[MT_SPINE].rotation, rest->turn, sizeof rest->turn);
  memcpy(model->nodes[MT_SPINE].rotation, (const float[4]){0, 0, 0, 1}, sizeof rest->turn);
  source->nodes[MT_SPINE].translation[2] = model->nodes[MT_SPINE].translation[2] + rest->move_m;
  build_clips(job, model, source);
  const cook_issue *issue = mt_find_issue(job, "MPAK-A023");
  assert_true((issue != NULL) == (rest->value != NULL));
  if (issue == NULL) return;
  assert_string_equal(issue->where.value, rest->value);
  assert_string_equal(issue->where.node, "Root/Hips/Spine");
  assert_string_equal(issue->where.limit, "1");
}

static void test_clips_rest_poses_may_differ_by_a_millimetre_and_a_degree(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rest_cases / sizeof *rest_cases; i++) {
    rest_case rest = rest_cases[i];
    mt_in_job(step_rest, &rest, 0);
  }
}

/// The same local poses below a parent that only the clip file has, and that is turned: the clip would turn the body.
static void step_parent(cook_job *job, void *user) {
  (void)user;
  cook_scene *model = mt_scene_make(job, &(mt_scene_knobs){.no_clips = true}), *source = mt_scene_make(job, NULL);
  source->nodes[MT_ROOT].name = "Armature";
  memcpy(source->nodes[MT_ROOT].rotation, (const float[4]){0.70710678f, 0, 0, 0.70710678f}, 4 * sizeof(float));
  memcpy(model->nodes[MT_ROOT].rotation, (const float[4]){0, 0, 0, 1}, 4 * sizeof(float));
  build_clips(job, model, source);
  const cook_issue *issue = mt_find_issue(job, "MPAK-A023");
  assert_non_null(issue);
  assert_non_null(strstr(issue->where.value, "and 90 degrees"));
  assert_string_equal(issue->where.node, "Root/Hips");
}

static void test_clips_rest_poses_stand_in_the_space_of_their_parents(void **state) {
  (void)state;
  mt_in_job(step_parent, NULL, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_clip_files_count_against_the_limit_of_clips),
      cmocka_unit_test(test_clip_files_leave_the_jobs_file_and_join_the_dependencies),
      cmocka_unit_test(test_clips_go_to_cooked_nodes),
      cmocka_unit_test(test_clips_weights_follow_the_names_of_controls),
      cmocka_unit_test(test_clips_rest_poses_may_differ_by_a_millimetre_and_a_degree),
      cmocka_unit_test(test_clips_rest_poses_stand_in_the_space_of_their_parents),
  };
  return cmocka_run_group_tests_name("clip_files", tests, NULL, NULL);
}
