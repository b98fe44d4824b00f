/// wrap.h: wraps a finished pack (SPEC.md, section 14), as `--compress size` ships it.
#ifndef COOK_PACK_WRAP_H
#define COOK_PACK_WRAP_H

#include "cooker/pack/pack.h"

/// A wrapped pack is no file to map: a reader needs memory for all of the pack, and a copy. Less than one part in so
/// many of the pack is not worth that.
#define WRAP_LEAST_SAVING 32u

/// What goes into the file: the pack wrapped, where that saves 1 / WRAP_LEAST_SAVING of it; else the pack itself. The
/// same bytes for the same pack. The result is expanded again and compared; C051 when it is not the same.
///
/// bytes  a finished pack of *byte_count bytes, 64-byte aligned; *byte_count receives the bytes of the result
const uint8_t *pack_wrap(cook_job *job, const uint8_t *bytes, uint64_t *byte_count);

#endif
