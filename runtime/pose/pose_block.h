/// pose_block.h: sampling of compressed tracks. Private to the runtime.
#ifndef MPAK_POSE_BLOCK_H
#define MPAK_POSE_BLOCK_H

#include "format/anim_block.h"
#include "runtime/pose/pose_private.h"

/// The two rows around a time, and where their values go.
typedef struct pose_rows {
  const uint8_t *row, *next_row;
  anim_slerp slerp; ///< its fraction is that of everything
  mpak_transform *locals;
  const uint32_t *node_of; ///< node of the pose by node of the clip's pack, or MPAK_NONE; NULL: the same
} pose_rows;

static inline uint32_t pose_rows_node(const pose_rows *rows, uint32_t node) {
  return rows->node_of ? rows->node_of[node] : node;
}

/// Samples one list; bit is where its fields start in a row. Returns where they end.
uint32_t pose_sample_list_plain(const pose_rows *rows, const anim_list *list, anim_list_kind kind, uint32_t bit);

/// Copies the constants of one list.
void pose_place_constants_plain(const pose_rows *rows, const anim_list *list, anim_list_kind kind);

/// One constant; of a rotation the fourth component too, and a length of 1.
void pose_place_constant(const pose_rows *rows, const anim_list *list, anim_list_kind kind, uint32_t track);

#if defined(__x86_64__)
#define POSE_HAS_AVX2_PATH 1
#define POSE_WINDOW_BYTES  16u ///< may be read at once from where a field starts: memory of clips is so much longer
uint32_t pose_sample_list_avx2(const pose_rows *rows, const anim_list *list, anim_list_kind kind, uint32_t bit);
void pose_place_constants_avx2(const pose_rows *rows, const anim_list *list, anim_list_kind kind);
#endif

/// Where a rotation's kept components and the dropped one go, by the dropped one.
static inline void pose_place_components(uint32_t dropped, const float kept[3], float root, float out[4]) {
  static const uint8_t places[4][4] = {{1, 2, 3, 0}, {0, 2, 3, 1}, {0, 1, 3, 2}, {0, 1, 2, 3}};
  const uint8_t *place = places[dropped];
  for (int i = 0; i < 3; ++i) out[place[i]] = kept[i];
  out[place[3]] = root;
}

#endif
