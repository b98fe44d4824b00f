// fake_glfw.c: a libglfw.so.3 without a display, for tests of windows: a buffer of EGL is the window, and the variable
// FAKE_GLFW is the user. It holds steps, "FRAME:WHAT …" between semicolons; frames count glfwPollEvents from 1:
//
//     5:drop FILE        10:move X Y     11:press    12:release    13:hold KEY    14:type TEXT    15:scroll LINES
//     20:copy FROM TO    30:shot FILE    31:close    6:size W H    (shot writes what is swapped next as a PPM)
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

static EGLDisplay fake_display;
static EGLSurface fake_surface;
static EGLContext fake_context;
static EGLConfig fake_config;
static int fake_width, fake_height, fake_frame, fake_should_close, fake_is_pressed, fake_key = -1;
static double fake_x = -1, fake_y = -1;
static char fake_shot[512];
static void *fake_user;
static GLFWscrollfun fake_on_scroll;
static GLFWcharfun fake_on_character;
static GLFWdropfun fake_on_drop;

static GLFWwindow *fake_window(void) { return (GLFWwindow *)&fake_context; }

// -- Steps -----------------------------------------------------------------------------------------------------------

static void fake_copy(const char *arguments) {
  char from[256], to[256], moved[300];
  static char bytes[1 << 24];
  if (sscanf(arguments, "%255s %255s", from, to) != 2) return;
  snprintf(moved, sizeof moved, "%s.new", to);
  FILE *in = fopen(from, "rb"), *out = fopen(moved, "wb");
  if (in != NULL && out != NULL) fwrite(bytes, 1, fread(bytes, 1, sizeof bytes, in), out);
  if (in != NULL) fclose(in);
  if (out != NULL) fclose(out);
  rename(moved, to);
}

static void fake_size(const char *arguments) {
  EGLSurface before = fake_surface;
  sscanf(arguments, "%d %d", &fake_width, &fake_height);
  const EGLint size[] = {EGL_WIDTH, fake_width, EGL_HEIGHT, fake_height, EGL_NONE};
  fake_surface = eglCreatePbufferSurface(fake_display, fake_config, size);
  eglMakeCurrent(fake_display, fake_surface, fake_surface, fake_context);
  if (before != EGL_NO_SURFACE) eglDestroySurface(fake_display, before);
}

static void fake_step(const char *what, const char *arguments) {
  if (strcmp(what, "drop") == 0 && fake_on_drop != NULL) fake_on_drop(fake_window(), 1, &arguments);
  if (strcmp(what, "move") == 0) sscanf(arguments, "%lf %lf", &fake_x, &fake_y);
  if (strcmp(what, "press") == 0) fake_is_pressed = 1;
  if (strcmp(what, "release") == 0) fake_is_pressed = 0, fake_key = -1;
  if (strcmp(what, "hold") == 0) fake_key = atoi(arguments);
  if (strcmp(what, "scroll") == 0 && fake_on_scroll != NULL) fake_on_scroll(fake_window(), 0, atof(arguments));
  for (const char *c = arguments; strcmp(what, "type") == 0 && *c != 0; c++)
    fake_on_character(fake_window(), (unsigned char)*c);
  if (strcmp(what, "copy") == 0) fake_copy(arguments);
  if (strcmp(what, "shot") == 0) snprintf(fake_shot, sizeof fake_shot, "%s", arguments);
  if (strcmp(what, "close") == 0) fake_should_close = 1;
  if (strcmp(what, "size") == 0) fake_size(arguments);
}

void glfwPollEvents(void) {
  const char *at = getenv("FAKE_GLFW");
  fake_frame++;
  while (at != NULL && *at != 0) {
    char what[32] = "", arguments[512] = "";
    int frame = 0;
    sscanf(at, "%d:%31[a-z] %511[^;]", &frame, what, arguments);
    if (frame == fake_frame) fake_step(what, arguments);
    at = strchr(at, ';');
    if (at != NULL) at++;
  }
}

// -- The window ------------------------------------------------------------------------------------------------------

