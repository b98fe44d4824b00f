// decode_check_numbers.c: what the chunks of quantised streams may hold. As in decode_check.c all records are reduced
// to one set of faults, and only a bad chunk is read a second time.
#include "format/quantised.h"
#include "runtime/pack/pack_internal.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define CONTENT_REQUIRE(condition, rule, item) LAYOUT_REQUIRE(condition, MPAK_ERROR_CORRUPT, rule, chunk, item)

// -- VQNT ------------------------------------------------------------------------------------------------------------

enum { NUMBER_NORMAL = 1, NUMBER_TANGENT = 2, NUMBER_NO_TANGENT = 4 };

/// Largest numbers of a part's directions; the tangent's is -1 without TANGENTS.
typedef struct content_directions {
  int32_t normal, tangent;
} content_directions;

static content_directions content_find_directions(const mpak_pack *pack, uint32_t part) {
  const mpak_quantisation *records = pack->quantisations;
  content_directions found = {0, -1};
  const mpak_quantisation *normal = mpak_quantisation_find(records, pack->quantisation_count, part, MPAK_STREAM_NORMAL);
  const mpak_quantisation *tangent =
      mpak_quantisation_find(records, pack->quantisation_count, part, MPAK_STREAM_TANGENT);
  if (normal != NULL) found.normal = mpak_quantised_direction(normal->step[0], false);
  if (tangent != NULL) found.tangent = mpak_quantised_direction(tangent->step[0], true) - 1;
  return found;
}

static inline uint32_t number_faults(const mpak_quantised_vertex *vertex, content_directions largest) {
  const int32_t a = vertex->normal[0], b = vertex->normal[1], tangent = vertex->tangent >> 1;
  const uint32_t span = 2 * (uint32_t)largest.normal; // -largest … largest becomes 0 … span
  const bool is_normal = ((uint32_t)(a + largest.normal) <= span) & ((uint32_t)(b + largest.normal) <= span);
  uint32_t faults = (is_normal | ((a == MPAK_NO_NORMAL) & (b == 0))) ? 0 : NUMBER_NORMAL;
  if (largest.tangent < 0) return faults | (vertex->tangent != 0 ? NUMBER_NO_TANGENT : 0);
  return faults | (tangent > largest.tangent ? NUMBER_TANGENT : 0);
}

static mpak_result content_check_numbers(const mpak_pack *pack, const mpak_part *part, uint32_t chunk,
                                         const mpak_quantised_vertex *vertices, mpak_fault *fault) {
  const content_directions largest = content_find_directions(pack, pack->chunks[chunk].owner);
  uint32_t faults = 0;
  for (uint32_t i = 0; i < part->vertex_count; i++) faults |= number_faults(&vertices[i], largest);
  if (faults == 0) return MPAK_OK;
  uint32_t item = 0;
  while ((faults = number_faults(&vertices[item], largest)) == 0) item++;
  CONTENT_REQUIRE(!(faults & NUMBER_NORMAL), "VQNT: a normal is past its grid", item);
  CONTENT_REQUIRE(!(faults & NUMBER_TANGENT), "VQNT: a tangent is past its grid", item);
  CONTENT_REQUIRE(false, "VQNT: a tangent in a part without tangents", item);
}

// -- JNTS of U8 -------------------------------------------------------------------------------------------------------

/// The largest of count bytes.
static uint32_t joints_largest(const uint8_t *joints, uint64_t count) {
  uint32_t largest = 0;
  uint64_t i = 0;
#if defined(__SSE2__)
  __m128i most = _mm_setzero_si128();
  uint8_t lanes[16] = {0};
  for (; i + 16 <= count; i += 16)
    most = _mm_max_epu8(most, _mm_loadu_si128((const __m128i *)(const void *)(joints + i)));
  _mm_storeu_si128((__m128i *)(void *)lanes, most);
  for (int lane = 0; lane < 16; lane++) largest = lanes[lane] > largest ? lanes[lane] : largest;
#endif
  for (; i < count; i++) largest = joints[i] > largest ? joints[i] : largest;
  return largest;
}

static mpak_result content_check_small_joints(const mpak_pack *pack, const mpak_part *part, uint32_t chunk,
                                              const uint8_t *joints, mpak_fault *fault) {
  for (uint32_t s = part->first_section; s < part->first_section + part->section_count; s++) {
    const mpak_section *section = &pack->sections[s];
    const uint64_t first = (uint64_t)section->first_vertex * part->influence_count;
    const uint64_t end = first + (uint64_t)section->vertex_count * part->influence_count;
    const bool is_outside = first < end && joints_largest(joints + first, end - first) >= section->bone_count;
    for (uint64_t i = first; is_outside && i < end; i++)
      CONTENT_REQUIRE(joints[i] < section->bone_count, "JNTS: a joint is past its section's bones",
                      i / part->influence_count);
  }
  return MPAK_OK;
}

// -- WGTS of UNORM8 and UNORM16 ---------------------------------------------------------------------------------------

enum { WEIGHT_ORDER = 1, WEIGHT_SUM = 2 };

static inline uint32_t number_at(const void *numbers, bool is_small, uint64_t i) {
  return is_small ? ((const uint8_t *)numbers)[i] : ((const uint16_t *)numbers)[i];
}

