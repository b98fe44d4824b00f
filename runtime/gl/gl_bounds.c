/// gl_bounds.c: boxes for culling, from the weights and the pose of this moment (F111).
///
/// A morphed vertex is inside the rest box grown by each shape's box times its weight, and inside the box of every bone
/// that moves it; a skinned vertex is a mean of where its bones put it.
#include "runtime/gl/gl_private.h"

/// Rounding of the sums, as a share of the box.
#define BOUNDS_ROUNDING 2e-6f

static float bounds_min(float a, float b) { return a < b ? a : b; }
static float bounds_max(float a, float b) { return a > b ? a : b; }

/// Mesh space: rest box and shapes at their weights, but never more than all weights allow.
static void bounds_morphed(const mpak_gl_crowd *crowd, const gl_output *output, uint32_t individual, float min[3],
                           float max[3]) {
  const mpak_pack *pack = crowd->model->pack;
  const mpak_part *part = &pack->parts[output->part];
  const float *weights = output->weight_values + (size_t)individual * part->shape_count;
  for (int i = 0; i < 3; ++i) {
    min[i] = part->bounds_min[i];
    max[i] = part->bounds_max[i];
  }
  for (uint32_t s = 0; s < part->shape_count; ++s) {
    const mpak_shape *shape = &pack->shapes[part->first_shape + s];
    for (int i = 0; weights[s] != 0 && i < 3; ++i) {
      const float a = weights[s] * shape->delta_min[i], b = weights[s] * shape->delta_max[i];
      min[i] += bounds_min(a, b);
      max[i] += bounds_max(a, b);
    }
  }
  for (int i = 0; i < 3; ++i) {
    min[i] = bounds_max(min[i], part->conservative_min[i]);
    max[i] = bounds_min(max[i], part->conservative_max[i]);
  }
}

/// A bone's box, as far as the morphed box holds it.
static void bounds_add_bone(const mpak_bone *bone, const mpak_matrix *matrix, const float morphed_min[3],
                            const float morphed_max[3], float min[3], float max[3]) {
  float low[3], high[3];
  if (bone->box_min[0] > bone->box_max[0]) return; // moves no vertex
  for (int i = 0; i < 3; ++i) {
    low[i] = bounds_max(bone->box_min[i], morphed_min[i]);
    high[i] = bounds_min(bone->box_max[i], morphed_max[i]);
    if (low[i] > high[i]) low[i] = high[i] = 0.5f * (low[i] + high[i]); // only by rounding
  }
  mpak_matrix_add_box(matrix, low, high, min, max);
}

void gl_output_bounds(const mpak_gl_crowd *crowd, const gl_output *output, uint32_t individual, float min[3],
                      float max[3]) {
  const mpak_pack *pack = crowd->model->pack;
  const mpak_part *part = &pack->parts[output->part];
  float morphed_min[3], morphed_max[3];
  bounds_morphed(crowd, output, individual, morphed_min, morphed_max);
  for (int i = 0; i < 3; ++i) {
    min[i] = 3.402823466e38f;
    max[i] = -3.402823466e38f;
  }
  if (!output->is_skinned) {
    mpak_matrix_add_box(&output->seen[individual].component_from_vertices, morphed_min, morphed_max, min, max);
  } else {
    const mpak_matrix *palette =
        crowd->palette_values + (size_t)individual * crowd->palette_stride_bones + output->palette_first;
    for (uint32_t s = 0; s < part->section_count; ++s) {
      const mpak_section *section = &pack->sections[part->first_section + s];
      for (uint32_t b = 0; b < section->bone_count; ++b, ++palette) {
        bounds_add_bone(&pack->bones[section->first_bone + b], palette, morphed_min, morphed_max, min, max);
      }
    }
  }
  for (int i = 0; i < 3; ++i) {
    const float room = BOUNDS_ROUNDING * (max[i] - min[i]);
    min[i] -= room;
    max[i] += room;
  }
}
