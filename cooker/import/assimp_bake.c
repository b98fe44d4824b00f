#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/import/assimp_maker.h"
#include "cooker/import/fbx_keys.h"

// A node with pivots is a product of factors, and Assimp animates single factors. Such a node gets keys at every time
// at which any factor has one: there the product is exact.

// -- Values between keys ----------------------------------------------------------------------------------------------

/// The key at or before a time, and how far on to the next one it is: 0 to 1. Before the first and behind the last key
/// the value holds.
static unsigned find_key(const double *times, unsigned count, double time, double *along) {
  *along = 0.0;
  if (!(time > times[0])) return 0;
  unsigned low = 0, high = count; // times[low] <= time
  while (high - low > 1) {
    const unsigned middle = low + (high - low) / 2;
    if (times[middle] <= time)
      low = middle;
    else
      high = middle;
  }
  if (high < count && times[high] > times[low]) *along = (time - times[low]) / (times[high] - times[low]);
  return low;
}

static void normalize4(double q[4]) {
  const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4 && length > 0.0; i++) q[i] /= length;
}

// -- Factors ----------------------------------------------------------------------------------------------------------

/// Key times of one channel as plain numbers.
typedef struct bake_channel {
  const struct aiNodeAnim *source;
  double *position_times, *rotation_times, *scaling_times;
} bake_channel;

static double *vector_times(cook_job *job, const struct aiVectorKey *keys, unsigned count) {
  double *times = JOB_ARRAY(job, double, count);
  for (unsigned k = 0; keys != NULL && k < count; k++) times[k] = keys[k].mTime;
  return times;
}

static bake_channel open_channel(cook_job *job, const struct aiNodeAnim *source) {
  bake_channel channel = {source, vector_times(job, source->mPositionKeys, source->mNumPositionKeys),
                          JOB_ARRAY(job, double, source->mNumRotationKeys),
                          vector_times(job, source->mScalingKeys, source->mNumScalingKeys)};
  for (unsigned k = 0; source->mRotationKeys != NULL && k < source->mNumRotationKeys; k++)
    channel.rotation_times[k] = source->mRotationKeys[k].mTime;
  return channel;
}

static void sample_vector(const struct aiVectorKey *keys, const double *times, unsigned count, double time,
                          double value[3]) {
  if (keys == NULL || count == 0) return;
  double along;
  const unsigned k = find_key(times, count, time, &along);
  const struct aiVector3D *a = &keys[k].mValue, *b = along > 0.0 ? &keys[k + 1].mValue : a;
  value[0] = (double)a->x + along * ((double)b->x - (double)a->x);
  value[1] = (double)a->y + along * ((double)b->y - (double)a->y);
  value[2] = (double)a->z + along * ((double)b->z - (double)a->z);
}

static void quaternion_from(const struct aiQuaternion *from, double to[4]) {
  to[0] = (double)from->x;
  to[1] = (double)from->y;
  to[2] = (double)from->z;
  to[3] = (double)from->w;
  normalize4(to);
}

/// A factor's transform at a time, from its channel.
static affine sample_channel(const bake_channel *channel, double time) {
  const struct aiNodeAnim *source = channel->source;
  affine_parts parts = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
  sample_vector(source->mPositionKeys, channel->position_times, source->mNumPositionKeys, time, parts.translation);
  sample_vector(source->mScalingKeys, channel->scaling_times, source->mNumScalingKeys, time, parts.scale);
  if (source->mRotationKeys != NULL && source->mNumRotationKeys != 0) {
    double along, a[4], b[4];
    const unsigned k = find_key(channel->rotation_times, source->mNumRotationKeys, time, &along);
    quaternion_from(&source->mRotationKeys[k].mValue, a);
    quaternion_from(&source->mRotationKeys[along > 0.0 ? k + 1 : k].mValue, b);
    fbx_keys_slerp(a, b, along, parts.rotation);
  }
  return affine_from_parts(&parts);
}

// -- Baking -----------------------------------------------------------------------------------------------------------

static int compare_numbers(const void *a, const void *b) {
  const double left = *(const double *)a, right = *(const double *)b;
  return left < right ? -1 : left > right;
}

static uint32_t append_times(double *times, uint32_t count, const double *more, unsigned more_count) {
  for (unsigned i = 0; i < more_count; i++)
    if (isfinite(more[i])) times[count++] = more[i];
  return count;
}

