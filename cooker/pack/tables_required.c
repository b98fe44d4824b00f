// tables_required.c: LODS and RBON. Every mesh with parts has its LOD 0; its RequiredBones are the nodes that draw it,
// the joints of the skins that move it, and all their parents.
#include <stdlib.h>
#include <string.h>

#include "cooker/pack/tables.h"

#define REQUIRED_MAX (1u << 24) ///< RequiredBones of a pack: what a hostile file could blow up without having the bytes

/// Nodes of the mesh at hand, and marks of who is in the list: a mark is the mesh's number + 1.
typedef struct required_list {
  pack_tables *tables;
  uint32_t mark;
  uint32_t *node_marks;
  uint32_t *skin_marks;
  uint32_t *nodes; ///< node_count of them at most
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
    required_add_node(list, list->tables->joints[record->first_joint + j].node);
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
  tables->lods = JOB_ARRAY(job, mpak_lod, tables->mesh_count);
  for (uint32_t m = 0; m < tables->mesh_count; ++m) {
    tables->meshes[m].first_lod = tables->lod_count;
    if (tables->meshes[m].part_count == 0) continue; // nothing to draw, at whatever distance
    list.mark = m + 1;
    list.count = 0;
    for (uint32_t i = starts[m]; i < starts[m + 1]; ++i) required_add_instance(&list, &tables->instances[order[i]]);
    tables->meshes[m].lod_count = 1;
    tables->lods[tables->lod_count++] =
        (mpak_lod){.mesh = m, .first_required = tables->required_bone_count, .required_count = list.count};
    required_append(tables, &list, &capacity);
  }
}
