#include "cooker/import/assimp.h"

#include <assimp/config.h>
#include <assimp/version.h>
#include <string.h>

#include "cooker/import/assimp_private.h"
#include "cooker/import/assimp_maker.h"
#include "cooker/import/fbx_emit.h"
#include "format/checksum.h"

bool assimp_knows_suffix(const char *suffix) {
  char dotted[32] = ".";
  const size_t length = strlen(suffix);
  if (length == 0 || length > sizeof dotted - 2) return false;
  memcpy(dotted + 1, suffix, length + 1);
  return aiIsExtensionSupported(dotted) == AI_TRUE;
}

bool assimp_version(unsigned version[3]) {
  version[0] = aiGetVersionMajor();
  version[1] = aiGetVersionMinor();
  version[2] = aiGetVersionPatch();
  return true;
}

/// One import: what is open while it runs.
typedef struct assimp_session {
  assimp_files files;
  assimp_log log;
  struct aiPropertyStore *properties;
  const struct aiScene *scene;
} assimp_session;

static void session_end(void *user) {
  assimp_session *session = user;
  if (session->scene != NULL) aiReleaseImport(session->scene);
  if (session->properties != NULL) aiReleasePropertyStore(session->properties);
  session->scene = NULL;
  session->properties = NULL;
}

struct aiPropertyStore *assimp_properties(void) {
  struct aiPropertyStore *properties = aiCreatePropertyStore();
  if (properties == NULL) return NULL;
  aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, 1);
  aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_READ_CAMERAS, 0);
  aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_READ_LIGHTS, 0);
  aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_READ_TEXTURES, 0);
  aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_STRICT_MODE, 0);
  aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
  return properties;
}

static void session_read(assimp_session *session, unsigned steps) {
  assimp_log_begin(&session->log);
  session->scene =
      aiImportFileExWithProperties(session->files.source_name, steps, &session->files.io, session->properties);
  assimp_log_end(&session->log);
}

/// Assimp calls a scene without meshes invalid, unless the importer marked it. Motion alone is sound, so it is read
/// unchecked, marked here, and then checked.
static void session_read_without_mesh(assimp_session *session) {
  session_read(session, 0);
  struct aiScene *scene = (struct aiScene *)(uintptr_t)session->scene;
  if (scene == NULL) return;
  scene->mFlags |= AI_SCENE_FLAGS_INCOMPLETE;
  session->scene = aiApplyPostProcessing(scene, aiProcess_ValidateDataStructure);
}

static void session_read_file(assimp_session *session) {
  session_read(session, ASSIMP_STEPS);
  const char *error = session->scene == NULL ? aiGetErrorString() : NULL;
  if (error != NULL && strstr(error, "aiScene::mNumMeshes is 0") != NULL) session_read_without_mesh(session);
}

_Noreturn static void session_fail(cook_job *job) {
  const char *error = aiGetErrorString();
  cook_where where = COOK_WHERE;
  where.value = error == NULL || error[0] == 0 ? "it says nothing" : job_format(job, "%.300s", error);
  const bool is_memory = strstr(where.value, "bad_alloc") != NULL || strstr(where.value, "memory") != NULL;
  job_fail(job, is_memory ? MPAK_I003 : MPAK_I010, where);
}

/// Reads the file; leaves the job when nothing came of it.
static void session_run(assimp_session *session, cook_job *job) {
  session->properties = assimp_properties();
  session_read_file(session);
  if (session->files.refused != NULL) {
    cook_where where = COOK_WHERE;
    where.value = session->files.refused;
    job_fail(job, MPAK_I013, where);
  }
  assimp_log_report(&session->log, job, session->scene != NULL);
  if (session->scene == NULL) session_fail(job);
  job_stop_on_errors(job);
}

static void session_name_dependencies(const assimp_session *session, cook_job *job, cook_scene *scene) {
  scene->dependency_count = session->files.file_count;
  scene->dependencies = JOB_ARRAY(job, const char *, scene->dependency_count);
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  for (uint32_t i = 0; i < session->files.file_count; i++) {
    const assimp_file *file = &session->files.files[i];
    scene->dependencies[i] = file->path;
    XXH3_64bits_update(&state, file->bytes, file->byte_count);
  }
  scene->source_hash = XXH3_64bits_digest(&state);
}

/// FBX: what the pre-pass made of the file, always binary.
static void session_show_records(assimp_session *session, const fbx_records *records) {
  uint64_t byte_count;
  const uint8_t *bytes = fbx_emit(records, &byte_count);
  assimp_files_show(&session->files, bytes, byte_count);
}

/// Another format than FBX and glTF.
static void session_look_at_format(cook_job *job, const char *path, const uint8_t *bytes, uint64_t byte_count) {
  const char *suffix = sniff_suffix(job, path);
  assimp_check_format(job, suffix, bytes, byte_count);
  assimp_report_format(job, suffix);
}

cook_scene *assimp_import(cook_job *job, const char *path, const uint8_t *bytes, uint64_t byte_count,
                          const cook_options *options) {
  assimp_session *session = JOB_ARRAY(job, assimp_session, 1);
  const sniff_kind kind = sniff_file(job, path, bytes, byte_count);
  const fbx_facts *facts = assimp_fbx_read(job, bytes, byte_count, kind);
  assimp_files_begin(&session->files, job, path, bytes, byte_count, kind);
  if (facts != NULL) session_show_records(session, facts->records);
  if (kind == SNIFF_OTHER) session_look_at_format(job, path, bytes, byte_count);
  job_defer(job, session_end, session);
  session_run(session, job);
  cook_scene *scene = assimp_scene_make(job, session->scene, kind, options, facts);
  if (kind == SNIFF_OTHER && assimp_draws_joints(sniff_suffix(job, path)))
    for (uint32_t m = 0; m < scene->mesh_count; m++) scene->meshes[m].primitive_count = 0;
  session_name_dependencies(session, job, scene);
  job_undefer(job, session_end, session);
  return scene;
}
