// verify_mesh.c: MESH, CTRL, LODS and RBON.
#include "runtime/pack/pack_internal.h"

// -- MESH ------------------------------------------------------------------------------------------------------------

/// Ends of the ranges that meshes have taken so far of the tables below them.
typedef struct mesh_ends {
  uint64_t part, control, lod;
} mesh_ends;

static mpak_result mesh_verify_ranges(const mpak_pack *pack, uint32_t i, mesh_ends *ends, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_MESH;
  const mpak_mesh *mesh = &pack->meshes[i];
  PACK_REQUIRE(mesh->first_part == ends->part, kind, "MESH: meshes do not tile the parts", i);
  PACK_REQUIRE(mesh->first_control == ends->control, kind, "MESH: meshes do not tile the controls", i);
  PACK_REQUIRE(mesh->first_lod == ends->lod, kind, "MESH: meshes do not tile the LODs", i);
  PACK_REQUIRE(mesh->control_count <= MPAK_MAX_TARGETS, kind, "MESH: too many controls", i);
  ends->part += mesh->part_count;
  ends->control += mesh->control_count;
  ends->lod += mesh->lod_count;
  PACK_REQUIRE(ends->part <= pack->part_count, kind, "MESH: parts end past PART", i);
  PACK_REQUIRE(ends->control <= pack->control_count, kind, "MESH: controls end past CTRL", i);
  PACK_REQUIRE(ends->lod <= pack->lod_count, kind, "MESH: LODs end past LODS", i);
  return MPAK_OK;
}

/// Parts of a mesh are its own, and ascend by LOD, then primitive.
static mpak_result mesh_verify_part_order(const mpak_pack *pack, uint32_t number, mpak_fault *fault) {
  const mpak_mesh *mesh = &pack->meshes[number];
  uint64_t last = 0;
  for (uint32_t i = 0; i < mesh->part_count; i++) {
    const mpak_part *part = &pack->parts[mesh->first_part + i];
    uint64_t order = (uint64_t)part->lod << 32 | part->source_primitive;
    PACK_REQUIRE(part->mesh == number, MPAK_KIND_PART, "PART: mesh is not the one that lists it", mesh->first_part + i);
    PACK_REQUIRE(i == 0 || order > last, MPAK_KIND_PART, "PART: parts do not ascend by LOD and primitive",
                 mesh->first_part + i);
    PACK_REQUIRE(part->lod < (mesh->lod_count ? mesh->lod_count : 1), MPAK_KIND_PART,
                 "PART: lod is past the mesh's LODs", mesh->first_part + i);
    last = order;
  }
  return MPAK_OK;
}

/// A mesh without parts stands for its controls alone.
static bool mesh_is_bare(const mpak_mesh *mesh) {
  uint32_t bits = mesh->lod_count;
  for (int axis = 0; axis < 3; axis++)
    bits |= bytes_bits_of_float(mesh->bounds_min[axis]) | bytes_bits_of_float(mesh->bounds_max[axis]);
  return bits == 0;
}

static mpak_result mesh_verify_records(const mpak_pack *pack, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_MESH;
  mesh_ends ends = {0, 0, 0};
  for (uint32_t i = 0; i < pack->mesh_count; i++) {
    const mpak_mesh *mesh = &pack->meshes[i];
    PACK_REQUIRE(pack_is_string(pack, mesh->name), kind, "MESH: name is no string", i);
    PACK_REQUIRE(pack_is_key(pack, mesh->key), kind, "MESH: key is no string, or empty", i);
    PACK_REQUIRE(mesh->zero == 0, kind, "MESH: reserved is not zero", i);
    PACK_REQUIRE(pack_is_box(mesh->bounds_min, mesh->bounds_max), kind, "MESH: bounds are no box", i);
    LAYOUT_TRY(mesh_verify_ranges(pack, i, &ends, fault));
    LAYOUT_TRY(mesh_verify_part_order(pack, i, fault));
  }
  PACK_REQUIRE(ends.part == pack->part_count, kind, "MESH: parts that belong to no mesh", pack->mesh_count);
  PACK_REQUIRE(ends.control == pack->control_count, kind, "MESH: controls that belong to no mesh", pack->mesh_count);
  PACK_REQUIRE(ends.lod == pack->lod_count, kind, "MESH: LODs that belong to no mesh", pack->mesh_count);
  for (uint32_t i = 0; i < pack->mesh_count; i++)
    PACK_REQUIRE(pack->meshes[i].part_count != 0 || mesh_is_bare(&pack->meshes[i]), kind,
                 "MESH: no part, but bounds or LODs", i);
  return MPAK_OK;
}

