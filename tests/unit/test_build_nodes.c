// What is cooked, in which order, and that every reference follows.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "tests/support/mt_build.h"
#include "tests/support/mt_scene.h"

static uint32_t node_named(const cook_scene *scene, const char *name) {
  for (uint32_t n = 0; n < scene->node_count; n++)
    if (strcmp(scene->nodes[n].name, name) == 0) return n;
  return MPAK_NONE;
}

static const char *parent_name(const cook_scene *scene, const char *name) {
  const uint32_t parent = scene->nodes[node_named(scene, name)].parent;
  return parent == MPAK_NONE ? "" : scene->nodes[parent].name;
}

/// Swaps two nodes of the source with all references, so that the order differs and the meaning does not.
static void swap_nodes(cook_scene *scene, uint32_t a, uint32_t b) {
  const cook_node first = scene->nodes[a];
  scene->nodes[a] = scene->nodes[b];
  scene->nodes[b] = first;
#define SWAP(reference) (reference) = (reference) == a ? b : (reference) == b ? a : (reference)
  for (uint32_t n = 0; n < scene->node_count; n++) SWAP(scene->nodes[n].parent);
  for (uint32_t s = 0; s < scene->skin_count; s++)
    for (uint32_t j = 0; j < scene->skins[s].joint_count; j++) SWAP(scene->skins[s].joints[j]);
  for (uint32_t c = 0; c < scene->clip_count; c++)
    for (uint32_t t = 0; t < scene->clips[c].track_count; t++) SWAP(scene->clips[c].tracks[t].node);
#undef SWAP
}

static void check_order(const cook_scene *scene, const char *const *names, uint32_t count) {
  assert_int_equal(scene->node_count, count);
  for (uint32_t n = 0; n < count; n++) {
    assert_string_equal(scene->nodes[n].name, names[n]);
    assert_true(scene->nodes[n].parent == MPAK_NONE || scene->nodes[n].parent < n);
  }
}

static void check_meaning(const cook_scene *scene) {
  assert_string_equal(parent_name(scene, "Root"), "");
  assert_string_equal(parent_name(scene, "Hips"), "Root");
  assert_string_equal(parent_name(scene, "Spine"), "Hips");
  assert_string_equal(parent_name(scene, "Body"), "Root");
  assert_string_equal(parent_name(scene, "Hat"), "Spine");
  assert_string_equal(scene->nodes[scene->skins[0].joints[0]].name, "Hips");
  assert_string_equal(scene->nodes[scene->skins[0].joints[1]].name, "Spine");
  assert_string_equal(scene->meshes[scene->nodes[node_named(scene, "Body")].mesh].name, "Body");
  assert_string_equal(scene->meshes[scene->nodes[node_named(scene, "Hat")].mesh].name, "Hat");
}

static void step_sound(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = mt_scene_make(job, NULL);
  build_nodes(job, scene);
  const char *const names[] = {"Root", "Hips", "Spine", "Body", "Hat"};
  check_order(scene, names, 5);
  check_meaning(scene);
  assert_int_equal(job_issue_count(job), 0);
}

static void test_nodes_parents_first_keeps_its_order(void **state) {
  (void)state;
  mt_in_job(step_sound, NULL, 0);
}

/// 0 Hat, 1 Body, 2 Spine, 3 Hips, 4 Root, 5 Offstage: ready are Root; Body, Hips; then always the lowest.
static void step_backwards(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = mt_scene_make(job, NULL);
  swap_nodes(scene, MT_ROOT, MT_HAT);
  swap_nodes(scene, MT_HIPS, MT_BODY);
  build_nodes(job, scene);
  const char *const names[] = {"Root", "Body", "Hips", "Spine", "Hat"};
  check_order(scene, names, 5);
  check_meaning(scene);
  assert_int_equal(scene->nodes[0].source_index, MT_ROOT);
}

static void test_nodes_children_first_are_sorted(void **state) {
  (void)state;
  mt_in_job(step_backwards, NULL, 0);
}

static void step_tracks(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = mt_scene_make(job, NULL);
  scene->clips[1].tracks[0].node = MT_OFFSTAGE;
  const cook_track first = scene->clips[0].tracks[0];
  scene->clips[0].tracks[0] = scene->clips[0].tracks[3]; // the weights of Body before the translation of Hips
  scene->clips[0].tracks[3] = first;
  build_nodes(job, scene);
  assert_int_equal(scene->clips[1].track_count, 0);
  const cook_clip *idle = &scene->clips[0];
  assert_int_equal(idle->track_count, 4);
  const char *const nodes[] = {"Hips", "Spine", "Spine", "Body"};
  const mpak_track_path paths[] = {MPAK_PATH_TRANSLATION, MPAK_PATH_ROTATION, MPAK_PATH_SCALE, MPAK_PATH_WEIGHTS};
  for (uint32_t t = 0; t < 4; t++) {
    assert_string_equal(scene->nodes[idle->tracks[t].node].name, nodes[t]);
    assert_int_equal(idle->tracks[t].path, paths[t]);
  }
  assert_int_equal(job_issue_count(job), 1);
  const cook_issue *issue = mt_find_issue(job, "MPAK-C012");
  assert_non_null(issue);
  assert_string_equal(issue->where.clip, "Wave");
  assert_string_equal(issue->message, "1 of 1 tracks move nodes that are not cooked and were dropped");
}

static void test_nodes_tracks_follow_and_are_sorted(void **state) {
  (void)state;
  mt_in_job(step_tracks, NULL, 0);
}

