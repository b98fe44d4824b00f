/// assimp.h: the importer for everything that is not glTF.
///
/// A cooker built with `make ASSIMP=0` has no_assimp.c in place of it.
#ifndef COOK_ASSIMP_H
#define COOK_ASSIMP_H

#include <stdbool.h>

/// Does Assimp read files of this suffix ("fbx", without the dot)?
bool assimp_knows_suffix(const char *suffix);

/// Major, minor and patch. False in a build without Assimp.
bool assimp_version(unsigned version[3]);

#endif
