// Where the system refuses seccomp, an import goes on with its limits only and says so: one warning, a pack all the
// same.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/mt_cook.h"

/// From here on, this process and its children are refused filters of their own, as in a strict container.
static bool refuse_seccomp(void) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  const bool refused =
      filter != NULL && seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(seccomp), 0) == 0 &&
      seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_SECCOMP)) == 0 &&
      seccomp_load(filter) == 0;
  seccomp_release(filter);
  return refused;
}

static void step_cooks(cook_job *job, void *user) {
  const cook_options options = {.worker_program = getenv("MPAK_BIN")};
  cook_file(job, mt_path("samples/assets/custom_normals.glb"), &options, user);
}

/// The child's exit code: 0 when the pack is there and the issues are as they should be.
static int cook_and_judge(bool refused) {
  if (refused && !refuse_seccomp()) return 2;
  cook_job *job = job_begin(NULL, NULL);
  cook_product product = {0};
  const bool cooked = job_run(job, step_cooks, &product) && product.byte_count > 0;
  int warnings = 0;
  for (uint32_t i = 0; i < job_issue_count(job); i++)
    warnings += job_issue_at(job, i)->id == MPAK_I006 && job_issue_at(job, i)->severity == MPAK_WARNING;
  job_end(job);
  if (!cooked) return 3;
  return warnings == (refused ? 1 : 0) ? 0 : 4;
}

static int exit_code_of_child(bool refused) {
  const pid_t child = fork();
  if (child == 0) _exit(cook_and_judge(refused));
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

/// The fixture importer_without_sandbox.
static void test_sandbox_refused_is_one_warning_and_a_pack(void **state) {
  (void)state;
  if (getenv("MPAK_BIN") == NULL) {
    printf("not run: 1 needs the mpak program (MPAK_BIN)\n");
    return;
  }
  assert_int_equal(exit_code_of_child(false), 0);
  assert_int_equal(exit_code_of_child(true), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_sandbox_refused_is_one_warning_and_a_pack)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
