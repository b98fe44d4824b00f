#include "cooker/base/io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// -- Hooked system calls ---------------------------------------------------------------------------------------------

static cook_io_hook io_hook;
static void *io_hook_user;

void io_set_hook(cook_io_hook hook, void *user) {
  io_hook = hook;
  io_hook_user = user;
}

/// 0 when the call may be made; -1 with errno set when the hook lets it fail.
static int io_before(cook_io_call call, const char *path) {
  if (io_hook == NULL) return 0;
  const int verdict = io_hook(io_hook_user, call, false, path);
  if (verdict <= 0) return 0;
  errno = verdict;
  return -1;
}

static void io_after(cook_io_call call, const char *path) {
  const int kept = errno;
  if (io_hook != NULL) io_hook(io_hook_user, call, true, path);
  errno = kept;
}

#define IO_CALL(call, path, expression)                                                                                \
  do {                                                                                                                 \
    if (io_before(call, path) != 0) return -1;                                                                         \
    do result = (expression);                                                                                          \
    while (result < 0 && errno == EINTR);                                                                              \
    io_after(call, path);                                                                                              \
    return result;                                                                                                     \
  } while (0)

static int io_open(const char *path, int flags, mode_t mode) {
  int result;
  IO_CALL(IO_OPEN, path, open(path, flags | O_CLOEXEC, mode));
}

static int io_stat(int fd, const char *path, struct stat *status) {
  int result;
  IO_CALL(IO_STAT, path, fstat(fd, status));
}

static ssize_t io_read(int fd, const char *path, void *bytes, size_t byte_count) {
  ssize_t result;
  IO_CALL(IO_READ, path, read(fd, bytes, byte_count));
}

static ssize_t io_write(int fd, const char *path, const void *bytes, size_t byte_count) {
  if (io_hook != NULL) {
    const int verdict = io_hook(io_hook_user, IO_WRITE, false, path);
    if (verdict > 0) {
      errno = verdict;
      return -1;
    }
    if (verdict < 0 && byte_count > (size_t)-verdict) byte_count = (size_t)-verdict;
  }
  ssize_t result;
  do result = write(fd, bytes, byte_count);
  while (result < 0 && errno == EINTR);
  io_after(IO_WRITE, path);
  return result;
}

static int io_fsync(int fd, const char *path) {
  int result;
  IO_CALL(IO_FSYNC, path, fsync(fd));
}

/// close is not repeated after EINTR: the descriptor is gone either way.
static int io_close(int fd, const char *path) {
  const int refused = io_before(IO_CLOSE, path);
  const int kept = errno;
  const int result = close(fd);
  io_after(IO_CLOSE, path);
  if (refused == 0) return result;
  errno = kept;
  return -1;
}

static int io_rename(const char *from, const char *to) {
  int result;
  IO_CALL(IO_RENAME, to, rename(from, to));
}

static int io_unlink(const char *path) {
  int result;
  IO_CALL(IO_UNLINK, path, unlink(path));
}

// -- Reading ---------------------------------------------------------------------------------------------------------

/// A descriptor that is closed when the job ends or the reading is done.
static void io_close_deferred(void *user) { close(*(int *)user); }

_Noreturn static void io_fail_reading(cook_job *job, mpak_issue_id id, const char *path, const char *value) {
  cook_where where = COOK_WHERE;
  where.stream = strcmp(path, job_file(job)) == 0 ? NULL : path; // not twice in one message
  where.value = value;
  job_fail(job, id, where);
}

static uint64_t io_size_to_read(cook_job *job, int fd, const char *path) {
  struct stat status;
  if (io_stat(fd, path, &status) != 0) io_fail_reading(job, MPAK_F001, path, strerror(errno));
  if (!S_ISREG(status.st_mode))
    io_fail_reading(job, MPAK_F002, path, S_ISDIR(status.st_mode) ? "a folder" : "a device or a pipe");
  if ((uint64_t)status.st_size > job_limits(job)->file_bytes)
    io_fail_reading(job, MPAK_F003, path, job_format(job, "%lld bytes", (long long)status.st_size));
  return (uint64_t)status.st_size;
}

