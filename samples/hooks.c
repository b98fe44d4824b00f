/// hooks: two hooks of a game in mpak's compute shaders: a wave that runs over the morphed mesh, and a skin of its own.
/// Each is drawn from the same buffers as without it. Here the vertices are read back instead, and compared with the
/// same formulas on the CPU.
///
/// usage: hooks PACK    needs no window
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glad/gl.h>

#include "runtime/gl/mpak_gl.h"
#include "samples/sample_file.h"
#include "samples/viewer/offscreen.h"

/// uHook[0]: height in metres, waves a metre (in radians), phase.
static const char wave_hook[] = "position.y += uHook[0].x * sin(uHook[0].y * position.x + uHook[0].z);\n";
static float wave_values[8][4] = {{0.02f, 20, 0}}; // the phase moves on from frame to frame
#define WAVE_FRAMES 3

/// Every vertex follows its strongest bone alone, which stands first. Parts without skin compile the hook too.
static const char rigid_hook[] =
    "#if MPAK_INFLUENCES > 0\n"
    "uvec4 joints;\n"
    "vec4 weights;\n"
    "mpak_skin_quad(vertex, 0u, joints, weights);\n"
    "uint bone = uMpak[MPAK_PARAM_PALETTE_FIRST] + individual * uMpak[MPAK_PARAM_PALETTE_STRIDE];\n"
    "uint row = 3u * (bone + mpak_section_bone + joints.x);\n"
    "mat3x4 rows = mat3x4(mpak_palette[row], mpak_palette[row + 1u], mpak_palette[row + 2u]);\n"
    "mpak_move_vertex(rows, position, normal, tangent);\n"
    "#endif\n";

/// A hook, and what it does to morphed vertices or weights on the CPU.
typedef struct sample_hook {
  const char *name;
  mpak_gl_hooks hooks;
  void (*move)(uint32_t count, mpak_base_vertex *vertices);
  void (*weigh)(uint32_t count, uint32_t influence_count, float *weights);
} sample_hook;

static void wave_move(uint32_t count, mpak_base_vertex *vertices) {
  for (uint32_t v = 0; v < count; v++) {
    float *p = vertices[v].position;
    p[1] += wave_values[0][0] * sinf(wave_values[0][1] * p[0] + wave_values[0][2]);
  }
}

static void rigid_weigh(uint32_t count, uint32_t influence_count, float *weights) {
  for (uint32_t i = 0; i < count * influence_count; i++) weights[i] = i % influence_count == 0 ? 1 : 0;
}

/// Morphed, hooked, skinned or moved by its node, as the GPU does it.
static void deform_on_cpu(mpak_character *hero, uint32_t number, const sample_hook *hook, mpak_base_vertex *out) {
  const mpak_pack *pack = hero->model->pack;
  const mpak_character_output *output = &hero->outputs[number];
  const mpak_part *part = &pack->parts[output->part];
  const mpak_instance *instance = &pack->instances[output->instance];
  mpak_part_data data = *output->data;
  mpak_morph_vertices(pack, output->part, &data, hero->morph_states.states[number].shape_weights, out);
  if (hook->move) hook->move(part->vertex_count, out);
  if (instance->skin == MPAK_NONE || part->influence_count == 0) {
    mpak_move_vertices(&hero->pose.components[instance->node], part->vertex_count, out, out);
    return;
  }
  const size_t weight_bytes = (size_t)part->vertex_count * part->influence_count * sizeof *data.weights;
  float *weights = malloc(weight_bytes + 1);
  if (!weights) abort();
  memcpy(weights, data.weights, weight_bytes);
  if (hook->weigh) hook->weigh(part->vertex_count, part->influence_count, weights);
  data.weights = weights;
  mpak_pose_skin_palette(&hero->pose, instance->skin, hero->palette);
  mpak_skin_vertices(pack, output->part, &data, hero->palette, out, out);
  free(weights);
}

/// The same part as the GPU left it. False: the level of detail does not show it.
static bool read_from_gpu(const mpak_gl_crowd *crowd, const mpak_character *hero, uint32_t number,
                          mpak_base_vertex *out) {
  const mpak_pack *pack = hero->model->pack;
  const mpak_character_output *output = &hero->outputs[number];
  const mpak_instance *instance = &pack->instances[output->instance];
  mpak_gl_output found;
  if (mpak_gl_crowd_output(crowd, 0, output->instance, output->part, &found) != MPAK_OK) return false;
  glBindBuffer(GL_ARRAY_BUFFER, found.buffer);
  glGetBufferSubData(GL_ARRAY_BUFFER, (GLintptr)found.offset, (GLsizeiptr)(found.vertex_count * sizeof *out), out);
  if (instance->skin == MPAK_NONE || pack->parts[output->part].influence_count == 0)
    mpak_move_vertices(&hero->pose.components[instance->node], found.vertex_count, out, out);
  return true;
}

static float largest_distance(const mpak_base_vertex *a, const mpak_base_vertex *b, uint32_t count) {
  float largest = 0;
  for (uint32_t v = 0; v < count; v++) {
    const float *p = a[v].position, *q = b[v].position;
    largest = fmaxf(largest, hypotf(hypotf(p[0] - q[0], p[1] - q[1]), p[2] - q[2]));
  }
  return largest;
}

