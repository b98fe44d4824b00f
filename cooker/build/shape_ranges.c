// shape_ranges.c: which weights a shape can reach while its control stays in its range.
#include <float.h>

#include "cooker/build/build.h"
#include "format/bytes.h"

typedef struct shape_reach {
  double low, high;
} shape_reach;

static void shape_reach_hold(shape_reach *reach, double weight) {
  if (weight < reach->low) reach->low = weight;
  if (weight > reach->high) reach->high = weight;
}

/// The polyline at x: the segment around it, or the nearest one, which goes on without an end.
static double shape_rule_at(const cook_shape_rule *rule, double x) {
  uint32_t i = rule->point_count - 2;
  while (i > 0 && (double)rule->points[i][0] > x) --i;
  const double x0 = rule->points[i][0], y0 = rule->points[i][1];
  const double x1 = rule->points[i + 1][0], y1 = rule->points[i + 1][1];
  return y0 + (x - x0) / (x1 - x0) * (y1 - y0);
}

/// Straight lines have their extremes at the ends of the range and at the points inside.
static shape_reach shape_find_reach(const cook_shape_rule *rule, double low, double high) {
  const double first = shape_rule_at(rule, low);
  shape_reach reach = {first, first};
  shape_reach_hold(&reach, shape_rule_at(rule, high));
  for (uint32_t i = 0; i < rule->point_count; ++i) {
    const double x = rule->points[i][0];
    if (x > low && x < high) shape_reach_hold(&reach, rule->points[i][1]);
  }
  return reach;
}

/// The smallest float at or above value, which a float may not reach.
static float shape_round_up(double value) {
  if (value >= (double)FLT_MAX) return FLT_MAX;
  if (value <= -(double)FLT_MAX) return -FLT_MAX;
  const float rounded = (float)value;
  if ((double)rounded >= value) return rounded;
  const uint32_t bits = bytes_bits_of_float(rounded); // below value, so not 0 from above and not FLT_MAX
  if (bits << 1 == 0) return bytes_float_of_bits(1);
  return bytes_float_of_bits(bits >> 31 ? bits - 1 : bits + 1);
}

void build_shape_ranges(cook_job *job, const cook_mesh *mesh, float **range_min, float **range_max) {
  *range_min = JOB_ARRAY(job, float, mesh->target_count);
  *range_max = JOB_ARRAY(job, float, mesh->target_count);
  for (uint32_t t = 0; t < mesh->target_count; ++t) {
    const uint32_t control = cook_control_of_target(mesh, t);
    const float low = mesh->range_min ? mesh->range_min[control] : 0.0f;
    const float high = mesh->range_max ? mesh->range_max[control] : 1.0f;
    (*range_min)[t] = low;
    (*range_max)[t] = high;
    if (!mesh->rules || mesh->rules[t].point_count == 0) continue;
    const shape_reach reach = shape_find_reach(&mesh->rules[t], (double)low, (double)high);
    (*range_min)[t] = -shape_round_up(-reach.low);
    (*range_max)[t] = shape_round_up(reach.high);
  }
}
