// view.c: the viewer's frame: input, pose, passes, panels; in a window or for a picture without one.
#include <glad/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "samples/viewer/font_file.h"
#include "samples/viewer/offscreen.h"
#include "samples/viewer/panel.h"
#include "samples/viewer/png_file.h"
#include "samples/viewer/ui_draw.h"
#include "samples/viewer/view_scene.h"
#include "samples/viewer/window.h"

#define FRAME_S      (1 / 60.0)
#define WATCH_FRAMES 20 ///< between looks at the file's time
#define SAMPLES      4

typedef struct view {
  const view_options *options;
  viewer_outcome *outcome;
  offscreen screen;
  window win;
  view_scene scene;
  passes drawn;
  ui_draw ui;
  framebuffer target;
  camera from;
  panel choices;
  uint32_t clip_choice[1]; ///< what stage.clips points to
  uint32_t width, height;
  float last_mouse[2];
  uint64_t frame;
  bool has_posed;
  char *pending; ///< a file to be read in the next frame; malloc's
  bool is_other_pending;
  view_box scene_box;  ///< of the pose, in the world
  double difference_m; ///< between the GPU's vertices and the CPU's; negative: not compared
} view;

static bool view_fail(view *shown, viewer_result result, const char *text) {
  shown->outcome->result = result;
  snprintf(shown->outcome->text, sizeof shown->outcome->text, "%s", text);
  return false;
}

static bool view_has_window(const view *shown) { return shown->win.handle != NULL; }

static const char *view_base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

// -- Opening ---------------------------------------------------------------------------------------------------------

static viewer_result view_result_of(mpak_result result) {
  if (result == MPAK_ERROR_GL) return VIEWER_NO_GL;
  return result == MPAK_ERROR_OUT_OF_MEMORY ? VIEWER_NO_MEMORY : VIEWER_BAD_PACK;
}

/// GLSL for items that are skinned inline, from the mpak_gl of the model that is shown.
static const char *view_skin_source(void *user, uint32_t influence_count) {
  const view *shown = user;
  return mpak_gl_vertex_source(shown->scene.list.gl, influence_count);
}

static bool view_open_context(view *shown) {
  const view_options *options = shown->options;
  const char *reason = "";
  shown->scene.device = (draw_device){window_get_function, NULL, (mpak_gl_technique)options->technique};
  if (options->frames == 0 || options->needs_window) {
    if (window_open(&shown->win, "mpak view", shown->width, shown->height, &reason)) return true;
    return view_fail(shown, VIEWER_NO_WINDOW, reason);
  }
  shown->scene.device = (draw_device){offscreen_get_function, &shown->screen, (mpak_gl_technique)options->technique};
  if (offscreen_open(&shown->screen, &reason)) return true;
  return view_fail(shown, VIEWER_NO_GL, reason);
}

/// All names of the pack, for the font.
static bool view_make_font(view *shown) {
  const mpak_pack *pack = &shown->scene.shown->pack;
  const char *file = font_file_find();
  const uint64_t most = (uint64_t)pack->control_count + pack->clip_count + pack->node_count + 2;
  const char **texts = calloc((size_t)most, sizeof *texts);
  uint32_t count = 0;
  shim_atlas atlas;
  if (texts == NULL) return view_fail(shown, VIEWER_NO_MEMORY, "out of memory");
  for (uint32_t i = 0; i < pack->control_count; i++)
    texts[count++] = stage_name(shown->scene.shown, pack->controls[i].name, pack->controls[i].key);
  for (uint32_t i = 0; i < pack->clip_count; i++)
    texts[count++] = stage_name(shown->scene.shown, pack->clips[i].name, pack->clips[i].key);
  for (uint32_t i = 0; i < pack->instance_count; i++) {
    const mpak_node *node = &pack->nodes[pack->instances[i].node];
    texts[count++] = stage_name(shown->scene.shown, node->name, node->key);
  }
  texts[count++] = view_base_name(shown->scene.path);
  shim_make_font(file, PANEL_FONT_PX, texts, count, &atlas);
  shown->outcome->lacks_font = file == NULL;
  shown->outcome->lacks_glyphs = false;
  for (uint32_t i = 0; i < count; i++)
    if (!shim_has_glyphs(texts[i])) shown->outcome->lacks_glyphs = true;
  free(texts);
  ui_draw_set_font(&shown->ui, &atlas);
  return true;
}

