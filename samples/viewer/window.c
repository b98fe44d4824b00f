#include "samples/viewer/window.h"

#include <dlfcn.h>
#include <glad/gl.h>
#include <stdlib.h>
#include <string.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

/// GLFW's functions, each under the name without "glfw".
#define WINDOW_FUNCTIONS(X)                                                                                            \
  X(Init)                                                                                                              \
  X(Terminate)                                                                                                         \
  X(WindowHint)                                                                                                        \
  X(CreateWindow)                                                                                                      \
  X(DestroyWindow)                                                                                                     \
  X(MakeContextCurrent)                                                                                                \
  X(GetProcAddress)                                                                                                    \
  X(SwapInterval)                                                                                                      \
  X(SwapBuffers)                                                                                                       \
  X(PollEvents)                                                                                                        \
  X(WindowShouldClose)                                                                                                 \
  X(GetFramebufferSize)                                                                                                \
  X(GetWindowSize)                                                                                                     \
  X(GetCursorPos)                                                                                                      \
  X(GetMouseButton)                                                                                                    \
  X(GetKey)                                                                                                            \
  X(GetTime)                                                                                                           \
  X(SetWindowUserPointer)                                                                                              \
  X(GetWindowUserPointer)                                                                                              \
  X(SetScrollCallback)                                                                                                 \
  X(SetCharCallback)                                                                                                   \
  X(SetDropCallback)

typedef struct window_glfw {
#define X(name) __typeof__(&glfw##name) name;
  WINDOW_FUNCTIONS(X)
#undef X
} window_glfw;

static bool window_load(void *library, window_glfw *glfw) {
  bool has_all = true;
#define X(name)                                                                                                        \
  glfw->name = (__typeof__(&glfw##name))dlsym(library, "glfw" #name);                                                  \
  has_all = has_all && glfw->name != NULL;
  WINDOW_FUNCTIONS(X)
#undef X
  return has_all;
}

// GLFW has a global state of its own; its functions are the only global of the viewer, since callbacks need them.
static window_glfw window_functions;

// -- What the user does ----------------------------------------------------------------------------------------------

static void window_on_scroll(GLFWwindow *handle, double x, double y) {
  window *opened = window_functions.GetWindowUserPointer(handle);
  (void)x;
  opened->input.wheel += (float)y;
}

static void window_on_character(GLFWwindow *handle, unsigned codepoint) {
  (void)handle;
  shim_add_character(codepoint);
}

static void window_on_drop(GLFWwindow *handle, int count, const char **paths) {
  window *opened = window_functions.GetWindowUserPointer(handle);
  if (count < 1) return;
  free(opened->dropped);
  opened->dropped = strdup(paths[0]);
}

static void window_read_keys(window *opened) {
  static const int keys[SHIM_KEY_COUNT] = {GLFW_KEY_TAB,       GLFW_KEY_LEFT,  GLFW_KEY_RIGHT,
                                           GLFW_KEY_HOME,      GLFW_KEY_END,   GLFW_KEY_DELETE,
                                           GLFW_KEY_BACKSPACE, GLFW_KEY_ENTER, GLFW_KEY_ESCAPE};
  const window_glfw *glfw = &window_functions;
  for (int i = 0; i < SHIM_KEY_COUNT; i++) opened->input.keys[i] = glfw->GetKey(opened->handle, keys[i]) == GLFW_PRESS;
  opened->input.has_shift = glfw->GetKey(opened->handle, GLFW_KEY_LEFT_SHIFT) == GLFW_PRESS ||
                            glfw->GetKey(opened->handle, GLFW_KEY_RIGHT_SHIFT) == GLFW_PRESS;
  opened->input.has_control = glfw->GetKey(opened->handle, GLFW_KEY_LEFT_CONTROL) == GLFW_PRESS ||
                              glfw->GetKey(opened->handle, GLFW_KEY_RIGHT_CONTROL) == GLFW_PRESS;
}

bool window_poll(window *opened) {
  const window_glfw *glfw = &window_functions;
  int width = 0, height = 0, wide = 0, tall = 0;
  double x = 0, y = 0;
  opened->input.wheel = 0;
  glfw->PollEvents();
  glfw->GetFramebufferSize(opened->handle, &width, &height);
  glfw->GetWindowSize(opened->handle, &wide, &tall);
  glfw->GetCursorPos(opened->handle, &x, &y);
  opened->input.width = (float)width;
  opened->input.height = (float)height;
  opened->input.mouse[0] = wide > 0 ? (float)x * (float)width / (float)wide : 0;
  opened->input.mouse[1] = tall > 0 ? (float)y * (float)height / (float)tall : 0;
  for (int i = 0; i < 3; i++) opened->input.buttons[i] = glfw->GetMouseButton(opened->handle, i) == GLFW_PRESS;
  window_read_keys(opened);
  const double now_s = glfw->GetTime();
  opened->input.dt_s = (float)(now_s - opened->last_time_s);
  opened->last_time_s = now_s;
  return !glfw->WindowShouldClose(opened->handle);
}

// -- Life ------------------------------------------------------------------------------------------------------------

static bool window_create(window *opened, const char *title, uint32_t width, uint32_t height) {
  const window_glfw *glfw = &window_functions;
  glfw->WindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
  glfw->WindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfw->WindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfw->WindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  opened->handle = glfw->CreateWindow((int)width, (int)height, title, NULL, NULL);
  if (opened->handle == NULL) return false;
  glfw->MakeContextCurrent(opened->handle);
  glfw->SwapInterval(1);
  glfw->SetWindowUserPointer(opened->handle, opened);
  glfw->SetScrollCallback(opened->handle, window_on_scroll);
  glfw->SetCharCallback(opened->handle, window_on_character);
  glfw->SetDropCallback(opened->handle, window_on_drop);
  opened->last_time_s = glfw->GetTime();
  return gladLoadGL((GLADloadfunc)glfw->GetProcAddress) >= GLAD_MAKE_VERSION(4, 3);
}

bool window_open(window *opened, const char *title, uint32_t width, uint32_t height, const char **reason) {
  memset(opened, 0, sizeof *opened);
  opened->library = dlopen("libglfw.so.3", RTLD_NOW | RTLD_LOCAL);
  *reason = "libglfw.so.3 is not installed";
  if (opened->library == NULL) return false;
  *reason = "no display can be opened";
  if (window_load(opened->library, &window_functions) && window_functions.Init()) {
    *reason = "the display gives no OpenGL 4.3 core context";
    if (window_create(opened, title, width, height)) return true;
  }
  window_close(opened);
  return false;
}

void window_close(window *opened) {
  if (opened->library != NULL && window_functions.Terminate != NULL) {
    if (opened->handle != NULL) window_functions.DestroyWindow(opened->handle);
    window_functions.Terminate();
  }
  // The library stays open: display libraries that it loaded do not like to be unloaded.
  free(opened->dropped);
  memset(opened, 0, sizeof *opened);
}

window_function window_get_function(void *opened, const char *name) {
  (void)opened;
  return window_functions.GetProcAddress(name);
}

void window_show(window *opened) { window_functions.SwapBuffers(opened->handle); }
