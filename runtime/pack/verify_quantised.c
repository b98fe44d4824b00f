// verify_quantised.c: QUAN holds one record for each quantised stream of the parts, in order, and each grid is one.
#include "format/quantised.h"
#include "runtime/pack/pack_internal.h"

static bool quantised_is_zero(float value) { return bytes_bits_of_float(value) == 0; }

/// The first `used` axes: a finite origin, a step above 0, and a finite end. The others are +0.
static bool quantised_is_grid(const mpak_quantisation *record, int used) {
  for (int i = 0; i < 3; i++) {
    const float origin = record->origin[i], step = record->step[i];
    if (i >= used && !(quantised_is_zero(origin) && quantised_is_zero(step))) return false;
    if (i >= used) continue;
    if (!bytes_float_is_finite(origin) || !bytes_float_is_finite(step) || !(step > 0)) return false;
    if (!bytes_float_is_finite(mpak_grid_value(origin, step, 65535))) return false;
  }
  return true;
}

static bool quantised_is_direction(const mpak_quantisation *record) {
  for (int i = 0; i < 3; i++)
    if (!quantised_is_zero(record->origin[i]) || (i > 0 && !quantised_is_zero(record->step[i]))) return false;
  return mpak_quantised_direction(record->step[0], record->stream == MPAK_STREAM_TANGENT) != 0;
}

static mpak_result quantised_verify_next(const mpak_pack *pack, uint32_t part, uint32_t stream, uint32_t *next,
                                         mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_QUAN;
  const mpak_quantisation *record = *next < pack->quantisation_count ? &pack->quantisations[*next] : NULL;
  PACK_REQUIRE(record != NULL && record->part == part && record->stream == stream, kind,
               "QUAN: not the record that a quantised stream needs", *next);
  const bool is_direction = stream == MPAK_STREAM_NORMAL || stream == MPAK_STREAM_TANGENT;
  PACK_REQUIRE(is_direction || quantised_is_grid(record, stream == MPAK_STREAM_POSITION ? 3 : 2), kind,
               "QUAN: a grid is none", *next);
  PACK_REQUIRE(!is_direction || quantised_is_direction(record), kind, "QUAN: no step of a direction", *next);
  ++*next;
  return MPAK_OK;
}

static bool quantised_is_kind(const mpak_pack *pack, uint32_t chunk, uint32_t kind) {
  return chunk != MPAK_NONE && pack->chunks[chunk].kind == kind;
}

mpak_result pack_verify_quantised(const mpak_pack *pack, mpak_fault *fault) {
  uint32_t next = 0;
  for (uint32_t p = 0; p < pack->part_count; p++) {
    const mpak_part *part = &pack->parts[p];
    if (quantised_is_kind(pack, part->base_chunk, MPAK_KIND_VQNT)) {
      LAYOUT_TRY(quantised_verify_next(pack, p, MPAK_STREAM_POSITION, &next, fault));
      LAYOUT_TRY(quantised_verify_next(pack, p, MPAK_STREAM_NORMAL, &next, fault));
      if (part->flags & MPAK_PART_TANGENTS)
        LAYOUT_TRY(quantised_verify_next(pack, p, MPAK_STREAM_TANGENT, &next, fault));
    }
    for (uint32_t slot = 0; slot < 4; slot++)
      if (quantised_is_kind(pack, part->texcoord_chunk[slot], MPAK_KIND_TEXQ))
        LAYOUT_TRY(quantised_verify_next(pack, p, MPAK_QUANTISED_TEXCOORD(slot), &next, fault));
  }
  PACK_REQUIRE(next == pack->quantisation_count, MPAK_KIND_QUAN, "QUAN: a record that no stream needs", next);
  return MPAK_OK;
}
