/// mpak_gl.h: characters of a pack on a GPU: upload, compute morph, skinning, and what to draw. Over mpak.h,
/// mpak_pose.h.
///
/// What it does: works in the caller's OpenGL context (4.3 core or later for compute; 3.3 suffices for the CPU
/// technique), whose functions come from a callback. Uploads base, static, delta and index buffers once for a pack,
/// keeps weights, palettes and deformed vertices for each individual, moves vertices by compute shaders, and says
/// what to draw: vertex array, index range, palette, bounds, material. What it does not: make windows, contexts or
/// framebuffers, draw, choose shaders for materials, wait for the GPU, or touch a buffer while nothing changes.
///
/// Use, without error handling, in a game that has a context and a model (mpak_pose.h):
///
///     mpak_gl *gl;                                         // one for a context
///     mpak_gl_create(&(mpak_gl_options){.getproc = my_getproc}, &gl);
///     mpak_gl_model *body;                                 // a pack's buffers, shared by all who look like this
///     mpak_gl_model_create(gl, &pack, NULL, &body, NULL);
///     mpak_gl_crowd *heroes;                               // individuals: here one
///     mpak_gl_crowd_create(body, 1, NULL, &heroes);
///     // every frame
///     mpak_character_update(hero, dt_s);                   // made by mpak_character_create_posed
///     mpak_gl_crowd_show(heroes, 0, &hero->pose, &hero->morph_states, hero->lod);
///     mpak_gl_crowd_deform(heroes);      // uploads and dispatches only what changed
///     mpak_gl_make_writes_visible(gl);   // one barrier, if anything was dispatched
///     count = mpak_gl_crowd_extract(heroes, 0, items, MOST_ITEMS);
///     // each item, in shadow, forward, outline passes: its vertex_array, index_offset, index_count …
///
/// Techniques, in the words of the skeletal document: *inline* morphs in compute and skins in the caller's vertex
/// shader (mpak_gl_vertex_source gives the functions for it); *skin cache* morphs and skins in one dispatch, and every
/// pass reads the finished vertices; *CPU* moves them on the CPU and uploads them, where compute is missing, a limit of
/// the device is too small, or a section has more bones than the device takes.
///
/// State. Calls leave every GL state as they found it, except: between the first dispatch of a frame and
/// mpak_gl_make_writes_visible the program and the shader storage bindings 0 … 7 are mpak's; the latter restores them.
/// Array, element array, copy and texture buffer bindings, the vertex array and the texture of the active unit are
/// restored before a call returns. Buffers' contents of the caller are never touched.
///
/// Errors: a failed creation frees all it made. Calls of a frame return MPAK_OK or MPAK_ERROR_GL and may be repeated.
/// mpak_gl_error_text says what went wrong. No call aborts or prints. GL errors of the caller that still wait when mpak
/// begins to work are taken and forgotten.
///
/// Threads: everything made from one mpak_gl belongs to the thread where its context is current. There are no globals;
/// several contexts may have an mpak_gl each.
#ifndef MPAK_GL_H
#define MPAK_GL_H

#include "runtime/mpak_pose.h"

