#include "cooker/cli/pack_file.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cooker/base/io.h"
#include "format/bytes.h"

#define PACK_DECODED_BYTES_MAX ((uint64_t)4 << 30)
#define PACK_BYTES_ALIGNMENT   64u

bool pack_file_is_pack(const char *path) {
  const size_t length = strlen(path), suffix_length = strlen(".mpak");
  if (length > suffix_length && strcmp(path + length - suffix_length, ".mpak") == 0) return true;
  char start[8] = {0};
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return false;
  const ssize_t read_count = read(descriptor, start, sizeof start);
  close(descriptor);
  if (read_count != (ssize_t)sizeof start) return false;
  return memcmp(start, MPAK_MAGIC_BYTES, sizeof start) == 0 || mpak_is_wrapped(start, sizeof start);
}

// -- Refusals --------------------------------------------------------------------------------------------------------

static const char *fault_place(cook_job *job, const mpak_pack *pack, const mpak_fault *fault) {
  if (fault->chunk == MPAK_NONE) return job_format(job, "byte %llu", (unsigned long long)fault->item);
  if (fault->chunk >= pack->chunk_count)
    return job_format(job, "chunk %u item %llu", fault->chunk, (unsigned long long)fault->item);
  char kind[5] = {0};
  memcpy(kind, &pack->chunks[fault->chunk].kind, 4);
  return job_format(job, "chunk %u (%s) item %llu", fault->chunk, kind, (unsigned long long)fault->item);
}

mpak_issue_id pack_file_issue(mpak_result result) {
  switch (result) {
  case MPAK_ERROR_NOT_A_PACK: return MPAK_P001;
  case MPAK_ERROR_VERSION: return MPAK_P002;
  case MPAK_ERROR_FEATURE: return MPAK_P003;
  case MPAK_ERROR_ENDIANNESS: return MPAK_P004;
  case MPAK_ERROR_TRUNCATED: return MPAK_P005;
  case MPAK_ERROR_CHECKSUM: return MPAK_P006;
  case MPAK_ERROR_WRAPPED: // in a wrapped pack: the file itself was unwrapped
  case MPAK_ERROR_CORRUPT: return MPAK_P007;
  case MPAK_ERROR_LIMIT: return MPAK_P008;
  default: return MPAK_P009;
  }
}

_Noreturn static void fault_fail(cook_job *job, const mpak_pack *pack, mpak_result result, const mpak_fault *fault) {
  const char *rule = fault->rule != NULL ? fault->rule : mpak_result_name(result);
  cook_where where = COOK_WHERE;
  where.value = rule;
  where.stream = fault->rule != NULL ? fault_place(job, pack, fault) : NULL;
  where.limit = mpak_result_name(result);
  job_fail(job, pack_file_issue(result), where);
}

// -- Opening ---------------------------------------------------------------------------------------------------------

static uint8_t *aligned_memory(cook_job *job, uint64_t byte_count) {
  uint8_t *memory = job_alloc(job, byte_count + PACK_BYTES_ALIGNMENT, 1);
  return memory + (bytes_align((uintptr_t)memory, PACK_BYTES_ALIGNMENT) - (uintptr_t)memory);
}

/// The pack in a wrapped file.
static uint8_t *unwrap_file(cook_job *job, const mpak_open_options *options, const void *bytes, uint64_t *byte_count) {
  const mpak_pack none = {0};
  mpak_unwrapped_sizes sizes;
  mpak_fault fault;
  mpak_result result = mpak_unwrap_sizes(bytes, *byte_count, options, &sizes, &fault);
  if (result != MPAK_OK) fault_fail(job, &none, result, &fault);
  uint8_t *memory = aligned_memory(job, sizes.pack_bytes);
  void *scratch = job_alloc(job, sizes.scratch_bytes, 1);
  result = mpak_unwrap(bytes, *byte_count, options, memory, sizes.pack_bytes, scratch, sizes.scratch_bytes, &fault);
  if (result != MPAK_OK) fault_fail(job, &none, result, &fault);
  *byte_count = sizes.pack_bytes;
  return memory;
}

