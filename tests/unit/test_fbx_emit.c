// FBX files written again: read back they are the same tree, and Assimp finds in them what it finds in the original.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include "cooker/import/fbx_emit.h"
#include "cooker/import/sniff.h"
#include "tests/support/mt_cook.h"
#include "tests/support/mt_fbx.h"
#include "tests/support/mt_import.h"

/// What one file goes through.
typedef struct emit_step {
  const char *path;
  uint32_t version;
  uint8_t *source, *emitted;
  uint64_t source_bytes, emitted_bytes;
} emit_step;

static fbx_records *read_records(cook_job *job, const char *path, const uint8_t *bytes, uint64_t byte_count) {
  return sniff_file(job, path, bytes, byte_count) == SNIFF_FBX_TEXT ? fbx_text_read(job, bytes, byte_count)
                                                                    : fbx_records_read(job, bytes, byte_count);
}

static void run_emit(cook_job *job, void *user) {
  emit_step *step = user;
  const fbx_records *records = read_records(job, step->path, step->source, step->source_bytes);
  step->version = records->version;
  if (records->version < 7100) return;
  step->emitted = fbx_emit(records, &step->emitted_bytes);
}

/// The file, written again, in step; everything lives in the job.
static bool emit_file(cook_job *job, const char *path, emit_step *step) {
  *step = (emit_step){.path = path};
  uint8_t *bytes = mt_read(path, &step->source_bytes);
  assert_non_null(bytes);
  step->source = job_alloc(job, step->source_bytes + 1, 1); // readers of text want a zero behind it
  memcpy(step->source, bytes, step->source_bytes);
  free(bytes);
  return job_run(job, run_emit, step) && step->version >= 7100;
}

// -- The same tree ----------------------------------------------------------------------------------------------------

static void expect_same_value(fbx_value left, fbx_value right) {
  assert_int_equal(left.kind, right.kind);
  assert_int_equal(left.letter, right.letter);
  assert_int_equal(left.element_count, right.element_count);
  assert_int_equal(left.is_packed, right.is_packed);
  if (left.kind == FBX_VALUE_INTEGER) assert_int_equal(left.integer, right.integer);
  if (left.kind == FBX_VALUE_INTEGER || left.kind == FBX_VALUE_NUMBER) {
    assert_memory_equal(&left.number, &right.number, sizeof left.number);
    return;
  }
  assert_int_equal(left.byte_count, right.byte_count);
  if (left.byte_count != 0) assert_memory_equal(left.bytes, right.bytes, left.byte_count);
}

static void expect_same_tree(const fbx_records *left, const fbx_records *right) {
  assert_int_equal(left->version, right->version);
  assert_int_equal(left->record_count, right->record_count);
  for (uint32_t r = 0; r < left->record_count; r++) {
    assert_int_equal(left->records[r].name_bytes, right->records[r].name_bytes);
    assert_memory_equal(left->records[r].name, right->records[r].name, left->records[r].name_bytes);
    assert_int_equal(left->records[r].parent, right->records[r].parent);
    assert_int_equal(left->records[r].next_sibling, right->records[r].next_sibling);
    assert_int_equal(left->records[r].value_count, right->records[r].value_count);
    assert_int_equal(left->records[r].has_list, right->records[r].has_list);
    for (uint32_t v = 0; v < left->records[r].value_count; v++)
      expect_same_value(fbx_value_at(left, r, v), fbx_value_at(right, r, v));
  }
}

/// Both trees of one step, for the comparison above.
static void compare_trees(cook_job *job, void *user) {
  const emit_step *step = user;
  const fbx_records *source = read_records(job, step->path, step->source, step->source_bytes);
  const fbx_records *again = fbx_records_read(job, step->emitted, step->emitted_bytes);
  if (!source->is_text) {
    expect_same_tree(source, again);
    return;
  }
  assert_int_equal(source->record_count, again->record_count);
  for (uint32_t r = 0; r < source->record_count; r++)
    assert_int_equal(source->records[r].value_count, again->records[r].value_count);
}

// -- The same for Assimp ----------------------------------------------------------------------------------------------

