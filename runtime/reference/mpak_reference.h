/// mpak_reference.h: the same animation, morph and skin as the runtime's, in double precision and as plainly as the
/// formulas read. A library of its own: `mpak eval` and the tests use it, games do not.
///
/// Order of work: pose at rest → sample clips, set weights → component space → deform. Nothing allocates; all memory is
/// the caller's. Views must come from a pack that mpak_open accepted.
#ifndef MPAK_REFERENCE_H
#define MPAK_REFERENCE_H

#include "runtime/mpak.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A pose of the whole scene. Arrays are by node, weights by instance and control.
typedef struct mpak_ref_pose {
  const mpak_pack *pack;
  double (*translation)[3];
  double (*rotation)[4]; ///< xyzw, unit
  double (*scale)[3];
  double (*component)[12]; ///< component space from node: 3 rows of 4; filled by mpak_ref_component
  double *weights;         ///< of instance i: weights[first_weight[i]] …, one per control of its mesh
  uint32_t *first_weight;  ///< by instance
  double (*palette)[12];   ///< work space, the most joints of a skin
  double *work;            ///< work space, the most shapes of a part
} mpak_ref_pose;

uint64_t mpak_ref_pose_bytes(const mpak_pack *pack);

/// Puts the rest pose and default weights into memory (16-byte aligned, mpak_ref_pose_bytes).
mpak_result mpak_ref_pose_init(const mpak_pack *pack, void *memory, uint64_t memory_bytes, mpak_ref_pose *pose);

/// Overwrites what the clip animates with its values at time_s (clamped to each track's keys). Paths without a track
/// keep what they have, so several clips may be applied in order.
void mpak_ref_sample(mpak_ref_pose *pose, const mpak_clips *clips, uint32_t clip, double time_s);

/// Clips of another pack, and which node and control of the pose's pack each of theirs is: an mpak_clip_map's members.
typedef struct mpak_ref_clip_source {
  const mpak_pack *pack;
  const mpak_clips *clips;
  const uint32_t *node_of;       ///< by node of pack; MPAK_NONE: nobody
  const uint32_t *instance_of;   ///< by instance of pack; MPAK_NONE: nobody
  const uint32_t *first_control; ///< by instance of pack: into control_of
  const uint32_t *control_of;    ///< MPAK_NONE: nobody
} mpak_ref_clip_source;

/// mpak_ref_sample with a clip of another pack; what has no counterpart keeps what it has.
void mpak_ref_sample_mapped(mpak_ref_pose *pose, const mpak_ref_clip_source *source, uint32_t clip, double time_s);

/// Fills pose->component: component[child] = component[parent] * local[child].
void mpak_ref_component(mpak_ref_pose *pose);

/// Results, each NULL or vertex_count long.
typedef struct mpak_ref_vertices {
  double (*positions)[3];
  double (*normals)[3];
  double (*tangents)[4];
} mpak_ref_vertices;

/// Makes the weights of the shapes from those of the controls, morphs, then (unless mesh_space) skins or moves a part
/// of an instance into component space.
///
/// Normals: renormalised after the morph (falling back to the base when the sum is shorter than 1e-12), moved by the
/// cofactor matrix, renormalised. Tangents by the matrix itself; w kept (negated when the matrix mirrors).
void mpak_ref_deform(const mpak_ref_pose *pose, uint32_t instance, uint32_t part, const mpak_part_data *data,
                     bool mesh_space, const mpak_ref_vertices *out);

#ifdef __cplusplus
}
#endif
#endif
