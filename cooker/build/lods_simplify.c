// lods_simplify.c: see lods_simplify.h. The simplifier knows positions at rest and nothing of movement, so its result
// is measured; triangles around vertices that are off by too much are taken out of its hands, and it works on the rest,
// whose open borders it keeps.
#include "cooker/build/lods_simplify.h"

#include <math.h>
#include <meshoptimizer.h>
#include <string.h>

#include "cooker/build/optimiser_memory.h"

#define SEARCH_STEPS    8u         ///< target errors tried, each twice the one before
#define SEARCH_ROUNDS   8u         ///< with one target error, each with more triangles kept
#define SEARCH_SWEEPS   2u         ///< times that all of them are tried
#define SEARCH_SMALLEST (1.0 / 32) ///< of the bound

/// Triangles of the surface, or of what it became so far: each step begins with what the one before has left, so what
/// must not lose more keeps what it has, not all that it had.
typedef struct lods_search {
  cook_job *job;
  const lods_surface *surface;
  double bound_m;
  lods_triangles now; ///< within the bound, or all triangles
  uint32_t *where;    ///< by place: as lods_surface_measure has it, of now
  bool *is_kept;      ///< by triangle of now: as it is
  lods_triangles trial;
  uint32_t *trial_where;
  float *errors; ///< by vertex
  uint32_t *local, *simplified;
} lods_search;

// -- One trial --------------------------------------------------------------------------------------------------------

/// Vertices that the triangles of search->local use, which the simplifier must not see any others beside. Renumbers
/// them; returns how many there are.
static uint32_t search_compact(const lods_search *search, uint32_t count, float (*positions)[3], uint32_t *old_of_new) {
  uint32_t *new_of_old = JOB_ARRAY(search->job, uint32_t, lods_vertex_count(search->surface)), used = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t old = search->local[i];
    if (new_of_old[old] == 0) {
      memcpy(positions[used], search->surface->rest[old], sizeof *positions);
      old_of_new[used++] = old;
      new_of_old[old] = used;
    }
    search->local[i] = new_of_old[old] - 1;
  }
  return used;
}

/// Simplifies the triangles of search->local. Returns how many corners are left in search->simplified. The simplifier's
/// use in version 0.18 is below 150 bytes a vertex and 60 an index.
static uint32_t search_simplify(const lods_search *search, uint32_t count, double target) {
  const cook_mark mark = job_mark(search->job);
  float(*positions)[3] = job_alloc(search->job, count, sizeof *positions);
  uint32_t *old_of_new = JOB_ARRAY(search->job, uint32_t, count);
  const uint32_t used = search_compact(search, count, positions, old_of_new);
  const float scale = used == 0 ? 0 : meshopt_simplifyScale(positions[0], used, 12);
  size_t left = 0;
  if (scale > 0) {
    optimiser_begin(search->job, 256 * (uint64_t)used + 128 * (uint64_t)count + 65536);
    left = meshopt_simplify(search->simplified, search->local, count, positions[0], used, 12, 0,
                            (float)(target / (double)scale), meshopt_SimplifyLockBorder, NULL);
    optimiser_end();
  }
  for (size_t i = 0; i < left; i++) search->simplified[i] = old_of_new[search->simplified[i]];
  job_release(search->job, mark);
  return (uint32_t)left;
}

static void search_try(const lods_search *search, double target) {
  const lods_surface *surface = search->surface;
  uint32_t *indices = search->trial.indices, count = 0;
  for (uint32_t part = 0; part < surface->part_count; part++) {
    uint32_t given = 0;
    search->trial.first_index[part] = count;
    for (uint32_t i = search->now.first_index[part]; i < search->now.first_index[part + 1]; i++) {
      if (search->is_kept[i / 3])
        indices[count++] = search->now.indices[i];
      else
        search->local[given++] = search->now.indices[i];
    }
    const uint32_t left = search_simplify(search, given, target);
    memcpy(indices + count, search->simplified, left * sizeof *indices);
    count += left;
  }
  search->trial.first_index[surface->part_count] = count;
}

// -- What is off ------------------------------------------------------------------------------------------------------

/// Marks the places where parts meet that a part has lost.
static void search_find_lost(const lods_search *search, bool *is_off) {
  const lods_surface *surface = search->surface;
  const lods_triangles *trial = &search->trial;
  const cook_mark mark = job_mark(search->job);
  uint32_t *part_of_place = JOB_ARRAY(search->job, uint32_t, surface->place_count);
  for (uint32_t part = 0; part < surface->part_count; part++) {
    for (uint32_t i = trial->first_index[part]; i < trial->first_index[part + 1]; i++)
      part_of_place[surface->place[trial->indices[i]]] = part + 1;
    for (uint32_t i = surface->first_index[part]; i < surface->first_index[part + 1]; i++) {
      const uint32_t place = surface->place[surface->indices[i]];
      if (surface->is_shared[place] && part_of_place[place] != part + 1) is_off[place] = true;
    }
  }
  job_release(search->job, mark);
}

