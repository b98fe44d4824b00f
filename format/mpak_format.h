/// mpak_format.h: the bytes of a pack as C structs. SPEC.md is the normative text; this file is its mirror.
///
/// A pack is little-endian: header, chunks (each 64-byte aligned), chunk table. All structs below are read in place;
/// every one is a multiple of 4 bytes long, has no padding, and holds only u8, u16, u32, u64 and float members.
/// A string is a u32 offset into the STRS chunk, where a zero-terminated UTF-8 text stands; offset 0 is "".
/// MPAK_NONE (0xFFFFFFFF) in an index member means "there is none".
#ifndef MPAK_FORMAT_H
#define MPAK_FORMAT_H

#include <stdint.h>

#ifdef __cplusplus
#define MPAK_STATIC_ASSERT static_assert
#else
#define MPAK_STATIC_ASSERT _Static_assert
#endif

#define MPAK_FORMAT_MAJOR      1u
#define MPAK_FORMAT_MINOR      0u
#define MPAK_NONE              0xFFFFFFFFu
#define MPAK_ENDIAN_TAG        0x01020304u
#define MPAK_HEADER_BYTES      128u
#define MPAK_CHUNK_ENTRY_BYTES 80u
#define MPAK_CHUNK_ALIGNMENT   64u
#define MPAK_MAGIC_BYTES       "\x89MPAK\r\n\x1a"
#define MPAK_WRAPPED_MAGIC     "\x89MPKW\r\n\x1a" ///< of a wrapped pack

// -- Hard limits of the format ---------------------------------------------------------------------------------------

#define MPAK_MAX_CHUNKS      1048576u    ///< entries of the chunk table
#define MPAK_MAX_FRAME_BYTES 1048576u    ///< decoded bytes of one compressed frame
#define MPAK_MAX_TARGETS     65535u      ///< controls of a mesh, shapes of a part
#define MPAK_MAX_NODES       65535u      ///< nodes of a pack
#define MPAK_MAX_JOINTS      65535u      ///< joints of a skin
#define MPAK_MAX_CLIPS       65535u      ///< clips of a pack
#define MPAK_MAX_NAME_BYTES  65535u      ///< bytes of one name without its terminator
#define MPAK_MAX_INFLUENCES  12u         ///< influences of a vertex
#define MPAK_MAX_DEPTH       1024u       ///< nodes on the way from a root to a leaf
#define MPAK_MAX_VERTICES    0x7FFFFFFFu ///< vertices of a part

// -- Header and chunk table ------------------------------------------------------------------------------------------

typedef struct mpak_header {
  uint8_t magic[8];           ///< MPAK_MAGIC_BYTES
  uint16_t format_major;      ///< another major is refused
  uint16_t format_minor;      ///< any minor of this major is read: what matters is a required feature or chunk
  uint32_t header_bytes;      ///< 128
  uint32_t endian_tag;        ///< MPAK_ENDIAN_TAG
  uint32_t features_required; ///< an unknown bit: refuse. None is defined yet
  uint32_t features_optional; ///< unknown bits are ignored. None is defined yet
  uint32_t chunk_count;       ///< entries of the table
  uint32_t chunk_entry_bytes; ///< 80
  uint32_t flags;             ///< bit 0: compress profile load; bit 1: profile size
  uint64_t file_bytes;        ///< exactly the size of the file
  uint64_t table_offset;      ///< multiple of 8; the table ends the file
  uint64_t decoded_bytes;     ///< sum of decoded_bytes over all chunks
  uint64_t max_chunk_decoded; ///< the largest of them
  uint32_t max_frame_decoded; ///< the largest decoded frame, at most MPAK_MAX_FRAME_BYTES; 0 when nothing is compressed
  uint32_t chunk_alignment;   ///< 64
  uint64_t content_id;        ///< XXH3_64 of source bytes, options and cooker version
  uint64_t table_hash;        ///< XXH3_64 of the table
  uint64_t cooker_version;    ///< major << 48, minor << 32, patch << 16, zstd version number (10504 for 1.5.4)
  uint8_t reserved[16];       ///< zero
  uint64_t header_hash;       ///< XXH3_64 of bytes 0..119
} mpak_header;

