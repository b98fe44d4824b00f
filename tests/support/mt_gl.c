// mt_gl.c: see mt_gl.h.
#include "tests/support/mt_gl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

mt_gl_functions mt_real;
mt_gl_seen mt_seen;

static uint64_t mt_fail_at; ///< calls until the one that fails, counted down; 0: none
static gl_enum mt_pending;  ///< what the next glGetError says

/// Mesa and LLVM keep what they made until the process ends.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
  return "leak:libEGL\nleak:libGLdispatch\nleak:libgallium\nleak:_dri.so\nleak:libLLVM\nleak:libglapi\nleak:"
         "libnvidia\n";
}

// -- EGL -------------------------------------------------------------------------------------------------------------

typedef void *egl_object;
enum {
  EGL_NONE_ = 0x3038,
  EGL_OPENGL_API_ = 0x30A2,
  EGL_CONTEXT_MAJOR_VERSION_ = 0x3098,
  EGL_CONTEXT_MINOR_VERSION_ = 0x30FB,
  EGL_CONTEXT_OPENGL_PROFILE_MASK_ = 0x30FD,
  EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_ = 1,
  EGL_PLATFORM_DEVICE_EXT_ = 0x313F,
  EGL_PLATFORM_SURFACELESS_MESA_ = 0x31DD,
  MT_EGL_DEVICES = 16
};

#define MT_EGL_FUNCTIONS(FUNCTION)                                                                                     \
  FUNCTION(mpak_gl_function, GetProcAddress, (const char *name))                                                       \
  FUNCTION(unsigned, Initialize, (egl_object display, int32_t * major, int32_t * minor))                               \
  FUNCTION(unsigned, BindAPI, (unsigned api))                                                                          \
  FUNCTION(egl_object, CreateContext,                                                                                  \
           (egl_object display, egl_object config, egl_object share, const int32_t *wanted))                           \
  FUNCTION(unsigned, DestroyContext, (egl_object display, egl_object context))                                         \
  FUNCTION(unsigned, MakeCurrent, (egl_object display, egl_object draw, egl_object read, egl_object context))

static struct {
#define EGL_MEMBER(result, name, parameters) result(*name) parameters;
  MT_EGL_FUNCTIONS(EGL_MEMBER)
#undef EGL_MEMBER
  egl_object display, context;
} egl;

static bool egl_load(void) {
  void *library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL); // never closed: leaks are told by their library
  bool has_all = library != NULL;
#define EGL_LOAD(result, name, parameters)                                                                             \
  if (has_all) egl.name = (result(*) parameters)dlsym(library, "egl" #name);                                           \
  has_all = has_all && egl.name != NULL;
  MT_EGL_FUNCTIONS(EGL_LOAD)
#undef EGL_LOAD
  return has_all;
}

static bool egl_make_context(egl_object display) {
  static const int32_t versions[2][2] = {{4, 5}, {4, 3}};
  for (int i = 0; i < 2 && egl.BindAPI(EGL_OPENGL_API_); ++i) {
    const int32_t wanted[] = {EGL_CONTEXT_MAJOR_VERSION_,
                              versions[i][0],
                              EGL_CONTEXT_MINOR_VERSION_,
                              versions[i][1],
                              EGL_CONTEXT_OPENGL_PROFILE_MASK_,
                              EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_,
                              EGL_NONE_};
    egl_object context = egl.CreateContext(display, NULL, NULL, wanted);
    if (!context) continue;
    if (egl.MakeCurrent(display, NULL, NULL, context)) {
      egl.display = display;
      egl.context = context;
      return true;
    }
    egl.DestroyContext(display, context);
  }
  return false;
}

static bool egl_try(egl_object display) {
  return display && egl.Initialize(display, NULL, NULL) && egl_make_context(display);
}

/// A device of EGL's list, or Mesa without any.
static bool egl_find(void) {
  typedef unsigned (*query_function)(int32_t capacity, egl_object * devices, int32_t * count);
  typedef egl_object (*display_function)(unsigned platform, egl_object native, const int32_t *attributes);
  const query_function query = (query_function)egl.GetProcAddress("eglQueryDevicesEXT");
  const display_function get = (display_function)egl.GetProcAddress("eglGetPlatformDisplayEXT");
  egl_object devices[MT_EGL_DEVICES];
  int32_t count = 0;
  if (!get) return false;
  if (query && !query(MT_EGL_DEVICES, devices, &count)) count = 0;
  for (int32_t i = 0; i < count; ++i)
    if (egl_try(get(EGL_PLATFORM_DEVICE_EXT_, devices[i], NULL))) return true;
  return egl_try(get(EGL_PLATFORM_SURFACELESS_MESA_, NULL, NULL));
}

static void egl_load_functions(void) {
#define GL_LOAD(result, name, parameters) mt_real.name = (result(GL_CALL *) parameters)egl.GetProcAddress("gl" #name);
  GL_FUNCTIONS_ALL(GL_LOAD)
  MT_GL_FUNCTIONS(GL_LOAD)
#undef GL_LOAD
}

