// split_shells.c: the pieces that a split moves as wholes: triangles with equal bone sets, and connected shells.
#include <stdlib.h>
#include <string.h>

#include "cooker/build/split.h"
#include "format/bytes.h"

#define SHELL_HASH_STEP 0x9E3779B97F4A7C15u
#define SHELL_MAX_BONES 36 // of a triangle: three vertices with 12 influences

// -- Bone sets of triangles -------------------------------------------------------------------------------------------

static uint32_t set_insert(uint32_t *bones, uint32_t count, uint32_t bone) {
  uint32_t at = count;
  while (at > 0 && bones[at - 1] > bone) --at;
  if (at > 0 && bones[at - 1] == bone) return count;
  memmove(bones + at + 1, bones + at, (count - at) * sizeof *bones);
  bones[at] = bone;
  return count + 1;
}

/// The bones that move a triangle, ascending. Returns how many.
static uint32_t set_of_triangle(const cook_primitive *primitive, const uint32_t *bone_of_joint, uint32_t triangle,
                                uint32_t bones[SHELL_MAX_BONES + 1]) {
  uint32_t count = 0;
  for (uint32_t corner = 0; corner < 3; ++corner) {
    const uint64_t first = (uint64_t)primitive->indices[3 * triangle + corner] * primitive->influence_count;
    for (uint32_t i = 0; i < primitive->influence_count; ++i)
      if (primitive->weights[first + i] > 0)
        count = set_insert(bones, count, bone_of_joint[primitive->joints[first + i]]);
  }
  return count;
}

static uint64_t set_hash(const uint32_t *bones, uint32_t count) {
  uint64_t hash = count;
  for (uint32_t i = 0; i < count; ++i) hash = (hash ^ bones[i]) * SHELL_HASH_STEP ^ (hash >> 29);
  return hash * SHELL_HASH_STEP;
}

static bool set_is_equal(const split_pieces *pieces, uint32_t piece, const uint32_t *bones, uint32_t count) {
  return split_piece_size(pieces, piece) == count &&
         memcmp(pieces->bones + pieces->bone_starts[piece], bones, count * sizeof *bones) == 0;
}

/// Slots for at least twice count keys, as a mask.
static uint64_t table_mask(uint64_t count) {
  uint64_t slots = 16;
  while (slots < 2 * count) slots *= 2;
  return slots - 1;
}

/// The piece with these bones, made if there is none. slots: piece + 1, 0 for free.
static uint32_t set_number(split_pieces *pieces, uint32_t *slots, uint64_t mask, const uint32_t *bones,
                           uint32_t count) {
  uint64_t at = set_hash(bones, count) >> 20 & mask;
  for (; slots[at] != 0; at = (at + 1) & mask)
    if (set_is_equal(pieces, slots[at] - 1, bones, count)) return slots[at] - 1;
  const uint32_t piece = pieces->count++;
  memcpy(pieces->bones + pieces->bone_starts[piece], bones, count * sizeof *bones);
  pieces->bone_starts[piece + 1] = pieces->bone_starts[piece] + count;
  slots[at] = piece + 1;
  return piece;
}

/// Room for the bones of all sets: of each triangle at most three vertices' influences.
static uint64_t set_room(const cook_primitive *primitive) {
  return (uint64_t)primitive->index_count * primitive->influence_count;
}

split_pieces split_sets(cook_job *job, const cook_primitive *primitive, const uint32_t *bone_of_joint,
                        uint32_t bone_count) {
  const uint32_t triangle_count = primitive->index_count / 3;
  split_pieces pieces = {.bone_count = bone_count, .triangle_count = triangle_count};
  pieces.piece_of_triangle = JOB_ARRAY(job, uint32_t, triangle_count);
  pieces.bone_starts = JOB_ARRAY(job, uint32_t, (uint64_t)triangle_count + 1);
  if (set_room(primitive) > UINT32_MAX) job_fail(job, MPAK_C015, COOK_WHERE);
  pieces.bones = JOB_ARRAY(job, uint32_t, set_room(primitive));
  const cook_mark mark = job_mark(job);
  const uint64_t mask = table_mask(triangle_count);
  uint32_t *slots = JOB_ARRAY(job, uint32_t, mask + 1);
  for (uint32_t t = 0; t < triangle_count; ++t) {
    uint32_t bones[SHELL_MAX_BONES + 1];
    const uint32_t count = set_of_triangle(primitive, bone_of_joint, t, bones);
    pieces.piece_of_triangle[t] = set_number(&pieces, slots, mask, bones, count);
  }
  job_release(job, mark);
  return pieces;
}

