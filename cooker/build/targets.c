// targets.c: which morph targets are cooked: those that --targets names, and with --drop-unused those that move
// something. A target is a control with all its shapes, so in-betweens stay and go with the weight that they follow.
#include <inttypes.h>
#include <string.h>

#include "cooker/base/glob.h"
#include "cooker/build/build_where.h"
#include "cooker/build/clip_merge.h"

/// A mesh, and which of its controls stay.
typedef struct targets_choice {
  cook_job *job;
  cook_mesh *mesh;
  bool *is_kept;
  uint32_t *new_of_old; ///< by control; MPAK_NONE: it goes
  uint32_t kept_count;
} targets_choice;

static const char *targets_name(const cook_mesh *mesh, uint32_t control) {
  const char *name = mesh->control_names != NULL ? mesh->control_names[control] : NULL;
  return name != NULL ? name : "";
}

// -- Choosing --------------------------------------------------------------------------------------------------------

static bool targets_stream_moves(const float (*deltas)[3], uint32_t vertex_count) {
  for (uint32_t v = 0; deltas != NULL && v < vertex_count; v++)
    if (deltas[v][0] != 0 || deltas[v][1] != 0 || deltas[v][2] != 0) return true;
  return false;
}

static bool targets_shape_moves(const cook_mesh *mesh, uint32_t t) {
  for (uint32_t p = 0; p < mesh->primitive_count; p++) {
    const cook_primitive *primitive = &mesh->primitives[p];
    if (t >= primitive->target_count) continue;
    const cook_target *target = &primitive->targets[t];
    if (targets_stream_moves((const float(*)[3])target->position_deltas, primitive->vertex_count) ||
        targets_stream_moves((const float(*)[3])target->normal_deltas, primitive->vertex_count) ||
        targets_stream_moves((const float(*)[3])target->tangent_deltas, primitive->vertex_count))
      return true;
  }
  return false;
}

/// A mesh without primitives, of a clip pack, only names controls: they all stay.
static void targets_keep_moving(const cook_mesh *mesh, bool *is_kept) {
  if (mesh->primitive_count == 0) return;
  for (uint32_t c = 0; c < mesh->control_count; c++) is_kept[c] = false;
  for (uint32_t t = 0; t < mesh->target_count; t++)
    if (!is_kept[cook_control_of_target(mesh, t)])
      is_kept[cook_control_of_target(mesh, t)] = targets_shape_moves(mesh, t);
}

static void targets_keep_named(const cook_mesh *mesh, const cook_options *options, bool *is_kept, bool *has_matched) {
  for (uint32_t c = 0; c < mesh->control_count; c++) {
    is_kept[c] = false;
    for (uint32_t g = 0; g < options->target_glob_count; g++) {
      if (!glob_matches(options->target_globs[g], targets_name(mesh, c))) continue;
      is_kept[c] = true;
      has_matched[g] = true;
    }
  }
}

// -- Dropping --------------------------------------------------------------------------------------------------------

/// The kept ones of width values, in a new array.
static float *targets_take(const targets_choice *choice, const float *values, uint64_t rows) {
  float *kept = JOB_ARRAY(choice->job, float, rows * choice->kept_count), *to = kept;
  for (uint64_t row = 0; row < rows; row++)
    for (uint32_t c = 0; c < choice->mesh->control_count; c++)
      if (choice->is_kept[c]) *to++ = values[row * choice->mesh->control_count + c];
  return kept;
}

/// Does a weight track fit the mesh? One that does not was reported by check/, or will be by the packer.
static bool targets_fit(const cook_track *track, const cook_mesh *mesh) {
  const uint64_t parts = track->interpolation == MPAK_CUBICSPLINE ? 3 : 1;
  return track->width == mesh->control_count && track->value_count == track->key_count * parts * track->width;
}

static void targets_drop_values(const targets_choice *choice, cook_track *track) {
  const uint64_t rows = (uint64_t)track->key_count * (track->interpolation == MPAK_CUBICSPLINE ? 3 : 1);
  track->values = targets_take(choice, track->values, rows);
  track->width = choice->kept_count;
  track->value_count = rows * choice->kept_count;
}

static void targets_drop_curves(const targets_choice *choice, cook_scene *scene, uint32_t mesh) {
  for (uint32_t c = 0; c < scene->clip_count; c++) {
    cook_clip *clip = &scene->clips[c];
    uint32_t kept_count = 0;
    for (uint32_t t = 0; t < clip->track_count; t++) {
      cook_track track = clip->tracks[t];
      const bool is_ours = track.path == MPAK_PATH_WEIGHTS && scene->nodes[track.node].mesh == mesh;
      if (is_ours && choice->kept_count == 0) continue;
      if (is_ours && targets_fit(&track, choice->mesh)) targets_drop_values(choice, &track);
      clip->tracks[kept_count++] = track;
    }
    clip->track_count = kept_count;
  }
}

