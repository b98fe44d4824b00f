// AnimationPlayer: loops, clamping, speed, cross-fades, and that standing still writes nothing.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/mt_pose.h"

enum { CLIP_RAMP, CLIP_TALK, CLIP_STILL };

/// Node 0 "root" moves along x; node 1 "face" draws a mesh whose weight "Talk" animates; node 2 "hat" draws one that no
/// clip animates. Clip "Ramp", 1 s to 3 s: x = time. Clip "Talk", 0 s to 1 s: weight = time, x = 10. Clip "Still": one
/// key, x = 20.
typedef struct player_bench {
  mt_pose_scene *scene;
  mpak_pose pose;
  mpak_scene_morph_pose morph_pose;
  mpak_animation_player player;
  void *memory[3];
} player_bench;

static void bench_add_clips(mt_pose_scene *scene) {
  const float ramp_times[2] = {1, 3}, ramp[6] = {1, 0, 0, 3, 0, 0};
  const float talk_times[2] = {0, 1}, talk[2] = {0, 1}, talk_x[6] = {10, 0, 0, 10, 0, 0};
  const float still_time[1] = {0}, still[3] = {20, 0, 0};
  mt_pose_add_clip(scene, "Ramp", 1, 3);
  mt_pose_add_track(scene, 0, MPAK_PATH_TRANSLATION, MPAK_LINEAR, 2, ramp_times, ramp);
  mt_pose_add_clip(scene, "Talk", 0, 1);
  mt_pose_add_track(scene, 0, MPAK_PATH_TRANSLATION, MPAK_LINEAR, 2, talk_times, talk_x);
  mt_pose_add_track(scene, 1, MPAK_PATH_WEIGHTS, MPAK_LINEAR, 2, talk_times, talk);
  mt_pose_add_clip(scene, "Still", 0, 0);
  mt_pose_add_track(scene, 0, MPAK_PATH_TRANSLATION, MPAK_LINEAR, 1, still_time, still);
}

static void bench_begin(player_bench *bench) {
  mt_pose_scene *scene = bench->scene = mt_pose_make();
  mt_pose_add_node(scene, "root", MPAK_NONE, NULL, NULL, NULL);
  mt_pose_add_node(scene, "face", 0, NULL, NULL, NULL);
  mt_pose_add_node(scene, "hat", 0, NULL, NULL, NULL);
  mt_pose_add_mesh(scene, "face");
  mt_pose_add_control(scene, "Talk", 0, 0, 1);
  mt_pose_add_mesh(scene, "hat");
  mt_pose_add_control(scene, "Tilt", 0, 0, 1);
  mt_pose_add_instance(scene, 1, 0, MPAK_NONE);
  mt_pose_add_instance(scene, 2, 1, MPAK_NONE);
  bench_add_clips(scene);
  const mpak_pack *pack = &scene->pack;
  uint64_t pose_bytes = mpak_pose_bytes(pack), morph_bytes = mpak_scene_morph_pose_bytes(pack);
  uint64_t player_bytes = mpak_animation_player_bytes(pack);
  bench->memory[0] = mt_pose_memory(pose_bytes);
  bench->memory[1] = mt_pose_memory(morph_bytes);
  bench->memory[2] = mt_pose_memory(player_bytes);
  assert_int_equal(mpak_pose_init(pack, bench->memory[0], pose_bytes, &bench->pose), MPAK_OK);
  assert_int_equal(mpak_scene_morph_pose_init(pack, bench->memory[1], morph_bytes, &bench->morph_pose), MPAK_OK);
  assert_int_equal(mpak_animation_player_init(pack, &scene->clips, bench->memory[2], player_bytes, &bench->player),
                   MPAK_OK);
}

static void bench_end(player_bench *bench) {
  for (int i = 0; i < 3; ++i) free(bench->memory[i]);
  free(bench->scene);
}

static float advance(player_bench *bench, double dt_s) {
  mpak_animation_player_advance(&bench->player, dt_s, &bench->pose, &bench->morph_pose);
  return bench->pose.locals[0].translation[0];
}

static void test_player_starts_at_rest(void **state) {
  (void)state;
  player_bench bench;
  bench_begin(&bench);
  bench.pose.locals[0].translation[0] = 99;
  assert_float_equal(advance(&bench, 1), 0, 0);
  assert_true(mpak_animation_player_is_finished(&bench.player));
  bench_end(&bench);
}

