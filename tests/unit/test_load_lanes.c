// test_load_lanes.c: what loading does several records at a time gives the bits and the refusals of one at a time, for
// every length of the rest and every place of a fault. The expected values are worked out here, from SPEC.md.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "format/morph_blocks.h"
#include "format/quantised.h"
#include "runtime/pack/pack_internal.h"

static uint32_t seed = 1;
static uint32_t any(uint32_t below) {
  seed = seed * 1664525u + 1013904223u;
  return (uint32_t)((uint64_t)seed * below >> 32);
}

// -- Expanding -------------------------------------------------------------------------------------------------------

static void test_load_vertices_are_those_of_one_at_a_time(void **state) {
  (void)state;
  static const int32_t largest[] = {127, 511, 32767};
  for (uint32_t count = 0; count < 40; count++) {
    const int32_t most = largest[count % 3];
    const mpak_quantisation position = {.origin = {-1.5f, 3e-3f, 1e5f}, .step = {0.1f, 1.7e-9f, 3.0f}};
    const mpak_quantisation normal = {.step = {(float)most, 0, 0}};
    mpak_base_vertex *out = malloc(count * sizeof *out + 1), expected;
    mpak_quantised_vertex *numbers = (mpak_quantised_vertex *)(void *)out + 3 * count, kept[40];
    for (uint32_t v = 0; v < count; v++) {
      const int32_t edge[] = {0, most, -most, 1, -1};
      const bool is_edge = any(3) == 0;
      kept[v] = (mpak_quantised_vertex){.position = {(uint16_t)any(65536), (uint16_t)any(65536), 65535}};
      kept[v].normal[0] = (int16_t)(is_edge ? edge[any(5)] : (int32_t)any(2 * (uint32_t)most + 1) - most);
      kept[v].normal[1] = (int16_t)(is_edge ? edge[any(5)] : (int32_t)any(2 * (uint32_t)most + 1) - most);
      if (any(8) == 0) kept[v].normal[0] = MPAK_NO_NORMAL, kept[v].normal[1] = 0;
    }
    memcpy(numbers, kept, count * sizeof *kept); // at the end of out, as loading has them
    const uint32_t done = pack_expand_vertices_bulk(numbers, count, &position, normal.step[0], out);
    assert_in_range(done, 0, count);
    for (uint32_t v = 0; v < done; v++) {
      mpak_quantised_vertex_value(&kept[v], &position, &normal, NULL, &expected);
      assert_memory_equal(&out[v], &expected, sizeof expected);
    }
    free(out);
  }
}

static void test_load_weights_and_joints_of_every_number(void **state) {
  (void)state;
  float *weights = malloc(65536 * sizeof *weights);
  uint16_t *large = (uint16_t *)(void *)weights + 65536, joints[259];
  uint8_t small[259];
  for (uint32_t i = 0; i < 65536; i++) large[i] = (uint16_t)i;
  const uint64_t done = pack_expand_weights_bulk(large, false, 65536, weights);
  for (uint32_t i = 0; i < done; i++) assert_true(weights[i] == (float)i / 65535.0f);
  for (uint32_t i = 0; i < 259; i++) small[i] = (uint8_t)(i * 7);
  const uint64_t small_done = pack_expand_weights_bulk(small, true, 259, weights);
  for (uint32_t i = 0; i < small_done; i++) assert_true(weights[i] == (float)small[i] / 255.0f);
  const uint64_t joints_done = pack_expand_joints_bulk(small, 259, joints);
  for (uint32_t i = 0; i < joints_done; i++) assert_int_equal(joints[i], small[i]);
  free(weights);
}

// -- Joining streams -------------------------------------------------------------------------------------------------

/// A number that fits its bits, often at an edge.
static int32_t any_number(uint32_t bits) {
  const int32_t half = 1 << (bits - 1);
  return any(4) == 0 ? (any(2) ? half - 1 : -half) : (int32_t)any(2 * (uint32_t)half) - half;
}

