// test_anim.c: compressed clips: the bound is kept at, between and beyond the samples, whatever the source's curves are
// like. Truth is the reference sampler on the lossless pack of the same scene.
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cooker/cook.h"
#include "runtime/mpak_pose.h"
#include "runtime/pose/pose_ways.h"
#include "runtime/reference/mpak_reference.h"
#include "tests/support/mt_block.h"
#include "tests/support/mt_scene.h"

// -- One scene, cooked twice -----------------------------------------------------------------------------------------

typedef struct anim_pack {
  cook_product product;
  mpak_pack pack;
  mpak_clips clips;
  void *memory;
} anim_pack;

static void *test_memory(uint64_t bytes) {
  void *memory = aligned_alloc(64, (size_t)((bytes + 127) & ~UINT64_C(63)));
  assert_non_null(memory);
  return memory;
}

static void anim_open(anim_pack *made) {
  const mpak_open_options options = {.decoder = mpak_zstd_decoder(), .max_decoded_bytes = UINT64_C(1) << 34};
  mpak_fault fault = {0};
  assert_int_equal(mpak_open(made->product.bytes, made->product.byte_count, &options, &made->pack, &fault), MPAK_OK);
  const uint64_t bytes = mpak_clips_bytes(&made->pack), scratch_bytes = mpak_scratch_bytes(&made->pack);
  void *scratch = test_memory(scratch_bytes);
  made->memory = test_memory(bytes);
  assert_int_equal(mpak_load_clips(&made->pack, made->memory, bytes, scratch, scratch_bytes, &made->clips, &fault),
                   MPAK_OK);
  free(scratch);
}

typedef struct anim_case {
  const char *path;                          ///< a file, or
  void (*make)(cook_job *job, cook_scene *); ///< changes mt_scene_make's scene
  double error_m;
  cook_compress compress;
  bool clips_only; ///< of a file
  anim_pack truth, made;
} anim_case;

static void anim_cook_one(cook_job *job, anim_case *test, bool is_truth) {
  cook_options options = {.in_process = true, .compress = test->compress, .clips_only = test->clips_only};
  cook_product *product = is_truth ? &test->truth.product : &test->made.product;
  if (!is_truth) {
    options.quality = COOK_QUALITY_DEFAULT;
    options.animation_error_m = test->error_m;
  }
  if (test->path) {
    cook_file(job, test->path, &options, product);
    return;
  }
  cook_scene *scene = mt_scene_make(job, NULL);
  test->make(job, scene);
  cook_scene_to_pack(job, scene, &options, product);
}

static void anim_cook(cook_job *job, void *user) {
  anim_cook_one(job, user, true);
  anim_cook_one(job, user, false);
}

/// The largest distance of points 3 cm (on 1.8 m) along each node's axes, and of weights, over one clip.
typedef struct anim_error {
  double metres, weight;
} anim_error;

static double anim_distance(const double truth[12], const float made[12], double lever) {
  double worst = 0;
  for (int axis = 0; axis < 3; axis++) {
    double length = 0;
    for (int r = 0; r < 3; r++) length += truth[4 * r + axis] * truth[4 * r + axis];
    const double along = length > 0 ? lever / sqrt(length) : 0;
    for (int side = -1; side <= 1; side += 2) {
      double sum = 0;
      for (int r = 0; r < 3; r++) {
        const double d = (double)made[4 * r + 3] - truth[4 * r + 3] +
                         side * along * ((double)made[4 * r + axis] - truth[4 * r + axis]);
        sum += d * d;
      }
      worst = fmax(worst, sqrt(sum));
    }
  }
  return worst;
}

