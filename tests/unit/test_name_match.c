// Which node is which: names, repeated names by path, lists by order; on hand-made lists and on large ones.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/name_match.h"

#define NONE   NAME_MATCH_NONE
#define UNSURE NAME_MATCH_AMBIGUOUS
#define ROOT   MPAK_NONE

typedef struct named {
  const char *name;
  uint32_t parent;
} named;

static const char *named_name(const void *user, uint32_t i) { return ((const named *)user)[i].name; }
static uint32_t named_parent(const void *user, uint32_t i) { return ((const named *)user)[i].parent; }

/// Memory of exactly the promised size, so that AddressSanitizer sees a word too far.
static uint32_t *match_scratch(uint32_t from_count, uint32_t to_count) {
  return malloc((size_t)name_match_scratch_words(from_count, to_count) * sizeof(uint32_t));
}

static void check_nodes(const named *from, uint32_t from_count, const named *to, uint32_t to_count,
                        const uint32_t *expected) {
  const name_match_side left = {from_count, from, named_name, named_parent};
  const name_match_side right = {to_count, to, named_name, named_parent};
  uint32_t *scratch = match_scratch(from_count, to_count);
  uint32_t *found = malloc((from_count + 1) * sizeof *found);
  name_match_nodes(&left, &right, scratch, found);
  for (uint32_t i = 0; i < from_count; i++) {
    if (found[i] != expected[i]) fail_msg("node %u \"%s\" is %u, not %u", i, from[i].name, found[i], expected[i]);
  }
  free(found);
  free(scratch);
}

#define CHECK_NODES(from, to, ...)                                                                                     \
  do {                                                                                                                 \
    const uint32_t expected[] = {__VA_ARGS__};                                                                         \
    assert_int_equal(sizeof expected / sizeof *expected, sizeof from / sizeof *from);                                  \
    check_nodes(from, sizeof from / sizeof *from, to, sizeof to / sizeof *to, expected);                               \
  } while (0)

static void test_match_by_name_whatever_order_and_parents(void **state) {
  (void)state;
  const named from[] = {{"Hips", ROOT}, {"Spine", 0}, {"Tail", 1}, {"Head", 1}};
  const named to[] = {{"Root", ROOT}, {"Head", 0}, {"Hips", 0}, {"Spine", 1}};
  CHECK_NODES(from, to, 2, 3, NONE, 1);
}

/// A joint and a mesh node of one name, as in many exports: their paths tell them apart.
static void test_match_repeated_names_by_path(void **state) {
  (void)state;
  const named from[] = {{"Rig", ROOT}, {"Head", 0}, {"Head", ROOT}};
  const named to[] = {{"Head", ROOT}, {"Rig", ROOT}, {"Head", 1}};
  CHECK_NODES(from, to, 1, 2, 0);
  const named one[] = {{"Rig", ROOT}, {"Head", 0}}; // repeated on one side only
  CHECK_NODES(from, one, 0, 1, NONE);
  CHECK_NODES(one, to, 1, 2);
}

static void test_match_children_before_parents(void **state) {
  (void)state;
  const named from[] = {{"Tip", 1}, {"Left", 2}, {"Rig", ROOT}, {"Tip", 4}, {"Right", 2}};
  const named to[] = {{"Rig", ROOT}, {"Right", 0}, {"Left", 0}, {"Tip", 1}, {"Tip", 2}};
  CHECK_NODES(from, to, 4, 2, 0, 3, 1);
}

static void test_match_what_nothing_tells_apart_is_ambiguous(void **state) {
  (void)state;
  const named from[] = {{"Rig", ROOT}, {"Bone", 0}}, to[] = {{"Rig", ROOT}, {"Bone", 0}, {"Bone", 0}};
  CHECK_NODES(from, to, 0, UNSURE);
  CHECK_NODES(to, from, 0, UNSURE, UNSURE);
  const named moved[] = {{"Other", ROOT}, {"Bone", 0}}, two[] = {{"A", ROOT}, {"Bone", 0}, {"Bone", ROOT}};
  CHECK_NODES(moved, two, NONE, UNSURE);
}

/// Once its path has found the only one of a name, the other is simply not there.
static void test_match_leaves_no_doubt_when_none_is_left(void **state) {
  (void)state;
  const named from[] = {{"Rig", ROOT}, {"Bone", 0}, {"Bone", ROOT}}, to[] = {{"Rig", ROOT}, {"Bone", 0}};
  CHECK_NODES(from, to, 0, 1, NONE);
}

static void test_match_nodes_without_names_by_their_place(void **state) {
  (void)state;
  const named from[] = {{"", ROOT}, {"Arm", 0}, {"", 1}}, to[] = {{"", ROOT}, {"", 2}, {"Arm", 0}};
  CHECK_NODES(from, to, 0, 2, 1);
  const named lone[] = {{"X", ROOT}, {"", 0}}, other[] = {{"Y", ROOT}, {"", 0}};
  CHECK_NODES(lone, other, NONE, NONE); // the only one without a name on either side, but elsewhere
  const named twins[] = {{"", ROOT}, {"", ROOT}};
  CHECK_NODES(twins, twins, NONE, NONE);
}

static void test_match_nothing_with_nothing(void **state) {
  (void)state;
  const named one[] = {{"A", ROOT}};
  const uint32_t none[] = {NONE};
  check_nodes(one, 1, NULL, 0, none);
  check_nodes(NULL, 0, one, 1, NULL);
  check_nodes(NULL, 0, NULL, 0, NULL);
}

