// mt_rules_data.c: rules of the data chunks, which decoding checks: base, indices, skin, colours, source map, deltas.
#include "tests/support/mt_rules.h"

#include <stdlib.h>
#include <string.h>

static mpak_part *data_part(mt_pack *pack) { return (mpak_part *)mt_pack_find(pack, MPAK_KIND_PART)->bytes; }
static mpak_shape *data_shapes(mt_pack *pack) { return (mpak_shape *)mt_pack_find(pack, MPAK_KIND_SHAP)->bytes; }
static mpak_morph_run *data_runs(mt_pack *pack) { return (mpak_morph_run *)mt_pack_find(pack, MPAK_KIND_MRUN)->bytes; }
static mpak_morph_group *data_groups(mt_pack *pack) {
  return (mpak_morph_group *)mt_pack_find(pack, MPAK_KIND_MGRP)->bytes;
}

/// Part 1 has 32-bit indices; its chunk is not the first of the kind.
static void index_long_outside(mt_pack *pack) {
  uint32_t *indices = (uint32_t *)pack->chunks[data_part(pack)[1].index_chunk].bytes;
  indices[4] = 4;
}

/// Other bytes in the frame of the first part's triangles: the start of next, a code for each triangle, then data.
static void stream_make(mt_pack *pack, const char *next, uint8_t code, uint32_t data_bytes) {
  static uint8_t stream[1024];
  mt_chunk *chunk = mt_pack_find(pack, MPAK_KIND_INDX);
  const uint32_t triangles = chunk->entry.count / 3, next_bytes = (uint32_t)strlen(next);
  if (next_bytes + triangles + data_bytes > sizeof stream) abort();
  memcpy(stream, next, next_bytes);
  memset(stream + next_bytes, code, triangles);
  memset(stream + next_bytes + triangles, 0, data_bytes);
  chunk->stream = stream;
  chunk->stream_bytes = next_bytes + triangles + data_bytes;
}
static void stream_without_codes(mt_pack *pack) {
  stream_make(pack, "\x01", 0xF0, 0);
  mt_pack_find(pack, MPAK_KIND_INDX)->stream_bytes--;
}
static void stream_without_numbers(mt_pack *pack) { stream_make(pack, "\x01", 0x0F, 1); } // each needs a byte
static void stream_without_pair(mt_pack *pack) { stream_make(pack, "\x01", 0xFE, 0); }
static void stream_of_33_bits(mt_pack *pack) { stream_make(pack, "\xFF\xFF\xFF\xFF\x10", 0xF0, 0); }
static void stream_of_six_groups(mt_pack *pack) { stream_make(pack, "\x81\x81\x81\x81\x81\x01", 0xF0, 0); }
static void stream_of_more(mt_pack *pack) { stream_make(pack, "\x01", 0xF0, 1); }
static void stream_of_65536(mt_pack *pack) { stream_make(pack, "\xFE\xFF\x03", 0xF0, 0); } // 65,534, 65,535, 65,536
static void stream_outside(mt_pack *pack) { stream_make(pack, "\x49", 0xF0, 0); }          // 73, 74, 75

static void base_tangent_of_none(mt_pack *pack) { data_part(pack)->flags &= ~(uint32_t)MPAK_PART_TANGENTS; }

/// As many colours of another format, all zero.
static mt_chunk *colours_make(mt_pack *pack, mpak_element_format format, uint32_t stride) {
  mt_chunk *colours = mt_pack_find(pack, MPAK_KIND_COLR);
  uint32_t count = colours->entry.count;
  colours->entry.stride = stride;
  colours->entry.count = 0;
  mt_pack_resize(pack, MPAK_KIND_COLR, count);
  colours->entry.format = (uint8_t)format;
  return colours;
}

/// The first lacks the fourth component that is full in the others.
static void colours_short(mt_pack *pack) {
  mt_chunk *colours = colours_make(pack, MPAK_FORMAT_UNORM16X3, 8);
  for (uint32_t i = 1; i < colours->entry.count; i++) memset(colours->bytes + 8 * (size_t)i + 6, 0xFF, 2);
}

