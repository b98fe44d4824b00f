// The FBX importer on a character whose every number is known (mt_fbx.h), and on the ways in which it can be wrong.
// Expected values follow from the FBX text itself: what a square, its shapes, bones and keys must become.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/mt_cook.h"
#include "tests/support/mt_evaluate.h"
#include "tests/support/mt_fbx.h"
#include "tests/support/mt_import.h"
#include "tests/support/mt_require.h"

#define SECOND "46186158000"

/// A test's job and what it imported.
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

static cook_scene *import_patched(const mt_patch *patches, const cook_options *options) {
  return mt_require_scene(job, mt_import(job, mt_fbx_file("character", patches), options));
}

static void assert_near(double value, double expected) {
  if (!(fabs(value - expected) <= 1e-6 * fmax(1, fabs(expected))))
    print_error("%.9g, expected %.9g\n", value, expected);
  assert_true(fabs(value - expected) <= 1e-6 * fmax(1, fabs(expected)));
}

static void assert_vector(const float *value, double x, double y, double z) {
  assert_near(value[0], x);
  assert_near(value[1], y);
  assert_near(value[2], z);
}

/// World position of vertex v of node Body at a time of clip 0, or at rest.
static void assert_world(const cook_scene *scene, const char *node, double time_s, uint32_t v, double x, double y,
                         double z) {
  const uint32_t index = mt_find_node(scene, node);
  assert_int_not_equal(index, MPAK_NONE);
  double(*points)[3] = mt_evaluate(scene, time_s < 0 ? MPAK_NONE : 0, time_s, index, 0);
  const double expected[3] = {x, y, z};
  for (int i = 0; i < 3; i++) assert_near(points[v][i], expected[i]);
  free(points);
}

// -- The character as it is -------------------------------------------------------------------------------------------

static void test_assimp_character_has_its_nodes_mesh_and_skin(void **state) {
  (void)state;
  const cook_scene *scene = import_patched(NULL, NULL);
  assert_string_equal(mt_codes(job, true), "");
  assert_int_equal(scene->source_kind, COOK_SOURCE_FBX);
  assert_int_equal(scene->node_count, 3);
  assert_string_equal(scene->nodes[0].name, "Body");
  assert_string_equal(scene->nodes[1].name, "Hips");
  assert_string_equal(scene->nodes[2].name, "Spine");
  assert_int_equal(scene->nodes[2].parent, 1);
  assert_vector(scene->nodes[2].translation, 0, 1, 0);
  assert_int_equal(scene->skins[0].joint_count, 2);
  assert_int_equal(scene->skins[0].joints[0], 1);
  assert_int_equal(scene->skins[0].joints[1], 2);
  assert_near(scene->skins[0].inverse_binds[1][7], -1);
  assert_string_equal(scene->materials[0].name, "Skin");
  assert_vector(scene->materials[0].base_colour, 0.25, 0.5, 0.75);
  assert_int_equal(scene->dependency_count, 1);
}

static void test_assimp_character_has_its_corners_and_weights(void **state) {
  (void)state;
  const cook_scene *scene = import_patched(NULL, NULL);
  const cook_primitive *primitive = &scene->meshes[0].primitives[0];
  assert_string_equal(scene->meshes[0].name, "BodyMesh");
  assert_int_equal(primitive->vertex_count, 4);
  assert_int_equal(primitive->index_count, 6);
  assert_int_equal(primitive->source_vertex_count, 4);
  assert_vector(primitive->positions[2], 2, 2, 0);
  assert_vector(primitive->normals[3], 0, 0, 1);
  assert_near(primitive->texcoords[0][3][0], 0);
  assert_near(primitive->texcoords[0][3][1], 0.25); // V points down
  assert_int_equal(primitive->influence_count, 4);
  assert_int_equal(primitive->joints[0], 0);
  assert_near(primitive->weights[0], 1);
  assert_near(primitive->weights[1], 0);
  assert_near(primitive->weights[2 * 4] + primitive->weights[2 * 4 + 1], 1);
}

static void test_assimp_shapes_are_deltas_with_names_and_weights_of_the_file(void **state) {
  (void)state;
  const cook_scene *scene = import_patched(NULL, NULL);
  const cook_mesh *mesh = &scene->meshes[0];
  assert_int_equal(mesh->target_count, 2);
  assert_string_equal(mesh->control_names[0], "Smile");
  assert_string_equal(mesh->control_names[1], "Blink");
  assert_true(mesh->has_default_weights);
  assert_near(mesh->default_weights[0], 0.25);
  assert_near(mesh->default_weights[1], 0);
  const cook_target *targets = mesh->primitives[0].targets;
  assert_vector(targets[0].position_deltas[0], 0, 0, 0);
  assert_vector(targets[0].position_deltas[2], 0, 0.5, 0);
  assert_vector(targets[0].position_deltas[3], 0, 0.25, 0);
  assert_vector(targets[1].position_deltas[0], -1, 0, 0);
  assert_null(targets[0].normal_deltas); // the file's are all zero
}

