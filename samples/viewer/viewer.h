/// viewer.h: contact sheets and the window, as the command's verbs `sheet` and `view` call them.
///
/// The rest of samples/viewer is behind this header. It uses the runtime as a game does (mpak.h, mpak_pose.h) and knows
/// nothing of cooking: who calls it hands over packs as bytes.
#ifndef VIEWER_H
#define VIEWER_H

#include <stdbool.h>
#include <stdint.h>

typedef enum viewer_result {
  VIEWER_OK = 0,
  VIEWER_NO_GL,     ///< no OpenGL 4.3 here; the text says what is missing
  VIEWER_NO_WINDOW, ///< no display, or GLFW is not installed
  VIEWER_NO_MEMORY, ///< out of memory, or the picture is larger than GL allows
  VIEWER_BAD_PACK,  ///< the text is a rule of the reader
} viewer_result;

/// What came out.
typedef struct viewer_outcome {
  viewer_result result;
  char text[512];    ///< why not
  bool lacks_glyphs; ///< the font has not all the letters of the names
  bool lacks_font;   ///< there is no font file; the built-in one has Latin-1 only
  uint8_t *png;      ///< malloc's, or NULL
  uint64_t png_byte_count;
  // view: of the last frame
  double difference_m;   ///< largest distance between the GPU's vertices and the CPU's
  const char *technique; ///< how vertices were moved
  uint64_t dispatch_count, barrier_count;
  uint64_t triangle_count, draw_count; ///< of all passes
} viewer_outcome;

/// Gives png back. A zeroed one is fine.
void viewer_outcome_free(viewer_outcome *outcome);

// -- Contact sheets
// ----------------------------------------------------------------------------------------------------

typedef struct sheet_options {
  const char *title;    ///< shown above; the file's name
  uint32_t columns;     ///< 0: chosen by the number of cells
  uint32_t cell_px;     ///< side of a cell's picture; 0: 180
  uint32_t clip_frames; ///< of each clip; 0: 4
  uint32_t lod;
} sheet_options;

/// Every target at weight 1 and frames of each clip, with names, as one PNG. Needs no display. The same pack and
/// options give the same picture on the same GL.
void sheet_make(const void *pack_bytes, uint64_t byte_count, const sheet_options *options, viewer_outcome *outcome);

// -- The viewer
// --------------------------------------------------------------------------------------------------------

/// A weight set from outside.
typedef struct view_weight {
  uint32_t instance, control;
  float weight;
} view_weight;

/// A pack that a loader made, or why not.
typedef struct view_loaded {
  void *bytes; ///< malloc's; NULL: it failed
  uint64_t byte_count;
  char text[2048]; ///< issues, "" when there are none
} view_loaded;

/// How files become packs, for reloading and for files that are dropped. May take seconds.
typedef void (*view_loader)(void *user, const char *path, view_loaded *loaded);

/// When a file was written (nanoseconds), and its bytes; -1, -1 when it is not there. To be asked before a file is
/// read, so that no change is missed.
void view_read_time(const char *path, int64_t *time_ns, int64_t *byte_count);

typedef struct view_options {
  const char *path;     ///< of the file that is shown and watched
  int64_t file_time_ns; ///< view_read_time before it was read
  int64_t file_bytes;
  view_loader load;
  void *load_user;
  const uint32_t *clips;
  uint32_t clip_count;
  bool has_time;
  double time_s;
  const view_weight *weights;
  uint32_t weight_count;
  uint32_t lod;
  uint32_t frames;        ///< above 0: without a display; that many frames, the last one as a PNG
  bool needs_window;      ///< with frames: in a window all the same
  uint32_t width, height; ///< 0: 1280 x 800
  uint32_t side;          ///< camera_side
  uint32_t pass;          ///< 0: the whole picture; 1, 2, 3: only shadow, forward, outline
  bool without_ui;
  bool is_wireframe, shows_bounds, shows_normals, shows_heat, colours_normals, without_outline, without_shadow,
      without_ground;
  uint32_t technique; ///< mpak_gl_technique
} view_options;

/// Shows a pack until the window is closed, or for options->frames frames.
void view_run(const void *pack_bytes, uint64_t byte_count, const view_options *options, viewer_outcome *outcome);

#endif
