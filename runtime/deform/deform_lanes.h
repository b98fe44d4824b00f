/// deform_lanes.h: the kernels of a level of vector code, LANES vertices at a time. deform_sse2.c and deform_avx2.c
/// define the words below, then include this file.
///
///     LANES                     4 or 8
///     LANES_TARGET              attribute of functions that use the level's instructions
///     LANES_KERNELS             name of the table that is made
///     lanes_f, lanes_i, lanes_u vectors of LANES floats, int32_t, uint32_t
///     lanes_picker              where the words of a group of lanes stand among those of its entry
///     lanes_load, lanes_store   LANES floats at any address
///     lanes_set                 LANES times the same float
///     lanes_sqrt                exact square root
///     lanes_up, lanes_down      shift words up, and down with the sign; the count is a constant
///     lanes_select              mask ? a : b, by lane; masks are all ones or all zeros
///     lanes_all                 is the mask set in all lanes?
///     lanes_mask                bit l of a number -> mask of lane l
///     lanes_count               bits of a 64-bit number
///     lanes_pick, lanes_words   words of a plane -> lanes that the picker has, others 0; may read LANES words
///     lanes_load_rows           one row of four floats of LANES vertices -> four planes
///     lanes_store_rows          the other way
///     lanes_blend               lanes_influence -> matrices of LANES vertices, as twelve planes
///
/// Vertices that are not ordinary (overflows, directions that vanish) and the rest of a range go to the plain code.
#include <float.h>

#include "format/morph_payload.h"
#include "runtime/deform/deform_vector.h"

#define LANES_CODE   LANES_TARGET static
#define LANES_INLINE LANES_TARGET static inline __attribute__((always_inline))
#define LANES_GROUP  ((1u << LANES) - 1)

// -- Arithmetic ------------------------------------------------------------------------------------------------------

