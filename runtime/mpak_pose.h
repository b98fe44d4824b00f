/// mpak_pose.h: make a character of an opened pack move. The second half of the runtime core; mpak.h is the first.
///
/// What it does: samples clips, blends poses, plays and cross-fades animations, keeps morph weights with the two layers
/// of versions that make still faces free, computes component space, palettes and sockets, and moves vertices on the
/// CPU in single precision. What it does not: touch a GPU (runtime/gl reads the same palettes and weights), or smooth,
/// retarget or compress anything.
///
/// Use, without error handling, for a game that lets mpak own the memory:
///
///     mpak_model *model;                                  // parts and clips, decoded once, shared by all characters
///     mpak_model_create(&pack, NULL, &model, NULL);
///     mpak_character *hero;                               // one individual: pose, weights, vertices
///     mpak_character_create(model, NULL, &hero);
///     mpak_animation_player_play(&hero->player, mpak_find_clip(&pack, "Walk"), MPAK_PLAY_LOOP);
///     mpak_character_update(hero, 1.0f / 60);             // every frame
///     draw(hero->outputs[0].vertices, hero->outputs[0].data->indices);
///     mpak_character_destroy(hero);
///     mpak_model_destroy(model);
///
/// Everything below the last section works without an allocator: ask an object's _bytes, give _init that much memory,
/// 16-byte aligned; there is no matching "destroy". Order of a frame, each step visible as a call of its own: clips
/// into the pose → the game's IK and physics on pose->locals → component space → palettes and morph weights → morph →
/// skin.
///
/// Spaces. Local: relative to the parent node; what clips store. Component: the pack's scene space, metres,
/// right-handed; component[child] = component[parent] * local[child]. Mesh: where base vertices and deltas are. Column
/// vectors.
///
/// Packs: every mpak_pack here must come from mpak_open; what it verified is not checked again. Views must outlive the
/// objects made from them.
///
/// Numbers: for any accepted pack, any finite weight and any time, no NaN and no infinity leaves the vertex functions:
/// a position that overflows single precision is replaced by the one before the step, a direction without length by its
/// base. Weights are clamped to their control's range; a NaN weight counts as 0, and 0 is clamped too.
///
/// Threads: a pack and a model are never changed and may be shared. Every other object belongs to one thread at a time.
/// There are no globals.
#ifndef MPAK_POSE_H
#define MPAK_POSE_H

#include "format/mpak_alloc.h"
#include "runtime/mpak.h"

