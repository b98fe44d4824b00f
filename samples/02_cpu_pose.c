/// 02_cpu_pose: plays the first clip of a pack for one second and prints where its vertices are, all on the CPU.
///
/// usage: 02_cpu_pose PACK
#include <stdio.h>

#include "runtime/mpak_pose.h"
#include "samples/sample_file.h"

/// A box around the vertices of one output.
static void print_output(const mpak_character *hero, const mpak_character_output *output) {
  const mpak_pack *pack = hero->model->pack;
  const mpak_part *part = &pack->parts[output->part];
  float min[3] = {0}, max[3] = {0};
  for (uint32_t v = 0; v < part->vertex_count; ++v) {
    const float *position = output->vertices[v].position;
    for (int i = 0; i < 3; ++i) {
      if (v == 0 || position[i] < min[i]) min[i] = position[i];
      if (v == 0 || position[i] > max[i]) max[i] = position[i];
    }
  }
  printf("  %s: %u vertices in [%.4f %.4f %.4f] to [%.4f %.4f %.4f] m\n",
         mpak_string(pack, pack->meshes[part->mesh].key), part->vertex_count, min[0], min[1], min[2], max[0], max[1],
         max[2]);
}

static void play(mpak_character *hero) {
  const mpak_pack *pack = hero->model->pack;
  if (pack->clip_count > 0) {
    mpak_animation_player_play(&hero->player, 0, MPAK_PLAY_LOOP);
    printf("clip %s\n", mpak_string(pack, pack->clips[0].key));
  }
  for (int frame = 0; frame <= 60; ++frame) {
    mpak_character_update(hero, frame == 0 ? 0 : 1.0 / 60);
    if (frame % 20 != 0) continue;
    printf("after %.3f s:\n", frame / 60.0);
    for (uint32_t i = 0; i < hero->output_count; ++i) print_output(hero, &hero->outputs[i]);
  }
  printf("%llu morphs and %llu skins in 61 frames\n", (unsigned long long)hero->morph_states.counters.dispatches,
         (unsigned long long)hero->skinned_count);
}

static mpak_result run(const mpak_pack *pack) {
  mpak_model *model;
  mpak_character *hero;
  mpak_result result = mpak_model_create(pack, NULL, &model, NULL);
  if (result != MPAK_OK) return result;
  result = mpak_character_create(model, NULL, &hero);
  if (result == MPAK_OK) {
    play(hero);
    mpak_character_destroy(hero);
  }
  mpak_model_destroy(model);
  return result;
}

int main(int argc, char **argv) {
  sample_file file;
  mpak_pack pack;
  if (argc != 2) {
    fprintf(stderr, "usage: 02_cpu_pose PACK\n");
    return 2;
  }
  mpak_open_options options = {.decoder = mpak_zstd_decoder()};
  mpak_result result = sample_file_open(argv[1], &options, &file, NULL);
  if (result == MPAK_OK) result = mpak_open(file.bytes, file.byte_count, &options, &pack, NULL);
  if (result == MPAK_OK) result = run(&pack);
  if (result != MPAK_OK) fprintf(stderr, "%s: %s\n", argv[1], mpak_result_name(result));
  sample_file_close(&file);
  return result == MPAK_OK ? 0 : 1;
}
