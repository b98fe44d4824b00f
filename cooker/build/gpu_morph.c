// gpu_morph.c: which vertices the shapes of a primitive change, how far they can go, and the source document's sparse
// form (F36-F46): for each vertex in order, for each target in order, append what is not zero.
#include <float.h>
#include <math.h>

#include "cooker/build/build.h"
#include "format/bytes.h"

// -- Rounding outwards -----------------------------------------------------------------------------------------------

/// The next float above; f is finite.
static float morph_step_up(float f) {
  uint32_t bits = bytes_bits_of_float(f);
  if (bits << 1 == 0) return bytes_float_of_bits(1);
  return bytes_float_of_bits(bits >> 31 ? bits - 1 : bits + 1);
}

/// The smallest float at or above value; a box of floats ends at FLT_MAX.
static float morph_round_up(double value) {
  if (value >= (double)FLT_MAX) return FLT_MAX;
  if (value <= -(double)FLT_MAX) return -FLT_MAX;
  float rounded = (float)value;
  if ((double)rounded < value) rounded = morph_step_up(rounded);
  return rounded + 0.0f; // no -0 in a box
}

static float morph_round_down(double value) { return 0.0f - morph_round_up(-value); }

// -- Base ------------------------------------------------------------------------------------------------------------

static void morph_make_base(cook_job *job, const cook_primitive *primitive, cook_gpu_morph *morph) {
  morph->base_vertices = JOB_ARRAY(job, mpak_base_vertex, primitive->vertex_count);
  for (uint32_t v = 0; v < primitive->vertex_count; ++v) {
    mpak_base_vertex *base = &morph->base_vertices[v];
    memcpy(base->position, primitive->positions[v], 3 * sizeof(float));
    base->position[3] = 1.0f;
    if (primitive->normals) memcpy(base->normal, primitive->normals[v], 3 * sizeof(float));
    if (primitive->tangents) memcpy(base->tangent, primitive->tangents[v], 4 * sizeof(float));
  }
}

// -- Who changes -----------------------------------------------------------------------------------------------------

/// The bits of a vector without their signs: 0 exactly if all three components are 0 or -0.
static inline uint32_t morph_magnitude_bits(const float (*deltas)[3], uint32_t vertex) {
  uint32_t bits[3];
  memcpy(bits, deltas[vertex], sizeof bits);
  return (bits[0] | bits[1] | bits[2]) << 1;
}

/// Adds the vertices that one stream changes to a shape's bits. Returns whether there is any.
static bool morph_mark_changed(const float (*deltas)[3], uint32_t vertex_count, uint64_t *changed) {
  if (deltas == NULL) return false;
  uint64_t any = 0;
  for (uint32_t first = 0; first < vertex_count; first += 64) {
    uint32_t count = vertex_count - first < 64 ? vertex_count - first : 64;
    uint64_t word = 0;
    for (uint32_t i = 0; i < count; ++i) word |= (uint64_t)(morph_magnitude_bits(deltas, first + i) != 0) << i;
    changed[first / 64] |= word;
    any |= word;
  }
  return any != 0;
}

static void morph_fail_too_many(cook_job *job, uint64_t count, uint64_t limit) {
  cook_where where = COOK_WHERE;
  where.value = job_format(job, "%llu", (unsigned long long)count);
  where.limit = job_format(job, "%llu", (unsigned long long)limit);
  job_fail(job, MPAK_C050, where);
}

static void morph_find_changed(cook_job *job, const cook_primitive *primitive, cook_gpu_morph *morph) {
  morph->changed_words = primitive->vertex_count / 64 + (primitive->vertex_count % 64 != 0);
  morph->changed = JOB_ARRAY(job, uint64_t, (uint64_t)morph->changed_words * primitive->target_count);
  morph->shape_delta_counts = JOB_ARRAY(job, uint32_t, primitive->target_count);
  uint64_t sum = 0;
  for (uint32_t s = 0; s < primitive->target_count; ++s) {
    const cook_target *target = &primitive->targets[s];
    uint64_t *changed = morph->changed + (size_t)s * morph->changed_words;
    morph_mark_changed((const float(*)[3])target->position_deltas, primitive->vertex_count, changed);
    morph->changes_normals |=
        morph_mark_changed((const float(*)[3])target->normal_deltas, primitive->vertex_count, changed);
    morph->changes_tangents |=
        morph_mark_changed((const float(*)[3])target->tangent_deltas, primitive->vertex_count, changed);
    for (uint32_t w = 0; w < morph->changed_words; ++w) {
      morph->shape_delta_counts[s] += (uint32_t)__builtin_popcountll(changed[w]);
    }
    sum += morph->shape_delta_counts[s];
  }
  if (sum > UINT32_MAX) morph_fail_too_many(job, sum, UINT32_MAX);
  morph->delta_count = (uint32_t)sum;
}

