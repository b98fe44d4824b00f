// diff_vertices.c: which vertex of one pack is which of another: by source vertex where both tell, by number where
// there are as many, else the nearest at rest.
#include <math.h>
#include <stdlib.h>

#include "cooker/cli/diff.h"

static uint32_t *vertices_empty(diff_state *state, uint32_t count) {
  uint32_t *b_of_a = JOB_ARRAY(state->job, uint32_t, count);
  for (uint32_t v = 0; v < count; v++) b_of_a[v] = MPAK_NONE;
  return b_of_a;
}

static uint32_t *vertices_by_source(diff_state *state, const uint32_t part[2]) {
  const mpak_part *a = &state->sides[0].pack->parts[part[0]];
  uint32_t *b_of_a = vertices_empty(state, a->vertex_count);
  const uint32_t *pack_of[2] = {state->sides[0].pack_of_source[part[0]], state->sides[1].pack_of_source[part[1]]};
  for (uint32_t s = 0; s < a->source_vertex_count; s++)
    if (pack_of[0][s] != MPAK_NONE) b_of_a[pack_of[0][s]] = pack_of[1][s];
  return b_of_a;
}

// -- The nearest -----------------------------------------------------------------------------------------------------

/// Vertices sorted along the longest side of their box.
typedef struct vertices_line {
  const mpak_base_vertex *vertices;
  struct vertices_place {
    float at;
    uint32_t vertex;
  } * places;
  uint32_t count;
  int axis;
} vertices_line;

static int vertices_compare(const void *left, const void *right) {
  const struct vertices_place *a = left, *b = right;
  if (a->at != b->at) return a->at < b->at ? -1 : 1;
  return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

static vertices_line vertices_sort(diff_state *state, const mpak_part *part, const mpak_base_vertex *vertices) {
  vertices_line line = {.vertices = vertices, .count = part->vertex_count};
  for (int c = 1; c < 3; c++)
    if (part->bounds_max[c] - part->bounds_min[c] > part->bounds_max[line.axis] - part->bounds_min[line.axis])
      line.axis = c;
  line.places = job_alloc(state->job, line.count, sizeof *line.places);
  for (uint32_t v = 0; v < line.count; v++) {
    line.places[v].at = vertices[v].position[line.axis];
    line.places[v].vertex = v;
  }
  if (line.count > 1) qsort(line.places, line.count, sizeof *line.places, vertices_compare);
  return line;
}

static double vertices_square(const mpak_base_vertex *a, const mpak_base_vertex *b) {
  double square = 0;
  for (int c = 0; c < 3; c++)
    square += ((double)a->position[c] - b->position[c]) * ((double)a->position[c] - b->position[c]);
  return square;
}

static uint32_t vertices_first_after(const vertices_line *line, float at) {
  uint32_t low = 0, high = line->count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (line->places[middle].at < at)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Outwards to both sides until the way along the axis alone is longer than the best.
static uint32_t vertices_nearest(const vertices_line *line, const mpak_base_vertex *vertex) {
  const float at = vertex->position[line->axis];
  uint32_t best = MPAK_NONE, up = vertices_first_after(line, at), down = up;
  double best_square = INFINITY;
  while (up < line->count || down > 0) {
    const double up_away = up < line->count ? (double)line->places[up].at - at : INFINITY;
    const double down_away = down > 0 ? (double)at - line->places[down - 1].at : INFINITY;
    const double away = up_away < down_away ? up_away : down_away;
    if (away * away > best_square) break;
    const uint32_t found = line->places[up_away < down_away ? up++ : --down].vertex;
    const double square = vertices_square(vertex, &line->vertices[found]);
    if (square >= best_square) continue;
    best_square = square;
    best = found;
  }
  return best;
}

static uint32_t *vertices_by_place(diff_state *state, const uint32_t part[2]) {
  const mpak_part *a = &state->sides[0].pack->parts[part[0]], *b = &state->sides[1].pack->parts[part[1]];
  const vertices_line line = vertices_sort(state, b, state->sides[1].parts[part[1]].base);
  uint32_t *b_of_a = vertices_empty(state, a->vertex_count);
  for (uint32_t v = 0; v < a->vertex_count; v++)
    b_of_a[v] = vertices_nearest(&line, &state->sides[0].parts[part[0]].base[v]);
  return b_of_a;
}

uint32_t *diff_match_vertices(diff_state *state, const uint32_t part[2]) {
  const mpak_part *a = &state->sides[0].pack->parts[part[0]], *b = &state->sides[1].pack->parts[part[1]];
  const bool has_map =
      state->sides[0].pack_of_source[part[0]] != NULL && state->sides[1].pack_of_source[part[1]] != NULL;
  if (has_map && a->source_vertex_count == b->source_vertex_count) return vertices_by_source(state, part);
  if (a->vertex_count != b->vertex_count) return vertices_by_place(state, part);
  uint32_t *b_of_a = JOB_ARRAY(state->job, uint32_t, a->vertex_count);
  for (uint32_t v = 0; v < a->vertex_count; v++) b_of_a[v] = v;
  return b_of_a;
}
