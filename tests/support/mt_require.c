#include "tests/support/mt_require.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

cook_scene *mt_require_scene(cook_job *job, cook_scene *scene) {
  for (uint32_t i = 0; scene == NULL && i < job_issue_count(job); i++)
    print_error("%s: %s\n", mpak_issue_get(job_issue_at(job, i)->id)->code, job_issue_at(job, i)->message);
  assert_non_null(scene);
  return scene;
}
