// glb_shear.c: a matrix that is no translation, rotation and scale, as two nodes: M = R1 * S * R2, its singular value
// decomposition, of which the outer node takes R1 and S and the inner one R2.
#include <math.h>
#include <string.h>

#include "cooker/export/glb.h"

/// Sweeps of rotations after which a symmetric 3x3 matrix is diagonal; a handful does.
#define SHEAR_SWEEPS 30

/// Turns columns p and q of m and v so that the two of m are square to each other (one-sided Jacobi).
static void shear_turn(double m[3][3], double v[3][3], int p, int q) {
  double pp = 0, qq = 0, pq = 0;
  for (int r = 0; r < 3; r++) {
    pp += m[r][p] * m[r][p];
    qq += m[r][q] * m[r][q];
    pq += m[r][p] * m[r][q];
  }
  if (pq == 0) return;
  const double angle = 0.5 * atan2(2 * pq, pp - qq), c = cos(angle), s = sin(angle);
  for (int r = 0; r < 3; r++) {
    const double mp = m[r][p], vp = v[r][p];
    m[r][p] = c * mp + s * m[r][q];
    m[r][q] = c * m[r][q] - s * mp;
    v[r][p] = c * vp + s * v[r][q];
    v[r][q] = c * v[r][q] - s * vp;
  }
}

static void shear_cross(double m[3][3], int to, int a, int b) {
  for (int r = 0; r < 3; r++) m[r][to] = m[(r + 1) % 3][a] * m[(r + 2) % 3][b] - m[(r + 2) % 3][a] * m[(r + 1) % 3][b];
}

/// Column c without what it has along the ones before it, with length 1; false when nothing is left.
static bool shear_make_square(double m[3][3], int c) {
  double square = 0;
  for (int k = 0; k < c; k++) {
    const double along = m[0][c] * m[0][k] + m[1][c] * m[1][k] + m[2][c] * m[2][k];
    for (int r = 0; r < 3; r++) m[r][c] -= along * m[r][k];
  }
  for (int r = 0; r < 3; r++) square += m[r][c] * m[r][c];
  if (square < 1e-24) return false;
  for (int r = 0; r < 3; r++) m[r][c] /= sqrt(square);
  return true;
}

/// Columns, square to each other and falling in length, become a rotation times what is left in scale.
static void shear_take_scale(double m[3][3], float scale[3]) {
  for (int c = 0; c < 3; c++) {
    const double length = sqrt(m[0][c] * m[0][c] + m[1][c] * m[1][c] + m[2][c] * m[2][c]);
    scale[c] = (float)length;
    for (int r = 0; r < 3; r++) m[r][c] = length > 0 ? m[r][c] / length : 0;
  }
  for (int c = 0; c < 2; c++)
    for (int axis = 0; !shear_make_square(m, c) && axis < 3; axis++)
      for (int r = 0; r < 3; r++) m[r][c] = r == axis;
  const double third[3] = {m[0][2], m[1][2], m[2][2]};
  shear_cross(m, 2, 0, 1);
  if (third[0] * m[0][2] + third[1] * m[1][2] + third[2] * m[2][2] < 0) scale[2] = -scale[2];
}

/// Longest columns first: those without length come last.
static void shear_sort(double m[3][3], double v[3][3]) {
  static const int pairs[3][2] = {{0, 1}, {1, 2}, {0, 1}};
  for (int i = 0; i < 3; i++) {
    const int a = pairs[i][0], b = pairs[i][1];
    double squares[2] = {0};
    for (int r = 0; r < 3; r++) {
      squares[0] += m[r][a] * m[r][a];
      squares[1] += m[r][b] * m[r][b];
    }
    for (int r = 0; r < 3 && squares[0] < squares[1]; r++) {
      const double old_m = m[r][a], old_v = v[r][a];
      m[r][a] = m[r][b], m[r][b] = -old_m; // a quarter turn: v stays a rotation
      v[r][a] = v[r][b], v[r][b] = -old_v;
    }
  }
}

/// A rotation matrix as a quaternion xyzw (the largest component first, so that no root is of a small number).
static void shear_quaternion(double m[3][3], float out[4]) {
  const double trace = m[0][0] + m[1][1] + m[2][2];
  int largest = 3;
  double q[4], most = trace;
  for (int i = 0; i < 3; i++)
    if (m[i][i] > most) largest = i, most = m[i][i];
  if (largest == 3) {
    q[3] = 0.5 * sqrt(1 + trace);
    for (int i = 0; i < 3; i++) q[i] = (m[(i + 2) % 3][(i + 1) % 3] - m[(i + 1) % 3][(i + 2) % 3]) / (4 * q[3]);
  } else {
    const int i = largest, j = (i + 1) % 3, k = (i + 2) % 3;
    q[i] = 0.5 * sqrt(1 + m[i][i] - m[j][j] - m[k][k]);
    q[j] = (m[j][i] + m[i][j]) / (4 * q[i]);
    q[k] = (m[k][i] + m[i][k]) / (4 * q[i]);
    q[3] = (m[k][j] - m[j][k]) / (4 * q[i]);
  }
  for (int i = 0; i < 4; i++) out[i] = (float)q[i];
}

void glb_split_matrix(const float matrix[12], glb_node *outer, glb_node *inner) {
  double m[3][3], v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, turned[3][3];
  for (int r = 0; r < 3; r++) {
    outer->translation[r] = matrix[4 * r + 3];
    for (int c = 0; c < 3; c++) m[r][c] = (double)matrix[4 * r + c];
  }
  for (int sweep = 0; sweep < SHEAR_SWEEPS; sweep++) {
    shear_turn(m, v, 0, 1);
    shear_turn(m, v, 0, 2);
    shear_turn(m, v, 1, 2);
  }
  shear_sort(m, v);
  shear_take_scale(m, outer->scale);
  shear_quaternion(m, outer->rotation);
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) turned[r][c] = v[c][r];
  shear_quaternion(turned, inner->rotation);
}
