#include "cooker/pack/wrap.h"

#include <stddef.h>
#include <string.h>

#include "cooker/pack/compress.h"
#include "cooker/pack/filters.h"
#include "cooker/pack/loosen.h"
#include "format/bytes.h"
#include "format/checksum.h"
#include "format/wrapped.h"
#include "runtime/mpak.h"

#define WRAP_LEVEL 19

/// A loose pack, and what becomes of it.
typedef struct wrap_run {
  cook_job *job;
  const uint8_t *pack;
  uint64_t pack_bytes;
  mpak_header header;
  mpak_chunk_entry *chunks; ///< as they are in the stream
  uint8_t *stream;
  uint64_t stream_bytes;
  uint64_t behind_bytes;
} wrap_run;

_Noreturn static void wrap_fail(cook_job *job, const char *what) {
  cook_where where = COOK_WHERE;
  where.value = what;
  job_fail(job, MPAK_C051, where);
}

// -- The stream ------------------------------------------------------------------------------------------------------

/// Lines of the chunk table: what a reader makes anew becomes 0, and each chunk gets its place.
static void wrap_place_chunks(wrap_run *run, const bool *is_loose) {
  run->stream_bytes = sizeof run->header + run->header.chunk_count * sizeof(mpak_chunk_entry);
  for (uint32_t i = 0; i < run->header.chunk_count; ++i) {
    mpak_chunk_entry *chunk = &run->chunks[i];
    const bool is_table = chunk->owner == MPAK_NONE && chunk->encoding == MPAK_ENCODING_STORE;
    const bool is_small = chunk->encoding == MPAK_ENCODING_STORE && chunk->stored_bytes < LOOSEN_BELOW_BYTES;
    const bool is_in_stream = is_table || is_small || is_loose[i];
    chunk->zero = is_in_stream ? WRAPPED_IN_STREAM : WRAPPED_BEHIND;
    wrapped_set_hashes(chunk, NULL);
    *(is_in_stream ? &run->stream_bytes : &run->behind_bytes) += chunk->stored_bytes;
  }
}

static uint8_t *wrap_put_planes(uint8_t *to, const void *from, uint64_t byte_count, uint32_t stride) {
  if (stride != 0) filter_planes(from, byte_count, stride, to);
  if (stride == 0) memcpy(to, from, (size_t)byte_count);
  return to + byte_count;
}

static void wrap_fill_stream(wrap_run *run) {
  mpak_header header = run->header;
  header.table_hash = header.header_hash = 0;
  run->stream = job_alloc(run->job, run->stream_bytes, 1);
  memcpy(run->stream, &header, sizeof header);
  const uint64_t table_bytes = header.chunk_count * sizeof(mpak_chunk_entry);
  uint8_t *to = wrap_put_planes(run->stream + sizeof header, run->chunks, table_bytes, sizeof(mpak_chunk_entry));
  for (uint32_t i = 0; i < header.chunk_count; ++i) {
    const mpak_chunk_entry *chunk = &run->chunks[i];
    if (chunk->zero != WRAPPED_IN_STREAM) continue;
    to = wrap_put_planes(to, run->pack + chunk->offset, chunk->stored_bytes, wrapped_plane_stride(chunk));
  }
}

// -- The file --------------------------------------------------------------------------------------------------------

/// Compresses the stream behind the table of frame sizes at `sizes`. Returns the end.
static uint8_t *wrap_put_frames(const wrap_run *run, uint8_t *sizes, uint64_t room) {
  const size_t workspace_bytes = compress_workspace_bytes(WRAP_LEVEL);
  void *workspace = job_alloc(run->job, workspace_bytes, 1);
  const uint32_t frame_count = wrapped_frame_count((uint32_t)run->stream_bytes);
  uint8_t *to = sizes + 4 * (size_t)frame_count, *const end = sizes + room;
  for (uint32_t f = 0; f < frame_count; ++f) {
    const uint64_t first = (uint64_t)f * MPAK_MAX_FRAME_BYTES, left = run->stream_bytes - first;
    const size_t length = left < MPAK_MAX_FRAME_BYTES ? (size_t)left : MPAK_MAX_FRAME_BYTES;
    const size_t written =
        compress_frame(WRAP_LEVEL, workspace, workspace_bytes, to, (size_t)(end - to), run->stream + first, length);
    if (written == 0) wrap_fail(run->job, "the stream of a wrapped pack does not compress");
    bytes_store_u32(sizes + 4 * (size_t)f, (uint32_t)written);
    to += written;
  }
  return to;
}

