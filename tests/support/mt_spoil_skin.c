#include <math.h>
#include <string.h>

#include "tests/support/mt_scene.h"
#include "tests/support/mt_spoil.h"

/// The four weights of vertex v of the first primitive of Body.
static float *spoil_weights(cook_scene *scene, uint32_t v) { return scene->meshes[0].primitives[0].weights + 4 * v; }
static uint16_t *spoil_joints(cook_scene *scene, uint32_t v) { return scene->meshes[0].primitives[0].joints + 4 * v; }

static void spoil_joint_count(cook_job *job, cook_scene *scene) {
  (void)job;
  (void)scene; // the limit is below what the sound scene has
}

static void spoil_skin_without_joints(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->skins[0].joint_count = 0;
}

static void spoil_joint_repeated(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->skins[0].joints[1] = MT_HIPS;
}

static void spoil_inverse_bind_nan(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->skins[0].inverse_binds[1][11] = NAN;
}

static void spoil_inverse_bind_huge(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->skins[0].inverse_binds[0][3] = 1e20f;
}

static void spoil_inverse_bind_singular(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->skins[0].inverse_binds[1][10] = 0;
}

static void spoil_joint_range(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_joints(scene, 3)[1] = 7;
  spoil_joints(scene, 5)[0] = 2;
}

static void spoil_idle_joint_range(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_joints(scene, 3)[2] = 9;
}

static void spoil_weight_nan(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_weights(scene, 6)[1] = NAN;
}

static void spoil_weight_negative(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_weights(scene, 6)[0] = 1.25f;
  spoil_weights(scene, 6)[1] = -0.25f;
}

static void spoil_weight_sum_near(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_weights(scene, 0)[1] = 0.2578125f; // sums to 1.0078125, within a hundredth of 1
}

static void spoil_weight_sum_far(cook_job *job, cook_scene *scene) {
  (void)job;
  for (uint32_t v = 0; v < 9; v++) spoil_weights(scene, v)[0] = 2.75f;
}

static void spoil_weights_all_zero(cook_job *job, cook_scene *scene) {
  (void)job;
  memset(spoil_weights(scene, 8), 0, 4 * sizeof(float));
}

static void spoil_joint_twice_in_vertex(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_joints(scene, 4)[0] = 1;
}

static void spoil_skin_missing(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->nodes[MT_BODY].skin = MPAK_NONE;
}

static void spoil_influences_missing(cook_job *job, cook_scene *scene) {
  (void)job;
  cook_primitive *primitive = &scene->meshes[0].primitives[1];
  primitive->influence_count = 0;
  primitive->joints = NULL;
  primitive->weights = NULL;
}

static void spoil_skin_without_mesh(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->nodes[MT_ROOT].skin = 0;
}

static void spoil_influence_stream_missing(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->meshes[0].primitives[0].weights = NULL;
}

#define ON_FIRST .node = "Root/Body", .mesh = "Body", .primitive = 0, .skin = "Rig"

