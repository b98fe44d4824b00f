/// bone_limit.h: how many bones a section may have on a platform.
#ifndef COOK_BONE_LIMIT_H
#define COOK_BONE_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#define BONE_LIMIT_LOWEST  12u    ///< a triangle of three vertices with 4 influences always fits
#define BONE_LIMIT_8_BIT   256u   ///< what 8-bit joint numbers can name
#define BONE_LIMIT_HIGHEST 65536u ///< what 16-bit joint numbers can name

/// What a platform says about its sections.
typedef struct bone_limit_rules {
  uint32_t max_bones;        ///< 0: nothing, which means the highest
  uint32_t legacy_max_bones; ///< a cap from elsewhere that can only lower; 0: none
  bool is_8_bit_only;        ///< joint numbers of 16 bits are not supported
} bone_limit_rules;

/// The limit: max_bones, lowered by the cap, not below the lowest, not above 256 with 8-bit joint numbers, and never
/// above the highest.
uint32_t bone_limit_resolve(const bone_limit_rules *rules);

#endif
