/// glob.h: names by patterns: * stands for any characters, also none; ? for one. Everything else stands for itself.
#ifndef COOK_GLOB_H
#define COOK_GLOB_H

#include <stdbool.h>

/// Does the pattern fit the whole name? Both are UTF-8; a character is a code point. Time is the product of lengths.
bool glob_matches(const char *pattern, const char *name);

#endif
