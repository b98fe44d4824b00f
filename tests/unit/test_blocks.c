// blk64: blocks, entries and payload (SPEC.md), against a plain construction from the dense deltas; the tables that
// mpak_blocks_count must refuse; and the cut of frames.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "cooker/build/build.h"
#include "format/bytes.h"
#include "format/morph_blocks.h"
#include "tests/support/mt_morph.h"
#include "tests/support/mt_scene.h"

#define ALL_STREAMS (MT_MORPH_POSITIONS | MT_MORPH_NORMALS | MT_MORPH_TANGENTS)

// -- Cooked blocks against the dense deltas --------------------------------------------------------------------------

static bool dense_moves(const cook_primitive *primitive, uint32_t target, uint32_t vertex) {
  for (uint32_t c = 0; c < 9; ++c) {
    if (mt_morph_delta(primitive, target, c / 3, vertex)[c % 3] != 0) return true;
  }
  return false;
}

/// The lanes of a target in a block, straight from the deltas.
static uint64_t dense_lanes(const cook_primitive *primitive, uint32_t target, const mpak_morph_block *block) {
  uint64_t lanes = 0;
  for (uint32_t lane = 0; lane < block->vertex_count; ++lane) {
    lanes |= (uint64_t)dense_moves(primitive, target, block->first_vertex + lane) << lane;
  }
  return lanes;
}

/// Compares one entry and its payload. Returns the words of its payload.
static uint32_t check_entry(const cook_primitive *primitive, const cook_blocks *blocks, const mpak_morph_block *block,
                            const mpak_morph_entry *entry, uint32_t target, uint64_t lanes, uint32_t offset) {
  const mpak_morph_entry expected = {target, offset, (uint32_t)lanes, (uint32_t)(lanes >> 32), 1, 1, 1, 0};
  assert_memory_equal(entry, &expected, sizeof expected);
  const uint32_t *word = blocks->payload_words + offset;
  for (uint32_t c = 0; c < blocks->components; ++c) {
    for (uint32_t lane = 0; lane < 64; ++lane) {
      if (!(lanes >> lane & 1)) continue;
      float delta = mt_morph_delta(primitive, target, c / 3, block->first_vertex + lane)[c % 3];
      assert_int_equal(*word++, delta == 0 ? 0 : bytes_bits_of_float(delta)); // never -0
    }
  }
  return (uint32_t)(word - blocks->payload_words) - offset;
}

static void check_blocks(const cook_primitive *primitive, const cook_blocks *blocks) {
  uint32_t entry = 0, offset = 0;
  for (uint32_t b = 0; b < blocks->block_count; ++b) {
    assert_int_equal(blocks->blocks[b].first_entry, entry);
    for (uint32_t t = 0; t < primitive->target_count; ++t) {
      uint64_t lanes = dense_lanes(primitive, t, &blocks->blocks[b]);
      if (lanes == 0) continue;
      assert_true(entry < blocks->entry_count);
      offset += check_entry(primitive, blocks, &blocks->blocks[b], &blocks->entries[entry++], t, lanes, offset);
    }
  }
  assert_int_equal(entry, blocks->entry_count);
  assert_int_equal(offset, blocks->payload_word_count);
  assert_int_equal(blocks->payload_word_count, (uint64_t)blocks->delta_count * blocks->components);
}

/// Groups ascend by target, and the runs of each are the longest possible.
static void check_runs(const cook_primitive *primitive, const cook_blocks *blocks) {
  const mpak_morph_run *run = blocks->runs;
  for (uint32_t g = 0; g < blocks->group_count; ++g) {
    const mpak_morph_group *group = &blocks->groups[g];
    assert_true(g == 0 || group->shape > group[-1].shape);
    uint32_t vertex = 0;
    for (uint32_t r = 0; r < group->run_count; ++r, ++run) {
      for (uint32_t end = vertex + run->skip; vertex < end; ++vertex)
        assert_false(dense_moves(primitive, group->shape, vertex));
      for (uint32_t end = vertex + run->length; vertex < end; ++vertex)
        assert_true(dense_moves(primitive, group->shape, vertex));
      assert_true(run->length >= 1 && (r == 0 || run->skip >= 1));
    }
    for (; vertex < primitive->vertex_count; ++vertex) assert_false(dense_moves(primitive, group->shape, vertex));
  }
  assert_int_equal(run - blocks->runs, blocks->run_count);
}

