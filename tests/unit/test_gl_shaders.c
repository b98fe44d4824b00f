// The compute shaders alone, without runtime/gl: every layout, payload, tile, output and kind of skin, run on random
// parts and compared with the plain CPU code. Pieces, lists of individuals, groups past the last block, and numbers
// that overflow are part of it.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/morph_payload.h"
#include "runtime/deform/deform_private.h"
#include "runtime/gl/gl_shaders.h"
#include "shaders/mpak_gpu_layout.h"
#include "tests/support/mt_gl.h"
#include "tests/support/mt_pose.h"

#define SHADER_SHAPES      70u ///< more than the entries that are read at once
#define SHADER_BLOCKS      7u
#define SHADER_VERTICES    (64u * SHADER_BLOCKS)
#define SHADER_ENTRIES     (SHADER_BLOCKS * SHADER_SHAPES)
#define SHADER_INDIVIDUALS 6u
#define SHADER_BONES       40u
#define SHADER_STRIDE      18u ///< words of an interleaved vertex

/// What is compiled.
typedef struct shader_variant {
  uint32_t layout, payload, components, reorthogonalises, influences, is_packed, output, tile;
} shader_variant;

/// A random part, its individuals, and what the CPU makes of them.
typedef struct shader_part {
  mpak_base_vertex base[SHADER_VERTICES];
  mpak_morph_block blocks[SHADER_BLOCKS + 1];
  uint32_t gpu_blocks[SHADER_BLOCKS + 1][4];
  mpak_morph_entry entries[SHADER_ENTRIES];
  uint32_t offsets[SHADER_VERTICES + 1];
  mpak_csr_delta *deltas;
  uint32_t *payload;
  uint16_t joints[SHADER_VERTICES * MPAK_MAX_INFLUENCES];
  float weights[SHADER_VERTICES * MPAK_MAX_INFLUENCES];
  mpak_section sections[2];
  mpak_bone bones[SHADER_BONES];
  mpak_part part;
  mpak_pack pack;
  mpak_part_data data;
  float shape_weights[SHADER_INDIVIDUALS][SHADER_SHAPES];
  mpak_matrix palette[SHADER_INDIVIDUALS][SHADER_BONES];
  mpak_base_vertex expected[SHADER_INDIVIDUALS][SHADER_VERTICES];
} shader_part;

static uint64_t shader_seed = 5;
static float shader_random(float low, float high) { return mt_pose_random(&shader_seed, low, high); }
static uint32_t shader_number(uint32_t count) { return (uint32_t)shader_random(0, (float)count) % count; }
static uint32_t shader_bits(void) { return shader_number(0x10000) | shader_number(0x10000) << 16; }

static float shader_value(bool is_wild) {
  static const float wild[6] = {0, 1e-30f, FLT_MAX, -FLT_MAX, 1e20f, -1e-20f};
  return is_wild && shader_number(6) == 0 ? wild[shader_number(6)] : shader_random(-1, 1);
}

// -- A part ----------------------------------------------------------------------------------------------------------

static void shader_direction(float v[4]) {
  float square = 0;
  while (square < 0.01f || square > 1) {
    square = 0;
    for (int i = 0; i < 3; ++i) v[i] = shader_random(-1, 1), square += v[i] * v[i];
  }
  for (int i = 0; i < 3; ++i) v[i] /= sqrtf(square);
}

static void shader_make_base(shader_part *made, bool is_wild) {
  for (uint32_t v = 0; v < made->part.vertex_count; ++v) {
    for (int i = 0; i < 3; ++i) made->base[v].position[i] = shader_value(is_wild);
    made->base[v].position[3] = 1;
    shader_direction(made->base[v].normal);
    if (v % 9 == 8) continue; // no tangent
    shader_direction(made->base[v].tangent);
    made->base[v].tangent[3] = shader_number(2) ? 1.0f : -1.0f;
  }
}

static void shader_make_blocks(shader_part *made) {
  for (uint32_t b = 0; b < SHADER_BLOCKS; ++b) {
    const uint32_t count = b % 3 == 0 ? 64 : 1 + shader_number(64), section = b >= SHADER_BLOCKS / 2;
    made->blocks[b] = (mpak_morph_block){made->part.vertex_count, 0, (uint16_t)count, (uint16_t)section};
    made->sections[section].vertex_count += count;
    made->part.vertex_count += count;
  }
  made->blocks[SHADER_BLOCKS].first_vertex = made->part.vertex_count;
}

