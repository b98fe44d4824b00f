#include "tests/support/mt_import.h"

#include <string.h>

/// Assimp 5.2.5 loses its parse tree when an FBX file is refused; the leak is its own and ends with the worker.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libassimp"; }

/// What one import needs and gives.
typedef struct mt_import_step {
  const char *path;
  cook_options options;
  cook_scene *scene;
} mt_import_step;

static void mt_run_import(cook_job *job, void *user) {
  mt_import_step *step = user;
  step->scene = import_source(job, step->path, &step->options, NULL);
}

cook_scene *mt_import(cook_job *job, const char *path, const cook_options *options) {
  mt_import_step step = {.path = path};
  if (options != NULL) step.options = *options;
  step.options.in_process = true;
  job_set_file(job, path);
  return job_run(job, mt_run_import, &step) ? step.scene : NULL;
}

const char *mt_codes(cook_job *job, bool with_infos) {
  const char *codes = "";
  for (int id = 0; id < MPAK_ISSUE_COUNT; id++) {
    const cook_issue *issue = mt_issue(job, (mpak_issue_id)id);
    if (issue == NULL || (issue->severity == MPAK_INFO && !with_infos)) continue;
    codes = job_format(job, "%s%s%s", codes, codes[0] == 0 ? "" : " ", mpak_issue_get(issue->id)->code + 5);
  }
  return codes;
}

const cook_issue *mt_issue(cook_job *job, mpak_issue_id id) {
  for (uint32_t i = 0; i < job_issue_count(job); i++)
    if (job_issue_at(job, i)->id == id) return job_issue_at(job, i);
  return NULL;
}