/// One chunk: a unit of the file.
typedef struct mpak_chunk_entry {
  uint32_t kind;          ///< mpak_kind
  uint16_t kind_version;  ///< 1 for every kind so far
  uint16_t encoding;      ///< mpak_encoding
  uint32_t flags;         ///< mpak_chunk_flags
  uint32_t owner;         ///< the PART it belongs to; MPAK_NONE for the whole file
  uint64_t offset;        ///< from the start of the file; multiple of 64
  uint64_t stored_bytes;  ///< bytes in the file
  uint64_t decoded_bytes; ///< stride * count
  uint32_t stride;        ///< bytes of one record
  uint32_t count;         ///< records
  uint32_t frame_bytes;   ///< decoded bytes of every frame but the last; 0 when stored
  uint32_t frame_count;   ///< 0 when stored
  uint8_t filter;         ///< mpak_filter
  uint8_t format;         ///< mpak_element_format of GPU data, else 0
  uint8_t slot;           ///< texture coordinate set of TEXC, else 0
  uint8_t zero;           ///< 0
  uint32_t lane_modes;    ///< filter 2 and 4: two bits for each dword of the stride, mpak_lane_mode
  uint64_t hash_stored;   ///< XXH3_64 of the stored bytes
  uint32_t hash_decoded;  ///< low 32 bits of XXH3_64 of the decoded bytes
  uint32_t inner_bytes;   ///< 0
} mpak_chunk_entry;

/// The start of a wrapped pack (SPEC.md, section 14): a pack as it is shipped, which mpak_unwrap expands.
typedef struct mpak_wrapped_header {
  uint8_t magic[8];      ///< MPAK_WRAPPED_MAGIC
  uint64_t hash;         ///< XXH3_64 of all that follows it
  uint16_t format_major; ///< as in mpak_header
  uint16_t format_minor;
  uint32_t stream_bytes; ///< of the stream, expanded: header, chunk table, tables and small chunks of the pack
  uint64_t file_bytes;   ///< exactly the size of the file
  uint64_t pack_bytes;   ///< of the pack
} mpak_wrapped_header;

#define MPAK_FOURCC(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

