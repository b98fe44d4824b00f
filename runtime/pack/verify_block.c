// verify_block.c: what the block of a clip may hold. After it no index of a block leaves its table and no number that
// sampling makes is infinite or NaN.
#include "format/anim_block.h"
#include "runtime/pack/pack_internal.h"

/// Squared length that three components of a rotation may have: rounding to steps may lift it above 1.
#define BLOCK_MOST_SQUARE 1.015625f

typedef struct block_check {
  const mpak_pack *pack;
  mpak_fault *fault;
  uint32_t clip;
  anim_block block;
} block_check;

static mpak_result block_refuse(const block_check *check, const char *rule) {
  return layout_fail(check->fault, MPAK_ERROR_CORRUPT, rule, check->pack->animation_chunk, check->clip);
}

#define BLOCK_REQUIRE(condition, rule)                                                                                 \
  do {                                                                                                                 \
    if (!(condition)) return block_refuse(check, rule);                                                                \
  } while (0)

static const float *block_constants(const anim_list *list, uint32_t column) {
  return (const float *)(const void *)(list->words + (uint64_t)column * list->count);
}

// -- Nodes' tracks ---------------------------------------------------------------------------------------------------

static mpak_result block_check_constant(const block_check *check, const anim_list *list, uint32_t i, bool is_rotation) {
  float square = 0;
  for (uint32_t c = 1; c <= 3; ++c) {
    float value = block_constants(list, c)[i];
    BLOCK_REQUIRE(bytes_float_is_finite(value), "ANIM: a constant is not finite");
    square += value * value;
  }
  BLOCK_REQUIRE(!is_rotation || square <= BLOCK_MOST_SQUARE, "ANIM: a rotation is longer than 1");
  return MPAK_OK;
}

static mpak_result block_check_components(const block_check *check, const anim_list *list, uint32_t i,
                                          uint32_t components) {
  uint32_t bits = 0;
  for (uint32_t c = 1; c <= components; ++c) {
    uint32_t width = anim_width_of(list->words[(uint64_t)c * list->count + i]);
    BLOCK_REQUIRE(width <= ANIM_MAX_WIDTH, "ANIM: a component is wider than 24 bits");
    bits += width;
  }
  BLOCK_REQUIRE(bits > 0, "ANIM: an animated track without bits");
  return MPAK_OK;
}

static mpak_result block_check_track(const block_check *check, uint32_t l, uint32_t i) {
  const anim_list *list = &check->block.lists[l];
  uint32_t info = list->words[i], components = anim_list_components(l);
  bool drops = l == ANIM_CONSTANT_ROTATIONS || l == ANIM_ROTATIONS;
  uint32_t zero = 0xFu << 18 | (drops ? 0 : 3u << 16) | (components ? 0 : 0x3FFu << 22);
  BLOCK_REQUIRE((info & zero) == 0, "ANIM: reserved bits of a track are not zero");
  BLOCK_REQUIRE(anim_node_of(info) < check->pack->node_count, "ANIM: a node is past the nodes");
  return components ? block_check_components(check, list, i, components)
                    : block_check_constant(check, list, i, l == ANIM_CONSTANT_ROTATIONS);
}

/// The next node of a list, or MPAK_NONE.
static uint32_t block_node_at(const anim_list *list, uint32_t i) {
  return i < list->count ? anim_node_of(list->words[i]) : MPAK_NONE;
}

static bool block_is_rest(const block_check *check, uint32_t node, uint32_t path) {
  uint64_t bit = (uint64_t)node * 3 + path;
  return check->block.rest_bits[bit / 32] >> (bit % 32) & 1u;
}

/// The lists of one path: every node at most once, in no other list, without rest bit, and not in TRAK. Lists and TRAK
/// ascend by node, so one walk over all of them finds every pair.
static mpak_result block_check_path(const block_check *check, uint32_t path) {
  static const uint8_t lists_of_path[3][3] = {{ANIM_CONSTANT_TRANSLATIONS, ANIM_TRANSLATIONS, ANIM_TRANSLATIONS},
                                              {ANIM_CONSTANT_ROTATIONS, ANIM_ROTATIONS, ANIM_FULL_ROTATIONS},
                                              {ANIM_CONSTANT_SCALES, ANIM_SCALES, ANIM_SCALES}};
  const uint32_t list_count = path == MPAK_PATH_ROTATION ? 3 : 2;
  uint32_t at[3] = {0, 0, 0}, last = MPAK_NONE;
  for (;;) {
    uint32_t least = 0, node = MPAK_NONE;
    for (uint32_t k = 0; k < list_count; ++k) {
      uint32_t next = block_node_at(&check->block.lists[lists_of_path[path][k]], at[k]);
      if (next >= node) continue;
      node = next;
      least = k;
    }
    if (node == MPAK_NONE) return MPAK_OK;
    BLOCK_REQUIRE(last == MPAK_NONE || node > last, "ANIM: tracks do not ascend by node");
    BLOCK_REQUIRE(!block_is_rest(check, node, path), "ANIM: a path of a node occurs twice");
    last = node;
    at[least]++;
  }
}

