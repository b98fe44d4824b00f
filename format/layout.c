// layout.c: see layout.h. Everything here works on hostile bytes: nothing is read before it is known to be inside, sums
// are checked, and the cost is one pass over the table plus one pass over the file (padding and hashes).
#include "format/layout.h"

#include <stddef.h>

#include "format/bytes.h"
#include "format/checksum.h"
#include "format/triangles.h"
#include "format/wrapped.h"

mpak_result layout_fail(mpak_fault *fault, mpak_result result, const char *rule, uint32_t chunk, uint64_t item) {
  if (fault) *fault = (mpak_fault){rule, chunk, item};
  return result;
}

// -- Kinds -----------------------------------------------------------------------------------------------------------

enum { REQUIRED = MPAK_CHUNK_REQUIRED, UPLOAD = MPAK_CHUNK_UPLOAD, OPTIONAL = 0 };

static const layout_kind layout_kinds[] = {
    {MPAK_KIND_STRS, 1, LAYOUT_TABLE, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_NODE, sizeof(mpak_node), LAYOUT_TABLE, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_INST, sizeof(mpak_instance), LAYOUT_TABLE, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_IWGT, sizeof(float), LAYOUT_TABLE, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_SKIN, sizeof(mpak_skin), LAYOUT_TABLE, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_JONT, sizeof(mpak_joint), LAYOUT_TABLE, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_MESH, sizeof(mpak_mesh), LAYOUT_TABLE, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_PART, sizeof(mpak_part), LAYOUT_TABLE, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_CTRL, sizeof(mpak_control), LAYOUT_TABLE, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_SHAP, sizeof(mpak_shape), LAYOUT_TABLE, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_RULE, sizeof(mpak_rule), LAYOUT_TABLE, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_RPTS, sizeof(mpak_rule_point), LAYOUT_TABLE, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_SECT, sizeof(mpak_section), LAYOUT_TABLE, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_BMAP, sizeof(mpak_bone), LAYOUT_TABLE, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_LODS, sizeof(mpak_lod), LAYOUT_TABLE, OPTIONAL, MPAK_FORMAT_NONE},
    {MPAK_KIND_RBON, sizeof(uint32_t), LAYOUT_TABLE, OPTIONAL, MPAK_FORMAT_NONE},
    {MPAK_KIND_MATL, sizeof(mpak_material), LAYOUT_TABLE, OPTIONAL, MPAK_FORMAT_NONE},
    {MPAK_KIND_CLIP, sizeof(mpak_clip), LAYOUT_TABLE, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_TRAK, sizeof(mpak_track), LAYOUT_TABLE, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_ERRS, sizeof(mpak_measured_error), LAYOUT_TABLE, OPTIONAL, MPAK_FORMAT_NONE},
    {MPAK_KIND_META, sizeof(mpak_meta), LAYOUT_TABLE, OPTIONAL, MPAK_FORMAT_NONE},
    {MPAK_KIND_QUAN, sizeof(mpak_quantisation), LAYOUT_TABLE, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_KEYT, sizeof(float), LAYOUT_FILE_DATA, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_KEYV, sizeof(float), LAYOUT_FILE_DATA, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_ANIM, 1, LAYOUT_FILE_DATA, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_VBAS, sizeof(mpak_base_vertex), LAYOUT_PART_DATA, REQUIRED | UPLOAD, MPAK_FORMAT_BASE48},
    {MPAK_KIND_VQNT, sizeof(mpak_quantised_vertex), LAYOUT_PART_DATA, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_INDX, 0, LAYOUT_PART_DATA, REQUIRED | UPLOAD, LAYOUT_FORMAT_VARIES},
    {MPAK_KIND_JNTS, 0, LAYOUT_PART_DATA, REQUIRED | UPLOAD, LAYOUT_FORMAT_VARIES},
    {MPAK_KIND_WGTS, 0, LAYOUT_PART_DATA, REQUIRED | UPLOAD, LAYOUT_FORMAT_VARIES},
    {MPAK_KIND_TEXC, 2 * sizeof(float), LAYOUT_PART_DATA, REQUIRED | UPLOAD, MPAK_FORMAT_F32X2},
    {MPAK_KIND_TEXQ, 2 * sizeof(uint16_t), LAYOUT_PART_DATA, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_COLR, 0, LAYOUT_PART_DATA, REQUIRED | UPLOAD, LAYOUT_FORMAT_VARIES},
    {MPAK_KIND_MOFF, sizeof(uint32_t), LAYOUT_PART_DATA, REQUIRED | UPLOAD, MPAK_FORMAT_U32},
    {MPAK_KIND_MDEL, sizeof(mpak_csr_delta), LAYOUT_PART_DATA, REQUIRED | UPLOAD, MPAK_FORMAT_CSR64},
    {MPAK_KIND_MGRP, sizeof(mpak_morph_group), LAYOUT_PART_DATA, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_MRUN, sizeof(mpak_morph_run), LAYOUT_PART_DATA, REQUIRED, MPAK_FORMAT_NONE},
    {MPAK_KIND_MPAY, 0, LAYOUT_PART_DATA, REQUIRED | UPLOAD, LAYOUT_FORMAT_VARIES},
    {MPAK_KIND_PKOS, sizeof(uint32_t), LAYOUT_PART_DATA, OPTIONAL, MPAK_FORMAT_NONE},
    {MPAK_KIND_SRCP, sizeof(uint32_t), LAYOUT_PART_DATA, OPTIONAL, MPAK_FORMAT_NONE},
    {MPAK_KIND_CLTH, 0, LAYOUT_RESERVED, REQUIRED, MPAK_FORMAT_NONE},
};

