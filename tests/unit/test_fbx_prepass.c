// What the pre-pass repairs in an FBX file, one trap of Assimp's after the other, on the character of mt_fbx.h.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/mt_evaluate.h"
#include "tests/support/mt_fbx.h"
#include "tests/support/mt_import.h"
#include "tests/support/mt_require.h"

static cook_job *job;

static int begin(void **state) {
  (void)state;
  job = job_begin(NULL, NULL);
  return job == NULL;
}

static int end(void **state) {
  (void)state;
  job_end(job);
  return 0;
}

static cook_scene *import_repaired(const mt_patch *patches) {
  return mt_require_scene(job, mt_import(job, mt_fbx_file("repaired", patches), NULL));
}

static void assert_vector(const float *value, double x, double y, double z) {
  const double expected[3] = {x, y, z};
  for (int i = 0; i < 3; i++)
    if (!(fabs((double)value[i] - expected[i]) <= 1e-6))
      fail_msg("%d: %g, expected %g", i, (double)value[i], expected[i]);
}

/// The first weight track of clip 0.
static const cook_track *weight_track(const cook_scene *scene) {
  for (uint32_t t = 0; t < scene->clips[0].track_count; t++)
    if (scene->clips[0].tracks[t].path == MPAK_PATH_WEIGHTS) return &scene->clips[0].tracks[t];
  fail_msg("no weight track");
  return NULL;
}

static const mt_patch unchanged[] = {{NULL, NULL}};

/// A second curve, of channel 112: from 100 to 0 while the first goes from 0 to 100.
#define SECOND_CURVE                                                                                                   \
  {"  AnimationCurve: 64,",                                                                                            \
   "  AnimationCurveNode: 66, \"AnimCurveNode::DeformPercent\", \"\" {\n    Properties70:  {\n    }\n  }\n"            \
   "  AnimationCurve: 67, \"AnimCurve::\", \"\" {\n    Default: 0\n    KeyVer: 4009\n"                                 \
   "    KeyTime: *2 {\n      a: 0,46186158000\n    }\n    KeyValueFloat: *2 {\n      a: 100,0\n    }\n"                \
   "    KeyAttrFlags: *1 {\n      a: 24836\n    }\n    KeyAttrDataFloat: *4 {\n      a: 0,0,0,0\n    }\n"              \
   "    KeyAttrRefCount: *1 {\n      a: 2\n    }\n  }\n  AnimationCurve: 64,"},                                        \
  {                                                                                                                    \
    "  C: \"OO\",61,60\n", "  C: \"OO\",61,60\n  C: \"OO\",66,61\n  C: \"OP\",66,112, \"DeformPercent\"\n"             \
                           "  C: \"OP\",67,66, \"d|DeformPercent\"\n"                                                  \
  }

// -- Shapes that Assimp drops -----------------------------------------------------------------------------------------

static void expect_plain_shapes(const cook_scene *scene) {
  const cook_mesh *mesh = &scene->meshes[0];
  assert_int_equal(mesh->control_count, 2);
  assert_int_equal(mesh->target_count, 2);
  assert_null(mesh->rules);
  assert_string_equal(mesh->control_names[0], "Smile");
  assert_string_equal(mesh->control_names[1], "Blink");
  assert_vector(mesh->primitives[0].targets[0].position_deltas[2], 0, 0.5, 0);
  assert_vector(mesh->primitives[0].targets[0].position_deltas[3], 0, 0.25, 0);
  assert_vector(mesh->primitives[0].targets[1].position_deltas[0], -1, 0, 0);
}

/// Maya's 7.7: no normals; they are for the build to compute, so the importer must give none.
static void test_fbx_prepass_shapes_without_normals_are_kept(void **state) {
  (void)state;
  const mt_patch patches[] = {{"    Normals: *6 {\n      a: 0,0,0,0,0,0\n    }\n", ""},
                              {"    Normals: *3 {\n      a: 0,0,-0\n    }\n", ""},
                              {NULL, NULL}};
  const cook_scene *scene = import_repaired(patches);
  assert_string_equal(mt_codes(job, true), "");
  expect_plain_shapes(scene);
  assert_null(scene->meshes[0].primitives[0].targets[0].normal_deltas);
}

