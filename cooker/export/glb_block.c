// glb_block.c: the compressed tracks of a clip as keys: those that move have one at each of its samples, the others
// one.
#include <string.h>

#include "cooker/export/glb.h"
#include "format/anim_block.h"
#include "runtime/mpak_pose.h"

typedef enum block_mark { BLOCK_ABSENT = 0, BLOCK_CONSTANT = 1, BLOCK_MOVING = 2 } block_mark;

#define BLOCK_PATHS 4u // mpak_track_path

/// What a clip has in its block: by 4 * node + path.
typedef struct block_reader {
  glb_file *glb;
  const mpak_clip *clip;
  anim_block block;
  uint8_t *marks;
  mpak_pose pose;
} block_reader;

static void block_mark_list(block_reader *reader, anim_list_kind kind, uint32_t path, block_mark mark) {
  const anim_list *list = &reader->block.lists[kind];
  for (uint32_t i = 0; i < list->count; i++) {
    uint8_t *at = &reader->marks[BLOCK_PATHS * anim_node_of(list->words[i]) + path];
    if (mark > *at) *at = (uint8_t)mark;
  }
}

static void block_mark_all(block_reader *reader) {
  for (uint32_t bit = 0; bit < 3 * reader->glb->pack->node_count; bit++)
    if ((reader->block.rest_bits[bit / 32] >> bit % 32 & 1) != 0)
      reader->marks[BLOCK_PATHS * (bit / 3) + bit % 3] = BLOCK_CONSTANT;
  block_mark_list(reader, ANIM_CONSTANT_ROTATIONS, MPAK_PATH_ROTATION, BLOCK_CONSTANT);
  block_mark_list(reader, ANIM_CONSTANT_TRANSLATIONS, MPAK_PATH_TRANSLATION, BLOCK_CONSTANT);
  block_mark_list(reader, ANIM_CONSTANT_SCALES, MPAK_PATH_SCALE, BLOCK_CONSTANT);
  block_mark_list(reader, ANIM_WEIGHT_TRACKS, MPAK_PATH_WEIGHTS, BLOCK_CONSTANT);
  block_mark_list(reader, ANIM_ROTATIONS, MPAK_PATH_ROTATION, BLOCK_MOVING);
  block_mark_list(reader, ANIM_FULL_ROTATIONS, MPAK_PATH_ROTATION, BLOCK_MOVING);
  block_mark_list(reader, ANIM_TRANSLATIONS, MPAK_PATH_TRANSLATION, BLOCK_MOVING);
  block_mark_list(reader, ANIM_SCALES, MPAK_PATH_SCALE, BLOCK_MOVING);
  block_mark_list(reader, ANIM_WEIGHTS, MPAK_PATH_WEIGHTS, BLOCK_MOVING);
}

static double block_time(const block_reader *reader, uint32_t sample) {
  const double start_s = (double)reader->clip->start_s, end_s = (double)reader->clip->end_s;
  const uint32_t count = reader->block.sample_count;
  return count < 2 ? start_s : start_s + (end_s - start_s) * sample / (count - 1);
}

/// Where the pose has the values of a track.
static const float *block_values(const block_reader *reader, const glb_track *track) {
  const mpak_pose *pose = &reader->pose;
  switch (track->path) {
  case MPAK_PATH_TRANSLATION: return pose->locals[track->node].translation;
  case MPAK_PATH_ROTATION: return pose->locals[track->node].rotation;
  case MPAK_PATH_SCALE: return pose->locals[track->node].scale;
  default: return pose->weights + pose->first_weight[mpak_find_instance(reader->glb->pack, track->node)];
  }
}

static uint32_t block_width(const mpak_pack *pack, const glb_track *track) {
  if (track->path != MPAK_PATH_WEIGHTS) return track->path == MPAK_PATH_ROTATION ? 4 : 3;
  return pack->meshes[pack->instances[mpak_find_instance(pack, track->node)].mesh].control_count;
}

static glb_track *block_list_tracks(block_reader *reader, const float *times, uint32_t *count) {
  const mpak_pack *pack = reader->glb->pack;
  const uint64_t most = (uint64_t)BLOCK_PATHS * pack->node_count;
  glb_track *tracks = JOB_ARRAY(reader->glb->job, glb_track, most);
  *count = 0;
  for (uint32_t i = 0; i < most; i++) {
    if (reader->marks[i] == BLOCK_ABSENT) continue;
    glb_track *track = &tracks[(*count)++];
    *track = (glb_track){.node = i / BLOCK_PATHS, .path = i % BLOCK_PATHS};
    track->keys = (glb_keys){.interpolation = MPAK_LINEAR, .times = times, .width = block_width(pack, track)};
    track->keys.count = reader->marks[i] == BLOCK_MOVING ? reader->block.sample_count : 1;
    track->keys.values = JOB_ARRAY(reader->glb->job, float, (uint64_t)track->keys.count * track->keys.width);
  }
  return tracks;
}

static void block_begin(block_reader *reader) {
  cook_job *job = reader->glb->job;
  const mpak_pack *pack = reader->glb->pack;
  const uint64_t pose_bytes = mpak_pose_bytes(pack);
  reader->block = anim_block_of(reader->glb->model->clips->words + reader->clip->first_word, pack->node_count);
  reader->marks = JOB_ARRAY(job, uint8_t, (uint64_t)BLOCK_PATHS * pack->node_count);
  if (mpak_pose_init(pack, job_alloc(job, pose_bytes, 1), pose_bytes, &reader->pose) != MPAK_OK)
    job_fail(job, MPAK_O010, COOK_WHERE);
  block_mark_all(reader);
}

glb_track *glb_block_tracks(glb_file *glb, uint32_t clip, uint32_t *count) {
  block_reader reader = {.glb = glb, .clip = &glb->pack->clips[clip]};
  *count = 0;
  if (reader.clip->word_count == 0) return NULL;
  block_begin(&reader);
  float *times = JOB_ARRAY(glb->job, float, (uint64_t)reader.block.sample_count + 1);
  glb_track *tracks = block_list_tracks(&reader, times, count);
  for (uint32_t s = 0; s < reader.block.sample_count || s == 0; s++) {
    times[s] = (float)block_time(&reader, s);
    mpak_pose_sample(&reader.pose, glb->model->clips, clip, block_time(&reader, s));
    for (uint32_t t = 0; t < *count; t++) {
      const glb_keys *keys = &tracks[t].keys;
      if (s >= keys->count) continue;
      memcpy((float *)keys->values + (uint64_t)s * keys->width, block_values(&reader, &tracks[t]),
             keys->width * sizeof(float));
    }
  }
  return tracks;
}
