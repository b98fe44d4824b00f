// assimp_fbx_lods.c: LOD groups. A Model of the class LodGroup shows one of its children at a time, the first one from
// near; Assimp has no word for it.
#include "cooker/import/assimp_maker.h"

static bool lods_is_group(const assimp_maker *maker, uint32_t node) {
  const uint32_t model = maker->nodes[node].model;
  if (model == FBX_NONE) return false;
  return fbx_is_text(fbx_value_at(maker->facts->records, maker->facts->objects[model].record, 2), "LodGroup");
}

static uint32_t lods_node_of_model(const assimp_maker *maker, uint32_t model) {
  for (uint32_t n = 0; n < maker->scene->node_count; n++)
    if (maker->nodes[n].model == model) return n;
  return MPAK_NONE;
}

/// The children in the order of their connections.
static void lods_list_children(const assimp_maker *maker, uint32_t group) {
  uint32_t link_count, count = 0;
  const fbx_link *links = fbx_links_of(maker->facts, maker->nodes[group].model, &link_count);
  uint32_t *children = JOB_ARRAY(maker->job, uint32_t, link_count);
  for (uint32_t i = 0; i < link_count; i++) {
    if (links[i].property[0] != 0 || maker->facts->objects[links[i].child].kind != FBX_MODEL) continue;
    const uint32_t node = lods_node_of_model(maker, links[i].child);
    if (node != MPAK_NONE) children[count++] = node;
  }
  if (count < 2) return;
  maker->scene->nodes[children[0]].lod_count = count - 1;
  maker->scene->nodes[children[0]].lods = children + 1;
}

void assimp_fbx_lod_groups(const assimp_maker *maker) {
  for (uint32_t n = 0; maker->facts != NULL && n < maker->scene->node_count; n++)
    if (lods_is_group(maker, n)) lods_list_children(maker, n);
}
