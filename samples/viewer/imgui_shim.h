/// imgui_shim.h: the few things that the viewer asks of Dear ImGui, for C. The only C++ of the project is behind it.
///
/// One user interface at a time (Dear ImGui has a current context). Texts are UTF-8; characters that the font lacks
/// show as a box.
#ifndef IMGUI_SHIM_H
#define IMGUI_SHIM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// -- Life and fonts ---------------------------------------------------------------------------------------------------

/// Opens the interface. False: out of memory.
bool shim_open(void);
void shim_close(void);

/// What a font is made of: one channel of alpha, to be uploaded as a texture.
typedef struct shim_atlas {
  const uint8_t *alpha;
  int width, height;
} shim_atlas;

/// Makes the font with all characters of Latin-1 and of the texts. To be called before the first frame, and again when
/// other texts come; the texture must be replaced each time.
///
/// font_file  a TrueType or OpenType file or collection; NULL or unreadable: the built-in one (Latin-1 only)
/// size_px    height of a line of text
void shim_make_font(const char *font_file, float size_px, const char *const *texts, uint32_t text_count,
                    shim_atlas *atlas);

/// Has the font a picture for every character of the text up to U+FFFF? (panel_visible_name spells the others out.)
bool shim_has_glyphs(const char *text);

// -- A frame ----------------------------------------------------------------------------------------------------------

/// Keys that text boxes want. Numbers of shim_key_event.
typedef enum shim_key {
  SHIM_KEY_TAB,
  SHIM_KEY_LEFT,
  SHIM_KEY_RIGHT,
  SHIM_KEY_HOME,
  SHIM_KEY_END,
  SHIM_KEY_DELETE,
  SHIM_KEY_BACKSPACE,
  SHIM_KEY_ENTER,
  SHIM_KEY_ESCAPE,
  SHIM_KEY_COUNT
} shim_key;

/// What the user did since the last frame; positions in pixels.
typedef struct shim_input {
  float width, height;
  float dt_s;
  float mouse[2];
  bool buttons[3];
  float wheel;
  bool keys[SHIM_KEY_COUNT]; ///< held down
  bool has_shift, has_control;
} shim_input;

void shim_begin_frame(const shim_input *input);
void shim_add_character(uint32_t codepoint); ///< typed; before shim_begin_frame
void shim_end_frame(void);

/// Does the interface want the mouse or the keys for itself?
bool shim_wants_mouse(void);
bool shim_wants_keys(void);

/// What is to be drawn: vertices of 20 bytes (x, y, u, v floats, RGBA bytes), 16-bit indices, and runs of indices with
/// a clipping box each.
typedef struct shim_run {
  float clip[4]; ///< left, top, right, bottom
  uint32_t index_count, first_index, first_vertex;
} shim_run;
typedef struct shim_list {
  const void *vertices;
  const uint16_t *indices;
  uint32_t vertex_count, index_count, run_count;
} shim_list;
uint32_t shim_list_count(void); ///< after shim_end_frame
shim_list shim_get_list(uint32_t list);
shim_run shim_get_run(uint32_t list, uint32_t run);

// -- Text and shapes above everything ---------------------------------------------------------------------------------

/// 0xRRGGBBAA.
typedef uint32_t shim_colour;

void shim_draw_text(float x, float y, shim_colour colour, const char *text);
void shim_draw_box(float x, float y, float width, float height, shim_colour colour);
float shim_text_width(const char *text, uint32_t byte_count);
float shim_line_height(void);

// -- Panels and widgets -----------------------------------------------------------------------------------------------

/// A panel of a fixed place and size.
void shim_begin_panel(const char *id, float x, float y, float width, float height);
void shim_end_panel(void);
void shim_begin_list(const char *id, float height); ///< scrolls; 0: all the room
void shim_end_list(void);
void shim_text(const char *text);
void shim_text_coloured(shim_colour colour, const char *text);
void shim_text_wrapped(shim_colour colour, const char *text);
/// Two words of one line, the second at the right edge.
void shim_pair(const char *left, const char *right);
void shim_separator(void);
void shim_same_line(float x); ///< the next widget goes on at x; 0: behind the last one
bool shim_checkbox(const char *label, bool *value);
bool shim_button(const char *label);
/// A name, cut at its start where the room ends and whole in a tip, a slider and its number. id tells equal names
/// apart. True: moved. A double click on the name: *is_reset.
bool shim_slider_row(uint32_t id, const char *name, bool is_marked, float *value, float low, float high,
                     bool *is_reset);
/// A slider with a text behind it, over all the room.
bool shim_slider_wide(const char *id, float *value, float low, float high, const char *text);
bool shim_search(const char *id, const char *hint, char *text, uint32_t capacity);
/// A choice among count texts.
bool shim_choice(const char *label, uint32_t *choice, uint32_t count, const char *(*name)(void *user, uint32_t i),
                 void *user);

#ifdef __cplusplus
}
#endif
#endif
