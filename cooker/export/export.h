/// export.h: a pack as glTF 2.0 in one GLB file, for other programs to read.
///
/// Everything is read the way a game reads it, decoded by the runtime, so packs of every quality and layout work. What
/// glTF has no word for is left out or written in another way, and said in an info (O014).
#ifndef EXPORT_H
#define EXPORT_H

#include "cooker/base/job.h"
#include "runtime/mpak.h"

/// An open pack and its decoded data.
typedef struct export_model {
  const mpak_pack *pack;
  const mpak_part_data *parts; ///< by part; stills read those of LOD 0 alone
  const mpak_clips *clips;
} export_model;

/// Bytes of a file in the job's arena.
typedef struct export_file {
  const void *bytes;
  uint64_t byte_count;
} export_file;

/// The whole scene: nodes, meshes with sparse morph targets, skins, clips, materials.
export_file export_scene(cook_job *job, const export_model *model);

/// A part as one node shows it at one moment.
typedef struct export_still {
  uint32_t instance;
  uint32_t part;
  const mpak_base_vertex *vertices; ///< vertex_count of the part, where they are to be
  bool is_mirrored;                 ///< its triangles are reversed
} export_still;

/// Plain meshes, without targets, skins and clips: one node for each instance, at the origin.
///
/// stills  count of them; those of an instance follow one another
export_file export_stills(cook_job *job, const export_model *model, const export_still *stills, uint32_t count);

#endif
