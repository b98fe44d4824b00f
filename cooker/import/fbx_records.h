/// fbx_records.h: an FBX file as what it is: a tree of records with values. Binary (both header widths) and text.
///
/// This is a reader beside Assimp, for facts that Assimp drops. It knows nothing of what records mean (fbx_facts.h
/// does), and it is a check of its own: a file whose records do not fit into each other is refused with F009 before
/// Assimp sees it. Names and values stay in the file's bytes, where most are only passed on; a value is taken out, and
/// an array unpacked, when somebody asks for it.
#ifndef COOK_FBX_RECORDS_H
#define COOK_FBX_RECORDS_H

#include <string.h>

#include "cooker/base/job.h"

#define FBX_NONE         0xFFFFFFFFu
#define FBX_VERSION_TREE 7000u ///< files from here on are trees of objects and connections; older ones are not read

typedef enum fbx_value_kind {
  FBX_VALUE_NONE,    ///< there is no such value
  FBX_VALUE_INTEGER, ///< integer holds it, and number too
  FBX_VALUE_NUMBER,  ///< number
  FBX_VALUE_TEXT,    ///< bytes and byte_count; they may hold zeros
  FBX_VALUE_ARRAY,   ///< bytes and byte_count: element_count elements of element_type, packed or not
} fbx_value_kind;

/// The kind says which members hold something: many values are kept of a text file.
typedef struct fbx_value {
  fbx_value_kind kind;
  char letter;            ///< of its type in a binary file, such as 'I' or 'S'; 0 where it comes from text
  char element_type;      ///< array: 'f' 'd' 'l' 'i' 'b', or 't' for numbers as text
  bool is_packed;         ///< array: compressed with zlib
  uint32_t element_count; ///< array: as stated; not yet checked against the bytes
  union {
    int64_t integer;
    const uint8_t *bytes; ///< of an array: as stored
  };
  union {
    double number;
    uint64_t byte_count;
  };
} fbx_value;

/// Records stand in file order, parents before children. The values lie in the file or, of a text file's records and
/// changed ones, in the tree's own array; fbx_value_at knows.
typedef struct fbx_record {
  const uint8_t *name;   ///< name_bytes of them, without a zero at the end
  const uint8_t *stored; ///< the values as they lie in a binary file, checked; NULL: they lie in the array
  uint64_t stored_bytes;
  uint32_t first_value; ///< in the array
  uint32_t value_count;
  uint32_t parent;       ///< FBX_NONE at the top
  uint32_t first_child;  ///< FBX_NONE without children
  uint32_t next_sibling; ///< FBX_NONE for the last one
  uint8_t name_bytes;
  bool has_list; ///< a list of children stands there, even if it is empty
} fbx_record;

typedef struct fbx_records {
  cook_job *job;
  uint32_t version; ///< 7400 for FBX 7.4
  bool is_text;
  uint32_t record_count, record_capacity;
  fbx_record *records;
  uint32_t value_count, value_capacity;
  fbx_value *values;
} fbx_records;

/// Reads a file that sniff_file took for binary FBX. Fails the job with F009 when records do not fit into each other.
/// A version below FBX_VERSION_TREE is returned without records.
fbx_records *fbx_records_read(cook_job *job, const uint8_t *bytes, uint64_t byte_count);

/// The same for the text form. bytes is followed by a zero byte.
fbx_records *fbx_text_read(cook_job *job, const uint8_t *bytes, uint64_t byte_count);

/// Is this the record's name?
static inline bool fbx_is_named(const fbx_record *record, const char *name) {
  const size_t name_bytes = strlen(name);
  return record->name_bytes == name_bytes && memcmp(record->name, name, name_bytes) == 0;
}

/// The first child of this name after previous (FBX_NONE: from the start); FBX_NONE when there is none. parent FBX_NONE
/// means the top.
uint32_t fbx_child(const fbx_records *records, uint32_t parent, const char *name, uint32_t previous);

/// A record's value; FBX_VALUE_NONE when it has fewer or record is FBX_NONE.
fbx_value fbx_value_at(const fbx_records *records, uint32_t record, uint32_t index);

/// Is the value this text?
static inline bool fbx_is_text(fbx_value value, const char *text) {
  const size_t length = strlen(text);
  return value.kind == FBX_VALUE_TEXT && value.byte_count == length && memcmp(value.bytes, text, length) == 0;
}

/// The elements of an array, NULL with *count = 0 when it is none or cannot be unpacked to exactly its stated size.
double *fbx_array(const fbx_records *records, fbx_value value, uint32_t *count);

// -- Growing and changing ---------------------------------------------------------------------------------------------

/// Appends a record; previous_sibling is FBX_NONE for a first child. The name, 255 bytes at most,
/// stays where it is.
uint32_t fbx_add_record(fbx_records *records, const void *name, size_t name_bytes, uint32_t parent,
                        uint32_t previous_sibling);

/// Appends a value to the newest record; all of its values one after the other.
void fbx_add_value(fbx_records *records, fbx_value value);

/// The record's values, to be changed; good until the next value is added anywhere.
fbx_value *fbx_edit_values(fbx_records *records, uint32_t record);

#define FBX_DEPTH_MAX 64 ///< real files need 8

/// Fails the job with F009.
_Noreturn void fbx_fail(cook_job *job, const char *what, uint64_t offset);

#endif
