/// mt_wrapped.h: test support: wrapped packs made from SPEC.md and not from the cooker, to be spoilt in one place.
#ifndef MT_WRAPPED_H
#define MT_WRAPPED_H

#include "runtime/mpak.h"
#include "tests/support/mt_pack.h"

/// A wrapped pack, taken apart. Members are the caller's to change before mt_wrapped_write; arrays are malloc'ed.
typedef struct mt_wrapped {
  mpak_wrapped_header header; ///< stream_bytes is written as it stands here; file_bytes and hash are made
  uint8_t *stream;
  uint64_t stream_bytes; ///< that are there
  uint8_t *behind;
  uint64_t behind_bytes;
} mt_wrapped;

/// Takes a sound pack apart: its tables, other stored chunks and compressed JNTS into the stream, the rest behind it.
void mt_wrapped_make(mt_wrapped *wrapped, const mt_image *pack);
/// The same parts of a wrapped file whose frames are sound; false otherwise.
bool mt_wrapped_parse(mt_wrapped *wrapped, const mt_image *file);
void mt_wrapped_free(mt_wrapped *wrapped);

/// The stream's header and lines of its chunk table, as in the stream but for the byte planes.
mpak_header mt_wrapped_pack_header(const mt_wrapped *wrapped);
mpak_chunk_entry mt_wrapped_line(const mt_wrapped *wrapped, uint32_t number);
void mt_wrapped_set_line(mt_wrapped *wrapped, uint32_t number, const mpak_chunk_entry *line);

/// Where a mapped file is a wrapped pack: puts the pack into its place, in memory that stays until the program ends.
/// Other files stay as they are.
mpak_result mt_unwrap_mapping(mpak_mapping *file, mpak_fault *fault);

/// Compresses, joins and hashes.
mt_image mt_wrapped_write(const mt_wrapped *wrapped);

#endif
