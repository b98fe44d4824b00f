// From Assimp's scene to ours, with scenes made by hand: those that no file leads to today, but a newer Assimp or a
// hostile file might.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/import/assimp_maker.h"
#include "cooker/import/scene_stream.h"
#include "tests/support/mt_import.h"

#define VERTEX_COUNT 4

/// A scene of one node with one mesh: two triangles, a bone, a shape, a clip with one channel and one morph channel.
/// Everything lies in this struct, and tests change it in place.
typedef struct hand_scene {
  struct aiScene scene;
  struct aiNode root, node, *children[1];
  unsigned mesh_indices[1];
  struct aiMesh mesh, *meshes[1];
  struct aiVector3D positions[VERTEX_COUNT], shape_positions[VERTEX_COUNT];
  struct aiFace faces[2];
  unsigned corners[2][3];
  struct aiBone bone, *bones[1];
  struct aiVertexWeight weights[VERTEX_COUNT];
  struct aiAnimMesh shape, *shapes[1];
  struct aiAnimation clip, *clips[1];
  struct aiNodeAnim channel, *channels[1];
  struct aiVectorKey position_keys[2];
  struct aiQuatKey rotation_keys[2];
  struct aiMeshMorphAnim morph, *morphs[1];
  struct aiMeshMorphKey morph_keys[2];
  unsigned morph_values[2][2];
  double morph_weights[2][2];
} hand_scene;

static void set_text(struct aiString *text, const char *from) {
  text->length = (ai_uint32)strlen(from);
  strcpy(text->data, from);
}

static const struct aiMatrix4x4 identity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

static void fill_mesh(hand_scene *hand) {
  hand->mesh = (struct aiMesh){.mPrimitiveTypes = aiPrimitiveType_TRIANGLE,
                               .mNumVertices = VERTEX_COUNT,
                               .mNumFaces = 2,
                               .mVertices = hand->positions,
                               .mFaces = hand->faces,
                               .mNumBones = 1,
                               .mBones = hand->bones,
                               .mNumAnimMeshes = 1,
                               .mAnimMeshes = hand->shapes};
  hand->meshes[0] = &hand->mesh;
  set_text(&hand->mesh.mName, "Body");
  for (unsigned v = 0; v < VERTEX_COUNT; v++) {
    hand->positions[v] = hand->shape_positions[v] = (struct aiVector3D){(float)(v % 2), (float)(v / 2), 0};
    hand->shape_positions[v].z = 1;
    hand->weights[v] = (struct aiVertexWeight){v, 1};
  }
  static const unsigned corners[2][3] = {{0, 1, 2}, {2, 1, 3}};
  memcpy(hand->corners, corners, sizeof corners);
  for (int f = 0; f < 2; f++) hand->faces[f] = (struct aiFace){3, hand->corners[f]};
  hand->bone = (struct aiBone){.mNumWeights = VERTEX_COUNT, .mWeights = hand->weights, .mOffsetMatrix = identity};
  hand->bones[0] = &hand->bone;
  set_text(&hand->bone.mName, "Node");
  hand->shape = (struct aiAnimMesh){.mVertices = hand->shape_positions, .mNumVertices = VERTEX_COUNT};
  hand->shapes[0] = &hand->shape;
  set_text(&hand->shape.mName, "Smile");
}

