// profile_file.c: see profile_file.h. A table says which members there are; whatever else stands in a profile is
// refused, since a misspelt member would change packs without a word.
#include "cooker/cli/profile_file.h"

#include <inttypes.h>
#include <string.h>

#include "cooker/base/io.h"
#include "cooker/cli/options.h"
#include "cooker/import/json.h"
#include "cooker/report/number.h"
#include "format/checksum.h"

#define PROFILE_VERSION  1
#define PROFILE_LODS_MAX 8u
#define PROFILE_MM_MAX   1e6

/// The built-in profiles, in the words of a file.
static const struct {
  const char *name, *text;
} profile_built_in[] = {
    {"desktop", "{\"profile\": 1, \"max_bones\": 65536, \"bone_indices_16_bit\": true}"},
    {"mobile", "{\"profile\": 1, \"max_bones\": 256, \"bone_indices_16_bit\": false}"},
};

// -- Values -----------------------------------------------------------------------------------------------------------

/// Where the value stands, for messages: "/lods/1/error_mm".
_Noreturn static void value_fail(cook_job *job, const cook_json *value, const char *expected) {
  cli_fail(job, MPAK_U023, value->parent != NULL ? json_pointer(job, value) : "the whole", expected);
}

static double value_number(cook_job *job, const cook_json *value, double low, double high) {
  const double number = json_number(value);
  if (json_is_a_number(value) && number >= low && number <= high) return number;
  char low_text[NUMBER_BYTES], high_text[NUMBER_BYTES];
  number_format(low_text, low, 9);
  number_format(high_text, high, 9);
  value_fail(job, value, job_format(job, "a number from %s to %s", low_text, high_text));
}

static uint32_t value_count(cook_job *job, const cook_json *value, uint32_t low, uint32_t high) {
  const double number = json_number(value);
  if (json_is_a_number(value) && number >= low && number <= high && number == (uint32_t)number) return (uint32_t)number;
  value_fail(job, value, job_format(job, "a whole number from %u to %u", low, high));
}

static bool value_truth(cook_job *job, const cook_json *value) {
  if (!json_is_a_truth(value)) value_fail(job, value, "true or false");
  return json_truth(value);
}

/// Number of a text among words.
static uint32_t value_choice(cook_job *job, const cook_json *value, const char *const *words, uint32_t count) {
  uint64_t byte_count = 0;
  const char *text = json_text(value, &byte_count);
  for (uint32_t i = 0; text != NULL && i < count; i++)
    if (strlen(words[i]) == byte_count && strcmp(words[i], text) == 0) return i;
  const char *list = words[0];
  for (uint32_t i = 1; i < count; i++) list = job_format(job, "%s|%s", list, words[i]);
  value_fail(job, value, list);
}

static const char **value_texts(cook_job *job, const cook_json *value, uint32_t *count) {
  if (!json_is_an_array(value) || json_count(value) > UINT16_MAX) value_fail(job, value, "a list of texts");
  *count = (uint32_t)json_count(value);
  const char **texts = JOB_ARRAY(job, const char *, *count);
  for (uint32_t i = 0; i < *count; i++) {
    const cook_json element = json_element(value, i);
    uint64_t byte_count = 0;
    const char *text = json_text(&element, &byte_count);
    if (text == NULL || byte_count == 0 || strlen(text) != byte_count) value_fail(job, &element, "a text");
    texts[i] = job_copy(job, text, byte_count);
  }
  return texts;
}

// -- Members ----------------------------------------------------------------------------------------------------------

/// A member of an object, and what to do with its value.
typedef struct profile_member {
  const char *name;
  void (*read)(cook_job *job, const cook_json *value, void *object);
} profile_member;

/// Reads all members of an object by a table. An object that is none, and members that the table lacks, fail the job.
static void object_read(cook_job *job, const cook_json *object, const profile_member *members, uint32_t count,
                        void *result) {
  if (!json_is_an_object(object)) value_fail(job, object, "an object");
  const char **names = JOB_ARRAY(job, const char *, count);
  for (uint32_t i = 0; i < count; i++) names[i] = members[i].name;
  for (cook_json member = {0}; json_next_member(object, &member);) {
    uint32_t i = 0;
    while (i < count && strcmp(members[i].name, member.key) != 0) i++;
    if (i == count) cli_fail(job, MPAK_U022, json_pointer(job, &member), cli_suggest(job, member.key, names, count));
    members[i].read(job, &member, result);
  }
}

// -- Levels of detail -------------------------------------------------------------------------------------------------

static void lod_read_screen_size(cook_job *job, const cook_json *value, void *lod) {
  ((cook_profile_lod *)lod)->screen_size = (float)value_number(job, value, 0, 1);
}

static void lod_read_error(cook_job *job, const cook_json *value, void *lod) {
  ((cook_profile_lod *)lod)->error_mm = (float)value_number(job, value, 0, PROFILE_MM_MAX);
}

static void lod_read_pixel(cook_job *job, const cook_json *value, void *lod) {
  ((cook_profile_lod *)lod)->pixel_mm = (float)value_number(job, value, 0, PROFILE_MM_MAX);
}

static void lod_read_dropped_bones(cook_job *job, const cook_json *value, void *lod) {
  cook_profile_lod *level = lod;
  level->dropped_bones = value_texts(job, value, &level->dropped_bone_count);
}

static void lod_read_depth(cook_job *job, const cook_json *value, void *lod) {
  ((cook_profile_lod *)lod)->max_bone_depth = value_count(job, value, 0, UINT16_MAX);
}

