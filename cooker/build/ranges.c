#include <math.h>

#include "cooker/build/build.h"
#include "format/bytes.h"

// -- Widening ---------------------------------------------------------------------------------------------------------

/// The neighbour of a float, away from zero or towards it. Finite floats only.
static float range_step(float value, bool is_up) {
  const uint32_t bits = bytes_bits_of_float(value);
  if ((bits & 0x7FFFFFFFu) == 0) return bytes_float_of_bits(is_up ? 1u : 0x80000001u);
  const bool grows = (bits >> 31 == 0) == is_up;
  const float next = bytes_float_of_bits(grows ? bits + 1 : bits - 1);
  return bytes_float_is_finite(next) ? next : value;
}

/// Widens control t's range so that it holds value, rounded outwards.
static void range_hold(const cook_mesh *mesh, uint32_t t, double value) {
  float low = (float)value, high = low;
  if (!bytes_float_is_finite(low)) return;
  if ((double)low > value) low = range_step(low, false);
  if ((double)high < value) high = range_step(high, true);
  if (low < mesh->range_min[t]) mesh->range_min[t] = low;
  if (high > mesh->range_max[t]) mesh->range_max[t] = high;
}

static void range_hold_all(const cook_mesh *mesh, const float *weights, uint32_t count) {
  for (uint32_t t = 0; weights != NULL && t < count && t < mesh->control_count; t++) range_hold(mesh, t, weights[t]);
}

// -- Curves -----------------------------------------------------------------------------------------------------------

/// One segment of glTF's cubic spline: p(s) = (2s^3-3s^2+1) v0 + (s^3-2s^2+s) m0 + (-2s^3+3s^2) v1 + (s^3-s^2) m1,
/// where m are the stored tangents times the segment's duration.
typedef struct range_segment {
  double v0, m0, v1, m1;
} range_segment;

static double range_at(const range_segment *g, double s) {
  const double cube = 2 * g->v0 + g->m0 - 2 * g->v1 + g->m1;
  const double square = -3 * g->v0 - 2 * g->m0 + 3 * g->v1 - g->m1;
  return ((cube * s + square) * s + g->m0) * s + g->v0;
}

static void range_hold_at(const cook_mesh *mesh, uint32_t t, const range_segment *segment, double s) {
  if (s > 0 && s < 1) range_hold(mesh, t, range_at(segment, s));
}

/// Inner extremes: the roots of p'(s) = a s^2 + b s + c, by the form that does not cancel.
static void range_hold_segment(const cook_mesh *mesh, uint32_t t, const range_segment *g) {
  const double a = 3 * (2 * g->v0 + g->m0 - 2 * g->v1 + g->m1);
  const double b = 2 * (-3 * g->v0 - 2 * g->m0 + 3 * g->v1 - g->m1);
  const double c = g->m0;
  const double discriminant = b * b - 4 * a * c;
  if (discriminant < 0) return;
  const double q = -0.5 * (b + (b < 0 ? -sqrt(discriminant) : sqrt(discriminant)));
  if (a != 0) range_hold_at(mesh, t, g, q / a);
  if (q != 0) range_hold_at(mesh, t, g, c / q);
}

/// Keys of a cubic track stand as in-tangents, values, out-tangents, width numbers each.
static void range_hold_cubic(const cook_mesh *mesh, const cook_track *track, uint32_t t, uint32_t key) {
  const float *here = track->values + (uint64_t)key * 3 * track->width + t;
  range_hold(mesh, t, here[track->width]);
  if (key + 1 == track->key_count) return;
  const float *next = here + 3 * (uint64_t)track->width;
  const double duration_s = (double)track->times[key + 1] - track->times[key];
  const range_segment segment = {here[track->width], duration_s * here[2 * (uint64_t)track->width], next[track->width],
                                 duration_s * next[0]};
  range_hold_segment(mesh, t, &segment);
}

static void range_hold_track(const cook_mesh *mesh, const cook_track *track) {
  const uint32_t width = track->width < mesh->control_count ? track->width : mesh->control_count;
  const bool is_cubic = track->interpolation == MPAK_CUBICSPLINE;
  const uint64_t needed = (uint64_t)track->key_count * track->width * (is_cubic ? 3 : 1);
  if (track->value_count < needed) return; // check/ has reported it
  for (uint32_t key = 0; key < track->key_count; key++) {
    for (uint32_t t = 0; t < width; t++) {
      if (is_cubic)
        range_hold_cubic(mesh, track, t, key);
      else
        range_hold(mesh, t, track->values[(uint64_t)key * track->width + t]);
    }
  }
}

// -- Controls ---------------------------------------------------------------------------------------------------------

static void ranges_begin(cook_job *job, cook_mesh *mesh, const cook_options *options) {
  mesh->range_min = JOB_ARRAY(job, float, mesh->control_count);
  mesh->range_max = JOB_ARRAY(job, float, mesh->control_count);
  for (uint32_t t = 0; t < mesh->control_count; t++) {
    mesh->range_max[t] = 1;
    if (!options->has_weight_range) continue;
    range_hold(mesh, t, options->weight_range[0]);
    range_hold(mesh, t, options->weight_range[1]);
  }
  if (mesh->has_default_weights) range_hold_all(mesh, mesh->default_weights, mesh->control_count);
}

void build_ranges(cook_job *job, cook_scene *scene, const cook_options *options) {
  for (uint32_t m = 0; m < scene->mesh_count; m++) ranges_begin(job, &scene->meshes[m], options);
  for (uint32_t n = 0; n < scene->node_count; n++) {
    const cook_node *node = &scene->nodes[n];
    if (node->mesh != MPAK_NONE) range_hold_all(&scene->meshes[node->mesh], node->weights, node->weight_count);
  }
  for (uint32_t c = 0; c < scene->clip_count; c++) {
    for (uint32_t t = 0; t < scene->clips[c].track_count; t++) {
      const cook_track *track = &scene->clips[c].tracks[t];
      const uint32_t mesh = scene->nodes[track->node].mesh;
      if (track->path == MPAK_PATH_WEIGHTS && mesh != MPAK_NONE) range_hold_track(&scene->meshes[mesh], track);
    }
  }
}
