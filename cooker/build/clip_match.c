// clip_match.c: which node of a clip file is which node of the model, and which are nobody.
#include <inttypes.h>
#include <string.h>

#include "cooker/build/clip_merge.h"

#define NAMES_SHOWN    5u  ///< names in one message
#define NAME_CUT_BYTES 80u ///< of one of them
#define PATH_CUT_BYTES 1024u
#define CUT_MARK       "\xE2\x80\xA6" // an ellipsis

// -- Texts -----------------------------------------------------------------------------------------------------------

/// name, cut between characters when it is very long; an object without one is called by its number, as keys are made.
static const char *clip_label(cook_job *job, const char *name, const char *kind, uint32_t number) {
  if (name == NULL || name[0] == 0) return job_format(job, "%s_%" PRIu32, kind, number);
  if (strlen(name) <= NAME_CUT_BYTES) return name;
  size_t length = NAME_CUT_BYTES;
  while (length > 0 && ((uint8_t)name[length] & 0xC0) == 0x80) length--;
  return job_format(job, "%.*s%s", (int)length, name, CUT_MARK);
}

void clip_names_add(clip_names *names, const char *name, const char *kind, uint32_t number) {
  if (names->count++ >= NAMES_SHOWN) return;
  const char *before = names->text != NULL ? names->text : "", *comma = names->text != NULL ? ", " : "";
  names->text = job_format(names->job, "%s%s\"%s\"", before, comma, clip_label(names->job, name, kind, number));
}

const char *clip_names_text(const clip_names *names) {
  if (names->count <= NAMES_SHOWN) return names->text;
  return job_format(names->job, "%s and %" PRIu64 " more", names->text, names->count - NAMES_SHOWN);
}

const char *clip_node_path(cook_job *job, const cook_scene *scene, uint32_t node) {
  const char *path = "";
  for (uint32_t step = 0; node != MPAK_NONE && step < scene->node_count; step++) {
    const cook_node *here = &scene->nodes[node];
    const char *label = clip_label(job, here->name, "node", here->source_index);
    if (strlen(path) > PATH_CUT_BYTES) return job_format(job, "%s/%s", CUT_MARK, path);
    path = job_format(job, "%s%s%s", label, path[0] != 0 ? "/" : "", path);
    node = here->parent;
  }
  return path;
}

// -- Matching --------------------------------------------------------------------------------------------------------

/// The cooked nodes of the model, numbered through.
typedef struct clip_model_side {
  const cook_scene *scene;
  uint32_t *nodes;     ///< by number
  uint32_t *number_of; ///< by node; MPAK_NONE where it is not cooked
} clip_model_side;

static const char *clip_name_or_empty(const char *name) { return name != NULL ? name : ""; }

static const char *clip_source_name(const void *user, uint32_t i) {
  return clip_name_or_empty(((const cook_scene *)user)->nodes[i].name);
}

static uint32_t clip_source_parent(const void *user, uint32_t i) { return ((const cook_scene *)user)->nodes[i].parent; }

static const char *clip_model_name(const void *user, uint32_t i) {
  const clip_model_side *side = user;
  return clip_name_or_empty(side->scene->nodes[side->nodes[i]].name);
}

static uint32_t clip_model_parent(const void *user, uint32_t i) {
  const clip_model_side *side = user;
  const uint32_t parent = side->scene->nodes[side->nodes[i]].parent;
  return parent == MPAK_NONE ? MPAK_NONE : side->number_of[parent];
}

static uint32_t clip_number_model(cook_job *job, const cook_scene *model, clip_model_side *side) {
  uint32_t count = 0;
  *side = (clip_model_side){model, JOB_ARRAY(job, uint32_t, model->node_count),
                            JOB_ARRAY(job, uint32_t, model->node_count)};
  for (uint32_t n = 0; n < model->node_count; n++) {
    side->number_of[n] = model->nodes[n].is_cooked ? count : MPAK_NONE;
    if (model->nodes[n].is_cooked) side->nodes[count++] = n;
  }
  return count;
}

