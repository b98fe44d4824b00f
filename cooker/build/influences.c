#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/build/build_where.h"
#include "cooker/build/influence_movement.h"

// Weights of up to this much may be lost to max_influences with an info; more is a warning.
#define INFLUENCE_LOSS_INFO 0.01
// Sums this close to 1 are rounding of the exporter; dividing would only change bits (D11).
#define INFLUENCE_SUM_KEPT 1e-6

typedef struct cook_influence {
  uint32_t joint;
  double weight;
} cook_influence;

static int influence_compare_joint(const void *left, const void *right) {
  const cook_influence *a = left, *b = right;
  if (a->joint != b->joint) return a->joint < b->joint ? -1 : 1;
  return a->weight > b->weight ? -1 : a->weight < b->weight;
}

static int influence_compare_weight(const void *left, const void *right) {
  const cook_influence *a = left, *b = right;
  if (a->weight != b->weight) return a->weight > b->weight ? -1 : 1;
  return a->joint < b->joint ? -1 : a->joint > b->joint;
}

/// Collects what moves a vertex: equal joints summed, nothing of weight 0 (or less, which check/ has reported), by
/// falling weight. Returns how many there are.
static uint32_t influences_collect(const cook_primitive *primitive, uint32_t vertex, cook_influence *list) {
  const uint64_t first = (uint64_t)vertex * primitive->influence_count;
  uint32_t count = 0;
  for (uint32_t i = 0; i < primitive->influence_count; i++)
    if (primitive->weights[first + i] > 0)
      list[count++] = (cook_influence){primitive->joints[first + i], primitive->weights[first + i]};
  if (count > 1) qsort(list, count, sizeof *list, influence_compare_joint);
  uint32_t merged = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (merged != 0 && list[merged - 1].joint == list[i].joint)
      list[merged - 1].weight += list[i].weight;
    else
      list[merged++] = list[i];
  }
  for (uint32_t i = 0; i < merged; i++) list[i].weight = (float)list[i].weight; // order by what will be stored
  if (merged > 1) qsort(list, merged, sizeof *list, influence_compare_weight);
  return merged;
}

static uint32_t influences_cut(cook_influence *list, uint32_t count, uint32_t most, uint32_t vertex,
                               influence_cut *cut) {
  if (count <= most) return count;
  double lost = 0, sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    sum += list[i].weight;
    if (i >= most) lost += list[i].weight;
  }
  cut->vertices[cut->vertex_count++] = vertex;
  if (lost / sum > cut->largest_weight) cut->largest_weight = lost / sum;
  return most;
}

static void influences_normalise(cook_influence *list, uint32_t count) {
  double sum = 0;
  for (uint32_t i = 0; i < count; i++) sum += list[i].weight;
  if (fabs(sum - 1) <= INFLUENCE_SUM_KEPT) return;
  for (uint32_t i = 0; i < count; i++) list[i].weight /= sum;
}

/// Rewrites one vertex in place. A vertex that nothing moves is held by joint 0, as glTF has it. Returns its
/// influences.
static uint32_t influences_of_vertex(cook_primitive *primitive, uint32_t vertex, uint32_t most, cook_influence *list,
                                     influence_cut *cut) {
  uint32_t count = influences_collect(primitive, vertex, list);
  count = influences_cut(list, count, most, vertex, cut);
  if (count == 0) list[count++] = (cook_influence){0, 1};
  influences_normalise(list, count);
  const uint64_t first = (uint64_t)vertex * primitive->influence_count;
  for (uint32_t i = 0; i < primitive->influence_count; i++) {
    primitive->joints[first + i] = i < count ? (uint16_t)list[i].joint : 0;
    primitive->weights[first + i] = i < count ? (float)list[i].weight : 0;
  }
  return count;
}

/// Gives every vertex `stored` slots instead of influence_count.
static void influences_resize(cook_job *job, cook_primitive *primitive, uint32_t stored) {
  const uint32_t old = primitive->influence_count;
  if (stored == old) return;
  uint16_t *joints = JOB_ARRAY(job, uint16_t, (uint64_t)primitive->vertex_count * stored);
  float *weights = JOB_ARRAY(job, float, (uint64_t)primitive->vertex_count *stored);
  const uint32_t copied = stored < old ? stored : old;
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    memcpy(joints + (uint64_t)v * stored, primitive->joints + (uint64_t)v * old, copied * sizeof *joints);
    memcpy(weights + (uint64_t)v * stored, primitive->weights + (uint64_t)v * old, copied * sizeof *weights);
  }
  primitive->joints = joints;
  primitive->weights = weights;
  primitive->influence_count = stored;
}

