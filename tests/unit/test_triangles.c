// test_triangles.c: the triangle codec of INDX: the example of SPEC.md, meshoptimizer's decoder as a second opinion,
// and streams of random and changed bytes in memory of exactly their size, so that AddressSanitizer sees every wrong
// access.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <meshoptimizer.h>

#include "cooker/build/build.h"
#include "cooker/pack/filters.h"
#include "format/triangles.h"
#include "runtime/pack/pack_internal.h"

#define MOST_TRIANGLES 600u

/// A grid of quads in strips, or a heap of random triangles.
static uint32_t triangles_make(uint32_t shape, uint32_t *indices) {
  const uint32_t width = 13, height = 20;
  uint32_t n = 0;
  for (uint32_t i = 0; shape != 0 && i < 3 * 97; i++) indices[n++] = (uint32_t)rand() % (shape == 1 ? 40 : 60000);
  for (uint32_t y = 0; shape == 0 && y < height; y++) {
    for (uint32_t x = 0; x < width; x++) {
      const uint32_t a = y * (width + 1) + x, b = a + width + 1, quad[6] = {a, a + 1, b, b, a + 1, b + 1};
      memcpy(indices + n, quad, sizeof quad);
      n += 6;
    }
  }
  return n;
}

static void test_triangles_example_of_the_spec(void **state) {
  (void)state;
  static const uint32_t indices[9] = {0, 1, 2, 2, 1, 3, 2, 3, 9};
  static const uint8_t expected[5] = {0x00, 0xF0, 0x10, 0x0F, 0x12};
  uint8_t stream[5 + 17 * 3];
  uint32_t decoded[9];
  assert_int_equal(filter_triangles(indices, 9, stream), sizeof expected);
  assert_memory_equal(stream, expected, sizeof expected);
  assert_null(pack_decode_triangles(decoded, 4, 3, expected, sizeof expected));
  assert_memory_equal(decoded, indices, sizeof indices);
}

/// Every kind of code by hand, from the rules of SPEC.md.
static void test_triangles_every_code(void **state) {
  (void)state;
  static const uint8_t stream[] = {
      0x05,                                     // next
      0xF0, 0xFE, 0xFF, 0x01, 0x0D, 0x0E, 0xF7, // codes
      0x1F,                                     // FE: b vertex 0, c written
      0x14,                                     // last 10
      0xF0, 0x13, 0x28,                         // FF: b written, c next; a: last 0; b: last 20
  };
  static const uint16_t expected[] = {5, 6, 7, 8, 7, 10, 0, 20, 9, 0, 9, 20, 0, 20, 19, 0, 19, 20, 10, 20, 19};
  uint16_t decoded[21];
  assert_null(pack_decode_triangles(decoded, 2, 7, stream, sizeof stream));
  assert_memory_equal(decoded, expected, sizeof expected);
}

static void test_triangles_come_back(void **state) {
  (void)state;
  srand(5);
  for (uint32_t round = 0; round < 60; round++) {
    uint32_t indices[3 * MOST_TRIANGLES], decoded[3 * MOST_TRIANGLES];
    uint16_t shorts[3 * MOST_TRIANGLES];
    uint8_t stream[5 + 17 * MOST_TRIANGLES];
    const uint32_t count = triangles_make(round % 3, indices);
    if (round % 2) build_turn_triangles(indices, count);
    const uint32_t byte_count = filter_triangles(indices, count, stream);
    assert_true(byte_count <= mpak_triangles_bound(count / 3));
    assert_null(pack_decode_triangles(decoded, 4, count / 3, stream, byte_count));
    assert_memory_equal(decoded, indices, 4 * count);
    assert_null(pack_decode_triangles(shorts, 2, count / 3, stream, byte_count));
    for (uint32_t i = 0; i < count; i++) assert_int_equal(shorts[i], indices[i]);
    assert_string_equal(pack_decode_triangles(decoded, 4, count / 3, stream, byte_count - 1),
                        "INDX: its stream ends early");
  }
}

