#include "cooker/import/gltf_reader.h"

#include <string.h>

// -- Faults ----------------------------------------------------------------------------------------------------------

static cook_where gltf_where(gltf_reader *reader, const cook_json *at, const char *value, const char *limit) {
  cook_where where = reader->here;
  if (reader->here_node != MPAK_NONE) where.node = gltf_node_path(reader, reader->here_node);
  where.stream = at != NULL ? json_pointer(reader->job, at) : NULL;
  where.value = value;
  where.limit = limit;
  return where;
}

void gltf_leave(gltf_reader *reader) {
  reader->here = COOK_WHERE;
  reader->here_node = MPAK_NONE;
}

void gltf_report(gltf_reader *reader, mpak_issue_id id, const cook_json *at, const char *value, const char *limit) {
  job_issue(reader->job, id, gltf_where(reader, at, value, limit));
}

_Noreturn void gltf_fail(gltf_reader *reader, mpak_issue_id id, const cook_json *at, const char *value,
                         const char *limit) {
  job_fail(reader->job, id, gltf_where(reader, at, value, limit));
}

_Noreturn static void gltf_fail_type(gltf_reader *reader, const cook_json *at, const char *expected) {
  gltf_fail(reader, MPAK_G001, at, json_kind(at), expected);
}

// -- Containers ------------------------------------------------------------------------------------------------------

cook_json gltf_object(gltf_reader *reader, const cook_json *object, const char *key) {
  const cook_json member = json_member(object, key);
  if (json_exists(&member) && !json_is_an_object(&member)) gltf_fail_type(reader, &member, "an object");
  return member;
}

cook_json gltf_array(gltf_reader *reader, const cook_json *object, const char *key) {
  const cook_json member = json_member(object, key);
  if (json_exists(&member) && !json_is_an_array(&member)) gltf_fail_type(reader, &member, "an array");
  return member;
}

cook_json gltf_object_at(gltf_reader *reader, const cook_json *array, uint64_t index) {
  const cook_json element = json_element(array, index);
  if (!json_is_an_object(&element)) gltf_fail_type(reader, &element, "an object");
  return element;
}

void gltf_require(gltf_reader *reader, const cook_json *member) {
  if (!json_exists(member)) gltf_fail(reader, MPAK_G002, member, member->key, NULL);
}

// -- Numbers ---------------------------------------------------------------------------------------------------------

static double gltf_number(gltf_reader *reader, const cook_json *member) {
  if (!json_is_a_number(member)) gltf_fail_type(reader, member, "a number");
  return json_number(member);
}

uint64_t gltf_whole(gltf_reader *reader, const cook_json *member, uint64_t most, uint64_t otherwise) {
  if (!json_exists(member)) return otherwise;
  const double number = gltf_number(reader, member);
  // Above 2^53 a double no longer holds every whole number; no file is that long.
  const bool is_whole = number >= 0 && number <= 9007199254740992.0 && (double)(uint64_t)number == number;
  if (!is_whole || (uint64_t)number > most)
    gltf_fail(reader, MPAK_G004, member, job_format(reader->job, "%.17g", number),
              job_format(reader->job, "a whole number from 0 to %llu", (unsigned long long)most));
  return (uint64_t)number;
}

uint32_t gltf_index(gltf_reader *reader, const cook_json *member, const cook_json *table) {
  if (!json_exists(member)) return MPAK_NONE;
  const double number = gltf_number(reader, member);
  const uint64_t count = json_count(table);
  const bool is_whole = number >= 0 && number < 4294967295.0 && (double)(uint64_t)number == number;
  if (!is_whole || (uint64_t)number >= count)
    gltf_fail(reader, MPAK_G003, member, job_format(reader->job, "%.17g", number),
              job_format(reader->job, "%llu %s", (unsigned long long)count, table->key));
  return (uint32_t)number;
}

float gltf_float(gltf_reader *reader, const cook_json *member, float otherwise) {
  return json_exists(member) ? (float)gltf_number(reader, member) : otherwise;
}

bool gltf_truth(gltf_reader *reader, const cook_json *object, const char *key) {
  const cook_json member = json_member(object, key);
  if (json_exists(&member) && !json_is_a_truth(&member)) gltf_fail_type(reader, &member, "true or false");
  return json_truth(&member);
}

bool gltf_floats(gltf_reader *reader, const cook_json *array, uint32_t count, float *out) {
  if (!json_exists(array)) return false;
  if (!json_is_an_array(array) || json_count(array) != count)
    gltf_fail_type(reader, array, job_format(reader->job, "an array of %u numbers", count));
  for (uint32_t i = 0; i < count; i++) {
    const cook_json element = json_element(array, i);
    out[i] = (float)gltf_number(reader, &element);
  }
  return true;
}

// -- Texts -----------------------------------------------------------------------------------------------------------

/// A text that is one: the pack's strings end at a zero byte, so none may stand inside.
static const char *gltf_whole_text(gltf_reader *reader, const cook_json *value) {
  uint64_t byte_count = 0;
  const char *text = json_text(value, &byte_count);
  if (strlen(text) != byte_count) gltf_fail(reader, MPAK_F028, value, text, NULL);
  return text;
}

const char *gltf_text(gltf_reader *reader, const cook_json *member) {
  if (!json_exists(member)) return NULL;
  if (!json_is_a_text(member)) gltf_fail_type(reader, member, "a text");
  return gltf_whole_text(reader, member);
}

const char *gltf_name_at(gltf_reader *reader, const cook_json *value) {
  if (!json_exists(value)) return NULL;
  if (!json_is_a_text(value)) {
    gltf_report(reader, MPAK_G043, value, json_kind(value), NULL);
    return NULL;
  }
  const char *name = gltf_whole_text(reader, value);
  const uint32_t limit = job_limits(reader->job)->name_bytes;
  if (strlen(name) > limit)
    gltf_fail(reader, MPAK_G042, value, job_format(reader->job, "%zu bytes", strlen(name)),
              job_format(reader->job, "%u bytes", limit));
  return name;
}

const char *gltf_name(gltf_reader *reader, const cook_json *object) {
  const cook_json member = json_member(object, "name");
  return gltf_name_at(reader, &member);
}

void gltf_limit_count(gltf_reader *reader, const cook_json *at, uint64_t count, uint64_t limit, const char *what) {
  if (count > limit)
    gltf_fail(reader, MPAK_G041, at, job_format(reader->job, "%llu %s", (unsigned long long)count, what),
              job_format(reader->job, "%llu", (unsigned long long)limit));
}
