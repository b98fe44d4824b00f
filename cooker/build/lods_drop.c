#include "cooker/build/lods_drop.h"

#include <math.h>

#include "cooker/build/influence_movement.h"

// -- Which nodes ------------------------------------------------------------------------------------------------------

/// Does the whole of a text match a pattern, * for any bytes and ? for one?
static bool drop_matches(const char *pattern, const char *text) {
  const char *star = NULL, *resume = NULL;
  while (*text != 0) {
    if (*pattern == '*') {
      star = pattern++;
      resume = text;
    } else if (*pattern == '?' || *pattern == *text) {
      pattern++;
      text++;
    } else if (star != NULL) {
      pattern = star + 1;
      text = ++resume;
    } else {
      return false;
    }
  }
  while (*pattern == '*') pattern++;
  return *pattern == 0;
}

bool *lods_dropped_nodes(cook_job *job, const cook_scene *scene, const char *const *patterns, uint32_t pattern_count,
                         uint32_t max_depth, const bool *dropped_before) {
  bool *drops = JOB_ARRAY(job, bool, scene->node_count), is_any = false;
  uint32_t *depths = JOB_ARRAY(job, uint32_t, scene->node_count);
  for (uint32_t n = 0; n < scene->node_count; n++) { // parents come first
    const cook_node *node = &scene->nodes[n];
    depths[n] = node->parent == MPAK_NONE ? 0 : depths[node->parent] + 1;
    drops[n] = depths[n] > max_depth || (node->parent != MPAK_NONE && drops[node->parent]) ||
               (dropped_before != NULL && dropped_before[n]);
    for (uint32_t i = 0; i < pattern_count && !drops[n]; i++)
      drops[n] = node->name != NULL && drop_matches(patterns[i], node->name);
    is_any = is_any || drops[n];
  }
  return is_any ? drops : NULL;
}

// -- Bones ------------------------------------------------------------------------------------------------------------

/// By node: its joint in a skin, or MPAK_NONE.
static uint32_t *bones_by_node(cook_job *job, const cook_scene *scene, const cook_skin *skin) {
  uint32_t *joint_of = JOB_ARRAY(job, uint32_t, scene->node_count);
  for (uint32_t n = 0; n < scene->node_count; n++) joint_of[n] = MPAK_NONE;
  for (uint32_t j = skin->joint_count; j-- > 0;) joint_of[skin->joints[j]] = j;
  return joint_of;
}

/// The nearest joint above a node that stays, or MPAK_NONE.
static uint32_t bones_heir(const cook_scene *scene, const uint32_t *joint_of, const bool *drops_node, uint32_t node) {
  node = scene->nodes[node].parent;
  while (node != MPAK_NONE && (drops_node[node] || joint_of[node] == MPAK_NONE)) node = scene->nodes[node].parent;
  return node == MPAK_NONE ? MPAK_NONE : joint_of[node];
}

static const cook_skin *bones_skin(const cook_scene *scene, const cook_mesh *mesh, uint32_t node) {
  const cook_node *drawing = &scene->nodes[node];
  const bool is_skinned = drawing->mesh != MPAK_NONE && &scene->meshes[drawing->mesh] == mesh;
  return is_skinned && drawing->skin != MPAK_NONE ? &scene->skins[drawing->skin] : NULL;
}

/// Joints that have nobody above them to take their weights stay; those below can leave them theirs.
static void bones_keep_tops(cook_job *job, const cook_scene *scene, const cook_skin *skin, bool *drops_node) {
  const uint32_t *joint_of = bones_by_node(job, scene, skin);
  for (uint32_t n = 0; n < scene->node_count; n++) // parents come first
    if (joint_of[n] != MPAK_NONE && drops_node[n] && bones_heir(scene, joint_of, drops_node, n) == MPAK_NONE)
      drops_node[n] = false;
}

/// By joint: the one that takes its weight, itself where it stays.
static uint32_t *bones_map(cook_job *job, const cook_scene *scene, const cook_skin *skin, const bool *drops_node) {
  const uint32_t *joint_of = bones_by_node(job, scene, skin);
  uint32_t *heir = JOB_ARRAY(job, uint32_t, skin->joint_count);
  for (uint32_t j = 0; j < skin->joint_count; j++)
    heir[j] = drops_node[skin->joints[j]] ? bones_heir(scene, joint_of, drops_node, skin->joints[j]) : j;
  return heir;
}

/// The map of the mesh's skins, the longest one. NULL when there is none, or they do not agree: then all joints stay.
static const uint32_t *bones_map_of_mesh(cook_job *job, const cook_scene *scene, const cook_mesh *mesh,
                                         bool *drops_node, uint32_t *joint_count) {
  const uint32_t *heir = NULL;
  bool is_one = true;
  for (uint32_t n = 0; n < scene->node_count; n++)
    if (bones_skin(scene, mesh, n) != NULL) bones_keep_tops(job, scene, bones_skin(scene, mesh, n), drops_node);
  for (uint32_t n = 0; n < scene->node_count; n++) {
    const cook_skin *skin = bones_skin(scene, mesh, n);
    if (skin == NULL) continue;
    const uint32_t *other = bones_map(job, scene, skin, drops_node);
    for (uint32_t j = 0; heir != NULL && j < skin->joint_count && j < *joint_count; j++)
      is_one = is_one && heir[j] == other[j];
    if (heir != NULL && *joint_count >= skin->joint_count) continue;
    heir = other;
    *joint_count = skin->joint_count;
  }
  for (uint32_t n = 0; n < scene->node_count && !is_one; n++) {
    const cook_skin *skin = bones_skin(scene, mesh, n);
    for (uint32_t j = 0; skin != NULL && j < skin->joint_count; j++) drops_node[skin->joints[j]] = false;
  }
  return is_one ? heir : NULL;
}

