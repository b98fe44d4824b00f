/// gl_output.c: the buffers of one output, and what the CPU writes into them.
#include <string.h>

#include "format/bytes.h"
#include "runtime/gl/gl_private.h"

/// Vertices that are converted and uploaded at once.
#define OUTPUT_MOST_VERTICES 4096u

// -- Formats ---------------------------------------------------------------------------------------------------------

static float output_sign(float x) { return x >= 0 ? 1.0f : -1.0f; }

/// Octahedral, as shaders/octahedral.glsl has it: two numbers of [-1, 1].
static void output_octahedral(const float direction[3], float folded[2]) {
  float sizes[3];
  for (int i = 0; i < 3; ++i) sizes[i] = direction[i] < 0 ? -direction[i] : direction[i];
  const float size = sizes[0] + sizes[1] + sizes[2];
  const float x = size > 0 ? direction[0] / size : 0, y = size > 0 ? direction[1] / size : 0;
  const bool is_upper = direction[2] >= 0;
  folded[0] = is_upper ? x : (1.0f - (y < 0 ? -y : y)) * output_sign(x);
  folded[1] = is_upper ? y : (1.0f - (x < 0 ? -x : x)) * output_sign(y);
}

static int32_t output_round(float x) { return (int32_t)(x < 0 ? x - 0.5f : x + 0.5f); }

static uint32_t output_two(int32_t low, int32_t high) { return ((uint32_t)low & 0xFFFFu) | (uint32_t)high << 16; }

static uint32_t output_pack_normal(const float normal[3]) {
  float folded[2];
  output_octahedral(normal, folded);
  return output_two(output_round(folded[0] * 32767.0f), output_round(folded[1] * 32767.0f));
}

/// The second number is odd for a sign of +1, even for -1.
static uint32_t output_pack_tangent(const float tangent[4]) {
  float folded[2];
  output_octahedral(tangent, folded);
  const int32_t bit = tangent[3] < 0 ? 0 : 1;
  int32_t second = 2 * output_round((folded[1] * 32767.0f - (float)bit) * 0.5f) + bit;
  if (second < -32766 - bit) second = -32766 - bit;
  if (second > 32766 + bit) second = 32766 + bit;
  return output_two(output_round(folded[0] * 32767.0f), second);
}

static void output_convert_24(const mpak_base_vertex *vertex, uint32_t *out) {
  memcpy(out, vertex->position, 12);
  out[3] = output_pack_normal(vertex->normal);
  out[4] = output_pack_tangent(vertex->tangent);
  out[5] = 0;
}

static void output_convert_interleaved(const mpak_base_vertex *vertex, uint32_t *out) {
  memcpy(out, vertex->position, 12);
  memcpy(out + 3, vertex->normal, 12);
  memcpy(out + 6, vertex->tangent, 16);
}

void gl_convert_vertices(mpak_gl_output_format format, const mpak_base_vertex *vertices, uint32_t vertex_count,
                         uint32_t stride_words, uint32_t *out) {
  for (uint32_t v = 0; v < vertex_count; ++v, out += stride_words) {
    if (format == MPAK_GL_OUTPUT_48)
      memcpy(out, &vertices[v], sizeof *vertices);
    else if (format == MPAK_GL_OUTPUT_24)
      output_convert_24(&vertices[v], out);
    else
      output_convert_interleaved(&vertices[v], out);
  }
}

// -- Interleaved output ----------------------------------------------------------------------------------------------

/// What compute does not write: texture coordinates, joints, weights (F54). vertices: the first of data's to write.
static void output_write_statics(const mpak_gl_crowd *crowd, const gl_output *output, const mpak_part_data *data,
                                 uint32_t vertex, uint32_t *out) {
  const mpak_part *part = &crowd->model->pack->parts[output->part];
  const uint32_t quad_words = crowd->model->parts[output->part].skin_quad_words;
  if (data->texcoords[0])
    memcpy(out + 10, data->texcoords[0] + 2 * (size_t)vertex, 8);
  else
    memset(out + 10, 0, 8);
  for (uint32_t q = 0; q < part->influence_count / 4; ++q) {
    const size_t at = (size_t)vertex * part->influence_count + 4 * (size_t)q;
    gl_skin_write_quad(data->joints + at, data->weights + at, quad_words == MPAK_SKIN_PACKED_WORDS,
                       out + 12 + (size_t)q * quad_words);
  }
}

/// Uploads vertices to one individual of one of the output's buffers. data: also static streams (interleaved).
static mpak_result output_upload(mpak_gl_crowd *crowd, gl_output *output, uint32_t buffer, uint32_t individual,
                                 const mpak_base_vertex *vertices, const mpak_part_data *data) {
  mpak_gl *gl = crowd->model->gl;
  const uint32_t vertex_count = crowd->model->pack->parts[output->part].vertex_count;
  const uint32_t stride = gl_output_stride_words(crowd, output);
  const uint64_t start = individual * gl_output_individual_bytes(crowd, output);
  const mpak_gl_output_format format = crowd->options.output;
  uint32_t *words;
  if (format == MPAK_GL_OUTPUT_48) {
    return gl_buffer_write(gl, &output->vertices[buffer], start, (uint64_t)vertex_count * sizeof *vertices, vertices);
  }
  mpak_result result = gl_allocate(gl, OUTPUT_MOST_VERTICES, 4 * (uint64_t)stride, &words);
  for (uint32_t v = 0; result == MPAK_OK && v < vertex_count; v += OUTPUT_MOST_VERTICES) {
    const uint32_t left = vertex_count - v, count = left < OUTPUT_MOST_VERTICES ? left : OUTPUT_MOST_VERTICES;
    gl_convert_vertices(format, vertices + v, count, stride, words);
    for (uint32_t i = 0; format == MPAK_GL_OUTPUT_INTERLEAVED && i < count; ++i) {
      output_write_statics(crowd, output, data, v + i, words + (size_t)i * stride);
    }
    result = gl_buffer_write(gl, &output->vertices[buffer], start + (uint64_t)v * stride * 4,
                             (uint64_t)count * stride * 4, words);
  }
  gl_release(gl, words, OUTPUT_MOST_VERTICES, 4 * (uint64_t)stride);
  return result;
}

