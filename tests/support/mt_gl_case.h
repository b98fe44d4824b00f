/// mt_gl_case.h: test support: a character that is cooked in this process, and what each of the GL runtime's ways of
/// moving it must show: the CPU's vertices of the same pack.
#ifndef MT_GL_CASE_H
#define MT_GL_CASE_H

#include "runtime/gl/mpak_gl.h"
#include "tests/support/mt_cook.h"

/// A pack, decoded, and one individual of it.
typedef struct mt_gl_case {
  char name[96]; ///< the file's, and how it was cooked
  uint8_t *bytes;
  mpak_pack pack;
  mpak_model *model;
  mpak_character *hero;
} mt_gl_case;

/// false: the file does not cook. path: below the project's root, or absolute.
bool mt_gl_case_make(mt_gl_case *made, const char *path, const cook_options *options);
void mt_gl_case_free(mt_gl_case *made);

/// Shows moment `round` (0, 1, …): round-th fifth of a clip, the clips by turns, and random weights where no clip has
/// any. Round 0: rest.
void mt_gl_case_pose(mt_gl_case *made, uint32_t round);

/// Sets all weights of everything that the character draws; no clip plays then.
void mt_gl_case_weigh(mt_gl_case *made, float (*weight)(void *user, uint32_t control), void *user);

/// Output of the character that shows this part of this instance; NULL when it is of another level.
const mpak_character_output *mt_gl_case_output(const mt_gl_case *made, uint32_t instance, uint32_t part);

#endif
