#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/import/assimp_fbx_tracks.h"
#include "cooker/import/fbx_keys.h"

#define TICKS_PER_SECOND_UNKNOWN 25.0 ///< what Assimp's own documentation says of files without a rate

static double assimp_rate(const struct aiAnimation *source) {
  return source->mTicksPerSecond > 0.0 ? source->mTicksPerSecond : TICKS_PER_SECOND_UNKNOWN;
}

float assimp_seconds(const struct aiAnimation *source, double ticks) { return (float)(ticks / assimp_rate(source)); }

// -- Tracks of plain channels -----------------------------------------------------------------------------------------

/// Two keys at one time: the later one holds from there on, so the earlier one goes.
void assimp_finish_track(cook_track *track) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < track->key_count; k++) {
    if (k + 1 < track->key_count && track->times[k + 1] == track->times[k]) continue;
    track->times[kept] = track->times[k];
    memmove(track->values + (size_t)kept * track->width, track->values + (size_t)k * track->width,
            track->width * sizeof *track->values);
    kept++;
  }
  track->key_count = kept;
  track->value_count = (uint64_t)kept * track->width;
}

cook_track *assimp_add_track(const assimp_maker *maker, cook_clip *clip, uint32_t node, mpak_track_path path,
                             uint32_t key_count) {
  cook_track *track = &clip->tracks[clip->track_count++];
  *track = (cook_track){.node = node,
                        .path = path,
                        .interpolation = MPAK_LINEAR,
                        .width = path == MPAK_PATH_ROTATION ? 4 : 3,
                        .key_count = key_count,
                        .times = JOB_ARRAY(maker->job, float, key_count)};
  track->value_count = (uint64_t)key_count * track->width;
  track->values = JOB_ARRAY(maker->job, float, track->value_count);
  return track;
}

/// Positions or scales of a channel.
static void add_vector_track(const assimp_maker *maker, const struct aiAnimation *source, cook_clip *clip,
                             uint32_t node, mpak_track_path path, const struct aiVectorKey *keys, unsigned key_count,
                             double shift) {
  if (keys == NULL || key_count == 0) return;
  cook_track *track = assimp_add_track(maker, clip, node, path, key_count);
  for (unsigned k = 0; k < key_count; k++) {
    const double value[3] = {(double)keys[k].mValue.x, (double)keys[k].mValue.y, (double)keys[k].mValue.z};
    track->times[k] = assimp_seconds(source, keys[k].mTime - shift);
    if (path == MPAK_PATH_SCALE)
      assimp_convert_scale(maker, value, track->values + 3 * (size_t)k);
    else
      assimp_convert_point(maker, value, track->values + 3 * (size_t)k);
  }
  assimp_finish_track(track);
}

static void add_rotation_track(const assimp_maker *maker, const struct aiAnimation *source, cook_clip *clip,
                               uint32_t node, const struct aiNodeAnim *channel, double shift) {
  if (channel->mRotationKeys == NULL || channel->mNumRotationKeys == 0) return;
  cook_track *track = assimp_add_track(maker, clip, node, MPAK_PATH_ROTATION, channel->mNumRotationKeys);
  for (unsigned k = 0; k < channel->mNumRotationKeys; k++) {
    double rotation[4];
    assimp_convert_rotation(maker, &channel->mRotationKeys[k].mValue, rotation);
    track->times[k] = assimp_seconds(source, channel->mRotationKeys[k].mTime - shift);
    for (int i = 0; i < 4; i++) track->values[4 * (size_t)k + (size_t)i] = (float)rotation[i];
  }
  assimp_finish_track(track);
}

/// A channel that holds the whole transform of its node.
static void add_plain_channel(const assimp_maker *maker, const struct aiAnimation *source, cook_clip *clip,
                              uint32_t node, const struct aiNodeAnim *channel, double shift) {
  add_vector_track(maker, source, clip, node, MPAK_PATH_TRANSLATION, channel->mPositionKeys, channel->mNumPositionKeys,
                   shift);
  add_rotation_track(maker, source, clip, node, channel, shift);
  add_vector_track(maker, source, clip, node, MPAK_PATH_SCALE, channel->mScalingKeys, channel->mNumScalingKeys, shift);
}

// -- Channels of a clip -----------------------------------------------------------------------------------------------

/// A channel and the link that it moves.
typedef struct clip_channel {
  uint32_t node;
  uint32_t link;
  bool is_factor; ///< moves one factor of the node's chain
  const struct aiNodeAnim *channel;
} clip_channel;

static int compare_channels(const void *a, const void *b) {
  const clip_channel *left = a, *right = b;
  if (left->node != right->node) return left->node < right->node ? -1 : 1;
  if (left->is_factor != right->is_factor) return left->is_factor ? 1 : -1;
  return left->link < right->link ? -1 : left->link > right->link;
}

