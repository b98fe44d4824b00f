// Every issue that the glTF reader gives for what a glTF says, each by a character with one fault.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/mt_gltf_case.h"

/// Target Smile gets a sparse part whose second index is 4, with 4 vertices.
static void build_sparse_outside(mt_gltf *gltf) {
  static const uint16_t outside[2] = {1, 4};
  mt_gltf_view(gltf, outside, sizeof outside, "");
  mt_gltf_patch(gltf, "{'bufferView':8,'componentType':5126,'count':4,",
                "{'bufferView':8,'componentType':5126,'count':4,'sparse':{'count':2,'indices':{"
                "'bufferView':15,'componentType':5123},'values':{'bufferView':0}},");
}

static void build_index_outside(mt_gltf *gltf) { mt_gltf_view_bytes(gltf, 7)[4] = 9; }

/// The second joint's matrix gets 0.5 at the end of its second column.
static void build_inverse_bind_row(mt_gltf *gltf) {
  const float half = 0.5f;
  memcpy(mt_gltf_view_bytes(gltf, 11) + 64 + 7 * sizeof half, &half, sizeof half);
}

static void build_extension_used(mt_gltf *gltf) { mt_gltf_add(gltf, "extensionsUsed", "'ACME_stickers'"); }

static const mt_gltf_case cases[] = {
    {.name = "wrong_json_type",
     .id = MPAK_G001,
     .line = "error: node \"Root\" /nodes/0/children: this is a number, but must be an array",
     .patches = {{"'children':[1,3]", "'children':1"}}},
    {.name = "property_missing",
     .id = MPAK_G002,
     .line = "error: mesh \"Face\" primitive 0 /accessors/3/count: the property count is missing",
     .patches = {{"'count':4,'type':'VEC2'", "'type':'VEC2'"}}},
    {.name = "reference_out_of_range",
     .id = MPAK_G003,
     .line = "error: skin \"Rig\" /skins/0/joints/1: the index 50 points to nothing: there are 4 nodes",
     .patches = {{"'joints':[1,2]", "'joints':[1,50]"}}},
    {.name = "number_out_of_range",
     .id = MPAK_G004,
     .line = "error: node \"Root/Hips/Spine\" clip \"Idle\" /accessors/12/byteOffset: the number is -4, but must be a "
             "whole number from 0 to 9007199254740992",
     .patches = {{"{'bufferView':12,'componentType':5126,'count':3,'type':'SCALAR'}",
                  "{'bufferView':12,'byteOffset':-4,'componentType':5126,'count':3,'type':'SCALAR'}"}}},
    {.name = "view_past_buffer",
     .id = MPAK_G005,
     .line = "error: /bufferViews/0: bytes 0 to 99999 are asked for, but the buffer has only 656 bytes",
     .patches = {{"'byteOffset':0,'byteLength':48", "'byteOffset':0,'byteLength':99999"}}},
    {.name = "accessor_past_view",
     .id = MPAK_G006,
     .line = "error: mesh \"Face\" primitive 0 /accessors/0: 4294967280 elements from byte 0 need 51539607360 bytes, "
             "but the bufferView has only 48 bytes",
     .patches = {{"{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3'}",
                  "{'bufferView':0,'componentType':5126,'count':4294967280,'type':'VEC3'}"}}},
    {.name = "accessor_empty",
     .id = MPAK_G007,
     .line = "error: mesh \"Face\" primitive 0 /accessors/0: the POSITION data has no elements",
     .patches = {{"{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3'}",
                  "{'bufferView':0,'componentType':5126,'count':0,'type':'VEC3'}"}}},
    {.name = "accessor_wrong_shape",
     .id = MPAK_G008,
     .line = "error: mesh \"Face\" primitive 0 target \"Smile\" /accessors/8: the data is VEC2, but must be VEC3 for "
             "POSITION of a target",
     .patches = {{"{'bufferView':8,'componentType':5126,'count':4,'type':'VEC3'}",
                  "{'bufferView':8,'componentType':5126,'count':4,'type':'VEC2'}"}}},
    {.name = "accessor_wrong_component",
     .id = MPAK_G009,
     .line = "error: mesh \"Face\" primitive 0 /accessors/5: component type 5120 (byte) is not allowed for JOINTS",
     .patches = {{"{'bufferView':5,'componentType':5121,'count':4,'type':'VEC4'}",
                  "{'bufferView':5,'componentType':5120,'count':4,'type':'VEC4'}"}}},
    {.name = "accessor_unknown_type",
     .id = MPAK_G010,
     .line = "error: mesh \"Face\" primitive 0 target \"Smile\" /accessors/8/type: the type VEC5 does not exist; "
             "possible: SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4",
     .patches = {{"{'bufferView':8,'componentType':5126,'count':4,'type':'VEC3'}",
                  "{'bufferView':8,'componentType':5126,'count':4,'type':'VEC5'}"}}},
    {.name = "sparse_count",
     .id = MPAK_G011,
     .line = "error: mesh \"Face\" primitive 0 target \"Smile\" /accessors/8/sparse/count: the number of sparse "
             "elements is 5, possible: 1 to 4",
     .patches = {{"{'bufferView':8,'componentType':5126,'count':4,'type':'VEC3'}",
                  "{'bufferView':8,'componentType':5126,'count':4,'type':'VEC3','sparse':{'count':5,'indices':{'"
                  "bufferView':7,'componentType':5123},'values':{'bufferView':0}}}"}}},
    {.name = "sparse_unsorted",
     .id = MPAK_G012,
     .line = "warning: mesh \"Face\" primitive 0 target \"Smile\" /accessors/8/sparse: the sparse indices are not in "
             "ascending order; later values replace earlier ones",
     .patches = {{"{'bufferView':8,'componentType':5126,'count':4,'type':'VEC3'}",
                  "{'bufferView':8,'componentType':5126,'count':4,'type':'VEC3','sparse':{'count':3,'indices':{'"
                  "bufferView':7,'byteOffset':6,'componentType':5123},'values':{'bufferView':0}}}"}}},
    {.name = "sparse_index_out_of_range",
     .id = MPAK_G013,
     .line = "error: mesh \"Face\" primitive 0 target \"Smile\" /accessors/8/sparse: sparse index 1 is 4, but there "
             "are 4 elements",
     .build = build_sparse_outside},
    {.name = "stride_too_small",
     .id = MPAK_G014,
     .line = "error: mesh \"Face\" primitive 0 /accessors/0: the byteStride 8 is smaller than an element of 12 bytes",
     .patches = {{"'byteOffset':0,'byteLength':48", "'byteOffset':0,'byteLength':48,'byteStride':8"}}},
    {.name = "attribute_count",
     .id = MPAK_G015,
     .line = "error: mesh \"Face\" primitive 0 /meshes/0/primitives/0/attributes/TEXCOORD_0: TEXCOORD_0 has 3 "
             "elements, but POSITION has 4",
     .patches = {{"'count':4,'type':'VEC2'", "'count':3,'type':'VEC2'"}}},
    {.name = "target_count_of_vertices",
     .id = MPAK_G016,
     .line = "error: mesh \"Face\" primitive 0 target \"Blink\" /meshes/0/primitives/0/targets/1/POSITION: POSITION "
             "has 3 elements, but the base mesh has 4",
     .patches = {{"{'bufferView':10,'componentType':5126,'count':4,'type':'VEC3'}",
                  "{'bufferView':10,'componentType':5126,'count':3,'type':'VEC3'}"}}},
    {.name = "target_without_base",
     .id = MPAK_G017,
     .line = "error: mesh \"Face\" primitive 0 target \"Smile\" /meshes/0/primitives/0/targets/0/NORMAL: the target "
             "changes NORMAL, but the base mesh has none",
     .patches = {{"'NORMAL':1,", ""}}},
    {.name = "target_extra_attribute",
     .id = MPAK_G018,
     .line = "warning: mesh \"Face\" primitive 0 target \"Blink\" /meshes/0/primitives/0/targets/1/TEXCOORD_0: the "
             "target's TEXCOORD_0 is not kept: packs hold position, normal and tangent of targets",
     .patches = {{"{'POSITION':10}", "{'POSITION':10,'TEXCOORD_0':3}"}}},
    {.name = "target_counts_differ",
     .id = MPAK_G019,
     .line = "error: mesh \"Face\" primitive 0 /meshes/0: the primitive has 1 target(s), but others of the mesh have 2",
     .patches = {{"'primitives':[",
                  "'primitives':[{'attributes':{'POSITION':0},'indices':7,'targets':[{'POSITION':8}]},"}}},
    {.name = "targets_in_some_primitives",
     .id = MPAK_G020,
     .line = "warning: mesh \"Face\" primitive 0 /meshes/0: the primitive has no targets, but others of the mesh have "
             "2; it stays unmoved",
     .patches = {{"'primitives':[", "'primitives':[{'attributes':{'POSITION':0},'indices':7},"}}},
    {.name = "mesh_weight_count",
     .id = MPAK_G021,
     .line = "error: mesh \"Face\" /meshes/0/weights: the mesh has 1 default weight(s) for 2 target(s)",
     .patches = {{"'weights':[0.25,0]", "'weights':[0.25]"}}},
    {.name = "node_weight_count",
     .id = MPAK_G022,
     .line = "error: node \"Root/Body\" /nodes/3/weights: the node has 3 weight(s) for the 2 target(s) of its mesh",
     .patches = {{"'mesh':0,'skin':0", "'mesh':0,'skin':0,'weights':[1,2,3]"}}},
    {.name = "target_names_too_many",
     .id = MPAK_G023,
     .line = "warning: mesh \"Face\" /meshes/0: there are 3 target names for 2 target(s); the last ones are ignored",
     .patches = {{"['Smile','Blink']", "['Smile','Blink','Old']"}}},
    {.name = "target_names_no_list",
     .id = MPAK_G024,
     .line = "warning: mesh \"Face\" /meshes/0/extras/targetNames: targetNames is a text instead of a list of names "
             "and is ignored",
     .patches = {{"['Smile','Blink']", "'Smile'"}}},
    {.name = "primitive_without_triangles",
     .id = MPAK_G025,
     .line = "warning: mesh \"Face\" primitive 0 /meshes/0/primitives/0: the primitive is made of lines and is "
             "dropped: packs hold triangles",
     .patches = {{"'primitives':[", "'primitives':[{'attributes':{'POSITION':0},'mode':1},"}}},
    {.name = "primitive_without_positions",
     .id = MPAK_G026,
     .line = "warning: mesh \"Face\" primitive 0 /meshes/0/primitives/0: the primitive has no POSITION and is dropped",
     .patches = {{"'primitives':[", "'primitives':[{'attributes':{'NORMAL':1}},"}}},
    {.name = "primitive_mode",
     .id = MPAK_G027,
     .line = "error: mesh \"Face\" primitive 0 /meshes/0/primitives/0/mode: the primitive mode 7 does not exist; "
             "possible: 0 to 6",
     .patches = {{"'indices':7", "'indices':7,'mode':7"}}},
    {.name = "indices_not_triangles",
     .id = MPAK_G028,
     .line = "error: mesh \"Face\" primitive 0 /meshes/0/primitives/0/indices: 5 indices do not make whole triangles",
     .patches = {{"{'bufferView':7,'componentType':5123,'count':6,'type':'SCALAR'}",
                  "{'bufferView':7,'componentType':5123,'count':5,'type':'SCALAR'}"}}},
    {.name = "indices_too_few",
     .id = MPAK_G029,
     .line = "error: mesh \"Face\" primitive 0 /meshes/0/primitives/0/indices: 2 indices do not make a triangle",
     .patches = {{"{'bufferView':7,'componentType':5123,'count':6,'type':'SCALAR'}",
                  "{'bufferView':7,'componentType':5123,'count':2,'type':'SCALAR'}"},
                 {"'indices':7", "'indices':7,'mode':5"}}},
    {.name = "index_out_of_range",
     .id = MPAK_G030,
     .line = "error: mesh \"Face\" primitive 0 /meshes/0/primitives/0/indices: index 2 is 9, but there are 4 vertices",
     .build = build_index_outside},
    {.name = "joints_without_weights",
     .id = MPAK_G031,
     .line = "error: mesh \"Face\" primitive 0 /meshes/0/primitives/0/attributes/JOINTS_0: JOINTS_0 has no WEIGHTS of "
             "the same number",
     .patches = {{",'WEIGHTS_0':6", ""}}},
    {.name = "weights_without_joints",
     .id = MPAK_G032,
     .line = "error: mesh \"Face\" primitive 0 /meshes/0/primitives/0/attributes/WEIGHTS_0: WEIGHTS_0 has no JOINTS of "
             "the same number",
     .patches = {{"'JOINTS_0':5,", ""}}},
    {.name = "joint_sets_with_gap",
     .id = MPAK_G033,
     .line = "error: mesh \"Face\" primitive 0 /meshes/0/primitives/0/attributes/JOINTS_2: JOINTS_2 follows a gap: "
             "sets are numbered from 0 without gaps",
     .patches = {{"'JOINTS_0':5,'WEIGHTS_0':6", "'JOINTS_0':5,'WEIGHTS_0':6,'JOINTS_2':5,'WEIGHTS_2':6"}}},
    {.name = "joint_sets_too_many",
     .id = MPAK_G034,
     .line = "warning: mesh \"Face\" primitive 0 /meshes/0/primitives/0/attributes/JOINTS_3: JOINTS_3 is not kept: a "
             "vertex has at most 12 influences",
     .patches = {{"'WEIGHTS_0':6",
                  "'WEIGHTS_0':6,'JOINTS_1':5,'WEIGHTS_1':6,'JOINTS_2':5,'WEIGHTS_2':6,'JOINTS_3':5,'WEIGHTS_3':6"}}},
    {.name = "attribute_dropped",
     .id = MPAK_G035,
     .line = "warning: mesh \"Face\" primitive 0 /meshes/0/primitives/0/attributes/TEXCOORD_4: TEXCOORD_4 is not kept: "
             "packs hold POSITION, NORMAL, TANGENT, TEXCOORD_0 to 3, COLOR_0, JOINTS and WEIGHTS_0 to 2",
     .patches = {{"'attributes':{'POSITION':0,", "'attributes':{'POSITION':0,'TEXCOORD_4':3,"}}},
    {.name = "attribute_custom",
     .id = MPAK_G037,
     .line = "info: mesh \"Face\" primitive 0 /meshes/0/primitives/0/attributes/_MASK: the custom attribute _MASK is "
             "not kept",
     .patches = {{"'attributes':{'POSITION':0,", "'attributes':{'POSITION':0,'_MASK':3,"}}},
    {.name = "node_cycle",
     .id = MPAK_G038,
     .line = "error: node \"Spine/Hips\" /nodes/1: the node is its own ancestor",
     .patches = {{"'name':'Spine'", "'name':'Spine','children':[1]"}, {"'children':[1,3]", "'children':[3]"}}},
    {.name = "node_two_parents",
     .id = MPAK_G039,
     .line = "error: node \"Root/Body\" /nodes/1/children/1: the node is listed as a child twice, of \"Root\" and of "
             "\"Hips\"",
     .patches = {{"'children':[2]", "'children':[2,3]"}}},
    {.name = "node_too_deep",
     .id = MPAK_G040,
     .line = "error: node \"Root/Hips/Spine\" /nodes/2: the node stands 3 levels below the root, the limit is 2",
     .limits = {.depth = 2}},
    {.name = "too_many_objects",
     .id = MPAK_G041,
     .line = "error: /nodes: there are 4 nodes, the limit is 3",
     .limits = {.nodes = 3}},
    {.name = "name_too_long",
     .id = MPAK_G042,
     .line = "error: node \"node_2\" /nodes/2/name: the name has 17 bytes, the limit is 16 bytes",
     .patches = {{"'name':'Spine'", "'name':'Spine of the hero'"}},
     .limits = {.name_bytes = 16}},
    {.name = "name_no_text",
     .id = MPAK_G043,
     .line = "warning: node \"node_2\" /nodes/2/name: the name is a number instead of a text and is ignored",
     .patches = {{"'name':'Spine'", "'name':5"}}},
    {.name = "node_without_mesh",
     .id = MPAK_G044,
     .line = "warning: node \"Root/Hips/Spine\" /nodes/2: the node has a skin but no mesh; ignored",
     .patches = {{"'name':'Spine'", "'name':'Spine','skin':0"}}},
    {.name = "matrix_not_affine",
     .id = MPAK_G045,
     .line = "error: node \"Root/Hips/Spine\" /nodes/2/matrix: the last row of the matrix is not 0 0 0 1",
     .patches = {{"'name':'Spine','translation':[0,1,0]",
                  "'name':'Spine','matrix':[1,0,0,1,0,1,0,0,0,0,1,0,0,1,0,1]"}}},
    {.name = "matrix_and_trs",
     .id = MPAK_G046,
     .line = "warning: node \"Root/Hips\" /nodes/1: the node has a matrix as well as translation, rotation or "
             "scale; the matrix counts",
     .patches = {{"'name':'Hips'", "'name':'Hips','matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,1,0,1]"}}},
    {.name = "matrix_animated",
     .id = MPAK_G047,
     .line = "warning: node \"Root/Hips/Spine\" clip \"Idle\" /animations/0/channels/0: a clip moves the node although "
             "its rest pose is a matrix; the matrix is taken as translation, rotation and scale",
     .patches = {{"'name':'Spine','translation':[0,1,0]",
                  "'name':'Spine','matrix':[1,0.0001,0,0,0,1,0,0,0,0,1,0,0,1,0,1]"}}},
    {.name = "matrix_animated_sheared",
     .id = MPAK_G048,
     .line = "error: node \"Root/Hips/Spine\" clip \"Idle\" /animations/0/channels/0: a clip moves the node, but its "
             "rest pose is a matrix that is no translation, rotation and scale",
     .patches = {{"'name':'Spine','translation':[0,1,0]",
                  "'name':'Spine','matrix':[1,0.5,0,0,0,1,0,0,0,0,1,0,0,1,0,1]"}}},
    {.name = "skin_without_joints",
     .id = MPAK_G049,
     .line = "error: skin \"Rig\" /skins/0: the skin has no joints",
     .patches = {{"'joints':[1,2]", "'joints':[]"}}},
    {.name = "inverse_binds_too_few",
     .id = MPAK_G050,
     .line = "error: skin \"Rig\" /skins/0/inverseBindMatrices: the number of inverse bind matrices is 2, but there "
             "are 3 joints",
     .patches = {{"'joints':[1,2]", "'joints':[1,2,0]"}}},
    {.name = "inverse_bind_not_affine",
     .id = MPAK_G051,
     .line = "warning: skin \"Rig\" /skins/0/inverseBindMatrices: the inverse bind matrix of joint 1 has a last row "
             "other than 0 0 0 1, which is taken for it",
     .build = build_inverse_bind_row},
    {.name = "interpolation_unknown",
     .id = MPAK_G052,
     .line = "warning: node \"Root/Body\" clip \"Idle\" /animations/0/samplers/1/interpolation: the interpolation 0 "
             "does not exist; LINEAR is used",
     .patches = {{"'interpolation':'STEP'", "'interpolation':0"}}},
    {.name = "key_count",
     .id = MPAK_G053,
     .line = "error: node \"Root/Body\" clip \"Idle\" /animations/0/samplers/1: 5 values for 3 keys, but 6 are needed",
     .patches = {{"{'bufferView':14,'componentType':5126,'count':6,'type':'SCALAR'}",
                  "{'bufferView':14,'componentType':5126,'count':5,'type':'SCALAR'}"}}},
    {.name = "weights_without_targets",
     .id = MPAK_G054,
     .line = "warning: node \"Root/Hips/Spine\" clip \"Idle\" /animations/0/channels/1: the clip drives the morph "
             "targets of a node that has none; ignored",
     .patches = {{"'node':3,'path':'weights'", "'node':2,'path':'weights'"}}},
    {.name = "channel_twice",
     .id = MPAK_G055,
     .line = "warning: node \"Root/Hips/Spine\" clip \"Idle\" /animations/0/channels/1: the clip drives the same "
             "property of the node twice; the last channel counts",
     .patches = {{"'channels':[", "'channels':[{'sampler':0,'target':{'node':2,'path':'rotation'}},"}}},
    {.name = "channel_path_unknown",
     .id = MPAK_G056,
     .line = "warning: clip \"Idle\" /animations/0/channels/1/target/path: the clip drives visibility, which glTF does "
             "not know; ignored",
     .patches = {{"'path':'weights'", "'path':'visibility'"}}},
    {.name = "channel_pointer",
     .id = MPAK_G057,
     .line = "warning: clip \"Idle\" /animations/0/channels/0/target/path: the file animates other properties than "
             "nodes and targets (KHR_animation_pointer); those curves are not kept",
     .patches = {{"'channels':[",
                  "'channels':[{'sampler':0,'target':{'path':'pointer'}},{'sampler':1,'target':{'path':'pointer'}},"}}},
    {.name = "channel_without_node",
     .id = MPAK_G058,
     .line = "info: clip \"Idle\" /animations/0/channels/0: a channel of the clip names no node and is ignored",
     .patches = {{"'channels':[", "'channels':[{'sampler':0,'target':{'path':'rotation'}},"}}},
    {.name = "quantization_undeclared",
     .id = MPAK_G059,
     .line = "warning: mesh \"Face\" primitive 0 target \"Blink\" /accessors/10: component type normalized 5122 "
             "(short) for POSITION of a target needs the extension KHR_mesh_quantization, which the file does not "
             "declare; it is read all the same",
     .patches = {{"{'bufferView':10,'componentType':5126,'count':4,'type':'VEC3'}",
                  "{'bufferView':10,'componentType':5122,'count':4,'type':'VEC3','normalized':true}"}}},
    {.name = "scene_node_not_root",
     .id = MPAK_G060,
     .line = "warning: node \"Root/Hips/Spine\" /scenes/0/nodes/1: the scene lists the node although it has a parent; "
             "the node is taken together with its ancestors' transforms",
     .patches = {{"'nodes':[0]", "'nodes':[0,2]"}}},
    {.name = "extension_ignored",
     .id = MPAK_G061,
     .line = "info: /extensionsUsed/0: the extension ACME_stickers is not known to this version and is ignored",
     .build = build_extension_used},
    {.name = "too_many_bytes",
     .id = MPAK_G062,
     .line = "error: skin \"Rig\" /accessors/11: the decoded data is larger than the limit of 500 bytes",
     .limits = {.dense_bytes = 500}},
    {.name = "too_many_vertices",
     .id = MPAK_G063,
     .line = "error: mesh \"Face\" primitive 0 /meshes/0/primitives/0/attributes/POSITION: there are 4 vertices, the "
             "limit is 3",
     .limits = {.vertices = 3}},
    {.name = "alpha_mode_unknown",
     .id = MPAK_G064,
     .line = "warning: material \"Skin\" /materials/0/alphaMode: the alpha mode CUTOUT does not exist; OPAQUE is used",
     .patches = {{"'MASK'", "'CUTOUT'"}}},
    {.name = "component_type_odd",
     .id = MPAK_G065,
     .line = "warning: mesh \"Face\" primitive 0 target \"Blink\" /accessors/10: glTF does not allow component type "
             "5123 (unsigned short) for POSITION of a target; it is read all the same",
     .patches = {{"{'bufferView':10,'componentType':5126,'count':4,'type':'VEC3'}",
                  "{'bufferView':10,'componentType':5123,'count':4,'type':'VEC3'}"}}},
    {.name = "sparse_nothing",
     .id = MPAK_G066,
     .line = "warning: mesh \"Face\" primitive 0 target \"Smile\" /accessors/8/sparse/count: the sparse part replaces "
             "no element, which glTF does not allow; ignored",
     .patches = {{"{'bufferView':8,'componentType':5126,'count':4,'type':'VEC3'}",
                  "{'bufferView':8,'componentType':5126,'count':4,'type':'VEC3','sparse':{'count':0}}"}}},
    {.name = "instancing",
     .id = MPAK_G067,
     .line = "warning: node \"Root/Hips/Spine\" /nodes/2/extensions/EXT_mesh_gpu_instancing: the extension "
             "EXT_mesh_gpu_instancing draws the mesh of the node at several places; only the one of the node itself is "
             "kept",
     .patches = {{"'name':'Spine'", "'name':'Spine','extensions':{'EXT_mesh_gpu_instancing':{}}"}}},
};

static bool is_gltf_issue(const char *code) { return code[5] == 'G'; }

#define CASE_COUNT (sizeof cases / sizeof cases[0])

static void test_gltf_content_faults_give_exactly_their_issue(void **state) {
  (void)state;
  for (size_t i = 0; i < CASE_COUNT; i++) mt_gltf_case_check(&cases[i]);
}

static void test_gltf_content_issues_all_have_a_case(void **state) {
  (void)state;
  mt_gltf_cases_cover(cases, CASE_COUNT, is_gltf_issue);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gltf_content_faults_give_exactly_their_issue),
      cmocka_unit_test(test_gltf_content_issues_all_have_a_case),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
