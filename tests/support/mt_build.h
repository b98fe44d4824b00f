/// mt_build.h: test support for the stages of cooker/build: tiny meshes by hand, and issues by code.
#ifndef MT_BUILD_H
#define MT_BUILD_H

#include "cooker/build/build.h"

/// Runs step in a job of its own and checks the job's exit code.
void mt_in_job(void (*step)(cook_job *job, void *user), void *user, int expected_exit_code);

/// The first kept issue of a code ("MPAK-C004"), or NULL.
const cook_issue *mt_find_issue(const cook_job *job, const char *code);
/// How many kept issues have this code.
uint32_t mt_count_issues(const cook_job *job, const char *code);

/// A scene of one node that draws one mesh of one primitive, with positions and indices only (copied).
cook_scene *mt_one_primitive(cook_job *job, const float (*positions)[3], uint32_t vertex_count, const uint32_t *indices,
                             uint32_t index_count);
/// The primitive of such a scene.
cook_primitive *mt_primitive(const cook_scene *scene);
/// Gives the primitive (and the mesh) target_count targets without any stream, named "T0", "T1", ...
void mt_add_targets(cook_job *job, cook_scene *scene, uint32_t target_count);
/// Gives the scene's node a skin of joint_count joints, each the node itself.
void mt_add_skin(cook_job *job, cook_scene *scene, uint32_t joint_count);
/// A copy of count elements in the job.
#define MT_COPY(job, array, count) job_copy((job), (array), (uint64_t)(count) * sizeof *(array))

/// The angle between two vectors in radians, by libm.
double mt_angle(const float *a, const float *b);

#endif
