#include "cooker/build/nodes_prune.h"

#include <inttypes.h>

uint32_t nodes_number_kept(const bool *is_kept, uint32_t count, uint32_t *new_of_old) {
  uint32_t kept_count = 0;
  for (uint32_t i = 0; i < count; i++) new_of_old[i] = is_kept[i] ? kept_count++ : MPAK_NONE;
  return kept_count;
}

static uint32_t prune_renumber(const uint32_t *new_of_old, uint32_t old) {
  return old == MPAK_NONE ? MPAK_NONE : new_of_old[old];
}

// -- Meshes ----------------------------------------------------------------------------------------------------------

static void prune_primitives(cook_mesh *mesh) {
  uint32_t kept_count = 0;
  for (uint32_t p = 0; p < mesh->primitive_count; p++)
    if (mesh->primitives[p].index_count != 0) mesh->primitives[kept_count++] = mesh->primitives[p];
  mesh->primitive_count = kept_count;
}

/// Drops the meshes that are not marked.
static void prune_unmarked_meshes(cook_job *job, cook_scene *scene, const bool *is_kept) {
  uint32_t *new_of_old = JOB_ARRAY(job, uint32_t, scene->mesh_count);
  const uint32_t kept_count = nodes_number_kept(is_kept, scene->mesh_count, new_of_old);
  for (uint32_t m = 0; m < scene->mesh_count; m++)
    if (is_kept[m]) scene->meshes[new_of_old[m]] = scene->meshes[m];
  scene->mesh_count = kept_count;
  for (uint32_t n = 0; n < scene->node_count; n++) {
    cook_node *node = &scene->nodes[n];
    node->mesh = prune_renumber(new_of_old, node->mesh);
    if (node->mesh != MPAK_NONE) continue;
    node->skin = MPAK_NONE;
    node->weights = NULL;
    node->weight_count = 0;
  }
}

static void prune_meshes(cook_job *job, cook_scene *scene) {
  bool *is_kept = JOB_ARRAY(job, bool, scene->mesh_count);
  for (uint32_t n = 0; n < scene->node_count; n++) {
    const uint32_t mesh = scene->nodes[n].mesh;
    if (mesh != MPAK_NONE && scene->meshes[mesh].primitive_count != 0) is_kept[mesh] = true;
  }
  prune_unmarked_meshes(job, scene, is_kept);
}

// -- Skins, materials, tracks ----------------------------------------------------------------------------------------

static void prune_skins(cook_job *job, cook_scene *scene) {
  bool *is_kept = JOB_ARRAY(job, bool, scene->skin_count);
  uint32_t *new_of_old = JOB_ARRAY(job, uint32_t, scene->skin_count);
  for (uint32_t n = 0; n < scene->node_count; n++)
    if (scene->nodes[n].skin != MPAK_NONE) is_kept[scene->nodes[n].skin] = true;
  const uint32_t kept_count = nodes_number_kept(is_kept, scene->skin_count, new_of_old);
  for (uint32_t s = 0; s < scene->skin_count; s++)
    if (is_kept[s]) scene->skins[new_of_old[s]] = scene->skins[s];
  scene->skin_count = kept_count;
  for (uint32_t n = 0; n < scene->node_count; n++)
    scene->nodes[n].skin = prune_renumber(new_of_old, scene->nodes[n].skin);
}

static void prune_materials(cook_job *job, cook_scene *scene) {
  bool *is_kept = JOB_ARRAY(job, bool, scene->material_count);
  uint32_t *new_of_old = JOB_ARRAY(job, uint32_t, scene->material_count);
  for (uint32_t m = 0; m < scene->mesh_count; m++)
    for (uint32_t p = 0; p < scene->meshes[m].primitive_count; p++) {
      const uint32_t material = scene->meshes[m].primitives[p].material;
      if (material != MPAK_NONE) is_kept[material] = true;
    }
  const uint32_t kept_count = nodes_number_kept(is_kept, scene->material_count, new_of_old);
  for (uint32_t i = 0; i < scene->material_count; i++)
    if (is_kept[i]) scene->materials[new_of_old[i]] = scene->materials[i];
  scene->material_count = kept_count;
  for (uint32_t m = 0; m < scene->mesh_count; m++)
    for (uint32_t p = 0; p < scene->meshes[m].primitive_count; p++) {
      cook_primitive *primitive = &scene->meshes[m].primitives[p];
      primitive->material = prune_renumber(new_of_old, primitive->material);
    }
}

