/// zeros.h: copying onto memory that is all zeros, such as job_alloc gives.
#ifndef COOK_ZEROS_H
#define COOK_ZEROS_H

#include <stddef.h>

/// Copies byte_count bytes from `from` to `to`, which holds nothing but zeros; they do not overlap. Where the source is
/// zeros nothing is written, so the kernel gives no memory for what was never touched: copies of sparse deltas stay
/// small. Any thread; no alignment needed.
void zeros_copy(void *to, const void *from, size_t byte_count);

#endif