static void colours_wild(mt_pack *pack) {
  mt_chunk *colours = colours_make(pack, MPAK_FORMAT_F32X3, 12);
  mt_pack_patch_u32(pack, MPAK_KIND_COLR, colours->entry.count - 1, 8, MT_NAN);
}

static void weights_sum(mt_pack *pack) { mt_pack_patch(pack, MPAK_KIND_WGTS, 3, 4, &(float){0.2f}, 4); }
static void weights_rise(mt_pack *pack) {
  mt_pack_patch(pack, MPAK_KIND_WGTS, 3, 0, (const float[2]){0.25f, 0.75f}, 8);
}
static void weights_three(mt_pack *pack) {
  mt_pack_patch(pack, MPAK_KIND_WGTS, 3, 0, (const float[3]){0.5f, 0.25f, 0.25f}, 12);
}
static void weights_fewer(mt_pack *pack) {
  ((mpak_section *)mt_pack_find(pack, MPAK_KIND_SECT)->bytes)[0].max_influences = 3;
}

/// Two shapes swap in the records, so that their deltas are one less and one more.
static void shapes_swap_counts(mt_pack *pack) {
  data_shapes(pack)[0].delta_count--;
  data_shapes(pack)[1].delta_count++;
}

/// Vertex 1 has deltas of shapes 0 and 1: their numbers swap.
static void csr_swap_shapes(mt_pack *pack) {
  const uint32_t *offsets = (const uint32_t *)mt_pack_find(pack, MPAK_KIND_MOFF)->bytes;
  mpak_csr_delta *deltas = (mpak_csr_delta *)mt_pack_find(pack, MPAK_KIND_MDEL)->bytes + offsets[1];
  deltas[0].metadata[0] = 1;
  deltas[1].metadata[0] = 0;
}

static void csr_repeat_shape(mt_pack *pack) {
  const uint32_t *offsets = (const uint32_t *)mt_pack_find(pack, MPAK_KIND_MOFF)->bytes;
  mpak_csr_delta *deltas = (mpak_csr_delta *)mt_pack_find(pack, MPAK_KIND_MDEL)->bytes + offsets[1];
  deltas[0].metadata[0] = 1;
}

static void csr_no_normals(mt_pack *pack) { data_part(pack)->flags = MPAK_PART_TANGENTS | MPAK_PART_MORPH_TANGENTS; }
static void csr_no_tangents(mt_pack *pack) { data_part(pack)->flags = MPAK_PART_TANGENTS | MPAK_PART_MORPH_NORMALS; }

static void groups_same(mt_pack *pack) { data_groups(pack)[1].shape = 0; }
static void groups_fall(mt_pack *pack) {
  data_groups(pack)[0].shape = 1;
  data_groups(pack)[1].shape = 0;
}
static void groups_no_run(mt_pack *pack) {
  data_groups(pack)[0].run_count += data_groups(pack)[1].run_count;
  data_groups(pack)[1].run_count = 0;
}

/// The first run of shape 0 is vertices 1, 2; the second 4, 5: close the gap.
static void runs_touch(mt_pack *pack) { data_runs(pack)[1].skip = 0; }
static void runs_empty(mt_pack *pack) { data_runs(pack)[1].length = 0; }
static void runs_past_end(mt_pack *pack) { data_runs(pack)[1].skip = UINT32_MAX; }
static void runs_long(mt_pack *pack) { data_runs(pack)[0].length = UINT32_MAX; }

/// The last shape moves vertices 0, 2 and the last: the run of vertex 2 takes vertex 3 too.
static void runs_longer(mt_pack *pack) {
  mpak_morph_run *end = data_runs(pack) + mt_pack_find(pack, MPAK_KIND_MRUN)->entry.count;
  end[-2].length++;
  end[-1].skip--;
}

static void runs_shorter(mt_pack *pack) {
  data_runs(pack)[0].length--;
  data_runs(pack)[1].skip++;
}
static void entries_fewer(mt_pack *pack) { data_part(pack)->entry_count--; }
static void entries_more(mt_pack *pack) { data_part(pack)->entry_count++; }

// -- Frames of the payload -------------------------------------------------------------------------------------------

