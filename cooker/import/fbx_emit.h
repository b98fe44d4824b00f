/// fbx_emit.h: a record tree as a binary FBX file, for Assimp to read in place of the original.
///
/// What came from a binary file goes back as it was, value for value and still packed. A text file does not say how
/// its numbers are stored; they get the types that readers of binary files ask for: whole numbers where indices, ids,
/// times and switches stand, doubles elsewhere.
#ifndef COOK_FBX_EMIT_H
#define COOK_FBX_EMIT_H

#include "cooker/import/fbx_records.h"

/// The file's bytes; *byte_count of them. Headers are 64 bits wide from version 7500 on. Records that no longer hang in
/// the tree are left out. Fails the job with F009 when an array of a text file does not hold what it promises, or when
/// the result is too large for its headers.
uint8_t *fbx_emit(const fbx_records *records, uint64_t *byte_count);

#endif
