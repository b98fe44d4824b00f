#include "samples/viewer/panel.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "samples/viewer/imgui_shim.h"
#include "samples/viewer/passes.h"

#define TEXT_BYTES 512
#define RED        0xFF7A6BFFu
#define GREY       0xA8ACB2FFu

void panel_distance(char *out, uint32_t capacity, double distance_m) {
  const double mm = distance_m * 1000;
  if (mm > 0 && mm < 0.001)
    snprintf(out, capacity, "%.1e mm", mm);
  else
    snprintf(out, capacity, mm >= 100 ? "%.0f mm" : mm >= 10 ? "%.1f mm" : mm >= 1 ? "%.2f mm" : "%.3f mm", mm);
}

/// The number of the character of four bytes at text; 0 when there is none.
static uint32_t panel_far_character(const unsigned char *text) {
  if (text[0] < 0xF0 || text[0] > 0xF4) return 0;
  for (int i = 1; i < 4; i++)
    if ((text[i] & 0xC0) != 0x80) return 0;
  return (uint32_t)(text[0] & 7) << 18 | (uint32_t)(text[1] & 63) << 12 | (uint32_t)(text[2] & 63) << 6 |
         (text[3] & 63u);
}

void panel_visible_name(char *out, uint32_t capacity, const char *name) {
  uint32_t used = 0;
  while (*name != 0 && used + 10 < capacity) {
    const unsigned char byte = (unsigned char)*name;
    const uint32_t far = panel_far_character((const unsigned char *)name);
    if (far != 0) {
      used += (uint32_t)snprintf(out + used, capacity - used, "U+%X", far);
      name += 4;
      continue;
    }
    if (byte >= 0x20 && byte != 0x7F)
      out[used++] = *name;
    else
      used += (uint32_t)snprintf(out + used, capacity - used, "\\x%02X", byte);
    name++;
  }
  out[used] = 0;
}

// -- Targets ---------------------------------------------------------------------------------------------------------

/// Does name have text in it? Letters of ASCII in either case.
static bool panel_finds(const char *name, const char *text) {
  const size_t length = strlen(text);
  for (; strlen(name) >= length; name++) {
    size_t i = 0;
    while (i < length && tolower((unsigned char)name[i]) == tolower((unsigned char)text[i])) i++;
    if (i == length) return true;
    if (*name == 0) return false;
  }
  return false;
}

static void panel_target(panel *choices, stage *shown, uint32_t instance, uint32_t c) {
  const mpak_pack *pack = &shown->pack;
  const mpak_mesh *mesh = &pack->meshes[pack->instances[instance].mesh];
  const mpak_control *control = &pack->controls[mesh->first_control + c];
  const char *name = stage_name(shown, control->name, control->key);
  char text[TEXT_BYTES];
  if (!panel_finds(name, choices->search)) return;
  panel_visible_name(text, sizeof text, name);
  float value = stage_weight(shown, instance, c);
  bool is_reset = false;
  const bool is_moved = shim_slider_row(instance << 16 | c, text, stage_is_given(shown, instance, c), &value,
                                        control->range_min, control->range_max, &is_reset);
  if (is_moved) stage_give_weight(shown, instance, c, value);
  if (is_reset) stage_give_weight(shown, instance, c, NAN);
  choices->has_changed |= is_moved || is_reset;
}

static void panel_targets(panel *choices, stage *shown) {
  const mpak_pack *pack = &shown->pack;
  char text[TEXT_BYTES];
  snprintf(text, sizeof text, "search among %u targets", pack->control_count);
  shim_search("##search", text, choices->search, sizeof choices->search);
  shim_begin_list("targets", -34);
  for (uint32_t i = 0; i < pack->instance_count; i++) {
    const uint32_t count = pack->meshes[pack->instances[i].mesh].control_count;
    const mpak_node *node = &pack->nodes[pack->instances[i].node];
    if (count == 0) continue;
    panel_visible_name(text, sizeof text, stage_name(shown, node->name, node->key));
    if (pack->instance_count > 1) shim_text_coloured(GREY, text);
    for (uint32_t c = 0; c < count; c++) panel_target(choices, shown, i, c);
  }
  shim_end_list();
  if (shim_button("all back")) {
    stage_give_back(shown);
    choices->has_changed = true;
  }
}

