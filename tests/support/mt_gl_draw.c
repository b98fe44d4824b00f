// mt_gl_draw.c: see mt_gl_draw.h.
#include "tests/support/mt_gl_draw.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// -- Programs --------------------------------------------------------------------------------------------------------

static const char draw_main[] =
    "layout(location = 0) in vec3 aPosition;\n"
    "layout(location = 12) in vec3 aPrevious;\n"
    "#ifdef IS_PACKED\n"
    "layout(location = 1) in vec2 aNormal;\n"
    "layout(location = 2) in vec2 aTangent;\n"
    "#else\n"
    "layout(location = 1) in vec3 aNormal;\n"
    "layout(location = 2) in vec4 aTangent;\n"
    "#endif\n"
    "uniform int uSkins;\n"
    "out vec3 oPosition; out vec3 oNormal; out vec4 oTangent; out vec3 oPrevious; flat out int oIndex;\n"
    "void main() {\n"
    "  vec3 position = aPosition;\n"
    "#ifdef IS_PACKED\n"
    "  vec3 normal = mpak_decode_octahedral(aNormal); vec4 tangent = mpak_decode_tangent(aTangent);\n"
    "#else\n"
    "  vec3 normal = aNormal; vec4 tangent = aTangent;\n"
    "#endif\n"
    "  if (uSkins != 0) mpak_skin(position, normal, tangent);\n"
    "  oPosition = position; oNormal = normal; oTangent = tangent; oPrevious = aPrevious; oIndex = gl_VertexID;\n"
    "  gl_Position = vec4(position, 1.0);\n"
    "}\n";

/// By influences / 4 - 1, is the palette a texture, are directions packed.
static gl_uint draw_programs[3][2][2];

static gl_uint draw_link(const char *source, bool has_storage, bool is_packed) {
  static const char *const outputs[] = {"oPosition", "oNormal", "oTangent", "oPrevious", "oIndex"};
  const char *texts[] = {has_storage ? "#version 430\n" : "#version 330\n", is_packed ? "#define IS_PACKED\n" : "",
                         source, draw_main};
  gl_uint shader = mt_real.CreateShader(GL_VERTEX_SHADER_), program = mt_real.CreateProgram();
  gl_int is_linked = 0;
  char log[2000] = "";
  mt_real.ShaderSource(shader, 4, texts, NULL);
  mt_real.CompileShader(shader);
  mt_real.GetShaderInfoLog(shader, sizeof log, NULL, log);
  mt_real.AttachShader(program, shader);
  mt_real.TransformFeedbackVaryings(program, 5, outputs, GL_INTERLEAVED_ATTRIBS_);
  mt_real.LinkProgram(program);
  mt_real.DeleteShader(shader);
  mt_real.GetProgramiv(program, GL_LINK_STATUS_, &is_linked);
  if (!is_linked) fail_msg("%s", log);
  return program;
}

static gl_uint draw_program(const mpak_gl *gl, const mpak_gl_item *item, mpak_gl_output_format format) {
  const bool has_storage = mpak_gl_device_limits(gl)->has_vertex_storage, is_packed = format == MPAK_GL_OUTPUT_24;
  const uint32_t influences = item->influence_count ? item->influence_count : 4;
  gl_uint *program = &draw_programs[influences / 4 - 1][!has_storage][is_packed];
  if (*program == 0) *program = draw_link(mpak_gl_vertex_source(gl, influences), has_storage, is_packed);
  return *program;
}

void mt_gl_draw_end(bool is_lost) {
  gl_uint *programs = &draw_programs[0][0][0];
  for (int i = 0; i < 12; ++i)
    if (programs[i] && !is_lost) mt_real.DeleteProgram(programs[i]);
  memset(draw_programs, 0, sizeof draw_programs);
}

// -- Draws -----------------------------------------------------------------------------------------------------------

static void draw_bind_palette(gl_uint program, const mpak_gl_item *item) {
  mt_real.Uniform1i(mt_real.GetUniformLocation(program, "uSkins"), item->is_skinned_inline);
  mt_real.Uniform1ui(mt_real.GetUniformLocation(program, "uMpakFirstBone"), item->first_bone);
  if (item->palette_texture) {
    mt_real.ActiveTexture(GL_TEXTURE0_);
    mt_real.BindTexture(GL_TEXTURE_BUFFER_, item->palette_texture);
    mt_real.Uniform1i(mt_real.GetUniformLocation(program, "uMpakPalette"), 0);
  } else if (item->palette_buffer) {
    mt_real.BindBufferRange(GL_SHADER_STORAGE_BUFFER_, 7, item->palette_buffer, (gl_size)item->palette_offset,
                            (gl_size)item->palette_bytes);
  }
}

mt_gl_vertex *mt_gl_draw(const mpak_gl *gl, const mpak_gl_item *item, mpak_gl_output_format format) {
  const gl_size bytes = (gl_size)(item->index_count * sizeof(mt_gl_vertex));
  mt_gl_vertex *vertices = malloc((size_t)bytes);
  gl_uint program = draw_program(gl, item, format), buffer = 0;
  assert_non_null(vertices);
  mt_real.GenBuffers(1, &buffer);
  mt_real.BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER_, 0, buffer);
  mt_real.BufferData(GL_TRANSFORM_FEEDBACK_BUFFER_, bytes, NULL, GL_STREAM_COPY_);
  mt_real.UseProgram(program);
  draw_bind_palette(program, item);
  mt_real.Enable(GL_RASTERIZER_DISCARD_);
  mt_real.BindVertexArray(item->vertex_array);
  mt_real.BeginTransformFeedback(GL_POINTS_);
  mt_real.DrawElements(GL_POINTS_, (gl_int)item->index_count, item->index_type,
                       (const void *)(uintptr_t)item->index_offset);
  mt_real.EndTransformFeedback();
  mt_real.BindVertexArray(0);
  mt_real.Disable(GL_RASTERIZER_DISCARD_);
  mt_real.UseProgram(0);
  mt_real.GetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER_, 0, bytes, vertices);
  mt_real.BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER_, 0, 0);
  mt_real.DeleteBuffers(1, &buffer);
  if (item->palette_texture) mt_real.BindTexture(GL_TEXTURE_BUFFER_, 0);
  assert_int_equal(mt_real.GetError(), GL_NO_ERROR_);
  return vertices;
}

double mt_gl_angle(const float *a, const float *b) {
  const double x = (double)a[1] * (double)b[2] - (double)a[2] * (double)b[1],
               y = (double)a[2] * (double)b[0] - (double)a[0] * (double)b[2],
               z = (double)a[0] * (double)b[1] - (double)a[1] * (double)b[0];
  return atan2(sqrt(x * x + y * y + z * z),
               (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1] + (double)a[2] * (double)b[2]);
}
