/// minimal: opens a window and draws a pack that plays its first clip: all that a game needs of mpak, from start to
/// end.
///
/// usage: minimal PACK [FRAMES]    ends after so many frames, or when the window is closed
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <glad/gl.h> // before GLFW; any other loader will do: mpak has its own
#include <GLFW/glfw3.h>

#include "runtime/gl/mpak_gl.h"

#define MOST_ITEMS 256

static const char vertex_shader[] = "#version 430 core\n"
                                    "layout(location = 0) in vec3 aPosition;\n"
                                    "layout(location = 1) in vec3 aNormal;\n"
                                    "layout(location = 0) uniform vec4 uRows[3];\n" // component from vertices
                                    "layout(location = 3) uniform vec4 uFrame;\n"   // centre, 1 / size
                                    "layout(location = 4) uniform float uAspect;\n"
                                    "out vec3 vNormal;\n"
                                    "void main() {\n"
                                    "  vec4 p = vec4(aPosition, 1);\n"
                                    "  vec3 at = vec3(dot(uRows[0], p), dot(uRows[1], p), dot(uRows[2], p));\n"
                                    "  at = (at - uFrame.xyz) * uFrame.w;\n"
                                    "  vNormal = aNormal * mat3(uRows[0].xyz, uRows[1].xyz, uRows[2].xyz);\n"
                                    "  gl_Position = vec4(at.x / uAspect, at.y, -at.z * 0.5, 1);\n"
                                    "}\n";
static const char fragment_shader[] =
    "#version 430 core\n"
    "in vec3 vNormal;\n"
    "out vec4 oColour;\n"
    "layout(location = 5) uniform vec3 uColour;\n"
    "void main() {\n"
    "  float light = 0.35 + 0.65 * max(dot(normalize(vNormal), vec3(0.4, 0.6, 0.69)), 0.0);\n"
    "  oColour = vec4(sqrt(uColour * light), 1);\n"
    "}\n";

static GLuint make_program(void) {
  const char *texts[] = {vertex_shader, fragment_shader};
  GLuint program = glCreateProgram();
  for (int i = 0; i < 2; i++) {
    GLuint shader = glCreateShader(i == 0 ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER);
    glShaderSource(shader, 1, &texts[i], NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
    glDeleteShader(shader);
  }
  glLinkProgram(program);
  return program;
}

static mpak_gl_function get_function(void *user, const char *name) {
  (void)user;
  return glfwGetProcAddress(name);
}

/// The picture's centre and size: a ball around the bounds of the first frame.
static void frame_items(const mpak_gl_item *items, uint32_t count) {
  float min[3] = {INFINITY, INFINITY, INFINITY}, max[3] = {-INFINITY, -INFINITY, -INFINITY}, size = 1e-6f;
  for (uint32_t i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) {
      min[k] = fminf(min[k], items[i].bounds_min[k]);
      max[k] = fmaxf(max[k], items[i].bounds_max[k]);
    }
  for (int k = 0; k < 3; k++) size = fmaxf(size, 0.6f * (max[k] - min[k]));
  if (count > 0) glUniform4f(3, (min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2, 1 / size);
}

static void draw(const mpak_pack *pack, const mpak_gl_item *items, uint32_t count) {
  static const float grey[3] = {0.7f, 0.7f, 0.7f};
  glClearColor(0.1f, 0.11f, 0.13f, 1);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  for (uint32_t i = 0; i < count; i++) {
    const mpak_gl_item *item = &items[i];
    glUniform4fv(0, 3, item->component_from_vertices.m);
    glUniform3fv(5, 1, item->material != MPAK_NONE ? pack->materials[item->material].base_colour : grey);
    glBindVertexArray(item->vertex_array);
    glDrawElements(GL_TRIANGLES, (GLsizei)item->index_count, item->index_type, (void *)(uintptr_t)item->index_offset);
  }
  glBindVertexArray(0);
}

static mpak_result play(GLFWwindow *window, const mpak_pack *pack, long frames) {
  mpak_gl *gl = NULL;
  mpak_gl_model *body = NULL;
  mpak_gl_crowd *heroes = NULL;
  mpak_model *clips = NULL;
  mpak_character *hero = NULL;
  static mpak_gl_item items[MOST_ITEMS];
  mpak_gl_options options = {.getproc = get_function, .technique = MPAK_GL_SKIN_CACHE};
  mpak_result result = mpak_model_create_without_parts(pack, NULL, &clips, NULL); // clips; vertices go to the GPU alone
  if (result == MPAK_OK) result = mpak_character_create(clips, NULL, &hero);
  if (result == MPAK_OK) result = mpak_gl_create(&options, &gl);
  if (result == MPAK_OK) result = mpak_gl_model_create(gl, pack, NULL, &body, NULL);
  if (result == MPAK_OK) result = mpak_gl_crowd_create(body, 1, NULL, &heroes);
  if (result == MPAK_OK && pack->clip_count > 0) mpak_animation_player_play(&hero->player, 0, MPAK_PLAY_LOOP);
  for (long f = 0; result == MPAK_OK && (frames == 0 || f < frames) && !glfwWindowShouldClose(window); f++) {
    int width, height;
    glfwPollEvents();
    glfwGetFramebufferSize(window, &width, &height);
    glViewport(0, 0, width, height);
    mpak_character_update(hero, f == 0 ? 0 : 1.0 / 60);
    mpak_gl_crowd_show(heroes, 0, &hero->pose, &hero->morph_states, hero->lod);
    result = mpak_gl_crowd_deform(heroes); // uploads and dispatches what changed
    mpak_gl_make_writes_visible(gl);       // one barrier for all
    uint32_t count = mpak_gl_crowd_extract(heroes, 0, items, MOST_ITEMS);
    if (count > MOST_ITEMS) count = MOST_ITEMS;
    if (f == 0) frame_items(items, count);
    glUniform1f(4, height > 0 ? (float)width / (float)height : 1);
    draw(pack, items, count);
    glfwSwapBuffers(window);
  }
  mpak_gl_crowd_destroy(heroes);
  mpak_gl_model_destroy(body);
  mpak_gl_destroy(gl);
  mpak_character_destroy(hero);
  mpak_model_destroy(clips);
  return result;
}

static mpak_result show(const mpak_pack *pack, long frames) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  GLFWwindow *window = glfwCreateWindow(800, 600, "mpak", NULL, NULL);
  if (window == NULL) return MPAK_ERROR_GL;
  glfwMakeContextCurrent(window);
  gladLoadGL(glfwGetProcAddress);
  glEnable(GL_DEPTH_TEST);
  glUseProgram(make_program());
  return play(window, pack, frames);
}

int main(int argc, char **argv) {
  mpak_mapping file;
  mpak_pack pack;
  mpak_open_options options = {.decoder = mpak_zstd_decoder()};
  mpak_result result = argc < 2 ? MPAK_ERROR_ARGUMENT : mpak_map_file(argv[1], &file);
  if (result == MPAK_OK) result = mpak_open(file.bytes, file.byte_count, &options, &pack, NULL);
  if (result == MPAK_OK) result = glfwInit() ? show(&pack, argc > 2 ? atol(argv[2]) : 0) : MPAK_ERROR_GL;
  if (result != MPAK_OK) fprintf(stderr, "minimal PACK [FRAMES]: %s\n", mpak_result_name(result));
  glfwTerminate();
  if (argc >= 2) mpak_unmap_file(&file);
  return result == MPAK_OK ? 0 : 1;
}
