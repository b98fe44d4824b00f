// bench_segments: would segments of 32 frames or reduced keys make compressed clips smaller than uniform rows do?
//
//   bench_segments FOLDER [case]   FOLDER as for bench_pose
//
// Segments: the cooker compresses every 32 intervals of a clip as a clip of its own, with ranges, steps and constants
// of its own, and both end samples, as a reader of one segment needs. Of these only what a segmented format would have
// to keep is counted: rows, and for each segment as few bits as could do: offset and length of the rows (64), for each
// track its step (10), for each component its width (5) and its base to within the segment's range (the width + 4). The
// lists are counted once, as in the uniform block. In the file: what the pieces take as they are written today.
//
// Reduced keys: on the numbers of the uniform rows, a track keeps the fewest samples (found greedily, inside segments)
// between which a straight line misses no number by more than half a step: an error beside that of the rounding, which
// makes it look better than it is. A track costs a bit a sample and the kept numbers; the smaller of both is taken for
// each track. In the file: both ways as differences, folded, in byte planes, under zstd.
#include <zstd.h>

#include "format/anim_block.h"
#include "tools/bench_clips.h"

#define SEGMENT_INTERVALS 32u
#define SEGMENT_ERROR_M   0.0001
#define SEGMENT_ZSTD      19

// -- Segments --------------------------------------------------------------------------------------------------------

static uint32_t segment_intervals(uint32_t samples) { return samples > 1 ? samples - 1 : 1; }

static uint32_t segment_count(uint32_t samples) {
  return (segment_intervals(samples) + SEGMENT_INTERVALS - 1) / SEGMENT_INTERVALS;
}

/// The keys that a piece of a clip needs: from the last one before it to the first one behind it.
static cook_track *segment_cut(cook_job *job, const cook_clip *clip, double start_s, double end_s) {
  cook_track *tracks = JOB_ARRAY(job, cook_track, clip->track_count);
  for (uint32_t t = 0; t < clip->track_count; t++) {
    cook_track *track = &tracks[t];
    *track = clip->tracks[t];
    const uint64_t stride = (uint64_t)track->width * (track->interpolation == MPAK_CUBICSPLINE ? 3 : 1);
    uint32_t first = 0, last = track->key_count ? track->key_count - 1 : 0;
    while (first < last && (double)track->times[first + 1] <= start_s) first++;
    while (last > first && (double)track->times[last - 1] >= end_s) last--;
    if (track->key_count == 0) continue;
    track->times += first;
    track->values += first * stride;
    track->key_count = last - first + 1;
    track->value_count = track->key_count * stride;
  }
  return tracks;
}

/// user: samples of each clip when it is whole.
static void segment_split(cook_job *job, cook_scene *scene, void *user) {
  const uint32_t *samples = user;
  uint32_t total = 0, next = 0;
  for (uint32_t c = 0; c < scene->clip_count; c++) total += segment_count(samples[c]);
  cook_clip *pieces = JOB_ARRAY(job, cook_clip, total);
  for (uint32_t c = 0; c < scene->clip_count; c++) {
    const cook_clip *clip = &scene->clips[c];
    const double intervals = segment_intervals(samples[c]), start_s = (double)clip->start_s;
    const double length_s = (double)clip->end_s - start_s;
    for (uint32_t s = 0; s < segment_count(samples[c]); s++, next++) {
      const double first = (double)s * SEGMENT_INTERVALS, last = fmin(first + SEGMENT_INTERVALS, intervals);
      pieces[next] = *clip;
      pieces[next].name = job_format(job, "%s %u", clip->name, s);
      if (segment_count(samples[c]) == 1) continue;
      pieces[next].start_s = (float)(start_s + length_s * first / intervals);
      pieces[next].end_s = (float)(start_s + length_s * last / intervals);
      pieces[next].tracks = segment_cut(job, clip, (double)pieces[next].start_s, (double)pieces[next].end_s);
    }
  }
  scene->clips = pieces;
  scene->clip_count = total;
}

typedef struct segment_sizes {
  double rows, lists, headers; ///< bytes in memory
  double keys;                 ///< tracks that stay keys
  double stored;               ///< in the file
} segment_sizes;

static double segment_header_bits(const anim_block *block) {
  double bits = 64;
  anim_field field = {0};
  while (anim_field_next(block, &field)) bits += 5 + anim_width_of(field.component) + 4;
  for (uint32_t l = ANIM_ROTATIONS; l <= ANIM_SCALES; l++) bits += 10.0 * block->lists[l].count;
  return bits;
}