static const mt_spoil_case skin_cases[] = {
    {.code = "MPAK-S001",
     .name = "spoil_joint_count",
     .spoil = spoil_joint_count,
     .severity = MPAK_ERROR,
     .exit_code = 6,
     .message = "the skin has 2 joints, 1 at most are allowed",
     .where = {.primitive = MPAK_NONE, .skin = "Rig"},
     .limits = {.joints = 1}},
    MT_SPOIL("MPAK-S002", spoil_skin_without_joints, MPAK_ERROR, 1, "the skin has no joints", .primitive = MPAK_NONE,
             .skin = "Rig"),
    MT_SPOIL("MPAK-S003", spoil_joint_repeated, MPAK_WARNING, 0, "a node is a joint of the skin twice (joint 1)",
             .primitive = MPAK_NONE, .node = "Root/Hips", .skin = "Rig", .element = "joint", .index = 1),
    MT_SPOIL("MPAK-S004", spoil_inverse_bind_nan, MPAK_ERROR, 1,
             "the inverse bind matrix of joint 1 is not finite: NaN", .primitive = MPAK_NONE, .skin = "Rig",
             .stream = "inverseBindMatrices", .element = "joint", .index = 1),
    MT_SPOIL("MPAK-S005", spoil_inverse_bind_singular, MPAK_WARNING, 0,
             "the inverse bind matrix of joint 1 cannot be inverted: determinant 0", .primitive = MPAK_NONE,
             .node = "Root/Hips/Spine", .skin = "Rig", .stream = "inverseBindMatrices", .element = "joint", .index = 1),
    MT_SPOIL("MPAK-S006", spoil_joint_range, MPAK_ERROR, 1,
             "a joint of vertex 3 and 1 more does not exist: 7, must be below 2", ON_FIRST, .stream = "JOINTS_0",
             .element = "vertex", .index = 3, .more = 1),
    MT_SPOIL("MPAK-S007", spoil_idle_joint_range, MPAK_INFO, 0,
             "a joint of vertex 3 does not exist, but has no weight: 9, must be below 2", ON_FIRST,
             .stream = "JOINTS_0", .element = "vertex", .index = 3),
    MT_SPOIL("MPAK-S008", spoil_weight_nan, MPAK_ERROR, 1, "a skin weight of vertex 6 is not finite: NaN", ON_FIRST,
             .stream = "WEIGHTS_0", .element = "vertex", .index = 6),
    MT_SPOIL("MPAK-S009", spoil_weight_negative, MPAK_ERROR, 1, "a skin weight of vertex 6 is negative: -0.25",
             ON_FIRST, .stream = "WEIGHTS_0", .element = "vertex", .index = 6),
    MT_SPOIL("MPAK-S010", spoil_weight_sum_near, MPAK_INFO, 0,
             "the skin weights of vertex 0 sum to 1.0078125, not 1; they are normalised", ON_FIRST,
             .stream = "WEIGHTS_0", .element = "vertex", .index = 0),
    MT_SPOIL("MPAK-S011", spoil_weight_sum_far, MPAK_WARNING, 0,
             "the skin weights of vertex 0 and 8 more sum to 3, not 1; they are normalised", ON_FIRST,
             .stream = "WEIGHTS_0", .element = "vertex", .index = 0, .more = 8),
    MT_SPOIL("MPAK-S012", spoil_weights_all_zero, MPAK_WARNING, 0,
             "no skin weight at all on vertex 8; the first joint of the skin takes over", ON_FIRST,
             .stream = "WEIGHTS_0", .element = "vertex", .index = 8),
    MT_SPOIL("MPAK-S013", spoil_joint_twice_in_vertex, MPAK_INFO, 0,
             "a joint moves vertex 4 twice; the weights are added up", ON_FIRST, .stream = "JOINTS_0",
             .element = "vertex", .index = 4),
    MT_SPOIL("MPAK-S014", spoil_skin_missing, MPAK_WARNING, 0,
             "the node draws a mesh with joints and weights, but has no skin; the mesh moves with its node only "
             "(primitive 0 and 1 more)",
             .primitive = MPAK_NONE, .node = "Root/Body", .mesh = "Body", .element = "primitive", .index = 0,
             .more = 1),
    MT_SPOIL("MPAK-S015", spoil_influences_missing, MPAK_WARNING, 0,
             "the node has a skin, but a part of its mesh has no joints and weights; the part moves with its node only "
             "(primitive 1)",
             .primitive = MPAK_NONE, .node = "Root/Body", .mesh = "Body", .skin = "Rig", .element = "primitive",
             .index = 1),
    MT_SPOIL("MPAK-S016", spoil_skin_without_mesh, MPAK_WARNING, 0,
             "the node has a skin, but no mesh; the skin is left out", .primitive = MPAK_NONE, .node = "Root",
             .skin = "Rig"),
    MT_SPOIL("MPAK-S017", spoil_influence_stream_missing, MPAK_ERROR, 1,
             "the primitive has joints alone, but needs joints and weights", .node = "Root/Body", .mesh = "Body",
             .primitive = 0, .stream = "WEIGHTS_0"),
    MT_SPOIL("MPAK-S018", spoil_inverse_bind_huge, MPAK_ERROR, 1,
             "the inverse bind matrix of joint 0 is absurdly large: 1e+20", .primitive = MPAK_NONE, .skin = "Rig",
             .stream = "inverseBindMatrices", .element = "joint", .index = 0),
};

mt_spoil_list mt_spoil_skin(void) { return (mt_spoil_list){skin_cases, sizeof skin_cases / sizeof skin_cases[0]}; }
