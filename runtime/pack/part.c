// part.c: all buffers of a part at once.
#include "runtime/pack/pack_internal.h"

#define PART_BUFFER_ALIGNMENT 256u

/// The chunks of a part that mpak_decode checks one by one, without the source map.
#define PART_CHUNK_COUNT 9
static void part_list_chunks(const mpak_part *part, uint32_t list[PART_CHUNK_COUNT]) {
  list[0] = part->base_chunk;
  list[1] = part->index_chunk;
  list[2] = part->joint_chunk;
  list[3] = part->weight_chunk;
  for (int i = 0; i < 4; i++) list[4 + i] = part->texcoord_chunk[i];
  list[8] = part->colour_chunk;
}

/// Memory for a chunk's stream: expanded, decoded, or none where the pack's own bytes serve.
static uint64_t part_buffer_bytes(const mpak_pack *pack, uint32_t chunk) {
  const uint64_t expanded_bytes = pack_expanded_bytes(pack, chunk);
  return expanded_bytes != 0 ? expanded_bytes : pack_decoded_memory(pack, chunk);
}

uint64_t mpak_part_bytes(const mpak_pack *pack, uint32_t part) {
  if (part >= pack->part_count) return 0;
  uint32_t chunks[PART_CHUNK_COUNT];
  uint64_t sum = 0;
  part_list_chunks(&pack->parts[part], chunks);
  for (int i = 0; i < PART_CHUNK_COUNT; i++)
    sum += bytes_align(part_buffer_bytes(pack, chunks[i]), PART_BUFFER_ALIGNMENT);
  return sum + bytes_align(mpak_morph_bytes(pack, part), PART_BUFFER_ALIGNMENT);
}

/// Decodes one chunk into the next buffer and expands it, or views it where it is stored; NULL for no chunk.
static mpak_result part_decode_chunk(const mpak_pack *pack, uint32_t chunk, pack_span *memory, void *scratch,
                                     const void **view, mpak_fault *fault) {
  *view = NULL;
  if (chunk == MPAK_NONE) return MPAK_OK;
  uint64_t needed = part_buffer_bytes(pack, chunk), decoded = pack_decoded_memory(pack, chunk);
  uint8_t *dst = needed ? pack_take(memory, needed, PART_BUFFER_ALIGNMENT) : NULL;
  const bool is_expanded = pack_expanded_bytes(pack, chunk) != 0;
  LAYOUT_TRY(pack_decode_chunk(pack, chunk, decoded ? dst + (needed - decoded) : NULL, scratch, view, fault));
  if (!is_expanded) return MPAK_OK;
  pack_expand(pack, chunk, *view, dst);
  *view = dst;
  return MPAK_OK;
}

static mpak_result part_load(const mpak_pack *pack, uint32_t number, pack_span memory, void *scratch,
                             uint64_t scratch_bytes, mpak_part_data *data, mpak_fault *fault) {
  const mpak_part *part = &pack->parts[number];
  uint32_t chunks[PART_CHUNK_COUNT];
  const void *views[PART_CHUNK_COUNT];
  part_list_chunks(part, chunks);
  LAYOUT_TRY(pack_prepare(pack, scratch, fault));
  for (int i = 0; i < PART_CHUNK_COUNT; i++)
    LAYOUT_TRY(part_decode_chunk(pack, chunks[i], &memory, scratch, &views[i], fault));
  data->base = views[0];
  data->indices = views[1];
  data->index_bytes = views[1] ? pack->chunks[part->index_chunk].stride : 4;
  data->joints = views[2];
  data->weights = views[3];
  for (int i = 0; i < 4; i++) data->texcoords[i] = views[4 + i];
  data->colours = views[8];
  if (views[8]) data->colour_format = (mpak_element_format)pack->chunks[part->colour_chunk].format;
  return pack_decode_morph(pack, number, memory.at, memory.byte_count, scratch, scratch_bytes, &data->morph, fault);
}

mpak_result mpak_load_part(const mpak_pack *pack, uint32_t part, void *dst, uint64_t dst_bytes, void *scratch,
                           uint64_t scratch_bytes, mpak_part_data *data, mpak_fault *fault) {
  *data = (mpak_part_data){0};
  LAYOUT_REQUIRE(part < pack->part_count, MPAK_ERROR_ARGUMENT, "no such part", MPAK_NONE, part);
  LAYOUT_TRY(pack_check_memory(dst, dst_bytes, mpak_part_bytes(pack, part), fault));
  LAYOUT_TRY(pack_check_memory(scratch, scratch_bytes, mpak_scratch_bytes(pack), fault));
  mpak_result result = part_load(pack, part, (pack_span){dst, dst_bytes}, scratch, scratch_bytes, data, fault);
  if (result != MPAK_OK) *data = (mpak_part_data){0};
  return result;
}
