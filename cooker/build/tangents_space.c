#include "cooker/build/tangents_space.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/base/angle.h"
#include "cooker/build/normals_math.h"
#include "cooker/build/weld_group.h"

// The method: corners whose vertices agree in position, normal and texture coordinate are one point. The triangles
// around a point fall into groups: connected over edges, and of one orientation in texture space. All corners of a
// group get one tangent: the sum of the triangles' own, made perpendicular to the normal, weighted by the corner's
// angle.

#define SPACE_NO_GROUP MPAK_NONE

typedef struct space_triangle {
  vec3 s;                 ///< unit direction of growing U, zero if there is none
  uint32_t neighbours[3]; ///< triangle across the edge from corner k to k + 1, or MPAK_NONE
  uint32_t groups[3];     ///< of each corner
  bool is_preserving;     ///< texture space is not mirrored
  bool joins_any;         ///< has no direction of its own: takes the orientation of the first group that reaches it
  bool is_degenerate;     ///< two corners at one place: takes part in nothing
} space_triangle;

typedef struct space_group {
  uint32_t point;
  uint32_t first_member; ///< into members
  uint32_t member_count;
  bool is_preserving;
} space_group;

typedef struct space {
  cook_job *job;
  const cook_primitive *primitive;
  uint32_t triangle_count;
  uint32_t *points; ///< by vertex
  space_triangle *triangles;
  uint32_t group_count;
  space_group *groups;
  uint32_t *members; ///< triangles, group after group
  uint32_t member_count;
} space;

static uint32_t space_vertex(const space *sp, uint32_t triangle, uint32_t corner) {
  return sp->primitive->indices[3 * (uint64_t)triangle + corner];
}

static uint32_t space_point(const space *sp, uint32_t triangle, uint32_t corner) {
  return sp->points[space_vertex(sp, triangle, corner)];
}

static vec3 space_position(const space *sp, uint32_t triangle, uint32_t corner) {
  return vec3_of(sp->primitive->positions[space_vertex(sp, triangle, corner)]);
}

static vec3 space_normal(const space *sp, uint32_t triangle, uint32_t corner) {
  return vec3_unit(vec3_of(sp->primitive->normals[space_vertex(sp, triangle, corner)]));
}

// -- Points -----------------------------------------------------------------------------------------------------------

static void space_find_points(space *sp, bool has_rough_normals) {
  const cook_primitive *primitive = sp->primitive;
  const weld_stream streams[3] = {{primitive->positions, 12, WELD_FLOATS},
                                  {primitive->normals, 12, has_rough_normals ? WELD_DIRECTION : WELD_FLOATS},
                                  {primitive->texcoords[0], 8, WELD_FLOATS}};
  sp->points = JOB_ARRAY(sp->job, uint32_t, primitive->vertex_count);
  weld_group(sp->job, streams, 3, primitive->vertex_count, sp->points, NULL);
}

// -- Triangles --------------------------------------------------------------------------------------------------------

