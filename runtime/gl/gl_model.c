/// gl_model.c: a pack's buffers on a GPU, part by part.
#include "runtime/gl/gl_private.h"

// -- Decoding --------------------------------------------------------------------------------------------------------

mpak_result gl_model_decoded(mpak_gl_model *model, const mpak_model **decoded) {
  mpak_result result = MPAK_OK;
  if (!model->options.decoded && !model->own_decoded) {
    result = mpak_model_create(model->pack, &model->gl->allocator, &model->own_decoded, NULL);
  }
  *decoded = model->options.decoded ? model->options.decoded : model->own_decoded;
  return result;
}

/// Decodes a part into mapped staging memory (stored chunks stay in the pack's bytes) and uploads it.
static mpak_result model_stage_part(mpak_gl_model *model, uint32_t part, void *scratch, uint64_t scratch_bytes,
                                    mpak_fault *fault) {
  mpak_gl *gl = model->gl;
  gl_staging staging;
  mpak_part_data data;
  uint64_t byte_count = mpak_part_bytes(model->pack, part);
  mpak_result result = gl_staging_open(gl, byte_count, &staging);
  if (result != MPAK_OK) return result;
  result = mpak_load_part(model->pack, part, staging.memory, byte_count, scratch, scratch_bytes, &data, fault);
  if (result == MPAK_OK) result = gl_part_upload(model, part, &data, &staging);
  gl_staging_free(gl, &staging);
  return result;
}

static mpak_result model_upload_packed(mpak_gl_model *model, mpak_fault *fault) {
  uint64_t scratch_bytes = mpak_scratch_bytes(model->pack);
  void *scratch = NULL;
  mpak_result result = gl_allocate(model->gl, scratch_bytes, 1, &scratch);
  for (uint32_t p = 0; result == MPAK_OK && p < model->pack->part_count; ++p) {
    result = model_stage_part(model, p, scratch, scratch_bytes, fault);
  }
  gl_release(model->gl, scratch, scratch_bytes, 1);
  return result;
}

static mpak_result model_upload_decoded(mpak_gl_model *model) {
  mpak_result result = MPAK_OK;
  gl_staging none = {0};
  for (uint32_t p = 0; result == MPAK_OK && p < model->pack->part_count; ++p) {
    result = gl_part_upload(model, p, &model->options.decoded->parts[p], &none);
  }
  return result;
}

static bool model_needs_cpu(const mpak_gl_model *model) {
  for (uint32_t p = 0; p < model->pack->part_count; ++p) {
    if (model->parts[p].technique == MPAK_GL_CPU) return true;
  }
  return false;
}

mpak_result gl_model_upload(mpak_gl_model *model, mpak_fault *fault) {
  const mpak_model *unused;
  mpak_result result = model->options.decoded ? model_upload_decoded(model) : model_upload_packed(model, fault);
  if (result == MPAK_OK && model_needs_cpu(model)) result = gl_model_decoded(model, &unused);
  if (result == MPAK_OK) return MPAK_OK;
  for (uint32_t p = 0; p < model->pack->part_count; ++p) gl_part_free(model, &model->parts[p]);
  return result;
}

// -- Life ------------------------------------------------------------------------------------------------------------

mpak_result mpak_gl_model_create(mpak_gl *gl, const mpak_pack *pack, const mpak_gl_model_options *options,
                                 mpak_gl_model **model, mpak_fault *fault) {
  mpak_gl_model *made;
  *model = NULL;
  if (gl->is_lost) return gl_fail(gl, "mpak_gl_model_create", "the context is lost");
  mpak_result result = gl_allocate(gl, 1, sizeof *made, &made);
  if (result != MPAK_OK) return result;
  made->gl = gl;
  made->pack = pack;
  if (options) made->options = *options;
  result = gl_allocate(gl, pack->part_count, sizeof *made->parts, &made->parts);
  if (result == MPAK_OK) result = gl_model_upload(made, fault);
  made->next = gl->models;
  gl->models = made;
  if (result != MPAK_OK) {
    mpak_gl_model_destroy(made);
    return result;
  }
  *model = made;
  return MPAK_OK;
}

void mpak_gl_model_destroy(mpak_gl_model *model) {
  if (!model) return;
  mpak_gl *gl = model->gl;
  for (mpak_gl_model **at = &gl->models; *at; at = &(*at)->next) {
    if (*at != model) continue;
    *at = model->next;
    break;
  }
  for (uint32_t p = 0; model->parts && p < model->pack->part_count; ++p) gl_part_free(model, &model->parts[p]);
  mpak_model_destroy(model->own_decoded);
  gl_release(gl, model->parts, model->pack->part_count, sizeof *model->parts);
  gl_release(gl, model, 1, sizeof *model);
}

mpak_gl_technique mpak_gl_model_technique(const mpak_gl_model *model, uint32_t part) {
  return model->parts[part].technique;
}
