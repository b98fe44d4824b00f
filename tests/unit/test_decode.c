// test_decode.c: decoding gives the bytes that were put in, into exactly the memory that was asked for, or says why
// not.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#include "runtime/mpak.h"
#include "tests/support/mt_pack.h"
#include "tests/support/mt_walk.h"

/// A pack that was written, and what decoding needs.
typedef struct decode_case {
  mt_pack source;
  mt_image image;
  mpak_pack pack;
  void *scratch;
  uint64_t scratch_bytes;
} decode_case;

static void *decode_memory(uint64_t byte_count) {
  void *memory = NULL;
  assert_int_equal(posix_memalign(&memory, 16, byte_count ? byte_count : 1), 0);
  memset(memory, 0xA5, byte_count);
  return memory;
}

static void decode_begin(decode_case *c, const mt_character *character, const mpak_decoder *decoder) {
  mpak_open_options options = {.decoder = decoder};
  mpak_fault fault;
  mt_pack_character(&c->source, character);
  c->image = mt_pack_write(&c->source);
  assert_int_equal(mpak_open(c->image.bytes, c->image.byte_count, &options, &c->pack, &fault), MPAK_OK);
  c->scratch_bytes = mpak_scratch_bytes(&c->pack);
  c->scratch = decode_memory(c->scratch_bytes);
}

static void decode_end(decode_case *c) {
  free(c->scratch);
  mt_image_free(&c->image);
  mt_pack_free(&c->source);
}

static mt_character decode_everything(mt_layout layout, bool is_compressed) {
  return (mt_character){.layout = layout,
                        .is_compressed = is_compressed,
                        .is_skinned = true,
                        .has_clips = true,
                        .has_source_map = true,
                        .has_colours = true,
                        .vertex_count = 200};
}

/// Checks a character of each layout with all streams, stored and compressed.
static void decode_each_kind_of_pack(void (*check)(decode_case *c)) {
  for (int layout = 0; layout < 3; layout++) {
    for (int is_compressed = 0; is_compressed < 2; is_compressed++) {
      decode_case c;
      mt_character character = decode_everything((mt_layout)layout, is_compressed);
      decode_begin(&c, &character, mpak_zstd_decoder());
      check(&c);
      decode_end(&c);
    }
  }
}

// -- Single chunks ---------------------------------------------------------------------------------------------------

static bool decode_is_morph(uint32_t kind) {
  return kind == MPAK_KIND_MOFF || kind == MPAK_KIND_MDEL || kind == MPAK_KIND_MGRP || kind == MPAK_KIND_MRUN ||
         kind == MPAK_KIND_MPAY;
}

static void decode_check_all_chunks(decode_case *c) {
  for (uint32_t i = 0; i < c->pack.chunk_count; i++) {
    const mpak_chunk_entry *chunk = &c->pack.chunks[i];
    void *memory = decode_memory(chunk->decoded_bytes);
    const void *view = NULL;
    mpak_fault fault;
    mpak_result result =
        mpak_decode(&c->pack, i, memory, chunk->decoded_bytes, c->scratch, c->scratch_bytes, &view, &fault);
    if (decode_is_morph(chunk->kind)) {
      assert_int_equal(result, MPAK_ERROR_ARGUMENT);
    } else {
      assert_int_equal(result, MPAK_OK);
      assert_ptr_equal(view, memory);
      assert_memory_equal(memory, c->source.chunks[i].bytes, chunk->decoded_bytes);
    }
    free(memory);
  }
}

static void test_decode_every_chunk_gives_what_was_put_in(void **state) {
  (void)state;
  decode_each_kind_of_pack(decode_check_all_chunks);
}

/// Streams longer than a filter block and a frame: 131,072 / 48 is 2,720 records a block.
static void test_decode_several_frames_and_blocks_give_what_was_put_in(void **state) {
  (void)state;
  decode_case c;
  mt_character character = {.layout = MT_BLK64, .is_compressed = true, .is_skinned = true, .vertex_count = 15001};
  decode_begin(&c, &character, mpak_zstd_decoder());
  const mpak_part *part = &c.pack.parts[0];
  assert_true(c.pack.chunks[part->base_chunk].frame_count > 2);
  assert_true(c.pack.chunks[part->morph_chunk[2]].frame_count > 1);
  decode_check_all_chunks(&c);
  mpak_morph morph;
  mpak_fault fault;
  uint64_t byte_count = mpak_morph_bytes(&c.pack, 0);
  void *memory = decode_memory(byte_count);
  assert_int_equal(mpak_decode_morph(&c.pack, 0, memory, byte_count, c.scratch, c.scratch_bytes, &morph, &fault),
                   MPAK_OK);
  assert_memory_equal(morph.payload_words, mt_pack_find(&c.source, MPAK_KIND_MPAY)->bytes,
                      36 * (size_t)part->delta_count);
  free(memory);
  decode_end(&c);
}

