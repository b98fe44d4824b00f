#include <stdlib.h>
#include <string.h>

#include "cooker/import/assimp_maker.h"

#define OLDEST_VERSION    7100u ///< what Assimp reads at all
#define SHAPES_VERSION    7200u ///< before it, shapes stand inside their mesh, where Assimp does not see them
#define ASSIMP_NAME_BYTES 1023  ///< longer names are cut

// -- What is refused --------------------------------------------------------------------------------------------------

_Noreturn static void refuse_version(const fbx_records *records, const char *least) {
  cook_where where = COOK_WHERE;
  where.value = job_format(records->job, "%u.%u", records->version / 1000, records->version / 100 % 10);
  where.limit = least;
  job_fail(records->job, MPAK_F008, where);
}

static bool has_shapes_in_meshes(const fbx_facts *facts) {
  for (uint32_t i = 0; i < facts->object_count; i++)
    if (facts->objects[i].kind == FBX_MESH &&
        fbx_child(facts->records, facts->objects[i].record, "Shape", FBX_NONE) != FBX_NONE)
      return true;
  return false;
}

static void report_channel(const fbx_facts *facts, uint32_t channel, mpak_issue_id id) {
  cook_where where = COOK_WHERE;
  where.target = facts->objects[channel].name;
  job_issue(facts->records->job, id, where);
}

/// Shapes of a channel, the same one connected twice counted once.
static uint32_t count_shapes(const fbx_facts *facts, uint32_t channel) {
  uint32_t count = 0, last = FBX_NONE;
  for (uint32_t n = 0;; n++) {
    const uint32_t shape = fbx_child_of_kind(facts, channel, FBX_SHAPE, n);
    if (shape == FBX_NONE) return count;
    if (shape != last) count++;
    last = shape;
  }
}

/// Is the shape complete at another weight than 100 percent? Blender writes one weight for each vertex of the shape
/// instead (its vertex group); those are followed (assimp_fbx_weights.c).
static bool has_other_full_weight(const fbx_facts *facts, uint32_t channel) {
  uint32_t count, index_count;
  const double *weights = fbx_child_array(facts, channel, "FullWeights", &count);
  const uint32_t shape = fbx_child_of_kind(facts, channel, FBX_SHAPE, 0);
  if (shape == FBX_NONE || weights == NULL) return false;
  fbx_child_array(facts, shape, "Indexes", &index_count);
  bool is_other = false;
  for (uint32_t i = 0; i < count; i++) is_other = is_other || weights[i] != 100.0;
  return is_other && (count != index_count || count == 1);
}

static void check_channels(const fbx_facts *facts) {
  for (uint32_t i = 0; i < facts->object_count; i++) {
    if (facts->objects[i].kind != FBX_BLEND_CHANNEL) continue;
    if (count_shapes(facts, i) > 1)
      report_channel(facts, i, MPAK_I024);
    else if (has_other_full_weight(facts, i))
      report_channel(facts, i, MPAK_I026);
  }
}

/// Two deformers of one mesh: Assimp numbers the channels of both from 0, so their curves cannot be told apart.
static void check_deformers(const fbx_facts *facts) {
  for (uint32_t i = 0; i < facts->object_count; i++) {
    if (facts->objects[i].kind != FBX_MESH) continue;
    const uint32_t first = fbx_child_of_kind(facts, i, FBX_BLEND_SHAPE, 0);
    for (uint32_t n = 1, other = first; other != FBX_NONE; n++) {
      other = fbx_child_of_kind(facts, i, FBX_BLEND_SHAPE, n);
      if (other == FBX_NONE || other == first) continue;
      cook_where where = COOK_WHERE;
      where.mesh = facts->objects[i].name;
      job_issue(facts->records->job, MPAK_I027, where);
      break;
    }
  }
}

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/// Names of the models that a skin's clusters are bound to; returns how many.
static uint32_t list_bone_names(const fbx_facts *facts, uint32_t skin, const char **names) {
  uint32_t count = 0, link_count;
  const fbx_link *links = fbx_links_of(facts, skin, &link_count);
  for (uint32_t i = 0; i < link_count; i++) {
    if (facts->objects[links[i].child].kind != FBX_CLUSTER) continue;
    const uint32_t model = fbx_child_of_kind(facts, links[i].child, FBX_MODEL, 0);
    if (model != FBX_NONE) names[count++] = facts->objects[model].name;
  }
  return count;
}

