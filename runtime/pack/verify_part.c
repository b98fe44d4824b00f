// verify_part.c: PART, SHAP, SECT, BMAP and ERRS. Meshes and controls are known to be sound.
#include "runtime/pack/pack_internal.h"

#include "format/morph_blocks.h"

/// Ends of the ranges that parts have taken so far of the tables below them.
typedef struct part_ends {
  uint64_t shape, section, bone;
  uint32_t rule; ///< rules that shapes have named
} part_ends;

#define PART_KNOWN_FLAGS                                                                                               \
  ((uint32_t)(MPAK_PART_TANGENTS | MPAK_PART_MORPH_NORMALS | MPAK_PART_MORPH_TANGENTS | MPAK_PART_REORTHOGONALISE))

static bool part_float_is_size(float value) { return bytes_float_is_finite(value) && value >= 0; }

// -- PART ------------------------------------------------------------------------------------------------------------

static mpak_result part_verify_counts(const mpak_pack *pack, uint32_t i, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_PART;
  const mpak_part *part = &pack->parts[i];
  uint32_t influences = part->influence_count;
  PACK_REQUIRE(pack_is_index_or_none(part->material, pack->material_count), kind, "PART: material is past MATL", i);
  PACK_REQUIRE(part->vertex_count >= 1 && part->vertex_count <= MPAK_MAX_VERTICES, kind, "PART: no vertex, or too many",
               i);
  PACK_REQUIRE(part->index_count % 3 == 0, kind, "PART: index_count is not a multiple of 3", i);
  PACK_REQUIRE(part->shape_count <= MPAK_MAX_TARGETS, kind, "PART: too many shapes", i);
  PACK_REQUIRE(part->section_count <= 65536, kind, "PART: too many sections", i);
  PACK_REQUIRE(influences == 0 || influences == 4 || influences == 8 || influences == 12, kind,
               "PART: influence_count is not 0, 4, 8 or 12", i);
  PACK_REQUIRE((part->flags & ~PART_KNOWN_FLAGS) == 0, kind, "PART: unknown flag", i);
  PACK_REQUIRE(pack_is_box(part->bounds_min, part->bounds_max), kind, "PART: bounds are no box", i);
  PACK_REQUIRE(pack_is_box(part->conservative_min, part->conservative_max), kind,
               "PART: conservative bounds are no box", i);
  PACK_REQUIRE(part_float_is_size(part->max_position_delta), kind, "PART: max_position_delta is negative or not finite",
               i);
  return MPAK_OK;
}

/// Parts without blk64 have none of its numbers.
static bool part_has_no_blocks(const mpak_part *part) {
  return part->components == 0 && part->block_count == 0 && part->entry_count == 0 && part->group_count == 0 &&
         part->run_count == 0 && bytes_bits_of_float(part->step) == 0 && bytes_bits_of_float(part->normal_step) == 0;
}

/// Floats of a delta that the flags of a part ask for.
static uint32_t part_components_needed(const mpak_part *part) {
  return part->flags & MPAK_PART_MORPH_TANGENTS ? 9 : part->flags & MPAK_PART_MORPH_NORMALS ? 6 : 3;
}

static mpak_result part_verify_steps(const mpak_pack *pack, uint32_t i, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_PART;
  const mpak_part *part = &pack->parts[i];
  bool is_float = part->payload == MPAK_PAYLOAD_P36;
  PACK_REQUIRE(!is_float || (part->step == 1 && part->normal_step == 1), kind, "PART: the steps of P36 are not 1", i);
  PACK_REQUIRE(mpak_blocks_scale_fits(part->step) && mpak_blocks_scale_fits(part->normal_step), kind,
               "PART: a step is out of range", i);
  return MPAK_OK;
}

/// Tangents that are made square to the normal are there, have no deltas of their own, and belong to quantised deltas.
static bool part_may_reorthogonalise(const mpak_part *part) {
  return part->flags & MPAK_PART_TANGENTS && !(part->flags & MPAK_PART_MORPH_TANGENTS) &&
         part->payload >= MPAK_PAYLOAD_P8 && part->payload <= MPAK_PAYLOAD_P16;
}

