// glb_node.c: the node tree (glTF 2.0, section 3.5): the pack's nodes under their own numbers, then those that glTF
// needs besides: for matrices that are no TRS, for rigid parts of a mesh with a skin, and above joints of several
// roots.
#include <math.h>
#include <string.h>

#include "cooker/export/glb.h"

/// Lengths this near to 1 are rounding.
#define ROTATION_UNIT_KEPT 1e-5

void glb_make_unit_rotation(float rotation[4]) {
  double square = 0;
  for (int c = 0; c < 4; c++) square += (double)rotation[c] * (double)rotation[c];
  if (fabs(square - 1) <= ROTATION_UNIT_KEPT) return;
  for (int c = 0; c < 4; c++) rotation[c] = (float)((double)rotation[c] / sqrt(square));
}

uint32_t glb_add_node(glb_file *glb, const char *name, uint32_t parent) {
  glb->nodes[glb->node_count] = (glb_node){.name = name,
                                           .parent = parent,
                                           .mesh = MPAK_NONE,
                                           .skin = MPAK_NONE,
                                           .instance = MPAK_NONE,
                                           .rotation = {0, 0, 0, 1},
                                           .scale = {1, 1, 1}};
  return glb->node_count++;
}

/// Room for all nodes there can be: each may have one outside of it and one beside its mesh, both with levels of
/// detail, each joint one below it.
static void nodes_make_room(glb_file *glb) {
  const uint64_t most = 3ull * glb->pack->node_count + glb->pack->joint_count + 1 + 2 * glb_count_levels(glb);
  glb->nodes = JOB_ARRAY(glb->job, glb_node, most);
  glb->rigid_node_of = JOB_ARRAY(glb->job, uint32_t, glb->pack->instance_count);
  for (uint32_t i = 0; i < glb->pack->instance_count; i++) glb->rigid_node_of[i] = MPAK_NONE;
}

static void nodes_add(glb_file *glb, const mpak_node *record) {
  const uint32_t number = glb_add_node(glb, mpak_string(glb->pack, record->name), record->parent);
  glb_node *node = &glb->nodes[number];
  if ((record->flags & MPAK_NODE_MATRIX) != 0) return;
  memcpy(node->translation, record->rest, sizeof node->translation);
  memcpy(node->rotation, record->rest + 3, sizeof node->rotation);
  glb_make_unit_rotation(node->rotation);
  memcpy(node->scale, record->rest + 7, sizeof node->scale);
}

static void nodes_split_matrices(glb_file *glb) {
  for (uint32_t n = 0; n < glb->pack->node_count; n++) {
    const mpak_node *record = &glb->pack->nodes[n];
    if ((record->flags & MPAK_NODE_MATRIX) == 0) continue;
    const uint32_t outer = glb_add_node(glb, NULL, record->parent);
    glb->nodes[n].parent = outer;
    glb_split_matrix(record->rest, &glb->nodes[outer], &glb->nodes[n]);
    cook_where where = COOK_WHERE;
    where.node = mpak_string(glb->pack, record->key);
    glb_note(glb, "a matrix that is no translation, rotation and scale", "two nodes", where);
  }
}

// -- What nodes draw -------------------------------------------------------------------------------------------------

static bool nodes_has_skin(const glb_file *glb, const mpak_instance *instance) {
  return instance->skin != MPAK_NONE && glb_mesh_has(glb, instance->mesh, GLB_SKINNED_PARTS);
}

static glb_choice nodes_choice(const glb_file *glb, const mpak_instance *instance) {
  const bool is_split = nodes_has_skin(glb, instance) && glb_mesh_has(glb, instance->mesh, GLB_RIGID_PARTS);
  return is_split ? GLB_SKINNED_PARTS : GLB_ALL_PARTS;
}

