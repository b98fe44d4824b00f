// fbx_emit.c: one walk over the tree into a buffer that is large enough for any; ends of records are filled in when
// they are known.
#include "cooker/import/fbx_emit.h"

#include <stdlib.h>
#include <string.h>

#include "format/bytes.h"

static const char emit_magic[] = "Kaydara FBX Binary  \0\x1a"; // and its closing zero

#define EMIT_HEADER_BYTES 27
#define EMIT_WIDE_VERSION 7500u

// -- Types of values from a text file ---------------------------------------------------------------------------------

static bool emit_is_listed(const fbx_record *record, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (fbx_is_named(record, list[i])) return true;
  return false;
}

static bool emit_parent_is(const fbx_records *records, uint32_t record, const char *name) {
  const uint32_t parent = records->records[record].parent;
  return parent != FBX_NONE && fbx_is_named(&records->records[parent], name);
}

/// P: "name", "type", "label", "flags", numbers: the type decides.
static char emit_property_letter(const fbx_records *records, uint32_t record) {
  static const char *const whole[] = {"bool", "Bool", "int", "Int", "enum", "Enum", "Integer"};
  static const char *const wide[] = {"KTime", "ULongLong", "LongLong", "Time"};
  const fbx_value type = fbx_value_at(records, record, 1);
  for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
    if (fbx_is_text(type, whole[i])) return 'I';
  for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
    if (fbx_is_text(type, wide[i])) return 'L';
  return 'D';
}

/// The letter under which a number of a text file is stored.
static char emit_number_letter(const fbx_records *records, uint32_t record, uint32_t index, const fbx_value *value) {
  static const char *const real[] = {"DeformPercent", "Link_DeformAcuracy", "Default", "ModelUVTranslation",
                                     "ModelUVScaling"};
  static const char *const wide[] = {"LocalTime", "ReferenceTime", "Node", "TimeSpan", "TCDefinition"};
  const fbx_record *named = &records->records[record];
  if (fbx_is_named(named, "P")) return emit_property_letter(records, record);
  if (emit_parent_is(records, record, "Connections") || (index == 0 && emit_parent_is(records, record, "Objects")))
    return 'L';
  if (value->kind == FBX_VALUE_NUMBER || emit_is_listed(named, real, sizeof real / sizeof *real)) return 'D';
  const bool is_wide =
      value->integer != (int32_t)value->integer || emit_is_listed(named, wide, sizeof wide / sizeof *wide);
  return is_wide ? 'L' : 'I';
}

/// The letter of an array of a text file: what counts or points is whole, the rest is not.
static char emit_array_letter(const fbx_record *record) {
  static const char *const whole[] = {"Indexes",      "Materials",       "Edges",        "Smoothing",
                                      "KeyAttrFlags", "KeyAttrRefCount", "PolygonGroup", "Visibility"};
  if (fbx_is_named(record, "KeyTime")) return 'l';
  const uint8_t *end = record->name + record->name_bytes;
  const bool is_index = record->name_bytes > 5 && memcmp(end - 5, "Index", 5) == 0; // UVIndex, PolygonVertexIndex
  return is_index || emit_is_listed(record, whole, sizeof whole / sizeof *whole) ? 'i' : 'd';
}

// -- Writing ----------------------------------------------------------------------------------------------------------

typedef struct fbx_emitter {
  const fbx_records *records;
  uint8_t *bytes;
  uint64_t at;
  uint64_t capacity;
  bool is_wide;
} fbx_emitter;

static inline void emit_bytes(fbx_emitter *emitter, const void *bytes, uint64_t byte_count) {
  if (!bytes_range_fits(emitter->at, byte_count, emitter->capacity))
    fbx_fail(emitter->records->job, "records that do not fit when written again", emitter->at);
  if (byte_count != 0) memcpy(emitter->bytes + emitter->at, bytes, byte_count);
  emitter->at += byte_count;
}

static void emit_u8(fbx_emitter *emitter, uint8_t value) { emit_bytes(emitter, &value, 1); }
static void emit_u32(fbx_emitter *emitter, uint32_t value) { emit_bytes(emitter, &value, sizeof value); }

static uint64_t emit_size_bytes(const fbx_emitter *emitter) { return emitter->is_wide ? 8 : 4; }

static void emit_size_at(const fbx_emitter *emitter, uint64_t at, uint64_t size) {
  if (!emitter->is_wide && size > UINT32_MAX) fbx_fail(emitter->records->job, "more than narrow headers can say", at);
  memcpy(emitter->bytes + at, &size, emit_size_bytes(emitter)); // little-endian, like all hosts of the cooker
}

