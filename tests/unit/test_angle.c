// angle_acos and angle_sin_cos against the machine's own functions: the claims in angle.h.
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

static void test_angle_sin_cos_agrees_with_libm(void **state) {
  (void)state;
  double worst = 0;
  for (int i = -200000; i <= 200000; i++) {
    const double degrees = i / 97.0;
    double sine, cosine;
    angle_sin_cos(degrees, &sine, &cosine);
    worst = fmax(worst, fabs(sine - sin(degrees * (acos(-1) / 180))));
    worst = fmax(worst, fabs(cosine - cos(degrees * (acos(-1) / 180))));
    worst = fmax(worst, fabs(sine * sine + cosine * cosine - 1));
  }
  assert_true(worst < 8e-15); // libm's own argument, 2061 degrees in radians, is off by up to 4e-15
}

static void test_angle_sin_cos_is_exact_at_quarters(void **state) {
  (void)state;
  static const double sines[] = {0, 1, 0, -1}, cosines[] = {1, 0, -1, 0};
  for (int i = -4000; i <= 4000; i++) {
    double sine, cosine;
    angle_sin_cos(90.0 * i, &sine, &cosine);
    assert_true(sine == sines[(i + 4000) % 4]);
    assert_true(cosine == cosines[(i + 4000) % 4]);
  }
  double sine, cosine;
  angle_sin_cos(30, &sine, &cosine);
  assert_true(fabs(sine - 0.5) < 1e-15);
  assert_true(fabs(cosine - 0.86602540378443864676) < 1e-15);
  angle_sin_cos((double)NAN, &sine, &cosine);
  assert_true(sine == 0 && cosine == 1);
  angle_sin_cos((double)INFINITY, &sine, &cosine);
  assert_true(sine == 0 && cosine == 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_angle_acos_agrees_with_libm),
      cmocka_unit_test(test_angle_acos_outside_is_clamped),
      cmocka_unit_test(test_angle_sin_cos_agrees_with_libm),
      cmocka_unit_test(test_angle_sin_cos_is_exact_at_quarters),
  };
  return cmocka_run_group_tests_name("angle", tests, NULL, NULL);
}
