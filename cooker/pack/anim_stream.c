// anim_stream.c: see anim_stream.h.
#include "cooker/pack/anim_stream.h"

#include "format/anim_block.h"

uint64_t anim_stream_bytes(const uint32_t *words, uint32_t node_count) {
  const anim_block block = anim_block_of(words, node_count);
  uint64_t bytes = anim_table_words(words, node_count) * 4;
  anim_field field = {0};
  while (anim_field_next(&block, &field)) {
    const uint32_t width = anim_width_of(field.component);
    if (width > 0) bytes += 1 + (uint64_t)((width + 7) / 8) * block.sample_count;
  }
  return bytes;
}

static uint8_t *stream_put_planes(uint8_t *out, const uint32_t *words, uint32_t count) {
  for (uint32_t shift = 0; shift < 32; shift += 8) {
    for (uint32_t i = 0; i < count; ++i) *out++ = (uint8_t)(words[i] >> shift);
  }
  return out;
}

/// What is left of a number after a prediction from the two before it: a difference of width bits, signs folded in.
static uint32_t stream_code(uint32_t value, uint32_t last, uint32_t before, uint32_t row, uint32_t predictor,
                            uint32_t width) {
  const uint32_t predicted = predictor == 0 ? 0 : predictor == 1 || row < 2 ? last : 2 * last - before;
  const uint32_t shift = 32 - width;
  const int32_t difference = (int32_t)((value - predicted) << shift) >> shift;
  return (uint32_t)difference << 1 ^ (difference < 0 ? UINT32_MAX : 0);
}

/// Codes of one field to its planes, or (planes NULL) the bits that they take, roughly.
static uint64_t stream_field(const anim_block *block, const anim_field *field, uint32_t predictor,
                             uint8_t *const planes[3]) {
  const uint32_t width = anim_width_of(field->component);
  const uint8_t *row = block->rows;
  uint32_t last = 0, before = 0;
  uint64_t bits = 0;
  for (uint32_t i = 0; i < block->sample_count; ++i, row += block->row_bytes) {
    const uint32_t value = anim_read_bits(row, field->bit, width);
    const uint32_t code = stream_code(value, last, before, i, predictor, width);
    for (uint32_t p = 0; planes && p < (width + 7) / 8; ++p) planes[p][i] = (uint8_t)(code >> (8 * p));
    for (uint32_t left = code; left != 0; left >>= 1) ++bits;
    before = last;
    last = value;
  }
  return bits;
}

static uint32_t stream_choose(const anim_block *block, const anim_field *field) {
  uint32_t best = 0;
  uint64_t least = UINT64_MAX;
  for (uint32_t predictor = 0; predictor < 3; ++predictor) {
    const uint64_t bits = stream_field(block, field, predictor, NULL);
    if (bits >= least) continue;
    least = bits;
    best = predictor;
  }
  return best;
}

void anim_stream_write(const uint32_t *words, uint32_t node_count, uint8_t *out) {
  const anim_block block = anim_block_of(words, node_count);
  const uint64_t plain_words = ANIM_HEADER_WORDS + anim_rest_words(node_count);
  memcpy(out, words, (size_t)plain_words * 4);
  out += plain_words * 4;
  for (uint32_t l = 0; l < ANIM_LIST_COUNT; ++l) {
    const anim_list *list = &block.lists[l];
    for (uint32_t column = 0; column < anim_list_columns(l); ++column)
      out = stream_put_planes(out, list->words + (uint64_t)column * list->count, list->count);
  }
  uint64_t fields[3] = {0, 0, 0};
  anim_field field = {0};
  while (anim_field_next(&block, &field)) {
    for (uint32_t p = 0; p < 3; ++p) fields[p] += anim_width_of(field.component) > 8 * p;
  }
  uint8_t *planes[3] = {out + fields[0], out + fields[0] + fields[0] * block.sample_count, NULL};
  planes[2] = planes[1] + fields[1] * block.sample_count;
  field = (anim_field){0};
  while (anim_field_next(&block, &field)) {
    const uint32_t width = anim_width_of(field.component);
    if (width == 0) continue;
    *out = (uint8_t)stream_choose(&block, &field);
    stream_field(&block, &field, *out++, planes);
    for (uint32_t p = 0; p < (width + 7) / 8; ++p) planes[p] += block.sample_count;
  }
}
