// mt_rules_header.c: rules of header, chunk table, padding and frames.
#include "tests/support/mt_rules.h"

#include <stdlib.h>
#include <string.h>

static mpak_header header_of(const mt_image *image) {
  mpak_header header;
  memcpy(&header, image->bytes, sizeof header);
  return header;
}

static mpak_chunk_entry *entry_of(mt_image *image, uint32_t number) {
  return (mpak_chunk_entry *)(image->bytes + header_of(image).table_offset) + number;
}

/// The number of the first chunk of a kind.
static uint32_t number_of(mt_image *image, uint32_t kind) {
  uint32_t number = 0;
  while (entry_of(image, number)->kind != kind) number++;
  return number;
}

static void header_resize(mt_image *image, uint64_t byte_count) {
  mt_image other = mt_image_copy(image->bytes, byte_count < image->byte_count ? byte_count : image->byte_count);
  mt_image longer = other;
  if (byte_count > image->byte_count) {
    uint8_t *zeros = calloc(byte_count, 1);
    memcpy(zeros, image->bytes, image->byte_count);
    longer = mt_image_copy(zeros, byte_count);
    free(zeros);
    mt_image_free(&other);
  }
  mt_image_free(image);
  *image = longer;
}

static void header_cut(mt_image *image) { header_resize(image, 127); }
static void header_cut_last(mt_image *image) { header_resize(image, image->byte_count - 1); }
static void header_add_byte(mt_image *image) { header_resize(image, image->byte_count + 1); }
static void header_empty(mt_image *image) { header_resize(image, 0); }
static void header_flip_hash(mt_image *image) { image->bytes[127] ^= 1; }
static void header_flip_content_id(mt_image *image) { image->bytes[80] ^= 1; }
static void header_flip_chunk(mt_image *image) { image->bytes[entry_of(image, 1)->offset] ^= 1; }

static void header_flip_table(mt_image *image) { image->bytes[image->byte_count - 1] ^= 1; }

/// The table 8 bytes later, after 8 more zeros: still the end of the file, but not the next place.
static void header_push_table(mt_image *image) {
  mpak_header header = header_of(image);
  uint64_t byte_count = image->byte_count + 8, table_bytes = image->byte_count - header.table_offset;
  header_resize(image, byte_count);
  memmove(image->bytes + header.table_offset + 8, image->bytes + header.table_offset, (size_t)table_bytes);
  memset(image->bytes + header.table_offset, 0, 8);
  header.table_offset += 8;
  header.file_bytes = byte_count;
  memcpy(image->bytes, &header, sizeof header);
}

static void header_cut_table(mt_image *image) {
  mpak_header header = header_of(image);
  header.chunk_count--;
  memcpy(image->bytes, &header, sizeof header);
}

/// The last chunk is KEYV: five compressed bytes more or less leave a gap before the table.
static void header_dirty_table_padding(mt_image *image) {
  mpak_header header = header_of(image);
  mpak_chunk_entry *last = entry_of(image, header.chunk_count - 1);
  uint64_t end = last->offset + last->stored_bytes;
  if (end == header.table_offset) abort(); // the base pack is made so that there is a gap
  image->bytes[end] = 1;
}

static void chunk_dirty_padding(mt_image *image) {
  for (uint32_t i = 1;; i++) {
    const mpak_chunk_entry *before = entry_of(image, i - 1);
    if (before->offset + before->stored_bytes == entry_of(image, i)->offset) continue;
    image->bytes[before->offset + before->stored_bytes] = 1;
    return;
  }
}

static void chunk_wrong_size(mt_image *image) { entry_of(image, number_of(image, MPAK_KIND_NODE))->stored_bytes += 4; }

/// Twice as many records of half the length.
static void chunk_half_stride(mt_image *image) {
  mpak_chunk_entry *entry = entry_of(image, number_of(image, MPAK_KIND_VBAS));
  entry->stride /= 2;
  entry->count *= 2;
}

