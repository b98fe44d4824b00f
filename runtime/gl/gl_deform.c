/// gl_deform.c: a frame of a crowd: uploads what changed and has it moved, and nothing else.
#include "runtime/gl/gl_private.h"

// -- Uploads ---------------------------------------------------------------------------------------------------------

/// One range of individuals; false when there is none.
typedef struct deform_range {
  uint32_t first;
  uint32_t end;
} deform_range;

static void range_add(deform_range *range, uint32_t i) {
  if (range->end == 0) range->first = i;
  range->end = i + 1;
}

static mpak_result deform_upload_palettes(mpak_gl_crowd *crowd) {
  mpak_gl *gl = crowd->model->gl;
  const uint64_t individual_bytes = (uint64_t)crowd->palette_stride_bones * sizeof(mpak_matrix);
  deform_range range = {0};
  mpak_result result = MPAK_OK;
  if (!crowd->uses_palette) return MPAK_OK;
  for (uint32_t i = 0; i < crowd->count; ++i) {
    if (crowd->individuals[i].is_shown && crowd->individuals[i].palette_dirty) range_add(&range, i);
  }
  if (range.end == 0) return MPAK_OK;
  if (crowd->palette.name == 0) {
    result = gl_buffer_make(gl, &crowd->palette, individual_bytes * crowd->count, GL_DYNAMIC_DRAW_);
  }
  const uint64_t byte_count = individual_bytes * (range.end - range.first);
  if (result == MPAK_OK) {
    result = gl_buffer_write(gl, &crowd->palette, individual_bytes * range.first, byte_count,
                             crowd->palette_values + (size_t)crowd->palette_stride_bones * range.first);
  }
  if (result != MPAK_OK) return result;
  ++gl->counters.palette_uploads;
  gl->counters.upload_bytes += byte_count;
  for (uint32_t i = range.first; i < range.end; ++i) crowd->individuals[i].palette_dirty = false;
  return MPAK_OK;
}

static mpak_result deform_upload_weights(mpak_gl_crowd *crowd, gl_output *output) {
  mpak_gl *gl = crowd->model->gl;
  const uint32_t shape_count = crowd->model->pack->parts[output->part].shape_count;
  deform_range range = {0};
  for (uint32_t i = 0; shape_count > 0 && i < crowd->count; ++i) {
    if (output->seen[i].is_shown && output->seen[i].weights_dirty) range_add(&range, i);
  }
  if (range.end == 0) return MPAK_OK;
  const uint64_t individual_bytes = (uint64_t)shape_count * sizeof *output->weight_values;
  const uint64_t byte_count = individual_bytes * (range.end - range.first);
  mpak_result result = gl_buffer_write(gl, &output->weights, individual_bytes * range.first, byte_count,
                                       output->weight_values + (size_t)shape_count * range.first);
  if (result != MPAK_OK) return result;
  ++gl->counters.weight_uploads;
  gl->counters.upload_bytes += byte_count;
  for (uint32_t i = range.first; i < range.end; ++i) output->seen[i].weights_dirty = false;
  return MPAK_OK;
}

/// The list of individuals stands behind the weights. No list where they follow one another.
static mpak_result deform_upload_list(mpak_gl_crowd *crowd, const gl_output *output, uint32_t count, bool *has_list) {
  mpak_gl *gl = crowd->model->gl;
  const uint64_t weights = (uint64_t)crowd->count * crowd->model->pack->parts[output->part].shape_count;
  *has_list = crowd->list[count - 1] - crowd->list[0] != count - 1;
  if (!*has_list) return MPAK_OK;
  ++gl->counters.weight_uploads;
  gl->counters.upload_bytes += 4 * (uint64_t)count;
  return gl_buffer_write(gl, &output->weights, 4 * weights, 4 * (uint64_t)count, crowd->list);
}

// -- Who is to be moved ----------------------------------------------------------------------------------------------

static bool deform_any_dirty(const mpak_gl_crowd *crowd, const gl_output *output) {
  for (uint32_t i = 0; i < crowd->count; ++i) {
    if (output->seen[i].is_shown && output->seen[i].vertices_dirty) return true;
  }
  return false;
}

