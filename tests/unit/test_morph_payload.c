// Quantised payloads: bits of a lane and bytes of a frame as SPEC.md's examples have them, and the runtime's decoder
// against frames that test support writes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/pack/filters.h"
#include "format/morph_payload.h"
#include "runtime/mpak.h"
#include "runtime/pack/pack_internal.h"
#include "tests/support/mt_pack_morph.h"

static const mpak_payload payloads[3] = {MPAK_PAYLOAD_P8, MPAK_PAYLOAD_P12, MPAK_PAYLOAD_P16};

// -- Lanes -----------------------------------------------------------------------------------------------------------

static void test_payload_words_are_those_of_the_spec(void **state) {
  (void)state;
  static const uint8_t words[5][4] = {{0}, {0, 2, 2, 0}, {0, 2, 3, 3}, {0, 2, 3, 4}, {0, 3, 6, 9}};
  static const uint8_t frame_bytes[5][4] = {{0}, {0, 6, 12, 0}, {0, 6, 9, 12}, {0, 6, 12, 18}, {0, 12, 24, 36}};
  for (uint32_t payload = 0; payload < 5; ++payload) {
    for (uint32_t c = 0; c < 4; ++c) {
      assert_int_equal(mpak_payload_words(payload, 3 * c), words[payload][c]);
      if (words[payload][c]) assert_int_equal(mpak_payload_frame_bytes(payload, 3 * c), frame_bytes[payload][c]);
    }
  }
  assert_int_equal(mpak_payload_words(MPAK_PAYLOAD_P12, 4), 0);
  assert_int_equal(mpak_payload_words(MPAK_PAYLOAD_P12, 12), 0);
  assert_int_equal(mpak_payload_words(MPAK_PAYLOAD_CSR64, 9), 0);
}

/// The example of SPEC.md, worked out there by hand.
static void test_payload_lane_of_the_spec(void **state) {
  (void)state;
  static const int32_t numbers[9] = {300, -2, 7, 5, -1, 3, 0, 0, 0};
  static const uint32_t expected[3][3] = {
      {0x01FFE12C, 0xBFE05007, 0}, {0xFFFE012C, 0xFF050007, 0x00000003}, {0xFFFE012C, 0x00000007, 0x003FFC05}};
  for (int p = 0; p < 3; ++p) {
    uint32_t words[4] = {0};
    int32_t unpacked[9];
    mpak_lane_pack(payloads[p], 6, numbers, words);
    assert_memory_equal(words, expected[p], sizeof expected[p]);
    mpak_lane_unpack(payloads[p], 6, words, 1, unpacked);
    assert_memory_equal(unpacked, numbers, sizeof numbers);
    const mpak_morph_entry entry = {.position_scale = 0.002f, .normal_scale = 1 / 127.0f, .tangent_scale = 1};
    float delta[9];
    mpak_lane_delta(payloads[p], 6, &entry, words, 1, 0, delta);
    assert_true(delta[0] == 300 * 0.002f && delta[1] == -2 * 0.002f && delta[2] == 7 * 0.002f);
    assert_true(delta[3] == 5 * (1 / 127.0f) && delta[4] == -(1 / 127.0f) && delta[5] == 3 * (1 / 127.0f));
    assert_true(delta[6] == 0 && delta[7] == 0 && delta[8] == 0);
  }
}

/// Every number at both ends of its range, all the others at the other end: no bit strays into a neighbour.
static void test_payload_lanes_keep_their_ends(void **state) {
  (void)state;
  static const int32_t largest[3][2] = {{2047, 255}, {32767, 127}, {32767, 511}};
  for (int p = 0; p < 3; ++p) {
    for (uint32_t components = 3; components <= (p == 0 ? 6 : 9); components += 3) {
      for (uint32_t c = 0; c < 2 * components; ++c) {
        int32_t numbers[9] = {0}, unpacked[9];
        uint32_t words[4] = {0}, unused = 0;
        for (uint32_t k = 0; k < components; ++k) {
          int32_t most = largest[p][k >= 3];
          assert_int_equal(mpak_payload_largest(payloads[p], k), most);
          numbers[k] = (k == c % components) == (c < components) ? most : -most - 1;
        }
        mpak_lane_pack(payloads[p], components, numbers, words);
        mpak_lane_unpack(payloads[p], components, words, 1, unpacked);
        assert_memory_equal(unpacked, numbers, sizeof numbers);
        for (uint32_t w = 0; w < 4; ++w) unused |= words[w] & mpak_payload_unused_bits(payloads[p], components, w);
        for (uint32_t k = 0; k < components; ++k)
          assert_int_equal((int32_t)mt_lane_get(payloads[p], words, 1, k), numbers[k]);
        assert_int_equal(unused, 0);
      }
    }
  }
}