static segment_sizes segment_measure(const bench_pack *bench) {
  const mpak_pack *pack = &bench->pack;
  segment_sizes sizes = {0};
  for (uint32_t c = 0; c < pack->clip_count; c++) {
    if (pack->clips[c].word_count == 0) continue;
    const anim_block block = anim_block_of(bench->clips.words + pack->clips[c].first_word, pack->node_count);
    const double rows = (double)block.sample_count * block.row_bytes;
    sizes.rows += rows;
    sizes.lists += 4.0 * pack->clips[c].word_count - rows;
    sizes.headers += segment_header_bits(&block) / 8;
  }
  for (uint32_t i = 0; i < pack->chunk_count; i++) {
    const mpak_chunk_entry *chunk = &pack->chunks[i];
    const bool is_keys =
        chunk->kind == MPAK_KIND_KEYT || chunk->kind == MPAK_KIND_KEYV || chunk->kind == MPAK_KIND_TRAK;
    if (is_keys) sizes.keys += (double)chunk->decoded_bytes;
    if (is_keys || chunk->kind == MPAK_KIND_ANIM) sizes.stored += (double)chunk->stored_bytes;
  }
  return sizes;
}

// -- Reduced keys ----------------------------------------------------------------------------------------------------

/// Folded differences in two byte planes.
typedef struct segment_stream {
  uint8_t *planes[2];
  size_t count, room;
} segment_stream;

static void segment_put(segment_stream *stream, uint32_t code) {
  if (stream->count == stream->room) {
    stream->room = stream->room ? 2 * stream->room : 65536;
    for (int p = 0; p < 2; p++) stream->planes[p] = realloc(stream->planes[p], stream->room);
    if (!stream->planes[0] || !stream->planes[1]) exit(6);
  }
  stream->planes[0][stream->count] = (uint8_t)code;
  stream->planes[1][stream->count++] = (uint8_t)(code >> 8);
}

static size_t segment_stored(segment_stream *stream) {
  const size_t bound = ZSTD_compressBound(stream->count);
  void *scratch = malloc(bound + 1);
  size_t bytes = 0;
  if (!scratch) exit(6);
  for (int p = 0; p < 2; p++) {
    bytes += ZSTD_compress(scratch, bound, stream->planes[p], stream->count, SEGMENT_ZSTD);
    free(stream->planes[p]);
  }
  free(scratch);
  return bytes;
}

/// The numbers of one track, sample by sample, four apart.
typedef struct segment_track {
  uint32_t samples, components, bits;
  int32_t *numbers;
  bool *is_kept;
  uint32_t kept;
} segment_track;

static bool segment_line_fits(const segment_track *track, uint32_t from, uint32_t to) {
  for (uint32_t i = from + 1; i < to; i++) {
    for (uint32_t c = 0; c < track->components; c++) {
      const double a = track->numbers[4 * from + c], b = track->numbers[4 * to + c];
      if (fabs(a + (b - a) * (i - from) / (to - from) - track->numbers[4 * i + c]) > 0.5) return false;
    }
  }
  return true;
}

static void segment_reduce(segment_track *track) {
  track->is_kept[0] = true;
  track->kept = 1;
  for (uint32_t from = 0; from + 1 < track->samples; track->kept++) {
    uint32_t to = from + 1, limit = (from / SEGMENT_INTERVALS + 1) * SEGMENT_INTERVALS;
    if (limit > track->samples - 1) limit = track->samples - 1;
    while (to < limit && segment_line_fits(track, from, to + 1)) to++;
    track->is_kept[to] = true;
    from = to;
  }
}

static uint32_t segment_folded(int32_t difference) { return (uint32_t)difference << 1 ^ (uint32_t)(difference >> 31); }

/// kept: only those samples, from the one before, and which they are; else each from the line through the two before.
static void segment_write(const segment_track *track, bool is_reduced, segment_stream *stream) {
  for (uint32_t c = 0; c < track->components; c++) {
    int32_t before = 0, before_that = 0;
    for (uint32_t i = 0; i < track->samples; i++) {
      const int32_t number = track->numbers[4 * i + c];
      if (is_reduced && !track->is_kept[i]) continue;
      segment_put(stream, segment_folded(number - (is_reduced || i < 2 ? before : 2 * before - before_that)));
      before_that = before;
      before = number;
    }
  }
  for (uint32_t i = 0; is_reduced && i < track->samples; i += 8) {
    uint32_t bits = 0;
    for (uint32_t k = 0; k < 8 && i + k < track->samples; k++) bits |= (uint32_t)track->is_kept[i + k] << k;
    segment_put(stream, bits);
  }
}

typedef struct reduced_sizes {
  double uniform_bits, best_bits;
  segment_stream uniform, best;
} reduced_sizes;