/// How much of everything Assimp finds, and sums of what it is.
typedef struct scene_counts {
  uint64_t nodes, meshes, vertices, faces, bones, weights, shapes, materials, clips, channels, keys, morphs, morph_keys;
  double positions, shape_positions, key_values;
} scene_counts;

static void count_nodes(const struct aiNode *node, scene_counts *counts) {
  counts->nodes++;
  counts->positions += (double)node->mTransformation.a4 + (double)node->mTransformation.b4;
  for (unsigned i = 0; i < node->mNumChildren; i++) count_nodes(node->mChildren[i], counts);
}

static void count_mesh(const struct aiMesh *mesh, scene_counts *counts) {
  counts->vertices += mesh->mNumVertices;
  counts->faces += mesh->mNumFaces;
  counts->bones += mesh->mNumBones;
  counts->shapes += mesh->mNumAnimMeshes;
  for (unsigned b = 0; b < mesh->mNumBones; b++) counts->weights += mesh->mBones[b]->mNumWeights;
  for (unsigned v = 0; v < mesh->mNumVertices; v++) counts->positions += (double)mesh->mVertices[v].x;
  for (unsigned s = 0; s < mesh->mNumAnimMeshes; s++)
    for (unsigned v = 0; v < mesh->mNumVertices; v++)
      counts->shape_positions += (double)mesh->mAnimMeshes[s]->mVertices[v].y;
}

static void count_clip(const struct aiAnimation *clip, scene_counts *counts) {
  counts->channels += clip->mNumChannels;
  counts->morphs += clip->mNumMorphMeshChannels;
  for (unsigned c = 0; c < clip->mNumChannels; c++) {
    counts->keys += clip->mChannels[c]->mNumPositionKeys + clip->mChannels[c]->mNumRotationKeys;
    for (unsigned k = 0; k < clip->mChannels[c]->mNumPositionKeys; k++)
      counts->key_values += (double)clip->mChannels[c]->mPositionKeys[k].mValue.z;
  }
  for (unsigned c = 0; c < clip->mNumMorphMeshChannels; c++)
    counts->morph_keys += clip->mMorphMeshChannels[c]->mNumKeys;
}

static bool count_scene(const uint8_t *bytes, uint64_t byte_count, scene_counts *counts) {
  *counts = (scene_counts){0};
  const struct aiScene *scene =
      aiImportFileFromMemory((const char *)bytes, (unsigned)byte_count, aiProcess_Triangulate, "fbx");
  if (scene == NULL) return false;
  count_nodes(scene->mRootNode, counts);
  counts->meshes = scene->mNumMeshes;
  counts->materials = scene->mNumMaterials;
  counts->clips = scene->mNumAnimations;
  for (unsigned m = 0; m < scene->mNumMeshes; m++) count_mesh(scene->mMeshes[m], counts);
  for (unsigned a = 0; a < scene->mNumAnimations; a++) count_clip(scene->mAnimations[a], counts);
  aiReleaseImport(scene);
  return true;
}

/// Returns whether the file could be compared: Assimp must be able to read it.
static bool compare_file(const char *path) {
  cook_job *job = job_begin(NULL, NULL);
  emit_step step;
  scene_counts original, again;
  bool is_compared = false;
  if (emit_file(job, path, &step)) {
    assert_true(job_run(job, compare_trees, &step));
    is_compared = count_scene(step.source, step.source_bytes, &original);
    if (is_compared &&
        (!count_scene(step.emitted, step.emitted_bytes, &again) || memcmp(&original, &again, sizeof original) != 0))
      fail_msg("%s: Assimp reads the copy otherwise", path);
  }
  job_end(job);
  return is_compared;
}

static uint32_t compare_files(const char *pattern) {
  glob_t found;
  uint32_t count = 0;
  if (glob(pattern, GLOB_BRACE, NULL, &found) != 0) return 0;
  for (size_t i = 0; i < found.gl_pathc; i++) count += compare_file(found.gl_pathv[i]);
  globfree(&found);
  return count;
}

// -- Tests ------------------------------------------------------------------------------------------------------------

static void test_fbx_emit_text_becomes_binary(void **state) {
  (void)state;
  assert_true(compare_file(mt_fbx_file("emit", NULL)));
  static const mt_patch wide[] = {{"FBXVersion: 7400", "FBXVersion: 7500"}, {NULL, NULL}};
  assert_true(compare_file(mt_fbx_file("emit_wide", wide)));
}

