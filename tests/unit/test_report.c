// Numbers, escapes and JSON of the reports: the same in every locale, and never more than JSON allows.
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cooker/report/issue_report.h"
#include "cooker/report/number.h"

// -- Numbers ---------------------------------------------------------------------------------------------------------

typedef struct number_case {
  double value;
  int digits;
  const char *text;
} number_case;

static void test_number_format_known_values_have_known_texts(void **state) {
  (void)state;
  static const number_case cases[] = {
      {0.0, 9, "0"},
      {-0.0, 9, "0"},
      {1.0, 9, "1"},
      {-1.0, 9, "-1"},
      {0.1, 9, "0.1"},
      {0.1f, 9, "0.100000001"},
      {1.0 / 3.0, 9, "0.333333333"},
      {2.0 / 3.0, 3, "0.667"},
      {123456789.0, 9, "123456789"},
      {1234567890.0, 9, "1.23456789e+09"},
      {100.0, 9, "100"},
      {120.5, 9, "120.5"},
      {1e-5, 9, "0.00001"},
      {1.5e-6, 9, "1.5e-06"},
      {-2.5e-300, 9, "-2.5e-300"},
      {1e300, 9, "1e+300"},
      {999999999.9, 9, "1e+09"},
      {0.999999999999, 9, "1"},
      {1.7976931348623157e308, 17, "1.7976931348623157e+308"},
      {4.9406564584124654e-324, 9, "4.94065646e-324"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[NUMBER_BYTES];
    assert_true(number_format(text, cases[i].value, cases[i].digits));
    assert_string_equal(text, cases[i].text);
  }
}

static void test_number_format_nan_and_infinity_are_refused_as_null(void **state) {
  (void)state;
  const double values[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
  for (size_t i = 0; i < 3; i++) {
    char text[NUMBER_BYTES];
    assert_false(number_format(text, values[i], 9));
    assert_string_equal(text, "null");
    assert_false(number_format_float(text, (float)values[i]));
    assert_string_equal(text, "null");
  }
}

/// Every exponent, and mantissas from a simple generator: the text gives the same float, in at most 9 digits.
static void test_number_format_float_reads_back_as_the_same_float(void **state) {
  (void)state;
  uint32_t seed = 12345;
  for (uint32_t i = 0; i < 200000; i++) {
    seed = seed * 1664525u + 1013904223u;
    float value;
    memcpy(&value, &seed, sizeof value);
    if (!isfinite(value)) continue;
    char text[NUMBER_BYTES];
    assert_true(number_format_float(text, value));
    assert_true(strtof(text, NULL) == value);
    size_t digits = 0;
    for (const char *at = text; *at != 0 && *at != 'e'; at++) digits += *at >= '1' && *at <= '9';
    assert_true(digits <= 9);
  }
}

static void test_number_format_float_takes_the_fewest_digits(void **state) {
  (void)state;
  char text[NUMBER_BYTES];
  number_format_float(text, 0.1f);
  assert_string_equal(text, "0.1");
  number_format_float(text, 16777216.0f);
  assert_string_equal(text, "16777216");
  number_format_float(text, 0.33333334f);
  assert_string_equal(text, "0.33333334");
}

static void test_number_parse_reads_decimals_only(void **state) {
  (void)state;
  static const char *const good[] = {"0", "-1", "+1.5", ".5", "5.", "1e3", "1E-3", "1.25e+2"};
  static const double values[] = {0, -1, 1.5, 0.5, 5, 1000, 0.001, 125};
  static const char *const bad[] = {"",   " 1", "1 ", "1,5", "0x10",  "nan",   "inf", "infinity",
                                    "1e", "e3", ".",  "-",   "1.2.3", "1e400", "--1"};
  double value;
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
    assert_true(number_parse(good[i], &value));
    assert_true(value == values[i]);
  }
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) assert_false(number_parse(bad[i], &value));
}

/// Any installed locale whose decimal sign is not a point; the test says when there is none.
static const char *locale_with_comma(void) {
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8", "de_DE", "ru_RU.UTF-8"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (setlocale(LC_ALL, names[i]) != NULL && strcmp(localeconv()->decimal_point, ".") != 0) return names[i];
  return NULL;
}

