/// scene.h: the cooker's own model of a source file. Importers fill it, checks read it, stages rework it; nothing else
/// is shared between them.
///
/// Spaces and units: metres, right-handed, +Y up. Node transforms are relative to the parent; positions, normals and
/// deltas are in the mesh's own space. Column vectors. Deltas are target minus base. V of texture coordinates points
/// down, as in glTF. All arrays live in the job's arena. Strings are zero-terminated UTF-8; NULL means "the source has
/// none".
///
/// What an importer must guarantee (scene_io checks it when a scene comes from the worker): every count is within
/// the job's limits, every index below is inside its table (or MPAK_NONE), the node tree has no cycle, arrays have the
/// lengths stated here. What it must NOT repair: values. NaN, joints out of range, weights that do not sum to 1 and the
/// like arrive as they are, for check/ to see. Vertex indices are the exception: an importer reports an index past the
/// vertices itself and the job stops, since nothing behind it could survive one.
#ifndef COOK_SCENE_H
#define COOK_SCENE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/mpak_format.h"

typedef enum cook_source_kind { COOK_SOURCE_GLTF = 1, COOK_SOURCE_FBX = 2, COOK_SOURCE_OTHER = 3 } cook_source_kind;

typedef struct cook_node {
  const char *name;
  uint32_t parent; ///< any number, no cycle; MPAK_NONE for a root
  uint32_t source_index;
  bool is_cooked; ///< in the default scene, or needed by a cooked skin (with all ancestors)
  bool is_matrix; ///< matrix holds the rest pose and is no TRS
  float translation[3];
  float rotation[4]; ///< xyzw, as the source has it (not normalised)
  float scale[3];
  float matrix[12]; ///< 3 rows of 4; valid if is_matrix
  uint32_t mesh;    ///< or MPAK_NONE
  uint32_t skin;    ///< or MPAK_NONE
  float *weights;   ///< default weights of this instance, by control, weight_count of them; NULL: the mesh's
  uint32_t weight_count;
  uint32_t lod_count; ///< lower levels of detail that the source itself lists here (MSFT_lod, FBX LOD groups)
  uint32_t *lods;     ///< lod_count nodes, level 1 first; cooked or not
  float *lod_sizes;   ///< lod_count + 1, as cook_lod.screen_size, level 0 first; or NULL
} cook_node;

/// One morph target of one primitive: a shape, one set of deltas. A NULL stream is all zeros.
typedef struct cook_target {
  float (*position_deltas)[3]; ///< vertex_count
  float (*normal_deltas)[3];
  float (*tangent_deltas)[3];
  uint32_t source_moved_count; ///< filled by check/: source vertices with a non-zero position delta
  float source_max_delta;      ///< filled by check/: largest length of a position delta
  int8_t position_floor;       ///< made by build/quantise_deltas: the lowest position exponent, 0 … -40
} cook_target;

/// Grids on which build/quantise put the floats of a primitive (they stay floats, each a number of its grid), for the
/// packer to store the numbers. All zero: nothing is quantised, and deltas are P36.
typedef struct cook_grid {
  mpak_payload payload;     ///< P8, P12, P16, or NONE: floats
  float step;               ///< of position deltas, metres; the same in all primitives and LODs of a mesh
  float normal_step;        ///< of normal and tangent deltas
  int8_t fine_exponent;     ///< of normal deltas at vertices that need finer numbers than others; 0: there are none
  float position_origin[3]; ///< of base positions, metres
  float position_step;      ///< 0: floats
  uint32_t normal_bits;     ///< of each octahedral coordinate, 8 … 16; 0: floats
  uint32_t tangent_bits;    ///< of the angle about the normal, 6 … 15; 0: floats
  float texcoord_origin[4][2];
  float texcoord_step[4][2]; ///< 0: floats
  uint32_t weight_bits;      ///< 8 or 16; 0: floats
  bool reorthogonalises;     ///< tangent deltas were dropped
} cook_grid;

/// Largest and mean error that a stage made in a stream, against what the stage was given.
typedef struct cook_error {
  double largest;
  double square_sum;
  uint64_t count;
} cook_error;