/// Keeps the triangles around the places that are off, `rings` rings of them. A place that is gone already stands for
/// the triangle that it was compared with.
static void search_keep(const lods_search *search, const bool *is_off, uint32_t rings) {
  const lods_surface *surface = search->surface;
  const uint32_t index_count = search->now.first_index[surface->part_count];
  const cook_mark mark = job_mark(search->job);
  bool *is_near = job_copy(search->job, is_off, surface->place_count);
  for (uint32_t p = 0; p < surface->place_count; p++)
    for (uint32_t i = 0; is_off[p] && search->where[p] != MPAK_NONE && i < 3; i++)
      is_near[surface->place[search->now.indices[search->where[p] + i]]] = true;
  for (uint32_t ring = 0; ring < rings; ring++) {
    const uint32_t *corners = search->now.indices;
    for (uint32_t i = 0; i < index_count; i++)
      if (is_near[surface->place[corners[i]]]) search->is_kept[i / 3] = true;
    for (uint32_t i = 0; i < index_count; i++)
      if (search->is_kept[i / 3]) is_near[surface->place[corners[i]]] = true;
  }
  job_release(search->job, mark);
}

/// Measures the trial. False when it is not within the bound; triangles are kept then for the next one.
static bool search_check(lods_search *search, uint32_t rings) {
  const lods_surface *surface = search->surface;
  const cook_mark mark = job_mark(search->job);
  bool *is_off = JOB_ARRAY(search->job, bool, surface->place_count), is_any_off = false;
  lods_surface_measure(search->job, surface, search->trial.indices, search->trial.first_index[surface->part_count],
                       search->errors, search->trial_where);
  search_find_lost(search, is_off);
  search->trial.error_m = 0;
  for (uint32_t v = 0; v < lods_vertex_count(surface); v++) {
    if (!((double)search->errors[v] <= search->bound_m)) is_off[surface->place[v]] = true;
    if (search->errors[v] > search->trial.error_m) search->trial.error_m = search->errors[v];
  }
  for (uint32_t p = 0; p < surface->place_count; p++) is_any_off = is_any_off || is_off[p];
  if (is_any_off) search_keep(search, is_off, rings);
  job_release(search->job, mark);
  return !is_any_off;
}

// -- The search -------------------------------------------------------------------------------------------------------

static lods_triangles triangles_begin(cook_job *job, const lods_surface *surface) {
  return (lods_triangles){JOB_ARRAY(job, uint32_t, lods_index_count(surface)),
                          JOB_ARRAY(job, uint32_t, (uint64_t)surface->part_count + 1), 0};
}

static void triangles_copy(const lods_surface *surface, const lods_triangles *from, lods_triangles *to) {
  const uint32_t part_count = surface->part_count;
  memcpy(to->first_index, from->first_index, (part_count + (size_t)1) * sizeof *to->first_index);
  memcpy(to->indices, from->indices, from->first_index[part_count] * sizeof *to->indices);
  to->error_m = from->error_m;
}

static void search_take(lods_search *search) {
  triangles_copy(search->surface, &search->trial, &search->now);
  memcpy(search->where, search->trial_where, search->surface->place_count * sizeof *search->where);
}

/// One target error, with more and more triangles kept until what is left is within the bound.
static void search_step(lods_search *search, double target) {
  const uint32_t part_count = search->surface->part_count;
  memset(search->is_kept, 0, search->now.first_index[part_count] / 3);
  for (uint32_t round = 0; round < SEARCH_ROUNDS; round++) {
    search_try(search, target);
    if (search->trial.first_index[part_count] >= search->now.first_index[part_count]) return;
    if (!search_check(search, 1 + round / 2)) continue;
    search_take(search);
    return;
  }
}

static lods_search search_begin(cook_job *job, const lods_surface *surface, double bound_m) {
  const uint32_t index_count = lods_index_count(surface);
  lods_search search = {.job = job, .surface = surface, .bound_m = bound_m};
  search.now = triangles_begin(job, surface);
  search.trial = triangles_begin(job, surface);
  search.where = JOB_ARRAY(job, uint32_t, surface->place_count);
  search.trial_where = JOB_ARRAY(job, uint32_t, surface->place_count);
  search.is_kept = JOB_ARRAY(job, bool, index_count / 3);
  search.errors = JOB_ARRAY(job, float, lods_vertex_count(surface));
  search.local = JOB_ARRAY(job, uint32_t, index_count);
  search.simplified = JOB_ARRAY(job, uint32_t, index_count);
  return search;
}

/// Begins with these triangles; false when they are off by too much.
static bool search_take_start(lods_search *search, const lods_triangles *start) {
  triangles_copy(search->surface, start, &search->trial);
  const bool is_within = search_check(search, 0);
  search_take(search);
  return is_within;
}

void lods_simplify(cook_job *job, const lods_surface *surface, const lods_triangles *start, double bound_m,
                   double scene_per_mesh, lods_triangles *result) {
  *result = triangles_begin(job, surface);
  const cook_mark mark = job_mark(job);
  lods_search search = search_begin(job, surface, bound_m);
  const lods_triangles all = {(uint32_t *)(uintptr_t)surface->indices, (uint32_t *)(uintptr_t)surface->first_index, 0};
  search_take_start(&search, &all); // how far its places are from themselves, and where they are
  if (start != NULL && !search_take_start(&search, start)) search_take_start(&search, &all);
  for (uint32_t sweep = 0; sweep < SEARCH_SWEEPS; sweep++) {
    double target = SEARCH_SMALLEST * bound_m / scene_per_mesh;
    for (uint32_t step = 0; step < SEARCH_STEPS && target > 0; step++, target *= 2) search_step(&search, target);
  }
  triangles_copy(surface, &search.now, result);
  job_release(job, mark);
}