static uint8_t *wrap_write(const wrap_run *run, uint64_t *byte_count) {
  const uint32_t frame_count = wrapped_frame_count((uint32_t)run->stream_bytes);
  const uint64_t room = frame_count * (4 + compress_bound(MPAK_MAX_FRAME_BYTES));
  uint8_t *file = job_alloc(run->job, sizeof(mpak_wrapped_header) + room + run->behind_bytes, 1);
  uint8_t *to = wrap_put_frames(run, file + sizeof(mpak_wrapped_header), room);
  for (uint32_t i = 0; i < run->header.chunk_count; ++i) {
    const mpak_chunk_entry *chunk = &run->chunks[i];
    if (chunk->zero == WRAPPED_BEHIND) to = wrap_put_planes(to, run->pack + chunk->offset, chunk->stored_bytes, 0);
  }
  mpak_wrapped_header header = {.format_major = MPAK_FORMAT_MAJOR,
                                .format_minor = MPAK_FORMAT_MINOR,
                                .stream_bytes = (uint32_t)run->stream_bytes,
                                .file_bytes = (uint64_t)(to - file),
                                .pack_bytes = run->pack_bytes};
  memcpy(header.magic, MPAK_WRAPPED_MAGIC, sizeof header.magic);
  memcpy(file, &header, sizeof header);
  const size_t hashed_from = offsetof(mpak_wrapped_header, format_major);
  header.hash = checksum_of(file + hashed_from, (size_t)header.file_bytes - hashed_from);
  memcpy(file, &header, sizeof header);
  *byte_count = header.file_bytes;
  return file;
}

/// Expands the result as a game does.
static void wrap_prove(const wrap_run *run, const uint8_t *file, uint64_t byte_count) {
  const mpak_open_options options = {.decoder = mpak_zstd_decoder(), .max_decoded_bytes = UINT64_MAX};
  mpak_unwrapped_sizes sizes;
  if (mpak_unwrap_sizes(file, byte_count, &options, &sizes, NULL) != MPAK_OK || sizes.pack_bytes != run->pack_bytes)
    wrap_fail(run->job, "a wrapped pack does not unwrap");
  uint8_t *memory = job_alloc(run->job, sizes.pack_bytes + MPAK_CHUNK_ALIGNMENT, 1);
  memory = (uint8_t *)bytes_align((uintptr_t)memory, MPAK_CHUNK_ALIGNMENT);
  void *scratch = job_alloc(run->job, sizes.scratch_bytes, 1);
  if (mpak_unwrap(file, byte_count, &options, memory, sizes.pack_bytes, scratch, sizes.scratch_bytes, NULL) ||
      memcmp(memory, run->pack, (size_t)run->pack_bytes) != 0)
    wrap_fail(run->job, "a wrapped pack does not unwrap");
}

const uint8_t *pack_wrap(cook_job *job, const uint8_t *bytes, uint64_t *byte_count) {
  wrap_run run = {.job = job};
  memcpy(&run.header, bytes, sizeof run.header);
  bool *is_loose = JOB_ARRAY(job, bool, run.header.chunk_count);
  run.pack = pack_loosen(job, bytes, is_loose, &run.pack_bytes);
  memcpy(&run.header, run.pack, sizeof run.header);
  const uint64_t table_bytes = run.header.chunk_count * sizeof(mpak_chunk_entry);
  run.chunks = job_copy(job, run.pack + run.header.table_offset, table_bytes);
  wrap_place_chunks(&run, is_loose);
  if (run.stream_bytes > UINT32_MAX) return bytes;
  wrap_fill_stream(&run);
  uint64_t wrapped_bytes = 0;
  const uint8_t *file = wrap_write(&run, &wrapped_bytes);
  if (wrapped_bytes > *byte_count - *byte_count / WRAP_LEAST_SAVING) return bytes;
  wrap_prove(&run, file, wrapped_bytes);
  *byte_count = wrapped_bytes;
  return file;
}
