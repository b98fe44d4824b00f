// Keys and strings of a pack: the rules of design and SPEC.md, case by case.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "cooker/pack/keys.h"
#include "cooker/pack/strings.h"
#include "tests/support/mt_scene.h"

// -- Keys ------------------------------------------------------------------------------------------------------------

#define KEYS_MAX 8

typedef struct key_case {
  uint32_t count;
  const char *names[KEYS_MAX];
  uint32_t source_indices[KEYS_MAX];
  const char *keys[KEYS_MAX];
} key_case;

static const key_case key_cases[] = {
    {3, {"Hips", "Spine", "Head"}, {0, 1, 2}, {"Hips", "Spine", "Head"}},
    {3, {NULL, "", "A"}, {4, 7, 9}, {"node_4", "node_7", "A"}},
    {4, {"A", "A", "A", "A"}, {0, 1, 2, 3}, {"A", "A~2", "A~3", "A~4"}},
    {4, {"A", "A", "A~2", "A"}, {0, 1, 2, 3}, {"A", "A~3", "A~2", "A~4"}}, // a real name keeps its key
    {4, {"A~2", "A~2", "A", "A"}, {0, 1, 2, 3}, {"A~2", "A~2~2", "A", "A~3"}},
    {3, {NULL, "node_5", NULL}, {5, 6, 5}, {"node_5~2", "node_5", "node_5~3"}},
    {3, {NULL, "node_5~2", "node_5"}, {5, 6, 7}, {"node_5~3", "node_5~2", "node_5"}},
    {3, {"\xE3\x81\x82", "\xE3\x81\x82", "a"}, {0, 1, 2}, {"\xE3\x81\x82", "\xE3\x81\x82~2", "a"}},
    {3, {"a", "A", "a "}, {0, 1, 2}, {"a", "A", "a "}}, // bytes, not meanings
};

static void test_keys_are_names_or_kind_and_index_or_next_free_suffix(void **state) {
  (void)state;
  for (size_t c = 0; c < sizeof key_cases / sizeof key_cases[0]; ++c) {
    const key_case *expected = &key_cases[c];
    cook_job *job = mt_job(NULL);
    pack_named objects[KEYS_MAX];
    for (uint32_t i = 0; i < expected->count; ++i) {
      objects[i] = (pack_named){expected->names[i], expected->source_indices[i], NULL};
    }
    pack_make_keys(job, objects, expected->count, "node");
    for (uint32_t i = 0; i < expected->count; ++i) assert_string_equal(objects[i].key, expected->keys[i]);
    job_end(job);
  }
}

static void test_keys_of_65535_equal_names_are_unique_in_linear_time(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  pack_named *objects = JOB_ARRAY(job, pack_named, 65535);
  for (uint32_t i = 0; i < 65535; ++i) objects[i] = (pack_named){i % 2 ? "same" : NULL, 3, NULL};
  pack_make_keys(job, objects, 65535, "target");
  assert_string_equal(objects[0].key, "target_3");
  assert_string_equal(objects[1].key, "same");
  assert_string_equal(objects[65533].key, "same~32767");
  assert_string_equal(objects[65534].key, "target_3~32768");
  job_end(job);
}

// -- Strings ---------------------------------------------------------------------------------------------------------

static void test_strings_are_unique_sorted_by_bytes_and_start_with_the_empty_one(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  pack_strings strings = {.job = job};
  const char *texts[] = {"b", "a", NULL, "", "b", "\xE3\x81\x82", "a~2", "Z"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) pack_strings_add(&strings, texts[i]);
  pack_strings_seal(&strings);
  const char expected[] = "\0Z\0a\0a~2\0b\0\xE3\x81\x82";
  assert_int_equal(strings.byte_count, sizeof expected);
  assert_memory_equal(strings.bytes, expected, sizeof expected);
  assert_int_equal(pack_strings_offset(&strings, NULL), 0);
  assert_int_equal(pack_strings_offset(&strings, ""), 0);
  assert_int_equal(pack_strings_offset(&strings, "a~2"), 5);
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
    assert_string_equal(strings.bytes + pack_strings_offset(&strings, texts[i]), texts[i] ? texts[i] : "");
  }
  job_end(job);
}

static void test_strings_without_text_are_one_zero_byte(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  pack_strings strings = {.job = job};
  pack_strings_seal(&strings);
  assert_int_equal(strings.byte_count, 1);
  assert_int_equal(strings.bytes[0], 0);
  job_end(job);
}

static void add_long_text(cook_job *job, void *user) {
  uint32_t length = *(uint32_t *)user;
  char *text = job_alloc(job, (uint64_t)length + 1, 1);
  memset(text, 'x', length);
  pack_strings strings = {.job = job};
  pack_strings_add(&strings, text);
  pack_strings_seal(&strings);
}

static void test_strings_longer_than_65535_bytes_are_issue_c052(void **state) {
  (void)state;
  for (uint32_t length = 65534; length <= 65536; ++length) {
    cook_job *job = mt_job(NULL);
    bool fits = job_run(job, add_long_text, &length);
    assert_int_equal(fits, length <= 65535);
    if (!fits) assert_string_equal(mpak_issue_get(job_issue_at(job, 0)->id)->code, "MPAK-C052");
    assert_int_equal(job_exit_code(job), fits ? 0 : 6);
    job_end(job);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_keys_are_names_or_kind_and_index_or_next_free_suffix),
      cmocka_unit_test(test_keys_of_65535_equal_names_are_unique_in_linear_time),
      cmocka_unit_test(test_strings_are_unique_sorted_by_bytes_and_start_with_the_empty_one),
      cmocka_unit_test(test_strings_without_text_are_one_zero_byte),
      cmocka_unit_test(test_strings_longer_than_65535_bytes_are_issue_c052),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
