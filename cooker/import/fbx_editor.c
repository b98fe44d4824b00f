#include "cooker/import/fbx_editor.h"

#include <string.h>

static fbx_value editor_text(cook_job *job, const void *bytes, uint64_t byte_count) {
  const uint8_t *copy = job_copy(job, bytes, byte_count);
  return (fbx_value){.kind = FBX_VALUE_TEXT, .letter = 'S', .bytes = copy, .byte_count = byte_count};
}

fbx_value fbx_word(cook_job *job, const char *word) { return editor_text(job, word, strlen(word)); }

/// A name with its class, as binary files have it.
fbx_value fbx_class_name(cook_job *job, const void *name, uint64_t name_bytes, const char *class_name) {
  const uint64_t class_bytes = strlen(class_name);
  uint8_t *text = JOB_ARRAY(job, uint8_t, name_bytes + 2 + class_bytes);
  memcpy(text, name, name_bytes);
  text[name_bytes + 1] = 1;
  // NOLINTNEXTLINE(bugprone-not-null-terminated-result): a text of FBX has a length, no zero at its end
  memcpy(text + name_bytes + 2, class_name, class_bytes);
  return (fbx_value){.kind = FBX_VALUE_TEXT, .letter = 'S', .bytes = text, .byte_count = name_bytes + 2 + class_bytes};
}

fbx_value fbx_id(int64_t id) {
  return (fbx_value){.kind = FBX_VALUE_INTEGER, .letter = 'L', .integer = id, .number = (double)id};
}

uint32_t fbx_last_child(const fbx_records *records, uint32_t parent) {
  uint32_t last = FBX_NONE;
  for (uint32_t r = records->records[parent].first_child; r != FBX_NONE; r = records->records[r].next_sibling) last = r;
  return last;
}

uint32_t fbx_editor_add_child(fbx_editor *editor, uint32_t parent, const char *name) {
  return fbx_add_record(editor->records, name, strlen(name), parent, fbx_last_child(editor->records, parent));
}

/// A new object with an empty list of children. Returns its record; its id is in *id.
uint32_t fbx_editor_add_object(fbx_editor *editor, const char *record_name, const fbx_value *name, const char *subtype,
                               int64_t *id) {
  *id = editor->next_id++;
  const uint32_t record =
      fbx_add_record(editor->records, record_name, strlen(record_name), editor->objects, editor->last_object);
  editor->last_object = record;
  editor->records->records[record].has_list = true;
  fbx_add_value(editor->records, fbx_id(*id));
  fbx_add_value(editor->records, fbx_class_name(editor->job, name->bytes, name->byte_count, record_name));
  fbx_add_value(editor->records, fbx_word(editor->job, subtype));
  return record;
}

void fbx_editor_connect(fbx_editor *editor, int64_t child, int64_t parent) {
  editor->last_connection = fbx_add_record(editor->records, "C", 1, editor->connections, editor->last_connection);
  fbx_add_value(editor->records, fbx_word(editor->job, "OO"));
  fbx_add_value(editor->records, fbx_id(child));
  fbx_add_value(editor->records, fbx_id(parent));
}

/// Takes marked records out of a list of children.
void fbx_unlink(fbx_records *records, uint32_t parent, const bool *is_marked, uint32_t marked_count) {
  uint32_t previous = FBX_NONE;
  for (uint32_t r = records->records[parent].first_child; r != FBX_NONE; r = records->records[r].next_sibling) {
    const bool is_kept = r >= marked_count || !is_marked[r];
    if (!is_kept && previous == FBX_NONE)
      records->records[parent].first_child = records->records[r].next_sibling;
    else if (!is_kept)
      records->records[previous].next_sibling = records->records[r].next_sibling;
    if (is_kept) previous = r;
  }
}

void fbx_editor_disconnect(fbx_editor *editor, const bool *is_marked, uint32_t marked_count) {
  fbx_unlink(editor->records, editor->connections, is_marked, marked_count);
  editor->last_connection = fbx_last_child(editor->records, editor->connections);
}

static int64_t editor_free_id(const fbx_records *records, uint32_t objects) {
  int64_t largest = 0;
  for (uint32_t r = records->records[objects].first_child; r != FBX_NONE; r = records->records[r].next_sibling) {
    const fbx_value id = fbx_value_at(records, r, 0);
    if (id.kind == FBX_VALUE_INTEGER && id.integer > largest) largest = id.integer;
  }
  if (largest > INT64_MAX - UINT32_MAX) fbx_fail(records->job, "an id that leaves none free", 0);
  return largest + 1;
}

/// False for a tree without objects or connections: nothing in it could need repair.
bool fbx_editor_begin(fbx_editor *editor, fbx_records *records) {
  *editor = (fbx_editor){.job = records->job, .records = records};
  editor->objects = fbx_child(records, FBX_NONE, "Objects", FBX_NONE);
  editor->connections = fbx_child(records, FBX_NONE, "Connections", FBX_NONE);
  if (editor->objects == FBX_NONE || editor->connections == FBX_NONE) return false;
  editor->last_object = fbx_last_child(records, editor->objects);
  editor->last_connection = fbx_last_child(records, editor->connections);
  editor->next_id = editor_free_id(records, editor->objects);
  return true;
}