static void test_player_clamps_at_the_end(void **state) {
  (void)state;
  player_bench bench;
  bench_begin(&bench);
  assert_int_equal(mpak_animation_player_play(&bench.player, CLIP_RAMP, MPAK_PLAY_CLAMP), MPAK_OK);
  assert_float_equal(advance(&bench, 0), 1, 1e-6); // a clip starts at its own start
  assert_float_equal(advance(&bench, 0.5), 1.5, 1e-6);
  assert_false(mpak_animation_player_is_finished(&bench.player));
  assert_float_equal(advance(&bench, 100), 3, 1e-6);
  assert_true(mpak_animation_player_is_finished(&bench.player));
  assert_float_equal(advance(&bench, 1), 3, 1e-6);
  bench_end(&bench);
}

static void test_player_loops(void **state) {
  (void)state;
  player_bench bench;
  bench_begin(&bench);
  mpak_animation_player_play(&bench.player, CLIP_RAMP, MPAK_PLAY_LOOP);
  assert_float_equal(advance(&bench, 1.75), 2.75, 1e-6);
  assert_float_equal(advance(&bench, 0.5), 1.25, 1e-6); // 3.25 is 2 s further than 1.25
  assert_float_equal(advance(&bench, 2000.5), 1.75, 1e-6);
  assert_float_equal(advance(&bench, 1.25), 1, 1e-6); // the end is the start
  assert_false(mpak_animation_player_is_finished(&bench.player));
  for (int i = 0; i < 10000; ++i) { // whatever the rounding, never outside
    float x = advance(&bench, 0.3337);
    assert_true(x >= 1 && x <= 3);
    assert_true(bench.player.current.time_s >= 1 && bench.player.current.time_s < 3);
  }
  bench_end(&bench);
}

static void test_player_plays_backwards(void **state) {
  (void)state;
  player_bench bench;
  bench_begin(&bench);
  mpak_animation_player_play(&bench.player, CLIP_RAMP, MPAK_PLAY_LOOP);
  assert_int_equal(mpak_animation_player_set_speed(&bench.player, -2), MPAK_OK);
  assert_float_equal(advance(&bench, 0.25), 2.5, 1e-6); // 1 - 0.5 is 0.5, a round later 2.5
  mpak_animation_player_play(&bench.player, CLIP_RAMP, MPAK_PLAY_CLAMP);
  mpak_animation_player_seek(&bench.player, 2);
  assert_float_equal(advance(&bench, 0.25), 1.5, 1e-6);
  assert_float_equal(advance(&bench, 10), 1, 1e-6);
  assert_true(mpak_animation_player_is_finished(&bench.player));
  bench_end(&bench);
}

static void test_player_seeks_within_the_clip(void **state) {
  (void)state;
  player_bench bench;
  bench_begin(&bench);
  mpak_animation_player_play(&bench.player, CLIP_RAMP, MPAK_PLAY_LOOP);
  mpak_animation_player_seek(&bench.player, 2.5);
  assert_float_equal(advance(&bench, 0), 2.5, 1e-6);
  mpak_animation_player_seek(&bench.player, 7);
  assert_float_equal(advance(&bench, 0), 3, 1e-6);
  mpak_animation_player_seek(&bench.player, NAN);
  assert_float_equal(advance(&bench, 0), 1, 1e-6);
  bench_end(&bench);
}

static void test_player_survives_clips_without_duration(void **state) {
  (void)state;
  player_bench bench;
  bench_begin(&bench);
  for (int mode = MPAK_PLAY_CLAMP; mode <= MPAK_PLAY_LOOP; ++mode) {
    mpak_animation_player_play(&bench.player, CLIP_STILL, (mpak_play_mode)mode);
    assert_float_equal(advance(&bench, 0), 20, 0);
    assert_float_equal(advance(&bench, 3.5), 20, 0);
    assert_true(bench.player.current.time_s == 0);
  }
  bench_end(&bench);
}

static void test_player_ignores_times_and_speeds_that_are_not_finite(void **state) {
  (void)state;
  player_bench bench;
  bench_begin(&bench);
  mpak_animation_player_play(&bench.player, CLIP_RAMP, MPAK_PLAY_LOOP);
  advance(&bench, 0.5);
  assert_float_equal(advance(&bench, NAN), 1.5, 1e-6);
  assert_float_equal(advance(&bench, INFINITY), 1.5, 1e-6);
  assert_int_equal(mpak_animation_player_set_speed(&bench.player, NAN), MPAK_ERROR_ARGUMENT);
  assert_int_equal(mpak_animation_player_set_speed(&bench.player, INFINITY), MPAK_ERROR_ARGUMENT);
  assert_float_equal(advance(&bench, 0.25), 1.75, 1e-6);
  assert_float_equal(advance(&bench, 1e300) * 0, 0, 0); // finite whatever the step
  bench_end(&bench);
}

