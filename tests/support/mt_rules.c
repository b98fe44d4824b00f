// mt_rules.c: how a case of mt_rules.h becomes a file.
#include "tests/support/mt_rules.h"

#include <string.h>

void mt_rules_base_pack(mt_rules_base base, mt_pack *pack) {
  mt_character character = {
      .is_skinned = true, .has_clips = true, .has_source_map = true, .has_rules = true, .has_colours = true};
  character.layout = base == MT_RULES_CSR64 ? MT_CSR64 : MT_BLK64;
  character.is_compressed = base != MT_RULES_CSR64;
  character.vertex_count = base == MT_RULES_CSR64 ? 9 : 75;
  character.payload = base == MT_RULES_P12 ? MPAK_PAYLOAD_P12 : MPAK_PAYLOAD_P36;
  mt_pack_character(pack, &character);
}

mt_rule_list mt_rules_list_at(uint32_t i) {
  mt_rule_list (*const lists[MT_RULES_LIST_COUNT])(void) = {
      mt_rules_header, mt_rules_chunks, mt_rules_scene, mt_rules_meshes,    mt_rules_parts,
      mt_rules_clips,  mt_rules_blocks, mt_rules_data,  mt_rules_quantised, mt_rules_wrapped};
  return lists[i]();
}

/// The number is a member of the header or of a line of the chunk table.
static void mt_rule_patch_file(const mt_rule_case *rule_case, uint32_t chunk, mt_image *image) {
  mpak_header header;
  memcpy(&header, image->bytes, sizeof header);
  uint8_t *at = rule_case->is_entry ? image->bytes + header.table_offset + 80 * (size_t)chunk : image->bytes;
  memcpy(at + rule_case->offset, &rule_case->value, rule_case->byte_count);
}

mt_image mt_rule_make(const mt_rule_case *rule_case) {
  mt_pack pack;
  mt_rules_base_pack(rule_case->base, &pack);
  bool is_file = rule_case->is_entry || rule_case->kind == MT_RULES_HEADER;
  if (rule_case->kind && !is_file)
    mt_pack_patch(&pack, rule_case->kind, rule_case->record, rule_case->offset, &rule_case->value,
                  rule_case->byte_count);
  if (rule_case->change) rule_case->change(&pack);
  mt_image image = mt_pack_write(&pack);
  if (is_file) mt_rule_patch_file(rule_case, mt_pack_find_number(&pack, rule_case->kind), &image);
  if (rule_case->spoil) rule_case->spoil(&image);
  if (!rule_case->keep_hashes) mt_image_rehash(&image);
  mt_pack_free(&pack);
  return image;
}
