// clips.c: the keys of all clips.
#include "runtime/pack/pack_internal.h"

#define CLIPS_ALIGNMENT 64u

uint64_t mpak_clips_bytes(const mpak_pack *pack) {
  return bytes_align(pack_decoded_memory(pack, pack->key_time_chunk), CLIPS_ALIGNMENT) +
         bytes_align(pack_decoded_memory(pack, pack->key_value_chunk), CLIPS_ALIGNMENT);
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

mpak_result mpak_load_clips(const mpak_pack *pack, void *dst, uint64_t dst_bytes, void *scratch, uint64_t scratch_bytes,
                            mpak_clips *clips, mpak_fault *fault) {
  pack_span memory = {dst, dst_bytes};
  const float *times = NULL, *values = NULL;
  uint64_t needed = mpak_clips_bytes(pack);
  *clips = (mpak_clips){NULL, NULL};
  LAYOUT_TRY(pack_check_memory(dst, dst_bytes, needed, fault));
  if (needed) {
    LAYOUT_TRY(pack_check_memory(scratch, scratch_bytes, pack_frame_scratch_bytes(pack), fault));
    LAYOUT_TRY(pack_prepare(pack, scratch, fault));
  }
  LAYOUT_TRY(clips_decode(pack, pack->key_time_chunk, &memory, scratch, &times, fault));
  LAYOUT_TRY(clips_decode(pack, pack->key_value_chunk, &memory, scratch, &values, fault));
  *clips = (mpak_clips){times, values};
  return MPAK_OK;
}
