/// mt_gl.h: test support: an OpenGL context without a window, and GL functions that are counted, checked, and fail on
/// demand. EGL is opened when a test asks for it; nothing links to it, and no header of it is needed.
///
///     if (!mt_gl_open()) return 0;             // has said "not run"
///     mpak_gl_create(&(mpak_gl_options){.getproc = mt_gl_getproc}, &gl);
///     mt_gl_fail_at(17);                       // the 17th call from here on fails
#ifndef MT_GL_H
#define MT_GL_H

#include <stdbool.h>

#include "runtime/gl/gl_functions.h"
#include "runtime/gl/mpak_gl.h"

/// What tests call beyond mpak's own functions. Same form as GL_FUNCTIONS_ALL.
#define MT_GL_FUNCTIONS(FUNCTION)                                                                                      \
  FUNCTION(const uint8_t *, GetString, (gl_enum name))                                                                 \
  FUNCTION(void, GetBufferSubData, (gl_enum target, gl_size offset, gl_size bytes, void *data))                        \
  FUNCTION(void, GetBufferParameteriv, (gl_enum target, gl_enum name, gl_int * value))                                 \
  FUNCTION(void, Finish, (void))                                                                                       \
  FUNCTION(void, Enable, (gl_enum what))                                                                               \
  FUNCTION(void, Disable, (gl_enum what))                                                                              \
  FUNCTION(void, ActiveTexture, (gl_enum unit))                                                                        \
  FUNCTION(gl_int, GetUniformLocation, (gl_uint program, const char *name))                                            \
  FUNCTION(void, Uniform1ui, (gl_int location, gl_uint value))                                                         \
  FUNCTION(void, Uniform1i, (gl_int location, gl_int value))                                                           \
  FUNCTION(void, TransformFeedbackVaryings, (gl_uint program, gl_int count, const char *const *names, gl_enum mode))   \
  FUNCTION(void, BeginTransformFeedback, (gl_enum primitive))                                                          \
  FUNCTION(void, EndTransformFeedback, (void))                                                                         \
  FUNCTION(void, DrawArrays, (gl_enum mode, gl_int first, gl_int count))                                               \
  FUNCTION(void, DrawElements, (gl_enum mode, gl_int count, gl_enum type, const void *offset))                         \
  FUNCTION(void, GenFramebuffers, (gl_int count, gl_uint * names))                                                     \
  FUNCTION(void, BindFramebuffer, (gl_enum target, gl_uint name))                                                      \
  FUNCTION(void, FramebufferParameteri, (gl_enum target, gl_enum name, gl_int value))                                  \
  FUNCTION(uint8_t, IsBuffer, (gl_uint name))

enum {
  GL_VENDOR_ = 0x1F00,
  GL_RENDERER_ = 0x1F01,
  GL_VERSION_ = 0x1F02,
  GL_POINTS_ = 0,
  GL_VERTEX_SHADER_ = 0x8B31,
  GL_RASTERIZER_DISCARD_ = 0x8C89,
  GL_TRANSFORM_FEEDBACK_BUFFER_ = 0x8C8E,
  GL_INTERLEAVED_ATTRIBS_ = 0x8C8C,
  GL_BUFFER_SIZE_ = 0x8764,
  GL_TEXTURE0_ = 0x84C0,
  GL_BUFFER_UPDATE_BARRIER_BIT_ = 0x200,
  GL_ALL_BARRIER_BITS_ = -1,
};

/// The context's real functions, uncounted: what a test itself calls.
typedef struct mt_gl_functions {
#define GL_MEMBER(result, name, parameters) result(GL_CALL *name) parameters;
  GL_FUNCTIONS_ALL(GL_MEMBER) MT_GL_FUNCTIONS(GL_MEMBER)
#undef GL_MEMBER
} mt_gl_functions;
extern mt_gl_functions mt_real;

/// Numbers of mpak's functions.
typedef enum mt_gl_call {
#define GL_NUMBER(result, name, parameters) MT_CALL_##name,
  GL_FUNCTIONS_ALL(GL_NUMBER)
#undef GL_NUMBER
      MT_CALL_COUNT
} mt_gl_call;

/// What was called through mt_gl_getproc's functions.
typedef struct mt_gl_seen {
  uint64_t calls;             ///< of any function
  uint64_t by[MT_CALL_COUNT]; ///< of each
  uint64_t errors;            ///< calls after which the real glGetError said something
  gl_enum error;              ///< the last of these
  const char *error_call;     ///< and who it was
  bool has_failed;            ///< the call of mt_gl_fail_at was reached
  uint32_t buffers, vertex_arrays, textures, programs, shaders; ///< alive
} mt_gl_seen;
extern mt_gl_seen mt_seen;

/// Makes a core context of 4.3 or later current. Where there is none, prints "not run: 1 …" and returns false.
bool mt_gl_open(void);

/// Throws the context away with all its objects and makes a new one current; mt_seen's objects are gone too.
bool mt_gl_open_again(void);

/// The callback for mpak_gl_options. NULL for names that mpak has no business to ask for.
mpak_gl_function mt_gl_getproc(void *user, const char *name);

/// Call number nth from now on (1 is the next) does nothing and fails: it returns 0, makes no names, and glGetError
/// then says out of memory. 0: none fails. Calls that delete never do; they are not counted here.
void mt_gl_fail_at(uint64_t nth);

#endif
