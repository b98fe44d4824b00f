#include "cooker/report/json_out.h"

#include <assert.h>
#include <string.h>

#include "cooker/report/number.h"

void write_json_begin(json_out *json, text_out *text) { *json = (json_out){.text = text}; }

void write_json_end(json_out *json) {
  assert(json->depth == 0 && !json->has_key);
  text_put_char(json->text, '\n');
}

static bool json_is_inline(const json_out *json) {
  return json->inline_depth != 0 && json->depth >= json->inline_depth;
}

static void json_line(json_out *json) {
  if (json_is_inline(json)) return;
  text_put_char(json->text, '\n');
  for (uint32_t i = 0; i < json->depth; i++) text_put_bytes(json->text, "  ", 2);
}

/// What stands before a key, or before a value in an array.
static void json_separate(json_out *json) {
  if (json->depth == 0) return;
  if (json->has_member[json->depth]) text_put(json->text, json_is_inline(json) ? ", " : ",");
  json->has_member[json->depth] = true;
  json_line(json);
}

static void json_before_value(json_out *json) {
  assert(json->depth == 0 || json->is_object[json->depth] == json->has_key);
  if (json->has_key)
    json->has_key = false;
  else
    json_separate(json);
}

static void json_open(json_out *json, bool is_object, bool is_inline) {
  json_before_value(json);
  assert(json->depth + 1 < JSON_DEPTH_MAX);
  text_put_char(json->text, is_object ? '{' : '[');
  json->depth++;
  json->has_member[json->depth] = false;
  json->is_object[json->depth] = is_object;
  if (is_inline && json->inline_depth == 0) json->inline_depth = json->depth;
}

void write_json_object(json_out *json) { json_open(json, true, false); }
void write_json_array(json_out *json) { json_open(json, false, false); }
void write_json_object_inline(json_out *json) { json_open(json, true, true); }
void write_json_array_inline(json_out *json) { json_open(json, false, true); }

void write_json_close(json_out *json) {
  assert(json->depth > 0 && !json->has_key);
  const uint32_t closed = json->depth;
  const bool was_inline = json_is_inline(json);
  json->depth--;
  if (json->inline_depth == closed) json->inline_depth = 0;
  if (json->has_member[closed] && !was_inline) json_line(json);
  text_put_char(json->text, json->is_object[closed] ? '}' : ']');
}

// -- Values ----------------------------------------------------------------------------------------------------------

static void json_put_string(text_out *text, const char *value) {
  text_put_char(text, '"');
  while (*value != 0) {
    uint32_t code = 0;
    const uint32_t length = text_utf8_length(value, &code);
    if (length == 0)
      text_put(text, "\xEF\xBF\xBD");
    else if (code == '\n')
      text_put(text, "\\n");
    else if (code == '\t')
      text_put(text, "\\t");
    else if (code < 0x20 || code == 0x7F)
      text_printf(text, "\\u%04x", (unsigned)code);
    else if (code == '"' || code == '\\')
      text_printf(text, "\\%c", (int)code);
    else
      text_put_bytes(text, value, length);
    value += length == 0 ? 1 : length;
  }
  text_put_char(text, '"');
}

void write_json_key(json_out *json, const char *key) {
  assert(json->is_object[json->depth] && !json->has_key);
  json_separate(json);
  json_put_string(json->text, key);
  text_put(json->text, ": ");
  json->has_key = true;
}

static void json_put_word(json_out *json, const char *word) {
  json_before_value(json);
  text_put(json->text, word);
}

void write_json_null(json_out *json) { json_put_word(json, "null"); }
void write_json_bool(json_out *json, bool value) { json_put_word(json, value ? "true" : "false"); }

void write_json_count(json_out *json, uint64_t value) {
  json_before_value(json);
  text_printf(json->text, "%llu", (unsigned long long)value);
}

void write_json_integer(json_out *json, int64_t value) {
  json_before_value(json);
  text_printf(json->text, "%lld", (long long)value);
}

void write_json_real(json_out *json, double value) {
  char number[NUMBER_BYTES];
  number_format(number, value, 9);
  json_put_word(json, number);
}

void write_json_float(json_out *json, float value) {
  char number[NUMBER_BYTES];
  number_format_float(number, value);
  json_put_word(json, number);
}

void write_json_string(json_out *json, const char *value) {
  if (value == NULL) {
    write_json_null(json);
    return;
  }
  json_before_value(json);
  json_put_string(json->text, value);
}

// -- Members and arrays ----------------------------------------------------------------------------------------------

void write_json_member_string(json_out *json, const char *key, const char *value) {
  write_json_key(json, key);
  write_json_string(json, value);
}

void write_json_member_count(json_out *json, const char *key, uint64_t value) {
  write_json_key(json, key);
  write_json_count(json, value);
}

void write_json_member_float(json_out *json, const char *key, float value) {
  write_json_key(json, key);
  write_json_float(json, value);
}

void write_json_member_real(json_out *json, const char *key, double value) {
  write_json_key(json, key);
  write_json_real(json, value);
}

void write_json_reals(json_out *json, const double *values, uint32_t count) {
  write_json_array_inline(json);
  for (uint32_t i = 0; i < count; i++) write_json_real(json, values[i]);
  write_json_close(json);
}

void write_json_floats(json_out *json, const float *values, uint32_t count) {
  write_json_array_inline(json);
  for (uint32_t i = 0; i < count; i++) write_json_float(json, values[i]);
  write_json_close(json);
}
