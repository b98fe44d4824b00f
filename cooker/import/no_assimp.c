// What stands in Assimp's place in a build without it (`make ASSIMP=0`): every file that needs it is refused.
#include "cooker/import/assimp.h"
#include "cooker/import/import.h"
#include "cooker/import/sniff.h"

/// Nobody is left to ask, so whatever has a suffix might be read by it.
bool assimp_knows_suffix(const char *suffix) { return suffix[0] != 0; }

bool assimp_version(unsigned version[3]) {
  (void)version;
  return false;
}

static const char *what_is_refused(cook_job *job, const char *path, sniff_kind kind) {
  switch (kind) {
  case SNIFF_FBX_BINARY:
  case SNIFF_FBX_TEXT: return "FBX";
  case SNIFF_GLTF_BINARY:
  case SNIFF_GLTF_JSON: return "glTF with --importer assimp";
  default: return job_format(job, "files with the suffix %s", sniff_suffix(job, path));
  }
}

cook_scene *assimp_import(cook_job *job, const char *path, const uint8_t *bytes, uint64_t byte_count,
                          const cook_options *options) {
  (void)options;
  cook_where where = COOK_WHERE;
  where.value = what_is_refused(job, path, sniff_file(job, path, bytes, byte_count));
  job_fail(job, MPAK_I053, where);
}