static anim_error anim_measure_clip(const anim_case *test, uint32_t clip, double lever, uint32_t places) {
  const mpak_pack *pack = &test->truth.pack;
  const mpak_clip *record = &pack->clips[clip];
  const uint64_t pose_bytes = mpak_pose_bytes(pack), ref_bytes = mpak_ref_pose_bytes(pack);
  void *pose_memory = test_memory(pose_bytes), *ref_memory = test_memory(ref_bytes);
  anim_error error = {0, 0};
  mpak_pose pose;
  mpak_ref_pose ref;
  assert_int_equal(mpak_pose_init(&test->made.pack, pose_memory, pose_bytes, &pose), MPAK_OK);
  for (uint32_t i = 0; i <= places; i++) {
    const double time_s = record->start_s + ((double)record->end_s - record->start_s) * i / places;
    assert_int_equal(mpak_ref_pose_init(pack, ref_memory, ref_bytes, &ref), MPAK_OK);
    mpak_ref_sample(&ref, &test->truth.clips, clip, time_s);
    mpak_ref_component(&ref);
    mpak_pose_rest(&pose);
    mpak_pose_sample(&pose, &test->made.clips, clip, time_s);
    mpak_pose_compute_components(&pose, NULL, 0);
    for (uint32_t n = 0; n < pack->node_count; n++)
      error.metres = fmax(error.metres, anim_distance(ref.component[n], pose.components[n].m, lever));
    for (uint32_t k = 0; k < pack->instance_count; k++) {
      for (uint32_t c = 0; c < pack->meshes[pack->instances[k].mesh].control_count; c++)
        error.weight = fmax(
            error.weight, fabs(ref.weights[ref.first_weight[k] + c] - (double)pose.weights[pose.first_weight[k] + c]));
    }
  }
  free(pose_memory);
  free(ref_memory);
  return error;
}

/// Distances are those of float matrices, which know a place a metre away to a ten-millionth.
#define ANIM_FLOAT_SHARE 2e-6

/// Cooks and measures every clip. Returns how many clips have a block.
static uint32_t anim_check(anim_case *test) {
  cook_job *job = job_begin(NULL, NULL);
  uint32_t blocks = 0;
  const bool is_cooked = job_run(job, anim_cook, test);
  for (uint32_t i = 0; !is_cooked && i < job_issue_count(job); i++) {
    if (job_issue_at(job, i)->severity == MPAK_ERROR)
      fprintf(stderr, "%s: %s\n", test->path, job_issue_at(job, i)->message);
  }
  assert_true(is_cooked);
  anim_open(&test->truth);
  anim_open(&test->made);
  assert_int_equal(test->truth.pack.clip_count, test->made.pack.clip_count);
  for (uint32_t c = 0; c < test->made.pack.clip_count; c++) {
    const mpak_clip *clip = &test->made.pack.clips[c];
    blocks += clip->word_count > 0;
    // the writer's error is at levers of at least 3 cm on 1.8 m: a lever of error_m's own size is below all of them
    const anim_error error = anim_measure_clip(test, c, (double)clip->error_m, 173);
    const double size = 50; // metres that any of these scenes stays within
    if (error.metres > (double)clip->error_m + size * ANIM_FLOAT_SHARE || error.weight > 1.0 / 256)
      fprintf(stderr, "%s clip %u: %g m of %g, weights %g\n", test->path, c, error.metres, (double)clip->error_m,
              error.weight);
    assert_true(error.metres <= (double)clip->error_m + size * ANIM_FLOAT_SHARE);
    assert_true(error.weight <= 1.0 / 256);
  }
  free(test->truth.memory);
  free(test->made.memory);
  job_end(job);
  return blocks;
}

// -- Curves of all kinds ---------------------------------------------------------------------------------------------

static cook_track *anim_track_of(cook_job *job, cook_scene *scene, uint32_t node, mpak_track_path path,
                                 mpak_interpolation interpolation, uint32_t width, uint32_t keys, float end_s) {
  cook_clip *clip = &scene->clips[0];
  cook_track *tracks = JOB_ARRAY(job, cook_track, clip->track_count + 1);
  uint32_t kept = 0;
  for (uint32_t t = 0; t < clip->track_count; t++)
    if (clip->tracks[t].node != node || clip->tracks[t].path != path) tracks[kept++] = clip->tracks[t];
  clip->tracks = tracks;
  clip->track_count = kept + 1;
  if (end_s > clip->end_s) clip->end_s = end_s;
  cook_track *track = &tracks[kept];
  *track = (cook_track){node, path, interpolation, width, keys, NULL, 0, NULL};
  track->times = JOB_ARRAY(job, float, keys);
  for (uint32_t k = 0; k < keys; k++) track->times[k] = keys > 1 ? end_s * (float)k / (float)(keys - 1) : 0;
  track->value_count = (uint64_t)keys * width * (interpolation == MPAK_CUBICSPLINE ? 3 : 1);
  track->values = JOB_ARRAY(job, float, track->value_count);
  return track;
}

