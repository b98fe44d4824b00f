/// influence_movement.h: how far vertices move because some of their influences were cut.
#ifndef COOK_INFLUENCE_MOVEMENT_H
#define COOK_INFLUENCE_MOVEMENT_H

#include "cooker/build/build.h"

/// One primitive that lost influences: as it was, and what was found.
typedef struct influence_cut {
  const cook_mesh *mesh;
  const cook_primitive *primitive; ///< as it is now
  uint32_t influence_count;        ///< before
  const uint16_t *joints;          ///< before: vertex_count * influence_count
  const float *weights;            ///< before
  uint32_t vertex_count;           ///< vertices that lost some
  uint32_t *vertices;              ///< their numbers, ascending
  double largest_weight;           ///< share of its weight that a vertex lost
  double largest_m;                ///< made by influence_movement: how far that moves a vertex, metres in the scene
} influence_cut;

/// Fills largest_m of each cut: the base's vertices are skinned before and after, at rest and at keys of the clips. A
/// bounded number of poses is looked at, spread over all clips; fewer where many vertices were cut.
void influence_movement(cook_job *job, const cook_scene *scene, influence_cut *cuts, uint32_t cut_count);

#endif