// -- Bounds ----------------------------------------------------------------------------------------------------------

/// How far weights within the ranges can push a vertex, per axis.
typedef struct morph_reach {
  double min[3], max[3];
} morph_reach;

static void morph_add_reach(morph_reach *reach, const float delta[3], double low, double high) {
  for (int axis = 0; axis < 3; ++axis) {
    double a = low * (double)delta[axis], b = high * (double)delta[axis];
    reach->min[axis] += a < b ? a : b;
    reach->max[axis] += a < b ? b : a;
  }
}

static void morph_grow_box(cook_box *box, const float low[3], const float high[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    if (low[axis] < box->min[axis]) box->min[axis] = low[axis];
    if (high[axis] > box->max[axis]) box->max[axis] = high[axis];
  }
}

/// One shape's pass: its own box, and what it adds to every vertex's reach.
static void morph_add_shape(const cook_target *target, const uint64_t *changed, uint32_t changed_words, double low,
                            double high, cook_box *box, morph_reach *reach) {
  if (target->position_deltas == NULL) return;
  for (uint32_t w = 0; w < changed_words; ++w) {
    for (uint64_t bits = changed[w]; bits != 0; bits &= bits - 1) {
      uint32_t vertex = w * 64 + (uint32_t)__builtin_ctzll(bits);
      const float *delta = target->position_deltas[vertex];
      morph_grow_box(box, delta, delta);
      morph_add_reach(&reach[vertex], delta, low, high);
    }
  }
}

static double morph_reach_length(const morph_reach *reach) {
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    double worst = fabs(reach->min[axis]) > fabs(reach->max[axis]) ? reach->min[axis] : reach->max[axis];
    sum += worst * worst;
  }
  return sqrt(sum);
}

static void morph_place_vertex(const float position[3], const morph_reach *reach, cook_box *box) {
  for (int axis = 0; axis < 3; ++axis) {
    box->min[axis] = morph_round_down((double)position[axis] + reach->min[axis]);
    box->max[axis] = morph_round_up((double)position[axis] + reach->max[axis]);
  }
}

static const cook_box morph_empty_box = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};

static void morph_make_vertex_boxes(const cook_primitive *primitive, const morph_reach *reach, cook_gpu_morph *morph) {
  double longest = 0;
  morph->bounds = morph->conservative_bounds = primitive->vertex_count ? morph_empty_box : (cook_box){{0}, {0}};
  for (uint32_t v = 0; v < primitive->vertex_count; ++v) {
    const float *position = primitive->positions[v];
    morph_grow_box(&morph->bounds, position, position);
    morph_place_vertex(position, &reach[v], &morph->vertex_boxes[v]);
    morph_grow_box(&morph->conservative_bounds, morph->vertex_boxes[v].min, morph->vertex_boxes[v].max);
    double length = morph_reach_length(&reach[v]);
    if (length > longest) longest = length;
  }
  for (int axis = 0; axis < 3; ++axis) {
    morph->bounds.min[axis] += 0.0f; // no -0 in a box
    morph->bounds.max[axis] += 0.0f;
  }
  morph->maximum_position_delta = morph_round_up(longest);
}

