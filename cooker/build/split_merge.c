// split_merge.c: pieces into as few sections as possible, each with at most so many bones. Finding the fewest is a hard
// problem, so several ways are tried in a fixed order: sections grown one at a time by the piece that adds the fewest
// bones, from various first pieces; pieces by falling size into the section that they share most with. What comes out
// is then emptied section by section where the others have room. The first way with the fewest sections is kept, and
// the search ends where no fewer are possible.
#include <stdlib.h>
#include <string.h>

#include "cooker/build/split.h"

#define MERGE_GROW_TRIALS 24u
#define MERGE_HASH_STEP   0x9E3779B97F4A7C15u
// Bit tables of sections take at most this many 64-bit words; with more the passes that need them are left out.
#define MERGE_TABLE_WORDS (1u << 22)

/// What all ways share.
typedef struct merge_state {
  cook_job *job;
  const split_pieces *pieces;
  uint32_t limit;
  split_budget *budget;
  uint32_t *piece_starts; ///< by bone: its pieces are piece_list[piece_starts[b] .. piece_starts[b + 1])
  uint32_t *piece_list;
  uint32_t *rank; ///< by piece: ties are broken by it; a permutation
} merge_state;

// -- Greedy -----------------------------------------------------------------------------------------------------------

uint32_t split_greedy(cook_job *job, const split_pieces *sets, uint32_t limit, uint32_t *section_of_triangle) {
  const cook_mark mark = job_mark(job);
  uint32_t *section_of_bone = JOB_ARRAY(job, uint32_t, sets->bone_count); // the last one that has it, + 1
  uint32_t section = 0, size = 0;
  for (uint32_t t = 0; t < sets->triangle_count; ++t) {
    const uint32_t piece = sets->piece_of_triangle[t];
    uint32_t growth = 0;
    for (uint32_t b = sets->bone_starts[piece]; b < sets->bone_starts[piece + 1]; ++b)
      growth += section_of_bone[sets->bones[b]] != section + 1;
    if (size + growth > limit) {
      ++section;
      size = 0;
      growth = split_piece_size(sets, piece);
    }
    for (uint32_t b = sets->bone_starts[piece]; b < sets->bone_starts[piece + 1]; ++b)
      section_of_bone[sets->bones[b]] = section + 1;
    size += growth;
    section_of_triangle[t] = section;
  }
  job_release(job, mark);
  return section + 1;
}

// -- Pieces by bone ---------------------------------------------------------------------------------------------------

static void merge_list_pieces_by_bone(merge_state *state) {
  const split_pieces *pieces = state->pieces;
  const uint32_t entry_count = pieces->bone_starts[pieces->count];
  state->piece_starts = JOB_ARRAY(state->job, uint32_t, (uint64_t)pieces->bone_count + 2);
  state->piece_list = JOB_ARRAY(state->job, uint32_t, entry_count);
  uint32_t *next = state->piece_starts + 1;
  for (uint32_t i = 0; i < entry_count; ++i) ++next[pieces->bones[i] + 1];
  for (uint32_t b = 0; b < pieces->bone_count; ++b) next[b + 1] += next[b];
  for (uint32_t p = 0; p < pieces->count; ++p)
    for (uint32_t i = pieces->bone_starts[p]; i < pieces->bone_starts[p + 1]; ++i)
      state->piece_list[next[pieces->bones[i]]++] = p;
}

typedef struct merge_key {
  uint64_t key;
  uint32_t piece;
} merge_key;

static int merge_compare_keys(const void *left, const void *right) {
  const merge_key *a = left, *b = right;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return (a->piece > b->piece) - (a->piece < b->piece);
}

/// Trial 0 ranks pieces as they are, 1 backwards, others as a hash of trial and piece has it.
static void merge_set_ranks(merge_state *state, uint32_t trial) {
  const uint32_t count = state->pieces->count;
  const cook_mark mark = job_mark(state->job);
  merge_key *keys = JOB_ARRAY(state->job, merge_key, count);
  for (uint32_t p = 0; p < count; ++p) {
    const uint64_t mixed = ((uint64_t)trial << 32 | p) * MERGE_HASH_STEP;
    keys[p] = (merge_key){trial == 0 ? p : trial == 1 ? count - p : (mixed ^ mixed >> 29) * MERGE_HASH_STEP, p};
  }
  if (count > 1) qsort(keys, count, sizeof *keys, merge_compare_keys);
  for (uint32_t i = 0; i < count; ++i) state->rank[keys[i].piece] = i;
  job_release(state->job, mark);
}

