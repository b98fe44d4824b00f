// verify_clip.c: INST, IWGT, CLIP and TRAK. Nodes, skins, meshes, parts and bones are known to be sound.
#include "runtime/pack/pack_internal.h"

// -- INST ------------------------------------------------------------------------------------------------------------

static mpak_result instance_verify(const mpak_pack *pack, uint32_t i, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_INST;
  const mpak_instance *instance = &pack->instances[i];
  PACK_REQUIRE(instance->node < pack->node_count, kind, "INST: node is past the nodes", i);
  PACK_REQUIRE(i == 0 || instance->node > instance[-1].node, kind, "INST: instances do not ascend by node", i);
  PACK_REQUIRE(instance->mesh < pack->mesh_count, kind, "INST: mesh is past the meshes", i);
  PACK_REQUIRE(pack_is_index_or_none(instance->skin, pack->skin_count), kind, "INST: skin is past the skins", i);
  PACK_REQUIRE(instance->first_weight == MPAK_NONE ||
                   bytes_range_fits(instance->first_weight, pack->meshes[instance->mesh].control_count,
                                    pack->instance_weight_count),
               kind, "INST: weights end past IWGT", i);
  return MPAK_OK;
}

/// One more than the largest joint in the BoneMaps of a mesh.
static uint32_t mesh_joint_limit(const mpak_pack *pack, const mpak_mesh *mesh) {
  uint32_t limit = 0;
  for (uint32_t p = mesh->first_part; p < mesh->first_part + mesh->part_count; p++) {
    const mpak_part *part = &pack->parts[p];
    for (uint32_t s = part->first_section; s < part->first_section + part->section_count; s++) {
      const mpak_section *section = &pack->sections[s]; // joints ascend: the last is the largest
      if (section->bone_count == 0) continue;
      uint32_t joint = pack->bones[section->first_bone + section->bone_count - 1].joint;
      if (joint + 1 > limit) limit = joint + 1;
    }
  }
  return limit;
}

#define INSTANCE_BATCH 1024u

/// Every skin that draws a mesh has the joints of its BoneMaps. Meshes are taken 1,024 at a time, so that neither
/// memory nor meshes times instances are needed: there are at most 65,535 instances for each batch.
static mpak_result instances_verify_skins(const mpak_pack *pack, mpak_fault *fault) {
  uint32_t limits[INSTANCE_BATCH];
  for (uint32_t first = 0; first < pack->mesh_count; first += INSTANCE_BATCH) {
    uint32_t left = pack->mesh_count - first, count = left < INSTANCE_BATCH ? left : INSTANCE_BATCH;
    for (uint32_t i = 0; i < count; i++) limits[i] = mesh_joint_limit(pack, &pack->meshes[first + i]);
    for (uint32_t i = 0; i < pack->instance_count; i++) {
      const mpak_instance *instance = &pack->instances[i];
      if (instance->mesh < first || instance->mesh - first >= count || instance->skin == MPAK_NONE) continue;
      PACK_REQUIRE(limits[instance->mesh - first] <= pack->skins[instance->skin].joint_count, MPAK_KIND_INST,
                   "INST: the skin lacks joints of the mesh's bone maps", i);
    }
  }
  return MPAK_OK;
}

mpak_result pack_verify_instances(const mpak_pack *pack, mpak_fault *fault) {
  for (uint32_t i = 0; i < pack->instance_count; i++) LAYOUT_TRY(instance_verify(pack, i, fault));
  PACK_REQUIRE(pack_floats_are_finite(pack->instance_weights, pack->instance_weight_count), MPAK_KIND_IWGT,
               "IWGT: a weight is not finite", 0);
  return instances_verify_skins(pack, fault);
}

// -- CLIP, TRAK ------------------------------------------------------------------------------------------------------

/// Values per key that a track must have; 0 when the node draws nothing that weights could move.
static uint32_t track_width(const mpak_pack *pack, const mpak_track *track) {
  static const uint32_t widths[] = {3, 4, 3};
  if (track->path != MPAK_PATH_WEIGHTS) return widths[track->path];
  uint32_t instance = mpak_find_instance(pack, track->node);
  return instance == MPAK_NONE ? 0 : pack->meshes[pack->instances[instance].mesh].control_count;
}

static mpak_result track_verify_facts(const mpak_pack *pack, uint32_t i, uint32_t clip, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_TRAK;
  const mpak_track *track = &pack->tracks[i];
  PACK_REQUIRE(track->clip == clip, kind, "TRAK: clip is not the one that lists it", i);
  PACK_REQUIRE(track->node < pack->node_count, kind, "TRAK: node is past the nodes", i);
  PACK_REQUIRE(track->path <= MPAK_PATH_WEIGHTS, kind, "TRAK: unknown path", i);
  PACK_REQUIRE(track->interpolation <= MPAK_CUBICSPLINE, kind, "TRAK: unknown interpolation", i);
  PACK_REQUIRE(track->width > 0 && track->width == track_width(pack, track), kind, "TRAK: wrong width for its path", i);
  PACK_REQUIRE(track->key_count > 0, kind, "TRAK: it has no key", i);
  return MPAK_OK;
}