static void make_blocks(cook_job *job, const cook_primitive *primitive, const mpak_section *sections,
                        uint32_t section_count, cook_blocks *blocks) {
  cook_gpu_morph morph;
  float *low = JOB_ARRAY(job, float, primitive->target_count), *high = JOB_ARRAY(job, float, primitive->target_count);
  build_morph_facts(job, primitive, low, high, &morph);
  build_blocks(job, primitive, &morph, sections, section_count, blocks);
  assert_int_equal(blocks->delta_count, morph.delta_count);
}

static void check_one_section(uint32_t vertex_count, uint32_t target_count, int streams, uint32_t moved_percent) {
  cook_job *job = mt_job(NULL);
  cook_primitive *primitive =
      mt_morph_primitive(job, vertex_count, target_count, streams, moved_percent, 7 + vertex_count);
  const mpak_section section = {.vertex_count = vertex_count};
  cook_blocks blocks;
  make_blocks(job, primitive, &section, 1, &blocks);
  assert_int_equal(blocks.block_count, (vertex_count + 63) / 64);
  check_blocks(primitive, &blocks);
  check_runs(primitive, &blocks);
  const mpak_morph_block end = {vertex_count, blocks.entry_count, 0, 0};
  assert_memory_equal(&blocks.blocks[blocks.block_count], &end, sizeof end);
  job_end(job);
}

static void test_blocks_hold_the_dense_deltas_around_64_vertices(void **state) {
  (void)state;
  const uint32_t counts[] = {1, 2, 63, 64, 65, 127, 128, 129, 1000};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
    for (uint32_t percent = 0; percent <= 100; percent += 25) {
      check_one_section(counts[i], 5, MT_MORPH_POSITIONS, percent);
      check_one_section(counts[i], 5, MT_MORPH_POSITIONS | MT_MORPH_NORMALS, percent);
      check_one_section(counts[i], 5, ALL_STREAMS, percent);
    }
  }
}

static void test_blocks_one_delta_gives_one_of_everything(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  cook_primitive *primitive = mt_morph_primitive(job, 200, 3, ALL_STREAMS, 0, 1);
  primitive->targets[1].position_deltas[130][2] = 0.5f;
  const mpak_section section = {.vertex_count = 200};
  cook_blocks blocks;
  make_blocks(job, primitive, &section, 1, &blocks);
  const mpak_morph_group group = {.shape = 1, .run_count = 1};
  const mpak_morph_run run = {130, 1};
  const uint32_t words[3] = {0, 0, 0x3F000000}; // 0.5
  assert_int_equal(blocks.components, 3);
  assert_true(blocks.group_count == 1 && blocks.run_count == 1 && blocks.entry_count == 1 && blocks.delta_count == 1);
  assert_memory_equal(blocks.groups, &group, sizeof group);
  assert_memory_equal(blocks.runs, &run, sizeof run);
  assert_memory_equal(blocks.payload_words, words, sizeof words);
  assert_int_equal(blocks.entries[0].lanes_low, 1u << (130 - 128));
  job_end(job);
}

