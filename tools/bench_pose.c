// bench_pose: compressed clips: bytes, error, and nanoseconds a joint, beside what ozz-animation and ACL need.
//
//   bench_pose FOLDER [seconds [case]]   FOLDER has characters/ and khronos/ (files that are missing are left out)
//
// Error: object space, worst joint, a lever of 10 cm both ways along each axis, at the samples of the source's rate and
// half way between them, against the lossless pack in double precision; scaled to joints that span 1.8 m. Joints: those
// of skins, and animated nodes. Times: the least of many batches, warm. The published figures of ozz 0.16.0 and ACL
// (develop after 2.1.0) were measured on the same clips and by the same error, on a machine of this kind; the trees of
// the synthetic ones are drawn anew here, so compare them with care.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cooker/build/build.h"
#include "cooker/import/import.h"
#include "runtime/mpak_pose.h"
#include "runtime/reference/mpak_reference.h"

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
  bench_peer peer;
} bench_case;

static const bench_case bench_cases[] = {
    {"CesiumMan",
     "khronos/CesiumMan.glb",
     NULL,
     0,
     false,
     {11.4, 53, 0, 32.7, 7066, 4909, 2.03, 20.2, 20.3, 0, 5066, 4968, 0.31}},
    {"Barbarian, all",
     "characters/Barbarian.glb",
     NULL,
     0,
     false,
     {0, 0, 0, 0, 563355, 290247, 2.57, 0, 0, 0, 423564, 376855, 0.45}},
    {"- Walking_A",
     "characters/Barbarian.glb",
     "Walking_A",
     0,
     false,
     {11.5, 47, 0, 32.7, 8878, 3834, 2.35, 13.7, 14.1, 0, 5959, 5417, 0.30}},
    {"robot, all",
     "characters/robot.glb",
     NULL,
     0,
     false,
     {0, 0, 0, 0, 60778, 24460, 21.6, 0, 0, 0, 38869, 34303, 0.34}},
    {"- Jump", "characters/robot.glb", "Jump", 0, false, {0, 0, 0, 0, 0, 0, 21.6, 0, 0, 0, 0, 0, 0}},
    {"- Dance",
     "characters/robot.glb",
     "Dance",
     0,
     false,
     {3.6, 22, 0, 16.7, 4906, 2106, 2.26, 6.9, 7.0, 0, 3331, 2795, 0.29}},
    {"run", "characters/run.glb", NULL, 0, false, {7.5, 24, 0, 24.3, 8175, 3603, 1.87, 10.0, 9.9, 0, 4741, 4507, 0.36}},
    {"synth 60",
     NULL,
     NULL,
     60,
     false,
     {10.5, 398, 12.4, 30.4, 192998, 118892, 2.81, 19.5, 19.6, 0, 98545, 98132, 0.34}},
    {"synth 150",
     NULL,
     NULL,
     150,
     false,
     {10.1, 356, 13.1, 31.7, 461888, 284532, 2.88, 18.9, 18.9, 0, 228887, 228373, 0.42}},
    {"synth 500",
     NULL,
     NULL,
     500,
     false,
     {10.7, 366, 0, 32.3, 1502588, 932772, 2.68, 18.8, 18.9, 0, 724867, 723178, 0.44}},
    {"synth 150 full",
     NULL,
     NULL,
     150,
     true,
     {18.1, 1124, 21.5, 48.3, 1044168, 543025, 4.20, 39.3, 39.5, 0, 640055, 620822, 0.32}},
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

#define BENCH_KEYS 301u

static void bench_fill_track(cook_job *job, cook_track *track, uint32_t node, mpak_track_path path, const float *rest,
                             double size) {
  bench_wave waves[3];
  for (int i = 0; i < 3; i++) waves[i] = bench_wave_make(size);
  *track = (cook_track){node, path, MPAK_LINEAR, path == MPAK_PATH_ROTATION ? 4 : 3, BENCH_KEYS, NULL, 0, NULL};
  track->times = JOB_ARRAY(job, float, BENCH_KEYS);
  track->value_count = (uint64_t)BENCH_KEYS * track->width;
  track->values = JOB_ARRAY(job, float, track->value_count);
  for (uint32_t k = 0; k < BENCH_KEYS; k++) {
    const double time_s = k / 30.0;
    float *value = track->values + (size_t)k * track->width;
    double v[3];
    track->times[k] = (float)time_s;
    for (int i = 0; i < 3; i++) v[i] = bench_wave_at(&waves[i], time_s);
    for (int i = 0; i < 3 && path != MPAK_PATH_ROTATION; i++) value[i] = rest[i] + (float)v[i];
    if (path != MPAK_PATH_ROTATION) continue;
    const double angle = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + 1e-12;
    for (int i = 0; i < 3; i++) value[i] = (float)(v[i] / angle * sin(angle / 2));
    value[3] = (float)cos(angle / 2);
  }
}

static cook_scene *bench_tree(cook_job *job, uint32_t joint_count, bool is_full) {
  cook_scene *scene = JOB_ARRAY(job, cook_scene, 1);
  uint32_t *depths = JOB_ARRAY(job, uint32_t, joint_count);
  bench_random_state = joint_count * 2 + is_full;
  *scene = (cook_scene){.source_kind = COOK_SOURCE_GLTF, .generator = "bench", .node_count = joint_count};
  scene->nodes = JOB_ARRAY(job, cook_node, joint_count);
  scene->clip_count = 1;
  scene->clips = JOB_ARRAY(job, cook_clip, 1);
  cook_clip *clip = scene->clips;
  *clip = (cook_clip){.name = "synthetic", .end_s = 10};
  clip->tracks = JOB_ARRAY(job, cook_track, 3 * (uint64_t)joint_count);
  for (uint32_t n = 0; n < joint_count; n++) {
    uint32_t parent = MPAK_NONE;
    while (n > 0 && (parent == MPAK_NONE || depths[parent] >= 12)) parent = (uint32_t)(bench_random() * n);
    if (n > 0) depths[n] = depths[parent] + 1;
    cook_node *node = &scene->nodes[n];
    *node = (cook_node){.name = job_format(job, "joint %u", n), .parent = parent, .source_index = n, .is_cooked = true};
    node->mesh = node->skin = MPAK_NONE;
    node->rotation[3] = node->scale[0] = node->scale[1] = node->scale[2] = 1;
    for (int i = 0; i < 3 && n > 0; i++) node->translation[i] = (float)(0.3 * (bench_random() - 0.5));
    const bool moves = is_full || n == 0 || n % 10 == 0;
    if (moves)
      bench_fill_track(job, &clip->tracks[clip->track_count++], n, MPAK_PATH_TRANSLATION, node->translation, 0.02);
    bench_fill_track(job, &clip->tracks[clip->track_count++], n, MPAK_PATH_ROTATION, NULL, 0.15);
    if (is_full) bench_fill_track(job, &clip->tracks[clip->track_count++], n, MPAK_PATH_SCALE, node->scale, 0.02);
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
    scene = bench_tree(job, bench->which->joint_count, bench->which->is_full);
  }
  const double start_s = seconds_now();
  cook_scene_to_pack(job, scene, &options, &bench->product);
  bench->cook_s = seconds_now() - start_s;
}

static void *bench_memory(uint64_t bytes) {
  void *memory = aligned_alloc(64, (size_t)((bytes + 127) & ~UINT64_C(63)));
  if (!memory) exit(6);
  return memory;
}

/// Cooks and opens a case; false when its file is not there or does not cook.
static bool bench_open(bench_pack *bench, const bench_case *which, const char *folder, double error_m) {
  *bench = (bench_pack){.job = job_begin(NULL, NULL), .which = which, .folder = folder, .error_m = error_m};
  if (!bench->job) exit(6);
  if (!job_run(bench->job, bench_cook, bench)) { // no such file, or its vertices miss their own promise
    *bench = (bench_pack){
        .job = job_begin(NULL, NULL), .which = which, .folder = folder, .error_m = error_m, .clips_only = true};
    if (!bench->job || !job_run(bench->job, bench_cook, bench)) return false;
    printf("%s: its clips alone\n", which->name);
  }
  const mpak_open_options options = {.decoder = mpak_zstd_decoder(), .max_decoded_bytes = UINT64_C(1) << 34};
  if (mpak_open(bench->product.bytes, bench->product.byte_count, &options, &bench->pack, NULL) != MPAK_OK) exit(5);
  const uint64_t bytes = mpak_clips_bytes(&bench->pack), scratch_bytes = mpak_scratch_bytes(&bench->pack);
  void *scratch = bench_memory(scratch_bytes);
  if (mpak_load_clips(&bench->pack, bench_memory(bytes), bytes, scratch, scratch_bytes, &bench->clips, NULL) != MPAK_OK)
    exit(5);
  free(scratch);
  return true;
}

/// Bytes of all clips: as they are read (blocks, keys and track records), or in the file.
static uint64_t bench_bytes(const bench_pack *bench, bool is_stored) {
  static const uint32_t kinds[] = {MPAK_KIND_ANIM, MPAK_KIND_KEYT, MPAK_KIND_KEYV, MPAK_KIND_TRAK};
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < bench->pack.chunk_count; i++) {
    const mpak_chunk_entry *chunk = &bench->pack.chunks[i];
    for (uint32_t k = 0; k < 4; k++) {
      if (chunk->kind != kinds[k] || (k == 0 && !is_stored)) continue;
      bytes += is_stored ? chunk->stored_bytes : chunk->decoded_bytes;
    }
  }
  for (uint32_t c = 0; c < bench->pack.clip_count && !is_stored; c++)
    bytes += 4 * (uint64_t)bench->pack.clips[c].word_count;
  return bytes;
}

