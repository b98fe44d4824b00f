// unwrap.c: mpak_unwrap: a wrapped pack becomes the pack that it was (SPEC.md, section 14). Everything here works on
// hostile bytes; what comes out is a file like any other, which mpak_open has yet to check.
#include <assert.h>
#include <stddef.h>

#include "format/checksum.h"
#include "format/wrapped.h"
#include "runtime/pack/pack_internal.h"

#define UNWRAP_DEFAULT_MAX_BYTES (UINT64_C(1) << 30)

bool mpak_is_wrapped(const void *bytes, uint64_t byte_count) { return bytes && wrapped_is(bytes, byte_count); }

// -- Header ----------------------------------------------------------------------------------------------------------

static mpak_result unwrap_read_header(const uint8_t *bytes, uint64_t byte_count, mpak_wrapped_header *header,
                                      mpak_fault *fault) {
  LAYOUT_REQUIRE(bytes && byte_count <= SIZE_MAX, MPAK_ERROR_ARGUMENT, "no bytes", MPAK_NONE, 0);
  LAYOUT_REQUIRE(wrapped_is(bytes, byte_count), MPAK_ERROR_NOT_A_PACK, "not a wrapped pack", MPAK_NONE, 0);
  LAYOUT_REQUIRE(byte_count >= sizeof *header, MPAK_ERROR_TRUNCATED, "wrapped: the file is shorter than its header",
                 MPAK_NONE, byte_count);
  memcpy(header, bytes, sizeof *header);
  LAYOUT_REQUIRE(header->format_major == MPAK_FORMAT_MAJOR, MPAK_ERROR_VERSION, "wrapped: another format version",
                 MPAK_NONE, offsetof(mpak_wrapped_header, format_major));
  LAYOUT_REQUIRE(header->file_bytes == byte_count, MPAK_ERROR_TRUNCATED, "wrapped: file_bytes is not the file's size",
                 MPAK_NONE, offsetof(mpak_wrapped_header, file_bytes));
  return MPAK_OK;
}

/// The sizes that the header declares: within the caller's limits before anybody allots or touches anything.
static mpak_result unwrap_check_sizes(const mpak_wrapped_header *header, const mpak_open_options *options,
                                      mpak_fault *fault) {
  const uint64_t limit = options && options->max_decoded_bytes ? options->max_decoded_bytes : UNWRAP_DEFAULT_MAX_BYTES;
  LAYOUT_REQUIRE(header->pack_bytes <= limit && header->pack_bytes <= SIZE_MAX, MPAK_ERROR_LIMIT,
                 "wrapped: the pack is larger than the caller allows", MPAK_NONE,
                 offsetof(mpak_wrapped_header, pack_bytes));
  LAYOUT_REQUIRE(header->stream_bytes >= MPAK_HEADER_BYTES && header->stream_bytes <= header->pack_bytes,
                 MPAK_ERROR_CORRUPT, "wrapped: stream_bytes is out of range", MPAK_NONE,
                 offsetof(mpak_wrapped_header, stream_bytes));
  LAYOUT_REQUIRE(sizeof *header + 4 * (uint64_t)wrapped_frame_count(header->stream_bytes) <= header->file_bytes,
                 MPAK_ERROR_CORRUPT, "wrapped: no room for the frame sizes", MPAK_NONE, sizeof *header);
  return MPAK_OK;
}

static uint64_t unwrap_decoder_bytes(const mpak_open_options *options) {
  return options && options->decoder ? bytes_align(options->decoder->scratch_bytes, 64) : 0;
}