/// The part of the picture that panels leave free.
static pass_area view_free_area(const view *shown) {
  const uint32_t left = (uint32_t)PANEL_LEFT_PX, right = (uint32_t)PANEL_RIGHT_PX, bottom = (uint32_t)PANEL_BOTTOM_PX;
  if (shown->options->without_ui || shown->options->pass != 0 || shown->width < left + right + 64 ||
      shown->height < bottom + 64)
    return (pass_area){0, 0, shown->width, shown->height};
  return (pass_area){(int32_t)left, (int32_t)bottom, shown->width - left - right, shown->height - bottom};
}

static void view_reset_camera(view *shown) {
  const pass_area area = view_free_area(shown);
  const view_axes axes = camera_axes((camera_side)shown->options->side);
  view_box box = stage_box(shown->scene.shown, &axes);
  uint32_t count = 0;
  draw_list_update(&shown->scene.list); // bounds are those of what is listed
  float *lines = shown->choices.shows_bounds ? draw_list_bounds(&shown->scene.list, &count) : NULL;
  for (uint32_t i = 0; lines != NULL && i < count; i++) {
    float point[3];
    axes_from_world(&axes, lines + (size_t)i * 3, point);
    box_add(&box, point);
  }
  free(lines);
  shown->from = camera_for_box(&box, (camera_side)shown->options->side, (float)area.width / (float)area.height);
}

static void view_start_choices(view *shown) {
  const view_options *options = shown->options;
  panel *choices = &shown->choices;
  *choices = (panel){.is_wireframe = options->is_wireframe,
                     .shows_bounds = options->shows_bounds,
                     .shows_normals = options->shows_normals,
                     .colours_normals = options->colours_normals,
                     .shows_heat = options->shows_heat,
                     .has_shadow = !options->without_shadow,
                     .has_ground = !options->without_ground,
                     .has_outline = !options->without_outline,
                     .technique = options->technique,
                     .compares = options->frames > 0,
                     .lod = options->lod,
                     .given_clip_count = options->clip_count,
                     .is_playing = !options->has_time,
                     .time_s = options->time_s};
  if (options->clip_count == 1) choices->clip = options->clips[0] + 1;
  if (options->clip_count > 1) choices->clip = shown->scene.shown->pack.clip_count + 1;
  for (uint32_t i = 0; i < options->weight_count; i++)
    stage_give_weight(shown->scene.shown, options->weights[i].instance, options->weights[i].control,
                      options->weights[i].weight);
}

static bool view_open(view *shown, const void *bytes, uint64_t byte_count) {
  const char *reason = "";
  if (!view_open_context(shown)) return false;
  if (!shim_open()) return view_fail(shown, VIEWER_NO_MEMORY, "out of memory");
  if (!passes_make(&shown->drawn, &reason) || !ui_draw_make(&shown->ui, &reason))
    return view_fail(shown, VIEWER_NO_GL, reason);
  const mpak_result result = view_scene_set(&shown->scene, shown->options->path, bytes, byte_count, &reason);
  if (result != MPAK_OK) return view_fail(shown, view_result_of(result), reason);
  shown->drawn.skin_source = view_skin_source;
  shown->drawn.skin_user = shown;
  shown->scene.file_time_ns = shown->options->file_time_ns;
  shown->scene.file_bytes = shown->options->file_bytes;
  view_start_choices(shown);
  return view_make_font(shown);
}

// -- Reloading -------------------------------------------------------------------------------------------------------

/// The number of the clip with the key of another pack's, plus 1; 0 when there is none.
static uint32_t view_clip_like(const mpak_pack *pack, const char *key) {
  const uint32_t clip = key != NULL ? mpak_find_clip(pack, key) : MPAK_NONE;
  return clip == MPAK_NONE ? 0 : clip + 1;
}

static void view_load(view *shown, const char *path, bool is_other) {
  panel *choices = &shown->choices;
  const mpak_pack *old = &shown->scene.shown->pack;
  char *key = choices->clip > 0 && choices->clip <= old->clip_count
                  ? strdup(mpak_string(old, old->clips[choices->clip - 1].key))
                  : NULL;
  if (view_scene_load(&shown->scene, path, shown->options->load, shown->options->load_user)) {
    choices->clip = view_clip_like(&shown->scene.shown->pack, key);
    choices->given_clip_count = 0;
    if (choices->lod >= stage_lod_count(shown->scene.shown)) choices->lod = 0;
    shown->has_posed = false;
    view_make_font(shown);
    if (is_other) choices->wants_reset_view = true;
  }
  free(key);
}

