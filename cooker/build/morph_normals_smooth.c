#include "cooker/build/morph_normals_smooth.h"

#include <string.h>

#include "cooker/base/angle.h"
#include "cooker/build/normals_math.h"
#include "cooker/build/weld_group.h"

/// What the triangles around a point add up to when a target has moved them.
typedef struct smooth_sum {
  vec3 normal;       ///< unit normals times angles
  double turn[3][3]; ///< sum over edges of (edge moved) (edge at rest)^T
} smooth_sum;

struct smooth_surface {
  const cook_primitive *primitive;
  uint32_t *points;    ///< by vertex: the lowest vertex of its point
  vec3 *normals;       ///< by point: n0, zero where the triangles around it have no area
  smooth_sum *sums;    ///< by point, for the target at hand
  uint8_t *is_touched; ///< by point: a triangle around it moves
  uint32_t *touched;   ///< those points
  uint32_t touched_count;
};

// -- Triangles --------------------------------------------------------------------------------------------------------

/// Edge k runs from corner k to corner k + 1.
static void smooth_edges(const vec3 *corners, vec3 *edges) {
  for (int k = 0; k < 3; k++) edges[k] = vec3_sub(corners[(k + 1) % 3], corners[k]);
}

/// The unit normal times the angle at each corner; zero for a triangle without area.
static void smooth_corner_normals(const vec3 *edges, vec3 *normals) {
  const vec3 normal = vec3_unit(vec3_cross(edges[0], edges[1]));
  double lengths[3], angles[3] = {0, 0, 0};
  for (int k = 0; k < 3; k++) lengths[k] = vec3_length(edges[k]);
  if (!vec3_is_zero(normal)) {
    angles[0] = angle_acos(-vec3_dot(edges[0], edges[2]) / (lengths[0] * lengths[2]));
    angles[1] = angle_acos(-vec3_dot(edges[1], edges[0]) / (lengths[1] * lengths[0]));
    angles[2] = angle_acos(-vec3_dot(edges[2], edges[1]) / (lengths[2] * lengths[1]));
  }
  for (int k = 0; k < 3; k++) normals[k] = vec3_scale(normal, angles[k]);
}

static void smooth_add_turn(double turn[3][3], vec3 moved, vec3 rest) {
  const double rows[3] = {moved.x, moved.y, moved.z};
  for (int row = 0; row < 3; row++) {
    turn[row][0] += rows[row] * rest.x;
    turn[row][1] += rows[row] * rest.y;
    turn[row][2] += rows[row] * rest.z;
  }
}

static void smooth_add_triangle(smooth_surface *surface, const cook_target *target, const uint32_t *vertices) {
  vec3 rest[3], moved[3], rest_edges[3], moved_edges[3], normals[3];
  for (int k = 0; k < 3; k++) {
    rest[k] = vec3_of(surface->primitive->positions[vertices[k]]);
    moved[k] = vec3_add(rest[k], vec3_of(target->position_deltas[vertices[k]]));
  }
  smooth_edges(rest, rest_edges);
  smooth_edges(moved, moved_edges);
  smooth_corner_normals(moved_edges, normals);
  for (int k = 0; k < 3; k++) {
    const uint32_t point = surface->points[vertices[k]];
    if (!surface->is_touched[point]) continue;
    smooth_sum *sum = &surface->sums[point];
    const int before = (k + 2) % 3;
    sum->normal = vec3_add(sum->normal, normals[k]);
    smooth_add_turn(sum->turn, moved_edges[k], rest_edges[k]);
    smooth_add_turn(sum->turn, moved_edges[before], rest_edges[before]);
  }
}

// -- Points -----------------------------------------------------------------------------------------------------------

static void smooth_rest_normals(smooth_surface *surface) {
  const cook_primitive *primitive = surface->primitive;
  for (uint32_t i = 0; i < primitive->index_count; i += 3) {
    vec3 corners[3], edges[3], normals[3];
    for (int k = 0; k < 3; k++) corners[k] = vec3_of(primitive->positions[primitive->indices[i + k]]);
    smooth_edges(corners, edges);
    smooth_corner_normals(edges, normals);
    for (int k = 0; k < 3; k++) {
      vec3 *sum = &surface->normals[surface->points[primitive->indices[i + k]]];
      *sum = vec3_add(*sum, normals[k]);
    }
  }
  for (uint32_t v = 0; v < primitive->vertex_count; v++) surface->normals[v] = vec3_unit(surface->normals[v]);
}

