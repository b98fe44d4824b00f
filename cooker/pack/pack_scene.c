// pack_scene.c: a built scene becomes a pack: the recipe of the packer.
#include "cooker/pack/measure.h"
#include "cooker/pack/tables.h"

uint32_t tables_count(cook_job *job, uint64_t count, uint64_t limit, const char *what) {
  if (count <= limit) return (uint32_t)count;
  cook_where where = COOK_WHERE;
  where.value = job_format(job, "%llu %s", (unsigned long long)count, what);
  where.limit = job_format(job, "%llu", (unsigned long long)limit);
  job_fail(job, MPAK_C052, where);
}

#define SCENE_STREAMS 10u

/// Streams of a part whose errors are measured, as bits of mpak_error_stream.
static uint32_t scene_measured_streams(const mpak_part *part, const cook_primitive *primitive) {
  uint32_t streams = 1u << MPAK_STREAM_POSITION | 1u << MPAK_STREAM_NORMAL;
  if (part->flags & MPAK_PART_TANGENTS) streams |= 1u << MPAK_STREAM_TANGENT;
  for (int slot = 0; slot < 4; ++slot) {
    if (primitive->texcoords[slot]) streams |= 1u << MPAK_STREAM_TEXCOORD;
  }
  if (part->influence_count) streams |= 1u << MPAK_STREAM_WEIGHT;
  if (part->delta_count) streams |= 1u << MPAK_STREAM_DELTA_POSITION;
  if (part->delta_count && part->flags & MPAK_PART_MORPH_NORMALS) streams |= 1u << MPAK_STREAM_DELTA_NORMAL;
  if (part->delta_count && part->flags & MPAK_PART_MORPH_TANGENTS) streams |= 1u << MPAK_STREAM_DELTA_TANGENT;
  return streams;
}

void tables_make_errors(pack_tables *tables) {
  tables->errors = JOB_ARRAY(tables->job, mpak_measured_error, (uint64_t)tables->part_count * SCENE_STREAMS);
  for (uint32_t p = 0; p < tables->part_count; ++p) {
    uint32_t streams = scene_measured_streams(&tables->parts[p], tables->part_sources[p].primitive);
    if (tables->options->quality != COOK_QUALITY_LOSSLESS) {
      streams |= 1u << MPAK_STREAM_POSED_POSITION | 1u << MPAK_STREAM_POSED_NORMAL; // cooker/measure fills them
    }
    for (uint32_t stream = 0; stream < SCENE_STREAMS; ++stream) {
      if (!(streams >> stream & 1)) continue;
      tables->errors[tables->error_count++] = (mpak_measured_error){.part = p, .stream = stream};
    }
  }
}

static void scene_count(const pack_tables *tables, cook_stats *stats) {
  stats->mesh_count = tables->mesh_count;
  stats->part_count = tables->part_count;
  stats->target_count = tables->control_count;
  stats->joint_count = tables->joint_count;
  stats->clip_count = tables->clip_count;
  for (uint32_t p = 0; p < tables->part_count; ++p) {
    stats->vertex_count += tables->parts[p].vertex_count;
    stats->triangle_count += tables->parts[p].index_count / 3;
    stats->delta_count += tables->parts[p].delta_count;
  }
}

void tables_make_all(pack_tables *tables) {
  tables_make_options(tables);
  tables_make_names(tables);
  tables_make_metas(tables);
  tables_make_nodes(tables);
  tables_make_materials(tables);
  tables_build_parts(tables);
  tables_make_meshes(tables);
  tables_make_required(tables);
  tables_make_clips(tables);
  tables_make_errors(tables);
  tables_make_quantisations(tables);
  tables_make_chunks(tables);
}

void pack_scene(cook_job *job, cook_scene *scene, const cook_options *options, cook_product *product) {
  pack_tables *tables = JOB_ARRAY(job, pack_tables, 1);
  *tables = (pack_tables){.job = job, .scene = scene, .options = options};
  tables_make_all(tables);
  product->bytes = pack_write(job, tables->chunks, tables->chunk_count, options->compress, options->thread_count,
                              tables->content_id, &product->byte_count);
  scene_count(tables, &product->stats);
  product->stats.largest_error_m = (double)pack_measure(tables, product->bytes, product->byte_count);
}
