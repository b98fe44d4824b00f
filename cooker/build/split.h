/// split.h: how build/split shares a primitive's triangles among sections. What is shared out are pieces: sets of
/// triangles that stay together, each with the set of bones that its vertices need.
///
/// A bone is a joint that the primitive's triangles use, numbered ascending. Everything depends on numbers alone, never
/// on addresses or time, so equal input gives equal sections.
#ifndef COOK_SPLIT_H
#define COOK_SPLIT_H

#include "cooker/build/build.h"

/// Pieces, and the triangles in them.
typedef struct split_pieces {
  uint32_t count;
  uint32_t bone_count;     ///< of the primitive
  uint32_t triangle_count; ///< of the primitive
  uint32_t *bone_starts;   ///< count + 1
  uint32_t *bones;         ///< of piece p: bones[bone_starts[p] .. bone_starts[p + 1]), ascending
  uint32_t *piece_of_triangle;
} split_pieces;

static inline uint32_t split_piece_size(const split_pieces *pieces, uint32_t piece) {
  return pieces->bone_starts[piece + 1] - pieces->bone_starts[piece];
}

/// Which section each piece is in.
typedef struct split_plan {
  uint32_t section_count;
  uint32_t *section_of_piece;
} split_plan;

/// Steps that the search for few sections may still take. Counted, not timed: the same on every machine.
typedef struct split_budget {
  uint64_t steps;
} split_budget;

/// Takes steps from the budget; false when there are too few.
static inline bool split_spend(split_budget *budget, uint64_t steps) {
  if (budget->steps < steps) {
    budget->steps = 0;
    return false;
  }
  budget->steps -= steps;
  return true;
}

// -- split_shells.c: what stays together ------------------------------------------------------------------------------

/// The finest pieces: triangles with equal bone sets. bone_of_joint: by joint, for joints that triangles use.
split_pieces split_sets(cook_job *job, const cook_primitive *primitive, const uint32_t *bone_of_joint,
                        uint32_t bone_count);

/// Connected shells: triangles that share vertices (or, with by_position, places) are in one shell. A shell whose bones
/// fit is a piece; of a larger one the triangles with equal bone sets are.
split_pieces split_shells(cook_job *job, const cook_primitive *primitive, const split_pieces *sets, uint32_t limit,
                          bool by_position);

// -- split_merge.c: what goes together --------------------------------------------------------------------------------

/// Triangle by triangle in their order; a new section whenever the bones no longer fit. The yardstick.
/// section_of_triangle: filled. Returns the number of sections.
uint32_t split_greedy(cook_job *job, const split_pieces *sets, uint32_t limit, uint32_t *section_of_triangle);

/// Puts all pieces into sections of at most limit bones, trying several ways, and keeps the one with the fewest
/// sections. Every piece fits by itself. Returns false when the budget is spent before one way is through.
bool split_merge(cook_job *job, const split_pieces *pieces, uint32_t limit, split_budget *budget, split_plan *plan);

#endif