// -- Switches --------------------------------------------------------------------------------------------------------

static const char *panel_technique_name(void *user, uint32_t i) {
  static const char *const names[] = {"auto", "inline", "skin cache", "CPU"};
  (void)user;
  return names[i];
}

static const char *panel_lod_name(void *user, uint32_t i) {
  static const char *const names[] = {"0", "1", "2", "3", "4", "5", "6", "7"};
  (void)user;
  return i < 8 ? names[i] : "?";
}

static void panel_switches(panel *choices, const stage *shown) {
  const float half = PANEL_LEFT_PX / 2;
  shim_choice("technique", &choices->technique, 4, panel_technique_name, NULL);
  if (shim_choice("level of detail", &choices->lod, stage_lod_count(shown), panel_lod_name, NULL))
    choices->has_changed = true;
  shim_checkbox("wireframe", &choices->is_wireframe);
  shim_same_line(half);
  shim_checkbox("bounds", &choices->shows_bounds);
  shim_checkbox("normals", &choices->shows_normals);
  shim_same_line(half);
  shim_checkbox("as colour", &choices->colours_normals);
  shim_checkbox("displacement", &choices->shows_heat);
  shim_same_line(half);
  shim_checkbox("compare with CPU", &choices->compares);
  shim_checkbox("shadow", &choices->has_shadow);
  shim_same_line(half * 0.67f);
  shim_checkbox("ground", &choices->has_ground);
  shim_same_line(half * 1.3f);
  shim_checkbox("outline", &choices->has_outline);
}

// -- Clips -----------------------------------------------------------------------------------------------------------

typedef struct panel_clip_names {
  const stage *shown;
  uint32_t given_count;
  char text[TEXT_BYTES];
} panel_clip_names;

static const char *panel_clip_name(void *user, uint32_t i) {
  panel_clip_names *names = user;
  const mpak_pack *pack = &names->shown->pack;
  if (i == 0) return "no clip";
  if (i <= pack->clip_count)
    panel_visible_name(names->text, sizeof names->text,
                       stage_name(names->shown, pack->clips[i - 1].name, pack->clips[i - 1].key));
  else
    snprintf(names->text, sizeof names->text, "%u clips", names->given_count);
  return names->text;
}

static void panel_clips(panel *choices, const stage *shown) {
  panel_clip_names names = {.shown = shown, .given_count = choices->given_clip_count};
  const uint32_t count = 1 + shown->pack.clip_count + (choices->given_clip_count > 1);
  double start_s = 0, end_s = 0;
  char text[TEXT_BYTES];
  if (shim_choice("clip", &choices->clip, count, panel_clip_name, &names)) choices->has_changed = true;
  stage_time_range(shown, &start_s, &end_s);
  if (shown->clip_count == 0) {
    shim_text_coloured(GREY, shown->pack.clip_count > 0 ? "at rest" : "this model has no clips");
    return;
  }
  if (shim_button(choices->is_playing ? "pause" : "play ")) choices->is_playing = !choices->is_playing;
  shim_same_line(0);
  float time_s = (float)choices->time_s;
  snprintf(text, sizeof text, "%.3f of %.3f s", choices->time_s, end_s);
  if (shim_slider_wide("##time", &time_s, (float)start_s, (float)end_s, text)) {
    choices->time_s = (double)time_s;
    choices->is_playing = false;
    choices->has_changed = true;
  }
}

// -- Figures ---------------------------------------------------------------------------------------------------------

static void panel_number(const char *name, uint64_t value) {
  char text[32];
  snprintf(text, sizeof text, "%llu", (unsigned long long)value);
  shim_pair(name, text);
}