void pack_file_open_bytes(cook_job *job, const void *bytes, uint64_t byte_count, pack_file *file) {
  const mpak_open_options options = {.decoder = mpak_zstd_decoder(), .max_decoded_bytes = PACK_DECODED_BYTES_MAX};
  uint8_t *memory = NULL;
  file->file_bytes = byte_count;
  file->is_wrapped = mpak_is_wrapped(bytes, byte_count);
  if (file->is_wrapped) {
    memory = unwrap_file(job, &options, bytes, &byte_count);
  } else {
    memory = aligned_memory(job, byte_count);
    if (byte_count != 0) memcpy(memory, bytes, (size_t)byte_count);
  }
  mpak_fault fault = {.chunk = MPAK_NONE};
  const mpak_result result = mpak_open(memory, byte_count, &options, &file->pack, &fault);
  if (result != MPAK_OK) fault_fail(job, &file->pack, result, &fault);
  file->scratch_bytes = mpak_scratch_bytes(&file->pack);
  file->scratch = job_alloc(job, file->scratch_bytes, 1);
}

void pack_file_open(cook_job *job, const char *path, pack_file *file) {
  uint64_t byte_count = 0;
  const uint8_t *bytes = io_read_file(job, path, &byte_count);
  pack_file_open_bytes(job, bytes, byte_count, file);
}

// -- Decoding --------------------------------------------------------------------------------------------------------

void pack_file_load_part(cook_job *job, const pack_file *file, uint32_t part, mpak_part_data *data) {
  const uint64_t byte_count = mpak_part_bytes(&file->pack, part);
  void *memory = job_alloc(job, byte_count, 1);
  mpak_fault fault = {.chunk = MPAK_NONE};
  const mpak_result result =
      mpak_load_part(&file->pack, part, memory, byte_count, file->scratch, file->scratch_bytes, data, &fault);
  if (result != MPAK_OK) fault_fail(job, &file->pack, result, &fault);
}

void pack_file_load_clips(cook_job *job, const pack_file *file, mpak_clips *clips) {
  const uint64_t byte_count = mpak_clips_bytes(&file->pack);
  void *memory = job_alloc(job, byte_count, 1);
  mpak_fault fault = {.chunk = MPAK_NONE};
  const mpak_result result =
      mpak_load_clips(&file->pack, memory, byte_count, file->scratch, file->scratch_bytes, clips, &fault);
  if (result != MPAK_OK) fault_fail(job, &file->pack, result, &fault);
}

const void *pack_file_load_chunk(cook_job *job, const pack_file *file, uint32_t chunk) {
  const uint64_t byte_count = file->pack.chunks[chunk].decoded_bytes;
  void *memory = job_alloc(job, byte_count, 1);
  mpak_fault fault = {.chunk = MPAK_NONE};
  const mpak_result result =
      mpak_decode(&file->pack, chunk, memory, byte_count, file->scratch, file->scratch_bytes, NULL, &fault);
  if (result != MPAK_OK) fault_fail(job, &file->pack, result, &fault);
  return memory;
}

void pack_file_check_all(cook_job *job, const pack_file *file) {
  const mpak_pack *pack = &file->pack;
  const cook_mark mark = job_mark(job);
  for (uint32_t p = 0; p < pack->part_count; p++) {
    const uint32_t maps[2] = {pack->parts[p].pack_of_source_chunk, pack->parts[p].source_of_pack_chunk};
    mpak_part_data data;
    pack_file_load_part(job, file, p, &data);
    for (int i = 0; i < 2; i++)
      if (maps[i] != MPAK_NONE) pack_file_load_chunk(job, file, maps[i]);
    job_release(job, mark);
  }
  mpak_clips clips;
  pack_file_load_clips(job, file, &clips);
  job_release(job, mark);
}
