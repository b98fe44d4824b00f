/// fbx_prepass.h: what is repaired in a record tree before Assimp sees it, written again (fbx_emit.h).
///
/// Assimp drops shapes that have no normals and shapes that stand inside their mesh; it numbers the channels of two
/// deformers of a mesh alike; and it joins bones, channels and shapes by nothing but names, which repeat. So the tree
/// is changed: shapes get normals of zeros (Assimp then gives the base's, and the importer sees no normals of theirs),
/// they are lifted out of meshes, each mesh has one deformer with all channels, skins are made readable
/// (fbx_clusters.h), and objects are named after their ids.
#ifndef COOK_FBX_PREPASS_H
#define COOK_FBX_PREPASS_H

#include "cooker/import/fbx_facts.h"

/// Repairs the tree in place and returns its facts. They hold the real names, which are gone from the tree: there each
/// Model, Geometry, Deformer and Material is called by its id, in decimal.
fbx_facts *fbx_prepass(fbx_records *records);

/// The object of a text that begins with an id, as names made by Assimp from ours do: "100", "100*0",
/// "100_$AssimpFbx$_Rotation". FBX_NONE when it does not or no object has that id.
uint32_t fbx_object_of_name(const fbx_facts *facts, const char *name);

#endif
