/// keys.h: unique names for look-up. A key is the name; without one it is "kind_<source index>"; repeats take the next
/// free "~2", "~3" and so on. A real name is never taken away from the first object that has it.
#ifndef COOK_PACK_KEYS_H
#define COOK_PACK_KEYS_H

#include "cooker/base/job.h"

/// What gets a key.
typedef struct pack_named {
  const char *name; ///< NULL or "": none
  uint32_t source_index;
  const char *key; ///< result
} pack_named;

/// Fills the keys of count objects, in their order. kind: "node", "target" and so on.
void pack_make_keys(cook_job *job, pack_named *objects, uint32_t count, const char *kind);

#endif
