// Real FBX files: Blender's exports against the positions that Blender itself evaluates, other programs' against the
// truth of ufbx's tests, and every file must end in a scene or in a coded error. Also the record reader on damaged
// files.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cooker/import/fbx_facts.h"
#include "tests/support/mt_cook.h"
#include "tests/support/mt_evaluate.h"
#include "tests/support/mt_import.h"

#define BLENDER_TOLERANCE 3e-4 ///< of the size; ASSETS.md
#define UFBX_TOLERANCE    1e-4

/// A path below the folder of shared assets; NULL when the file is not there.
static const char *shared(const char *below) {
  static char path[4096];
  const char *folder = getenv("MPAK_SHARED") != NULL ? getenv("MPAK_SHARED") : "../shared";
  snprintf(path, sizeof path, "%s/assets/%s", folder, below);
  return access(path, R_OK) == 0 ? path : NULL;
}

// -- Blender ----------------------------------------------------------------------------------------------------------

/// One export and its oracle: relative distance over all frames and objects.
static void check_blender(const char *fbx, const char *oracle) {
  cook_job *job = job_begin(NULL, NULL);
  const cook_scene *scene = mt_import(job, fbx, NULL);
  if (scene == NULL) print_error("%s: %s\n", fbx, mt_codes(job, true));
  assert_non_null(scene);
  uint32_t compared;
  const double distance = mt_compare_oracle(scene, oracle, 1, &compared);
  if (!(distance <= BLENDER_TOLERANCE)) print_error("%s: %g of the size\n", fbx, distance);
  assert_true(compared > 0);
  assert_true(distance <= BLENDER_TOLERANCE);
  assert_string_equal(mt_codes(job, false), "");
  job_end(job);
}

static void test_assimp_files_blender_samples_are_right(void **state) {
  (void)state;
  static const char *const names[] = {"face60", "face_anim", "head_parts", "japanese_names", "custom_normals"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char below[256], fbx[4096];
    snprintf(below, sizeof below, "samples/assets/%s.fbx", names[i]);
    snprintf(fbx, sizeof fbx, "%s", mt_path(below));
    snprintf(below, sizeof below, "samples/assets/%s.oracle.json", names[i]);
    check_blender(fbx, mt_path(below));
  }
}

static void test_assimp_files_blender_assets_are_right(void **state) {
  (void)state;
  static const char *const names[][2] = {{"flat_no_morph_normals", "flat_no_morph_normals"},
                                         {"lod_pair", "lod_pair"},
                                         {"many_influences", "many_influences"},
                                         {"noop_and_onevert", "noop_and_onevert"},
                                         {"scaled_armature", "scaled_armature"},
                                         {"scaled_armature_scale_all", "scaled_armature"},
                                         {"two_materials", "two_materials"}};
  int not_run = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char below[256], fbx[4096];
    snprintf(below, sizeof below, "blender/%s.fbx", names[i][0]);
    const char *found = shared(below);
    not_run += found == NULL;
    if (found == NULL) continue;
    snprintf(fbx, sizeof fbx, "%s", found);
    snprintf(below, sizeof below, "blender/%s.oracle.json", names[i][1]);
    check_blender(fbx, shared(below));
  }
  if (not_run != 0) print_message("not run: %d Blender exports\n", not_run);
}

/// The names of shapes are the source's bytes; the same scene as GLB has them too, in another order.
static void test_assimp_files_japanese_names_are_kept_byte_by_byte(void **state) {
  (void)state;
  static const char *const names[] = {
      "あ",    "い",    "う",   "え",   "お", "まばたき", "ウィンク右",      "笑い",     "にこり",
      "Größe", "naïve", "한글", "смех", "😀",  "a/b\\c:d", "with \"quotes\"", " leading", "tab\tin"};
  cook_job *job = job_begin(NULL, NULL);
  const cook_scene *scene = mt_import(job, mt_path("samples/assets/japanese_names.fbx"), NULL);
  assert_non_null(scene);
  assert_int_not_equal(mt_find_node(scene, "顔"), MPAK_NONE);
  assert_int_equal(scene->meshes[0].target_count, sizeof names / sizeof *names);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    bool is_there = false;
    for (uint32_t t = 0; t < scene->meshes[0].target_count; t++)
      is_there = is_there || strcmp(scene->meshes[0].control_names[t], names[i]) == 0;
    if (!is_there) print_error("%s\n", names[i]);
    assert_true(is_there);
  }
  job_end(job);
}