#ifdef __cplusplus
extern "C" {
#endif

// -- Device ----------------------------------------------------------------------------------------------------------

/// The address of a GL function, or NULL. As eglGetProcAddress, glfwGetProcAddress, SDL_GL_GetProcAddress.
typedef void (*mpak_gl_function)(void);
typedef mpak_gl_function (*mpak_gl_getproc)(void *user, const char *name);

/// How vertices are moved.
typedef enum mpak_gl_technique {
  MPAK_GL_AUTO = 0,       ///< by the device and the part: mpak_gl_choose_technique
  MPAK_GL_INLINE = 1,     ///< morph in compute, skin in the caller's vertex shader
  MPAK_GL_SKIN_CACHE = 2, ///< morph and skin in compute
  MPAK_GL_CPU = 3,        ///< both on the CPU
} mpak_gl_technique;

/// What a device can do. Read from the context; an option may lower each, for tests and for small devices.
typedef struct mpak_gl_limits {
  uint32_t version;                 ///< 10 * major + minor; below 43: no compute
  bool has_compute;                 ///< compute shaders with at least 8 storage blocks
  bool has_vertex_storage;          ///< vertex shaders may read storage blocks; else palettes come as texture buffers
  bool is_small;                    ///< an ES 3.1 class device: large parts are skinned inline (rule F83)
  uint32_t max_storage_block_bytes; ///< of one bound range
  uint32_t max_work_groups[3];
  uint32_t storage_alignment_bytes; ///< of the start of a bound range
  uint32_t max_texture_texels;      ///< of a texture buffer
  uint32_t max_bones_per_section;   ///< more than that: CPU. 65,536 unless lowered
} mpak_gl_limits;

/// Zeroed means defaults, except getproc.
typedef struct mpak_gl_options {
  mpak_gl_getproc getproc; ///< asked for every function in mpak_gl_create only
  void *getproc_user;
  const mpak_allocator *allocator; ///< or NULL for malloc and free; copied
  mpak_gl_technique technique;     ///< forced for everything; AUTO: chosen
  mpak_gl_limits lower;            ///< every member that is not 0 lowers that limit
  bool without_compute;            ///< as if the device had no compute shaders
  bool without_vertex_storage;     ///< palettes as texture buffers
  bool without_buffer_storage;     ///< as if GL 4.4's glBufferStorage were missing
} mpak_gl_options;

/// Work done since creation. "Nothing changes" means none of them grows but frames.
typedef struct mpak_gl_counters {
  uint64_t frames;         ///< calls of mpak_gl_make_writes_visible
  uint64_t weight_uploads; ///< ranges of weight buffers written
  uint64_t palette_uploads;
  uint64_t vertex_uploads; ///< CPU technique: outputs written
  uint64_t upload_bytes;   ///< of the three
  uint64_t dispatches;     ///< glDispatchCompute calls
  uint64_t barriers;       ///< glMemoryBarrier calls
  uint64_t skipped;        ///< outputs of shown individuals that had nothing to do
  uint64_t cpu_morphs;     ///< outputs moved by the CPU technique
} mpak_gl_counters;

/// GL objects that exist now, and the bytes of their buffers.
typedef struct mpak_gl_objects {
  uint32_t buffers;
  uint32_t vertex_arrays;
  uint32_t textures;
  uint32_t programs;
  uint32_t shaders;
  uint64_t buffer_bytes;
} mpak_gl_objects;

/// One context's functions, limits and programs. Read the members, change none.
typedef struct mpak_gl mpak_gl;

/// Makes an mpak_gl for the context that is current. Compiles nothing yet.
///
/// gl  NULL on failure
///
/// Returns MPAK_OK, MPAK_ERROR_OUT_OF_MEMORY, MPAK_ERROR_ARGUMENT (no getproc), or MPAK_ERROR_GL: a function that
/// GL 3.3 promises is missing.
mpak_result mpak_gl_create(const mpak_gl_options *options, mpak_gl **gl);

/// Frees programs and memory. All models must be gone. NULL is fine. The context must be current, or lost.
void mpak_gl_destroy(mpak_gl *gl);

const mpak_gl_limits *mpak_gl_device_limits(const mpak_gl *gl);
const mpak_gl_counters *mpak_gl_device_counters(const mpak_gl *gl);
const mpak_gl_objects *mpak_gl_device_objects(const mpak_gl *gl);

/// What the last MPAK_ERROR_GL was about: the call, and the compiler's words. "" before any. Never null.
const char *mpak_gl_error_text(const mpak_gl *gl);

/// The context is gone with all its objects (GL_CONTEXT_LOST, a device that was reset): forgets their names, calls no
/// GL function. Models, crowds and their contents stay; draw nothing until mpak_gl_restore.
void mpak_gl_context_lost(mpak_gl *gl);

/// Makes everything anew in the context that is current now: programs, all models' and crowds' buffers. What
/// individuals show comes back with the next mpak_gl_crowd_deform. Packs are read again and must still be there.
///
/// Returns as mpak_gl_create and mpak_gl_model_create; after a failure it may be called again.
mpak_result mpak_gl_restore(mpak_gl *gl);

/// Facts of a part that decide how it is moved.
typedef struct mpak_gl_part_facts {
  uint32_t vertex_count;
  bool is_skinned;
  uint32_t most_bones_per_section;
  uint64_t largest_block_bytes; ///< largest storage range that one dispatch of it needs, pieces already cut
} mpak_gl_part_facts;

/// The rule by which AUTO decides; forced techniques give way to CPU by the same conditions. Pure.
///
/// No compute → CPU. More bones in a section than the device takes → CPU (F150). A range above the device's → CPU.
/// A small device and vertex_count * 3 >= 64 * 1024 → inline (F83). Else the skin cache if skinned, inline if not
/// (there is nothing to skin).
mpak_gl_technique mpak_gl_choose_technique(const mpak_gl_limits *limits, mpak_gl_technique forced,
                                           const mpak_gl_part_facts *facts);

// -- Model -----------------------------------------------------------------------------------------------------------

/// Zeroed means defaults.
typedef struct mpak_gl_model_options {
  const mpak_model *decoded; ///< the pack, decoded by the caller: nothing is decoded twice. The CPU technique reads it
                             ///< too (and makes its own where it is NULL). It must outlive the mpak_gl_model
  bool document_kernel;      ///< csr64 parts run the morph document's own kernel, for comparison
} mpak_gl_model_options;

/// A pack's buffers that never change, shared by all crowds made of it.
typedef struct mpak_gl_model mpak_gl_model;

/// Uploads a pack. Stored chunks go straight from the pack's bytes, compressed ones are decoded into mapped staging
/// memory and copied on the GPU. Pieces of at most 64 MiB.
///
/// pack     opened; must outlive the model
/// options  or NULL
/// model    NULL on failure
/// fault    or NULL; says which rule the pack breaks
///
/// Returns MPAK_OK, MPAK_ERROR_OUT_OF_MEMORY, MPAK_ERROR_GL, or what mpak_load_part returns.
mpak_result mpak_gl_model_create(mpak_gl *gl, const mpak_pack *pack, const mpak_gl_model_options *options,
                                 mpak_gl_model **model, mpak_fault *fault);

/// Frees its buffers. All crowds of it must be gone. NULL is fine.
void mpak_gl_model_destroy(mpak_gl_model *model);

/// How a part of it is moved.
mpak_gl_technique mpak_gl_model_technique(const mpak_gl_model *model, uint32_t part);

// -- Crowd: individuals of a model -----------------------------------------------------------------------------------

/// How deformed vertices are laid out in their buffer.
typedef enum mpak_gl_output_format {
  MPAK_GL_OUTPUT_48 = 0, ///< vec4 position (w 1), vec4 normal (w 0), vec4 tangent (w sign)
  MPAK_GL_OUTPUT_24 = 1, ///< position 3 floats, normal and tangent octahedral 2 x snorm16, sign: mpak_gl_vertex_source
  MPAK_GL_OUTPUT_INTERLEAVED = 2, ///< the morph document's StaticMeshVertex / MorphedSkinnedVertex: position 3, normal
                                  ///< 3, tangent 4, texcoord 2 floats, then joints and weights; compute writes the
                                  ///< first three only, the rest is written once
} mpak_gl_output_format;

/// GLSL that takes part in the compute shader of the skin cache and of inline's morph. Each is the body of a function
///
///     void name(inout vec3 position, inout vec3 normal, inout vec4 tangent, uint vertex, uint individual)
///
/// and may read `uniform vec4 uHook[8]` (mpak_gl_crowd_set_hook_values). A skin hook may call mpak_skin_matrix(vertex,
/// individual) for the blended rows. Directions need not be left normalised. The
/// CPU technique runs no hooks, and bounds know nothing of them.
typedef struct mpak_gl_hooks {
  const char *after_morph; ///< mesh space
  const char *skin;        ///< instead of skinning; component space when it ends. Skin cache only
  const char *after_skin;  ///< component space: where cloth is blended in. Skin cache only
} mpak_gl_hooks;

/// Zeroed means defaults.
typedef struct mpak_gl_crowd_options {
  mpak_gl_output_format output;
  bool keep_previous; ///< the vertices of the frame before stay readable, for motion vectors
  mpak_gl_hooks hooks;
} mpak_gl_crowd_options;

/// Individuals of one model, each with weights, palette and deformed vertices; one dispatch moves all that changed.
typedef struct mpak_gl_crowd mpak_gl_crowd;

/// Makes count individuals that show nothing yet. Buffers are made when a part is shown for the first time.
///
/// count  1 … 65,535
/// crowd  NULL on failure
mpak_result mpak_gl_crowd_create(mpak_gl_model *model, uint32_t count, const mpak_gl_crowd_options *options,
                                 mpak_gl_crowd **crowd);

/// NULL is fine.
void mpak_gl_crowd_destroy(mpak_gl_crowd *crowd);

/// Says what an individual shows: notes what differs from the last time. Touches no GL object.
///
/// pose    of the same pack, its components computed (mpak_character_deform does); copied as far as needed
/// states  of the same pack, or NULL for a pack without shapes; weights are copied
/// lod     parts of this level are shown; a mesh with fewer shows its last
///
/// Returns MPAK_OK or MPAK_ERROR_ARGUMENT (no such individual, another pack, components not computed).
mpak_result mpak_gl_crowd_show(mpak_gl_crowd *crowd, uint32_t individual, const mpak_pose *pose,
                               const mpak_morph_states *states, uint32_t lod);

/// An individual that is shown no more: costs nothing and is extracted as nothing. Call it too before a character that
/// was shown is destroyed: another may come to stand at the same address.
void mpak_gl_crowd_hide(mpak_gl_crowd *crowd, uint32_t individual);

/// Values of uHook; a change makes everything that has hooks dirty.
void mpak_gl_crowd_set_hook_values(mpak_gl_crowd *crowd, const float values[8][4]);

/// Uploads weights and palettes that changed and dispatches what they move. No barrier: mpak_gl_make_writes_visible.
///
/// Returns MPAK_OK, MPAK_ERROR_GL or MPAK_ERROR_OUT_OF_MEMORY; what was not done stays to be done.
mpak_result mpak_gl_crowd_deform(mpak_gl_crowd *crowd);

/// makeComputeWritesVisibleToVertexInput: one barrier if anything was dispatched since the last call, none otherwise;
/// then the state that dispatches changed is restored. A GPU dependency; the CPU does not wait.
void mpak_gl_make_writes_visible(mpak_gl *gl);

// -- Extraction ------------------------------------------------------------------------------------------------------

/// One draw: a section of a part of an individual (RenderItem). Names of GL objects are mpak's; bind them, keep none
/// beyond the next mpak_gl_crowd_deform.
typedef struct mpak_gl_item {
  uint32_t vertex_array; ///< all attributes below; element array bound
  uint32_t index_type;   ///< GL_UNSIGNED_SHORT or GL_UNSIGNED_INT
  uint32_t index_count;
  uint64_t index_offset;  ///< bytes, for glDrawElements
  bool is_skinned_inline; ///< the vertex shader must skin by the palette; else vertices are finished
  uint32_t influence_count;
  uint32_t palette_buffer; ///< 3 rows of vec4 a bone; or 0
  uint64_t palette_offset; ///< bytes: of the individual, aligned for glBindBufferRange
  uint64_t palette_bytes;
  uint32_t palette_texture; ///< texture buffer of the same rows where vertex shaders read no storage, else 0
  uint32_t first_bone;      ///< of the section in the palette
  uint32_t bone_count;
  mpak_matrix component_from_vertices; ///< identity when skinned; the node's otherwise
  mpak_matrix previous_from_vertices;  ///< the same at the mpak_gl_crowd_deform before the last
  float bounds_min[3];                 ///< component space, of the part with the current weights and pose
  float bounds_max[3];
  uint32_t material; ///< of the pack, or MPAK_NONE
  uint32_t instance; ///< of the pack
  uint32_t part;
  uint32_t section;
} mpak_gl_item;

/// Attribute locations of every vertex array. What a part does not have is disabled and reads (0, 0, 0, 1).
typedef enum mpak_gl_attribute {
  MPAK_GL_POSITION = 0, ///< vec3
  MPAK_GL_NORMAL = 1,   ///< vec3; OUTPUT_24: vec2, octahedral
  MPAK_GL_TANGENT = 2,  ///< vec4; OUTPUT_24: vec2, octahedral, w from the lowest bit
  MPAK_GL_TEXCOORD_0 = 3,
  MPAK_GL_TEXCOORD_1 = 4,
  MPAK_GL_COLOUR = 5,
  MPAK_GL_JOINTS_0 = 6,           ///< uvec4, section-local; 7 and 8 for 8 and 12 influences
  MPAK_GL_WEIGHTS_0 = 9,          ///< vec4; 10 and 11
  MPAK_GL_PREVIOUS_POSITION = 12, ///< vec3 of the frame before; the position without keep_previous
} mpak_gl_attribute;

/// The draws of an individual. Fills at most capacity items.
///
/// items  or NULL with capacity 0, to ask for the number
///
/// Returns how many there are; 0 when the individual shows nothing (yet).
uint32_t mpak_gl_crowd_extract(mpak_gl_crowd *crowd, uint32_t individual, mpak_gl_item *items, uint32_t capacity);

/// The buffer with a part's deformed vertices (all individuals one behind another), for ray tracing, GPU culling,
/// tests.
typedef struct mpak_gl_output {
  uint32_t buffer; ///< 0: the part is not deformed, its vertices are the base buffer's
  uint64_t offset; ///< bytes: of the individual
  uint32_t stride; ///< bytes of a vertex
  uint32_t vertex_count;
} mpak_gl_output;

/// MPAK_ERROR_NOT_FOUND: the individual does not show this part of this instance, or its vertices were not made yet.
mpak_result mpak_gl_crowd_output(const mpak_gl_crowd *crowd, uint32_t individual, uint32_t instance, uint32_t part,
                                 mpak_gl_output *output);

// -- Shaders ---------------------------------------------------------------------------------------------------------

/// GLSL functions for the caller's vertex shader, without #version: mpak_skin(…), mpak_decode_octahedral(…).
///
/// influence_count  4, 8 or 12
/// Static text. Its comments say what it declares.
const char *mpak_gl_vertex_source(const mpak_gl *gl, uint32_t influence_count);

#ifdef __cplusplus
}
#endif
#endif