static void test_decode_stored_chunk_without_memory_is_a_view(void **state) {
  (void)state;
  decode_case c;
  mt_character character = decode_everything(MT_CSR64, false);
  decode_begin(&c, &character, NULL);
  const void *view = NULL;
  mpak_fault fault;
  uint32_t chunk = c.pack.parts[0].base_chunk;
  assert_int_equal(mpak_decode(&c.pack, chunk, NULL, 0, NULL, 0, &view, &fault), MPAK_OK);
  assert_ptr_equal(view, c.image.bytes + c.pack.chunks[chunk].offset);
  assert_int_equal(mpak_decode(&c.pack, chunk, NULL, 0, NULL, 0, NULL, NULL), MPAK_OK);
  assert_int_equal(mpak_part_bytes(&c.pack, 0), 0);
  assert_int_equal(mpak_clips_bytes(&c.pack), 0);
  decode_end(&c);
}

static void test_decode_compressed_chunk_needs_memory_scratch_and_decoder(void **state) {
  (void)state;
  decode_case c;
  mt_character character = decode_everything(MT_CSR64, true);
  decode_begin(&c, &character, mpak_zstd_decoder());
  uint32_t chunk = c.pack.parts[0].base_chunk;
  uint64_t bytes = c.pack.chunks[chunk].decoded_bytes;
  uint8_t *memory = decode_memory(bytes + 16);
  mpak_fault fault;
  const void *view = memory;
#define DECODE(dst, dst_bytes, scratch, scratch_bytes)                                                                 \
  mpak_decode(&c.pack, chunk, (dst), (dst_bytes), (scratch), (scratch_bytes), &view, &fault)
  assert_int_equal(DECODE(NULL, 0, c.scratch, c.scratch_bytes), MPAK_ERROR_ARGUMENT);
  assert_null(view);
  assert_int_equal(DECODE(memory, bytes - 1, c.scratch, c.scratch_bytes), MPAK_ERROR_BUFFER_TOO_SMALL);
  assert_int_equal(DECODE(memory + 8, bytes, c.scratch, c.scratch_bytes), MPAK_ERROR_ALIGNMENT);
  assert_int_equal(DECODE(memory, bytes, NULL, c.scratch_bytes), MPAK_ERROR_ARGUMENT);
  assert_int_equal(DECODE(memory, bytes, (uint8_t *)c.scratch + 1, c.scratch_bytes), MPAK_ERROR_ALIGNMENT);
  assert_int_equal(DECODE(memory, bytes, c.scratch, 1000), MPAK_ERROR_BUFFER_TOO_SMALL);
  assert_int_equal(DECODE(memory, bytes, c.scratch, c.scratch_bytes), MPAK_OK);
  c.pack.decoder = (mpak_decoder){0};
  assert_int_equal(DECODE(memory, bytes, c.scratch, c.scratch_bytes), MPAK_ERROR_NO_DECODER);
  assert_int_equal(mpak_decode(&c.pack, c.pack.chunk_count, memory, bytes, c.scratch, c.scratch_bytes, &view, &fault),
                   MPAK_ERROR_ARGUMENT);
  free(memory);
  decode_end(&c);
}

