// eval_clips.c: which clips there are, in the pack and in the files of --clips, and which of them --clip names.
#include <inttypes.h>
#include <string.h>

#include "cooker/build/clip_merge.h"
#include "cooker/cli/eval.h"
#include "cooker/cli/written.h"

// -- Sets ------------------------------------------------------------------------------------------------------------

static bool clips_is_model(const char *path) { return !pack_file_is_pack(path); }

cli_list eval_clip_models(cook_job *job, const cli_arguments *arguments) {
  cli_list models = {JOB_ARRAY(job, const char *, arguments->clip_files.count), 0};
  for (uint32_t i = 0; i < arguments->clip_files.count; i++)
    if (clips_is_model(arguments->clip_files.items[i])) models.items[models.count++] = arguments->clip_files.items[i];
  return models;
}

static void clips_open_file(eval_scene *scene, const char *path, eval_clip_set *set) {
  if (!clips_is_model(path)) {
    pack_file_open(scene->job, path, &set->file);
    return;
  }
  cook_options options = cli_resolve_cook_options(scene->job, scene->arguments);
  options.clip_files = NULL;
  options.clip_file_count = 0;
  options.clips_only = true;
  cook_product product;
  cook_file(scene->job, path, &options, &product);
  written_check_dependencies(scene->job, product.scene, &scene->arguments->output, 1);
  pack_file_open_bytes(scene->job, product.bytes, product.byte_count, &set->file);
}

static void clips_make_map(eval_scene *scene, eval_clip_set *set) {
  const mpak_pack *pack = &scene->file.pack;
  const uint64_t byte_count = mpak_clip_map_bytes(set->pack, pack);
  const mpak_result result =
      mpak_clip_map_init(set->pack, &set->clips, pack, job_alloc(scene->job, byte_count, 1), byte_count, &set->map);
  if (result != MPAK_OK) cli_fail(scene->job, MPAK_P009, mpak_result_name(result), NULL);
}

/// Does any track of the set move this node?
static bool clips_animate(const eval_clip_set *set, uint32_t node) {
  for (uint32_t t = 0; t < set->pack->track_count; t++)
    if (set->pack->tracks[t].node == node && set->pack->tracks[t].path != MPAK_PATH_WEIGHTS) return true;
  return false;
}

/// The same issues as for files that are cooked: nothing fits, or not everything.
static void clips_report_missing(const eval_scene *scene, const eval_clip_set *set) {
  const mpak_clip_map *map = &set->map;
  cook_where where = COOK_WHERE;
  clip_names names = {.job = scene->job};
  if (map->missing_node_count == 0) return;
  for (uint32_t n = 0; n < set->pack->node_count; n++)
    if (map->node_of[n] == MPAK_NONE && clips_animate(set, n))
      clip_names_add(&names, mpak_string(set->pack, set->pack->nodes[n].name), "node", n);
  const bool is_all = map->missing_node_count == map->node_count && map->missing_control_count == map->control_count;
  where.value = is_all ? job_format(scene->job, "%" PRIu32, map->node_count)
                       : job_format(scene->job, "%" PRIu32 " of %" PRIu32, map->missing_node_count, map->node_count);
  where.limit = clip_names_text(&names);
  if (is_all) job_fail(scene->job, MPAK_A019, where);
  job_issue(scene->job, MPAK_A020, where);
}

static void clips_open_set(eval_scene *scene, const char *path) {
  eval_clip_set *set = &scene->sets[scene->set_count++];
  const char *file = job_file(scene->job);
  job_set_file(scene->job, path);
  clips_open_file(scene, path, set);
  set->pack = &set->file.pack;
  pack_file_load_clips(scene->job, &set->file, &set->clips);
  clips_make_map(scene, set);
  clips_report_missing(scene, set);
  job_set_file(scene->job, file);
}

