#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cooker/base/io.h"
#include "cooker/import/assimp_private.h"

/// An open file: Assimp's struct first, so that a pointer to one is a pointer to the other.
typedef struct open_file {
  struct aiFile file;
  const uint8_t *bytes;
  uint64_t byte_count;
  uint64_t at;
} open_file;

// -- Reading what is in memory ----------------------------------------------------------------------------------------

static size_t file_read(struct aiFile *file, char *to, size_t size, size_t count) {
  open_file *open = (open_file *)(void *)file;
  if (size == 0) return 0;
  const uint64_t available = (open->byte_count - open->at) / size;
  if (count > available) count = (size_t)available;
  memcpy(to, open->bytes + open->at, size * count);
  open->at += size * count;
  return count;
}

static size_t file_write(struct aiFile *file, const char *from, size_t size, size_t count) {
  (void)file, (void)from, (void)size, (void)count;
  return 0;
}

static size_t file_tell(struct aiFile *file) { return (size_t)((open_file *)(void *)file)->at; }
static size_t file_size(struct aiFile *file) { return (size_t)((open_file *)(void *)file)->byte_count; }

static enum aiReturn file_seek(struct aiFile *file, size_t offset, enum aiOrigin origin) {
  open_file *open = (open_file *)(void *)file;
  const uint64_t base = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? open->at : open->byte_count;
  const uint64_t at = base + offset; // a negative step arrives as a huge number and wraps back
  if (at > open->byte_count) return aiReturn_FAILURE;
  open->at = at;
  return aiReturn_SUCCESS;
}

static void file_flush(struct aiFile *file) { (void)file; }

// -- Names ------------------------------------------------------------------------------------------------------------

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// "my%20file.bin" is "my file.bin". A zero byte stays as it is written.
static char *percent_decode(cook_job *job, const char *name) {
  char *decoded = job_copy(job, name, strlen(name));
  char *to = decoded;
  for (const char *from = name; *from != 0; to++) {
    const int high = *from == '%' ? hex_digit(from[1]) : -1;
    const int low = high >= 0 ? hex_digit(from[2]) : -1;
    const bool is_escape = low >= 0 && (high | low) != 0;
    *to = is_escape ? (char)(high * 16 + low) : *from;
    from += is_escape ? 3 : 1;
  }
  *to = 0;
  return decoded;
}

/// A name without "./" in front. Assimp puts folder and name together by itself, sometimes with a slash too many.
static const char *plain_name(const char *name) {
  while (name[0] == '.' && (name[1] == '/' || name[1] == '\\')) name += 2 + strspn(name + 2, "/\\");
  return name;
}

/// Does a name stay in the folder: relative, without "..", no drive, no scheme?
static bool stays_inside(const char *name) {
  if (name[0] == '/' || strchr(name, ':') != NULL) return false;
  for (const char *part = name; part != NULL; part = strchr(part, '/')) {
    if (*part == '/') part++;
    if (part[0] == '.' && part[1] == '.' && (part[2] == '/' || part[2] == 0)) return false;
  }
  return true;
}

// -- Opening ----------------------------------------------------------------------------------------------------------

/// One request, as a step that may leave the job.
typedef struct open_request {
  assimp_files *files;
  const char *name;
  open_file *opened;
} open_request;

static const assimp_file *known_file(const assimp_files *files, const char *name) {
  for (uint32_t i = 0; i < files->file_count; i++)
    if (strcmp(files->files[i].name, name) == 0) return &files->files[i];
  return NULL;
}

static bool is_file(const char *path) { return access(path, F_OK) == 0; }

/// The path of a name in the folder, percent escapes tried last. NULL when there is no such file.
static const char *find_path(assimp_files *files, const char *name) {
  char *plain = job_copy(files->job, name, strlen(name));
  for (char *c = plain; *c != 0; c++)
    if (*c == '\\') *c = '/';
  const char *tries[2] = {plain, percent_decode(files->job, plain)};
  for (int i = 0; i < 2; i++) {
    if (!stays_inside(tries[i])) {
      if (files->refused == NULL) files->refused = plain;
      return NULL;
    }
    const char *path = job_format(files->job, "%s%s", files->folder, tries[i]);
    if (is_file(path)) return path;
  }
  return NULL;
}

static const assimp_file *add_file(assimp_files *files, const char *name) {
  if (files->file_count == ASSIMP_FILES_MAX) return NULL;
  const char *path = find_path(files, name);
  if (path == NULL) return NULL;
  assimp_file *added = &files->files[files->file_count];
  added->bytes = io_read_file(files->job, path, &added->byte_count);
  added->path = path;
  assimp_show_format(files->job, added);
  added->name = job_copy(files->job, name, strlen(name));
  files->file_count++;
  return added;
}

static void open_step(cook_job *job, void *user) {
  open_request *request = user;
  const char *name = plain_name(request->name);
  const assimp_file *file = known_file(request->files, name);
  if (file == NULL) file = add_file(request->files, name);
  if (file == NULL) return;
  open_file *opened = JOB_ARRAY(job, open_file, 1);
  *opened = (open_file){{file_read, file_write, file_tell, file_size, file_seek, file_flush, NULL},
                        file->shown_bytes,
                        file->shown_byte_count,
                        0};
  request->opened = opened;
}

static struct aiFile *files_open(struct aiFileIO *io, const char *name, const char *mode) {
  if (name == NULL || mode == NULL || strpbrk(mode, "wa+") != NULL) return NULL;
  open_request request = {.files = (assimp_files *)(void *)io->UserData, .name = name};
  if (!job_run(request.files->job, open_step, &request)) return NULL; // reported; nothing may unwind through Assimp
  return request.opened == NULL ? NULL : &request.opened->file;
}

/// All memory is the job's.
static void files_close(struct aiFileIO *io, struct aiFile *file) { (void)io, (void)file; }

// -- Begin ------------------------------------------------------------------------------------------------------------

/// The suffix by which Assimp knows this kind; NULL: the file's own.
static const char *suffix_of_kind(sniff_kind kind) {
  switch (kind) {
  case SNIFF_GLTF_JSON: return "gltf";
  case SNIFF_GLTF_BINARY: return "glb";
  case SNIFF_FBX_BINARY:
  case SNIFF_FBX_TEXT: return "fbx";
  default: return NULL;
  }
}

void assimp_files_begin(assimp_files *files, cook_job *job, const char *path, const uint8_t *bytes, uint64_t byte_count,
                        sniff_kind kind) {
  *files = (assimp_files){.io = {files_open, files_close, (char *)files}, .job = job};
  const char *slash = strrchr(path, '/');
  const char *base = slash == NULL ? path : slash + 1;
  files->folder = job_copy(job, path, (uint64_t)(base - path));
  const char *suffix = suffix_of_kind(kind);
  const bool has_suffix = suffix == NULL || strcmp(sniff_suffix(job, path), suffix) == 0;
  const char *name = has_suffix ? base : job_format(job, "%s.%s", base, suffix);
  files->files[0] = (assimp_file){name, path, bytes, byte_count, NULL, 0};
  assimp_show_format(job, &files->files[0]);
  files->source_name = job_format(job, "./%s", name); // names made from it stay relative
  files->file_count = 1;
}

void assimp_files_show(assimp_files *files, const uint8_t *bytes, uint64_t byte_count) {
  files->files[0].shown_bytes = bytes;
  files->files[0].shown_byte_count = byte_count;
}
