// Levels of detail that the author made: which nodes become levels, what goes together by name, and what stays apart.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "cooker/build/build.h"
#include "tests/support/mt_build.h"
#include "tests/support/mt_scene.h"

/// Body and Hat of the scene are two levels of one thing: siblings, both without a skin, with one name but for the
/// mark.
static cook_scene *two_levels(cook_job *job) {
  cook_scene *scene = mt_scene_make(job, &(mt_scene_knobs){.no_skin = true});
  scene->nodes[MT_BODY].name = "Thing_LOD0";
  scene->nodes[MT_HAT].name = "Thing_lod1";
  scene->nodes[MT_HAT].parent = scene->nodes[MT_BODY].parent;
  memcpy(scene->nodes[MT_HAT].translation, scene->nodes[MT_BODY].translation, sizeof scene->nodes[MT_HAT].translation);
  memcpy(scene->nodes[MT_HAT].rotation, scene->nodes[MT_BODY].rotation, sizeof scene->nodes[MT_HAT].rotation);
  memcpy(scene->nodes[MT_HAT].scale, scene->nodes[MT_BODY].scale, sizeof scene->nodes[MT_HAT].scale);
  return scene;
}

static void step_by_name(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = two_levels(job);
  const uint32_t hat_triangles = scene->meshes[1].primitives[0].index_count;
  build_lods_authored(job, scene, &(cook_options){0});
  const cook_mesh *body = &scene->meshes[0];
  assert_int_equal(body->lod_count, 2);
  assert_int_equal(body->primitive_count, 3);
  assert_int_equal(body->primitives[1].lod, 0);
  assert_int_equal(body->primitives[2].lod, 1);
  assert_int_equal(body->primitives[2].index_count, hat_triangles);
  assert_int_equal(body->primitives[2].target_count, body->target_count);
  assert_int_equal(scene->nodes[MT_HAT].mesh, MPAK_NONE);
  assert_int_equal(job_issue_count(job), 1);
  assert_string_equal(mt_find_issue(job, "MPAK-C040")->where.value, "Thing_LOD0, Thing_lod1");
  build_nodes(job, scene);
  assert_int_equal(scene->mesh_count, 1);
}

static void test_lods_by_name_are_issue_c040(void **state) {
  (void)state;
  mt_in_job(step_by_name, NULL, 0);
}

static void step_none(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = two_levels(job);
  build_lods_authored(job, scene, &(cook_options){.lods = COOK_LODS_NONE});
  assert_int_equal(scene->meshes[0].lod_count, 0);
  assert_int_equal(scene->nodes[MT_HAT].mesh, 1);
}

static void test_lods_none_keeps_meshes_apart(void **state) {
  (void)state;
  mt_in_job(step_none, NULL, 0);
}

/// Names that only look like levels.
static void step_other_names(cook_job *job, void *user) {
  static const char *const names[][2] = {{"Thing_LOD0", "Other_LOD1"}, {"Thing_LOD1", "Thing_LOD2"},
                                         {"Thing_LOD0", "Thing_LOD"},  {"ThingLOD0", "ThingLOD1"},
                                         {"Thing_LOD0", "Thing_LOD9"}, {"Thing_LOD0", "Thing_LOD1x"}};
  (void)user;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    cook_scene *scene = two_levels(job);
    scene->nodes[MT_BODY].name = names[i][0];
    scene->nodes[MT_HAT].name = names[i][1];
    build_lods_authored(job, scene, &(cook_options){0});
    assert_int_equal(scene->meshes[0].lod_count, 0);
  }
  assert_int_equal(job_issue_count(job), 0);
}

static void test_lods_other_names_are_no_levels(void **state) {
  (void)state;
  mt_in_job(step_other_names, NULL, 0);
}

static void expect_apart(cook_job *job, const cook_scene *scene, const char *reason) {
  assert_int_equal(scene->meshes[0].lod_count, 0);
  assert_int_equal(scene->nodes[MT_HAT].mesh, 1);
  assert_int_equal(job_issue_count(job), 1);
  assert_string_equal(mt_find_issue(job, "MPAK-C041")->where.limit, reason);
}

