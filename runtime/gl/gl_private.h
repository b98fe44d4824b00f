/// gl_private.h: what the files of runtime/gl share. A model's parts and a crowd's outputs, and the calls between
/// files.
#ifndef MPAK_GL_PRIVATE_H
#define MPAK_GL_PRIVATE_H

#include "runtime/gl/gl_functions.h"
#include "runtime/gl/mpak_gl.h"
#include "shaders/mpak_gpu_layout.h"

/// Largest piece of one upload.
#define GL_UPLOAD_PIECE_BYTES (64u << 20)
/// Palettes of individuals start at multiples of this many bones: 768 bytes, whatever alignment a device asks for.
#define GL_PALETTE_ALIGNMENT_BONES 16u
/// Vertices of individuals start at multiples of this: 48, 24 and every stride times it is a multiple of 256 bytes.
#define GL_VERTEX_ALIGNMENT 64u
/// Times how many more shapes are active than this share of all, four individuals share a work group.
#define GL_TILE_ACTIVE_SHARE 0.25f

// -- Buffers ---------------------------------------------------------------------------------------------------------

typedef struct gl_buffer {
  gl_uint name; ///< 0: none
  uint64_t byte_count;
} gl_buffer;

/// Where bytes of an upload come from: memory of the CPU, or a staging buffer on the GPU.
typedef struct gl_source {
  const void *bytes;   ///< in CPU memory, or inside a mapping of staging
  const void *mapping; ///< start of the mapping of staging, or NULL
  uint64_t mapping_bytes;
  gl_uint staging;
} gl_source;

/// A buffer of byte_count bytes, undefined; nothing for 0 bytes. On failure buffer stays empty.
mpak_result gl_buffer_make(mpak_gl *gl, gl_buffer *buffer, uint64_t byte_count, gl_enum usage);
/// Writes a range in pieces; source->bytes is where it starts.
mpak_result gl_buffer_fill(mpak_gl *gl, const gl_buffer *buffer, uint64_t offset, uint64_t byte_count,
                           const gl_source *source);
/// Writes a range from memory.
mpak_result gl_buffer_write(mpak_gl *gl, const gl_buffer *buffer, uint64_t offset, uint64_t byte_count,
                            const void *bytes);
void gl_buffer_free(mpak_gl *gl, gl_buffer *buffer);

/// A buffer mapped for the CPU to write and read, whose bytes are then copied on the GPU.
typedef struct gl_staging {
  gl_buffer buffer;
  void *memory;
} gl_staging;

mpak_result gl_staging_open(mpak_gl *gl, uint64_t byte_count, gl_staging *staging);
/// Ends the mapping; gl_buffer_fill may then copy from it.
mpak_result gl_staging_unmap(mpak_gl *gl, gl_staging *staging);
void gl_staging_free(mpak_gl *gl, gl_staging *staging);

// -- Device ----------------------------------------------------------------------------------------------------------

/// Which deform.comp: see "Variants" in mpak_gpu_layout.h.
typedef struct gl_variant {
  uint8_t is_document_kernel;
  uint8_t layout;
  uint8_t payload;
  uint8_t components;
  uint8_t reorthogonalises;
  uint8_t influences;
  uint8_t skin_packed;
  uint8_t output;
  uint8_t tile;
} gl_variant;

typedef struct gl_program {
  struct gl_program *next;
  gl_variant variant;
  const mpak_gl_hooks *hooks; ///< of a crowd, or NULL
  gl_uint name;
} gl_program;

/// What dispatches change, as the caller had it.
typedef struct gl_saved {
  bool is_saved;
  gl_int program;
  gl_int general; ///< the binding point without a number
  gl_int buffers[8];
  int64_t starts[8];
  int64_t sizes[8];
} gl_saved;

struct mpak_gl {
  gl_functions functions;
  mpak_gl_limits limits;
  mpak_gl_options options;
  mpak_allocator allocator;
  mpak_gl_counters counters;
  mpak_gl_objects objects;
  gl_program *programs;
  gl_uint program_in_use; ///< since the state was saved
  gl_saved saved;
  bool has_dispatched; ///< since the last barrier
  bool is_lost;
  mpak_gl_model *models;
  char error[512];
};

