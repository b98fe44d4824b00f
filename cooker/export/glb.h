/// glb.h: a GLB file in the making, and the stages that write into it. Private to cooker/export.
///
/// The arrays of the JSON are texts of their own, each written from its start to its end, while the bytes of all
/// accessors grow in one BIN chunk; glb_finish puts them together.
#ifndef EXPORT_GLB_H
#define EXPORT_GLB_H

#include "cooker/export/export.h"
#include "cooker/report/json_out.h"

typedef enum glb_array {
  GLB_NODES,
  GLB_MESHES,
  GLB_SKINS,
  GLB_ANIMATIONS,
  GLB_MATERIALS,
  GLB_TEXTURES,
  GLB_IMAGES,
  GLB_ACCESSORS,
  GLB_VIEWS,
  GLB_ARRAY_COUNT
} glb_array;

/// One array of the JSON: an object for each element.
typedef struct glb_table {
  text_out text;
  json_out json;
  uint32_t count;
} glb_table;

/// Which parts of a mesh are together in a mesh of the file.
typedef enum glb_choice { GLB_ALL_PARTS, GLB_SKINNED_PARTS, GLB_RIGID_PARTS, GLB_CHOICE_COUNT } glb_choice;

/// A node of the file: those of the pack with their numbers, then the ones that glTF needs besides.
typedef struct glb_node {
  const char *name; ///< NULL or empty: none
  uint32_t parent;
  uint32_t mesh; ///< of the file
  uint32_t skin;
  uint32_t instance; ///< of the pack: whose weights it has; MPAK_NONE: none
  float translation[3];
  float rotation[4];
  float scale[3];
  glb_choice choice;    ///< of the parts that it draws
  bool is_level;        ///< a lower level of detail: in no scene
  uint32_t first_level; ///< nodes of its lower levels
  uint32_t level_count;
} glb_node;

typedef struct glb_file {
  cook_job *job;
  const export_model *model;
  const mpak_pack *pack;
  text_out bytes; ///< the BIN chunk
  glb_table tables[GLB_ARRAY_COUNT];
  glb_node *nodes;
  uint32_t node_count;
  uint32_t *mesh_of[GLB_CHOICE_COUNT];       ///< by mesh of the pack: the file's, or MPAK_NONE
  uint32_t *level_mesh_of[GLB_CHOICE_COUNT]; ///< by LOD of the pack, 0 left out: the same
  bool has_levels;                           ///< any node has
  uint32_t *rigid_node_of;        ///< by instance: the node beside it that draws its rigid parts, or MPAK_NONE
  uint64_t fixed_direction_count; ///< directions without length that were given one
} glb_file;

void glb_begin(glb_file *glb, cook_job *job, const export_model *model);

/// Opens the next element of an array and returns its writer; the caller closes it.
json_out *glb_element(glb_file *glb, glb_array array);

/// The bytes of the whole file.
export_file glb_finish(glb_file *glb);

/// O014, an info: what glTF cannot say, and what was done.
void glb_note(const glb_file *glb, const char *what, const char *instead, cook_where where);

// -- Bytes and accessors ---------------------------------------------------------------------------------------------

#define GLB_UNSIGNED_BYTE  5121u
#define GLB_UNSIGNED_SHORT 5123u
#define GLB_UNSIGNED_INT   5125u
#define GLB_FLOAT          5126u

typedef enum glb_use { GLB_USE_ANY = 0, GLB_USE_VERTICES = 34962, GLB_USE_INDICES = 34963 } glb_use;

/// Adds bytes to the BIN chunk, at a multiple of 4. stride: of vertex attributes that are not tightly packed, else 0.
uint32_t glb_put_view(glb_file *glb, const void *bytes, uint64_t byte_count, glb_use use, uint32_t stride);

/// Numbers of vertices (ascending) in the smallest type that holds vertex_count.
typedef struct glb_sparse {
  uint32_t count;
  uint32_t index_view;
  uint32_t index_type;
  uint32_t value_view;
} glb_sparse;

typedef struct glb_accessor {
  uint32_t view; ///< MPAK_NONE: zeros
  uint32_t component_type;
  const char *type; ///< "VEC3"
  uint32_t count;
  bool is_normalized;
  uint32_t bound_count; ///< components of min and max; 0: none
  const float *min;
  const float *max;
  const glb_sparse *sparse; ///< or NULL
} glb_accessor;

uint32_t glb_put_accessor(glb_file *glb, const glb_accessor *accessor);

