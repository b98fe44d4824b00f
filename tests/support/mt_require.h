/// mt_require.h: test support: what a test cannot go on without.
#ifndef MT_REQUIRE_H
#define MT_REQUIRE_H

#include "cooker/base/job.h"
#include "cooker/scene/scene.h"

/// Returns the scene; without one prints what the job has reported and fails the cmocka test.
cook_scene *mt_require_scene(cook_job *job, cook_scene *scene);

#endif
