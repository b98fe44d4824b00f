#include "samples/viewer/passes.h"

#include <glad/gl.h>
#include <string.h>

#include "samples/viewer/view_shaders.h"
#include "shaders/mpak_gpu_layout.h"

#define SHADOW_SIZE  2048
#define HEAT_BINDING 8

/// Numbers of passes.mesh_programs: those that draw items.
typedef enum mesh_program {
  MESH_FORWARD,
  MESH_MASK,
  MESH_DEPTH,
  MESH_NORMALS,
  MESH_CAPTURE,
  MESH_PROGRAM_COUNT
} mesh_program;

/// Numbers of passes.programs: the others.
enum { PROGRAM_GROUND, PROGRAM_LINES, PROGRAM_OUTLINE, PROGRAM_BACKDROP, PROGRAM_TEXTURE, PROGRAM_COUNT };

/// Locations of uniforms, as in the shaders.
enum {
  AT_CLIP_FROM_WORLD = 0,
  AT_WORLD_FROM_VERTICES = 1,
  AT_GROUND = 1,
  AT_LINE_DISTANCE = 2,
  AT_HEAT_TOP = 4,
  AT_COLOUR = 5,
  AT_EYE = 6,
  AT_ORIGIN = 6,
  AT_COLOURS_NORMALS = 7,
  AT_LENGTH = 7,
  AT_TO_SUN = 8,
  AT_SHADOW_FROM_WORLD = 9,
  AT_SHADOW_STRENGTH = 10,
  AT_SHADOW_OFFSET = 11,
  AT_HEAT_STOPS = 16
};

const float heat_stops[HEAT_STOP_COUNT][3] = {{0.45f, 0.46f, 0.50f}, {0.22f, 0.42f, 0.86f}, {0.10f, 0.72f, 0.72f},
                                              {0.45f, 0.82f, 0.25f}, {0.98f, 0.82f, 0.20f}, {0.92f, 0.22f, 0.13f}};

void heat_colour(float share, float out[3]) {
  const float at = sqrtf(fminf(fmaxf(share, 0), 1)) * (HEAT_STOP_COUNT - 1);
  const int i = at < HEAT_STOP_COUNT - 2 ? (int)at : HEAT_STOP_COUNT - 2;
  for (int k = 0; k < 3; k++) out[k] = heat_stops[i][k] + (heat_stops[i + 1][k] - heat_stops[i][k]) * (at - (float)i);
}

// -- Making ----------------------------------------------------------------------------------------------------------

/// The program of a pass for items with so many influences to skin in the vertex shader; made when it is first needed.
/// 0: GL refuses it.
static uint32_t passes_mesh_program(passes *all, mesh_program kind, uint32_t influence_count, const char **log) {
  static const char *const bodies[MESH_PROGRAM_COUNT] = {view_mesh_vert, view_mesh_vert, view_mesh_vert,
                                                         view_normals_vert, view_mesh_vert};
  static const view_shader fragments[MESH_PROGRAM_COUNT] = {{{view_light_glsl, view_forward_frag}},
                                                            {{view_mask_frag}},
                                                            {{view_depth_frag}},
                                                            {{view_mask_frag}},
                                                            {{view_depth_frag}}};
  static const view_shader geometry = {{view_normals_geom}};
  uint32_t *program = &all->mesh_programs[(influence_count + 3) / 4][kind];
  if (*program != 0) return *program;
  view_shader vertex = {{"#version 430 core\n", view_vertex_glsl, bodies[kind]}};
  if (influence_count > 0 && all->skin_source != NULL)
    vertex = (view_shader){{"#version 430 core\n#define MPAK_INLINE\n",
                            all->skin_source(all->skin_user, influence_count), view_vertex_glsl, bodies[kind]}};
  *program = view_make_program(&vertex, kind == MESH_NORMALS ? &geometry : NULL, &fragments[kind],
                               kind == MESH_CAPTURE ? "vPosition" : NULL, log);
  return *program;
}