int glfwInit(void) {
  PFNEGLGETPLATFORMDISPLAYEXTPROC get = (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
  if (get == NULL) return 0;
  fake_display = get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
  return eglInitialize(fake_display, NULL, NULL) ? 1 : 0;
}

GLFWwindow *glfwCreateWindow(int width, int height, const char *title, GLFWmonitor *monitor, GLFWwindow *share) {
  static const EGLint wanted[] = {
      EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_RED_SIZE, 8, EGL_DEPTH_SIZE, 24,
      EGL_NONE};
  static const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE};
  char size[64];
  EGLint count = 0;
  (void)title, (void)monitor, (void)share;
  if (!eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(fake_display, wanted, &fake_config, 1, &count) || count < 1)
    return NULL;
  fake_context = eglCreateContext(fake_display, fake_config, EGL_NO_CONTEXT, version);
  if (fake_context == EGL_NO_CONTEXT) return NULL;
  snprintf(size, sizeof size, "%d %d", width, height);
  fake_size(size);
  return fake_window();
}

void glfwDestroyWindow(GLFWwindow *window) {
  (void)window;
  eglMakeCurrent(fake_display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroySurface(fake_display, fake_surface);
  eglDestroyContext(fake_display, fake_context);
}

void glfwTerminate(void) { eglTerminate(fake_display); }

static void fake_write_shot(void) {
  void (*read)(GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *) =
      (void (*)(GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *))eglGetProcAddress("glReadPixels");
  unsigned char *pixels = malloc((size_t)fake_width * (size_t)fake_height * 4);
  FILE *file = fopen(fake_shot, "wb");
  read(0, 0, fake_width, fake_height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
  fprintf(file, "P6\n%d %d\n255\n", fake_width, fake_height);
  for (int y = fake_height - 1; y >= 0; y--)
    for (int x = 0; x < fake_width; x++) fwrite(pixels + ((size_t)y * (size_t)fake_width + (size_t)x) * 4, 1, 3, file);
  fclose(file);
  free(pixels);
  fake_shot[0] = 0;
}

void glfwSwapBuffers(GLFWwindow *window) {
  (void)window;
  if (fake_shot[0] != 0) {
    void (*bind)(GLenum, GLuint) = (void (*)(GLenum, GLuint))eglGetProcAddress("glBindFramebuffer");
    bind(0x8D40, 0);
    fake_write_shot();
  }
}

// -- What programs ask -----------------------------------------------------------------------------------------------

void glfwWindowHint(int hint, int value) { (void)hint, (void)value; }
void glfwMakeContextCurrent(GLFWwindow *window) { (void)window; }
GLFWglproc glfwGetProcAddress(const char *name) { return eglGetProcAddress(name); }
void glfwSwapInterval(int interval) { (void)interval; }
int glfwWindowShouldClose(GLFWwindow *window) { return (void)window, fake_should_close; }
void glfwGetFramebufferSize(GLFWwindow *window, int *width, int *height) {
  (void)window;
  *width = fake_width, *height = fake_height;
}
void glfwGetWindowSize(GLFWwindow *window, int *width, int *height) { glfwGetFramebufferSize(window, width, height); }
void glfwGetCursorPos(GLFWwindow *window, double *x, double *y) {
  (void)window;
  *x = fake_x, *y = fake_y;
}
int glfwGetMouseButton(GLFWwindow *window, int button) { return (void)window, button == 0 && fake_is_pressed; }
int glfwGetKey(GLFWwindow *window, int key) { return (void)window, key == fake_key; }
double glfwGetTime(void) { return fake_frame / 60.0; }
void glfwSetWindowUserPointer(GLFWwindow *window, void *pointer) { (void)window, fake_user = pointer; }
void *glfwGetWindowUserPointer(GLFWwindow *window) { return (void)window, fake_user; }
GLFWscrollfun glfwSetScrollCallback(GLFWwindow *window, GLFWscrollfun callback) {
  return (void)window, fake_on_scroll = callback;
}
GLFWcharfun glfwSetCharCallback(GLFWwindow *window, GLFWcharfun callback) {
  return (void)window, fake_on_character = callback;
}
GLFWdropfun glfwSetDropCallback(GLFWwindow *window, GLFWdropfun callback) {
  return (void)window, fake_on_drop = callback;
}
