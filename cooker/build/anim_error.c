// anim_error.c: how far the compressed clip is from its source: for every node the points at its reach along its axes,
// moved by the whole chain above it, at one time in both.
#include <stdlib.h>
#include <string.h>

#include "cooker/build/anim.h"
#include "cooker/build/anim_matrix.h"

#define ERROR_RULER_POSES 100000u ///< times * nodes that a ruler holds at most
#define ERROR_LEAST_ROWS  8u

typedef double anim_matrix[12];

struct anim_ruler {
  anim_clip *clip;
  uint32_t time_count;
  double *rows;              ///< by time: a sample's number, or half way to the next
  anim_matrix *truth;        ///< by time, then node: component space of the source
  anim_matrix *locals;       ///< of the compressed clip
  anim_matrix *components;   ///< of the compressed clip
  anim_matrix *trial;        ///< by node: work space
  anim_matrix *trial_locals; ///< by time: of the node that is being tried
  uint32_t worst_time;       ///< where the last try failed; asked first the next time
};

// -- Decoded values --------------------------------------------------------------------------------------------------

static uint32_t error_stored_components(const anim_track *track) {
  return track->source->path == MPAK_PATH_ROTATION && track->is_full_rotation ? 4 : 3;
}

void anim_decoded_sample(const anim_track *track, uint32_t row, double values[4]) {
  const double step = (double)anim_step_of(track->code);
  const float *sample = track->samples[row];
  if (track->source->path != MPAK_PATH_ROTATION) {
    for (int i = 0; i < 3; i++) values[i] = floor((double)sample[i] / step + 0.5) * step;
    return;
  }
  double square = 0;
  for (uint32_t i = 0; i < 4; i++) {
    values[i] = floor((double)sample[i] / step + 0.5) * step;
    if (i != track->dropped) square += values[i] * values[i];
  }
  if (!track->is_full_rotation) values[track->dropped] = square < 1 ? sqrt(1 - square) : 0;
  if (!anim_normalise(values)) values[3] = 1;
}

bool anim_track_fits(const anim_clip *clip, const anim_track *track) {
  const double step = (double)anim_step_of(track->code);
  double low[4] = {0}, high[4] = {0};
  for (uint32_t i = 0; i < clip->sample_count; i++) {
    double square = 0;
    for (uint32_t c = 0, k = 0; k < error_stored_components(track); c++) {
      if (error_stored_components(track) == 3 && track->source->path == MPAK_PATH_ROTATION && c == track->dropped)
        continue;
      const double number = floor((double)track->samples[i][c] / step + 0.5);
      if (i == 0 || number < low[k]) low[k] = number;
      if (i == 0 || number > high[k]) high[k] = number;
      square += number * step * (number * step);
      k++;
    }
    if (track->source->path != MPAK_PATH_ROTATION) continue;
    if (track->is_full_rotation ? square < 0.3 || square > 3.5 : square > 1.01) return false;
  }
  for (uint32_t k = 0; k < error_stored_components(track); k++) {
    if (low[k] < -ANIM_BASE_LIMIT || high[k] >= ANIM_BASE_LIMIT) return false;
    if (high[k] - low[k] >= (double)(1u << ANIM_MAX_WIDTH)) return false;
  }
  return true;
}

/// A path of a node at a place between samples (row + fraction) and the time of that place.
static void error_path_at(const anim_clip *clip, const anim_track *track, uint32_t row, double fraction, double time_s,
                          double *value) {
  double right[4];
  switch (track->form) {
  case ANIM_FORM_REST: return; // value holds it
  case ANIM_FORM_KEYS: anim_curve_at(track->source, time_s, value); return;
  case ANIM_FORM_CONSTANT: memcpy(value, track->constant, track->source->width * sizeof *value); return;
  case ANIM_FORM_SAMPLES: break;
  }
  double left[4];
  anim_decoded_sample(track, row, left);
  if (fraction == 0) {
    memcpy(value, left, track->source->width * sizeof *value);
    return;
  }
  anim_decoded_sample(track, row + 1 < clip->sample_count ? row + 1 : row, right);
  if (track->source->path == MPAK_PATH_ROTATION) {
    anim_slerp_double(left, right, fraction, value);
  } else {
    for (int i = 0; i < 3; i++) value[i] = left[i] + (right[i] - left[i]) * fraction;
  }
}

