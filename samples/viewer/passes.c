#include "samples/viewer/passes.h"

#include <glad/gl.h>
#include <string.h>

#include "samples/viewer/view_shaders.h"

#define SHADOW_SIZE  2048
#define HEAT_BINDING 8

/// Numbers of passes.programs.
enum {
  PROGRAM_FORWARD,
  PROGRAM_MASK,
  PROGRAM_DEPTH,
  PROGRAM_NORMALS,
  PROGRAM_GROUND,
  PROGRAM_LINES,
  PROGRAM_OUTLINE,
  PROGRAM_BACKDROP,
  PROGRAM_TEXTURE,
  PROGRAM_COUNT
};

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

static bool passes_make_programs(passes *all, const char **log) {
  const view_shader mesh = {{view_vertex_glsl, view_mesh_vert}}, screen = {{view_screen_vert}};
  const view_shader mask = {{view_mask_frag}}, normals_geom = {{view_normals_geom}};
  uint32_t *p = all->programs;
  p[PROGRAM_FORWARD] = view_make_program(&mesh, NULL, &(view_shader){{view_light_glsl, view_forward_frag}}, log);
  if (p[PROGRAM_FORWARD] == 0) return false;
  p[PROGRAM_MASK] = view_make_program(&mesh, NULL, &mask, log);
  if (p[PROGRAM_MASK] == 0) return false;
  p[PROGRAM_DEPTH] = view_make_program(&mesh, NULL, &(view_shader){{view_depth_frag}}, log);
  if (p[PROGRAM_DEPTH] == 0) return false;
  p[PROGRAM_NORMALS] =
      view_make_program(&(view_shader){{view_vertex_glsl, view_normals_vert}}, &normals_geom, &mask, log);
  if (p[PROGRAM_NORMALS] == 0) return false;
  p[PROGRAM_GROUND] = view_make_program(&(view_shader){{view_ground_vert}}, NULL,
                                        &(view_shader){{view_light_glsl, view_ground_frag}}, log);
  if (p[PROGRAM_GROUND] == 0) return false;
  p[PROGRAM_LINES] = view_make_program(&(view_shader){{view_lines_vert}}, NULL, &mask, log);
  if (p[PROGRAM_LINES] == 0) return false;
  p[PROGRAM_OUTLINE] = view_make_program(&screen, NULL, &(view_shader){{view_outline_frag}}, log);
  if (p[PROGRAM_OUTLINE] == 0) return false;
  p[PROGRAM_BACKDROP] = view_make_program(&screen, NULL, &(view_shader){{view_backdrop_frag}}, log);
  if (p[PROGRAM_BACKDROP] == 0) return false;
  p[PROGRAM_TEXTURE] = view_make_program(&screen, NULL, &(view_shader){{view_texture_frag}}, log);
  return p[PROGRAM_TEXTURE] != 0;
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
  glGenQueries(2 * PASS_COUNT, all->queries[0]);
  return true;
}

void passes_free(passes *all) {
  for (int i = 0; i < PROGRAM_COUNT; i++)
    if (all->programs[i] != 0) glDeleteProgram(all->programs[i]);
  if (all->shadow_target != 0) {
    glDeleteFramebuffers(1, &all->shadow_target);
    glDeleteTextures(1, &all->shadow_texture);
    glDeleteVertexArrays(1, &all->empty_array);
    glDeleteVertexArrays(1, &all->line_array);
    glDeleteBuffers(1, &all->line_buffer);
    glDeleteQueries(2 * PASS_COUNT, all->queries[0]);
  }
  if (all->mask_target != 0) {
    glDeleteFramebuffers(1, &all->mask_target);
    glDeleteTextures(1, &all->mask_texture);
  }
  memset(all, 0, sizeof *all);
}

// -- One pass --------------------------------------------------------------------------------------------------------

static void passes_use(const passes *all, int program, const view_matrix *clip_from_world) {
  glUseProgram(all->programs[program]);
  if (clip_from_world != NULL) glUniformMatrix4fv(AT_CLIP_FROM_WORLD, 1, GL_FALSE, clip_from_world->m);
}

/// Draws all items with the program in use. mode: GL_TRIANGLES or GL_POINTS.
static void passes_draw_items(passes *all, const view_item *items, uint32_t count, GLenum mode, bool has_colour,
                              float heat_top_m) {
  for (uint32_t i = 0; i < count; i++) {
    const view_item *item = &items[i];
    glUniform4fv(AT_WORLD_FROM_VERTICES, 3, item->world_from_vertices.m);
    if (has_colour) glUniform3fv(AT_COLOUR, 1, item->base_colour);
    if (mode == GL_TRIANGLES) glUniform1f(AT_HEAT_TOP, item->heat_buffer != 0 ? heat_top_m : 0);
    if (item->heat_buffer != 0) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, HEAT_BINDING, item->heat_buffer);
    glBindVertexArray(item->vertex_array);
    glDrawElements(mode, (GLsizei)item->index_count, item->index_type, (const void *)(uintptr_t)item->index_offset);
    all->triangle_count += mode == GL_TRIANGLES ? item->index_count / 3 : 0;
    all->draw_count++;
  }
  glBindVertexArray(0);
}

