// verify_chunks.c: parts and their data chunks fit one another. A part names each of its chunks once, a chunk names its
// part, and kind, record and count are exactly what the part says; so nothing is shared, missing or left over.
#include "runtime/pack/pack_internal.h"

/// One reference of a part, and what must be found there.
typedef struct chunk_reference {
  uint32_t chunk; ///< number, or MPAK_NONE
  uint32_t kind;
  uint64_t count;  ///< 0: there must be no chunk
  uint32_t stride; ///< 0: any (the kind fixes it, or layout_check has compared it with the format)
  uint8_t slot;
  bool may_lack; ///< the chunk may be absent although count is not 0
} chunk_reference;

#define CHUNK_REFERENCE_COUNT 14

/// Which of two kinds a chunk must be: the second where it is that, else the first.
static uint32_t chunk_kind_of(const mpak_pack *pack, uint32_t chunk, uint32_t first, uint32_t second) {
  return chunk < pack->chunk_count && pack->chunks[chunk].kind == second ? second : first;
}

/// Bytes of an element of a chunk; of a format that it might have where it has none.
static uint32_t chunk_element_bytes(const mpak_pack *pack, uint32_t chunk, uint32_t usual_format) {
  const uint32_t bytes = chunk < pack->chunk_count ? layout_format_bytes(pack->chunks[chunk].format) : 0;
  return bytes != 0 ? bytes : layout_format_bytes(usual_format);
}

/// The references of a part in the order of its members.
static void chunk_references_of(const mpak_pack *pack, const mpak_part *part, chunk_reference *list) {
  bool is_csr = part->payload == MPAK_PAYLOAD_CSR64, is_blocks = pack_is_morphed_by_blocks(part);
  uint32_t n = 0, vertices = part->vertex_count, influences = part->influence_count;
  uint32_t skinned_vertices = influences ? vertices : 0;
  uint32_t base_kind = chunk_kind_of(pack, part->base_chunk, MPAK_KIND_VBAS, MPAK_KIND_VQNT);
  list[n++] = (chunk_reference){part->base_chunk, base_kind, vertices, 0, 0, false};
  list[n++] = (chunk_reference){part->index_chunk, MPAK_KIND_INDX, part->index_count, 0, 0, false};
  uint32_t joint_bytes = influences * chunk_element_bytes(pack, part->joint_chunk, MPAK_FORMAT_U16);
  uint32_t weight_bytes = influences * chunk_element_bytes(pack, part->weight_chunk, MPAK_FORMAT_F32);
  list[n++] = (chunk_reference){part->joint_chunk, MPAK_KIND_JNTS, skinned_vertices, joint_bytes, 0, false};
  list[n++] = (chunk_reference){part->weight_chunk, MPAK_KIND_WGTS, skinned_vertices, weight_bytes, 0, false};
  for (uint8_t slot = 0; slot < 4; slot++) {
    uint32_t kind = chunk_kind_of(pack, part->texcoord_chunk[slot], MPAK_KIND_TEXC, MPAK_KIND_TEXQ);
    list[n++] = (chunk_reference){part->texcoord_chunk[slot], kind, vertices, 0, slot, true};
  }
  list[n++] = (chunk_reference){part->colour_chunk, MPAK_KIND_COLR, vertices, 0, 0, true};
  uint64_t first = is_csr ? (uint64_t)vertices + 1 : is_blocks ? part->group_count : 0;
  uint64_t second = is_csr ? part->delta_count : is_blocks ? part->run_count : 0;
  uint64_t third = is_blocks ? part->delta_count : 0;
  uint32_t lane_bytes = 4 * mpak_payload_words(part->payload, part->components);
  list[n++] = (chunk_reference){part->morph_chunk[0], is_csr ? MPAK_KIND_MOFF : MPAK_KIND_MGRP, first, 0, 0, false};
  list[n++] = (chunk_reference){part->morph_chunk[1], is_csr ? MPAK_KIND_MDEL : MPAK_KIND_MRUN, second, 0, 0, false};
  list[n++] = (chunk_reference){part->morph_chunk[2], MPAK_KIND_MPAY, third, lane_bytes, 0, false};
  list[n++] = (chunk_reference){part->pack_of_source_chunk, MPAK_KIND_PKOS, part->source_vertex_count, 0, 0, true};
  list[n++] = (chunk_reference){part->source_of_pack_chunk, MPAK_KIND_SRCP, vertices, 0, 0, true};
}