/// Notes an error's text and returns MPAK_ERROR_GL.
mpak_result gl_fail(mpak_gl *gl, const char *call, const char *text);
/// Takes the errors that wait, so that the next call is not blamed for them.
void gl_take_errors(const mpak_gl *gl);
/// MPAK_ERROR_GL if GL has an error waiting; takes all of them.
mpak_result gl_check(mpak_gl *gl, const char *call);
/// Zeroed memory. MPAK_OK with NULL for 0 bytes; NULL too where there is none left.
mpak_result gl_allocate(mpak_gl *gl, uint64_t count, uint64_t element_bytes, void *pointer_out);
void gl_release(mpak_gl *gl, void *memory, uint64_t count, uint64_t element_bytes);

/// The program of a variant, compiled when it is first asked for.
mpak_result gl_program_get(mpak_gl *gl, const gl_variant *variant, const mpak_gl_hooks *hooks, gl_uint *name);
/// Frees the programs of a crowd's hooks (NULL: all programs).
void gl_programs_free(mpak_gl *gl, const mpak_gl_hooks *hooks);

/// Notes what the caller has bound, once until gl_state_restore.
void gl_state_save(mpak_gl *gl);
void gl_state_restore(mpak_gl *gl);

// -- Model -----------------------------------------------------------------------------------------------------------

/// A range of blocks whose buffers fit the device's largest bound range: one dispatch each. Usually one for a part.
typedef struct gl_piece {
  uint32_t first_block;
  uint32_t block_count;
  uint32_t first_vertex;
  uint32_t vertex_count;
  uint64_t delta_start; ///< bytes
  uint64_t delta_bytes;
  uint64_t entry_start;
  uint64_t entry_bytes;
} gl_piece;

/// Places of the static streams in one buffer; MPAK_NONE for what is not there.
typedef struct gl_static_layout {
  uint64_t texcoords[2];
  uint64_t colours;
  mpak_element_format colour_format;
} gl_static_layout;

typedef struct gl_part {
  gl_buffer base;
  gl_buffer blocks;
  gl_buffer offsets; ///< csr64
  gl_buffer deltas;
  gl_buffer entries;
  gl_buffer skin;
  gl_buffer indices;
  gl_buffer statics;
  gl_static_layout static_layout;
  gl_piece *pieces;
  uint32_t piece_count;
  uint32_t block_count;
  uint32_t index_bytes;
  uint32_t bone_count; ///< of all sections
  uint32_t skin_quad_words;
  gl_variant variant; ///< morph and skin of the skin cache; output and tile are the crowd's
  mpak_gl_technique technique;
} gl_part;

struct mpak_gl_model {
  mpak_gl *gl;
  mpak_gl_model *next;
  mpak_gl_crowd *crowds;
  const mpak_pack *pack;
  mpak_gl_model_options options;
  gl_part *parts;
  mpak_model *own_decoded; ///< made when the CPU technique or interleaved output needs it
};

/// The decoded pack: the caller's, or one of its own.
mpak_result gl_model_decoded(mpak_gl_model *model, const mpak_model **decoded);
/// Uploads all parts; on failure what was made is freed.
mpak_result gl_model_upload(mpak_gl_model *model, mpak_fault *fault);
/// One part from decoded data. source: where data's pointers lead.
mpak_result gl_part_upload(mpak_gl_model *model, uint32_t part, const mpak_part_data *data, gl_staging *staging);
/// Four influences as the GPU reads them: 4 or 6 words.
void gl_skin_write_quad(const uint16_t *joints, const float *weights, bool is_packed, uint32_t *words);
/// Frees (or, in a lost context, forgets) the buffers of a part.
void gl_part_free(mpak_gl_model *model, gl_part *part);
/// Blocks and pieces of a part: GPU block records of four words, and ranges by the device's limit.
mpak_result gl_part_make_blocks(mpak_gl_model *model, uint32_t part, const mpak_part_data *data, uint32_t **blocks,
                                uint32_t *block_records);
mpak_result gl_part_cut(mpak_gl_model *model, uint32_t part, const mpak_part_data *data, const uint32_t *blocks,
                        uint64_t *largest_bytes);

// -- Crowd -----------------------------------------------------------------------------------------------------------

