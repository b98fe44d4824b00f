/// gltf_reader.h: what the files of the glTF reader share. gltf_import.c reads like a table of contents.
///
/// The reader stops at the first structural fault (job_fail): behind one, nothing can be trusted. What it may drop or
/// read otherwise without harm is a warning. Values are never judged here, that is check/.
#ifndef COOK_GLTF_READER_H
#define COOK_GLTF_READER_H

#include "cooker/base/job.h"
#include "cooker/import/json.h"
#include "cooker/scene/scene.h"

// -- The reader ------------------------------------------------------------------------------------------------------

typedef struct gltf_buffer {
  const uint8_t *bytes; ///< NULL until needed
  uint64_t byte_count;  ///< as declared; bytes has at least as many
} gltf_buffer;

typedef struct gltf_view {
  const uint8_t *bytes; ///< NULL until needed; decoded if it was compressed
  uint64_t byte_count;
  uint64_t byte_stride; ///< 0: tightly packed
} gltf_view;

typedef struct gltf_reader {
  cook_job *job;
  cook_scene *scene;
  const char *path;
  cook_json root;
  cook_json buffer_array, view_array, accessor_array, node_array, mesh_array; ///< top-level arrays, or nothing
  cook_json skin_array, material_array, texture_array, image_array, animation_array, scene_array;
  bool has_bin;       ///< a GLB with a BIN chunk
  const uint8_t *bin; ///< its content
  uint64_t bin_byte_count;
  bool is_quantized; ///< KHR_mesh_quantization is used
  gltf_buffer *buffers;
  gltf_view *views;
  uint64_t dense_bytes;      ///< decoded so far
  uint64_t vertex_count;     ///< of all primitives so far
  uint64_t *file_hashes;     ///< of every file read, in order
  const char **target_names; ///< of the mesh being read, as found; entries may be NULL
  uint32_t target_name_count;
  uint32_t here_node;    ///< the node being read, or MPAK_NONE: its path is put together only for a report
  cook_where here;       ///< the object being read: mesh, primitive, target, skin, clip, node
  bool has_said_pointer; ///< the warning about KHR_animation_pointer was given
} gltf_reader;

// -- Faults (gltf_value.c) -------------------------------------------------------------------------------------------

/// Nothing is being read any more: reports name no object.
void gltf_leave(gltf_reader *reader);
/// Reports an issue about the object being read, at a place in the JSON. value and limit may be NULL.
void gltf_report(gltf_reader *reader, mpak_issue_id id, const cook_json *at, const char *value, const char *limit);
/// The same, and leaves the job.
_Noreturn void gltf_fail(gltf_reader *reader, mpak_issue_id id, const cook_json *at, const char *value,
                         const char *limit);

// -- Typed members (gltf_value.c)
// -------------------------------------------------------------------------------------- A member of the wrong type
// fails with G001, a required one that is missing with G002, a number out of its range or with a fraction where none
// may be with G004.

/// Member that must be an object (or array) where it exists.
cook_json gltf_object(gltf_reader *reader, const cook_json *object, const char *key);
cook_json gltf_array(gltf_reader *reader, const cook_json *object, const char *key);
/// Element of an array that must be an object.
cook_json gltf_object_at(gltf_reader *reader, const cook_json *array, uint64_t index);
/// Fails with G002 where a member does not exist.
void gltf_require(gltf_reader *reader, const cook_json *member);
/// A whole number from 0 to `most`; `otherwise` where it does not exist.
uint64_t gltf_whole(gltf_reader *reader, const cook_json *member, uint64_t most, uint64_t otherwise);
/// An index below the length of `table`, or MPAK_NONE where it does not exist. Fails with G003 when it is out of range.
uint32_t gltf_index(gltf_reader *reader, const cook_json *member, const cook_json *table);
float gltf_float(gltf_reader *reader, const cook_json *member, float otherwise);
bool gltf_truth(gltf_reader *reader, const cook_json *object, const char *key);
/// `count` numbers into out, which is left alone where the array does not exist. Returns whether it does.
bool gltf_floats(gltf_reader *reader, const cook_json *array, uint32_t count, float *out);
/// A text without zero bytes (F028), or NULL where it does not exist.
const char *gltf_text(gltf_reader *reader, const cook_json *member);
/// The name of an object, or NULL: something that is no text is the warning G043. Longer than the limit fails (G042).
const char *gltf_name(gltf_reader *reader, const cook_json *object);
/// The same for an element of a list of names.
const char *gltf_name_at(gltf_reader *reader, const cook_json *value);
/// Fails with G041 when there are more of a kind than the limit allows.
void gltf_limit_count(gltf_reader *reader, const cook_json *at, uint64_t count, uint64_t limit, const char *what);

