/// eval.h: a pack at one moment: which clips, which weights, and the vertices that come out.
#ifndef CLI_EVAL_H
#define CLI_EVAL_H

#include "cooker/cli/options.h"
#include "cooker/cli/pack_file.h"
#include "cooker/report/json_out.h"
#include "runtime/mpak_pose.h"
#include "runtime/reference/mpak_reference.h"

/// The decoded buffers of one part, shared by all its instances.
typedef struct eval_part {
  mpak_part_data data;
  const uint32_t *pack_of_source; ///< source_vertex_count, or NULL without a source map
  const uint32_t *source_of_pack; ///< vertex_count, or NULL
} eval_part;

/// Clips that can be played: the pack's own, or those of a file of --clips, by node name.
typedef struct eval_clip_set {
  pack_file file; ///< unused for the first set, which is the pack itself
  const mpak_pack *pack;
  mpak_clips clips;
  mpak_clip_map map; ///< unused for the first set
} eval_clip_set;

/// One clip of one set.
typedef struct eval_clip {
  const eval_clip_set *set;
  uint32_t number;
} eval_clip;

typedef struct eval_scene {
  cook_job *job;
  const cli_arguments *arguments;
  pack_file file;
  eval_clip_set *sets; ///< at least one: the pack's own
  uint32_t set_count;
  eval_clip *clips; ///< chosen by --clip, in the order of the command line
  uint32_t clip_count;
  double time_s;                   ///< clamped to the clips
  mpak_ref_pose pose;              ///< backend ref
  mpak_pose cpu_pose;              ///< backends cpu and gl
  mpak_morph_states cpu_morphs;    ///< backends cpu and gl
  mpak_base_vertex **gpu_vertices; ///< backend gl: by number of cpu_morphs, finished; NULL entries: to be moved as cpu
  eval_part *parts;
} eval_scene;

/// One part drawn by one node.
typedef struct eval_mesh {
  const mpak_instance *instance;
  const mpak_node *node;
  const mpak_mesh *mesh;
  const mpak_part *part;
  const eval_part *buffers;
  double (*positions)[3]; ///< by pack vertex
  double (*normals)[3];
  double (*tangents)[4];          ///< or NULL
  bool is_mirrored;               ///< triangles are reversed
  uint32_t vertex_count;          ///< in the chosen order
  const uint32_t *pack_of;        ///< pack vertex of each, MPAK_NONE where unused; NULL: the same number
  const uint32_t *number_of_pack; ///< the way back; NULL: the same number
} eval_mesh;

/// Opens the clip sets: the pack's own clips, and each file of --clips that cooking has not added already. Models among
/// them are cooked to clip packs in memory.
void eval_open_sets(eval_scene *scene, bool is_pack);

/// The files of --clips that cooking the model adds: those that are no packs.
cli_list eval_clip_models(cook_job *job, const cli_arguments *arguments);

static inline bool eval_is_own(const eval_scene *scene, const eval_clip *clip) { return clip->set == scene->sets; }

static inline const mpak_clip *eval_clip_record(const eval_clip *clip) { return &clip->set->pack->clips[clip->number]; }

/// Reads "12" or "#12". Returns MPAK_NONE when the word is no number below limit.
uint32_t eval_read_number(const char *word, bool needs_hash, uint32_t limit);

/// Finds the clips of --clip, and the time. Unknown ones fail the job with U012.
void eval_select_clips(eval_scene *scene);

/// Sets the weights of --weight in the pose. Unknown ones fail the job with U013, wrong words with U014.
void eval_apply_weights(eval_scene *scene);

/// Puts a weight, already clamped, into the pose of the backend in use.
void eval_set_weight(eval_scene *scene, uint32_t instance, uint32_t control, double weight);

/// Poses, morphs and skins everything: *count meshes, by node, then primitive.
eval_mesh *eval_run(eval_scene *scene, uint32_t *count);

/// The pack vertex behind number i of the chosen order, or MPAK_NONE.
static inline uint32_t eval_pack_vertex(const eval_mesh *mesh, uint32_t i) {
  return mesh->pack_of != NULL ? mesh->pack_of[i] : i;
}

/// Corner k of the triangle list in the numbers of the chosen order, mirrored triangles reversed.
uint32_t eval_index(const eval_mesh *mesh, uint32_t k);

// -- Backend cpu: the runtime's own single-precision path (eval_cpu.c) -----------------------------------------------

/// The pose with all clips applied; weights can be set then.
void eval_cpu_pose(eval_scene *scene);

/// Component space and shape weights.
void eval_cpu_finish_pose(eval_scene *scene);

/// Fills the mesh's positions, normals and tangents, with gpu_vertices where there are; component_from_node: of the
/// node that draws it.
void eval_cpu_deform(const eval_scene *scene, uint32_t instance, uint32_t part, eval_mesh *mesh,
                     double component_from_node[12]);

/// Backend gl, after eval_cpu_finish_pose: gpu_vertices of all parts that are shown (eval_gl.c).
void eval_gl_run(eval_scene *scene);

/// Is the part of the level of detail that was asked for?
bool eval_shows(const eval_scene *scene, uint32_t part);

/// The time of the command line, clamped to one clip.
double eval_clip_time(const eval_scene *scene, const eval_clip *clip);

/// --backend, in the table's order.
typedef enum eval_backend { EVAL_BACKEND_REF, EVAL_BACKEND_CPU, EVAL_BACKEND_GL } eval_backend;

// -- Formats ---------------------------------------------------------------------------------------------------------

/// --format, in the table's order.
typedef enum eval_format { EVAL_FORMAT_JSON, EVAL_FORMAT_PLY, EVAL_FORMAT_OBJ, EVAL_FORMAT_GLB } eval_format;

void eval_put_json(text_out *text, const eval_scene *scene, const eval_mesh *meshes, uint32_t count);
void eval_put_ply(text_out *text, const eval_scene *scene, const eval_mesh *meshes, uint32_t count);
void eval_put_obj(text_out *text, const eval_scene *scene, const eval_mesh *meshes, uint32_t count);
void eval_put_glb(text_out *text, const eval_scene *scene, const eval_mesh *meshes, uint32_t count);

#endif
