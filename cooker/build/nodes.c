#include <stdlib.h>
#include <string.h>

#include "cooker/build/nodes_prune.h"
#include "cooker/build/remap.h"

// -- What is cooked ---------------------------------------------------------------------------------------------------

/// Adds a node and its ancestors. A node that is added only because others need it does not draw its mesh.
static void nodes_need(cook_scene *scene, uint32_t node) {
  while (node != MPAK_NONE && !scene->nodes[node].is_cooked) {
    scene->nodes[node].is_cooked = true;
    scene->nodes[node].mesh = MPAK_NONE;
    scene->nodes[node].skin = MPAK_NONE;
    node = scene->nodes[node].parent;
  }
}

/// Importers mark what the default scene and its skins need; ancestors and joints are made certain here, since a pack
/// cannot do without them.
static void nodes_close(cook_scene *scene) {
  for (uint32_t n = 0; n < scene->node_count; n++)
    if (scene->nodes[n].is_cooked) nodes_need(scene, scene->nodes[n].parent);
  for (uint32_t n = 0; n < scene->node_count; n++) {
    const cook_node *node = &scene->nodes[n];
    if (!node->is_cooked || node->mesh == MPAK_NONE || node->skin == MPAK_NONE) continue;
    const cook_skin *skin = &scene->skins[node->skin];
    for (uint32_t j = 0; j < skin->joint_count; j++) nodes_need(scene, skin->joints[j]);
  }
}

// -- Order ------------------------------------------------------------------------------------------------------------

// A node may be placed when its parent is; of those the one with the lowest number in the source comes next. A source
// that has its parents first therefore keeps its order. The ready nodes stand in a binary heap.

typedef struct node_heap {
  uint32_t *items;
  uint32_t count;
} node_heap;

static void node_heap_push(node_heap *heap, uint32_t node) {
  uint32_t at = heap->count++;
  for (; at != 0 && heap->items[(at - 1) / 2] > node; at = (at - 1) / 2) heap->items[at] = heap->items[(at - 1) / 2];
  heap->items[at] = node;
}

static uint32_t node_heap_pop(node_heap *heap) {
  const uint32_t lowest = heap->items[0];
  const uint32_t last = heap->items[--heap->count];
  uint32_t at = 0;
  for (;;) {
    uint32_t child = 2 * at + 1;
    if (child >= heap->count) break;
    if (child + 1 < heap->count && heap->items[child + 1] < heap->items[child]) child++;
    if (heap->items[child] >= last) break;
    heap->items[at] = heap->items[child];
    at = child;
  }
  heap->items[at] = last;
  return lowest;
}

/// Children of each node as linked lists.
typedef struct node_children {
  uint32_t *first; ///< by node
  uint32_t *next;  ///< by child
} node_children;

static node_children nodes_list_children(cook_job *job, const cook_scene *scene) {
  const uint32_t count = scene->node_count;
  node_children children = {JOB_ARRAY(job, uint32_t, count), JOB_ARRAY(job, uint32_t, count)};
  for (uint32_t n = 0; n < count; n++) children.first[n] = children.next[n] = MPAK_NONE;
  for (uint32_t n = 0; n < count; n++) {
    const uint32_t parent = scene->nodes[n].parent;
    if (parent == MPAK_NONE || !scene->nodes[n].is_cooked) continue;
    children.next[n] = children.first[parent];
    children.first[parent] = n;
  }
  return children;
}

/// Writes the old numbers of the cooked nodes in their new order. Returns how many there are.
static uint32_t nodes_sort(cook_job *job, const cook_scene *scene, uint32_t *old_of_new) {
  const node_children children = nodes_list_children(job, scene);
  node_heap heap = {JOB_ARRAY(job, uint32_t, scene->node_count), 0};
  uint32_t count = 0;
  for (uint32_t n = 0; n < scene->node_count; n++)
    if (scene->nodes[n].is_cooked && scene->nodes[n].parent == MPAK_NONE) node_heap_push(&heap, n);
  while (heap.count != 0) {
    const uint32_t node = node_heap_pop(&heap);
    old_of_new[count++] = node;
    for (uint32_t c = children.first[node]; c != MPAK_NONE; c = children.next[c]) node_heap_push(&heap, c);
  }
  return count;
}

// -- Renumbering ------------------------------------------------------------------------------------------------------

/// By node, then path. A pair occurs once in a sound source; the rest makes the order total all the same.
static int nodes_compare_tracks(const void *left, const void *right) {
  const cook_track *a = left, *b = right;
  if (a->node != b->node) return a->node < b->node ? -1 : 1;
  if (a->path != b->path) return a->path < b->path ? -1 : 1;
  if (a->key_count != b->key_count) return a->key_count < b->key_count ? -1 : 1;
  const int times = memcmp(a->times, b->times, sizeof(float) * a->key_count);
  if (times != 0 || a->value_count != b->value_count)
    return times != 0 ? times : a->value_count < b->value_count ? -1 : 1;
  return memcmp(a->values, b->values, sizeof(float) * a->value_count);
}

static void nodes_report_tracks(cook_job *job, const cook_clip *clip, uint32_t kept_count) {
  if (kept_count == clip->track_count) return;
  cook_where where = COOK_WHERE;
  where.clip = clip->name;
  where.value = job_format(job, "%u", clip->track_count - kept_count);
  where.limit = job_format(job, "%u", clip->track_count);
  job_issue(job, MPAK_C012, where);
}

