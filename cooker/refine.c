// refine.c: see refine.h.
#include "cooker/refine.h"

#include "cooker/quality.h"

void refine_prepare(cook_job *job, cook_scene *scene) {
  for (uint32_t m = 0; m < scene->mesh_count; m++) {
    for (uint32_t p = 0; p < scene->meshes[m].primitive_count; p++) {
      cook_primitive *primitive = &scene->meshes[m].primitives[p];
      if (primitive->target_count != 0)
        primitive->has_missed_normal = JOB_ARRAY(job, bool, primitive->source_vertex_count);
    }
  }
}

static void refine_raise(uint32_t *fineness, bool is_missed) {
  if (is_missed && *fineness < COOK_FINENESS_MOST) ++*fineness;
}

bool refine_missed(cook_scene *scene, const measure_posed *posed) {
  const bool has_fine_clips = scene->clip_fineness >= COOK_FINENESS_MOST / 2;
  bool is_missed = false, clip_misses = false;
  for (uint32_t m = 0; m < scene->mesh_count; m++) {
    const bool plays_far = posed->playing_misses[m];
    refine_raise(&scene->meshes[m].fineness, posed->mesh_misses[m] || (plays_far && has_fine_clips));
    refine_raise(&scene->meshes[m].normal_fineness, posed->normal_misses[m]);
    is_missed |= posed->mesh_misses[m] || plays_far || posed->normal_misses[m];
    clip_misses |= plays_far;
  }
  refine_raise(&scene->clip_fineness, clip_misses);
  return is_missed;
}

uint32_t refine_most(const cook_scene *scene) {
  uint32_t most = scene->clip_fineness;
  for (uint32_t m = 0; m < scene->mesh_count; m++) {
    if (scene->meshes[m].fineness > most) most = scene->meshes[m].fineness;
    if (scene->meshes[m].normal_fineness > most) most = scene->meshes[m].normal_fineness;
  }
  return most;
}

void refine_report_floats(cook_job *job, const cook_scene *scene, const cook_options *options) {
  const cook_precision *precision = cook_precision_of(options->quality);
  cook_where where = COOK_WHERE;
  where.limit =
      job_format(job, "%.3g of the size and %.3g degrees", precision->position_bound, precision->normal_bound_deg);
  for (uint32_t m = 0; m < scene->mesh_count; m++) {
    const cook_mesh *mesh = &scene->meshes[m];
    if (mesh->fineness < COOK_FINENESS_MOST && mesh->normal_fineness < COOK_FINENESS_MOST) continue;
    where.mesh = mesh->name;
    where.value = "vertices and morph deltas";
    job_issue(job, MPAK_C057, where);
  }
  where.mesh = NULL;
  where.value = "clips";
  if (scene->clip_fineness == COOK_FINENESS_MOST) job_issue(job, MPAK_C057, where);
}
