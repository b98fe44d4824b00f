#include "cooker/import/gltf_reader.h"

#include <math.h>

// A matrix as translation, rotation and scale. In double, with sqrt alone, so that every machine gets the same bits.

static double matrix_determinant(const double r[3][3]) {
  return r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) - r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) +
         r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
}

/// The quaternion of a rotation matrix, from the largest of its four components so that nothing small is divided by.
static void matrix_to_quaternion(const double r[3][3], double q[4]) {
  const double trace = r[0][0] + r[1][1] + r[2][2];
  int largest = 3;
  double best = trace;
  for (int i = 0; i < 3; i++)
    if (r[i][i] > best) {
      best = r[i][i];
      largest = i;
    }
  if (largest == 3) {
    q[0] = r[2][1] - r[1][2];
    q[1] = r[0][2] - r[2][0];
    q[2] = r[1][0] - r[0][1];
    q[3] = 1 + trace;
  } else {
    const int i = largest, j = (i + 1) % 3, k = (i + 2) % 3;
    q[i] = 1 + r[i][i] - r[j][j] - r[k][k];
    q[j] = r[j][i] + r[i][j];
    q[k] = r[k][i] + r[i][k];
    q[3] = r[k][j] - r[j][k];
  }
  const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; i++) q[i] /= length;
}

static void matrix_of_quaternion(const float q[4], double r[3][3]) {
  const double x = q[0], y = q[1], z = q[2], w = q[3];
  const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                             {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                             {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) r[i][j] = rows[i][j];
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
  double direction[3][3], length[3], quaternion[4], rotated[3][3];
  if (!matrix_split(matrix, direction, length)) return false;
  if (matrix_determinant(direction) < 0) { // a mirror: by custom the first axis is the one turned round
    length[0] = -length[0];
    for (int row = 0; row < 3; row++) direction[row][0] = -direction[row][0];
  }
  matrix_to_quaternion(direction, quaternion);
  float rotation[4], scale[3];
  for (int i = 0; i < 4; i++) rotation[i] = (float)quaternion[i];
  for (int i = 0; i < 3; i++) scale[i] = (float)length[i];
  matrix_of_quaternion(rotation, rotated);
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
