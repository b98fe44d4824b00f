/// pose_block_avx2.c: compressed tracks, eight at a time. Every operation has its twin in pose_block_plain.c; none is
/// fused or approximate, so the two give the same bits.
#include "runtime/pose/pose_block.h"

#if defined(POSE_HAS_AVX2_PATH)

#include "runtime/pose/pose_avx2.h"

/// Lanes below count.
AVX2_INLINE __m256i avx2_mask(uint32_t count) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/// Steps of eight infos; exactly anim_step_of.
AVX2_INLINE __m256 avx2_steps(__m256i infos) {
  const __m256i eighths =
      _mm256_setr_epi32(0x3F800000, 0x3F6AC0C7, 0x3F5744FD, 0x3F45672A, 0x3F3504F3, 0x3F25FED7, 0x3F1837F0, 0x3F0B95C2);
  __m256i codes = _mm256_srli_epi32(infos, 22);
  __m256i mantissas = _mm256_permutevar8x32_epi32(eighths, _mm256_and_si256(codes, _mm256_set1_epi32(7)));
  __m256i octaves = _mm256_slli_epi32(_mm256_sub_epi32(_mm256_set1_epi32(24), _mm256_srli_epi32(codes, 3)), 23);
  return _mm256_castsi256_ps(_mm256_add_epi32(mantissas, octaves));
}

/// Sums of all lanes up to each one, it included.
AVX2_INLINE __m256i avx2_running_sums(__m256i x) {
  x = _mm256_add_epi32(x, _mm256_slli_si256(x, 4));
  x = _mm256_add_epi32(x, _mm256_slli_si256(x, 8));
  __m256i low = _mm256_permutevar8x32_epi32(x, _mm256_set1_epi32(3)); // the lower half's sum
  return _mm256_add_epi32(x, _mm256_blend_epi32(_mm256_setzero_si256(), low, 0xF0));
}

/// Where the fields of a group stand in a row. Its components lie side by side: byte c of each track's word is of
/// component c, so that one addition is for all of them; 8 fields of 24 bits and 7 bits more fit into a byte's range.
typedef struct avx2_fields {
  uint32_t bytes[4];   ///< by component: the window of tracks 0 … 3, or of all
  uint32_t bytes_4[4]; ///< the window of tracks 4 … 7
  bool is_wide;        ///< two windows
  __m256i places;      ///< bytes from the window's start to the field
  __m256i shifts;      ///< bits from there
} avx2_fields;

/// Bits that a window of 16 bytes holds of whatever starts in its first byte, in each of four bytes.
#define AVX2_WINDOW_BITS 0x79797979u

static inline uint32_t avx2_byte(uint32_t word, uint32_t c) { return word >> (8 * c) & 0xFFu; }

/// widths: by component. bit: where the group's fields start; moved behind them.
AVX2_INLINE avx2_fields avx2_fields_of(const __m256i widths[4], uint32_t *bit) {
  __m256i low = _mm256_or_si256(widths[0], _mm256_slli_epi32(widths[1], 8));
  __m256i high = _mm256_or_si256(_mm256_slli_epi32(widths[2], 16), _mm256_slli_epi32(widths[3], 24));
  __m256i all = _mm256_or_si256(low, high), ends = avx2_running_sums(all);
  uint32_t totals = (uint32_t)_mm256_extract_epi32(ends, 7), starts;
  avx2_fields fields;
  uint32_t bit_0 = *bit, bit_1 = bit_0 + avx2_byte(totals, 0), bit_2 = bit_1 + avx2_byte(totals, 1);
  uint32_t bit_3 = bit_2 + avx2_byte(totals, 2);
  fields.bytes[0] = bit_0 >> 3;
  fields.bytes[1] = bit_1 >> 3;
  fields.bytes[2] = bit_2 >> 3;
  fields.bytes[3] = bit_3 >> 3;
  starts = (bit_0 & 7) | (bit_1 & 7) << 8 | (bit_2 & 7) << 16 | (bit_3 & 7) << 24;
  *bit = bit_3 + avx2_byte(totals, 3);
  __m256i bits = _mm256_add_epi32(_mm256_sub_epi32(ends, all), _mm256_set1_epi32((int)starts));
  fields.places = _mm256_and_si256(_mm256_srli_epi32(bits, 3), _mm256_set1_epi8(31));
  fields.shifts = _mm256_and_si256(bits, _mm256_set1_epi8(7));
  fields.is_wide = ((totals + (0x80808080u - 1 - AVX2_WINDOW_BITS)) & 0x80808080u) != 0;
  if (!fields.is_wide) return fields;
  __m256i fourth = _mm256_permutevar8x32_epi32(fields.places, _mm256_set1_epi32(4));
  uint32_t places_4 = (uint32_t)_mm256_cvtsi256_si32(fourth);
  fields.bytes_4[0] = fields.bytes[0] + avx2_byte(places_4, 0);
  fields.bytes_4[1] = fields.bytes[1] + avx2_byte(places_4, 1);
  fields.bytes_4[2] = fields.bytes[2] + avx2_byte(places_4, 2);
  fields.bytes_4[3] = fields.bytes[3] + avx2_byte(places_4, 3);
  fields.places = _mm256_sub_epi8(fields.places, _mm256_blend_epi32(_mm256_setzero_si256(), fourth, 0xF0));
  return fields;
}

