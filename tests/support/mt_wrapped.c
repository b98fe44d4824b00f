#include "tests/support/mt_wrapped.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "format/checksum.h"

#define WRAPPED_FRAME 1048576u

// -- Byte planes -----------------------------------------------------------------------------------------------------

/// Where byte `byte` of record `number` of `count` stands in blocks of byte planes.
static uint64_t plane_place(uint64_t number, uint64_t count, uint32_t stride, uint32_t byte) {
  const uint64_t block = 131072 / stride / 16 * 16, first = number / block * block;
  const uint64_t records = count - first < block ? count - first : block;
  return first * stride + byte * records + (number - first);
}

static void put_planes(uint8_t *to, const uint8_t *from, uint64_t byte_count, uint32_t stride) {
  for (uint64_t i = 0; i < byte_count; i++)
    to[plane_place(i / stride, byte_count / stride, stride, i % stride)] = from[i];
}

mpak_header mt_wrapped_pack_header(const mt_wrapped *wrapped) {
  mpak_header header;
  memcpy(&header, wrapped->stream, sizeof header);
  return header;
}

mpak_chunk_entry mt_wrapped_line(const mt_wrapped *wrapped, uint32_t number) {
  const uint32_t count = mt_wrapped_pack_header(wrapped).chunk_count;
  mpak_chunk_entry line;
  for (uint32_t b = 0; b < 80; b++) ((uint8_t *)&line)[b] = wrapped->stream[128 + plane_place(number, count, 80, b)];
  return line;
}

void mt_wrapped_set_line(mt_wrapped *wrapped, uint32_t number, const mpak_chunk_entry *line) {
  const uint32_t count = mt_wrapped_pack_header(wrapped).chunk_count;
  for (uint32_t b = 0; b < 80; b++)
    wrapped->stream[128 + plane_place(number, count, 80, b)] = ((const uint8_t *)line)[b];
}

// -- Making ----------------------------------------------------------------------------------------------------------

static bool is_behind(const mpak_chunk_entry *chunk) { return chunk->encoding != 0 && chunk->kind != MPAK_KIND_JNTS; }

static void wrapped_add_chunk(mt_wrapped *wrapped, const mpak_chunk_entry *chunk, const uint8_t *bytes) {
  uint8_t *stream = wrapped->stream + wrapped->stream_bytes;
  if (is_behind(chunk)) {
    memcpy(wrapped->behind + wrapped->behind_bytes, bytes, (size_t)chunk->stored_bytes);
    wrapped->behind_bytes += chunk->stored_bytes;
    return;
  }
  if (chunk->encoding == 0 && chunk->stride > 1)
    put_planes(stream, bytes, chunk->stored_bytes, chunk->stride);
  else
    memcpy(stream, bytes, (size_t)chunk->stored_bytes);
  wrapped->stream_bytes += chunk->stored_bytes;
}

void mt_wrapped_make(mt_wrapped *wrapped, const mt_image *pack) {
  mpak_header header;
  memcpy(&header, pack->bytes, sizeof header);
  const uint8_t *table = pack->bytes + header.table_offset;
  *wrapped = (mt_wrapped){.header = {.format_major = MPAK_FORMAT_MAJOR, .format_minor = MPAK_FORMAT_MINOR}};
  memcpy(wrapped->header.magic, MPAK_WRAPPED_MAGIC, 8);
  wrapped->stream = malloc(pack->byte_count);
  wrapped->behind = malloc(pack->byte_count);
  header.table_hash = header.header_hash = 0;
  memcpy(wrapped->stream, &header, sizeof header);
  wrapped->stream_bytes = 128 + 80 * (uint64_t)header.chunk_count;
  for (uint32_t i = 0; i < header.chunk_count; i++) {
    mpak_chunk_entry chunk;
    memcpy(&chunk, table + 80 * (size_t)i, 80);
    wrapped_add_chunk(wrapped, &chunk, pack->bytes + chunk.offset);
    chunk.zero = is_behind(&chunk);
    chunk.hash_stored = 0;
    if (chunk.encoding == 0) chunk.hash_decoded = 0;
    mt_wrapped_set_line(wrapped, i, &chunk);
  }
  wrapped->header.pack_bytes = pack->byte_count;
  wrapped->header.stream_bytes = (uint32_t)wrapped->stream_bytes;
}

void mt_wrapped_free(mt_wrapped *wrapped) {
  free(wrapped->stream);
  free(wrapped->behind);
  *wrapped = (mt_wrapped){.stream = NULL};
}

