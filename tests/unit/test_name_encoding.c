// Names that are not UTF-8: every place of a scene that has one, and FBX files as a whole.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "cooker/import/name_encoding.h"
#include "tests/support/mt_fbx.h"
#include "tests/support/mt_import.h"

// Cheek, table and smile: in cp932 the second byte of the table is a backslash.
#define CHEEK_CP932 "\x96\x6A"
#define TABLE_CP932 "\x95\\"
#define SMILE_CP932 "\x8F\xCE\x82\xA2"
#define CHEEK_EUC   "\xCB\xCB"
#define CHEEK       "\xE9\xA0\xAC"
#define TABLE       "\xE8\xA1\xA8"
#define SMILE       "\xE7\xAC\x91\xE3\x81\x84"

static void test_encodings_are_known_when_they_contain_ascii(void **state) {
  (void)state;
  static const char *const known[] = {"cp932", "CP932",  "shift_jis", "euc-jp",      "gb18030", "big5",
                                      "cp949", "cp1252", "utf-8",     "iso-2022-jp", "latin1",  "koi8-r"};
  static const char *const unknown[] = {"",       "klingon",       "utf-16",       "ucs-4",  "ibm037",
                                        "cp932 ", "cp932//IGNORE", "../lib/cp932", "wchar_t"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!name_encoding_is_known(known[i])) fail_msg("%s is not known", known[i]);
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
    if (name_encoding_is_known(unknown[i])) fail_msg("\"%s\" is known", unknown[i]);
}

/// One of everything that has a name, all of them the same.
static cook_scene *scene_of_one(cook_job *job, const char *name) {
  cook_scene *scene = JOB_ARRAY(job, cook_scene, 1);
  *scene = (cook_scene){.source_kind = COOK_SOURCE_OTHER, .generator = name};
  scene->node_count = scene->mesh_count = scene->skin_count = scene->material_count = scene->clip_count = 1;
  scene->nodes = JOB_ARRAY(job, cook_node, 1);
  scene->meshes = JOB_ARRAY(job, cook_mesh, 1);
  scene->skins = JOB_ARRAY(job, cook_skin, 1);
  scene->materials = JOB_ARRAY(job, cook_material, 1);
  scene->clips = JOB_ARRAY(job, cook_clip, 1);
  scene->nodes[0].name = scene->meshes[0].name = scene->skins[0].name = scene->clips[0].name = name;
  scene->materials[0] = (cook_material){name,
                                        .base_texture = name,
                                        .normal_texture = name,
                                        .metal_rough_texture = name,
                                        .occlusion_texture = name,
                                        .emissive_texture = name};
  cook_mesh *mesh = &scene->meshes[0];
  mesh->control_count = 2;
  mesh->target_count = 1;
  mesh->control_names = JOB_ARRAY(job, const char *, 2); // the second has none
  mesh->control_names[0] = name;
  mesh->rules = JOB_ARRAY(job, cook_shape_rule, 1);
  mesh->rules[0].name = name;
  return scene;
}

static void assert_all_are(const cook_scene *scene, const char *name) {
  const cook_material *material = &scene->materials[0];
  const char *const found[] = {scene->generator,
                               scene->nodes[0].name,
                               scene->meshes[0].name,
                               scene->meshes[0].control_names[0],
                               scene->meshes[0].rules[0].name,
                               scene->skins[0].name,
                               scene->clips[0].name,
                               material->name,
                               material->base_texture,
                               material->normal_texture,
                               material->metal_rough_texture,
                               material->occlusion_texture,
                               material->emissive_texture};
  for (size_t i = 0; i < sizeof found / sizeof *found; i++) assert_string_equal(found[i], name);
  assert_null(scene->meshes[0].control_names[1]);
}

