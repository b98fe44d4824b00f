// inbetween.c: hat functions over the full weights of a control's shapes and the origin, where no shape is on.
#include "cooker/scene/inbetween.h"

#include <math.h>
#include <stdlib.h>

/// Full weights beyond these are none; with them slopes are small enough for all that follows to stay inside float.
#define INBETWEEN_SMALLEST 1e-6
#define INBETWEEN_LARGEST  1e6

/// A weight of the control at which exactly one shape is on, or none.
typedef struct inbetween_knot {
  float weight;
  uint32_t shape; ///< MPAK_NONE: the origin
} inbetween_knot;

static int inbetween_compare(const void *a, const void *b) {
  const inbetween_knot *left = a, *right = b;
  if (left->weight != right->weight) return left->weight < right->weight ? -1 : 1;
  return left->shape < right->shape ? -1 : left->shape > right->shape;
}

_Noreturn static void inbetween_fail(cook_job *job, cook_where where, double full_weight) {
  where.value = job_format(job, "%.8g", full_weight);
  job_fail(job, MPAK_I029, where);
}

/// The knots in order, the origin among them.
static inbetween_knot *inbetween_sort(cook_job *job, cook_where where, const double *full_weights,
                                      uint32_t shape_count) {
  inbetween_knot *knots = JOB_ARRAY(job, inbetween_knot, (uint64_t)shape_count + 1);
  knots[shape_count] = (inbetween_knot){0, MPAK_NONE};
  for (uint32_t s = 0; s < shape_count; s++) {
    const double size = fabs(full_weights[s]);
    const bool is_usable = size >= INBETWEEN_SMALLEST && size <= INBETWEEN_LARGEST; // NaN is not
    if (!is_usable) inbetween_fail(job, where, full_weights[s]);
    knots[s] = (inbetween_knot){(float)full_weights[s], s};
  }
  qsort(knots, (size_t)shape_count + 1, sizeof *knots, inbetween_compare);
  for (uint32_t k = 0; k < shape_count; k++)
    if (knots[k].weight == knots[k + 1].weight) inbetween_fail(job, where, (double)knots[k].weight);
  return knots;
}

static void inbetween_add_point(cook_shape_rule *rule, float weight, float value) {
  rule->points[rule->point_count][0] = weight + 0.0f; // no -0 in a pack
  rule->points[rule->point_count][1] = value;
  rule->point_count++;
}

/// 1 at knot k, 0 at its neighbours, and 0 from there to the last knot on either side: only a shape at an end, or next
/// to one, has a slope there that goes on.
static void inbetween_make_hat(cook_job *job, const inbetween_knot *knots, uint32_t last, uint32_t k,
                               cook_shape_rule *rule) {
  rule->point_count = 0;
  rule->points = job_alloc(job, 5, sizeof *rule->points);
  if (k > 1) inbetween_add_point(rule, knots[0].weight, 0);
  if (k > 0) inbetween_add_point(rule, knots[k - 1].weight, 0);
  inbetween_add_point(rule, knots[k].weight, 1);
  if (k < last) inbetween_add_point(rule, knots[k + 1].weight, 0);
  if (last - k > 1) inbetween_add_point(rule, knots[last].weight, 0);
}

void scene_make_inbetweens(cook_job *job, cook_where where, uint32_t control, const double *full_weights,
                           uint32_t shape_count, cook_shape_rule *rules) {
  const inbetween_knot *knots = inbetween_sort(job, where, full_weights, shape_count);
  const bool is_plain = shape_count == 1 && full_weights[0] == 1;
  for (uint32_t k = 0; k <= shape_count; k++) {
    if (knots[k].shape == MPAK_NONE) continue;
    cook_shape_rule *rule = &rules[knots[k].shape];
    rule->control = control;
    rule->point_count = 0;
    rule->points = NULL;
    if (!is_plain) inbetween_make_hat(job, knots, shape_count, k, rule);
  }
}
