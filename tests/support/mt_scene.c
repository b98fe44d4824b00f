#include "tests/support/mt_scene.h"

#include <math.h>
#include <string.h>

static mt_scene_knobs scene_knobs_filled(const mt_scene_knobs *knobs) {
  mt_scene_knobs filled = knobs != NULL ? *knobs : (mt_scene_knobs){0};
  if (filled.cells == 0) filled.cells = 2;
  if (filled.primitive_count == 0) filled.primitive_count = 2;
  if (filled.target_count == 0) filled.target_count = 2;
  if (filled.no_targets) filled.target_count = 0;
  if (filled.joint_sets == 0) filled.joint_sets = 1;
  return filled;
}

// -- Nodes ------------------------------------------------------------------------------------------------------------

static void scene_make_nodes(cook_job *job, cook_scene *scene) {
  static const char *const names[] = {"Root", "Hips", "Spine", "Body", "Hat", "Offstage"};
  static const uint32_t parents[] = {MPAK_NONE, MT_ROOT, MT_HIPS, MT_ROOT, MT_SPINE, MPAK_NONE};
  scene->node_count = MT_NODE_COUNT;
  scene->nodes = JOB_ARRAY(job, cook_node, MT_NODE_COUNT);
  for (uint32_t n = 0; n < MT_NODE_COUNT; n++) {
    cook_node *node = &scene->nodes[n];
    *node = (cook_node){.name = names[n], .parent = parents[n], .source_index = n, .is_cooked = n != MT_OFFSTAGE};
    node->rotation[3] = 1;
    node->translation[1] = n == MT_HIPS ? 1 : n == MT_SPINE ? 0.5f : 0;
    for (int axis = 0; axis < 3; axis++) node->scale[axis] = 1;
    node->mesh = node->skin = MPAK_NONE;
  }
  scene->nodes[MT_BODY].mesh = 0;
  scene->nodes[MT_HAT].mesh = 1;
}

static void scene_make_materials(cook_job *job, cook_scene *scene) {
  scene->material_count = 2;
  scene->materials = JOB_ARRAY(job, cook_material, 2);
  for (uint32_t i = 0; i < 2; i++) {
    cook_material *material = &scene->materials[i];
    *material = (cook_material){.name = i == 0 ? "Skin" : "Felt", .source_index = i, .alpha_cutoff = 0.5f};
    for (int c = 0; c < 4; c++) material->base_colour[c] = 1;
  }
}

// -- Meshes -----------------------------------------------------------------------------------------------------------

static void scene_put_vertex(cook_primitive *primitive, uint32_t v, uint32_t cells) {
  const float x = (float)(v % (cells + 1)) / (float)cells, y = (float)(v / (cells + 1)) / (float)cells;
  const float slope = 0.25f * x, length = sqrtf(1 + slope * slope);
  const float position[3] = {x, y + (float)primitive->source_primitive, 0.125f * x * x};
  const float normal[3] = {-slope / length, 0, 1 / length};
  const float tangent[4] = {1 / length, 0, slope / length, v % 2 == 0 ? 1.0f : -1.0f};
  memcpy(primitive->positions[v], position, sizeof position);
  if (primitive->normals != NULL) memcpy(primitive->normals[v], normal, sizeof normal);
  if (primitive->tangents != NULL) memcpy(primitive->tangents[v], tangent, sizeof tangent);
  primitive->texcoords[0][v][0] = x;
  primitive->texcoords[0][v][1] = 1 - y;
  for (int c = 0; c < 4; c++) primitive->colours[4 * v + c] = (uint8_t)(40 * c + v % 40);
}

static void scene_put_triangles(cook_job *job, cook_primitive *primitive, uint32_t cells) {
  primitive->index_count = primitive->source_index_count = 6 * cells * cells;
  primitive->indices = JOB_ARRAY(job, uint32_t, primitive->index_count);
  uint32_t *at = primitive->indices;
  for (uint32_t y = 0; y < cells; y++) {
    for (uint32_t x = 0; x < cells; x++) {
      const uint32_t a = y * (cells + 1) + x, c = a + cells + 1;
      const uint32_t corners[6] = {a, a + 1, c, c, a + 1, c + 1};
      memcpy(at, corners, sizeof corners);
      at += 6;
    }
  }
}

