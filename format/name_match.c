#include "format/name_match.h"

#include <stdbool.h>
#include <string.h>

#include "format/checksum.h"

// Both sides are numbered through: objects of `from` first, then those of `to`. An id is the lowest number that has the
// same name, or the same path; so equality is tested once, by hash tables, and all else is counting. Linear in the
// number of objects and the length of their names.

typedef struct match_state {
  const name_match_side *from, *to;
  uint32_t count;     ///< of both sides
  uint32_t slot_mask; ///< slots hold a number plus 1; 0 is free. At most half of them are taken
  uint32_t *slots;
  uint32_t *name_ids;    ///< by number
  uint32_t *path_ids;    ///< by number; MPAK_NONE: not known yet
  uint32_t *from_counts; ///< by id: how many of `from` have it
  uint32_t *to_counts;
  uint32_t *to_first; ///< by id: the first of `to` that has it
  uint32_t *chain;    ///< work space
} match_state;

static uint64_t match_slot_count(uint64_t count) {
  uint64_t slots = 16;
  while (slots < count * 2) slots *= 2;
  return slots;
}

uint64_t name_match_scratch_words(uint32_t from_count, uint32_t to_count) {
  const uint64_t count = (uint64_t)from_count + to_count;
  return match_slot_count(count) + 6 * count;
}

static void match_begin(match_state *state, const name_match_side *from, const name_match_side *to, uint32_t *scratch) {
  const uint64_t count = (uint64_t)from->count + to->count, slots = match_slot_count(count);
  *state = (match_state){.from = from, .to = to, .count = (uint32_t)count, .slot_mask = (uint32_t)(slots - 1)};
  uint32_t **const arrays[] = {&state->name_ids,  &state->path_ids, &state->from_counts,
                               &state->to_counts, &state->to_first, &state->chain};
  state->slots = scratch;
  for (int i = 0; i < 6; i++) *arrays[i] = scratch + slots + (uint64_t)i * count;
}

static const char *match_name(const match_state *state, uint32_t number) {
  const bool is_from = number < state->from->count;
  const name_match_side *side = is_from ? state->from : state->to;
  return side->name(side->user, is_from ? number : number - state->from->count);
}

/// The number of its parent, or MPAK_NONE.
static uint32_t match_parent(const match_state *state, uint32_t number) {
  const bool is_from = number < state->from->count;
  const name_match_side *side = is_from ? state->from : state->to;
  const uint32_t first = is_from ? 0 : state->from->count, parent = side->parent(side->user, number - first);
  return parent == MPAK_NONE ? MPAK_NONE : first + parent;
}

// -- Ids -------------------------------------------------------------------------------------------------------------

static void match_clear_slots(match_state *state) {
  memset(state->slots, 0, ((size_t)state->slot_mask + 1) * sizeof *state->slots);
}

static void match_find_name_ids(match_state *state) {
  match_clear_slots(state);
  for (uint32_t number = 0; number < state->count; number++) {
    const char *name = match_name(state, number);
    uint32_t slot = (uint32_t)checksum_of(name, strlen(name)) & state->slot_mask;
    while (state->slots[slot] != 0 && strcmp(match_name(state, state->slots[slot] - 1), name) != 0)
      slot = (slot + 1) & state->slot_mask;
    if (state->slots[slot] == 0) state->slots[slot] = number + 1;
    state->name_ids[number] = state->slots[slot] - 1;
  }
}

/// Two paths are the same when the paths of the parents and the last names are.
static uint32_t match_path_id(match_state *state, uint32_t number, uint32_t parent_id) {
  const uint32_t name_id = state->name_ids[number], key[2] = {parent_id, name_id};
  uint32_t slot = (uint32_t)checksum_of(key, sizeof key) & state->slot_mask;
  for (; state->slots[slot] != 0; slot = (slot + 1) & state->slot_mask) {
    const uint32_t other = state->slots[slot] - 1, other_parent = match_parent(state, other);
    const uint32_t other_id = other_parent == MPAK_NONE ? MPAK_NONE : state->path_ids[other_parent];
    if (state->name_ids[other] == name_id && other_id == parent_id) return other;
  }
  state->slots[slot] = number + 1;
  return number;
}