/// Byte c of each word, four times; or once, with zeros above it.
AVX2_INLINE __m256i avx2_spread(__m256i words, int c) {
  const __m128i control =
      _mm_setr_epi32(0x01010101 * c, 0x01010101 * (c + 4), 0x01010101 * (c + 8), 0x01010101 * (c + 12));
  return _mm256_shuffle_epi8(words, _mm256_broadcastsi128_si256(control));
}
AVX2_INLINE __m256i avx2_single(__m256i words, int c) {
  const int zeros = (int)0x80808000u;
  const __m128i control = _mm_setr_epi32(zeros + c, zeros + c + 4, zeros + c + 8, zeros + c + 12);
  return _mm256_shuffle_epi8(words, _mm256_broadcastsi128_si256(control));
}

/// The windows of component c, in the halves of their tracks.
AVX2_INLINE __m256i avx2_windows(const avx2_fields *fields, bool is_wide, const uint8_t *row, int c) {
  const __m128i *low = (const __m128i *)(const void *)(row + fields->bytes[c]);
  if (!is_wide) return _mm256_broadcastsi128_si256(_mm_loadu_si128(low));
  const __m128i *high = (const __m128i *)(const void *)(row + fields->bytes_4[c]);
  return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(low)), _mm_loadu_si128(high), 1);
}

/// The values of component c in both rows.
AVX2_INLINE void avx2_values(const pose_rows *rows, const avx2_fields *fields, bool is_wide, int c, __m256i component,
                             __m256 steps, __m256 *a, __m256 *b) {
  const __m256i one = _mm256_set1_epi32(1);
  // a byte past the window comes from its start again; it holds nothing of the field
  __m256i places = _mm256_add_epi8(avx2_spread(fields->places, c), _mm256_set1_epi32(0x03020100));
  __m256i shifts = avx2_single(fields->shifts, c), bases = _mm256_srai_epi32(component, 5);
  __m256i widths = _mm256_and_si256(component, _mm256_set1_epi32(31));
  __m256i masks = _mm256_sub_epi32(_mm256_sllv_epi32(one, widths), one);
  __m256i left = _mm256_shuffle_epi8(avx2_windows(fields, is_wide, rows->row, c), places);
  __m256i right = _mm256_shuffle_epi8(avx2_windows(fields, is_wide, rows->next_row, c), places);
  left = _mm256_add_epi32(bases, _mm256_and_si256(_mm256_srlv_epi32(left, shifts), masks));
  right = _mm256_add_epi32(bases, _mm256_and_si256(_mm256_srlv_epi32(right, shifts), masks));
  *a = _mm256_mul_ps(_mm256_cvtepi32_ps(left), steps);
  *b = _mm256_mul_ps(_mm256_cvtepi32_ps(right), steps);
}

/// The first count of eight words.
AVX2_INLINE __m256i avx2_load(const uint32_t *words, uint32_t count) {
  if (count == ANIM_GROUP) return _mm256_loadu_si256((const __m256i *)(const void *)words);
  return _mm256_maskload_epi32((const int *)words, avx2_mask(count));
}

