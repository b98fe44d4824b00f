#include "cooker/import/fbx_records.h"

#include <string.h>
#include <zlib.h>

#include "cooker/import/fbx_decimal.h"
#include "format/bytes.h"

#define HEADER_BYTES 27
#define VERSION_WIDE 7500u ///< from here on, record headers have 64-bit members

_Noreturn void fbx_fail(cook_job *job, const char *what, uint64_t offset) {
  cook_where where = COOK_WHERE;
  where.value = job_format(job, "%s at byte %llu", what, (unsigned long long)offset);
  job_fail(job, MPAK_F009, where);
}

// -- Growing and changing ---------------------------------------------------------------------------------------------

/// Twice the room; the old array stays in the arena, so a list costs at most twice its size.
static void *fbx_grow(cook_job *job, void *old, uint32_t *capacity, size_t element_bytes) {
  const uint32_t grown_capacity = *capacity == 0 ? 64 : *capacity * 2;
  if (grown_capacity < *capacity) fbx_fail(job, "too many records", 0);
  void *grown = job_alloc(job, grown_capacity, element_bytes);
  if (old != NULL) memcpy(grown, old, *capacity * element_bytes);
  *capacity = grown_capacity;
  return grown;
}

uint32_t fbx_add_record(fbx_records *records, const void *name, size_t name_bytes, uint32_t parent,
                        uint32_t previous_sibling) {
  if (records->record_count == records->record_capacity)
    records->records = fbx_grow(records->job, records->records, &records->record_capacity, sizeof *records->records);
  const uint32_t index = records->record_count++;
  records->records[index] = (fbx_record){.name = name,
                                         .name_bytes = (uint8_t)name_bytes,
                                         .parent = parent,
                                         .first_child = FBX_NONE,
                                         .next_sibling = FBX_NONE};
  if (previous_sibling != FBX_NONE)
    records->records[previous_sibling].next_sibling = index;
  else if (parent != FBX_NONE)
    records->records[parent].first_child = index;
  return index;
}

static void append_value(fbx_records *records, fbx_value value) {
  if (records->value_count == records->value_capacity)
    records->values = fbx_grow(records->job, records->values, &records->value_capacity, sizeof *records->values);
  records->values[records->value_count++] = value;
}

void fbx_add_value(fbx_records *records, fbx_value value) {
  fbx_record *newest = &records->records[records->record_count - 1];
  if (newest->value_count++ == 0) newest->first_value = records->value_count;
  append_value(records, value);
}

fbx_value *fbx_edit_values(fbx_records *records, uint32_t record) {
  fbx_record *edited = &records->records[record];
  if (edited->stored != NULL) {
    const uint32_t first_value = records->value_count;
    for (uint32_t i = 0; i < edited->value_count; i++) append_value(records, fbx_value_at(records, record, i));
    edited->first_value = first_value;
    edited->stored = NULL;
  }
  return records->values + edited->first_value;
}

// -- Binary records ---------------------------------------------------------------------------------------------------

/// Where the reader is.
typedef struct fbx_cursor {
  cook_job *job;
  const uint8_t *bytes;
  uint64_t at;
  uint64_t end; ///< of what may be read now
  bool is_wide;
  bool is_odd; ///< an array was passed whose bytes are not as many as stated
} fbx_cursor;

static const uint8_t *cursor_take(fbx_cursor *cursor, uint64_t byte_count) {
  if (!bytes_range_fits(cursor->at, byte_count, cursor->end))
    fbx_fail(cursor->job, "a value ends outside its record", cursor->at);
  const uint8_t *taken = cursor->bytes + cursor->at;
  cursor->at += byte_count;
  return taken;
}

static uint32_t cursor_u32(fbx_cursor *cursor) { return bytes_load_u32(cursor_take(cursor, 4)); }

static uint64_t cursor_size(fbx_cursor *cursor) {
  return cursor->is_wide ? bytes_load_u64(cursor_take(cursor, 8)) : cursor_u32(cursor);
}

