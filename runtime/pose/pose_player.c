/// pose_player.c: AnimationPlayer: time, loops and cross-fades.
#include <math.h>

#include "runtime/pose/pose_private.h"

static void player_mark_animated_weights(const mpak_pack *pack, const mpak_clips *clips, uint8_t *animates_weights) {
  for (uint32_t t = 0; t < pack->track_count; ++t) {
    if (pack->tracks[t].path != MPAK_PATH_WEIGHTS) continue;
    uint32_t instance = mpak_find_instance(pack, pack->tracks[t].node);
    if (instance != MPAK_NONE) animates_weights[instance] = 1;
  }
  for (uint32_t c = 0; c < pack->clip_count; ++c) {
    uint32_t count;
    const uint32_t *nodes = pose_block_weight_nodes(pack, clips, &pack->clips[c], &count);
    for (uint32_t i = 0; i < count; ++i) animates_weights[mpak_find_instance(pack, nodes[i])] = 1;
  }
}

static void *player_layout(const mpak_pack *pack, carve *block, uint8_t **animates_weights) {
  uint64_t pose_bytes = mpak_pose_bytes(pack);
  *animates_weights = carve_take(block, pack->instance_count, 1);
  return carve_take(block, 2, pose_bytes);
}

uint64_t mpak_animation_player_bytes(const mpak_pack *pack) {
  carve block = {.memory = NULL};
  uint8_t *unused;
  player_layout(pack, &block, &unused);
  return block.used;
}

mpak_result mpak_animation_player_init(const mpak_pack *pack, const mpak_clips *clips, void *memory,
                                       uint64_t memory_bytes, mpak_animation_player *player) {
  *player = (mpak_animation_player){0};
  mpak_result result = pose_check_memory(pack, memory, memory_bytes, mpak_animation_player_bytes(pack));
  if (result != MPAK_OK) return result;
  if (pack->clip_count > 0 && !clips) return MPAK_ERROR_ARGUMENT;
  carve block = {.memory = memory};
  uint64_t pose_bytes = mpak_pose_bytes(pack);
  uint8_t *poses = player_layout(pack, &block, &player->animates_weights);
  mpak_pose_init(pack, poses, pose_bytes, &player->fade_pose);
  mpak_pose_init(pack, poses ? poses + pose_bytes : NULL, pose_bytes, &player->mix_pose);
  player_mark_animated_weights(pack, clips, player->animates_weights);
  player->pack = pack;
  if (clips) player->clips = *clips;
  player->current.clip = player->previous.clip = MPAK_NONE;
  player->speed = 1;
  player->is_stale = true;
  return MPAK_OK;
}

/// The record of a clip that is being played; not for the rest pose.
static const mpak_clip *player_clip_of(const mpak_animation_player *player, const mpak_playback *playback) {
  const mpak_pack *pack = playback->map ? playback->map->clip_pack : player->pack;
  return &pack->clips[playback->clip];
}

// -- Time ------------------------------------------------------------------------------------------------------------

static double player_clamp_time(const mpak_clip *clip, double time_s) {
  if (!(time_s > clip->start_s)) return clip->start_s;
  return time_s < clip->end_s ? time_s : clip->end_s;
}

/// time_s moved into [start_s, end_s) by whole rounds.
static double player_wrap_time(const mpak_clip *clip, double time_s) {
  double duration_s = (double)clip->end_s - clip->start_s;
  if (!(duration_s > 0)) return clip->start_s;
  double into_s = time_s - clip->start_s;
  into_s -= floor(into_s / duration_s) * duration_s;
  // rounding may leave it a hair outside
  return into_s >= 0 && into_s < duration_s ? clip->start_s + into_s : clip->start_s;
}

static void player_move_playback(const mpak_animation_player *player, mpak_playback *playback, double dt_s) {
  if (playback->clip == MPAK_NONE || dt_s == 0) return; // a loop that was sought to its end stays there until it moves
  const mpak_clip *clip = player_clip_of(player, playback);
  double time_s = playback->time_s + dt_s;
  playback->time_s =
      playback->mode == MPAK_PLAY_LOOP ? player_wrap_time(clip, time_s) : player_clamp_time(clip, time_s);
}

/// True if anything moved.
static bool player_move(mpak_animation_player *player, double dt_s) {
  double step_s = dt_s * player->speed;
  bool is_finite = step_s - step_s == 0;
  double old_current_s = player->current.time_s, old_previous_s = player->previous.time_s;
  bool was_fading = player->fade_duration_s > 0;
  if (!is_finite) return false;
  player_move_playback(player, &player->current, step_s);
  if (was_fading) {
    player_move_playback(player, &player->previous, step_s);
    // a fade is the game's time, not the clip's: speed does not change it, and it never goes back
    player->fade_elapsed_s += dt_s > 0 ? dt_s : 0;
    if (player->fade_elapsed_s >= player->fade_duration_s) player->fade_duration_s = 0;
  }
  return player->current.time_s != old_current_s ||
         (was_fading && (dt_s > 0 || player->previous.time_s != old_previous_s));
}

// -- Poses -----------------------------------------------------------------------------------------------------------

static void player_show(const mpak_animation_player *player, const mpak_playback *playback, mpak_pose *pose) {
  mpak_pose_rest(pose);
  if (playback->clip == MPAK_NONE) return;
  if (playback->map) {
    mpak_pose_sample_mapped(pose, playback->map, playback->clip, playback->time_s);
  } else {
    mpak_pose_sample(pose, &player->clips, playback->clip, playback->time_s);
  }
}

