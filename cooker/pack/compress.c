// compress.c: see compress.h.
#include "cooker/pack/compress.h"

#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#include "format/mpak_format.h"

// zstd takes other parameters for sources of up to 16 KiB, 128 KiB and 256 KiB; the work space must do for each.
size_t compress_workspace_bytes(int level) {
  static const unsigned long long source_bytes[] = {1 << 14, 1 << 17, 1 << 18, MPAK_MAX_FRAME_BYTES};
  size_t most = 0;
  for (size_t i = 0; i < sizeof source_bytes / sizeof source_bytes[0]; ++i) {
    size_t bytes = ZSTD_estimateCCtxSize_usingCParams(ZSTD_getCParams(level, source_bytes[i], 0));
    if (bytes > most) most = bytes;
  }
  return most;
}

size_t compress_bound(size_t byte_count) { return ZSTD_compressBound(byte_count); }

size_t compress_frame(int level, void *workspace, size_t workspace_bytes, void *dst, size_t dst_bytes, const void *src,
                      size_t byte_count) {
  ZSTD_CCtx *context = ZSTD_initStaticCCtx(workspace, workspace_bytes);
  if (context == NULL) return 0;
  size_t written = ZSTD_compressCCtx(context, dst, dst_bytes, src, byte_count, level);
  return ZSTD_isError(written) ? 0 : written;
}

uint64_t compress_content_bytes(const void *frame, size_t byte_count) {
  return ZSTD_getFrameContentSize(frame, byte_count);
}

uint32_t compress_version_number(void) { return ZSTD_versionNumber(); }
