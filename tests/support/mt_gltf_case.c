#include "tests/support/mt_gltf_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cooker/import/import.h"
#include "cooker/report/issue_report.h"
#include "cooker/report/text_out.h"
#include "tests/support/mt_fixtures.h"
#include "tests/support/mt_require.h"

// -- Importing -------------------------------------------------------------------------------------------------------

typedef struct gltf_run {
  const char *path;
  const uint8_t *bytes;
  uint64_t byte_count;
  cook_scene *scene;
} gltf_run;

static void gltf_run_step(cook_job *job, void *user) {
  gltf_run *run = user;
  const cook_options options = {0};
  run->scene = gltf_import(job, run->path, run->bytes, run->byte_count, &options);
}

cook_scene *mt_gltf_import(cook_job *job, const char *path, const uint8_t *bytes, uint64_t byte_count) {
  uint8_t *copy = malloc(byte_count != 0 ? byte_count : 1);
  assert_non_null(copy);
  memcpy(copy, bytes, byte_count);
  gltf_run run = {path, copy, byte_count, NULL};
  const bool is_read = job_run(job, gltf_run_step, &run);
  free(copy);
  return is_read ? run.scene : NULL;
}

cook_scene *mt_gltf_read(cook_job *job, mt_gltf *gltf, mt_gltf_form form) {
  uint64_t byte_count = 0;
  uint8_t *bytes = form == MT_GLB ? mt_gltf_to_glb(gltf, &byte_count) : mt_gltf_to_embedded(gltf, &byte_count);
  mt_gltf_free(gltf);
  cook_scene *scene = mt_gltf_import(job, "built.glb", bytes, byte_count);
  free(bytes);
  return mt_require_scene(job, scene);
}

// -- Cases -----------------------------------------------------------------------------------------------------------

static uint8_t *case_file(const mt_gltf_case *spoiled, uint64_t *byte_count) {
  mt_gltf *gltf = mt_gltf_new();
  mt_gltf_character(gltf);
  if (spoiled->build != NULL) spoiled->build(gltf);
  for (int i = 0; i < 6 && spoiled->patches[i][0] != NULL; i++)
    mt_gltf_patch(gltf, spoiled->patches[i][0], spoiled->patches[i][1]);
  uint8_t *bytes = spoiled->form == MT_GLB ? mt_gltf_to_glb(gltf, byte_count) : mt_gltf_to_embedded(gltf, byte_count);
  mt_gltf_free(gltf);
  if (spoiled->spoil != NULL) spoiled->spoil(&bytes, byte_count);
  return bytes;
}

/// Prints what was reported, for the case that it is not what was expected.
static void case_explain(const mt_gltf_case *spoiled, cook_job *job) {
  print_error("case %s, exit code %d:\n", spoiled->name, job_exit_code(job));
  for (uint32_t i = 0; i < job_issue_count(job); i++)
    print_error("  %s %s: %s\n", mpak_issue_get(job_issue_at(job, i)->id)->code, job_issue_at(job, i)->where.stream,
                job_issue_at(job, i)->message);
}

static bool case_has_only_its_issue(const mt_gltf_case *spoiled, cook_job *job) {
  for (uint32_t i = 0; i < job_issue_count(job); i++)
    if (job_issue_at(job, i)->id != spoiled->id) return false;
  return job_issue_count(job) != 0;
}

/// The first line as a user sees it.
static void case_check_line(const mt_gltf_case *spoiled, cook_job *job) {
  text_out text;
  text_begin(&text, job);
  report_issues_text(&text, job, (report_style){0});
  char *line = text.bytes;
  line[strcspn(line, "\n")] = 0;
  char expected[2048];
  snprintf(expected, sizeof expected, "%s.glb: %s [%s]", spoiled->name, spoiled->line,
           mpak_issue_get(spoiled->id)->code);
  assert_string_equal(line, expected);
}

void mt_gltf_case_check(const mt_gltf_case *spoiled) {
  uint64_t byte_count = 0;
  uint8_t *bytes = case_file(spoiled, &byte_count);
  cook_job *job = job_begin(NULL, &spoiled->limits);
  assert_non_null(job);
  char file[256];
  snprintf(file, sizeof file, "%s.glb", spoiled->name);
  job_set_file(job, file);
  const cook_scene *scene = mt_gltf_import(job, file, bytes, byte_count);
  free(bytes);
  const mpak_issue_info *info = mpak_issue_get(spoiled->id);
  const bool is_error = info->severity == MPAK_ERROR;
  const bool is_right = case_has_only_its_issue(spoiled, job) && (scene == NULL) == is_error &&
                        job_exit_code(job) == (is_error ? info->exit_code : 0);
  if (!is_right) case_explain(spoiled, job);
  assert_true(is_right);
  case_check_line(spoiled, job);
  job_end(job);
}

static bool case_shows(const mt_gltf_case *spoiled, mpak_issue_id id) {
  const char *fixture = mt_fixture_of(id);
  return spoiled->id == id && strncmp(fixture, "gltf_", 5) == 0 && strcmp(fixture + 5, spoiled->name) == 0;
}

void mt_gltf_cases_cover(const mt_gltf_case *cases, size_t case_count, bool (*is_ours)(const char *code)) {
  size_t found = 0;
  for (mpak_issue_id id = 0; id < MPAK_ISSUE_COUNT; id++) {
    const char *code = mpak_issue_get(id)->code;
    if (!is_ours(code)) continue;
    found++;
    size_t i = 0;
    while (i < case_count && !case_shows(&cases[i], id)) i++;
    if (i == case_count) print_error("no case for %s\n", code);
    assert_true(i < case_count);
  }
  assert_int_equal(found, case_count);
}
