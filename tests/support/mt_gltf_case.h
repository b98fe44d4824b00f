/// mt_gltf_case.h: test support: a glTF that is wrong in one way, and the one issue that the reader must give for it.
#ifndef MT_GLTF_CASE_H
#define MT_GLTF_CASE_H

#include "cooker/base/job.h"
#include "cooker/scene/scene.h"
#include "tests/support/mt_gltf.h"

/// How the file is written.
typedef enum mt_gltf_form { MT_GLB, MT_EMBEDDED } mt_gltf_form;

typedef struct mt_gltf_case {
  const char *name; ///< issues.def names it as fixture "gltf_NAME"
  mpak_issue_id id; ///< the only issue that may be reported
  const char *line; ///< as printed, behind "FILE: ": severity, place, message
  mt_gltf_form form;
  const char *patches[6][2];    ///< see mt_gltf_patch
  void (*build)(mt_gltf *gltf); ///< adds to the character before it is written; may be NULL
  /// Changes the finished file, in place or by another malloc'ed one; may be NULL.
  void (*spoil)(uint8_t **bytes, uint64_t *byte_count);
  cook_limits limits;
} mt_gltf_case;

/// Reads a file of bytes with gltf_import as the file `path`. Returns the scene, or NULL when the job was left. The
/// bytes are copied into memory of exactly their size first, so that a sanitizer sees each step outside.
cook_scene *mt_gltf_import(cook_job *job, const char *path, const uint8_t *bytes, uint64_t byte_count);

/// Writes a built file, gives the builder back and reads the file. Fails the cmocka test when the job was left.
cook_scene *mt_gltf_read(cook_job *job, mt_gltf *gltf, mt_gltf_form form);

/// Builds a case and checks that the reader gives exactly its issue; fails the cmocka test otherwise.
void mt_gltf_case_check(const mt_gltf_case *spoiled);

/// Checks that the cases are exactly the issues whose code is_ours, under the names of their fixtures in issues.def;
/// fails the cmocka test otherwise.
void mt_gltf_cases_cover(const mt_gltf_case *cases, size_t case_count, bool (*is_ours)(const char *code));

#endif
