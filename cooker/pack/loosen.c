#include "cooker/pack/loosen.h"

#include <string.h>

#include "cooker/pack/compress.h"
#include "format/bytes.h"
#include "format/checksum.h"
#include "format/layout.h"
#include "runtime/mpak.h"

// -- Frames of raw blocks --------------------------------------------------------------------------------------------

#define RAW_FRAME_MAGIC      0xFD2FB528u
#define RAW_FRAME_DESCRIPTOR 0xA0u ///< one segment; the content's size in 4 bytes; no checksum, no dictionary
#define RAW_BLOCK_BYTES      131072u

static uint64_t raw_frame_bytes(uint64_t byte_count) {
  const uint64_t block_count = byte_count == 0 ? 1 : (byte_count + RAW_BLOCK_BYTES - 1) / RAW_BLOCK_BYTES;
  return 9 + 3 * block_count + byte_count;
}

/// Writes byte_count bytes as a frame (RFC 8878, section 3.1.1).
static void raw_frame_put(uint8_t *frame, const uint8_t *content, uint32_t byte_count) {
  bytes_store_u32(frame, RAW_FRAME_MAGIC);
  frame[4] = RAW_FRAME_DESCRIPTOR;
  bytes_store_u32(frame + 5, byte_count);
  uint8_t *at = frame + 9;
  uint32_t left = byte_count;
  do {
    const uint32_t length = left < RAW_BLOCK_BYTES ? left : RAW_BLOCK_BYTES;
    const uint32_t block = length << 3 | (left == length); // type 0: raw; the last one is marked
    for (int i = 0; i < 3; ++i) *at++ = (uint8_t)(block >> 8 * i);
    memcpy(at, content, length);
    at += length;
    content += length;
    left -= length;
  } while (left != 0);
}

// -- Chunks ----------------------------------------------------------------------------------------------------------

typedef struct loosen_run {
  cook_job *job;
  const uint8_t *bytes; ///< the pack
  void *scratch;        ///< of the decoder, prepared
} loosen_run;

_Noreturn static void loosen_fail(cook_job *job) {
  cook_where where = COOK_WHERE;
  where.value = "a frame that was just made does not decompress";
  job_fail(job, MPAK_C051, where);
}

/// One frame after another: from compressed to raw. Returns the chunk's new stored bytes.
static uint8_t *loosen_chunk(const loosen_run *run, const mpak_chunk_entry *chunk, uint64_t *stored_bytes) {
  const mpak_decoder *decoder = mpak_zstd_decoder();
  const uint8_t *sizes = run->bytes + chunk->offset;
  const uint64_t table_bytes = layout_frame_table_bytes(chunk->encoding, chunk->frame_count);
  const uint8_t *at = sizes + table_bytes;
  uint64_t sum = table_bytes;
  for (uint32_t f = 0; f < chunk->frame_count; at += bytes_load_u32(sizes + 4 * (size_t)f++))
    sum += raw_frame_bytes(compress_content_bytes(at, bytes_load_u32(sizes + 4 * (size_t)f)));
  uint8_t *loose = job_alloc(run->job, sum, 1), *to = loose + table_bytes;
  memcpy(loose, sizes, (size_t)table_bytes);
  at = sizes + table_bytes;
  for (uint32_t f = 0; f < chunk->frame_count; ++f) {
    const uint32_t length = bytes_load_u32(sizes + 4 * (size_t)f);
    const uint32_t content_bytes = (uint32_t)compress_content_bytes(at, length);
    uint8_t *content = job_alloc(run->job, content_bytes, 1);
    if (decoder->decompress(decoder->user, content, content_bytes, at, length, run->scratch, decoder->scratch_bytes))
      loosen_fail(run->job);
    raw_frame_put(to, content, content_bytes);
    bytes_store_u32(loose + 4 * (size_t)f, (uint32_t)raw_frame_bytes(content_bytes));
    to += raw_frame_bytes(content_bytes);
    at += length;
  }
  *stored_bytes = sum;
  return loose;
}

/// The stored bytes of each chunk in the loose pack; its line in the table gets their number, place and hash. Returns
/// the end of the last one.
static uint64_t loosen_chunks(const loosen_run *run, mpak_chunk_entry *chunks, uint32_t chunk_count,
                              const uint8_t **stored, bool *is_loose) {
  uint64_t end = MPAK_HEADER_BYTES;
  for (uint32_t i = 0; i < chunk_count; ++i) {
    mpak_chunk_entry *chunk = &chunks[i];
    stored[i] = run->bytes + chunk->offset;
    is_loose[i] = chunk->encoding != MPAK_ENCODING_STORE && chunk->stored_bytes < LOOSEN_BELOW_BYTES;
    if (is_loose[i]) {
      stored[i] = loosen_chunk(run, chunk, &chunk->stored_bytes);
      chunk->hash_stored = checksum_of(stored[i], (size_t)chunk->stored_bytes);
    }
    chunk->offset = bytes_align(end, layout_chunk_alignment(chunk->encoding, chunk->flags, chunk->stored_bytes));
    end = chunk->offset + chunk->stored_bytes;
  }
  return end;
}

uint8_t *pack_loosen(cook_job *job, const uint8_t *bytes, bool *is_loose, uint64_t *byte_count) {
  const mpak_decoder *decoder = mpak_zstd_decoder();
  mpak_header header;
  memcpy(&header, bytes, sizeof header);
  const uint64_t table_bytes = (uint64_t)header.chunk_count * sizeof(mpak_chunk_entry);
  mpak_chunk_entry *chunks = job_copy(job, bytes + header.table_offset, table_bytes);
  const uint8_t **stored = JOB_ARRAY(job, const uint8_t *, header.chunk_count);
  const loosen_run run = {job, bytes, job_alloc(job, decoder->scratch_bytes, 1)};
  if (decoder->prepare(decoder->user, run.scratch, decoder->scratch_bytes) != MPAK_OK) loosen_fail(job);
  header.table_offset = bytes_align(loosen_chunks(&run, chunks, header.chunk_count, stored, is_loose), 8);
  header.file_bytes = header.table_offset + table_bytes;
  uint8_t *loose = job_alloc(job, header.file_bytes + MPAK_CHUNK_ALIGNMENT, 1);
  loose = (uint8_t *)bytes_align((uintptr_t)loose, MPAK_CHUNK_ALIGNMENT);
  memcpy(loose, &header, sizeof header);
  for (uint32_t i = 0; i < header.chunk_count; ++i)
    memcpy(loose + chunks[i].offset, stored[i], (size_t)chunks[i].stored_bytes);
  memcpy(loose + header.table_offset, chunks, (size_t)table_bytes);
  pack_rehash(loose);
  *byte_count = header.file_bytes;
  return loose;
}
