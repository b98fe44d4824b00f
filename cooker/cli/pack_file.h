/// pack_file.h: a pack in memory, opened and decoded the way a game does it; a refusal becomes a coded issue.
#ifndef CLI_PACK_FILE_H
#define CLI_PACK_FILE_H

#include "cooker/base/job.h"
#include "runtime/mpak.h"

typedef struct pack_file {
  mpak_pack pack;
  uint64_t file_bytes; ///< of the file; the pack in it has pack.byte_count
  bool is_wrapped;     ///< the file was a wrapped pack
  void *scratch;
  uint64_t scratch_bytes;
} pack_file;

/// Does the file begin like a pack, or is it called one?
bool pack_file_is_pack(const char *path);

/// The P issue that says what a reader's result means to a user.
mpak_issue_id pack_file_issue(mpak_result result);

/// Reads and opens a pack. Fails the job with a P issue, which names the broken rule, or an F issue.
void pack_file_open(cook_job *job, const char *path, pack_file *file);

/// The same for bytes that are in memory already; they are copied.
void pack_file_open_bytes(cook_job *job, const void *bytes, uint64_t byte_count, pack_file *file);

/// Decodes all buffers of a part into the job's arena.
void pack_file_load_part(cook_job *job, const pack_file *file, uint32_t part, mpak_part_data *data);

/// Decodes the keys of all clips.
void pack_file_load_clips(cook_job *job, const pack_file *file, mpak_clips *clips);

/// Decodes one chunk that belongs to no deformer (the source map).
const void *pack_file_load_chunk(cook_job *job, const pack_file *file, uint32_t chunk);

/// Decodes and checks every chunk of the pack, one part at a time.
void pack_file_check_all(cook_job *job, const pack_file *file);

#endif
