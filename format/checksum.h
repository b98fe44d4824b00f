/// checksum.h: XXH3_64 from xxHash, inlined. The only file that includes xxHash.
///
/// A hash finds accidents, not attacks; it never replaces a check (SPEC.md, "Hashes").
#ifndef MPAK_CHECKSUM_H
#define MPAK_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/// XXH3_64 with seed 0 of byte_count bytes.
static inline uint64_t checksum_of(const void *bytes, size_t byte_count) { return XXH3_64bits(bytes, byte_count); }

#endif