/// The file that is to be read in the next frame, after this one has said so; NULL: none.
static char *view_find_pending(view *shown) {
  char *dropped = shown->win.dropped;
  const bool is_due = shown->frame % WATCH_FRAMES == 0 && shown->frame > 0;
  shown->win.dropped = NULL;
  shown->is_other_pending = dropped != NULL;
  if (dropped != NULL) return dropped;
  return shown->choices.wants_reload || (is_due && view_scene_is_outdated(&shown->scene)) ? strdup(shown->scene.path)
                                                                                          : NULL;
}

static void view_watch(view *shown) {
  if (shown->pending != NULL) {
    char *path = shown->pending;
    shown->pending = NULL;
    view_load(shown, path, shown->is_other_pending);
    free(path);
    return;
  }
  shown->pending = view_find_pending(shown);
  shown->choices.wants_reload = false;
  if (shown->pending == NULL) return;
  snprintf(shown->scene.message, sizeof shown->scene.message, "reading %s \xE2\x80\xA6",
           view_base_name(shown->pending));
  shown->scene.is_error = false;
}

// -- A frame ---------------------------------------------------------------------------------------------------------

static void view_move_camera(view *shown, const shim_input *input) {
  const float dx = input->mouse[0] - shown->last_mouse[0], dy = input->mouse[1] - shown->last_mouse[1];
  memcpy(shown->last_mouse, input->mouse, sizeof shown->last_mouse);
  if (shim_wants_mouse()) return;
  if (input->buttons[0] && !input->has_shift) camera_orbit(&shown->from, -dx * 0.008f, dy * 0.008f);
  if (input->buttons[1] || input->buttons[2] || (input->buttons[0] && input->has_shift))
    camera_pan(&shown->from, -dx / (float)shown->height, dy / (float)shown->height);
  if (input->wheel != 0) camera_zoom(&shown->from, powf(0.88f, input->wheel));
}

/// Which clips the stage plays, by the panel's choice.
static void view_choose_clips(view *shown) {
  stage *model = shown->scene.shown;
  const uint32_t clip_count = model->pack.clip_count, clip = shown->choices.clip;
  shown->clip_choice[0] = clip - 1;
  model->clips = clip > clip_count ? shown->options->clips : shown->clip_choice;
  model->clip_count = clip == 0 ? 0 : clip <= clip_count ? 1 : shown->choices.given_clip_count;
}

/// Time goes on, from the end to the start again.
static void view_advance(view *shown, double dt_s) {
  panel *choices = &shown->choices;
  double start_s = 0, end_s = 0;
  stage_time_range(shown->scene.shown, &start_s, &end_s);
  if (choices->is_playing && shown->has_posed && shown->scene.shown->clip_count > 0 && end_s > start_s) {
    choices->time_s += dt_s;
    choices->has_changed = true;
    if (choices->time_s > end_s) choices->time_s = start_s + fmod(choices->time_s - start_s, end_s - start_s);
  }
  if (!(choices->time_s >= start_s)) choices->time_s = start_s;
  if (choices->time_s > end_s) choices->time_s = end_s;
}

static void view_pose(view *shown, double dt_s) {
  stage *model = shown->scene.shown;
  view_choose_clips(shown);
  view_advance(shown, dt_s);
  model->time_s = shown->choices.time_s;
  model->hero->lod = shown->choices.lod;
  if (shown->choices.has_changed || !shown->has_posed) {
    stage_pose(model);
    shown->scene_box = stage_box(model, NULL);
  }
  shown->choices.has_changed = false;
  if (!shown->has_posed && (shown->choices.wants_reset_view || shown->frame == 0)) view_reset_camera(shown);
  if (shown->choices.wants_reset_view) view_reset_camera(shown);
  shown->choices.wants_reset_view = false;
  shown->has_posed = true;
}

