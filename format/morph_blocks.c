// morph_blocks.c: see morph_blocks.h. The tables are made by counting sort: entries per block are counted into
// first_entry, turned into starts, and the starts serve as cursors while the entries are written group by group. That
// gives memory order (block, then group) without sorting and without memory of its own.
#include "format/morph_blocks.h"

#include "format/bytes.h"
#include "format/morph_payload.h"

// -- Blocks of sections ----------------------------------------------------------------------------------------------

static bool blocks_refuse(mpak_blocks_fault *fault, const char *rule, uint32_t kind, uint64_t item) {
  if (fault) *fault = (mpak_blocks_fault){rule, kind, item};
  return false;
}

uint64_t mpak_block_count(const mpak_section *sections, uint32_t section_count) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < section_count; ++i) {
    count += ((uint64_t)sections[i].vertex_count + MPAK_BLOCK_VERTICES - 1) / MPAK_BLOCK_VERTICES;
  }
  return count;
}

static uint32_t blocks_of_section(const mpak_section *section, uint32_t section_number, mpak_morph_block *blocks) {
  uint32_t count = 0;
  for (uint32_t done = 0; done < section->vertex_count; done += MPAK_BLOCK_VERTICES) {
    uint32_t left = section->vertex_count - done;
    blocks[count++] = (mpak_morph_block){
        .first_vertex = section->first_vertex + done,
        .first_entry = 0,
        .vertex_count = (uint16_t)(left < MPAK_BLOCK_VERTICES ? left : MPAK_BLOCK_VERTICES),
        .section = (uint16_t)section_number,
    };
  }
  return count;
}

static bool blocks_check_sections(const mpak_blocks_input *input, uint32_t block_count, mpak_blocks_fault *fault) {
  if (input->section_count > 65536)
    return blocks_refuse(fault, "SECT: too many sections in a part", MPAK_KIND_SECT, 65536);
  if (input->vertex_count > MPAK_MAX_VERTICES) {
    return blocks_refuse(fault, "PART: too many vertices", MPAK_KIND_SECT, 0);
  }
  uint64_t end = 0;
  for (uint32_t i = 0; i < input->section_count; ++i) {
    const mpak_section *section = &input->sections[i];
    if (section->first_vertex != end || section->vertex_count == 0) {
      return blocks_refuse(fault, "SECT: sections do not tile the vertices", MPAK_KIND_SECT, i);
    }
    end += section->vertex_count;
    if (end > input->vertex_count) {
      return blocks_refuse(fault, "SECT: sections do not tile the vertices", MPAK_KIND_SECT, i);
    }
  }
  if (end != input->vertex_count) {
    return blocks_refuse(fault, "SECT: sections do not tile the vertices", MPAK_KIND_SECT, input->section_count);
  }
  if (mpak_block_count(input->sections, input->section_count) != block_count) {
    return blocks_refuse(fault, "PART: block_count is not what the sections need", MPAK_KIND_SECT, 0);
  }
  return true;
}

static void blocks_make(const mpak_blocks_input *input, mpak_morph_block *blocks, uint32_t block_count) {
  uint32_t made = 0;
  for (uint32_t i = 0; i < input->section_count; ++i) made += blocks_of_section(&input->sections[i], i, blocks + made);
  blocks[block_count] = (mpak_morph_block){.first_vertex = input->vertex_count};
}

#define BLOCKS_NEAR 4u ///< blocks that are looked at one by one before all others are halved

/// The block that holds a vertex; from is a block at or before it. Most often it is that one or one of the next.
static uint32_t blocks_find(const mpak_morph_block *blocks, uint32_t block_count, uint32_t from, uint32_t vertex) {
  for (uint32_t near = 0; near < BLOCKS_NEAR && from + 1 < block_count; ++near, ++from)
    if (vertex < blocks[from + 1].first_vertex) return from;
  if (vertex < blocks[from + 1].first_vertex) return from;
  uint32_t low = from + 1, high = block_count; // blocks[low].first_vertex <= vertex < blocks[high].first_vertex
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (blocks[middle].first_vertex <= vertex)
      low = middle;
    else
      high = middle;
  }
  return low;
}

// -- Groups and runs -------------------------------------------------------------------------------------------------

