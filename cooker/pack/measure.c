// measure.c: see measure.h. Decoded deltas are compared with the dense deltas of the scene, not with what build_blocks
// made of them: so the proof covers the sparse form, the filters, compression and the runtime's decoder at once.
#include "cooker/pack/measure.h"

#include <math.h>
#include <string.h>

#include "format/bytes.h"
#include "format/morph_payload.h"
#include "runtime/mpak.h"

#define MEASURE_STREAMS 8u

typedef struct measure_run {
  pack_tables *tables;
  uint8_t *bytes;
  mpak_pack pack;
  void *scratch;
  uint64_t scratch_bytes;
  uint32_t part;
  uint32_t next_error;
  float largest_m;                    ///< of positions and position deltas
  cook_error errors[MEASURE_STREAMS]; ///< of the part: what packing lost, which must be nothing
} measure_run;

_Noreturn static void measure_fail(measure_run *run, const char *what, const char *detail) {
  cook_where where = COOK_WHERE;
  where.value = job_format(run->tables->job, "%s%s%s", what, detail ? ": " : "", detail ? detail : "");
  job_fail(run->tables->job, MPAK_C051, where);
}

static void measure_require(measure_run *run, bool condition, const char *what) {
  if (!condition) measure_fail(run, what, NULL);
}

static void measure_require_ok(measure_run *run, mpak_result result, const mpak_fault *fault) {
  if (result != MPAK_OK) measure_fail(run, mpak_result_name(result), fault->rule);
}

// -- Errors ----------------------------------------------------------------------------------------------------------

/// Adds the difference of two values; equal ones may be infinite.
static inline void measure_add(cook_error *error, float decoded, float cooked) {
  cook_error_add(error, decoded == cooked ? 0 : (double)decoded - (double)cooked);
}

static void measure_floats(measure_run *run, uint32_t stream, const float *decoded, const float *cooked,
                           uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) measure_add(&run->errors[stream], decoded[i], cooked[i]);
}

// -- Deltas ----------------------------------------------------------------------------------------------------------

/// One stream of dense deltas; a missing one is all zeros.
static const float *measure_dense_delta(float (*deltas)[3], uint32_t vertex) {
  static const float zero[3] = {0, 0, 0};
  return deltas ? deltas[vertex] : zero;
}

static void measure_entry(measure_run *run, const mpak_morph *morph, uint32_t first_vertex,
                          const mpak_morph_entry *entry) {
  const cook_target *target = &run->tables->part_sources[run->part].primitive->targets[entry->shape];
  float(*const streams[3])[3] = {target->position_deltas, target->normal_deltas, target->tangent_deltas};
  uint64_t lanes = (uint64_t)entry->lanes_high << 32 | entry->lanes_low;
  uint32_t count = (uint32_t)__builtin_popcountll(lanes), lane = 0;
  const uint32_t *payload = morph->payload_words + entry->payload_offset;
  for (; lanes != 0; lanes &= lanes - 1, ++lane) {
    uint32_t vertex = first_vertex + (uint32_t)__builtin_ctzll(lanes);
    float delta[9];
    mpak_lane_delta(morph->payload, morph->components, entry, payload, count, lane, delta);
    for (uint32_t c = 0; c < morph->components; ++c) {
      float cooked = measure_dense_delta(streams[c / 3], vertex)[c % 3];
      measure_add(&run->errors[MPAK_STREAM_DELTA_POSITION + c / 3], delta[c], cooked);
    }
  }
}

static void measure_blocks(measure_run *run, const mpak_morph *morph) {
  for (uint32_t b = 0; b < morph->block_count; ++b) {
    for (uint32_t e = morph->blocks[b].first_entry; e < morph->blocks[b + 1].first_entry; ++e) {
      measure_entry(run, morph, morph->blocks[b].first_vertex, &morph->entries[e]);
    }
  }
}

