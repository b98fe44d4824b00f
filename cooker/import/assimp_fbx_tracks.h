/// assimp_fbx_tracks.h: tracks of FBX clips from the file's own curves, for nodes whose model is known.
#ifndef COOK_ASSIMP_FBX_TRACKS_H
#define COOK_ASSIMP_FBX_TRACKS_H

#include "cooker/import/assimp_maker.h"
#include "cooker/import/fbx_take.h"

/// The object of a node's model; FBX_NONE where it is not known.
uint32_t assimp_fbx_model(const assimp_maker *maker, uint32_t node);

/// assimp_fbx_inherit.c: rest poses of nodes whose model is known, by their InheritType.
void assimp_fbx_rest_poses(const assimp_maker *maker);

/// Rest transforms of the nodes, and how exact their tracks must be.
typedef struct assimp_rig assimp_rig;

/// Once for a scene, when its meshes are made; NULL for other formats.
const assimp_rig *assimp_rig_make(const assimp_maker *maker);

/// assimp_fbx_inherit.c: reports nodes below a scale that the clip makes uneven, which RrSs puts before their turns.
void assimp_fbx_check_scale_order(const assimp_maker *maker, const assimp_rig *rig, const fbx_take *take,
                                  const cook_clip *clip);

/// Does the clip move this node's transform, and is its model known?
bool assimp_rig_moves(const assimp_maker *maker, const assimp_rig *rig, const fbx_take *take, uint32_t node);

/// Appends the tracks of one node (there is room for three). coarse_count grows by those that keys cannot follow.
void assimp_rig_add_tracks(const assimp_maker *maker, const assimp_rig *rig, const assimp_fbx_clip *facts,
                           const fbx_take *take, cook_clip *clip, uint32_t node, uint32_t *coarse_count);

/// assimp_fbx_weight_tracks.c: appends the weight track of a node with a mesh, if the clip moves its weights. Returns
/// false, and appends nothing, when it is not known which channels the mesh's controls are.
bool assimp_rig_add_weights(const assimp_maker *maker, const assimp_rig *rig, const assimp_fbx_clip *facts,
                            const fbx_take *take, cook_clip *clip, uint32_t node, uint32_t *coarse_count);

/// assimp_fbx_clip.c: the curves of a clip; NULL when its stack is not found.
const fbx_take *assimp_fbx_find_take(const assimp_maker *maker, uint32_t clip);

#endif
