/// gl_part.c: uploads what never changes of a part: base, blocks, deltas, skin, indices, texture coordinates, colours.
#include <string.h>

#include "format/bytes.h"
#include "format/morph_payload.h"
#include "runtime/gl/gl_private.h"

/// Uploads wait in this until the staging memory is unmapped.
typedef struct part_upload {
  mpak_gl *gl;
  gl_part *part;
  const mpak_part *record;
  const mpak_part_data *data;
  gl_source source; ///< where data leads
  uint32_t *blocks; ///< made for the GPU
  uint32_t block_records;
  uint32_t *skin; ///< made for the GPU
  uint64_t skin_words;
} part_upload;

// -- Skin ------------------------------------------------------------------------------------------------------------

/// Is each weight exactly a unorm16? So are those of quantised packs.
static bool skin_is_packed(const float *weights, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    if ((float)(uint32_t)(weights[i] * 65535.0f + 0.5f) / 65535.0f != weights[i]) return false;
  }
  return true;
}

static uint32_t skin_pair(uint32_t low, uint32_t high) { return low | high << 16; }

static uint32_t skin_unorm(float weight) { return (uint32_t)(weight * 65535.0f + 0.5f); }

void gl_skin_write_quad(const uint16_t *joints, const float *weights, bool is_packed, uint32_t *words) {
  words[0] = skin_pair(joints[0], joints[1]);
  words[1] = skin_pair(joints[2], joints[3]);
  if (is_packed) {
    words[2] = skin_pair(skin_unorm(weights[0]), skin_unorm(weights[1]));
    words[3] = skin_pair(skin_unorm(weights[2]), skin_unorm(weights[3]));
  } else {
    memcpy(words + 2, weights, 4 * sizeof *weights);
  }
}

static mpak_result part_make_skin(part_upload *upload) {
  const uint64_t influences = (uint64_t)upload->record->vertex_count * upload->record->influence_count;
  if (influences == 0) return MPAK_OK;
  const bool is_packed = skin_is_packed(upload->data->weights, influences);
  const uint32_t quad_words = is_packed ? MPAK_SKIN_PACKED_WORDS : MPAK_SKIN_FULL_WORDS;
  upload->skin_words = influences / 4 * quad_words;
  mpak_result result = gl_allocate(upload->gl, upload->skin_words, sizeof *upload->skin, &upload->skin);
  if (result != MPAK_OK) return result;
  for (uint64_t q = 0; q < influences / 4; ++q) {
    gl_skin_write_quad(upload->data->joints + 4 * q, upload->data->weights + 4 * q, is_packed,
                       upload->skin + quad_words * q);
  }
  upload->part->skin_quad_words = quad_words;
  return MPAK_OK;
}

// -- What kind of part -----------------------------------------------------------------------------------------------

static uint8_t part_payload_bytes(mpak_payload payload) {
  switch (payload) {
  case MPAK_PAYLOAD_P8: return 8;
  case MPAK_PAYLOAD_P12: return 12;
  case MPAK_PAYLOAD_P16: return 16;
  case MPAK_PAYLOAD_P36: return 36;
  default: return 0;
  }
}

static void part_choose_variant(part_upload *upload, bool document_kernel) {
  const mpak_morph *morph = &upload->data->morph;
  gl_variant *variant = &upload->part->variant;
  *variant = (gl_variant){.tile = 1, .influences = (uint8_t)upload->record->influence_count};
  variant->skin_packed = upload->part->skin_quad_words == MPAK_SKIN_PACKED_WORDS;
  variant->payload = part_payload_bytes(morph->payload);
  if (variant->payload != 0) {
    variant->layout = 2;
    variant->components = (uint8_t)morph->components;
    variant->reorthogonalises = (upload->record->flags & MPAK_PART_REORTHOGONALISE) != 0;
  } else if (morph->payload == MPAK_PAYLOAD_CSR64) {
    variant->layout = 1;
    variant->is_document_kernel = document_kernel;
  }
}

