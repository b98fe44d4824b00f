#include <string.h>

#include "cooker/import/assimp_maker.h"
#include "cooker/import/fbx_prepass.h"

#define HELPER_MARK "_$AssimpFbx$_"
#define LINKS_MAX   (1u << 20) ///< aiNodes; a node has up to 17 helpers

// -- Walking ----------------------------------------------------------------------------------------------------------

/// An aiNode whose children are being visited, and its link.
typedef struct tree_level {
  const struct aiNode *node;
  unsigned next_child;
  uint32_t link;
} tree_level;

/// Doubles an array that keeps its content.
static void *tree_grow(cook_job *job, void *old, uint32_t *capacity, size_t element_bytes) {
  const uint32_t grown_capacity = *capacity == 0 ? 64 : *capacity * 2;
  void *grown = job_alloc(job, grown_capacity, element_bytes);
  if (old != NULL) memcpy(grown, old, *capacity * element_bytes);
  *capacity = grown_capacity;
  return grown;
}

static uint32_t add_link(assimp_maker *maker, const struct aiNode *source) {
  assimp_check_limit(maker, "nodes", maker->link_count, LINKS_MAX);
  if (maker->link_count == maker->link_capacity)
    maker->links = tree_grow(maker->job, maker->links, &maker->link_capacity, sizeof *maker->links);
  maker->links[maker->link_count] = (assimp_link){source, LINK_NODE, MPAK_NONE};
  return maker->link_count++;
}

/// All aiNodes in depth-first order; parents[link] is the link of the parent.
static uint32_t *walk_tree(assimp_maker *maker) {
  uint32_t level_capacity = 0, depth = 0, parent_capacity = 0;
  tree_level *levels = tree_grow(maker->job, NULL, &level_capacity, sizeof *levels);
  uint32_t *parents = tree_grow(maker->job, NULL, &parent_capacity, sizeof *parents);
  levels[depth++] = (tree_level){maker->source->mRootNode, 0, add_link(maker, maker->source->mRootNode)};
  parents[0] = MPAK_NONE;
  while (depth != 0) {
    tree_level *level = &levels[depth - 1];
    if (level->node->mChildren == NULL || level->next_child >= level->node->mNumChildren) {
      depth--;
      continue;
    }
    const struct aiNode *child = level->node->mChildren[level->next_child++];
    if (child == NULL) continue;
    const uint32_t parent = level->link, link = add_link(maker, child);
    if (link == parent_capacity) parents = tree_grow(maker->job, parents, &parent_capacity, sizeof *parents);
    parents[link] = parent;
    if (depth == level_capacity) levels = tree_grow(maker->job, levels, &level_capacity, sizeof *levels);
    levels[depth++] = (tree_level){child, 0, link};
  }
  return parents;
}

// -- Chains -----------------------------------------------------------------------------------------------------------

/// The length of NODE in NODE_$AssimpFbx$_PART; 0 for a name that is no helper's.
static size_t helper_base_length(const char *name) {
  const char *mark = strstr(name, HELPER_MARK);
  return mark == NULL ? 0 : (size_t)(mark - name);
}

static bool is_helper_name(const char *name) { return strstr(name, HELPER_MARK) != NULL; }

