/// pose_private.h: what the files of runtime/pose share about weights and memory.
#ifndef MPAK_POSE_PRIVATE_H
#define MPAK_POSE_PRIVATE_H

#include <float.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "runtime/mpak_pose.h"
#include "runtime/pose/carve.h"
#include "runtime/pose/pose_slerp.h"

static inline const mpak_mesh *pose_mesh_of(const mpak_pack *pack, uint32_t instance) {
  return &pack->meshes[pack->instances[instance].mesh];
}

/// RequiredBones of all instances together: ascending, closed under parents.
///
/// nodes  node_count of the pack, of which as many are filled as are returned
uint32_t pose_find_required(const mpak_pack *pack, uint32_t lod, uint32_t *nodes);

/// Weights of all instances together; more than 32 bits are refused by the _init functions.
static inline uint64_t pose_weight_total(const mpak_pack *pack) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < pack->instance_count; ++i) total += pose_mesh_of(pack, i)->control_count;
  return total;
}

static inline void pose_fill_first_weights(const mpak_pack *pack, uint32_t *first_weight) {
  uint32_t next = 0;
  for (uint32_t i = 0; i < pack->instance_count; ++i) {
    first_weight[i] = next;
    next += pose_mesh_of(pack, i)->control_count;
  }
}

/// Takes room for the weights of all instances, and for the numbers of their first ones, which are filled in.
static inline void pose_take_weights(const mpak_pack *pack, carve *block, float **weights,
                                     const uint32_t **first_weight) {
  *weights = carve_take(block, pose_weight_total(pack), sizeof **weights);
  uint32_t *first = carve_take(block, pack->instance_count, sizeof *first);
  if (first) pose_fill_first_weights(pack, first);
  *first_weight = first;
}

/// The checks that every _init makes.
static inline mpak_result pose_check_memory(const mpak_pack *pack, const void *memory, uint64_t memory_bytes,
                                            uint64_t needed_bytes) {
  if (pose_weight_total(pack) > UINT32_MAX) return MPAK_ERROR_LIMIT;
  if (memory_bytes < needed_bytes) return MPAK_ERROR_BUFFER_TOO_SMALL;
  if (!memory && needed_bytes > 0) return MPAK_ERROR_BUFFER_TOO_SMALL;
  return bytes_is_aligned(memory, CARVE_ALIGNMENT) ? MPAK_OK : MPAK_ERROR_ALIGNMENT;
}

static inline float pose_default_weight(const mpak_pack *pack, uint32_t instance, uint32_t control) {
  uint32_t first = pack->instances[instance].first_weight;
  if (first != MPAK_NONE) return pack->instance_weights[first + control];
  return pack->controls[pose_mesh_of(pack, instance)->first_control + control].default_weight;
}

/// What a rule makes of its control's weight, which is finite. In double precision, and kept inside float: slopes may
/// be as steep as a hostile pack likes.
static inline float pose_rule_weight(const mpak_pack *pack, const mpak_rule *rule, float weight) {
  const mpak_rule_point *points = pack->rule_points + rule->first_point;
  uint32_t i = rule->point_count - 2;
  while (i > 0 && points[i].control_weight > weight) --i;
  double x = (double)points[i].control_weight, y = (double)points[i].shape_weight;
  double along = ((double)weight - x) / ((double)points[i + 1].control_weight - x);
  double value = y + along * ((double)points[i + 1].shape_weight - y);
  if (value > (double)FLT_MAX) return FLT_MAX;
  return value < -(double)FLT_MAX ? -FLT_MAX : (float)value;
}

/// The weight of a shape when its control has this one.
static inline float pose_shape_weight(const mpak_pack *pack, const mpak_shape *shape, float weight) {
  return shape->rule == MPAK_NONE ? weight : pose_rule_weight(pack, &pack->rules[shape->rule], weight);
}

/// Where the values of a track go.
typedef struct pose_track_target {
  uint32_t node;
  uint32_t instance;          ///< weights: or MPAK_NONE, then they go nowhere
  const uint32_t *control_of; ///< weights: control of each value, MPAK_NONE for none; NULL: value i is control i's
} pose_track_target;

