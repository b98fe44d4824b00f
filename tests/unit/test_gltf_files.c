// Files around a .gltf: where a URI may lead and where not, dependencies, the hash of the source.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/mt_cook.h"
#include "tests/support/mt_gltf_case.h"

static const char *files_path(const char *name) {
  static char paths[4][512];
  static int next;
  next = (next + 1) % 4;
  snprintf(paths[next], sizeof paths[next], "%s/%s", mt_scratch(), name);
  return paths[next];
}

/// Writes the character's buffer under a name.
static void files_write_bin(const char *name) {
  mt_gltf *gltf = mt_gltf_new();
  mt_gltf_character(gltf);
  uint64_t byte_count = 0;
  const uint8_t *bytes = mt_gltf_buffer(gltf, &byte_count);
  assert_true(mt_write(files_path(name), bytes, byte_count));
  mt_gltf_free(gltf);
}

/// Reads the character with this buffer URI as scratch/model.gltf.
static cook_scene *files_read(cook_job *job, const char *uri) {
  mt_gltf *gltf = mt_gltf_new();
  mt_gltf_character(gltf);
  uint64_t byte_count = 0;
  uint8_t *bytes = mt_gltf_to_text(gltf, uri, &byte_count);
  mt_gltf_free(gltf);
  cook_scene *scene = mt_gltf_import(job, files_path("model.gltf"), bytes, byte_count);
  free(bytes);
  return scene;
}

/// Reading fails with exactly one issue and its exit code.
static void files_check_refused(const char *uri, mpak_issue_id id) {
  cook_job *job = job_begin(NULL, NULL);
  const cook_scene *scene = files_read(job, uri);
  if (scene != NULL || job_issue_count(job) != 1) fail_msg("%s: not refused with one issue", uri);
  if (job_issue_at(job, 0)->id != id) fail_msg("%s: %s", uri, job_issue_at(job, 0)->message);
  assert_int_equal(job_exit_code(job), mpak_issue_get(id)->exit_code);
  job_end(job);
}

static void files_check_read(const char *uri, const char *expected_dependency) {
  cook_job *job = job_begin(NULL, NULL);
  const cook_scene *scene = files_read(job, uri);
  if (scene == NULL) fail_msg("%s: %s", uri, job_issue_at(job, 0)->message);
  assert_int_equal(job_issue_count(job), 0);
  assert_int_equal(scene->dependency_count, 2);
  assert_string_equal(scene->dependencies[0], files_path("model.gltf"));
  assert_string_equal(scene->dependencies[1], files_path(expected_dependency));
  assert_true(scene->meshes[0].primitives[0].positions[2][1] == 2);
  job_end(job);
}

// -- Where a URI may lead ---------------------------------------------------------------------------------------------

static void test_gltf_files_beside_and_below_are_read(void **state) {
  (void)state;
  assert_int_equal(mkdir(files_path("sub folder"), 0755), 0);
  files_write_bin("plain.bin");
  files_write_bin("あ %41.bin");
  files_write_bin("sub folder/..name.bin");
  files_check_read("plain.bin", "plain.bin");
  files_check_read("./plain.bin", "./plain.bin");
  files_check_read("%70lain.bin", "plain.bin");
  files_check_read("あ%20%2541.bin", "あ %41.bin");
  files_check_read("%E3%81%82 %2541.bin", "あ %41.bin");
  files_check_read("sub%20folder/..name.bin", "sub folder/..name.bin");
  unlink(files_path("sub folder/..name.bin"));
  rmdir(files_path("sub folder"));
}

static void test_gltf_files_elsewhere_are_refused(void **state) {
  (void)state;
  static const char *const uris[] = {"../plain.bin",
                                     "sub/../../plain.bin",
                                     "%2E%2E/plain.bin",
                                     "..\\\\plain.bin",
                                     "/etc/hostname",
                                     "%2Fetc/hostname",
                                     "file:///etc/hostname",
                                     "http://host/plain.bin",
                                     "C:\\\\plain.bin",
                                     "\\\\\\\\host\\\\plain.bin",
                                     "..",
                                     "",
                                     "plain.bin%00.png"};
  files_write_bin("plain.bin");
  for (size_t i = 0; i < sizeof uris / sizeof uris[0]; i++) files_check_refused(uris[i], MPAK_F026);
}

static void test_gltf_files_linked_from_elsewhere_are_refused(void **state) {
  (void)state;
  char outside[] = "/tmp/mpak-outside-XXXXXX";
  const int fd = mkstemp(outside);
  assert_true(fd >= 0);
  close(fd);
  files_write_bin("inside.bin");
  unlink(files_path("link.bin"));
  assert_int_equal(symlink(outside, files_path("link.bin")), 0);
  files_check_refused("link.bin", MPAK_F026);
  unlink(files_path("link.bin"));
  assert_int_equal(symlink("inside.bin", files_path("link.bin")), 0);
  files_check_read("link.bin", "link.bin");
  unlink(outside);
}

