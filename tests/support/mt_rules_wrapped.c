// mt_rules_wrapped.c: rules of wrapped packs. The base pack is wrapped (mt_wrapped.h) and then spoilt: as a file, in
// its header, or in its stream. The base packs of BLK64 have chunks behind the stream, those of CSR64 have none.
#include "tests/support/mt_rules.h"
#include "tests/support/mt_wrapped.h"

#include <stdlib.h>
#include <string.h>

/// Wraps the pack, lets change spoil the parts, and puts the file in the pack's place.
static void wrapped_spoil(mt_image *image, void (*change)(mt_wrapped *wrapped)) {
  mt_wrapped wrapped;
  mt_wrapped_make(&wrapped, image);
  if (change) change(&wrapped);
  mt_image_free(image);
  *image = mt_wrapped_write(&wrapped);
  mt_wrapped_free(&wrapped);
}

// -- The file --------------------------------------------------------------------------------------------------------

static void file_resize(mt_image *image, uint64_t byte_count) {
  uint8_t *bytes = calloc(byte_count, 1);
  memcpy(bytes, image->bytes, byte_count < image->byte_count ? byte_count : image->byte_count);
  mt_image_free(image);
  *image = mt_image_copy(bytes, byte_count);
  free(bytes);
}

static void file_set_u32(mt_image *image, uint64_t at, uint32_t value) { memcpy(image->bytes + at, &value, 4); }

static void file_is_short(mt_image *image) {
  wrapped_spoil(image, NULL);
  file_resize(image, 39);
}

static void file_is_cut(mt_image *image) {
  wrapped_spoil(image, NULL);
  file_resize(image, image->byte_count - 1);
}

static void file_is_longer(mt_image *image) {
  wrapped_spoil(image, NULL);
  file_resize(image, image->byte_count + 1);
}

/// Cut behind the header, and the header says so.
static void file_ends_with_header(mt_image *image) {
  wrapped_spoil(image, NULL);
  file_resize(image, 43);
  const uint64_t byte_count = 43;
  memcpy(image->bytes + offsetof(mpak_wrapped_header, file_bytes), &byte_count, 8);
}

static void file_has_other_bit(mt_image *image) {
  wrapped_spoil(image, NULL);
  image->bytes[image->byte_count - 1] ^= 1;
}

static void file_is_of_another_version(mt_image *image) {
  wrapped_spoil(image, NULL);
  image->bytes[offsetof(mpak_wrapped_header, format_major)] ^= 1;
}

static void frame_is_long(mt_image *image) {
  wrapped_spoil(image, NULL);
  file_set_u32(image, 40, (uint32_t)image->byte_count - 43);
}

static void frame_is_short(mt_image *image) {
  wrapped_spoil(image, NULL);
  file_set_u32(image, 40, 20);
}

static void frame_is_broken(mt_image *image) {
  wrapped_spoil(image, NULL);
  image->bytes[44] ^= 1; // the frame's magic
}

// -- Sizes -----------------------------------------------------------------------------------------------------------

static void change_no_stream(mt_wrapped *wrapped) { wrapped->header.stream_bytes = 127; }
static void change_long_stream(mt_wrapped *wrapped) {
  wrapped->header.stream_bytes = (uint32_t)wrapped->header.pack_bytes + 1;
}
static void change_other_stream(mt_wrapped *wrapped) { wrapped->header.stream_bytes--; }
static void change_bomb(mt_wrapped *wrapped) { wrapped->header.pack_bytes = UINT64_C(1) << 40; }
static void change_pack_bytes(mt_wrapped *wrapped) { wrapped->header.pack_bytes += 8; }

static void size_no_stream(mt_image *image) { wrapped_spoil(image, change_no_stream); }
static void size_long_stream(mt_image *image) { wrapped_spoil(image, change_long_stream); }
static void size_other_stream(mt_image *image) { wrapped_spoil(image, change_other_stream); }
static void size_bomb(mt_image *image) { wrapped_spoil(image, change_bomb); }
static void size_pack_bytes(mt_image *image) { wrapped_spoil(image, change_pack_bytes); }

