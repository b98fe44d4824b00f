// split.c: sections. A primitive whose bones exceed the limit becomes several draw units with a BoneMap each: its
// triangles are shared out, and a vertex that two sections need is made twice, with all its streams and its sources.
// Connected shells stay whole where they can; whatever way needs the fewest sections wins, then the one that makes the
// fewest vertices.
#include "cooker/build/split.h"

#include <stdlib.h>
#include <string.h>

#include "cooker/build/build_where.h"

#define SPLIT_JOINTS 65536u
// Enough for millions of triangles; a few seconds at most.
#define SPLIT_STEPS        (UINT64_C(1) << 27)
#define SPLIT_MAX_SECTIONS 65536u // of a part (SPEC.md)

/// One way to share the triangles out.
typedef struct split_way {
  uint32_t section_count;
  uint64_t vertex_count; ///< of all sections together
  uint32_t *section_of_triangle;
} split_way;

// -- Bones ------------------------------------------------------------------------------------------------------------

/// Numbers the joints that vertices use, ascending. Returns how many.
static uint32_t split_number_bones(const cook_primitive *primitive, const bool *is_used, uint32_t *bone_of_joint) {
  for (uint32_t j = 0; j < SPLIT_JOINTS; ++j) bone_of_joint[j] = MPAK_NONE;
  for (uint32_t v = 0; v < primitive->vertex_count; ++v) {
    const uint64_t first = (uint64_t)v * primitive->influence_count;
    for (uint32_t i = 0; is_used[v] && i < primitive->influence_count; ++i)
      if (primitive->weights[first + i] > 0) bone_of_joint[primitive->joints[first + i]] = 0;
  }
  uint32_t count = 0;
  for (uint32_t j = 0; j < SPLIT_JOINTS; ++j)
    if (bone_of_joint[j] != MPAK_NONE) bone_of_joint[j] = count++;
  return count;
}

static bool *split_mark_used(cook_job *job, const cook_primitive *primitive) {
  bool *is_used = JOB_ARRAY(job, bool, primitive->vertex_count);
  for (uint32_t i = 0; i < primitive->index_count; ++i) is_used[primitive->indices[i]] = true;
  return is_used;
}

static bool *split_mark_all(cook_job *job, const cook_primitive *primitive) {
  bool *is_used = JOB_ARRAY(job, bool, primitive->vertex_count);
  memset(is_used, 1, primitive->vertex_count);
  return is_used;
}

/// The most influences of a vertex.
static uint32_t split_most_influences(const cook_primitive *primitive) {
  uint32_t most = 0;
  for (uint32_t v = 0; v < primitive->vertex_count; ++v) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < primitive->influence_count; ++i)
      count += primitive->weights[(uint64_t)v * primitive->influence_count + i] > 0;
    if (count > most) most = count;
  }
  return most;
}

/// Fails the job when the limit is too low for a triangle whose vertices share no bone.
static void split_check_limit(cook_job *job, const cook_mesh *mesh, const cook_primitive *primitive, uint32_t limit) {
  const uint32_t most = split_most_influences(primitive);
  if (3 * most <= limit) return;
  cook_where where = build_where_primitive(mesh, primitive);
  where.value = job_format(job, "%u", most);
  where.limit = job_format(job, "%u", limit);
  job_fail(job, MPAK_C030, where);
}

// -- Ways -------------------------------------------------------------------------------------------------------------

/// Numbers of the triangles section by section, ascending in each: those of section s are triangles[starts[s] ..
/// starts[s + 1]).
static void split_sort_triangles(const split_way *way, uint32_t triangle_count, uint32_t *starts, uint32_t *triangles) {
  memset(starts, 0, ((size_t)way->section_count + 1) * sizeof *starts);
  for (uint32_t t = 0; t < triangle_count; ++t) ++starts[way->section_of_triangle[t]];
  for (uint32_t s = 0, sum = 0; s <= way->section_count; ++s) {
    sum += starts[s];
    starts[s] = sum; // the end of section s; counted down to its start
  }
  for (uint32_t t = triangle_count; t-- > 0;) triangles[--starts[way->section_of_triangle[t]]] = t;
}

