/// strings.h: the STRS chunk: all texts of a pack, once each, sorted by bytes; offset 0 is "".
#ifndef COOK_PACK_STRINGS_H
#define COOK_PACK_STRINGS_H

#include "cooker/base/job.h"

typedef struct pack_strings {
  cook_job *job;
  const char **texts; ///< sorted and unique once sealed
  uint64_t count, capacity;
  uint32_t *offsets; ///< by text, once sealed
  char *bytes;       ///< STRS, once sealed
  uint32_t byte_count;
} pack_strings;

/// Collects a text; NULL is "". The text must live as long as the strings.
void pack_strings_add(pack_strings *strings, const char *text);

/// Ends collecting and lays the chunk out. Fails the job with C052 when a text or their sum is too long.
void pack_strings_seal(pack_strings *strings);

/// Where a collected text stands; NULL and "" are 0.
uint32_t pack_strings_offset(const pack_strings *strings, const char *text);

#endif
