// mt_rules_blocks.c: rules of ANIM. The character's second clip (TRAK: rotation of node 3) gets the example of
// mt_block.h, changed in one place.
#include "tests/support/mt_block.h"
#include "tests/support/mt_rules.h"

#include <string.h>

/// A function that changes the example and puts it into the pack.
#define BLOCK(name, change)                                                                                            \
  static void name(mt_pack *pack) {                                                                                    \
    mt_block block = mt_block_example();                                                                               \
    uint32_t *words = block.words;                                                                                     \
    (void)words;                                                                                                       \
    change;                                                                                                            \
    mt_pack_set_block(pack, 1, &block);                                                                                \
  }

/// One more track of a list in front of which so many words stand; columns of two.
static void block_insert(mt_block *block, uint32_t at, uint32_t columns, const uint32_t *track, uint32_t used) {
  uint32_t old[MT_BLOCK_WORDS];
  memcpy(old, block->words, sizeof old);
  for (uint32_t c = 0; c < columns; c++) {
    block->words[at + 2 * c] = old[at + c];
    block->words[at + 2 * c + 1] = track[c];
  }
  memcpy(block->words + at + 2 * columns, old + at + columns, (used - at - columns) * sizeof *old);
}

BLOCK(block_ends, block.extra_bytes = -1)
BLOCK(block_goes_on, block.extra_bytes = 1)
BLOCK(block_ends_in_lists, (block.extra_bytes = -120, block.word_count = 51))
BLOCK(block_no_sample, (block.header[0] = 0, block.word_count = 44))
BLOCK(block_other_size, block.word_count = 50)
BLOCK(block_rest_outside, block.rest_bits |= 1u << 15)
BLOCK(block_reserved, words[MT_BLOCK_ROTATION] |= 1u << 18)
BLOCK(block_reserved_code, words[MT_BLOCK_CONSTANT_SCALE] |= 1u << 22)
BLOCK(block_reserved_dropped, words[MT_BLOCK_FULL_ROTATION] |= 1u << 16)
BLOCK(block_node, words[MT_BLOCK_TRANSLATION] += 1)
BLOCK(block_node_of_weights, words[MT_BLOCK_WEIGHT_TRACK] = 5)
BLOCK(block_constant, words[MT_BLOCK_CONSTANT_TRANSLATION + 2] = MT_INFINITY)
BLOCK(block_constant_weight, words[MT_BLOCK_CONSTANT_WEIGHT + 1] = MT_NAN)
BLOCK(block_long_constant, words[MT_BLOCK_CONSTANT_ROTATION + 2] = 0x3F800000u)
BLOCK(block_long_rotation, words[MT_BLOCK_ROTATION + 2] = 260u << 5)
BLOCK(block_wide, words[MT_BLOCK_TRANSLATION + 1] = 25)
BLOCK(block_no_bits, words[MT_BLOCK_SCALE + 1] = 1u << 5)
BLOCK(block_unordered, words[MT_BLOCK_ROTATION] -= 1)
BLOCK(block_twice, block.rest_bits |= 1u << 1)
BLOCK(block_no_controls, words[MT_BLOCK_WEIGHT_TRACK] = 4)
BLOCK(block_unlisted, words[MT_BLOCK_CONSTANT_WEIGHT] = 3)
BLOCK(block_control, words[MT_BLOCK_WEIGHT] = 1u | 3u << 16)
BLOCK(block_weight_twice, words[MT_BLOCK_WEIGHT] = 1)
BLOCK(block_no_step, words[MT_BLOCK_WEIGHT + 2] = 0)
BLOCK(block_large_step, words[MT_BLOCK_WEIGHT + 2] = 0x4B800001u)
BLOCK(block_keyed, words[MT_BLOCK_FULL_ROTATION] += 1)
BLOCK(block_row_bytes, (block.header[1] = 8, block.word_count = 51))
BLOCK(block_predictor, block.fields[3].predictor = 3)
BLOCK(block_wild, block.wild_code = 16)
BLOCK(block_full_length, words[MT_BLOCK_FULL_ROTATION + 2] = 600u << 5)
BLOCK(block_full_short, block.fields[1].numbers[2] = 256)