static double *error_path_of(anim_local *local, uint32_t path) {
  return path == MPAK_PATH_ROTATION ? local->rotation : path == MPAK_PATH_SCALE ? local->scale : local->translation;
}

/// A node's local matrix in the compressed clip at a row (which may be a fraction), or in the source.
static void error_local(const anim_clip *clip, uint32_t node, double row, bool is_source, anim_matrix out) {
  const cook_skeleton *skeleton = clip->skeleton;
  const uint32_t *track_of = clip->track_of + (size_t)node * ANIM_PATHS;
  if (track_of[0] == MPAK_NONE && track_of[1] == MPAK_NONE && track_of[2] == MPAK_NONE) {
    memcpy(out, skeleton->matrices[node], sizeof(anim_matrix));
    return;
  }
  anim_local local = skeleton->rests[node];
  const uint32_t whole = (uint32_t)row;
  const double time_s = anim_sample_time(clip, row);
  for (uint32_t path = 0; path < ANIM_PATHS; path++) {
    if (track_of[path] == MPAK_NONE) continue;
    const anim_track *track = &clip->tracks[track_of[path]];
    if (is_source)
      anim_curve_at(track->source, time_s, error_path_of(&local, path));
    else
      error_path_at(clip, track, whole, row - whole, time_s, error_path_of(&local, path));
  }
  anim_matrix_of_local(&local, out);
}

// -- Distances -------------------------------------------------------------------------------------------------------

/// The largest squared distance of a node's six points, each at its lever along an axis.
static double error_square(const double *truth, const double *made, const double lever[3]) {
  double largest = 0;
  const double origin[3] = {made[3] - truth[3], made[7] - truth[7], made[11] - truth[11]};
  for (int axis = 0; axis < 3; axis++) {
    double plus = 0, minus = 0;
    for (int r = 0; r < 3; r++) {
      const double along = (made[4 * r + axis] - truth[4 * r + axis]) * lever[axis];
      plus += (origin[r] + along) * (origin[r] + along);
      minus += (origin[r] - along) * (origin[r] - along);
    }
    if (!(plus <= largest)) largest = plus;
    if (!(minus <= largest)) largest = minus;
  }
  return largest;
}

static void error_component(const cook_skeleton *skeleton, uint32_t node, const anim_matrix local,
                            anim_matrix *components) {
  const uint32_t parent = skeleton->scene->nodes[node].parent;
  if (parent == MPAK_NONE)
    for (int i = 0; i < 12; i++) components[node][i] = local[i];
  else
    anim_matrix_multiply(components[parent], local, components[node]);
}

// -- Ruler -----------------------------------------------------------------------------------------------------------

/// Rows and the middles between them, evenly spread; all where they are few.
static void error_choose_times(anim_ruler *ruler) {
  const uint32_t samples = ruler->clip->sample_count, nodes = ruler->clip->skeleton->node_count;
  const uint64_t places = 2 * (uint64_t)samples - 1;
  uint64_t most = ERROR_RULER_POSES / (nodes ? nodes : 1);
  if (most < ERROR_LEAST_ROWS) most = ERROR_LEAST_ROWS;
  ruler->time_count = (uint32_t)(places < most ? places : most);
  ruler->rows = JOB_ARRAY(ruler->clip->job, double, ruler->time_count);
  for (uint32_t i = 0; i < ruler->time_count; i++) {
    const uint64_t place = ruler->time_count == places ? i : i * (places - 1) / (ruler->time_count - 1);
    ruler->rows[i] = (double)place / 2;
  }
}