static uint64_t shader_lanes(uint32_t vertex_count) {
  const uint64_t all = vertex_count == 64 ? UINT64_MAX : (UINT64_C(1) << vertex_count) - 1;
  uint64_t lanes = (shader_bits() | (uint64_t)shader_bits() << 32) & all;
  if (shader_number(3) == 0) lanes = all;
  if (shader_number(5) == 0) lanes = UINT64_C(1) << shader_number(vertex_count);
  return lanes ? lanes : 1;
}

/// Blocks 1 and 4 have no entries.
static void shader_make_entries(shader_part *made, bool is_wild) {
  mpak_morph *morph = &made->data.morph;
  const uint32_t words = mpak_payload_words(morph->payload, morph->components);
  for (uint32_t b = 0; b < SHADER_BLOCKS; ++b) {
    made->blocks[b].first_entry = morph->entry_count;
    for (uint32_t s = 0; s < SHADER_SHAPES && b % 3 != 1; s += b % 2 ? 1 + shader_number(12) : 1) {
      const uint64_t lanes = shader_lanes(made->blocks[b].vertex_count);
      mpak_morph_entry *entry = &made->entries[morph->entry_count++];
      *entry = (mpak_morph_entry){s,
                                  (uint32_t)morph->payload_word_count,
                                  (uint32_t)lanes,
                                  (uint32_t)(lanes >> 32),
                                  3e-6f,
                                  1.0f / 1024,
                                  1.0f / 1024,
                                  0};
      if (is_wild) entry->position_scale = fabsf(shader_value(true));
      morph->payload_word_count += (uint64_t)words * (uint32_t)__builtin_popcountll(lanes);
    }
  }
  made->blocks[SHADER_BLOCKS].first_entry = morph->entry_count;
  made->payload = malloc(morph->payload_word_count * sizeof *made->payload);
  assert_non_null(made->payload);
  for (uint64_t w = 0; w < morph->payload_word_count; ++w) {
    const float value = shader_value(is_wild) / 8;
    made->payload[w] = shader_bits();
    if (morph->payload == MPAK_PAYLOAD_P36) memcpy(&made->payload[w], &value, sizeof value);
  }
}

static void shader_make_rows(shader_part *made, bool is_wild) {
  made->deltas = calloc((size_t)SHADER_VERTICES * SHADER_SHAPES, sizeof *made->deltas);
  assert_non_null(made->deltas);
  uint32_t count = 0;
  for (uint32_t v = 0; v < made->part.vertex_count; ++v) {
    made->offsets[v] = count;
    for (uint32_t s = shader_number(20); s < SHADER_SHAPES && v % 7 != 6; s += 1 + shader_number(20)) {
      mpak_csr_delta *delta = &made->deltas[count++];
      delta->metadata[0] = s;
      for (int i = 0; i < 3; ++i) delta->position[i] = shader_value(is_wild);
      for (int i = 0; i < 3; ++i) delta->normal[i] = shader_value(false) / 4;
      for (int i = 0; i < 3; ++i) delta->tangent[i] = shader_value(false) / 4;
    }
  }
  made->offsets[made->part.vertex_count] = count;
  made->data.morph.delta_count = count;
}

/// Weights are unorm16 that sum to 1, so that both kinds hold the same. Influences without weight name the section's
/// last bone, which no vertex uses.
static void shader_make_skin(shader_part *made) {
  const uint32_t most = made->part.influence_count;
  for (uint32_t v = 0; v < made->part.vertex_count && most > 0; ++v) {
    const uint32_t section = v >= made->sections[1].first_vertex, last = made->sections[section].bone_count - 1;
    const uint32_t count = 1 + shader_number(most);
    uint32_t left = 65535;
    for (uint32_t k = 0; k < most; ++k) {
      const uint32_t number = k + 1 < count ? left - left / 3 : left;
      made->joints[v * most + k] = (uint16_t)(k < count ? shader_number(last) : last);
      made->weights[v * most + k] = k < count ? (float)number / 65535.0f : 0;
      left -= number;
    }
  }
}

/// Bones that no vertex uses are not finite, and where is_wild one more.
static void shader_make_individuals(shader_part *made, bool is_wild) {
  for (uint32_t i = 0; i < SHADER_INDIVIDUALS; ++i) {
    for (uint32_t s = 0; s < SHADER_SHAPES; ++s)
      made->shape_weights[i][s] = i == 1 || shader_number(3) == 0 ? 0 : shader_value(false);
    for (uint32_t b = 0; b < SHADER_BONES; ++b)
      for (int k = 0; k < 12; ++k) made->palette[i][b].m[k] = shader_random(-1, 1) + (k % 5 == 0 ? 2.0f : 0.0f);
    for (int k = 0; k < 12; ++k) {
      made->palette[i][12].m[k] = made->palette[i][SHADER_BONES - 1].m[k] = NAN;
      if (is_wild) made->palette[i][7].m[k] = k % 2 ? INFINITY : NAN;
    }
    for (int k = 0; k < 12; ++k) made->palette[i][5].m[k] *= k < 4 ? -1.0f : 1.0f; // mirrors
  }
}

