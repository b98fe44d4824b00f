/// assimp_maker.h: the work bench on which Assimp's scene becomes the cooker's. Each assimp_*.c adds its part, in the
/// order of assimp_scene_make.
#ifndef COOK_ASSIMP_MAKER_H
#define COOK_ASSIMP_MAKER_H

#include "cooker/import/affine.h"
#include "cooker/import/assimp_private.h"
#include "cooker/import/fbx_facts.h"

/// What an aiNode is to the node that it belongs to. Assimp turns one FBX node into a chain of aiNodes when its
/// transform has pivots or pre-rotations; all but the last are helpers, named NODE_$AssimpFbx$_PART.
typedef enum assimp_link_kind {
  LINK_NODE,      ///< the node itself
  LINK_HELPER,    ///< a factor of its transform
  LINK_GEOMETRIC, ///< a factor that moves its mesh but not its children
  LINK_INVERSE,   ///< undoes the geometric factors for the children
  LINK_STAND_IN,  ///< stands for its parent (fbx_clusters.h)
} assimp_link_kind;

/// One aiNode. All of them stand in depth-first order, so that the chain of a node is in the order of its factors.
typedef struct assimp_link {
  const struct aiNode *source;
  assimp_link_kind kind;
  uint32_t owner; ///< node of the scene; MPAK_NONE for a root that is left out
} assimp_link;

/// A name and where it leads, for look-up.
typedef struct assimp_name {
  const char *name;
  uint32_t link;
} assimp_name;

/// A node of the scene, as far as only the importer needs to know.
typedef struct assimp_node {
  uint32_t first_link; ///< its chain: links with this owner, from here on
  uint32_t link_end;
  affine geometric; ///< mesh space of the node from mesh space of the file
  uint32_t model;   ///< FBX object, or FBX_NONE
} assimp_node;

/// One shape of an FBX geometry.
typedef struct assimp_fbx_shape {
  uint32_t channel;       ///< object
  uint32_t shape;         ///< object
  uint32_t order;         ///< among the shapes of its channel
  uint32_t channel_index; ///< as morph keys count channels
  uint32_t control;       ///< of the mesh; MPAK_NONE until the mesh is made, or where Assimp has no such shape
  bool is_repeat;         ///< the same shape of the same channel stands before it
} assimp_fbx_shape;

/// What the records say of a clip. All empty for other formats, or when the clip's stack is not found.
typedef struct assimp_fbx_clip {
  bool *moves_node;   ///< by object: its transform is animated
  bool *moves_shapes; ///< by object: weights of its shapes are
  bool has_range;     ///< LocalStart and LocalStop are stated
  double start_s, stop_s;
  bool has_keys;
  double earliest_key_s; ///< on the file's own time line
  double latest_key_s;
  double first_key_s; ///< without a range: where the earliest key goes on ours
} assimp_fbx_clip;

/// Meshes of one node: they become one mesh with several primitives.
typedef struct assimp_group {
  const unsigned *meshes; ///< indices of aiMeshes
  uint32_t mesh_count;
  affine geometric;
  uint32_t mesh;        ///< of the scene; MPAK_NONE when it has no triangles
  uint32_t geometry;    ///< FBX object, or FBX_NONE
  uint32_t shape_count; ///< shapes of the geometry; 0 when not known
  assimp_fbx_shape *shapes;
  uint32_t next; ///< another group that begins with the same aiMesh, or MPAK_NONE
  bool has_bones;
  bool has_joined_bones;   ///< several bones of a mesh are the same joint
  bool has_loose_vertices; ///< vertices of a skinned mesh that no bone moves
  uint32_t joint_count;
  uint32_t *joints; ///< nodes
  float (*inverse_binds)[12];
  uint32_t **bone_joints; ///< by mesh of the group, by bone: index in joints
  uint32_t shared_skin;   ///< skin of the scene that all instances may use, or MPAK_NONE
} assimp_group;

/// A morph target of a group: which aiAnimMesh it is in each mesh.
typedef struct assimp_target {
  const char *name;    ///< of its control
  uint32_t shape;      ///< of the group, where the records tell; else MPAK_NONE
  uint32_t repeat;     ///< how many earlier targets have this name
  uint32_t *anim_mesh; ///< by mesh of the group; MPAK_NONE where a mesh has no such target
} assimp_target;