static void test_gltf_files_missing_or_short_are_named(void **state) {
  (void)state;
  files_check_refused("not there.bin", MPAK_F027);
  files_check_refused("plain.bin/x.bin", MPAK_F027);
  assert_true(mt_write(files_path("short.bin"), "xyz", 3));
  files_check_refused("short.bin", MPAK_F024);
  files_check_refused(".", MPAK_F026); // the folder itself is not below the folder
  assert_int_equal(mkdir(files_path("folder.bin"), 0755), 0);
  files_check_refused("folder.bin", MPAK_F002);
  rmdir(files_path("folder.bin"));
}

/// Nothing needs the second buffer, which holds an image, so it may be absent.
static void test_gltf_files_of_images_are_not_needed(void **state) {
  (void)state;
  files_write_bin("plain.bin");
  mt_gltf *gltf = mt_gltf_new();
  mt_gltf_character(gltf);
  mt_gltf_add(gltf, "bufferViews", "{'buffer':1,'byteLength':100}");
  mt_gltf_patch(gltf, "'uri':'plain.bin'}]", "'uri':'plain.bin'},{'uri':'images.bin','byteLength':100}]");
  uint64_t byte_count = 0;
  uint8_t *bytes = mt_gltf_to_text(gltf, "plain.bin", &byte_count);
  mt_gltf_free(gltf);
  cook_job *job = job_begin(NULL, NULL);
  assert_non_null(mt_gltf_import(job, files_path("model.gltf"), bytes, byte_count));
  assert_int_equal(job_issue_count(job), 0);
  free(bytes);
  job_end(job);
}

// -- data: -----------------------------------------------------------------------------------------------------------

/// Three floats, the bytes "ABCDEFGHIJKL"; the base64 text is that of RFC 4648's alphabet.
static void files_check_data(const char *uri, bool is_sound) {
  mt_gltf *gltf = mt_gltf_new();
  mt_gltf_view(gltf, "ABCDEFGHIJKL", 12, "");
  mt_gltf_add(gltf, "accessors", "{'bufferView':0,'componentType':5126,'count':1,'type':'VEC3'}");
  mt_gltf_add(gltf, "meshes", "{'primitives':[{'attributes':{'POSITION':0},'targets':[{'POSITION':0}],'indices':1}]}");
  mt_gltf_add(gltf, "accessors", "{'componentType':5121,'count':3,'type':'SCALAR'}");
  uint64_t byte_count = 0;
  uint8_t *bytes = mt_gltf_to_text(gltf, uri, &byte_count);
  mt_gltf_free(gltf);
  cook_job *job = job_begin(NULL, NULL);
  const cook_scene *scene = mt_gltf_import(job, "model.gltf", bytes, byte_count);
  free(bytes);
  if ((scene != NULL) != is_sound) fail_msg("%s", uri);
  if (is_sound)
    assert_memory_equal(scene->meshes[0].primitives[0].positions[0], "ABCDEFGHIJKL", 12);
  else
    assert_int_equal(job_issue_at(job, 0)->id, MPAK_F025);
  job_end(job);
}

static void test_gltf_files_data_uris_in_all_spellings(void **state) {
  (void)state;
  files_check_data("data:application/gltf-buffer;base64,QUJDREVGR0hJSktM", true);
  files_check_data("data:;base64,QUJDREVGR0hJSktM", true);
  files_check_data("DATA:;BASE64,QUJDREVGR0hJSktM", true);
  files_check_data("data:;base64,QUJDREVGR0hJSktMTQ==", true);
  files_check_data("data:;base64,QUJDREVGR0hJSktMTQ", true);
  files_check_data("data:;base64,QUJDREVGR0hJSktMTQ%3D%3d", true);
  files_check_data("data:application/octet-stream,ABCDEFGH%49JKL", true);
  files_check_data("data:;base64,QUJDREVGR0hJSktMT", false);
  files_check_data("data:;base64,QUJDREVG R0hJSktM", false);
  files_check_data("data:;base64,QUJDREVGR0=JSktM", false);
  files_check_data("data:;base64,QUJDREVG_0hJSktM", false);
  files_check_data("data:application/octet-stream;base64", false);
}

// -- Hash ------------------------------------------------------------------------------------------------------------

static void test_gltf_files_hash_sees_every_file(void **state) {
  (void)state;
  uint64_t hashes[3];
  for (int i = 0; i < 3; i++) {
    files_write_bin("plain.bin");
    if (i == 2) {
      uint64_t byte_count = 0;
      uint8_t *bytes = mt_read(files_path("plain.bin"), &byte_count);
      bytes[0] ^= 1;
      assert_true(mt_write(files_path("plain.bin"), bytes, byte_count));
      free(bytes);
    }
    cook_job *job = job_begin(NULL, NULL);
    hashes[i] = files_read(job, "plain.bin")->source_hash;
    job_end(job);
  }
  assert_true(hashes[0] == hashes[1]);
  assert_true(hashes[0] != hashes[2]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gltf_files_beside_and_below_are_read),
      cmocka_unit_test(test_gltf_files_elsewhere_are_refused),
      cmocka_unit_test(test_gltf_files_linked_from_elsewhere_are_refused),
      cmocka_unit_test(test_gltf_files_missing_or_short_are_named),
      cmocka_unit_test(test_gltf_files_of_images_are_not_needed),
      cmocka_unit_test(test_gltf_files_data_uris_in_all_spellings),
      cmocka_unit_test(test_gltf_files_hash_sees_every_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
