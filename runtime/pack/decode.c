// decode.c: mpak_decode, and how frames become decoded bytes. mpak_open has checked every size used here: frame counts,
// frame sizes, and that the stored bytes lie inside the pack.
#include "runtime/pack/pack_internal.h"

// -- Memory of the caller --------------------------------------------------------------------------------------------

void *pack_take(pack_span *span, uint64_t byte_count, uint64_t alignment) {
  uint64_t rounded = bytes_align(byte_count, alignment);
  if (byte_count > span->byte_count) return NULL;
  void *taken = span->at;
  uint64_t step = rounded < span->byte_count ? rounded : span->byte_count;
  span->at += step;
  span->byte_count -= step;
  return taken;
}

mpak_result pack_check_memory(const void *memory, uint64_t byte_count, uint64_t needed_bytes, mpak_fault *fault) {
  if (needed_bytes == 0) return MPAK_OK;
  LAYOUT_REQUIRE(memory, MPAK_ERROR_ARGUMENT, "memory is null", MPAK_NONE, 0);
  LAYOUT_REQUIRE(bytes_is_aligned(memory, 16), MPAK_ERROR_ALIGNMENT, "memory is not 16-byte aligned", MPAK_NONE, 0);
  LAYOUT_REQUIRE(byte_count >= needed_bytes, MPAK_ERROR_BUFFER_TOO_SMALL, "memory is too small", MPAK_NONE,
                 needed_bytes);
  return MPAK_OK;
}

uint64_t pack_frame_scratch_bytes(const mpak_pack *pack) {
  uint64_t frame = pack->header->max_frame_decoded;
  return frame == 0 ? 0 : bytes_align(pack->decoder.scratch_bytes, 64) + bytes_align(frame, 64);
}

uint64_t mpak_scratch_bytes(const mpak_pack *pack) {
  uint64_t most = 0;
  for (uint32_t i = 0; i < pack->part_count; i++) {
    uint64_t needed = pack_morph_scratch_bytes(pack, i);
    if (needed > most) most = needed;
  }
  uint64_t clips = pack_clips_scratch_bytes(pack);
  return pack_frame_scratch_bytes(pack) + (clips > most ? clips : most);
}

uint64_t pack_decoded_memory(const mpak_pack *pack, uint32_t chunk) {
  if (chunk == MPAK_NONE || pack->chunks[chunk].encoding == MPAK_ENCODING_STORE) return 0;
  return pack->chunks[chunk].decoded_bytes;
}

// -- Frames ----------------------------------------------------------------------------------------------------------

mpak_result pack_prepare(const mpak_pack *pack, void *scratch, mpak_fault *fault) {
  const mpak_decoder *decoder = &pack->decoder;
  if (pack->header->max_frame_decoded == 0 || !decoder->decompress || !decoder->prepare) return MPAK_OK;
  mpak_result result = decoder->prepare(decoder->user, scratch, decoder->scratch_bytes);
  LAYOUT_REQUIRE(result == MPAK_OK, result, "the decoder does not accept its scratch", MPAK_NONE, 0);
  return MPAK_OK;
}

mpak_result pack_decode_frame(const mpak_pack *pack, uint32_t chunk, uint32_t number, const uint8_t *at,
                              uint32_t stored_bytes, void *dst, uint32_t decoded_bytes, void *scratch,
                              mpak_fault *fault) {
  const mpak_decoder *decoder = &pack->decoder;
  LAYOUT_REQUIRE(decoder->decompress, MPAK_ERROR_NO_DECODER, "a compressed chunk, and no decoder", chunk, 0);
  mpak_result result =
      decoder->decompress(decoder->user, dst, decoded_bytes, at, stored_bytes, scratch, decoder->scratch_bytes);
  LAYOUT_REQUIRE(result == MPAK_OK, result, "frames: a frame does not decompress to its size", chunk, number);
  return MPAK_OK;
}

/// A frame of triangles over scratch to its place.
static mpak_result decode_triangle_frame(const mpak_pack *pack, uint32_t number, uint32_t frame, const uint8_t *at,
                                         uint8_t *dst, uint32_t length, void *scratch, mpak_fault *fault) {
  const mpak_chunk_entry *chunk = &pack->chunks[number];
  const uint8_t *sizes = pack->bytes + chunk->offset;
  const uint32_t stored = bytes_load_u32(sizes + 4 * (size_t)frame);
  const uint32_t stream_bytes = bytes_load_u32(sizes + 4 * ((size_t)chunk->frame_count + frame));
  uint8_t *stream = (uint8_t *)scratch + bytes_align(pack->decoder.scratch_bytes, 64);
  LAYOUT_TRY(pack_decode_frame(pack, number, frame, at, stored, stream, stream_bytes, scratch, fault));
  const char *rule = pack_decode_triangles(dst, chunk->stride, length / (3 * chunk->stride), stream, stream_bytes);
  LAYOUT_REQUIRE(!rule, MPAK_ERROR_CORRUPT, rule, number, frame);
  return MPAK_OK;
}

static mpak_result decode_triangle_frames(const mpak_pack *pack, uint32_t number, uint8_t *dst, void *scratch,
                                          mpak_fault *fault) {
  const mpak_chunk_entry *chunk = &pack->chunks[number];
  const uint8_t *sizes = pack->bytes + chunk->offset;
  const uint8_t *at = sizes + layout_frame_table_bytes(chunk->encoding, chunk->frame_count);
  uint64_t done = 0;
  for (uint32_t i = 0; i < chunk->frame_count; i++) {
    uint64_t left = chunk->decoded_bytes - done;
    uint32_t length = left < chunk->frame_bytes ? (uint32_t)left : chunk->frame_bytes;
    LAYOUT_TRY(decode_triangle_frame(pack, number, i, at, dst + done, length, scratch, fault));
    at += bytes_load_u32(sizes + 4 * (size_t)i);
    done += length;
  }
  return MPAK_OK;
}