static bool text_ends_with(const char *text, const char *end) {
  const size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static assimp_link_kind kind_of_helper(const char *name) {
  const char *part = strstr(name, HELPER_MARK) + strlen(HELPER_MARK);
  if (strncmp(part, "Geometric", 9) != 0) return LINK_HELPER;
  return text_ends_with(part, "Inverse") ? LINK_INVERSE : LINK_GEOMETRIC;
}

/// Does a link go on with the chain of its parent: is the parent a factor of the same node?
static bool continues_chain(const assimp_maker *maker, const assimp_link *link, uint32_t parent) {
  if (parent == MPAK_NONE) return false;
  const assimp_link *factor = &maker->links[parent];
  if (factor->kind != LINK_HELPER && factor->kind != LINK_GEOMETRIC) return false;
  const char *factor_name = factor->source->mName.data, *name = link->source->mName.data;
  const size_t length = helper_base_length(factor_name);
  const size_t own_length = link->kind == LINK_NODE ? strlen(name) : helper_base_length(name);
  return own_length == length && memcmp(name, factor_name, length) == 0;
}

/// Assimp's own root: it stands for the file and is no node of it.
static bool is_artificial_root(const assimp_maker *maker) {
  const struct aiNode *root = maker->source->mRootNode;
  const affine transform = assimp_affine(&root->mTransformation);
  if (root->mNumMeshes != 0 || !affine_is_identity(&transform)) return false;
  if (maker->kind == COOK_SOURCE_FBX) return true;
  return maker->kind == COOK_SOURCE_GLTF && strcmp(root->mName.data, "ROOT") == 0;
}

static bool is_stand_in(const assimp_maker *maker, const assimp_link *link) {
  const uint32_t object = fbx_object_of_name(maker->facts, link->source->mName.data);
  return object != FBX_NONE && maker->facts->objects[object].kind == FBX_STAND_IN;
}

/// Owners of all links: the node that each is, or is a factor of. Returns how many nodes there are.
static uint32_t find_owners(assimp_maker *maker, const uint32_t *parents) {
  uint32_t node_count = 0;
  for (uint32_t i = is_artificial_root(maker) ? 1 : 0; i < maker->link_count; i++) {
    assimp_link *link = &maker->links[i];
    if (maker->kind == COOK_SOURCE_FBX && is_helper_name(link->source->mName.data))
      link->kind = kind_of_helper(link->source->mName.data);
    if (is_stand_in(maker, link)) link->kind = LINK_STAND_IN;
    if (link->kind == LINK_INVERSE || link->kind == LINK_STAND_IN)
      link->owner = parents[i] == MPAK_NONE ? MPAK_NONE : maker->links[parents[i]].owner;
    else if (continues_chain(maker, link, parents[i]))
      link->owner = maker->links[parents[i]].owner;
    else
      link->owner = node_count++;
  }
  assimp_check_limit(maker, "nodes", node_count, job_limits(maker->job)->nodes);
  return node_count;
}

// -- Nodes ------------------------------------------------------------------------------------------------------------

const char *assimp_text(const assimp_maker *maker, const struct aiString *text) {
  if (text->data[0] == 0) return NULL;
  // glTF: Assimp calls what has no name nodes[3], meshes[0]; its own names end with the bracket
  const char *bracket = strrchr(text->data, '[');
  const bool is_made_up = maker->kind == COOK_SOURCE_GLTF && bracket != NULL && text_ends_with(text->data, "]") &&
                          bracket[1 + strspn(bracket + 1, "0123456789")] == ']' &&
                          (strncmp(text->data, "nodes[", 6) == 0 || strncmp(text->data, "meshes[", 7) == 0);
  return is_made_up ? NULL : job_copy(maker->job, text->data, strlen(text->data));
}

const char *assimp_object_name(const assimp_maker *maker, const struct aiString *text) {
  if (maker->kind != COOK_SOURCE_FBX) return assimp_text(maker, text);
  const char *name = assimp_fbx_name(maker, text->data);
  return name[0] == 0 ? NULL : job_copy(maker->job, name, strlen(name));
}

affine assimp_local_transform(const assimp_maker *maker, uint32_t node) {
  affine local = affine_identity();
  for (uint32_t i = maker->nodes[node].first_link; i < maker->nodes[node].link_end; i++) {
    const assimp_link *link = &maker->links[i];
    if (link->owner == node && (link->kind == LINK_NODE || link->kind == LINK_HELPER))
      local = affine_multiply(local, assimp_affine(&link->source->mTransformation));
  }
  return local;
}

static affine geometric_transform(const assimp_maker *maker, uint32_t node) {
  affine geometric = affine_identity();
  for (uint32_t i = maker->nodes[node].first_link; i < maker->nodes[node].link_end; i++) {
    const assimp_link *link = &maker->links[i];
    if (link->owner == node && link->kind == LINK_GEOMETRIC)
      geometric = affine_multiply(geometric, assimp_affine(&link->source->mTransformation));
  }
  return geometric;
}

static void set_rest_pose(const assimp_maker *maker, uint32_t index) {
  cook_node *node = &maker->scene->nodes[index];
  const affine local = assimp_convert_transform(maker, assimp_local_transform(maker, index));
  assimp_store_rest(&local, node);
}

/// The name of a node: its own, or what its factors are named after.
static const char *node_name(const assimp_maker *maker, const assimp_link *link) {
  if (link->kind == LINK_NODE || fbx_object_of_name(maker->facts, link->source->mName.data) != FBX_NONE)
    return assimp_object_name(maker, &link->source->mName);
  const size_t length = helper_base_length(link->source->mName.data);
  return length == 0 ? NULL : job_copy(maker->job, link->source->mName.data, length);
}

/// Where each chain begins and ends, its name and its parent.
static void fill_nodes(assimp_maker *maker, const uint32_t *parents) {
  for (uint32_t i = 0; i < maker->scene->node_count; i++)
    maker->nodes[i] = (assimp_node){.first_link = MPAK_NONE, .model = FBX_NONE};
  for (uint32_t i = 0; i < maker->link_count; i++) {
    const assimp_link *link = &maker->links[i];
    if (link->owner == MPAK_NONE || link->kind == LINK_INVERSE || link->kind == LINK_STAND_IN) continue;
    assimp_node *chain = &maker->nodes[link->owner];
    cook_node *node = &maker->scene->nodes[link->owner];
    if (chain->first_link == MPAK_NONE) {
      chain->first_link = i;
      node->parent = parents[i] == MPAK_NONE ? MPAK_NONE : maker->links[parents[i]].owner;
    }
    chain->link_end = i + 1;
    node->name = node_name(maker, link);
  }
}

static void check_depth(const assimp_maker *maker) {
  const uint32_t limit = job_limits(maker->job)->depth;
  uint32_t *depths = JOB_ARRAY(maker->job, uint32_t, maker->scene->node_count);
  for (uint32_t i = 0; i < maker->scene->node_count; i++) { // parents come first
    const uint32_t parent = maker->scene->nodes[i].parent;
    depths[i] = parent == MPAK_NONE ? 1 : depths[parent] + 1;
    assimp_check_limit(maker, "levels of the node tree", depths[i], limit);
  }
}

void assimp_make_nodes(assimp_maker *maker) {
  const uint32_t *parents = walk_tree(maker);
  cook_scene *scene = maker->scene;
  scene->node_count = find_owners(maker, parents);
  scene->nodes = JOB_ARRAY(maker->job, cook_node, scene->node_count);
  maker->nodes = JOB_ARRAY(maker->job, assimp_node, scene->node_count);
  fill_nodes(maker, parents);
  check_depth(maker);
  for (uint32_t i = 0; i < scene->node_count; i++) {
    cook_node *node = &scene->nodes[i];
    node->source_index = i;
    node->is_cooked = true;
    node->mesh = node->skin = MPAK_NONE;
    maker->nodes[i].geometric = geometric_transform(maker, i);
    set_rest_pose(maker, i);
  }
}