static void influences_report(cook_job *job, const influence_cut *cut, uint32_t most) {
  cook_where where = build_where_elements(cut->mesh, cut->primitive, "vertex", cut->vertices[0], cut->vertex_count);
  const double largest_mm = round(cut->largest_m * 1e6) / 1000; // to a micrometre
  where.value = job_format(job, "%.3g, the largest movement %.3g mm", cut->largest_weight, largest_mm);
  where.limit = job_format(job, "%u", most);
  job_issue(job, cut->largest_weight <= INFLUENCE_LOSS_INFO ? MPAK_C002 : MPAK_C003, where);
}

/// cut: what was lost; its vertex_count stays 0 when nothing was.
static void influences_of_primitive(cook_job *job, const cook_mesh *mesh, cook_primitive *primitive, uint32_t most,
                                    influence_cut *cut) {
  *cut = (influence_cut){.mesh = mesh, .primitive = primitive, .influence_count = primitive->influence_count};
  if (primitive->influence_count > most) {
    const uint64_t slots = (uint64_t)primitive->vertex_count * primitive->influence_count;
    cut->joints = job_copy(job, primitive->joints, slots * sizeof *primitive->joints);
    cut->weights = job_copy(job, primitive->weights, slots * sizeof *primitive->weights);
  }
  cut->vertices = JOB_ARRAY(job, uint32_t, cut->joints != NULL ? primitive->vertex_count : 0);
  cook_influence *list = JOB_ARRAY(job, cook_influence, primitive->influence_count);
  uint32_t used = 0;
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    const uint32_t count = influences_of_vertex(primitive, v, most, list, cut);
    if (count > used) used = count;
  }
  influences_resize(job, primitive, used <= 4 ? 4 : used <= 8 ? 8 : 12);
}

void build_tidy_influences(cook_job *job, const cook_mesh *mesh, cook_primitive *primitive) {
  influence_cut cut;
  influences_of_primitive(job, mesh, primitive, MPAK_MAX_INFLUENCES, &cut);
}

/// Meshes that at least one node draws with a skin.
static bool *influences_find_skinned(cook_job *job, const cook_scene *scene) {
  bool *is_skinned = JOB_ARRAY(job, bool, scene->mesh_count);
  for (uint32_t n = 0; n < scene->node_count; n++) {
    const cook_node *node = &scene->nodes[n];
    if (node->mesh != MPAK_NONE && node->skin != MPAK_NONE) is_skinned[node->mesh] = true;
  }
  return is_skinned;
}

static bool influences_are_there(const cook_primitive *primitive) {
  return primitive->joints != NULL && primitive->weights != NULL && primitive->influence_count != 0;
}

static void influences_drop(cook_primitive *primitive) {
  primitive->influence_count = 0;
  primitive->joints = NULL;
  primitive->weights = NULL;
}

static uint32_t influences_count_primitives(const cook_scene *scene) {
  uint32_t count = 0;
  for (uint32_t m = 0; m < scene->mesh_count; m++) count += scene->meshes[m].primitive_count;
  return count;
}

void build_influences(cook_job *job, cook_scene *scene, const cook_options *options) {
  const uint32_t most = options->max_influences == 0 ? MPAK_MAX_INFLUENCES : options->max_influences;
  const bool *is_skinned = influences_find_skinned(job, scene);
  influence_cut *cuts = JOB_ARRAY(job, influence_cut, (uint64_t)influences_count_primitives(scene) + 1);
  uint32_t cut_count = 0;
  for (uint32_t m = 0; m < scene->mesh_count; m++) {
    const cook_mesh *mesh = &scene->meshes[m];
    for (uint32_t p = 0; p < mesh->primitive_count; p++) {
      cook_primitive *primitive = &mesh->primitives[p];
      if (!is_skinned[m] || !influences_are_there(primitive)) {
        influences_drop(primitive);
        continue;
      }
      influences_of_primitive(job, mesh, primitive, most, &cuts[cut_count]);
      cut_count += cuts[cut_count].vertex_count != 0;
    }
  }
  influence_movement(job, scene, cuts, cut_count);
  for (uint32_t c = 0; c < cut_count; c++) influences_report(job, &cuts[c], most);
}
