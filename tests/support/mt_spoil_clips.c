#include <math.h>
#include <string.h>

#include "tests/support/mt_scene.h"
#include "tests/support/mt_spoil.h"

// Tracks of clip 0, Idle.
enum { TRACK_TRANSLATION, TRACK_ROTATION, TRACK_SCALE, TRACK_WEIGHTS };

static cook_track *spoil_track(cook_scene *scene, uint32_t track) { return &scene->clips[0].tracks[track]; }
static cook_track *spoil_wave(cook_scene *scene) { return &scene->clips[1].tracks[0]; }

static void spoil_clip_count(cook_job *job, cook_scene *scene) {
  (void)job;
  (void)scene; // the limit is below what the sound scene has
}

static void spoil_clip_without_tracks(cook_job *job, cook_scene *scene) {
  (void)job;
  scene->clips[1].track_count = 0;
}

static void spoil_track_without_keys(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_wave(scene)->key_count = 0;
  spoil_wave(scene)->value_count = 0;
}

static void spoil_key_time_nan(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_track(scene, TRACK_TRANSLATION)->times[2] = NAN;
}

static void spoil_key_times_unsorted(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_track(scene, TRACK_TRANSLATION)->times[2] = 0.25f;
}

static void spoil_key_time_huge(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_track(scene, TRACK_TRANSLATION)->times[2] = 2e9f;
}

static void spoil_key_time_negative(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_track(scene, TRACK_TRANSLATION)->times[0] = -0.5f;
}

static void spoil_key_value_nan(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_track(scene, TRACK_WEIGHTS)->values[6 + 2] = NAN; // the second key's first weight
}

static void spoil_key_value_count(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_track(scene, TRACK_WEIGHTS)->value_count = 15;
}

static void spoil_key_rotation_zero(cook_job *job, cook_scene *scene) {
  (void)job;
  memset(spoil_wave(scene)->values + 8, 0, 4 * sizeof(float));
}

static void spoil_key_rotation_not_unit(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_wave(scene)->values[3] = 4;
}

static void spoil_weights_without_targets(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_track(scene, TRACK_WEIGHTS)->node = MT_HAT;
}

static void spoil_track_repeated(cook_job *job, cook_scene *scene) {
  cook_track *tracks = JOB_ARRAY(job, cook_track, 2);
  tracks[0] = tracks[1] = *spoil_wave(scene);
  scene->clips[1].tracks = tracks;
  scene->clips[1].track_count = 2;
}

static void spoil_key_weight_outside(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_track(scene, TRACK_WEIGHTS)->values[12 + 3] = -1.5f; // the third key's second weight
}

