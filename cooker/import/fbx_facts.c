#include "cooker/import/fbx_facts.h"

#include <stdlib.h>
#include <string.h>

// -- Objects ----------------------------------------------------------------------------------------------------------

static fbx_kind kind_of_record(const fbx_records *records, uint32_t record) {
  static const struct {
    const char *record_name;
    const char *subtype; ///< third value; NULL: any
    fbx_kind kind;
  } kinds[] = {
      {"Model", FBX_STAND_IN_CLASS, FBX_STAND_IN},
      {"Model", NULL, FBX_MODEL},
      {"Pose", "BindPose", FBX_BIND_POSE},
      {"Geometry", "Mesh", FBX_MESH},
      {"Geometry", "Shape", FBX_SHAPE},
      {"Deformer", "BlendShape", FBX_BLEND_SHAPE},
      {"Deformer", "BlendShapeChannel", FBX_BLEND_CHANNEL},
      {"Deformer", "Skin", FBX_SKIN},
      {"Deformer", "Cluster", FBX_CLUSTER},
      {"AnimationStack", NULL, FBX_STACK},
      {"AnimationLayer", NULL, FBX_LAYER},
      {"AnimationCurveNode", NULL, FBX_CURVE_NODE},
      {"AnimationCurve", NULL, FBX_CURVE},
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (fbx_is_named(&records->records[record], kinds[i].record_name) &&
        (kinds[i].subtype == NULL || fbx_is_text(fbx_value_at(records, record, 2), kinds[i].subtype)))
      return kinds[i].kind;
  return FBX_OTHER;
}

/// Binary: "Face\0\1Model"; text: "Model::Face".
static const char *object_name(const fbx_records *records, fbx_value value) {
  if (value.kind != FBX_VALUE_TEXT) return "";
  const uint8_t *start = value.bytes, *end = value.bytes + value.byte_count;
  const uint8_t *binary_mark = memmem(start, value.byte_count, "\0\1", 2);
  const uint8_t *text_mark = records->is_text ? memmem(start, value.byte_count, "::", 2) : NULL;
  if (binary_mark != NULL)
    end = binary_mark;
  else if (text_mark != NULL)
    start = text_mark + 2;
  return job_copy(records->job, start, (uint64_t)(end - start));
}

static int compare_objects(const void *a, const void *b) {
  const fbx_object *left = a, *right = b;
  if (left->id != right->id) return left->id < right->id ? -1 : 1;
  return left->record < right->record ? -1 : left->record > right->record;
}

static void collect_objects(fbx_facts *facts) {
  const fbx_records *records = facts->records;
  const uint32_t parent = fbx_child(records, FBX_NONE, "Objects", FBX_NONE);
  if (parent == FBX_NONE) return;
  uint32_t capacity = 0;
  for (uint32_t r = records->records[parent].first_child; r != FBX_NONE; r = records->records[r].next_sibling)
    capacity++;
  facts->objects = JOB_ARRAY(records->job, fbx_object, capacity);
  for (uint32_t r = records->records[parent].first_child; r != FBX_NONE; r = records->records[r].next_sibling) {
    const fbx_value id = fbx_value_at(records, r, 0);
    if (id.kind != FBX_VALUE_INTEGER) continue;
    facts->objects[facts->object_count++] =
        (fbx_object){id.integer, kind_of_record(records, r), object_name(records, fbx_value_at(records, r, 1)), r};
  }
  qsort(facts->objects, facts->object_count, sizeof *facts->objects, compare_objects);
}

uint32_t fbx_find_object(const fbx_facts *facts, int64_t id) {
  uint32_t low = 0, high = facts->object_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (facts->objects[middle].id < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < facts->object_count && facts->objects[low].id == id ? low : FBX_NONE;
}

// -- Connections ------------------------------------------------------------------------------------------------------

static int compare_links(const void *a, const void *b) {
  const fbx_link *left = a, *right = b;
  if (left->parent != right->parent) return left->parent < right->parent ? -1 : 1;
  return left->order < right->order ? -1 : left->order > right->order;
}

static int compare_links_up(const void *a, const void *b) {
  const fbx_link *left = a, *right = b;
  if (left->child != right->child) return left->child < right->child ? -1 : 1;
  return left->order < right->order ? -1 : left->order > right->order;
}

/// One "C: kind, child, parent, property". Connections of properties of the child ("PO", "PP") say nothing to us.
static void collect_link(fbx_facts *facts, uint32_t record) {
  const fbx_records *records = facts->records;
  const fbx_value kind = fbx_value_at(records, record, 0), child = fbx_value_at(records, record, 1),
                  parent = fbx_value_at(records, record, 2), property = fbx_value_at(records, record, 3);
  const bool is_whole = fbx_is_text(kind, "OO"), is_property = fbx_is_text(kind, "OP");
  if ((!is_whole && !is_property) || child.kind != FBX_VALUE_INTEGER || parent.kind != FBX_VALUE_INTEGER) return;
  fbx_link link = {FBX_NONE, fbx_find_object(facts, child.integer), record, ""};
  if (parent.integer != 0) link.parent = fbx_find_object(facts, parent.integer);
  if (link.child == FBX_NONE || (parent.integer != 0 && link.parent == FBX_NONE)) return;
  if (is_property && property.kind == FBX_VALUE_TEXT)
    link.property = job_copy(records->job, property.bytes, property.byte_count);
  facts->links[facts->link_count++] = link;
}

static void collect_links(fbx_facts *facts) {
  const fbx_records *records = facts->records;
  const uint32_t parent = fbx_child(records, FBX_NONE, "Connections", FBX_NONE);
  if (parent == FBX_NONE) return;
  uint32_t capacity = 0;
  for (uint32_t r = fbx_child(records, parent, "C", FBX_NONE); r != FBX_NONE; r = fbx_child(records, parent, "C", r))
    capacity++;
  facts->links = JOB_ARRAY(records->job, fbx_link, capacity);
  for (uint32_t r = fbx_child(records, parent, "C", FBX_NONE); r != FBX_NONE; r = fbx_child(records, parent, "C", r))
    collect_link(facts, r);
  facts->links_up = job_copy(records->job, facts->links, facts->link_count * sizeof *facts->links);
  qsort(facts->links, facts->link_count, sizeof *facts->links, compare_links);
  qsort(facts->links_up, facts->link_count, sizeof *facts->links_up, compare_links_up);
}

fbx_facts *fbx_facts_make(const fbx_records *records) {
  fbx_facts *facts = JOB_ARRAY(records->job, fbx_facts, 1);
  facts->records = records;
  collect_objects(facts);
  collect_links(facts);
  return facts;
}

// -- Looking ----------------------------------------------------------------------------------------------------------

static uint32_t link_end(const fbx_link *link, bool is_up) { return is_up ? link->child : link->parent; }

/// The range of links whose end is this object.
static const fbx_link *find_links(const fbx_facts *facts, const fbx_link *links, bool is_up, uint32_t object,
                                  uint32_t *count) {
  uint32_t low = 0, high = facts->link_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (link_end(&links[middle], is_up) < object)
      low = middle + 1;
    else
      high = middle;
  }
  uint32_t end = low;
  while (end < facts->link_count && link_end(&links[end], is_up) == object) end++;
  *count = end - low;
  return *count == 0 ? NULL : links + low;
}

const fbx_link *fbx_links_of(const fbx_facts *facts, uint32_t parent, uint32_t *count) {
  return find_links(facts, facts->links, false, parent, count);
}

const fbx_link *fbx_links_to(const fbx_facts *facts, uint32_t child, uint32_t *count) {
  return find_links(facts, facts->links_up, true, child, count);
}

uint32_t fbx_child_of_kind(const fbx_facts *facts, uint32_t parent, fbx_kind kind, uint32_t n) {
  uint32_t count;
  const fbx_link *links = fbx_links_of(facts, parent, &count);
  for (uint32_t i = 0; i < count; i++)
    if (facts->objects[links[i].child].kind == kind && links[i].property[0] == 0 && n-- == 0) return links[i].child;
  return FBX_NONE;
}

/// The value of P: "name", "type", "label", "flags", value in Properties70.
static fbx_value property_value(const fbx_facts *facts, uint32_t record, const char *name) {
  const fbx_records *records = facts->records;
  const uint32_t table = fbx_child(records, record, "Properties70", FBX_NONE);
  if (table == FBX_NONE) return (fbx_value){.kind = FBX_VALUE_NONE};
  for (uint32_t p = fbx_child(records, table, "P", FBX_NONE); p != FBX_NONE; p = fbx_child(records, table, "P", p))
    if (fbx_is_text(fbx_value_at(records, p, 0), name)) return fbx_value_at(records, p, 4);
  return (fbx_value){.kind = FBX_VALUE_NONE};
}

bool fbx_number(const fbx_facts *facts, uint32_t object, const char *name, double *number) {
  const uint32_t record = facts->objects[object].record;
  fbx_value value = fbx_value_at(facts->records, fbx_child(facts->records, record, name, FBX_NONE), 0);
  if (value.kind == FBX_VALUE_NONE) value = property_value(facts, record, name);
  if (value.kind != FBX_VALUE_INTEGER && value.kind != FBX_VALUE_NUMBER) return false;
  *number = value.number;
  return true;
}

double *fbx_child_array(const fbx_facts *facts, uint32_t object, const char *name, uint32_t *count) {
  const uint32_t record = fbx_child(facts->records, facts->objects[object].record, name, FBX_NONE);
  return fbx_array(facts->records, fbx_value_at(facts->records, record, 0), count);
}