/// Fills crowd->list. With two buffers, the one to be written also lacks what only the other got the last time.
static uint32_t deform_list(mpak_gl_crowd *crowd, const gl_output *output, uint32_t target) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < crowd->count; ++i) {
    const gl_seen *seen = &output->seen[i];
    const bool is_stale = crowd->options.keep_previous && seen->is_stale[target];
    if (seen->is_shown && (seen->vertices_dirty || is_stale)) crowd->list[count++] = i;
  }
  return count;
}

static void deform_note_done(const mpak_gl_crowd *crowd, gl_output *output, uint32_t target, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    gl_seen *seen = &output->seen[crowd->list[i]];
    if (seen->vertices_dirty) seen->is_stale[1 - target] = true;
    seen->is_stale[target] = false;
    seen->vertices_dirty = false;
    seen->has_previous = seen->has_vertices;
    seen->has_vertices = true;
  }
}

/// Also hidden ones whose other buffer is older now.
static uint32_t deform_target(const mpak_gl_crowd *crowd, const gl_output *output) {
  return crowd->options.keep_previous ? 1 - output->current : 0;
}

// -- Outputs ---------------------------------------------------------------------------------------------------------

static mpak_result deform_on_gpu(mpak_gl_crowd *crowd, gl_output *output, uint32_t count) {
  bool has_list;
  mpak_result result = deform_upload_weights(crowd, output);
  if (result == MPAK_OK) result = deform_upload_list(crowd, output, count, &has_list);
  return result == MPAK_OK ? gl_dispatch(crowd, output, count, has_list) : result;
}

static mpak_result deform_on_cpu(mpak_gl_crowd *crowd, gl_output *output, uint32_t count) {
  mpak_result result = MPAK_OK;
  for (uint32_t i = 0; result == MPAK_OK && i < count; ++i) {
    result = gl_deform_on_cpu(crowd, output, crowd->list[i]);
  }
  return result;
}

static mpak_result deform_output(mpak_gl_crowd *crowd, gl_output *output) {
  mpak_gl *gl = crowd->model->gl;
  if (!deform_any_dirty(crowd, output)) {
    output->previous = output->current; // nothing moved
    for (uint32_t i = 0; i < crowd->count; ++i) gl->counters.skipped += output->seen[i].is_shown;
    return MPAK_OK;
  }
  mpak_result result = gl_output_make(crowd, output);
  if (result != MPAK_OK) return result;
  const uint32_t before = output->current, target = deform_target(crowd, output);
  const uint32_t count = deform_list(crowd, output, target);
  output->current = target;
  result = output->technique == MPAK_GL_CPU ? deform_on_cpu(crowd, output, count) : deform_on_gpu(crowd, output, count);
  if (result != MPAK_OK) {
    output->current = before;
    return result;
  }
  output->previous = before;
  deform_note_done(crowd, output, target, count);
  return MPAK_OK;
}

/// Motion of parts that are not skinned: their nodes' matrices, this time and the last.
static void deform_note_matrices(const mpak_gl_crowd *crowd, gl_output *output) {
  for (uint32_t i = 0; i < crowd->count; ++i) {
    gl_seen *seen = &output->seen[i];
    if (!seen->is_shown) continue;
    seen->previous_matrix = seen->has_deformed_matrix ? seen->deformed_matrix : seen->component_from_vertices;
    seen->deformed_matrix = seen->component_from_vertices;
    seen->has_deformed_matrix = true;
  }
}

mpak_result mpak_gl_crowd_deform(mpak_gl_crowd *crowd) {
  mpak_gl *gl = crowd->model->gl;
  if (gl->is_lost) return gl_fail(gl, "mpak_gl_crowd_deform", "the context is lost");
  mpak_result result = deform_upload_palettes(crowd);
  for (uint32_t o = 0; result == MPAK_OK && o < crowd->output_count; ++o) {
    gl_output *output = &crowd->outputs[o];
    if (output->is_deformed) result = deform_output(crowd, output);
    if (result == MPAK_OK && !output->is_skinned) deform_note_matrices(crowd, output);
  }
  return result;
}
