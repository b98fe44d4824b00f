// mt_rules_scene.c: rules of STRS, NODE, INST, IWGT, SKIN, JONT, MATL and META.
#include "tests/support/mt_rules.h"

#include <stdlib.h>
#include <string.h>

// -- Changes ---------------------------------------------------------------------------------------------------------

static void strings_remove(mt_pack *pack) { mt_pack_remove(pack, 0); }
static void strings_no_end(mt_pack *pack) { pack->chunks[0].bytes[pack->chunks[0].entry.count - 1] = 'x'; }
static void strings_no_start(mt_pack *pack) { pack->chunks[0].bytes[0] = 'x'; }

/// A string of 65,536 bytes that nobody uses.
static void strings_too_long(mt_pack *pack) {
  char *text = malloc(65537);
  memset(text, 'n', 65536);
  text[65536] = 0;
  mt_pack_string(pack, text);
  free(text);
}

static void strings_bad_byte(mt_pack *pack) { mt_pack_string(pack, "a\x80"); }
static void strings_overlong(mt_pack *pack) { mt_pack_string(pack, "\xC0\xAF"); }
static void strings_surrogate(mt_pack *pack) { mt_pack_string(pack, "\xED\xA0\x80"); }
static void strings_too_high(mt_pack *pack) { mt_pack_string(pack, "\xF4\x90\x80\x80"); }
static void strings_cut_sequence(mt_pack *pack) { mt_pack_string(pack, "\xE3\x81"); }
static void strings_five_bytes(mt_pack *pack) { mt_pack_string(pack, "\xF8\x88\x80\x80\x80"); }

/// Appends copies of node 0, each under the one before when is_chain.
static void nodes_append(mt_pack *pack, uint32_t count, bool is_chain) {
  mt_chunk *chunk = mt_pack_find(pack, MPAK_KIND_NODE);
  uint32_t first = chunk->entry.count;
  mt_pack_resize(pack, MPAK_KIND_NODE, first + count);
  mpak_node *nodes = (mpak_node *)chunk->bytes;
  for (uint32_t i = first; i < first + count; i++) {
    nodes[i] = nodes[0];
    if (is_chain) nodes[i].parent = i == first ? 0 : i - 1;
  }
}

static void nodes_too_many(mt_pack *pack) { nodes_append(pack, 65536 - 5, false); }
static void nodes_too_deep(mt_pack *pack) { nodes_append(pack, 1024, true); }

/// The last joint of the skin goes: bone maps still use it.
static void skin_lacks_joint(mt_pack *pack) {
  mt_pack_resize(pack, MPAK_KIND_JONT, 2);
  mt_pack_patch_u32(pack, MPAK_KIND_SKIN, 0, offsetof(mpak_skin, joint_count), 2);
}

static void joints_left_over(mt_pack *pack) { mt_pack_resize(pack, MPAK_KIND_JONT, 4); }

#define BLK         MT_RULES_BLK64
#define REST(index) (uint32_t)(offsetof(mpak_node, rest) + 4 * (index))