static bool prune_has_controls(const cook_scene *scene, uint32_t node) {
  const uint32_t mesh = scene->nodes[node].mesh;
  return mesh != MPAK_NONE && scene->meshes[mesh].control_count != 0;
}

static bool prune_is_playable(const cook_scene *scene, const cook_track *track) {
  return track->path != MPAK_PATH_WEIGHTS || prune_has_controls(scene, track->node);
}

static void prune_weight_tracks(cook_scene *scene) {
  for (uint32_t c = 0; c < scene->clip_count; c++) {
    cook_clip *clip = &scene->clips[c];
    uint32_t kept_count = 0;
    for (uint32_t t = 0; t < clip->track_count; t++) {
      const cook_track *track = &clip->tracks[t];
      if (prune_is_playable(scene, track)) clip->tracks[kept_count++] = *track;
    }
    clip->track_count = kept_count;
  }
}

// -- Clip packs: nodes and clips without anything to draw -------------------------------------------------------------

/// Does any mesh have triangles, drawn or not? A model whose meshes stand outside the scene is no clip file.
static bool prune_has_triangles(const cook_scene *scene) {
  for (uint32_t m = 0; m < scene->mesh_count; m++)
    if (scene->meshes[m].primitive_count != 0) return true;
  return false;
}

static bool prune_has_tracks(const cook_scene *scene) {
  for (uint32_t c = 0; c < scene->clip_count; c++)
    for (uint32_t t = 0; t < scene->clips[c].track_count; t++)
      if (prune_is_playable(scene, &scene->clips[c].tracks[t])) return true;
  return false;
}

/// Of meshes only those stay whose controls a clip animates, since they say how its weights are called.
static void prune_to_clips(cook_job *job, cook_scene *scene) {
  bool *is_kept = JOB_ARRAY(job, bool, scene->mesh_count);
  for (uint32_t c = 0; c < scene->clip_count; c++) {
    for (uint32_t t = 0; t < scene->clips[c].track_count; t++) {
      const cook_track *track = &scene->clips[c].tracks[t];
      if (track->path == MPAK_PATH_WEIGHTS && prune_has_controls(scene, track->node))
        is_kept[scene->nodes[track->node].mesh] = true;
    }
  }
  prune_unmarked_meshes(job, scene, is_kept);
  for (uint32_t n = 0; n < scene->node_count; n++) scene->nodes[n].skin = MPAK_NONE;
  cook_where where = COOK_WHERE;
  where.value = job_format(job, "%" PRIu32, scene->clip_count);
  job_issue(job, MPAK_C017, where);
}

// -- Nothing to cook -------------------------------------------------------------------------------------------------

/// What a file without anything to draw has instead.
static const char *prune_what_is_there(const cook_scene *scene) {
  if (scene->mesh_count != 0)
    return "no node of the default scene draws a triangle; its meshes are empty, have only "
           "lines or points, or are not in the scene";
  if (scene->skin_count != 0 || scene->clip_count != 0) return "there is no mesh, only a skeleton or animation";
  return scene->node_count != 0 ? "there is no mesh, only empty nodes" : "the scene is empty";
}

void nodes_prune(cook_job *job, cook_scene *scene) {
  cook_where where = COOK_WHERE;
  where.value = prune_what_is_there(scene);
  const cook_mark mark = job_mark(job);
  for (uint32_t m = 0; m < scene->mesh_count; m++) prune_primitives(&scene->meshes[m]);
  if (!prune_has_triangles(scene) && prune_has_tracks(scene)) {
    prune_to_clips(job, scene);
  } else {
    prune_meshes(job, scene);
    if (scene->mesh_count == 0) job_fail(job, MPAK_C001, where);
  }
  prune_skins(job, scene);
  prune_materials(job, scene);
  prune_weight_tracks(scene);
  job_release(job, mark);
}
