#include "cooker/import/gltf_reader.h"

#include <math.h>
#include <string.h>

// Nodes and their tree (glTF 2.0, section 3.5).

/// A matrix closer than this to translation, rotation and scale is one: what float keeps of such a product.
#define NODE_EXACT_TOLERANCE 5e-7
/// A node that clips move must be one; a matrix written with few digits is taken within this, with a warning.
#define NODE_ANIMATED_TOLERANCE 1e-3
/// The last row of a matrix must be 0 0 0 1; some exporters leave rounding noise there.
#define NODE_LAST_ROW_TOLERANCE 1e-6

/// A path longer than this is cut at its beginning. It also ends the walk round a cycle that is being reported.
#define NODE_PATH_BYTES_MOST 500u

// -- Names -----------------------------------------------------------------------------------------------------------

static const char *node_label(gltf_reader *reader, uint32_t node) {
  const char *name = reader->scene->nodes[node].name;
  return name != NULL && name[0] != 0 ? name : job_format(reader->job, "node_%u", node);
}

const char *gltf_node_path(gltf_reader *reader, uint32_t node) {
  const char *path = node_label(reader, node);
  for (uint32_t at = reader->scene->nodes[node].parent; at != MPAK_NONE && at != node;) {
    if (strlen(path) > NODE_PATH_BYTES_MOST) return job_format(reader->job, "…/%s", path);
    path = job_format(reader->job, "%s/%s", node_label(reader, at), path);
    at = reader->scene->nodes[at].parent;
  }
  return path;
}

// -- Rest pose -------------------------------------------------------------------------------------------------------

/// glTF's 16 numbers stand column by column; ours are 3 rows of 4.
static void node_read_matrix(gltf_reader *reader, const cook_json *member, cook_node *node) {
  float columns[16];
  gltf_floats(reader, member, 16, columns);
  const double off = fabs(columns[3]) + fabs(columns[7]) + fabs(columns[11]) + fabs(columns[15] - 1.0);
  if (!(off <= NODE_LAST_ROW_TOLERANCE)) gltf_fail(reader, MPAK_G045, member, NULL, NULL);
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++) node->matrix[4 * row + column] = columns[4 * column + row];
  node->is_matrix = !gltf_matrix_to_trs(node->matrix, NODE_EXACT_TOLERANCE, node);
}

static void node_read_rest(gltf_reader *reader, const cook_json *object, cook_node *node) {
  node->rotation[3] = 1;
  for (int i = 0; i < 3; i++) node->scale[i] = 1;
  const cook_json matrix = json_member(object, "matrix"), translation = json_member(object, "translation");
  const cook_json rotation = json_member(object, "rotation"), scale = json_member(object, "scale");
  if (json_exists(&matrix)) {
    if (json_exists(&translation) || json_exists(&rotation) || json_exists(&scale))
      gltf_report(reader, MPAK_G046, object, NULL, NULL);
    node_read_matrix(reader, &matrix, node);
    return;
  }
  gltf_floats(reader, &translation, 3, node->translation);
  gltf_floats(reader, &rotation, 4, node->rotation);
  gltf_floats(reader, &scale, 3, node->scale);
}

void gltf_require_trs(gltf_reader *reader, const cook_json *at, uint32_t index) {
  cook_node *node = &reader->scene->nodes[index];
  const cook_json object = json_element(&reader->node_array, index), matrix = json_member(&object, "matrix");
  if (!json_exists(&matrix)) return;
  if (node->is_matrix && !gltf_matrix_to_trs(node->matrix, NODE_ANIMATED_TOLERANCE, node))
    gltf_fail(reader, MPAK_G048, at, NULL, NULL);
  node->is_matrix = false;
  gltf_report(reader, MPAK_G047, at, NULL, NULL);
}

// -- One node --------------------------------------------------------------------------------------------------------

/// weights and skin mean nothing on a node that draws no mesh.
static void node_check_mesh(gltf_reader *reader, const cook_json *object, cook_node *node) {
  const cook_json weights = json_member(object, "weights");
  if (node->mesh != MPAK_NONE) return;
  if (node->skin != MPAK_NONE) gltf_report(reader, MPAK_G044, object, "a skin", NULL);
  if (json_exists(&weights)) gltf_report(reader, MPAK_G044, object, "weights", NULL);
  node->skin = MPAK_NONE;
}

/// Instancing draws the mesh of a node at many places. It need not be required or declared, and leaves no other trace.
static void node_check_instancing(gltf_reader *reader, const cook_json *object) {
  const cook_json extensions = json_member(object, "extensions");
  const cook_json instancing = json_member(&extensions, "EXT_mesh_gpu_instancing");
  if (json_exists(&instancing)) gltf_report(reader, MPAK_G067, &instancing, "EXT_mesh_gpu_instancing", NULL);
}