/// Fewer normals than vertices make Assimp give up the whole file.
static void test_fbx_prepass_shapes_with_too_few_normals_are_kept(void **state) {
  (void)state;
  const mt_patch patches[] = {{"    Normals: *6 {\n      a: 0,0,0,0,0,0\n", "    Normals: *3 {\n      a: 1,0,-1\n"},
                              {NULL, NULL}};
  const cook_scene *scene = import_repaired(patches);
  expect_plain_shapes(scene);
  assert_null(scene->meshes[0].primitives[0].targets[0].normal_deltas);
}

/// FBX 7.1: shapes are children of their mesh, their weights and curves belong to properties of the mesh.
static void test_fbx_prepass_shapes_inside_the_mesh_are_lifted(void **state) {
  (void)state;
  const mt_patch patches[] = {
      {"FBXVersion: 7400", "FBXVersion: 7100"},
      {"  Geometry: 100, \"Geometry::BodyMesh\", \"Mesh\" {\n",
       "  Geometry: 100, \"Geometry::BodyMesh\", \"Mesh\" {\n    Properties70:  {\n"
       "      P: \"Grin\", \"Number\", \"\", \"A+\",40\n      P: \"Wink\", \"Number\", \"\", \"A+\",0\n    }\n"},
      {"    Layer: 0 {\n", "    Shape: \"Grin\" {\n      Indexes: *1 {\n        a: 1\n      }\n      Vertices: *3 {\n  "
                           "      a: 0,0,3\n      }\n"
                           "      Normals: *3 {\n        a: 0,0,0\n      }\n    }\n"
                           "    Shape: \"Wink\" {\n      Indexes: *1 {\n        a: 3\n      }\n      Vertices: *3 {\n  "
                           "      a: 5,0,0\n      }\n"
                           "    }\n    Layer: 0 {\n"},
      {"  C: \"OO\",110,100\n", ""}, // the deformer of later versions
      {"C: \"OP\",63,111, \"DeformPercent\"", "C: \"OP\",63,100, \"Wink\""},
      {"C: \"OP\",65,63, \"d|DeformPercent\"", "C: \"OP\",65,63, \"d|Wink\""},
      {NULL, NULL}};
  const cook_scene *scene = import_repaired(patches);
  assert_string_equal(mt_codes(job, true), "");
  const cook_mesh *mesh = &scene->meshes[0];
  assert_int_equal(mesh->control_count, 2);
  assert_string_equal(mesh->control_names[0], "Grin");
  assert_string_equal(mesh->control_names[1], "Wink");
  assert_vector((const float[]){mesh->default_weights[0], mesh->default_weights[1], 0}, 0.4, 0, 0);
  assert_vector(mesh->primitives[0].targets[0].position_deltas[1], 0, 0, 3);
  assert_vector(mesh->primitives[0].targets[1].position_deltas[3], 5, 0, 0);
  const cook_track *track = weight_track(scene);
  const uint32_t last = 2 * (track->key_count - 1);
  assert_vector((const float[]){track->values[0], track->values[1], track->values[last + 1]}, 0.4, 0, 1);
}

/// ZBrush connects the deformer twice.
static void test_fbx_prepass_repeated_connections_count_once(void **state) {
  (void)state;
  const mt_patch patches[] = {{"  C: \"OO\",110,100\n", "  C: \"OO\",110,100\n  C: \"OO\",110,100\n"}, {NULL, NULL}};
  expect_plain_shapes(import_repaired(patches));
}

