/// window.h: a window with an OpenGL 4.3 context, by GLFW, which is opened at run time: no link dependency.
#ifndef WINDOW_H
#define WINDOW_H

#include "samples/viewer/imgui_shim.h"

typedef void (*window_function)(void);

typedef struct window {
  void *library; ///< libglfw.so.3
  void *handle;
  shim_input input; ///< what the user did up to the last window_poll
  char *dropped;    ///< a file that was dropped on it; take it and set NULL. malloc's
  double last_time_s;
} window;

/// Opens a window, makes its context current and loads GL's functions. On failure everything is released and *reason is
/// a static text. The window must not move in memory while it is open.
bool window_open(window *opened, const char *title, uint32_t width, uint32_t height, const char **reason);
void window_close(window *opened); ///< a zeroed one is fine

/// The address of a GL function, for runtime/gl; opened is not used.
window_function window_get_function(void *opened, const char *name);

/// Takes input over. False: the user closes the window.
bool window_poll(window *opened);
void window_show(window *opened); ///< what was drawn

#endif
