// glb_target.c: shapes as morph targets with sparse accessors (glTF 2.0, sections 3.6.2.3 and 3.7.2.2).
#include <string.h>

#include "cooker/export/glb.h"
#include "cooker/export/morph_table.h"

// -- Writing ---------------------------------------------------------------------------------------------------------

/// One attribute of one target: the vertices that it moves.
typedef struct target_stream {
  uint32_t count;
  uint32_t *vertices;
  float (*values)[3];
} target_stream;

static target_stream target_take(glb_file *glb, const morph_delta *deltas, uint64_t count, uint32_t first) {
  target_stream stream = {.vertices = JOB_ARRAY(glb->job, uint32_t, count)};
  stream.values = job_alloc(glb->job, count, sizeof *stream.values);
  for (uint64_t d = 0; d < count; d++) {
    const float *value = deltas[d].delta + first;
    if (value[0] == 0 && value[1] == 0 && value[2] == 0) continue;
    memcpy(stream.values[stream.count], value, sizeof *stream.values);
    stream.vertices[stream.count++] = deltas[d].vertex;
  }
  return stream;
}

static void target_bounds(const target_stream *stream, uint32_t vertex_count, float min[4], float max[4]) {
  glb_bounds(stream->values[0], stream->count, 3, min, max);
  for (int c = 0; c < 3 && stream->count < vertex_count; c++) {
    if (min[c] > 0) min[c] = 0;
    if (max[c] < 0) max[c] = 0;
  }
}

static uint32_t target_index_bytes(uint32_t vertex_count) {
  return vertex_count <= UINT8_MAX ? 1 : vertex_count <= UINT16_MAX ? 2 : 4;
}

/// The views of a sparse accessor.
static glb_sparse target_put_sparse(glb_file *glb, const target_stream *stream, uint32_t vertex_count) {
  const uint32_t bytes = target_index_bytes(vertex_count);
  uint8_t *indices = job_alloc(glb->job, stream->count, bytes);
  for (uint32_t i = 0; i < stream->count; i++) memcpy(indices + (uint64_t)i * bytes, &stream->vertices[i], bytes);
  glb_sparse sparse = {.count = stream->count};
  sparse.index_type = bytes == 1 ? GLB_UNSIGNED_BYTE : bytes == 2 ? GLB_UNSIGNED_SHORT : GLB_UNSIGNED_INT;
  sparse.index_view = glb_put_view(glb, indices, (uint64_t)stream->count * bytes, GLB_USE_ANY, 0);
  sparse.value_view =
      glb_put_view(glb, stream->values, (uint64_t)stream->count * sizeof *stream->values, GLB_USE_ANY, 0);
  return sparse;
}

static uint32_t target_put_dense(glb_file *glb, const target_stream *stream, uint32_t vertex_count) {
  float(*values)[3] = job_alloc(glb->job, vertex_count, sizeof *values);
  for (uint32_t i = 0; i < stream->count; i++) memcpy(values[stream->vertices[i]], stream->values[i], sizeof *values);
  return glb_put_view(glb, values, (uint64_t)vertex_count * sizeof *values, GLB_USE_VERTICES, 0);
}

/// Sparse where that takes fewer bytes; nothing but a count where nothing moves.
static uint32_t target_put_stream(glb_file *glb, const target_stream *stream, uint32_t vertex_count, bool has_bounds) {
  float min[4] = {0}, max[4] = {0};
  glb_sparse sparse;
  glb_accessor accessor = {.view = MPAK_NONE, .component_type = GLB_FLOAT, .type = "VEC3", .count = vertex_count};
  const uint64_t sparse_bytes = (uint64_t)stream->count * (12 + target_index_bytes(vertex_count));
  target_bounds(stream, vertex_count, min, max);
  accessor.min = min;
  accessor.max = max;
  accessor.bound_count = has_bounds ? 3 : 0;
  if (sparse_bytes >= (uint64_t)vertex_count * 12) {
    accessor.view = target_put_dense(glb, stream, vertex_count);
  } else if (stream->count != 0) {
    sparse = target_put_sparse(glb, stream, vertex_count);
    accessor.sparse = &sparse;
  }
  return glb_put_accessor(glb, &accessor);
}

void glb_put_targets(glb_file *glb, json_out *json, uint32_t number, uint32_t target_count) {
  static const char *const attributes[] = {"POSITION", "NORMAL", "TANGENT"};
  const mpak_part *part = &glb->pack->parts[number];
  const bool is_used[] = {true, (part->flags & MPAK_PART_MORPH_NORMALS) != 0,
                          (part->flags & MPAK_PART_MORPH_TANGENTS) != 0 && (part->flags & MPAK_PART_TANGENTS) != 0};
  const morph_table table = morph_table_make(glb->job, glb->pack, number, &glb->model->parts[number]);
  write_json_key(json, "targets");
  write_json_array(json);
  for (uint32_t t = 0; t < target_count; t++) {
    const bool is_there = t < part->shape_count;
    const morph_delta *deltas = is_there ? table.deltas + table.starts[t] : NULL;
    write_json_object(json);
    for (uint32_t a = 0; a < 3; a++) {
      if (!is_used[a]) continue;
      const target_stream stream = target_take(glb, deltas, is_there ? table.counts[t] : 0, 3 * a);
      write_json_member_count(json, attributes[a], target_put_stream(glb, &stream, part->vertex_count, a == 0));
    }
    write_json_close(json);
  }
  write_json_close(json);
}