static bool passes_make_programs(passes *all, const char **log) {
  static const view_shader pairs[PROGRAM_COUNT][2] = {
      {{{view_ground_vert}}, {{view_light_glsl, view_ground_frag}}},
      {{{view_lines_vert}}, {{view_mask_frag}}},
      {{{view_screen_vert}}, {{view_outline_frag}}},
      {{{view_screen_vert}}, {{view_backdrop_frag}}},
      {{{view_screen_vert}}, {{view_texture_frag}}},
  };
  for (int i = 0; i < PROGRAM_COUNT; i++) {
    all->programs[i] = view_make_program(&pairs[i][0], NULL, &pairs[i][1], NULL, log);
    if (all->programs[i] == 0) return false;
  }
  for (int i = 0; i < MESH_PROGRAM_COUNT; i++)
    if (passes_mesh_program(all, (mesh_program)i, 0, log) == 0) return false;
  return true;
}

static GLuint passes_texture(GLenum format, uint32_t width, uint32_t height) {
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexStorage2D(GL_TEXTURE_2D, 1, format, (GLsizei)width, (GLsizei)height);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return texture;
}

static void passes_make_shadow(passes *all) {
  static const float lit[4] = {1, 1, 1, 1};
  all->shadow_texture = passes_texture(GL_DEPTH_COMPONENT24, SHADOW_SIZE, SHADOW_SIZE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
  glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, lit);
  glGenFramebuffers(1, &all->shadow_target);
  glBindFramebuffer(GL_FRAMEBUFFER, all->shadow_target);
  glFramebufferTexture(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, all->shadow_texture, 0);
  glDrawBuffer(GL_NONE);
}

bool passes_make(passes *all, const char **log) {
  memset(all, 0, sizeof *all);
  for (int i = 0; i < PASS_COUNT; i++) all->times_ms[i] = -1;
  if (!passes_make_programs(all, log)) return false;
  passes_make_shadow(all);
  glGenVertexArrays(1, &all->empty_array);
  glGenVertexArrays(1, &all->line_array);
  glGenBuffers(1, &all->line_buffer);
  glBindVertexArray(all->line_array);
  glBindBuffer(GL_ARRAY_BUFFER, all->line_buffer);
  glEnableVertexAttribArray(0);
  glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 12, NULL);
  glBindVertexArray(0);
  for (int i = 0; i < 2; i++) glGenQueries(PASS_COUNT, all->queries[i]);
  return true;
}

void passes_free(passes *all) {
  for (int i = 0; i < PROGRAM_COUNT; i++)
    if (all->programs[i] != 0) glDeleteProgram(all->programs[i]);
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < MESH_PROGRAM_COUNT; i++)
      if (all->mesh_programs[k][i] != 0) glDeleteProgram(all->mesh_programs[k][i]);
  if (all->shadow_target != 0) {
    glDeleteFramebuffers(1, &all->shadow_target);
    glDeleteTextures(1, &all->shadow_texture);
    glDeleteVertexArrays(1, &all->empty_array);
    glDeleteVertexArrays(1, &all->line_array);
    glDeleteBuffers(1, &all->line_buffer);
    for (int i = 0; i < 2; i++) glDeleteQueries(PASS_COUNT, all->queries[i]);
  }
  if (all->mask_target != 0) {
    glDeleteFramebuffers(1, &all->mask_target);
    glDeleteTextures(1, &all->mask_texture);
  }
  memset(all, 0, sizeof *all);
}

// -- One pass --------------------------------------------------------------------------------------------------------

static void passes_use(uint32_t program, const view_matrix *clip_from_world) {
  glUseProgram(program);
  if (clip_from_world != NULL) glUniformMatrix4fv(AT_CLIP_FROM_WORLD, 1, GL_FALSE, clip_from_world->m);
}