/// A turn of degrees from key to key about an axis that leans more and more.
static void anim_turn(cook_track *track, double degrees) {
  for (uint32_t k = 0; k < track->key_count; k++) {
    const double half = k * degrees * 0.017453292519943295 / 2, lean = 0.05 * k;
    float *q = track->values + (size_t)k * 4;
    q[0] = (float)(sin(half) * cos(lean));
    q[1] = (float)(sin(half) * sin(lean));
    q[3] = (float)cos(half);
  }
}

static void make_fast_turns(cook_job *job, cook_scene *scene) {
  anim_turn(anim_track_of(job, scene, MT_SPINE, MPAK_PATH_ROTATION, MPAK_LINEAR, 4, 31, 1), 124);
  anim_turn(anim_track_of(job, scene, MT_HIPS, MPAK_PATH_ROTATION, MPAK_LINEAR, 4, 31, 1), 97);
}

static void make_splines(cook_job *job, cook_scene *scene) {
  cook_track *track = anim_track_of(job, scene, MT_HIPS, MPAK_PATH_TRANSLATION, MPAK_CUBICSPLINE, 3, 5, 2);
  for (uint32_t i = 0; i < track->value_count; i++) track->values[i] = (float)((i * 7 % 11) / 10.0 - 0.5);
  track = anim_track_of(job, scene, MT_SPINE, MPAK_PATH_ROTATION, MPAK_CUBICSPLINE, 4, 4, 2);
  for (uint32_t i = 0; i < track->value_count; i++) track->values[i] = (float)((i * 5 % 13) / 12.0 - 0.3);
}

static void make_single_keys(cook_job *job, cook_scene *scene) {
  anim_track_of(job, scene, MT_HIPS, MPAK_PATH_TRANSLATION, MPAK_LINEAR, 3, 1, 0)->values[1] = 1.25f;
  cook_track *track = anim_track_of(job, scene, MT_SPINE, MPAK_PATH_ROTATION, MPAK_LINEAR, 4, 1, 0);
  track->values[0] = -0.8f;
  track->values[3] = -0.6f;
  track = anim_track_of(job, scene, MT_SPINE, MPAK_PATH_SCALE, MPAK_STEP, 3, 1, 0);
  for (int i = 0; i < 3; i++) track->values[i] = 1.5f;
}

static void make_weights(cook_job *job, cook_scene *scene) {
  cook_track *track = anim_track_of(job, scene, MT_BODY, MPAK_PATH_WEIGHTS, MPAK_LINEAR, 2, 25, 1);
  for (uint32_t k = 0; k < 25; k++) {
    track->values[2 * k] = (float)(-1.5 + 0.17 * k);
    track->values[2 * k + 1] = 0.75f;
  }
}

/// Keys that follow no rate.
static void make_odd_times(cook_job *job, cook_scene *scene) {
  cook_track *track = anim_track_of(job, scene, MT_HIPS, MPAK_PATH_TRANSLATION, MPAK_LINEAR, 3, 40, 2);
  for (uint32_t k = 0; k < 40; k++) {
    track->times[k] = (float)(2.0 * pow(k / 39.0, 1.3));
    for (uint32_t i = 0; i < 3; i++) track->values[3 * k + i] = (float)sin(0.7 * k + i);
  }
}

/// Ten minutes at 30 Hz, walking 600 m.
static void make_long(cook_job *job, cook_scene *scene) {
  const uint32_t keys = 18001;
  cook_track *track = anim_track_of(job, scene, MT_HIPS, MPAK_PATH_TRANSLATION, MPAK_LINEAR, 3, keys, 600);
  for (uint32_t k = 0; k < keys; k++) {
    track->values[3 * k] = (float)(5 * sin(k * 0.001));
    track->values[3 * k + 1] = (float)(1 + 0.05 * sin(k * 0.4));
  }
  anim_turn(anim_track_of(job, scene, MT_SPINE, MPAK_PATH_ROTATION, MPAK_LINEAR, 4, keys, 600), 1.7);
}

static void anim_check_made(void (*make)(cook_job *, cook_scene *)) {
  anim_case test = {.make = make, .path = NULL};
  assert_true(anim_check(&test) >= 1);
  test = (anim_case){.make = make, .error_m = 0.001, .compress = COOK_COMPRESS_LOAD};
  assert_true(anim_check(&test) >= 1);
}

