#include "samples/viewer/vertex_capture.h"

#include <glad/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "samples/viewer/offscreen.h"
#include "samples/viewer/view_shaders.h"
#include "shaders/mpak_gpu_layout.h"

/// What is made for one run.
typedef struct capture_run {
  const vertex_capture *wanted;
  offscreen screen;
  mpak_gl *gl;
  mpak_gl_model *model;
  mpak_gl_crowd *crowd;
  mpak_gl_item *items;
  uint32_t item_count;
  GLuint programs[4]; ///< by influences / 4; 0: without skin
  GLuint buffer;      ///< of transform feedback
  GLuint target;      ///< a framebuffer of nothing: a context without a surface has none that draws are allowed in
  const char *text;   ///< why not
} capture_run;

// -- Opening ---------------------------------------------------------------------------------------------------------

static uint32_t capture_section_count(const mpak_pack *pack) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < pack->instance_count; i++) {
    const mpak_mesh *mesh = &pack->meshes[pack->instances[i].mesh];
    for (uint32_t p = 0; p < mesh->part_count; p++) count += pack->parts[mesh->first_part + p].section_count;
  }
  return count;
}

/// One individual. Before skinning: a skin that does nothing stands in for the skin cache's.
static mpak_result capture_open(capture_run *run) {
  const mpak_pack *pack = run->wanted->pose->pack;
  const mpak_gl_options device = {
      .getproc = offscreen_get_function, .getproc_user = &run->screen, .technique = run->wanted->technique};
  const mpak_gl_crowd_options without_skin = {.hooks = {.skin = " "}};
  const bool needs_hook = run->wanted->is_before_skin && run->wanted->technique != MPAK_GL_INLINE;
  mpak_fault fault = {0};
  run->items = calloc((size_t)capture_section_count(pack) + 1, sizeof *run->items);
  if (run->items == NULL) return MPAK_ERROR_OUT_OF_MEMORY;
  mpak_result result = mpak_gl_create(&device, &run->gl);
  if (result == MPAK_OK) result = mpak_gl_model_create(run->gl, pack, NULL, &run->model, &fault);
  if (result == MPAK_OK) result = mpak_gl_crowd_create(run->model, 1, needs_hook ? &without_skin : NULL, &run->crowd);
  run->text = fault.rule;
  return result;
}

static void capture_close(capture_run *run) {
  for (int i = 0; i < 4; i++)
    if (run->programs[i] != 0) glDeleteProgram(run->programs[i]);
  if (run->buffer != 0) glDeleteBuffers(1, &run->buffer);
  if (run->target != 0) glDeleteFramebuffers(1, &run->target);
  mpak_gl_crowd_destroy(run->crowd);
  mpak_gl_model_destroy(run->model);
  mpak_gl_destroy(run->gl);
  free(run->items);
  offscreen_close(&run->screen);
}

// -- A frame ---------------------------------------------------------------------------------------------------------

static mpak_result capture_frame(capture_run *run) {
  const vertex_capture *wanted = run->wanted;
  const uint32_t most = capture_section_count(wanted->pose->pack);
  mpak_result result = mpak_gl_crowd_show(run->crowd, 0, wanted->pose, wanted->states, wanted->lod);
  if (result == MPAK_OK) result = mpak_gl_crowd_deform(run->crowd);
  mpak_gl_make_writes_visible(run->gl);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  if (result == MPAK_OK) run->item_count = mpak_gl_crowd_extract(run->crowd, 0, run->items, most);
  return result;
}

// -- Reading back ----------------------------------------------------------------------------------------------------

static void capture_make_target(capture_run *run) {
  if (run->target != 0) return;
  glGenBuffers(1, &run->buffer);
  glGenFramebuffers(1, &run->target);
  glBindFramebuffer(GL_FRAMEBUFFER, run->target);
  glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_WIDTH, 1);
  glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_HEIGHT, 1);
}

static GLuint capture_program(capture_run *run, uint32_t influence_count) {
  GLuint *program = &run->programs[(influence_count + 3) / 4];
  if (*program != 0) return *program;
  view_shader vertex = {{"#version 430 core\n", view_capture_vert}};
  if (influence_count > 0)
    vertex = (view_shader){{"#version 430 core\n#define MPAK_INLINE\n", mpak_gl_vertex_source(run->gl, influence_count),
                            view_capture_vert}};
  *program = view_make_program(&vertex, NULL, NULL, "vCaptured", &run->text);
  return *program;
}

