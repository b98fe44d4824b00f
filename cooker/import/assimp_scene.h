/// assimp_scene.h: from Assimp's scene to the cooker's.
#ifndef COOK_ASSIMP_SCENE_H
#define COOK_ASSIMP_SCENE_H

#include "cooker/import/assimp_private.h"

/// Makes a scene of what Assimp read; dependencies and hash are the caller's to fill.
cook_scene *assimp_scene_make(cook_job *job, const struct aiScene *source, sniff_kind kind,
                              const cook_options *options);

#endif