static void chunk_long_stride(mt_image *image) {
  mpak_chunk_entry *entry = entry_of(image, number_of(image, MPAK_KIND_JNTS));
  entry->stride = 8194;
  entry->count = 1;
  entry->decoded_bytes = 8194;
}

/// So many frames that their sizes alone are longer than the chunk: decoded to 2^40 bytes.
static void chunk_many_frames(mt_image *image) {
  mpak_chunk_entry *entry = entry_of(image, number_of(image, MPAK_KIND_KEYT));
  entry->count = UINT32_MAX;
  entry->decoded_bytes = 4 * (uint64_t)UINT32_MAX;
  entry->frame_count = (uint32_t)((entry->decoded_bytes + entry->frame_bytes - 1) / entry->frame_bytes);
}

static void chunk_frame_size(mt_image *image) {
  uint8_t *first_size = image->bytes + entry_of(image, number_of(image, MPAK_KIND_VBAS))->offset;
  first_size[0] ^= 1;
}

static void chunk_add_unknown(mt_pack *pack) { mt_pack_add(pack, 0x3F3F3F3F, MPAK_NONE, 4, 2, "abcdefg"); }

/// Two optional chunks of an unknown kind that claim almost 2^64 bytes each.
static void chunk_add_two_unknown(mt_pack *pack) {
  chunk_add_unknown(pack);
  chunk_add_unknown(pack);
}

static void chunk_claim_everything(mt_image *image) {
  mpak_header header = header_of(image);
  for (uint32_t i = header.chunk_count - 2; i < header.chunk_count; i++) {
    mpak_chunk_entry *entry = entry_of(image, i);
    entry->encoding = 7;
    entry->stride = entry->count = UINT32_MAX;
    entry->decoded_bytes = (uint64_t)UINT32_MAX * UINT32_MAX;
  }
}

static void chunk_require_unknown(mt_pack *pack) {
  chunk_add_unknown(pack);
  pack->chunks[pack->chunk_count - 1].entry.flags = MPAK_CHUNK_REQUIRED;
}

static void chunk_repeat_table(mt_pack *pack) {
  mt_chunk *nodes = mt_pack_find(pack, MPAK_KIND_NODE);
  mt_pack_add(pack, MPAK_KIND_NODE, MPAK_NONE, nodes->entry.stride, nodes->entry.count, nodes->bytes);
}

static void chunk_repeat_keys(mt_pack *pack) { mt_pack_add(pack, MPAK_KIND_KEYT, MPAK_NONE, 4, 2, NULL); }
static void chunk_add_cloth(mt_pack *pack) { mt_pack_add(pack, MPAK_KIND_CLTH, MPAK_NONE, 4, 1, NULL); }

/// A stream of one byte more than its triangles can take: a code, a byte and three numbers of five bytes each, and the
/// number at its start.
static void chunk_long_stream(mt_image *image) {
  const mpak_chunk_entry *entry = entry_of(image, number_of(image, MPAK_KIND_INDX));
  const uint32_t size = 5 + 17 * entry->count / 3 + 1;
  memcpy(image->bytes + entry->offset + 4, &size, 4);
}

/// Too short for two sizes, long enough for one.
static void chunk_short_triangles(mt_image *image) {
  entry_of(image, number_of(image, MPAK_KIND_INDX))->stored_bytes = 7;
}

/// Filter 2 of indices of two bytes, which are no groups of four.
static void lanes_of_short_records(mt_pack *pack) {
  mpak_chunk_entry *entry = &mt_pack_find(pack, MPAK_KIND_INDX)->entry;
  entry->encoding = 1;
  entry->filter = 2;
  entry->lane_modes = 1;
}

/// The first frame of a chunk declares another size: the byte behind magic and descriptor.
static void frame_break_kind(mt_image *image, uint32_t kind) {
  mpak_chunk_entry *entry = entry_of(image, number_of(image, kind));
  image->bytes[entry->offset + 4 * (uint64_t)entry->frame_count + 5] ^= 1;
}

