// mt_job.c: apart from the scene, which serves programs without cmocka too.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "tests/support/mt_scene.h"

cook_job *mt_job(const cook_limits *limits) {
  cook_job *job = job_begin(NULL, limits);
  assert_non_null(job);
  return job;
}