/// Which list of animated or constant tracks holds a node's path; by halving, lists ascend.
static bool block_list_has(const anim_list *list, uint32_t node) {
  uint32_t low = 0, high = list->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (anim_node_of(list->words[middle]) < node) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return block_node_at(list, low) == node;
}

static mpak_result block_check_against_keys(const block_check *check) {
  static const uint8_t paths[ANIM_LIST_COUNT] = {MPAK_PATH_ROTATION,
                                                 MPAK_PATH_TRANSLATION,
                                                 MPAK_PATH_SCALE,
                                                 MPAK_PATH_ROTATION,
                                                 MPAK_PATH_ROTATION,
                                                 MPAK_PATH_TRANSLATION,
                                                 MPAK_PATH_SCALE,
                                                 MPAK_PATH_WEIGHTS,
                                                 4,
                                                 4};
  const mpak_clip *clip = &check->pack->clips[check->clip];
  for (uint32_t t = clip->first_track; t < clip->first_track + clip->track_count; ++t) {
    const mpak_track *track = &check->pack->tracks[t];
    bool is_there = track->path < MPAK_PATH_WEIGHTS && block_is_rest(check, track->node, track->path);
    for (uint32_t l = 0; l < ANIM_LIST_COUNT; ++l) {
      if (paths[l] == track->path) is_there |= block_list_has(&check->block.lists[l], track->node);
    }
    BLOCK_REQUIRE(!is_there, "ANIM: a track is in TRAK too");
  }
  return MPAK_OK;
}

static mpak_result block_check_rest_bits(const block_check *check) {
  uint64_t bits = (uint64_t)check->pack->node_count * 3;
  if (bits % 32 == 0) return MPAK_OK;
  BLOCK_REQUIRE(check->block.rest_bits[bits / 32] >> (bits % 32) == 0, "ANIM: a rest bit past the nodes");
  return MPAK_OK;
}

// -- Weights ---------------------------------------------------------------------------------------------------------

static uint32_t block_control_count(const block_check *check, uint32_t node) {
  uint32_t instance = mpak_find_instance(check->pack, node);
  if (instance == MPAK_NONE) return 0;
  return check->pack->meshes[check->pack->instances[instance].mesh].control_count;
}

static mpak_result block_check_weight_tracks(const block_check *check) {
  const anim_list *list = &check->block.lists[ANIM_WEIGHT_TRACKS];
  for (uint32_t i = 0; i < list->count; ++i) {
    BLOCK_REQUIRE(list->words[i] < check->pack->node_count, "ANIM: a node is past the nodes");
    BLOCK_REQUIRE(i == 0 || list->words[i] > list->words[i - 1], "ANIM: tracks do not ascend by node");
    BLOCK_REQUIRE(block_control_count(check, list->words[i]) > 0, "ANIM: weights of a node that draws no controls");
  }
  return MPAK_OK;
}

