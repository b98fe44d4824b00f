#include "cooker/import/fbx_clusters.h"

#include <stdlib.h>
#include <string.h>

/// A repair that goes on.
typedef struct cluster_repair {
  fbx_editor *editor;
  const fbx_facts *facts;
  bool *is_dropped; ///< by record: this connection goes
  uint32_t marked_count;
  bool has_dropped, has_added;
} cluster_repair;

/// A cluster and its bone.
typedef struct cluster_pair {
  uint32_t bone, cluster;
  uint32_t order; ///< of the cluster's connection, which says which one is the first
} cluster_pair;

static int compare_pairs(const void *a, const void *b) {
  const cluster_pair *left = a, *right = b;
  if (left->bone != right->bone) return left->bone < right->bone ? -1 : 1;
  return left->order < right->order ? -1 : left->order > right->order;
}

// -- Matrices ---------------------------------------------------------------------------------------------------------

static void fill_matrix(fbx_editor *editor, uint32_t cluster, const char *name) {
  if (fbx_child(editor->records, cluster, name, FBX_NONE) != FBX_NONE) return;
  fbx_value zeros = {.kind = FBX_VALUE_ARRAY, .letter = 'd', .element_type = 'd', .element_count = 16};
  zeros.byte_count = zeros.element_count * sizeof(double);
  zeros.bytes = job_alloc(editor->job, zeros.byte_count, 1);
  fbx_editor_add_child(editor, cluster, name);
  fbx_add_value(editor->records, zeros);
}

// -- Clusters without a bone ------------------------------------------------------------------------------------------

static uint32_t mesh_of_skin(const fbx_facts *facts, uint32_t skin) {
  uint32_t count;
  const fbx_link *links = fbx_links_to(facts, skin, &count);
  for (uint32_t i = 0; i < count; i++)
    if (links[i].parent != FBX_NONE && facts->objects[links[i].parent].kind == FBX_MESH) return links[i].parent;
  return FBX_NONE;
}

/// Weights that are lost with a cluster are worth a word.
static void report_without_bone(const fbx_facts *facts, uint32_t skin, uint32_t cluster) {
  uint32_t count, moved_count = 0;
  const double *weights = fbx_child_array(facts, cluster, "Weights", &count);
  for (uint32_t i = 0; i < count; i++) moved_count += weights[i] != 0.0;
  if (moved_count == 0) return;
  const uint32_t mesh = mesh_of_skin(facts, skin);
  cook_where where = COOK_WHERE;
  if (mesh != FBX_NONE) where.mesh = facts->objects[mesh].name;
  where.value = facts->objects[cluster].name;
  where.limit = job_format(facts->records->job, "%u", moved_count);
  job_issue(facts->records->job, MPAK_I043, where);
}

// -- Two clusters of a bone -------------------------------------------------------------------------------------------

/// Gives the cluster a node of its own below the bone.
static void add_stand_in(cluster_repair *repair, const cluster_pair *pair) {
  const fbx_facts *facts = repair->facts;
  fbx_records *records = repair->editor->records;
  const fbx_value no_name = fbx_word(repair->editor->job, "");
  int64_t id;
  fbx_editor_add_object(repair->editor, "Model", &no_name, FBX_STAND_IN_CLASS, &id);
  uint32_t count;
  const fbx_link *links = fbx_links_of(facts, pair->cluster, &count);
  for (uint32_t i = 0; i < count; i++)
    if (links[i].child == pair->bone) fbx_edit_values(records, links[i].order)[1] = fbx_id(id);
  fbx_editor_connect(repair->editor, id, facts->objects[pair->bone].id);
  repair->has_added = true;
}

static void repair_skin(cluster_repair *repair, uint32_t skin) {
  const fbx_facts *facts = repair->facts;
  uint32_t link_count, count = 0;
  const fbx_link *links = fbx_links_of(facts, skin, &link_count);
  cluster_pair *pairs = JOB_ARRAY(repair->editor->job, cluster_pair, link_count);
  for (uint32_t i = 0; i < link_count; i++) {
    const uint32_t cluster = links[i].child;
    if (facts->objects[cluster].kind != FBX_CLUSTER) continue;
    fill_matrix(repair->editor, facts->objects[cluster].record, "Transform");
    fill_matrix(repair->editor, facts->objects[cluster].record, "TransformLink");
    pairs[count] = (cluster_pair){fbx_child_of_kind(facts, cluster, FBX_MODEL, 0), cluster, links[i].order};
    if (pairs[count].bone != FBX_NONE) {
      count++;
      continue;
    }
    report_without_bone(facts, skin, cluster);
    repair->is_dropped[links[i].order] = repair->has_dropped = true;
  }
  qsort(pairs, count, sizeof *pairs, compare_pairs);
  for (uint32_t i = 1; i < count; i++)
    if (pairs[i].bone == pairs[i - 1].bone) add_stand_in(repair, &pairs[i]);
}

/// Assimp knows one skin of a mesh, and one without clusters may hide the one that has some.
static void drop_empty_skin(cluster_repair *repair, uint32_t skin) {
  uint32_t count;
  const fbx_link *links = fbx_links_of(repair->facts, skin, &count);
  for (uint32_t i = 0; i < count; i++)
    if (repair->facts->objects[links[i].child].kind == FBX_CLUSTER && !repair->is_dropped[links[i].order]) return;
  links = fbx_links_to(repair->facts, skin, &count);
  for (uint32_t i = 0; i < count; i++) repair->is_dropped[links[i].order] = repair->has_dropped = true;
}

bool fbx_repair_clusters(fbx_editor *editor, const fbx_facts *facts) {
  cluster_repair repair = {.editor = editor, .facts = facts, .marked_count = editor->records->record_count};
  repair.is_dropped = JOB_ARRAY(editor->job, bool, repair.marked_count);
  for (uint32_t i = 0; i < facts->object_count; i++) {
    if (facts->objects[i].kind != FBX_SKIN) continue;
    repair_skin(&repair, i);
    drop_empty_skin(&repair, i);
  }
  if (repair.has_dropped) fbx_editor_disconnect(editor, repair.is_dropped, repair.marked_count);
  return repair.has_dropped || repair.has_added;
}

// -- Looking ----------------------------------------------------------------------------------------------------------

static bool is_child_of(const fbx_facts *facts, uint32_t child, uint32_t parent) {
  uint32_t count;
  const fbx_link *links = fbx_links_to(facts, child, &count);
  for (uint32_t i = 0; i < count; i++)
    if (links[i].parent == parent) return true;
  return false;
}

uint32_t fbx_cluster_of_bone(const fbx_facts *facts, uint32_t skin, uint32_t bone) {
  uint32_t count;
  const fbx_link *links = fbx_links_to(facts, bone, &count);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t cluster = links[i].parent;
    if (cluster != FBX_NONE && facts->objects[cluster].kind == FBX_CLUSTER && is_child_of(facts, cluster, skin))
      return cluster;
  }
  return FBX_NONE;
}