// -- The stream ------------------------------------------------------------------------------------------------------

static void set_stream_u64(mt_wrapped *wrapped, uint64_t at, uint64_t value) {
  memcpy(wrapped->stream + at, &value, 8);
}

static void change_magic(mt_wrapped *wrapped) { memcpy(wrapped->stream, MPAK_WRAPPED_MAGIC, 8); }
static void change_table_offset(mt_wrapped *wrapped) {
  set_stream_u64(wrapped, offsetof(mpak_header, table_offset), 120);
}
static void change_chunk_count(mt_wrapped *wrapped) {
  const uint32_t count = UINT32_MAX;
  memcpy(wrapped->stream + offsetof(mpak_header, chunk_count), &count, 4);
}
static void change_header_hash(mt_wrapped *wrapped) { set_stream_u64(wrapped, offsetof(mpak_header, header_hash), 1); }
static void change_table_hash(mt_wrapped *wrapped) { set_stream_u64(wrapped, offsetof(mpak_header, table_hash), 1); }

static void change_cut_stream(mt_wrapped *wrapped) { wrapped->header.stream_bytes = (uint32_t)--wrapped->stream_bytes; }
static void change_no_table(mt_wrapped *wrapped) { wrapped->stream_bytes = wrapped->header.stream_bytes = 200; }
static void change_add_to_stream(mt_wrapped *wrapped) {
  wrapped->stream = realloc(wrapped->stream, wrapped->stream_bytes + 1);
  wrapped->stream[wrapped->stream_bytes++] = 0;
  wrapped->header.stream_bytes++;
}
static void change_cut_behind(mt_wrapped *wrapped) { wrapped->behind_bytes--; }
static void change_add_behind(mt_wrapped *wrapped) {
  wrapped->behind = realloc(wrapped->behind, wrapped->behind_bytes + 1);
  wrapped->behind[wrapped->behind_bytes++] = 0;
}

static void stream_magic(mt_image *image) { wrapped_spoil(image, change_magic); }
static void stream_table_offset(mt_image *image) { wrapped_spoil(image, change_table_offset); }
static void stream_chunk_count(mt_image *image) { wrapped_spoil(image, change_chunk_count); }
static void stream_header_hash(mt_image *image) { wrapped_spoil(image, change_header_hash); }
static void stream_table_hash(mt_image *image) { wrapped_spoil(image, change_table_hash); }
static void stream_cut(mt_image *image) { wrapped_spoil(image, change_cut_stream); }
static void stream_no_table(mt_image *image) { wrapped_spoil(image, change_no_table); }
static void stream_longer(mt_image *image) { wrapped_spoil(image, change_add_to_stream); }
static void behind_cut(mt_image *image) { wrapped_spoil(image, change_cut_behind); }
static void behind_longer(mt_image *image) { wrapped_spoil(image, change_add_behind); }

// -- Lines of the chunk table ----------------------------------------------------------------------------------------

#define CHANGE_LINE(name, number, member, value)                                                                       \
  static void change_##name(mt_wrapped *wrapped) {                                                                     \
    mpak_chunk_entry line = mt_wrapped_line(wrapped, number);                                                          \
    line.member = value;                                                                                               \
    mt_wrapped_set_line(wrapped, number, &line);                                                                       \
  }                                                                                                                    \
  static void line_##name(mt_image *image) { wrapped_spoil(image, change_##name); }

CHANGE_LINE(nowhere, 1, zero, 2)
CHANGE_LINE(behind, 1, zero, 1)
CHANGE_LINE(hash, 1, hash_stored, 1)
CHANGE_LINE(decoded_hash, 1, hash_decoded, 1)
CHANGE_LINE(before_its_place, 1, offset, 127)
CHANGE_LINE(far_away, 1, offset, UINT64_MAX - 10)
CHANGE_LINE(far_away_little, 1, offset, UINT64_C(1) << 20)
CHANGE_LINE(endless, 1, stored_bytes, UINT64_MAX - 10)
CHANGE_LINE(uneven, 1, stored_bytes, 71)

