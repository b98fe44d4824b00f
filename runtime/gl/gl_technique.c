/// gl_technique.c: which technique moves a part (skeletal document 6.4 and 8.3).
#include "runtime/gl/mpak_gl.h"

/// F83: a small device caches at most this much; vertex_count * 3 must stay below it.
#define SMALL_DEVICE_CACHE_WORDS (64u * 1024u)

mpak_gl_technique mpak_gl_choose_technique(const mpak_gl_limits *limits, mpak_gl_technique forced,
                                           const mpak_gl_part_facts *facts) {
  if (forced == MPAK_GL_CPU || !limits->has_compute) return MPAK_GL_CPU;
  if (facts->is_skinned && facts->most_bones_per_section > limits->max_bones_per_section) return MPAK_GL_CPU;
  if (facts->largest_block_bytes > limits->max_storage_block_bytes) return MPAK_GL_CPU;
  if (forced != MPAK_GL_AUTO) return forced;
  if (!facts->is_skinned) return MPAK_GL_INLINE;
  if (limits->is_small && (uint64_t)facts->vertex_count * 3 >= SMALL_DEVICE_CACHE_WORDS) return MPAK_GL_INLINE;
  return MPAK_GL_SKIN_CACHE;
}
