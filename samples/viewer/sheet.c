// sheet.c: the contact sheet: one cell for each target and for each frame of a clip, drawn row by row.
#include <glad/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "samples/viewer/draw_list.h"
#include "samples/viewer/font_file.h"
#include "samples/viewer/offscreen.h"
#include "samples/viewer/panel.h"
#include "samples/viewer/png_file.h"
#include "samples/viewer/ui_draw.h"
#include "samples/viewer/viewer.h"

#define SHEET_GAP     8u
#define SHEET_FONT_PX 15.0f
#define SHEET_MOST_PX 16384u
#define LABEL_BYTES   512
#define WHITE         0xF2F2F2FFu
#define GREY          0xA8ACB2FFu
#define AMBER         0xFFC45AFFu
#define BACKGROUND    0x16181BFFu

typedef enum cell_kind { CELL_REST, CELL_TARGET, CELL_FRAME } cell_kind;

typedef struct sheet_cell {
  cell_kind kind;
  uint32_t instance, control; ///< of a target
  uint32_t clip;              ///< of a frame
  double time_s;
} sheet_cell;

typedef struct sheet {
  const sheet_options *options;
  viewer_outcome *outcome;
  offscreen screen;
  stage shown;
  draw_list list;
  passes drawn;
  ui_draw ui;
  framebuffer target;
  png_file png;
  sheet_cell *cells;
  uint32_t cell_count, columns;
  uint32_t cell_px, label_px, head_px, width, row_height;
  view_axes axes;                 ///< of all cells' cameras
  view_box target_box, frame_box; ///< along them: what the cameras of the two kinds of cells hold
  view_box scene_box;             ///< of what casts shadows, in the world
  float top_m;                    ///< of the colours
  uint8_t *pixels;
} sheet;

static bool sheet_fail(sheet *made, viewer_result result, const char *text) {
  made->outcome->result = result;
  snprintf(made->outcome->text, sizeof made->outcome->text, "%s", text);
  return false;
}

// -- Cells -----------------------------------------------------------------------------------------------------------

/// Is an earlier instance of the same mesh already on the sheet?
static bool sheet_has_mesh(const mpak_pack *pack, uint32_t instance) {
  for (uint32_t i = 0; i < instance; i++)
    if (pack->instances[i].mesh == pack->instances[instance].mesh) return true;
  return false;
}

static void sheet_add_targets(sheet *made, uint32_t instance) {
  const mpak_pack *pack = &made->shown.pack;
  if (sheet_has_mesh(pack, instance)) return;
  for (uint32_t c = 0; c < pack->meshes[pack->instances[instance].mesh].control_count; c++)
    made->cells[made->cell_count++] = (sheet_cell){.kind = CELL_TARGET, .instance = instance, .control = c};
}

static void sheet_add_frames(sheet *made, uint32_t clip, uint32_t frame_count) {
  const mpak_clip *record = &made->shown.pack.clips[clip];
  const double start_s = (double)record->start_s, length_s = (double)record->end_s - start_s;
  for (uint32_t f = 0; f < frame_count; f++) {
    const double share = frame_count > 1 ? (double)f / (frame_count - 1) : 0;
    made->cells[made->cell_count++] =
        (sheet_cell){.kind = CELL_FRAME, .clip = clip, .time_s = start_s + length_s * share};
  }
}

static bool sheet_list_cells(sheet *made) {
  const mpak_pack *pack = &made->shown.pack;
  const uint32_t frames = made->options->clip_frames != 0 ? made->options->clip_frames : 4;
  uint64_t count = 1 + (uint64_t)pack->control_count + (uint64_t)pack->clip_count * frames;
  made->cells = calloc((size_t)count, sizeof *made->cells);
  if (made->cells == NULL) return sheet_fail(made, VIEWER_NO_MEMORY, "out of memory");
  made->cells[made->cell_count++] = (sheet_cell){.kind = CELL_REST};
  for (uint32_t i = 0; i < pack->instance_count; i++) sheet_add_targets(made, i);
  for (uint32_t c = 0; c < pack->clip_count; c++) sheet_add_frames(made, c, frames);
  return true;
}

