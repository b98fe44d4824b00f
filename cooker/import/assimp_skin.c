#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/import/assimp_maker.h"
#include "format/bytes.h"

#define SAME_BIND 1e-6 ///< of the size of the mesh

// -- Joints of a group ------------------------------------------------------------------------------------------------

/// A bone of one mesh of a group, on its way to being a joint.
typedef struct skin_bone {
  uint32_t node;
  float inverse_bind[12];
  uint32_t mesh, bone; ///< where it comes from
} skin_bone;

/// By node, then matrix.
static int compare_joints(const skin_bone *left, const skin_bone *right) {
  if (left->node != right->node) return left->node < right->node ? -1 : 1;
  for (int i = 0; i < 12; i++) { // by bits: any order will do, as long as it is one
    const uint32_t a = bytes_bits_of_float(left->inverse_bind[i]), b = bytes_bits_of_float(right->inverse_bind[i]);
    if (a != b) return a < b ? -1 : 1;
  }
  return 0;
}

static int compare_bones(const void *a, const void *b) {
  const skin_bone *left = a, *right = b;
  const int order = compare_joints(left, right);
  if (order != 0) return order;
  if (left->mesh != right->mesh) return left->mesh < right->mesh ? -1 : 1;
  return left->bone < right->bone ? -1 : left->bone > right->bone;
}

static uint32_t count_bones(const assimp_maker *maker, const assimp_group *group) {
  uint64_t count = 0;
  for (uint32_t m = 0; m < group->mesh_count; m++) {
    const struct aiMesh *source = maker->source->mMeshes[group->meshes[m]];
    if (source->mBones != NULL) count += source->mNumBones;
  }
  assimp_check_limit(maker, "bones of a mesh", count, UINT32_MAX);
  return (uint32_t)count;
}

/// All bones of all meshes of the group whose node is known.
static uint32_t collect_bones(const assimp_maker *maker, const assimp_group *group, skin_bone *bones) {
  uint32_t count = 0;
  for (uint32_t m = 0; m < group->mesh_count; m++) {
    const struct aiMesh *source = maker->source->mMeshes[group->meshes[m]];
    for (unsigned b = 0; source->mBones != NULL && b < source->mNumBones; b++) {
      group->bone_joints[m][b] = MPAK_NONE;
      if (source->mBones[b] == NULL) continue;
      skin_bone *bone = &bones[count];
      *bone = (skin_bone){.node = assimp_bone_node(maker, group, source->mBones[b]->mName.data), .mesh = m, .bone = b};
      if (bone->node == MPAK_NONE) continue;
      const affine bind = assimp_bind(maker, group, source->mBones[b], bone->node);
      assimp_store_affine(&bind, bone->inverse_bind);
      count++;
    }
  }
  return count;
}

/// The largest side of the group's mesh.
static double size_of_mesh(const cook_mesh *mesh) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, size = 0.0;
  for (uint32_t p = 0; p < mesh->primitive_count; p++)
    for (uint32_t v = 0; v < mesh->primitives[p].vertex_count; v++)
      for (int i = 0; i < 3; i++) {
        low[i] = fmin(low[i], (double)mesh->primitives[p].positions[v][i]);
        high[i] = fmax(high[i], (double)mesh->primitives[p].positions[v][i]);
      }
  for (int i = 0; i < 3; i++) size = fmax(size, high[i] - low[i]);
  return size;
}

/// Are two binds the same, as far as anybody could see?
static bool is_same_bind(const float *a, const float *b, double size) {
  for (int i = 0; i < 12; i++) {
    const double unit = i % 4 == 3 ? size : fmax(1.0, fabs((double)a[i]));
    if (!(fabs((double)a[i] - (double)b[i]) <= SAME_BIND * unit)) return false;
  }
  return true;
}

/// The joint of a bone: one of the same node and bind, or a new one. A node bound in two places is two joints.
static uint32_t joint_of_bone(assimp_group *group, const skin_bone *bone, double size) {
  for (uint32_t j = group->joint_count; j-- > 0 && group->joints[j] == bone->node;)
    if (is_same_bind(group->inverse_binds[j], bone->inverse_bind, size)) return j;
  group->joints[group->joint_count] = bone->node;
  memcpy(group->inverse_binds[group->joint_count], bone->inverse_bind, sizeof bone->inverse_bind);
  return group->joint_count++;
}

static void find_joined_bones(assimp_group *group, const skin_bone *bones, uint32_t count) {
  for (uint32_t i = 1; i < count && !group->has_joined_bones; i++)
    for (uint32_t j = i; j-- > 0 && bones[j].node == bones[i].node;)
      if (bones[j].mesh == bones[i].mesh &&
          group->bone_joints[bones[i].mesh][bones[i].bone] == group->bone_joints[bones[j].mesh][bones[j].bone])
        group->has_joined_bones = true;
}