static void spoil_track_on_matrix(cook_job *job, cook_scene *scene) {
  (void)job;
  static const float sheared[12] = {1, 0.5f, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  scene->nodes[MT_HAT].is_matrix = true;
  memcpy(scene->nodes[MT_HAT].matrix, sheared, sizeof sheared);
  spoil_wave(scene)->node = MT_HAT;
}

static void spoil_key_value_huge(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_track(scene, TRACK_TRANSLATION)->values[4] = -1e20f;
}

static void spoil_track_width(cook_job *job, cook_scene *scene) {
  (void)job;
  spoil_track(scene, TRACK_WEIGHTS)->width = 3;
}

static const mt_spoil_case clip_cases[] = {
    {.code = "MPAK-A001",
     .name = "spoil_clip_count",
     .spoil = spoil_clip_count,
     .severity = MPAK_ERROR,
     .exit_code = 6,
     .message = "the file has 2 clips, 1 at most are allowed",
     .where = {.primitive = MPAK_NONE},
     .limits = {.clips = 1}},
    MT_SPOIL("MPAK-A002", spoil_clip_without_tracks, MPAK_INFO, 0, "the clip animates nothing", .primitive = MPAK_NONE,
             .clip = "Wave"),
    MT_SPOIL("MPAK-A003", spoil_track_without_keys, MPAK_ERROR, 1, "the track has no keys", .primitive = MPAK_NONE,
             .node = "Root/Hips", .clip = "Wave", .stream = "rotation"),
    MT_SPOIL("MPAK-A004", spoil_key_time_nan, MPAK_ERROR, 1, "the time of key 2 is not finite: NaN",
             .primitive = MPAK_NONE, .node = "Root/Hips", .clip = "Idle", .stream = "translation", .element = "key",
             .index = 2),
    MT_SPOIL("MPAK-A005", spoil_key_times_unsorted, MPAK_ERROR, 1,
             "the keys are not in order of time: key 2 is at 0.25 s, must be at more than 0.5 s",
             .primitive = MPAK_NONE, .node = "Root/Hips", .clip = "Idle", .stream = "translation", .element = "key",
             .index = 2),
    MT_SPOIL("MPAK-A006", spoil_key_time_huge, MPAK_ERROR, 1, "the time of key 2 is absurdly large: 2e+09 s",
             .primitive = MPAK_NONE, .node = "Root/Hips", .clip = "Idle", .stream = "translation", .element = "key",
             .index = 2),
    MT_SPOIL("MPAK-A007", spoil_key_time_negative, MPAK_WARNING, 0, "the time of key 0 is negative: -0.5 s",
             .primitive = MPAK_NONE, .node = "Root/Hips", .clip = "Idle", .stream = "translation", .element = "key",
             .index = 0),
    MT_SPOIL("MPAK-A008", spoil_key_value_nan, MPAK_ERROR, 1, "the value of key 1 is not finite: NaN",
             .primitive = MPAK_NONE, .node = "Root/Body", .clip = "Idle", .stream = "weights", .element = "key",
             .index = 1),
    MT_SPOIL("MPAK-A009", spoil_key_value_count, MPAK_ERROR, 1, "the track has 15 values where its keys need 18",
             .primitive = MPAK_NONE, .node = "Root/Body", .clip = "Idle", .stream = "weights"),
    MT_SPOIL("MPAK-A010", spoil_key_rotation_zero, MPAK_ERROR, 1,
             "the rotation of key 2 is none: its length is 0, not 1", .primitive = MPAK_NONE, .node = "Root/Hips",
             .clip = "Wave", .stream = "rotation", .element = "key", .index = 2),
    MT_SPOIL("MPAK-A011", spoil_key_rotation_not_unit, MPAK_WARNING, 0,
             "the rotation of key 0 has length 4, not 1; it is taken as the rotation that it points to",
             .primitive = MPAK_NONE, .node = "Root/Hips", .clip = "Wave", .stream = "rotation", .element = "key",
             .index = 0),
    MT_SPOIL("MPAK-A012", spoil_weights_without_targets, MPAK_WARNING, 0,
             "the track animates weights of a node without morph targets; it is left out", .primitive = MPAK_NONE,
             .node = "Root/Hips/Spine/Hat", .clip = "Idle", .stream = "weights"),
    MT_SPOIL("MPAK-A014", spoil_track_repeated, MPAK_ERROR, 1, "the clip animates the same property of the node twice",
             .primitive = MPAK_NONE, .node = "Root/Hips", .clip = "Wave", .stream = "rotation"),
    MT_SPOIL("MPAK-A015", spoil_key_weight_outside, MPAK_INFO, 0, "a weight of key 2 lies outside 0 to 1: -1.5",
             .primitive = MPAK_NONE, .node = "Root/Body", .clip = "Idle", .stream = "weights", .element = "key",
             .index = 2),
    MT_SPOIL("MPAK-A016", spoil_track_on_matrix, MPAK_WARNING, 0,
             "the clip animates a node whose rest transform is sheared; the node keeps its rest transform and does not "
             "move",
             .primitive = MPAK_NONE, .node = "Root/Hips/Spine/Hat", .clip = "Wave", .stream = "rotation"),
    MT_SPOIL("MPAK-A017", spoil_key_value_huge, MPAK_ERROR, 1, "the value of key 1 is absurdly large: -1e+20",
             .primitive = MPAK_NONE, .node = "Root/Hips", .clip = "Idle", .stream = "translation", .element = "key",
             .index = 1),
    MT_SPOIL("MPAK-A018", spoil_track_width, MPAK_ERROR, 1, "the track has 3 values for each key, its property needs 2",
             .primitive = MPAK_NONE, .node = "Root/Body", .clip = "Idle", .stream = "weights"),
};

mt_spoil_list mt_spoil_clips(void) { return (mt_spoil_list){clip_cases, sizeof clip_cases / sizeof clip_cases[0]}; }