const layout_kind *layout_kind_find(uint32_t kind) {
  for (uint32_t i = 0; i < sizeof layout_kinds / sizeof layout_kinds[0]; i++)
    if (layout_kinds[i].kind == kind) return &layout_kinds[i];
  return NULL;
}

uint32_t layout_format_bytes(uint32_t format) {
  static const uint8_t bytes[] = {
      [MPAK_FORMAT_BASE48] = 48,  [MPAK_FORMAT_U16] = 2,       [MPAK_FORMAT_U32] = 4,       [MPAK_FORMAT_F32] = 4,
      [MPAK_FORMAT_F32X2] = 8,    [MPAK_FORMAT_F32X3] = 12,    [MPAK_FORMAT_F32X4] = 16,    [MPAK_FORMAT_UNORM8X3] = 4,
      [MPAK_FORMAT_UNORM8X4] = 4, [MPAK_FORMAT_UNORM16X3] = 8, [MPAK_FORMAT_UNORM16X4] = 8, [MPAK_FORMAT_CSR64] = 64,
      [MPAK_FORMAT_U8] = 1,       [MPAK_FORMAT_UNORM8] = 1,    [MPAK_FORMAT_UNORM16] = 2,
  };
  return format < sizeof bytes ? bytes[format] : 0;
}

// -- Places ----------------------------------------------------------------------------------------------------------

uint64_t layout_chunk_alignment(uint32_t encoding, uint32_t flags, uint64_t stored_bytes) {
  if (encoding != MPAK_ENCODING_STORE || !(flags & MPAK_CHUNK_UPLOAD)) return MPAK_CHUNK_ALIGNMENT;
  return stored_bytes >= LAYOUT_PAGE_BYTES ? LAYOUT_PAGE_ALIGNMENT : LAYOUT_UPLOAD_ALIGNMENT;
}

uint32_t layout_block_records(uint32_t stride) { return (LAYOUT_FILTER_BLOCK_BYTES / stride) & ~15u; }

uint32_t layout_frame_bytes(uint32_t stride) { return 2 * layout_block_records(stride) * stride; }

uint32_t layout_triangle_frame_bytes(uint32_t stride) { return 3 * MPAK_FRAME_TRIANGLES * stride; }

uint64_t layout_frame_table_bytes(uint32_t encoding, uint32_t frame_count) {
  return (encoding == MPAK_ENCODING_INDEX ? 8 : 4) * (uint64_t)frame_count;
}

/// Triangles of a frame of encoding 2.
static uint32_t layout_frame_triangles(uint32_t format, uint32_t frame_bytes) {
  return format == MPAK_FORMAT_U16 ? frame_bytes / 6 : frame_bytes / 12; // INDX has no other format
}

