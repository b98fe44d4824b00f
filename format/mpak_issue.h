/// mpak_issue.h: numbers, severities and texts of all issues; made from issues.def.
#ifndef MPAK_ISSUE_H
#define MPAK_ISSUE_H

#include <stdint.h>

typedef enum mpak_severity { MPAK_ERROR = 0, MPAK_WARNING = 1, MPAK_INFO = 2 } mpak_severity;

/// MPAK_M012 and so on; consecutive from 0, so that it indexes the table. The stable name is the code text.
typedef enum mpak_issue_id {
#define MPAK_ISSUE(letter, number, severity, exit_code, fixture, message, hint, explain) MPAK_##letter##number,
#include "format/issues.def"
#undef MPAK_ISSUE
  MPAK_ISSUE_COUNT
} mpak_issue_id;

/// One line of issues.def.
typedef struct mpak_issue_info {
  const char *code;       ///< "MPAK-M012"
  mpak_severity severity; ///< before -W and --werror
  int exit_code;          ///< exit code when it is an error
  const char *message;    ///< with {e} {v} {l}
  const char *hint;
  const char *explain;
} mpak_issue_info;

/// The table's line of an issue; id below MPAK_ISSUE_COUNT.
const mpak_issue_info *mpak_issue_get(mpak_issue_id id);

/// The issue of a code text such as "MPAK-M012" or "M012" (any case); MPAK_ISSUE_COUNT when there is none.
mpak_issue_id mpak_issue_find(const char *code);

#endif
