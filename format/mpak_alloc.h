/// mpak_alloc.h: the caller's memory. Every allocation of mpak goes through one of these.
#ifndef MPAK_ALLOC_H
#define MPAK_ALLOC_H

#include <stddef.h>

/// Two functions and a pointer of the caller's. Either function may be called from any thread that calls mpak.
typedef struct mpak_allocator {
  /// byte_count bytes, 16-byte aligned, or null. byte_count is never 0.
  void *(*allocate)(void *user, size_t byte_count);
  /// Gives back what allocate returned; byte_count is the size that was asked for. pointer is never null.
  void (*release)(void *user, void *pointer, size_t byte_count);
  void *user;
} mpak_allocator;

#endif
