/// layout.h: the frame of a pack: which kinds of chunk exist, where chunks stand, and the check of header, table,
/// padding, frame sizes and hashes of an untrusted byte range. Reader and writer share it, so both mean the same
/// layout.
///
/// What the chunks of the table kinds say is checked by the runtime (runtime/pack/verify_*.c); what the data chunks
/// hold is checked when they are decoded. SPEC.md is the normative text.
#ifndef MPAK_LAYOUT_H
#define MPAK_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "format/mpak_format.h"
#include "format/mpak_result.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LAYOUT_FILTER_BLOCK_BYTES 131072u ///< a block of filters 0, 1 and 2 is at most this long
#define LAYOUT_MAX_FILTER_STRIDE  8192u   ///< longest record of a compressed chunk (filters 0, 1, 2)
#define LAYOUT_MAX_LANE_STRIDE    64u     ///< longest record of filter 2
#define LAYOUT_MORPH_FRAME_BYTES  524288u ///< most decoded bytes of a frame of filter 4
#define LAYOUT_UPLOAD_ALIGNMENT   256u    ///< of a stored chunk with MPAK_CHUNK_UPLOAD
#define LAYOUT_PAGE_ALIGNMENT     4096u   ///< of such a chunk from LAYOUT_PAGE_BYTES on
#define LAYOUT_PAGE_BYTES         65536u

// -- Kinds -----------------------------------------------------------------------------------------------------------

/// Where the records of a kind belong.
typedef enum layout_place {
  LAYOUT_TABLE = 0,     ///< one table for the file, always stored
  LAYOUT_FILE_DATA = 1, ///< data of the whole file: KEYT, KEYV, ANIM
  LAYOUT_PART_DATA = 2, ///< data of one part
  LAYOUT_RESERVED = 3,  ///< must not occur in this version
} layout_place;

/// What this version knows of one kind.
typedef struct layout_kind {
  uint32_t kind;   ///< mpak_kind
  uint32_t stride; ///< bytes of a record; 0: it depends on the part or the format
  uint8_t place;   ///< layout_place
  uint8_t flags;   ///< exactly these mpak_chunk_flags
  uint8_t format;  ///< exactly this mpak_element_format; LAYOUT_FORMAT_VARIES: one of several
} layout_kind;

#define LAYOUT_FORMAT_VARIES 255u

/// NULL for a kind that this version does not know.
const layout_kind *layout_kind_find(uint32_t kind);

/// Bytes of one element of a format; 0 for MPAK_FORMAT_NONE and unknown numbers.
uint32_t layout_format_bytes(uint32_t format);

// -- Places ----------------------------------------------------------------------------------------------------------

/// Alignment of a chunk in the file.
uint64_t layout_chunk_alignment(uint32_t encoding, uint32_t flags, uint64_t stored_bytes);

/// Records of a filter block; stride is 1 … LAYOUT_MAX_FILTER_STRIDE.
uint32_t layout_block_records(uint32_t stride);

/// Decoded bytes of a frame of filters 0, 1 and 2: two blocks.
uint32_t layout_frame_bytes(uint32_t stride);

/// Decoded bytes of a frame of encoding 2.
uint32_t layout_triangle_frame_bytes(uint32_t stride);

/// Bytes in front of the frames: their sizes, and with encoding 2 those of their streams.
uint64_t layout_frame_table_bytes(uint32_t encoding, uint32_t frame_count);

/// The most bytes that a frame of a compressed chunk decompresses to: its memory bytes; for MPAY of P8 and P16 somewhat
/// more, since frames hold them as numbers of 16 bits; with encoding 2 what its triangles can take.
uint32_t layout_frame_decoded(uint32_t encoding, uint32_t format, uint32_t frame_bytes, uint64_t decoded_bytes);

// -- Checking --------------------------------------------------------------------------------------------------------

typedef struct layout_options {
  uint64_t max_decoded_bytes; ///< the caller's limit
  bool skip_chunk_hashes;
} layout_options;

/// Checks header, chunk table, places, padding, frame sizes and hashes. Afterwards every chunk lies inside the bytes,
/// decoded_bytes is stride * count, and known kinds have their stride, flags, format, owner kind and encoding right.
///
/// bytes  byte_count bytes, 8-byte aligned
/// fault  or NULL; filled on failure
///
/// Returns MPAK_OK, MPAK_ERROR_LIMIT, or a 3x or 4x result. Linear in byte_count.
mpak_result layout_check(const void *bytes, uint64_t byte_count, const layout_options *options, mpak_fault *fault);

/// The one place through which every refusal of a pack goes: fills fault (may be NULL) and returns result.
mpak_result layout_fail(mpak_fault *fault, mpak_result result, const char *rule, uint32_t chunk, uint64_t item);

/// Leaves the calling function, which has a parameter `fault`, when a pack breaks a rule.
#define LAYOUT_REQUIRE(condition, result, rule, chunk, item)                                                           \
  do {                                                                                                                 \
    if (!(condition)) return layout_fail(fault, (result), (rule), (chunk), (item));                                    \
  } while (0)

/// Leaves the calling function with the result of a call that failed.
#define LAYOUT_TRY(call)                                                                                               \
  do {                                                                                                                 \
    mpak_result layout_try_result = (call);                                                                            \
    if (layout_try_result != MPAK_OK) return layout_try_result;                                                        \
  } while (0)

#ifdef __cplusplus
}
#endif
#endif
