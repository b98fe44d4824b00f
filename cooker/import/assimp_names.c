#include <stdlib.h>
#include <string.h>

#include "cooker/import/assimp_maker.h"

// Assimp connects bones, channels and morph channels with nodes by nothing but names, and names of FBX nodes repeat: a
// mesh and a joint are often called the same. The FBX records say which object is meant; where they do not, a name that
// fits more than one node is an error and not a guess.

static int compare_names(const void *a, const void *b) {
  const assimp_name *left = a, *right = b;
  const int order = strcmp(left->name, right->name);
  if (order != 0) return order;
  return left->link < right->link ? -1 : left->link > right->link;
}

void assimp_sort_names(assimp_maker *maker) {
  maker->names = JOB_ARRAY(maker->job, assimp_name, maker->link_count);
  for (uint32_t i = 0; i < maker->link_count; i++)
    maker->names[i] = (assimp_name){maker->links[i].source->mName.data, i};
  qsort(maker->names, maker->link_count, sizeof *maker->names, compare_names);
}

const assimp_name *assimp_find_names(const assimp_maker *maker, const char *name, uint32_t *count) {
  uint32_t low = 0, high = maker->link_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (strcmp(maker->names[middle].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  uint32_t end = low;
  while (end < maker->link_count && strcmp(maker->names[end].name, name) == 0) end++;
  *count = end - low;
  return maker->names + low;
}

/// The only link of this name that passes; MPAK_NONE when none or several do. *candidates is how many there are.
static uint32_t only_link(const assimp_maker *maker, const char *name,
                          bool (*passes)(const void *user, uint32_t object), const void *user, uint32_t *candidates) {
  uint32_t count, found = MPAK_NONE;
  const assimp_name *names = assimp_find_names(maker, name, &count);
  *candidates = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t owner = maker->links[names[i].link].owner;
    if (owner == MPAK_NONE) continue;
    if (count > 1 && passes != NULL && !passes(user, maker->nodes[owner].model)) continue;
    found = names[i].link;
    ++*candidates;
  }
  return *candidates == 1 ? found : MPAK_NONE;
}

// -- Bones ------------------------------------------------------------------------------------------------------------

uint32_t assimp_bone_node(const assimp_maker *maker, const assimp_group *group, const char *name) {
  uint32_t candidates;
  const uint32_t link = only_link(maker, name, NULL, NULL, &candidates);
  if (link != MPAK_NONE) return maker->links[link].owner;
  cook_where where = COOK_WHERE;
  where.mesh = assimp_mesh_name(maker, maker->source->mMeshes[group->meshes[0]]);
  assimp_issue(maker, candidates == 0 ? MPAK_I015 : MPAK_I014, where, assimp_fbx_name(maker, name));
  return MPAK_NONE;
}

// -- Channels ---------------------------------------------------------------------------------------------------------

static bool is_marked(const void *user, uint32_t object) {
  const bool *marked = user;
  return object == FBX_NONE || marked[object];
}

uint32_t assimp_channel_link(const assimp_maker *maker, const cook_clip *clip, const char *name, const bool *marked) {
  uint32_t candidates;
  const uint32_t link = only_link(maker, name, marked == NULL ? NULL : is_marked, marked, &candidates);
  if (link != MPAK_NONE) return link;
  cook_where where = COOK_WHERE;
  where.clip = clip->name;
  assimp_issue(maker, candidates == 0 ? MPAK_I017 : MPAK_I016, where, assimp_fbx_name(maker, name));
  return MPAK_NONE;
}