static void test_every_name_of_a_scene_is_converted(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  cook_scene *scene = scene_of_one(job, "a" CHEEK_CP932 TABLE_CP932);
  name_encoding_convert(job, scene, "cp932");
  assert_all_are(scene, "a" CHEEK TABLE);
  scene = scene_of_one(job, CHEEK_EUC);
  name_encoding_convert(job, scene, "euc-jp");
  assert_all_are(scene, CHEEK);
  scene = scene_of_one(job, "\xB1"); // half-width katakana: one byte becomes three
  name_encoding_convert(job, scene, "cp932");
  assert_all_are(scene, "\xEF\xBD\xB1");
  assert_int_equal(job_issue_count(job), 0);
  job_end(job);
}

static void test_a_file_that_is_utf8_is_left_alone(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  cook_scene *scene = scene_of_one(job, CHEEK);
  name_encoding_convert(job, scene, "cp932");
  assert_all_are(scene, CHEEK);
  scene->nodes[0].name = CHEEK_CP932; // one name that is none: all are converted
  scene->clips[0].name = "\xC3\xBD";  // UTF-8 by accident
  scene->meshes[0].name = NULL;
  name_encoding_convert(job, scene, "cp932");
  assert_string_equal(scene->nodes[0].name, CHEEK);
  assert_string_equal(scene->clips[0].name, "\xEF\xBE\x83\xEF\xBD\xBD");
  assert_null(scene->meshes[0].name);
  job_end(job);
}

typedef struct convert_case {
  const char *name, *encoding;
} convert_case;

static void step_convert(cook_job *job, void *user) {
  const convert_case *convert = user;
  name_encoding_convert(job, scene_of_one(job, convert->name), convert->encoding);
}

/// name_encoding_does_not_fit
static void test_names_that_do_not_fit_are_refused(void **state) {
  (void)state;
  convert_case cases[] = {{"\x81", "cp932"},        // half a character
                          {"a\xFF", "euc-jp"},      // no character
                          {CHEEK_CP932, "euc-jp"},  // would become a control character
                          {CHEEK_CP932, "klingon"}, // nobody's encoding
                          {CHEEK_CP932, "cp932//IGNORE"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cook_job *job = job_begin(NULL, NULL);
    assert_false(job_run(job, step_convert, &cases[i]));
    assert_string_equal(mt_codes(job, true), "I051");
    assert_string_equal(job_issue_at(job, 0)->where.limit, cases[i].encoding);
    assert_int_equal(job_exit_code(job), 1);
    job_end(job);
  }
}

// -- FBX --------------------------------------------------------------------------------------------------------------

static const mt_patch to_cp932[] = {{"\"Model::Spine\"", "\"Model::" CHEEK_CP932 TABLE_CP932 "\""},
                                    {"SubDeformer::Smile\"", "SubDeformer::" SMILE_CP932 "\""},
                                    {NULL, NULL}};

static bool has_node(const cook_scene *scene, const char *name) {
  for (uint32_t n = 0; n < scene->node_count; n++)
    if (scene->nodes[n].name != NULL && strcmp(scene->nodes[n].name, name) == 0) return true;
  return false;
}

static void test_fbx_names_are_converted(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  const char *path = mt_fbx_file("names_cp932.fbx", to_cp932);
  const cook_scene *raw = mt_import(job, path, NULL); // nothing said: left for check/ to refuse
  assert_non_null(raw);
  assert_true(has_node(raw, CHEEK_CP932 TABLE_CP932));
  const cook_scene *scene = mt_import(job, path, &(cook_options){.name_encoding = "cp932"});
  assert_non_null(scene);
  assert_true(has_node(scene, CHEEK TABLE));
  assert_int_equal(scene->mesh_count, 1);
  assert_string_equal(scene->meshes[0].control_names[0], SMILE);
  assert_int_equal(scene->skins[0].joint_count, raw->skins[0].joint_count);
  assert_null(mt_import(job, path, &(cook_options){.name_encoding = "euc-jp"}));
  assert_string_equal(mt_codes(job, false), "I051");
  job_end(job);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_encodings_are_known_when_they_contain_ascii),
      cmocka_unit_test(test_every_name_of_a_scene_is_converted),
      cmocka_unit_test(test_a_file_that_is_utf8_is_left_alone),
      cmocka_unit_test(test_names_that_do_not_fit_are_refused),
      cmocka_unit_test(test_fbx_names_are_converted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
