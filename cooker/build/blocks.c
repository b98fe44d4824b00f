// blocks.c: the blk64 form of a primitive's shapes, P36 (SPEC.md): runs of moved vertices per shape, and the payload of
// every (block, shape) in memory order. Read straight from the scene's dense deltas; nothing in between is made.
#include "cooker/build/build.h"
#include "format/bytes.h"
#include "format/morph_blocks.h"

// -- Groups and runs -------------------------------------------------------------------------------------------------

/// Runs of set bits of one shape. runs NULL: only counts.
static uint32_t blocks_find_runs(const uint64_t *changed, uint32_t changed_words, mpak_morph_run *runs) {
  uint32_t count = 0, end = 0; // end: one past the last run's last vertex
  bool is_open = false;        // does the last run end at this word's first vertex?
  for (uint32_t w = 0; w < changed_words; ++w) {
    uint64_t bits = changed[w];
    if (bits == 0) is_open = false;
    for (uint32_t at = 0; bits != 0;) {
      uint32_t gap = (uint32_t)__builtin_ctzll(bits);
      bits >>= gap;
      uint32_t length = bits == ~UINT64_C(0) ? 64 : (uint32_t)__builtin_ctzll(~bits);
      if (!(is_open && gap == 0)) ++count;
      if (runs && is_open && gap == 0)
        runs[count - 1].length += length;
      else if (runs)
        runs[count - 1] = (mpak_morph_run){w * 64 + at + gap - end, length};
      at += gap + length;
      end = w * 64 + at;
      is_open = at == 64;
      bits = length == 64 ? 0 : bits >> length;
    }
  }
  return count;
}

/// One group for each shape that changes anything; exponents are 0.
static void blocks_make_groups(cook_job *job, const cook_gpu_morph *morph, cook_blocks *blocks) {
  blocks->groups = JOB_ARRAY(job, mpak_morph_group, morph->shape_count);
  uint64_t run_count = 0;
  for (uint32_t s = 0; s < morph->shape_count; ++s) {
    if (morph->shape_delta_counts[s] == 0) continue;
    const uint64_t *changed = morph->changed + (size_t)s * morph->changed_words;
    uint32_t count = blocks_find_runs(changed, morph->changed_words, NULL);
    blocks->groups[blocks->group_count++] = (mpak_morph_group){.shape = s, .run_count = count};
    run_count += count;
  }
  blocks->run_count = (uint32_t)run_count; // at most delta_count, which is below 2^32
  blocks->runs = JOB_ARRAY(job, mpak_morph_run, run_count);
  mpak_morph_run *runs = blocks->runs;
  for (uint32_t g = 0; g < blocks->group_count; ++g) {
    const uint64_t *changed = morph->changed + (size_t)blocks->groups[g].shape * morph->changed_words;
    runs += blocks_find_runs(changed, morph->changed_words, runs);
  }
}

// -- Blocks and entries ----------------------------------------------------------------------------------------------

static void blocks_fail(cook_job *job, const cook_gpu_morph *morph, uint32_t components, const char *rule) {
  cook_where where = COOK_WHERE;
  bool is_too_large = (uint64_t)morph->delta_count * components > UINT32_MAX;
  where.value = is_too_large ? job_format(job, "%u", morph->delta_count) : rule;
  where.limit = job_format(job, "%u", UINT32_MAX / components);
  job_fail(job, is_too_large ? MPAK_C050 : MPAK_C051, where);
}

static void blocks_make_entries(cook_job *job, const cook_gpu_morph *morph, const mpak_section *sections,
                                uint32_t section_count, cook_blocks *blocks) {
  mpak_blocks_input input = {
      .sections = sections,
      .section_count = section_count,
      .vertex_count = morph->vertex_count,
      .shape_count = morph->shape_count,
      .components = blocks->components,
      .step = 1,
      .normal_step = 1,
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
    blocks_fail(job, morph, blocks->components, fault.rule);
  }
  blocks->entry_count = counts.entry_count;
  blocks->delta_count = counts.delta_count;
  blocks->payload_word_count = counts.payload_word_count;
  blocks->entries = JOB_ARRAY(job, mpak_morph_entry, counts.entry_count);
  mpak_blocks_fill(&input, blocks->blocks, blocks->block_count, blocks->entries);
}

// -- Payload ---------------------------------------------------------------------------------------------------------

/// The planes of one stream (position, normal or tangent deltas) of an entry: x of all lanes, then y, then z.
static void blocks_write_stream(const float (*deltas)[3], const uint32_t *vertices, uint32_t lane_count,
                                uint32_t *words) {
  if (deltas == NULL) return; // the payload is zero already
  for (uint32_t i = 0; i < lane_count; ++i) {
    for (uint32_t axis = 0; axis < 3; ++axis) {
      words[axis * lane_count + i] = bytes_bits_of_float(deltas[vertices[i]][axis] + 0.0f); // +0 of -0
    }
  }
}

static uint32_t blocks_list_lanes(const mpak_morph_entry *entry, uint32_t first_vertex, uint32_t vertices[64]) {
  uint32_t count = 0;
  for (uint64_t bits = (uint64_t)entry->lanes_high << 32 | entry->lanes_low; bits != 0; bits &= bits - 1) {
    vertices[count++] = first_vertex + (uint32_t)__builtin_ctzll(bits);
  }
  return count;
}

static void blocks_write_entry(const cook_primitive *primitive, uint32_t components, uint32_t first_vertex,
                               const mpak_morph_entry *entry, uint32_t *payload_words) {
  uint32_t vertices[64], count = blocks_list_lanes(entry, first_vertex, vertices);
  const cook_target *target = &primitive->targets[entry->shape];
  uint32_t *words = payload_words + entry->payload_offset;
  blocks_write_stream((const float(*)[3])target->position_deltas, vertices, count, words);
  if (components >= 6)
    blocks_write_stream((const float(*)[3])target->normal_deltas, vertices, count, words + 3 * count);
  if (components >= 9)
    blocks_write_stream((const float(*)[3])target->tangent_deltas, vertices, count, words + 6 * count);
}

void build_blocks(cook_job *job, const cook_primitive *primitive, const cook_gpu_morph *morph,
                  const mpak_section *sections, uint32_t section_count, cook_blocks *blocks) {
  *blocks = (cook_blocks){.shape_count = morph->shape_count};
  blocks->components = morph->changes_tangents ? 9 : morph->changes_normals ? 6 : 3;
  blocks_make_groups(job, morph, blocks);
  blocks_make_entries(job, morph, sections, section_count, blocks);
  blocks->payload_words = JOB_ARRAY(job, uint32_t, blocks->payload_word_count);
  for (uint32_t b = 0; b < blocks->block_count; ++b) {
    for (uint32_t e = blocks->blocks[b].first_entry; e < blocks->blocks[b + 1].first_entry; ++e) {
      blocks_write_entry(primitive, blocks->components, blocks->blocks[b].first_vertex, &blocks->entries[e],
                         blocks->payload_words);
    }
  }
}
