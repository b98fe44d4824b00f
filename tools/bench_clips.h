/// bench_clips.h: the clips that the tools measure: files, and synthetic trees; and packs of them. For one .c each.
#ifndef MPAK_BENCH_CLIPS_H
#define MPAK_BENCH_CLIPS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cooker/build/build.h"
#include "cooker/import/import.h"
#include "runtime/mpak_pose.h"

/// Published figures; 0: none.
typedef struct bench_peer {
  double ozz_forward, ozz_random, ozz_instances, ozz_all, ozz_bytes, ozz_zstd, ozz_mm;
  double acl_forward, acl_random, acl_all, acl_bytes, acl_zstd, acl_mm;
} bench_peer;

typedef struct bench_case {
  const char *name, *file;
  const char *clip;     ///< NULL: all clips with more than one sample
  uint32_t joint_count; ///< synthetic
  bool is_full;
  uint32_t length_s; ///< synthetic: 0 is 10 s at 30 Hz; more walks a metre a second
  uint32_t rate_hz;  ///< of that
  bench_peer peer;
} bench_case;

static const bench_case bench_cases[] = {
    {"CesiumMan",
     "khronos/CesiumMan.glb",
     NULL,
     0,
     false,
     0,
     0,
     {11.4, 53, 0, 32.7, 7066, 4909, 2.03, 20.2, 20.3, 0, 5066, 4968, 0.31}},
    {"Barbarian, all",
     "characters/Barbarian.glb",
     NULL,
     0,
     false,
     0,
     0,
     {0, 0, 0, 0, 563355, 290247, 2.57, 0, 0, 0, 423564, 376855, 0.45}},
    {"- Walking_A",
     "characters/Barbarian.glb",
     "Walking_A",
     0,
     false,
     0,
     0,
     {11.5, 47, 0, 32.7, 8878, 3834, 2.35, 13.7, 14.1, 0, 5959, 5417, 0.30}},
    {"robot, all",
     "characters/robot.glb",
     NULL,
     0,
     false,
     0,
     0,
     {0, 0, 0, 0, 60778, 24460, 21.6, 0, 0, 0, 38869, 34303, 0.34}},
    {"- Jump", "characters/robot.glb", "Jump", 0, false, 0, 0, {0, 0, 0, 0, 0, 0, 21.6, 0, 0, 0, 0, 0, 0}},
    {"- Dance",
     "characters/robot.glb",
     "Dance",
     0,
     false,
     0,
     0,
     {3.6, 22, 0, 16.7, 4906, 2106, 2.26, 6.9, 7.0, 0, 3331, 2795, 0.29}},
    {"run",
     "characters/run.glb",
     NULL,
     0,
     false,
     0,
     0,
     {7.5, 24, 0, 24.3, 8175, 3603, 1.87, 10.0, 9.9, 0, 4741, 4507, 0.36}},
    {"synth 60",
     NULL,
     NULL,
     60,
     false,
     0,
     0,
     {10.5, 398, 12.4, 30.4, 192998, 118892, 2.81, 19.5, 19.6, 0, 98545, 98132, 0.34}},
    {"synth 150",
     NULL,
     NULL,
     150,
     false,
     0,
     0,
     {10.1, 356, 13.1, 31.7, 461888, 284532, 2.88, 18.9, 18.9, 0, 228887, 228373, 0.42}},
    {"synth 500",
     NULL,
     NULL,
     500,
     false,
     0,
     0,
     {10.7, 366, 0, 32.3, 1502588, 932772, 2.68, 18.8, 18.9, 0, 724867, 723178, 0.44}},
    {"synth 150 full",
     NULL,
     NULL,
     150,
     true,
     0,
     0,
     {18.1, 1124, 21.5, 48.3, 1044168, 543025, 4.20, 39.3, 39.5, 0, 640055, 620822, 0.32}},
    {"- ten minutes", NULL, NULL, 20, false, 600, 32, {.ozz_forward = 0}},
    // key times are multiples of 1/30 s as float: 0.03 ms off at the end, and what moves fast stays keys
    {"- at 30 Hz", NULL, NULL, 20, false, 600, 30, {.ozz_forward = 0}},
};
#define BENCH_CASE_COUNT (sizeof bench_cases / sizeof bench_cases[0])

