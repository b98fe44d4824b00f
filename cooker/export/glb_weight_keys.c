// glb_weight_keys.c: curves of controls as curves of shapes. A straight line of a control's weight becomes one of its
// shape's weight, up to where a rule bends: a key is added there. A cubic one that a rule bends is followed by short
// straight lines.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/export/glb.h"

/// Straight lines between two keys of a cubic curve.
#define WEIGHT_STEPS 32u

typedef struct weight_curve {
  glb_file *glb;
  const glb_keys *controls;
  const mpak_shape *shapes;
  uint32_t shape_count;
  uint32_t mesh;
  float *times; ///< of the keys that are written
  uint32_t time_count;
} weight_curve;

static const mpak_rule *weight_rule(const weight_curve *curve, uint32_t t) {
  const uint32_t rule = curve->shapes[t].rule;
  return rule != MPAK_NONE ? &curve->glb->pack->rules[rule] : NULL;
}

static uint32_t weight_control(const weight_curve *curve, uint32_t t) {
  return glb_control_of(curve->glb->pack, curve->mesh, &curve->shapes[t]);
}

/// The value (not the tangents) of a control at a key.
static double weight_at_key(const glb_keys *keys, uint32_t key, uint32_t control) {
  const uint64_t parts = keys->interpolation == MPAK_CUBICSPLINE ? 3 : 1;
  return (double)keys->values[(key * parts + (parts == 3)) * keys->width + control];
}

/// Between a key and the next one, for interpolation LINEAR and CUBICSPLINE.
static double weight_between(const glb_keys *keys, uint32_t key, uint32_t control, double time_s) {
  const double a = weight_at_key(keys, key, control);
  if (key + 1 == keys->count || time_s <= (double)keys->times[key]) return a;
  const double length_s = (double)keys->times[key + 1] - (double)keys->times[key];
  const double u = (time_s - (double)keys->times[key]) / length_s, b = weight_at_key(keys, key + 1, control);
  if (keys->interpolation != MPAK_CUBICSPLINE) return a + u * (b - a);
  const float *row = keys->values + 3ull * key * keys->width + control;
  const double out = length_s * (double)row[2ull * keys->width], in = length_s * (double)row[3ull * keys->width];
  return (2 * u * u * u - 3 * u * u + 1) * a + (u * u * u - 2 * u * u + u) * out + (3 * u * u - 2 * u * u * u) * b +
         (u * u * u - u * u) * in;
}

// -- Times -----------------------------------------------------------------------------------------------------------

static void weight_add_time(weight_curve *curve, double time_s) { curve->times[curve->time_count++] = (float)time_s; }

/// Where shape t bends between a key and the next: at the inner points of its rule.
static void weight_add_bends(weight_curve *curve, uint32_t key, uint32_t t) {
  const glb_keys *keys = curve->controls;
  const mpak_rule *rule = weight_rule(curve, t);
  if (rule == NULL) return;
  const double a = weight_at_key(keys, key, weight_control(curve, t));
  const double b = weight_at_key(keys, key + 1, weight_control(curve, t));
  for (uint32_t p = 1; p + 1 < rule->point_count; p++) {
    const double x = (double)curve->glb->pack->rule_points[rule->first_point + p].control_weight;
    if (!((a < x && x < b) || (b < x && x < a))) continue;
    const double start_s = (double)keys->times[key], end_s = (double)keys->times[key + 1];
    weight_add_time(curve, start_s + (x - a) / (b - a) * (end_s - start_s));
  }
}

static int weight_compare(const void *left, const void *right) {
  const float a = *(const float *)left, b = *(const float *)right;
  return a < b ? -1 : a > b;
}

static void weight_collect_times(weight_curve *curve) {
  const glb_keys *keys = curve->controls;
  for (uint32_t k = 0; k < keys->count; k++) {
    weight_add_time(curve, (double)keys->times[k]);
    if (k + 1 == keys->count || keys->interpolation == MPAK_STEP) continue;
    const double start_s = (double)keys->times[k], length_s = (double)keys->times[k + 1] - start_s;
    for (uint32_t i = 1; i < WEIGHT_STEPS && keys->interpolation == MPAK_CUBICSPLINE; i++)
      weight_add_time(curve, start_s + length_s * i / WEIGHT_STEPS);
    for (uint32_t t = 0; t < curve->shape_count && keys->interpolation == MPAK_LINEAR; t++)
      weight_add_bends(curve, k, t);
  }
  qsort(curve->times, curve->time_count, sizeof *curve->times, weight_compare);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < curve->time_count; i++)
    if (kept == 0 || curve->times[i] > curve->times[kept - 1]) curve->times[kept++] = curve->times[i];
  curve->time_count = kept;
}

static uint64_t weight_most_times(const weight_curve *curve) {
  uint64_t bends = curve->controls->interpolation == MPAK_CUBICSPLINE ? WEIGHT_STEPS : 1;
  for (uint32_t t = 0; t < curve->shape_count; t++)
    if (weight_rule(curve, t) != NULL) bends += weight_rule(curve, t)->point_count;
  return bends * curve->controls->count;
}

// -- Values ----------------------------------------------------------------------------------------------------------

static glb_keys weight_bend(weight_curve *curve) {
  const glb_keys *keys = curve->controls;
  curve->times = JOB_ARRAY(curve->glb->job, float, weight_most_times(curve));
  weight_collect_times(curve);
  float *values = JOB_ARRAY(curve->glb->job, float, (uint64_t)curve->time_count * curve->shape_count), *value = values;
  for (uint32_t i = 0, key = 0; i < curve->time_count; i++) {
    while (key + 1 < keys->count && keys->times[key + 1] <= curve->times[i]) key++;
    for (uint32_t t = 0; t < curve->shape_count; t++) {
      const double weight = weight_between(keys, key, weight_control(curve, t), (double)curve->times[i]);
      *value++ = (float)glb_shape_weight(curve->glb->pack, &curve->shapes[t], weight);
    }
  }
  const mpak_interpolation interpolation = keys->interpolation == MPAK_STEP ? MPAK_STEP : MPAK_LINEAR;
  return (glb_keys){curve->time_count, curve->shape_count, interpolation, curve->times, values};
}

/// Shapes that follow their controls exactly: the same keys in the shapes' order.
static glb_keys weight_reorder(const weight_curve *curve) {
  glb_keys keys = *curve->controls;
  const uint64_t rows = (uint64_t)keys.count * (keys.interpolation == MPAK_CUBICSPLINE ? 3 : 1);
  float *values = JOB_ARRAY(curve->glb->job, float, rows * curve->shape_count), *value = values;
  for (uint64_t row = 0; row < rows; row++)
    for (uint32_t t = 0; t < curve->shape_count; t++)
      *value++ = curve->controls->values[row * keys.width + weight_control(curve, t)];
  keys.width = curve->shape_count;
  keys.values = values;
  return keys;
}

glb_keys glb_shape_keys(glb_file *glb, uint32_t mesh, const glb_keys *controls) {
  weight_curve curve = {.glb = glb, .controls = controls, .shapes = glb_target_shapes(glb, mesh), .mesh = mesh};
  curve.shape_count = glb_target_count(glb, mesh);
  bool has_rule = false;
  for (uint32_t t = 0; t < curve.shape_count; t++) has_rule = has_rule || weight_rule(&curve, t) != NULL;
  return has_rule ? weight_bend(&curve) : weight_reorder(&curve);
}