static mpak_chunk_entry *payload_line(const mt_image *image) {
  mpak_header header;
  memcpy(&header, image->bytes, sizeof header);
  mpak_chunk_entry *line = (mpak_chunk_entry *)(image->bytes + header.table_offset);
  while (line->kind != MPAK_KIND_MPAY) line++;
  return line;
}

/// Writes the pack again with other stored bytes of the payload; its line and the header stay as they were otherwise.
static void payload_replace(mt_image *image, uint8_t *stored, uint32_t stored_bytes, uint32_t frame_count) {
  mt_pack pack;
  mpak_header old_header, header;
  mpak_chunk_entry old = *payload_line(image);
  memcpy(&old_header, image->bytes, sizeof old_header);
  mt_pack_parse(&pack, image);
  mt_chunk *payload = mt_pack_find(&pack, MPAK_KIND_MPAY);
  uint8_t *decoded = payload->bytes;
  payload->bytes = stored; // laid out as a stored chunk without UPLOAD, which has the same alignment
  payload->entry = (mpak_chunk_entry){.kind = MPAK_KIND_MPAY, .owner = old.owner, .stride = 1, .count = stored_bytes};
  mt_image other = mt_pack_write(&pack);
  payload->bytes = decoded;
  old.offset = payload_line(&other)->offset;
  old.stored_bytes = stored_bytes;
  old.frame_count = frame_count;
  *payload_line(&other) = old;
  memcpy(&header, other.bytes, sizeof header);
  header.decoded_bytes = old_header.decoded_bytes;
  header.max_chunk_decoded = old_header.max_chunk_decoded;
  header.max_frame_decoded = old_header.max_frame_decoded;
  memcpy(other.bytes, &header, sizeof header);
  mt_image_free(image);
  *image = other;
  mt_pack_free(&pack);
}

/// The payload's one frame gets an empty frame of zstd as its second.
static void payload_add_frame(mt_image *image) {
  static const uint8_t empty_frame[9] = {0x28, 0xB5, 0x2F, 0xFD, 0x20, 0x00, 0x01, 0x00, 0x00};
  const mpak_chunk_entry *line = payload_line(image);
  uint32_t frame = (uint32_t)line->stored_bytes - 4, sizes[2] = {frame, sizeof empty_frame};
  uint32_t stored_bytes = 8 + frame + (uint32_t)sizeof empty_frame;
  uint8_t *stored = malloc(stored_bytes);
  memcpy(stored, sizes, 8);
  memcpy(stored + 8, image->bytes + line->offset + 4, frame);
  memcpy(stored + 8 + frame, empty_frame, sizeof empty_frame);
  payload_replace(image, stored, stored_bytes, 2);
  free(stored);
}

/// A payload of two frames …
static void payload_make_long(mt_pack *pack) {
  mt_character character = {.layout = MT_BLK64, .is_compressed = true, .vertex_count = 15000};
  mt_pack_free(pack);
  mt_pack_character(pack, &character);
}

/// … loses the second.
static void payload_drop_frame(mt_image *image) {
  const mpak_chunk_entry *line = payload_line(image);
  uint32_t frame;
  if (line->frame_count != 2) abort();
  memcpy(&frame, image->bytes + line->offset, 4);
  uint8_t *stored = malloc(4 + (size_t)frame);
  memcpy(stored, &frame, 4);
  memcpy(stored + 4, image->bytes + line->offset + 8, frame);
  payload_replace(image, stored, 4 + frame, 1);
  free(stored);
}

/// Shape 2, whose vertices 0 and 2 shape 1 moves too, becomes another group of shape 1.
static void groups_overlap(mt_pack *pack) {
  data_groups(pack)[2].shape = 1;
  data_groups(pack)[2].position_exponent = 1;
  data_shapes(pack)[1].delta_count += data_shapes(pack)[2].delta_count;
  data_shapes(pack)[2].delta_count = 0;
}

static void payload_make(mt_pack *pack, mpak_payload payload, uint32_t components, bool is_compressed) {
  mt_character character = {
      .layout = MT_BLK64, .is_compressed = is_compressed, .components = components, .payload = payload};
  mt_pack_free(pack);
  mt_pack_character(pack, &character);
}

