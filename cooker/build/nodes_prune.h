/// nodes_prune.h: drops what nothing draws, and renumbers what is left.
#ifndef COOK_NODES_PRUNE_H
#define COOK_NODES_PRUNE_H

#include "cooker/build/build.h"

/// Drops primitives without triangles, meshes without primitives or without a node that draws them, skins and materials
/// that nothing uses, and the weight tracks of nodes that draw nothing any more. source_index members stay.
/// Order is kept. Nothing left to draw: a clip pack (C017), or without clips
/// that move something C001, which fails the job.
void nodes_prune(cook_job *job, cook_scene *scene);

/// Writes to new_of_old the numbers that kept elements get, MPAK_NONE for the others. Returns how many are kept.
uint32_t nodes_number_kept(const bool *is_kept, uint32_t count, uint32_t *new_of_old);

#endif
