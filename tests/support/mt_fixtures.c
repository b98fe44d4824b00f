#include "tests/support/mt_fixtures.h"

const char *mt_fixture_of(mpak_issue_id id) {
  static const char *const fixtures[] = {
#define MPAK_ISSUE(letter, number, severity, exit_code, fixture, message, hint, explain) #fixture,
#include "format/issues.def"
#undef MPAK_ISSUE
  };
  return fixtures[id];
}
