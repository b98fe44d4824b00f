/// import.h: from a path to a cook_scene. Chooses the importer by content and runs it in a worker process.
#ifndef COOK_IMPORT_H
#define COOK_IMPORT_H

#include "cooker/cook.h"

/// Reads path. Reports and leaves the job when it cannot be read. The scene is structurally sound (scene.h).
/// worker_peak_bytes: resident memory of the worker, or 0.
cook_scene *import_source(cook_job *job, const char *path, const cook_options *options, uint64_t *worker_peak_bytes);

/// The worker's side: `mpak --import-worker …`, started by import_source. Returns its exit code.
int import_worker_main(int argc, char **argv);

// -- The two importers; both run in the worker ------------------------------------------------------------------------

/// The exact reader of glTF 2.0, GLB and VRM.
cook_scene *gltf_import(cook_job *job, const char *path, const uint8_t *bytes, uint64_t byte_count,
                        const cook_options *options);

/// Assimp, for FBX and everything else.
cook_scene *assimp_import(cook_job *job, const char *path, const uint8_t *bytes, uint64_t byte_count,
                          const cook_options *options);

// -- The scene as a byte stream ---------------------------------------------------------------------------------------

/// Writes a scene and the job's issues as one checked stream, into the job's arena.
uint8_t *scene_write(cook_job *job, const cook_scene *scene, uint64_t *byte_count);

/// Reads a stream back: adopts its issues, checks every count, index and length. Fails the job (I issue) on anything
/// odd.
cook_scene *scene_read(cook_job *job, const uint8_t *bytes, uint64_t byte_count);

#endif
