#include <string.h>

#include "cooker/import/assimp_maker.h"
#include "cooker/import/fbx_check.h"
#include "cooker/import/fbx_prepass.h"

#define OLDEST_VERSION 7100u ///< what Assimp reads at all

// -- What is refused --------------------------------------------------------------------------------------------------

_Noreturn static void refuse_version(const fbx_records *records) {
  cook_where where = COOK_WHERE;
  where.value = job_format(records->job, "%u.%u", records->version / 1000, records->version / 100 % 10);
  where.limit = "7.1 or newer";
  job_fail(records->job, MPAK_F008, where);
}

/// Has the channel's one shape several full weights, and not one for each vertex? Blender writes those (its vertex
/// group), and they are followed (assimp_fbx_weights.c).
static bool has_odd_full_weights(const fbx_facts *facts, uint32_t channel) {
  uint32_t count, index_count;
  const double *weights = fbx_child_array(facts, channel, "FullWeights", &count);
  const uint32_t shape = fbx_child_of_kind(facts, channel, FBX_SHAPE, 0);
  const bool is_only_one = fbx_child_of_kind(facts, channel, FBX_SHAPE, 1) == FBX_NONE;
  if (shape == FBX_NONE || !is_only_one || weights == NULL || count < 2) return false;
  fbx_child_array(facts, shape, "Indexes", &index_count);
  bool is_other = false;
  for (uint32_t i = 0; i < count; i++) is_other = is_other || weights[i] != 100.0;
  return is_other && count != index_count;
}

static void check_channels(const fbx_facts *facts) {
  for (uint32_t i = 0; i < facts->object_count; i++) {
    if (facts->objects[i].kind != FBX_BLEND_CHANNEL || !has_odd_full_weights(facts, i)) continue;
    cook_where where = COOK_WHERE;
    where.target = facts->objects[i].name;
    job_issue(facts->records->job, MPAK_I026, where);
  }
}

const fbx_facts *assimp_fbx_read(cook_job *job, const uint8_t *bytes, uint64_t byte_count, sniff_kind kind) {
  if (kind != SNIFF_FBX_BINARY && kind != SNIFF_FBX_TEXT) return NULL;
  fbx_records *records =
      kind == SNIFF_FBX_BINARY ? fbx_records_read(job, bytes, byte_count) : fbx_text_read(job, bytes, byte_count);
  if (records->version < OLDEST_VERSION) refuse_version(records);
  const fbx_facts *facts = fbx_prepass(records);
  check_channels(facts);
  fbx_check(facts);
  job_stop_on_errors(job);
  return facts;
}

// -- Nodes ------------------------------------------------------------------------------------------------------------

/// The pre-pass calls nodes after their objects.
void assimp_fbx_match_nodes(assimp_maker *maker) {
  for (uint32_t i = 0; i < maker->scene->node_count; i++) {
    const assimp_link *link = &maker->links[maker->nodes[i].first_link];
    const uint32_t object = fbx_object_of_name(maker->facts, link->source->mName.data);
    if (object != FBX_NONE && maker->facts->objects[object].kind == FBX_MODEL) maker->nodes[i].model = object;
  }
}

/// An unnamed geometry is called like the node that shows it, which is what authors see.
static const char *name_of_object(const fbx_facts *facts, uint32_t object) {
  const char *name = facts->objects[object].name;
  if (name[0] != 0 || facts->objects[object].kind != FBX_MESH) return name;
  uint32_t count;
  const fbx_link *links = fbx_links_to(facts, object, &count);
  for (uint32_t i = 0; i < count; i++)
    if (links[i].parent != FBX_NONE && facts->objects[links[i].parent].kind == FBX_MODEL)
      return facts->objects[links[i].parent].name;
  return name;
}

/// Maya calls a channel "Deformer.Target"; the deformer's name is not part of what authors call it.
const char *assimp_fbx_control_name(const assimp_maker *maker, uint32_t channel) {
  const fbx_facts *facts = maker->facts;
  const char *name = facts->objects[channel].name;
  uint32_t count;
  const fbx_link *links = fbx_links_to(facts, channel, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (links[i].parent == FBX_NONE || facts->objects[links[i].parent].kind != FBX_BLEND_SHAPE) continue;
    const char *deformer = facts->objects[links[i].parent].name;
    const size_t length = strlen(deformer);
    if (length != 0 && strncmp(name, deformer, length) == 0 && name[length] == '.' && name[length + 1] != 0)
      return name + length + 1;
  }
  return name;
}

const char *assimp_fbx_name(const assimp_maker *maker, const char *text) {
  const uint32_t object = fbx_object_of_name(maker->facts, text);
  return object == FBX_NONE ? text : name_of_object(maker->facts, object);
}

/// Polygons of a geometry, or 0.
static uint32_t polygon_corners(const fbx_facts *facts, uint32_t geometry) {
  const fbx_records *records = facts->records;
  const uint32_t record = fbx_child(records, facts->objects[geometry].record, "PolygonVertexIndex", FBX_NONE);
  const fbx_value value = fbx_value_at(records, record, 0);
  return value.kind != FBX_VALUE_ARRAY ? 0 : value.element_count;
}

static bool has_polygons(const fbx_facts *facts, uint32_t model) {
  const uint32_t geometry = fbx_child_of_kind(facts, model, FBX_MESH, 0);
  return geometry != FBX_NONE && polygon_corners(facts, geometry) != 0;
}

/// A node whose FBX object has a mesh must have one here too, and every such object must have become a node.
void assimp_fbx_check_meshes(const assimp_maker *maker) {
  if (maker->facts == NULL) return;
  bool *is_node = JOB_ARRAY(maker->job, bool, maker->facts->object_count);
  for (uint32_t i = 0; i < maker->scene->node_count; i++) {
    const uint32_t model = maker->nodes[i].model;
    if (model == FBX_NONE) continue;
    is_node[model] = true;
    if (maker->group_of_node[i] != MPAK_NONE || !has_polygons(maker->facts, model)) continue;
    cook_where where = COOK_WHERE;
    where.node = maker->scene->nodes[i].name;
    assimp_issue(maker, MPAK_I011, where, "the mesh of this node");
  }
  for (uint32_t i = 0; i < maker->facts->object_count; i++) {
    if (maker->facts->objects[i].kind != FBX_MODEL || is_node[i] || !has_polygons(maker->facts, i)) continue;
    cook_where where = COOK_WHERE;
    where.node = maker->facts->objects[i].name;
    assimp_issue(maker, MPAK_I048, where, NULL);
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

static bool is_known_shape(const assimp_fbx_shape *shapes, uint32_t count, const assimp_fbx_shape *shape) {
  for (uint32_t i = 0; i < count; i++)
    if (shapes[i].channel == shape->channel && shapes[i].shape == shape->shape) return true;
  return false;
}

static assimp_fbx_shape make_shape(const fbx_facts *facts, uint32_t deformer, uint32_t channel, uint32_t order) {
  return (assimp_fbx_shape){.channel = channel,
                            .shape = fbx_child_of_kind(facts, channel, FBX_SHAPE, order),
                            .order = order,
                            .channel_index = index_of_channel(facts, deformer, channel),
                            .control = MPAK_NONE};
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
      for (uint32_t s = 0; s < shape_count; s++, count++) {
        if (shapes == NULL) continue;
        shapes[count] = make_shape(facts, deformer, channel, s);
        shapes[count].is_repeat = is_known_shape(shapes, count, &shapes[count]);
      }
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
