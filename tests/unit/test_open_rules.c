// test_open_rules.c: every rule of the reader refuses the pack that breaks it, and says so; every rule is in SPEC.md.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/mt_cook.h"
#include "tests/support/mt_rules.h"
#include "tests/support/mt_walk.h"

static void test_rules_base_packs_are_accepted(void **state) {
  (void)state;
  for (int base = 0; base < MT_RULES_BASE_COUNT; base++) {
    mt_pack pack;
    mt_rules_base_pack((mt_rules_base)base, &pack);
    mt_image image = mt_pack_write(&pack);
    mt_walk walk = mt_walk_aligned(image.bytes, image.byte_count, 0);
    if (walk.fault.rule) fprintf(stderr, "base %d: %s\n", base, walk.fault.rule);
    assert_int_equal(walk.open_result, MPAK_OK);
    assert_int_equal(walk.decode_result, MPAK_OK);
    mt_image_free(&image);
    mt_pack_free(&pack);
  }
}

static uint64_t rules_limit(const mt_rule_case *rule_case, const mt_image *image) {
  mpak_header header;
  if (rule_case->max_decoded_bytes != MT_RULES_EXACT_LIMIT) return rule_case->max_decoded_bytes;
  memcpy(&header, image->bytes, sizeof header);
  return header.decoded_bytes;
}

/// Does the case end as its line says? Prints what happened instead.
static bool rules_case_passes(const mt_rule_case *rule_case, uint32_t list, uint32_t number) {
  mt_image image = mt_rule_make(rule_case);
  mt_walk walk = mt_walk_aligned(image.bytes, image.byte_count, rules_limit(rule_case, &image));
  mpak_result result = walk.open_result != MPAK_OK ? walk.open_result : walk.decode_result;
  bool passes = result == rule_case->result && walk.fault.rule && strcmp(walk.fault.rule, rule_case->rule) == 0;
  if (!passes) {
    fprintf(stderr, "list %u case %u: expected %s \"%s\", got %s \"%s\" (chunk %u, item %llu)\n", list, number,
            mpak_result_name(rule_case->result), rule_case->rule, mpak_result_name(result),
            walk.fault.rule ? walk.fault.rule : "", walk.fault.chunk, (unsigned long long)walk.fault.item);
  }
  mt_image_free(&image);
  return passes;
}

static void test_rules_crafted_packs_are_refused_by_exactly_their_rule(void **state) {
  (void)state;
  uint32_t failed = 0, cases = 0;
  for (uint32_t i = 0; i < MT_RULES_LIST_COUNT; i++) {
    mt_rule_list list = mt_rules_list_at(i);
    for (uint32_t k = 0; k < list.count; k++, cases++) failed += !rules_case_passes(&list.cases[k], i, k);
  }
  printf("rules: %u crafted packs, %u not refused by their rule\n", cases, failed);
  assert_int_equal(failed, 0);
}

// -- SPEC.md, the code and the cases name the same rules -------------------------------------------------------------

static bool rules_have_case(const char *rule, size_t length) {
  for (uint32_t i = 0; i < MT_RULES_LIST_COUNT; i++) {
    mt_rule_list list = mt_rules_list_at(i);
    for (uint32_t k = 0; k < list.count; k++)
      if (strlen(list.cases[k].rule) == length && memcmp(list.cases[k].rule, rule, length) == 0) return true;
  }
  return false;
}

/// Is text[0 … length) a rule: "header: …", "chunk: …", "frames: …", "wrapped: …" or four capitals, a colon and a
/// blank?
static bool rules_is_rule(const char *text, size_t length) {
  static const char *const words[] = {"header: ", "chunk: ", "frames: ", "wrapped: "};
  for (int i = 0; i < 4; i++)
    if (length > strlen(words[i]) && memcmp(text, words[i], strlen(words[i])) == 0) return true;
  if (length < 7 || text[4] != ':' || text[5] != ' ') return false;
  for (int i = 0; i < 4; i++)
    if (text[i] < 'A' || text[i] > 'Z') return false;
  return true;
}

static char *rules_read(const char *path) {
  uint64_t byte_count = 0;
  uint8_t *bytes = mt_read(mt_path(path), &byte_count);
  assert_non_null(bytes);
  char *text = calloc(byte_count + 1, 1);
  memcpy(text, bytes, byte_count);
  free(bytes);
  return text;
}

/// Calls see for each rule between two marks (quotes in code, backquotes in SPEC.md). Returns how many.
static uint32_t rules_scan(const char *text, char mark, void (*see)(const char *rule, size_t length, void *user),
                           void *user) {
  uint32_t count = 0;
  for (const char *at = strchr(text, mark); at; at = strchr(at, mark)) {
    const char *end = strchr(at + 1, mark);
    if (!end) break;
    size_t length = (size_t)(end - at - 1);
    if (length < 200 && rules_is_rule(at + 1, length)) {
      see(at + 1, length, user);
      count++;
      at = end + 1;
    } else {
      at++;
    }
  }
  return count;
}

static void rules_see_in_spec(const char *rule, size_t length, void *user) {
  if (rules_have_case(rule, length)) return;
  fprintf(stderr, "SPEC.md has a rule without a crafted pack: %.*s\n", (int)length, rule);
  ++*(uint32_t *)user;
}

typedef struct rules_code {
  const char *spec;
  uint32_t missing;
} rules_code;

static void rules_see_in_code(const char *rule, size_t length, void *user) {
  rules_code *code = user;
  char quoted[220];
  snprintf(quoted, sizeof quoted, "`%.*s`", (int)length, rule);
  if (strstr(code->spec, quoted)) return;
  fprintf(stderr, "a rule of the code is not in SPEC.md: %s\n", quoted);
  code->missing++;
}

static void test_rules_of_spec_all_have_a_crafted_pack(void **state) {
  (void)state;
  uint32_t missing = 0;
  char *spec = rules_read("format/SPEC.md");
  uint32_t count = rules_scan(spec, '`', rules_see_in_spec, &missing);
  printf("rules: %u in SPEC.md\n", count);
  assert_true(count > 200);
  assert_int_equal(missing, 0);
  free(spec);
}

static void test_rules_of_the_code_are_all_in_spec(void **state) {
  (void)state;
  static const char *const files[] = {"format/layout.c",
                                      "runtime/pack/open.c",
                                      "runtime/pack/unwrap.c",
                                      "runtime/pack/verify_scene.c",
                                      "runtime/pack/verify_mesh.c",
                                      "runtime/pack/verify_part.c",
                                      "runtime/pack/verify_chunks.c",
                                      "runtime/pack/verify_clip.c",
                                      "runtime/pack/verify_quantised.c",
                                      "runtime/pack/decode_check.c",
                                      "runtime/pack/decode_check_numbers.c",
                                      "runtime/pack/decode_morph.c",
                                      "runtime/pack/decode.c"};
  rules_code code = {rules_read("format/SPEC.md"), 0};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    char *text = rules_read(files[i]);
    rules_scan(text, '"', rules_see_in_code, &code);
    free(text);
  }
  assert_int_equal(code.missing, 0);
  free((char *)code.spec);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rules_base_packs_are_accepted),
      cmocka_unit_test(test_rules_crafted_packs_are_refused_by_exactly_their_rule),
      cmocka_unit_test(test_rules_of_spec_all_have_a_crafted_pack),
      cmocka_unit_test(test_rules_of_the_code_are_all_in_spec),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
