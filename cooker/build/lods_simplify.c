// lods_simplify.c: see lods_simplify.h. A place goes by what the measure says of the triangles around it alone; many
// that are not near each other go in one round. Then all of the surface is measured, and those that were too much stay.
#include "cooker/build/lods_simplify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLLAPSE_ROUNDS    48u  ///< of one limit
#define COLLAPSE_LIMITS    4u   ///< each twice the one before, the last one the bound
#define COLLAPSE_REPEATS   6u   ///< of a round, each with fewer places that go
#define COLLAPSE_MOST_RING 32u  ///< triangles around a place that may go
#define COLLAPSE_TURN      0.25 ///< least cosine between a triangle's normals before and after

/// What becomes of a place.
typedef struct collapse_choice {
  uint32_t to; ///< place that it moves into; MPAK_NONE: it stays
  float error; ///< of what lies around it, then
} collapse_choice;

typedef struct collapse_run {
  cook_job *job;
  const lods_surface *surface;
  double bound_m;
  lods_triangles now, trial;
  uint32_t *vertex_starts, *vertices;    ///< by place: its vertices
  uint32_t *triangle_starts, *triangles; ///< by place: first corners of the triangles of now around it
  uint32_t *gone_starts, *gone;          ///< by triangle of now: places that lie on it
  uint32_t *where, *trial_where;         ///< as lods_surface_measure has it
  float *errors;                         ///< by vertex
  bool *is_locked;                       ///< by place: it stays
  bool *is_known;                        ///< by place: its choice is still right
  collapse_choice *choices;
  uint32_t *owner; ///< by place: the place of its ring that goes in this round, and 1; 0: none
  uint32_t *stamps, stamp;
  uint32_t *order;     ///< places that go in this round
  uint32_t worst_pose; ///< the last one in which something was too much; it is asked first
} collapse_run;

static uint32_t collapse_index_count(const collapse_run *run) { return run->now.first_index[run->surface->part_count]; }

// -- Lists ------------------------------------------------------------------------------------------------------------

/// Turns counts at [key + 2] into starts, for filling by [key + 1]++.
static void collapse_sum(uint32_t *starts, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) starts[i + 2] += starts[i + 1];
}

static void collapse_list_vertices(collapse_run *run) {
  const lods_surface *surface = run->surface;
  const uint32_t count = lods_vertex_count(surface);
  run->vertex_starts = JOB_ARRAY(run->job, uint32_t, (uint64_t)surface->place_count + 2);
  run->vertices = JOB_ARRAY(run->job, uint32_t, count);
  for (uint32_t v = 0; v < count; v++) run->vertex_starts[surface->place[v] + 2]++;
  collapse_sum(run->vertex_starts, surface->place_count);
  for (uint32_t v = 0; v < count; v++) run->vertices[run->vertex_starts[surface->place[v] + 1]++] = v;
}

static void collapse_list_triangles(collapse_run *run) {
  const uint32_t *place = run->surface->place, count = collapse_index_count(run);
  memset(run->triangle_starts, 0, (run->surface->place_count + (size_t)2) * sizeof *run->triangle_starts);
  for (uint32_t i = 0; i < count; i++) run->triangle_starts[place[run->now.indices[i]] + 2]++;
  collapse_sum(run->triangle_starts, run->surface->place_count);
  for (uint32_t i = 0; i < count; i++)
    run->triangles[run->triangle_starts[place[run->now.indices[i]] + 1]++] = i - i % 3;
}

static void collapse_list_gone(collapse_run *run) {
  const uint32_t places = run->surface->place_count, count = collapse_index_count(run) / 3;
  memset(run->gone_starts, 0, (count + (size_t)2) * sizeof *run->gone_starts);
  for (uint32_t p = 0; p < places; p++)
    if (run->where[p] != MPAK_NONE) run->gone_starts[run->where[p] / 3 + 2]++;
  collapse_sum(run->gone_starts, count);
  for (uint32_t p = 0; p < places; p++)
    if (run->where[p] != MPAK_NONE) run->gone[run->gone_starts[run->where[p] / 3 + 1]++] = p;
}

// -- May a place go? --------------------------------------------------------------------------------------------------

/// The corner of a triangle that is at a place; 3: none.
static uint32_t corner_at(const collapse_run *run, uint32_t triangle, uint32_t place) {
  uint32_t c = 0;
  while (c < 3 && run->surface->place[run->now.indices[triangle + c]] != place) c++;
  return c;
}

