#include "cooker/import/gltf_reader.h"

#include <math.h>

#include "cooker/import/affine.h"

// A matrix as translation, rotation and scale. In double, with sqrt alone, so that every machine gets the same bits.

static double matrix_determinant(const double r[3][3]) {
  return r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) - r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) +
         r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
}

/// Splits the columns into lengths and directions. False when a column has no direction.
static bool matrix_split(const float matrix[12], double direction[3][3], double length[3]) {
  for (int column = 0; column < 3; column++) {
    const double x = matrix[column], y = matrix[4 + column], z = matrix[8 + column];
    length[column] = sqrt(x * x + y * y + z * z);
    if (!(length[column] > 0) || !(length[column] < 1e30)) return false;
    direction[0][column] = x / length[column];
    direction[1][column] = y / length[column];
    direction[2][column] = z / length[column];
  }
  return true;
}

bool gltf_matrix_to_trs(const float matrix[12], double tolerance, cook_node *node) {
  double direction[3][3], length[3], quaternion[4], stored[4], rotated[3][3];
  if (!matrix_split(matrix, direction, length)) return false;
  if (matrix_determinant(direction) < 0) { // a mirror: by custom the first axis is the one turned round
    length[0] = -length[0];
    for (int row = 0; row < 3; row++) direction[row][0] = -direction[row][0];
  }
  affine_quaternion_of((const double(*)[3])direction, quaternion);
  float rotation[4], scale[3];
  for (int i = 0; i < 4; i++) stored[i] = rotation[i] = (float)quaternion[i];
  for (int i = 0; i < 3; i++) scale[i] = (float)length[i];
  affine_turn_of(stored, rotated);
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++) {
      const double error = rotated[row][column] * scale[column] - matrix[4 * row + column];
      if (!(fabs(error) <= tolerance * fabs(length[column]))) return false;
    }
  for (int i = 0; i < 3; i++) node->translation[i] = matrix[4 * i + 3];
  for (int i = 0; i < 4; i++) node->rotation[i] = rotation[i];
  for (int i = 0; i < 3; i++) node->scale[i] = scale[i];
  return true;
}
