/// delta_grid.h: the numbers that deltas become (SPEC.md, section 10): which exponent a lane gets, and which number of
/// its grid a component is. build/quantise_deltas puts deltas on the grid, build/blocks reads the numbers back: both
/// ask here, and get the same answer for a delta and for the number of the grid that it became.
#ifndef COOK_DELTA_GRID_H
#define COOK_DELTA_GRID_H

#include "cooker/scene/scene.h"

/// Exponents of one lane: of position, normal and tangent deltas. A delta is number * step * 2^exponent.
typedef struct delta_exponents {
  int8_t of[3];
} delta_exponents;

/// Exponents of a vertex of a target. A stream that is not there, or zero at the vertex, has its lowest exponent.
///
/// is_fine  is the vertex one of those whose normal deltas start at grid->fine_exponent?
delta_exponents delta_grid_exponents(const cook_grid *grid, const cook_target *target, uint32_t vertex, bool is_fine);

/// The same for deltas that are numbers of the grid: those that are numbers of the usual normal step have that.
delta_exponents delta_grid_exponents_of_numbers(const cook_grid *grid, const cook_target *target, uint32_t vertex);

/// step * 2^exponent of a stream: 0 position, 1 normal, 2 tangent.
float delta_grid_scale(const cook_grid *grid, uint32_t stream, int8_t exponent);

/// The number nearest to value / scale; halves away from 0, so that mirrored shapes stay mirrored.
int32_t delta_grid_number(float value, float scale);

/// The deltas of a stream of a target, or NULL.
static inline float (*delta_grid_stream(const cook_target *target, uint32_t stream))[3] {
  return stream == 0 ? target->position_deltas : stream == 1 ? target->normal_deltas : target->tangent_deltas;
}

#endif
