#include "tests/support/mt_inbetween.h"

#include <string.h>

#include "cooker/scene/inbetween.h"
#include "tests/support/mt_scene.h"

static void inbetween_make_controls(cook_job *job, cook_mesh *mesh) {
  static const char *names[MT_INBETWEEN_CONTROLS] = {"Smile", "Brow", "Blink", "Jaw"};
  mesh->control_count = MT_INBETWEEN_CONTROLS;
  mesh->control_names = job_copy(job, names, sizeof names);
  mesh->default_weights = JOB_ARRAY(job, float, MT_INBETWEEN_CONTROLS);
  mesh->default_weights[0] = 0.25f;
}

static void inbetween_make_rules(cook_job *job, cook_mesh *mesh) {
  static const struct {
    uint32_t control, shape_count, shapes[2];
    double full_weights[2];
  } channels[3] = {{0, 2, {0, 2}, {1, 0.5}}, {2, 2, {1, 3}, {1, -1}}, {3, 1, {4, 0}, {1, 0}}};
  mesh->rules = JOB_ARRAY(job, cook_shape_rule, MT_INBETWEEN_SHAPES);
  for (int c = 0; c < 3; c++) {
    cook_shape_rule rules[2] = {{0}};
    scene_make_inbetweens(job, COOK_WHERE, channels[c].control, channels[c].full_weights, channels[c].shape_count,
                          rules);
    for (uint32_t s = 0; s < channels[c].shape_count; s++) mesh->rules[channels[c].shapes[s]] = rules[s];
  }
  mesh->rules[2].name = "Smile_half";
}

static void inbetween_make_track(cook_job *job, cook_track *track) {
  static const float values[3][MT_INBETWEEN_CONTROLS] = {{0, 0, 0, 0}, {1.5f, 0.5f, -1, 1}, {-0.5f, 0, 1, 0}};
  track->interpolation = MPAK_LINEAR;
  track->width = MT_INBETWEEN_CONTROLS;
  track->value_count = (uint64_t)track->key_count * track->width;
  track->values = job_copy(job, values, sizeof values);
}

cook_scene *mt_inbetween_scene(cook_job *job) {
  cook_scene *scene = mt_scene_make(job, &(mt_scene_knobs){.target_count = MT_INBETWEEN_SHAPES});
  inbetween_make_controls(job, &scene->meshes[0]);
  inbetween_make_rules(job, &scene->meshes[0]);
  inbetween_make_track(job, &scene->clips[0].tracks[3]);
  return scene;
}

double mt_inbetween_weight(uint32_t shape, const double controls[MT_INBETWEEN_CONTROLS]) {
  const double smile = controls[0], blink = controls[2];
  switch (shape) {
  case 0: return smile < 0.5 ? 0 : 2 * smile - 1;
  case 1: return blink > 0 ? blink : 0;
  case 2: return smile < 0.5 ? 2 * smile : 2 - 2 * smile;
  case 3: return blink < 0 ? -blink : 0;
  default: return controls[3];
  }
}