/// The vertex of `to` that a vertex of `from` becomes: the one on its side of the edge between them. MPAK_NONE: none,
/// or several.
static uint32_t collapse_vertex(const collapse_run *run, uint32_t from, uint32_t vertex, uint32_t to) {
  uint32_t found = MPAK_NONE;
  for (uint32_t t = run->triangle_starts[from]; t < run->triangle_starts[from + 1]; t++) {
    const uint32_t *corners = run->now.indices + run->triangles[t];
    const uint32_t at = corner_at(run, run->triangles[t], from), other = corner_at(run, run->triangles[t], to);
    if (other == 3 || corners[at] != vertex) continue;
    if (found != MPAK_NONE && found != corners[other]) return MPAK_NONE;
    found = corners[other];
  }
  return found;
}

/// Is each edge at the place between two triangles?
static bool collapse_is_inside(const collapse_run *run, uint32_t place) {
  const uint32_t first = run->triangle_starts[place], end = run->triangle_starts[place + 1];
  if (end - first < 3 || end - first > COLLAPSE_MOST_RING) return false;
  for (uint32_t t = first; t < end; t++) {
    const uint32_t *corners = run->now.indices + run->triangles[t], at = corner_at(run, run->triangles[t], place);
    const uint32_t next = run->surface->place[corners[(at + 1) % 3]];
    uint32_t forward = 0, back = 0; // the edge as it leaves the place, and as it comes to it
    for (uint32_t u = first; u < end; u++) {
      const uint32_t *others = run->now.indices + run->triangles[u], own = corner_at(run, run->triangles[u], place);
      forward += run->surface->place[others[(own + 1) % 3]] == next;
      back += run->surface->place[others[(own + 2) % 3]] == next;
    }
    if (forward != 1 || back != 1) return false;
  }
  return true;
}

/// Two places with an edge between them have two neighbours in common; with more, triangles would fall on one another.
static bool collapse_keeps_surface(collapse_run *run, uint32_t from, uint32_t to) {
  uint32_t common = 0;
  run->stamp += 2;
  for (uint32_t side = 0; side < 2; side++) {
    const uint32_t place = side == 0 ? from : to;
    for (uint32_t t = run->triangle_starts[place]; t < run->triangle_starts[place + 1]; t++)
      for (uint32_t c = 0; c < 3; c++) {
        uint32_t *stamp = &run->stamps[run->surface->place[run->now.indices[run->triangles[t] + c]]];
        if (side == 1 && *stamp == run->stamp) common++;
        if (side == 0 || *stamp == run->stamp) *stamp = run->stamp + side;
      }
  }
  return common == 4; // with the two places themselves
}

static void collapse_normal(const float *a, const float *b, const float *c, double normal[3]) {
  for (int axis = 0; axis < 3; axis++) {
    const int y = (axis + 1) % 3, z = (axis + 2) % 3;
    normal[axis] = ((double)b[y] - (double)a[y]) * ((double)c[z] - (double)a[z]) -
                   ((double)b[z] - (double)a[z]) * ((double)c[y] - (double)a[y]);
  }
}

static double collapse_dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static bool collapse_turns(const collapse_run *run, const uint32_t *before, const uint32_t *after) {
  const float(*rest)[3] = run->surface->rest;
  double old[3], moved[3];
  collapse_normal(rest[before[0]], rest[before[1]], rest[before[2]], old);
  collapse_normal(rest[after[0]], rest[after[1]], rest[after[2]], moved);
  return !(collapse_dot(old, moved) > COLLAPSE_TURN * sqrt(collapse_dot(old, old) * collapse_dot(moved, moved)));
}

/// The triangles around a place when it has moved. Returns how many; 0 when it may not.
static uint32_t collapse_move(const collapse_run *run, uint32_t from, uint32_t to, uint32_t (*moved)[3]) {
  uint32_t count = 0;
  for (uint32_t t = run->triangle_starts[from]; t < run->triangle_starts[from + 1]; t++) {
    const uint32_t *corners = run->now.indices + run->triangles[t], at = corner_at(run, run->triangles[t], from);
    const uint32_t vertex = collapse_vertex(run, from, corners[at], to);
    if (vertex == MPAK_NONE) return 0;
    if (corner_at(run, run->triangles[t], to) != 3) continue;
    memcpy(moved[count], corners, sizeof moved[count]);
    moved[count][at] = vertex;
    if (collapse_turns(run, corners, moved[count])) return 0;
    count++;
  }
  return count;
}

// -- What it does -----------------------------------------------------------------------------------------------------

