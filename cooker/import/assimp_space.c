#include <math.h>
#include <string.h>

#include "cooker/import/assimp_maker.h"

// Units and axes are converted once, by changing the basis of every space of the file alike: with C = scale * turn, a
// vertex v becomes C v, and a transform A between two spaces becomes C A C^-1. So the tree keeps its shape, no node is
// added, and every world position is C times what it was. All axes of FBX are along x, y and z: turning loses nothing.

// -- Metadata ---------------------------------------------------------------------------------------------------------

static const struct aiMetadataEntry *metadata_find(const struct aiMetadata *metadata, const char *key) {
  if (metadata == NULL || metadata->mKeys == NULL || metadata->mValues == NULL) return NULL;
  for (unsigned i = 0; i < metadata->mNumProperties; i++)
    if (strcmp(metadata->mKeys[i].data, key) == 0 && metadata->mValues[i].mData != NULL) return &metadata->mValues[i];
  return NULL;
}

static double metadata_number(const struct aiMetadata *metadata, const char *key, double otherwise) {
  const struct aiMetadataEntry *entry = metadata_find(metadata, key);
  if (entry == NULL) return otherwise;
  float single;
  double number;
  int32_t integer;
  switch (entry->mType) {
  case AI_FLOAT: memcpy(&single, entry->mData, sizeof single); return (double)single;
  case AI_DOUBLE: memcpy(&number, entry->mData, sizeof number); return number;
  case AI_INT32: memcpy(&integer, entry->mData, sizeof integer); return integer;
  default: return otherwise;
  }
}

// -- Finding ----------------------------------------------------------------------------------------------------------

/// One row of the turn: our axis, in terms of the file's. False when the file names no axis.
static bool read_axis(const struct aiMetadata *metadata, const char *axis_key, const char *sign_key, int axis_otherwise,
                      double row[3]) {
  const double axis = metadata_number(metadata, axis_key, axis_otherwise),
               sign = metadata_number(metadata, sign_key, 1);
  row[0] = row[1] = row[2] = 0.0;
  if (axis != 0 && axis != 1 && axis != 2) return false;
  row[(int)axis] = sign < 0 ? -1.0 : 1.0;
  return true;
}

static void cross(const double a[3], const double b[3], double product[3]) {
  for (int i = 0; i < 3; i++) product[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/// x is the file's right, y its up; z follows, so that the result is right-handed whatever the file says of its front.
static void find_turn(assimp_maker *maker) {
  double turn[3][3] = {{0}};
  const struct aiMetadata *metadata = maker->source->mMetaData;
  const bool is_sound = read_axis(metadata, "CoordAxis", "CoordAxisSign", 0, turn[0]) &&
                        read_axis(metadata, "UpAxis", "UpAxisSign", 1, turn[1]);
  if (!is_sound) return;
  cross(turn[0], turn[1], turn[2]);
  const double length = turn[2][0] * turn[2][0] + turn[2][1] * turn[2][1] + turn[2][2] * turn[2][2];
  if (length == 1.0) memcpy(maker->turn, turn, sizeof turn); // 0 when up and right are the same axis
}

void assimp_find_space(assimp_maker *maker) {
  maker->scale = 1.0;
  for (int i = 0; i < 3; i++) maker->turn[i][i] = 1.0;
  if (maker->kind != COOK_SOURCE_FBX) return;
  const double unit_cm = metadata_number(maker->source->mMetaData, "UnitScaleFactor", 1.0);
  if (maker->options->unit != COOK_UNIT_SOURCE && isfinite(unit_cm) && unit_cm > 0.0) maker->scale = unit_cm / 100.0;
  const affine root = assimp_affine(&maker->source->mRootNode->mTransformation);
  // newer versions of Assimp turn the root node themselves
  if (maker->options->up != COOK_UP_SOURCE && affine_is_identity(&root)) find_turn(maker);
}

// -- Converting -------------------------------------------------------------------------------------------------------

affine assimp_affine(const struct aiMatrix4x4 *matrix) {
  const float *values = &matrix->a1; // row by row
  affine transform;
  for (int i = 0; i < 12; i++) transform.m[i / 4][i % 4] = (double)values[i];
  return transform;
}

static void turn_vector(const assimp_maker *maker, const double from[3], double to[3]) {
  for (int row = 0; row < 3; row++)
    to[row] = maker->turn[row][0] * from[0] + maker->turn[row][1] * from[1] + maker->turn[row][2] * from[2];
}

affine assimp_convert_transform(const assimp_maker *maker, affine transform) {
  affine turned = {0}, converted = {0};
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++)
      for (int k = 0; k < 3; k++) turned.m[row][column] += maker->turn[row][k] * transform.m[k][column];
  for (int row = 0; row < 3; row++) {
    for (int column = 0; column < 3; column++)
      for (int k = 0; k < 3; k++) converted.m[row][column] += turned.m[row][k] * maker->turn[column][k];
    converted.m[row][3] = turned.m[row][3] * maker->scale;
  }
  return converted;
}

void assimp_convert_point(const assimp_maker *maker, const double from[3], float to[3]) {
  double turned[3];
  turn_vector(maker, from, turned);
  for (int i = 0; i < 3; i++) to[i] = (float)(turned[i] * maker->scale);
}

void assimp_convert_direction(const assimp_maker *maker, const double from[3], double to[3]) {
  turn_vector(maker, from, to);
}

void assimp_convert_rotation(const assimp_maker *maker, const struct aiQuaternion *from, double to[4]) {
  const double axis[3] = {(double)from->x, (double)from->y, (double)from->z};
  turn_vector(maker, axis, to);
  to[3] = (double)from->w;
}

void assimp_convert_scale(const assimp_maker *maker, const double from[3], float to[3]) {
  for (int row = 0; row < 3; row++)
    to[row] = (float)(fabs(maker->turn[row][0]) * from[0] + fabs(maker->turn[row][1]) * from[1] +
                      fabs(maker->turn[row][2]) * from[2]);
}

void assimp_store_affine(const affine *from, float to[12]) {
  for (int i = 0; i < 12; i++) to[i] = (float)from->m[i / 4][i % 4];
}

void assimp_store_rest(const affine *local, cook_node *node) {
  affine_parts parts;
  node->is_matrix = !affine_to_parts(*local, &parts);
  assimp_store_affine(local, node->matrix);
  for (int i = 0; i < 3; i++) node->translation[i] = (float)parts.translation[i];
  for (int i = 0; i < 3; i++) node->scale[i] = (float)parts.scale[i];
  for (int i = 0; i < 4; i++) node->rotation[i] = (float)parts.rotation[i];
}

affine assimp_rest(const cook_node *node) {
  affine a;
  if (node->is_matrix) {
    for (int i = 0; i < 12; i++) a.m[i / 4][i % 4] = (double)node->matrix[i];
    return a;
  }
  affine_parts parts;
  for (int i = 0; i < 3; i++) parts.translation[i] = (double)node->translation[i];
  for (int i = 0; i < 3; i++) parts.scale[i] = (double)node->scale[i];
  for (int i = 0; i < 4; i++) parts.rotation[i] = (double)node->rotation[i];
  return affine_from_parts(&parts);
}