// -- Error -----------------------------------------------------------------------------------------------------------

static uint8_t *bench_joints(const mpak_pack *pack, uint32_t *count) {
  uint8_t *is_joint = calloc(pack->node_count ? pack->node_count : 1, 1);
  if (!is_joint) exit(6);
  for (uint32_t j = 0; j < pack->joint_count; j++) is_joint[pack->joints[j].node] = 1;
  for (uint32_t t = 0; t < pack->track_count; t++)
    if (pack->tracks[t].path != MPAK_PATH_WEIGHTS) is_joint[pack->tracks[t].node] = 1;
  *count = 0;
  for (uint32_t n = 0; n < pack->node_count; n++) *count += is_joint[n];
  return is_joint;
}

static double bench_extent(const mpak_ref_pose *rest, const uint8_t *is_joint, uint32_t node_count) {
  double extent = 0;
  for (int axis = 3; axis < 12; axis += 4) {
    double low = INFINITY, high = -INFINITY;
    for (uint32_t n = 0; n < node_count; n++) {
      if (!is_joint[n]) continue;
      low = fmin(low, rest->component[n][axis]);
      high = fmax(high, rest->component[n][axis]);
    }
    extent = fmax(extent, high - low);
  }
  return extent > 0 ? extent : 1.8;
}

