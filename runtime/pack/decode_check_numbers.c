// decode_check_numbers.c: what the chunks of quantised streams may hold. As in decode_check.c all records are reduced
// to one set of faults, and only a bad chunk is read a second time.
#include "format/quantised.h"
#include "runtime/pack/pack_internal.h"

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
  const bool is_normal = a >= -largest.normal && a <= largest.normal && b >= -largest.normal && b <= largest.normal;
  uint32_t faults = is_normal || (a == MPAK_NO_NORMAL && b == 0) ? 0 : NUMBER_NORMAL;
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

static mpak_result content_check_small_joints(const mpak_pack *pack, const mpak_part *part, uint32_t chunk,
                                              const uint8_t *joints, mpak_fault *fault) {
  for (uint32_t s = part->first_section; s < part->first_section + part->section_count; s++) {
    const mpak_section *section = &pack->sections[s];
    const uint64_t first = (uint64_t)section->first_vertex * part->influence_count;
    const uint64_t end = first + (uint64_t)section->vertex_count * part->influence_count;
    uint32_t outside = 0;
    for (uint64_t i = first; i < end; i++) outside |= joints[i] >= section->bone_count;
    for (uint64_t i = first; outside && i < end; i++)
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

static mpak_result content_check_weight_numbers(const mpak_pack *pack, const mpak_part *part, uint32_t chunk,
                                                const void *numbers, mpak_fault *fault) {
  const bool is_small = pack->chunks[chunk].format == MPAK_FORMAT_UNORM8;
  const uint32_t influences = part->influence_count;
  for (uint32_t s = part->first_section; s < part->first_section + part->section_count; s++) {
    const mpak_section *section = &pack->sections[s];
    uint32_t most = 0;
    for (uint32_t v = section->first_vertex; v < section->first_vertex + section->vertex_count; v++) {
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