/// Lower levels of detail, and from which share of the screen on each level is shown. Sizes that are no shares, or of
/// which there are too few, say nothing.
static void node_read_lods(gltf_reader *reader, const cook_json *object, cook_node *node) {
  const cook_json extensions = json_member(object, "extensions"), lod = json_member(&extensions, "MSFT_lod");
  if (!json_is_an_object(&lod)) return;
  const cook_json ids = gltf_array(reader, &lod, "ids"), extras = json_member(object, "extras");
  const uint64_t count = json_count(&ids);
  gltf_limit_count(reader, &ids, count, job_limits(reader->job)->nodes, "levels of detail");
  node->lod_count = (uint32_t)count;
  node->lods = JOB_ARRAY(reader->job, uint32_t, count);
  for (uint32_t i = 0; i < node->lod_count; i++) {
    const cook_json id = json_element(&ids, i);
    node->lods[i] = gltf_index(reader, &id, &reader->node_array);
  }
  const cook_json sizes = json_member(&extras, "MSFT_screencoverage");
  if (count == 0 || !json_is_an_array(&sizes) || json_count(&sizes) < count) return;
  node->lod_sizes = JOB_ARRAY(reader->job, float, count + 1);
  for (uint64_t i = 0; i <= count && i < json_count(&sizes); i++) {
    const cook_json size = json_element(&sizes, i);
    const double share = json_is_a_number(&size) ? json_number(&size) : 0;
    node->lod_sizes[i] = share > 0 && share <= 1 ? (float)share : 0;
  }
}

static void node_read_name(gltf_reader *reader, uint32_t index) {
  const cook_json object = gltf_object_at(reader, &reader->node_array, index);
  cook_node *node = &reader->scene->nodes[index];
  *node = (cook_node){.parent = MPAK_NONE, .source_index = index};
  reader->here_node = index;
  node->name = gltf_name(reader, &object);
}

static void node_read_one(gltf_reader *reader, uint32_t index) {
  const cook_json object = gltf_object_at(reader, &reader->node_array, index);
  cook_node *node = &reader->scene->nodes[index];
  reader->here_node = index;
  const cook_json mesh = json_member(&object, "mesh"), skin = json_member(&object, "skin");
  node->mesh = gltf_index(reader, &mesh, &reader->mesh_array);
  node->skin = gltf_index(reader, &skin, &reader->skin_array);
  node_read_rest(reader, &object, node);
  node_check_mesh(reader, &object, node);
  node_check_instancing(reader, &object);
  node_read_lods(reader, &object, node);
}

// -- The tree --------------------------------------------------------------------------------------------------------

static void node_adopt_children(gltf_reader *reader, uint32_t index) {
  reader->here_node = index;
  const cook_json object = gltf_object_at(reader, &reader->node_array, index);
  const cook_json children = gltf_array(reader, &object, "children");
  for (uint64_t i = 0; i < json_count(&children); i++) {
    const cook_json element = json_element(&children, i);
    const uint32_t child = gltf_index(reader, &element, &reader->node_array);
    cook_node *node = &reader->scene->nodes[child];
    if (child == index) gltf_fail(reader, MPAK_G038, &element, NULL, NULL);
    if (node->parent != MPAK_NONE) reader->here_node = child;
    if (node->parent != MPAK_NONE)
      gltf_fail(reader, MPAK_G039, &element, node_label(reader, node->parent), node_label(reader, index));
    node->parent = index;
  }
}

/// Each node reaches a root within the allowed depth.
static void node_check_depth(gltf_reader *reader, uint32_t index) {
  const cook_scene *scene = reader->scene;
  const uint32_t limit = job_limits(reader->job)->depth;
  uint32_t depth = 1;
  for (uint32_t at = scene->nodes[index].parent; at != MPAK_NONE; at = scene->nodes[at].parent) {
    if (++depth <= scene->node_count) continue;
    reader->here_node = index;
    const cook_json object = json_element(&reader->node_array, index);
    gltf_fail(reader, MPAK_G038, &object, NULL, NULL);
  }
  if (depth <= limit) return;
  reader->here_node = index;
  const cook_json object = json_element(&reader->node_array, index);
  gltf_fail(reader, MPAK_G040, &object, job_format(reader->job, "%u", depth), job_format(reader->job, "%u", limit));
}

void gltf_read_nodes(gltf_reader *reader) {
  const uint64_t count = json_count(&reader->node_array);
  gltf_limit_count(reader, &reader->node_array, count, job_limits(reader->job)->nodes, "nodes");
  reader->scene->node_count = (uint32_t)count;
  reader->scene->nodes = JOB_ARRAY(reader->job, cook_node, count);
  for (uint32_t i = 0; i < reader->scene->node_count; i++) node_read_name(reader, i);
  for (uint32_t i = 0; i < reader->scene->node_count; i++) node_adopt_children(reader, i);
  // from here on messages can name a node by its whole path
  for (uint32_t i = 0; i < reader->scene->node_count; i++) node_read_one(reader, i);
  for (uint32_t i = 0; i < reader->scene->node_count; i++) node_check_depth(reader, i);
  gltf_leave(reader);
}

void gltf_read_node_weights(gltf_reader *reader) {
  cook_scene *scene = reader->scene;
  for (uint32_t i = 0; i < scene->node_count; i++) {
    cook_node *node = &scene->nodes[i];
    if (node->mesh == MPAK_NONE) continue;
    const cook_json object = json_element(&reader->node_array, i), weights = gltf_array(reader, &object, "weights");
    if (!json_exists(&weights)) continue;
    reader->here_node = i;
    node->weights = gltf_read_weights(reader, &weights, scene->meshes[node->mesh].control_count, MPAK_G022);
    node->weight_count = scene->meshes[node->mesh].control_count;
  }
  gltf_leave(reader);
}
