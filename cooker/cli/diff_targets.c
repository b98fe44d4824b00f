// diff_targets.c: morph targets of a mesh that two packs have: added, removed, renamed (the same deltas under another
// name), and how far the deltas of the others are apart.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cooker/cli/diff.h"
#include "cooker/report/number.h"

/// Deltas of shapes that are this near are the same under another name, in metres.
#define TARGETS_SAME_M 1e-6

/// A mesh, and room for the deltas of one shape, dense.
typedef struct targets_work {
  diff_state *state;
  const uint32_t *mesh;
  float (*dense[2])[3]; ///< most vertices of a part
} targets_work;

static uint32_t targets_part_limit(const mpak_pack *pack, uint32_t mesh) {
  uint32_t most = 0;
  for (uint32_t p = pack->meshes[mesh].first_part; p < pack->meshes[mesh].first_part + pack->meshes[mesh].part_count;
       p++)
    if (pack->parts[p].vertex_count > most) most = pack->parts[p].vertex_count;
  return most;
}

static const mpak_control *targets_control(const targets_work *work, int side, uint32_t control) {
  const mpak_pack *pack = work->state->sides[side].pack;
  return &pack->controls[pack->meshes[work->mesh[side]].first_control + control];
}

static const char *targets_key(const targets_work *work, int side, uint32_t control) {
  return mpak_string(work->state->sides[side].pack, targets_control(work, side, control)->key);
}

/// The shape number n of a control in a part, or MPAK_NONE.
static uint32_t targets_shape(const targets_work *work, int side, uint32_t part, uint32_t control, uint32_t n) {
  const mpak_pack *pack = work->state->sides[side].pack;
  const uint32_t wanted = pack->meshes[work->mesh[side]].first_control + control;
  for (uint32_t s = 0; s < pack->parts[part].shape_count; s++)
    if (pack->shapes[pack->parts[part].first_shape + s].control == wanted && n-- == 0) return s;
  return MPAK_NONE;
}

static void targets_fill(const targets_work *work, int side, uint32_t part, uint32_t shape) {
  const morph_table *table = &work->state->sides[side].deltas[part];
  memset(work->dense[side], 0,
         (size_t)work->state->sides[side].pack->parts[part].vertex_count * sizeof *work->dense[side]);
  for (uint64_t d = 0; shape != MPAK_NONE && d < table->counts[shape]; d++) {
    const morph_delta *delta = &table->deltas[table->starts[shape] + d];
    memcpy(work->dense[side][delta->vertex], delta->delta, sizeof *work->dense[side]);
  }
}

/// The largest distance between deltas of two shapes of a pair in metres; a shape that is missing is zero.
static double targets_shape_distance(const targets_work *work, const diff_pair *pair, const uint32_t shape[2],
                                     double *longest) {
  double largest = 0;
  for (int side = 0; side < 2; side++) targets_fill(work, side, pair->part[side], shape[side]);
  for (uint32_t v = 0; v < work->state->sides[0].pack->parts[pair->part[0]].vertex_count; v++) {
    if (pair->b_of_a[v] == MPAK_NONE) continue;
    const float *a = work->dense[0][v], *b = work->dense[1][pair->b_of_a[v]];
    double square = 0, length = 0;
    for (int c = 0; c < 3; c++) {
      square += ((double)a[c] - (double)b[c]) * ((double)a[c] - (double)b[c]);
      length += (double)a[c] * (double)a[c];
    }
    if (square > largest) largest = square;
    if (length > *longest) *longest = length;
  }
  return sqrt(largest);
}

/// The same over all shapes of two controls in all primitives that both have.
static double targets_distance(const targets_work *work, uint32_t a, uint32_t b, double *longest) {
  double largest = 0;
  *longest = 0;
  for (uint32_t i = 0; i < work->state->pair_count; i++) {
    const diff_pair *pair = &work->state->pairs[i];
    if (work->state->sides[0].pack->parts[pair->part[0]].mesh != work->mesh[0]) continue;
    for (uint32_t n = 0;; n++) {
      const uint32_t shape[2] = {targets_shape(work, 0, pair->part[0], a, n),
                                 targets_shape(work, 1, pair->part[1], b, n)};
      if (shape[0] == MPAK_NONE && shape[1] == MPAK_NONE) break;
      const double away = targets_shape_distance(work, pair, shape, longest);
      if (away > largest) largest = away;
    }
  }
  return largest;
}