static void test_player_refuses_unknown_clips(void **state) {
  (void)state;
  player_bench bench;
  bench_begin(&bench);
  mpak_animation_player_play(&bench.player, CLIP_RAMP, MPAK_PLAY_CLAMP);
  assert_int_equal(mpak_animation_player_play(&bench.player, 3, MPAK_PLAY_LOOP), MPAK_ERROR_NOT_FOUND);
  assert_int_equal(mpak_animation_player_cross_fade(&bench.player, 3, MPAK_PLAY_LOOP, 1), MPAK_ERROR_NOT_FOUND);
  assert_float_equal(advance(&bench, 0.5), 1.5, 1e-6); // goes on
  bench_end(&bench);
}

static void test_cross_fade_begins_with_the_old_and_ends_with_the_new(void **state) {
  (void)state;
  player_bench bench;
  bench_begin(&bench);
  mpak_animation_player_play(&bench.player, CLIP_RAMP, MPAK_PLAY_LOOP);
  advance(&bench, 0.5);
  assert_int_equal(mpak_animation_player_cross_fade(&bench.player, CLIP_TALK, MPAK_PLAY_CLAMP, 1), MPAK_OK);
  assert_float_equal(advance(&bench, 0), 1.5, 1e-6);
  assert_float_equal(bench.morph_pose.weights[0], 0, 0);
  // both move on: after 0.25 s the old one is at 1.75, the new one's weight at 0.25
  assert_float_equal(advance(&bench, 0.25), 0.75 * 1.75 + 0.25 * 10, 1e-5);
  assert_float_equal(bench.morph_pose.weights[0], 0.25 * 0.25, 1e-6);
  assert_float_equal(advance(&bench, 0.5), 0.25 * 2.25 + 0.75 * 10, 1e-5);
  assert_float_equal(advance(&bench, 0.25), 10, 0); // exactly the new one
  assert_float_equal(bench.morph_pose.weights[0], 1, 0);
  assert_true(bench.player.fade_duration_s == 0);
  bench_end(&bench);
}

static void test_cross_fade_without_duration_is_play(void **state) {
  (void)state;
  player_bench bench;
  bench_begin(&bench);
  mpak_animation_player_play(&bench.player, CLIP_RAMP, MPAK_PLAY_LOOP);
  const double durations[3] = {0, -1, NAN};
  for (int i = 0; i < 3; ++i) {
    mpak_animation_player_cross_fade(&bench.player, CLIP_STILL, MPAK_PLAY_CLAMP, durations[i]);
    assert_float_equal(advance(&bench, 0), 20, 0);
  }
  bench_end(&bench);
}

static void test_cross_fade_to_rest(void **state) {
  (void)state;
  player_bench bench;
  bench_begin(&bench);
  mpak_animation_player_play(&bench.player, CLIP_STILL, MPAK_PLAY_CLAMP);
  advance(&bench, 0);
  mpak_animation_player_cross_fade(&bench.player, MPAK_NONE, MPAK_PLAY_CLAMP, 2);
  assert_float_equal(advance(&bench, 0.5), 15, 1e-5);
  assert_float_equal(advance(&bench, 5), 0, 0);
  bench_end(&bench);
}

static void test_interrupted_cross_fade_does_not_jump(void **state) {
  (void)state;
  player_bench bench;
  bench_begin(&bench);
  mpak_animation_player_play(&bench.player, CLIP_STILL, MPAK_PLAY_CLAMP);
  mpak_animation_player_cross_fade(&bench.player, CLIP_TALK, MPAK_PLAY_CLAMP, 1);
  float before = advance(&bench, 0.5); // 0.5 * 20 + 0.5 * 10
  assert_float_equal(before, 15, 1e-5);
  mpak_animation_player_cross_fade(&bench.player, CLIP_RAMP, MPAK_PLAY_CLAMP, 1);
  assert_float_equal(advance(&bench, 0), before, 1e-5);
  assert_float_equal(advance(&bench, 0.5), 0.5 * before + 0.5 * 1.5, 1e-5); // the frozen pose fades out
  before = bench.pose.locals[0].translation[0];
  mpak_animation_player_cross_fade(&bench.player, CLIP_STILL, MPAK_PLAY_CLAMP, 1); // and once more
  assert_float_equal(advance(&bench, 0), before, 1e-5);
  assert_float_equal(advance(&bench, 1), 20, 0);
  bench_end(&bench);
}

