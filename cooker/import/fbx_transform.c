#include "cooker/import/fbx_transform.h"

#include <string.h>

#include "cooker/base/angle.h"

#define ORDER_COUNT 6

const char *fbx_part_name(fbx_part part) {
  static const char *const names[FBX_PART_COUNT] = {"Lcl Translation", "Lcl Rotation",  "Lcl Scaling",
                                                    "RotationOffset",  "RotationPivot", "ScalingOffset",
                                                    "ScalingPivot",    "PreRotation",   "PostRotation"};
  return names[part];
}

fbx_transform fbx_transform_read(const fbx_facts *facts, uint32_t model) {
  fbx_transform transform = {.parts[FBX_SCALING] = {1, 1, 1}};
  for (int part = 0; part < FBX_PART_COUNT; part++)
    fbx_property_vector(facts, model, fbx_part_name((fbx_part)part), transform.parts[part]);
  const double order = fbx_property_number(facts, model, "RotationOrder", 0);
  transform.rotation_order = order >= 0 && order < ORDER_COUNT ? (int)order : 0;
  const double inherit = fbx_property_number(facts, model, "InheritType", FBX_INHERIT_RRSS);
  transform.inherit = inherit == 1 ? FBX_INHERIT_RSRS : inherit == 2 ? FBX_INHERIT_RRS : FBX_INHERIT_RRSS;
  return transform;
}

// -- Factors ----------------------------------------------------------------------------------------------------------

static affine translation_of(const double offset[3], double sign) {
  affine a = affine_identity();
  for (int i = 0; i < 3; i++) a.m[i][3] = sign * offset[i];
  return a;
}

static affine scaling_of(const double scale[3]) {
  affine a = affine_identity();
  for (int i = 0; i < 3; i++) a.m[i][i] = scale[i];
  return a;
}

/// A turn about one axis.
static affine axis_turn(int axis, double degrees) {
  double sine, cosine;
  angle_sin_cos(degrees, &sine, &cosine);
  affine a = affine_identity();
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  a.m[i][i] = a.m[j][j] = cosine;
  a.m[j][i] = sine;
  a.m[i][j] = -sine;
  return a;
}

static affine rotation_of(const double degrees[3], int order) {
  static const int axes[ORDER_COUNT][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};
  const int *turns = axes[order];
  const affine first = axis_turn(turns[0], degrees[turns[0]]), second = axis_turn(turns[1], degrees[turns[1]]),
               third = axis_turn(turns[2], degrees[turns[2]]);
  return affine_multiply(third, affine_multiply(second, first));
}

static affine inverse_turn(affine a) {
  affine inverse = affine_identity();
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++) inverse.m[row][column] = a.m[column][row];
  return inverse;
}

void fbx_turn_of_angles(const double degrees[3], int order, double turn[3][3]) {
  const affine a = rotation_of(degrees, order);
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++) turn[row][column] = a.m[row][column];
}

// -- Products ---------------------------------------------------------------------------------------------------------

static affine own_rotation(const fbx_transform *transform) {
  if (!transform->has_turn) return rotation_of(transform->parts[FBX_ROTATION], transform->rotation_order);
  affine a = affine_identity();
  for (int row = 0; row < 3; row++) memcpy(a.m[row], transform->turn[row], sizeof transform->turn[row]);
  return a;
}

/// RrSs: the scale from above, S, comes before the turn R in place of behind it: S^-1 R S.
static void put_scale_before_turn(const fbx_transform *transform, const double scale[3], affine *local) {
  const affine turn = affine_multiply(
      rotation_of(transform->parts[FBX_PRE_ROTATION], 0),
      affine_multiply(own_rotation(transform), inverse_turn(rotation_of(transform->parts[FBX_POST_ROTATION], 0))));
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++)
      if (scale[row] != 0.0)
        local->m[row][column] =
            turn.m[row][column] * scale[column] / scale[row] * transform->parts[FBX_SCALING][column];
}

affine fbx_transform_local(const fbx_transform *transform, const double scale_above[3]) {
  const double(*parts)[3] = transform->parts;
  affine local = translation_of(parts[FBX_TRANSLATION], 1);
  if (transform->inherit == FBX_INHERIT_RRS && scale_above != NULL) {
    double inverse[3];
    for (int i = 0; i < 3; i++) inverse[i] = scale_above[i] != 0.0 ? 1.0 / scale_above[i] : 1.0;
    local = affine_multiply(local, scaling_of(inverse));
  }
  const affine factors[] = {translation_of(parts[FBX_ROTATION_OFFSET], 1),
                            translation_of(parts[FBX_ROTATION_PIVOT], 1),
                            rotation_of(parts[FBX_PRE_ROTATION], 0),
                            own_rotation(transform),
                            inverse_turn(rotation_of(parts[FBX_POST_ROTATION], 0)),
                            translation_of(parts[FBX_ROTATION_PIVOT], -1),
                            translation_of(parts[FBX_SCALING_OFFSET], 1),
                            translation_of(parts[FBX_SCALING_PIVOT], 1),
                            scaling_of(parts[FBX_SCALING]),
                            translation_of(parts[FBX_SCALING_PIVOT], -1)};
  for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) local = affine_multiply(local, factors[i]);
  if (transform->inherit == FBX_INHERIT_RRSS && scale_above != NULL)
    put_scale_before_turn(transform, scale_above, &local);
  return local;
}

affine fbx_geometric_transform(const fbx_facts *facts, uint32_t model) {
  double translation[3] = {0, 0, 0}, rotation[3] = {0, 0, 0}, scaling[3] = {1, 1, 1};
  fbx_property_vector(facts, model, "GeometricTranslation", translation);
  fbx_property_vector(facts, model, "GeometricRotation", rotation);
  fbx_property_vector(facts, model, "GeometricScaling", scaling);
  return affine_multiply(translation_of(translation, 1),
                         affine_multiply(rotation_of(rotation, 0), scaling_of(scaling)));
}