static void test_assimp_clip_moves_bones_and_shapes(void **state) {
  (void)state;
  const cook_scene *scene = import_patched(NULL, NULL);
  const cook_clip *clip = &scene->clips[0];
  assert_string_equal(clip->name, "Act");
  assert_near(clip->start_s, 0);
  assert_near(clip->end_s, 1);
  assert_int_equal(clip->source_weight_tracks, 1);
  const cook_track *weights = &clip->tracks[clip->track_count - 1];
  assert_int_equal(weights->path, MPAK_PATH_WEIGHTS);
  assert_int_equal(weights->interpolation, MPAK_LINEAR);
  assert_int_equal(weights->width, 2);
  assert_near(weights->values[2], 1);
  assert_near(weights->values[3], 0); // Blink has no curve and keeps its default
  // at half time Hips is 2 to the right, Spine with it, Smile at one half
  assert_world(scene, "Body", 0.5, 0, 2, 0, 0);
  assert_world(scene, "Body", 0.5, 2, 4, 2.25, 0);
  assert_world(scene, "Body", 0.5, 3, 2, 2.125, 0);
  assert_world(scene, "Body", -1, 3, 0, 2.0625, 0);
}

// -- Units, axes, time ------------------------------------------------------------------------------------------------

static void test_assimp_centimetres_become_metres_everywhere(void **state) {
  (void)state;
  const mt_patch patches[] = {{"\"Number\", \"\",100\n", "\"Number\", \"\",1\n"}, {NULL, NULL}};
  const cook_scene *scene = import_patched(patches, NULL);
  assert_vector(scene->nodes[2].translation, 0, 0.01, 0);
  assert_vector(scene->meshes[0].primitives[0].targets[0].position_deltas[2], 0, 0.005, 0);
  assert_near(scene->skins[0].inverse_binds[1][7], -0.01);
  assert_near(scene->skins[0].inverse_binds[1][5], 1);
  assert_world(scene, "Body", 0.5, 2, 0.04, 0.0225, 0);
}

static void test_assimp_z_up_is_turned_and_the_source_can_be_kept(void **state) {
  (void)state;
  const mt_patch patches[] = {
      {"\"UpAxis\", \"int\", \"Integer\", \"\",1", "\"UpAxis\", \"int\", \"Integer\", \"\",2"},
      {"\"FrontAxis\", \"int\", \"Integer\", \"\",2", "\"FrontAxis\", \"int\", \"Integer\", \"\",1"},
      {"\"FrontAxisSign\", \"int\", \"Integer\", \"\",1", "\"FrontAxisSign\", \"int\", \"Integer\", \"\",-1"},
      {NULL, NULL}};
  // x stays, z of the file is up, y of the file goes away from the viewer
  const cook_scene *scene = import_patched(patches, NULL);
  assert_vector(scene->meshes[0].primitives[0].positions[2], 2, 0, -2);
  assert_vector(scene->meshes[0].primitives[0].normals[2], 0, 1, 0);
  assert_vector(scene->nodes[2].translation, 0, 0, -1);
  assert_world(scene, "Body", 0.5, 2, 4, 0, -2.25);
  const cook_options source = {.up = COOK_UP_SOURCE};
  const cook_scene *kept = import_patched(patches, &source);
  assert_vector(kept->meshes[0].primitives[0].positions[2], 2, 2, 0);
  const mt_patch centimetres[] = {{"\"Number\", \"\",100\n", "\"Number\", \"\",1\n"}, {NULL, NULL}};
  const cook_options unit = {.unit = COOK_UNIT_SOURCE};
  assert_vector(import_patched(centimetres, &unit)->meshes[0].primitives[0].positions[2], 2, 2, 0);
}

static void test_assimp_clip_begins_at_local_start(void **state) {
  (void)state;
  const mt_patch patches[] = {
      {"\"LocalStart\", \"KTime\", \"Time\", \"\",0", "\"LocalStart\", \"KTime\", \"Time\", \"\",11546539500"},
      {NULL, NULL}};
  const cook_scene *scene = import_patched(patches, NULL);
  assert_near(scene->clips[0].start_s, 0);
  assert_near(scene->clips[0].end_s, 0.75);
  assert_world(scene, "Body", 0.75, 0, 4, 0, 0); // the key at 1 s of the file
  // weights begin there too, a quarter of the way: Hips 1 to the right, Smile at 0.25
  assert_world(scene, "Body", 0, 2, 3, 2.125, 0);
  const cook_track *weights = &scene->clips[0].tracks[scene->clips[0].track_count - 1];
  assert_near(weights->times[0], 0);
  assert_near(weights->values[0], 0.25);
}

