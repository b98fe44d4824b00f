/// check.h: validation of source data (F16–F29, H1–H12). Reports, never repairs in silence.
#ifndef COOK_CHECK_H
#define COOK_CHECK_H

#include "cooker/cook.h"

/// Checks everything that can be seen in a scene and fills the source facts (source_moved_count, source_max_delta).
/// Reports issues; the caller stops on errors.
void check_scene(cook_job *job, cook_scene *scene);

/// Checks what matters of a scene that only gives its clips to another one: names, rest poses
/// and clips.
void check_animation(cook_job *job, cook_scene *scene);

#endif