/// What a pass sets in each of the programs that its items need.
typedef struct mesh_pass {
  mesh_program kind;
  const view_matrix *clip_from_world;
  const view_matrix *sun; ///< forward
  const camera_view *view;
  const pass_options *options;
  float flat_colour[4]; ///< mask, normals
} mesh_pass;

static void passes_set_light(const passes *all, const view_matrix *sun, float strength);

static void passes_set_forward(const passes *all, const mesh_pass *pass) {
  const view_box *scene = &pass->options->scene;
  passes_set_light(all, pass->sun, pass->options->has_shadow ? 1 : 0);
  glUniform3fv(AT_EYE, 1, pass->view->eye);
  glUniform1f(AT_SHADOW_OFFSET, box_is_empty(scene) ? 0 : box_radius(scene) * 0.006f);
  glUniform1f(AT_COLOURS_NORMALS, pass->options->colours_normals ? 1 : 0);
  glUniform3fv(AT_HEAT_STOPS, HEAT_STOP_COUNT, heat_stops[0]);
}

/// Puts a program into use, with all that does not depend on the item. False: there is none.
static bool passes_use_mesh(passes *all, const mesh_pass *pass, uint32_t influence_count) {
  const uint32_t program = passes_mesh_program(all, pass->kind, influence_count, NULL);
  if (program == 0) return false;
  passes_use(program, pass->clip_from_world);
  if (pass->kind == MESH_FORWARD) passes_set_forward(all, pass);
  if (pass->kind == MESH_MASK || pass->kind == MESH_NORMALS) glUniform4fv(AT_COLOUR, 1, pass->flat_colour);
  if (pass->kind == MESH_NORMALS) {
    const view_box *scene = &pass->options->scene;
    glUniform1f(AT_LENGTH, box_is_empty(scene) ? 0 : box_radius(scene) * 0.025f);
  }
  return true;
}

static void passes_set_item(const view_item *item) {
  glUniform4fv(AT_WORLD_FROM_VERTICES, 3, item->world_from_vertices.m);
  if (item->influence_count > 0) {
    glUniform1ui(MPAK_VERTEX_FIRST_BONE, item->first_bone);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, MPAK_VERTEX_PALETTE_BINDING, item->palette_buffer,
                      (GLintptr)item->palette_offset, (GLsizeiptr)item->palette_bytes);
  }
  if (item->heat_buffer != 0) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, HEAT_BINDING, item->heat_buffer);
  glBindVertexArray(item->vertex_array);
}

/// Draws all items by one pass.
static void passes_draw_items(passes *all, const view_item *items, uint32_t count, const mesh_pass *pass) {
  const GLenum mode = pass->kind == MESH_NORMALS ? GL_POINTS : GL_TRIANGLES;
  for (uint32_t i = 0; i < count; i++) {
    const view_item *item = &items[i];
    const bool is_same = i > 0 && item->influence_count == item[-1].influence_count;
    if (!is_same && !passes_use_mesh(all, pass, item->influence_count)) continue;
    passes_set_item(item);
    if (pass->kind == MESH_FORWARD) {
      glUniform3fv(AT_COLOUR, 1, item->base_colour);
      glUniform1f(AT_HEAT_TOP, item->heat_buffer != 0 ? pass->options->heat_top_m : 0);
    }
    glDrawElements(mode, (GLsizei)item->index_count, item->index_type, (const void *)(uintptr_t)item->index_offset);
    all->triangle_count += mode == GL_TRIANGLES ? item->index_count / 3 : 0;
    all->draw_count++;
  }
  glBindVertexArray(0);
}

