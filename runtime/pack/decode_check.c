// decode_check.c: what the data chunks may hold. Each check reduces all records to one set of faults without branches,
// so that it runs at the speed of memory; only a bad chunk is read a second time, to say which record it is.
#include "runtime/pack/pack_internal.h"

#include <math.h>

#define CONTENT_REQUIRE(condition, rule, item) LAYOUT_REQUIRE(condition, MPAK_ERROR_CORRUPT, rule, chunk, item)

/// The number of the first float that is not finite; count when all are.
static uint64_t content_first_wild(const float *floats, uint64_t count) {
  if (pack_floats_are_finite(floats, count)) return count;
  uint64_t i = 0;
  while (bytes_float_is_finite(floats[i])) i++;
  return i;
}

// -- VBAS ------------------------------------------------------------------------------------------------------------

enum { BASE_WILD = 1, BASE_POSITION_W = 2, BASE_NORMAL_W = 4, BASE_TANGENT_W = 8, BASE_TANGENT_NOT_ZERO = 16 };

/// The faults of one vertex as a set.
static inline uint32_t base_faults(const mpak_base_vertex *vertex, bool has_tangents) {
  uint32_t wild = 0, tangent_bits = 0, w = bytes_bits_of_float(vertex->tangent[3]);
  for (int i = 0; i < 4; i++) {
    wild |= (uint32_t)!bytes_float_is_finite(vertex->position[i]) |
            (uint32_t)!bytes_float_is_finite(vertex->normal[i]) | (uint32_t)!bytes_float_is_finite(vertex->tangent[i]);
    tangent_bits |= bytes_bits_of_float(vertex->tangent[i]);
  }
  uint32_t faults = wild ? BASE_WILD : 0;
  faults |= bytes_bits_of_float(vertex->position[3]) != 0x3F800000u ? BASE_POSITION_W : 0;
  faults |= bytes_bits_of_float(vertex->normal[3]) != 0 ? BASE_NORMAL_W : 0;
  faults |= has_tangents && (w & 0x7FFFFFFFu) != 0x3F800000u ? BASE_TANGENT_W : 0;
  faults |= !has_tangents && tangent_bits != 0 ? BASE_TANGENT_NOT_ZERO : 0;
  return faults;
}

static const char *base_rule(uint32_t faults) {
  if (faults & BASE_WILD) return "VBAS: a number is not finite";
  if (faults & BASE_POSITION_W) return "VBAS: position w is not 1";
  if (faults & BASE_NORMAL_W) return "VBAS: normal w is not 0";
  if (faults & BASE_TANGENT_W) return "VBAS: tangent w is not 1 or -1";
  return "VBAS: a tangent in a part without tangents";
}

static mpak_result content_check_base(const mpak_part *part, uint32_t chunk, const mpak_base_vertex *vertices,
                                      mpak_fault *fault) {
  bool has_tangents = (part->flags & MPAK_PART_TANGENTS) != 0;
  uint32_t faults = 0;
  for (uint32_t i = 0; i < part->vertex_count; i++) faults |= base_faults(&vertices[i], has_tangents);
  if (faults == 0) return MPAK_OK;
  uint32_t item = 0;
  while ((faults = base_faults(&vertices[item], has_tangents)) == 0) item++;
  return layout_fail(fault, MPAK_ERROR_CORRUPT, base_rule(faults), chunk, item);
}

// -- INDX, JNTS ------------------------------------------------------------------------------------------------------

/// The number of the first value outside [low, low + limit); count when all are inside. Reads 2 or 4 bytes a value.
static uint64_t content_first_outside_u16(const uint16_t *values, uint64_t count, uint32_t low, uint32_t limit) {
  uint32_t outside = 0;
  uint64_t i = 0;
  for (uint64_t k = 0; k < count; k++) outside |= values[k] - low >= limit;
  if (!outside) return count;
  while (values[i] - low < limit) i++;
  return i;
}

static uint64_t content_first_outside_u32(const uint32_t *values, uint64_t count, uint32_t low, uint32_t limit) {
  uint32_t outside = 0;
  uint64_t i = 0;
  for (uint64_t k = 0; k < count; k++) outside |= values[k] - low >= limit;
  if (!outside) return count;
  while (values[i] - low < limit) i++;
  return i;
}

static mpak_result content_check_indices(const mpak_pack *pack, const mpak_part *part, uint32_t chunk,
                                         const void *bytes, mpak_fault *fault) {
  bool is_short = pack->chunks[chunk].stride == 2;
  for (uint32_t s = part->first_section; s < part->first_section + part->section_count; s++) {
    const mpak_section *section = &pack->sections[s];
    uint32_t first = section->first_index, low = section->first_vertex, limit = section->vertex_count;
    uint64_t at = is_short
                      ? content_first_outside_u16((const uint16_t *)bytes + first, section->index_count, low, limit)
                      : content_first_outside_u32((const uint32_t *)bytes + first, section->index_count, low, limit);
    CONTENT_REQUIRE(at == section->index_count, "INDX: an index is outside its section's vertices", first + at);
  }
  return MPAK_OK;
}