/// Default weights of shapes that no curve moves: Blender's own values.
static void test_assimp_files_default_weights_are_blenders(void **state) {
  (void)state;
  const char *path = shared("blender/two_materials.fbx");
  if (path == NULL) {
    print_message("not run: 1 file with default weights\n");
    return;
  }
  cook_job *job = job_begin(NULL, NULL);
  const cook_scene *scene = mt_import(job, path, NULL);
  assert_non_null(scene);
  const cook_mesh *mesh = &scene->meshes[0];
  assert_int_equal(mesh->primitive_count, 2);
  for (uint32_t t = 0; t < mesh->target_count; t++)
    assert_true(mesh->default_weights[t] == (strcmp(mesh->control_names[t], "front_only") == 0 ? 0.5f : 0.0f));
  job_end(job);
}

// -- Others -----------------------------------------------------------------------------------------------------------

/// Vertices of an .obj. malloc'ed.
static double (*read_obj(const char *path, uint64_t *count))[3] {
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  double(*points)[3] = calloc(1 << 16, sizeof *points);
  char line[512];
  *count = 0;
  while (fgets(line, sizeof line, file) != NULL && *count < 1 << 16)
    if (sscanf(line, "v %lf %lf %lf", &points[*count][0], &points[*count][1], &points[*count][2]) == 3) ++*count;
  fclose(file);
  return points;
}

/// Points of all drawn nodes.
static double (*all_points(const cook_scene *scene, uint32_t clip, double time_s, uint64_t *count))[3] {
  double(*points)[3] = calloc(1 << 16, sizeof *points);
  *count = 0;
  for (uint32_t n = 0; n < scene->node_count; n++) {
    for (uint32_t p = 0; scene->nodes[n].mesh != MPAK_NONE && p < scene->meshes[scene->nodes[n].mesh].primitive_count;
         p++) {
      const uint32_t vertex_count = scene->meshes[scene->nodes[n].mesh].primitives[p].vertex_count;
      double(*moved)[3] = mt_evaluate(scene, clip, time_s, n, p);
      assert_true(*count + vertex_count <= 1 << 16);
      memcpy(points + *count, moved, vertex_count * sizeof *points);
      *count += vertex_count;
      free(moved);
    }
  }
  return points;
}

static uint32_t clip_of(const cook_scene *scene, const char *part) {
  for (uint32_t c = 0; part != NULL && c < scene->clip_count; c++)
    if (scene->clips[c].name != NULL && strstr(scene->clips[c].name, part) != NULL) return c;
  return MPAK_NONE;
}

/// One true shape: a clip (part of its name, NULL: rest) at frame / 24 s of the clip's time line.
typedef struct truth {
  const char *fbx, *obj, *clip;
  double frame;
} truth;

/// ufbx's shapes are in the file's own unit and axes.
static bool check_truth(const truth *known) {
  char fbx[4096], below[256];
  snprintf(below, sizeof below, "fbx_ufbx/%s.fbx", known->fbx);
  if (shared(below) == NULL) return false;
  snprintf(fbx, sizeof fbx, "%s", shared(below));
  const cook_options own_space = {.up = COOK_UP_SOURCE, .unit = COOK_UNIT_SOURCE};
  cook_job *job = job_begin(NULL, NULL);
  const cook_scene *scene = mt_import(job, fbx, &own_space);
  if (scene == NULL) print_error("%s: %s\n", fbx, mt_codes(job, true));
  assert_non_null(scene);
  uint64_t point_count, reference_count;
  snprintf(below, sizeof below, "fbx_ufbx/%s.obj", known->obj);
  double(*reference)[3] = read_obj(shared(below), &reference_count);
  double(*points)[3] = all_points(scene, clip_of(scene, known->clip), known->frame / 24, &point_count);
  const double distance =
      mt_set_distance((const double(*)[3])points, point_count, (const double(*)[3])reference, reference_count);
  if (!(distance <= UFBX_TOLERANCE)) print_error("%s: %g of the size\n", known->obj, distance);
  assert_true(distance <= UFBX_TOLERANCE);
  free(points);
  free(reference);
  job_end(job);
  return true;
}

