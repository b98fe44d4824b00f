#include <math.h>

#include "cooker/check/check_internal.h"

static check_place check_place_of_node(uint32_t n) {
  check_place place = CHECK_NOWHERE;
  place.node = n;
  return place;
}

static void check_node_count(const check_context *context) {
  const uint32_t limit = job_limits(context->job)->nodes;
  if (context->scene->node_count <= limit) return;
  const cook_mark mark = job_mark(context->job);
  check_report_object(context, MPAK_N017, &CHECK_NOWHERE, check_count_text(context->job, context->scene->node_count),
                      check_count_text(context->job, limit));
  job_release(context->job, mark);
}

// -- Depth ------------------------------------------------------------------------------------------------------------

/// Fills depths[n], where a root has 1: up to the first ancestor that is known, then down again by the same way.
static uint32_t check_depth_of_node(const cook_scene *scene, uint32_t *depths, uint32_t *chain, uint32_t n) {
  uint32_t length = 0;
  while (n != MPAK_NONE && depths[n] == 0 && length < scene->node_count) {
    chain[length++] = n;
    n = scene->nodes[n].parent;
  }
  uint32_t depth = n != MPAK_NONE ? depths[n] : 0;
  while (length > 0) depths[chain[--length]] = ++depth;
  return depth;
}

static void check_node_depth(const check_context *context) {
  const cook_scene *scene = context->scene;
  const uint32_t limit = job_limits(context->job)->depth;
  const cook_mark mark = job_mark(context->job);
  uint32_t *depths = JOB_ARRAY(context->job, uint32_t, scene->node_count);
  uint32_t *chain = JOB_ARRAY(context->job, uint32_t, scene->node_count);
  check_tally tally = {.element = "node", .limit = check_count_text(context->job, limit)};
  for (uint32_t n = 0; n < scene->node_count; n++) {
    if (depths[n] == 0) check_depth_of_node(scene, depths, chain, n);
    if (depths[n] > limit) check_tally_add(&tally, n, depths[n]);
  }
  const check_place place = check_place_of_node((uint32_t)tally.first);
  check_report(context, MPAK_N016, &place, &tally);
  job_release(context->job, mark);
}

// -- Transforms -------------------------------------------------------------------------------------------------------

/// One stretch of a node's rest transform.
typedef struct check_node_stream {
  const char *name;
  const float *values;
  uint32_t count;
} check_node_stream;

static uint32_t check_node_streams(const cook_node *node, check_node_stream streams[3]) {
  if (node->is_matrix) {
    streams[0] = (check_node_stream){"matrix", node->matrix, 12};
    return 1;
  }
  streams[0] = (check_node_stream){"translation", node->translation, 3};
  streams[1] = (check_node_stream){"rotation", node->rotation, 4};
  streams[2] = (check_node_stream){"scale", node->scale, 3};
  return 3;
}

/// Returns whether the rules about sizes and directions make sense for it.
static bool check_node_transform_finite(const check_context *context, uint32_t n) {
  check_node_stream streams[3];
  const uint32_t stream_count = check_node_streams(&context->scene->nodes[n], streams);
  for (uint32_t i = 0; i < stream_count; i++) {
    check_place place = check_place_of_node(n);
    place.stream = streams[i].name;
    if (!check_all_finite(context, MPAK_N010, &place, "component", streams[i].values, streams[i].count, 1))
      return false;
  }
  return true;
}

static void check_node_transform_size(const check_context *context, uint32_t n) {
  check_node_stream streams[3];
  const uint32_t stream_count = check_node_streams(&context->scene->nodes[n], streams);
  for (uint32_t i = 0; i < stream_count; i++) {
    check_place place = check_place_of_node(n);
    place.stream = streams[i].name;
    if (!check_none_beyond(context, MPAK_N015, &place, "component", streams[i].values, streams[i].count, 1,
                           CHECK_LARGEST_VALUE))
      return;
  }
}