static mpak_result chunk_verify_reference(const mpak_pack *pack, uint32_t part, const chunk_reference *reference,
                                          mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_PART;
  if (reference->chunk == MPAK_NONE) {
    PACK_REQUIRE(reference->may_lack || reference->count == 0, kind, "PART: a chunk is missing", part);
    return MPAK_OK;
  }
  PACK_REQUIRE(reference->chunk < pack->chunk_count, kind, "PART: a chunk is past the chunk table", part);
  const mpak_chunk_entry *chunk = &pack->chunks[reference->chunk];
  PACK_REQUIRE(chunk->kind == reference->kind, kind, "PART: a chunk is of another kind", part);
  PACK_REQUIRE(chunk->owner == part, kind, "PART: a chunk belongs to another part", part);
  PACK_REQUIRE(chunk->slot == reference->slot, kind, "PART: a chunk is of another slot", part);
  PACK_REQUIRE(chunk->count == reference->count, kind, "PART: a chunk has another count than the part says", part);
  PACK_REQUIRE(reference->stride == 0 || chunk->stride == reference->stride, kind,
               "PART: a chunk has another stride than the part says", part);
  return MPAK_OK;
}

/// Frames are read by the payload, and room for them is made by the format: the two must agree.
static mpak_result chunk_verify_payload_format(const mpak_pack *pack, uint32_t number, mpak_fault *fault) {
  const mpak_part *part = &pack->parts[number];
  uint32_t chunk = part->morph_chunk[2];
  PACK_REQUIRE(chunk == MPAK_NONE || pack->chunks[chunk].format == mpak_payload_format(part->payload), MPAK_KIND_PART,
               "PART: a chunk has another format than the part says", number);
  return MPAK_OK;
}

/// Does the part that a chunk names refer to it?
static bool chunk_is_referred_to(const mpak_pack *pack, uint32_t number) {
  chunk_reference list[CHUNK_REFERENCE_COUNT];
  chunk_references_of(pack, &pack->parts[pack->chunks[number].owner], list);
  for (uint32_t i = 0; i < CHUNK_REFERENCE_COUNT; i++)
    if (list[i].chunk == number) return true;
  return false;
}

mpak_result pack_verify_chunks(const mpak_pack *pack, mpak_fault *fault) {
  for (uint32_t i = 0; i < pack->part_count; i++) {
    chunk_reference list[CHUNK_REFERENCE_COUNT];
    chunk_references_of(pack, &pack->parts[i], list);
    for (uint32_t k = 0; k < CHUNK_REFERENCE_COUNT; k++) LAYOUT_TRY(chunk_verify_reference(pack, i, &list[k], fault));
    LAYOUT_TRY(chunk_verify_payload_format(pack, i, fault));
    PACK_REQUIRE((pack->parts[i].pack_of_source_chunk == MPAK_NONE) ==
                     (pack->parts[i].source_of_pack_chunk == MPAK_NONE),
                 MPAK_KIND_PART, "PART: half a source map", i);
  }
  for (uint32_t i = 0; i < pack->chunk_count; i++) {
    const layout_kind *kind = layout_kind_find(pack->chunks[i].kind);
    if (!kind || kind->place != LAYOUT_PART_DATA) continue;
    LAYOUT_REQUIRE(pack->chunks[i].owner < pack->part_count, MPAK_ERROR_CORRUPT, "chunk: owner is past the parts", i,
                   0);
    LAYOUT_REQUIRE(chunk_is_referred_to(pack, i), MPAK_ERROR_CORRUPT, "chunk: its part does not refer to it", i, 0);
  }
  return MPAK_OK;
}
