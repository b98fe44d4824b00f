// blocks.c: the blk64 form of a primitive's shapes (SPEC.md): runs of moved vertices per shape and exponents, and the
// payload of every (block, group) in memory order. Read straight from the scene's dense deltas; nothing in between is
// made. Where deltas are numbers of a grid (build_quantise), those numbers are stored.
#include <stdlib.h>

#include "cooker/build/build.h"
#include "cooker/build/delta_grid.h"
#include "format/bytes.h"
#include "format/morph_blocks.h"
#include "format/morph_payload.h"

// -- Groups and runs -------------------------------------------------------------------------------------------------

/// The vertices that a shape changes, by group: exponents in the high word, in the order of MGRP, the vertex below.
static uint32_t blocks_list_lanes_of_shape(const cook_primitive *primitive, const cook_gpu_morph *morph, uint32_t shape,
                                           uint64_t *lanes) {
  const uint64_t *changed = morph->changed + (size_t)shape * morph->changed_words;
  const bool is_quantised = primitive->grid.payload != MPAK_PAYLOAD_NONE;
  uint32_t count = 0;
  for (uint32_t w = 0; w < morph->changed_words; ++w) {
    for (uint64_t bits = changed[w]; bits != 0; bits &= bits - 1) {
      uint32_t vertex = w * 64 + (uint32_t)__builtin_ctzll(bits);
      delta_exponents e = {{0, 0, 0}};
      if (is_quantised) e = delta_grid_exponents_of_numbers(&primitive->grid, &primitive->targets[shape], vertex);
      uint64_t order = (uint64_t)(e.of[0] + 128) << 16 | (uint64_t)(e.of[1] + 128) << 8 | (uint64_t)(e.of[2] + 128);
      lanes[count++] = order << 32 | vertex;
    }
  }
  return count;
}

static int blocks_compare_lanes(const void *a, const void *b) {
  uint64_t x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return x < y ? -1 : x > y;
}

/// Most shapes have one group, and their lanes are in order already.
static void blocks_sort_lanes(uint64_t *lanes, uint32_t count) {
  bool is_sorted = true;
  for (uint32_t i = 1; i < count; ++i) is_sorted &= lanes[i - 1] < lanes[i];
  if (!is_sorted) qsort(lanes, count, sizeof *lanes, blocks_compare_lanes);
}

static mpak_morph_group blocks_group(uint32_t shape, uint64_t lane) {
  return (mpak_morph_group){
      .shape = shape,
      .position_exponent = (int8_t)((int32_t)(lane >> 48 & 255) - 128),
      .normal_exponent = (int8_t)((int32_t)(lane >> 40 & 255) - 128),
      .tangent_exponent = (int8_t)((int32_t)(lane >> 32 & 255) - 128),
  };
}

/// Adds the groups and runs of a shape. Arrays that are NULL: only counts.
static void blocks_add_shape(uint32_t shape, const uint64_t *lanes, uint32_t lane_count, cook_blocks *blocks) {
  uint32_t end = 0; // of the group's last run
  for (uint32_t i = 0; i < lane_count; ++i) {
    uint32_t vertex = (uint32_t)lanes[i];
    bool starts_group = i == 0 || lanes[i] >> 32 != lanes[i - 1] >> 32;
    bool starts_run = starts_group || vertex != end;
    if (starts_group && blocks->groups) blocks->groups[blocks->group_count] = blocks_group(shape, lanes[i]);
    if (starts_group) end = 0, blocks->group_count++;
    if (starts_run && blocks->runs && blocks->groups) {
      blocks->groups[blocks->group_count - 1].run_count++;
      blocks->runs[blocks->run_count] = (mpak_morph_run){vertex - end, 0};
    }
    if (starts_run) blocks->run_count++;
    if (blocks->runs) blocks->runs[blocks->run_count - 1].length++;
    end = vertex + 1;
  }
}

