#include <math.h>
#include <string.h>

#include "cooker/import/assimp_fbx_tracks.h"
#include "cooker/import/fbx_keys.h"

// Tracks of FBX clips, from the file's own curves: Assimp gives values at keys only, and mixes up layers. A node whose
// model is known gets its tracks here; what Assimp says of it is left alone.

#define ERROR_SHARE  3e-6   ///< of the model's size: how far one joint may be off; a chain adds up to 1e-5
#define TURN_MAX     1.5e-5 ///< radians
#define UNEVEN       1e-5   ///< scales that differ by more are not the same
#define WEIGHT_BOUND 3e-6
#define REACH_LEAST  0.2 ///< of the size: what a joint moves at least

// -- How large things are ---------------------------------------------------------------------------------------------

/// A box; empty while low is above high.
typedef struct rig_box {
  double low[3], high[3];
} rig_box;

static void box_add(rig_box *box, const double point[3]) {
  for (int i = 0; i < 3; i++) {
    if (!(point[i] >= box->low[i])) box->low[i] = point[i];
    if (!(point[i] <= box->high[i])) box->high[i] = point[i];
  }
}

static rig_box empty_box(void) {
  const double huge = 1e300;
  return (rig_box){{huge, huge, huge}, {-huge, -huge, -huge}};
}

static affine rest_of_node(const cook_node *node) {
  affine a;
  if (node->is_matrix) {
    for (int i = 0; i < 12; i++) a.m[i / 4][i % 4] = (double)node->matrix[i];
    return a;
  }
  affine_parts parts;
  for (int i = 0; i < 3; i++) parts.translation[i] = (double)node->translation[i];
  for (int i = 0; i < 3; i++) parts.scale[i] = (double)node->scale[i];
  for (int i = 0; i < 4; i++) parts.rotation[i] = (double)node->rotation[i];
  return affine_from_parts(&parts);
}

/// Puts the corners of a mesh's box through the node's world transform into the box of the node.
static void add_mesh(const cook_mesh *mesh, const affine *world, rig_box *box) {
  rig_box own = empty_box();
  for (uint32_t p = 0; p < mesh->primitive_count; p++) {
    const cook_primitive *primitive = &mesh->primitives[p];
    for (uint32_t v = 0; v < primitive->vertex_count; v++) {
      const double point[3] = {(double)primitive->positions[v][0], (double)primitive->positions[v][1],
                               (double)primitive->positions[v][2]};
      box_add(&own, point);
    }
  }
  for (int corner = 0; corner < 8 && own.low[0] <= own.high[0]; corner++) {
    const double point[3] = {(corner & 1) != 0 ? own.high[0] : own.low[0], (corner & 2) != 0 ? own.high[1] : own.low[1],
                             (corner & 4) != 0 ? own.high[2] : own.low[2]};
    double moved[3];
    affine_point(world, point, moved);
    box_add(box, moved);
  }
}

static double box_diagonal(const rig_box *box) {
  double sum = 0.0;
  for (int i = 0; i < 3; i++) sum += (box->high[i] - box->low[i]) * (box->high[i] - box->low[i]);
  return isfinite(sum) && box->low[0] <= box->high[0] ? sqrt(sum) : 0.0;
}

/// The farthest corner of a box from a place.
static double box_reach(const rig_box *box, const affine *world) {
  double sum = 0.0;
  for (int i = 0; i < 3; i++) {
    const double low = fabs(box->low[i] - world->m[i][3]), high = fabs(box->high[i] - world->m[i][3]);
    sum += low > high ? low * low : high * high;
  }
  return sqrt(sum);
}

static double largest_column(const affine *a) {
  double largest = 0.0;
  for (int column = 0; column < 3; column++) {
    double sum = 0.0;
    for (int row = 0; row < 3; row++) sum += a->m[row][column] * a->m[row][column];
    if (sum > largest) largest = sum;
  }
  return sqrt(largest);
}