static void test_weights_that_no_clip_animates_are_the_games(void **state) {
  (void)state;
  player_bench bench;
  bench_begin(&bench);
  mpak_scene_morph_pose_set_weight(&bench.morph_pose, 2, 0, 0.75f);
  mpak_animation_player_play(&bench.player, CLIP_TALK, MPAK_PLAY_CLAMP);
  advance(&bench, 0.5);
  assert_float_equal(mpak_scene_morph_pose_weights(&bench.morph_pose, 1)[0], 0.5, 1e-6);
  assert_float_equal(mpak_scene_morph_pose_weights(&bench.morph_pose, 2)[0], 0.75, 0);
  mpak_animation_player_play(&bench.player, CLIP_RAMP, MPAK_PLAY_CLAMP);
  advance(&bench, 0.5); // a clip without weights brings the face back to its default
  assert_float_equal(mpak_scene_morph_pose_weights(&bench.morph_pose, 1)[0], 0, 0);
  assert_float_equal(mpak_scene_morph_pose_weights(&bench.morph_pose, 2)[0], 0.75, 0);
  bench_end(&bench);
}

static void test_player_writes_nothing_while_time_stands_still(void **state) {
  (void)state;
  player_bench bench;
  bench_begin(&bench);
  mpak_animation_player_play(&bench.player, CLIP_TALK, MPAK_PLAY_CLAMP);
  advance(&bench, 5); // at its end
  uint64_t version = bench.pose.version, morph_version = bench.morph_pose.version;
  for (int i = 0; i < 100; ++i) advance(&bench, 0.016);
  assert_true(bench.pose.version == version && bench.morph_pose.version == morph_version);
  bench.pose.locals[0].translation[0] = 5; // somebody else writes
  mpak_pose_changed(&bench.pose);
  assert_float_equal(advance(&bench, 0.016), 10, 0);
  bench_end(&bench);
}

static void test_player_works_without_clips_and_without_weights(void **state) {
  (void)state;
  mt_pose_scene *scene = mt_pose_make();
  mt_pose_add_node(scene, "only", MPAK_NONE, NULL, NULL, NULL);
  uint64_t byte_count = mpak_animation_player_bytes(&scene->pack), pose_bytes = mpak_pose_bytes(&scene->pack);
  uint8_t *memory = mt_pose_memory(byte_count), *pose_memory = mt_pose_memory(pose_bytes);
  mpak_animation_player player;
  mpak_pose pose;
  assert_int_equal(mpak_pose_init(&scene->pack, pose_memory, pose_bytes, &pose), MPAK_OK);
  assert_int_equal(mpak_animation_player_init(&scene->pack, NULL, memory, byte_count - 1, &player),
                   MPAK_ERROR_BUFFER_TOO_SMALL);
  assert_int_equal(mpak_animation_player_init(&scene->pack, NULL, memory, byte_count, &player), MPAK_OK);
  mpak_animation_player_advance(&player, 1, &pose, NULL);
  assert_int_equal(mpak_animation_player_play(&player, 0, MPAK_PLAY_LOOP), MPAK_ERROR_NOT_FOUND);
  mt_pose_add_clip(scene, "clip", 0, 0);
  assert_int_equal(mpak_animation_player_init(&scene->pack, NULL, memory, byte_count, &player), MPAK_ERROR_ARGUMENT);
  free(memory);
  free(pose_memory);
  free(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_player_starts_at_rest),
      cmocka_unit_test(test_player_clamps_at_the_end),
      cmocka_unit_test(test_player_loops),
      cmocka_unit_test(test_player_plays_backwards),
      cmocka_unit_test(test_player_seeks_within_the_clip),
      cmocka_unit_test(test_player_survives_clips_without_duration),
      cmocka_unit_test(test_player_ignores_times_and_speeds_that_are_not_finite),
      cmocka_unit_test(test_player_refuses_unknown_clips),
      cmocka_unit_test(test_cross_fade_begins_with_the_old_and_ends_with_the_new),
      cmocka_unit_test(test_cross_fade_without_duration_is_play),
      cmocka_unit_test(test_cross_fade_to_rest),
      cmocka_unit_test(test_interrupted_cross_fade_does_not_jump),
      cmocka_unit_test(test_weights_that_no_clip_animates_are_the_games),
      cmocka_unit_test(test_player_writes_nothing_while_time_stands_still),
      cmocka_unit_test(test_player_works_without_clips_and_without_weights),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