static void test_number_comma_locale_changes_nothing(void **state) {
  (void)state;
  if (locale_with_comma() == NULL) {
    print_message("not run: 1 no locale with a decimal comma is installed\n");
    return;
  }
  char text[NUMBER_BYTES], printed[32];
  double value = 0;
  snprintf(printed, sizeof printed, "%.1f", 1.5);
  const bool has_comma = strchr(printed, ',') != NULL;
  number_format(text, -1234.5, 9);
  const bool has_read = number_parse("1234.5", &value) && !number_parse("1234,5", &value);
  setlocale(LC_ALL, "C");
  assert_true(has_comma);
  assert_string_equal(text, "-1234.5");
  assert_true(has_read);
}

// -- Text and JSON ---------------------------------------------------------------------------------------------------

static void escape_equals(const char *name, bool is_quoted, const char *expected) {
  cook_job *job = job_begin(NULL, NULL);
  text_out text;
  text_begin(&text, job);
  text_put_escaped(&text, name, is_quoted);
  assert_string_equal(text.bytes, expected);
  job_end(job);
}

static void test_text_escaped_names_cannot_touch_a_terminal(void **state) {
  (void)state;
  escape_equals("Smile", true, "Smile");
  escape_equals("\xe3\x81\x82", true, "\xe3\x81\x82");
  escape_equals("two\nlines\tand\r", true, "two\\nlines\\tand\\r");
  escape_equals("\x1b[31mred", true, "\\x1b[31mred");
  escape_equals("\x7f", true, "\\x7f");
  escape_equals("\xc2\x9b"
                "31m",
                true, "\\x9b31m");
  escape_equals("a\xe2\x80\xae"
                "b",
                true, "a\\u202eb");
  escape_equals("\xff\xc0\x80", true, "\\xff\\xc0\\x80");
  escape_equals("a\"b\\c", true, "a\\\"b\\\\c");
  escape_equals("a\"b\\c", false, "a\"b\\c");
  escape_equals("\xed\xa0\x80", true, "\\xed\\xa0\\x80");
}

static void test_utf8_length_refuses_what_is_no_character(void **state) {
  (void)state;
  uint32_t code = 0;
  assert_int_equal(text_utf8_length("\xf0\x9f\x98\x80", &code), 4);
  assert_int_equal(code, 0x1F600);
  assert_int_equal(text_utf8_length("\xf4\x8f\xbf\xbf", &code), 4);
  assert_int_equal(text_utf8_length("\xf4\x90\x80\x80", &code), 0); // above 10FFFF
  assert_int_equal(text_utf8_length("\xe0\x80\x80", &code), 0);     // overlong
  assert_int_equal(text_utf8_length("\xe3\x81", &code), 0);         // cut
  assert_int_equal(text_utf8_length("\x80", &code), 0);
  assert_int_equal(text_utf8_length("\xf8\x88\x80\x80\x80", &code), 0);
}

static void test_json_out_document_has_commas_lines_and_escapes_in_place(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  text_out text;
  json_out json;
  text_begin(&text, job);
  write_json_begin(&json, &text);
  write_json_object(&json);
  write_json_member_string(&json, "name", "a\"\\\n\x01\xe3\x81\x82\xff");
  write_json_key(&json, "none");
  write_json_array(&json);
  write_json_close(&json);
  write_json_key(&json, "rows");
  write_json_array(&json);
  write_json_reals(&json, (const double[]){1, 0.5}, 2);
  write_json_null(&json);
  write_json_close(&json);
  write_json_member_string(&json, "absent", NULL);
  write_json_key(&json, "yes");
  write_json_bool(&json, true);
  write_json_key(&json, "big");
  write_json_count(&json, UINT64_MAX);
  write_json_close(&json);
  write_json_end(&json);
  assert_string_equal(text.bytes, "{\n"
                                  "  \"name\": \"a\\\"\\\\\\n\\u0001\xe3\x81\x82\xef\xbf\xbd\",\n"
                                  "  \"none\": [],\n"
                                  "  \"rows\": [\n"
                                  "    [1, 0.5],\n"
                                  "    null\n"
                                  "  ],\n"
                                  "  \"absent\": null,\n"
                                  "  \"yes\": true,\n"
                                  "  \"big\": 18446744073709551615\n"
                                  "}\n");
  job_end(job);
}

// -- Issues ----------------------------------------------------------------------------------------------------------