static double collapse_distance(const lods_surface *surface, uint32_t pose, uint32_t vertex, const uint32_t *corners,
                                const double shares[3]) {
  const uint64_t first = (uint64_t)pose * lods_vertex_count(surface);
  const float *own = surface->before[first + vertex];
  double sum = 0;
  for (int axis = 0; axis < 3; axis++) {
    double off = (double)own[axis];
    for (int i = 0; i < 3; i++) off -= shares[i] * (double)surface->after[first + corners[i]][axis];
    sum += off * off;
  }
  return sqrt(sum);
}

/// Largest error of a place on the nearest of the triangles, over all poses; INFINITY when it is not below `most`.
static double collapse_place_error(collapse_run *run, uint32_t place, const uint32_t (*moved)[3], uint32_t count,
                                   double most) {
  const lods_surface *surface = run->surface;
  const float(*rest)[3] = surface->rest;
  const uint32_t first = run->vertex_starts[place], poses = surface->pose_count, *corners = moved[0];
  double shares[3] = {1, 0, 0}, nearest = INFINITY, largest = 0;
  for (uint32_t t = 0; t < count; t++) {
    double tried[3] = {1, 0, 0};
    const double distance = lods_triangle_nearest(rest[moved[t][0]], rest[moved[t][1]], rest[moved[t][2]],
                                                  rest[run->vertices[first]], tried);
    if (!(distance < nearest)) continue;
    nearest = distance;
    corners = moved[t];
    memcpy(shares, tried, sizeof shares);
  }
  for (uint32_t v = first; v < run->vertex_starts[place + 1]; v++)
    for (uint32_t p = 0; p < poses; p++) {
      const uint32_t pose = p == 0 ? run->worst_pose : p == run->worst_pose ? 0 : p;
      const double error = collapse_distance(surface, pose, run->vertices[v], corners, shares);
      if (error <= largest) continue;
      largest = error;
      if (largest < most) continue;
      run->worst_pose = pose;
      return INFINITY;
    }
  return largest;
}

/// Largest error of the place and of those that lie on the triangles around it.
static double collapse_error(collapse_run *run, uint32_t from, const uint32_t (*moved)[3], uint32_t count,
                             double most) {
  double largest = collapse_place_error(run, from, moved, count, most);
  for (uint32_t t = run->triangle_starts[from]; t < run->triangle_starts[from + 1] && largest < most; t++) {
    const uint32_t triangle = run->triangles[t] / 3;
    for (uint32_t g = run->gone_starts[triangle]; g < run->gone_starts[triangle + 1] && largest < most; g++)
      largest = fmax(largest, collapse_place_error(run, run->gone[g], moved, count, most));
  }
  return largest;
}

static collapse_choice collapse_choose(collapse_run *run, uint32_t place) {
  collapse_choice best = {MPAK_NONE, INFINITY};
  if (run->is_locked[place] || !collapse_is_inside(run, place)) return best;
  double least = run->bound_m;
  for (uint32_t t = run->triangle_starts[place]; t < run->triangle_starts[place + 1]; t++) {
    const uint32_t *corners = run->now.indices + run->triangles[t], at = corner_at(run, run->triangles[t], place);
    const uint32_t to = run->surface->place[corners[(at + 1) % 3]]; // each neighbour once
    uint32_t moved[COLLAPSE_MOST_RING][3];
    if (!collapse_keeps_surface(run, place, to)) continue;
    const uint32_t count = collapse_move(run, place, to, moved);
    if (count == 0) continue;
    const double error = collapse_error(run, place, (const uint32_t(*)[3])moved, count, least);
    if (!(error < least)) continue;
    least = error;
    best = (collapse_choice){to, (float)error};
  }
  return best;
}

// -- Rounds -----------------------------------------------------------------------------------------------------------

static int collapse_compare(const void *left, const void *right, void *user) {
  const collapse_run *run = user;
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  if (run->choices[a].error != run->choices[b].error) return run->choices[a].error < run->choices[b].error ? -1 : 1;
  return a < b ? -1 : a > b;
}

/// Takes the places of the triangles around one for it, or finds them taken.
static bool collapse_claim(collapse_run *run, uint32_t place) {
  for (uint32_t pass = 0; pass < 2; pass++)
    for (uint32_t t = run->triangle_starts[place]; t < run->triangle_starts[place + 1]; t++)
      for (uint32_t c = 0; c < 3; c++) {
        uint32_t *owner = &run->owner[run->surface->place[run->now.indices[run->triangles[t] + c]]];
        if (pass == 0 && *owner != 0) return false;
        if (pass == 1) *owner = place + 1;
      }
  return true;
}