/// What a clip is made with.
typedef struct clip_work {
  const assimp_maker *maker;
  const struct aiAnimation *source;
  cook_clip *clip;
  const assimp_rig *rig;
  const fbx_take *take; ///< NULL: Assimp's channels are all there is
  assimp_fbx_clip facts;
  double shift;
  uint32_t coarse_count; ///< tracks whose keys cannot be close enough together
} clip_work;

/// The channels of nodes that do not get their tracks from the file's own curves.
static uint32_t collect_channels(const clip_work *work, clip_channel *channels) {
  const assimp_maker *maker = work->maker;
  const struct aiAnimation *source = work->source;
  uint32_t count = 0;
  for (unsigned c = 0; source->mChannels != NULL && c < source->mNumChannels; c++) {
    if (source->mChannels[c] == NULL) continue;
    const uint32_t link =
        assimp_channel_link(maker, work->clip, source->mChannels[c]->mNodeName.data, work->facts.moves_node);
    if (link == MPAK_NONE) continue;
    const assimp_link_kind kind = maker->links[link].kind;
    if (kind == LINK_GEOMETRIC || kind == LINK_INVERSE) continue; // baked into the mesh
    if (assimp_rig_moves(maker, work->rig, work->take, maker->links[link].owner)) continue;
    channels[count++] = (clip_channel){maker->links[link].owner, link, kind == LINK_HELPER, source->mChannels[c]};
  }
  qsort(channels, count, sizeof *channels, compare_channels);
  return count;
}

static void report_repeated_channel(const assimp_maker *maker, const cook_clip *clip, const clip_channel *channel) {
  cook_where where = COOK_WHERE;
  where.clip = clip->name;
  assimp_issue(maker, MPAK_I016, where, maker->scene->nodes[channel->node].name);
}

/// The channels of one node, count of them: the plain one replaces the whole chain, else each factor moves by itself.
static void add_node_channels(const assimp_maker *maker, const struct aiAnimation *source, cook_clip *clip,
                              const clip_channel *channels, uint32_t count, double shift) {
  if (!channels[0].is_factor) {
    if (count > 1 && !channels[1].is_factor)
      report_repeated_channel(maker, clip, &channels[0]);
    else
      add_plain_channel(maker, source, clip, channels[0].node, channels[0].channel, shift);
    return;
  }
  const struct aiNodeAnim **factors = JOB_ARRAY(maker->job, const struct aiNodeAnim *, count);
  uint32_t *links = JOB_ARRAY(maker->job, uint32_t, count);
  for (uint32_t i = 0; i < count; i++) {
    factors[i] = channels[i].channel;
    links[i] = channels[i].link;
  }
  assimp_bake_factors(maker, source, clip, channels[0].node, factors, links, count, shift);
}

static int compare_node_tracks(const void *a, const void *b) {
  const cook_track *left = a, *right = b;
  if (left->node != right->node) return left->node < right->node ? -1 : 1;
  return left->path < right->path ? -1 : left->path > right->path;
}

static void add_node_tracks(clip_work *work) {
  const assimp_maker *maker = work->maker;
  clip_channel *channels = JOB_ARRAY(maker->job, clip_channel, work->source->mNumChannels);
  const uint32_t count = collect_channels(work, channels);
  for (uint32_t first = 0, end; first < count; first = end) {
    for (end = first + 1; end < count && channels[end].node == channels[first].node;) end++;
    add_node_channels(maker, work->source, work->clip, channels + first, end - first, work->shift);
  }
  for (uint32_t node = 0; node < maker->scene->node_count; node++)
    if (assimp_rig_moves(maker, work->rig, work->take, node))
      assimp_rig_add_tracks(maker, work->rig, &work->facts, work->take, work->clip, node, &work->coarse_count);
  assimp_fbx_check_scale_order(maker, work->rig, work->take, work->clip);
  qsort(work->clip->tracks, work->clip->track_count, sizeof *work->clip->tracks, compare_node_tracks);
  work->clip->source_node_tracks = work->clip->track_count;
}

/// Weights by the file's own curves where every mesh tells its channels; else as Assimp gives them.
static void add_weight_tracks(clip_work *work) {
  const uint32_t first = work->clip->track_count;
  const cook_scene *scene = work->maker->scene;
  bool is_known = work->take != NULL;
  for (uint32_t node = 0; node < scene->node_count && is_known; node++) {
    const uint32_t mesh = scene->nodes[node].mesh;
    if (mesh == MPAK_NONE || scene->meshes[mesh].control_count == 0) continue;
    is_known =
        assimp_rig_add_weights(work->maker, work->rig, &work->facts, work->take, work->clip, node, &work->coarse_count);
  }
  if (!is_known) {
    work->clip->track_count = first;
    assimp_make_weight_tracks(work->maker, work->source, work->clip, work->shift, work->facts.moves_shapes);
  }
  work->clip->source_weight_tracks = work->clip->track_count - first;
}

// -- Time -------------------------------------------------------------------------------------------------------------

static void take_earliest(double *earliest, double time) {
  if (!(*earliest <= time)) *earliest = time;
}

