#include "samples/viewer/png_file.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static void png_file_put(png_structp writer, png_bytep bytes, png_size_t byte_count) {
  png_file *png = png_get_io_ptr(writer);
  if (png->byte_count + byte_count > png->capacity) {
    const uint64_t capacity = (png->byte_count + byte_count) * 2;
    uint8_t *grown = realloc(png->bytes, (size_t)capacity);
    if (grown == NULL) png_error(writer, "out of memory");
    png->bytes = grown;
    png->capacity = capacity;
  }
  memcpy(png->bytes + png->byte_count, bytes, byte_count);
  png->byte_count += byte_count;
}

static void png_file_flush(png_structp writer) { (void)writer; }

static void png_file_fail(png_structp writer, png_const_charp text) {
  (void)text;
  png_longjmp(writer, 1);
}

static void png_file_warn(png_structp writer, png_const_charp text) {
  (void)writer;
  (void)text;
}

bool png_file_begin(png_file *png, uint32_t width, uint32_t height) {
  memset(png, 0, sizeof *png);
  png->writer = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, png_file_fail, png_file_warn);
  if (png->writer == NULL) return false;
  png->info = png_create_info_struct(png->writer);
  if (png->info == NULL || setjmp(png_jmpbuf((png_structp)png->writer))) {
    png->has_failed = true;
    return false;
  }
  png_set_write_fn(png->writer, png, png_file_put, png_file_flush);
  png_set_compression_level(png->writer, 9);
  png_set_user_limits(png->writer, 0x7FFFFFFF, 0x7FFFFFFF);
  png_set_IHDR(png->writer, png->info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
  png_write_info(png->writer, png->info);
  png_set_filler(png->writer, 0, PNG_FILLER_AFTER);
  return true;
}

void png_file_add_rows(png_file *png, const uint8_t *pixels, uint32_t row_count, int64_t row_bytes) {
  if (png->has_failed) return;
  if (setjmp(png_jmpbuf((png_structp)png->writer))) {
    png->has_failed = true;
    return;
  }
  const uint8_t *first = row_bytes >= 0 ? pixels : pixels - row_bytes * ((int64_t)row_count - 1);
  for (uint32_t i = 0; i < row_count; i++) png_write_row(png->writer, first + row_bytes * (int64_t)i);
}

bool png_file_end(png_file *png) {
  if (png->has_failed) return false;
  if (setjmp(png_jmpbuf((png_structp)png->writer))) {
    png->has_failed = true;
    return false;
  }
  png_write_end(png->writer, NULL);
  return true;
}

void png_file_free(png_file *png) {
  png_structp writer = png->writer;
  png_infop info = png->info;
  if (writer != NULL) png_destroy_write_struct(&writer, info != NULL ? &info : NULL);
  free(png->bytes);
  memset(png, 0, sizeof *png);
}
