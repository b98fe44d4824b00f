/// build.h: the stages between a checked scene and bytes. Each lives in the file of its name, changes only the scene (or
/// fills its own result), and knows no other stage. cook.c calls them in this order.
#ifndef COOK_BUILD_H
#define COOK_BUILD_H

#include "cooker/cook.h"

/// Nodes that are cooked, parents first; everything else is dropped and all references renumbered. Meshes, skins and
/// materials that no cooked node uses are dropped too. Nothing left to draw: fails the job ("nothing to cook").
void build_nodes(cook_job *job, cook_scene *scene);

/// Influences: equal joints summed, zero weights dropped, ordered by falling weight then joint, cut to max_influences
/// and normalised (D11). influence_count becomes 0, 4, 8 or 12; unused slots are joint 0 weight 0.
void build_influences(cook_job *job, cook_scene *scene, const cook_options *options);

/// Flat normals, as glTF asks, where a primitive has none: every corner becomes a vertex of its own.
void build_normals(cook_job *job, cook_scene *scene, const cook_options *options);

/// Tangents by --tangents: the file's, or MikkTSpace-compatible ones where a normal texture needs them.
void build_tangents(cook_job *job, cook_scene *scene, const cook_options *options);

/// Normal deltas by --morph-normals: auto recomputes a target's when positions move and no normal does, keeping the
/// base's hard edges.
void build_morph_normals(cook_job *job, cook_scene *scene, const cook_options *options);

/// Vertices are one only if every attribute, influence and delta agrees (D4). Unused vertices go (unless no_weld and
/// keep_source_order), triangles that repeat a vertex go with an info. Fills source_of_vertex and vertex_of_source.
void build_weld(cook_job *job, cook_scene *scene, const cook_options *options);

/// Triangle and vertex order: strip order of the vertex cache optimiser, unless keep_source_order.
void build_order(cook_job *job, cook_scene *scene, const cook_options *options);

/// Ranges of controls: [0, 1], widened by defaults, node weights and the extremes of curves (D5).
void build_ranges(cook_job *job, cook_scene *scene, const cook_options *options);

// -- Remapping: base, deltas, skin, source map all move together ------------------------------------------------------

/// Makes the vertices of a primitive anew: new vertex v is old vertex old_of_new[v]. Indices are not touched.
/// source_of_vertex is carried along. vertex_of_source is not (build_weld and build_order refill it).
void remap_vertices(cook_job *job, cook_primitive *primitive, const uint32_t *old_of_new, uint32_t new_count);

/// Recomputes vertex_of_source from source_of_vertex, welded groups included: merged_into[old source] … see remap.c.
void remap_finish_source_map(cook_job *job, cook_primitive *primitive);

// -- Results ----------------------------------------------------------------------------------------------------------

typedef struct cook_box { float min[3], max[3]; } cook_box;

/// buildGpuMorphData's result (F36): the source document's form, for one primitive.
typedef struct cook_gpu_morph {
  uint32_t vertex_count;
  mpak_base_vertex *base_vertices; ///< vertex_count
  uint32_t *vertex_offsets;        ///< vertex_count + 1
  mpak_csr_delta *deltas;
  uint32_t delta_count;
  uint32_t *shape_delta_counts;    ///< by target
  cook_box *shape_boxes;           ///< by target: position deltas and zero
  cook_box bounds;                 ///< of the base
  cook_box conservative_bounds;    ///< reachable by weights within the ranges, rounded outwards
  float maximum_position_delta;
} cook_gpu_morph;

/// vertex by vertex, target by target: append what is not zero. range_min, range_max: by target (D5).
void build_gpu_morph(cook_job *job, const cook_primitive *primitive, const float *range_min, const float *range_max,
                     cook_gpu_morph *morph);

/// blk64 with P36: who moves (groups and runs) and the payload in memory order (SPEC.md).
typedef struct cook_blocks {
  uint32_t components; ///< 3, 6 or 9
  uint32_t block_count, entry_count, group_count, run_count, delta_count;
  mpak_morph_group *groups;
  mpak_morph_run *runs;
  uint32_t *payload_words;      ///< memory order: block, shape; components planes of popcount floats
  uint64_t payload_word_count;
  mpak_morph_entry *entries;    ///< as the runtime will make them; the packer cuts frames by them
} cook_blocks;

/// sections: the vertex ranges, ascending, that blocks may not cross.
void build_blocks(cook_job *job, const cook_gpu_morph *morph, uint32_t shape_count, const mpak_section *sections,
                  uint32_t section_count, cook_blocks *blocks);

/// Sections of a primitive: one for now, with its BoneMap (used joints ascending) and boxes; vertex joints become
/// section-local in local_joints.
typedef struct cook_sections {
  uint32_t section_count;
  mpak_section *sections; ///< part, first_bone: relative to this primitive; the packer rebases
  uint32_t bone_count;
  mpak_bone *bones;
  uint16_t *local_joints; ///< vertex_count * influence_count
} cook_sections;
void build_sections(cook_job *job, const cook_primitive *primitive, const cook_gpu_morph *morph, cook_sections *sections);

#endif
