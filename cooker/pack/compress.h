/// compress.h: zstd for the packer. compress.c is the only file of the cooker that includes zstd.h.
///
/// A frame is compressed with a fresh context in memory of the caller, by one thread: its bytes depend on its input,
/// the level and zstd's version only.
#ifndef COOK_PACK_COMPRESS_H
#define COOK_PACK_COMPRESS_H

#include <stddef.h>
#include <stdint.h>

/// Bytes of work space, 16-byte aligned, that compress_frame needs for frames of up to MPAK_MAX_FRAME_BYTES at a level.
size_t compress_workspace_bytes(int level);

/// Bytes that a compressed frame of byte_count bytes can at most have.
size_t compress_bound(size_t byte_count);

/// Compresses byte_count bytes as one frame that declares its content size and has no checksum. Returns its size, or 0
/// when zstd fails (the work space is too small for this zstd).
size_t compress_frame(int level, void *workspace, size_t workspace_bytes, void *dst, size_t dst_bytes, const void *src,
                      size_t byte_count);

/// Bytes that a frame of ours expands to, as it declares.
uint64_t compress_content_bytes(const void *frame, size_t byte_count);

/// zstd's version number: 10504 for 1.5.4.
uint32_t compress_version_number(void);

#endif