static void targets_drop_node_weights(const targets_choice *choice, cook_scene *scene, uint32_t mesh) {
  for (uint32_t n = 0; n < scene->node_count; n++) {
    cook_node *node = &scene->nodes[n];
    if (node->mesh != mesh || node->weights == NULL || node->weight_count != choice->mesh->control_count) continue;
    node->weights = choice->kept_count != 0 ? targets_take(choice, node->weights, 1) : NULL;
    node->weight_count = choice->kept_count;
  }
}

static void targets_drop_shapes(const targets_choice *choice) {
  cook_mesh *mesh = choice->mesh;
  uint32_t kept_count = 0;
  for (uint32_t t = 0; t < mesh->target_count; t++) {
    const uint32_t control = cook_control_of_target(mesh, t);
    if (!choice->is_kept[control]) continue;
    for (uint32_t p = 0; p < mesh->primitive_count; p++)
      if (t < mesh->primitives[p].target_count)
        mesh->primitives[p].targets[kept_count] = mesh->primitives[p].targets[t];
    if (mesh->rules != NULL) {
      mesh->rules[kept_count] = mesh->rules[t];
      mesh->rules[kept_count].control = choice->new_of_old[control];
    }
    kept_count++;
  }
  mesh->target_count = kept_count;
  for (uint32_t p = 0; p < mesh->primitive_count; p++)
    if (mesh->primitives[p].target_count != 0) mesh->primitives[p].target_count = kept_count;
}

static void targets_drop_controls(const targets_choice *choice) {
  cook_mesh *mesh = choice->mesh;
  if (mesh->default_weights != NULL) mesh->default_weights = targets_take(choice, mesh->default_weights, 1);
  for (uint32_t c = 0; c < mesh->control_count; c++)
    if (choice->is_kept[c] && mesh->control_names != NULL)
      mesh->control_names[choice->new_of_old[c]] = mesh->control_names[c];
  mesh->control_count = choice->kept_count;
  mesh->has_default_weights = mesh->has_default_weights && choice->kept_count != 0;
}

static void targets_report(const targets_choice *choice, mpak_issue_id id) {
  cook_where where = COOK_WHERE;
  clip_names names = {.job = choice->job};
  for (uint32_t c = 0; c < choice->mesh->control_count; c++)
    if (!choice->is_kept[c]) clip_names_add(&names, targets_name(choice->mesh, c), "target", c);
  where.mesh = choice->mesh->name;
  where.value = job_format(choice->job, "%" PRIu64 " of %" PRIu32, names.count, choice->mesh->control_count);
  where.limit = clip_names_text(&names);
  job_issue(choice->job, id, where);
}

/// Drops the controls that do not stay, with their shapes, curves and weights, and says which.
static void targets_drop(targets_choice *choice, cook_scene *scene, uint32_t mesh, mpak_issue_id id) {
  choice->kept_count = 0;
  for (uint32_t c = 0; c < choice->mesh->control_count; c++)
    choice->new_of_old[c] = choice->is_kept[c] ? choice->kept_count++ : MPAK_NONE;
  if (choice->kept_count == choice->mesh->control_count) return;
  targets_report(choice, id);
  targets_drop_curves(choice, scene, mesh);
  targets_drop_node_weights(choice, scene, mesh);
  targets_drop_shapes(choice);
  targets_drop_controls(choice);
}

// -- The stage -------------------------------------------------------------------------------------------------------

static void targets_report_unmatched(cook_job *job, const cook_options *options, const bool *has_matched) {
  for (uint32_t g = 0; g < options->target_glob_count; g++) {
    cook_where where = COOK_WHERE;
    where.value = options->target_globs[g];
    if (!has_matched[g]) job_issue(job, MPAK_C061, where);
  }
}

void build_targets(cook_job *job, cook_scene *scene, const cook_options *options) {
  if (options->target_glob_count == 0 && !options->drop_unused) return;
  bool *has_matched = JOB_ARRAY(job, bool, options->target_glob_count);
  for (uint32_t m = 0; m < scene->mesh_count; m++) {
    targets_choice choice = {.job = job, .mesh = &scene->meshes[m]};
    const uint32_t count = choice.mesh->control_count;
    choice.is_kept = JOB_ARRAY(job, bool, count);
    choice.new_of_old = JOB_ARRAY(job, uint32_t, count);
    if (options->target_glob_count != 0) {
      targets_keep_named(choice.mesh, options, choice.is_kept, has_matched);
      targets_drop(&choice, scene, m, MPAK_C058);
    }
    if (!options->drop_unused) continue;
    for (uint32_t c = 0; c < choice.mesh->control_count; c++) choice.is_kept[c] = true;
    targets_keep_moving(choice.mesh, choice.is_kept);
    targets_drop(&choice, scene, m, MPAK_C059);
  }
  targets_report_unmatched(job, options, has_matched);
}
