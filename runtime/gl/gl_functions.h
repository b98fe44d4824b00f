/// gl_functions.h: the GL functions that mpak calls, loaded for each context by the caller's callback. Types and
/// numbers are GL's own, written here so that no GL header is needed.
#ifndef MPAK_GL_FUNCTIONS_H
#define MPAK_GL_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

#ifdef _WIN32
#define GL_CALL __stdcall
#else
#define GL_CALL
#endif

typedef uint32_t gl_enum;
typedef uint32_t gl_uint;
typedef int32_t gl_int;
typedef ptrdiff_t gl_size; ///< GLsizeiptr, GLintptr

enum {
  GL_NO_ERROR_ = 0,
  GL_OUT_OF_MEMORY_ = 0x0505,
  GL_FALSE_ = 0,
  GL_TRUE_ = 1,
  GL_SHORT_ = 0x1402,
  GL_UNSIGNED_SHORT_ = 0x1403,
  GL_UNSIGNED_INT_ = 0x1405,
  GL_FLOAT_ = 0x1406,
  GL_UNSIGNED_BYTE_ = 0x1401,
  GL_MAJOR_VERSION_ = 0x821B,
  GL_MINOR_VERSION_ = 0x821C,
  GL_ARRAY_BUFFER_ = 0x8892,
  GL_ARRAY_BUFFER_BINDING_ = 0x8894,
  GL_ELEMENT_ARRAY_BUFFER_ = 0x8893,
  GL_COPY_READ_BUFFER_ = 0x8F36, // the query has the same number
  GL_COPY_WRITE_BUFFER_ = 0x8F37,
  GL_STATIC_DRAW_ = 0x88E4,
  GL_DYNAMIC_DRAW_ = 0x88E8,
  GL_DYNAMIC_COPY_ = 0x88EA,
  GL_STREAM_COPY_ = 0x88E2,
  GL_MAP_READ_BIT_ = 1,
  GL_MAP_WRITE_BIT_ = 2,
  GL_CLIENT_STORAGE_BIT_ = 0x200,
  GL_VERTEX_ARRAY_BINDING_ = 0x85B5,
  GL_CURRENT_PROGRAM_ = 0x8B8D,
  GL_COMPILE_STATUS_ = 0x8B81,
  GL_LINK_STATUS_ = 0x8B82,
  GL_COMPUTE_SHADER_ = 0x91B9,
  GL_SHADER_STORAGE_BUFFER_ = 0x90D2,
  GL_SHADER_STORAGE_BUFFER_BINDING_ = 0x90D3,
  GL_SHADER_STORAGE_BUFFER_START_ = 0x90D4,
  GL_SHADER_STORAGE_BUFFER_SIZE_ = 0x90D5,
  GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS_ = 0x90D6,
  GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS_ = 0x90DB,
  GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS_ = 0x90DD,
  GL_MAX_SHADER_STORAGE_BLOCK_SIZE_ = 0x90DE,
  GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT_ = 0x90DF,
  GL_MAX_COMPUTE_WORK_GROUP_COUNT_ = 0x91BE,
  GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT_ = 1,
  GL_SHADER_STORAGE_BARRIER_BIT_ = 0x2000,
  GL_TEXTURE_BUFFER_ = 0x8C2A,
  GL_MAX_TEXTURE_BUFFER_SIZE_ = 0x8C2B,
  GL_TEXTURE_BINDING_BUFFER_ = 0x8C2C,
  GL_RGBA32F_ = 0x8814,
};

