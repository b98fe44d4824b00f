/// io.h: every file operation of the cooker. One table, so that tests can count, fail or kill any call.
#ifndef COOK_IO_H
#define COOK_IO_H

#include <stdbool.h>
#include <stdint.h>

#include "cooker/base/job.h"

typedef enum cook_io_call { IO_OPEN, IO_READ, IO_WRITE, IO_FSYNC, IO_CLOSE, IO_RENAME, IO_UNLINK, IO_FSYNC_FOLDER, IO_SCAN_FOLDER } cook_io_call;

/// Called before (after = false) and after each operation. A return other than 0 before an operation makes it fail with
/// that errno without being carried out; for IO_WRITE, -n makes it write only n bytes. NULL: nothing is hooked.
typedef int (*cook_io_hook)(void *user, cook_io_call call, bool after, const char *path);
void io_set_hook(cook_io_hook hook, void *user);

/// Reads a whole file into the job's arena (one zero byte follows). Fails the job with F001 (cannot be opened), F002
/// (a directory), F003 (cannot be read) or F004 (larger than the limit).
uint8_t *io_read_file(cook_job *job, const char *path, uint64_t *byte_count);

/// Replaces path by byte_count bytes, all or nothing: a temporary file of a unique name in the same folder, write,
/// fsync, rename, fsync of the folder. When the file already holds these bytes it is left alone, its time too.
/// Leftovers of killed runs for the same path are removed. Fails the job with an O issue (exit 3) and leaves the old file.
void io_replace_file(cook_job *job, const char *path, const void *bytes, uint64_t byte_count);

/// Can path be written? Checked before any work; fails the job with an O issue (exit 3).
void io_check_output(cook_job *job, const char *path);

#endif