// -- Synthetic trees -------------------------------------------------------------------------------------------------

static uint64_t bench_random_state;

static double bench_random(void) {
  bench_random_state = bench_random_state * 6364136223846793005u + 1442695040888963407u;
  return (double)(bench_random_state >> 11) / 9007199254740992.0;
}

/// Four sines of 0.2 to 2.5 Hz.
typedef struct bench_wave {
  double size[4], hertz[4], phase[4];
} bench_wave;

static bench_wave bench_wave_make(double size) {
  bench_wave wave;
  for (int i = 0; i < 4; i++) {
    wave.size[i] = size * (0.25 + 0.75 * bench_random());
    wave.hertz[i] = 0.2 + 2.3 * bench_random();
    wave.phase[i] = 6.283185307179586 * bench_random();
  }
  return wave;
}

static double bench_wave_at(const bench_wave *wave, double time_s) {
  double sum = 0;
  for (int i = 0; i < 4; i++) sum += wave->size[i] * sin(6.283185307179586 * wave->hertz[i] * time_s + wave->phase[i]);
  return sum;
}

#define BENCH_USUAL_LENGTH_S 10u
#define BENCH_USUAL_RATE_HZ  30u

static void bench_fill_track(cook_job *job, cook_track *track, uint32_t node, mpak_track_path path, const float *rest,
                             double size, const bench_case *which) {
  const uint32_t rate_hz = which->length_s ? which->rate_hz : BENCH_USUAL_RATE_HZ;
  const uint32_t keys = (which->length_s ? which->length_s : BENCH_USUAL_LENGTH_S) * rate_hz + 1;
  bench_wave waves[3];
  for (int i = 0; i < 3; i++) waves[i] = bench_wave_make(size);
  *track = (cook_track){node, path, MPAK_LINEAR, path == MPAK_PATH_ROTATION ? 4 : 3, keys, NULL, 0, NULL};
  track->times = JOB_ARRAY(job, float, keys);
  track->value_count = (uint64_t)keys * track->width;
  track->values = JOB_ARRAY(job, float, track->value_count);
  for (uint32_t k = 0; k < keys; k++) {
    const double time_s = (double)k / rate_hz;
    float *value = track->values + (size_t)k * track->width;
    double v[3];
    track->times[k] = (float)time_s;
    for (int i = 0; i < 3; i++) v[i] = bench_wave_at(&waves[i], time_s);
    for (int i = 0; i < 3 && path != MPAK_PATH_ROTATION; i++) value[i] = rest[i] + (float)v[i];
    if (path == MPAK_PATH_TRANSLATION && node == 0 && which->length_s > 0) value[0] += (float)time_s;
    if (path != MPAK_PATH_ROTATION) continue;
    const double angle = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + 1e-12;
    for (int i = 0; i < 3; i++) value[i] = (float)(v[i] / angle * sin(angle / 2));
    value[3] = (float)cos(angle / 2);
  }
}