// -- The file (gltf_container.c) -------------------------------------------------------------------------------------

/// Takes a GLB apart, parses the JSON, checks version and extensions, finds the top-level arrays.
void gltf_open(gltf_reader *reader, const uint8_t *bytes, uint64_t byte_count);

// -- Names of places (gltf_uri.c) ------------------------------------------------------------------------------------

/// Is this a data: URI?
bool gltf_uri_is_data(const char *uri);
/// Decodes a data URI. Fails with F021.
uint8_t *gltf_uri_decode(gltf_reader *reader, const cook_json *at, const char *uri, uint64_t *byte_count);
/// The path of a file that a URI names, beside the model. Fails with F022 when it could lie elsewhere, F023 when it is
/// not there.
const char *gltf_uri_to_path(gltf_reader *reader, const cook_json *at, const char *uri);

// -- Bytes (gltf_buffer.c, gltf_meshopt.c) ---------------------------------------------------------------------------

/// Checks all buffers and bufferViews against each other; reads nothing yet.
void gltf_read_buffer_tables(gltf_reader *reader);
/// The bytes of a bufferView; reads and decodes on first use.
const gltf_view *gltf_use_view(gltf_reader *reader, uint32_t index);
/// byte_count bytes at byte_offset of a buffer; the range was checked. Reads the buffer on first use.
const uint8_t *gltf_buffer_bytes(gltf_reader *reader, uint32_t index, uint64_t byte_offset);
/// Counts decoded bytes and fails with G062 above the limit.
void gltf_count_dense(gltf_reader *reader, const cook_json *at, uint64_t count, uint64_t element_bytes);

/// The EXT_meshopt_compression object of a bufferView or buffer; its value is NULL where there is none.
cook_json gltf_meshopt_of(gltf_reader *reader, const cook_json *extensions);
/// Checks the ranges of a compressed view.
void gltf_meshopt_check(gltf_reader *reader, const cook_json *extension, uint64_t view_bytes);
/// Decodes a compressed view. Fails with F030.
const uint8_t *gltf_meshopt_decode(gltf_reader *reader, const cook_json *extension);

// -- Accessors (gltf_accessor.c) -------------------------------------------------------------------------------------

typedef enum gltf_component {
  GLTF_I8 = 5120,
  GLTF_U8 = 5121,
  GLTF_I16 = 5122,
  GLTF_U16 = 5123,
  GLTF_U32 = 5125,
  GLTF_F32 = 5126
} gltf_component;

/// Bits of gltf_use: one per component type, plain and normalised.
enum {
  GLTF_USE_I8 = 1,
  GLTF_USE_U8 = 2,
  GLTF_USE_I16 = 4,
  GLTF_USE_U16 = 8,
  GLTF_USE_U32 = 16,
  GLTF_USE_F32 = 32,
  GLTF_USE_I8N = 64,
  GLTF_USE_U8N = 128,
  GLTF_USE_I16N = 256,
  GLTF_USE_U16N = 512
};

/// What an accessor is used for, and so which types it may have.
typedef struct gltf_use {
  const char *what;          ///< "POSITION"
  uint32_t least_components; ///< 3 for VEC3
  uint32_t most_components;  ///< 4 for VEC3 or VEC4
  uint32_t types;            ///< bits of core glTF
  uint32_t quantized_types;  ///< further bits with KHR_mesh_quantization; without it a warning
  uint32_t odd_types;        ///< bits that no text allows but whose formula leaves no doubt: always a warning
} gltf_use;