/// One bit that nothing is in, in a stored payload: of P8 with normals, of P12 without them and without tangents, of
/// the third word of P16.
static void payload_unused(mt_pack *pack, mpak_payload payload, uint32_t components, uint32_t word, uint32_t bit) {
  payload_make(pack, payload, components, false);
  mt_chunk *chunk = mt_pack_find(pack, MPAK_KIND_MPAY);
  uint32_t first_lanes = 0; // of the first entry: shape 0 moves two of three vertices of the first section, six
  for (uint32_t v = 0; v < 6; v++) first_lanes += v % 3 != 0;
  ((uint32_t *)chunk->bytes)[word * first_lanes] |= 1u << bit;
}
static void payload_unused_p8(mt_pack *pack) { payload_unused(pack, MPAK_PAYLOAD_P8, 6, 1, 30); }
static void payload_unused_p8_position(mt_pack *pack) { payload_unused(pack, MPAK_PAYLOAD_P8, 3, 0, 24); }
static void payload_unused_p12(mt_pack *pack) { payload_unused(pack, MPAK_PAYLOAD_P12, 6, 2, 8); }
static void payload_unused_p12_position(mt_pack *pack) { payload_unused(pack, MPAK_PAYLOAD_P12, 3, 1, 31); }
static void payload_unused_p16(mt_pack *pack) { payload_unused(pack, MPAK_PAYLOAD_P16, 9, 3, 31); }

/// The one frame of a payload becomes zeros but for a byte: the high half of the first number of a stream. Raw blocks
/// of zstd (RFC 8878, 3.1.1) need no compressor.
static void payload_spoil_number(mt_image *image, uint32_t bytes_of_lane, uint32_t stream, uint8_t high) {
  const mpak_chunk_entry *line = payload_line(image);
  uint32_t count = line->count, size = count * bytes_of_lane, frame = 9 + 3 + size, block = size << 3 | 1;
  uint8_t *stored = calloc(4 + (size_t)frame, 1), *at = stored + 4;
  static const uint8_t head[5] = {0x28, 0xB5, 0x2F, 0xFD, 0xA0};
  memcpy(stored, &frame, 4);
  memcpy(at, head, 5);
  memcpy(at + 5, &size, 4);
  memcpy(at + 9, &block, 3);
  at[12 + (2 * stream + 1) * count] = high;
  payload_replace(image, stored, 4 + frame, 1);
  free(stored);
}
static void payload_make_p8(mt_pack *pack) { payload_make(pack, MPAK_PAYLOAD_P8, 6, true); }
static void payload_make_p16(mt_pack *pack) { payload_make(pack, MPAK_PAYLOAD_P16, 9, true); }
/// Codes are zigzag: 0x1000 is 2048, one more than 12 bits hold; 0x0200 and 0x0400 are 256 and 512, of 9 and 10 bits.
static void payload_spoil_p8(mt_image *image) { payload_spoil_number(image, 12, 1, 0x10); }
static void payload_spoil_p8_normal(mt_image *image) { payload_spoil_number(image, 12, 5, 0x02); }
static void payload_spoil_p16(mt_image *image) { payload_spoil_number(image, 18, 4, 0x04); }
static void payload_spoil_p16_tangent(mt_image *image) { payload_spoil_number(image, 18, 8, 0x04); }

#define SPOIL_PAYLOAD(make, spoil_)                                                                                    \
  { .rule = "MPAY: a number does not fit its bits", .result = MT_CORRUPT, .change = make, .spoil = spoil_ }

#define BLK MT_RULES_BLK64
#define CSR MT_RULES_CSR64
#define VBAS(text, base, record, member, value)                                                                        \
  MT_RECORD("VBAS: " text, base, MPAK_KIND_VBAS, record, mpak_base_vertex, member, value)
#define MDEL(text, record, member, value)                                                                              \
  MT_RECORD("MDEL: " text, CSR, MPAK_KIND_MDEL, record, mpak_csr_delta, member, value)
#define MGRP(text, record, member, value)                                                                              \
  MT_RECORD("MGRP: " text, BLK, MPAK_KIND_MGRP, record, mpak_morph_group, member, value)

