/// png_file.h: pictures as PNG bytes, row by row, so that a large picture need never be whole in memory.
///
/// The same pixels give the same bytes with one build of zlib.
#ifndef PNG_FILE_H
#define PNG_FILE_H

#include <stdbool.h>
#include <stdint.h>

/// A PNG that is being made. bytes is malloc's and grows.
typedef struct png_file {
  void *writer; ///< libpng's, and its info
  void *info;
  uint8_t *bytes;
  uint64_t byte_count;
  uint64_t capacity;
  bool has_failed;
} png_file;

/// Starts an opaque picture of width * height pixels. False: out of memory.
bool png_file_begin(png_file *png, uint32_t width, uint32_t height);

/// Adds rows from the top; pixels are RGBA, row_bytes apart, of which R, G and B are kept. A negative distance takes
/// rows as GL reads them back, from the bottom.
void png_file_add_rows(png_file *png, const uint8_t *pixels, uint32_t row_count, int64_t row_bytes);

/// Ends the picture: bytes and byte_count are then the file. False: out of memory, or not all rows came.
bool png_file_end(png_file *png);

/// Gives everything back. A zeroed one is fine.
void png_file_free(png_file *png);

#endif
