// tables_rules.c: RULE and RPTS. A rule gets its number when the first shape names it (SPEC.md); the parts of a mesh
// share those of its targets.
#include "cooker/pack/tables.h"

void tables_allot_rules(pack_tables *tables) {
  const cook_scene *scene = tables->scene;
  uint64_t rule_count = 0, point_count = 0;
  tables->rule_of_target = JOB_ARRAY(tables->job, uint32_t *, scene->mesh_count);
  for (uint32_t m = 0; m < scene->mesh_count; ++m) {
    const cook_mesh *mesh = &scene->meshes[m];
    if (!mesh->rules) continue;
    tables->rule_of_target[m] = JOB_ARRAY(tables->job, uint32_t, mesh->target_count);
    for (uint32_t t = 0; t < mesh->target_count; ++t) {
      tables->rule_of_target[m][t] = MPAK_NONE;
      rule_count += mesh->rules[t].point_count != 0;
      point_count += mesh->rules[t].point_count;
    }
  }
  tables->rules = JOB_ARRAY(tables->job, mpak_rule, tables_count(tables->job, rule_count, UINT32_MAX - 1, "rules"));
  tables->rule_points =
      JOB_ARRAY(tables->job, mpak_rule_point, tables_count(tables->job, point_count, UINT32_MAX, "points of rules"));
}

static uint32_t rules_add(pack_tables *tables, const cook_shape_rule *source, uint32_t control) {
  tables->rules[tables->rule_count] = (mpak_rule){
      .control = control,
      .kind = MPAK_RULE_POLYLINE,
      .first_point = tables->rule_point_count,
      .point_count = source->point_count,
  };
  for (uint32_t i = 0; i < source->point_count; ++i)
    tables->rule_points[tables->rule_point_count++] = (mpak_rule_point){source->points[i][0], source->points[i][1]};
  return tables->rule_count++;
}

void tables_set_rule(pack_tables *tables, uint32_t mesh, uint32_t target, mpak_shape *shape) {
  const cook_mesh *source = &tables->scene->meshes[mesh];
  shape->control = tables->meshes[mesh].first_control + cook_control_of_target(source, target);
  shape->rule = MPAK_NONE;
  if (!source->rules || source->rules[target].point_count == 0) return;
  uint32_t *number = &tables->rule_of_target[mesh][target];
  if (*number == MPAK_NONE) *number = rules_add(tables, &source->rules[target], shape->control);
  shape->rule = *number;
}
