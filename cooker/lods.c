// lods.c: see lods.h. The mesh is welded, moved by the runtime in many poses, and simplified as far as each level's
// bound allows there.
#include "cooker/lods.h"

#include <math.h>
#include <string.h>

#include "cooker/build/build.h"
#include "cooker/build/lods_corners.h"
#include "cooker/build/lods_drop.h"
#include "cooker/build/lods_simplify.h"
#include "cooker/build/node_matrix.h"
#include "cooker/build/remap.h"
#include "cooker/measure/lod_poses.h"
#include "cooker/profile.h"

#define LODS_MOST   ((uint32_t)COOK_LODS_MOST)
#define LODS_SCREEN 1080.0 ///< rows of the screen that levels without a profile are made for

/// One level of one mesh on its way.
typedef struct lods_level {
  bool *drops_node;
  cook_primitive *primitives; ///< all vertices, with what the level drops gone; level 0's where nothing is
  uint32_t posed_level;       ///< where they are in lod_poses
  lods_triangles triangles;
} lods_level;

typedef struct lods_mesh {
  uint32_t level_count; ///< to be made; 0: the mesh has the author's, or draws nothing
  uint32_t posed_count; ///< different levels of primitives
  lods_level levels[COOK_LODS_MOST];
} lods_mesh;

typedef struct lods_run {
  cook_job *job;
  cook_scene *scene;
  const cook_options *options;
  const cook_profile_lod *profile_lods;
  uint32_t profile_lod_count;
  uint32_t level_count; ///< for meshes without the author's
  lods_mesh *meshes;
} lods_run;

// -- What is asked for ------------------------------------------------------------------------------------------------

/// A level that the profile does not describe: half as large on the screen as the one before; it may be off by a pixel,
/// of which a target gets the half. size_m: of the mesh.
static cook_profile_lod lods_usual(uint32_t level, double size_m) {
  const double screen_size = ldexp(1, -(int)level), pixel_mm = size_m * 1000 / (LODS_SCREEN * screen_size);
  return (cook_profile_lod){.screen_size = (float)screen_size,
                            .error_mm = (float)pixel_mm,
                            .pixel_mm = (float)(pixel_mm / 2),
                            .max_bone_depth = MPAK_NONE};
}

static cook_profile_lod lods_asked(const lods_run *run, uint32_t level, double size_m) {
  if (level < run->profile_lod_count) return run->profile_lods[level];
  cook_profile_lod usual = lods_usual(level, size_m);
  if (level == 0) usual.pixel_mm = 0;
  return usual;
}

/// The longest column: what a matrix makes of a length of 1, or nearly.
static double lods_stretch(const node_matrix *matrix) {
  double longest = 0;
  for (int c = 0; c < 3; c++) {
    double length = 0;
    for (int r = 0; r < 3; r++) length += matrix->m[r][c] * matrix->m[r][c];
    if (length > longest) longest = length;
  }
  return sqrt(longest);
}

static double lods_stretch_of_node(const cook_scene *scene, const cook_node *node, const node_matrix *worlds) {
  if (node->skin == MPAK_NONE) return lods_stretch(&worlds[node - scene->nodes]);
  const cook_skin *skin = &scene->skins[node->skin];
  double longest = 0;
  for (uint32_t j = 0; j < skin->joint_count; j++) {
    const node_matrix bind = node_matrix_of_floats(skin->inverse_binds[j]);
    const node_matrix palette = node_matrix_multiply(&worlds[skin->joints[j]], &bind);
    const double stretch = lods_stretch(&palette);
    if (stretch > longest) longest = stretch;
  }
  return longest;
}

/// Metres in the scene for a unit of the space of a mesh, at rest; of the largest instance.
static double lods_scale(const lods_run *run, const cook_mesh *mesh) {
  const cook_mark mark = job_mark(run->job);
  const node_matrix *worlds = node_matrix_worlds(run->job, run->scene);
  double largest = 0;
  for (uint32_t n = 0; n < run->scene->node_count; n++) {
    const cook_node *node = &run->scene->nodes[n];
    if (node->mesh == MPAK_NONE || &run->scene->meshes[node->mesh] != mesh) continue;
    const double stretch = lods_stretch_of_node(run->scene, node, worlds);
    if (stretch > largest) largest = stretch;
  }
  job_release(run->job, mark);
  return largest > 0 ? largest : 1;
}

