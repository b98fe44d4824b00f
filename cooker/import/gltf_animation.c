#include "cooker/import/gltf_reader.h"

#include <string.h>

// Animations (glTF 2.0, section 3.11). Keys and modes are kept as they are.

static const gltf_use use_times = {"key times", 1, 1, GLTF_USE_F32, 0, 0};
static const gltf_use use_vectors = {"translation or scale keys", 3, 3, GLTF_USE_F32, 0, 0};
static const gltf_use use_rotations = {
    "rotation keys", 4, 4, GLTF_USE_F32 | GLTF_USE_I8N | GLTF_USE_U8N | GLTF_USE_I16N | GLTF_USE_U16N, 0, 0};
static const gltf_use use_weight_keys = {
    "weight keys", 1, 1, GLTF_USE_F32 | GLTF_USE_I8N | GLTF_USE_U8N | GLTF_USE_I16N | GLTF_USE_U16N, 0, 0};

/// One animation while it is read.
typedef struct animation_state {
  cook_json object, channels, samplers;
  cook_clip *clip;
  uint32_t *track_of; ///< by node * 4 + path: 1 + its track, 0 for none
  bool *has_moved;    ///< by node: a clip was seen to move it
  uint32_t *touched;  ///< entries of track_of to be cleared again
  uint32_t touched_count;
} animation_state;

// -- Channels --------------------------------------------------------------------------------------------------------

/// The path that a channel drives. False when it is none that a pack holds; then a warning was given.
static bool animation_path(gltf_reader *reader, const cook_json *target, mpak_track_path *path) {
  static const char *const names[] = {"translation", "rotation", "scale", "weights"};
  const cook_json member = json_member(target, "path");
  gltf_require(reader, &member);
  const char *name = gltf_text(reader, &member);
  for (int i = 0; i < 4; i++) {
    if (strcmp(name, names[i]) != 0) continue;
    *path = (mpak_track_path)i;
    return true;
  }
  if (strcmp(name, "pointer") != 0) {
    gltf_report(reader, MPAK_G056, &member, name, NULL);
  } else if (!reader->has_said_pointer) {
    gltf_report(reader, MPAK_G057, &member, NULL, NULL);
    reader->has_said_pointer = true;
  }
  return false;
}

/// Values per key; 0 for weights of a node that has no targets.
static uint32_t animation_width(const gltf_reader *reader, uint32_t node, mpak_track_path path) {
  if (path == MPAK_PATH_ROTATION) return 4;
  if (path != MPAK_PATH_WEIGHTS) return 3;
  const uint32_t mesh = reader->scene->nodes[node].mesh;
  return mesh == MPAK_NONE ? 0 : reader->scene->meshes[mesh].control_count;
}

static mpak_interpolation animation_interpolation(gltf_reader *reader, const cook_json *sampler) {
  static const char *const names[] = {"STEP", "LINEAR", "CUBICSPLINE"};
  const cook_json member = json_member(sampler, "interpolation");
  if (!json_exists(&member)) return MPAK_LINEAR;
  const char *name = json_text(&member, NULL);
  for (int i = 0; i < 3; i++)
    if (name != NULL && strcmp(name, names[i]) == 0) return (mpak_interpolation)i;
  const char *found =
      json_is_a_number(&member) ? job_format(reader->job, "%.17g", json_number(&member)) : json_kind(&member);
  gltf_report(reader, MPAK_G052, &member, name != NULL ? name : found, NULL);
  return MPAK_LINEAR;
}

// -- Keys ------------------------------------------------------------------------------------------------------------

static void animation_check_counts(gltf_reader *reader, const cook_json *sampler, const cook_track *track,
                                   uint32_t output_count) {
  const uint64_t per_key = track->path == MPAK_PATH_WEIGHTS ? track->width : 1;
  const uint64_t expected = track->key_count * per_key * (track->interpolation == MPAK_CUBICSPLINE ? 3 : 1);
  if (output_count != expected)
    gltf_fail(reader, MPAK_G053, sampler,
              job_format(reader->job, "%u values for %u keys", output_count, track->key_count),
              job_format(reader->job, "%llu", (unsigned long long)expected));
}

static void animation_read_keys(gltf_reader *reader, const cook_json *sampler, cook_track *track) {
  static const gltf_use *const uses[] = {&use_vectors, &use_rotations, &use_vectors, &use_weight_keys};
  const cook_json input = json_member(sampler, "input"), output = json_member(sampler, "output");
  gltf_require(reader, &input);
  gltf_require(reader, &output);
  track->interpolation = animation_interpolation(reader, sampler);
  const gltf_accessor times = gltf_open_accessor(reader, &input, &use_times);
  const gltf_accessor values = gltf_open_accessor(reader, &output, uses[track->path]);
  track->key_count = times.count;
  animation_check_counts(reader, sampler, track, values.count);
  track->times = gltf_read_floats(reader, &times);
  track->value_count = (uint64_t)values.count * values.component_count;
  track->values = gltf_read_floats(reader, &values);
}

