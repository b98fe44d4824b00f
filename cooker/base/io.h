/// io.h: every file operation of the cooker. One table, so that tests can count, fail or kill any call.
#ifndef COOK_IO_H
#define COOK_IO_H

#include <stdbool.h>
#include <stdint.h>

#include "cooker/base/job.h"

typedef enum cook_io_call {
  IO_OPEN,
  IO_STAT,
  IO_READ,
  IO_WRITE,
  IO_FSYNC,
  IO_CLOSE,
  IO_RENAME,
  IO_UNLINK,
  IO_OPEN_FOLDER,
  IO_READ_FOLDER,
  IO_CALL_COUNT
} cook_io_call;

/// Called before (after = false) and after each operation. What it returns before an operation decides: 0 carries it
/// out, a positive errno makes it fail without being carried out, and for IO_WRITE a negative -n writes at most n
/// bytes.
typedef int (*cook_io_hook)(void *user, cook_io_call call, bool after, const char *path);

/// Sets the hook of this process; NULL removes it. For tests.
void io_set_hook(cook_io_hook hook, void *user);

/// Reads a whole file into the job's arena (one zero byte follows). Fails the job with F001 (cannot be opened or read),
/// F002 (not a regular file) or F003 (larger than the limit).
uint8_t *io_read_file(cook_job *job, const char *path, uint64_t *byte_count);

/// Replaces path by byte_count bytes, all or nothing: a temporary file of a unique name in the same folder, write,
/// fsync, rename, fsync of the folder. When the file already holds these bytes it is left alone, its time too.
/// Leftovers of killed runs for the same path are removed. Fails the job with O001 or O002 (exit 3) and leaves the old
/// file. A path that is a symbolic link is replaced where it points to. Returns false when the file was left alone.
bool io_replace_file(cook_job *job, const char *path, const void *bytes, uint64_t byte_count);

/// Can path be written? Checked before any work; fails the job with O001 (exit 3). Creates nothing.
void io_check_output(cook_job *job, const char *path);

/// Removes the temporary file of a replacement under way, if any. Safe to call in a signal handler.
void io_cleanup_temporary(void);

#endif