static void panel_time(const char *name, double time_ms) {
  char text[32];
  snprintf(text, sizeof text, time_ms >= 0 ? "%.3f ms" : "-", time_ms);
  shim_pair(name, text);
}

void panel_legend(float x, float y, float width, double top_m, bool has_middle) {
  const int steps = 120;
  for (int i = 0; i < steps; i++) {
    const float at = ((float)i + 0.5f) / (float)steps;
    float colour[3];
    heat_colour(at * at, colour);
    shim_draw_box(x + width * (float)i / (float)steps, y, width / (float)steps + 0.5f, 10,
                  (uint32_t)(colour[0] * 255) << 24 | (uint32_t)(colour[1] * 255) << 16 |
                      (uint32_t)(colour[2] * 255) << 8 | 255u);
  }
  for (int i = 0; i <= 2; i++) {
    char text[32] = "0";
    const float share = (float)i / 2;
    if (i == 1 && !has_middle) continue;
    if (i > 0) panel_distance(text, sizeof text, top_m * (double)(share * share));
    shim_draw_text(x + (width - shim_text_width(text, (uint32_t)strlen(text))) * share, y + 12, GREY, text);
  }
}

static void panel_figures(const panel_facts *facts) {
  char text[64];
  shim_pair("technique", facts->technique_name);
  panel_number("vertices", facts->vertex_count);
  panel_number("triangles, all passes", facts->triangle_count);
  panel_number("draws", facts->draw_count);
  shim_separator();
  panel_number("dispatches", facts->dispatch_count);
  panel_number("barriers", facts->barrier_count);
  panel_number("weight uploads", facts->weight_upload_count);
  panel_number("palette uploads", facts->palette_upload_count);
  snprintf(text, sizeof text, facts->upload_bytes < 1000000 ? "%.1f kB" : "%.1f MB",
           (double)facts->upload_bytes / (facts->upload_bytes < 1000000 ? 1e3 : 1e6));
  shim_pair("uploaded", text);
  shim_separator();
  panel_time("shadow", facts->pass_ms[0]);
  panel_time("forward", facts->pass_ms[1]);
  panel_time("outline", facts->pass_ms[2]);
  panel_time("deform", facts->deform_ms);
  shim_separator();
  if (facts->difference_m >= 0)
    panel_distance(text, sizeof text, facts->difference_m);
  else
    snprintf(text, sizeof text, "-");
  shim_pair("GPU against CPU", text);
}

void panel_draw(panel *choices, stage *shown, const panel_facts *facts, float width, float height) {
  char text[TEXT_BYTES];
  shim_begin_panel("left", 0, 0, PANEL_LEFT_PX, height);
  panel_visible_name(text, sizeof text, facts->file);
  shim_text_wrapped(0xFFFFFFFFu, text);
  shim_separator();
  panel_switches(choices, shown);
  shim_separator();
  if (shown->pack.control_count > 0)
    panel_targets(choices, shown);
  else
    shim_text_coloured(GREY, "no morph targets");
  shim_end_panel();

  const float right = width - PANEL_RIGHT_PX;
  shim_begin_panel("right", right, 0, PANEL_RIGHT_PX, height);
  choices->wants_reset_view = shim_button("reset view");
  shim_same_line(0);
  choices->wants_reload = shim_button("reload");
  shim_separator();
  panel_figures(facts);
  if (facts->message[0] != 0) {
    shim_separator();
    shim_text_wrapped(facts->is_error ? RED : GREY, facts->message);
  }
  shim_end_panel();
  if (facts->heat_top_m > 0) panel_legend(PANEL_LEFT_PX + 16, 12, 220, facts->heat_top_m, false);

  shim_begin_panel("clips", PANEL_LEFT_PX, height - PANEL_BOTTOM_PX, right - PANEL_LEFT_PX, PANEL_BOTTOM_PX);
  panel_clips(choices, shown);
  shim_end_panel();
}
