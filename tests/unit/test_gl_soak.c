// A game that never ends: characters of several packs come, play, fade, get random weights, hide, change their level,
// and go; contexts are lost. Memory and GL objects do not grow. MPAK_GL_FRAMES: how many frames (3,000; `make soak`:
// 100,000).
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/gl/gl_private.h"
#include "tests/support/mt_gl_case.h"
#include "tests/support/mt_gl_draw.h"
#include "tests/support/mt_pose.h"

#define SOAK_CASES       3u
#define SOAK_CROWDS      4u
#define SOAK_INDIVIDUALS 5u
#define SOAK_MOST_ITEMS  64u

/// A crowd and the characters that it shows.
typedef struct soak_crowd {
  uint32_t source; ///< of the cases
  mpak_gl_crowd *crowd;
  mpak_character *heroes[SOAK_INDIVIDUALS];
} soak_crowd;

typedef struct soak_game {
  mt_gl_case cases[SOAK_CASES];
  mt_memory memory;
  mpak_allocator allocator;
  mpak_gl *gl;
  mpak_gl_model *models[SOAK_CASES];
  soak_crowd crowds[SOAK_CROWDS];
  uint64_t seed;
  uint64_t made, gone, lost; ///< characters, contexts
  int64_t most_held;
  uint64_t most_bytes;
  uint32_t most_objects;
} soak_game;

static uint32_t soak_number(soak_game *game, uint32_t count) {
  return (uint32_t)mt_pose_random(&game->seed, 0, (float)count) % count;
}

// -- Coming and going ------------------------------------------------------------------------------------------------

static void soak_make_hero(soak_game *game, soak_crowd *crowd, uint32_t i) {
  const mpak_model *model = game->cases[crowd->source].model;
  assert_int_equal(mpak_character_create_posed(model, &game->allocator, &crowd->heroes[i]), MPAK_OK);
  ++game->made;
}

static void soak_end_hero(soak_game *game, soak_crowd *crowd, uint32_t i) {
  mpak_gl_crowd_hide(crowd->crowd, i);
  mpak_character_destroy(crowd->heroes[i]);
  crowd->heroes[i] = NULL;
  ++game->gone;
}

static void soak_end_crowd(soak_game *game, soak_crowd *crowd) {
  for (uint32_t i = 0; i < SOAK_INDIVIDUALS; ++i)
    if (crowd->heroes[i]) soak_end_hero(game, crowd, i);
  mpak_gl_crowd_destroy(crowd->crowd);
  crowd->crowd = NULL;
}

static void soak_make_crowd(soak_game *game, soak_crowd *crowd) {
  const mpak_gl_crowd_options options = {.output = (mpak_gl_output_format)soak_number(game, 3),
                                         .keep_previous = soak_number(game, 2) == 0};
  crowd->source = soak_number(game, SOAK_CASES);
  assert_int_equal(mpak_gl_crowd_create(game->models[crowd->source], SOAK_INDIVIDUALS, &options, &crowd->crowd),
                   MPAK_OK);
}

static void soak_make_models(soak_game *game) {
  for (uint32_t c = 0; c < SOAK_CASES; ++c) {
    const mpak_gl_model_options options = {.decoded = c == 0 ? game->cases[c].model : NULL};
    assert_int_equal(mpak_gl_model_create(game->gl, &game->cases[c].pack, &options, &game->models[c], NULL), MPAK_OK);
  }
}

// -- A frame ---------------------------------------------------------------------------------------------------------

static void soak_play(soak_game *game, const mpak_pack *pack, mpak_character *hero) {
  const uint32_t clip = soak_number(game, pack->clip_count + 1);
  const mpak_play_mode mode = soak_number(game, 2) ? MPAK_PLAY_LOOP : MPAK_PLAY_CLAMP;
  mpak_animation_player_cross_fade(&hero->player, clip < pack->clip_count ? clip : MPAK_NONE, mode, 0.2);
  for (uint32_t i = 0; i < pack->instance_count; ++i) {
    const uint32_t controls = pack->meshes[pack->instances[i].mesh].control_count;
    for (uint32_t k = 0; k < controls; ++k)
      mpak_scene_morph_pose_set_weight(&hero->morph_pose, pack->instances[i].node, k,
                                       mt_pose_random(&game->seed, -2, 2));
  }
}

static void soak_step_hero(soak_game *game, soak_crowd *crowd, uint32_t i) {
  mpak_character *hero = crowd->heroes[i];
  if (!hero) {
    if (soak_number(game, 10) == 0) soak_make_hero(game, crowd, i);
    return;
  }
  if (soak_number(game, 8) == 0) soak_play(game, hero->model->pack, hero);
  mpak_character_update(hero, soak_number(game, 2) * 0.016);
  if (soak_number(game, 40) == 0)
    mpak_gl_crowd_hide(crowd->crowd, i);
  else
    assert_int_equal(mpak_gl_crowd_show(crowd->crowd, i, &hero->pose, &hero->morph_states, soak_number(game, 50) == 0),
                     MPAK_OK);
  if (soak_number(game, 60) == 0) soak_end_hero(game, crowd, i);
}

static void soak_extract(soak_game *game, soak_crowd *crowd) {
  static mpak_gl_item items[SOAK_MOST_ITEMS];
  (void)game;
  for (uint32_t i = 0; i < SOAK_INDIVIDUALS; ++i) {
    const uint32_t count = mpak_gl_crowd_extract(crowd->crowd, i, items, SOAK_MOST_ITEMS);
    assert_true(crowd->heroes[i] || count == 0);
    for (uint32_t k = 0; k < count; ++k) assert_true(items[k].vertex_array != 0);
  }
}

