/// name_encoding.h: names of sources that are not UTF-8 (--name-encoding). MMD's tools, old FBX exporters, .x, .smd and
/// the like write names in whatever encoding their machine has, and do not say which.
///
/// A file whose names are all UTF-8 is left as it is, so that one option serves a model and the clips of other files;
/// in any other file every name is converted. (Such a file could in theory be UTF-8 by accident: half-width katakana
/// alone can be.) glTF is UTF-8 by its own rules and is never converted.
#ifndef COOK_NAME_ENCODING_H
#define COOK_NAME_ENCODING_H

#include "cooker/base/job.h"
#include "cooker/scene/scene.h"

/// Can names be in this encoding: does iconv know it, and are letters, digits and blanks in it what they are in ASCII?
bool name_encoding_is_known(const char *encoding);

/// Converts all names and texture paths of a scene. Reports those that are not in the encoding (I051); leaves the job
/// when the encoding is not known.
void name_encoding_convert(cook_job *job, cook_scene *scene, const char *encoding);

#endif