uint32_t layout_frame_decoded(uint32_t encoding, uint32_t format, uint32_t frame_bytes, uint64_t decoded_bytes) {
  uint32_t bytes = decoded_bytes < frame_bytes ? (uint32_t)decoded_bytes : frame_bytes;
  if (encoding == MPAK_ENCODING_INDEX) return mpak_triangles_bound(layout_frame_triangles(format, bytes));
  if (format == MPAK_FORMAT_P8) return bytes + bytes / 2;  // 6 numbers of 16 bits for 8 bytes
  if (format == MPAK_FORMAT_P16) return bytes + bytes / 8; // 9 for 16
  return bytes;
}

// -- Header ----------------------------------------------------------------------------------------------------------

#define HEADER_REQUIRE(condition, result, rule, member)                                                                \
  LAYOUT_REQUIRE(condition, result, rule, MPAK_NONE, offsetof(mpak_header, member))

static bool layout_is_zero(const uint8_t *bytes, uint64_t byte_count) {
  uint8_t any = 0;
  for (uint64_t i = 0; i < byte_count; i++) any |= bytes[i];
  return any == 0;
}

/// What decides whether this version can read the file at all.
static mpak_result header_check_identity(const uint8_t *bytes, uint64_t byte_count, mpak_fault *fault) {
  const mpak_header *header = (const mpak_header *)bytes;
  HEADER_REQUIRE(!wrapped_is(bytes, byte_count), MPAK_ERROR_WRAPPED, "header: the pack is wrapped", magic);
  HEADER_REQUIRE(byte_count >= 8 && memcmp(bytes, MPAK_MAGIC_BYTES, 8) == 0, MPAK_ERROR_NOT_A_PACK,
                 "header: the magic is another one", magic);
  LAYOUT_REQUIRE(byte_count >= MPAK_HEADER_BYTES, MPAK_ERROR_TRUNCATED, "header: the file is shorter than a header",
                 MPAK_NONE, byte_count);
  HEADER_REQUIRE(header->endian_tag == MPAK_ENDIAN_TAG, MPAK_ERROR_ENDIANNESS, "header: not little-endian", endian_tag);
  HEADER_REQUIRE(header->format_major == MPAK_FORMAT_MAJOR, MPAK_ERROR_VERSION, "header: another format version",
                 format_major);
  HEADER_REQUIRE(header->header_hash == checksum_of(bytes, offsetof(mpak_header, header_hash)), MPAK_ERROR_CHECKSUM,
                 "header: its hash is another one", header_hash);
  HEADER_REQUIRE(header->file_bytes == byte_count, MPAK_ERROR_TRUNCATED, "header: file_bytes is not the file's size",
                 file_bytes);
  HEADER_REQUIRE(header->features_required == 0, MPAK_ERROR_FEATURE, "header: unknown required feature",
                 features_required);
  return MPAK_OK;
}

static mpak_result header_check_numbers(const mpak_header *header, const layout_options *options, mpak_fault *fault) {
  const mpak_result corrupt = MPAK_ERROR_CORRUPT;
  HEADER_REQUIRE(header->header_bytes == MPAK_HEADER_BYTES, corrupt, "header: header_bytes is not 128", header_bytes);
  HEADER_REQUIRE(header->chunk_entry_bytes == MPAK_CHUNK_ENTRY_BYTES, corrupt, "header: chunk_entry_bytes is not 80",
                 chunk_entry_bytes);
  HEADER_REQUIRE(header->flags <= 2, corrupt, "header: unknown flag", flags);
  HEADER_REQUIRE(header->chunk_alignment == MPAK_CHUNK_ALIGNMENT, corrupt, "header: chunk_alignment is not 64",
                 chunk_alignment);
  HEADER_REQUIRE(header->max_frame_decoded <= MPAK_MAX_FRAME_BYTES, corrupt, "header: max_frame_decoded above 1 MiB",
                 max_frame_decoded);
  HEADER_REQUIRE(layout_is_zero(header->reserved, sizeof header->reserved), corrupt, "header: reserved is not zero",
                 reserved);
  HEADER_REQUIRE(header->decoded_bytes <= options->max_decoded_bytes, MPAK_ERROR_LIMIT,
                 "header: decodes to more than the caller allows", decoded_bytes);
  return MPAK_OK;
}