// -- Growing sections -------------------------------------------------------------------------------------------------

/// A piece that touches the open section: the least growth first, then the most bones shared, then the lowest rank.
/// An entry is stale when the piece's growth has changed since, or it has a section.
typedef struct merge_entry {
  uint32_t growth, shared, rank, piece;
} merge_entry;

typedef struct merge_grower {
  merge_state *state;
  uint32_t *section_of_piece; ///< MPAK_NONE: still without one
  uint32_t *section_of_bone;  ///< the last section that has the bone, + 1
  uint32_t *shared;           ///< by piece: bones that the open section has
  uint32_t *touched_in;       ///< by piece: the section that `shared` is about, + 1
  uint32_t *open_pieces;      ///< by bone: pieces without a section that need it
  uint32_t *open_list;        ///< pieces without a section, and some that got one since it was last cleaned
  uint32_t open_count;
  uint32_t section, size; ///< the open section, and its bones
  merge_entry *heap;
  uint32_t heap_count;
} merge_grower;

static bool entry_is_before(const merge_entry *a, const merge_entry *b) {
  if (a->growth != b->growth) return a->growth < b->growth;
  if (a->shared != b->shared) return a->shared > b->shared;
  return a->rank < b->rank;
}

static void heap_push(merge_grower *grower, merge_entry entry) {
  uint32_t at = grower->heap_count++;
  for (; at > 0 && entry_is_before(&entry, &grower->heap[(at - 1) / 2]); at = (at - 1) / 2)
    grower->heap[at] = grower->heap[(at - 1) / 2];
  grower->heap[at] = entry;
}

static merge_entry heap_pop(merge_grower *grower) {
  const merge_entry top = grower->heap[0], last = grower->heap[--grower->heap_count];
  uint32_t at = 0;
  for (uint32_t child; (child = 2 * at + 1) < grower->heap_count; at = child) {
    if (child + 1 < grower->heap_count && entry_is_before(&grower->heap[child + 1], &grower->heap[child])) ++child;
    if (!entry_is_before(&grower->heap[child], &last)) break;
    grower->heap[at] = grower->heap[child];
  }
  grower->heap[at] = last;
  return top;
}

/// A bone has come into the open section: pieces that need it have come nearer. Each (piece, bone) pair of the section
/// is pushed at most once, which bounds the heap.
static void grow_touch_bone(merge_grower *grower, uint32_t bone) {
  const merge_state *state = grower->state;
  for (uint32_t i = state->piece_starts[bone]; i < state->piece_starts[bone + 1]; ++i) {
    const uint32_t piece = state->piece_list[i];
    if (grower->section_of_piece[piece] != MPAK_NONE) continue;
    if (grower->touched_in[piece] != grower->section + 1) grower->shared[piece] = 0;
    grower->touched_in[piece] = grower->section + 1;
    const uint32_t shared = ++grower->shared[piece], growth = split_piece_size(state->pieces, piece) - shared;
    if (growth <= state->limit - grower->size)
      heap_push(grower, (merge_entry){growth, shared, state->rank[piece], piece});
  }
}

/// Puts a piece into the open section. False when the budget is spent.
static bool grow_take(merge_grower *grower, uint32_t piece) {
  const merge_state *state = grower->state;
  const split_pieces *pieces = state->pieces;
  const uint32_t first = pieces->bone_starts[piece], end = pieces->bone_starts[piece + 1];
  grower->section_of_piece[piece] = grower->section;
  for (uint32_t i = first; i < end; ++i) {
    --grower->open_pieces[pieces->bones[i]];
    grower->size += grower->section_of_bone[pieces->bones[i]] != grower->section + 1;
  }
  for (uint32_t i = first; i < end; ++i) {
    const uint32_t bone = pieces->bones[i];
    if (grower->section_of_bone[bone] == grower->section + 1) continue;
    grower->section_of_bone[bone] = grower->section + 1;
    if (!split_spend(state->budget, state->piece_starts[bone + 1] - state->piece_starts[bone] + 1)) return false;
    grow_touch_bone(grower, bone);
  }
  return true;
}

