// frames.c: see frames.h.
//
// Work is a sequence of tasks: for each chunk, for each way to code it, for each frame. A chunk of many frames is
// sampled first: every eighth frame in each way, then all frames in the way that did best. Tasks are taken in batches:
// threads fill the slots of a batch, then one thread collects them in order. So memory stays bounded (a batch of
// uncompressed slots, plus what is kept of compressed frames), and order and choice never depend on timing. All memory
// is allotted before the threads start.
#include "cooker/pack/frames.h"

#include <pthread.h>
#include <stdatomic.h>

#include "cooker/pack/compress.h"
#include "cooker/pack/filters.h"
#include "format/layout.h"
#include "format/morph_payload.h"

#define FRAMES_MAX_THREADS      16u
#define FRAMES_SLOTS_PER_THREAD 3u
#define FRAMES_MAX_WAYS         4u
#define FRAMES_SAMPLE_FROM      16u ///< chunks of so many frames are sampled (COOK_COMPRESS_SIZE tries everything)
#define FRAMES_SAMPLE_STEP      8u
#define FRAMES_STREAM_BYTES     (MPAK_MORPH_FRAME_BYTES / 2 * 3) ///< of a frame of P8, whose streams are the longest

// -- Ways to code a chunk --------------------------------------------------------------------------------------------

/// An encoding, a filter and its lane modes.
typedef struct frames_way {
  uint16_t encoding;
  uint8_t filter;
  uint32_t lane_modes;
} frames_way;

/// Lane modes of streams [0, count): 32-bit differences; raw from there on.
static uint32_t frames_delta_modes(uint32_t count) {
  uint32_t modes = 0;
  for (uint32_t s = 0; s < count; ++s) modes |= (uint32_t)MPAK_LANE_DELTA32 << (2 * s);
  return modes;
}

static uint32_t frames_payload_ways(const cook_blocks *blocks, frames_way ways[FRAMES_MAX_WAYS]) {
  const frames_way plain = {MPAK_ENCODING_ZSTD, MPAK_FILTER_MORPH_FRAMES, 0};
  ways[0] = ways[1] = ways[2] = plain;
  if (blocks->payload != MPAK_PAYLOAD_P36) return 1; // coded by its payload
  ways[1].lane_modes = frames_delta_modes(3);
  ways[2].lane_modes = frames_delta_modes(blocks->components);
  return blocks->components > 3 ? 3 : 2;
}

/// The modes of a record of so many groups whose u16 are coded as differences.
static uint32_t frames_delta16_modes(uint32_t groups) { return 0xAAAAAAAAu >> (32 - 2 * groups); }

static bool frames_has_lanes(const pack_chunk *chunk) {
  return !chunk->is_table && !chunk->blocks && !chunk->indices && chunk->stride % 4 == 0 &&
         chunk->stride <= LAYOUT_MAX_LANE_STRIDE;
}

/// Ways of a stream of records: as it is, byte planes, and planes of differences: of all u16, and by the guess of what
/// does best.
static uint32_t frames_record_ways(const pack_chunk *chunk, uint32_t guess, frames_way ways[FRAMES_MAX_WAYS]) {
  ways[0] = (frames_way){MPAK_ENCODING_ZSTD, MPAK_FILTER_NONE, 0};
  ways[1] = (frames_way){MPAK_ENCODING_ZSTD, MPAK_FILTER_PLANES, 0};
  if (chunk->stride == 1) return 1;
  if (!frames_has_lanes(chunk)) return 2;
  ways[2] = (frames_way){MPAK_ENCODING_ZSTD, MPAK_FILTER_LANE_DELTA, frames_delta16_modes(chunk->stride / 4)};
  ways[3] = (frames_way){MPAK_ENCODING_ZSTD, MPAK_FILTER_LANE_DELTA, guess};
  return guess == 0 || guess == ways[2].lane_modes ? 3 : 4;
}

/// Fills the ways to try for a chunk, in order of preference. Returns how many; 0: it is stored.
static uint32_t frames_ways(const pack_chunk *chunk, uint32_t guess, frames_way ways[FRAMES_MAX_WAYS]) {
  if (chunk->is_table || chunk->count == 0) return 0;
  if (chunk->blocks) return frames_payload_ways(chunk->blocks, ways);
  if (!chunk->indices) return frames_record_ways(chunk, guess, ways);
  ways[0] = (frames_way){MPAK_ENCODING_INDEX, MPAK_FILTER_NONE, 0};
  return 1;
}

