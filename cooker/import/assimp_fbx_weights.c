#include <string.h>

#include "cooker/import/assimp_maker.h"

// Blender writes, as FullWeights of a shape channel, how far each vertex of the shape follows it (the shape key's
// vertex group); Assimp does not look at them. They are for control points, Assimp's vertices are corners of polygons:
// in the file's order, and for a mesh of several materials only those of one material. That this is so is checked by
// comparing positions.

// -- Which control point ----------------------------------------------------------------------------------------------

/// Material of each polygon; NULL when all have the same. *count is the number of polygons that have one.
static double *polygon_materials(const fbx_facts *facts, uint32_t geometry, uint32_t *count) {
  const fbx_records *records = facts->records;
  const uint32_t layer = fbx_child(records, facts->objects[geometry].record, "LayerElementMaterial", FBX_NONE);
  *count = 0;
  if (layer == FBX_NONE) return NULL;
  double *materials =
      fbx_array(records, fbx_value_at(records, fbx_child(records, layer, "Materials", FBX_NONE), 0), count);
  return *count > 1 ? materials : NULL;
}

/// The material of part number part: materials count in the order in which polygons first use them. -1 for no such
/// part.
static double material_of_part(const double *materials, uint32_t count, uint32_t part) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < count; i++) {
    bool is_new = true;
    for (uint32_t j = 0; j < i && is_new; j++) is_new = materials[j] != materials[i];
    if (is_new && found++ == part) return materials[i];
  }
  return -1.0;
}

/// Control points of the corners of one part, in order; returns how many. Corners of a polygon end with a negative one.
static uint32_t list_corners(const double *corners, uint32_t corner_count, const double *materials,
                             uint32_t material_count, double material, double *points) {
  uint32_t count = 0, polygon = 0;
  for (uint32_t c = 0; c < corner_count; c++) {
    const double point = corners[c] < 0.0 ? -corners[c] - 1.0 : corners[c];
    if (materials == NULL || (polygon < material_count && materials[polygon] == material)) points[count++] = point;
    if (corners[c] < 0.0) polygon++;
  }
  return count;
}

static bool is_position(const double *vertices, uint32_t value_count, double point, const struct aiVector3D *vertex) {
  if (!(point >= 0.0) || point * 3.0 + 2.0 >= value_count) return false;
  const double *at = vertices + 3 * (size_t)point;
  return (float)at[0] == vertex->x && (float)at[1] == vertex->y && (float)at[2] == vertex->z;
}

/// The control point of each vertex; NULL when the positions say otherwise.
static double *control_points(const assimp_maker *maker, const assimp_group *group, uint32_t mesh) {
  const struct aiMesh *source = maker->source->mMeshes[group->meshes[mesh]];
  uint32_t value_count, corner_count, material_count;
  const double *vertices = fbx_child_array(maker->facts, group->geometry, "Vertices", &value_count);
  const double *corners = fbx_child_array(maker->facts, group->geometry, "PolygonVertexIndex", &corner_count);
  const double *materials = polygon_materials(maker->facts, group->geometry, &material_count);
  if (group->mesh_count == 1) materials = NULL;
  const double material = materials == NULL ? 0.0 : material_of_part(materials, material_count, mesh);
  double *points = JOB_ARRAY(maker->job, double, corner_count);
  const uint32_t count = list_corners(corners, corner_count, materials, material_count, material, points);
  if (count != source->mNumVertices) return NULL;
  for (uint32_t v = 0; v < count; v++)
    if (!is_position(vertices, value_count, points[v], &source->mVertices[v])) return NULL;
  return points;
}

// -- Weights ----------------------------------------------------------------------------------------------------------

static bool all_are_full(const double *weights, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (weights[i] != 100.0) return false;
  return true;
}

static double largest_of(const double *numbers, uint32_t count) {
  double largest = -1.0;
  for (uint32_t i = 0; i < count; i++)
    if (numbers[i] > largest) largest = numbers[i];
  return largest;
}

double *assimp_fbx_vertex_weights(const assimp_maker *maker, const assimp_group *group, uint32_t mesh, uint32_t shape) {
  const assimp_fbx_shape *facts = &group->shapes[shape];
  uint32_t weight_count, index_count;
  if (fbx_child_of_kind(maker->facts, facts->channel, FBX_SHAPE, 1) != FBX_NONE) return NULL; // one for each shape
  const double *weights = fbx_child_array(maker->facts, facts->channel, "FullWeights", &weight_count);
  if (weights == NULL || weight_count < 2 || all_are_full(weights, weight_count)) return NULL;
  const double *indices = fbx_child_array(maker->facts, facts->shape, "Indexes", &index_count);
  const double *points = control_points(maker, group, mesh);
  const struct aiMesh *source = maker->source->mMeshes[group->meshes[mesh]];
  if (points == NULL || index_count != weight_count) {
    cook_where where = COOK_WHERE;
    where.target = maker->facts->objects[facts->channel].name;
    assimp_issue(maker, MPAK_I026, where, NULL);
    return NULL;
  }
  const uint64_t table_count = (uint64_t)largest_of(points, source->mNumVertices) + 1;
  double *by_point = JOB_ARRAY(maker->job, double, table_count);
  for (uint32_t i = 0; i < index_count; i++)
    if (indices[i] >= 0.0 && indices[i] < (double)table_count) by_point[(size_t)indices[i]] = weights[i] / 100.0;
  double *follows = JOB_ARRAY(maker->job, double, source->mNumVertices);
  for (uint32_t v = 0; v < source->mNumVertices; v++) follows[v] = by_point[(size_t)points[v]];
  return follows;
}
