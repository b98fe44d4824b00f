// mt_rules_quantised.c: rules of quantised streams: QUAN, VQNT, TEXQ, and the narrow forms of JNTS and WGTS. The base
// is the stored character, whose first part gets the other kinds here: positions on a grid of one metre, normals along
// z.
#include "tests/support/mt_rules.h"

#include <stdlib.h>
#include <string.h>

/// Other bytes, and another kind, stride and format, for a chunk.
static void *quantised_replace(mt_pack *pack, uint32_t number, uint32_t kind, uint32_t format, uint32_t stride) {
  mt_chunk *chunk = &pack->chunks[number];
  free(chunk->bytes);
  chunk->bytes = calloc(chunk->entry.count, stride);
  if (chunk->bytes == NULL) abort();
  chunk->entry.kind = kind;
  chunk->entry.format = (uint8_t)format;
  chunk->entry.stride = stride;
  if (kind == MPAK_KIND_VQNT || kind == MPAK_KIND_TEXQ) chunk->entry.flags = MPAK_CHUNK_REQUIRED;
  return chunk->bytes;
}

static mpak_part *quantised_part(mt_pack *pack) { return (mpak_part *)mt_pack_find(pack, MPAK_KIND_PART)->bytes; }

/// All weight on joint 0 of the section.
static void quantised_skin(mt_pack *pack, uint32_t format) {
  const mpak_part *part = quantised_part(pack);
  const uint32_t influences = part->influence_count, small = format == MPAK_FORMAT_UNORM8;
  quantised_replace(pack, part->joint_chunk, MPAK_KIND_JNTS, MPAK_FORMAT_U8, influences);
  uint8_t *weights = quantised_replace(pack, part->weight_chunk, MPAK_KIND_WGTS, format, influences * (small ? 1 : 2));
  for (uint32_t v = 0; v < part->vertex_count; v++)
    memset(weights + v * influences * (small ? 1 : 2), 255, small ? 1 : 2);
  mpak_section *sections = (mpak_section *)mt_pack_find(pack, MPAK_KIND_SECT)->bytes;
  for (uint32_t s = 0; s < part->section_count; s++) sections[part->first_section + s].max_influences = 1;
}

#define QUANTISED_RECORDS 4u

void mt_pack_quantise(mt_pack *pack) {
  const mpak_part *part = quantised_part(pack);
  const mpak_quantisation records[QUANTISED_RECORDS] = {
      {0, MPAK_STREAM_POSITION, {0, 0, 0}, {1, 1, 1}},
      {0, MPAK_STREAM_NORMAL, {0, 0, 0}, {127, 0, 0}},
      {0, MPAK_STREAM_TANGENT, {0, 0, 0}, {64, 0, 0}},
      {0, 3, {0, 0, 0}, {0.5f, 0.25f, 0}},
  };
  quantised_replace(pack, part->base_chunk, MPAK_KIND_VQNT, MPAK_FORMAT_NONE, sizeof(mpak_quantised_vertex));
  quantised_replace(pack, part->texcoord_chunk[0], MPAK_KIND_TEXQ, MPAK_FORMAT_NONE, 4);
  quantised_skin(pack, MPAK_FORMAT_UNORM16);
  mt_pack_add(pack, MPAK_KIND_QUAN, MPAK_NONE, sizeof *records, QUANTISED_RECORDS, records);
}

static void quantised_patch_record(mt_pack *pack, uint32_t record, size_t offset, uint32_t value) {
  mt_pack_quantise(pack);
  mt_pack_patch_u32(pack, MPAK_KIND_QUAN, record, offset, value);
}

static void record_of_other_stream(mt_pack *pack) {
  quantised_patch_record(pack, 0, offsetof(mpak_quantisation, stream), 1);
}
static void record_of_other_part(mt_pack *pack) {
  quantised_patch_record(pack, 1, offsetof(mpak_quantisation, part), 1);
}
static void record_missing(mt_pack *pack) {
  mt_pack_quantise(pack);
  mt_pack_resize(pack, MPAK_KIND_QUAN, QUANTISED_RECORDS - 1);
}
static void record_too_many(mt_pack *pack) {
  mt_pack_quantise(pack);
  mt_pack_resize(pack, MPAK_KIND_QUAN, QUANTISED_RECORDS + 1);
}
static void grid_origin_wild(mt_pack *pack) {
  quantised_patch_record(pack, 0, offsetof(mpak_quantisation, origin) + 8, MT_NAN);
}
static void grid_step_zero(mt_pack *pack) { quantised_patch_record(pack, 3, offsetof(mpak_quantisation, step) + 4, 0); }
static void grid_step_negative(mt_pack *pack) {
  quantised_patch_record(pack, 0, offsetof(mpak_quantisation, step), MT_MINUS_1);
}
static void grid_end_infinite(mt_pack *pack) {
  quantised_patch_record(pack, 0, offsetof(mpak_quantisation, step), 0x7F000000u); // 1.7e38
}
static void grid_of_two_axes(mt_pack *pack) {
  quantised_patch_record(pack, 3, offsetof(mpak_quantisation, origin) + 8, MT_TEN);
}
static void direction_of_none(mt_pack *pack) {
  quantised_patch_record(pack, 1, offsetof(mpak_quantisation, step), 0x42FC0000u); // 126
}
static void direction_with_origin(mt_pack *pack) {
  quantised_patch_record(pack, 2, offsetof(mpak_quantisation, origin), MT_TEN);
}
static void places_of_none(mt_pack *pack) {
  quantised_patch_record(pack, 2, offsetof(mpak_quantisation, step), 0x42C00000u); // 96
}