/// Adds the magnitude of one difference; one that is not a number counts as infinite.
static inline void cook_error_add(cook_error *error, double difference) {
  const double size = fabs(difference);
  error->count++;
  error->square_sum += size * size;
  if (!(size <= error->largest)) error->largest = size == size ? size : (double)INFINITY;
}

static inline float cook_error_rms(const cook_error *error) {
  return error->count != 0 ? (float)sqrt(error->square_sum / (double)error->count) : 0;
}

/// Triangles and vertices that one draw unit takes: consecutive ones.
typedef struct cook_section_range {
  uint32_t first_index, index_count;
  uint32_t first_vertex, vertex_count;
} cook_section_range;

/// Triangles of one material (one glTF primitive, one aiMesh).
typedef struct cook_primitive {
  uint32_t source_primitive; ///< number within the source's mesh, lines and points counted
  uint32_t material;         ///< or MPAK_NONE
  uint32_t vertex_count;     ///< after import: source vertices. Stages change it together with every array
  float (*positions)[3];
  float (*normals)[3];      ///< or NULL
  float (*tangents)[4];     ///< or NULL; w = +1 or -1
  float (*texcoords[4])[2]; ///< sets 0..3, or NULL
  uint8_t *colours;         ///< COLOR_0 in its source type, or NULL
  /// mpak_element_format: F32X3, F32X4, UNORM8X3, UNORM8X4, UNORM16X3, UNORM16X4. One colour takes the bytes that the
  /// pack stores: 12, 16, 4 (the last 255), 4, 8 (the last 65535), 8.
  uint8_t colour_format;
  uint32_t influence_count; ///< influences per vertex in joints and weights: 4 * joint sets; 0: not skinned
  uint16_t *joints;         ///< vertex_count * influence_count, index in the skin's joints; or NULL
  float *weights;           ///< vertex_count * influence_count, or NULL
  uint32_t index_count;     ///< multiple of 3
  uint32_t *indices;        ///< triangle list; strips and fans already unrolled, missing indices made
  uint32_t source_vertex_count;
  uint32_t source_index_count; ///< as the source counts them; its vertex count where it has none
  uint32_t target_count;       ///< shapes; 0, or as many as the mesh has
  cook_target *targets;
  /// Made by build/: source vertex of each vertex (lowest where several became one). NULL means identity.
  uint32_t *source_of_vertex;
  /// By source vertex: did its normal miss the bound of --quality? Shared with copies of the scene; NULL: nobody asks.
  bool *has_missed_normal;
  /// Made by build/: vertex of each source vertex, MPAK_NONE where no triangle uses it. NULL means identity.
  uint32_t *vertex_of_source;
  /// Made by build/: sources[source_starts[v] .. source_starts[v + 1]) are the source vertices that became vertex v,
  /// ascending. NULL means source_of_vertex[v] alone. Keeps the source map exact where vertices were split and welded.
  uint32_t *source_starts;
  uint32_t *sources;
  bool has_flat_normals;  ///< made by build/: normals are flat as glTF asks where a file has none
  uint32_t lod;           ///< below the mesh's lod_count; 0 without LODs
  cook_grid grid;         ///< made by build/quantise
  cook_error errors[8];   ///< made by build/quantise, by mpak_error_stream
  uint32_t section_count; ///< made by build/split; 0: one section for everything
  cook_section_range *sections;
} cook_primitive;

/// One level of detail of a mesh.
typedef struct cook_lod {
  float screen_size; ///< shown while the mesh takes at least this share of the screen's height; 0: no threshold
  float error_m;     ///< measured against the mesh as it was; 0 where the author made it
  bool *drops_node;  ///< node_count: the level does without this node and moves nothing by it; NULL: it needs all
} cook_lod;

/// How the weight of a shape follows from the weight of its control: by a polyline through the points, whose first and
/// last segments go on for ever; without points the two weights are the same. In-between shapes are made of this:
/// cooker/scene/inbetween.h makes the points from their full weights.
typedef struct cook_shape_rule {
  const char *name;     ///< of the shape itself, for messages, where the source names it beside its control; or NULL
  uint32_t control;     ///< below control_count
  uint32_t point_count; ///< 0, or at least 2
  float (*points)[2];   ///< weight of the control (strictly ascending), weight of the shape; finite
} cook_shape_rule;