static void test_decode_without_decoder_fails_only_for_compressed_chunks(void **state) {
  (void)state;
  decode_case c;
  mt_character character = decode_everything(MT_CSR64, false);
  decode_begin(&c, &character, NULL);
  uint64_t part_bytes = mpak_part_bytes(&c.pack, 0);
  void *memory = decode_memory(part_bytes);
  mpak_part_data data;
  mpak_clips clips;
  mpak_fault fault;
  assert_int_equal(mpak_load_part(&c.pack, 0, memory, part_bytes, c.scratch, c.scratch_bytes, &data, &fault), MPAK_OK);
  assert_int_equal(mpak_load_clips(&c.pack, NULL, 0, c.scratch, c.scratch_bytes, &clips, &fault), MPAK_OK);
  free(memory);
  decode_end(&c);
  character.is_compressed = true;
  decode_begin(&c, &character, NULL);
  part_bytes = mpak_part_bytes(&c.pack, 0);
  memory = decode_memory(part_bytes);
  assert_int_equal(mpak_load_part(&c.pack, 0, memory, part_bytes, c.scratch, c.scratch_bytes, &data, &fault),
                   MPAK_ERROR_NO_DECODER);
  mpak_morph morph;
  assert_int_equal(mpak_decode_morph(&c.pack, 0, memory, part_bytes, c.scratch, c.scratch_bytes, &morph, &fault),
                   MPAK_ERROR_NO_DECODER);
  free(memory);
  decode_end(&c);
}

static mpak_result decode_refuse_scratch(void *user, void *scratch, size_t scratch_bytes) {
  (void)user, (void)scratch, (void)scratch_bytes;
  return MPAK_ERROR_BUFFER_TOO_SMALL;
}

static void test_decode_with_a_decoder_that_is_not_ready_fails(void **state) {
  (void)state;
  decode_case c;
  mt_character character = decode_everything(MT_BLK64, true);
  mpak_decoder decoder = *mpak_zstd_decoder();
  decoder.prepare = decode_refuse_scratch;
  decode_begin(&c, &character, &decoder);
  uint64_t bytes = mpak_part_bytes(&c.pack, 0) + mpak_clips_bytes(&c.pack);
  void *memory = decode_memory(bytes);
  mpak_part_data data;
  mpak_clips clips;
  mpak_morph morph;
  mpak_fault fault;
  const mpak_result too_small = MPAK_ERROR_BUFFER_TOO_SMALL;
  assert_int_equal(mpak_load_part(&c.pack, 0, memory, bytes, c.scratch, c.scratch_bytes, &data, &fault), too_small);
  assert_int_equal(mpak_load_clips(&c.pack, memory, bytes, c.scratch, c.scratch_bytes, &clips, &fault), too_small);
  assert_int_equal(mpak_decode_morph(&c.pack, 0, memory, bytes, c.scratch, c.scratch_bytes, &morph, &fault), too_small);
  assert_int_equal(
      mpak_decode(&c.pack, c.pack.parts[0].base_chunk, memory, bytes, c.scratch, c.scratch_bytes, NULL, &fault),
      too_small);
  free(memory);
  decode_end(&c);
}

static void test_decode_compressed_chunk_of_unknown_kind_is_refused(void **state) {
  (void)state;
  mt_pack source;
  mt_pack_character(&source, &(mt_character){.layout = MT_NO_SHAPES});
  mt_pack_add(&source, MPAK_FOURCC('X', 'T', 'R', 'A'), MPAK_NONE, 4, 4, NULL);
  mt_image image = mt_pack_write(&source);
  mpak_chunk_entry *last = (mpak_chunk_entry *)(image.bytes + image.byte_count) - 1;
  last->encoding = 7; // what its bytes mean is nobody's business
  mt_image_rehash(&image);
  mpak_pack pack;
  mpak_fault fault;
  uint8_t memory[16];
  assert_int_equal(mpak_open(image.bytes, image.byte_count, NULL, &pack, &fault), MPAK_OK);
  assert_int_equal(mpak_decode(&pack, pack.chunk_count - 1, memory, 16, NULL, 0, NULL, &fault), MPAK_ERROR_ARGUMENT);
  mt_image_free(&image);
  mt_pack_free(&source);
}

// -- Parts and clips -------------------------------------------------------------------------------------------------

static void decode_check_stream(const decode_case *c, const void *found, uint32_t chunk) {
  if (chunk == MPAK_NONE) {
    assert_null(found);
    return;
  }
  assert_non_null(found);
  assert_memory_equal(found, c->source.chunks[chunk].bytes, c->pack.chunks[chunk].decoded_bytes);
}

