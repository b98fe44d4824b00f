/// posed.h: how far the vertices of a finished pack are from those of the source, posed: the promise of --quality.
///
/// Both sides are moved by the runtime itself: the source as a lossless pack of the scene before anything was
/// quantised or welded, and the finished pack. Poses: the rest, frames of every clip, each morph target at weight 1; as
/// many as a fixed number of vertices allows, so that the time stays small beside the cook's.
#ifndef COOK_MEASURE_POSED_H
#define COOK_MEASURE_POSED_H

#include "cooker/cook.h"

/// The source's side. Lives in the job's arena.
typedef struct measure_reference measure_reference;

/// Makes it from a scene that is ready to be quantised. The scene must stay as it is.
measure_reference *measure_reference_make(cook_job *job, cook_scene *scene, const cook_options *options);

/// Errors over all poses. Normals whose sum with their deltas is shorter than 0.05 are left out: they have hardly a
/// direction, in the source too.
typedef struct measure_posed {
  double largest_m;     ///< distance of a vertex to its source
  double largest_share; ///< the same in sizes of what its node draws at that time; while a clip plays, of what all draw
  double rms_m;
  double largest_normal_rad;
  double rms_normal_rad;
  uint32_t pose_count;
  bool *mesh_misses;            ///< by mesh of the scene: is a position out of its bound at rest or with a target at 1?
  bool *playing_misses;         ///< by mesh: only while a clip plays?
  bool *normal_misses;          ///< by mesh: is a normal out of its bound, at any time?
  mpak_measured_error *records; ///< for the pack's ERRS: two for each part
  uint32_t record_count;
} measure_posed;

/// Compares a pack that was cooked from a copy of the reference's scene. The result lives in the job's arena; vertices
/// whose normals miss are noted in has_missed_normal of the scene's primitives.
void measure_posed_errors(cook_job *job, const measure_reference *reference, const cook_scene *cooked,
                          const cook_options *options, const cook_product *product, measure_posed *result);

#endif