static void view_draw_scene(view *shown) {
  const panel *choices = &shown->choices;
  draw_list *list = &shown->scene.list;
  const pass_area area = view_free_area(shown);
  const float aspect = (float)area.width / (float)area.height;
  camera_view seen = camera_look(&shown->from, aspect);
  pass_options options = {.has_shadow = choices->has_shadow,
                          .has_ground = choices->has_ground,
                          .has_outline = choices->has_outline,
                          .is_wireframe = choices->is_wireframe,
                          .shows_normals = choices->shows_normals,
                          .colours_normals = choices->colours_normals,
                          .backdrop = {0.17f, 0.18f, 0.20f},
                          .scene = shown->scene_box,
                          .is_only = shown->options->pass != 0,
                          .only = (pass_kind)(shown->options->pass - 1)};
  if (shown->options->side == CAMERA_SUN) seen.clip_from_world = passes_sun_view(&options.scene);
  passes_begin_time(&shown->drawn, PASS_DEFORM);
  draw_list_update(list);
  passes_end_time();
  if (choices->shows_heat) draw_list_heat(list);
  options.heat_top_m = choices->shows_heat ? fmaxf(list->largest_m, 1e-9f) : 0;
  float *lines = choices->shows_bounds ? draw_list_bounds(list, &options.line_point_count) : NULL;
  options.lines = lines;
  passes_draw(&shown->drawn, &shown->target, &area, &seen, list->items, list->item_count, &options);
  free(lines);
  const bool is_seen = shown->options->frames == 0 || shown->frame + 1 == shown->options->frames;
  shown->difference_m = choices->compares && is_seen ? draw_list_compare(list, &shown->drawn) : -1;
}

static void view_draw_panels(view *shown, const shim_input *input) {
  const passes *drawn = &shown->drawn;
  const bool is_picture = shown->options->frames > 0; // times would make each picture another one
  const mpak_pack *pack = &shown->scene.shown->pack;
  const mpak_gl_counters *counters = mpak_gl_device_counters(shown->scene.list.gl);
  panel_facts facts = {.file = view_base_name(shown->scene.path),
                       .message = shown->scene.message,
                       .is_error = shown->scene.is_error,
                       .triangle_count = drawn->triangle_count,
                       .draw_count = drawn->draw_count,
                       .dispatch_count = counters->dispatches,
                       .barrier_count = counters->barriers,
                       .weight_upload_count = counters->weight_uploads,
                       .palette_upload_count = counters->palette_uploads,
                       .upload_bytes = counters->upload_bytes,
                       .deform_ms = is_picture ? -1 : drawn->times_ms[PASS_DEFORM],
                       .difference_m = shown->difference_m,
                       .heat_top_m = shown->choices.shows_heat ? (double)shown->scene.list.largest_m : 0,
                       .technique_name = draw_list_technique(&shown->scene.list)};
  for (int i = 0; i < 3; i++) facts.pass_ms[i] = is_picture ? -1 : drawn->times_ms[i];
  for (uint32_t i = 0; i < shown->scene.shown->hero->output_count; i++)
    if (stage_shows(shown->scene.shown, i))
      facts.vertex_count += pack->parts[shown->scene.shown->hero->outputs[i].part].vertex_count;
  shim_begin_frame(input);
  if (view_free_area(shown).x != 0)
    panel_draw(&shown->choices, shown->scene.shown, &facts, input->width, input->height);
  shim_end_frame();
  ui_draw_frame(&shown->ui, shown->width, shown->height);
}

/// The technique that the panel asks for; one that cannot be had is told.
static void view_switch_technique(view *shown) {
  view_scene *scene = &shown->scene;
  const char *reason = "";
  if (shown->choices.technique == (uint32_t)scene->device.technique) return;
  const mpak_gl_technique before = scene->device.technique;
  if (view_scene_set_technique(scene, (mpak_gl_technique)shown->choices.technique, &reason) == MPAK_OK) return;
  snprintf(scene->message, sizeof scene->message, "%s", reason);
  scene->is_error = true;
  scene->device.technique = before;
  shown->choices.technique = (uint32_t)before;
}

/// The framebuffer follows the window's size.
static bool view_fit_target(view *shown) {
  if (shown->target.width == shown->width && shown->target.height == shown->height) return true;
  framebuffer_free(&shown->target);
  if (framebuffer_make(&shown->target, shown->width, shown->height, shown->options->pass != 0 ? 0 : SAMPLES))
    return true;
  return view_fail(shown, VIEWER_NO_MEMORY, "the picture is larger than OpenGL allows here");
}

