/// fbx_check.h: what is wrong in the records of an FBX file and what Assimp would die of, or lose without a word.
#ifndef COOK_FBX_CHECK_H
#define COOK_FBX_CHECK_H

#include "cooker/import/fbx_facts.h"

/// Reports points of clusters and shapes that their mesh does not have, lists of different length, second skins,
/// dual quaternions and rotation orders that have no formula.
void fbx_check(const fbx_facts *facts);

#endif
