// fbx_decimal.c: digits below 2^53 are exact in a double and so are powers of ten up to 22, so one multiplication or
// division of both rounds as it should. All else goes to strtod.
#include "cooker/import/fbx_decimal.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define DIGITS_MAX 18 ///< that 64 bits hold in any case
#define EXACT_MAX  (UINT64_C(1) << 53)
#define POWER_MAX  22

/// Digits behind others; returns how many there were.
static int take_digits(const char **at, uint64_t *digits) {
  const char *start = *at;
  for (; **at >= '0' && **at <= '9'; ++*at) *digits = *digits * 10 + (uint64_t)(**at - '0');
  return *at - start > DIGITS_MAX ? DIGITS_MAX + 1 : (int)(*at - start);
}

/// "e-05". False when no digits follow, or more than two.
static bool take_exponent(const char **at, int *power) {
  if (**at != 'e' && **at != 'E') return true;
  ++*at;
  const bool is_negative = **at == '-';
  if (**at == '-' || **at == '+') ++*at;
  uint64_t exponent = 0;
  const int count = take_digits(at, &exponent);
  *power += is_negative ? -(int)exponent : (int)exponent;
  return count == 1 || count == 2;
}

/// A number that needs no more than one operation; *at is left anywhere when it is none.
static bool take_short(const char **at, double *number) {
  static const double powers[POWER_MAX + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const bool is_negative = **at == '-';
  if (is_negative) ++*at;
  uint64_t digits = 0;
  int power = 0, count = take_digits(at, &digits);
  if (**at == '.') {
    ++*at;
    power = -take_digits(at, &digits);
  }
  count -= power;
  if (count == 0 || count > DIGITS_MAX || digits > EXACT_MAX || !take_exponent(at, &power)) return false;
  if (power < -POWER_MAX || power > POWER_MAX || **at == 'x' || **at == 'X') return false;
  const double value = power < 0 ? (double)digits / powers[-power] : (double)digits * powers[power];
  *number = is_negative ? -value : value;
  return true;
}

double fbx_decimal(const char *text, const char **after) {
  double number;
  *after = text;
  if (take_short(after, &number)) return number;
  char *end;
  number = strtod(text, &end);
  *after = end;
  return number;
}