/// A real file of Maya's; the lengths are ufbx's. False when it is not there.
static bool check_mayas_cube(const char *name) {
  char path[4096];
  const char *shared = getenv("MPAK_SHARED") != NULL ? getenv("MPAK_SHARED") : "../shared";
  snprintf(path, sizeof path, "%s/assets/fbx_ufbx/%s", shared, name);
  if (access(path, R_OK) != 0) return false;
  const cook_options own_space = {.up = COOK_UP_SOURCE, .unit = COOK_UNIT_SOURCE};
  cook_job *own = job_begin(NULL, NULL);
  const cook_scene *scene = mt_import(own, path, &own_space);
  assert_non_null(scene);
  const cook_mesh *mesh = &scene->meshes[0];
  assert_int_equal(mesh->control_count, 2);
  assert_string_equal(mesh->control_names[0], "TopH");
  assert_string_equal(mesh->control_names[1], "TopV");
  static const double lengths[2] = {0.316956, 0.283916};
  for (uint32_t t = 0; t < 2; t++) {
    double longest = 0;
    for (uint32_t v = 0; v < mesh->primitives[0].vertex_count; v++) {
      const float *delta = mesh->primitives[0].targets[t].position_deltas[v];
      longest = fmax(longest, hypot(hypot((double)delta[0], (double)delta[1]), (double)delta[2]));
    }
    assert_true(fabs(longest - lengths[t]) < 1e-6);
    float least = INFINITY, most = -INFINITY;
    const cook_track *track = weight_track(scene);
    for (uint32_t k = 0; k < track->key_count; k++) {
      least = fminf(least, track->values[2 * k + t]);
      most = fmaxf(most, track->values[2 * k + t]);
    }
    assert_true(least < 0.01f && most > 0.99f); // both go from 100 to 0 percent and back
  }
  job_end(own);
  return true;
}

static void test_fbx_prepass_mayas_cube_shows_both_shapes(void **state) {
  (void)state;
  const bool has_both = check_mayas_cube("maya_blend_shape_cube_7700_ascii.fbx") &&
                        check_mayas_cube("maya_blend_shape_cube_7700_binary.fbx");
  if (!has_both) print_message("not run: 2 files of Maya's\n");
}

// -- Names ------------------------------------------------------------------------------------------------------------

/// Two joints of one skin with one name: each keeps its own weights.
static void test_fbx_prepass_bones_of_one_name_are_told_apart(void **state) {
  (void)state;
  const mt_patch patches[] = {{"\"Model::Spine\"", "\"Model::Hips\""}, {NULL, NULL}};
  const cook_scene *scene = import_repaired(patches);
  assert_string_equal(mt_codes(job, true), "");
  assert_int_equal(scene->skins[0].joint_count, 2);
  assert_string_equal(scene->nodes[scene->skins[0].joints[0]].name, "Hips");
  assert_string_equal(scene->nodes[scene->skins[0].joints[1]].name, "Hips");
  assert_int_equal(scene->nodes[scene->skins[0].joints[1]].parent, scene->skins[0].joints[0]);
  const cook_primitive *body = &scene->meshes[0].primitives[0];
  for (uint32_t v = 0; v < body->vertex_count; v++) { // corners 0 and 1 are Hips', 2 and 3 half and half
    float sum[2] = {0, 0};
    for (uint32_t i = 0; i < body->influence_count; i++)
      sum[body->joints[v * body->influence_count + i]] += body->weights[v * body->influence_count + i];
    assert_vector((const float[]){sum[0], sum[1], 0}, v < 2 ? 1 : 0.5, v < 2 ? 0 : 0.5, 0);
  }
}

