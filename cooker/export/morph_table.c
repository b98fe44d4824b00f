#include "cooker/export/morph_table.h"

#include <stdlib.h>
#include <string.h>

#include "format/morph_payload.h"

static morph_delta *table_add(morph_table *table, uint32_t shape, uint32_t vertex) {
  morph_delta *delta = &table->deltas[table->starts[shape] + table->counts[shape]++];
  delta->vertex = vertex;
  return delta;
}

static void table_collect_rows(const mpak_morph *morph, morph_table *table) {
  for (uint32_t v = 0; v < morph->vertex_count; v++) {
    for (uint32_t d = morph->vertex_offsets[v]; d < morph->vertex_offsets[v + 1]; d++) {
      const mpak_csr_delta *row = &morph->deltas[d];
      morph_delta *delta = table_add(table, row->metadata[0], v);
      memcpy(delta->delta, row->position, 3 * sizeof(float));
      memcpy(delta->delta + 3, row->normal, 3 * sizeof(float));
      memcpy(delta->delta + 6, row->tangent, 3 * sizeof(float));
    }
  }
}

static void table_collect_entry(const mpak_morph *morph, const mpak_morph_block *block, const mpak_morph_entry *entry,
                                morph_table *table) {
  uint64_t lanes = entry->lanes_low | (uint64_t)entry->lanes_high << 32;
  const uint32_t lane_count = (uint32_t)__builtin_popcountll(lanes);
  for (uint32_t rank = 0; lanes != 0; rank++, lanes &= lanes - 1) {
    const uint32_t vertex = block->first_vertex + (uint32_t)__builtin_ctzll(lanes);
    mpak_lane_delta(morph->payload, morph->components, entry, morph->payload_words + entry->payload_offset, lane_count,
                    rank, table_add(table, entry->shape, vertex)->delta);
  }
}

static int table_compare(const void *left, const void *right) {
  const morph_delta *a = left, *b = right;
  return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

morph_table morph_table_make(cook_job *job, const mpak_pack *pack, uint32_t number, const mpak_part_data *data) {
  const mpak_part *part = &pack->parts[number];
  const mpak_morph *morph = &data->morph;
  morph_table table = {.starts = JOB_ARRAY(job, uint64_t, (uint64_t)part->shape_count + 1)};
  table.counts = JOB_ARRAY(job, uint64_t, part->shape_count);
  table.deltas = JOB_ARRAY(job, morph_delta, part->delta_count);
  for (uint32_t s = 0; s < part->shape_count; s++)
    table.starts[s + 1] = table.starts[s] + pack->shapes[part->first_shape + s].delta_count;
  if (morph->payload == MPAK_PAYLOAD_CSR64) table_collect_rows(morph, &table);
  for (uint32_t b = 0; mpak_payload_is_blk64(morph->payload) && b < morph->block_count; b++)
    for (uint32_t e = morph->blocks[b].first_entry; e < morph->blocks[b + 1].first_entry; e++)
      table_collect_entry(morph, &morph->blocks[b], &morph->entries[e], &table);
  // The entries of one block may interleave.
  for (uint32_t s = 0; s < part->shape_count; s++)
    qsort(table.deltas + table.starts[s], (size_t)table.counts[s], sizeof *table.deltas, table_compare);
  return table;
}
