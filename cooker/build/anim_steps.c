// anim_steps.c: the steps of all sampled tracks. First every track gets the same share of the error at the farthest
// point that it moves, as large as the bound allows for all together; then single steps are made rougher in turn, while
// the measured distance stays within the bound, until none can be.
#include "cooker/build/anim.h"

#define STEPS_OCTAVE        8 ///< codes for a factor of two
#define STEPS_FIRST_ROUGHER 4u
#define STEPS_MOST_REPAIRS  64u

static bool steps_has_step(const anim_track *track) {
  return track->form == ANIM_FORM_SAMPLES && track->source->path != MPAK_PATH_WEIGHTS;
}

/// The roughest code whose step is no larger.
static uint32_t steps_code_of(double step) {
  uint32_t low = 0, high = ANIM_STEP_CODES - 1;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if ((double)anim_step_of(middle) <= step)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// The step that moves no point by more than about the bound.
static uint32_t steps_fair_code(const anim_clip *clip, const anim_track *track) {
  const cook_skeleton *skeleton = clip->skeleton;
  const uint32_t node = track->source->node;
  double units = skeleton->subtree_reach_m[node];
  if (track->source->path == MPAK_PATH_TRANSLATION) units = skeleton->parent_scale[node];
  return steps_code_of(units > 0 ? clip->bound_m / units : clip->bound_m);
}

static uint32_t steps_shifted(uint32_t code, int shift) {
  const int64_t shifted = (int64_t)code + shift;
  return shifted < 0 ? 0 : shifted >= (int64_t)ANIM_STEP_CODES ? ANIM_STEP_CODES - 1 : (uint32_t)shifted;
}

static void steps_shift_all(anim_clip *clip, const uint32_t *codes, int shift) {
  for (uint32_t t = 0; t < clip->track_count; t++)
    if (steps_has_step(&clip->tracks[t])) clip->tracks[t].code = steps_shifted(codes[t], shift);
}

/// The roughest common shift within the bound, by halving. The distance grows with the steps but for noise, which the
/// later measurements see.
static double steps_share(anim_clip *clip, anim_ruler *ruler, const uint32_t *codes) {
  int low = -4 * STEPS_OCTAVE, high = 12 * STEPS_OCTAVE; // low is taken to be too rough, high to be fine
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    steps_shift_all(clip, codes, middle);
    if (anim_ruler_measure(ruler) <= clip->bound_m)
      high = middle;
    else
      low = middle;
  }
  steps_shift_all(clip, codes, high);
  return anim_ruler_measure(ruler);
}

/// One round: each track in turn, rougher by so many codes where that holds. Tracks where it did not are not asked
/// again.
static bool steps_roughen(anim_clip *clip, anim_ruler *ruler, uint32_t codes, bool *is_done) {
  bool any = false;
  for (uint32_t t = clip->track_count; t-- > 0;) {
    anim_track *track = &clip->tracks[t];
    if (!steps_has_step(track) || is_done[t]) continue;
    const uint32_t old = track->code;
    track->code = old > codes ? old - codes : 0;
    if (track->code != old && anim_track_fits(clip, track) && anim_ruler_try(ruler, track)) {
      any = true;
    } else {
      track->code = old;
      is_done[t] = true;
    }
  }
  return any;
}

double anim_find_steps(anim_clip *clip) {
  const cook_mark mark = job_mark(clip->job);
  uint32_t *codes = JOB_ARRAY(clip->job, uint32_t, clip->track_count);
  bool *is_done = JOB_ARRAY(clip->job, bool, clip->track_count);
  for (uint32_t t = 0; t < clip->track_count; t++)
    if (steps_has_step(&clip->tracks[t])) codes[t] = steps_fair_code(clip, &clip->tracks[t]);
  anim_ruler *ruler = anim_ruler_make(clip);
  if (steps_share(clip, ruler, codes) <= clip->bound_m) {
    for (uint32_t rougher = STEPS_FIRST_ROUGHER; rougher > 0; rougher /= 2) {
      for (uint32_t t = 0; t < clip->track_count; t++) is_done[t] = false;
      while (steps_roughen(clip, ruler, rougher, is_done)) continue;
    }
  }
  double error_m = anim_measure_all(clip);
  for (uint32_t i = 0; i < STEPS_MOST_REPAIRS && !(error_m <= clip->bound_m); i++) { // times the ruler does not hold
    for (uint32_t t = 0; t < clip->track_count; t++)
      if (steps_has_step(&clip->tracks[t])) clip->tracks[t].code = steps_shifted(clip->tracks[t].code, 1);
    error_m = anim_measure_all(clip);
  }
  job_release(clip->job, mark);
  return error_m;
}
