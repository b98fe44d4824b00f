/// profile_file.h: platform profiles as JSON texts.
#ifndef CLI_PROFILE_FILE_H
#define CLI_PROFILE_FILE_H

#include "cooker/profile.h"

/// The profile of that name ("desktop", "mobile"), else the one in that file. Fails the job with F001 … F012 when there
/// is no such file or it is no JSON, with U022 for a member that no profile has, with U023 for a value of the wrong
/// kind.
const cook_profile *profile_read(cook_job *job, const char *name_or_path);

/// Reads a profile from a text, as profile_read does from a file. name is kept.
cook_profile *profile_parse(cook_job *job, const char *name, const uint8_t *text, uint64_t byte_count);

#endif
