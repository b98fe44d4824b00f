// influence_movement.c: see influence_movement.h. Poses are made of keys as they are stored, each track's last one at
// or before a time: enough to say how large a fault is, and far cheaper than sampling.
#include "cooker/build/influence_movement.h"

#include <string.h>

#include "cooker/build/node_matrix.h"

#define MOVEMENT_POSES    24u      ///< at most, the rest pose among them
#define MOVEMENT_VERTICES 2000000u ///< moved over all poses, about

/// The nodes in one pose.
typedef struct movement_pose {
  const cook_scene *scene;
  float (*translations)[3]; ///< by node
  float (*rotations)[4];
  float (*scales)[3];
  bool *is_moved;      ///< by node: by a track
  node_matrix *worlds; ///< by node
} movement_pose;

// -- Poses ------------------------------------------------------------------------------------------------------------

static void pose_rest(movement_pose *pose) {
  for (uint32_t n = 0; n < pose->scene->node_count; n++) {
    const cook_node *node = &pose->scene->nodes[n];
    memcpy(pose->translations[n], node->translation, sizeof node->translation);
    memcpy(pose->rotations[n], node->rotation, sizeof node->rotation);
    memcpy(pose->scales[n], node->scale, sizeof node->scale);
    pose->is_moved[n] = false;
  }
}

