#include "tests/support/mt_scene.h"
#include "tests/support/mt_spoil.h"

static void spoil_name_not_utf8(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->materials[1].name = "Fe\xFFlt";
}

static void spoil_name_too_long(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->nodes[MT_HAT].name = "Very long hat";
}

static void spoil_node_names_repeated(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->nodes[MT_SPINE].name = "Hips";
  scene->nodes[MT_HAT].name = "Hips";
}

static void spoil_mesh_names_repeated(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->meshes[1].name = "Body";
}

static void spoil_clip_names_repeated(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->clips[1].name = "Idle";
}

static void spoil_target_name_empty(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->meshes[0].control_names[1] = "";
}

static void spoil_target_name_repeated(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->meshes[0].control_names[1] = "Smile";
}

static void spoil_target_names_absent(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->meshes[0].control_names[0] = NULL;
  scene->meshes[0].control_names[1] = NULL;
}

static void spoil_target_names_too_few(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->meshes[0].control_names[1] = NULL;
}

static const mt_spoil_case name_cases[] = {
    MT_SPOIL("MPAK-N001", spoil_name_not_utf8, MPAK_ERROR, 1, "a name is not UTF-8: \"Fe\\xFFlt\"",
             .primitive = MPAK_NONE, .material = "Fe\\xFFlt"),
    {.code = "MPAK-N002",
     .name = "spoil_name_too_long",
     .spoil = spoil_name_too_long,
     .severity = MPAK_ERROR,
     .exit_code = 6,
     .message = "a name has 13 bytes, 12 at most are allowed",
     .where = {.primitive = MPAK_NONE, .node = "Root/Hips/Spine/Very long hat"},
     .limits = {.name_bytes = 12}},
    MT_SPOIL("MPAK-N003", spoil_node_names_repeated, MPAK_INFO, 0,
             "a node has the name of one before it: \"Hips\" (node 2 and 1 more)", .primitive = MPAK_NONE,
             .node = "Root/Hips/Hips", .element = "node", .index = 2, .more = 1),
    MT_SPOIL("MPAK-N004", spoil_mesh_names_repeated, MPAK_INFO, 0,
             "a mesh has the name of one before it: \"Body\" (mesh 1)", .primitive = MPAK_NONE,
             .node = "Root/Hips/Spine/Hat", .mesh = "Body", .element = "mesh", .index = 1),
    MT_SPOIL("MPAK-N005", spoil_clip_names_repeated, MPAK_INFO, 0,
             "a clip has the name of one before it: \"Idle\" (clip 1)", .primitive = MPAK_NONE, .clip = "Idle",
             .element = "clip", .index = 1),
    MT_SPOIL("MPAK-N006", spoil_target_name_empty, MPAK_WARNING, 0, "a morph target has an empty name (target 1)",
             .primitive = MPAK_NONE, .node = "Root/Body", .mesh = "Body", .target = "target_1", .element = "target",
             .index = 1),
    MT_SPOIL("MPAK-N007", spoil_target_name_repeated, MPAK_WARNING, 0,
             "two morph targets of a mesh have the same name: \"Smile\" (target 1)", .primitive = MPAK_NONE,
             .node = "Root/Body", .mesh = "Body", .target = "Smile", .element = "target", .index = 1),
    MT_SPOIL("MPAK-N008", spoil_target_names_absent, MPAK_INFO, 0,
             "the morph targets have no names (target 0 and 1 more)", .primitive = MPAK_NONE, .node = "Root/Body",
             .mesh = "Body", .element = "target", .index = 0, .more = 1),
    MT_SPOIL("MPAK-N009", spoil_target_names_too_few, MPAK_WARNING, 0,
             "some morph targets have no name, others have one (target 1)", .primitive = MPAK_NONE, .node = "Root/Body",
             .mesh = "Body", .target = "target_1", .element = "target", .index = 1),
};

mt_spoil_list mt_spoil_names(void) { return (mt_spoil_list){name_cases, sizeof name_cases / sizeof name_cases[0]}; }

mt_spoil_list mt_spoil_list_at(uint32_t i) {
  static mt_spoil_list (*const lists[MT_SPOIL_LIST_COUNT])(void) = {mt_spoil_names,   mt_spoil_nodes, mt_spoil_mesh,
                                                                    mt_spoil_targets, mt_spoil_skin,  mt_spoil_clips};
  return lists[i]();
}
