// open.c: mpak_open. First the frame of the file (format/layout.c), then views of the tables, then the tables in an
// order in which each is checked against tables that are already known to be sound.
#include "runtime/pack/pack_internal.h"

#define PACK_DEFAULT_MAX_DECODED_BYTES (UINT64_C(1) << 30)

mpak_result pack_refuse(const mpak_pack *pack, mpak_fault *fault, uint32_t kind, const char *rule, uint64_t item) {
  uint32_t chunk = MPAK_NONE;
  for (uint32_t i = 0; i < pack->chunk_count && chunk == MPAK_NONE; i++)
    if (pack->chunks[i].kind == kind) chunk = i;
  return layout_fail(fault, MPAK_ERROR_CORRUPT, rule, chunk, item);
}

/// Points one member of the pack at a table; false when it is there already.
#define OPEN_TABLE(table_kind, pointer, pointer_count)                                                                 \
  case table_kind:                                                                                                     \
    if (pack->pointer) return false;                                                                                   \
    pack->pointer = at;                                                                                                \
    pack->pointer_count = chunk->count;                                                                                \
    return true

static bool open_set_view(mpak_pack *pack, uint32_t number) {
  const mpak_chunk_entry *chunk = &pack->chunks[number];
  const void *at = pack->bytes + chunk->offset;
  uint32_t *data_chunk = chunk->kind == MPAK_KIND_KEYT   ? &pack->key_time_chunk
                         : chunk->kind == MPAK_KIND_KEYV ? &pack->key_value_chunk
                                                         : &pack->animation_chunk;
  switch (chunk->kind) {
    OPEN_TABLE(MPAK_KIND_STRS, strings, string_bytes);
    OPEN_TABLE(MPAK_KIND_NODE, nodes, node_count);
    OPEN_TABLE(MPAK_KIND_INST, instances, instance_count);
    OPEN_TABLE(MPAK_KIND_IWGT, instance_weights, instance_weight_count);
    OPEN_TABLE(MPAK_KIND_SKIN, skins, skin_count);
    OPEN_TABLE(MPAK_KIND_JONT, joints, joint_count);
    OPEN_TABLE(MPAK_KIND_MESH, meshes, mesh_count);
    OPEN_TABLE(MPAK_KIND_PART, parts, part_count);
    OPEN_TABLE(MPAK_KIND_CTRL, controls, control_count);
    OPEN_TABLE(MPAK_KIND_SHAP, shapes, shape_count);
    OPEN_TABLE(MPAK_KIND_RULE, rules, rule_count);
    OPEN_TABLE(MPAK_KIND_RPTS, rule_points, rule_point_count);
    OPEN_TABLE(MPAK_KIND_SECT, sections, section_count);
    OPEN_TABLE(MPAK_KIND_BMAP, bones, bone_count);
    OPEN_TABLE(MPAK_KIND_LODS, lods, lod_count);
    OPEN_TABLE(MPAK_KIND_RBON, required_bones, required_bone_count);
    OPEN_TABLE(MPAK_KIND_MATL, materials, material_count);
    OPEN_TABLE(MPAK_KIND_CLIP, clips, clip_count);
    OPEN_TABLE(MPAK_KIND_TRAK, tracks, track_count);
    OPEN_TABLE(MPAK_KIND_ERRS, errors, error_count);
    OPEN_TABLE(MPAK_KIND_META, metas, meta_count);
    OPEN_TABLE(MPAK_KIND_QUAN, quantisations, quantisation_count);
  case MPAK_KIND_KEYT:
  case MPAK_KIND_KEYV:
  case MPAK_KIND_ANIM:
    if (*data_chunk != MPAK_NONE) return false;
    *data_chunk = number;
    return true;
  default: return true;
  }
}

static mpak_result open_set_views(mpak_pack *pack, mpak_fault *fault) {
  pack->key_time_chunk = MPAK_NONE;
  pack->key_value_chunk = MPAK_NONE;
  pack->animation_chunk = MPAK_NONE;
  for (uint32_t i = 0; i < pack->chunk_count; i++)
    LAYOUT_REQUIRE(open_set_view(pack, i), MPAK_ERROR_CORRUPT, "chunk: its kind occurs twice", i, 0);
  return MPAK_OK;
}

