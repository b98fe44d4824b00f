/// gl_dispatch.c: the compute dispatches of one output: program, bindings, parameters, and how the work is cut to the
/// device's limits. No barrier: that is the frame's.
#include "format/bytes.h"
#include "runtime/gl/gl_private.h"

/// One dispatch in the making.
typedef struct dispatch_job {
  mpak_gl_crowd *crowd;
  const gl_output *output;
  const gl_part *part;
  const gl_piece *piece;
  gl_variant variant;
  uint32_t first; ///< in crowd->list
  uint32_t individual_count;
  bool has_list;
  uint64_t individual_bytes;
  gl_uint parameters[MPAK_PARAM_COUNT];
} dispatch_job;

// -- Which shader ----------------------------------------------------------------------------------------------------

static const uint8_t dispatch_output_words[] = {
    [MPAK_GL_OUTPUT_48] = 48, [MPAK_GL_OUTPUT_24] = 24, [MPAK_GL_OUTPUT_INTERLEAVED] = 0};

/// Four individuals share a work group where most shapes are active: they read the deltas once.
static uint8_t dispatch_tile(const mpak_gl_crowd *crowd, const gl_output *output, uint32_t count) {
  const uint32_t shape_count = crowd->model->pack->parts[output->part].shape_count;
  uint64_t active = 0;
  if (count < 4 || crowd->model->parts[output->part].variant.layout != 2) return 1;
  for (uint32_t i = 0; i < count; ++i) active += output->seen[crowd->list[i]].active_count;
  return (float)active > GL_TILE_ACTIVE_SHARE * (float)count * (float)shape_count ? 4 : 1;
}

static gl_variant dispatch_variant(const mpak_gl_crowd *crowd, const gl_output *output, uint32_t count) {
  gl_variant variant = crowd->model->parts[output->part].variant;
  const bool is_cached = output->technique == MPAK_GL_SKIN_CACHE && output->is_skinned;
  variant.output = dispatch_output_words[crowd->options.output];
  variant.tile = dispatch_tile(crowd, output, count);
  if (!is_cached) variant.influences = variant.skin_packed = 0;
  variant.is_document_kernel &= !is_cached && !gl_crowd_has_hooks(crowd);
  return variant;
}

// -- Bindings --------------------------------------------------------------------------------------------------------

/// Binds bytes [start, start + byte_count), the start (a multiple of the unit) rounded down as the device wants it.
/// Returns where the bound range starts, in units.
static uint32_t dispatch_bind(const mpak_gl *gl, gl_uint binding, const gl_buffer *buffer, uint64_t start,
                              uint64_t byte_count, uint32_t unit_bytes) {
  if (buffer->name == 0 || byte_count == 0) return 0;
  const uint64_t down = start / gl->limits.storage_alignment_bytes * gl->limits.storage_alignment_bytes;
  gl->functions.BindBufferRange(GL_SHADER_STORAGE_BUFFER_, binding, buffer->name, (gl_size)down,
                                (gl_size)(start + byte_count - down));
  return (uint32_t)(down / unit_bytes);
}

static void dispatch_bind_all(const mpak_gl *gl, gl_uint binding, const gl_buffer *buffer) {
  dispatch_bind(gl, binding, buffer, 0, buffer->byte_count, 1);
}

static void dispatch_bind_part(const mpak_gl *gl, dispatch_job *job) {
  const gl_part *part = job->part;
  const gl_piece *piece = job->piece;
  const bool is_csr = job->variant.layout == 1;
  job->parameters[MPAK_PARAM_BASE_SHIFT] =
      dispatch_bind(gl, MPAK_BIND_BASE, &part->base, (uint64_t)piece->first_vertex * sizeof(mpak_base_vertex),
                    (uint64_t)piece->vertex_count * sizeof(mpak_base_vertex), 16);
  job->parameters[MPAK_PARAM_DELTA_SHIFT] = dispatch_bind(gl, MPAK_BIND_DELTAS, &part->deltas, piece->delta_start,
                                                          piece->delta_bytes, is_csr ? sizeof(mpak_csr_delta) : 4);
  dispatch_bind_all(gl, MPAK_BIND_OFFSETS, is_csr ? &part->offsets : &part->blocks);
  if (is_csr)
    dispatch_bind_all(gl, MPAK_BIND_ENTRIES, &part->blocks);
  else
    job->parameters[MPAK_PARAM_ENTRY_SHIFT] = dispatch_bind(gl, MPAK_BIND_ENTRIES, &part->entries, piece->entry_start,
                                                            piece->entry_bytes, sizeof(mpak_morph_entry));
  if (job->variant.influences) dispatch_bind_all(gl, MPAK_BIND_SKIN, &part->skin);
}