/// The stream between a header and its table of pairs is what meshoptimizer 0.14 and later call version 1, where no
/// triangle has both b and c from next and a written.
static void test_triangles_meshoptimizer_agrees(void **state) {
  (void)state;
  uint32_t indices[3 * MOST_TRIANGLES], decoded[3 * MOST_TRIANGLES];
  uint8_t stream[1 + 5 + 17 * MOST_TRIANGLES + 16];
  srand(6);
  for (uint32_t round = 0; round < 20; round++) {
    const uint32_t count = triangles_make(round % 2, indices);
    build_turn_triangles(indices, count);
    indices[0] = 0; // so that next starts at 0, as meshoptimizer's does
    if (mpak_triangles_first(indices, count) != 0) continue;
    const uint32_t byte_count = filter_triangles(indices, count, stream);
    assert_int_equal(stream[0], 0);
    stream[0] = 0xE1;
    memcpy(stream + byte_count, mpak_triangle_pairs, 14);
    memset(stream + byte_count + 14, 0, 2);
    assert_int_equal(meshopt_decodeIndexBuffer(decoded, count, 4, stream, byte_count + 16), 0);
    assert_memory_equal(decoded, indices, 4 * count);
  }
}

static void test_triangles_turning_keeps_each_triangle(void **state) {
  (void)state;
  uint32_t indices[3 * MOST_TRIANGLES], turned[3 * MOST_TRIANGLES];
  srand(7);
  for (uint32_t shape = 0; shape < 3; shape++) {
    const uint32_t count = triangles_make(shape, indices);
    memcpy(turned, indices, sizeof turned);
    build_turn_triangles(turned, count);
    for (uint32_t i = 0; i < count; i += 3) {
      uint32_t turn = 0;
      while (turn < 3 &&
             memcmp(turned + i,
                    (uint32_t[3]){indices[i + turn], indices[i + (turn + 1) % 3], indices[i + (turn + 2) % 3]},
                    12) != 0)
        turn++;
      assert_in_range(turn, 0, 2);
    }
  }
}

/// A stream in memory of its own size. Whatever it holds: indices, or a rule.
static bool triangles_try(const uint8_t *bytes, uint32_t byte_count, uint32_t triangle_count, uint32_t stride) {
  uint8_t *stream = malloc(byte_count + 1), *end = stream + byte_count + 1;
  void *indices = malloc((size_t)3 * stride * triangle_count);
  assert_true(stream && indices);
  memcpy(end - byte_count, bytes, byte_count); // ends where the memory ends
  const char *rule = pack_decode_triangles(indices, stride, triangle_count, end - byte_count, byte_count);
  assert_true(!rule || strncmp(rule, "INDX: ", 6) == 0);
  free(indices);
  free(stream);
  return rule == NULL;
}

static void test_triangles_hostile_streams(void **state) {
  (void)state;
  uint32_t indices[3 * MOST_TRIANGLES], accepted = 0, refused = 0;
  uint8_t stream[5 + 17 * MOST_TRIANGLES];
  srand(8);
  for (uint32_t round = 0; round < 20000; round++) {
    uint32_t byte_count = (uint32_t)rand() % 90, triangle_count = 1 + (uint32_t)rand() % 30;
    for (uint32_t i = 0; i < byte_count; i++) stream[i] = (uint8_t)(rand() >> 3 | (round % 2 && i < 40 ? 0xF0 : 0));
    triangles_try(stream, byte_count, triangle_count, round % 2 ? 2 : 4);
  }
  const uint32_t count = triangles_make(1, indices);
  const uint32_t byte_count = filter_triangles(indices, count, stream);
  for (uint32_t at = 0; at < byte_count; at++) {
    const uint8_t byte = stream[at];
    for (uint32_t change = 1; change < 256; change++) {
      stream[at] = (uint8_t)(byte ^ change);
      const bool is_accepted = triangles_try(stream, byte_count, count / 3, 2);
      accepted += is_accepted, refused += !is_accepted;
    }
    stream[at] = byte;
  }
  for (uint32_t cut = 0; cut < byte_count; cut++) assert_false(triangles_try(stream, cut, count / 3, 4));
  assert_true(accepted > 1000 && refused > 1000);
}

