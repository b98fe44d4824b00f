/// quantise_base.h: base vertices, texture coordinates, weights and colours on grids. One part of build_quantise.
#ifndef COOK_QUANTISE_BASE_H
#define COOK_QUANTISE_BASE_H

#include "cooker/build/build.h"
#include "cooker/quality.h"

/// Puts positions, normals, tangents, texture coordinates and weights of all primitives of a mesh on grids, and notes
/// grid and errors. Positions of all primitives share one grid, so that borders stay shut.
void quantise_base(cook_job *job, cook_mesh *mesh, const cook_precision *precision);

// -- Numbers of values that lie on a grid: what the packer stores -----------------------------------------------------

/// The number whose value is exactly this one (mpak_grid_value).
uint32_t quantise_grid_number(float value, float origin, float step);
/// The octahedral numbers whose value is exactly this normal.
void quantise_octahedral_numbers(const float normal[3], uint32_t bits, int16_t numbers[2]);
/// The number whose value is exactly this tangent, without the bit for w.
uint32_t quantise_tangent_number(const float normal[3], const float tangent[3], uint32_t bits);

#endif
