#include "samples/viewer/view_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void view_read_time(const char *path, int64_t *time_ns, int64_t *byte_count) {
  struct stat status;
  *time_ns = *byte_count = -1;
  if (stat(path, &status) != 0) return;
  *time_ns = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
  *byte_count = (int64_t)status.st_size;
}

bool view_scene_is_outdated(const view_scene *scene) {
  int64_t time_ns = 0, byte_count = 0;
  view_read_time(scene->path, &time_ns, &byte_count);
  return byte_count > 0 && (time_ns != scene->file_time_ns || byte_count != scene->file_bytes);
}

/// The instance of to that is drawn by a node of the same key, or MPAK_NONE.
static uint32_t scene_instance_like(const stage *to, const stage *from, uint32_t instance) {
  const char *key = mpak_string(&from->pack, from->pack.nodes[from->pack.instances[instance].node].key);
  const uint32_t node = mpak_find_node(&to->pack, key);
  return node == MPAK_NONE ? MPAK_NONE : mpak_find_instance(&to->pack, node);
}

/// Weights by hand, the level and the time go over to the new model.
static void scene_carry_over(stage *to, const stage *from) {
  for (uint32_t i = 0; i < from->pack.instance_count; i++) {
    const mpak_mesh *mesh = &from->pack.meshes[from->pack.instances[i].mesh];
    const uint32_t instance = scene_instance_like(to, from, i);
    for (uint32_t c = 0; instance != MPAK_NONE && c < mesh->control_count; c++) {
      const char *key = mpak_string(&from->pack, from->pack.controls[mesh->first_control + c].key);
      const uint32_t control = mpak_find_control(&to->pack, to->pack.instances[instance].mesh, key);
      if (control != MPAK_NONE && stage_is_given(from, i, c))
        stage_give_weight(to, instance, control, stage_weight(from, i, c));
    }
  }
  to->hero->lod = from->hero->lod;
  to->time_s = from->time_s;
}

static mpak_result scene_open(const view_scene *scene, stage *made, stage_bytes file, draw_list *list,
                              const char **reason) {
  mpak_fault fault = {0};
  const mpak_result result = stage_open(made, file, &fault);
  *reason = fault.rule != NULL ? fault.rule : mpak_result_name(result);
  return result == MPAK_OK ? draw_list_open(list, made, &scene->device, reason) : result;
}

mpak_result view_scene_set(view_scene *scene, const char *path, const void *bytes, uint64_t byte_count,
                           const char **reason) {
  stage *made = calloc(1, sizeof *made);
  char *name = strdup(path);
  draw_list list = {0};
  mpak_result result = MPAK_ERROR_OUT_OF_MEMORY;
  *reason = mpak_result_name(result);
  if (made != NULL && name != NULL)
    result = scene_open(scene, made, stage_copy_bytes(bytes, byte_count), &list, reason);
  if (result != MPAK_OK) {
    if (made != NULL) stage_close(made);
    free(made);
    free(name);
    return result;
  }
  if (scene->shown != NULL) scene_carry_over(made, scene->shown);
  draw_list_close(&scene->list);
  if (scene->shown != NULL) stage_close(scene->shown);
  free(scene->shown);
  free(scene->path);
  scene->shown = made;
  scene->list = list;
  scene->path = name;
  return MPAK_OK;
}

mpak_result view_scene_set_technique(view_scene *scene, mpak_gl_technique technique, const char **reason) {
  draw_list list;
  scene->device.technique = technique;
  const mpak_result result = draw_list_open(&list, scene->shown, &scene->device, reason);
  if (result != MPAK_OK) return result;
  draw_list_close(&scene->list);
  scene->list = list;
  return MPAK_OK;
}

bool view_scene_load(view_scene *scene, const char *path, view_loader load, void *load_user) {
  view_loaded loaded = {0};
  const char *reason = "";
  int64_t time_ns = 0, byte_count = 0;
  view_read_time(path, &time_ns, &byte_count);
  load(load_user, path, &loaded);
  bool is_set = loaded.bytes != NULL;
  snprintf(scene->message, sizeof scene->message, "%s", loaded.text);
  if (is_set) is_set = view_scene_set(scene, path, loaded.bytes, loaded.byte_count, &reason) == MPAK_OK;
  if (loaded.bytes != NULL && !is_set) snprintf(scene->message, sizeof scene->message, "%s: %s", path, reason);
  free(loaded.bytes);
  scene->is_error = !is_set;
  if (is_set || strcmp(path, scene->path) == 0) { // a broken file is not tried again before it changes
    scene->file_time_ns = time_ns;
    scene->file_bytes = byte_count;
  }
  return is_set;
}

void view_scene_close(view_scene *scene) {
  draw_list_close(&scene->list);
  if (scene->shown != NULL) stage_close(scene->shown);
  free(scene->shown);
  free(scene->path);
  memset(scene, 0, sizeof *scene);
}