static void test_blocks_components_follow_the_streams_that_change(void **state) {
  (void)state;
  for (uint32_t stream = 0; stream < 3; ++stream) {
    cook_job *job = mt_job(NULL);
    cook_primitive *primitive = mt_morph_primitive(job, 10, 2, ALL_STREAMS, 0, 1);
    primitive->targets[0].position_deltas[3][0] = 1;
    if (stream == 1) primitive->targets[1].normal_deltas[4][1] = 1;
    if (stream == 2) primitive->targets[1].tangent_deltas[5][2] = 1;
    const mpak_section section = {.vertex_count = 10};
    cook_blocks blocks;
    make_blocks(job, primitive, &section, 1, &blocks);
    assert_int_equal(blocks.components, 3 * (stream + 1));
    job_end(job);
  }
}

static void test_blocks_minus_zero_is_written_as_plus_zero(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  cook_primitive *primitive = mt_morph_primitive(job, 3, 1, MT_MORPH_POSITIONS, 0, 1);
  primitive->targets[0].position_deltas[0][0] = -0.0f; // alone: no delta
  primitive->targets[0].position_deltas[2][0] = -0.0f;
  primitive->targets[0].position_deltas[2][1] = -1;
  const mpak_section section = {.vertex_count = 3};
  cook_blocks blocks;
  make_blocks(job, primitive, &section, 1, &blocks);
  const uint32_t words[3] = {0, 0xBF800000, 0};
  assert_int_equal(blocks.delta_count, 1);
  assert_memory_equal(blocks.payload_words, words, sizeof words);
  job_end(job);
}

static void test_blocks_never_cross_a_section(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  cook_primitive *primitive = mt_morph_primitive(job, 230, 6, ALL_STREAMS, 80, 21);
  const mpak_section sections[4] = {{.vertex_count = 70},
                                    {.first_vertex = 70, .vertex_count = 1},
                                    {.first_vertex = 71, .vertex_count = 64},
                                    {.first_vertex = 135, .vertex_count = 95}};
  cook_blocks blocks;
  make_blocks(job, primitive, sections, 4, &blocks);
  const uint32_t firsts[7] = {0, 64, 70, 71, 135, 199, 230};
  const uint16_t counts[7] = {64, 6, 1, 64, 64, 31, 0}, numbers[7] = {0, 0, 1, 2, 3, 3, 0};
  assert_int_equal(blocks.block_count, 6);
  for (int b = 0; b < 7; ++b) {
    assert_int_equal(blocks.blocks[b].first_vertex, firsts[b]);
    assert_int_equal(blocks.blocks[b].vertex_count, counts[b]);
    assert_int_equal(blocks.blocks[b].section, numbers[b]);
  }
  check_blocks(primitive, &blocks);
  check_runs(primitive, &blocks); // runs count vertices of the part and do cross blocks
  job_end(job);
}

/// Facts of 456 shapes that move 2^20 vertices in 9 components: 4.3e9 words, more than 32 bits count.
static void build_too_many(cook_job *job, void *user) {
  (void)user;
  const uint32_t vertices = 1u << 20, shapes = 456;
  cook_gpu_morph morph = {.vertex_count = vertices, .shape_count = shapes, .changed_words = vertices / 64};
  morph.changed = JOB_ARRAY(job, uint64_t, (uint64_t)morph.changed_words * shapes);
  memset(morph.changed, 0xFF, (size_t)morph.changed_words * shapes * 8);
  morph.shape_delta_counts = JOB_ARRAY(job, uint32_t, shapes);
  for (uint32_t s = 0; s < shapes; ++s) morph.shape_delta_counts[s] = vertices;
  morph.delta_count = vertices * shapes;
  morph.changes_normals = morph.changes_tangents = true;
  const mpak_section section = {.vertex_count = vertices};
  cook_blocks blocks;
  build_blocks(job, &(cook_primitive){.vertex_count = vertices}, &morph, &section, 1, &blocks);
}

static void test_blocks_too_many_deltas_is_issue_c050(void **state) {
  (void)state;
  cook_job *job = mt_job(NULL);
  assert_false(job_run(job, build_too_many, NULL));
  assert_int_equal(job_issue_count(job), 1);
  assert_string_equal(mpak_issue_get(job_issue_at(job, 0)->id)->code, "MPAK-C050");
  assert_int_equal(job_exit_code(job), 6);
  job_end(job);
}

