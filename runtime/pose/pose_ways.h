/// pose_ways.h: the inner loops that exist for several kinds of processor. Private to the runtime. All ways give the
/// same bits: they do the same exactly rounded operations in the same order.
#ifndef MPAK_POSE_WAYS_H
#define MPAK_POSE_WAYS_H

#include "runtime/pose/pose_block.h"

/// Blends transforms by slerp's fraction. out may be from or to.
void pose_blend_plain(const mpak_transform *from, const mpak_transform *to, uint32_t count, const anim_slerp *slerp,
                      mpak_transform *out);

/// Component space of the first count nodes, or of required ones.
void pose_components_plain(mpak_pose *pose, const uint32_t *required, uint32_t count);

#if defined(POSE_HAS_AVX2_PATH)
void pose_blend_avx2(const mpak_transform *from, const mpak_transform *to, uint32_t count, const anim_slerp *slerp,
                     mpak_transform *out);
void pose_components_avx2(mpak_pose *pose, const uint32_t *required, uint32_t count);
#endif

typedef struct pose_ways {
  uint32_t (*sample_list)(const pose_rows *rows, const anim_list *list, anim_list_kind kind, uint32_t bit);
  void (*place_constants)(const pose_rows *rows, const anim_list *list, anim_list_kind kind);
  void (*blend)(const mpak_transform *from, const mpak_transform *to, uint32_t count, const anim_slerp *slerp,
                mpak_transform *out);
  void (*components)(mpak_pose *pose, const uint32_t *required, uint32_t count);
} pose_ways;

static const pose_ways pose_ways_plain = {pose_sample_list_plain, pose_place_constants_plain, pose_blend_plain,
                                          pose_components_plain};
#if defined(POSE_HAS_AVX2_PATH)
static const pose_ways pose_ways_avx2 = {pose_sample_list_avx2, pose_place_constants_avx2, pose_blend_avx2,
                                         pose_components_avx2};
#endif

static inline bool pose_processor_has_avx2(void) {
#if defined(POSE_HAS_AVX2_PATH)
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

/// The fastest ways that this processor has.
static inline pose_ways pose_ways_of_processor(void) {
#if defined(POSE_HAS_AVX2_PATH)
  if (pose_processor_has_avx2()) return pose_ways_avx2;
#endif
  return pose_ways_plain;
}

#endif
