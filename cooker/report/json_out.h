/// json_out.h: writes JSON (RFC 8259) into a text_out. Keys and values in the order of the calls; numbers the same in
/// every locale; NaN and infinity cannot occur (they would be null).
#ifndef COOK_JSON_OUT_H
#define COOK_JSON_OUT_H

#include "cooker/report/text_out.h"

#define JSON_DEPTH_MAX 32

/// A writer. Outer objects and arrays stand on lines of their own; from an inline one on, everything is on one line.
typedef struct json_out {
  text_out *text;
  uint32_t depth;
  uint32_t inline_depth; ///< depth from which on lines are not broken; 0: none yet
  bool has_member[JSON_DEPTH_MAX];
  bool is_object[JSON_DEPTH_MAX];
  bool has_key; ///< a key was written and its value is due
} json_out;

void write_json_begin(json_out *json, text_out *text);

/// Ends the document with a line break.
void write_json_end(json_out *json);

void write_json_object(json_out *json);
void write_json_array(json_out *json);

/// The same, all on one line.
void write_json_object_inline(json_out *json);
void write_json_array_inline(json_out *json);

/// Closes the innermost object or array.
void write_json_close(json_out *json);

/// The name of the next member.
void write_json_key(json_out *json, const char *key);

void write_json_null(json_out *json);
void write_json_bool(json_out *json, bool value);
void write_json_count(json_out *json, uint64_t value);
void write_json_integer(json_out *json, int64_t value);

/// 9 significant digits.
void write_json_real(json_out *json, double value);

/// The fewest digits that give the same float back, at most 9.
void write_json_float(json_out *json, float value);

/// UTF-8 byte by byte, control characters as \u00xx; bytes that are no UTF-8 become U+FFFD. NULL gives null.
void write_json_string(json_out *json, const char *value);

// Members: key and value in one call.
void write_json_member_string(json_out *json, const char *key, const char *value);
void write_json_member_count(json_out *json, const char *key, uint64_t value);
void write_json_member_float(json_out *json, const char *key, float value);
void write_json_member_real(json_out *json, const char *key, double value);

/// An array of reals on one line.
void write_json_reals(json_out *json, const double *values, uint32_t count);
void write_json_floats(json_out *json, const float *values, uint32_t count);

#endif