static void emit_zeros(fbx_emitter *emitter, uint64_t count) {
  static const uint8_t zeros[32];
  emit_bytes(emitter, zeros, count);
}

static void emit_number(fbx_emitter *emitter, char letter, const fbx_value *value) {
  const int64_t integer = value->kind == FBX_VALUE_INTEGER ? value->integer : (int64_t)value->number;
  const int16_t short_integer = (int16_t)integer;
  const int32_t plain_integer = (int32_t)integer;
  const float single = (float)value->number;
  emit_u8(emitter, (uint8_t)letter);
  switch (letter) {
  case 'B':
  case 'C': emit_u8(emitter, (uint8_t)integer); return;
  case 'Y': emit_bytes(emitter, &short_integer, sizeof short_integer); return;
  case 'I': emit_bytes(emitter, &plain_integer, sizeof plain_integer); return;
  case 'L': emit_bytes(emitter, &integer, sizeof integer); return;
  case 'F': emit_bytes(emitter, &single, sizeof single); return;
  default: emit_bytes(emitter, &value->number, sizeof value->number); return;
  }
}

/// "Model::Face" of a text file stands as "Face\0\1Model" in a binary one.
static void emit_object_name(fbx_emitter *emitter, const fbx_value *value) {
  const uint8_t *mark = memmem(value->bytes, value->byte_count, "::", 2);
  emit_u8(emitter, 'S');
  emit_u32(emitter, (uint32_t)value->byte_count);
  if (mark == NULL) {
    emit_bytes(emitter, value->bytes, value->byte_count);
    return;
  }
  const uint64_t class_bytes = (uint64_t)(mark - value->bytes);
  emit_bytes(emitter, mark + 2, value->byte_count - class_bytes - 2);
  emit_bytes(emitter, "\0\1", 2);
  emit_bytes(emitter, value->bytes, class_bytes);
}

static void emit_text(fbx_emitter *emitter, uint32_t record, uint32_t index, const fbx_value *value) {
  if (value->byte_count > UINT32_MAX) fbx_fail(emitter->records->job, "a text too long to write again", emitter->at);
  if (value->letter == 0 && index == 1 && emit_parent_is(emitter->records, record, "Objects")) {
    emit_object_name(emitter, value);
    return;
  }
  emit_u8(emitter, (uint8_t)(value->letter == 0 ? 'S' : value->letter));
  emit_u32(emitter, (uint32_t)value->byte_count);
  emit_bytes(emitter, value->bytes, value->byte_count);
}

/// Numbers that stood as text, as plain elements.
static void emit_text_array(fbx_emitter *emitter, char letter, const fbx_value *value) {
  cook_job *job = emitter->records->job;
  uint32_t count;
  const cook_mark mark = job_mark(job);
  const double *numbers = fbx_array(emitter->records, *value, &count);
  if (numbers == NULL) fbx_fail(job, "an array with another number of elements than stated", emitter->at);
  for (uint32_t i = 0; i < count; i++) {
    const int64_t wide = letter == 'd' ? 0 : (int64_t)numbers[i];
    const int32_t whole = (int32_t)wide;
    if (letter == 'd')
      emit_bytes(emitter, &numbers[i], 8);
    else if (letter == 'l')
      emit_bytes(emitter, &wide, 8);
    else
      emit_bytes(emitter, &whole, 4);
  }
  job_release(job, mark);
}

static uint32_t emit_element_bytes(char letter) {
  return letter == 'b' || letter == 'c' ? 1 : letter == 'd' || letter == 'l' ? 8 : 4;
}

static void emit_array(fbx_emitter *emitter, uint32_t record, const fbx_value *value) {
  const bool is_text = value->element_type == 't';
  const char letter = is_text ? emit_array_letter(&emitter->records->records[record]) : value->element_type;
  const uint64_t stored_bytes =
      is_text ? (uint64_t)value->element_count * emit_element_bytes(letter) : value->byte_count;
  if (stored_bytes > UINT32_MAX) fbx_fail(emitter->records->job, "an array too long to write again", emitter->at);
  emit_u8(emitter, (uint8_t)letter);
  emit_u32(emitter, value->element_count);
  emit_u32(emitter, value->is_packed ? 1 : 0);
  emit_u32(emitter, (uint32_t)stored_bytes);
  if (is_text)
    emit_text_array(emitter, letter, value);
  else
    emit_bytes(emitter, value->bytes, value->byte_count);
}

