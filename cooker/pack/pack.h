/// pack.h: a built scene becomes the bytes of a pack (format/SPEC.md). Pure: no file is touched.
#ifndef COOK_PACK_H
#define COOK_PACK_H

#include "cooker/build/build.h"

/// One chunk before it has an offset.
typedef struct pack_chunk {
  uint32_t kind;
  uint32_t owner; ///< part, or MPAK_NONE
  uint8_t format; ///< mpak_element_format
  uint8_t slot;
  uint32_t flags; ///< mpak_chunk_flags
  uint32_t stride;
  uint32_t count;
  const void *bytes;         ///< stride * count, decoded
  bool is_table;             ///< always stored
  const cook_blocks *blocks; ///< MPAY: cuts and sorting of its frames
  const uint32_t *indices;   ///< INDX: the same numbers with 32 bits
} pack_chunk;

/// Encodes all chunks (thread_count threads, same bytes whatever their number), lays the file out and hashes it. The
/// result is 64-byte aligned, so that mpak_open takes it.
uint8_t *pack_write(cook_job *job, const pack_chunk *chunks, uint32_t chunk_count, cook_compress compress,
                    uint32_t thread_count, uint64_t content_id, uint64_t *byte_count);

/// Makes the hashes of table and header anew, after bytes of a pack were changed.
void pack_rehash(uint8_t *bytes);

/// Writes errors into the ERRS of a finished pack, over the records of the same parts and streams, and hashes it anew.
void pack_store_errors(uint8_t *bytes, const mpak_measured_error *errors, uint32_t count);

/// Makes all records and streams of a scene, writes them, decodes the result, and stores the measured errors.
void pack_scene(cook_job *job, cook_scene *scene, const cook_options *options, cook_product *product);

#endif
