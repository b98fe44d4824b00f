// glb_clip.c: clips as animations (glTF 2.0, section 3.11).
#include <math.h>
#include <string.h>

#include "cooker/export/glb.h"

/// One channel with its sampler.
typedef struct clip_channel {
  uint32_t node;
  uint32_t path;
  uint32_t input, output; ///< accessors
  mpak_interpolation interpolation;
} clip_channel;

/// The animation under way.
typedef struct clip_writer {
  glb_file *glb;
  const mpak_clip *clip;
  glb_track *tracks; ///< compressed ones first
  uint32_t track_count;
  double shift_s; ///< added to all times: none may be negative
  clip_channel *channels;
  uint32_t channel_count;
  glb_keys *inputs; ///< by channel: the keys whose times it wrote
} clip_writer;

static cook_where clip_where(const clip_writer *writer) {
  cook_where where = COOK_WHERE;
  where.clip = mpak_string(writer->glb->pack, writer->clip->key);
  return where;
}

// -- Keys ------------------------------------------------------------------------------------------------------------

/// All tracks of the clip, however the pack keeps them.
static void clip_list_tracks(clip_writer *writer) {
  const mpak_clips *clips = writer->glb->model->clips;
  uint32_t block_count = 0;
  const glb_track *block =
      glb_block_tracks(writer->glb, (uint32_t)(writer->clip - writer->glb->pack->clips), &block_count);
  writer->tracks = JOB_ARRAY(writer->glb->job, glb_track, (uint64_t)block_count + writer->clip->track_count);
  for (uint32_t t = 0; t < block_count; t++) writer->tracks[writer->track_count++] = block[t];
  for (uint32_t t = 0; t < writer->clip->track_count; t++) {
    const mpak_track *track = &writer->glb->pack->tracks[writer->clip->first_track + t];
    const glb_keys keys = {track->key_count, track->width, (mpak_interpolation)track->interpolation,
                           clips->times + track->first_time, clips->values + track->first_value};
    writer->tracks[writer->track_count++] = (glb_track){track->node, track->path, keys};
  }
}

/// Times ascend strictly, after the shift too.
static const float *clip_shift_times(const clip_writer *writer, const glb_keys *keys) {
  if (writer->shift_s == 0) return keys->times;
  float *times = JOB_ARRAY(writer->glb->job, float, keys->count);
  for (uint32_t k = 0; k < keys->count; k++) {
    times[k] = (float)((double)keys->times[k] + writer->shift_s);
    if (k > 0 && !(times[k] > times[k - 1])) times[k] = nextafterf(times[k - 1], INFINITY);
  }
  return times;
}

/// The times of a channel; channels of the clip with the same times share them.
static uint32_t clip_put_times(clip_writer *writer, const glb_keys *keys) {
  for (uint32_t c = 0; c < writer->channel_count; c++)
    if (writer->inputs[c].count == keys->count &&
        memcmp(writer->inputs[c].times, keys->times, keys->count * sizeof *keys->times) == 0)
      return writer->channels[c].input;
  return glb_put_floats(writer->glb, clip_shift_times(writer, keys), keys->count, 1, GLB_USE_ANY, true);
}

/// Rotations of unit length, as far as they are not; tangents of cubic curves stay.
static const float *clip_unit_rotations(const clip_writer *writer, const glb_keys *keys) {
  const uint64_t parts = keys->interpolation == MPAK_CUBICSPLINE ? 3 : 1, width = 4 * parts;
  float *values = job_copy(writer->glb->job, keys->values, keys->count * width * sizeof *values);
  for (uint32_t k = 0; k < keys->count; k++) glb_make_unit_rotation(values + k * width + (parts == 3 ? 4 : 0));
  return values;
}

static void clip_add_channel(clip_writer *writer, uint32_t node, uint32_t path, const glb_keys *keys) {
  const uint32_t parts = keys->interpolation == MPAK_CUBICSPLINE ? 3 : 1;
  clip_channel channel = {.node = node, .path = path, .interpolation = keys->interpolation};
  channel.input = clip_put_times(writer, keys);
  if (path == MPAK_PATH_WEIGHTS) {
    const uint64_t count = (uint64_t)keys->count * parts * keys->width; // below 2^32, or BIN is too large anyway
    channel.output = glb_put_floats(writer->glb, keys->values, (uint32_t)count, 1, GLB_USE_ANY, false);
  } else {
    const float *values = path == MPAK_PATH_ROTATION ? clip_unit_rotations(writer, keys) : keys->values;
    channel.output = glb_put_floats(writer->glb, values, keys->count * parts, keys->width, GLB_USE_ANY, false);
  }
  writer->inputs[writer->channel_count] = *keys;
  writer->channels[writer->channel_count++] = channel;
}

// -- Tracks ----------------------------------------------------------------------------------------------------------

