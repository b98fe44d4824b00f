// clip_weights.c: weight keys of another file's mesh for the model's: the same controls, in another order.
#include <inttypes.h>
#include <string.h>

#include "cooker/build/clip_merge.h"

static const char *weights_control_name(const void *user, uint32_t i) {
  const cook_mesh *mesh = user;
  const char *name = mesh->control_names != NULL ? mesh->control_names[i] : NULL;
  return name != NULL ? name : "";
}

/// By control of the source: control of the model, or NAME_MATCH_NONE.
static uint32_t *weights_match(cook_job *job, const cook_mesh *source, const cook_mesh *model) {
  const name_match_side from = {source->control_count, source, weights_control_name, NULL};
  const name_match_side to = {model->control_count, model, weights_control_name, NULL};
  uint32_t *model_of = JOB_ARRAY(job, uint32_t, source->control_count);
  const cook_mark mark = job_mark(job);
  uint32_t *scratch = JOB_ARRAY(job, uint32_t, name_match_scratch_words(from.count, to.count));
  name_match_list(&from, &to, scratch, model_of);
  job_release(job, mark);
  return model_of;
}

static float weights_default(const cook_node *node, const cook_mesh *mesh, uint32_t control) {
  if (control < node->weight_count) return node->weights[control];
  return mesh->default_weights != NULL ? mesh->default_weights[control] : 0;
}

// -- Issues ----------------------------------------------------------------------------------------------------------

static void weights_report(const clip_merge *merge, mpak_issue_id id, uint32_t node, const clip_names *names,
                           uint32_t total) {
  if (names->count == 0) return;
  cook_where where = COOK_WHERE;
  where.node = clip_node_path(merge->job, merge->model, node);
  where.mesh = merge->model->meshes[merge->model->nodes[node].mesh].name;
  where.value = job_format(merge->job, "%" PRIu64 " of %" PRIu32, names->count, total);
  where.limit = clip_names_text(names);
  job_issue(merge->job, id, where);
}

static void weights_report_controls(const clip_merge *merge, uint32_t node, const cook_mesh *source,
                                    const cook_mesh *model, const uint32_t *model_of) {
  cook_job *job = merge->job;
  clip_names extra = {.job = job}, missing = {.job = job};
  bool *has_source = JOB_ARRAY(job, bool, model->control_count);
  for (uint32_t c = 0; c < source->control_count; c++) {
    if (model_of[c] == NAME_MATCH_NONE)
      clip_names_add(&extra, weights_control_name(source, c), "target", c);
    else
      has_source[model_of[c]] = true;
  }
  for (uint32_t c = 0; c < model->control_count; c++)
    if (!has_source[c]) clip_names_add(&missing, weights_control_name(model, c), "target", c);
  weights_report(merge, MPAK_A024, node, &extra, source->control_count);
  weights_report(merge, MPAK_A026, node, &missing, model->control_count);
}

// -- Keys ------------------------------------------------------------------------------------------------------------

/// One row of the model's width: a key's values, or one of its tangents. rest: what missing controls get.
static void weights_put_row(const float *from, uint32_t from_width, const uint32_t *model_of, const float *rest,
                            uint32_t width, float *to) {
  memcpy(to, rest, width * sizeof *to);
  for (uint32_t c = 0; c < from_width; c++)
    if (model_of[c] != NAME_MATCH_NONE) to[model_of[c]] = from[c];
}

static void weights_put_keys(cook_job *job, const cook_track *track, const uint32_t *model_of, const float *defaults,
                             cook_track *result) {
  const bool is_cubic = track->interpolation == MPAK_CUBICSPLINE;
  const uint64_t rows = (uint64_t)track->key_count * (is_cubic ? 3 : 1);
  const float *zeros = JOB_ARRAY(job, float, result->width);
  result->value_count = rows * result->width;
  result->values = JOB_ARRAY(job, float, result->value_count);
  for (uint64_t row = 0; row < rows; row++) {
    const bool is_value = !is_cubic || row % 3 == 1; // in-tangent, value, out-tangent
    weights_put_row(track->values + row * track->width, track->width, model_of, is_value ? defaults : zeros,
                    result->width, result->values + row * result->width);
  }
}

bool clip_convert_weights(const clip_merge *merge, const cook_clip *clip, const cook_track *track, cook_track *result) {
  cook_job *job = merge->job;
  const uint32_t node = merge->model_of[track->node];
  const cook_node *drawn = &merge->model->nodes[node];
  const cook_mesh *source = &merge->source->meshes[merge->source->nodes[track->node].mesh];
  const cook_mesh *model = drawn->mesh != MPAK_NONE ? &merge->model->meshes[drawn->mesh] : NULL;
  if (model == NULL || model->control_count == 0) {
    cook_where where = COOK_WHERE;
    where.node = clip_node_path(job, merge->model, node);
    where.clip = clip->name;
    job_issue(job, MPAK_A012, where);
    return false;
  }
  const uint32_t *model_of = weights_match(job, source, model);
  if (!merge->has_said_controls[track->node]) weights_report_controls(merge, node, source, model, model_of);
  merge->has_said_controls[track->node] = true;
  float *defaults = JOB_ARRAY(job, float, model->control_count);
  for (uint32_t c = 0; c < model->control_count; c++) defaults[c] = weights_default(drawn, model, c);
  *result = *track;
  result->node = node;
  result->width = model->control_count;
  weights_put_keys(job, track, model_of, defaults, result);
  return true;
}
