// delta_grid.c: see delta_grid.h. Why a number of the grid gets the exponent that it was made with: a lane is raised
// from e to e + 1 when it needs more than the largest number M, so at e + 1 it has at least (M + 1) / 2 of them, and
// twice that is more than M again.
#include "cooker/build/delta_grid.h"

#include <math.h>

#include "format/morph_payload.h"

float delta_grid_scale(const cook_grid *grid, uint32_t stream, int8_t exponent) {
  return mpak_payload_scale(stream == 0 ? grid->step : grid->normal_step, exponent);
}

/// The number of a magnitude, as a double: it may be far beyond 32 bits.
static double grid_round(double magnitude, float scale) { return floor(magnitude / (double)scale + 0.5); }

int32_t delta_grid_number(float value, float scale) {
  int32_t number = (int32_t)grid_round(fabs((double)value), scale);
  return value < 0 ? -number : number;
}

static double grid_largest_component(const float delta[3]) {
  double largest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (fabs((double)delta[axis]) > largest) largest = fabs((double)delta[axis]);
  }
  return largest;
}

delta_exponents delta_grid_exponents(const cook_grid *grid, const cook_target *target, uint32_t vertex, bool is_fine) {
  delta_exponents exponents = {{target->position_floor, is_fine ? grid->fine_exponent : 0, 0}};
  for (uint32_t stream = 0; stream < 3; ++stream) {
    float(*deltas)[3] = delta_grid_stream(target, stream);
    if (deltas == NULL) continue;
    const double most = (double)mpak_payload_largest(grid->payload, 3 * stream);
    const double largest = grid_largest_component(deltas[vertex]);
    int8_t *exponent = &exponents.of[stream];
    while (*exponent < INT8_MAX && grid_round(largest, delta_grid_scale(grid, stream, *exponent)) > most) ++*exponent;
  }
  return exponents;
}

delta_exponents delta_grid_exponents_of_numbers(const cook_grid *grid, const cook_target *target, uint32_t vertex) {
  bool is_fine = false;
  for (int axis = 0; axis < 3 && grid->fine_exponent != 0 && target->normal_deltas != NULL; ++axis) {
    const float value = target->normal_deltas[vertex][axis], scale = delta_grid_scale(grid, 1, 0);
    is_fine |= (float)delta_grid_number(value, scale) * scale != value;
  }
  const delta_exponents usual = delta_grid_exponents(grid, target, vertex, false);
  return is_fine && usual.of[1] == 0 ? delta_grid_exponents(grid, target, vertex, true) : usual;
}