/// The earliest key of all channels, in ticks; NaN without keys.
static double earliest_key(const struct aiAnimation *source) {
  double earliest = (double)NAN;
  for (unsigned c = 0; source->mChannels != NULL && c < source->mNumChannels; c++) {
    const struct aiNodeAnim *channel = source->mChannels[c];
    if (channel == NULL) continue;
    if (channel->mPositionKeys != NULL && channel->mNumPositionKeys != 0)
      take_earliest(&earliest, channel->mPositionKeys[0].mTime);
    if (channel->mRotationKeys != NULL && channel->mNumRotationKeys != 0)
      take_earliest(&earliest, channel->mRotationKeys[0].mTime);
    if (channel->mScalingKeys != NULL && channel->mNumScalingKeys != 0)
      take_earliest(&earliest, channel->mScalingKeys[0].mTime);
  }
  for (unsigned c = 0; source->mMorphMeshChannels != NULL && c < source->mNumMorphMeshChannels; c++) {
    const struct aiMeshMorphAnim *channel = source->mMorphMeshChannels[c];
    if (channel != NULL && channel->mKeys != NULL && channel->mNumKeys != 0)
      take_earliest(&earliest, channel->mKeys[0].mTime);
  }
  return earliest;
}

/// Ticks to subtract from key times. FBX: a stack without a range begins at its first key, of whatever channel.
static double time_shift(const assimp_maker *maker, const struct aiAnimation *source, const assimp_fbx_clip *facts) {
  if (maker->kind != COOK_SOURCE_FBX || facts->has_range) return 0.0;
  const double earliest = earliest_key(source), rate = assimp_rate(source);
  return isfinite(earliest) ? earliest - facts->first_key_s * rate : 0.0;
}

static void take_range_of_tracks(cook_clip *clip, float *first, float *last) {
  bool is_empty = true;
  for (uint32_t t = 0; t < clip->track_count; t++) {
    const cook_track *track = &clip->tracks[t];
    if (track->key_count == 0) continue;
    if (is_empty || track->times[0] < *first) *first = track->times[0];
    if (is_empty || track->times[track->key_count - 1] > *last) *last = track->times[track->key_count - 1];
    is_empty = false;
  }
}

/// FBX: from 0 to the stack's end, or the last key where it states none. Others: from the first key to the last.
static void set_range(const assimp_maker *maker, cook_clip *clip, const assimp_fbx_clip *facts) {
  float first = 0.0f, last = 0.0f;
  take_range_of_tracks(clip, &first, &last);
  clip->start_s = maker->kind == COOK_SOURCE_FBX ? 0.0f : first;
  clip->end_s = facts->has_range && facts->stop_s > facts->start_s ? (float)(facts->stop_s - facts->start_s) : last;
  if (clip->end_s < clip->start_s) clip->end_s = clip->start_s;
}

// -- Clips ------------------------------------------------------------------------------------------------------------

static void report_coarse_tracks(const clip_work *work) {
  if (work->coarse_count == 0) return;
  cook_where where = COOK_WHERE;
  where.clip = work->clip->name;
  where.limit = job_format(work->maker->job, "%.0f", FBX_KEYS_PER_SECOND_MAX);
  assimp_issue(work->maker, MPAK_I028, where, job_format(work->maker->job, "%u", work->coarse_count));
}

static void make_clip(const assimp_maker *maker, const assimp_rig *rig, uint32_t index, cook_clip *clip) {
  const struct aiAnimation *source = maker->source->mAnimations[index];
  *clip = (cook_clip){.name = assimp_text(maker, &source->mName), .source_index = index};
  clip_work work = {.maker = maker, .source = source, .clip = clip, .rig = rig};
  work.take = assimp_fbx_find_take(maker, index);
  work.facts = assimp_fbx_find_clip(maker, index);
  work.shift = time_shift(maker, source, &work.facts);
  const uint64_t from_records = work.take == NULL ? 0 : 4ull * maker->scene->node_count;
  clip->tracks =
      JOB_ARRAY(maker->job, cook_track, 3ull * source->mNumChannels + source->mNumMorphMeshChannels + from_records);
  add_node_tracks(&work);
  add_weight_tracks(&work);
  set_range(maker, clip, &work.facts);
  report_coarse_tracks(&work);
}

void assimp_make_clips(assimp_maker *maker) {
  const unsigned count = maker->source->mAnimations == NULL ? 0 : maker->source->mNumAnimations;
  cook_scene *scene = maker->scene;
  assimp_check_limit(maker, "clips", count, job_limits(maker->job)->clips);
  scene->clips = JOB_ARRAY(maker->job, cook_clip, count);
  const assimp_rig *rig = count == 0 ? NULL : assimp_rig_make(maker);
  for (unsigned i = 0; i < count; i++)
    if (maker->source->mAnimations[i] != NULL) make_clip(maker, rig, i, &scene->clips[scene->clip_count++]);
}