// -- Dropping ---------------------------------------------------------------------------------------------------------

/// What a level of a mesh is about to lose.
typedef struct lods_drop {
  const cook_mesh *mesh;
  cook_primitive *primitives;
  uint32_t primitive_count;
  uint32_t level;
  double scene_per_mesh;
  bool is_changed; ///< something was lost
} lods_drop;

/// before: the nodes that the level above drops. Returns those that this one does.
static bool *lods_drop_from(const lods_run *run, const cook_profile_lod *asked, const bool *before, lods_drop *drop) {
  bool *drops = lods_dropped_nodes(run->job, run->scene, asked->dropped_bones, asked->dropped_bone_count,
                                   asked->max_bone_depth, before);
  const uint32_t bones =
      lods_drop_bones(run->job, run->scene, drop->mesh, drop->primitives, drop->primitive_count, drop->level, drops);
  const uint32_t targets = lods_drop_targets(run->job, drop->primitives, drop->primitive_count,
                                             (double)asked->pixel_mm / 1000 / drop->scene_per_mesh);
  drop->is_changed = bones != 0 || targets != 0;
  return drops;
}

static void lods_add_drops(const lods_run *run, cook_lod *lod, const bool *drops) {
  if (drops == NULL) return;
  bool *sum = JOB_ARRAY(run->job, bool, run->scene->node_count);
  for (uint32_t n = 0; n < run->scene->node_count; n++)
    sum[n] = drops[n] || (lod->drops_node != NULL && lod->drops_node[n]);
  lod->drops_node = sum;
}

/// The author's levels: each loses what the profile drops from a level of its number, and is shown from the size that
/// the profile says where the file does not.
static void lods_keep_authored(const lods_run *run, cook_mesh *mesh) {
  const double scene_per_mesh = lods_scale(run, mesh);
  const bool *before = NULL;
  uint32_t first = 0;
  for (uint32_t k = 0; k < mesh->lod_count; k++) {
    uint32_t end = first;
    while (end < mesh->primitive_count && mesh->primitives[end].lod == k) end++;
    lods_drop drop = {mesh, mesh->primitives + first, end - first, k, scene_per_mesh, false};
    first = end;
    if (k >= run->profile_lod_count) continue;
    before = lods_drop_from(run, &run->profile_lods[k], before, &drop);
    lods_add_drops(run, &mesh->lods[k], before);
    if (!(mesh->lods[k].screen_size > 0)) mesh->lods[k].screen_size = run->profile_lods[k].screen_size;
  }
}

// -- What is measured -------------------------------------------------------------------------------------------------

static bool lods_is_empty(const cook_mesh *mesh) {
  for (uint32_t p = 0; p < mesh->primitive_count; p++)
    if (mesh->primitives[p].index_count != 0) return false;
  return true;
}

/// Level 0 loses what the profile drops from it. Returns the nodes.
static bool *lods_begin_mesh(const lods_run *run, cook_mesh *mesh) {
  mesh->lods = JOB_ARRAY(run->job, cook_lod, LODS_MOST);
  mesh->lod_count = 1;
  const cook_profile_lod asked = lods_asked(run, 0, 0);
  lods_drop drop = {mesh, mesh->primitives, mesh->primitive_count, 0, lods_scale(run, mesh), false};
  mesh->lods[0].screen_size = asked.screen_size;
  mesh->lods[0].drops_node = lods_drop_from(run, &asked, NULL, &drop);
  return mesh->lods[0].drops_node;
}

static void lods_prepare_level(const lods_run *run, uint32_t number, uint32_t level, const bool *before) {
  const cook_mesh *mesh = &run->scene->meshes[number];
  lods_mesh *made = &run->meshes[number];
  lods_level *own = &made->levels[level];
  const double scene_per_mesh = lods_scale(run, mesh);
  const cook_profile_lod asked = lods_asked(run, level, build_mesh_size(mesh) * scene_per_mesh);
  own->primitives = job_copy(run->job, made->levels[0].primitives, mesh->primitive_count * sizeof *own->primitives);
  lods_drop drop = {mesh, own->primitives, mesh->primitive_count, level, scene_per_mesh, false};
  own->drops_node = lods_drop_from(run, &asked, before, &drop);
  own->posed_level = drop.is_changed ? made->posed_count++ : 0;
}

