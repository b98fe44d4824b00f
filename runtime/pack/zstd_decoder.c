// zstd_decoder.c: the optional link to zstd, and the only runtime file that knows it.
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#include "runtime/mpak.h"

/// Room for a decompression context in the caller's scratch. zstd 1.5.4 needs 95,968 bytes; a test compares.
#define ZSTD_DECODER_SCRATCH_BYTES 196608u
#define ZSTD_DECODER_MAX_WINDOW    1048576u

/// Exactly one zstd frame, which declares the size that is asked for and a small window, and needs no dictionary?
static bool zstd_frame_is_as_agreed(const void *src, size_t src_bytes, size_t dst_bytes) {
  ZSTD_frameHeader header;
  if (ZSTD_getFrameHeader(&header, src, src_bytes) != 0) return false;
  return header.frameType == ZSTD_frame && header.frameContentSize == dst_bytes && header.dictID == 0 &&
         header.windowSize <= ZSTD_DECODER_MAX_WINDOW && ZSTD_findFrameCompressedSize(src, src_bytes) == src_bytes;
}

/// Puts a context at the start of the scratch.
static mpak_result zstd_decoder_prepare(void *user, void *scratch, size_t scratch_bytes) {
  (void)user;
  return ZSTD_initStaticDCtx(scratch, scratch_bytes) == scratch ? MPAK_OK : MPAK_ERROR_BUFFER_TOO_SMALL;
}

static mpak_result zstd_decoder_decompress(void *user, void *dst, size_t dst_bytes, const void *src, size_t src_bytes,
                                           void *scratch, size_t scratch_bytes) {
  (void)user, (void)scratch_bytes;
  if (!zstd_frame_is_as_agreed(src, src_bytes, dst_bytes)) return MPAK_ERROR_CORRUPT;
  size_t got = ZSTD_decompressDCtx(scratch, dst, dst_bytes, src, src_bytes);
  return !ZSTD_isError(got) && got == dst_bytes ? MPAK_OK : MPAK_ERROR_CORRUPT;
}

const mpak_decoder *mpak_zstd_decoder(void) {
  static const mpak_decoder decoder = {zstd_decoder_decompress, ZSTD_DECODER_SCRATCH_BYTES, NULL, zstd_decoder_prepare};
  return &decoder;
}