static bool space_same_place(vec3 a, vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static bool space_is_nonzero(double value) { return fabs(value) > FLT_MIN; }

/// First-order derivatives of position over texture space. V is turned upwards, the method's convention.
static void space_init_triangle(const space *sp, uint32_t number) {
  space_triangle *triangle = &sp->triangles[number];
  const vec3 p0 = space_position(sp, number, 0), p1 = space_position(sp, number, 1), p2 = space_position(sp, number, 2);
  for (int k = 0; k < 3; k++) triangle->neighbours[k] = triangle->groups[k] = MPAK_NONE;
  triangle->is_degenerate = space_same_place(p0, p1) || space_same_place(p1, p2) || space_same_place(p2, p0);
  const float *uv0 = sp->primitive->texcoords[0][space_vertex(sp, number, 0)];
  const float *uv1 = sp->primitive->texcoords[0][space_vertex(sp, number, 1)];
  const float *uv2 = sp->primitive->texcoords[0][space_vertex(sp, number, 2)];
  const double u1 = (double)uv1[0] - uv0[0], v1 = (double)uv0[1] - uv1[1];
  const double u2 = (double)uv2[0] - uv0[0], v2 = (double)uv0[1] - uv2[1];
  const vec3 d1 = vec3_sub(p1, p0), d2 = vec3_sub(p2, p0);
  const double area = u1 * v2 - v1 * u2;
  const vec3 along_u = vec3_sub(vec3_scale(d1, v2), vec3_scale(d2, v1));
  const vec3 along_v = vec3_sub(vec3_scale(d2, u1), vec3_scale(d1, u2));
  triangle->is_preserving = area > 0;
  triangle->joins_any = true;
  if (!space_is_nonzero(area)) return;
  triangle->s = vec3_scale(vec3_unit(along_u), area > 0 ? 1 : -1);
  triangle->joins_any = !space_is_nonzero(vec3_length(along_u)) || !space_is_nonzero(vec3_length(along_v));
}

// -- Neighbours -------------------------------------------------------------------------------------------------------

typedef struct space_edge {
  uint32_t low, high; ///< points
  uint32_t triangle;
  uint8_t corner;  ///< where the edge begins
  bool is_upwards; ///< from low to high
} space_edge;

static int space_compare_edges(const void *left, const void *right) {
  const space_edge *a = left, *b = right;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  if (a->triangle != b->triangle) return a->triangle < b->triangle ? -1 : 1;
  return (int)a->corner - (int)b->corner;
}

static uint64_t space_list_edges(const space *sp, space_edge *edges) {
  uint64_t count = 0;
  for (uint32_t t = 0; t < sp->triangle_count; t++) {
    if (sp->triangles[t].is_degenerate) continue;
    for (uint32_t k = 0; k < 3; k++) {
      const uint32_t from = space_point(sp, t, k), to = space_point(sp, t, (k + 1) % 3);
      const bool is_upwards = from < to;
      edges[count++] = (space_edge){is_upwards ? from : to, is_upwards ? to : from, t, (uint8_t)k, is_upwards};
    }
  }
  return count;
}

static void space_connect(space *sp, const space_edge *a, const space_edge *b) {
  sp->triangles[a->triangle].neighbours[a->corner] = b->triangle;
  sp->triangles[b->triangle].neighbours[b->corner] = a->triangle;
}

/// Edges [0, count) join the same two points: the n-th that runs up meets the n-th that runs down.
static void space_connect_run(space *sp, const space_edge *edges, uint64_t count) {
  uint64_t up = 0, down = 0;
  for (;;) {
    while (up < count && !edges[up].is_upwards) up++;
    while (down < count && edges[down].is_upwards) down++;
    if (up == count || down == count) return;
    space_connect(sp, &edges[up++], &edges[down++]);
  }
}

static void space_find_neighbours(space *sp) {
  const cook_mark mark = job_mark(sp->job);
  space_edge *edges = JOB_ARRAY(sp->job, space_edge, 3 * (uint64_t)sp->triangle_count);
  const uint64_t count = space_list_edges(sp, edges);
  if (count > 1) qsort(edges, count, sizeof *edges, space_compare_edges);
  for (uint64_t first = 0, end = 0; first < count; first = end) {
    while (end < count && edges[end].low == edges[first].low && edges[end].high == edges[first].high) end++;
    space_connect_run(sp, edges + first, end - first);
  }
  job_release(sp->job, mark);
}

// -- Groups -----------------------------------------------------------------------------------------------------------

/// The corner of a triangle that stands at a point, 3 if none does.
static uint32_t space_corner_at(const space *sp, uint32_t triangle, uint32_t point) {
  uint32_t k = 0;
  while (k < 3 && space_point(sp, triangle, k) != point) k++;
  return k;
}

/// Takes a triangle into a group if it may. Returns whether its neighbours have to be visited.
static bool space_take(space *sp, uint32_t number, uint32_t group_number, uint32_t *corner) {
  const space_group *group = &sp->groups[group_number];
  space_triangle *triangle = &sp->triangles[number];
  const uint32_t k = *corner = space_corner_at(sp, number, group->point);
  if (k == 3 || triangle->groups[k] != SPACE_NO_GROUP) return false;
  const bool is_free = triangle->groups[0] == SPACE_NO_GROUP && triangle->groups[1] == SPACE_NO_GROUP &&
                       triangle->groups[2] == SPACE_NO_GROUP;
  if (triangle->joins_any && is_free) triangle->is_preserving = group->is_preserving;
  if (triangle->is_preserving != group->is_preserving) return false;
  triangle->groups[k] = group_number;
  sp->members[sp->member_count++] = number;
  return true;
}

/// Floods a group from one corner, depth first, over the two edges that meet at the point.
static void space_flood(space *sp, uint32_t triangle, uint32_t group_number, uint32_t *stack) {
  uint32_t depth = 0;
  stack[depth++] = triangle;
  while (depth != 0) {
    const uint32_t number = stack[--depth];
    uint32_t k = 0;
    if (!space_take(sp, number, group_number, &k)) continue;
    const uint32_t left = sp->triangles[number].neighbours[k], right = sp->triangles[number].neighbours[(k + 2) % 3];
    if (right != MPAK_NONE) stack[depth++] = right;
    if (left != MPAK_NONE) stack[depth++] = left;
  }
}

static void space_make_groups(space *sp) {
  const uint64_t corner_count = 3 * (uint64_t)sp->triangle_count;
  sp->groups = JOB_ARRAY(sp->job, space_group, corner_count);
  sp->members = JOB_ARRAY(sp->job, uint32_t, corner_count);
  uint32_t *stack = JOB_ARRAY(sp->job, uint32_t, 2 * corner_count + 1); // each corner is taken once and pushes two
  for (uint32_t t = 0; t < sp->triangle_count; t++) {
    const space_triangle *triangle = &sp->triangles[t];
    for (uint32_t k = 0; k < 3 && !triangle->is_degenerate && !triangle->joins_any; k++) {
      if (triangle->groups[k] != SPACE_NO_GROUP) continue;
      space_group *group = &sp->groups[sp->group_count];
      *group = (space_group){space_point(sp, t, k), sp->member_count, 0, triangle->is_preserving};
      space_flood(sp, t, sp->group_count, stack);
      group->member_count = sp->member_count - group->first_member;
      sp->group_count++;
    }
  }
}

// -- Tangents ---------------------------------------------------------------------------------------------------------

static vec3 space_flatten(vec3 v, vec3 normal) {
  return vec3_unit(vec3_sub(v, vec3_scale(normal, vec3_dot(normal, v))));
}

/// What one triangle adds to the tangent of a corner: its own direction in the plane of the normal, times the angle
/// that the corner has in that plane.
static vec3 space_contribution(const space *sp, uint32_t triangle, uint32_t k) {
  const vec3 normal = space_normal(sp, triangle, k);
  const vec3 here = space_position(sp, triangle, k);
  const vec3 a = space_flatten(vec3_sub(space_position(sp, triangle, (k + 2) % 3), here), normal);
  const vec3 b = space_flatten(vec3_sub(space_position(sp, triangle, (k + 1) % 3), here), normal);
  return vec3_scale(space_flatten(sp->triangles[triangle].s, normal), angle_acos(vec3_dot(a, b)));
}

static vec3 space_group_tangent(const space *sp, const space_group *group) {
  vec3 sum = {0, 0, 0};
  for (uint32_t i = 0; i < group->member_count; i++) {
    const uint32_t triangle = sp->members[group->first_member + i];
    if (sp->triangles[triangle].joins_any) continue;
    sum = vec3_add(sum, space_contribution(sp, triangle, space_corner_at(sp, triangle, group->point)));
  }
  return vec3_unit(sum);
}

static void space_store(float *to, vec3 tangent, bool is_preserving) {
  vec3_store(to, tangent);
  to[3] = is_preserving ? 1 : -1;
}

/// Corners that no group reaches, and groups whose directions cancel out.
static void space_store_fallback(const space *sp, uint32_t triangle, uint32_t k, float *to) {
  vec3 normal = space_normal(sp, triangle, k);
  if (vec3_is_zero(normal)) normal = (vec3){0, 0, 1};
  space_store(to, vec3_perpendicular(normal), true);
}

static void space_store_groups(const space *sp, float (*corner_tangents)[4]) {
  for (uint32_t g = 0; g < sp->group_count; g++) {
    const space_group *group = &sp->groups[g];
    const vec3 tangent = space_group_tangent(sp, group);
    for (uint32_t i = 0; i < group->member_count && !vec3_is_zero(tangent); i++) {
      const uint32_t triangle = sp->members[group->first_member + i];
      const uint32_t k = space_corner_at(sp, triangle, group->point);
      space_store(corner_tangents[3 * (uint64_t)triangle + k], tangent, group->is_preserving);
    }
  }
}

/// Degenerate triangles take the tangent of the first sound corner at the same point; then whatever is still open gets
/// the fallback.
static void space_store_rest(const space *sp, float (*corner_tangents)[4]) {
  uint32_t *corner_of_point = JOB_ARRAY(sp->job, uint32_t, sp->primitive->vertex_count);
  memset(corner_of_point, 0xFF, sizeof *corner_of_point * sp->primitive->vertex_count);
  for (uint32_t c = 0; c < 3 * sp->triangle_count; c++) {
    const uint32_t point = space_point(sp, c / 3, c % 3);
    if (!sp->triangles[c / 3].is_degenerate && corner_of_point[point] == MPAK_NONE) corner_of_point[point] = c;
  }
  for (uint32_t c = 0; c < 3 * sp->triangle_count; c++) {
    const uint32_t from = corner_of_point[space_point(sp, c / 3, c % 3)];
    if (sp->triangles[c / 3].is_degenerate && from != MPAK_NONE)
      memcpy(corner_tangents[c], corner_tangents[from], sizeof corner_tangents[c]);
  }
  for (uint32_t c = 0; c < 3 * sp->triangle_count; c++)
    if (corner_tangents[c][3] == 0) space_store_fallback(sp, c / 3, c % 3, corner_tangents[c]);
}

void tangents_of_corners(cook_job *job, const cook_primitive *primitive, bool has_rough_normals,
                         float (*corner_tangents)[4]) {
  const cook_mark mark = job_mark(job);
  space sp = {.job = job, .primitive = primitive, .triangle_count = primitive->index_count / 3};
  memset(corner_tangents, 0, sizeof *corner_tangents * primitive->index_count);
  space_find_points(&sp, has_rough_normals);
  sp.triangles = JOB_ARRAY(job, space_triangle, sp.triangle_count);
  for (uint32_t t = 0; t < sp.triangle_count; t++) space_init_triangle(&sp, t);
  space_find_neighbours(&sp);
  space_make_groups(&sp);
  space_store_groups(&sp, corner_tangents);
  space_store_rest(&sp, corner_tangents);
  job_release(job, mark);
}
