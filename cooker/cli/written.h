/// written.h: the files that a run reads and writes. None that it writes may be one that it reads, and no two may be
/// one.
///
/// Without this check a slip of the hand (-MF hero.glb, -o hero.bin) would replace a model by a text.
#ifndef CLI_WRITTEN_H
#define CLI_WRITTEN_H

#include "cooker/cli/options.h"

/// A file that will be written, or "-" for standard output.
typedef struct written_file {
  const char *path; ///< or NULL: none
  const char *what; ///< "the report"; NULL: the pack of an input
  const char *of;   ///< the input that a pack or depfile belongs to, or NULL
} written_file;

/// path with the suffix of its last part replaced: the name of a result that the user does not name.
const char *written_with_suffix(cook_job *job, const char *path, const char *suffix);

/// The files that the command line names to be read: inputs and those of --clips.
cli_list written_inputs(cook_job *job, const cli_arguments *arguments);

/// Fails the job with U004 when a file of --clips is a pack: cooking adds clips of models, packs are played as they
/// are.
void written_refuse_clip_packs(cook_job *job, const cli_arguments *arguments);

/// Fails the job with U010 when one of the files is among the inputs or is another one of them, whatever the spelling:
/// links to an existing file count, and so do different paths to a file that does not exist yet.
void written_check(cook_job *job, const cli_list *inputs, const written_file *files, uint32_t count);

/// The same against the files that importing a model has read (buffers that a .gltf names, for example).
void written_check_dependencies(cook_job *job, const cook_scene *scene, const char *const *paths, uint32_t count);

#endif