static void fill_clip(hand_scene *hand) {
  hand->clip = (struct aiAnimation){.mDuration = 10,
                                    .mTicksPerSecond = 10,
                                    .mNumChannels = 1,
                                    .mChannels = hand->channels,
                                    .mNumMorphMeshChannels = 1,
                                    .mMorphMeshChannels = hand->morphs};
  hand->clips[0] = &hand->clip;
  hand->channels[0] = &hand->channel;
  hand->morphs[0] = &hand->morph;
  hand->channel = (struct aiNodeAnim){.mNumPositionKeys = 2,
                                      .mPositionKeys = hand->position_keys,
                                      .mNumRotationKeys = 2,
                                      .mRotationKeys = hand->rotation_keys};
  set_text(&hand->channel.mNodeName, "Node");
  set_text(&hand->morph.mName, "Node*0");
  hand->morph.mNumKeys = 2;
  hand->morph.mKeys = hand->morph_keys;
  for (int k = 0; k < 2; k++) {
    hand->position_keys[k] = (struct aiVectorKey){10.0 * k, {(float)k, 0, 0}};
    hand->rotation_keys[k] = (struct aiQuatKey){10.0 * k, {1, 0, 0, 0}};
    hand->morph_weights[k][0] = k;
    hand->morph_keys[k] = (struct aiMeshMorphKey){10.0 * k, hand->morph_values[k], hand->morph_weights[k], 1};
  }
}

static hand_scene *hand;
static cook_job *job;
static sniff_kind kind;

static int begin(void **state) {
  (void)state;
  hand = calloc(1, sizeof *hand);
  job = job_begin(NULL, NULL);
  kind = SNIFF_FBX_TEXT;
  if (hand == NULL || job == NULL) return -1;
  hand->scene = (struct aiScene){.mRootNode = &hand->root,
                                 .mNumMeshes = 1,
                                 .mMeshes = hand->meshes,
                                 .mNumAnimations = 1,
                                 .mAnimations = hand->clips};
  hand->root = (struct aiNode){.mTransformation = identity, .mNumChildren = 1, .mChildren = hand->children};
  hand->node = (struct aiNode){
      .mTransformation = identity, .mParent = &hand->root, .mNumMeshes = 1, .mMeshes = hand->mesh_indices};
  hand->children[0] = &hand->node;
  set_text(&hand->root.mName, "RootNode");
  set_text(&hand->node.mName, "Node");
  fill_mesh(hand);
  fill_clip(hand);
  return 0;
}

static int end(void **state) {
  (void)state;
  job_end(job);
  free(hand);
  return 0;
}

static void make_step(cook_job *own, void *user) {
  static const cook_options options;
  *(cook_scene **)user = assimp_scene_make(own, &hand->scene, kind, &options, NULL);
  (*(cook_scene **)user)->dependency_count = 1; // the caller's to fill
  scene_check(own, *(cook_scene **)user);
}

/// The scene, sound by scene_check, or NULL when the job was left.
static cook_scene *make(void) {
  cook_scene *scene = NULL;
  return job_run(job, make_step, &scene) ? scene : NULL;
}

static void expect_refused(const char *code, int exit_code) {
  assert_null(make());
  assert_string_equal(mt_codes(job, true), code);
  assert_int_equal(job_exit_code(job), exit_code);
}

// -- Sound ------------------------------------------------------------------------------------------------------------

static void test_assimp_scene_by_hand_is_sound(void **state) {
  (void)state;
  const cook_scene *scene = make();
  assert_non_null(scene);
  assert_string_equal(mt_codes(job, true), "");
  assert_int_equal(scene->node_count, 1);
  assert_int_equal(scene->meshes[0].primitives[0].index_count, 6);
  assert_int_equal(scene->clips[0].track_count, 3);
  assert_true(scene->meshes[0].primitives[0].targets[0].position_deltas[3][2] > 0);
}

// -- Wrong ------------------------------------------------------------------------------------------------------------

/// assimp_index
static void test_assimp_scene_index_past_the_vertices_is_refused(void **state) {
  (void)state;
  hand->corners[1][2] = VERTEX_COUNT;
  expect_refused("I019", 1);
  assert_int_equal(mt_issue(job, MPAK_I019)->where.index, 1);
}

/// assimp_shape_vertices
static void test_assimp_scene_shape_of_another_length_is_refused(void **state) {
  (void)state;
  hand->shape.mNumVertices = VERTEX_COUNT - 1;
  expect_refused("I020", 1);
  assert_string_equal(mt_issue(job, MPAK_I020)->where.target, "Smile");
}