static void measure_csr(measure_run *run, const mpak_morph *morph) {
  const cook_primitive *primitive = run->tables->part_sources[run->part].primitive;
  for (uint32_t v = 0; v < morph->vertex_count; ++v) {
    for (uint32_t d = morph->vertex_offsets[v]; d < morph->vertex_offsets[v + 1]; ++d) {
      const mpak_csr_delta *delta = &morph->deltas[d];
      const cook_target *target = &primitive->targets[delta->metadata[0]];
      measure_floats(run, MPAK_STREAM_DELTA_POSITION, delta->position, measure_dense_delta(target->position_deltas, v),
                     3);
      measure_floats(run, MPAK_STREAM_DELTA_NORMAL, delta->normal, measure_dense_delta(target->normal_deltas, v), 3);
      measure_floats(run, MPAK_STREAM_DELTA_TANGENT, delta->tangent, measure_dense_delta(target->tangent_deltas, v), 3);
    }
  }
}

/// The stored deltas are the scene's, and as many as the scene has: what is not stored is zero there.
static void measure_morph(measure_run *run, const mpak_morph *morph) {
  measure_require(run, morph->delta_count == run->tables->part_sources[run->part].morph.delta_count, "count of deltas");
  if (mpak_payload_is_blk64(morph->payload)) measure_blocks(run, morph);
  if (morph->payload == MPAK_PAYLOAD_CSR64) measure_csr(run, morph);
}

// -- Streams of a part -----------------------------------------------------------------------------------------------

static void measure_base(measure_run *run, const mpak_base_vertex *decoded, const cook_primitive *primitive) {
  for (uint32_t v = 0; v < primitive->vertex_count; ++v) {
    measure_floats(run, MPAK_STREAM_POSITION, decoded[v].position, primitive->positions[v], 3);
    if (primitive->normals) measure_floats(run, MPAK_STREAM_NORMAL, decoded[v].normal, primitive->normals[v], 3);
    if (primitive->tangents) measure_floats(run, MPAK_STREAM_TANGENT, decoded[v].tangent, primitive->tangents[v], 4);
  }
}

/// Joints of the skin that the decoded section-local joints stand for.
static void measure_joints(measure_run *run, const mpak_part_data *data, const cook_primitive *primitive) {
  const mpak_part *part = &run->pack.parts[run->part];
  for (uint32_t s = 0; s < part->section_count; ++s) {
    const mpak_section *section = &run->pack.sections[part->first_section + s];
    uint64_t first = (uint64_t)section->first_vertex * part->influence_count;
    uint64_t end = first + (uint64_t)section->vertex_count * part->influence_count;
    for (uint64_t i = first; i < end; ++i) {
      if (!(primitive->weights[i] > 0)) continue;
      uint32_t joint = run->pack.bones[section->first_bone + data->joints[i]].joint;
      measure_require(run, joint == primitive->joints[i], "a joint");
    }
  }
}

static void measure_static(measure_run *run, const mpak_part_data *data, const cook_primitive *primitive) {
  const mpak_part *part = &run->pack.parts[run->part];
  uint64_t vertices = primitive->vertex_count;
  for (int slot = 0; slot < 4; ++slot) {
    if (!primitive->texcoords[slot]) continue;
    measure_require(run, data->texcoords[slot] != NULL, "texture coordinates");
    measure_floats(run, MPAK_STREAM_TEXCOORD, data->texcoords[slot], primitive->texcoords[slot][0], 2 * vertices);
  }
  if (primitive->colours) {
    uint64_t bytes = (uint64_t)run->pack.chunks[part->colour_chunk].stride * vertices;
    measure_require(run, memcmp(data->colours, primitive->colours, (size_t)bytes) == 0, "colours");
  }
  for (uint32_t i = 0; i < primitive->index_count; ++i) {
    measure_require(run, mpak_index(data, i) == primitive->indices[i], "an index");
  }
  if (primitive->influence_count == 0) return;
  measure_floats(run, MPAK_STREAM_WEIGHT, data->weights, primitive->weights, vertices * primitive->influence_count);
  measure_joints(run, data, primitive);
}

/// A chunk of whole numbers or keys, which must be the same byte by byte.
static void measure_same_bytes(measure_run *run, uint32_t chunk, const char *what) {
  if (chunk == MPAK_NONE) return;
  cook_job *job = run->tables->job;
  cook_mark mark = job_mark(job);
  uint64_t byte_count = run->pack.chunks[chunk].decoded_bytes;
  void *memory = job_alloc(job, byte_count, 1);
  const void *view = NULL;
  mpak_fault fault = {0};
  mpak_result result =
      mpak_decode(&run->pack, chunk, memory, byte_count, run->scratch, run->scratch_bytes, &view, &fault);
  measure_require_ok(run, result, &fault);
  measure_require(run, memcmp(view, run->tables->chunks[chunk].bytes, (size_t)byte_count) == 0, what);
  job_release(job, mark);
}

