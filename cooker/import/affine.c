#include "cooker/import/affine.h"

#include <math.h>
#include <string.h>

#define SHEAR_TOLERANCE 1e-6 ///< of the largest scale: what floats in a file can hide

affine affine_identity(void) { return (affine){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}; }

affine affine_multiply(affine a, affine b) {
  affine product;
  for (int row = 0; row < 3; row++) {
    for (int column = 0; column < 4; column++) {
      double sum = column == 3 ? a.m[row][3] : 0.0;
      for (int k = 0; k < 3; k++) sum += a.m[row][k] * b.m[k][column];
      product.m[row][column] = sum;
    }
  }
  return product;
}

static double cofactor(const affine *a, int row, int column) {
  const int r1 = (row + 1) % 3, r2 = (row + 2) % 3, c1 = (column + 1) % 3, c2 = (column + 2) % 3;
  return a->m[r1][c1] * a->m[r2][c2] - a->m[r1][c2] * a->m[r2][c1];
}

double affine_determinant(const affine *a) {
  return a->m[0][0] * cofactor(a, 0, 0) + a->m[0][1] * cofactor(a, 0, 1) + a->m[0][2] * cofactor(a, 0, 2);
}

bool affine_invert(affine a, affine *inverse) {
  *inverse = affine_identity();
  const double determinant = affine_determinant(&a);
  if (!isfinite(determinant) || determinant == 0.0) return false;
  affine linear = {0};
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++) linear.m[row][column] = cofactor(&a, column, row) / determinant;
  for (int row = 0; row < 3; row++)
    for (int k = 0; k < 3; k++) linear.m[row][3] -= linear.m[row][k] * a.m[k][3];
  *inverse = linear;
  return true;
}

affine affine_for_normals(affine a) {
  affine normals = {0};
  const double sign = affine_determinant(&a) < 0.0 ? -1.0 : 1.0; // a mirrored surface still faces outwards
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++) normals.m[row][column] = sign * cofactor(&a, row, column);
  return normals;
}

void affine_turn_of(const double quaternion[4], double turn[3][3]) {
  const double x = quaternion[0], y = quaternion[1], z = quaternion[2], w = quaternion[3];
  const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                             {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                             {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
  memcpy(turn, rows, sizeof rows);
}

affine affine_from_parts(const affine_parts *parts) {
  double turn[3][3];
  affine_turn_of(parts->rotation, turn);
  affine a;
  for (int row = 0; row < 3; row++) {
    for (int column = 0; column < 3; column++) a.m[row][column] = turn[row][column] * parts->scale[column];
    a.m[row][3] = parts->translation[row];
  }
  return a;
}

void affine_quaternion_of(const double r[3][3], double quaternion[4]) {
  const double trace = r[0][0] + r[1][1] + r[2][2];
  int largest = 3;
  double best = trace;
  for (int i = 0; i < 3; i++) {
    if (r[i][i] <= best) continue;
    best = r[i][i];
    largest = i;
  }
  if (largest == 3) {
    quaternion[0] = r[2][1] - r[1][2];
    quaternion[1] = r[0][2] - r[2][0];
    quaternion[2] = r[1][0] - r[0][1];
    quaternion[3] = 1.0 + trace;
  } else {
    const int i = largest, j = (i + 1) % 3, k = (i + 2) % 3;
    quaternion[i] = 1.0 + r[i][i] - r[j][j] - r[k][k];
    quaternion[j] = r[j][i] + r[i][j];
    quaternion[k] = r[k][i] + r[i][k];
    quaternion[3] = r[k][j] - r[j][k];
  }
  double length = 0.0;
  for (int i = 0; i < 4; i++) length += quaternion[i] * quaternion[i];
  length = sqrt(length);
  for (int i = 0; i < 4; i++) quaternion[i] = length > 0.0 ? quaternion[i] / length : (i == 3 ? 1.0 : 0.0);
}

static bool nearly_equal(const affine *a, const affine *b) {
  double largest = 0.0, worst = 0.0;
  for (int row = 0; row < 3; row++) {
    for (int column = 0; column < 3; column++) {
      const double size = fabs(a->m[row][column]), difference = fabs(a->m[row][column] - b->m[row][column]);
      if (size > largest) largest = size;
      if (!(difference <= worst)) worst = difference;
    }
  }
  return worst <= largest * SHEAR_TOLERANCE;
}

/// Lengths of the columns, and unit columns where there is a length. Missing ones are made from the others.
static void split_columns(const affine *a, double scale[3], double turn[3][3]) {
  for (int column = 0; column < 3; column++) {
    double length = 0.0;
    for (int row = 0; row < 3; row++) length += a->m[row][column] * a->m[row][column];
    scale[column] = sqrt(length);
    for (int row = 0; row < 3; row++)
      turn[row][column] = scale[column] > 0.0 ? a->m[row][column] / scale[column] : (row == column ? 1.0 : 0.0);
  }
  for (int column = 0; column < 3; column++) {
    const int c1 = (column + 1) % 3, c2 = (column + 2) % 3;
    if (scale[column] > 0.0 || scale[c1] <= 0.0 || scale[c2] <= 0.0) continue;
    for (int row = 0; row < 3; row++) {
      const int r1 = (row + 1) % 3, r2 = (row + 2) % 3;
      turn[row][column] = turn[r1][c1] * turn[r2][c2] - turn[r2][c1] * turn[r1][c2];
    }
  }
}

bool affine_to_parts(affine a, affine_parts *parts) {
  double turn[3][3];
  split_columns(&a, parts->scale, turn);
  if (affine_determinant(&a) < 0.0) {
    parts->scale[0] = -parts->scale[0];
    for (int row = 0; row < 3; row++) turn[row][0] = -turn[row][0];
  }
  affine_quaternion_of((const double(*)[3])turn, parts->rotation);
  for (int row = 0; row < 3; row++) parts->translation[row] = a.m[row][3];
  const affine again = affine_from_parts(parts);
  return nearly_equal(&a, &again);
}

void affine_point(const affine *a, const double point[3], double moved[3]) {
  for (int row = 0; row < 3; row++)
    moved[row] = a->m[row][0] * point[0] + a->m[row][1] * point[1] + a->m[row][2] * point[2] + a->m[row][3];
}

void affine_vector(const affine *a, const double vector[3], double turned[3]) {
  for (int row = 0; row < 3; row++)
    turned[row] = a->m[row][0] * vector[0] + a->m[row][1] * vector[1] + a->m[row][2] * vector[2];
}

bool affine_equal(const affine *a, const affine *b) {
  // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): equal bits, so that equal ones give equal results
  return memcmp(a, b, sizeof *a) == 0;
}

bool affine_is_identity(const affine *a) {
  const affine identity = affine_identity();
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++)
      if (a->m[row][column] != identity.m[row][column]) return false;
  return true;
}
