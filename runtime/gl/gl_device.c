/// gl_device.c: one context: its functions, limits, counters, errors and memory.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/gl/gl_private.h"

// -- Memory and errors -----------------------------------------------------------------------------------------------

static void *device_malloc(void *user, size_t byte_count) {
  (void)user;
  return malloc(byte_count);
}

static void device_free(void *user, void *pointer, size_t byte_count) {
  (void)user;
  (void)byte_count;
  free(pointer);
}

mpak_result gl_allocate(mpak_gl *gl, uint64_t count, uint64_t element_bytes, void *pointer_out) {
  void *memory = NULL;
  memcpy(pointer_out, &memory, sizeof memory);
  if (count > 0) {
    if (count > (uint64_t)PTRDIFF_MAX / element_bytes) return MPAK_ERROR_OUT_OF_MEMORY;
    memory = gl->allocator.allocate(gl->allocator.user, (size_t)(count * element_bytes));
    if (!memory) return MPAK_ERROR_OUT_OF_MEMORY;
    memset(memory, 0, (size_t)(count * element_bytes));
  }
  memcpy(pointer_out, &memory, sizeof memory);
  return MPAK_OK;
}

void gl_release(mpak_gl *gl, void *memory, uint64_t count, uint64_t element_bytes) {
  if (memory) gl->allocator.release(gl->allocator.user, memory, (size_t)(count * element_bytes));
}

/// Takes the errors that wait, so that the next call is not blamed for them. A lost context never ends.
void gl_take_errors(const mpak_gl *gl) {
  for (int i = 0; i < 16 && gl->functions.GetError() != GL_NO_ERROR_; ++i) continue;
}

mpak_result gl_fail(mpak_gl *gl, const char *call, const char *text) {
  snprintf(gl->error, sizeof gl->error, "%s: %s", call, text);
  if (gl->functions.GetError && !gl->is_lost) gl_take_errors(gl);
  return MPAK_ERROR_GL;
}

mpak_result gl_check(mpak_gl *gl, const char *call) {
  char text[32];
  gl_enum first = gl->functions.GetError();
  if (first == GL_NO_ERROR_) return MPAK_OK;
  snprintf(text, sizeof text, "GL error 0x%04X", (unsigned)first);
  return gl_fail(gl, call, text);
}

const char *mpak_gl_error_text(const mpak_gl *gl) { return gl->error; }
const mpak_gl_limits *mpak_gl_device_limits(const mpak_gl *gl) { return &gl->limits; }
const mpak_gl_counters *mpak_gl_device_counters(const mpak_gl *gl) { return &gl->counters; }
const mpak_gl_objects *mpak_gl_device_objects(const mpak_gl *gl) { return &gl->objects; }

// -- Functions -------------------------------------------------------------------------------------------------------