/// The nearest piece that still fits, or MPAK_NONE.
static uint32_t grow_next(merge_grower *grower) {
  while (grower->heap_count > 0) {
    const merge_entry entry = heap_pop(grower);
    if (grower->section_of_piece[entry.piece] != MPAK_NONE || grower->shared[entry.piece] != entry.shared) continue;
    if (entry.growth <= grower->state->limit - grower->size) return entry.piece;
    grower->heap_count = 0; // the others grow it as much or more
  }
  return MPAK_NONE;
}

/// How much a piece is tied to others: pieces without a section that need its bones. Ends of a shell have little.
static uint64_t grow_ties(const merge_grower *grower, uint32_t piece) {
  const split_pieces *pieces = grower->state->pieces;
  uint64_t ties = 0;
  for (uint32_t i = pieces->bone_starts[piece]; i < pieces->bone_starts[piece + 1]; ++i)
    ties += grower->open_pieces[pieces->bones[i]];
  return ties;
}

/// What speaks against a piece as the first of its region: by trial, its ties, few bones, or its rank alone.
static uint64_t grow_seed_key(const merge_grower *grower, uint32_t piece, uint32_t trial) {
  if (trial % 3 == 0) return grow_ties(grower, piece);
  if (trial % 3 == 1) return UINT32_MAX - split_piece_size(grower->state->pieces, piece);
  return 0;
}

/// A piece without a section that fits into what is left of the open one, or MPAK_NONE. False: the budget is spent.
static bool grow_seed(merge_grower *grower, uint32_t trial, uint32_t *seed) {
  const merge_state *state = grower->state;
  uint64_t lowest = UINT64_MAX;
  uint32_t kept = 0;
  *seed = MPAK_NONE;
  if (!split_spend(state->budget, 4 * (uint64_t)grower->open_count)) return false;
  for (uint32_t i = 0; i < grower->open_count; ++i) {
    const uint32_t piece = grower->open_list[i];
    if (grower->section_of_piece[piece] != MPAK_NONE) continue;
    grower->open_list[kept++] = piece;
    const uint32_t shared = grower->touched_in[piece] == grower->section + 1 ? grower->shared[piece] : 0;
    if (split_piece_size(state->pieces, piece) - shared > state->limit - grower->size) continue;
    const uint64_t key = grow_seed_key(grower, piece, trial);
    const bool is_lower = key < lowest || (key == lowest && state->rank[piece] < state->rank[*seed]);
    if (*seed != MPAK_NONE && !is_lower) continue;
    lowest = key;
    *seed = piece;
  }
  grower->open_count = kept;
  return true;
}

static merge_grower grow_begin(merge_state *state, uint32_t *section_of_piece) {
  const split_pieces *pieces = state->pieces;
  merge_grower grower = {.state = state, .section_of_piece = section_of_piece, .open_count = pieces->count};
  grower.section_of_bone = JOB_ARRAY(state->job, uint32_t, pieces->bone_count);
  grower.open_pieces = JOB_ARRAY(state->job, uint32_t, pieces->bone_count);
  grower.shared = JOB_ARRAY(state->job, uint32_t, pieces->count);
  grower.touched_in = JOB_ARRAY(state->job, uint32_t, pieces->count);
  grower.open_list = JOB_ARRAY(state->job, uint32_t, pieces->count);
  grower.heap = JOB_ARRAY(state->job, merge_entry, (uint64_t)pieces->bone_starts[pieces->count] + 1);
  for (uint32_t p = 0; p < pieces->count; ++p) {
    section_of_piece[p] = MPAK_NONE;
    grower.open_list[p] = p;
  }
  for (uint32_t b = 0; b < pieces->bone_count; ++b)
    grower.open_pieces[b] = state->piece_starts[b + 1] - state->piece_starts[b];
  return grower;
}

/// Fills section after section. False when the budget is spent.
static bool merge_grow(merge_state *state, uint32_t trial, split_plan *plan) {
  merge_grower grower = grow_begin(state, plan->section_of_piece);
  for (;;) {
    uint32_t piece = grow_next(&grower);
    if (piece == MPAK_NONE && !grow_seed(&grower, trial, &piece)) return false;
    if (piece == MPAK_NONE && grower.open_count == 0) break;
    if (piece == MPAK_NONE) { // what is left fits into no more: the next section
      ++grower.section;
      grower.size = 0;
      continue;
    }
    if (!grow_take(&grower, piece)) return false;
  }
  plan->section_count = grower.section + 1;
  return true;
}

