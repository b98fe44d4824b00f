// glb_skin.c: joints and weights of vertices, and skins (glTF 2.0, section 3.7.3).
#include <math.h>
#include <string.h>

#include "cooker/export/glb.h"

// -- Influences ------------------------------------------------------------------------------------------------------

/// How far the sum of n weights may be from 1: what glTF's validator allows, with a margin.
#define SKIN_SUM_KEPT 1e-7

/// The joints of a vertex in the skin's numbers; those without weight are 0.
static void skin_take_joints(const mpak_pack *pack, const mpak_part_data *data, const mpak_section *section,
                             uint32_t influence_count, uint32_t vertex, uint16_t *joints) {
  const uint64_t first = (uint64_t)vertex * influence_count;
  for (uint32_t k = 0; k < influence_count; k++) {
    if (data->weights[first + k] == 0) continue;
    joints[k] = (uint16_t)pack->bones[section->first_bone + data->joints[first + k]].joint;
  }
}

/// Weights fall along a vertex: the first, the largest, takes what is missing.
static void skin_mend_sum(float *weights, uint32_t count) {
  double sum = 0;
  uint32_t used = 0;
  for (uint32_t k = 0; k < count; k++) {
    sum += (double)weights[k];
    used += weights[k] != 0;
  }
  if (fabs(sum - 1) > SKIN_SUM_KEPT * used) weights[0] = (float)((double)weights[0] + 1 - sum);
}

/// One set of four of all vertices.
static void skin_put_set(glb_file *glb, json_out *json, uint32_t count, uint32_t set, const uint16_t *joints,
                         const float *weights) {
  glb_accessor accessor = {.component_type = GLB_UNSIGNED_SHORT, .type = "VEC4", .count = count};
  accessor.view = glb_put_view(glb, joints, (uint64_t)count * 4 * sizeof *joints, GLB_USE_VERTICES, 0);
  write_json_key(json, job_format(glb->job, "JOINTS_%u", set));
  write_json_count(json, glb_put_accessor(glb, &accessor));
  write_json_key(json, job_format(glb->job, "WEIGHTS_%u", set));
  write_json_count(json, glb_put_floats(glb, weights, count, 4, GLB_USE_VERTICES, false));
}

static void skin_fill(const mpak_pack *pack, const mpak_part *part, const mpak_part_data *data, uint16_t *joints,
                      float *weights) {
  const uint32_t width = part->influence_count;
  memcpy(weights, data->weights, (size_t)part->vertex_count * width * sizeof *weights);
  for (uint32_t s = part->first_section; s < part->first_section + part->section_count; s++) {
    const mpak_section *section = &pack->sections[s];
    for (uint32_t v = section->first_vertex; v < section->first_vertex + section->vertex_count; v++) {
      skin_take_joints(pack, data, section, width, v, joints + (uint64_t)v * width);
      skin_mend_sum(weights + (uint64_t)v * width, width);
    }
  }
}

void glb_put_influences(glb_file *glb, json_out *json, uint32_t number) {
  const mpak_part *part = &glb->pack->parts[number];
  const uint32_t width = part->influence_count, count = part->vertex_count;
  const uint64_t total = (uint64_t)count * width;
  uint16_t *joints = JOB_ARRAY(glb->job, uint16_t, total), *joint_set = JOB_ARRAY(glb->job, uint16_t, 4ull * count);
  float *weights = JOB_ARRAY(glb->job, float, total), *weight_set = JOB_ARRAY(glb->job, float, 4ull * count);
  skin_fill(glb->pack, part, &glb->model->parts[number], joints, weights);
  for (uint32_t set = 0; set < width / 4; set++) {
    for (uint32_t v = 0; v < count; v++) {
      memcpy(joint_set + 4ull * v, joints + (uint64_t)v * width + 4ull * set, 4 * sizeof *joints);
      memcpy(weight_set + 4ull * v, weights + (uint64_t)v * width + 4ull * set, 4 * sizeof *weights);
    }
    skin_put_set(glb, json, count, set, joint_set, weight_set);
  }
}

// -- Skins -----------------------------------------------------------------------------------------------------------

/// 3 rows of 4 as 4 columns of 4.
static void skin_put_column_major(const float rows[12], float columns[16]) {
  for (int c = 0; c < 4; c++) {
    for (int r = 0; r < 3; r++) columns[4 * c + r] = rows[4 * r + c];
    columns[4 * c + 3] = c == 3 ? 1 : 0;
  }
}

static void skin_put(glb_file *glb, const mpak_skin *skin, uint32_t *joint_nodes) {
  float *matrices = JOB_ARRAY(glb->job, float, 16ull * skin->joint_count);
  for (uint32_t j = 0; j < skin->joint_count; j++)
    skin_put_column_major(glb->pack->joints[skin->first_joint + j].inverse_bind, matrices + 16ull * j);
  json_out *json = glb_element(glb, GLB_SKINS);
  const char *name = mpak_string(glb->pack, skin->name);
  if (name[0] != 0) write_json_member_string(json, "name", name);
  write_json_member_count(json, "inverseBindMatrices",
                          glb_put_floats(glb, matrices, skin->joint_count, 16, GLB_USE_ANY, false));
  write_json_key(json, "joints");
  write_json_array(json);
  for (uint32_t j = 0; j < skin->joint_count; j++) write_json_count(json, joint_nodes[j]);
  write_json_close(json);
  write_json_close(json);
}

/// A node may be a joint of a skin once: the next time a node below it stands for it.
static uint32_t *skin_joint_nodes(glb_file *glb, const mpak_skin *skin, uint32_t *last_skin, uint32_t stamp) {
  uint32_t *nodes = JOB_ARRAY(glb->job, uint32_t, skin->joint_count);
  for (uint32_t j = 0; j < skin->joint_count; j++) {
    const uint32_t node = glb->pack->joints[skin->first_joint + j].node;
    nodes[j] = last_skin[node] == stamp ? glb_add_node(glb, NULL, node) : node;
    last_skin[node] = stamp;
  }
  return nodes;
}

void glb_put_skins(glb_file *glb) {
  uint32_t *last_skin = JOB_ARRAY(glb->job, uint32_t, glb->pack->node_count);
  for (uint32_t s = 0; s < glb->pack->skin_count; s++)
    skin_put(glb, &glb->pack->skins[s], skin_joint_nodes(glb, &glb->pack->skins[s], last_skin, s + 1));
}
