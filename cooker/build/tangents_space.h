/// tangents_space.h: tangents from positions, normals and texture coordinates, after Morten Mikkelsen's method
/// ("Simulation of Wrinkled Surfaces Revisited", 2008, section 3.3), which exporters and bakers share.
///
/// Differences that only show where the method has no answer of its own: corners that no triangle gives a direction get
/// a unit vector at a right angle to the normal instead of a constant; sums are made in double precision.
#ifndef COOK_TANGENTS_SPACE_H
#define COOK_TANGENTS_SPACE_H

#include "cooker/build/build.h"

/// Tangents of all corners of a primitive with positions, normals and TEXCOORD_0.
///
/// has_rough_normals  normals within 1e-4 rad are one (FBX); else by bits
/// corner_tangents    index_count elements, written: unit xyz at a right angle to the normal, and w = +1 or -1 so that
///                    bitangent = w * cross(normal, tangent) points against growing V, as glTF's normal maps want it
void tangents_of_corners(cook_job *job, const cook_primitive *primitive, bool has_rough_normals,
                         float (*corner_tangents)[4]);

#endif