void passes_capture(passes *all, const view_item *item, uint32_t first_vertex, uint32_t vertex_count,
                    uint32_t capture_buffer, float (*found)[3]) {
  static const view_matrix same = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
  const GLsizeiptr byte_count = (GLsizeiptr)vertex_count * 12;
  const mesh_pass pass = {.kind = MESH_CAPTURE, .clip_from_world = &same};
  if (!passes_use_mesh(all, &pass, item->influence_count)) return;
  passes_set_item(item);
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, capture_buffer);
  glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, byte_count, NULL, GL_STREAM_READ);
  glEnable(GL_RASTERIZER_DISCARD);
  glBeginTransformFeedback(GL_POINTS);
  glDrawArrays(GL_POINTS, (GLint)first_vertex, (GLsizei)vertex_count);
  glEndTransformFeedback();
  glDisable(GL_RASTERIZER_DISCARD);
  glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, byte_count, found);
  glBindVertexArray(0);
}

static void passes_to_sun(float out[3]) {
  out[0] = 0.35f, out[1] = 0.80f, out[2] = 0.55f;
  vec_normalise(out);
}

view_matrix passes_sun_view(const view_box *scene) {
  float to_sun[3], forward[3], eye[3], centre[3];
  static const float up[3] = {0, 1, 0};
  const float radius = box_is_empty(scene) ? 1 : fmaxf(box_radius(scene), 1e-6f);
  passes_to_sun(to_sun);
  if (box_is_empty(scene))
    memset(centre, 0, sizeof centre);
  else
    box_centre(scene, centre);
  for (int i = 0; i < 3; i++) {
    forward[i] = -to_sun[i];
    eye[i] = centre[i] + to_sun[i] * radius * 2;
  }
  const view_matrix view = matrix_look(eye, forward, up);
  const view_matrix projection = matrix_orthographic(radius, radius, radius * 0.9f, radius * 3.1f);
  view_matrix out;
  matrix_multiply(&projection, &view, &out);
  return out;
}

static void passes_draw_shadow(passes *all, const view_matrix *sun, const view_item *items, uint32_t count) {
  glBindFramebuffer(GL_FRAMEBUFFER, all->shadow_target);
  glViewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
  glEnable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  glClear(GL_DEPTH_BUFFER_BIT);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(2.5f, 4);
  passes_draw_items(all, items, count, &(mesh_pass){.kind = MESH_DEPTH, .clip_from_world = sun});
  glDisable(GL_POLYGON_OFFSET_FILL);
}

static void passes_set_light(const passes *all, const view_matrix *sun, float strength) {
  static const view_matrix half = {{0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 0.5f, 0, 0.5f, 0.5f, 0.5f, 1}};
  float to_sun[3];
  view_matrix shadow;
  passes_to_sun(to_sun);
  matrix_multiply(&half, sun, &shadow);
  glUniform3fv(AT_TO_SUN, 1, to_sun);
  glUniformMatrix4fv(AT_SHADOW_FROM_WORLD, 1, GL_FALSE, shadow.m);
  glUniform1f(AT_SHADOW_STRENGTH, strength);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, all->shadow_texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
}

static void passes_draw_backdrop(passes *all, const float colour[3]) {
  glDisable(GL_DEPTH_TEST);
  passes_use(all->programs[PROGRAM_BACKDROP], NULL);
  glUniform4f(AT_COLOUR, colour[0], colour[1], colour[2], 1);
  glBindVertexArray(all->empty_array);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glEnable(GL_DEPTH_TEST);
}

/// A round number near a quarter of the size: 1, 2 or 5 times a power of ten.
static float passes_line_distance(float size) {
  const float raw = size / 4, power = powf(10, floorf(log10f(raw)));
  const float rest = raw / power;
  return power * (rest < 1.5f ? 1 : rest < 3.5f ? 2 : rest < 7.5f ? 5 : 10);
}