static void number_of_normal(mt_pack *pack) {
  mt_pack_quantise(pack);
  mt_pack_patch(pack, MPAK_KIND_VQNT, 2, offsetof(mpak_quantised_vertex, normal) + 2, &(int16_t){-128}, 2);
}
static void number_of_no_normal(mt_pack *pack) {
  mt_pack_quantise(pack);
  mt_pack_patch(pack, MPAK_KIND_VQNT, 2, offsetof(mpak_quantised_vertex, normal), &(int16_t[2]){-32768, 1}, 4);
}
static void number_of_tangent(mt_pack *pack) {
  mt_pack_quantise(pack);
  mt_pack_patch(pack, MPAK_KIND_VQNT, 1, offsetof(mpak_quantised_vertex, tangent), &(uint16_t){64 << 1}, 2);
}
static void number_without_tangents(mt_pack *pack) {
  mt_pack_quantise(pack);
  mpak_quantisation *records = (mpak_quantisation *)mt_pack_find(pack, MPAK_KIND_QUAN)->bytes;
  quantised_part(pack)->flags &= ~(uint32_t)MPAK_PART_TANGENTS;
  records[2] = records[3];
  mt_pack_resize(pack, MPAK_KIND_QUAN, QUANTISED_RECORDS - 1);
  mt_pack_patch(pack, MPAK_KIND_VQNT, 1, offsetof(mpak_quantised_vertex, tangent), &(uint16_t){1}, 2);
}

static void small_joint(mt_pack *pack) {
  mt_pack_quantise(pack);
  mt_pack_patch(pack, MPAK_KIND_JNTS, 1, 0, &(uint8_t){200}, 1);
}
static void small_weight_sum(mt_pack *pack) {
  mt_pack_quantise(pack);
  quantised_skin(pack, MPAK_FORMAT_UNORM8);
  mt_pack_patch(pack, MPAK_KIND_WGTS, 1, 0, &(uint8_t){254}, 1);
}
static void weight_numbers_rise(mt_pack *pack) {
  mt_pack_quantise(pack);
  mt_pack_patch(pack, MPAK_KIND_WGTS, 1, 0, &(uint16_t[2]){1, 65534}, 4);
}
static void weight_numbers_more(mt_pack *pack) {
  mt_pack_quantise(pack);
  mt_pack_patch(pack, MPAK_KIND_WGTS, 1, 0, &(uint16_t[2]){65534, 1}, 4);
}
static void weights_as_joints(mt_pack *pack) {
  mt_pack_quantise(pack);
  mt_pack_find(pack, MPAK_KIND_WGTS)->entry.format = MPAK_FORMAT_U16;
}

static const mt_rule_case quantised_cases[] = {
    MT_CHANGE("QUAN: not the record that a quantised stream needs", MT_RULES_CSR64, record_of_other_stream),
    MT_CHANGE("QUAN: not the record that a quantised stream needs", MT_RULES_CSR64, record_of_other_part),
    MT_CHANGE("QUAN: not the record that a quantised stream needs", MT_RULES_CSR64, record_missing),
    MT_CHANGE("QUAN: a record that no stream needs", MT_RULES_CSR64, record_too_many),
    MT_CHANGE("QUAN: a grid is none", MT_RULES_CSR64, grid_origin_wild),
    MT_CHANGE("QUAN: a grid is none", MT_RULES_CSR64, grid_step_zero),
    MT_CHANGE("QUAN: a grid is none", MT_RULES_CSR64, grid_step_negative),
    MT_CHANGE("QUAN: a grid is none", MT_RULES_CSR64, grid_end_infinite),
    MT_CHANGE("QUAN: a grid is none", MT_RULES_CSR64, grid_of_two_axes),
    MT_CHANGE("QUAN: no step of a direction", MT_RULES_CSR64, direction_of_none),
    MT_CHANGE("QUAN: no step of a direction", MT_RULES_CSR64, direction_with_origin),
    MT_CHANGE("QUAN: no step of a direction", MT_RULES_CSR64, places_of_none),
    MT_CHANGE("VQNT: a normal is past its grid", MT_RULES_CSR64, number_of_normal),
    MT_CHANGE("VQNT: a normal is past its grid", MT_RULES_CSR64, number_of_no_normal),
    MT_CHANGE("VQNT: a tangent is past its grid", MT_RULES_CSR64, number_of_tangent),
    MT_CHANGE("VQNT: a tangent in a part without tangents", MT_RULES_CSR64, number_without_tangents),
    MT_CHANGE("JNTS: a joint is past its section's bones", MT_RULES_CSR64, small_joint),
    MT_CHANGE("WGTS: weights do not sum to 1", MT_RULES_CSR64, small_weight_sum),
    MT_CHANGE("WGTS: weights do not fall", MT_RULES_CSR64, weight_numbers_rise),
    MT_CHANGE("WGTS: the section's max_influences is another number", MT_RULES_CSR64, weight_numbers_more),
    MT_CHANGE("chunk: wrong format for its kind", MT_RULES_CSR64, weights_as_joints),
    {.rule = "chunk: it expands to more than the caller allows",
     .result = MPAK_ERROR_LIMIT,
     .base = MT_RULES_CSR64,
     .change = mt_pack_quantise,
     .max_decoded_bytes = MT_RULES_EXACT_LIMIT},
};

mt_rule_list mt_rules_quantised(void) {
  return (mt_rule_list){quantised_cases, sizeof quantised_cases / sizeof quantised_cases[0]};
}
