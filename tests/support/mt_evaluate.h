/// mt_evaluate.h: test support: what an imported scene looks like at a time, in doubles; and Blender's word for it.
///
/// A second, plain evaluator of cook_scene: morph, then skin, then world. It shares no code with the cooker.
#ifndef MT_EVALUATE_H
#define MT_EVALUATE_H

#include "cooker/scene/scene.h"

#define MT_ALL_CLIPS 0xFFFFFFFEu ///< all clips at once, later ones win

/// Positions of every vertex of a primitive in world space. clip: an index, MT_ALL_CLIPS, or MPAK_NONE for the rest
/// pose. malloc'ed, the caller frees.
double (*mt_evaluate(const cook_scene *scene, uint32_t clip, double time_s, uint32_t node, uint32_t primitive))[3];

/// The node of this name, MPAK_NONE when there is none.
uint32_t mt_find_node(const cook_scene *scene, const char *name);

/// The largest distance from a point of either set to the nearest point of the other, divided by the largest side of
/// the reference's bounding box.
double mt_set_distance(const double (*points)[3], uint64_t point_count, const double (*reference)[3],
                       uint64_t reference_count);

/// Compares a scene with CASE.oracle.json (Blender's evaluated positions): for every frame and object the relative
/// distance of the two sets. frame_offset: the frame of time 0 (1 for FBX, 0 for glTF). Returns the largest distance,
/// 1e9 when an object is missing; *compared is how many sets were compared.
double mt_compare_oracle(const cook_scene *scene, const char *oracle_path, double frame_offset, uint32_t *compared);

#endif
