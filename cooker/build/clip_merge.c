// clip_merge.c: the clips of another file join the model's, as if they had been in its file.
#include <string.h>

#include "cooker/build/clip_merge.h"

// -- Tracks ----------------------------------------------------------------------------------------------------------

/// Weights of a node without controls: check/ has said so (A012), and there is nothing to convert.
static bool merge_is_playable(const cook_scene *scene, const cook_track *track) {
  if (track->path != MPAK_PATH_WEIGHTS) return true;
  const uint32_t mesh = scene->nodes[track->node].mesh;
  return mesh != MPAK_NONE && track->width != 0 && scene->meshes[mesh].control_count == track->width;
}

static void merge_find_animated(const clip_merge *merge) {
  for (uint32_t c = 0; c < merge->source->clip_count; c++) {
    const cook_clip *clip = &merge->source->clips[c];
    for (uint32_t t = 0; t < clip->track_count; t++)
      if (merge_is_playable(merge->source, &clip->tracks[t])) merge->is_animated[clip->tracks[t].node] = true;
  }
}

/// A sheared rest transform is replaced by what the clip says; as for a model's own clips.
static void merge_warn_matrix(const clip_merge *merge, const cook_clip *clip, uint32_t node) {
  if (!merge->model->nodes[node].is_matrix) return;
  cook_where where = COOK_WHERE;
  where.node = clip_node_path(merge->job, merge->model, node);
  where.clip = clip->name;
  where.value = "a matrix";
  where.limit = "translation, rotation and scale";
  job_issue(merge->job, MPAK_A016, where);
}

/// The track for the model; false when it has nowhere to go.
static bool merge_track(const clip_merge *merge, const cook_clip *clip, const cook_track *track, cook_track *result) {
  const uint32_t node = merge->model_of[track->node];
  if (node >= NAME_MATCH_AMBIGUOUS || !merge_is_playable(merge->source, track)) return false;
  if (track->path == MPAK_PATH_WEIGHTS) return clip_convert_weights(merge, clip, track, result);
  merge_warn_matrix(merge, clip, node);
  *result = *track;
  result->node = node;
  return true;
}

static void merge_clip(const clip_merge *merge, const cook_clip *clip, cook_clip *result) {
  *result = *clip;
  result->tracks = JOB_ARRAY(merge->job, cook_track, clip->track_count);
  result->track_count = 0;
  for (uint32_t t = 0; t < clip->track_count; t++)
    if (merge_track(merge, clip, &clip->tracks[t], &result->tracks[result->track_count])) result->track_count++;
}

// -- The file --------------------------------------------------------------------------------------------------------

void build_require_clips(cook_job *job, const cook_scene *source) {
  for (uint32_t c = 0; c < source->clip_count; c++)
    if (source->clips[c].track_count != 0) return;
  cook_where where = COOK_WHERE;
  where.value = source->clip_count == 0 ? "there is none" : "they animate nothing";
  job_fail(job, MPAK_A025, where);
}

void build_clips(cook_job *job, cook_scene *model, const cook_scene *source) {
  build_require_clips(job, source);
  clip_merge merge = {.job = job, .model = model, .source = source};
  merge.is_animated = JOB_ARRAY(job, bool, source->node_count);
  merge.has_said_controls = JOB_ARRAY(job, bool, source->node_count);
  merge_find_animated(&merge);
  clip_match_nodes(&merge);
  clip_report_nodes(&merge);
  clip_report_rest(&merge);
  cook_clip *clips = JOB_ARRAY(job, cook_clip, (uint64_t)model->clip_count + source->clip_count);
  if (model->clip_count != 0) memcpy(clips, model->clips, model->clip_count * sizeof *clips);
  for (uint32_t c = 0; c < source->clip_count; c++)
    merge_clip(&merge, &source->clips[c], &clips[model->clip_count + c]);
  model->clips = clips;
  model->clip_count += source->clip_count;
}
