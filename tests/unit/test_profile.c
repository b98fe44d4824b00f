// Platform profiles: what each member becomes, and what the built-in ones say. Faults are in tests/cli/usage/profile_*.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "cooker/cli/profile_file.h"
#include "tests/support/mt_build.h"

static cook_profile *parse(cook_job *job, const char *text) {
  return profile_parse(job, "test", (const uint8_t *)text, strlen(text));
}

static void step_everything(cook_job *job, void *user) {
  (void)user;
  const cook_profile *profile =
      parse(job, "{\"max_bones\": 75, \"legacy_max_bones\": 60, \"bone_indices_16_bit\": false, \"max_influences\": 8,"
                 " \"quality\": \"compact\", \"layout\": \"csr64\", \"compress\": \"size\", \"profile\": 1, \"lods\": ["
                 "{\"screen_size\": 1}, {\"screen_size\": 0.25, \"error_mm\": 1.5, \"pixel_mm\": 0.5,"
                 " \"drop_bones\": [\"*finger*\", \"Jaw\"], \"max_bone_depth\": 3}]}");
  assert_string_equal(profile->name, "test");
  assert_null(profile->path);
  assert_int_equal(profile->bones.max_bones, 75);
  assert_int_equal(profile->bones.legacy_max_bones, 60);
  assert_true(profile->bones.is_8_bit_only);
  assert_int_equal(profile->max_influences, 8);
  assert_true(profile->has_quality && profile->quality == COOK_QUALITY_COMPACT);
  assert_true(profile->has_layout && profile->layout == COOK_LAYOUT_CSR64);
  assert_true(profile->has_compress && profile->compress == COOK_COMPRESS_SIZE);
  assert_int_equal(profile->lod_count, 2);
  assert_true(profile->lods[0].screen_size == 1 && profile->lods[0].error_mm == 0 && profile->lods[0].pixel_mm == 0);
  assert_int_equal(profile->lods[0].dropped_bone_count, 0);
  assert_int_equal(profile->lods[0].max_bone_depth, MPAK_NONE);
  assert_true(profile->lods[1].screen_size == 0.25f && profile->lods[1].error_mm == 1.5f);
  assert_true(profile->lods[1].pixel_mm == 0.5f);
  assert_int_equal(profile->lods[1].dropped_bone_count, 2);
  assert_string_equal(profile->lods[1].dropped_bones[0], "*finger*");
  assert_string_equal(profile->lods[1].dropped_bones[1], "Jaw");
  assert_int_equal(profile->lods[1].max_bone_depth, 3);
}

static void test_profile_members_are_read(void **state) {
  (void)state;
  mt_in_job(step_everything, NULL, 0);
}

static void step_little(cook_job *job, void *user) {
  (void)user;
  const cook_profile *profile = parse(job, "{\"profile\": 1}");
  assert_int_equal(bone_limit_resolve(&profile->bones), 65536);
  assert_false(profile->has_quality || profile->has_layout || profile->has_compress);
  assert_int_equal(profile->max_influences, 0);
  assert_int_equal(profile->lod_count, 0);
}

static void test_profile_says_no_more_than_it_does(void **state) {
  (void)state;
  mt_in_job(step_little, NULL, 0);
}

static void step_built_in(cook_job *job, void *user) {
  (void)user;
  const cook_profile *desktop = profile_read(job, "desktop"), *mobile = profile_read(job, "mobile");
  assert_int_equal(bone_limit_resolve(&desktop->bones), 65536);
  assert_int_equal(bone_limit_resolve(&mobile->bones), 256);
  assert_string_equal(mobile->name, "mobile");
  assert_null(mobile->path);
}

static void test_profile_built_in_ones_have_the_limits_of_their_platforms(void **state) {
  (void)state;
  mt_in_job(step_built_in, NULL, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_profile_members_are_read),
      cmocka_unit_test(test_profile_says_no_more_than_it_does),
      cmocka_unit_test(test_profile_built_in_ones_have_the_limits_of_their_platforms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
