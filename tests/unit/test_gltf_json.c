// json.h: what the tree gives for values of every kind, and which texts are refused.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "cooker/import/json.h"

typedef struct json_case {
  const char *text;
  uint64_t byte_count;
  cook_json root;
} json_case;

static void json_step(cook_job *job, void *user) {
  json_case *parsed = user;
  parsed->root = json_parse(job, (const uint8_t *)parsed->text, parsed->byte_count);
}

/// Parses a text; false when the job was left.
static bool json_try(cook_job *job, const char *text, cook_json *root) {
  json_case parsed = {text, strlen(text), {0}};
  const bool is_parsed = job_run(job, json_step, &parsed);
  *root = parsed.root;
  return is_parsed;
}

static void test_gltf_json_values_of_every_kind(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  cook_json root;
  assert_true(
      json_try(job, "{\"n\":3,\"f\":3.0,\"e\":-25e-2,\"t\":true,\"s\":\"a\\u0000b\",\"a\":[1,[2]],\"z\":null}", &root));
  const cook_json n = json_member(&root, "n"), f = json_member(&root, "f"), e = json_member(&root, "e");
  const cook_json t = json_member(&root, "t"), s = json_member(&root, "s"), a = json_member(&root, "a");
  const cook_json z = json_member(&root, "z"), absent = json_member(&root, "absent");
  assert_true(json_is_a_number(&n) && json_number(&n) == 3 && json_number(&f) == 3 && json_number(&e) == -0.25);
  assert_true(json_is_a_truth(&t) && json_truth(&t) && !json_truth(&n));
  uint64_t byte_count = 0;
  assert_memory_equal(json_text(&s, &byte_count), "a\0b", 4);
  assert_int_equal(byte_count, 3);
  assert_int_equal(json_count(&a), 2);
  const cook_json inner = json_element(&a, 1), two = json_element(&inner, 0), past = json_element(&a, 2);
  assert_true(json_number(&two) == 2);
  assert_string_equal(json_pointer(job, &two), "/a/1/0");
  assert_true(!json_exists(&past) && !json_exists(&absent) && json_exists(&z));
  assert_string_equal(json_kind(&z), "null");
  assert_string_equal(json_kind(&absent), "nothing");
  assert_string_equal(json_pointer(job, &root), "");
  job_end(job);
}

static void test_gltf_json_members_come_in_order(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  cook_json root, member = {0};
  char keys[64] = "";
  assert_true(json_try(job, "{\"zebra\":1,\"apple\":2,\"mango\":3,\"berry\":4}", &root));
  while (json_next_member(&root, &member)) {
    strcat(keys, member.key);
    strcat(keys, " ");
  }
  assert_string_equal(keys, "zebra apple mango berry ");
  job_end(job);
}

typedef struct json_refused {
  const char *text;
  mpak_issue_id id;
} json_refused;

static void test_gltf_json_broken_texts_are_refused(void **state) {
  (void)state;
  static const json_refused refused[] = {{"", MPAK_F010},
                                         {"{", MPAK_F010},
                                         {"{\"a\":1}x", MPAK_F010},
                                         {"{\"a\":01}", MPAK_F010},
                                         {"{\"a\":1e999}", MPAK_F010},
                                         {"{'a':1}", MPAK_F010},
                                         {"{\"a\":NaN}", MPAK_F010},
                                         {"[\"\\ud800\"]", MPAK_F010},
                                         {"[\"\xC0\xAF\"]", MPAK_F011},
                                         {"[\"\xED\xA0\x80\"]", MPAK_F011},
                                         {"[\"\xE3\x81\"]", MPAK_F011}};
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    cook_job *job = job_begin(NULL, NULL);
    cook_json root;
    assert_false(json_try(job, refused[i].text, &root));
    if (job_issue_at(job, 0)->id != refused[i].id) fail_msg("%s: %s", refused[i].text, job_issue_at(job, 0)->message);
    assert_int_equal(job_exit_code(job), 4);
    job_end(job);
  }
}

/// 64 levels are allowed; brackets inside of texts do not count.
static void test_gltf_json_depth_is_counted_outside_of_texts(void **state) {
  (void)state;
  char text[256];
  for (int depth = 63; depth <= 65; depth++) {
    memset(text, '[', (size_t)depth);
    strcpy(text + depth, "\"[[[[[[[[\\\"{{{{\"");
    memset(text + strlen(text) + depth, 0, 1);
    memset(text + strlen(text), ']', (size_t)depth);
    cook_job *job = job_begin(NULL, NULL);
    cook_json root;
    assert_int_equal(json_try(job, text, &root), depth <= 64);
    assert_int_equal(job_exit_code(job), depth <= 64 ? 0 : 6);
    job_end(job);
  }
}

/// Numbers have a point in every country.
static void test_gltf_json_numbers_ignore_the_locale(void **state) {
  (void)state;
  const bool is_set = setlocale(LC_ALL, "de_DE.UTF-8") != NULL || setlocale(LC_ALL, "fr_FR.UTF-8") != NULL;
  cook_job *job = job_begin(NULL, NULL);
  cook_json root;
  assert_true(json_try(job, "[0.5]", &root));
  const cook_json number = json_element(&root, 0);
  assert_true(json_number(&number) == 0.5);
  job_end(job);
  setlocale(LC_ALL, "C");
  if (!is_set) print_message("no locale with a comma is installed: checked in C only\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gltf_json_values_of_every_kind),
      cmocka_unit_test(test_gltf_json_members_come_in_order),
      cmocka_unit_test(test_gltf_json_broken_texts_are_refused),
      cmocka_unit_test(test_gltf_json_depth_is_counted_outside_of_texts),
      cmocka_unit_test(test_gltf_json_numbers_ignore_the_locale),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
