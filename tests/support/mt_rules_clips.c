// mt_rules_clips.c: rules of CLIP, TRAK, KEYT and KEYV. Tracks of the character: 0 translation of node 0 (3 keys), 1
// weights of node 1 (2), 2 rotation of node 2, cubic (2), 3 scale of node 3 (1); clip 1: 4 rotation of node 3 (2).
#include "tests/support/mt_rules.h"

#include <string.h>

static void tracks_left_over(mt_pack *pack) { mt_pack_resize(pack, MPAK_KIND_TRAK, 6); }
static void values_left_over(mt_pack *pack) {
  mt_pack_resize(pack, MPAK_KIND_KEYV, mt_pack_find(pack, MPAK_KIND_KEYV)->entry.count + 1);
}

static void clips_too_many(mt_pack *pack) {
  mt_pack_resize(pack, MPAK_KIND_CLIP, 65536);
  mpak_clip *clips = (mpak_clip *)mt_pack_find(pack, MPAK_KIND_CLIP)->bytes;
  for (uint32_t i = 2; i < 65536; i++) {
    clips[i] = clips[1];
    clips[i].first_track = 5;
    clips[i].track_count = 0;
  }
}

/// Track 1 becomes a second translation of node 0.
static void tracks_repeat(mt_pack *pack) {
  mpak_track *tracks = (mpak_track *)mt_pack_find(pack, MPAK_KIND_TRAK)->bytes;
  tracks[1].node = 0;
  tracks[1].path = MPAK_PATH_TRANSLATION;
}

/// Tracks, but no key at all.
static void keys_missing(mt_pack *pack) {
  mt_pack_remove(pack, mt_pack_find_number(pack, MPAK_KIND_KEYT));
  mt_pack_remove(pack, mt_pack_find_number(pack, MPAK_KIND_KEYV));
}

static void key_values_missing(mt_pack *pack) { mt_pack_remove(pack, mt_pack_find_number(pack, MPAK_KIND_KEYV)); }

static void key_rotation(mt_pack *pack, uint32_t track, uint32_t skip, const float value[4]) {
  const mpak_track *tracks = (const mpak_track *)mt_pack_find(pack, MPAK_KIND_TRAK)->bytes;
  mt_pack_patch(pack, MPAK_KIND_KEYV, tracks[track].first_value + skip, 0, value, 16);
}

static void rotation_zero(mt_pack *pack) { key_rotation(pack, 4, 4, (const float[4]){0, 0, 0, 0}); }
static void rotation_tiny(mt_pack *pack) { key_rotation(pack, 4, 0, (const float[4]){1e-7f, 0, 0, 0}); }
static void rotation_huge(mt_pack *pack) { key_rotation(pack, 4, 0, (const float[4]){0, 0, 2e6f, 0}); }
static void rotation_cubic_zero(mt_pack *pack) { key_rotation(pack, 2, 16, (const float[4]){0, 0, 0, 0}); }

#define BLK MT_RULES_BLK64
#define CLIP(text, record, member, value)                                                                              \
  MT_RECORD("CLIP: " text, BLK, MPAK_KIND_CLIP, record, mpak_clip, member, value)
#define TRAK(text, record, member, value)                                                                              \
  MT_RECORD("TRAK: " text, BLK, MPAK_KIND_TRAK, record, mpak_track, member, value)

static const mt_rule_case clip_cases[] = {
    MT_CHANGE("CLIP: too many clips", BLK, clips_too_many),
    CLIP("name is no string", 0, name, 2),
    CLIP("key is no string, or empty", 0, key, 0),
    CLIP("it ends before it starts", 0, end_s, MT_MINUS_1),
    CLIP("it ends before it starts", 0, start_s, MT_NAN),
    CLIP("it ends before it starts", 1, end_s, MT_INFINITY),
    CLIP("clips do not tile the tracks", 1, first_track, 3),
    CLIP("tracks end past TRAK", 1, track_count, 2),
    CLIP("tracks end past TRAK", 1, track_count, UINT32_MAX),
    MT_CHANGE("CLIP: tracks that belong to no clip", BLK, tracks_left_over),
    TRAK("clip is not the one that lists it", 4, clip, 0),
    TRAK("node is past the nodes", 3, node, 5),
    TRAK("unknown path", 3, path, 4),
    TRAK("unknown interpolation", 3, interpolation, 3),
    TRAK("wrong width for its path", 0, width, 4),
    TRAK("wrong width for its path", 1, width, 2),
    TRAK("wrong width for its path", 2, path, MPAK_PATH_SCALE),
    TRAK("wrong width for its path", 1, node, 4), // the hat's mesh has no controls
    TRAK("wrong width for its path", 1, node, 2), // draws nothing
    TRAK("it has no key", 3, key_count, 0),
    TRAK("times end past KEYT", 0, first_time, 3),
    TRAK("times end past KEYT", 0, first_time, UINT32_MAX),
    MT_CHANGE("TRAK: times end past KEYT", BLK, keys_missing),
    MT_CHANGE("TRAK: values end past KEYV", BLK, key_values_missing),
    TRAK("tracks do not tile the values", 1, first_value, 0),
    TRAK("tracks do not tile the values", 0, key_count, 2),
    TRAK("values end past KEYV", 4, interpolation, MPAK_CUBICSPLINE),
    MT_CHANGE("TRAK: values that belong to no track", BLK, values_left_over),
    TRAK("tracks do not ascend by node and path", 2, node, 0),
    MT_CHANGE("TRAK: tracks do not ascend by node and path", BLK, tracks_repeat),
    MT_WORD("KEYT: a time is not finite", BLK, MPAK_KIND_KEYT, 4, 0, MT_INFINITY),
    MT_WORD("KEYT: times of a track do not ascend", BLK, MPAK_KIND_KEYT, 1, 0, 0),
    MT_WORD("KEYT: times of a track do not ascend", BLK, MPAK_KIND_KEYT, 4, 0, MT_MINUS_1),
    MT_WORD("KEYV: a value is not finite", BLK, MPAK_KIND_KEYV, 0, 0, MT_NAN),
    MT_CHANGE("KEYV: a rotation cannot be normalised", BLK, rotation_zero),
    MT_CHANGE("KEYV: a rotation cannot be normalised", BLK, rotation_tiny),
    MT_CHANGE("KEYV: a rotation cannot be normalised", BLK, rotation_huge),
    MT_CHANGE("KEYV: a rotation cannot be normalised", BLK, rotation_cubic_zero),
};

mt_rule_list mt_rules_clips(void) { return (mt_rule_list){clip_cases, sizeof clip_cases / sizeof clip_cases[0]}; }
