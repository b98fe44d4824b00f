// The table of issues as a whole: codes, texts, and that each issue has a test.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <ctype.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/mpak_issue.h"
#include "tests/support/mt_fixtures.h"

#define LETTERS "FGNMSAIPCOU"

/// Prints and counts, so that one run names every fault of the table.
static int complain(const char *code, const char *what, const char *text) {
  print_message("%s: %s: %s\n", code, what, text);
  return 1;
}

static void test_issues_codes_are_well_formed_unique_and_ascending(void **state) {
  (void)state;
  int faults = 0, last[128] = {0};
  for (int i = 0; i < MPAK_ISSUE_COUNT; i++) {
    const char *code = mpak_issue_get((mpak_issue_id)i)->code;
    assert_int_equal(strlen(code), 9);
    assert_memory_equal(code, "MPAK-", 5);
    const int letter = (unsigned char)code[5], number = atoi(code + 6);
    if (strchr(LETTERS, letter) == NULL) faults += complain(code, "letter", "unknown");
    if (number <= last[letter & 127]) faults += complain(code, "number", "not above the one before");
    last[letter & 127] = number;
    for (int k = 6; k < 9; k++) faults += isdigit((unsigned char)code[k]) ? 0 : complain(code, "number", "no digit");
  }
  assert_int_equal(faults, 0);
}

static void test_issues_codes_are_found_in_every_spelling(void **state) {
  (void)state;
  for (int i = 0; i < MPAK_ISSUE_COUNT; i++) {
    const char *code = mpak_issue_get((mpak_issue_id)i)->code;
    char small[10];
    for (int k = 0; k < 10; k++) small[k] = (char)tolower((unsigned char)code[k]);
    assert_int_equal(mpak_issue_find(code), i);
    assert_int_equal(mpak_issue_find(code + 5), i);
    assert_int_equal(mpak_issue_find(small), i);
    assert_int_equal(mpak_issue_find(small + 5), i);
  }
  static const char *const strangers[] = {"", "MPAK-", "M", "M01", "M0122", "MPAK-Z001", "MPAK_M012", "M999", " M012"};
  for (size_t k = 0; k < sizeof strangers / sizeof strangers[0]; k++)
    assert_int_equal(mpak_issue_find(strangers[k]), MPAK_ISSUE_COUNT);
}

static void test_issues_severities_and_exit_codes_are_those_of_the_design(void **state) {
  (void)state;
  int faults = 0;
  for (int i = 0; i < MPAK_ISSUE_COUNT; i++) {
    const mpak_issue_info *info = mpak_issue_get((mpak_issue_id)i);
    if (info->severity < MPAK_ERROR || info->severity > MPAK_INFO)
      faults += complain(info->code, "severity", "unknown");
    if (info->exit_code < 1 || info->exit_code > 7) faults += complain(info->code, "exit code", "outside 1 to 7");
    if (info->code[5] == 'U' && info->exit_code != 2) faults += complain(info->code, "exit code", "usage is 2");
  }
  assert_int_equal(faults, 0);
}

static int count_unknown_places(const char *message) {
  int unknown = 0;
  for (const char *c = message; *c != 0; c++) {
    if (*c == '}' && !(c >= message + 2 && c[-2] == '{')) unknown++;
    if (*c == '{' && !(strchr("evl", c[1]) != NULL && c[1] != 0 && c[2] == '}')) unknown++;
  }
  return unknown;
}

static void test_issues_messages_have_only_known_places(void **state) {
  (void)state;
  int faults = 0;
  for (int i = 0; i < MPAK_ISSUE_COUNT; i++) {
    const mpak_issue_info *info = mpak_issue_get((mpak_issue_id)i);
    if (count_unknown_places(info->message) != 0) faults += complain(info->code, "unknown place", info->message);
    if (strpbrk(info->hint, "{}") != NULL) faults += complain(info->code, "place in a hint", info->hint);
  }
  assert_int_equal(faults, 0);
  assert_int_equal(count_unknown_places("{e} {v}{l}"), 0); // the counter itself
  assert_int_equal(count_unknown_places("{x} {e {"), 3);
}

static bool ends_with(const char *text, char last) { return text[0] != 0 && text[strlen(text) - 1] == last; }

