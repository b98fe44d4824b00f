// anim.c: the stage that compresses clips, one after the other.
#include "cooker/build/anim.h"

#include <math.h>
#include <stdlib.h>

#include "cooker/quality.h"

#define ANIM_USUAL_SIZE_M 1.8

static bool anim_is_empty(const cook_track *track) { return track->key_count == 0 || track->width == 0; }

static int anim_compare_tracks(const void *a, const void *b) {
  const cook_track *x = ((const anim_track *)a)->source, *y = ((const anim_track *)b)->source;
  if (x->node != y->node) return x->node < y->node ? -1 : 1;
  if (x->path != y->path) return x->path < y->path ? -1 : 1;
  return (x > y) - (x < y);
}

static void anim_collect_tracks(anim_clip *clip) {
  const cook_clip *source = clip->source;
  const uint32_t node_count = clip->skeleton->node_count;
  clip->tracks = JOB_ARRAY(clip->job, anim_track, source->track_count);
  clip->track_of = JOB_ARRAY(clip->job, uint32_t, (uint64_t)node_count * ANIM_PATHS);
  for (uint64_t i = 0; i < (uint64_t)node_count * ANIM_PATHS; i++) clip->track_of[i] = MPAK_NONE;
  for (uint32_t t = 0; t < source->track_count; t++)
    if (!anim_is_empty(&source->tracks[t])) clip->tracks[clip->track_count++].source = &source->tracks[t];
  if (clip->track_count) qsort(clip->tracks, clip->track_count, sizeof *clip->tracks, anim_compare_tracks);
  for (uint32_t t = 0; t < clip->track_count; t++) {
    const cook_track *track = clip->tracks[t].source;
    if (track->path != MPAK_PATH_WEIGHTS) clip->track_of[(size_t)track->node * ANIM_PATHS + track->path] = t;
  }
}

/// Tracks whose numbers are too many for their bits become keys again; false when there are none.
static bool anim_return_misfits(anim_clip *clip) {
  bool any = false;
  for (uint32_t t = 0; t < clip->track_count; t++) {
    anim_track *track = &clip->tracks[t];
    if (track->form != ANIM_FORM_SAMPLES || track->source->path == MPAK_PATH_WEIGHTS) continue;
    if (anim_track_fits(clip, track)) continue;
    track->form = ANIM_FORM_KEYS;
    any = true;
  }
  return any;
}

static double anim_number(float value, double step) { return floor((double)value / step + 0.5); }

static void anim_flatten_weights(const anim_clip *clip, anim_track *track) {
  for (uint32_t c = 0; c < track->source->width; c++) {
    if (track->weight_steps[c] == 0) continue;
    const float *samples = track->weight_samples + (uint64_t)c * clip->sample_count;
    const double step = (double)track->weight_steps[c], first = anim_number(samples[0], step);
    bool is_flat = true;
    for (uint32_t i = 1; i < clip->sample_count; i++) is_flat &= anim_number(samples[i], step) == first;
    if (!is_flat) continue;
    track->constant_weights[c] = (float)(first * step);
    track->weight_steps[c] = 0;
  }
}

/// Is it? Then constant becomes what the samples decode to.
static bool anim_is_flat(const anim_clip *clip, anim_track *track) {
  const double step = (double)anim_step_of(track->code);
  for (uint32_t i = 1; i < clip->sample_count; i++) {
    for (uint32_t c = 0; c < track->source->width; c++) {
      if (track->source->path == MPAK_PATH_ROTATION && !track->is_full_rotation && c == track->dropped) continue;
      if (anim_number(track->samples[i][c], step) != anim_number(track->samples[0][c], step)) return false;
    }
  }
  anim_decoded_sample(track, 0, track->constant);
  return true;
}

/// Tracks and weights whose numbers are all the same after rounding are constants.
static void anim_flatten(anim_clip *clip) {
  for (uint32_t t = 0; t < clip->track_count; t++) {
    anim_track *track = &clip->tracks[t];
    if (track->form != ANIM_FORM_SAMPLES) continue;
    if (track->source->path == MPAK_PATH_WEIGHTS)
      anim_flatten_weights(clip, track);
    else if (anim_is_flat(clip, track))
      track->form = ANIM_FORM_CONSTANT;
  }
}

static bool anim_has_block(const anim_clip *clip) {
  for (uint32_t t = 0; t < clip->track_count; t++)
    if (clip->tracks[t].form != ANIM_FORM_KEYS) return true;
  return false;
}

static void anim_compress(cook_job *job, const cook_skeleton *skeleton, const cook_clip *source, double error_m,
                          cook_clip_block *block) {
  anim_clip clip = {.job = job, .skeleton = skeleton, .source = source};
  *block = (cook_clip_block){.is_key_track = JOB_ARRAY(job, bool, source->track_count)};
  clip.bound_m = error_m * skeleton->size_m / ANIM_USUAL_SIZE_M;
  anim_collect_tracks(&clip);
  anim_choose_forms(&clip);
  double error = anim_find_steps(&clip);
  while (error <= clip.bound_m && anim_return_misfits(&clip)) error = anim_measure_all(&clip);
  if (!(error <= clip.bound_m)) { // no steps keep the bound: the clip stays as it is
    for (uint32_t t = 0; t < clip.track_count; t++) clip.tracks[t].form = ANIM_FORM_KEYS;
    error = 0;
  }
  for (uint32_t t = 0; t < clip.track_count; t++)
    block->is_key_track[clip.tracks[t].source - source->tracks] = clip.tracks[t].form == ANIM_FORM_KEYS;
  if (!anim_has_block(&clip)) return;
  anim_flatten(&clip);
  anim_write_block(&clip, block);
  block->error_m = (float)error;
}

/// Bound of the error on a character of 1.8 m, halved where the vertices' promise needs it; 0: every key as it is.
static double anim_error_bound(const cook_options *options, uint32_t fineness) {
  const double usual_m = cook_precision_of(options->quality)->animation_error_m;
  if (!(usual_m > 0) || fineness >= COOK_FINENESS_MOST) return 0;
  return (options->animation_error_m > 0 ? options->animation_error_m : usual_m) / (double)(1u << fineness);
}

void build_clip_blocks(cook_job *job, cook_scene *scene, const cook_options *options) {
  const double bound_m = anim_error_bound(options, scene->clip_fineness);
  if (!(bound_m > 0) || scene->clip_count == 0) return;
  const cook_skeleton *skeleton = build_skeleton(job, scene);
  scene->clip_blocks = JOB_ARRAY(job, cook_clip_block, scene->clip_count);
  for (uint32_t c = 0; c < scene->clip_count; c++)
    anim_compress(job, skeleton, &scene->clips[c], bound_m, &scene->clip_blocks[c]);
}