/// The weight at which a target is shown: 1, or as near as its range lets it.
static float sheet_weight(const sheet *made, const sheet_cell *cell) {
  const mpak_pack *pack = &made->shown.pack;
  const mpak_mesh *mesh = &pack->meshes[pack->instances[cell->instance].mesh];
  const mpak_control *control = &pack->controls[mesh->first_control + cell->control];
  return fminf(fmaxf(1, control->range_min), control->range_max);
}

/// Puts the stage into the pose of a cell: frames as clips have them, everything else at rest with all other weights 0.
static void sheet_pose(sheet *made, const sheet_cell *cell) {
  const mpak_pack *pack = &made->shown.pack;
  stage_give_back(&made->shown);
  made->shown.clips = &cell->clip;
  made->shown.clip_count = cell->kind == CELL_FRAME;
  made->shown.time_s = cell->time_s;
  for (uint32_t i = 0; cell->kind == CELL_TARGET && i < pack->instance_count; i++) {
    const bool is_same = pack->instances[i].mesh == pack->instances[cell->instance].mesh;
    for (uint32_t c = 0; c < pack->meshes[pack->instances[i].mesh].control_count; c++)
      stage_give_weight(&made->shown, i, c, is_same && c == cell->control ? sheet_weight(made, cell) : 0);
  }
  stage_pose(&made->shown);
}

// -- Measuring: what the cameras must hold, and how far targets move --------------------------------------------------

/// Adds the vertices that the pose's shapes move; returns the largest distance.
static float sheet_add_moved(sheet *made, view_box *moved) {
  float top_m = 0;
  for (uint32_t i = 0; i < made->shown.hero->output_count; i++) {
    const mpak_character_output *output = &made->shown.hero->outputs[i];
    if (!stage_shows(&made->shown, i) || made->shown.pack.parts[output->part].shape_count == 0) continue;
    const float largest_m = stage_displacements(&made->shown, i, made->list.distances_m);
    if (largest_m > top_m) top_m = largest_m;
    for (uint32_t v = 0; v < made->shown.pack.parts[output->part].vertex_count; v++) {
      float point[3];
      axes_from_world(&made->axes, output->vertices[v].position, point);
      if (made->list.distances_m[v] > largest_m * 0.02f) box_add(moved, point);
    }
  }
  return top_m;
}

/// Widens what targets move by a margin, but not beyond the whole.
static void sheet_frame_targets(sheet *made, const view_box *moved, const view_box *whole) {
  const float margin = box_is_empty(moved) ? 0 : 0.35f * box_largest_side(moved);
  made->target_box = box_is_empty(moved) ? *whole : *moved;
  for (int i = 0; i < 3 && !box_is_empty(moved); i++) {
    made->target_box.min[i] = fmaxf(moved->min[i] - margin, whole->min[i]);
    made->target_box.max[i] = fminf(moved->max[i] + margin, whole->max[i]);
  }
}

static void sheet_measure(sheet *made) {
  view_box moved = box_empty(), whole = box_empty();
  made->axes = camera_axes(CAMERA_THREE_QUARTER);
  made->frame_box = made->scene_box = box_empty();
  for (uint32_t i = 0; i < made->cell_count; i++) {
    sheet_pose(made, &made->cells[i]);
    const view_box box = stage_box(&made->shown, &made->axes), world = stage_box(&made->shown, NULL);
    if (made->cells[i].kind != CELL_FRAME) box_join(&whole, &box);
    if (made->cells[i].kind != CELL_TARGET) box_join(&made->frame_box, &box);
    if (made->cells[i].kind != CELL_TARGET) box_join(&made->scene_box, &world);
    if (made->cells[i].kind == CELL_TARGET) made->top_m = fmaxf(made->top_m, sheet_add_moved(made, &moved));
  }
  sheet_frame_targets(made, &moved, &whole);
}

