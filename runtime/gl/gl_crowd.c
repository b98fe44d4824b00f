/// gl_crowd.c: individuals of a model: their memory, and what of them changed since the GPU last heard of it.
#include <string.h>

#include "format/bytes.h"
#include "runtime/gl/gl_private.h"

// -- Outputs ---------------------------------------------------------------------------------------------------------

static const uint32_t crowd_stride_words[] = {
    [MPAK_GL_OUTPUT_48] = 12, [MPAK_GL_OUTPUT_24] = 6, [MPAK_GL_OUTPUT_INTERLEAVED] = 12};

uint32_t gl_output_stride_words(const mpak_gl_crowd *crowd, const gl_output *output) {
  const gl_part *part = &crowd->model->parts[output->part];
  uint32_t words = crowd_stride_words[crowd->options.output];
  if (crowd->options.output == MPAK_GL_OUTPUT_INTERLEAVED) {
    words += crowd->model->pack->parts[output->part].influence_count / 4 * part->skin_quad_words;
  }
  return words;
}

uint64_t gl_output_individual_bytes(const mpak_gl_crowd *crowd, const gl_output *output) {
  const uint64_t vertices = crowd->model->pack->parts[output->part].vertex_count;
  return bytes_align(vertices, GL_VERTEX_ALIGNMENT) * gl_output_stride_words(crowd, output) * 4;
}

bool gl_crowd_has_hooks(const mpak_gl_crowd *crowd) {
  const mpak_gl_hooks *hooks = &crowd->options.hooks;
  return hooks->after_morph || hooks->skin || hooks->after_skin;
}

/// Motion vectors and hooks around skinning need finished vertices, which inline does not have.
static void crowd_choose_technique(const mpak_gl_crowd *crowd, gl_output *output) {
  const mpak_gl_hooks *hooks = &crowd->options.hooks;
  output->technique = crowd->model->parts[output->part].technique;
  if (output->technique == MPAK_GL_INLINE && output->is_skinned &&
      (crowd->options.keep_previous || hooks->skin || hooks->after_skin)) {
    output->technique = MPAK_GL_SKIN_CACHE;
  }
}

/// Technique and what follows from it.
static void crowd_decide(mpak_gl_crowd *crowd, gl_output *output) {
  crowd_choose_technique(crowd, output);
  output->is_deformed = crowd->model->pack->parts[output->part].shape_count > 0 ||
                        crowd->options.output != MPAK_GL_OUTPUT_48 || gl_crowd_has_hooks(crowd) ||
                        (output->is_skinned && output->technique != MPAK_GL_INLINE);
  if (output->is_skinned && output->technique != MPAK_GL_CPU) crowd->uses_palette = true;
}

static void crowd_start_output(mpak_gl_crowd *crowd, gl_output *output, uint32_t instance, uint32_t part) {
  const mpak_pack *pack = crowd->model->pack;
  const mpak_part *record = &pack->parts[part];
  output->instance = instance;
  output->part = part;
  output->is_skinned = pack->instances[instance].skin != MPAK_NONE && record->influence_count > 0;
  crowd_decide(crowd, output);
  if (output->is_skinned) {
    output->palette_first = crowd->palette_stride_bones;
    crowd->palette_stride_bones += crowd->model->parts[part].bone_count;
  }
}

static mpak_result crowd_make_output(mpak_gl_crowd *crowd, gl_output *output) {
  mpak_gl *gl = crowd->model->gl;
  const uint32_t shape_count = crowd->model->pack->parts[output->part].shape_count;
  mpak_result result = gl_allocate(gl, crowd->count, sizeof *output->seen, &output->seen);
  if (result != MPAK_OK) return result;
  return gl_allocate(gl, (uint64_t)crowd->count * shape_count, sizeof *output->weight_values, &output->weight_values);
}

