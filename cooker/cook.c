// cook.c: the recipe. Each line is a stage; each stage lives in the file of its name.
#include "cooker/cook.h"

#include <time.h>

#include "cooker/build/build.h"
#include "cooker/check/check.h"
#include "cooker/clips.h"
#include "cooker/import/import.h"
#include "cooker/lods.h"
#include "cooker/measure/posed.h"
#include "cooker/pack/pack.h"
#include "cooker/pack/wrap.h"
#include "cooker/profile.h"
#include "cooker/quality.h"
#include "cooker/refine.h"
#include "cooker/smallest.h"

static double clock_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/// Bytes of a primitive as a dense engine would keep it: base vertices, indices, and 36 bytes a vertex and target.
static uint64_t cook_dense_bytes(const cook_primitive *primitive) {
  const uint64_t per_vertex = 48 + 36 * (uint64_t)primitive->target_count + 6 * (uint64_t)primitive->influence_count;
  return per_vertex * primitive->vertex_count + 4 * (uint64_t)primitive->index_count;
}

static void cook_count_source(const cook_scene *scene, cook_stats *stats) {
  for (uint32_t m = 0; m < scene->mesh_count; m++) {
    for (uint32_t p = 0; p < scene->meshes[m].primitive_count; p++) {
      const cook_primitive *primitive = &scene->meshes[m].primitives[p];
      stats->source_vertex_count += primitive->source_vertex_count;
      stats->dense_bytes += cook_dense_bytes(primitive);
    }
  }
}

/// Everything that needs the source's own floats.
static void cook_build(cook_job *job, cook_scene *scene, const cook_options *options) {
  build_lods_authored(job, scene, options);
  build_nodes(job, scene);
  build_influences(job, scene, options);
  build_unused_joints(job, scene, options);
  build_targets(job, scene, options);
  build_normals(job, scene, options);
  build_tangents(job, scene, options);
  build_morph_normals(job, scene, options);
  build_ranges(job, scene, options);
  cook_make_lods(job, scene, options);
  job_stop_on_errors(job);
}

static void cook_pack(cook_job *job, const cook_options *options, cook_product *product) {
  if (options->compress == COOK_COMPRESS_SIZE)
    cook_pack_smallest(job, product->scene, options, product);
  else
    pack_scene(job, product->scene, options, product);
}

/// From there to the pack.
static void cook_finish(cook_job *job, cook_scene *scene, const cook_options *options, cook_product *product) {
  build_weld(job, scene, options);
  build_split(job, scene, options);
  build_order(job, scene, options);
  job_stop_on_errors(job);
  build_clip_blocks(job, scene, options);
  product->scene = scene;
  cook_pack(job, options, product);
}

// -- Quality ----------------------------------------------------------------------------------------------------------

static void cook_note_posed(const measure_posed *posed, uint32_t fineness, cook_stats *stats) {
  stats->is_posed = true;
  stats->posed_m = posed->largest_m;
  stats->posed_share = posed->largest_share;
  stats->posed_rms_m = posed->rms_m;
  stats->posed_normal_rad = posed->largest_normal_rad;
  stats->posed_normal_rms_rad = posed->rms_normal_rad;
  stats->pose_count = posed->pose_count;
  stats->fineness = fineness;
}

/// Floats missed the bound too: what was measured cannot be right.
_Noreturn static void cook_fail_bounds(cook_job *job, const measure_posed *posed) {
  cook_where where = COOK_WHERE;
  where.value = job_format(job, "floats are off by %.3g of the size", posed->largest_share);
  job_fail(job, MPAK_C051, where);
}

/// Quantises, packs and measures a copy of the scene.
static void cook_attempt(cook_job *job, const cook_scene *scene, const measure_reference *reference,
                         const cook_options *options, cook_product *product, measure_posed *posed) {
  cook_scene *copy = build_copy(job, scene);
  build_quantise(job, copy, options);
  cook_finish(job, copy, options, product);
  measure_posed_errors(job, reference, copy, options, product, posed);
}