static void test_payload_scales_are_exact(void **state) {
  (void)state;
  assert_true(mpak_payload_scale(0.75f, 3) == 6);
  assert_true(mpak_payload_scale(1 / 127.0f, -1) == 0.5f / 127);
  assert_true(mpak_payload_scale(1, 127) == 0x1p127f);
  assert_true(mpak_payload_scale(1, -128) == 0x1p-128f);
}

// -- Frames ----------------------------------------------------------------------------------------------------------

/// SPEC.md, section 7: the numbers (300, -2, 0, 5, -1, 0) and (299, -2, 7, 4, 127, 0) in P12.
static void test_payload_frame_of_the_spec(void **state) {
  (void)state;
  static const uint8_t expected[18] = {0x58, 0x01, 0x02, 0x00, 0x03, 0x00, 0x00, 0x00, 0x00,
                                       0x0E, 0x00, 0x00, 0x05, 0xFF, 0xFF, 0x80, 0x00, 0x00};
  static const int32_t lanes[2][9] = {{300, -2, 0, 5, -1, 0}, {299, -2, 7, 4, 127, 0}};
  uint32_t payload[6], streams[6], cursors[2];
  uint8_t coded[18];
  for (uint32_t i = 0; i < 2; ++i) {
    uint32_t words[4] = {0};
    mpak_lane_pack(MPAK_PAYLOAD_P12, 6, lanes[i], words);
    for (uint32_t w = 0; w < 3; ++w) payload[2 * w + i] = words[w];
  }
  const mpak_morph_entry entry = {.lanes_low = 3};
  const filter_morph morph = {MPAK_PAYLOAD_P12, 6, 0, 1, payload, &entry};
  mpak_morph_frame frame = {0};
  assert_true(mpak_morph_frame_next(&entry, 1, 3, &frame));
  filter_morph_frame(&morph, &frame, cursors, streams, coded);
  assert_memory_equal(coded, expected, sizeof expected);
}

/// Random words of every coding and every number of planes, counted one by one in the test.
static void test_payload_streams_are_decoded_in_bulk_and_singly(void **state) {
  (void)state;
  static const uint8_t bits[5][4] = {{0}, {8, 8, 8, 8}, {16, 16}, {32}, {16, 8, 8}};
  srand(7);
  for (int code = MPAK_CODE_8; code <= MPAK_CODE_16_8_8; ++code) {
    for (uint32_t count = 1; count < 70; ++count) {
      for (uint32_t planes = code == MPAK_CODE_32 ? 4 : 1; planes <= 4; ++planes) {
        uint8_t bytes[4 * 70] = {0};
        uint32_t words[70], sums[4] = {0};
        for (uint32_t i = 0; i < planes * count; ++i) bytes[i] = (uint8_t)rand();
        pack_unplane_words(words, bytes, count, planes, (mpak_stream_code)code);
        for (uint32_t i = 0; i < count; ++i) {
          uint32_t coded = 0, expected = 0, first = 0;
          for (uint32_t b = 0; b < planes; ++b) coded |= (uint32_t)bytes[b * count + i] << (8 * b);
          for (int part = 0; part < 4 && bits[code][part]; first += bits[code][part++]) {
            uint64_t size = UINT64_C(1) << bits[code][part], c = (coded >> first) % size;
            uint64_t step = bits[code][part] == 8 ? c : c % 2 == 0 ? c / 2 : size - (c + 1) / 2;
            sums[part] = (uint32_t)((sums[part] + step) % size);
            expected |= sums[part] << first;
          }
          assert_int_equal(words[i], expected);
        }
      }
    }
  }
}

