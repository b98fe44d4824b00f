/// quantise_deltas.h: deltas of targets become numbers of a grid (part of the stage build_quantise).
#ifndef COOK_QUANTISE_DELTAS_H
#define COOK_QUANTISE_DELTAS_H

#include "cooker/build/build.h"
#include "cooker/quality.h"

/// Snaps the deltas of a mesh by a precision (P36: nothing happens): one step for all its primitives and LODs, lower
/// for targets that would be only a few steps high (position_floor), powers of two above it for single lanes that are
/// too far out. Drops tangent deltas where the quality does. Fills grid.payload, .step, .normal_step and
/// .reorthogonalises, position_floor of targets, and the errors of the three delta streams.
///
/// Error of a position component: at most half a step, or 2^-16 (P8: 2^-12) of the lane's largest component where that
/// is more. Steps are at least 2^-80 m.
void quantise_deltas(cook_job *job, cook_mesh *mesh, const cook_precision *precision);

#endif
