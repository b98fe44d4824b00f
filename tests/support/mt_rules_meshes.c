// mt_rules_meshes.c: rules of MESH, CTRL, LODS, RBON, RULE, RPTS, SHAP, SECT and BMAP.
#include "tests/support/mt_rules.h"

static void controls_left_over(mt_pack *pack) {
  mt_pack_patch_u32(pack, MPAK_KIND_MESH, 0, offsetof(mpak_mesh, control_count), 2);
  mt_pack_patch_u32(pack, MPAK_KIND_MESH, 1, offsetof(mpak_mesh, first_control), 2);
}

static void lods_left_over(mt_pack *pack) { mt_pack_resize(pack, MPAK_KIND_LODS, 3); }
static void required_left_over(mt_pack *pack) { mt_pack_resize(pack, MPAK_KIND_RBON, 9); }
static void bones_left_over(mt_pack *pack) { mt_pack_resize(pack, MPAK_KIND_BMAP, 7); }

/// RequiredBones 0 1 2 3 become 0 1 3 4 without 2, the parent of 3.
static void required_lacks_parent(mt_pack *pack) {
  mt_pack_patch_u32(pack, MPAK_KIND_RBON, 2, 0, 3);
  mt_pack_patch_u32(pack, MPAK_KIND_RBON, 3, 0, 4);
}

/// One more triangle of part 0 than its sections have: the last section loses one.
static void section_triangle_short(mt_pack *pack) {
  mpak_section *section = (mpak_section *)mt_pack_find(pack, MPAK_KIND_SECT)->bytes + 1;
  section->index_count -= 3;
}

static void points_left_over(mt_pack *pack) { mt_pack_resize(pack, MPAK_KIND_RPTS, 6); }

/// Shape 0 names rule 1 before any shape has named rule 0.
static void shape_names_later_rule(mt_pack *pack) {
  mpak_shape *shape = (mpak_shape *)mt_pack_find(pack, MPAK_KIND_SHAP)->bytes;
  shape->control = 2;
  shape->rule = 1;
}

/// A third mesh without parts, controls or LODs, as clip packs have them; sound as it is.
static mpak_mesh *mesh_without_parts(mt_pack *pack) {
  mt_pack_resize(pack, MPAK_KIND_MESH, 3);
  mpak_mesh *meshes = (mpak_mesh *)mt_pack_find(pack, MPAK_KIND_MESH)->bytes;
  meshes[2] = (mpak_mesh){.name = meshes[1].name, .key = meshes[1].key};
  meshes[2].first_part = meshes[1].first_part + meshes[1].part_count;
  meshes[2].first_control = meshes[1].first_control + meshes[1].control_count;
  meshes[2].first_lod = meshes[1].first_lod + meshes[1].lod_count;
  return &meshes[2];
}

static void bare_mesh_has_bounds(mt_pack *pack) { mesh_without_parts(pack)->bounds_max[1] = 1; }
static void bare_mesh_has_negative_zero(mt_pack *pack) { mesh_without_parts(pack)->bounds_min[0] = -0.0f; }

static void bare_mesh_has_lod(mt_pack *pack) {
  mesh_without_parts(pack)->lod_count = 1;
  mt_pack_resize(pack, MPAK_KIND_LODS, 3);
  mpak_lod *lods = (mpak_lod *)mt_pack_find(pack, MPAK_KIND_LODS)->bytes;
  lods[2] = (mpak_lod){.mesh = 2, .first_required = lods[1].first_required + lods[1].required_count};
}

#define BLK MT_RULES_BLK64
#define MESH(text, record, member, value)                                                                              \
  MT_RECORD("MESH: " text, BLK, MPAK_KIND_MESH, record, mpak_mesh, member, value)
#define CTRL(text, record, member, value)                                                                              \
  MT_RECORD("CTRL: " text, BLK, MPAK_KIND_CTRL, record, mpak_control, member, value)
#define LODS(text, record, member, value) MT_RECORD("LODS: " text, BLK, MPAK_KIND_LODS, record, mpak_lod, member, value)
#define SHAP(text, record, member, value)                                                                              \
  MT_RECORD("SHAP: " text, BLK, MPAK_KIND_SHAP, record, mpak_shape, member, value)
