#include <meshoptimizer.h>

#include "cooker/build/optimiser_memory.h"
#include "cooker/build/remap.h"

// Strip order keeps the vertex cache warm, and makes the smallest packs. A small queue in place of the cache grows
// patches of a few rows: 64 vertices in a row then are about as wide as long, so that fewer shapes reach into them.
#define ORDER_PATCH_VERTICES 16

/// The optimiser's use in version 0.18 is 12 bytes a vertex and 10 an index; twice that leaves room for others.
static void order_optimise(cook_job *job, cook_vertex_order order, const uint32_t *from, uint32_t index_count,
                           uint32_t vertex_count, uint32_t *indices) {
  const uint64_t byte_count = 24 * (uint64_t)vertex_count + 20 * (uint64_t)index_count + 4096;
  const cook_mark mark = job_mark(job);
  optimiser_begin(job, byte_count);
  if (order == COOK_ORDER_BLOCKS)
    meshopt_optimizeVertexCacheFifo(indices, from, index_count, vertex_count, ORDER_PATCH_VERTICES);
  else
    meshopt_optimizeVertexCacheStrip(indices, from, index_count, vertex_count);
  optimiser_end();
  job_release(job, mark);
}

// -- Order ------------------------------------------------------------------------------------------------------------

/// Orders the triangles and vertices of one section within their range. old_of_new: by vertex of the primitive; filled
/// from first_new on. Returns how many vertices are left: those that triangles use.
static uint32_t order_section(cook_job *job, cook_vertex_order order, cook_primitive *primitive,
                              const cook_section_range *range, uint32_t first_new, uint32_t *old_of_new) {
  const uint32_t vertex_count = range->vertex_count, index_count = range->index_count, base = range->first_vertex;
  const cook_mark mark = job_mark(job);
  uint32_t *local = JOB_ARRAY(job, uint32_t, index_count);
  uint32_t *ordered = JOB_ARRAY(job, uint32_t, index_count);
  uint32_t *new_of_old = JOB_ARRAY(job, uint32_t, vertex_count);
  uint32_t *indices = primitive->indices + range->first_index;
  for (uint32_t i = 0; i < index_count; i++) local[i] = indices[i] - base;
  order_optimise(job, order, local, index_count, vertex_count, ordered);
  const uint32_t used_count =
      (uint32_t)meshopt_optimizeVertexFetchRemap(new_of_old, ordered, index_count, vertex_count);
  for (uint32_t i = 0; i < index_count; i++) indices[i] = first_new + new_of_old[ordered[i]];
  for (uint32_t v = 0; v < vertex_count; v++)
    if (new_of_old[v] != MPAK_NONE) old_of_new[first_new + new_of_old[v]] = base + v;
  job_release(job, mark);
  return used_count;
}

static void order_primitive(cook_job *job, cook_vertex_order order, cook_primitive *primitive) {
  uint32_t *old_of_new = JOB_ARRAY(job, uint32_t, primitive->vertex_count);
  cook_section_range whole = {0, primitive->index_count, 0, primitive->vertex_count};
  cook_section_range *ranges = primitive->section_count == 0 ? &whole : primitive->sections;
  const uint32_t range_count = primitive->section_count == 0 ? 1 : primitive->section_count;
  uint32_t vertex_count = 0;
  for (uint32_t r = 0; r < range_count; r++) {
    const uint32_t used_count = order_section(job, order, primitive, &ranges[r], vertex_count, old_of_new);
    ranges[r].first_vertex = vertex_count;
    ranges[r].vertex_count = used_count;
    vertex_count += used_count;
  }
  build_turn_triangles(primitive->indices, primitive->index_count);
  remap_vertices(job, primitive, old_of_new, vertex_count);
  remap_finish_source_map(job, primitive);
}

void build_order(cook_job *job, cook_scene *scene, const cook_options *options) {
  if (options->vertex_order == COOK_ORDER_SOURCE) return;
  for (uint32_t m = 0; m < scene->mesh_count; m++)
    for (uint32_t p = 0; p < scene->meshes[m].primitive_count; p++)
      order_primitive(job, options->vertex_order, &scene->meshes[m].primitives[p]);
}
