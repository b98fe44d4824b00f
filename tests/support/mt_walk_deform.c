// mt_walk_deform.c: a pack's characters move, on the CPU and in the double-precision reference. See mt_walk.h.
#include <stdlib.h>

#include "format/bytes.h"
#include "runtime/mpak_pose.h"
#include "runtime/reference/mpak_reference.h"
#include "tests/support/mt_walk.h"

/// Characters of packs with more vertices (all instances together) are not made.
#define WALK_MOST_VERTICES 1000000u

static uint64_t deform_vertex_count(const mpak_pack *pack) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < pack->instance_count; i++) {
    const mpak_mesh *mesh = &pack->meshes[pack->instances[i].mesh];
    for (uint32_t p = 0; p < mesh->part_count; p++) sum += pack->parts[mesh->first_part + p].vertex_count;
  }
  return sum;
}

static bool deform_outputs_are_finite(const mpak_character *character) {
  uint32_t wild = 0;
  for (uint32_t o = 0; o < character->output_count; o++) {
    const mpak_character_output *output = &character->outputs[o];
    const mpak_part *part = &character->model->pack->parts[output->part];
    if (part->lod != character->lod) continue;
    const float *floats = output->vertices->position;
    for (uint64_t i = 0; i < 12 * (uint64_t)part->vertex_count; i++) wild |= !bytes_float_is_finite(floats[i]);
  }
  return wild == 0;
}

/// Plays every clip, fades, and puts weights at both ends of their ranges.
static bool deform_character(mpak_character *character) {
  const mpak_pack *pack = character->model->pack;
  bool is_finite = deform_outputs_are_finite(character);
  for (uint32_t clip = 0; clip < pack->clip_count; clip++) {
    mpak_animation_player_cross_fade(&character->player, clip, clip % 2 ? MPAK_PLAY_LOOP : MPAK_PLAY_CLAMP, 0.25);
    for (int frame = 0; frame < 3; frame++) {
      mpak_character_update(character, 0.2 * frame);
      is_finite = is_finite && deform_outputs_are_finite(character);
    }
  }
  for (uint32_t s = 0; s < character->morph_states.state_count; s++) {
    mpak_morph_state *state = &character->morph_states.states[s];
    for (uint32_t c = 0; c < pack->meshes[pack->instances[state->instance].mesh].control_count; c++)
      mpak_morph_state_set_weight(state, c, c % 2 ? -1e30f : 1e30f);
  }
  mpak_character_update(character, 0.1);
  return is_finite && deform_outputs_are_finite(character);
}

/// The reference on all parts of all instances. Doubles may overflow only where single precision did long before.
static void deform_reference(const mpak_pack *pack, const mpak_model *model) {
  uint64_t byte_count = mpak_ref_pose_bytes(pack);
  void *memory = NULL;
  mpak_ref_pose pose;
  if (byte_count > UINT64_C(256) << 20 || posix_memalign(&memory, 16, byte_count ? byte_count : 1)) return;
  if (mpak_ref_pose_init(pack, memory, byte_count, &pose) == MPAK_OK) {
    for (uint32_t clip = 0; clip < pack->clip_count; clip++)
      mpak_ref_sample(&pose, &model->clips, clip, 0.5 * ((double)pack->clips[clip].start_s + pack->clips[clip].end_s));
    mpak_ref_component(&pose);
    for (uint32_t i = 0; i < pack->instance_count; i++) {
      const mpak_mesh *mesh = &pack->meshes[pack->instances[i].mesh];
      for (uint32_t p = mesh->first_part; p < mesh->first_part + mesh->part_count; p++) {
        double(*positions)[3] = calloc(pack->parts[p].vertex_count, sizeof *positions);
        double(*normals)[3] = calloc(pack->parts[p].vertex_count, sizeof *normals);
        double(*tangents)[4] = calloc(pack->parts[p].vertex_count, sizeof *tangents);
        mpak_ref_vertices out = {positions, normals, tangents};
        mpak_ref_deform(&pose, i, p, &model->parts[p], i % 2 == 1, &out);
        free(positions);
        free(normals);
        free(tangents);
      }
    }
  }
  free(memory);
}

/// The pack's clips through a map to itself.
static void deform_mapped(const mpak_pack *pack, const mpak_model *model) {
  uint64_t map_bytes = mpak_clip_map_bytes(pack, pack), pose_bytes = mpak_pose_bytes(pack);
  void *memory[2] = {NULL, NULL};
  mpak_clip_map map;
  mpak_pose pose;
  if (map_bytes > UINT64_C(64) << 20 || pose_bytes > UINT64_C(64) << 20) return;
  if (posix_memalign(&memory[0], 16, map_bytes + 1) == 0 && posix_memalign(&memory[1], 16, pose_bytes + 1) == 0 &&
      mpak_clip_map_init(pack, &model->clips, pack, memory[0], map_bytes, &map) == MPAK_OK &&
      mpak_pose_init(pack, memory[1], pose_bytes, &pose) == MPAK_OK)
    for (uint32_t clip = 0; clip < pack->clip_count; clip++)
      mpak_pose_sample_mapped(&pose, &map, clip, 0.5 * ((double)pack->clips[clip].start_s + pack->clips[clip].end_s));
  for (int i = 0; i < 2; i++) free(memory[i]);
}

bool mt_walk_deform(const mpak_pack *pack) {
  mpak_model *model = NULL;
  mpak_character *character = NULL;
  mpak_fault fault;
  bool is_finite = true;
  if (deform_vertex_count(pack) > WALK_MOST_VERTICES) return true;
  if (mpak_model_create(pack, NULL, &model, &fault) != MPAK_OK) return true;
  if (mpak_character_create(model, NULL, &character) == MPAK_OK) is_finite = deform_character(character);
  deform_reference(pack, model);
  deform_mapped(pack, model);
  mpak_character_destroy(character);
  mpak_model_destroy(model);
  return is_finite;
}