// -- Chunk table -----------------------------------------------------------------------------------------------------

static mpak_result table_check(const uint8_t *bytes, const mpak_header *header, mpak_fault *fault) {
  const mpak_result corrupt = MPAK_ERROR_CORRUPT;
  uint64_t table_bytes = (uint64_t)header->chunk_count * MPAK_CHUNK_ENTRY_BYTES;
  HEADER_REQUIRE(header->chunk_count <= MPAK_MAX_CHUNKS, corrupt, "header: too many chunks", chunk_count);
  HEADER_REQUIRE(header->table_offset % 8 == 0, corrupt, "header: table_offset is not a multiple of 8", table_offset);
  HEADER_REQUIRE(header->table_offset >= MPAK_HEADER_BYTES &&
                     bytes_range_fits(header->table_offset, table_bytes, header->file_bytes) &&
                     header->table_offset + table_bytes == header->file_bytes,
                 corrupt, "header: the table does not end the file", table_offset);
  HEADER_REQUIRE(header->table_hash == checksum_of(bytes + header->table_offset, (size_t)table_bytes),
                 MPAK_ERROR_CHECKSUM, "header: the table's hash is another one", table_hash);
  return MPAK_OK;
}

/// Running sums of a walk over the table.
typedef struct layout_walk {
  const uint8_t *bytes;
  const mpak_header *header;
  const mpak_chunk_entry *chunks;
  uint64_t end;           ///< of the previous chunk, from the start of the file
  uint64_t decoded_bytes; ///< sum
  uint64_t max_chunk;
  uint32_t max_frame;
} layout_walk;

#define CHUNK_REQUIRE(condition, result, rule) LAYOUT_REQUIRE(condition, result, rule, number, 0)

static bool chunk_format_is_right(const layout_kind *kind, const mpak_chunk_entry *chunk) {
  if (kind->format != LAYOUT_FORMAT_VARIES) return chunk->format == kind->format;
  uint32_t format = chunk->format, elements = 1;
  bool is_one;
  switch (kind->kind) {
  case MPAK_KIND_INDX: is_one = format == MPAK_FORMAT_U16 || format == MPAK_FORMAT_U32; break;
  case MPAK_KIND_JNTS: is_one = format == MPAK_FORMAT_U8 || format == MPAK_FORMAT_U16; break;
  case MPAK_KIND_WGTS:
    is_one = format == MPAK_FORMAT_F32 || format == MPAK_FORMAT_UNORM8 || format == MPAK_FORMAT_UNORM16;
    break;
  case MPAK_KIND_MPAY: return format == MPAK_FORMAT_F32 || (format >= MPAK_FORMAT_P8 && format <= MPAK_FORMAT_P16);
  default:
    is_one = format == MPAK_FORMAT_F32X3 || format == MPAK_FORMAT_F32X4 ||
             (format >= MPAK_FORMAT_UNORM8X3 && format <= MPAK_FORMAT_UNORM16X4);
  }
  if (is_one && (kind->kind == MPAK_KIND_JNTS || kind->kind == MPAK_KIND_WGTS))
    elements = chunk->stride / layout_format_bytes(format); // influences; compared with the part's later
  return is_one && chunk->stride == (uint64_t)elements * layout_format_bytes(format);
}

/// The lane modes of a payload: raw or 32-bit difference for each of its streams of floats, nothing above.
static bool payload_lane_modes_are_right(const mpak_chunk_entry *chunk) {
  uint32_t modes = chunk->lane_modes, streams = chunk->format == MPAK_FORMAT_F32 ? chunk->stride / 4 : 0;
  for (uint32_t i = 0; i < 16; i++) {
    uint32_t mode = modes >> (2 * i) & 3;
    if (mode != MPAK_LANE_RAW && (mode != MPAK_LANE_DELTA32 || i >= streams)) return false;
  }
  return true;
}

/// Those of filter 2: not all raw (that is filter 1), nothing above the record.
static bool chunk_lane_modes_are_right(const mpak_chunk_entry *chunk) {
  if (chunk->filter != MPAK_FILTER_LANE_DELTA) return chunk->lane_modes == 0;
  uint32_t groups = chunk->stride / 4;
  return chunk->lane_modes != 0 && (groups == 16 || chunk->lane_modes >> (2 * groups) == 0);
}

