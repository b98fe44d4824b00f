/// deform_morph.c: morph targets on the CPU, single precision, both delta layouts and all payloads: the walk over
/// blocks, and the plain kernels.
///
/// Source: morph document, "Compute Shader implements Morph": result = base + sum of delta * weight, then
/// normalizeOrFallback for normal and tangent.
#include "format/morph_payload.h"
#include "runtime/deform/deform_private.h"
#include "runtime/deform/deform_vector.h"

/// Returns false, and leaves the base in out, where nothing is left of the sum.
static bool deform_add_direction(const float base[4], const float delta[3], float out[4]) {
  float sum[3] = {base[0] + delta[0], base[1] + delta[1], base[2] + delta[2]};
  if (!deform_normalise(sum, MPAK_SHORTEST_SUM)) return false;
  memcpy(out, sum, sizeof sum);
  return true;
}

/// Takes the part that lies along the normal out of the tangent.
static void deform_reorthogonalise(const float normal[3], const float t[3], float out[3]) {
  float along = deform_dot(normal, t);
  float square[3] = {t[0] - normal[0] * along, t[1] - normal[1] * along, t[2] - normal[2] * along};
  if (deform_normalise(square, MPAK_SHORTEST_SUM)) memcpy(out, square, sizeof square);
}

/// out = base + deltas. Starts from the base's bytes, so that every fallback is already there.
static void deform_finish_vertex(const mpak_base_vertex *base, const float deltas[9], bool reorthogonalises,
                                 mpak_base_vertex *out) {
  *out = *base;
  float position[3] = {base->position[0] + deltas[0], base->position[1] + deltas[1], base->position[2] + deltas[2]};
  if (deform_is_finite(position)) memcpy(out->position, position, sizeof position);
  bool has_normal = deform_add_direction(base->normal, deltas + 3, out->normal);
  if (!reorthogonalises)
    deform_add_direction(base->tangent, deltas + 6, out->tangent);
  else if (has_normal && (deltas[3] != 0 || deltas[4] != 0 || deltas[5] != 0))
    deform_reorthogonalise(out->normal, base->tangent, out->tangent);
}

static void deform_add_rows(const mpak_morph *morph, uint32_t first_vertex, uint32_t vertex_count,
                            const float *shape_weights, deform_sums *sums) {
  for (uint32_t lane = 0; lane < vertex_count; ++lane) {
    const uint32_t v = first_vertex + lane;
    for (uint32_t d = morph->vertex_offsets[v]; d < morph->vertex_offsets[v + 1]; ++d) {
      const mpak_csr_delta *delta = &morph->deltas[d];
      const float weight = shape_weights[delta->metadata[0]];
      if (weight == 0) continue;
      sums->touched |= UINT64_C(1) << lane;
      for (int i = 0; i < 3; ++i) {
        sums->planes[i][lane] += weight * delta->position[i];
        sums->planes[3 + i][lane] += weight * delta->normal[i];
        sums->planes[6 + i][lane] += weight * delta->tangent[i];
      }
    }
  }
}

/// Adds one entry of floats: in each plane the payload holds the deltas of its lanes, lowest lane first.
static void deform_add_floats(const mpak_morph *morph, const uint32_t *payload, uint64_t lanes, float weight,
                              deform_sums *sums) {
  for (uint32_t c = 0; c < morph->components; ++c) {
    float *plane = sums->planes[c];
    for (uint64_t left = lanes; left != 0; left &= left - 1) {
      plane[__builtin_ctzll(left)] += weight * bytes_float_of_bits(*payload++);
    }
  }
}

/// Adds one entry of whole numbers.
static void deform_add_numbers(const mpak_morph *morph, const mpak_morph_entry *entry, const uint32_t *payload,
                               uint64_t lanes, float weight, deform_sums *sums) {
  const float scales[3] = {weight * entry->position_scale, weight * entry->normal_scale, weight * entry->tangent_scale};
  const uint32_t lane_count = (uint32_t)__builtin_popcountll(lanes);
  for (uint64_t left = lanes; left != 0; left &= left - 1, ++payload) {
    int32_t numbers[9];
    mpak_lane_unpack(morph->payload, morph->components, payload, lane_count, numbers);
    const uint32_t lane = (uint32_t)__builtin_ctzll(left);
    for (uint32_t c = 0; c < morph->components; ++c) sums->planes[c][lane] += scales[c / 3] * (float)numbers[c];
  }
}

