#include <math.h>

#include "cooker/check/check_internal.h"

static check_place check_place_of_target(uint32_t m, uint32_t p, uint32_t t) {
  check_place place = CHECK_NOWHERE;
  place.mesh = m;
  place.primitive = p;
  place.target = t;
  return place;
}

// -- Counts and defaults ----------------------------------------------------------------------------------------------

static void check_target_limit(const check_context *context, uint32_t m) {
  const cook_mesh *mesh = &context->scene->meshes[m];
  const uint32_t target_count = mesh->target_count > mesh->control_count ? mesh->target_count : mesh->control_count;
  const uint32_t limit = job_limits(context->job)->targets;
  if (target_count <= limit) return;
  const cook_mark mark = job_mark(context->job);
  const check_place place = check_place_of_target(m, MPAK_NONE, MPAK_NONE);
  check_report_object(context, MPAK_M023, &place, check_count_text(context->job, target_count),
                      check_count_text(context->job, limit));
  job_release(context->job, mark);
}

/// A primitive has as many targets as its mesh, or none.
static bool check_target_counts_agree(const check_context *context, uint32_t m, uint32_t p) {
  const cook_mesh *mesh = &context->scene->meshes[m];
  const uint32_t target_count = mesh->primitives[p].target_count;
  if (target_count == 0 || target_count == mesh->target_count) return true;
  const cook_mark mark = job_mark(context->job);
  const check_place place = check_place_of_target(m, p, MPAK_NONE);
  check_report_object(context, MPAK_M025, &place, check_count_text(context->job, target_count),
                      check_count_text(context->job, mesh->target_count));
  job_release(context->job, mark);
  return false;
}

static void check_mesh_weights(const check_context *context, uint32_t m) {
  const cook_mesh *mesh = &context->scene->meshes[m];
  if (!mesh->has_default_weights || mesh->default_weights == NULL) return;
  check_place place = check_place_of_target(m, MPAK_NONE, MPAK_NONE);
  place.stream = "weights";
  if (check_none_beyond(context, MPAK_M021, &place, "target", mesh->default_weights, mesh->control_count, 1,
                        CHECK_LARGEST_WEIGHT))
    check_default_range(context, MPAK_M022, &place, mesh->default_weights, mesh->control_count);
}

// -- Deltas -----------------------------------------------------------------------------------------------------------

/// The source's own facts, which `info` shows and tests compare with independent programs.
static void check_fill_source_facts(cook_target *target, uint32_t vertex_count) {
  double largest_square = 0;
  uint32_t moved_count = 0;
  for (uint32_t v = 0; v < vertex_count; v++) {
    const float *delta = target->position_deltas[v];
    if (delta[0] == 0 && delta[1] == 0 && delta[2] == 0) continue;
    const double square = (double)delta[0] * delta[0] + (double)delta[1] * delta[1] + (double)delta[2] * delta[2];
    if (square > largest_square) largest_square = square;
    moved_count++;
  }
  target->source_moved_count = moved_count;
  target->source_max_delta = (float)sqrt(largest_square);
}

typedef struct check_motion {
  bool moves_positions, moves_normals, moves_tangents;
} check_motion;

/// Reports what is not finite or huge in one stream; returns whether it changes anything.
static bool check_delta_stream(const check_context *context, check_place place, const char *stream, mpak_issue_id id,
                               const float (*deltas)[3], uint32_t vertex_count) {
  if (deltas == NULL || vertex_count == 0) return false;
  place.stream = stream;
  const uint32_t largest_bits = check_largest_bits(&deltas[0][0], 3 * (uint64_t)vertex_count);
  if (largest_bits >= CHECK_BITS_INFINITE)
    check_all_finite(context, id, &place, "vertex", &deltas[0][0], vertex_count, 3);
  else if (largest_bits > bytes_bits_of_float(CHECK_LARGEST_VALUE))
    check_none_beyond(context, MPAK_M010, &place, "vertex", &deltas[0][0], vertex_count, 3, CHECK_LARGEST_VALUE);
  return largest_bits != 0;
}