/// Filters of all kinds but MPAY.
static bool chunk_filter_is_right(const mpak_chunk_entry *chunk) {
  if (chunk->encoding == MPAK_ENCODING_INDEX) return chunk->filter == MPAK_FILTER_NONE;
  if (chunk->filter == MPAK_FILTER_LANE_DELTA) return chunk->stride % 4 == 0 && chunk->stride <= LAYOUT_MAX_LANE_STRIDE;
  return chunk->filter <= MPAK_FILTER_PLANES;
}

/// What the kind fixes.
static mpak_result chunk_check_kind(const layout_kind *kind, const mpak_chunk_entry *chunk, uint32_t number,
                                    mpak_fault *fault) {
  const mpak_result corrupt = MPAK_ERROR_CORRUPT;
  CHUNK_REQUIRE(kind->place != LAYOUT_RESERVED, MPAK_ERROR_FEATURE, "chunk: this kind is reserved");
  CHUNK_REQUIRE(chunk->kind_version == 1, MPAK_ERROR_FEATURE, "chunk: unknown version of its kind");
  CHUNK_REQUIRE(chunk->flags == kind->flags, corrupt, "chunk: wrong flags for its kind");
  CHUNK_REQUIRE(kind->stride == 0 || chunk->stride == kind->stride, corrupt, "chunk: wrong stride for its kind");
  CHUNK_REQUIRE(chunk_format_is_right(kind, chunk), corrupt, "chunk: wrong format for its kind");
  CHUNK_REQUIRE(chunk->slot == 0 || ((kind->kind == MPAK_KIND_TEXC || kind->kind == MPAK_KIND_TEXQ) && chunk->slot < 4),
                corrupt, "chunk: slot is out of range");
  CHUNK_REQUIRE((chunk->owner == MPAK_NONE) == (kind->place != LAYOUT_PART_DATA), corrupt,
                "chunk: wrong owner for its kind");
  CHUNK_REQUIRE(chunk->encoding == MPAK_ENCODING_STORE || kind->place != LAYOUT_TABLE, corrupt,
                "chunk: a table is compressed");
  return MPAK_OK;
}

static mpak_result chunk_check_common(const layout_kind *kind, const mpak_chunk_entry *chunk, uint32_t number,
                                      mpak_fault *fault) {
  const mpak_result corrupt = MPAK_ERROR_CORRUPT;
  CHUNK_REQUIRE((chunk->flags & ~(uint32_t)(MPAK_CHUNK_REQUIRED | MPAK_CHUNK_UPLOAD)) == 0, corrupt,
                "chunk: unknown flag");
  CHUNK_REQUIRE(kind || !(chunk->flags & MPAK_CHUNK_REQUIRED), MPAK_ERROR_FEATURE, "chunk: unknown required kind");
  CHUNK_REQUIRE(chunk->zero == 0 && chunk->inner_bytes == 0, corrupt, "chunk: reserved is not zero");
  CHUNK_REQUIRE(chunk->count > 0 && chunk->stride > 0, corrupt, "chunk: it is empty");
  CHUNK_REQUIRE(chunk->decoded_bytes == (uint64_t)chunk->stride * chunk->count, corrupt,
                "chunk: decoded_bytes is not stride times count");
  bool is_known = chunk->encoding <= MPAK_ENCODING_ZSTD ||
                  (chunk->encoding == MPAK_ENCODING_INDEX && chunk->kind == MPAK_KIND_INDX);
  if (kind) CHUNK_REQUIRE(is_known, MPAK_ERROR_FEATURE, "chunk: unknown encoding");
  if (chunk->encoding != MPAK_ENCODING_STORE) return MPAK_OK;
  CHUNK_REQUIRE(chunk->stored_bytes == chunk->decoded_bytes, corrupt, "chunk: stored, but its two sizes differ");
  CHUNK_REQUIRE(chunk->frame_bytes == 0 && chunk->frame_count == 0 && chunk->filter == 0 && chunk->lane_modes == 0,
                corrupt, "chunk: stored, but has frames or a filter");
  return MPAK_OK;
}