static void test_assimp_clip_without_range_begins_at_the_take_or_the_first_key(void **state) {
  (void)state;
  const mt_patch no_range[] = {
      {"\"LocalStop\", \"KTime\", \"Time\", \"\"," SECOND, "\"LocalStop\", \"KTime\", \"Time\", \"\",0"},
      {"a: 0," SECOND "\n", "a: " SECOND ",92372316000\n"},
      {"a: 0, " SECOND "\n", "a: " SECOND ", 92372316000\n"},
      {NULL, NULL}};
  const cook_scene *scene = import_patched(no_range, NULL);
  assert_near(scene->clips[0].end_s, 1); // keys at 1 s and 2 s of the file
  assert_world(scene, "Body", 0.5, 0, 2, 0, 0);
  mt_patch take[5];
  memcpy(take, no_range, sizeof no_range);
  take[3] = (mt_patch){"Connections:  {",
                       "Takes:  {\n  Current: \"\"\n  Take: \"Act\" {\n    LocalTime: 23093079000,92372316000\n  }\n}\n"
                       "Connections:  {"};
  take[4] = (mt_patch){NULL, NULL};
  scene = import_patched(take, NULL); // the take starts half a second earlier
  assert_near(scene->clips[0].tracks[0].times[0], 0.5);
  assert_world(scene, "Body", 1, 0, 2, 0, 0);
}

/// The clip lasts 3 s, its keys 1 s.
static void test_assimp_curves_go_on_beyond_their_keys(void **state) {
  (void)state;
  static const struct {
    const char *letter;
    double at[3]; ///< x of Hips at 0.5 s, 1.5 s and 2.75 s
  } ways[] = {{"C", {2, 4, 4}}, {"R", {2, 2, 3}}, {"M", {2, 2, 3}}, {"A", {2, 6, 11}}, {"K", {2, 6, 11}}};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    char record[128];
    snprintf(record, sizeof record,
             "    KeyVer: 4008\n    Post-Extrapolation:  {\n      Type: %s\n      Repetition: -1\n    }\n",
             ways[i].letter);
    const mt_patch patches[] = {
        {"\"LocalStop\", \"KTime\", \"Time\", \"\"," SECOND, "\"LocalStop\", \"KTime\", \"Time\", \"\",138558474000"},
        {"    KeyVer: 4008\n", record},
        {NULL, NULL}};
    const cook_scene *scene = import_patched(patches, NULL);
    assert_near(scene->clips[0].end_s, 3);
    assert_world(scene, "Body", 0.5, 0, ways[i].at[0], 0, 0);
    assert_world(scene, "Body", 1.5, 0, ways[i].at[1], 0, 0);
    assert_world(scene, "Body", 2.75, 0, ways[i].at[2], 0, 0);
  }
}

/// The same clip cut at its last key: what would follow does not show at its end.
static void test_assimp_what_follows_the_clip_does_not_show(void **state) {
  (void)state;
  const mt_patch patches[] = {
      {"    KeyVer: 4008\n",
       "    KeyVer: 4008\n    Post-Extrapolation:  {\n      Type: R\n      Repetition: -1\n    }\n"},
      {NULL, NULL}};
  const cook_scene *scene = import_patched(patches, NULL);
  assert_int_equal(scene->clips[0].tracks[0].key_count, 2);
  assert_world(scene, "Body", 1, 0, 4, 0, 0);
}

/// Two takes of one rig: Act from 0 to 1 s, Run from 2 s to 2.5 s, its curve from 8 to 10 in x of Hips.
static void test_assimp_takes_have_their_own_curves_and_times(void **state) {
  (void)state;
  const mt_patch patches[] = {
      {"  AnimationLayer: 61,",
       "  AnimationStack: 70, \"AnimStack::Run\", \"\" {\n    Properties70:  {\n"
       "      P: \"LocalStart\", \"KTime\", \"Time\", \"\",92372316000\n"
       "      P: \"LocalStop\", \"KTime\", \"Time\", \"\",115465395000\n    }\n  }\n"
       "  AnimationLayer: 71, \"AnimLayer::Base\", \"\" {\n  }\n"
       "  AnimationCurveNode: 72, \"AnimCurveNode::T\", \"\" {\n  }\n"
       "  AnimationCurve: 74, \"AnimCurve::\", \"\" {\n    Default: 0\n    KeyVer: 4008\n "
       "    KeyTime: *2 {\n      a: 92372316000,138558474000\n    }\n    KeyValueFloat: *2 {\n      a: 8,12\n    }\n"
       "    KeyAttrFlags: *1 {\n      a: 4\n    }\n    KeyAttrDataFloat: *4 {\n      a: 0,0,0,0\n    }\n"
       "    KeyAttrRefCount: *1 {\n      a: 2\n    }\n  }\n  AnimationLayer: 61,"},
      {"  C: \"OO\",63,61\n", "  C: \"OO\",63,61\n  C: \"OO\",71,70\n  C: \"OO\",72,71\n  C: \"OP\",72,2, \"Lcl "
                              "Translation\"\n  C: \"OP\",74,72, \"d|X\"\n"},
      {NULL, NULL}};
  const cook_scene *scene = import_patched(patches, NULL);
  assert_int_equal(scene->clip_count, 2);
  const uint32_t run = strcmp(scene->clips[0].name, "Run") == 0 ? 0 : 1;
  assert_string_equal(scene->clips[run].name, "Run");
  assert_string_equal(scene->clips[1 - run].name, "Act");
  assert_near(scene->clips[run].start_s, 0);
  assert_near(scene->clips[run].end_s, 0.5);
  assert_near(scene->clips[1 - run].end_s, 1);
  assert_int_equal(scene->clips[run].track_count, 1); // no weights
  double(*points)[3] = mt_evaluate(scene, run, 0.25, mt_find_node(scene, "Body"), 0);
  assert_near(points[0][0], 9); // a quarter of a second behind 8, 4 a second
  free(points);
  points = mt_evaluate(scene, 1 - run, 0.25, mt_find_node(scene, "Body"), 0);
  assert_near(points[0][0], 1);
  free(points);
}