static void step_elsewhere(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = two_levels(job);
  scene->nodes[MT_HAT].translation[0] += 0.5f;
  build_lods_authored(job, scene, &(cook_options){0});
  expect_apart(job, scene, "it stands elsewhere than level 0");
}

static void test_lods_that_stand_elsewhere_are_issue_c041(void **state) {
  (void)state;
  mt_in_job(step_elsewhere, NULL, 0);
}

static void step_skin_differs(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = mt_scene_make(job, NULL);
  scene->nodes[MT_BODY].name = "Thing.LOD0";
  scene->nodes[MT_HAT].name = "Thing.LOD1";
  scene->nodes[MT_HAT].parent = scene->nodes[MT_BODY].parent;
  build_lods_authored(job, scene, &(cook_options){0});
  expect_apart(job, scene, "level 0 is skinned and it is not");
}

static void test_lods_of_skin_and_no_skin_stay_apart(void **state) {
  (void)state;
  mt_in_job(step_skin_differs, NULL, 0);
}

/// Blink and a target of its own on the lower level: Blink goes to control 1, the other one is dropped.
static void step_targets(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = two_levels(job);
  cook_mesh *hat = &scene->meshes[1];
  cook_primitive *primitive = &hat->primitives[0];
  static const char *names[] = {"Wink", "Blink"};
  hat->control_count = hat->target_count = primitive->target_count = 2;
  hat->control_names = names;
  primitive->targets = JOB_ARRAY(job, cook_target, 2);
  primitive->targets[1].position_deltas = job_alloc(job, primitive->vertex_count, 12);
  float(*deltas)[3] = primitive->targets[1].position_deltas;
  build_lods_authored(job, scene, &(cook_options){0});
  const cook_primitive *lower = &scene->meshes[0].primitives[2];
  assert_int_equal(scene->meshes[0].control_count, 2);
  assert_int_equal(lower->target_count, 2);
  assert_null(lower->targets[0].position_deltas);
  assert_ptr_equal(lower->targets[1].position_deltas, deltas);
  assert_string_equal(mt_find_issue(job, "MPAK-C042")->where.limit, "Wink");
}

static void test_lods_extra_targets_are_issue_c042(void **state) {
  (void)state;
  mt_in_job(step_targets, NULL, 0);
}

/// A level of its own skin: the joints in another order, one with another inverse bind.
static void step_joints(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = mt_scene_make(job, NULL);
  cook_mesh *meshes = JOB_ARRAY(job, cook_mesh, 2);
  cook_skin *skins = JOB_ARRAY(job, cook_skin, 2);
  meshes[0] = meshes[1] = scene->meshes[0];
  skins[0] = skins[1] = scene->skins[0];
  skins[1].joints = JOB_ARRAY(job, uint32_t, 2);
  skins[1].inverse_binds = job_alloc(job, 2, sizeof *skins[1].inverse_binds);
  for (int j = 0; j < 2; j++) {
    skins[1].joints[j] = skins[0].joints[1 - j];
    memcpy(skins[1].inverse_binds[j], skins[0].inverse_binds[1 - j], sizeof *skins[1].inverse_binds);
  }
  skins[1].inverse_binds[0][3] += 1;
  scene->meshes = meshes;
  scene->skins = skins;
  scene->skin_count = 2;
  scene->nodes[MT_BODY].name = "Thing-LOD0";
  scene->nodes[MT_HAT] = scene->nodes[MT_BODY];
  scene->nodes[MT_HAT].name = "Thing-LOD1";
  scene->nodes[MT_HAT].mesh = scene->nodes[MT_HAT].skin = 1;
  const cook_primitive old = scene->meshes[1].primitives[0];
  build_lods_authored(job, scene, &(cook_options){0});
  const cook_primitive *lower = &scene->meshes[0].primitives[scene->meshes[0].primitive_count / 2];
  assert_int_equal(scene->meshes[0].lod_count, 2);
  assert_int_equal(scene->skins[0].joint_count, 3);
  assert_int_equal(scene->skins[0].joints[2], scene->skins[0].joints[1]);
  assert_true(scene->skins[0].inverse_binds[2][3] == scene->skins[0].inverse_binds[1][3] + 1);
  for (uint64_t i = 0; i < (uint64_t)old.vertex_count * old.influence_count; i++)
    assert_int_equal(lower->joints[i], old.joints[i] == 0 ? 2 : 0);
}