anim_ruler *anim_ruler_make(anim_clip *clip) {
  anim_ruler *ruler = JOB_ARRAY(clip->job, anim_ruler, 1);
  const uint32_t nodes = clip->skeleton->node_count;
  *ruler = (anim_ruler){.clip = clip};
  error_choose_times(ruler);
  const uint64_t poses = (uint64_t)ruler->time_count * nodes;
  ruler->truth = JOB_ARRAY(clip->job, anim_matrix, poses);
  ruler->locals = JOB_ARRAY(clip->job, anim_matrix, poses);
  ruler->components = JOB_ARRAY(clip->job, anim_matrix, poses);
  ruler->trial = JOB_ARRAY(clip->job, anim_matrix, nodes);
  ruler->trial_locals = JOB_ARRAY(clip->job, anim_matrix, ruler->time_count);
  for (uint32_t t = 0; t < ruler->time_count; t++) {
    for (uint32_t n = 0; n < nodes; n++) {
      anim_matrix local;
      error_local(clip, n, ruler->rows[t], true, local);
      error_component(clip->skeleton, n, (const double *)local, ruler->truth + (uint64_t)t * nodes);
    }
  }
  return ruler;
}

double anim_ruler_measure(anim_ruler *ruler) {
  const anim_clip *clip = ruler->clip;
  const cook_skeleton *skeleton = clip->skeleton;
  double largest = 0;
  for (uint32_t t = 0; t < ruler->time_count; t++) {
    const uint64_t first = (uint64_t)t * skeleton->node_count;
    for (uint32_t n = 0; n < skeleton->node_count; n++) {
      error_local(clip, n, ruler->rows[t], false, ruler->locals[first + n]);
      error_component(skeleton, n, (const double *)ruler->locals[first + n], ruler->components + first);
      const double square = error_square(ruler->truth[first + n], ruler->components[first + n], skeleton->lever[n]);
      if (!(square <= largest)) largest = square;
    }
  }
  return sqrt(largest);
}

/// Poses below a node at one time, into trial. Returns false at the first node past the bound.
static bool error_try_time(anim_ruler *ruler, uint32_t node, uint32_t t) {
  const cook_skeleton *skeleton = ruler->clip->skeleton;
  const uint64_t first = (uint64_t)t * skeleton->node_count;
  const double bound_square = ruler->clip->bound_m * ruler->clip->bound_m;
  error_local(ruler->clip, node, ruler->rows[t], false, ruler->trial_locals[t]);
  for (uint32_t s = skeleton->subtree_start[node]; s < skeleton->subtree_start[node + 1]; s++) {
    const uint32_t below = skeleton->subtree_nodes[s], parent = skeleton->scene->nodes[below].parent;
    const double *local = below == node ? ruler->trial_locals[t] : ruler->locals[first + below];
    if (below == node && parent == MPAK_NONE)
      for (int i = 0; i < 12; i++) ruler->trial[below][i] = local[i];
    else
      anim_matrix_multiply(below == node ? ruler->components[first + parent] : ruler->trial[parent], local,
                           ruler->trial[below]);
    const double square = error_square(ruler->truth[first + below], ruler->trial[below], skeleton->lever[below]);
    if (!(square <= bound_square)) return false;
  }
  return true;
}