static void check_node_rotation(const check_context *context, uint32_t n) {
  const cook_node *node = &context->scene->nodes[n];
  if (node->is_matrix) return;
  const double length = check_length(node->rotation, 4);
  const bool is_rotation = check_is_rotation_length(length);
  if (is_rotation && (!node->is_cooked || fabs(length - 1) <= CHECK_UNIT_TOLERANCE)) return;
  check_place place = check_place_of_node(n);
  place.stream = "rotation";
  const cook_mark mark = job_mark(context->job);
  check_report_object(context, is_rotation ? MPAK_N012 : MPAK_N011, &place, check_number_text(context->job, length),
                      "1");
  job_release(context->job, mark);
}

/// Negative scale mirrors (F118), zero scale flattens; both are legal and worth a word.
static void check_node_scale(const check_context *context, uint32_t n) {
  const cook_node *node = &context->scene->nodes[n];
  if (!node->is_cooked) return;
  check_place place = check_place_of_node(n);
  place.stream = node->is_matrix ? "matrix" : "scale";
  if (node->is_matrix) {
    const double determinant = check_determinant(node->matrix);
    check_tally mirrored = {.limit = "a positive determinant", .count = determinant < 0, .number = determinant};
    check_tally flat = {.limit = "another determinant", .count = determinant == 0, .number = determinant};
    check_report(context, MPAK_N013, &place, &mirrored);
    check_report(context, MPAK_N014, &place, &flat);
    return;
  }
  check_tally mirrored = {.element = "component", .limit = "a positive scale"};
  check_tally flat = {.element = "component", .limit = "another scale"};
  for (uint32_t axis = 0; axis < 3; axis++) {
    if (node->scale[axis] < 0) check_tally_add(&mirrored, axis, node->scale[axis]);
    if (node->scale[axis] == 0) check_tally_add(&flat, axis, node->scale[axis]);
  }
  check_report(context, MPAK_N013, &place, &mirrored);
  check_report(context, MPAK_N014, &place, &flat);
}

/// Returns whether it is one that can be reckoned with.
static bool check_node_transform(const check_context *context, uint32_t n) {
  if (!check_node_transform_finite(context, n)) return false;
  check_node_transform_size(context, n);
  check_node_rotation(context, n);
  return true;
}

// -- Default weights --------------------------------------------------------------------------------------------------

static void check_node_weight_count(const check_context *context, const check_place *place, const cook_node *node) {
  const uint32_t control_count = context->scene->meshes[node->mesh].control_count;
  if (node->weight_count == control_count) return;
  const cook_mark mark = job_mark(context->job);
  check_report_object(context, MPAK_N018, place, check_count_text(context->job, node->weight_count),
                      check_count_text(context->job, control_count));
  job_release(context->job, mark);
}

static void check_node_weights(const check_context *context, uint32_t n) {
  const cook_node *node = &context->scene->nodes[n];
  if (node->weights == NULL || node->weight_count == 0) return;
  check_place place = check_place_of_node(n);
  place.stream = "weights";
  if (node->mesh == MPAK_NONE) {
    if (node->is_cooked) check_report_object(context, MPAK_N021, &place, NULL, NULL);
    return;
  }
  place.mesh = node->mesh;
  check_node_weight_count(context, &place, node);
  const bool is_usable = check_none_beyond(context, MPAK_N019, &place, "target", node->weights, node->weight_count, 1,
                                           CHECK_LARGEST_WEIGHT);
  if (is_usable && node->is_cooked) check_default_range(context, MPAK_N020, &place, node->weights, node->weight_count);
}

void check_nodes(const check_context *context) {
  check_node_count(context);
  check_node_depth(context);
  for (uint32_t n = 0; n < context->scene->node_count; n++) {
    if (check_node_transform(context, n)) check_node_scale(context, n);
    check_node_weights(context, n);
  }
}

void check_node_poses(const check_context *context) {
  check_node_count(context);
  check_node_depth(context);
  for (uint32_t n = 0; n < context->scene->node_count; n++) check_node_transform(context, n);
}
