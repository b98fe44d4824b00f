#include <math.h>
#include <string.h>

#include "tests/support/mt_scene.h"
#include "tests/support/mt_spoil.h"

static void spoil_node_transform_not_finite(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->nodes[MT_SPINE].translation[1] = NAN;
}

static void spoil_node_rotation_zero(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->nodes[MT_SPINE].rotation[3] = 0;
}

static void spoil_node_rotation_not_unit(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->nodes[MT_SPINE].rotation[3] = 2;
}

static void spoil_node_scale_negative(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->nodes[MT_HAT].scale[0] = -1;
}

static void spoil_node_scale_zero(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->nodes[MT_HAT].scale[1] = scene->nodes[MT_HAT].scale[2] = 0;
}

static void spoil_node_transform_huge(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->nodes[MT_HIPS].translation[2] = -2e12f;
}

static void spoil_node_depth(cook_job *job, cook_scene *scene) {
  (void)job;
  (void)scene; // the limit is below what the sound scene has
}

static void spoil_node_count(cook_job *job, cook_scene *scene) { spoil_node_depth(job, scene); }

static void spoil_node_weights(cook_job *job, cook_scene *scene, uint32_t n, uint32_t weight_count, float last) {
  cook_node *node = &scene->nodes[n];
  node->weights = JOB_ARRAY(job, float, weight_count);
  node->weights[weight_count - 1] = last;
  node->weight_count = weight_count;
}

static void spoil_node_weight_count(cook_job *job, cook_scene *scene) {
  spoil_node_weights(job, scene, MT_BODY, 3, 0.5f);
}

static void spoil_node_weight_not_finite(cook_job *job, cook_scene *scene) {
  spoil_node_weights(job, scene, MT_BODY, 2, -INFINITY);
}

static void spoil_node_weight_outside(cook_job *job, cook_scene *scene) {
  spoil_node_weights(job, scene, MT_BODY, 2, 1.5f);
}

static void spoil_node_weights_without_mesh(cook_job *job, cook_scene *scene) {
  spoil_node_weights(job, scene, MT_SPINE, 2, 0.5f);
}

static const mt_spoil_case node_cases[] = {
    MT_SPOIL("MPAK-N010", spoil_node_transform_not_finite, MPAK_ERROR, 1,
             "the rest transform of a node is not finite: NaN (component 1)", .primitive = MPAK_NONE,
             .node = "Root/Hips/Spine", .stream = "translation", .element = "component", .index = 1),
    MT_SPOIL("MPAK-N011", spoil_node_rotation_zero, MPAK_ERROR, 1,
             "the rest rotation of a node is none: its length is 0, not 1", .primitive = MPAK_NONE,
             .node = "Root/Hips/Spine", .stream = "rotation"),
    MT_SPOIL("MPAK-N012", spoil_node_rotation_not_unit, MPAK_WARNING, 0,
             "the rest rotation of a node has length 2, not 1; it is taken as the rotation that it points to",
             .primitive = MPAK_NONE, .node = "Root/Hips/Spine", .stream = "rotation"),
    MT_SPOIL("MPAK-N013", spoil_node_scale_negative, MPAK_WARNING, 0,
             "the rest scale of a node mirrors: -1 (component 0)", .primitive = MPAK_NONE,
             .node = "Root/Hips/Spine/Hat", .stream = "scale", .element = "component", .index = 0),
    MT_SPOIL("MPAK-N014", spoil_node_scale_zero, MPAK_INFO, 0,
             "the rest scale of a node is 0 (component 1 and 1 more); what hangs below it is flat or invisible",
             .primitive = MPAK_NONE, .node = "Root/Hips/Spine/Hat", .stream = "scale", .element = "component",
             .index = 1, .more = 1),
    MT_SPOIL("MPAK-N015", spoil_node_transform_huge, MPAK_ERROR, 1,
             "the rest transform of a node is absurdly large: -2e+12 (component 2)", .primitive = MPAK_NONE,
             .node = "Root/Hips", .stream = "translation", .element = "component", .index = 2),
    {.code = "MPAK-N016",
     .name = "spoil_node_depth",
     .spoil = spoil_node_depth,
     .severity = MPAK_ERROR,
     .exit_code = 6,
     .message = "a node lies 3 levels deep, 2 at most are allowed (node 2 and 1 more)",
     .where = {.primitive = MPAK_NONE, .node = "Root/Hips/Spine", .element = "node", .index = 2, .more = 1},
     .limits = {.depth = 2}},
    {.code = "MPAK-N017",
     .name = "spoil_node_count",
     .spoil = spoil_node_count,
     .severity = MPAK_ERROR,
     .exit_code = 6,
     .message = "the scene has 6 nodes, 5 at most are allowed",
     .where = {.primitive = MPAK_NONE},
     .limits = {.nodes = 5}},
    MT_SPOIL("MPAK-N018", spoil_node_weight_count, MPAK_ERROR, 1,
             "a node has default weights for 3 morph targets, but its mesh has 2", .primitive = MPAK_NONE,
             .node = "Root/Body", .mesh = "Body", .stream = "weights"),
    MT_SPOIL("MPAK-N019", spoil_node_weight_not_finite, MPAK_ERROR, 1,
             "a default weight of a node cannot be used: -infinity (target 1)", .primitive = MPAK_NONE,
             .node = "Root/Body", .mesh = "Body", .stream = "weights", .element = "target", .index = 1),
    MT_SPOIL("MPAK-N020", spoil_node_weight_outside, MPAK_INFO, 0,
             "a default weight of a node lies outside 0 to 1: 1.5 (target 1)", .primitive = MPAK_NONE,
             .node = "Root/Body", .mesh = "Body", .stream = "weights", .element = "target", .index = 1),
    MT_SPOIL("MPAK-N021", spoil_node_weights_without_mesh, MPAK_WARNING, 0,
             "a node has default weights of morph targets, but no mesh; they are left out", .primitive = MPAK_NONE,
             .node = "Root/Hips/Spine", .stream = "weights"),
};

mt_spoil_list mt_spoil_nodes(void) { return (mt_spoil_list){node_cases, sizeof node_cases / sizeof node_cases[0]}; }