/// A mesh, its node, a bone and a clip of one name, which is a number and some object's id at that.
static void test_fbx_prepass_names_that_look_like_ids_are_names(void **state) {
  (void)state;
  const mt_patch patches[] = {{"\"Model::Body\"", "\"Model::3\""},
                              {"\"Geometry::BodyMesh\"", "\"Geometry::3\""},
                              {"\"Model::Hips\"", "\"Model::111\""},
                              {"\"AnimStack::Act\"", "\"AnimStack::3\""},
                              {NULL, NULL}};
  const cook_scene *scene = import_repaired(patches);
  assert_string_equal(mt_codes(job, true), "");
  assert_string_equal(scene->nodes[0].name, "3");
  assert_string_equal(scene->meshes[0].name, "3");
  assert_string_equal(scene->nodes[1].name, "111");
  assert_string_equal(scene->clips[0].name, "3");
  assert_int_equal(scene->clips[0].track_count > 0, true);
}

/// An unnamed channel has the empty name, an unnamed node none, an unnamed mesh its node's.
static void test_fbx_prepass_empty_names_stay_empty(void **state) {
  (void)state;
  const mt_patch patches[] = {{"\"SubDeformer::Blink\"", "\"SubDeformer::\""},
                              {"\"Model::Spine\"", "\"Model::\""},
                              {"\"Geometry::BodyMesh\"", "\"Geometry::\""},
                              {NULL, NULL}};
  const cook_scene *scene = import_repaired(patches);
  assert_string_equal(mt_codes(job, true), "");
  assert_string_equal(scene->meshes[0].control_names[1], "");
  assert_string_equal(scene->meshes[0].name, "Body");
  assert_null(scene->nodes[2].name);
}

/// "Face.Smile" of the deformer Face is Smile; "Fac.Blink" is not of it.
static void test_fbx_prepass_deformers_are_no_part_of_names(void **state) {
  (void)state;
  const mt_patch patches[] = {{"\"SubDeformer::Smile\"", "\"SubDeformer::Face.Smile\""},
                              {"\"SubDeformer::Blink\"", "\"SubDeformer::Fac.Blink\""},
                              {NULL, NULL}};
  const cook_mesh *mesh = &import_repaired(patches)->meshes[0];
  assert_string_equal(mesh->control_names[0], "Smile");
  assert_string_equal(mesh->control_names[1], "Fac.Blink");
}

/// Two triangles, each of a material of its own: shapes are called after their channels still.
#define TWO_MATERIALS                                                                                                  \
  {"PolygonVertexIndex: *4 {\n      a: 0,1,2,-4\n", "PolygonVertexIndex: *6 {\n      a: 0,1,-3,0,2,-4\n"},             \
      {"      MappingInformationType: \"ByPolygonVertex\"\n      ReferenceInformationType: \"Direct\"\n      "         \
       "Normals: "                                                                                                     \
       "*12 {\n        a: 0,0,1,0,0,1,0,0,1,0,0,1\n",                                                                  \
       "      MappingInformationType: \"ByVertice\"\n      ReferenceInformationType: \"Direct\"\n      Normals: *12 "  \
       "{\n        a: 0,0,1,0,0,1,0,0,1,0,0,1\n"},                                                                     \
      {"      MappingInformationType: \"ByPolygonVertex\"\n      ReferenceInformationType: \"Direct\"\n      UV",      \
       "      MappingInformationType: \"ByVertice\"\n      ReferenceInformationType: \"Direct\"\n      UV"},           \
      {"\"AllSame\"\n      ReferenceInformationType: \"IndexToDirect\"\n      Materials: *1 {\n        a: 0\n",        \
       "\"ByPolygon\"\n      ReferenceInformationType: \"IndexToDirect\"\n      Materials: *2 {\n        a: 0,1\n"},   \
      {"  Material: 50,", "  Material: 51, \"Material::Skin\", \"\" {\n    Version: 102\n  }\n  Material: 50,"}, {     \
    "  C: \"OO\",50,1\n", "  C: \"OO\",50,1\n  C: \"OO\",51,1\n"                                                       \
  }

