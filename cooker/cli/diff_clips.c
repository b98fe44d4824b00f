// diff_clips.c: clips that two packs have, by the vertices that come out: at the ends and at times between.
#include <math.h>
#include <string.h>

#include "cooker/cli/diff.h"
#include "cooker/report/number.h"
#include "runtime/reference/mpak_reference.h"

/// Moments of a clip at which both are posed, its ends included.
#define CLIPS_MOMENTS 9

typedef struct clips_work {
  diff_state *state;
  mpak_ref_pose poses[2];
  double (*vertices[2])[3]; ///< most vertices of a part
} clips_work;

static const char *clip_key(const mpak_pack *pack, uint32_t c) { return mpak_string(pack, pack->clips[c].key); }

static void clips_begin(clips_work *work, diff_state *state) {
  *work = (clips_work){.state = state};
  for (int side = 0; side < 2; side++) {
    const mpak_pack *pack = state->sides[side].pack;
    uint32_t most = 0;
    for (uint32_t p = 0; p < pack->part_count; p++)
      if (pack->parts[p].vertex_count > most) most = pack->parts[p].vertex_count;
    work->vertices[side] = job_alloc(state->job, most, sizeof *work->vertices[side]);
  }
}

static void clips_pose(clips_work *work, int side, uint32_t clip, double time_s) {
  const diff_side *from = &work->state->sides[side];
  const uint64_t byte_count = mpak_ref_pose_bytes(from->pack);
  void *memory = job_alloc(work->state->job, byte_count, 1);
  if (mpak_ref_pose_init(from->pack, memory, byte_count, &work->poses[side]) != MPAK_OK)
    job_fail(work->state->job, MPAK_O010, COOK_WHERE);
  const mpak_clip *record = &from->pack->clips[clip];
  const double start_s = (double)record->start_s, end_s = (double)record->end_s;
  mpak_ref_sample(&work->poses[side], &from->clips, clip, time_s < start_s ? start_s : time_s > end_s ? end_s : time_s);
  mpak_ref_component(&work->poses[side]);
}

static double clips_pair_distance(clips_work *work, const diff_pair *pair, const uint32_t instance[2]) {
  double largest = 0;
  for (int side = 0; side < 2; side++) {
    const mpak_ref_vertices out = {.positions = work->vertices[side]};
    mpak_ref_deform(&work->poses[side], instance[side], pair->part[side],
                    &work->state->sides[side].parts[pair->part[side]], false, &out);
  }
  for (uint32_t v = 0; v < work->state->sides[0].pack->parts[pair->part[0]].vertex_count; v++) {
    if (pair->b_of_a[v] == MPAK_NONE) continue;
    const double *a = work->vertices[0][v], *b = work->vertices[1][pair->b_of_a[v]];
    const double square = (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]);
    if (square > largest) largest = square;
  }
  return sqrt(largest);
}

/// The instance of B on the node with the key of A's, or MPAK_NONE.
static uint32_t clips_instance(const diff_state *state, uint32_t instance) {
  const mpak_pack *a = state->sides[0].pack, *b = state->sides[1].pack;
  const uint32_t node = mpak_find_node(b, mpak_string(a, a->nodes[a->instances[instance].node].key));
  return node == MPAK_NONE ? MPAK_NONE : mpak_find_instance(b, node);
}

/// All that both draw, at the moment of the poses.
static double clips_pose_distance(clips_work *work) {
  const mpak_pack *a = work->state->sides[0].pack, *b = work->state->sides[1].pack;
  double largest = 0;
  for (uint32_t i = 0; i < a->instance_count; i++) {
    const uint32_t instance[2] = {i, clips_instance(work->state, i)};
    for (uint32_t p = 0; p < work->state->pair_count && instance[1] != MPAK_NONE; p++) {
      const diff_pair *pair = &work->state->pairs[p];
      if (a->parts[pair->part[0]].mesh != a->instances[i].mesh || a->parts[pair->part[0]].lod != 0 ||
          b->parts[pair->part[1]].mesh != b->instances[instance[1]].mesh)
        continue;
      const double away = clips_pair_distance(work, pair, instance);
      if (away > largest) largest = away;
    }
  }
  return largest;
}

static double clips_distance(clips_work *work, uint32_t a, uint32_t b) {
  const mpak_clip *records[2] = {&work->state->sides[0].pack->clips[a], &work->state->sides[1].pack->clips[b]};
  const double start_s = fmin((double)records[0]->start_s, (double)records[1]->start_s);
  const double end_s = fmax((double)records[0]->end_s, (double)records[1]->end_s);
  double largest = 0;
  for (int i = 0; i < CLIPS_MOMENTS; i++) {
    const cook_mark mark = job_mark(work->state->job);
    const double time_s = start_s + (end_s - start_s) * i / (CLIPS_MOMENTS - 1);
    clips_pose(work, 0, a, time_s);
    clips_pose(work, 1, b, time_s);
    largest = fmax(largest, clips_pose_distance(work));
    job_release(work->state->job, mark);
  }
  return largest;
}

static void clips_compare(clips_work *work, uint32_t a, uint32_t b) {
  const mpak_clip *records[2] = {&work->state->sides[0].pack->clips[a], &work->state->sides[1].pack->clips[b]};
  char numbers[4][NUMBER_BYTES];
  diff_finding finding = DIFF_FINDING("clip", DIFF_CHANGED);
  const double away_m = clips_distance(work, a, b);
  finding.name = clip_key(work->state->sides[0].pack, a);
  if (records[0]->start_s != records[1]->start_s || records[0]->end_s != records[1]->end_s) {
    for (int i = 0; i < 2; i++) {
      number_format_float(numbers[2 * i], records[i]->start_s);
      number_format_float(numbers[2 * i + 1], records[i]->end_s);
    }
    finding.detail =
        job_format(work->state->job, "%s to %s s, now %s to %s s", numbers[0], numbers[1], numbers[2], numbers[3]);
  }
  if (diff_is_moved(work->state, away_m)) finding.largest_mm = 1000 * away_m;
  if (finding.detail != NULL || finding.largest_mm >= 0) diff_add(work->state, &finding);
}

void diff_clips(diff_state *state) {
  const mpak_pack *a = state->sides[0].pack, *b = state->sides[1].pack;
  const uint32_t *clips = diff_match(state, "clip", a->clip_count, b->clip_count, clip_key);
  clips_work work;
  clips_begin(&work, state);
  for (uint32_t c = 0; c < a->clip_count; c++)
    if (clips[c] != MPAK_NONE) clips_compare(&work, c, clips[c]);
}