void clip_match_nodes(clip_merge *merge) {
  cook_job *job = merge->job;
  const uint32_t source_count = merge->source->node_count;
  merge->model_of = JOB_ARRAY(job, uint32_t, source_count);
  merge->source_of = JOB_ARRAY(job, uint32_t, merge->model->node_count);
  const cook_mark mark = job_mark(job);
  clip_model_side model;
  const uint32_t model_count = clip_number_model(job, merge->model, &model);
  const name_match_side from = {source_count, merge->source, clip_source_name, clip_source_parent};
  const name_match_side to = {model_count, &model, clip_model_name, clip_model_parent};
  uint32_t *scratch = JOB_ARRAY(job, uint32_t, name_match_scratch_words(source_count, model_count));
  name_match_nodes(&from, &to, scratch, merge->model_of);
  for (uint32_t n = 0; n < merge->model->node_count; n++) merge->source_of[n] = MPAK_NONE;
  for (uint32_t n = 0; n < source_count; n++) {
    if (merge->model_of[n] >= NAME_MATCH_AMBIGUOUS) continue;
    merge->model_of[n] = model.nodes[merge->model_of[n]];
    merge->source_of[merge->model_of[n]] = n;
  }
  job_release(job, mark);
}

// -- Issues ----------------------------------------------------------------------------------------------------------

/// One issue that lists names; none when there are none. total: of how many.
static void clip_report_names(cook_job *job, mpak_issue_id id, const clip_names *names, uint64_t total) {
  if (names->count == 0) return;
  cook_where where = COOK_WHERE;
  where.value = job_format(job, "%" PRIu64 " of %" PRIu64, names->count, total);
  where.limit = clip_names_text(names);
  job_issue(job, id, where);
}

/// Animated nodes of the file with this result, and how many are animated.
static uint64_t clip_list_animated(const clip_merge *merge, uint32_t result, clip_names *names) {
  uint64_t total = 0;
  for (uint32_t n = 0; n < merge->source->node_count; n++) {
    if (!merge->is_animated[n]) continue;
    total++;
    const cook_node *node = &merge->source->nodes[n];
    if (merge->model_of[n] == result) clip_names_add(names, node->name, "node", node->source_index);
  }
  return total;
}

/// A skin moves its mesh whatever the pose of the node that draws it: nobody misses the animation of that node.
static bool clip_is_missed(const cook_node *node) { return node->is_cooked && node->skin == MPAK_NONE; }

static void clip_report_missing(const clip_merge *merge) {
  clip_names missing = {.job = merge->job};
  uint64_t total = 0;
  for (uint32_t n = 0; n < merge->model->node_count; n++) {
    const cook_node *node = &merge->model->nodes[n];
    total += node->is_cooked;
    if (clip_is_missed(node) && merge->source_of[n] == MPAK_NONE)
      clip_names_add(&missing, node->name, "node", node->source_index);
  }
  clip_report_names(merge->job, MPAK_A021, &missing, total);
}

void clip_report_nodes(const clip_merge *merge) {
  cook_job *job = merge->job;
  clip_names extra = {.job = job}, ambiguous = {.job = job};
  const uint64_t total = clip_list_animated(merge, NAME_MATCH_NONE, &extra);
  clip_list_animated(merge, NAME_MATCH_AMBIGUOUS, &ambiguous);
  clip_report_names(job, MPAK_A022, &ambiguous, total);
  if (extra.count + ambiguous.count == total) {
    cook_where where = COOK_WHERE;
    where.value = job_format(job, "%" PRIu64, total);
    where.limit = clip_names_text(extra.count != 0 ? &extra : &ambiguous);
    job_fail(job, MPAK_A019, where);
  }
  clip_report_names(job, MPAK_A020, &extra, total);
  clip_report_missing(merge);
}