static void scene_make_primitive(cook_job *job, cook_primitive *primitive, uint32_t number,
                                 const mt_scene_knobs *knobs) {
  const uint32_t vertex_count = (knobs->cells + 1) * (knobs->cells + 1);
  *primitive = (cook_primitive){.source_primitive = number, .material = number % 2, .vertex_count = vertex_count};
  primitive->source_vertex_count = vertex_count;
  primitive->positions = job_alloc(job, vertex_count, sizeof *primitive->positions);
  if (!knobs->no_normals) primitive->normals = job_alloc(job, vertex_count, sizeof *primitive->normals);
  if (!knobs->no_normals && !knobs->no_tangents)
    primitive->tangents = job_alloc(job, vertex_count, sizeof *primitive->tangents);
  primitive->texcoords[0] = job_alloc(job, vertex_count, sizeof *primitive->texcoords[0]);
  primitive->colours = job_alloc(job, vertex_count, 4);
  primitive->colour_format = MPAK_FORMAT_UNORM8X4;
  for (uint32_t v = 0; v < vertex_count; v++) scene_put_vertex(primitive, v, knobs->cells);
  scene_put_triangles(job, primitive, knobs->cells);
}

/// Two joints share each vertex; the other influences have weight 0.
static void scene_put_influences(cook_job *job, cook_primitive *primitive, uint32_t joint_sets) {
  primitive->influence_count = 4 * joint_sets;
  primitive->joints = JOB_ARRAY(job, uint16_t, (uint64_t)primitive->vertex_count * primitive->influence_count);
  primitive->weights = JOB_ARRAY(job, float, (uint64_t)primitive->vertex_count * primitive->influence_count);
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    const uint32_t first = v * primitive->influence_count;
    primitive->joints[first + 1] = 1;
    primitive->weights[first] = 0.75f;
    primitive->weights[first + 1] = 0.25f;
  }
}

/// Each target moves every third vertex, in all three streams, by values that floats hold exactly.
static void scene_make_target(cook_job *job, const cook_primitive *primitive, cook_target *target, uint32_t t) {
  target->position_deltas = job_alloc(job, primitive->vertex_count, sizeof *target->position_deltas);
  if (primitive->normals != NULL)
    target->normal_deltas = job_alloc(job, primitive->vertex_count, sizeof *target->normal_deltas);
  if (primitive->tangents != NULL)
    target->tangent_deltas = job_alloc(job, primitive->vertex_count, sizeof *target->tangent_deltas);
  for (uint32_t v = t % 3; v < primitive->vertex_count; v += 3) {
    const float position[3] = {0.25f, -0.125f * (float)(t + 1), 0.0625f * (float)v};
    const float normal[3] = {0.125f, 0.25f, -0.03125f};
    const float tangent[3] = {-0.03125f, 0.25f, 0.125f};
    memcpy(target->position_deltas[v], position, sizeof position);
    if (target->normal_deltas != NULL) memcpy(target->normal_deltas[v], normal, sizeof normal);
    if (target->tangent_deltas != NULL) memcpy(target->tangent_deltas[v], tangent, sizeof tangent);
  }
}

static void scene_make_targets(cook_job *job, cook_mesh *mesh, uint32_t target_count) {
  if (target_count == 0) return;
  mesh->control_count = mesh->target_count = target_count;
  mesh->control_names = JOB_ARRAY(job, const char *, target_count);
  mesh->has_default_weights = true;
  mesh->default_weights = JOB_ARRAY(job, float, target_count);
  mesh->default_weights[0] = 0.25f;
  for (uint32_t t = 0; t < target_count; t++)
    mesh->control_names[t] = t == 0 ? "Smile" : t == 1 ? "Blink" : job_format(job, "Shape %u", (unsigned)t);
  for (uint32_t p = 0; p < mesh->primitive_count; p++) {
    cook_primitive *primitive = &mesh->primitives[p];
    primitive->target_count = target_count;
    primitive->targets = JOB_ARRAY(job, cook_target, target_count);
    for (uint32_t t = 0; t < target_count; t++) scene_make_target(job, primitive, &primitive->targets[t], t);
  }
}

static void scene_make_meshes(cook_job *job, cook_scene *scene, const mt_scene_knobs *knobs) {
  scene->mesh_count = 2;
  scene->meshes = JOB_ARRAY(job, cook_mesh, 2);
  for (uint32_t m = 0; m < 2; m++) {
    cook_mesh *mesh = &scene->meshes[m];
    *mesh = (cook_mesh){.name = m == 0 ? "Body" : "Hat", .source_index = m};
    mesh->primitive_count = m == 0 ? knobs->primitive_count : 1;
    mesh->primitives = JOB_ARRAY(job, cook_primitive, mesh->primitive_count);
    for (uint32_t p = 0; p < mesh->primitive_count; p++) {
      scene_make_primitive(job, &mesh->primitives[p], p, knobs);
      if (m == 0 && !knobs->no_skin) scene_put_influences(job, &mesh->primitives[p], knobs->joint_sets);
    }
  }
  scene_make_targets(job, &scene->meshes[0], knobs->target_count);
}

// -- Skin and clips ---------------------------------------------------------------------------------------------------