/// A mesh: its primitives, and the controls that move their targets. A control is what authors, clips and games know by
/// name and give a weight; a target is a shape, a set of deltas that follows one control. Every weight in a scene
/// belongs to a control: default weights, those of nodes, keys and ranges. Most sources know no difference: then there
/// are no rules, and control i moves target i.
typedef struct cook_mesh {
  const char *name;
  uint32_t source_index;
  uint32_t primitive_count;
  cook_primitive *primitives;
  uint32_t control_count;
  const char **control_names; ///< control_count, each may be NULL (the source names none) or "" (it is empty)
  bool has_default_weights;
  float *default_weights; ///< control_count
  float *range_min;       ///< control_count; filled by build/ranges
  float *range_max;
  uint32_t target_count;  ///< shapes of the primitives; one that has none counts as having empty ones
  cook_shape_rule *rules; ///< target_count; NULL: target i follows control i, and the two counts are the same
  uint32_t lod_count;     ///< 0: all primitives are of the one level that there is. Primitives ascend by (lod, source)
  cook_lod *lods;
  uint32_t fineness; ///< halvings of the steps of positions, 0 … 4: it missed the bound of --quality without them
  uint32_t normal_fineness; ///< the same for normals
} cook_mesh;

/// The control that target t of a mesh follows.
static inline uint32_t cook_control_of_target(const cook_mesh *mesh, uint32_t t) {
  return mesh->rules != NULL ? mesh->rules[t].control : t;
}

typedef struct cook_skin {
  const char *name;
  uint32_t source_index;
  uint32_t joint_count;
  uint32_t *joints;           ///< nodes
  float (*inverse_binds)[12]; ///< 3 rows of 4; identity where the source has none
} cook_skin;

typedef struct cook_material {
  const char *name;
  uint32_t source_index;
  mpak_alpha_mode alpha_mode;
  bool is_double_sided;
  float alpha_cutoff;
  float base_colour[4];
  const char *base_texture; ///< URIs as text, or NULL
  const char *normal_texture;
  const char *metal_rough_texture;
  const char *occlusion_texture;
  const char *emissive_texture;
  bool has_normal_texture; ///< also when the image has no URI (it is embedded)
} cook_material;

typedef struct cook_track {
  uint32_t node;
  mpak_track_path path;
  mpak_interpolation interpolation;
  uint32_t width; ///< 3, 4, 3, or control_count of the node's mesh
  uint32_t key_count;
  float *times;         ///< key_count, seconds
  uint64_t value_count; ///< floats in values; check/ compares with key_count * width (* 3 for CUBICSPLINE)
  float *values;
} cook_track;

typedef struct cook_clip {
  const char *name;
  uint32_t source_index;
  float start_s; ///< glTF: the earliest key; FBX: 0
  float end_s;
  uint32_t track_count;
  cook_track *tracks;
  uint32_t source_node_tracks;
  uint32_t source_weight_tracks;
} cook_clip;

/// The compressed tracks of a clip (format/anim_block.h).
typedef struct cook_clip_block {
  uint32_t *words;
  uint32_t word_count; ///< 0: nothing is compressed
  float error_m;       ///< largest distance from the source at the joints' reach
  bool *is_key_track;  ///< by track of the clip: it is not in the block
} cook_clip_block;

typedef struct cook_scene {
  cook_source_kind source_kind;
  const char *generator;
  uint64_t source_hash; ///< XXH3_64 over all bytes read, in the order of reading
  uint32_t node_count;
  cook_node *nodes;
  uint32_t mesh_count;
  cook_mesh *meshes;
  uint32_t skin_count;
  cook_skin *skins;
  uint32_t material_count;
  cook_material *materials;
  uint32_t clip_count;
  cook_clip *clips;
  uint32_t dependency_count; ///< files read, the source first, as they were opened
  const char **dependencies;
  cook_clip_block *clip_blocks; ///< clip_count; made by build/anim. NULL: every key stays as it is
  uint32_t clip_fineness;       ///< halvings of the error that compressed clips may have
} cook_scene;

#endif