/// Chunk kinds. "Table" kinds are always stored, occur at most once, and are checked by mpak_open.
typedef enum mpak_kind {
  MPAK_KIND_STRS = MPAK_FOURCC('S', 'T', 'R', 'S'), ///< table: strings
  MPAK_KIND_NODE = MPAK_FOURCC('N', 'O', 'D', 'E'), ///< table: mpak_node
  MPAK_KIND_INST = MPAK_FOURCC('I', 'N', 'S', 'T'), ///< table: mpak_instance
  MPAK_KIND_IWGT = MPAK_FOURCC('I', 'W', 'G', 'T'), ///< table: float, default weights of single instances
  MPAK_KIND_SKIN = MPAK_FOURCC('S', 'K', 'I', 'N'), ///< table: mpak_skin
  MPAK_KIND_JONT = MPAK_FOURCC('J', 'O', 'N', 'T'), ///< table: mpak_joint
  MPAK_KIND_MESH = MPAK_FOURCC('M', 'E', 'S', 'H'), ///< table: mpak_mesh
  MPAK_KIND_PART = MPAK_FOURCC('P', 'A', 'R', 'T'), ///< table: mpak_part
  MPAK_KIND_CTRL = MPAK_FOURCC('C', 'T', 'R', 'L'), ///< table: mpak_control
  MPAK_KIND_SHAP = MPAK_FOURCC('S', 'H', 'A', 'P'), ///< table: mpak_shape
  MPAK_KIND_RULE = MPAK_FOURCC('R', 'U', 'L', 'E'), ///< table: mpak_rule
  MPAK_KIND_RPTS = MPAK_FOURCC('R', 'P', 'T', 'S'), ///< table: mpak_rule_point
  MPAK_KIND_SECT = MPAK_FOURCC('S', 'E', 'C', 'T'), ///< table: mpak_section
  MPAK_KIND_BMAP = MPAK_FOURCC('B', 'M', 'A', 'P'), ///< table: mpak_bone
  MPAK_KIND_LODS = MPAK_FOURCC('L', 'O', 'D', 'S'), ///< table: mpak_lod
  MPAK_KIND_RBON = MPAK_FOURCC('R', 'B', 'O', 'N'), ///< table: u32 nodes, RequiredBones of the LODs
  MPAK_KIND_MATL = MPAK_FOURCC('M', 'A', 'T', 'L'), ///< table: mpak_material
  MPAK_KIND_CLIP = MPAK_FOURCC('C', 'L', 'I', 'P'), ///< table: mpak_clip
  MPAK_KIND_TRAK = MPAK_FOURCC('T', 'R', 'A', 'K'), ///< table: mpak_track
  MPAK_KIND_ERRS = MPAK_FOURCC('E', 'R', 'R', 'S'), ///< table: mpak_measured_error
  MPAK_KIND_META = MPAK_FOURCC('M', 'E', 'T', 'A'), ///< table: mpak_meta
  MPAK_KIND_KEYT = MPAK_FOURCC('K', 'E', 'Y', 'T'), ///< data: float key times in seconds
  MPAK_KIND_KEYV = MPAK_FOURCC('K', 'E', 'Y', 'V'), ///< data: float key values
  MPAK_KIND_VBAS = MPAK_FOURCC('V', 'B', 'A', 'S'), ///< data, per part: mpak_base_vertex, the deform stream
  MPAK_KIND_INDX = MPAK_FOURCC('I', 'N', 'D', 'X'), ///< data, per part: u16 or u32 triangle list
  MPAK_KIND_JNTS = MPAK_FOURCC('J', 'N', 'T', 'S'), ///< data, per part: u16 x influence_count, section-local
  MPAK_KIND_WGTS = MPAK_FOURCC('W', 'G', 'T', 'S'), ///< data, per part: float x influence_count
  MPAK_KIND_TEXC = MPAK_FOURCC('T', 'E', 'X', 'C'), ///< data, per part and slot: float x 2
  MPAK_KIND_COLR = MPAK_FOURCC('C', 'O', 'L', 'R'), ///< data, per part: COLOR_0 in its source type
  MPAK_KIND_MOFF = MPAK_FOURCC('M', 'O', 'F', 'F'), ///< data, per part, csr64: u32 vertex offsets, V + 1
  MPAK_KIND_MDEL = MPAK_FOURCC('M', 'D', 'E', 'L'), ///< data, per part, csr64: mpak_csr_delta
  MPAK_KIND_MGRP = MPAK_FOURCC('M', 'G', 'R', 'P'), ///< data, per part, blk64: mpak_morph_group
  MPAK_KIND_MRUN = MPAK_FOURCC('M', 'R', 'U', 'N'), ///< data, per part, blk64: mpak_morph_run
  MPAK_KIND_MPAY = MPAK_FOURCC('M', 'P', 'A', 'Y'), ///< data, per part, blk64: delta payload
  MPAK_KIND_PKOS = MPAK_FOURCC('P', 'K', 'O', 'S'), ///< data, per part: u32 pack vertex of each source vertex
  MPAK_KIND_SRCP = MPAK_FOURCC('S', 'R', 'C', 'P'), ///< data, per part: u32 source vertex of each pack vertex
  MPAK_KIND_QUAN = MPAK_FOURCC('Q', 'U', 'A', 'N'), ///< table: mpak_quantisation, grids of VQNT and TEXQ
  MPAK_KIND_VQNT = MPAK_FOURCC('V', 'Q', 'N', 'T'), ///< data, per part: mpak_quantised_vertex, becomes VBAS's records
  MPAK_KIND_TEXQ = MPAK_FOURCC('T', 'E', 'X', 'Q'), ///< data, per part and slot: u16 x 2, becomes TEXC's records
  MPAK_KIND_ANIM = MPAK_FOURCC('A', 'N', 'I', 'M'), ///< data: compressed tracks of all clips
  MPAK_KIND_CLTH = MPAK_FOURCC('C', 'L', 'T', 'H'), ///< data: reserved for cloth; must not occur yet
} mpak_kind;