// -- Sections as bit tables -------------------------------------------------------------------------------------------

typedef struct merge_table {
  uint32_t words;  ///< of a section
  uint64_t *bits;  ///< bit b % 64 of word b / 64: the section has bone b
  uint32_t *sizes; ///< by section: bones
} merge_table;

static bool table_has(const merge_table *table, uint32_t section, uint32_t bone) {
  return table->bits[(uint64_t)section * table->words + bone / 64] >> bone % 64 & 1;
}

static bool table_fits(const merge_state *state, uint32_t section_count) {
  return (uint64_t)section_count * ((state->pieces->bone_count + 63) / 64) <= MERGE_TABLE_WORDS;
}

static merge_table table_make(merge_state *state, uint32_t section_count) {
  const uint32_t words = (state->pieces->bone_count + 63) / 64;
  return (merge_table){words, JOB_ARRAY(state->job, uint64_t, (uint64_t)section_count * words),
                       JOB_ARRAY(state->job, uint32_t, section_count)};
}

static void table_add(const merge_state *state, merge_table *table, uint32_t section, uint32_t piece) {
  const split_pieces *pieces = state->pieces;
  for (uint32_t i = pieces->bone_starts[piece]; i < pieces->bone_starts[piece + 1]; ++i) {
    const uint32_t bone = pieces->bones[i];
    table->sizes[section] += !table_has(table, section, bone);
    table->bits[(uint64_t)section * table->words + bone / 64] |= UINT64_C(1) << bone % 64;
  }
}

/// The section but `except` that a piece grows least (then the fullest, then the first), or MPAK_NONE where none has
/// room.
static uint32_t table_best(const merge_state *state, const merge_table *table, uint32_t section_count, uint32_t except,
                           uint32_t piece) {
  const split_pieces *pieces = state->pieces;
  uint32_t best = MPAK_NONE, least = UINT32_MAX;
  for (uint32_t s = 0; s < section_count; ++s) {
    if (s == except) continue;
    uint32_t growth = 0;
    for (uint32_t i = pieces->bone_starts[piece]; i < pieces->bone_starts[piece + 1]; ++i)
      growth += !table_has(table, s, pieces->bones[i]);
    if (growth + table->sizes[s] > state->limit) continue;
    if (growth > least || (growth == least && table->sizes[s] <= table->sizes[best])) continue;
    least = growth;
    best = s;
  }
  return best;
}

static bool table_spend(const merge_state *state, uint32_t section_count, uint32_t piece) {
  return split_spend(state->budget, (uint64_t)section_count * split_piece_size(state->pieces, piece));
}

// -- Best fit ---------------------------------------------------------------------------------------------------------

/// Pieces by falling size, then by rank.
static uint32_t *fit_order(merge_state *state) {
  const uint32_t count = state->pieces->count;
  merge_key *keys = JOB_ARRAY(state->job, merge_key, count);
  for (uint32_t p = 0; p < count; ++p)
    keys[p] = (merge_key){(uint64_t)(UINT32_MAX - split_piece_size(state->pieces, p)) << 32 | state->rank[p], p};
  if (count > 1) qsort(keys, count, sizeof *keys, merge_compare_keys);
  uint32_t *order = JOB_ARRAY(state->job, uint32_t, count);
  for (uint32_t i = 0; i < count; ++i) order[i] = keys[i].piece;
  return order;
}

/// most: give up at more sections than this. False when it came to that or the budget is spent.
static bool merge_best_fit(merge_state *state, uint32_t most, split_plan *plan) {
  if (!table_fits(state, most)) return false;
  const uint32_t *order = fit_order(state);
  merge_table table = table_make(state, most);
  plan->section_count = 0;
  for (uint32_t i = 0; i < state->pieces->count; ++i) {
    if (!table_spend(state, plan->section_count + 1, order[i])) return false;
    uint32_t section = table_best(state, &table, plan->section_count, MPAK_NONE, order[i]);
    if (section == MPAK_NONE && plan->section_count == most) return false;
    if (section == MPAK_NONE) section = plan->section_count++;
    table_add(state, &table, section, order[i]);
    plan->section_of_piece[order[i]] = section;
  }
  return true;
}

// -- Emptying sections ------------------------------------------------------------------------------------------------