/// Writes what the player shows now. out may be fade_pose.
static void player_evaluate(mpak_animation_player *player, mpak_pose *out) {
  if (!(player->fade_duration_s > 0)) {
    player_show(player, &player->current, out);
    return;
  }
  player_show(player, &player->current, &player->mix_pose);
  if (!player->is_previous_frozen) player_show(player, &player->previous, &player->fade_pose);
  float alpha = (float)(player->fade_elapsed_s / player->fade_duration_s);
  mpak_pose_blend(&player->fade_pose, &player->mix_pose, alpha, out);
}

static void player_write_weights(const mpak_animation_player *player, const mpak_pose *pose,
                                 mpak_scene_morph_pose *morph_pose) {
  for (uint32_t i = 0; i < player->pack->instance_count; ++i) {
    if (!player->animates_weights[i]) continue;
    mpak_scene_morph_pose_set_weights(morph_pose, player->pack->instances[i].node,
                                      pose->weights + pose->first_weight[i],
                                      pose_mesh_of(player->pack, i)->control_count);
  }
}

// -- Control ---------------------------------------------------------------------------------------------------------

/// The weights that clips of a map animate are the player's from now on.
static void player_adopt_weights(mpak_animation_player *player, const mpak_clip_map *map) {
  for (uint32_t i = 0; i < player->pack->instance_count; ++i) player->animates_weights[i] |= map->animates_weights[i];
}

static void player_start(mpak_animation_player *player, const mpak_clip_map *map, uint32_t clip, mpak_play_mode mode) {
  player->current = (mpak_playback){.clip = clip, .map = map, .mode = mode};
  if (clip != MPAK_NONE) player->current.time_s = player_clip_of(player, &player->current)->start_s;
  if (map) player_adopt_weights(player, map);
  player->is_stale = true;
}

static mpak_result player_check(const mpak_animation_player *player, const mpak_clip_map *map, uint32_t clip) {
  if (map && map->pack != player->pack) return MPAK_ERROR_ARGUMENT;
  uint32_t clip_count = map ? map->clip_pack->clip_count : player->pack->clip_count;
  return clip == MPAK_NONE || clip < clip_count ? MPAK_OK : MPAK_ERROR_NOT_FOUND;
}

mpak_result mpak_animation_player_play_mapped(mpak_animation_player *player, const mpak_clip_map *map, uint32_t clip,
                                              mpak_play_mode mode) {
  mpak_result result = player_check(player, map, clip);
  if (result != MPAK_OK) return result;
  player->fade_duration_s = 0;
  player_start(player, map, clip, mode);
  return MPAK_OK;
}

mpak_result mpak_animation_player_cross_fade_mapped(mpak_animation_player *player, const mpak_clip_map *map,
                                                    uint32_t clip, mpak_play_mode mode, double duration_s) {
  if (!(duration_s > 0)) return mpak_animation_player_play_mapped(player, map, clip, mode);
  mpak_result result = player_check(player, map, clip);
  if (result != MPAK_OK) return result;
  bool was_fading = player->fade_duration_s > 0;
  if (was_fading) player_evaluate(player, &player->fade_pose);
  player->is_previous_frozen = was_fading;
  player->previous = player->current;
  player->fade_duration_s = duration_s;
  player->fade_elapsed_s = 0;
  player_start(player, map, clip, mode);
  return MPAK_OK;
}

mpak_result mpak_animation_player_play(mpak_animation_player *player, uint32_t clip, mpak_play_mode mode) {
  return mpak_animation_player_play_mapped(player, NULL, clip, mode);
}

mpak_result mpak_animation_player_cross_fade(mpak_animation_player *player, uint32_t clip, mpak_play_mode mode,
                                             double duration_s) {
  return mpak_animation_player_cross_fade_mapped(player, NULL, clip, mode, duration_s);
}

void mpak_animation_player_seek(mpak_animation_player *player, double time_s) {
  if (player->current.clip == MPAK_NONE) return;
  player->current.time_s = player_clamp_time(player_clip_of(player, &player->current), time_s);
  player->is_stale = true;
}

mpak_result mpak_animation_player_set_speed(mpak_animation_player *player, float speed) {
  if (!bytes_float_is_finite(speed)) return MPAK_ERROR_ARGUMENT;
  player->speed = speed;
  return MPAK_OK;
}

void mpak_animation_player_advance(mpak_animation_player *player, double dt_s, mpak_pose *pose,
                                   mpak_scene_morph_pose *morph_pose) {
  player->is_stale |= player_move(player, dt_s);
  uint64_t morph_version = morph_pose ? morph_pose->version : 0;
  bool is_shown = player->written_version == pose->version && player->written_morph_version == morph_version;
  if (!player->is_stale && is_shown) return;
  player_evaluate(player, pose);
  if (morph_pose) player_write_weights(player, pose, morph_pose);
  player->is_stale = false;
  player->written_version = pose->version;
  player->written_morph_version = morph_pose ? morph_pose->version : 0;
}

bool mpak_animation_player_is_finished(const mpak_animation_player *player) {
  if (player->current.clip == MPAK_NONE) return true;
  if (player->current.mode == MPAK_PLAY_LOOP) return false;
  const mpak_clip *clip = player_clip_of(player, &player->current);
  double last_s = player->speed < 0 ? clip->start_s : clip->end_s;
  return player->current.time_s == last_s;
}