/// Writes a track's values at one time into the pose.
void pose_sample_track(mpak_pose *pose, const mpak_clips *clips, const mpak_track *track, double time_s,
                       const pose_track_target *target);

/// Writes what the compressed tracks of a clip animate into the pose; nothing when it has none.
///
/// map   the way from pack to the pose's own, or NULL: they are the same
/// pack  whose clip it is
void pose_sample_block(mpak_pose *pose, const mpak_clip_map *map, const mpak_pack *pack, const mpak_clips *clips,
                       const mpak_clip *clip, double time_s);

/// The nodes whose weights the compressed tracks of a clip animate: each draws controls.
const uint32_t *pose_block_weight_nodes(const mpak_pack *pack, const mpak_clips *clips, const mpak_clip *clip,
                                        uint32_t *count);

/// Sets bits of marks (by node of the pack) for what the compressed tracks of a clip animate.
void pose_mark_block(const mpak_pack *pack, const mpak_clips *clips, const mpak_clip *clip, uint8_t moves_node,
                     uint8_t moves_weights, uint8_t *marks);

/// Rotations have no components below this but 0: their squares would be denormal, and processors are slow at those.
#define POSE_LEAST_COMPONENT 1e-18f

/// A node's rest rotation with length 1: nearly all have it already.
static inline void pose_rest_rotation(const float rest[4], float out[4]) {
#if defined(__SSE2__)
  const __m128 least = _mm_set1_ps(POSE_LEAST_COMPONENT), sign = _mm_set1_ps(-0.0f);
  __m128 q = _mm_loadu_ps(rest);
  q = _mm_and_ps(q, _mm_cmpgt_ps(_mm_andnot_ps(sign, q), least));
  __m128 squares = _mm_mul_ps(q, q);
  __m128 pairs = _mm_add_ps(squares, _mm_shuffle_ps(squares, squares, _MM_SHUFFLE(2, 3, 0, 1)));
  float square = _mm_cvtss_f32(_mm_add_ss(pairs, _mm_movehl_ps(pairs, pairs)));
  _mm_storeu_ps(out, q);
#else
  for (int i = 0; i < 4; ++i) {
    out[i] = rest[i] > POSE_LEAST_COMPONENT || rest[i] < -POSE_LEAST_COMPONENT ? rest[i] : 0;
  }
  float square = (out[0] * out[0] + out[1] * out[1]) + (out[2] * out[2] + out[3] * out[3]);
#endif
  if (!(square < 1 + 1e-6f && square > 1 - 1e-6f)) pose_normalise_quaternion(out);
}

/// Three numbers and a 0. from: a fourth may be read.
static inline void pose_copy_three(const float *from, float out[4]) {
#if defined(__SSE2__)
  const __m128 xyz = _mm_castsi128_ps(_mm_setr_epi32(-1, -1, -1, 0));
  _mm_storeu_ps(out, _mm_and_ps(xyz, _mm_loadu_ps(from))); // whole, so that it can be loaded whole soon after
#else
  memcpy(out, from, 3 * sizeof *from);
  out[3] = 0;
#endif
}

/// Sets one path (not weights) of a transform to a node's rest; a node whose rest is a bare matrix counts as identity.
static inline void pose_rest_path(const mpak_node *node, uint32_t path, mpak_transform *local) {
  static const float identity[12] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
  const float *rest = node->flags & MPAK_NODE_MATRIX ? identity : node->rest;
  if (path == MPAK_PATH_ROTATION) {
    pose_rest_rotation(rest + 3, local->rotation);
  } else if (path == MPAK_PATH_SCALE) {
    pose_copy_three(rest + 7, local->scale);
  } else {
    pose_copy_three(rest, local->translation);
  }
}

/// weight within the control's range; NaN becomes 0 first, so that it can neither spread nor differ from itself for
/// ever.
static inline float pose_clamp_weight(const mpak_control *control, float weight) {
  float value = weight == weight ? weight : 0.0f;
  if (value < control->range_min) value = control->range_min;
  return value > control->range_max ? control->range_max : value;
}

#endif
