/// lods.h: levels of detail that are made: of meshes to which the author gave none, by --lods and the profile. Also
/// what the profile drops from any level.
#ifndef COOK_LODS_H
#define COOK_LODS_H

#include "cooker/cook.h"

/// Adds the levels to a scene that is ready to be quantised. Each has its own vertices, influences and targets; what
/// they are off, measured in many poses, goes into cook_lod.error_m.
void cook_make_lods(cook_job *job, cook_scene *scene, const cook_options *options);

#endif