/// All key times of all channels, ascending, each once.
static double *all_times(const assimp_maker *maker, const bake_channel *channels, uint32_t channel_count,
                         uint32_t *count) {
  uint64_t most = 0;
  for (uint32_t c = 0; c < channel_count; c++) {
    const struct aiNodeAnim *source = channels[c].source;
    most += (uint64_t)source->mNumPositionKeys + source->mNumRotationKeys + source->mNumScalingKeys;
  }
  assimp_check_limit(maker, "keys of a node", most, UINT32_MAX);
  double *times = JOB_ARRAY(maker->job, double, most);
  uint32_t collected = 0;
  for (uint32_t c = 0; c < channel_count; c++) {
    collected = append_times(times, collected, channels[c].position_times, channels[c].source->mNumPositionKeys);
    collected = append_times(times, collected, channels[c].rotation_times, channels[c].source->mNumRotationKeys);
    collected = append_times(times, collected, channels[c].scaling_times, channels[c].source->mNumScalingKeys);
  }
  qsort(times, collected, sizeof *times, compare_numbers);
  *count = 0;
  for (uint32_t i = 0; i < collected; i++)
    if (*count == 0 || times[i] != times[*count - 1]) times[(*count)++] = times[i];
  return times;
}

/// What is baked: a node, the channels of its factors, and the links that they move.
typedef struct bake_plan {
  const assimp_maker *maker;
  uint32_t node;
  const bake_channel *channels;
  const uint32_t *links;
  uint32_t channel_count;
} bake_plan;

static affine factor_at(const bake_plan *plan, uint32_t link, double time) {
  for (uint32_t c = 0; c < plan->channel_count; c++)
    if (plan->links[c] == link) return sample_channel(&plan->channels[c], time);
  return assimp_affine(&plan->maker->links[link].source->mTransformation);
}

static affine node_at(const bake_plan *plan, double time) {
  const assimp_node *chain = &plan->maker->nodes[plan->node];
  affine product = affine_identity();
  for (uint32_t i = chain->first_link; i < chain->link_end; i++) {
    const assimp_link_kind kind = plan->maker->links[i].kind;
    if (kind == LINK_NODE || kind == LINK_HELPER) product = affine_multiply(product, factor_at(plan, i, time));
  }
  return assimp_convert_transform(plan->maker, product);
}

/// Neighbouring keys on the same half of the sphere, so that the way between them is the short one.
static void keep_sign(const float *previous, float *rotation) {
  const float dot =
      previous[0] * rotation[0] + previous[1] * rotation[1] + previous[2] * rotation[2] + previous[3] * rotation[3];
  for (int i = 0; i < 4 && dot < 0.0f; i++) rotation[i] = -rotation[i];
}

static void store_key(cook_track *const tracks[3], uint32_t key, float time, const affine_parts *parts) {
  for (int t = 0; t < 3; t++) tracks[t]->times[key] = time;
  for (size_t i = 0; i < 3; i++) tracks[0]->values[3 * (size_t)key + i] = (float)parts->translation[i];
  for (size_t i = 0; i < 4; i++) tracks[1]->values[4 * (size_t)key + i] = (float)parts->rotation[i];
  for (size_t i = 0; i < 3; i++) tracks[2]->values[3 * (size_t)key + i] = (float)parts->scale[i];
  if (key > 0) keep_sign(tracks[1]->values + 4 * ((size_t)key - 1), tracks[1]->values + 4 * (size_t)key);
}

void assimp_bake_factors(const assimp_maker *maker, const struct aiAnimation *source, cook_clip *clip, uint32_t node,
                         const struct aiNodeAnim *const *factors, const uint32_t *links, uint32_t count, double shift) {
  bake_channel *channels = JOB_ARRAY(maker->job, bake_channel, count);
  for (uint32_t c = 0; c < count; c++) channels[c] = open_channel(maker->job, factors[c]);
  uint32_t key_count;
  const double *times = all_times(maker, channels, count, &key_count);
  if (key_count == 0) return;
  const bake_plan plan = {maker, node, channels, links, count};
  cook_track *tracks[3];
  for (int t = 0; t < 3; t++) tracks[t] = assimp_add_track(maker, clip, node, (mpak_track_path)t, key_count);
  for (uint32_t k = 0; k < key_count; k++) {
    affine_parts parts;
    affine_to_parts(node_at(&plan, times[k]), &parts);
    store_key(tracks, k, assimp_seconds(source, times[k] - shift), &parts);
  }
  for (int t = 0; t < 3; t++) assimp_finish_track(tracks[t]);
}