void deform_add_entry(const mpak_morph *morph, const mpak_morph_entry *entry, float weight, deform_sums *sums) {
  const uint32_t *payload = morph->payload_words + entry->payload_offset;
  uint64_t lanes = entry->lanes_low | (uint64_t)entry->lanes_high << 32;
  sums->touched |= lanes;
  if (morph->payload == MPAK_PAYLOAD_P36)
    deform_add_floats(morph, payload, lanes, weight, sums);
  else
    deform_add_numbers(morph, entry, payload, lanes, weight, sums);
}

static void deform_add_entries(const mpak_morph *morph, uint32_t first_entry, uint32_t end_entry,
                               const float *shape_weights, deform_sums *sums) {
  for (uint32_t e = first_entry; e < end_entry; ++e) {
    const float weight = shape_weights[morph->entries[e].shape];
    if (weight != 0) deform_add_entry(morph, &morph->entries[e], weight, sums);
  }
}

void deform_finish_lanes(const mpak_base_vertex *base, const deform_sums *sums, uint32_t first_lane, uint32_t end_lane,
                         bool reorthogonalises, mpak_base_vertex *out) {
  for (uint32_t lane = first_lane; lane < end_lane; ++lane) {
    if (!(sums->touched >> lane & 1)) {
      out[lane] = base[lane];
      continue;
    }
    float deltas[9];
    for (int c = 0; c < 9; ++c) deltas[c] = sums->planes[c][lane];
    deform_finish_vertex(&base[lane], deltas, reorthogonalises, &out[lane]);
  }
}

static void deform_finish(const mpak_base_vertex *base, const deform_sums *sums, uint32_t vertex_count,
                          bool reorthogonalises, mpak_base_vertex *out) {
  deform_finish_lanes(base, sums, 0, vertex_count, reorthogonalises, out);
}

const deform_kernels deform_kernels_plain = {
    .add_entries = deform_add_entries,
    .add_rows = deform_add_rows,
    .finish = deform_finish,
    .skin = deform_skin_plain,
    .move = deform_move_plain,
};

// -- The walk --------------------------------------------------------------------------------------------------------

static void deform_finish_block(const deform_kernels *kernels, const mpak_part_data *data, uint32_t first_vertex,
                                uint32_t vertex_count, bool reorthogonalises, deform_sums *sums,
                                mpak_base_vertex *out) {
  if (sums->touched) {
    kernels->finish(data->base + first_vertex, sums, vertex_count, reorthogonalises, out + first_vertex);
    memset(sums, 0, sizeof *sums);
  } else {
    memcpy(out + first_vertex, data->base + first_vertex, vertex_count * sizeof *out);
  }
}

static void deform_morph_csr(const deform_kernels *kernels, const mpak_part_data *data, const float *shape_weights,
                             mpak_base_vertex *out) {
  const mpak_morph *morph = &data->morph;
  deform_sums sums = {.touched = 0};
  for (uint32_t v = 0; v < morph->vertex_count; v += DEFORM_BLOCK_LANES) {
    const uint32_t left = morph->vertex_count - v, count = left < DEFORM_BLOCK_LANES ? left : DEFORM_BLOCK_LANES;
    kernels->add_rows(morph, v, count, shape_weights, &sums);
    deform_finish_block(kernels, data, v, count, false, &sums, out);
  }
}

static void deform_morph_blocks(const deform_kernels *kernels, const mpak_part_data *data, const float *shape_weights,
                                bool reorthogonalises, mpak_base_vertex *out) {
  const mpak_morph *morph = &data->morph;
  deform_sums sums = {.touched = 0};
  for (uint32_t b = 0; b < morph->block_count; ++b) {
    const mpak_morph_block *block = &morph->blocks[b];
    kernels->add_entries(morph, block[0].first_entry, block[1].first_entry, shape_weights, &sums);
    deform_finish_block(kernels, data, block->first_vertex, block->vertex_count, reorthogonalises, &sums, out);
  }
}

void deform_morph_vertices(const deform_kernels *kernels, const mpak_pack *pack, uint32_t part,
                           const mpak_part_data *data, const float *shape_weights, mpak_base_vertex *out) {
  if (data->morph.payload == MPAK_PAYLOAD_CSR64) {
    deform_morph_csr(kernels, data, shape_weights, out);
  } else if (mpak_payload_is_blk64(data->morph.payload)) {
    deform_morph_blocks(kernels, data, shape_weights, pack->parts[part].flags & MPAK_PART_REORTHOGONALISE, out);
  } else {
    memcpy(out, data->base, (size_t)pack->parts[part].vertex_count * sizeof *out);
  }
}

void mpak_morph_vertices(const mpak_pack *pack, uint32_t part, const mpak_part_data *data, const float *shape_weights,
                         mpak_base_vertex *out) {
  deform_morph_vertices(deform_kernels_of(deform_best_level()), pack, part, data, shape_weights, out);
}