static void decode_check_part(decode_case *c, uint32_t number) {
  const mpak_part *part = &c->pack.parts[number];
  uint64_t bytes = mpak_part_bytes(&c->pack, number);
  uint8_t *memory = decode_memory(bytes);
  mpak_part_data data;
  mpak_fault fault;
  assert_int_equal(mpak_load_part(&c->pack, number, memory, bytes, c->scratch, c->scratch_bytes, &data, &fault),
                   MPAK_OK);
  decode_check_stream(c, data.base, part->base_chunk);
  decode_check_stream(c, data.indices, part->index_chunk);
  decode_check_stream(c, data.joints, part->joint_chunk);
  decode_check_stream(c, data.weights, part->weight_chunk);
  for (int slot = 0; slot < 4; slot++) decode_check_stream(c, data.texcoords[slot], part->texcoord_chunk[slot]);
  decode_check_stream(c, data.colours, part->colour_chunk);
  assert_int_equal(data.index_bytes, c->pack.chunks[part->index_chunk].stride);
  assert_int_equal(mpak_index(&data, 2), 2);
  if (c->pack.chunks[part->base_chunk].encoding == MPAK_ENCODING_ZSTD) {
    assert_int_equal(((const uint8_t *)data.base - memory) % 256, 0);
    assert_int_equal(((const uint8_t *)data.indices - memory) % 256, 0);
  }
  if (bytes > 0) {
    assert_int_equal(mpak_load_part(&c->pack, number, memory, bytes - 1, c->scratch, c->scratch_bytes, &data, &fault),
                     MPAK_ERROR_BUFFER_TOO_SMALL);
    assert_null(data.base);
  }
  free(memory);
}

static void decode_check_all_parts(decode_case *c) {
  for (uint32_t part = 0; part < 3; part++) decode_check_part(c, part);
  mpak_part_data data;
  assert_int_equal(mpak_load_part(&c->pack, 3, NULL, 0, NULL, 0, &data, NULL), MPAK_ERROR_ARGUMENT);
  assert_int_equal(mpak_part_bytes(&c->pack, 3), 0);
}

static void test_load_part_gives_every_stream(void **state) {
  (void)state;
  decode_each_kind_of_pack(decode_check_all_parts);
}

static void test_load_clips_gives_times_and_values(void **state) {
  (void)state;
  for (int is_compressed = 0; is_compressed < 2; is_compressed++) {
    decode_case c;
    mt_character character = decode_everything(MT_CSR64, is_compressed);
    decode_begin(&c, &character, mpak_zstd_decoder());
    uint64_t bytes = mpak_clips_bytes(&c.pack);
    void *memory = decode_memory(bytes);
    mpak_clips clips;
    mpak_fault fault;
    assert_int_equal(mpak_load_clips(&c.pack, memory, bytes, c.scratch, c.scratch_bytes, &clips, &fault), MPAK_OK);
    decode_check_stream(&c, clips.times, c.pack.key_time_chunk);
    decode_check_stream(&c, clips.values, c.pack.key_value_chunk);
    free(memory);
    decode_end(&c);
  }
}

// -- Deltas ----------------------------------------------------------------------------------------------------------

static void test_decode_morph_without_shapes_needs_nothing(void **state) {
  (void)state;
  decode_case c;
  mt_character character = decode_everything(MT_NO_SHAPES, true);
  decode_begin(&c, &character, mpak_zstd_decoder());
  mpak_morph morph;
  mpak_fault fault;
  assert_int_equal(mpak_morph_bytes(&c.pack, 0), 0);
  assert_int_equal(mpak_decode_morph(&c.pack, 0, NULL, 0, NULL, 0, &morph, &fault), MPAK_OK);
  assert_int_equal(morph.payload, MPAK_PAYLOAD_NONE);
  assert_int_equal(morph.vertex_count, 200);
  assert_int_equal(mpak_decode_morph(&c.pack, 9, NULL, 0, NULL, 0, &morph, &fault), MPAK_ERROR_ARGUMENT);
  assert_int_equal(mpak_morph_bytes(&c.pack, 9), 0);
  decode_end(&c);
}