static shader_part *shader_make(const shader_variant *variant, bool is_wild) {
  static const mpak_payload payloads[] = {
      [8] = MPAK_PAYLOAD_P8, [12] = MPAK_PAYLOAD_P12, [16] = MPAK_PAYLOAD_P16, [36] = MPAK_PAYLOAD_P36};
  shader_part *made = calloc(1, sizeof *made);
  assert_non_null(made);
  made->part = (mpak_part){.section_count = 2,
                           .influence_count = variant->influences,
                           .flags = variant->reorthogonalises ? MPAK_PART_REORTHOGONALISE : 0};
  shader_make_blocks(made);
  made->sections[1].first_vertex = made->sections[0].vertex_count;
  made->sections[0].bone_count = 13;
  made->sections[1].first_bone = 13;
  made->sections[1].bone_count = SHADER_BONES - 13;
  for (uint32_t b = 0; b < SHADER_BONES; ++b) made->bones[b].joint = b;
  made->data = (mpak_part_data){.base = made->base, .joints = made->joints, .weights = made->weights};
  made->data.morph = (mpak_morph){.vertex_count = made->part.vertex_count, .shape_count = SHADER_SHAPES};
  if (variant->layout == 1) made->data.morph.payload = MPAK_PAYLOAD_CSR64;
  if (variant->layout == 2) made->data.morph.payload = payloads[variant->payload];
  made->data.morph.components = variant->components;
  shader_make_base(made, is_wild);
  if (variant->layout == 1) shader_make_rows(made, is_wild);
  if (variant->layout == 2) shader_make_entries(made, is_wild);
  shader_make_skin(made);
  shader_make_individuals(made, is_wild);
  return made;
}

/// Points the views to where things stand, and lets the CPU work.
static void shader_expect(shader_part *made) {
  mpak_morph *morph = &made->data.morph;
  made->pack = (mpak_pack){.parts = &made->part, .sections = made->sections, .bones = made->bones};
  morph->blocks = made->blocks;
  morph->block_count = SHADER_BLOCKS;
  morph->entries = made->entries;
  morph->payload_words = made->payload;
  morph->vertex_offsets = made->offsets;
  morph->deltas = made->deltas;
  for (uint32_t b = 0; b <= SHADER_BLOCKS; ++b) {
    const mpak_morph_block *block = &made->blocks[b];
    const uint32_t words[4] = {block->first_vertex, block->first_entry, block->vertex_count,
                               made->sections[block->section].first_bone};
    memcpy(made->gpu_blocks[b], words, sizeof words);
  }
  for (uint32_t i = 0; i < SHADER_INDIVIDUALS; ++i) {
    mpak_base_vertex *out = made->expected[i];
    deform_morph_vertices(&deform_kernels_plain, &made->pack, 0, &made->data, made->shape_weights[i], out);
    if (made->part.influence_count)
      deform_skin_vertices(&deform_kernels_plain, &made->pack, 0, &made->data, made->palette[i], out, out);
  }
}

static void shader_free(shader_part *made) {
  free(made->payload);
  free(made->deltas);
  free(made);
}

// -- A program -------------------------------------------------------------------------------------------------------

static gl_uint shader_compile(const char *defines, const char *text) {
  const char *texts[] = {"#version 430\n", defines, text};
  gl_uint shader = mt_real.CreateShader(GL_COMPUTE_SHADER_), program = mt_real.CreateProgram();
  gl_int is_linked = 0;
  char log[2000] = "";
  mt_real.ShaderSource(shader, 3, texts, NULL);
  mt_real.CompileShader(shader);
  mt_real.GetShaderInfoLog(shader, sizeof log, NULL, log);
  mt_real.AttachShader(program, shader);
  mt_real.LinkProgram(program);
  mt_real.DeleteShader(shader);
  mt_real.GetProgramiv(program, GL_LINK_STATUS_, &is_linked);
  if (!is_linked) fail_msg("%s%s", defines, log);
  return program;
}