/// Draws need a framebuffer, be it without images.
static void egl_bind_framebuffer(void) {
  enum { FRAMEBUFFER = 0x8D40, DEFAULT_WIDTH = 0x9310, DEFAULT_HEIGHT = 0x9311 };
  gl_uint name = 0;
  mt_real.GenFramebuffers(1, &name);
  mt_real.BindFramebuffer(FRAMEBUFFER, name);
  mt_real.FramebufferParameteri(FRAMEBUFFER, DEFAULT_WIDTH, 1);
  mt_real.FramebufferParameteri(FRAMEBUFFER, DEFAULT_HEIGHT, 1);
}

bool mt_gl_open(void) {
  setenv("XDG_RUNTIME_DIR", "/tmp", 0); // Mesa would say that it is missing
  if (!egl_load()) {
    printf("not run: 1 libEGL.so.1 is not installed\n");
    return false;
  }
  if (!egl_find()) {
    printf("not run: 1 no device gives an OpenGL 4.3 core context through EGL\n");
    return false;
  }
  egl_load_functions();
  egl_bind_framebuffer();
  memset(&mt_seen, 0, sizeof mt_seen);
  return true;
}

bool mt_gl_open_again(void) {
  egl.MakeCurrent(egl.display, NULL, NULL, NULL);
  egl.DestroyContext(egl.display, egl.context);
  memset(&mt_seen, 0, sizeof mt_seen);
  mt_pending = 0;
  if (!egl_make_context(egl.display)) return false;
  egl_bind_framebuffer();
  return true;
}

// -- Every function of mpak's, counted -------------------------------------------------------------------------------

/// Returns true where the call fails.
static bool mt_enter(mt_gl_call call) {
  ++mt_seen.calls;
  ++mt_seen.by[call];
  if (mt_fail_at == 0 || --mt_fail_at != 0) return false;
  mt_seen.has_failed = true;
  mt_pending = GL_OUT_OF_MEMORY_;
  return true;
}

static void mt_leave(const char *name) {
  const gl_enum error = mt_real.GetError();
  if (error == GL_NO_ERROR_) return;
  ++mt_seen.errors;
  mt_seen.error = mt_pending = error;
  mt_seen.error_call = name;
}

void mt_gl_fail_at(uint64_t nth) {
  mt_fail_at = nth;
  mt_pending = GL_NO_ERROR_;
  mt_seen.has_failed = false;
}

