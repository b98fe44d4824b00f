// angle_acos against the machine's own acos: the claim in angle.h.
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cooker/base/angle.h"

static void test_angle_acos_agrees_with_libm(void **state) {
  (void)state;
  double worst = 0;
  for (int i = -100000; i <= 100000; i++) worst = fmax(worst, fabs(angle_acos(i / 100000.0) - acos(i / 100000.0)));
  for (double x = 1; x > 1e-17; x /= 2) { // close to both ends and to the middle
    worst = fmax(worst, fabs(angle_acos(1 - x) - acos(1 - x)));
    worst = fmax(worst, fabs(angle_acos(x - 1) - acos(x - 1)));
    worst = fmax(worst, fabs(angle_acos(-x) - acos(-x)));
  }
  assert_true(worst < 3e-8);
  assert_true(worst > 1e-12); // it is the polynomial, not libm
}

static void test_angle_acos_outside_is_clamped(void **state) {
  (void)state;
  assert_true(angle_acos(1) == 0);
  assert_true(angle_acos(1.0000001) == 0);
  assert_true(angle_acos(-1) == acos(-1));
  assert_true(angle_acos(-7) == acos(-1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_angle_acos_agrees_with_libm),
      cmocka_unit_test(test_angle_acos_outside_is_clamped),
  };
  return cmocka_run_group_tests_name("angle", tests, NULL, NULL);
}
