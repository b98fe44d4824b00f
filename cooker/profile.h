/// profile.h: what a platform profile says (--profile desktop|mobile|FILE): limits, quality and levels of detail for
/// one platform. cooker/cli/profile_file.c reads it from JSON; options of the command line win over it. Strings and
/// lists live in the job that read it.
#ifndef COOK_PROFILE_H
#define COOK_PROFILE_H

#include "cooker/build/bone_limit.h"
#include "cooker/cook.h"

/// One level of detail, 0 first.
typedef struct cook_profile_lod {
  float
      screen_size; ///< shown while the mesh takes at least this share of the screen's height; falls from level to level
  float error_mm;  ///< bound of the measured error against level 0; 0 of level 0: it is the mesh as it is
  float pixel_mm;  ///< a target whose largest delta is below this is dropped from the level; 0: none is
  const char **dropped_bones; ///< names of nodes, or patterns with * and ?; they and all below them are dropped
  uint32_t dropped_bone_count;
  uint32_t max_bone_depth; ///< nodes deeper than this are dropped, roots have depth 0; MPAK_NONE: no limit
} cook_profile_lod;

typedef struct cook_profile {
  const char *name; ///< "desktop" and "mobile"; of a file: "xxh3:" and the hash of its bytes in 16 hex digits
  const char *path; ///< of the file; NULL: built in
  bone_limit_rules bones;
  uint32_t max_influences; ///< 4, 8 or 12; 0: not said
  bool has_quality, has_layout, has_compress;
  cook_quality quality;
  cook_layout layout;
  cook_compress compress;
  uint32_t lod_count; ///< 0: not said
  cook_profile_lod *lods;
} cook_profile;

#endif