/// Decoded bytes of a frame (MPAY: at most).
static uint32_t frames_frame_bytes(const pack_chunk *chunk) {
  if (chunk->blocks) return MPAK_MORPH_FRAME_BYTES;
  return chunk->indices ? layout_triangle_frame_bytes(chunk->stride) : layout_frame_bytes(chunk->stride);
}

/// The most bytes that zstd gets for a frame.
static uint32_t frames_frame_decoded(const pack_chunk *chunk) {
  const uint64_t bytes = (uint64_t)chunk->stride * chunk->count;
  return layout_frame_decoded(chunk->indices ? MPAK_ENCODING_INDEX : MPAK_ENCODING_ZSTD, chunk->format,
                              frames_frame_bytes(chunk), bytes);
}

static uint32_t frames_count(const pack_chunk *chunk) {
  if (chunk->blocks) {
    return mpak_morph_frame_count(chunk->blocks->entries, chunk->blocks->entry_count, chunk->blocks->lane_words);
  }
  uint64_t bytes = (uint64_t)chunk->stride * chunk->count, frame_bytes = frames_frame_bytes(chunk);
  return (uint32_t)((bytes + frame_bytes - 1) / frame_bytes);
}

// -- Tasks and workers -----------------------------------------------------------------------------------------------

/// One frame to compress in one way.
typedef struct frames_task {
  const pack_chunk *chunk;
  frames_way way;
  uint64_t first_byte;    ///< plain chunks: of the chunk
  uint32_t byte_count;    ///< decoded bytes of the frame
  mpak_morph_frame frame; ///< MPAY
  uint32_t stream_bytes;  ///< result: bytes that zstd got
  size_t written;         ///< result: bytes in the slot; 0 is a failure
} frames_task;

/// Memory of one thread.
typedef struct frames_worker {
  struct frames_pool *pool;
  uint8_t *filtered;
  uint32_t *streams;
  uint32_t *cursors;
  void *workspace;
} frames_worker;

typedef struct frames_pool {
  int level;
  size_t workspace_bytes;
  size_t slot_bytes;
  uint32_t worker_count;
  frames_worker *workers;
  uint32_t slot_count;
  uint8_t *slots;
  frames_task *tasks; ///< slot_count
  uint32_t task_count;
  _Atomic uint32_t next_task;
} frames_pool;

/// The bytes that zstd gets: filtered into the worker's memory, or the chunk's own.
static const uint8_t *frames_filter(frames_worker *worker, frames_task *task) {
  const pack_chunk *chunk = task->chunk;
  task->stream_bytes = task->byte_count;
  if (chunk->blocks) {
    const cook_blocks *blocks = chunk->blocks;
    const filter_morph morph = {.payload = blocks->payload,
                                .components = blocks->components,
                                .lane_modes = task->way.lane_modes,
                                .shape_count = blocks->shape_count,
                                .words = blocks->payload_words,
                                .entries = blocks->entries};
    filter_morph_frame(&morph, &task->frame, worker->cursors, worker->streams, worker->filtered);
    return worker->filtered;
  }
  const uint8_t *bytes = (const uint8_t *)chunk->bytes + task->first_byte;
  if (chunk->indices) {
    const uint32_t *indices = chunk->indices + task->first_byte / chunk->stride;
    task->stream_bytes = filter_triangles(indices, task->byte_count / chunk->stride, worker->filtered);
    return worker->filtered;
  }
  if (task->way.filter == MPAK_FILTER_NONE) return bytes;
  if (task->way.filter == MPAK_FILTER_PLANES)
    filter_planes(bytes, task->byte_count, chunk->stride, worker->filtered);
  else
    filter_lanes(bytes, task->byte_count, chunk->stride, task->way.lane_modes, worker->filtered);
  return worker->filtered;
}