/// World transforms, and for each node the box of all that hangs on it. Parents come before children.
static affine *measure_nodes(const assimp_maker *maker, rig_box *boxes, rig_box *whole) {
  const cook_scene *scene = maker->scene;
  affine *worlds = JOB_ARRAY(maker->job, affine, scene->node_count);
  *whole = empty_box();
  for (uint32_t i = 0; i < scene->node_count; i++) {
    const cook_node *node = &scene->nodes[i];
    worlds[i] = rest_of_node(node);
    if (node->parent != MPAK_NONE) worlds[i] = affine_multiply(worlds[node->parent], worlds[i]);
    boxes[i] = empty_box();
    const double origin[3] = {worlds[i].m[0][3], worlds[i].m[1][3], worlds[i].m[2][3]};
    box_add(&boxes[i], origin);
    if (node->mesh != MPAK_NONE) add_mesh(&scene->meshes[node->mesh], &worlds[i], &boxes[i]);
  }
  for (uint32_t i = scene->node_count; i-- > 0;) {
    box_add(whole, boxes[i].low);
    box_add(whole, boxes[i].high);
    if (scene->nodes[i].parent == MPAK_NONE) continue;
    box_add(&boxes[scene->nodes[i].parent], boxes[i].low);
    box_add(&boxes[scene->nodes[i].parent], boxes[i].high);
  }
  return worlds;
}

// -- The rig ----------------------------------------------------------------------------------------------------------

/// What is known of the nodes before any clip.
struct assimp_rig {
  fbx_transform *rests; ///< by node; only where the model is known
  double *move_bounds;  ///< by node: of translations
  double *turn_bounds;  ///< by node: of rotations and scales
  uint32_t *keys_left;
};

static uint32_t model_of(const assimp_maker *maker, uint32_t node) {
  return node == MPAK_NONE ? FBX_NONE : maker->nodes[node].model;
}

static void set_bounds(const assimp_maker *maker, assimp_rig *rig) {
  const uint32_t node_count = maker->scene->node_count;
  rig_box *boxes = JOB_ARRAY(maker->job, rig_box, node_count), whole;
  const affine *worlds = measure_nodes(maker, boxes, &whole);
  const double size = box_diagonal(&whole) > 0.0 ? box_diagonal(&whole) : 1.0;
  for (uint32_t i = 0; i < node_count; i++) {
    const uint32_t parent = maker->scene->nodes[i].parent;
    const double scale = parent == MPAK_NONE ? 1.0 : largest_column(&worlds[parent]);
    rig->move_bounds[i] = ERROR_SHARE * size / (scale > 0.0 ? scale : 1.0);
    const double reach = box_reach(&boxes[i], &worlds[i]) / size;
    rig->turn_bounds[i] = ERROR_SHARE / (reach > REACH_LEAST ? reach : REACH_LEAST);
    if (!(rig->turn_bounds[i] <= TURN_MAX)) rig->turn_bounds[i] = TURN_MAX;
  }
}

const assimp_rig *assimp_rig_make(const assimp_maker *maker) {
  if (maker->facts == NULL) return NULL;
  assimp_rig *rig = JOB_ARRAY(maker->job, assimp_rig, 1);
  const uint32_t node_count = maker->scene->node_count;
  rig->rests = JOB_ARRAY(maker->job, fbx_transform, node_count);
  rig->move_bounds = JOB_ARRAY(maker->job, double, node_count);
  rig->turn_bounds = JOB_ARRAY(maker->job, double, node_count);
  rig->keys_left = JOB_ARRAY(maker->job, uint32_t, 1);
  *rig->keys_left = FBX_KEYS_BETWEEN_MAX;
  for (uint32_t i = 0; i < node_count; i++)
    if (model_of(maker, i) != FBX_NONE) rig->rests[i] = fbx_transform_read(maker->facts, model_of(maker, i));
  set_bounds(maker, rig);
  return rig;
}