/// Body leaves the scene: its mesh, skin and material go, the others keep their source numbers.
static void step_unused(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = mt_scene_make(job, NULL);
  for (uint32_t m = 0; m < 2; m++) scene->materials[m].source_index = 10 + m;
  scene->nodes[MT_BODY].is_cooked = false;
  scene->meshes[1].primitives[0].material = 1;
  build_nodes(job, scene);
  assert_int_equal(scene->mesh_count, 1);
  assert_string_equal(scene->meshes[0].name, "Hat");
  assert_int_equal(scene->meshes[0].source_index, 1);
  assert_int_equal(scene->skin_count, 0);
  assert_int_equal(scene->material_count, 1);
  assert_int_equal(scene->materials[0].source_index, 11);
  assert_int_equal(scene->meshes[0].primitives[0].material, 0);
  assert_int_equal(scene->nodes[node_named(scene, "Hat")].mesh, 0);
  assert_int_equal(scene->clips[0].track_count, 3);
}

static void test_nodes_unused_objects_go(void **state) {
  (void)state;
  mt_in_job(step_unused, NULL, 0);
}

/// An importer that marked only what it draws: joints and ancestors come along, their meshes do not.
static void step_closure(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = mt_scene_make(job, NULL);
  for (uint32_t n = 0; n < scene->node_count; n++) scene->nodes[n].is_cooked = n == MT_BODY;
  scene->nodes[MT_SPINE].mesh = 1;
  build_nodes(job, scene);
  const char *const names[] = {"Root", "Hips", "Spine", "Body"};
  check_order(scene, names, 4);
  assert_int_equal(scene->mesh_count, 1);
  assert_int_equal(scene->nodes[node_named(scene, "Spine")].mesh, MPAK_NONE);
}

static void test_nodes_joints_and_ancestors_are_cooked(void **state) {
  (void)state;
  mt_in_job(step_closure, NULL, 0);
}

/// The two primitives read the same arrays, and so do two targets, as glTF's accessors allow.
static void step_shared(cook_job *job, void *user) {
  (void)user;
  cook_scene *scene = mt_scene_make(job, NULL);
  cook_primitive *a = &scene->meshes[0].primitives[0], *b = &scene->meshes[0].primitives[1];
  b->positions = a->positions;
  b->weights = a->weights;
  a->targets[1].position_deltas = a->targets[0].position_deltas;
  build_nodes(job, scene);
  assert_ptr_not_equal(a->positions, b->positions);
  assert_memory_equal(a->positions, b->positions, sizeof *a->positions * a->vertex_count);
  assert_ptr_not_equal(a->weights, b->weights);
  assert_memory_equal(a->weights, b->weights, sizeof(float) * a->vertex_count * a->influence_count);
  assert_ptr_not_equal(a->targets[0].position_deltas, a->targets[1].position_deltas);
  assert_memory_equal(a->targets[0].position_deltas, a->targets[1].position_deltas, 12 * a->vertex_count);
}

static void test_nodes_shared_arrays_are_parted(void **state) {
  (void)state;
  mt_in_job(step_shared, NULL, 0);
}

// -- Nothing to cook --------------------------------------------------------------------------------------------------

typedef enum nothing { NOTHING_DRAWN, NOTHING_BUT_LINES, NOTHING_BUT_BONES, NOTHING_AT_ALL } nothing;

static void step_nothing(cook_job *job, void *user) {
  cook_scene *scene = mt_scene_make(job, &(mt_scene_knobs){.no_clips = *(const nothing *)user != NOTHING_DRAWN});
  switch (*(const nothing *)user) {
  case NOTHING_DRAWN: scene->nodes[MT_BODY].mesh = scene->nodes[MT_HAT].mesh = MPAK_NONE; break;
  case NOTHING_BUT_LINES: scene->meshes[0].primitive_count = scene->meshes[1].primitive_count = 0; break;
  case NOTHING_BUT_BONES:
    scene->nodes[MT_BODY].mesh = scene->nodes[MT_HAT].mesh = MPAK_NONE;
    scene->mesh_count = 0;
    break;
  case NOTHING_AT_ALL: *scene = (cook_scene){0}; break;
  }
  build_nodes(job, scene);
  fail_msg("build_nodes returned");
}

static void check_nothing(nothing what, const char *message) {
  cook_job *job = job_begin(NULL, NULL);
  assert_false(job_run(job, step_nothing, &what));
  assert_int_equal(job_exit_code(job), 1);
  assert_int_equal(job_issue_count(job), 1);
  const cook_issue *issue = mt_find_issue(job, "MPAK-C001");
  assert_non_null(issue);
  assert_string_equal(issue->message, message);
  job_end(job);
}

static void test_nodes_nothing_to_cook(void **state) {
  (void)state;
  const char *meshes =
      "nothing to cook: no node of the default scene draws a triangle; its meshes are empty, have only "
      "lines or points, or are not in the scene";
  check_nothing(NOTHING_DRAWN, meshes);
  check_nothing(NOTHING_BUT_LINES, meshes);
  check_nothing(NOTHING_BUT_BONES, "nothing to cook: there is no mesh, only a skeleton or animation");
  check_nothing(NOTHING_AT_ALL, "nothing to cook: the scene is empty");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nodes_parents_first_keeps_its_order),
      cmocka_unit_test(test_nodes_children_first_are_sorted),
      cmocka_unit_test(test_nodes_tracks_follow_and_are_sorted),
      cmocka_unit_test(test_nodes_unused_objects_go),
      cmocka_unit_test(test_nodes_joints_and_ancestors_are_cooked),
      cmocka_unit_test(test_nodes_shared_arrays_are_parted),
      cmocka_unit_test(test_nodes_nothing_to_cook),
  };
  return cmocka_run_group_tests_name("build_nodes", tests, NULL, NULL);
}
