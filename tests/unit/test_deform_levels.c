// Every level of vector code against the plain code, bit for bit: all payloads and influence counts, blocks and
// sections of any length, full, scattered and single lanes, and values that overflow, vanish or are missing.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/morph_payload.h"
#include "runtime/deform/deform_private.h"
#include "tests/support/mt_pose.h"

#define LEVEL_SHAPES   12u
#define LEVEL_BLOCKS   5u
#define LEVEL_VERTICES (64u * LEVEL_BLOCKS)
#define LEVEL_ENTRIES  (LEVEL_BLOCKS * LEVEL_SHAPES)

static uint64_t level_seed = 11;

static float level_random(float low, float high) { return mt_pose_random(&level_seed, low, high); }

static uint32_t level_number(uint32_t count) { return (uint32_t)level_random(0, (float)count) % count; }

static uint32_t level_bits(void) { return level_number(0x10000) | level_number(0x10000) << 16; }

/// Mostly ordinary; is_wild: now and then anything that is finite.
static float level_value(bool is_wild) {
  static const float wild[8] = {0, -0.0f, 1e-30f, FLT_MAX, -FLT_MAX, 1e20f, -1e-20f, FLT_TRUE_MIN};
  if (is_wild && level_number(8) == 0) return wild[level_number(8)];
  return level_random(-1, 1);
}

static void level_direction(float v[4], bool is_wild) {
  float square = 0;
  for (int i = 0; i < 3; ++i) v[i] = level_random(-1, 1);
  for (int i = 0; i < 3; ++i) square += v[i] * v[i];
  const float length = square > 0 ? sqrtf(square) : 1;
  for (int i = 0; i < 3; ++i) v[i] /= length;
  if (is_wild && level_number(10) == 0) memset(v, 0, 3 * sizeof *v); // a direction that is missing
}

static void level_base(mpak_base_vertex *base, uint32_t count, bool is_wild, bool has_tangents) {
  memset(base, 0, count * sizeof *base);
  for (uint32_t v = 0; v < count; ++v) {
    for (int i = 0; i < 3; ++i) base[v].position[i] = level_value(is_wild);
    base[v].position[3] = 1;
    level_direction(base[v].normal, is_wild);
    if (has_tangents) level_direction(base[v].tangent, is_wild);
    if (has_tangents) base[v].tangent[3] = level_number(2) ? 1.0f : -1.0f;
  }
}

/// Compares all vector levels that this processor has; at least one on x86-64.
static void level_assert_same(const mpak_base_vertex *plain, const mpak_base_vertex *other, uint32_t count) {
  for (uint32_t v = 0; v < count; ++v) {
    if (memcmp(&plain[v], &other[v], sizeof *plain) == 0) continue;
    const float *a = plain[v].position, *b = other[v].position;
    for (int i = 0; i < 12; ++i)
      if (memcmp(&a[i], &b[i], sizeof *a) != 0)
        fail_msg("vertex %u, float %d: %.9g is %.9g", v, i, (double)a[i], (double)b[i]);
  }
}

// -- Morph -----------------------------------------------------------------------------------------------------------

typedef struct level_part {
  mpak_base_vertex base[LEVEL_VERTICES];
  mpak_morph_block blocks[LEVEL_BLOCKS + 1];
  mpak_morph_entry entries[LEVEL_ENTRIES];
  uint32_t *payload; ///< of the exact size, so that a read past its end is seen
  mpak_part part;
  mpak_pack pack;
  mpak_part_data data;
} level_part;

static uint64_t level_lanes(uint32_t vertex_count) {
  const uint64_t all = vertex_count == 64 ? ~UINT64_C(0) : (UINT64_C(1) << vertex_count) - 1;
  uint64_t lanes = all;
  const uint64_t noise = level_bits() | (uint64_t)level_bits() << 32;
  switch (level_number(6)) {
  case 0: break;
  case 1: lanes = noise; break;
  case 2: lanes = noise & (noise << 7) & (noise >> 3); break;
  case 3: lanes = UINT64_C(1) << level_number(vertex_count); break;
  case 4: lanes = (UINT64_C(0x7FFF) << level_number(64)) | (UINT64_C(0x1F) << level_number(64)); break;
  default: lanes = ~noise; break;
  }
  lanes &= all;
  return lanes ? lanes : 1;
}

