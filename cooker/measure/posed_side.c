#include "cooker/measure/posed_side.h"

static void *side_allocate(void *user, size_t byte_count) { return job_alloc(user, byte_count, 1); }

/// Memory of the arena goes back with the arena.
static void side_release(void *user, void *pointer, size_t byte_count) {
  (void)user;
  (void)pointer;
  (void)byte_count;
}

static void side_require(cook_job *job, mpak_result result, const mpak_fault *fault) {
  if (result == MPAK_OK) return;
  cook_where where = COOK_WHERE;
  where.value = job_format(job, "%s: %s", mpak_result_name(result), fault->rule != NULL ? fault->rule : "posed");
  job_fail(job, MPAK_C051, where);
}

void posed_side_open(cook_job *job, const cook_product *product, posed_side *side) {
  const mpak_open_options options = {.decoder = mpak_zstd_decoder(), .max_decoded_bytes = UINT64_MAX};
  const mpak_allocator allocator = {side_allocate, side_release, job};
  mpak_fault fault = {0};
  side_require(job, mpak_open(product->bytes, product->byte_count, &options, &side->pack, &fault), &fault);
  side_require(job, mpak_model_create(&side->pack, &allocator, &side->model, &fault), &fault);
  side_require(job, mpak_character_create(side->model, &allocator, &side->character), &fault);
}

/// Weights of the pose, the clip's or one control at 1, go the way of a game: through SceneMorphPose.
static void side_set_weights(posed_side *side, const posed_pose *pose) {
  mpak_character *character = side->character;
  for (uint32_t i = 0; i < side->pack.instance_count; i++) {
    const mpak_instance *instance = &side->pack.instances[i];
    const mpak_mesh *mesh = &side->pack.meshes[instance->mesh];
    if (mesh->control_count == 0) continue;
    float *weights = character->pose.weights + character->pose.first_weight[i];
    const uint32_t control = pose->control - mesh->first_control;
    if (pose->control != MPAK_NONE && control < mesh->control_count) weights[control] = 1;
    mpak_scene_morph_pose_set_weights(&character->morph_pose, instance->node, weights, mesh->control_count);
  }
}

void posed_side_pose(posed_side *side, const posed_pose *pose, uint32_t lod) {
  mpak_character *character = side->character;
  mpak_pose_rest(&character->pose);
  if (pose->clip != MPAK_NONE) mpak_pose_sample(&character->pose, &side->model->clips, pose->clip, pose->time_s);
  side_set_weights(side, pose);
  mpak_pose_changed(&character->pose);
  character->lod = lod;
  mpak_character_deform(character);
}

uint64_t posed_side_vertex_count(const posed_side *side) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < side->character->output_count; i++)
    count += side->pack.parts[side->character->outputs[i].part].vertex_count;
  return count;
}