/// One frame per second (TimeMode 14, CustomFrameRate 1): times of keys are ticks and do not care.
static void test_assimp_frame_rates_do_not_move_keys(void **state) {
  (void)state;
  static const char *const rates[] = {"14\n    P: \"CustomFrameRate\", \"double\", \"Number\", \"\",1", "11", "14"};
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
    char mode[128];
    snprintf(mode, sizeof mode, "\"TimeMode\", \"enum\", \"\", \"\",%s\n", rates[i]);
    const mt_patch patches[] = {{"\"TimeMode\", \"enum\", \"\", \"\",6\n", mode}, {NULL, NULL}};
    const cook_scene *scene = import_patched(patches, NULL);
    assert_near(scene->clips[0].end_s, 1);
    assert_world(scene, "Body", 0.25, 0, 1, 0, 0);
    assert_world(scene, "Body", 0.5, 2, 4, 2.25, 0);
  }
}

// -- Helper chains ----------------------------------------------------------------------------------------------------

/// A bone with a pre-rotation of 90 degrees about z: Spine, 1 up, then is 1 to the left.
static void test_assimp_pre_rotation_is_one_node_and_animated_once(void **state) {
  (void)state;
  const mt_patch patches[] = {{"      P: \"Hips\", \"bool\", \"\", \"\",1\n",
                               "      P: \"PreRotation\", \"Vector3D\", \"Vector\", \"\",0,0,90\n"
                               "      P: \"RotationActive\", \"bool\", \"\", \"\",1\n"},
                              {"C: \"OO\",120,100\n", "C: \"OO\",120,999\n"},
                              {"C: \"OO\",100,1\n", "C: \"OO\",100,3\n"},
                              {NULL, NULL}};
  const cook_scene *scene = import_patched(patches, NULL); // the mesh hangs on Spine now, without skin
  assert_int_equal(scene->node_count, 3);
  assert_string_equal(scene->nodes[1].name, "Hips");
  assert_near(fabs((double)scene->nodes[1].rotation[2]), sqrt(0.5));
  assert_world(scene, "Spine", -1, 1, -1, 2, 0); // corner (2 0 0) on Spine (0 1 0), turned
  assert_world(scene, "Spine", 0.5, 1, 1, 2, 0);
}

/// A rotation pivot at (1 0 0) with a rotation of 180 degrees about it, animated in x: factors are baked.
static void test_assimp_pivots_are_baked_into_the_nodes_keys(void **state) {
  (void)state;
  const mt_patch patches[] = {{"      P: \"Hips\", \"bool\", \"\", \"\",1\n",
                               "      P: \"RotationPivot\", \"Vector3D\", \"Vector\", \"\",1,0,0\n"
                               "      P: \"RotationActive\", \"bool\", \"\", \"\",1\n"
                               "      P: \"Lcl Rotation\", \"Lcl Rotation\", \"\", \"A\",0,0,180\n"},
                              {"C: \"OO\",120,100\n", "C: \"OO\",120,999\n"},
                              {"C: \"OO\",100,1\n", "C: \"OO\",100,2\n"},
                              {NULL, NULL}};
  const cook_scene *scene = import_patched(patches, NULL);
  assert_int_equal(scene->node_count, 3);
  assert_world(scene, "Hips", -1, 0, 2, 0, 0); // (0 0 0) turned about (1 0 0)
  assert_world(scene, "Hips", -1, 2, 0, -2.125, 0);
  assert_world(scene, "Hips", 0.5, 0, 4, 0, 0);
  assert_world(scene, "Hips", 1, 2, 4, -2.5, 0);
}

/// Geometric transforms move the mesh and neither node nor children.
static void test_assimp_geometric_transform_goes_into_the_mesh(void **state) {
  (void)state;
  const mt_patch patches[] = {{"      P: \"Body\", \"bool\", \"\", \"\",1\n",
                               "      P: \"GeometricTranslation\", \"Vector3D\", \"Vector\", \"\",0,0,5\n"
                               "      P: \"GeometricScaling\", \"Vector3D\", \"Vector\", \"\",1,3,1\n"},
                              {"C: \"OO\",120,100\n", "C: \"OO\",120,999\n"},
                              {"C: \"OO\",2,0\n", "C: \"OO\",2,1\n"},
                              {NULL, NULL}};
  const cook_scene *scene = import_patched(patches, NULL);
  assert_int_equal(scene->node_count, 3);
  const cook_primitive *primitive = &scene->meshes[0].primitives[0];
  assert_vector(primitive->positions[2], 2, 6, 5);
  assert_vector(primitive->targets[0].position_deltas[2], 0, 1.5, 0);
  assert_vector(primitive->normals[2], 0, 0, 1);
  assert_int_equal(scene->nodes[1].parent, 0);
  assert_vector(scene->nodes[1].translation, 0, 0, 0);
  assert_world(scene, "Body", -1, 2, 2, 6.375, 5);
}