/// The faults of one vertex; most: grows to the number of its weights that are not 0.
static inline uint32_t weight_faults(const void *numbers, bool is_small, uint64_t first, uint32_t influences,
                                     uint32_t *most) {
  uint32_t faults = 0, last = UINT32_MAX, sum = 0, used = 0;
  for (uint32_t i = 0; i < influences; i++) {
    const uint32_t number = number_at(numbers, is_small, first + i);
    faults |= number > last ? WEIGHT_ORDER : 0;
    used += number != 0;
    sum += number;
    last = number;
  }
  if (used > *most) *most = used;
  return faults | (sum == (is_small ? 255u : 65535u) ? 0 : WEIGHT_SUM);
}

/// The faults of vertices first … end - 1, without a branch. Fast where is_small and influences are constants.
static inline __attribute__((always_inline)) uint32_t
weights_scan(const void *numbers, bool is_small, uint32_t influences, uint64_t first, uint64_t end, uint32_t *most) {
  uint32_t faults = 0;
  for (uint64_t v = first; v < end; v++) faults |= weight_faults(numbers, is_small, v * influences, influences, most);
  return faults;
}

#if defined(__SSE2__)

/// weights_scan of UNORM16 with four influences, two vertices at a time; first … end is even.
static uint32_t weights_scan_pairs(const uint16_t *numbers, uint64_t first, uint64_t end, uint32_t *most) {
  const __m128i zero = _mm_setzero_si128(), first_of_four = _mm_set_epi16(0, 0, 0, -1, 0, 0, 0, -1);
  __m128i rises = zero, odd_sums = zero, used = _mm_set1_epi8(-1);
  for (uint64_t v = first; v < end; v += 2) {
    const __m128i weights = _mm_loadu_si128((const __m128i *)(const void *)(numbers + 4 * v));
    // Each against the one before it, the first of each vertex against the largest number.
    const __m128i before = _mm_or_si128(_mm_slli_epi64(weights, 16), first_of_four);
    rises = _mm_or_si128(rises, _mm_subs_epu16(weights, before));
    __m128i sum = _mm_add_epi32(_mm_and_si128(weights, _mm_set1_epi32(0xFFFF)), _mm_srli_epi32(weights, 16));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, _MM_SHUFFLE(2, 3, 0, 1)));
    odd_sums = _mm_or_si128(odd_sums, _mm_xor_si128(sum, _mm_set1_epi32(65535)));
    used = _mm_and_si128(used, _mm_cmpeq_epi16(weights, zero)); // where all vertices have 0
  }
  const int unused = _mm_movemask_epi8(_mm_and_si128(used, _mm_shuffle_epi32(used, _MM_SHUFFLE(1, 0, 3, 2)))) & 0xFF;
  for (uint32_t i = 0; i < 4; i++)
    if (!(unused >> (2 * i) & 1) && first < end && *most < i + 1) *most = i + 1;
  const __m128i broken = _mm_cmpeq_epi8(_mm_or_si128(rises, odd_sums), zero);
  return _mm_movemask_epi8(broken) == 0xFFFF ? 0 : WEIGHT_ORDER;
}

#else

static uint32_t weights_scan_pairs(const uint16_t *numbers, uint64_t first, uint64_t end, uint32_t *most) {
  return weights_scan(numbers, false, 4, first, end, most);
}

#endif

static uint32_t section_weight_faults(const mpak_part *part, const mpak_section *section, bool is_small,
                                      const void *numbers, uint32_t *most) {
  const uint64_t first = section->first_vertex, end = first + section->vertex_count;
  if (part->influence_count != 4) return weights_scan(numbers, is_small, part->influence_count, first, end, most);
  if (is_small) return weights_scan(numbers, true, 4, first, end, most);
  const uint64_t pairs_end = end - section->vertex_count % 2;
  return weights_scan_pairs(numbers, first, pairs_end, most) | weights_scan(numbers, false, 4, pairs_end, end, most);
}

static mpak_result content_check_weight_numbers(const mpak_pack *pack, const mpak_part *part, uint32_t chunk,
                                                const void *numbers, mpak_fault *fault) {
  const bool is_small = pack->chunks[chunk].format == MPAK_FORMAT_UNORM8;
  const uint32_t influences = part->influence_count;
  for (uint32_t s = part->first_section; s < part->first_section + part->section_count; s++) {
    const mpak_section *section = &pack->sections[s];
    uint32_t most = 0;
    const bool is_faulty = section_weight_faults(part, section, is_small, numbers, &most) != 0;
    for (uint32_t v = section->first_vertex; is_faulty && v < section->first_vertex + section->vertex_count; v++) {
      const uint32_t faults = weight_faults(numbers, is_small, (uint64_t)v * influences, influences, &most);
      CONTENT_REQUIRE(!(faults & WEIGHT_ORDER), "WGTS: weights do not fall", v);
      CONTENT_REQUIRE(!(faults & WEIGHT_SUM), "WGTS: weights do not sum to 1", v);
    }
    CONTENT_REQUIRE(most == section->max_influences, "WGTS: the section's max_influences is another number",
                    section->first_vertex);
  }
  return MPAK_OK;
}

mpak_result pack_check_numbers(const mpak_pack *pack, const mpak_part *part, uint32_t chunk, const void *bytes,
                               mpak_fault *fault) {
  switch (pack->chunks[chunk].kind) {
  case MPAK_KIND_VQNT: return content_check_numbers(pack, part, chunk, bytes, fault);
  case MPAK_KIND_JNTS: return content_check_small_joints(pack, part, chunk, bytes, fault);
  case MPAK_KIND_WGTS: return content_check_weight_numbers(pack, part, chunk, bytes, fault);
  default: return MPAK_OK; // TEXQ: any number is one of its grid
  }
}
