#include <math.h>

#include "cooker/check/check_internal.h"

// D11: sums this near to 1 are kept; up to the second they are normalised without fuss.
#define SUM_KEPT       1e-6
#define SUM_NORMALISED 1e-2

static check_place check_place_of_skin(uint32_t s) {
  check_place place = CHECK_NOWHERE;
  place.skin = s;
  return place;
}

// -- Skins ------------------------------------------------------------------------------------------------------------

static void check_joint_count(const check_context *context, uint32_t s) {
  const uint32_t joint_count = context->scene->skins[s].joint_count;
  const uint32_t limit = job_limits(context->job)->joints;
  const check_place place = check_place_of_skin(s);
  const cook_mark mark = job_mark(context->job);
  if (joint_count == 0) check_report_object(context, MPAK_S002, &place, "0", "at least 1");
  if (joint_count > limit)
    check_report_object(context, MPAK_S001, &place, check_count_text(context->job, joint_count),
                        check_count_text(context->job, limit));
  job_release(context->job, mark);
}

/// last_skin: by node, the last skin that named it, plus 1.
static void check_joints_differ(const check_context *context, uint32_t s, uint32_t *last_skin) {
  const cook_skin *skin = &context->scene->skins[s];
  if (context->scene->source_kind == COOK_SOURCE_FBX) return; // there, one for each place where the node was bound
  check_tally tally = {.element = "joint", .limit = "nodes that differ"};
  for (uint32_t j = 0; j < skin->joint_count; j++) {
    if (last_skin[skin->joints[j]] == s + 1) check_tally_add(&tally, j, skin->joints[j]);
    last_skin[skin->joints[j]] = s + 1;
  }
  if (tally.count == 0) return;
  check_place place = check_place_of_skin(s);
  place.node = skin->joints[tally.first];
  check_report(context, MPAK_S003, &place, &tally);
}

/// Flat along some direction, measured against the lengths of its rows, so that small units are no fault.
static bool check_is_singular(const float matrix[12]) {
  const double size = check_length(matrix, 3) * check_length(matrix + 4, 3) * check_length(matrix + 8, 3);
  return fabs(check_determinant(matrix)) <= 1e-9 * size;
}

static void check_inverse_binds(const check_context *context, uint32_t s) {
  const cook_skin *skin = &context->scene->skins[s];
  check_place place = check_place_of_skin(s);
  place.stream = "inverseBindMatrices";
  if (skin->inverse_binds == NULL || skin->joint_count == 0) return;
  const float *values = &skin->inverse_binds[0][0];
  if (!check_all_finite(context, MPAK_S004, &place, "joint", values, skin->joint_count, 12)) return;
  if (!check_none_beyond(context, MPAK_S018, &place, "joint", values, skin->joint_count, 12, CHECK_LARGEST_VALUE))
    return;
  check_tally tally = {.element = "joint", .limit = "an invertible matrix"};
  for (uint32_t j = 0; j < skin->joint_count; j++)
    if (check_is_singular(skin->inverse_binds[j]))
      check_tally_add(&tally, j, check_determinant(skin->inverse_binds[j]));
  if (tally.count != 0) place.node = skin->joints[tally.first];
  check_report(context, MPAK_S005, &place, &tally);
}

// -- Joints and weights of vertices -----------------------------------------------------------------------------------

/// What is wrong with the influences of one primitive.
typedef struct check_influence_tallies {
  check_tally joint_range, idle_joint_range, not_finite, negative, sum_near, sum_far, no_weight, repeated;
} check_influence_tallies;

static check_influence_tallies check_influence_tallies_make(const char *joint_limit) {
  return (check_influence_tallies){
      .joint_range = {.element = "vertex", .limit = joint_limit},
      .idle_joint_range = {.element = "vertex", .limit = joint_limit},
      .not_finite = {.element = "vertex", .limit = "a finite number"},
      .negative = {.element = "vertex", .limit = "0 or more"},
      .sum_near = {.element = "vertex", .limit = "1"},
      .sum_far = {.element = "vertex", .limit = "1"},
      .no_weight = {.element = "vertex", .limit = "1"},
      .repeated = {.element = "vertex", .limit = "joints that differ"},
  };
}

/// Joints past the skin's last one: with weight they move the vertex by nothing that exists, without they do no harm.
static void check_joint_range(check_influence_tallies *tallies, const uint16_t *joints, const float *weights,
                              uint32_t count, uint32_t joint_count, uint32_t v) {
  bool is_out = false, is_idle_out = false;
  uint16_t out = 0, idle_out = 0;
  for (uint32_t k = count; k-- > 0;) {
    if (joints[k] < joint_count) continue;
    if (weights[k] != 0)
      is_out = true, out = joints[k];
    else
      is_idle_out = true, idle_out = joints[k];
  }
  if (is_out) check_tally_add(&tallies->joint_range, v, out);
  if (is_idle_out) check_tally_add(&tallies->idle_joint_range, v, idle_out);
}

static void check_joints_repeat(check_influence_tallies *tallies, const uint16_t *joints, const float *weights,
                                uint32_t count, uint32_t v) {
  for (uint32_t k = 1; k < count; k++) {
    if (weights[k] == 0) continue;
    for (uint32_t i = 0; i < k; i++) {
      if (joints[i] != joints[k] || weights[i] == 0) continue;
      check_tally_add(&tallies->repeated, v, joints[k]);
      return;
    }
  }
}