// -- Names that repeat ------------------------------------------------------------------------------------------------

static void test_assimp_mesh_and_bone_of_one_name_are_told_apart(void **state) {
  (void)state;
  const mt_patch patches[] = {{"\"Model::Body\"", "\"Model::Hips\""}, {NULL, NULL}};
  const cook_scene *scene = import_patched(patches, NULL);
  assert_string_equal(mt_codes(job, true), "");
  assert_int_equal(scene->skins[0].joints[0], 1);
  assert_world(scene, "Hips", 0.5, 2, 4, 2.25, 0);
}

// -- Shapes -----------------------------------------------------------------------------------------------------------

static void test_assimp_vertex_groups_of_shapes_are_followed(void **state) {
  (void)state;
  const mt_patch patches[] = {{"    FullWeights: *1 {\n      a: 100\n", "    FullWeights: *2 {\n      a: 50,0\n"},
                              {NULL, NULL}};
  const cook_scene *scene = import_patched(patches, NULL);
  assert_string_equal(mt_codes(job, false), "");
  assert_vector(scene->meshes[0].primitives[0].targets[0].position_deltas[2], 0, 0.25, 0);
  assert_vector(scene->meshes[0].primitives[0].targets[0].position_deltas[3], 0, 0, 0);
}

static void test_assimp_real_shape_normals_are_kept(void **state) {
  (void)state;
  // the shape's normals are deltas in the file: (0 0 1) + (1 0 -1) is (1 0 0)
  const mt_patch patches[] = {
      {"    Normals: *6 {\n      a: 0,0,0,0,0,0\n", "    Normals: *6 {\n      a: 1,0,-1,0,0,0\n"}, {NULL, NULL}};
  const cook_scene *scene = import_patched(patches, NULL);
  const cook_target *smile = &scene->meshes[0].primitives[0].targets[0];
  assert_non_null(smile->normal_deltas);
  assert_vector(smile->normal_deltas[2], 1, 0, -1);
  assert_vector(smile->normal_deltas[3], 0, 0, 0);
}

static void test_assimp_sparse_keys_of_channels_are_gathered(void **state) {
  (void)state;
  // Blink gets keys at 0.25 s and 0.75 s, Smile has its own at 0 s and 1 s
  const mt_patch patches[] = {
      {"  AnimationLayer: 61,",
       "  AnimationCurveNode: 66, \"AnimCurveNode::DeformPercent\", \"\" {\n  }\n"
       "  AnimationCurve: 67, \"AnimCurve::\", \"\" {\n    Default: 0\n    KeyVer: 4008\n"
       "    KeyTime: *2 {\n      a: 11546539500,34639618500\n    }\n    KeyValueFloat: *2 {\n      a: 20,-60\n    }\n"
       "    KeyAttrFlags: *1 {\n      a: 4\n    }\n    KeyAttrDataFloat: *4 {\n      a: 0,0,0,0\n    }\n"
       "    KeyAttrRefCount: *1 {\n      a: 2\n    }\n  }\n  AnimationLayer: 61,"},
      {"  C: \"OO\",63,61\n", "  C: \"OO\",63,61\n  C: \"OO\",66,61\n  C: \"OP\",66,112, \"DeformPercent\"\n  C: "
                              "\"OP\",67,66, \"d|DeformPercent\"\n"},
      {NULL, NULL}};
  const cook_scene *scene = import_patched(patches, NULL);
  const cook_track *track = &scene->clips[0].tracks[scene->clips[0].track_count - 1];
  assert_int_equal(track->key_count, 4);
  static const double expected[4][3] = {{0, 0, 0.2}, {0.25, 0.25, 0.2}, {0.75, 0.75, -0.6}, {1, 1, -0.6}};
  for (int k = 0; k < 4; k++) {
    assert_near(track->times[k], expected[k][0]);
    assert_near(track->values[2 * k], expected[k][1]);
    assert_near(track->values[2 * k + 1], expected[k][2]);
  }
}

// -- Vertices without weights -----------------------------------------------------------------------------------------

static void test_assimp_loose_vertices_follow_the_meshs_node(void **state) {
  (void)state;
  const mt_patch patches[] = {{"      a: 1,1,0.5,0.5\n", "      a: 0,1,0.5,0.5\n"},
                              {"      P: \"Body\", \"bool\", \"\", \"\",1\n",
                               "      P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,0,0\n"},
                              {NULL, NULL}};
  const cook_scene *scene = import_patched(patches, NULL);
  assert_string_equal(mt_codes(job, true), "I022");
  assert_int_equal(scene->skins[0].joint_count, 3);
  assert_int_equal(scene->skins[0].joints[2], 0);
  assert_world(scene, "Body", 0.5, 0, 0, 0, 0); // stays
  assert_world(scene, "Body", 0.5, 1, 4, 0, 0); // goes with Hips
}

