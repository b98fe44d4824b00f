#include "samples/viewer/offscreen.h"

#include <dlfcn.h>
#include <glad/gl.h>
#include <string.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#define DEVICES_MOST 16

/// EGL's functions, each under the name without "egl".
#define OFFSCREEN_FUNCTIONS(X)                                                                                         \
  X(PFNEGLGETPROCADDRESSPROC, GetProcAddress)                                                                          \
  X(PFNEGLINITIALIZEPROC, Initialize)                                                                                  \
  X(PFNEGLTERMINATEPROC, Terminate)                                                                                    \
  X(PFNEGLBINDAPIPROC, BindAPI)                                                                                        \
  X(PFNEGLCREATECONTEXTPROC, CreateContext)                                                                            \
  X(PFNEGLDESTROYCONTEXTPROC, DestroyContext)                                                                          \
  X(PFNEGLMAKECURRENTPROC, MakeCurrent)

typedef struct offscreen_egl {
#define X(type, name) type name;
  OFFSCREEN_FUNCTIONS(X)
#undef X
} offscreen_egl;

static bool offscreen_load(void *library, offscreen_egl *egl) {
  bool has_all = true;
#define X(type, name)                                                                                                  \
  egl->name = (type)dlsym(library, "egl" #name);                                                                       \
  has_all = has_all && egl->name != NULL;
  OFFSCREEN_FUNCTIONS(X)
#undef X
  return has_all;
}

static EGLContext offscreen_make_context(const offscreen_egl *egl, EGLDisplay display) {
  static const EGLint versions[][2] = {{4, 5}, {4, 3}};
  if (!egl->Initialize(display, NULL, NULL)) return EGL_NO_CONTEXT;
  for (int i = 0; i < 2 && egl->BindAPI(EGL_OPENGL_API); i++) {
    const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION,
                             versions[i][0],
                             EGL_CONTEXT_MINOR_VERSION,
                             versions[i][1],
                             EGL_CONTEXT_OPENGL_PROFILE_MASK,
                             EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                             EGL_NONE};
    EGLContext context = egl->CreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
    if (context == EGL_NO_CONTEXT) continue;
    if (egl->MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) return context;
    egl->DestroyContext(display, context);
  }
  egl->Terminate(display);
  return EGL_NO_CONTEXT;
}

/// Tries one display; true when it gave the context.
static bool offscreen_try(offscreen *screen, const offscreen_egl *egl, EGLDisplay display) {
  if (display == EGL_NO_DISPLAY) return false;
  EGLContext context = offscreen_make_context(egl, display);
  if (context == EGL_NO_CONTEXT) return false;
  screen->display = display;
  screen->context = context;
  return true;
}

static bool offscreen_find(offscreen *screen, const offscreen_egl *egl) {
  PFNEGLQUERYDEVICESEXTPROC query = (PFNEGLQUERYDEVICESEXTPROC)egl->GetProcAddress("eglQueryDevicesEXT");
  PFNEGLGETPLATFORMDISPLAYEXTPROC get =
      (PFNEGLGETPLATFORMDISPLAYEXTPROC)egl->GetProcAddress("eglGetPlatformDisplayEXT");
  if (get == NULL) return false;
  EGLDeviceEXT devices[DEVICES_MOST];
  EGLint count = 0;
  if (query != NULL && !query(DEVICES_MOST, devices, &count)) count = 0;
  for (EGLint i = 0; i < count; i++)
    if (offscreen_try(screen, egl, get(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL))) return true;
  return offscreen_try(screen, egl, get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL));
}

bool offscreen_open(offscreen *screen, const char **reason) {
  offscreen_egl egl;
  memset(screen, 0, sizeof *screen);
  screen->library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
  *reason = "libEGL.so.1 is not installed";
  if (screen->library == NULL) return false;
  *reason = "no device gives an OpenGL 4.3 core context through EGL";
  if (offscreen_load(screen->library, &egl) && offscreen_find(screen, &egl)) {
    screen->find = egl.GetProcAddress;
    if (gladLoadGL((GLADloadfunc)egl.GetProcAddress) >= GLAD_MAKE_VERSION(4, 3)) return true;
  }
  offscreen_close(screen);
  return false;
}

offscreen_function offscreen_get_function(void *screen, const char *name) {
  const offscreen *opened = screen;
  const offscreen_function found = opened->find(name);
  return found;
}

void offscreen_close(offscreen *screen) {
  offscreen_egl egl;
  if (screen->context != NULL && offscreen_load(screen->library, &egl)) {
    egl.MakeCurrent(screen->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    egl.DestroyContext(screen->display, screen->context);
  }
  // Display and library are the process's: both stay for the next context, and so does what drivers keep for them.
  memset(screen, 0, sizeof *screen);
}
