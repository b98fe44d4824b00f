/// name_match.h: which node of one scene is which node of another, and which control which, by their names. The cooker
/// adds clips of other files by this rule, the runtime plays clip packs by it (SPEC.md, "Clip packs").
#ifndef MPAK_NAME_MATCH_H
#define MPAK_NAME_MATCH_H

#include <stdint.h>

#include "format/mpak_format.h"

#define NAME_MATCH_NONE      MPAK_NONE   ///< the other side has nothing of this name
#define NAME_MATCH_AMBIGUOUS 0xFFFFFFFEu ///< it has several, and no path tells which is meant

/// Named objects of one side.
typedef struct name_match_side {
  uint32_t count;
  const void *user;
  const char *(*name)(const void *user, uint32_t i); ///< never null; "" is no name
  uint32_t (*parent)(const void *user, uint32_t i);  ///< MPAK_NONE for a root; no cycle. NULL: a list without parents
} name_match_side;

/// Words of work space that the functions below need; below 2^64 for any counts.
uint64_t name_match_scratch_words(uint32_t from_count, uint32_t to_count);

/// Nodes. A name that occurs once on either side matches; others match where the path from the root (all names on the
/// way) occurs once on either side. No two nodes get the same counterpart.
///
/// scratch     name_match_scratch_words
/// to_of_from  from->count results: a number of the other side, NAME_MATCH_NONE or NAME_MATCH_AMBIGUOUS
void name_match_nodes(const name_match_side *from, const name_match_side *to, uint32_t *scratch, uint32_t *to_of_from);

/// Controls. The first of a name matches the first of that name, the second the second and so on; those without a name
/// match the one without a name that has the same number. This is what equal keys say. Never NAME_MATCH_AMBIGUOUS.
void name_match_list(const name_match_side *from, const name_match_side *to, uint32_t *scratch, uint32_t *to_of_from);

#endif
