#include "cooker/base/angle.h"
#include "cooker/build/build.h"
#include "cooker/build/normals_math.h"
#include "cooker/build/weld_group.h"

// Normals of a moved surface, with the base's hard edges.
//
// Vertices that agree in position and normal in the base are one smooth point: hard edges are where normals differ, so
// they stay. For each point, n0 is the angle-weighted normal of the triangles around it at rest and n1 the same after
// the target has moved them. The rotation R takes n0 to n1 and turns about n1 as the edges around the point turned
// (the best fit in the plane). The normal delta of a vertex with normal n is R n - n. So
//  - a point none of whose triangles moved gets exactly zero;
//  - a region that turns as a rigid body gets its normals turned likewise, authored ones too;
//  - where n is the recomputed normal the result is n1, the recomputed normal of the moved surface;
//  - where triangles collapse to nothing the normal stays.

typedef struct smooth_points {
  const cook_primitive *primitive;
  uint32_t *points;        ///< by vertex: the lowest vertex of its point
  uint32_t *corner_starts; ///< by point: into corners; vertex_count + 1
  uint32_t *corners;       ///< numbers of corners, point after point
  uint8_t *is_touched;     ///< by point, for the target at hand
  uint32_t *touched;
  uint32_t touched_count;
} smooth_points;

// -- Points
// ------------------------------------------------------------------------------------------------------------

static void smooth_list_corners(cook_job *job, smooth_points *smooth) {
  const cook_primitive *primitive = smooth->primitive;
  smooth->corner_starts = JOB_ARRAY(job, uint32_t, (uint64_t)primitive->vertex_count + 2);
  smooth->corners = JOB_ARRAY(job, uint32_t, primitive->index_count);
  uint32_t *next = smooth->corner_starts + 1; // after filling, next[p] is the end of p, that is the start of p + 1
  for (uint32_t c = 0; c < primitive->index_count; c++) next[smooth->points[primitive->indices[c]] + 1]++;
  for (uint32_t p = 0; p < primitive->vertex_count; p++) next[p + 1] += next[p];
  for (uint32_t c = 0; c < primitive->index_count; c++)
    smooth->corners[next[smooth->points[primitive->indices[c]]]++] = c;
}

static smooth_points smooth_make(cook_job *job, const cook_primitive *primitive, bool has_rough_normals) {
  smooth_points smooth = {.primitive = primitive};
  const weld_stream streams[2] = {{primitive->positions, 12, WELD_FLOATS},
                                  {primitive->normals, 12, has_rough_normals ? WELD_DIRECTION : WELD_FLOATS}};
  smooth.points = JOB_ARRAY(job, uint32_t, primitive->vertex_count);
  weld_group(job, streams, 2, primitive->vertex_count, smooth.points, NULL);
  smooth_list_corners(job, &smooth);
  smooth.is_touched = JOB_ARRAY(job, uint8_t, primitive->vertex_count);
  smooth.touched = JOB_ARRAY(job, uint32_t, primitive->vertex_count);
  return smooth;
}

/// Points with a triangle that the target moves.
static void smooth_touch(smooth_points *smooth, const cook_target *target) {
  const cook_primitive *primitive = smooth->primitive;
  for (uint32_t i = 0; i < primitive->index_count; i += 3) {
    bool is_moved = false;
    for (uint32_t k = 0; k < 3; k++)
      is_moved = is_moved || !vec3_is_zero(vec3_of(target->position_deltas[primitive->indices[i + k]]));
    for (uint32_t k = 0; k < 3 && is_moved; k++) {
      const uint32_t point = smooth->points[primitive->indices[i + k]];
      if (smooth->is_touched[point]) continue;
      smooth->is_touched[point] = 1;
      smooth->touched[smooth->touched_count++] = point;
    }
  }
}

static void smooth_untouch(smooth_points *smooth) {
  for (uint32_t i = 0; i < smooth->touched_count; i++) smooth->is_touched[smooth->touched[i]] = 0;
  smooth->touched_count = 0;
}

// -- Surfaces
// ----------------------------------------------------------------------------------------------------------

/// A corner seen from its vertex: the two edges that leave it. target NULL: at rest.
typedef struct corner_edges {
  vec3 next, previous;
} corner_edges;

static vec3 smooth_position(const cook_primitive *primitive, const cook_target *target, uint32_t corner) {
  const uint32_t vertex = primitive->indices[corner];
  const vec3 base = vec3_of(primitive->positions[vertex]);
  return target == NULL ? base : vec3_add(base, vec3_of(target->position_deltas[vertex]));
}