mt_image mt_wrapped_write(const mt_wrapped *wrapped) {
  const uint64_t frame_count = (wrapped->stream_bytes + WRAPPED_FRAME - 1) / WRAPPED_FRAME;
  uint8_t *file = malloc(40 + frame_count * (4 + ZSTD_compressBound(WRAPPED_FRAME)) + wrapped->behind_bytes);
  uint8_t *to = file + 40 + 4 * frame_count;
  for (uint64_t f = 0; f < frame_count; f++) {
    const uint64_t left = wrapped->stream_bytes - f * WRAPPED_FRAME,
                   length = left < WRAPPED_FRAME ? left : WRAPPED_FRAME;
    const uint32_t size = (uint32_t)ZSTD_compress(to, ZSTD_compressBound(WRAPPED_FRAME),
                                                  wrapped->stream + f * WRAPPED_FRAME, (size_t)length, 1);
    memcpy(file + 40 + 4 * f, &size, 4);
    to += size;
  }
  memcpy(to, wrapped->behind, (size_t)wrapped->behind_bytes);
  mpak_wrapped_header header = wrapped->header;
  header.file_bytes = (uint64_t)(to - file) + wrapped->behind_bytes;
  memcpy(file, &header, sizeof header);
  mt_image image = mt_image_copy(file, header.file_bytes);
  free(file);
  mt_image_rehash(&image);
  return image;
}

// -- Taking apart ----------------------------------------------------------------------------------------------------

static bool wrapped_parse_frames(mt_wrapped *wrapped, const mt_image *file, uint64_t frame_count, uint64_t *end) {
  *end = 40 + 4 * frame_count;
  if (*end > file->byte_count) return false;
  for (uint64_t f = 0; f < frame_count; f++) {
    uint32_t size;
    const uint64_t left = wrapped->stream_bytes - f * WRAPPED_FRAME,
                   length = left < WRAPPED_FRAME ? left : WRAPPED_FRAME;
    memcpy(&size, file->bytes + 40 + 4 * f, 4);
    if (size > file->byte_count - *end) return false;
    if (ZSTD_decompress(wrapped->stream + f * WRAPPED_FRAME, (size_t)length, file->bytes + *end, size) != length)
      return false;
    *end += size;
  }
  return true;
}

bool mt_wrapped_parse(mt_wrapped *wrapped, const mt_image *file) {
  uint64_t end = 0;
  *wrapped = (mt_wrapped){.stream = NULL};
  if (file->byte_count < 40 || memcmp(file->bytes, MPAK_WRAPPED_MAGIC, 8) != 0) return false;
  memcpy(&wrapped->header, file->bytes, 40);
  wrapped->stream_bytes = wrapped->header.stream_bytes;
  if (wrapped->stream_bytes < 128 || wrapped->stream_bytes > UINT64_C(1) << 26) return false;
  wrapped->stream = malloc(wrapped->stream_bytes);
  const uint64_t frame_count = (wrapped->stream_bytes + WRAPPED_FRAME - 1) / WRAPPED_FRAME;
  if (!wrapped_parse_frames(wrapped, file, frame_count, &end)) {
    mt_wrapped_free(wrapped);
    return false;
  }
  wrapped->behind_bytes = file->byte_count - end;
  wrapped->behind = malloc(wrapped->behind_bytes + 1);
  memcpy(wrapped->behind, file->bytes + end, (size_t)wrapped->behind_bytes);
  return true;
}

// -- Programs --------------------------------------------------------------------------------------------------------

mpak_result mt_unwrap_mapping(mpak_mapping *file, mpak_fault *fault) {
  const mpak_open_options options = {.decoder = mpak_zstd_decoder(), .max_decoded_bytes = UINT64_C(1) << 34};
  mpak_unwrapped_sizes sizes;
  void *memory = NULL;
  if (!mpak_is_wrapped(file->bytes, file->byte_count)) return MPAK_OK;
  mpak_result result = mpak_unwrap_sizes(file->bytes, file->byte_count, &options, &sizes, fault);
  if (result != MPAK_OK) return result;
  void *scratch = malloc((size_t)sizes.scratch_bytes);
  if (!scratch || posix_memalign(&memory, 64, (size_t)sizes.pack_bytes)) return MPAK_ERROR_OUT_OF_MEMORY;
  result = mpak_unwrap(file->bytes, file->byte_count, &options, memory, sizes.pack_bytes, scratch, sizes.scratch_bytes,
                       fault);
  free(scratch);
  mpak_unmap_file(file);
  *file = (mpak_mapping){memory, sizes.pack_bytes};
  return result;
}
