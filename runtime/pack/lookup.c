// lookup.c: numbers by key. Plain scans: a game looks up once and keeps the number.
#include "runtime/pack/pack_internal.h"

/// The first of count records whose key is asked for. at: the first record's key member; stride: bytes of a record.
static uint32_t lookup_find(const mpak_pack *pack, const void *at, uint32_t stride, uint32_t count, const char *key) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t offset = bytes_load_u32((const uint8_t *)at + (size_t)i * stride);
    if (strcmp(mpak_string(pack, offset), key) == 0) return i;
  }
  return MPAK_NONE;
}

uint32_t mpak_find_node(const mpak_pack *pack, const char *key) {
  return pack->node_count ? lookup_find(pack, &pack->nodes->key, sizeof(mpak_node), pack->node_count, key) : MPAK_NONE;
}

uint32_t mpak_find_mesh(const mpak_pack *pack, const char *key) {
  return pack->mesh_count ? lookup_find(pack, &pack->meshes->key, sizeof(mpak_mesh), pack->mesh_count, key) : MPAK_NONE;
}

uint32_t mpak_find_skin(const mpak_pack *pack, const char *key) {
  return pack->skin_count ? lookup_find(pack, &pack->skins->key, sizeof(mpak_skin), pack->skin_count, key) : MPAK_NONE;
}

uint32_t mpak_find_clip(const mpak_pack *pack, const char *key) {
  return pack->clip_count ? lookup_find(pack, &pack->clips->key, sizeof(mpak_clip), pack->clip_count, key) : MPAK_NONE;
}

uint32_t mpak_find_control(const mpak_pack *pack, uint32_t mesh, const char *key) {
  if (mesh >= pack->mesh_count || pack->meshes[mesh].control_count == 0) return MPAK_NONE;
  const mpak_control *first = pack->controls + pack->meshes[mesh].first_control;
  return lookup_find(pack, &first->key, sizeof *first, pack->meshes[mesh].control_count, key);
}

uint32_t mpak_find_instance(const mpak_pack *pack, uint32_t node) {
  uint32_t low = 0, high = pack->instance_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (pack->instances[middle].node < node)
      low = middle + 1;
    else
      high = middle;
  }
  return low < pack->instance_count && pack->instances[low].node == node ? low : MPAK_NONE;
}

uint32_t mpak_max_bones_per_section(const mpak_pack *pack, uint32_t min_lod) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < pack->section_count; i++) {
    const mpak_section *section = &pack->sections[i];
    if (pack->parts[section->part].lod >= min_lod && section->bone_count > most) most = section->bone_count;
  }
  return most;
}
