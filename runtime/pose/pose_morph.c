/// pose_morph.c: SceneMorphPose, MorphState and the two layers of versions between them (morph document, "Morph update
/// and version cache").
#include "runtime/pose/pose_private.h"

// -- SceneMorphPose --------------------------------------------------------------------------------------------------

static uint64_t morph_pose_layout(const mpak_pack *pack, void *memory, mpak_scene_morph_pose *pose) {
  carve block = {.memory = memory};
  pose->pack = pack;
  pose_take_weights(pack, &block, &pose->weights, &pose->first_weight);
  return block.used;
}

uint64_t mpak_scene_morph_pose_bytes(const mpak_pack *pack) {
  mpak_scene_morph_pose unused = {0};
  return morph_pose_layout(pack, NULL, &unused);
}

mpak_result mpak_scene_morph_pose_init(const mpak_pack *pack, void *memory, uint64_t memory_bytes,
                                       mpak_scene_morph_pose *pose) {
  *pose = (mpak_scene_morph_pose){0};
  mpak_result result = pose_check_memory(pack, memory, memory_bytes, mpak_scene_morph_pose_bytes(pack));
  if (result != MPAK_OK) return result;
  morph_pose_layout(pack, memory, pose);
  pose->version = 1;
  for (uint32_t i = 0; i < pack->instance_count; ++i) {
    const mpak_mesh *mesh = pose_mesh_of(pack, i);
    for (uint32_t c = 0; c < mesh->control_count; ++c) {
      float weight = pose_default_weight(pack, i, c);
      pose->weights[pose->first_weight[i] + c] = pose_clamp_weight(&pack->controls[mesh->first_control + c], weight);
    }
  }
  return MPAK_OK;
}

/// Stores one clamped weight; true if it differs from the old one.
static bool morph_pose_store(mpak_scene_morph_pose *pose, uint32_t instance, uint32_t control, float weight) {
  const mpak_mesh *mesh = pose_mesh_of(pose->pack, instance);
  float *stored = &pose->weights[pose->first_weight[instance] + control];
  float value = pose_clamp_weight(&pose->pack->controls[mesh->first_control + control], weight);
  if (value == *stored) return false;
  *stored = value;
  return true;
}

mpak_result mpak_scene_morph_pose_set_weights(mpak_scene_morph_pose *pose, uint32_t node, const float *weights,
                                              uint32_t count) {
  uint32_t instance = mpak_find_instance(pose->pack, node);
  if (instance == MPAK_NONE) return MPAK_ERROR_NOT_FOUND;
  if (count != pose_mesh_of(pose->pack, instance)->control_count) return MPAK_ERROR_ARGUMENT;
  bool is_different = false;
  for (uint32_t c = 0; c < count; ++c) is_different |= morph_pose_store(pose, instance, c, weights[c]);
  if (is_different) ++pose->version;
  return MPAK_OK;
}

mpak_result mpak_scene_morph_pose_set_weight(mpak_scene_morph_pose *pose, uint32_t node, uint32_t control,
                                             float weight) {
  uint32_t instance = mpak_find_instance(pose->pack, node);
  if (instance == MPAK_NONE) return MPAK_ERROR_NOT_FOUND;
  if (control >= pose_mesh_of(pose->pack, instance)->control_count) return MPAK_ERROR_ARGUMENT;
  if (morph_pose_store(pose, instance, control, weight)) ++pose->version;
  return MPAK_OK;
}

const float *mpak_scene_morph_pose_weights(const mpak_scene_morph_pose *pose, uint32_t node) {
  uint32_t instance = mpak_find_instance(pose->pack, node);
  return instance == MPAK_NONE ? NULL : pose->weights + pose->first_weight[instance];
}

// -- MorphState ------------------------------------------------------------------------------------------------------

static void morph_state_update_shapes(mpak_morph_state *state, uint32_t control, float weight) {
  const mpak_part *part = &state->pack->parts[state->part];
  uint32_t wanted = state->pack->meshes[part->mesh].first_control + control;
  for (uint32_t s = 0; s < state->shape_count; ++s) {
    const mpak_shape *shape = &state->pack->shapes[part->first_shape + s];
    if (shape->control != wanted) continue;
    state->active_shape_count -= state->shape_weights[s] != 0;
    state->shape_weights[s] = pose_shape_weight(state->pack, shape, weight);
    state->active_shape_count += state->shape_weights[s] != 0;
  }
}

mpak_result mpak_morph_state_set_weight(mpak_morph_state *state, uint32_t control, float weight) {
  if (control >= state->control_count) return MPAK_ERROR_ARGUMENT;
  const mpak_mesh *mesh = &state->pack->meshes[state->pack->parts[state->part].mesh];
  float value = pose_clamp_weight(&state->pack->controls[mesh->first_control + control], weight);
  if (value == state->weights[control]) return MPAK_OK;
  state->weights[control] = value;
  morph_state_update_shapes(state, control, value);
  ++state->version;
  return MPAK_OK;
}

/// Sums up the shapes anew: linear, where setting the controls one by one would search the shapes for each.
static void morph_state_rebuild_shapes(mpak_morph_state *state) {
  const mpak_part *part = &state->pack->parts[state->part];
  uint32_t first_control = state->pack->meshes[part->mesh].first_control;
  state->active_shape_count = 0;
  for (uint32_t s = 0; s < state->shape_count; ++s) {
    const mpak_shape *shape = &state->pack->shapes[part->first_shape + s];
    state->shape_weights[s] = pose_shape_weight(state->pack, shape, state->weights[shape->control - first_control]);
    state->active_shape_count += state->shape_weights[s] != 0;
  }
}

