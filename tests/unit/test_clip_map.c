// Clips of one pack on poses of another: who is who, what is sampled, and the player that plays both kinds.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/reference/mpak_reference.h"
#include "tests/support/mt_pose.h"

enum { HERO_ROOT, HERO_FACE, HERO_HAT, HERO_TAIL };
enum { CLIPS_FACE, CLIPS_WING, CLIPS_ROOT };
enum { CLIP_STEP, CLIP_TALK };

/// The hero: root; face draws a mesh with the controls Smile, Blink, Jaw; hat draws one with the control Tilt; tail at
/// (7, 0, 0). Its own clip "Still": root at (5, 0, 0).
static mt_pose_scene *map_hero(void) {
  const float tail[3] = {7, 0, 0}, time[1] = {0}, still[3] = {5, 0, 0};
  mt_pose_scene *hero = mt_pose_make();
  mt_pose_add_node(hero, "root", MPAK_NONE, NULL, NULL, NULL);
  mt_pose_add_node(hero, "face", HERO_ROOT, NULL, NULL, NULL);
  mt_pose_add_node(hero, "hat", HERO_ROOT, NULL, NULL, NULL);
  mt_pose_add_node(hero, "tail", HERO_ROOT, tail, NULL, NULL);
  mt_pose_add_mesh(hero, "face");
  mt_pose_add_control(hero, "Smile", 0, 0, 1);
  mt_pose_add_control(hero, "Blink", 0.25f, 0, 1);
  mt_pose_add_control(hero, "Jaw", 0, 0, 1);
  mt_pose_add_mesh(hero, "hat");
  mt_pose_add_control(hero, "Tilt", 0, 0, 1);
  mt_pose_add_instance(hero, HERO_FACE, 0, MPAK_NONE);
  mt_pose_add_instance(hero, HERO_HAT, 1, MPAK_NONE);
  mt_pose_add_clip(hero, "Still", 0, 0);
  mt_pose_add_track(hero, HERO_ROOT, MPAK_PATH_TRANSLATION, MPAK_STEP, 1, time, still);
  return hero;
}

/// The clips: nodes in another order, one the hero lacks, controls in another order and one the hero lacks. "Step", 1 s
/// to 3 s: root.x = time, wing.x = 9. "Talk", 0 s to 1 s: Jaw = time, Wink = 1, Smile = 1 - time.
static mt_pose_scene *map_clips(void) {
  const float step_times[2] = {1, 3}, step[6] = {1, 0, 0, 3, 0, 0}, wing[3] = {9, 0, 0};
  const float talk_times[2] = {0, 1}, talk[6] = {0, 1, 1, 1, 1, 0};
  mt_pose_scene *clips = mt_pose_make();
  mt_pose_add_node(clips, "face", MPAK_NONE, NULL, NULL, NULL);
  mt_pose_add_node(clips, "wing", MPAK_NONE, NULL, NULL, NULL);
  mt_pose_add_node(clips, "root", MPAK_NONE, NULL, NULL, NULL);
  mt_pose_add_mesh(clips, "face");
  mt_pose_add_control(clips, "Jaw", 0, 0, 1);
  mt_pose_add_control(clips, "Wink", 0, 0, 1);
  mt_pose_add_control(clips, "Smile", 0, 0, 1);
  mt_pose_add_instance(clips, CLIPS_FACE, 0, MPAK_NONE);
  mt_pose_add_clip(clips, "Step", 1, 3);
  mt_pose_add_track(clips, CLIPS_WING, MPAK_PATH_TRANSLATION, MPAK_STEP, 1, step_times, wing);
  mt_pose_add_track(clips, CLIPS_ROOT, MPAK_PATH_TRANSLATION, MPAK_LINEAR, 2, step_times, step);
  mt_pose_add_clip(clips, "Talk", 0, 1);
  mt_pose_add_track(clips, CLIPS_FACE, MPAK_PATH_WEIGHTS, MPAK_LINEAR, 2, talk_times, talk);
  return clips;
}

typedef struct map_bench {
  mt_pose_scene *hero, *clips;
  mpak_clip_map map;
  mpak_pose pose;
  mpak_scene_morph_pose morph_pose;
  mpak_animation_player player;
  void *memory[4];
} map_bench;

