// The inner loops for several kinds of processor give the same bits as the plain ones: sampling, constants, blends and
// component space, over all counts around a vector's length, all widths, with and without a map.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/pose/pose_ways.h"
#include "tests/support/mt_pose.h"

#if defined(POSE_HAS_AVX2_PATH)

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t count) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(random_state >> 33) % count;
}

static float random_unit(void) { return (float)random_below(1u << 24) / (float)(1u << 23) - 1; }

static void *ways_memory(size_t bytes) {
  void *memory = calloc(1, bytes);
  assert_non_null(memory);
  return memory;
}

#define WAYS_NODES 150u

/// Every third node is missing.
static uint32_t *ways_map(void) {
  uint32_t *node_of = ways_memory(WAYS_NODES * sizeof *node_of);
  for (uint32_t n = 0; n < WAYS_NODES; ++n) node_of[n] = n % 3 == 1 ? MPAK_NONE : WAYS_NODES - 1 - n;
  return node_of;
}

/// Sampling by both ways from a bit on; locals: of the plain and the other way.
static void ways_sample(const anim_list *list, anim_list_kind kind, const pose_rows *rows, uint32_t bit,
                        mpak_transform *locals[2]) {
  pose_rows by_way = *rows;
  memset(locals[0], 0, WAYS_NODES * sizeof *locals[0]);
  memset(locals[1], 0, WAYS_NODES * sizeof *locals[1]);
  by_way.locals = locals[0];
  const uint32_t end = pose_ways_plain.sample_list(&by_way, list, kind, bit);
  by_way.locals = locals[1];
  assert_int_equal(pose_ways_avx2.sample_list(&by_way, list, kind, bit), end);
  assert_memory_equal(locals[0], locals[1], WAYS_NODES * sizeof *locals[0]);
}

/// A list with random components of at most so many bits. Returns the bits of a row.
static uint32_t ways_fill_list(uint32_t *words, uint32_t count, anim_list_kind kind, uint32_t most_width) {
  const uint32_t components = anim_list_components(kind), code = 8 * (24 + most_width);
  uint32_t bits = 0;
  for (uint32_t i = 0; i < count; ++i) {
    words[i] = i | (kind == ANIM_ROTATIONS ? random_below(4) << 16 : 0) | code << 22;
    for (uint32_t c = 1; c <= components; ++c) {
      const uint32_t width = random_below(4) == 0 ? 0 : 1 + random_below(most_width);
      const int32_t base = (int32_t)random_below(1u << most_width) - (1 << (most_width - 1));
      words[c * count + i] = (uint32_t)base << 5 | width;
      bits += width;
    }
  }
  return bits;
}

static void ways_compare_list(uint32_t count, anim_list_kind kind, uint32_t most_width, const uint32_t *node_of,
                              mpak_transform *locals[2]) {
  uint32_t words[5 * WAYS_NODES];
  const uint32_t bits = ways_fill_list(words, count, kind, most_width), first = random_below(8);
  const uint32_t row_bytes = (first + bits + 7) / 8;
  // exactly what may be read: two rows, and a window from where the last field may start
  uint8_t *bytes = ways_memory(2 * (size_t)row_bytes + POSE_WINDOW_BYTES);
  for (uint32_t i = 0; i < 2 * row_bytes; ++i) bytes[i] = (uint8_t)random_below(256);
  const anim_list list = {words, count};
  const pose_rows rows = {bytes, bytes + row_bytes, anim_slerp_of((float)random_below(101) / 100), NULL, node_of};
  ways_sample(&list, kind, &rows, first, locals);
  free(bytes);
}

static void test_lists_of_all_lengths_and_widths(void **state) {
  (void)state;
  static const uint32_t widths[] = {1, 7, 12, 15, 16, 20, 24};
  if (!pose_processor_has_avx2()) return;
  mpak_transform *locals[2] = {ways_memory(WAYS_NODES * sizeof **locals), ways_memory(WAYS_NODES * sizeof **locals)};
  uint32_t *node_of = ways_map();
  for (uint32_t kind = ANIM_ROTATIONS; kind <= ANIM_SCALES; ++kind) {
    for (uint32_t w = 0; w < sizeof widths / sizeof widths[0]; ++w) {
      for (uint32_t count = 1; count <= 34; ++count) {
        ways_compare_list(count, kind, widths[w], NULL, locals);
        ways_compare_list(count, kind, widths[w], node_of, locals);
      }
      ways_compare_list(127, kind, widths[w], NULL, locals);
      ways_compare_list(WAYS_NODES, kind, widths[w], NULL, locals);
    }
  }
  free(node_of);
  free(locals[0]);
  free(locals[1]);
}

static void ways_compare_constants(uint32_t count, anim_list_kind kind, const uint32_t *node_of,
                                   mpak_transform *locals[2]) {
  uint32_t words[4 * WAYS_NODES];
  const float most = random_below(4) == 0 ? 0.5774f : 0.5773f; // three of the first are longer than 1, by rounding
  for (uint32_t i = 0; i < count; ++i) {
    words[i] = i | (kind == ANIM_CONSTANT_ROTATIONS ? random_below(4) << 16 : 0);
    for (uint32_t c = 1; c < 4; ++c)
      words[c * count + i] = bytes_bits_of_float(random_below(5) == 0 ? most : most * random_unit());
  }
  const anim_list list = {words, count};
  for (int way = 0; way < 2; ++way) {
    const pose_rows rows = {.locals = locals[way], .node_of = node_of};
    memset(locals[way], 0, WAYS_NODES * sizeof *locals[way]);
    (way ? pose_ways_avx2 : pose_ways_plain).place_constants(&rows, &list, kind);
  }
  assert_memory_equal(locals[0], locals[1], WAYS_NODES * sizeof *locals[0]);
}

