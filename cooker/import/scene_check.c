#include "cooker/import/scene_stream.h"
#include "format/bytes.h"

// What an importer promises (scene.h), checked without trust in it. A breach is a fault of the importer, not of the
// artist's file: one issue, I004, says where.

/// The scene being checked, and sums over all of it.
typedef struct sound_state {
  cook_job *job;
  const cook_scene *scene;
  uint64_t vertex_count;
  uint64_t dense_bytes;
} sound_state;

static void sound_that(const sound_state *check, bool holds, const char *kind, uint32_t index, const char *what) {
  if (holds) return;
  cook_where where = COOK_WHERE;
  where.value = job_format(check->job, "%s %u: %s", kind, index, what);
  job_fail(check->job, MPAK_I004, where);
}

static bool sound_below_or_none(uint32_t index, uint32_t count) { return index < count || index == MPAK_NONE; }

// -- Nodes ------------------------------------------------------------------------------------------------------------

/// Steps up to the root; more than the limit means a cycle or too deep a tree.
static bool sound_node_reaches_root(const sound_state *check, uint32_t node) {
  const uint32_t limit = job_limits(check->job)->depth;
  for (uint32_t depth = 0; depth < limit; depth++) {
    node = check->scene->nodes[node].parent;
    if (node == MPAK_NONE) return true;
  }
  return false;
}

static void sound_nodes(const sound_state *check) {
  const cook_scene *scene = check->scene;
  sound_that(check, scene->node_count <= job_limits(check->job)->nodes, "nodes", scene->node_count, "too many");
  for (uint32_t i = 0; i < scene->node_count; i++) {
    const cook_node *node = &scene->nodes[i];
    sound_that(check, sound_below_or_none(node->parent, scene->node_count), "node", i, "no such parent");
    sound_that(check, sound_below_or_none(node->mesh, scene->mesh_count), "node", i, "no such mesh");
    sound_that(check, sound_below_or_none(node->skin, scene->skin_count), "node", i, "no such skin");
    sound_that(check, node->weights != NULL || node->weight_count == 0, "node", i, "no weights");
    sound_that(check, node->lods != NULL || node->lod_count == 0, "node", i, "no levels of detail");
    for (uint32_t k = 0; k < node->lod_count; k++)
      sound_that(check, node->lods[k] < scene->node_count, "node", i, "no such level of detail");
  }
  for (uint32_t i = 0; i < scene->node_count; i++)
    sound_that(check, sound_node_reaches_root(check, i), "node", i, "a cycle, or too deep a tree");
}

// -- Meshes -----------------------------------------------------------------------------------------------------------

static void sound_add_stream(sound_state *check, const void *stream, uint64_t count, uint64_t element_bytes) {
  uint64_t byte_count = 0;
  const bool fits = stream == NULL || (bytes_mul(count, element_bytes, &byte_count) &&
                                       bytes_add(check->dense_bytes, byte_count, &check->dense_bytes));
  sound_that(check, fits && check->dense_bytes <= job_limits(check->job)->dense_bytes, "streams", 0, "too long");
}

static void sound_targets(sound_state *check, const cook_mesh *mesh, const cook_primitive *primitive, uint32_t index) {
  sound_that(check, primitive->target_count <= mesh->target_count, "mesh", index, "a primitive has more targets");
  sound_that(check, primitive->target_count == 0 || primitive->targets != NULL, "mesh", index, "no targets");
  for (uint32_t i = 0; i < primitive->target_count; i++) {
    sound_add_stream(check, primitive->targets[i].position_deltas, primitive->vertex_count, 12);
    sound_add_stream(check, primitive->targets[i].normal_deltas, primitive->vertex_count, 12);
    sound_add_stream(check, primitive->targets[i].tangent_deltas, primitive->vertex_count, 12);
  }
}

static void sound_indices(const sound_state *check, const cook_primitive *primitive, uint32_t mesh) {
  sound_that(check, primitive->index_count % 3 == 0, "mesh", mesh, "indices that are no triangles");
  sound_that(check, primitive->index_count == 0 || primitive->indices != NULL, "mesh", mesh, "no indices");
  for (uint32_t i = 0; i < primitive->index_count; i++)
    sound_that(check, primitive->indices[i] < primitive->vertex_count, "mesh", mesh, "an index past the vertices");
}