/// The places that go in this round, into run->order. Returns how many.
static uint32_t collapse_select(collapse_run *run, double limit) {
  uint32_t found = 0, count = 0;
  for (uint32_t p = 0; p < run->surface->place_count; p++) {
    if (run->triangle_starts[p] == run->triangle_starts[p + 1]) continue;
    if (!run->is_known[p]) run->choices[p] = collapse_choose(run, p);
    run->is_known[p] = true;
    if (run->choices[p].to != MPAK_NONE && (double)run->choices[p].error <= limit) run->order[found++] = p;
  }
  if (found > 1) qsort_r(run->order, found, sizeof *run->order, collapse_compare, run);
  memset(run->owner, 0, run->surface->place_count * sizeof *run->owner);
  for (uint32_t i = 0; i < found; i++)
    if (collapse_claim(run, run->order[i])) run->order[count++] = run->order[i];
  return count;
}

/// run->trial: the triangles of now with the places that go moved.
static void collapse_apply(collapse_run *run, const bool *goes) {
  const lods_surface *surface = run->surface;
  uint32_t count = 0;
  for (uint32_t part = 0; part < surface->part_count; part++) {
    run->trial.first_index[part] = count;
    for (uint32_t i = run->now.first_index[part]; i < run->now.first_index[part + 1]; i += 3) {
      uint32_t corners[3];
      memcpy(corners, &run->now.indices[i], sizeof corners);
      bool stays = true;
      for (uint32_t c = 0; c < 3 && stays; c++) {
        const uint32_t place = surface->place[corners[c]];
        if (!goes[place]) continue;
        stays = corner_at(run, i, run->choices[place].to) == 3;
        if (stays) corners[c] = collapse_vertex(run, place, corners[c], run->choices[place].to);
      }
      if (!stays) continue;
      memcpy(run->trial.indices + count, corners, sizeof corners);
      count += 3;
    }
  }
  run->trial.first_index[surface->part_count] = count;
}

static bool collapse_hold_owner(collapse_run *run, uint32_t place, bool *goes) {
  const uint32_t owner = run->owner[place];
  if (owner == 0) return false;
  goes[owner - 1] = false;
  run->is_locked[owner - 1] = true;
  return true;
}

/// Places that go near one that is off stay: around it, where it lies, and where it lay. False when there are none.
static bool collapse_hold(collapse_run *run, uint32_t place, bool *goes) {
  const uint32_t *of = run->surface->place, *now = run->now.indices, *trial = run->trial.indices;
  bool is_any = collapse_hold_owner(run, place, goes);
  for (uint32_t c = 0; run->trial_where[place] != MPAK_NONE && c < 3; c++)
    if (collapse_hold_owner(run, of[trial[run->trial_where[place] + c]], goes)) is_any = true;
  for (uint32_t c = 0; run->where[place] != MPAK_NONE && c < 3; c++)
    if (collapse_hold_owner(run, of[now[run->where[place] + c]], goes)) is_any = true;
  return is_any;
}

/// Measures the trial. Holds places that are too much; false when there were any. is_lost: nothing can be held for one.
static bool collapse_check(collapse_run *run, bool *goes, bool *is_lost) {
  const lods_surface *surface = run->surface;
  bool is_within = true;
  lods_surface_measure(run->job, surface, run->trial.indices, run->trial.first_index[surface->part_count], run->errors,
                       run->trial_where);
  run->trial.error_m = 0;
  for (uint32_t v = 0; v < lods_vertex_count(surface); v++) {
    if (run->errors[v] > run->trial.error_m) run->trial.error_m = run->errors[v];
    if ((double)run->errors[v] <= run->bound_m) continue;
    is_within = false;
    if (!collapse_hold(run, surface->place[v], goes)) *is_lost = true;
  }
  return is_within;
}

static void collapse_copy(const lods_surface *surface, const lods_triangles *from, lods_triangles *to) {
  memcpy(to->first_index, from->first_index, (surface->part_count + (size_t)1) * sizeof *to->first_index);
  memcpy(to->indices, from->indices, from->first_index[surface->part_count] * sizeof *to->indices);
  to->error_m = from->error_m;
}

/// The trial is what is left; choices near what went are made anew.
static void collapse_take(collapse_run *run) {
  for (uint32_t p = 0; p < run->surface->place_count; p++)
    if (run->owner[p] != 0) run->is_known[p] = false;
  collapse_copy(run->surface, &run->trial, &run->now);
  memcpy(run->where, run->trial_where, run->surface->place_count * sizeof *run->where);
  collapse_list_triangles(run);
  collapse_list_gone(run);
}

