/// lods_merge.h: meshes of several nodes become the levels of detail of one.
#ifndef COOK_LODS_MERGE_H
#define COOK_LODS_MERGE_H

#include "cooker/build/build.h"

#define LODS_MOST ((uint32_t)COOK_LODS_MOST)

/// Nodes that each draw one level of the same thing.
typedef struct lods_group {
  uint32_t level_count;
  uint32_t nodes[LODS_MOST];
  float sizes[LODS_MOST]; ///< as cook_lod.screen_size
} lods_group;

/// The mesh of nodes[0] gets the meshes of the others as lower levels, and the others draw nothing any more. Controls
/// go together by name, joints by node and inverse bind; weight tracks of the others move to nodes[0] where a clip has
/// none for it. Levels that do not fit stay what they are, with C041, and so do those behind them.
void lods_merge(cook_job *job, cook_scene *scene, const lods_group *group);

#endif
