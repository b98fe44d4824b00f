// glb_shape.c: glTF has no controls, only targets with weights: names and weights of shapes from those of controls.
#include <string.h>

#include "cooker/export/glb.h"
#include "cooker/report/number.h"

static const mpak_part *shape_part(const glb_file *glb, uint32_t mesh) {
  const mpak_mesh *record = &glb->pack->meshes[mesh];
  const mpak_part *found = NULL;
  for (uint32_t p = record->first_part; p < record->first_part + record->part_count; p++)
    if (glb->pack->parts[p].lod == 0 && (found == NULL || glb->pack->parts[p].shape_count > found->shape_count))
      found = &glb->pack->parts[p];
  return found;
}

uint32_t glb_target_count(const glb_file *glb, uint32_t mesh) {
  const mpak_part *part = shape_part(glb, mesh);
  return part != NULL ? part->shape_count : 0;
}

const mpak_shape *glb_target_shapes(const glb_file *glb, uint32_t mesh) {
  const mpak_part *part = shape_part(glb, mesh);
  return part != NULL ? glb->pack->shapes + part->first_shape : NULL;
}

uint32_t glb_control_of(const mpak_pack *pack, uint32_t mesh, const mpak_shape *shape) {
  return shape->control - pack->meshes[mesh].first_control;
}

double glb_shape_weight(const mpak_pack *pack, const mpak_shape *shape, double control_weight) {
  if (shape->rule == MPAK_NONE) return control_weight;
  const mpak_rule *rule = &pack->rules[shape->rule];
  const mpak_rule_point *point = pack->rule_points + rule->first_point + rule->point_count - 2;
  while (point > pack->rule_points + rule->first_point && (double)point->control_weight > control_weight) point--;
  const double x = (double)point->control_weight, y = (double)point->shape_weight;
  return y + (control_weight - x) / ((double)point[1].control_weight - x) * ((double)point[1].shape_weight - y);
}

void glb_put_weights(glb_file *glb, json_out *json, uint32_t mesh, const float *controls) {
  const mpak_shape *shapes = glb_target_shapes(glb, mesh);
  const uint32_t count = glb_target_count(glb, mesh);
  write_json_key(json, "weights");
  write_json_array(json);
  for (uint32_t t = 0; t < count; t++) {
    const mpak_control *control = &glb->pack->controls[shapes[t].control];
    const float weight =
        controls != NULL ? controls[glb_control_of(glb->pack, mesh, &shapes[t])] : control->default_weight;
    write_json_float(json, (float)glb_shape_weight(glb->pack, &shapes[t], (double)weight));
  }
  write_json_close(json);
}

// -- Names -----------------------------------------------------------------------------------------------------------

/// Is there a later shape of the same control? All but the last one of a control are its in-betweens.
static bool shape_is_between(const mpak_shape *shapes, uint32_t count, uint32_t t) {
  for (uint32_t i = t + 1; i < count; i++)
    if (shapes[i].control == shapes[t].control) return true;
  return false;
}

/// The control's name; that of an in-between with the weight at which it is shown in full: "Smile 50%".
static const char *shape_name(glb_file *glb, const mpak_shape *shapes, uint32_t count, uint32_t t) {
  const mpak_pack *pack = glb->pack;
  const char *name = mpak_string(pack, pack->controls[shapes[t].control].name);
  if (shapes[t].rule == MPAK_NONE || !shape_is_between(shapes, count, t)) return name;
  const mpak_rule *rule = &pack->rules[shapes[t].rule];
  double peak = 0;
  for (uint32_t p = 0; p < rule->point_count; p++)
    if (pack->rule_points[rule->first_point + p].shape_weight == 1)
      peak = (double)pack->rule_points[rule->first_point + p].control_weight;
  char percent[NUMBER_BYTES];
  number_format(percent, 100 * peak, 6);
  return job_format(glb->job, "%s %s%%", name, percent);
}

void glb_put_target_names(glb_file *glb, json_out *json, uint32_t mesh) {
  const mpak_shape *shapes = glb_target_shapes(glb, mesh);
  const uint32_t count = glb_target_count(glb, mesh);
  bool has_name = false;
  for (uint32_t t = 0; t < count; t++) has_name = has_name || glb->pack->controls[shapes[t].control].name != 0;
  if (!has_name) return;
  write_json_key(json, "extras");
  write_json_object(json);
  write_json_key(json, "targetNames");
  write_json_array(json);
  for (uint32_t t = 0; t < count; t++) write_json_string(json, shape_name(glb, shapes, count, t));
  write_json_close(json);
  write_json_close(json);
}