static void *frames_work(void *user) {
  frames_worker *worker = user;
  frames_pool *pool = worker->pool;
  for (;;) {
    uint32_t number = atomic_fetch_add(&pool->next_task, 1);
    if (number >= pool->task_count) return NULL;
    frames_task *task = &pool->tasks[number];
    const uint8_t *bytes = frames_filter(worker, task);
    task->written =
        compress_frame(pool->level, worker->workspace, pool->workspace_bytes, pool->slots + number * pool->slot_bytes,
                       pool->slot_bytes, bytes, task->stream_bytes);
  }
}

/// Runs the batch. A thread that cannot be started is no error: the others do its work.
static void frames_run_batch(frames_pool *pool) {
  pthread_t threads[FRAMES_MAX_THREADS];
  uint32_t started = 0;
  atomic_store(&pool->next_task, 0);
  for (uint32_t i = 1; i < pool->worker_count && i < pool->task_count; ++i) {
    if (pthread_create(&threads[started], NULL, frames_work, &pool->workers[i]) != 0) break;
    ++started;
  }
  frames_work(&pool->workers[0]);
  for (uint32_t i = 0; i < started; ++i) pthread_join(threads[i], NULL);
}

static uint32_t frames_largest(const pack_chunk *chunks, uint32_t chunk_count, uint32_t *most_shapes) {
  uint32_t largest = 0;
  *most_shapes = 0;
  for (uint32_t i = 0; i < chunk_count; ++i) {
    if (chunks[i].is_table || chunks[i].count == 0) continue;
    const uint32_t frame_bytes = frames_frame_decoded(&chunks[i]);
    if (frame_bytes > largest) largest = frame_bytes;
    if (chunks[i].blocks && chunks[i].blocks->shape_count > *most_shapes) *most_shapes = chunks[i].blocks->shape_count;
  }
  return largest;
}

static void frames_make_pool(cook_job *job, const pack_chunk *chunks, uint32_t chunk_count, cook_compress compress,
                             uint32_t thread_count, frames_pool *pool) {
  uint32_t most_shapes, largest = frames_largest(chunks, chunk_count, &most_shapes);
  pool->level = compress == COOK_COMPRESS_SIZE ? 19 : 3;
  pool->workspace_bytes = compress_workspace_bytes(pool->level);
  pool->slot_bytes = compress_bound(largest);
  pool->worker_count = thread_count < 1 ? 1 : thread_count > FRAMES_MAX_THREADS ? FRAMES_MAX_THREADS : thread_count;
  pool->slot_count = FRAMES_SLOTS_PER_THREAD * pool->worker_count;
  pool->slots = job_alloc(job, pool->slot_count, pool->slot_bytes);
  pool->tasks = JOB_ARRAY(job, frames_task, pool->slot_count);
  pool->workers = JOB_ARRAY(job, frames_worker, pool->worker_count);
  for (uint32_t i = 0; i < pool->worker_count; ++i) {
    pool->workers[i] = (frames_worker){
        .pool = pool,
        .filtered = job_alloc(job, largest, 1),
        .streams = most_shapes ? job_alloc(job, FRAMES_STREAM_BYTES, 1) : NULL,
        .cursors = JOB_ARRAY(job, uint32_t, (uint64_t)most_shapes + 1),
        .workspace = job_alloc(job, pool->workspace_bytes, 1),
    };
  }
}

// -- The sequence of tasks -------------------------------------------------------------------------------------------

/// Where the sequence stands: the next task to make, or the next result to collect. The same walk twice.
typedef struct frames_place {
  uint32_t chunk;
  uint32_t pass; ///< one per way; a sampled chunk has one more, which codes all frames in the chosen way
  uint32_t frame;
  mpak_morph_frame morph_frame;
} frames_place;

typedef struct frames_run {
  cook_job *job;
  const pack_chunk *chunks;
  const uint32_t *frame_counts; ///< by chunk
  const uint32_t *guesses;      ///< by chunk: lane modes (filter_choose_lane_modes)
  uint32_t chunk_count;
  cook_compress compress;
  pack_encoded *encoded; ///< the best of each chunk so far
  pack_encoded trial;    ///< the way that is being collected
  bool is_lost;          ///< it cannot win any more; its frames are not kept
  uint64_t sample_bytes[FRAMES_MAX_WAYS];
  frames_place making, collecting;
} frames_run;