mpak_result mpak_unwrap_sizes(const void *bytes, uint64_t byte_count, const mpak_open_options *options,
                              mpak_unwrapped_sizes *sizes, mpak_fault *fault) {
  mpak_wrapped_header header = {.stream_bytes = 0};
  if (fault) *fault = (mpak_fault){.rule = NULL, .chunk = MPAK_NONE};
  LAYOUT_REQUIRE(sizes, MPAK_ERROR_ARGUMENT, "sizes is null", MPAK_NONE, 0);
  *sizes = (mpak_unwrapped_sizes){0, 0};
  LAYOUT_TRY(unwrap_read_header(bytes, byte_count, &header, fault));
  LAYOUT_TRY(unwrap_check_sizes(&header, options, fault));
  *sizes = (mpak_unwrapped_sizes){header.pack_bytes, unwrap_decoder_bytes(options) + header.stream_bytes};
  return MPAK_OK;
}

// -- The stream ------------------------------------------------------------------------------------------------------

/// Bytes that are still to be read.
typedef struct unwrap_source {
  const uint8_t *at;
  uint64_t byte_count;
} unwrap_source;

/// What is being taken apart.
typedef struct unwrap_run {
  mpak_wrapped_header header;
  const mpak_decoder *decoder;
  void *scratch;        ///< of the decoder
  uint8_t *expanded;    ///< the whole stream
  unwrap_source stream; ///< what is left of it
  unwrap_source behind; ///< what is left of the file
  uint8_t *pack;
  uint64_t table_offset; ///< of the pack
  uint64_t end;          ///< of what is written of the pack
} unwrap_run;

/// The next byte_count bytes, or NULL when there are fewer.
static const uint8_t *unwrap_next(unwrap_source *source, uint64_t byte_count) {
  const uint8_t *at = source->at;
  if (byte_count > source->byte_count) return NULL;
  source->at += byte_count;
  source->byte_count -= byte_count;
  return at;
}

static mpak_result unwrap_frame(unwrap_run *run, uint32_t number, uint32_t stored_bytes, uint8_t *dst,
                                uint32_t dst_bytes, mpak_fault *fault) {
  const mpak_decoder *decoder = run->decoder;
  const uint8_t *at = unwrap_next(&run->behind, stored_bytes);
  LAYOUT_REQUIRE(at, MPAK_ERROR_CORRUPT, "wrapped: a frame does not fit into the file", MPAK_NONE, number);
  const mpak_result result =
      decoder->decompress(decoder->user, dst, dst_bytes, at, stored_bytes, run->scratch, decoder->scratch_bytes);
  LAYOUT_REQUIRE(result == MPAK_OK, result, "wrapped: a frame does not decompress to its size", MPAK_NONE, number);
  return MPAK_OK;
}

static mpak_result unwrap_stream(unwrap_run *run, mpak_fault *fault) {
  const mpak_decoder *decoder = run->decoder;
  const uint32_t frame_count = wrapped_frame_count(run->header.stream_bytes);
  const uint8_t *sizes = unwrap_next(&run->behind, 4 * (uint64_t)frame_count); // unwrap_check_sizes: they are there
  mpak_result result =
      decoder->prepare ? decoder->prepare(decoder->user, run->scratch, decoder->scratch_bytes) : MPAK_OK;
  LAYOUT_REQUIRE(result == MPAK_OK, result, "the decoder does not accept its scratch", MPAK_NONE, 0);
  uint32_t left = run->header.stream_bytes;
  for (uint32_t i = 0; i < frame_count; i++) {
    const uint32_t length = left < MPAK_MAX_FRAME_BYTES ? left : MPAK_MAX_FRAME_BYTES;
    uint8_t *dst = run->expanded + (size_t)i * MPAK_MAX_FRAME_BYTES;
    LAYOUT_TRY(unwrap_frame(run, i, bytes_load_u32(sizes + 4 * (size_t)i), dst, length, fault));
    left -= length;
  }
  return MPAK_OK;
}

// -- The pack --------------------------------------------------------------------------------------------------------