static void level_payload(level_part *made, bool is_wild) {
  const mpak_morph *morph = &made->data.morph;
  made->payload = malloc(morph->payload_word_count * sizeof(uint32_t));
  assert_non_null(made->payload);
  for (uint64_t w = 0; w < morph->payload_word_count; ++w) {
    const float value = level_value(is_wild);
    made->payload[w] = level_bits();
    if (morph->payload == MPAK_PAYLOAD_P36) memcpy(&made->payload[w], &value, sizeof value);
  }
  made->data.morph.payload_words = made->payload;
}

static void level_make_entries(level_part *made, uint32_t words_per_lane, bool is_wild) {
  mpak_morph *morph = &made->data.morph;
  for (uint32_t b = 0; b < LEVEL_BLOCKS; ++b) {
    const uint32_t count = b + 1 < LEVEL_BLOCKS ? 64 - level_number(2) * level_number(64) : 1 + level_number(64);
    made->blocks[b] = (mpak_morph_block){morph->vertex_count, morph->entry_count, (uint16_t)count, 0};
    for (uint32_t s = 0; s < LEVEL_SHAPES; s += 1 + level_number(3)) {
      const uint64_t lanes = level_lanes(count);
      mpak_morph_entry *entry = &made->entries[morph->entry_count++];
      *entry = (mpak_morph_entry){.shape = s, .payload_offset = (uint32_t)morph->payload_word_count};
      entry->lanes_low = (uint32_t)lanes;
      entry->lanes_high = (uint32_t)(lanes >> 32);
      entry->position_scale = is_wild ? fabsf(level_value(true)) : 1e-4f;
      entry->normal_scale = is_wild ? fabsf(level_value(true)) : 1.0f / 127;
      entry->tangent_scale = is_wild ? fabsf(level_value(true)) : 1.0f / 127;
      morph->payload_word_count += words_per_lane * (uint32_t)__builtin_popcountll(lanes);
    }
    morph->vertex_count += count;
  }
  made->blocks[LEVEL_BLOCKS] = (mpak_morph_block){morph->vertex_count, morph->entry_count, 0, 0};
}

static level_part *level_make(mpak_payload payload, uint32_t components, bool is_wild, bool has_tangents) {
  level_part *made = calloc(1, sizeof *made);
  assert_non_null(made);
  made->data.morph = (mpak_morph){.payload = payload,
                                  .shape_count = LEVEL_SHAPES,
                                  .components = components,
                                  .blocks = made->blocks,
                                  .block_count = LEVEL_BLOCKS,
                                  .entries = made->entries};
  level_make_entries(made, mpak_payload_words(payload, components), is_wild);
  level_payload(made, is_wild);
  level_base(made->base, made->data.morph.vertex_count, is_wild, has_tangents);
  made->data.base = made->base;
  made->part = (mpak_part){.vertex_count = made->data.morph.vertex_count, .payload = payload};
  if (components == 6 && has_tangents) made->part.flags = MPAK_PART_REORTHOGONALISE;
  made->pack.parts = &made->part;
  return made;
}

static void level_compare_morph(const level_part *made, const float *weights) {
  mpak_base_vertex plain[LEVEL_VERTICES], other[LEVEL_VERTICES];
  const uint32_t count = made->part.vertex_count;
  deform_morph_vertices(deform_kernels_of(DEFORM_PLAIN), &made->pack, 0, &made->data, weights, plain);
  assert_true(mt_pose_all_finite(plain[0].position, (size_t)count * 12));
  for (int level = 1; level <= (int)deform_best_level(); ++level) {
    memset(other, 0xFF, sizeof other);
    deform_morph_vertices(deform_kernels_of((deform_level)level), &made->pack, 0, &made->data, weights, other);
    level_assert_same(plain, other, count);
  }
}

static void level_weights(float *weights, bool is_wild) {
  for (uint32_t s = 0; s < LEVEL_SHAPES; ++s) weights[s] = level_number(3) == 0 ? 0 : 2 * level_value(is_wild);
}

static void level_check_payload(mpak_payload payload, uint32_t components) {
  float weights[LEVEL_SHAPES] = {0};
  for (uint32_t round = 0; round < 60; ++round) {
    level_part *made = level_make(payload, components, round % 2 == 1, round % 3 != 0);
    level_compare_morph(made, (const float[LEVEL_SHAPES]){0});
    for (int i = 0; i < 5; ++i) {
      level_weights(weights, round % 2 == 1);
      level_compare_morph(made, weights);
    }
    free(made->payload);
    free(made);
  }
}