/// One output for each part of each instance, in the order of mpak_morph_states.
static mpak_result crowd_make_outputs(mpak_gl_crowd *crowd) {
  const mpak_pack *pack = crowd->model->pack;
  uint64_t total = 0;
  uint32_t o = 0;
  for (uint32_t i = 0; i < pack->instance_count; ++i) total += pack->meshes[pack->instances[i].mesh].part_count;
  if (total > UINT32_MAX) return MPAK_ERROR_LIMIT;
  mpak_result result = gl_allocate(crowd->model->gl, total, sizeof *crowd->outputs, &crowd->outputs);
  if (result != MPAK_OK) return result;
  crowd->output_count = (uint32_t)total;
  for (uint32_t i = 0; i < pack->instance_count; ++i) {
    const mpak_mesh *mesh = &pack->meshes[pack->instances[i].mesh];
    for (uint32_t p = 0; p < mesh->part_count; ++p, ++o) {
      crowd_start_output(crowd, &crowd->outputs[o], i, mesh->first_part + p);
      result = crowd_make_output(crowd, &crowd->outputs[o]);
      if (result != MPAK_OK) return result;
    }
  }
  crowd->palette_stride_bones = (uint32_t)bytes_align(crowd->palette_stride_bones, GL_PALETTE_ALIGNMENT_BONES);
  return MPAK_OK;
}

/// Where palettes come as textures that do not hold one, inline skinning gives way to the skin cache.
static void crowd_check_textures(mpak_gl_crowd *crowd) {
  const mpak_gl_limits *limits = &crowd->model->gl->limits;
  if (limits->has_vertex_storage || (uint64_t)crowd->palette_stride_bones * 3 <= limits->max_texture_texels) return;
  for (uint32_t o = 0; o < crowd->output_count; ++o) {
    gl_output *output = &crowd->outputs[o];
    if (!output->is_skinned || output->technique != MPAK_GL_INLINE) continue;
    output->technique = MPAK_GL_SKIN_CACHE;
    output->is_deformed = true;
  }
}

// -- Life ------------------------------------------------------------------------------------------------------------

static uint32_t crowd_most_joints(const mpak_pack *pack) {
  uint32_t most = 0;
  for (uint32_t s = 0; s < pack->skin_count; ++s) {
    if (pack->skins[s].joint_count > most) most = pack->skins[s].joint_count;
  }
  return most;
}

/// Largest part that the CPU technique moves.
static uint32_t crowd_cpu_vertices(const mpak_gl_crowd *crowd) {
  uint32_t most = 0;
  for (uint32_t o = 0; o < crowd->output_count; ++o) {
    const uint32_t vertices = crowd->model->pack->parts[crowd->outputs[o].part].vertex_count;
    if (crowd->outputs[o].technique == MPAK_GL_CPU && vertices > most) most = vertices;
  }
  return most;
}

/// Work space of the CPU technique, for the largest part that it moves.
static mpak_result crowd_make_cpu_space(mpak_gl_crowd *crowd) {
  mpak_gl *gl = crowd->model->gl;
  const uint32_t vertices = crowd_cpu_vertices(crowd);
  if (vertices <= crowd->cpu_vertices) return MPAK_OK;
  gl_release(gl, crowd->cpu_moved, crowd->cpu_vertices, sizeof *crowd->cpu_moved);
  gl_release(gl, crowd->cpu_morphed, crowd->cpu_vertices, sizeof *crowd->cpu_morphed);
  crowd->cpu_morphed = crowd->cpu_moved = NULL;
  crowd->cpu_vertices = vertices;
  mpak_result result = gl_allocate(gl, vertices, sizeof *crowd->cpu_morphed, &crowd->cpu_morphed);
  if (result == MPAK_OK) result = gl_allocate(gl, vertices, sizeof *crowd->cpu_moved, &crowd->cpu_moved);
  if (result == MPAK_OK) return MPAK_OK;
  gl_release(gl, crowd->cpu_morphed, vertices, sizeof *crowd->cpu_morphed);
  crowd->cpu_morphed = NULL;
  crowd->cpu_vertices = 0;
  return result;
}

mpak_result gl_crowd_adapt(mpak_gl_crowd *crowd) {
  for (uint32_t o = 0; o < crowd->output_count; ++o) crowd_decide(crowd, &crowd->outputs[o]);
  crowd_check_textures(crowd);
  return crowd_make_cpu_space(crowd);
}

