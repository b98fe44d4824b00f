#include "cooker/import/assimp_scene.h"

cook_scene *assimp_scene_make(cook_job *job, const struct aiScene *source, sniff_kind kind,
                              const cook_options *options) {
  (void)source, (void)kind, (void)options;
  cook_where where = COOK_WHERE;
  where.value = "this importer is not finished";
  job_fail(job, MPAK_I010, where);
}
