// glb_target.c: shapes as morph targets with sparse accessors (glTF 2.0, sections 3.6.2.3 and 3.7.2.2).
#include <stdlib.h>
#include <string.h>

#include "cooker/export/glb.h"
#include "format/morph_payload.h"

/// What a shape does to one vertex: position, normal, tangent.
typedef struct target_delta {
  uint32_t vertex;
  float delta[9];
} target_delta;

/// The deltas of a part by shape: those of shape s are [starts[s], starts[s + 1]), vertices ascending.
typedef struct target_table {
  uint64_t *starts;
  uint64_t *used; ///< by shape, while it is filled
  target_delta *deltas;
} target_table;

// -- Collecting ------------------------------------------------------------------------------------------------------

static target_delta *target_add(target_table *table, uint32_t shape, uint32_t vertex) {
  target_delta *delta = &table->deltas[table->starts[shape] + table->used[shape]++];
  delta->vertex = vertex;
  return delta;
}

static void target_collect_rows(const mpak_morph *morph, target_table *table) {
  for (uint32_t v = 0; v < morph->vertex_count; v++) {
    for (uint32_t d = morph->vertex_offsets[v]; d < morph->vertex_offsets[v + 1]; d++) {
      const mpak_csr_delta *row = &morph->deltas[d];
      target_delta *delta = target_add(table, row->metadata[0], v);
      memcpy(delta->delta, row->position, 3 * sizeof(float));
      memcpy(delta->delta + 3, row->normal, 3 * sizeof(float));
      memcpy(delta->delta + 6, row->tangent, 3 * sizeof(float));
    }
  }
}

static void target_collect_entry(const mpak_morph *morph, const mpak_morph_block *block, const mpak_morph_entry *entry,
                                 target_table *table) {
  uint64_t lanes = entry->lanes_low | (uint64_t)entry->lanes_high << 32;
  const uint32_t lane_count = (uint32_t)__builtin_popcountll(lanes);
  for (uint32_t rank = 0; lanes != 0; rank++, lanes &= lanes - 1) {
    const uint32_t vertex = block->first_vertex + (uint32_t)__builtin_ctzll(lanes);
    mpak_lane_delta(morph->payload, morph->components, entry, morph->payload_words + entry->payload_offset, lane_count,
                    rank, target_add(table, entry->shape, vertex)->delta);
  }
}

static int target_compare(const void *left, const void *right) {
  const target_delta *a = left, *b = right;
  return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

static target_table target_collect(glb_file *glb, uint32_t number) {
  const mpak_part *part = &glb->pack->parts[number];
  const mpak_morph *morph = &glb->model->parts[number].morph;
  target_table table = {.starts = JOB_ARRAY(glb->job, uint64_t, (uint64_t)part->shape_count + 1)};
  table.used = JOB_ARRAY(glb->job, uint64_t, part->shape_count);
  table.deltas = JOB_ARRAY(glb->job, target_delta, part->delta_count);
  for (uint32_t s = 0; s < part->shape_count; s++)
    table.starts[s + 1] = table.starts[s] + glb->pack->shapes[part->first_shape + s].delta_count;
  if (morph->payload == MPAK_PAYLOAD_CSR64) target_collect_rows(morph, &table);
  for (uint32_t b = 0; mpak_payload_is_blk64(morph->payload) && b < morph->block_count; b++)
    for (uint32_t e = morph->blocks[b].first_entry; e < morph->blocks[b + 1].first_entry; e++)
      target_collect_entry(morph, &morph->blocks[b], &morph->entries[e], &table);
  // The entries of one block may interleave.
  for (uint32_t s = 0; s < part->shape_count; s++)
    qsort(table.deltas + table.starts[s], (size_t)table.used[s], sizeof *table.deltas, target_compare);
  return table;
}

// -- Writing ---------------------------------------------------------------------------------------------------------

/// One attribute of one target: the vertices that it moves.
typedef struct target_stream {
  uint32_t count;
  uint32_t *vertices;
  float (*values)[3];
} target_stream;

static target_stream target_take(glb_file *glb, const target_delta *deltas, uint64_t count, uint32_t first) {
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
  const target_table table = target_collect(glb, number);
  write_json_key(json, "targets");
  write_json_array(json);
  for (uint32_t t = 0; t < target_count; t++) {
    const bool is_there = t < part->shape_count;
    const target_delta *deltas = is_there ? table.deltas + table.starts[t] : NULL;
    write_json_object(json);
    for (uint32_t a = 0; a < 3; a++) {
      if (!is_used[a]) continue;
      const target_stream stream = target_take(glb, deltas, is_there ? table.used[t] : 0, 3 * a);
      write_json_member_count(json, attributes[a], target_put_stream(glb, &stream, part->vertex_count, a == 0));
    }
    write_json_close(json);
  }
  write_json_close(json);
}