/// What decoding all blk64 parts and quantised streams makes beside the chunks joins the caller's budget before anyone
/// allots it.
static mpak_result open_check_budget(const mpak_pack *pack, uint64_t max_decoded_bytes, mpak_fault *fault) {
  uint64_t sum = pack->header->decoded_bytes;
  for (uint32_t i = 0; i < pack->chunk_count; i++) {
    if (bytes_add(sum, pack_expanded_bytes(pack, i), &sum) && sum <= max_decoded_bytes) continue;
    return layout_fail(fault, MPAK_ERROR_LIMIT, "chunk: it expands to more than the caller allows", i, 0);
  }
  for (uint32_t i = 0; i < pack->part_count; i++) {
    const mpak_part *part = &pack->parts[i];
    if (!pack_is_morphed_by_blocks(part)) continue;
    uint64_t made = sizeof(mpak_morph_entry) * (uint64_t)part->entry_count +
                    sizeof(mpak_morph_block) * ((uint64_t)part->block_count + 1);
    if (bytes_add(sum, made, &sum) && sum <= max_decoded_bytes) continue;
    pack_refuse(pack, fault, MPAK_KIND_PART, "PART: blocks and entries take more than the caller allows", i);
    return MPAK_ERROR_LIMIT;
  }
  return MPAK_OK;
}

static mpak_result open_verify(const mpak_pack *pack, uint64_t max_decoded_bytes, mpak_fault *fault) {
  LAYOUT_TRY(pack_verify_strings(pack, fault));
  LAYOUT_TRY(pack_verify_scene(pack, fault));
  LAYOUT_TRY(pack_verify_meshes(pack, fault));
  LAYOUT_TRY(pack_verify_rules(pack, fault));
  LAYOUT_TRY(pack_verify_parts(pack, fault));
  LAYOUT_TRY(pack_verify_chunks(pack, fault));
  LAYOUT_TRY(pack_verify_quantised(pack, fault));
  LAYOUT_TRY(pack_verify_instances(pack, fault));
  LAYOUT_TRY(pack_verify_clips(pack, fault));
  return open_check_budget(pack, max_decoded_bytes, fault);
}

static mpak_result open_into(const void *bytes, uint64_t byte_count, const mpak_open_options *options, mpak_pack *pack,
                             mpak_fault *fault) {
  LAYOUT_REQUIRE(bytes && byte_count <= SIZE_MAX, MPAK_ERROR_ARGUMENT, "no bytes", MPAK_NONE, 0);
  LAYOUT_REQUIRE(bytes_is_aligned(bytes, MPAK_CHUNK_ALIGNMENT), MPAK_ERROR_ALIGNMENT, "bytes are not 64-byte aligned",
                 MPAK_NONE, 0);
  layout_options limits = {.max_decoded_bytes = PACK_DEFAULT_MAX_DECODED_BYTES};
  if (options) limits.skip_chunk_hashes = options->skip_chunk_hashes;
  if (options && options->max_decoded_bytes) limits.max_decoded_bytes = options->max_decoded_bytes;
  LAYOUT_TRY(layout_check(bytes, byte_count, &limits, fault));
  pack->bytes = bytes;
  pack->byte_count = byte_count;
  pack->header = bytes;
  pack->chunks = (const mpak_chunk_entry *)(pack->bytes + pack->header->table_offset);
  pack->chunk_count = pack->header->chunk_count;
  if (options && options->decoder) pack->decoder = *options->decoder;
  LAYOUT_TRY(open_set_views(pack, fault));
  return open_verify(pack, limits.max_decoded_bytes, fault);
}

mpak_result mpak_open(const void *bytes, uint64_t byte_count, const mpak_open_options *options, mpak_pack *pack,
                      mpak_fault *fault) {
  if (fault) *fault = (mpak_fault){.rule = NULL, .chunk = MPAK_NONE};
  if (!pack) return layout_fail(fault, MPAK_ERROR_ARGUMENT, "no pack", MPAK_NONE, 0);
  *pack = (mpak_pack){0};
  mpak_result result = open_into(bytes, byte_count, options, pack, fault);
  if (result != MPAK_OK) *pack = (mpak_pack){0};
  return result;
}