/// What a place means.
typedef struct frames_step_kind {
  frames_way way;
  uint32_t step; ///< frames are taken from step to step
  bool is_sample;
  bool must_wait; ///< the way is chosen when all samples are collected
} frames_step_kind;

static bool frames_is_sampled(const frames_run *run, uint32_t chunk) {
  return run->compress != COOK_COMPRESS_SIZE && run->frame_counts[chunk] >= FRAMES_SAMPLE_FROM;
}

/// The way whose sample was smallest, the first of equals.
static uint32_t frames_choose(const frames_run *run, uint32_t way_count) {
  uint32_t best = 0;
  for (uint32_t way = 1; way < way_count; ++way) {
    if (run->sample_bytes[way] < run->sample_bytes[best]) best = way;
  }
  return best;
}

/// Skips what has no (further) pass, and says what is to be done at the place. Returns false at the end.
static bool frames_settle(const frames_run *run, frames_place *place, frames_step_kind *kind) {
  frames_way ways[FRAMES_MAX_WAYS] = {{0, 0, 0}};
  for (; place->chunk < run->chunk_count; *place = (frames_place){.chunk = place->chunk + 1}) {
    uint32_t way_count = frames_ways(&run->chunks[place->chunk], run->guesses[place->chunk], ways);
    bool is_sampled = way_count > 1 && frames_is_sampled(run, place->chunk);
    if (place->pass >= way_count + is_sampled) continue;
    bool is_sample = is_sampled && place->pass < way_count;
    const frames_place *done = &run->collecting;
    *kind = (frames_step_kind){
        .way = ways[place->pass < way_count ? place->pass : frames_choose(run, way_count)],
        .step = is_sample ? FRAMES_SAMPLE_STEP : 1,
        .is_sample = is_sample,
        .must_wait = place->pass == way_count && (done->chunk != place->chunk || done->pass != place->pass),
    };
    return true;
  }
  *kind = (frames_step_kind){.step = 1};
  return false;
}

static void frames_advance(const frames_run *run, uint32_t step, frames_place *place) {
  place->frame += step;
  if (place->frame < run->frame_counts[place->chunk]) return;
  *place = (frames_place){.chunk = place->chunk, .pass = place->pass + 1};
}

/// The decoded bytes of the frame at a place.
static void frames_set_range(const frames_place *place, const pack_chunk *chunk, frames_task *task) {
  if (chunk->blocks) {
    task->frame = place->morph_frame;
    task->byte_count =
        task->frame.delta_count * mpak_payload_frame_bytes(chunk->blocks->payload, chunk->blocks->components);
    return;
  }
  uint64_t bytes = (uint64_t)chunk->stride * chunk->count, frame_bytes = frames_frame_bytes(chunk);
  task->first_byte = place->frame * frame_bytes;
  task->byte_count = (uint32_t)(bytes - task->first_byte < frame_bytes ? bytes - task->first_byte : frame_bytes);
}

/// Makes the next task. Returns false when there is none, or none before results are collected.
static bool frames_next_task(frames_run *run, frames_task *task) {
  frames_place *place = &run->making;
  frames_step_kind kind;
  if (!frames_settle(run, place, &kind) || kind.must_wait) return false;
  const pack_chunk *chunk = &run->chunks[place->chunk];
  *task = (frames_task){.chunk = chunk, .way = kind.way};
  uint32_t skip = place->frame == 0 ? 1 : kind.step; // the walk over entries goes frame by frame
  for (uint32_t i = 0; chunk->blocks && i < skip; ++i) {
    mpak_morph_frame_next(chunk->blocks->entries, chunk->blocks->entry_count, chunk->blocks->lane_words,
                          &place->morph_frame);
  }
  frames_set_range(place, chunk, task);
  frames_advance(run, kind.step, place);
  return true;
}

// -- Collecting ------------------------------------------------------------------------------------------------------

