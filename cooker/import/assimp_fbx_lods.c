// assimp_fbx_lods.c: LOD groups. A Model of the class LodGroup shows one of its children at a time, the first one from
// near; Assimp has no word for it. Its NodeAttribute says where one level ends and the next begins: at a share of the
// screen's height, or at a distance from the camera, which says nothing without its field of view.
#include "cooker/import/assimp_maker.h"
#include "cooker/import/fbx_property.h"

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

/// The NodeAttribute of a group; FBX_NONE without.
static uint32_t lods_attribute(const assimp_maker *maker, uint32_t group) {
  uint32_t link_count;
  const fbx_link *links = fbx_links_of(maker->facts, maker->nodes[group].model, &link_count);
  for (uint32_t i = 0; i < link_count; i++) {
    const fbx_object *object = &maker->facts->objects[links[i].child];
    if (links[i].property[0] != 0 || object->kind != FBX_OTHER) continue;
    if (fbx_is_text(fbx_value_at(maker->facts->records, object->record, 2), "LodGroup")) return links[i].child;
  }
  return FBX_NONE;
}

static void lods_report_distances(const assimp_maker *maker, uint32_t group, double first) {
  cook_where where = COOK_WHERE;
  where.node = maker->scene->nodes[group].name;
  where.value = job_format(maker->job, "%.6g", first);
  job_issue(maker->job, MPAK_I054, where);
}

/// Screen sizes of the levels, the last one's 0; NULL where the file says no shares of the screen that fall.
static float *lods_sizes(const assimp_maker *maker, uint32_t group, uint32_t level_count) {
  const uint32_t attribute = lods_attribute(maker, group);
  if (attribute == FBX_NONE) return NULL;
  float *sizes = JOB_ARRAY(maker->job, float, level_count);
  double last = 100;
  for (uint32_t k = 0; k + 1 < level_count; k++) {
    const double size =
        fbx_property_number(maker->facts, attribute, job_format(maker->job, "Thresholds|Level%u", k), 0);
    if (size > 0 && fbx_property_number(maker->facts, attribute, "ThresholdsUsedAsPercentage", 0) == 0) {
      lods_report_distances(maker, group, size);
      return NULL;
    }
    if (!(size > 0 && size <= last)) return NULL;
    sizes[k] = (float)(size / 100);
    last = size;
  }
  return sizes;
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
  maker->scene->nodes[children[0]].lod_sizes = lods_sizes(maker, group, count);
}

void assimp_fbx_lod_groups(const assimp_maker *maker) {
  for (uint32_t n = 0; maker->facts != NULL && n < maker->scene->node_count; n++)
    if (lods_is_group(maker, n)) lods_list_children(maker, n);
}