/// What three components of a unit quaternion leave to the fourth one's square.
AVX2_INLINE __m256 avx2_left(__m256 x, __m256 y, __m256 z) {
  __m256 sum = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(x, x), _mm256_mul_ps(y, y)), _mm256_mul_ps(z, z));
  return _mm256_sub_ps(_mm256_set1_ps(1), sum);
}

AVX2_INLINE __m256 avx2_root(__m256 x, __m256 y, __m256 z) {
  return _mm256_sqrt_ps(_mm256_max_ps(avx2_left(x, y, z), _mm256_setzero_ps()));
}

AVX2_INLINE __m256 avx2_lerp(__m256 fraction, __m256 a, __m256 b) {
  return _mm256_add_ps(a, _mm256_mul_ps(fraction, _mm256_sub_ps(b, a)));
}

/// From (kept, kept, kept, dropped) to xyzw, by the dropped component.
static const int32_t avx2_places[4][4]
    __attribute__((aligned(16))) = {{3, 0, 1, 2}, {0, 3, 1, 2}, {0, 1, 3, 2}, {0, 1, 2, 3}};

AVX2_INLINE const __m128i *avx2_place_of(uint32_t info) {
  return (const __m128i *)(const void *)((const char *)avx2_places + (info >> 12 & 0x30));
}

AVX2_INLINE float *avx2_target(mpak_transform *locals, uint32_t node, anim_list_kind kind) {
  mpak_transform *local = &locals[node];
  return kind == ANIM_SCALES ? local->scale : kind == ANIM_TRANSLATIONS ? local->translation : local->rotation;
}

/// Two tracks, one in each half.
AVX2_INLINE void avx2_put_two(mpak_transform *locals, uint32_t low, uint32_t high, anim_list_kind kind, __m256 values) {
  if (kind == ANIM_ROTATIONS) {
    __m256i places = _mm256_castsi128_si256(_mm_load_si128(avx2_place_of(low)));
    values = _mm256_permutevar_ps(values, _mm256_inserti128_si256(places, _mm_load_si128(avx2_place_of(high)), 1));
  }
  _mm_storeu_ps(avx2_target(locals, anim_node_of(low), kind), _mm256_castps256_ps128(values));
  _mm_storeu_ps(avx2_target(locals, anim_node_of(high), kind), _mm256_extractf128_ps(values, 1));
}

/// Where tracks have no node, or the group is not full.
AVX2_INLINE void avx2_put_some(const pose_rows *rows, const uint32_t *infos, uint32_t count, anim_list_kind kind,
                               const float values[8][4]) {
  mpak_transform *const locals = rows->locals;
  const uint32_t *const node_of = rows->node_of;
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t node = node_of ? node_of[anim_node_of(infos[k])] : anim_node_of(infos[k]);
    if (node == MPAK_NONE) continue;
    __m128 value = _mm_load_ps(values[(k & 3) * 2 + (k >> 2)]); // tracks k and k + 4 stand together
    if (kind == ANIM_ROTATIONS) value = _mm_permutevar_ps(value, _mm_load_si128(avx2_place_of(infos[k])));
    _mm_storeu_ps(avx2_target(locals, node, kind), value);
  }
}

/// The first count of eight tracks.
AVX2_INLINE void avx2_store(const pose_rows *rows, const uint32_t *infos, uint32_t count, anim_list_kind kind,
                            const __m256 values[4]) {
  __m256 pairs[4];
  avx2_transpose_back(values, pairs);
  mpak_transform *const locals = rows->locals;
  if (count == ANIM_GROUP && !rows->node_of) {
    avx2_put_two(locals, infos[0], infos[4], kind, pairs[0]);
    avx2_put_two(locals, infos[1], infos[5], kind, pairs[1]);
    avx2_put_two(locals, infos[2], infos[6], kind, pairs[2]);
    avx2_put_two(locals, infos[3], infos[7], kind, pairs[3]);
    return;
  }
  float some[8][4] __attribute__((aligned(32)));
  _mm256_store_ps(some[0], pairs[0]);
  _mm256_store_ps(some[2], pairs[1]);
  _mm256_store_ps(some[4], pairs[2]);
  _mm256_store_ps(some[6], pairs[3]);
  avx2_put_some(rows, infos, count, kind, (const float(*)[4])some);
}

/// Groups that pass through the stages together. A stage is so short that the processor works on several groups of it
/// at a time; all stages of one group after the other are a chain that it cannot see past.
#define AVX2_BATCH 16u