/// Two clusters of one skin that are bound to the same name: Assimp gives the second the weights of the first, and
/// frees them twice.
static void check_bone_names(const fbx_facts *facts, uint32_t mesh, uint32_t skin) {
  uint32_t link_count;
  fbx_links_of(facts, skin, &link_count);
  const char **names = JOB_ARRAY(facts->records->job, const char *, link_count);
  const uint32_t count = list_bone_names(facts, skin, names);
  qsort(names, count, sizeof *names, compare_texts);
  for (uint32_t n = 1; n < count; n++) {
    if (strcmp(names[n - 1], names[n]) != 0) continue;
    cook_where where = COOK_WHERE;
    where.mesh = facts->objects[mesh].name;
    where.value = names[n];
    job_issue(facts->records->job, MPAK_I014, where);
    return;
  }
}

static void check_bones(const fbx_facts *facts) {
  for (uint32_t i = 0; i < facts->object_count; i++) {
    if (facts->objects[i].kind != FBX_MESH) continue;
    for (uint32_t n = 0;; n++) {
      const uint32_t skin = fbx_child_of_kind(facts, i, FBX_SKIN, n);
      if (skin == FBX_NONE) break;
      check_bone_names(facts, i, skin);
    }
  }
}

/// Layers of a stack in which something is animated.
static uint32_t count_busy_layers(const fbx_facts *facts, uint32_t stack) {
  uint32_t count = 0;
  for (uint32_t n = 0;; n++) {
    const uint32_t layer = fbx_child_of_kind(facts, stack, FBX_LAYER, n);
    if (layer == FBX_NONE) return count;
    count += fbx_child_of_kind(facts, layer, FBX_CURVE_NODE, 0) != FBX_NONE;
  }
}

static void check_layers(const fbx_facts *facts) {
  for (uint32_t i = 0; i < facts->object_count; i++) {
    if (facts->objects[i].kind != FBX_STACK || count_busy_layers(facts, i) < 2) continue;
    cook_where where = COOK_WHERE;
    where.clip = facts->objects[i].name;
    job_issue(facts->records->job, MPAK_I025, where);
  }
}

const fbx_facts *assimp_fbx_read(cook_job *job, const uint8_t *bytes, uint64_t byte_count, sniff_kind kind) {
  if (kind != SNIFF_FBX_BINARY && kind != SNIFF_FBX_TEXT) return NULL;
  const fbx_records *records =
      kind == SNIFF_FBX_BINARY ? fbx_records_read(job, bytes, byte_count) : fbx_text_read(job, bytes, byte_count);
  if (records->version < OLDEST_VERSION) refuse_version(records, "7.1 or newer");
  const fbx_facts *facts = fbx_facts_make(records);
  if (records->version < SHAPES_VERSION && has_shapes_in_meshes(facts))
    refuse_version(records, "7.2 or newer, for shapes,");
  check_channels(facts);
  check_deformers(facts);
  check_bones(facts);
  check_layers(facts);
  job_stop_on_errors(job);
  return facts;
}

// -- Nodes ------------------------------------------------------------------------------------------------------------

/// The next model among the links of a parent, and the cursor behind it.
static uint32_t next_model(const fbx_facts *facts, uint32_t parent, uint32_t *cursor) {
  uint32_t count;
  const fbx_link *links = fbx_links_of(facts, parent, &count);
  while (*cursor < count) {
    const fbx_link *link = &links[(*cursor)++];
    if (facts->objects[link->child].kind == FBX_MODEL && link->property[0] == 0) return link->child;
  }
  return FBX_NONE;
}

static bool is_name_of(const fbx_facts *facts, uint32_t object, const char *name) {
  return object != FBX_NONE && strncmp(facts->objects[object].name, name == NULL ? "" : name, ASSIMP_NAME_BYTES) == 0;
}