static void test_anim_frames_that_turn_more_than_90_degrees(void **state) {
  (void)state;
  anim_check_made(make_fast_turns);
}
static void test_anim_splines(void **state) {
  (void)state;
  anim_check_made(make_splines);
}
static void test_anim_single_keys(void **state) {
  (void)state;
  anim_check_made(make_single_keys);
}
static void test_anim_weights_beyond_0_and_1(void **state) {
  (void)state;
  anim_check_made(make_weights);
}
static void test_anim_keys_at_odd_times(void **state) {
  (void)state;
  anim_check_made(make_odd_times);
}
static void test_anim_ten_minutes(void **state) {
  (void)state;
  anim_case test = {.make = make_long};
  assert_true(anim_check(&test) >= 1);
}

// -- Rest still overrides, steps stay exact --------------------------------------------------------------------------

static void make_rest(cook_job *job, cook_scene *scene) {
  const float *rest = scene->nodes[MT_HIPS].translation;
  cook_track *track = anim_track_of(job, scene, MT_HIPS, MPAK_PATH_TRANSLATION, MPAK_LINEAR, 3, 2, 1);
  for (uint32_t i = 0; i < 6; i++) track->values[i] = rest[i % 3];
  track = anim_track_of(job, scene, MT_BODY, MPAK_PATH_WEIGHTS, MPAK_LINEAR, 2, 1, 0);
  track->values[0] = 0.25f; // the mesh's defaults
}

static void test_anim_a_track_at_rest_overrides_what_was_there(void **state) {
  (void)state;
  anim_case test = {.make = make_rest};
  cook_job *job = job_begin(NULL, NULL);
  assert_true(job_run(job, anim_cook, &test));
  anim_open(&test.truth);
  anim_open(&test.made);
  const uint64_t bytes = mpak_pose_bytes(&test.made.pack);
  void *memory = test_memory(bytes);
  mpak_pose pose;
  assert_int_equal(mpak_pose_init(&test.made.pack, memory, bytes, &pose), MPAK_OK);
  const uint32_t hips = mpak_find_node(&test.made.pack, "Hips"), body = mpak_find_node(&test.made.pack, "Body");
  const uint32_t first = pose.first_weight[mpak_find_instance(&test.made.pack, body)];
  const float rest = pose.locals[hips].translation[1];
  pose.locals[hips].translation[1] = 77;
  pose.weights[first] = pose.weights[first + 1] = 3;
  mpak_pose_sample(&pose, &test.made.clips, 0, 0.5);
  assert_true(pose.locals[hips].translation[1] == rest);
  assert_true(pose.weights[first] == 0.25f && pose.weights[first + 1] == 0);
  free(memory);
  free(test.truth.memory);
  free(test.made.memory);
  job_end(job);
}

static void make_steps(cook_job *job, cook_scene *scene) {
  cook_track *track = anim_track_of(job, scene, MT_HIPS, MPAK_PATH_TRANSLATION, MPAK_STEP, 3, 3, 1);
  track->times[1] = 0.3331f;
  for (uint32_t k = 0; k < 3; k++) track->values[3 * k] = (float)k;
}

static void test_anim_steps_keep_their_times(void **state) {
  (void)state;
  anim_case test = {.make = make_steps};
  cook_job *job = job_begin(NULL, NULL);
  assert_true(job_run(job, anim_cook, &test));
  anim_open(&test.truth);
  anim_open(&test.made);
  bool is_found = false;
  for (uint32_t t = 0; t < test.made.pack.track_count; t++) {
    const mpak_track *track = &test.made.pack.tracks[t];
    if (track->interpolation != MPAK_STEP || track->path != MPAK_PATH_TRANSLATION) continue;
    is_found = true;
    assert_int_equal(track->key_count, 3);
    assert_true(test.made.clips.times[track->first_time + 1] == 0.3331f);
  }
  assert_true(is_found);
  free(test.truth.memory);
  free(test.made.memory);
  job_end(job);
}

// -- By hand ---------------------------------------------------------------------------------------------------------