static void test_assimp_a_joint_may_not_take_its_parents_scale(void **state) {
  (void)state;
  static const char spine[] =
      "      P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,1,0\n    }\n    Shading: T\n  }\n"
      "  Material";
  const mt_patch patches[] = {
      {"      P: \"Hips\", \"bool\", \"\", \"\",1\n", "      P: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",2,2,2\n"},
      {spine, "      P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,1,0\n"
              "      P: \"InheritType\", \"enum\", \"\", \"\",2\n    }\n    Shading: T\n  }\n  Material"},
      {NULL, NULL}};
  const cook_scene *scene = import_patched(patches, NULL);
  assert_string_equal(mt_codes(job, false), "");
  for (uint32_t n = 0; n < scene->node_count; n++) {
    if (strcmp(scene->nodes[n].name, "Spine") != 0) continue;
    for (int i = 0; i < 3; i++) assert_true(fabsf(scene->nodes[n].scale[i] - 0.5f) < 1e-6f); // Hips' 2 is taken back
    return;
  }
  fail();
}

// -- Everything that is refused or remarked ---------------------------------------------------------------------------

/// A fixture: patches that make exactly this issue.
typedef struct fixture {
  const char *name;
  const char *codes;
  int exit_code;
  const char *part; ///< of the message
  mt_patch patches[4];
} fixture;

#define NO_SKIN                                                                                                        \
  { "C: \"OO\",120,100\n", "C: \"OO\",120,999\n" }

static const fixture fixtures[] = {
    {"assimp_cannot_read", "I010", 4, "Assimp cannot read", {{"Objects:  {\n", "Objexts:  {\n"}}},
    {"assimp_loses_data", "I011", 4, "\"UV\"", {{"UV: *8 {", "UW: *8 {"}}},
    {"layer_of_too_many_texture_coordinates",
     "I011",
     4,
     "length of input data",
     {{"UV: *8 {\n        a: 0,0,1,0,1,1,0,0.75\n", "UV: *10 {\n        a: 0,0,1,0,1,1,0,0.75,1,1\n"}}},
    {"layer_of_normals_by_edge",
     "I011",
     4,
     "access type",
     {{"\"ByPolygonVertex\"\n      ReferenceInformationType: \"Direct\"\n      Normals",
       "\"ByEdge\"\n      ReferenceInformationType: \"Direct\"\n      Normals"}}},
    {"assimp_remarks", "I012", 0, "default material", {{"  C: \"OO\",50,1\n", ""}}},
    {"assimp_bone_ambiguous",
     "I014",
     1,
     "Hips",
     {{"  C: \"OO\",2,0\n", "  C: \"OO\",2,0\n  C: \"OO\",2,1\n"},
      {"C: \"OP\",62,2, \"Lcl Translation\"", "C: \"OP\",62,999, \"Lcl Translation\""}}},
    {"assimp_bone_lost", "I015", 1, "Spine", {{"  C: \"OO\",3,2\n", ""}}},
    {"assimp_channel_ambiguous",
     "I016",
     1,
     "Hips",
     {{"  C: \"OO\",2,0\n", "  C: \"OO\",2,0\n  C: \"OO\",2,1\n"}, NO_SKIN}},
    {"assimp_channel_lost",
     "I017",
     1,
     "Spine",
     {{"  C: \"OO\",3,2\n", ""},
      NO_SKIN,
      {"C: \"OP\",62,2, \"Lcl Translation\"", "C: \"OP\",62,3, \"Lcl Translation\""}}},
    {"assimp_other_faces",
     "I018",
     0,
     "1 faces",
     {{"PolygonVertexIndex: *4 {\n      a: 0,1,2,-4\n", "PolygonVertexIndex: *6 {\n      a: 0,1,2,-4,0,-2\n"},
      {"Normals: *12 {\n        a: 0,0,1,0,0,1,0,0,1,0,0,1\n",
       "Normals: *18 {\n        a: 0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1\n"},
      {"UV: *8 {\n        a: 0,0,1,0,1,1,0,0.75\n", "UV: *12 {\n        a: 0,0,1,0,1,1,0,0.75,0,0,1,0\n"}}},
    {"assimp_loose_vertices", "I022", 0, "vertex 0 ", {{"      a: 1,1,0.5,0.5\n", "      a: 0,1,0.5,0.5\n"}}},
    {"fbx_layers",
     "I025",
     4,
     "layer Second",
     {{"  AnimationLayer: 61,", "  AnimationLayer: 68, \"AnimLayer::Second\", \"\" {\n    Properties70:  {\n"
                                "      P: \"Weight\", \"Number\", \"\", \"A\",50\n    }\n  }\n  AnimationLayer: 61,"},
      {"  C: \"OO\",62,61\n", "  C: \"OO\",62,68\n  C: \"OO\",68,60\n"},
      {"C: \"OP\",62,2, \"Lcl Translation\"", "C: \"OP\",62,2, \"Lcl Scaling\""}}},
    {"fbx_full_weights",
     "I026",
     4,
     "full weights",
     {{"    FullWeights: *1 {\n      a: 100\n", "    FullWeights: *3 {\n      a: 50,60,70\n"}}},
    {"in_between_weights",
     "I029",
     1,
     "weight: 0.5",
     {{"  C: \"OO\",102,112\n", "  C: \"OO\",102,111\n"},
      {"    FullWeights: *1 {\n      a: 100\n", "    FullWeights: *2 {\n      a: 50,50\n"}}},
    {"fbx_curves",
     "I028",
     0,
     "1 tracks",
     {{"      a: 24836\n", "      a: 24840\n"}, {"      a: 0,4\n", "      a: 0,1e30\n"}}},
    {"fbx_curve_damaged",
     "I040",
     1,
     "curve of T ",
     {{"KeyAttrRefCount: *1 {\n      a: 2\n", "KeyAttrRefCount: *1 {\n      a: 1\n"}}},
    {"fbx_scale_order",
     "I042",
     0,
     "RrSs",
     {{"C: \"OP\",62,2, \"Lcl Translation\"", "C: \"OP\",62,2, \"Lcl Scaling\""},
      {"      P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,1,0\n    }\n    Shading: T\n  }\n  Material",
       "      P: \"Lcl Rotation\", \"Lcl Rotation\", \"\", \"A\",0,0,30\n    }\n    Shading: T\n  }\n  Material"}}},
    {"fbx_curves_guessed",
     "I050",
     0,
     "1 curves of the clip",
     {{"      a: 24836\n", "      a: 268436488\n"}}}, // 0x10000408: cubic, stated slopes, velocity to the right
    {"fbx_curves_guessed",
     "I050",
     0,
     "1 curves of the clip",
     {{"      a: 24836\n", "      a: 264\n"}, // 0x108: cubic, automatic, of a bias of 50
      {"KeyAttrDataFloat: *4 {\n      a: 0,0,0,0\n", "KeyAttrDataFloat: *4 {\n      a: 1112014848,0,0,0\n"}}},
    {"fbx_shear",
     "I041",
     0,
     "out of square",
     {{"C: \"OP\",62,2, \"Lcl Translation\"", "C: \"OP\",62,2, \"Lcl Scaling\""},
      {"      a: 0,4\n", "      a: 1,4\n"},
      {"      P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,1,0\n    }\n    Shading: T\n  }\n  Material",
       "      P: \"Lcl Rotation\", \"Lcl Rotation\", \"\", \"A\",0,0,30\n      P: \"InheritType\", \"enum\", \"\", "
       "\"\",2\n    }\n    Shading: T\n  }\n  Material"}}},
    {"fbx_cluster_without_bone", "I043", 0, "SpineCluster", {{"  C: \"OO\",3,122\n", ""}}},
    {"fbx_second_skin",
     "I044",
     1,
     "more than one skin",
     {{"  Deformer: 120,",
       "  Deformer: 130, \"Deformer::Second\", \"Skin\" {\n    Version: 101\n  }\n  Deformer: 120,"},
      {"  C: \"OO\",122,120\n", "  C: \"OO\",122,130\n  C: \"OO\",130,100\n"}}},
    {"fbx_cluster_point", "I021", 1, "vertex 4", {{"      a: 2, 3\n", "      a: 2, 4\n"}}},
    {"fbx_shape_point", "I045", 1, "point 9", {{"Indexes: *2 {\n      a: 2,3\n", "Indexes: *2 {\n      a: 2,9\n"}}},
    {"fbx_list_lengths", "I046", 1, "1 points", {{"Indexes: *2 {\n      a: 2,3\n", "Indexes: *1 {\n      a: 2\n"}}},
    {"fbx_dual_quaternion",
     "I047",
     0,
     "DualQuaternion",
     {{"    Link_DeformAcuracy: 50\n", "    SkinningType: \"DualQuaternion\"\n"}}},
    {"fbx_mesh_outside", "I048", 1, "part of the scene", {{"  C: \"OO\",1,0\n", ""}}},
    {"fbx_rotation_order",
     "I049",
     1,
     "order 6",
     {{"      P: \"Hips\", \"bool\", \"\", \"\",1\n", "      P: \"RotationOrder\", \"enum\", \"\", \"\",6\n"}}},
    {"fbx_version_unsupported", "F008", 4, "version 6.1", {{"FBXVersion: 7400", "FBXVersion: 6100"}}},
    {"fbx_records_broken", "F009", 4, "ends inside a record", {{"\"d|DeformPercent\"\n}\n", "\"d|DeformPercent\"\n"}}},
};

static void check_fixture(const fixture *expected) {
  cook_job *own = job_begin(NULL, NULL);
  assert_non_null(own);
  const cook_scene *scene = mt_import(own, mt_fbx_file("fixture", expected->patches), NULL);
  const mpak_issue_id id = mpak_issue_find(expected->codes);
  const char *codes = mt_codes(own, mpak_issue_get(id)->severity == MPAK_INFO);
  const cook_issue *issue = mt_issue(own, id);
  const bool has_part = issue != NULL && strstr(issue->message, expected->part) != NULL;
  if (strcmp(codes, expected->codes) != 0 || job_exit_code(own) != expected->exit_code || !has_part)
    print_error("%s: %s, exit %d, \"%s\"\n", expected->name, codes, job_exit_code(own),
                issue == NULL ? "" : issue->message);
  assert_string_equal(codes, expected->codes);
  assert_int_equal(job_exit_code(own), expected->exit_code);
  assert_true(has_part);
  assert_int_equal(scene != NULL, expected->exit_code == 0);
  job_end(own);
}

static void test_assimp_fixtures_report_exactly_their_issue(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof fixtures / sizeof *fixtures; i++) check_fixture(&fixtures[i]);
}

