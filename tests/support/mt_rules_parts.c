// mt_rules_parts.c: rules of PART, ERRS, and of what parts and data chunks say of one another.
#include "tests/support/mt_rules.h"

#include <string.h>

static void shapes_left_over(mt_pack *pack) { mt_pack_resize(pack, MPAK_KIND_SHAP, 4); }
static void sections_left_over(mt_pack *pack) { mt_pack_resize(pack, MPAK_KIND_SECT, 5); }
static mpak_part *part_at(mt_pack *pack, uint32_t number) {
  return (mpak_part *)mt_pack_find(pack, MPAK_KIND_PART)->bytes + number;
}

/// A chunk of part 1 that nothing refers to, or that names a part that is not there.
static void chunk_stray(mt_pack *pack) { mt_pack_add(pack, MPAK_KIND_SRCP, 1, 4, 4, NULL); }
static void chunk_of_no_part(mt_pack *pack) { mt_pack_add(pack, MPAK_KIND_SRCP, 3, 4, 4, NULL); }

/// Parts 1 and 2 swap base chunks.
static void chunk_of_another_part(mt_pack *pack) {
  mpak_part *parts = part_at(pack, 0);
  uint32_t chunk = parts[1].base_chunk;
  parts[1].base_chunk = parts[2].base_chunk;
  parts[2].base_chunk = chunk;
}

static void chunk_of_another_slot(mt_pack *pack) {
  mpak_part *part = part_at(pack, 0);
  part->texcoord_chunk[1] = part->texcoord_chunk[0];
  part->texcoord_chunk[0] = MPAK_NONE;
}

static void chunk_of_another_kind(mt_pack *pack) { part_at(pack, 0)->joint_chunk = part_at(pack, 0)->base_chunk; }
static void chunk_short(mt_pack *pack) { mt_pack_resize(pack, MPAK_KIND_VBAS, 74); }

/// Eight influences of four vertices look like four influences of eight: the stride tells.
static void chunk_other_stride(mt_pack *pack) { mt_pack_find(pack, MPAK_KIND_JNTS)->entry.stride = 6; }

/// The payload of P16 where the part says P12: frames would be longer.
static void payload_other_format(mt_pack *pack) { mt_pack_find(pack, MPAK_KIND_MPAY)->entry.format = MPAK_FORMAT_P16; }

/// Both pairs of a source map are there, or none.
static void source_map_half(mt_pack *pack) {
  mpak_part *part = part_at(pack, 2);
  uint32_t chunk = part->source_of_pack_chunk;
  part->source_of_pack_chunk = MPAK_NONE;
  mt_pack_remove(pack, chunk);
}

static void group_count_zero(mt_pack *pack) {
  mpak_part *part = part_at(pack, 0);
  part->group_count = 0;
}

static void payload_past_words(mt_pack *pack) { part_at(pack, 0)->delta_count = 0x20000000; }

#define BLK MT_RULES_BLK64
#define CSR MT_RULES_CSR64
#define PART(text, record, member, value)                                                                              \
  MT_RECORD("PART: " text, BLK, MPAK_KIND_PART, record, mpak_part, member, value)
#define PART_P12(text, record, member, value)                                                                          \
  MT_RECORD("PART: " text, MT_RULES_P12, MPAK_KIND_PART, record, mpak_part, member, value)
#define PART_CSR(text, record, member, value)                                                                          \
  MT_RECORD("PART: " text, CSR, MPAK_KIND_PART, record, mpak_part, member, value)
#define ERRS(text, record, member, value)                                                                              \
  MT_RECORD("ERRS: " text, BLK, MPAK_KIND_ERRS, record, mpak_measured_error, member, value)