static void test_lods_joints_go_together_by_node_and_bind(void **state) {
  (void)state;
  mt_in_job(step_joints, NULL, 0);
}

/// A clip that moves the weights of the lower level alone moves the mesh's; controls go by name.
static void step_tracks(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = two_levels(job);
  cook_mesh *hat = &scene->meshes[1];
  static const char *names[] = {"Blink"};
  hat->control_count = hat->target_count = 1;
  hat->control_names = names;
  cook_clip *clip = &scene->clips[1];
  cook_track *track = JOB_ARRAY(job, cook_track, 1);
  static float times[2] = {0, 1}, values[2] = {0.25f, 0.75f};
  *track = (cook_track){.node = MT_HAT,
                        .path = MPAK_PATH_WEIGHTS,
                        .interpolation = MPAK_LINEAR,
                        .width = 1,
                        .key_count = 2,
                        .times = times,
                        .value_count = 2,
                        .values = values};
  clip->tracks = track;
  clip->track_count = 1;
  build_lods_authored(job, scene, &(cook_options){0});
  const float smile = scene->meshes[0].default_weights[0];
  const float expected[4] = {smile, 0.25f, smile, 0.75f};
  assert_int_equal(clip->track_count, 1);
  assert_int_equal(clip->tracks[0].node, MT_BODY);
  assert_int_equal(clip->tracks[0].width, 2);
  assert_int_equal(clip->tracks[0].value_count, 4);
  assert_memory_equal(clip->tracks[0].values, expected, sizeof expected);
}

static void test_lods_weight_tracks_move_to_level_0(void **state) {
  (void)state;
  mt_in_job(step_tracks, NULL, 0);
}

/// Levels that the source lists need no names, and bring the sizes at which they are shown.
static void step_listed(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = two_levels(job);
  static uint32_t lods[1] = {MT_HAT};
  static float sizes[2] = {0.5f, 0.125f};
  scene->nodes[MT_BODY].name = "Near";
  scene->nodes[MT_HAT].name = "Far";
  scene->nodes[MT_HAT].is_cooked = false;
  scene->nodes[MT_HAT].parent = MPAK_NONE;
  scene->nodes[MT_BODY].lod_count = 1;
  scene->nodes[MT_BODY].lods = lods;
  scene->nodes[MT_BODY].lod_sizes = sizes;
  build_lods_authored(job, scene, &(cook_options){0});
  assert_int_equal(scene->meshes[0].lod_count, 2);
  assert_true(scene->meshes[0].lods[0].screen_size == 0.5f);
  assert_true(scene->meshes[0].lods[1].screen_size == 0.125f);
}

static void test_lods_listed_by_the_source(void **state) {
  (void)state;
  mt_in_job(step_listed, NULL, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lods_by_name_are_issue_c040),
      cmocka_unit_test(test_lods_none_keeps_meshes_apart),
      cmocka_unit_test(test_lods_other_names_are_no_levels),
      cmocka_unit_test(test_lods_that_stand_elsewhere_are_issue_c041),
      cmocka_unit_test(test_lods_of_skin_and_no_skin_stay_apart),
      cmocka_unit_test(test_lods_extra_targets_are_issue_c042),
      cmocka_unit_test(test_lods_joints_go_together_by_node_and_bind),
      cmocka_unit_test(test_lods_weight_tracks_move_to_level_0),
      cmocka_unit_test(test_lods_listed_by_the_source),
  };
  return cmocka_run_group_tests_name("lods_authored", tests, NULL, NULL);
}
