// mt_block.c: see mt_block.h.
#include "tests/support/mt_block.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t block_columns[10] = {4, 4, 4, 4, 5, 4, 4, 1, 2, 3};

static uint32_t block_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static uint32_t block_component(int32_t base, uint32_t width) { return (uint32_t)base << 5 | width; }

static void block_fill_lists(uint32_t *w) {
  const uint32_t fine = 256u << 22, whole = 192u << 22; // steps of 2^-8 and 1
  const uint32_t lists[MT_BLOCK_EXAMPLE_WORDS] = {0u | 3u << 16,
                                                  block_bits(0.6f),
                                                  0,
                                                  0,
                                                  2,
                                                  block_bits(1),
                                                  block_bits(2),
                                                  block_bits(3),
                                                  4,
                                                  block_bits(1),
                                                  block_bits(1),
                                                  block_bits(2),
                                                  1u | 3u << 16 | fine,
                                                  block_component(0, 4),
                                                  block_component(0, 0),
                                                  block_component(0, 0),
                                                  2u | fine,
                                                  block_component(-256, 10),
                                                  block_component(0, 0),
                                                  block_component(0, 0),
                                                  block_component(0, 9),
                                                  4u | fine,
                                                  block_component(10, 3),
                                                  block_component(0, 0),
                                                  block_component(-5, 12),
                                                  1u | whole,
                                                  block_component(1, 1),
                                                  block_component(1, 0),
                                                  block_component(1, 0),
                                                  1,
                                                  1u | 0u << 16,
                                                  block_bits(0.5f),
                                                  1u | 2u << 16,
                                                  block_component(0, 17),
                                                  block_bits(1.0f / 65536)};
  memcpy(w, lists, sizeof lists);
}

mt_block mt_block_example(void) {
  mt_block block = {.header = {MT_BLOCK_SAMPLES, 7, 0x00010001, 0x00010001, 0x00010001, 0x00010001, 1, 1},
                    .rest_bits = 1u << (3 * 2 + 2)};
  static const mt_block_field fields[7] = {
      {4, 1, {0, 8, 15}},     {10, 2, {256, 512, 0}}, {9, 0, {256, 0, 0}},         {3, 1, {0, 7, 2}},
      {12, 2, {0, 4095, 17}}, {1, 1, {0, 1, 0}},      {17, 1, {0, 65536, 100000}},
  };
  block_fill_lists(block.words);
  memcpy(block.fields, fields, sizeof fields);
  block.field_count = 7;
  return block;
}

static uint32_t block_count(const mt_block *block, uint32_t list) {
  if (list >= 8) return block->header[list - 2];
  return block->header[2 + list / 2] >> (16 * (list % 2)) & 0xFFFF;
}

static uint32_t block_code(const mt_block_field *field, uint32_t i) {
  const uint32_t last = i > 0 ? field->numbers[i - 1] : 0, before = i > 1 ? field->numbers[i - 2] : 0;
  uint32_t predicted = field->predictor == 0 ? 0 : last, half = 1u << (field->width - 1);
  if (field->predictor == 2 && i > 1) predicted = 2 * last - before;
  const uint32_t left = (field->numbers[i] - predicted) & (2 * half - 1);
  return left < half ? 2 * left : 2 * (2 * half - left) - 1;
}

static uint32_t block_put_lists(const mt_block *block, uint8_t *out) {
  uint32_t size = 0, at = 0;
  for (uint32_t list = 0; list < 10; list++) {
    const uint32_t count = block_count(block, list) < 8 ? block_count(block, list) : 8;
    for (uint32_t column = 0; column < block_columns[list]; column++, at += count)
      for (uint32_t plane = 0; plane < 4; plane++)
        for (uint32_t i = 0; i < count; i++) out[size++] = (uint8_t)(block->words[at + i] >> (8 * plane));
  }
  return size;
}

static uint32_t block_put_fields(const mt_block *block, uint8_t *out) {
  uint32_t size = 0;
  for (uint32_t f = 0; f < block->field_count; f++) out[size++] = (uint8_t)block->fields[f].predictor;
  for (uint32_t plane = 0; plane < 3; plane++) {
    for (uint32_t f = 0; f < block->field_count; f++) {
      if (block->fields[f].width <= 8 * plane) continue;
      for (uint32_t i = 0; i < MT_BLOCK_SAMPLES; i++) {
        const uint32_t code = block_code(&block->fields[f], i) + (f == 0 && i == 0 ? block->wild_code : 0);
        out[size++] = (uint8_t)(code >> (8 * plane));
      }
    }
  }
  return size;
}

static uint32_t block_word_count(const mt_block *block) {
  uint32_t words = 9;
  for (uint32_t list = 0; list < 10; list++) words += block_count(block, list) * block_columns[list];
  return block->header[1] ? words + (block->header[0] * block->header[1] + 4 + 3) / 4 : words;
}

void mt_pack_set_block(mt_pack *pack, uint32_t clip, const mt_block *block) {
  uint8_t bytes[1024] = {0};
  uint32_t size = 36;
  memcpy(bytes, block->header, 32);
  memcpy(bytes + 32, &block->rest_bits, 4);
  size += block_put_lists(block, bytes + size);
  size += block_put_fields(block, bytes + size);
  size = (uint32_t)((int)size + block->extra_bytes);
  if (mt_pack_find(pack, MPAK_KIND_ANIM)) mt_pack_remove(pack, mt_pack_find_number(pack, MPAK_KIND_ANIM));
  mt_pack_add(pack, MPAK_KIND_ANIM, MPAK_NONE, 1, size, bytes);
  mpak_clip *clips = (mpak_clip *)mt_pack_find(pack, MPAK_KIND_CLIP)->bytes;
  const uint32_t clip_count = mt_pack_find(pack, MPAK_KIND_CLIP)->entry.count;
  clips[clip].word_count = block->word_count ? block->word_count : block_word_count(block);
  for (uint32_t c = 1; c < clip_count; c++) clips[c].first_word = clips[c - 1].first_word + clips[c - 1].word_count;
}