static fbx_value integer_value(int64_t integer) {
  return (fbx_value){.kind = FBX_VALUE_INTEGER, .integer = integer, .number = (double)integer};
}

static fbx_value number_value(double number) { return (fbx_value){.kind = FBX_VALUE_NUMBER, .number = number}; }

static uint32_t element_bytes_of(char type) {
  return type == 'b' || type == 'c' ? 1 : type == 'd' || type == 'l' ? 8 : 4;
}

static fbx_value read_array_value(fbx_cursor *cursor, char type) {
  fbx_value value = {.kind = FBX_VALUE_ARRAY, .element_type = type};
  value.element_count = cursor_u32(cursor);
  const uint32_t encoding = cursor_u32(cursor);
  if (encoding > 1) fbx_fail(cursor->job, "an array with an unknown encoding", cursor->at);
  value.is_packed = encoding == 1;
  const uint32_t stored_bytes = cursor_u32(cursor);
  value.byte_count = value.is_packed ? stored_bytes : (uint64_t)value.element_count * element_bytes_of(type);
  cursor->is_odd = cursor->is_odd || value.byte_count != stored_bytes;
  value.bytes = cursor_take(cursor, value.byte_count);
  return value;
}

static fbx_value read_typed_value(fbx_cursor *cursor, char type) {
  switch (type) {
  case 'B':
  case 'C': return integer_value(*cursor_take(cursor, 1));
  case 'Y': return integer_value((int16_t)bytes_load_u16(cursor_take(cursor, 2)));
  case 'I': return integer_value((int32_t)cursor_u32(cursor));
  case 'L': return integer_value((int64_t)bytes_load_u64(cursor_take(cursor, 8)));
  case 'F': return number_value((double)bytes_float_of_bits(cursor_u32(cursor)));
  case 'D': {
    double number;
    memcpy(&number, cursor_take(cursor, 8), sizeof number);
    return number_value(number);
  }
  case 'S':
  case 'R': {
    const uint64_t length = cursor_u32(cursor);
    return (fbx_value){.kind = FBX_VALUE_TEXT, .bytes = cursor_take(cursor, length), .byte_count = length};
  }
  case 'f':
  case 'd':
  case 'l':
  case 'i':
  case 'b':
  case 'c': return read_array_value(cursor, type);
  default: fbx_fail(cursor->job, "a value of an unknown type", cursor->at - 1);
  }
}

static fbx_value read_value(fbx_cursor *cursor) {
  const char type = (char)*cursor_take(cursor, 1);
  fbx_value value = read_typed_value(cursor, type);
  value.letter = type;
  return value;
}

/// An open record: where it ends, and the child that was read last.
typedef struct fbx_level {
  uint32_t record;
  uint32_t last_child;
  uint64_t end;
} fbx_level;

/// Steps over a value, which must fit.
static void skip_value(fbx_cursor *cursor) {
  static const uint8_t plain_bytes[256] = {['B'] = 1, ['C'] = 1, ['Y'] = 2, ['I'] = 4, ['F'] = 4, ['L'] = 8, ['D'] = 8};
  const uint8_t type = *cursor_take(cursor, 1);
  if (plain_bytes[type] != 0)
    cursor_take(cursor, plain_bytes[type]);
  else
    read_typed_value(cursor, (char)type);
}

/// Reads name and values of a record whose header was read. Returns its index; the cursor stands at its children.
static uint32_t read_record(fbx_records *records, fbx_cursor *cursor, uint64_t value_count, uint64_t values_bytes,
                            fbx_level *parent) {
  const uint8_t name_bytes = *cursor_take(cursor, 1);
  const uint8_t *name = cursor_take(cursor, name_bytes);
  const uint32_t record = fbx_add_record(records, name, name_bytes, parent->record, parent->last_child);
  parent->last_child = record;
  if (!bytes_range_fits(cursor->at, values_bytes, cursor->end))
    fbx_fail(cursor->job, "a record's values end outside it", cursor->at);
  const uint64_t record_end = cursor->end, values_at = cursor->at;
  cursor->end = cursor->at + values_bytes;
  cursor->is_odd = false;
  for (uint64_t i = 0; i < value_count; i++) skip_value(cursor);
  if (cursor->at != cursor->end) fbx_fail(cursor->job, "a record's values are shorter than stated", cursor->at);
  cursor->end = record_end;
  records->records[record].stored = cursor->bytes + values_at;
  records->records[record].stored_bytes = values_bytes;
  records->records[record].value_count = (uint32_t)value_count;
  if (cursor->is_odd) fbx_edit_values(records, record); // written again with sizes that agree
  return record;
}