static void emit_value(fbx_emitter *emitter, uint32_t record, uint32_t index) {
  const fbx_value *value = &emitter->records->values[emitter->records->records[record].first_value + index];
  if (value->kind == FBX_VALUE_ARRAY)
    emit_array(emitter, record, value);
  else if (value->kind == FBX_VALUE_TEXT)
    emit_text(emitter, record, index, value);
  else
    emit_number(emitter,
                value->letter != 0 ? value->letter : emit_number_letter(emitter->records, record, index, value), value);
}

/// Header, name and values; the end is filled in later. Returns where the header stands.
static uint64_t emit_record(fbx_emitter *emitter, uint32_t record) {
  const fbx_record *source = &emitter->records->records[record];
  const uint64_t header_at = emitter->at, size_bytes = emit_size_bytes(emitter);
  emit_zeros(emitter, 3 * size_bytes);
  emit_u8(emitter, source->name_bytes);
  emit_bytes(emitter, source->name, source->name_bytes);
  const uint64_t values_at = emitter->at;
  if (source->stored != NULL)
    emit_bytes(emitter, source->stored, source->stored_bytes);
  else
    for (uint32_t i = 0; i < source->value_count; i++) emit_value(emitter, record, i);
  emit_size_at(emitter, header_at + size_bytes, source->value_count);
  emit_size_at(emitter, header_at + 2 * size_bytes, emitter->at - values_at);
  return header_at;
}

// -- The tree ---------------------------------------------------------------------------------------------------------

static void emit_list_end(fbx_emitter *emitter) { emit_zeros(emitter, 3 * emit_size_bytes(emitter) + 1); }

/// Closes a record: the mark behind its children, and its end.
static void emit_end(fbx_emitter *emitter, uint32_t record, uint64_t header_at) {
  const fbx_record *source = &emitter->records->records[record];
  if (source->has_list || source->first_child != FBX_NONE) emit_list_end(emitter);
  emit_size_at(emitter, header_at, emitter->at);
}

/// All records below the top, depth first.
static void emit_tree(fbx_emitter *emitter) {
  const fbx_records *records = emitter->records;
  uint64_t header_at[FBX_DEPTH_MAX + 1] = {0};
  uint32_t depth = 0;
  for (uint32_t record = records->record_count == 0 ? FBX_NONE : 0; record != FBX_NONE;) {
    header_at[depth] = emit_record(emitter, record);
    if (records->records[record].first_child != FBX_NONE && depth < FBX_DEPTH_MAX) {
      record = records->records[record].first_child;
      depth++;
      continue;
    }
    emit_end(emitter, record, header_at[depth]);
    while (records->records[record].next_sibling == FBX_NONE && depth > 0) {
      record = records->records[record].parent;
      emit_end(emitter, record, header_at[--depth]);
    }
    record = records->records[record].next_sibling;
  }
  emit_list_end(emitter);
}

/// At least as many bytes as a value takes.
static uint64_t emit_value_room(const fbx_records *records, const fbx_value *value) {
  if (value->kind != FBX_VALUE_TEXT && value->kind != FBX_VALUE_ARRAY) return 16;
  if (value->kind == FBX_VALUE_TEXT || value->element_type != 't') return 16 + value->byte_count;
  if (value->element_count > value->byte_count)
    fbx_fail(records->job, "an array with another number of elements than stated", 0);
  return 16 + 8 * (uint64_t)value->element_count;
}

/// At least as many bytes as the file will have.
static uint64_t emit_room(const fbx_records *records) {
  uint64_t room = EMIT_HEADER_BYTES + 64;
  for (uint32_t r = 0; r < records->record_count; r++)
    room += 2 * 25 + records->records[r].name_bytes + records->records[r].stored_bytes;
  for (uint32_t v = 0; v < records->value_count; v++) room += emit_value_room(records, &records->values[v]);
  return room;
}

uint8_t *fbx_emit(const fbx_records *records, uint64_t *byte_count) {
  fbx_emitter emitter = {.records = records, .is_wide = records->version >= EMIT_WIDE_VERSION};
  emitter.capacity = emit_room(records);
  emitter.bytes = job_alloc(records->job, emitter.capacity, 1);
  emit_bytes(&emitter, emit_magic, sizeof emit_magic);
  emit_u32(&emitter, records->version);
  emit_tree(&emitter);
  *byte_count = emitter.at;
  return emitter.bytes;
}