void assimp_make_joints(const assimp_maker *maker, assimp_group *group) {
  const uint32_t most = count_bones(maker, group);
  group->has_bones = most != 0;
  if (most == 0) return;
  group->bone_joints = JOB_ARRAY(maker->job, uint32_t *, group->mesh_count);
  for (uint32_t m = 0; m < group->mesh_count; m++)
    group->bone_joints[m] = JOB_ARRAY(maker->job, uint32_t, maker->source->mMeshes[group->meshes[m]]->mNumBones);
  skin_bone *bones = JOB_ARRAY(maker->job, skin_bone, most);
  const uint32_t count = collect_bones(maker, group, bones);
  qsort(bones, count, sizeof *bones, compare_bones);
  group->joints = JOB_ARRAY(maker->job, uint32_t, (uint64_t)count + 1); // one more for loose vertices
  group->inverse_binds = job_alloc(maker->job, (uint64_t)count + 1, sizeof *group->inverse_binds);
  const double size = size_of_mesh(&maker->scene->meshes[group->mesh]);
  for (uint32_t i = 0; i < count; i++)
    group->bone_joints[bones[i].mesh][bones[i].bone] = joint_of_bone(group, &bones[i], size);
  find_joined_bones(group, bones, count);
  assimp_check_limit(maker, "joints of a skin", (uint64_t)group->joint_count + 1, job_limits(maker->job)->joints);
}

// -- Weights ----------------------------------------------------------------------------------------------------------

static void check_vertex_of_weight(const assimp_maker *maker, const struct aiMesh *source, uint32_t vertex_count,
                                   const struct aiBone *bone, unsigned vertex) {
  if (vertex < vertex_count) return;
  cook_where where = COOK_WHERE;
  where.mesh = assimp_mesh_name(maker, source);
  where.node = assimp_object_name(maker, &bone->mName);
  where.value = job_format(maker->job, "%u", vertex);
  where.limit = job_format(maker->job, "%u", vertex_count);
  job_fail(maker->job, MPAK_I021, where);
}

/// Calls take for each weight that counts. Weights of 0 move nothing and are left out; NaN is kept for check/ to see.
static void for_each_weight(const assimp_maker *maker, const struct aiMesh *source, uint32_t vertex_count,
                            const uint32_t *joints,
                            void (*take)(void *user, unsigned vertex, uint32_t joint, float weight), void *user) {
  for (unsigned b = 0; source->mBones != NULL && b < source->mNumBones; b++) {
    const struct aiBone *bone = source->mBones[b];
    if (bone == NULL || joints[b] == MPAK_NONE || bone->mWeights == NULL) continue;
    for (unsigned w = 0; w < bone->mNumWeights; w++) {
      check_vertex_of_weight(maker, source, vertex_count, bone, bone->mWeights[w].mVertexId);
      if (bone->mWeights[w].mWeight != 0.0f)
        take(user, bone->mWeights[w].mVertexId, joints[b], bone->mWeights[w].mWeight);
    }
  }
}

/// Weights of one primitive while they are counted and then stored.
typedef struct weight_table {
  uint32_t *counts; ///< by vertex
  cook_primitive *primitive;
  bool has_joined_bones;
} weight_table;

static void count_weight(void *user, unsigned vertex, uint32_t joint, float weight) {
  (void)joint, (void)weight;
  ((weight_table *)user)->counts[vertex]++;
}

static void store_weight(void *user, unsigned vertex, uint32_t joint, float weight) {
  const weight_table *table = user;
  const uint64_t first = (uint64_t)vertex * table->primitive->influence_count;
  for (uint32_t i = 0; table->has_joined_bones && i < table->counts[vertex]; i++) {
    if (table->primitive->joints[first + i] != joint) continue;
    table->primitive->weights[first + i] += weight;
    return;
  }
  const uint64_t slot = first + table->counts[vertex]++;
  table->primitive->joints[slot] = (uint16_t)joint;
  table->primitive->weights[slot] = weight;
}

