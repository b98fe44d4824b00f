/// pose_character.c: a pack as a model and its individuals, in memory of an allocator.
#include <stdlib.h>

#include "runtime/pose/pose_private.h"

// -- Memory ----------------------------------------------------------------------------------------------------------

static void *character_malloc(void *user, size_t byte_count) {
  (void)user;
  return malloc(byte_count);
}

static void character_free(void *user, void *pointer, size_t byte_count) {
  (void)user;
  (void)byte_count;
  free(pointer);
}

static mpak_allocator character_allocator(const mpak_allocator *allocator) {
  return allocator ? *allocator : (mpak_allocator){.allocate = character_malloc, .release = character_free};
}

/// Zeroed memory; NULL with MPAK_OK for nothing, so that empty packs need no special case.
static mpak_result character_allocate(const mpak_allocator *allocator, uint64_t byte_count, void *pointer_out) {
  void *memory = NULL;
  if (byte_count > 0) {
    if (byte_count > PTRDIFF_MAX) return MPAK_ERROR_OUT_OF_MEMORY;
    memory = allocator->allocate(allocator->user, (size_t)byte_count);
    if (!memory) return MPAK_ERROR_OUT_OF_MEMORY;
    memset(memory, 0, (size_t)byte_count);
  }
  memcpy(pointer_out, &memory, sizeof memory);
  return MPAK_OK;
}

static void character_release(const mpak_allocator *allocator, void *memory, uint64_t byte_count) {
  if (memory) allocator->release(allocator->user, memory, (size_t)byte_count);
}

// -- Model -----------------------------------------------------------------------------------------------------------

static mpak_result model_load_part(mpak_model *model, uint32_t part, void *scratch, mpak_fault *fault) {
  uint64_t byte_count = mpak_part_bytes(model->pack, part);
  mpak_result result = character_allocate(&model->allocator, byte_count, &model->part_memory[part]);
  if (result != MPAK_OK) return result;
  return mpak_load_part(model->pack, part, model->part_memory[part], byte_count, scratch,
                        mpak_scratch_bytes(model->pack), &model->parts[part], fault);
}

static mpak_result model_load_clips(mpak_model *model, void *scratch, mpak_fault *fault) {
  if (model->pack->clip_count == 0) return MPAK_OK;
  uint64_t byte_count = mpak_clips_bytes(model->pack);
  mpak_result result = character_allocate(&model->allocator, byte_count, &model->clip_memory);
  if (result != MPAK_OK) return result;
  return mpak_load_clips(model->pack, model->clip_memory, byte_count, scratch, mpak_scratch_bytes(model->pack),
                         &model->clips, fault);
}

static mpak_result model_fill_parts(mpak_model *model, void *scratch, mpak_fault *fault) {
  const mpak_pack *pack = model->pack;
  mpak_result result = character_allocate(&model->allocator, pack->part_count * sizeof *model->parts, &model->parts);
  if (result != MPAK_OK) return result;
  result = character_allocate(&model->allocator, pack->part_count * sizeof *model->part_memory, &model->part_memory);
  for (uint32_t p = 0; result == MPAK_OK && p < pack->part_count; ++p) {
    result = model_load_part(model, p, scratch, fault);
  }
  return result;
}

static uint32_t model_most_joints(const mpak_pack *pack) {
  uint32_t most = 0;
  for (uint32_t s = 0; s < pack->skin_count; ++s) {
    if (pack->skins[s].joint_count > most) most = pack->skins[s].joint_count;
  }
  return most;
}

/// with_parts: geometry too, not only clips.
static mpak_result model_create(const mpak_pack *pack, const mpak_allocator *allocator, bool with_parts,
                                mpak_model **model, mpak_fault *fault) {
  mpak_allocator memory = character_allocator(allocator);
  mpak_model *made = NULL;
  void *scratch = NULL;
  *model = NULL;
  mpak_result result = character_allocate(&memory, sizeof *made, &made);
  if (result != MPAK_OK) return result;
  made->pack = pack;
  made->allocator = memory;
  made->most_joints = model_most_joints(pack);
  result = character_allocate(&memory, mpak_scratch_bytes(pack), &scratch);
  if (result == MPAK_OK && with_parts) result = model_fill_parts(made, scratch, fault);
  if (result == MPAK_OK) result = model_load_clips(made, scratch, fault);
  character_release(&memory, scratch, mpak_scratch_bytes(pack));
  if (result == MPAK_OK) {
    *model = made;
  } else {
    mpak_model_destroy(made);
  }
  return result;
}

mpak_result mpak_model_create(const mpak_pack *pack, const mpak_allocator *allocator, mpak_model **model,
                              mpak_fault *fault) {
  return model_create(pack, allocator, true, model, fault);
}