static const mt_rule_case scene_cases[] = {
    MT_CHANGE("STRS: there is none", BLK, strings_remove),
    MT_CHANGE("STRS: it does not start with the empty string", BLK, strings_no_start),
    MT_CHANGE("STRS: it does not end in a zero byte", BLK, strings_no_end),
    MT_CHANGE("STRS: a string is longer than 65,535 bytes", BLK, strings_too_long),
    MT_CHANGE("STRS: not UTF-8", BLK, strings_bad_byte),
    MT_CHANGE("STRS: not UTF-8", BLK, strings_overlong),
    MT_CHANGE("STRS: not UTF-8", BLK, strings_surrogate),
    MT_CHANGE("STRS: not UTF-8", BLK, strings_too_high),
    MT_CHANGE("STRS: not UTF-8", BLK, strings_cut_sequence),
    MT_CHANGE("STRS: not UTF-8", BLK, strings_five_bytes),
    MT_CHANGE("NODE: too many nodes", BLK, nodes_too_many),
    MT_CHANGE("NODE: the tree is deeper than 1,024", BLK, nodes_too_deep),
    MT_RECORD("NODE: name is no string", BLK, MPAK_KIND_NODE, 1, mpak_node, name, 2),
    MT_RECORD("NODE: name is no string", BLK, MPAK_KIND_NODE, 1, mpak_node, name, 1 << 20),
    MT_RECORD("NODE: key is no string, or empty", BLK, MPAK_KIND_NODE, 1, mpak_node, key, 3),
    MT_RECORD("NODE: key is no string, or empty", BLK, MPAK_KIND_NODE, 1, mpak_node, key, 0),
    MT_RECORD("NODE: parent is not below its child", BLK, MPAK_KIND_NODE, 2, mpak_node, parent, 2),
    MT_RECORD("NODE: parent is not below its child", BLK, MPAK_KIND_NODE, 2, mpak_node, parent, 3),
    MT_RECORD("NODE: unknown flag", BLK, MPAK_KIND_NODE, 0, mpak_node, flags, 2),
    MT_RECORD("NODE: reserved is not zero", BLK, MPAK_KIND_NODE, 0, mpak_node, zero, 1),
    MT_WORD("NODE: rest is no transform", BLK, MPAK_KIND_NODE, 0, REST(0), MT_NAN),
    MT_WORD("NODE: rest is no transform", BLK, MPAK_KIND_NODE, 4, REST(11), MT_INFINITY),
    MT_WORD("NODE: rest is no transform", BLK, MPAK_KIND_NODE, 0, REST(6), 0),
    MT_WORD("NODE: rest is no transform", BLK, MPAK_KIND_NODE, 0, REST(10), 0x80000000u),
    MT_RECORD("INST: node is past the nodes", BLK, MPAK_KIND_INST, 1, mpak_instance, node, 5),
    MT_RECORD("INST: instances do not ascend by node", BLK, MPAK_KIND_INST, 1, mpak_instance, node, 1),
    MT_RECORD("INST: mesh is past the meshes", BLK, MPAK_KIND_INST, 1, mpak_instance, mesh, 2),
    MT_RECORD("INST: skin is past the skins", BLK, MPAK_KIND_INST, 0, mpak_instance, skin, 1),
    MT_RECORD("INST: weights end past IWGT", BLK, MPAK_KIND_INST, 0, mpak_instance, first_weight, 1),
    MT_RECORD("INST: weights end past IWGT", BLK, MPAK_KIND_INST, 0, mpak_instance, first_weight, MPAK_NONE - 1),
    MT_CHANGE("INST: the skin lacks joints of the mesh's bone maps", BLK, skin_lacks_joint),
    MT_WORD("IWGT: a weight is not finite", BLK, MPAK_KIND_IWGT, 2, 0, MT_NAN),
    MT_RECORD("SKIN: name is no string", BLK, MPAK_KIND_SKIN, 0, mpak_skin, name, 2),
    MT_RECORD("SKIN: key is no string, or empty", BLK, MPAK_KIND_SKIN, 0, mpak_skin, key, 0),
    MT_RECORD("SKIN: reserved is not zero", BLK, MPAK_KIND_SKIN, 0, mpak_skin, zero, 1),
    MT_RECORD("SKIN: no joint, or too many", BLK, MPAK_KIND_SKIN, 0, mpak_skin, joint_count, 0),
    MT_RECORD("SKIN: no joint, or too many", BLK, MPAK_KIND_SKIN, 0, mpak_skin, joint_count, 65536),
    MT_RECORD("SKIN: skins do not tile the joints", BLK, MPAK_KIND_SKIN, 0, mpak_skin, first_joint, 1),
    MT_RECORD("SKIN: joints end past JONT", BLK, MPAK_KIND_SKIN, 0, mpak_skin, joint_count, 4),
    MT_CHANGE("SKIN: joints that belong to no skin", BLK, joints_left_over),
    MT_RECORD("JONT: node is past the nodes", BLK, MPAK_KIND_JONT, 2, mpak_joint, node, 5),
    MT_RECORD("JONT: inverse bind is not finite", BLK, MPAK_KIND_JONT, 2, mpak_joint, inverse_bind[11], MT_INFINITY),
    MT_RECORD("MATL: name is no string", BLK, MPAK_KIND_MATL, 0, mpak_material, name, 2),
    MT_RECORD("MATL: key is no string, or empty", BLK, MPAK_KIND_MATL, 0, mpak_material, key, 0),
    MT_RECORD("MATL: unknown alpha mode", BLK, MPAK_KIND_MATL, 0, mpak_material, alpha_mode, 3),
    MT_RECORD("MATL: unknown flag", BLK, MPAK_KIND_MATL, 0, mpak_material, flags, 2),
    MT_RECORD("MATL: a number is not finite", BLK, MPAK_KIND_MATL, 0, mpak_material, alpha_cutoff, MT_NAN),
    MT_RECORD("MATL: a number is not finite", BLK, MPAK_KIND_MATL, 0, mpak_material, base_colour[3], MT_NAN),
    MT_RECORD("MATL: a texture is no string", BLK, MPAK_KIND_MATL, 1, mpak_material, base_texture, 2),
    MT_RECORD("MATL: a texture is no string", BLK, MPAK_KIND_MATL, 1, mpak_material, emissive_texture, 1 << 30),
    MT_RECORD("META: key is no string, or empty", BLK, MPAK_KIND_META, 0, mpak_meta, key, 0),
    MT_RECORD("META: value is no string", BLK, MPAK_KIND_META, 0, mpak_meta, value, 2),
};

mt_rule_list mt_rules_scene(void) { return (mt_rule_list){scene_cases, sizeof scene_cases / sizeof scene_cases[0]}; }