// -- Labels ----------------------------------------------------------------------------------------------------------

/// Bytes of the UTF-8 character at text.
static uint32_t label_step(const char *text) {
  uint32_t length = 1;
  while ((text[length] & 0xC0) == 0x80) length++;
  return length;
}

/// May a line end behind used bytes? After a blank, an underline, a dot or a hyphen, and before the capitals of
/// camelCase.
static bool label_breaks(const char *text, uint32_t used) {
  const char before = text[used - 1], after = text[used];
  return strchr(" _.-", before) != NULL || (before >= 'a' && before <= 'z' && after >= 'A' && after <= 'Z');
}

/// The bytes of text that fit into a width, at least one character, up to the last place to break if there is any.
static uint32_t label_fit(const char *text, float width) {
  const uint32_t whole = (uint32_t)strlen(text);
  if (shim_text_width(text, whole) <= width) return whole;
  uint32_t used = label_step(text), place = 0;
  while (used < whole && shim_text_width(text, used + label_step(text + used)) <= width) {
    used += label_step(text + used);
    if (label_breaks(text, used)) place = used;
  }
  return place != 0 ? place : used;
}

/// The longest end of text that fits into a width: names of one family differ at their ends.
static const char *label_end(const char *text, float width) {
  while (*text != 0 && shim_text_width(text, (uint32_t)strlen(text)) > width) text += label_step(text);
  return text;
}

/// Draws text in at most line_count lines; where it needs more, the last one is its end behind an ellipsis. Returns the
/// lines used.
static uint32_t label_draw(float x, float y, float width, uint32_t line_count, shim_colour colour, const char *text) {
  static const char ellipsis[] = "\xE2\x80\xA6";
  char line[LABEL_BYTES + 8];
  uint32_t used = 0;
  for (; used < line_count && *text != 0; used++) {
    const uint32_t length = label_fit(text, width);
    const bool is_cut = used + 1 == line_count && text[length] != 0;
    if (is_cut)
      snprintf(line, sizeof line, "%s%s", ellipsis, label_end(text, width - shim_text_width(ellipsis, 3)));
    else
      snprintf(line, sizeof line, "%.*s", (int)length, text);
    shim_draw_text(x, y + (float)used * shim_line_height(), colour, line);
    text += length;
  }
  return used;
}

static const char *sheet_cell_name(const sheet *made, const sheet_cell *cell) {
  const mpak_pack *pack = &made->shown.pack;
  if (cell->kind == CELL_REST) return "rest";
  if (cell->kind == CELL_FRAME)
    return stage_name(&made->shown, pack->clips[cell->clip].name, pack->clips[cell->clip].key);
  const mpak_mesh *mesh = &pack->meshes[pack->instances[cell->instance].mesh];
  const mpak_control *control = &pack->controls[mesh->first_control + cell->control];
  return stage_name(&made->shown, control->name, control->key);
}

/// The second text of a cell: how far a target moves, when a frame is, and which mesh if there are several.
static void sheet_cell_note(const sheet *made, const sheet_cell *cell, float largest_m, char *out, size_t capacity) {
  const mpak_pack *pack = &made->shown.pack;
  out[0] = 0;
  if (cell->kind == CELL_FRAME) snprintf(out, capacity, "clip, %.3f s", cell->time_s);
  if (cell->kind != CELL_TARGET) return;
  char distance[32];
  panel_distance(distance, sizeof distance, (double)largest_m);
  const float weight = sheet_weight(made, cell);
  const mpak_mesh *mesh = &pack->meshes[pack->instances[cell->instance].mesh];
  const char *name = pack->mesh_count > 1 ? stage_name(&made->shown, mesh->name, mesh->key) : "";
  if (weight == 1)
    snprintf(out, capacity, "%s%s%s", largest_m > 0 ? distance : "moves nothing", name[0] != 0 ? ", " : "", name);
  else
    snprintf(out, capacity, "%s at weight %g%s%s", distance, (double)weight, name[0] != 0 ? ", " : "", name);
}