smooth_surface *smooth_make(cook_job *job, const cook_primitive *primitive, bool has_rough_normals) {
  smooth_surface *surface = JOB_ARRAY(job, smooth_surface, 1);
  const weld_stream streams[2] = {{primitive->positions, 12, WELD_FLOATS},
                                  {primitive->normals, 12, has_rough_normals ? WELD_DIRECTION : WELD_FLOATS}};
  surface->primitive = primitive;
  surface->points = JOB_ARRAY(job, uint32_t, primitive->vertex_count);
  surface->normals = JOB_ARRAY(job, vec3, primitive->vertex_count);
  surface->sums = JOB_ARRAY(job, smooth_sum, primitive->vertex_count);
  surface->is_touched = JOB_ARRAY(job, uint8_t, primitive->vertex_count);
  surface->touched = JOB_ARRAY(job, uint32_t, primitive->vertex_count);
  weld_group(job, streams, 2, primitive->vertex_count, surface->points, NULL);
  smooth_rest_normals(surface);
  return surface;
}

static bool smooth_moves(const cook_target *target, const uint32_t *vertices) {
  for (int k = 0; k < 3; k++)
    if (!vec3_is_zero(vec3_of(target->position_deltas[vertices[k]]))) return true;
  return false;
}

/// Finds the points with a triangle that the target moves, and clears their sums.
static void smooth_touch(smooth_surface *surface, const cook_target *target) {
  const cook_primitive *primitive = surface->primitive;
  for (uint32_t i = 0; i < surface->touched_count; i++) surface->is_touched[surface->touched[i]] = 0;
  surface->touched_count = 0;
  for (uint32_t i = 0; i < primitive->index_count; i += 3) {
    if (!smooth_moves(target, &primitive->indices[i])) continue;
    for (int k = 0; k < 3; k++) {
      const uint32_t point = surface->points[primitive->indices[i + k]];
      if (surface->is_touched[point]) continue;
      surface->is_touched[point] = 1;
      surface->touched[surface->touched_count++] = point;
      surface->sums[point] = (smooth_sum){0};
    }
  }
}

static void smooth_sum_triangles(smooth_surface *surface, const cook_target *target) {
  const cook_primitive *primitive = surface->primitive;
  for (uint32_t i = 0; i < primitive->index_count; i += 3) {
    const uint32_t *vertices = &primitive->indices[i];
    bool is_needed = false;
    for (int k = 0; k < 3; k++) is_needed = is_needed || surface->is_touched[surface->points[vertices[k]]];
    if (is_needed) smooth_add_triangle(surface, target, vertices);
  }
}

// -- Rotations --------------------------------------------------------------------------------------------------------

static vec3 rotation_apply(double (*rotation)[3], vec3 v) {
  return (vec3){rotation[0][0] * v.x + rotation[0][1] * v.y + rotation[0][2] * v.z,
                rotation[1][0] * v.x + rotation[1][1] * v.y + rotation[1][2] * v.z,
                rotation[2][0] * v.x + rotation[2][1] * v.y + rotation[2][2] * v.z};
}

/// to from^T, added to a matrix, times a factor.
static void rotation_add_outer(double rotation[3][3], vec3 to, vec3 from, double factor) {
  smooth_add_turn(rotation, vec3_scale(to, factor), from);
}

/// The shortest rotation from the unit vector n0 to n1 where they are not opposite: cos I + [axis]x + axis axis^T /
/// (1 + cos).
static void rotation_short_way(vec3 n0, vec3 n1, double rotation[3][3]) {
  const double cosine = vec3_dot(n0, n1);
  const vec3 axis = vec3_cross(n0, n1);
  const double start[3][3] = {{cosine, -axis.z, axis.y}, {axis.z, cosine, -axis.x}, {-axis.y, axis.x, cosine}};
  memcpy(rotation, start, sizeof start);
  rotation_add_outer(rotation, axis, axis, 1 / (1 + cosine));
}

