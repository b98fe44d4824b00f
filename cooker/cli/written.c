// written.c: see written.h.
#include "cooker/cli/written.h"

#include <string.h>
#include <sys/stat.h>

#include "cooker/cli/console.h"
#include "cooker/cli/pack_file.h"

const char *written_with_suffix(cook_job *job, const char *path, const char *suffix) {
  const char *slash = strrchr(path, '/');
  const char *name = slash != NULL ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  const size_t length = dot != NULL && dot != name ? (size_t)(dot - path) : strlen(path);
  return job_format(job, "%s%s", (char *)job_copy(job, path, length), suffix);
}

/// What tells files apart: where they lie, or, before they exist, their folder and their name in it.
typedef struct written_identity {
  bool has_place;
  dev_t device;
  ino_t inode;
  const char *name; ///< "" for a file that exists; the whole path where not even the folder does
} written_identity;

static bool written_place(const char *path, written_identity *identity) {
  struct stat status;
  if (stat(path, &status) != 0) return false;
  *identity = (written_identity){true, status.st_dev, status.st_ino, ""};
  return true;
}

static written_identity written_identify(cook_job *job, const char *path) {
  written_identity identity = {.name = path};
  if (written_place(path, &identity)) return identity;
  const char *slash = strrchr(path, '/');
  const char *folder = slash == NULL ? "." : job_copy(job, path, (size_t)(slash - path) + 1);
  if (written_place(folder, &identity)) identity.name = slash == NULL ? path : slash + 1;
  return identity;
}

static bool written_is_same(const written_identity *a, const written_identity *b) {
  const bool is_place_same = a->has_place == b->has_place && a->device == b->device && a->inode == b->inode;
  return is_place_same && strcmp(a->name, b->name) == 0;
}

/// Standard output is one file, too: "-" is the same as "-" and nothing else.
static written_identity written_identify_output(cook_job *job, const char *path) {
  if (console_is_stdout(path)) return (written_identity){.name = path};
  return written_identify(job, path);
}

static const written_identity *written_identify_all(cook_job *job, const cli_list *inputs) {
  written_identity *identities = JOB_ARRAY(job, written_identity, inputs->count);
  for (uint32_t i = 0; i < inputs->count; i++) identities[i] = written_identify(job, inputs->items[i]);
  return identities;
}

static const char *written_describe(cook_job *job, const written_file *file) {
  if (file->what == NULL) return job_format(job, "also the pack of \"%s\"", file->of);
  if (file->of == NULL) return job_format(job, "also %s", file->what);
  return job_format(job, "also %s of \"%s\"", file->what, file->of);
}

void written_refuse_clip_packs(cook_job *job, const cli_arguments *arguments) {
  for (uint32_t i = 0; i < arguments->clip_files.count; i++)
    if (pack_file_is_pack(arguments->clip_files.items[i]))
      cli_fail(job, MPAK_U004, arguments->clip_files.items[i],
               "--clips, which takes models; the runtime and mpak eval play packs as they are");
}

cli_list written_inputs(cook_job *job, const cli_arguments *arguments) {
  const cli_list *lists[2] = {&arguments->inputs, &arguments->clip_files};
  cli_list all = {JOB_ARRAY(job, const char *, (uint64_t)lists[0]->count + lists[1]->count), 0};
  for (int l = 0; l < 2; l++)
    for (uint32_t i = 0; i < lists[l]->count; i++) all.items[all.count++] = lists[l]->items[i];
  return all;
}

void written_check(cook_job *job, const cli_list *inputs, const written_file *files, uint32_t count) {
  const written_identity *sources = written_identify_all(job, inputs);
  written_identity *identities = JOB_ARRAY(job, written_identity, count);
  for (uint32_t i = 0; i < count; i++) {
    if (files[i].path == NULL) continue;
    identities[i] = written_identify_output(job, files[i].path);
    for (uint32_t j = 0; j < inputs->count; j++)
      if (written_is_same(&identities[i], &sources[j])) cli_fail(job, MPAK_U010, files[i].path, "an input");
    for (uint32_t j = 0; j < i; j++)
      if (files[j].path != NULL && written_is_same(&identities[i], &identities[j]))
        cli_fail(job, MPAK_U010, files[i].path, written_describe(job, &files[j]));
  }
}

void written_check_dependencies(cook_job *job, const cook_scene *scene, const char *const *paths, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (console_is_stdout(paths[i])) continue;
    const written_identity written = written_identify(job, paths[i]);
    for (uint32_t j = 0; j < scene->dependency_count; j++) {
      const written_identity read = written_identify(job, scene->dependencies[j]);
      if (written_is_same(&written, &read)) cli_fail(job, MPAK_U010, paths[i], "a file that the model needs");
    }
  }
}