/// Vertices that the sections have together: one for each section that uses it.
static uint64_t split_count_vertices(cook_job *job, const cook_primitive *primitive, const split_way *way) {
  const uint32_t triangle_count = primitive->index_count / 3;
  const cook_mark mark = job_mark(job);
  uint32_t *stamps = JOB_ARRAY(job, uint32_t, primitive->vertex_count);
  uint32_t *triangles = JOB_ARRAY(job, uint32_t, triangle_count);
  uint32_t *starts = JOB_ARRAY(job, uint32_t, (uint64_t)way->section_count + 1);
  split_sort_triangles(way, triangle_count, starts, triangles);
  uint64_t count = 0;
  for (uint32_t s = 0; s < way->section_count; ++s) {
    for (uint32_t i = 3 * starts[s]; i < 3 * starts[s + 1]; ++i) {
      uint32_t *stamp = &stamps[primitive->indices[3 * triangles[i / 3] + i % 3]];
      count += *stamp != s + 1;
      *stamp = s + 1;
    }
  }
  job_release(job, mark);
  return count;
}

/// Sections in the order of their first triangles.
static void split_number_sections(cook_job *job, const split_way *way, uint32_t triangle_count) {
  const cook_mark mark = job_mark(job);
  uint32_t *new_of_old = JOB_ARRAY(job, uint32_t, way->section_count);
  memset(new_of_old, 0xFF, way->section_count * sizeof *new_of_old);
  uint32_t count = 0;
  for (uint32_t t = 0; t < triangle_count; ++t) {
    uint32_t *section = &way->section_of_triangle[t];
    if (new_of_old[*section] == MPAK_NONE) new_of_old[*section] = count++;
    *section = new_of_old[*section];
  }
  job_release(job, mark);
}

/// Keeps a way when it is better than the best so far.
static void split_consider(cook_job *job, const cook_primitive *primitive, split_way *way, split_way *best) {
  if (way->section_count > best->section_count) return;
  way->vertex_count = split_count_vertices(job, primitive, way);
  if (way->section_count == best->section_count && way->vertex_count >= best->vertex_count) return;
  best->section_count = way->section_count;
  best->vertex_count = way->vertex_count;
  memcpy(best->section_of_triangle, way->section_of_triangle, primitive->index_count / 3 * sizeof(uint32_t));
}

static void split_try(cook_job *job, const cook_primitive *primitive, const split_pieces *pieces, uint32_t limit,
                      split_way *best) {
  split_budget budget = {SPLIT_STEPS};
  split_plan plan;
  if (!split_merge(job, pieces, limit, &budget, &plan)) return;
  split_way way = {plan.section_count, 0, JOB_ARRAY(job, uint32_t, pieces->triangle_count)};
  for (uint32_t t = 0; t < pieces->triangle_count; ++t)
    way.section_of_triangle[t] = plan.section_of_piece[pieces->piece_of_triangle[t]];
  split_consider(job, primitive, &way, best);
}

/// The best way to share the triangles out. bone_of_joint: by joint, for joints that triangles use.
static void split_choose(cook_job *job, const cook_primitive *primitive, const uint32_t *bone_of_joint,
                         uint32_t bone_count, uint32_t limit, split_way *best) {
  const split_pieces sets = split_sets(job, primitive, bone_of_joint, bone_count);
  best->section_count = split_greedy(job, &sets, limit, best->section_of_triangle);
  best->vertex_count = split_count_vertices(job, primitive, best);
  const split_pieces shells = split_shells(job, primitive, &sets, limit, false);
  const split_pieces places = split_shells(job, primitive, &sets, limit, true);
  const split_pieces *ways[] = {&shells, &places, &sets};
  for (uint32_t w = 0; w < sizeof ways / sizeof ways[0]; ++w) {
    const cook_mark mark = job_mark(job);
    split_try(job, primitive, ways[w], limit, best);
    job_release(job, mark);
  }
}

// -- The primitive made anew ------------------------------------------------------------------------------------------

static int split_compare_numbers(const void *left, const void *right) {
  const uint32_t *a = left, *b = right;
  return (*a > *b) - (*a < *b);
}

/// Numbers of the vertices that the triangles of a section use, ascending. Returns how many.
static uint32_t split_list_vertices(const cook_primitive *primitive, const uint32_t *triangles, uint32_t count,
                                    uint32_t section, uint32_t *stamps, uint32_t *vertices) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < 3 * count; ++i) {
    const uint32_t vertex = primitive->indices[3 * triangles[i / 3] + i % 3];
    if (stamps[vertex] == section + 1) continue;
    stamps[vertex] = section + 1;
    vertices[found++] = vertex;
  }
  if (found > 1) qsort(vertices, found, sizeof *vertices, split_compare_numbers);
  return found;
}

