#include "cooker/report/number.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Decimal digits and exponent of a finite value other than 0: value = ±d.ddd * 10^exponent.
typedef struct number_parts {
  bool is_negative;
  char digits[20];
  int digit_count;
  int exponent;
} number_parts;

/// printf's %e, whatever decimal sign the locale puts between the first digit and the rest.
static number_parts number_split(double value, int digits) {
  char printed[64];
  snprintf(printed, sizeof printed, "%.*e", digits - 1, value);
  number_parts parts = {0};
  const char *at = printed;
  for (; *at != 0 && *at != 'e'; at++) {
    if (*at == '-') parts.is_negative = true;
    if (*at >= '0' && *at <= '9' && parts.digit_count < 18) parts.digits[parts.digit_count++] = *at;
  }
  parts.exponent = *at == 'e' ? atoi(at + 1) : 0;
  while (parts.digit_count > 1 && parts.digits[parts.digit_count - 1] == '0') parts.digit_count--;
  return parts;
}

static char *number_put_fixed(char *at, const number_parts *parts) {
  if (parts->exponent < 0) {
    *at++ = '0';
    *at++ = '.';
    for (int i = -1; i > parts->exponent; i--) *at++ = '0';
  }
  for (int i = 0; i < parts->digit_count; i++) {
    *at++ = parts->digits[i];
    if (i == parts->exponent && i + 1 < parts->digit_count) *at++ = '.';
  }
  for (int i = parts->digit_count; i <= parts->exponent; i++) *at++ = '0';
  return at;
}

static char *number_put_scientific(char *at, const number_parts *parts) {
  *at++ = parts->digits[0];
  if (parts->digit_count > 1) *at++ = '.';
  for (int i = 1; i < parts->digit_count; i++) *at++ = parts->digits[i];
  return at + snprintf(at, 8, "e%c%02d", parts->exponent < 0 ? '-' : '+', abs(parts->exponent));
}

bool number_format(char text[NUMBER_BYTES], double value, int digits) {
  if (!isfinite(value)) {
    memcpy(text, "null", sizeof "null");
    return false;
  }
  if (value == 0) {
    memcpy(text, "0", sizeof "0");
    return true;
  }
  const number_parts parts = number_split(value, digits);
  char *at = text;
  if (parts.is_negative) *at++ = '-';
  const bool is_fixed = parts.exponent >= -5 && parts.exponent < digits;
  at = is_fixed ? number_put_fixed(at, &parts) : number_put_scientific(at, &parts);
  *at = 0;
  return true;
}

bool number_format_float(char text[NUMBER_BYTES], float value) {
  double again = 0;
  for (int digits = 6; digits < 9; digits++) {
    if (!number_format(text, value, digits)) return false;
    if (number_parse(text, &again) && (float)again == value) return true;
  }
  return number_format(text, value, 9);
}

// -- Reading ---------------------------------------------------------------------------------------------------------

static const char *number_skip_digits(const char *at, int *count) {
  for (; *at >= '0' && *at <= '9'; at++) ++*count;
  return at;
}

/// [+-] digits [. digits] [e [+-] digits], at least one digit before the exponent.
static bool number_is_decimal(const char *at) {
  int mantissa_digits = 0, exponent_digits = 0;
  if (*at == '+' || *at == '-') at++;
  at = number_skip_digits(at, &mantissa_digits);
  if (*at == '.') at = number_skip_digits(at + 1, &mantissa_digits);
  if (mantissa_digits == 0) return false;
  if (*at != 'e' && *at != 'E') return *at == 0;
  at++;
  if (*at == '+' || *at == '-') at++;
  at = number_skip_digits(at, &exponent_digits);
  return exponent_digits > 0 && *at == 0;
}

bool number_parse(const char *text, double *value) {
  *value = 0;
  if (!number_is_decimal(text)) return false;
  const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0) return false;
  const double read = strtod_l(text, NULL, plain);
  freelocale(plain);
  if (!isfinite(read)) return false;
  *value = read;
  return true;
}