// -- One node at one time ---------------------------------------------------------------------------------------------

/// A clip's work on one node.
typedef struct node_motion {
  const assimp_maker *maker;
  const assimp_rig *rig;
  const fbx_take *take;
  uint32_t node;
  mpak_track_path path;
  bool *is_sheared; ///< set when a transform was no translation, rotation and scale
} node_motion;

/// The parent's own scale, where this node does not take it: for fbx_transform_local.
static const double *parent_scale(const node_motion *motion, double ticks, bool is_before, double scale[3]) {
  const uint32_t parent = motion->maker->scene->nodes[motion->node].parent;
  const uint32_t model = model_of(motion->maker, parent);
  if (model == FBX_NONE || motion->rig->rests[motion->node].inherit != FBX_INHERIT_RRS) return NULL;
  const fbx_take_property *property =
      motion->take == NULL ? NULL : fbx_take_find(motion->take, model, fbx_part_name(FBX_SCALING));
  fbx_take_vector(motion->take, property, motion->rig->rests[parent].parts[FBX_SCALING], ticks, is_before, scale);
  return scale;
}

/// The turn of a sheared transform: its axes made upright one after the other, which never jumps.
static void upright_turn(const affine *sheared, affine_parts *parts) {
  double turn[3][3];
  for (int column = 0; column < 3; column++) {
    double axis[3], length = 0.0;
    for (int row = 0; row < 3; row++)
      axis[row] = sheared->m[row][column] * (column == 0 && parts->scale[0] < 0.0 ? -1.0 : 1.0);
    for (int before = 0; before < column; before++) {
      double dot = 0.0;
      for (int row = 0; row < 3; row++) dot += axis[row] * turn[row][before];
      for (int row = 0; row < 3; row++) axis[row] -= dot * turn[row][before];
    }
    for (int row = 0; row < 3; row++) length += axis[row] * axis[row];
    length = sqrt(length);
    for (int row = 0; row < 3; row++)
      turn[row][column] = length > 0.0 ? axis[row] / length : (row == column ? 1.0 : 0.0);
  }
  affine_quaternion_of((const double(*)[3])turn, parts->rotation);
}

static void node_parts(const node_motion *motion, double ticks, bool is_before, affine_parts *parts) {
  const uint32_t model = model_of(motion->maker, motion->node);
  const fbx_transform transform =
      fbx_take_transform(motion->take, model, &motion->rig->rests[motion->node], ticks, is_before);
  double scale[3];
  const affine local = fbx_transform_local(&transform, parent_scale(motion, ticks, is_before, scale));
  const affine ours = assimp_convert_transform(motion->maker, local);
  if (affine_to_parts(ours, parts)) return;
  *motion->is_sheared = true;
  upright_turn(&ours, parts);
}

static void node_value(const void *user, double ticks, bool is_before, double *value) {
  const node_motion *motion = user;
  affine_parts parts;
  node_parts(motion, ticks, is_before, &parts);
  const double *found = motion->path == MPAK_PATH_TRANSLATION ? parts.translation
                        : motion->path == MPAK_PATH_ROTATION  ? parts.rotation
                                                              : parts.scale;
  memcpy(value, found, (motion->path == MPAK_PATH_ROTATION ? 4 : 3) * sizeof *value);
}

// -- The rest pose ----------------------------------------------------------------------------------------------------

static bool is_one(const double scale[3]) { return scale[0] == 1.0 && scale[1] == 1.0 && scale[2] == 1.0; }

/// A node that does not take its parent's scale, which Assimp does not know of.
static void compensate_rest(const assimp_maker *maker, const fbx_transform *rest, const double scale[3],
                            cook_node *node) {
  const affine local = assimp_convert_transform(maker, fbx_transform_local(rest, scale));
  assimp_store_rest(&local, node);
}