// -- Shells -----------------------------------------------------------------------------------------------------------

/// The lowest vertex of a vertex's shell; shortens the way for the next one.
static uint32_t shell_root(uint32_t *parents, uint32_t vertex) {
  while (parents[vertex] != vertex) {
    parents[vertex] = parents[parents[vertex]];
    vertex = parents[vertex];
  }
  return vertex;
}

static void shell_join(uint32_t *parents, uint32_t a, uint32_t b) {
  a = shell_root(parents, a);
  b = shell_root(parents, b);
  if (a < b)
    parents[b] = a;
  else
    parents[a] = b;
}

/// Do two vertices stand at one place? -0 is 0.
static bool shell_is_same_place(const float *a, const float *b) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

static uint64_t shell_hash_place(const float *place) {
  uint64_t hash = 0;
  for (int axis = 0; axis < 3; ++axis) hash = (hash ^ bytes_bits_of_float(place[axis] + 0.0f)) * SHELL_HASH_STEP;
  return hash >> 20;
}

/// Joins vertices that stand at one place.
static void shell_join_places(cook_job *job, const cook_primitive *primitive, uint32_t *parents) {
  const cook_mark mark = job_mark(job);
  const uint64_t mask = table_mask(primitive->vertex_count);
  uint32_t *slots = JOB_ARRAY(job, uint32_t, mask + 1);
  for (uint32_t v = 0; v < primitive->vertex_count; ++v) {
    uint64_t at = shell_hash_place(primitive->positions[v]) & mask;
    while (slots[at] != 0 && !shell_is_same_place(primitive->positions[slots[at] - 1], primitive->positions[v]))
      at = (at + 1) & mask;
    if (slots[at] == 0)
      slots[at] = v + 1;
    else
      shell_join(parents, slots[at] - 1, v);
  }
  job_release(job, mark);
}

static uint32_t *shell_find(cook_job *job, const cook_primitive *primitive, bool by_position) {
  uint32_t *parents = JOB_ARRAY(job, uint32_t, primitive->vertex_count);
  for (uint32_t v = 0; v < primitive->vertex_count; ++v) parents[v] = v;
  if (by_position) shell_join_places(job, primitive, parents);
  for (uint32_t i = 0; i < primitive->index_count; i += 3) {
    shell_join(parents, primitive->indices[i], primitive->indices[i + 1]);
    shell_join(parents, primitive->indices[i], primitive->indices[i + 2]);
  }
  return parents;
}

/// A (shell, set) pair that occurs, in the order of their numbers.
typedef struct shell_pair {
  uint32_t shell, set;
} shell_pair;

static int shell_compare_pairs(const void *left, const void *right) {
  const shell_pair *a = left, *b = right;
  if (a->shell != b->shell) return a->shell < b->shell ? -1 : 1;
  return (a->set > b->set) - (a->set < b->set);
}

/// All pairs, ascending, each once. Returns how many.
static uint32_t shell_list_pairs(const cook_primitive *primitive, const split_pieces *sets, uint32_t *parents,
                                 shell_pair *pairs) {
  for (uint32_t t = 0; t < sets->triangle_count; ++t)
    pairs[t] = (shell_pair){shell_root(parents, primitive->indices[3 * t]), sets->piece_of_triangle[t]};
  if (sets->triangle_count > 1) qsort(pairs, sets->triangle_count, sizeof *pairs, shell_compare_pairs);
  uint32_t count = 0;
  for (uint32_t t = 0; t < sets->triangle_count; ++t)
    if (count == 0 || shell_compare_pairs(&pairs[count - 1], &pairs[t]) != 0) pairs[count++] = pairs[t];
  return count;
}