static void sound_primitive(sound_state *check, const cook_mesh *mesh, const cook_primitive *primitive,
                            uint32_t index) {
  check->vertex_count += primitive->vertex_count; // 2^32 primitives of 2^32 vertices would not fit into memory
  sound_that(check, check->vertex_count <= job_limits(check->job)->vertices, "mesh", index, "too many vertices");
  sound_that(check, sound_below_or_none(primitive->material, check->scene->material_count), "mesh", index,
             "no such material");
  sound_that(check, primitive->vertex_count == 0 || primitive->positions != NULL, "mesh", index, "no positions");
  const bool has_influences = primitive->influence_count != 0 && primitive->vertex_count != 0;
  sound_that(check, !has_influences || (primitive->joints != NULL && primitive->weights != NULL), "mesh", index,
             "influences without joints or weights");
  sound_add_stream(check, primitive->positions, primitive->vertex_count, 12);
  sound_add_stream(check, primitive->normals, primitive->vertex_count, 12);
  sound_add_stream(check, primitive->tangents, primitive->vertex_count, 16);
  for (int set = 0; set < 4; set++) sound_add_stream(check, primitive->texcoords[set], primitive->vertex_count, 8);
  sound_add_stream(check, primitive->joints, (uint64_t)primitive->vertex_count * primitive->influence_count, 6);
  sound_targets(check, mesh, primitive, index);
  sound_indices(check, primitive, index);
}

static bool sound_rule_ascends(const cook_shape_rule *rule) {
  for (uint32_t i = 0; i < rule->point_count; i++) {
    if (!bytes_float_is_finite(rule->points[i][0]) || !bytes_float_is_finite(rule->points[i][1])) return false;
    if (i != 0 && !(rule->points[i - 1][0] < rule->points[i][0])) return false;
  }
  return true;
}

static void sound_rules(const sound_state *check, const cook_mesh *mesh, uint32_t index) {
  if (mesh->rules == NULL)
    sound_that(check, mesh->control_count == mesh->target_count, "mesh", index, "other targets than controls");
  for (uint32_t t = 0; mesh->rules != NULL && t < mesh->target_count; t++) {
    const cook_shape_rule *rule = &mesh->rules[t];
    sound_that(check, rule->control < mesh->control_count, "mesh", index, "a rule of no control");
    sound_that(check, rule->point_count != 1, "mesh", index, "a rule of one point");
    sound_that(check, rule->point_count == 0 || rule->points != NULL, "mesh", index, "a rule without points");
    sound_that(check, sound_rule_ascends(rule), "mesh", index, "points of a rule that do not ascend");
  }
}

static void sound_meshes(sound_state *check) {
  for (uint32_t i = 0; i < check->scene->mesh_count; i++) {
    const cook_mesh *mesh = &check->scene->meshes[i];
    sound_that(check, mesh->target_count <= job_limits(check->job)->targets, "mesh", i, "too many targets");
    sound_that(check, mesh->control_count <= job_limits(check->job)->targets, "mesh", i, "too many controls");
    sound_that(check, mesh->control_count == 0 || mesh->control_names != NULL, "mesh", i, "no control names");
    sound_that(check, !mesh->has_default_weights || mesh->control_count == 0 || mesh->default_weights != NULL, "mesh",
               i, "no default weights");
    sound_rules(check, mesh, i);
    for (uint32_t p = 0; p < mesh->primitive_count; p++) sound_primitive(check, mesh, &mesh->primitives[p], i);
  }
}

// -- Skins and clips --------------------------------------------------------------------------------------------------

static void sound_skins(const sound_state *check) {
  for (uint32_t i = 0; i < check->scene->skin_count; i++) {
    const cook_skin *skin = &check->scene->skins[i];
    sound_that(check, skin->joint_count <= job_limits(check->job)->joints, "skin", i, "too many joints");
    sound_that(check, skin->joint_count == 0 || (skin->joints != NULL && skin->inverse_binds != NULL), "skin", i,
               "no joints");
    for (uint32_t j = 0; j < skin->joint_count; j++)
      sound_that(check, skin->joints[j] < check->scene->node_count, "skin", i, "no such joint");
  }
}

static void sound_clips(const sound_state *check) {
  sound_that(check, check->scene->clip_count <= job_limits(check->job)->clips, "clips", 0, "too many");
  for (uint32_t i = 0; i < check->scene->clip_count; i++) {
    const cook_clip *clip = &check->scene->clips[i];
    for (uint32_t t = 0; t < clip->track_count; t++) {
      const cook_track *track = &clip->tracks[t];
      sound_that(check, track->node < check->scene->node_count, "clip", i, "a track of no node");
      sound_that(check, track->key_count == 0 || track->times != NULL, "clip", i, "a track without times");
      sound_that(check, track->value_count == 0 || track->values != NULL, "clip", i, "a track without values");
    }
  }
}

void scene_check(cook_job *job, const cook_scene *scene) {
  sound_state check = {.job = job, .scene = scene};
  sound_nodes(&check);
  sound_meshes(&check);
  sound_skins(&check);
  sound_clips(&check);
  sound_that(&check, scene->dependency_count != 0, "scene", 0, "no dependencies");
}