static void frame_break(mt_image *image) { frame_break_kind(image, MPAK_KIND_VBAS); }
static void frame_break_groups(mt_image *image) { frame_break_kind(image, MPAK_KIND_MGRP); }
static void frame_break_runs(mt_image *image) { frame_break_kind(image, MPAK_KIND_MRUN); }
static void frame_break_payload(mt_image *image) { frame_break_kind(image, MPAK_KIND_MPAY); }
static void frame_break_offsets(mt_image *image) { frame_break_kind(image, MPAK_KIND_MOFF); }
static void frame_break_deltas(mt_image *image) { frame_break_kind(image, MPAK_KIND_MDEL); }
static void frame_break_times(mt_image *image) { frame_break_kind(image, MPAK_KIND_KEYT); }
static void frame_break_values(mt_image *image) { frame_break_kind(image, MPAK_KIND_KEYV); }
static void frame_compress(mt_pack *pack) { mt_pack_compress(pack); }

#define BROKEN_FRAME(base_, change_, spoil_)                                                                           \
  {                                                                                                                    \
    .rule = "frames: a frame does not decompress to its size", .result = MT_CORRUPT, .base = base_, .change = change_, \
    .spoil = spoil_                                                                                                    \
  }

static const mt_rule_case header_cases[] = {
    MT_HEADER("header: the magic is another one", MPAK_ERROR_NOT_A_PACK, magic[3], 'k'),
    MT_SPOIL_FILE("header: the magic is another one", MPAK_ERROR_NOT_A_PACK, MT_RULES_CSR64, header_empty),
    MT_SPOIL_FILE("header: the file is shorter than a header", MPAK_ERROR_TRUNCATED, MT_RULES_CSR64, header_cut),
    MT_HEADER("header: not little-endian", MPAK_ERROR_ENDIANNESS, endian_tag, 0x04030201),
    MT_HEADER("header: another format version", MPAK_ERROR_VERSION, format_major, 2),
    MT_HEADER("header: another format version", MPAK_ERROR_VERSION, format_major, 0),
    {.rule = "header: its hash is another one",
     .result = MPAK_ERROR_CHECKSUM,
     .spoil = header_flip_hash,
     .keep_hashes = true},
    {.rule = "header: its hash is another one",
     .result = MPAK_ERROR_CHECKSUM,
     .spoil = header_flip_content_id,
     .keep_hashes = true},
    MT_SPOIL_FILE("header: file_bytes is not the file's size", MPAK_ERROR_TRUNCATED, MT_RULES_CSR64, header_cut_last),
    MT_SPOIL_FILE("header: file_bytes is not the file's size", MPAK_ERROR_TRUNCATED, MT_RULES_CSR64, header_add_byte),
    {.rule = "header: the table's hash is another one",
     .result = MPAK_ERROR_CHECKSUM,
     .spoil = header_flip_table,
     .keep_hashes = true},
    MT_HEADER("header: unknown required feature", MPAK_ERROR_FEATURE, features_required, 1),
    MT_HEADER("header: header_bytes is not 128", MT_CORRUPT, header_bytes, 136),
    MT_HEADER("header: chunk_entry_bytes is not 80", MT_CORRUPT, chunk_entry_bytes, 88),
    MT_HEADER("header: unknown flag", MT_CORRUPT, flags, 4),
    MT_HEADER("header: unknown flag", MT_CORRUPT, flags, 3),
    MT_HEADER("header: chunk_alignment is not 64", MT_CORRUPT, chunk_alignment, 32),
    MT_HEADER("header: max_frame_decoded above 1 MiB", MT_CORRUPT, max_frame_decoded, 1048577),
    MT_HEADER("header: reserved is not zero", MT_CORRUPT, reserved[15], 1),
    MT_HEADER("header: decodes to more than the caller allows", MPAK_ERROR_LIMIT, decoded_bytes, (1u << 30) + 1),
    {.rule = "header: decodes to more than the caller allows", .result = MPAK_ERROR_LIMIT, .max_decoded_bytes = 1000},
    MT_HEADER("header: too many chunks", MT_CORRUPT, chunk_count, 1048577),
    MT_HEADER("header: table_offset is not a multiple of 8", MT_CORRUPT, table_offset, 132),
    MT_HEADER("header: the table does not end the file", MT_CORRUPT, table_offset, UINT64_MAX - 7),
    MT_HEADER("header: the table does not end the file", MT_CORRUPT, table_offset, 64),
    MT_SPOIL_FILE("header: the table does not end the file", MT_CORRUPT, MT_RULES_CSR64, header_cut_table),
    MT_SPOIL_FILE("header: table_offset is not the next aligned place", MT_CORRUPT, MT_RULES_CSR64, header_push_table),
    MT_SPOIL_FILE("header: padding before the table is not zero", MT_CORRUPT, MT_RULES_BLK64,
                  header_dirty_table_padding),
    MT_HEADER("header: decoded_bytes is not the chunks' sum", MT_CORRUPT, decoded_bytes, 12345),
    MT_HEADER("header: max_chunk_decoded is not the chunks' largest", MT_CORRUPT, max_chunk_decoded, 1),
    MT_HEADER("header: max_frame_decoded is not the frames' largest", MT_CORRUPT, max_frame_decoded, 1048576),
};

