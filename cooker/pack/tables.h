/// tables.h: the records of a pack while they are made. Each tables_*.c fills its own; pack_scene.c calls them in order
/// and turns the tables into chunks.
#ifndef COOK_PACK_TABLES_H
#define COOK_PACK_TABLES_H

#include "cooker/pack/keys.h"
#include "cooker/pack/pack.h"
#include "cooker/pack/strings.h"

/// One part that is being made: a primitive that has vertices, and what the build stages made of it.
typedef struct pack_part {
  uint32_t mesh;
  const cook_primitive *primitive;
  cook_gpu_morph morph;
  cook_sections sections;
  cook_blocks blocks; ///< blk64 with shapes; else zero
} pack_part;

typedef struct pack_tables {
  cook_job *job;
  const cook_scene *scene;
  const cook_options *options;
  pack_strings strings;
  pack_named *node_names, *mesh_names, *skin_names, *material_names, *clip_names;
  pack_named **control_names; ///< by mesh

  mpak_node *nodes;
  uint32_t node_count;
  mpak_instance *instances;
  uint32_t instance_count;
  float *instance_weights;
  uint32_t instance_weight_count;
  mpak_skin *skins;
  uint32_t skin_count;
  mpak_joint *joints;
  uint32_t joint_count;
  mpak_mesh *meshes;
  uint32_t mesh_count;
  mpak_part *parts;
  pack_part *part_sources; ///< by part
  uint32_t part_count;
  mpak_control *controls;
  uint32_t control_count;
  mpak_shape *shapes;
  uint32_t shape_count;
  mpak_rule *rules;
  uint32_t rule_count;
  mpak_rule_point *rule_points;
  uint32_t rule_point_count;
  uint32_t **rule_of_target; ///< by mesh, then target: its rule's number, MPAK_NONE while no shape has named it
  mpak_section *sections;
  uint32_t section_count;
  mpak_bone *bones;
  uint32_t bone_count;
  mpak_quantisation *quantisations;
  uint32_t quantisation_count;
  mpak_lod *lods;
  uint32_t lod_count;
  uint32_t *required_bones;
  uint32_t required_bone_count;
  mpak_material *materials;
  uint32_t material_count;
  mpak_clip *clips;
  uint32_t clip_count;
  mpak_track *tracks;
  uint32_t track_count;
  float *key_times;
  uint32_t key_time_count;
  float *key_values;
  uint32_t key_value_count;
  uint8_t *animation; ///< ANIM
  uint32_t animation_bytes;
  uint32_t *animation_words; ///< what loading must make of it
  uint32_t animation_word_count;
  mpak_measured_error *errors;
  uint32_t error_count;
  const char *(*options_text)[2]; ///< key and value of each META record
  mpak_meta *metas;
  uint32_t meta_count;
  uint64_t content_id;

  pack_chunk *chunks;
  uint32_t chunk_count, chunk_capacity;
} pack_tables;

/// A count of records as 32 bits; fails the job with C052 when it is larger.
uint32_t tables_count(cook_job *job, uint64_t count, uint64_t limit, const char *what);

/// Where a text of the scene stands in STRS.
static inline uint32_t tables_text(const pack_tables *tables, const char *text) {
  return pack_strings_offset(&tables->strings, text);
}

/// All of the below in order: the scene's tables and chunks, ready to be written.
void tables_make_all(pack_tables *tables);

void tables_make_options(pack_tables *tables);   ///< META's texts and the content id
void tables_make_names(pack_tables *tables);     ///< keys and STRS
void tables_make_metas(pack_tables *tables);     ///< META
void tables_make_nodes(pack_tables *tables);     ///< NODE, SKIN, JONT, INST, IWGT
void tables_make_materials(pack_tables *tables); ///< MATL
void tables_build_parts(pack_tables *tables);    ///< runs the build stages of every part
void tables_make_meshes(pack_tables *tables);    ///< MESH, PART, CTRL, SHAP, RULE, RPTS, SECT, BMAP
void tables_make_required(pack_tables *tables);  ///< LODS, RBON
void tables_make_clips(pack_tables *tables);     ///< CLIP, TRAK, KEYT, KEYV, ANIM
void tables_make_errors(pack_tables *tables);    ///< ERRS, all zero: measure.c fills them
void tables_make_chunks(pack_tables *tables);    ///< all chunks, in the order of the file

/// Memory for all rules, and then the control and the rule of each shape of a mesh's target, in the order of the
/// shapes.
void tables_allot_rules(pack_tables *tables);
void tables_set_rule(pack_tables *tables, uint32_t mesh, uint32_t target, mpak_shape *shape);

/// The chunks of streams that lie on grids, instead of VBAS, TEXC and the wider JNTS and WGTS; MPAK_NONE where a stream
/// does not.
uint32_t tables_add_quantised_base(pack_tables *tables, uint32_t part);
uint32_t tables_add_quantised_texcoords(pack_tables *tables, uint32_t part, uint32_t slot);
uint32_t tables_add_quantised_joints(pack_tables *tables, uint32_t part);
uint32_t tables_add_quantised_weights(pack_tables *tables, uint32_t part);
void tables_make_quantisations(pack_tables *tables); ///< QUAN

/// Adds a chunk whose stride, flags and format the kind fixes, unless it is empty. Returns its number or MPAK_NONE.
uint32_t tables_add_chunk(pack_tables *tables, uint32_t kind, uint32_t owner, uint32_t stride, uint64_t count,
                          const void *bytes);

/// The data chunks of one part, with their numbers stored in its record.
void tables_add_part_chunks(pack_tables *tables, uint32_t part);

#endif
