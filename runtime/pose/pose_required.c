/// pose_required.c: the nodes that a character's shown levels of detail need posed: RequiredBones of all that is drawn.
#include "runtime/pose/pose_private.h"

static void required_mark(const mpak_pack *pack, uint32_t mesh, uint32_t lod, uint32_t *marks) {
  if (pack->meshes[mesh].lod_count == 0) return; // draws nothing
  const mpak_lod *level = &pack->lods[pack->meshes[mesh].first_lod + mpak_shown_level(pack, mesh, lod)];
  for (uint32_t i = 0; i < level->required_count; ++i) marks[pack->required_bones[level->first_required + i]] = 1;
}

uint32_t pose_find_required(const mpak_pack *pack, uint32_t lod, uint32_t *nodes) {
  uint32_t count = 0;
  for (uint32_t n = 0; n < pack->node_count; ++n) nodes[n] = 0;
  for (uint32_t i = 0; i < pack->instance_count; ++i) required_mark(pack, pack->instances[i].mesh, lod, nodes);
  for (uint32_t n = 0; n < pack->node_count; ++n)
    if (nodes[n] != 0) nodes[count++] = n; // count <= n: a mark is read before a number takes its place
  return count;
}