// -- Drawing ---------------------------------------------------------------------------------------------------------

static pass_area sheet_cell_area(const sheet *made, uint32_t column) {
  return (pass_area){.x = (int32_t)(SHEET_GAP + column * (made->cell_px + SHEET_GAP)),
                     .y = (int32_t)made->label_px,
                     .width = made->cell_px,
                     .height = made->cell_px};
}

static void sheet_draw_cell(sheet *made, const sheet_cell *cell, uint32_t column) {
  const pass_area area = sheet_cell_area(made, column);
  sheet_pose(made, cell);
  draw_list_update(&made->list);
  made->list.largest_m = 0;
  if (cell->kind == CELL_TARGET) draw_list_heat(&made->list);
  const view_box *box = cell->kind == CELL_TARGET ? &made->target_box : &made->frame_box;
  const camera from = camera_for_box(box, CAMERA_THREE_QUARTER, 1);
  const camera_view view = camera_look(&from, 1);
  const pass_options options = {.has_shadow = cell->kind != CELL_TARGET,
                                .has_ground = cell->kind != CELL_TARGET,
                                .heat_top_m = cell->kind == CELL_TARGET ? fmaxf(made->top_m, 1e-9f) : 0,
                                .backdrop = {0.17f, 0.18f, 0.20f},
                                .scene = made->scene_box};
  passes_draw(&made->drawn, &made->target, &area, &view, made->list.items, made->list.item_count, &options);
}

static void sheet_draw_label(sheet *made, const sheet_cell *cell, uint32_t column, float largest_m) {
  char name[LABEL_BYTES], note[LABEL_BYTES], copy[LABEL_BYTES];
  const float x = (float)(SHEET_GAP + column * (made->cell_px + SHEET_GAP)), width = (float)made->cell_px;
  const float y = (float)made->cell_px + 3;
  panel_visible_name(name, sizeof name, sheet_cell_name(made, cell));
  sheet_cell_note(made, cell, largest_m, copy, sizeof copy);
  panel_visible_name(note, sizeof note, copy);
  const uint32_t lines = label_draw(x, y, width, 2, cell->kind == CELL_FRAME ? AMBER : WHITE, name);
  label_draw(x, y + (float)lines * shim_line_height(), width, 1, GREY, note);
}

static void sheet_begin_text(const sheet *made, uint32_t height) {
  const shim_input input = {.width = (float)made->width, .height = (float)height, .dt_s = 1 / 60.0f, .mouse = {-1, -1}};
  shim_begin_frame(&input);
}

/// Takes a strip of the picture, height pixels from the top of the framebuffer, into the PNG.
static void sheet_store(sheet *made, uint32_t height) {
  const int64_t row_bytes = (int64_t)made->width * 4;
  framebuffer_read(&made->target, made->pixels);
  const uint8_t *first = made->pixels + row_bytes * (int64_t)(made->target.height - height);
  png_file_add_rows(&made->png, first, height, -row_bytes);
}

