// options_profile.c: what the cooker is told when a command line and a platform profile both have a say: an option that
// was given wins, then the profile, then the default.
#include <string.h>

#include "cooker/cli/options.h"
#include "cooker/cli/profile_file.h"

bool cli_was_given(const cli_arguments *arguments, const char *name) {
  for (uint32_t i = 0; i < arguments->given.count; i++)
    if (strcmp(arguments->given.items[i], name) == 0) return true;
  return false;
}

static void options_apply_profile(const cli_arguments *arguments, const cook_profile *profile, cook_options *options) {
  options->profile = profile;
  if (profile->has_quality && !cli_was_given(arguments, "--quality")) options->quality = profile->quality;
  if (profile->has_layout && !cli_was_given(arguments, "--layout")) options->layout = profile->layout;
  if (profile->has_compress && !cli_was_given(arguments, "--compress")) options->compress = profile->compress;
  if (profile->max_influences != 0 && !cli_was_given(arguments, "--max-influences"))
    options->max_influences = profile->max_influences;
}

/// --max-bones stands in the place of what the profile says, its cap included; what joint numbers can name stays.
static bone_limit_rules options_bone_rules(const cli_arguments *arguments, const cook_profile *profile) {
  bone_limit_rules rules = profile != NULL ? profile->bones : (bone_limit_rules){0};
  if (arguments->max_bones == 0) return rules;
  rules.max_bones = arguments->max_bones;
  rules.legacy_max_bones = 0;
  return rules;
}

/// A limit that is asked for must have room for a triangle with the influences that are asked for.
static void options_check_bones(cook_job *job, const cli_arguments *arguments, const cook_options *options) {
  const bool asks_influences = cli_was_given(arguments, "--max-influences") ||
                               (options->profile != NULL && options->profile->max_influences != 0);
  const uint32_t influences = asks_influences ? options->max_influences : BONE_LIMIT_LOWEST / 3;
  const uint32_t asked =
      arguments->max_bones != 0 && arguments->max_bones < BONE_LIMIT_LOWEST ? arguments->max_bones : options->max_bones;
  if (asked >= 3 * influences) return;
  cli_fail(job, MPAK_U021, job_format(job, "%u", asked),
           job_format(job, "%u, three times the %u influences of a vertex", 3 * influences, influences));
}

cook_options cli_resolve_cook_options(cook_job *job, const cli_arguments *arguments) {
  cook_options options = cli_cook_options_of(arguments);
  if (arguments->profile != NULL) options_apply_profile(arguments, profile_read(job, arguments->profile), &options);
  const bone_limit_rules rules = options_bone_rules(arguments, options.profile);
  options.max_bones = bone_limit_resolve(&rules);
  options_check_bones(job, arguments, &options);
  return options;
}