static void map_begin(map_bench *bench) {
  bench->hero = map_hero();
  bench->clips = map_clips();
  const mpak_pack *hero = &bench->hero->pack, *clips = &bench->clips->pack;
  const uint64_t bytes[4] = {mpak_clip_map_bytes(clips, hero), mpak_pose_bytes(hero), mpak_scene_morph_pose_bytes(hero),
                             mpak_animation_player_bytes(hero)};
  for (int i = 0; i < 4; ++i) bench->memory[i] = mt_pose_memory(bytes[i]);
  memset(bench->memory[0], 0xAB, bytes[0]); // whatever stands there
  assert_int_equal(mpak_clip_map_init(clips, &bench->clips->clips, hero, bench->memory[0], bytes[0], &bench->map),
                   MPAK_OK);
  assert_int_equal(mpak_pose_init(hero, bench->memory[1], bytes[1], &bench->pose), MPAK_OK);
  assert_int_equal(mpak_scene_morph_pose_init(hero, bench->memory[2], bytes[2], &bench->morph_pose), MPAK_OK);
  assert_int_equal(mpak_animation_player_init(hero, &bench->hero->clips, bench->memory[3], bytes[3], &bench->player),
                   MPAK_OK);
}

static void map_end(map_bench *bench) {
  for (int i = 0; i < 4; ++i) free(bench->memory[i]);
  free(bench->hero);
  free(bench->clips);
}

static float map_advance(map_bench *bench, double dt_s) {
  mpak_animation_player_advance(&bench->player, dt_s, &bench->pose, &bench->morph_pose);
  return bench->pose.locals[HERO_ROOT].translation[0];
}

static void map_check_weights(const float *weights, float smile, float blink, float jaw) {
  assert_float_equal(weights[0], smile, 1e-6);
  assert_float_equal(weights[1], blink, 1e-6);
  assert_float_equal(weights[2], jaw, 1e-6);
}

static void test_map_finds_nodes_and_controls_and_counts(void **state) {
  (void)state;
  map_bench bench;
  map_begin(&bench);
  const mpak_clip_map *map = &bench.map;
  assert_int_equal(map->node_of[CLIPS_FACE], HERO_FACE);
  assert_int_equal(map->node_of[CLIPS_WING], MPAK_NONE);
  assert_int_equal(map->node_of[CLIPS_ROOT], HERO_ROOT);
  assert_int_equal(map->instance_of[0], 0);
  const uint32_t *controls = map->control_of + map->first_control[0];
  assert_true(controls[0] == 2 && controls[1] == MPAK_NONE && controls[2] == 0);
  assert_int_equal(map->node_count, 2); // wing and root; of the face only weights are animated
  assert_int_equal(map->missing_node_count, 1);
  assert_int_equal(map->control_count, 3);
  assert_int_equal(map->missing_control_count, 1);
  assert_true(map->animates_weights[0] == 1 && map->animates_weights[1] == 0);
  map_end(&bench);
}

static void test_map_refuses_wrong_memory_and_missing_keys(void **state) {
  (void)state;
  map_bench bench;
  map_begin(&bench);
  const mpak_pack *hero = &bench.hero->pack, *clips = &bench.clips->pack;
  const uint64_t bytes = mpak_clip_map_bytes(clips, hero);
  uint8_t *memory = mt_pose_memory(bytes + 16);
  mpak_clip_map map;
  assert_int_equal(mpak_clip_map_init(clips, &bench.clips->clips, hero, memory, bytes - 1, &map),
                   MPAK_ERROR_BUFFER_TOO_SMALL);
  assert_null(map.node_of);
  assert_int_equal(mpak_clip_map_init(clips, &bench.clips->clips, hero, memory + 4, bytes, &map), MPAK_ERROR_ALIGNMENT);
  assert_int_equal(mpak_clip_map_init(clips, NULL, hero, memory, bytes, &map), MPAK_ERROR_ARGUMENT);
  free(memory);
  map_end(&bench);
}

static void test_map_sample_moves_what_it_finds_and_keeps_the_rest(void **state) {
  (void)state;
  map_bench bench;
  map_begin(&bench);
  bench.pose.weights[3] = 0.5f; // the hat's
  const uint64_t version = bench.pose.version;
  mpak_pose_sample_mapped(&bench.pose, &bench.map, CLIP_STEP, 1.5);
  assert_true(bench.pose.version > version);
  assert_float_equal(bench.pose.locals[HERO_ROOT].translation[0], 1.5, 1e-6);
  assert_float_equal(bench.pose.locals[HERO_TAIL].translation[0], 7, 0);
  map_check_weights(bench.pose.weights, 0, 0.25f, 0);
  mpak_pose_sample_mapped(&bench.pose, &bench.map, CLIP_TALK, 0.25);
  map_check_weights(bench.pose.weights, 0.75f, 0.25f, 0.25f);
  assert_float_equal(bench.pose.weights[3], 0.5, 0);
  assert_float_equal(bench.pose.locals[HERO_ROOT].translation[0], 1.5, 1e-6);
  mpak_pose_sample_mapped(&bench.pose, &bench.map, CLIP_STEP, (double)NAN);
  assert_float_equal(bench.pose.locals[HERO_ROOT].translation[0], 1, 0);
  map_end(&bench);
}