/// The example of mt_block.h, whose values stand in its comment.
static void test_anim_example_gives_its_values(void **state) {
  (void)state;
  mt_pack pack;
  const mt_block block = mt_block_example();
  mt_pack_character(&pack, &(mt_character){.layout = MT_BLK64, .has_clips = true, .is_skinned = true});
  mt_pack_set_block(&pack, 1, &block);
  mt_image image = mt_pack_write(&pack);
  anim_pack made = {.product = {.bytes = image.bytes, .byte_count = image.byte_count}};
  anim_open(&made);
  const uint64_t bytes = mpak_pose_bytes(&made.pack);
  void *memory = test_memory(bytes);
  mpak_pose pose;
  assert_int_equal(mpak_pose_init(&made.pack, memory, bytes, &pose), MPAK_OK);
  mpak_pose_sample(&pose, &made.clips, 1, 1.25); // half of 0.5 … 2: the second sample
  assert_float_equal(pose.locals[0].rotation[0], 0.6f, 1e-6);
  assert_float_equal(pose.locals[0].rotation[3], 0.8f, 1e-6);
  assert_float_equal(pose.locals[2].translation[1], 2, 0);
  assert_float_equal(pose.locals[4].scale[2], 2, 0);
  assert_float_equal(pose.locals[1].rotation[0], 8.0f / 256, 1e-6);
  assert_float_equal(pose.locals[2].rotation[0], 1, 1e-6);
  assert_float_equal(pose.locals[4].translation[0], 17.0f / 256, 1e-6);
  assert_float_equal(pose.locals[4].translation[2], 4090.0f / 256, 1e-5);
  assert_float_equal(pose.locals[1].scale[0], 2, 1e-6);
  assert_float_equal(pose.weights[pose.first_weight[mpak_find_instance(&made.pack, 1)]], 0.5f, 0);
  assert_float_equal(pose.weights[pose.first_weight[mpak_find_instance(&made.pack, 1)] + 2], 1, 1e-6);
  mpak_pose_sample(&pose, &made.clips, 1, 99); // behind the end: the last sample
  assert_float_equal(pose.locals[4].translation[0], 12.0f / 256, 1e-6);
  assert_float_equal(pose.weights[pose.first_weight[mpak_find_instance(&made.pack, 1)] + 2], 100000.0f / 65536, 1e-6);
  mpak_pose_sample(&pose, &made.clips, 1, 0.875); // half way between the first two
  assert_float_equal(pose.locals[4].translation[0], 13.5f / 256, 1e-6);
  assert_float_equal(pose.locals[2].rotation[0], 0.70710678f, 1e-6);
  free(memory);
  free(made.memory);
  mt_image_free(&image);
  mt_pack_free(&pack);
}

/// The curve of the fraction against slerp itself, over all angles and fractions.
static void test_anim_slerp_is_near(void **state) {
  (void)state;
  double worst = 0;
  for (int a = 1; a <= 90; a++) {
    const double angle = a * 0.017453292519943295;
    for (int i = 0; i <= 40; i++) {
      const double t = i / 40.0, truth = sin(t * angle) / (sin(t * angle) + sin((1 - t) * angle));
      const anim_slerp slerp = anim_slerp_of((float)t);
      worst = fmax(worst, 2 * angle * fabs((double)anim_slerp_fraction(&slerp, (float)cos(angle)) - truth));
    }
  }
  assert_true(worst < 2e-6);
}

#if defined(POSE_HAS_AVX2_PATH)
/// What a clip says at one time, by one way.
static void anim_sample_by(const pose_ways *ways, const anim_block *block, const anim_place *place,
                           const uint32_t *node_of, mpak_transform *locals) {
  const pose_rows rows = {block->rows + (size_t)place->row * block->row_bytes,
                          block->rows + (size_t)place->next_row * block->row_bytes, anim_slerp_of(place->fraction),
                          locals, node_of};
  uint32_t bit = 0;
  for (uint32_t l = ANIM_CONSTANT_ROTATIONS; l <= ANIM_CONSTANT_SCALES; l++)
    ways->place_constants(&rows, &block->lists[l], l);
  for (uint32_t l = ANIM_ROTATIONS; l <= ANIM_SCALES; l++) bit = ways->sample_list(&rows, &block->lists[l], l, bit);
}