static mpak_result part_verify_blocks(const mpak_pack *pack, uint32_t i, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_PART;
  const mpak_part *part = &pack->parts[i];
  uint32_t components = part->components;
  PACK_REQUIRE(components == 3 || components == 6 || components == 9, kind, "PART: components are not 3, 6 or 9", i);
  PACK_REQUIRE(components >= part_components_needed(part), kind, "PART: its flags ask for more components", i);
  PACK_REQUIRE(mpak_payload_words(part->payload, components) > 0, kind, "PART: P8 has no tangents", i);
  LAYOUT_TRY(part_verify_steps(pack, i, fault));
  PACK_REQUIRE(part->block_count == mpak_block_count(pack->sections + part->first_section, part->section_count), kind,
               "PART: block_count is not what the sections need", i);
  PACK_REQUIRE(part->entry_count <= part->delta_count && part->run_count <= part->delta_count &&
                   part->group_count <= part->run_count,
               kind, "PART: more entries, runs or groups than deltas", i);
  PACK_REQUIRE((part->delta_count == 0) == (part->entry_count == 0) &&
                   (part->delta_count == 0) == (part->group_count == 0) &&
                   (part->delta_count == 0) == (part->run_count == 0),
               kind, "PART: deltas without entries, runs or groups", i);
  PACK_REQUIRE((uint64_t)part->delta_count * mpak_payload_words(part->payload, components) <= UINT32_MAX, kind,
               "PART: the payload has 2^32 words or more", i);
  return MPAK_OK;
}

static mpak_result part_verify_payload(const mpak_pack *pack, uint32_t i, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_PART;
  const mpak_part *part = &pack->parts[i];
  bool is_csr = part->payload == MPAK_PAYLOAD_CSR64, is_blocks = pack_is_morphed_by_blocks(part);
  PACK_REQUIRE(part->payload == MPAK_PAYLOAD_NONE || is_csr || is_blocks, kind, "PART: unknown payload", i);
  PACK_REQUIRE((part->payload == MPAK_PAYLOAD_NONE) == (part->shape_count == 0), kind,
               "PART: shapes without a payload, or a payload without shapes", i);
  PACK_REQUIRE(part->payload != MPAK_PAYLOAD_NONE || part->delta_count == 0, kind, "PART: deltas without shapes", i);
  PACK_REQUIRE(is_blocks || part_has_no_blocks(part), kind, "PART: numbers of blk64 without blk64", i);
  PACK_REQUIRE(!(part->flags & MPAK_PART_REORTHOGONALISE) || part_may_reorthogonalise(part), kind,
               "PART: nothing to make square to the normal", i);
  return is_blocks ? part_verify_blocks(pack, i, fault) : MPAK_OK;
}

// -- SHAP ------------------------------------------------------------------------------------------------------------

static bool shape_box_holds_zero(const mpak_shape *shape) {
  if (!pack_is_box(shape->delta_min, shape->delta_max)) return false;
  for (int axis = 0; axis < 3; axis++)
    if (shape->delta_min[axis] > 0 || shape->delta_max[axis] < 0) return false;
  return true;
}

/// Rules are numbered as shapes first name them: so none is left over, and there is one way to write a pack.
static mpak_result shape_verify_rule(const mpak_pack *pack, uint32_t i, uint32_t *rule_end, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_SHAP;
  const mpak_shape *shape = &pack->shapes[i];
  if (shape->rule == MPAK_NONE) return MPAK_OK;
  PACK_REQUIRE(shape->rule < pack->rule_count, kind, "SHAP: rule is past the rules", i);
  PACK_REQUIRE(pack->rules[shape->rule].control == shape->control, kind, "SHAP: its rule is of another control", i);
  PACK_REQUIRE(shape->rule <= *rule_end, kind, "SHAP: rules are not numbered as shapes first name them", i);
  *rule_end += shape->rule == *rule_end;
  return MPAK_OK;
}