static void test_assimp_files_others_agree_with_ufbx(void **state) {
  (void)state;
  // a clip begins at its stack's LocalStart, which is frame 1 in Maya's and some of Blender's files
  static const truth truths[] = {
      {"blender_279_sausage_7400_binary", "blender_279_sausage_base_0", "|Base", 0},
      {"blender_279_sausage_7400_binary", "blender_279_sausage_spin_15", "|Spin", 15},
      {"blender_279_sausage_7400_binary", "blender_279_sausage_wiggle_20", "|Wiggle", 19},
      {"blender_293_half_skinned_7400_binary", "blender_293_half_skinned", NULL, 0},
      {"blender_331_static_blend_shape_7400_binary", "blender_331_static_blend_shape", NULL, 0},
      {"blender_340_mirrored_normals_7400_binary", "blender_340_mirrored_normals", NULL, 0},
      {"blender440_shape_weight_anim_7400_binary", "blender440_shape_weight_anim_5", "Action", 5},
      {"blender440_shape_weight_anim_7400_binary", "blender440_shape_weight_anim_15", "Action", 15},
      {"blender440_shape_weight_anim_7400_binary", "blender440_shape_weight_anim_25", "Action", 25},
      {"max_transformed_skin_7500_binary", "max_transformed_skin_5", "Take", 5 * 24 / 30.0},
      {"max_transformed_skin_7500_binary", "max_transformed_skin_15", "Take", 15 * 24 / 30.0},
      {"maya_game_sausage_7500_binary_wiggle", "maya_game_sausage_wiggle_10", "wiggle", 9},
      {"maya_game_sausage_7500_binary_wiggle", "maya_game_sausage_wiggle_18", "wiggle", 17},
      {"zbrush_d20_7500_binary", "zbrush_d20", NULL, 0},
  };
  int not_run = 0;
  for (size_t i = 0; i < sizeof truths / sizeof *truths; i++) not_run += !check_truth(&truths[i]);
  if (not_run != 0) print_message("not run: %d shapes of other programs\n", not_run);
}

/// What each file of the shared folder must come to: the codes of its warnings and errors.
static void test_assimp_files_all_end_in_a_scene_or_a_coded_error(void **state) {
  (void)state;
  static const struct {
    const char *below, *codes;
    bool has_scene;
  } files[] = {
      {"bad/empty.fbx", "F005", false},
      {"bad/text_not_a_model.fbx", "F006", false},
      {"bad/fbx_wrong_magic.fbx", "F006", false},
      {"bad/fbx_truncated_half.fbx", "F009", false},
      {"fbx_assimp/animation_with_skeleton.fbx", "", true},
      {"fbx_assimp/cubes_with_mirroring_and_pivot.fbx", "", true},
      {"fbx_ozz/arnaud.fbx", "", true},
      {"fbx_ozz/jog.fbx", "", true},
      {"fbx_ufbx/blender_279_shape_weights_7400_binary.fbx", "", true},
      {"fbx_ufbx/blender_279_unicode_7400_binary.fbx", "", true},
      {"fbx_ufbx/blender_293_barbarian_7400_binary.fbx", "", true},
      {"fbx_ufbx/blender_suzanne_multimaterial_7400_binary.fbx", "", true},
      {"fbx_ufbx/max7_blend_cube_5000_binary.fbx", "F008", false},
      {"fbx_ufbx/max_transformed_skin_7500_binary.fbx", "", true},
      {"fbx_ufbx/maya_blend_shape_cube_6100_ascii.fbx", "F008", false},
      {"fbx_ufbx/maya_blend_shape_cube_7700_ascii.fbx", "", true},
      {"fbx_ufbx/maya_blend_shape_cube_7700_binary.fbx", "", true},
      {"fbx_ufbx/maya_character_7500_binary.fbx", "", true},
      {"fbx_ufbx/maya_game_sausage_7500_binary_combined.fbx", "I041", true},
      {"fbx_ufbx/maya_instanced_skin_7700_binary.fbx", "", true},
      {"fbx_ufbx/maya_lod_group_7500_binary.fbx", "", true},
      {"fbx_ufbx/maya_transformed_skin_7700_binary.fbx", "", true},
      {"fbx_ufbx/maya_unicode_7400_binary.fbx", "", true},
      {"skin/exported-animation.fbx", "", true},
      {"skin/skin.fbx", "", true},
      {"other_formats/holy_grailref.smd", "", true},
      {"other_formats/anim_test.x", "I015", false},
  };
  int not_run = 0;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    const char *path = shared(files[i].below);
    not_run += path == NULL;
    if (path == NULL) continue;
    cook_job *job = job_begin(NULL, NULL);
    const cook_scene *scene = mt_import(job, path, NULL);
    const char *codes = mt_codes(job, false);
    if (strcmp(codes, files[i].codes) != 0) print_error("%s: %s\n", files[i].below, codes);
    assert_string_equal(codes, files[i].codes);
    assert_int_equal(scene != NULL, files[i].has_scene);
    job_end(job);
  }
  if (not_run != 0) print_message("not run: %d files of the shared folder\n", not_run);
}

// -- Assimp on glTF, as a second opinion ------------------------------------------------------------------------------