static const mt_rule_case part_cases[] = {
    PART("mesh is not the one that lists it", 1, mesh, 1),
    PART("parts do not ascend by LOD and primitive", 1, source_primitive, 0),
    PART("lod is past the mesh's LODs", 1, lod, 1),
    PART("material is past MATL", 0, material, 2),
    PART_CSR("no vertex, or too many", 0, vertex_count, 0),
    PART_CSR("no vertex, or too many", 0, vertex_count, 0x80000000u),
    PART("index_count is not a multiple of 3", 0, index_count, 4),
    PART("too many shapes", 0, shape_count, 65536),
    PART("too many sections", 0, section_count, 65537),
    PART("influence_count is not 0, 4, 8 or 12", 0, influence_count, 5),
    PART("influence_count is not 0, 4, 8 or 12", 0, influence_count, 16),
    PART("unknown flag", 0, flags, 1),
    PART("unknown flag", 0, flags, 32),
    PART("bounds are no box", 0, bounds_max[0], MT_MINUS_1),
    PART("conservative bounds are no box", 0, conservative_min[0], MT_NAN),
    PART("max_position_delta is negative or not finite", 0, max_position_delta, MT_MINUS_1),
    PART("max_position_delta is negative or not finite", 0, max_position_delta, MT_INFINITY),
    PART("parts do not tile the shapes", 1, first_shape, 0),
    PART("parts do not tile the sections", 1, first_section, 0),
    PART("shapes end past SHAP", 0, shape_count, 4),
    PART("sections end past SECT", 2, section_count, 2),
    MT_CHANGE("PART: shapes that belong to no part", BLK, shapes_left_over),
    MT_CHANGE("PART: sections that belong to no part", BLK, sections_left_over),
    PART("unknown payload", 0, payload, 6),
    PART("shapes without a payload, or a payload without shapes", 0, payload, MPAK_PAYLOAD_NONE),
    PART("shapes without a payload, or a payload without shapes", 1, payload, MPAK_PAYLOAD_CSR64),
    PART("deltas without shapes", 1, delta_count, 1),
    PART_CSR("numbers of blk64 without blk64", 0, components, 9),
    PART_CSR("numbers of blk64 without blk64", 0, step, 0x3F800000u),
    PART_CSR("numbers of blk64 without blk64", 1, entry_count, 1),
    PART("components are not 3, 6 or 9", 0, components, 0),
    PART("components are not 3, 6 or 9", 0, components, 12),
    PART("its flags ask for more components", 0, components, 6),
    PART("the steps of P36 are not 1", 0, step, 0x40000000u),
    PART("the steps of P36 are not 1", 0, normal_step, MT_NAN),
    PART("nothing to make square to the normal", 0, flags, MPAK_PART_TANGENTS | MPAK_PART_REORTHOGONALISE), // of P36
    PART_P12("nothing to make square to the normal", 0, flags,
             MPAK_PART_TANGENTS | MPAK_PART_MORPH_TANGENTS | MPAK_PART_REORTHOGONALISE),
    PART_P12("nothing to make square to the normal", 1, flags, MPAK_PART_REORTHOGONALISE), // no tangents, no shapes
    PART_P12("P8 has no tangents", 0, payload, MPAK_PAYLOAD_P8),
    PART_P12("a step is out of range", 0, step, MT_NAN),
    PART_P12("a step is out of range", 0, step, 0x0D7FFFFFu),        // just below 2^-100
    PART_P12("a step is out of range", 0, normal_step, 0x71800001u), // just above 2^100
    PART_P12("a step is out of range", 0, normal_step, 0xBF800000u),
    PART("block_count is not what the sections need", 0, block_count, 3),
    PART("more entries, runs or groups than deltas", 0, entry_count, 1000),
    PART("more entries, runs or groups than deltas", 0, run_count, 1000),
    PART("more entries, runs or groups than deltas", 0, group_count, 100),
    MT_CHANGE("PART: deltas without entries, runs or groups", BLK, group_count_zero),
    MT_CHANGE("PART: the payload has 2^32 words or more", BLK, payload_past_words),
    PART("delta_count is not the sum of its shapes'", 0, delta_count, 90),
    {.rule = "PART: blocks and entries take more than the caller allows",
     .result = MPAK_ERROR_LIMIT,
     .max_decoded_bytes = MT_RULES_EXACT_LIMIT},
    MT_RECORD("PART: a chunk is missing", BLK, MPAK_KIND_PART, 0, mpak_part, base_chunk, MPAK_NONE),
    MT_RECORD("PART: a chunk is missing", BLK, MPAK_KIND_PART, 0, mpak_part, morph_chunk[2], MPAK_NONE),
    MT_RECORD("PART: a chunk is past the chunk table", BLK, MPAK_KIND_PART, 0, mpak_part, base_chunk, 1000),
    MT_CHANGE("PART: a chunk is of another kind", BLK, chunk_of_another_kind),
    MT_CHANGE("PART: a chunk belongs to another part", BLK, chunk_of_another_part),
    MT_CHANGE("PART: a chunk is of another slot", BLK, chunk_of_another_slot),
    MT_CHANGE("PART: a chunk has another count than the part says", BLK, chunk_short),
    MT_CHANGE("PART: a chunk has another stride than the part says", CSR, chunk_other_stride),
    MT_CHANGE("PART: a chunk has another format than the part says", MT_RULES_P12, payload_other_format),
    MT_CHANGE("PART: half a source map", BLK, source_map_half),
    MT_CHANGE("chunk: owner is past the parts", BLK, chunk_of_no_part),
    MT_CHANGE("chunk: its part does not refer to it", BLK, chunk_stray),
    ERRS("part is past the parts", 0, part, 3),
    ERRS("unknown stream", 0, stream, 10),
    ERRS("an error is negative or not finite", 0, largest, MT_NAN),
    ERRS("an error is negative or not finite", 1, rms, MT_MINUS_1),
};

mt_rule_list mt_rules_parts(void) { return (mt_rule_list){part_cases, sizeof part_cases / sizeof part_cases[0]}; }