static void morph_find_bounds(cook_job *job, const cook_primitive *primitive, const float *range_min,
                              const float *range_max, cook_gpu_morph *morph) {
  morph->vertex_boxes = JOB_ARRAY(job, cook_box, primitive->vertex_count);
  morph->shape_boxes = JOB_ARRAY(job, cook_box, primitive->target_count);
  cook_mark mark = job_mark(job);
  morph_reach *reach = JOB_ARRAY(job, morph_reach, primitive->vertex_count);
  for (uint32_t s = 0; s < primitive->target_count; ++s) {
    const uint64_t *changed = morph->changed + (size_t)s * morph->changed_words;
    morph_add_shape(&primitive->targets[s], changed, morph->changed_words, (double)range_min[s], (double)range_max[s],
                    &morph->shape_boxes[s], reach);
  }
  morph_make_vertex_boxes(primitive, reach, morph);
  job_release(job, mark);
}

void build_morph_facts(cook_job *job, const cook_primitive *primitive, const float *range_min, const float *range_max,
                       cook_gpu_morph *morph) {
  *morph = (cook_gpu_morph){.vertex_count = primitive->vertex_count, .shape_count = primitive->target_count};
  morph_make_base(job, primitive, morph);
  morph_find_changed(job, primitive, morph);
  morph_find_bounds(job, primitive, range_min, range_max, morph);
}

// -- csr64 -----------------------------------------------------------------------------------------------------------

static void morph_make_offsets(cook_job *job, cook_gpu_morph *morph) {
  morph->vertex_offsets = JOB_ARRAY(job, uint32_t, (uint64_t)morph->vertex_count + 1);
  uint32_t *counts = morph->vertex_offsets + 1; // then summed in place
  for (uint32_t s = 0; s < morph->shape_count; ++s) {
    const uint64_t *changed = morph->changed + (size_t)s * morph->changed_words;
    for (uint32_t w = 0; w < morph->changed_words; ++w) {
      for (uint64_t bits = changed[w]; bits != 0; bits &= bits - 1) counts[w * 64 + (uint32_t)__builtin_ctzll(bits)]++;
    }
  }
  for (uint32_t v = 0; v < morph->vertex_count; ++v) morph->vertex_offsets[v + 1] += morph->vertex_offsets[v];
}

/// Copies a delta; adding zero makes +0 of -0.
static void morph_copy_delta(const float (*deltas)[3], uint32_t vertex, float to[4]) {
  if (deltas == NULL) return;
  for (int axis = 0; axis < 3; ++axis) to[axis] = deltas[vertex][axis] + 0.0f;
}

static void morph_append_delta(const cook_target *target, uint32_t shape, uint32_t vertex, mpak_csr_delta *delta) {
  morph_copy_delta((const float(*)[3])target->position_deltas, vertex, delta->position);
  morph_copy_delta((const float(*)[3])target->normal_deltas, vertex, delta->normal);
  morph_copy_delta((const float(*)[3])target->tangent_deltas, vertex, delta->tangent);
  delta->metadata[0] = shape;
}

/// The deltas of up to 64 vertices: target by target, each to its vertex's cursor, so that both sides stay in cache.
static void morph_fill_word(const cook_primitive *primitive, const cook_gpu_morph *morph, uint32_t word) {
  uint32_t first = word * 64, count = morph->vertex_count - first < 64 ? morph->vertex_count - first : 64;
  uint32_t cursors[64];
  memcpy(cursors, morph->vertex_offsets + first, count * sizeof cursors[0]);
  for (uint32_t s = 0; s < morph->shape_count; ++s) {
    for (uint64_t bits = morph->changed[(size_t)s * morph->changed_words + word]; bits != 0; bits &= bits - 1) {
      uint32_t lane = (uint32_t)__builtin_ctzll(bits);
      morph_append_delta(&primitive->targets[s], s, first + lane, &morph->deltas[cursors[lane]++]);
    }
  }
}

void build_gpu_morph(cook_job *job, const cook_primitive *primitive, const float *range_min, const float *range_max,
                     cook_gpu_morph *morph) {
  build_morph_facts(job, primitive, range_min, range_max, morph);
  morph_make_offsets(job, morph);
  morph->deltas = JOB_ARRAY(job, mpak_csr_delta, morph->delta_count);
  for (uint32_t w = 0; w < morph->changed_words; ++w) morph_fill_word(primitive, morph, w);
}