// -- Clips -----------------------------------------------------------------------------------------------------------

/// Where the track of (node, path) goes: a new place, or that of an earlier channel, which the later one replaces.
static cook_track *animation_place(gltf_reader *reader, animation_state *state, const cook_json *channel, uint32_t node,
                                   mpak_track_path path) {
  const uint32_t slot = node * 4 + (uint32_t)path;
  if (state->track_of[slot] != 0) {
    gltf_report(reader, MPAK_G055, channel, NULL, NULL);
    return &state->clip->tracks[state->track_of[slot] - 1];
  }
  state->touched[state->touched_count++] = slot;
  state->track_of[slot] = ++state->clip->track_count;
  if (path == MPAK_PATH_WEIGHTS) state->clip->source_weight_tracks++;
  return &state->clip->tracks[state->clip->track_count - 1];
}

static void animation_read_track(gltf_reader *reader, animation_state *state, const cook_json *channel,
                                 const cook_json *sampler, uint32_t node, mpak_track_path path) {
  const uint32_t width = animation_width(reader, node, path);
  if (width == 0) {
    gltf_report(reader, MPAK_G054, channel, NULL, NULL);
    return;
  }
  if (path != MPAK_PATH_WEIGHTS) {
    state->clip->source_node_tracks++;
    if (!state->has_moved[node]) gltf_require_trs(reader, channel, node);
    state->has_moved[node] = true;
  }
  cook_track *track = animation_place(reader, state, channel, node, path);
  *track = (cook_track){.node = node, .path = path, .width = width};
  animation_read_keys(reader, sampler, track);
}

static void animation_read_channel(gltf_reader *reader, animation_state *state, const cook_json *channel) {
  const cook_json target = gltf_object(reader, channel, "target"), sampler_member = json_member(channel, "sampler");
  gltf_require(reader, &target);
  gltf_require(reader, &sampler_member);
  const uint32_t sampler_index = gltf_index(reader, &sampler_member, &state->samplers);
  const cook_json sampler = gltf_object_at(reader, &state->samplers, sampler_index);
  const cook_json node_member = json_member(&target, "node");
  mpak_track_path path = MPAK_PATH_TRANSLATION;
  if (!animation_path(reader, &target, &path)) return;
  const uint32_t node = gltf_index(reader, &node_member, &reader->node_array);
  reader->here_node = node;
  if (node == MPAK_NONE)
    gltf_report(reader, MPAK_G058, channel, NULL, NULL);
  else
    animation_read_track(reader, state, channel, &sampler, node, path);
}

/// Earliest and latest key. A key time that is no number does not count; check/ refuses it.
static void animation_find_span(cook_clip *clip) {
  bool has_keys = false;
  for (uint32_t t = 0; t < clip->track_count; t++)
    for (uint32_t k = 0; k < clip->tracks[t].key_count; k++) {
      const float time = clip->tracks[t].times[k];
      if (!(time <= 3.4e38f)) continue;
      if (!has_keys || time < clip->start_s) clip->start_s = time;
      if (!has_keys || time > clip->end_s) clip->end_s = time;
      has_keys = true;
    }
}

static void animation_read_one(gltf_reader *reader, animation_state *state, uint32_t index) {
  state->object = gltf_object_at(reader, &reader->animation_array, index);
  state->channels = gltf_array(reader, &state->object, "channels");
  state->samplers = gltf_array(reader, &state->object, "samplers");
  state->clip = &reader->scene->clips[index];
  state->clip->source_index = index;
  state->clip->name = gltf_name(reader, &state->object);
  const char *label = state->clip->name != NULL ? state->clip->name : job_format(reader->job, "clip_%u", index);
  const uint64_t count = json_count(&state->channels);
  state->clip->tracks = JOB_ARRAY(reader->job, cook_track, count);
  state->touched = JOB_ARRAY(reader->job, uint32_t, count);
  state->touched_count = 0;
  for (uint64_t i = 0; i < count; i++) {
    gltf_leave(reader);
    reader->here.clip = label;
    const cook_json channel = gltf_object_at(reader, &state->channels, i);
    animation_read_channel(reader, state, &channel);
  }
  for (uint32_t i = 0; i < state->touched_count; i++) state->track_of[state->touched[i]] = 0;
  animation_find_span(state->clip);
}

void gltf_read_animations(gltf_reader *reader) {
  const uint64_t count = json_count(&reader->animation_array);
  gltf_limit_count(reader, &reader->animation_array, count, job_limits(reader->job)->clips, "animations");
  reader->scene->clip_count = (uint32_t)count;
  reader->scene->clips = JOB_ARRAY(reader->job, cook_clip, count);
  animation_state state = {.track_of = JOB_ARRAY(reader->job, uint32_t, (uint64_t)reader->scene->node_count * 4),
                           .has_moved = JOB_ARRAY(reader->job, bool, reader->scene->node_count)};
  for (uint32_t i = 0; i < reader->scene->clip_count; i++) {
    animation_read_one(reader, &state, i);
    gltf_leave(reader);
  }
}
