#include "cooker/build/build_where.h"
#include "cooker/build/morph_normals_smooth.h"
#include "cooker/build/normals_math.h"

static bool morph_normals_has_delta(float (*deltas)[3], uint32_t vertex_count) {
  for (uint32_t v = 0; deltas != NULL && v < vertex_count; v++)
    if (!vec3_is_zero(vec3_of(deltas[v]))) return true;
  return false;
}

/// Flat normals have their deltas from build_normals, which knows better: coplanar triangles are not smooth.
static bool morph_normals_are_wanted(const cook_primitive *primitive, const cook_target *target,
                                     cook_morph_normals choice) {
  if (primitive->normals == NULL || primitive->has_flat_normals) return false;
  if (!morph_normals_has_delta(target->position_deltas, primitive->vertex_count)) return false;
  return choice == COOK_MORPH_NORMALS_RECOMPUTE ||
         (choice == COOK_MORPH_NORMALS_AUTO &&
          !morph_normals_has_delta(target->normal_deltas, primitive->vertex_count));
}

static void morph_normals_report(cook_job *job, const cook_mesh *mesh, const cook_primitive *primitive, uint32_t count,
                                 uint32_t first) {
  cook_where where = build_where_primitive(mesh, primitive);
  if (count == 1 && mesh->control_names != NULL)
    where.target = mesh->control_names[cook_control_of_target(mesh, first)];
  where.value = job_format(job, "%u", count);
  where.limit = job_format(job, "%u", primitive->target_count);
  job_issue(job, MPAK_C016, where);
}

/// The file's own array is written over where there is one.
static void morph_normals_recompute(cook_job *job, const cook_primitive *primitive, smooth_surface *surface,
                                    cook_target *target) {
  if (target->normal_deltas == NULL)
    target->normal_deltas = job_alloc(job, primitive->vertex_count, sizeof *target->normal_deltas);
  for (uint32_t v = 0; v < primitive->vertex_count; v++) vec3_store(target->normal_deltas[v], (vec3){0, 0, 0});
  smooth_target(surface, target, target->normal_deltas);
}

static void morph_normals_of_primitive(cook_job *job, const cook_mesh *mesh, cook_primitive *primitive,
                                       bool has_rough_normals, cook_morph_normals choice) {
  smooth_surface *surface = NULL;
  uint32_t count = 0, first = 0;
  for (uint32_t t = 0; t < primitive->target_count; t++) {
    cook_target *target = &primitive->targets[t];
    if (choice == COOK_MORPH_NORMALS_NONE) target->normal_deltas = NULL;
    if (!morph_normals_are_wanted(primitive, target, choice)) continue;
    if (surface == NULL) surface = smooth_make(job, primitive, has_rough_normals);
    morph_normals_recompute(job, primitive, surface, target);
    if (count++ == 0) first = t;
  }
  if (count != 0) morph_normals_report(job, mesh, primitive, count, first);
}

void build_morph_normals(cook_job *job, cook_scene *scene, const cook_options *options) {
  if (options->morph_normals == COOK_MORPH_NORMALS_IMPORT) return;
  const bool has_rough_normals = scene->source_kind == COOK_SOURCE_FBX;
  for (uint32_t m = 0; m < scene->mesh_count; m++) {
    const cook_mesh *mesh = &scene->meshes[m];
    for (uint32_t p = 0; p < mesh->primitive_count; p++)
      morph_normals_of_primitive(job, mesh, &mesh->primitives[p], has_rough_normals, options->morph_normals);
  }
}
