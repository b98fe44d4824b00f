// pack_write.c: encoded chunks become a file: places, padding, table, header, hashes (SPEC.md).
#include "cooker/pack/pack.h"

#include "cooker/pack/compress.h"
#include "cooker/pack/frames.h"
#include "cooker/report/version.h"
#include "format/bytes.h"
#include "format/checksum.h"
#include "format/layout.h"

// -- Places ----------------------------------------------------------------------------------------------------------

static mpak_chunk_entry write_entry(const pack_chunk *chunk, const pack_encoded *encoded, uint64_t offset) {
  return (mpak_chunk_entry){
      .kind = chunk->kind,
      .kind_version = 1,
      .encoding = encoded->encoding,
      .flags = chunk->flags,
      .owner = chunk->owner,
      .offset = offset,
      .stored_bytes = encoded->stored_bytes,
      .decoded_bytes = (uint64_t)chunk->stride * chunk->count,
      .stride = chunk->stride,
      .count = chunk->count,
      .frame_bytes = encoded->frame_bytes,
      .frame_count = encoded->frame_count,
      .filter = encoded->filter,
      .format = chunk->format,
      .slot = chunk->slot,
      .lane_modes = encoded->lane_modes,
  };
}

/// Fills the table's places. Returns the offset of the table.
static uint64_t write_places(const pack_chunk *chunks, const pack_encoded *encoded, uint32_t chunk_count,
                             mpak_chunk_entry *entries) {
  uint64_t end = MPAK_HEADER_BYTES;
  for (uint32_t i = 0; i < chunk_count; ++i) {
    uint64_t offset =
        bytes_align(end, layout_chunk_alignment(encoded[i].encoding, chunks[i].flags, encoded[i].stored_bytes));
    entries[i] = write_entry(&chunks[i], &encoded[i], offset);
    end = offset + encoded[i].stored_bytes; // sums of memory that exists: no overflow
  }
  return bytes_align(end, 8);
}

// -- Bytes -----------------------------------------------------------------------------------------------------------

static void write_chunk(const pack_chunk *chunk, const pack_encoded *encoded, uint8_t *to) {
  if (encoded->encoding == MPAK_ENCODING_STORE) {
    memcpy(to, chunk->bytes, (size_t)encoded->stored_bytes);
    return;
  }
  uint64_t table_bytes = (uint64_t)encoded->frame_count * sizeof(uint32_t);
  memcpy(to, encoded->frame_sizes, (size_t)table_bytes);
  to += table_bytes;
  if (encoded->encoding == MPAK_ENCODING_INDEX) {
    memcpy(to, encoded->stream_sizes, (size_t)table_bytes);
    to += table_bytes;
  }
  for (uint32_t f = 0; f < encoded->frame_count; ++f) {
    memcpy(to, encoded->frames[f], encoded->frame_sizes[f]);
    to += encoded->frame_sizes[f];
  }
}

static void write_sums(const mpak_chunk_entry *entries, const pack_encoded *encoded, uint32_t chunk_count,
                       mpak_header *header) {
  for (uint32_t i = 0; i < chunk_count; ++i) {
    header->decoded_bytes += entries[i].decoded_bytes;
    if (entries[i].decoded_bytes > header->max_chunk_decoded) header->max_chunk_decoded = entries[i].decoded_bytes;
    if (encoded[i].max_frame_decoded > header->max_frame_decoded) {
      header->max_frame_decoded = encoded[i].max_frame_decoded;
    }
  }
}

static mpak_header write_header(cook_compress compress, uint32_t chunk_count, uint64_t table_offset,
                                uint64_t content_id) {
  mpak_header header = {
      .format_major = MPAK_FORMAT_MAJOR,
      .format_minor = MPAK_FORMAT_MINOR,
      .header_bytes = MPAK_HEADER_BYTES,
      .endian_tag = MPAK_ENDIAN_TAG,
      .chunk_count = chunk_count,
      .chunk_entry_bytes = MPAK_CHUNK_ENTRY_BYTES,
      .flags = compress == COOK_COMPRESS_LOAD   ? 1
               : compress == COOK_COMPRESS_SIZE ? 2
                                                : 0,
      .file_bytes = table_offset + (uint64_t)chunk_count * MPAK_CHUNK_ENTRY_BYTES,
      .table_offset = table_offset,
      .chunk_alignment = MPAK_CHUNK_ALIGNMENT,
      .content_id = content_id,
      .cooker_version = (uint64_t)MPAK_VERSION_MAJOR << 48 | (uint64_t)MPAK_VERSION_MINOR << 32 |
                        (uint64_t)MPAK_VERSION_PATCH << 16 | (compress_version_number() & 0xFFFF),
  };
  memcpy(header.magic, MPAK_MAGIC_BYTES, sizeof header.magic);
  return header;
}

void pack_rehash(uint8_t *bytes) {
  mpak_header header;
  memcpy(&header, bytes, sizeof header);
  uint64_t table_bytes = (uint64_t)header.chunk_count * MPAK_CHUNK_ENTRY_BYTES;
  header.table_hash = checksum_of(bytes + header.table_offset, (size_t)table_bytes);
  memcpy(bytes, &header, sizeof header);
  header.header_hash = checksum_of(bytes, MPAK_HEADER_BYTES - sizeof header.header_hash);
  memcpy(bytes, &header, sizeof header);
}

static void write_check_count(cook_job *job, uint32_t chunk_count) {
  if (chunk_count <= MPAK_MAX_CHUNKS) return;
  cook_where where = COOK_WHERE;
  where.value = job_format(job, "%u chunks", chunk_count);
  where.limit = job_format(job, "%u", MPAK_MAX_CHUNKS);
  job_fail(job, MPAK_C052, where);
}

uint8_t *pack_write(cook_job *job, const pack_chunk *chunks, uint32_t chunk_count, cook_compress compress,
                    uint32_t thread_count, uint64_t content_id, uint64_t *byte_count) {
  write_check_count(job, chunk_count);
  pack_encoded *encoded = JOB_ARRAY(job, pack_encoded, chunk_count);
  pack_encode(job, chunks, chunk_count, compress, thread_count, encoded);
  mpak_chunk_entry *entries = JOB_ARRAY(job, mpak_chunk_entry, chunk_count);
  uint64_t table_offset = write_places(chunks, encoded, chunk_count, entries);
  mpak_header header = write_header(compress, chunk_count, table_offset, content_id);
  write_sums(entries, encoded, chunk_count, &header);
  // A pack in memory must be 64-byte aligned to be opened; the arena gives 16.
  uint8_t *bytes = job_alloc(job, header.file_bytes + MPAK_CHUNK_ALIGNMENT, 1);
  bytes = (uint8_t *)bytes_align((uintptr_t)bytes, MPAK_CHUNK_ALIGNMENT);
  for (uint32_t i = 0; i < chunk_count; ++i) {
    uint8_t *at = bytes + entries[i].offset;
    write_chunk(&chunks[i], &encoded[i], at);
    entries[i].hash_stored = checksum_of(at, (size_t)entries[i].stored_bytes);
    entries[i].hash_decoded = (uint32_t)checksum_of(chunks[i].bytes, (size_t)entries[i].decoded_bytes);
  }
  memcpy(bytes, &header, sizeof header);
  memcpy(bytes + table_offset, entries, (size_t)chunk_count * sizeof *entries);
  pack_rehash(bytes);
  *byte_count = header.file_bytes;
  return bytes;
}