#define MGRP_P12(text, record, member, value)                                                                          \
  MT_RECORD("MGRP: " text, MT_RULES_P12, MPAK_KIND_MGRP, record, mpak_morph_group, member, value)

static const mt_rule_case data_cases[] = {
    VBAS("a number is not finite", BLK, 74, position[0], MT_NAN),
    VBAS("a number is not finite", CSR, 8, normal[2], MT_INFINITY),
    VBAS("a number is not finite", BLK, 0, tangent[0], MT_NAN),
    VBAS("position w is not 1", BLK, 7, position[3], 0),
    VBAS("normal w is not 0", BLK, 7, normal[3], 0x80000000u),
    VBAS("tangent w is not 1 or -1", BLK, 7, tangent[3], 0x3F000000u),
    VBAS("tangent w is not 1 or -1", CSR, 7, tangent[3], 0),
    MT_CHANGE("VBAS: a tangent in a part without tangents", CSR, base_tangent_of_none),
    MT_RECORD("INDX: an index is outside its section's vertices", BLK, MPAK_KIND_INDX, 5, mpak_morph_group, shape,
              0x00320032),
    MT_WORD("INDX: an index is outside its section's vertices", CSR, MPAK_KIND_INDX, 4, 0, 0xFFFF0000u),
    MT_CHANGE("INDX: an index is outside its section's vertices", BLK, index_long_outside),
    MT_WORD("JNTS: a joint is past its section's bones", BLK, MPAK_KIND_JNTS, 0, 0, 2),
    MT_WORD("JNTS: a joint is past its section's bones", CSR, MPAK_KIND_JNTS, 8, 4, 0x00030000u),
    MT_WORD("WGTS: a weight is negative or not finite", BLK, MPAK_KIND_WGTS, 1, 12, 0x80000000u),
    MT_WORD("WGTS: a weight is negative or not finite", CSR, MPAK_KIND_WGTS, 1, 0, MT_NAN),
    MT_CHANGE("WGTS: weights do not fall", BLK, weights_rise),
    MT_CHANGE("WGTS: weights do not sum to 1", BLK, weights_sum),
    MT_CHANGE("WGTS: the section's max_influences is another number", BLK, weights_three),
    MT_CHANGE("WGTS: the section's max_influences is another number", BLK, weights_fewer),
    MT_WORD("TEXC: a number is not finite", BLK, MPAK_KIND_TEXC, 74, 4, MT_NAN),
    MT_WORD("COLR: the fourth component of a three-component colour is not full", BLK, MPAK_KIND_COLR, 74, 0, 0),
    MT_CHANGE("COLR: the fourth component of a three-component colour is not full", CSR, colours_short),
    MT_CHANGE("COLR: a number is not finite", BLK, colours_wild),
    MT_WORD("PKOS: a vertex is past the part's", BLK, MPAK_KIND_PKOS, 3, 0, 75),
    MT_WORD("SRCP: a vertex is past the source's", BLK, MPAK_KIND_SRCP, 3, 0, 76),
    MT_WORD("MOFF: the first offset is not 0", CSR, MPAK_KIND_MOFF, 0, 0, 1),
    MT_WORD("MOFF: offsets fall", CSR, MPAK_KIND_MOFF, 3, 0, 1000),
    MT_WORD("MOFF: the last offset is not delta_count", CSR, MPAK_KIND_MOFF, 9, 0, 1000),
    MDEL("shape is past the part's shapes", 2, metadata[0], 3),
    MDEL("a number is not finite", 2, position[1], MT_INFINITY),
    MDEL("a number is not finite", 0, tangent[2], MT_NAN),
    MDEL("padding is not zero", 2, position[3], 0x80000000u),
    MDEL("padding is not zero", 2, tangent[3], 1),
    MDEL("padding is not zero", 2, metadata[3], 1),
    MT_CHANGE("MDEL: a normal or tangent that the part's flags rule out", CSR, csr_no_normals),
    MT_CHANGE("MDEL: a normal or tangent that the part's flags rule out", CSR, csr_no_tangents),
    MT_CHANGE("MDEL: shapes of a vertex do not ascend", CSR, csr_swap_shapes),
    MT_CHANGE("MDEL: shapes of a vertex do not ascend", CSR, csr_repeat_shape),
    MT_CHANGE("SHAP: delta_count is not the number of its deltas", CSR, shapes_swap_counts),
    MT_CHANGE("SHAP: delta_count is not the number of its deltas", BLK, shapes_swap_counts),
    MT_CHANGE("INDX: its stream ends early", BLK, stream_without_codes),
    MT_CHANGE("INDX: its stream ends early", BLK, stream_without_numbers),
    MT_CHANGE("INDX: its stream ends early", BLK, stream_without_pair),
    MT_CHANGE("INDX: a number has more than 32 bits", BLK, stream_of_33_bits),
    MT_CHANGE("INDX: a number has more than 32 bits", BLK, stream_of_six_groups),
    MT_CHANGE("INDX: bytes behind the last triangle", BLK, stream_of_more),
    MT_CHANGE("INDX: an index does not fit its width", BLK, stream_of_65536),
    MT_CHANGE("INDX: an index is outside its section's vertices", BLK, stream_outside),
    MGRP("shape is past the part's shapes", 2, shape, 3),
    MT_CHANGE("MGRP: a group has no run", BLK, groups_no_run),
    MGRP("run counts do not sum to MRUN's", 1, run_count, 2),
    MGRP("P36 has no exponents", 1, position_exponent, 1),
    MGRP("P36 has no exponents", 1, normal_exponent, 0xFF),
    MGRP("P36 has no exponents", 1, tangent_exponent, 1),
    MGRP("padding is not zero", 1, zero, 1),
    MGRP_P12("a scale is out of range", 1, position_exponent, 107), // 2^-6 * 2^107
    MGRP_P12("a scale is out of range", 1, normal_exponent, 0x80),
    MGRP_P12("a scale is out of range", 2, tangent_exponent, 0xA1), // 2^-6 * 2^-95
    MT_CHANGE("MGRP: groups do not ascend", BLK, groups_same),
    MT_CHANGE("MGRP: groups do not ascend", BLK, groups_fall),
    MT_CHANGE("MRUN: two runs touch", BLK, runs_touch),
    MT_CHANGE("MRUN: a run is empty", BLK, runs_empty),
    MT_CHANGE("MRUN: a run ends past the vertices", BLK, runs_past_end),
    MT_CHANGE("MRUN: a run ends past the vertices", BLK, runs_long),
    MT_CHANGE("MRUN: fewer deltas than stated", BLK, runs_shorter),
    MT_CHANGE("MRUN: more deltas than stated", BLK, runs_longer),
    MT_CHANGE("MRUN: more entries than stated", BLK, entries_fewer),
    MT_CHANGE("MRUN: fewer entries than stated", BLK, entries_more),
    MT_WORD("MPAY: a number is not finite", BLK, MPAK_KIND_MPAY, 30, 8, MT_NAN),
    MT_CHANGE("MRUN: two groups of a shape move one vertex", MT_RULES_P12, groups_overlap),
    MT_CHANGE("MPAY: unused bits are not zero", BLK, payload_unused_p8),
    MT_CHANGE("MPAY: unused bits are not zero", BLK, payload_unused_p8_position),
    MT_CHANGE("MPAY: unused bits are not zero", BLK, payload_unused_p12),
    MT_CHANGE("MPAY: unused bits are not zero", BLK, payload_unused_p12_position),
    MT_CHANGE("MPAY: unused bits are not zero", BLK, payload_unused_p16),
    SPOIL_PAYLOAD(payload_make_p8, payload_spoil_p8),
    SPOIL_PAYLOAD(payload_make_p8, payload_spoil_p8_normal),
    SPOIL_PAYLOAD(payload_make_p16, payload_spoil_p16),
    SPOIL_PAYLOAD(payload_make_p16, payload_spoil_p16_tangent),
    MT_SPOIL_FILE("MPAY: more frames than the entries make", MT_CORRUPT, BLK, payload_add_frame),
    {.rule = "MPAY: fewer frames than the entries make",
     .result = MT_CORRUPT,
     .change = payload_make_long,
     .spoil = payload_drop_frame},
};

mt_rule_list mt_rules_data(void) { return (mt_rule_list){data_cases, sizeof data_cases / sizeof data_cases[0]}; }