static int shell_compare_bones(const void *left, const void *right) {
  const uint32_t *a = left, *b = right;
  return (*a > *b) - (*a < *b);
}

/// Adds a piece that needs the bones of the sets of some pairs. seen: by bone, the number of the last piece + 1.
static void shell_add_piece(split_pieces *pieces, const split_pieces *sets, const shell_pair *pairs, uint32_t count,
                            uint32_t *seen) {
  const uint32_t piece = pieces->count++, first = pieces->bone_starts[piece];
  uint32_t bone_count = 0;
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t b = sets->bone_starts[pairs[i].set]; b < sets->bone_starts[pairs[i].set + 1]; ++b) {
      if (seen[sets->bones[b]] == piece + 1) continue;
      seen[sets->bones[b]] = piece + 1;
      pieces->bones[first + bone_count++] = sets->bones[b];
    }
  }
  if (bone_count > 1) qsort(pieces->bones + first, bone_count, sizeof *pieces->bones, shell_compare_bones);
  pieces->bone_starts[piece + 1] = first + bone_count;
}

/// Makes the piece or the pieces of one shell, whose pairs these are. piece_of_pair: filled.
static void shell_add(split_pieces *pieces, const split_pieces *sets, const shell_pair *pairs, uint32_t count,
                      uint32_t limit, uint32_t *seen, uint32_t *piece_of_pair) {
  const uint32_t piece = pieces->count;
  shell_add_piece(pieces, sets, pairs, count, seen);
  for (uint32_t i = 0; i < count; ++i) piece_of_pair[i] = piece;
  if (split_piece_size(pieces, piece) <= limit) return;
  pieces->count = piece; // too large: made anew, set by set
  for (uint32_t b = pieces->bone_starts[piece]; b < pieces->bone_starts[piece + 1]; ++b) seen[pieces->bones[b]] = 0;
  for (uint32_t i = 0; i < count; ++i) {
    piece_of_pair[i] = pieces->count;
    shell_add_piece(pieces, sets, &pairs[i], 1, seen);
  }
}

static void shell_assign(const cook_primitive *primitive, uint32_t *parents, const split_pieces *sets,
                         const shell_pair *pairs, uint32_t pair_count, const uint32_t *piece_of_pair,
                         uint32_t *piece_of_triangle) {
  for (uint32_t t = 0; t < sets->triangle_count; ++t) {
    const shell_pair pair = {shell_root(parents, primitive->indices[3 * t]), sets->piece_of_triangle[t]};
    const shell_pair *found = bsearch(&pair, pairs, pair_count, sizeof *pairs, shell_compare_pairs);
    piece_of_triangle[t] = piece_of_pair[found - pairs];
  }
}

split_pieces split_shells(cook_job *job, const cook_primitive *primitive, const split_pieces *sets, uint32_t limit,
                          bool by_position) {
  const uint32_t triangle_count = sets->triangle_count;
  split_pieces pieces = {.bone_count = sets->bone_count, .triangle_count = triangle_count};
  pieces.piece_of_triangle = JOB_ARRAY(job, uint32_t, triangle_count);
  uint32_t *parents = shell_find(job, primitive, by_position);
  shell_pair *pairs = JOB_ARRAY(job, shell_pair, triangle_count);
  const uint32_t pair_count = shell_list_pairs(primitive, sets, parents, pairs);
  uint32_t *piece_of_pair = JOB_ARRAY(job, uint32_t, pair_count);
  pieces.bone_starts = JOB_ARRAY(job, uint32_t, (uint64_t)pair_count + 1);
  pieces.bones = JOB_ARRAY(job, uint32_t, set_room(primitive));
  uint32_t *seen = JOB_ARRAY(job, uint32_t, sets->bone_count);
  for (uint32_t first = 0, end; first < pair_count; first = end) {
    for (end = first + 1; end < pair_count && pairs[end].shell == pairs[first].shell;) ++end;
    shell_add(&pieces, sets, pairs + first, end - first, limit, seen, piece_of_pair + first);
  }
  shell_assign(primitive, parents, sets, pairs, pair_count, piece_of_pair, pieces.piece_of_triangle);
  return pieces;
}
