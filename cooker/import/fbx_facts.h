/// fbx_facts.h: what FBX objects are called, how they are connected, and the few properties that Assimp drops.
#ifndef COOK_FBX_FACTS_H
#define COOK_FBX_FACTS_H

#include "cooker/import/fbx_records.h"

#define FBX_STAND_IN_CLASS "mpak stand-in" ///< subtype of such a Model

typedef enum fbx_kind {
  FBX_OTHER,
  FBX_MODEL,         ///< a node
  FBX_STAND_IN,      ///< a node made by the pre-pass, which stands for its parent (fbx_clusters.h)
  FBX_MESH,          ///< Geometry "Mesh"
  FBX_SHAPE,         ///< Geometry "Shape"
  FBX_BLEND_SHAPE,   ///< Deformer "BlendShape": a set of channels
  FBX_BLEND_CHANNEL, ///< Deformer "BlendShapeChannel": one weight
  FBX_SKIN,          ///< Deformer "Skin"
  FBX_CLUSTER,       ///< Deformer "Cluster": one joint's weights
  FBX_STACK,         ///< AnimationStack: a clip
  FBX_LAYER,         ///< AnimationLayer
  FBX_CURVE_NODE,    ///< AnimationCurveNode: one animated property
  FBX_BIND_POSE,     ///< Pose "BindPose": where nodes stood when skins were bound
  FBX_CURVE,         ///< AnimationCurve: keys of one component of it
} fbx_kind;

typedef struct fbx_object {
  int64_t id;
  fbx_kind kind;
  const char *name; ///< without its class: "Face", not "Face\0\1Model" or "Model::Face"
  uint32_t record;
} fbx_object;

/// "child is connected to parent", by index of the object; FBX_NONE is the scene itself.
typedef struct fbx_link {
  uint32_t parent;
  uint32_t child;
  uint32_t order;       ///< in the file
  const char *property; ///< of the parent; "" for a connection of whole objects
} fbx_link;

typedef struct fbx_facts {
  const fbx_records *records;
  uint32_t object_count;
  fbx_object *objects; ///< by id
  uint32_t link_count;
  fbx_link *links;    ///< by parent, then order
  fbx_link *links_up; ///< the same by child, then order
} fbx_facts;

/// Collects objects and connections. Connections of unknown objects are left out.
fbx_facts *fbx_facts_make(const fbx_records *records);

/// The object of an id; FBX_NONE when there is none.
uint32_t fbx_find_object(const fbx_facts *facts, int64_t id);

/// The links of a parent: *count of them, in file order; NULL when there are none.
const fbx_link *fbx_links_of(const fbx_facts *facts, uint32_t parent, uint32_t *count);

/// The links of a child to its parents.
const fbx_link *fbx_links_to(const fbx_facts *facts, uint32_t child, uint32_t *count);

/// The n-th child of this kind that is connected as a whole; FBX_NONE when there are fewer.
uint32_t fbx_child_of_kind(const fbx_facts *facts, uint32_t parent, fbx_kind kind, uint32_t n);

/// The array in a child record of the object ("Indexes: …"); NULL with *count = 0 when there is none.
double *fbx_child_array(const fbx_facts *facts, uint32_t object, const char *name, uint32_t *count);

/// A number in the object's own children ("DeformPercent: 75") or, when it is not there, in its Properties70.
bool fbx_number(const fbx_facts *facts, uint32_t object, const char *name, double *number);

#endif
