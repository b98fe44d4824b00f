// lods_authored.c: levels of detail that the author made. The source lists them (MSFT_lod, FBX LOD groups: lods of a
// node), or nodes with one parent, or else their meshes, are called alike but for _LOD0, _LOD1, ….
#include <stdlib.h>
#include <string.h>

#include "cooker/build/lods_merge.h"

// -- Listed by the source ---------------------------------------------------------------------------------------------

static bool lods_is_below(const cook_scene *scene, uint32_t node, uint32_t top) {
  while (node != MPAK_NONE && node != top) node = scene->nodes[node].parent;
  return node == top;
}

/// The node itself or the only one below it that draws a mesh; MPAK_NONE when there are none or several.
static uint32_t lods_drawing_node(const cook_scene *scene, uint32_t node) {
  if (scene->nodes[node].mesh != MPAK_NONE) return node;
  uint32_t found = MPAK_NONE;
  for (uint32_t n = 0; n < scene->node_count; n++) {
    if (scene->nodes[n].mesh == MPAK_NONE || !lods_is_below(scene, n, node)) continue;
    if (found != MPAK_NONE) return MPAK_NONE;
    found = n;
  }
  return found;
}

static void lods_report_unclear(cook_job *job, const cook_scene *scene, uint32_t node) {
  cook_where where = COOK_WHERE;
  where.node = scene->nodes[node].name;
  where.value = job_format(job, "what stands below \"%s\"", scene->nodes[node].name ? scene->nodes[node].name : "");
  where.limit = "a level must draw exactly one mesh";
  job_issue(job, MPAK_C041, where);
}

/// Levels end with the first one that is unclear or already part of another.
static void lods_take_listed(cook_job *job, cook_scene *scene, uint32_t top, bool *is_taken) {
  const cook_node *node = &scene->nodes[top];
  lods_group group = {0};
  for (uint32_t k = 0; k <= node->lod_count && k < LODS_MOST; k++) {
    const uint32_t listed = k == 0 ? top : node->lods[k - 1], drawing = lods_drawing_node(scene, listed);
    if (drawing == MPAK_NONE) lods_report_unclear(job, scene, listed);
    if (drawing == MPAK_NONE || is_taken[drawing]) break;
    is_taken[drawing] = true;
    group.nodes[k] = drawing;
    group.sizes[k] = node->lod_sizes != NULL ? node->lod_sizes[k] : 0;
    group.level_count++;
  }
  if (group.level_count > 1) lods_merge(job, scene, &group);
}

// -- By name ----------------------------------------------------------------------------------------------------------

/// A node that is called like a level.
typedef struct lods_named {
  uint32_t parent;
  const char *name;
  size_t base_length;
  uint32_t level;
  uint32_t node;
} lods_named;

/// "Hero_LOD2": base "Hero", level 2. The mark may also be small, and stand behind - or a point.
static bool lods_parse_name(const char *name, lods_named *named) {
  const size_t length = name == NULL ? 0 : strlen(name);
  if (length < 5 || name[length - 1] < '0' || name[length - 1] >= '0' + (int)LODS_MOST) return false;
  const char *mark = name + length - 5;
  if (mark[0] != '_' && mark[0] != '-' && mark[0] != '.') return false;
  if ((mark[1] | 32) != 'l' || (mark[2] | 32) != 'o' || (mark[3] | 32) != 'd') return false;
  named->name = name;
  named->base_length = length - 5;
  named->level = (uint32_t)(name[length - 1] - '0');
  return true;
}

static int lods_compare_base(const lods_named *a, const lods_named *b) {
  if (a->parent != b->parent) return a->parent < b->parent ? -1 : 1;
  if (a->base_length != b->base_length) return a->base_length < b->base_length ? -1 : 1;
  return memcmp(a->name, b->name, a->base_length);
}

static int lods_compare(const void *left, const void *right) {
  const lods_named *a = left, *b = right;
  const int base = lods_compare_base(a, b);
  if (base != 0) return base;
  if (a->level != b->level) return a->level < b->level ? -1 : 1;
  return a->node < b->node ? -1 : a->node > b->node;
}

static uint32_t lods_list_named(const cook_scene *scene, const bool *is_taken, lods_named *list) {
  uint32_t count = 0;
  for (uint32_t n = 0; n < scene->node_count; n++) {
    const cook_node *node = &scene->nodes[n];
    if (node->mesh == MPAK_NONE || !node->is_cooked || is_taken[n]) continue;
    lods_named named = {.parent = node->parent, .node = n};
    if (lods_parse_name(node->name, &named) || lods_parse_name(scene->meshes[node->mesh].name, &named))
      list[count++] = named;
  }
  return count;
}

static void lods_report_twice(cook_job *job, const cook_scene *scene, const lods_named *named) {
  cook_where where = COOK_WHERE;
  where.mesh = scene->meshes[scene->nodes[named->node].mesh].name;
  where.value = named->name;
  where.limit = "there is another one of that name";
  job_issue(job, MPAK_C041, where);
}

/// Levels of one base. They begin at 0; gaps close; a level that is there twice is not clear, and ends them.
static void lods_take_named(cook_job *job, cook_scene *scene, const lods_named *list, uint32_t count) {
  lods_group group = {0};
  for (uint32_t i = 0; i < count && list[0].level == 0; i++) {
    if (i + 1 < count && list[i + 1].level == list[i].level) {
      lods_report_twice(job, scene, &list[i + 1]);
      break;
    }
    group.nodes[group.level_count++] = list[i].node;
  }
  if (group.level_count > 1) lods_merge(job, scene, &group);
}

void build_lods_authored(cook_job *job, cook_scene *scene, const cook_options *options) {
  if (options->lods == COOK_LODS_NONE) return;
  bool *is_taken = JOB_ARRAY(job, bool, scene->node_count);
  lods_named *list = JOB_ARRAY(job, lods_named, scene->node_count);
  for (uint32_t n = 0; n < scene->node_count; n++)
    if (scene->nodes[n].lod_count != 0 && scene->nodes[n].is_cooked) lods_take_listed(job, scene, n, is_taken);
  const uint32_t count = lods_list_named(scene, is_taken, list);
  qsort(list, count, sizeof *list, lods_compare);
  for (uint32_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && lods_compare_base(&list[i], &list[end]) == 0;) end++;
    lods_take_named(job, scene, list + i, end - i);
  }
}
