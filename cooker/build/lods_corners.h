/// lods_corners.h: vertices that differ in nothing but their normals, as at hard edges, are one to the simplifier; each
/// corner then takes the one whose normal fits its triangle.
#ifndef COOK_LODS_CORNERS_H
#define COOK_LODS_CORNERS_H

#include "cooker/build/build.h"

/// By vertex: the lowest one that agrees in all but normals, tangents and their deltas.
uint32_t *lods_corners_join(cook_job *job, const cook_primitive *primitive);

/// Exchanges the corners of triangles, which are such lowest vertices, for those whose normals are nearest to the
/// normal of the triangle.
void lods_corners_part(cook_job *job, const cook_primitive *primitive, const uint32_t *lowest, uint32_t *indices,
                       uint32_t index_count);

#endif