/// Applies and measures until what goes is within the bound: each time fewer go, those that were too much stay; where
/// none can be blamed, only the cheaper half is tried again.
static bool collapse_try(collapse_run *run, uint32_t count, bool *goes) {
  for (uint32_t i = 0; i < count; i++) goes[run->order[i]] = true;
  for (uint32_t r = 0; r < COLLAPSE_REPEATS && count > 0; r++) {
    bool is_lost = false;
    collapse_apply(run, goes);
    if (collapse_check(run, goes, &is_lost)) return true;
    for (uint32_t i = count / 2; is_lost && i < count; i++) goes[run->order[i]] = false;
    if (is_lost) count /= 2;
  }
  return false;
}

/// One round. False when nothing went.
static bool collapse_round(collapse_run *run, double limit) {
  const cook_mark mark = job_mark(run->job);
  bool *goes = JOB_ARRAY(run->job, bool, run->surface->place_count);
  const uint32_t before = collapse_index_count(run);
  if (collapse_try(run, collapse_select(run, limit), goes)) collapse_take(run);
  for (uint32_t p = 0; p < run->surface->place_count; p++)
    if (run->is_locked[p]) run->choices[p].to = MPAK_NONE;
  job_release(run->job, mark);
  return collapse_index_count(run) < before;
}

// -- All --------------------------------------------------------------------------------------------------------------

static lods_triangles collapse_triangles(cook_job *job, const lods_surface *surface) {
  return (lods_triangles){JOB_ARRAY(job, uint32_t, lods_index_count(surface)),
                          JOB_ARRAY(job, uint32_t, (uint64_t)surface->part_count + 1), 0};
}

static collapse_run collapse_begin(cook_job *job, const lods_surface *surface, double bound_m) {
  const uint32_t places = surface->place_count, index_count = lods_index_count(surface);
  collapse_run run = {.job = job, .surface = surface, .bound_m = bound_m};
  collapse_list_vertices(&run);
  run.trial = collapse_triangles(job, surface);
  run.triangle_starts = JOB_ARRAY(job, uint32_t, (uint64_t)places + 2);
  run.triangles = JOB_ARRAY(job, uint32_t, index_count);
  run.gone_starts = JOB_ARRAY(job, uint32_t, (uint64_t)index_count / 3 + 2);
  run.gone = JOB_ARRAY(job, uint32_t, places);
  run.where = JOB_ARRAY(job, uint32_t, places);
  run.trial_where = JOB_ARRAY(job, uint32_t, places);
  run.errors = JOB_ARRAY(job, float, lods_vertex_count(surface));
  run.is_locked = job_copy(job, surface->is_shared, places);
  run.is_known = JOB_ARRAY(job, bool, places);
  run.choices = JOB_ARRAY(job, collapse_choice, places);
  run.owner = JOB_ARRAY(job, uint32_t, places);
  run.stamps = JOB_ARRAY(job, uint32_t, places);
  run.order = JOB_ARRAY(job, uint32_t, places);
  return run;
}

/// Begins with these triangles; false when they are off by too much.
static bool collapse_start(collapse_run *run, const lods_triangles *start) {
  const lods_surface *surface = run->surface;
  collapse_copy(surface, start, &run->now);
  lods_surface_measure(run->job, surface, run->now.indices, collapse_index_count(run), run->errors, run->where);
  run->now.error_m = 0;
  for (uint32_t v = 0; v < lods_vertex_count(surface); v++)
    if (!(run->errors[v] <= run->now.error_m)) run->now.error_m = run->errors[v];
  collapse_list_triangles(run);
  collapse_list_gone(run);
  return (double)run->now.error_m <= run->bound_m;
}

void lods_simplify(cook_job *job, const lods_surface *surface, const lods_triangles *start, double bound_m,
                   lods_triangles *result) {
  *result = collapse_triangles(job, surface);
  const cook_mark mark = job_mark(job);
  collapse_run run = collapse_begin(job, surface, bound_m);
  const lods_triangles all = {(uint32_t *)(uintptr_t)surface->indices, (uint32_t *)(uintptr_t)surface->first_index, 0};
  run.now = *result;
  const bool is_within = (start != NULL && collapse_start(&run, start)) || collapse_start(&run, &all);
  for (uint32_t step = COLLAPSE_LIMITS; is_within && step-- > 0;)
    for (uint32_t round = 0; round < COLLAPSE_ROUNDS; round++)
      if (!collapse_round(&run, ldexp(bound_m, -(int)step))) break;
  result->error_m = run.now.error_m;
  job_release(job, mark);
}