#define WRAPPED(text, result_, function)        MT_SPOIL_FILE("wrapped: " text, result_, MT_RULES_BLK64, function)
#define WRAPPED_STORED(text, result_, function) MT_SPOIL_FILE("wrapped: " text, result_, MT_RULES_CSR64, function)

static const mt_rule_case wrapped_cases[] = {
    WRAPPED("the file is shorter than its header", MPAK_ERROR_TRUNCATED, file_is_short),
    WRAPPED("another format version", MPAK_ERROR_VERSION, file_is_of_another_version),
    WRAPPED("file_bytes is not the file's size", MPAK_ERROR_TRUNCATED, file_is_cut),
    WRAPPED("file_bytes is not the file's size", MPAK_ERROR_TRUNCATED, file_is_longer),
    {.rule = "wrapped: its hash is another one",
     .result = MPAK_ERROR_CHECKSUM,
     .spoil = file_has_other_bit,
     .keep_hashes = true},
    WRAPPED("the pack is larger than the caller allows", MPAK_ERROR_LIMIT, size_bomb),
    WRAPPED("stream_bytes is out of range", MT_CORRUPT, size_no_stream),
    WRAPPED("stream_bytes is out of range", MT_CORRUPT, size_long_stream),
    WRAPPED("no room for the frame sizes", MT_CORRUPT, file_ends_with_header),
    WRAPPED_STORED("a frame does not fit into the file", MT_CORRUPT, frame_is_long),
    WRAPPED("a frame does not decompress to its size", MT_CORRUPT, frame_is_short),
    WRAPPED("a frame does not decompress to its size", MT_CORRUPT, frame_is_broken),
    WRAPPED("a frame does not decompress to its size", MT_CORRUPT, size_other_stream),
    WRAPPED("the chunk table does not end the pack", MT_CORRUPT, stream_table_offset),
    WRAPPED("the chunk table does not end the pack", MT_CORRUPT, stream_chunk_count),
    WRAPPED("the chunk table does not end the pack", MT_CORRUPT, size_pack_bytes),
    WRAPPED("a hash that is made anew is not zero", MT_CORRUPT, stream_header_hash),
    WRAPPED("a hash that is made anew is not zero", MT_CORRUPT, stream_table_hash),
    WRAPPED("a hash that is made anew is not zero", MT_CORRUPT, line_hash),
    WRAPPED("a hash that is made anew is not zero", MT_CORRUPT, line_decoded_hash),
    WRAPPED("the stream ends early", MT_CORRUPT, stream_no_table),
    WRAPPED("the stream ends early", MT_CORRUPT, stream_cut),
    WRAPPED("a chunk stands nowhere", MT_CORRUPT, line_nowhere),
    WRAPPED("a chunk does not fit into the pack", MT_CORRUPT, line_before_its_place),
    WRAPPED("a chunk does not fit into the pack", MT_CORRUPT, line_far_away),
    WRAPPED("a chunk does not fit into the pack", MT_CORRUPT, line_far_away_little),
    WRAPPED("a chunk does not fit into the pack", MT_CORRUPT, line_endless),
    WRAPPED("a chunk is not made of its records", MT_CORRUPT, line_uneven),
    WRAPPED("the file ends early", MT_CORRUPT, behind_cut),
    WRAPPED_STORED("the file ends early", MT_CORRUPT, line_behind),
    WRAPPED("bytes of the stream are left", MT_CORRUPT, stream_longer),
    WRAPPED("bytes of the file are left", MT_CORRUPT, behind_longer),
    MT_SPOIL_FILE("header: the pack is wrapped", MPAK_ERROR_WRAPPED, MT_RULES_BLK64, stream_magic),
};

mt_rule_list mt_rules_wrapped(void) {
  return (mt_rule_list){wrapped_cases, sizeof wrapped_cases / sizeof wrapped_cases[0]};
}
