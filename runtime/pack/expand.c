// expand.c: quantised streams become the floats and joints that deformers and vertex buffers read, while a part is
// loaded. The numbers lie at the end of the memory that the result takes, so that a walk from the front never writes
// over what it still has to read.
#include "format/quantised.h"
#include "runtime/pack/pack_internal.h"

/// Bytes that one record becomes; 0: it stays as it is.
static uint64_t expand_stride(const mpak_chunk_entry *chunk) {
  switch (chunk->kind) {
  case MPAK_KIND_VQNT: return sizeof(mpak_base_vertex);
  case MPAK_KIND_TEXQ: return 2 * sizeof(float);
  case MPAK_KIND_JNTS: return chunk->format == MPAK_FORMAT_U8 ? sizeof(uint16_t) * (uint64_t)chunk->stride : 0;
  case MPAK_KIND_WGTS:
    if (chunk->format == MPAK_FORMAT_F32) return 0;
    return sizeof(float) * (uint64_t)chunk->stride / layout_format_bytes(chunk->format);
  default: return 0;
  }
}

uint64_t pack_expanded_bytes(const mpak_pack *pack, uint32_t chunk) {
  return chunk == MPAK_NONE ? 0 : expand_stride(&pack->chunks[chunk]) * pack->chunks[chunk].count;
}

static void expand_vertices(const mpak_pack *pack, uint32_t part, const mpak_quantised_vertex *numbers,
                            mpak_base_vertex *out) {
  const mpak_quantisation *records = pack->quantisations;
  const uint32_t count = pack->quantisation_count, vertex_count = pack->parts[part].vertex_count;
  const mpak_quantisation *position = mpak_quantisation_find(records, count, part, MPAK_STREAM_POSITION);
  const mpak_quantisation *normal = mpak_quantisation_find(records, count, part, MPAK_STREAM_NORMAL);
  const mpak_quantisation *tangent = mpak_quantisation_find(records, count, part, MPAK_STREAM_TANGENT);
  uint32_t v = tangent == NULL ? pack_expand_vertices_bulk(numbers, vertex_count, position, normal->step[0], out) : 0;
  for (; v < vertex_count; v++) mpak_quantised_vertex_value(&numbers[v], position, normal, tangent, &out[v]);
}

static void expand_texcoords(const mpak_quantisation *grid, const uint16_t *numbers, uint32_t count, float *out) {
  for (uint32_t i = 0; i < count; i++) {
    const uint16_t u = numbers[2 * (size_t)i], v = numbers[2 * (size_t)i + 1];
    out[2 * (size_t)i] = mpak_grid_value(grid->origin[0], grid->step[0], u);
    out[2 * (size_t)i + 1] = mpak_grid_value(grid->origin[1], grid->step[1], v);
  }
}

static void expand_joints(const uint8_t *numbers, uint64_t count, uint16_t *out) {
  for (uint64_t i = pack_expand_joints_bulk(numbers, count, out); i < count; i++) out[i] = numbers[i];
}

static void expand_weights(const mpak_chunk_entry *chunk, const void *numbers, float *out) {
  const uint64_t count = chunk->decoded_bytes / layout_format_bytes(chunk->format);
  const uint8_t *small = numbers;
  const uint16_t *large = numbers;
  const bool is_small = chunk->format == MPAK_FORMAT_UNORM8;
  for (uint64_t i = pack_expand_weights_bulk(numbers, is_small, count, out); i < count; i++)
    out[i] = is_small ? (float)small[i] / 255.0f : (float)large[i] / 65535.0f;
}

void pack_expand(const mpak_pack *pack, uint32_t number, const void *numbers, void *out) {
  const mpak_chunk_entry *chunk = &pack->chunks[number];
  switch (chunk->kind) {
  case MPAK_KIND_VQNT: expand_vertices(pack, chunk->owner, numbers, out); break;
  case MPAK_KIND_TEXQ:
    expand_texcoords(mpak_quantisation_find(pack->quantisations, pack->quantisation_count, chunk->owner,
                                            MPAK_QUANTISED_TEXCOORD(chunk->slot)),
                     numbers, chunk->count, out);
    break;
  case MPAK_KIND_JNTS: expand_joints(numbers, chunk->decoded_bytes, out); break;
  default: expand_weights(chunk, numbers, out); break;
  }
}