static gl_uint shader_program(const shader_variant *variant) {
  char defines[1000];
  snprintf(defines, sizeof defines,
           "#define MPAK_LAYOUT %u\n#define MPAK_PAYLOAD %u\n#define MPAK_COMPONENTS %u\n"
           "#define MPAK_REORTHOGONALISE %u\n#define MPAK_INFLUENCES %u\n#define MPAK_SKIN_PACKED %u\n"
           "#define MPAK_OUTPUT %u\n#define MPAK_TILE %u\n",
           variant->layout, variant->payload, variant->components, variant->reorthogonalises, variant->influences,
           variant->is_packed, variant->output, variant->tile);
  return shader_compile(defines, mpak_shader_deform);
}

// -- A run -----------------------------------------------------------------------------------------------------------

#define SHADER_ALIGNMENT 256u ///< of the starts of ranges: what GL asks for at most

typedef struct shader_run {
  const shader_part *made;
  const shader_variant *variant;
  gl_uint buffers[8];
  uint64_t bytes[8];
  uint32_t parameters[MPAK_PARAM_COUNT];
  bool is_document; ///< morph_csr64.comp
} shader_run;

static void shader_upload(shader_run *run, uint32_t binding, const void *data, uint64_t bytes) {
  run->bytes[binding] = bytes ? bytes : 16;
  mt_real.GenBuffers(1, &run->buffers[binding]);
  mt_real.BindBuffer(GL_SHADER_STORAGE_BUFFER_, run->buffers[binding]);
  mt_real.BufferData(GL_SHADER_STORAGE_BUFFER_, (gl_size)run->bytes[binding], bytes ? data : NULL, GL_DYNAMIC_DRAW_);
}

static void shader_upload_skin(shader_run *run) {
  const shader_part *made = run->made;
  static uint32_t words[SHADER_VERTICES * 3 * MPAK_SKIN_FULL_WORDS];
  const uint32_t most = made->part.influence_count;
  uint32_t count = 0;
  for (uint32_t q = 0; q < made->part.vertex_count * most / 4; ++q) {
    const uint16_t *joints = made->joints + 4 * q;
    const float *weights = made->weights + 4 * q;
    uint32_t numbers[4];
    for (int k = 0; k < 4; ++k) numbers[k] = (uint32_t)lrintf(weights[k] * 65535.0f);
    for (int k = 0; k < 4; k += 2) words[count++] = joints[k] | (uint32_t)joints[k + 1] << 16;
    for (int k = 0; k < 4 && run->variant->is_packed; k += 2) words[count++] = numbers[k] | numbers[k + 1] << 16;
    if (!run->variant->is_packed) memcpy(words + count, weights, 16), count += 4;
  }
  shader_upload(run, MPAK_BIND_SKIN, words, count * sizeof *words);
}

/// Weights of individuals, then the list.
static void shader_upload_weights(shader_run *run, const uint32_t *list, uint32_t list_count) {
  static float words[SHADER_INDIVIDUALS * SHADER_SHAPES + SHADER_INDIVIDUALS];
  memcpy(words, run->made->shape_weights, sizeof run->made->shape_weights);
  if (list) memcpy(words + SHADER_INDIVIDUALS * SHADER_SHAPES, list, list_count * sizeof *list);
  shader_upload(run, MPAK_BIND_WEIGHTS, words, sizeof words);
  run->parameters[MPAK_PARAM_LIST] = list ? SHADER_INDIVIDUALS * SHADER_SHAPES : MPAK_NO_LIST;
}

static void shader_upload_all(shader_run *run) {
  const shader_part *made = run->made;
  const uint32_t layout = run->variant->layout;
  const uint64_t block_bytes = sizeof made->gpu_blocks;
  shader_upload(run, MPAK_BIND_BASE, made->base, made->part.vertex_count * sizeof *made->base);
  if (layout == 1) {
    shader_upload(run, MPAK_BIND_OFFSETS, made->offsets, (made->part.vertex_count + 1) * sizeof *made->offsets);
    shader_upload(run, MPAK_BIND_DELTAS, made->deltas, made->data.morph.delta_count * sizeof *made->deltas);
    shader_upload(run, MPAK_BIND_ENTRIES, made->gpu_blocks, block_bytes);
  } else {
    shader_upload(run, MPAK_BIND_OFFSETS, made->gpu_blocks, block_bytes);
    shader_upload(run, MPAK_BIND_DELTAS, made->payload, made->data.morph.payload_word_count * 4);
    shader_upload(run, MPAK_BIND_ENTRIES, made->entries, made->data.morph.entry_count * sizeof *made->entries);
  }
  shader_upload_skin(run);
  shader_upload(run, MPAK_BIND_PALETTE, made->palette, sizeof made->palette);
}

/// Where individuals stand in the output: a multiple of every alignment.
static uint32_t shader_output_stride(const shader_variant *variant) {
  return variant->output == 48 ? 12 : variant->output == 24 ? 6 : SHADER_STRIDE;
}

