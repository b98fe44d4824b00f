#include <stdlib.h>
#include <string.h>

#include "cooker/import/assimp_maker.h"

// FBX: a key of a morph channel lists only the shape channels that have a key at that time, by their number in the
// deformer. Each of them is gathered by itself and sampled, linearly, at all times of the mesh. glTF: each key lists
// all.

// -- Whose weights ----------------------------------------------------------------------------------------------------

/// The node of a morph channel: FBX names it "Face*0", the node and the number of its geometry.
static uint32_t morph_node(const assimp_maker *maker, const cook_clip *clip, const struct aiMeshMorphAnim *source,
                           const bool *marked) {
  // mName.length is wrong in 5.2.5 for FBX; the text ends with its zero
  char *name = job_copy(maker->job, source->mName.data, strnlen(source->mName.data, sizeof source->mName.data - 1));
  char *star = maker->kind == COOK_SOURCE_FBX ? strrchr(name, '*') : NULL;
  if (star != NULL) *star = 0;
  const uint32_t link = assimp_channel_link(maker, clip, name, marked);
  if (link == MPAK_NONE) return MPAK_NONE;
  const uint32_t node = maker->links[link].owner;
  if (maker->scene->nodes[node].mesh != MPAK_NONE) return node;
  cook_where where = COOK_WHERE;
  where.clip = clip->name;
  assimp_issue(maker, MPAK_I017, where, assimp_fbx_name(maker, name));
  return MPAK_NONE;
}

/// Targets by channel number; MPAK_NONE where a channel has none.
typedef struct morph_map {
  uint32_t channel_count;
  uint32_t *targets;
} morph_map;

/// Where the records tell, by them; else one channel for each target, in order.
static morph_map map_channels(const assimp_maker *maker, uint32_t node) {
  const assimp_group *group = &maker->groups[maker->group_of_node[node]];
  const uint32_t target_count = maker->scene->meshes[group->mesh].control_count;
  morph_map map = {.channel_count = target_count};
  for (uint32_t s = 0; s < group->shape_count; s++)
    if (group->shapes[s].channel_index >= map.channel_count) map.channel_count = group->shapes[s].channel_index + 1;
  map.targets = JOB_ARRAY(maker->job, uint32_t, map.channel_count);
  for (uint32_t c = 0; c < map.channel_count; c++) map.targets[c] = group->shape_count == 0 ? c : MPAK_NONE;
  for (uint32_t s = 0; s < group->shape_count; s++)
    if (group->shapes[s].control != MPAK_NONE) map.targets[group->shapes[s].channel_index] = group->shapes[s].control;
  return map;
}

// -- Keys -------------------------------------------------------------------------------------------------------------

/// Keys of one target, gathered: times ascend as the source's do.
typedef struct morph_curve {
  uint32_t key_count;
  double *times;
  double *values;
} morph_curve;

/// One morph channel and what becomes of it.
typedef struct morph_work {
  const assimp_maker *maker;
  const cook_clip *clip;
  const struct aiMeshMorphAnim *source;
  uint32_t node;
  const cook_mesh *mesh;
  morph_map map;
  morph_curve *curves; ///< by target
} morph_work;

_Noreturn static void morph_fail(const morph_work *work, unsigned key, const char *value) {
  cook_where where = COOK_WHERE;
  where.clip = work->clip->name;
  where.node = work->maker->scene->nodes[work->node].name;
  where.element = "key";
  where.index = key;
  where.value = value;
  job_fail(work->maker->job, MPAK_I023, where);
}

/// Adds one key to the curves of its channels. last_key[target] is the newest key that named it, plus one.
static void gather_key(const morph_work *work, unsigned index, unsigned *last_key) {
  const struct aiMeshMorphKey *key = &work->source->mKeys[index];
  for (unsigned i = 0; key->mValues != NULL && key->mWeights != NULL && i < key->mNumValuesAndWeights; i++) {
    const unsigned channel = key->mValues[i];
    if (channel >= work->map.channel_count)
      morph_fail(work, index, job_format(work->maker->job, "channel %u of %u", channel, work->map.channel_count));
    const uint32_t target = work->map.targets[channel];
    if (target == MPAK_NONE) continue;
    if (last_key[target] == index + 1)
      morph_fail(work, index, job_format(work->maker->job, "channel %u twice", channel));
    last_key[target] = index + 1;
    morph_curve *curve = &work->curves[target];
    curve->times[curve->key_count] = key->mTime;
    curve->values[curve->key_count++] = key->mWeights[i];
  }
}