static void test_fbx_prepass_a_channel_drives_all_materials(void **state) {
  (void)state;
  const mt_patch patches[] = {TWO_MATERIALS, {NULL, NULL}};
  const cook_scene *scene = import_repaired(patches);
  const cook_mesh *mesh = &scene->meshes[0];
  assert_int_equal(mesh->primitive_count, 2);
  assert_int_equal(mesh->control_count, 2);
  assert_string_equal(mesh->control_names[0], "Smile");
  assert_string_equal(mesh->control_names[1], "Blink");
  for (uint32_t p = 0; p < 2; p++) {
    assert_int_equal(mesh->primitives[p].target_count, 2);
    for (uint32_t v = 0; v < mesh->primitives[p].vertex_count; v++) {
      const float *at = mesh->primitives[p].positions[v];
      const bool is_third = at[0] == 2 && at[1] == 2, is_fourth = at[0] == 0 && at[1] == 2;
      const double expected = is_third ? 0.5 : is_fourth ? 0.25 : 0;
      assert_vector(mesh->primitives[p].targets[0].position_deltas[v], 0, expected, 0);
    }
  }
  assert_string_equal(scene->materials[0].name, "Skin");
  assert_string_equal(scene->materials[1].name, "Skin");
}

// -- Deformers --------------------------------------------------------------------------------------------------------

/// Two deformers of one mesh: channels of both, in their order, each with its own curve.
static void test_fbx_prepass_two_deformers_become_one(void **state) {
  (void)state;
  const mt_patch patches[] = {
      {"  Deformer: 120,",
       "  Deformer: 113, \"Deformer::Face2\", \"BlendShape\" {\n    Version: 100\n  }\n  Deformer: 120,"},
      {"  C: \"OO\",112,110\n", "  C: \"OO\",113,100\n  C: \"OO\",112,113\n"},
      SECOND_CURVE,
      {NULL, NULL}};
  const cook_scene *scene = import_repaired(patches);
  assert_string_equal(mt_codes(job, true), "");
  expect_plain_shapes(scene);
  const cook_track *track = weight_track(scene);
  assert_int_equal(track->width, 2);
  const float *first = track->values, *last = track->values + 2 * (track->key_count - 1);
  assert_vector((const float[]){first[0], first[1], last[0]}, 0, 1, 1);
  assert_vector((const float[]){last[1], 0, 0}, 0, 0, 0);
}

// -- In-betweens ------------------------------------------------------------------------------------------------------

static void expect_point(const cook_shape_rule *rule, uint32_t point, double control, double shape) {
  assert_true(point < rule->point_count);
  assert_vector((const float[]){rule->points[point][0], rule->points[point][1], 0}, control, shape, 0);
}

/// BlinkShape is reached half way to SmileShape: one control, its default and its curve as the author made them.
static void test_fbx_prepass_in_betweens_share_their_control(void **state) {
  (void)state;
  const mt_patch patches[] = {{"  C: \"OO\",102,112\n", "  C: \"OO\",102,111\n"},
                              {"    FullWeights: *1 {\n      a: 100\n", "    FullWeights: *2 {\n      a: 100,50\n"},
                              {NULL, NULL}};
  const cook_scene *scene = import_repaired(patches);
  assert_string_equal(mt_codes(job, true), "");
  const cook_mesh *mesh = &scene->meshes[0];
  assert_int_equal(mesh->control_count, 1);
  assert_int_equal(mesh->target_count, 2);
  assert_string_equal(mesh->control_names[0], "Smile");
  assert_vector((const float[]){mesh->default_weights[0], 0, 0}, 0.25, 0, 0);
  assert_vector(mesh->primitives[0].targets[0].position_deltas[2], 0, 0.5, 0);
  assert_vector(mesh->primitives[0].targets[1].position_deltas[0], -1, 0, 0);
  assert_string_equal(mesh->rules[0].name, "SmileShape");
  assert_string_equal(mesh->rules[1].name, "BlinkShape");
  expect_point(&mesh->rules[0], 1, 0.5, 0);
  expect_point(&mesh->rules[0], 2, 1, 1);
  expect_point(&mesh->rules[1], 0, 0, 0);
  expect_point(&mesh->rules[1], 1, 0.5, 1);
  expect_point(&mesh->rules[1], 2, 1, 0);
  const cook_track *track = weight_track(scene);
  assert_int_equal(track->width, 1);
  assert_vector((const float[]){track->values[0], track->values[track->key_count - 1], 0}, 0, 1, 0);
}

