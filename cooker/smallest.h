/// smallest.h: `--compress size` tries two orders of vertices for each part and keeps the smaller one.
#ifndef COOK_SMALLEST_H
#define COOK_SMALLEST_H

#include "cooker/cook.h"

/// Packs a scene that is in strip order, and each part with its vertices in source order too. product: the smallest
/// pack, and the scene that is in it. Triangles keep their order: only the numbers of vertices change.
void cook_pack_smallest(cook_job *job, cook_scene *scene, const cook_options *options, cook_product *product);

#endif
