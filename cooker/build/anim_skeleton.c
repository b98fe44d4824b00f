// anim_skeleton.c: how far the movement of each node reaches, from the rest pose and the vertices.
#include <string.h>

#include "cooker/build/anim.h"
#include "cooker/build/anim_matrix.h"

#define SKELETON_USUAL_SIZE_M   1.8
#define SKELETON_SHORTEST_REACH (0.03 / SKELETON_USUAL_SIZE_M) ///< of the size

static void skeleton_read_rest(const cook_node *node, anim_local *rest, double matrix[12]) {
  for (int i = 0; i < 3; i++) rest->translation[i] = (double)node->translation[i];
  for (int i = 0; i < 4; i++) rest->rotation[i] = (double)node->rotation[i];
  for (int i = 0; i < 3; i++) rest->scale[i] = (double)node->scale[i];
  if (!anim_normalise(rest->rotation)) rest->rotation[3] = 1;
  anim_matrix_of_local(rest, matrix);
  for (int i = 0; i < 12 && node->is_matrix; i++) matrix[i] = (double)node->matrix[i];
}

/// Component space from every node at rest; parents come first.
static double (*skeleton_components(cook_job *job, const cook_skeleton *skeleton))[12] {
  double(*components)[12] = job_alloc(job, skeleton->node_count, sizeof *components);
  for (uint32_t n = 0; n < skeleton->node_count; n++) {
    const uint32_t parent = skeleton->scene->nodes[n].parent;
    if (parent == MPAK_NONE)
      memcpy(components[n], skeleton->matrices[n], sizeof *components);
    else
      anim_matrix_multiply(components[parent], skeleton->matrices[n], components[n]);
  }
  return components;
}

// -- Reach -----------------------------------------------------------------------------------------------------------

static void skeleton_lengthen(cook_skeleton *skeleton, uint32_t node, double length) {
  if (length > skeleton->reach_m[node]) skeleton->reach_m[node] = length;
}

/// The length of a vector of a node's space, in metres.
static double skeleton_length(const double component[12], const double v[3]) {
  double sum = 0;
  for (int r = 0; r < 3; r++) {
    const double x = component[4 * r] * v[0] + component[4 * r + 1] * v[1] + component[4 * r + 2] * v[2];
    sum += x * x;
  }
  return sqrt(sum);
}

static void skeleton_reach_skinned(cook_skeleton *skeleton, double (*components)[12], const cook_skin *skin,
                                   const cook_primitive *primitive) {
  for (uint64_t v = 0; v < primitive->vertex_count; v++) {
    const float *p = primitive->positions[v];
    for (uint32_t i = 0; i < primitive->influence_count; i++) {
      const uint64_t at = v * primitive->influence_count + i;
      if (!(primitive->weights[at] > 0)) continue;
      const float *bind = skin->inverse_binds[primitive->joints[at]];
      double local[3];
      for (int r = 0; r < 3; r++) {
        local[r] = (double)bind[4 * r] * (double)p[0] + (double)bind[4 * r + 1] * (double)p[1] +
                   (double)bind[4 * r + 2] * (double)p[2] + (double)bind[4 * r + 3];
      }
      const uint32_t node = skin->joints[primitive->joints[at]];
      skeleton_lengthen(skeleton, node, skeleton_length(components[node], local));
    }
  }
}

typedef struct skeleton_box {
  double min[3], max[3];
  bool is_there;
} skeleton_box;

static void skeleton_box_add(skeleton_box *box, const double point[3]) {
  for (int i = 0; i < 3; i++) {
    if (!box->is_there || point[i] < box->min[i]) box->min[i] = point[i];
    if (!box->is_there || point[i] > box->max[i]) box->max[i] = point[i];
  }
  box->is_there = true;
}

static void skeleton_reach_drawn(cook_skeleton *skeleton, double (*components)[12], uint32_t node,
                                 const cook_primitive *primitive, skeleton_box *box) {
  const double *m = components[node];
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    const double p[3] = {(double)primitive->positions[v][0], (double)primitive->positions[v][1],
                         (double)primitive->positions[v][2]};
    double at[3];
    for (int r = 0; r < 3; r++) at[r] = m[4 * r] * p[0] + m[4 * r + 1] * p[1] + m[4 * r + 2] * p[2] + m[4 * r + 3];
    skeleton_box_add(box, at);
    skeleton_lengthen(skeleton, node, skeleton_length(m, p));
  }
}