/// Is a weight among the constant ones? By halving; they are known to ascend by (node, control).
static bool block_has_constant_weight(const block_check *check, uint32_t info) {
  const anim_list *list = &check->block.lists[ANIM_CONSTANT_WEIGHTS];
  const uint32_t wanted = anim_node_of(info) << 16 | anim_control_of(info);
  uint32_t low = 0, high = list->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2, word = list->words[middle];
    if ((anim_node_of(word) << 16 | anim_control_of(word)) < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < list->count && list->words[low] == info;
}

/// One list of single weights: ascending by (node, control), each of a node that ANIM_WEIGHT_TRACKS lists.
static mpak_result block_check_weights(const block_check *check, uint32_t l) {
  const anim_list *list = &check->block.lists[l], *tracks = &check->block.lists[ANIM_WEIGHT_TRACKS];
  uint32_t track = 0, controls = 0, node = MPAK_NONE;
  for (uint32_t i = 0; i < list->count; ++i) {
    uint32_t info = list->words[i];
    if (anim_node_of(info) != node) {
      node = anim_node_of(info);
      while (track < tracks->count && tracks->words[track] < node) ++track;
      BLOCK_REQUIRE(track < tracks->count && tracks->words[track] == node, "ANIM: weights that no track lists");
      controls = block_control_count(check, node);
    } else {
      BLOCK_REQUIRE(info > list->words[i - 1], "ANIM: weights do not ascend by control");
    }
    BLOCK_REQUIRE(anim_control_of(info) < controls, "ANIM: a control is past its mesh's");
    float value = block_constants(list, l == ANIM_WEIGHTS ? 2 : 1)[i];
    BLOCK_REQUIRE(bytes_float_is_finite(value), "ANIM: a constant is not finite");
    if (l != ANIM_WEIGHTS) continue;
    BLOCK_REQUIRE(!block_has_constant_weight(check, info), "ANIM: a weight occurs twice");
    BLOCK_REQUIRE(value > 0 && value <= 16777216.0f, "ANIM: a step is not above 0, or above 2^24");
    LAYOUT_TRY(block_check_components(check, list, i, 1));
  }
  return MPAK_OK;
}

// -- All tables ------------------------------------------------------------------------------------------------------

static mpak_result block_check_row_bytes(const block_check *check) {
  anim_field field = {0};
  uint64_t bits = 0;
  while (anim_field_next(&check->block, &field)) bits += anim_width_of(field.component);
  BLOCK_REQUIRE(bits <= UINT32_MAX && check->block.row_bytes == (bits + 7) / 8, "ANIM: rows of another length");
  return MPAK_OK;
}

mpak_result pack_check_block_tables(const mpak_pack *pack, uint32_t clip, const uint32_t *words, mpak_fault *fault) {
  const block_check whole = {pack, fault, clip, anim_block_of(words, pack->node_count)}, *check = &whole;
  LAYOUT_TRY(block_check_rest_bits(check));
  for (uint32_t l = 0; l < ANIM_WEIGHT_TRACKS; ++l) {
    for (uint32_t i = 0; i < whole.block.lists[l].count; ++i) LAYOUT_TRY(block_check_track(check, l, i));
  }
  for (uint32_t path = 0; path < 3; ++path) LAYOUT_TRY(block_check_path(check, path));
  LAYOUT_TRY(block_check_weight_tracks(check));
  LAYOUT_TRY(block_check_weights(check, ANIM_CONSTANT_WEIGHTS));
  LAYOUT_TRY(block_check_weights(check, ANIM_WEIGHTS));
  LAYOUT_TRY(block_check_against_keys(check));
  return block_check_row_bytes(check);
}

// -- Rows ------------------------------------------------------------------------------------------------------------

/// The squared lengths of the rotations of one group in one row.
static void block_squares(const anim_list *list, uint32_t first, uint32_t count, uint32_t components,
                          const uint8_t *row, uint32_t bit, float squares[ANIM_GROUP]) {
  for (uint32_t k = 0; k < count; ++k) squares[k] = 0;
  for (uint32_t c = 1; c <= components; ++c) {
    for (uint32_t k = 0; k < count; ++k) {
      uint32_t component = list->words[(uint64_t)c * list->count + first + k], width = anim_width_of(component);
      int32_t number = anim_base_of(component) + (int32_t)anim_read_bits(row, bit, width);
      float value = (float)number * anim_step_of(anim_code_of(list->words[first + k]));
      squares[k] += value * value;
      bit += width;
    }
  }
}

static uint32_t block_group_bits(const anim_list *list, uint32_t first, uint32_t count, uint32_t components) {
  uint32_t bits = 0;
  for (uint32_t c = 1; c <= components; ++c) {
    for (uint32_t k = 0; k < count; ++k) bits += anim_width_of(list->words[(uint64_t)c * list->count + first + k]);
  }
  return bits;
}

static mpak_result block_check_rotations(const block_check *check, uint32_t l, uint32_t *bit) {
  const anim_list *list = &check->block.lists[l];
  const uint32_t components = anim_list_components(l);
  for (uint32_t first = 0; first < list->count; first += ANIM_GROUP) {
    uint32_t count = list->count - first < ANIM_GROUP ? list->count - first : ANIM_GROUP;
    for (uint32_t i = 0; i < check->block.sample_count; ++i) {
      float squares[ANIM_GROUP];
      const uint8_t *row = check->block.rows + (uint64_t)i * check->block.row_bytes;
      block_squares(list, first, count, components, row, *bit, squares);
      for (uint32_t k = 0; k < count; ++k) {
        if (l == ANIM_ROTATIONS) BLOCK_REQUIRE(squares[k] <= BLOCK_MOST_SQUARE, "ANIM: a rotation is longer than 1");
        if (l != ANIM_ROTATIONS)
          BLOCK_REQUIRE(squares[k] >= 0.25f && squares[k] <= 4, "ANIM: the length of a full rotation is not near 1");
      }
    }
    *bit += block_group_bits(list, first, count, components);
  }
  return MPAK_OK;
}

mpak_result pack_check_block_rows(const mpak_pack *pack, uint32_t clip, const uint32_t *words, mpak_fault *fault) {
  const block_check check = {pack, fault, clip, anim_block_of(words, pack->node_count)};
  uint32_t bit = 0;
  LAYOUT_TRY(block_check_rotations(&check, ANIM_ROTATIONS, &bit));
  return block_check_rotations(&check, ANIM_FULL_ROTATIONS, &bit);
}