/// import_limit: more nodes than the job allows.
static void test_assimp_limits_of_the_job_are_kept(void **state) {
  (void)state;
  for (uint32_t limit = 2; limit <= 4; limit++) {
    const cook_limits limits = {.nodes = limit};
    cook_job *own = job_begin(NULL, &limits);
    const cook_scene *scene = mt_import(own, mt_fbx_file("limit", NULL), NULL);
    assert_string_equal(mt_codes(own, true), limit < 3 ? "I008" : "");
    assert_int_equal(job_exit_code(own), limit < 3 ? 6 : 0);
    assert_int_equal(scene != NULL, limit >= 3);
    job_end(own);
  }
}

// -- Files beside the source ------------------------------------------------------------------------------------------

static const char *write_text(const char *name, const char *text) {
  static char path[1024];
  snprintf(path, sizeof path, "%s/%s", mt_scratch(), name);
  assert_true(mt_write(path, text, strlen(text)));
  return path;
}

/// assimp_file_outside: a path that leads out of the folder.
static void test_assimp_files_outside_the_folder_are_refused(void **state) {
  (void)state;
  const char *path = write_text("outside.obj", "mtllib ../outside.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  assert_null(mt_import(job, path, NULL));
  assert_string_equal(mt_codes(job, true), "I013");
  assert_int_equal(job_exit_code(job), 3);
  assert_non_null(strstr(mt_issue(job, MPAK_I013)->message, "../outside.mtl"));
}

static void test_assimp_files_beside_the_source_are_read_and_named(void **state) {
  (void)state;
  write_text("beside it.mtl", "newmtl Red\nKd 1 0 0\n");
  const char *path =
      write_text("beside.obj", "mtllib beside%20it.mtl\nusemtl Red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const cook_scene *scene = mt_import(job, path, NULL);
  assert_non_null(scene);
  assert_int_equal(scene->source_kind, COOK_SOURCE_OTHER);
  assert_int_equal(scene->dependency_count, 2);
  assert_string_equal(scene->dependencies[0], path);
  assert_non_null(strstr(scene->dependencies[1], "beside it.mtl"));
  assert_string_equal(scene->materials[scene->meshes[0].primitives[0].material].name, "Red");
}

static void test_assimp_same_file_gives_the_same_stream(void **state) {
  (void)state;
  const char *path = mt_fbx_file("twice", NULL);
  uint64_t byte_counts[2];
  const uint8_t *streams[2];
  for (int i = 0; i < 2; i++) {
    const cook_scene *scene = mt_import(job, path, NULL);
    assert_non_null(scene);
    streams[i] = scene_write(job, scene, &byte_counts[i]);
  }
  assert_int_equal(byte_counts[0], byte_counts[1]);
  assert_memory_equal(streams[0], streams[1], byte_counts[0]);
}

#define UNIT(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT(test_assimp_character_has_its_nodes_mesh_and_skin),
      UNIT(test_assimp_character_has_its_corners_and_weights),
      UNIT(test_assimp_shapes_are_deltas_with_names_and_weights_of_the_file),
      UNIT(test_assimp_clip_moves_bones_and_shapes),
      UNIT(test_assimp_centimetres_become_metres_everywhere),
      UNIT(test_assimp_z_up_is_turned_and_the_source_can_be_kept),
      UNIT(test_assimp_clip_begins_at_local_start),
      UNIT(test_assimp_clip_without_range_begins_at_the_take_or_the_first_key),
      UNIT(test_assimp_curves_go_on_beyond_their_keys),
      UNIT(test_assimp_what_follows_the_clip_does_not_show),
      UNIT(test_assimp_takes_have_their_own_curves_and_times),
      UNIT(test_assimp_frame_rates_do_not_move_keys),
      UNIT(test_assimp_pre_rotation_is_one_node_and_animated_once),
      UNIT(test_assimp_pivots_are_baked_into_the_nodes_keys),
      UNIT(test_assimp_geometric_transform_goes_into_the_mesh),
      UNIT(test_assimp_mesh_and_bone_of_one_name_are_told_apart),
      UNIT(test_assimp_vertex_groups_of_shapes_are_followed),
      UNIT(test_assimp_real_shape_normals_are_kept),
      UNIT(test_assimp_sparse_keys_of_channels_are_gathered),
      UNIT(test_assimp_loose_vertices_follow_the_meshs_node),
      UNIT(test_assimp_a_joint_may_not_take_its_parents_scale),
      UNIT(test_assimp_fixtures_report_exactly_their_issue),
      UNIT(test_assimp_limits_of_the_job_are_kept),
      UNIT(test_assimp_files_outside_the_folder_are_refused),
      UNIT(test_assimp_files_beside_the_source_are_read_and_named),
      UNIT(test_assimp_same_file_gives_the_same_stream),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
