#include "cooker/base/glob.h"

#include <stddef.h>
#include <stdint.h>

/// Behind the character at the start of text.
static const char *glob_skip_character(const char *text) {
  do text++;
  while (((uint8_t)*text & 0xC0) == 0x80);
  return text;
}

bool glob_matches(const char *pattern, const char *name) {
  const char *star = NULL, *star_name = NULL; // behind the last *, and where what it stands for ends
  while (*name != 0) {
    if (*pattern == '*') {
      star = ++pattern;
      star_name = name;
    } else if (*pattern == '?') {
      pattern++;
      name = glob_skip_character(name);
    } else if (*pattern == *name) {
      pattern++;
      name++;
    } else if (star != NULL) {
      pattern = star;
      name = star_name = glob_skip_character(star_name);
    } else {
      return false;
    }
  }
  while (*pattern == '*') pattern++;
  return *pattern == 0;
}