typedef enum mpak_encoding {
  MPAK_ENCODING_STORE = 0,
  MPAK_ENCODING_ZSTD = 1,
  MPAK_ENCODING_INDEX = 2, ///< INDX: triangle codec, then zstd frames
} mpak_encoding;

typedef enum mpak_filter {
  MPAK_FILTER_NONE = 0,
  MPAK_FILTER_PLANES = 1,       ///< byte planes of blocks of records
  MPAK_FILTER_LANE_DELTA = 2,   ///< differences to the record before, by lane mode, then byte planes
  MPAK_FILTER_MORPH_FRAMES = 4, ///< MPAY: frames cut at entries, sorted by shape
} mpak_filter;

typedef enum mpak_lane_mode {
  MPAK_LANE_RAW = 0,
  MPAK_LANE_DELTA8 = 1,
  MPAK_LANE_DELTA16 = 2,
  MPAK_LANE_DELTA32 = 3
} mpak_lane_mode;

typedef enum mpak_chunk_flags {
  MPAK_CHUNK_REQUIRED = 1, ///< a reader that does not know the kind refuses the pack
  MPAK_CHUNK_UPLOAD = 2,   ///< the decoded bytes are what a GPU reads
} mpak_chunk_flags;

typedef enum mpak_element_format {
  MPAK_FORMAT_NONE = 0,
  MPAK_FORMAT_BASE48 = 1, ///< mpak_base_vertex
  MPAK_FORMAT_U16 = 2,
  MPAK_FORMAT_U32 = 3,
  MPAK_FORMAT_F32 = 4,
  MPAK_FORMAT_F32X2 = 5,
  MPAK_FORMAT_F32X3 = 6,
  MPAK_FORMAT_F32X4 = 7,
  MPAK_FORMAT_UNORM8X3 = 8, ///< stored as 4 bytes, the last 255
  MPAK_FORMAT_UNORM8X4 = 9,
  MPAK_FORMAT_UNORM16X3 = 10, ///< stored as 8 bytes, the last 65535
  MPAK_FORMAT_UNORM16X4 = 11,
  MPAK_FORMAT_CSR64 = 12, ///< mpak_csr_delta
  MPAK_FORMAT_U8 = 13,
  MPAK_FORMAT_UNORM8 = 14,
  MPAK_FORMAT_UNORM16 = 15,
  MPAK_FORMAT_P8 = 16, ///< morph_payload.h, as the next two
  MPAK_FORMAT_P12 = 17,
  MPAK_FORMAT_P16 = 18,
} mpak_element_format;

// -- Table records ---------------------------------------------------------------------------------------------------

typedef enum mpak_node_flags {
  MPAK_NODE_MATRIX = 1, ///< rest holds a 3x4 matrix that is no translation-rotation-scale
} mpak_node_flags;

/// A node of the scene. Parents come before children.
typedef struct mpak_node {
  uint32_t name;         ///< the source's bytes
  uint32_t key;          ///< unique; for look-up
  uint32_t parent;       ///< below this node's number, or MPAK_NONE
  uint32_t source_index; ///< number in the source file
  uint32_t flags;        ///< mpak_node_flags
  uint32_t zero;
  /// Rest transform in the parent's space. TRS: translation xyz (metres), rotation xyzw, scale xyz, two zeros.
  /// Matrix: 3 rows of 4, row-major, column vectors.
  float rest[12];
} mpak_node;