/// assimp_weight_vertex
static void test_assimp_scene_weight_of_no_vertex_is_refused(void **state) {
  (void)state;
  hand->weights[2].mVertexId = VERTEX_COUNT;
  expect_refused("I021", 1);
}

/// assimp_morph_keys
static void test_assimp_scene_morph_key_of_no_channel_is_refused(void **state) {
  (void)state;
  hand->morph_values[1][0] = 1;
  expect_refused("I023", 1);
  assert_int_equal(mt_issue(job, MPAK_I023)->where.index, 1);
}

static void test_assimp_scene_channel_twice_in_a_key_is_refused(void **state) {
  (void)state;
  hand->morph_keys[1].mNumValuesAndWeights = 2;
  expect_refused("I023", 1);
  assert_non_null(strstr(mt_issue(job, MPAK_I023)->message, "twice"));
}

static void test_assimp_scene_two_plain_channels_of_a_node_are_refused(void **state) {
  (void)state;
  struct aiNodeAnim *twice[2] = {&hand->channel, &hand->channel};
  hand->clip.mChannels = twice;
  hand->clip.mNumChannels = 2;
  expect_refused("I016", 1);
}

static void test_assimp_scene_without_root_or_mesh_is_refused(void **state) {
  (void)state;
  hand->meshes[0] = NULL;
  expect_refused("I010", 4);
}

/// Depth is counted in nodes of ours: the limit holds, one more does not.
static void test_assimp_scene_depth_has_its_limit(void **state) {
  (void)state;
  static struct aiNode chain[1025];
  static struct aiNode *links[1025];
  for (uint32_t depth = 1024; depth <= 1025; depth++) {
    for (uint32_t i = 0; i < depth; i++) {
      chain[i] = (struct aiNode){.mTransformation = identity, .mNumChildren = i + 1 < depth, .mChildren = &links[i]};
      links[i] = i + 1 < depth ? &chain[i + 1] : NULL;
      set_text(&chain[i].mName, "Link");
    }
    hand->scene.mNumMeshes = hand->scene.mNumAnimations = 0;
    hand->children[0] = &chain[0];
    if (depth == 1024)
      assert_non_null(make());
    else
      expect_refused("I008", 6);
  }
}

// -- Odd, but no reason to die ----------------------------------------------------------------------------------------

/// Each leaves a sound scene, or an error; what it must not do is crash.
static void test_assimp_scene_holes_are_survived(void **state) {
  for (int hole = 0; hole < 18; hole++) {
    end(state);
    assert_int_equal(begin(state), 0);
    switch (hole) {
    case 0: hand->mesh.mVertices = NULL; break;
    case 1: hand->mesh.mFaces = NULL; break;
    case 2: hand->faces[0].mIndices = NULL; break;
    case 3: hand->faces[1].mNumIndices = 2; break;
    case 4: hand->mesh.mBones = NULL; break;
    case 5: hand->bones[0] = NULL; break;
    case 6: hand->bone.mWeights = NULL; break;
    case 7: hand->mesh.mAnimMeshes = NULL; break;
    case 8: hand->shapes[0] = NULL; break;
    case 9: hand->shape.mVertices = NULL; break;
    case 10: hand->clips[0] = NULL; break;
    case 11: hand->channels[0] = NULL; break;
    case 12: hand->channel.mPositionKeys = NULL; break;
    case 13: hand->morphs[0] = NULL; break;
    case 14: hand->morph.mKeys = NULL; break;
    case 15: hand->morph_keys[0].mWeights = NULL; break;
    case 16: hand->node.mMeshes = NULL; break;
    default: hand->children[0] = NULL; break;
    }
    const cook_scene *scene = make();
    if (scene == NULL && job_severity_count(job, MPAK_ERROR) == 0) print_error("hole %d\n", hole);
    assert_true(scene != NULL || job_severity_count(job, MPAK_ERROR) != 0);
  }
}

