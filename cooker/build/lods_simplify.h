/// lods_simplify.h: the fewest triangles of a surface that stay within a bound.
#ifndef COOK_LODS_SIMPLIFY_H
#define COOK_LODS_SIMPLIFY_H

#include "cooker/build/lods_surface.h"

/// Triangles of a lower level: corners are vertices of the surface.
typedef struct lods_triangles {
  uint32_t *indices;
  uint32_t *first_index; ///< by part, and one more
  float error_m;         ///< measured
} lods_triangles;

/// Moves places into a neighbour, the cheapest first, while the measured error (lods_surface.h) stays within bound_m.
/// Places on open borders and where parts meet stay, so nothing can come apart there. Along a seam of texture
/// coordinates both sides move together, or neither. Where nothing fewer is within the bound, all triangles stay.
///
/// start  triangles to begin with, a level above; NULL, or off by more than bound_m: all
void lods_simplify(cook_job *job, const lods_surface *surface, const lods_triangles *start, double bound_m,
                   lods_triangles *result);

#endif
