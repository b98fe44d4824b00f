#include <string.h>

#include "cooker/build/build_where.h"
#include "cooker/build/normals_math.h"
#include "cooker/build/remap.h"

// glTF 2.0, section 3.7.2.1 "Meshes overview": without normals, flat normals are calculated and provided tangents
// ignored; 3.7.2.2 "Morph targets": then also for each target, and the displacements of tangents are ignored.

// -- Flat normals -----------------------------------------------------------------------------------------------------

static vec3 normals_position(const cook_primitive *primitive, const cook_target *target, uint32_t vertex) {
  const vec3 base = vec3_of(primitive->positions[vertex]);
  return target == NULL ? base : vec3_add(base, vec3_of(target->position_deltas[vertex]));
}

/// The unit normal of a triangle, zero where it has no area. target: NULL or one with positions.
static vec3 normals_of_triangle(const cook_primitive *primitive, const cook_target *target, const uint32_t *corners) {
  const vec3 a = normals_position(primitive, target, corners[0]);
  const vec3 b = normals_position(primitive, target, corners[1]);
  const vec3 c = normals_position(primitive, target, corners[2]);
  return vec3_unit(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
}

/// A triangle without area faces nowhere; +Z is as good as any unit vector.
static vec3 normals_or_z(vec3 normal) { return vec3_is_zero(normal) ? (vec3){0, 0, 1} : normal; }

static void normals_make_flat_base(cook_job *job, cook_primitive *primitive) {
  primitive->normals = job_alloc(job, primitive->vertex_count, sizeof *primitive->normals);
  for (uint32_t v = 0; v < primitive->vertex_count; v++) primitive->normals[v][2] = 1; // vertices that no triangle uses
  for (uint32_t i = 0; i < primitive->index_count; i += 3) {
    const uint32_t *corners = &primitive->indices[i];
    const vec3 normal = normals_or_z(normals_of_triangle(primitive, NULL, corners));
    for (int k = 0; k < 3; k++) vec3_store(primitive->normals[corners[k]], normal);
  }
}

static bool normals_is_moved(const cook_target *target, uint32_t vertex) {
  return !vec3_is_zero(vec3_of(target->position_deltas[vertex]));
}

static void normals_make_flat_target(cook_job *job, const cook_primitive *primitive, cook_target *target) {
  if (target->position_deltas == NULL) return;
  for (uint32_t i = 0; i < primitive->index_count; i += 3) {
    const uint32_t *corners = &primitive->indices[i];
    bool is_moved = false;
    for (int k = 0; k < 3; k++) is_moved = is_moved || normals_is_moved(target, corners[k]);
    if (!is_moved) continue;
    const vec3 moved = normals_of_triangle(primitive, target, corners);
    if (vec3_is_zero(moved)) continue;
    const vec3 delta = vec3_sub(moved, normals_or_z(normals_of_triangle(primitive, NULL, corners)));
    if (vec3_length(delta) < NORMAL_DELTA_SHORTEST) continue;
    if (target->normal_deltas == NULL)
      target->normal_deltas = job_alloc(job, primitive->vertex_count, sizeof *target->normal_deltas);
    for (int k = 0; k < 3; k++) vec3_store(target->normal_deltas[corners[k]], delta);
  }
}

/// Tangents without normals mean nothing, neither in the base nor in targets.
static void normals_drop_tangents(cook_job *job, const cook_mesh *mesh, cook_primitive *primitive) {
  if (primitive->tangents != NULL) job_issue(job, MPAK_C005, build_where_primitive(mesh, primitive));
  primitive->tangents = NULL;
  for (uint32_t t = 0; t < primitive->target_count; t++) primitive->targets[t].tangent_deltas = NULL;
}

static void normals_make_flat(cook_job *job, const cook_mesh *mesh, cook_primitive *primitive) {
  job_issue(job, MPAK_C004, build_where_primitive(mesh, primitive));
  normals_drop_tangents(job, mesh, primitive);
  for (uint32_t t = 0; t < primitive->target_count; t++) primitive->targets[t].normal_deltas = NULL;
  remap_split_corners(job, primitive, NULL);
  normals_make_flat_base(job, primitive);
  for (uint32_t t = 0; t < primitive->target_count; t++)
    normals_make_flat_target(job, primitive, &primitive->targets[t]);
  primitive->has_flat_normals = true;
}

// -- Normals of length zero -------------------------------------------------------------------------------------------

// Normals that are merely not of unit length keep their bits: deltas are relative to them, and every reader normalises
// the sum. A zero normal has no direction to keep.

static uint32_t normals_count_zero(const cook_primitive *primitive, uint32_t *first) {
  uint32_t count = 0;
  for (uint32_t v = 0; v < primitive->vertex_count; v++)
    if (vec3_is_zero(vec3_of(primitive->normals[v])) && count++ == 0) *first = v;
  return count;
}

/// Sums of the area-weighted normals of the triangles around each vertex.
static vec3 *normals_sum_around(cook_job *job, const cook_primitive *primitive) {
  vec3 *sums = JOB_ARRAY(job, vec3, primitive->vertex_count);
  for (uint32_t i = 0; i < primitive->index_count; i += 3) {
    const uint32_t *corners = &primitive->indices[i];
    const vec3 a = normals_position(primitive, NULL, corners[0]);
    const vec3 ab = vec3_sub(normals_position(primitive, NULL, corners[1]), a);
    const vec3 ac = vec3_sub(normals_position(primitive, NULL, corners[2]), a);
    const vec3 area = vec3_cross(ab, ac);
    for (int k = 0; k < 3; k++) sums[corners[k]] = vec3_add(sums[corners[k]], area);
  }
  return sums;
}

static void normals_repair_zero(cook_job *job, const cook_mesh *mesh, cook_primitive *primitive) {
  uint32_t first = 0;
  const uint32_t count = normals_count_zero(primitive, &first);
  if (count == 0) return;
  cook_where where = build_where_elements(mesh, primitive, "vertex", first, count);
  job_issue(job, MPAK_C006, where);
  const cook_mark mark = job_mark(job);
  const vec3 *sums = normals_sum_around(job, primitive);
  for (uint32_t v = 0; v < primitive->vertex_count; v++)
    if (vec3_is_zero(vec3_of(primitive->normals[v])))
      vec3_store(primitive->normals[v], normals_or_z(vec3_unit(sums[v])));
  job_release(job, mark);
}

void build_normals(cook_job *job, cook_scene *scene, const cook_options *options) {
  (void)options;
  for (uint32_t m = 0; m < scene->mesh_count; m++) {
    const cook_mesh *mesh = &scene->meshes[m];
    for (uint32_t p = 0; p < mesh->primitive_count; p++) {
      cook_primitive *primitive = &mesh->primitives[p];
      if (primitive->normals == NULL)
        normals_make_flat(job, mesh, primitive);
      else
        normals_repair_zero(job, mesh, primitive);
    }
  }
}
