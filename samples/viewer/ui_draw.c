#include "samples/viewer/ui_draw.h"

#include <glad/gl.h>
#include <string.h>

#include "samples/viewer/view_shaders.h"

#define UI_VERTEX_BYTES 20

static void ui_attribute(GLuint location, GLint count, GLenum type, uintptr_t offset) {
  glEnableVertexAttribArray(location);
  glVertexAttribPointer(location, count, type, type == GL_UNSIGNED_BYTE, UI_VERTEX_BYTES, (const void *)offset);
}

bool ui_draw_make(ui_draw *ui, const char **log) {
  memset(ui, 0, sizeof *ui);
  ui->program = view_make_program(&(view_shader){{view_ui_vert}}, NULL, &(view_shader){{view_ui_frag}}, NULL, log);
  if (ui->program == 0) return false;
  glGenVertexArrays(1, &ui->vertex_array);
  glGenBuffers(2, ui->buffers);
  glBindVertexArray(ui->vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, ui->buffers[0]);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, ui->buffers[1]);
  ui_attribute(0, 2, GL_FLOAT, 0);
  ui_attribute(1, 2, GL_FLOAT, 8);
  ui_attribute(2, 4, GL_UNSIGNED_BYTE, 16);
  glBindVertexArray(0);
  return true;
}

void ui_draw_free(ui_draw *ui) {
  if (ui->program == 0) return;
  glDeleteProgram(ui->program);
  glDeleteVertexArrays(1, &ui->vertex_array);
  glDeleteBuffers(2, ui->buffers);
  glDeleteTextures(1, &ui->texture);
  memset(ui, 0, sizeof *ui);
}

void ui_draw_set_font(ui_draw *ui, const shim_atlas *atlas) {
  if (ui->texture == 0) glGenTextures(1, &ui->texture);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, ui->texture);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, atlas->width, atlas->height, 0, GL_RED, GL_UNSIGNED_BYTE, atlas->alpha);
}

static void ui_draw_run(const shim_run *run, uint32_t height) {
  const GLint left = (GLint)run->clip[0], top = (GLint)run->clip[1];
  const GLsizei wide = (GLint)run->clip[2] - left, tall = (GLint)run->clip[3] - top;
  if (wide <= 0 || tall <= 0) return;
  glScissor(left, (GLint)height - top - tall, wide, tall);
  glDrawElementsBaseVertex(GL_TRIANGLES, (GLsizei)run->index_count, GL_UNSIGNED_SHORT,
                           (const void *)((uintptr_t)run->first_index * 2), (GLint)run->first_vertex);
}

void ui_draw_frame(const ui_draw *ui, uint32_t width, uint32_t height) {
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_SCISSOR_TEST);
  glViewport(0, 0, (GLsizei)width, (GLsizei)height);
  glUseProgram(ui->program);
  glUniform2f(0, (float)width, (float)height);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, ui->texture);
  glBindVertexArray(ui->vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, ui->buffers[0]);
  for (uint32_t i = 0; i < shim_list_count(); i++) {
    const shim_list list = shim_get_list(i);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)list.vertex_count * UI_VERTEX_BYTES, list.vertices, GL_STREAM_DRAW);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)list.index_count * 2, list.indices, GL_STREAM_DRAW);
    for (uint32_t r = 0; r < list.run_count; r++) {
      const shim_run run = shim_get_run(i, r);
      ui_draw_run(&run, height);
    }
  }
  glBindVertexArray(0);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_BLEND);
}
