#include "cooker/build/lods_merge.h"

#include <math.h>
#include <string.h>

#include "cooker/build/node_matrix.h"
#include "cooker/build/build_where.h"

#define MERGE_SAME_PLACE 1e-5 ///< of rest matrices; metres in their last column
#define MERGE_SAME_BIND  1e-6f

/// One lower level on its way into the mesh of level 0.
typedef struct lods_level {
  cook_job *job;
  cook_scene *scene;
  uint32_t number;
  cook_node *top, *node; ///< that draw level 0 and this one
  cook_mesh *into;
  const cook_mesh *from;
  uint32_t *control_of; ///< by control of from: of into, or MPAK_NONE
  uint32_t *joint_of;   ///< by joint of the level's skin: of level 0's; NULL: not skinned
} lods_level;

// -- Does it fit? -----------------------------------------------------------------------------------------------------

static const char *level_name(const lods_level *level) {
  const cook_node *node = level->node;
  if (node->name != NULL && node->name[0] != 0) return node->name;
  return job_format(level->job, "node_%u", node->source_index);
}

static bool level_is_same_place(const node_matrix *a, const node_matrix *b) {
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++)
      if (!(fabs(a->m[r][c] - b->m[r][c]) <= MERGE_SAME_PLACE * (1 + fabs(a->m[r][c])))) return false;
  return true;
}

/// A node outside the scene takes the place of level 0's as it is (MSFT_lod); any other must stand where that stands.
static bool level_stands_alike(const lods_level *level) {
  if (level->node->parent == MPAK_NONE && !level->node->is_cooked) {
    const node_matrix top = node_matrix_local(level->top), own = node_matrix_local(level->node);
    return level_is_same_place(&top, &own);
  }
  const cook_mark mark = job_mark(level->job);
  const node_matrix *worlds = node_matrix_worlds(level->job, level->scene),
                    *top = worlds + (level->top - level->scene->nodes);
  const bool is_same = level_is_same_place(top, worlds + (level->node - level->scene->nodes));
  job_release(level->job, mark);
  return is_same;
}

/// Why a level cannot be merged; NULL when it can.
static const char *level_misfit(const lods_level *level) {
  if (level->node->mesh == level->top->mesh) return "it draws the same mesh";
  if (level->from->lod_count != 0) return "its mesh has levels of its own";
  if (level->node->skin != MPAK_NONE && level->top->skin == MPAK_NONE) return "it is skinned and level 0 is not";
  if (level->node->skin == MPAK_NONE && level->top->skin != MPAK_NONE) return "level 0 is skinned and it is not";
  if (level->node->skin == MPAK_NONE && !level_stands_alike(level)) return "it stands elsewhere than level 0";
  return NULL;
}

static void level_keep_apart(const lods_level *level, const char *reason) {
  cook_where where = COOK_WHERE;
  where.mesh = level->into->name;
  where.value = level_name(level);
  where.limit = reason;
  job_issue(level->job, MPAK_C041, where);
}

// -- Controls ---------------------------------------------------------------------------------------------------------

