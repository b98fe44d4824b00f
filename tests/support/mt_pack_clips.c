// mt_pack_clips.c: a clip pack by hand, from SPEC.md: nodes, clips, and a mesh that only names its controls.
#include "tests/support/mt_pack.h"

#include <string.h>

#define CLIPS_TABLE(kind, array)                                                                                       \
  mt_pack_add(pack, (kind), MPAK_NONE, (uint32_t)sizeof(array)[0], (uint32_t)(sizeof(array) / sizeof(array)[0]),       \
              (array))

static mpak_node clips_node(mt_pack *pack, const char *name, uint32_t parent, uint32_t number) {
  const uint32_t text = mt_pack_string(pack, name);
  return (mpak_node){text, text, parent, number, 0, 0, {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0}};
}

static void clips_add_scene(mt_pack *pack) {
  const uint32_t face = mt_pack_string(pack, "face"), smile = mt_pack_string(pack, "Smile"),
                 blink = mt_pack_string(pack, "Blink");
  const mpak_node nodes[3] = {clips_node(pack, "root", MPAK_NONE, 0), clips_node(pack, "hips", 0, 1),
                              clips_node(pack, "face_node", 0, 2)};
  const mpak_instance instances[1] = {{2, 0, MPAK_NONE, 0}};
  const float weights[2] = {0, 0.5f};
  const mpak_mesh meshes[1] = {{.name = face, .key = face, .control_count = 2}};
  const mpak_control controls[2] = {{0, smile, smile, 0, 0, 0, 1, 0}, {0, blink, blink, 1, 0.25f, -1, 1, 0}};
  CLIPS_TABLE(MPAK_KIND_NODE, nodes);
  CLIPS_TABLE(MPAK_KIND_INST, instances);
  CLIPS_TABLE(MPAK_KIND_IWGT, weights);
  CLIPS_TABLE(MPAK_KIND_MESH, meshes);
  CLIPS_TABLE(MPAK_KIND_CTRL, controls);
}

void mt_pack_clips(mt_pack *pack) {
  mt_pack_begin(pack);
  clips_add_scene(pack);
  const uint32_t run = mt_pack_string(pack, "Run"), talk = mt_pack_string(pack, "Talk");
  const mpak_clip clips[2] = {{run, run, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0}, {talk, talk, 1, 1, 1, 0, 1, 0, 1, 0, 0, 0}};
  const mpak_track tracks[2] = {{0, 1, MPAK_PATH_TRANSLATION, MPAK_LINEAR, 3, 2, 0, 0},
                                {1, 2, MPAK_PATH_WEIGHTS, MPAK_LINEAR, 2, 2, 0, 6}};
  const float times[2] = {0, 1}, values[10] = {0, 1, 0, 0, 1, 2, 0, 0, 1, -1};
  CLIPS_TABLE(MPAK_KIND_CLIP, clips);
  CLIPS_TABLE(MPAK_KIND_TRAK, tracks);
  CLIPS_TABLE(MPAK_KIND_KEYT, times);
  CLIPS_TABLE(MPAK_KIND_KEYV, values);
}