/// Dense deltas, nine floats of every (shape, vertex), out of a decoded part of 200 vertices and three shapes.
static float *decode_dense(const mpak_morph *morph) {
  float *dense = calloc(3 * 200 * 9, sizeof(float));
  for (uint32_t v = 0; v < 200 && morph->payload == MPAK_PAYLOAD_CSR64; v++)
    for (uint32_t i = morph->vertex_offsets[v]; i < morph->vertex_offsets[v + 1]; i++)
      for (int k = 0; k < 9; k++) {
        const mpak_csr_delta *delta = &morph->deltas[i];
        const float *group = k < 3 ? delta->position : k < 6 ? delta->normal : delta->tangent;
        dense[(delta->metadata[0] * 200 + v) * 9 + (uint32_t)k] = group[k % 3];
      }
  for (uint32_t b = 0; b < morph->block_count && morph->payload == MPAK_PAYLOAD_P36; b++)
    for (uint32_t e = morph->blocks[b].first_entry; e < morph->blocks[b + 1].first_entry; e++) {
      const mpak_morph_entry *entry = &morph->entries[e];
      uint64_t lanes = entry->lanes_low | (uint64_t)entry->lanes_high << 32;
      uint32_t count = (uint32_t)__builtin_popcountll(lanes), i = 0;
      for (uint32_t lane = 0; lane < 64; lane++) {
        if (!(lanes >> lane & 1)) continue;
        for (uint32_t k = 0; k < 9; k++)
          memcpy(&dense[(entry->shape * 200 + morph->blocks[b].first_vertex + lane) * 9 + k],
                 &morph->payload_words[entry->payload_offset + k * count + i], 4);
        i++;
      }
    }
  return dense;
}

static float *decode_dense_of(mt_layout layout, bool is_compressed) {
  decode_case c;
  mt_character character = decode_everything(layout, is_compressed);
  decode_begin(&c, &character, mpak_zstd_decoder());
  uint64_t bytes = mpak_morph_bytes(&c.pack, 0);
  void *memory = decode_memory(bytes);
  mpak_morph morph;
  mpak_fault fault;
  assert_int_equal(mpak_decode_morph(&c.pack, 0, memory, bytes, c.scratch, c.scratch_bytes, &morph, &fault), MPAK_OK);
  float *dense = decode_dense(&morph);
  free(memory);
  decode_end(&c);
  return dense;
}

/// The character's deltas are made from one function of shape, vertex and component, so both layouts must rebuild it.
static void test_decode_morph_both_layouts_rebuild_the_same_dense_deltas(void **state) {
  (void)state;
  float *expected = decode_dense_of(MT_CSR64, false);
  assert_true(expected[(0 * 200 + 1) * 9] != 0); // shape 0 moves vertex 1, not vertex 0
  assert_true(expected[(0 * 200 + 0) * 9] == 0);
  const struct {
    mt_layout layout;
    bool is_compressed;
  } others[] = {{MT_CSR64, true}, {MT_BLK64, false}, {MT_BLK64, true}};
  for (int i = 0; i < 3; i++) {
    float *found = decode_dense_of(others[i].layout, others[i].is_compressed);
    assert_memory_equal(found, expected, 3 * 200 * 9 * sizeof(float));
    free(found);
  }
  free(expected);
}

/// Three, six and nine floats a delta: what is not stored is zero, and all layouts agree.
static void test_decode_morph_components_of_both_layouts_agree(void **state) {
  (void)state;
  for (uint32_t components = 3; components <= 9; components += 3) {
    mt_walk walks[4];
    for (int i = 0; i < 4; i++) {
      mt_pack source;
      mt_pack_character(&source, &(mt_character){.layout = i < 2 ? MT_CSR64 : MT_BLK64,
                                                 .is_compressed = i % 2 == 1,
                                                 .components = components,
                                                 .vertex_count = 100});
      mt_image image = mt_pack_write(&source);
      walks[i] = mt_walk_aligned(image.bytes, image.byte_count, 0);
      if (i == 3) assert_int_equal(mt_pack_find(&source, MPAK_KIND_MPAY)->entry.stride, 4 * components);
      mt_image_free(&image);
      mt_pack_free(&source);
    }
    for (int i = 0; i < 4; i++) {
      assert_int_equal(walks[i].open_result, MPAK_OK);
      assert_int_equal(walks[i].decode_result, MPAK_OK);
      assert_true(walks[i].is_finite);
    }
  }
}