static void test_levels_morph_all_payloads_alike(void **state) {
  (void)state;
  for (uint32_t components = 3; components <= 9; components += 3) {
    if (components < 9) level_check_payload(MPAK_PAYLOAD_P8, components);
    level_check_payload(MPAK_PAYLOAD_P12, components);
    level_check_payload(MPAK_PAYLOAD_P16, components);
    level_check_payload(MPAK_PAYLOAD_P36, components);
  }
}

static void test_levels_morph_rows_alike(void **state) {
  (void)state;
  static mt_pose_delta deltas[MT_POSE_MOST_DELTAS];
  static const uint32_t counts[5] = {1, 9, 64, 130, 256};
  for (uint32_t round = 0; round < 40; ++round) {
    const bool is_wild = round % 2 == 1;
    float positions[MT_POSE_MOST_VERTICES][3] = {{0}}, weights[4];
    mpak_base_vertex plain[MT_POSE_MOST_VERTICES], other[MT_POSE_MOST_VERTICES];
    mt_pose_scene *scene = mt_pose_make();
    mt_pose_add_mesh(scene, "m");
    for (int c = 0; c < 4; ++c) mt_pose_add_control(scene, "c", 0, -2, 2);
    mt_pose_add_part(scene, counts[round % 5], (const float(*)[3])positions);
    level_base(scene->storage[0].base, counts[round % 5], is_wild, true);
    uint32_t count = 0;
    for (uint32_t v = 0; v < counts[round % 5]; ++v) {
      for (uint32_t s = level_number(4); s < 4; s += 1 + level_number(3)) {
        mt_pose_delta *delta = &deltas[count++];
        *delta = (mt_pose_delta){.vertex = v, .shape = s};
        for (int i = 0; i < 3; ++i) delta->position[i] = level_value(is_wild);
        for (int i = 0; i < 3; ++i) delta->normal[i] = level_value(is_wild);
        for (int i = 0; i < 3; ++i) delta->tangent[i] = level_value(is_wild);
      }
    }
    for (int c = 0; c < 4; ++c) weights[c] = level_value(is_wild);
    mt_pose_set_csr(scene, 0, deltas, count);
    deform_morph_vertices(deform_kernels_of(DEFORM_PLAIN), &scene->pack, 0, &scene->data[0], weights, plain);
    for (int level = 1; level <= (int)deform_best_level(); ++level) {
      const deform_kernels *kernels = deform_kernels_of((deform_level)level);
      deform_morph_vertices(kernels, &scene->pack, 0, &scene->data[0], weights, other);
      level_assert_same(plain, other, counts[round % 5]);
    }
    free(scene);
  }
}

// -- Skin ------------------------------------------------------------------------------------------------------------

#define LEVEL_SKIN_VERTICES 230u
#define LEVEL_SKIN_BONES    300u ///< more than the kernels bring together for a section

typedef struct level_skin {
  mpak_base_vertex in[LEVEL_SKIN_VERTICES];
  uint16_t joints[LEVEL_SKIN_VERTICES * MPAK_MAX_INFLUENCES];
  float weights[LEVEL_SKIN_VERTICES * MPAK_MAX_INFLUENCES];
  mpak_matrix palette[LEVEL_SKIN_BONES];
  mpak_bone bones[2 * LEVEL_SKIN_BONES];
  mpak_section sections[3];
  mpak_part part;
  mpak_pack pack;
  mpak_part_data data;
} level_skin;

/// Falling weights that sum to about 1; the last of them are 0 for most vertices.
static void level_influences(level_skin *made, uint32_t vertex, uint32_t bone_count) {
  const uint32_t most = made->part.influence_count, count = 1 + level_number(most);
  for (uint32_t k = 0; k < most; ++k) {
    const size_t at = (size_t)vertex * most + k;
    made->joints[at] = k < count ? (uint16_t)level_number(bone_count) : 0;
    made->weights[at] = k < count ? (float)(count - k) / (float)(count * (count + 1) / 2) : 0;
  }
}

static void level_palette(level_skin *made, bool is_wild) {
  for (uint32_t j = 0; j < LEVEL_SKIN_BONES; ++j) {
    const uint32_t kind = level_number(6);
    for (int i = 0; i < 12; ++i) made->palette[j].m[i] = level_value(false);
    if (is_wild && kind == 0) memset(&made->palette[j], 0, sizeof made->palette[j]);
    if (is_wild && kind == 1)
      for (int i = 0; i < 12; ++i) made->palette[j].m[i] = level_value(true);
    if (is_wild && kind == 2)
      for (int i = 0; i < 12; ++i) made->palette[j].m[i] *= 1e-10f;
  }
}