mpak_result mpak_model_create_without_parts(const mpak_pack *pack, const mpak_allocator *allocator, mpak_model **model,
                                            mpak_fault *fault) {
  return model_create(pack, allocator, false, model, fault);
}

void mpak_model_destroy(mpak_model *model) {
  if (!model) return;
  mpak_allocator memory = model->allocator;
  const mpak_pack *pack = model->pack;
  for (uint32_t p = 0; model->part_memory && p < pack->part_count; ++p) {
    character_release(&memory, model->part_memory[p], mpak_part_bytes(pack, p));
  }
  character_release(&memory, model->clip_memory, mpak_clips_bytes(pack));
  character_release(&memory, model->part_memory, pack->part_count * sizeof *model->part_memory);
  character_release(&memory, model->parts, pack->part_count * sizeof *model->parts);
  character_release(&memory, model, sizeof *model);
}

// -- Character -------------------------------------------------------------------------------------------------------

static uint64_t character_vertex_bytes(const mpak_pack *pack, uint32_t part) {
  return (uint64_t)pack->parts[part].vertex_count * sizeof(mpak_base_vertex);
}

/// Every node starts with a component matrix at rest, also those that no level needs.
static mpak_result character_make_required(mpak_character *character) {
  character->required_lod = MPAK_NONE;
  mpak_pose_compute_components(&character->pose, NULL, 0);
  return character_allocate(&character->allocator,
                            (uint64_t)character->pose.pack->node_count * sizeof *character->required,
                            &character->required);
}

static mpak_result character_make_pose(mpak_character *character) {
  const mpak_pack *pack = character->model->pack;
  uint64_t pose_bytes = mpak_pose_bytes(pack), player_bytes = mpak_animation_player_bytes(pack);
  mpak_result result = character_allocate(&character->allocator, pose_bytes, &character->pose_memory);
  if (result != MPAK_OK) return result;
  result = mpak_pose_init(pack, character->pose_memory, pose_bytes, &character->pose);
  if (result == MPAK_OK) result = character_make_required(character);
  if (result != MPAK_OK) return result;
  result = character_allocate(&character->allocator, player_bytes, &character->player_memory);
  if (result != MPAK_OK) return result;
  return mpak_animation_player_init(pack, &character->model->clips, character->player_memory, player_bytes,
                                    &character->player);
}

static mpak_result character_make_weights(mpak_character *character) {
  const mpak_pack *pack = character->model->pack;
  uint64_t pose_bytes = mpak_scene_morph_pose_bytes(pack), states_bytes = mpak_morph_states_bytes(pack);
  mpak_result result = character_allocate(&character->allocator, pose_bytes, &character->morph_pose_memory);
  if (result != MPAK_OK) return result;
  result = mpak_scene_morph_pose_init(pack, character->morph_pose_memory, pose_bytes, &character->morph_pose);
  if (result != MPAK_OK) return result;
  result = character_allocate(&character->allocator, states_bytes, &character->morph_states_memory);
  if (result != MPAK_OK) return result;
  return mpak_morph_states_init(pack, character->morph_states_memory, states_bytes, &character->morph_states);
}

static mpak_result character_make_output(mpak_character *character, uint32_t index) {
  const mpak_morph_state *state = &character->morph_states.states[index];
  mpak_character_output *output = &character->outputs[index];
  uint64_t byte_count = character_vertex_bytes(character->model->pack, state->part);
  output->instance = state->instance;
  output->part = state->part;
  output->data = &character->model->parts[state->part];
  mpak_result result = character_allocate(&character->allocator, byte_count, &output->moved);
  output->vertices = output->moved;
  if (result != MPAK_OK || state->shape_count == 0) return result;
  return character_allocate(&character->allocator, byte_count, &output->morphed);
}

static mpak_result character_make_outputs(mpak_character *character) {
  uint32_t count = character->morph_states.state_count;
  mpak_result result = character_allocate(
      &character->allocator, (uint64_t)character->model->most_joints * sizeof(mpak_matrix), &character->palette);
  if (result != MPAK_OK) return result;
  result = character_allocate(&character->allocator, (uint64_t)count * sizeof *character->outputs, &character->outputs);
  if (result != MPAK_OK || !character->outputs) return result;
  character->output_count = count;
  for (uint32_t i = 0; result == MPAK_OK && i < count; ++i) result = character_make_output(character, i);
  return result;
}

static mpak_result character_create(const mpak_model *model, const mpak_allocator *allocator, bool with_vertices,
                                    mpak_character **character) {
  mpak_allocator memory = character_allocator(allocator);
  mpak_character *made = NULL;
  *character = NULL;
  mpak_result result = character_allocate(&memory, sizeof *made, &made);
  if (result != MPAK_OK) return result;
  made->model = model;
  made->allocator = memory;
  result = character_make_pose(made);
  if (result == MPAK_OK) result = character_make_weights(made);
  if (result == MPAK_OK && with_vertices) result = character_make_outputs(made);
  if (result != MPAK_OK) {
    mpak_character_destroy(made);
    return result;
  }
  mpak_character_deform(made);
  *character = made;
  return MPAK_OK;
}