static bool is_even(const double scale[3]) {
  return fabs(scale[0] - scale[1]) <= UNEVEN * fabs(scale[0]) && fabs(scale[0] - scale[2]) <= UNEVEN * fabs(scale[0]);
}

/// RrSs: scales come before rotations all the way down. A plain tree does the same unless a node is turned below a
/// scale that is not the same along all axes.
static void report_order_of_scales(const assimp_maker *maker, const fbx_transform *rest, const double scale[3],
                                   uint32_t node) {
  fbx_transform turn = *rest;
  for (int i = 0; i < 3; i++) {
    turn.parts[FBX_TRANSLATION][i] = 0.0;
    turn.parts[FBX_SCALING][i] = 1.0;
  }
  const affine local = fbx_transform_local(&turn, NULL);
  bool turns = false;
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++) turns = turns || (row != column && fabs(local.m[row][column]) > UNEVEN);
  if (!turns || is_even(scale)) return;
  cook_where where = COOK_WHERE;
  where.node = maker->scene->nodes[node].name;
  job_issue(maker->job, MPAK_I042, where);
}

void assimp_fbx_compensate_rests(const assimp_maker *maker) {
  for (uint32_t i = 0; maker->facts != NULL && i < maker->scene->node_count; i++) {
    const uint32_t model = model_of(maker, i), parent = model_of(maker, maker->scene->nodes[i].parent);
    if (model == FBX_NONE || parent == FBX_NONE) continue;
    double scale[3] = {1, 1, 1};
    fbx_property_vector(maker->facts, parent, fbx_part_name(FBX_SCALING), scale);
    if (is_one(scale)) continue;
    const fbx_transform rest = fbx_transform_read(maker->facts, model);
    if (rest.inherit == FBX_INHERIT_RRSS) report_order_of_scales(maker, &rest, scale, i);
    if (rest.inherit == FBX_INHERIT_RRS) compensate_rest(maker, &rest, scale, &maker->scene->nodes[i]);
  }
}

// -- What bends a path ------------------------------------------------------------------------------------------------

/// Times of keys, growing; ticks NULL only counts.
typedef struct corner_list {
  uint32_t count;
  double *ticks;
} corner_list;

static void add_curve_corners(const fbx_curve *curve, corner_list *list) {
  for (uint32_t k = 0; k < curve->key_count; k++, list->count++)
    if (list->ticks != NULL) list->ticks[list->count] = curve->keys[k].ticks;
}

static void add_corners(const fbx_take *take, uint32_t model, const char *name, corner_list *list) {
  const fbx_take_property *property = fbx_take_find(take, model, name);
  for (uint32_t v = 0; property != NULL && v < property->value_count; v++) {
    for (int i = 0; i < FBX_COMPONENTS; i++) add_curve_corners(&property->values[v].curves[i], list);
    add_curve_corners(&take->layers[property->values[v].layer].weight_curve, list);
  }
}

static bool is_part_used(const node_motion *motion, fbx_part part) {
  const double *rest = motion->rig->rests[motion->node].parts[part];
  return rest[0] != 0.0 || rest[1] != 0.0 || rest[2] != 0.0 ||
         fbx_take_find(motion->take, model_of(motion->maker, motion->node), fbx_part_name(part)) != NULL;
}

/// Does the parent's scale change this node's transform in this clip?
static bool is_compensated(const node_motion *motion) {
  const uint32_t parent = motion->maker->scene->nodes[motion->node].parent, model = model_of(motion->maker, parent);
  if (model == FBX_NONE || motion->rig->rests[motion->node].inherit != FBX_INHERIT_RRS) return false;
  const double *scale = motion->rig->rests[parent].parts[FBX_SCALING];
  return !is_one(scale) || fbx_take_find(motion->take, model, fbx_part_name(FBX_SCALING)) != NULL;
}