static void shader_begin(shader_run *run, const shader_part *made, const shader_variant *variant) {
  *run = (shader_run){.made = made, .variant = variant};
  uint32_t *parameters = run->parameters, stride = shader_output_stride(variant);
  parameters[MPAK_PARAM_WEIGHT_STRIDE] = SHADER_SHAPES;
  parameters[MPAK_PARAM_OUTPUT_STRIDE] = stride;
  parameters[MPAK_PARAM_OUTPUT_INDIVIDUAL] = (made->part.vertex_count * stride + 63) / 64 * 64;
  parameters[MPAK_PARAM_POSITION_OFFSET] = 1; // anything that scalar stores can do
  parameters[MPAK_PARAM_NORMAL_OFFSET] = 11;
  parameters[MPAK_PARAM_TANGENT_OFFSET] = 5;
  parameters[MPAK_PARAM_PALETTE_STRIDE] = SHADER_BONES;
  parameters[MPAK_PARAM_BLOCK_COUNT] = SHADER_BLOCKS;
  parameters[MPAK_PARAM_INDIVIDUAL_COUNT] = SHADER_INDIVIDUALS;
  shader_upload_all(run);
  uint64_t bytes = (uint64_t)parameters[MPAK_PARAM_OUTPUT_INDIVIDUAL] * SHADER_INDIVIDUALS * 4;
  void *untouched = malloc(bytes);
  assert_non_null(untouched);
  memset(untouched, 0xEE, bytes);
  shader_upload(run, MPAK_BIND_OUTPUT, untouched, bytes);
  free(untouched);
}

static void shader_end(shader_run *run) { mt_real.DeleteBuffers(8, run->buffers); }

/// The start of a range that holds an element, and the number by which places in it are smaller. unit: bytes of what
/// the parameter counts.
static uint64_t shader_cut(shader_run *run, uint32_t parameter, uint64_t element_byte, uint32_t unit) {
  uint64_t start = element_byte;
  while (start % SHADER_ALIGNMENT != 0 || start % unit != 0) start -= unit - start % unit == unit ? unit : start % unit;
  run->parameters[parameter] = (uint32_t)(start / unit);
  return start;
}

/// One dispatch of blocks [first, first + count), with ranges that start where these blocks' data do.
static void shader_dispatch(shader_run *run, gl_uint program, uint32_t first, uint32_t count, bool is_piece) {
  const shader_part *made = run->made;
  const mpak_morph_block *block = &made->blocks[first];
  uint64_t starts[8] = {0};
  uint32_t *parameters = run->parameters, vertex = is_piece ? block->first_vertex : 0;
  const uint32_t entry = is_piece ? block->first_entry : 0, layout = run->variant->layout;
  starts[MPAK_BIND_BASE] = shader_cut(run, MPAK_PARAM_BASE_SHIFT, vertex * UINT64_C(48), 16);
  starts[MPAK_BIND_OUTPUT] =
      shader_cut(run, MPAK_PARAM_OUTPUT_SHIFT, (uint64_t)vertex * parameters[MPAK_PARAM_OUTPUT_STRIDE] * 4, 4) +
      (uint64_t)parameters[MPAK_PARAM_OUTPUT_FIRST] * parameters[MPAK_PARAM_OUTPUT_INDIVIDUAL] * 4;
  if (layout == 1)
    starts[MPAK_BIND_DELTAS] = shader_cut(run, MPAK_PARAM_DELTA_SHIFT, made->offsets[vertex] * 64ull, 64);
  if (layout == 2 && entry < made->data.morph.entry_count) {
    starts[MPAK_BIND_ENTRIES] = shader_cut(run, MPAK_PARAM_ENTRY_SHIFT, entry * 32ull, 32);
    starts[MPAK_BIND_DELTAS] = shader_cut(run, MPAK_PARAM_DELTA_SHIFT, made->entries[entry].payload_offset * 4ull, 4);
  }
  for (uint32_t i = 0; i < 8; ++i)
    mt_real.BindBufferRange(GL_SHADER_STORAGE_BUFFER_, i, run->buffers[i], (gl_size)starts[i],
                            (gl_size)(run->bytes[i] - starts[i]));
  parameters[MPAK_PARAM_FIRST_BLOCK] = run->is_document ? vertex : first;
  parameters[MPAK_PARAM_BLOCK_COUNT] = run->is_document ? made->blocks[first + count].first_vertex : count;
  const uint32_t groups = run->is_document ? (parameters[MPAK_PARAM_BLOCK_COUNT] - vertex + 63) / 64 : count;
  const uint32_t tile = run->is_document ? 1 : run->variant->tile;
  mt_real.UseProgram(program);
  mt_real.Uniform1uiv(0, MPAK_PARAM_COUNT, parameters);
  mt_real.DispatchCompute(3, (groups + 2) / 3 + 1, (parameters[MPAK_PARAM_INDIVIDUAL_COUNT] + tile - 1) / tile);
  mt_real.MemoryBarrier((uint32_t)GL_ALL_BARRIER_BITS_);
  assert_int_equal(mt_real.GetError(), GL_NO_ERROR_);
}

