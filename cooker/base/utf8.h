/// utf8.h: is a text UTF-8 (RFC 3629)?
#ifndef COOK_UTF8_H
#define COOK_UTF8_H

#include <stdbool.h>
#include <stdint.h>

/// Bytes of the character at text, 0 when no valid one starts there. Never reads past the terminator, since that is no
/// tail byte.
uint32_t utf8_character_bytes(const char *text);

/// Is the whole text UTF-8? No overlong forms, no surrogates, nothing beyond U+10FFFF.
bool utf8_is_valid(const char *text);

#endif
