// decode_block.c: from the bytes of ANIM to the block of a clip (SPEC.md, "Compressed clips"). Tables come first, each
// column as four byte planes; then the predictor of each field; then the fields' differences, byte plane by byte plane.
#include "format/anim_block.h"
#include "runtime/pack/pack_internal.h"

#define BLOCK_REQUIRE(condition, rule, item)                                                                           \
  LAYOUT_REQUIRE(condition, MPAK_ERROR_CORRUPT, rule, pack->animation_chunk, item)

static const uint8_t *block_take(pack_span *stream, uint64_t byte_count) {
  return byte_count > stream->byte_count ? NULL : pack_take(stream, byte_count, 1);
}

/// count words from four planes of bytes.
static bool block_read_planes(pack_span *stream, uint64_t count, uint32_t *words) {
  const uint8_t *planes = block_take(stream, count * 4);
  if (!planes) return false;
  for (uint64_t i = 0; i < count; ++i) {
    words[i] = (uint32_t)planes[i] | (uint32_t)planes[count + i] << 8 | (uint32_t)planes[2 * count + i] << 16 |
               (uint32_t)planes[3 * count + i] << 24;
  }
  return true;
}

/// Header, rest bits and lists. Sizes are compared with the clip's before anything is written.
static mpak_result block_read_tables(const mpak_pack *pack, uint32_t clip, pack_span *stream, uint32_t *words,
                                     mpak_fault *fault) {
  uint32_t header[ANIM_HEADER_WORDS];
  const uint8_t *bytes = block_take(stream, sizeof header);
  BLOCK_REQUIRE(bytes, "ANIM: it ends inside a clip", clip);
  memcpy(header, bytes, sizeof header);
  uint64_t table_words = anim_table_words(header, pack->node_count);
  BLOCK_REQUIRE(header[0] > 0, "ANIM: a clip without samples", clip);
  BLOCK_REQUIRE(table_words + anim_row_words(header) == pack->clips[clip].word_count,
                "ANIM: a block is not word_count long", clip);
  memcpy(words, header, sizeof header);
  uint64_t rest_words = anim_rest_words(pack->node_count);
  bytes = block_take(stream, rest_words * 4);
  BLOCK_REQUIRE(bytes, "ANIM: it ends inside a clip", clip);
  if (rest_words) memcpy(words + ANIM_HEADER_WORDS, bytes, (size_t)rest_words * 4);
  uint32_t *at = words + ANIM_HEADER_WORDS + rest_words;
  for (uint32_t l = 0; l < ANIM_LIST_COUNT; ++l) {
    for (uint32_t column = 0; column < anim_list_columns(l); ++column) {
      uint32_t count = anim_header_count(header, l);
      BLOCK_REQUIRE(block_read_planes(stream, count, at), "ANIM: it ends inside a clip", clip);
      at += count;
    }
  }
  return MPAK_OK;
}

/// The fields that have bits, and how many bytes of planes each sample has.
static void block_count_planes(const anim_block *block, uint64_t fields[3]) {
  anim_field field = {0};
  fields[0] = fields[1] = fields[2] = 0;
  while (anim_field_next(block, &field)) {
    for (uint32_t p = 0; p < 3; ++p) fields[p] += anim_width_of(field.component) > 8 * p;
  }
}

static inline uint32_t block_unzigzag(uint32_t code) { return code >> 1 ^ (0u - (code & 1u)); }

/// One field of all rows. planes: its bytes in each plane; those past its width are not read. Returns false when a
/// difference has more bits than the field.
static bool block_fill_field(const anim_block *block, const anim_field *field, uint32_t predictor,
                             const uint8_t *const planes[3], uint8_t *rows) {
  uint32_t width = anim_width_of(field->component), mask = (1u << width) - 1u, before = 0, last = 0, wild = 0;
  uint8_t *at = rows + (field->bit >> 3);
  for (uint32_t i = 0; i < block->sample_count; ++i, at += block->row_bytes) {
    uint32_t code = planes[0][i];
    if (width > 8) code |= (uint32_t)planes[1][i] << 8;
    if (width > 16) code |= (uint32_t)planes[2][i] << 16;
    wild |= code & ~mask;
    uint32_t predicted = predictor == 0 ? 0 : predictor == 1 || i < 2 ? last : 2 * last - before;
    uint32_t value = (predicted + block_unzigzag(code)) & mask;
    bytes_store_u32(at, bytes_load_u32(at) | value << (field->bit & 7));
    before = last;
    last = value;
  }
  return wild == 0;
}

static mpak_result block_read_rows(const mpak_pack *pack, uint32_t clip, pack_span *stream, uint32_t *words,
                                   mpak_fault *fault) {
  const anim_block block = anim_block_of(words, pack->node_count);
  uint8_t *rows = (uint8_t *)(words + (block.rows - (const uint8_t *)words) / 4);
  uint64_t fields[3], samples = block.sample_count;
  block_count_planes(&block, fields);
  memset(rows, 0, (size_t)anim_row_words(words) * 4);
  const uint8_t *predictors = block_take(stream, fields[0]);
  const uint8_t *planes[3] = {NULL, NULL, NULL};
  for (uint32_t p = 0; predictors && p < 3; ++p) {
    planes[p] = block_take(stream, fields[p] * samples);
    if (!planes[p]) predictors = NULL;
  }
  BLOCK_REQUIRE(predictors, "ANIM: it ends inside a clip", clip);
  anim_field field = {0};
  while (anim_field_next(&block, &field)) {
    uint32_t width = anim_width_of(field.component);
    if (width == 0) continue;
    BLOCK_REQUIRE(*predictors <= 2, "ANIM: unknown predictor", clip);
    BLOCK_REQUIRE(block_fill_field(&block, &field, *predictors, planes, rows),
                  "ANIM: a difference is wider than its component", clip);
    ++predictors;
    for (uint32_t p = 0; p < 3; ++p) planes[p] += width > 8 * p ? samples : 0;
  }
  return MPAK_OK;
}

mpak_result pack_decode_block(const mpak_pack *pack, uint32_t clip, pack_span *stream, uint32_t *words,
                              mpak_fault *fault) {
  LAYOUT_TRY(block_read_tables(pack, clip, stream, words, fault));
  LAYOUT_TRY(pack_check_block_tables(pack, clip, words, fault));
  LAYOUT_TRY(block_read_rows(pack, clip, stream, words, fault));
  return pack_check_block_rows(pack, clip, words, fault);
}
