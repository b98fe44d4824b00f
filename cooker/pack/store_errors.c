// store_errors.c: measured errors are known only when the pack is finished; they go into room that was kept for them.
#include <string.h>

#include "cooker/pack/pack.h"
#include "format/checksum.h"

static void store_records(mpak_measured_error *kept, uint32_t kept_count, const mpak_measured_error *errors,
                          uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t k = 0; k < kept_count; ++k) {
      if (kept[k].part == errors[i].part && kept[k].stream == errors[i].stream) kept[k] = errors[i];
    }
  }
}

void pack_store_errors(uint8_t *bytes, const mpak_measured_error *errors, uint32_t count) {
  const mpak_header *header = (const mpak_header *)(const void *)bytes; // 64-byte aligned, as pack_write made it
  for (uint32_t i = 0; i < header->chunk_count; ++i) {
    uint8_t *at = bytes + header->table_offset + (uint64_t)i * sizeof(mpak_chunk_entry);
    mpak_chunk_entry entry;
    memcpy(&entry, at, sizeof entry);
    if (entry.kind != MPAK_KIND_ERRS) continue;
    store_records((mpak_measured_error *)(void *)(bytes + entry.offset), entry.count, errors, count);
    entry.hash_stored = checksum_of(bytes + entry.offset, (size_t)entry.stored_bytes);
    entry.hash_decoded = (uint32_t)entry.hash_stored;
    memcpy(at, &entry, sizeof entry);
  }
  pack_rehash(bytes);
}