/// Outputs of all individuals of the dispatch; of one whose vertices do not fit, those of the piece.
static void dispatch_bind_output(const mpak_gl *gl, dispatch_job *job) {
  const gl_output *output = job->output;
  const gl_buffer *buffer = &output->vertices[output->current];
  const uint32_t low = job->crowd->list[job->first], high = job->crowd->list[job->first + job->individual_count - 1];
  const uint32_t stride_bytes = 4 * gl_output_stride_words(job->crowd, output);
  const uint64_t start = low * job->individual_bytes;
  job->parameters[MPAK_PARAM_OUTPUT_FIRST] = low;
  if (job->individual_count == 1) {
    const uint64_t piece_start = start + (uint64_t)job->piece->first_vertex * stride_bytes;
    job->parameters[MPAK_PARAM_OUTPUT_SHIFT] =
        dispatch_bind(gl, MPAK_BIND_OUTPUT, buffer, piece_start, (uint64_t)job->piece->vertex_count * stride_bytes, 4) -
        (uint32_t)(start / 4);
    return;
  }
  job->parameters[MPAK_PARAM_OUTPUT_SHIFT] = 0;
  dispatch_bind(gl, MPAK_BIND_OUTPUT, buffer, start, (uint64_t)(high - low + 1) * job->individual_bytes, 4);
}

/// The palette's numbers are relative to the first individual; they wrap around as the shader's do.
static void dispatch_bind_individuals(const mpak_gl *gl, dispatch_job *job) {
  const mpak_gl_crowd *crowd = job->crowd;
  const uint32_t low = crowd->list[job->first], high = crowd->list[job->first + job->individual_count - 1];
  const uint64_t palette_bytes = (uint64_t)crowd->palette_stride_bones * sizeof(mpak_matrix);
  dispatch_bind_all(gl, MPAK_BIND_WEIGHTS, &job->output->weights);
  if (!job->variant.influences) return;
  dispatch_bind(gl, MPAK_BIND_PALETTE, &crowd->palette, low * palette_bytes, (high - low + 1) * palette_bytes, 16);
  job->parameters[MPAK_PARAM_PALETTE_STRIDE] = crowd->palette_stride_bones;
  job->parameters[MPAK_PARAM_PALETTE_FIRST] = job->output->palette_first - low * crowd->palette_stride_bones;
}

// -- Parameters ------------------------------------------------------------------------------------------------------

static void dispatch_set_parameters(dispatch_job *job) {
  const mpak_gl_crowd *crowd = job->crowd;
  const uint32_t shape_count = crowd->model->pack->parts[job->output->part].shape_count;
  const bool is_interleaved = crowd->options.output == MPAK_GL_OUTPUT_INTERLEAVED;
  gl_uint *p = job->parameters;
  p[MPAK_PARAM_FIRST_BLOCK] = job->piece->first_block;
  p[MPAK_PARAM_BLOCK_COUNT] = job->piece->block_count;
  if (job->variant.is_document_kernel) {
    p[MPAK_PARAM_FIRST_BLOCK] = job->piece->first_vertex;
    p[MPAK_PARAM_BLOCK_COUNT] = job->piece->first_vertex + job->piece->vertex_count;
  }
  p[MPAK_PARAM_FIRST_INDIVIDUAL] = crowd->list[job->first];
  p[MPAK_PARAM_INDIVIDUAL_COUNT] = job->individual_count;
  p[MPAK_PARAM_LIST] = job->has_list ? crowd->count * shape_count + job->first : MPAK_NO_LIST;
  p[MPAK_PARAM_WEIGHT_STRIDE] = shape_count;
  p[MPAK_PARAM_OUTPUT_INDIVIDUAL] = (gl_uint)(job->individual_bytes / 4);
  p[MPAK_PARAM_OUTPUT_STRIDE] = gl_output_stride_words(crowd, job->output);
  p[MPAK_PARAM_POSITION_OFFSET] = 0;
  p[MPAK_PARAM_NORMAL_OFFSET] = is_interleaved ? 3 : 4;
  p[MPAK_PARAM_TANGENT_OFFSET] = is_interleaved ? 6 : 8;
}