static void scene_make_skin(cook_job *job, cook_scene *scene) {
  scene->skin_count = 1;
  scene->skins = JOB_ARRAY(job, cook_skin, 1);
  cook_skin *skin = &scene->skins[0];
  *skin = (cook_skin){.name = "Rig", .joint_count = 2};
  skin->joints = JOB_ARRAY(job, uint32_t, 2);
  skin->joints[0] = MT_HIPS;
  skin->joints[1] = MT_SPINE;
  skin->inverse_binds = job_alloc(job, 2, sizeof *skin->inverse_binds);
  for (uint32_t j = 0; j < 2; j++) {
    for (int row = 0; row < 3; row++) skin->inverse_binds[j][5 * row] = 1;
    skin->inverse_binds[j][7] = j == 0 ? -1.0f : -1.5f;
  }
  scene->nodes[MT_BODY].skin = 0;
}

/// value_count floats are filled by the caller; times are 0, 0.5, 1, ...
static cook_track *scene_add_track(cook_job *job, cook_clip *clip, uint32_t node, mpak_track_path path,
                                   mpak_interpolation interpolation, uint32_t width, uint32_t key_count) {
  cook_track *track = &clip->tracks[clip->track_count++];
  *track = (cook_track){node, path, interpolation, width, key_count, NULL, 0, NULL};
  track->times = JOB_ARRAY(job, float, key_count);
  for (uint32_t k = 0; k < key_count; k++) track->times[k] = 0.5f * (float)k;
  track->value_count = (uint64_t)key_count * width * (interpolation == MPAK_CUBICSPLINE ? 3 : 1);
  track->values = JOB_ARRAY(job, float, track->value_count);
  return track;
}

/// Turns about one axis, by Pythagorean halves, so that the lengths are 1 to the last bit or nearly.
static void scene_put_rotations(cook_track *track, int axis) {
  static const float sines[4] = {0, 0.28f, 0.6f, 0.8f}, cosines[4] = {1, 0.96f, 0.8f, 0.6f};
  for (uint32_t k = 0; k < track->key_count; k++) {
    track->values[4 * k + axis] = sines[k % 4];
    track->values[4 * k + 3] = cosines[k % 4];
  }
}

static void scene_make_idle(cook_job *job, cook_clip *clip, uint32_t target_count) {
  clip->tracks = JOB_ARRAY(job, cook_track, 4);
  cook_track *track = scene_add_track(job, clip, MT_HIPS, MPAK_PATH_TRANSLATION, MPAK_LINEAR, 3, 3);
  for (uint32_t k = 0; k < 3; k++) track->values[3 * k + 1] = 1 + 0.25f * (float)k;
  scene_put_rotations(scene_add_track(job, clip, MT_SPINE, MPAK_PATH_ROTATION, MPAK_LINEAR, 4, 3), 0);
  track = scene_add_track(job, clip, MT_SPINE, MPAK_PATH_SCALE, MPAK_STEP, 3, 2);
  for (uint32_t i = 0; i < 6; i++) track->values[i] = i < 3 ? 1.0f : 1.5f;
  clip->source_node_tracks = 3;
  if (target_count == 0) return;
  track = scene_add_track(job, clip, MT_BODY, MPAK_PATH_WEIGHTS, MPAK_CUBICSPLINE, target_count, 3);
  track->values[3 * target_count + target_count] = 1; // the second key's first weight; all tangents are 0
  clip->source_weight_tracks = 1;
}

static void scene_make_clips(cook_job *job, cook_scene *scene, uint32_t target_count) {
  scene->clip_count = 2;
  scene->clips = JOB_ARRAY(job, cook_clip, 2);
  scene->clips[0] = (cook_clip){.name = "Idle", .source_index = 0, .end_s = 1};
  scene->clips[1] = (cook_clip){.name = "Wave", .source_index = 1, .end_s = 1.5f, .source_node_tracks = 1};
  scene_make_idle(job, &scene->clips[0], target_count);
  scene->clips[1].tracks = JOB_ARRAY(job, cook_track, 1);
  scene_put_rotations(scene_add_track(job, &scene->clips[1], MT_HIPS, MPAK_PATH_ROTATION, MPAK_LINEAR, 4, 4), 1);
}

cook_scene *mt_scene_make(cook_job *job, const mt_scene_knobs *knobs) {
  const mt_scene_knobs filled = scene_knobs_filled(knobs);
  cook_scene *scene = JOB_ARRAY(job, cook_scene, 1);
  scene->source_kind = COOK_SOURCE_GLTF;
  scene->generator = "mt";
  scene->source_hash = 0x6D745F7363656E65u;
  scene_make_nodes(job, scene);
  scene_make_materials(job, scene);
  scene_make_meshes(job, scene, &filled);
  if (!filled.no_skin) scene_make_skin(job, scene);
  if (!filled.no_clips) scene_make_clips(job, scene, filled.target_count);
  return scene;
}