#define RULE(text, record, member, value)                                                                              \
  MT_RECORD("RULE: " text, BLK, MPAK_KIND_RULE, record, mpak_rule, member, value)
#define RPTS(text, record, member, value)                                                                              \
  MT_RECORD("RPTS: " text, BLK, MPAK_KIND_RPTS, record, mpak_rule_point, member, value)
#define SECT(text, record, member, value)                                                                              \
  MT_RECORD("SECT: " text, BLK, MPAK_KIND_SECT, record, mpak_section, member, value)
#define BMAP(text, record, member, value)                                                                              \
  MT_RECORD("BMAP: " text, BLK, MPAK_KIND_BMAP, record, mpak_bone, member, value)

static const mt_rule_case mesh_cases[] = {
    MESH("name is no string", 0, name, 2),
    MESH("key is no string, or empty", 1, key, 0),
    MESH("reserved is not zero", 0, zero, 1),
    MESH("bounds are no box", 0, bounds_min[0], MT_TEN),
    MESH("bounds are no box", 0, bounds_max[2], MT_NAN),
    MESH("meshes do not tile the parts", 1, first_part, 1),
    MESH("meshes do not tile the controls", 1, first_control, 0),
    MESH("meshes do not tile the LODs", 1, first_lod, 0),
    MESH("too many controls", 0, control_count, 65536),
    MESH("parts end past PART", 1, part_count, 2),
    MESH("parts end past PART", 0, part_count, UINT32_MAX),
    MESH("controls end past CTRL", 1, control_count, 1),
    MESH("LODs end past LODS", 1, lod_count, UINT32_MAX),
    MESH("parts that belong to no mesh", 1, part_count, 0),
    MT_CHANGE("MESH: controls that belong to no mesh", BLK, controls_left_over),
    MT_CHANGE("MESH: LODs that belong to no mesh", BLK, lods_left_over),
    MT_CHANGE("MESH: no part, but bounds or LODs", BLK, bare_mesh_has_bounds),
    MT_CHANGE("MESH: no part, but bounds or LODs", BLK, bare_mesh_has_negative_zero),
    MT_CHANGE("MESH: no part, but bounds or LODs", BLK, bare_mesh_has_lod),
    CTRL("mesh is not the one that lists it", 0, mesh, 1),
    CTRL("name is no string", 0, name, 2),
    CTRL("key is no string, or empty", 0, key, 0),
    CTRL("default weight is outside the range", 0, default_weight, MT_TEN),
    CTRL("default weight is outside the range", 0, default_weight, MT_MINUS_1),
    CTRL("default weight is outside the range", 0, default_weight, MT_NAN),
    CTRL("default weight is outside the range", 0, range_max, MT_INFINITY),
    CTRL("default weight is outside the range", 0, range_min, MT_INFINITY | 0x80000000u),
    CTRL("reserved is not zero", 2, zero, 1),
    LODS("mesh is not the one that lists it", 0, mesh, 1),
    LODS("levels do not count from 0", 0, level, 1),
    LODS("screen size is negative or not finite", 0, screen_size, MT_MINUS_1),
    LODS("screen size is negative or not finite", 0, screen_size, MT_INFINITY),
    LODS("error is negative or not finite", 1, error_m, MT_NAN),
    LODS("LODs do not tile the required bones", 1, first_required, 3),
    LODS("required bones end past RBON", 1, required_count, 5),
    MT_CHANGE("LODS: required bones that belong to no LOD", BLK, required_left_over),
    MT_WORD("RBON: node is past the nodes", BLK, MPAK_KIND_RBON, 3, 0, 5),
    MT_WORD("RBON: nodes do not ascend", BLK, MPAK_KIND_RBON, 3, 0, 2),
    MT_CHANGE("RBON: a parent is missing", BLK, required_lacks_parent),
    SHAP("part is not the one that lists it", 0, part, 1),
    SHAP("control is not one of the mesh", 0, control, 3),
    RULE("control is past the controls", 0, control, 3),
    RULE("control is past the controls", 1, control, MPAK_NONE),
    {.rule = "RULE: this kind is of a later version",
     .result = MPAK_ERROR_FEATURE,
     .kind = MPAK_KIND_RULE,
     .offset = offsetof(mpak_rule, kind),
     .byte_count = 4,
     .value = 2},
    RULE("fewer than two points", 1, point_count, 1),
    RULE("fewer than two points", 0, point_count, 0),
    RULE("rules do not tile the points", 1, first_point, 2),
    RULE("rules do not tile the points", 0, first_point, 1),
    RULE("points end past RPTS", 1, point_count, 3),
    RULE("points end past RPTS", 0, point_count, UINT32_MAX),
    RPTS("a weight is not finite", 1, control_weight, MT_NAN),
    RPTS("a weight is not finite", 2, control_weight, MT_INFINITY),
    RPTS("a weight is not finite", 4, shape_weight, MT_INFINITY),
    RPTS("the control's weights do not ascend", 1, control_weight, 0),
    RPTS("the control's weights do not ascend", 1, control_weight, 0x80000000u),
    RPTS("the control's weights do not ascend", 1, control_weight, MT_TEN),
    MT_CHANGE("RPTS: points that belong to no rule", BLK, points_left_over),
    SHAP("rule is past the rules", 0, rule, 2),
    SHAP("its rule is of another control", 1, rule, 0),
    MT_CHANGE("SHAP: rules are not numbered as shapes first name them", BLK, shape_names_later_rule),
    SHAP("its rule is of another control", 0, control, 1),
    MT_RECORD("RULE: rules that no shape names", BLK, MPAK_KIND_SHAP, 2, mpak_shape, rule, MPAK_NONE),
    SHAP("more deltas than vertices", 0, delta_count, 76),
    SHAP("source_max_delta is negative or not finite", 0, source_max_delta, MT_MINUS_1),
    SHAP("its box is none, or does not hold zero", 0, delta_min[1], 0x3F000000u),
    SHAP("its box is none, or does not hold zero", 0, delta_max[1], 0xBF000000u),
    SHAP("its box is none, or does not hold zero", 0, delta_max[2], MT_NAN),
    SECT("part is not the one that lists it", 1, part, 1),
    SECT("material is past MATL", 1, material, 2),
    SECT("cloth is of a later version", 1, cloth, 0),
    SECT("sections do not tile the triangles", 1, first_index, 0),
    SECT("sections do not tile the triangles", 0, index_count, 1),
    SECT("sections do not tile the vertices", 1, first_vertex, 0),
    SECT("sections do not tile the vertices", 0, vertex_count, 0),
    SECT("sections do not end with the vertices", 1, vertex_count, 24),
    SECT("sections do not end with the vertices", 1, vertex_count, UINT32_MAX),
    MT_CHANGE("SECT: sections do not end with the triangles", BLK, section_triangle_short),
    SECT("max_influences does not fit the part", 0, max_influences, 5),
    SECT("max_influences does not fit the part", 0, max_influences, 0),
    SECT("max_influences does not fit the part", 3, max_influences, 1),
    SECT("bone_count does not fit the part", 0, bone_count, 0),
    SECT("bone_count does not fit the part", 3, bone_count, 1),
    SECT("bone_count does not fit the part", 0, bone_count, 65537),
    SECT("sections do not tile the bones", 1, first_bone, 1),
    SECT("bones end past BMAP", 2, bone_count, 2),
    MT_CHANGE("SECT: bones that belong to no section", BLK, bones_left_over),
    BMAP("joint is past every skin", 5, joint, 65535),
    BMAP("joints do not ascend", 1, joint, 0),
    BMAP("its box is none", 0, box_min[0], MT_TEN),
    BMAP("its box is none", 0, box_min[0], MT_NAN),
    BMAP("its box is none", 1, box_min[0], 0xC1200000u),
};

mt_rule_list mt_rules_meshes(void) { return (mt_rule_list){mesh_cases, sizeof mesh_cases / sizeof mesh_cases[0]}; }