/// Which parts move a path of the node's transform. Pivots let rotation and scale move the translation.
static bool moves_path(const node_motion *motion, fbx_part part, bool has_pivot, bool compensated) {
  const bool turns = part == FBX_ROTATION || part == FBX_PRE_ROTATION || part == FBX_POST_ROTATION;
  const bool scales = part == FBX_SCALING;
  switch (motion->path) {
  case MPAK_PATH_TRANSLATION: return has_pivot || (!turns && !scales);
  case MPAK_PATH_ROTATION: return turns || (compensated && scales);
  default: return scales || (compensated && turns);
  }
}

static void list_corners(const node_motion *motion, corner_list *list) {
  const uint32_t model = model_of(motion->maker, motion->node);
  const bool compensated = is_compensated(motion);
  const bool has_pivot = is_part_used(motion, FBX_ROTATION_PIVOT) || is_part_used(motion, FBX_SCALING_PIVOT) ||
                         is_part_used(motion, FBX_SCALING_OFFSET);
  for (int part = 0; part < FBX_PART_COUNT; part++)
    if (moves_path(motion, (fbx_part)part, has_pivot, compensated))
      add_corners(motion->take, model, fbx_part_name((fbx_part)part), list);
  if (compensated && (motion->path != MPAK_PATH_TRANSLATION || has_pivot))
    add_corners(motion->take, model_of(motion->maker, motion->maker->scene->nodes[motion->node].parent),
                fbx_part_name(FBX_SCALING), list);
}

// -- Tracks -----------------------------------------------------------------------------------------------------------

/// Fills in the clip's time line; list holds the corners.
static fbx_motion motion_of(const assimp_maker *maker, const assimp_rig *rig, const assimp_fbx_clip *facts,
                            const corner_list *list) {
  const double start_s = facts->has_range ? facts->start_s : facts->earliest_key_s - facts->first_key_s;
  return (fbx_motion){.job = maker->job,
                      .corners = list->ticks,
                      .corner_count = list->count,
                      .start_ticks = start_s * FBX_TICKS_PER_SECOND,
                      .is_cut = facts->has_range,
                      .stop_ticks = facts->stop_s * FBX_TICKS_PER_SECOND,
                      .keys_left = rig->keys_left};
}

bool assimp_rig_moves(const assimp_maker *maker, const assimp_rig *rig, const fbx_take *take, uint32_t node) {
  if (rig == NULL || take == NULL || model_of(maker, node) == FBX_NONE) return false;
  corner_list list = {0};
  for (int path = 0; path < 3; path++) {
    const node_motion motion = {maker, rig, take, node, (mpak_track_path)path, NULL};
    list_corners(&motion, &list);
  }
  return list.count != 0;
}

static void add_path_track(const node_motion *motion, const assimp_fbx_clip *facts, cook_clip *clip,
                           uint32_t *coarse_count) {
  corner_list list = {0};
  list_corners(motion, &list);
  if (list.count == 0) return;
  list = (corner_list){0, JOB_ARRAY(motion->maker->job, double, list.count)};
  list_corners(motion, &list);
  fbx_motion keys = motion_of(motion->maker, motion->rig, facts, &list);
  keys.at = node_value;
  keys.user = motion;
  keys.is_turn = motion->path == MPAK_PATH_ROTATION;
  keys.width = keys.is_turn ? 4 : 3;
  keys.bound = motion->path == MPAK_PATH_TRANSLATION ? motion->rig->move_bounds[motion->node]
                                                     : motion->rig->turn_bounds[motion->node];
  cook_track *track = &clip->tracks[clip->track_count++];
  *track = (cook_track){.node = motion->node, .path = motion->path, .width = keys.width};
  *coarse_count += !fbx_keys_make(&keys, track);
}