static void frames_begin_trial(frames_run *run, const pack_chunk *chunk, const frames_way *way, uint32_t frame_count) {
  run->is_lost = false;
  run->trial = (pack_encoded){
      .encoding = way->encoding,
      .filter = way->filter,
      .lane_modes = way->lane_modes,
      .frame_bytes = frames_frame_bytes(chunk),
      .max_frame_decoded = frames_frame_decoded(chunk),
      .frame_count = frame_count,
      .stored_bytes = layout_frame_table_bytes(way->encoding, frame_count),
      .frame_sizes = JOB_ARRAY(run->job, uint32_t, frame_count),
      .stream_sizes = JOB_ARRAY(run->job, uint32_t, frame_count),
      .frames = JOB_ARRAY(run->job, uint8_t *, frame_count),
  };
}

static void frames_fail(cook_job *job, const frames_task *task) {
  cook_where where = COOK_WHERE;
  where.value = job_format(job, "chunk kind %08x, %u bytes", task->chunk->kind, task->byte_count);
  job_fail(job, MPAK_C053, where);
}

static void frames_collect_sample(frames_run *run, const frames_task *task) {
  const frames_place *place = &run->collecting;
  if (place->frame == 0) run->sample_bytes[place->pass] = 0;
  run->sample_bytes[place->pass] += task->written;
}

static void frames_collect_frame(frames_run *run, const frames_way *way, const frames_task *task, const uint8_t *slot) {
  const frames_place *place = &run->collecting;
  pack_encoded *best = &run->encoded[place->chunk], *trial = &run->trial;
  if (place->frame == 0) frames_begin_trial(run, task->chunk, way, run->frame_counts[place->chunk]);
  trial->stored_bytes += task->written;
  if (trial->stored_bytes >= best->stored_bytes) run->is_lost = true;
  if (run->is_lost) return;
  trial->frame_sizes[place->frame] = (uint32_t)task->written;
  trial->stream_sizes[place->frame] = task->stream_bytes;
  trial->frames[place->frame] = job_copy(run->job, slot, task->written);
  if (place->frame + 1 == trial->frame_count) *best = *trial;
}

/// Takes the result of the task at the collecting place.
static void frames_collect(frames_run *run, const frames_task *task, const uint8_t *slot) {
  frames_step_kind kind;
  frames_settle(run, &run->collecting, &kind);
  if (task->written == 0) frames_fail(run->job, task);
  if (kind.is_sample)
    frames_collect_sample(run, task);
  else
    frames_collect_frame(run, &kind.way, task, slot);
  frames_advance(run, kind.step, &run->collecting);
}

/// Counts the frames of all chunks, and guesses their lane modes.
static void frames_survey(cook_job *job, frames_run *run) {
  uint32_t *counts = JOB_ARRAY(job, uint32_t, run->chunk_count);
  uint32_t *guesses = JOB_ARRAY(job, uint32_t, run->chunk_count);
  for (uint32_t i = 0; i < run->chunk_count; ++i) {
    const pack_chunk *chunk = &run->chunks[i];
    if (!chunk->is_table) counts[i] = frames_count(chunk);
    if (frames_has_lanes(chunk))
      guesses[i] = filter_choose_lane_modes(chunk->bytes, (uint64_t)chunk->stride * chunk->count, chunk->stride);
  }
  run->frame_counts = counts;
  run->guesses = guesses;
}

void pack_encode(cook_job *job, const pack_chunk *chunks, uint32_t chunk_count, cook_compress compress,
                 uint32_t thread_count, pack_encoded *encoded) {
  for (uint32_t i = 0; i < chunk_count; ++i) {
    encoded[i] = (pack_encoded){.stored_bytes = (uint64_t)chunks[i].stride * chunks[i].count};
  }
  if (compress == COOK_COMPRESS_LOAD) return;
  frames_pool *pool = JOB_ARRAY(job, frames_pool, 1);
  frames_make_pool(job, chunks, chunk_count, compress, thread_count, pool);
  frames_run run = {.job = job, .chunks = chunks, .chunk_count = chunk_count, .compress = compress, .encoded = encoded};
  frames_survey(job, &run);
  for (;;) {
    pool->task_count = 0;
    while (pool->task_count < pool->slot_count && frames_next_task(&run, &pool->tasks[pool->task_count])) {
      pool->task_count++;
    }
    if (pool->task_count == 0) return;
    frames_run_batch(pool);
    for (uint32_t i = 0; i < pool->task_count; ++i) {
      frames_collect(&run, &pool->tasks[i], pool->slots + i * pool->slot_bytes);
    }
  }
}