static void blocks_add_shapes(const cook_primitive *primitive, const cook_gpu_morph *morph, uint64_t *lanes,
                              cook_blocks *blocks) {
  blocks->group_count = blocks->run_count = 0; // at most delta_count, which is below 2^32
  for (uint32_t s = 0; s < morph->shape_count; ++s) {
    uint32_t count = blocks_list_lanes_of_shape(primitive, morph, s, lanes);
    blocks_sort_lanes(lanes, count);
    blocks_add_shape(s, lanes, count, blocks);
  }
}

/// One group for each shape and exponents that occur together.
static void blocks_make_groups(cook_job *job, const cook_primitive *primitive, const cook_gpu_morph *morph,
                               cook_blocks *blocks) {
  cook_mark mark = job_mark(job);
  blocks_add_shapes(primitive, morph, JOB_ARRAY(job, uint64_t, morph->vertex_count), blocks);
  job_release(job, mark);
  blocks->groups = JOB_ARRAY(job, mpak_morph_group, blocks->group_count);
  blocks->runs = JOB_ARRAY(job, mpak_morph_run, blocks->run_count);
  mark = job_mark(job);
  blocks_add_shapes(primitive, morph, JOB_ARRAY(job, uint64_t, morph->vertex_count), blocks);
  job_release(job, mark);
}

// -- Blocks and entries ----------------------------------------------------------------------------------------------

static void blocks_check_size(cook_job *job, const cook_gpu_morph *morph, const cook_blocks *blocks) {
  if ((uint64_t)morph->delta_count * blocks->lane_words <= UINT32_MAX) return;
  cook_where where = COOK_WHERE;
  where.value = job_format(job, "%u", morph->delta_count);
  where.limit = job_format(job, "%u", UINT32_MAX / blocks->lane_words);
  job_fail(job, MPAK_C050, where);
}

/// Groups and runs that break a rule are a fault of this file.
static void blocks_fail(cook_job *job, const char *rule) {
  cook_where where = COOK_WHERE;
  where.value = rule;
  job_fail(job, MPAK_C051, where);
}

static void blocks_make_entries(cook_job *job, const cook_gpu_morph *morph, const mpak_section *sections,
                                uint32_t section_count, cook_blocks *blocks) {
  mpak_blocks_input input = {
      .sections = sections,
      .section_count = section_count,
      .vertex_count = morph->vertex_count,
      .shape_count = morph->shape_count,
      .payload = blocks->payload,
      .lane_words = blocks->lane_words,
      .step = blocks->step,
      .normal_step = blocks->normal_step,
      .groups = blocks->groups,
      .group_count = blocks->group_count,
      .runs = blocks->runs,
      .run_count = blocks->run_count,
      .max_entry_count = UINT32_MAX,
      .max_delta_count = UINT32_MAX,
  };
  mpak_blocks_counts counts;
  mpak_blocks_fault fault = {0};
  blocks->block_count = (uint32_t)mpak_block_count(sections, section_count);
  blocks->blocks = JOB_ARRAY(job, mpak_morph_block, (uint64_t)blocks->block_count + 1);
  if (!mpak_blocks_count(&input, blocks->blocks, blocks->block_count, &counts, &fault)) {
    blocks_fail(job, fault.rule);
  }
  blocks->entry_count = counts.entry_count;
  blocks->delta_count = counts.delta_count;
  blocks->payload_word_count = counts.payload_word_count;
  blocks->entries = JOB_ARRAY(job, mpak_morph_entry, counts.entry_count);
  mpak_blocks_fill(&input, blocks->blocks, blocks->block_count, blocks->entries);
}

// -- Payload ---------------------------------------------------------------------------------------------------------

/// The planes of one stream (position, normal or tangent deltas) of an entry of floats: x of all lanes, then y, then z.
static void blocks_write_floats(const float (*deltas)[3], const uint32_t *vertices, uint32_t lane_count,
                                uint32_t *words) {
  if (deltas == NULL) return; // the payload is zero already
  for (uint32_t i = 0; i < lane_count; ++i) {
    for (uint32_t axis = 0; axis < 3; ++axis) {
      words[axis * lane_count + i] = bytes_bits_of_float(deltas[vertices[i]][axis] + 0.0f); // +0 of -0
    }
  }
}