static void test_assimp_files_plain_glb_through_assimp_is_right_too(void **state) {
  (void)state;
  static const char *const names[] = {"face60", "japanese_names", "custom_normals"};
  const cook_options through_assimp = {.importer = COOK_IMPORTER_ASSIMP};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char below[256], glb[4096];
    snprintf(below, sizeof below, "samples/assets/%s.glb", names[i]);
    snprintf(glb, sizeof glb, "%s", mt_path(below));
    snprintf(below, sizeof below, "samples/assets/%s.oracle.json", names[i]);
    cook_job *job = job_begin(NULL, NULL);
    const cook_scene *scene = mt_import(job, glb, &through_assimp);
    assert_non_null(scene);
    assert_int_equal(scene->source_kind, COOK_SOURCE_GLTF);
    uint32_t compared;
    const double distance = mt_compare_oracle(scene, mt_path(below), 0, &compared);
    if (!(distance <= 2e-5)) print_error("%s: %g of the size\n", glb, distance);
    assert_true(compared > 0 && distance <= 2e-5);
    job_end(job);
  }
}

// -- Damaged records --------------------------------------------------------------------------------------------------

/// A binary file for the record reader alone.
typedef struct record_file {
  const uint8_t *bytes;
  uint64_t byte_count;
} record_file;

/// Reads records and facts, and unpacks every array.
static void read_records(cook_job *job, void *user) {
  const record_file *file = user;
  const fbx_records *records = fbx_records_read(job, file->bytes, file->byte_count);
  fbx_facts_make(records);
  for (uint32_t r = 0; r < records->record_count; r++)
    for (uint32_t v = 0, count; v < records->records[r].value_count; v++)
      fbx_array(records, fbx_value_at(records, r, v), &count);
}

/// The file in a block of exactly its size: read to the end, or refused with F009.
static bool reads(const uint8_t *bytes, uint64_t byte_count) {
  uint8_t *exact = malloc(byte_count == 0 ? 1 : byte_count);
  memcpy(exact, bytes, byte_count);
  record_file file = {exact, byte_count};
  cook_job *job = job_begin(NULL, NULL);
  const bool returned = job_run(job, read_records, &file);
  if (!returned) assert_string_equal(mt_codes(job, true), "F009");
  job_end(job);
  free(exact);
  return returned;
}

static void test_assimp_files_cut_records_are_refused(void **state) {
  (void)state;
  uint64_t byte_count;
  uint8_t *bytes = mt_read(mt_path("samples/assets/custom_normals.fbx"), &byte_count);
  assert_non_null(bytes);
  assert_true(reads(bytes, byte_count));
  uint64_t last_refused = 0;
  for (uint64_t length = 23; length < byte_count; length += 1 + length / 64)
    if (!reads(bytes, length)) last_refused = length;
  for (uint64_t length = byte_count - 400; length < byte_count; length++)
    if (!reads(bytes, length)) last_refused = length;
  assert_true(last_refused > byte_count - 400); // only the footer behind the last record may be missing
  free(bytes);
}

static void test_assimp_files_changed_records_are_read_or_refused(void **state) {
  (void)state;
  uint64_t byte_count, refused = 0, accepted = 0;
  uint8_t *bytes = mt_read(mt_path("samples/assets/custom_normals.fbx"), &byte_count);
  assert_non_null(bytes);
  static const uint8_t masks[] = {0x01, 0x80, 0xFF};
  for (uint64_t i = 27; i < byte_count; i += 11) {
    const uint8_t mask = masks[i / 11 % sizeof masks];
    bytes[i] ^= mask;
    *(reads(bytes, byte_count) ? &accepted : &refused) += 1;
    bytes[i] ^= mask;
  }
  print_message("print: %llu changed FBX files refused, %llu read\n", (unsigned long long)refused,
                (unsigned long long)accepted);
  assert_true(refused > 100);
  free(bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_assimp_files_blender_samples_are_right),
      cmocka_unit_test(test_assimp_files_blender_assets_are_right),
      cmocka_unit_test(test_assimp_files_japanese_names_are_kept_byte_by_byte),
      cmocka_unit_test(test_assimp_files_default_weights_are_blenders),
      cmocka_unit_test(test_assimp_files_others_agree_with_ufbx),
      cmocka_unit_test(test_assimp_files_all_end_in_a_scene_or_a_coded_error),
      cmocka_unit_test(test_assimp_files_plain_glb_through_assimp_is_right_too),
      cmocka_unit_test(test_assimp_files_cut_records_are_refused),
      cmocka_unit_test(test_assimp_files_changed_records_are_read_or_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