/// FUNCTION(result, Name, parameters): what GL 3.3 promises.
#define GL_FUNCTIONS_NEEDED(FUNCTION)                                                                                  \
  FUNCTION(gl_enum, GetError, (void))                                                                                  \
  FUNCTION(void, GetIntegerv, (gl_enum name, gl_int * value))                                                          \
  FUNCTION(void, GetIntegeri_v, (gl_enum name, gl_uint index, gl_int * value))                                         \
  FUNCTION(void, GetInteger64i_v, (gl_enum name, gl_uint index, int64_t * value))                                      \
  FUNCTION(void, GenBuffers, (gl_int count, gl_uint * names))                                                          \
  FUNCTION(void, DeleteBuffers, (gl_int count, const gl_uint *names))                                                  \
  FUNCTION(void, BindBuffer, (gl_enum target, gl_uint name))                                                           \
  FUNCTION(void, BindBufferRange, (gl_enum target, gl_uint index, gl_uint name, gl_size offset, gl_size bytes))        \
  FUNCTION(void, BindBufferBase, (gl_enum target, gl_uint index, gl_uint name))                                        \
  FUNCTION(void, BufferData, (gl_enum target, gl_size bytes, const void *data, gl_enum usage))                         \
  FUNCTION(void, BufferSubData, (gl_enum target, gl_size offset, gl_size bytes, const void *data))                     \
  FUNCTION(void, CopyBufferSubData, (gl_enum from, gl_enum to, gl_size source, gl_size dest, gl_size bytes))           \
  FUNCTION(void *, MapBufferRange, (gl_enum target, gl_size offset, gl_size bytes, uint32_t access))                   \
  FUNCTION(uint8_t, UnmapBuffer, (gl_enum target))                                                                     \
  FUNCTION(gl_uint, CreateShader, (gl_enum kind))                                                                      \
  FUNCTION(void, ShaderSource, (gl_uint shader, gl_int count, const char *const *texts, const gl_int *bytes))          \
  FUNCTION(void, CompileShader, (gl_uint shader))                                                                      \
  FUNCTION(void, GetShaderiv, (gl_uint shader, gl_enum name, gl_int * value))                                          \
  FUNCTION(void, GetShaderInfoLog, (gl_uint shader, gl_int capacity, gl_int * bytes, char *text))                      \
  FUNCTION(void, DeleteShader, (gl_uint shader))                                                                       \
  FUNCTION(gl_uint, CreateProgram, (void))                                                                             \
  FUNCTION(void, AttachShader, (gl_uint program, gl_uint shader))                                                      \
  FUNCTION(void, LinkProgram, (gl_uint program))                                                                       \
  FUNCTION(void, GetProgramiv, (gl_uint program, gl_enum name, gl_int * value))                                        \
  FUNCTION(void, GetProgramInfoLog, (gl_uint program, gl_int capacity, gl_int * bytes, char *text))                    \
  FUNCTION(void, DeleteProgram, (gl_uint program))                                                                     \
  FUNCTION(void, UseProgram, (gl_uint program))                                                                        \
  FUNCTION(void, Uniform1uiv, (gl_int location, gl_int count, const gl_uint *values))                                  \
  FUNCTION(void, Uniform4fv, (gl_int location, gl_int count, const float *values))                                     \
  FUNCTION(void, GenVertexArrays, (gl_int count, gl_uint * names))                                                     \
  FUNCTION(void, DeleteVertexArrays, (gl_int count, const gl_uint *names))                                             \
  FUNCTION(void, BindVertexArray, (gl_uint name))                                                                      \
  FUNCTION(void, EnableVertexAttribArray, (gl_uint index))                                                             \
  FUNCTION(void, VertexAttribPointer,                                                                                  \
           (gl_uint index, gl_int size, gl_enum type, uint8_t normalised, gl_int stride, const void *offset))          \
  FUNCTION(void, VertexAttribIPointer, (gl_uint index, gl_int size, gl_enum type, gl_int stride, const void *offset))  \
  FUNCTION(void, GenTextures, (gl_int count, gl_uint * names))                                                         \
  FUNCTION(void, DeleteTextures, (gl_int count, const gl_uint *names))                                                 \
  FUNCTION(void, BindTexture, (gl_enum target, gl_uint name))

/// GL 4.3: NULL in an older context, where nothing calls them.
#define GL_FUNCTIONS_COMPUTE(FUNCTION)                                                                                 \
  FUNCTION(void, DispatchCompute, (gl_uint x, gl_uint y, gl_uint z))                                                   \
  FUNCTION(void, MemoryBarrier, (uint32_t bits))                                                                       \
  FUNCTION(void, TexBufferRange, (gl_enum target, gl_enum format, gl_uint buffer, gl_size offset, gl_size bytes))

/// GL 4.4; NULL without it.
#define GL_FUNCTIONS_OPTIONAL(FUNCTION)                                                                                \
  FUNCTION(void, BufferStorage, (gl_enum target, gl_size bytes, const void *data, uint32_t flags))

#define GL_FUNCTIONS_ALL(FUNCTION)                                                                                     \
  GL_FUNCTIONS_NEEDED(FUNCTION) GL_FUNCTIONS_COMPUTE(FUNCTION) GL_FUNCTIONS_OPTIONAL(FUNCTION)

typedef struct gl_functions {
#define GL_MEMBER(result, name, parameters) result(GL_CALL *name) parameters;
  GL_FUNCTIONS_ALL(GL_MEMBER)
#undef GL_MEMBER
} gl_functions;

#endif
