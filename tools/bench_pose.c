// bench_pose: compressed clips: bytes, error, and nanoseconds a joint, beside what ozz-animation and ACL need.
//
//   bench_pose FOLDER [seconds [case]]   FOLDER has characters/ and khronos/ (files that are missing are left out)
//
// Error: object space, worst joint, a lever of 10 cm both ways along each axis, at the samples of the source's rate and
// half way between them, against the lossless pack in double precision; scaled to joints that span 1.8 m. Joints: those
// of skins, and animated nodes. Times: the least of many batches, warm. The published figures of ozz 0.16.0 and ACL
// (develop after 2.1.0) were measured on the same clips and by the same error, on a machine of this kind; the trees of
// the synthetic ones are drawn anew here, so compare them with care.
#include "runtime/reference/mpak_reference.h"
#include "tools/bench_clips.h"

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
  bench_load(bench);
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

/// The least time of a step in batches of at least 0.02 ms, over so many seconds: short ones, so that some are
/// undisturbed on a busy machine.
static double bench_least(bench_run *run, bench_what what, double seconds) {
  double least = INFINITY, begin = seconds_now();
  uint32_t batch = 16;
  for (;;) {
    const double start_s = seconds_now();
    for (uint32_t i = 0; i < batch; i++) bench_step(run, what);
    const double end_s = seconds_now();
    if (end_s - start_s < 2e-5) batch *= 2;
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
