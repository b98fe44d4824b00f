/// ui_draw.h: draws what imgui_shim.h made of a frame.
#ifndef UI_DRAW_H
#define UI_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "samples/viewer/imgui_shim.h"

typedef struct ui_draw {
  uint32_t program, vertex_array, buffers[2], texture;
} ui_draw;

/// Makes program and buffers. False: GL refuses (*log says why).
bool ui_draw_make(ui_draw *ui, const char **log);
void ui_draw_free(ui_draw *ui); ///< a zeroed one is fine

/// Takes the font over; to be called after each shim_make_font.
void ui_draw_set_font(ui_draw *ui, const shim_atlas *atlas);

/// Draws the frame that shim_end_frame ended onto what is bound, width * height pixels.
void ui_draw_frame(const ui_draw *ui, uint32_t width, uint32_t height);

#endif