static double bench_joint_error(const double truth[12], const float made[12], double scale) {
  double worst = 0;
  for (int axis = 0; axis < 3; axis++) {
    double length = 0;
    for (int r = 0; r < 3; r++) length += truth[4 * r + axis] * truth[4 * r + axis];
    const double lever = length > 0 ? 0.1 / scale / sqrt(length) : 0;
    for (int side = -1; side <= 1; side += 2) {
      double sum = 0;
      for (int r = 0; r < 3; r++) {
        const double d =
            made[4 * r + 3] - truth[4 * r + 3] + side * lever * ((double)made[4 * r + axis] - truth[4 * r + axis]);
        sum += d * d;
      }
      worst = fmax(worst, sqrt(sum) * scale * 1000);
    }
  }
  return worst;
}

/// The most keys of a track of a clip: its samples, for these files.
static uint32_t bench_samples(const mpak_pack *pack, uint32_t clip) {
  uint32_t most = 2;
  for (uint32_t t = 0; t < pack->clips[clip].track_count; t++) {
    const uint32_t count = pack->tracks[pack->clips[clip].first_track + t].key_count;
    if (count > most) most = count;
  }
  return most;
}

static double bench_error_mm(const bench_pack *truth, const bench_pack *made, mpak_pose *pose) {
  mpak_ref_pose ref;
  uint32_t joint_count;
  const uint64_t bytes = mpak_ref_pose_bytes(&truth->pack);
  void *memory = bench_memory(bytes);
  uint8_t *is_joint = bench_joints(&truth->pack, &joint_count);
  if (mpak_ref_pose_init(&truth->pack, memory, bytes, &ref) != MPAK_OK) exit(5);
  mpak_ref_component(&ref);
  const double scale = 1.8 / bench_extent(&ref, is_joint, truth->pack.node_count);
  double worst = 0;
  for (uint32_t c = 0; c < truth->pack.clip_count; c++) {
    const mpak_clip *clip = &truth->pack.clips[c];
    const uint32_t places = 2 * bench_samples(&truth->pack, c) - 1;
    for (uint32_t i = 0; i < places; i++) {
      const double time_s = clip->start_s + ((double)clip->end_s - clip->start_s) * i / (places - 1);
      if (mpak_ref_pose_init(&truth->pack, memory, bytes, &ref) != MPAK_OK) exit(5);
      mpak_ref_sample(&ref, &truth->clips, c, time_s);
      mpak_ref_component(&ref);
      mpak_pose_rest(pose);
      mpak_pose_sample(pose, &made->clips, c, time_s);
      mpak_pose_compute_components(pose, NULL, 0);
      for (uint32_t n = 0; n < truth->pack.node_count; n++) {
        if (is_joint[n]) worst = fmax(worst, bench_joint_error(ref.component[n], pose->components[n].m, scale));
      }
    }
  }
  free(is_joint);
  free(memory);
  return worst;
}