/// blk64 tables of the character: sections of 133 and 67 vertices make blocks of 64, 64, 5, 64, 3.
static void test_decode_morph_blocks_follow_sections(void **state) {
  (void)state;
  static const uint32_t counts[5] = {64, 64, 5, 64, 3}, firsts[6] = {0, 64, 128, 133, 197, 200};
  decode_case c;
  mt_character character = decode_everything(MT_BLK64, true);
  decode_begin(&c, &character, mpak_zstd_decoder());
  uint64_t bytes = mpak_morph_bytes(&c.pack, 0);
  void *memory = decode_memory(bytes);
  mpak_morph morph;
  mpak_fault fault;
  assert_int_equal(mpak_decode_morph(&c.pack, 0, memory, bytes, c.scratch, c.scratch_bytes, &morph, &fault), MPAK_OK);
  assert_int_equal(morph.block_count, 5);
  for (uint32_t b = 0; b < 5; b++) {
    assert_int_equal(morph.blocks[b].vertex_count, counts[b]);
    assert_int_equal(morph.blocks[b].section, b < 3 ? 0 : 1);
  }
  for (uint32_t b = 0; b < 6; b++) assert_int_equal(morph.blocks[b].first_vertex, firsts[b]);
  assert_int_equal(morph.blocks[5].first_entry, morph.entry_count);
  assert_int_equal(morph.blocks[5].vertex_count, 0);
  for (uint32_t e = 0; e < morph.entry_count; e++) assert_true(morph.entries[e].position_scale == 1);
  assert_int_equal(mpak_decode_morph(&c.pack, 0, memory, bytes - 1, c.scratch, c.scratch_bytes, &morph, &fault),
                   MPAK_ERROR_BUFFER_TOO_SMALL);
  assert_int_equal(mpak_decode_morph(&c.pack, 0, memory, bytes, c.scratch, 64, &morph, &fault),
                   MPAK_ERROR_BUFFER_TOO_SMALL);
  assert_null(morph.blocks);
  free(memory);
  decode_end(&c);
}

/// Shapes without any delta: csr64 keeps MOFF, blk64 keeps nothing.
static void test_decode_morph_empty_shapes_are_sound(void **state) {
  (void)state;
  for (int layout = 1; layout < 3; layout++) {
    mt_pack source;
    mt_pack_character(&source, &(mt_character){.layout = (mt_layout)layout});
    mpak_part *part = (mpak_part *)mt_pack_find(&source, MPAK_KIND_PART)->bytes;
    mpak_shape *shapes = (mpak_shape *)mt_pack_find(&source, MPAK_KIND_SHAP)->bytes;
    for (int s = 0; s < 3; s++) shapes[s].delta_count = 0;
    part->delta_count = part->entry_count = part->group_count = part->run_count = 0;
    for (int i = layout == 1 ? 1 : 0; i < 3; i++) {
      uint32_t chunk = part->morph_chunk[i];
      part->morph_chunk[i] = MPAK_NONE;
      if (chunk != MPAK_NONE) mt_pack_remove(&source, chunk);
    }
    if (layout == 1) memset(mt_pack_find(&source, MPAK_KIND_MOFF)->bytes, 0, 40);
    mt_image image = mt_pack_write(&source);
    mpak_pack pack;
    mpak_fault fault;
    mpak_morph morph;
    assert_int_equal(mpak_open(image.bytes, image.byte_count, NULL, &pack, &fault), MPAK_OK);
    uint64_t bytes = mpak_morph_bytes(&pack, 0), scratch_bytes = mpak_scratch_bytes(&pack);
    void *memory = decode_memory(bytes), *scratch = decode_memory(scratch_bytes);
    assert_int_equal(mpak_decode_morph(&pack, 0, memory, bytes, scratch, scratch_bytes, &morph, &fault), MPAK_OK);
    assert_int_equal(morph.delta_count, 0);
    assert_int_equal(morph.entry_count, 0);
    free(memory);
    free(scratch);
    mt_image_free(&image);
    mt_pack_free(&source);
  }
}

// -- zstd ------------------------------------------------------------------------------------------------------------

static void test_zstd_decoder_has_room_for_its_context(void **state) {
  (void)state;
  assert_true(mpak_zstd_decoder()->scratch_bytes >= ZSTD_estimateDCtxSize());
}

static mpak_result zstd_try(const void *frame, size_t frame_bytes, size_t dst_bytes) {
  const mpak_decoder *decoder = mpak_zstd_decoder();
  void *scratch = decode_memory(decoder->scratch_bytes), *dst = decode_memory(dst_bytes);
  assert_int_equal(decoder->prepare(decoder->user, scratch, decoder->scratch_bytes), MPAK_OK);
  mpak_result result =
      decoder->decompress(decoder->user, dst, dst_bytes, frame, frame_bytes, scratch, decoder->scratch_bytes);
  free(dst);
  free(scratch);
  return result;
}