#define MT_VOID(name, parameters, arguments)                                                                           \
  static void GL_CALL mt_wrap_##name parameters {                                                                      \
    if (mt_enter(MT_CALL_##name)) return;                                                                              \
    mt_real.name arguments;                                                                                            \
    mt_leave(#name);                                                                                                   \
  }
#define MT_VALUE(result, name, parameters, arguments)                                                                  \
  static result GL_CALL mt_wrap_##name parameters {                                                                    \
    if (mt_enter(MT_CALL_##name)) return (result)0;                                                                    \
    const result value = mt_real.name arguments;                                                                       \
    mt_leave(#name);                                                                                                   \
    return value;                                                                                                      \
  }
/// Names that come alive and go.
#define MT_GEN(kind, member)                                                                                           \
  static void GL_CALL mt_wrap_Gen##kind(gl_int count, gl_uint *names) {                                                \
    if (mt_enter(MT_CALL_Gen##kind)) return;                                                                           \
    mt_real.Gen##kind(count, names);                                                                                   \
    mt_seen.member += (uint32_t)count;                                                                                 \
    mt_leave("Gen" #kind);                                                                                             \
  }                                                                                                                    \
  static void GL_CALL mt_wrap_Delete##kind(gl_int count, const gl_uint *names) {                                       \
    ++mt_seen.by[MT_CALL_Delete##kind];                                                                                \
    for (gl_int i = 0; i < count; ++i) mt_seen.member -= names[i] != 0;                                                \
    mt_real.Delete##kind(count, names);                                                                                \
    mt_leave("Delete" #kind);                                                                                          \
  }
#define MT_CREATE(kind, member, parameters, arguments)                                                                 \
  static gl_uint GL_CALL mt_wrap_Create##kind parameters {                                                             \
    if (mt_enter(MT_CALL_Create##kind)) return 0;                                                                      \
    const gl_uint name = mt_real.Create##kind arguments;                                                               \
    mt_seen.member += name != 0;                                                                                       \
    mt_leave("Create" #kind);                                                                                          \
    return name;                                                                                                       \
  }                                                                                                                    \
  static void GL_CALL mt_wrap_Delete##kind(gl_uint name) {                                                             \
    ++mt_seen.by[MT_CALL_Delete##kind];                                                                                \
    mt_seen.member -= name != 0;                                                                                       \
    mt_real.Delete##kind(name);                                                                                        \
    mt_leave("Delete" #kind);                                                                                          \
  }

static gl_enum GL_CALL mt_wrap_GetError(void) {
  if (mt_enter(MT_CALL_GetError)) mt_pending = GL_OUT_OF_MEMORY_;
  const gl_enum pending = mt_pending;
  mt_pending = GL_NO_ERROR_;
  return pending ? pending : mt_real.GetError();
}

/// One that fails has unmapped, but the contents are lost.
static uint8_t GL_CALL mt_wrap_UnmapBuffer(gl_enum target) {
  const bool fails = mt_enter(MT_CALL_UnmapBuffer);
  const uint8_t is_sound = mt_real.UnmapBuffer(target);
  if (fails) return GL_FALSE_;
  mt_leave("UnmapBuffer");
  return is_sound;
}

typedef void *mt_address;
MT_GEN(Buffers, buffers)
MT_GEN(VertexArrays, vertex_arrays)
MT_GEN(Textures, textures)
MT_CREATE(Shader, shaders, (gl_enum kind), (kind))
MT_CREATE(Program, programs, (void), ())
MT_VOID(GetIntegerv, (gl_enum name, gl_int *value), (name, value))
MT_VOID(GetIntegeri_v, (gl_enum name, gl_uint index, gl_int *value), (name, index, value))
MT_VOID(GetInteger64i_v, (gl_enum name, gl_uint index, int64_t *value), (name, index, value))
MT_VOID(BindBuffer, (gl_enum target, gl_uint name), (target, name))
MT_VOID(BindBufferRange, (gl_enum target, gl_uint index, gl_uint name, gl_size offset, gl_size bytes),
        (target, index, name, offset, bytes))
MT_VOID(BindBufferBase, (gl_enum target, gl_uint index, gl_uint name), (target, index, name))
MT_VOID(BufferData, (gl_enum target, gl_size bytes, const void *data, gl_enum usage), (target, bytes, data, usage))
MT_VOID(BufferSubData, (gl_enum target, gl_size offset, gl_size bytes, const void *data), (target, offset, bytes, data))
MT_VOID(CopyBufferSubData, (gl_enum from, gl_enum to, gl_size source, gl_size dest, gl_size bytes),
        (from, to, source, dest, bytes))
MT_VALUE(mt_address, MapBufferRange, (gl_enum target, gl_size offset, gl_size bytes, uint32_t access),
         (target, offset, bytes, access))
MT_VOID(ShaderSource, (gl_uint shader, gl_int count, const char *const *texts, const gl_int *bytes),
        (shader, count, texts, bytes))
MT_VOID(CompileShader, (gl_uint shader), (shader))
MT_VOID(GetShaderiv, (gl_uint shader, gl_enum name, gl_int *value), (shader, name, value))
MT_VOID(GetShaderInfoLog, (gl_uint shader, gl_int capacity, gl_int *bytes, char *text), (shader, capacity, bytes, text))
MT_VOID(AttachShader, (gl_uint program, gl_uint shader), (program, shader))
MT_VOID(LinkProgram, (gl_uint program), (program))
MT_VOID(GetProgramiv, (gl_uint program, gl_enum name, gl_int *value), (program, name, value))
MT_VOID(GetProgramInfoLog, (gl_uint program, gl_int capacity, gl_int *bytes, char *text),
        (program, capacity, bytes, text))
MT_VOID(UseProgram, (gl_uint program), (program))
MT_VOID(Uniform1uiv, (gl_int location, gl_int count, const gl_uint *values), (location, count, values))
MT_VOID(Uniform4fv, (gl_int location, gl_int count, const float *values), (location, count, values))
MT_VOID(BindVertexArray, (gl_uint name), (name))
MT_VOID(EnableVertexAttribArray, (gl_uint index), (index))
MT_VOID(VertexAttribPointer,
        (gl_uint index, gl_int size, gl_enum type, uint8_t normalised, gl_int stride, const void *offset),
        (index, size, type, normalised, stride, offset))
MT_VOID(VertexAttribIPointer, (gl_uint index, gl_int size, gl_enum type, gl_int stride, const void *offset),
        (index, size, type, stride, offset))
MT_VOID(BindTexture, (gl_enum target, gl_uint name), (target, name))
MT_VOID(DispatchCompute, (gl_uint x, gl_uint y, gl_uint z), (x, y, z))
MT_VOID(MemoryBarrier, (uint32_t bits), (bits))
MT_VOID(TexBufferRange, (gl_enum target, gl_enum format, gl_uint buffer, gl_size offset, gl_size bytes),
        (target, format, buffer, offset, bytes))
MT_VOID(BufferStorage, (gl_enum target, gl_size bytes, const void *data, uint32_t flags), (target, bytes, data, flags))

mpak_gl_function mt_gl_getproc(void *user, const char *name) {
  (void)user;
#define GL_WRAPPER(result, function, parameters)                                                                       \
  if (strcmp(name, "gl" #function) == 0)                                                                               \
    return mt_real.function ? (mpak_gl_function)(result(GL_CALL *) parameters)mt_wrap_##function : NULL;
  GL_FUNCTIONS_ALL(GL_WRAPPER)
#undef GL_WRAPPER
  return NULL;
}