// -- Time ------------------------------------------------------------------------------------------------------------

#define BENCH_INSTANCES 256u
#define BENCH_TIMES     1024u

typedef enum bench_what { BENCH_FORWARD, BENCH_RANDOM, BENCH_INSTANCES_256, BENCH_ALL } bench_what;

typedef struct bench_run {
  const bench_pack *made;
  mpak_pose *poses; ///< BENCH_INSTANCES
  double *times;    ///< BENCH_TIMES, 0 … 1
  uint32_t clip, next;
  double time_s;
} bench_run;

static double bench_clip_time(const bench_run *run, double share) {
  const mpak_clip *clip = &run->made->pack.clips[run->clip];
  return clip->start_s + ((double)clip->end_s - clip->start_s) * share;
}

static void bench_step(bench_run *run, bench_what what) {
  const mpak_clip *clip = &run->made->pack.clips[run->clip];
  double length_s = (double)clip->end_s - clip->start_s;
  run->time_s += 1 / 60.0;
  if (run->time_s > clip->end_s) run->time_s = clip->start_s;
  run->next++;
  double random_s = bench_clip_time(run, run->times[run->next % BENCH_TIMES]), time_s = run->time_s;
  if (what == BENCH_RANDOM) time_s = random_s;
  if (what == BENCH_INSTANCES_256) {
    time_s = random_s + run->next / BENCH_INSTANCES / 60.0;
    time_s = clip->start_s + fmod(time_s - clip->start_s, length_s > 0 ? length_s : 1);
  }
  mpak_pose *pose = &run->poses[what == BENCH_INSTANCES_256 ? run->next % BENCH_INSTANCES : 0];
  mpak_pose_sample(pose, &run->made->clips, run->clip, time_s);
  if (what != BENCH_ALL) return;
  mpak_pose_sample(&run->poses[1], &run->made->clips, run->clip, random_s);
  mpak_pose_blend(&run->poses[0], &run->poses[1], 0.3f, &run->poses[2]);
  mpak_pose_compute_components(&run->poses[2], NULL, 0);
}

/// The least time of a step in batches of at least 0.1 ms, over so many seconds.
static double bench_least(bench_run *run, bench_what what, double seconds) {
  double least = INFINITY, begin = seconds_now();
  uint32_t batch = BENCH_INSTANCES;
  for (;;) {
    const double start_s = seconds_now();
    for (uint32_t i = 0; i < batch; i++) bench_step(run, what);
    const double end_s = seconds_now();
    if (end_s - start_s < 1e-4) batch *= 2;
    if ((end_s - start_s) / batch < least) least = (end_s - start_s) / batch;
    if (end_s - begin > seconds) return least;
  }
}

// -- Table -----------------------------------------------------------------------------------------------------------

static const double bench_errors_m[] = {0.0001, 0.0002};
#define BENCH_ERROR_COUNT 2

typedef struct bench_sums {
  double bytes[BENCH_ERROR_COUNT], stored[BENCH_ERROR_COUNT], acl_bytes, acl_stored;
} bench_sums;