static void passes_draw_ground(passes *all, const camera_view *view, const view_matrix *sun,
                               const pass_options *options) {
  const view_box *scene = &options->scene;
  if (box_is_empty(scene)) return;
  const float radius = fmaxf(box_radius(scene), 1e-6f);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glDepthMask(GL_FALSE);
  passes_use(all->programs[PROGRAM_GROUND], &view->clip_from_world);
  passes_set_light(all, sun, options->has_shadow ? 1 : 0);
  glUniform4f(AT_GROUND, 0.5f * (scene->min[0] + scene->max[0]), scene->min[1] - radius * 0.002f,
              0.5f * (scene->min[2] + scene->max[2]), radius * 2.2f);
  glUniform1f(AT_LINE_DISTANCE, passes_line_distance(radius * 2));
  glBindVertexArray(all->empty_array);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}

static void passes_draw_forward(passes *all, const camera_view *view, const view_matrix *sun, const view_item *items,
                                uint32_t count, const pass_options *options) {
  const mesh_pass pass = {
      .kind = MESH_FORWARD, .clip_from_world = &view->clip_from_world, .sun = sun, .view = view, .options = options};
  glEnable(GL_POLYGON_OFFSET_FILL); // lines on top stay in front
  glPolygonOffset(options->is_wireframe ? 1 : 0, options->is_wireframe ? 1 : 0);
  passes_draw_items(all, items, count, &pass);
  glDisable(GL_POLYGON_OFFSET_FILL);
}

static void passes_draw_marks(passes *all, const camera_view *view, const view_item *items, uint32_t count,
                              const pass_options *options) {
  mesh_pass pass = {.kind = MESH_MASK,
                    .clip_from_world = &view->clip_from_world,
                    .options = options,
                    .flat_colour = {0.02f, 0.03f, 0.05f, 1}};
  if (options->is_wireframe) {
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    passes_draw_items(all, items, count, &pass);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  }
  pass.kind = MESH_NORMALS;
  memcpy(pass.flat_colour, (float[4]){0.30f, 0.85f, 1.0f, 1}, sizeof pass.flat_colour);
  if (options->shows_normals) passes_draw_items(all, items, count, &pass);
  if (options->line_point_count > 0) {
    passes_use(all->programs[PROGRAM_LINES], &view->clip_from_world);
    glUniform4f(AT_COLOUR, 1.0f, 0.78f, 0.30f, 1);
    glBindVertexArray(all->line_array);
    glBindBuffer(GL_ARRAY_BUFFER, all->line_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)options->line_point_count * 12, options->lines, GL_STREAM_DRAW);
    glDrawArrays(GL_LINES, 0, (GLsizei)options->line_point_count);
  }
}

static bool passes_need_mask(passes *all, uint32_t width, uint32_t height) {
  if (all->mask_width == width && all->mask_height == height) return true;
  if (all->mask_target != 0) {
    glDeleteFramebuffers(1, &all->mask_target);
    glDeleteTextures(1, &all->mask_texture);
  }
  all->mask_texture = passes_texture(GL_R8, width, height);
  glGenFramebuffers(1, &all->mask_target);
  glBindFramebuffer(GL_FRAMEBUFFER, all->mask_target);
  glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, all->mask_texture, 0);
  all->mask_width = width;
  all->mask_height = height;
  return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static void passes_draw_mask(passes *all, const camera_view *view, const view_item *items, uint32_t count) {
  glClearColor(0, 0, 0, 0);
  glClear(GL_COLOR_BUFFER_BIT);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  const mesh_pass pass = {.kind = MESH_MASK, .clip_from_world = &view->clip_from_world, .flat_colour = {1, 1, 1, 1}};
  passes_draw_items(all, items, count, &pass);
}

static void passes_bind_area(const framebuffer *target, const pass_area *area) {
  glBindFramebuffer(GL_FRAMEBUFFER, target->draw);
  glViewport(area->x, area->y, (GLsizei)area->width, (GLsizei)area->height);
}