static void test_issue_text_has_the_documented_form(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  job_set_file(job, "he\nro.fbx");
  cook_where where = COOK_WHERE;
  where.mesh = "Body";
  where.primitive = 0;
  where.target = "Smi\"le";
  where.value = "[2, 3]";
  where.limit = "[0, 1]";
  job_issue(job, MPAK_U016, where);
  text_out text;
  text_begin(&text, job);
  report_issues_text(&text, job, (report_style){false, false});
  assert_string_equal(
      text.bytes,
      "he\\nro.fbx: warning: mesh \"Body\" primitive 0 target \"Smi\\\"le\": the weight [2, 3] lies outside "
      "the range [0, 1] and was clamped [MPAK-U016]\n"
      "hint: cook with --weight-range LO,HI when larger weights are meant\n");
  job_end(job);
}

static void test_issue_text_counts_what_is_not_kept(void **state) {
  (void)state;
  const cook_limits limits = {.issues = 2};
  cook_job *job = job_begin(NULL, &limits);
  job_set_file(job, "a.glb");
  for (int i = 0; i < 5; i++) job_issue(job, MPAK_U015, COOK_WHERE);
  text_out text;
  text_begin(&text, job);
  report_issues_text(&text, job, (report_style){false, false});
  assert_non_null(strstr(text.bytes, "a.glb: 3 more issues are not shown\n"));
  job_end(job);
}

static void issue_step_out_of_memory(cook_job *job, void *user) {
  (void)user;
  job_alloc(job, 1 << 24, 1);
}

static void test_issue_text_names_lack_of_memory(void **state) {
  (void)state;
  const cook_limits limits = {.memory_bytes = 1 << 20};
  cook_job *job = job_begin(NULL, &limits);
  job_set_file(job, "a.glb");
  assert_false(job_run(job, issue_step_out_of_memory, NULL));
  assert_int_equal(job_exit_code(job), 6);
  text_out text;
  text_begin(&text, job);
  report_issues_text(&text, job, (report_style){false, false});
  assert_non_null(strstr(text.bytes, "a.glb: error: out of memory"));
  assert_non_null(strstr(text.bytes, "[MPAK-O010]"));
  job_end(job);
}

static void test_issue_text_colour_only_when_asked(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  job_set_file(job, "a.glb");
  job_issue(job, MPAK_U015, COOK_WHERE);
  text_out plain, coloured;
  text_begin(&plain, job);
  text_begin(&coloured, job);
  report_issues_text(&plain, job, (report_style){false, false});
  report_issues_text(&coloured, job, (report_style){true, false});
  assert_null(strchr(plain.bytes, '\x1b'));
  assert_non_null(strchr(coloured.bytes, '\x1b'));
  job_end(job);
}

/// Every line of the table has all its texts, and no place that no message fills.
static void test_issue_table_is_complete(void **state) {
  (void)state;
  for (int i = 0; i < MPAK_ISSUE_COUNT; i++) {
    const mpak_issue_info *info = mpak_issue_get((mpak_issue_id)i);
    assert_true(strlen(info->message) > 8 && strlen(info->hint) > 8 && strlen(info->explain) > 8);
    assert_true(info->exit_code >= 1 && info->exit_code <= 7);
    assert_null(strchr(info->hint, '{'));
    for (const char *at = strchr(info->message, '{'); at != NULL; at = strchr(at + 1, '{'))
      assert_true(strncmp(at, "{e}", 3) == 0 || strncmp(at, "{v}", 3) == 0 || strncmp(at, "{l}", 3) == 0);
    assert_int_equal(mpak_issue_find(info->code), i);
    assert_int_equal(mpak_issue_find(info->code + 5), i);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_number_format_known_values_have_known_texts),
      cmocka_unit_test(test_number_format_nan_and_infinity_are_refused_as_null),
      cmocka_unit_test(test_number_format_float_reads_back_as_the_same_float),
      cmocka_unit_test(test_number_format_float_takes_the_fewest_digits),
      cmocka_unit_test(test_number_parse_reads_decimals_only),
      cmocka_unit_test(test_number_comma_locale_changes_nothing),
      cmocka_unit_test(test_text_escaped_names_cannot_touch_a_terminal),
      cmocka_unit_test(test_utf8_length_refuses_what_is_no_character),
      cmocka_unit_test(test_json_out_document_has_commas_lines_and_escapes_in_place),
      cmocka_unit_test(test_issue_text_has_the_documented_form),
      cmocka_unit_test(test_issue_text_counts_what_is_not_kept),
      cmocka_unit_test(test_issue_text_names_lack_of_memory),
      cmocka_unit_test(test_issue_text_colour_only_when_asked),
      cmocka_unit_test(test_issue_table_is_complete),
  };
  return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
