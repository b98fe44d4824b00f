// keys.c: see keys.h. A hash table of the keys in use; each remembers which suffix to try next, so that 65,535 objects
// of one name take linear time.
#include "cooker/pack/keys.h"

#include <string.h>

#include "format/checksum.h"

typedef struct keys_slot {
  const char *text; ///< NULL: free
  uint32_t next_suffix;
} keys_slot;

typedef struct keys_table {
  keys_slot *slots;
  uint64_t mask;
} keys_table;

/// The slot of a text, or the free one where it belongs. The table is never full.
static keys_slot *keys_find(const keys_table *table, const char *text) {
  uint64_t at = checksum_of(text, strlen(text)) & table->mask;
  while (table->slots[at].text && strcmp(table->slots[at].text, text) != 0) at = (at + 1) & table->mask;
  return &table->slots[at];
}

/// Takes a text as a key, if it is free.
static bool keys_take(const keys_table *table, const char *text) {
  keys_slot *slot = keys_find(table, text);
  if (slot->text) return false;
  *slot = (keys_slot){text, 2};
  return true;
}

static bool keys_has_name(const pack_named *object) { return object->name && object->name[0]; }

static const char *keys_make(cook_job *job, const keys_table *table, const pack_named *object, const char *kind) {
  const char *base = keys_has_name(object) ? object->name : job_format(job, "%s_%u", kind, object->source_index);
  if (keys_take(table, base)) return base;
  keys_slot *slot = keys_find(table, base);
  for (;;) {
    const char *key = job_format(job, "%s~%u", base, slot->next_suffix++);
    if (keys_take(table, key)) return key;
  }
}

void pack_make_keys(cook_job *job, pack_named *objects, uint32_t count, const char *kind) {
  keys_table table = {NULL, 15};
  while (table.mask < (uint64_t)count * 2) table.mask = table.mask * 2 + 1; // one key per object: at most half full
  table.slots = JOB_ARRAY(job, keys_slot, table.mask + 1);
  for (uint32_t i = 0; i < count; ++i) {
    bool is_first = keys_has_name(&objects[i]) && keys_take(&table, objects[i].name);
    objects[i].key = is_first ? objects[i].name : NULL;
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (objects[i].key == NULL) objects[i].key = keys_make(job, &table, &objects[i], kind);
  }
}
