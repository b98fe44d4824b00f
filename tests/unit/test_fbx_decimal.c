// Decimal numbers of FBX text against strtod: the same bits, the same end.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/import/fbx_decimal.h"

static void expect_like_strtod(const char *text) {
  const char *after;
  char *end;
  const double found = fbx_decimal(text, &after), expected = strtod(text, &end);
  if (after != end || memcmp(&found, &expected, sizeof found) != 0)
    fail_msg("\"%s\": %a to %td, not %a to %td", text, found, after - text, expected, end - text);
}

static void test_fbx_decimal_odd_texts(void **state) {
  (void)state;
  static const char *const texts[] = {"",
                                      "0",
                                      "-0",
                                      "-0.0,",
                                      ".5}",
                                      "5.",
                                      ".",
                                      "-",
                                      "-.",
                                      "+1",
                                      " 7",
                                      "\n7",
                                      ",1",
                                      "--1",
                                      "1-2",
                                      "1,2",
                                      "1.2.3",
                                      "12e",
                                      "12e+",
                                      "12e-x",
                                      "1e5",
                                      "1E5 ",
                                      "1e+05",
                                      "1e-05",
                                      "1e-005",
                                      "1e22",
                                      "1e23",
                                      "1e-22",
                                      "1e-23",
                                      "123e20",
                                      "1e99",
                                      "1e400",
                                      "1e-400",
                                      "0e99",
                                      "0.1e23",
                                      "0x10",
                                      "-0x1p4",
                                      "00x",
                                      "1x",
                                      "inf",
                                      "-nan",
                                      "infinity",
                                      "1f",
                                      "1_",
                                      "9007199254740991",
                                      "9007199254740992",
                                      "9007199254740993",
                                      "9007199254740995e-3",
                                      "999999999999999999",
                                      "18446744073709551617",
                                      "1000000000000000000",
                                      "0.000000000000000001",
                                      "0.0000000000000000001",
                                      "000000000000000000001",
                                      "0.30000000000000004",
                                      "1.7976931348623157e308",
                                      "4.9e-324",
                                      "2.2250738585072011e-308"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) expect_like_strtod(texts[i]);
}

static void test_fbx_decimal_many(void **state) {
  (void)state;
  static const char *const forms[] = {"%.*f,", "%.*g ", "%.*e}"};
  uint64_t random = 1;
  for (int i = 0; i < 200000; i++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const int32_t whole = (int32_t)(random >> 32);
    const double number = (double)whole / (double)(1 << (i % 31));
    char text[64];
    snprintf(text, sizeof text, forms[i % 3], (int)(random >> 20 & 15) + 1, number);
    expect_like_strtod(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fbx_decimal_odd_texts),
      cmocka_unit_test(test_fbx_decimal_many),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
