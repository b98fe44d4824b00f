// verify_scene.c: STRS, NODE, SKIN, JONT, MATL and META, and the helpers of all verify files.
#include "runtime/pack/pack_internal.h"

// -- Helpers ---------------------------------------------------------------------------------------------------------

/// Two floats at once: the top bit of a half of the sum is set exactly if that float's exponent is all ones.
#define FLOATS_EXPONENTS UINT64_C(0x7F8000007F800000)
#define FLOATS_CARRY     UINT64_C(0x0080000000800000)
#define FLOATS_WILD      UINT64_C(0x8000000080000000)

bool pack_floats_are_finite(const float *floats, uint64_t count) {
  uint64_t i = 0, sums[4] = {0, 0, 0, 0};
  for (; i + 8 <= count; i += 8)
    for (int k = 0; k < 4; k++) sums[k] |= (bytes_load_u64(floats + i + 2 * k) & FLOATS_EXPONENTS) + FLOATS_CARRY;
  uint32_t wild = ((sums[0] | sums[1] | sums[2] | sums[3]) & FLOATS_WILD) != 0;
  for (; i < count; i++) wild |= !bytes_float_is_finite(floats[i]);
  return wild == 0;
}

bool pack_is_box(const float min[3], const float max[3]) {
  return pack_floats_are_finite(min, 3) && pack_floats_are_finite(max, 3) && min[0] <= max[0] && min[1] <= max[1] &&
         min[2] <= max[2];
}

bool pack_is_rotation(const float quaternion[4]) {
  double square = 0;
  for (int i = 0; i < 4; i++) square += (double)quaternion[i] * quaternion[i];
  return pack_floats_are_finite(quaternion, 4) && square >= 0x1p-40 && square <= 0x1p40;
}

// -- STRS ------------------------------------------------------------------------------------------------------------

/// Bytes of the UTF-8 sequence at `at`, or 0 when it is none. A zero byte follows the last string, and no sequence
/// goes over a zero byte, so reading on until a byte does not fit stays inside.
static uint32_t strings_sequence_bytes(const uint8_t *at) {
  static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (at[0] < 0x80) return 1;
  uint32_t length = at[0] < 0xC0 ? 0 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : at[0] < 0xF8 ? 4 : 0;
  if (length == 0) return 0;
  uint32_t code = at[0] & (0xFFu >> (length + 1));
  for (uint32_t i = 1; i < length; i++) {
    if ((at[i] & 0xC0) != 0x80) return 0;
    code = code << 6 | (at[i] & 0x3F);
  }
  bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code >= smallest[length] && code <= 0x10FFFF && !is_surrogate ? length : 0;
}

mpak_result pack_verify_strings(const mpak_pack *pack, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_STRS;
  const uint8_t *bytes = (const uint8_t *)pack->strings;
  PACK_REQUIRE(bytes, kind, "STRS: there is none", 0);
  PACK_REQUIRE(bytes[0] == 0, kind, "STRS: it does not start with the empty string", 0);
  PACK_REQUIRE(bytes[pack->string_bytes - 1] == 0, kind, "STRS: it does not end in a zero byte",
               pack->string_bytes - 1);
  uint32_t start = 0;
  for (uint32_t i = 0; i < pack->string_bytes;) {
    uint32_t length = strings_sequence_bytes(bytes + i);
    PACK_REQUIRE(length > 0, kind, "STRS: not UTF-8", i);
    if (bytes[i] == 0) {
      PACK_REQUIRE(i - start <= MPAK_MAX_NAME_BYTES, kind, "STRS: a string is longer than 65,535 bytes", start);
      start = i + 1;
    }
    i += length;
  }
  return MPAK_OK;
}

// -- NODE ------------------------------------------------------------------------------------------------------------

/// Is the way from a node to its root at most MPAK_MAX_DEPTH nodes long? Parents are known to be below their children.
static bool node_depth_fits(const mpak_node *nodes, uint32_t node) {
  uint32_t depth = 1;
  for (; nodes[node].parent != MPAK_NONE && depth <= MPAK_MAX_DEPTH; depth++) node = nodes[node].parent;
  return depth <= MPAK_MAX_DEPTH;
}

static bool node_rest_is_sound(const mpak_node *node) {
  if (!pack_floats_are_finite(node->rest, 12)) return false;
  if (node->flags & MPAK_NODE_MATRIX) return true;
  return pack_is_rotation(node->rest + 3) && bytes_bits_of_float(node->rest[10]) == 0 &&
         bytes_bits_of_float(node->rest[11]) == 0;
}