static mpak_result part_verify_shapes(const mpak_pack *pack, uint32_t number, part_ends *ends, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_SHAP;
  const mpak_part *part = &pack->parts[number];
  const mpak_mesh *mesh = &pack->meshes[part->mesh];
  uint64_t delta_sum = 0;
  for (uint32_t i = part->first_shape; i < ends->shape; i++) {
    const mpak_shape *shape = &pack->shapes[i];
    PACK_REQUIRE(shape->part == number, kind, "SHAP: part is not the one that lists it", i);
    PACK_REQUIRE(shape->control >= mesh->first_control && shape->control - mesh->first_control < mesh->control_count,
                 kind, "SHAP: control is not one of the mesh", i);
    LAYOUT_TRY(shape_verify_rule(pack, i, &ends->rule, fault));
    PACK_REQUIRE(shape->delta_count <= part->vertex_count, kind, "SHAP: more deltas than vertices", i);
    PACK_REQUIRE(part_float_is_size(shape->source_max_delta), kind, "SHAP: source_max_delta is negative or not finite",
                 i);
    PACK_REQUIRE(shape_box_holds_zero(shape), kind, "SHAP: its box is none, or does not hold zero", i);
    delta_sum += shape->delta_count;
  }
  PACK_REQUIRE(delta_sum == part->delta_count, MPAK_KIND_PART, "PART: delta_count is not the sum of its shapes'",
               number);
  return MPAK_OK;
}

// -- SECT, BMAP ------------------------------------------------------------------------------------------------------

/// A box, or min > max on each axis: the bone moves nothing.
static bool bone_box_is_sound(const mpak_bone *bone) {
  if (!pack_floats_are_finite(bone->box_min, 3) || !pack_floats_are_finite(bone->box_max, 3)) return false;
  int above = 0;
  for (int axis = 0; axis < 3; axis++) above += bone->box_min[axis] > bone->box_max[axis];
  return above == 0 || above == 3;
}

static mpak_result section_verify_bones(const mpak_pack *pack, const mpak_section *section, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_BMAP;
  for (uint32_t i = 0; i < section->bone_count; i++) {
    const mpak_bone *bone = &pack->bones[section->first_bone + i];
    PACK_REQUIRE(bone->joint < MPAK_MAX_JOINTS, kind, "BMAP: joint is past every skin", section->first_bone + i);
    PACK_REQUIRE(i == 0 || bone->joint > bone[-1].joint, kind, "BMAP: joints do not ascend", section->first_bone + i);
    PACK_REQUIRE(bone_box_is_sound(bone), kind, "BMAP: its box is none", section->first_bone + i);
  }
  return MPAK_OK;
}

static mpak_result section_verify_skin(const mpak_pack *pack, uint32_t item, const mpak_part *part, uint64_t *bone_end,
                                       mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_SECT;
  const mpak_section *section = &pack->sections[item];
  PACK_REQUIRE(section->max_influences <= part->influence_count &&
                   (section->max_influences == 0) == (part->influence_count == 0),
               kind, "SECT: max_influences does not fit the part", item);
  PACK_REQUIRE((section->bone_count == 0) == (part->influence_count == 0) && section->bone_count <= 65536, kind,
               "SECT: bone_count does not fit the part", item);
  PACK_REQUIRE(section->first_bone == *bone_end, kind, "SECT: sections do not tile the bones", item);
  *bone_end += section->bone_count;
  PACK_REQUIRE(*bone_end <= pack->bone_count, kind, "SECT: bones end past BMAP", item);
  return section_verify_bones(pack, section, fault);
}