/// The numbers of a vertex in the scales of an entry.
static void blocks_find_numbers(const cook_target *target, uint32_t vertex, const mpak_morph_entry *entry,
                                int32_t numbers[9]) {
  const float scales[3] = {entry->position_scale, entry->normal_scale, entry->tangent_scale};
  for (uint32_t c = 0; c < 9; ++c) {
    float(*deltas)[3] = delta_grid_stream(target, c / 3);
    numbers[c] = deltas ? delta_grid_number(deltas[vertex][c % 3], scales[c / 3]) : 0;
  }
}

static void blocks_write_numbers(const cook_target *target, const cook_blocks *blocks, const mpak_morph_entry *entry,
                                 const uint32_t *vertices, uint32_t lane_count, uint32_t *planes) {
  for (uint32_t i = 0; i < lane_count; ++i) {
    int32_t numbers[9];
    uint32_t words[4] = {0};
    blocks_find_numbers(target, vertices[i], entry, numbers);
    mpak_lane_pack(blocks->payload, blocks->components, numbers, words);
    for (uint32_t w = 0; w < blocks->lane_words; ++w) planes[w * lane_count + i] = words[w];
  }
}

static uint32_t blocks_list_lanes(const mpak_morph_entry *entry, uint32_t first_vertex, uint32_t vertices[64]) {
  uint32_t count = 0;
  for (uint64_t bits = (uint64_t)entry->lanes_high << 32 | entry->lanes_low; bits != 0; bits &= bits - 1) {
    vertices[count++] = first_vertex + (uint32_t)__builtin_ctzll(bits);
  }
  return count;
}

static void blocks_write_entry(const cook_primitive *primitive, const cook_blocks *blocks, uint32_t first_vertex,
                               const mpak_morph_entry *entry) {
  uint32_t vertices[64], count = blocks_list_lanes(entry, first_vertex, vertices);
  const cook_target *target = &primitive->targets[entry->shape];
  uint32_t *words = blocks->payload_words + entry->payload_offset;
  if (blocks->payload != MPAK_PAYLOAD_P36) {
    blocks_write_numbers(target, blocks, entry, vertices, count, words);
    return;
  }
  for (uint32_t c = 0; c < blocks->components; c += 3) {
    blocks_write_floats((const float(*)[3])delta_grid_stream(target, c / 3), vertices, count, words + c * count);
  }
}

static void blocks_choose_payload(const cook_primitive *primitive, const cook_gpu_morph *morph, cook_blocks *blocks) {
  const cook_grid *grid = &primitive->grid;
  bool is_quantised = grid->payload != MPAK_PAYLOAD_NONE;
  blocks->components = morph->changes_tangents ? 9 : morph->changes_normals ? 6 : 3;
  blocks->payload = is_quantised ? grid->payload : MPAK_PAYLOAD_P36;
  blocks->lane_words = mpak_payload_words(blocks->payload, blocks->components);
  blocks->step = is_quantised ? grid->step : 1;
  blocks->normal_step = is_quantised ? grid->normal_step : 1;
}

void build_blocks(cook_job *job, const cook_primitive *primitive, const cook_gpu_morph *morph,
                  const mpak_section *sections, uint32_t section_count, cook_blocks *blocks) {
  *blocks = (cook_blocks){.shape_count = morph->shape_count};
  blocks_choose_payload(primitive, morph, blocks);
  blocks_check_size(job, morph, blocks);
  blocks_make_groups(job, primitive, morph, blocks);
  blocks_make_entries(job, morph, sections, section_count, blocks);
  blocks->payload_words = JOB_ARRAY(job, uint32_t, blocks->payload_word_count);
  for (uint32_t b = 0; b < blocks->block_count; ++b) {
    for (uint32_t e = blocks->blocks[b].first_entry; e < blocks->blocks[b + 1].first_entry; ++e) {
      blocks_write_entry(primitive, blocks, blocks->blocks[b].first_vertex, &blocks->entries[e]);
    }
  }
}