/// The meshes that nodes need, in the order of the pack.
static void nodes_make_meshes(glb_file *glb) {
  uint8_t *needs = JOB_ARRAY(glb->job, uint8_t, glb->pack->mesh_count); // bit c: choice c
  for (uint32_t i = 0; i < glb->pack->instance_count; i++) {
    const glb_choice choice = nodes_choice(glb, &glb->pack->instances[i]);
    needs[glb->pack->instances[i].mesh] |= (uint8_t)(1u << choice);
    if (choice == GLB_SKINNED_PARTS) needs[glb->pack->instances[i].mesh] |= 1u << GLB_RIGID_PARTS;
  }
  for (uint32_t m = 0; m < glb->pack->mesh_count; m++)
    for (glb_choice choice = 0; choice < GLB_CHOICE_COUNT; choice++)
      if ((needs[m] >> choice & 1) != 0) glb_make_mesh(glb, m, choice);
}

static void nodes_draw(glb_file *glb, uint32_t number) {
  const mpak_instance *instance = &glb->pack->instances[number];
  const glb_choice choice = nodes_choice(glb, instance);
  glb->nodes[instance->node].mesh = glb->mesh_of[choice][instance->mesh];
  glb->nodes[instance->node].skin = nodes_has_skin(glb, instance) ? instance->skin : MPAK_NONE;
  glb->nodes[instance->node].instance = number;
  glb->nodes[instance->node].choice = choice;
  if (choice == GLB_ALL_PARTS) return;
  const uint32_t beside = glb_add_node(glb, NULL, instance->node);
  glb->nodes[beside].mesh = glb->mesh_of[GLB_RIGID_PARTS][instance->mesh];
  glb->nodes[beside].instance = number;
  glb->nodes[beside].choice = GLB_RIGID_PARTS;
  glb->rigid_node_of[number] = beside;
  cook_where where = COOK_WHERE;
  where.mesh = mpak_string(glb->pack, glb->pack->meshes[instance->mesh].key);
  glb_note(glb, "a mesh with a skin of which some primitives have no joints", "a node beside it", where);
}

// -- Roots -----------------------------------------------------------------------------------------------------------

static uint32_t nodes_root_of(const glb_file *glb, uint32_t node) {
  while (glb->nodes[node].parent != MPAK_NONE) node = glb->nodes[node].parent;
  return node;
}

static bool nodes_share_root(const glb_file *glb, const mpak_skin *skin) {
  const mpak_joint *joints = glb->pack->joints + skin->first_joint;
  for (uint32_t j = 1; j < skin->joint_count; j++)
    if (nodes_root_of(glb, joints[j].node) != nodes_root_of(glb, joints[0].node)) return false;
  return true;
}

/// The joints of a skin must have a root in common.
static void nodes_wrap_roots(glb_file *glb) {
  for (uint32_t s = 0; s < glb->pack->skin_count; s++) {
    if (nodes_share_root(glb, &glb->pack->skins[s])) continue;
    const uint32_t root = glb_add_node(glb, NULL, MPAK_NONE);
    for (uint32_t n = 0; n < root; n++)
      if (glb->nodes[n].parent == MPAK_NONE) glb->nodes[n].parent = root;
    cook_where where = COOK_WHERE;
    where.skin = mpak_string(glb->pack, glb->pack->skins[s].key);
    glb_note(glb, "joints of several roots", "one node above all roots", where);
    return;
  }
}

static bool nodes_has_shape(const glb_file *glb, const mpak_mesh *mesh, uint32_t control) {
  const uint32_t number = (uint32_t)(mesh - glb->pack->meshes);
  for (uint32_t t = 0; t < glb_target_count(glb, number); t++)
    if (glb_target_shapes(glb, number)[t].control == control) return true;
  return false;
}

static void nodes_note_controls(const glb_file *glb) {
  for (uint32_t m = 0; m < glb->pack->mesh_count; m++) {
    const mpak_mesh *mesh = &glb->pack->meshes[m];
    for (uint32_t c = mesh->first_control; c < mesh->first_control + mesh->control_count; c++) {
      if (nodes_has_shape(glb, mesh, c)) continue;
      cook_where where = COOK_WHERE;
      where.mesh = mpak_string(glb->pack, mesh->key);
      where.target = mpak_string(glb->pack, glb->pack->controls[c].key);
      glb_note(glb, "a target without a shape", "nothing", where);
    }
  }
}

