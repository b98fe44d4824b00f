/// anim.h: what the files of clip compression share. Private to cooker/build; the stage is build_clip_blocks (build.h).
///
/// Everything is reckoned in double precision with +, *, /, sqrt and base/angle.h, in a fixed order: the same bits on
/// every machine.
#ifndef COOK_ANIM_H
#define COOK_ANIM_H

#include "cooker/build/build.h"
#include "format/anim_block.h"

#define ANIM_PATHS 3u ///< translation, rotation, scale, as mpak_track_path

/// A node's local transform.
typedef struct anim_local {
  double translation[3], rotation[4], scale[3];
} anim_local;

/// The nodes of a scene, and how far each reaches: what clips are compressed against. Made once for all of them.
typedef struct cook_skeleton {
  const cook_scene *scene;
  uint32_t node_count;
  anim_local *rests;       ///< of nodes that are no matrix
  double (*matrices)[12];  ///< local rest matrix
  double *reach_m;         ///< from the node to the farthest vertex or child that it moves by itself, at rest
  double (*lever)[3];      ///< reach_m along each of the node's own axes, in the node's units
  double *subtree_reach_m; ///< from the node to the farthest point below it
  double *parent_scale;    ///< metres for each unit of the node's translation
  double *mesh_scale;      ///< metres for each unit of what the node draws, at rest, at most; 0: it draws nothing
  uint32_t *subtree_start; ///< subtree_nodes[subtree_start[n] …] are the nodes below n, n first, ascending
  uint32_t *subtree_nodes;
  double size_m; ///< largest side of the box around the joints, or around the vertices
} cook_skeleton;

const cook_skeleton *build_skeleton(cook_job *job, const cook_scene *scene);

typedef enum anim_form {
  ANIM_FORM_KEYS, ///< stays in TRAK, every key as it is
  ANIM_FORM_REST, ///< the node's rest value, or the weights' defaults
  ANIM_FORM_CONSTANT,
  ANIM_FORM_SAMPLES
} anim_form;

/// One track while its clip is compressed.
typedef struct anim_track {
  const cook_track *source;
  anim_form form;
  double constant[4];
  double tolerance;        ///< what may be lost where a curve counts as constant or is sampled, in its own unit
  float (*samples)[4];     ///< TRS: sample_count
  float *weight_samples;   ///< weights: sample_count for each control, control by control
  float *weight_steps;     ///< weights: by control; 0: it is constant_weights' or the default
  float *constant_weights; ///< weights: by control
  bool is_full_rotation;
  uint32_t dropped; ///< rotation: the component that is not stored
  uint32_t code;    ///< of the step
} anim_track;

/// A clip while it is compressed.
typedef struct anim_clip {
  cook_job *job;
  const cook_skeleton *skeleton;
  const cook_clip *source;
  double bound_m;
  uint32_t sample_count;
  bool keys_fall_on_samples;
  uint32_t track_count;
  anim_track *tracks; ///< ordered by node, then path; empty ones are left out
  uint32_t *track_of; ///< by 3 * node + path; MPAK_NONE
} anim_clip;

// -- anim_curve.c: curves of the source ------------------------------------------------------------------------------

/// Values of a track at a time: width of them; rotations are unit quaternions.
void anim_curve_at(const cook_track *track, double time_s, double *values);
/// The same for one value of a weights track.
double anim_curve_value_at(const cook_track *track, uint32_t value, double time_s);
void anim_slerp_double(const double a[4], const double b[4], double fraction, double out[4]);
bool anim_normalise(double q[4]);

// -- anim_samples.c: forms and samples -------------------------------------------------------------------------------

/// Decides the form of every track and the number of samples, and samples.
void anim_choose_forms(anim_clip *clip);
double anim_sample_time(const anim_clip *clip, double row);

// -- anim_error.c: distances between the clip and its source ---------------------------------------------------------

/// Components of one sample as they will be read: numbers times the step.
void anim_decoded_sample(const anim_track *track, uint32_t row, double values[4]);
/// Do all numbers fit the format?
bool anim_track_fits(const anim_clip *clip, const anim_track *track);

typedef struct anim_ruler anim_ruler;

/// Poses of source and clip at some of the clip's times, to try steps on.
anim_ruler *anim_ruler_make(anim_clip *clip);
/// The largest distance with the tracks as they are; all poses are made anew.
double anim_ruler_measure(anim_ruler *ruler);
/// Is the distance within the bound after a change of one track? Keeps the new poses if so.
bool anim_ruler_try(anim_ruler *ruler, const anim_track *track);

/// The largest distance at all samples, between them, and at the source's keys.
double anim_measure_all(const anim_clip *clip);

// -- anim_steps.c ----------------------------------------------------------------------------------------------------

/// Finds the steps of all sampled tracks. Returns the error in metres, above the bound when there are no such steps.
double anim_find_steps(anim_clip *clip);

// -- anim_write.c ----------------------------------------------------------------------------------------------------

void anim_write_block(const anim_clip *clip, cook_clip_block *block);

#endif