static mpak_result scene_verify_nodes(const mpak_pack *pack, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_NODE;
  PACK_REQUIRE(pack->node_count <= MPAK_MAX_NODES, kind, "NODE: too many nodes", MPAK_MAX_NODES);
  for (uint32_t i = 0; i < pack->node_count; i++) {
    const mpak_node *node = &pack->nodes[i];
    PACK_REQUIRE(pack_is_string(pack, node->name), kind, "NODE: name is no string", i);
    PACK_REQUIRE(pack_is_key(pack, node->key), kind, "NODE: key is no string, or empty", i);
    PACK_REQUIRE(pack_is_index_or_none(node->parent, i), kind, "NODE: parent is not below its child", i);
    PACK_REQUIRE((node->flags & ~(uint32_t)MPAK_NODE_MATRIX) == 0, kind, "NODE: unknown flag", i);
    PACK_REQUIRE(node->zero == 0, kind, "NODE: reserved is not zero", i);
    PACK_REQUIRE(node_rest_is_sound(node), kind, "NODE: rest is no transform", i);
    PACK_REQUIRE(node_depth_fits(pack->nodes, i), kind, "NODE: the tree is deeper than 1,024", i);
  }
  return MPAK_OK;
}

// -- SKIN, JONT ------------------------------------------------------------------------------------------------------

static mpak_result scene_verify_skins(const mpak_pack *pack, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_SKIN;
  uint64_t end = 0;
  for (uint32_t i = 0; i < pack->skin_count; i++) {
    const mpak_skin *skin = &pack->skins[i];
    PACK_REQUIRE(pack_is_string(pack, skin->name), kind, "SKIN: name is no string", i);
    PACK_REQUIRE(pack_is_key(pack, skin->key), kind, "SKIN: key is no string, or empty", i);
    PACK_REQUIRE(skin->zero == 0, kind, "SKIN: reserved is not zero", i);
    PACK_REQUIRE(skin->joint_count >= 1 && skin->joint_count <= MPAK_MAX_JOINTS, kind, "SKIN: no joint, or too many",
                 i);
    PACK_REQUIRE(skin->first_joint == end, kind, "SKIN: skins do not tile the joints", i);
    end += skin->joint_count;
    PACK_REQUIRE(end <= pack->joint_count, kind, "SKIN: joints end past JONT", i);
  }
  PACK_REQUIRE(end == pack->joint_count, kind, "SKIN: joints that belong to no skin", pack->skin_count);
  return MPAK_OK;
}

static mpak_result scene_verify_joints(const mpak_pack *pack, mpak_fault *fault) {
  for (uint32_t i = 0; i < pack->joint_count; i++) {
    const mpak_joint *joint = &pack->joints[i];
    PACK_REQUIRE(joint->node < pack->node_count, MPAK_KIND_JONT, "JONT: node is past the nodes", i);
    PACK_REQUIRE(pack_floats_are_finite(joint->inverse_bind, 12), MPAK_KIND_JONT, "JONT: inverse bind is not finite",
                 i);
  }
  return MPAK_OK;
}

// -- MATL, META ------------------------------------------------------------------------------------------------------

static bool material_has_texts(const mpak_pack *pack, const mpak_material *material) {
  return pack_is_string(pack, material->base_texture) && pack_is_string(pack, material->normal_texture) &&
         pack_is_string(pack, material->metal_rough_texture) && pack_is_string(pack, material->occlusion_texture) &&
         pack_is_string(pack, material->emissive_texture);
}

static mpak_result scene_verify_materials(const mpak_pack *pack, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_MATL;
  for (uint32_t i = 0; i < pack->material_count; i++) {
    const mpak_material *material = &pack->materials[i];
    PACK_REQUIRE(pack_is_string(pack, material->name), kind, "MATL: name is no string", i);
    PACK_REQUIRE(pack_is_key(pack, material->key), kind, "MATL: key is no string, or empty", i);
    PACK_REQUIRE(material->alpha_mode <= MPAK_ALPHA_BLEND, kind, "MATL: unknown alpha mode", i);
    PACK_REQUIRE((material->flags & ~(uint32_t)MPAK_MATERIAL_DOUBLE_SIDED) == 0, kind, "MATL: unknown flag", i);
    PACK_REQUIRE(bytes_float_is_finite(material->alpha_cutoff) && pack_floats_are_finite(material->base_colour, 4),
                 kind, "MATL: a number is not finite", i);
    PACK_REQUIRE(material_has_texts(pack, material), kind, "MATL: a texture is no string", i);
  }
  return MPAK_OK;
}

static mpak_result scene_verify_metas(const mpak_pack *pack, mpak_fault *fault) {
  for (uint32_t i = 0; i < pack->meta_count; i++) {
    PACK_REQUIRE(pack_is_key(pack, pack->metas[i].key), MPAK_KIND_META, "META: key is no string, or empty", i);
    PACK_REQUIRE(pack_is_string(pack, pack->metas[i].value), MPAK_KIND_META, "META: value is no string", i);
  }
  return MPAK_OK;
}

mpak_result pack_verify_scene(const mpak_pack *pack, mpak_fault *fault) {
  LAYOUT_TRY(scene_verify_nodes(pack, fault));
  LAYOUT_TRY(scene_verify_skins(pack, fault));
  LAYOUT_TRY(scene_verify_joints(pack, fault));
  LAYOUT_TRY(scene_verify_materials(pack, fault));
  return scene_verify_metas(pack, fault);
}