typedef struct avx2_batch {
  avx2_fields fields[AVX2_BATCH];
  __m256 a[AVX2_BATCH][4], b[AVX2_BATCH][4]; ///< of the two rows, by group and component
} avx2_batch;

/// bit as in avx2_fields_of.
AVX2_INLINE void avx2_place_group(const anim_list *list, anim_list_kind kind, uint32_t first, uint32_t count,
                                  uint32_t *bit, avx2_fields *fields) {
  const __m256i five_bits = _mm256_set1_epi32(31);
  const uint32_t *column = list->words + first;
  const size_t next = list->count; // from column to column
  __m256i x = avx2_load(column + next, count), y = avx2_load(column + 2 * next, count);
  __m256i z = avx2_load(column + 3 * next, count), w = _mm256_setzero_si256();
  if (kind == ANIM_FULL_ROTATIONS) w = avx2_load(column + 4 * next, count);
  const __m256i widths[4] = {_mm256_and_si256(x, five_bits), _mm256_and_si256(y, five_bits),
                             _mm256_and_si256(z, five_bits), _mm256_and_si256(w, five_bits)};
  *fields = avx2_fields_of(widths, bit);
}

AVX2_INLINE void avx2_unpack_columns(const pose_rows *rows, const uint32_t *column, size_t next, anim_list_kind kind,
                                     uint32_t count, const avx2_fields *fields, bool is_wide, __m256 a[4],
                                     __m256 b[4]) {
  __m256 steps = avx2_steps(avx2_load(column, count));
  avx2_values(rows, fields, is_wide, 0, avx2_load(column + next, count), steps, &a[0], &b[0]);
  avx2_values(rows, fields, is_wide, 1, avx2_load(column + 2 * next, count), steps, &a[1], &b[1]);
  avx2_values(rows, fields, is_wide, 2, avx2_load(column + 3 * next, count), steps, &a[2], &b[2]);
  if (kind == ANIM_FULL_ROTATIONS) {
    avx2_values(rows, fields, is_wide, 3, avx2_load(column + 4 * next, count), steps, &a[3], &b[3]);
  }
  if (kind == ANIM_ROTATIONS) {
    a[3] = avx2_root(a[0], a[1], a[2]);
    b[3] = avx2_root(b[0], b[1], b[2]);
  }
}

AVX2_INLINE void avx2_unpack_group(const pose_rows *rows, const anim_list *list, anim_list_kind kind, uint32_t first,
                                   uint32_t count, const avx2_fields *fields, __m256 a[4], __m256 b[4]) {
  if (fields->is_wide) {
    avx2_unpack_columns(rows, list->words + first, list->count, kind, count, fields, true, a, b);
  } else {
    avx2_unpack_columns(rows, list->words + first, list->count, kind, count, fields, false, a, b);
  }
}

/// Between the rows, into a.
AVX2_INLINE void avx2_mix_group(const pose_rows *rows, anim_list_kind kind, __m256 a[4], __m256 b[4]) {
  const __m256 fraction = _mm256_set1_ps(rows->slerp.fraction);
  if (kind == ANIM_ROTATIONS || kind == ANIM_FULL_ROTATIONS) {
    avx2_slerp(&rows->slerp, a, b, a);
  } else {
    a[0] = avx2_lerp(fraction, a[0], b[0]);
    a[1] = avx2_lerp(fraction, a[1], b[1]);
    a[2] = avx2_lerp(fraction, a[2], b[2]);
    a[3] = _mm256_setzero_ps();
  }
}