/// Sets all controls to weights that are clamped already; raises the version by one if any differs.
static void morph_state_set_all(mpak_morph_state *state, const float *weights) {
  bool is_different = false;
  for (uint32_t c = 0; c < state->control_count; ++c) {
    is_different |= state->weights[c] != weights[c];
    state->weights[c] = weights[c];
  }
  if (!is_different) return;
  morph_state_rebuild_shapes(state);
  ++state->version;
}

static void morph_state_start(mpak_morph_state *state) {
  const mpak_pack *pack = state->pack;
  uint32_t first_control = pack->meshes[pack->parts[state->part].mesh].first_control;
  for (uint32_t c = 0; c < state->control_count; ++c) {
    float weight = pose_default_weight(pack, state->instance, c);
    state->weights[c] = pose_clamp_weight(&pack->controls[first_control + c], weight);
  }
  morph_state_rebuild_shapes(state);
  state->version = 1;
}

// -- All states ------------------------------------------------------------------------------------------------------

static uint64_t morph_state_total(const mpak_pack *pack) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < pack->instance_count; ++i) total += pose_mesh_of(pack, i)->part_count;
  return total;
}

/// Takes the two arrays of one state; memory behind states is NULL while measuring.
static void morph_state_layout(const mpak_pack *pack, carve *block, uint32_t instance, uint32_t part,
                               mpak_morph_state *state) {
  uint32_t control_count = pose_mesh_of(pack, instance)->control_count, shape_count = pack->parts[part].shape_count;
  float *weights = carve_take(block, control_count, sizeof *weights);
  float *shape_weights = carve_take(block, shape_count, sizeof *shape_weights);
  if (!state) return;
  *state = (mpak_morph_state){.pack = pack,
                              .instance = instance,
                              .part = part,
                              .weights = weights,
                              .control_count = control_count,
                              .shape_weights = shape_weights,
                              .shape_count = shape_count};
}

static uint64_t morph_states_layout(const mpak_pack *pack, void *memory, mpak_morph_states *states) {
  carve block = {.memory = memory};
  uint64_t total = morph_state_total(pack), next = 0;
  mpak_morph_state *array = carve_take(&block, total, sizeof *array);
  uint32_t *first_state = carve_take(&block, (uint64_t)pack->instance_count + 1, sizeof *first_state);
  for (uint32_t i = 0; i < pack->instance_count; ++i) {
    const mpak_mesh *mesh = pose_mesh_of(pack, i);
    if (first_state) first_state[i] = (uint32_t)next;
    for (uint32_t p = 0; p < mesh->part_count; ++p, ++next) {
      morph_state_layout(pack, &block, i, mesh->first_part + p, array ? &array[next] : NULL);
    }
  }
  if (first_state) first_state[pack->instance_count] = (uint32_t)next;
  *states =
      (mpak_morph_states){.pack = pack, .states = array, .state_count = (uint32_t)next, .first_state = first_state};
  return block.used;
}

uint64_t mpak_morph_states_bytes(const mpak_pack *pack) {
  mpak_morph_states unused;
  if (morph_state_total(pack) > UINT32_MAX) return UINT64_MAX; // refused by init; not worth counting through
  return morph_states_layout(pack, NULL, &unused);
}

mpak_result mpak_morph_states_init(const mpak_pack *pack, void *memory, uint64_t memory_bytes,
                                   mpak_morph_states *states) {
  *states = (mpak_morph_states){0};
  if (morph_state_total(pack) > UINT32_MAX) return MPAK_ERROR_LIMIT;
  mpak_result result = pose_check_memory(pack, memory, memory_bytes, mpak_morph_states_bytes(pack));
  if (result != MPAK_OK) return result;
  morph_states_layout(pack, memory, states);
  for (uint32_t s = 0; s < states->state_count; ++s) morph_state_start(&states->states[s]);
  return MPAK_OK;
}

static void morph_states_apply_instance(mpak_morph_states *states, const mpak_scene_morph_pose *pose,
                                        uint32_t instance) {
  const float *weights = pose->weights + pose->first_weight[instance];
  ++states->counters.nodes_visited;
  for (uint32_t s = states->first_state[instance]; s < states->first_state[instance + 1]; ++s) {
    ++states->counters.primitives_visited;
    morph_state_set_all(&states->states[s], weights);
  }
}

void mpak_morph_states_apply(mpak_morph_states *states, const mpak_scene_morph_pose *pose) {
  ++states->counters.pose_checks;
  if (states->applied_pose_version == pose->version) return;
  for (uint32_t i = 0; i < states->pack->instance_count; ++i) morph_states_apply_instance(states, pose, i);
  states->applied_pose_version = pose->version;
}

bool mpak_morph_states_flush_one(mpak_morph_states *states, uint32_t state, mpak_morph_update update, void *user) {
  mpak_morph_state *record = &states->states[state];
  if (record->shape_count == 0 || record->applied_version == record->version) return false;
  ++states->counters.weight_uploads;
  ++states->counters.dispatches;
  update(user, record);
  record->applied_version = record->version;
  return true;
}

uint32_t mpak_morph_states_flush(mpak_morph_states *states, mpak_morph_update update, void *user) {
  uint32_t updated_count = 0;
  for (uint32_t s = 0; s < states->state_count; ++s) {
    updated_count += mpak_morph_states_flush_one(states, s, update, user);
  }
  return updated_count;
}