void assimp_rig_add_tracks(const assimp_maker *maker, const assimp_rig *rig, const assimp_fbx_clip *facts,
                           const fbx_take *take, cook_clip *clip, uint32_t node, uint32_t *coarse_count) {
  bool is_sheared = false;
  for (int path = 0; path < 3; path++) {
    const node_motion motion = {maker, rig, take, node, (mpak_track_path)path, &is_sheared};
    add_path_track(&motion, facts, clip, coarse_count);
  }
  if (!is_sheared) return;
  cook_where where = COOK_WHERE;
  where.clip = clip->name;
  where.node = maker->scene->nodes[node].name;
  job_issue(maker->job, MPAK_I041, where);
}

// -- Weights ----------------------------------------------------------------------------------------------------------

/// A clip's work on the controls of one mesh.
typedef struct weight_motion {
  const fbx_take *take;
  uint32_t count;
  const uint32_t *channels; ///< by control
  const double *defaults;   ///< by control, in percent
  const fbx_take_property **properties;
} weight_motion;

static const char weight_property[] = "DeformPercent";

static void weight_value(const void *user, double ticks, bool is_before, double *value) {
  const weight_motion *motion = user;
  for (uint32_t c = 0; c < motion->count; c++) {
    const double base[FBX_COMPONENTS] = {motion->defaults[c], 0, 0};
    double found[FBX_COMPONENTS];
    fbx_take_vector(motion->take, motion->properties[c], base, ticks, is_before, found);
    value[c] = found[0] / 100;
  }
}

static bool is_listed(const uint32_t *channels, uint32_t count, uint32_t channel) {
  for (uint32_t c = 0; c < count; c++)
    if (channels[c] == channel) return true;
  return false;
}

/// Channels of the controls of a mesh, in the order of their first shapes; NULL when they are not as many.
static uint32_t *channels_of(const assimp_maker *maker, const assimp_group *group, uint32_t control_count) {
  uint32_t *channels = JOB_ARRAY(maker->job, uint32_t, control_count), count = 0;
  for (uint32_t s = 0; s < group->shape_count; s++) {
    if (is_listed(channels, count, group->shapes[s].channel)) continue;
    if (count == control_count) return NULL;
    channels[count++] = group->shapes[s].channel;
  }
  return count == control_count ? channels : NULL;
}

bool assimp_rig_add_weights(const assimp_maker *maker, const assimp_rig *rig, const assimp_fbx_clip *facts,
                            const fbx_take *take, cook_clip *clip, uint32_t node, uint32_t *coarse_count) {
  const cook_mesh *mesh = &maker->scene->meshes[maker->scene->nodes[node].mesh];
  const uint32_t count = mesh->control_count;
  weight_motion motion = {.take = take, .count = count};
  motion.channels = channels_of(maker, &maker->groups[maker->group_of_node[node]], count);
  if (motion.channels == NULL || count == 0) return false;
  double *defaults = JOB_ARRAY(maker->job, double, count);
  motion.defaults = defaults;
  motion.properties = JOB_ARRAY(maker->job, const fbx_take_property *, count);
  corner_list list = {0};
  for (uint32_t c = 0; c < count; c++) {
    fbx_number(maker->facts, motion.channels[c], weight_property, &defaults[c]);
    motion.properties[c] = fbx_take_find(take, motion.channels[c], weight_property);
    add_corners(take, motion.channels[c], weight_property, &list);
  }
  if (list.count == 0) return true;
  list = (corner_list){0, JOB_ARRAY(maker->job, double, list.count)};
  for (uint32_t c = 0; c < count; c++) add_corners(take, motion.channels[c], weight_property, &list);
  fbx_motion keys = motion_of(maker, rig, facts, &list);
  keys.at = weight_value;
  keys.user = &motion;
  keys.width = count;
  keys.bound = WEIGHT_BOUND;
  cook_track *track = &clip->tracks[clip->track_count++];
  *track = (cook_track){.node = node, .path = MPAK_PATH_WEIGHTS, .width = count};
  *coarse_count += !fbx_keys_make(&keys, track);
  return true;
}
