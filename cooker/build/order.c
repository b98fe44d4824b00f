#include <meshoptimizer.h>

#include "cooker/build/remap.h"

// Strip order keeps the vertex cache warm and neighbours close together, which blk64's lane masks like best (SPEC.md).

static void order_primitive(cook_job *job, cook_primitive *primitive) {
  const uint32_t vertex_count = primitive->vertex_count, index_count = primitive->index_count;
  uint32_t *indices = JOB_ARRAY(job, uint32_t, index_count);
  uint32_t *new_of_old = JOB_ARRAY(job, uint32_t, vertex_count);
  meshopt_optimizeVertexCacheStrip(indices, primitive->indices, index_count, vertex_count);
  const uint32_t used_count =
      (uint32_t)meshopt_optimizeVertexFetchRemap(new_of_old, indices, index_count, vertex_count);
  for (uint32_t i = 0; i < index_count; i++) primitive->indices[i] = new_of_old[indices[i]];
  uint32_t *old_of_new = JOB_ARRAY(job, uint32_t, used_count);
  for (uint32_t v = 0; v < vertex_count; v++)
    if (new_of_old[v] != MPAK_NONE) old_of_new[new_of_old[v]] = v;
  remap_vertices(job, primitive, old_of_new, used_count);
  remap_finish_source_map(job, primitive);
}

void build_order(cook_job *job, cook_scene *scene, const cook_options *options) {
  if (options->keep_source_order) return;
  for (uint32_t m = 0; m < scene->mesh_count; m++)
    for (uint32_t p = 0; p < scene->meshes[m].primitive_count; p++)
      order_primitive(job, &scene->meshes[m].primitives[p]);
}
