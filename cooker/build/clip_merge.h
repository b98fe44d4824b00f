/// clip_merge.h: what the files of the stage build_clips share: which node of a clip file is which node of the model,
/// and what there is to say about it.
#ifndef COOK_CLIP_MERGE_H
#define COOK_CLIP_MERGE_H

#include "cooker/build/build.h"
#include "format/name_match.h"

/// A clip file beside the model.
typedef struct clip_merge {
  cook_job *job;
  cook_scene *model;
  const cook_scene *source; ///< the clip file
  uint32_t *model_of;       ///< by node of the source: node of the model, NAME_MATCH_NONE or NAME_MATCH_AMBIGUOUS
  uint32_t *source_of;      ///< by node of the model: node of the source, or MPAK_NONE
  bool *is_animated;        ///< by node of the source
  bool *has_said_controls;  ///< by node of the source: what its controls lack was reported
} clip_merge;

// -- clip_match.c: who is who ----------------------------------------------------------------------------------------

/// Fills model_of and source_of from the names of the nodes; nodes of the model that are not cooked do not count.
void clip_match_nodes(clip_merge *merge);

/// Issues: animated nodes that the model lacks, nodes of the model that the file lacks, names that fit several nodes.
/// Fails the job when nothing that is animated has a counterpart.
void clip_report_nodes(const clip_merge *merge);

/// Names joined by "/" from the root, for messages.
const char *clip_node_path(cook_job *job, const cook_scene *scene, uint32_t node);

/// Names that a message lists: the first few, and how many more there are.
typedef struct clip_names {
  cook_job *job;
  char *text;
  uint64_t count;
} clip_names;
void clip_names_add(clip_names *names, const char *name, const char *kind, uint32_t number);
const char *clip_names_text(const clip_names *names);

// -- clip_rest.c -----------------------------------------------------------------------------------------------------

/// One issue when rest poses of counterparts differ by more than 1 mm or 1 degree: the largest difference, and at how
/// many nodes.
void clip_report_rest(const clip_merge *merge);

// -- clip_weights.c --------------------------------------------------------------------------------------------------

/// Weight keys of a node of the source, put into the order of the controls of its counterpart: controls that the file
/// does not have keep their default weight. False when the model's node has no controls; then a warning was given.
bool clip_convert_weights(const clip_merge *merge, const cook_clip *clip, const cook_track *track, cook_track *result);

#endif
