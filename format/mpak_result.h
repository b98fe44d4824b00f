/// mpak_result.h: the outcome of every fallible call, with numbers that never change meaning.
#ifndef MPAK_RESULT_H
#define MPAK_RESULT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a call returns. 0 is success; groups are ten apart and leave room for more of their kind.
typedef enum mpak_result {
  MPAK_OK = 0,

  // the caller's mistake or the caller's limits
  MPAK_ERROR_ARGUMENT = 10,         ///< a parameter is out of its stated range
  MPAK_ERROR_BUFFER_TOO_SMALL = 11, ///< a caller's buffer is shorter than the size that was asked for
  MPAK_ERROR_ALIGNMENT = 12,        ///< a caller's buffer, or the pack's bytes, are not aligned as stated
  MPAK_ERROR_LIMIT = 13,            ///< the pack is larger than the caller's limits allow
  MPAK_ERROR_OUT_OF_MEMORY = 14,    ///< the caller's allocator returned null
  MPAK_ERROR_NOT_FOUND = 15,        ///< no object has this key, name or index
  MPAK_ERROR_NO_DECODER = 16,       ///< a compressed chunk, and no decompression function was given
  MPAK_ERROR_GL = 17,               ///< a GL call failed, or the context lacks something; mpak_gl_error_text says what

  // the outside world
  MPAK_ERROR_FILE = 20, ///< a file could not be opened, read, mapped or written

  // the pack: it cannot be read by this version
  MPAK_ERROR_NOT_A_PACK = 30, ///< the magic is another one
  MPAK_ERROR_VERSION = 31,    ///< a format version that this reader refuses
  MPAK_ERROR_FEATURE = 32,    ///< a required feature, chunk kind, encoding or format is unknown
  MPAK_ERROR_ENDIANNESS = 33, ///< not little-endian
  MPAK_ERROR_WRAPPED = 34,    ///< a wrapped pack: mpak_unwrap first

  // the pack: damaged or hostile
  MPAK_ERROR_TRUNCATED = 40, ///< the file is shorter or longer than its header says
  MPAK_ERROR_CHECKSUM = 41,  ///< stored bytes do not have the stored hash
  MPAK_ERROR_CORRUPT = 42,   ///< bytes contradict the format; mpak_error says which rule
} mpak_result;

/// The name of a result, for example "MPAK_ERROR_CHECKSUM". Never null; "MPAK_ERROR_UNKNOWN" for other numbers.
/// Thread safety: always safe.
const char *mpak_result_name(mpak_result result);

/// Which rule a refused pack breaks. For messages and logs; optional everywhere.
typedef struct mpak_fault {
  const char *rule; ///< static text, for example "NODE: parent is not below its child"; SPEC.md lists them all
  uint32_t chunk;   ///< number in the chunk table, or MPAK_NONE
  uint64_t item;    ///< record number within the chunk, or byte offset in the file when chunk is MPAK_NONE
} mpak_fault;

#ifdef __cplusplus
}
#endif
#endif
