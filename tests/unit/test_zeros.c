// Copies onto zeros: every byte arrives, whatever the length, and wherever the zeros stand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/base/zeros.h"

/// One byte of length is not zero; heap blocks of exactly the length let AddressSanitizer see a step past them.
static void zeros_copy_one(size_t length, size_t at) {
  uint8_t *from = calloc(1, length + 1), *to = calloc(1, length + 1);
  assert_true(from != NULL && to != NULL);
  from = realloc(from, length == 0 ? 1 : length);
  to = realloc(to, length == 0 ? 1 : length);
  assert_true(from != NULL && to != NULL);
  if (at < length) from[at] = 0x80;
  zeros_copy(to, from, length);
  if (length != 0) assert_memory_equal(to, from, length);
  free(from);
  free(to);
}

static void test_zeros_copy_brings_every_byte(void **state) {
  (void)state;
  static const size_t lengths[] = {0, 1, 12, 4095, 4096, 4097, 8192, 12300};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    const size_t length = lengths[i], places[] = {0, 1, length / 2, 4095, 4096, length - 1, length};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) zeros_copy_one(length, places[k]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_zeros_copy_brings_every_byte)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