// -- Tables that must be refused -------------------------------------------------------------------------------------

/// A small sound table: 100 vertices in two sections, 3 shapes, 2 groups.
typedef struct hostile_table {
  mpak_section sections[2];
  mpak_morph_group groups[2];
  mpak_morph_run runs[3];
  mpak_blocks_input input;
  uint32_t block_count;
} hostile_table;

static void make_table(hostile_table *table) {
  *table = (hostile_table){
      .sections = {{.vertex_count = 70}, {.first_vertex = 70, .vertex_count = 30}},
      .groups = {{.shape = 0, .run_count = 2}, {.shape = 2, .run_count = 1}},
      .runs = {{0, 5}, {55, 20}, {60, 40}},
      .block_count = 3,
  };
  table->input = (mpak_blocks_input){
      .sections = table->sections,
      .section_count = 2,
      .vertex_count = 100,
      .shape_count = 3,
      .payload = MPAK_PAYLOAD_P36,
      .lane_words = 9,
      .step = 1,
      .normal_step = 1,
      .groups = table->groups,
      .group_count = 2,
      .runs = table->runs,
      .run_count = 3,
      .max_entry_count = 7,
      .max_delta_count = 65,
  };
}

static void test_blocks_count_accepts_a_sound_table(void **state) {
  (void)state;
  hostile_table table;
  make_table(&table);
  mpak_morph_block blocks[4];
  mpak_blocks_counts counts;
  table.input.max_entry_count = 6; // exactly what it needs
  assert_true(mpak_blocks_count(&table.input, blocks, 3, &counts, NULL));
  assert_int_equal(counts.entry_count, 6);
  assert_int_equal(counts.delta_count, 65);
  assert_int_equal(counts.payload_word_count, 585);
  mpak_morph_entry entries[6];
  mpak_blocks_fill(&table.input, blocks, 3, entries);
  const mpak_morph_block expected[4] = {{0, 0, 64, 0}, {64, 2, 6, 0}, {70, 4, 30, 1}, {100, 6, 0, 0}};
  assert_memory_equal(blocks, expected, sizeof expected);
  // shape 0 moves vertices 0-4 and 60-79, shape 2 moves 60-99
  const uint32_t lanes[6][2] = {{0x1F, 0xF0000000}, {0, 0xF0000000}, {0x3F, 0}, {0x3F, 0}, {0x3FF, 0}, {0x3FFFFFFF, 0}};
  const uint32_t offsets[6] = {0, 81, 117, 171, 225, 315};
  for (uint32_t e = 0; e < 6; ++e) {
    const mpak_morph_entry entry = {e % 2 * 2, offsets[e], lanes[e][0], lanes[e][1], 1, 1, 1, 0};
    assert_memory_equal(&entries[e], &entry, sizeof entry);
  }
}