/// A frame goes straight to its place (no filter), or over scratch.
static mpak_result decode_plain_frames(const mpak_pack *pack, uint32_t number, uint8_t *dst, void *scratch,
                                       mpak_fault *fault) {
  const mpak_chunk_entry *chunk = &pack->chunks[number];
  const uint8_t *sizes = pack->bytes + chunk->offset, *at = sizes + 4 * (size_t)chunk->frame_count;
  uint8_t *planes = (uint8_t *)scratch + bytes_align(pack->decoder.scratch_bytes, 64);
  uint64_t done = 0;
  for (uint32_t i = 0; i < chunk->frame_count; i++) {
    uint64_t left = chunk->decoded_bytes - done;
    uint32_t length = left < chunk->frame_bytes ? (uint32_t)left : chunk->frame_bytes;
    uint32_t stored = bytes_load_u32(sizes + 4 * (size_t)i);
    void *target = chunk->filter != MPAK_FILTER_NONE ? planes : dst + done;
    LAYOUT_TRY(pack_decode_frame(pack, number, i, at, stored, target, length, scratch, fault));
    if (target == planes) pack_unplane(dst + done, planes, length, chunk->stride, chunk->lane_modes);
    at += stored;
    done += length;
  }
  return MPAK_OK;
}

mpak_result pack_decode_bytes(const mpak_pack *pack, uint32_t number, void *dst, void *scratch, const void **view,
                              mpak_fault *fault) {
  const mpak_chunk_entry *chunk = &pack->chunks[number];
  *view = dst;
  if (chunk->encoding == MPAK_ENCODING_INDEX) return decode_triangle_frames(pack, number, dst, scratch, fault);
  if (chunk->encoding != MPAK_ENCODING_STORE) return decode_plain_frames(pack, number, dst, scratch, fault);
  const uint8_t *stored = pack->bytes + chunk->offset;
  if (dst) memcpy(dst, stored, (size_t)chunk->stored_bytes);
  if (!dst) *view = stored;
  return MPAK_OK;
}

// -- mpak_decode -----------------------------------------------------------------------------------------------------

static bool decode_is_morph_kind(uint32_t kind) {
  return kind == MPAK_KIND_MOFF || kind == MPAK_KIND_MDEL || kind == MPAK_KIND_MGRP || kind == MPAK_KIND_MRUN ||
         kind == MPAK_KIND_MPAY;
}

static mpak_result decode_check_arguments(const mpak_pack *pack, uint32_t number, const void *dst, uint64_t dst_bytes,
                                          const void *scratch, uint64_t scratch_bytes, mpak_fault *fault) {
  LAYOUT_REQUIRE(number < pack->chunk_count, MPAK_ERROR_ARGUMENT, "no such chunk", MPAK_NONE, number);
  const mpak_chunk_entry *chunk = &pack->chunks[number];
  LAYOUT_REQUIRE(chunk->kind != MPAK_KIND_ANIM, MPAK_ERROR_ARGUMENT, "ANIM is decoded by mpak_load_clips", number, 0);
  LAYOUT_REQUIRE(!decode_is_morph_kind(chunk->kind), MPAK_ERROR_ARGUMENT, "morph chunks are decoded together", number,
                 0);
  bool is_stored = chunk->encoding == MPAK_ENCODING_STORE;
  LAYOUT_REQUIRE(is_stored || layout_kind_find(chunk->kind), MPAK_ERROR_ARGUMENT, "a compressed chunk of unknown kind",
                 number, 0);
  if (!is_stored || dst) LAYOUT_TRY(pack_check_memory(dst, dst_bytes, chunk->decoded_bytes, fault));
  LAYOUT_REQUIRE(is_stored || pack->decoder.decompress, MPAK_ERROR_NO_DECODER, "a compressed chunk, and no decoder",
                 number, 0);
  return is_stored ? MPAK_OK : pack_check_memory(scratch, scratch_bytes, pack_frame_scratch_bytes(pack), fault);
}

mpak_result pack_decode_chunk(const mpak_pack *pack, uint32_t chunk, void *dst, void *scratch, const void **view,
                              mpak_fault *fault) {
  const void *decoded = NULL;
  LAYOUT_TRY(pack_decode_bytes(pack, chunk, dst, scratch, &decoded, fault));
  LAYOUT_TRY(pack_check_content(pack, chunk, decoded, fault));
  *view = decoded;
  return MPAK_OK;
}

mpak_result mpak_decode(const mpak_pack *pack, uint32_t chunk, void *dst, uint64_t dst_bytes, void *scratch,
                        uint64_t scratch_bytes, const void **view, mpak_fault *fault) {
  const void *decoded = NULL;
  if (view) *view = NULL;
  LAYOUT_TRY(decode_check_arguments(pack, chunk, dst, dst_bytes, scratch, scratch_bytes, fault));
  if (pack->chunks[chunk].encoding != MPAK_ENCODING_STORE) LAYOUT_TRY(pack_prepare(pack, scratch, fault));
  LAYOUT_TRY(pack_decode_chunk(pack, chunk, dst, scratch, &decoded, fault));
  if (view) *view = decoded;
  return MPAK_OK;
}