void glb_make_nodes(glb_file *glb) {
  nodes_make_room(glb);
  for (uint32_t n = 0; n < glb->pack->node_count; n++) nodes_add(glb, &glb->pack->nodes[n]);
  nodes_split_matrices(glb);
  nodes_wrap_roots(glb);
  nodes_make_meshes(glb);
  for (uint32_t i = 0; i < glb->pack->instance_count; i++) nodes_draw(glb, i);
  glb_add_levels(glb);
  nodes_note_controls(glb);
}

// -- Writing ---------------------------------------------------------------------------------------------------------

/// The children of node n are children[starts[n]] … children[starts[n + 1] - 1].
typedef struct nodes_children {
  uint32_t *starts;
  uint32_t *children;
} nodes_children;

static nodes_children nodes_list_children(glb_file *glb) {
  nodes_children list = {JOB_ARRAY(glb->job, uint32_t, (uint64_t)glb->node_count + 2),
                         JOB_ARRAY(glb->job, uint32_t, glb->node_count)};
  for (uint32_t n = 0; n < glb->node_count; n++)
    if (glb->nodes[n].parent != MPAK_NONE) list.starts[glb->nodes[n].parent + 2]++;
  for (uint32_t n = 2; n <= glb->node_count; n++) list.starts[n] += list.starts[n - 1];
  for (uint32_t n = 0; n < glb->node_count; n++) // leaves each start where the next one's belongs
    if (glb->nodes[n].parent != MPAK_NONE) list.children[list.starts[glb->nodes[n].parent + 1]++] = n;
  return list;
}

static void nodes_put_vector(json_out *json, const char *key, const float *vector, const float *usual, uint32_t width) {
  if (memcmp(vector, usual, width * sizeof *vector) == 0) return;
  write_json_key(json, key);
  write_json_floats(json, vector, width);
}

static void nodes_put_drawing(glb_file *glb, json_out *json, const glb_node *node) {
  if (node->mesh == MPAK_NONE) return;
  const mpak_instance *instance = &glb->pack->instances[node->instance];
  write_json_member_count(json, "mesh", node->mesh);
  if (node->skin != MPAK_NONE) write_json_member_count(json, "skin", node->skin);
  if (instance->first_weight == MPAK_NONE || glb_target_count(glb, instance->mesh) == 0) return;
  glb_put_weights(glb, json, instance->mesh, glb->pack->instance_weights + instance->first_weight);
}

static void nodes_put(glb_file *glb, const glb_node *node, const uint32_t *children, uint32_t child_count) {
  json_out *json = glb_element(glb, GLB_NODES);
  if (node->name != NULL && node->name[0] != 0) write_json_member_string(json, "name", node->name);
  nodes_put_vector(json, "translation", node->translation, (const float[]){0, 0, 0}, 3);
  nodes_put_vector(json, "rotation", node->rotation, (const float[]){0, 0, 0, 1}, 4);
  nodes_put_vector(json, "scale", node->scale, (const float[]){1, 1, 1}, 3);
  nodes_put_drawing(glb, json, node);
  glb_put_levels(glb, json, node);
  if (child_count != 0) {
    write_json_key(json, "children");
    write_json_array(json);
    for (uint32_t c = 0; c < child_count; c++) write_json_count(json, children[c]);
    write_json_close(json);
  }
  write_json_close(json);
}

void glb_put_nodes(glb_file *glb) {
  const nodes_children list = nodes_list_children(glb);
  for (uint32_t n = 0; n < glb->node_count; n++)
    nodes_put(glb, &glb->nodes[n], list.children + list.starts[n], list.starts[n + 1] - list.starts[n]);
}
