/// node_matrix.h: transforms of nodes as matrices in double precision. Three rows of four; column 3 is the translation.
#ifndef COOK_NODE_MATRIX_H
#define COOK_NODE_MATRIX_H

#include <math.h>

#include "cooker/base/job.h"
#include "cooker/scene/scene.h"

typedef struct node_matrix {
  double m[3][4];
} node_matrix;

/// The matrix of translation, rotation (normalised here; check/ has refused what is none) and scale.
static inline node_matrix node_matrix_of_trs(const float translation[3], const float rotation[4],
                                             const float scale[3]) {
  double q[4], length = 0;
  for (int i = 0; i < 4; i++) length += (double)rotation[i] * (double)rotation[i];
  for (int i = 0; i < 4; i++) q[i] = (double)rotation[i] / sqrt(length);
  const double x = q[0], y = q[1], z = q[2], w = q[3];
  node_matrix result = {{{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), 0},
                         {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), 0},
                         {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), 0}}};
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) result.m[r][c] *= (double)scale[c];
    result.m[r][3] = (double)translation[r];
  }
  return result;
}

/// Three rows of four floats.
static inline node_matrix node_matrix_of_floats(const float rows[12]) {
  node_matrix result;
  for (int i = 0; i < 12; i++) result.m[i / 4][i % 4] = (double)rows[i];
  return result;
}

/// A node's rest transform, relative to its parent.
static inline node_matrix node_matrix_local(const cook_node *node) {
  if (node->is_matrix) return node_matrix_of_floats(node->matrix);
  return node_matrix_of_trs(node->translation, node->rotation, node->scale);
}

static inline node_matrix node_matrix_multiply(const node_matrix *a, const node_matrix *b) {
  node_matrix result;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++) {
      result.m[r][c] = c == 3 ? a->m[r][3] : 0;
      for (int k = 0; k < 3; k++) result.m[r][c] += a->m[r][k] * b->m[k][c];
    }
  return result;
}

/// Scene space from each node. Parents may come in any order.
node_matrix *node_matrix_worlds(cook_job *job, const cook_scene *scene);

#endif
