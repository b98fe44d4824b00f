#include "cooker/build/build_where.h"
#include "cooker/build/normals_math.h"
#include "cooker/build/remap.h"
#include "cooker/build/tangents_space.h"
#include "cooker/build/weld_group.h"

// -- Dropping ---------------------------------------------------------------------------------------------------------

/// Deltas of tangents are relative to the file's tangents and go with them.
static void tangents_drop_deltas(cook_primitive *primitive) {
  for (uint32_t t = 0; t < primitive->target_count; t++) primitive->targets[t].tangent_deltas = NULL;
}

// -- Generating -------------------------------------------------------------------------------------------------------

/// Puts the corners' tangents into the vertices and splits those whose corners differ.
static void tangents_store(cook_job *job, cook_primitive *primitive, float (*corner_tangents)[4]) {
  uint32_t *class_of_corner = JOB_ARRAY(job, uint32_t, primitive->index_count);
  const weld_stream stream = {corner_tangents, sizeof *corner_tangents, WELD_FLOATS};
  weld_group(job, &stream, 1, primitive->index_count, class_of_corner, NULL);
  remap_split_corners(job, primitive, class_of_corner);
  primitive->tangents = job_alloc(job, primitive->vertex_count, sizeof *primitive->tangents);
  for (uint32_t v = 0; v < primitive->vertex_count; v++) { // vertices that no triangle uses
    const vec3 normal = vec3_unit(vec3_of(primitive->normals[v]));
    vec3_store(primitive->tangents[v], vec3_perpendicular(normal));
    primitive->tangents[v][3] = 1;
  }
  for (uint32_t c = 0; c < primitive->index_count; c++)
    for (int k = 0; k < 4; k++) primitive->tangents[primitive->indices[c]][k] = corner_tangents[c][k];
}

static void tangents_generate(cook_job *job, const cook_mesh *mesh, cook_primitive *primitive, bool has_rough_normals) {
  primitive->tangents = NULL;
  tangents_drop_deltas(primitive);
  float(*corner_tangents)[4] = job_alloc(job, primitive->index_count, sizeof *corner_tangents);
  tangents_of_corners(job, primitive, has_rough_normals, corner_tangents);
  tangents_store(job, primitive, corner_tangents);
  job_issue(job, MPAK_C007, build_where_primitive(mesh, primitive));
}

// -- The file's own ---------------------------------------------------------------------------------------------------

/// Gives one tangent what a reader relies on: a direction, and a sign. Returns whether something was wrong.
static bool tangents_repair_one(float *tangent, const float *normal) {
  const bool has_direction = !vec3_is_zero(vec3_of(tangent));
  const bool has_sign = tangent[3] == 1 || tangent[3] == -1;
  if (!has_direction) vec3_store(tangent, vec3_perpendicular(vec3_unit(vec3_of(normal))));
  if (!has_sign) tangent[3] = tangent[3] < 0 ? -1 : 1;
  return !has_direction || !has_sign;
}

static void tangents_repair(cook_job *job, const cook_mesh *mesh, cook_primitive *primitive) {
  cook_where where = build_where_primitive(mesh, primitive);
  uint64_t count = 0;
  for (uint32_t v = 0; v < primitive->vertex_count; v++)
    if (tangents_repair_one(primitive->tangents[v], primitive->normals[v]) && count++ == 0) where.index = v;
  if (count == 0) return;
  where.element = "vertex";
  where.more = count - 1;
  job_issue(job, MPAK_C009, where);
}

// -- Choice -----------------------------------------------------------------------------------------------------------

static bool tangents_are_needed(const cook_scene *scene, const cook_primitive *primitive) {
  return primitive->material != MPAK_NONE && scene->materials[primitive->material].has_normal_texture;
}

static void tangents_of_primitive(cook_job *job, const cook_scene *scene, const cook_mesh *mesh,
                                  cook_primitive *primitive, cook_tangents choice) {
  const bool can_generate = primitive->texcoords[0] != NULL && primitive->normals != NULL;
  const bool is_wanted =
      choice == COOK_TANGENTS_GENERATE ||
      (choice == COOK_TANGENTS_AUTO && primitive->tangents == NULL && tangents_are_needed(scene, primitive));
  if (choice == COOK_TANGENTS_NONE) primitive->tangents = NULL;
  if (is_wanted && can_generate) tangents_generate(job, mesh, primitive, scene->source_kind == COOK_SOURCE_FBX);
  if (is_wanted && !can_generate) job_issue(job, MPAK_C008, build_where_primitive(mesh, primitive));
  if (primitive->tangents == NULL || primitive->normals == NULL) {
    primitive->tangents = NULL;
    tangents_drop_deltas(primitive);
  } else {
    tangents_repair(job, mesh, primitive);
  }
}

void build_tangents(cook_job *job, cook_scene *scene, const cook_options *options) {
  for (uint32_t m = 0; m < scene->mesh_count; m++) {
    const cook_mesh *mesh = &scene->meshes[m];
    for (uint32_t p = 0; p < mesh->primitive_count; p++)
      tangents_of_primitive(job, scene, mesh, &mesh->primitives[p], options->tangents);
  }
}