/// SPEC.md, section 7: filter 2.
static void test_lanes_example_of_the_spec(void **state) {
  (void)state;
  static const uint8_t records[16] = {0x2C, 1, 7, 0, 1, 2, 3, 4, 0x2A, 1, 6, 0, 2, 2, 2, 2};
  static const uint8_t expected[16] = {0x58, 0x03, 2, 0, 0x0E, 0x01, 0, 0, 1, 1, 2, 0, 3, 0xFF, 4, 0xFE};
  uint8_t coded[16], decoded[16];
  filter_lanes(records, 16, 8, 6, coded);
  assert_memory_equal(coded, expected, 16);
  pack_unplane(decoded, expected, 16, 8, 6);
  assert_memory_equal(decoded, records, 16);
}

/// Random records of every stride and about every mode, shorter and longer than a block.
static void test_lanes_come_back(void **state) {
  (void)state;
  srand(9);
  for (uint32_t round = 0; round < 120; round++) {
    const uint32_t stride = 4 * (1 + (uint32_t)rand() % 16),
                   count = round % 8 ? 1 + (uint32_t)rand() % 700 : 140000 / stride;
    const uint32_t mask = stride == 64 ? UINT32_MAX : (1u << stride / 2) - 1;
    const uint32_t modes = (((uint32_t)rand() << 16 ^ (uint32_t)rand()) & mask) | 1;
    const uint64_t byte_count = (uint64_t)stride * count;
    uint8_t *records = malloc(byte_count), *coded = malloc(byte_count), *decoded = malloc(byte_count);
    assert_true(records && coded && decoded);
    for (uint64_t i = 0; i < byte_count; i++) records[i] = (uint8_t)(rand() >> 4);
    filter_lanes(records, byte_count, stride, modes, coded);
    pack_unplane(decoded, coded, byte_count, stride, modes);
    assert_memory_equal(decoded, records, byte_count);
    free(records);
    free(coded);
    free(decoded);
  }
}

/// Slow ramps want differences of their own width; noise wants none.
static void test_lanes_modes_are_guessed_by_content(void **state) {
  (void)state;
  uint8_t records[2000 * 16];
  srand(10);
  for (uint32_t r = 0; r < 2000; r++) {
    const uint16_t u16[2] = {(uint16_t)(r * 37), (uint16_t)(40000 - r * 91)};
    const uint32_t u32 = r * 70001u, noise = (uint32_t)rand() << 16 ^ (uint32_t)rand();
    const uint8_t u8[4] = {(uint8_t)(r * 3), (uint8_t)(r * 5), (uint8_t)(7 - r), (uint8_t)(r * 11)};
    memcpy(records + 16 * r, u16, 4);
    memcpy(records + 16 * r + 4, &u32, 4);
    memcpy(records + 16 * r + 8, u8, 4);
    memcpy(records + 16 * r + 12, &noise, 4);
  }
  const uint32_t modes = filter_choose_lane_modes(records, sizeof records, 16);
  assert_int_equal(modes & 63, 2 | 3 << 2 | 1 << 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_triangles_example_of_the_spec),
      cmocka_unit_test(test_triangles_every_code),
      cmocka_unit_test(test_triangles_come_back),
      cmocka_unit_test(test_triangles_meshoptimizer_agrees),
      cmocka_unit_test(test_triangles_turning_keeps_each_triangle),
      cmocka_unit_test(test_triangles_hostile_streams),
      cmocka_unit_test(test_lanes_example_of_the_spec),
      cmocka_unit_test(test_lanes_come_back),
      cmocka_unit_test(test_lanes_modes_are_guessed_by_content),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