static void bench_speed(bench_pack *made, mpak_pose *poses, uint32_t joints, double seconds) {
  double times[BENCH_TIMES], ns[4];
  bench_random_state = 1;
  for (uint32_t i = 0; i < BENCH_TIMES; i++) times[i] = bench_random();
  bench_run run = {.made = made, .poses = poses, .times = times};
  for (int what = 0; what < 4; what++) ns[what] = bench_least(&run, what, seconds) * 1e9 / joints;
  const bench_peer *peer = &made->which->peer;
  printf("  ns a joint: forward %.1f (ozz %.1f, ACL %.1f), random %.1f (%.0f, %.1f), 256 instances %.1f (%.1f), "
         "two + blend + component %.1f (%.1f)\n",
         ns[0], peer->ozz_forward, peer->acl_forward, ns[1], peer->ozz_random, peer->acl_random, ns[2],
         peer->ozz_instances, ns[3], peer->ozz_all);
}

static void bench_one(const bench_case *which, const char *folder, double seconds, bench_sums *sums) {
  bench_pack truth, made;
  if (!bench_open(&truth, which, folder, 0)) {
    printf("%-16s not run: its file is missing\n", which->name);
    return;
  }
  uint32_t joints;
  free(bench_joints(&truth.pack, &joints));
  const bench_peer *peer = &which->peer;
  printf("%s: %u joints; ozz %.0f bytes, zstd %.0f, %.2f mm; ACL %.0f, %.0f, %.2f mm\n", which->name, joints,
         peer->ozz_bytes, peer->ozz_zstd, peer->ozz_mm, peer->acl_bytes, peer->acl_zstd, peer->acl_mm);
  for (int e = 0; e < BENCH_ERROR_COUNT; e++) {
    if (!bench_open(&made, which, folder, bench_errors_m[e])) exit(5);
    const uint64_t pose_bytes = mpak_pose_bytes(&made.pack);
    mpak_pose *poses = bench_memory(BENCH_INSTANCES * sizeof *poses);
    uint8_t *memory = bench_memory(BENCH_INSTANCES * pose_bytes);
    for (uint32_t i = 0; i < BENCH_INSTANCES; i++)
      if (mpak_pose_init(&made.pack, memory + i * pose_bytes, pose_bytes, &poses[i]) != MPAK_OK) exit(5);
    const double bytes = (double)bench_bytes(&made, false), stored = (double)bench_bytes(&made, true);
    printf("  --anim-error %g: %.0f bytes (%.2f of ACL), in the file %.0f (%.2f), %.3f mm, cooked in %.2f s\n",
           bench_errors_m[e], bytes, peer->acl_bytes > 0 ? bytes / peer->acl_bytes : 0, stored,
           peer->acl_zstd > 0 ? stored / peer->acl_zstd : 0, bench_error_mm(&truth, &made, &poses[0]), made.cook_s);
    if (which->name[0] != '-') {
      sums->bytes[e] += bytes;
      sums->stored[e] += stored;
    }
    if (seconds > 0 && e == 0 && made.pack.clip_count == 1) bench_speed(&made, poses, joints, seconds);
    free(memory);
    free(poses);
    job_end(made.job);
  }
  if (which->name[0] != '-') {
    sums->acl_bytes += peer->acl_bytes;
    sums->acl_stored += peer->acl_zstd;
  }
  job_end(truth.job);
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 4) {
    fprintf(stderr, "usage: bench_pose FOLDER [seconds [case]]\n");
    return 2;
  }
  bench_sums sums = {0};
  const double seconds = argc > 2 ? atof(argv[2]) : 1;
  for (size_t i = 0; i < BENCH_CASE_COUNT; i++)
    if (argc < 4 || strstr(bench_cases[i].name, argv[3])) bench_one(&bench_cases[i], argv[1], seconds, &sums);
  for (int e = 0; e < BENCH_ERROR_COUNT && sums.acl_bytes > 0; e++)
    printf("sum at --anim-error %g: bytes %.3f of ACL's, in the file %.3f\n", bench_errors_m[e],
           sums.bytes[e] / sums.acl_bytes, sums.stored[e] / sums.acl_stored);
  return 0;
}