/// Sorts groups: shape, then exponents, each exponent moved to 0 … 255.
static uint64_t blocks_group_order(const mpak_morph_group *group) {
  return (uint64_t)group->shape << 24 | (uint64_t)(uint8_t)(group->position_exponent + 128) << 16 |
         (uint64_t)(uint8_t)(group->normal_exponent + 128) << 8 | (uint64_t)(uint8_t)(group->tangent_exponent + 128);
}

bool mpak_blocks_scale_fits(float scale) {
  return scale >= 0x1p-100f && scale <= 0x1p100f; // a NaN does not
}

static bool blocks_scales_fit(const mpak_blocks_input *input, const mpak_morph_group *group) {
  return mpak_blocks_scale_fits(mpak_payload_scale(input->step, group->position_exponent)) &&
         mpak_blocks_scale_fits(mpak_payload_scale(input->normal_step, group->normal_exponent)) &&
         mpak_blocks_scale_fits(mpak_payload_scale(input->normal_step, group->tangent_exponent));
}

static bool blocks_check_group(const mpak_blocks_input *input, uint32_t number, mpak_blocks_fault *fault) {
  const mpak_morph_group *group = &input->groups[number];
  const char *rule = NULL;
  if (group->shape >= input->shape_count)
    rule = "MGRP: shape is past the part's shapes";
  else if (group->run_count == 0)
    rule = "MGRP: a group has no run";
  else if (group->zero != 0)
    rule = "MGRP: padding is not zero";
  else if (input->payload == MPAK_PAYLOAD_P36 &&
           (group->position_exponent != 0 || group->normal_exponent != 0 || group->tangent_exponent != 0)) {
    rule = "MGRP: P36 has no exponents";
  } else if (!blocks_scales_fit(input, group)) {
    rule = "MGRP: a scale is out of range";
  } else if (number > 0 && blocks_group_order(&input->groups[number - 1]) >= blocks_group_order(group)) {
    rule = "MGRP: groups do not ascend";
  }
  return rule ? blocks_refuse(fault, rule, MPAK_KIND_MGRP, number) : true;
}

static bool blocks_check_groups(const mpak_blocks_input *input, mpak_blocks_fault *fault) {
  uint64_t run_sum = 0;
  for (uint32_t i = 0; i < input->group_count; ++i) {
    if (!blocks_check_group(input, i, fault)) return false;
    run_sum += input->groups[i].run_count;
  }
  if (run_sum != input->run_count) {
    return blocks_refuse(fault, "MGRP: run counts do not sum to MRUN's", MPAK_KIND_MGRP, input->group_count);
  }
  return true;
}

/// A walk over the runs of one group.
typedef struct blocks_walk {
  uint64_t end;        ///< one past the last vertex so far
  uint32_t last_block; ///< the block of the last vertex so far
  bool has_block;
} blocks_walk;

/// Counts the entries that a run adds to its blocks; a block that the group touched before is not counted again.
static uint64_t blocks_count_run(mpak_morph_block *blocks, uint32_t block_count, blocks_walk *walk, uint32_t first,
                                 uint32_t length, uint64_t entries_left) {
  uint32_t block = blocks_find(blocks, block_count, walk->last_block, first);
  uint64_t added = 0, end = (uint64_t)first + length;
  if (walk->has_block && block == walk->last_block)
    ++block;
  else if (!walk->has_block)
    walk->has_block = true;
  for (; block < block_count && blocks[block].first_vertex < end && added <= entries_left; ++block) {
    blocks[block].first_entry++;
    ++added;
  }
  *walk = (blocks_walk){end, block - 1, true};
  return added;
}

static const char *blocks_check_run(const mpak_blocks_input *input, const mpak_morph_run *run, bool is_first,
                                    uint64_t end) {
  if (run->length == 0) return "MRUN: a run is empty";
  if (run->skip == 0 && !is_first) return "MRUN: two runs touch";
  if (end + run->skip + run->length > input->vertex_count) return "MRUN: a run ends past the vertices";
  return NULL;
}