static mpak_result content_check_joints(const mpak_pack *pack, const mpak_part *part, uint32_t chunk,
                                        const uint16_t *joints, mpak_fault *fault) {
  for (uint32_t s = part->first_section; s < part->first_section + part->section_count; s++) {
    const mpak_section *section = &pack->sections[s];
    uint64_t first = (uint64_t)section->first_vertex * part->influence_count;
    uint64_t count = (uint64_t)section->vertex_count * part->influence_count;
    uint64_t at = content_first_outside_u16(joints + first, count, 0, section->bone_count);
    CONTENT_REQUIRE(at == count, "JNTS: a joint is past its section's bones", (first + at) / part->influence_count);
  }
  return MPAK_OK;
}

// -- WGTS ------------------------------------------------------------------------------------------------------------

enum { WEIGHT_SIGN = 1, WEIGHT_ORDER = 2, WEIGHT_SUM = 4 };

/// The faults of one vertex. Numbers that are not negative order like their bits, so order and sign are compared there.
static inline uint32_t weight_faults(const float *weights, uint32_t influences) {
  uint32_t faults = 0, last = 0x7F7FFFFFu;
  float sum = 0;
  for (uint32_t i = 0; i < influences; i++) {
    uint32_t bits = bytes_bits_of_float(weights[i]);
    faults |= bits >= 0x7F800000u ? WEIGHT_SIGN : 0; // negative, -0, infinite or NaN
    faults |= bits > last ? WEIGHT_ORDER : 0;
    last = bits;
    sum += weights[i];
  }
  return faults | (fabsf(sum - 1) <= 1e-3f ? 0 : WEIGHT_SUM);
}

static const char *weight_rule(uint32_t faults) {
  if (faults & WEIGHT_SIGN) return "WGTS: a weight is negative or not finite";
  if (faults & WEIGHT_ORDER) return "WGTS: weights do not fall";
  return "WGTS: weights do not sum to 1";
}

/// Weights fall, so max_influences is right when its last weight is somewhere not zero and the one after it never is.
static bool weight_count_is_right(const mpak_section *section, const float *weights, uint32_t influences) {
  uint32_t last_bits = 0, next_bits = 0, most = section->max_influences;
  for (uint32_t v = 0; v < section->vertex_count; v++) {
    const float *vertex = weights + (size_t)v * influences;
    last_bits |= bytes_bits_of_float(vertex[most - 1]);
    if (most < influences) next_bits |= bytes_bits_of_float(vertex[most]);
  }
  return last_bits != 0 && next_bits == 0;
}

static mpak_result content_check_weights(const mpak_pack *pack, const mpak_part *part, uint32_t chunk,
                                         const float *weights, mpak_fault *fault) {
  uint32_t faults = 0, influences = part->influence_count;
  for (uint32_t v = 0; v < part->vertex_count; v++)
    faults |= weight_faults(weights + (size_t)v * influences, influences);
  if (faults) {
    uint32_t item = 0;
    while ((faults = weight_faults(weights + (size_t)item * influences, influences)) == 0) item++;
    return layout_fail(fault, MPAK_ERROR_CORRUPT, weight_rule(faults), chunk, item);
  }
  for (uint32_t s = part->first_section; s < part->first_section + part->section_count; s++) {
    const mpak_section *section = &pack->sections[s];
    const float *first = weights + (size_t)section->first_vertex * influences;
    CONTENT_REQUIRE(weight_count_is_right(section, first, influences),
                    "WGTS: the section's max_influences is another number", section->first_vertex);
  }
  return MPAK_OK;
}

// -- TEXC, COLR, source map ------------------------------------------------------------------------------------------

static mpak_result content_check_floats(const mpak_pack *pack, uint32_t chunk, const float *floats, const char *rule,
                                        mpak_fault *fault) {
  uint64_t count = pack->chunks[chunk].decoded_bytes / 4, wild = content_first_wild(floats, count);
  CONTENT_REQUIRE(wild == count, rule, wild * 4 / pack->chunks[chunk].stride);
  return MPAK_OK;
}

/// Colours of three components have a fourth in memory, which must be the largest value.
static mpak_result content_check_colours(const mpak_pack *pack, uint32_t chunk, const void *bytes, mpak_fault *fault) {
  uint32_t format = pack->chunks[chunk].format, count = pack->chunks[chunk].count;
  const char *rule = "COLR: the fourth component of a three-component colour is not full";
  if (format == MPAK_FORMAT_F32X3 || format == MPAK_FORMAT_F32X4)
    return content_check_floats(pack, chunk, bytes, "COLR: a number is not finite", fault);
  for (uint32_t i = 0; i < count && format == MPAK_FORMAT_UNORM8X3; i++)
    CONTENT_REQUIRE(((const uint8_t *)bytes)[4 * (size_t)i + 3] == 255, rule, i);
  for (uint32_t i = 0; i < count && format == MPAK_FORMAT_UNORM16X3; i++)
    CONTENT_REQUIRE(((const uint16_t *)bytes)[4 * (size_t)i + 3] == 65535, rule, i);
  return MPAK_OK;
}