static void test_zstd_decoder_wants_exactly_one_frame_of_the_size(void **state) {
  (void)state;
  uint8_t bytes[1000] = {1, 2, 3}, frame[2048];
  size_t length = ZSTD_compress(frame, sizeof frame, bytes, sizeof bytes, 3);
  assert_int_equal(zstd_try(frame, length, 1000), MPAK_OK);
  assert_int_equal(zstd_try(frame, length, 999), MPAK_ERROR_CORRUPT);
  assert_int_equal(zstd_try(frame, length, 1001), MPAK_ERROR_CORRUPT);
  assert_int_equal(zstd_try(frame, length - 1, 1000), MPAK_ERROR_CORRUPT);
  assert_int_equal(zstd_try(frame, 0, 1000), MPAK_ERROR_CORRUPT);
  frame[length] = 0;
  assert_int_equal(zstd_try(frame, length + 1, 1000), MPAK_ERROR_CORRUPT);
  size_t second = ZSTD_compress(frame + length, sizeof frame - length, bytes, 0, 3);
  assert_int_equal(zstd_try(frame, length + second, 1000), MPAK_ERROR_CORRUPT);
  static const uint8_t skippable[12] = {0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4};
  assert_int_equal(zstd_try(skippable, sizeof skippable, 4), MPAK_ERROR_CORRUPT);
}

static size_t zstd_make(ZSTD_cParameter parameter, int value, uint8_t *frame, size_t room, const void *bytes,
                        size_t count) {
  ZSTD_CCtx *context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, parameter, value);
  size_t length = ZSTD_compress2(context, frame, room, bytes, count);
  ZSTD_freeCCtx(context);
  assert_false(ZSTD_isError(length));
  return length;
}

static void test_zstd_decoder_refuses_unknown_size_and_large_window(void **state) {
  (void)state;
  size_t count = 3u << 20, room = ZSTD_compressBound(count);
  uint8_t *bytes = calloc(count, 1), *frame = malloc(room);
  size_t length = zstd_make(ZSTD_c_contentSizeFlag, 0, frame, room, bytes, 1000);
  assert_int_equal(zstd_try(frame, length, 1000), MPAK_ERROR_CORRUPT);
  length = zstd_make(ZSTD_c_windowLog, 21, frame, room, bytes, count);
  assert_int_equal(zstd_try(frame, length, count), MPAK_ERROR_CORRUPT);
  length = zstd_make(ZSTD_c_windowLog, 20, frame, room, bytes, count);
  assert_int_equal(zstd_try(frame, length, count), MPAK_OK);
  free(bytes);
  free(frame);
}

static void test_zstd_decoder_too_little_scratch_is_said(void **state) {
  (void)state;
  void *scratch = decode_memory(64);
  assert_int_equal(mpak_zstd_decoder()->prepare(NULL, scratch, 64), MPAK_ERROR_BUFFER_TOO_SMALL);
  free(scratch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_decode_every_chunk_gives_what_was_put_in),
      cmocka_unit_test(test_decode_several_frames_and_blocks_give_what_was_put_in),
      cmocka_unit_test(test_decode_stored_chunk_without_memory_is_a_view),
      cmocka_unit_test(test_decode_compressed_chunk_needs_memory_scratch_and_decoder),
      cmocka_unit_test(test_decode_without_decoder_fails_only_for_compressed_chunks),
      cmocka_unit_test(test_decode_with_a_decoder_that_is_not_ready_fails),
      cmocka_unit_test(test_decode_compressed_chunk_of_unknown_kind_is_refused),
      cmocka_unit_test(test_load_part_gives_every_stream),
      cmocka_unit_test(test_load_clips_gives_times_and_values),
      cmocka_unit_test(test_decode_morph_without_shapes_needs_nothing),
      cmocka_unit_test(test_decode_morph_both_layouts_rebuild_the_same_dense_deltas),
      cmocka_unit_test(test_decode_morph_components_of_both_layouts_agree),
      cmocka_unit_test(test_decode_morph_blocks_follow_sections),
      cmocka_unit_test(test_decode_morph_empty_shapes_are_sound),
      cmocka_unit_test(test_zstd_decoder_has_room_for_its_context),
      cmocka_unit_test(test_zstd_decoder_wants_exactly_one_frame_of_the_size),
      cmocka_unit_test(test_zstd_decoder_refuses_unknown_size_and_large_window),
      cmocka_unit_test(test_zstd_decoder_too_little_scratch_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
