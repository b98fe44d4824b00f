// mt_gl_case.c: see mt_gl_case.h.
#include "tests/support/mt_gl_case.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/mt_pose.h"

bool mt_gl_case_make(mt_gl_case *made, const char *path, const cook_options *options) {
  cook_job *job = job_begin(NULL, NULL);
  cook_product product = {0};
  const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  const bool is_cooked = mt_cook_file(job, path, options, &product) == 0;
  memset(made, 0, sizeof *made);
  snprintf(made->name, sizeof made->name, "%.60s quality %d layout %d", name, (int)options->quality,
           (int)options->layout);
  if (is_cooked) {
    const mpak_open_options open = {.decoder = mpak_zstd_decoder()};
    made->bytes = aligned_alloc(64, (product.byte_count + 63) & ~(uint64_t)63);
    assert_non_null(made->bytes);
    memcpy(made->bytes, product.bytes, product.byte_count);
    assert_int_equal(mpak_open(made->bytes, product.byte_count, &open, &made->pack, NULL), MPAK_OK);
    assert_int_equal(mpak_model_create(&made->pack, NULL, &made->model, NULL), MPAK_OK);
    assert_int_equal(mpak_character_create(made->model, NULL, &made->hero), MPAK_OK);
  }
  job_end(job);
  return is_cooked;
}

void mt_gl_case_free(mt_gl_case *made) {
  mpak_character_destroy(made->hero);
  mpak_model_destroy(made->model);
  free(made->bytes);
  memset(made, 0, sizeof *made);
}

static void mt_gl_case_set_weights(mt_gl_case *made, float (*weight)(void *user, uint32_t control), void *user) {
  const mpak_pack *pack = &made->pack;
  for (uint32_t i = 0; i < pack->instance_count; ++i) {
    const uint32_t count = pack->meshes[pack->instances[i].mesh].control_count;
    for (uint32_t c = 0; c < count; ++c)
      mpak_scene_morph_pose_set_weight(&made->hero->morph_pose, pack->instances[i].node, c, weight(user, c));
  }
}

static float mt_gl_case_random(void *seed, uint32_t control) {
  const float weight = mt_pose_random(seed, -0.2f, 1);
  return control % 3 == 2 ? 0 : weight;
}

void mt_gl_case_pose(mt_gl_case *made, uint32_t round) {
  const mpak_pack *pack = &made->pack;
  const uint32_t clip = round == 0 || pack->clip_count == 0 ? MPAK_NONE : round % pack->clip_count;
  uint64_t seed = round + 1;
  assert_int_equal(mpak_animation_player_play(&made->hero->player, clip, MPAK_PLAY_CLAMP), MPAK_OK);
  if (clip != MPAK_NONE) {
    const mpak_clip *record = &pack->clips[clip];
    mpak_animation_player_seek(&made->hero->player,
                               record->start_s + (record->end_s - record->start_s) * (double)(round % 6) / 5);
  }
  if (round > 0) mt_gl_case_set_weights(made, mt_gl_case_random, &seed);
  mpak_character_update(made->hero, 0);
}

void mt_gl_case_weigh(mt_gl_case *made, float (*weight)(void *user, uint32_t control), void *user) {
  assert_int_equal(mpak_animation_player_play(&made->hero->player, MPAK_NONE, MPAK_PLAY_CLAMP), MPAK_OK);
  mpak_character_animate(made->hero, 0);
  mt_gl_case_set_weights(made, weight, user);
  mpak_character_deform(made->hero);
}

const mpak_character_output *mt_gl_case_output(const mt_gl_case *made, uint32_t instance, uint32_t part) {
  for (uint32_t i = 0; i < made->hero->output_count; ++i) {
    const mpak_character_output *output = &made->hero->outputs[i];
    if (output->instance == instance && output->part == part) return output;
  }
  return NULL;
}