/// A mesh drawn by a node, moved by a skin.
typedef struct mpak_instance {
  uint32_t node;
  uint32_t mesh;
  uint32_t skin;         ///< or MPAK_NONE: the node moves it
  uint32_t first_weight; ///< into IWGT, one float per control; MPAK_NONE: the controls' defaults
} mpak_instance;

typedef struct mpak_skin {
  uint32_t name;
  uint32_t key;
  uint32_t source_index;
  uint32_t first_joint; ///< into JONT
  uint32_t joint_count;
  uint32_t zero;
} mpak_skin;

typedef struct mpak_joint {
  uint32_t node;
  float inverse_bind[12]; ///< joint from mesh space: 3 rows of 4, row-major
} mpak_joint;

/// What an author calls a mesh: parts (primitives by LOD) and the controls that move them.
typedef struct mpak_mesh {
  uint32_t name;
  uint32_t key;
  uint32_t source_index;
  uint32_t first_part; ///< parts ordered by LOD, then primitive
  uint32_t part_count; ///< 0: it only names controls (clip packs); then it has no LODs and its bounds are 0
  uint32_t first_control;
  uint32_t control_count;
  uint32_t first_lod;
  uint32_t lod_count;
  uint32_t zero;
  float bounds_min[3]; ///< of all parts at rest, mesh space
  float bounds_max[3];
} mpak_mesh;

typedef enum mpak_part_flags {
  MPAK_PART_TANGENTS = 2,         ///< base tangents are real; without it they are 0, 0, 0, 0
  MPAK_PART_MORPH_NORMALS = 4,    ///< at least one shape changes normals
  MPAK_PART_MORPH_TANGENTS = 8,   ///< at least one shape changes tangents
  MPAK_PART_REORTHOGONALISE = 16, ///< tangent deltas were dropped; deformers make tangents square to the normal
} mpak_part_flags;

typedef enum mpak_payload {
  MPAK_PAYLOAD_NONE = 0,
  MPAK_PAYLOAD_P8 = 1,
  MPAK_PAYLOAD_P12 = 2,
  MPAK_PAYLOAD_P16 = 3,
  MPAK_PAYLOAD_P36 = 4,
  MPAK_PAYLOAD_CSR64 = 5
} mpak_payload;

/// One (mesh, primitive, LOD): its own vertices, shapes and chunks.
typedef struct mpak_part {
  uint32_t mesh;
  uint32_t source_primitive;
  uint32_t lod;
  uint32_t material; ///< or MPAK_NONE
  uint32_t vertex_count;
  uint32_t index_count;
  uint32_t source_vertex_count; ///< before welding
  uint32_t source_index_count;  ///< as the source counts; its vertex count where it has no indices
  uint32_t first_shape;
  uint32_t shape_count;
  uint32_t first_section;
  uint32_t section_count;
  uint32_t influence_count; ///< 0 (not skinned), 4, 8 or 12: joints and weights per vertex in JNTS, WGTS
  uint32_t flags;           ///< mpak_part_flags
  uint32_t payload;         ///< mpak_payload
  uint32_t components;      ///< blk64: 0, 3, 6 or 9 numbers a delta
  uint32_t block_count;     ///< blk64: B
  uint32_t entry_count;     ///< blk64: E
  uint32_t delta_count;     ///< stored (vertex, shape) pairs
  uint32_t group_count;     ///< blk64: G
  uint32_t run_count;       ///< blk64: R
  float step;               ///< blk64: position step in metres; 1 for P36
  float normal_step;        ///< blk64: normal step; 1 for P36
  float bounds_min[3];      ///< at rest, mesh space, metres
  float bounds_max[3];
  float conservative_min[3]; ///< holds every pose that the controls' ranges allow, before skinning
  float conservative_max[3];
  float max_position_delta; ///< no vertex moves further than this from rest by shapes
  // chunks of this part, MPAK_NONE where absent
  uint32_t base_chunk;           ///< VBAS
  uint32_t index_chunk;          ///< INDX
  uint32_t joint_chunk;          ///< JNTS
  uint32_t weight_chunk;         ///< WGTS
  uint32_t texcoord_chunk[4];    ///< TEXC
  uint32_t colour_chunk;         ///< COLR
  uint32_t morph_chunk[3];       ///< MGRP, MRUN, MPAY; or MOFF, MDEL, none
  uint32_t pack_of_source_chunk; ///< PKOS
  uint32_t source_of_pack_chunk; ///< SRCP
} mpak_part;

