// tables_clips.c: CLIP, TRAK, KEYT, KEYV and ANIM. A lossless pack has every key as the source has it; else the tracks
// that build_clip_blocks compresses go to ANIM. Tracks with equal times share them: most clips have one time line for
// all joints.
#include <stdlib.h>
#include <string.h>

#include "cooker/pack/anim_stream.h"
#include "cooker/pack/tables.h"
#include "format/checksum.h"

// -- Shared times ----------------------------------------------------------------------------------------------------

typedef struct clips_times_slot {
  uint32_t first_time, key_count; ///< key_count 0: free
} clips_times_slot;

typedef struct clips_times {
  clips_times_slot *slots;
  uint64_t mask;
} clips_times;

/// Where the times of a track stand in KEYT; appends them when no earlier track has the same.
static uint32_t clips_share_times(pack_tables *tables, clips_times *times, const cook_track *track) {
  size_t bytes = (size_t)track->key_count * sizeof(float);
  uint64_t at = checksum_of(track->times, bytes) & times->mask;
  for (; times->slots[at].key_count; at = (at + 1) & times->mask) {
    const clips_times_slot *slot = &times->slots[at];
    if (slot->key_count == track->key_count && memcmp(tables->key_times + slot->first_time, track->times, bytes) == 0) {
      return slot->first_time;
    }
  }
  times->slots[at] = (clips_times_slot){tables->key_time_count, track->key_count};
  memcpy(tables->key_times + tables->key_time_count, track->times, bytes);
  tables->key_time_count += track->key_count;
  return times->slots[at].first_time;
}

// -- Tracks ----------------------------------------------------------------------------------------------------------

static uint64_t clips_value_count(const cook_track *track) {
  uint64_t count = (uint64_t)track->key_count * track->width;
  return track->interpolation == MPAK_CUBICSPLINE ? count * 3 : count;
}

static int clips_compare_tracks(const void *a, const void *b) {
  const cook_track *x = *(const cook_track *const *)a, *y = *(const cook_track *const *)b;
  if (x->node != y->node) return x->node < y->node ? -1 : 1;
  if (x->path != y->path) return x->path < y->path ? -1 : 1;
  return (x > y) - (x < y); // the same array: the source's order
}

static void clips_fail_values(cook_job *job, const cook_clip *clip, const cook_track *track) {
  cook_where where = COOK_WHERE;
  where.clip = clip->name;
  where.value = job_format(job, "%llu", (unsigned long long)track->value_count);
  where.limit = job_format(job, "%llu", (unsigned long long)clips_value_count(track));
  job_fail(job, MPAK_C054, where);
}

static void clips_add_track(pack_tables *tables, clips_times *times, uint32_t clip, const cook_track *track) {
  uint64_t value_count = clips_value_count(track);
  if (track->value_count != value_count) clips_fail_values(tables->job, &tables->scene->clips[clip], track);
  tables->tracks[tables->track_count++] = (mpak_track){
      .clip = clip,
      .node = track->node,
      .path = (uint32_t)track->path,
      .interpolation = (uint32_t)track->interpolation,
      .width = track->width,
      .key_count = track->key_count,
      .first_time = clips_share_times(tables, times, track),
      .first_value = tables->key_value_count,
  };
  memcpy(tables->key_values + tables->key_value_count, track->values, (size_t)value_count * sizeof(float));
  tables->key_value_count += (uint32_t)value_count;
}

/// Nothing to play: no key, or weights of a mesh without targets.
static bool clips_is_empty(const cook_track *track) { return track->key_count == 0 || track->width == 0; }