/// Place: the next aligned offset after the previous chunk, inside the file, with zeros before it.
static mpak_result chunk_check_place(layout_walk *walk, const mpak_chunk_entry *chunk, uint32_t number,
                                     mpak_fault *fault) {
  const mpak_result corrupt = MPAK_ERROR_CORRUPT;
  uint64_t place = bytes_align(walk->end, layout_chunk_alignment(chunk->encoding, chunk->flags, chunk->stored_bytes));
  CHUNK_REQUIRE(chunk->offset == place, corrupt, "chunk: offset is not the next aligned place");
  CHUNK_REQUIRE(bytes_range_fits(chunk->offset, chunk->stored_bytes, walk->header->table_offset), corrupt,
                "chunk: it does not fit into the file");
  CHUNK_REQUIRE(layout_is_zero(walk->bytes + walk->end, place - walk->end), corrupt, "chunk: padding is not zero");
  walk->end = chunk->offset + chunk->stored_bytes;
  return MPAK_OK;
}

static mpak_result chunk_check_filter(const mpak_chunk_entry *chunk, uint32_t number, mpak_fault *fault) {
  const mpak_result corrupt = MPAK_ERROR_CORRUPT;
  if (chunk->kind == MPAK_KIND_MPAY) {
    CHUNK_REQUIRE(chunk->filter == MPAK_FILTER_MORPH_FRAMES, corrupt, "chunk: wrong filter for its kind");
    CHUNK_REQUIRE(chunk->frame_bytes == LAYOUT_MORPH_FRAME_BYTES, corrupt, "chunk: wrong frame_bytes");
    CHUNK_REQUIRE(payload_lane_modes_are_right(chunk), corrupt, "chunk: wrong lane modes");
    CHUNK_REQUIRE(chunk->frame_count > 0, corrupt, "chunk: wrong frame_count");
    return MPAK_OK;
  }
  const bool is_triangles = chunk->encoding == MPAK_ENCODING_INDEX;
  CHUNK_REQUIRE(chunk_filter_is_right(chunk), corrupt, "chunk: wrong filter for its kind");
  CHUNK_REQUIRE(chunk->stride <= LAYOUT_MAX_FILTER_STRIDE, corrupt, "chunk: stride is too long for a compressed chunk");
  uint32_t frame_bytes = is_triangles ? layout_triangle_frame_bytes(chunk->stride) : layout_frame_bytes(chunk->stride);
  CHUNK_REQUIRE(chunk->frame_bytes == frame_bytes, corrupt, "chunk: wrong frame_bytes");
  CHUNK_REQUIRE(chunk_lane_modes_are_right(chunk), corrupt, "chunk: wrong lane modes");
  uint64_t frames = (chunk->decoded_bytes - 1) / chunk->frame_bytes + 1;
  CHUNK_REQUIRE(chunk->frame_count == frames, corrupt, "chunk: wrong frame_count");
  return MPAK_OK;
}

/// Encoding 2: the sizes of the frames' streams, behind those of the frames.
static mpak_result chunk_check_streams(const mpak_chunk_entry *chunk, uint32_t number, const uint8_t *sizes,
                                       mpak_fault *fault) {
  const uint8_t *stream_sizes = sizes + 4 * (size_t)chunk->frame_count;
  for (uint32_t i = 0; i < chunk->frame_count; i++) {
    uint64_t left = chunk->decoded_bytes - (uint64_t)i * chunk->frame_bytes;
    uint32_t most = layout_frame_decoded(chunk->encoding, chunk->format, chunk->frame_bytes, left);
    CHUNK_REQUIRE(bytes_load_u32(stream_sizes + 4 * (size_t)i) <= most, MPAK_ERROR_CORRUPT,
                  "chunk: a stream is longer than its triangles can be");
  }
  return MPAK_OK;
}

