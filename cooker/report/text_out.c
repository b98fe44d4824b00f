#include "cooker/report/text_out.h"

#include <stdio.h>
#include <string.h>

#define TEXT_FIRST_BYTES 4096u

void text_begin(text_out *text, cook_job *job) { *text = (text_out){.job = job}; }

/// Room for byte_count more bytes and the terminator. The arena keeps the old copies until the job ends: twice the
/// text.
static void text_reserve(text_out *text, uint64_t byte_count) {
  if (text->capacity - text->used > byte_count) return;
  uint64_t capacity = text->capacity == 0 ? TEXT_FIRST_BYTES : text->capacity * 2;
  while (capacity - text->used <= byte_count) capacity *= 2;
  char *bytes = job_alloc(text->job, capacity, 1);
  if (text->used != 0) memcpy(bytes, text->bytes, (size_t)text->used);
  text->bytes = bytes;
  text->capacity = capacity;
}

void text_put_bytes(text_out *text, const void *bytes, uint64_t byte_count) {
  text_reserve(text, byte_count);
  if (byte_count != 0) memcpy(text->bytes + text->used, bytes, (size_t)byte_count);
  text->used += byte_count;
  text->bytes[text->used] = 0;
}

void text_put(text_out *text, const char *words) { text_put_bytes(text, words, strlen(words)); }

void text_put_char(text_out *text, char letter) { text_put_bytes(text, &letter, 1); }

void text_printf(text_out *text, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length > 0) {
    text_reserve(text, (uint64_t)length);
    vsnprintf(text->bytes + text->used, (size_t)length + 1, format, again);
    text->used += (uint64_t)length;
  }
  va_end(again);
}

// -- Escapes ---------------------------------------------------------------------------------------------------------

uint32_t text_utf8_length(const char *text, uint32_t *code) {
  static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
  const uint8_t first = (uint8_t)text[0];
  const uint32_t length = first < 0x80   ? 1
                          : first < 0xC0 ? 0
                          : first < 0xE0 ? 2
                          : first < 0xF0 ? 3
                          : first < 0xF8 ? 4
                                         : 0;
  if (length == 0) return 0;
  uint32_t number = length == 1 ? first : first & (0xFFu >> (length + 1));
  for (uint32_t i = 1; i < length; i++) {
    if (((uint8_t)text[i] & 0xC0) != 0x80) return 0;
    number = number << 6 | ((uint8_t)text[i] & 0x3Fu);
  }
  if (number < smallest[length] || number > 0x10FFFF || (number >= 0xD800 && number < 0xE000)) return 0;
  *code = number;
  return length;
}

/// Characters that would move the cursor, hide text or turn its direction.
static bool text_is_dangerous(uint32_t code) {
  if (code < 0x20 || (code >= 0x7F && code < 0xA0)) return true;
  return (code >= 0x200E && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

static void text_put_code(text_out *text, uint32_t code) {
  switch (code) {
  case '\n': text_put(text, "\\n"); break;
  case '\r': text_put(text, "\\r"); break;
  case '\t': text_put(text, "\\t"); break;
  default: text_printf(text, code < 0x100 ? "\\x%02x" : "\\u%04x", (unsigned)code);
  }
}

void text_put_escaped(text_out *text, const char *name, bool is_quoted) {
  while (*name != 0) {
    uint32_t code = 0;
    const uint32_t length = text_utf8_length(name, &code);
    if (length == 0) {
      text_printf(text, "\\x%02x", (unsigned)(uint8_t)*name);
    } else if (text_is_dangerous(code)) {
      text_put_code(text, code);
    } else {
      if (is_quoted && (code == '"' || code == '\\')) text_put_char(text, '\\');
      text_put_bytes(text, name, length);
    }
    name += length == 0 ? 1 : length;
  }
}