/// What authors, clips and games know by name.
typedef struct mpak_control {
  uint32_t mesh;
  uint32_t name;
  uint32_t key; ///< unique in the mesh
  uint32_t source_index;
  float default_weight;
  float range_min; ///< setters clamp to [range_min, range_max]
  float range_max;
  uint32_t zero;
} mpak_control;

/// One set of deltas of a part.
typedef struct mpak_shape {
  uint32_t part;
  uint32_t control; ///< into CTRL: the control that moves it
  uint32_t rule;    ///< into RULE: its weight from the control's; MPAK_NONE: they are the same
  uint32_t delta_count;
  uint32_t source_moved_count; ///< source vertices with a non-zero position delta
  float source_max_delta;      ///< the largest Euclidean length of a source position delta, metres
  float delta_min[3];          ///< of the stored position deltas and zero
  float delta_max[3];
} mpak_shape;

typedef enum mpak_rule_kind {
  MPAK_RULE_POLYLINE = 1, ///< straight lines through the points; the first and the last line go on without an end
} mpak_rule_kind;

/// How the weight of shapes follows from the weight of a control: in-between shapes are made of this. Rules are
/// numbered in the order in which shapes first name them.
typedef struct mpak_rule {
  uint32_t control;     ///< into CTRL: the control of the shapes that name it
  uint32_t kind;        ///< mpak_rule_kind
  uint32_t first_point; ///< into RPTS; rules tile RPTS in order
  uint32_t point_count; ///< at least 2
} mpak_rule;

/// One point of a polyline. Within a rule the weights of the control ascend strictly.
typedef struct mpak_rule_point {
  float control_weight;
  float shape_weight;
} mpak_rule_point;

/// The draw unit: one material, one index range, one vertex range, one bone map.
typedef struct mpak_section {
  uint32_t part;
  uint32_t material; ///< or MPAK_NONE
  uint32_t first_index;
  uint32_t index_count;
  uint32_t first_vertex; ///< sections of a part tile [0, vertex_count) in order
  uint32_t vertex_count;
  uint32_t first_bone; ///< into BMAP
  uint32_t bone_count;
  uint32_t max_influences; ///< most influences of a vertex of the section
  uint32_t cloth;          ///< MPAK_NONE
} mpak_section;

/// One entry of a BoneMap: section-local joint -> joint of the skin.
typedef struct mpak_bone {
  uint32_t joint;   ///< index into the skin's joints
  float box_min[3]; ///< of the vertices it moves, with every shape, mesh space; min > max when it moves none
  float box_max[3];
} mpak_bone;

typedef struct mpak_lod {
  uint32_t mesh;
  uint32_t level;
  float screen_size;       ///< 0: no threshold
  float error_m;           ///< 0 for the source's own mesh
  uint32_t first_required; ///< into RBON: nodes, ascending, closed under parents
  uint32_t required_count;
} mpak_lod;

typedef enum mpak_alpha_mode { MPAK_ALPHA_OPAQUE = 0, MPAK_ALPHA_MASK = 1, MPAK_ALPHA_BLEND = 2 } mpak_alpha_mode;
typedef enum mpak_material_flags { MPAK_MATERIAL_DOUBLE_SIDED = 1 } mpak_material_flags;

typedef struct mpak_material {
  uint32_t name;
  uint32_t key;
  uint32_t source_index;
  uint32_t alpha_mode;
  uint32_t flags;
  float alpha_cutoff;
  float base_colour[4];  ///< linear
  uint32_t base_texture; ///< URIs as text; offset 0 is none
  uint32_t normal_texture;
  uint32_t metal_rough_texture;
  uint32_t occlusion_texture;
  uint32_t emissive_texture;
} mpak_material;

