// clip_rest.c: does a clip file stand as the model does? Keys replace the transforms of nodes, so what matters is that
// a node and its counterpart have the same rest transform in the same space.
#include <inttypes.h>
#include <math.h>

#include "cooker/base/angle.h"
#include "cooker/build/clip_merge.h"
#include "cooker/build/node_matrix.h"

#define REST_LENGTH_LIMIT_M  1e-3
#define REST_ANGLE_LIMIT_RAD 0.017453292519943295 // 1 degree
#define REST_DEGREES_PER_RAD 57.295779513082320877
#define REST_SHORTEST_COLUMN 1e-12

typedef struct rest_difference {
  double length_m, angle_rad;
} rest_difference;

// -- Differences -----------------------------------------------------------------------------------------------------

/// A column divided by its length; false when it has none.
static bool rest_direction(const node_matrix *matrix, int column, double direction[3]) {
  double length = 0;
  for (int r = 0; r < 3; r++) length += matrix->m[r][column] * matrix->m[r][column];
  length = sqrt(length);
  for (int r = 0; r < 3; r++) direction[r] = length > REST_SHORTEST_COLUMN ? matrix->m[r][column] / length : 0;
  return length > REST_SHORTEST_COLUMN;
}

/// The angle between two orientations: sum of the squared differences of their directions = 8 sin^2(angle / 2).
static double rest_angle(const node_matrix *a, const node_matrix *b) {
  double sum = 0;
  for (int c = 0; c < 3; c++) {
    double left[3], right[3];
    if (!rest_direction(a, c, left) || !rest_direction(b, c, right)) continue; // flat: it points nowhere
    for (int r = 0; r < 3; r++) sum += (left[r] - right[r]) * (left[r] - right[r]);
  }
  return angle_acos(1 - sum / 4);
}

/// parent: scene space from the space in which a and b stand; NULL: they stand in the scene.
static rest_difference rest_compare(const node_matrix *a, const node_matrix *b, const node_matrix *parent) {
  double between[3], square = 0;
  for (int r = 0; r < 3; r++) between[r] = a->m[r][3] - b->m[r][3];
  for (int r = 0; r < 3; r++) {
    double moved = between[r];
    if (parent != NULL)
      moved = parent->m[r][0] * between[0] + parent->m[r][1] * between[1] + parent->m[r][2] * between[2];
    square += moved * moved;
  }
  return (rest_difference){sqrt(square), rest_angle(a, b)};
}

static double rest_max(double a, double b) { return a > b ? a : b; }

static rest_difference rest_larger(rest_difference a, rest_difference b) {
  return (rest_difference){rest_max(a.length_m, b.length_m), rest_max(a.angle_rad, b.angle_rad)};
}

/// Rest poses of both files in scene space.
typedef struct rest_state {
  const clip_merge *merge;
  node_matrix *model_worlds, *source_worlds;
} rest_state;

static bool rest_parents_match(const clip_merge *merge, uint32_t source_parent, uint32_t model_parent) {
  if (source_parent == MPAK_NONE || model_parent == MPAK_NONE) return source_parent == model_parent;
  return merge->model_of[source_parent] == model_parent;
}

/// Both nodes in their parents' spaces; where the parents are no counterparts, those spaces too.
static rest_difference rest_of_pair(const rest_state *state, uint32_t source, uint32_t model) {
  static const node_matrix identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  const clip_merge *merge = state->merge;
  const uint32_t source_parent = merge->source->nodes[source].parent, model_parent = merge->model->nodes[model].parent;
  const node_matrix source_local = node_matrix_local(&merge->source->nodes[source]);
  const node_matrix model_local = node_matrix_local(&merge->model->nodes[model]);
  const node_matrix *source_space = source_parent != MPAK_NONE ? &state->source_worlds[source_parent] : &identity;
  const node_matrix *model_space = model_parent != MPAK_NONE ? &state->model_worlds[model_parent] : &identity;
  const rest_difference local = rest_compare(&source_local, &model_local, model_space);
  if (rest_parents_match(merge, source_parent, model_parent)) return local;
  return rest_larger(local, rest_compare(source_space, model_space, NULL));
}

/// Beyond 1 mm or 1 degree, as multiples of them.
static double rest_size(rest_difference difference) {
  return rest_max(difference.length_m / REST_LENGTH_LIMIT_M, difference.angle_rad / REST_ANGLE_LIMIT_RAD);
}

static void rest_report(const clip_merge *merge, uint32_t node, rest_difference largest, uint32_t count) {
  cook_job *job = merge->job;
  cook_where where = COOK_WHERE;
  where.node = clip_node_path(job, merge->model, node);
  where.value =
      job_format(job, "%.4g mm and %.4g degrees", largest.length_m * 1000, largest.angle_rad * REST_DEGREES_PER_RAD);
  where.limit = job_format(job, "%" PRIu32, count);
  job_issue(job, MPAK_A023, where);
}

void clip_report_rest(const clip_merge *merge) {
  cook_job *job = merge->job;
  const cook_mark mark = job_mark(job);
  const rest_state state = {merge, node_matrix_worlds(job, merge->model), node_matrix_worlds(job, merge->source)};
  rest_difference largest = {0, 0};
  uint32_t largest_node = MPAK_NONE, count = 0;
  for (uint32_t n = 0; n < merge->model->node_count; n++) {
    const cook_node *node = &merge->model->nodes[n];
    const uint32_t source = merge->source_of[n];
    if (source == MPAK_NONE || node->skin != MPAK_NONE) continue; // a skinned mesh does not care for its node
    const rest_difference difference = rest_of_pair(&state, source, n);
    if (!(rest_size(difference) > 1)) continue;
    count++;
    if (largest_node != MPAK_NONE && rest_size(difference) <= rest_size(largest)) continue;
    largest = difference;
    largest_node = n;
  }
  if (count != 0) rest_report(merge, largest_node, largest, count);
  job_release(job, mark);
}
