/// measure.h: the proof of a cook: its finished bytes are opened and decoded like a game would, and compared with what
/// was cooked.
#ifndef COOK_PACK_MEASURE_H
#define COOK_PACK_MEASURE_H

#include "cooker/pack/tables.h"

/// Fills the records of ERRS in the pack (and its hashes) and returns the largest error of positions
/// and position deltas in metres. Fails the
/// job with C051 when the pack cannot be opened, a chunk does not decode, or a stream is not the same bit by bit.
float pack_measure(pack_tables *tables, uint8_t *bytes, uint64_t byte_count);

#endif
