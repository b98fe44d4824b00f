/// fbx_transform.h: the transform of an FBX node to its parent, from the node's properties.
///
/// local = T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1 for column vectors, angles in degrees, in the file's own
/// unit and axes. Pre- and post-rotation always turn about x, then y, then z; R in the order that RotationOrder states.
///
/// InheritType says how a node's scale reaches its children. RSrs is what a plain tree of transforms does. Rrs is a
/// child that does not take its parent's own scale: the local transform here takes it back, between the child's
/// translation and its rotation. That is a plain tree again, without shear as long as the parent's scale is the same
/// along all axes. RrSs scales by all scales from the root down before it turns: it differs from RSrs only
/// below scales that are not the same along all axes, and then is a skewed matrix to the parent.
#ifndef COOK_FBX_TRANSFORM_H
#define COOK_FBX_TRANSFORM_H

#include "cooker/import/affine.h"
#include "cooker/import/fbx_property.h"

typedef enum fbx_part {
  FBX_TRANSLATION,
  FBX_ROTATION,
  FBX_SCALING,
  FBX_ROTATION_OFFSET,
  FBX_ROTATION_PIVOT,
  FBX_SCALING_OFFSET,
  FBX_SCALING_PIVOT,
  FBX_PRE_ROTATION,
  FBX_POST_ROTATION,
  FBX_PART_COUNT
} fbx_part;

typedef enum fbx_inherit { FBX_INHERIT_RRSS, FBX_INHERIT_RSRS, FBX_INHERIT_RRS } fbx_inherit;

typedef struct fbx_transform {
  double parts[FBX_PART_COUNT][3];
  int rotation_order; ///< 0 to 5: XYZ XZY YZX YXZ ZXY ZYX, the first letter turning first; others count as 0
  fbx_inherit inherit;
  bool has_turn;     ///< turn takes the place of the rotation's angles
  double turn[3][3]; ///< a rotation that layers have put together
} fbx_transform;

/// Name of the property of a part: "Lcl Translation" and so on.
const char *fbx_part_name(fbx_part part);

/// What the node's properties say, without animation.
fbx_transform fbx_transform_read(const fbx_facts *facts, uint32_t model);

/// The geometric transform: moves the node's mesh, not its children.
affine fbx_geometric_transform(const fbx_facts *facts, uint32_t model);

/// The transform to the parent. scale_above: FBX_INHERIT_RRS: the parent's own scaling, which is taken back;
/// FBX_INHERIT_RRSS: all that comes from above, along the parent's axes; NULL: 1.
affine fbx_transform_local(const fbx_transform *transform, const double scale_above[3]);

/// The rotation of three angles in an order.
void fbx_turn_of_angles(const double degrees[3], int order, double turn[3][3]);

#endif
