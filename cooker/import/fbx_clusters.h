/// fbx_clusters.h: the clusters of FBX skins, as Assimp can read them.
///
/// A cluster says how far a bone moves which control points, and where both were bound. Assimp drops a cluster that
/// has no bone or lacks a matrix; of two clusters of one skin that have the same bone it gives the second the weights
/// of the first, and frees them twice. So clusters without a bone are taken out of their skin and reported, matrices
/// that are missing become zeros (no bind; assimp_bind.c finds one), and the second cluster of a bone gets a stand-in:
/// a node below the bone that never becomes one of the scene.
#ifndef COOK_FBX_CLUSTERS_H
#define COOK_FBX_CLUSTERS_H

#include "cooker/import/fbx_editor.h"
#include "cooker/import/fbx_facts.h"

/// Repairs all skins. Returns whether objects or connections changed, so that facts must be made anew.
bool fbx_repair_clusters(fbx_editor *editor, const fbx_facts *facts);

/// The cluster of a skin that has this model or stand-in; FBX_NONE when there is none.
uint32_t fbx_cluster_of_bone(const fbx_facts *facts, uint32_t skin, uint32_t bone);

#endif
