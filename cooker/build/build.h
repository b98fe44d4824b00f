/// build.h: the stages between a checked scene and bytes. Each lives in the file of its name, changes only the scene
/// (or fills its own result), and knows no other stage. cook.c calls them in this order.
#ifndef COOK_BUILD_H
#define COOK_BUILD_H

#include "cooker/cook.h"

/// A copy whose vertices, deltas and indices may be changed while the original keeps its own. Nodes, skins, materials,
/// clips and what belongs to controls are shared.
cook_scene *build_copy(cook_job *job, const cook_scene *scene);

/// Adds the clips of a clip file's scene, which was checked: nodes by name, else by path (format/name_match.h), weights
/// by the names of controls. What has no counterpart is left out and listed in an issue; so are nodes that the file
/// lacks, and rest poses that differ. Fails the job when the file has no clip, or none that fits.
void build_clips(cook_job *job, cook_scene *model, const cook_scene *source);

/// Fails the job when a file that is there for its clips has none, or none that animates anything.
void build_require_clips(cook_job *job, const cook_scene *source);

/// Levels of detail that the author made become parts of one mesh: listed by the source (cook_node.lods), or by names
/// that end in _LOD0, _LOD1, …. What does not fit stays a mesh of its own (C041, C042). Comes before build_nodes.
void build_lods_authored(cook_job *job, cook_scene *scene, const cook_options *options);

/// Nodes that are cooked, parents first; everything else is dropped and all references renumbered. Meshes, skins and
/// materials that no cooked node uses are dropped too. Nothing left to draw: the scene becomes a clip pack (C017) when
/// it has clips with tracks, else the job fails ("nothing to cook").
void build_nodes(cook_job *job, cook_scene *scene);

/// Influences: equal joints summed, zero weights dropped, ordered by falling weight then joint, cut to max_influences
/// and normalised (D11). influence_count becomes 0, 4, 8 or 12; unused slots are joint 0 weight 0.
void build_influences(cook_job *job, cook_scene *scene, const cook_options *options);

/// The same for one primitive whose joints were exchanged in place.
void build_tidy_influences(cook_job *job, const cook_mesh *mesh, cook_primitive *primitive);

/// Morph targets that --targets does not name go (C058), and with --drop-unused those that move nothing (C059):
/// controls with all their shapes, and what weighs them in meshes, nodes and clips. A pattern without a target is told
/// (C061).
void build_targets(cook_job *job, cook_scene *scene, const cook_options *options);

/// With --drop-unused, joints of skins that move no vertex go (C060). Comes behind build_influences.
void build_unused_joints(cook_job *job, cook_scene *scene, const cook_options *options);

/// Flat normals, as glTF asks, where a primitive has none: every corner becomes a vertex of its own.
void build_normals(cook_job *job, cook_scene *scene, const cook_options *options);

/// Tangents by --tangents: the file's, or MikkTSpace-compatible ones where a normal texture needs them.
void build_tangents(cook_job *job, cook_scene *scene, const cook_options *options);

/// Normal deltas by --morph-normals: auto recomputes a target's when positions move and no normal does, keeping the
/// base's hard edges.
void build_morph_normals(cook_job *job, cook_scene *scene, const cook_options *options);

/// Puts the floats of every mesh on the grids of --quality (cooker/quality.h), finer by the mesh's fineness. They stay
/// floats; cook_primitive.grid says which numbers they are, .errors how far they moved.
void build_quantise(cook_job *job, cook_scene *scene, const cook_options *options);

/// Vertices are one only if every attribute, influence and delta agrees (D4). Unused vertices go (unless no_weld and
/// COOK_ORDER_SOURCE), triangles that repeat a vertex go with an info. Fills source_of_vertex and vertex_of_source.
void build_weld(cook_job *job, cook_scene *scene, const cook_options *options);

/// The same for one primitive, always, without a word about what was merged.
void build_weld_primitive(cook_job *job, const cook_scene *scene, cook_primitive *primitive);

/// Sections: a skinned primitive whose vertices use more than max_bones joints is split, into as few sections as can be
/// found and never more than triangle by triangle. Fills section_count and sections of such a primitive (they stay 0
/// and NULL where one section does), puts triangles and vertices of a section together, and makes vertices at borders
/// once for each section; vertices that no triangle uses go. Fails the job with C030 when max_bones is below three
/// times the influences of such a primitive.
void build_split(cook_job *job, cook_scene *scene, const cook_options *options);

/// Triangle and vertex order within each section, as cook_vertex_order says.
void build_order(cook_job *job, cook_scene *scene, const cook_options *options);

/// Turns triangles so that corners come first that the triangle codec likes (their order and winding stay).
void build_turn_triangles(uint32_t *indices, uint32_t index_count);

/// Puts the vertices of each section of a primitive in the order of the source; triangles stay in their order.
void build_restore_vertex_order(cook_job *job, cook_primitive *primitive);

/// Ranges of controls: [0, 1], widened by defaults, node weights and the extremes of curves (D5).
void build_ranges(cook_job *job, cook_scene *scene, const cook_options *options);

/// Ranges of shapes, by target: the weights that each can reach while its control stays in its range ([0, 1] before
/// build_ranges), rounded outwards.
void build_shape_ranges(cook_job *job, const cook_mesh *mesh, float **range_min, float **range_max);