uint8_t *io_read_file(cook_job *job, const char *path, uint64_t *byte_count) {
  int *fd = JOB_ARRAY(job, int, 1);
  *fd = io_open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
  if (*fd < 0) io_fail_reading(job, MPAK_F001, path, strerror(errno));
  job_defer(job, io_close_deferred, fd);
  const uint64_t size = io_size_to_read(job, *fd, path);
  uint8_t *bytes = job_alloc(job, size + 1, 1);
  uint64_t filled = 0;
  while (filled < size) {
    const ssize_t got = io_read(*fd, path, bytes + filled, (size_t)(size - filled));
    if (got < 0) io_fail_reading(job, MPAK_F001, path, strerror(errno));
    if (got == 0) break; // it became shorter while it was read; what is there is what counts
    filled += (uint64_t)got;
  }
  job_undefer(job, io_close_deferred, fd);
  *byte_count = filled;
  return bytes;
}

// -- Replacing -------------------------------------------------------------------------------------------------------

#define TEMPORARY_MARK ".mpak-tmp-"
#define WRITE_BYTES    ((uint64_t)1 << 16)

/// The temporary file under way, for the signal handler. One at a time in a process.
static char temporary_path[PATH_MAX];
static volatile sig_atomic_t temporary_exists;

void io_cleanup_temporary(void) {
  if (temporary_exists) unlink(temporary_path);
  temporary_exists = 0;
}

/// A replacement in progress.
typedef struct io_replacement {
  cook_job *job;
  char *path;   ///< links resolved
  char *folder; ///< of path
  const char *name;
  int fd;
} io_replacement;

/// Undoes a replacement that did not come to its end.
static void io_abandon(void *user) {
  io_replacement *to = user;
  if (to->fd >= 0) close(to->fd);
  to->fd = -1;
  io_cleanup_temporary();
}

_Noreturn static void io_fail_writing(io_replacement *to, mpak_issue_id id, int error) {
  cook_where where = COOK_WHERE;
  where.stream = to->path;
  where.value = strerror(error);
  job_fail(to->job, id, where);
}

/// Where the path points to; the path itself when nothing is there yet.
static char *io_resolve(cook_job *job, const char *path) {
  char resolved[PATH_MAX];
  if (realpath(path, resolved) != NULL) return job_copy(job, resolved, strlen(resolved));
  return job_copy(job, path, strlen(path));
}

static void io_replacement_begin(io_replacement *to, cook_job *job, const char *path) {
  *to = (io_replacement){.job = job, .fd = -1};
  to->path = io_resolve(job, path);
  const char *slash = strrchr(to->path, '/');
  if (slash == NULL)
    to->folder = job_copy(job, ".", 1);
  else
    to->folder = job_copy(job, to->path, slash == to->path ? 1 : (uint64_t)(slash - to->path));
  to->name = slash == NULL ? to->path : slash + 1;
}

/// Is this folder entry a leftover of a killed run for the same output? Its name is ".NAME.mpak-tmp-PID-NUMBER".
static bool io_is_leftover(const char *entry, const char *name) {
  const size_t length = strlen(name);
  if (entry[0] != '.' || strncmp(entry + 1, name, length) != 0) return false;
  const char *mark = entry + 1 + length;
  if (strncmp(mark, TEMPORARY_MARK, strlen(TEMPORARY_MARK)) != 0) return false;
  char *end = NULL;
  const long pid = strtol(mark + strlen(TEMPORARY_MARK), &end, 10);
  if (end == NULL || *end != '-' || pid <= 0) return false;
  return pid != getpid() && kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

/// Leftovers belong to processes that are gone. A folder that cannot be listed is no reason to fail.
static void io_remove_leftovers(io_replacement *to) {
  if (io_before(IO_OPEN_FOLDER, to->folder) != 0) return;
  DIR *folder = opendir(to->folder);
  io_after(IO_OPEN_FOLDER, to->folder);
  if (folder == NULL) return;
  char path[PATH_MAX];
  for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    if (!io_is_leftover(entry->d_name, to->name)) continue;
    const int length = snprintf(path, sizeof path, "%s/%s", to->folder, entry->d_name);
    if (length > 0 && (size_t)length < sizeof path) io_unlink(path);
  }
  closedir(folder);
}