// -- The comparison --------------------------------------------------------------------------------------------------

/// Largest differences of a run.
typedef struct shader_error {
  double position, normal, tangent;
} shader_error;

/// As a vertex attribute of two normalised shorts is read.
static void shader_attribute(uint32_t word, double out[2]) {
  for (int i = 0; i < 2; ++i) out[i] = fmax((int16_t)(word >> 16 * i) / 32767.0, -1);
}

/// Written from the octahedron's geometry, not from the shader.
static void shader_unfold(uint32_t word, float out[3]) {
  double v[2], z, x, y;
  shader_attribute(word, v);
  z = 1 - fabs(v[0]) - fabs(v[1]), x = v[0], y = v[1];
  if (z < 0) {
    x = copysign(1 - fabs(v[1]), v[0]);
    y = copysign(1 - fabs(v[0]), v[1]);
  }
  const double length = sqrt(x * x + y * y + z * z);
  out[0] = (float)(x / length), out[1] = (float)(y / length), out[2] = (float)(z / length);
}

static void shader_read_vertex(const shader_run *run, const uint32_t *words, mpak_base_vertex *out) {
  const uint32_t *parameters = run->parameters;
  memset(out, 0, sizeof *out);
  if (run->variant->output == 48) {
    memcpy(out, words, sizeof *out);
    assert_true(out->position[3] == 1 && out->normal[3] == 0);
  } else if (run->variant->output == 24) {
    memcpy(out->position, words, 12);
    shader_unfold(words[3], out->normal);
    shader_unfold(words[4], out->tangent);
    assert_true((int16_t)words[4] != INT16_MIN && (int16_t)(words[4] >> 16) != INT16_MIN);
    out->tangent[3] = words[4] >> 16 & 1 ? 1.0f : -1.0f;
  } else {
    memcpy(out->position, words + parameters[MPAK_PARAM_POSITION_OFFSET], 12);
    memcpy(out->normal, words + parameters[MPAK_PARAM_NORMAL_OFFSET], 12);
    memcpy(out->tangent, words + parameters[MPAK_PARAM_TANGENT_OFFSET], 16);
    const uint32_t untouched[5] = {0, 4, 9, 10, 14}; // words between the attributes
    for (int i = 0; i < 5; ++i) assert_int_equal(words[untouched[i]], 0xEEEEEEEE);
  }
}

static double shader_angle(const float *a, const float *b) {
  const double x = (double)a[1] * b[2] - (double)a[2] * b[1], y = (double)a[2] * b[0] - (double)a[0] * b[2],
               z = (double)a[0] * b[1] - (double)a[1] * b[0];
  return atan2(sqrt(x * x + y * y + z * z), (double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2]);
}

static void shader_compare_vertex(const mpak_base_vertex *want, const mpak_base_vertex *have, uint32_t output,
                                  shader_error *error) {
  for (int i = 0; i < 3; ++i)
    error->position = fmax(error->position, fabs((double)want->position[i] - (double)have->position[i]));
  error->normal = fmax(error->normal, shader_angle(want->normal, have->normal));
  const bool has_tangent = want->tangent[0] != 0 || want->tangent[1] != 0 || want->tangent[2] != 0;
  if (has_tangent) error->tangent = fmax(error->tangent, shader_angle(want->tangent, have->tangent));
  if (want->tangent[3] != 0 || output != 24) assert_true(want->tangent[3] == have->tangent[3]);
}

