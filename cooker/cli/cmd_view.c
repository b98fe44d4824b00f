// mpak view FILE [--clip NAME]… [--time S] [--weight [NODE/]NAME=V]… [--frames N --out FILE.png] [options]
//
// FILE is a pack, or a model, which is cooked in memory with cook's options. The window shows it with sliders for its
// morph targets, its clips, levels of detail and figures. It is read and cooked again whenever it changes; a file that
// is dropped on the window takes its place. What is wrong with a file is then told in the window, and what was shown
// stays. With --frames N and --out FILE, N frames of 1/60 s are drawn without a display, and the last is written as a
// PNG; times are left out of it, so that it is the same on every run.
//
// Exit status: 0; 2 for an unknown clip or target; 3 without OpenGL or a display; else as cook (models) or 5 (packs).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cooker/cli/commands.h"
#include "cooker/cli/console.h"
#include "cooker/cli/eval.h"
#include "cooker/cli/view_source.h"
#include "cooker/report/issue_report.h"

// -- The command line ------------------------------------------------------------------------------------------------

/// Sets a flag for a word of --show or --hide.
static void view_take_word(cook_job *job, const char *option, const char *word, const char *const *names,
                           bool *const *flags, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (strcmp(word, names[i]) != 0) continue;
    *flags[i] = true;
    return;
  }
  cli_fail(job, MPAK_U004, word, job_format(job, "%s%s", option, cli_suggest(job, word, names, count)));
}

static void view_take_words(cook_job *job, const cli_arguments *arguments, view_options *options) {
  static const char *const shown[] = {"wireframe", "bounds", "normals", "normal-colours", "heat"};
  static const char *const hidden[] = {"ui", "shadow", "ground", "outline"};
  bool *const show_flags[] = {&options->is_wireframe, &options->shows_bounds, &options->shows_normals,
                              &options->colours_normals, &options->shows_heat};
  bool *const hide_flags[] = {&options->without_ui, &options->without_shadow, &options->without_ground,
                              &options->without_outline};
  for (uint32_t i = 0; i < arguments->shown.count; i++)
    view_take_word(job, "--show", arguments->shown.items[i], shown, show_flags, 5);
  for (uint32_t i = 0; i < arguments->hidden.count; i++)
    view_take_word(job, "--hide", arguments->hidden.items[i], hidden, hide_flags, 4);
}

/// "1280x800".
static void view_take_size(cook_job *job, const cli_arguments *arguments, view_options *options) {
  unsigned width = 0, height = 0;
  char rest = 0;
  if (arguments->size_px == NULL) return;
  if (sscanf(arguments->size_px, "%5ux%5u%c", &width, &height, &rest) != 2 || width < 64 || width > 8192 ||
      height < 64 || height > 8192)
    cli_fail(job, MPAK_U004, arguments->size_px, "--size, which takes WxH, each from 64 to 8192 pixels");
  options->width = width;
  options->height = height;
}

static uint32_t view_collect_weights(const mpak_pose *pose, view_weight *weights) {
  const mpak_pack *pack = pose->pack;
  uint32_t count = 0;
  for (uint32_t i = 0; i < pack->instance_count; i++)
    for (uint32_t c = 0; c < pack->meshes[pack->instances[i].mesh].control_count; c++) {
      const float weight = pose->weights[pose->first_weight[i] + c];
      if (isnan(weight)) continue;
      if (weights != NULL) weights[count] = (view_weight){i, c, weight};
      count++;
    }
  return count;
}

/// The weights that --weight sets: those of a pose without numbers that are numbers afterwards.
static void view_take_weights(eval_scene *scene, view_options *options) {
  mpak_pose *pose = &scene->cpu_pose;
  const mpak_pack *pack = &scene->file.pack;
  for (uint32_t i = 0; i < pack->instance_count; i++)
    for (uint32_t c = 0; c < pack->meshes[pack->instances[i].mesh].control_count; c++)
      pose->weights[pose->first_weight[i] + c] = NAN;
  eval_apply_weights(scene);
  options->weight_count = view_collect_weights(pose, NULL);
  view_weight *weights = JOB_ARRAY(scene->job, view_weight, options->weight_count);
  view_collect_weights(pose, weights);
  options->weights = weights;
}

/// Clips, time and weights as eval reads them.
static void view_take_pose(cook_job *job, const cli_arguments *arguments, const view_source *source,
                           view_options *options) {
  cli_arguments *on_cpu = job_copy(job, arguments, sizeof *arguments);
  const mpak_pack *pack = &source->file.pack;
  eval_scene scene = {.job = job, .arguments = on_cpu, .file = source->file};
  const uint64_t pose_bytes = mpak_pose_bytes(pack);
  on_cpu->backend = EVAL_BACKEND_CPU;
  on_cpu->clip_files.count = 0; // cooking has added them
  mpak_pose_init(pack, job_alloc(job, pose_bytes, 1), pose_bytes, &scene.cpu_pose);
  eval_open_sets(&scene, true);
  eval_select_clips(&scene);
  uint32_t *clips = JOB_ARRAY(job, uint32_t, scene.clip_count);
  for (uint32_t i = 0; i < scene.clip_count; i++) clips[i] = scene.clips[i].number;
  options->clips = clips;
  options->clip_count = scene.clip_count;
  options->has_time = arguments->time.is_given;
  options->time_s = scene.time_s;
  view_take_weights(&scene, options);
}