// -- Remapping: base, deltas, skin, source map all move together ------------------------------------------------------

/// Makes the vertices of a primitive anew: new vertex v is old vertex old_of_new[v]. Indices are not touched.
/// The source map is carried along, but for vertex_of_source (call remap_finish_source_map when all is in place).
/// Streams that do not grow are rewritten in place, so a primitive must own its arrays (build_nodes sees to that).
void remap_vertices(cook_job *job, cook_primitive *primitive, const uint32_t *old_of_new, uint32_t new_count);

/// Recomputes source_of_vertex and vertex_of_source from the lists of sources (source_starts, sources), which
/// remap_vertices carries along; without lists from source_of_vertex.
void remap_finish_source_map(cook_job *job, cook_primitive *primitive);

// -- Clips -----------------------------------------------------------------------------------------------------------

/// Compresses the clips (scene->clip_blocks) by the quality, or --anim-error on a character of 1.8 m, less or more on
/// smaller or larger ones, halved as scene->clip_fineness says. What does not fit, or takes less room as keys, stays as
/// it is. Vertices must be final: how far a joint reaches decides. Nothing to do for lossless packs.
void build_clip_blocks(cook_job *job, cook_scene *scene, const cook_options *options);

/// The box of the base positions of all primitives and LODs of a mesh, min > max without vertices, and its largest
/// side.
void build_mesh_box(const cook_mesh *mesh, float min[3], float max[3]);
double build_mesh_size(const cook_mesh *mesh);

// -- Results ----------------------------------------------------------------------------------------------------------

typedef struct cook_box {
  float min[3], max[3];
} cook_box;

/// What the shapes of a primitive do, and buildGpuMorphData's result (F36): the source document's form.
typedef struct cook_gpu_morph {
  uint32_t vertex_count;
  uint32_t shape_count;
  mpak_base_vertex *base_vertices; ///< vertex_count
  uint64_t *changed;               ///< by shape: changed_words words, bit v % 64 of word v / 64: it changes vertex v
  uint32_t changed_words;
  bool changes_normals; ///< a normal delta of any shape is not zero
  bool changes_tangents;
  uint32_t delta_count;         ///< bits set in changed
  uint32_t *shape_delta_counts; ///< by shape
  cook_box *shape_boxes;        ///< by shape: position deltas and zero
  cook_box *vertex_boxes;       ///< by vertex: where weights within the ranges can bring it
  cook_box bounds;              ///< of the base
  cook_box conservative_bounds; ///< reachable by weights within the ranges, rounded outwards
  float maximum_position_delta;
  uint32_t *vertex_offsets; ///< csr64: vertex_count + 1; NULL after build_morph_facts
  mpak_csr_delta *deltas;   ///< csr64: delta_count, vertex by vertex, shapes ascending
} cook_gpu_morph;

/// Everything but vertex_offsets and deltas: which vertices each shape changes (a component of any delta is not 0), and
/// all bounds. range_min, range_max: by target (build_shape_ranges). Fails the job when there are more deltas than a
/// pack can hold.
void build_morph_facts(cook_job *job, const cook_primitive *primitive, const float *range_min, const float *range_max,
                       cook_gpu_morph *morph);

/// The facts, and then vertex by vertex, target by target: append what is not zero.
void build_gpu_morph(cook_job *job, const cook_primitive *primitive, const float *range_min, const float *range_max,
                     cook_gpu_morph *morph);

/// blk64: who moves (groups and runs) and the payload in memory order (SPEC.md).
typedef struct cook_blocks {
  mpak_payload payload; ///< of the primitive's grid, P36 where deltas are floats
  uint32_t components;  ///< 3, 6 or 9
  uint32_t lane_words;  ///< words of a lane in the payload
  float step, normal_step;
  uint32_t block_count, entry_count, group_count, run_count, delta_count;
  mpak_morph_group *groups;
  mpak_morph_run *runs;
  uint32_t *payload_words; ///< memory order: block, group; lane_words planes of popcount words
  uint64_t payload_word_count;
  mpak_morph_block *blocks;  ///< block_count + 1, as the runtime will make them
  mpak_morph_entry *entries; ///< the same; the packer cuts frames by them
  uint32_t shape_count;
} cook_blocks;

/// Made from the scene's own deltas and the facts (deltas of csr64 are not needed). sections: the vertex ranges,
/// ascending, that blocks may not cross.
void build_blocks(cook_job *job, const cook_primitive *primitive, const cook_gpu_morph *morph,
                  const mpak_section *sections, uint32_t section_count, cook_blocks *blocks);

/// Sections of a primitive, each with its BoneMap (used joints ascending) and boxes; vertex joints become section-local
/// in local_joints.
typedef struct cook_sections {
  uint32_t section_count;
  mpak_section *sections; ///< first_bone: relative to this primitive; the packer rebases it and sets part
  uint32_t bone_count;
  mpak_bone *bones;
  uint16_t *local_joints; ///< vertex_count * influence_count
} cook_sections;
void build_sections(cook_job *job, const cook_primitive *primitive, const cook_gpu_morph *morph,
                    cook_sections *sections);

#endif
