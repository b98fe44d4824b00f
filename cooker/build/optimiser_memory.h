/// optimiser_memory.h: memory of the mesh optimiser, out of the job.
#ifndef COOK_OPTIMISER_MEMORY_H
#define COOK_OPTIMISER_MEMORY_H

#include "cooker/base/job.h"

/// Until optimiser_end, calls of the optimiser in this thread take from byte_count bytes of the job. The caller
/// releases them with a mark.
void optimiser_begin(cook_job *job, uint64_t byte_count);
void optimiser_end(void);

#endif