static corner_edges smooth_edges(const cook_primitive *primitive, const cook_target *target, uint32_t corner) {
  const uint32_t first = corner - corner % 3;
  const vec3 here = smooth_position(primitive, target, corner);
  const vec3 next = smooth_position(primitive, target, first + (corner + 1) % 3);
  const vec3 previous = smooth_position(primitive, target, first + (corner + 2) % 3);
  return (corner_edges){vec3_sub(next, here), vec3_sub(previous, here)};
}

/// The triangle's unit normal times the angle at the corner; zero for a triangle without area.
static vec3 smooth_corner_normal(const corner_edges *edges) {
  const vec3 normal = vec3_unit(vec3_cross(edges->next, edges->previous));
  return vec3_scale(normal, angle_acos(vec3_dot(vec3_unit(edges->next), vec3_unit(edges->previous))));
}

static vec3 smooth_point_normal(const smooth_points *smooth, const cook_target *target, uint32_t point) {
  vec3 sum = {0, 0, 0};
  for (uint32_t i = smooth->corner_starts[point]; i < smooth->corner_starts[point + 1]; i++) {
    const corner_edges edges = smooth_edges(smooth->primitive, target, smooth->corners[i]);
    sum = vec3_add(sum, smooth_corner_normal(&edges));
  }
  return vec3_unit(sum);
}

// -- Rotations
// ---------------------------------------------------------------------------------------------------------

/// Three rows.
typedef struct rotation {
  vec3 x, y, z;
} rotation;

static vec3 rotation_apply(const rotation *r, vec3 v) {
  return (vec3){vec3_dot(r->x, v), vec3_dot(r->y, v), vec3_dot(r->z, v)};
}

/// The rotation that takes the frame (a0, n0 x a0, n0) to the frame (a1, n1 x a1, n1); both are orthonormal.
static rotation rotation_between(vec3 n0, vec3 a0, vec3 n1, vec3 a1) {
  const vec3 b0 = vec3_cross(n0, a0), b1 = vec3_cross(n1, a1);
  return (rotation){
      vec3_add(vec3_add(vec3_scale(a0, a1.x), vec3_scale(b0, b1.x)), vec3_scale(n0, n1.x)),
      vec3_add(vec3_add(vec3_scale(a0, a1.y), vec3_scale(b0, b1.y)), vec3_scale(n0, n1.y)),
      vec3_add(vec3_add(vec3_scale(a0, a1.z), vec3_scale(b0, b1.z)), vec3_scale(n0, n1.z)),
  };
}

/// The shortest rotation from n0 to n1: about their common perpendicular, or any where there is none.
static rotation rotation_shortest(vec3 n0, vec3 n1) {
  vec3 axis = vec3_unit(vec3_cross(n0, n1));
  if (vec3_is_zero(axis)) axis = vec3_perpendicular(n0);
  return rotation_between(n0, axis, n1, axis);
}

static vec3 smooth_in_plane(vec3 v, vec3 normal) { return vec3_sub(v, vec3_scale(normal, vec3_dot(v, normal))); }

/// Adds how far an edge turned about n1 beyond the shortest rotation: its cosine and sine, weighted by the lengths.
static void smooth_add_turn(const rotation *shortest, vec3 n1, vec3 edge0, vec3 edge1, double turn[2]) {
  const vec3 before = smooth_in_plane(rotation_apply(shortest, edge0), n1);
  const vec3 after = smooth_in_plane(edge1, n1);
  turn[0] += vec3_dot(before, after);
  turn[1] += vec3_dot(n1, vec3_cross(before, after));
}

/// R of a point, from n0 to n1.
static rotation smooth_rotation(const smooth_points *smooth, const cook_target *target, uint32_t point, vec3 n0,
                                vec3 n1) {
  const rotation shortest = rotation_shortest(n0, n1);
  double turn[2] = {0, 0};
  for (uint32_t i = smooth->corner_starts[point]; i < smooth->corner_starts[point + 1]; i++) {
    const corner_edges rest = smooth_edges(smooth->primitive, NULL, smooth->corners[i]);
    const corner_edges moved = smooth_edges(smooth->primitive, target, smooth->corners[i]);
    smooth_add_turn(&shortest, n1, rest.next, moved.next, turn);
    smooth_add_turn(&shortest, n1, rest.previous, moved.previous, turn);
  }
  const double length = sqrt(turn[0] * turn[0] + turn[1] * turn[1]);
  if (!(length > VEC3_SHORTEST)) return shortest;
  const vec3 a0 = vec3_perpendicular(n0);
  const vec3 a1 = rotation_apply(&shortest, a0), b1 = vec3_cross(n1, a1);
  return rotation_between(n0, a0, n1, vec3_add(vec3_scale(a1, turn[0] / length), vec3_scale(b1, turn[1] / length)));
}

