// clips.c: all clips: keys as they are, compressed tracks as blocks.
#include "runtime/pack/pack_internal.h"

#define CLIPS_ALIGNMENT 64u
#define CLIPS_SLACK     16u ///< behind the blocks, so that fields may be read as 16 bytes

uint64_t pack_clip_words(const mpak_pack *pack) {
  if (pack->clip_count == 0) return 0;
  const mpak_clip *last = &pack->clips[pack->clip_count - 1]; // blocks tile
  return (uint64_t)last->first_word + last->word_count;
}

uint64_t pack_clips_scratch_bytes(const mpak_pack *pack) {
  return bytes_align(pack_decoded_memory(pack, pack->animation_chunk), CLIPS_ALIGNMENT);
}

static uint64_t clips_block_bytes(const mpak_pack *pack) {
  return pack->animation_chunk == MPAK_NONE ? 0 : pack_clip_words(pack) * 4 + CLIPS_SLACK;
}

uint64_t mpak_clips_bytes(const mpak_pack *pack) {
  return bytes_align(pack_decoded_memory(pack, pack->key_time_chunk), CLIPS_ALIGNMENT) +
         bytes_align(pack_decoded_memory(pack, pack->key_value_chunk), CLIPS_ALIGNMENT) +
         bytes_align(clips_block_bytes(pack), CLIPS_ALIGNMENT);
}

static mpak_result clips_decode(const mpak_pack *pack, uint32_t chunk, pack_span *memory, void *scratch,
                                const float **floats, mpak_fault *fault) {
  const void *view = NULL;
  if (chunk == MPAK_NONE) return MPAK_OK;
  uint64_t needed = pack_decoded_memory(pack, chunk);
  void *dst = needed ? pack_take(memory, needed, CLIPS_ALIGNMENT) : NULL;
  LAYOUT_TRY(pack_decode_chunk(pack, chunk, dst, scratch, &view, fault));
  *floats = view;
  return MPAK_OK;
}

/// The bytes of ANIM: the pack's own, or decoded behind the frames' scratch.
static mpak_result clips_decode_stream(const mpak_pack *pack, void *scratch, pack_span *stream, mpak_fault *fault) {
  uint32_t chunk = pack->animation_chunk;
  bool is_stored = pack_decoded_memory(pack, chunk) == 0;
  uint8_t *dst = is_stored ? NULL : (uint8_t *)scratch + pack_frame_scratch_bytes(pack);
  const void *view = NULL;
  LAYOUT_TRY(pack_decode_bytes(pack, chunk, dst, scratch, &view, fault));
  *stream = (pack_span){(uint8_t *)(uintptr_t)view, pack->chunks[chunk].decoded_bytes};
  return MPAK_OK;
}

static mpak_result clips_decode_blocks(const mpak_pack *pack, pack_span *memory, void *scratch, const uint32_t **words,
                                       mpak_fault *fault) {
  pack_span stream;
  if (pack->animation_chunk == MPAK_NONE) return MPAK_OK;
  uint32_t *blocks = pack_take(memory, clips_block_bytes(pack), CLIPS_ALIGNMENT);
  LAYOUT_TRY(clips_decode_stream(pack, scratch, &stream, fault));
  for (uint32_t c = 0; c < pack->clip_count; ++c) {
    if (pack->clips[c].word_count == 0) continue;
    LAYOUT_TRY(pack_decode_block(pack, c, &stream, blocks + pack->clips[c].first_word, fault));
  }
  LAYOUT_REQUIRE(stream.byte_count == 0, MPAK_ERROR_CORRUPT, "ANIM: bytes behind the last clip", pack->animation_chunk,
                 stream.byte_count);
  *words = blocks;
  return MPAK_OK;
}

mpak_result mpak_load_clips(const mpak_pack *pack, void *dst, uint64_t dst_bytes, void *scratch, uint64_t scratch_bytes,
                            mpak_clips *clips, mpak_fault *fault) {
  pack_span memory = {dst, dst_bytes};
  mpak_clips loaded = {NULL, NULL, NULL};
  uint64_t needed = mpak_clips_bytes(pack);
  *clips = loaded;
  LAYOUT_TRY(pack_check_memory(dst, dst_bytes, needed, fault));
  if (needed) {
    uint64_t needed_scratch = pack_frame_scratch_bytes(pack) + pack_clips_scratch_bytes(pack);
    LAYOUT_TRY(pack_check_memory(scratch, scratch_bytes, needed_scratch, fault));
    LAYOUT_TRY(pack_prepare(pack, scratch, fault));
  }
  LAYOUT_TRY(clips_decode(pack, pack->key_time_chunk, &memory, scratch, &loaded.times, fault));
  LAYOUT_TRY(clips_decode(pack, pack->key_value_chunk, &memory, scratch, &loaded.values, fault));
  LAYOUT_TRY(clips_decode_blocks(pack, &memory, scratch, &loaded.words, fault));
  *clips = loaded;
  return MPAK_OK;
}
