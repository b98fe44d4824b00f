/// pose_block.c: the compressed tracks of a clip at one time, into a pose.
#include "runtime/pose/pose_block.h"

#include "runtime/pose/pose_ways.h"

// -- Rest ------------------------------------------------------------------------------------------------------------

/// paths: bit p for path p.
static inline void block_rest_node(const mpak_pack *pack, const pose_rows *rows, uint32_t source, uint32_t paths) {
  uint32_t node = pose_rows_node(rows, source);
  if (node == MPAK_NONE) return;
  const mpak_node *record = &pack->nodes[source];
  mpak_transform *local = &rows->locals[node];
  if (paths >> MPAK_PATH_TRANSLATION & 1u) pose_rest_path(record, MPAK_PATH_TRANSLATION, local);
  if (paths >> MPAK_PATH_ROTATION & 1u) pose_rest_path(record, MPAK_PATH_ROTATION, local);
  if (paths >> MPAK_PATH_SCALE & 1u) pose_rest_path(record, MPAK_PATH_SCALE, local);
}

#define BLOCK_REST_NODES 21u ///< whose bits fill 63 of 64

/// Paths that are at the rest of the clip's pack, by bits 3 * node + path.
static void block_sample_rest(const mpak_pack *pack, const pose_rows *rows, const anim_block *block) {
  const uint32_t node_count = pack->node_count, words = (uint32_t)anim_rest_words(node_count);
  for (uint32_t first = 0; first < node_count; first += BLOCK_REST_NODES) {
    const uint32_t word = 3 * first / 32, shift = 3 * first % 32;
    uint64_t bits = 0;
    for (uint32_t w = 2; w-- > 0;) bits = bits << 32 | (word + w < words ? block->rest_bits[word + w] : 0);
    bits >>= shift;
    if (shift > 0 && word + 2 < words) bits |= (uint64_t)block->rest_bits[word + 2] << (64 - shift);
    bits &= ~(UINT64_C(1) << 63);
    for (uint32_t node = first; bits != 0; ++node, bits >>= 3) {
      if (bits & 7u) block_rest_node(pack, rows, node, bits & 7u);
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

/// All controls of an instance of pack get their defaults.
static void block_rest_weights(const block_weights *target, const mpak_pack *pack, uint32_t instance) {
  const mpak_mesh *mesh = pose_mesh_of(pack, instance);
  const uint32_t first = pack->instances[instance].first_weight;
  if (!target->weights) return;
  if (target->control_of) {
    for (uint32_t i = 0; i < mesh->control_count; ++i) {
      block_set_weight(target, i, pose_default_weight(pack, instance, i));
    }
  } else if (first != MPAK_NONE) {
    memcpy(target->weights, pack->instance_weights + first, mesh->control_count * sizeof *target->weights);
  } else {
    const mpak_control *controls = pack->controls + mesh->first_control;
    for (uint32_t i = 0; i < mesh->control_count; ++i) target->weights[i] = controls[i].default_weight;
  }
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
    block_rest_weights(&target, pack, instance);
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
  const pose_ways ways = pose_ways_of_processor();
  for (uint32_t l = ANIM_CONSTANT_ROTATIONS; l <= ANIM_CONSTANT_SCALES; ++l) {
    if (block.lists[l].count > 0) ways.place_constants(&rows, &block.lists[l], l);
  }
  uint32_t bit = 0;
  for (uint32_t l = ANIM_ROTATIONS; l <= ANIM_SCALES; ++l) {
    if (block.lists[l].count > 0) bit = ways.sample_list(&rows, &block.lists[l], l, bit);
  }
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
