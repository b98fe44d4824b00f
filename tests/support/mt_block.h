/// mt_block.h: test support: the compressed tracks of a clip, from SPEC.md and not from the cooker.
///
///     mt_block block = mt_block_example();   // of mt_pack.h's character: every list has one track
///     block.words[MT_BLOCK_ROTATION] = 7;    // change it
///     mt_pack_set_block(&pack, 1, &block);   // becomes ANIM, and the clip's word_count
#ifndef MT_BLOCK_H
#define MT_BLOCK_H

#include "tests/support/mt_pack.h"

#define MT_BLOCK_WORDS   64
#define MT_BLOCK_FIELDS  16
#define MT_BLOCK_SAMPLES 3

/// Where the lists of the example start in words.
enum {
  MT_BLOCK_CONSTANT_ROTATION = 0,
  MT_BLOCK_CONSTANT_TRANSLATION = 4,
  MT_BLOCK_CONSTANT_SCALE = 8,
  MT_BLOCK_ROTATION = 12,
  MT_BLOCK_FULL_ROTATION = 16,
  MT_BLOCK_TRANSLATION = 21,
  MT_BLOCK_SCALE = 25,
  MT_BLOCK_WEIGHT_TRACK = 29,
  MT_BLOCK_CONSTANT_WEIGHT = 30,
  MT_BLOCK_WEIGHT = 32,
  MT_BLOCK_EXAMPLE_WORDS = 35
};

/// One number of every row whose width is not 0.
typedef struct mt_block_field {
  uint32_t width, predictor;
  uint32_t numbers[MT_BLOCK_SAMPLES];
} mt_block_field;

typedef struct mt_block {
  uint32_t header[8];
  uint32_t rest_bits;             ///< of at most ten nodes
  uint32_t words[MT_BLOCK_WORDS]; ///< all lists
  mt_block_field fields[MT_BLOCK_FIELDS];
  uint32_t field_count;
  int extra_bytes;     ///< behind the block; negative: so many are cut off
  uint32_t wild_code;  ///< added to the first code of field 0
  uint32_t word_count; ///< of the clip; 0: what the header makes
} mt_block;

/// Three samples. Rest: scale of node 2. Constant: rotation of node 0 (0.6, 0, 0, 0.8), translation of node 2 (1, 2,
/// 3), scale of node 4 (1, 1, 2). Rotation of node 1 about x: 0, 8/256, 15/256. Full rotation of node 2: w = 1, x = 1,
/// x = -1. Translation of node 4: (10, 0, -5), (17, 0, 4090), (12, 0, 12) in steps of 1/256. Scale of node 1: (1, 1,
/// 1), (2, 1, 1), (1, 1, 1). Weights of node 1: control 0 is 0.5, 2 is 0, 1, 100000/65536; control 1 has its default.
mt_block mt_block_example(void);

/// Makes the block ANIM's only one, of the clip.
void mt_pack_set_block(mt_pack *pack, uint32_t clip, const mt_block *block);

#endif