/// Loaded blocks of compressed clips are the ones that were measured against the source.
static void measure_clips(measure_run *run) {
  cook_job *job = run->tables->job;
  cook_mark mark = job_mark(job);
  uint64_t byte_count = mpak_clips_bytes(&run->pack);
  void *memory = job_alloc(job, byte_count, 1);
  mpak_clips clips;
  mpak_fault fault = {0};
  measure_require_ok(
      run, mpak_load_clips(&run->pack, memory, byte_count, run->scratch, run->scratch_bytes, &clips, &fault), &fault);
  size_t block_bytes = (size_t)run->tables->animation_word_count * 4;
  measure_require(run, block_bytes == 0 || memcmp(clips.words, run->tables->animation_words, block_bytes) == 0,
                  "compressed clips");
  job_release(job, mark);
}

static void measure_part(measure_run *run, uint32_t number) {
  cook_job *job = run->tables->job;
  const cook_primitive *primitive = run->tables->part_sources[number].primitive;
  cook_mark mark = job_mark(job);
  uint64_t byte_count = mpak_part_bytes(&run->pack, number);
  void *memory = job_alloc(job, byte_count, 1);
  mpak_part_data data;
  mpak_fault fault = {0};
  run->part = number;
  memset(run->errors, 0, sizeof run->errors);
  measure_require_ok(
      run, mpak_load_part(&run->pack, number, memory, byte_count, run->scratch, run->scratch_bytes, &data, &fault),
      &fault);
  measure_base(run, data.base, primitive);
  measure_static(run, &data, primitive);
  measure_morph(run, &data.morph);
  job_release(job, mark);
  measure_same_bytes(run, run->pack.parts[number].pack_of_source_chunk, "source map");
  measure_same_bytes(run, run->pack.parts[number].source_of_pack_chunk, "source map");
}

// -- ERRS ------------------------------------------------------------------------------------------------------------

/// What decoding changed (nothing: that is the proof) and what build/quantise changed before.
static void measure_store_errors(measure_run *run) {
  const cook_primitive *primitive = run->tables->part_sources[run->part].primitive;
  for (; run->next_error < run->tables->error_count; ++run->next_error) {
    mpak_measured_error *record = &run->tables->errors[run->next_error];
    if (record->part != run->part) return;           // records are ordered by part
    if (record->stream >= MEASURE_STREAMS) continue; // cooker/measure fills those
    measure_require(run, run->errors[record->stream].largest == 0, "a stream differs from what was packed");
    const cook_error *error = &primitive->errors[record->stream];
    record->largest = (float)error->largest;
    record->rms = cook_error_rms(error);
    bool moves = record->stream == MPAK_STREAM_POSITION || record->stream == MPAK_STREAM_DELTA_POSITION;
    if (moves && record->largest > run->largest_m) run->largest_m = record->largest;
  }
}

static void measure_open(measure_run *run, uint64_t byte_count) {
  mpak_open_options options = {.decoder = mpak_zstd_decoder(), .max_decoded_bytes = UINT64_MAX};
  mpak_fault fault = {0};
  measure_require_ok(run, mpak_open(run->bytes, byte_count, &options, &run->pack, &fault), &fault);
}

float pack_measure(pack_tables *tables, uint8_t *bytes, uint64_t byte_count) {
  measure_run *run = JOB_ARRAY(tables->job, measure_run, 1);
  *run = (measure_run){.tables = tables, .bytes = bytes};
  measure_open(run, byte_count);
  run->scratch_bytes = mpak_scratch_bytes(&run->pack);
  run->scratch = job_alloc(tables->job, run->scratch_bytes, 1);
  for (uint32_t p = 0; p < tables->part_count; ++p) {
    measure_part(run, p);
    measure_store_errors(run);
  }
  measure_same_bytes(run, run->pack.key_time_chunk, "key times");
  measure_same_bytes(run, run->pack.key_value_chunk, "key values");
  measure_clips(run);
  pack_store_errors(run->bytes, tables->errors, tables->error_count);
  measure_open(run, byte_count); // the bytes as they will be written
  return run->largest_m;
}