static void skeleton_reach_meshes(cook_skeleton *skeleton, double (*components)[12], skeleton_box *box) {
  const cook_scene *scene = skeleton->scene;
  for (uint32_t n = 0; n < scene->node_count; n++) {
    if (scene->nodes[n].mesh == MPAK_NONE) continue;
    const cook_mesh *mesh = &scene->meshes[scene->nodes[n].mesh];
    for (uint32_t p = 0; p < mesh->primitive_count; p++) {
      const cook_primitive *primitive = &mesh->primitives[p];
      if (scene->nodes[n].skin != MPAK_NONE && primitive->influence_count > 0)
        skeleton_reach_skinned(skeleton, components, &scene->skins[scene->nodes[n].skin], primitive);
      else
        skeleton_reach_drawn(skeleton, components, n, primitive, box);
    }
  }
}

static void skeleton_node_place(const double component[12], double place[3]) {
  for (int r = 0; r < 3; r++) place[r] = component[4 * r + 3];
}

/// The box of joints (all nodes without skins) and of vertices that nodes draw gives the size.
static void skeleton_measure_size(cook_skeleton *skeleton, double (*components)[12], skeleton_box *box) {
  const cook_scene *scene = skeleton->scene;
  double place[3], size = 0;
  for (uint32_t s = 0; s < scene->skin_count; s++) {
    for (uint32_t j = 0; j < scene->skins[s].joint_count; j++) {
      skeleton_node_place(components[scene->skins[s].joints[j]], place);
      skeleton_box_add(box, place);
    }
  }
  for (uint32_t n = 0; scene->skin_count == 0 && n < scene->node_count; n++) {
    skeleton_node_place(components[n], place);
    skeleton_box_add(box, place);
  }
  for (int i = 0; i < 3 && box->is_there; i++) {
    if (box->max[i] - box->min[i] > size) size = box->max[i] - box->min[i];
  }
  skeleton->size_m = size > 0 ? size : SKELETON_USUAL_SIZE_M;
}

/// Children count as points that their parent moves; then the levers in each node's own units.
static void skeleton_finish_reach(cook_skeleton *skeleton, double (*components)[12]) {
  for (uint32_t n = 0; n < skeleton->node_count; n++) {
    const uint32_t parent = skeleton->scene->nodes[n].parent;
    if (parent == MPAK_NONE) continue;
    const double *m = skeleton->matrices[n], place[3] = {m[3], m[7], m[11]};
    skeleton_lengthen(skeleton, parent, skeleton_length(components[parent], place));
  }
  for (uint32_t n = 0; n < skeleton->node_count; n++) {
    skeleton_lengthen(skeleton, n, SKELETON_SHORTEST_REACH * skeleton->size_m);
    for (int i = 0; i < 3; i++) {
      const double length = anim_column_length(components[n], i);
      skeleton->lever[n][i] = length > 0 ? skeleton->reach_m[n] / length : 0;
    }
  }
}

// -- Subtrees --------------------------------------------------------------------------------------------------------

/// Lists of the nodes below each node: as many entries as nodes have ancestors, themselves included.
static void skeleton_list_subtrees(cook_job *job, cook_skeleton *skeleton) {
  const cook_scene *scene = skeleton->scene;
  uint64_t *counts = JOB_ARRAY(job, uint64_t, skeleton->node_count), total = 0;
  for (uint32_t n = 0; n < skeleton->node_count; n++) {
    for (uint32_t at = n; at != MPAK_NONE; at = scene->nodes[at].parent) counts[at]++;
  }
  skeleton->subtree_start = JOB_ARRAY(job, uint32_t, (uint64_t)skeleton->node_count + 1);
  for (uint32_t n = 0; n < skeleton->node_count; n++) {
    skeleton->subtree_start[n] = (uint32_t)total; // depth is at most 1,024: below 2^26
    total += counts[n];
    counts[n] = 0;
  }
  skeleton->subtree_start[skeleton->node_count] = (uint32_t)total;
  skeleton->subtree_nodes = JOB_ARRAY(job, uint32_t, total);
  for (uint32_t n = 0; n < skeleton->node_count; n++) {
    for (uint32_t at = n; at != MPAK_NONE; at = scene->nodes[at].parent)
      skeleton->subtree_nodes[skeleton->subtree_start[at] + counts[at]++] = n;
  }
}