typedef struct assimp_maker {
  cook_job *job;
  const struct aiScene *source;
  cook_source_kind kind;
  const cook_options *options;
  cook_scene *scene;
  const fbx_facts *facts; ///< NULL for other formats
  double turn[3][3];      ///< our axes from the file's
  double scale;           ///< metres from the file's unit
  uint32_t link_count, link_capacity;
  assimp_link *links;
  assimp_node *nodes; ///< by node of the scene
  assimp_name *names; ///< of all links, by name, then link
  uint32_t group_count;
  assimp_group *groups;
  uint32_t *group_of_node; ///< by node of the scene; MPAK_NONE without meshes
  uint32_t *first_group;   ///< by aiMesh: the first group that begins with it
  uint32_t *materials;     ///< by aiMaterial: material of the scene, or MPAK_NONE
} assimp_maker;

// -- assimp_space.c: units and axes -----------------------------------------------------------------------------------

/// Reads the file's unit and axes; whole is the transform of everything, root node included.
void assimp_find_space(assimp_maker *maker);
affine assimp_affine(const struct aiMatrix4x4 *matrix);
/// A transform between two spaces of the file, as one between the same spaces in our units and axes.
affine assimp_convert_transform(const assimp_maker *maker, affine transform);
void assimp_convert_point(const assimp_maker *maker, const double from[3], float to[3]);
void assimp_convert_direction(const assimp_maker *maker, const double from[3], double to[3]);
void assimp_convert_rotation(const assimp_maker *maker, const struct aiQuaternion *from, double to[4]);
void assimp_convert_scale(const assimp_maker *maker, const double from[3], float to[3]);
void assimp_store_affine(const affine *from, float to[12]);
void assimp_store_rest(const affine *local, cook_node *node); ///< parts; also a matrix, which counts where they fail

affine assimp_rest(const cook_node *node); ///< the rest transform to the parent

// -- assimp_tree.c: nodes ---------------------------------------------------------------------------------------------

void assimp_make_nodes(assimp_maker *maker);
/// Product of a node's factors, the geometric ones left out.
affine assimp_local_transform(const assimp_maker *maker, uint32_t node);
/// A text of Assimp's as one of ours: "" and names that Assimp made up are NULL.
const char *assimp_text(const assimp_maker *maker, const struct aiString *text);
/// The same for the name of a node, mesh, bone or material: FBX objects get their own names back.
const char *assimp_object_name(const assimp_maker *maker, const struct aiString *text);

// -- assimp_names.c: names lead to nodes ------------------------------------------------------------------------------

void assimp_sort_names(assimp_maker *maker);
/// Links of this name: *count of them.
const assimp_name *assimp_find_names(const assimp_maker *maker, const char *name, uint32_t *count);
/// The node that a bone means. Reports and returns MPAK_NONE when there is none or more than one.
uint32_t assimp_bone_node(const assimp_maker *maker, const assimp_group *group, const char *name);
/// The link that a channel means; marked: by FBX object, is it animated in this clip (NULL: not known).
uint32_t assimp_channel_link(const assimp_maker *maker, const cook_clip *clip, const char *name, const bool *marked);

// -- assimp_group.c, assimp_mesh.c, assimp_target.c, assimp_skin.c: meshes --------------------------------------------

/// Mesh space as we want it, from mesh space of the file: the geometric transform, then units and axes.
typedef struct assimp_mesh_space {
  const assimp_maker *maker;
  affine geometric;
  affine normals;
  bool is_plain; ///< no geometric transform: directions keep their length
} assimp_mesh_space;
assimp_mesh_space assimp_space_of(const assimp_maker *maker, const assimp_group *group);
/// A direction through a matrix, made unit length where the matrix could change it.
void assimp_move_direction(const assimp_mesh_space *space, const affine *matrix, const struct aiVector3D *from,
                           double to[3]);

void assimp_make_groups(assimp_maker *maker);
void assimp_make_meshes(assimp_maker *maker);
/// Vertices and triangles of one aiMesh.
void assimp_make_primitive(const assimp_maker *maker, const assimp_group *group, const struct aiMesh *source,
                           cook_primitive *primitive);
/// The targets of a group: shapes of its meshes, put together by the records or by name.
typedef struct assimp_targets {
  uint32_t count;
  assimp_target *targets;
} assimp_targets;
assimp_targets assimp_find_targets(const assimp_maker *maker, const assimp_group *group);
void assimp_make_targets(const assimp_maker *maker, assimp_group *group, cook_mesh *mesh);
/// Joints of a group, then weights of its primitives.
void assimp_make_joints(const assimp_maker *maker, assimp_group *group);
void assimp_make_weights(const assimp_maker *maker, assimp_group *group, const struct aiMesh *source, uint32_t mesh,
                         cook_primitive *primitive);
