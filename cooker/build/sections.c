// sections.c: the draw units of a primitive: material, triangles and vertices, the joints that its vertices really use
// (the BoneMap), and a box for each of them. Which triangles a section has is build/split's work.
#include <float.h>

#include "cooker/build/build.h"

#define SECTION_JOINTS  65536u
#define SECTION_NO_BONE 0xFFFFFFFFu

/// Numbers the joints that have a weight above 0 in a section, ascending. Returns how many.
static uint32_t sections_number_joints(const cook_primitive *primitive, const mpak_section *section,
                                       uint32_t *bone_of_joint) {
  const uint64_t first = (uint64_t)section->first_vertex * primitive->influence_count;
  const uint64_t slots = (uint64_t)section->vertex_count * primitive->influence_count;
  for (uint32_t j = 0; j < SECTION_JOINTS; ++j) bone_of_joint[j] = SECTION_NO_BONE;
  for (uint64_t i = first; i < first + slots; ++i) {
    if (primitive->weights[i] > 0) bone_of_joint[primitive->joints[i]] = 0;
  }
  uint32_t count = 0;
  for (uint32_t j = 0; j < SECTION_JOINTS; ++j) {
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

/// Section-local joints of one vertex, and its place in the boxes of the section's bones. Returns its influences.
static uint32_t sections_map_vertex(const cook_primitive *primitive, const cook_gpu_morph *morph, uint32_t vertex,
                                    const uint32_t *bone_of_joint, mpak_bone *bones, uint16_t *local_joints) {
  uint64_t first = (uint64_t)vertex * primitive->influence_count;
  uint32_t used = 0;
  for (uint32_t i = 0; i < primitive->influence_count; ++i) {
    if (!(primitive->weights[first + i] > 0)) continue; // its local joint stays 0
    uint32_t bone = bone_of_joint[primitive->joints[first + i]];
    local_joints[first + i] = (uint16_t)bone;
    sections_grow_bone(&bones[bone], &morph->vertex_boxes[vertex]);
    ++used;
  }
  return used;
}

/// The BoneMap of a section, behind those of the sections before it. Without any weight above 0 it holds joint 0, which
/// unused slots name. bone_of_joint: scratch, by joint.
static void sections_map_bones(const cook_primitive *primitive, const cook_gpu_morph *morph, uint32_t *bone_of_joint,
                               mpak_section *section, cook_sections *sections) {
  const uint32_t used = sections_number_joints(primitive, section, bone_of_joint);
  section->first_bone = sections->bone_count;
  section->bone_count = used ? used : 1;
  mpak_bone *bones = sections->bones + section->first_bone;
  sections->bone_count += section->bone_count;
  sections_clear_bone(&bones[0], 0);
  for (uint32_t j = 0; j < SECTION_JOINTS; ++j) {
    if (bone_of_joint[j] != SECTION_NO_BONE) sections_clear_bone(&bones[bone_of_joint[j]], j);
  }
  for (uint32_t v = section->first_vertex; v < section->first_vertex + section->vertex_count; ++v) {
    const uint32_t count = sections_map_vertex(primitive, morph, v, bone_of_joint, bones, sections->local_joints);
    if (count > section->max_influences) section->max_influences = count;
  }
}

/// One section for everything, or the ranges that build/split made.
static void sections_make_ranges(cook_job *job, const cook_primitive *primitive, cook_sections *sections) {
  const cook_section_range whole = {0, primitive->index_count, 0, primitive->vertex_count};
  const cook_section_range *ranges = primitive->section_count == 0 ? &whole : primitive->sections;
  sections->section_count = primitive->section_count == 0 ? 1 : primitive->section_count;
  sections->sections = JOB_ARRAY(job, mpak_section, sections->section_count);
  for (uint32_t s = 0; s < sections->section_count; ++s) {
    sections->sections[s] = (mpak_section){
        .material = primitive->material,
        .first_index = ranges[s].first_index,
        .index_count = ranges[s].index_count,
        .first_vertex = ranges[s].first_vertex,
        .vertex_count = ranges[s].vertex_count,
        .cloth = MPAK_NONE,
    };
  }
}

/// Room for the BoneMaps: each section has at most as many bones as its vertices have influences, and as there are
/// joints.
static uint64_t sections_bone_room(const cook_primitive *primitive, const cook_sections *sections) {
  uint64_t room = 0;
  for (uint32_t s = 0; s < sections->section_count; ++s) {
    const uint64_t slots = (uint64_t)sections->sections[s].vertex_count * primitive->influence_count;
    room += slots < SECTION_JOINTS ? slots : SECTION_JOINTS;
  }
  return room;
}

void build_sections(cook_job *job, const cook_primitive *primitive, const cook_gpu_morph *morph,
                    cook_sections *sections) {
  *sections = (cook_sections){0};
  if (primitive->vertex_count == 0) return; // sections tile the vertices: none
  sections_make_ranges(job, primitive, sections);
  if (primitive->influence_count == 0) return;
  sections->bones = JOB_ARRAY(job, mpak_bone, sections_bone_room(primitive, sections));
  sections->local_joints = JOB_ARRAY(job, uint16_t, (uint64_t)primitive->vertex_count * primitive->influence_count);
  const cook_mark mark = job_mark(job);
  uint32_t *bone_of_joint = JOB_ARRAY(job, uint32_t, SECTION_JOINTS);
  for (uint32_t s = 0; s < sections->section_count; ++s)
    sections_map_bones(primitive, morph, bone_of_joint, &sections->sections[s], sections);
  job_release(job, mark);
}
