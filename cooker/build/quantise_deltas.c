// quantise_deltas.c: see quantise_deltas.h. Each lane decides alone, from its own numbers and those of the whole mesh:
// so equal vertices of two primitives become equal numbers, and seams stay shut.
#include "cooker/build/quantise_deltas.h"

#include <math.h>

#include "cooker/build/delta_grid.h"
#include "format/morph_blocks.h"

#define DELTAS_LOWEST_FLOOR (-40)
#define DELTAS_LEAST_STEP   0x1p-80 ///< metres; scales then stay far inside 2^-100 … 2^100

// -- The grid of a mesh ----------------------------------------------------------------------------------------------

/// The largest component of a target's position deltas, over all primitives.
static double deltas_target_height(const cook_mesh *mesh, uint32_t target) {
  double height = 0;
  for (uint32_t p = 0; p < mesh->primitive_count; ++p) {
    const cook_primitive *primitive = &mesh->primitives[p];
    if (target >= primitive->target_count || primitive->targets[target].position_deltas == NULL) continue;
    const float *deltas = primitive->targets[target].position_deltas[0];
    for (uint64_t i = 0; i < 3 * (uint64_t)primitive->vertex_count; ++i) {
      if (fabs((double)deltas[i]) > height) height = fabs((double)deltas[i]);
    }
  }
  return height;
}

static float deltas_mesh_step(const cook_precision *precision, double size, double height) {
  double step = size > 0 ? size : height > 0 ? height : 1; // a mesh of one point is as large as its deltas
  for (uint32_t bit = 0; bit < precision->delta_bits; ++bit) step /= 2;
  return step > DELTAS_LEAST_STEP ? (float)step : (float)DELTAS_LEAST_STEP;
}

/// Lowers the exponent of a target that is only a few steps high, so that none is lost beside a large mesh.
static int8_t deltas_floor(const cook_grid *grid, double height) {
  const double enough = grid->payload == MPAK_PAYLOAD_P8 ? 32 : 128;
  int8_t floor = 0;
  if (!(height > 0)) return 0;
  while (floor > DELTAS_LOWEST_FLOOR && height / (double)delta_grid_scale(grid, 0, floor) < enough &&
         mpak_blocks_scale_fits(delta_grid_scale(grid, 0, (int8_t)(floor - 1)))) {
    --floor;
  }
  return floor;
}

// -- Snapping --------------------------------------------------------------------------------------------------------

static bool deltas_are_fine(const cook_primitive *primitive, uint32_t vertex) {
  if (primitive->grid.fine_exponent == 0 || primitive->has_missed_normal == NULL) return false;
  return primitive->has_missed_normal[primitive->source_of_vertex ? primitive->source_of_vertex[vertex] : vertex];
}

static void deltas_snap_lane(const cook_grid *grid, cook_target *target, uint32_t vertex, bool is_fine,
                             cook_error *errors) {
  const delta_exponents exponents = delta_grid_exponents(grid, target, vertex, is_fine);
  for (uint32_t stream = 0; stream < 3; ++stream) {
    float(*deltas)[3] = delta_grid_stream(target, stream);
    if (deltas == NULL) continue;
    const float scale = delta_grid_scale(grid, stream, exponents.of[stream]);
    for (int axis = 0; axis < 3; ++axis) {
      const float given = deltas[vertex][axis];
      deltas[vertex][axis] = (float)delta_grid_number(given, scale) * scale;
      if (given != 0) cook_error_add(&errors[stream], (double)deltas[vertex][axis] - (double)given);
    }
  }
}

/// Lanes of zeros stay as they are, whatever their sign.
static bool deltas_lane_is_zero(const cook_target *target, uint32_t vertex) {
  for (uint32_t stream = 0; stream < 3; ++stream) {
    float(*deltas)[3] = delta_grid_stream(target, stream);
    if (deltas && (deltas[vertex][0] != 0 || deltas[vertex][1] != 0 || deltas[vertex][2] != 0)) return false;
  }
  return true;
}

/// Is a tangent delta of the target not zero?
static bool deltas_change_tangents(const cook_target *target, uint32_t vertex_count) {
  if (target->tangent_deltas == NULL) return false;
  for (uint32_t v = 0; v < vertex_count; ++v) {
    const float *delta = target->tangent_deltas[v];
    if (delta[0] != 0 || delta[1] != 0 || delta[2] != 0) return true;
  }
  return false;
}

static void deltas_drop_tangents(cook_primitive *primitive) {
  for (uint32_t t = 0; t < primitive->target_count; ++t) {
    cook_target *target = &primitive->targets[t];
    if (primitive->tangents && deltas_change_tangents(target, primitive->vertex_count))
      primitive->grid.reorthogonalises = true;
    target->tangent_deltas = NULL;
  }
}

static void deltas_snap_primitive(cook_primitive *primitive) {
  for (uint32_t t = 0; t < primitive->target_count; ++t) {
    for (uint32_t v = 0; v < primitive->vertex_count; ++v) {
      if (deltas_lane_is_zero(&primitive->targets[t], v)) continue;
      deltas_snap_lane(&primitive->grid, &primitive->targets[t], v, deltas_are_fine(primitive, v),
                       primitive->errors + MPAK_STREAM_DELTA_POSITION);
    }
  }
}

// -- Meshes ----------------------------------------------------------------------------------------------------------

static void deltas_snap_mesh(cook_mesh *mesh, const cook_precision *precision, float step, const double *heights) {
  for (uint32_t p = 0; p < mesh->primitive_count; ++p) {
    cook_primitive *primitive = &mesh->primitives[p];
    primitive->grid.payload = precision->payload;
    primitive->grid.step = step;
    primitive->grid.normal_step = precision->normal_delta_step;
    primitive->grid.fine_exponent = precision->fine_exponent;
    for (uint32_t t = 0; t < primitive->target_count; ++t) {
      primitive->targets[t].position_floor = deltas_floor(&primitive->grid, heights[t]);
    }
    if (!precision->keeps_tangent_deltas) deltas_drop_tangents(primitive);
    deltas_snap_primitive(primitive);
  }
}

void quantise_deltas(cook_job *job, cook_mesh *mesh, const cook_precision *precision) {
  if (precision->payload == MPAK_PAYLOAD_P36) return;
  cook_mark mark = job_mark(job);
  double highest = 0, *heights = JOB_ARRAY(job, double, mesh->target_count);
  for (uint32_t t = 0; t < mesh->target_count; ++t) {
    heights[t] = deltas_target_height(mesh, t);
    if (heights[t] > highest) highest = heights[t];
  }
  deltas_snap_mesh(mesh, precision, deltas_mesh_step(precision, build_mesh_size(mesh), highest), heights);
  job_release(job, mark);
}
