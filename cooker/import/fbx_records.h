/// fbx_records.h: an FBX file as what it is: a tree of records with values. Binary (both header widths) and text.
///
/// This is a reader beside Assimp, for facts that Assimp drops. It knows nothing of what records mean (fbx_facts.h
/// does), and it is a check of its own: a file whose records do not fit into each other is refused with F009 before
/// Assimp sees it. Values stay in the file's bytes; arrays are unpacked when somebody asks for one.
#ifndef COOK_FBX_RECORDS_H
#define COOK_FBX_RECORDS_H

#include "cooker/base/job.h"

#define FBX_NONE         0xFFFFFFFFu
#define FBX_VERSION_TREE 7000u ///< files from here on are trees of objects and connections; older ones are not read

typedef enum fbx_value_kind {
  FBX_VALUE_INTEGER, ///< integer holds it, and number too
  FBX_VALUE_NUMBER,  ///< number
  FBX_VALUE_TEXT,    ///< bytes, which may hold zeros
  FBX_VALUE_ARRAY,   ///< elements of element_type, packed or not
} fbx_value_kind;

typedef struct fbx_value {
  fbx_value_kind kind;
  char letter; ///< of its type in a binary file, such as 'I' or 'S'; 0 where it comes from text
  int64_t integer;
  double number;
  const uint8_t *bytes; ///< text, or the stored bytes of an array
  uint64_t byte_count;
  char element_type;      ///< array: 'f' 'd' 'l' 'i' 'b', or 't' for numbers as text
  uint32_t element_count; ///< array: as stated; not yet checked against the bytes
  bool is_packed;         ///< array: compressed with zlib
} fbx_value;

/// Records stand in file order, parents before children.
typedef struct fbx_record {
  const char *name;
  uint32_t parent;       ///< FBX_NONE at the top
  uint32_t first_child;  ///< FBX_NONE without children
  uint32_t next_sibling; ///< FBX_NONE for the last one
  uint32_t first_value;
  uint32_t value_count;
  bool has_list; ///< a list of children stands there, even if it is empty
} fbx_record;

typedef struct fbx_records {
  cook_job *job;
  uint32_t version; ///< 7400 for FBX 7.4
  bool is_text;
  uint32_t record_count;
  fbx_record *records;
  uint32_t value_count;
  fbx_value *values;
} fbx_records;

/// Reads a file that sniff_file took for binary FBX. Fails the job with F009 when records do not fit into each other.
/// A version below FBX_VERSION_TREE is returned without records.
fbx_records *fbx_records_read(cook_job *job, const uint8_t *bytes, uint64_t byte_count);

/// The same for the text form. bytes is followed by a zero byte.
fbx_records *fbx_text_read(cook_job *job, const uint8_t *bytes, uint64_t byte_count);

/// The first child of this name after previous (FBX_NONE: from the start); FBX_NONE when there is none. parent FBX_NONE
/// means the top.
uint32_t fbx_child(const fbx_records *records, uint32_t parent, const char *name, uint32_t previous);

/// A record's value, NULL when it has fewer or record is FBX_NONE.
const fbx_value *fbx_value_at(const fbx_records *records, uint32_t record, uint32_t index);

/// The elements of an array, NULL with *count = 0 when it is none or cannot be unpacked to exactly its stated size.
double *fbx_array(const fbx_records *records, const fbx_value *value, uint32_t *count);

// -- Growing while reading; used by both readers ----------------------------------------------------------------------

typedef struct fbx_builder {
  fbx_records *records;
  uint32_t record_capacity;
  uint32_t value_capacity;
} fbx_builder;

/// Appends a record; previous_sibling is FBX_NONE for a first child.
uint32_t fbx_add_record(fbx_builder *builder, const char *name, uint32_t parent, uint32_t previous_sibling);
/// Appends a value to the newest record.
void fbx_add_value(fbx_builder *builder, fbx_value value);

#define FBX_DEPTH_MAX 64 ///< real files need 8

/// Fails the job with F009.
_Noreturn void fbx_fail(cook_job *job, const char *what, uint64_t offset);

#endif