static cook_scene *bench_tree(cook_job *job, const bench_case *which) {
  const uint32_t joint_count = which->joint_count, length_s = which->length_s ? which->length_s : BENCH_USUAL_LENGTH_S;
  const bool is_full = which->is_full;
  const double spread_m = which->length_s > 0 ? 1 : 0.3; // of a bone
  cook_scene *scene = JOB_ARRAY(job, cook_scene, 1);
  uint32_t *depths = JOB_ARRAY(job, uint32_t, joint_count);
  bench_random_state = joint_count * 2 + is_full;
  *scene = (cook_scene){.source_kind = COOK_SOURCE_GLTF, .generator = "bench", .node_count = joint_count};
  scene->nodes = JOB_ARRAY(job, cook_node, joint_count);
  scene->clip_count = 1;
  scene->clips = JOB_ARRAY(job, cook_clip, 1);
  cook_clip *clip = scene->clips;
  *clip = (cook_clip){.name = "synthetic", .end_s = (float)length_s};
  clip->tracks = JOB_ARRAY(job, cook_track, 3 * (uint64_t)joint_count);
  for (uint32_t n = 0; n < joint_count; n++) {
    uint32_t parent = MPAK_NONE;
    while (n > 0 && (parent == MPAK_NONE || depths[parent] >= 12)) parent = (uint32_t)(bench_random() * n);
    if (n > 0) depths[n] = depths[parent] + 1;
    cook_node *node = &scene->nodes[n];
    *node = (cook_node){.name = job_format(job, "joint %u", n), .parent = parent, .source_index = n, .is_cooked = true};
    node->mesh = node->skin = MPAK_NONE;
    node->rotation[3] = node->scale[0] = node->scale[1] = node->scale[2] = 1;
    for (int i = 0; i < 3 && n > 0; i++) node->translation[i] = (float)(spread_m * (bench_random() - 0.5));
    const bool moves = is_full || n == 0 || n % 10 == 0;
    if (moves)
      bench_fill_track(job, &clip->tracks[clip->track_count++], n, MPAK_PATH_TRANSLATION, node->translation, 0.02,
                       which);
    bench_fill_track(job, &clip->tracks[clip->track_count++], n, MPAK_PATH_ROTATION, NULL, 0.15, which);
    if (is_full)
      bench_fill_track(job, &clip->tracks[clip->track_count++], n, MPAK_PATH_SCALE, node->scale, 0.02, which);
  }
  clip->source_node_tracks = clip->track_count;
  return scene;
}

// -- Packs -----------------------------------------------------------------------------------------------------------

typedef struct bench_pack {
  cook_job *job;
  const bench_case *which;
  const char *folder;
  double error_m; ///< 0: lossless
  bool clips_only;
  void (*change)(cook_job *job, cook_scene *scene, void *user); ///< before it is cooked; or NULL
  void *user;
  cook_product product;
  mpak_pack pack;
  mpak_clips clips;
  double cook_s;
} bench_pack;

static bool bench_is_wanted(const bench_case *which, const cook_clip *clip) {
  return which->clip != NULL ? strstr(clip->name, which->clip) != NULL : clip->end_s > clip->start_s;
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void bench_cook(cook_job *job, void *user) {
  bench_pack *bench = user;
  cook_options options = {.compress = COOK_COMPRESS_SIZE, .in_process = true, .clips_only = true};
  uint64_t unused = 0;
  cook_scene *scene;
  if (bench->error_m > 0) {
    options.quality = COOK_QUALITY_DEFAULT;
    options.animation_error_m = bench->error_m;
  }
  if (bench->which->file) {
    const char *path = job_format(job, "%s/%s", bench->folder, bench->which->file);
    options.clips_only = bench->clips_only;
    scene = import_source(job, path, &options, &unused);
    uint32_t kept = 0;
    for (uint32_t c = 0; c < scene->clip_count; c++)
      if (bench_is_wanted(bench->which, &scene->clips[c])) scene->clips[kept++] = scene->clips[c];
    scene->clip_count = kept;
  } else {
    scene = bench_tree(job, bench->which);
  }
  if (bench->change != NULL) bench->change(job, scene, bench->user);
  const double start_s = seconds_now();
  cook_scene_to_pack(job, scene, &options, &bench->product);
  bench->cook_s = seconds_now() - start_s;
}

static void *bench_memory(uint64_t bytes) {
  void *memory = aligned_alloc(64, (size_t)((bytes + 127) & ~UINT64_C(63)));
  if (!memory) exit(6);
  return memory;
}

/// Opens what was cooked.
static void bench_load(bench_pack *bench) {
  const mpak_open_options options = {.decoder = mpak_zstd_decoder(), .max_decoded_bytes = UINT64_C(1) << 34};
  if (mpak_open(bench->product.bytes, bench->product.byte_count, &options, &bench->pack, NULL) != MPAK_OK) exit(5);
  const uint64_t bytes = mpak_clips_bytes(&bench->pack), scratch_bytes = mpak_scratch_bytes(&bench->pack);
  void *scratch = bench_memory(scratch_bytes);
  if (mpak_load_clips(&bench->pack, bench_memory(bytes), bytes, scratch, scratch_bytes, &bench->clips, NULL) != MPAK_OK)
    exit(5);
  free(scratch);
}

#endif
