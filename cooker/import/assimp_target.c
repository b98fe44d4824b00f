#include <math.h>
#include <string.h>

#include "cooker/import/assimp_maker.h"
#include "cooker/import/fbx_prepass.h"
#include "cooker/scene/inbetween.h"

#define NORMAL_NOISE 1e-5 ///< changes of a normal up to this are rounding: Assimp adds zeros and normalises

// -- Which shape is which target --------------------------------------------------------------------------------------

/// A mesh of a group and its shapes.
typedef struct shape_list {
  uint32_t count;
  const char **names;
  uint32_t *shapes; ///< of the group; MPAK_NONE where the records do not tell
  bool *is_repeat;  ///< the same shape again: left out
} shape_list;

static const char *shape_name(const assimp_maker *maker, const struct aiAnimMesh *shape) {
  if (shape == NULL) return NULL;
  if (shape->mName.data[0] == 0) return maker->kind == COOK_SOURCE_GLTF ? NULL : "";
  return job_copy(maker->job, shape->mName.data, strlen(shape->mName.data));
}

/// The shape that an aiAnimMesh was made of, at or behind from: it is called by the id of its channel, or by its own
/// when the mesh has several materials. MPAK_NONE when there is none.
static uint32_t find_shape(const assimp_maker *maker, const assimp_group *group, const struct aiAnimMesh *source,
                           uint32_t from) {
  const uint32_t object = source == NULL ? FBX_NONE : fbx_object_of_name(maker->facts, source->mName.data);
  for (uint32_t s = from; object != FBX_NONE && s < group->shape_count; s++)
    if (group->shapes[s].channel == object || group->shapes[s].shape == object) return s;
  return MPAK_NONE;
}

static shape_list list_shapes(const assimp_maker *maker, const assimp_group *group, const struct aiMesh *source) {
  shape_list list = {.count = source->mAnimMeshes == NULL ? 0 : source->mNumAnimMeshes};
  assimp_check_limit(maker, "targets of a mesh", list.count, job_limits(maker->job)->targets);
  list.names = JOB_ARRAY(maker->job, const char *, list.count);
  list.shapes = JOB_ARRAY(maker->job, uint32_t, list.count);
  list.is_repeat = JOB_ARRAY(maker->job, bool, list.count);
  for (uint32_t i = 0, next = 0; i < list.count; i++) {
    list.names[i] = shape_name(maker, source->mAnimMeshes[i]);
    list.shapes[i] = find_shape(maker, group, source->mAnimMeshes[i], next);
    if (list.shapes[i] == MPAK_NONE) continue;
    const assimp_fbx_shape *shape = &group->shapes[list.shapes[i]];
    list.names[i] = assimp_fbx_control_name(maker, shape->channel);
    list.is_repeat[i] = shape->is_repeat;
    next = list.shapes[i] + 1;
  }
  return list;
}

static bool is_same_name(const char *a, const char *b) { return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0; }

/// How many of the first count shapes have the name of shape count.
static uint32_t repeats_before(const shape_list *list, uint32_t shape) {
  uint32_t repeats = 0;
  for (uint32_t i = 0; i < shape; i++)
    repeats += !list->is_repeat[i] && is_same_name(list->names[i], list->names[shape]);
  return repeats;
}

static bool is_same_target(const assimp_target *a, const assimp_target *b) {
  if (a->shape != MPAK_NONE || b->shape != MPAK_NONE) return a->shape == b->shape;
  return a->repeat == b->repeat && is_same_name(a->name, b->name);
}

/// The target like wanted, added when there is none. Parts of one mesh have the same shapes in the same order, so the
/// first look, at guess, nearly always finds it.
static uint32_t find_or_add_target(const assimp_maker *maker, const assimp_group *group, assimp_targets *targets,
                                   const assimp_target *wanted, uint32_t guess) {
  for (uint32_t i = 0; i < targets->count; i++) {
    const uint32_t t = (guess + i) % targets->count;
    if (is_same_target(&targets->targets[t], wanted)) return t;
  }
  assimp_check_limit(maker, "targets of a mesh", targets->count + 1, job_limits(maker->job)->targets);
  assimp_target *added = &targets->targets[targets->count];
  *added = *wanted;
  added->anim_mesh = JOB_ARRAY(maker->job, uint32_t, group->mesh_count);
  for (uint32_t m = 0; m < group->mesh_count; m++) added->anim_mesh[m] = MPAK_NONE;
  return targets->count++;
}