/// An accessor whose ranges have been checked.
typedef struct gltf_accessor {
  uint32_t index;
  gltf_component component;
  uint32_t component_bytes;
  uint32_t component_count; ///< 1 SCALAR, 2 VEC2, 3 VEC3, 4 VEC4, 16 MAT4 (also 4 and 9 for MAT2 and MAT3)
  bool is_normalized;
  bool is_matrix;
  uint32_t count;      ///< elements, at least 1
  const uint8_t *base; ///< NULL: zeros
  uint64_t byte_stride;
  uint32_t sparse_count;
  const uint8_t *sparse_indices;
  uint32_t sparse_index_bytes; ///< 1, 2 or 4
  const uint8_t *sparse_values;
} gltf_accessor;

/// Opens the accessor that `member` names and checks its type for the use and all its ranges.
gltf_accessor gltf_open_accessor(gltf_reader *reader, const cook_json *member, const gltf_use *use);
/// Is every component zero because nothing stands behind the accessor?
bool gltf_accessor_is_zero(const gltf_accessor *accessor);

/// count * component_count values in new memory.
float *gltf_read_floats(gltf_reader *reader, const gltf_accessor *accessor);
uint32_t *gltf_read_u32(gltf_reader *reader, const gltf_accessor *accessor);
/// Values as floats into `out`, element i at out + i * out_stride.
void gltf_read_floats_into(const gltf_accessor *accessor, float *out, uint64_t out_stride);
void gltf_read_u16_into(const gltf_accessor *accessor, uint16_t *out, uint64_t out_stride);
/// Components as they are, each element padded to `out_stride` bytes with 0xFF.
void gltf_read_raw_into(const gltf_accessor *accessor, uint8_t *out, uint64_t out_stride);

// -- Objects ---------------------------------------------------------------------------------------------------------

void gltf_read_materials(gltf_reader *reader);    // gltf_material.c
void gltf_read_nodes(gltf_reader *reader);        // gltf_node.c: all but meshes' target counts
void gltf_read_meshes(gltf_reader *reader);       // gltf_mesh.c
void gltf_read_node_weights(gltf_reader *reader); // gltf_node.c: needs meshes
void gltf_read_skins(gltf_reader *reader);        // gltf_skin.c
void gltf_mark_cooked_nodes(gltf_reader *reader); // gltf_scene.c: needs skins
void gltf_read_animations(gltf_reader *reader);   // gltf_animation.c

/// Triangles of a primitive (gltf_index.c); its vertices are known.
void gltf_read_triangles(gltf_reader *reader, const cook_json *object, cook_primitive *primitive, uint32_t mode);

/// Finds the names of a mesh's targets, so that messages can use them from the start (gltf_target.c).
void gltf_find_target_names(gltf_reader *reader, const cook_json *mesh, const cook_json *primitives);
/// Morph targets of a primitive whose base streams are read.
void gltf_read_targets(gltf_reader *reader, const cook_json *object, cook_primitive *primitive);
/// Gives a mesh whose target_count is known its targets' names and default weights.
void gltf_name_targets(gltf_reader *reader, const cook_json *object, cook_mesh *mesh);
void gltf_read_mesh_weights(gltf_reader *reader, const cook_json *object, cook_mesh *mesh);
/// An array of exactly target_count numbers, or NULL where it does not exist. A wrong length fails with `id`.
float *gltf_read_weights(gltf_reader *reader, const cook_json *array, uint32_t target_count, mpak_issue_id id);

/// The path of a node, "Root/Hips/Spine"; nodes without a name stand as node_3, and a very long path begins with "…/".
const char *gltf_node_path(gltf_reader *reader, uint32_t node);
/// A clip moves this node: a matrix becomes translation, rotation and scale, or the job fails (G048).
void gltf_require_trs(gltf_reader *reader, const cook_json *at, uint32_t node);
/// Takes a matrix (3 rows of 4) apart. True when it is a translation, rotation and scale, each element within
/// tolerance * length of its column.
bool gltf_matrix_to_trs(const float matrix[12], double tolerance, cook_node *node);

#endif