// -- Packs that test support wrote -----------------------------------------------------------------------------------

/// The number that the character's shape s gives vertex v (mt_pack.h), as a delta.
static float character_delta(uint32_t s, uint32_t v, uint32_t component) {
  return (float)((int32_t)((s * 31 + v * 7 + component * 3) % 11) - 5) / 64;
}

static void check_entry(const mpak_morph *morph, const mpak_morph_block *block, const mpak_morph_entry *entry) {
  uint64_t lanes = entry->lanes_low | (uint64_t)entry->lanes_high << 32;
  uint32_t count = (uint32_t)__builtin_popcountll(lanes);
  for (uint32_t i = 0; i < count; ++i, lanes &= lanes - 1) {
    uint32_t vertex = block->first_vertex + (uint32_t)__builtin_ctzll(lanes);
    float delta[9];
    mpak_lane_delta(morph->payload, morph->components, entry, morph->payload_words + entry->payload_offset, count, i,
                    delta);
    for (uint32_t c = 0; c < 9; ++c)
      assert_true(delta[c] == (c < morph->components ? character_delta(entry->shape, vertex, c) : 0));
  }
}

static void check_character(mpak_payload payload, uint32_t components, uint32_t vertex_count, bool is_compressed) {
  mt_character character = {.layout = MT_BLK64,
                            .is_compressed = is_compressed,
                            .payload = payload,
                            .components = components,
                            .vertex_count = vertex_count};
  mt_pack made;
  mt_pack_character(&made, &character);
  mt_image image = mt_pack_write(&made);
  mpak_open_options options = {.decoder = mpak_zstd_decoder()};
  mpak_pack pack;
  mpak_fault fault = {0};
  mpak_morph morph;
  assert_int_equal(mpak_open(image.bytes, image.byte_count, &options, &pack, &fault), MPAK_OK);
  uint64_t bytes = mpak_morph_bytes(&pack, 0), scratch_bytes = mpak_scratch_bytes(&pack);
  void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
  void *scratch = aligned_alloc(64, (scratch_bytes + 127) / 64 * 64);
  assert_int_equal(mpak_decode_morph(&pack, 0, memory, bytes, scratch, scratch_bytes, &morph, &fault), MPAK_OK);
  const mt_chunk *chunk = mt_pack_find(&made, MPAK_KIND_MPAY);
  assert_int_equal(4 * morph.payload_word_count, (uint64_t)chunk->entry.stride * chunk->entry.count);
  assert_memory_equal(morph.payload_words, chunk->bytes, 4 * (size_t)morph.payload_word_count);
  for (uint32_t b = 0; b < morph.block_count; ++b)
    for (uint32_t e = morph.blocks[b].first_entry; e < morph.blocks[b + 1].first_entry; ++e)
      check_entry(&morph, &morph.blocks[b], &morph.entries[e]);
  free(memory);
  free(scratch);
  mt_image_free(&image);
  mt_pack_free(&made);
}

static void test_payload_packs_decode_to_their_numbers(void **state) {
  (void)state;
  for (int p = 0; p < 3; ++p)
    for (uint32_t components = 3; components <= (p == 0 ? 6 : 9); components += 3)
      for (int is_compressed = 0; is_compressed < 2; ++is_compressed)
        check_character(payloads[p], components, 200, is_compressed);
}

/// More than one frame, and frames that are longer in the file than in memory.
static void test_payload_packs_of_several_frames(void **state) {
  (void)state;
  check_character(MPAK_PAYLOAD_P8, 6, 60000, true);
  check_character(MPAK_PAYLOAD_P12, 6, 40000, true);
  check_character(MPAK_PAYLOAD_P16, 9, 30000, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_payload_words_are_those_of_the_spec),
      cmocka_unit_test(test_payload_lane_of_the_spec),
      cmocka_unit_test(test_payload_lanes_keep_their_ends),
      cmocka_unit_test(test_payload_scales_are_exact),
      cmocka_unit_test(test_payload_frame_of_the_spec),
      cmocka_unit_test(test_payload_streams_are_decoded_in_bulk_and_singly),
      cmocka_unit_test(test_payload_packs_decode_to_their_numbers),
      cmocka_unit_test(test_payload_packs_of_several_frames),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
