/// offscreen.h: an OpenGL context without a display, by EGL, which is opened at run time: no link dependency.
#ifndef OFFSCREEN_H
#define OFFSCREEN_H

#include <stdbool.h>

typedef void (*offscreen_function)(void);

typedef struct offscreen {
  void *library; ///< libEGL.so.1
  void *display;
  void *context;
  offscreen_function (*find)(const char *name); ///< eglGetProcAddress
} offscreen;

/// Makes a core context of OpenGL 4.3 or newer, surfaceless, on the first device that has one, makes it current and
/// loads GL's functions. Software rendering counts. On failure everything is released and *reason is a static text.
bool offscreen_open(offscreen *screen, const char **reason);

/// The address of a GL function, for runtime/gl; screen is an offscreen.
offscreen_function offscreen_get_function(void *screen, const char *name);

/// A zeroed one is fine.
void offscreen_close(offscreen *screen);

#endif
