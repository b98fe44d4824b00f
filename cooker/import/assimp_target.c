#include <math.h>
#include <string.h>

#include "cooker/import/assimp_maker.h"

#define NORMAL_NOISE 1e-5 ///< changes of a normal up to this are rounding: Assimp adds zeros and normalises

// -- Which shape is which target --------------------------------------------------------------------------------------

/// A mesh of a group and the names of its shapes.
typedef struct shape_list {
  uint32_t count;
  const char **names;
  bool *is_repeat; ///< the same channel again: left out
} shape_list;

static const char *shape_name(const assimp_maker *maker, const struct aiAnimMesh *shape) {
  if (shape == NULL) return NULL;
  if (strcmp(shape->mName.data, "SubDeformer::") == 0) return ""; // FBX: a channel without a name
  if (shape->mName.data[0] == 0) return maker->kind == COOK_SOURCE_GLTF ? NULL : "";
  return job_copy(maker->job, shape->mName.data, strlen(shape->mName.data));
}

static shape_list list_shapes(const assimp_maker *maker, const assimp_group *group, const struct aiMesh *source) {
  shape_list list = {.count = source->mAnimMeshes == NULL ? 0 : source->mNumAnimMeshes};
  assimp_check_limit(maker, "targets of a mesh", list.count, job_limits(maker->job)->targets);
  list.names = JOB_ARRAY(maker->job, const char *, list.count);
  list.is_repeat = JOB_ARRAY(maker->job, bool, list.count);
  for (uint32_t i = 0; i < list.count; i++) {
    list.names[i] = shape_name(maker, source->mAnimMeshes[i]);
    if (group->shape_count != list.count) continue;
    list.names[i] = maker->facts->objects[group->shapes[i].channel].name;
    list.is_repeat[i] = group->shapes[i].is_repeat;
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

/// The target of this name, added when there is none. Parts of one mesh have the same shapes in the same order, so the
/// first look, at guess, nearly always finds it.
static uint32_t find_or_add_target(const assimp_maker *maker, const assimp_group *group, assimp_targets *targets,
                                   const char *name, uint32_t repeat, uint32_t guess) {
  for (uint32_t i = 0; i < targets->count; i++) {
    const uint32_t t = (guess + i) % targets->count;
    if (targets->targets[t].repeat == repeat && is_same_name(targets->targets[t].name, name)) return t;
  }
  assimp_check_limit(maker, "targets of a mesh", targets->count + 1, job_limits(maker->job)->targets);
  assimp_target *added = &targets->targets[targets->count];
  *added = (assimp_target){name, repeat, JOB_ARRAY(maker->job, uint32_t, group->mesh_count)};
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
      const uint32_t t = find_or_add_target(maker, group, &targets, list.names[s], repeats_before(&list, s), kept++);
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
static void make_target(const target_work *work, uint32_t number, cook_target *target) {
  const assimp_maker *maker = work->space.maker;
  const struct aiAnimMesh *shape = work->source->mAnimMeshes[number];
  if (shape == NULL || work->source->mVertices == NULL) return;
  if (shape->mNumVertices != work->source->mNumVertices) {
    cook_where where = COOK_WHERE;
    where.mesh = assimp_mesh_name(maker, work->source);
    where.target = shape_name(maker, shape);
    where.limit = job_format(maker->job, "%u", work->source->mNumVertices);
    assimp_issue(maker, MPAK_I020, where, job_format(maker->job, "%u", shape->mNumVertices));
    return;
  }
  const double *follows = work->group->shape_count == work->source->mNumAnimMeshes
                              ? assimp_fbx_vertex_weights(maker, work->group, work->mesh, number)
                              : NULL;
  make_position_deltas(&work->space, work->source, shape, follows, target);
  if (follows == NULL) make_normal_deltas(&work->space, work->source, shape, target);
}

// -- Default weights --------------------------------------------------------------------------------------------------

/// FBX: Assimp reports 1 for every shape, whatever the file says; the records have it. Elsewhere Assimp is right.
static float default_weight(const assimp_maker *maker, const assimp_group *group, const struct aiMesh *source,
                            uint32_t shape) {
  if (maker->kind != COOK_SOURCE_FBX)
    return source->mAnimMeshes[shape] == NULL ? 0.0f : source->mAnimMeshes[shape]->mWeight;
  double percent;
  if (group->shape_count != source->mNumAnimMeshes) return 0.0f;
  const uint32_t channel = group->shapes[shape].channel;
  return fbx_number(maker->facts, channel, "DeformPercent", &percent) ? (float)(percent / 100.0) : 0.0f;
}

static void make_default_weights(const assimp_maker *maker, const assimp_group *group, const assimp_targets *targets,
                                 cook_mesh *mesh) {
  mesh->default_weights = JOB_ARRAY(maker->job, float, targets->count);
  for (uint32_t t = 0; t < targets->count; t++) {
    uint32_t m = 0;
    while (targets->targets[t].anim_mesh[m] == MPAK_NONE) m++; // some mesh has it, or there would be no target
    mesh->default_weights[t] =
        default_weight(maker, group, maker->source->mMeshes[group->meshes[m]], targets->targets[t].anim_mesh[m]);
    if (mesh->default_weights[t] != 0.0f) mesh->has_default_weights = true;
  }
}

void assimp_make_targets(const assimp_maker *maker, const assimp_group *group, cook_mesh *mesh) {
  const assimp_targets targets = assimp_find_targets(maker, group);
  mesh->control_count = mesh->target_count = targets.count;
  mesh->control_names = JOB_ARRAY(maker->job, const char *, targets.count);
  for (uint32_t t = 0; t < targets.count; t++) mesh->control_names[t] = targets.targets[t].name;
  make_default_weights(maker, group, &targets, mesh);
  for (uint32_t p = 0; p < mesh->primitive_count; p++) {
    cook_primitive *primitive = &mesh->primitives[p];
    const uint32_t m = primitive->source_primitive;
    const target_work work = {assimp_space_of(maker, group), group, m, maker->source->mMeshes[group->meshes[m]]};
    primitive->target_count = targets.count;
    primitive->targets = JOB_ARRAY(maker->job, cook_target, targets.count);
    for (uint32_t t = 0; t < targets.count; t++)
      if (targets.targets[t].anim_mesh[m] != MPAK_NONE)
        make_target(&work, targets.targets[t].anim_mesh[m], &primitive->targets[t]);
  }
}