/// The first count (at most all of a batch) tracks of a list from first on; bit as in avx2_fields_of.
AVX2_INLINE void avx2_run(const pose_rows *rows, const anim_list *list, anim_list_kind kind, uint32_t first,
                          uint32_t count, uint32_t *bit) {
  avx2_batch batch;
  const uint32_t whole = count / ANIM_GROUP, rest = count % ANIM_GROUP, groups = whole + (rest > 0);
  for (uint32_t g = 0; g < whole; ++g) {
    avx2_place_group(list, kind, first + g * ANIM_GROUP, ANIM_GROUP, bit, &batch.fields[g]);
  }
  if (rest > 0) avx2_place_group(list, kind, first + whole * ANIM_GROUP, rest, bit, &batch.fields[whole]);
  for (uint32_t g = 0; g < whole; ++g) {
    avx2_unpack_group(rows, list, kind, first + g * ANIM_GROUP, ANIM_GROUP, &batch.fields[g], batch.a[g], batch.b[g]);
  }
  if (rest > 0) {
    avx2_unpack_group(rows, list, kind, first + whole * ANIM_GROUP, rest, &batch.fields[whole], batch.a[whole],
                      batch.b[whole]);
  }
  for (uint32_t g = 0; g < groups; ++g) avx2_mix_group(rows, kind, batch.a[g], batch.b[g]);
  for (uint32_t g = 0; g < whole; ++g) {
    avx2_store(rows, list->words + first + g * ANIM_GROUP, ANIM_GROUP, kind, batch.a[g]);
  }
  if (rest > 0) avx2_store(rows, list->words + first + whole * ANIM_GROUP, rest, kind, batch.a[whole]);
}

AVX2_INLINE uint32_t avx2_list(const pose_rows *rows, const anim_list *list, anim_list_kind kind, uint32_t bit) {
  for (uint32_t first = 0; first < list->count; first += AVX2_BATCH * ANIM_GROUP) {
    const uint32_t left = list->count - first;
    avx2_run(rows, list, kind, first, left < AVX2_BATCH * ANIM_GROUP ? left : AVX2_BATCH * ANIM_GROUP, &bit);
  }
  return bit;
}

AVX2 uint32_t pose_sample_list_avx2(const pose_rows *rows, const anim_list *list, anim_list_kind kind, uint32_t bit) {
  switch (kind) { // each with its kind as a constant
  case ANIM_ROTATIONS: return avx2_list(rows, list, ANIM_ROTATIONS, bit);
  case ANIM_FULL_ROTATIONS: return avx2_list(rows, list, ANIM_FULL_ROTATIONS, bit);
  case ANIM_TRANSLATIONS: return avx2_list(rows, list, ANIM_TRANSLATIONS, bit);
  default: return avx2_list(rows, list, ANIM_SCALES, bit);
  }
}

// -- Constants -------------------------------------------------------------------------------------------------------

/// A group of constants; kind: of the animated list with the same members.
AVX2_INLINE void avx2_place_constants(const pose_rows *rows, const anim_list *list, anim_list_kind kind, uint32_t first,
                                      uint32_t count) {
  const uint32_t *infos = list->words + first;
  const size_t next = list->count; // from column to column
  __m256 values[4] = {_mm256_castsi256_ps(avx2_load(infos + next, count)),
                      _mm256_castsi256_ps(avx2_load(infos + 2 * next, count)),
                      _mm256_castsi256_ps(avx2_load(infos + 3 * next, count)), _mm256_setzero_ps()};
  if (kind == ANIM_ROTATIONS) {
    __m256 left = avx2_left(values[0], values[1], values[2]);
    if (_mm256_movemask_ps(_mm256_cmp_ps(left, _mm256_setzero_ps(), _CMP_LT_OQ))) { // longer than 1, by rounding
      for (uint32_t i = 0; i < count; ++i) pose_place_constant(rows, list, ANIM_CONSTANT_ROTATIONS, first + i);
      return;
    }
    values[3] = _mm256_sqrt_ps(left);
  }
  avx2_store(rows, infos, count, kind, values);
}

AVX2_INLINE void avx2_place_list(const pose_rows *rows, const anim_list *list, anim_list_kind kind) {
  uint32_t first = 0;
  for (; list->count - first >= ANIM_GROUP; first += ANIM_GROUP) {
    avx2_place_constants(rows, list, kind, first, ANIM_GROUP);
  }
  if (first < list->count) avx2_place_constants(rows, list, kind, first, list->count - first);
}

AVX2 void pose_place_constants_avx2(const pose_rows *rows, const anim_list *list, anim_list_kind kind) {
  switch (kind) {
  case ANIM_CONSTANT_ROTATIONS: avx2_place_list(rows, list, ANIM_ROTATIONS); return;
  case ANIM_CONSTANT_TRANSLATIONS: avx2_place_list(rows, list, ANIM_TRANSLATIONS); return;
  default: avx2_place_list(rows, list, ANIM_SCALES); return;
  }
}

#endif