/// The reference samples the same through the same map.
static void test_map_reference_agrees(void **state) {
  (void)state;
  map_bench bench;
  map_begin(&bench);
  const mpak_pack *hero = &bench.hero->pack;
  const uint64_t bytes = mpak_ref_pose_bytes(hero);
  void *memory = mt_pose_memory(bytes);
  mpak_ref_pose pose;
  assert_int_equal(mpak_ref_pose_init(hero, memory, bytes, &pose), MPAK_OK);
  const mpak_clip_map *map = &bench.map;
  const mpak_ref_clip_source source = {map->clip_pack,   &map->clips,        map->node_of,
                                       map->instance_of, map->first_control, map->control_of};
  mpak_ref_sample_mapped(&pose, &source, CLIP_STEP, 1.5);
  mpak_ref_sample_mapped(&pose, &source, CLIP_TALK, 0.25);
  MT_POSE_NEAR(pose.translation[HERO_ROOT][0], 1.5, 1e-12);
  MT_POSE_NEAR(pose.translation[HERO_TAIL][0], 7, 0);
  MT_POSE_NEAR(pose.weights[0], 0.75, 1e-12);
  MT_POSE_NEAR(pose.weights[1], 0.25, 0);
  MT_POSE_NEAR(pose.weights[2], 0.25, 1e-12);
  free(memory);
  map_end(&bench);
}

/// A pack played through a map to itself is the pack played.
static void test_map_to_itself_changes_nothing(void **state) {
  (void)state;
  mt_pose_scene *clips = map_clips();
  const mpak_pack *pack = &clips->pack;
  const uint64_t bytes = mpak_clip_map_bytes(pack, pack), pose_bytes = mpak_pose_bytes(pack);
  void *memory[3] = {mt_pose_memory(bytes), mt_pose_memory(pose_bytes), mt_pose_memory(pose_bytes)};
  mpak_clip_map map;
  mpak_pose own, mapped;
  assert_int_equal(mpak_clip_map_init(pack, &clips->clips, pack, memory[0], bytes, &map), MPAK_OK);
  assert_int_equal(map.missing_node_count + map.missing_control_count, 0);
  assert_int_equal(mpak_pose_init(pack, memory[1], pose_bytes, &own), MPAK_OK);
  assert_int_equal(mpak_pose_init(pack, memory[2], pose_bytes, &mapped), MPAK_OK);
  for (uint32_t clip = 0; clip < pack->clip_count; ++clip) {
    mpak_pose_sample(&own, &clips->clips, clip, 1.3);
    mpak_pose_sample_mapped(&mapped, &map, clip, 1.3);
    assert_memory_equal(own.locals, mapped.locals, pack->node_count * sizeof *own.locals);
    assert_memory_equal(own.weights, mapped.weights, 3 * sizeof *own.weights);
  }
  for (int i = 0; i < 3; ++i) free(memory[i]);
  free(clips);
}

/// Weights of a node whose counterpart draws nothing, or nothing of that name, go nowhere.
static void test_map_weights_without_a_counterpart_go_nowhere(void **state) {
  (void)state;
  mt_pose_scene *clips = map_clips(), *hero = mt_pose_make();
  mt_pose_add_node(hero, "face", MPAK_NONE, NULL, NULL, NULL);
  const uint64_t bytes = mpak_clip_map_bytes(&clips->pack, &hero->pack), pose_bytes = mpak_pose_bytes(&hero->pack);
  void *memory[2] = {mt_pose_memory(bytes), mt_pose_memory(pose_bytes)};
  mpak_clip_map map;
  mpak_pose pose;
  assert_int_equal(mpak_clip_map_init(&clips->pack, &clips->clips, &hero->pack, memory[0], bytes, &map), MPAK_OK);
  assert_int_equal(map.missing_node_count, 2);
  assert_int_equal(map.missing_control_count, 3);
  assert_int_equal(mpak_pose_init(&hero->pack, memory[1], pose_bytes, &pose), MPAK_OK);
  for (uint32_t clip = 0; clip < 2; ++clip) mpak_pose_sample_mapped(&pose, &map, clip, 0.5);
  assert_float_equal(pose.locals[0].translation[0], 0, 0);
  for (int i = 0; i < 2; ++i) free(memory[i]);
  free(clips);
  free(hero);
}

// -- The player -------------------------------------------------------------------------------------------------------

static void test_player_plays_clips_of_another_pack(void **state) {
  (void)state;
  map_bench bench;
  map_begin(&bench);
  assert_int_equal(mpak_animation_player_play_mapped(&bench.player, &bench.map, CLIP_STEP, MPAK_PLAY_LOOP), MPAK_OK);
  assert_float_equal(map_advance(&bench, 0), 1, 0); // its own start
  assert_float_equal(map_advance(&bench, 0.5), 1.5, 1e-6);
  assert_float_equal(map_advance(&bench, 2), 1.5, 1e-6); // a loop of 2 s
  assert_false(mpak_animation_player_is_finished(&bench.player));
  mpak_animation_player_seek(&bench.player, 99);
  assert_float_equal(map_advance(&bench, 0), 3, 1e-6);
  mpak_animation_player_play_mapped(&bench.player, &bench.map, CLIP_STEP, MPAK_PLAY_CLAMP);
  assert_float_equal(map_advance(&bench, 9), 3, 1e-6);
  assert_true(mpak_animation_player_is_finished(&bench.player));
  map_end(&bench);
}

