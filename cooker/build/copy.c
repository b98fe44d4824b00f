// copy.c: a scene whose vertices may be changed while another keeps them as they are.
#include "cooker/base/zeros.h"
#include "cooker/build/remap.h"

/// bytes may be NULL where count is 0.
static void *copy_bytes(cook_job *job, const void *bytes, uint64_t count, size_t size) {
  void *copy = job_alloc(job, count, size);
  if (count != 0) zeros_copy(copy, bytes, count * size);
  return copy;
}

/// The same for an array that need not be there.
static void *copy_some(cook_job *job, const void *bytes, uint64_t count, size_t size) {
  return bytes == NULL ? NULL : copy_bytes(job, bytes, count, size);
}

static void copy_primitive(cook_job *job, cook_primitive *primitive) {
  const uint32_t vertex_count = primitive->vertex_count, stream_count = remap_stream_count(primitive);
  primitive->targets = copy_some(job, primitive->targets, primitive->target_count, sizeof *primitive->targets);
  for (uint32_t s = 0; s < stream_count; s++) {
    const void *data = remap_stream_get(primitive, s);
    const uint32_t element_bytes = remap_stream_bytes(primitive, s);
    if (data != NULL && element_bytes != 0)
      remap_stream_set(primitive, s, copy_bytes(job, data, vertex_count, element_bytes));
  }
  primitive->indices = copy_bytes(job, primitive->indices, primitive->index_count, sizeof *primitive->indices);
  primitive->source_of_vertex =
      copy_some(job, primitive->source_of_vertex, vertex_count, sizeof *primitive->source_of_vertex);
  primitive->vertex_of_source =
      copy_some(job, primitive->vertex_of_source, primitive->source_vertex_count, sizeof *primitive->vertex_of_source);
}

cook_scene *build_copy(cook_job *job, const cook_scene *scene) {
  cook_scene *copy = copy_bytes(job, scene, 1, sizeof *scene);
  copy->meshes = copy_bytes(job, scene->meshes, scene->mesh_count, sizeof *scene->meshes);
  for (uint32_t m = 0; m < copy->mesh_count; m++) {
    cook_mesh *mesh = &copy->meshes[m];
    mesh->primitives = copy_bytes(job, mesh->primitives, mesh->primitive_count, sizeof *mesh->primitives);
    for (uint32_t p = 0; p < mesh->primitive_count; p++) copy_primitive(job, &mesh->primitives[p]);
  }
  return copy;
}