typedef void (*spoil_table)(hostile_table *table);
static void spoil_section_gap(hostile_table *t) { t->sections[1].first_vertex = 71; }
static void spoil_section_empty(hostile_table *t) { t->sections[0].vertex_count = 0; }
static void spoil_section_long(hostile_table *t) { t->sections[1].vertex_count = 31; }
static void spoil_section_huge(hostile_table *t) { t->sections[1].vertex_count = UINT32_MAX; }
static void spoil_section_short(hostile_table *t) { t->input.vertex_count = 101; }
static void spoil_vertices(hostile_table *t) { t->input.vertex_count = UINT32_MAX; }
static void spoil_blocks(hostile_table *t) { t->block_count = 2; }
static void spoil_shape(hostile_table *t) { t->groups[1].shape = 3; }
static void spoil_shape_huge(hostile_table *t) { t->groups[1].shape = UINT32_MAX; }
static void spoil_no_run(hostile_table *t) { t->groups[1].run_count = 0; }
static void spoil_run_sum_high(hostile_table *t) { t->groups[1].run_count = 2; }
static void spoil_run_sum_huge(hostile_table *t) { t->groups[1].run_count = UINT32_MAX; }
static void spoil_run_sum_low(hostile_table *t) { t->groups[0].run_count = 1; }
static void spoil_pad(hostile_table *t) { t->groups[0].zero = 1; }
static void spoil_exponent(hostile_table *t) { t->groups[0].position_exponent = 1; }
static void spoil_normal_exponent(hostile_table *t) { t->groups[0].normal_exponent = -1; }
static void spoil_tangent_exponent(hostile_table *t) { t->groups[1].tangent_exponent = 127; }
static void spoil_order_equal(hostile_table *t) { t->groups[1].shape = 0; }
static void spoil_order_falling(hostile_table *t) { t->groups[0].shape = 2, t->groups[1].shape = 1; }
static void spoil_length(hostile_table *t) { t->runs[2].length = 0; }
static void spoil_touch(hostile_table *t) { t->runs[1].skip = 0; }
static void spoil_end(hostile_table *t) { t->runs[2].length = 41; }
static void spoil_end_huge(hostile_table *t) { t->runs[2].length = UINT32_MAX; }
static void spoil_skip_huge(hostile_table *t) { t->runs[1].skip = UINT32_MAX; }
static void spoil_entries(hostile_table *t) { t->input.max_entry_count = 5; }
static void spoil_deltas(hostile_table *t) { t->input.max_delta_count = 64; }

