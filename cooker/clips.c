#include "cooker/clips.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/base/utf8.h"
#include "cooker/build/build.h"
#include "cooker/check/check.h"
#include "cooker/import/import.h"
#include "format/checksum.h"

// -- Names -----------------------------------------------------------------------------------------------------------

/// The last part of a path without its suffix.
static const char *clips_stem(cook_job *job, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  return job_copy(job, name, dot != NULL && dot != name ? (uint64_t)(dot - name) : strlen(name));
}

/// A clip that came from a file.
typedef struct clips_named {
  const char *name; ///< of the clip, never null
  const char *path; ///< NULL: it is the model's own
  uint32_t clip;
} clips_named;

static int clips_compare_names(const void *left, const void *right) {
  const clips_named *a = left, *b = right;
  const int names = strcmp(a->name, b->name);
  return names != 0 ? names : (a->clip > b->clip) - (a->clip < b->clip);
}

/// The stem becomes part of the pack, so it must be text, and the pack's identity depends on it.
static void clips_take_stem(cook_job *job, cook_scene *scene, const clips_named *named) {
  const char *stem = clips_stem(job, named->path);
  if (!utf8_is_valid(stem)) {
    cook_where where = COOK_WHERE;
    where.value = stem;
    where.limit = "UTF-8";
    job_set_file(job, named->path);
    job_fail(job, MPAK_N001, where);
  }
  const uint64_t hashes[2] = {scene->source_hash, checksum_of(stem, strlen(stem))};
  scene->clips[named->clip].name = stem;
  scene->source_hash = checksum_of(hashes, sizeof hashes);
}

/// paths: by clip, NULL for the model's own.
static void clips_rename(cook_job *job, cook_scene *scene, const char *const *paths) {
  clips_named *named = JOB_ARRAY(job, clips_named, scene->clip_count);
  for (uint32_t c = 0; c < scene->clip_count; c++) {
    const char *name = scene->clips[c].name;
    named[c] = (clips_named){name != NULL ? name : "", paths[c], c};
  }
  if (scene->clip_count > 1) qsort(named, scene->clip_count, sizeof *named, clips_compare_names);
  for (uint32_t i = 0; i < scene->clip_count; i++) {
    const bool is_first = i == 0 || strcmp(named[i - 1].name, named[i].name) != 0;
    const bool is_last = i + 1 == scene->clip_count || strcmp(named[i + 1].name, named[i].name) != 0;
    const bool is_unique = named[i].name[0] != 0 && is_first && is_last;
    if (!is_unique && named[i].path != NULL) clips_take_stem(job, scene, &named[i]);
  }
}

// -- Files -----------------------------------------------------------------------------------------------------------

static void clips_add_dependencies(cook_job *job, cook_scene *scene, const cook_scene *file) {
  const uint64_t count = (uint64_t)scene->dependency_count + file->dependency_count;
  const char **paths = JOB_ARRAY(job, const char *, count);
  memcpy(paths, scene->dependencies, scene->dependency_count * sizeof *paths);
  memcpy(paths + scene->dependency_count, file->dependencies, file->dependency_count * sizeof *paths);
  scene->dependencies = paths;
  scene->dependency_count = (uint32_t)count;
}

static void clips_check_count(cook_job *job, const cook_scene *scene, const cook_scene *file) {
  const uint64_t count = (uint64_t)scene->clip_count + file->clip_count, limit = job_limits(job)->clips;
  if (count <= limit) return;
  cook_where where = COOK_WHERE;
  where.value = job_format(job, "%" PRIu64, count);
  where.limit = job_format(job, "%" PRIu64, limit);
  job_fail(job, MPAK_A001, where);
}

static void clips_add_file(cook_job *job, cook_scene *scene, const char *path, const cook_options *options,
                           uint64_t *worker_peak_bytes) {
  cook_options of_clips = *options;
  of_clips.clips_only = true; // meshes of the file need not travel from the worker
  uint64_t peak_bytes = 0;
  job_set_file(job, path);
  cook_scene *file = import_source(job, path, &of_clips, &peak_bytes);
  if (peak_bytes > *worker_peak_bytes) *worker_peak_bytes = peak_bytes;
  job_stop_on_errors(job);
  check_animation(job, file);
  job_stop_on_errors(job);
  clips_check_count(job, scene, file);
  build_clips(job, scene, file);
  clips_add_dependencies(job, scene, file);
  const uint64_t hashes[2] = {scene->source_hash, file->source_hash};
  scene->source_hash = checksum_of(hashes, sizeof hashes);
}

void cook_add_clip_files(cook_job *job, cook_scene *scene, const cook_options *options, uint64_t *worker_peak_bytes) {
  if (options->clip_file_count == 0) return;
  const char *model = job_file(job);
  uint32_t *first_clips = JOB_ARRAY(job, uint32_t, (uint64_t)options->clip_file_count + 1);
  for (uint32_t i = 0; i < options->clip_file_count; i++) {
    first_clips[i] = scene->clip_count;
    clips_add_file(job, scene, options->clip_files[i], options, worker_peak_bytes);
  }
  first_clips[options->clip_file_count] = scene->clip_count;
  const char **paths = JOB_ARRAY(job, const char *, scene->clip_count);
  for (uint32_t i = 0; i < options->clip_file_count; i++)
    for (uint32_t c = first_clips[i]; c < first_clips[i + 1]; c++) paths[c] = options->clip_files[i];
  clips_rename(job, scene, paths);
  job_set_file(job, model);
}