static mpak_result device_load_functions(mpak_gl *gl) {
  const mpak_gl_options *options = &gl->options;
  mpak_gl_function found;
  memset(&gl->functions, 0, sizeof gl->functions);
#define GL_LOAD(result, name, parameters)                                                                              \
  found = options->getproc(options->getproc_user, "gl" #name);                                                         \
  memcpy(&gl->functions.name, &found, sizeof found);
#define GL_LOAD_NEEDED(result, name, parameters)                                                                       \
  GL_LOAD(result, name, parameters)                                                                                    \
  if (!found) return gl_fail(gl, "gl" #name, "the context has no such function");
  GL_FUNCTIONS_NEEDED(GL_LOAD_NEEDED)
  GL_FUNCTIONS_COMPUTE(GL_LOAD)
  GL_FUNCTIONS_OPTIONAL(GL_LOAD)
#undef GL_LOAD
#undef GL_LOAD_NEEDED
  if (options->without_buffer_storage) gl->functions.BufferStorage = NULL;
  return MPAK_OK;
}

// -- Limits ----------------------------------------------------------------------------------------------------------

static uint32_t device_integer(const mpak_gl *gl, gl_enum name) {
  gl_int value = 0;
  gl->functions.GetIntegerv(name, &value);
  return value < 0 ? 0 : (uint32_t)value;
}

static bool device_has_compute(const mpak_gl *gl) {
  const gl_functions *f = &gl->functions;
  return !gl->options.without_compute && gl->limits.version >= 43 && f->DispatchCompute && f->MemoryBarrier &&
         f->TexBufferRange && device_integer(gl, GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS_) >= 8 &&
         device_integer(gl, GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS_) >= 8;
}

static void device_read_compute_limits(mpak_gl *gl) {
  mpak_gl_limits *limits = &gl->limits;
  limits->has_vertex_storage =
      !gl->options.without_vertex_storage && device_integer(gl, GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS_) >= 1;
  limits->max_storage_block_bytes = device_integer(gl, GL_MAX_SHADER_STORAGE_BLOCK_SIZE_);
  limits->storage_alignment_bytes = device_integer(gl, GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT_);
  for (gl_uint axis = 0; axis < 3; ++axis) {
    gl_int groups = 0;
    gl->functions.GetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT_, axis, &groups);
    limits->max_work_groups[axis] = groups < 0 ? 0 : (uint32_t)groups;
  }
}

static void device_lower(uint32_t *limit, uint32_t option) {
  if (option != 0 && option < *limit) *limit = option;
}

static void device_lower_limits(mpak_gl_limits *limits, const mpak_gl_limits *lower) {
  device_lower(&limits->max_storage_block_bytes, lower->max_storage_block_bytes);
  device_lower(&limits->max_texture_texels, lower->max_texture_texels);
  device_lower(&limits->max_bones_per_section, lower->max_bones_per_section);
  for (int axis = 0; axis < 3; ++axis) device_lower(&limits->max_work_groups[axis], lower->max_work_groups[axis]);
  if (lower->storage_alignment_bytes > limits->storage_alignment_bytes) {
    limits->storage_alignment_bytes = lower->storage_alignment_bytes;
  }
  limits->is_small = lower->is_small;
}

static mpak_result device_read_limits(mpak_gl *gl) {
  mpak_gl_limits *limits = &gl->limits;
  *limits = (mpak_gl_limits){.max_bones_per_section = 65536, .storage_alignment_bytes = 256};
  limits->version = 10 * device_integer(gl, GL_MAJOR_VERSION_) + device_integer(gl, GL_MINOR_VERSION_);
  limits->max_texture_texels = device_integer(gl, GL_MAX_TEXTURE_BUFFER_SIZE_);
  limits->has_compute = device_has_compute(gl);
  if (limits->has_compute) device_read_compute_limits(gl);
  if (limits->storage_alignment_bytes < 16) limits->storage_alignment_bytes = 16;
  device_lower_limits(limits, &gl->options.lower);
  return gl_check(gl, "glGetIntegerv");
}

// -- Life ------------------------------------------------------------------------------------------------------------

static mpak_result device_start(mpak_gl *gl) {
  mpak_result result = device_load_functions(gl);
  if (result != MPAK_OK) return result;
  gl_take_errors(gl); // the caller's own
  return device_read_limits(gl);
}

mpak_result mpak_gl_create(const mpak_gl_options *options, mpak_gl **gl) {
  *gl = NULL;
  if (!options || !options->getproc) return MPAK_ERROR_ARGUMENT;
  mpak_allocator memory =
      options->allocator ? *options->allocator : (mpak_allocator){.allocate = device_malloc, .release = device_free};
  mpak_gl *made = memory.allocate(memory.user, sizeof *made);
  if (!made) return MPAK_ERROR_OUT_OF_MEMORY;
  memset(made, 0, sizeof *made);
  made->options = *options;
  made->allocator = memory;
  made->options.allocator = NULL;
  mpak_result result = device_start(made);
  if (result != MPAK_OK) {
    mpak_gl_destroy(made);
    return result;
  }
  *gl = made;
  return MPAK_OK;
}

void mpak_gl_destroy(mpak_gl *gl) {
  if (!gl) return;
  if (!gl->is_lost) gl_state_restore(gl);
  gl_programs_free(gl, NULL);
  mpak_allocator memory = gl->allocator;
  memory.release(memory.user, gl, sizeof *gl);
}

void mpak_gl_context_lost(mpak_gl *gl) {
  gl->is_lost = true;
  gl->saved.is_saved = false;
  gl->has_dispatched = false;
  gl_programs_free(gl, NULL);
  for (mpak_gl_model *model = gl->models; model; model = model->next) {
    for (mpak_gl_crowd *crowd = model->crowds; crowd; crowd = crowd->next) gl_crowd_free_objects(crowd);
    for (uint32_t p = 0; p < model->pack->part_count; ++p) gl_part_free(model, &model->parts[p]);
  }
}

mpak_result mpak_gl_restore(mpak_gl *gl) {
  if (!gl->is_lost) return MPAK_OK;
  mpak_result result = device_start(gl);
  if (result != MPAK_OK) return result;
  gl->is_lost = false;
  for (mpak_gl_model *model = gl->models; result == MPAK_OK && model; model = model->next) {
    result = gl_model_upload(model, NULL);
    for (mpak_gl_crowd *crowd = model->crowds; result == MPAK_OK && crowd; crowd = crowd->next) {
      gl_crowd_dirty_all(crowd);
      result = gl_crowd_adapt(crowd);
    }
  }
  if (result != MPAK_OK) { // all or nothing: what came back goes again
    char error[sizeof gl->error];
    memcpy(error, gl->error, sizeof error);
    for (mpak_gl_model *model = gl->models; model; model = model->next) {
      for (uint32_t p = 0; p < model->pack->part_count; ++p) gl_part_free(model, &model->parts[p]);
    }
    mpak_gl_context_lost(gl);
    memcpy(gl->error, error, sizeof error);
  }
  return result;
}

// -- A frame's end ---------------------------------------------------------------------------------------------------

/// F104, F105: one barrier a frame, for vertex arrays and for shaders that read storage.
void mpak_gl_make_writes_visible(mpak_gl *gl) {
  if (gl->is_lost) return;
  ++gl->counters.frames;
  if (gl->has_dispatched) {
    gl->functions.MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT_ | GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT_);
    ++gl->counters.barriers;
    gl->has_dispatched = false;
  }
  gl_state_restore(gl);
}
