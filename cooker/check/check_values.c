#include <math.h>

#include "cooker/check/check_internal.h"

uint32_t check_largest_bits(const float *values, uint64_t count) {
  uint32_t largest[4] = {0, 0, 0, 0};
  uint64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (int lane = 0; lane < 4; lane++) {
      const uint32_t bits = bytes_bits_of_float(values[i + lane]) & 0x7FFFFFFFu;
      largest[lane] = bits > largest[lane] ? bits : largest[lane];
    }
  }
  for (; i < count; i++) {
    const uint32_t bits = bytes_bits_of_float(values[i]) & 0x7FFFFFFFu;
    largest[0] = bits > largest[0] ? bits : largest[0];
  }
  for (int lane = 1; lane < 4; lane++) largest[0] = largest[lane] > largest[0] ? largest[lane] : largest[0];
  return largest[0];
}

typedef bool (*check_value_rule)(float value);

static bool check_is_not_finite(float value) { return !bytes_float_is_finite(value); }

/// Adds each element of which a component breaks the rule, with the first such component.
static void check_tally_values(check_tally *tally, const float *values, uint64_t element_count, uint32_t width,
                               check_value_rule is_broken) {
  for (uint64_t i = 0; i < element_count; i++) {
    for (uint32_t c = 0; c < width; c++) {
      if (!is_broken(values[i * width + c])) continue;
      check_tally_add(tally, i, values[i * width + c]);
      break;
    }
  }
}

bool check_all_finite(const check_context *context, mpak_issue_id id, const check_place *place, const char *element,
                      const float *values, uint64_t element_count, uint32_t width) {
  if (check_largest_bits(values, element_count * width) < CHECK_BITS_INFINITE) return true;
  check_tally tally = {.element = element, .limit = "a finite number"};
  check_tally_values(&tally, values, element_count, width, check_is_not_finite);
  check_report(context, id, place, &tally);
  return false;
}

void check_none_huge(const check_context *context, mpak_issue_id id, const check_place *place, const char *element,
                     const float *values, uint64_t element_count, uint32_t width) {
  if (check_largest_bits(values, element_count * width) <= bytes_bits_of_float(CHECK_LARGEST_VALUE)) return;
  check_tally tally = {.element = element, .limit = "1e+12"};
  check_tally_values(&tally, values, element_count, width, check_is_huge);
  check_report(context, id, place, &tally);
}

void check_default_range(const check_context *context, mpak_issue_id id, const check_place *place, const float *weights,
                         uint32_t weight_count) {
  check_tally tally = {.element = "target", .limit = "0 to 1"};
  for (uint32_t t = 0; t < weight_count; t++)
    if (weights[t] < 0 || weights[t] > 1) check_tally_add(&tally, t, weights[t]);
  check_report(context, id, place, &tally);
}

double check_length(const float *values, uint32_t width) {
  double sum = 0;
  for (uint32_t c = 0; c < width; c++) sum += (double)values[c] * values[c];
  return sqrt(sum);
}

double check_determinant(const float m[12]) {
  const double x = (double)m[5] * m[10] - (double)m[6] * m[9];
  const double y = (double)m[4] * m[10] - (double)m[6] * m[8];
  const double z = (double)m[4] * m[9] - (double)m[5] * m[8];
  return m[0] * x - m[1] * y + m[2] * z;
}