/// Welded copies of a mesh, and what each level's are.
static void lods_prepare_mesh(const lods_run *run, uint32_t number, const cook_scene *copy) {
  cook_mesh *mesh = &run->scene->meshes[number];
  lods_mesh *made = &run->meshes[number];
  made->level_count = run->level_count;
  made->levels[0].drops_node = lods_begin_mesh(run, mesh);
  made->levels[0].primitives = copy->meshes[number].primitives;
  for (uint32_t p = 0; p < mesh->primitive_count; p++) {
    cook_primitive *primitive = &made->levels[0].primitives[p];
    build_weld_primitive(run->job, run->scene, primitive);
  }
  made->posed_count = 1;
  for (uint32_t k = 1; k < made->level_count; k++) lods_prepare_level(run, number, k, made->levels[k - 1].drops_node);
}

/// A scene whose meshes have a level for each set of vertices that moves differently; the author's meshes are empty.
static cook_scene *lods_posed_scene(const lods_run *run) {
  cook_scene *posed = job_copy(run->job, run->scene, sizeof *run->scene);
  posed->meshes = job_copy(run->job, run->scene->meshes, run->scene->mesh_count * sizeof *posed->meshes);
  for (uint32_t m = 0; m < posed->mesh_count; m++) {
    cook_mesh *mesh = &posed->meshes[m];
    const lods_mesh *made = &run->meshes[m];
    const uint32_t each = made->level_count == 0 ? 0 : mesh->primitive_count;
    mesh->lod_count = made->posed_count;
    mesh->lods = JOB_ARRAY(run->job, cook_lod, LODS_MOST);
    mesh->primitive_count = each * made->posed_count;
    mesh->primitives = JOB_ARRAY(run->job, cook_primitive, mesh->primitive_count);
    for (uint32_t k = 0; k < made->level_count; k++)
      for (uint32_t p = 0; p < each; p++) {
        cook_primitive *primitive = &mesh->primitives[made->levels[k].posed_level * each + p];
        if (k != 0 && made->levels[k].posed_level == 0) continue;
        *primitive = made->levels[k].primitives[p];
        primitive->lod = made->levels[k].posed_level;
      }
  }
  return posed;
}

// -- Making levels ----------------------------------------------------------------------------------------------------

/// The surface of level 0, its positions without -0.
static lods_surface lods_surface_of(cook_job *job, const cook_primitive *primitives, uint32_t count) {
  uint32_t *first_vertex = JOB_ARRAY(job, uint32_t, (uint64_t)count + 1);
  uint32_t *first_index = JOB_ARRAY(job, uint32_t, (uint64_t)count + 1);
  for (uint32_t p = 0; p < count; p++) {
    first_vertex[p + 1] = first_vertex[p] + primitives[p].vertex_count;
    first_index[p + 1] = first_index[p] + primitives[p].index_count;
  }
  float(*rest)[3] = job_alloc(job, first_vertex[count], sizeof *rest);
  uint32_t *indices = JOB_ARRAY(job, uint32_t, first_index[count]);
  for (uint32_t p = 0; p < count; p++) {
    const uint32_t *lowest = lods_corners_join(job, &primitives[p]);
    for (uint32_t v = 0; v < primitives[p].vertex_count; v++)
      for (int axis = 0; axis < 3; axis++) rest[first_vertex[p] + v][axis] = primitives[p].positions[v][axis] + 0.0f;
    for (uint32_t i = 0; i < primitives[p].index_count; i++)
      indices[first_index[p] + i] = lowest[primitives[p].indices[i]] + first_vertex[p];
  }
  lods_surface surface = {.part_count = count,
                          .first_vertex = first_vertex,
                          .first_index = first_index,
                          .rest = (const float(*)[3])rest,
                          .indices = indices};
  lods_surface_join(job, &surface);
  return surface;
}

static void *lods_gather(cook_job *job, const uint8_t *from, size_t bytes, const uint32_t *old_of_new, uint32_t count) {
  uint8_t *to = job_alloc(job, count, bytes);
  for (uint32_t v = 0; v < count; v++) memcpy(to + v * bytes, from + old_of_new[v] * bytes, bytes);
  return to;
}

