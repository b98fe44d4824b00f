/// anim_block.h: the compressed tracks of one clip, as they stand in memory (SPEC.md, "Compressed clips"). Shared by
/// the packer, the runtime and the reference; whoever reads a block from a pack verifies it first.
///
/// A block is u32 words: ANIM_HEADER_WORDS of header, the rest bits, the lists one after the other, and the rows. A
/// list of n tracks has a column of n words for each of its members. A row holds one sample of every animated
/// component, in bits; rows are as many bytes long and stand back to back.
#ifndef MPAK_ANIM_BLOCK_H
#define MPAK_ANIM_BLOCK_H

#include "format/bytes.h"

/// The lists of a block, in their order. Members of a track are its columns.
typedef enum anim_list_kind {
  ANIM_CONSTANT_ROTATIONS = 0,    ///< info, three floats: the components that are kept
  ANIM_CONSTANT_TRANSLATIONS = 1, ///< info, x y z as floats
  ANIM_CONSTANT_SCALES = 2,       ///< the same
  ANIM_ROTATIONS = 3,             ///< info, three components: the fourth is the root of what is left to 1
  ANIM_FULL_ROTATIONS = 4,        ///< info, four components
  ANIM_TRANSLATIONS = 5,          ///< info, three components
  ANIM_SCALES = 6,                ///< the same
  ANIM_WEIGHT_TRACKS = 7,         ///< node: the controls of what it draws get their defaults, then what follows
  ANIM_CONSTANT_WEIGHTS = 8,      ///< node and control, weight as float
  ANIM_WEIGHTS = 9,               ///< node and control, one component, its step as float
  ANIM_LIST_COUNT = 10
} anim_list_kind;

#define ANIM_HEADER_WORDS 8u
#define ANIM_GROUP        8u        ///< tracks whose components stand together in a row
#define ANIM_MAX_WIDTH    24u       ///< bits of a component
#define ANIM_BASE_LIMIT   (1 << 26) ///< bases are in [-limit, limit)
#define ANIM_STEP_CODES   1024u
#define ANIM_ROW_SLACK    4u ///< bytes behind the last row, so that any field may be read as four bytes

typedef struct anim_list {
  const uint32_t *words; ///< columns of count words
  uint32_t count;
} anim_list;

typedef struct anim_block {
  uint32_t sample_count;
  uint32_t row_bytes;
  const uint32_t *rest_bits; ///< bit 3 * node + path: the path takes the node's rest value
  anim_list lists[ANIM_LIST_COUNT];
  const uint8_t *rows;
} anim_block;

// -- Members of a track ----------------------------------------------------------------------------------------------

// info of a node's track: node, the rotation component that is dropped, the step
static inline uint32_t anim_node_of(uint32_t info) { return info & 0xFFFFu; }
static inline uint32_t anim_dropped_of(uint32_t info) { return info >> 16 & 3u; }
static inline uint32_t anim_code_of(uint32_t info) { return info >> 22; }
static inline uint32_t anim_control_of(uint32_t info) { return info >> 16; } ///< of weights

// a component: where its numbers start, and how many bits they have
static inline uint32_t anim_width_of(uint32_t component) { return component & 31u; }
static inline int32_t anim_base_of(uint32_t component) {
  return (int32_t)(component >> 5 ^ (1u << 26)) - (int32_t)(1u << 26);
}

/// A step: 2^(24 - code / 8), the eighths of an octave rounded to float.
static inline float anim_step_of(uint32_t code) {
  static const uint32_t eighths[8] = {0x3F800000u, 0x3F6AC0C7u, 0x3F5744FDu, 0x3F45672Au,
                                      0x3F3504F3u, 0x3F25FED7u, 0x3F1837F0u, 0x3F0B95C2u};
  return bytes_float_of_bits(eighths[code & 7u] + (24u << 23) - ((code >> 3) << 23));
}

/// A number of width bits (at most ANIM_MAX_WIDTH) at a bit of a row.
static inline uint32_t anim_read_bits(const uint8_t *row, uint32_t bit, uint32_t width) {
  return bytes_load_u32(row + (bit >> 3)) >> (bit & 7u) & ((1u << width) - 1u);
}

// -- Lists and fields ------------------------------------------------------------------------------------------------

static inline uint32_t anim_list_columns(uint32_t list) {
  static const uint8_t columns[ANIM_LIST_COUNT] = {4, 4, 4, 4, 5, 4, 4, 1, 2, 3};
  return columns[list];
}

/// Columns [1, 1 + this) of a list are components with bits in the rows.
static inline uint32_t anim_list_components(uint32_t list) {
  static const uint8_t components[ANIM_LIST_COUNT] = {0, 0, 0, 3, 4, 3, 3, 0, 0, 1};
  return components[list];
}