/// A message is a clause (no capital, no full stop), a hint says what to do, an explanation is sentences.
static void test_issues_texts_are_there_and_in_their_form(void **state) {
  (void)state;
  int faults = 0;
  for (int i = 0; i < MPAK_ISSUE_COUNT; i++) {
    const mpak_issue_info *info = mpak_issue_get((mpak_issue_id)i);
    if (strlen(info->message) < 10) faults += complain(info->code, "short message", info->message);
    if (ends_with(info->message, '.')) faults += complain(info->code, "message ends in a full stop", info->message);
    if (strlen(info->hint) < 10) faults += complain(info->code, "short hint", info->hint);
    if (ends_with(info->hint, '.')) faults += complain(info->code, "hint ends in a full stop", info->hint);
    if (isupper((unsigned char)info->hint[0]) && islower((unsigned char)info->hint[1]) &&
        strncmp(info->hint, "Blender", 7) != 0 && strncmp(info->hint, "Maya", 4) != 0)
      faults += complain(info->code, "hint begins with a capital", info->hint);
    if (strlen(info->explain) < 50) faults += complain(info->code, "short explanation", info->explain);
    if (!ends_with(info->explain, '.') && !ends_with(info->explain, ')'))
      faults += complain(info->code, "explanation does not end in a full stop", info->explain);
    if (strcmp(info->hint, info->explain) == 0) faults += complain(info->code, "same text twice", info->hint);
  }
  assert_int_equal(faults, 0);
}

// -- Fixtures ---------------------------------------------------------------------------------------------------------

/// All texts and path names below tests/, one after the other.
typedef struct all_texts {
  char *bytes;
  size_t length;
} all_texts;

static all_texts tests_texts;

static void texts_append(const char *bytes, size_t length) {
  tests_texts.bytes = realloc(tests_texts.bytes, tests_texts.length + length + 2);
  assert_non_null(tests_texts.bytes);
  memcpy(tests_texts.bytes + tests_texts.length, bytes, length);
  tests_texts.length += length;
  tests_texts.bytes[tests_texts.length++] = '\n';
  tests_texts.bytes[tests_texts.length] = 0;
}

static bool is_source_name(const char *path) {
  const char *dot = strrchr(path, '.');
  static const char *const suffixes[] = {".c", ".h", ".py", ".sh", ".json", ".tsv", ".txt"};
  for (size_t i = 0; dot != NULL && i < sizeof suffixes / sizeof suffixes[0]; i++)
    if (strcmp(dot, suffixes[i]) == 0) return true;
  return false;
}

static int texts_visit(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)place;
  if (kind != FTW_F || status->st_size > 4 << 20) return 0;
  texts_append(path, strlen(path));
  FILE *file = is_source_name(path) ? fopen(path, "rb") : NULL;
  if (file == NULL) return 0;
  char *bytes = malloc((size_t)status->st_size + 1);
  assert_non_null(bytes);
  const size_t length = fread(bytes, 1, (size_t)status->st_size, file);
  for (size_t i = 0; i < length; i++)
    if (bytes[i] == 0) bytes[i] = ' ';
  texts_append(bytes, length);
  free(bytes);
  fclose(file);
  return 0;
}

static bool is_word_part(char c) { return isalnum((unsigned char)c) || c == '_'; }

/// Does the name stand in the text as a word of its own?
static bool texts_have_word(const char *word) {
  const size_t length = strlen(word);
  for (const char *at = tests_texts.bytes; (at = strstr(at, word)) != NULL; at++) {
    const bool begins = at == tests_texts.bytes || !is_word_part(at[-1]);
    if (begins && !is_word_part(at[length])) return true;
  }
  return false;
}

static void test_issues_each_has_a_fixture_that_exists(void **state) {
  (void)state;
  const char *root = getenv("MPAK_ROOT");
  char folder[4096];
  snprintf(folder, sizeof folder, "%s/tests", root != NULL ? root : ".");
  assert_int_equal(nftw(folder, texts_visit, 16, FTW_PHYS), 0);
  assert_true(tests_texts.length > 100000); // found the right folder
  int missing = 0;
  for (int i = 0; i < MPAK_ISSUE_COUNT; i++) {
    char name[128];
    size_t length = 0; // the preprocessor may put blanks around a slash
    for (const char *c = mt_fixture_of((mpak_issue_id)i); *c != 0 && length + 1 < sizeof name; c++)
      if (*c != ' ') name[length++] = *c;
    name[length] = 0;
    if (!texts_have_word(name)) missing += complain(mpak_issue_get((mpak_issue_id)i)->code, "no fixture", name);
  }
  assert_false(texts_have_word("no_such_"
                               "fixture"));
  free(tests_texts.bytes);
  assert_int_equal(missing, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_issues_codes_are_well_formed_unique_and_ascending),
      cmocka_unit_test(test_issues_codes_are_found_in_every_spelling),
      cmocka_unit_test(test_issues_severities_and_exit_codes_are_those_of_the_design),
      cmocka_unit_test(test_issues_messages_have_only_known_places),
      cmocka_unit_test(test_issues_texts_are_there_and_in_their_form),
      cmocka_unit_test(test_issues_each_has_a_fixture_that_exists),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
