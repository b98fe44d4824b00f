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

/// Samples one list; bit is where its fields start in a row. Returns where they end. Both ways give the same bits: they
/// do the same exactly rounded operations in the same order.
typedef uint32_t (*pose_sample_list)(const pose_rows *rows, const anim_list *list, anim_list_kind kind, uint32_t bit);
uint32_t pose_sample_list_plain(const pose_rows *rows, const anim_list *list, anim_list_kind kind, uint32_t bit);
#if defined(__x86_64__)
#define POSE_HAS_AVX2_PATH 1
uint32_t pose_sample_list_avx2(const pose_rows *rows, const anim_list *list, anim_list_kind kind, uint32_t bit);
#endif

/// Blends eight transforms; the bits of one at a time. out may be from or to.
#if defined(POSE_HAS_AVX2_PATH)
void pose_blend_eight_avx2(const mpak_transform *from, const mpak_transform *to, const anim_slerp *slerp,
                           mpak_transform *out);
#endif

static inline bool pose_processor_has_avx2(void) {
#if defined(POSE_HAS_AVX2_PATH)
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

/// The fastest way that this processor has.
pose_sample_list pose_sample_list_of_processor(void);

/// Where a rotation's kept components and the dropped one go, by the dropped one.
static inline void pose_place_components(uint32_t dropped, const float kept[3], float root, float out[4]) {
  static const uint8_t places[4][4] = {{1, 2, 3, 0}, {0, 2, 3, 1}, {0, 1, 3, 2}, {0, 1, 2, 3}};
  const uint8_t *place = places[dropped];
  for (int i = 0; i < 3; ++i) out[place[i]] = kept[i];
  out[place[3]] = root;
}

#endif
