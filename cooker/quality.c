// quality.c: see quality.h. How the numbers were found is in blk64.md's terms: a step of size / 2^15 keeps a face with
// a tenth of its targets at 1 below 1e-4 of its size. Normals of 9 bits and weights of 12 refine no model that was
// measured, and save up to 7 % of a skinned one; with 8, deltas had to be refined too.
#include "cooker/quality.h"

static const cook_precision precisions[] = {
    [COOK_QUALITY_LOSSLESS] = {.payload = MPAK_PAYLOAD_P36, .keeps_tangent_deltas = true, .position_bound = 2e-6},
    [COOK_QUALITY_HIGH] = {.payload = MPAK_PAYLOAD_P16,
                           .delta_bits = 16,
                           .normal_delta_step = 1.0f / 255,
                           .position_bits = 16,
                           .normal_bits = 12,
                           .tangent_bits = 12,
                           .texcoord_bits = 16,
                           .weight_bits = 16,
                           .keeps_tangent_deltas = true,
                           .animation_error_m = 0.00003,
                           .position_bound = 3e-5,
                           .normal_bound_deg = 0.25},
    [COOK_QUALITY_DEFAULT] = {.payload = MPAK_PAYLOAD_P12,
                              .delta_bits = 15,
                              .normal_delta_step = 1.0f / 127,
                              .position_bits = 15,
                              .normal_bits = 9,
                              .tangent_bits = 8,
                              .texcoord_bits = 12,
                              .weight_bits = 12,
                              .animation_error_m = 0.0001,
                              .position_bound = 1e-4,
                              .normal_bound_deg = 1.1},
    [COOK_QUALITY_COMPACT] = {.payload = MPAK_PAYLOAD_P8,
                              .delta_bits = 12,
                              .normal_delta_step = 1.0f / 127,
                              .position_bits = 13,
                              .normal_bits = 8,
                              .tangent_bits = 6,
                              .texcoord_bits = 11,
                              .weight_bits = 8,
                              .animation_error_m = 0.0005,
                              .position_bound = 1e-3,
                              .normal_bound_deg = 3},
};

const cook_precision *cook_precision_of(cook_quality quality) { return &precisions[quality]; }

static uint32_t quality_finer_bits(uint32_t bits, uint32_t fineness, uint32_t most) {
  if (bits == 0) return 0;
  return bits + fineness < most ? bits + fineness : most;
}

#define QUALITY_FINE_LEVELS 2u ///< of P12: only vertices that missed get finer normal deltas

static bool quality_refines_vertices(const cook_precision *precision, uint32_t normal_fineness) {
  return precision->payload == MPAK_PAYLOAD_P12 && normal_fineness <= QUALITY_FINE_LEVELS;
}

/// Halving the step of normal deltas helps only the small ones: large ones need a payload with more bits, and in the
/// end floats. With P12 it is a few vertices that miss, whose deltas nearly cancel their normal: P16 holds the same
/// numbers in the same memory, and has room for finer ones there.
static void quality_refine_normal_deltas(cook_precision *precision, uint32_t fineness) {
  static const mpak_payload payloads[][COOK_FINENESS_MOST + 1] = {
      [MPAK_PAYLOAD_P8] = {MPAK_PAYLOAD_P8, MPAK_PAYLOAD_P8, MPAK_PAYLOAD_P12, MPAK_PAYLOAD_P16, MPAK_PAYLOAD_P36},
      [MPAK_PAYLOAD_P12] = {MPAK_PAYLOAD_P12, MPAK_PAYLOAD_P16, MPAK_PAYLOAD_P16, MPAK_PAYLOAD_P16, MPAK_PAYLOAD_P36},
      [MPAK_PAYLOAD_P16] = {MPAK_PAYLOAD_P16, MPAK_PAYLOAD_P16, MPAK_PAYLOAD_P16, MPAK_PAYLOAD_P16, MPAK_PAYLOAD_P36},
  };
  if (precision->payload == MPAK_PAYLOAD_P36) return;
  const bool refines_vertices = quality_refines_vertices(precision, fineness);
  precision->payload = payloads[precision->payload][fineness];
  if (refines_vertices) {
    precision->fine_exponent = fineness > 0 ? (int8_t)(-1 - (int)fineness) : 0;
    return;
  }
  precision->normal_delta_step /= (float)(1u << fineness);
}

cook_precision cook_precision_finer(cook_quality quality, uint32_t fineness, uint32_t normal_fineness) {
  cook_precision precision = *cook_precision_of(quality);
  // Then floats: a promise that is kept, whatever the numbers. Of the base too: a normal that is not of unit length, to
  // which deltas are added, has no place on the grid.
  if (fineness == COOK_FINENESS_MOST || normal_fineness == COOK_FINENESS_MOST) {
    precision.payload = MPAK_PAYLOAD_P36;
    precision.position_bits = 0;
    return precision;
  }
  precision.delta_bits = quality_finer_bits(precision.delta_bits, fineness, 24);
  precision.normal_delta_step /= (float)(1u << fineness); // lanes that then need too large numbers get an exponent
  precision.position_bits = quality_finer_bits(precision.position_bits, fineness, 16);
  precision.weight_bits = quality_finer_bits(precision.weight_bits, 2 * fineness, 16);
  const uint32_t base_fineness = quality_refines_vertices(&precision, normal_fineness) ? 0 : normal_fineness;
  precision.normal_bits = quality_finer_bits(precision.normal_bits, base_fineness, 16);
  precision.tangent_bits = quality_finer_bits(precision.tangent_bits, base_fineness, 15);
  quality_refine_normal_deltas(&precision, normal_fineness);
  return precision;
}