/// Weights move the targets of what the node draws, and of the node beside it that draws the rigid parts.
static void clip_add_weights(clip_writer *writer, uint32_t node, const glb_keys *keys) {
  glb_file *glb = writer->glb;
  const uint32_t number = mpak_find_instance(glb->pack, node);
  const uint32_t mesh = glb->pack->instances[number].mesh;
  cook_where where = clip_where(writer);
  where.node = mpak_string(glb->pack, glb->pack->nodes[node].key);
  if (glb->nodes[node].mesh == MPAK_NONE || glb_target_count(glb, mesh) == 0) {
    glb_note(glb, "weights of controls that have no shapes", "nothing", where);
    return;
  }
  const glb_keys shapes = glb_shape_keys(glb, mesh, keys);
  if (shapes.interpolation != keys->interpolation)
    glb_note(glb, "cubic curves of weights of in-betweens", "straight lines", where);
  clip_add_channel(writer, node, MPAK_PATH_WEIGHTS, &shapes);
  if (glb->rigid_node_of[number] == MPAK_NONE) return;
  writer->channels[writer->channel_count] = writer->channels[writer->channel_count - 1];
  writer->channels[writer->channel_count].node = glb->rigid_node_of[number];
  writer->inputs[writer->channel_count++] = shapes;
}

static void clip_add_track(clip_writer *writer, const glb_track *track) {
  if (track->path == MPAK_PATH_WEIGHTS)
    clip_add_weights(writer, track->node, &track->keys);
  else if ((writer->glb->pack->nodes[track->node].flags & MPAK_NODE_MATRIX) == 0) // nothing moves such a node
    clip_add_channel(writer, track->node, track->path, &track->keys);
}

static double clip_first_time(const clip_writer *writer) {
  double first_s = (double)writer->clip->start_s;
  for (uint32_t t = 0; t < writer->track_count; t++)
    if ((double)writer->tracks[t].keys.times[0] < first_s) first_s = (double)writer->tracks[t].keys.times[0];
  return first_s;
}

static void clip_begin(clip_writer *writer) {
  clip_list_tracks(writer);
  const double first_s = clip_first_time(writer);
  writer->channels = JOB_ARRAY(writer->glb->job, clip_channel, 2ull * writer->track_count);
  writer->inputs = JOB_ARRAY(writer->glb->job, glb_keys, 2ull * writer->track_count);
  if (!(first_s < 0)) return;
  writer->shift_s = -first_s;
  const char *what = job_format(writer->glb->job, "a clip that begins %.9g s before 0", -first_s);
  glb_note(writer->glb, what, "the same, later", clip_where(writer));
}

// -- Writing ---------------------------------------------------------------------------------------------------------

static void clip_put_channels(const clip_writer *writer, json_out *json) {
  static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
  write_json_key(json, "channels");
  write_json_array(json);
  for (uint32_t c = 0; c < writer->channel_count; c++) {
    write_json_object(json);
    write_json_member_count(json, "sampler", c);
    write_json_key(json, "target");
    write_json_object(json);
    write_json_member_count(json, "node", writer->channels[c].node);
    write_json_member_string(json, "path", paths[writer->channels[c].path]);
    write_json_close(json);
    write_json_close(json);
  }
  write_json_close(json);
}

static void clip_put_samplers(const clip_writer *writer, json_out *json) {
  static const char *const interpolations[] = {"STEP", "LINEAR", "CUBICSPLINE"};
  write_json_key(json, "samplers");
  write_json_array(json);
  for (uint32_t c = 0; c < writer->channel_count; c++) {
    write_json_object(json);
    write_json_member_count(json, "input", writer->channels[c].input);
    write_json_member_count(json, "output", writer->channels[c].output);
    write_json_member_string(json, "interpolation", interpolations[writer->channels[c].interpolation]);
    write_json_close(json);
  }
  write_json_close(json);
}

static void clip_put(clip_writer *writer) {
  const char *name = mpak_string(writer->glb->pack, writer->clip->name);
  if (writer->channel_count == 0) {
    glb_note(writer->glb, "a clip that moves nothing", "nothing", clip_where(writer));
    return;
  }
  json_out *json = glb_element(writer->glb, GLB_ANIMATIONS);
  if (name[0] != 0) write_json_member_string(json, "name", name);
  clip_put_channels(writer, json);
  clip_put_samplers(writer, json);
  write_json_close(json);
}

void glb_put_clips(glb_file *glb) {
  for (uint32_t c = 0; c < glb->pack->clip_count; c++) {
    clip_writer writer = {.glb = glb, .clip = &glb->pack->clips[c]};
    clip_begin(&writer);
    for (uint32_t t = 0; t < writer.track_count; t++) clip_add_track(&writer, &writer.tracks[t]);
    clip_put(&writer);
  }
}
