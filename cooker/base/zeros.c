#include "cooker/base/zeros.h"

#include <stdint.h>
#include <string.h>

#define PIECE_BYTES ((size_t)4096) ///< a page of most machines

void zeros_copy(void *to, const void *from, size_t byte_count) {
  static const uint8_t zeros[PIECE_BYTES];
  for (size_t at = 0; at < byte_count; at += PIECE_BYTES) {
    const size_t length = byte_count - at < PIECE_BYTES ? byte_count - at : PIECE_BYTES;
    const uint8_t *piece = (const uint8_t *)from + at;
    if (memcmp(piece, zeros, length) != 0) memcpy((uint8_t *)to + at, piece, length);
  }
}