static void segment_add_track(const anim_block *block, uint32_t list, uint32_t number, reduced_sizes *sizes) {
  segment_track track = {.samples = block->sample_count, .components = anim_list_components(list)};
  anim_field field = {0};
  track.numbers = calloc(4 * (size_t)track.samples, sizeof *track.numbers);
  track.is_kept = calloc(track.samples, sizeof *track.is_kept);
  if (!track.numbers || !track.is_kept) exit(6);
  while (anim_field_next(block, &field)) {
    if (field.list != list || field.track != number) continue;
    const uint32_t width = anim_width_of(field.component);
    track.bits += width;
    for (uint32_t i = 0; i < track.samples; i++)
      track.numbers[4 * (size_t)i + field.column - 1] =
          (int32_t)anim_read_bits(block->rows + (size_t)i * block->row_bytes, field.bit, width);
  }
  segment_reduce(&track);
  const double uniform = (double)track.samples * track.bits, reduced = track.samples + (double)track.kept * track.bits;
  sizes->uniform_bits += uniform;
  sizes->best_bits += fmin(uniform, reduced);
  segment_write(&track, false, &sizes->uniform);
  segment_write(&track, reduced < uniform, &sizes->best);
  free(track.numbers);
  free(track.is_kept);
}

static reduced_sizes segment_measure_reduced(const bench_pack *bench) {
  reduced_sizes sizes = {0};
  for (uint32_t c = 0; c < bench->pack.clip_count; c++) {
    if (bench->pack.clips[c].word_count == 0) continue;
    const anim_block block =
        anim_block_of(bench->clips.words + bench->pack.clips[c].first_word, bench->pack.node_count);
    for (uint32_t l = 0; l < ANIM_LIST_COUNT; l++)
      for (uint32_t t = 0; anim_list_components(l) > 0 && t < block.lists[l].count; t++)
        segment_add_track(&block, l, t, &sizes);
  }
  return sizes;
}

// -- Table -----------------------------------------------------------------------------------------------------------

static bool segment_open(bench_pack *bench, const bench_case *which, const char *folder, uint32_t *samples) {
  *bench = (bench_pack){.job = job_begin(NULL, NULL), .which = which, .folder = folder, .clips_only = true};
  bench->error_m = SEGMENT_ERROR_M;
  if (samples) bench->change = segment_split;
  bench->user = samples;
  if (!bench->job || !job_run(bench->job, bench_cook, bench)) return false;
  bench_load(bench);
  return true;
}

typedef struct segment_sums {
  double memory, file;                       ///< uniform
  double segment_memory, segment_file;       ///< with segments
  double reduced_memory, rows, reduced_rows; ///< with reduced keys; the last two in the file
} segment_sums;

static void segment_one(const bench_case *which, const char *folder, segment_sums *sums) {
  bench_pack whole, split;
  if (!segment_open(&whole, which, folder, NULL)) {
    printf("%-16s not run: its file is missing\n", which->name);
    return;
  }
  uint32_t *samples = calloc(whole.pack.clip_count + 1u, sizeof *samples);
  if (!samples) exit(6);
  for (uint32_t c = 0; c < whole.pack.clip_count; c++)
    if (whole.pack.clips[c].word_count > 0) samples[c] = whole.clips.words[whole.pack.clips[c].first_word];
  if (!segment_open(&split, which, folder, samples)) exit(5);
  const segment_sizes uniform = segment_measure(&whole), pieces = segment_measure(&split);
  reduced_sizes reduced = segment_measure_reduced(&whole);
  const double memory = uniform.rows + uniform.lists + uniform.keys;
  const double segment_memory = pieces.rows + pieces.headers + uniform.lists + fmin(uniform.keys, pieces.keys);
  const double saved = reduced.uniform_bits > 0 ? (reduced.uniform_bits - reduced.best_bits) / 8 : 0;
  const double rows = (double)segment_stored(&reduced.uniform), best = (double)segment_stored(&reduced.best);
  printf("%-16s %8.0f bytes (%.0f in rows): in segments %.3f of that, with reduced keys %.3f; in the file %7.0f: "
         "pieces %.3f, reduced rows %.3f\n",
         which->name, memory, uniform.rows, segment_memory / memory, (memory - saved) / memory, uniform.stored,
         pieces.stored / uniform.stored, best / rows);
  if (which->name[0] != '-') {
    sums->memory += memory;
    sums->file += uniform.stored;
    sums->segment_memory += segment_memory;
    sums->segment_file += pieces.stored;
    sums->reduced_memory += memory - saved;
    sums->rows += rows;
    sums->reduced_rows += best;
  }
  free(samples);
  job_end(whole.job);
  job_end(split.job);
}

int main(int argc, char **argv) {
  segment_sums sums = {0};
  if (argc < 2 || argc > 3) {
    fprintf(stderr, "usage: bench_segments FOLDER [case]\n");
    return 2;
  }
  for (size_t i = 0; i < BENCH_CASE_COUNT; i++)
    if (argc < 3 || strstr(bench_cases[i].name, argv[2])) segment_one(&bench_cases[i], argv[1], &sums);
  if (sums.memory > 0)
    printf("sum: in segments %.3f, with reduced keys %.3f; in the file pieces %.3f, reduced rows %.3f\n",
           sums.segment_memory / sums.memory, sums.reduced_memory / sums.memory, sums.segment_file / sums.file,
           sums.reduced_rows / sums.rows);
  return 0;
}
