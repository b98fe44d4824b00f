// sections.c: the draw unit. One section per primitive for now: its material, all its triangles and vertices, the
// joints that its vertices really use (the BoneMap), and a box for each of them.
#include <float.h>

#include "cooker/build/build.h"

#define SECTION_NO_BONE 0xFFFFFFFFu

/// Numbers the joints that have a weight above 0, ascending. Returns how many.
static uint32_t sections_number_joints(const cook_primitive *primitive, uint32_t *bone_of_joint) {
  uint64_t slots = (uint64_t)primitive->vertex_count * primitive->influence_count;
  for (uint32_t j = 0; j < 65536; ++j) bone_of_joint[j] = SECTION_NO_BONE;
  for (uint64_t i = 0; i < slots; ++i) {
    if (primitive->weights[i] > 0) bone_of_joint[primitive->joints[i]] = 0;
  }
  uint32_t count = 0;
  for (uint32_t j = 0; j < 65536; ++j) {
    if (bone_of_joint[j] != SECTION_NO_BONE) bone_of_joint[j] = count++;
  }
  return count;
}

static void sections_grow_bone(mpak_bone *bone, const cook_box *box) {
  for (int axis = 0; axis < 3; ++axis) {
    if (box->min[axis] < bone->box_min[axis]) bone->box_min[axis] = box->min[axis];
    if (box->max[axis] > bone->box_max[axis]) bone->box_max[axis] = box->max[axis];
  }
}

/// The box of a bone that moves nothing: min > max.
static void sections_clear_bone(mpak_bone *bone, uint32_t joint) {
  bone->joint = joint;
  for (int axis = 0; axis < 3; ++axis) {
    bone->box_min[axis] = FLT_MAX;
    bone->box_max[axis] = -FLT_MAX;
  }
}

/// Section-local joints of one vertex, and its place in the boxes of their bones. Returns its influences.
static uint32_t sections_map_vertex(const cook_primitive *primitive, const cook_gpu_morph *morph, uint32_t vertex,
                                    const uint32_t *bone_of_joint, cook_sections *sections) {
  uint64_t first = (uint64_t)vertex * primitive->influence_count;
  uint32_t used = 0;
  for (uint32_t i = 0; i < primitive->influence_count; ++i) {
    if (!(primitive->weights[first + i] > 0)) continue; // its local joint stays 0
    uint32_t bone = bone_of_joint[primitive->joints[first + i]];
    sections->local_joints[first + i] = (uint16_t)bone;
    sections_grow_bone(&sections->bones[bone], &morph->vertex_boxes[vertex]);
    ++used;
  }
  return used;
}

/// The BoneMap of a skinned primitive. Without any weight above 0 it holds joint 0, which unused slots name.
static uint32_t sections_map_bones(cook_job *job, const cook_primitive *primitive, const cook_gpu_morph *morph,
                                   cook_sections *sections) {
  uint32_t *bone_of_joint = JOB_ARRAY(job, uint32_t, 65536);
  uint32_t used = sections_number_joints(primitive, bone_of_joint);
  sections->bone_count = used ? used : 1;
  sections->bones = JOB_ARRAY(job, mpak_bone, sections->bone_count);
  sections_clear_bone(&sections->bones[0], 0);
  for (uint32_t j = 0; j < 65536; ++j) {
    if (bone_of_joint[j] != SECTION_NO_BONE) sections_clear_bone(&sections->bones[bone_of_joint[j]], j);
  }
  sections->local_joints = JOB_ARRAY(job, uint16_t, (uint64_t)primitive->vertex_count * primitive->influence_count);
  uint32_t most = 0;
  for (uint32_t v = 0; v < primitive->vertex_count; ++v) {
    uint32_t count = sections_map_vertex(primitive, morph, v, bone_of_joint, sections);
    if (count > most) most = count;
  }
  return most;
}

void build_sections(cook_job *job, const cook_primitive *primitive, const cook_gpu_morph *morph,
                    cook_sections *sections) {
  *sections = (cook_sections){0};
  if (primitive->vertex_count == 0) return; // sections tile the vertices: none
  uint32_t max_influences = 0;
  if (primitive->influence_count > 0) max_influences = sections_map_bones(job, primitive, morph, sections);
  sections->section_count = 1;
  sections->sections = JOB_ARRAY(job, mpak_section, 1);
  sections->sections[0] = (mpak_section){
      .material = primitive->material,
      .index_count = primitive->index_count,
      .vertex_count = primitive->vertex_count,
      .bone_count = sections->bone_count,
      .max_influences = max_influences,
      .cloth = MPAK_NONE,
  };
}