static void soak_lose_context(soak_game *game) {
  mpak_gl_context_lost(game->gl);
  assert_true(mt_gl_open_again());
  // another device each time: all techniques by turns, palettes as storage and as textures
  game->gl->options.technique = (mpak_gl_technique)((game->lost + 1) % 4);
  game->gl->options.without_vertex_storage = (game->lost / 4) % 2 != 0;
  assert_int_equal(mpak_gl_restore(game->gl), MPAK_OK);
  ++game->lost;
}

static void soak_frame(soak_game *game) {
  for (uint32_t c = 0; c < SOAK_CROWDS; ++c) {
    soak_crowd *crowd = &game->crowds[c];
    if (!crowd->crowd && soak_number(game, 5) == 0) soak_make_crowd(game, crowd);
    if (!crowd->crowd) continue;
    for (uint32_t i = 0; i < SOAK_INDIVIDUALS; ++i) soak_step_hero(game, crowd, i);
    if (mpak_gl_crowd_deform(crowd->crowd) != MPAK_OK) fail_msg("%s", mpak_gl_error_text(game->gl));
  }
  mpak_gl_make_writes_visible(game->gl);
  for (uint32_t c = 0; c < SOAK_CROWDS; ++c) {
    soak_crowd *crowd = &game->crowds[c];
    if (!crowd->crowd) continue;
    soak_extract(game, crowd);
    if (soak_number(game, 300) == 0) soak_end_crowd(game, crowd);
  }
  if (soak_number(game, 2000) == 0) soak_lose_context(game);
}

// -- Accounts --------------------------------------------------------------------------------------------------------

static uint32_t soak_objects(const mpak_gl *gl) {
  const mpak_gl_objects *objects = mpak_gl_device_objects(gl);
  assert_int_equal(objects->buffers, mt_seen.buffers);
  assert_int_equal(objects->vertex_arrays, mt_seen.vertex_arrays);
  assert_int_equal(objects->textures, mt_seen.textures);
  assert_int_equal(objects->programs, mt_seen.programs);
  assert_int_equal(objects->shaders, mt_seen.shaders);
  return objects->buffers + objects->vertex_arrays + objects->textures;
}

static void soak_note(soak_game *game) {
  const uint32_t objects = soak_objects(game->gl);
  const uint64_t bytes = mpak_gl_device_objects(game->gl)->buffer_bytes;
  if (objects > game->most_objects) game->most_objects = objects;
  if (bytes > game->most_bytes) game->most_bytes = bytes;
  if (game->memory.held > game->most_held) game->most_held = game->memory.held;
}

/// What is left when all crowds have ended.
typedef struct soak_level {
  uint32_t objects;
  uint64_t bytes;
  int64_t held; ///< allocations but for programs, of which more and more kinds are known
} soak_level;

/// Ends all crowds: what is left is the models', the same each time; by the first time, each has been decoded that some
/// crowd needed on the CPU.
static void soak_assert_level(soak_game *game, soak_level *level) {
  for (uint32_t c = 0; c < SOAK_CROWDS; ++c)
    if (game->crowds[c].crowd) soak_end_crowd(game, &game->crowds[c]);
  const mpak_gl_objects *objects = mpak_gl_device_objects(game->gl);
  const soak_level now = {soak_objects(game->gl), objects->buffer_bytes,
                          game->memory.held - (int64_t)objects->programs};
  if (level->objects == 0) *level = now;
  assert_int_equal(now.objects, level->objects);
  assert_int_equal(now.bytes, level->bytes);
  assert_int_equal(now.held, level->held);
}

static void test_gl_soak(void **state) {
  (void)state;
  static const char *const paths[SOAK_CASES] = {"samples/assets/head_parts.glb", "samples/assets/face_anim.glb",
                                                "samples/assets/japanese_names.glb"};
  static soak_game game = {.seed = 21};
  const uint32_t frames = getenv("MPAK_GL_FRAMES") ? (uint32_t)atoi(getenv("MPAK_GL_FRAMES")) : 3000;
  soak_level level = {0};
  for (uint32_t c = 0; c < SOAK_CASES; ++c)
    assert_true(mt_gl_case_make(&game.cases[c], mt_path(paths[c]), &(cook_options){.lods = c == 2 ? 3 : 0}));
  game.allocator = mt_allocator(&game.memory);
  const mpak_gl_options options = {.getproc = mt_gl_getproc, .allocator = &game.allocator};
  assert_int_equal(mpak_gl_create(&options, &game.gl), MPAK_OK);
  soak_make_models(&game);
  for (uint32_t frame = 0; frame < frames; ++frame) {
    soak_frame(&game);
    soak_note(&game);
    if (frame % 1000 == 999) soak_assert_level(&game, &level);
  }
  soak_assert_level(&game, &level);
  assert_int_equal(game.made, game.gone);
  printf("print: %u frames, %llu characters, %llu lost contexts; at most %u GL objects, %llu bytes\n", frames,
         (unsigned long long)game.made, (unsigned long long)game.lost, game.most_objects,
         (unsigned long long)game.most_bytes);
  assert_int_equal(mt_seen.errors, 0);
  for (uint32_t c = 0; c < SOAK_CASES; ++c) mpak_gl_model_destroy(game.models[c]);
  mpak_gl_destroy(game.gl);
  assert_true(game.memory.held == 0);
  for (uint32_t c = 0; c < SOAK_CASES; ++c) mt_gl_case_free(&game.cases[c]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_gl_soak)};
  return mt_gl_open() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