static void test_fbx_emit_samples_stay_as_they_are(void **state) {
  (void)state;
  assert_true(compare_files(mt_path("samples/assets/*.fbx")) >= 5);
}

static void test_fbx_emit_shared_files_stay_as_they_are(void **state) {
  (void)state;
  const char *shared = getenv("MPAK_SHARED") != NULL ? getenv("MPAK_SHARED") : "../shared";
  char pattern[1024];
  snprintf(pattern, sizeof pattern, "%s/assets/{blender,fbx_*,skin}/*.fbx", shared);
  const uint32_t count = compare_files(pattern);
  if (count == 0)
    print_message("not checked: the files of %s\n", shared);
  else
    assert_true(count >= 30);
}

/// A copy of a copy is the same file.
static void test_fbx_emit_is_stable(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  emit_step first, second;
  assert_true(emit_file(job, mt_fbx_file("stable", NULL), &first));
  char path[1024];
  snprintf(path, sizeof path, "%s/copy.fbx", mt_scratch());
  assert_true(mt_write(path, first.emitted, first.emitted_bytes));
  assert_true(emit_file(job, path, &second));
  assert_int_equal(first.emitted_bytes, second.emitted_bytes);
  assert_memory_equal(first.emitted, second.emitted, first.emitted_bytes);
  job_end(job);
}

/// An array that does not hold what it promises cannot be stored.
static void test_fbx_emit_false_counts_are_refused(void **state) {
  (void)state;
  static const mt_patch patches[] = {{"Vertices: *12 {\n      a: 0,0,0,2", "Vertices: *12 {\n      a: 0,0,0"},
                                     {NULL, NULL}};
  cook_job *job = job_begin(NULL, NULL);
  emit_step step;
  assert_false(emit_file(job, mt_fbx_file("false_count", patches), &step));
  assert_string_equal(mt_codes(job, true), "F009");
  job_end(job);
}

/// Plain arrays that state another size than their elements have are written with the right one.
static void test_fbx_emit_sizes_of_plain_arrays(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  emit_step first, second;
  assert_true(emit_file(job, mt_fbx_file("sizes", NULL), &first));
  uint8_t *spoiled = job_copy(job, first.emitted, first.emitted_bytes);
  uint8_t *array = memmem(spoiled, first.emitted_bytes, "\x08Verticesd", 10); // type, count, encoding, size
  assert_non_null(array);
  assert_int_equal(array[18], 96); // 12 doubles
  array[18] = 0;
  char path[1024];
  snprintf(path, sizeof path, "%s/spoiled.fbx", mt_scratch());
  assert_true(mt_write(path, spoiled, first.emitted_bytes));
  assert_true(emit_file(job, path, &second));
  assert_int_equal(first.emitted_bytes, second.emitted_bytes);
  assert_memory_equal(first.emitted, second.emitted, first.emitted_bytes);
  job_end(job);
}

/// Binary files count the bytes of a record's name with one byte.
static void test_fbx_emit_long_names_are_refused(void **state) {
  (void)state;
  char name[300], line[400];
  for (int length = 255; length <= 256; length++) {
    memset(name, 'N', sizeof name);
    name[length] = 0;
    snprintf(line, sizeof line, "%s: 1\nVertices: *12", name);
    const mt_patch patches[] = {{"Vertices: *12", line}, {NULL, NULL}};
    cook_job *job = job_begin(NULL, NULL);
    emit_step step;
    assert_int_equal(emit_file(job, mt_fbx_file("long_name", patches), &step), length == 255);
    assert_string_equal(mt_codes(job, true), length == 255 ? "" : "F009");
    job_end(job);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fbx_emit_text_becomes_binary),
      cmocka_unit_test(test_fbx_emit_samples_stay_as_they_are),
      cmocka_unit_test(test_fbx_emit_shared_files_stay_as_they_are),
      cmocka_unit_test(test_fbx_emit_is_stable),
      cmocka_unit_test(test_fbx_emit_false_counts_are_refused),
      cmocka_unit_test(test_fbx_emit_sizes_of_plain_arrays),
      cmocka_unit_test(test_fbx_emit_long_names_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
