#include <math.h>
#include <string.h>

#include "cooker/check/check_internal.h"

/// Four magnitudes at a time; both compilers turn this into what the machine has. Magnitudes are positive as integers.
typedef int32_t check_quad __attribute__((vector_size(16)));
#define QUAD_FLOATS 4u

static check_quad check_quad_larger(check_quad largest, const float *values) {
  check_quad bits;
  memcpy(&bits, values, sizeof bits);
  bits &= 0x7FFFFFFF;
  const check_quad is_larger = bits > largest;
  return (bits & is_larger) | (largest & ~is_larger);
}

uint32_t check_largest_bits(const float *values, uint64_t count) {
  check_quad largest[2] = {{0}, {0}};
  uint64_t i = 0;
  for (; i + 2 * QUAD_FLOATS <= count; i += 2 * QUAD_FLOATS) {
    largest[0] = check_quad_larger(largest[0], values + i);
    largest[1] = check_quad_larger(largest[1], values + i + QUAD_FLOATS);
  }
  uint32_t result = 0;
  for (uint32_t lane = 0; lane < 2 * QUAD_FLOATS; lane++) {
    const uint32_t bits = (uint32_t)largest[lane / QUAD_FLOATS][lane % QUAD_FLOATS];
    result = bits > result ? bits : result;
  }
  for (; i < count; i++) {
    const uint32_t bits = bytes_bits_of_float(values[i]) & 0x7FFFFFFFu;
    result = bits > result ? bits : result;
  }
  return result;
}

/// Adds each element of which a component has a magnitude above that of limit_bits, with the first such component.
static void check_tally_beyond(check_tally *tally, const float *values, uint64_t element_count, uint32_t width,
                               uint32_t limit_bits) {
  for (uint64_t i = 0; i < element_count; i++) {
    for (uint32_t c = 0; c < width; c++) {
      if ((bytes_bits_of_float(values[i * width + c]) & 0x7FFFFFFFu) <= limit_bits) continue;
      check_tally_add(tally, i, values[i * width + c]);
      break;
    }
  }
}

bool check_all_finite(const check_context *context, mpak_issue_id id, const check_place *place, const char *element,
                      const float *values, uint64_t element_count, uint32_t width) {
  if (check_largest_bits(values, element_count * width) < CHECK_BITS_INFINITE) return true;
  check_tally tally = {.element = element, .limit = "a finite number"};
  check_tally_beyond(&tally, values, element_count, width, CHECK_BITS_INFINITE - 1);
  check_report(context, id, place, &tally);
  return false;
}

bool check_none_beyond(const check_context *context, mpak_issue_id id, const check_place *place, const char *element,
                       const float *values, uint64_t element_count, uint32_t width, float limit) {
  const uint32_t limit_bits = bytes_bits_of_float(limit);
  if (check_largest_bits(values, element_count * width) <= limit_bits) return true;
  const cook_mark mark = job_mark(context->job);
  check_tally tally = {.element = element, .limit = check_number_text(context->job, limit)};
  check_tally_beyond(&tally, values, element_count, width, limit_bits);
  check_report(context, id, place, &tally);
  job_release(context->job, mark);
  return false;
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