/// A mesh of nothing but lines draws nothing, and its node stays.
static void test_assimp_scene_mesh_of_lines_is_dropped(void **state) {
  (void)state;
  hand->faces[0].mNumIndices = hand->faces[1].mNumIndices = 2;
  hand->clip.mNumMorphMeshChannels = 0;
  const cook_scene *scene = make();
  assert_non_null(scene);
  assert_string_equal(mt_codes(job, true), "I018");
  assert_int_equal(scene->mesh_count, 0);
  assert_int_equal(scene->node_count, 1);
  assert_int_equal(scene->nodes[0].mesh, MPAK_NONE);
}

/// Two nodes with the same list of meshes share one of ours; the skin of loose vertices follows each node by itself.
static void test_assimp_scene_instances_share_their_mesh(void **state) {
  (void)state;
  static struct aiNode second;
  struct aiNode *children[2] = {&hand->node, &second};
  second = hand->node;
  set_text(&second.mName, "Second");
  hand->root.mChildren = children;
  hand->root.mNumChildren = 2;
  hand->bone.mNumWeights = 2;
  const cook_scene *scene = make();
  assert_non_null(scene);
  assert_int_equal(scene->mesh_count, 1);
  assert_int_equal(scene->nodes[1].mesh, 0);
  assert_int_equal(scene->skin_count, 2);
  assert_int_equal(scene->skins[scene->nodes[0].skin].joints[1], 0);
  assert_int_equal(scene->skins[scene->nodes[1].skin].joints[1], 1);
}

/// glTF through Assimp: parts of a mesh are named Face-0, Face-1; what has no name is called meshes[0], nodes[3].
static void test_assimp_scene_names_made_up_by_assimp_are_taken_back(void **state) {
  (void)state;
  kind = SNIFF_GLTF_JSON;
  unsigned both[2] = {0, 1};
  struct aiMesh parts[2] = {hand->mesh, hand->mesh}, *list[2] = {&parts[0], &parts[1]};
  set_text(&parts[0].mName, "Face-0");
  set_text(&parts[1].mName, "Face-1");
  set_text(&hand->node.mName, "nodes[3]");
  set_text(&hand->bone.mName, "nodes[3]");
  set_text(&hand->shape.mName, "");
  hand->scene.mMeshes = list;
  hand->scene.mNumMeshes = hand->node.mNumMeshes = 2;
  hand->scene.mNumAnimations = 0;
  hand->node.mMeshes = both;
  const cook_scene *scene = make();
  assert_non_null(scene);
  assert_int_equal(scene->mesh_count, 1);
  assert_int_equal(scene->meshes[0].primitive_count, 2);
  assert_string_equal(scene->meshes[0].name, "Face");
  assert_null(scene->meshes[0].control_names[0]);
  assert_null(scene->nodes[scene->node_count - 1].name);
}

#define UNIT(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT(test_assimp_scene_by_hand_is_sound),
      UNIT(test_assimp_scene_index_past_the_vertices_is_refused),
      UNIT(test_assimp_scene_shape_of_another_length_is_refused),
      UNIT(test_assimp_scene_weight_of_no_vertex_is_refused),
      UNIT(test_assimp_scene_morph_key_of_no_channel_is_refused),
      UNIT(test_assimp_scene_channel_twice_in_a_key_is_refused),
      UNIT(test_assimp_scene_two_plain_channels_of_a_node_are_refused),
      UNIT(test_assimp_scene_without_root_or_mesh_is_refused),
      UNIT(test_assimp_scene_depth_has_its_limit),
      UNIT(test_assimp_scene_holes_are_survived),
      UNIT(test_assimp_scene_mesh_of_lines_is_dropped),
      UNIT(test_assimp_scene_instances_share_their_mesh),
      UNIT(test_assimp_scene_names_made_up_by_assimp_are_taken_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
