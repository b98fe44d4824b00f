#include <string.h>

#include "cooker/import/assimp_maker.h"

// Assimp splits a mesh where its material changes. The parts of one mesh hang on one node, so all meshes of a node
// become one mesh with several primitives again. Nodes with the same list share it, as instances.

const char *assimp_mesh_name(const assimp_maker *maker, const struct aiMesh *source) {
  return assimp_object_name(maker, &source->mName);
}

/// "Face-0", "Face-1": Assimp's names for the primitives of a glTF mesh. The length without the number.
static size_t stem_length(const char *name) {
  size_t length = strlen(name);
  while (length > 0 && name[length - 1] >= '0' && name[length - 1] <= '9') length--;
  return length > 1 && name[length - 1] == '-' && name[length] != 0 ? length - 1 : strlen(name);
}

static const char *group_name(const assimp_maker *maker, const assimp_group *group) {
  const char *name = assimp_mesh_name(maker, maker->source->mMeshes[group->meshes[0]]);
  if (name == NULL || maker->kind != COOK_SOURCE_GLTF || group->mesh_count < 2) return name;
  return job_copy(maker->job, name, stem_length(name));
}

// -- Groups -----------------------------------------------------------------------------------------------------------

static bool is_same_group(const assimp_group *a, const assimp_group *b) {
  return a->mesh_count == b->mesh_count && affine_equal(&a->geometric, &b->geometric) &&
         memcmp(a->meshes, b->meshes, a->mesh_count * sizeof *a->meshes) == 0;
}

/// The group of these meshes, made when there is none yet.
static uint32_t find_or_add_group(assimp_maker *maker, const assimp_group *wanted) {
  uint32_t *head = &maker->first_group[wanted->meshes[0]];
  for (uint32_t g = *head; g != MPAK_NONE; g = maker->groups[g].next)
    if (is_same_group(&maker->groups[g], wanted)) return g;
  const uint32_t added = maker->group_count++;
  maker->groups[added] = *wanted;
  maker->groups[added].next = *head;
  *head = added;
  return added;
}

/// All meshes of a node, those of its factors too.
static uint32_t collect_meshes(const assimp_maker *maker, uint32_t node, unsigned *meshes) {
  uint32_t count = 0;
  for (uint32_t i = maker->nodes[node].first_link; i < maker->nodes[node].link_end; i++) {
    const struct aiNode *source = maker->links[i].source;
    for (unsigned m = 0; source->mMeshes != NULL && m < source->mNumMeshes; m++) {
      const unsigned mesh = source->mMeshes[m];
      if (mesh >= maker->source->mNumMeshes || maker->source->mMeshes[mesh] == NULL) continue;
      if (meshes != NULL) meshes[count] = mesh;
      count++;
    }
  }
  return count;
}

void assimp_make_groups(assimp_maker *maker) {
  const uint32_t node_count = maker->scene->node_count;
  maker->groups = JOB_ARRAY(maker->job, assimp_group, node_count);
  maker->group_of_node = JOB_ARRAY(maker->job, uint32_t, node_count);
  maker->first_group = JOB_ARRAY(maker->job, uint32_t, maker->source->mNumMeshes);
  for (unsigned i = 0; i < maker->source->mNumMeshes; i++) maker->first_group[i] = MPAK_NONE;
  for (uint32_t i = 0; i < node_count; i++) {
    maker->group_of_node[i] = MPAK_NONE;
    const uint32_t count = collect_meshes(maker, i, NULL);
    if (count == 0) continue;
    unsigned *meshes = JOB_ARRAY(maker->job, unsigned, count);
    collect_meshes(maker, i, meshes);
    assimp_group group = {.meshes = meshes,
                          .mesh_count = count,
                          .geometric = maker->nodes[i].geometric,
                          .mesh = MPAK_NONE,
                          .geometry = FBX_NONE,
                          .shared_skin = MPAK_NONE};
    const uint32_t model = maker->nodes[i].model;
    if (maker->facts != NULL && model != FBX_NONE) group.geometry = fbx_child_of_kind(maker->facts, model, FBX_MESH, 0);
    group.shapes = assimp_fbx_shapes(maker, group.geometry, &group.shape_count);
    maker->group_of_node[i] = find_or_add_group(maker, &group);
  }
}

// -- Meshes -----------------------------------------------------------------------------------------------------------

static bool has_triangles(const struct aiMesh *source) {
  for (unsigned f = 0; source->mFaces != NULL && f < source->mNumFaces; f++)
    if (source->mFaces[f].mNumIndices == 3 && source->mFaces[f].mIndices != NULL) return true;
  return false;
}

/// The primitives of a group, without those that hold no triangle. Meshes keep their number in the group.
static void make_primitives(const assimp_maker *maker, assimp_group *group, cook_mesh *mesh) {
  mesh->primitives = JOB_ARRAY(maker->job, cook_primitive, group->mesh_count);
  for (uint32_t m = 0; m < group->mesh_count; m++) {
    const struct aiMesh *source = maker->source->mMeshes[group->meshes[m]];
    cook_primitive *primitive = &mesh->primitives[mesh->primitive_count];
    primitive->source_primitive = m;
    assimp_make_primitive(maker, group, source, primitive);
    if (has_triangles(source))
      mesh->primitive_count++;
    else
      memset(primitive, 0, sizeof *primitive);
  }
}

void assimp_make_meshes(assimp_maker *maker) {
  cook_scene *scene = maker->scene;
  scene->meshes = JOB_ARRAY(maker->job, cook_mesh, maker->group_count);
  for (uint32_t g = 0; g < maker->group_count; g++) {
    assimp_group *group = &maker->groups[g];
    cook_mesh *mesh = &scene->meshes[scene->mesh_count];
    *mesh = (cook_mesh){.name = group_name(maker, group), .source_index = g};
    make_primitives(maker, group, mesh);
    if (mesh->primitive_count == 0) continue;
    assimp_make_targets(maker, group, mesh);
    group->mesh = scene->mesh_count++;
  }
  for (uint32_t i = 0; i < scene->node_count; i++)
    if (maker->group_of_node[i] != MPAK_NONE) scene->nodes[i].mesh = maker->groups[maker->group_of_node[i]].mesh;
}
