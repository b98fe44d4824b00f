// tables_chunks.c: finished tables and streams become the list of chunks, in the order of the file (SPEC.md).
#include <string.h>

#include "cooker/pack/tables.h"
#include "format/layout.h"
#include "format/morph_payload.h"

uint32_t tables_add_chunk(pack_tables *tables, uint32_t kind, uint32_t owner, uint32_t stride, uint64_t count,
                          const void *bytes) {
  if (count == 0) return MPAK_NONE;
  if (tables->chunk_count == tables->chunk_capacity) {
    tables->chunk_capacity = tables->chunk_capacity ? tables->chunk_capacity * 2 : 64;
    pack_chunk *grown = JOB_ARRAY(tables->job, pack_chunk, tables->chunk_capacity);
    if (tables->chunk_count) memcpy(grown, tables->chunks, tables->chunk_count * sizeof *grown);
    tables->chunks = grown;
  }
  const layout_kind *fixed = layout_kind_find(kind);
  tables->chunks[tables->chunk_count] = (pack_chunk){
      .kind = kind,
      .owner = owner,
      .format = fixed->format == LAYOUT_FORMAT_VARIES ? MPAK_FORMAT_NONE : fixed->format,
      .flags = fixed->flags,
      .stride = stride,
      .count = tables_count(tables->job, count, UINT32_MAX, "records of a chunk"),
      .bytes = bytes,
      .is_table = fixed->place == LAYOUT_TABLE,
  };
  return tables->chunk_count++;
}

// -- Streams of a part -----------------------------------------------------------------------------------------------

static void chunks_add_static(pack_tables *tables, uint32_t number, mpak_part *part) {
  const cook_primitive *primitive = tables->part_sources[number].primitive;
  for (uint32_t slot = 0; slot < 4; ++slot) {
    uint64_t count = primitive->texcoords[slot] ? part->vertex_count : 0;
    part->texcoord_chunk[slot] = tables_add_quantised_texcoords(tables, number, slot);
    if (part->texcoord_chunk[slot] == MPAK_NONE)
      part->texcoord_chunk[slot] =
          tables_add_chunk(tables, MPAK_KIND_TEXC, number, 2 * sizeof(float), count, primitive->texcoords[slot]);
    if (count) tables->chunks[part->texcoord_chunk[slot]].slot = (uint8_t)slot;
  }
  part->colour_chunk = tables_add_chunk(tables, MPAK_KIND_COLR, number, layout_format_bytes(primitive->colour_format),
                                        primitive->colours ? part->vertex_count : 0, primitive->colours);
  if (part->colour_chunk != MPAK_NONE) tables->chunks[part->colour_chunk].format = primitive->colour_format;
}

static void chunks_add_joints(pack_tables *tables, uint32_t number, mpak_part *part) {
  const uint32_t stride = part->influence_count * (uint32_t)sizeof(uint16_t);
  part->joint_chunk = tables_add_quantised_joints(tables, number);
  if (part->joint_chunk != MPAK_NONE) return;
  part->joint_chunk = tables_add_chunk(tables, MPAK_KIND_JNTS, number, stride, part->vertex_count,
                                       tables->part_sources[number].sections.local_joints);
  tables->chunks[part->joint_chunk].format = MPAK_FORMAT_U16;
}

static void chunks_add_weights(pack_tables *tables, uint32_t number, mpak_part *part) {
  const uint32_t stride = part->influence_count * (uint32_t)sizeof(float);
  part->weight_chunk = tables_add_quantised_weights(tables, number);
  if (part->weight_chunk != MPAK_NONE) return;
  part->weight_chunk = tables_add_chunk(tables, MPAK_KIND_WGTS, number, stride, part->vertex_count,
                                        tables->part_sources[number].primitive->weights);
  tables->chunks[part->weight_chunk].format = MPAK_FORMAT_F32;
}

static void chunks_add_skin(pack_tables *tables, uint32_t number, mpak_part *part) {
  part->joint_chunk = part->weight_chunk = MPAK_NONE;
  if (part->influence_count == 0) return;
  chunks_add_joints(tables, number, part);
  chunks_add_weights(tables, number, part);
}

static uint16_t *chunks_short_indices(cook_job *job, const uint32_t *indices, uint32_t count) {
  uint16_t *shorts = JOB_ARRAY(job, uint16_t, count);
  for (uint32_t i = 0; i < count; ++i) shorts[i] = (uint16_t)indices[i];
  return shorts;
}

static void chunks_add_indices(pack_tables *tables, uint32_t number, mpak_part *part) {
  const cook_primitive *primitive = tables->part_sources[number].primitive;
  bool is_short = part->vertex_count <= 65535;
  const void *bytes = primitive->indices;
  if (is_short) bytes = chunks_short_indices(tables->job, primitive->indices, part->index_count);
  part->index_chunk = tables_add_chunk(tables, MPAK_KIND_INDX, number, is_short ? 2 : 4, part->index_count, bytes);
  if (part->index_chunk == MPAK_NONE) return;
  tables->chunks[part->index_chunk].format = is_short ? MPAK_FORMAT_U16 : MPAK_FORMAT_U32;
  tables->chunks[part->index_chunk].indices = primitive->indices;
}

static void chunks_add_csr(pack_tables *tables, uint32_t number, mpak_part *part) {
  const cook_gpu_morph *morph = &tables->part_sources[number].morph;
  part->morph_chunk[0] = tables_add_chunk(tables, MPAK_KIND_MOFF, number, sizeof(uint32_t),
                                          (uint64_t)part->vertex_count + 1, morph->vertex_offsets);
  part->morph_chunk[1] =
      tables_add_chunk(tables, MPAK_KIND_MDEL, number, sizeof(mpak_csr_delta), morph->delta_count, morph->deltas);
}

