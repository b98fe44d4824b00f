/// sandbox.h: what the importer's process may not do. The only file that includes libseccomp.
///
/// The importer reads files that anyone may have made, with a library that has crashed on such files before. So its
/// process is cut off first: no network, no new program, no new process, nothing opened for writing, no file renamed or
/// removed. Reading files and writing to descriptors that are open already stay allowed.
#ifndef COOK_SANDBOX_H
#define COOK_SANDBOX_H

#include <stdbool.h>

/// What a blocked process writes to standard error before it ends; the number of the system call follows.
#define SANDBOX_BLOCKED_TEXT "mpak: blocked system call "

/// The exit code of a process that tried something forbidden.
#define SANDBOX_BLOCKED_EXIT 86

/// Closes this process in, for ever. A forbidden call from then on says so on standard error and ends the process with
/// SANDBOX_BLOCKED_EXIT. Returns false where the kernel refuses such filters: the process is then as free as before.
bool sandbox_enter(void);

/// The name of a system call ("socket"), allotted with malloc; NULL when it has none.
char *sandbox_call_name(int number);

#endif