static level_skin *level_make_skin(uint32_t influence_count, bool is_wild, bool has_nan, bool has_tangents) {
  level_skin *made = calloc(1, sizeof *made);
  assert_non_null(made);
  const uint32_t first = 1 + level_number(100), second = 1 + level_number(100);
  const uint32_t vertex_counts[3] = {first, second, LEVEL_SKIN_VERTICES - first - second};
  const uint32_t bone_counts[3] = {1 + level_number(20), 8, LEVEL_SKIN_BONES};
  made->part = (mpak_part){.section_count = 3, .influence_count = influence_count};
  level_base(made->in, LEVEL_SKIN_VERTICES, is_wild, has_tangents);
  level_palette(made, is_wild);
  uint32_t vertex = 0, bone = 0;
  for (uint32_t s = 0; s < 3; ++s) {
    made->sections[s] = (mpak_section){.first_vertex = vertex, .vertex_count = vertex_counts[s]};
    made->sections[s].first_bone = bone;
    made->sections[s].bone_count = bone_counts[s];
    for (uint32_t b = 0; b < bone_counts[s]; ++b) made->bones[bone++].joint = level_number(LEVEL_SKIN_BONES);
    for (uint32_t v = 0; v < vertex_counts[s]; ++v) level_influences(made, vertex++, bone_counts[s]);
  }
  // the joint that influences without a weight name
  if (has_nan) made->palette[made->bones[0].joint].m[level_number(12)] = level_number(2) ? NAN : INFINITY;
  made->pack = (mpak_pack){.parts = &made->part, .sections = made->sections, .bones = made->bones};
  made->data = (mpak_part_data){.joints = made->joints, .weights = made->weights};
  return made;
}

static void level_compare_skin(const level_skin *made) {
  mpak_base_vertex plain[LEVEL_SKIN_VERTICES], other[LEVEL_SKIN_VERTICES];
  deform_skin_vertices(deform_kernels_of(DEFORM_PLAIN), &made->pack, 0, &made->data, made->palette, made->in, plain);
  assert_true(mt_pose_all_finite(plain[0].position, (size_t)LEVEL_SKIN_VERTICES * 12));
  for (int level = 1; level <= (int)deform_best_level(); ++level) {
    const deform_kernels *kernels = deform_kernels_of((deform_level)level);
    deform_skin_vertices(kernels, &made->pack, 0, &made->data, made->palette, made->in, other);
    level_assert_same(plain, other, LEVEL_SKIN_VERTICES);
    memcpy(other, made->in, sizeof other); // in place
    deform_skin_vertices(kernels, &made->pack, 0, &made->data, made->palette, other, other);
    level_assert_same(plain, other, LEVEL_SKIN_VERTICES);
  }
}

static void test_levels_skin_alike(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 300; ++round) {
    level_skin *made = level_make_skin(4 + 4 * (round % 3), round % 2 == 1, round % 7 == 3, round % 5 != 0);
    level_compare_skin(made);
    free(made);
  }
}

static void test_levels_move_alike(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 300; ++round) {
    level_skin *made = level_make_skin(4, round % 2 == 1, round % 7 == 3, round % 5 != 0);
    mpak_base_vertex plain[LEVEL_SKIN_VERTICES], other[LEVEL_SKIN_VERTICES];
    const mpak_matrix *matrix = &made->palette[round % 8];
    deform_kernels_of(DEFORM_PLAIN)->move(matrix, LEVEL_SKIN_VERTICES, made->in, plain);
    for (int level = 1; level <= (int)deform_best_level(); ++level) {
      deform_kernels_of((deform_level)level)->move(matrix, LEVEL_SKIN_VERTICES, made->in, other);
      level_assert_same(plain, other, LEVEL_SKIN_VERTICES);
    }
    free(made);
  }
}

/// What the tests above compare must be what runs: the public functions take the best level.
static void test_levels_are_there_on_x86_64(void **state) {
  (void)state;
#if DEFORM_HAS_VECTORS
  assert_true(deform_best_level() >= DEFORM_SSE2);
  assert_ptr_not_equal(deform_kernels_of(deform_best_level()), &deform_kernels_plain);
#else
  assert_int_equal(deform_best_level(), DEFORM_PLAIN);
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_levels_are_there_on_x86_64), cmocka_unit_test(test_levels_morph_all_payloads_alike),
      cmocka_unit_test(test_levels_morph_rows_alike),    cmocka_unit_test(test_levels_skin_alike),
      cmocka_unit_test(test_levels_move_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