/// Up to the first ancestor whose path is known, then down again by the same way.
static void match_find_path_ids(match_state *state) {
  match_clear_slots(state);
  for (uint32_t number = 0; number < state->count; number++) state->path_ids[number] = MPAK_NONE;
  for (uint32_t number = 0; number < state->count; number++) {
    uint32_t length = 0, at = number;
    for (; at != MPAK_NONE && state->path_ids[at] == MPAK_NONE; at = match_parent(state, at))
      state->chain[length++] = at;
    uint32_t parent_id = at == MPAK_NONE ? MPAK_NONE : state->path_ids[at];
    while (length > 0) {
      const uint32_t below = state->chain[--length];
      parent_id = state->path_ids[below] = match_path_id(state, below, parent_id);
    }
  }
}

static void match_count(match_state *state, const uint32_t *ids) {
  memset(state->from_counts, 0, state->count * sizeof *state->from_counts);
  memset(state->to_counts, 0, state->count * sizeof *state->to_counts);
  for (uint32_t number = 0; number < state->count; number++) {
    const bool is_from = number < state->from->count;
    if (!is_from && state->to_counts[ids[number]] == 0) state->to_first[ids[number]] = number - state->from->count;
    (is_from ? state->from_counts : state->to_counts)[ids[number]]++;
  }
}

// -- Nodes -----------------------------------------------------------------------------------------------------------

/// Matches what occurs once on either side under these ids.
static void match_unique(match_state *state, const uint32_t *ids, uint32_t *to_of_from) {
  match_count(state, ids);
  for (uint32_t i = 0; i < state->from->count; i++) {
    const uint32_t id = ids[i];
    if (to_of_from[i] == NAME_MATCH_NONE && state->from_counts[id] == 1 && state->to_counts[id] == 1)
      to_of_from[i] = state->to_first[id];
  }
}

/// What is left of a name on the other side could be any of them.
static void match_find_ambiguous(match_state *state, uint32_t *to_of_from) {
  match_count(state, state->name_ids);
  for (uint32_t i = 0; i < state->from->count; i++)
    if (to_of_from[i] != NAME_MATCH_NONE) state->to_counts[state->name_ids[i]]--;
  for (uint32_t i = 0; i < state->from->count; i++) {
    if (to_of_from[i] != NAME_MATCH_NONE || match_name(state, i)[0] == 0) continue;
    if (state->to_counts[state->name_ids[i]] != 0) to_of_from[i] = NAME_MATCH_AMBIGUOUS;
  }
}

void name_match_nodes(const name_match_side *from, const name_match_side *to, uint32_t *scratch, uint32_t *to_of_from) {
  match_state state;
  match_begin(&state, from, to, scratch);
  for (uint32_t i = 0; i < from->count; i++) to_of_from[i] = NAME_MATCH_NONE;
  match_find_name_ids(&state);
  match_unique(&state, state.name_ids, to_of_from);
  for (uint32_t i = 0; i < from->count; i++) // a node without a name is known by its place alone
    if (match_name(&state, i)[0] == 0) to_of_from[i] = NAME_MATCH_NONE;
  match_find_path_ids(&state);
  match_unique(&state, state.path_ids, to_of_from);
  match_find_ambiguous(&state, to_of_from);
}

// -- Lists -----------------------------------------------------------------------------------------------------------

void name_match_list(const name_match_side *from, const name_match_side *to, uint32_t *scratch, uint32_t *to_of_from) {
  match_state state;
  match_begin(&state, from, to, scratch);
  match_find_name_ids(&state);
  uint32_t *next_of = state.path_ids; // by number of `to`: the next one of its name
  for (uint32_t number = 0; number < state.count; number++) state.to_first[number] = MPAK_NONE;
  for (uint32_t i = to->count; i-- > 0;) {
    const uint32_t id = state.name_ids[from->count + i];
    next_of[i] = state.to_first[id];
    state.to_first[id] = i;
  }
  for (uint32_t i = 0; i < from->count; i++) {
    const uint32_t id = state.name_ids[i], first = state.to_first[id];
    if (match_name(&state, i)[0] == 0) {
      const bool has_same = i < to->count && to->name(to->user, i)[0] == 0;
      to_of_from[i] = has_same ? i : NAME_MATCH_NONE;
    } else {
      to_of_from[i] = first; // MPAK_NONE is NAME_MATCH_NONE
      if (first != MPAK_NONE) state.to_first[id] = next_of[first];
    }
  }
}
