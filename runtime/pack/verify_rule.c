// verify_rule.c: RULE and RPTS. Controls are known to be sound; that every rule belongs to a shape, verify_part.c
// checks.
#include "runtime/pack/pack_internal.h"

static mpak_result rule_verify_points(const mpak_pack *pack, const mpak_rule *rule, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_RPTS;
  for (uint32_t i = 0; i < rule->point_count; i++) {
    const mpak_rule_point *point = &pack->rule_points[rule->first_point + i];
    PACK_REQUIRE(bytes_float_is_finite(point->control_weight) && bytes_float_is_finite(point->shape_weight), kind,
                 "RPTS: a weight is not finite", rule->first_point + i);
    PACK_REQUIRE(i == 0 || point->control_weight > point[-1].control_weight, kind,
                 "RPTS: the control's weights do not ascend", rule->first_point + i);
  }
  return MPAK_OK;
}

static mpak_result rule_verify(const mpak_pack *pack, uint32_t i, uint64_t *point_end, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_RULE;
  const mpak_rule *rule = &pack->rules[i];
  PACK_REQUIRE(rule->control < pack->control_count, kind, "RULE: control is past the controls", i);
  if (rule->kind != MPAK_RULE_POLYLINE) {
    pack_refuse(pack, fault, kind, "RULE: this kind is of a later version", i);
    return MPAK_ERROR_FEATURE;
  }
  PACK_REQUIRE(rule->point_count >= 2, kind, "RULE: fewer than two points", i);
  PACK_REQUIRE(rule->first_point == *point_end, kind, "RULE: rules do not tile the points", i);
  *point_end += rule->point_count;
  PACK_REQUIRE(*point_end <= pack->rule_point_count, kind, "RULE: points end past RPTS", i);
  return rule_verify_points(pack, rule, fault);
}

mpak_result pack_verify_rules(const mpak_pack *pack, mpak_fault *fault) {
  uint64_t point_end = 0;
  for (uint32_t i = 0; i < pack->rule_count; i++) LAYOUT_TRY(rule_verify(pack, i, &point_end, fault));
  PACK_REQUIRE(point_end == pack->rule_point_count, MPAK_KIND_RPTS, "RPTS: points that belong to no rule", point_end);
  return MPAK_OK;
}