/// A new file of a unique name beside the output.
static void io_create_temporary(io_replacement *to) {
  for (int number = 0; number < 1000; number++) {
    const int length = snprintf(temporary_path, sizeof temporary_path, "%s/.%s" TEMPORARY_MARK "%ld-%d", to->folder,
                                to->name, (long)getpid(), number);
    if (length < 0 || (size_t)length >= sizeof temporary_path) io_fail_writing(to, MPAK_O001, ENAMETOOLONG);
    to->fd = io_open(temporary_path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (to->fd >= 0) break;
    if (errno != EEXIST) io_fail_writing(to, MPAK_O001, errno);
  }
  if (to->fd < 0) io_fail_writing(to, MPAK_O001, EEXIST);
  temporary_exists = 1;
}

static void io_write_all(io_replacement *to, const uint8_t *bytes, uint64_t byte_count) {
  uint64_t written = 0;
  while (written < byte_count) {
    const uint64_t rest = byte_count - written;
    const ssize_t got =
        io_write(to->fd, temporary_path, bytes + written, (size_t)(rest < WRITE_BYTES ? rest : WRITE_BYTES));
    if (got < 0) io_fail_writing(to, MPAK_O002, errno);
    written += (uint64_t)got;
  }
  if (io_fsync(to->fd, temporary_path) != 0) io_fail_writing(to, MPAK_O002, errno);
  const int fd = to->fd;
  to->fd = -1;
  if (io_close(fd, temporary_path) != 0) io_fail_writing(to, MPAK_O002, errno);
}

/// Makes the rename last. The new file is in place already, so a failure is a warning; some file systems refuse fsync
/// of a folder (EINVAL) and give what they can.
static void io_sync_folder(io_replacement *to) {
  const int fd = io_open(to->folder, O_RDONLY | O_DIRECTORY, 0);
  if (fd < 0) return;
  const int result = io_fsync(fd, to->folder);
  const int error = errno;
  io_close(fd, to->folder);
  if (result == 0 || error == EINVAL) return;
  cook_where where = COOK_WHERE;
  where.stream = to->path;
  where.value = strerror(error);
  job_issue(to->job, MPAK_O003, where);
}

/// Does the file already hold these bytes?
static bool io_holds(const char *path, const uint8_t *bytes, uint64_t byte_count) {
  const int fd = io_open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
  if (fd < 0) return false;
  struct stat status;
  bool equal = io_stat(fd, path, &status) == 0 && S_ISREG(status.st_mode) && (uint64_t)status.st_size == byte_count;
  uint8_t piece[4096];
  uint64_t compared = 0;
  while (equal && compared < byte_count) {
    const ssize_t got = io_read(fd, path, piece, sizeof piece);
    equal = got > 0 && (uint64_t)got <= byte_count - compared && memcmp(piece, bytes + compared, (size_t)got) == 0;
    if (equal) compared += (uint64_t)got;
  }
  io_close(fd, path);
  return equal;
}

bool io_replace_file(cook_job *job, const char *path, const void *bytes, uint64_t byte_count) {
  io_replacement *to = JOB_ARRAY(job, io_replacement, 1);
  io_replacement_begin(to, job, path);
  io_remove_leftovers(to);
  if (io_holds(to->path, bytes, byte_count)) return false;
  job_defer(job, io_abandon, to);
  io_create_temporary(to);
  io_write_all(to, bytes, byte_count);
  if (io_rename(temporary_path, to->path) != 0) io_fail_writing(to, MPAK_O002, errno);
  temporary_exists = 0;
  io_sync_folder(to);
  job_undefer(job, io_abandon, to);
  return true;
}

void io_check_output(cook_job *job, const char *path) {
  io_replacement to;
  io_replacement_begin(&to, job, path);
  struct stat status;
  if (stat(to.path, &status) == 0 && !S_ISREG(status.st_mode))
    io_fail_writing(&to, MPAK_O001, S_ISDIR(status.st_mode) ? EISDIR : ENOTSUP);
  if (stat(to.folder, &status) != 0) io_fail_writing(&to, MPAK_O001, errno);
  if (!S_ISDIR(status.st_mode)) io_fail_writing(&to, MPAK_O001, ENOTDIR);
  if (access(to.folder, W_OK | X_OK) != 0) io_fail_writing(&to, MPAK_O001, errno);
}