/// Cooks with finer and finer steps until the promise of --quality is kept. What takes long to compress is measured
/// before.
static void cook_within_bounds(cook_job *job, cook_scene *scene, const cook_options *options, cook_product *product) {
  const cook_stats stats = product->stats;
  const cook_issue_mark issues = job_issue_mark(job);
  const measure_reference *reference = measure_reference_make(job, scene, options);
  refine_prepare(job, scene);
  const cook_mark mark = job_mark(job);
  cook_options trial = *options;
  measure_posed posed;
  if (options->compress == COOK_COMPRESS_SIZE) trial.compress = COOK_COMPRESS_LOAD;
  for (uint32_t attempt = 0;; attempt++) {
    cook_attempt(job, scene, reference, &trial, product, &posed);
    if (!refine_missed(scene, &posed)) break;
    if (attempt == 2 * COOK_FINENESS_MOST) cook_fail_bounds(job, &posed);
    job_forget(job, issues);
    job_release(job, mark);
    product->stats = stats;
  }
  if (trial.compress != options->compress) {
    product->stats = stats;
    cook_pack(job, options, product);
  }
  pack_store_errors(product->bytes, posed.records, posed.record_count);
  refine_report_floats(job, scene, options);
  cook_note_posed(&posed, refine_most(scene), &product->stats);
}

static void cook_make_file(cook_job *job, const cook_options *options, cook_product *product) {
  product->file_bytes = product->byte_count;
  product->file = product->bytes;
  if (options->compress == COOK_COMPRESS_SIZE) product->file = pack_wrap(job, product->bytes, &product->file_bytes);
}

static void cook_checked_scene(cook_job *job, cook_scene *scene, const cook_options *options, cook_product *product) {
  const double start_s = clock_seconds();
  cook_count_source(scene, &product->stats);
  cook_build(job, scene, options);
  const double built_s = clock_seconds();
  if (options->quality == COOK_QUALITY_LOSSLESS)
    cook_finish(job, scene, options, product);
  else
    cook_within_bounds(job, scene, options, product);
  cook_make_file(job, options, product);
  product->stats.build_s += built_s - start_s;
  product->stats.pack_s = clock_seconds() - built_s;
  product->stats.pack_bytes = product->file_bytes;
  job_stop_on_errors(job);
}

static void cook_check(cook_job *job, cook_scene *scene, cook_stats *stats) {
  const double start_s = clock_seconds();
  check_scene(job, scene);
  job_stop_on_errors(job);
  stats->build_s = clock_seconds() - start_s;
}

void cook_scene_to_pack(cook_job *job, cook_scene *scene, const cook_options *options, cook_product *product) {
  cook_check(job, scene, &product->stats);
  cook_checked_scene(job, scene, options, product);
}

static cook_scene *cook_import(cook_job *job, const char *path, const cook_options *options, cook_stats *stats) {
  const double start_s = clock_seconds();
  cook_scene *scene = import_source(job, path, options, &stats->worker_peak_bytes);
  job_stop_on_errors(job);
  stats->import_s = clock_seconds() - start_s;
  return scene;
}

/// A profile that was read from a file is a file that the pack depends on. Its bytes are in the content id by the
/// profile's name.
static void cook_add_profile(cook_job *job, cook_scene *scene, const cook_options *options) {
  if (options->profile == NULL || options->profile->path == NULL) return;
  const char **paths = JOB_ARRAY(job, const char *, (uint64_t)scene->dependency_count + 1);
  for (uint32_t i = 0; i < scene->dependency_count; i++) paths[i] = scene->dependencies[i];
  paths[scene->dependency_count++] = options->profile->path;
  scene->dependencies = paths;
}

static void cook_add_clips(cook_job *job, cook_scene *scene, const cook_options *options, cook_stats *stats) {
  const double start_s = clock_seconds();
  cook_add_clip_files(job, scene, options, &stats->worker_peak_bytes);
  stats->import_s += clock_seconds() - start_s;
}

void cook_file(cook_job *job, const char *path, const cook_options *options, cook_product *product) {
  *product = (cook_product){0};
  job_set_file(job, path);
  cook_scene *scene = cook_import(job, path, options, &product->stats);
  cook_check(job, scene, &product->stats);
  if (options->clips_only) build_require_clips(job, scene);
  cook_add_clips(job, scene, options, &product->stats);
  cook_add_profile(job, scene, options);
  cook_checked_scene(job, scene, options, product);
}