static void part_choose_technique(mpak_gl_model *model, uint32_t part, uint64_t largest_bytes) {
  const mpak_pack *pack = model->pack;
  const mpak_part *record = &pack->parts[part];
  mpak_gl_part_facts facts = {.vertex_count = record->vertex_count,
                              .is_skinned = record->influence_count > 0,
                              .largest_block_bytes = largest_bytes};
  for (uint32_t s = 0; s < record->section_count; ++s) {
    const uint32_t bones = pack->sections[record->first_section + s].bone_count;
    if (bones > facts.most_bones_per_section) facts.most_bones_per_section = bones;
    model->parts[part].bone_count += bones;
  }
  model->parts[part].technique = mpak_gl_choose_technique(&model->gl->limits, model->gl->options.technique, &facts);
}

// -- Buffers ---------------------------------------------------------------------------------------------------------

static mpak_result part_upload_buffer(const part_upload *upload, gl_buffer *buffer, const void *bytes,
                                      uint64_t byte_count) {
  mpak_gl *gl = upload->gl;
  gl_source source = upload->source;
  source.bytes = bytes;
  mpak_result result = gl_buffer_make(gl, buffer, byte_count, GL_STATIC_DRAW_);
  return result == MPAK_OK ? gl_buffer_fill(gl, buffer, 0, byte_count, &source) : result;
}

static mpak_result part_upload_morph(const part_upload *upload) {
  const mpak_morph *morph = &upload->data->morph;
  gl_part *part = upload->part;
  if (morph->payload == MPAK_PAYLOAD_CSR64) {
    mpak_result result =
        part_upload_buffer(upload, &part->offsets, morph->vertex_offsets, 4 * ((uint64_t)morph->vertex_count + 1));
    if (result != MPAK_OK) return result;
    return part_upload_buffer(upload, &part->deltas, morph->deltas,
                              (uint64_t)morph->delta_count * sizeof *morph->deltas);
  }
  if (!mpak_payload_is_blk64(morph->payload)) return MPAK_OK;
  mpak_result result =
      part_upload_buffer(upload, &part->entries, morph->entries, (uint64_t)morph->entry_count * sizeof *morph->entries);
  if (result != MPAK_OK) return result;
  return part_upload_buffer(upload, &part->deltas, morph->payload_words, 4 * morph->payload_word_count);
}

static uint32_t part_colour_bytes(mpak_element_format format) {
  switch (format) {
  case MPAK_FORMAT_F32X3: return 12;
  case MPAK_FORMAT_F32X4: return 16;
  case MPAK_FORMAT_UNORM16X3:
  case MPAK_FORMAT_UNORM16X4: return 8;
  default: return 4;
  }
}

/// Texture coordinates and colours, one stream behind the other, each at a multiple of 16 bytes.
static uint64_t part_layout_statics(part_upload *upload) {
  const uint64_t vertices = upload->record->vertex_count;
  gl_static_layout *layout = &upload->part->static_layout;
  uint64_t end = 0;
  for (int set = 0; set < 2; ++set) {
    layout->texcoords[set] = upload->data->texcoords[set] ? end : UINT64_MAX;
    if (upload->data->texcoords[set]) end += bytes_align(8 * vertices, 16);
  }
  layout->colours = upload->data->colours ? end : UINT64_MAX;
  layout->colour_format = upload->data->colour_format;
  if (upload->data->colours) end += bytes_align(vertices * part_colour_bytes(layout->colour_format), 16);
  return end;
}

static mpak_result part_upload_stream(const part_upload *upload, uint64_t offset, const void *bytes,
                                      uint64_t byte_count) {
  gl_source source = upload->source;
  source.bytes = bytes;
  if (!bytes) return MPAK_OK;
  return gl_buffer_fill(upload->gl, &upload->part->statics, offset, byte_count, &source);
}