static void anim_compare_paths(const anim_pack *made, bool is_mapped) {
  const uint32_t node_count = made->pack.node_count;
  const size_t bytes = node_count * sizeof(mpak_transform);
  mpak_transform *locals[2] = {test_memory(bytes), test_memory(bytes)};
  uint32_t *node_of = test_memory(node_count * sizeof *node_of);
  for (uint32_t n = 0; n < node_count; n++) node_of[n] = n % 3 == 1 ? MPAK_NONE : node_count - 1 - n;
  for (uint32_t c = 0; c < made->pack.clip_count; c++) {
    if (made->pack.clips[c].word_count == 0) continue;
    const anim_block block = anim_block_of(made->clips.words + made->pack.clips[c].first_word, node_count);
    for (uint32_t i = 0; i < 29; i++) {
      const anim_place place = anim_place_of(block.sample_count, 0, 1, i / 28.0);
      memset(locals[0], 0, bytes);
      memset(locals[1], 0, bytes);
      anim_sample_by(&pose_ways_plain, &block, &place, is_mapped ? node_of : NULL, locals[0]);
      anim_sample_by(&pose_ways_avx2, &block, &place, is_mapped ? node_of : NULL, locals[1]);
      assert_memory_equal(locals[0], locals[1], bytes);
    }
  }
  free(node_of);
  free(locals[0]);
  free(locals[1]);
}

static void test_anim_both_ways_give_the_same_bits(void **state) {
  (void)state;
  if (!pose_processor_has_avx2()) return;
  void (*const makes[])(cook_job *, cook_scene *) = {make_fast_turns, make_splines, make_odd_times};
  for (size_t i = 0; i < sizeof makes / sizeof makes[0]; i++) {
    for (int fine = 0; fine < 2; fine++) { // fields of many widths, wider than one window too
      anim_case test = {.make = makes[i], .error_m = fine ? 1e-8 : 0};
      cook_job *job = job_begin(NULL, NULL);
      assert_true(job_run(job, anim_cook, &test));
      anim_open(&test.made);
      anim_compare_paths(&test.made, false);
      anim_compare_paths(&test.made, true);
      free(test.made.memory);
      job_end(job);
    }
  }
}
#endif

// -- Files -----------------------------------------------------------------------------------------------------------

static bool anim_cooks(anim_case *test) {
  cook_job *job = job_begin(NULL, NULL);
  const bool is_cooked = job_run(job, anim_cook, test);
  job_end(job);
  return is_cooked;
}

static uint32_t anim_check_folder(const char *folder) {
  uint32_t files = 0;
  DIR *entries = opendir(folder);
  struct dirent *entry;
  while (entries && (entry = readdir(entries)) != NULL) {
    char path[1024];
    const char *dot = strrchr(entry->d_name, '.');
    if (!dot || (strcmp(dot, ".glb") != 0 && strcmp(dot, ".gltf") != 0)) continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    anim_case test = {.path = path};
    if (!anim_cooks(&test)) { // its vertices or normals miss their own promise: then the clips alone
      printf("%s: its clips only\n", path);
      test = (anim_case){.path = path, .clips_only = true};
    }
    anim_check(&test);
    files++;
  }
  if (entries) closedir(entries);
  return files;
}

static void test_anim_bound_is_kept_on_every_file(void **state) {
  (void)state;
  const uint32_t own = anim_check_folder("samples/assets");
  const char *shared = getenv("MPAK_SHARED");
  char folder[1024];
  uint32_t files = 0;
  snprintf(folder, sizeof folder, "%s/assets/characters", shared ? shared : "../shared");
  files += anim_check_folder(folder);
  printf("clips: %u files of samples, %u shared ones%s\n", own, files, files ? "" : " (not run: not there)");
  assert_true(own > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_anim_frames_that_turn_more_than_90_degrees),
    cmocka_unit_test(test_anim_splines),
    cmocka_unit_test(test_anim_single_keys),
    cmocka_unit_test(test_anim_weights_beyond_0_and_1),
    cmocka_unit_test(test_anim_keys_at_odd_times),
    cmocka_unit_test(test_anim_ten_minutes),
    cmocka_unit_test(test_anim_a_track_at_rest_overrides_what_was_there),
    cmocka_unit_test(test_anim_steps_keep_their_times),
    cmocka_unit_test(test_anim_example_gives_its_values),
    cmocka_unit_test(test_anim_slerp_is_near),
#if defined(POSE_HAS_AVX2_PATH)
    cmocka_unit_test(test_anim_both_ways_give_the_same_bits),
#endif
    cmocka_unit_test(test_anim_bound_is_kept_on_every_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