/// Some rotation from n0 to n1: the shortest, or, where they are far apart, half a turn about an axis at a right angle
/// to n0 and then the short way from -n0. The turn about n1 that is found later makes up for the choice.
static void rotation_between(vec3 n0, vec3 n1, double rotation[3][3]) {
  if (vec3_dot(n0, n1) > -0.5) {
    rotation_short_way(n0, n1, rotation);
    return;
  }
  const vec3 axis = vec3_perpendicular(n0);
  double half[3][3] = {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, rest[3][3];
  rotation_add_outer(half, axis, axis, 2);
  rotation_short_way(vec3_scale(n0, -1), n1, rest);
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++)
      rotation[row][column] =
          rest[row][0] * half[0][column] + rest[row][1] * half[1][column] + rest[row][2] * half[2][column];
}

/// How far the edges turned about n1 beyond the rotation M from n0 to n1: cosine and sine, times the edges' lengths.
/// Sums over edges e (at rest) and f (moved), both laid into the plane of n1; turn holds the sum of f e^T.
static void smooth_find_turn(const smooth_sum *sum, double rotation[3][3], vec3 n0, vec3 n1, double *cosine,
                             double *sine) {
  double along = 0, by_rotated[3][3] = {{0}}; // by_rotated: sum of f (M e)^T
  for (int row = 0; row < 3; row++) {
    for (int column = 0; column < 3; column++) {
      along += rotation[row][column] * sum->turn[row][column];
      for (int k = 0; k < 3; k++) by_rotated[row][column] += sum->turn[row][k] * rotation[column][k];
    }
  }
  double turn[3][3];
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++) turn[row][column] = sum->turn[row][column];
  *cosine = along - vec3_dot(n1, rotation_apply(turn, n0));
  const vec3 cross = {by_rotated[2][1] - by_rotated[1][2], by_rotated[0][2] - by_rotated[2][0],
                      by_rotated[1][0] - by_rotated[0][1]};
  *sine = vec3_dot(n1, cross);
}

/// v turned about the unit vector axis.
static vec3 smooth_turn_about(vec3 v, vec3 axis, double cosine, double sine) {
  const vec3 along = vec3_scale(axis, vec3_dot(axis, v));
  const vec3 across = vec3_add(vec3_scale(vec3_sub(v, along), cosine), vec3_scale(vec3_cross(axis, v), sine));
  return vec3_add(along, across);
}

static vec3 smooth_delta(const smooth_surface *surface, uint32_t point) {
  const smooth_sum *sum = &surface->sums[point];
  const vec3 n0 = surface->normals[point], n1 = vec3_unit(sum->normal);
  if (vec3_is_zero(n0) || vec3_is_zero(n1)) return (vec3){0, 0, 0};
  const vec3 normal = vec3_of(surface->primitive->normals[point]);
  double rotation[3][3], cosine, sine;
  rotation_between(n0, n1, rotation);
  smooth_find_turn(sum, rotation, n0, n1, &cosine, &sine);
  const double length = sqrt(cosine * cosine + sine * sine);
  vec3 turned = rotation_apply(rotation, normal);
  if (length > VEC3_SHORTEST) turned = smooth_turn_about(turned, n1, cosine / length, sine / length);
  const vec3 delta = vec3_sub(turned, normal);
  return vec3_length(delta) < NORMAL_DELTA_SHORTEST ? (vec3){0, 0, 0} : delta;
}

void smooth_target(smooth_surface *surface, const cook_target *target, float (*normal_deltas)[3]) {
  smooth_touch(surface, target);
  smooth_sum_triangles(surface, target);
  for (uint32_t i = 0; i < surface->touched_count; i++)
    vec3_store(normal_deltas[surface->touched[i]], smooth_delta(surface, surface->touched[i]));
  for (uint32_t v = 0; v < surface->primitive->vertex_count; v++) {
    const uint32_t point = surface->points[v];
    for (int k = 0; k < 3 && point != v; k++) normal_deltas[v][k] = normal_deltas[point][k];
  }
}
