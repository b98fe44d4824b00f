#include "format/mpak_issue.h"

#include <ctype.h>
#include <stddef.h>

static const mpak_issue_info issue_table[] = {
#define MPAK_ISSUE(letter, number, severity, exit_code, fixture, message, hint, explain)                               \
  {"MPAK-" #letter #number, MPAK_##severity, exit_code, message, hint, explain},
#include "format/issues.def"
#undef MPAK_ISSUE
};

const mpak_issue_info *mpak_issue_get(mpak_issue_id id) { return &issue_table[id]; }

static int code_equals(const char *asked, const char *code) {
  size_t i = 0;
  while (asked[i] != 0 && toupper((unsigned char)asked[i]) == code[i]) i++;
  return asked[i] == 0 && code[i] == 0;
}

mpak_issue_id mpak_issue_find(const char *code) {
  for (int i = 0; i < MPAK_ISSUE_COUNT; i++)
    if (code_equals(code, issue_table[i].code) || code_equals(code, issue_table[i].code + 5)) return (mpak_issue_id)i;
  return MPAK_ISSUE_COUNT;
}