/// Assimp visits models in the order of their connections. So the n-th child of a node is the n-th model connected to
/// its model; a name that differs shows that it was not so, and the node and all below stay without an object.
void assimp_fbx_match_nodes(assimp_maker *maker) {
  const fbx_facts *facts = maker->facts;
  if (facts == NULL) return;
  const uint32_t node_count = maker->scene->node_count;
  uint32_t *cursors = JOB_ARRAY(maker->job, uint32_t, (uint64_t)node_count + 1); // by parent; the last: of the scene
  const bool has_root = node_count != 0 && maker->links[0].owner == 0;           // a root that Assimp turned is kept
  for (uint32_t i = has_root ? 1 : 0; i < node_count; i++) {
    const uint32_t parent = maker->scene->nodes[i].parent;
    const bool is_top = parent == MPAK_NONE || (has_root && parent == 0);
    if (!is_top && maker->nodes[parent].model == FBX_NONE) continue;
    const uint32_t model =
        next_model(facts, is_top ? FBX_NONE : maker->nodes[parent].model, &cursors[is_top ? node_count : parent]);
    if (is_name_of(facts, model, maker->scene->nodes[i].name)) maker->nodes[i].model = model;
  }
}

/// Polygons of a geometry, or 0.
static uint32_t polygon_corners(const fbx_facts *facts, uint32_t geometry) {
  const fbx_records *records = facts->records;
  const uint32_t record = fbx_child(records, facts->objects[geometry].record, "PolygonVertexIndex", FBX_NONE);
  const fbx_value *value = fbx_value_at(records, record, 0);
  return value == NULL || value->kind != FBX_VALUE_ARRAY ? 0 : value->element_count;
}

/// A node whose FBX object has a mesh must have one here too.
void assimp_fbx_check_meshes(const assimp_maker *maker) {
  if (maker->facts == NULL) return;
  for (uint32_t i = 0; i < maker->scene->node_count; i++) {
    const uint32_t model = maker->nodes[i].model;
    if (model == FBX_NONE || maker->group_of_node[i] != MPAK_NONE) continue;
    const uint32_t geometry = fbx_child_of_kind(maker->facts, model, FBX_MESH, 0);
    if (geometry == FBX_NONE || polygon_corners(maker->facts, geometry) == 0) continue;
    cook_where where = COOK_WHERE;
    where.node = maker->scene->nodes[i].name;
    assimp_issue(maker, MPAK_I011, where, "the mesh of this node");
  }
}

// -- Shapes -----------------------------------------------------------------------------------------------------------

static uint32_t count_links_of_kind(const fbx_facts *facts, uint32_t parent, fbx_kind kind) {
  uint32_t count = 0;
  while (fbx_child_of_kind(facts, parent, kind, count) != FBX_NONE) count++;
  return count;
}

/// Number of a deformer's first connection to this channel: how morph keys count.
static uint32_t index_of_channel(const fbx_facts *facts, uint32_t deformer, uint32_t channel) {
  uint32_t index = 0;
  while (fbx_child_of_kind(facts, deformer, FBX_BLEND_CHANNEL, index) != channel) index++;
  return index;
}

static bool is_known_channel(const assimp_fbx_shape *shapes, uint32_t count, uint32_t channel) {
  for (uint32_t i = 0; i < count; i++)
    if (shapes[i].channel == channel) return true;
  return false;
}

/// Calls for each (deformer, channel, shape) in Assimp's order; shapes NULL only counts.
static uint32_t list_fbx_shapes(const fbx_facts *facts, uint32_t geometry, assimp_fbx_shape *shapes) {
  uint32_t count = 0;
  for (uint32_t d = 0;; d++) {
    const uint32_t deformer = fbx_child_of_kind(facts, geometry, FBX_BLEND_SHAPE, d);
    if (deformer == FBX_NONE) return count;
    for (uint32_t c = 0;; c++) {
      const uint32_t channel = fbx_child_of_kind(facts, deformer, FBX_BLEND_CHANNEL, c);
      if (channel == FBX_NONE) break;
      const uint32_t shape_count = count_links_of_kind(facts, channel, FBX_SHAPE);
      for (uint32_t s = 0; s < shape_count; s++, count++)
        if (shapes != NULL)
          shapes[count] =
              (assimp_fbx_shape){channel, fbx_child_of_kind(facts, channel, FBX_SHAPE, s),
                                 index_of_channel(facts, deformer, channel), is_known_channel(shapes, count, channel)};
    }
  }
}

assimp_fbx_shape *assimp_fbx_shapes(const assimp_maker *maker, uint32_t geometry, uint32_t *count) {
  *count = 0;
  if (maker->facts == NULL || geometry == FBX_NONE) return NULL;
  *count = list_fbx_shapes(maker->facts, geometry, NULL);
  assimp_fbx_shape *shapes = JOB_ARRAY(maker->job, assimp_fbx_shape, *count);
  list_fbx_shapes(maker->facts, geometry, shapes);
  return shapes;
}