/// Triangles and vertices of one section, behind those of the sections before it. new_of_old: scratch, by vertex.
static void split_move_section(const cook_primitive *primitive, const uint32_t *triangles, uint32_t *new_of_old,
                               const uint32_t *old_of_new, cook_section_range *range, uint32_t *indices) {
  for (uint32_t v = 0; v < range->vertex_count; ++v)
    new_of_old[old_of_new[range->first_vertex + v]] = range->first_vertex + v;
  for (uint32_t i = 0; i < range->index_count; ++i)
    indices[range->first_index + i] = new_of_old[primitive->indices[3 * triangles[i / 3] + i % 3]];
}

static void split_apply(cook_job *job, cook_primitive *primitive, const split_way *way) {
  const uint32_t triangle_count = primitive->index_count / 3;
  primitive->section_count = way->section_count;
  primitive->sections = JOB_ARRAY(job, cook_section_range, way->section_count);
  uint32_t *indices = JOB_ARRAY(job, uint32_t, primitive->index_count);
  uint32_t *old_of_new = JOB_ARRAY(job, uint32_t, way->vertex_count);
  const cook_mark mark = job_mark(job);
  uint32_t *starts = JOB_ARRAY(job, uint32_t, (uint64_t)way->section_count + 1);
  uint32_t *triangles = JOB_ARRAY(job, uint32_t, triangle_count);
  uint32_t *stamps = JOB_ARRAY(job, uint32_t, primitive->vertex_count);
  uint32_t *new_of_old = JOB_ARRAY(job, uint32_t, primitive->vertex_count);
  split_sort_triangles(way, triangle_count, starts, triangles);
  uint32_t vertex_count = 0;
  for (uint32_t s = 0; s < way->section_count; ++s) {
    const uint32_t *own = triangles + starts[s], count = starts[s + 1] - starts[s];
    cook_section_range *range = &primitive->sections[s];
    *range = (cook_section_range){3 * starts[s], 3 * count, vertex_count, 0};
    range->vertex_count = split_list_vertices(primitive, own, count, s, stamps, old_of_new + vertex_count);
    split_move_section(primitive, own, new_of_old, old_of_new, range, indices);
    vertex_count += range->vertex_count;
  }
  job_release(job, mark);
  primitive->indices = indices;
  remap_vertices(job, primitive, old_of_new, vertex_count);
  remap_finish_source_map(job, primitive);
}

static void split_check_size(cook_job *job, const split_way *way) {
  if (way->vertex_count > UINT32_MAX) job_fail(job, MPAK_C015, COOK_WHERE);
  if (way->section_count <= SPLIT_MAX_SECTIONS) return;
  cook_where where = COOK_WHERE;
  where.value = job_format(job, "%u sections of a part", way->section_count);
  where.limit = job_format(job, "%u", SPLIT_MAX_SECTIONS);
  job_fail(job, MPAK_C052, where);
}

static void split_report(cook_job *job, const cook_mesh *mesh, const cook_primitive *primitive, uint32_t bone_count,
                         uint32_t limit) {
  cook_where where = build_where_primitive(mesh, primitive);
  where.value = job_format(job, "%u bones became %u sections", bone_count, primitive->section_count);
  where.limit = job_format(job, "%u", limit);
  job_issue(job, MPAK_C031, where);
}

static void split_primitive(cook_job *job, const cook_mesh *mesh, cook_primitive *primitive, uint32_t limit) {
  if (primitive->influence_count == 0 || primitive->index_count == 0) return;
  split_way best = {.section_of_triangle = JOB_ARRAY(job, uint32_t, primitive->index_count / 3)};
  const cook_mark mark = job_mark(job);
  uint32_t *bone_of_joint = JOB_ARRAY(job, uint32_t, SPLIT_JOINTS);
  if (split_number_bones(primitive, split_mark_all(job, primitive), bone_of_joint) <= limit) {
    job_release(job, mark);
    return;
  }
  split_check_limit(job, mesh, primitive, limit);
  const uint32_t bone_count = split_number_bones(primitive, split_mark_used(job, primitive), bone_of_joint);
  split_choose(job, primitive, bone_of_joint, bone_count, limit, &best);
  split_check_size(job, &best);
  split_number_sections(job, &best, primitive->index_count / 3);
  job_release(job, mark);
  split_apply(job, primitive, &best);
  split_report(job, mesh, primitive, bone_count, limit);
}

void build_split(cook_job *job, cook_scene *scene, const cook_options *options) {
  const uint32_t limit = options->max_bones == 0 ? SPLIT_JOINTS : options->max_bones;
  for (uint32_t m = 0; m < scene->mesh_count; ++m)
    for (uint32_t p = 0; p < scene->meshes[m].primitive_count; ++p)
      split_primitive(job, &scene->meshes[m], &scene->meshes[m].primitives[p], limit);
}