/// Keys: times anywhere in KEYT (tracks may share them); values tile KEYV, which makes reading all keys linear.
static mpak_result track_verify_keys(const mpak_pack *pack, uint32_t i, uint64_t *value_end, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_TRAK;
  const mpak_track *track = &pack->tracks[i];
  uint64_t times = pack->key_time_chunk == MPAK_NONE ? 0 : pack->chunks[pack->key_time_chunk].count;
  uint64_t values = pack->key_value_chunk == MPAK_NONE ? 0 : pack->chunks[pack->key_value_chunk].count;
  uint64_t floats = (uint64_t)track->key_count * track->width; // below 2^48: widths are at most 65,535
  if (track->interpolation == MPAK_CUBICSPLINE) floats *= 3;
  PACK_REQUIRE(bytes_range_fits(track->first_time, track->key_count, times), kind, "TRAK: times end past KEYT", i);
  PACK_REQUIRE(track->first_value == *value_end, kind, "TRAK: tracks do not tile the values", i);
  *value_end += floats;
  PACK_REQUIRE(*value_end <= values, kind, "TRAK: values end past KEYV", i);
  return MPAK_OK;
}

static bool track_is_after(const mpak_track *track, const mpak_track *previous) {
  return track->node > previous->node || (track->node == previous->node && track->path > previous->path);
}

static mpak_result clip_verify(const mpak_pack *pack, uint32_t number, uint64_t *track_end, uint64_t *value_end,
                               mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_CLIP;
  const mpak_clip *clip = &pack->clips[number];
  PACK_REQUIRE(pack_is_string(pack, clip->name), kind, "CLIP: name is no string", number);
  PACK_REQUIRE(pack_is_key(pack, clip->key), kind, "CLIP: key is no string, or empty", number);
  PACK_REQUIRE(bytes_float_is_finite(clip->error_m) && clip->error_m >= 0, kind,
               "CLIP: error is negative or not finite", number);
  PACK_REQUIRE(bytes_float_is_finite(clip->start_s) && bytes_float_is_finite(clip->end_s) &&
                   clip->start_s <= clip->end_s,
               kind, "CLIP: it ends before it starts", number);
  PACK_REQUIRE(clip->first_track == *track_end, kind, "CLIP: clips do not tile the tracks", number);
  *track_end += clip->track_count;
  PACK_REQUIRE(*track_end <= pack->track_count, kind, "CLIP: tracks end past TRAK", number);
  for (uint32_t i = clip->first_track; i < *track_end; i++) {
    LAYOUT_TRY(track_verify_facts(pack, i, number, fault));
    PACK_REQUIRE(i == clip->first_track || track_is_after(&pack->tracks[i], &pack->tracks[i - 1]), MPAK_KIND_TRAK,
                 "TRAK: tracks do not ascend by node and path", i);
    LAYOUT_TRY(track_verify_keys(pack, i, value_end, fault));
  }
  return MPAK_OK;
}

/// Blocks of compressed tracks tile, and are no longer than ANIM can make them: its planes hold at least the bytes of
/// the rows, and tables stand there as they are.
static mpak_result clips_verify_blocks(const mpak_pack *pack, mpak_fault *fault) {
  uint64_t end = 0, limit = 0;
  if (pack->animation_chunk != MPAK_NONE) limit = pack->chunks[pack->animation_chunk].decoded_bytes;
  for (uint32_t i = 0; i < pack->clip_count; i++) {
    const mpak_clip *clip = &pack->clips[i];
    PACK_REQUIRE(clip->first_word == end, MPAK_KIND_CLIP, "CLIP: compressed blocks do not tile", i);
    end += clip->word_count;
    if (clip->word_count && limit > 0) limit += 8;
    PACK_REQUIRE(end <= UINT32_MAX && end * 4 <= limit, MPAK_KIND_CLIP, "CLIP: compressed blocks are longer than ANIM",
                 i);
  }
  PACK_REQUIRE(end > 0 || pack->animation_chunk == MPAK_NONE, MPAK_KIND_ANIM, "ANIM: no clip has a block", 0);
  return MPAK_OK;
}

mpak_result pack_verify_clips(const mpak_pack *pack, mpak_fault *fault) {
  const uint32_t kind = MPAK_KIND_CLIP;
  uint64_t track_end = 0, value_end = 0;
  uint64_t values = pack->key_value_chunk == MPAK_NONE ? 0 : pack->chunks[pack->key_value_chunk].count;
  PACK_REQUIRE(pack->clip_count <= MPAK_MAX_CLIPS, kind, "CLIP: too many clips", MPAK_MAX_CLIPS);
  for (uint32_t i = 0; i < pack->clip_count; i++) LAYOUT_TRY(clip_verify(pack, i, &track_end, &value_end, fault));
  PACK_REQUIRE(track_end == pack->track_count, kind, "CLIP: tracks that belong to no clip", pack->clip_count);
  PACK_REQUIRE(value_end == values, MPAK_KIND_TRAK, "TRAK: values that belong to no track", pack->track_count);
  return clips_verify_blocks(pack, fault);
}
