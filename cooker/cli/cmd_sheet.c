// mpak sheet FILE [-o OUT.png] [--columns N] [--cell N] [--clip-frames N] [--lod N]: a contact sheet.
//
// FILE is a pack, or a model, which is cooked in memory with cook's options. The first cell shows it at rest, then
// every morph target at weight 1 (or as near as its range allows), coloured by how far it moves each vertex, then
// frames of each clip from its first to its last moment. All cells of a kind have the same camera. Needs OpenGL 4.3
// through EGL, no display.
//
// Exit status: 0; 3 without OpenGL; else as cook (models) or 5 (packs).
#include <string.h>

#include "cooker/cli/commands.h"
#include "cooker/cli/console.h"
#include "cooker/cli/view_source.h"
#include "cooker/cli/written.h"

static void sheet_release(void *user) { viewer_outcome_free(user); }

int cmd_sheet(cook_job *job, const cli_arguments *arguments) {
  const char *path = arguments->inputs.items[0], *slash = strrchr(path, '/');
  const char *output = arguments->output != NULL ? arguments->output : written_with_suffix(job, path, ".png");
  view_source_check(job, arguments, output);
  const view_source source = view_source_open(job, arguments, path);
  const sheet_options options = {.title = slash != NULL ? slash + 1 : path,
                                 .columns = arguments->columns,
                                 .cell_px = arguments->cell_px,
                                 .clip_frames = arguments->clip_frames,
                                 .lod = cli_lod(arguments)};
  viewer_outcome *outcome = JOB_ARRAY(job, viewer_outcome, 1);
  job_defer(job, sheet_release, outcome);
  sheet_make(source.bytes, source.byte_count, &options, outcome);
  view_source_fail(job, outcome);
  view_source_warn(job, outcome);
  job_stop_on_errors(job); // --werror: nothing is written
  console_write_output(job, output, outcome->png, outcome->png_byte_count);
  return 0;
}