/// One step: opens the next record, or closes the innermost one. Returns the new depth, 0 at the end of the list.
static uint32_t read_step(fbx_records *records, fbx_cursor *cursor, fbx_level *levels, uint32_t depth) {
  fbx_level *level = &levels[depth - 1];
  if (cursor->at == level->end && depth > 1)
    return depth - 1; // a record without children, or whose list has no end mark
  cursor->end = level->end;
  const uint64_t header_at = cursor->at;
  const uint64_t end = cursor_size(cursor);
  const uint64_t value_count = cursor_size(cursor);
  const uint64_t values_bytes = cursor_size(cursor);
  if (end == 0) { // the mark that ends a list of children
    cursor_take(cursor, 1);
    if (depth > 1) records->records[level->record].has_list = true;
    if (depth > 1 && cursor->at != level->end)
      fbx_fail(cursor->job, "a record goes on after its last child", cursor->at);
    return depth - 1;
  }
  if (end > level->end || end < cursor->at) fbx_fail(cursor->job, "a record ends outside its parent", header_at);
  if (depth == FBX_DEPTH_MAX) fbx_fail(cursor->job, "records nested too deeply", header_at);
  cursor->end = end;
  levels[depth].record = read_record(records, cursor, value_count, values_bytes, level);
  levels[depth].last_child = FBX_NONE;
  levels[depth].end = end;
  return depth + 1;
}

/// How many records there are, from their headers alone; any number for a file that will be refused.
static uint32_t count_records(fbx_cursor cursor) {
  const uint64_t size_bytes = cursor.is_wide ? 8 : 4, header_bytes = 3 * size_bytes + 1;
  uint64_t top_end = cursor.at;
  uint32_t count = 0;
  while (bytes_range_fits(cursor.at, header_bytes, cursor.end)) {
    const uint64_t at = cursor.at, end = cursor_size(&cursor);
    cursor.at += size_bytes;
    const uint64_t values_bytes = cursor_size(&cursor);
    cursor.at = at + header_bytes;
    if (end == 0 && at >= top_end) break;
    if (end == 0) continue;
    if (at >= top_end) top_end = end;
    cursor.at += cursor.bytes[cursor.at - 1];
    if (!bytes_range_fits(cursor.at, values_bytes, cursor.end)) break;
    cursor.at += values_bytes;
    count++;
  }
  return count;
}

fbx_records *fbx_records_read(cook_job *job, const uint8_t *bytes, uint64_t byte_count) {
  fbx_records *records = JOB_ARRAY(job, fbx_records, 1);
  records->job = job;
  if (byte_count < HEADER_BYTES) fbx_fail(job, "the file ends inside its header", byte_count);
  records->version = bytes_load_u32(bytes + HEADER_BYTES - 4);
  if (records->version < FBX_VERSION_TREE) return records; // the caller refuses it
  fbx_cursor cursor = {job, bytes, HEADER_BYTES, byte_count, records->version >= VERSION_WIDE, false};
  records->record_capacity = count_records(cursor);
  records->records = JOB_ARRAY(job, fbx_record, records->record_capacity);
  fbx_level levels[FBX_DEPTH_MAX + 1] = {{FBX_NONE, FBX_NONE, byte_count}};
  uint32_t depth = 1;
  while (depth != 0) depth = read_step(records, &cursor, levels, depth);
  return records;
}

