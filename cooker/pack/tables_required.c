// tables_required.c: LODS and RBON. Every mesh with parts has its LOD 0. RequiredBones are the nodes that draw the
// mesh, those joints of the skins that move it which the level does not drop, and all their parents.
#include <stdlib.h>
#include <string.h>

#include "cooker/pack/tables.h"

#define REQUIRED_MAX (1u << 24) ///< RequiredBones of a pack: what a hostile file could blow up without having the bytes

/// Nodes of the level at hand, and marks of who is in the list: a mark is the level's number + 1.
typedef struct required_list {
  pack_tables *tables;
  uint32_t mark;
  uint32_t *node_marks;
  uint32_t *skin_marks;
  const bool *drops_node; ///< of the level, or NULL
  uint32_t *nodes;        ///< node_count of them at most
  uint32_t count;
} required_list;

static void required_add_node(required_list *list, uint32_t node) {
  while (node != MPAK_NONE && list->node_marks[node] != list->mark) {
    list->node_marks[node] = list->mark;
    list->nodes[list->count++] = node;
    node = list->tables->nodes[node].parent;
  }
}

static void required_add_skin(required_list *list, uint32_t skin) {
  if (list->skin_marks[skin] == list->mark) return;
  list->skin_marks[skin] = list->mark;
  const mpak_skin *record = &list->tables->skins[skin];
  for (uint32_t j = 0; j < record->joint_count; ++j) {
    const uint32_t node = list->tables->joints[record->first_joint + j].node;
    if (list->drops_node == NULL || !list->drops_node[node]) required_add_node(list, node);
  }
}

static void required_add_instance(required_list *list, const mpak_instance *instance) {
  required_add_node(list, instance->node);
  if (instance->skin != MPAK_NONE) required_add_skin(list, instance->skin);
}

static int required_compare(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/// Instances of each mesh in a row: starts[m] … starts[m + 1] of order.
static void required_sort_instances(const pack_tables *tables, uint32_t *starts, uint32_t *order) {
  for (uint32_t i = 0; i < tables->instance_count; ++i) starts[tables->instances[i].mesh + 1]++;
  for (uint32_t m = 0; m < tables->mesh_count; ++m) starts[m + 1] += starts[m];
  for (uint32_t i = tables->instance_count; i-- > 0;) order[--starts[tables->instances[i].mesh + 1]] = i;
  for (uint32_t m = 0; m < tables->mesh_count; ++m) starts[m] = starts[m + 1];
  starts[tables->mesh_count] = tables->instance_count;
}

static void required_append(pack_tables *tables, required_list *list, uint64_t *capacity) {
  uint32_t total =
      tables_count(tables->job, (uint64_t)tables->required_bone_count + list->count, REQUIRED_MAX, "required bones");
  if (total > *capacity) {
    *capacity = *capacity * 2 > total ? *capacity * 2 : total;
    uint32_t *grown = JOB_ARRAY(tables->job, uint32_t, *capacity);
    if (tables->required_bone_count) {
      memcpy(grown, tables->required_bones, tables->required_bone_count * sizeof *grown);
    }
    tables->required_bones = grown;
  }
  if (list->count == 0) return;
  qsort(list->nodes, list->count, sizeof *list->nodes, required_compare);
  memcpy(tables->required_bones + tables->required_bone_count, list->nodes, list->count * sizeof *list->nodes);
  tables->required_bone_count = total;
}

/// Levels of a mesh; without any there is level 0.
static uint32_t required_lod_count(const pack_tables *tables, uint32_t mesh) {
  if (tables->meshes[mesh].part_count == 0) return 0; // nothing to draw, at whatever distance
  const uint32_t count = tables->scene->meshes[mesh].lod_count;
  return count == 0 ? 1 : count;
}

static void required_allot(pack_tables *tables) {
  uint64_t count = 0;
  for (uint32_t m = 0; m < tables->mesh_count; ++m) count += required_lod_count(tables, m);
  tables->lods = JOB_ARRAY(tables->job, mpak_lod, tables_count(tables->job, count, UINT32_MAX, "levels of detail"));
}

static void required_add_lod(pack_tables *tables, const required_list *list, uint32_t mesh, uint32_t level) {
  const cook_mesh *source = &tables->scene->meshes[mesh];
  mpak_lod *record = &tables->lods[tables->lod_count++];
  *record = (mpak_lod){
      .mesh = mesh, .level = level, .first_required = tables->required_bone_count, .required_count = list->count};
  if (source->lod_count == 0) return;
  record->screen_size = source->lods[level].screen_size;
  record->error_m = source->lods[level].error_m;
}

void tables_make_required(pack_tables *tables) {
  cook_job *job = tables->job;
  required_list list = {.tables = tables,
                        .node_marks = JOB_ARRAY(job, uint32_t, tables->node_count),
                        .skin_marks = JOB_ARRAY(job, uint32_t, tables->skin_count),
                        .nodes = JOB_ARRAY(job, uint32_t, tables->node_count)};
  uint32_t *starts = JOB_ARRAY(job, uint32_t, (uint64_t)tables->mesh_count + 1);
  uint32_t *order = JOB_ARRAY(job, uint32_t, tables->instance_count);
  uint64_t capacity = 0;
  required_sort_instances(tables, starts, order);
  required_allot(tables);
  for (uint32_t m = 0; m < tables->mesh_count; ++m) {
    const uint32_t level_count = required_lod_count(tables, m);
    tables->meshes[m].first_lod = tables->lod_count;
    tables->meshes[m].lod_count = level_count;
    for (uint32_t k = 0; k < level_count; ++k) {
      list.mark++;
      list.count = 0;
      list.drops_node = tables->scene->meshes[m].lod_count != 0 ? tables->scene->meshes[m].lods[k].drops_node : NULL;
      for (uint32_t i = starts[m]; i < starts[m + 1]; ++i) required_add_instance(&list, &tables->instances[order[i]]);
      required_add_lod(tables, &list, m, k);
      required_append(tables, &list, &capacity);
    }
  }
}
