/// text_out.h: a text that grows in a job's arena. Whatever is written as a whole (reports, results) is made in one.
#ifndef COOK_TEXT_OUT_H
#define COOK_TEXT_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "cooker/base/job.h"

/// A growing text. bytes is zero-terminated after each call once anything was written.
typedef struct text_out {
  cook_job *job;
  char *bytes;
  uint64_t used;     ///< bytes without the terminator
  uint64_t capacity; ///< bytes allotted
} text_out;

/// An empty text in the job's arena.
void text_begin(text_out *text, cook_job *job);

void text_put_bytes(text_out *text, const void *bytes, uint64_t byte_count);
void text_put(text_out *text, const char *words);
void text_put_char(text_out *text, char letter);
void text_printf(text_out *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// A name or path as a terminal may show it: control characters, direction overrides and bytes that are no UTF-8 become
/// \n, \t, \x1b, \u202e; with is_quoted also " and \ are escaped. Everything else is kept byte by byte.
void text_put_escaped(text_out *text, const char *name, bool is_quoted);

/// The length in bytes of the UTF-8 character at the start of the zero-terminated text, or 0 when it is none (overlong
/// forms, surrogates and numbers above 10FFFF are none). code receives its number.
uint32_t text_utf8_length(const char *text, uint32_t *code);

#endif
