#include "cooker/check/check_internal.h"

/// Which nodes and skins the messages about a mesh shall name.
static void check_find_users(check_context *context) {
  const cook_scene *scene = context->scene;
  context->node_of_mesh = JOB_ARRAY(context->job, uint32_t, scene->mesh_count);
  context->skin_of_mesh = JOB_ARRAY(context->job, uint32_t, scene->mesh_count);
  for (uint32_t m = 0; m < scene->mesh_count; m++) context->node_of_mesh[m] = context->skin_of_mesh[m] = MPAK_NONE;
  for (uint32_t n = 0; n < scene->node_count; n++) {
    const cook_node *node = &scene->nodes[n];
    if (node->mesh == MPAK_NONE) continue;
    uint32_t *user = &context->node_of_mesh[node->mesh];
    if (*user == MPAK_NONE || (node->is_cooked && !scene->nodes[*user].is_cooked)) *user = n;
    if (node->skin == MPAK_NONE) continue;
    uint32_t *skin = &context->skin_of_mesh[node->mesh];
    if (*skin == MPAK_NONE || scene->skins[node->skin].joint_count < scene->skins[*skin].joint_count)
      *skin = node->skin;
  }
}

void check_animation(cook_job *job, cook_scene *scene) {
  const cook_mark mark = job_mark(job);
  check_context context = {.job = job, .scene = scene};
  check_find_users(&context);
  check_names_text(&context);
  check_node_poses(&context);
  check_clips(&context);
  job_release(job, mark);
}

void check_scene(cook_job *job, cook_scene *scene) {
  const cook_mark mark = job_mark(job);
  check_context context = {.job = job, .scene = scene};
  check_find_users(&context);
  check_names(&context);
  check_nodes(&context);
  check_meshes(&context);
  check_targets(&context);
  check_skins(&context);
  check_clips(&context);
  job_release(job, mark);
}