static void nodes_renumber_tracks(cook_job *job, cook_scene *scene, const uint32_t *new_of_old) {
  for (uint32_t c = 0; c < scene->clip_count; c++) {
    cook_clip *clip = &scene->clips[c];
    uint32_t kept_count = 0;
    for (uint32_t t = 0; t < clip->track_count; t++) {
      cook_track track = clip->tracks[t];
      track.node = new_of_old[track.node];
      if (track.node != MPAK_NONE) clip->tracks[kept_count++] = track;
    }
    nodes_report_tracks(job, clip, kept_count);
    clip->track_count = kept_count;
    if (kept_count > 1) qsort(clip->tracks, kept_count, sizeof *clip->tracks, nodes_compare_tracks);
  }
}

/// Joints of skins that no cooked node uses may be gone; nodes_prune drops those skins.
static void nodes_renumber_skins(cook_scene *scene, const uint32_t *new_of_old) {
  for (uint32_t s = 0; s < scene->skin_count; s++)
    for (uint32_t j = 0; j < scene->skins[s].joint_count; j++)
      scene->skins[s].joints[j] = new_of_old[scene->skins[s].joints[j]];
}

static void nodes_renumber_lods(cook_job *job, cook_scene *scene, const uint32_t *old_of_new, uint32_t count) {
  for (uint32_t m = 0; m < scene->mesh_count; m++)
    for (uint32_t k = 0; k < scene->meshes[m].lod_count; k++) {
      cook_lod *lod = &scene->meshes[m].lods[k];
      if (lod->drops_node == NULL) continue;
      bool *drops_node = JOB_ARRAY(job, bool, count);
      for (uint32_t n = 0; n < count; n++) drops_node[n] = lod->drops_node[old_of_new[n]];
      lod->drops_node = drops_node;
    }
}

static void nodes_rebuild(cook_job *job, cook_scene *scene) {
  for (uint32_t s = 0; s < scene->skin_count; s++) // two skins may share their list, which is renumbered in place
    scene->skins[s].joints = job_copy(job, scene->skins[s].joints, sizeof(uint32_t) * scene->skins[s].joint_count);
  cook_node *nodes = JOB_ARRAY(job, cook_node, scene->node_count);
  uint32_t *old_of_new = JOB_ARRAY(job, uint32_t, scene->node_count);
  const cook_mark mark = job_mark(job);
  uint32_t *new_of_old = JOB_ARRAY(job, uint32_t, scene->node_count);
  const uint32_t count = nodes_sort(job, scene, old_of_new);
  for (uint32_t n = 0; n < scene->node_count; n++) new_of_old[n] = MPAK_NONE;
  for (uint32_t n = 0; n < count; n++) new_of_old[old_of_new[n]] = n;
  for (uint32_t n = 0; n < count; n++) {
    nodes[n] = scene->nodes[old_of_new[n]];
    if (nodes[n].parent != MPAK_NONE) nodes[n].parent = new_of_old[nodes[n].parent];
  }
  nodes_renumber_tracks(job, scene, new_of_old);
  nodes_renumber_skins(scene, new_of_old);
  for (uint32_t n = 0; n < count; n++) { // their nodes may be gone, and build_lods_authored has had its turn
    nodes[n].lod_count = 0;
    nodes[n].lods = NULL;
    nodes[n].lod_sizes = NULL;
  }
  job_release(job, mark);
  nodes_renumber_lods(job, scene, old_of_new, count);
  scene->nodes = nodes;
  scene->node_count = count;
}

// -- Arrays of one's own ----------------------------------------------------------------------------------------------

// Later stages rewrite streams in place. Where two primitives, or two targets, share an array, each but the first gets
// a copy.

typedef struct stream_place {
  void *data;
  cook_primitive *primitive;
  uint32_t stream;
  uint64_t number; ///< makes the order of the sort total
} stream_place;

static int nodes_compare_places(const void *left, const void *right) {
  const stream_place *a = left, *b = right;
  if (a->data != b->data) return (uintptr_t)a->data < (uintptr_t)b->data ? -1 : 1;
  return a->number < b->number ? -1 : a->number > b->number;
}

static uint64_t nodes_list_streams(cook_scene *scene, stream_place *places) {
  uint64_t count = 0;
  for (uint32_t m = 0; m < scene->mesh_count; m++) {
    for (uint32_t p = 0; p < scene->meshes[m].primitive_count; p++) {
      cook_primitive *primitive = &scene->meshes[m].primitives[p];
      const uint32_t stream_count = remap_stream_count(primitive);
      for (uint32_t s = 0; s < stream_count; s++) {
        void *data = remap_stream_get(primitive, s);
        if (data == NULL) continue;
        if (places != NULL) places[count] = (stream_place){data, primitive, s, count};
        count++;
      }
    }
  }
  return count;
}

static void nodes_unshare_streams(cook_job *job, cook_scene *scene) {
  const uint64_t count = nodes_list_streams(scene, NULL);
  stream_place *places = JOB_ARRAY(job, stream_place, count);
  nodes_list_streams(scene, places);
  if (count > 1) qsort(places, count, sizeof *places, nodes_compare_places);
  for (uint64_t i = 1; i < count; i++) {
    if (places[i].data != places[i - 1].data) continue;
    cook_primitive *primitive = places[i].primitive;
    const uint64_t bytes = (uint64_t)remap_stream_bytes(primitive, places[i].stream) * primitive->vertex_count;
    remap_stream_set(primitive, places[i].stream, job_copy(job, places[i].data, bytes));
  }
}

void build_nodes(cook_job *job, cook_scene *scene) {
  nodes_close(scene);
  nodes_rebuild(job, scene);
  nodes_prune(job, scene);
  nodes_unshare_streams(job, scene);
}
