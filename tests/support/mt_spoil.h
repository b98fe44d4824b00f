/// mt_spoil.h: test support: one spoiled scene for each issue that check_scene can report.
///
/// A case changes the sound scene of mt_scene.h in exactly one way. The name of its function is the fixture that
/// issues.def names.
#ifndef MT_SPOIL_H
#define MT_SPOIL_H

#include "cooker/base/job.h"
#include "cooker/scene/scene.h"

typedef struct mt_spoil_case {
  const char *code; ///< the only issue that must be reported
  const char *name; ///< of the fixture
  void (*spoil)(cook_job *job, cook_scene *scene);
  mpak_severity severity;
  int exit_code;       ///< of the job: 0 unless the severity is an error
  const char *message; ///< with all places filled in
  cook_where where;    ///< element NULL: no element is named; value and limit are part of the message
  cook_limits limits;
} mt_spoil_case;

typedef struct mt_spoil_list {
  const mt_spoil_case *cases;
  uint32_t count;
} mt_spoil_list;

mt_spoil_list mt_spoil_names(void);
mt_spoil_list mt_spoil_nodes(void);
mt_spoil_list mt_spoil_mesh(void);
mt_spoil_list mt_spoil_targets(void);
mt_spoil_list mt_spoil_skin(void);
mt_spoil_list mt_spoil_clips(void);

#define MT_SPOIL_LIST_COUNT 6
/// List i below MT_SPOIL_LIST_COUNT.
mt_spoil_list mt_spoil_list_at(uint32_t i);

/// code, function, severity, exit code, message, then designated members of where
#define MT_SPOIL(code_text, function, level, exit, text, ...)                                                          \
  {                                                                                                                    \
    .code = (code_text), .name = #function, .spoil = (function), .severity = (level), .exit_code = (exit),             \
    .message = (text), .where = {                                                                                      \
      __VA_ARGS__                                                                                                      \
    }                                                                                                                  \
  }

#endif