static void sheet_clear(const sheet *made) {
  framebuffer_bind(&made->target);
  glClearColor((BACKGROUND >> 24) / 255.0f, (BACKGROUND >> 16 & 255) / 255.0f, (BACKGROUND >> 8 & 255) / 255.0f, 1);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

static void sheet_draw_head(sheet *made) {
  char text[LABEL_BYTES], title[LABEL_BYTES];
  const mpak_pack *pack = &made->shown.pack;
  const bool has_targets = pack->control_count > 0 && made->top_m > 0;
  const float legend = has_targets ? fminf(320, (float)made->width * 0.45f) : 0;
  const float room = (float)(made->width - 3 * SHEET_GAP) - legend;
  sheet_clear(made);
  framebuffer_merge(&made->target);
  sheet_begin_text(made, made->target.height);
  panel_visible_name(title, sizeof title, made->options->title);
  label_draw(SHEET_GAP, 6, room, 1, WHITE, title);
  snprintf(text, sizeof text, "%u target%s, %u clip%s", pack->control_count, pack->control_count == 1 ? "" : "s",
           pack->clip_count, pack->clip_count == 1 ? "" : "s");
  label_draw(SHEET_GAP, 6 + shim_line_height() * 1.2f, room, 1, GREY, text);
  if (has_targets) panel_legend((float)(made->width - SHEET_GAP) - legend, 8, legend, (double)made->top_m, true);
  shim_end_frame();
  ui_draw_frame(&made->ui, made->width, made->target.height);
  sheet_store(made, made->head_px);
}

static void sheet_draw_row(sheet *made, uint32_t first) {
  float largest_m[64] = {0};
  const uint32_t left = made->cell_count - first, count = left < made->columns ? left : made->columns;
  sheet_clear(made);
  for (uint32_t i = 0; i < count; i++) {
    sheet_draw_cell(made, &made->cells[first + i], i);
    largest_m[i] = made->list.largest_m;
  }
  framebuffer_merge(&made->target);
  sheet_begin_text(made, made->row_height);
  for (uint32_t i = 0; i < count; i++) sheet_draw_label(made, &made->cells[first + i], i, largest_m[i]);
  shim_end_frame();
  ui_draw_frame(&made->ui, made->width, made->row_height);
  sheet_store(made, made->row_height);
}

// -- The whole -------------------------------------------------------------------------------------------------------

/// Does any name need two lines?
static bool sheet_has_long_name(const sheet *made) {
  char name[LABEL_BYTES];
  for (uint32_t i = 0; i < made->cell_count; i++) {
    panel_visible_name(name, sizeof name, sheet_cell_name(made, &made->cells[i]));
    if (name[label_fit(name, (float)made->cell_px)] != 0) return true;
  }
  return false;
}

static void sheet_lay_out(sheet *made) {
  const sheet_options *options = made->options;
  const uint32_t line = (uint32_t)(SHEET_FONT_PX + 1);
  made->columns = options->columns;
  if (made->columns == 0) {
    made->columns = (uint32_t)ceilf(sqrtf((float)made->cell_count * 1.5f));
    if (made->columns < 4) made->columns = 4;
    if (made->columns > 10) made->columns = 10;
  }
  made->cell_px = options->cell_px != 0 ? options->cell_px : 180;
  made->label_px = (sheet_has_long_name(made) ? 3 : 2) * line + SHEET_GAP + 3;
  made->head_px = 3 * line;
  made->row_height = made->cell_px + made->label_px;
  made->width = SHEET_GAP + made->columns * (made->cell_px + SHEET_GAP);
}

/// All names of the pack, for the font.
static bool sheet_make_font(sheet *made) {
  const mpak_pack *pack = &made->shown.pack;
  const char *file = font_file_find();
  const char **texts = calloc((size_t)made->cell_count + pack->mesh_count + 1, sizeof *texts);
  uint32_t count = 0;
  shim_atlas atlas;
  if (texts == NULL) return sheet_fail(made, VIEWER_NO_MEMORY, "out of memory");
  for (uint32_t i = 0; i < made->cell_count; i++) texts[count++] = sheet_cell_name(made, &made->cells[i]);
  for (uint32_t m = 0; m < pack->mesh_count; m++)
    texts[count++] = stage_name(&made->shown, pack->meshes[m].name, pack->meshes[m].key);
  texts[count++] = made->options->title;
  shim_make_font(file, SHEET_FONT_PX, texts, count, &atlas);
  made->outcome->lacks_font = file == NULL;
  for (uint32_t i = 0; i < count; i++)
    if (!shim_has_glyphs(texts[i])) made->outcome->lacks_glyphs = true;
  free(texts);
  ui_draw_set_font(&made->ui, &atlas);
  return true;
}

static bool sheet_open(sheet *made, const void *pack_bytes, uint64_t byte_count) {
  const char *reason = "";
  mpak_fault fault = {0};
  if (!offscreen_open(&made->screen, &reason)) return sheet_fail(made, VIEWER_NO_GL, reason);
  const mpak_result result = stage_open(&made->shown, stage_copy_bytes(pack_bytes, byte_count), &fault);
  if (result != MPAK_OK)
    return sheet_fail(made, result == MPAK_ERROR_OUT_OF_MEMORY ? VIEWER_NO_MEMORY : VIEWER_BAD_PACK,
                      mpak_result_name(result));
  made->shown.hero->lod = made->options->lod;
  if (!shim_open()) return sheet_fail(made, VIEWER_NO_MEMORY, "out of memory");
  // The CPU's vertices are the same on every machine; only their drawing is the driver's.
  const draw_device device = {offscreen_get_function, &made->screen, MPAK_GL_CPU};
  if (draw_list_open(&made->list, &made->shown, &device, &reason) != MPAK_OK)
    return sheet_fail(made, VIEWER_NO_GL, reason);
  if (!passes_make(&made->drawn, &reason) || !ui_draw_make(&made->ui, &reason))
    return sheet_fail(made, VIEWER_NO_GL, reason);
  return sheet_list_cells(made) && sheet_make_font(made);
}

static bool sheet_draw(sheet *made) {
  sheet_measure(made);
  sheet_begin_text(made, 1); // text is measured in a frame
  sheet_lay_out(made);
  shim_end_frame();
  const uint64_t rows = (made->cell_count + made->columns - 1) / made->columns;
  const uint64_t height = made->head_px + rows * made->row_height;
  if (made->width > SHEET_MOST_PX || height > 0x7FFFFFFF ||
      !framebuffer_make(&made->target, made->width, made->row_height, 4))
    return sheet_fail(made, VIEWER_NO_MEMORY, "the sheet is too large: fewer columns or smaller cells");
  made->pixels = malloc((size_t)made->width * made->row_height * 4);
  if (made->pixels == NULL || !png_file_begin(&made->png, made->width, (uint32_t)height))
    return sheet_fail(made, VIEWER_NO_MEMORY, "out of memory");
  sheet_draw_head(made);
  for (uint32_t first = 0; first < made->cell_count; first += made->columns) sheet_draw_row(made, first);
  if (!png_file_end(&made->png)) return sheet_fail(made, VIEWER_NO_MEMORY, "out of memory");
  made->outcome->png = made->png.bytes;
  made->outcome->png_byte_count = made->png.byte_count;
  made->png.bytes = NULL;
  return true;
}

static void sheet_close(sheet *made) {
  png_file_free(&made->png);
  free(made->pixels);
  free(made->cells);
  if (made->screen.context != NULL) {
    framebuffer_free(&made->target);
    ui_draw_free(&made->ui);
    passes_free(&made->drawn);
    draw_list_close(&made->list);
  }
  shim_close();
  stage_close(&made->shown);
  offscreen_close(&made->screen);
}

void sheet_make(const void *pack_bytes, uint64_t byte_count, const sheet_options *options, viewer_outcome *outcome) {
  sheet made = {.options = options, .outcome = outcome};
  memset(outcome, 0, sizeof *outcome);
  if (sheet_open(&made, pack_bytes, byte_count)) sheet_draw(&made);
  sheet_close(&made);
}

void viewer_outcome_free(viewer_outcome *outcome) {
  free(outcome->png);
  memset(outcome, 0, sizeof *outcome);
}