static void weights_unordered(mt_pack *pack) {
  mt_block block = mt_block_example();
  block.header[6] = 2;
  block_insert(&block, MT_BLOCK_CONSTANT_WEIGHT, 2, (const uint32_t[2]){1, 0}, MT_BLOCK_EXAMPLE_WORDS);
  mt_pack_set_block(pack, 1, &block);
}

static void blocks_too_long(mt_pack *pack) {
  mt_block block = mt_block_example();
  block.word_count = 60;
  mt_pack_set_block(pack, 1, &block);
}

static void blocks_missing(mt_pack *pack) {
  mt_block block = mt_block_example();
  mt_pack_set_block(pack, 1, &block);
  ((mpak_clip *)mt_pack_find(pack, MPAK_KIND_CLIP)->bytes)[1].word_count = 0;
}

static void blocks_without_anim(mt_pack *pack) {
  ((mpak_clip *)mt_pack_find(pack, MPAK_KIND_CLIP)->bytes)[1].word_count = 2;
}

static void blocks_untiled(mt_pack *pack) {
  mt_block block = mt_block_example();
  mt_pack_set_block(pack, 1, &block);
  ((mpak_clip *)mt_pack_find(pack, MPAK_KIND_CLIP)->bytes)[1].first_word = 1;
}

#define BLK                  MT_RULES_BLK64
#define ANIM(text, function) MT_CHANGE("ANIM: " text, BLK, function)

static const mt_rule_case block_cases[] = {
    MT_RECORD("CLIP: error is negative or not finite", BLK, MPAK_KIND_CLIP, 1, mpak_clip, error_m, MT_MINUS_1),
    MT_RECORD("CLIP: error is negative or not finite", BLK, MPAK_KIND_CLIP, 0, mpak_clip, error_m, MT_NAN),
    MT_CHANGE("CLIP: compressed blocks do not tile", BLK, blocks_untiled),
    MT_CHANGE("CLIP: compressed blocks are longer than ANIM", BLK, blocks_too_long),
    MT_CHANGE("CLIP: compressed blocks are longer than ANIM", BLK, blocks_without_anim),
    ANIM("no clip has a block", blocks_missing),
    ANIM("it ends inside a clip", block_ends),
    MT_CHANGE("CLIP: compressed blocks are longer than ANIM", BLK, block_ends_in_lists),
    ANIM("bytes behind the last clip", block_goes_on),
    ANIM("a clip without samples", block_no_sample),
    ANIM("a block is not word_count long", block_other_size),
    ANIM("rows of another length", block_row_bytes),
    ANIM("a rest bit past the nodes", block_rest_outside),
    ANIM("reserved bits of a track are not zero", block_reserved),
    ANIM("reserved bits of a track are not zero", block_reserved_code),
    ANIM("reserved bits of a track are not zero", block_reserved_dropped),
    ANIM("a node is past the nodes", block_node),
    ANIM("a node is past the nodes", block_node_of_weights),
    ANIM("a constant is not finite", block_constant),
    ANIM("a constant is not finite", block_constant_weight),
    ANIM("a rotation is longer than 1", block_long_constant),
    ANIM("a rotation is longer than 1", block_long_rotation),
    ANIM("a component is wider than 24 bits", block_wide),
    ANIM("an animated track without bits", block_no_bits),
    ANIM("tracks do not ascend by node", block_unordered),
    ANIM("a path of a node occurs twice", block_twice),
    ANIM("weights of a node that draws no controls", block_no_controls),
    ANIM("weights that no track lists", block_unlisted),
    ANIM("weights do not ascend by control", weights_unordered),
    ANIM("a weight occurs twice", block_weight_twice),
    ANIM("a control is past its mesh's", block_control),
    ANIM("a step is not above 0, or above 2^24", block_no_step),
    ANIM("a step is not above 0, or above 2^24", block_large_step),
    ANIM("a track is in TRAK too", block_keyed),
    ANIM("unknown predictor", block_predictor),
    ANIM("a difference is wider than its component", block_wild),
    ANIM("the length of a full rotation is not near 1", block_full_length),
    ANIM("the length of a full rotation is not near 1", block_full_short),
};

mt_rule_list mt_rules_blocks(void) { return (mt_rule_list){block_cases, sizeof block_cases / sizeof block_cases[0]}; }