static void test_player_writes_weights_of_clips_of_another_pack(void **state) {
  (void)state;
  map_bench bench;
  map_begin(&bench);
  mpak_scene_morph_pose_set_weight(&bench.morph_pose, HERO_HAT, 0, 0.5f);
  mpak_animation_player_play_mapped(&bench.player, &bench.map, CLIP_TALK, MPAK_PLAY_CLAMP);
  map_advance(&bench, 0.25);
  map_check_weights(mpak_scene_morph_pose_weights(&bench.morph_pose, HERO_FACE), 0.75f, 0.25f, 0.25f);
  assert_float_equal(mpak_scene_morph_pose_weights(&bench.morph_pose, HERO_HAT)[0], 0.5, 0); // the game's
  mpak_animation_player_play(&bench.player, 0, MPAK_PLAY_CLAMP); // the face goes back to its defaults
  assert_float_equal(map_advance(&bench, 0), 5, 0);
  map_check_weights(mpak_scene_morph_pose_weights(&bench.morph_pose, HERO_FACE), 0, 0.25f, 0);
  map_end(&bench);
}

static void test_player_fades_between_own_and_other_clips(void **state) {
  (void)state;
  map_bench bench;
  map_begin(&bench);
  mpak_animation_player_play(&bench.player, 0, MPAK_PLAY_CLAMP); // x = 5
  assert_int_equal(mpak_animation_player_cross_fade_mapped(&bench.player, &bench.map, CLIP_STEP, MPAK_PLAY_CLAMP, 1),
                   MPAK_OK);
  assert_float_equal(map_advance(&bench, 0.25), 0.75 * 5 + 0.25 * 1.25, 1e-5);
  assert_float_equal(map_advance(&bench, 0.75), 2, 1e-6);
  mpak_animation_player_cross_fade(&bench.player, 0, MPAK_PLAY_CLAMP, 1); // and back
  assert_float_equal(map_advance(&bench, 0.5), 0.5 * 2.5 + 0.5 * 5, 1e-5);
  assert_float_equal(map_advance(&bench, 0.5), 5, 0);
  map_end(&bench);
}

static void test_player_refuses_maps_to_another_pack_and_unknown_clips(void **state) {
  (void)state;
  map_bench bench, other;
  map_begin(&bench);
  map_begin(&other);
  mpak_animation_player_play(&bench.player, 0, MPAK_PLAY_CLAMP);
  assert_int_equal(mpak_animation_player_play_mapped(&bench.player, &other.map, 0, MPAK_PLAY_LOOP),
                   MPAK_ERROR_ARGUMENT);
  assert_int_equal(mpak_animation_player_play_mapped(&bench.player, &bench.map, 2, MPAK_PLAY_LOOP),
                   MPAK_ERROR_NOT_FOUND);
  assert_int_equal(mpak_animation_player_cross_fade_mapped(&bench.player, &bench.map, 2, MPAK_PLAY_LOOP, 1),
                   MPAK_ERROR_NOT_FOUND);
  assert_int_equal(mpak_animation_player_play(&bench.player, 1, MPAK_PLAY_LOOP), MPAK_ERROR_NOT_FOUND);
  assert_float_equal(map_advance(&bench, 0), 5, 0); // goes on
  assert_int_equal(mpak_animation_player_play_mapped(&bench.player, &bench.map, MPAK_NONE, MPAK_PLAY_LOOP), MPAK_OK);
  assert_float_equal(map_advance(&bench, 0), 0, 0);
  map_end(&bench);
  map_end(&other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_map_finds_nodes_and_controls_and_counts),
      cmocka_unit_test(test_map_refuses_wrong_memory_and_missing_keys),
      cmocka_unit_test(test_map_sample_moves_what_it_finds_and_keeps_the_rest),
      cmocka_unit_test(test_map_reference_agrees),
      cmocka_unit_test(test_map_to_itself_changes_nothing),
      cmocka_unit_test(test_map_weights_without_a_counterpart_go_nowhere),
      cmocka_unit_test(test_player_plays_clips_of_another_pack),
      cmocka_unit_test(test_player_writes_weights_of_clips_of_another_pack),
      cmocka_unit_test(test_player_fades_between_own_and_other_clips),
      cmocka_unit_test(test_player_refuses_maps_to_another_pack_and_unknown_clips),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
