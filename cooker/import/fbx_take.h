/// fbx_take.h: what one clip of an FBX file (an AnimationStack) says of each property at any time: its layers, added
/// up.
///
/// The first layer of a stack gives values, the others change them: additive ones add (rotations by angles, or by turns
/// where the layer says so; scales are multiplied, or added where the layer says so), overriding ones replace. A
/// layer's weight says by how much. What cannot be reckoned so is refused (I025) by the layer's name: turns and
/// products at another weight than 100 percent.
#ifndef COOK_FBX_TAKE_H
#define COOK_FBX_TAKE_H

#include "cooker/import/fbx_curve.h"
#include "cooker/import/fbx_transform.h"

#define FBX_COMPONENTS 3

/// One property on one layer.
typedef struct fbx_take_value {
  uint32_t layer;
  double defaults[FBX_COMPONENTS]; ///< where a component has no curve
  fbx_curve curves[FBX_COMPONENTS];
} fbx_take_value;

/// One animated property, on all layers that animate it.
typedef struct fbx_take_property {
  uint32_t object;
  const char *name; ///< "Lcl Translation", "DeformPercent" and so on
  uint32_t value_count;
  fbx_take_value *values; ///< in the order of the layers
} fbx_take_property;

typedef struct fbx_layer {
  uint32_t object;
  bool is_override;
  bool turns;      ///< rotations are put together as turns, not by angles
  bool multiplies; ///< scales are multiplied
  double weight;   ///< 1 is full
  fbx_curve weight_curve;
} fbx_layer;

typedef struct fbx_take {
  const fbx_facts *facts;
  uint32_t layer_count;
  fbx_layer *layers;
  uint32_t property_count;
  fbx_take_property *properties; ///< by object, then name
} fbx_take;

/// Reads a stack. Reports I025 for layers that cannot be reckoned and I050 for keys that say more than is followed, and
/// fails the job with I040 for damaged curves.
fbx_take *fbx_take_read(const fbx_facts *facts, uint32_t stack);

/// An animated property; NULL when the clip does not animate it.
const fbx_take_property *fbx_take_find(const fbx_take *take, uint32_t object, const char *name);

/// A property's value at a time; base is what it is without animation. is_before as in fbx_curve_at.
void fbx_take_vector(const fbx_take *take, const fbx_take_property *property, const double base[FBX_COMPONENTS],
                     double ticks, bool is_before, double value[FBX_COMPONENTS]);

/// The animated properties of a node's transform; NULL where the clip does not animate one.
typedef struct fbx_take_parts {
  const fbx_take_property *properties[FBX_PART_COUNT];
} fbx_take_parts;

fbx_take_parts fbx_take_find_parts(const fbx_take *take, uint32_t model);

/// A node's transform at a time: rest is what its properties say without animation.
fbx_transform fbx_take_transform(const fbx_take *take, const fbx_take_parts *parts, const fbx_transform *rest,
                                 double ticks, bool is_before);

#endif
