/// assimp.h: the importer for everything that is not glTF.
#ifndef COOK_ASSIMP_H
#define COOK_ASSIMP_H

#include <stdbool.h>

/// Does Assimp read files of this suffix ("fbx", without the dot)?
bool assimp_knows_suffix(const char *suffix);

#endif
