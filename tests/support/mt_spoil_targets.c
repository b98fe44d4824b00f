#include <math.h>
#include <string.h>

#include "tests/support/mt_scene.h"
#include "tests/support/mt_spoil.h"

static cook_target *spoil_target(cook_scene *scene, uint32_t primitive, uint32_t target) {
  return &scene->meshes[0].primitives[primitive].targets[target];
}

static void spoil_delta_huge(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_target(scene, 0, 1)->position_deltas[7][0] = 4e12f;
}

static void spoil_target_idle(cook_job *job, cook_scene *scene) {
  (void)job;
  for (uint32_t p = 0; p < 2; p++) *spoil_target(scene, p, 1) = (cook_target){0};
}

static void spoil_position_delta_nan(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_target(scene, 1, 0)->position_deltas[2][1] = NAN;
  spoil_target(scene, 1, 0)->position_deltas[5][1] = -INFINITY;
}

static void spoil_normal_delta_nan(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_target(scene, 0, 1)->normal_deltas[8][0] = NAN;
}

static void spoil_tangent_delta_nan(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_target(scene, 0, 1)->tangent_deltas[8][2] = INFINITY;
}

static void spoil_target_normals_still(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_target(scene, 0, 0)->normal_deltas = NULL;
  memset(spoil_target(scene, 0, 1)->normal_deltas, 0, 9 * sizeof(float[3]));
}

static void spoil_default_weight_nan(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->meshes[0].default_weights[1] = NAN;
}

static void spoil_default_weight_outside(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->meshes[0].default_weights[0] = -0.5f;
}

static void spoil_target_count(cook_job *job, cook_scene *scene) {
  (void)job;
  (void)scene; // the limit is below what the sound scene has
}

static void spoil_target_counts_differ(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->meshes[0].primitives[1].target_count = 1;
}

static const mt_spoil_case target_cases[] = {
    MT_SPOIL("MPAK-M010", spoil_delta_huge, MPAK_ERROR, 1, "delta of vertex 7 is absurdly large: 4e+12",
             .node = "Root/Body", .mesh = "Body", .primitive = 0, .target = "Blink", .stream = "POSITION",
             .element = "vertex", .index = 7),
    MT_SPOIL("MPAK-M011", spoil_target_idle, MPAK_INFO, 0, "a morph target changes nothing (target 1)",
             .primitive = MPAK_NONE, .node = "Root/Body", .mesh = "Body", .target = "Blink", .element = "target",
             .index = 1),
    MT_SPOIL("MPAK-M012", spoil_position_delta_nan, MPAK_ERROR, 1,
             "position delta of vertex 2 and 1 more is not finite: NaN", .node = "Root/Body", .mesh = "Body",
             .primitive = 1, .target = "Smile", .stream = "POSITION", .element = "vertex", .index = 2, .more = 1),
    MT_SPOIL("MPAK-M013", spoil_normal_delta_nan, MPAK_ERROR, 1, "normal delta of vertex 8 is not finite: NaN",
             .node = "Root/Body", .mesh = "Body", .primitive = 0, .target = "Blink", .stream = "NORMAL",
             .element = "vertex", .index = 8),
    MT_SPOIL("MPAK-M014", spoil_tangent_delta_nan, MPAK_ERROR, 1, "tangent delta of vertex 8 is not finite: infinity",
             .node = "Root/Body", .mesh = "Body", .primitive = 0, .target = "Blink", .stream = "TANGENT",
             .element = "vertex", .index = 8),
    MT_SPOIL("MPAK-M015", spoil_target_normals_still, MPAK_INFO, 0,
             "a morph target moves positions but no normal (target 0 and 1 more)", .node = "Root/Body", .mesh = "Body",
             .primitive = 0, .target = "Smile", .stream = "NORMAL", .element = "target", .index = 0, .more = 1),
    MT_SPOIL("MPAK-M021", spoil_default_weight_nan, MPAK_ERROR, 1,
             "a default weight of a morph target cannot be used: NaN (target 1)", .primitive = MPAK_NONE,
             .node = "Root/Body", .mesh = "Body", .stream = "weights", .element = "target", .index = 1),
    MT_SPOIL("MPAK-M022", spoil_default_weight_outside, MPAK_INFO, 0,
             "a default weight of a morph target lies outside 0 to 1: -0.5 (target 0)", .primitive = MPAK_NONE,
             .node = "Root/Body", .mesh = "Body", .stream = "weights", .element = "target", .index = 0),
    {.code = "MPAK-M023",
     .name = "spoil_target_count",
     .spoil = spoil_target_count,
     .severity = MPAK_ERROR,
     .exit_code = 6,
     .message = "the mesh has 2 morph targets, 1 at most are allowed",
     .where = {.primitive = MPAK_NONE, .node = "Root/Body", .mesh = "Body"},
     .limits = {.targets = 1}},
    MT_SPOIL("MPAK-M025", spoil_target_counts_differ, MPAK_ERROR, 1,
             "the primitive has 1 morph targets, but its mesh has 2", .node = "Root/Body", .mesh = "Body",
             .primitive = 1),
};

mt_spoil_list mt_spoil_targets(void) {
  return (mt_spoil_list){target_cases, sizeof target_cases / sizeof target_cases[0]};
}