static mpak_result part_upload_statics(part_upload *upload) {
  const uint64_t vertices = upload->record->vertex_count;
  gl_part *part = upload->part;
  mpak_result result = gl_buffer_make(upload->gl, &part->statics, part_layout_statics(upload), GL_STATIC_DRAW_);
  for (int set = 0; result == MPAK_OK && set < 2; ++set) {
    result = part_upload_stream(upload, part->static_layout.texcoords[set], upload->data->texcoords[set], 8 * vertices);
  }
  if (result != MPAK_OK) return result;
  return part_upload_stream(upload, part->static_layout.colours, upload->data->colours,
                            vertices * part_colour_bytes(part->static_layout.colour_format));
}

static mpak_result part_upload_all(part_upload *upload) {
  gl_part *part = upload->part;
  const mpak_part *record = upload->record;
  part->index_bytes = upload->data->index_bytes;
  mpak_result result = part_upload_buffer(upload, &part->base, upload->data->base,
                                          (uint64_t)record->vertex_count * sizeof(mpak_base_vertex));
  if (result == MPAK_OK) {
    result = part_upload_buffer(upload, &part->blocks, upload->blocks, (uint64_t)upload->block_records * 16);
  }
  if (result == MPAK_OK) result = part_upload_morph(upload);
  if (result == MPAK_OK) result = part_upload_buffer(upload, &part->skin, upload->skin, 4 * upload->skin_words);
  if (result == MPAK_OK) {
    result = part_upload_buffer(upload, &part->indices, upload->data->indices,
                                (uint64_t)record->index_count * part->index_bytes);
  }
  return result == MPAK_OK ? part_upload_statics(upload) : result;
}

// -- A part ----------------------------------------------------------------------------------------------------------

/// All that reads the decoded bytes; they may stand in mapped memory.
static mpak_result part_prepare(mpak_gl_model *model, uint32_t part, part_upload *upload) {
  uint64_t largest_bytes = 0;
  mpak_result result = gl_part_make_blocks(model, part, upload->data, &upload->blocks, &upload->block_records);
  if (result == MPAK_OK) result = gl_part_cut(model, part, upload->data, upload->blocks, &largest_bytes);
  if (result == MPAK_OK) result = part_make_skin(upload);
  if (result != MPAK_OK) return result;
  if (4 * upload->skin_words > largest_bytes) largest_bytes = 4 * upload->skin_words; // bound whole
  part_choose_technique(model, part, largest_bytes);
  part_choose_variant(upload, model->options.document_kernel);
  return MPAK_OK;
}

mpak_result gl_part_upload(mpak_gl_model *model, uint32_t part, const mpak_part_data *data, gl_staging *staging) {
  mpak_gl *gl = model->gl;
  part_upload upload = {.gl = gl, .part = &model->parts[part], .record = &model->pack->parts[part], .data = data};
  upload.source = (gl_source){
      .mapping = staging->memory, .mapping_bytes = staging->buffer.byte_count, .staging = staging->buffer.name};
  gl_part_free(model, upload.part);
  mpak_result result = part_prepare(model, part, &upload);
  if (result == MPAK_OK) result = gl_staging_unmap(gl, staging);
  if (result == MPAK_OK) result = part_upload_all(&upload);
  gl_release(gl, upload.blocks, upload.block_records, 16);
  gl_release(gl, upload.skin, upload.skin_words, sizeof *upload.skin);
  return result;
}

void gl_part_free(mpak_gl_model *model, gl_part *part) {
  mpak_gl *gl = model->gl;
  gl_buffer_free(gl, &part->base);
  gl_buffer_free(gl, &part->blocks);
  gl_buffer_free(gl, &part->offsets);
  gl_buffer_free(gl, &part->deltas);
  gl_buffer_free(gl, &part->entries);
  gl_buffer_free(gl, &part->skin);
  gl_buffer_free(gl, &part->indices);
  gl_buffer_free(gl, &part->statics);
  gl_release(gl, part->pieces, part->piece_count, sizeof *part->pieces);
  mpak_gl_technique technique = part->technique;
  *part = (gl_part){.technique = technique};
}