/// Compares individual i; is_absent: it must not have been written.
static void shader_compare(const shader_run *run, uint32_t i, bool is_absent, shader_error *error) {
  const uint32_t words = run->parameters[MPAK_PARAM_OUTPUT_INDIVIDUAL], stride = shader_output_stride(run->variant);
  uint32_t *read = malloc(words * sizeof *read);
  assert_non_null(read);
  mt_real.BindBuffer(GL_SHADER_STORAGE_BUFFER_, run->buffers[MPAK_BIND_OUTPUT]);
  mt_real.GetBufferSubData(GL_SHADER_STORAGE_BUFFER_, (gl_size)words * 4 * i, (gl_size)words * 4, read);
  const uint32_t count = run->made->part.vertex_count;
  for (uint32_t w = is_absent ? 0 : count * stride; w < words; ++w) assert_int_equal(read[w], 0xEEEEEEEE);
  for (uint32_t v = 0; v < count && !is_absent; ++v) {
    mpak_base_vertex have;
    shader_read_vertex(run, read + (size_t)v * stride, &have);
    shader_compare_vertex(&run->made->expected[i][v], &have, run->variant->output, error);
  }
  free(read);
}

/// Sizes here are about 10; octahedral numbers are good to a ten-thousandth.
static void shader_assert_close(const shader_error *error, const shader_variant *variant) {
  if (error->position <= 1e-4 && error->normal <= 1e-3 && error->tangent <= 1e-3) return;
  fail_msg("layout %u payload %u components %u influences %u output %u tile %u: %g, normal %g, tangent %g",
           variant->layout, variant->payload, variant->components, variant->influences, variant->output, variant->tile,
           error->position, error->normal, error->tangent);
}

// -- Tests -----------------------------------------------------------------------------------------------------------

static const uint32_t lane_kinds[][2] = {{8, 3},  {8, 6},  {12, 3}, {12, 6}, {12, 9}, {16, 3},
                                         {16, 6}, {16, 9}, {36, 3}, {36, 6}, {36, 9}};
#define LANE_KIND_COUNT (sizeof lane_kinds / sizeof lane_kinds[0])
#define LAYOUT_COUNT    (2 + LANE_KIND_COUNT)

static const uint32_t skin_kinds[7] = {0, 4, 8, 12, 4, 8, 12}; ///< influences; the last three are packed

/// Layout number `kind`; kind of skin and reorthogonalisation go round. Large shaders are few: a software driver takes
/// seconds to compile one.
static shader_variant shader_choose(uint32_t kind, uint32_t output, uint32_t tile, uint32_t round) {
  shader_variant variant = {.layout = kind < 2 ? kind : 2, .output = output, .tile = tile, .components = 9};
  const uint32_t skin = tile == 1 ? round % 7 : round % 2 * 4;
  if (kind == 0) variant.components = 0;
  if (kind >= 2) variant.payload = lane_kinds[kind - 2][0];
  if (kind >= 2) variant.components = lane_kinds[kind - 2][1];
  variant.influences = skin_kinds[skin];
  variant.is_packed = skin > 3;
  variant.reorthogonalises = variant.layout == 2 && variant.components < 9 && round % 2;
  return variant;
}

static void shader_check_whole(const shader_variant *variant) {
  shader_part *made = shader_make(variant, false);
  shader_run run;
  shader_error error = {0};
  shader_expect(made);
  shader_begin(&run, made, variant);
  shader_upload_weights(&run, NULL, 0);
  const gl_uint program = shader_program(variant);
  shader_dispatch(&run, program, 0, SHADER_BLOCKS, false);
  for (uint32_t i = 0; i < SHADER_INDIVIDUALS; ++i) shader_compare(&run, i, false, &error);
  shader_assert_close(&error, variant);
  mt_real.DeleteProgram(program);
  shader_end(&run);
  shader_free(made);
}

static void test_shaders_every_layout_and_tile_is_the_cpus(void **state) {
  (void)state;
  uint32_t round = 0;
  for (uint32_t tile = 1; tile <= 4; tile += 3)
    for (uint32_t kind = 0; kind < LAYOUT_COUNT; ++kind, ++round) {
      const shader_variant variant = shader_choose(kind, round % 3 * 24, tile, round);
      shader_check_whole(&variant);
    }
}

static void test_shaders_every_skin_and_output_is_the_cpus(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 14; ++round) {
    shader_variant variant = shader_choose(0, round % 3 * 24, 1, round);
    shader_check_whole(&variant);
    variant.tile = 4;
    if (round % 7 == 6) shader_check_whole(&variant);
  }
}