/// One output of one individual.
typedef struct gl_seen {
  bool is_shown;
  bool weights_dirty;  ///< the GPU has other weights
  bool vertices_dirty; ///< the vertices must be made anew
  bool is_stale[2];    ///< of the buffers of keep_previous: this one has older vertices
  bool has_vertices;   ///< made at least once
  bool has_previous;   ///< the other buffer holds the frame before
  bool bounds_dirty;
  const mpak_morph_state *state; ///< that was read last, and its version
  uint64_t state_version;
  uint32_t active_count;
  mpak_matrix component_from_vertices;
  bool has_deformed_matrix;
  mpak_matrix deformed_matrix; ///< the same when vertices were last made, and the time before
  mpak_matrix previous_matrix;
  float bounds_min[3], bounds_max[3];
  gl_uint vertex_arrays[4]; ///< by buffer of positions + 2 * buffer of previous positions
} gl_seen;

/// One part of one instance, for all individuals.
typedef struct gl_output {
  uint32_t instance;
  uint32_t part;
  bool is_skinned;
  mpak_gl_technique technique;
  bool is_deformed;       ///< has vertices of its own; else the part's base is drawn
  uint64_t dispatched_in; ///< frame of the last dispatch, counted from 1
  bool is_made;           ///< its buffers exist
  gl_buffer vertices[2];  ///< the second with keep_previous
  uint32_t current;       ///< of the two
  uint32_t previous;
  gl_buffer weights;      ///< shape_count of each individual, and the list
  float *weight_values;   ///< what the GPU has or gets
  uint32_t palette_first; ///< bones; where the part's sections start in an individual's palette
  gl_seen *seen;          ///< by individual
} gl_output;

typedef struct gl_individual {
  bool is_shown;
  bool palette_dirty;
  const mpak_pose *pose; ///< that was read last, and its version
  uint64_t component_version;
  uint32_t lod;
  gl_uint palette_texture;
} gl_individual;

struct mpak_gl_crowd {
  mpak_gl_model *model;
  mpak_gl_crowd *next;
  uint32_t count;
  mpak_gl_crowd_options options; ///< hooks point to copies
  float hook_values[8][4];
  gl_individual *individuals;
  gl_output *outputs; ///< in the order of mpak_morph_states
  uint32_t output_count;
  uint32_t palette_stride_bones;
  bool uses_palette; ///< some output is skinned by the GPU
  gl_buffer palette;
  mpak_matrix *palette_values; ///< what the GPU has or gets
  mpak_matrix *skin_palette;   ///< work space
  uint32_t most_joints;
  uint32_t *list; ///< work space: individuals of a dispatch
  mpak_base_vertex *cpu_morphed;
  mpak_base_vertex *cpu_moved;
  uint32_t cpu_vertices;
};

bool gl_crowd_has_hooks(const mpak_gl_crowd *crowd);
/// Chooses techniques anew: a restored context may be a lesser one.
mpak_result gl_crowd_adapt(mpak_gl_crowd *crowd);
/// Words of a vertex of an output.
uint32_t gl_output_stride_words(const mpak_gl_crowd *crowd, const gl_output *output);
/// Bytes of an individual in an output's vertex buffers.
uint64_t gl_output_individual_bytes(const mpak_gl_crowd *crowd, const gl_output *output);
/// Makes an output's buffers.
mpak_result gl_output_make(mpak_gl_crowd *crowd, gl_output *output);
/// Frees (or forgets) GL objects of a crowd; what individuals show stays.
void gl_crowd_free_objects(mpak_gl_crowd *crowd);
/// Everything shown is to be uploaded and made again.
void gl_crowd_dirty_all(mpak_gl_crowd *crowd);

/// Dispatches the individuals of crowd->list for one output.
mpak_result gl_dispatch(mpak_gl_crowd *crowd, gl_output *output, uint32_t individual_count, bool has_list);
/// The CPU technique for one individual.
mpak_result gl_deform_on_cpu(mpak_gl_crowd *crowd, gl_output *output, uint32_t individual);
/// Puts decoded vertices into an output format; out: stride_words each. Interleaved: the first ten words only.
void gl_convert_vertices(mpak_gl_output_format format, const mpak_base_vertex *vertices, uint32_t vertex_count,
                         uint32_t stride_words, uint32_t *out);

/// The box of an output of an individual, from its current weights and palette.
void gl_output_bounds(const mpak_gl_crowd *crowd, const gl_output *output, uint32_t individual, float min[3],
                      float max[3]);

#endif