/// Counts one group; run is the number of its first run.
static bool blocks_count_group(const mpak_blocks_input *input, mpak_morph_block *blocks, uint32_t block_count,
                               uint32_t group, uint32_t run, uint64_t *entries, uint64_t *deltas,
                               mpak_blocks_fault *fault) {
  blocks_walk walk = {0, 0, false};
  for (uint32_t i = 0; i < input->groups[group].run_count; ++i) {
    const mpak_morph_run *at = &input->runs[run + i];
    const char *rule = blocks_check_run(input, at, i == 0, walk.end);
    if (rule) return blocks_refuse(fault, rule, MPAK_KIND_MRUN, run + i);
    uint32_t first = (uint32_t)(walk.end + at->skip);
    *deltas += at->length;
    *entries += blocks_count_run(blocks, block_count, &walk, first, at->length, input->max_entry_count - *entries);
    if (*entries > input->max_entry_count)
      return blocks_refuse(fault, "MRUN: more entries than stated", MPAK_KIND_MRUN, run + i);
    if (*deltas > input->max_delta_count)
      return blocks_refuse(fault, "MRUN: more deltas than stated", MPAK_KIND_MRUN, run + i);
  }
  return true;
}

/// Entry counts become entry starts.
static void blocks_counts_to_starts(mpak_morph_block *blocks, uint32_t block_count) {
  uint32_t start = 0;
  for (uint32_t i = 0; i < block_count; ++i) {
    uint32_t count = blocks[i].first_entry;
    blocks[i].first_entry = start;
    start += count;
  }
  blocks[block_count].first_entry = start;
}

bool mpak_blocks_count(const mpak_blocks_input *input, mpak_morph_block *blocks, uint32_t block_count,
                       mpak_blocks_counts *counts, mpak_blocks_fault *fault) {
  *counts = (mpak_blocks_counts){0, 0, 0};
  if (!blocks_check_sections(input, block_count, fault) || !blocks_check_groups(input, fault)) return false;
  blocks_make(input, blocks, block_count);
  uint64_t entries = 0, deltas = 0;
  uint32_t run = 0;
  for (uint32_t i = 0; i < input->group_count; ++i) {
    if (!blocks_count_group(input, blocks, block_count, i, run, &entries, &deltas, fault)) return false;
    run += input->groups[i].run_count;
  }
  if (deltas > UINT32_MAX || deltas * input->lane_words > UINT32_MAX) {
    return blocks_refuse(fault, "MRUN: the payload has 2^32 words or more", MPAK_KIND_MRUN, input->run_count);
  }
  blocks_counts_to_starts(blocks, block_count); // entries <= deltas < 2^32
  *counts = (mpak_blocks_counts){(uint32_t)entries, (uint32_t)deltas, deltas * input->lane_words};
  return true;
}

// -- Entries ---------------------------------------------------------------------------------------------------------

/// count bits from bit first on, inside 64.
static uint64_t blocks_lane_mask(uint32_t first, uint32_t count) {
  return (count >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1) << first;
}

/// Sets the lanes [first, end) of a block in an entry.
static void blocks_add_lanes(const mpak_morph_block *block, uint64_t first, uint64_t end, mpak_morph_entry *entry) {
  uint64_t block_end = (uint64_t)block->first_vertex + block->vertex_count;
  uint64_t from = first > block->first_vertex ? first : block->first_vertex, to = end < block_end ? end : block_end;
  uint64_t mask = blocks_lane_mask((uint32_t)(from - block->first_vertex), (uint32_t)(to - from));
  entry->lanes_low |= (uint32_t)mask;
  entry->lanes_high |= (uint32_t)(mask >> 32);
}

/// An entry of a group, still without lanes.
static mpak_morph_entry blocks_empty_entry(const mpak_blocks_input *input, const mpak_morph_group *group) {
  return (mpak_morph_entry){.shape = group->shape,
                            .position_scale = mpak_payload_scale(input->step, group->position_exponent),
                            .normal_scale = mpak_payload_scale(input->normal_step, group->normal_exponent),
                            .tangent_scale = mpak_payload_scale(input->normal_step, group->tangent_exponent)};
}

static void blocks_fill_run(const mpak_morph_entry *empty, mpak_morph_block *blocks, uint32_t block_count,
                            blocks_walk *walk, const mpak_morph_run *run, mpak_morph_entry *entries) {
  uint64_t first = walk->end + run->skip, end = first + run->length;
  uint32_t block = blocks_find(blocks, block_count, walk->last_block, (uint32_t)first);
  if (walk->has_block && block == walk->last_block) {
    blocks_add_lanes(&blocks[block], first, end, &entries[blocks[block].first_entry - 1]);
    ++block;
  }
  for (; block < block_count && blocks[block].first_vertex < end; ++block) {
    mpak_morph_entry *entry = &entries[blocks[block].first_entry++];
    *entry = *empty;
    blocks_add_lanes(&blocks[block], first, end, entry);
  }
  *walk = (blocks_walk){end, block - 1, true};
}