/// Exchanges joints. cut: as influence_movement wants it, of the vertices that changed.
static void bones_move_weights(cook_job *job, const cook_mesh *mesh, cook_primitive *primitive, const uint32_t *heir,
                               uint32_t joint_count, influence_cut *cut) {
  const uint32_t per_vertex = primitive->influence_count;
  const uint64_t count = (uint64_t)primitive->vertex_count * per_vertex;
  *cut = (influence_cut){.mesh = mesh,
                         .primitive = primitive,
                         .influence_count = per_vertex,
                         .joints = primitive->joints,
                         .weights = primitive->weights,
                         .vertices = JOB_ARRAY(job, uint32_t, primitive->vertex_count)};
  primitive->joints = job_copy(job, primitive->joints, count * sizeof *primitive->joints);
  primitive->weights = job_copy(job, primitive->weights, count * sizeof *primitive->weights);
  for (uint64_t i = 0; i < count; i++) {
    const uint32_t joint = primitive->joints[i];
    if (!(primitive->weights[i] > 0) || joint >= joint_count || heir[joint] == joint) continue;
    const uint32_t vertex = (uint32_t)(i / per_vertex);
    primitive->joints[i] = (uint16_t)heir[joint];
    if (cut->vertex_count == 0 || cut->vertices[cut->vertex_count - 1] != vertex)
      cut->vertices[cut->vertex_count++] = vertex;
  }
  build_tidy_influences(job, mesh, primitive);
}

static void bones_report(cook_job *job, const cook_mesh *mesh, uint32_t level, uint32_t dropped_count,
                         const influence_cut *cuts, uint32_t cut_count) {
  double largest_m = 0;
  uint64_t vertex_count = 0;
  for (uint32_t c = 0; c < cut_count; c++) {
    if (cuts[c].largest_m > largest_m) largest_m = cuts[c].largest_m;
    vertex_count += cuts[c].vertex_count;
  }
  cook_where where = COOK_WHERE;
  where.mesh = mesh->name;
  where.value = job_format(job, "level %u does without %u joints; the weights of %llu vertices went to joints above",
                           level, dropped_count, (unsigned long long)vertex_count);
  where.limit = job_format(job, "%.3g mm", round(largest_m * 1e6) / 1000);
  job_issue(job, MPAK_C043, where);
}

uint32_t lods_drop_bones(cook_job *job, const cook_scene *scene, const cook_mesh *mesh, cook_primitive *primitives,
                         uint32_t primitive_count, uint32_t level, bool *drops_node) {
  uint32_t joint_count = 0, dropped_count = 0, cut_count = 0;
  if (drops_node == NULL) return 0;
  const uint32_t *heir = bones_map_of_mesh(job, scene, mesh, drops_node, &joint_count);
  for (uint32_t j = 0; heir != NULL && j < joint_count; j++) dropped_count += heir[j] != j;
  if (dropped_count == 0) return 0;
  influence_cut *cuts = JOB_ARRAY(job, influence_cut, (uint64_t)primitive_count + 1);
  for (uint32_t p = 0; p < primitive_count; p++) {
    if (primitives[p].joints == NULL || primitives[p].weights == NULL || primitives[p].influence_count == 0) continue;
    bones_move_weights(job, mesh, &primitives[p], heir, joint_count, &cuts[cut_count]);
    cut_count += cuts[cut_count].vertex_count != 0;
  }
  influence_movement(job, scene, cuts, cut_count);
  bones_report(job, mesh, level, dropped_count, cuts, cut_count);
  return dropped_count;
}

// -- Targets ----------------------------------------------------------------------------------------------------------

static double target_largest(const cook_primitive *primitive, uint32_t target) {
  const float(*deltas)[3] = (const float(*)[3])primitive->targets[target].position_deltas;
  double largest = 0;
  for (uint32_t v = 0; deltas != NULL && v < primitive->vertex_count; v++) {
    const double x = (double)deltas[v][0], y = (double)deltas[v][1], z = (double)deltas[v][2];
    const double square = x * x + y * y + z * z;
    if (square > largest) largest = square;
  }
  return sqrt(largest);
}

uint32_t lods_drop_targets(cook_job *job, cook_primitive *primitives, uint32_t primitive_count, double least_m) {
  uint32_t most = 0, dropped_count = 0;
  for (uint32_t p = 0; p < primitive_count; p++)
    if (primitives[p].target_count > most) most = primitives[p].target_count;
  double *largest = JOB_ARRAY(job, double, most);
  for (uint32_t p = 0; p < primitive_count; p++)
    for (uint32_t t = 0; t < primitives[p].target_count; t++) {
      const double here = target_largest(&primitives[p], t);
      if (here > largest[t]) largest[t] = here;
    }
  for (uint32_t t = 0; t < most; t++) dropped_count += largest[t] < least_m;
  for (uint32_t p = 0; p < primitive_count && dropped_count != 0; p++) {
    cook_primitive *primitive = &primitives[p];
    primitive->targets = job_copy(job, primitive->targets, primitive->target_count * sizeof *primitive->targets);
    for (uint32_t t = 0; t < primitive->target_count; t++) {
      if (!(largest[t] < least_m)) continue;
      cook_target *target = &primitive->targets[t];
      target->position_deltas = target->normal_deltas = target->tangent_deltas = NULL;
    }
  }
  return dropped_count;
}
