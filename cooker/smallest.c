// smallest.c: see smallest.h.
#include "cooker/smallest.h"

#include <string.h>

#include "cooker/build/build.h"
#include "cooker/pack/pack.h"

/// A pack, its scene, and what its parts take.
typedef struct smallest_trial {
  cook_product product;
  uint32_t part_count;
  uint64_t *part_bytes;
} smallest_trial;

static void smallest_sum_parts(cook_job *job, smallest_trial *trial) {
  mpak_header header;
  memcpy(&header, trial->product.bytes, sizeof header);
  trial->part_count = (uint32_t)trial->product.stats.part_count;
  trial->part_bytes = JOB_ARRAY(job, uint64_t, trial->part_count);
  const mpak_chunk_entry *chunks = (const mpak_chunk_entry *)(trial->product.bytes + header.table_offset);
  for (uint32_t c = 0; c < header.chunk_count; c++)
    if (chunks[c].owner < trial->part_count) trial->part_bytes[chunks[c].owner] += chunks[c].stored_bytes;
}

static smallest_trial smallest_pack(cook_job *job, cook_scene *scene, const cook_options *options,
                                    const cook_stats *stats) {
  smallest_trial trial = {.product = {.scene = scene, .stats = *stats}};
  pack_scene(job, scene, options, &trial.product);
  smallest_sum_parts(job, &trial);
  return trial;
}

/// A copy in which parts have their vertices in source order: those that are chosen, or all. Parts are numbered as the
/// packer does: primitives with vertices, in order.
static cook_scene *smallest_restore(cook_job *job, const cook_scene *scene, const bool *is_chosen) {
  cook_scene *copy = build_copy(job, scene);
  uint32_t part = 0;
  for (uint32_t m = 0; m < copy->mesh_count; m++) {
    for (uint32_t p = 0; p < copy->meshes[m].primitive_count; p++) {
      cook_primitive *primitive = &copy->meshes[m].primitives[p];
      if (primitive->vertex_count == 0) continue;
      if (is_chosen == NULL || is_chosen[part]) build_restore_vertex_order(job, primitive);
      part++;
    }
  }
  return copy;
}

void cook_pack_smallest(cook_job *job, cook_scene *scene, const cook_options *options, cook_product *product) {
  const cook_stats stats = product->stats;
  const cook_issue_mark issues = job_issue_mark(job);
  smallest_trial best = smallest_pack(job, scene, options, &stats);
  if (options->vertex_order == COOK_ORDER_STRIPS && best.part_count != 0) {
    job_forget(job, issues);
    const smallest_trial other = smallest_pack(job, smallest_restore(job, scene, NULL), options, &stats);
    bool *is_chosen = JOB_ARRAY(job, bool, best.part_count);
    uint32_t chosen = 0;
    for (uint32_t p = 0; p < best.part_count; p++) chosen += is_chosen[p] = other.part_bytes[p] < best.part_bytes[p];
    job_forget(job, issues);
    if (chosen == best.part_count) best = other;
    if (chosen != 0 && chosen != best.part_count)
      best = smallest_pack(job, smallest_restore(job, scene, is_chosen), options, &stats);
  }
  *product = best.product;
}
