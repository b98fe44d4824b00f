#include "cooker/import/gltf_reader.h"

// Which nodes are cooked: those of the default scene, and what the skins drawn there need. Without a default scene
// every root counts. A node that is only needed by a skin keeps its transform but draws nothing.

/// Bits by node.
enum { SCENE_DRAWN = 1, SCENE_NEEDED = 2 };

/// Marks the roots that the default scene lists. False when the file names no default scene.
static bool scene_mark_listed(gltf_reader *reader, uint8_t *marks) {
  const cook_json member = json_member(&reader->root, "scene");
  if (!json_exists(&member)) return false;
  const cook_json object =
      gltf_object_at(reader, &reader->scene_array, gltf_index(reader, &member, &reader->scene_array));
  const cook_json nodes = gltf_array(reader, &object, "nodes");
  for (uint64_t i = 0; i < json_count(&nodes); i++) {
    const cook_json element = json_element(&nodes, i);
    const uint32_t node = gltf_index(reader, &element, &reader->node_array);
    marks[node] |= SCENE_DRAWN;
    if (reader->scene->nodes[node].parent == MPAK_NONE) continue;
    reader->here_node = node;
    gltf_report(reader, MPAK_G060, &element, NULL, NULL);
  }
  gltf_leave(reader);
  return true;
}

/// A node is drawn when it or an ancestor is listed.
static bool scene_is_below_listed(const cook_scene *scene, const uint8_t *listed, uint32_t node) {
  for (; node != MPAK_NONE; node = scene->nodes[node].parent)
    if ((listed[node] & SCENE_DRAWN) != 0) return true;
  return false;
}

static void scene_need_with_ancestors(const cook_scene *scene, uint8_t *marks, uint32_t node) {
  for (; node != MPAK_NONE && (marks[node] & SCENE_NEEDED) == 0; node = scene->nodes[node].parent)
    marks[node] |= SCENE_NEEDED;
}

static void scene_need_joints(const cook_scene *scene, uint8_t *marks, uint32_t skin) {
  for (uint32_t j = 0; j < scene->skins[skin].joint_count; j++)
    scene_need_with_ancestors(scene, marks, scene->skins[skin].joints[j]);
}

/// The node draws nothing, so it has no targets that a clip could drive.
static void scene_drop_weight_tracks(cook_clip *clip, const cook_scene *scene) {
  uint32_t kept = 0;
  for (uint32_t t = 0; t < clip->track_count; t++) {
    const cook_track *track = &clip->tracks[t];
    if (track->path != MPAK_PATH_WEIGHTS || scene->nodes[track->node].mesh != MPAK_NONE) clip->tracks[kept++] = *track;
  }
  clip->track_count = kept;
}

/// Takes the mesh from a node that is only there to carry others.
static void scene_undraw(cook_node *node) {
  node->mesh = node->skin = MPAK_NONE;
  node->weights = NULL;
  node->weight_count = 0;
}

void gltf_mark_cooked_nodes(gltf_reader *reader) {
  const cook_scene *scene = reader->scene;
  uint8_t *listed = JOB_ARRAY(reader->job, uint8_t, scene->node_count);
  uint8_t *marks = JOB_ARRAY(reader->job, uint8_t, scene->node_count);
  const bool has_default = scene_mark_listed(reader, listed);
  for (uint32_t i = 0; i < scene->node_count; i++) {
    if (has_default && !scene_is_below_listed(scene, listed, i)) continue;
    marks[i] |= SCENE_DRAWN;
    scene_need_with_ancestors(scene, marks, i);
    if (scene->nodes[i].skin != MPAK_NONE) scene_need_joints(scene, marks, scene->nodes[i].skin);
  }
  for (uint32_t i = 0; i < scene->node_count; i++) {
    cook_node *node = &scene->nodes[i];
    node->is_cooked = (marks[i] & SCENE_NEEDED) != 0;
    if (node->is_cooked && (marks[i] & SCENE_DRAWN) == 0) scene_undraw(node);
  }
  for (uint32_t c = 0; c < scene->clip_count; c++) scene_drop_weight_tracks(&scene->clips[c], scene);
}