static void chunks_add_blocks(pack_tables *tables, uint32_t number, mpak_part *part) {
  const cook_blocks *blocks = &tables->part_sources[number].blocks;
  part->morph_chunk[0] =
      tables_add_chunk(tables, MPAK_KIND_MGRP, number, sizeof(mpak_morph_group), blocks->group_count, blocks->groups);
  part->morph_chunk[1] =
      tables_add_chunk(tables, MPAK_KIND_MRUN, number, sizeof(mpak_morph_run), blocks->run_count, blocks->runs);
  part->morph_chunk[2] = tables_add_chunk(tables, MPAK_KIND_MPAY, number, 4 * blocks->lane_words, blocks->delta_count,
                                          blocks->payload_words);
  if (part->morph_chunk[2] == MPAK_NONE) return;
  tables->chunks[part->morph_chunk[2]].blocks = blocks;
  tables->chunks[part->morph_chunk[2]].format = (uint8_t)mpak_payload_format(blocks->payload);
}

static uint32_t *chunks_identity(cook_job *job, uint32_t count) {
  uint32_t *numbers = JOB_ARRAY(job, uint32_t, count);
  for (uint32_t i = 0; i < count; ++i) numbers[i] = i;
  return numbers;
}

static void chunks_add_source_map(pack_tables *tables, uint32_t number, mpak_part *part) {
  const cook_primitive *primitive = tables->part_sources[number].primitive;
  const uint32_t *pack_of_source = primitive->vertex_of_source, *source_of_pack = primitive->source_of_vertex;
  if (!pack_of_source) pack_of_source = chunks_identity(tables->job, part->source_vertex_count);
  if (!source_of_pack) source_of_pack = chunks_identity(tables->job, part->vertex_count);
  part->pack_of_source_chunk =
      tables_add_chunk(tables, MPAK_KIND_PKOS, number, sizeof(uint32_t), part->source_vertex_count, pack_of_source);
  part->source_of_pack_chunk =
      tables_add_chunk(tables, MPAK_KIND_SRCP, number, sizeof(uint32_t), part->vertex_count, source_of_pack);
}

void tables_add_part_chunks(pack_tables *tables, uint32_t number) {
  mpak_part *part = &tables->parts[number];
  for (int i = 0; i < 3; ++i) part->morph_chunk[i] = MPAK_NONE;
  part->pack_of_source_chunk = part->source_of_pack_chunk = MPAK_NONE;
  part->base_chunk = tables_add_quantised_base(tables, number);
  if (part->base_chunk == MPAK_NONE)
    part->base_chunk = tables_add_chunk(tables, MPAK_KIND_VBAS, number, sizeof(mpak_base_vertex), part->vertex_count,
                                        tables->part_sources[number].morph.base_vertices);
  chunks_add_static(tables, number, part);
  chunks_add_skin(tables, number, part);
  chunks_add_indices(tables, number, part);
  if (part->payload == MPAK_PAYLOAD_CSR64) chunks_add_csr(tables, number, part);
  if (mpak_payload_is_blk64(part->payload)) chunks_add_blocks(tables, number, part);
  if (tables->options->source_map) chunks_add_source_map(tables, number, part);
}

// -- All -------------------------------------------------------------------------------------------------------------

#define CHUNKS_TABLE(kind, records, count)                                                                             \
  tables_add_chunk(tables, MPAK_KIND_##kind, MPAK_NONE, (uint32_t)sizeof *tables->records, tables->count,              \
                   tables->records)

static void chunks_add_tables(pack_tables *tables) {
  tables_add_chunk(tables, MPAK_KIND_STRS, MPAK_NONE, 1, tables->strings.byte_count, tables->strings.bytes);
  CHUNKS_TABLE(NODE, nodes, node_count);
  CHUNKS_TABLE(INST, instances, instance_count);
  CHUNKS_TABLE(IWGT, instance_weights, instance_weight_count);
  CHUNKS_TABLE(SKIN, skins, skin_count);
  CHUNKS_TABLE(JONT, joints, joint_count);
  CHUNKS_TABLE(MESH, meshes, mesh_count);
  CHUNKS_TABLE(PART, parts, part_count);
  CHUNKS_TABLE(CTRL, controls, control_count);
  CHUNKS_TABLE(SHAP, shapes, shape_count);
  CHUNKS_TABLE(RULE, rules, rule_count);
  CHUNKS_TABLE(RPTS, rule_points, rule_point_count);
  CHUNKS_TABLE(SECT, sections, section_count);
  CHUNKS_TABLE(BMAP, bones, bone_count);
  CHUNKS_TABLE(LODS, lods, lod_count);
  CHUNKS_TABLE(RBON, required_bones, required_bone_count);
  CHUNKS_TABLE(MATL, materials, material_count);
  CHUNKS_TABLE(CLIP, clips, clip_count);
  CHUNKS_TABLE(TRAK, tracks, track_count);
  CHUNKS_TABLE(ERRS, errors, error_count);
  CHUNKS_TABLE(META, metas, meta_count);
  CHUNKS_TABLE(QUAN, quantisations, quantisation_count);
}

void tables_make_chunks(pack_tables *tables) {
  chunks_add_tables(tables); // the table of parts is filled in below, before anything is written
  for (uint32_t p = 0; p < tables->part_count; ++p) tables_add_part_chunks(tables, p);
  CHUNKS_TABLE(KEYT, key_times, key_time_count);
  CHUNKS_TABLE(KEYV, key_values, key_value_count);
  CHUNKS_TABLE(ANIM, animation, animation_bytes);
}