#ifdef __cplusplus
extern "C" {
#endif

// -- Transforms ------------------------------------------------------------------------------------------------------

/// Scale, then rotation, then translation ("VQS"); 48 bytes whatever a clip stores.
typedef struct mpak_transform {
  float rotation[4];    ///< unit quaternion xyzw
  float translation[4]; ///< xyz metres, 0
  float scale[4];       ///< xyz, 0
} mpak_transform;

/// An affine matrix: 3 rows of 4, row-major, column vectors; the fourth row is 0 0 0 1. 48 bytes, as a GPU reads it.
typedef struct mpak_matrix {
  float m[12];
} mpak_matrix;

MPAK_STATIC_ASSERT(sizeof(mpak_transform) == 48 && sizeof(mpak_matrix) == 48, "transforms are 48 bytes");

/// The transform that changes nothing.
mpak_transform mpak_transform_identity(void);

/// Multiply(A, B) of the skeletal document: the transform that applies first, then second.
///
/// Fast path, when no scale is negative: rotation = q2 * q1, scale = s1 * s2, translation = t2 + q2(s2 * t1). Otherwise
/// the product is made as a matrix and taken apart again, with the sign of s1 * s2 on its axes. Both agree with the
/// matrices' product up to rounding where that is a VQS at all: where the three magnitudes of second's scale are equal,
/// or first's rotation maps axes to axes. Elsewhere the true product shears; component space here therefore uses
/// matrices and never this function.
///
/// out  may be first or second
void mpak_transform_multiply(const mpak_transform *first, const mpak_transform *second, mpak_transform *out);

/// The two paths of mpak_transform_multiply by themselves; the fast one is wrong for negative scales.
void mpak_transform_multiply_fast(const mpak_transform *first, const mpak_transform *second, mpak_transform *out);
void mpak_transform_multiply_by_matrix(const mpak_transform *first, const mpak_transform *second, mpak_transform *out);

/// The matrix of a transform: T * R * S.
void mpak_matrix_of_transform(const mpak_transform *transform, mpak_matrix *out);

/// a * b, that is first b, then a. out may be a or b.
void mpak_matrix_multiply(const mpak_matrix *a, const mpak_matrix *b, mpak_matrix *out);

/// A point (w = 1) moved by a matrix. out may be point.
void mpak_matrix_transform_point(const mpak_matrix *matrix, const float point[3], float out[3]);

/// Grows the box min … max by another box that a matrix has moved: by the smallest box that holds its eight corners.
void mpak_matrix_add_box(const mpak_matrix *matrix, const float box_min[3], const float box_max[3], float min[3],
                         float max[3]);

/// Spherical interpolation on the shorter arc, as glTF 2.0 appendix C.4 has it; above a cosine of 0.9995 the chord,
/// normalised. a and b: unit quaternions. t: 0 gives a, 1 gives b (or -b). Never NaN. out may be a or b.
void mpak_quaternion_slerp(const float a[4], const float b[4], float t, float out[4]);

// -- Pose ------------------------------------------------------------------------------------------------------------

/// One moment of a scene: a local transform per node, weights per instance and control, and, once computed, component
/// space. Game code may write locals and weights (IK, physics); it then calls mpak_pose_changed.
typedef struct mpak_pose {
  const mpak_pack *pack;
  mpak_transform *locals;       ///< by node, relative to the parent. Unused for nodes whose rest is a bare matrix
  float *weights;               ///< of instance i: weights[first_weight[i]] …, one per control of its mesh
  const uint32_t *first_weight; ///< by instance
  mpak_matrix *components;      ///< by node: component space from node; filled by mpak_pose_compute_components
  uint64_t version;             ///< grows with every change of locals or weights
  uint64_t component_version;   ///< version that components belong to; 0: none yet
} mpak_pose;

/// Memory that a pose takes. UINT64_MAX when 64 bits do not hold it.
uint64_t mpak_pose_bytes(const mpak_pack *pack);

/// Makes a pose at rest in the caller's memory.
///
/// memory        mpak_pose_bytes(pack), 16-byte aligned; the pose lives in it
/// pose          zeroed on failure
///
/// Returns MPAK_OK, MPAK_ERROR_BUFFER_TOO_SMALL, MPAK_ERROR_ALIGNMENT, or MPAK_ERROR_LIMIT for 2^32 weights and more.
mpak_result mpak_pose_init(const mpak_pack *pack, void *memory, uint64_t memory_bytes, mpak_pose *pose);

/// Back to the nodes' rest transforms and the instances' default weights.
void mpak_pose_rest(mpak_pose *pose);

/// Says that locals or weights were written by hand.
static inline void mpak_pose_changed(mpak_pose *pose) { ++pose->version; }

/// out = all of from. Both must be poses of the same pack.
void mpak_pose_copy(const mpak_pose *from, mpak_pose *out);

/// Overwrites what a clip animates with its values at one time; the rest of the pose stays, so several clips may be
/// applied in order.
///
/// STEP, LINEAR (slerp for rotations) and CUBICSPLINE as in glTF 2.0 section 3.11 and appendix C; between keys only,
/// before the first and after the last key that key's value. Compressed tracks: two samples, slerp (within 2e-6 rad) or
/// linear between them; times are clamped to the clip. Rotations come out as unit quaternions. Weights are not
/// clamped here; SceneMorphPose and MorphState do that.
///
/// clips   the decoded keys of the pose's pack
/// clip    below pack->clip_count
/// time_s  seconds on the clip's own time line (start_s … end_s); NaN counts as the clip's start
void mpak_pose_sample(mpak_pose *pose, const mpak_clips *clips, uint32_t clip, double time_s);

/// out = from, blended towards to by alpha: slerp for rotations (within 2e-6 rad of turning), linear for all else.
///
/// alpha  clamped to [0, 1], NaN counts as 0; 0 copies from, 1 copies to
/// out    may be from or to; all three are poses of the same pack
void mpak_pose_blend(const mpak_pose *from, const mpak_pose *to, float alpha, mpak_pose *out);

// -- Component space, sockets, palettes ------------------------------------------------------------------------------

/// Fills components for the listed nodes: component[root] = local, component[child] = component[parent] * local[child].
/// Affine matrices throughout, exact under non-uniform scale.
///
/// required        RequiredBones: node numbers, ascending and closed under parents, as in a LOD of the pack; other
/// nodes
///                 keep their old component matrices. NULL: all nodes
/// required_count  of them; ignored for NULL
void mpak_pose_compute_components(mpak_pose *pose, const uint32_t *required, uint32_t required_count);

/// A socket: component space from node, right for the pose's locals whether or not components are computed and the node
/// is among the required. Costs one product per ancestor. Look the node up by mpak_find_node.
///
/// Returns MPAK_OK, or MPAK_ERROR_NOT_FOUND (matrix zeroed) for a number that is no node (MPAK_NONE, for example).
mpak_result mpak_pose_socket(const mpak_pose *pose, uint32_t node, mpak_matrix *component_from_node);

/// ReferenceToLocal of a skin: component(joint's node) * inverse_bind, from the pose's components.
///
/// palette  pack->skins[skin].joint_count matrices: component space from mesh space
void mpak_pose_skin_palette(const mpak_pose *pose, uint32_t skin, mpak_matrix *palette);

/// The matrices that one section's draw needs, in the order of its vertices' joint numbers: out[i] =
/// skin_palette[BoneMap[i]]. This is all that is uploaded for the section.
///
/// section       into pack->sections
/// skin_palette  of the skin of the instance that is drawn
/// out           bone_count of the section
void mpak_section_palette(const mpak_pack *pack, uint32_t section, const mpak_matrix *skin_palette, mpak_matrix *out);

/// A box around a part as the pose shows it: per joint the box of the vertices it moves, with every shape that the
/// weights' ranges allow, moved by its palette matrix. Never too small (up to rounding); usually somewhat too large.
///
/// skin_palette  of the instance's skin; ignored when the part or the instance is not skinned
/// min, max      component space, metres
void mpak_pose_part_bounds(const mpak_pose *pose, uint32_t instance, uint32_t part, const mpak_matrix *skin_palette,
                           float min[3], float max[3]);

// -- SceneMorphPose --------------------------------------------------------------------------------------------------

/// The weights that animation and game want, per node that draws a morphing mesh. Changing nothing costs nothing: the
/// version tells whoever draws.
typedef struct mpak_scene_morph_pose {
  const mpak_pack *pack;
  float *weights;               ///< of instance i: weights[first_weight[i]] …, one per control; read only
  const uint32_t *first_weight; ///< by instance
  uint64_t version;             ///< starts at 1, grows when a value really changes
} mpak_scene_morph_pose;

/// Memory that it takes; UINT64_MAX when 64 bits do not hold it.
uint64_t mpak_scene_morph_pose_bytes(const mpak_pack *pack);

/// Starts with the instances' default weights. Parameters and results as mpak_pose_init.
mpak_result mpak_scene_morph_pose_init(const mpak_pack *pack, void *memory, uint64_t memory_bytes,
                                       mpak_scene_morph_pose *pose);

/// Sets all weights of what a node draws. Values are clamped to their control's range, NaN counts as 0; the version
/// grows by one if any value then differs.
///
/// node     a node with an instance
/// weights  count of them, in the order of the mesh's controls
///
/// Returns MPAK_OK, MPAK_ERROR_NOT_FOUND (the node draws nothing) or MPAK_ERROR_ARGUMENT (count is not the mesh's).
mpak_result mpak_scene_morph_pose_set_weights(mpak_scene_morph_pose *pose, uint32_t node, const float *weights,
                                              uint32_t count);

/// The same for one control of what a node draws. MPAK_ERROR_ARGUMENT: the mesh has no such control.
mpak_result mpak_scene_morph_pose_set_weight(mpak_scene_morph_pose *pose, uint32_t node, uint32_t control,
                                             float weight);

/// The weights of what a node draws, one per control; NULL when it draws nothing.
const float *mpak_scene_morph_pose_weights(const mpak_scene_morph_pose *pose, uint32_t node);

// -- MorphState ------------------------------------------------------------------------------------------------------

/// The weights of one part of one instance: controls' as they were set, and shapes' as the deltas need them. A shape
/// has its control's weight, or what a rule makes of it: in-between shapes come and go along straight lines, and their
/// weights leave the control's range where it goes past its last shape. All members are to be read only.
typedef struct mpak_morph_state {
  const mpak_pack *pack;
  uint32_t instance;
  uint32_t part;
  float *weights; ///< by control of the mesh
  uint32_t control_count;
  float *shape_weights; ///< by shape of the part: what a deformer or the weight buffer takes
  uint32_t shape_count;
  uint32_t active_shape_count; ///< shapes whose weight is not 0
  uint64_t version;            ///< starts at 1, grows when the weight of a control really changes
  uint64_t applied_version;    ///< version that the output vertices show; 0: none, they were never made
} mpak_morph_state;

/// Sets one control: clamps to its range (NaN counts as 0), compares, and only if it differs stores, updates the shape
/// weights and the active count, and raises the version by one.
///
/// Returns MPAK_OK or MPAK_ERROR_ARGUMENT (no such control).
mpak_result mpak_morph_state_set_weight(mpak_morph_state *state, uint32_t control, float weight);

/// Work that was done since the start, for tests and for the curious.
typedef struct mpak_morph_counters {
  uint64_t pose_checks;        ///< calls of mpak_morph_states_apply
  uint64_t nodes_visited;      ///< nodes whose weights were read, in calls that found another version
  uint64_t primitives_visited; ///< states whose weights were set in them
  uint64_t weight_uploads;     ///< states whose weights were handed over
  uint64_t dispatches;         ///< states whose vertices were made anew
} mpak_morph_counters;

/// The states of all parts of all instances.
typedef struct mpak_morph_states {
  const mpak_pack *pack;
  mpak_morph_state *states; ///< by instance, then part of its mesh
  uint32_t state_count;
  const uint32_t *first_state;   ///< by instance; instance_count + 1 of them
  uint64_t applied_pose_version; ///< SceneMorphPose version that the states show; 0: none
  mpak_morph_counters counters;
} mpak_morph_states;

/// Memory that the states take; UINT64_MAX when 64 bits do not hold it.
uint64_t mpak_morph_states_bytes(const mpak_pack *pack);

/// Starts with the instances' default weights. Parameters and results as mpak_pose_init.
mpak_result mpak_morph_states_init(const mpak_pack *pack, void *memory, uint64_t memory_bytes,
                                   mpak_morph_states *states);

/// Layer 1 of the version cache: takes a pose's weights over into the states. Returns at once, visiting nothing, when
/// the pose's version is the one taken last.
void mpak_morph_states_apply(mpak_morph_states *states, const mpak_scene_morph_pose *pose);

/// Hands a state's weights over and makes its vertices: upload and dispatch, or the CPU's morph.
typedef void (*mpak_morph_update)(void *user, const mpak_morph_state *state);

/// Layer 2: calls update for every state with shapes whose version is not its applied version (all of them the first
/// time), and then notes the version. Returns the number of calls: one barrier is due if it is above 0, none otherwise.
uint32_t mpak_morph_states_flush(mpak_morph_states *states, mpak_morph_update update, void *user);

/// The same for one state, by its number; true if update was called.
bool mpak_morph_states_flush_one(mpak_morph_states *states, uint32_t state, mpak_morph_update update, void *user);

// -- Clips of other packs --------------------------------------------------------------------------------------------

/// The way from the clips of one pack (a clip pack, or any other with clips) to poses of another. Nodes are found by
/// their names, and where a name occurs more than once in a pack by their paths from the root; controls by their names
/// in what a node draws, whatever their order. Made once, then only read: all characters of the target and any number
/// of threads may share it.
///
///     mpak_clip_map_init(&run_pack, &run_clips, &hero_pack, memory, mpak_clip_map_bytes(&run_pack, &hero_pack), &map);
///     mpak_animation_player_play_mapped(&hero->player, &map, mpak_find_clip(&run_pack, "Run"), MPAK_PLAY_LOOP);
typedef struct mpak_clip_map {
  const mpak_pack *clip_pack;     ///< whose clips are played
  const mpak_pack *pack;          ///< whose poses they move
  mpak_clips clips;               ///< keys of clip_pack
  uint32_t *node_of;              ///< by node of clip_pack: node of pack, or MPAK_NONE
  uint32_t *instance_of;          ///< by instance of clip_pack: what the counterpart of its node draws, or MPAK_NONE
  uint32_t *first_control;        ///< by instance of clip_pack: into control_of
  uint32_t *control_of;           ///< control_of[first_control[i] + c]: control c's in the mesh of pack, or MPAK_NONE
  uint8_t *animates_weights;      ///< by instance of pack: does any clip have its weights?
  uint32_t node_count;            ///< nodes that any clip moves …
  uint32_t missing_node_count;    ///< … and of these without a counterpart, or with more than one
  uint32_t control_count;         ///< controls that any clip animates, by instance …
  uint32_t missing_control_count; ///< … and of these without a counterpart
} mpak_clip_map;

/// Memory that a map takes, work space included; UINT64_MAX when 64 bits do not hold it.
uint64_t mpak_clip_map_bytes(const mpak_pack *clip_pack, const mpak_pack *pack);

/// Makes a map in the caller's memory. Time is linear in the number and length of names.
///
/// clip_pack  may be pack itself
/// clips      its decoded keys; copied pointers, they must outlive the map. NULL for a pack without clips
/// memory     mpak_clip_map_bytes, 16-byte aligned; the map lives in it
/// map        zeroed on failure. A map on which nothing fits is no failure: look at its counts
///
/// Results as mpak_pose_init, and MPAK_ERROR_ARGUMENT when the keys are missing.
mpak_result mpak_clip_map_init(const mpak_pack *clip_pack, const mpak_clips *clips, const mpak_pack *pack, void *memory,
                               uint64_t memory_bytes, mpak_clip_map *map);

/// mpak_pose_sample with a clip of another pack: nodes and controls without a counterpart keep what they have.
///
/// pose  of map->pack
/// clip  below map->clip_pack->clip_count
void mpak_pose_sample_mapped(mpak_pose *pose, const mpak_clip_map *map, uint32_t clip, double time_s);

// -- AnimationPlayer -------------------------------------------------------------------------------------------------

typedef enum mpak_play_mode {
  MPAK_PLAY_CLAMP = 0, ///< stops at the clip's end (or start, backwards) and stays there
  MPAK_PLAY_LOOP = 1,  ///< the end is the start again
} mpak_play_mode;

/// One clip being played.
typedef struct mpak_playback {
  uint32_t clip;            ///< MPAK_NONE: the rest pose
  const mpak_clip_map *map; ///< whose clip it is; NULL: the player's own pack's
  mpak_play_mode mode;
  double time_s; ///< on the clip's own time line, between its start_s and end_s
} mpak_playback;

/// Plays one clip, or fades from what it played into another. Writes poses and weights; knows nothing of buffers.
typedef struct mpak_animation_player {
  const mpak_pack *pack;
  mpak_clips clips;
  mpak_playback current;
  mpak_playback previous; ///< while fading: what is faded out
  float speed;            ///< 1 is the clip's own; negative plays backwards
  double fade_duration_s; ///< 0: not fading
  double fade_elapsed_s;
  bool is_previous_frozen;  ///< a fade was interrupted: fade_pose stays as it is
  bool is_stale;            ///< something changed since the pose was written
  uint64_t written_version; ///< of the pose, after it was written
  uint64_t written_morph_version;
  mpak_pose fade_pose;       ///< work space: what is faded out
  mpak_pose mix_pose;        ///< work space
  uint8_t *animates_weights; ///< by instance: does any clip of the pack, or of a map that was played, have its weights?
} mpak_animation_player;

/// Memory that a player takes; UINT64_MAX when 64 bits do not hold it.
uint64_t mpak_animation_player_bytes(const mpak_pack *pack);

/// A player that shows the rest pose at speed 1.
///
/// clips   the pack's decoded keys; copied pointers, they must outlive the player. NULL for a pack without clips
/// Other parameters and results as mpak_pose_init.
mpak_result mpak_animation_player_init(const mpak_pack *pack, const mpak_clips *clips, void *memory,
                                       uint64_t memory_bytes, mpak_animation_player *player);

/// Starts a clip at its start, at once.
///
/// clip  number, or MPAK_NONE for the rest pose
/// Returns MPAK_OK or MPAK_ERROR_NOT_FOUND (no such clip; the player goes on as before).
mpak_result mpak_animation_player_play(mpak_animation_player *player, uint32_t clip, mpak_play_mode mode);

/// Starts a clip at its start and blends into it over duration_s; both clips move on meanwhile. Interrupting a fade
/// freezes the pose it had reached and fades from that. A duration that is not above 0 means play.
///
/// Results as mpak_animation_player_play.
mpak_result mpak_animation_player_cross_fade(mpak_animation_player *player, uint32_t clip, mpak_play_mode mode,
                                             double duration_s);

/// The same with a clip of another pack; both kinds fade into one another. NULL for map is the player's own pack.
///
/// map   to the player's pack; it must live until the player has shown something else to the end of the fade
/// clip  number in map->clip_pack, or MPAK_NONE for the rest pose
///
/// Results as mpak_animation_player_play, and MPAK_ERROR_ARGUMENT for a map to another pack.
mpak_result mpak_animation_player_play_mapped(mpak_animation_player *player, const mpak_clip_map *map, uint32_t clip,
                                              mpak_play_mode mode);
mpak_result mpak_animation_player_cross_fade_mapped(mpak_animation_player *player, const mpak_clip_map *map,
                                                    uint32_t clip, mpak_play_mode mode, double duration_s);

/// Moves the current clip to a time of its own time line, clamped to the clip; NaN counts as its start.
void mpak_animation_player_seek(mpak_animation_player *player, double time_s);

/// Changes the speed of whatever plays. Returns MPAK_OK or MPAK_ERROR_ARGUMENT (not finite; the old speed stays).
mpak_result mpak_animation_player_set_speed(mpak_animation_player *player, float speed);

/// Moves time on and writes the result: rest pose, overwritten by what the clips animate, blended while fading.
///
/// Writes nothing at all when time stood still and nobody else changed pose or morph_pose since. Weights go to those
/// instances that any clip of the pack, or of a map that was played, animates; the weights of others are the game's.
///
/// dt_s        seconds since the last call, times speed; what is not finite counts as 0
/// pose        of the same pack; written whole
/// morph_pose  or NULL
void mpak_animation_player_advance(mpak_animation_player *player, double dt_s, mpak_pose *pose,
                                   mpak_scene_morph_pose *morph_pose);

/// Has a clip in clamp mode reached its last frame (its first, when played backwards)? The rest pose always has.
bool mpak_animation_player_is_finished(const mpak_animation_player *player);

// -- Vertices on the CPU ---------------------------------------------------------------------------------------------
//
// On x86-64 these run SSE2 or AVX2, as the processor has it. Results are the same to the last bit whichever
// of them runs.

/// A sum of a normal or tangent with its deltas that is not longer than this has no direction; the base's is used.
#define MPAK_SHORTEST_SUM 1e-6f

/// Morphs a part in mesh space: position = base + sum w·delta; normals and tangents likewise, then normalised, the
/// base's own where the sum is shorter than MPAK_SHORTEST_SUM. Vertices that no active shape touches are the base's
/// bytes.
///
/// data           of the part, either delta layout
/// shape_weights  by shape, finite (mpak_morph_state has them)
/// out            vertex_count of the part; w: 1, 0, the base's sign
void mpak_morph_vertices(const mpak_pack *pack, uint32_t part, const mpak_part_data *data, const float *shape_weights,
                         mpak_base_vertex *out);

/// Skins a part by its sections' bone maps, 4, 8 or 12 influences: M = sum w·palette[BoneMap[joint]]. Positions by M,
/// normals by its inverse transpose (sign of the determinant times the cofactors, which also exists for flat matrices),
/// tangents by M itself; w of the tangent changes sign where M mirrors. Directions are normalised.
///
/// skin_palette  of the instance's skin
/// in, out       vertex_count; mesh space in, component space out; may be the same
void mpak_skin_vertices(const mpak_pack *pack, uint32_t part, const mpak_part_data *data,
                        const mpak_matrix *skin_palette, const mpak_base_vertex *in, mpak_base_vertex *out);

/// Moves vertices by one matrix, with the same rules: a part that is not skinned, by its node.
void mpak_move_vertices(const mpak_matrix *component_from_mesh, uint32_t vertex_count, const mpak_base_vertex *in,
                        mpak_base_vertex *out);

// -- Model and character: the same with an allocator -----------------------------------------------------------------

/// All parts and clips of a pack, decoded. Immutable; shared by any number of characters and threads.
typedef struct mpak_model {
  const mpak_pack *pack;
  mpak_part_data *parts; ///< by part; NULL without geometry
  mpak_clips clips;
  uint32_t most_joints; ///< of a skin
  // private
  mpak_allocator allocator;
  void **part_memory;
  void *clip_memory;
} mpak_model;

/// Decodes a whole pack.
///
/// pack       must outlive the model
/// allocator  or NULL for malloc and free; copied
/// model      NULL on failure
/// fault      or NULL; says which rule the pack breaks
///
/// Returns MPAK_OK, MPAK_ERROR_OUT_OF_MEMORY, or what mpak_load_part and mpak_load_clips return. Frees everything on
/// failure.
mpak_result mpak_model_create(const mpak_pack *pack, const mpak_allocator *allocator, mpak_model **model,
                              mpak_fault *fault);

/// The same without geometry: clips only, parts is NULL. For characters whose vertices a GPU moves (runtime/gl).
mpak_result mpak_model_create_without_parts(const mpak_pack *pack, const mpak_allocator *allocator, mpak_model **model,
                                            mpak_fault *fault);

/// Gives all memory back. No character may use the model any more. NULL is fine.
void mpak_model_destroy(mpak_model *model);

/// The vertices of one part of one instance.
typedef struct mpak_character_output {
  uint32_t instance;
  uint32_t part;
  const mpak_part_data *data;
  const mpak_base_vertex *vertices; ///< component space, vertex_count of the part
  // private
  mpak_base_vertex *moved;
  mpak_base_vertex *morphed;   ///< mesh space; NULL without shapes
  uint64_t shown_pose_version; ///< component version that vertices show; 0: none yet
  uint64_t shown_morph_version;
} mpak_character_output;

/// One individual: its animation, its weights, its vertices.
typedef struct mpak_character {
  const mpak_model *model;
  mpak_animation_player player;
  mpak_pose pose;
  mpak_scene_morph_pose morph_pose;
  mpak_morph_states morph_states;
  mpak_character_output *outputs; ///< in the order of morph_states.states
  uint32_t output_count;
  uint32_t lod;           ///< parts of other LODs are not made (a mesh with fewer shows its last one); 0 at first
  uint64_t skinned_count; ///< outputs that were moved since the start
  // private
  mpak_allocator allocator;
  uint32_t *required; ///< nodes that the shown levels need, ascending
  uint32_t required_count;
  uint32_t required_lod; ///< level that required belongs to; MPAK_NONE: none yet
  mpak_matrix *palette;
  void *pose_memory;
  void *player_memory;
  void *morph_pose_memory;
  void *morph_states_memory;
} mpak_character;

/// Makes a character at rest, its vertices valid (mpak_character_deform has run).
///
/// model      must outlive the character
/// allocator  or NULL for malloc and free; copied
/// character  NULL on failure
///
/// Returns MPAK_OK, MPAK_ERROR_OUT_OF_MEMORY or MPAK_ERROR_LIMIT. Frees everything on failure.
mpak_result mpak_character_create(const mpak_model *model, const mpak_allocator *allocator, mpak_character **character);

/// A character without vertices (output_count 0): pose, components, weights and morph states only, as a GPU needs them.
/// So is every character of a model without parts.
mpak_result mpak_character_create_posed(const mpak_model *model, const mpak_allocator *allocator,
                                        mpak_character **character);

/// Gives all memory back. NULL is fine.
void mpak_character_destroy(mpak_character *character);

/// A frame: mpak_character_animate, then mpak_character_deform. Games with IK or physics call the two themselves and
/// write pose.locals in between.
void mpak_character_update(mpak_character *character, double dt_s);

/// Moves the player on; fills pose and morph_pose.
void mpak_character_animate(mpak_character *character, double dt_s);

/// Component space, morph, skin; only what has changed since the last call, and only what the character's level shows:
/// nodes outside the RequiredBones of the shown levels keep their old component matrices (mpak_pose_socket is right for
/// any node).
void mpak_character_deform(mpak_character *character);

#ifdef __cplusplus
}
#endif
#endif