typedef struct mpak_clip {
  uint32_t name;
  uint32_t key;
  uint32_t source_index;
  uint32_t first_track;
  uint32_t track_count;
  float start_s; ///< on the source's time line
  float end_s;
  uint32_t source_node_tracks;   ///< (node, path) channels of the source without weights
  uint32_t source_weight_tracks; ///< nodes with animated weights in the source
  float error_m;                 ///< largest distance from the source, at the joints' reach; 0: every key is as it was
  uint32_t first_word;           ///< of its compressed block among those of all clips; they tile
  uint32_t word_count;           ///< 0: no compressed tracks
} mpak_clip;

typedef enum mpak_track_path {
  MPAK_PATH_TRANSLATION = 0,
  MPAK_PATH_ROTATION = 1,
  MPAK_PATH_SCALE = 2,
  MPAK_PATH_WEIGHTS = 3
} mpak_track_path;
typedef enum mpak_interpolation { MPAK_STEP = 0, MPAK_LINEAR = 1, MPAK_CUBICSPLINE = 2 } mpak_interpolation;

/// One animated path of one node. Tracks of a clip are ordered by node, then path; a pair occurs once.
typedef struct mpak_track {
  uint32_t clip;
  uint32_t node;
  uint32_t path;          ///< mpak_track_path
  uint32_t interpolation; ///< mpak_interpolation
  uint32_t width;         ///< values per key: 3, 4, 3, or the controls of the node's mesh
  uint32_t key_count;     ///< at least 1
  uint32_t first_time;    ///< into KEYT: key_count ascending times
  uint32_t
      first_value; ///< into KEYV: key_count * width values, times 3 for CUBICSPLINE (in-tangent, value, out-tangent)
} mpak_track;

typedef enum mpak_error_stream {
  MPAK_STREAM_POSITION = 0,
  MPAK_STREAM_NORMAL = 1,
  MPAK_STREAM_TANGENT = 2,
  MPAK_STREAM_TEXCOORD = 3,
  MPAK_STREAM_WEIGHT = 4,
  MPAK_STREAM_DELTA_POSITION = 5,
  MPAK_STREAM_DELTA_NORMAL = 6,
  MPAK_STREAM_DELTA_TANGENT = 7,
  MPAK_STREAM_POSED_POSITION = 8, ///< of the final vertices over all clips, metres
  MPAK_STREAM_POSED_NORMAL = 9,   ///< the same, radians
} mpak_error_stream;

/// What decoding the finished pack gave against the cooked floats.
typedef struct mpak_measured_error {
  uint32_t part;
  uint32_t stream; ///< mpak_error_stream
  float largest;   ///< metres, or components of a direction
  float rms;
} mpak_measured_error;

typedef struct mpak_meta {
  uint32_t key; ///< for example "cooker", "quality"
  uint32_t value;
} mpak_meta;

// -- Data records ----------------------------------------------------------------------------------------------------

/// The deform stream, and the source document's GpuMorphBaseVertex: three vec4, std430.
typedef struct mpak_base_vertex {
  float position[4]; ///< xyz metres, w = 1
  float normal[4];   ///< unit xyz, w = 0
  float tangent[4];  ///< unit xyz, w = +1 or -1; all 0 without tangents
} mpak_base_vertex;

/// A base vertex on the grids of QUAN, as it is stored: mpak_load_part makes mpak_base_vertex of it.
typedef struct mpak_quantised_vertex {
  uint16_t position[3]; ///< origin + step * position, per axis
  int16_t normal[2];    ///< octahedral; (-32768, 0): no normal, all zero
  uint16_t tangent;     ///< bit 0: w is -1; above: angle about the normal (SPEC.md); 0 without TANGENTS
} mpak_quantised_vertex;

