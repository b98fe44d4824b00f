#include "tests/support/mt_cook.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *mt_path(const char *below_root) {
  static char paths[4][4096];
  static int next;
  const char *root = getenv("MPAK_ROOT");
  next = (next + 1) % 4;
  snprintf(paths[next], sizeof paths[next], "%s/%s", root != NULL ? root : ".", below_root);
  return paths[next];
}

static void *mt_allocate(void *user, size_t byte_count) {
  mt_memory *memory = user;
  memory->calls++;
  if (memory->refuse_at != 0 &&
      (memory->refuse_on ? memory->calls >= memory->refuse_at : memory->calls == memory->refuse_at))
    return NULL;
  void *bytes = malloc(byte_count);
  if (bytes != NULL) memory->held++;
  return bytes;
}

static void mt_release(void *user, void *pointer, size_t byte_count) {
  (void)byte_count;
  ((mt_memory *)user)->held--;
  free(pointer);
}

mpak_allocator mt_allocator(mt_memory *memory) { return (mpak_allocator){mt_allocate, mt_release, memory}; }

static char scratch_path[256];
static pid_t scratch_owner;

static void mt_remove_scratch(void) {
  if (getpid() != scratch_owner) return;
  DIR *folder = opendir(scratch_path);
  if (folder == NULL) return;
  char path[1024];
  for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    snprintf(path, sizeof path, "%s/%s", scratch_path, entry->d_name);
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) unlink(path);
  }
  closedir(folder);
  rmdir(scratch_path);
}

const char *mt_scratch(void) {
  if (scratch_path[0] != 0) return scratch_path;
  const char *base = getenv("TMPDIR");
  snprintf(scratch_path, sizeof scratch_path, "%s/mpak-unit-XXXXXX", base != NULL ? base : "/tmp");
  if (mkdtemp(scratch_path) == NULL) abort();
  scratch_owner = getpid();
  atexit(mt_remove_scratch);
  return scratch_path;
}

typedef struct mt_cook_step {
  const char *path;
  const cook_options *options;
  cook_product *product;
} mt_cook_step;

static void mt_run_cook(cook_job *job, void *user) {
  const mt_cook_step *step = user;
  cook_file(job, step->path, step->options, step->product);
}

int mt_cook_file(cook_job *job, const char *path, const cook_options *options, cook_product *product) {
  cook_options here = *options;
  here.in_process = true;
  mt_cook_step step = {path, &here, product};
  const bool returned = job_run(job, mt_run_cook, &step);
  return returned ? 0 : job_exit_code(job);
}

uint8_t *mt_read(const char *path, uint64_t *byte_count) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return NULL;
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  uint8_t *bytes = malloc(size > 0 ? (size_t)size : 1);
  if (bytes == NULL || fread(bytes, 1, (size_t)size, file) != (size_t)size) abort();
  fclose(file);
  *byte_count = (uint64_t)size;
  return bytes;
}

bool mt_write(const char *path, const void *bytes, uint64_t byte_count) {
  FILE *file = fopen(path, "wb");
  if (file == NULL) return false;
  const bool written = fwrite(bytes, 1, (size_t)byte_count, file) == byte_count;
  return fclose(file) == 0 && written;
}