static void lods_gather_streams(cook_job *job, const cook_primitive *from, const uint32_t *old_of_new, uint32_t count,
                                cook_primitive *result) {
  if (from->targets != NULL) result->targets = job_copy(job, from->targets, from->target_count * sizeof *from->targets);
  const uint32_t stream_count = remap_stream_count(from);
  for (uint32_t s = 0; s < stream_count; s++) {
    const void *data = remap_stream_get(from, s);
    const uint32_t bytes = remap_stream_bytes(from, s);
    if (data != NULL && bytes != 0) remap_stream_set(result, s, lods_gather(job, data, bytes, old_of_new, count));
  }
  result->source_of_vertex = lods_gather(job, (const uint8_t *)from->source_of_vertex, 4, old_of_new, count);
  result->vertex_of_source = result->source_starts = result->sources = NULL;
  result->vertex_count = count;
}

/// A primitive of only those vertices that its triangles use. indices: they, first_vertex and up.
static cook_primitive lods_take_primitive(cook_job *job, const cook_primitive *from, const uint32_t *indices,
                                          uint32_t index_count, uint32_t first_vertex) {
  cook_primitive result = *from;
  uint32_t *new_of_old = JOB_ARRAY(job, uint32_t, from->vertex_count);
  uint32_t *old_of_new = JOB_ARRAY(job, uint32_t, from->vertex_count), count = 0;
  result.index_count = index_count;
  result.indices = JOB_ARRAY(job, uint32_t, index_count);
  for (uint32_t i = 0; i < index_count; i++) result.indices[i] = indices[i] - first_vertex;
  lods_corners_part(job, from, lods_corners_join(job, from), result.indices, index_count);
  for (uint32_t i = 0; i < index_count; i++) new_of_old[result.indices[i]] = 1;
  for (uint32_t v = 0; v < from->vertex_count; v++) {
    if (new_of_old[v] == 0) continue;
    old_of_new[count] = v;
    new_of_old[v] = count++;
  }
  for (uint32_t i = 0; i < index_count; i++) result.indices[i] = new_of_old[result.indices[i]];
  lods_gather_streams(job, from, old_of_new, count, &result);
  return result;
}

static void lods_report_miss(const lods_run *run, const cook_mesh *mesh, uint32_t level, double error_m,
                             double bound_m) {
  cook_where where = COOK_WHERE;
  where.mesh = mesh->name;
  where.value = job_format(run->job, "%.3g mm at level %u", error_m * 1000, level);
  where.limit = job_format(run->job, "%.3g mm", bound_m * 1000);
  job_issue(run->job, MPAK_C044, where);
}

/// Largest error of a level's triangles against the mesh as it was.
static float lods_error(const lods_run *run, const lods_surface *surface, const lods_triangles *triangles) {
  const cook_mark mark = job_mark(run->job);
  float *errors = JOB_ARRAY(run->job, float, lods_vertex_count(surface)), largest = 0;
  lods_surface_measure(run->job, surface, triangles->indices, triangles->first_index[surface->part_count], errors,
                       NULL);
  for (uint32_t v = 0; v < lods_vertex_count(surface); v++)
    if (errors[v] > largest) largest = errors[v];
  job_release(run->job, mark);
  return largest;
}

/// Where what the level drops moves vertices by more than its bound, the bound holds for the rest of the error.
static void lods_make_level(const lods_run *run, uint32_t number, uint32_t level, lods_surface *surface,
                            const lod_poses *poses) {
  cook_mesh *mesh = &run->scene->meshes[number];
  lods_level *own = &run->meshes[number].levels[level];
  const double scene_per_mesh = lods_scale(run, mesh);
  const cook_profile_lod asked = lods_asked(run, level, build_mesh_size(mesh) * scene_per_mesh);
  const double bound_m = (double)asked.error_mm / 1000;
  const lods_triangles *start = level > 1 ? &own[-1].triangles : NULL;
  surface->pose_count = poses->pose_count;
  surface->before = (const float(*)[3])poses->positions[0];
  surface->after = (const float(*)[3])poses->positions[own->posed_level];
  lods_simplify(run->job, surface, start, bound_m, &own->triangles);
  if (!((double)own->triangles.error_m <= bound_m)) {
    surface->before = surface->after;
    lods_simplify(run->job, surface, start, bound_m, &own->triangles);
    surface->before = (const float(*)[3])poses->positions[0];
    own->triangles.error_m = lods_error(run, surface, &own->triangles);
    lods_report_miss(run, mesh, level, (double)own->triangles.error_m, bound_m);
  }
  mesh->lods[level] = (cook_lod){asked.screen_size, own->triangles.error_m, own->drops_node};
}