/// Header and chunk table go to their places.
static mpak_result unwrap_frame_of_pack(unwrap_run *run, mpak_header *header, mpak_fault *fault) {
  const uint8_t *at = unwrap_next(&run->stream, sizeof *header);
  LAYOUT_REQUIRE(at, MPAK_ERROR_CORRUPT, "wrapped: the stream ends early", MPAK_NONE, 0);
  memcpy(header, at, sizeof *header);
  const uint64_t table_bytes = (uint64_t)header->chunk_count * MPAK_CHUNK_ENTRY_BYTES;
  LAYOUT_REQUIRE(header->table_offset >= MPAK_HEADER_BYTES &&
                     bytes_range_fits(header->table_offset, table_bytes, run->header.pack_bytes) &&
                     header->table_offset + table_bytes == run->header.pack_bytes,
                 MPAK_ERROR_CORRUPT, "wrapped: the chunk table does not end the pack", MPAK_NONE, 0);
  LAYOUT_REQUIRE(header->table_hash == 0 && header->header_hash == 0, MPAK_ERROR_CORRUPT,
                 "wrapped: a hash that is made anew is not zero", MPAK_NONE, 0);
  const uint8_t *planes = unwrap_next(&run->stream, table_bytes);
  LAYOUT_REQUIRE(planes, MPAK_ERROR_CORRUPT, "wrapped: the stream ends early", MPAK_NONE, 0);
  run->table_offset = header->table_offset;
  run->end = MPAK_HEADER_BYTES;
  pack_unplane(run->pack + run->table_offset, planes, table_bytes, MPAK_CHUNK_ENTRY_BYTES, 0);
  return MPAK_OK;
}

/// Checks a line of the table; the chunk's bytes in the wrapped file.
static mpak_result unwrap_find_chunk(unwrap_run *run, uint32_t number, const mpak_chunk_entry *chunk,
                                     const uint8_t **from, mpak_fault *fault) {
  const mpak_result corrupt = MPAK_ERROR_CORRUPT;
  const bool is_behind = chunk->zero == WRAPPED_BEHIND;
  LAYOUT_REQUIRE(is_behind || chunk->zero == WRAPPED_IN_STREAM, corrupt, "wrapped: a chunk stands nowhere", number, 0);
  LAYOUT_REQUIRE(chunk->hash_stored == 0 && (chunk->encoding != MPAK_ENCODING_STORE || chunk->hash_decoded == 0),
                 corrupt, "wrapped: a hash that is made anew is not zero", number, 0);
  LAYOUT_REQUIRE(chunk->offset >= run->end && bytes_range_fits(chunk->offset, chunk->stored_bytes, run->table_offset),
                 corrupt, "wrapped: a chunk does not fit into the pack", number, 0);
  *from = unwrap_next(is_behind ? &run->behind : &run->stream, chunk->stored_bytes);
  LAYOUT_REQUIRE(*from || !is_behind, corrupt, "wrapped: the file ends early", number, 0);
  LAYOUT_REQUIRE(*from, corrupt, "wrapped: the stream ends early", number, 0);
  return MPAK_OK;
}

static mpak_result unwrap_chunk(unwrap_run *run, uint32_t number, mpak_fault *fault) {
  uint8_t *line = run->pack + run->table_offset + (size_t)number * MPAK_CHUNK_ENTRY_BYTES;
  mpak_chunk_entry chunk;
  const uint8_t *from = NULL;
  memcpy(&chunk, line, sizeof chunk);
  LAYOUT_TRY(unwrap_find_chunk(run, number, &chunk, &from, fault));
  const uint32_t stride = chunk.zero == WRAPPED_IN_STREAM ? wrapped_plane_stride(&chunk) : 0;
  LAYOUT_REQUIRE(stride == 0 || chunk.stored_bytes % stride == 0, MPAK_ERROR_CORRUPT,
                 "wrapped: a chunk is not made of its records", number, 0);
  assert(from != NULL); // unwrap_find_chunk found it
  uint8_t *to = run->pack + chunk.offset;
  memset(run->pack + run->end, 0, (size_t)(chunk.offset - run->end));
  if (stride != 0) pack_unplane(to, from, chunk.stored_bytes, stride, 0);
  if (stride == 0) memcpy(to, from, (size_t)chunk.stored_bytes);
  run->end = chunk.offset + chunk.stored_bytes;
  wrapped_set_hashes(&chunk, to);
  chunk.zero = 0;
  memcpy(line, &chunk, sizeof chunk);
  return MPAK_OK;
}