static uint32_t pair(int32_t low, int32_t high) { return (uint16_t)low | (uint32_t)(uint16_t)high << 16; }

#define LANES 23u

/// Streams {px py} {pz nx} {ny nz} of numbers n[lane][6].
static void fill_streams(const int32_t n[LANES][6], uint32_t count, uint32_t *streams) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t s = 0; s < 3; s++) streams[s * count + i] = pair(n[i][2 * s], n[i][2 * s + 1]);
}

static void check_joined(mpak_payload payload, const int32_t n[LANES][6], uint32_t count, const uint32_t *words) {
  for (uint32_t i = 0; i < count; i++) {
    const int32_t *p = n[i];
    if (payload == MPAK_PAYLOAD_P16) {
      assert_int_equal(words[i], pair(p[0], p[1]));
      assert_int_equal(words[count + i], (uint16_t)p[2]);
      assert_int_equal(words[2 * count + i], (p[3] & 1023) | (p[4] & 1023) << 10 | (uint32_t)(p[5] & 1023) << 20);
    } else {
      assert_int_equal(words[i], (p[0] & 4095) | (p[1] & 4095) << 12 | (uint32_t)(p[5] >> 1 & 255) << 24);
      assert_int_equal(words[count + i],
                       (p[2] & 4095) | (p[3] & 511) << 12 | (uint32_t)(p[4] & 511) << 21 | (uint32_t)(p[5] & 1) << 31);
    }
  }
}

static void test_load_joined_lanes_hold_their_numbers(void **state) {
  (void)state;
  for (uint32_t count = 0; count <= LANES; count++) {
    for (int is_p8 = 0; is_p8 < 2; is_p8++) {
      const mpak_payload payload = is_p8 ? MPAK_PAYLOAD_P8 : MPAK_PAYLOAD_P16;
      int32_t n[LANES][6];
      uint32_t streams[3 * LANES];
      for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 6; k++) n[i][k] = any_number(k < 3 ? (is_p8 ? 12 : 16) : is_p8 ? 9 : 10);
      fill_streams((const int32_t(*)[6])n, count, streams);
      assert_true(pack_join_streams(payload, 6, streams, count));
      check_joined(payload, (const int32_t(*)[6])n, count, streams);
    }
  }
}

/// One number of one lane is a step past what its bits hold.
static void test_load_joining_refuses_a_number_in_any_lane(void **state) {
  (void)state;
  for (int is_p8 = 0; is_p8 < 2; is_p8++) {
    for (uint32_t lane = 0; lane < LANES; lane++) {
      for (int k = is_p8 ? 0 : 3; k < 6; k++) {
        const int32_t half = 1 << ((k < 3 ? 12 : is_p8 ? 9 : 10) - 1), outside[] = {half, -half - 1, 32767, -32768};
        for (int o = 0; o < 4; o++) {
          int32_t n[LANES][6] = {{0}};
          uint32_t streams[3 * LANES];
          n[lane][k] = outside[o];
          fill_streams((const int32_t(*)[6])n, LANES, streams);
          assert_false(pack_join_streams(is_p8 ? MPAK_PAYLOAD_P8 : MPAK_PAYLOAD_P16, 6, streams, LANES));
        }
      }
    }
  }
}

// -- Checking --------------------------------------------------------------------------------------------------------

#define VERTICES 21u

/// Checks the weights of one section that begins at vertex 1.
static const char *weights_rule(const uint16_t *weights, uint32_t vertex_count, uint32_t max_influences) {
  const mpak_section section = {
      .first_vertex = 1, .vertex_count = vertex_count - 1, .max_influences = max_influences, .bone_count = 200};
  const mpak_part part = {.section_count = 1, .influence_count = 4, .vertex_count = vertex_count};
  const mpak_chunk_entry chunk = {.kind = MPAK_KIND_WGTS, .format = MPAK_FORMAT_UNORM16};
  const mpak_pack pack = {.chunks = &chunk, .chunk_count = 1, .sections = &section, .section_count = 1};
  mpak_fault fault = {.rule = NULL};
  return pack_check_numbers(&pack, &part, 0, weights, &fault) == MPAK_OK ? "" : fault.rule;
}