static bool level_is_same_name(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

/// By name, repeats in their order; controls without one by number.
static void level_match_controls(lods_level *level) {
  bool *is_taken = JOB_ARRAY(level->job, bool, level->into->control_count);
  level->control_of = JOB_ARRAY(level->job, uint32_t, level->from->control_count);
  for (uint32_t c = 0; c < level->from->control_count; c++) {
    const char *name = level->from->control_names[c];
    uint32_t found = name == NULL ? c : 0;
    while (found < level->into->control_count &&
           (is_taken[found] || !level_is_same_name(name, level->into->control_names[found])))
      found = name == NULL ? level->into->control_count : found + 1;
    level->control_of[c] = found < level->into->control_count ? found : MPAK_NONE;
    if (found < level->into->control_count) is_taken[found] = true;
  }
}

static bool level_is_same_rule(const cook_mesh *a, uint32_t i, const cook_mesh *b, uint32_t j) {
  const uint32_t a_count = a->rules != NULL ? a->rules[i].point_count : 0;
  const uint32_t b_count = b->rules != NULL ? b->rules[j].point_count : 0;
  if (a_count != b_count) return false;
  return a_count == 0 || memcmp(a->rules[i].points, b->rules[j].points, a_count * sizeof *a->rules[i].points) == 0;
}

/// The shape of level 0 that a shape of this level is: of the same control, by the same rule, not yet taken.
static uint32_t level_match_shape(const lods_level *level, uint32_t shape, bool *is_taken) {
  const uint32_t control = level->control_of[cook_control_of_target(level->from, shape)];
  for (uint32_t t = 0; control != MPAK_NONE && t < level->into->target_count; t++) {
    if (is_taken[t] || cook_control_of_target(level->into, t) != control) continue;
    if (!level_is_same_rule(level->into, t, level->from, shape)) continue;
    is_taken[t] = true;
    return t;
  }
  return MPAK_NONE;
}

static void level_report_shapes(const lods_level *level, const char *names) {
  if (names == NULL) return;
  cook_where where = COOK_WHERE;
  where.mesh = level->into->name;
  where.value = level_name(level);
  where.limit = names;
  job_issue(level->job, MPAK_C042, where);
}

/// Numbers of this level's shapes in the mesh. A shape that level 0 lacks is dropped.
static uint32_t *level_match_shapes(const lods_level *level) {
  uint32_t *shape_of = JOB_ARRAY(level->job, uint32_t, level->from->target_count);
  bool *is_taken = JOB_ARRAY(level->job, bool, level->into->target_count);
  const char *dropped = NULL;
  for (uint32_t t = 0; t < level->from->target_count; t++) {
    shape_of[t] = level_match_shape(level, t, is_taken);
    if (shape_of[t] != MPAK_NONE) continue;
    const char *name = level->from->control_names[cook_control_of_target(level->from, t)];
    if (name == NULL) name = job_format(level->job, "target_%u", t);
    dropped = dropped == NULL ? name : job_format(level->job, "%s, %s", dropped, name);
    if (strlen(dropped) > 200) dropped = job_format(level->job, "%.200s …", dropped);
  }
  level_report_shapes(level, dropped);
  return shape_of;
}

static void level_take_targets(const lods_level *level, const uint32_t *shape_of, cook_primitive *primitive) {
  const cook_target *old = primitive->targets;
  const uint32_t old_count = primitive->target_count;
  primitive->target_count = level->into->target_count;
  primitive->targets = JOB_ARRAY(level->job, cook_target, primitive->target_count);
  for (uint32_t t = 0; t < old_count; t++)
    if (shape_of[t] != MPAK_NONE) primitive->targets[shape_of[t]] = old[t];
}

// -- Joints -----------------------------------------------------------------------------------------------------------

static bool level_is_same_bind(const float *a, const float *b) {
  for (int i = 0; i < 12; i++)
    if (!(fabsf(a[i] - b[i]) <= MERGE_SAME_BIND * (1 + fabsf(a[i])))) return false;
  return true;
}

static void skin_grow(cook_job *job, cook_skin *skin, uint32_t capacity) {
  uint32_t *joints = JOB_ARRAY(job, uint32_t, capacity);
  float(*binds)[12] = job_alloc(job, capacity, sizeof *binds);
  memcpy(joints, skin->joints, skin->joint_count * sizeof *joints);
  memcpy(binds, skin->inverse_binds, skin->joint_count * sizeof *binds);
  skin->joints = joints;
  skin->inverse_binds = binds;
}

/// The joint of the same node with the same inverse bind; appended where there is none, which moves vertices alike.
static uint32_t skin_find_or_add(cook_skin *skin, uint32_t node, const float *bind) {
  for (uint32_t j = 0; j < skin->joint_count; j++)
    if (skin->joints[j] == node && level_is_same_bind(skin->inverse_binds[j], bind)) return j;
  skin->joints[skin->joint_count] = node;
  memcpy(skin->inverse_binds[skin->joint_count], bind, sizeof *skin->inverse_binds);
  return skin->joint_count++;
}

/// Numbers of the level's joints in level 0's skin. False when that would have too many.
static bool level_match_joints(lods_level *level) {
  if (level->node->skin == MPAK_NONE) return true;
  const cook_skin *from = &level->scene->skins[level->node->skin];
  cook_skin *into = &level->scene->skins[level->top->skin];
  level->joint_of = JOB_ARRAY(level->job, uint32_t, from->joint_count);
  if (from == into) {
    for (uint32_t j = 0; j < from->joint_count; j++) level->joint_of[j] = j;
    return true;
  }
  cook_skin grown = *into;
  skin_grow(level->job, &grown, into->joint_count + from->joint_count);
  for (uint32_t j = 0; j < from->joint_count; j++)
    level->joint_of[j] = skin_find_or_add(&grown, from->joints[j], from->inverse_binds[j]);
  if (grown.joint_count > job_limits(level->job)->joints) return false;
  *into = grown;
  return true;
}

static void level_take_joints(const lods_level *level, cook_primitive *primitive) {
  if (level->joint_of == NULL || primitive->joints == NULL) return;
  const cook_skin *from = &level->scene->skins[level->node->skin];
  const uint64_t count = (uint64_t)primitive->vertex_count * primitive->influence_count;
  uint16_t *joints = JOB_ARRAY(level->job, uint16_t, count);
  for (uint64_t i = 0; i < count; i++)
    if (primitive->joints[i] < from->joint_count) joints[i] = (uint16_t)level->joint_of[primitive->joints[i]];
  primitive->joints = joints;
}

/// Joints of level 0 that the level's own skin lacks are not needed for it.
static bool *level_drops(const lods_level *level) {
  if (level->joint_of == NULL || level->node->skin == level->top->skin) return NULL;
  const cook_skin *from = &level->scene->skins[level->node->skin], *into = &level->scene->skins[level->top->skin];
  bool *drops = JOB_ARRAY(level->job, bool, level->scene->node_count);
  for (uint32_t j = 0; j < into->joint_count; j++) drops[into->joints[j]] = true;
  for (uint32_t j = 0; j < from->joint_count; j++) drops[from->joints[j]] = false;
  return drops;
}

// -- Tracks -----------------------------------------------------------------------------------------------------------

static bool clip_has_weights(const cook_clip *clip, uint32_t node) {
  for (uint32_t t = 0; t < clip->track_count; t++)
    if (clip->tracks[t].node == node && clip->tracks[t].path == MPAK_PATH_WEIGHTS) return true;
  return false;
}

/// The keys of a track for the controls of level 0; controls that it does not animate keep their defaults.
static void track_take_controls(const lods_level *level, cook_track *track) {
  const uint32_t width = level->into->control_count, old_width = track->width;
  if (old_width == 0 || track->value_count % old_width != 0) return;
  const uint64_t row_count = track->value_count / old_width;
  const uint32_t rows = track->interpolation == MPAK_CUBICSPLINE ? 3 : 1; // of a key; the middle one is the value
  float *values = JOB_ARRAY(level->job, float, row_count *width);
  for (uint64_t r = 0; r < row_count; r++) {
    const bool is_value = rows == 1 || r % rows == 1;
    for (uint32_t c = 0; c < width && is_value && level->into->default_weights != NULL; c++)
      values[r * width + c] = level->into->default_weights[c];
    for (uint32_t c = 0; c < old_width && c < level->from->control_count; c++)
      if (level->control_of[c] != MPAK_NONE)
        values[r * width + level->control_of[c]] = track->values[r * old_width + c];
  }
  track->values = values;
  track->value_count = row_count * width;
  track->width = width;
}

/// Weights that a clip sets for this level alone are the mesh's; level 0's own go first.
static void level_take_tracks(const lods_level *level) {
  const uint32_t top = (uint32_t)(level->top - level->scene->nodes),
                 own = (uint32_t)(level->node - level->scene->nodes);
  for (uint32_t c = 0; c < level->scene->clip_count; c++) {
    cook_clip *clip = &level->scene->clips[c];
    const bool has_own = clip_has_weights(clip, top);
    uint32_t kept_count = 0;
    for (uint32_t t = 0; t < clip->track_count; t++) {
      cook_track track = clip->tracks[t];
      const bool is_moved = track.node == own && track.path == MPAK_PATH_WEIGHTS;
      if (is_moved && (has_own || level->into->control_count == 0)) continue;
      if (is_moved) track_take_controls(level, &track);
      if (is_moved) track.node = top;
      clip->tracks[kept_count++] = track;
    }
    clip->track_count = kept_count;
  }
}

// -- All --------------------------------------------------------------------------------------------------------------

static void level_take_primitives(lods_level *level) {
  const uint32_t *shape_of = level_match_shapes(level);
  const uint32_t count = level->into->primitive_count, added = level->from->primitive_count;
  cook_primitive *primitives = JOB_ARRAY(level->job, cook_primitive, (uint64_t)count + added);
  memcpy(primitives, level->into->primitives, count * sizeof *primitives);
  for (uint32_t p = 0; p < added; p++) {
    cook_primitive *primitive = &primitives[count + p];
    *primitive = level->from->primitives[p];
    primitive->lod = level->number;
    primitive->indices =
        job_copy(level->job, primitive->indices, (uint64_t)primitive->index_count * sizeof *primitive->indices);
    level_take_targets(level, shape_of, primitive);
    level_take_joints(level, primitive);
  }
  level->into->primitives = primitives;
  level->into->primitive_count = count + added;
}

static void level_detach(const lods_level *level) {
  cook_node *node = level->node;
  node->mesh = node->skin = MPAK_NONE;
  node->weights = NULL;
  node->weight_count = 0;
}

static bool lods_merge_level(lods_level *level, float size) {
  const char *misfit = level_misfit(level);
  if (misfit == NULL && !level_match_joints(level)) misfit = "the two skins together have too many joints";
  if (misfit != NULL) {
    level_keep_apart(level, misfit);
    return false;
  }
  level_match_controls(level);
  level_take_primitives(level);
  level_take_tracks(level);
  level->into->lods[level->number] = (cook_lod){.screen_size = size, .drops_node = level_drops(level)};
  level->into->lod_count = level->number + 1;
  level_detach(level);
  return true;
}

/// A second node draws the same levels as another did before: is this one of them, with the joints as they are?
static bool lods_is_merged(const lods_level *level) {
  if (level->node->skin != level->top->skin || level->from->primitive_count == 0) return false;
  for (uint32_t p = 0; p < level->into->primitive_count; p++)
    if (level->into->primitives[p].lod == level->number &&
        level->into->primitives[p].positions == level->from->primitives[0].positions)
      return true;
  return false;
}

static void lods_merge_again(lods_level *level, const lods_group *group) {
  for (level->number = 1; level->number < group->level_count; level->number++) {
    level->node = &level->scene->nodes[group->nodes[level->number]];
    level->from = &level->scene->meshes[level->node->mesh];
    if (!lods_is_merged(level)) {
      level_keep_apart(level, "level 0's mesh has other levels already");
      return;
    }
    level_match_controls(level);
    level_take_tracks(level);
    level_detach(level);
  }
}

static void lods_report(cook_job *job, const cook_mesh *mesh, const char *names) {
  cook_where where = COOK_WHERE;
  where.mesh = mesh->name;
  where.value = names;
  job_issue(job, MPAK_C040, where);
}

void lods_merge(cook_job *job, cook_scene *scene, const lods_group *group) {
  lods_level level = {.job = job, .scene = scene, .top = &scene->nodes[group->nodes[0]]};
  level.into = &scene->meshes[level.top->mesh];
  if (level.into->lod_count != 0) {
    lods_merge_again(&level, group);
    return;
  }
  level.into->lods = JOB_ARRAY(job, cook_lod, LODS_MOST);
  level.into->lods[0].screen_size = group->sizes[0];
  const char *names = level.top->name != NULL ? level.top->name : "";
  for (level.number = 1; level.number < group->level_count; level.number++) {
    level.node = &scene->nodes[group->nodes[level.number]];
    level.from = &scene->meshes[level.node->mesh];
    names = job_format(job, "%s, %s", names, level_name(&level));
    if (!lods_merge_level(&level, group->sizes[level.number])) return;
  }
  lods_report(job, level.into, names);
}
