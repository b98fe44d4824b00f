// tables_nodes.c: NODE, SKIN, JONT, INST, IWGT and MATL.
#include <string.h>

#include "cooker/pack/tables.h"

static mpak_node nodes_record(const pack_tables *tables, uint32_t number) {
  const cook_node *node = &tables->scene->nodes[number];
  mpak_node record = {
      .name = tables_text(tables, node->name),
      .key = tables_text(tables, tables->node_names[number].key),
      .parent = node->parent,
      .source_index = node->source_index,
      .flags = node->is_matrix ? MPAK_NODE_MATRIX : 0,
  };
  if (node->is_matrix) {
    memcpy(record.rest, node->matrix, sizeof record.rest);
  } else {
    memcpy(record.rest, node->translation, sizeof node->translation);
    memcpy(record.rest + 3, node->rotation, sizeof node->rotation);
    memcpy(record.rest + 7, node->scale, sizeof node->scale);
  }
  return record;
}

static void nodes_make_skins(pack_tables *tables) {
  const cook_scene *scene = tables->scene;
  uint64_t joint_count = 0;
  for (uint32_t i = 0; i < scene->skin_count; ++i) joint_count += scene->skins[i].joint_count;
  tables_count(tables->job, joint_count, UINT32_MAX, "joints");
  tables->skin_count = scene->skin_count;
  tables->skins = JOB_ARRAY(tables->job, mpak_skin, scene->skin_count);
  tables->joints = JOB_ARRAY(tables->job, mpak_joint, joint_count);
  for (uint32_t i = 0; i < scene->skin_count; ++i) {
    const cook_skin *skin = &scene->skins[i];
    tables->skins[i] = (mpak_skin){
        .name = tables_text(tables, skin->name),
        .key = tables_text(tables, tables->skin_names[i].key),
        .source_index = skin->source_index,
        .first_joint = tables->joint_count,
        .joint_count = skin->joint_count,
    };
    for (uint32_t j = 0; j < skin->joint_count; ++j) {
      mpak_joint *joint = &tables->joints[tables->joint_count++];
      joint->node = skin->joints[j];
      memcpy(joint->inverse_bind, skin->inverse_binds[j], sizeof joint->inverse_bind);
    }
  }
}

/// The weights of one instance: the node's own, and the mesh's defaults where it has fewer.
static void nodes_add_weights(pack_tables *tables, const cook_node *node, mpak_instance *instance) {
  const cook_mesh *mesh = &tables->scene->meshes[node->mesh];
  instance->first_weight = tables->instance_weight_count;
  for (uint32_t i = 0; i < mesh->control_count; ++i) {
    float weight = mesh->default_weights ? mesh->default_weights[i] : 0.0f;
    if (i < node->weight_count) weight = node->weights[i];
    tables->instance_weights[tables->instance_weight_count++] = weight;
  }
}

static bool nodes_has_weights(const cook_scene *scene, const cook_node *node) {
  return node->mesh != MPAK_NONE && node->weights && node->weight_count > 0 &&
         scene->meshes[node->mesh].control_count > 0;
}

static void nodes_make_instances(pack_tables *tables) {
  const cook_scene *scene = tables->scene;
  uint64_t instance_count = 0, weight_count = 0;
  for (uint32_t i = 0; i < scene->node_count; ++i) {
    if (scene->nodes[i].mesh != MPAK_NONE) ++instance_count;
    if (nodes_has_weights(scene, &scene->nodes[i])) weight_count += scene->meshes[scene->nodes[i].mesh].control_count;
  }
  tables_count(tables->job, weight_count, UINT32_MAX - 1, "weights of instances");
  tables->instances = JOB_ARRAY(tables->job, mpak_instance, instance_count);
  tables->instance_weights = JOB_ARRAY(tables->job, float, weight_count);
  for (uint32_t i = 0; i < scene->node_count; ++i) {
    const cook_node *node = &scene->nodes[i];
    if (node->mesh == MPAK_NONE) continue;
    mpak_instance *instance = &tables->instances[tables->instance_count++];
    *instance = (mpak_instance){.node = i, .mesh = node->mesh, .skin = node->skin, .first_weight = MPAK_NONE};
    if (nodes_has_weights(scene, node)) nodes_add_weights(tables, node, instance);
  }
}

void tables_make_nodes(pack_tables *tables) {
  tables->node_count = tables->scene->node_count;
  tables->nodes = JOB_ARRAY(tables->job, mpak_node, tables->node_count);
  for (uint32_t i = 0; i < tables->node_count; ++i) tables->nodes[i] = nodes_record(tables, i);
  nodes_make_skins(tables);
  nodes_make_instances(tables);
}

void tables_make_materials(pack_tables *tables) {
  tables->material_count = tables->scene->material_count;
  tables->materials = JOB_ARRAY(tables->job, mpak_material, tables->material_count);
  for (uint32_t i = 0; i < tables->material_count; ++i) {
    const cook_material *material = &tables->scene->materials[i];
    mpak_material *record = &tables->materials[i];
    *record = (mpak_material){
        .name = tables_text(tables, material->name),
        .key = tables_text(tables, tables->material_names[i].key),
        .source_index = material->source_index,
        .alpha_mode = (uint32_t)material->alpha_mode,
        .flags = material->is_double_sided ? MPAK_MATERIAL_DOUBLE_SIDED : 0,
        .alpha_cutoff = material->alpha_cutoff,
        .base_texture = tables_text(tables, material->base_texture),
        .normal_texture = tables_text(tables, material->normal_texture),
        .metal_rough_texture = tables_text(tables, material->metal_rough_texture),
        .occlusion_texture = tables_text(tables, material->occlusion_texture),
        .emissive_texture = tables_text(tables, material->emissive_texture),
    };
    memcpy(record->base_colour, material->base_colour, sizeof record->base_colour);
  }
}