static mpak_result crowd_make_hook(mpak_gl *gl, const char **hook) {
  char *copy;
  if (!*hook) return MPAK_OK;
  const char *from = *hook;
  *hook = NULL;
  mpak_result result = gl_allocate(gl, strlen(from) + 1, 1, &copy);
  if (result != MPAK_OK) return result;
  memcpy(copy, from, strlen(from) + 1);
  *hook = copy;
  return MPAK_OK;
}

static void crowd_free_hook(mpak_gl *gl, const char *hook) {
  if (hook) gl_release(gl, (void *)(uintptr_t)hook, strlen(hook) + 1, 1);
}

/// Copies all three, or those before the first that fails.
static mpak_result crowd_make_hooks(mpak_gl_crowd *crowd, const mpak_gl_hooks *hooks) {
  mpak_gl_hooks *own = &crowd->options.hooks;
  *own = (mpak_gl_hooks){.after_morph = hooks->after_morph};
  mpak_result result = crowd_make_hook(crowd->model->gl, &own->after_morph);
  if (result == MPAK_OK) {
    own->skin = hooks->skin;
    result = crowd_make_hook(crowd->model->gl, &own->skin);
  }
  if (result == MPAK_OK) {
    own->after_skin = hooks->after_skin;
    result = crowd_make_hook(crowd->model->gl, &own->after_skin);
  }
  return result;
}

static mpak_result crowd_make_work_space(mpak_gl_crowd *crowd) {
  mpak_gl *gl = crowd->model->gl;
  crowd->most_joints = crowd_most_joints(crowd->model->pack);
  mpak_result result = gl_allocate(gl, crowd->most_joints, sizeof *crowd->skin_palette, &crowd->skin_palette);
  if (result == MPAK_OK) {
    result = gl_allocate(gl, (uint64_t)crowd->palette_stride_bones * crowd->count, sizeof *crowd->palette_values,
                         &crowd->palette_values);
  }
  if (result == MPAK_OK) result = gl_allocate(gl, crowd->count, sizeof *crowd->list, &crowd->list);
  return result == MPAK_OK ? crowd_make_cpu_space(crowd) : result;
}

static mpak_result crowd_fill(mpak_gl_crowd *crowd, const mpak_gl_hooks *hooks) {
  mpak_result result = hooks ? crowd_make_hooks(crowd, hooks) : MPAK_OK;
  if (result != MPAK_OK) return result;
  result = gl_allocate(crowd->model->gl, crowd->count, sizeof *crowd->individuals, &crowd->individuals);
  if (result == MPAK_OK) result = crowd_make_outputs(crowd);
  if (result == MPAK_OK) crowd_check_textures(crowd);
  if (result == MPAK_OK) result = crowd_make_work_space(crowd);
  if (result == MPAK_OK) gl_crowd_dirty_all(crowd);
  return result;
}

mpak_result mpak_gl_crowd_create(mpak_gl_model *model, uint32_t count, const mpak_gl_crowd_options *options,
                                 mpak_gl_crowd **crowd) {
  mpak_gl_crowd *made;
  *crowd = NULL;
  if (count == 0 || count > 65535) return MPAK_ERROR_ARGUMENT;
  if (model->gl->is_lost) return gl_fail(model->gl, "mpak_gl_crowd_create", "the context is lost");
  mpak_result result = gl_allocate(model->gl, 1, sizeof *made, &made);
  if (result != MPAK_OK) return result;
  made->model = model;
  made->count = count;
  if (options) made->options = *options;
  made->options.hooks = (mpak_gl_hooks){0};
  made->next = model->crowds;
  model->crowds = made;
  result = crowd_fill(made, options ? &options->hooks : NULL);
  if (result != MPAK_OK) {
    mpak_gl_crowd_destroy(made);
    return result;
  }
  *crowd = made;
  return MPAK_OK;
}

static void crowd_forget(mpak_gl_crowd *crowd) {
  for (mpak_gl_crowd **at = &crowd->model->crowds; *at; at = &(*at)->next) {
    if (*at != crowd) continue;
    *at = crowd->next;
    return;
  }
}

