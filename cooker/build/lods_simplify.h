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

/// Searches target errors of the simplifier for the fewest triangles whose measured error (lods_surface.h) is within
/// bound_m. Open borders and vertices where parts meet are kept, so nothing can come apart there. Where nothing fewer
/// is within the bound, all triangles stay.
///
/// start           triangles to begin with, a level above; NULL, or off by more than bound_m: all
/// scene_per_mesh  metres in the scene for a unit of mesh space
void lods_simplify(cook_job *job, const lods_surface *surface, const lods_triangles *start, double bound_m,
                   double scene_per_mesh, lods_triangles *result);

#endif