static mpak_result dispatch_use_program(mpak_gl *gl, const dispatch_job *job) {
  const mpak_gl_hooks *hooks = &job->crowd->options.hooks;
  const bool has_hooks = hooks->after_morph || hooks->skin || hooks->after_skin;
  gl_uint program;
  mpak_result result = gl_program_get(gl, &job->variant, has_hooks ? hooks : NULL, &program);
  if (result != MPAK_OK) return result;
  gl_state_save(gl);
  if (gl->program_in_use != program) gl->functions.UseProgram(program);
  gl->program_in_use = program;
  if (has_hooks) gl->functions.Uniform4fv(MPAK_HOOK_LOCATION, MPAK_HOOK_COUNT, &job->crowd->hook_values[0][0]);
  return MPAK_OK;
}

// -- Dispatches ------------------------------------------------------------------------------------------------------

/// Work groups along x and y for a count that may exceed x's limit.
static mpak_result dispatch_groups(mpak_gl *gl, const dispatch_job *job) {
  const uint32_t *most = gl->limits.max_work_groups;
  const uint32_t groups =
      job->variant.is_document_kernel ? (job->piece->vertex_count + 63) / 64 : job->piece->block_count;
  const uint32_t x = groups < most[0] ? groups : most[0], y = (groups + x - 1) / x;
  const uint32_t z = (job->individual_count + job->variant.tile - 1) / job->variant.tile;
  if (y > most[1]) return gl_fail(gl, "glDispatchCompute", "more work groups than the device takes");
  gl->functions.DispatchCompute(x, y, z);
  gl->has_dispatched = true;
  ++gl->counters.dispatches;
  return MPAK_OK;
}

static mpak_result dispatch_piece(mpak_gl *gl, dispatch_job *job) {
  mpak_result result = dispatch_use_program(gl, job);
  if (result != MPAK_OK) return result;
  dispatch_set_parameters(job);
  dispatch_bind_part(gl, job);
  dispatch_bind_output(gl, job);
  dispatch_bind_individuals(gl, job);
  gl->functions.Uniform1uiv(0, MPAK_PARAM_COUNT, job->parameters);
  return dispatch_groups(gl, job);
}

/// How many individuals of the list, from first on, one dispatch can take: outputs and palettes in one bound range, and
/// groups along z.
static uint32_t dispatch_individuals(const mpak_gl *gl, const dispatch_job *job, uint32_t count) {
  const uint32_t *list = job->crowd->list + job->first;
  const uint64_t palette_bytes = (uint64_t)job->crowd->palette_stride_bones * sizeof(mpak_matrix);
  const uint64_t each = palette_bytes > job->individual_bytes ? palette_bytes : job->individual_bytes;
  const uint64_t most_z = (uint64_t)gl->limits.max_work_groups[2] * job->variant.tile;
  uint32_t taken = 1;
  while (job->first + taken < count && taken < most_z &&
         (uint64_t)(list[taken] - list[0] + 1) * each <= gl->limits.max_storage_block_bytes) {
    ++taken;
  }
  return taken;
}

/// A second dispatch of an output in one frame must not overtake the first.
static void dispatch_order(mpak_gl *gl, gl_output *output) {
  const uint64_t frame = gl->counters.frames + 1;
  if (gl->has_dispatched && output->dispatched_in == frame) {
    gl->functions.MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT_);
    ++gl->counters.barriers;
  }
  output->dispatched_in = frame;
}

mpak_result gl_dispatch(mpak_gl_crowd *crowd, gl_output *output, uint32_t individual_count, bool has_list) {
  mpak_gl *gl = crowd->model->gl;
  const gl_part *part = &crowd->model->parts[output->part];
  dispatch_job job = {.crowd = crowd, .output = output, .part = part, .has_list = has_list};
  job.variant = dispatch_variant(crowd, output, individual_count);
  job.individual_bytes = gl_output_individual_bytes(crowd, output);
  dispatch_order(gl, output);
  mpak_result result = MPAK_OK;
  while (result == MPAK_OK && job.first < individual_count) {
    job.individual_count = dispatch_individuals(gl, &job, individual_count);
    for (uint32_t p = 0; result == MPAK_OK && p < part->piece_count; ++p) {
      job.piece = &part->pieces[p];
      result = dispatch_piece(gl, &job);
    }
    job.first += job.individual_count;
  }
  if (result == MPAK_OK) result = gl_check(gl, "glDispatchCompute");
  if (result != MPAK_OK) gl->program_in_use = 0; // perhaps it is not
  return result;
}