mpak_result mpak_character_create(const mpak_model *model, const mpak_allocator *allocator,
                                  mpak_character **character) {
  return character_create(model, allocator, model->parts != NULL, character);
}

mpak_result mpak_character_create_posed(const mpak_model *model, const mpak_allocator *allocator,
                                        mpak_character **character) {
  return character_create(model, allocator, false, character);
}

void mpak_character_destroy(mpak_character *character) {
  if (!character) return;
  mpak_allocator memory = character->allocator;
  const mpak_model *model = character->model;
  for (uint32_t i = 0; i < character->output_count; ++i) {
    uint64_t byte_count = character_vertex_bytes(model->pack, character->outputs[i].part);
    character_release(&memory, character->outputs[i].morphed, byte_count);
    character_release(&memory, character->outputs[i].moved, byte_count);
  }
  character_release(&memory, character->outputs, (uint64_t)character->output_count * sizeof *character->outputs);
  character_release(&memory, character->palette, (uint64_t)model->most_joints * sizeof(mpak_matrix));
  character_release(&memory, character->morph_states_memory, mpak_morph_states_bytes(model->pack));
  character_release(&memory, character->morph_pose_memory, mpak_scene_morph_pose_bytes(model->pack));
  character_release(&memory, character->player_memory, mpak_animation_player_bytes(model->pack));
  character_release(&memory, character->required, (uint64_t)model->pack->node_count * sizeof *character->required);
  character_release(&memory, character->pose_memory, mpak_pose_bytes(model->pack));
  character_release(&memory, character, sizeof *character);
}

// -- Frames ----------------------------------------------------------------------------------------------------------

void mpak_character_animate(mpak_character *character, double dt_s) {
  mpak_animation_player_advance(&character->player, dt_s, &character->pose, &character->morph_pose);
}

static void character_morph(void *user, const mpak_morph_state *state) {
  mpak_character_output *output = user;
  const mpak_pack *pack = state->pack;
  mpak_morph_vertices(pack, state->part, output->data, state->shape_weights, output->morphed);
}

static bool character_output_is_shown(const mpak_character *character, uint32_t index) {
  const mpak_character_output *output = &character->outputs[index];
  return output->shown_pose_version == character->pose.component_version &&
         output->shown_morph_version == character->morph_states.states[index].version;
}

/// Morphs and moves one output. palette_skin: the skin whose palette is in character->palette.
static void character_deform_output(mpak_character *character, uint32_t index, uint32_t *palette_skin) {
  const mpak_pack *pack = character->model->pack;
  mpak_character_output *output = &character->outputs[index];
  const mpak_instance *instance = &pack->instances[output->instance];
  const mpak_part *part = &pack->parts[output->part];
  mpak_morph_states_flush_one(&character->morph_states, index, character_morph, output);
  const mpak_base_vertex *in = output->morphed ? output->morphed : output->data->base;
  if (instance->skin == MPAK_NONE || part->influence_count == 0) {
    mpak_move_vertices(&character->pose.components[instance->node], part->vertex_count, in, output->moved);
  } else {
    if (*palette_skin != instance->skin) mpak_pose_skin_palette(&character->pose, instance->skin, character->palette);
    *palette_skin = instance->skin;
    mpak_skin_vertices(pack, output->part, output->data, character->palette, in, output->moved);
  }
  output->shown_pose_version = character->pose.component_version;
  output->shown_morph_version = character->morph_states.states[index].version;
  ++character->skinned_count;
}

/// Poses what the level needs. At another level other nodes may be needed, though nothing has moved.
static void character_compute_components(mpak_character *character) {
  mpak_pose *pose = &character->pose;
  if (pose->component_version == pose->version && character->required_lod == character->lod) return;
  if (character->required_lod != character->lod) {
    character->required_count = pose_find_required(pose->pack, character->lod, character->required);
    character->required_lod = character->lod;
  }
  if (character->required_count > 0) mpak_pose_compute_components(pose, character->required, character->required_count);
  pose->component_version = pose->version;
}

void mpak_character_deform(mpak_character *character) {
  uint32_t palette_skin = MPAK_NONE;
  character_compute_components(character);
  mpak_morph_states_apply(&character->morph_states, &character->morph_pose);
  for (uint32_t i = 0; i < character->output_count; ++i) {
    if (!mpak_part_is_shown(character->model->pack, character->outputs[i].part, character->lod)) continue;
    if (!character_output_is_shown(character, i)) character_deform_output(character, i, &palette_skin);
  }
}

void mpak_character_update(mpak_character *character, double dt_s) {
  mpak_character_animate(character, dt_s);
  mpak_character_deform(character);
}