static bool view_frame(view *shown, const shim_input *input) {
  if (!view_fit_target(shown)) return false;
  passes_begin_picture(&shown->drawn);
  view_watch(shown);
  view_switch_technique(shown);
  view_pose(shown, (double)input->dt_s);
  framebuffer_bind(&shown->target);
  glClearColor(0.05f, 0.05f, 0.06f, 1);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  view_draw_scene(shown);
  framebuffer_merge(&shown->target);
  view_draw_panels(shown, input);
  shown->frame++;
  return true;
}

static void view_show_window(view *shown) {
  const GLint width = (GLint)shown->width, height = (GLint)shown->height;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, shown->target.resolve);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  window_show(&shown->win);
}

// -- The whole -------------------------------------------------------------------------------------------------------

static void view_loop(view *shown) {
  const uint32_t frames = shown->options->frames;
  const shim_input still = {.mouse = {-1, -1}};
  while (frames == 0 || shown->frame < frames) {
    if (view_has_window(shown)) {
      if (!window_poll(&shown->win)) return;
      if (shown->win.input.width < 1 || shown->win.input.height < 1) continue; // minimised
      shown->width = (uint32_t)shown->win.input.width;
      shown->height = (uint32_t)shown->win.input.height;
    }
    shim_input input = view_has_window(shown) ? shown->win.input : still;
    if (frames > 0) input.dt_s = (float)FRAME_S;
    input.width = (float)shown->width;
    input.height = (float)shown->height;
    if (!view_frame(shown, &input)) return;
    if (view_has_window(shown)) {
      view_show_window(shown);
      view_move_camera(shown, &input);
    }
  }
}

static void view_report(const view *shown) {
  const mpak_gl_counters *counters = mpak_gl_device_counters(shown->scene.list.gl);
  shown->outcome->difference_m = shown->difference_m;
  shown->outcome->technique = draw_list_technique(&shown->scene.list);
  shown->outcome->dispatch_count = counters->dispatches;
  shown->outcome->barrier_count = counters->barriers;
  shown->outcome->triangle_count = shown->drawn.triangle_count;
  shown->outcome->draw_count = shown->drawn.draw_count;
}

static bool view_store(view *shown) {
  view_report(shown);
  const int64_t row_bytes = (int64_t)shown->width * 4;
  uint8_t *pixels = malloc((size_t)shown->width * shown->height * 4);
  png_file png = {0};
  bool is_made = pixels != NULL && png_file_begin(&png, shown->width, shown->height);
  if (is_made) {
    framebuffer_read(&shown->target, pixels);
    png_file_add_rows(&png, pixels, shown->height, -row_bytes);
    is_made = png_file_end(&png);
  }
  free(pixels);
  if (is_made) {
    shown->outcome->png = png.bytes;
    shown->outcome->png_byte_count = png.byte_count;
    png.bytes = NULL;
  }
  png_file_free(&png);
  return is_made || view_fail(shown, VIEWER_NO_MEMORY, "out of memory");
}

static void view_close(view *shown) {
  if (shown->screen.context != NULL || view_has_window(shown)) {
    view_scene_close(&shown->scene);
    framebuffer_free(&shown->target);
    ui_draw_free(&shown->ui);
    passes_free(&shown->drawn);
  }
  free(shown->pending);
  shim_close();
  window_close(&shown->win);
  offscreen_close(&shown->screen);
}

void view_run(const void *pack_bytes, uint64_t byte_count, const view_options *options, viewer_outcome *outcome) {
  view *shown = calloc(1, sizeof *shown);
  memset(outcome, 0, sizeof *outcome);
  if (shown == NULL) {
    outcome->result = VIEWER_NO_MEMORY;
    return;
  }
  shown->options = options;
  shown->outcome = outcome;
  shown->width = options->width != 0 ? options->width : 1280;
  shown->height = options->height != 0 ? options->height : 800;
  if (view_open(shown, pack_bytes, byte_count)) {
    view_loop(shown);
    if (outcome->result == VIEWER_OK && options->frames > 0 && shown->frame > 0) view_store(shown);
  }
  view_close(shown);
  free(shown);
}
