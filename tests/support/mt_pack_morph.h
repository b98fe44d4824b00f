/// mt_pack_morph.h: test support: the frames of a blk64 payload, made slowly and plainly from groups and runs as
/// SPEC.md tells it, with none of the project's own code.
#ifndef MT_PACK_MORPH_H
#define MT_PACK_MORPH_H

#include "tests/support/mt_pack.h"

/// One (block, group) with lanes.
typedef struct mt_morph_entry {
  uint32_t block, shape;
  uint64_t lanes; ///< bit l: vertex l of the block
  uint32_t lane_count;
  uint32_t payload_word; ///< memory order
  uint32_t frame;
  uint32_t stream_word; ///< where its lanes start in each stream of its frame
} mt_morph_entry;

typedef struct mt_morph_frames {
  mt_morph_entry *entries; ///< memory order
  uint32_t entry_count;
  uint32_t block_count;
  uint32_t payload, components;
  uint32_t words;         ///< of a lane in memory
  uint32_t count;         ///< frames
  uint32_t *frame_deltas; ///< deltas of each frame
} mt_morph_frames;

/// From the chunks of a part. Groups or runs that reach past the vertices are cut off there.
void mt_morph_frames_make(const mt_pack *pack, uint32_t part, mt_morph_frames *frames);
void mt_morph_frames_free(mt_morph_frames *frames);

/// Words of a lane in memory, by SPEC.md's table.
uint32_t mt_lane_words(uint32_t payload, uint32_t components);

/// Number k (px py pz nx …) of a lane: its bits, sign-extended; of P36 the float's bits. lane: its words; stride:
/// between them.
uint32_t mt_lane_get(uint32_t payload, const uint32_t *lane, uint32_t stride, uint32_t k);
void mt_lane_put(uint32_t payload, uint32_t *lane, uint32_t stride, uint32_t k, uint32_t number);

size_t mt_morph_frame_bytes(const mt_morph_frames *frames, uint32_t frame);

/// Between payload (whole, memory order) and the coded bytes of a frame: encodes, or decodes.
void mt_morph_frame_code(const mt_morph_frames *frames, uint32_t frame, uint32_t lane_modes, uint32_t *payload,
                         uint8_t *coded, bool is_encoding);

#endif