void mpak_gl_crowd_destroy(mpak_gl_crowd *crowd) {
  if (!crowd) return;
  mpak_gl *gl = crowd->model->gl;
  crowd_forget(crowd);
  gl_crowd_free_objects(crowd);
  if (gl_crowd_has_hooks(crowd)) gl_programs_free(gl, &crowd->options.hooks);
  for (uint32_t o = 0; o < crowd->output_count; ++o) {
    gl_output *output = &crowd->outputs[o];
    const uint64_t weights = (uint64_t)crowd->count * crowd->model->pack->parts[output->part].shape_count;
    gl_release(gl, output->weight_values, weights, sizeof *output->weight_values);
    gl_release(gl, output->seen, crowd->count, sizeof *output->seen);
  }
  gl_release(gl, crowd->cpu_moved, crowd->cpu_vertices, sizeof *crowd->cpu_moved);
  gl_release(gl, crowd->cpu_morphed, crowd->cpu_vertices, sizeof *crowd->cpu_morphed);
  gl_release(gl, crowd->list, crowd->count, sizeof *crowd->list);
  gl_release(gl, crowd->palette_values, (uint64_t)crowd->palette_stride_bones * crowd->count,
             sizeof *crowd->palette_values);
  gl_release(gl, crowd->skin_palette, crowd->most_joints, sizeof *crowd->skin_palette);
  gl_release(gl, crowd->outputs, crowd->output_count, sizeof *crowd->outputs);
  gl_release(gl, crowd->individuals, crowd->count, sizeof *crowd->individuals);
  crowd_free_hook(gl, crowd->options.hooks.after_morph);
  crowd_free_hook(gl, crowd->options.hooks.skin);
  crowd_free_hook(gl, crowd->options.hooks.after_skin);
  gl_release(gl, crowd, 1, sizeof *crowd);
}

// -- GL objects ------------------------------------------------------------------------------------------------------

static void crowd_free_vertex_arrays(mpak_gl *gl, gl_seen *seen) {
  for (int a = 0; a < 4; ++a) {
    if (seen->vertex_arrays[a] == 0) continue;
    if (!gl->is_lost) gl->functions.DeleteVertexArrays(1, &seen->vertex_arrays[a]);
    seen->vertex_arrays[a] = 0;
    --gl->objects.vertex_arrays;
  }
}

static void crowd_free_texture(mpak_gl *gl, gl_individual *individual) {
  if (individual->palette_texture == 0) return;
  if (!gl->is_lost) gl->functions.DeleteTextures(1, &individual->palette_texture);
  individual->palette_texture = 0;
  --gl->objects.textures;
}

void gl_crowd_free_objects(mpak_gl_crowd *crowd) {
  mpak_gl *gl = crowd->model->gl;
  for (uint32_t o = 0; o < crowd->output_count; ++o) {
    gl_output *output = &crowd->outputs[o];
    for (uint32_t i = 0; output->seen && i < crowd->count; ++i) crowd_free_vertex_arrays(gl, &output->seen[i]);
    gl_buffer_free(gl, &output->vertices[0]);
    gl_buffer_free(gl, &output->vertices[1]);
    gl_buffer_free(gl, &output->weights);
    output->is_made = false;
  }
  for (uint32_t i = 0; crowd->individuals && i < crowd->count; ++i) crowd_free_texture(gl, &crowd->individuals[i]);
  gl_buffer_free(gl, &crowd->palette);
}

void gl_crowd_dirty_all(mpak_gl_crowd *crowd) {
  for (uint32_t i = 0; i < crowd->count; ++i) crowd->individuals[i].palette_dirty = true;
  for (uint32_t o = 0; o < crowd->output_count; ++o) {
    gl_output *output = &crowd->outputs[o];
    output->current = output->previous = 0;
    for (uint32_t i = 0; i < crowd->count; ++i) {
      gl_seen *seen = &output->seen[i];
      seen->weights_dirty = seen->vertices_dirty = seen->bounds_dirty = true;
      seen->has_vertices = seen->has_previous = false;
      seen->is_stale[0] = seen->is_stale[1] = true;
    }
  }
}
