/// fbx_editor.h: changing a record tree: new objects and connections at the ends of their lists, and links taken out.
#ifndef COOK_FBX_EDITOR_H
#define COOK_FBX_EDITOR_H

#include "cooker/import/fbx_records.h"

/// A tree that grows at the ends of its two lists.
typedef struct fbx_editor {
  cook_job *job;
  fbx_records *records;
  uint32_t objects, last_object;         ///< the list and its last record
  uint32_t connections, last_connection; ///< likewise
  int64_t next_id;                       ///< that no object has
} fbx_editor;

/// False for a tree without objects or connections: nothing in it could need repair.
bool fbx_editor_begin(fbx_editor *editor, fbx_records *records);

/// A new object with an empty list of children. Returns its record; its id is in *id.
uint32_t fbx_editor_add_object(fbx_editor *editor, const char *record_name, const fbx_value *name, const char *subtype,
                               int64_t *id);
uint32_t fbx_editor_add_child(fbx_editor *editor, uint32_t parent, const char *name);
void fbx_editor_connect(fbx_editor *editor, int64_t child, int64_t parent);

/// Takes marked connections (of the first marked_count records) out.
void fbx_editor_disconnect(fbx_editor *editor, const bool *is_marked, uint32_t marked_count);

/// Takes marked records (of the first marked_count) out of a list of children.
void fbx_unlink(fbx_records *records, uint32_t parent, const bool *is_marked, uint32_t marked_count);
uint32_t fbx_last_child(const fbx_records *records, uint32_t parent);

/// Values: a text, an id, and a name with its class as binary files have it.
fbx_value fbx_word(cook_job *job, const char *word);
fbx_value fbx_id(int64_t id);
fbx_value fbx_class_name(cook_job *job, const void *name, uint64_t name_bytes, const char *class_name);

#endif