assimp_targets assimp_find_targets(const assimp_maker *maker, const assimp_group *group) {
  uint64_t most = 0;
  for (uint32_t m = 0; m < group->mesh_count; m++) most += maker->source->mMeshes[group->meshes[m]]->mNumAnimMeshes;
  assimp_targets targets = {.targets = JOB_ARRAY(maker->job, assimp_target, most)};
  for (uint32_t m = 0; m < group->mesh_count; m++) {
    const shape_list list = list_shapes(maker, group, maker->source->mMeshes[group->meshes[m]]);
    for (uint32_t s = 0, kept = 0; s < list.count; s++) {
      if (list.is_repeat[s]) continue;
      const assimp_target wanted = {.name = list.names[s], .shape = list.shapes[s], .repeat = repeats_before(&list, s)};
      const uint32_t t = find_or_add_target(maker, group, &targets, &wanted, kept++);
      targets.targets[t].anim_mesh[m] = s;
    }
  }
  return targets;
}

// -- Deltas -----------------------------------------------------------------------------------------------------------

static void subtract(const struct aiVector3D *a, const struct aiVector3D *b, double difference[3]) {
  difference[0] = (double)a->x - (double)b->x;
  difference[1] = (double)a->y - (double)b->y;
  difference[2] = (double)a->z - (double)b->z;
}

/// Position deltas; follows says how far each vertex follows the shape (NULL: fully).
static void make_position_deltas(const assimp_mesh_space *space, const struct aiMesh *source,
                                 const struct aiAnimMesh *shape, const double *follows, cook_target *target) {
  if (shape->mVertices == NULL) return;
  target->position_deltas = job_alloc(space->maker->job, shape->mNumVertices, sizeof *target->position_deltas);
  for (unsigned v = 0; v < shape->mNumVertices; v++) {
    double delta[3], turned[3];
    subtract(&shape->mVertices[v], &source->mVertices[v], delta);
    for (int i = 0; i < 3 && follows != NULL; i++) delta[i] *= follows[v];
    affine_vector(&space->geometric, delta, turned);
    assimp_convert_point(space->maker, turned, target->position_deltas[v]);
  }
}

/// Do the shape's normals say something: does one change by more than rounding, and is none of those without length?
static bool normals_are_usable(const struct aiMesh *source, const struct aiAnimMesh *shape) {
  bool is_changed = false;
  for (unsigned v = 0; v < shape->mNumVertices; v++) {
    double difference[3];
    subtract(&shape->mNormals[v], &source->mNormals[v], difference);
    const double change = fabs(difference[0]) + fabs(difference[1]) + fabs(difference[2]);
    if (change <= NORMAL_NOISE) continue;
    const struct aiVector3D *n = &shape->mNormals[v];
    const double length = (double)n->x * (double)n->x + (double)n->y * (double)n->y + (double)n->z * (double)n->z;
    if (!(length > 0.25 && length < 4.0)) return false;
    is_changed = true;
  }
  return is_changed;
}

static void make_normal_deltas(const assimp_mesh_space *space, const struct aiMesh *source,
                               const struct aiAnimMesh *shape, cook_target *target) {
  if (shape->mNormals == NULL || source->mNormals == NULL || !normals_are_usable(source, shape)) return;
  target->normal_deltas = job_alloc(space->maker->job, shape->mNumVertices, sizeof *target->normal_deltas);
  for (unsigned v = 0; v < shape->mNumVertices; v++) {
    double from[3], to[3], difference[3];
    subtract(&shape->mNormals[v], &source->mNormals[v], difference);
    if (fabs(difference[0]) + fabs(difference[1]) + fabs(difference[2]) <= NORMAL_NOISE) continue;
    assimp_move_direction(space, &space->normals, &source->mNormals[v], from);
    assimp_move_direction(space, &space->normals, &shape->mNormals[v], to);
    for (int i = 0; i < 3; i++) target->normal_deltas[v][i] = (float)(to[i] - from[i]);
  }
}