/// The same on two materials, where Assimp calls shapes after their geometries.
static void test_fbx_prepass_in_betweens_on_two_materials(void **state) {
  (void)state;
  const mt_patch patches[] = {TWO_MATERIALS,
                              {"  C: \"OO\",102,112\n", "  C: \"OO\",102,111\n"},
                              {"    FullWeights: *1 {\n      a: 100\n", "    FullWeights: *2 {\n      a: 100,50\n"},
                              {NULL, NULL}};
  const cook_mesh *mesh = &import_repaired(patches)->meshes[0];
  assert_int_equal(mesh->control_count, 1);
  assert_int_equal(mesh->target_count, 2);
  assert_int_equal(mesh->primitives[1].target_count, 2);
  assert_string_equal(mesh->rules[1].name, "BlinkShape");
}

/// A single shape that is complete at 50 percent moves twice as fast.
static void test_fbx_prepass_shape_complete_at_half_the_way(void **state) {
  (void)state;
  const mt_patch patches[] = {{"    FullWeights: *1 {\n      a: 100\n", "    FullWeights: *1 {\n      a: 50\n"},
                              {NULL, NULL}};
  const cook_mesh *mesh = &import_repaired(patches)->meshes[0];
  assert_int_equal(mesh->control_count, 2);
  expect_point(&mesh->rules[0], 0, 0, 0);
  expect_point(&mesh->rules[0], 1, 0.5, 1);
  assert_int_equal(mesh->rules[1].point_count, 0);
  assert_int_equal(mesh->rules[1].control, 1);
}

/// DeformPercent outside 0…100 is kept.
static void test_fbx_prepass_weights_outside_the_range_are_kept(void **state) {
  (void)state;
  const mt_patch patches[] = {{"DeformPercent: 25", "DeformPercent: -150"}, {NULL, NULL}};
  assert_vector((const float[]){import_repaired(patches)->meshes[0].default_weights[0], 0, 0}, -1.5, 0, 0);
}

static void test_fbx_prepass_leaves_a_sound_file_alone(void **state) {
  (void)state;
  const cook_scene *scene = import_repaired(unchanged);
  assert_string_equal(mt_codes(job, true), "");
  expect_plain_shapes(scene);
}

#define UNIT(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT(test_fbx_prepass_leaves_a_sound_file_alone),
      UNIT(test_fbx_prepass_shapes_without_normals_are_kept),
      UNIT(test_fbx_prepass_shapes_with_too_few_normals_are_kept),
      UNIT(test_fbx_prepass_shapes_inside_the_mesh_are_lifted),
      UNIT(test_fbx_prepass_repeated_connections_count_once),
      UNIT(test_fbx_prepass_mayas_cube_shows_both_shapes),
      UNIT(test_fbx_prepass_bones_of_one_name_are_told_apart),
      UNIT(test_fbx_prepass_names_that_look_like_ids_are_names),
      UNIT(test_fbx_prepass_empty_names_stay_empty),
      UNIT(test_fbx_prepass_deformers_are_no_part_of_names),
      UNIT(test_fbx_prepass_a_channel_drives_all_materials),
      UNIT(test_fbx_prepass_two_deformers_become_one),
      UNIT(test_fbx_prepass_in_betweens_share_their_control),
      UNIT(test_fbx_prepass_in_betweens_on_two_materials),
      UNIT(test_fbx_prepass_shape_complete_at_half_the_way),
      UNIT(test_fbx_prepass_weights_outside_the_range_are_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
