/// json.h: a JSON text as a tree that cannot hurt. json.c is the only file that knows the JSON library.
///
/// The tree lives in the job's arena and is never freed by itself. Depth and text encoding are checked before the
/// library sees the text, so its recursion is bounded. All numbers are doubles: 3 and 3.0 are the same.
#ifndef COOK_JSON_H
#define COOK_JSON_H

#include "cooker/base/job.h"

/// A place in the tree that knows how it was reached. Cursors are values on the stack; a cursor made from another one
/// points to it, so the outer one must live as long as the inner one is used.
typedef struct cook_json {
  const void *value;              ///< NULL: there is nothing here
  const struct cook_json *parent; ///< NULL: the root
  const char *key;                ///< name of the member; NULL: element `index` of an array
  uint32_t index;
} cook_json;

/// Parses a text. Fails the job with F010 (no JSON), F011 (no UTF-8) or F012 (nested too deeply); a name that occurs
/// twice in an object is the warning F013, and the last one counts.
cook_json json_parse(cook_job *job, const uint8_t *text, uint64_t byte_count);

/// Member `key` of an object; its value is NULL when there is none or `object` is no object.
cook_json json_member(const cook_json *object, const char *key);
/// Element `index` of an array; its value is NULL past the end.
cook_json json_element(const cook_json *array, uint64_t index);
/// Elements of an array or members of an object; 0 for anything else.
uint64_t json_count(const cook_json *value);
/// Steps through the members in the order of the text. Begin with a zeroed cursor; false after the last one.
bool json_next_member(const cook_json *object, cook_json *member);

bool json_exists(const cook_json *value);
bool json_is_an_object(const cook_json *value);
bool json_is_an_array(const cook_json *value);
bool json_is_a_text(const cook_json *value);
bool json_is_a_number(const cook_json *value);
bool json_is_a_truth(const cook_json *value);

/// The value of a number, 0 for anything else.
double json_number(const cook_json *value);
/// The value of a truth value, false for anything else.
bool json_truth(const cook_json *value);
/// A text and, if byte_count is not NULL, its length; NULL for anything else. It may hold zero bytes.
const char *json_text(const cook_json *value, uint64_t *byte_count);

/// What a value is, for messages: "a text", "a number", "nothing".
const char *json_kind(const cook_json *value);

/// The JSON pointer of a place, "/meshes/0/primitives/1", in the job's arena.
const char *json_pointer(cook_job *job, const cook_json *value);

#endif
