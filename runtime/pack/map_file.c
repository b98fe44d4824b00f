// map_file.c: a file as memory. The only runtime file that includes headers of the operating system.
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/mpak.h"

/// Maps an opened file; byte_count 0 is not mapped, which mpak_open then refuses as no pack.
static mpak_result map_opened_file(int file, mpak_mapping *mapping) {
  static const uint8_t empty[64] __attribute__((aligned(64))) = {0};
  struct stat facts;
  if (fstat(file, &facts) != 0) return MPAK_ERROR_FILE;
  if (!S_ISREG(facts.st_mode)) {
    errno = S_ISDIR(facts.st_mode) ? EISDIR : EINVAL;
    return MPAK_ERROR_FILE;
  }
  if ((uint64_t)facts.st_size > SIZE_MAX) {
    errno = EFBIG;
    return MPAK_ERROR_FILE;
  }
  if (facts.st_size == 0) {
    mapping->bytes = empty;
    return MPAK_OK;
  }
  void *bytes = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  if (bytes == MAP_FAILED) return MPAK_ERROR_FILE;
  *mapping = (mpak_mapping){bytes, (uint64_t)facts.st_size};
  return MPAK_OK;
}

mpak_result mpak_map_file(const char *path, mpak_mapping *mapping) {
  *mapping = (mpak_mapping){NULL, 0};
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return MPAK_ERROR_FILE;
  mpak_result result = map_opened_file(file, mapping);
  int error = errno;
  close(file);
  errno = error;
  return result;
}

void mpak_unmap_file(mpak_mapping *mapping) {
  if (mapping->byte_count > 0) munmap((void *)mapping->bytes, (size_t)mapping->byte_count);
  *mapping = (mpak_mapping){NULL, 0};
}