static void check_weight_sum(check_influence_tallies *tallies, double sum, uint32_t v) {
  const double off = fabs(sum - 1);
  if (sum == 0)
    check_tally_add(&tallies->no_weight, v, sum);
  else if (off > SUM_NORMALISED)
    check_tally_add(&tallies->sum_far, v, sum);
  else if (off > SUM_KEPT)
    check_tally_add(&tallies->sum_near, v, sum);
}

/// A sum is only looked at when each of its parts is sound.
static void check_weights_of_vertex(check_influence_tallies *tallies, const float *weights, uint32_t count,
                                    uint32_t v) {
  double sum = 0;
  float lowest = 0;
  for (uint32_t k = 0; k < count; k++) {
    if (!bytes_float_is_finite(weights[k])) {
      check_tally_add(&tallies->not_finite, v, weights[k]);
      return;
    }
    if (weights[k] < lowest) lowest = weights[k];
    sum += weights[k];
  }
  if (lowest < 0)
    check_tally_add(&tallies->negative, v, lowest);
  else
    check_weight_sum(tallies, sum, v);
}

static void check_report_influences(const check_context *context, check_place place,
                                    const check_influence_tallies *tallies) {
  place.stream = "WEIGHTS_0";
  check_report(context, MPAK_S008, &place, &tallies->not_finite);
  check_report(context, MPAK_S009, &place, &tallies->negative);
  check_report(context, MPAK_S010, &place, &tallies->sum_near);
  check_report(context, MPAK_S011, &place, &tallies->sum_far);
  check_report(context, MPAK_S012, &place, &tallies->no_weight);
  place.stream = "JOINTS_0";
  check_report(context, MPAK_S006, &place, &tallies->joint_range);
  check_report(context, MPAK_S007, &place, &tallies->idle_joint_range);
  check_report(context, MPAK_S013, &place, &tallies->repeated);
}

static void check_influences(const check_context *context, uint32_t m, uint32_t p) {
  const cook_primitive *primitive = &context->scene->meshes[m].primitives[p];
  const uint32_t count = primitive->influence_count, skin = context->skin_of_mesh[m];
  const uint32_t joint_count = skin != MPAK_NONE ? context->scene->skins[skin].joint_count : 0;
  const cook_mark mark = job_mark(context->job);
  check_influence_tallies tallies =
      check_influence_tallies_make(job_format(context->job, "below %u", (unsigned)joint_count));
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    const uint16_t *joints = primitive->joints + (uint64_t)v * count;
    const float *weights = primitive->weights + (uint64_t)v * count;
    check_weights_of_vertex(&tallies, weights, count, v);
    check_joints_repeat(&tallies, joints, weights, count, v);
    if (joint_count != 0) check_joint_range(&tallies, joints, weights, count, joint_count, v);
  }
  check_place place = check_place_of_skin(skin);
  place.mesh = m;
  place.primitive = p;
  check_report_influences(context, place, &tallies);
  job_release(context->job, mark);
}

/// Both or none.
static void check_influence_streams(const check_context *context, uint32_t m, uint32_t p) {
  const cook_primitive *primitive = &context->scene->meshes[m].primitives[p];
  if (primitive->influence_count == 0) return;
  if (primitive->joints != NULL && primitive->weights != NULL) {
    check_influences(context, m, p);
    return;
  }
  check_place place = CHECK_NOWHERE;
  place.mesh = m;
  place.primitive = p;
  place.stream = primitive->joints == NULL ? "JOINTS_0" : "WEIGHTS_0";
  check_report_object(context, MPAK_S017, &place, primitive->joints == NULL ? "weights alone" : "joints alone",
                      "joints and weights");
}

// -- Nodes, meshes and skins together ---------------------------------------------------------------------------------

/// Tallies the primitives of a mesh that have influences (is_skinned) or have none.
static check_tally check_count_primitives(const cook_mesh *mesh, bool is_skinned) {
  check_tally tally = {.element = "primitive"};
  for (uint32_t p = 0; p < mesh->primitive_count; p++)
    if ((mesh->primitives[p].influence_count != 0) == is_skinned)
      check_tally_add(&tally, mesh->primitives[p].source_primitive, 0);
  return tally;
}

static void check_skin_of_node(const check_context *context, uint32_t n) {
  const cook_node *node = &context->scene->nodes[n];
  check_place place = check_place_of_skin(node->skin);
  place.node = n;
  if (node->mesh == MPAK_NONE) {
    if (node->skin != MPAK_NONE) check_report_object(context, MPAK_S016, &place, NULL, NULL);
    return;
  }
  const bool has_skin = node->skin != MPAK_NONE;
  place.mesh = node->mesh;
  check_tally tally = check_count_primitives(&context->scene->meshes[node->mesh], !has_skin);
  tally.text = has_skin ? "a skin without joints and weights" : "joints and weights without a skin";
  check_report(context, has_skin ? MPAK_S015 : MPAK_S014, &place, &tally);
}

void check_skins(const check_context *context) {
  const cook_scene *scene = context->scene;
  const cook_mark mark = job_mark(context->job);
  uint32_t *last_skin = JOB_ARRAY(context->job, uint32_t, scene->node_count);
  for (uint32_t s = 0; s < scene->skin_count; s++) {
    check_joint_count(context, s);
    check_joints_differ(context, s, last_skin);
    check_inverse_binds(context, s);
  }
  for (uint32_t m = 0; m < scene->mesh_count; m++)
    for (uint32_t p = 0; p < scene->meshes[m].primitive_count; p++) check_influence_streams(context, m, p);
  for (uint32_t n = 0; n < scene->node_count; n++)
    if (scene->nodes[n].is_cooked) check_skin_of_node(context, n);
  job_release(context->job, mark);
}