static void test_constants_of_all_counts(void **state) {
  (void)state;
  if (!pose_processor_has_avx2()) return;
  mpak_transform *locals[2] = {ways_memory(WAYS_NODES * sizeof **locals), ways_memory(WAYS_NODES * sizeof **locals)};
  uint32_t *node_of = ways_map();
  for (uint32_t kind = ANIM_CONSTANT_ROTATIONS; kind <= ANIM_CONSTANT_SCALES; ++kind) {
    for (uint32_t count = 1; count <= 34; ++count) {
      ways_compare_constants(count, kind, NULL, locals);
      ways_compare_constants(count, kind, node_of, locals);
    }
  }
  free(node_of);
  free(locals[0]);
  free(locals[1]);
}

static mpak_transform random_transform(void) {
  mpak_transform transform = {{0}, {0}, {0}};
  for (int i = 0; i < 4; ++i) transform.rotation[i] = random_unit() + (i == 3 ? 0.01f : 0);
  pose_normalise_quaternion(transform.rotation);
  for (int i = 0; i < 3; ++i) transform.translation[i] = 3 * random_unit();
  for (int i = 0; i < 3; ++i) transform.scale[i] = 1 + random_unit();
  return transform;
}

static void test_blends_of_all_counts_and_in_place(void **state) {
  (void)state;
  mpak_transform from[21], to[21], plain[21] = {{{0}, {0}, {0}}}, made[21] = {{{0}, {0}, {0}}};
  if (!pose_processor_has_avx2()) return;
  for (uint32_t count = 1; count <= 21; ++count) {
    for (uint32_t n = 0; n < count; ++n) {
      from[n] = random_transform();
      to[n] = random_transform();
    }
    const anim_slerp slerp = anim_slerp_of((float)random_below(100) / 99);
    const size_t bytes = count * sizeof *plain;
    pose_ways_plain.blend(from, to, count, &slerp, plain);
    pose_ways_avx2.blend(from, to, count, &slerp, made);
    assert_memory_equal(plain, made, bytes);
    memcpy(made, to, bytes);
    pose_ways_avx2.blend(from, made, count, &slerp, made);
    assert_memory_equal(plain, made, bytes);
    memcpy(made, from, bytes);
    pose_ways_avx2.blend(made, to, count, &slerp, made);
    assert_memory_equal(plain, made, bytes);
  }
}

/// Chains and bushes: a parent is any node before, or none.
static mt_pose_scene *random_tree(uint32_t node_count) {
  mt_pose_scene *scene = mt_pose_make();
  for (uint32_t n = 0; n < node_count; ++n) {
    const uint32_t parent = random_below(3) == 0 ? n - 1 : random_below(n + 1);
    mt_pose_add_node(scene, "node", n == 0 || parent == n ? MPAK_NONE : parent, NULL, NULL, NULL);
  }
  return scene;
}

static void ways_compare_components(mpak_pose *pose, const uint32_t *required, uint32_t count) {
  const uint32_t node_count = pose->pack->node_count;
  mpak_matrix *plain = ways_memory(node_count * sizeof *plain);
  memset(pose->components, 0, node_count * sizeof *plain);
  pose_ways_plain.components(pose, required, count);
  memcpy(plain, pose->components, node_count * sizeof *plain);
  memset(pose->components, 0, node_count * sizeof *plain);
  pose_ways_avx2.components(pose, required, count);
  assert_memory_equal(plain, pose->components, node_count * sizeof *plain);
  free(plain);
}

static void test_components_of_all_counts(void **state) {
  (void)state;
  if (!pose_processor_has_avx2()) return;
  for (uint32_t count = 1; count <= 20; ++count) {
    mt_pose_scene *scene = random_tree(count);
    const uint64_t bytes = mpak_pose_bytes(&scene->pack);
    void *memory = mt_pose_memory(bytes);
    mpak_pose pose;
    uint32_t required[20], required_count = 0;
    for (uint32_t n = 0; n < count; ++n) { // some are bare matrices
      mpak_node *node = (mpak_node *)(uintptr_t)&scene->pack.nodes[n];
      if (random_below(5) == 0) node->flags |= MPAK_NODE_MATRIX;
      for (int i = 0; i < 12 && node->flags & MPAK_NODE_MATRIX; ++i) node->rest[i] = random_unit();
    }
    assert_int_equal(mpak_pose_init(&scene->pack, memory, bytes, &pose), MPAK_OK);
    for (uint32_t n = 0; n < count; ++n) pose.locals[n] = random_transform();
    for (uint32_t n = 0; n < count; ++n)
      if (n % 4 != 3) required[required_count++] = n;
    ways_compare_components(&pose, NULL, count);
    ways_compare_components(&pose, required, required_count);
    free(memory);
    free(scene);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lists_of_all_lengths_and_widths), cmocka_unit_test(test_constants_of_all_counts),
      cmocka_unit_test(test_blends_of_all_counts_and_in_place), cmocka_unit_test(test_components_of_all_counts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#else
int main(void) { return 0; }
#endif