/// Last levels that are what the one before is say nothing.
static uint32_t lods_count_different(const lods_mesh *made, const lods_surface *surface) {
  uint32_t count = made->level_count;
  for (; count > 1; count--) {
    const lods_level *last = &made->levels[count - 1], *before = &made->levels[count - 2];
    const uint32_t before_count =
        count == 2 ? lods_index_count(surface) : before->triangles.first_index[surface->part_count];
    if (last->triangles.first_index[surface->part_count] != before_count) break;
    if (last->posed_level != before->posed_level && last->posed_level != 0) break;
  }
  return count;
}

static void lods_make_mesh(const lods_run *run, uint32_t number, const lod_poses *poses) {
  cook_mesh *mesh = &run->scene->meshes[number];
  lods_mesh *made = &run->meshes[number];
  const uint32_t each = mesh->primitive_count;
  lods_surface surface = lods_surface_of(run->job, made->levels[0].primitives, each);
  for (uint32_t k = 1; k < made->level_count; k++) lods_make_level(run, number, k, &surface, poses);
  mesh->lod_count = lods_count_different(made, &surface);
  cook_primitive *primitives = JOB_ARRAY(run->job, cook_primitive, (uint64_t)each * mesh->lod_count);
  memcpy(primitives, mesh->primitives, each * sizeof *primitives);
  for (uint32_t k = 1; k < mesh->lod_count; k++)
    for (uint32_t p = 0; p < each; p++) {
      const lods_triangles *triangles = &made->levels[k].triangles;
      const uint32_t first = triangles->first_index[p];
      primitives[k * each + p] =
          lods_take_primitive(run->job, &made->levels[k].primitives[p], triangles->indices + first,
                              triangles->first_index[p + 1] - first, surface.first_vertex[p]);
      primitives[k * each + p].lod = k;
    }
  mesh->primitives = primitives;
  mesh->primitive_count = each * mesh->lod_count;
}

// -- All --------------------------------------------------------------------------------------------------------------

/// Levels for meshes without the author's: 1 makes none.
static uint32_t lods_asked_count(const lods_run *run) {
  if (run->options->lods == COOK_LODS_NONE) return 1;
  return run->options->lods != COOK_LODS_AUTO ? run->options->lods : run->profile_lod_count;
}

void cook_make_lods(cook_job *job, cook_scene *scene, const cook_options *options) {
  lods_run run = {.job = job, .scene = scene, .options = options};
  if (options->profile != NULL && options->lods != COOK_LODS_NONE) {
    run.profile_lods = options->profile->lods;
    run.profile_lod_count = options->profile->lod_count;
  }
  run.level_count = lods_asked_count(&run);
  run.meshes = JOB_ARRAY(job, lods_mesh, scene->mesh_count);
  bool is_any_made = false;
  const cook_scene *copy = run.level_count > 1 ? build_copy(job, scene) : NULL;
  for (uint32_t m = 0; m < scene->mesh_count; m++) {
    cook_mesh *mesh = &scene->meshes[m];
    if (mesh->lod_count != 0)
      lods_keep_authored(&run, mesh);
    else if (run.level_count > 1 && !lods_is_empty(mesh))
      lods_prepare_mesh(&run, m, copy);
    is_any_made = is_any_made || run.meshes[m].level_count != 0;
  }
  if (!is_any_made) return;
  const lod_poses *poses = measure_lod_poses(job, lods_posed_scene(&run), options);
  for (uint32_t m = 0; m < scene->mesh_count; m++)
    if (run.meshes[m].level_count != 0) lods_make_mesh(&run, m, &poses[m]);
}
