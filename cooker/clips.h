/// clips.h: clips of other files (cook_options.clip_files): imported and checked like the model, added by node name.
#ifndef COOK_CLIPS_H
#define COOK_CLIPS_H

#include "cooker/cook.h"

/// Adds the clips of all clip files to a checked scene, their files to its dependencies, their bytes to its hash. Clips
/// without a name, and those of a name that occurs more than once, are called like their file, without its suffix.
/// Issues are about the clip file meanwhile. worker_peak_bytes grows to the largest of the importers' processes.
void cook_add_clip_files(cook_job *job, cook_scene *scene, const cook_options *options, uint64_t *worker_peak_bytes);

#endif
