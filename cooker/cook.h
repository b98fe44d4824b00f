/// cook.h: source file in, pack bytes out. The recipe of the cooker, and the options that steer it.
#ifndef COOK_H
#define COOK_H

#include "cooker/base/job.h"
#include "cooker/scene/scene.h"

typedef enum cook_quality {
  COOK_QUALITY_LOSSLESS = 0,
  COOK_QUALITY_HIGH = 1,
  COOK_QUALITY_DEFAULT = 2,
  COOK_QUALITY_COMPACT = 3
} cook_quality;
typedef enum cook_layout { COOK_LAYOUT_BLK64 = 0, COOK_LAYOUT_CSR64 = 1 } cook_layout;
typedef enum cook_compress { COOK_COMPRESS_DEFAULT = 0, COOK_COMPRESS_LOAD = 1, COOK_COMPRESS_SIZE = 2 } cook_compress;
typedef enum cook_tangents { COOK_TANGENTS_AUTO = 0, COOK_TANGENTS_GENERATE = 1, COOK_TANGENTS_NONE = 2 } cook_tangents;
typedef enum cook_morph_normals {
  COOK_MORPH_NORMALS_AUTO = 0,
  COOK_MORPH_NORMALS_IMPORT = 1,
  COOK_MORPH_NORMALS_RECOMPUTE = 2,
  COOK_MORPH_NORMALS_NONE = 3
} cook_morph_normals;
typedef enum cook_importer { COOK_IMPORTER_AUTO = 0, COOK_IMPORTER_ASSIMP = 1 } cook_importer;
/// Levels of detail: a number of them, or one of these.
typedef enum cook_lods {
  COOK_LODS_AUTO = 0, ///< those of the author; where a mesh has none, the profile's
  COOK_LODS_NONE = 1, ///< meshes as they are, what looks like a level included
  COOK_LODS_MOST = 8
} cook_lods;
typedef enum cook_vertex_order {
  COOK_ORDER_STRIPS = 0, ///< along strips of triangles: warm vertex caches, small packs
  COOK_ORDER_SOURCE = 1, ///< the file's
  COOK_ORDER_BLOCKS = 2, ///< patch by patch: blk64's blocks of 64 vertices are moved by fewer shapes
} cook_vertex_order;
typedef enum cook_up { COOK_UP_Y = 0, COOK_UP_SOURCE = 1 } cook_up;
typedef enum cook_unit { COOK_UNIT_METRE = 0, COOK_UNIT_SOURCE = 1 } cook_unit;

struct cook_profile;

/// Options that change the bytes of a pack, and a few that do not. All zero: lossless, and else the command's defaults.
typedef struct cook_options {
  cook_quality quality;
  cook_layout layout;
  cook_compress compress;
  cook_tangents tangents;
  cook_morph_normals morph_normals;
  cook_importer importer;
  cook_up up;              ///< Assimp only: rotate to +Y up, or keep the file's axes
  cook_unit unit;          ///< Assimp only: scale to metres, or keep the file's unit
  uint32_t max_influences; ///< 4, 8 or 12; 0 = 12
  uint32_t max_bones;      ///< joints of a section, as bone_limit resolves them; 0 = 65,536
  uint32_t lods;           ///< cook_lods, or how many levels a mesh without the author's gets: 2 … COOK_LODS_MOST
  cook_vertex_order vertex_order;
  bool no_weld;          ///< --weld none
  bool source_map;       ///< --source-map
  bool has_weight_range; ///< --weight-range
  float weight_range[2];
  double animation_error_m;      ///< --anim-error, on a character of 1.8 m; 0: the quality's
  const char *const *clip_files; ///< --clips: their clips are added, in this order
  uint32_t clip_file_count;
  const char *const *target_globs; ///< --targets: only morph targets of such names (cooker/base/glob.h) are cooked
  uint32_t target_glob_count;      ///< 0: all
  bool drop_unused;                ///< --drop-unused: targets and joints that move nothing go
  bool clips_only;                 ///< --clips-only: leave the meshes out; the clips become a clip pack
  const char *name_encoding; ///< --name-encoding, in lower case; Assimp only: of names that are not UTF-8. NULL: none
  /// --profile (cooker/profile.h), or NULL. Its limits and qualities are in the members above already.
  const struct cook_profile *profile;
  // not part of the bytes
  uint32_t thread_count;      ///< -j; 0 = 1
  bool in_process;            ///< import without a worker process (tests, fuzzing)
  const char *worker_program; ///< program to start as the worker; NULL = this program's own file
} cook_options;

/// What a cook says about itself, for summary and report.
typedef struct cook_stats {
  uint64_t source_bytes, pack_bytes, dense_bytes;
  uint32_t mesh_count, part_count, target_count, joint_count, clip_count;
  uint64_t source_vertex_count, vertex_count, triangle_count, delta_count;
  double import_s, build_s, pack_s;
  uint64_t worker_peak_bytes; ///< resident memory of the importer's process
  double largest_error_m;
  bool is_posed;      ///< the final vertices were compared with the source's, and the next six tell how
  double posed_m;     ///< largest distance over all poses
  double posed_share; ///< the same in sizes of what a node draws
  double posed_rms_m;
  double posed_normal_rad;
  double posed_normal_rms_rad;
  uint32_t pose_count;
  uint32_t fineness; ///< most halvings of steps that a mesh or the clips needed
} cook_stats;

/// The result: bytes of a pack in the job's arena.
typedef struct cook_product {
  uint8_t *bytes;
  uint64_t byte_count;
  const uint8_t *file; ///< what is to be written: the pack's bytes, or the pack wrapped (--compress size)
  uint64_t file_bytes;
  cook_scene *scene; ///< as it was packed
  cook_stats stats;
} cook_product;

/// Imports path and cooks it. Leaves the job (job_fail) on errors; warnings stay in the job.
void cook_file(cook_job *job, const char *path, const cook_options *options, cook_product *product);

/// The same without an importer: checks and cooks a scene that is already there (tests, generators).
void cook_scene_to_pack(cook_job *job, cook_scene *scene, const cook_options *options, cook_product *product);

#endif