// -- Looking ----------------------------------------------------------------------------------------------------------

uint32_t fbx_child(const fbx_records *records, uint32_t parent, const char *name, uint32_t previous) {
  if (records->record_count == 0) return FBX_NONE;
  uint32_t child = previous != FBX_NONE ? records->records[previous].next_sibling
                   : parent == FBX_NONE ? 0
                                        : records->records[parent].first_child;
  while (child != FBX_NONE && !fbx_is_named(&records->records[child], name))
    child = records->records[child].next_sibling;
  return child;
}

fbx_value fbx_value_at(const fbx_records *records, uint32_t record, uint32_t index) {
  if (record == FBX_NONE || index >= records->records[record].value_count) return (fbx_value){.kind = FBX_VALUE_NONE};
  const fbx_record *at = &records->records[record];
  if (at->stored == NULL) return records->values[at->first_value + index];
  fbx_cursor cursor = {.job = records->job, .bytes = at->stored, .end = at->stored_bytes};
  for (uint32_t i = 0; i < index; i++) skip_value(&cursor);
  return read_value(&cursor);
}

// -- Arrays -----------------------------------------------------------------------------------------------------------

static double element_at(const uint8_t *bytes, char type, uint64_t index) {
  const uint8_t *at = bytes + index * element_bytes_of(type);
  double number;
  switch (type) {
  case 'd': memcpy(&number, at, sizeof number); return number;
  case 'f': return (double)bytes_float_of_bits(bytes_load_u32(at));
  case 'l': return (double)(int64_t)bytes_load_u64(at);
  case 'i': return (double)(int32_t)bytes_load_u32(at);
  default: return (double)*at;
  }
}

/// The array's bytes, unpacked; NULL when they are not exactly as many as stated.
static const uint8_t *unpack(const fbx_records *records, const fbx_value *value, uint64_t wanted_bytes) {
  if (!value->is_packed) return value->byte_count == wanted_bytes ? value->bytes : NULL;
  if (value->byte_count > UINT32_MAX || wanted_bytes / 1032 > value->byte_count) return NULL; // deflate's best ratio
  uint8_t *bytes = job_alloc(records->job, wanted_bytes, 1);
  uLongf unpacked_bytes = wanted_bytes;
  const int result = uncompress(bytes, &unpacked_bytes, value->bytes, (uLong)value->byte_count);
  return result == Z_OK && unpacked_bytes == wanted_bytes ? bytes : NULL;
}

/// Numbers separated by commas and blanks, exactly as many as stated.
static bool parse_numbers(const fbx_value *value, double *numbers) {
  const char *at = (const char *)value->bytes, *end = at + value->byte_count;
  uint32_t count = 0;
  while (at < end) {
    const char *after = at;
    const double number = *at == ',' ? 0.0 : fbx_decimal(at, &after); // a brace is behind them, so this stops there
    if (after == at)
      at++;
    else if (count == value->element_count)
      return false;
    else
      numbers[count++] = number;
    if (after > at) at = after;
  }
  return count == value->element_count;
}

double *fbx_array(const fbx_records *records, fbx_value value, uint32_t *count) {
  *count = 0;
  if (value.kind != FBX_VALUE_ARRAY) return NULL;
  if (value.element_type == 't') {
    if (value.element_count > value.byte_count) return NULL;
    double *numbers = JOB_ARRAY(records->job, double, value.element_count);
    if (!parse_numbers(&value, numbers)) return NULL;
    *count = value.element_count;
    return numbers;
  }
  const uint64_t wanted_bytes = (uint64_t)value.element_count * element_bytes_of(value.element_type);
  const uint8_t *bytes = unpack(records, &value, wanted_bytes);
  if (bytes == NULL) return NULL;
  double *numbers = JOB_ARRAY(records->job, double, value.element_count);
  for (uint32_t i = 0; i < value.element_count; i++) numbers[i] = element_at(bytes, value.element_type, i);
  *count = value.element_count;
  return numbers;
}