void eval_open_sets(eval_scene *scene, bool is_pack) {
  const cli_list *files = &scene->arguments->clip_files;
  scene->sets = JOB_ARRAY(scene->job, eval_clip_set, (uint64_t)files->count + 1);
  scene->sets[0].pack = &scene->file.pack;
  scene->set_count = 1;
  pack_file_load_clips(scene->job, &scene->file, &scene->sets[0].clips);
  for (uint32_t i = 0; i < files->count; i++)
    if (is_pack || !clips_is_model(files->items[i])) clips_open_set(scene, files->items[i]);
}

// -- Choosing --------------------------------------------------------------------------------------------------------

uint32_t eval_read_number(const char *word, bool needs_hash, uint32_t limit) {
  if (word[0] == '#')
    word++;
  else if (needs_hash)
    return MPAK_NONE;
  uint64_t number = 0;
  const char *at = word;
  for (; *at >= '0' && *at <= '9' && number < limit; at++) number = number * 10 + (uint64_t)(*at - '0');
  return at != word && *at == 0 && number < limit ? (uint32_t)number : MPAK_NONE;
}

/// All clips, numbered through: the pack's own first, then those of each file.
static eval_clip *clips_list(const eval_scene *scene, uint32_t *count) {
  uint64_t total = 0;
  for (uint32_t s = 0; s < scene->set_count; s++) total += scene->sets[s].pack->clip_count;
  eval_clip *all = JOB_ARRAY(scene->job, eval_clip, total);
  *count = 0;
  for (uint32_t s = 0; s < scene->set_count; s++)
    for (uint32_t c = 0; c < scene->sets[s].pack->clip_count; c++) all[(*count)++] = (eval_clip){&scene->sets[s], c};
  return all;
}

static const char *clips_key(const eval_clip *clip) {
  return mpak_string(clip->set->pack, eval_clip_record(clip)->key);
}

/// The number of a clip: by key, then by name, then by number.
static uint32_t clips_find(const eval_clip *all, uint32_t count, const char *word) {
  for (uint32_t c = 0; c < count; c++)
    if (strcmp(clips_key(&all[c]), word) == 0) return c;
  for (uint32_t c = 0; c < count; c++)
    if (strcmp(mpak_string(all[c].set->pack, eval_clip_record(&all[c])->name), word) == 0) return c;
  return eval_read_number(word, false, count);
}

_Noreturn static void clips_fail_unknown(const eval_scene *scene, const eval_clip *all, uint32_t count,
                                         const char *word) {
  const char **keys = JOB_ARRAY(scene->job, const char *, count);
  for (uint32_t c = 0; c < count; c++) keys[c] = clips_key(&all[c]);
  const char *near = count == 0 ? "; there are none" : cli_suggest(scene->job, word, keys, count);
  cli_fail(scene->job, MPAK_U012, word, near);
}

static void clips_clamp_time(eval_scene *scene) {
  double start_s = 0, end_s = 0;
  scene->time_s = scene->arguments->time.value;
  if (scene->clip_count == 0) return;
  for (uint32_t i = 0; i < scene->clip_count; i++) {
    const mpak_clip *clip = eval_clip_record(&scene->clips[i]);
    if (i == 0 || (double)clip->start_s < start_s) start_s = (double)clip->start_s;
    if (i == 0 || (double)clip->end_s > end_s) end_s = (double)clip->end_s;
  }
  if (scene->time_s < start_s) scene->time_s = start_s;
  if (scene->time_s > end_s) scene->time_s = end_s;
}

void eval_select_clips(eval_scene *scene) {
  const cli_list *words = &scene->arguments->clips;
  uint32_t count = 0;
  const eval_clip *all = clips_list(scene, &count);
  scene->clips = JOB_ARRAY(scene->job, eval_clip, (uint64_t)words->count * ((uint64_t)count + 1));
  for (uint32_t i = 0; i < words->count; i++) {
    if (strcmp(words->items[i], "all") == 0) {
      for (uint32_t c = 0; c < count; c++) scene->clips[scene->clip_count++] = all[c];
      continue;
    }
    const uint32_t number = clips_find(all, count, words->items[i]);
    if (number == MPAK_NONE) clips_fail_unknown(scene, all, count, words->items[i]);
    scene->clips[scene->clip_count++] = all[number];
  }
  clips_clamp_time(scene);
}