/// Draws a section's vertices as points, and takes what the vertex shader says.
static mpak_result capture_section(capture_run *run, const mpak_gl_item *item, mpak_base_vertex *vertices) {
  const mpak_section *section = &run->wanted->pose->pack->sections[item->section];
  const GLsizeiptr byte_count = (GLsizeiptr)section->vertex_count * (GLsizeiptr)sizeof *vertices;
  const bool is_skinned = item->is_skinned_inline && !run->wanted->is_before_skin;
  const GLuint program = capture_program(run, is_skinned ? item->influence_count : 0);
  if (program == 0) return MPAK_ERROR_GL;
  capture_make_target(run);
  glUseProgram(program);
  if (is_skinned) {
    glUniform1ui(MPAK_VERTEX_FIRST_BONE, item->first_bone);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, MPAK_VERTEX_PALETTE_BINDING, item->palette_buffer,
                      (GLintptr)item->palette_offset, (GLsizeiptr)item->palette_bytes);
  }
  glBindVertexArray(item->vertex_array);
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, run->buffer);
  glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, byte_count, NULL, GL_STREAM_READ);
  glEnable(GL_RASTERIZER_DISCARD);
  glBeginTransformFeedback(GL_POINTS);
  glDrawArrays(GL_POINTS, (GLint)section->first_vertex, (GLsizei)section->vertex_count);
  glEndTransformFeedback();
  glDisable(GL_RASTERIZER_DISCARD);
  glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, byte_count, vertices + section->first_vertex);
  glBindVertexArray(0);
  return MPAK_OK;
}

/// The buffer of a part whose vertices are finished there.
static mpak_result capture_output(const mpak_gl_output *output, mpak_base_vertex *vertices) {
  if (output->stride != sizeof *vertices) return MPAK_ERROR_ARGUMENT;
  glBindBuffer(GL_ARRAY_BUFFER, output->buffer);
  glGetBufferSubData(GL_ARRAY_BUFFER, (GLintptr)output->offset,
                     (GLsizeiptr)output->vertex_count * (GLsizeiptr)sizeof *vertices, vertices);
  return MPAK_OK;
}

/// Reads what an item shows: the whole part with its first item, or section by section.
static mpak_result capture_item(capture_run *run, uint32_t i, mpak_base_vertex *vertices) {
  const mpak_gl_item *item = &run->items[i];
  const bool is_first = i == 0 || item[-1].part != item->part || item[-1].instance != item->instance;
  mpak_gl_output output;
  mpak_result result = mpak_gl_crowd_output(run->crowd, 0, item->instance, item->part, &output);
  if (result != MPAK_OK) return result;
  const bool is_finished = !item->is_skinned_inline || run->wanted->is_before_skin;
  if (output.buffer == 0 || !is_finished) return capture_section(run, item, vertices);
  return is_first ? capture_output(&output, vertices) : MPAK_OK;
}

/// Parts without skin stand in their node's space until they are drawn.
static void capture_place(const vertex_capture *wanted, const mpak_gl_item *item, mpak_base_vertex *vertices) {
  const mpak_pack *pack = wanted->pose->pack;
  const mpak_section *section = &pack->sections[item->section];
  const bool is_skinned =
      pack->instances[item->instance].skin != MPAK_NONE && pack->parts[item->part].influence_count > 0;
  if (is_skinned || wanted->is_before_skin) return;
  mpak_move_vertices(&item->component_from_vertices, section->vertex_count, vertices + section->first_vertex,
                     vertices + section->first_vertex);
}

/// Where the caller wants the vertices of an item's part.
static mpak_base_vertex **capture_target(const vertex_capture *wanted, const mpak_gl_item *item) {
  const mpak_pack *pack = wanted->pose->pack;
  const uint32_t first_part = pack->meshes[pack->instances[item->instance].mesh].first_part;
  return &wanted->vertices[wanted->states->first_state[item->instance] + item->part - first_part];
}

static mpak_result capture_read(capture_run *run) {
  mpak_result result = MPAK_OK;
  for (uint32_t i = 0; result == MPAK_OK && i < run->item_count; i++) {
    const mpak_gl_item *item = &run->items[i];
    mpak_base_vertex **vertices = capture_target(run->wanted, item);
    if (run->wanted->is_before_skin && mpak_gl_model_technique(run->model, item->part) == MPAK_GL_CPU) *vertices = NULL;
    if (*vertices == NULL) continue;
    result = capture_item(run, i, *vertices);
    if (result == MPAK_OK) capture_place(run->wanted, item, *vertices);
  }
  if (result == MPAK_OK && glGetError() != GL_NO_ERROR) {
    run->text = "glGetBufferSubData";
    result = MPAK_ERROR_GL;
  }
  return result;
}

static viewer_result capture_result(mpak_result result) {
  switch (result) {
  case MPAK_OK: return VIEWER_OK;
  case MPAK_ERROR_OUT_OF_MEMORY: return VIEWER_NO_MEMORY;
  case MPAK_ERROR_GL: return VIEWER_NO_GL;
  default: return VIEWER_BAD_PACK;
  }
}

viewer_result vertex_capture_run(const vertex_capture *capture, viewer_outcome *outcome) {
  capture_run run = {.wanted = capture};
  mpak_result result = MPAK_ERROR_GL;
  if (offscreen_open(&run.screen, &run.text)) {
    result = capture_open(&run);
    if (result == MPAK_OK) result = capture_frame(&run);
    if (result == MPAK_OK) result = capture_read(&run);
    if (result == MPAK_ERROR_GL && run.text == NULL && run.gl != NULL) run.text = mpak_gl_error_text(run.gl);
    if (run.text == NULL || run.text[0] == 0) run.text = mpak_result_name(result);
  }
  outcome->result = capture_result(result);
  if (result != MPAK_OK) snprintf(outcome->text, sizeof outcome->text, "%s", run.text);
  capture_close(&run);
  return outcome->result;
}
