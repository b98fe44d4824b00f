// eval_cpu.c: evaluates the way a game does, through the runtime's single-precision pose, morph and skin.
#include "cooker/cli/eval.h"

_Noreturn static void cpu_fail(const eval_scene *scene, mpak_result result) {
  cli_fail(scene->job, MPAK_P009, mpak_result_name(result), NULL);
}

void eval_cpu_pose(eval_scene *scene) {
  const mpak_pack *pack = &scene->file.pack;
  const uint64_t byte_count = mpak_pose_bytes(pack);
  const mpak_result result = mpak_pose_init(pack, job_alloc(scene->job, byte_count, 1), byte_count, &scene->cpu_pose);
  if (result != MPAK_OK) cpu_fail(scene, result);
  for (uint32_t i = 0; i < scene->clip_count; i++) {
    const eval_clip *clip = &scene->clips[i];
    const double time_s = eval_clip_time(scene, clip);
    if (eval_is_own(scene, clip))
      mpak_pose_sample(&scene->cpu_pose, &clip->set->clips, clip->number, time_s);
    else
      mpak_pose_sample_mapped(&scene->cpu_pose, &clip->set->map, clip->number, time_s);
  }
}

/// Weights go the way of a game: SceneMorphPose, then the MorphState of each part.
static void cpu_apply_weights(eval_scene *scene) {
  const mpak_pack *pack = &scene->file.pack;
  const uint64_t pose_bytes = mpak_scene_morph_pose_bytes(pack), state_bytes = mpak_morph_states_bytes(pack);
  mpak_scene_morph_pose morph_pose;
  mpak_result result = mpak_scene_morph_pose_init(pack, job_alloc(scene->job, pose_bytes, 1), pose_bytes, &morph_pose);
  if (result != MPAK_OK) cpu_fail(scene, result);
  result = mpak_morph_states_init(pack, job_alloc(scene->job, state_bytes, 1), state_bytes, &scene->cpu_morphs);
  if (result != MPAK_OK) cpu_fail(scene, result);
  for (uint32_t i = 0; i < pack->instance_count; i++) {
    const uint32_t count = pack->meshes[pack->instances[i].mesh].control_count;
    if (count == 0) continue;
    const float *weights = scene->cpu_pose.weights + scene->cpu_pose.first_weight[i];
    result = mpak_scene_morph_pose_set_weights(&morph_pose, pack->instances[i].node, weights, count);
    if (result != MPAK_OK) cpu_fail(scene, result);
  }
  mpak_morph_states_apply(&scene->cpu_morphs, &morph_pose);
}

void eval_cpu_finish_pose(eval_scene *scene) {
  cpu_apply_weights(scene);
  mpak_pose_changed(&scene->cpu_pose);
  mpak_pose_compute_components(&scene->cpu_pose, NULL, 0);
}

static void cpu_move(const eval_scene *scene, const eval_mesh *mesh, uint32_t part, mpak_base_vertex *vertices) {
  const mpak_pack *pack = &scene->file.pack;
  const uint32_t skin = mesh->instance->skin;
  if (skin == MPAK_NONE || mesh->part->influence_count == 0) {
    const mpak_matrix *matrix = &scene->cpu_pose.components[mesh->instance->node];
    mpak_move_vertices(matrix, mesh->part->vertex_count, vertices, vertices);
    return;
  }
  mpak_matrix *palette = JOB_ARRAY(scene->job, mpak_matrix, pack->skins[skin].joint_count);
  mpak_pose_skin_palette(&scene->cpu_pose, skin, palette);
  mpak_skin_vertices(pack, part, &mesh->buffers->data, palette, vertices, vertices);
}

static void cpu_copy_vertex(const mpak_base_vertex *vertex, eval_mesh *mesh, uint32_t v) {
  for (int c = 0; c < 3; c++) {
    mesh->positions[v][c] = (double)vertex->position[c];
    mesh->normals[v][c] = (double)vertex->normal[c];
  }
  for (int c = 0; c < 4 && mesh->tangents != NULL; c++) mesh->tangents[v][c] = (double)vertex->tangent[c];
}

void eval_cpu_deform(const eval_scene *scene, uint32_t instance, uint32_t part, eval_mesh *mesh,
                     double component_from_node[12]) {
  const mpak_pack *pack = &scene->file.pack;
  const uint32_t number = scene->cpu_morphs.first_state[instance] + part - mesh->mesh->first_part;
  const mpak_morph_state *state = &scene->cpu_morphs.states[number];
  mpak_base_vertex *vertices = scene->gpu_vertices != NULL ? scene->gpu_vertices[number] : NULL;
  if (vertices == NULL) {
    vertices = JOB_ARRAY(scene->job, mpak_base_vertex, mesh->part->vertex_count);
    mpak_morph_vertices(pack, part, &mesh->buffers->data, state->shape_weights, vertices);
    if (scene->arguments->space == 0) cpu_move(scene, mesh, part, vertices);
  }
  for (uint32_t v = 0; v < mesh->part->vertex_count; v++) cpu_copy_vertex(&vertices[v], mesh, v);
  const float *matrix = scene->cpu_pose.components[mesh->instance->node].m;
  for (int i = 0; i < 12; i++) component_from_node[i] = (double)matrix[i];
}