bool anim_ruler_try(anim_ruler *ruler, const anim_track *track) {
  const cook_skeleton *skeleton = ruler->clip->skeleton;
  const uint32_t node = track->source->node;
  if (!error_try_time(ruler, node, ruler->worst_time)) return false;
  for (uint32_t t = 0; t < ruler->time_count; t++) {
    if (error_try_time(ruler, node, t)) continue;
    ruler->worst_time = t;
    return false;
  }
  for (uint32_t t = 0; t < ruler->time_count; t++) {
    const uint64_t first = (uint64_t)t * skeleton->node_count;
    memcpy(ruler->locals[first + node], ruler->trial_locals[t], sizeof(anim_matrix));
    for (uint32_t s = skeleton->subtree_start[node]; s < skeleton->subtree_start[node + 1]; s++) {
      const uint32_t below = skeleton->subtree_nodes[s];
      error_component(skeleton, below, (const double *)ruler->locals[first + below], ruler->components + first);
    }
  }
  return true;
}

// -- All times -------------------------------------------------------------------------------------------------------

typedef struct error_poses {
  anim_matrix *truth, *made;
} error_poses;

static double error_measure_row(const anim_clip *clip, const error_poses *poses, double row) {
  const cook_skeleton *skeleton = clip->skeleton;
  double largest = 0;
  for (uint32_t n = 0; n < skeleton->node_count; n++) {
    anim_matrix local;
    error_local(clip, n, row, true, local);
    error_component(skeleton, n, (const double *)local, poses->truth);
    error_local(clip, n, row, false, local);
    error_component(skeleton, n, (const double *)local, poses->made);
    const double square = error_square(poses->truth[n], poses->made[n], skeleton->lever[n]);
    if (!(square <= largest)) largest = square;
  }
  return largest;
}

static int error_compare_rows(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/// The largest distance at keys that stand on no sample.
static double error_measure_keys(const anim_clip *clip, const error_poses *poses) {
  const double start_s = (double)clip->source->start_s, length_s = (double)clip->source->end_s - start_s;
  double largest = 0;
  uint64_t count = 0, kept = 0;
  if (clip->keys_fall_on_samples || !(length_s > 0)) return 0;
  for (uint32_t t = 0; t < clip->track_count; t++) count += clip->tracks[t].source->key_count;
  double *rows = JOB_ARRAY(clip->job, double, count);
  for (uint32_t t = 0; t < clip->track_count; t++) {
    const cook_track *source = clip->tracks[t].source;
    if (clip->tracks[t].form != ANIM_FORM_SAMPLES || source->path == MPAK_PATH_WEIGHTS) continue;
    for (uint32_t k = 0; k < source->key_count; k++) {
      const double row = ((double)source->times[k] - start_s) / length_s * (clip->sample_count - 1);
      if (row > 0 && row < clip->sample_count - 1) rows[kept++] = row;
    }
  }
  if (kept) qsort(rows, (size_t)kept, sizeof *rows, error_compare_rows);
  for (uint64_t i = 0; i < kept; i++) {
    if (i > 0 && rows[i] == rows[i - 1]) continue;
    const double square = error_measure_row(clip, poses, rows[i]);
    if (!(square <= largest)) largest = square;
  }
  return largest;
}

/// Places to ask between two samples: half way, and where a sampled curve bends the quarters too.
static uint32_t error_places(const anim_clip *clip) {
  for (uint32_t t = 0; t < clip->track_count; t++) {
    const anim_track *track = &clip->tracks[t];
    if (track->form == ANIM_FORM_SAMPLES && track->source->interpolation == MPAK_CUBICSPLINE) return 4;
  }
  return 2;
}

double anim_measure_all(const anim_clip *clip) {
  const cook_mark mark = job_mark(clip->job);
  const error_poses poses = {JOB_ARRAY(clip->job, anim_matrix, clip->skeleton->node_count),
                             JOB_ARRAY(clip->job, anim_matrix, clip->skeleton->node_count)};
  double largest = error_measure_keys(clip, &poses);
  const uint32_t places = error_places(clip);
  for (uint64_t place = 0; place <= places * ((uint64_t)clip->sample_count - 1); place++) {
    const double square = error_measure_row(clip, &poses, (double)place / places);
    if (!(square <= largest)) largest = square;
  }
  job_release(clip->job, mark);
  return sqrt(largest);
}