static mpak_result chunk_check_frames(layout_walk *walk, const mpak_chunk_entry *chunk, uint32_t number,
                                      mpak_fault *fault) {
  const mpak_result corrupt = MPAK_ERROR_CORRUPT;
  LAYOUT_TRY(chunk_check_filter(chunk, number, fault));
  uint64_t sum = layout_frame_table_bytes(chunk->encoding, chunk->frame_count);
  CHUNK_REQUIRE(sum <= chunk->stored_bytes, corrupt, "chunk: no room for the frame sizes");
  const uint8_t *sizes = walk->bytes + chunk->offset;
  for (uint32_t i = 0; i < chunk->frame_count; i++) sum += bytes_load_u32(sizes + 4 * (size_t)i);
  CHUNK_REQUIRE(sum == chunk->stored_bytes, corrupt, "chunk: frame sizes do not sum to stored_bytes");
  if (chunk->encoding == MPAK_ENCODING_INDEX) LAYOUT_TRY(chunk_check_streams(chunk, number, sizes, fault));
  uint32_t frame = layout_frame_decoded(chunk->encoding, chunk->format, chunk->frame_bytes, chunk->decoded_bytes);
  if (frame > walk->max_frame) walk->max_frame = frame;
  return MPAK_OK;
}

static mpak_result layout_check_chunk(layout_walk *walk, uint32_t number, bool skip_hash, mpak_fault *fault) {
  const mpak_chunk_entry *chunk = &walk->chunks[number];
  const layout_kind *kind = layout_kind_find(chunk->kind);
  LAYOUT_TRY(chunk_check_common(kind, chunk, number, fault));
  if (kind) LAYOUT_TRY(chunk_check_kind(kind, chunk, number, fault));
  LAYOUT_TRY(chunk_check_place(walk, chunk, number, fault));
  CHUNK_REQUIRE(skip_hash ||
                    chunk->hash_stored == checksum_of(walk->bytes + chunk->offset, (size_t)chunk->stored_bytes),
                MPAK_ERROR_CHECKSUM, "chunk: its hash is another one");
  if (kind && chunk->encoding != MPAK_ENCODING_STORE) LAYOUT_TRY(chunk_check_frames(walk, chunk, number, fault));
  CHUNK_REQUIRE(bytes_add(walk->decoded_bytes, chunk->decoded_bytes, &walk->decoded_bytes), MPAK_ERROR_CORRUPT,
                "chunk: decoded sizes overflow");
  if (chunk->decoded_bytes > walk->max_chunk) walk->max_chunk = chunk->decoded_bytes;
  return MPAK_OK;
}

static mpak_result layout_check_sums(const layout_walk *walk, mpak_fault *fault) {
  const mpak_result corrupt = MPAK_ERROR_CORRUPT;
  const mpak_header *header = walk->header;
  HEADER_REQUIRE(header->table_offset == bytes_align(walk->end, 8), corrupt,
                 "header: table_offset is not the next aligned place", table_offset);
  HEADER_REQUIRE(layout_is_zero(walk->bytes + walk->end, header->table_offset - walk->end), corrupt,
                 "header: padding before the table is not zero", table_offset);
  HEADER_REQUIRE(header->decoded_bytes == walk->decoded_bytes, corrupt, "header: decoded_bytes is not the chunks' sum",
                 decoded_bytes);
  HEADER_REQUIRE(header->max_chunk_decoded == walk->max_chunk, corrupt,
                 "header: max_chunk_decoded is not the chunks' largest", max_chunk_decoded);
  HEADER_REQUIRE(header->max_frame_decoded == walk->max_frame, corrupt,
                 "header: max_frame_decoded is not the frames' largest", max_frame_decoded);
  return MPAK_OK;
}

mpak_result layout_check(const void *bytes, uint64_t byte_count, const layout_options *options, mpak_fault *fault) {
  LAYOUT_TRY(header_check_identity(bytes, byte_count, fault));
  layout_walk walk = {.bytes = bytes, .header = bytes, .end = MPAK_HEADER_BYTES};
  LAYOUT_TRY(header_check_numbers(walk.header, options, fault));
  LAYOUT_TRY(table_check(walk.bytes, walk.header, fault));
  walk.chunks = (const mpak_chunk_entry *)(walk.bytes + walk.header->table_offset);
  for (uint32_t i = 0; i < walk.header->chunk_count; i++) {
    LAYOUT_TRY(layout_check_chunk(&walk, i, options->skip_chunk_hashes, fault));
  }
  return layout_check_sums(&walk, fault);
}
