#include <math.h>

#include "cooker/import/assimp_maker.h"
#include "cooker/import/fbx_clusters.h"
#include "cooker/import/fbx_prepass.h"

// Where a joint and its mesh were when they were bound. An FBX cluster says it twice: Transform goes from the mesh to
// the bone, TransformLink from the bone to the scene. With both, Transform is the answer, whatever a Pose "BindPose"
// says of the same nodes: DCCs write that pose for "go to bind pose" and deform by the cluster, and where joints were
// moved and bound anew the pose is the old one. A cluster that lacks TransformLink states no bind, and then the bind
// pose does; without that, what there is of the cluster, and then the rest pose.

/// 16 numbers, points as rows: a transform, unless it is not finite or has no inverse.
static bool read_matrix(const assimp_maker *maker, const double *numbers, uint32_t count, affine *matrix) {
  if (numbers == NULL || count != 16) return false;
  affine file;
  for (int i = 0; i < 12; i++) {
    file.m[i / 4][i % 4] = numbers[i % 4 * 4 + i / 4];
    if (!isfinite(file.m[i / 4][i % 4])) return false;
  }
  affine inverse;
  *matrix = assimp_convert_transform(maker, file);
  return affine_invert(*matrix, &inverse);
}

static bool cluster_matrix(const assimp_maker *maker, uint32_t cluster, const char *name, affine *matrix) {
  uint32_t count;
  const double *numbers = fbx_child_array(maker->facts, cluster, name, &count);
  return read_matrix(maker, numbers, count, matrix);
}

/// The place of a model in one bind pose.
static bool place_in_pose(const assimp_maker *maker, uint32_t pose, uint32_t model, affine *place) {
  const fbx_records *records = maker->facts->records;
  const uint32_t record = maker->facts->objects[pose].record;
  for (uint32_t n = fbx_child(records, record, "PoseNode", FBX_NONE); n != FBX_NONE;
       n = fbx_child(records, record, "PoseNode", n)) {
    const fbx_value id = fbx_value_at(records, fbx_child(records, n, "Node", FBX_NONE), 0);
    if (id.kind != FBX_VALUE_INTEGER || id.integer != maker->facts->objects[model].id) continue;
    uint32_t count;
    const double *numbers =
        fbx_array(records, fbx_value_at(records, fbx_child(records, n, "Matrix", FBX_NONE), 0), &count);
    if (read_matrix(maker, numbers, count, place)) return true;
  }
  return false;
}

/// The first bind pose that has the model.
static bool bound_place(const assimp_maker *maker, uint32_t model, affine *place) {
  for (uint32_t i = 0; model != FBX_NONE && i < maker->facts->object_count; i++)
    if (maker->facts->objects[i].kind == FBX_BIND_POSE && place_in_pose(maker, i, model, place)) return true;
  return false;
}

static affine rest_place(const assimp_maker *maker, uint32_t node) {
  affine place = affine_identity();
  for (; node != MPAK_NONE; node = maker->scene->nodes[node].parent)
    place = affine_multiply(assimp_rest(&maker->scene->nodes[node]), place);
  return place;
}

/// Where the mesh was bound: its first node, by the bind pose or at rest.
static affine mesh_place(const assimp_maker *maker, const assimp_group *group) {
  uint32_t node = 0;
  while (node < maker->scene->node_count && maker->group_of_node[node] != (uint32_t)(group - maker->groups)) node++;
  if (node == maker->scene->node_count) return affine_identity();
  affine place;
  return bound_place(maker, maker->nodes[node].model, &place) ? place : rest_place(maker, node);
}

static affine bind_of_cluster(const assimp_maker *maker, const assimp_group *group, uint32_t cluster, uint32_t node) {
  affine way, link, inverse;
  const bool has_way = cluster_matrix(maker, cluster, "Transform", &way);
  bool has_link = cluster_matrix(maker, cluster, "TransformLink", &link);
  if (has_way && has_link) return way;
  if (!has_link) has_link = bound_place(maker, maker->nodes[node].model, &link);
  if (has_way && !has_link) return way;
  if (!has_link) link = rest_place(maker, node);
  affine_invert(link, &inverse); // the identity where a scale of 0 leaves none
  return affine_multiply(inverse, mesh_place(maker, group));
}

affine assimp_bind(const assimp_maker *maker, const assimp_group *group, const struct aiBone *bone, uint32_t node) {
  const uint32_t object = fbx_object_of_name(maker->facts, bone->mName.data);
  uint32_t cluster = FBX_NONE;
  if (object != FBX_NONE && group->geometry != FBX_NONE)
    cluster = fbx_cluster_of_bone(maker->facts, fbx_child_of_kind(maker->facts, group->geometry, FBX_SKIN, 0), object);
  if (cluster != FBX_NONE) return bind_of_cluster(maker, group, cluster, node);
  return assimp_convert_transform(maker, assimp_affine(&bone->mOffsetMatrix));
}
