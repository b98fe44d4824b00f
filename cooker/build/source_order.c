// source_order.c: vertices back in the order of the source, triangles staying as they are: what a regular grid likes.
#include <stdlib.h>

#include "cooker/build/build.h"

typedef struct source_place {
  uint32_t source;
  uint32_t vertex; ///< ties: vertices that were split off one
} source_place;

static int source_compare(const void *a, const void *b) {
  const source_place *x = a, *y = b;
  if (x->source != y->source) return x->source < y->source ? -1 : 1;
  return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

void build_restore_vertex_order(cook_job *job, cook_primitive *primitive) {
  const uint32_t vertex_count = primitive->vertex_count;
  if (primitive->source_of_vertex == NULL) return;
  const cook_section_range whole = {0, primitive->index_count, 0, vertex_count};
  const cook_section_range *ranges = primitive->section_count == 0 ? &whole : primitive->sections;
  const uint32_t range_count = primitive->section_count == 0 ? 1 : primitive->section_count;
  source_place *places = JOB_ARRAY(job, source_place, vertex_count);
  uint32_t *old_of_new = JOB_ARRAY(job, uint32_t, vertex_count), *new_of_old = JOB_ARRAY(job, uint32_t, vertex_count);
  for (uint32_t v = 0; v < vertex_count; v++) places[v] = (source_place){primitive->source_of_vertex[v], v};
  for (uint32_t r = 0; r < range_count; r++)
    qsort(places + ranges[r].first_vertex, ranges[r].vertex_count, sizeof *places, source_compare);
  for (uint32_t v = 0; v < vertex_count; v++) new_of_old[old_of_new[v] = places[v].vertex] = v;
  for (uint32_t i = 0; i < primitive->index_count; i++) primitive->indices[i] = new_of_old[primitive->indices[i]];
  build_turn_triangles(primitive->indices, primitive->index_count);
  remap_vertices(job, primitive, old_of_new, vertex_count);
  remap_finish_source_map(job, primitive);
}
