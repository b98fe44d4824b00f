// Every issue that check_scene can report: the sound scene gives none, each spoiled one exactly its own.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "cooker/check/check.h"
#include "tests/support/mt_fixtures.h"
#include "tests/support/mt_scene.h"
#include "tests/support/mt_spoil.h"

typedef struct checked_case {
  const mt_spoil_case *spoil; ///< NULL: the sound scene
  const mt_scene_knobs *knobs;
} checked_case;

static void step_check(cook_job *job, void *user) {
  const checked_case *checked = user;
  cook_scene *scene = mt_scene_make(job, checked->knobs);
  if (checked->spoil != NULL) checked->spoil->spoil(job, scene);
  check_scene(job, scene);
}

static void print_issues(const cook_job *job, const char *title) {
  for (uint32_t i = 0; i < job_issue_count(job); i++)
    print_message("%s: %s %s\n", title, mpak_issue_get(job_issue_at(job, i)->id)->code, job_issue_at(job, i)->message);
}

static void test_check_sound_scenes_give_no_issue(void **state) {
  (void)state;
  static const mt_scene_knobs knobs[] = {
      {0},
      {.cells = 9, .primitive_count = 1, .target_count = 70, .joint_sets = 3},
      {.no_targets = true},
      {.no_skin = true, .no_clips = true},
      {.no_tangents = true},
      {.no_normals = true},
  };
  for (size_t i = 0; i < sizeof knobs / sizeof knobs[0]; i++) {
    cook_job *job = mt_job(NULL);
    assert_true(job_run(job, step_check, &(checked_case){NULL, &knobs[i]}));
    print_issues(job, "sound scene");
    assert_int_equal(job_issue_count(job), 0);
    assert_int_equal(job_exit_code(job), 0);
    job_end(job);
  }
}

static void assert_same_text(const char *found, const char *expected) {
  if (expected == NULL)
    assert_null(found);
  else {
    assert_non_null(found);
    assert_string_equal(found, expected);
  }
}

static void assert_same_place(const cook_where *found, const cook_where *expected) {
  assert_same_text(found->node, expected->node);
  assert_same_text(found->mesh, expected->mesh);
  assert_int_equal(found->primitive, expected->primitive);
  assert_same_text(found->target, expected->target);
  assert_same_text(found->skin, expected->skin);
  assert_same_text(found->clip, expected->clip);
  assert_same_text(found->material, expected->material);
  assert_same_text(found->stream, expected->stream);
  assert_same_text(found->element, expected->element);
  assert_int_equal(found->index, expected->index);
  assert_int_equal(found->more, expected->more);
}

static void check_one_case(const mt_spoil_case *spoil) {
  cook_job *job = mt_job(&spoil->limits);
  print_message("%s\n", spoil->name);
  assert_true(job_run(job, step_check, &(checked_case){spoil, NULL}));
  if (job_issue_count(job) != 1) print_issues(job, spoil->name);
  assert_int_equal(job_issue_count(job), 1);
  const cook_issue *issue = job_issue_at(job, 0);
  assert_string_equal(mpak_issue_get(issue->id)->code, spoil->code);
  assert_int_equal(issue->severity, spoil->severity);
  assert_string_equal(issue->message, spoil->message);
  assert_same_place(&issue->where, &spoil->where);
  assert_int_equal(job_exit_code(job), spoil->exit_code);
  job_end(job);
}

static void test_check_each_spoiled_scene_gives_exactly_its_code(void **state) {
  (void)state;
  uint32_t count = 0;
  for (uint32_t i = 0; i < MT_SPOIL_LIST_COUNT; i++) {
    const mt_spoil_list list = mt_spoil_list_at(i);
    for (uint32_t k = 0; k < list.count; k++) check_one_case(&list.cases[k]);
    count += list.count;
  }
  print_message("print: %u codes, each by a scene of its own\n", (unsigned)count);
}

static uint32_t count_cases_of(const char *code) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < MT_SPOIL_LIST_COUNT; i++) {
    const mt_spoil_list list = mt_spoil_list_at(i);
    for (uint32_t k = 0; k < list.count; k++) count += strcmp(list.cases[k].code, code) == 0;
  }
  return count;
}

/// A019 and up compare a clip file with the model it shall move: no single scene shows them. Their fixtures are pairs
/// of files, in tests/support/fixtures_clips.py.
static bool needs_two_files(const char *code) { return code[5] == 'A' && strcmp(code, "MPAK-A019") >= 0; }

static void test_check_every_source_code_has_one_spoiled_scene(void **state) {
  (void)state;
  for (int i = 0; i < MPAK_ISSUE_COUNT; i++) {
    const char *code = mpak_issue_get((mpak_issue_id)i)->code;
    if (strchr("NMSA", code[5]) == NULL || needs_two_files(code)) continue;
    if (strncmp(mt_fixture_of((mpak_issue_id)i), "clip_file_", 10) == 0) continue; // two files: run_fixtures.py
    if (count_cases_of(code) != 1) print_message("%s has no case, or several\n", code);
    assert_int_equal(count_cases_of(code), 1);
  }
}

static void test_check_spoiled_scenes_keep_the_limit_of_issues(void **state) {
  (void)state;
  cook_job *job = mt_job(&(cook_limits){.issues = 1, .targets = 1, .joints = 1, .nodes = 5});
  assert_true(job_run(job, step_check, &(checked_case){NULL, NULL}));
  assert_int_equal(job_issue_count(job), 1);
  assert_int_equal(job_severity_count(job, MPAK_ERROR), 3);
  assert_int_equal(job_exit_code(job), 6);
  job_end(job);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_check_sound_scenes_give_no_issue),
      cmocka_unit_test(test_check_each_spoiled_scene_gives_exactly_its_code),
      cmocka_unit_test(test_check_every_source_code_has_one_spoiled_scene),
      cmocka_unit_test(test_check_spoiled_scenes_keep_the_limit_of_issues),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