/// Tries to move all pieces of one section into the others. False: it cannot be done, or the budget is spent, and table
/// and targets are worthless.
static bool empty_section(merge_state *state, merge_table *table, const split_plan *plan, uint32_t section,
                          const uint32_t *order, uint32_t *target_of_piece) {
  for (uint32_t i = 0; i < state->pieces->count; ++i) {
    const uint32_t piece = order[i];
    if (plan->section_of_piece[piece] != section) continue;
    if (!table_spend(state, plan->section_count, piece)) return false;
    target_of_piece[piece] = table_best(state, table, plan->section_count, section, piece);
    if (target_of_piece[piece] == MPAK_NONE) return false;
    table_add(state, table, target_of_piece[piece], piece);
  }
  return true;
}

/// The last section takes the number of the one that was emptied.
static void empty_apply(const split_pieces *pieces, split_plan *plan, uint32_t section,
                        const uint32_t *target_of_piece) {
  const uint32_t last = --plan->section_count;
  for (uint32_t p = 0; p < pieces->count; ++p) {
    uint32_t *at = &plan->section_of_piece[p];
    if (*at == section) *at = target_of_piece[p];
    if (*at == last) *at = section;
  }
}

static void table_fill(const merge_state *state, merge_table *table, const split_plan *plan) {
  memset(table->bits, 0, (size_t)plan->section_count * table->words * sizeof *table->bits);
  memset(table->sizes, 0, plan->section_count * sizeof *table->sizes);
  for (uint32_t p = 0; p < state->pieces->count; ++p) table_add(state, table, plan->section_of_piece[p], p);
}

static void merge_empty_sections(merge_state *state, split_plan *plan) {
  if (!table_fits(state, plan->section_count)) return;
  const uint64_t entry_count = state->pieces->bone_starts[state->pieces->count];
  const uint32_t *order = fit_order(state);
  merge_table table = table_make(state, plan->section_count);
  uint32_t *target_of_piece = JOB_ARRAY(state->job, uint32_t, state->pieces->count);
  for (uint32_t section = plan->section_count; section-- > 0;) {
    const uint64_t cost = entry_count + (uint64_t)plan->section_count * table.words;
    if (plan->section_count == 1 || !split_spend(state->budget, cost)) return;
    table_fill(state, &table, plan);
    if (empty_section(state, &table, plan, section, order, target_of_piece))
      empty_apply(state->pieces, plan, section, target_of_piece);
  }
}

// -- All ways ---------------------------------------------------------------------------------------------------------

static void merge_keep_better(const split_pieces *pieces, const split_plan *found, split_plan *best, bool *has_best) {
  if (*has_best && found->section_count >= best->section_count) return;
  best->section_count = found->section_count;
  memcpy(best->section_of_piece, found->section_of_piece, pieces->count * sizeof *best->section_of_piece);
  *has_best = true;
}

/// One way after the other; scratch memory is given back after each.
static bool merge_try(merge_state *state, uint32_t trial, bool grows, uint32_t most, split_plan *best, bool *has_best) {
  const cook_mark mark = job_mark(state->job);
  split_plan found = {0, JOB_ARRAY(state->job, uint32_t, state->pieces->count)};
  merge_set_ranks(state, trial);
  const bool is_through = grows ? merge_grow(state, trial, &found) : merge_best_fit(state, most, &found);
  if (is_through) {
    merge_empty_sections(state, &found);
    merge_keep_better(state->pieces, &found, best, has_best);
  }
  job_release(state->job, mark);
  return is_through;
}

bool split_merge(cook_job *job, const split_pieces *pieces, uint32_t limit, split_budget *budget, split_plan *plan) {
  plan->section_of_piece = JOB_ARRAY(job, uint32_t, pieces->count);
  const cook_mark mark = job_mark(job);
  merge_state state = {.job = job, .pieces = pieces, .limit = limit, .budget = budget};
  state.rank = JOB_ARRAY(job, uint32_t, pieces->count);
  merge_list_pieces_by_bone(&state);
  const uint32_t fewest = (pieces->bone_count + limit - 1) / limit;
  bool has_best = false;
  for (uint32_t trial = 0; trial < MERGE_GROW_TRIALS; ++trial) {
    if (has_best && plan->section_count == fewest) break;
    if (!merge_try(&state, trial, true, 0, plan, &has_best)) break;
    if (trial < 4 && plan->section_count > fewest)
      merge_try(&state, trial, false, plan->section_count, plan, &has_best);
  }
  job_release(job, mark);
  return has_best;
}
