#include "cooker/import/fbx_property.h"

#include <string.h>

#define FIRST_VALUE 4 ///< P: name, type, label, flags, values…

/// The record of a property below an object or a template; FBX_NONE when it is not there.
static uint32_t find_property(const fbx_records *records, uint32_t parent, const char *name) {
  const uint32_t table = fbx_child(records, parent, "Properties70", FBX_NONE);
  if (table == FBX_NONE) return FBX_NONE;
  uint32_t p = fbx_child(records, table, "P", FBX_NONE);
  while (p != FBX_NONE && !fbx_is_text(fbx_value_at(records, p, 0), name)) p = fbx_child(records, table, "P", p);
  return p;
}

static bool is_class(fbx_value text, const fbx_record *object) {
  return text.kind == FBX_VALUE_TEXT && text.byte_count == object->name_bytes &&
         memcmp(text.bytes, object->name, object->name_bytes) == 0;
}

/// The template of an object's class, which its record is named after: "Model" or another.
static uint32_t find_template(const fbx_records *records, uint32_t object) {
  const uint32_t definitions = fbx_child(records, FBX_NONE, "Definitions", FBX_NONE);
  if (definitions == FBX_NONE) return FBX_NONE;
  uint32_t type = fbx_child(records, definitions, "ObjectType", FBX_NONE);
  while (type != FBX_NONE && !is_class(fbx_value_at(records, type, 0), &records->records[object]))
    type = fbx_child(records, definitions, "ObjectType", type);
  return type == FBX_NONE ? FBX_NONE : fbx_child(records, type, "PropertyTemplate", FBX_NONE);
}

static bool read_numbers(const fbx_records *records, uint32_t property, double *value, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const fbx_value number = fbx_value_at(records, property, FIRST_VALUE + i);
    if (number.kind != FBX_VALUE_INTEGER && number.kind != FBX_VALUE_NUMBER) return false;
  }
  for (uint32_t i = 0; i < count; i++) value[i] = fbx_value_at(records, property, FIRST_VALUE + i).number;
  return true;
}

static bool find_numbers(const fbx_facts *facts, uint32_t object, const char *name, double *value, uint32_t count) {
  const fbx_records *records = facts->records;
  const uint32_t record = facts->objects[object].record;
  uint32_t property = find_property(records, record, name);
  if (property == FBX_NONE) {
    const uint32_t template_record = find_template(records, record);
    if (template_record != FBX_NONE) property = find_property(records, template_record, name);
  }
  return property != FBX_NONE && read_numbers(records, property, value, count);
}

bool fbx_property_vector(const fbx_facts *facts, uint32_t object, const char *name, double value[3]) {
  return find_numbers(facts, object, name, value, 3);
}

double fbx_property_number(const fbx_facts *facts, uint32_t object, const char *name, double otherwise) {
  double number = otherwise;
  find_numbers(facts, object, name, &number, 1);
  return number;
}
