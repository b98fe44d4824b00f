#include <string.h>

#include "cooker/build/build_where.h"
#include "cooker/build/nodes_prune.h"
#include "cooker/build/remap.h"
#include "cooker/build/weld_group.h"

// -- Groups -----------------------------------------------------------------------------------------------------------

/// All streams of a primitive, as they are compared. FBX stores normals per corner with rounding of its own (D4).
static uint32_t weld_list_streams(const cook_primitive *primitive, bool has_rough_normals, weld_stream *streams) {
  uint32_t count = 0;
  const uint32_t stream_count = remap_stream_count(primitive);
  for (uint32_t s = 0; s < stream_count; s++) {
    const void *data = remap_stream_get(primitive, s);
    if (data == NULL) continue;
    const weld_compare compare = has_rough_normals && s == REMAP_NORMALS ? WELD_DIRECTION
                                 : remap_stream_is_float(primitive, s)   ? WELD_FLOATS
                                                                         : WELD_BITS;
    streams[count++] = (weld_stream){data, remap_stream_bytes(primitive, s), compare};
  }
  return count;
}

static double weld_find_groups(cook_job *job, const cook_primitive *primitive, bool has_rough_normals,
                               uint32_t *lowest_of_vertex) {
  const cook_mark mark = job_mark(job);
  weld_stream *streams = JOB_ARRAY(job, weld_stream, remap_stream_count(primitive));
  const uint32_t stream_count = weld_list_streams(primitive, has_rough_normals, streams);
  double largest_change = 0;
  weld_group(job, streams, stream_count, primitive->vertex_count, lowest_of_vertex, &largest_change);
  job_release(job, mark);
  return largest_change;
}

// -- Issues -----------------------------------------------------------------------------------------------------------

static void weld_report_change(cook_job *job, const cook_mesh *mesh, const cook_primitive *primitive, double change) {
  if (change == 0) return;
  cook_where where = build_where_primitive(mesh, primitive);
  where.value = job_format(job, "%.2g rad", change);
  where.limit = job_format(job, "%.0e rad", WELD_ANGLE_RAD);
  job_issue(job, MPAK_C011, where);
}

// -- Triangles --------------------------------------------------------------------------------------------------------

/// Drops triangles that repeat a vertex. Returns how many; first is the number of the first one.
static uint32_t weld_drop_triangles(cook_primitive *primitive, uint32_t *first) {
  uint32_t kept_count = 0, dropped_count = 0;
  for (uint32_t i = 0; i < primitive->index_count; i += 3) {
    const uint32_t a = primitive->indices[i], b = primitive->indices[i + 1], c = primitive->indices[i + 2];
    if (a == b || b == c || c == a) {
      if (dropped_count++ == 0) *first = i / 3;
      continue;
    }
    primitive->indices[kept_count++] = a;
    primitive->indices[kept_count++] = b;
    primitive->indices[kept_count++] = c;
  }
  primitive->index_count = kept_count;
  return dropped_count;
}

static void weld_clean_triangles(cook_job *job, const cook_mesh *mesh, cook_primitive *primitive) {
  uint32_t first = 0;
  const uint32_t dropped_count = weld_drop_triangles(primitive, &first);
  if (dropped_count == 0) return;
  cook_where where = build_where_elements(mesh, primitive, "triangle", first, dropped_count);
  job_issue(job, primitive->index_count == 0 ? MPAK_C014 : MPAK_C010, where);
}

// -- Vertices ---------------------------------------------------------------------------------------------------------

/// Sources of every vertex before welding move to the vertex that leads its group, ascending.
static void weld_list_sources(cook_job *job, cook_primitive *primitive, const uint32_t *lowest_of_vertex) {
  const uint32_t vertex_count = primitive->vertex_count;
  uint32_t *starts = JOB_ARRAY(job, uint32_t, (uint64_t)vertex_count + 1);
  uint32_t *sources = JOB_ARRAY(job, uint32_t, vertex_count);
  const cook_mark mark = job_mark(job);
  uint32_t *next = JOB_ARRAY(job, uint32_t, vertex_count);
  for (uint32_t v = 0; v < vertex_count; v++) starts[lowest_of_vertex[v] + 1]++;
  for (uint32_t v = 0; v < vertex_count; v++) {
    starts[v + 1] += starts[v];
    next[v] = starts[v];
  }
  for (uint32_t v = 0; v < vertex_count; v++)
    sources[next[lowest_of_vertex[v]]++] = primitive->source_of_vertex == NULL ? v : primitive->source_of_vertex[v];
  job_release(job, mark);
  primitive->source_starts = starts;
  primitive->sources = sources;
}

