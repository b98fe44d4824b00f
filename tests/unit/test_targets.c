// --targets and --drop-unused: what stays, and that everything that belongs to a target goes with it.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "cooker/base/glob.h"
#include "tests/support/mt_build.h"
#include "tests/support/mt_inbetween.h"
#include "tests/support/mt_scene.h"

// -- Patterns --------------------------------------------------------------------------------------------------------

static void test_glob_fits_whole_names(void **state) {
  (void)state;
  static const struct {
    const char *pattern, *name;
    bool fits;
  } cases[] = {
      {"Smile", "Smile", true},
      {"Smile", "Smile2", false},
      {"smile", "Smile", false},
      {"*", "", true},
      {"", "", true},
      {"", "a", false},
      {"?", "", false},
      {"S*e", "Smile", true},
      {"S*e", "Smiles", false},
      {"*mil*", "Smile", true},
      {"**", "x", true},
      {"a*b*c", "abbbc", true},
      {"a*b*c", "acb", false},
      {"?mile", "Smile", true},
      {"brow?L", "brow_L", true},
      {"a*aab", "aaaaaab", true},
      {"[a]", "a", false},
      {"[a]", "[a]", true},
      {"?", "\xE3\x81\x82", true},
      {"??", "\xE3\x81\x82", false},
      {"*?x", "\xE3\x81\x82x", true},
      {"*\\*", "a\\b", true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (glob_matches(cases[i].pattern, cases[i].name) != cases[i].fits)
      fail_msg("pattern \"%s\" and name \"%s\"", cases[i].pattern, cases[i].name);
}

// -- Targets ---------------------------------------------------------------------------------------------------------

static const cook_track *weight_track(const cook_scene *scene) {
  for (uint32_t c = 0; c < scene->clip_count; c++)
    for (uint32_t t = 0; t < scene->clips[c].track_count; t++)
      if (scene->clips[c].tracks[t].path == MPAK_PATH_WEIGHTS) return &scene->clips[c].tracks[t];
  return NULL;
}

static cook_options targets_options(const char *const *globs, uint32_t count) {
  return (cook_options){.target_globs = globs, .target_glob_count = count};
}

// Four controls Smile, Brow, Blink, Jaw with the shapes {0, 2}, {}, {1, 3}, {4}: mt_inbetween.h.
static void targets_named(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = mt_inbetween_scene(job);
  const cook_mesh *mesh = &scene->meshes[0];
  const cook_target *smile_half = &mesh->primitives[1].targets[2], *jaw = &mesh->primitives[1].targets[4];
  const float(*half_deltas)[3] = (const float(*)[3])smile_half->position_deltas;
  const float(*jaw_deltas)[3] = (const float(*)[3])jaw->position_deltas;
  const cook_options options = targets_options((const char *const[]){"Smi??", "J*"}, 2);
  build_targets(job, scene, &options);
  assert_int_equal(mesh->control_count, 2);
  assert_string_equal(mesh->control_names[0], "Smile");
  assert_string_equal(mesh->control_names[1], "Jaw");
  assert_true(mesh->default_weights[0] == 0.25f && mesh->default_weights[1] == 0);
  assert_int_equal(mesh->target_count, 3);
  assert_int_equal(mesh->rules[0].control, 0);
  assert_int_equal(mesh->rules[1].control, 0);
  assert_int_equal(mesh->rules[2].control, 1);
  for (uint32_t p = 0; p < 2; p++) assert_int_equal(mesh->primitives[p].target_count, 3);
  assert_ptr_equal(mesh->primitives[1].targets[1].position_deltas, half_deltas);
  assert_ptr_equal(mesh->primitives[1].targets[2].position_deltas, jaw_deltas);
  const cook_track *track = weight_track(scene);
  const float expected[] = {0, 0, 1.5f, 1, -0.5f, 0}; // Smile and Jaw at 0, 0.5 and 1 s
  assert_int_equal(track->width, 2);
  assert_int_equal(track->value_count, 6);
  assert_memory_equal(track->values, expected, sizeof expected);
}

static void test_targets_that_are_named_stay_whole(void **state) {
  (void)state;
  mt_in_job(targets_named, NULL, 0);
}

static void targets_told(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = mt_inbetween_scene(job);
  const cook_options options = targets_options((const char *const[]){"Smile", "Jaw"}, 2);
  build_targets(job, scene, &options);
  const cook_issue *issue = mt_find_issue(job, "MPAK-C058");
  assert_non_null(issue);
  assert_string_equal(issue->where.value, "2 of 4");
  assert_string_equal(issue->where.limit, "\"Brow\", \"Blink\"");
  assert_int_equal(mt_count_issues(job, "MPAK-C058"), 1); // the hat has no targets
  assert_int_equal(mt_count_issues(job, "MPAK-C061"), 0);
}

static void test_targets_not_named_are_issue_c058(void **state) {
  (void)state;
  mt_in_job(targets_told, NULL, 0);
}

static void targets_unmatched(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = mt_inbetween_scene(job);
  scene->nodes[MT_BODY].weights = MT_COPY(job, ((const float[]){1, 1, 1, 1}), 4);
  scene->nodes[MT_BODY].weight_count = 4;
  const cook_options options = targets_options((const char *const[]){"smile"}, 1);
  build_targets(job, scene, &options);
  assert_string_equal(mt_find_issue(job, "MPAK-C061")->where.value, "smile");
  assert_int_equal(scene->meshes[0].control_count, 0);
  assert_int_equal(scene->meshes[0].target_count, 0);
  assert_int_equal(scene->meshes[0].primitives[0].target_count, 0);
  assert_null(scene->nodes[MT_BODY].weights);
  assert_null(weight_track(scene));
}

static void test_targets_pattern_without_a_target_is_issue_c061(void **state) {
  (void)state;
  mt_in_job(targets_unmatched, NULL, 0);
}

// Brow has no shape; Jaw's deltas become zero in both primitives, Smile's only in one.
static void targets_still(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = mt_inbetween_scene(job);
  const cook_mesh *mesh = &scene->meshes[0];
  for (uint32_t p = 0; p < 2; p++) {
    cook_target *jaw = &mesh->primitives[p].targets[4];
    if (jaw->position_deltas != NULL) memset(jaw->position_deltas, 0, 12ul * mesh->primitives[p].vertex_count);
    jaw->normal_deltas = jaw->tangent_deltas = NULL;
  }
  mesh->primitives[0].targets[0] = mesh->primitives[0].targets[2] = (cook_target){0};
  build_targets(job, scene, &(cook_options){.drop_unused = true});
  assert_int_equal(mesh->control_count, 2);
  assert_string_equal(mesh->control_names[0], "Smile");
  assert_string_equal(mesh->control_names[1], "Blink");
  assert_string_equal(mt_find_issue(job, "MPAK-C059")->where.limit, "\"Brow\", \"Jaw\"");
}

static void test_targets_that_move_nothing_are_issue_c059(void **state) {
  (void)state;
  mt_in_job(targets_still, NULL, 0);
}

static void targets_normals(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = mt_inbetween_scene(job);
  for (uint32_t p = 0; p < 2; p++) {
    cook_primitive *primitive = &scene->meshes[0].primitives[p];
    primitive->targets[4] = (cook_target){0};
    primitive->targets[4].normal_deltas = job_alloc(job, primitive->vertex_count, 12);
    primitive->targets[4].normal_deltas[p][2] = p == 1 ? 0.5f : 0;
  }
  build_targets(job, scene, &(cook_options){.drop_unused = true});
  assert_int_equal(scene->meshes[0].control_count, 3);
  assert_string_equal(scene->meshes[0].control_names[2], "Jaw");
}

static void test_targets_that_turn_normals_alone_stay(void **state) {
  (void)state;
  mt_in_job(targets_normals, NULL, 0);
}

static void targets_clip_pack(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = mt_inbetween_scene(job);
  scene->meshes[0].primitive_count = 0;
  build_targets(job, scene, &(cook_options){.drop_unused = true});
  assert_int_equal(scene->meshes[0].control_count, 4);
}

static void test_targets_of_a_clip_pack_all_stay(void **state) {
  (void)state;
  mt_in_job(targets_clip_pack, NULL, 0);
}

// -- Joints ----------------------------------------------------------------------------------------------------------

/// The default scene, its skin with the joints Root, Hips, Hat and Spine; vertices use Hips and Spine as before.
static cook_scene *joints_scene(cook_job *job) {
  static const uint32_t joints[] = {MT_ROOT, MT_HIPS, MT_HAT, MT_SPINE};
  cook_scene *scene = mt_scene_make(job, NULL);
  cook_skin *skin = &scene->skins[0];
  skin->joints = MT_COPY(job, joints, 4);
  skin->joint_count = 4;
  skin->inverse_binds = job_alloc(job, 4, sizeof *skin->inverse_binds);
  for (uint32_t j = 0; j < 4; j++) skin->inverse_binds[j][3] = (float)j;
  for (uint32_t p = 0; p < scene->meshes[0].primitive_count; p++) {
    cook_primitive *primitive = &scene->meshes[0].primitives[p];
    for (uint32_t i = 0; i < primitive->vertex_count * primitive->influence_count; i++)
      primitive->joints[i] = primitive->joints[i] == 0 ? 1 : 3;
  }
  return scene;
}

static void joints_dropped(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = joints_scene(job);
  build_unused_joints(job, scene, &(cook_options){.drop_unused = true});
  const cook_skin *skin = &scene->skins[0];
  assert_int_equal(skin->joint_count, 2);
  assert_int_equal(skin->joints[0], MT_HIPS);
  assert_int_equal(skin->joints[1], MT_SPINE);
  assert_true(skin->inverse_binds[0][3] == 1 && skin->inverse_binds[1][3] == 3);
  for (uint32_t p = 0; p < 2; p++) {
    const cook_primitive *primitive = &scene->meshes[0].primitives[p];
    for (uint32_t i = 0; i < primitive->vertex_count * primitive->influence_count; i++)
      assert_int_equal(primitive->joints[i], i % primitive->influence_count == 1 ? 1 : 0);
  }
  assert_string_equal(mt_find_issue(job, "MPAK-C060")->where.value, "2 of 4");
  assert_string_equal(mt_find_issue(job, "MPAK-C060")->where.limit, "\"Root\", \"Hat\"");
}

static void test_joints_that_move_nothing_are_issue_c060(void **state) {
  (void)state;
  mt_in_job(joints_dropped, NULL, 0);
}

static void joints_kept(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = joints_scene(job);
  build_unused_joints(job, scene, &(cook_options){0});
  assert_int_equal(scene->skins[0].joint_count, 4);
  scene->nodes[MT_HAT].mesh = 0; // drawn once more, without the skin
  build_unused_joints(job, scene, &(cook_options){.drop_unused = true});
  assert_int_equal(scene->skins[0].joint_count, 4);
  assert_null(mt_find_issue(job, "MPAK-C060"));
}

static void test_joints_of_a_shared_mesh_stay(void **state) {
  (void)state;
  mt_in_job(joints_kept, NULL, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_glob_fits_whole_names),
      cmocka_unit_test(test_targets_that_are_named_stay_whole),
      cmocka_unit_test(test_targets_not_named_are_issue_c058),
      cmocka_unit_test(test_targets_pattern_without_a_target_is_issue_c061),
      cmocka_unit_test(test_targets_that_move_nothing_are_issue_c059),
      cmocka_unit_test(test_targets_that_turn_normals_alone_stay),
      cmocka_unit_test(test_targets_of_a_clip_pack_all_stay),
      cmocka_unit_test(test_joints_that_move_nothing_are_issue_c060),
      cmocka_unit_test(test_joints_of_a_shared_mesh_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