// -- Loading for the window ------------------------------------------------------------------------------------------

typedef struct view_load {
  const cli_arguments *arguments;
  const char *path;
  view_loaded *loaded;
} view_load;

static void view_load_step(cook_job *job, void *user) {
  view_load *load = user;
  cli_apply_severities(job, job, load->arguments);
  const view_source source = view_source_open(job, load->arguments, load->path);
  job_stop_on_errors(job);
  void *bytes = malloc((size_t)source.byte_count + 1);
  if (bytes == NULL) return;
  memcpy(bytes, source.bytes, (size_t)source.byte_count);
  load->loaded->bytes = bytes;
  load->loaded->byte_count = source.byte_count;
}

static void view_text_step(cook_job *job, void *user) {
  view_load *load = user;
  text_out text;
  text_begin(&text, job);
  report_issues_text(&text, job, (report_style){.is_quiet = true});
  if (text.used > 0) snprintf(load->loaded->text, sizeof load->loaded->text, "%s", text.bytes);
}

/// A job of its own for each file: whatever is wrong with it becomes a text.
static void view_load_file(void *user, const char *path, view_loaded *loaded) {
  view_load load = {.arguments = user, .path = path, .loaded = loaded};
  cook_job *job = job_begin(NULL, NULL);
  snprintf(loaded->text, sizeof loaded->text, "out of memory");
  if (job == NULL) return;
  if (job_run(job, view_load_step, &load)) loaded->text[0] = 0;
  if (!job_run(job, view_text_step, &load)) snprintf(loaded->text, sizeof loaded->text, "out of memory");
  job_end(job);
}

// -- The verb --------------------------------------------------------------------------------------------------------

static void view_release(void *user) { viewer_outcome_free(user); }

static void view_check_options(cook_job *job, const cli_arguments *arguments) {
  if (arguments->frames != 0 && arguments->output == NULL) cli_fail(job, MPAK_U011, "--frames", "--out FILE");
  if (arguments->frames == 0 && arguments->output != NULL) cli_fail(job, MPAK_U011, "--out", "--frames N");
  if (arguments->frames == 0 && arguments->pass != 0) cli_fail(job, MPAK_U011, "--pass", "--frames N");
}

/// One line: what is not in the picture, or only there.
static void view_put_summary(cook_job *job, const cli_arguments *arguments, const viewer_outcome *outcome) {
  text_out text;
  if (arguments->is_quiet) return;
  text_begin(&text, job);
  text_put_escaped(&text, arguments->output, false);
  text_printf(&text, ": technique %s, %llu dispatches, %llu barriers, %llu triangles in %llu draws", outcome->technique,
              (unsigned long long)outcome->dispatch_count, (unsigned long long)outcome->barrier_count,
              (unsigned long long)outcome->triangle_count, (unsigned long long)outcome->draw_count);
  if (outcome->difference_m >= 0) text_printf(&text, ", GPU against CPU %.2e m", outcome->difference_m);
  text_put_char(&text, '\n');
  console_write(job, text.bytes, text.used);
}

int cmd_view(cook_job *job, const cli_arguments *arguments) {
  cli_arguments *mine = job_copy(job, arguments, sizeof *arguments);
  view_options options = {.path = arguments->inputs.items[0],
                          .load = view_load_file,
                          .load_user = mine,
                          .lod = cli_lod(arguments),
                          .technique = arguments->technique,
                          .frames = arguments->frames,
                          .needs_window = arguments->wants_window,
                          .side = arguments->camera_side,
                          .pass = arguments->pass};
  view_check_options(job, arguments);
  view_take_words(job, arguments, &options);
  view_take_size(job, arguments, &options);
  view_source_check(job, arguments, arguments->output);
  view_read_time(options.path, &options.file_time_ns, &options.file_bytes);
  const view_source source = view_source_open(job, arguments, options.path);
  view_take_pose(job, arguments, &source, &options);
  viewer_outcome *outcome = JOB_ARRAY(job, viewer_outcome, 1);
  job_defer(job, view_release, outcome);
  view_run(source.bytes, source.byte_count, &options, outcome);
  view_source_fail(job, outcome);
  view_source_warn(job, outcome);
  job_stop_on_errors(job); // --werror: nothing is written
  if (arguments->output != NULL) console_write_output(job, arguments->output, outcome->png, outcome->png_byte_count);
  if (arguments->output != NULL && !console_is_stdout(arguments->output)) view_put_summary(job, arguments, outcome);
  return 0;
}