static mpak_result content_check_pack_of_source(const mpak_pack *pack, const mpak_part *part, uint32_t chunk,
                                                const uint32_t *vertices, mpak_fault *fault) {
  for (uint32_t i = 0; i < pack->chunks[chunk].count; i++)
    CONTENT_REQUIRE(pack_is_index_or_none(vertices[i], part->vertex_count), "PKOS: a vertex is past the part's", i);
  return MPAK_OK;
}

static mpak_result content_check_source_of_pack(const mpak_pack *pack, const mpak_part *part, uint32_t chunk,
                                                const uint32_t *vertices, mpak_fault *fault) {
  for (uint32_t i = 0; i < pack->chunks[chunk].count; i++)
    CONTENT_REQUIRE(vertices[i] < part->source_vertex_count, "SRCP: a vertex is past the source's", i);
  return MPAK_OK;
}

// -- KEYT, KEYV ------------------------------------------------------------------------------------------------------

/// The number of the first time that is not above the one before it; count when all are.
static uint32_t key_times_first_fault(const float *times, uint32_t count) {
  uint32_t faults = 0, i = 1;
  for (uint32_t k = 1; k < count; k++) faults |= !(times[k] > times[k - 1]);
  if (faults == 0) return count;
  while (times[i] > times[i - 1]) i++;
  return i;
}

static mpak_result content_check_key_times(const mpak_pack *pack, uint32_t chunk, const float *times,
                                           mpak_fault *fault) {
  LAYOUT_TRY(content_check_floats(pack, chunk, times, "KEYT: a time is not finite", fault));
  for (uint32_t i = 0; i < pack->track_count; i++) {
    const mpak_track *track = &pack->tracks[i];
    uint32_t wrong = key_times_first_fault(times + track->first_time, track->key_count);
    CONTENT_REQUIRE(wrong == track->key_count, "KEYT: times of a track do not ascend",
                    (uint64_t)track->first_time + wrong);
  }
  return MPAK_OK;
}

static mpak_result content_check_rotations(const mpak_track *track, uint32_t chunk, const float *values,
                                           mpak_fault *fault) {
  bool is_cubic = track->interpolation == MPAK_CUBICSPLINE;
  uint32_t step = is_cubic ? 12 : 4, skip = is_cubic ? 4 : 0; // in-tangent, value, out-tangent
  for (uint32_t k = 0; k < track->key_count; k++) {
    uint64_t at = track->first_value + (uint64_t)k * step + skip;
    CONTENT_REQUIRE(pack_is_rotation(values + at), "KEYV: a rotation cannot be normalised", at);
  }
  return MPAK_OK;
}

static mpak_result content_check_key_values(const mpak_pack *pack, uint32_t chunk, const float *values,
                                            mpak_fault *fault) {
  LAYOUT_TRY(content_check_floats(pack, chunk, values, "KEYV: a value is not finite", fault));
  for (uint32_t i = 0; i < pack->track_count; i++) {
    if (pack->tracks[i].path != MPAK_PATH_ROTATION) continue;
    LAYOUT_TRY(content_check_rotations(&pack->tracks[i], chunk, values, fault));
  }
  return MPAK_OK;
}

// -- By kind ---------------------------------------------------------------------------------------------------------

static mpak_result content_check_of_part(const mpak_pack *pack, const mpak_part *part, uint32_t chunk,
                                         const void *bytes, mpak_fault *fault) {
  if (pack_expanded_bytes(pack, chunk) != 0) return pack_check_numbers(pack, part, chunk, bytes, fault);
  switch (pack->chunks[chunk].kind) {
  case MPAK_KIND_VBAS: return content_check_base(part, chunk, bytes, fault);
  case MPAK_KIND_INDX: return content_check_indices(pack, part, chunk, bytes, fault);
  case MPAK_KIND_JNTS: return content_check_joints(pack, part, chunk, bytes, fault);
  case MPAK_KIND_WGTS: return content_check_weights(pack, part, chunk, bytes, fault);
  case MPAK_KIND_TEXC: return content_check_floats(pack, chunk, bytes, "TEXC: a number is not finite", fault);
  case MPAK_KIND_COLR: return content_check_colours(pack, chunk, bytes, fault);
  case MPAK_KIND_PKOS: return content_check_pack_of_source(pack, part, chunk, bytes, fault);
  case MPAK_KIND_SRCP: return content_check_source_of_pack(pack, part, chunk, bytes, fault);
  default: return MPAK_OK; // unknown kinds have no meaning here
  }
}

mpak_result pack_check_content(const mpak_pack *pack, uint32_t chunk, const void *bytes, mpak_fault *fault) {
  const mpak_chunk_entry *entry = &pack->chunks[chunk];
  if (entry->kind == MPAK_KIND_KEYT) return content_check_key_times(pack, chunk, bytes, fault);
  if (entry->kind == MPAK_KIND_KEYV) return content_check_key_values(pack, chunk, bytes, fault);
  if (entry->owner >= pack->part_count) return MPAK_OK; // a table, checked by mpak_open, or an unknown kind
  return content_check_of_part(pack, &pack->parts[entry->owner], chunk, bytes, fault);
}