LANES_INLINE lanes_f lanes_dot(const lanes_f a[3], const lanes_f b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

LANES_INLINE lanes_f lanes_abs(lanes_f v) { return (lanes_f)((lanes_i)v & 0x7FFFFFFF); }

LANES_INLINE lanes_i lanes_are_finite(const lanes_f v[3]) {
  const lanes_f most = lanes_set(FLT_MAX);
  return (lanes_abs(v[0]) <= most) & (lanes_abs(v[1]) <= most) & (lanes_abs(v[2]) <= most);
}

LANES_INLINE lanes_i lanes_are_zero(const lanes_f v[3]) { return (v[0] == 0) & (v[1] == 0) & (v[2] == 0); }

/// out = mask ? v * factor : out
LANES_INLINE void lanes_scale(const lanes_f v[3], lanes_f factor, lanes_i mask, lanes_f out[3]) {
  DEFORM_UNROLL
  for (int i = 0; i < 3; ++i) out[i] = lanes_select(mask, v[i] * factor, out[i]);
}

// -- Morph: sums -----------------------------------------------------------------------------------------------------

LANES_INLINE void lanes_add_product(float *sum, lanes_f product) { lanes_store(sum, lanes_load(sum) + product); }

/// Adds `bits` bits of the words from bit `first` on, as signed numbers.
LANES_INLINE void lanes_add_bits(float *sum, lanes_u words, int first, int bits, lanes_f scale) {
  const lanes_i number = lanes_down(lanes_up(words, 32 - bits - first), 32 - bits);
  lanes_add_product(sum, scale * __builtin_convertvector(number, lanes_f));
}

/// An entry while its groups are added. Lanes that a picker has not are number 0, which adds 0.
typedef struct lanes_entry {
  const uint32_t *words; ///< of the next group
  uint32_t stride;       ///< lanes of the entry: words of a plane
  uint32_t components;
  lanes_f scales[3];
} lanes_entry;

LANES_INLINE void lanes_add_p8(const lanes_entry *entry, lanes_picker picker, float *sum) {
  const lanes_u a = lanes_words(entry->words, picker), b = lanes_words(entry->words + entry->stride, picker);
  lanes_add_bits(sum, a, 0, 12, entry->scales[0]);
  lanes_add_bits(sum + DEFORM_BLOCK_LANES, a, 12, 12, entry->scales[0]);
  lanes_add_bits(sum + 2 * DEFORM_BLOCK_LANES, b, 0, 12, entry->scales[0]);
  if (entry->components < 6) return;
  lanes_add_bits(sum + 3 * DEFORM_BLOCK_LANES, b, 12, 9, entry->scales[1]);
  lanes_add_bits(sum + 4 * DEFORM_BLOCK_LANES, b, 21, 9, entry->scales[1]);
  const lanes_i nz = lanes_down(a, 24) * 2 - lanes_down(b, 31); // the top bit of b is bit 0
  lanes_add_product(sum + 5 * DEFORM_BLOCK_LANES, entry->scales[1] * __builtin_convertvector(nz, lanes_f));
}

LANES_INLINE void lanes_add_p12(const lanes_entry *entry, lanes_picker picker, float *sum) {
  const lanes_u a = lanes_words(entry->words, picker), b = lanes_words(entry->words + entry->stride, picker);
  lanes_add_bits(sum, a, 0, 16, entry->scales[0]);
  lanes_add_bits(sum + DEFORM_BLOCK_LANES, a, 16, 16, entry->scales[0]);
  lanes_add_bits(sum + 2 * DEFORM_BLOCK_LANES, b, 0, 16, entry->scales[0]);
  if (entry->components < 6) return;
  const lanes_u c = lanes_words(entry->words + 2 * entry->stride, picker);
  lanes_add_bits(sum + 3 * DEFORM_BLOCK_LANES, b, 16, 8, entry->scales[1]);
  lanes_add_bits(sum + 4 * DEFORM_BLOCK_LANES, b, 24, 8, entry->scales[1]);
  lanes_add_bits(sum + 5 * DEFORM_BLOCK_LANES, c, 0, 8, entry->scales[1]);
  if (entry->components < 9) return;
  DEFORM_UNROLL
  for (int i = 0; i < 3; ++i) lanes_add_bits(sum + (6 + i) * DEFORM_BLOCK_LANES, c, 8 + 8 * i, 8, entry->scales[2]);
}

LANES_INLINE void lanes_add_p16(const lanes_entry *entry, lanes_picker picker, float *sum) {
  const lanes_u a = lanes_words(entry->words, picker), b = lanes_words(entry->words + entry->stride, picker);
  lanes_add_bits(sum, a, 0, 16, entry->scales[0]);
  lanes_add_bits(sum + DEFORM_BLOCK_LANES, a, 16, 16, entry->scales[0]);
  lanes_add_bits(sum + 2 * DEFORM_BLOCK_LANES, b, 0, 16, entry->scales[0]);
  for (uint32_t d = 1; d < entry->components / 3; ++d) {
    const lanes_u c = lanes_words(entry->words + (d + 1) * entry->stride, picker);
    DEFORM_UNROLL
    for (int i = 0; i < 3; ++i) lanes_add_bits(sum + (3 * d + i) * DEFORM_BLOCK_LANES, c, 10 * i, 10, entry->scales[d]);
  }
}

LANES_INLINE void lanes_add_p36(const lanes_entry *entry, lanes_picker picker, float *sum) {
  for (uint32_t first = 0; first < entry->components; first += 3) {
    DEFORM_UNROLL
    for (uint32_t c = first; c < first + 3; ++c) {
      const lanes_f delta = (lanes_f)lanes_words(entry->words + c * entry->stride, picker);
      lanes_add_product(sum + c * DEFORM_BLOCK_LANES, entry->scales[0] * delta);
    }
  }
}

/// Bit l: lanes l … l + LANES - 1, l a multiple of LANES, are not all 0.
LANES_INLINE uint64_t lanes_groups(uint64_t lanes) {
  if (LANES == 8) lanes |= lanes >> 4;
  lanes |= lanes >> 2;
  lanes |= lanes >> 1;
  return lanes & (LANES == 8 ? UINT64_C(0x0101010101010101) : UINT64_C(0x1111111111111111));
}

/// payload is a constant where this is called.
LANES_INLINE void lanes_add_groups(mpak_payload payload, lanes_entry entry, uint64_t lanes, deform_sums *sums) {
  for (uint64_t left = lanes_groups(lanes); left != 0; left &= left - 1) {
    const uint32_t first = (uint32_t)__builtin_ctzll(left);
    const uint32_t group = (uint32_t)(lanes >> first) & LANES_GROUP;
    const lanes_picker picker = lanes_pick(group);
    float *sum = &sums->planes[0][first];
    if (payload == MPAK_PAYLOAD_P8) lanes_add_p8(&entry, picker, sum);
    if (payload == MPAK_PAYLOAD_P12) lanes_add_p12(&entry, picker, sum);
    if (payload == MPAK_PAYLOAD_P16) lanes_add_p16(&entry, picker, sum);
    if (payload == MPAK_PAYLOAD_P36) lanes_add_p36(&entry, picker, sum);
    entry.words += lanes_count(group);
  }
}

/// The factors of an entry's numbers; false where one overflows, and 0 times it would not be 0.
LANES_INLINE bool lanes_entry_scales(const mpak_morph *morph, const mpak_morph_entry *record, float weight,
                                     lanes_entry *entry) {
  float scales[3] = {weight, 0, 0};
  if (morph->payload != MPAK_PAYLOAD_P36) {
    scales[0] = weight * record->position_scale;
    scales[1] = weight * record->normal_scale;
    scales[2] = weight * record->tangent_scale;
  }
  DEFORM_UNROLL
  for (int i = 0; i < 3; ++i) entry->scales[i] = lanes_set(scales[i]);
  return deform_is_finite(scales);
}

/// words_per_lane: of the payload.
LANES_INLINE void lanes_add_entry(mpak_payload payload, const mpak_morph *morph, const mpak_morph_entry *record,
                                  uint32_t words_per_lane, float weight, deform_sums *sums) {
  const uint64_t lanes = record->lanes_low | (uint64_t)record->lanes_high << 32;
  lanes_entry entry = {.words = morph->payload_words + record->payload_offset,
                       .stride = lanes_count(lanes),
                       .components = morph->components};
  uint32_t copy[MPAK_LANE_MAX_WORDS * DEFORM_BLOCK_LANES + LANES];
  const uint32_t word_count = words_per_lane * entry.stride;
  if (!lanes_entry_scales(morph, record, weight, &entry)) {
    deform_add_entry(morph, record, weight, sums);
    return;
  }
  if (record->payload_offset + (uint64_t)word_count + LANES > morph->payload_word_count) { // reads past the end
    memcpy(copy, entry.words, word_count * sizeof *copy);
    memset(copy + word_count, 0, LANES * sizeof *copy);
    entry.words = copy;
  }
  lanes_add_groups(payload, entry, lanes, sums);
  sums->touched |= lanes;
}

LANES_INLINE void lanes_add_range(mpak_payload payload, const mpak_morph *morph, uint32_t first_entry,
                                  uint32_t end_entry, const float *shape_weights, deform_sums *sums) {
  const uint32_t words_per_lane = mpak_payload_words(payload, morph->components);
  for (uint32_t e = first_entry; e < end_entry; ++e) {
    const float weight = shape_weights[morph->entries[e].shape];
    if (weight != 0) lanes_add_entry(payload, morph, &morph->entries[e], words_per_lane, weight, sums);
  }
}

LANES_CODE void lanes_add_entries(const mpak_morph *morph, uint32_t first_entry, uint32_t end_entry,
                                  const float *shape_weights, deform_sums *sums) {
  if (morph->payload == MPAK_PAYLOAD_P8)
    lanes_add_range(MPAK_PAYLOAD_P8, morph, first_entry, end_entry, shape_weights, sums);
  else if (morph->payload == MPAK_PAYLOAD_P12)
    lanes_add_range(MPAK_PAYLOAD_P12, morph, first_entry, end_entry, shape_weights, sums);
  else if (morph->payload == MPAK_PAYLOAD_P16)
    lanes_add_range(MPAK_PAYLOAD_P16, morph, first_entry, end_entry, shape_weights, sums);
  else
    lanes_add_range(MPAK_PAYLOAD_P36, morph, first_entry, end_entry, shape_weights, sums);
}

/// Four floats, whatever the level.
typedef float lanes_row __attribute__((vector_size(16)));

LANES_INLINE lanes_row lanes_load_row(const float *at) {
  lanes_row row;
  memcpy(&row, at, sizeof row);
  return row;
}

LANES_CODE void lanes_add_rows(const mpak_morph *morph, uint32_t first_vertex, uint32_t vertex_count,
                               const float *shape_weights, deform_sums *sums) {
  for (uint32_t lane = 0; lane < vertex_count; ++lane) {
    const uint32_t end = morph->vertex_offsets[first_vertex + lane + 1];
    lanes_row rows[3] = {{0}};
    uint64_t touched = 0;
    for (uint32_t d = morph->vertex_offsets[first_vertex + lane]; d < end; ++d) {
      const mpak_csr_delta *delta = &morph->deltas[d];
      const float weight = shape_weights[delta->metadata[0]];
      if (weight == 0) continue;
      touched = UINT64_C(1) << lane;
      rows[0] += weight * lanes_load_row(delta->position);
      rows[1] += weight * lanes_load_row(delta->normal);
      rows[2] += weight * lanes_load_row(delta->tangent);
    }
    sums->touched |= touched;
    DEFORM_UNROLL
    for (int c = 0; c < 9; ++c) sums->planes[c][lane] = rows[c / 3][c % 3];
  }
}

// -- Morph: base + sums ----------------------------------------------------------------------------------------------

/// out = base + delta, made unit, in lanes of the mask where that has a length. Returns where.
LANES_INLINE lanes_i lanes_add_direction(const lanes_f delta[3], lanes_i mask, lanes_f out[3]) {
  const lanes_f sum[3] = {out[0] + delta[0], out[1] + delta[1], out[2] + delta[2]};
  const lanes_f square = lanes_dot(sum, sum);
  mask &= (square > MPAK_SHORTEST_SUM * MPAK_SHORTEST_SUM) & (square <= FLT_MAX);
  lanes_scale(sum, 1.0f / lanes_sqrt(square), mask, out);
  return mask;
}

/// Takes the part that lies along the normal out of the tangent, in lanes of the mask.
LANES_INLINE void lanes_reorthogonalise(const lanes_f normal[3], lanes_i mask, lanes_f t[3]) {
  const lanes_f along = lanes_dot(normal, t);
  const lanes_f square[3] = {t[0] - normal[0] * along, t[1] - normal[1] * along, t[2] - normal[2] * along};
  const lanes_f length = lanes_dot(square, square);
  mask &= (length > MPAK_SHORTEST_SUM * MPAK_SHORTEST_SUM) & (length <= FLT_MAX);
  lanes_scale(square, 1.0f / lanes_sqrt(length), mask, t);
}

LANES_INLINE void lanes_finish_group(const mpak_base_vertex *base, const deform_sums *sums, uint32_t lane,
                                     bool reorthogonalises, mpak_base_vertex *out) {
  const lanes_i touched = lanes_mask((uint32_t)(sums->touched >> lane) & LANES_GROUP);
  lanes_f p[4], n[4], t[4], delta[9];
  DEFORM_UNROLL
  for (int c = 0; c < 9; ++c) delta[c] = lanes_load(&sums->planes[c][lane]);
  lanes_load_rows(base->position, p);
  const lanes_f moved[3] = {p[0] + delta[0], p[1] + delta[1], p[2] + delta[2]};
  const lanes_i moves = touched & lanes_are_finite(moved);
  DEFORM_UNROLL
  for (int i = 0; i < 3; ++i) p[i] = lanes_select(moves, moved[i], p[i]);
  lanes_store_rows(p, out->position);
  lanes_load_rows(base->normal, n);
  const lanes_i turns = lanes_add_direction(delta + 3, touched, n);
  lanes_store_rows(n, out->normal);
  lanes_load_rows(base->tangent, t);
  if (reorthogonalises)
    lanes_reorthogonalise(n, turns & ~lanes_are_zero(delta + 3), t);
  else
    lanes_add_direction(delta + 6, touched, t);
  lanes_store_rows(t, out->tangent);
}

LANES_CODE void lanes_finish(const mpak_base_vertex *base, const deform_sums *sums, uint32_t vertex_count,
                             bool reorthogonalises, mpak_base_vertex *out) {
  uint32_t lane = 0;
  for (; lane + LANES <= vertex_count; lane += LANES) {
    if (sums->touched >> lane & LANES_GROUP)
      lanes_finish_group(base + lane, sums, lane, reorthogonalises, out + lane);
    else
      memcpy(out + lane, base + lane, LANES * sizeof *out);
  }
  deform_finish_lanes(base, sums, lane, vertex_count, reorthogonalises, out);
}

// -- Skin ------------------------------------------------------------------------------------------------------------

/// Row r is the cross product of the other two.
LANES_INLINE void lanes_cofactors(const lanes_f m[12], lanes_f out[9]) {
  DEFORM_UNROLL
  for (int r = 0; r < 3; ++r) {
    const lanes_f *a = m + (r + 1) % 3 * 4, *b = m + (r + 2) % 3 * 4;
    out[3 * r] = a[1] * b[2] - a[2] * b[1];
    out[3 * r + 1] = a[2] * b[0] - a[0] * b[2];
    out[3 * r + 2] = a[0] * b[1] - a[1] * b[0];
  }
}

/// LANES vertices on their way: directions are not unit yet.
typedef struct lanes_moved {
  lanes_f position[4], normal[4], tangent[4];
  lanes_f normal_square, tangent_square;
  lanes_i normal_sign, tangent_sign; ///< the sign bit where the matrix mirrors
} lanes_moved;

LANES_INLINE lanes_i lanes_are_ordinary(lanes_f square) {
  return (square >= DEFORM_LEAST_SQUARE) & (square <= DEFORM_GREATEST_SQUARE);
}

/// Puts absent directions (all zero) back as they were. Returns which lanes these are.
LANES_INLINE lanes_i lanes_keep_absent(const lanes_f old[3], lanes_f direction[3], lanes_f *square, lanes_i *sign) {
  const lanes_i absent = lanes_are_zero(old);
  DEFORM_UNROLL
  for (int i = 0; i < 3; ++i) direction[i] = lanes_select(absent, old[i], direction[i]);
  *square = lanes_select(absent, lanes_set(1), *square);
  *sign &= ~absent;
  return absent;
}

LANES_INLINE void lanes_move_planes(const lanes_f m[12], const lanes_f p[4], const lanes_f n[4], const lanes_f t[4],
                                    lanes_moved *moved) {
  lanes_f cofactors[9];
  lanes_cofactors(m, cofactors);
  moved->normal_sign = moved->tangent_sign = (lanes_dot(m, cofactors) < 0) & INT32_MIN;
  DEFORM_UNROLL
  for (int r = 0; r < 3; ++r) moved->normal[r] = lanes_dot(cofactors + 3 * r, n);
  DEFORM_UNROLL
  for (int r = 0; r < 3; ++r) moved->position[r] = lanes_dot(m + 4 * r, p) + m[4 * r + 3];
  DEFORM_UNROLL
  for (int r = 0; r < 3; ++r) moved->tangent[r] = lanes_dot(m + 4 * r, t);
  moved->position[3] = p[3];
  moved->normal[3] = n[3];
  moved->normal_square = lanes_dot(moved->normal, moved->normal);
  moved->tangent_square = lanes_dot(moved->tangent, moved->tangent);
}

/// Moves LANES vertices by a matrix each. Returns false, and writes nothing, where one of them is not ordinary.
LANES_INLINE bool lanes_move(const lanes_f m[12], const mpak_base_vertex *in, mpak_base_vertex *out) {
  lanes_f p[4], n[4], t[4];
  lanes_moved moved;
  lanes_load_rows(in->position, p);
  lanes_load_rows(in->normal, n);
  lanes_load_rows(in->tangent, t);
  lanes_move_planes(m, p, n, t, &moved);
  const lanes_i is_finite = lanes_are_finite(moved.position);
  lanes_i normals = lanes_are_ordinary(moved.normal_square), tangents = lanes_are_ordinary(moved.tangent_square);
  if (!lanes_all(is_finite & normals & tangents)) {
    normals |= lanes_keep_absent(n, moved.normal, &moved.normal_square, &moved.normal_sign);
    tangents |= lanes_keep_absent(t, moved.tangent, &moved.tangent_square, &moved.tangent_sign);
    if (!lanes_all(is_finite & normals & tangents)) return false;
  }
  const lanes_f normal_factor = (lanes_f)((lanes_i)(1.0f / lanes_sqrt(moved.normal_square)) ^ moved.normal_sign);
  const lanes_f tangent_factor = 1.0f / lanes_sqrt(moved.tangent_square);
  DEFORM_UNROLL
  for (int i = 0; i < 3; ++i) moved.normal[i] *= normal_factor;
  DEFORM_UNROLL
  for (int i = 0; i < 3; ++i) moved.tangent[i] *= tangent_factor;
  moved.tangent[3] = (lanes_f)((lanes_i)t[3] ^ moved.tangent_sign);
  lanes_store_rows(moved.position, out->position);
  lanes_store_rows(moved.normal, out->normal);
  lanes_store_rows(moved.tangent, out->tangent);
  return true;
}

/// Influences that the LANES vertices of these weights have at most, up to the next multiple of four.
LANES_INLINE uint32_t lanes_influences(const float *weights, uint32_t influence_count) {
  uint32_t count = 4;
  for (; count < influence_count; count += 4) {
    uint32_t bits = 0;
    DEFORM_UNROLL
    for (uint32_t lane = 0; lane < LANES; ++lane) bits |= bytes_bits_of_float(weights[lane * influence_count + count]);
    if (bits << 1 == 0) break;
  }
  return count;
}

/// Groups whose matrices are made before any of them is used: two short loops keep a processor busier than a long one.
#define LANES_AHEAD 8u

/// influence_count and is_own are constants where this is called, as far as that pays.
LANES_INLINE void lanes_blend_groups(const deform_skinning *skinning, uint32_t influence_count, bool is_own,
                                     uint32_t first_vertex, uint32_t group_count, lanes_f (*matrices)[12]) {
  for (uint32_t g = 0; g < group_count; ++g) {
    const size_t at = ((size_t)first_vertex + g * LANES) * influence_count;
    const lanes_influence influence = {.own = is_own ? skinning->own : NULL,
                                       .palette = skinning->palette,
                                       .bones = skinning->bones,
                                       .joints = skinning->joints + at,
                                       .weights = skinning->weights + at,
                                       .stride = influence_count,
                                       .count = lanes_influences(skinning->weights + at, influence_count)};
    lanes_blend(influence, matrices[g]);
  }
}

LANES_INLINE void lanes_skin_range(const deform_skinning *skinning, uint32_t influence_count, bool is_own,
                                   uint32_t first_vertex, uint32_t vertex_count, const mpak_base_vertex *in,
                                   mpak_base_vertex *out) {
  const uint32_t end = first_vertex + vertex_count;
  uint32_t v = first_vertex;
  while (v + LANES <= end) {
    lanes_f matrices[LANES_AHEAD][12];
    const uint32_t left = (end - v) / LANES, group_count = left < LANES_AHEAD ? left : LANES_AHEAD;
    lanes_blend_groups(skinning, influence_count, is_own, v, group_count, matrices);
    for (uint32_t g = 0; g < group_count; ++g, v += LANES)
      if (!lanes_move(matrices[g], in + v, out + v)) deform_skin_plain(skinning, v, LANES, in, out);
  }
  deform_skin_plain(skinning, v, end - v, in, out);
}

LANES_CODE void lanes_skin(const deform_skinning *skinning, uint32_t first_vertex, uint32_t vertex_count,
                           const mpak_base_vertex *in, mpak_base_vertex *out) {
  if (!skinning->own)
    lanes_skin_range(skinning, skinning->influence_count, false, first_vertex, vertex_count, in, out);
  else if (skinning->influence_count == 4)
    lanes_skin_range(skinning, 4, true, first_vertex, vertex_count, in, out);
  else
    lanes_skin_range(skinning, skinning->influence_count, true, first_vertex, vertex_count, in, out);
}

LANES_CODE void lanes_move_vertices(const mpak_matrix *matrix, uint32_t vertex_count, const mpak_base_vertex *in,
                                    mpak_base_vertex *out) {
  lanes_f m[12];
  uint32_t v = 0;
  DEFORM_UNROLL
  for (int i = 0; i < 12; ++i) m[i] = lanes_set(matrix->m[i]);
  for (; v + LANES <= vertex_count; v += LANES)
    if (!lanes_move(m, in + v, out + v)) deform_move_plain(matrix, LANES, in + v, out + v);
  deform_move_plain(matrix, vertex_count - v, in + v, out + v);
}

const deform_kernels LANES_KERNELS = {
    .add_entries = lanes_add_entries,
    .add_rows = lanes_add_rows,
    .finish = lanes_finish,
    .skin = lanes_skin,
    .move = lanes_move_vertices,
};
