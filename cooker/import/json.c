#include "cooker/import/json.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

// -- Memory ----------------------------------------------------------------------------------------------------------

/// The job whose text this thread parses. The library takes its memory from that job's arena and need not give it back:
/// when the job runs out of memory, it leaves through the library's frames and nothing is lost.
static _Thread_local cook_job *json_job;
static once_flag json_allocators_once = ONCE_FLAG_INIT;

static void *json_allocate(size_t byte_count) {
  return json_job != NULL ? job_alloc(json_job, byte_count, 1) : malloc(byte_count);
}

static void json_release(void *pointer) {
  if (json_job == NULL) free(pointer);
}

static void json_set_allocators(void) { json_set_alloc_funcs(json_allocate, json_release); }

static void json_forget_job(void *user) {
  (void)user;
  json_job = NULL;
}

// -- Parsing ---------------------------------------------------------------------------------------------------------

_Noreturn static void json_fail_parse(cook_job *job, mpak_issue_id id, const char *value, const char *limit) {
  cook_where where = COOK_WHERE;
  where.value = value;
  where.limit = limit;
  job_fail(job, id, where);
}

/// Where a text behind its opening quote ends: at the closing quote, or at the end.
static uint64_t json_skip_text(const uint8_t *text, uint64_t at, uint64_t byte_count) {
  for (; at < byte_count && text[at] != '"'; at++)
    if (text[at] == '\\') at++;
  return at;
}

/// The library parses by recursion; this makes sure beforehand how deep that can get.
static void json_check_depth(cook_job *job, const uint8_t *text, uint64_t byte_count) {
  const uint32_t limit = job_limits(job)->json_depth;
  uint32_t depth = 0;
  for (uint64_t i = 0; i < byte_count; i++) {
    const uint8_t letter = text[i];
    if (letter == '"')
      i = json_skip_text(text, i + 1, byte_count);
    else if (letter == '{' || letter == '[')
      depth++;
    else if ((letter == '}' || letter == ']') && depth > 0)
      depth--;
    if (depth > limit) json_fail_parse(job, MPAK_F012, NULL, job_format(job, "%u", limit));
  }
}

_Noreturn static void json_report(cook_job *job, const json_error_t *error) {
  const mpak_issue_id id = json_error_code(error) == json_error_invalid_utf8 ? MPAK_F011 : MPAK_F010;
  json_fail_parse(job, id, job_format(job, "line %d, column %d: %s", error->line, error->column, error->text), NULL);
}

cook_json json_parse(cook_job *job, const uint8_t *text, uint64_t byte_count) {
  json_check_depth(job, text, byte_count);
  call_once(&json_allocators_once, json_set_allocators);
  job_defer(job, json_forget_job, NULL);
  json_job = job;
  const size_t flags = JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL;
  json_error_t error = {0};
  json_t *root = json_loadb((const char *)text, (size_t)byte_count, flags | JSON_REJECT_DUPLICATES, &error);
  if (root == NULL && json_error_code(&error) == json_error_duplicate_key) {
    cook_where where = COOK_WHERE;
    where.value = job_format(job, "line %d, column %d: %s", error.line, error.column, error.text);
    job_issue(job, MPAK_F013, where);
    root = json_loadb((const char *)text, (size_t)byte_count, flags, &error);
  }
  job_undefer(job, json_forget_job, NULL);
  if (root == NULL) json_report(job, &error);
  return (cook_json){.value = root};
}

// -- The tree --------------------------------------------------------------------------------------------------------

cook_json json_member(const cook_json *object, const char *key) {
  return (cook_json){.value = json_object_get(object->value, key), .parent = object, .key = key};
}

cook_json json_element(const cook_json *array, uint64_t index) {
  return (cook_json){.value = json_array_get(array->value, (size_t)index), .parent = array, .index = (uint32_t)index};
}

uint64_t json_count(const cook_json *value) {
  if (json_is_object((const json_t *)value->value)) return json_object_size(value->value);
  return json_array_size(value->value);
}

bool json_next_member(const cook_json *object, cook_json *member) {
  // The library's iterator only reads; it takes no const for reasons of its own.
  json_t *tree = (json_t *)(uintptr_t)object->value;
  void *at = member->key == NULL ? json_object_iter(tree)
                                 : json_object_iter_next(tree, json_object_iter_at(tree, member->key));
  if (at == NULL) return false;
  *member = (cook_json){.value = json_object_iter_value(at), .parent = object, .key = json_object_iter_key(at)};
  return true;
}

bool json_exists(const cook_json *value) { return value->value != NULL; }
bool json_is_an_object(const cook_json *value) { return json_is_object((const json_t *)value->value); }
bool json_is_an_array(const cook_json *value) { return json_is_array((const json_t *)value->value); }
bool json_is_a_text(const cook_json *value) { return json_is_string((const json_t *)value->value); }
bool json_is_a_number(const cook_json *value) { return json_is_number((const json_t *)value->value); }
bool json_is_a_truth(const cook_json *value) { return json_is_boolean((const json_t *)value->value); }

double json_number(const cook_json *value) { return json_number_value(value->value); }
bool json_truth(const cook_json *value) { return json_is_true((const json_t *)value->value); }

const char *json_text(const cook_json *value, uint64_t *byte_count) {
  if (byte_count != NULL) *byte_count = json_string_length(value->value);
  return json_string_value(value->value);
}

const char *json_kind(const cook_json *value) {
  if (value->value == NULL) return "nothing";
  switch (json_typeof((const json_t *)value->value)) {
  case JSON_OBJECT: return "an object";
  case JSON_ARRAY: return "an array";
  case JSON_STRING: return "a text";
  case JSON_INTEGER:
  case JSON_REAL: return "a number";
  case JSON_TRUE:
  case JSON_FALSE: return "a truth value";
  default: return "null";
  }
}

const char *json_pointer(cook_job *job, const cook_json *value) {
  const cook_json *steps[80]; // the depth limit is 64, and an absent member may be one step more
  int count = 0;
  for (const cook_json *at = value; at->parent != NULL && count < 80; at = at->parent) steps[count++] = at;
  const char *text = "";
  while (count-- > 0) {
    const cook_json *step = steps[count];
    text = step->key != NULL ? job_format(job, "%s/%s", text, step->key) : job_format(job, "%s/%u", text, step->index);
  }
  return text;
}