static inline uint64_t anim_rest_words(uint32_t node_count) { return ((uint64_t)node_count * 3 + 31) / 32; }

/// The number of tracks of a list, from a block's header.
static inline uint32_t anim_header_count(const uint32_t *header, uint32_t list) {
  return list < 8 ? header[2 + list / 2] >> (list % 2 * 16) & 0xFFFFu : header[list - 2];
}

/// Words of a block up to its rows.
static inline uint64_t anim_table_words(const uint32_t *header, uint32_t node_count) {
  uint64_t words = ANIM_HEADER_WORDS + anim_rest_words(node_count);
  for (uint32_t l = 0; l < ANIM_LIST_COUNT; ++l) words += (uint64_t)anim_header_count(header, l) * anim_list_columns(l);
  return words;
}

/// Words of the rows; none when nothing is animated.
static inline uint64_t anim_row_words(const uint32_t *header) {
  return header[1] == 0 ? 0 : ((uint64_t)header[0] * header[1] + ANIM_ROW_SLACK + 3) / 4;
}

/// Pointers into a block whose size is known to be right.
static inline anim_block anim_block_of(const uint32_t *words, uint32_t node_count) {
  anim_block block = {.sample_count = words[0], .row_bytes = words[1], .rest_bits = words + ANIM_HEADER_WORDS};
  const uint32_t *at = block.rest_bits + anim_rest_words(node_count);
  for (uint32_t l = 0; l < ANIM_LIST_COUNT; ++l) {
    block.lists[l] = (anim_list){at, anim_header_count(words, l)};
    at += (uint64_t)block.lists[l].count * anim_list_columns(l);
  }
  block.rows = (const uint8_t *)at;
  return block;
}

/// Walks the fields of a row in their order: by list, by group of ANIM_GROUP tracks, by component, by track.
typedef struct anim_field {
  uint32_t list, track, column; ///< column 1 is the first component
  uint32_t bit;                 ///< where it stands in a row
  uint32_t component;           ///< its word
} anim_field;

/// The next field; {0} starts. Returns false at the end, with bit at the end of a row.
static inline bool anim_field_next(const anim_block *block, anim_field *field) {
  field->bit += anim_width_of(field->component);
  field->component = 0;
  if (field->column == 0) {
    field->column = 1;
  } else if (++field->track % ANIM_GROUP == 0 || field->track == block->lists[field->list].count) {
    uint32_t group = (field->track - 1) / ANIM_GROUP * ANIM_GROUP; // the group that ended
    if (field->column++ < anim_list_components(field->list)) {
      field->track = group;
    } else {
      field->column = 1;
    }
  }
  while (field->list < ANIM_LIST_COUNT &&
         (anim_list_components(field->list) == 0 || field->track >= block->lists[field->list].count)) {
    field->list++;
    field->track = 0;
  }
  if (field->list == ANIM_LIST_COUNT) return false;
  const anim_list *list = &block->lists[field->list];
  field->component = list->words[(uint64_t)field->column * list->count + field->track];
  return true;
}

// -- Between samples -------------------------------------------------------------------------------------------------

/// Where a time falls: at row + fraction; next_row is row in a block of one sample.
typedef struct anim_place {
  uint32_t row, next_row;
  float fraction; ///< 0 … 1
} anim_place;

/// Sample i stands at start_s + i * (end_s - start_s) / (sample_count - 1).
static inline anim_place anim_place_of(uint32_t sample_count, double start_s, double end_s, double time_s) {
  double last = (double)sample_count - 1;
  double at = end_s > start_s ? (time_s - start_s) / (end_s - start_s) * last : 0;
  if (!(at > 0)) at = 0;
  if (at > last) at = last;
  uint32_t row = (uint32_t)at;
  if (row > 0 && row + 1 == sample_count) row--;
  return (anim_place){row, row + 1 < sample_count ? row + 1 : row, (float)(at - row)};
}

#define ANIM_SLERP_TERMS 6

/// Spherical interpolation by a chord with another fraction: fraction + sum of terms[i] * cosine^i, for the cosine (not
/// negative) between the two quaternions. The terms depend on the fraction alone. Off by less than 2e-6 rad of turning,
/// even at a right angle between the quaternions (180 degrees of turning from sample to sample).
typedef struct anim_slerp {
  float fraction;
  float terms[ANIM_SLERP_TERMS];
} anim_slerp;

anim_slerp anim_slerp_of(float fraction);

/// The chord's fraction for the cosine between two quaternions.
static inline float anim_slerp_fraction(const anim_slerp *slerp, float cosine) {
  const float *t = slerp->terms;
  float square = cosine * cosine;
  float high = (t[2] + t[3] * cosine) + (t[4] + t[5] * cosine) * square;
  return ((t[0] + t[1] * cosine) + high * square) + slerp->fraction;
}

#endif
