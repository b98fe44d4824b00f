#include "cooker/import/fbx_check.h"

#include <string.h>

#include "cooker/import/fbx_property.h"

#define LAST_ROTATION_ORDER 5 ///< ZYX; 6 is "spheric"

static void report(const fbx_facts *facts, mpak_issue_id id, cook_where where, double value, double limit) {
  where.value = job_format(facts->records->job, "%.0f", value);
  where.limit = job_format(facts->records->job, "%.0f", limit);
  job_issue(facts->records->job, id, where);
}

// -- Lists of points --------------------------------------------------------------------------------------------------

/// Points that a mesh has.
static uint32_t point_count(const fbx_facts *facts, uint32_t mesh) {
  uint32_t count;
  fbx_child_array(facts, mesh, "Vertices", &count);
  return count / 3;
}

/// "Indexes" of an object, and another list with width numbers for each. Reports the first fault.
static void check_points(const fbx_facts *facts, uint32_t object, const char *list, uint32_t width, uint32_t points,
                         mpak_issue_id id, cook_where where) {
  uint32_t count, value_count;
  const double *indices = fbx_child_array(facts, object, "Indexes", &count);
  fbx_child_array(facts, object, list, &value_count);
  if (value_count != (uint64_t)count * width) {
    report(facts, MPAK_I046, where, count, (double)value_count / width);
    return;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (indices[i] >= 0.0 && indices[i] < points) continue;
    report(facts, id, where, indices[i], points);
    return;
  }
}

static void check_cluster(const fbx_facts *facts, uint32_t mesh, uint32_t cluster) {
  const uint32_t bone = fbx_child_of_kind(facts, cluster, FBX_MODEL, 0);
  cook_where where = COOK_WHERE;
  where.mesh = facts->objects[mesh].name;
  where.node = facts->objects[bone == FBX_NONE ? cluster : bone].name;
  check_points(facts, cluster, "Weights", 1, point_count(facts, mesh), MPAK_I021, where);
}

/// Does "Blend" blend anything? Dual quaternions have their share at points that are listed.
static bool has_blend_weights(const fbx_facts *facts, uint32_t skin) {
  uint32_t count;
  const double *weights = fbx_child_array(facts, skin, "BlendWeights", &count);
  for (uint32_t i = 0; i < count; i++)
    if (weights[i] != 0.0) return true;
  return false;
}

static void check_skinning_type(const fbx_facts *facts, uint32_t skin, cook_where where) {
  const fbx_records *records = facts->records;
  const uint32_t record = fbx_child(records, facts->objects[skin].record, "SkinningType", FBX_NONE);
  const fbx_value type = fbx_value_at(records, record, 0);
  if (type.kind != FBX_VALUE_TEXT) return;
  where.value = job_copy(records->job, type.bytes, type.byte_count);
  const bool is_blend = strcmp(where.value, "Blend") == 0 && has_blend_weights(facts, skin);
  if (is_blend || strcmp(where.value, "DualQuaternion") == 0) job_issue(records->job, MPAK_I047, where);
}

static void check_skins(const fbx_facts *facts, uint32_t mesh) {
  const uint32_t skin = fbx_child_of_kind(facts, mesh, FBX_SKIN, 0);
  if (skin == FBX_NONE) return;
  cook_where where = COOK_WHERE;
  where.mesh = facts->objects[mesh].name;
  if (fbx_child_of_kind(facts, mesh, FBX_SKIN, 1) != FBX_NONE) job_issue(facts->records->job, MPAK_I044, where);
  uint32_t count;
  const fbx_link *links = fbx_links_of(facts, skin, &count);
  for (uint32_t i = 0; i < count; i++)
    if (facts->objects[links[i].child].kind == FBX_CLUSTER) check_cluster(facts, mesh, links[i].child);
  check_skinning_type(facts, skin, where);
}

static void check_shapes(const fbx_facts *facts, uint32_t mesh) {
  const uint32_t deformer = fbx_child_of_kind(facts, mesh, FBX_BLEND_SHAPE, 0); // the pre-pass has made one of all
  uint32_t channel_count = 0, shape_count;
  const fbx_link *channels = deformer == FBX_NONE ? NULL : fbx_links_of(facts, deformer, &channel_count);
  for (uint32_t c = 0; c < channel_count; c++) {
    if (facts->objects[channels[c].child].kind != FBX_BLEND_CHANNEL) continue;
    const fbx_link *shapes = fbx_links_of(facts, channels[c].child, &shape_count);
    for (uint32_t s = 0; s < shape_count; s++) {
      if (facts->objects[shapes[s].child].kind != FBX_SHAPE) continue;
      cook_where where = COOK_WHERE;
      where.mesh = facts->objects[mesh].name;
      where.target = facts->objects[channels[c].child].name;
      check_points(facts, shapes[s].child, "Vertices", 3, point_count(facts, mesh), MPAK_I045, where);
    }
  }
}

// -- All --------------------------------------------------------------------------------------------------------------

static void check_rotation_order(const fbx_facts *facts, uint32_t model) {
  const double order = fbx_property_number(facts, model, "RotationOrder", 0);
  if (order >= 0 && order <= LAST_ROTATION_ORDER) return;
  cook_where where = COOK_WHERE;
  where.node = facts->objects[model].name;
  report(facts, MPAK_I049, where, order, LAST_ROTATION_ORDER);
}

void fbx_check(const fbx_facts *facts) {
  for (uint32_t i = 0; i < facts->object_count; i++) {
    if (facts->objects[i].kind == FBX_MODEL) check_rotation_order(facts, i);
    if (facts->objects[i].kind != FBX_MESH) continue;
    check_skins(facts, i);
    check_shapes(facts, i);
  }
}
