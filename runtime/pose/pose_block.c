/// pose_block.c: the compressed tracks of a clip at one time, into a pose.
#include "runtime/pose/pose_block.h"

#include <math.h>

#include "runtime/pose/pose_slerp.h"

pose_sample_list pose_sample_list_of_processor(void) {
#if defined(POSE_HAS_AVX2_PATH)
  if (pose_processor_has_avx2()) return pose_sample_list_avx2;
#endif
  return pose_sample_list_plain;
}

// -- Tracks without rows ---------------------------------------------------------------------------------------------

/// Paths that are at the rest of the clip's pack, by bits 3 * node + path.
static void block_sample_rest(const mpak_pack *pack, const pose_rows *rows, const anim_block *block) {
  uint32_t words = (uint32_t)anim_rest_words(pack->node_count);
  for (uint32_t w = 0; w < words; ++w) {
    for (uint32_t bits = block->rest_bits[w]; bits != 0; bits &= bits - 1) {
      uint32_t number = w * 32 + (uint32_t)__builtin_ctz(bits), source = number / 3, path = number % 3;
      uint32_t node = pose_rows_node(rows, source);
      if (node == MPAK_NONE) continue;
      pose_rest_path(&pack->nodes[source], path, &rows->locals[node]);
    }
  }
}

static void block_sample_constants(const pose_rows *rows, const anim_list *list, anim_list_kind kind) {
  const float *columns = (const float *)(const void *)(list->words + list->count);
  for (uint32_t i = 0; i < list->count; ++i) {
    uint32_t node = pose_rows_node(rows, anim_node_of(list->words[i]));
    if (node == MPAK_NONE) continue;
    mpak_transform *local = &rows->locals[node];
    const float value[3] = {columns[i], columns[(uint64_t)list->count + i], columns[2 * (uint64_t)list->count + i]};
    if (kind == ANIM_CONSTANT_ROTATIONS) {
      float left = 1 - (value[0] * value[0] + value[1] * value[1] + value[2] * value[2]);
      pose_place_components(anim_dropped_of(list->words[i]), value, sqrtf(left > 0 ? left : 0), local->rotation);
      if (left < 0) pose_normalise_quaternion(local->rotation);
    } else {
      memcpy(kind == ANIM_CONSTANT_SCALES ? local->scale : local->translation, value, sizeof value);
    }
  }
}

// -- Weights ---------------------------------------------------------------------------------------------------------

/// Where the weights of a node of the clip's pack go.
typedef struct block_weights {
  float *weights; ///< NULL: nowhere
  uint32_t control_count;
  const uint32_t *control_of; ///< NULL: the same numbers
} block_weights;

static block_weights block_weights_of(mpak_pose *pose, const mpak_clip_map *map, const mpak_pack *pack, uint32_t node) {
  uint32_t instance = mpak_find_instance(pack, node);
  block_weights target = {0};
  if (map && instance != MPAK_NONE) {
    target.control_of = map->control_of + map->first_control[instance];
    instance = map->instance_of[instance];
  }
  if (instance == MPAK_NONE) return target;
  target.weights = pose->weights + pose->first_weight[instance];
  target.control_count = pose_mesh_of(pose->pack, instance)->control_count;
  return target;
}

static void block_set_weight(const block_weights *target, uint32_t control, float weight) {
  if (!target->weights) return;
  uint32_t number = target->control_of ? target->control_of[control] : control;
  if (number < target->control_count) target->weights[number] = weight; // MPAK_NONE is no control
}