// -- Targets
// -----------------------------------------------------------------------------------------------------------

static vec3 smooth_delta(const smooth_points *smooth, const cook_target *target, uint32_t point) {
  const vec3 n0 = smooth_point_normal(smooth, NULL, point), n1 = smooth_point_normal(smooth, target, point);
  const vec3 normal = vec3_of(smooth->primitive->normals[point]);
  if (vec3_is_zero(n0) || vec3_is_zero(n1)) return (vec3){0, 0, 0};
  const rotation turned = smooth_rotation(smooth, target, point, n0, n1);
  const vec3 delta = vec3_sub(rotation_apply(&turned, normal), normal);
  return vec3_length(delta) < NORMAL_DELTA_SHORTEST ? (vec3){0, 0, 0} : delta;
}

/// Every vertex of a point gets the delta of its lowest one, so that vertices which agree go on agreeing.
static void smooth_target(cook_job *job, smooth_points *smooth, cook_target *target) {
  target->normal_deltas = NULL;
  if (target->position_deltas == NULL) return;
  smooth_touch(smooth, target);
  if (smooth->touched_count == 0) return;
  const uint32_t vertex_count = smooth->primitive->vertex_count;
  target->normal_deltas = job_alloc(job, vertex_count, sizeof *target->normal_deltas);
  for (uint32_t i = 0; i < smooth->touched_count; i++) {
    const uint32_t point = smooth->touched[i];
    vec3_store(target->normal_deltas[point], smooth_delta(smooth, target, point));
  }
  for (uint32_t v = 0; v < vertex_count; v++)
    for (int k = 0; k < 3 && smooth->points[v] != v; k++)
      target->normal_deltas[v][k] = target->normal_deltas[smooth->points[v]][k];
  smooth_untouch(smooth);
}

static bool smooth_has_delta(float (*deltas)[3], uint32_t vertex_count) {
  for (uint32_t v = 0; deltas != NULL && v < vertex_count; v++)
    if (!vec3_is_zero(vec3_of(deltas[v]))) return true;
  return false;
}

/// Flat normals have their deltas from build_normals, which knows better: coplanar triangles are not smooth.
static bool smooth_is_wanted(const cook_primitive *primitive, const cook_target *target, cook_morph_normals choice) {
  if (primitive->normals == NULL || primitive->has_flat_normals) return false;
  if (!smooth_has_delta(target->position_deltas, primitive->vertex_count)) return false;
  return choice == COOK_MORPH_NORMALS_RECOMPUTE ||
         (choice == COOK_MORPH_NORMALS_AUTO && !smooth_has_delta(target->normal_deltas, primitive->vertex_count));
}

static void smooth_report(cook_job *job, const cook_mesh *mesh, const cook_primitive *primitive, uint32_t count,
                          const char *first_target) {
  cook_where where = COOK_WHERE;
  where.mesh = mesh->name;
  where.primitive = primitive->source_primitive;
  where.target = count == 1 ? first_target : NULL;
  where.value = job_format(job, "%u", count);
  where.limit = job_format(job, "%u", primitive->target_count);
  job_issue(job, MPAK_C016, where);
}

static void smooth_primitive(cook_job *job, const cook_mesh *mesh, cook_primitive *primitive, bool has_rough_normals,
                             cook_morph_normals choice) {
  smooth_points smooth = {0};
  uint32_t count = 0, first = 0;
  for (uint32_t t = 0; t < primitive->target_count; t++) {
    cook_target *target = &primitive->targets[t];
    if (choice == COOK_MORPH_NORMALS_NONE) target->normal_deltas = NULL;
    if (!smooth_is_wanted(primitive, target, choice)) continue;
    if (count == 0) smooth = smooth_make(job, primitive, has_rough_normals);
    smooth_target(job, &smooth, target);
    if (count++ == 0) first = t;
  }
  if (count != 0)
    smooth_report(job, mesh, primitive, count, mesh->target_names == NULL ? NULL : mesh->target_names[first]);
}

void build_morph_normals(cook_job *job, cook_scene *scene, const cook_options *options) {
  if (options->morph_normals == COOK_MORPH_NORMALS_IMPORT) return;
  for (uint32_t m = 0; m < scene->mesh_count; m++) {
    const cook_mesh *mesh = &scene->meshes[m];
    for (uint32_t p = 0; p < mesh->primitive_count; p++)
      smooth_primitive(job, mesh, &mesh->primitives[p], scene->source_kind == COOK_SOURCE_FBX, options->morph_normals);
  }
}