/// Floats as an accessor of their own. width: 1, 2, 3, 4 or 16. has_bounds: min and max are said.
uint32_t glb_put_floats(glb_file *glb, const float *values, uint32_t count, uint32_t width, glb_use use,
                        bool has_bounds);

/// Smallest and largest of each of width (at most 4) components.
void glb_bounds(const float *values, uint64_t count, uint32_t width, float min[4], float max[4]);

// -- Meshes ----------------------------------------------------------------------------------------------------------

/// A primitive of the file: the part's data with these vertices.
typedef struct glb_primitive {
  uint32_t part;
  const mpak_base_vertex *vertices;
  bool is_mirrored;
  bool has_skin;         ///< write joints and weights
  uint32_t target_count; ///< targets to write; those that the part lacks are zeros
} glb_primitive;

/// Writes one element of "primitives".
void glb_put_primitive(glb_file *glb, json_out *json, const glb_primitive *primitive);

/// JOINTS_n and WEIGHTS_n, within "attributes".
void glb_put_influences(glb_file *glb, json_out *json, uint32_t part);

/// "targets" of a primitive.
void glb_put_targets(glb_file *glb, json_out *json, uint32_t part, uint32_t target_count);

/// Makes the mesh of the file with the chosen parts, unless there are none, and notes its number in mesh_of.
void glb_make_mesh(glb_file *glb, uint32_t mesh, glb_choice choice);

/// The same for a lower level under a name of its own; returns its number, or MPAK_NONE.
uint32_t glb_make_level_mesh(glb_file *glb, uint32_t mesh, glb_choice choice, uint32_t level, const char *name);

/// Adds a node for each lower level of the nodes that draw (MSFT_lod); those of one node are consecutive.
/// glb_count_levels: as many as one choice of parts may need.
void glb_add_levels(glb_file *glb);
uint64_t glb_count_levels(const glb_file *glb);

/// "extensions" and "extras" of a node that has levels.
void glb_put_levels(const glb_file *glb, json_out *json, const glb_node *node);

/// Has the mesh parts with and parts without joints?
bool glb_mesh_has(const glb_file *glb, uint32_t mesh, glb_choice choice);

// -- Shapes and controls ---------------------------------------------------------------------------------------------

/// Targets of a mesh: the shapes of its part with the most, by which the others are numbered too.
uint32_t glb_target_count(const glb_file *glb, uint32_t mesh);
const mpak_shape *glb_target_shapes(const glb_file *glb, uint32_t mesh);

/// The weight of a shape from that of its control.
double glb_shape_weight(const mpak_pack *pack, const mpak_shape *shape, double control_weight);

/// The number of a shape's control within its mesh.
uint32_t glb_control_of(const mpak_pack *pack, uint32_t mesh, const mpak_shape *shape);

/// "weights": of the shapes, from weights of the controls (NULL: their defaults).
void glb_put_weights(glb_file *glb, json_out *json, uint32_t mesh, const float *controls);

/// "extras" with "targetNames"; nothing where no control has a name.
void glb_put_target_names(glb_file *glb, json_out *json, uint32_t mesh);

// -- The rest --------------------------------------------------------------------------------------------------------

void glb_put_materials(glb_file *glb);

/// Fills glb->nodes from the pack, with the nodes that glTF needs besides; makes the meshes that they draw.
void glb_make_nodes(glb_file *glb);
void glb_put_nodes(glb_file *glb);
void glb_make_unit_rotation(float rotation[4]);
uint32_t glb_add_node(glb_file *glb, const char *name, uint32_t parent);

/// A 3x4 matrix that is no TRS as two nodes: outer moves, turns and scales what inner turns.
void glb_split_matrix(const float matrix[12], glb_node *outer, glb_node *inner);

void glb_put_skins(glb_file *glb);

void glb_put_clips(glb_file *glb);

/// Keys of a track as they are written.
typedef struct glb_keys {
  uint32_t count;
  uint32_t width; ///< values of a key, or of each of its three parts with CUBICSPLINE
  mpak_interpolation interpolation;
  const float *times;
  const float *values;
} glb_keys;

/// One animated path of one node of the pack.
typedef struct glb_track {
  uint32_t node;
  uint32_t path; ///< mpak_track_path
  glb_keys keys;
} glb_track;

/// The compressed tracks of a clip.
glb_track *glb_block_tracks(glb_file *glb, uint32_t clip, uint32_t *count);

/// Weights of the controls of a mesh as weights of its shapes: the same curves, with keys added where rules bend them.
glb_keys glb_shape_keys(glb_file *glb, uint32_t mesh, const glb_keys *controls);

#endif