static void passes_draw_outline(passes *all, const framebuffer *target, const pass_area *area, const camera_view *view,
                                const view_item *items, uint32_t count) {
  if (!passes_need_mask(all, area->width, area->height)) return;
  glBindFramebuffer(GL_FRAMEBUFFER, all->mask_target);
  glViewport(0, 0, (GLsizei)area->width, (GLsizei)area->height);
  passes_draw_mask(all, view, items, count);
  passes_bind_area(target, area);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  passes_use(all->programs[PROGRAM_OUTLINE], NULL);
  glUniform4f(AT_COLOUR, 1.0f, 0.62f, 0.18f, 0.9f);
  glUniform2i(AT_ORIGIN, area->x, area->y);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, all->mask_texture);
  glBindVertexArray(all->empty_array);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDisable(GL_BLEND);
}

// -- Times -----------------------------------------------------------------------------------------------------------

void passes_begin_picture(passes *all) {
  const uint32_t turn = all->turn;
  if (!all->has_asked[turn]) return;
  for (int i = 0; i < PASS_COUNT; i++) {
    GLuint is_there = 0;
    GLuint64 elapsed_ns = 0;
    glGetQueryObjectuiv(all->queries[turn][i], GL_QUERY_RESULT_AVAILABLE, &is_there);
    if (!is_there) continue;
    glGetQueryObjectui64v(all->queries[turn][i], GL_QUERY_RESULT, &elapsed_ns);
    all->times_ms[i] = (double)elapsed_ns / 1e6;
  }
}

void passes_begin_time(const passes *all, pass_kind kind) {
  glBeginQuery(GL_TIME_ELAPSED, all->queries[all->turn][kind]);
}

void passes_end_time(void) { glEndQuery(GL_TIME_ELAPSED); }

// -- A picture -------------------------------------------------------------------------------------------------------

static void passes_clear(const framebuffer *target, const pass_area *area) {
  passes_bind_area(target, area);
  glEnable(GL_SCISSOR_TEST);
  glScissor(area->x, area->y, (GLsizei)area->width, (GLsizei)area->height);
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  glDisable(GL_SCISSOR_TEST);
}

static void passes_draw_only(passes *all, const framebuffer *target, const pass_area *area, const camera_view *view,
                             const view_item *items, uint32_t count, const pass_options *options) {
  const view_matrix sun = passes_sun_view(&options->scene);
  if (options->only == PASS_SHADOW) passes_draw_shadow(all, &sun, items, count);
  passes_clear(target, area);
  glEnable(GL_DEPTH_TEST);
  if (options->only == PASS_FORWARD) passes_draw_forward(all, view, &sun, items, count, options);
  if (options->only == PASS_OUTLINE) passes_draw_mask(all, view, items, count);
  if (options->only != PASS_SHADOW) return;
  passes_use(all->programs[PROGRAM_TEXTURE], NULL);
  glDisable(GL_DEPTH_TEST);
  glBindTexture(GL_TEXTURE_2D, all->shadow_texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_NONE);
  glBindVertexArray(all->empty_array);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void passes_draw(passes *all, const framebuffer *target, const pass_area *area, const camera_view *view,
                 const view_item *items, uint32_t count, const pass_options *options) {
  all->triangle_count = all->draw_count = 0;
  if (options->is_only) {
    passes_draw_only(all, target, area, view, items, count, options);
    return;
  }
  const view_matrix sun = passes_sun_view(&options->scene);
  passes_begin_time(all, PASS_SHADOW);
  if (options->has_shadow) passes_draw_shadow(all, &sun, items, count);
  passes_end_time();
  passes_clear(target, area);
  passes_begin_time(all, PASS_FORWARD);
  passes_draw_backdrop(all, options->backdrop);
  if (options->has_ground) passes_draw_ground(all, view, &sun, options);
  passes_draw_forward(all, view, &sun, items, count, options);
  passes_draw_marks(all, view, items, count, options);
  passes_end_time();
  passes_begin_time(all, PASS_OUTLINE);
  if (options->has_outline) passes_draw_outline(all, target, area, view, items, count);
  passes_end_time();
  all->has_asked[all->turn] = true;
  all->turn = 1 - all->turn;
}