// -- Findings --------------------------------------------------------------------------------------------------------

static const char *targets_detail(const targets_work *work, uint32_t a, uint32_t b) {
  const mpak_control *controls[2] = {targets_control(work, 0, a), targets_control(work, 1, b)};
  char before[NUMBER_BYTES], now[NUMBER_BYTES];
  if (controls[0]->default_weight == controls[1]->default_weight) return NULL;
  number_format_float(before, controls[0]->default_weight);
  number_format_float(now, controls[1]->default_weight);
  return job_format(work->state->job, "default %s, now %s", before, now);
}

static void targets_compare(const targets_work *work, uint32_t a, uint32_t b) {
  double longest = 0;
  const double away_m = targets_distance(work, a, b, &longest);
  diff_finding finding = DIFF_FINDING("target", DIFF_CHANGED);
  finding.mesh = mpak_string(work->state->sides[0].pack, work->state->sides[0].pack->meshes[work->mesh[0]].key);
  finding.name = targets_key(work, 0, a);
  finding.detail = targets_detail(work, a, b);
  if (diff_is_moved(work->state, away_m)) finding.largest_mm = 1000 * away_m;
  if (finding.detail != NULL || finding.largest_mm >= 0) diff_add(work->state, &finding);
}

static void targets_alone(const targets_work *work, diff_change change, const char *name, const char *now) {
  diff_finding finding = DIFF_FINDING("target", change);
  finding.mesh = mpak_string(work->state->sides[0].pack, work->state->sides[0].pack->meshes[work->mesh[0]].key);
  finding.name = name;
  finding.now = now;
  diff_add(work->state, &finding);
}

/// The control of B, not yet taken, that does what control a does; MPAK_NONE when there is none, or a does nothing.
static uint32_t targets_find_same(const targets_work *work, uint32_t a, const bool *is_taken, uint32_t count) {
  for (uint32_t b = 0; b < count; b++) {
    double longest = 0;
    if (!is_taken[b] && targets_distance(work, a, b, &longest) <= TARGETS_SAME_M && longest > 0) return b;
  }
  return MPAK_NONE;
}

/// Controls with the same key; MPAK_NONE where there is none. Marks those of B.
static uint32_t *targets_match(const targets_work *work, uint32_t count_a, bool *is_taken) {
  uint32_t *other = JOB_ARRAY(work->state->job, uint32_t, count_a);
  for (uint32_t a = 0; a < count_a; a++) {
    other[a] = mpak_find_control(work->state->sides[1].pack, work->mesh[1], targets_key(work, 0, a));
    if (other[a] != MPAK_NONE) is_taken[other[a]] = true;
  }
  return other;
}

void diff_targets(diff_state *state, const uint32_t mesh[2]) {
  targets_work work = {.state = state, .mesh = mesh};
  const uint32_t counts[2] = {state->sides[0].pack->meshes[mesh[0]].control_count,
                              state->sides[1].pack->meshes[mesh[1]].control_count};
  for (int side = 0; side < 2; side++)
    work.dense[side] =
        job_alloc(state->job, targets_part_limit(state->sides[side].pack, mesh[side]), sizeof *work.dense[side]);
  bool *is_taken = JOB_ARRAY(state->job, bool, counts[1]);
  const uint32_t *other = targets_match(&work, counts[0], is_taken);
  for (uint32_t a = 0; a < counts[0]; a++) {
    if (other[a] != MPAK_NONE) {
      targets_compare(&work, a, other[a]);
      continue;
    }
    const uint32_t same = targets_find_same(&work, a, is_taken, counts[1]);
    targets_alone(&work, same == MPAK_NONE ? DIFF_REMOVED : DIFF_RENAMED, targets_key(&work, 0, a),
                  same == MPAK_NONE ? NULL : targets_key(&work, 1, same));
    if (same != MPAK_NONE) is_taken[same] = true;
  }
  for (uint32_t b = 0; b < counts[1]; b++)
    if (!is_taken[b]) targets_alone(&work, DIFF_ADDED, targets_key(&work, 1, b), NULL);
}