/// The grid of one quantised stream of a part: value = origin + step * number. Ascending by (part, stream).
typedef struct mpak_quantisation {
  uint32_t part;
  uint32_t stream; ///< 0 position, 1 normal, 2 tangent, 3 + slot: texture coordinates
  float origin[3];
  float step[3]; ///< normal: the largest octahedral number, 0, 0. tangent: the number of places on the circle, 0, 0
} mpak_quantisation;

/// The source document's GpuMorphDelta: 64 bytes, std430.
typedef struct mpak_csr_delta {
  float position[4]; ///< xyz metres, w = 0
  float normal[4];
  float tangent[4];
  uint32_t metadata[4]; ///< shape, 0, 0, 0
} mpak_csr_delta;

/// blk64: the lanes of one shape that share exponents. Strictly ascending by (shape, position, normal, tangent
/// exponent).
typedef struct mpak_morph_group {
  uint32_t shape;
  uint32_t run_count;
  int8_t position_exponent;
  int8_t normal_exponent;
  int8_t tangent_exponent;
  uint8_t zero;
} mpak_morph_group;

/// blk64: consecutive vertices that a group moves.
typedef struct mpak_morph_run {
  uint32_t skip;   ///< vertices from the end of the group's previous run; from vertex 0 for its first
  uint32_t length; ///< at least 1
} mpak_morph_run;

// -- In memory only: what decoding a blk64 part makes ---------------------------------------------------------------

/// Up to 64 vertices of one section. block_count + 1 of them: the last is {V, E, 0, 0}.
typedef struct mpak_morph_block {
  uint32_t first_vertex;
  uint32_t first_entry;
  uint16_t vertex_count;
  uint16_t section; ///< within the part
} mpak_morph_block;

/// One (block, group): which lanes a shape moves, and where their deltas stand.
typedef struct mpak_morph_entry {
  uint32_t shape;
  uint32_t payload_offset; ///< in 4-byte words from the start of the payload
  uint32_t lanes_low;      ///< bit l: vertex first_vertex + l
  uint32_t lanes_high;
  float position_scale;
  float normal_scale;
  float tangent_scale;
  uint32_t zero;
} mpak_morph_entry;

MPAK_STATIC_ASSERT(sizeof(mpak_header) == 128 && sizeof(mpak_chunk_entry) == 80, "header and chunk entry");
MPAK_STATIC_ASSERT(sizeof(mpak_wrapped_header) == 40, "header of a wrapped pack");
MPAK_STATIC_ASSERT(sizeof(mpak_node) == 72 && sizeof(mpak_instance) == 16 && sizeof(mpak_skin) == 24 &&
                       sizeof(mpak_joint) == 52,
                   "scene tables");
MPAK_STATIC_ASSERT(sizeof(mpak_mesh) == 64 && sizeof(mpak_part) == 200 && sizeof(mpak_control) == 32 &&
                       sizeof(mpak_shape) == 48,
                   "mesh tables");
MPAK_STATIC_ASSERT(sizeof(mpak_rule) == 16 && sizeof(mpak_rule_point) == 8, "rule tables");
MPAK_STATIC_ASSERT(sizeof(mpak_section) == 40 && sizeof(mpak_bone) == 28 && sizeof(mpak_lod) == 24 &&
                       sizeof(mpak_material) == 60,
                   "draw tables");
MPAK_STATIC_ASSERT(sizeof(mpak_clip) == 48 && sizeof(mpak_track) == 32 && sizeof(mpak_measured_error) == 16 &&
                       sizeof(mpak_meta) == 8,
                   "clip tables");
MPAK_STATIC_ASSERT(sizeof(mpak_base_vertex) == 48 && sizeof(mpak_csr_delta) == 64 && sizeof(mpak_morph_group) == 12,
                   "data records");
MPAK_STATIC_ASSERT(sizeof(mpak_quantised_vertex) == 12 && sizeof(mpak_quantisation) == 32, "quantised records");
MPAK_STATIC_ASSERT(sizeof(mpak_morph_run) == 8 && sizeof(mpak_morph_block) == 12 && sizeof(mpak_morph_entry) == 32,
                   "morph records");

#endif