/// After the fill first_entry of block b is the start of block b + 1; this puts the starts back.
static void blocks_restore_starts(mpak_morph_block *blocks, uint32_t block_count) {
  for (uint32_t i = block_count; i > 0; --i) blocks[i].first_entry = blocks[i - 1].first_entry;
  blocks[0].first_entry = 0;
}

static void blocks_set_offsets(mpak_morph_entry *entries, uint32_t entry_count, uint32_t lane_words) {
  uint32_t offset = 0;
  for (uint32_t i = 0; i < entry_count; ++i) {
    entries[i].payload_offset = offset;
    offset += mpak_entry_lanes(&entries[i]) * lane_words;
  }
}

void mpak_blocks_fill(const mpak_blocks_input *input, mpak_morph_block *blocks, uint32_t block_count,
                      mpak_morph_entry *entries) {
  uint32_t entry_count = blocks[block_count].first_entry;
  const mpak_morph_run *run = input->runs;
  for (uint32_t i = 0; i < input->group_count; ++i) {
    blocks_walk walk = {0, 0, false};
    const mpak_morph_entry empty = blocks_empty_entry(input, &input->groups[i]);
    for (uint32_t r = 0; r < input->groups[i].run_count; ++r)
      blocks_fill_run(&empty, blocks, block_count, &walk, run++, entries);
  }
  blocks_restore_starts(blocks, block_count);
  blocks_set_offsets(entries, entry_count, input->lane_words);
}

uint32_t mpak_blocks_find_overlap(const mpak_morph_block *blocks, uint32_t block_count,
                                  const mpak_morph_entry *entries) {
  for (uint32_t b = 0; b < block_count; ++b) {
    uint64_t moved = 0; // lanes of the shape so far
    for (uint32_t e = blocks[b].first_entry; e < blocks[b + 1].first_entry; ++e) {
      uint64_t lanes = (uint64_t)entries[e].lanes_high << 32 | entries[e].lanes_low;
      if (e == blocks[b].first_entry || entries[e].shape != entries[e - 1].shape) moved = 0;
      if (moved & lanes) return e;
      moved |= lanes;
    }
  }
  return blocks[block_count].first_entry;
}

// -- Frames ----------------------------------------------------------------------------------------------------------

bool mpak_morph_frame_next(const mpak_morph_entry *entries, uint32_t entry_count, uint32_t lane_words,
                           mpak_morph_frame *frame) {
  if (frame->entry_end >= entry_count) return false;
  mpak_morph_frame next = {.first_entry = frame->entry_end, .first_word = frame->first_word + frame->word_count};
  uint32_t entry = next.first_entry;
  for (; entry < entry_count; ++entry) {
    uint32_t deltas = next.delta_count + mpak_entry_lanes(&entries[entry]);
    if (entry > next.first_entry && deltas * lane_words * 4 > MPAK_MORPH_FRAME_BYTES) break;
    next.delta_count = deltas;
  }
  next.entry_end = entry;
  next.word_count = next.delta_count * lane_words;
  *frame = next;
  return true;
}

uint32_t mpak_morph_frame_count(const mpak_morph_entry *entries, uint32_t entry_count, uint32_t lane_words) {
  mpak_morph_frame frame = {0};
  uint32_t count = 0;
  while (mpak_morph_frame_next(entries, entry_count, lane_words, &frame)) ++count;
  return count;
}

void mpak_morph_frame_cursors(const mpak_morph_entry *entries, const mpak_morph_frame *frame, uint32_t shape_count,
                              uint32_t *cursors) {
  memset(cursors, 0, ((size_t)shape_count + 1) * sizeof *cursors);
  for (uint32_t i = frame->first_entry; i < frame->entry_end; ++i) {
    cursors[entries[i].shape + 1] += mpak_entry_lanes(&entries[i]);
  }
  for (uint32_t s = 0; s < shape_count; ++s) cursors[s + 1] += cursors[s];
}