/// What the frames of a hook showed.
typedef struct hook_result {
  float moved_m; ///< farthest from where the vertices are without it
  float apart_m; ///< farthest from the CPU's formula
  uint32_t vertex_count;
} hook_result;

static void compare_frame(mpak_gl_crowd *crowd, mpak_character *hero, const sample_hook *hook, hook_result *seen) {
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT); // for reading back; drawing does not need it
  seen->vertex_count = 0;
  for (uint32_t i = 0; i < hero->output_count; i++) {
    const uint32_t count = hero->model->pack->parts[hero->outputs[i].part].vertex_count;
    mpak_base_vertex *found = malloc(2 * (count + 1) * sizeof *found);
    if (!found) abort();
    if (read_from_gpu(crowd, hero, i, found)) {
      deform_on_cpu(hero, i, hook, found + count);
      seen->moved_m = fmaxf(seen->moved_m, largest_distance(found, hero->outputs[i].vertices, count));
      seen->apart_m = fmaxf(seen->apart_m, largest_distance(found, found + count, count));
      seen->vertex_count += count;
    }
    free(found);
  }
}

/// Frames with a hook: how far it moved vertices, and how far the CPU is from it. The wave travels by its phase alone:
/// the character stands still, and only changed values make a frame cost a dispatch.
static mpak_result show_hook(mpak_gl *gl, mpak_gl_model *body, mpak_character *hero, const sample_hook *hook) {
  hook_result seen = {0};
  mpak_gl_crowd *crowd;
  mpak_result result = mpak_gl_crowd_create(body, 1, &(mpak_gl_crowd_options){.hooks = hook->hooks}, &crowd);
  if (result != MPAK_OK) return result;
  for (int frame = 0; result == MPAK_OK && frame < WAVE_FRAMES; frame++) {
    wave_values[0][2] = 0.7f * (float)(frame + 1);
    mpak_gl_crowd_set_hook_values(crowd, wave_values);
    mpak_gl_crowd_show(crowd, 0, &hero->pose, &hero->morph_states, hero->lod);
    result = mpak_gl_crowd_deform(crowd);
    mpak_gl_make_writes_visible(gl);
    if (result == MPAK_OK) compare_frame(crowd, hero, hook, &seen);
  }
  if (result == MPAK_OK)
    printf("%s: %u vertices, moved by up to %g m, the CPU's formula within %g m\n", hook->name, seen.vertex_count,
           (double)seen.moved_m, (double)seen.apart_m);
  else
    fprintf(stderr, "%s: %s\n", hook->name, mpak_gl_error_text(gl)); // the compiler's words on a hook, too
  mpak_gl_crowd_destroy(crowd);
  return result;
}

static mpak_result show(const mpak_pack *pack, offscreen *screen) {
  static const sample_hook hooks[] = {{"wave", {.after_morph = wave_hook}, wave_move, NULL},
                                      {"rigid skin", {.skin = rigid_hook}, NULL, rigid_weigh}};
  const mpak_gl_options options = {.getproc = offscreen_get_function, .getproc_user = screen};
  mpak_model *model;
  mpak_character *hero = NULL;
  mpak_gl *gl = NULL;
  mpak_gl_model *body = NULL;
  mpak_result result = mpak_model_create(pack, NULL, &model, NULL);
  if (result == MPAK_OK) result = mpak_character_create(model, NULL, &hero);
  if (result == MPAK_OK) result = mpak_gl_create(&options, &gl);
  if (result == MPAK_OK)
    result = mpak_gl_model_create(gl, pack, &(mpak_gl_model_options){.decoded = model}, &body, NULL);
  if (result == MPAK_OK && pack->clip_count > 0) mpak_animation_player_play(&hero->player, 0, MPAK_PLAY_LOOP);
  if (result == MPAK_OK) mpak_character_update(hero, 0.4);
  for (int h = 0; h < 2 && result == MPAK_OK; h++) result = show_hook(gl, body, hero, &hooks[h]);
  mpak_gl_model_destroy(body);
  mpak_gl_destroy(gl);
  mpak_character_destroy(hero);
  mpak_model_destroy(model);
  return result;
}

int main(int argc, char **argv) {
  sample_file file = {0};
  offscreen screen = {0};
  mpak_pack pack;
  const char *reason = "";
  const mpak_open_options options = {.decoder = mpak_zstd_decoder()};
  mpak_result result = argc == 2 ? sample_file_open(argv[1], &options, &file, NULL) : MPAK_ERROR_ARGUMENT;
  if (result == MPAK_OK) result = mpak_open(file.bytes, file.byte_count, &options, &pack, NULL);
  if (result == MPAK_OK) result = offscreen_open(&screen, &reason) ? show(&pack, &screen) : MPAK_ERROR_GL;
  if (result != MPAK_OK) fprintf(stderr, "hooks PACK: %s %s\n", mpak_result_name(result), reason);
  offscreen_close(&screen);
  sample_file_close(&file);
  return result == MPAK_OK ? 0 : 1;
}
