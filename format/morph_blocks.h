/// morph_blocks.h: from "who moves" (sections, groups, runs) to the block and entry tables of a blk64 part, and the
/// rule that cuts its payload into frames. Cooker and runtime share it, so both always mean the same layout (SPEC.md).
///
/// The input may be hostile: every number is checked before it is used, all sums are made in 64 bits, work is bounded
/// by the stated counts, and nothing is allocated. Two calls do the job:
///
///     mpak_blocks_count  checks everything, fills the block table, and says how many entries and deltas there are
///     mpak_blocks_fill   makes the entries of a table that mpak_blocks_count accepted
///
/// Between them the caller compares the counts with what the part promises and finds memory for the entries.
#ifndef MPAK_MORPH_BLOCKS_H
#define MPAK_MORPH_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "format/mpak_format.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MPAK_BLOCK_VERTICES    64u     ///< most vertices of a block
#define MPAK_MORPH_FRAME_BYTES 524288u ///< most memory bytes of a frame of MPAY

/// Who moves. Arrays are by part; sections tile [0, vertex_count).
typedef struct mpak_blocks_input {
  const mpak_section *sections; ///< first_vertex and vertex_count are read
  uint32_t section_count;
  uint32_t vertex_count;
  uint32_t shape_count;
  uint32_t payload;    ///< mpak_payload of blk64
  uint32_t lane_words; ///< of a lane in memory (mpak_payload_words)
  float step;          ///< of positions; P36: 1
  float normal_step;   ///< of normals and tangents; P36: 1
  const mpak_morph_group *groups;
  uint32_t group_count;
  const mpak_morph_run *runs;
  uint32_t run_count;
  uint64_t max_entry_count; ///< counting stops with a fault above it (the part's entry_count)
  uint64_t max_delta_count; ///< the same for deltas
} mpak_blocks_input;

/// Which rule a refused table breaks; static text and the record's number.
typedef struct mpak_blocks_fault {
  const char *rule;
  uint32_t kind; ///< MPAK_KIND_SECT, _MGRP or _MRUN
  uint64_t item; ///< number of the section, group or run
} mpak_blocks_fault;

/// What a table holds.
typedef struct mpak_blocks_counts {
  uint32_t entry_count;
  uint32_t delta_count;
  uint64_t payload_word_count; ///< delta_count * lane_words; at most 2^32 - 1
} mpak_blocks_counts;

/// Blocks that sections need: the sum of ceil(vertex_count / 64).
uint64_t mpak_block_count(const mpak_section *sections, uint32_t section_count);

/// Checks sections, groups and runs, and fills the block table.
///
/// blocks       block_count + 1 records; complete afterwards, the last is {vertex_count, entry_count, 0, 0}
/// block_count  must be mpak_block_count of the sections, else false
/// counts       filled on success, zeroed on failure
/// fault        or NULL; filled on failure
///
/// Rules: sections tile [0, vertex_count), at most 65,536 of them, none empty. Groups: shape < shape_count, at least
/// one run, strictly ascending by (shape, exponents), pad 0, run counts sum to run_count; exponents 0 (P36), or scales
/// (step * 2^exponent) of 2^-100 … 2^100. Runs: length >= 1, skip >= 1 except a group's first, the end inside the
/// vertices. Totals within the maxima and below 2^32.
///
/// Returns false when a rule is broken. Time: groups + runs * log(blocks) + entries.
bool mpak_blocks_count(const mpak_blocks_input *input, mpak_morph_block *blocks, uint32_t block_count,
                       mpak_blocks_counts *counts, mpak_blocks_fault *fault);

/// Makes the entries in memory order: block, then group. The input and blocks must be those of a mpak_blocks_count that
/// returned true (the blocks are used as cursors and are as before afterwards); entries: that call's entry_count.
void mpak_blocks_fill(const mpak_blocks_input *input, mpak_morph_block *blocks, uint32_t block_count,
                      mpak_morph_entry *entries);

/// Do two groups of one shape move the same vertex? Returns the number of the first such entry; entry_count when there
/// is none.
uint32_t mpak_blocks_find_overlap(const mpak_morph_block *blocks, uint32_t block_count,
                                  const mpak_morph_entry *entries);

/// Is a step or a scale in 2^-100 … 2^100?
bool mpak_blocks_scale_fits(float scale);

/// Vertices (lanes) of an entry: 1 … 64.
static inline uint32_t mpak_entry_lanes(const mpak_morph_entry *entry) {
  // Summed by hand: without an option for the processor's instruction, the builtin is a call.
  uint64_t bits = (uint64_t)entry->lanes_high << 32 | entry->lanes_low;
  bits -= bits >> 1 & 0x5555555555555555u;
  bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
  bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
  return (uint32_t)(bits * 0x0101010101010101u >> 56);
}

// -- Frames of MPAY --------------------------------------------------------------------------------------------------

/// A run of entries that is compressed alone.
typedef struct mpak_morph_frame {
  uint32_t first_entry;
  uint32_t entry_end;   ///< one past the last
  uint32_t delta_count; ///< lanes of its entries
  uint32_t word_count;  ///< delta_count * lane_words; 4 bytes each, at most MPAK_MORPH_FRAME_BYTES
  uint64_t first_word;  ///< of the payload, memory order
} mpak_morph_frame;

/// Steps to the next frame; start with a zeroed one. Returns false after the last (the frame is then left alone).
bool mpak_morph_frame_next(const mpak_morph_entry *entries, uint32_t entry_count, uint32_t lane_words,
                           mpak_morph_frame *frame);

/// How many frames a payload has.
uint32_t mpak_morph_frame_count(const mpak_morph_entry *entries, uint32_t entry_count, uint32_t lane_words);

/// Where the lanes of each shape start in the streams of a frame, whose entries are sorted by shape (stable):
/// cursors[s], in words from the start of a stream. Walk the entries in memory order; an entry's lanes stand at
/// cursors[shape], and then cursors[shape] += lanes.
///
/// cursors  shape_count + 1 numbers
void mpak_morph_frame_cursors(const mpak_morph_entry *entries, const mpak_morph_frame *frame, uint32_t shape_count,
                              uint32_t *cursors);

#ifdef __cplusplus
}
#endif
#endif
