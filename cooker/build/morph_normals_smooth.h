/// morph_normals_smooth.h: normals of a moved surface, with the hard edges of the surface at rest.
///
/// Vertices that agree in position and normal at rest are one smooth point: hard edges are where normals differ, so
/// they stay. For each point, n0 is the angle-weighted normal of the triangles around it at rest and n1 the same after
/// a target has moved them. The rotation R takes n0 to n1 by the shortest way and then turns about n1 as the edges
/// around the point have turned (the best fit in the plane). The normal delta of a vertex with normal n is R n - n. So
///  - a point none of whose triangles moved gets exactly zero;
///  - a region that turns as a rigid body gets its normals turned likewise, authored ones too;
///  - where n is the recomputed normal the result is n1, the recomputed normal of the moved surface;
///  - where all triangles around a point collapse its normal stays.
#ifndef COOK_MORPH_NORMALS_SMOOTH_H
#define COOK_MORPH_NORMALS_SMOOTH_H

#include "cooker/build/build.h"

typedef struct smooth_surface smooth_surface;

/// Prepares a primitive that has normals, in the job's memory. has_rough_normals: normals within 1e-4 rad agree (FBX).
smooth_surface *smooth_make(cook_job *job, const cook_primitive *primitive, bool has_rough_normals);

/// Computes the normal deltas of a target that moves positions.
///
/// normal_deltas  vertex_count zeroed elements; written where a triangle around the vertex moves. Vertices of one point
///                get the same bits
void smooth_target(smooth_surface *surface, const cook_target *target, float (*normal_deltas)[3]);

#endif