/// Mesh number mesh of a group, where its targets are made.
typedef struct target_work {
  assimp_mesh_space space;
  const assimp_group *group;
  uint32_t mesh;
  const struct aiMesh *source;
} target_work;

/// One target of one primitive. Assimp gives absolute shapes; tangents of shapes are copies of the base and left out.
static void make_target(const target_work *work, uint32_t number, uint32_t fbx_shape, cook_target *target) {
  const assimp_maker *maker = work->space.maker;
  const struct aiAnimMesh *shape = work->source->mAnimMeshes[number];
  if (shape == NULL || work->source->mVertices == NULL) return;
  if (shape->mNumVertices != work->source->mNumVertices) {
    cook_where where = COOK_WHERE;
    where.mesh = assimp_mesh_name(maker, work->source);
    where.target = assimp_fbx_name(maker, shape->mName.data);
    where.limit = job_format(maker->job, "%u", work->source->mNumVertices);
    assimp_issue(maker, MPAK_I020, where, job_format(maker->job, "%u", shape->mNumVertices));
    return;
  }
  const double *follows =
      fbx_shape == MPAK_NONE ? NULL : assimp_fbx_vertex_weights(maker, work->group, work->mesh, fbx_shape);
  make_position_deltas(&work->space, work->source, shape, follows, target);
  if (follows == NULL) make_normal_deltas(&work->space, work->source, shape, target);
}

// -- Controls ---------------------------------------------------------------------------------------------------------

/// The control of each target: those of one FBX channel follow the same one. Counts and names them.
static uint32_t *find_controls(const assimp_maker *maker, assimp_group *group, const assimp_targets *targets,
                               cook_mesh *mesh) {
  uint32_t *controls = JOB_ARRAY(maker->job, uint32_t, targets->count);
  mesh->control_names = JOB_ARRAY(maker->job, const char *, targets->count);
  for (uint32_t t = 0; t < targets->count; t++) {
    const uint32_t shape = targets->targets[t].shape;
    controls[t] = MPAK_NONE;
    for (uint32_t before = 0; shape != MPAK_NONE && controls[t] == MPAK_NONE && before < t; before++) {
      const uint32_t other = targets->targets[before].shape;
      if (other != MPAK_NONE && group->shapes[other].channel == group->shapes[shape].channel)
        controls[t] = controls[before];
    }
    if (controls[t] == MPAK_NONE) {
      controls[t] = mesh->control_count++;
      mesh->control_names[controls[t]] = targets->targets[t].name;
    }
    if (shape != MPAK_NONE) group->shapes[shape].control = controls[t];
  }
  return controls;
}

/// The weight of its channel at which a shape stands there alone; 1 where the file says nothing, or something for each
/// vertex instead.
static double full_weight(const assimp_maker *maker, const assimp_fbx_shape *shape) {
  uint32_t count;
  const double *weights = fbx_child_array(maker->facts, shape->channel, "FullWeights", &count);
  const bool is_only_one = fbx_child_of_kind(maker->facts, shape->channel, FBX_SHAPE, 1) == FBX_NONE;
  if (shape->order >= count || (is_only_one && count > 1)) return 1.0;
  return weights[shape->order] / 100.0;
}

/// Room for the shapes of one control.
typedef struct rule_work {
  double *full_weights;
  uint32_t *members; ///< targets
  cook_shape_rule *rules;
} rule_work;