void assimp_make_skins(assimp_maker *maker);
/// assimp_bind.c: joint space of a bone (the node that it means) from mesh space, as they were bound.
affine assimp_bind(const assimp_maker *maker, const assimp_group *group, const struct aiBone *bone, uint32_t node);
const char *assimp_mesh_name(const assimp_maker *maker, const struct aiMesh *source);

// -- assimp_material.c, assimp_clip.c, assimp_bake.c, assimp_morph.c --------------------------------------------------

void assimp_make_materials(assimp_maker *maker);
void assimp_make_clips(assimp_maker *maker);
/// A linear track with room for key_count keys, appended to the clip's (which have room).
cook_track *assimp_add_track(const assimp_maker *maker, cook_clip *clip, uint32_t node, mpak_track_path path,
                             uint32_t key_count);
/// Drops the earlier one of two keys at the same time.
void assimp_finish_track(cook_track *track);
/// Tracks of a node whose factors move by themselves: factors[i] moves links[i].
void assimp_bake_factors(const assimp_maker *maker, const struct aiAnimation *source, cook_clip *clip, uint32_t node,
                         const struct aiNodeAnim *const *factors, const uint32_t *links, uint32_t count, double shift);
/// Weight tracks of one clip, appended to its tracks (which have room).
void assimp_make_weight_tracks(const assimp_maker *maker, const struct aiAnimation *source, cook_clip *clip,
                               double shift_ticks, const bool *moves_shapes);
/// Seconds from ticks, as Assimp counts them.
float assimp_seconds(const struct aiAnimation *source, double ticks);

// -- assimp_fbx.c, assimp_fbx_clip.c: facts from the FBX records ------------------------------------------------------

/// Reads records and facts of an FBX file, repaired for Assimp (fbx_prepass.h), to whom the records must be given
/// (fbx_emit.h). Refuses versions and features that Assimp would still get wrong without a word.
const fbx_facts *assimp_fbx_read(cook_job *job, const uint8_t *bytes, uint64_t byte_count, sniff_kind kind);
/// The real name where Assimp's is made of an object's id; else text itself.
const char *assimp_fbx_name(const assimp_maker *maker, const char *text);
/// The name of a control: its channel's, without the name of the deformer in front.
const char *assimp_fbx_control_name(const assimp_maker *maker, uint32_t channel);
/// Finds the FBX object of each node.
void assimp_fbx_match_nodes(assimp_maker *maker);

/// Levels of detail of nodes that are the first of an FBX LOD group: its other children, in order.
void assimp_fbx_lod_groups(const assimp_maker *maker);
/// Reports nodes whose mesh Assimp left out.
void assimp_fbx_check_meshes(const assimp_maker *maker);
/// The shapes of a geometry in the order of Assimp's aiAnimMeshes; *count is 0 when nothing is known.
assimp_fbx_shape *assimp_fbx_shapes(const assimp_maker *maker, uint32_t geometry, uint32_t *count);
/// assimp_fbx_weights.c: how far each vertex of a mesh of the group follows a shape, 1 is fully; NULL when all do.
/// Reports (I026) and returns NULL when the records and Assimp's vertices do not fit together.
double *assimp_fbx_vertex_weights(const assimp_maker *maker, const assimp_group *group, uint32_t mesh, uint32_t shape);
/// Which objects a clip moves, and when it begins.
assimp_fbx_clip assimp_fbx_find_clip(const assimp_maker *maker, uint32_t clip);

// -- issues -----------------------------------------------------------------------------------------------------------

/// Reports an I issue about a node, mesh or clip; any of the texts may be NULL.
void assimp_issue(const assimp_maker *maker, mpak_issue_id id, cook_where where, const char *value);
/// Fails the job when count is above limit (exit 6).
void assimp_check_limit(const assimp_maker *maker, const char *what, uint64_t count, uint64_t limit);

// -- The result -------------------------------------------------------------------------------------------------------

/// Makes a scene of what Assimp read; dependencies and hash are the caller's to fill.
cook_scene *assimp_scene_make(cook_job *job, const struct aiScene *source, sniff_kind kind, const cook_options *options,
                              const fbx_facts *facts);

#endif