static check_motion check_target(const check_context *context, uint32_t m, uint32_t p, uint32_t t) {
  const cook_primitive *primitive = &context->scene->meshes[m].primitives[p];
  cook_target *target = &primitive->targets[t];
  const check_place place = check_place_of_target(m, p, t);
  const uint32_t vertex_count = primitive->vertex_count;
  const check_motion motion = {
      check_delta_stream(context, place, "POSITION", MPAK_M012, target->position_deltas, vertex_count),
      check_delta_stream(context, place, "NORMAL", MPAK_M013, target->normal_deltas, vertex_count),
      check_delta_stream(context, place, "TANGENT", MPAK_M014, target->tangent_deltas, vertex_count),
  };
  target->source_moved_count = 0;
  target->source_max_delta = 0;
  if (motion.moves_positions) check_fill_source_facts(target, vertex_count);
  return motion;
}

/// Targets of a primitive that move positions and leave every normal (U3); what then happens is --morph-normals'
/// choice.
static void check_report_still_normals(const check_context *context, uint32_t m, uint32_t p, check_tally *tally) {
  const cook_primitive *primitive = &context->scene->meshes[m].primitives[p];
  if (primitive->normals == NULL) return;
  check_place place = check_place_of_target(m, p, (uint32_t)tally->first);
  place.stream = "NORMAL";
  check_report(context, MPAK_M015, &place, tally);
}

/// is_idle[t] is cleared for each target that changes something in this primitive.
static void check_targets_of_primitive(const check_context *context, uint32_t m, uint32_t p, uint8_t *is_idle) {
  const cook_mesh *mesh = &context->scene->meshes[m];
  const cook_primitive *primitive = &mesh->primitives[p];
  if (!check_target_counts_agree(context, m, p)) return;
  check_tally still_normals = {.element = "target", .text = "no normal deltas", .limit = "normal deltas"};
  for (uint32_t t = 0; t < primitive->target_count; t++) {
    const check_motion motion = check_target(context, m, p, t);
    if (motion.moves_positions && !motion.moves_normals) check_tally_add(&still_normals, t, 0);
    if (motion.moves_positions || motion.moves_normals || motion.moves_tangents) is_idle[t] = 0;
  }
  check_report_still_normals(context, m, p, &still_normals);
}

static void check_report_idle_targets(const check_context *context, uint32_t m, const uint8_t *is_idle) {
  check_tally tally = {.element = "target", .text = "only zeros", .limit = "a change"};
  if (context->scene->meshes[m].primitive_count == 0) return; // nothing is drawn: a clip pack needs only its controls
  for (uint32_t t = 0; t < context->scene->meshes[m].target_count; t++)
    if (is_idle[t]) check_tally_add(&tally, t, 0);
  const check_place place = check_place_of_target(m, MPAK_NONE, (uint32_t)tally.first);
  check_report(context, MPAK_M011, &place, &tally);
}

static void check_targets_of_mesh(const check_context *context, uint32_t m) {
  const cook_mesh *mesh = &context->scene->meshes[m];
  const cook_mark mark = job_mark(context->job);
  uint8_t *is_idle = JOB_ARRAY(context->job, uint8_t, mesh->target_count);
  for (uint32_t t = 0; t < mesh->target_count; t++) is_idle[t] = 1;
  for (uint32_t p = 0; p < mesh->primitive_count; p++) check_targets_of_primitive(context, m, p, is_idle);
  check_report_idle_targets(context, m, is_idle);
  job_release(context->job, mark);
}

void check_targets(const check_context *context) {
  for (uint32_t m = 0; m < context->scene->mesh_count; m++) {
    check_target_limit(context, m);
    check_mesh_weights(context, m);
    check_targets_of_mesh(context, m);
  }
}