/// The last key at or before a time, or the first.
static uint32_t pose_find_key(const cook_track *track, float time_s) {
  uint32_t low = 0, high = track->key_count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (track->times[middle] <= time_s)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void pose_apply(movement_pose *pose, const cook_track *track, float time_s) {
  if (track->path == MPAK_PATH_WEIGHTS || track->key_count == 0 || track->node >= pose->scene->node_count) return;
  const bool is_cubic = track->interpolation == MPAK_CUBICSPLINE; // in-tangent, value, out-tangent
  const uint64_t stride = (uint64_t)track->width * (is_cubic ? 3 : 1);
  const float *value = track->values + pose_find_key(track, time_s) * stride + (is_cubic ? track->width : 0);
  pose->is_moved[track->node] = true;
  if (track->path == MPAK_PATH_TRANSLATION) memcpy(pose->translations[track->node], value, 3 * sizeof *value);
  if (track->path == MPAK_PATH_ROTATION) memcpy(pose->rotations[track->node], value, 4 * sizeof *value);
  if (track->path == MPAK_PATH_SCALE) memcpy(pose->scales[track->node], value, 3 * sizeof *value);
}

/// Scene space from each node; build_nodes has put parents first.
static void pose_finish(movement_pose *pose) {
  for (uint32_t n = 0; n < pose->scene->node_count; n++) {
    const cook_node *node = &pose->scene->nodes[n];
    const node_matrix local = pose->is_moved[n]
                                  ? node_matrix_of_trs(pose->translations[n], pose->rotations[n], pose->scales[n])
                                  : node_matrix_local(node);
    pose->worlds[n] = node->parent == MPAK_NONE ? local : node_matrix_multiply(&pose->worlds[node->parent], &local);
  }
}

/// 1/2, 1/4, 3/4, 1/8 …: any number of places spread over [0, 1).
static double pose_fraction(uint32_t turn) {
  double fraction = 0, half = 0.5;
  for (uint32_t bits = turn + 1; bits != 0; bits >>= 1, half /= 2)
    if (bits & 1) fraction += half;
  return fraction;
}

static float pose_time(const cook_clip *clip, uint32_t turn) {
  const cook_track *busiest = NULL;
  for (uint32_t t = 0; t < clip->track_count; t++)
    if (clip->tracks[t].key_count != 0 && (busiest == NULL || clip->tracks[t].key_count > busiest->key_count))
      busiest = &clip->tracks[t];
  return busiest == NULL ? 0 : busiest->times[(uint32_t)(pose_fraction(turn) * busiest->key_count)];
}

/// Pose 0 is the rest; the others take turns through the clips, or through evenly chosen ones where there are too many.
static void pose_set(movement_pose *pose, uint32_t number, uint32_t pose_count) {
  const cook_scene *scene = pose->scene;
  pose_rest(pose);
  if (number > 0) {
    const uint32_t turn = (number - 1) / scene->clip_count, clip_poses = pose_count - 1;
    const uint32_t clip = clip_poses < scene->clip_count
                              ? (uint32_t)((uint64_t)(number - 1) * scene->clip_count / clip_poses)
                              : (number - 1) % scene->clip_count;
    const float time_s = pose_time(&scene->clips[clip], turn);
    for (uint32_t t = 0; t < scene->clips[clip].track_count; t++)
      pose_apply(pose, &scene->clips[clip].tracks[t], time_s);
  }
  pose_finish(pose);
}

// -- Vertices ---------------------------------------------------------------------------------------------------------

/// A vertex skinned by some influences, whose weights need not sum to 1. palette: by joint of the skin.
static void movement_skin(const node_matrix *palette, uint32_t joint_count, const uint16_t *joints,
                          const float *weights, uint32_t influence_count, const float position[3], double moved[3]) {
  double sum = 0;
  moved[0] = moved[1] = moved[2] = 0;
  for (uint32_t i = 0; i < influence_count; i++) {
    if (!(weights[i] > 0) || joints[i] >= joint_count) continue;
    const node_matrix *matrix = &palette[joints[i]];
    sum += weights[i];
    for (int r = 0; r < 3; r++) {
      double row = matrix->m[r][3];
      for (int c = 0; c < 3; c++) row += matrix->m[r][c] * (double)position[c];
      moved[r] += weights[i] * row;
    }
  }
  for (int r = 0; r < 3 && sum > 0; r++) moved[r] /= sum;
}

static void movement_of_cut(influence_cut *cut, const node_matrix *palette, uint32_t joint_count) {
  const cook_primitive *primitive = cut->primitive;
  for (uint32_t i = 0; i < cut->vertex_count; i++) {
    const uint64_t vertex = cut->vertices[i], old = vertex * cut->influence_count;
    const uint64_t now = vertex * primitive->influence_count;
    double before[3], after[3], square = 0;
    movement_skin(palette, joint_count, cut->joints + old, cut->weights + old, cut->influence_count,
                  primitive->positions[vertex], before);
    movement_skin(palette, joint_count, primitive->joints + now, primitive->weights + now, primitive->influence_count,
                  primitive->positions[vertex], after);
    for (int r = 0; r < 3; r++) square += (after[r] - before[r]) * (after[r] - before[r]);
    if (sqrt(square) > cut->largest_m) cut->largest_m = sqrt(square);
  }
}

/// All cuts of the mesh that a node draws with a skin.
static void movement_of_node(const movement_pose *pose, const cook_node *node, node_matrix *palette,
                             influence_cut *cuts, uint32_t cut_count) {
  const cook_skin *skin = &pose->scene->skins[node->skin];
  for (uint32_t j = 0; j < skin->joint_count; j++) {
    const node_matrix bind = node_matrix_of_floats(skin->inverse_binds[j]);
    palette[j] = node_matrix_multiply(&pose->worlds[skin->joints[j]], &bind);
  }
  for (uint32_t c = 0; c < cut_count; c++)
    if (cuts[c].mesh == &pose->scene->meshes[node->mesh]) movement_of_cut(&cuts[c], palette, skin->joint_count);
}

/// Does a skinned node draw a mesh that lost influences?
static bool movement_concerns(const cook_scene *scene, const cook_node *node, const influence_cut *cuts,
                              uint32_t cut_count) {
  if (node->mesh == MPAK_NONE || node->skin == MPAK_NONE) return false;
  for (uint32_t c = 0; c < cut_count; c++)
    if (cuts[c].mesh == &scene->meshes[node->mesh]) return true;
  return false;
}

static uint32_t movement_count_poses(const cook_scene *scene, const influence_cut *cuts, uint32_t cut_count) {
  if (scene->clip_count == 0) return 1;
  uint64_t vertex_count = 1;
  for (uint32_t c = 0; c < cut_count; c++) vertex_count += cuts[c].vertex_count;
  const uint64_t affordable = MOVEMENT_VERTICES / vertex_count;
  return affordable < 2 ? 2 : affordable > MOVEMENT_POSES ? MOVEMENT_POSES : (uint32_t)affordable;
}

void influence_movement(cook_job *job, const cook_scene *scene, influence_cut *cuts, uint32_t cut_count) {
  if (cut_count == 0) return;
  const cook_mark mark = job_mark(job);
  movement_pose pose = {.scene = scene};
  pose.translations = job_alloc(job, scene->node_count, sizeof *pose.translations);
  pose.rotations = job_alloc(job, scene->node_count, sizeof *pose.rotations);
  pose.scales = job_alloc(job, scene->node_count, sizeof *pose.scales);
  pose.is_moved = JOB_ARRAY(job, bool, scene->node_count);
  pose.worlds = JOB_ARRAY(job, node_matrix, scene->node_count);
  uint32_t joint_count = 0;
  for (uint32_t s = 0; s < scene->skin_count; s++)
    if (scene->skins[s].joint_count > joint_count) joint_count = scene->skins[s].joint_count;
  node_matrix *palette = JOB_ARRAY(job, node_matrix, joint_count);
  const uint32_t pose_count = movement_count_poses(scene, cuts, cut_count);
  for (uint32_t p = 0; p < pose_count; p++) {
    pose_set(&pose, p, pose_count);
    for (uint32_t n = 0; n < scene->node_count; n++)
      if (movement_concerns(scene, &scene->nodes[n], cuts, cut_count))
        movement_of_node(&pose, &scene->nodes[n], palette, cuts, cut_count);
  }
  job_release(job, mark);
}
