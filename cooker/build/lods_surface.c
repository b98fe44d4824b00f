#include "cooker/build/lods_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SURFACE_VISITED_MOST 4096u ///< places asked on the way from a vertex that is gone to those that are left

// -- Places -----------------------------------------------------------------------------------------------------------

typedef struct surface_point {
  float position[3];
  uint32_t vertex;
} surface_point;

static bool surface_is_same_place(const surface_point *a, const surface_point *b) {
  return a->position[0] == b->position[0] && a->position[1] == b->position[1] && a->position[2] == b->position[2];
}

static int surface_compare_points(const void *left, const void *right) {
  const surface_point *a = left, *b = right;
  for (int axis = 0; axis < 3; axis++)
    if (a->position[axis] != b->position[axis]) return a->position[axis] < b->position[axis] ? -1 : 1;
  return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

static void surface_number_places(cook_job *job, lods_surface *surface) {
  const uint32_t count = lods_vertex_count(surface);
  surface->place = JOB_ARRAY(job, uint32_t, count);
  const cook_mark mark = job_mark(job);
  surface_point *points = JOB_ARRAY(job, surface_point, count);
  for (uint32_t v = 0; v < count; v++) {
    memcpy(points[v].position, surface->rest[v], sizeof points[v].position);
    points[v].vertex = v;
  }
  if (count > 1) qsort(points, count, sizeof *points, surface_compare_points);
  for (uint32_t i = 0; i < count; i++) {
    const bool is_new = i == 0 || !surface_is_same_place(&points[i], &points[i - 1]);
    surface->place_count += is_new;
    surface->place[points[i].vertex] = surface->place_count - 1;
  }
  job_release(job, mark);
}

static void surface_find_shared(cook_job *job, lods_surface *surface) {
  surface->is_shared = JOB_ARRAY(job, bool, surface->place_count);
  const cook_mark mark = job_mark(job);
  uint32_t *part_of_place = JOB_ARRAY(job, uint32_t, surface->place_count);
  for (uint32_t part = 0; part < surface->part_count; part++)
    for (uint32_t v = surface->first_vertex[part]; v < surface->first_vertex[part + 1]; v++) {
      uint32_t *owner = &part_of_place[surface->place[v]];
      if (*owner != 0 && *owner != part + 1) surface->is_shared[surface->place[v]] = true;
      *owner = part + 1;
    }
  job_release(job, mark);
}

static void surface_list_neighbours(cook_job *job, lods_surface *surface) {
  const uint32_t index_count = lods_index_count(surface), place_count = surface->place_count;
  uint32_t *starts = JOB_ARRAY(job, uint32_t, (uint64_t)place_count + 2);
  uint32_t *neighbours = JOB_ARRAY(job, uint32_t, 2 * (uint64_t)index_count);
  for (uint32_t i = 0; i < index_count; i++) starts[surface->place[surface->indices[i]] + 2] += 2;
  for (uint32_t p = 0; p < place_count; p++) starts[p + 2] += starts[p + 1];
  for (uint32_t i = 0; i < index_count; i++) {
    const uint32_t *corners = &surface->indices[i - i % 3];
    uint32_t *next = &starts[surface->place[surface->indices[i]] + 1];
    neighbours[(*next)++] = surface->place[corners[(i + 1) % 3]];
    neighbours[(*next)++] = surface->place[corners[(i + 2) % 3]];
  }
  surface->neighbour_starts = starts;
  surface->neighbours = neighbours;
}

void lods_surface_join(cook_job *job, lods_surface *surface) {
  surface_number_places(job, surface);
  surface_find_shared(job, surface);
  surface_list_neighbours(job, surface);
}

// -- The nearest place of a triangle ----------------------------------------------------------------------------------

typedef struct surface_vector {
  double x, y, z;
} surface_vector;

static surface_vector vector_from(const float *a, const float *b) {
  return (surface_vector){(double)b[0] - (double)a[0], (double)b[1] - (double)a[1], (double)b[2] - (double)a[2]};
}

static double vector_dot(surface_vector a, surface_vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// Where along the edge from 0 in direction edge the point is nearest, 0 … 1.
static double edge_nearest(surface_vector edge, surface_vector point) {
  const double length = vector_dot(edge, edge), at = length > 0 ? vector_dot(edge, point) / length : 0;
  return at < 0 ? 0 : at > 1 ? 1 : at;
}

static double shares_distance(surface_vector ab, surface_vector ac, surface_vector ap, const double shares[3]) {
  const surface_vector off = {ap.x - shares[1] * ab.x - shares[2] * ac.x, ap.y - shares[1] * ab.y - shares[2] * ac.y,
                              ap.z - shares[1] * ab.z - shares[2] * ac.z};
  return vector_dot(off, off);
}

static void shares_keep_nearer(surface_vector ab, surface_vector ac, surface_vector ap, double b, double c,
                               double *nearest, double shares[3]) {
  const double tried[3] = {1 - b - c, b, c};
  const double distance = shares_distance(ab, ac, ap, tried);
  if (!(distance < *nearest)) return;
  *nearest = distance;
  memcpy(shares, tried, sizeof tried);
}

double lods_triangle_nearest(const float *a, const float *b, const float *c, const float *point, double shares[3]) {
  const surface_vector ab = vector_from(a, b), ac = vector_from(a, c), ap = vector_from(a, point);
  const double bb = vector_dot(ab, ab), bc = vector_dot(ab, ac), cc = vector_dot(ac, ac);
  const double pb = vector_dot(ap, ab), pc = vector_dot(ap, ac), area = bb * cc - bc * bc;
  double nearest = INFINITY;
  const double v = area > 0 ? (cc * pb - bc * pc) / area : -1, w = area > 0 ? (bb * pc - bc * pb) / area : -1;
  if (v >= 0 && w >= 0 && v + w <= 1) shares_keep_nearer(ab, ac, ap, v, w, &nearest, shares);
  const surface_vector edge = vector_from(b, c), bp = vector_from(b, point);
  const double on_bc = edge_nearest(edge, bp);
  shares_keep_nearer(ab, ac, ap, edge_nearest(ab, ap), 0, &nearest, shares);
  shares_keep_nearer(ab, ac, ap, 0, edge_nearest(ac, ap), &nearest, shares);
  shares_keep_nearer(ab, ac, ap, 1 - on_bc, on_bc, &nearest, shares);
  return nearest;
}

// -- Which place of the smaller surface a vertex belongs to -----------------------------------------------------------

/// A place of the smaller surface.
typedef struct surface_spot {
  uint32_t triangle;   ///< its first corner in the indices, or MPAK_NONE
  uint32_t corners[3]; ///< vertices; MPAK_NONE: there is none
  float shares[3];
} surface_spot;

/// The smaller surface, by places, and room for the walk.
typedef struct surface_walk {
  const lods_surface *surface;
  const uint32_t *indices;
  bool *is_used;                         ///< by vertex: it is left
  uint32_t *keeper;                      ///< by place: a vertex that is left, or MPAK_NONE
  uint32_t *triangle_starts, *triangles; ///< by place: first corners of the triangles around it
  uint32_t *stamps;                      ///< by place: the last walk that saw it
  uint32_t *queue;
} surface_walk;

static surface_walk walk_begin(cook_job *job, const lods_surface *surface, const uint32_t *indices, uint32_t count) {
  const uint32_t places = surface->place_count;
  surface_walk walk = {.surface = surface, .indices = indices};
  walk.is_used = JOB_ARRAY(job, bool, lods_vertex_count(surface));
  walk.keeper = JOB_ARRAY(job, uint32_t, places);
  walk.triangle_starts = JOB_ARRAY(job, uint32_t, (uint64_t)places + 2);
  walk.triangles = JOB_ARRAY(job, uint32_t, count);
  walk.stamps = JOB_ARRAY(job, uint32_t, places);
  walk.queue = JOB_ARRAY(job, uint32_t, SURFACE_VISITED_MOST);
  for (uint32_t p = 0; p < places; p++) walk.keeper[p] = MPAK_NONE;
  for (uint32_t i = count; i-- > 0;) {
    walk.is_used[indices[i]] = true;
    walk.keeper[surface->place[indices[i]]] = indices[i];
  }
  for (uint32_t i = 0; i < count; i++) walk.triangle_starts[surface->place[indices[i]] + 2]++;
  for (uint32_t p = 0; p < places; p++) walk.triangle_starts[p + 2] += walk.triangle_starts[p + 1];
  for (uint32_t i = 0; i < count; i++)
    walk.triangles[walk.triangle_starts[surface->place[indices[i]] + 1]++] = i - i % 3;
  return walk;
}

/// Takes the triangles around a place that is left into account.
static void walk_ask(const surface_walk *walk, uint32_t place, const float *point, double *nearest,
                     surface_spot *spot) {
  const float(*rest)[3] = walk->surface->rest;
  for (uint32_t t = walk->triangle_starts[place]; t < walk->triangle_starts[place + 1]; t++) {
    const uint32_t *corners = &walk->indices[walk->triangles[t]];
    double shares[3] = {0, 0, 0};
    const double distance = lods_triangle_nearest(rest[corners[0]], rest[corners[1]], rest[corners[2]], point, shares);
    if (!(distance < *nearest)) continue;
    *nearest = distance;
    spot->triangle = walk->triangles[t];
    for (int i = 0; i < 3; i++) {
      spot->corners[i] = corners[i];
      spot->shares[i] = (float)shares[i];
    }
  }
}

/// Rings of places around one that is gone, until the ring behind the first in which one is left.
static surface_spot walk_find(surface_walk *walk, uint32_t place, const float *point) {
  const lods_surface *surface = walk->surface;
  surface_spot spot = {.triangle = MPAK_NONE, .corners = {MPAK_NONE, MPAK_NONE, MPAK_NONE}};
  double nearest = INFINITY;
  uint32_t count = 0, ring_end = 1, rings_left = UINT32_MAX;
  walk->stamps[place] = place + 1;
  walk->queue[count++] = place;
  for (uint32_t at = 0; at < count && rings_left != 0; at++) {
    const uint32_t here = walk->queue[at];
    if (walk->keeper[here] != MPAK_NONE) walk_ask(walk, here, point, &nearest, &spot);
    for (uint32_t n = surface->neighbour_starts[here]; n < surface->neighbour_starts[here + 1]; n++) {
      const uint32_t there = surface->neighbours[n];
      if (walk->stamps[there] == place + 1 || count == SURFACE_VISITED_MOST) continue;
      walk->stamps[there] = place + 1;
      walk->queue[count++] = there;
    }
    if (at + 1 != ring_end) continue;
    ring_end = count;
    if (rings_left != UINT32_MAX) rings_left--;
    if (rings_left == UINT32_MAX && spot.corners[0] != MPAK_NONE) rings_left = 1;
  }
  return spot;
}

static surface_spot spot_of_vertex(uint32_t vertex) {
  return (surface_spot){.triangle = MPAK_NONE, .corners = {vertex, vertex, vertex}, .shares = {1, 0, 0}};
}

/// By place. A place that is left is its own.
static surface_spot *walk_all(cook_job *job, surface_walk *walk) {
  const lods_surface *surface = walk->surface;
  surface_spot *spots = JOB_ARRAY(job, surface_spot, surface->place_count);
  bool *is_known = JOB_ARRAY(job, bool, surface->place_count);
  for (uint32_t v = 0; v < lods_vertex_count(surface); v++) {
    const uint32_t place = surface->place[v];
    if (is_known[place]) continue;
    is_known[place] = true;
    spots[place] = walk->keeper[place] != MPAK_NONE ? spot_of_vertex(walk->keeper[place])
                                                    : walk_find(walk, place, surface->rest[v]);
  }
  return spots;
}

// -- Distances --------------------------------------------------------------------------------------------------------

static float spot_distance(const float *vertex, const float (*moved)[3], const surface_spot *spot) {
  double sum = 0;
  for (int axis = 0; axis < 3; axis++) {
    double at = 0;
    for (int i = 0; i < 3; i++) at += (double)spot->shares[i] * (double)moved[spot->corners[i]][axis];
    const double off = (double)vertex[axis] - at;
    sum += off * off;
  }
  return (float)sqrt(sum);
}

void lods_surface_measure(cook_job *job, const lods_surface *surface, const uint32_t *indices, uint32_t index_count,
                          float *errors, uint32_t *where) {
  const cook_mark mark = job_mark(job);
  const uint32_t vertex_count = lods_vertex_count(surface);
  surface_walk walk = walk_begin(job, surface, indices, index_count);
  const surface_spot *spots = walk_all(job, &walk);
  for (uint32_t p = 0; where != NULL && p < surface->place_count; p++) where[p] = spots[p].triangle;
  for (uint32_t v = 0; v < vertex_count; v++) errors[v] = 0;
  for (uint32_t p = 0; p < surface->pose_count; p++) {
    const float(*before)[3] = surface->before + (uint64_t)p * vertex_count;
    const float(*after)[3] = surface->after + (uint64_t)p * vertex_count;
    for (uint32_t v = 0; v < vertex_count; v++) {
      const surface_spot own = spot_of_vertex(v), *spot = walk.is_used[v] ? &own : &spots[surface->place[v]];
      const float error = spot->corners[0] == MPAK_NONE ? INFINITY : spot_distance(before[v], after, spot);
      if (!(error <= errors[v])) errors[v] = error == error ? error : INFINITY;
    }
  }
  job_release(job, mark);
}