/// The lowest source of each list in front; the others follow in any order that depends on the source alone.
static void weld_lowest_source_first(cook_primitive *primitive) {
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    const uint32_t first = primitive->source_starts[v];
    for (uint32_t i = first; i < primitive->source_starts[v + 1]; i++) {
      if (primitive->sources[i] >= primitive->sources[first]) continue;
      const uint32_t lower = primitive->sources[i];
      primitive->sources[i] = primitive->sources[first];
      primitive->sources[first] = lower;
    }
  }
}

/// Old numbers of the vertices that stay, ascending: those that triangles use, or all. Renumbers the indices.
static uint32_t weld_number_vertices(cook_job *job, cook_primitive *primitive, bool keeps_unused,
                                     uint32_t *old_of_new) {
  const cook_mark mark = job_mark(job);
  bool *is_kept = JOB_ARRAY(job, bool, primitive->vertex_count);
  if (keeps_unused) memset(is_kept, 1, primitive->vertex_count);
  for (uint32_t i = 0; i < primitive->index_count; i++) is_kept[primitive->indices[i]] = true;
  uint32_t *new_of_old = JOB_ARRAY(job, uint32_t, primitive->vertex_count);
  const uint32_t count = nodes_number_kept(is_kept, primitive->vertex_count, new_of_old);
  for (uint32_t v = 0; v < primitive->vertex_count; v++)
    if (is_kept[v]) old_of_new[new_of_old[v]] = v;
  for (uint32_t i = 0; i < primitive->index_count; i++) primitive->indices[i] = new_of_old[primitive->indices[i]];
  job_release(job, mark);
  return count;
}

static void weld_primitive(cook_job *job, const cook_mesh *mesh, cook_primitive *primitive, bool has_rough_normals,
                           const cook_options *options) {
  uint32_t *lowest_of_vertex = JOB_ARRAY(job, uint32_t, primitive->vertex_count);
  for (uint32_t v = 0; v < primitive->vertex_count; v++) lowest_of_vertex[v] = v;
  if (!options->no_weld)
    weld_report_change(job, mesh, primitive, weld_find_groups(job, primitive, has_rough_normals, lowest_of_vertex));
  for (uint32_t i = 0; i < primitive->index_count; i++) primitive->indices[i] = lowest_of_vertex[primitive->indices[i]];
  weld_clean_triangles(job, mesh, primitive);
  weld_list_sources(job, primitive, lowest_of_vertex);
  weld_lowest_source_first(primitive);
  uint32_t *old_of_new = JOB_ARRAY(job, uint32_t, primitive->vertex_count);
  const bool keeps_unused = options->no_weld && options->vertex_order == COOK_ORDER_SOURCE;
  const uint32_t count = weld_number_vertices(job, primitive, keeps_unused, old_of_new);
  remap_vertices(job, primitive, old_of_new, count);
  remap_finish_source_map(job, primitive);
}

void build_weld_primitive(cook_job *job, const cook_scene *scene, cook_primitive *primitive) {
  const cook_issue_mark issues = job_issue_mark(job);
  weld_primitive(job, &scene->meshes[0], primitive, scene->source_kind == COOK_SOURCE_FBX, &(cook_options){0});
  job_forget(job, issues);
}

void build_weld(cook_job *job, cook_scene *scene, const cook_options *options) {
  const bool has_rough_normals = scene->source_kind == COOK_SOURCE_FBX;
  bool is_any_empty = false;
  for (uint32_t m = 0; m < scene->mesh_count; m++) {
    const cook_mesh *mesh = &scene->meshes[m];
    for (uint32_t p = 0; p < mesh->primitive_count; p++) {
      weld_primitive(job, mesh, &mesh->primitives[p], has_rough_normals, options);
      is_any_empty = is_any_empty || mesh->primitives[p].index_count == 0;
    }
  }
  if (is_any_empty) nodes_prune(job, scene);
}