/// How the targets of one control follow it.
static void make_rules_of_control(const assimp_maker *maker, const assimp_group *group, const assimp_targets *targets,
                                  const uint32_t *controls, uint32_t control, const rule_work *work, cook_mesh *mesh) {
  uint32_t count = 0;
  for (uint32_t t = 0; t < targets->count; t++) {
    if (controls[t] != control) continue;
    const uint32_t shape = targets->targets[t].shape;
    work->full_weights[count] = shape == MPAK_NONE ? 1.0 : full_weight(maker, &group->shapes[shape]);
    work->rules[count] = (cook_shape_rule){.name = NULL};
    work->members[count++] = t;
  }
  cook_where where = COOK_WHERE;
  where.mesh = mesh->name;
  where.target = mesh->control_names[control];
  scene_make_inbetweens(maker->job, where, control, work->full_weights, count, work->rules);
  for (uint32_t i = 0; i < count; i++) {
    cook_shape_rule *rule = &mesh->rules[work->members[i]];
    *rule = work->rules[i];
    const uint32_t shape = targets->targets[work->members[i]].shape;
    if (count > 1) rule->name = maker->facts->objects[group->shapes[shape].shape].name;
  }
}

/// Rules are needed where a channel has several shapes, or one that is reached at another weight than 1.
static void make_rules(const assimp_maker *maker, const assimp_group *group, const assimp_targets *targets,
                       const uint32_t *controls, cook_mesh *mesh) {
  bool is_plain = mesh->control_count == targets->count;
  for (uint32_t t = 0; t < targets->count && is_plain; t++)
    if (targets->targets[t].shape != MPAK_NONE)
      is_plain = full_weight(maker, &group->shapes[targets->targets[t].shape]) == 1.0;
  if (is_plain) return;
  const rule_work work = {JOB_ARRAY(maker->job, double, targets->count),
                          JOB_ARRAY(maker->job, uint32_t, targets->count),
                          JOB_ARRAY(maker->job, cook_shape_rule, targets->count)};
  mesh->rules = JOB_ARRAY(maker->job, cook_shape_rule, targets->count);
  for (uint32_t c = 0; c < mesh->control_count; c++)
    make_rules_of_control(maker, group, targets, controls, c, &work, mesh);
}

/// FBX: Assimp reports 1 for every shape, whatever the file says; the records have it. Elsewhere Assimp is right.
static float default_weight(const assimp_maker *maker, const assimp_group *group, const assimp_target *target) {
  double percent;
  if (target->shape != MPAK_NONE)
    return fbx_number(maker->facts, group->shapes[target->shape].channel, "DeformPercent", &percent)
               ? (float)(percent / 100.0)
               : 0.0f;
  if (maker->kind == COOK_SOURCE_FBX) return 0.0f;
  uint32_t m = 0;
  while (target->anim_mesh[m] == MPAK_NONE) m++; // some mesh has it, or there would be no target
  const struct aiAnimMesh *shape = maker->source->mMeshes[group->meshes[m]]->mAnimMeshes[target->anim_mesh[m]];
  return shape == NULL ? 0.0f : shape->mWeight;
}

static void make_controls(const assimp_maker *maker, assimp_group *group, const assimp_targets *targets,
                          cook_mesh *mesh) {
  const uint32_t *controls = find_controls(maker, group, targets, mesh);
  mesh->target_count = targets->count;
  mesh->default_weights = JOB_ARRAY(maker->job, float, mesh->control_count);
  for (uint32_t t = 0; t < targets->count; t++) {
    mesh->default_weights[controls[t]] = default_weight(maker, group, &targets->targets[t]);
    if (mesh->default_weights[controls[t]] != 0.0f) mesh->has_default_weights = true;
  }
  make_rules(maker, group, targets, controls, mesh);
}

void assimp_make_targets(const assimp_maker *maker, assimp_group *group, cook_mesh *mesh) {
  const assimp_targets targets = assimp_find_targets(maker, group);
  make_controls(maker, group, &targets, mesh);
  for (uint32_t p = 0; p < mesh->primitive_count; p++) {
    cook_primitive *primitive = &mesh->primitives[p];
    const uint32_t m = primitive->source_primitive;
    const target_work work = {assimp_space_of(maker, group), group, m, maker->source->mMeshes[group->meshes[m]]};
    primitive->target_count = targets.count;
    primitive->targets = JOB_ARRAY(maker->job, cook_target, targets.count);
    for (uint32_t t = 0; t < targets.count; t++)
      if (targets.targets[t].anim_mesh[m] != MPAK_NONE)
        make_target(&work, targets.targets[t].anim_mesh[m], targets.targets[t].shape, &primitive->targets[t]);
  }
}