static void test_load_weights_are_refused_at_any_vertex(void **state) {
  (void)state;
  for (uint32_t count = 2; count <= VERTICES; count++) {
    for (uint32_t v = 1; v < count; v++) {
      uint16_t *weights = calloc(4 * count, sizeof *weights);
      for (uint32_t i = 1; i < count; i++) weights[4 * i] = 65535;
      assert_string_equal(weights_rule(weights, count, 1), "");
      assert_string_equal(weights_rule(weights, count, 2), "WGTS: the section's max_influences is another number");
      const uint16_t three[4] = {30000, 30000, 5535, 0}, rising[4] = {30000, 30001, 5534, 0},
                     late[4] = {65534, 0, 0, 1};
      const uint16_t short_sum[4] = {65534, 0, 0, 0}, wrapped[4] = {65535, 65535, 1, 0};
      memcpy(weights + 4 * v, three, 8);
      assert_string_equal(weights_rule(weights, count, 3), "");
      memcpy(weights + 4 * v, rising, 8);
      assert_string_equal(weights_rule(weights, count, 3), "WGTS: weights do not fall");
      memcpy(weights + 4 * v, late, 8);
      assert_string_equal(weights_rule(weights, count, 1), "WGTS: weights do not fall");
      memcpy(weights + 4 * v, short_sum, 8);
      assert_string_equal(weights_rule(weights, count, 1), "WGTS: weights do not sum to 1");
      memcpy(weights + 4 * v, wrapped, 8);
      assert_string_equal(weights_rule(weights, count, 3), "WGTS: weights do not sum to 1");
      free(weights);
    }
  }
}

static void test_load_joints_are_refused_at_any_place(void **state) {
  (void)state;
  const mpak_section section = {.first_vertex = 0, .vertex_count = 10, .bone_count = 200};
  const mpak_part part = {.section_count = 1, .influence_count = 4, .vertex_count = 10};
  const mpak_chunk_entry chunk = {.kind = MPAK_KIND_JNTS, .format = MPAK_FORMAT_U8};
  const mpak_pack pack = {.chunks = &chunk, .chunk_count = 1, .sections = &section, .section_count = 1};
  for (uint32_t at = 0; at < 40; at++) {
    mpak_fault fault;
    uint8_t joints[40];
    memset(joints, 199, sizeof joints);
    assert_int_equal(pack_check_numbers(&pack, &part, 0, joints, &fault), MPAK_OK);
    joints[at] = 200;
    assert_int_equal(pack_check_numbers(&pack, &part, 0, joints, &fault), MPAK_ERROR_CORRUPT);
    assert_int_equal(fault.item, at / 4);
  }
}

static void test_load_entries_count_their_lanes(void **state) {
  (void)state;
  for (uint32_t i = 0; i < 4000; i++) {
    const mpak_morph_entry entry = {.lanes_low = i < 34 ? (uint32_t)((UINT64_C(1) << i) - 1) : any(UINT32_MAX),
                                    .lanes_high = i < 34  ? 0
                                                  : i % 5 ? any(UINT32_MAX)
                                                          : UINT32_MAX};
    uint32_t lanes = 0;
    for (int bit = 0; bit < 32; bit++) lanes += (entry.lanes_low >> bit & 1) + (entry.lanes_high >> bit & 1);
    assert_int_equal(mpak_entry_lanes(&entry), lanes);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_load_vertices_are_those_of_one_at_a_time),
      cmocka_unit_test(test_load_weights_and_joints_of_every_number),
      cmocka_unit_test(test_load_joined_lanes_hold_their_numbers),
      cmocka_unit_test(test_load_joining_refuses_a_number_in_any_lane),
      cmocka_unit_test(test_load_weights_are_refused_at_any_vertex),
      cmocka_unit_test(test_load_joints_are_refused_at_any_place),
      cmocka_unit_test(test_load_entries_count_their_lanes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
