/// stage.h: the model that is shown: a pack with one character on it, in a pose of clips, a time and weights set by
/// hand.
#ifndef STAGE_H
#define STAGE_H

#include "runtime/mpak_pose.h"
#include "samples/viewer/view_math.h"

/// The bytes of a pack, 64-byte aligned, from aligned_alloc.
typedef struct stage_bytes {
  void *bytes;
  uint64_t byte_count;
} stage_bytes;

typedef struct stage {
  stage_bytes file;
  mpak_pack pack;
  mpak_model *model;
  mpak_character *hero;
  float *given;              ///< by weight of hero->morph_pose: set by hand, or NaN
  mpak_base_vertex *scratch; ///< as many as the largest part has
  const uint32_t *clips;     ///< applied in this order; the caller's
  uint32_t clip_count;
  double time_s;
} stage;

/// Opens a pack and takes its bytes over, whatever the result. Zeroed on failure.
mpak_result stage_open(stage *shown, stage_bytes file, mpak_fault *fault);
void stage_close(stage *shown); ///< a zeroed one is fine

/// Copies bytes to aligned memory. bytes is NULL when there is none.
stage_bytes stage_copy_bytes(const void *bytes, uint64_t byte_count);

/// Puts the clips, the time and the given weights into the pose, and moves the vertices.
void stage_pose(stage *shown);

/// The weight of a control of an instance by hand (clamped); NaN gives it back to clips and defaults.
void stage_give_weight(stage *shown, uint32_t instance, uint32_t control, float weight);
void stage_give_back(stage *shown); ///< all of them
float stage_weight(const stage *shown, uint32_t instance, uint32_t control);
bool stage_is_given(const stage *shown, uint32_t instance, uint32_t control);

/// Is the output of a level that is shown?
bool stage_shows(const stage *shown, uint32_t output);
uint32_t stage_lod_count(const stage *shown); ///< most levels of a mesh, at least 1

/// The box of all vertices that are shown, in metres, along axes; NULL: the world's.
view_box stage_box(const stage *shown, const view_axes *axes);

/// How far shapes move each vertex of an output in the scene, in metres; returns the largest. The skin and the node of
/// the pose take part on both sides.
float stage_displacements(stage *shown, uint32_t output, float *distances_m);

/// First and last second of the clips; 0, 0 without.
void stage_time_range(const stage *shown, double *start_s, double *end_s);

/// What a control, clip or node is called: its name, or its key where the name is empty.
const char *stage_name(const stage *shown, uint32_t name, uint32_t key);

#endif
