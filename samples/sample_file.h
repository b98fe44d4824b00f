/// sample_file.h: what the samples share: a file's pack in memory, wrapped (`mpak cook --compress size`) or not.
#ifndef SAMPLE_FILE_H
#define SAMPLE_FILE_H

#include <stdlib.h>

#include "runtime/mpak.h"

typedef struct sample_file {
  mpak_mapping mapping;
  void *memory;      ///< of a wrapped pack, expanded; else NULL
  const void *bytes; ///< for mpak_open
  uint64_t byte_count;
} sample_file;

static inline void sample_file_close(sample_file *file) {
  free(file->memory);
  mpak_unmap_file(&file->mapping);
}

/// Expands the pack into memory of its own.
static inline mpak_result sample_file_unwrap(sample_file *file, const mpak_open_options *options, mpak_fault *fault) {
  mpak_unwrapped_sizes sizes;
  mpak_result result = mpak_unwrap_sizes(file->bytes, file->byte_count, options, &sizes, fault);
  if (result != MPAK_OK) return result;
  void *scratch = malloc((size_t)sizes.scratch_bytes);
  file->memory = aligned_alloc(64, ((size_t)sizes.pack_bytes + 63) / 64 * 64);
  result = scratch && file->memory ? mpak_unwrap(file->bytes, file->byte_count, options, file->memory, sizes.pack_bytes,
                                                 scratch, sizes.scratch_bytes, fault)
                                   : MPAK_ERROR_OUT_OF_MEMORY;
  free(scratch);
  file->bytes = file->memory;
  file->byte_count = sizes.pack_bytes;
  return result;
}

/// Maps a file, and expands it where it is a wrapped pack. To be closed whatever the result.
static inline mpak_result sample_file_open(const char *path, const mpak_open_options *options, sample_file *file,
                                           mpak_fault *fault) {
  *file = (sample_file){0};
  const mpak_result result = mpak_map_file(path, &file->mapping);
  file->bytes = file->mapping.bytes;
  file->byte_count = file->mapping.byte_count;
  if (result != MPAK_OK || !mpak_is_wrapped(file->bytes, file->byte_count)) return result;
  return sample_file_unwrap(file, options, fault);
}

#endif
