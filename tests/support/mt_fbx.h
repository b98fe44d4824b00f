/// mt_fbx.h: test support: a small FBX file in its text form, made in memory, and ways to spoil it.
///
/// The character, in metres and with +Y up:
///   models    Body (mesh), Hips, Spine (under Hips, 1 up)
///   mesh      BodyMesh: a square of four corners, (0 0 0) (2 0 0) (2 2 0) (0 2 0), normals +Z, one texture set
///   shapes    Smile moves corners 2 and 3 by (0 .5 0) and (0 .25 0), at 25 percent; Blink moves corner 0 by (-1 0 0)
///   skin      Hips has corners 0 and 1, and half of 2 and 3; Spine has the other halves
///   clip      Act, 0 to 1 s: Hips moves from x = 0 to 4; Smile goes from 0 to 100 percent
/// The importer has nothing to say about it.
#ifndef MT_FBX_H
#define MT_FBX_H

#include <stdint.h>

/// `from`, which must occur exactly once, becomes `to`.
typedef struct mt_patch {
  const char *from, *to;
} mt_patch;

/// The character with patches applied, zero-terminated; malloc'ed. A patch with from NULL ends the list. A mistake ends
/// the program with a message.
char *mt_fbx_character(const mt_patch *patches);

/// The same, written to a file of the scratch folder. Returns its path, which stays until four more calls.
const char *mt_fbx_file(const char *name, const mt_patch *patches);

#endif