static void clips_add_clip(pack_tables *tables, clips_times *times, uint32_t number, const cook_clip_block *block,
                           const cook_track **order) {
  const cook_clip *clip = &tables->scene->clips[number];
  uint32_t count = 0;
  for (uint32_t i = 0; i < clip->track_count; ++i) {
    if (block->is_key_track && !block->is_key_track[i]) continue;
    if (!clips_is_empty(&clip->tracks[i])) order[count++] = &clip->tracks[i];
  }
  // NOLINTNEXTLINE(bugprone-sizeof-expression): the elements are pointers
  if (count) qsort(order, count, sizeof *order, clips_compare_tracks);
  tables->clips[number] = (mpak_clip){
      .name = tables_text(tables, clip->name),
      .key = tables_text(tables, tables->clip_names[number].key),
      .source_index = clip->source_index,
      .first_track = tables->track_count,
      .track_count = count,
      .start_s = clip->start_s,
      .end_s = clip->end_s,
      .source_node_tracks = clip->source_node_tracks,
      .source_weight_tracks = clip->source_weight_tracks,
      .error_m = block->error_m,
      .first_word = number == 0 ? 0 : tables->clips[number - 1].first_word + tables->clips[number - 1].word_count,
      .word_count = block->word_count,
  };
  for (uint32_t i = 0; i < count; ++i) clips_add_track(tables, times, number, order[i]);
}

// -- Compressed tracks -----------------------------------------------------------------------------------------------

/// ANIM from the blocks of all clips.
static void clips_add_blocks(pack_tables *tables, const cook_clip_block *blocks) {
  const cook_scene *scene = tables->scene;
  uint64_t words = 0, bytes = 0, next = 0;
  for (uint32_t c = 0; c < scene->clip_count; ++c) {
    words += blocks[c].word_count;
    if (blocks[c].word_count) bytes += anim_stream_bytes(blocks[c].words, scene->node_count);
  }
  tables_count(tables->job, words, UINT32_MAX, "words of compressed clips");
  tables->animation_bytes = tables_count(tables->job, bytes, UINT32_MAX, "bytes of compressed clips");
  tables->animation = JOB_ARRAY(tables->job, uint8_t, bytes);
  tables->animation_words = JOB_ARRAY(tables->job, uint32_t, words);
  for (uint32_t c = 0; c < scene->clip_count; ++c) {
    if (blocks[c].word_count == 0) continue;
    anim_stream_write(blocks[c].words, scene->node_count, tables->animation + next);
    next += anim_stream_bytes(blocks[c].words, scene->node_count);
    memcpy(tables->animation_words + tables->animation_word_count, blocks[c].words,
           blocks[c].word_count * sizeof(uint32_t));
    tables->animation_word_count += blocks[c].word_count;
  }
}

void tables_make_clips(pack_tables *tables) {
  const cook_scene *scene = tables->scene;
  const cook_clip_block *blocks = scene->clip_blocks;
  uint64_t tracks = 0, times = 0, values = 0;
  for (uint32_t c = 0; c < scene->clip_count; ++c) {
    tracks += scene->clips[c].track_count;
    for (uint32_t i = 0; i < scene->clips[c].track_count; ++i) {
      times += scene->clips[c].tracks[i].key_count;
      values += clips_value_count(&scene->clips[c].tracks[i]);
    }
  }
  tables_count(tables->job, tracks, UINT32_MAX, "tracks");
  tables_count(tables->job, times, UINT32_MAX, "key times");
  tables_count(tables->job, values, UINT32_MAX, "key values");
  clips_times shared = {NULL, 15};
  while (shared.mask < tracks * 2) shared.mask = shared.mask * 2 + 1;
  shared.slots = JOB_ARRAY(tables->job, clips_times_slot, shared.mask + 1);
  tables->clip_count = scene->clip_count;
  tables->clips = JOB_ARRAY(tables->job, mpak_clip, scene->clip_count);
  tables->tracks = JOB_ARRAY(tables->job, mpak_track, tracks);
  tables->key_times = JOB_ARRAY(tables->job, float, times);
  tables->key_values = JOB_ARRAY(tables->job, float, values);
  const cook_track **order = JOB_ARRAY(tables->job, const cook_track *, tracks);
  if (blocks) clips_add_blocks(tables, blocks);
  if (!blocks) blocks = JOB_ARRAY(tables->job, cook_clip_block, scene->clip_count);
  for (uint32_t c = 0; c < scene->clip_count; ++c) clips_add_clip(tables, &shared, c, &blocks[c], order);
}
