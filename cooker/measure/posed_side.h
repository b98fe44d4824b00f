/// posed_side.h: a pack that is moved by the runtime itself, as a game would.
#ifndef COOK_MEASURE_POSED_SIDE_H
#define COOK_MEASURE_POSED_SIDE_H

#include "cooker/cook.h"
#include "cooker/measure/posed_poses.h"
#include "runtime/mpak_pose.h"

/// A pack that moves.
typedef struct posed_side {
  mpak_pack pack;
  mpak_model *model;
  mpak_character *character;
} posed_side;

/// Opens the pack of a product, which must stay. Fails the job with C051 when the runtime refuses it.
void posed_side_open(cook_job *job, const cook_product *product, posed_side *side);

/// Moves the parts of a level; vertices are in character->outputs then.
void posed_side_pose(posed_side *side, const posed_pose *pose, uint32_t lod);

/// Vertices of all outputs, all levels.
uint64_t posed_side_vertex_count(const posed_side *side);

#endif
