/// panel.h: what the viewer's window shows beside the picture: names with sliders, clips, switches, figures.
#ifndef PANEL_H
#define PANEL_H

#include "samples/viewer/stage.h"

#define PANEL_LEFT_PX   330.0f ///< width of the left column
#define PANEL_RIGHT_PX  250.0f ///< width of the right column
#define PANEL_BOTTOM_PX 66.0f  ///< height of the clips' bar
#define PANEL_FONT_PX   16.0f

/// What the user chose.
typedef struct panel {
  char search[128];
  bool is_wireframe, shows_bounds, shows_normals, colours_normals, shows_heat, has_shadow, has_ground, has_outline;
  bool compares;      ///< vertices of the GPU with the CPU's
  uint32_t technique; ///< mpak_gl_technique
  uint32_t lod;
  uint32_t clip; ///< 0: none; else its number + 1; clip_count + 1: those of the command line
  uint32_t given_clip_count;
  bool is_playing;
  double time_s;
  bool wants_reload, wants_reset_view;
  bool has_changed; ///< the pose is another now
} panel;

/// Figures of the last frame. Negative times and distances are not known.
typedef struct panel_facts {
  const char *file;
  const char *message; ///< issues of the last load; "": none
  bool is_error;       ///< the last load failed; what is shown is older
  uint64_t triangle_count, draw_count, vertex_count;
  uint64_t dispatch_count, barrier_count, weight_upload_count, palette_upload_count, upload_bytes; ///< since the start
  double pass_ms[3];
  double deform_ms;
  double difference_m;        ///< largest distance between GPU and CPU
  double heat_top_m;          ///< of the colours; 0: no heat
  const char *technique_name; ///< that is in use
} panel_facts;

/// Draws everything and takes the user's wishes; between shim_begin_frame and shim_end_frame.
void panel_draw(panel *choices, stage *shown, const panel_facts *facts, float width, float height);

/// The colours of displacements with their distances: 0, a quarter of the top if has_middle (colours go by square
/// roots), the top. width pixels wide, about 30 high, above everything.
void panel_legend(float x, float y, float width, double top_m, bool has_middle);

/// Distances with three digits that count: "12.3 mm". The text is in out.
void panel_distance(char *out, uint32_t capacity, double distance_m);

/// A name as it is shown: control characters become \xNN, characters beyond U+FFFF (which the font cannot have) their
/// numbers. Never cuts a character in two.
void panel_visible_name(char *out, uint32_t capacity, const char *name);

#endif