static const mt_rule_case chunk_cases[] = {
    {.rule = "chunk: its hash is another one",
     .result = MPAK_ERROR_CHECKSUM,
     .spoil = header_flip_chunk,
     .keep_hashes = true},
    MT_CHANGE("chunk: its kind occurs twice", MT_RULES_CSR64, chunk_repeat_table),
    MT_CHANGE("chunk: its kind occurs twice", MT_RULES_CSR64, chunk_repeat_keys),
    {.rule = "chunk: this kind is reserved", .result = MPAK_ERROR_FEATURE, .change = chunk_add_cloth},
    {.rule = "chunk: unknown required kind", .result = MPAK_ERROR_FEATURE, .change = chunk_require_unknown},
    {.rule = "chunk: decoded sizes overflow",
     .result = MT_CORRUPT,
     .change = chunk_add_two_unknown,
     .spoil = chunk_claim_everything},
    MT_ENTRY("chunk: unknown version of its kind", MPAK_ERROR_FEATURE, MT_RULES_CSR64, MPAK_KIND_NODE, kind_version, 2),
    MT_ENTRY("chunk: unknown encoding", MPAK_ERROR_FEATURE, MT_RULES_CSR64, MPAK_KIND_VBAS, encoding, 2),
    MT_ENTRY("chunk: unknown flag", MT_CORRUPT, MT_RULES_CSR64, MPAK_KIND_VBAS, flags, 7),
    MT_ENTRY("chunk: wrong flags for its kind", MT_CORRUPT, MT_RULES_CSR64, MPAK_KIND_VBAS, flags, 1),
    MT_ENTRY("chunk: reserved is not zero", MT_CORRUPT, MT_RULES_CSR64, MPAK_KIND_VBAS, zero, 1),
    MT_ENTRY("chunk: reserved is not zero", MT_CORRUPT, MT_RULES_CSR64, MPAK_KIND_VBAS, inner_bytes, 1),
    MT_ENTRY("chunk: it is empty", MT_CORRUPT, MT_RULES_CSR64, MPAK_KIND_META, count, 0),
    MT_ENTRY("chunk: it is empty", MT_CORRUPT, MT_RULES_CSR64, MPAK_KIND_META, stride, 0),
    MT_ENTRY("chunk: decoded_bytes is not stride times count", MT_CORRUPT, MT_RULES_CSR64, MPAK_KIND_NODE,
             decoded_bytes, 72),
    MT_SPOIL_FILE("chunk: stored, but its two sizes differ", MT_CORRUPT, MT_RULES_CSR64, chunk_wrong_size),
    MT_ENTRY("chunk: stored, but has frames or a filter", MT_CORRUPT, MT_RULES_CSR64, MPAK_KIND_VBAS, frame_bytes, 1),
    MT_ENTRY("chunk: stored, but has frames or a filter", MT_CORRUPT, MT_RULES_CSR64, MPAK_KIND_VBAS, frame_count, 1),
    MT_ENTRY("chunk: stored, but has frames or a filter", MT_CORRUPT, MT_RULES_CSR64, MPAK_KIND_VBAS, filter, 1),
    MT_ENTRY("chunk: stored, but has frames or a filter", MT_CORRUPT, MT_RULES_CSR64, MPAK_KIND_VBAS, lane_modes, 3),
    MT_SPOIL_FILE("chunk: wrong stride for its kind", MT_CORRUPT, MT_RULES_CSR64, chunk_half_stride),
    MT_ENTRY("chunk: wrong format for its kind", MT_CORRUPT, MT_RULES_CSR64, MPAK_KIND_VBAS, format, 7),
    MT_ENTRY("chunk: wrong format for its kind", MT_CORRUPT, MT_RULES_CSR64, MPAK_KIND_INDX, format, MPAK_FORMAT_U32),
    MT_ENTRY("chunk: wrong format for its kind", MT_CORRUPT, MT_RULES_CSR64, MPAK_KIND_COLR, format, MPAK_FORMAT_U32),
    MT_ENTRY("chunk: slot is out of range", MT_CORRUPT, MT_RULES_CSR64, MPAK_KIND_TEXC, slot, 4),
    MT_ENTRY("chunk: slot is out of range", MT_CORRUPT, MT_RULES_CSR64, MPAK_KIND_VBAS, slot, 1),
    MT_ENTRY("chunk: wrong owner for its kind", MT_CORRUPT, MT_RULES_CSR64, MPAK_KIND_NODE, owner, 0),
    MT_ENTRY("chunk: wrong owner for its kind", MT_CORRUPT, MT_RULES_CSR64, MPAK_KIND_VBAS, owner, MPAK_NONE),
    MT_ENTRY("chunk: a table is compressed", MT_CORRUPT, MT_RULES_CSR64, MPAK_KIND_NODE, encoding, 1),
    MT_ENTRY("chunk: offset is not the next aligned place", MT_CORRUPT, MT_RULES_CSR64, MPAK_KIND_NODE, offset, 128),
    MT_ENTRY("chunk: offset is not the next aligned place", MT_CORRUPT, MT_RULES_CSR64, MPAK_KIND_VBAS, offset,
             1 << 20),
    MT_ENTRY("chunk: it does not fit into the file", MT_CORRUPT, MT_RULES_BLK64, MPAK_KIND_VBAS, stored_bytes,
             UINT64_MAX - 100),
    MT_SPOIL_FILE("chunk: padding is not zero", MT_CORRUPT, MT_RULES_CSR64, chunk_dirty_padding),
    MT_ENTRY("chunk: wrong filter for its kind", MT_CORRUPT, MT_RULES_BLK64, MPAK_KIND_MPAY, filter, 1),
    MT_ENTRY("chunk: wrong filter for its kind", MT_CORRUPT, MT_RULES_BLK64, MPAK_KIND_VBAS, filter, 4),
    MT_ENTRY("chunk: wrong filter for its kind", MT_CORRUPT, MT_RULES_BLK64, MPAK_KIND_VBAS, filter, 3),
    MT_ENTRY("chunk: wrong filter for its kind", MT_CORRUPT, MT_RULES_BLK64, MPAK_KIND_INDX, filter, 1),
    MT_CHANGE("chunk: wrong filter for its kind", MT_RULES_BLK64, lanes_of_short_records),
    MT_ENTRY("chunk: wrong frame_bytes", MT_CORRUPT, MT_RULES_BLK64, MPAK_KIND_MPAY, frame_bytes, 1048576),
    MT_ENTRY("chunk: wrong frame_bytes", MT_CORRUPT, MT_RULES_BLK64, MPAK_KIND_VBAS, frame_bytes, 0),
    MT_ENTRY("chunk: wrong lane modes", MT_CORRUPT, MT_RULES_BLK64, MPAK_KIND_MPAY, lane_modes, 1),
    MT_ENTRY("chunk: wrong lane modes", MT_CORRUPT, MT_RULES_BLK64, MPAK_KIND_MPAY, lane_modes, 3 << 18),
    MT_ENTRY("chunk: wrong lane modes", MT_CORRUPT, MT_RULES_BLK64, MPAK_KIND_VBAS, lane_modes, 0),
    MT_ENTRY("chunk: wrong lane modes", MT_CORRUPT, MT_RULES_BLK64, MPAK_KIND_VBAS, lane_modes, 1 << 24),
    MT_ENTRY("chunk: wrong lane modes", MT_CORRUPT, MT_RULES_BLK64, MPAK_KIND_TEXC, lane_modes, 3),
    MT_ENTRY("chunk: wrong lane modes", MT_CORRUPT, MT_RULES_BLK64, MPAK_KIND_INDX, lane_modes, 1),
    MT_ENTRY("chunk: wrong frame_bytes", MT_CORRUPT, MT_RULES_BLK64, MPAK_KIND_INDX, frame_bytes, 98303),
    MT_ENTRY("chunk: wrong frame_count", MT_CORRUPT, MT_RULES_BLK64, MPAK_KIND_INDX, frame_count, 2),
    MT_SPOIL_FILE("chunk: a stream is longer than its triangles can be", MT_CORRUPT, MT_RULES_BLK64, chunk_long_stream),
    MT_SPOIL_FILE("chunk: no room for the frame sizes", MT_CORRUPT, MT_RULES_BLK64, chunk_short_triangles),
    MT_ENTRY("chunk: wrong frame_count", MT_CORRUPT, MT_RULES_BLK64, MPAK_KIND_MPAY, frame_count, 0),
    MT_ENTRY("chunk: wrong frame_count", MT_CORRUPT, MT_RULES_BLK64, MPAK_KIND_VBAS, frame_count, 2),
    MT_SPOIL_FILE("chunk: stride is too long for a compressed chunk", MT_CORRUPT, MT_RULES_BLK64, chunk_long_stride),
    MT_SPOIL_FILE("chunk: no room for the frame sizes", MT_CORRUPT, MT_RULES_BLK64, chunk_many_frames),
    MT_ENTRY("chunk: no room for the frame sizes", MT_CORRUPT, MT_RULES_BLK64, MPAK_KIND_MPAY, frame_count, UINT32_MAX),
    MT_SPOIL_FILE("chunk: frame sizes do not sum to stored_bytes", MT_CORRUPT, MT_RULES_BLK64, chunk_frame_size),
    BROKEN_FRAME(MT_RULES_BLK64, NULL, frame_break),
    BROKEN_FRAME(MT_RULES_BLK64, NULL, frame_break_groups),
    BROKEN_FRAME(MT_RULES_BLK64, NULL, frame_break_runs),
    BROKEN_FRAME(MT_RULES_BLK64, NULL, frame_break_payload),
    BROKEN_FRAME(MT_RULES_CSR64, frame_compress, frame_break_offsets),
    BROKEN_FRAME(MT_RULES_CSR64, frame_compress, frame_break_deltas),
    BROKEN_FRAME(MT_RULES_BLK64, NULL, frame_break_times),
    BROKEN_FRAME(MT_RULES_BLK64, NULL, frame_break_values),
};

mt_rule_list mt_rules_header(void) {
  return (mt_rule_list){header_cases, sizeof header_cases / sizeof header_cases[0]};
}

mt_rule_list mt_rules_chunks(void) { return (mt_rule_list){chunk_cases, sizeof chunk_cases / sizeof chunk_cases[0]}; }