// -- CTRL ------------------------------------------------------------------------------------------------------------

static bool control_range_is_sound(const mpak_control *control) {
  return bytes_float_is_finite(control->range_min) && bytes_float_is_finite(control->range_max) &&
         control->range_min <= control->default_weight && control->default_weight <= control->range_max;
}

static mpak_result mesh_verify_controls(const mpak_pack *pack, uint32_t number, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_CTRL;
  const mpak_mesh *mesh = &pack->meshes[number];
  for (uint32_t i = mesh->first_control; i < mesh->first_control + mesh->control_count; i++) {
    const mpak_control *control = &pack->controls[i];
    PACK_REQUIRE(control->mesh == number, kind, "CTRL: mesh is not the one that lists it", i);
    PACK_REQUIRE(pack_is_string(pack, control->name), kind, "CTRL: name is no string", i);
    PACK_REQUIRE(pack_is_key(pack, control->key), kind, "CTRL: key is no string, or empty", i);
    PACK_REQUIRE(control_range_is_sound(control), kind, "CTRL: default weight is outside the range", i);
    PACK_REQUIRE(control->zero == 0, kind, "CTRL: reserved is not zero", i);
  }
  return MPAK_OK;
}

// -- LODS, RBON ------------------------------------------------------------------------------------------------------

/// Is node in ascending[0 … count)?
static bool lod_has_node(const uint32_t *ascending, uint32_t count, uint32_t node) {
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (ascending[middle] < node)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && ascending[low] == node;
}

/// RequiredBones ascend, and with a node its parent is there.
static mpak_result lod_verify_required(const mpak_pack *pack, const mpak_lod *lod, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_RBON;
  if (lod->required_count == 0) return MPAK_OK;
  const uint32_t *nodes = pack->required_bones + lod->first_required;
  for (uint32_t i = 0; i < lod->required_count; i++) {
    PACK_REQUIRE(nodes[i] < pack->node_count, kind, "RBON: node is past the nodes", lod->first_required + i);
    PACK_REQUIRE(i == 0 || nodes[i] > nodes[i - 1], kind, "RBON: nodes do not ascend", lod->first_required + i);
    uint32_t parent = pack->nodes[nodes[i]].parent;
    PACK_REQUIRE(parent == MPAK_NONE || lod_has_node(nodes, i, parent), kind, "RBON: a parent is missing",
                 lod->first_required + i);
  }
  return MPAK_OK;
}

static mpak_result mesh_verify_lods(const mpak_pack *pack, uint32_t number, uint64_t *required_end, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_LODS;
  const mpak_mesh *mesh = &pack->meshes[number];
  for (uint32_t i = 0; i < mesh->lod_count; i++) {
    uint32_t item = mesh->first_lod + i;
    const mpak_lod *lod = &pack->lods[item];
    PACK_REQUIRE(lod->mesh == number, kind, "LODS: mesh is not the one that lists it", item);
    PACK_REQUIRE(lod->level == i, kind, "LODS: levels do not count from 0", item);
    PACK_REQUIRE(bytes_float_is_finite(lod->screen_size) && lod->screen_size >= 0, kind,
                 "LODS: screen size is negative or not finite", item);
    PACK_REQUIRE(bytes_float_is_finite(lod->error_m) && lod->error_m >= 0, kind,
                 "LODS: error is negative or not finite", item);
    PACK_REQUIRE(lod->first_required == *required_end, kind, "LODS: LODs do not tile the required bones", item);
    *required_end += lod->required_count;
    PACK_REQUIRE(*required_end <= pack->required_bone_count, kind, "LODS: required bones end past RBON", item);
    LAYOUT_TRY(lod_verify_required(pack, lod, fault));
  }
  return MPAK_OK;
}

mpak_result pack_verify_meshes(const mpak_pack *pack, mpak_fault *fault) {
  uint64_t required_end = 0;
  LAYOUT_TRY(mesh_verify_records(pack, fault));
  for (uint32_t i = 0; i < pack->mesh_count; i++) {
    LAYOUT_TRY(mesh_verify_controls(pack, i, fault));
    LAYOUT_TRY(mesh_verify_lods(pack, i, &required_end, fault));
  }
  PACK_REQUIRE(required_end == pack->required_bone_count, MPAK_KIND_LODS, "LODS: required bones that belong to no LOD",
               pack->lod_count);
  return MPAK_OK;
}