/// Writes the base into every individual: what kernels leave alone must be there.
static mpak_result output_fill(mpak_gl_crowd *crowd, gl_output *output) {
  const mpak_model *decoded;
  mpak_result result = gl_model_decoded(crowd->model, &decoded);
  for (uint32_t b = 0; b < (crowd->options.keep_previous ? 2u : 1u); ++b) {
    for (uint32_t i = 0; result == MPAK_OK && i < crowd->count; ++i) {
      const mpak_part_data *data = &decoded->parts[output->part];
      result = output_upload(crowd, output, b, i, data->base, data);
    }
  }
  return result;
}

// -- Buffers ---------------------------------------------------------------------------------------------------------

static mpak_result output_make_buffers(mpak_gl_crowd *crowd, gl_output *output) {
  mpak_gl *gl = crowd->model->gl;
  const uint64_t byte_count = gl_output_individual_bytes(crowd, output) * crowd->count;
  const uint64_t weights = (uint64_t)crowd->count * crowd->model->pack->parts[output->part].shape_count;
  mpak_result result = gl_buffer_make(gl, &output->vertices[0], byte_count, GL_DYNAMIC_COPY_);
  if (result == MPAK_OK && crowd->options.keep_previous) {
    result = gl_buffer_make(gl, &output->vertices[1], byte_count, GL_DYNAMIC_COPY_);
  }
  if (result != MPAK_OK || output->technique == MPAK_GL_CPU) return result;
  if (4 * (weights + crowd->count) > gl->limits.max_storage_block_bytes) {
    return gl_fail(gl, "glBufferData", "the weights of all individuals exceed the largest storage block");
  }
  return gl_buffer_make(gl, &output->weights, 4 * (weights + crowd->count), GL_DYNAMIC_DRAW_);
}

mpak_result gl_output_make(mpak_gl_crowd *crowd, gl_output *output) {
  if (output->is_made) return MPAK_OK;
  mpak_result result = output_make_buffers(crowd, output);
  const bool needs_base = crowd->options.output == MPAK_GL_OUTPUT_INTERLEAVED ||
                          crowd->model->parts[output->part].variant.is_document_kernel;
  if (result == MPAK_OK && needs_base && output->technique != MPAK_GL_CPU) result = output_fill(crowd, output);
  if (result != MPAK_OK) {
    gl_buffer_free(crowd->model->gl, &output->vertices[0]);
    gl_buffer_free(crowd->model->gl, &output->vertices[1]);
    gl_buffer_free(crowd->model->gl, &output->weights);
    return result;
  }
  output->is_made = true;
  return MPAK_OK;
}

// -- The CPU technique -----------------------------------------------------------------------------------------------

/// Skin matrices come from the palette's own values: section by section, as the GPU reads them (F152).
static const mpak_base_vertex *output_skin(mpak_gl_crowd *crowd, const gl_output *output, uint32_t individual,
                                           const mpak_part_data *data, const mpak_base_vertex *in) {
  const mpak_pack *pack = crowd->model->pack;
  const mpak_part *part = &pack->parts[output->part];
  const mpak_matrix *palette =
      crowd->palette_values + (size_t)individual * crowd->palette_stride_bones + output->palette_first;
  for (uint32_t s = 0; s < part->section_count; ++s) {
    const mpak_section *section = &pack->sections[part->first_section + s];
    for (uint32_t b = 0; b < section->bone_count; ++b) {
      crowd->skin_palette[pack->bones[section->first_bone + b].joint] = *palette++;
    }
  }
  mpak_skin_vertices(pack, output->part, data, crowd->skin_palette, in, crowd->cpu_moved);
  return crowd->cpu_moved;
}

mpak_result gl_deform_on_cpu(mpak_gl_crowd *crowd, gl_output *output, uint32_t individual) {
  mpak_gl *gl = crowd->model->gl;
  const mpak_pack *pack = crowd->model->pack;
  const mpak_part *part = &pack->parts[output->part];
  const mpak_model *decoded;
  mpak_result result = gl_model_decoded(crowd->model, &decoded);
  if (result != MPAK_OK) return result;
  const mpak_part_data *data = &decoded->parts[output->part];
  const mpak_base_vertex *vertices = data->base;
  if (part->shape_count > 0) {
    const float *weights = output->weight_values + (size_t)individual * part->shape_count;
    mpak_morph_vertices(pack, output->part, data, weights, crowd->cpu_morphed);
    vertices = crowd->cpu_morphed;
  }
  if (output->is_skinned) vertices = output_skin(crowd, output, individual, data, vertices);
  result = output_upload(crowd, output, output->current, individual, vertices, data);
  if (result != MPAK_OK) return result;
  ++gl->counters.cpu_morphs;
  ++gl->counters.vertex_uploads;
  gl->counters.upload_bytes += (uint64_t)part->vertex_count * gl_output_stride_words(crowd, output) * 4;
  output->seen[individual].weights_dirty = false;
  return MPAK_OK;
}