static void test_blocks_count_refuses_each_broken_rule(void **state) {
  (void)state;
  static const struct {
    spoil_table spoil;
    const char *rule;
    uint32_t kind;
    uint32_t item;
  } cases[] = {
      {spoil_section_gap, "SECT: sections do not tile the vertices", MPAK_KIND_SECT, 1},
      {spoil_section_empty, "SECT: sections do not tile the vertices", MPAK_KIND_SECT, 0},
      {spoil_section_long, "SECT: sections do not tile the vertices", MPAK_KIND_SECT, 1},
      {spoil_section_huge, "SECT: sections do not tile the vertices", MPAK_KIND_SECT, 1},
      {spoil_section_short, "SECT: sections do not tile the vertices", MPAK_KIND_SECT, 2},
      {spoil_vertices, "PART: too many vertices", MPAK_KIND_SECT, 0},
      {spoil_blocks, "PART: block_count is not what the sections need", MPAK_KIND_SECT, 0},
      {spoil_shape, "MGRP: shape is past the part's shapes", MPAK_KIND_MGRP, 1},
      {spoil_shape_huge, "MGRP: shape is past the part's shapes", MPAK_KIND_MGRP, 1},
      {spoil_no_run, "MGRP: a group has no run", MPAK_KIND_MGRP, 1},
      {spoil_run_sum_high, "MGRP: run counts do not sum to MRUN's", MPAK_KIND_MGRP, 2},
      {spoil_run_sum_huge, "MGRP: run counts do not sum to MRUN's", MPAK_KIND_MGRP, 2},
      {spoil_run_sum_low, "MGRP: run counts do not sum to MRUN's", MPAK_KIND_MGRP, 2},
      {spoil_pad, "MGRP: padding is not zero", MPAK_KIND_MGRP, 0},
      {spoil_exponent, "MGRP: P36 has no exponents", MPAK_KIND_MGRP, 0},
      {spoil_normal_exponent, "MGRP: P36 has no exponents", MPAK_KIND_MGRP, 0},
      {spoil_tangent_exponent, "MGRP: P36 has no exponents", MPAK_KIND_MGRP, 1},
      {spoil_order_equal, "MGRP: groups do not ascend", MPAK_KIND_MGRP, 1},
      {spoil_order_falling, "MGRP: groups do not ascend", MPAK_KIND_MGRP, 1},
      {spoil_length, "MRUN: a run is empty", MPAK_KIND_MRUN, 2},
      {spoil_touch, "MRUN: two runs touch", MPAK_KIND_MRUN, 1},
      {spoil_end, "MRUN: a run ends past the vertices", MPAK_KIND_MRUN, 2},
      {spoil_end_huge, "MRUN: a run ends past the vertices", MPAK_KIND_MRUN, 2},
      {spoil_skip_huge, "MRUN: a run ends past the vertices", MPAK_KIND_MRUN, 1},
      {spoil_entries, "MRUN: more entries than stated", MPAK_KIND_MRUN, 2},
      {spoil_deltas, "MRUN: more deltas than stated", MPAK_KIND_MRUN, 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    hostile_table table;
    make_table(&table);
    cases[i].spoil(&table);
    mpak_morph_block *blocks = malloc((table.block_count + 1) * sizeof *blocks); // exact: ASan sees the first too far
    mpak_blocks_counts counts = {1, 1, 1};
    mpak_blocks_fault fault = {0};
    assert_false(mpak_blocks_count(&table.input, blocks, table.block_count, &counts, &fault));
    assert_string_equal(fault.rule, cases[i].rule);
    assert_int_equal(fault.kind, cases[i].kind);
    assert_int_equal(fault.item, cases[i].item);
    assert_int_equal(counts.entry_count, 0);
    free(blocks);
  }
}

static void spoil_word(hostile_table *table, mt_random *random) {
  static const uint32_t values[] = {0, 1, 2, 63, 64, 65, 99, 100, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
  uint32_t *words[] = {&table->sections[0].vertex_count,
                       &table->sections[1].first_vertex,
                       &table->groups[0].shape,
                       &table->groups[0].run_count,
                       &table->groups[1].shape,
                       &table->groups[1].run_count,
                       &table->runs[0].skip,
                       &table->runs[0].length,
                       &table->runs[1].skip,
                       &table->runs[1].length,
                       &table->runs[2].skip,
                       &table->runs[2].length};
  uint32_t *word = words[mt_random_below(random, 12)];
  *word = mt_random_below(random, 2) ? values[mt_random_below(random, 11)] : *word + mt_random_below(random, 9) - 4;
}

/// What any accepted table must be: checked without the code that made it.
static void verify_entries(const hostile_table *table, const mpak_morph_block *blocks, const mpak_morph_entry *entries,
                           const mpak_blocks_counts *counts) {
  uint64_t offset = 0;
  for (uint32_t b = 0; b < table->block_count; ++b) {
    assert_int_equal(blocks[b + 1].first_vertex, blocks[b].first_vertex + blocks[b].vertex_count);
    for (uint32_t e = blocks[b].first_entry; e < blocks[b + 1].first_entry; ++e) {
      uint64_t lanes = (uint64_t)entries[e].lanes_high << 32 | entries[e].lanes_low;
      assert_true(lanes != 0 && (blocks[b].vertex_count == 64 || lanes >> blocks[b].vertex_count == 0));
      assert_true(e == blocks[b].first_entry || entries[e].shape > entries[e - 1].shape);
      assert_true(entries[e].shape < 3);
      assert_int_equal(entries[e].payload_offset, offset);
      offset += (uint64_t)__builtin_popcountll(lanes) * 9;
    }
  }
  assert_int_equal(offset, counts->payload_word_count);
  assert_int_equal(blocks[table->block_count].first_entry, counts->entry_count);
}

static void test_blocks_random_tables_are_refused_or_sound(void **state) {
  (void)state;
  mt_random random = {4711};
  uint32_t accepted = 0, refused = 0;
  for (int i = 0; i < 30000; ++i) {
    hostile_table table;
    make_table(&table);
    for (uint32_t k = 1 + mt_random_below(&random, 3); k > 0; --k) spoil_word(&table, &random);
    mpak_morph_block *blocks = malloc((table.block_count + 1) * sizeof *blocks);
    mpak_blocks_counts counts;
    if (mpak_blocks_count(&table.input, blocks, table.block_count, &counts, NULL)) {
      mpak_morph_entry *entries = malloc(counts.entry_count * sizeof *entries + 1);
      mpak_blocks_fill(&table.input, blocks, table.block_count, entries);
      verify_entries(&table, blocks, entries, &counts);
      free(entries);
      ++accepted;
    } else {
      ++refused;
    }
    free(blocks);
  }
  print_message("%u tables accepted, %u refused\n", accepted, refused);
  assert_true(accepted > 1000 && refused > 1000);
}

// -- Frames ----------------------------------------------------------------------------------------------------------

static void test_frames_are_cut_before_the_entry_that_would_overflow(void **state) {
  (void)state;
  enum { COUNT = 2000 };
  mpak_morph_entry *entries = calloc(COUNT, sizeof *entries);
  for (uint32_t i = 0; i < COUNT; ++i) {
    entries[i].shape = i % 5;
    entries[i].lanes_low = entries[i].lanes_high = 0xFFFFFFFF;
  }
  // 64 lanes of 9 floats are 2,304 bytes: 227 entries fit into 524,288 bytes (523,008), 228 do not (525,312)
  mpak_morph_frame frame = {0};
  uint32_t frames = 0, entry = 0;
  while (mpak_morph_frame_next(entries, COUNT, 9, &frame)) {
    assert_int_equal(frame.first_entry, entry);
    assert_int_equal(frame.first_word, (uint64_t)entry * 576);
    entry = frame.entry_end;
    assert_int_equal(entry - frame.first_entry, frames < 8 ? 227 : 2000 - 8 * 227);
    assert_int_equal(frame.delta_count, (entry - frame.first_entry) * 64);
    assert_int_equal(frame.word_count, frame.delta_count * 9);
    ++frames;
  }
  assert_int_equal(frames, 9);
  assert_int_equal(mpak_morph_frame_count(entries, COUNT, 9), 9);
  assert_int_equal(mpak_morph_frame_count(entries, 227, 9), 1);
  assert_int_equal(mpak_morph_frame_count(entries, 228, 9), 2);
  assert_int_equal(mpak_morph_frame_count(entries, 0, 9), 0);
  entries[227].lanes_low = 1; // 523,008 + 33 * 36 = 524,196 bytes still fit
  assert_int_equal(mpak_morph_frame_count(entries, 228, 9), 1);
  free(entries);
}

static void test_frames_cursors_are_starts_by_shape(void **state) {
  (void)state;
  const mpak_morph_entry entries[4] = {{.shape = 2, .lanes_low = 7},
                                       {.shape = 0, .lanes_high = 1},
                                       {.shape = 2, .lanes_low = 1},
                                       {.shape = 3, .lanes_low = 3}};
  const mpak_morph_frame frame = {.first_entry = 0, .entry_end = 4};
  uint32_t cursors[5];
  mpak_morph_frame_cursors(entries, &frame, 4, cursors);
  const uint32_t expected[4] = {0, 1, 1, 5};
  assert_memory_equal(cursors, expected, sizeof expected);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_blocks_hold_the_dense_deltas_around_64_vertices),
      cmocka_unit_test(test_blocks_one_delta_gives_one_of_everything),
      cmocka_unit_test(test_blocks_components_follow_the_streams_that_change),
      cmocka_unit_test(test_blocks_minus_zero_is_written_as_plus_zero),
      cmocka_unit_test(test_blocks_never_cross_a_section),
      cmocka_unit_test(test_blocks_too_many_deltas_is_issue_c050),
      cmocka_unit_test(test_blocks_count_accepts_a_sound_table),
      cmocka_unit_test(test_blocks_count_refuses_each_broken_rule),
      cmocka_unit_test(test_blocks_random_tables_are_refused_or_sound),
      cmocka_unit_test(test_frames_are_cut_before_the_entry_that_would_overflow),
      cmocka_unit_test(test_frames_cursors_are_starts_by_shape),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
