// triangles.c: see triangles.h and SPEC.md.
#include "format/triangles.h"

#include <stdbool.h>

// Counted over the triangles of a dozen characters in strip order.
const uint8_t mpak_triangle_pairs[14] = {0x00, 0x01, 0x02, 0x03, 0x10, 0x20, 0x30,
                                         0x12, 0x21, 0x13, 0x31, 0x04, 0x40, 0x05};

#define TRIANGLE_EDGE_AGES   15u ///< edges that a code can name
#define TRIANGLE_VERTEX_AGES 13u ///< vertices that a code of an edge can name are 1 … 12 old
#define TRIANGLE_PAIR_AGES   14u ///< vertices that a byte for b and c can name are 0 … 13 old
#define TRIANGLE_NONE        255u

uint32_t mpak_triangles_first(const uint32_t *indices, uint32_t index_count) {
  uint32_t first = 0, length = 0, run = 0, run_length = 0, largest = 0;
  for (uint32_t i = 0; i < index_count; i++) {
    if (i != 0 && indices[i] <= largest) continue;
    if (i == 0 || indices[i] != largest + 1) run = indices[i], run_length = 0;
    largest = indices[i];
    if (++run_length > length) length = run_length, first = run;
  }
  return first;
}

/// How long ago the edge from a to b was pushed; TRIANGLE_NONE: too long.
static uint32_t triangle_edge_age(const mpak_triangle_state *state, uint32_t a, uint32_t b) {
  for (uint32_t age = 0; age < TRIANGLE_EDGE_AGES && age < state->edge_count; age++) {
    const uint32_t *edge = mpak_triangle_edge(state, age);
    if (edge[0] == a && edge[1] == b) return age;
  }
  return TRIANGLE_NONE;
}

static uint32_t triangle_vertex_age(const mpak_triangle_state *state, uint32_t vertex, uint32_t from, uint32_t end) {
  for (uint32_t age = from; age < end && age < state->vertex_count; age++)
    if (mpak_triangle_vertex(state, age) == vertex) return age;
  return TRIANGLE_NONE;
}

uint32_t mpak_triangle_turn(const mpak_triangle_state *state, const uint32_t t[3]) {
  uint32_t best = TRIANGLE_NONE, best_turn = 0;
  for (uint32_t turn = 0; turn < 3; turn++) {
    const uint32_t age = triangle_edge_age(state, t[turn], t[(turn + 1) % 3]);
    if (age < best) best = age, best_turn = turn;
  }
  if (best != TRIANGLE_NONE) return best_turn;
  return t[1] == state->next && t[0] != state->next ? 1 : t[2] == state->next && t[0] != state->next ? 2 : 0;
}

uint32_t mpak_triangle_write_number(uint32_t number, uint8_t bytes[MPAK_NUMBER_MAX_BYTES]) {
  uint32_t count = 0;
  for (; number >= 128; number >>= 7) bytes[count++] = (uint8_t)(number | 128);
  bytes[count++] = (uint8_t)number;
  return count;
}

/// Adds a vertex as the difference to the last one that was written so.
static void triangle_write_vertex(mpak_triangle_state *state, uint32_t vertex, mpak_triangle_code *out) {
  const uint32_t difference = vertex - state->last, sign = 0u - (difference >> 31);
  out->byte_count =
      (uint8_t)(out->byte_count + mpak_triangle_write_number(difference << 1 ^ sign, out->bytes + out->byte_count));
  state->last = vertex;
}

/// The third corner of a triangle on a known edge: the low half of its code.
static uint32_t triangle_encode_third(mpak_triangle_state *state, uint32_t vertex, mpak_triangle_code *out) {
  const uint32_t age = triangle_vertex_age(state, vertex, 1, TRIANGLE_VERTEX_AGES);
  uint32_t found = 15;
  if (vertex != state->next && age != TRIANGLE_NONE) return age; // not pushed again
  if (vertex == state->next)
    state->next++, found = 0;
  else if (vertex == state->last - 1)
    state->last = vertex, found = 13;
  else if (vertex == state->last + 1)
    state->last = vertex, found = 14;
  else
    triangle_write_vertex(state, vertex, out);
  mpak_triangle_push_vertex(state, vertex);
  return found;
}

/// How b or c is found when no edge is known: 0 the next vertex, 1 … 14 a pushed one, 15 written.
static uint32_t triangle_find(mpak_triangle_state *state, uint32_t vertex) {
  if (vertex == state->next) {
    state->next++;
    return 0;
  }
  const uint32_t age = triangle_vertex_age(state, vertex, 0, TRIANGLE_PAIR_AGES);
  return age == TRIANGLE_NONE ? 15 : age + 1;
}

static uint8_t triangle_pair_code(uint32_t pair) {
  for (uint32_t i = 0; i < sizeof mpak_triangle_pairs; i++)
    if (mpak_triangle_pairs[i] == pair) return (uint8_t)(0xF0 | i);
  return 0xFE;
}

/// A triangle that shares no known edge.
static void triangle_encode_free(mpak_triangle_state *state, const uint32_t t[3], mpak_triangle_code *out) {
  const bool is_next = t[0] == state->next;
  state->next += is_next;
  const uint32_t b = triangle_find(state, t[1]), c = triangle_find(state, t[2]), pair = b << 4 | c;
  out->code = is_next ? triangle_pair_code(pair) : 0xFF;
  if (out->code >= 0xFE) out->bytes[out->byte_count++] = (uint8_t)pair;
  if (!is_next) triangle_write_vertex(state, t[0], out);
  if (b == 15) triangle_write_vertex(state, t[1], out);
  if (c == 15) triangle_write_vertex(state, t[2], out);
  mpak_triangle_push_vertex(state, t[0]);
  if (b == 0 || b == 15) mpak_triangle_push_vertex(state, t[1]);
  if (c == 0 || c == 15) mpak_triangle_push_vertex(state, t[2]);
}

mpak_triangle_code mpak_triangle_encode(mpak_triangle_state *state, const uint32_t t[3]) {
  mpak_triangle_code out = {0};
  const uint32_t age = triangle_edge_age(state, t[0], t[1]);
  if (age != TRIANGLE_NONE) {
    out.code = (uint8_t)(age << 4 | triangle_encode_third(state, t[2], &out));
  } else {
    triangle_encode_free(state, t, &out);
    mpak_triangle_push_edge(state, t[1], t[0]);
  }
  mpak_triangle_push_edge(state, t[2], t[1]);
  mpak_triangle_push_edge(state, t[0], t[2]);
  return out;
}