static mpak_result unwrap_pack(unwrap_run *run, mpak_fault *fault) {
  mpak_header header = {.chunk_count = 0};
  LAYOUT_TRY(unwrap_frame_of_pack(run, &header, fault));
  for (uint32_t i = 0; i < header.chunk_count; i++) LAYOUT_TRY(unwrap_chunk(run, i, fault));
  LAYOUT_REQUIRE(run->stream.byte_count == 0, MPAK_ERROR_CORRUPT, "wrapped: bytes of the stream are left", MPAK_NONE,
                 0);
  LAYOUT_REQUIRE(run->behind.byte_count == 0, MPAK_ERROR_CORRUPT, "wrapped: bytes of the file are left", MPAK_NONE, 0);
  memset(run->pack + run->end, 0, (size_t)(run->table_offset - run->end));
  header.table_hash = checksum_of(run->pack + run->table_offset, (size_t)(run->header.pack_bytes - run->table_offset));
  header.header_hash = checksum_of(&header, offsetof(mpak_header, header_hash));
  memcpy(run->pack, &header, sizeof header);
  return MPAK_OK;
}

// -- mpak_unwrap -----------------------------------------------------------------------------------------------------

static mpak_result unwrap_check_memory(const mpak_wrapped_header *header, const mpak_open_options *options,
                                       const void *dst, uint64_t dst_bytes, const void *scratch, uint64_t scratch_bytes,
                                       mpak_fault *fault) {
  LAYOUT_REQUIRE(options && options->decoder && options->decoder->decompress, MPAK_ERROR_NO_DECODER,
                 "a wrapped pack, and no decoder", MPAK_NONE, 0);
  LAYOUT_TRY(pack_check_memory(dst, dst_bytes, header->pack_bytes, fault));
  LAYOUT_REQUIRE(bytes_is_aligned(dst, MPAK_CHUNK_ALIGNMENT), MPAK_ERROR_ALIGNMENT, "memory is not 64-byte aligned",
                 MPAK_NONE, 0);
  return pack_check_memory(scratch, scratch_bytes, unwrap_decoder_bytes(options) + header->stream_bytes, fault);
}

mpak_result mpak_unwrap(const void *bytes, uint64_t byte_count, const mpak_open_options *options, void *dst,
                        uint64_t dst_bytes, void *scratch, uint64_t scratch_bytes, mpak_fault *fault) {
  const size_t hashed_from = offsetof(mpak_wrapped_header, format_major);
  const uint8_t *file = bytes;
  unwrap_run run = {.decoder = NULL};
  if (fault) *fault = (mpak_fault){.rule = NULL, .chunk = MPAK_NONE};
  LAYOUT_TRY(unwrap_read_header(file, byte_count, &run.header, fault));
  LAYOUT_TRY(unwrap_check_sizes(&run.header, options, fault));
  LAYOUT_TRY(unwrap_check_memory(&run.header, options, dst, dst_bytes, scratch, scratch_bytes, fault));
  LAYOUT_REQUIRE(options->skip_chunk_hashes ||
                     run.header.hash == checksum_of(file + hashed_from, (size_t)byte_count - hashed_from),
                 MPAK_ERROR_CHECKSUM, "wrapped: its hash is another one", MPAK_NONE,
                 offsetof(mpak_wrapped_header, hash));
  run.decoder = options->decoder;
  run.scratch = scratch;
  run.expanded = (uint8_t *)scratch + unwrap_decoder_bytes(options);
  run.stream = (unwrap_source){run.expanded, run.header.stream_bytes};
  run.behind = (unwrap_source){file + sizeof run.header, byte_count - sizeof run.header};
  run.pack = dst;
  LAYOUT_TRY(unwrap_stream(&run, fault));
  return unwrap_pack(&run, fault);
}
