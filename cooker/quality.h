/// quality.h: what --quality means, in numbers. Every stage that gives up precision reads its share here; the promise
/// that they keep together is measured on the finished pack.
#ifndef COOK_QUALITY_H
#define COOK_QUALITY_H

#include "cooker/cook.h"

/// Bits and steps of one quality. "Size" is the largest side of the box of a mesh: base positions of all primitives and
/// LODs.
typedef struct cook_precision {
  mpak_payload payload;      ///< of blk64; P36: floats
  uint32_t delta_bits;       ///< step of position deltas: size / 2^delta_bits
  float normal_delta_step;   ///< of normal and tangent deltas
  int8_t fine_exponent;      ///< of the normal deltas of vertices that missed the bound; 0: they are like others
  uint32_t position_bits;    ///< step of base positions: size / 2^position_bits; 0: floats, as are the next five
  uint32_t normal_bits;      ///< of each octahedral coordinate
  uint32_t tangent_bits;     ///< of the angle about the normal
  uint32_t texcoord_bits;    ///< of the range of a set in a part
  uint32_t weight_bits;      ///< of a skin weight
  bool keeps_tangent_deltas; ///< else deformers make tangents square to the normal again
  double animation_error_m;  ///< at the joints' reach, on a character of 1.8 m; 0: every key as it is
  double position_bound;     ///< promise for final vertices over all clips, in sizes
  double normal_bound_deg;   ///< the same for normals
} cook_precision;

/// The numbers of a quality.
const cook_precision *cook_precision_of(cook_quality quality);

#define COOK_FINENESS_MOST 4u ///< what then would still miss is kept as floats

/// The same with more bits, as far as the formats go, for what decides where vertices are (fineness) and for what
/// decides their normals: what a mesh gets that missed a bound. Both 0 … COOK_FINENESS_MOST.
cook_precision cook_precision_finer(cook_quality quality, uint32_t fineness, uint32_t normal_fineness);

#endif