static mpak_result part_verify_sections(const mpak_pack *pack, uint32_t number, uint64_t *bone_end, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_SECT;
  const mpak_part *part = &pack->parts[number];
  uint64_t index_end = 0, vertex_end = 0;
  for (uint32_t i = 0; i < part->section_count; i++) {
    uint32_t item = part->first_section + i;
    const mpak_section *section = &pack->sections[item];
    PACK_REQUIRE(section->part == number, kind, "SECT: part is not the one that lists it", item);
    PACK_REQUIRE(pack_is_index_or_none(section->material, pack->material_count), kind, "SECT: material is past MATL",
                 item);
    PACK_REQUIRE(section->cloth == MPAK_NONE, kind, "SECT: cloth is of a later version", item);
    PACK_REQUIRE(section->index_count % 3 == 0 && section->first_index == index_end, kind,
                 "SECT: sections do not tile the triangles", item);
    PACK_REQUIRE(section->vertex_count > 0 && section->first_vertex == vertex_end, kind,
                 "SECT: sections do not tile the vertices", item);
    index_end += section->index_count;
    vertex_end += section->vertex_count;
    LAYOUT_TRY(section_verify_skin(pack, item, part, bone_end, fault));
  }
  PACK_REQUIRE(index_end == part->index_count, kind, "SECT: sections do not end with the triangles",
               part->first_section);
  PACK_REQUIRE(vertex_end == part->vertex_count, kind, "SECT: sections do not end with the vertices",
               part->first_section);
  return MPAK_OK;
}

// -- All of a part ---------------------------------------------------------------------------------------------------

static mpak_result part_verify_ranges(const mpak_pack *pack, uint32_t i, part_ends *ends, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_PART;
  const mpak_part *part = &pack->parts[i];
  PACK_REQUIRE(part->first_shape == ends->shape, kind, "PART: parts do not tile the shapes", i);
  PACK_REQUIRE(part->first_section == ends->section, kind, "PART: parts do not tile the sections", i);
  ends->shape += part->shape_count;
  ends->section += part->section_count;
  PACK_REQUIRE(ends->shape <= pack->shape_count, kind, "PART: shapes end past SHAP", i);
  PACK_REQUIRE(ends->section <= pack->section_count, kind, "PART: sections end past SECT", i);
  return MPAK_OK;
}

static mpak_result parts_verify_errors(const mpak_pack *pack, mpak_fault *fault) {
  for (uint32_t i = 0; i < pack->error_count; i++) {
    const mpak_measured_error *error = &pack->errors[i];
    PACK_REQUIRE(error->part < pack->part_count, MPAK_KIND_ERRS, "ERRS: part is past the parts", i);
    PACK_REQUIRE(error->stream <= MPAK_STREAM_POSED_NORMAL, MPAK_KIND_ERRS, "ERRS: unknown stream", i);
    PACK_REQUIRE(part_float_is_size(error->largest) && part_float_is_size(error->rms), MPAK_KIND_ERRS,
                 "ERRS: an error is negative or not finite", i);
  }
  return MPAK_OK;
}

mpak_result pack_verify_parts(const mpak_pack *pack, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_PART;
  part_ends ends = {0, 0, 0, 0};
  for (uint32_t i = 0; i < pack->part_count; i++) {
    LAYOUT_TRY(part_verify_counts(pack, i, fault));
    LAYOUT_TRY(part_verify_ranges(pack, i, &ends, fault));
    LAYOUT_TRY(part_verify_sections(pack, i, &ends.bone, fault));
    LAYOUT_TRY(part_verify_payload(pack, i, fault));
    LAYOUT_TRY(part_verify_shapes(pack, i, &ends, fault));
  }
  PACK_REQUIRE(ends.shape == pack->shape_count, kind, "PART: shapes that belong to no part", pack->part_count);
  PACK_REQUIRE(ends.rule == pack->rule_count, MPAK_KIND_RULE, "RULE: rules that no shape names", ends.rule);
  PACK_REQUIRE(ends.section == pack->section_count, kind, "PART: sections that belong to no part", pack->part_count);
  PACK_REQUIRE(ends.bone == pack->bone_count, MPAK_KIND_SECT, "SECT: bones that belong to no section",
               pack->section_count);
  return parts_verify_errors(pack, fault);
}