static void skeleton_measure_subtrees(cook_skeleton *skeleton, double (*components)[12]) {
  for (uint32_t n = 0; n < skeleton->node_count; n++) {
    const uint32_t parent = skeleton->scene->nodes[n].parent;
    skeleton->parent_scale[n] = 1;
    for (int i = 0; i < 3 && parent != MPAK_NONE; i++) {
      const double length = anim_column_length(components[parent], i);
      if (i == 0 || length > skeleton->parent_scale[n]) skeleton->parent_scale[n] = length;
    }
    for (uint32_t s = skeleton->subtree_start[n]; s < skeleton->subtree_start[n + 1]; s++) {
      const uint32_t below = skeleton->subtree_nodes[s];
      double sum = 0;
      for (int r = 3; r < 12; r += 4) {
        const double d = components[below][r] - components[n][r];
        sum += d * d;
      }
      const double reach = sqrt(sum) + skeleton->reach_m[below];
      if (reach > skeleton->subtree_reach_m[n]) skeleton->subtree_reach_m[n] = reach;
    }
  }
}

static double skeleton_longest_column(const double matrix[12]) {
  double longest = 0;
  for (int i = 0; i < 3; i++) {
    const double length = anim_column_length(matrix, i);
    if (length > longest) longest = length;
  }
  return longest;
}

/// A skinned mesh is as large as the joint that stretches it most; what has no skin, as its node.
static double skeleton_mesh_scale(const cook_scene *scene, double (*components)[12], uint32_t node) {
  const cook_node *record = &scene->nodes[node];
  double largest = 0;
  if (record->mesh == MPAK_NONE) return 0;
  if (record->skin == MPAK_NONE) return skeleton_longest_column(components[node]);
  const cook_skin *skin = &scene->skins[record->skin];
  for (uint32_t j = 0; j < skin->joint_count; j++) {
    double bind[12], matrix[12];
    for (int i = 0; i < 12; i++) bind[i] = (double)skin->inverse_binds[j][i];
    anim_matrix_multiply(components[skin->joints[j]], bind, matrix);
    const double scale = skeleton_longest_column(matrix);
    if (scale > largest) largest = scale;
  }
  return largest;
}

const cook_skeleton *build_skeleton(cook_job *job, const cook_scene *scene) {
  cook_skeleton *skeleton = JOB_ARRAY(job, cook_skeleton, 1);
  const uint32_t count = scene->node_count;
  skeleton_box box = {.is_there = false};
  *skeleton = (cook_skeleton){.scene = scene, .node_count = count};
  skeleton->rests = JOB_ARRAY(job, anim_local, count);
  skeleton->matrices = job_alloc(job, count, sizeof *skeleton->matrices);
  skeleton->lever = job_alloc(job, count, sizeof *skeleton->lever);
  skeleton->reach_m = JOB_ARRAY(job, double, count);
  skeleton->subtree_reach_m = JOB_ARRAY(job, double, count);
  skeleton->parent_scale = JOB_ARRAY(job, double, count);
  for (uint32_t n = 0; n < count; n++) skeleton_read_rest(&scene->nodes[n], &skeleton->rests[n], skeleton->matrices[n]);
  double(*components)[12] = skeleton_components(job, skeleton);
  skeleton_reach_meshes(skeleton, components, &box);
  skeleton_measure_size(skeleton, components, &box);
  skeleton_finish_reach(skeleton, components);
  skeleton_list_subtrees(job, skeleton);
  skeleton_measure_subtrees(skeleton, components);
  skeleton->mesh_scale = JOB_ARRAY(job, double, count);
  for (uint32_t n = 0; n < count; n++) skeleton->mesh_scale[n] = skeleton_mesh_scale(scene, components, n);
  return skeleton;
}
