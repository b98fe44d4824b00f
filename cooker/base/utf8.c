#include "cooker/base/utf8.h"

static bool is_tail(uint8_t byte) { return (byte & 0xC0) == 0x80; }

uint32_t utf8_character_bytes(const char *text) {
  const uint8_t *bytes = (const uint8_t *)text, lead = bytes[0];
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4 || !is_tail(bytes[1])) return 0;
  if (lead < 0xE0) return 2;
  if (!is_tail(bytes[2])) return 0;
  if (lead == 0xE0 && bytes[1] < 0xA0) return 0; // overlong
  if (lead == 0xED && bytes[1] > 0x9F) return 0; // surrogate
  if (lead < 0xF0) return 3;
  if (!is_tail(bytes[3])) return 0;
  if (lead == 0xF0 && bytes[1] < 0x90) return 0; // overlong
  if (lead == 0xF4 && bytes[1] > 0x8F) return 0; // beyond U+10FFFF
  return 4;
}

bool utf8_is_valid(const char *text) {
  while (*text != 0) {
    const uint32_t byte_count = utf8_character_bytes(text);
    if (byte_count == 0) return false;
    text += byte_count;
  }
  return true;
}