static void passes_to_sun(float out[3]) {
  out[0] = 0.35f, out[1] = 0.80f, out[2] = 0.55f;
  vec_normalise(out);
}

/// The sun's view of a scene: a box that holds its ball.
static view_matrix passes_sun_view(const view_box *scene) {
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
  passes_use(all, PROGRAM_DEPTH, sun);
  passes_draw_items(all, items, count, GL_TRIANGLES, false, 0);
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
  passes_use(all, PROGRAM_BACKDROP, NULL);
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
  passes_use(all, PROGRAM_GROUND, &view->clip_from_world);
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
  passes_use(all, PROGRAM_FORWARD, &view->clip_from_world);
  passes_set_light(all, sun, options->has_shadow ? 1 : 0);
  glUniform3fv(AT_EYE, 1, view->eye);
  glUniform1f(AT_SHADOW_OFFSET, box_is_empty(&options->scene) ? 0 : box_radius(&options->scene) * 0.006f);
  glUniform1f(AT_COLOURS_NORMALS, options->colours_normals ? 1 : 0);
  glUniform3fv(AT_HEAT_STOPS, HEAT_STOP_COUNT, heat_stops[0]);
  glEnable(GL_POLYGON_OFFSET_FILL); // lines on top stay in front
  glPolygonOffset(options->is_wireframe ? 1 : 0, options->is_wireframe ? 1 : 0);
  passes_draw_items(all, items, count, GL_TRIANGLES, true, options->heat_top_m);
  glDisable(GL_POLYGON_OFFSET_FILL);
}

static void passes_draw_marks(passes *all, const camera_view *view, const view_item *items, uint32_t count,
                              const pass_options *options) {
  if (options->is_wireframe) {
    passes_use(all, PROGRAM_MASK, &view->clip_from_world);
    glUniform4f(AT_COLOUR, 0.02f, 0.03f, 0.05f, 1);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    passes_draw_items(all, items, count, GL_TRIANGLES, false, 0);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  }
  if (options->shows_normals) {
    passes_use(all, PROGRAM_NORMALS, &view->clip_from_world);
    glUniform4f(AT_COLOUR, 0.30f, 0.85f, 1.0f, 1);
    glUniform1f(AT_LENGTH, box_is_empty(&options->scene) ? 0 : box_radius(&options->scene) * 0.025f);
    passes_draw_items(all, items, count, GL_POINTS, false, 0);
  }
  if (options->line_point_count > 0) {
    passes_use(all, PROGRAM_LINES, &view->clip_from_world);
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
  passes_use(all, PROGRAM_MASK, &view->clip_from_world);
  glUniform4f(AT_COLOUR, 1, 1, 1, 1);
  passes_draw_items(all, items, count, GL_TRIANGLES, false, 0);
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
  passes_use(all, PROGRAM_OUTLINE, NULL);
  glUniform4f(AT_COLOUR, 1.0f, 0.62f, 0.18f, 0.9f);
  glUniform2i(AT_ORIGIN, area->x, area->y);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, all->mask_texture);
  glBindVertexArray(all->empty_array);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDisable(GL_BLEND);
}

// -- Times -----------------------------------------------------------------------------------------------------------

/// Takes what the queries of two frames ago say, if it is there; nothing waits.
static void passes_collect_times(passes *all) {
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

static void passes_begin(const passes *all, pass_kind kind) {
  glBeginQuery(GL_TIME_ELAPSED, all->queries[all->turn][kind]);
}

static void passes_end(void) { glEndQuery(GL_TIME_ELAPSED); }

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
  passes_use(all, PROGRAM_TEXTURE, NULL);
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
  passes_collect_times(all);
  const view_matrix sun = passes_sun_view(&options->scene);
  passes_begin(all, PASS_SHADOW);
  if (options->has_shadow) passes_draw_shadow(all, &sun, items, count);
  passes_end();
  passes_clear(target, area);
  passes_begin(all, PASS_FORWARD);
  passes_draw_backdrop(all, options->backdrop);
  if (options->has_ground) passes_draw_ground(all, view, &sun, options);
  passes_draw_forward(all, view, &sun, items, count, options);
  passes_draw_marks(all, view, items, count, options);
  passes_end();
  passes_begin(all, PASS_OUTLINE);
  if (options->has_outline) passes_draw_outline(all, target, area, view, items, count);
  passes_end();
  all->has_asked[all->turn] = true;
  all->turn = 1 - all->turn;
}