static void lods_check(cook_job *job, const cook_json *list, const cook_profile *profile) {
  for (uint32_t i = 0; i < profile->lod_count; i++) {
    const cook_json level = json_element(list, i), size = json_member(&level, "screen_size");
    const cook_json error = json_member(&level, "error_mm");
    if (i > 0 && !(profile->lods[i].screen_size < profile->lods[i - 1].screen_size))
      value_fail(job, &size, "below that of the level before");
    if (i == 0 && profile->lods[0].error_mm != 0) value_fail(job, &error, "0 or absent: level 0 is the mesh as it is");
    if (i > 0 && !(profile->lods[i].error_mm > 0)) value_fail(job, &error, "above 0 behind level 0");
  }
}

static void profile_read_lods(cook_job *job, const cook_json *value, void *object) {
  static const profile_member members[] = {
      {"screen_size", lod_read_screen_size},  {"error_mm", lod_read_error},       {"pixel_mm", lod_read_pixel},
      {"drop_bones", lod_read_dropped_bones}, {"max_bone_depth", lod_read_depth},
  };
  cook_profile *profile = object;
  if (!json_is_an_array(value) || json_count(value) == 0 || json_count(value) > PROFILE_LODS_MAX)
    value_fail(job, value, job_format(job, "a list of 1 to %u levels", PROFILE_LODS_MAX));
  profile->lod_count = (uint32_t)json_count(value);
  profile->lods = JOB_ARRAY(job, cook_profile_lod, profile->lod_count);
  for (uint32_t i = 0; i < profile->lod_count; i++) {
    const cook_json level = json_element(value, i);
    profile->lods[i].max_bone_depth = MPAK_NONE;
    object_read(job, &level, members, sizeof members / sizeof members[0], &profile->lods[i]);
  }
  lods_check(job, value, profile);
}

// -- The profile ------------------------------------------------------------------------------------------------------

static void profile_read_version(cook_job *job, const cook_json *value, void *profile) {
  (void)profile;
  if (json_number(value) != PROFILE_VERSION) value_fail(job, value, job_format(job, "%d", PROFILE_VERSION));
}

static void profile_read_max_bones(cook_job *job, const cook_json *value, void *profile) {
  ((cook_profile *)profile)->bones.max_bones = value_count(job, value, 1, UINT32_MAX);
}

static void profile_read_legacy(cook_job *job, const cook_json *value, void *profile) {
  ((cook_profile *)profile)->bones.legacy_max_bones = value_count(job, value, 1, UINT32_MAX);
}

static void profile_read_16_bit(cook_job *job, const cook_json *value, void *profile) {
  ((cook_profile *)profile)->bones.is_8_bit_only = !value_truth(job, value);
}

static void profile_read_influences(cook_job *job, const cook_json *value, void *profile) {
  const uint32_t count = value_count(job, value, 4, MPAK_MAX_INFLUENCES);
  if (count % 4 != 0) value_fail(job, value, "4, 8 or 12");
  ((cook_profile *)profile)->max_influences = count;
}

static void profile_read_quality(cook_job *job, const cook_json *value, void *object) {
  static const char *const words[] = {"lossless", "high", "default", "compact"};
  cook_profile *profile = object;
  profile->has_quality = true;
  profile->quality = (cook_quality)value_choice(job, value, words, 4);
}

static void profile_read_layout(cook_job *job, const cook_json *value, void *object) {
  static const char *const words[] = {"blk64", "csr64"};
  cook_profile *profile = object;
  profile->has_layout = true;
  profile->layout = (cook_layout)value_choice(job, value, words, 2);
}

static void profile_read_compress(cook_job *job, const cook_json *value, void *object) {
  static const char *const words[] = {"default", "load", "size"};
  cook_profile *profile = object;
  profile->has_compress = true;
  profile->compress = (cook_compress)value_choice(job, value, words, 3);
}

cook_profile *profile_parse(cook_job *job, const char *name, const uint8_t *text, uint64_t byte_count) {
  static const profile_member members[] = {
      {"profile", profile_read_version},
      {"max_bones", profile_read_max_bones},
      {"legacy_max_bones", profile_read_legacy},
      {"bone_indices_16_bit", profile_read_16_bit},
      {"max_influences", profile_read_influences},
      {"quality", profile_read_quality},
      {"layout", profile_read_layout},
      {"compress", profile_read_compress},
      {"lods", profile_read_lods},
  };
  cook_profile *profile = JOB_ARRAY(job, cook_profile, 1);
  profile->name = name;
  const cook_json root = json_parse(job, text, byte_count);
  object_read(job, &root, members, sizeof members / sizeof members[0], profile);
  const cook_json version = json_member(&root, "profile");
  if (!json_exists(&version)) value_fail(job, &version, job_format(job, "%d", PROFILE_VERSION));
  return profile;
}

const cook_profile *profile_read(cook_job *job, const char *name_or_path) {
  for (uint32_t i = 0; i < sizeof profile_built_in / sizeof profile_built_in[0]; i++) {
    const char *text = profile_built_in[i].text;
    if (strcmp(profile_built_in[i].name, name_or_path) == 0)
      return profile_parse(job, profile_built_in[i].name, (const uint8_t *)text, strlen(text));
  }
  const char *file = job_file(job);
  job_set_file(job, name_or_path);
  uint64_t byte_count = 0;
  const uint8_t *text = io_read_file(job, name_or_path, &byte_count);
  const char *name = job_format(job, "xxh3:%016" PRIx64, checksum_of(text, (size_t)byte_count));
  cook_profile *profile = profile_parse(job, name, text, byte_count);
  profile->path = name_or_path;
  job_set_file(job, file);
  return profile;
}
