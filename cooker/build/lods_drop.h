/// lods_drop.h: what a level of detail does without: bones, and targets that hardly move anything.
#ifndef COOK_LODS_DROP_H
#define COOK_LODS_DROP_H

#include "cooker/build/build.h"

/// Nodes that a level drops: those whose names match a pattern (with * and ?) and all below them, those deeper than
/// max_depth (roots have depth 0; MPAK_NONE: no limit), and those that the level before drops. NULL when there are
/// none.
bool *lods_dropped_nodes(cook_job *job, const cook_scene *scene, const char *const *patterns, uint32_t pattern_count,
                         uint32_t max_depth, const bool *dropped_before);

/// Gives the weights of dropped joints to the nearest joint above them that stays, in primitives of the mesh; joints
/// and weights become arrays of their own. Joints with none above them stay, and become false in drops_node, as do all
/// when skins of the mesh do not agree. Reports how far that moves vertices (C043). Returns how many joints were
/// dropped.
///
/// drops_node  by node, or NULL: none
uint32_t lods_drop_bones(cook_job *job, const cook_scene *scene, const cook_mesh *mesh, cook_primitive *primitives,
                         uint32_t primitive_count, uint32_t level, bool *drops_node);

/// Empties the targets whose largest position delta in these primitives is below least_m, in mesh space; the array of
/// targets becomes one of its own. Returns how many.
uint32_t lods_drop_targets(cook_job *job, cook_primitive *primitives, uint32_t primitive_count, double least_m);

#endif