/// How many keys each curve gets, so that their arrays can be allotted.
static void allot_curves(const morph_work *work) {
  uint32_t *key_counts = JOB_ARRAY(work->maker->job, uint32_t, work->mesh->control_count);
  for (unsigned k = 0; k < work->source->mNumKeys; k++) {
    const struct aiMeshMorphKey *key = &work->source->mKeys[k];
    for (unsigned i = 0; key->mValues != NULL && i < key->mNumValuesAndWeights; i++)
      if (key->mValues[i] < work->map.channel_count && work->map.targets[key->mValues[i]] != MPAK_NONE)
        key_counts[work->map.targets[key->mValues[i]]]++;
  }
  for (uint32_t t = 0; t < work->mesh->control_count; t++) {
    work->curves[t].times = JOB_ARRAY(work->maker->job, double, key_counts[t]);
    work->curves[t].values = JOB_ARRAY(work->maker->job, double, key_counts[t]);
  }
}

/// The curve at a time not before those asked for earlier; at is where the last one was found.
static double sample_curve(const morph_curve *curve, double time, uint32_t *at) {
  while (*at + 1 < curve->key_count && curve->times[*at + 1] <= time) ++*at;
  if (time <= curve->times[*at] || *at + 1 == curve->key_count) return curve->values[*at];
  const double along = (time - curve->times[*at]) / (curve->times[*at + 1] - curve->times[*at]);
  return curve->values[*at] + along * (curve->values[*at + 1] - curve->values[*at]);
}

static void sample_target(const morph_work *work, uint32_t target, cook_track *track) {
  const morph_curve *curve = &work->curves[target];
  uint32_t at = 0;
  for (unsigned k = 0; k < work->source->mNumKeys; k++) {
    const double value = curve->key_count != 0 ? sample_curve(curve, work->source->mKeys[k].mTime, &at)
                                               : (double)work->mesh->default_weights[target]; // it is not animated
    track->values[(size_t)k * track->width + target] = (float)value;
  }
}

// -- Tracks -----------------------------------------------------------------------------------------------------------

static void make_weight_track(const assimp_maker *maker, const struct aiAnimation *animation, cook_clip *clip,
                              const struct aiMeshMorphAnim *source, uint32_t node, double shift) {
  const cook_mesh *mesh = &maker->scene->meshes[maker->scene->nodes[node].mesh];
  const morph_work work = {maker,
                           clip,
                           source,
                           node,
                           mesh,
                           map_channels(maker, node),
                           JOB_ARRAY(maker->job, morph_curve, mesh->control_count)};
  unsigned *last_key = JOB_ARRAY(maker->job, unsigned, mesh->control_count);
  allot_curves(&work);
  for (unsigned k = 0; k < source->mNumKeys; k++) gather_key(&work, k, last_key);
  cook_track *track = assimp_add_track(maker, clip, node, MPAK_PATH_WEIGHTS, source->mNumKeys);
  track->width = mesh->control_count;
  track->value_count = (uint64_t)track->key_count * track->width;
  track->values = JOB_ARRAY(maker->job, float, track->value_count);
  for (unsigned k = 0; k < source->mNumKeys; k++)
    track->times[k] = assimp_seconds(animation, source->mKeys[k].mTime - shift);
  for (uint32_t t = 0; t < mesh->control_count; t++) sample_target(&work, t, track);
  assimp_finish_track(track);
}

static int compare_weight_tracks(const void *a, const void *b) {
  const cook_track *left = a, *right = b;
  return left->node < right->node ? -1 : left->node > right->node;
}

static void report_repeated_node(const assimp_maker *maker, const cook_clip *clip, uint32_t node) {
  cook_where where = COOK_WHERE;
  where.clip = clip->name;
  assimp_issue(maker, MPAK_I016, where, maker->scene->nodes[node].name);
}

void assimp_make_weight_tracks(const assimp_maker *maker, const struct aiAnimation *source, cook_clip *clip,
                               double shift_ticks, const bool *moves_shapes) {
  const uint32_t first = clip->track_count;
  for (unsigned c = 0; source->mMorphMeshChannels != NULL && c < source->mNumMorphMeshChannels; c++) {
    const struct aiMeshMorphAnim *channel = source->mMorphMeshChannels[c];
    if (channel == NULL || channel->mKeys == NULL || channel->mNumKeys == 0) continue;
    const uint32_t node = morph_node(maker, clip, channel, moves_shapes);
    if (node != MPAK_NONE) make_weight_track(maker, source, clip, channel, node, shift_ticks);
  }
  if (clip->track_count == first) return;
  qsort(clip->tracks + first, clip->track_count - first, sizeof *clip->tracks, compare_weight_tracks);
  for (uint32_t t = first + 1; t < clip->track_count; t++)
    if (clip->tracks[t].node == clip->tracks[t - 1].node) report_repeated_node(maker, clip, clip->tracks[t].node);
}
