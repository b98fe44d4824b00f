#include "samples/viewer/stage.h"

#include <stdlib.h>
#include <string.h>

#define STAGE_ALIGNMENT 64u

// -- Opening ---------------------------------------------------------------------------------------------------------

stage_bytes stage_copy_bytes(const void *bytes, uint64_t byte_count) {
  stage_bytes out = {.byte_count = byte_count};
  if (byte_count > SIZE_MAX - STAGE_ALIGNMENT) return out;
  out.bytes = aligned_alloc(STAGE_ALIGNMENT, ((size_t)byte_count / STAGE_ALIGNMENT + 1) * STAGE_ALIGNMENT);
  if (out.bytes != NULL && byte_count > 0) memcpy(out.bytes, bytes, (size_t)byte_count);
  return out;
}

static uint32_t stage_weight_count(const mpak_pack *pack) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < pack->instance_count; i++) count += pack->meshes[pack->instances[i].mesh].control_count;
  return count;
}

static mpak_result stage_allot(stage *shown) {
  const mpak_pack *pack = &shown->pack;
  const uint32_t weight_count = stage_weight_count(pack);
  uint32_t most = 0;
  for (uint32_t p = 0; p < pack->part_count; p++)
    if (pack->parts[p].vertex_count > most) most = pack->parts[p].vertex_count;
  shown->given = malloc(((size_t)weight_count + 1) * sizeof *shown->given);
  shown->scratch = malloc(((size_t)most + 1) * sizeof *shown->scratch);
  if (shown->given == NULL || shown->scratch == NULL) return MPAK_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < weight_count; i++) shown->given[i] = NAN;
  return MPAK_OK;
}

mpak_result stage_open(stage *shown, stage_bytes file, mpak_fault *fault) {
  memset(shown, 0, sizeof *shown);
  shown->file = file;
  const mpak_open_options options = {.decoder = mpak_zstd_decoder(), .max_decoded_bytes = (uint64_t)4 << 30};
  mpak_result result = file.bytes == NULL ? MPAK_ERROR_OUT_OF_MEMORY : MPAK_OK;
  if (result == MPAK_OK) result = mpak_open(file.bytes, file.byte_count, &options, &shown->pack, fault);
  if (result == MPAK_OK) result = mpak_model_create(&shown->pack, NULL, &shown->model, fault);
  if (result == MPAK_OK) result = mpak_character_create(shown->model, NULL, &shown->hero);
  if (result == MPAK_OK) result = stage_allot(shown);
  if (result != MPAK_OK) stage_close(shown);
  return result;
}

void stage_close(stage *shown) {
  mpak_character_destroy(shown->hero);
  mpak_model_destroy(shown->model);
  free(shown->given);
  free(shown->scratch);
  free(shown->file.bytes);
  memset(shown, 0, sizeof *shown);
}

// -- Pose ------------------------------------------------------------------------------------------------------------

static uint32_t stage_weight_index(const stage *shown, uint32_t instance, uint32_t control) {
  return shown->hero->morph_pose.first_weight[instance] + control;
}

static void stage_pose_weights(stage *shown, uint32_t instance) {
  const mpak_pack *pack = &shown->pack;
  mpak_pose *pose = &shown->hero->pose;
  const uint32_t count = pack->meshes[pack->instances[instance].mesh].control_count;
  const uint32_t node = pack->instances[instance].node;
  for (uint32_t c = 0; c < count; c++) {
    const float given = shown->given[stage_weight_index(shown, instance, c)];
    if (!isnan(given)) pose->weights[pose->first_weight[instance] + c] = given;
  }
  mpak_scene_morph_pose_set_weights(&shown->hero->morph_pose, node, &pose->weights[pose->first_weight[instance]],
                                    count);
}