static void block_sample_weights(mpak_pose *pose, const mpak_clip_map *map, const mpak_pack *pack,
                                 const anim_block *block, const pose_rows *rows, uint32_t bit) {
  const anim_list *tracks = &block->lists[ANIM_WEIGHT_TRACKS], *constants = &block->lists[ANIM_CONSTANT_WEIGHTS];
  const anim_list *animated = &block->lists[ANIM_WEIGHTS];
  const uint32_t *components = animated->words + animated->count, *steps = components + animated->count;
  uint32_t c = 0, a = 0;
  for (uint32_t t = 0; t < tracks->count; ++t) {
    uint32_t node = tracks->words[t], instance = mpak_find_instance(pack, node);
    block_weights target = block_weights_of(pose, map, pack, node);
    uint32_t control_count = pose_mesh_of(pack, instance)->control_count;
    for (uint32_t i = 0; i < control_count; ++i) block_set_weight(&target, i, pose_default_weight(pack, instance, i));
    for (; c < constants->count && anim_node_of(constants->words[c]) == node; ++c) {
      block_set_weight(&target, anim_control_of(constants->words[c]),
                       bytes_float_of_bits(constants->words[constants->count + c]));
    }
    for (; a < animated->count && anim_node_of(animated->words[a]) == node; ++a) {
      uint32_t width = anim_width_of(components[a]);
      float base = (float)anim_base_of(components[a]), step = bytes_float_of_bits(steps[a]);
      float left = base + (float)anim_read_bits(rows->row, bit, width);
      float right = base + (float)anim_read_bits(rows->next_row, bit, width);
      bit += width;
      block_set_weight(&target, anim_control_of(animated->words[a]),
                       (left + rows->slerp.fraction * (right - left)) * step);
    }
  }
}

// -- A block ---------------------------------------------------------------------------------------------------------

void pose_sample_block(mpak_pose *pose, const mpak_clip_map *map, const mpak_pack *pack, const mpak_clips *clips,
                       const mpak_clip *clip, double time_s) {
  if (clip->word_count == 0) return;
  const anim_block block = anim_block_of(clips->words + clip->first_word, pack->node_count);
  anim_place place = anim_place_of(block.sample_count, (double)clip->start_s, (double)clip->end_s, time_s);
  const pose_rows rows = {
      .row = block.rows + (uint64_t)place.row * block.row_bytes,
      .next_row = block.rows + (uint64_t)place.next_row * block.row_bytes,
      .slerp = anim_slerp_of(place.fraction),
      .locals = pose->locals,
      .node_of = map ? map->node_of : NULL,
  };
  block_sample_rest(pack, &rows, &block);
  for (uint32_t l = ANIM_CONSTANT_ROTATIONS; l <= ANIM_CONSTANT_SCALES; ++l) {
    block_sample_constants(&rows, &block.lists[l], l);
  }
  const pose_sample_list sample = pose_sample_list_of_processor();
  uint32_t bit = 0;
  for (uint32_t l = ANIM_ROTATIONS; l <= ANIM_SCALES; ++l) bit = sample(&rows, &block.lists[l], l, bit);
  if (block.lists[ANIM_WEIGHT_TRACKS].count > 0) block_sample_weights(pose, map, pack, &block, &rows, bit);
}

void pose_mark_block(const mpak_pack *pack, const mpak_clips *clips, const mpak_clip *clip, uint8_t moves_node,
                     uint8_t moves_weights, uint8_t *marks) {
  if (clip->word_count == 0) return;
  const anim_block block = anim_block_of(clips->words + clip->first_word, pack->node_count);
  for (uint32_t n = 0; n < pack->node_count; ++n) {
    for (uint32_t bit = 3 * n; bit < 3 * n + 3; ++bit) {
      if (block.rest_bits[bit / 32] >> (bit % 32) & 1u) marks[n] |= moves_node;
    }
  }
  for (uint32_t l = 0; l < ANIM_WEIGHT_TRACKS; ++l) {
    for (uint32_t i = 0; i < block.lists[l].count; ++i) marks[anim_node_of(block.lists[l].words[i])] |= moves_node;
  }
  for (uint32_t i = 0; i < block.lists[ANIM_WEIGHT_TRACKS].count; ++i) {
    marks[block.lists[ANIM_WEIGHT_TRACKS].words[i]] |= moves_weights;
  }
}

const uint32_t *pose_block_weight_nodes(const mpak_pack *pack, const mpak_clips *clips, const mpak_clip *clip,
                                        uint32_t *count) {
  *count = 0;
  if (clip->word_count == 0) return NULL;
  const anim_block block = anim_block_of(clips->words + clip->first_word, pack->node_count);
  *count = block.lists[ANIM_WEIGHT_TRACKS].count;
  return block.lists[ANIM_WEIGHT_TRACKS].words;
}