/// Vertices that no bone moves follow the mesh's own node: a joint more, whose number is behind the bones'. In glTF
/// this is not so, and check/ reports them.
static void bind_loose_vertices(const assimp_maker *maker, assimp_group *group, const struct aiMesh *source,
                                const weight_table *table) {
  uint64_t loose_count = 0, first_loose = 0;
  for (uint32_t v = 0; v < table->primitive->vertex_count; v++) {
    if (table->counts[v] != 0) continue;
    if (loose_count++ == 0) first_loose = v;
    const uint64_t slot = (uint64_t)v * table->primitive->influence_count;
    table->primitive->joints[slot] = (uint16_t)group->joint_count;
    table->primitive->weights[slot] = 1.0f;
  }
  if (loose_count == 0) return;
  group->has_loose_vertices = true;
  cook_where where = COOK_WHERE;
  where.mesh = assimp_mesh_name(maker, source);
  where.primitive = table->primitive->source_primitive;
  where.element = "vertex";
  where.index = first_loose;
  where.more = loose_count - 1;
  assimp_issue(maker, MPAK_I022, where, NULL);
}

void assimp_make_weights(const assimp_maker *maker, assimp_group *group, const struct aiMesh *source, uint32_t mesh,
                         cook_primitive *primitive) {
  weight_table table = {JOB_ARRAY(maker->job, uint32_t, primitive->vertex_count), primitive, group->has_joined_bones};
  const uint32_t *joints = group->bone_joints[mesh];
  for_each_weight(maker, source, primitive->vertex_count, joints, count_weight, &table);
  uint32_t most = 1;
  for (uint32_t v = 0; v < primitive->vertex_count; v++)
    if (table.counts[v] > most) most = table.counts[v];
  primitive->influence_count = (most + 3) / 4 * 4;
  const uint64_t slot_count = (uint64_t)primitive->vertex_count * primitive->influence_count;
  primitive->joints = JOB_ARRAY(maker->job, uint16_t, slot_count);
  primitive->weights = JOB_ARRAY(maker->job, float, slot_count);
  memset(table.counts, 0, primitive->vertex_count * sizeof *table.counts);
  for_each_weight(maker, source, primitive->vertex_count, joints, store_weight, &table);
  if (maker->kind != COOK_SOURCE_GLTF) bind_loose_vertices(maker, group, source, &table);
}

// -- Skins ------------------------------------------------------------------------------------------------------------

static uint32_t add_skin(const assimp_maker *maker, const assimp_group *group, uint32_t node) {
  cook_scene *scene = maker->scene;
  cook_skin *skin = &scene->skins[scene->skin_count];
  const uint32_t count = group->joint_count + (group->has_loose_vertices ? 1 : 0);
  *skin = (cook_skin){.source_index = scene->skin_count,
                      .joint_count = count,
                      .joints = JOB_ARRAY(maker->job, uint32_t, count),
                      .inverse_binds = job_alloc(maker->job, count, sizeof *skin->inverse_binds)};
  memcpy(skin->joints, group->joints, group->joint_count * sizeof *skin->joints);
  memcpy(skin->inverse_binds, group->inverse_binds, group->joint_count * sizeof *skin->inverse_binds);
  if (group->has_loose_vertices) {
    const affine identity = affine_identity();
    skin->joints[group->joint_count] = node;
    assimp_store_affine(&identity, skin->inverse_binds[group->joint_count]);
  }
  return scene->skin_count++;
}

/// Joints and weights of all skinned groups.
static void bind_groups(assimp_maker *maker) {
  for (uint32_t g = 0; g < maker->group_count; g++) {
    assimp_group *group = &maker->groups[g];
    if (group->mesh == MPAK_NONE) continue;
    assimp_make_joints(maker, group);
    if (!group->has_bones) continue;
    cook_mesh *mesh = &maker->scene->meshes[group->mesh];
    for (uint32_t p = 0; p < mesh->primitive_count; p++) {
      const uint32_t m = mesh->primitives[p].source_primitive;
      assimp_make_weights(maker, group, maker->source->mMeshes[group->meshes[m]], m, &mesh->primitives[p]);
    }
  }
}

void assimp_make_skins(assimp_maker *maker) {
  bind_groups(maker);
  job_stop_on_errors(maker->job); // bones without nodes: nothing behind could be right
  cook_scene *scene = maker->scene;
  scene->skins = JOB_ARRAY(maker->job, cook_skin, scene->node_count);
  for (uint32_t i = 0; i < scene->node_count; i++) {
    if (maker->group_of_node[i] == MPAK_NONE) continue;
    assimp_group *group = &maker->groups[maker->group_of_node[i]];
    if (group->mesh == MPAK_NONE || !group->has_bones) continue;
    if (group->has_loose_vertices)
      scene->nodes[i].skin = add_skin(maker, group, i); // each follows its own node
    else if (group->shared_skin == MPAK_NONE)
      group->shared_skin = add_skin(maker, group, i);
    if (!group->has_loose_vertices) scene->nodes[i].skin = group->shared_skin;
  }
}