/// Three pieces whose ranges start where their data do; individuals by a list, out of order; output from the second on.
static void shader_check_pieces(const shader_variant *variant, bool is_document) {
  static const uint32_t list[3] = {4, 1, 3};
  shader_part *made = shader_make(variant, false);
  shader_run run;
  shader_error error = {0};
  shader_expect(made);
  shader_begin(&run, made, variant);
  shader_upload_weights(&run, list, 3);
  run.is_document = is_document;
  run.parameters[MPAK_PARAM_INDIVIDUAL_COUNT] = 3;
  run.parameters[MPAK_PARAM_OUTPUT_FIRST] = 1;
  const gl_uint program = is_document ? shader_compile("", mpak_shader_morph_csr64) : shader_program(variant);
  shader_dispatch(&run, program, 0, 2, true);
  shader_dispatch(&run, program, 2, 3, true);
  shader_dispatch(&run, program, 5, 2, true);
  for (uint32_t i = 0; i < SHADER_INDIVIDUALS; ++i) shader_compare(&run, i, i == 0 || i == 2 || i == 5, &error);
  shader_assert_close(&error, variant);
  mt_real.DeleteProgram(program);
  shader_end(&run);
  shader_free(made);
}

static void test_shaders_pieces_and_lists(void **state) {
  (void)state;
  uint32_t round = 1;
  for (uint32_t kind = 0; kind < LAYOUT_COUNT; kind += kind < 2 ? 1 : 4, ++round) {
    const shader_variant variant = shader_choose(kind, round % 3 * 24, round % 2 ? 1 : 4, round);
    shader_check_pieces(&variant, false);
  }
}

/// Also at the boundaries of its groups.
static void test_shaders_the_documents_kernel(void **state) {
  (void)state;
  const shader_variant variant = {.layout = 1, .components = 9, .output = 0, .tile = 1};
  for (int i = 0; i < 4; ++i) shader_check_pieces(&variant, true);
}

/// A list that is empty in the first 64 entries, in the last, in all but one.
static void test_shaders_few_active_shapes(void **state) {
  (void)state;
  for (uint32_t tile = 1; tile <= 4; tile += 3) {
    const shader_variant variant = shader_choose(5, 48, tile, 0);
    shader_part *made = shader_make(&variant, false);
    shader_run run;
    shader_error error = {0};
    static const uint32_t active[SHADER_INDIVIDUALS] = {0, 63, 64, 69, 1, SHADER_SHAPES};
    for (uint32_t i = 0; i < SHADER_INDIVIDUALS; ++i)
      for (uint32_t s = 0; s < SHADER_SHAPES; ++s) made->shape_weights[i][s] = s == active[i] ? 1.0f : 0.0f;
    shader_expect(made);
    shader_begin(&run, made, &variant);
    shader_upload_weights(&run, NULL, 0);
    const gl_uint program = shader_program(&variant);
    shader_dispatch(&run, program, 0, SHADER_BLOCKS, false);
    for (uint32_t i = 0; i < SHADER_INDIVIDUALS; ++i) shader_compare(&run, i, false, &error);
    shader_assert_close(&error, &variant);
    assert_memory_equal(made->expected[5], made->base, made->part.vertex_count * sizeof *made->base);
    mt_real.DeleteProgram(program);
    shader_end(&run);
    shader_free(made);
  }
}

/// Whatever overflows or has no direction: no NaN, no infinity leaves the shader.
static void test_shaders_never_give_nan(void **state) {
  (void)state;
  for (uint32_t round = 0; round < LAYOUT_COUNT; ++round) {
    const shader_variant variant = shader_choose(round, 48, round % 3 ? 1 : 4, round);
    shader_part *made = shader_make(&variant, true);
    shader_run run;
    shader_expect(made);
    shader_begin(&run, made, &variant);
    shader_upload_weights(&run, NULL, 0);
    const gl_uint program = shader_program(&variant);
    shader_dispatch(&run, program, 0, SHADER_BLOCKS, false);
    static float read[SHADER_VERTICES * 12];
    for (uint32_t i = 0; i < SHADER_INDIVIDUALS; ++i) {
      const uint32_t bytes = run.parameters[MPAK_PARAM_OUTPUT_INDIVIDUAL] * 4, count = made->part.vertex_count * 12;
      mt_real.BindBuffer(GL_SHADER_STORAGE_BUFFER_, run.buffers[MPAK_BIND_OUTPUT]);
      mt_real.GetBufferSubData(GL_SHADER_STORAGE_BUFFER_, (gl_size)bytes * i, (gl_size)(count * sizeof *read), read);
      assert_true(mt_pose_all_finite(read, count));
    }
    mt_real.DeleteProgram(program);
    shader_end(&run);
    shader_free(made);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shaders_every_layout_and_tile_is_the_cpus),
      cmocka_unit_test(test_shaders_every_skin_and_output_is_the_cpus),
      cmocka_unit_test(test_shaders_pieces_and_lists),
      cmocka_unit_test(test_shaders_the_documents_kernel),
      cmocka_unit_test(test_shaders_few_active_shapes),
      cmocka_unit_test(test_shaders_never_give_nan),
  };
  return mt_gl_open() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