void stage_pose(stage *shown) {
  mpak_pose *pose = &shown->hero->pose;
  mpak_pose_rest(pose);
  for (uint32_t i = 0; i < shown->clip_count; i++)
    mpak_pose_sample(pose, &shown->model->clips, shown->clips[i], shown->time_s);
  for (uint32_t i = 0; i < shown->pack.instance_count; i++) stage_pose_weights(shown, i);
  mpak_pose_changed(pose);
  mpak_character_deform(shown->hero);
}

void stage_give_weight(stage *shown, uint32_t instance, uint32_t control, float weight) {
  shown->given[stage_weight_index(shown, instance, control)] = weight;
}

void stage_give_back(stage *shown) {
  const uint32_t count = stage_weight_count(&shown->pack);
  for (uint32_t i = 0; i < count; i++) shown->given[i] = NAN;
}

float stage_weight(const stage *shown, uint32_t instance, uint32_t control) {
  return shown->hero->morph_pose.weights[stage_weight_index(shown, instance, control)];
}

bool stage_is_given(const stage *shown, uint32_t instance, uint32_t control) {
  return !isnan(shown->given[stage_weight_index(shown, instance, control)]);
}

void stage_time_range(const stage *shown, double *start_s, double *end_s) {
  *start_s = *end_s = 0;
  for (uint32_t i = 0; i < shown->clip_count; i++) {
    const mpak_clip *clip = &shown->pack.clips[shown->clips[i]];
    if (i == 0 || (double)clip->start_s < *start_s) *start_s = (double)clip->start_s;
    if (i == 0 || (double)clip->end_s > *end_s) *end_s = (double)clip->end_s;
  }
}

// -- What is shown ---------------------------------------------------------------------------------------------------

bool stage_shows(const stage *shown, uint32_t output) {
  return mpak_part_is_shown(&shown->pack, shown->hero->outputs[output].part, shown->hero->lod);
}

uint32_t stage_lod_count(const stage *shown) {
  uint32_t most = 1;
  for (uint32_t m = 0; m < shown->pack.mesh_count; m++)
    if (shown->pack.meshes[m].lod_count > most) most = shown->pack.meshes[m].lod_count;
  return most;
}

static void stage_add_to_box(const stage *shown, uint32_t output, const view_axes *axes, view_box *box) {
  const mpak_character_output *from = &shown->hero->outputs[output];
  const uint32_t count = shown->pack.parts[from->part].vertex_count;
  for (uint32_t v = 0; v < count; v++) {
    float point[3];
    axes_from_world(axes, from->vertices[v].position, point);
    box_add(box, point);
  }
}

view_box stage_box(const stage *shown, const view_axes *axes) {
  static const view_axes world = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  view_box box = box_empty();
  for (uint32_t i = 0; i < shown->hero->output_count; i++)
    if (stage_shows(shown, i)) stage_add_to_box(shown, i, axes != NULL ? axes : &world, &box);
  return box;
}

float stage_displacements(stage *shown, uint32_t output, float *distances_m) {
  const mpak_pack *pack = &shown->pack;
  mpak_character *hero = shown->hero;
  const mpak_character_output *from = &hero->outputs[output];
  const mpak_instance *instance = &pack->instances[from->instance];
  const mpak_part *part = &pack->parts[from->part];
  float largest = 0;
  if (instance->skin == MPAK_NONE || part->influence_count == 0) {
    mpak_move_vertices(&hero->pose.components[instance->node], part->vertex_count, from->data->base, shown->scratch);
  } else {
    mpak_pose_skin_palette(&hero->pose, instance->skin, hero->palette);
    mpak_skin_vertices(pack, from->part, from->data, hero->palette, from->data->base, shown->scratch);
  }
  for (uint32_t v = 0; v < part->vertex_count; v++) {
    distances_m[v] = vec_distance(from->vertices[v].position, shown->scratch[v].position);
    if (distances_m[v] > largest) largest = distances_m[v];
  }
  return largest;
}

const char *stage_name(const stage *shown, uint32_t name, uint32_t key) {
  const char *text = mpak_string(&shown->pack, name);
  return text[0] != 0 ? text : mpak_string(&shown->pack, key);
}
