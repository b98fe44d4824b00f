/// mt_cook.h: test support: paths of the project, memory that fails on demand, cooking in this process.
#ifndef MT_COOK_H
#define MT_COOK_H

#include "cooker/cook.h"

/// A path below the project's root (MPAK_ROOT, default "."). The text stays until four more calls.
const char *mt_path(const char *below_root);

/// An allocator over malloc that counts, and refuses call number refuse_at (once) or every call from there on.
typedef struct mt_memory {
  uint64_t calls;
  uint64_t refuse_at; ///< 1 is the first call; 0: never
  bool refuse_on;     ///< keeps refusing after that
  int64_t held;       ///< allocations not given back
} mt_memory;
mpak_allocator mt_allocator(mt_memory *memory);

/// A scratch folder of this process, made on the first call and removed at exit with the files in it.
const char *mt_scratch(void);

/// Cooks a file in this process. Returns the job's exit code; job must be ended by the caller, product lives in it.
int mt_cook_file(cook_job *job, const char *path, const cook_options *options, cook_product *product);

/// The whole of a file in malloc'ed memory, or NULL.
uint8_t *mt_read(const char *path, uint64_t *byte_count);
/// Writes a file without any care. Returns whether it worked.
bool mt_write(const char *path, const void *bytes, uint64_t byte_count);

#endif
