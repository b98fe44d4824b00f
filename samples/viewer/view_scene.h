/// view_scene.h: the model that the viewer shows, made anew when its file changes or another one is dropped.
#ifndef VIEW_SCENE_H
#define VIEW_SCENE_H

#include "samples/viewer/draw_list.h"
#include "samples/viewer/viewer.h"

typedef struct view_scene {
  stage *shown; ///< on the heap: the runtime's objects point into it
  draw_list list;
  char *path;
  char message[2048];   ///< issues of the last load
  bool is_error;        ///< it failed, and what is shown is older
  int64_t file_time_ns; ///< of the file when it was read last
  int64_t file_bytes;
  draw_device device; ///< to be set before anything is shown
} view_scene;

/// Shows the bytes of a pack under a name. What was set by hand goes over to targets of the same names. On failure what
/// was shown before stays, and *reason is a static text.
mpak_result view_scene_set(view_scene *scene, const char *path, const void *bytes, uint64_t byte_count,
                           const char **reason);

/// Uploads the model anew with another technique. On failure what was shown before stays.
mpak_result view_scene_set_technique(view_scene *scene, mpak_gl_technique technique, const char **reason);

/// Loads a file and shows it; on failure message says why, and what was shown stays. True: another model is shown.
bool view_scene_load(view_scene *scene, const char *path, view_loader load, void *load_user);

/// Has the file another time or size than when it was read?
bool view_scene_is_outdated(const view_scene *scene);

void view_scene_close(view_scene *scene); ///< a zeroed one is fine

#endif
