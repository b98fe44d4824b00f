#include "cooker/import/import.h"

#include <string.h>
#include <sys/stat.h>

#include "cooker/base/io.h"
#include "cooker/import/name_encoding.h"
#include "cooker/import/scene_stream.h"
#include "cooker/import/sniff.h"
#include "cooker/import/worker.h"

/// Reads the file and gives it to the importer of its kind.
static cook_scene *import_by_kind(cook_job *job, const char *path, const cook_options *options) {
  uint64_t byte_count;
  const uint8_t *bytes = io_read_file(job, path, &byte_count);
  const sniff_kind kind = sniff_file(job, path, bytes, byte_count);
  const bool is_gltf = kind == SNIFF_GLTF_JSON || kind == SNIFF_GLTF_BINARY;
  if (is_gltf && options->importer != COOK_IMPORTER_ASSIMP) return gltf_import(job, path, bytes, byte_count, options);
  cook_scene *scene = assimp_import(job, path, bytes, byte_count, options);
  if (options->name_encoding != NULL && !is_gltf) name_encoding_convert(job, scene, options->name_encoding);
  return scene;
}

/// Whoever wants nothing but clips needs the controls of meshes, not their triangles.
static void drop_primitives(cook_scene *scene) {
  for (uint32_t m = 0; m < scene->mesh_count; m++) scene->meshes[m].primitive_count = 0;
}

/// Runs in the worker, or in the caller's process when asked to.
static cook_scene *import_here(cook_job *job, const char *path, const cook_options *options) {
  cook_scene *scene = import_by_kind(job, path, options);
  if (options->clips_only) drop_primitives(scene);
  return scene;
}

static uint64_t size_of_file(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && status.st_size > 0 ? (uint64_t)status.st_size : 0;
}

cook_scene *import_source(cook_job *job, const char *path, const cook_options *options, uint64_t *worker_peak_bytes) {
  if (worker_peak_bytes != NULL) *worker_peak_bytes = 0;
  if (!options->in_process)
    return worker_import(job, path, options, worker_limits_for(size_of_file(path)), worker_peak_bytes);
  cook_scene *scene = import_here(job, path, options);
  scene_check(job, scene);
  return scene;
}

int import_worker_main(int argc, char **argv) { return worker_main(argc, argv, import_here); }