/// No counterpart is given twice, and what the rule promises holds, on random trees of few names.
static void test_match_random_trees(void **state) {
  (void)state;
  static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", ""};
  uint64_t seed = 1;
  for (int round = 0; round < 3000; round++) {
    named sides[2][12];
    uint32_t counts[2], found[12];
    for (int s = 0; s < 2; s++) {
      counts[s] = 1 + (uint32_t)((seed = seed * 6364136223846793005u + 1442695040888963407u) >> 33) % 12;
      for (uint32_t i = 0; i < counts[s]; i++) {
        const uint32_t word = (uint32_t)((seed = seed * 6364136223846793005u + 1442695040888963407u) >> 33);
        sides[s][i] = (named){names[word % 8], i == 0 || word % 5 == 0 ? ROOT : (word >> 8) % i};
      }
    }
    const name_match_side from = {counts[0], sides[0], named_name, named_parent};
    const name_match_side to = {counts[1], sides[1], named_name, named_parent};
    uint32_t *scratch = match_scratch(counts[0], counts[1]);
    name_match_nodes(&from, &to, scratch, found);
    free(scratch);
    for (uint32_t i = 0; i < counts[0]; i++) {
      uint32_t of_name[2] = {0, 0}, only = NONE;
      for (uint32_t k = 0; k < counts[0]; k++) of_name[0] += strcmp(sides[0][k].name, sides[0][i].name) == 0;
      for (uint32_t k = 0; k < counts[1]; k++) {
        if (strcmp(sides[1][k].name, sides[0][i].name) != 0) continue;
        of_name[1]++;
        only = k;
      }
      if (sides[0][i].name[0] != 0 && of_name[0] == 1 && of_name[1] == 1) assert_int_equal(found[i], only);
      if (of_name[1] == 0) assert_int_equal(found[i], NONE);
      if (found[i] >= NAME_MATCH_AMBIGUOUS) continue;
      assert_string_equal(sides[0][i].name, sides[1][found[i]].name);
      for (uint32_t k = 0; k < i; k++) assert_int_not_equal(found[k], found[i]);
    }
  }
}

/// 65,535 nodes in a chain of one name, and as many brothers: linear, or this test would not end.
static void test_match_large_sides(void **state) {
  (void)state;
  enum { COUNT = 65535 };
  named *chain = malloc(COUNT * sizeof *chain), *brothers = malloc(COUNT * sizeof *brothers);
  uint32_t *found = malloc(COUNT * sizeof *found), *scratch = match_scratch(COUNT, COUNT);
  for (uint32_t i = 0; i < COUNT; i++) {
    chain[i] = (named){"bone", i == 0 ? ROOT : i - 1};
    brothers[i] = (named){"bone", i == 0 ? ROOT : 0};
  }
  const name_match_side left = {COUNT, chain, named_name, named_parent};
  const name_match_side right = {COUNT, brothers, named_name, named_parent};
  name_match_nodes(&left, &left, scratch, found);
  for (uint32_t i = 0; i < COUNT; i++) assert_int_equal(found[i], i);
  name_match_nodes(&left, &right, scratch, found);
  assert_int_equal(found[0], 0);
  for (uint32_t i = 1; i < COUNT; i++) assert_int_equal(found[i], UNSURE);
  free(chain);
  free(brothers);
  free(found);
  free(scratch);
}

static void check_list(const named *from, uint32_t from_count, const named *to, uint32_t to_count,
                       const uint32_t *expected) {
  const name_match_side left = {from_count, from, named_name, NULL}, right = {to_count, to, named_name, NULL};
  uint32_t *scratch = match_scratch(from_count, to_count), found[16];
  name_match_list(&left, &right, scratch, found);
  free(scratch);
  for (uint32_t i = 0; i < from_count; i++) assert_int_equal(found[i], expected[i]);
}

static void test_match_lists_by_name_and_order(void **state) {
  (void)state;
  const named from[] = {{"Smile", 0}, {"Blink", 0}, {"Smile", 0}, {"", 0}, {"Wink", 0}, {"Smile", 0}};
  const named to[] = {{"Blink", 0}, {"Smile", 0}, {"Jaw", 0}, {"", 0}, {"Smile", 0}};
  const uint32_t expected[] = {1, 0, 4, 3, NONE, NONE}, back[] = {1, 0, NONE, 3, 2};
  check_list(from, 6, to, 5, expected);
  check_list(to, 5, from, 6, back);
  const named unnamed[] = {{"", 0}, {"", 0}, {"", 0}};
  const uint32_t numbers[] = {0, 1, NONE};
  check_list(unnamed, 3, unnamed, 2, numbers);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_match_by_name_whatever_order_and_parents),
      cmocka_unit_test(test_match_repeated_names_by_path),
      cmocka_unit_test(test_match_children_before_parents),
      cmocka_unit_test(test_match_what_nothing_tells_apart_is_ambiguous),
      cmocka_unit_test(test_match_leaves_no_doubt_when_none_is_left),
      cmocka_unit_test(test_match_nodes_without_names_by_their_place),
      cmocka_unit_test(test_match_nothing_with_nothing),
      cmocka_unit_test(test_match_random_trees),
      cmocka_unit_test(test_match_large_sides),
      cmocka_unit_test(test_match_lists_by_name_and_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
