#include "samples/viewer/view_shaders.h"

#include <glad/gl.h>
#include <stddef.h>

static char shaders_log[1024];

static GLuint shaders_compile(GLenum kind, const view_shader *shader) {
  GLsizei count = 0;
  while (count < 5 && shader->pieces[count] != NULL) count++;
  const GLuint made = glCreateShader(kind);
  glShaderSource(made, count, shader->pieces, NULL);
  glCompileShader(made);
  GLint is_compiled = 0;
  glGetShaderiv(made, GL_COMPILE_STATUS, &is_compiled);
  if (is_compiled) return made;
  glGetShaderInfoLog(made, sizeof shaders_log, NULL, shaders_log);
  glDeleteShader(made);
  return 0;
}

static GLuint shaders_link(const GLuint parts[3], const char *captured) {
  const GLuint program = glCreateProgram();
  for (int i = 0; i < 3; i++)
    if (parts[i] != 0) glAttachShader(program, parts[i]);
  if (captured != NULL) glTransformFeedbackVaryings(program, 1, &captured, GL_INTERLEAVED_ATTRIBS);
  glLinkProgram(program);
  GLint is_linked = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &is_linked);
  if (is_linked) return program;
  glGetProgramInfoLog(program, sizeof shaders_log, NULL, shaders_log);
  glDeleteProgram(program);
  return 0;
}

uint32_t view_make_program(const view_shader *vertex, const view_shader *geometry, const view_shader *fragment,
                           const char *captured, const char **log) {
  static const GLenum kinds[3] = {GL_VERTEX_SHADER, GL_GEOMETRY_SHADER, GL_FRAGMENT_SHADER};
  const view_shader *sources[3] = {vertex, geometry, fragment};
  GLuint parts[3] = {0}, program = 0;
  int good = 0;
  shaders_log[0] = 0;
  if (log != NULL) *log = shaders_log;
  for (int i = 0; i < 3; i++) {
    if (sources[i] != NULL) parts[i] = shaders_compile(kinds[i], sources[i]);
    good += sources[i] == NULL || parts[i] != 0;
  }
  if (good == 3) program = shaders_link(parts, captured);
  for (int i = 0; i < 3; i++)
    if (parts[i] != 0) glDeleteShader(parts[i]);
  return program;
}
