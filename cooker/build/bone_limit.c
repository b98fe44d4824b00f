#include "cooker/build/bone_limit.h"

uint32_t bone_limit_resolve(const bone_limit_rules *rules) {
  uint32_t limit = rules->max_bones == 0 ? BONE_LIMIT_HIGHEST : rules->max_bones;
  if (rules->legacy_max_bones != 0 && rules->legacy_max_bones < limit) limit = rules->legacy_max_bones;
  if (limit < BONE_LIMIT_LOWEST) limit = BONE_LIMIT_LOWEST;
  if (rules->is_8_bit_only && limit > BONE_LIMIT_8_BIT) limit = BONE_LIMIT_8_BIT;
  return limit > BONE_LIMIT_HIGHEST ? BONE_LIMIT_HIGHEST : limit;
}
